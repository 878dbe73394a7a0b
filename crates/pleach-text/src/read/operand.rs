//! What nodes have besides children: times, counts, thresholds and expressions.

use std::time::Duration;

use kdl::{KdlEntry, KdlValue};
use pleach_tree::{Expr, ExprKind, Threshold, Value, ValueType};

use super::param::Own;
use super::{MAX_EXPR_BYTES, Reader};
use crate::constant::ParamType;
use crate::diagnostic::{Code, bytes};
use crate::draft::{ExprPlace, Hole, ItemPlace, Part};
use crate::inline::MAX_EXPRS_BYTES;
use crate::value::{describe, read_seconds, read_value, value_span};

/// Which numbers of times there are, as a help.
pub(crate) const ALLOWED_TIMES: &str = "allowed are 1 to 4294967295; left out, there is no limit";

impl Reader<'_> {
    /// A time in seconds; one that a parameter gives stands in for it until it is known.
    pub(super) fn time(
        &mut self,
        entry: &KdlEntry,
        keyword: &str,
        part: Part,
        place: &mut ItemPlace,
    ) -> Option<Duration> {
        match self.own(entry, "a time", ParamType::is_number) {
            Own::Other => self.keep(read_seconds(self.source, entry, keyword)),
            Own::Wrong => None,
            Own::Param(param) => {
                place.holes.push(Hole {
                    part,
                    param,
                    span: value_span(self.source, entry),
                });
                Some(Duration::from_secs(1))
            }
        }
    }

    /// How often a loop runs, at most: a number from 1 on, or nothing for no limit.
    pub(super) fn times(
        &mut self,
        entry: Option<&KdlEntry>,
        place: &mut ItemPlace,
    ) -> Option<Option<u32>> {
        let Some(entry) = entry else {
            return Some(None);
        };
        let span = value_span(self.source, entry);
        match self.own(entry, "a number of times", ParamType::is_count) {
            Own::Other => {}
            Own::Wrong => return None,
            Own::Param(param) => {
                let part = Part::Times;
                place.holes.push(Hole { part, param, span });
                return Some(Some(1));
            }
        }
        if let Some(annotation) = entry.ty() {
            let message = "a number of times takes no type annotation";
            self.wrong(bytes(annotation), Code::Annotation.says(message), None);
            return None;
        }
        let message = match entry.value() {
            KdlValue::Integer(value) => match u32::try_from(*value) {
                Ok(times) if times > 0 => return Some(Some(times)),
                _ => Code::OutOfRange.says(format!("{value} is no number of times")),
            },
            KdlValue::String(_) => {
                let help = "a name stands in `name=`; without a number there is no limit";
                let message = format!(
                    "expected a number of times, found {}",
                    describe(entry.value())
                );
                self.wrong(span, Code::WrongValue.says(message), Some(help));
                return None;
            }
            found => Code::WrongValue.says(format!(
                "expected a number of times, found {}",
                describe(found)
            )),
        };
        self.wrong(span, message, Some(ALLOWED_TIMES));
        None
    }

    /// A property that is `#true` or `#false`.
    pub(super) fn truth(&mut self, entry: &KdlEntry) -> Option<bool> {
        match self.keep(read_value(self.source, entry, ValueType::Bool))? {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// An expression: a text, a number or truth value as it is, or a parameter.
    pub(super) fn expr(&mut self, entry: &KdlEntry, place: &mut ItemPlace) -> Option<Expr> {
        let span = value_span(self.source, entry);
        place.expr = Some(ExprPlace {
            span: span.clone(),
            text: None,
        });
        match self.own(entry, "an expression", |ty| ty != ParamType::Text) {
            Own::Other => {}
            Own::Wrong => return None,
            Own::Param(param) => {
                place.expr_reads = true;
                let name = self.params.get(param)?.name.clone();
                return Some(Expr::new(ExprKind::Name(name)));
            }
        }
        if let Some(annotation) = entry.ty() {
            self.wrong(
                bytes(annotation),
                Code::Annotation.says("an expression takes no type annotation"),
                None,
            );
            return None;
        }
        let text = match entry.value() {
            KdlValue::Bool(value) => return Some(Expr::from(*value)),
            KdlValue::Integer(value) => return Some(Expr::new(ExprKind::Int(*value))),
            KdlValue::Float(_) => {
                let value = self.keep(read_value(self.source, entry, ValueType::F32))?;
                let Value::F32(value) = value else {
                    return None;
                };
                return Some(Expr::from(value));
            }
            KdlValue::Null => {
                self.wrong(
                    span,
                    Code::WrongValue.says("expected an expression, found `#null`"),
                    None,
                );
                return None;
            }
            KdlValue::String(text) => text,
        };
        if text.len() > MAX_EXPR_BYTES {
            let message = format!(
                "an expression of {} bytes, allowed are {MAX_EXPR_BYTES}",
                text.len()
            );
            self.wrong(
                span,
                Code::Limit.says(message),
                Some("compute parts with `set` into columns of their own"),
            );
            return None;
        }
        let before = self.reading.expr_bytes;
        self.reading.expr_bytes += text.len();
        place.expr_bytes = text.len();
        if self.reading.expr_bytes > MAX_EXPRS_BYTES {
            // Told once: whatever follows is beyond it too.
            if before <= MAX_EXPRS_BYTES {
                let message = format!(
                    "the expressions up to this one have more than {MAX_EXPRS_BYTES} bytes of text"
                );
                let help = "move trees to files of their own, or compute in the host and `query`";
                self.wrong(span, Code::Limit.says(message), Some(help));
            }
            return None;
        }
        let written = self.source.text().get(span.clone()).unwrap_or("");
        let hashes = written.len() - written.trim_start_matches('#').len();
        let quotes = if written[hashes..].starts_with('"') {
            hashes + 1
        } else {
            0
        };
        // With escapes or several lines the text of the file is another than that of the expression.
        if written.get(quotes..written.len().saturating_sub(quotes)) == Some(text.as_str()) {
            place.expr = Some(ExprPlace {
                span: span.clone(),
                text: Some(span.start + quotes),
            });
        }
        match Expr::parse(text) {
            Ok(expr) => {
                place.expr_reads |= self.reads(&expr, place.expr.as_ref())?;
                Some(expr)
            }
            Err(error) => {
                let span = place
                    .expr
                    .as_ref()
                    .map_or(span, |place| place.within(&error.span));
                let message = Code::of(error.kind).says(error.message);
                self.wrong(span, message, error.help.as_deref());
                None
            }
        }
    }

    pub(super) fn threshold(
        &mut self,
        entry: &KdlEntry,
        part: Part,
        place: &mut ItemPlace,
    ) -> Option<Threshold> {
        let help = Some("write a number of children or \"all\"");
        match self.own(entry, "a number of children", ParamType::is_count) {
            Own::Other => {}
            Own::Wrong => return None,
            Own::Param(param) => {
                let span = value_span(self.source, entry);
                place.holes.push(Hole { part, param, span });
                return Some(Threshold::Count(1));
            }
        }
        match entry.value() {
            KdlValue::String(text) if text == "all" => return Some(Threshold::All),
            KdlValue::Integer(value) => match u32::try_from(*value) {
                Ok(count) => return Some(Threshold::Count(count)),
                Err(_) => self.wrong(
                    bytes(entry),
                    Code::OutOfRange.says(format!("{value} is no number of children")),
                    help,
                ),
            },
            found => {
                let message = format!("expected a number of children, found {}", describe(found));
                self.wrong(bytes(entry), Code::WrongValue.says(message), help);
            }
        }
        None
    }
}
