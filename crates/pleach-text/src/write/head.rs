//! What is written of a node beside its children, the same for all formats.
//!
//! A format has its own way to write an [`Operand`]; which ones a node has, and what they are
//! called, stands here.

use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Duration;

use kdl::KdlValue;
use pleach_shape::Op;
use pleach_tree::{Compound, Expr, ExprKind, NodeKind, ParameterValue, Threshold, Value};

use super::seconds;
use crate::constant::{Constant, ConstantValue};
use crate::draft::{Draft, Group, Item, ItemKind, Meta, Part};
use crate::keyword::{Keyword, SUBTREE};
use crate::read::Guard;
use crate::usage::{GivenValue, Mapping, Usage};
use crate::value::entry_text;

/// A value that is written.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Operand<'a> {
    Text(Cow<'a, str>),
    Bool(bool),
    /// A number whose type its place says, as it is written.
    Number(String),
    /// A constant that says its type where another one would be taken for it.
    Constant(Value),
    /// A number with the type that stands before it, as it is written.
    Typed(&'a str, String),
    /// A name, and what it is one of: `column`, `world`, `from` or `param`.
    Name(&'static str, &'a str),
}

/// A node without its children.
pub(crate) struct Head<'a> {
    pub(crate) word: &'static str,
    pub(crate) name: Option<&'a str>,
    /// What stands behind the word, in order, each with what it is called.
    pub(crate) arguments: Vec<(&'static str, Operand<'a>)>,
    pub(crate) properties: Vec<(&'static str, Operand<'a>)>,
    /// Guards around the node, the outermost first.
    pub(crate) guards: Vec<(&'static str, Operand<'a>)>,
    pub(crate) params: Vec<(&'a str, Operand<'a>)>,
    pub(crate) maps: &'a [Mapping],
    pub(crate) meta: &'a [Meta],
    pub(crate) comments: &'a [String],
    /// The node's item; its children are the node's.
    pub(crate) item: &'a Item,
}

/// The heads of a draft's nodes.
pub(crate) struct Heads<'a> {
    draft: &'a Draft,
    groups: HashMap<&'a str, Group>,
    /// Whether guards that are properties are told with the nodes below them.
    gathers: bool,
}

impl<'a> Heads<'a> {
    pub(crate) fn new(draft: &'a Draft) -> Heads<'a> {
        let declared = draft.declared.iter();
        Heads {
            draft,
            groups: declared.map(|one| (one.name.as_str(), one.group)).collect(),
            gathers: true,
        }
    }

    /// The same, with guards as nodes of their own.
    pub(crate) fn apart(draft: &'a Draft) -> Heads<'a> {
        Heads {
            gathers: false,
            ..Heads::new(draft)
        }
    }

    /// The head of an item's node. Of a guard that is a property, it is that of the node below.
    pub(crate) fn head(&self, index: usize) -> Option<Head<'a>> {
        let (guards, index) = self.guards(index);
        let item = self.draft.items.get(index)?;
        let mut head = Head {
            word: SUBTREE,
            name: item.name.as_deref(),
            arguments: Vec::new(),
            properties: Vec::new(),
            guards,
            params: Vec::new(),
            maps: &[],
            meta: &item.meta,
            comments: &item.comments,
            item,
        };
        match &item.kind {
            ItemKind::Subtree(usage) => self.subtree(usage, &mut head),
            ItemKind::Node(kind) => self.node(kind, item, &mut head),
        }
        Some(head)
    }

    /// The guards that an item and those below it are, and the node that they guard. Guards that
    /// properties would bring into another order are nodes of their own.
    fn guards(&self, index: usize) -> (Vec<(&'static str, Operand<'a>)>, usize) {
        if !self.gathers {
            return (Vec::new(), index);
        }
        let mut guards = Vec::new();
        let mut at = index;
        let mut order = Guard::ALL.into_iter();
        while let Some(item) = self.draft.items.get(at)
            && item.guard
            && let ItemKind::Node(kind) = &item.kind
            && let Some(guard) = kind.op().and_then(Guard::of)
            && let Some(test) = test(kind)
            && let [child] = item.children.as_slice()
        {
            if !order.any(|next| next == guard) {
                return (Vec::new(), index);
            }
            guards.push((guard.keyword(), Operand::Text(test.to_string().into())));
            at = *child;
        }
        let own = self.draft.items.get(at);
        let own = own.and_then(|item| match &item.kind {
            ItemKind::Node(kind) => kind.op().and_then(Guard::of),
            ItemKind::Subtree(_) => None,
        });
        match own {
            Some(own) if guards.iter().any(|&(word, _)| word == own.keyword()) => {
                (Vec::new(), index)
            }
            _ => (guards, at),
        }
    }

    fn subtree(&self, usage: &'a Usage, head: &mut Head<'a>) {
        head.arguments = vec![("tree", Operand::Text(usage.tree.as_str().into()))];
        head.maps = &usage.maps;
        let given = usage.given.iter().filter_map(|given| {
            let value = match &given.value {
                GivenValue::Own(at) => Operand::Name("param", &self.draft.params.get(*at)?.name),
                GivenValue::Entry(entry) => {
                    let number = || plain_number(&entry_text(entry).unwrap_or_default());
                    match (entry.ty().map(|ty| ty.value()), entry.value()) {
                        (_, KdlValue::String(text)) => Operand::Text(text.as_str().into()),
                        (_, KdlValue::Bool(value)) => Operand::Bool(*value),
                        (_, KdlValue::Null) => return None,
                        (Some(ty), _) => Operand::Typed(ty, number()),
                        (None, KdlValue::Integer(value)) => Operand::Number(value.to_string()),
                        (None, KdlValue::Float(_)) => Operand::Number(number()),
                    }
                }
            };
            Some((given.name.as_str(), value))
        });
        head.params = given.collect();
    }

    fn node(&self, kind: &'a NodeKind, item: &'a Item, head: &mut Head<'a>) {
        head.word = kind.keyword();
        match kind {
            NodeKind::Condition(test)
            | NodeKind::When(test)
            | NodeKind::While(test)
            | NodeKind::DoneWhen(test)
            | NodeKind::AbortWhen(test)
            | NodeKind::SkipIf(test)
            | NodeKind::SuccessIf(test)
            | NodeKind::SkipUnless(test) => {
                head.arguments
                    .push(("test", Operand::Text(test.to_string().into())));
            }
            NodeKind::Set { column, value }
            | NodeKind::OnSuccess { column, value }
            | NodeKind::OnFailure { column, value }
            | NodeKind::OnFinish { column, value }
            | NodeKind::OnHalted { column, value } => {
                head.arguments
                    .push(("column", Operand::Text(column.as_str().into())));
                head.arguments.push(("value", plain_value(value)));
            }
            NodeKind::Wait(time)
            | NodeKind::Cooldown(time)
            | NodeKind::Timeout(time)
            | NodeKind::Delay(time)
            | NodeKind::RateController(time) => {
                let time = self
                    .hole(item, Part::Time)
                    .unwrap_or_else(|| of_time(*time));
                head.arguments.push(("seconds", time));
            }
            NodeKind::WaitBetween { min, max } => {
                let min = self.hole(item, Part::Time).unwrap_or_else(|| of_time(*min));
                let max = self
                    .hole(item, Part::Longest)
                    .unwrap_or_else(|| of_time(*max));
                head.arguments.extend([("seconds", min), ("longest", max)]);
            }
            NodeKind::Query(call)
            | NodeKind::Action(call)
            | NodeKind::PersistentAction(call)
            | NodeKind::Task(call) => {
                head.arguments
                    .push(("call", Operand::Text(call.name.as_str().into())));
                let params = call.params.iter().enumerate();
                let params = params.map(|(at, param)| {
                    let value = self
                        .hole(item, Part::Param(at))
                        .unwrap_or_else(|| self.parameter(item, at, &param.value));
                    (param.name.as_str(), value)
                });
                head.params = params.collect();
            }
            NodeKind::Recovery { retries } => {
                let retries = Operand::Number(retries.to_string());
                head.arguments.push(("retries", retries));
            }
            NodeKind::Switch { on, .. } => {
                head.arguments
                    .push(("on", Operand::Text(on.as_str().into())));
            }
            NodeKind::Repeat {
                times,
                break_on_failure,
            } => {
                head.arguments.extend(self.times(item, *times));
                if !break_on_failure {
                    head.properties
                        .push(("break-on-failure", Operand::Bool(false)));
                }
            }
            NodeKind::RepeatUntilFailure { max } | NodeKind::RepeatUntilSuccess { max } => {
                head.arguments.extend(self.times(item, *max));
            }
            NodeKind::Parallel { success, failure } => {
                let thresholds = [
                    ("success", Part::Success, *success, Threshold::All),
                    ("failure", Part::Failure, *failure, Threshold::Count(1)),
                ];
                for (name, part, threshold, usual) in thresholds {
                    let value = self.hole(item, part).or_else(|| match threshold {
                        threshold if threshold == usual => None,
                        Threshold::All => Some(Operand::Text("all".into())),
                        Threshold::Count(count) => Some(Operand::Number(count.to_string())),
                    });
                    head.properties.extend(value.map(|value| (name, value)));
                }
            }
            NodeKind::Sequence
            | NodeKind::Selector
            | NodeKind::ReactiveSequence
            | NodeKind::ReactiveSelector
            | NodeKind::Concurrent
            | NodeKind::RandomSequence
            | NodeKind::RandomSelector
            | NodeKind::IfThenElse
            | NodeKind::WhileDoElse
            | NodeKind::RunOnce
            | NodeKind::KeepSequence
            | NodeKind::RunOnceThenSkip
            | NodeKind::PipelineSequence
            | NodeKind::RoundRobin
            | NodeKind::Invert
            | NodeKind::Succeeder
            | NodeKind::Failer
            | NodeKind::Succeed
            | NodeKind::Fail
            | NodeKind::Idle => {}
        }
    }

    /// The parameter that gives a part of a node.
    fn hole(&self, item: &Item, part: Part) -> Option<Operand<'a>> {
        let hole = item.place.holes.iter().find(|hole| hole.part == part)?;
        let param = self.draft.params.get(hole.param)?;
        Some(Operand::Name("param", &param.name))
    }

    fn times(&self, item: &Item, limit: Option<u32>) -> Option<(&'static str, Operand<'a>)> {
        let number = || limit.map(|limit| Operand::Number(limit.to_string()));
        let value = self.hole(item, Part::Times).or_else(number)?;
        Some(("times", value))
    }

    fn parameter(&self, item: &Item, at: usize, value: &'a ParameterValue) -> Operand<'a> {
        match value {
            ParameterValue::Const(value) => Operand::Constant(*value),
            ParameterValue::Text(text) => Operand::Text(text.as_str().into()),
            ParameterValue::Name(name) => {
                let said = item.place.params.get(at).map(|place| place.group);
                let group = said.unwrap_or_else(|| self.groups.get(name.as_str()).copied());
                let is = match group {
                    Some(Group::Column) => "column",
                    Some(Group::World) => "world",
                    None => "from",
                };
                Operand::Name(is, name)
            }
        }
    }
}

/// What the arguments of a node are called, in their order, where its name is none of them.
pub(crate) const fn argument_names(of: Keyword) -> &'static [&'static str] {
    match of {
        Keyword::Subtree => &["tree"],
        Keyword::Node(op) => match op {
            Op::Condition | Op::When | Op::While | Op::DoneWhen | Op::AbortWhen => &["test"],
            Op::Query | Op::Action | Op::PersistentAction | Op::Task => &["call"],
            Op::Set => &["column", "value"],
            Op::Wait => &["seconds", "longest"],
            Op::Cooldown | Op::Timeout | Op::Delay => &["seconds"],
            Op::Switch => &["on"],
            Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess => &["times"],
            _ => &[],
        },
        Keyword::Compound(compound) => match compound {
            Compound::SkipIf | Compound::SuccessIf | Compound::SkipUnless => &["test"],
            Compound::OnSuccess | Compound::OnFailure | Compound::OnFinish | Compound::OnHalted => {
                &["column", "value"]
            }
            Compound::Recovery => &["retries"],
            Compound::RateController => &["seconds"],
            Compound::KeepSequence
            | Compound::RunOnceThenSkip
            | Compound::PipelineSequence
            | Compound::RoundRobin => &[],
        },
    }
}

/// Whether an argument may be left out.
pub(crate) fn may_miss(argument: &str) -> bool {
    matches!(argument, "times" | "longest")
}

/// The properties of a node beside those that all nodes have.
pub(crate) const fn property_names(of: Option<Keyword>) -> &'static [&'static str] {
    match of {
        Some(Keyword::Node(Op::Parallel)) => &["success", "failure"],
        Some(Keyword::Node(Op::Repeat)) => &["break-on-failure"],
        Some(Keyword::Node(Op::Sequence)) => &["keep"],
        Some(Keyword::Node(Op::RunOnce)) => &["then-skip"],
        _ => &[],
    }
}

/// A guard's expression.
fn test(kind: &NodeKind) -> Option<&Expr> {
    match kind {
        NodeKind::When(test)
        | NodeKind::While(test)
        | NodeKind::DoneWhen(test)
        | NodeKind::AbortWhen(test) => Some(test),
        _ => None,
    }
}

fn of_time<'a>(time: Duration) -> Operand<'a> {
    let mut text = String::new();
    seconds(time, &mut text);
    Operand::Number(text)
}

/// An expression that is one number or truth value, without quotes; any other one as a text.
fn plain_value<'a>(value: &Expr) -> Operand<'a> {
    match value.kind {
        ExprKind::Bool(value) => Operand::Bool(value),
        ExprKind::Int(value) if i64::try_from(value).is_ok() => Operand::Number(value.to_string()),
        ExprKind::Float(value) if value.is_finite() => Operand::Number(format!("{value:?}")),
        _ => Operand::Text(value.to_string().into()),
    }
}

/// A parameter's default, as it was written.
pub(crate) fn default(constant: &Constant) -> Operand<'_> {
    match (&constant.value, &constant.written) {
        (ConstantValue::Text(text), _) => Operand::Text(text.as_str().into()),
        (ConstantValue::Value(Value::Bool(value)), _) => Operand::Bool(*value),
        (ConstantValue::Value(_), Some(written)) => Operand::Number(plain_number(written)),
        (ConstantValue::Value(value), None) => Operand::Number(value.to_string()),
    }
}

/// A number as all formats can write it: without `_`, without zeros or a `+` in front, in tens.
fn plain_number(written: &str) -> String {
    let text = written.replace('_', "");
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(&text)),
    };
    let lower = digits.to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        let value = lower.strip_prefix(prefix);
        if let Some(value) = value.and_then(|digits| u128::from_str_radix(digits, radix).ok()) {
            return format!("{sign}{value}");
        }
    }
    let trimmed = digits.trim_start_matches('0');
    let zero = match trimmed.starts_with(|c: char| c.is_ascii_digit()) {
        true => "",
        false => "0",
    };
    format!("{sign}{zero}{trimmed}")
}

#[cfg(test)]
mod tests {
    use super::plain_number;

    #[test]
    fn numbers_are_written_in_one_way() {
        for (written, plain) in [
            ("1_000.5", "1000.5"),
            ("+007", "7"),
            ("-0.10", "-0.10"),
            ("0", "0"),
            ("000", "0"),
            ("00.5e3", "0.5e3"),
            ("-0xFF", "-255"),
            ("0b1_1", "3"),
        ] {
            assert_eq!(plain_number(written), plain, "{written}");
        }
    }
}
