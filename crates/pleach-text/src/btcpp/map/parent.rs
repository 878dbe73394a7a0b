//! Nodes with children.

use std::time::Duration;

use pleach_tree::{CaseValue, NodeKind, Threshold};

use super::operand::Times;
use super::{Making, Mapper, place_of, plain};
use crate::btcpp::fact::{Entry, Number, place_of_text};
use crate::btcpp::meaning::Meaning;
use crate::btcpp::plan::{Node, PortValue, truth_in};
use crate::diagnostic::{Code, quoted};
use crate::draft::{ItemPlace, Part, add_note};

impl<'a> Mapper<'_, 'a> {
    /// Makes a node with children, and all below; gives its index.
    pub(super) fn parent(&mut self, making: &mut Making<'a>, at: usize) -> usize {
        let plan = making.plan;
        let node = &plan.nodes[at];
        let mut place = place_of(node);
        let mut known: &[&str] = &[];
        let kind = match node.meaning {
            Meaning::KeepSequence => NodeKind::KeepSequence,
            Meaning::ReactiveSequence => NodeKind::ReactiveSequence,
            Meaning::Fallback => NodeKind::Selector,
            Meaning::ReactiveFallback => NodeKind::ReactiveSelector,
            Meaning::IfThenElse => NodeKind::IfThenElse,
            Meaning::WhileDoElse => NodeKind::WhileDoElse,
            Meaning::PipelineSequence => NodeKind::PipelineSequence,
            Meaning::RoundRobin => NodeKind::RoundRobin,
            Meaning::Inverter => NodeKind::Invert,
            Meaning::ForceSuccess => NodeKind::Succeeder,
            Meaning::ForceFailure => NodeKind::Failer,
            Meaning::Parallel => {
                known = &PARALLEL_PORTS;
                self.parallel(making, node, &mut place)
            }
            Meaning::ParallelAll => return self.parallel_all(making, node),
            Meaning::Switch(count) => return self.switch(making, node, count),
            Meaning::Recovery => {
                known = &["number_of_retries"];
                let retries = match node.port("number_of_retries") {
                    // Nav2's own default.
                    None => Some(1),
                    Some(port) => match &port.value {
                        PortValue::Text(text) => match text.trim() {
                            // For ever, but for whoever waits that long.
                            "-1" => Some(u32::MAX),
                            text => text.parse().ok(),
                        },
                        PortValue::Key(_) => None,
                    },
                };
                if retries.is_none() {
                    let message =
                        "the number of retries is no whole number of 0 or more".to_owned();
                    let help = "it is a constant, and -1 is for ever";
                    self.wrong(
                        making,
                        node.span.clone(),
                        Code::PortValue.says(message),
                        help,
                    );
                }
                NodeKind::Recovery {
                    retries: retries.unwrap_or(1),
                }
            }
            Meaning::Repeat => {
                known = &["num_cycles"];
                let text = "Repeat runs one iteration of its child a tick (D2), in BehaviorTree.CPP all within one";
                self.note(making, node.span.clone(), Code::Differs, text);
                match self.times(making, node, "num_cycles", &mut place) {
                    Some(Times::Entry(key)) => return self.counted(making, node, &key, true),
                    times => NodeKind::Repeat {
                        times: count(times),
                        break_on_failure: true,
                    },
                }
            }
            Meaning::Retry => {
                known = &["num_attempts"];
                let text = "RetryUntilSuccessful makes one attempt a tick (D2), in BehaviorTree.CPP all within one";
                self.note(making, node.span.clone(), Code::Differs, text);
                match self.times(making, node, "num_attempts", &mut place) {
                    Some(Times::Entry(key)) => return self.counted(making, node, &key, false),
                    times => NodeKind::RepeatUntilSuccess { max: count(times) },
                }
            }
            Meaning::KeepRunningUntilFailure => NodeKind::RepeatUntilFailure { max: None },
            Meaning::Timeout => {
                known = &["msec"];
                match self.milliseconds(making, node, "msec", &mut place) {
                    Some(Duration::ZERO) => {
                        let text =
                            "a Timeout of 0 is off in BehaviorTree.CPP, and not kept here (D4)";
                        self.note(making, node.span.clone(), Code::Differs, text);
                        // Its child in a place of its own, which has the timeout's name.
                        NodeKind::Sequence
                    }
                    time => NodeKind::Timeout(time.unwrap_or_default()),
                }
            }
            Meaning::Delay => {
                known = &["delay_msec"];
                let time = self.milliseconds(making, node, "delay_msec", &mut place);
                NodeKind::Delay(time.unwrap_or_default())
            }
            Meaning::RateController => {
                known = &["hz"];
                NodeKind::RateController(self.period(making, node).unwrap_or_default())
            }
            Meaning::RunOnce => {
                known = &["then_skip"];
                let skips = match node.port("then_skip").map(|port| &port.value) {
                    None => Some(true),
                    Some(PortValue::Text(text)) => truth_in(text),
                    Some(PortValue::Key(_)) => None,
                };
                match skips {
                    Some(false) => NodeKind::RunOnce,
                    Some(true) => NodeKind::RunOnceThenSkip,
                    None => {
                        let message = "`then_skip` is neither true nor false".to_owned();
                        self.wrong(
                            making,
                            node.span.clone(),
                            Code::PortValue.says(message),
                            "it is a constant",
                        );
                        NodeKind::RunOnceThenSkip
                    }
                }
            }
            Meaning::Precondition => return self.precondition(making, node),
            Meaning::BlackboardCheck => return self.check(making, node),
            Meaning::Sequence
            | Meaning::Own
            | Meaning::AlwaysSuccess
            | Meaning::AlwaysFailure
            | Meaning::Sleep
            | Meaning::SetBlackboard
            | Meaning::Script
            | Meaning::ScriptCondition
            | Meaning::SubTree
            | Meaning::Action
            | Meaning::Task
            | Meaning::Query => NodeKind::Sequence,
        };
        let index = plain(making, kind, place);
        self.others(making, node, index, known);
        self.like(making, node, index);
        self.children(making, node, index);
        index
    }

    /// Keeps the name of a node that is only declared to be like another one.
    fn like(&mut self, making: &mut Making<'a>, node: &Node, index: usize) {
        if self.options.node(&node.tag).is_some() {
            let meta = &mut making.items[index].meta;
            add_note(meta, "_tag".to_owned(), node.tag.clone());
        }
    }

    pub(super) fn children(&mut self, making: &mut Making<'a>, node: &Node, index: usize) {
        for &child in &node.children {
            let child = self.node(making, child);
            making.items[index].children.push(child);
        }
    }

    fn parallel(&mut self, making: &Making<'a>, node: &Node, place: &mut ItemPlace) -> NodeKind {
        let text =
            "Parallel judges behind its last child (C3), in BehaviorTree.CPP behind each of them";
        self.note(making, node.span.clone(), Code::Differs, text);
        let [a, b, c, d, e] = PARALLEL_PORTS;
        let success = self.threshold(
            making,
            node,
            &[a, b, c],
            Threshold::All,
            Part::Success,
            place,
        );
        let one = Threshold::Count(1);
        let failure = self.threshold(making, node, &[d, e], one, Part::Failure, place);
        NodeKind::Parallel {
            success: success.unwrap_or(Threshold::All),
            failure: failure.unwrap_or(one),
        }
    }

    fn switch(&mut self, making: &mut Making<'a>, node: &Node, count: usize) -> usize {
        if node.children.len() != count + 1 {
            let message = format!(
                "{} needs {} children, one for each case and one for all else; found {}",
                quoted(&node.tag),
                count + 1,
                node.children.len()
            );
            self.wrong(
                making,
                node.span.clone(),
                Code::XmlChildren.says(message),
                "",
            );
        }
        let mut place = place_of(node);
        let mut on = String::new();
        let mut entry = Entry::Key;
        match node.port("variable").map(|port| &port.value) {
            None => self.needs(making, node, "variable", "{mode}"),
            Some(PortValue::Key(key)) => {
                entry = self.names.entry(making.tree, key).clone();
                on = self.names.identifier(making.tree, key);
            }
            Some(PortValue::Text(text)) => {
                let message = format!("{} never changes", quoted(text));
                let help = "a Switch looks at an entry: `variable=\"{mode}\"`";
                self.wrong(
                    making,
                    node.span.clone(),
                    Code::PortValue.says(message),
                    help,
                );
            }
        }
        let mut cases: Vec<Option<CaseValue>> = Vec::new();
        for number in 1..=count {
            let name = format!("case_{number}");
            let Some(port) = node.port(&name) else {
                self.needs(making, node, &name, "idle");
                continue;
            };
            let span = port.attribute.value_span.clone();
            place.cases.push(span.clone());
            let text = port.attribute.value.trim();
            let case = match (&entry, &port.value) {
                (_, PortValue::Key(_)) => None,
                (Entry::Labels(labels), _) => {
                    let known = place_of_text(labels, &port.attribute.value);
                    known.map(|at| CaseValue::Label(labels[at].1.clone()))
                }
                (Entry::Number(Number::Bool), _) => match text {
                    "true" | "1" => Some(CaseValue::Bool(true)),
                    "false" | "0" => Some(CaseValue::Bool(false)),
                    _ => None,
                },
                (Entry::Number(Number::Int), _) => match text {
                    "true" => Some(CaseValue::Int(1)),
                    "false" => Some(CaseValue::Int(0)),
                    text => text.parse().ok().map(CaseValue::Int),
                },
                _ => None,
            };
            if case.is_none() && !on.is_empty() {
                let message = format!("{} is no case of the Switch", quoted(text));
                let help =
                    "cases are constants of the entry's type: whole numbers, truth values or texts";
                self.wrong(making, span, Code::PortValue.says(message), help);
            } else if case.is_some() && cases.contains(&case) {
                let message = format!("the Switch has two branches for {}", quoted(text));
                let help = "the second one would never run: take one of them away";
                self.wrong(making, span, Code::PortValue.says(message), help);
            }
            cases.extend(case.map(Some));
        }
        cases.push(None);
        let index = plain(making, NodeKind::Switch { on, cases }, place);
        let names: Vec<String> = (1..=count).map(|number| format!("case_{number}")).collect();
        let mut known: Vec<&str> = names.iter().map(String::as_str).collect();
        known.push("variable");
        self.others(making, node, index, &known);
        self.children(making, node, index);
        index
    }
}

/// What BehaviorTree.CPP has called the thresholds of a Parallel: three names for success, two for
/// failure.
const PARALLEL_PORTS: [&str; 5] = [
    "success_count",
    "success_threshold",
    "threshold",
    "failure_count",
    "failure_threshold",
];

fn count(times: Option<Times>) -> Option<u32> {
    match times {
        Some(Times::Count(count)) => Some(count),
        _ => None,
    }
}
