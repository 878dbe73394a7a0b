//! Places of the parts of a KDL document.

use std::ops::Range;

/// The bytes of a `kdl` span.
pub fn bytes(span: impl Into<Spanned>) -> Range<usize> {
    span.into().0
}

/// A span of bytes taken from a part of a KDL document; see [`bytes`].
pub struct Spanned(Range<usize>);

impl From<&kdl::KdlNode> for Spanned {
    /// The node's name: underlining its children too would show nothing.
    fn from(node: &kdl::KdlNode) -> Spanned {
        Spanned::from(node.name())
    }
}

macro_rules! spanned_from {
    ($($ty:ident),*) => {$(
        impl From<&kdl::$ty> for Spanned {
            fn from(part: &kdl::$ty) -> Spanned {
                let span = part.span();
                Spanned(span.offset()..span.offset() + span.len())
            }
        }
    )*};
}
spanned_from!(KdlIdentifier, KdlEntry, KdlDocument);
