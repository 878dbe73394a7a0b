//! Where the parts of a tree stand in files.

use std::collections::HashMap;
use std::ops::Range;

use pleach_shape::NodeId;
use pleach_tree::{Place, Problem};

use crate::diagnostic::{Code, Diagnostic, Diagnostics, quoted};
use crate::draft::{Draft, Item};
use crate::source::Source;

/// Where the parts of a tree stand in files.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The tree's own draft.
    pub(super) draft: usize,
    /// Where each node came from, by `NodeId`.
    pub(super) nodes: Vec<NodeOrigin>,
    /// The uses of subtrees, outer ones first: the draft and its item that uses another tree.
    pub(super) uses: Vec<(u32, u32)>,
    /// What is wrong with the branches of switches, by `NodeId` and position, in the words of the text: for
    /// when the tree is compiled.
    pub(super) cases: HashMap<(u32, usize), Diagnostic>,
    /// The drafts and spans of columns and of world values.
    pub(super) columns: Vec<(usize, Range<usize>)>,
    pub(super) world: Vec<(usize, Range<usize>)>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeOrigin {
    pub(super) draft: u32,
    pub(super) item: u32,
    /// The use in [`Origin::uses`] that copied it; `u32::MAX` for the tree's own.
    pub(super) used: u32,
}

impl Origin {
    /// Adds a problem that the compiler found to others.
    pub(crate) fn tell(&self, drafts: &[Draft], problem: &Problem, found: &mut Diagnostics) {
        if let Place::Case(id, number) = &problem.place
            && let Some(case) = self.cases.get(&(id.0, *number))
        {
            found.push(case.clone());
            return;
        }
        found.push(self.diagnostic(drafts, problem));
    }

    /// A problem that the compiler found, with its place.
    fn diagnostic(&self, drafts: &[Draft], problem: &Problem) -> Diagnostic {
        let node = |id: NodeId| self.nodes.get(id.0 as usize).copied();
        let item = |id: NodeId| -> Option<(&Source, &Item)> {
            let origin = node(id)?;
            let draft = drafts.get(origin.draft as usize)?;
            Some((&draft.source, draft.items.get(origin.item as usize)?))
        };
        let declared = |places: &[(usize, Range<usize>)], index: usize| {
            let (draft, span) = places.get(index)?;
            Some((&drafts.get(*draft)?.source, span.clone()))
        };
        let found = match &problem.place {
            Place::Tree => None,
            Place::Column(index) => declared(&self.columns, *index),
            Place::World(index) => declared(&self.world, *index),
            Place::Node(id) => item(*id).map(|(source, item)| (source, item.place.keyword.clone())),
            Place::Expr(id, span) => item(*id).map(|(source, item)| match &item.place.expr {
                Some(place) => (source, place.within(span)),
                None => (source, item.place.keyword.clone()),
            }),
            Place::Case(id, number) => item(*id).map(|(source, item)| {
                let case = item.place.cases.get(*number);
                (source, case.unwrap_or(&item.place.keyword).clone())
            }),
            Place::Param(id, index) => {
                item(*id).map(|(source, item)| match item.place.params.get(*index) {
                    Some(param) => (source, param.span.clone()),
                    None => (source, item.place.keyword.clone()),
                })
            }
        };
        let Some(own) = drafts.get(self.draft) else {
            let message = Code::of(problem.kind).says(&problem.message);
            return Diagnostic::whole(&Source::new("", ""), message);
        };
        let (source, span) = found.unwrap_or_else(|| (&own.source, own.span.clone()));
        let mut message = problem.message.clone();
        let mut used = None;
        if let Place::Node(id) | Place::Expr(id, _) | Place::Param(id, _) | Place::Case(id, _) =
            &problem.place
            && let Some(origin) = node(*id)
            && origin.draft as usize != self.draft
        {
            message.push_str(&format!(" (as a subtree of {})", quoted(&own.name)));
            used = self
                .uses
                .get(origin.used as usize)
                .and_then(|&(draft, item)| {
                    let draft = drafts.get(draft as usize)?;
                    Some((
                        &draft.source,
                        draft.items.get(item as usize)?.place.keyword.clone(),
                    ))
                });
        }
        let error = Diagnostic::new(source, span, Code::of(problem.kind).says(message));
        let error = match used {
            Some((source, span)) => error.with_note(source, span, "used here"),
            None => error,
        };
        error.with_help_if(problem.help.as_deref())
    }
}
