//! A use of another tree, as it is written: what it gives and what it maps.

use std::ops::Range;

use kdl::KdlEntry;

#[derive(Clone)]
pub(crate) struct Usage {
    /// The tree that is used.
    pub(crate) tree: String,
    pub(crate) given: Vec<Given>,
    pub(crate) maps: Vec<Mapping>,
}

/// A value given to a parameter of the used tree.
#[derive(Clone)]
pub(crate) struct Given {
    pub(crate) name: String,
    pub(crate) value: GivenValue,
    pub(crate) span: Range<usize>,
}

#[derive(Clone)]
pub(crate) enum GivenValue {
    /// Read once the parameter's type is known, maybe from another file.
    Entry(Box<KdlEntry>),
    /// What the using tree's own parameter of that position is.
    Own(usize),
}

/// A column or world value of the used tree that is one of the using tree.
#[derive(Clone)]
pub(crate) struct Mapping {
    pub(crate) inner: String,
    pub(crate) outer: String,
    pub(crate) span: Range<usize>,
}
