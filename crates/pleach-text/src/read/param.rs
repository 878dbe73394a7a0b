//! Parameters of trees: their declarations, and where nodes read them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use kdl::{KdlDocument, KdlEntry, KdlNode, KdlValue};
use pleach_tree::{Expr, ExprKind, is_expression_word, is_identifier};

use super::{MAX_PARAMS, Named, Reader};
use crate::constant::{Constant, Param, ParamType};
use crate::diagnostic::{Code, Diagnostic, bytes, did_you_mean, quoted};
use crate::draft::{ExprPlace, ItemPlace};
use crate::source::Source;
use crate::value::{describe, value_span};

/// How many wrong names of a file are compared with all that are known.
const MAX_HINTS: usize = 50;

/// What an entry has to do with the tree's own parameters.
pub(super) enum Own {
    /// It reads the one of that position.
    Param(usize),
    /// It reads one that it cannot read, which has been told.
    Wrong,
    /// It reads none.
    Other,
}

/// What is told of a parameter that nothing reads.
pub(crate) fn unread_param(source: &Source, param: &Param) -> Diagnostic {
    let message = format!(
        "nothing in the tree reads the parameter {}",
        quoted(&param.name)
    );
    let help = format!(
        "read it in an expression or as `(param){}`, or remove it",
        literal(&param.name)
    );
    let error = Diagnostic::new(
        source,
        param.span.clone(),
        Code::UnreadParameter.says(message),
    );
    error.with_help(help)
}

impl Reader<'_> {
    /// The block `params { … }`.
    pub(super) fn parameters(&mut self, block: &KdlNode, declared: &mut HashMap<String, Named>) {
        let entries = self.entries(block);
        self.no_more(&entries, 0, &[]);
        for node in block.children().map_or(&[][..], KdlDocument::nodes) {
            let mut entries = self.entries(node);
            self.no_children(node);
            let doc = self.doc(&mut entries);
            self.no_more(&entries, 2, &["doc"]);
            let Some(name) = self.checked_name(node.name().value(), bytes(node)) else {
                continue;
            };
            if !is_identifier(&name) {
                let message = format!("{} cannot name a parameter", quoted(&name));
                let help = match is_expression_word(&name) {
                    true => "it is a word of the expression language: choose another name",
                    false => "use a letter or `_`, then letters, digits, `_` and `.`",
                };
                self.wrong(bytes(node), Code::BadName.says(message), Some(help));
                continue;
            }
            let example = format!("{} f32 1.0", if name.len() < 40 { &name } else { "speed" });
            let Some(entry) = self.argument(&entries, 0, "a type", &example) else {
                continue;
            };
            let Some(ty) = self.param_type(entry) else {
                continue;
            };
            let default = match entries.arguments.get(1) {
                Some(entry) => match self.keep(Constant::read(self.source, entry, ty)) {
                    Some(default) => Some(default),
                    None => continue,
                },
                None => None,
            };
            if self.params.len() == MAX_PARAMS {
                let message = format!("the tree has more than {MAX_PARAMS} parameters");
                self.wrong(
                    bytes(node),
                    Code::Limit.says(message),
                    Some("declare columns, or split the tree"),
                );
                return;
            }
            if self.declare(&name, None, bytes(node), declared) {
                self.params.push(Param {
                    name,
                    ty,
                    default,
                    span: bytes(node),
                    doc,
                    read: false,
                });
            }
        }
    }

    fn param_type(&mut self, entry: &KdlEntry) -> Option<ParamType> {
        let known = "the types are bool, u8, u16, i32, f32, u64 and text";
        let KdlValue::String(text) = entry.value() else {
            let message = format!("expected a type, found {}", describe(entry.value()));
            self.wrong(bytes(entry), Code::WrongValue.says(message), Some(known));
            return None;
        };
        let ty = ParamType::from_name(text);
        if ty.is_none() {
            let help = did_you_mean(text, ParamType::NAMES);
            let message = format!("unknown type {}", quoted(text));
            self.wrong(
                bytes(entry),
                Code::UnknownType.says(message),
                help.as_deref().or(Some(known)),
            );
        }
        ty
    }

    /// Parameters that nothing reads: a slip, such as a name that stands where a text is meant.
    pub(super) fn unread(&mut self, params: &[Param]) {
        for param in params.iter().filter(|param| !param.read) {
            self.found.push(unread_param(self.source, param));
        }
    }

    /// The parameter of that name; from now on it counts as read.
    pub(super) fn param_of(&mut self, name: &str) -> Option<usize> {
        let at = self.params.iter().position(|param| param.name == name)?;
        self.params[at].read = true;
        Some(at)
    }

    /// The parameter that an entry reads as `(param)"speed"`, if it is of a type that fits.
    pub(super) fn own(
        &mut self,
        entry: &KdlEntry,
        wanted: &str,
        fits: impl Fn(ParamType) -> bool,
    ) -> Own {
        if entry.ty().is_none_or(|ty| ty.value() != "param") {
            return Own::Other;
        }
        let span = value_span(self.source, entry);
        let KdlValue::String(name) = entry.value() else {
            let message = format!(
                "expected a name behind `(param)`, found {}",
                describe(entry.value())
            );
            self.wrong(
                span,
                Code::WrongValue.says(message),
                Some("write `(param)\"speed\"`"),
            );
            return Own::Wrong;
        };
        let Some(at) = self.param_of(name) else {
            let known = self.params.iter().map(|param| param.name.as_str());
            // A suggestion looks at all names: for a few errors, not for a hostile thousand.
            let near = match self.found.len() < MAX_HINTS {
                true => did_you_mean(name, known),
                false => None,
            };
            let help =
                near.unwrap_or_else(|| "declare it in the tree's block `params { … }`".to_owned());
            let message = format!("the tree has no parameter {}", quoted(name));
            self.wrong(span, Code::UnknownParameter.says(message), Some(&help));
            return Own::Wrong;
        };
        if !fits(self.params[at].ty) {
            let what = format!("not {wanted}");
            self.wrong_param(at, span, &what, "give it another type, or read another one");
            return Own::Wrong;
        }
        Own::Param(at)
    }

    /// Says that a parameter stands where it cannot.
    pub(super) fn wrong_param(&mut self, at: usize, span: Range<usize>, what: &str, help: &str) {
        let Some(param) = self.params.get(at) else {
            return;
        };
        let message = format!(
            "{} is a parameter `{}`, {what}",
            quoted(&param.name),
            param.ty
        );
        self.found.push(
            Diagnostic::new(self.source, span, Code::ParameterType.says(message))
                .with_note(self.source, param.span.clone(), "declared here")
                .with_help(help),
        );
    }

    /// Whether an expression reads parameters; none if one of them is no number or truth value.
    pub(super) fn reads(&mut self, expr: &Expr, place: Option<&ExprPlace>) -> Option<bool> {
        if self.params.is_empty() {
            return Some(false);
        }
        let mut reads = Some(false);
        let mut pending = vec![expr];
        while let Some(expr) = pending.pop() {
            match &expr.kind {
                ExprKind::Name(name) => {
                    let Some(at) = self.param_of(name) else {
                        continue;
                    };
                    if self.params[at].ty == ParamType::Text {
                        let span = place.map_or(0..0, |place| place.within(&expr.span));
                        let help = "expressions compute with numbers and truth values";
                        self.wrong_param(at, span, "not a number", help);
                        reads = None;
                    } else {
                        reads = reads.map(|_| true);
                    }
                }
                ExprKind::Unary(_, inner) => pending.push(inner),
                ExprKind::Binary(_, left, right) => pending.extend([&**left, &**right]),
                ExprKind::Bool(_)
                | ExprKind::Int(_)
                | ExprKind::Float(_)
                | ExprKind::Invalid(..) => {}
            }
        }
        reads
    }

    /// A line `param "name" value` in a node's block.
    pub(super) fn param_line<'n>(
        &mut self,
        node: &'n KdlNode,
        seen: &mut HashSet<&'n str>,
        place: &mut ItemPlace,
    ) -> Option<(String, &'n KdlEntry)> {
        let lengths = node.entries().iter().map(|entry| bytes(entry).len());
        place.bytes += lengths.sum::<usize>();
        let inner = self.entries(node);
        self.no_more(&inner, 2, &[]);
        self.no_children(node);
        let example = "param \"speed\" 4.0";
        let key = self.argument(&inner, 0, "a name", example)?;
        let name = self.name(key, "the parameter's name")?;
        let entry = self.argument(&inner, 1, "a value", example)?;
        if let KdlValue::String(text) = key.value()
            && !seen.insert(text)
        {
            let message = format!("parameter {} is given twice", quoted(&name));
            self.wrong(bytes(key), Code::GivenTwice.says(message), None);
            return None;
        }
        Some((name, entry))
    }
}

/// A name in quotes, as help shows it.
pub(super) fn literal(name: &str) -> String {
    let inner = quoted(name);
    format!("\"{}\"", inner.trim_matches('`'))
}
