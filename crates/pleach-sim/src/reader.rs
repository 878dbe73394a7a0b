//! Reading KDL nodes: each entry checked, each mistake collected with its place.

use std::collections::HashSet;
use std::ops::{Range, RangeInclusive};

use pleach_text::kdl::{KdlEntry, KdlNode, KdlValue};
use pleach_text::{Code, Diagnostic, Diagnostics, Source, Wording, bytes, did_you_mean, quoted};

use crate::chance::Chance;

/// A text and the mistakes found in it so far.
pub(crate) struct Reader<'a> {
    pub(crate) source: &'a Source,
    pub(crate) found: Diagnostics,
}

/// A name that may be described only once.
pub(crate) type Seen<'a> = HashSet<&'a str>;

impl<'a> Reader<'a> {
    pub(crate) fn new(source: &'a Source) -> Reader<'a> {
        Reader {
            source,
            found: Diagnostics::new(),
        }
    }

    #[cold]
    pub(crate) fn wrong(
        &mut self,
        span: Range<usize>,
        message: impl Into<Wording>,
        help: Option<String>,
    ) {
        let message = message.into().or(Code::Scenario);
        self.found
            .push(Diagnostic::new(self.source, span, message).with_help_if(help));
    }

    /// An unknown key: which ones there are, or which one was meant.
    #[cold]
    pub(crate) fn unknown(&mut self, node: &KdlNode, message: String, known: &[&str]) {
        let name = node.name().value();
        let help = did_you_mean(name, known.iter().copied()).or_else(|| list(known));
        self.wrong(bytes(node), message, help);
    }

    /// The children of a node that have one of the known names, each name once.
    pub(crate) fn fields<'n>(&mut self, node: &'n KdlNode, known: &[&str]) -> Vec<&'n KdlNode> {
        let children = node.children().map_or(&[][..], |children| children.nodes());
        self.once(
            children,
            known,
            &format!("{} has no key", quoted(node.name().value())),
        )
    }

    /// Those of the nodes that have one of the known names, each name once.
    pub(crate) fn once<'n>(
        &mut self,
        nodes: impl IntoIterator<Item = &'n KdlNode>,
        known: &[&str],
        complaint: &str,
    ) -> Vec<&'n KdlNode> {
        let mut seen = Seen::new();
        let mut fields = Vec::new();
        for node in nodes {
            let name = node.name().value();
            if !known.contains(&name) {
                self.unknown(node, format!("{complaint} {}", quoted(name)), known);
            } else if self.first(&mut seen, node) {
                fields.push(node);
            }
        }
        fields
    }

    /// Whether the node's name has not been seen; else that is a mistake.
    pub(crate) fn first<'n>(&mut self, seen: &mut Seen<'n>, node: &'n KdlNode) -> bool {
        let first = seen.insert(node.name().value());
        if !first {
            let message = format!("{} is given twice", quoted(node.name().value()));
            self.wrong(bytes(node), message, Some("remove one of them".into()));
        }
        first
    }

    /// A node's arguments, if there are as many as allowed; no types, and only the known
    /// properties.
    pub(crate) fn arguments<'n>(
        &mut self,
        node: &'n KdlNode,
        allowed: RangeInclusive<usize>,
        example: &str,
        properties: &[&str],
    ) -> Option<Vec<&'n KdlEntry>> {
        let name = quoted(node.name().value());
        if let Some(annotation) = node.ty() {
            self.wrong(bytes(annotation), "a type has no place here", None);
        }
        let mut arguments = Vec::new();
        let mut seen = HashSet::new();
        for entry in node.entries() {
            match entry.name().map(|key| (key, key.value())) {
                None => arguments.push(entry),
                Some((_, key)) if properties.contains(&key) && seen.insert(key) => {}
                Some((at, key)) if properties.contains(&key) => {
                    self.wrong(
                        bytes(at),
                        format!("property {} is given twice", quoted(key)),
                        None,
                    );
                }
                Some((at, key)) => {
                    let help =
                        did_you_mean(key, properties.iter().copied()).or_else(|| list(properties));
                    let help = help.or_else(|| Some(format!("write `{example}`")));
                    self.wrong(
                        bytes(at),
                        format!("{name} has no property {}", quoted(key)),
                        help,
                    );
                }
            }
        }
        if allowed.contains(&arguments.len()) {
            return Some(arguments);
        }
        let (least, most) = (*allowed.start(), *allowed.end());
        let wanted = match (least, most) {
            (0, 0) => "no argument".to_owned(),
            (1, 1) => "one argument".to_owned(),
            _ if least == most => format!("{least} arguments"),
            _ => format!("{least} to {most} arguments"),
        };
        let message = format!("{name} takes {wanted}, found {}", arguments.len());
        let at = arguments
            .get(most)
            .map_or_else(|| bytes(node), |extra| bytes(*extra));
        self.wrong(at, message, Some(format!("write `{example}`")));
        None
    }

    /// The one argument of a node without children.
    pub(crate) fn argument<'n>(
        &mut self,
        node: &'n KdlNode,
        example: &str,
    ) -> Option<&'n KdlEntry> {
        self.no_children(node);
        self.arguments(node, 1..=1, example, &[])?.first().copied()
    }

    /// A property, if it is given.
    pub(crate) fn property<'n>(&self, node: &'n KdlNode, name: &str) -> Option<&'n KdlEntry> {
        node.entries()
            .iter()
            .find(|entry| entry.name().is_some_and(|key| key.value() == name))
    }

    pub(crate) fn no_children(&mut self, node: &KdlNode) {
        if let Some(child) = node
            .children()
            .and_then(|children| children.nodes().first())
        {
            let message = format!("{} takes no children", quoted(node.name().value()));
            self.wrong(bytes(child), message, None);
        }
    }

    /// A whole number within limits.
    pub(crate) fn whole<T: TryFrom<i128> + Copy + Into<i128>>(
        &mut self,
        entry: &KdlEntry,
        allowed: RangeInclusive<T>,
    ) -> Option<T> {
        let (least, most): (i128, i128) = ((*allowed.start()).into(), (*allowed.end()).into());
        let help = Some(format!("allowed are {least} to {most}"));
        let KdlValue::Integer(value) = *entry.value() else {
            let message = format!("expected a whole number, found {}", describe(entry));
            self.wrong(bytes(entry), message, help);
            return None;
        };
        if !(least..=most).contains(&value) {
            self.wrong(bytes(entry), format!("{value} is out of range"), help);
            return None;
        }
        T::try_from(value).ok()
    }

    /// A finite number, written with or without a point.
    pub(crate) fn number(&mut self, entry: &KdlEntry) -> Option<f64> {
        let value = match *entry.value() {
            KdlValue::Integer(value) => value as f64,
            KdlValue::Float(value) => value,
            _ => f64::NAN,
        };
        if value.is_finite() {
            return Some(value);
        }
        let message = format!("expected a finite number, found {}", describe(entry));
        self.wrong(bytes(entry), message, None);
        None
    }

    /// A probability.
    pub(crate) fn chance(&mut self, entry: &KdlEntry) -> Option<Chance> {
        let chance = match *entry.value() {
            KdlValue::Integer(value) => Chance::new(value as f64),
            KdlValue::Float(value) => Chance::new(value),
            _ => None,
        };
        if chance.is_none() {
            let message = format!("expected a chance, found {}", describe(entry));
            self.wrong(
                bytes(entry),
                message,
                Some("allowed are 0.0 (never) to 1.0 (always)".into()),
            );
        }
        chance
    }

    /// A text.
    pub(crate) fn text<'n>(&mut self, entry: &'n KdlEntry, what: &str) -> Option<&'n str> {
        let text = entry.value().as_string();
        if text.is_none() {
            let message = format!("expected {what}, found {}", describe(entry));
            self.wrong(bytes(entry), message, None);
        }
        text
    }
}

fn list(known: &[&str]) -> Option<String> {
    match known {
        [] => None,
        known => Some(format!("known are {}", known.join(", "))),
    }
}

/// An entry's value as a message names it.
pub(crate) fn describe(entry: &KdlEntry) -> String {
    match entry.value() {
        KdlValue::String(text) => format!("the text {}", quoted(text)),
        KdlValue::Integer(value) => format!("{value}"),
        KdlValue::Float(value) if value.is_nan() => "NaN".into(),
        KdlValue::Float(value) => format!("{value}"),
        KdlValue::Bool(value) => format!("`#{value}`"),
        KdlValue::Null => "`#null`".into(),
    }
}
