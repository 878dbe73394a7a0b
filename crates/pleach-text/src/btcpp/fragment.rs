//! Parts of a file that are written in KDL: what a tree declares, and nodes that BehaviorTree.CPP has not.

use std::ops::Range;

use super::xml::Attribute;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::document::kdl_document;
use crate::draft::{Draft, ExprPlace, Item, ItemKind};
use crate::read::{Reading, read_fragment};
use crate::source::Source;
use crate::usage::GivenValue;

/// How many bytes of KDL all parts of a document may have together, the declarations that each sees
/// included.
const MAX_FRAGMENT_BYTES: usize = 32 << 20;

#[derive(Default)]
pub(super) struct Fragments {
    reading: Reading,
    bytes: usize,
}

impl Fragments {
    /// What a tree declares, as a draft without a node of its own.
    pub(super) fn declarations(
        &mut self,
        source: &Source,
        attribute: &Attribute,
        found: &mut Diagnostics,
    ) -> Option<Draft> {
        let text = format!("tree \"_\" {{\n{}\nidle\n}}", attribute.value);
        let mut draft = self.read(source, attribute, &text, found)?;
        let span = &attribute.value_span;
        for one in &mut draft.declared {
            one.span = span.clone();
        }
        for param in &mut draft.params {
            param.span = span.clone();
            if let Some(default) = &mut param.default {
                (default.source, default.span) = (source.clone(), span.clone());
            }
        }
        Some(draft)
    }

    /// A node without its children: its kind and place are read, and how many children it has.
    pub(super) fn node(
        &mut self,
        source: &Source,
        attribute: &Attribute,
        declared: &str,
        found: &mut Diagnostics,
    ) -> Option<Item> {
        let text = format!("tree \"_\" {{\n{declared}\n{}\n}}", attribute.value);
        let mut draft = self.read(source, attribute, &text, found)?;
        let span = attribute.value_span.clone();
        if draft.items.is_empty() {
            return None;
        }
        let mut item = draft.items.swap_remove(0);
        move_item(&mut item, &span);
        Some(item)
    }

    fn read(
        &mut self,
        source: &Source,
        attribute: &Attribute,
        text: &str,
        found: &mut Diagnostics,
    ) -> Option<Draft> {
        let span = attribute.value_span.clone();
        let before = self.bytes;
        self.bytes = before.saturating_add(text.len());
        if self.bytes > MAX_FRAGMENT_BYTES {
            if before <= MAX_FRAGMENT_BYTES {
                let message = format!(
                    "up to this one, the parts in KDL have more than {MAX_FRAGMENT_BYTES} bytes"
                );
                found.push(Diagnostic::new(source, span, message));
            }
            return None;
        }
        let fragment = Source::new(source.name(), text);
        let mut wrong = Diagnostics::new();
        let draft = match kdl_document(&fragment) {
            Ok(document) => read_fragment(&fragment, &document, &mut self.reading, &mut wrong),
            Err(errors) => {
                wrong.append(errors);
                None
            }
        };
        let fails = !wrong.is_empty();
        for error in &wrong {
            let message = format!("in `{}`: {}", attribute.name, error.message());
            found.push(Diagnostic::new(source, span.clone(), message).with_help_if(error.help()));
        }
        draft.filter(|_| !fails)
    }
}

/// Says of all parts of an item that they stand in an attribute.
fn move_item(item: &mut Item, span: &Range<usize>) {
    let place = &mut item.place;
    place.keyword = span.clone();
    if let Some(expr) = &mut place.expr {
        *expr = ExprPlace {
            span: span.clone(),
            text: None,
        };
    }
    for param in &mut place.params {
        param.span = span.clone();
    }
    for case in &mut place.cases {
        *case = span.clone();
    }
    for hole in &mut place.holes {
        hole.span = span.clone();
    }
    if let ItemKind::Subtree(usage) = &mut item.kind {
        for given in &mut usage.given {
            given.span = span.clone();
            if let GivenValue::Entry(entry) = &mut given.value {
                entry.set_span((span.start, span.len()));
            }
        }
        for map in &mut usage.maps {
            map.span = span.clone();
        }
    }
}
