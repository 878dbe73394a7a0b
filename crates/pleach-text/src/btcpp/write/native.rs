//! What BehaviorTree.CPP itself has for a node.

use std::collections::HashMap;
use std::time::Duration;

use pleach_tree::{CaseValue, NodeKind, Threshold, ValueType, is_identifier};

use super::ports::{ports_of, subtree};
use super::script::{assigned, failing, script};
use super::{MANY, Whole, is_xml_text};
use crate::btcpp::fact::{is_label, label_of};
use crate::btcpp::map::{MAX_PERIOD, MAX_TIME};
use crate::btcpp::meaning::{Children, Meaning, meaning};
use crate::btcpp::model::Role;
use crate::btcpp::plan::AT_ONCE;
use crate::constant::ParamType;
use crate::draft::{Draft, Item, ItemKind, Part};
use crate::read::MAX_EXPR_BYTES;

/// How scripts see a column, world value or parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Type {
    Bool,
    Int,
    Float,
    Enum,
}

/// The names of a draft.
pub(super) struct Types<'a> {
    names: HashMap<&'a str, Type>,
    /// Labels as expressions write them: whose they are, and what they are called.
    labels: HashMap<String, (&'a str, &'a str)>,
}

impl<'a> Types<'a> {
    pub(super) fn get(&self, name: &str) -> Option<Type> {
        self.names.get(name).copied()
    }

    pub(super) fn label(&self, name: &str) -> Option<(&'a str, &'a str)> {
        self.labels.get(name).copied()
    }
}

/// The names of a draft that scripts can have, by type.
pub(super) fn types_of(draft: &Draft) -> Types<'_> {
    let of = |ty: ValueType| match ty {
        ValueType::Bool => Some(Type::Bool),
        ValueType::U8 | ValueType::U16 | ValueType::I32 => Some(Type::Int),
        ValueType::F32 => Some(Type::Float),
        // Wider than what scripts compute with here.
        ValueType::U64 => None,
    };
    let mut types = Types {
        names: HashMap::new(),
        labels: HashMap::new(),
    };
    let declared = draft.declared.iter();
    for one in declared.filter(|one| is_identifier(&one.name)) {
        let ty = match one.labels.is_empty() {
            true => of(one.default.ty()),
            false => Some(Type::Enum),
        };
        types.names.extend(ty.map(|ty| (one.name.as_str(), ty)));
        for (at, label) in one.labels.iter().enumerate() {
            if !is_label(label) {
                continue;
            }
            // The text that it is there, if that is read back as this label.
            let text = one.texts.get(at).filter(|text| {
                label_of(text) == *label
                    && is_xml_text(text)
                    && !text.contains(['\'', '"', '{', '\\'])
                    && !one.labels.contains(text)
            });
            let full = format!("{}.{label}", one.name);
            types
                .labels
                .insert(full, (&one.name, text.unwrap_or(label)));
        }
    }
    for param in &draft.params {
        if let ParamType::Value(ty) = param.ty {
            types
                .names
                .extend(of(ty).map(|ty| (param.name.as_str(), ty)));
        }
    }
    types
}

/// A node as BehaviorTree.CPP has it.
pub(super) struct Native {
    pub(super) tag: String,
    /// What it is called if nobody names it.
    pub(super) called: String,
    pub(super) attributes: Vec<(String, String)>,
    /// Whether the attributes say all there is to say.
    pub(super) exact: bool,
    /// Whether it may say in KDL what it is, beside its ports.
    pub(super) may_say_more: bool,
}

/// The conditions and effects above a node that are its attributes, and the item of the node itself.
pub(super) fn chain(
    draft: &Draft,
    types: &Types<'_>,
    index: usize,
) -> (Vec<(String, String)>, usize) {
    let mut found: Vec<(&'static str, String)> = Vec::new();
    let mut at = index;
    let mut stage = 0;
    while let Some(item) = draft.items.get(at) {
        let bare = item.name.is_none() && item.comments.is_empty() && item.meta.is_empty();
        let (ItemKind::Node(kind), &[child], true) = (&item.kind, item.children.as_slice(), bare)
        else {
            break;
        };
        if item.place.expr_reads {
            break;
        }
        let next = match kind {
            NodeKind::OnFinish { column, value } => {
                Some((0, "_post", assigned(column, value, types)))
            }
            NodeKind::OnFailure { column, value } => {
                Some((1, "_onFailure", assigned(column, value, types)))
            }
            NodeKind::OnSuccess { column, value } => {
                Some((2, "_onSuccess", assigned(column, value, types)))
            }
            NodeKind::When(test) => Some((3, "_failureIf", failing(test, types))),
            NodeKind::SuccessIf(test) => Some((4, "_successIf", script(test, types))),
            NodeKind::SkipIf(test) => Some((5, "_skipIf", script(test, types))),
            NodeKind::SkipUnless(test) => Some((6, "_while", script(test, types))),
            NodeKind::OnHalted { column, value } => {
                Some((7, "_onHalted", assigned(column, value, types)))
            }
            _ => None,
        };
        let Some((number, name, Some(text))) = next else {
            break;
        };
        // One script of a node has a limit.
        if found.iter().map(|(_, text)| text.len()).sum::<usize>() + text.len() > MAX_EXPR_BYTES / 2
        {
            break;
        }
        let repeats =
            found.last().is_some_and(|(last, _)| *last == name) && (number < 3 || number == 7);
        if repeats && let Some((_, before)) = found.last_mut() {
            // The outer one of two effects is the later one.
            *before = format!("{text}; {before}");
        } else if found.is_empty() || number > stage {
            found.push((name, text));
        } else {
            break;
        }
        stage = number;
        at = child;
    }
    let attributes = found.into_iter();
    let attributes = attributes.map(|(name, text)| (name.to_owned(), text));
    (attributes.collect(), at)
}

/// The element of an item, if BehaviorTree.CPP has one.
pub(super) fn native(
    draft: &Draft,
    whole: &Whole<'_>,
    types: &Types<'_>,
    item: &Item,
) -> Option<Native> {
    let kind = match &item.kind {
        ItemKind::Node(kind) => kind,
        ItemKind::Subtree(usage) => {
            let many = usage.given.len() + usage.maps.len() > MANY;
            let named = !many && can_be_id(&usage.tree);
            return named.then(|| subtree(draft, usage));
        }
    };
    if item.place.expr_reads {
        return None;
    }
    let mut attributes: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: String| attributes.push((name.to_owned(), value));
    let hole = |part: Part| {
        let hole = item.place.holes.iter().find(|hole| hole.part == part)?;
        Some(format!("{{{}}}", draft.params.get(hole.param)?.name))
    };
    let children = item.children.len();
    let tag = match kind {
        NodeKind::Sequence => "Sequence",
        NodeKind::Selector => "Fallback",
        NodeKind::ReactiveSequence => "ReactiveSequence",
        NodeKind::ReactiveSelector => "ReactiveFallback",
        NodeKind::KeepSequence => "SequenceWithMemory",
        NodeKind::IfThenElse => "IfThenElse",
        NodeKind::WhileDoElse => "WhileDoElse",
        NodeKind::PipelineSequence => "PipelineSequence",
        NodeKind::RoundRobin => "RoundRobin",
        NodeKind::Invert => "Inverter",
        NodeKind::Succeeder => "ForceSuccess",
        NodeKind::Failer => "ForceFailure",
        NodeKind::Succeed => "AlwaysSuccess",
        NodeKind::Fail => "AlwaysFailure",
        NodeKind::RunOnceThenSkip => "RunOnce",
        NodeKind::RunOnce => {
            add("then_skip", "false".to_owned());
            "RunOnce"
        }
        NodeKind::Recovery { retries } => {
            add("number_of_retries", retries.to_string());
            "RecoveryNode"
        }
        NodeKind::Parallel { success, failure } => {
            for (name, part, threshold) in [
                ("success_count", Part::Success, success),
                ("failure_count", Part::Failure, failure),
            ] {
                let text = hole(part).or(match threshold {
                    Threshold::All => Some("-1".to_owned()),
                    Threshold::Count(count) if (1..=children as u32).contains(count) => {
                        Some(count.to_string())
                    }
                    Threshold::Count(_) => None,
                })?;
                add(name, text);
            }
            "Parallel"
        }
        NodeKind::Repeat {
            times,
            break_on_failure: true,
        } => {
            add("num_cycles", times_of(*times, hole(Part::Times))?);
            "Repeat"
        }
        NodeKind::RepeatUntilSuccess { max } => {
            add("num_attempts", times_of(*max, hole(Part::Times))?);
            "RetryUntilSuccessful"
        }
        NodeKind::RepeatUntilFailure { max: None } if item.place.holes.is_empty() => {
            "KeepRunningUntilFailure"
        }
        NodeKind::Timeout(time) if *time > Duration::ZERO => {
            add("msec", milliseconds(item, *time)?);
            "Timeout"
        }
        NodeKind::Delay(time) => {
            add("delay_msec", milliseconds(item, *time)?);
            "Delay"
        }
        NodeKind::Wait(time) => {
            add("msec", milliseconds(item, *time)?);
            "Sleep"
        }
        NodeKind::RateController(time) => {
            add("hz", hertz(*time)?);
            "RateController"
        }
        NodeKind::Condition(test) => {
            add("code", script(test, types)?);
            "ScriptCondition"
        }
        NodeKind::Set { column, value } => {
            add("code", assigned(column, value, types)?);
            "Script"
        }
        NodeKind::Switch { on, cases } => {
            let (last, rest) = cases.split_last()?;
            if last.is_some() || !(2..=6).contains(&rest.len()) || children != cases.len() {
                return None;
            }
            let ty = types.get(on)?;
            add("variable", format!("{{{on}}}"));
            for (number, case) in (1..).zip(rest) {
                let text = match (case.as_ref()?, ty) {
                    (CaseValue::Bool(value), Type::Bool) => value.to_string(),
                    (CaseValue::Int(value), Type::Int) => value.to_string(),
                    (CaseValue::Label(label), Type::Enum) => {
                        types.label(&format!("{on}.{label}"))?.1.to_owned()
                    }
                    _ => return None,
                };
                add(&format!("case_{number}"), text);
            }
            ["Switch2", "Switch3", "Switch4", "Switch5", "Switch6"][rest.len() - 2]
        }
        NodeKind::Action(call) | NodeKind::Task(call) | NodeKind::Query(call) => {
            let is_task = matches!(kind, NodeKind::Task(_));
            let is_query = matches!(kind, NodeKind::Query(_));
            let many = call.params.len() > MANY;
            // A condition that is known by itself, such as Nav2's, may be either.
            let known = meaning(&call.name);
            let other = known.is_some_and(|known| !matches!(known, Meaning::Query | Meaning::Task));
            let twofold = is_query && whole.twofold.contains(call.name.as_str());
            // What models say counts more than the word in the tree.
            let role = whole.models.role(&call.name);
            let unlike = role.is_some_and(|role| {
                role != if is_query {
                    Role::Condition
                } else {
                    Role::Action
                }
            });
            // What is read as ours if a port of it is called `kdl`.
            let ours = call.name.starts_with("Pleach");
            let set = is_task && known == Some(Meaning::SetBlackboard);
            if many || twofold || unlike || ours || (other && !set) || !can_be_id(&call.name) {
                return None;
            }
            add("ID", call.name.clone());
            let (ports, exact) = ports_of(draft, Some(whole), item, call);
            attributes.extend(ports);
            match (kind, known == Some(Meaning::Task)) {
                (NodeKind::Action(_), true) => attributes.push((AT_ONCE.into(), "false".into())),
                (NodeKind::Task(_), false) if !set => {
                    attributes.push((AT_ONCE.into(), "true".into()))
                }
                _ => {}
            }
            let tag = if is_query { "Condition" } else { "Action" };
            return Some(Native {
                tag: tag.to_owned(),
                called: call.name.clone(),
                attributes,
                // What a SetBlackboard is depends on all that is said of its entry.
                exact: exact && !set,
                may_say_more: true,
            });
        }
        NodeKind::Concurrent
        | NodeKind::RandomSequence
        | NodeKind::RandomSelector
        | NodeKind::Repeat { .. }
        | NodeKind::RepeatUntilFailure { .. }
        | NodeKind::Timeout(_)
        | NodeKind::Cooldown(_)
        | NodeKind::When(_)
        | NodeKind::While(_)
        | NodeKind::DoneWhen(_)
        | NodeKind::AbortWhen(_)
        | NodeKind::SkipIf(_)
        | NodeKind::SuccessIf(_)
        | NodeKind::SkipUnless(_)
        | NodeKind::OnSuccess { .. }
        | NodeKind::OnFailure { .. }
        | NodeKind::OnFinish { .. }
        | NodeKind::OnHalted { .. }
        | NodeKind::PersistentAction(_)
        | NodeKind::WaitBetween { .. }
        | NodeKind::Idle => return None,
    };
    let takes = match meaning(tag)?.children() {
        Children::None => children == 0,
        Children::One => children == 1,
        Children::Some => children > 0,
        Children::Any => true,
    };
    takes.then(|| Native {
        tag: tag.to_owned(),
        called: tag.to_owned(),
        attributes,
        exact: true,
        may_say_more: false,
    })
}

/// Whether XML can have a name of an action or tree as an attribute.
fn can_be_id(name: &str) -> bool {
    !name.is_empty() && is_xml_text(name)
}

fn times_of(times: Option<u32>, hole: Option<String>) -> Option<String> {
    let known = match times {
        // Never is no number of times there.
        Some(0) => None,
        Some(times) => Some(times.to_string()),
        None => Some("-1".to_owned()),
    };
    hole.or(known)
}

/// A time in whole milliseconds.
fn milliseconds(item: &Item, time: Duration) -> Option<String> {
    // A parameter is in seconds.
    if !item.place.holes.is_empty()
        || !time.subsec_nanos().is_multiple_of(1_000_000)
        || time > MAX_TIME
    {
        return None;
    }
    Some(time.as_millis().to_string())
}

/// The frequency of a period, if it says it exactly.
fn hertz(period: Duration) -> Option<String> {
    if period.is_zero() || period > MAX_PERIOD {
        return None;
    }
    let hertz = 1e9 / period.as_nanos() as f64;
    let back = (1e9 / hertz).round();
    (back as u128 == period.as_nanos()).then(|| hertz.to_string())
}
