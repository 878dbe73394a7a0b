//! Ports of nodes that take a number, a time or an answer.

use std::time::Duration;

use pleach_tree::Threshold;

use super::{Making, Mapper};
use crate::btcpp::fact::{Entry, Number};
use crate::btcpp::plan::{Node, Port, PortValue};
use crate::btcpp::slip;
use crate::diagnostic::{Code, quoted};
use crate::draft::{Hole, ItemPlace, Part, add_note};
use crate::read::MAX_NAME;

/// The longest time of a node, in milliseconds: some thousand years of them are no slip yet.
pub(in crate::btcpp) const MAX_TIME: Duration = Duration::from_secs((1 << 40) - 1);

/// The longest period of a rate.
pub(in crate::btcpp) const MAX_PERIOD: Duration = Duration::from_secs(999_999_999);

/// How many ports of a node are looked at for a slip.
const SHOWN: usize = 8;

/// A number of times, as a port gives it.
pub(super) enum Times {
    /// Without end.
    Always,
    Count(u32),
    /// As often as an entry says when the loop starts.
    Entry(String),
}

impl<'a> Mapper<'_, 'a> {
    /// The first port of several names.
    pub(super) fn port<'n>(&mut self, node: &'n Node, names: &[&str]) -> Option<&'n Port> {
        names.iter().find_map(|name| node.port(name))
    }

    /// Complains of a port that is not there.
    pub(super) fn needs(&mut self, making: &Making<'_>, node: &Node, port: &str, example: &str) {
        let message = format!("{} needs its port {}", quoted(&node.tag), quoted(port));
        let near = |other: &&Port| slip::port(&other.name, &[port]).is_some();
        if let Some(near) = node.ports.iter().take(SHOWN).find(near) {
            let message = format!("{message}, found {}", quoted(&near.name));
            let help = format!("did you mean {}?", quoted(port));
            self.wrong(
                making,
                near.attribute.span.clone(),
                Code::MissingPort.says(message),
                &help,
            );
            return;
        }
        let help = match node.ports.first() {
            Some(other) => {
                let other = quoted(&other.name);
                format!("write `{port}=\"{example}\"`; it has {other}")
            }
            None => format!("write `{port}=\"{example}\"`"),
        };
        self.wrong(
            making,
            node.span.clone(),
            Code::MissingPort.says(message),
            &help,
        );
    }

    /// Keeps ports that the node does not have, since hosts and editors may know them.
    pub(super) fn others(
        &mut self,
        making: &mut Making<'a>,
        node: &Node,
        index: usize,
        known: &[&str],
    ) {
        for port in &node.ports {
            if known.contains(&port.name.as_str()) {
                continue;
            }
            if let Some(meant) = self.notes.slip(|| slip::port(&port.name, known)) {
                let message = format!(
                    "{} has no port {}, which is kept as a note of editors",
                    quoted(&node.tag),
                    quoted(&port.name)
                );
                let (source, span) = (&making.plan.source, port.attribute.span.clone());
                self.notes
                    .tell(slip::warning(source, span, message, meant, ""));
            }
            let text = "this port means nothing to the node, and is kept as a note of editors";
            self.note(making, port.attribute.span.clone(), Code::UnusedPort, text);
            if port.name.len() >= MAX_NAME {
                let message = format!("a name of {} bytes is too long for a note", port.name.len());
                self.wrong(
                    making,
                    port.attribute.span.clone(),
                    Code::Limit.says(message),
                    "shorten it",
                );
                continue;
            }
            let value = port.attribute.value.clone();
            let meta = &mut making.items[index].meta;
            add_note(meta, format!("_{}", port.name), value);
        }
    }

    /// The parameter that a port reads.
    pub(super) fn own_param(&self, making: &Making<'_>, port: &Port) -> Option<usize> {
        match &port.value {
            PortValue::Key(key) => making.params.get(key).copied(),
            PortValue::Text(_) => None,
        }
    }

    /// How often a loop runs its child.
    pub(super) fn times(
        &mut self,
        making: &Making<'_>,
        node: &Node,
        port: &str,
        place: &mut ItemPlace,
    ) -> Option<Times> {
        let Some(port) = node.port(port) else {
            self.needs(making, node, port, "3");
            return None;
        };
        let span = port.attribute.value_span.clone();
        let text = match &port.value {
            PortValue::Text(text) => text.trim(),
            PortValue::Key(key) => {
                let entry = self.names.entry(making.tree, key).clone();
                return match (self.own_param(making, port), entry) {
                    (Some(param), Entry::Constant(Number::Int)) => {
                        place.holes.push(Hole {
                            part: Part::Times,
                            param,
                            span,
                        });
                        Some(Times::Count(1))
                    }
                    (None, Entry::Number(Number::Int)) => Some(Times::Entry(key.clone())),
                    _ => {
                        let message = format!(
                            "nothing says that {} is a whole number, as a number of times must be",
                            quoted(key)
                        );
                        let help = "give it one in a script, or declare its port in `TreeNodesModel` with `type=\"int\"`";
                        self.wrong(making, span, Code::EntryType.says(message), help);
                        None
                    }
                };
            }
        };
        match text.parse::<i64>() {
            Ok(-1) => Some(Times::Always),
            Ok(count @ 1..) if u32::try_from(count).is_ok() => Some(Times::Count(count as u32)),
            Ok(0) => {
                let message = format!("{} runs its child no times", quoted(&node.tag));
                let help = "remove it and its child: with 0 the child is never visited, and D2 wants 1 at least";
                self.wrong(making, span, Code::PortValue.says(message), help);
                None
            }
            _ => {
                let message = format!("{} is no number of times", quoted(text));
                self.wrong(
                    making,
                    span,
                    Code::PortValue.says(message),
                    "allowed are 1 and more, and -1 for ever",
                );
                None
            }
        }
    }

    /// A time in milliseconds.
    pub(super) fn milliseconds(
        &mut self,
        making: &Making<'_>,
        node: &Node,
        port: &str,
        place: &mut ItemPlace,
    ) -> Option<Duration> {
        let Some(port) = node.port(port) else {
            self.needs(making, node, port, "1000");
            return None;
        };
        let span = port.attribute.value_span.clone();
        let text = match &port.value {
            PortValue::Text(text) => text.trim(),
            PortValue::Key(key) => {
                if let (Some(param), Entry::Time) = (
                    self.own_param(making, port),
                    self.names.entry(making.tree, key),
                ) {
                    let part = Part::Time;
                    place.holes.push(Hole { part, param, span });
                    return Some(Duration::from_secs(1));
                }
                let message = format!(
                    "the time of {} is read from {}, but times are constants",
                    quoted(&node.tag),
                    quoted(key)
                );
                let help =
                    "write the milliseconds, or let each use of the tree give them as a number";
                self.wrong(making, span, Code::PortValue.says(message), help);
                return None;
            }
        };
        let whole = text.parse::<u64>().ok().map(Duration::from_millis);
        let time = whole.or_else(|| {
            let value = text.parse::<f64>().ok()?;
            Duration::try_from_secs_f64(value / 1000.0).ok()
        });
        let time = time.filter(|time| *time <= MAX_TIME);
        if time.is_none() {
            let message = format!("{} is no time in milliseconds", quoted(text));
            self.wrong(
                making,
                span,
                Code::PortValue.says(message),
                "allowed are 0 and more",
            );
        }
        time
    }

    /// The period of a frequency.
    pub(super) fn period(&mut self, making: &Making<'_>, node: &Node) -> Option<Duration> {
        let Some(port) = node.port("hz") else {
            // Nav2's own default.
            return Some(Duration::from_secs(10));
        };
        let span = port.attribute.value_span.clone();
        let PortValue::Text(text) = &port.value else {
            let message = "the rate is read from an entry, but rates are constants".to_owned();
            self.wrong(
                making,
                span,
                Code::PortValue.says(message),
                "write the frequency",
            );
            return None;
        };
        let hertz = text.trim().parse::<f64>().ok().filter(|hertz| *hertz > 0.0);
        let period = hertz.and_then(|hertz| {
            let period = Duration::from_nanos((1e9 / hertz).round() as u64);
            (period <= MAX_PERIOD).then_some(period)
        });
        if period.is_none() {
            let message = format!("{} is no frequency in hertz", quoted(text));
            self.wrong(
                making,
                span,
                Code::PortValue.says(message),
                "allowed are numbers above 0, such as 0.5",
            );
        }
        period
    }

    /// A number of children: negative ones count from the end.
    pub(super) fn threshold(
        &mut self,
        making: &Making<'_>,
        node: &Node,
        ports: &[&str],
        default: Threshold,
        part: Part,
        place: &mut ItemPlace,
    ) -> Option<Threshold> {
        let Some(port) = self.port(node, ports) else {
            return Some(default);
        };
        let span = port.attribute.value_span.clone();
        let children = node.children.len() as i64;
        let text = match &port.value {
            PortValue::Text(text) => text.trim(),
            PortValue::Key(key) => {
                let entry = self.names.entry(making.tree, key).clone();
                if let (Some(param), Entry::Constant(Number::Int)) =
                    (self.own_param(making, port), entry)
                {
                    place.holes.push(Hole { part, param, span });
                    return Some(Threshold::All);
                }
                let message = format!(
                    "the threshold {} is read from an entry, but thresholds are constants",
                    quoted(&port.name)
                );
                self.wrong(
                    making,
                    span,
                    Code::PortValue.says(message),
                    "write a number of children",
                );
                return None;
            }
        };
        match text.parse::<i64>() {
            Ok(-1) => Some(Threshold::All),
            Ok(count) => {
                let count = if count < 0 {
                    children + count + 1
                } else {
                    count
                };
                match u32::try_from(count) {
                    Ok(count) if count > 0 && i64::from(count) <= children => {
                        Some(Threshold::Count(count))
                    }
                    _ => {
                        let message =
                            format!("{} is no number of the {children} children", quoted(text));
                        let help = format!(
                            "allowed are 1 to {children}, and -1 to -{children}, which count from all of them"
                        );
                        self.wrong(making, span, Code::PortValue.says(message), &help);
                        None
                    }
                }
            }
            Err(_) => {
                let message = format!("{} is no number of children", quoted(text));
                self.wrong(
                    making,
                    span,
                    Code::PortValue.says(message),
                    "write a whole number; -1 is all",
                );
                None
            }
        }
    }

    /// An answer that a node gives where its condition does not hold.
    pub(super) fn answer<'n>(
        &mut self,
        making: &Making<'_>,
        node: &'n Node,
        port: &str,
    ) -> Option<&'n str> {
        let Some(port) = node.port(port) else {
            self.needs(making, node, port, "FAILURE");
            return None;
        };
        match &port.value {
            PortValue::Text(text)
                if matches!(text.trim(), "SUCCESS" | "FAILURE" | "RUNNING" | "SKIPPED") =>
            {
                Some(text.trim())
            }
            PortValue::Text(_) | PortValue::Key(_) => {
                let message = format!("{} is no answer", quoted(&port.attribute.value));
                let help = "write SUCCESS, FAILURE, RUNNING or SKIPPED";
                self.wrong(
                    making,
                    port.attribute.value_span.clone(),
                    Code::PortValue.says(message),
                    help,
                );
                None
            }
        }
    }
}
