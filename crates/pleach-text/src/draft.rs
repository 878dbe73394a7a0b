//! A tree as its own text has it: places kept, subtrees not inlined yet.

use std::ops::Range;

use pleach_tree::{NodeKind, Value};

pub(crate) struct Draft {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
    pub(crate) declared: Vec<Declared>,
    /// Nodes, depth first; the first is the root.
    pub(crate) items: Vec<Item>,
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

#[derive(Clone)]
pub(crate) struct Declared {
    pub(crate) group: Group,
    pub(crate) name: String,
    pub(crate) default: Value,
    pub(crate) span: Range<usize>,
}

pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    pub(crate) name: Option<String>,
    /// Indices in the draft's items.
    pub(crate) children: Vec<usize>,
    pub(crate) place: ItemPlace,
}

pub(crate) enum ItemKind {
    Node(NodeKind),
    /// The tree of that name, to be inlined here.
    Subtree(String),
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
