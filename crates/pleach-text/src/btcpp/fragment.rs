//! Parts of a file that are written in KDL: what a tree declares, and nodes that BehaviorTree.CPP has not.

use std::ops::Range;

use super::xml::Attribute;
use crate::constant::Param;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::kdl_document;
use crate::draft::{Draft, ExprPlace, Item, ItemKind};
use crate::read::{Reading, read_declarations, read_node};
use crate::source::Source;
use crate::usage::GivenValue;

#[derive(Default)]
pub(super) struct Fragments {
    reading: Reading,
}

impl Fragments {
    /// What a tree declares, as a draft without a node of its own.
    pub(super) fn declarations(
        &mut self,
        source: &Source,
        attribute: &Attribute,
        found: &mut Diagnostics,
    ) -> Option<Draft> {
        let mut draft = self.read(source, attribute, found, |fragment, reading, wrong| {
            let document = kdl_document(fragment)?;
            Ok(read_declarations(fragment, &document, reading, wrong))
        })?;
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

    /// A node without its children: its kind and place are read, and how many children it has. It may
    /// read these parameters.
    pub(super) fn node(
        &mut self,
        source: &Source,
        attribute: &Attribute,
        params: &[Param],
        found: &mut Diagnostics,
    ) -> Option<Item> {
        let mut item = self.read(source, attribute, found, |fragment, reading, wrong| {
            let document = kdl_document(fragment)?;
            Ok(read_node(fragment, &document, params, reading, wrong))
        })??;
        move_item(&mut item, &attribute.value_span);
        Some(item)
    }

    /// Reads an attribute; what is wrong with it is told of its value as a whole.
    fn read<T>(
        &mut self,
        source: &Source,
        attribute: &Attribute,
        found: &mut Diagnostics,
        read: impl FnOnce(&Source, &mut Reading, &mut Diagnostics) -> Result<T, Diagnostics>,
    ) -> Option<T> {
        let fragment = Source::new(source.name(), &attribute.value);
        let mut wrong = Diagnostics::new();
        let part = match read(&fragment, &mut self.reading, &mut wrong) {
            Ok(part) => Some(part),
            Err(errors) => {
                wrong.append(errors);
                None
            }
        };
        let fails = !wrong.is_empty();
        for error in &wrong {
            let message = format!("in `{}`: {}", attribute.name, error.message());
            let span = attribute.value_span.clone();
            found.push(
                Diagnostic::new(source, span, Code::KdlAttribute.says(message))
                    .with_help_if(error.help()),
            );
        }
        part.filter(|_| !fails)
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
