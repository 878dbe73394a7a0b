//! Scripts of nodes: conditions that guard them, and assignments.

use pleach_tree::{Expr, NodeKind};

use super::{Making, Mapper, plain};
use crate::btcpp::lower::{Effect, Lower, not};
use crate::btcpp::plan::{Node, Role};
use crate::btcpp::script::{Comparison, Statement, Term, TermKind};
use crate::btcpp::xml::Attribute;
use crate::diagnostic::{Code, Diagnostic, quoted, visible};
use crate::draft::{Item, ItemKind, ItemPlace};

impl<'a> Mapper<'_, 'a> {
    /// A script that is one truth value.
    pub(super) fn test(
        &mut self,
        making: &Making<'_>,
        node: &Node,
        attribute: &Attribute,
        statements: &[Statement],
    ) -> Option<(Expr, ItemPlace)> {
        let span = attribute.value_span.clone();
        let term = match statements {
            [Statement::Term(term)] => term,
            [] => {
                let message = format!("{} has no condition", quoted(&attribute.name));
                self.wrong(
                    making,
                    span,
                    Code::ScriptMeaning.says(message),
                    "write one, or remove the attribute",
                );
                return None;
            }
            _ => {
                let message = format!(
                    "{} is more than a condition: it assigns, or has several statements",
                    quoted(&attribute.name)
                );
                let help = "compute in a `<Script>` in front, and let the condition only look";
                self.wrong(making, span, Code::ScriptMeaning.says(message), help);
                return None;
            }
        };
        let lowered = Lower::new(self.names, making.tree).truth(term);
        match lowered {
            Ok(test) => {
                let place = self.expr_place(making, node, attribute, &test)?;
                Some((test, place))
            }
            Err(refusal) => {
                self.refused(making, attribute, refusal);
                None
            }
        }
    }

    /// The assignments of a script, in order; `None` where one of them is refused.
    pub(super) fn effects(
        &mut self,
        making: &Making<'_>,
        attribute: &Attribute,
        statements: &[Statement],
    ) -> Option<Vec<Effect>> {
        let mut effects = Vec::new();
        let mut whole = true;
        for statement in statements {
            let lowered = Lower::new(self.names, making.tree).statement(statement);
            match lowered {
                Ok(Some(effect)) => effects.push(effect),
                Ok(None) => {
                    if let Statement::Term(term) = statement {
                        self.computes(making, attribute, term);
                    }
                }
                Err(refusal) => {
                    self.refused(making, attribute, refusal);
                    whole = false;
                }
            }
        }
        whole.then_some(effects)
    }

    /// Tells of a statement that assigns nothing, where only assignments do something.
    fn computes(&mut self, making: &Making<'_>, attribute: &Attribute, term: &Term) {
        let span = attribute.within(&term.span);
        let TermKind::Compare(chain, operands) = &term.kind else {
            let text = "this computes a value that nothing keeps, and is not kept here\nto assign, write `:=` or `=`";
            self.note(making, span, Code::NotKept, text);
            return;
        };
        let message = "this compares, and nothing looks at the answer: it is not kept";
        let help = match (chain.as_slice(), operands.first().map(|left| &left.kind)) {
            ([Comparison::Eq], Some(TermKind::Name(name))) => {
                let name = visible(name);
                format!("`==` compares; to assign, write `{name} := …` or `{name} = …`")
            }
            _ => {
                "a script assigns here; tests stand in a `ScriptCondition`, `_skipIf` and the like"
                    .to_owned()
            }
        };
        let message = Code::ComparisonInScript.says(message);
        let warning = Diagnostic::new(&making.plan.source, span, message);
        self.notes.tell(warning.with_help(help));
    }

    /// Pushes the items of an effect; gives their index.
    pub(super) fn effect(
        &mut self,
        making: &mut Making<'a>,
        node: &Node,
        attribute: &Attribute,
        effect: &Effect,
    ) -> usize {
        let place = ItemPlace {
            keyword: node.span.clone(),
            ..ItemPlace::default()
        };
        let index = making.items.len();
        match effect {
            Effect::Set { column, value } => {
                let place = self
                    .expr_place(making, node, attribute, value)
                    .unwrap_or(place);
                let kind = NodeKind::Set {
                    column: column.clone(),
                    value: value.clone(),
                };
                making.items.push(Item::new(ItemKind::Node(kind), place));
            }
            Effect::Choose(test, then, other) => {
                let kind = ItemKind::Node(NodeKind::IfThenElse);
                making.items.push(Item::new(kind, place.clone()));
                let at = making.items.len();
                let place = self
                    .expr_place(making, node, attribute, test)
                    .unwrap_or(place);
                let kind = ItemKind::Node(NodeKind::Condition(test.clone()));
                making.items.push(Item::new(kind, place));
                making.items[index].children.push(at);
                for branch in [then, other] {
                    let at = self.all_effects(making, node, attribute, branch);
                    making.items[index].children.push(at);
                }
            }
        }
        index
    }

    /// Pushes the items of several effects, as one.
    pub(super) fn all_effects(
        &mut self,
        making: &mut Making<'a>,
        node: &Node,
        attribute: &Attribute,
        effects: &[Effect],
    ) -> usize {
        let place = ItemPlace {
            keyword: node.span.clone(),
            ..ItemPlace::default()
        };
        match effects {
            [one] => self.effect(making, node, attribute, one),
            [] => plain(making, NodeKind::Succeed, place),
            several => {
                let index = plain(making, NodeKind::Sequence, place);
                for one in several {
                    let child = self.effect(making, node, attribute, one);
                    making.items[index].children.push(child);
                }
                index
            }
        }
    }
}

/// The guard that a condition of a node is.
pub(super) fn guard(role: Role, test: Expr) -> Option<NodeKind> {
    match role {
        Role::FailureIf => Some(NodeKind::When(not(test))),
        Role::SuccessIf => Some(NodeKind::SuccessIf(test)),
        Role::SkipIf => Some(NodeKind::SkipIf(test)),
        Role::While => Some(NodeKind::SkipUnless(test)),
        Role::Code | Role::OnSuccess | Role::OnFailure | Role::OnHalted | Role::Post => None,
    }
}
