//! Nodes whose children stand in blocks of their own: the cases of a switch, if and else.

use std::collections::HashMap;

use kdl::{KdlDocument, KdlEntry, KdlNode, KdlValue};
use pleach_tree::{CaseValue, NodeKind};

use super::Reader;
use crate::diagnostic::{Code, Diagnostic, bytes, did_you_mean, quoted};
use crate::draft::{Draft, ItemKind};
use crate::value::{describe, value_span};

impl Reader<'_> {
    /// The branches of a switch: `case "alert" { … }` and `else { … }`, with one node each.
    pub(super) fn cases(&mut self, node: &KdlNode, draft: &mut Draft, index: usize) {
        let before = self.found.len();
        let mut cases: Vec<Option<CaseValue>> = Vec::new();
        let mut seen: HashMap<CaseValue, std::ops::Range<usize>> = HashMap::new();
        let mut last: Option<&KdlNode> = None;
        for branch in node.children().map_or(&[][..], KdlDocument::nodes) {
            let word = branch.name().value();
            if !matches!(word, "case" | "else") {
                let message = format!("a switch has branches only, found {}", quoted(word));
                let near = did_you_mean(word, ["case", "else"]);
                let help = near.unwrap_or_else(|| {
                    "write `case \"alert\" { … }` or `else { … }` around it".to_owned()
                });
                self.wrong(bytes(branch), Code::Branches.says(message), Some(&help));
                self.node(branch, draft);
                continue;
            }
            if let Some(other) = last {
                self.found.push(
                    Diagnostic::new(
                        self.source,
                        bytes(branch),
                        Code::Branches.says("nothing stands behind `else`"),
                    )
                    .with_note(self.source, bytes(other), "the `else` stands here")
                    .with_help("`else` is for all other values: put it last, and once"),
                );
            }
            let entries = self.entries(branch);
            let case = match word {
                "else" => {
                    last = Some(branch);
                    self.no_more(&entries, 0, &[]);
                    Some(None)
                }
                _ => {
                    self.no_more(&entries, 1, &[]);
                    let example = "case \"alert\" { … }";
                    self.argument(&entries, 0, "a value", example)
                        .and_then(|entry| self.case(entry))
                        .map(Some)
                }
            };
            if let (Some(Some(case)), Some(entry)) = (&case, entries.arguments.first())
                && entry.ty().is_none()
            {
                if let Some(first) = seen.get(case) {
                    let message = format!("a second branch for {}", describe(entry.value()));
                    self.found.push(
                        Diagnostic::new(
                            self.source,
                            value_span(self.source, entry),
                            Code::Branches.says(message),
                        )
                        .with_note(self.source, first.clone(), "the first stands here")
                        .with_help("remove one of them"),
                    );
                } else {
                    seen.insert(case.clone(), value_span(self.source, entry));
                }
            }
            let place = &mut draft.items[index].place;
            place.bytes += branch
                .entries()
                .iter()
                .map(|entry| bytes(entry).len())
                .sum::<usize>();
            place.cases.push(match entries.arguments.first() {
                Some(entry) => value_span(self.source, entry),
                None => bytes(branch),
            });
            cases.push(case.flatten());
            self.only_node(branch, draft, index);
        }
        if cases.is_empty() && self.found.len() == before {
            let help = "write `case \"alert\" { … }` with a node inside, and `else { … }`";
            self.wrong(
                bytes(node),
                Code::Branches.says("the switch has no case"),
                Some(help),
            );
        }
        if let ItemKind::Node(NodeKind::Switch { cases: own, .. }) = &mut draft.items[index].kind {
            *own = cases;
        }
    }

    /// What a case compares with.
    fn case(&mut self, entry: &KdlEntry) -> Option<CaseValue> {
        if let Some(annotation) = entry.ty() {
            let (message, help) = match annotation.value() {
                "param" => (
                    "a case cannot be a parameter: each is another branch",
                    Some("compare in an expression: `when \"count == number\" { … }`"),
                ),
                _ => ("the value of a case takes no type annotation", None),
            };
            self.wrong(bytes(annotation), Code::Case.says(message), help);
            return None;
        }
        let help = "write a label in quotes, a whole number, `#true` or `#false`";
        match entry.value() {
            KdlValue::Bool(value) => Some(CaseValue::Bool(*value)),
            KdlValue::Integer(value) => match i32::try_from(*value) {
                Ok(value) => Some(CaseValue::Int(value)),
                Err(_) => {
                    let message = format!("{value} is no value of a case");
                    let help = format!("allowed are {} to {}", i32::MIN, i32::MAX);
                    self.wrong(
                        value_span(self.source, entry),
                        Code::Case.says(message),
                        Some(&help),
                    );
                    None
                }
            },
            KdlValue::String(label) => {
                let span = value_span(self.source, entry);
                self.checked_name(label, span).map(CaseValue::Label)
            }
            found @ (KdlValue::Float(_) | KdlValue::Null) => {
                let message = format!("a case cannot be {}", describe(found));
                self.wrong(
                    value_span(self.source, entry),
                    Code::Case.says(message),
                    Some(help),
                );
                None
            }
        }
    }

    /// The two or three children of an if or while: nodes in order, or each in a block that says
    /// which it is.
    pub(super) fn blocks(
        &mut self,
        node: &KdlNode,
        draft: &mut Draft,
        index: usize,
        words: [&str; 3],
    ) {
        let children = node.children().map_or(&[][..], KdlDocument::nodes);
        // `while` is a node, too, and then it has its expression.
        let is_block =
            |child: &KdlNode| words.contains(&child.name().value()) && child.entries().is_empty();
        if !children.iter().any(is_block) {
            self.children(node, draft, index);
            return;
        }
        let mut next = 0;
        for child in children {
            let word = child.name().value();
            match words.iter().position(|&known| known == word) {
                Some(at) if at == next && is_block(child) => {}
                Some(at) if at == next => {
                    let message = format!(
                        "the block {} takes no arguments and no properties",
                        quoted(word)
                    );
                    let help = "they belong to the node inside: `{ condition \"…\" }`";
                    let at = child.entries().first();
                    self.wrong(
                        at.map_or_else(|| bytes(child), bytes),
                        Code::Blocks.says(message),
                        Some(help),
                    );
                    return;
                }
                _ => {
                    let message = match words.get(next) {
                        Some(wanted) => {
                            format!("expected `{wanted} {{ … }}`, found {}", quoted(word))
                        }
                        None => format!("found {} behind `else`", quoted(word)),
                    };
                    let [first, second, third] = words;
                    let help = format!(
                        "its blocks are `{first}`, `{second}` and, if wanted, `{third}`, in this order, with a node each"
                    );
                    self.wrong(bytes(child), Code::Blocks.says(message), Some(&help));
                    return;
                }
            }
            next += 1;
            self.only_node(child, draft, index);
        }
        if next < 2 {
            let [first, second, _] = words;
            let message = format!("behind `{first}` there is no `{second} {{ … }}`");
            let help = format!("`{first}` holds the test, `{second}` what runs where it succeeds");
            self.wrong(bytes(node), Code::Blocks.says(message), Some(&help));
        }
    }

    /// The one node of a block, as a child of an item.
    fn only_node(&mut self, block: &KdlNode, draft: &mut Draft, index: usize) {
        let nodes = block.children().map_or(&[][..], KdlDocument::nodes);
        let word = quoted(block.name().value());
        match nodes {
            [] => {
                let message = format!("{word} needs exactly one node, found none");
                let help = "put a node in its braces, such as `succeed` or `fail`";
                self.wrong(bytes(block), Code::Blocks.says(message), Some(help));
            }
            [only] => {
                let child = self.node(only, draft);
                draft.items[index].children.push(child);
            }
            [_, second, ..] => {
                let message = format!("{word} needs exactly one node, found {}", nodes.len());
                let help = "put them under a `sequence` or `selector`";
                self.wrong(bytes(second), Code::Blocks.says(message), Some(help));
                for node in nodes {
                    self.node(node, draft);
                }
            }
        }
    }
}
