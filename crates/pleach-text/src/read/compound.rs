//! Compound nodes: those that become several when compiled.

use kdl::{KdlEntry, KdlValue};
use pleach_tree::{Compound, Expr, NodeKind};

use super::{Entries, Reader};
use crate::diagnostic::Code;
use crate::draft::{ItemPlace, Part};
use crate::value::value_span;

impl Reader<'_> {
    /// What a compound node does, and the argument that names it.
    pub(super) fn compound<'n>(
        &mut self,
        compound: Compound,
        entries: &mut Entries<'n>,
        place: &mut ItemPlace,
    ) -> (Option<NodeKind>, Option<&'n KdlEntry>) {
        let plain = match compound {
            Compound::KeepSequence => NodeKind::KeepSequence,
            Compound::RunOnceThenSkip => NodeKind::RunOnceThenSkip,
            Compound::PipelineSequence => NodeKind::PipelineSequence,
            Compound::RoundRobin => NodeKind::RoundRobin,
            Compound::SkipIf
            | Compound::SuccessIf
            | Compound::SkipUnless
            | Compound::OnSuccess
            | Compound::OnFailure
            | Compound::OnFinish
            | Compound::OnHalted
            | Compound::Recovery
            | Compound::RateController => {
                return (self.with_operand(compound, entries, place), None);
            }
        };
        self.no_more(entries, 1, &["name"]);
        (Some(plain), entries.arguments.first().copied())
    }

    fn with_operand(
        &mut self,
        compound: Compound,
        entries: &mut Entries<'_>,
        place: &mut ItemPlace,
    ) -> Option<NodeKind> {
        let keyword = compound.keyword();
        match compound {
            Compound::SkipIf | Compound::SuccessIf | Compound::SkipUnless => {
                self.no_more(entries, 1, &["name"]);
                let example = format!("{keyword} \"health < 0.3\" {{ … }}");
                let entry = self.argument(entries, 0, "an expression", &example)?;
                let test = self.expr(entry, place)?;
                Some(match compound {
                    Compound::SkipIf => NodeKind::SkipIf(test),
                    Compound::SuccessIf => NodeKind::SuccessIf(test),
                    _ => NodeKind::SkipUnless(test),
                })
            }
            Compound::OnSuccess | Compound::OnFailure | Compound::OnFinish | Compound::OnHalted => {
                self.no_more(entries, 2, &["name"]);
                let example = format!("{keyword} \"tried\" \"tried + 1\" {{ … }}");
                let (column, value) = self.written(entries, &example, place)?;
                Some(match compound {
                    Compound::OnSuccess => NodeKind::OnSuccess { column, value },
                    Compound::OnFailure => NodeKind::OnFailure { column, value },
                    Compound::OnFinish => NodeKind::OnFinish { column, value },
                    _ => NodeKind::OnHalted { column, value },
                })
            }
            Compound::Recovery => {
                self.no_more(entries, 1, &["name"]);
                let what = "how often the second child may help";
                let entry = self.argument(entries, 0, what, "recovery 6 { … }")?;
                let retries = match entry.value() {
                    KdlValue::Integer(value) if entry.ty().is_none() => u32::try_from(*value).ok(),
                    _ => None,
                };
                if retries.is_none() {
                    let span = value_span(self.source, entry);
                    let help = "write a whole number from 0 on, such as `recovery 6 { … }`";
                    self.wrong(
                        span,
                        Code::WrongValue.says("this is no number of times"),
                        Some(help),
                    );
                }
                Some(NodeKind::Recovery { retries: retries? })
            }
            _ => {
                self.no_more(entries, 1, &["name"]);
                let example = format!("{keyword} 1.0 {{ … }}");
                let entry = self.argument(entries, 0, "a time in seconds", &example)?;
                let time = self.time(entry, keyword, Part::Time, place)?;
                Some(NodeKind::RateController(time))
            }
        }
    }

    /// A column and the expression that it becomes.
    pub(super) fn written(
        &mut self,
        entries: &Entries<'_>,
        example: &str,
        place: &mut ItemPlace,
    ) -> Option<(String, Expr)> {
        let column = self.argument(entries, 0, "a column and an expression", example)?;
        let column = self.name(column, "a column");
        if let Some(name) = &column
            && let Some(param) = self.param_of(name)
            && let Some(entry) = entries.arguments.first()
        {
            let help = "write a column: what a parameter is, only a use can say";
            let span = value_span(self.source, entry);
            self.wrong_param(param, span, "not a column, and cannot be set", help);
        }
        let what = "an expression behind the column";
        let entry = self.argument(entries, 1, what, example)?;
        let value = self.expr(entry, place);
        Some((column?, value?))
    }
}
