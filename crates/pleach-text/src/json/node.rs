//! Nodes of the JSON form.

use kdl::{KdlDocument, KdlNode};
use pleach_shape::{Op, Role};
use serde_json::value::RawValue;

use super::read::{Building, Object};
use super::value::Field;
use crate::diagnostic::quoted;
use crate::document::MAX_NESTING;
use crate::keyword::{Keyword, keyword};
use crate::read::Guard;
use crate::write::head::{argument_names, may_miss, property_names};

impl<'a> Building<'a> {
    /// A node and all below it; the limit of nesting bounds the recursion.
    pub(super) fn node(&mut self, value: &'a RawValue, level: usize) -> Option<KdlNode> {
        if !self.reader.count(value) {
            return None;
        }
        let start = self.reader.span(value).start;
        if level >= MAX_NESTING {
            let message = format!("nodes nest deeper than {MAX_NESTING} levels");
            let help = "move the inner nodes to a tree of their own and use a `subtree`";
            self.reader.wrong(start..start + 1, message, Some(help));
            return None;
        }
        let mut object = self.object("a node", value)?;
        let word = self.needed(&mut object, "node")?;
        let text = self.reader.text("the word for a node", word.value)?;
        let mut node = self.node_at(&text, self.reader.span(word.value));
        self.comments(&mut object, node.name().span().offset());
        let meaning = keyword(&text);
        let op = match meaning {
            Some(Keyword::Node(op)) => Some(op),
            _ => None,
        };
        object.what = quoted(&text).into();
        let mut known = vec!["node", "comments"];
        if let Some(meaning) = meaning {
            known.extend(self.arguments(meaning, &mut object, &mut node));
        }
        let properties = property_names(meaning).iter().copied().chain(["name"]);
        for name in properties.chain(Guard::ALL.map(Guard::keyword)) {
            known.push(name);
            if let Some(field) = object.take(name) {
                let entry = self.reader.property(name, field.value);
                node.entries_mut().extend(entry);
            }
        }
        self.notes(&mut object, &mut node);
        let mut inside = KdlDocument::new();
        let is_call = op.is_some_and(|op| {
            matches!(op, Op::Query | Op::Action | Op::PersistentAction | Op::Task)
        });
        let is_subtree = meaning == Some(Keyword::Subtree);
        if is_call || is_subtree {
            known.push("params");
            if let Some(field) = object.take("params") {
                self.params(&field, &mut inside);
            }
        }
        if is_subtree {
            known.push("map");
            if let Some(field) = object.take("map") {
                self.maps(&field, &mut inside);
            }
        }
        if op == Some(Op::Switch) {
            known.push("cases");
            if let Some(field) = object.take("cases") {
                self.cases(&field, level, &mut inside);
            }
        } else if !is_subtree && op.is_none_or(|op| op.role() != Role::Leaf) {
            known.push("children");
            if let Some(field) = object.take("children") {
                let list = self.reader.list("a list of nodes", field.value);
                for child in list.into_iter().flatten() {
                    inside.nodes_mut().extend(self.node(child, level + 1));
                }
            }
        }
        // Of an unknown node, no field is known to be wrong.
        if meaning.is_some() {
            self.no_more(object, &known);
        }
        if !inside.nodes().is_empty() {
            node.set_children(inside);
        }
        Some(node)
    }

    /// The fields that are arguments in KDL, in their order.
    fn arguments(
        &mut self,
        of: Keyword,
        object: &mut Object<'a>,
        node: &mut KdlNode,
    ) -> &'static [&'static str] {
        let names = argument_names(of);
        let mut missing = false;
        for &name in names {
            match object.take(name) {
                Some(field) if !missing => {
                    node.entries_mut().extend(self.reader.entry(field.value));
                }
                Some(_) => {}
                None if may_miss(name) => {}
                None => {
                    let message = format!("{} has no field {}", object.what, quoted(name));
                    let help = format!("add it: its fields are {}", names.join(", "));
                    self.reader.wrong(object.at.clone(), message, Some(&help));
                    missing = true;
                }
            }
        }
        names
    }

    /// `"params": {"speed": 4.0}`.
    fn params(&mut self, field: &Field<'a>, inside: &mut KdlDocument) {
        let fields = self.reader.object("an object of parameters", field.value);
        for param in fields.into_iter().flatten() {
            let mut line = self.node_at("param", param.at.clone());
            let mut name = kdl::KdlEntry::new(&*param.name);
            name.set_span((param.at.start, param.at.len()));
            let Some(value) = self.reader.entry(param.value) else {
                continue;
            };
            line.entries_mut().extend([name, value]);
            inside.nodes_mut().push(line);
        }
    }

    /// `"map": {"post": "next_post"}`.
    fn maps(&mut self, field: &Field<'a>, inside: &mut KdlDocument) {
        let fields = self.reader.object("an object of names", field.value);
        let mut line = self.node_at("map", field.at.clone());
        for map in fields.into_iter().flatten() {
            line.entries_mut()
                .extend(self.reader.property(&map.name, map.value));
        }
        if !line.entries().is_empty() {
            inside.nodes_mut().push(line);
        }
    }

    /// `"cases": [{"case": "alert", "child": {…}}, {"child": {…}}]`: one without a case is for all
    /// others.
    fn cases(&mut self, field: &Field<'a>, level: usize, inside: &mut KdlDocument) {
        let list = self.reader.list("a list of cases", field.value);
        for one in list.into_iter().flatten() {
            let Some(mut object) = self.object("a case", one) else {
                continue;
            };
            let case = object.take("case");
            let word = match case {
                Some(_) => "case",
                None => "else",
            };
            let mut branch = self.node_at(word, object.at.clone());
            if let Some(case) = case {
                branch.entries_mut().extend(self.reader.entry(case.value));
            }
            let mut only = KdlDocument::new();
            if let Some(child) = self.needed(&mut object, "child") {
                only.nodes_mut().extend(self.node(child.value, level + 2));
            }
            branch.set_children(only);
            self.no_more(object, &["case", "child"]);
            inside.nodes_mut().push(branch);
        }
    }
}
