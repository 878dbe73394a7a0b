//! A tree as its own text has it: places kept, subtrees not inlined yet.

use std::ops::Range;
use std::sync::Arc;

use pleach_tree::{NodeKind, Value};

use crate::constant::Param;
use crate::source::Source;
use crate::usage::Usage;

pub(crate) struct Draft {
    pub(crate) name: String,
    /// The file that it stands in: its text, and its number among all that were read.
    pub(crate) source: Source,
    pub(crate) file: usize,
    pub(crate) span: Range<usize>,
    pub(crate) declared: Vec<Declared>,
    pub(crate) params: Vec<Param>,
    /// Nodes, depth first; the first is the root.
    pub(crate) items: Vec<Item>,
    /// Lines of comments that stand before the tree, without their marks.
    pub(crate) comments: Vec<String>,
    /// What editors note of the tree.
    pub(crate) meta: Vec<Meta>,
}

impl Draft {
    /// Its nodes and declarations: what it costs, whatever they are.
    pub(crate) fn size(&self) -> usize {
        let labels: usize = self.declared.iter().map(|one| one.labels.len()).sum();
        self.items.len() + self.declared.len() + labels + self.params.len()
    }

    /// Whether it can run by itself: no parameter must be given.
    pub(crate) fn runs(&self) -> bool {
        self.params.iter().all(|param| param.default.is_some())
    }

    /// What it says of its parameters, columns and world values, by their names.
    pub(crate) fn docs(&self) -> Vec<(String, String)> {
        let params = self.params.iter().map(|one| (&one.name, &one.doc));
        let declared = self.declared.iter().map(|one| (&one.name, &one.doc));
        params
            .chain(declared)
            .filter_map(|(name, doc)| Some((name.clone(), doc.as_deref()?.to_owned())))
            .collect()
    }

    /// What its root is called.
    pub(crate) fn root_name(&self) -> Option<&str> {
        let mut item = self.items.first()?;
        while item.guard {
            item = self.items.get(*item.children.first()?)?;
        }
        item.name.as_deref()
    }
}

/// What an editor notes of a node or tree: a name that begins with `_`, and a text. It is kept and
/// means nothing.
pub(crate) type Meta = (String, String);

/// Adds a note of editors that may be called like another one, which a node has only once: each has one more
/// `_` in front.
pub(crate) fn add_note(notes: &mut Vec<Meta>, mut name: String, value: String) {
    while notes.iter().any(|(known, _)| *known == name) {
        name.insert(0, '_');
    }
    notes.push((name, value));
}

/// Which of a tree's two sets of values a name belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Group {
    Column,
    World,
}

impl Group {
    /// As messages name one.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Group::Column => "column",
            Group::World => "world value",
        }
    }
}

impl Declared {
    /// Its type, as people write it.
    pub(crate) fn type_name(&self) -> &'static str {
        match self.labels.is_empty() {
            true => self.default.ty().name(),
            false => "enum",
        }
    }

    /// Whether it is of the same kind and type as another one.
    pub(crate) fn is_like(&self, other: &Declared) -> bool {
        self.group == other.group
            && self.default.ty() == other.default.ty()
            && self.labels == other.labels
    }
}

#[derive(Clone)]
pub(crate) struct Declared {
    pub(crate) group: Group,
    pub(crate) name: String,
    pub(crate) default: Value,
    /// Of an enumeration, which is a `u8`; else empty.
    pub(crate) labels: Vec<String>,
    /// The texts that stand for the labels in scripts of BehaviorTree.CPP, one each; empty where no such
    /// file says them.
    pub(crate) texts: Vec<String>,
    /// What it is, for people.
    /// Shared, since trees that use this one declare it, too.
    pub(crate) doc: Option<Arc<str>>,
    pub(crate) span: Range<usize>,
}

pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    pub(crate) name: Option<String>,
    /// Whether it is a property of the node below, to which names given from outside belong.
    pub(crate) guard: bool,
    /// Indices in the draft's items.
    pub(crate) children: Vec<usize>,
    pub(crate) place: ItemPlace,
    /// Lines of comments that stand before it, without their marks. A guard has none: they are its
    /// node's.
    pub(crate) comments: Vec<String>,
    /// What editors note of it; a guard has none.
    pub(crate) meta: Vec<Meta>,
}

impl Item {
    /// A node without name, children, comments and notes of editors.
    pub(crate) fn new(kind: ItemKind, place: ItemPlace) -> Item {
        Item {
            kind,
            name: None,
            guard: false,
            children: Vec::new(),
            place,
            comments: Vec::new(),
            meta: Vec::new(),
        }
    }
}

pub(crate) enum ItemKind {
    Node(NodeKind),
    /// Another tree, to be inlined here.
    Subtree(Box<Usage>),
}

/// A part of a node that a parameter of its tree gives; until then something stands in for it.
#[derive(Clone)]
pub(crate) struct Hole {
    pub(crate) part: Part,
    /// The parameter's position in [`Draft::params`].
    pub(crate) param: usize,
    /// Where it is read.
    pub(crate) span: Range<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// The parameter of that position of a call.
    Param(usize),
    /// A time; of two, the shorter one.
    Time,
    /// The longer one of two times.
    Longest,
    /// A Parallel's threshold for Success.
    Success,
    /// A Parallel's threshold for Failure.
    Failure,
    /// How often a loop runs its child, at most.
    Times,
}

/// Where the parts of a node stand.
#[derive(Clone, Default)]
pub(crate) struct ItemPlace {
    /// Its keyword.
    pub(crate) keyword: Range<usize>,
    /// The value that holds its expression.
    pub(crate) expr: Option<ExprPlace>,
    /// The parameters of its call, in order.
    pub(crate) params: Vec<ParamPlace>,
    /// The values of a switch's cases.
    pub(crate) cases: Vec<Range<usize>>,
    /// What it reads from its tree's parameters, except in its expression.
    pub(crate) holes: Vec<Hole>,
    /// Whether its expression reads a parameter.
    pub(crate) expr_reads: bool,
    /// Bytes of text that the node's arguments take: what a copy of it costs.
    pub(crate) bytes: usize,
    /// Bytes of text in the node's expression, which costs much more.
    pub(crate) expr_bytes: usize,
}

#[derive(Clone)]
pub(crate) struct ExprPlace {
    pub(crate) span: Range<usize>,
    /// Where the expression's own text begins; `None` if escapes make its offsets differ from
    /// those of the file.
    pub(crate) text: Option<usize>,
}

impl ExprPlace {
    /// The file's bytes for a span within the expression.
    pub(crate) fn within(&self, span: &Range<u32>) -> Range<usize> {
        match self.text {
            // An expression made from no text has the span 0..0.
            Some(start) if *span != (0..0) => {
                start + span.start as usize..start + span.end as usize
            }
            _ => self.span.clone(),
        }
    }
}

#[derive(Clone)]
pub(crate) struct ParamPlace {
    pub(crate) span: Range<usize>,
    /// What `(column)` or `(world)` says that the name is.
    pub(crate) group: Option<Group>,
}
