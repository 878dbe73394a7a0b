//! From elements of XML to plans of nodes.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::meaning::{Children, Meaning, folded, has_no_counterpart, meaning, near};
use super::model::Models;
use super::note::Notes;
use super::options::Options;
use super::plan::{
    AT_ONCE, Node, Port, PortValue, ROLES, Role, Script, Sharing, Version, truth_in,
};
use super::script::{self, Statement};
use super::slip;
use super::xml::{Attribute, Element, Xml};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, quoted, visible};
use crate::document::MAX_ITEMS;
use crate::inline::MAX_EXPRS_BYTES;
use crate::read::MAX_NAME;
use crate::source::Source;

/// Reads the nodes of trees.
pub(super) struct Planner<'a> {
    pub(super) options: &'a Options,
    pub(super) models: &'a Models,
    /// The trees of all files, which old files use like nodes.
    pub(super) trees: &'a HashSet<String>,
    pub(super) notes: &'a mut Notes,
    pub(super) found: &'a mut Diagnostics,
    /// The trees of included files in other formats.
    pub(super) others: &'a HashSet<String>,
    /// Bytes of all scripts so far.
    pub(super) script_bytes: usize,
    /// Ports of subtrees that only models give, so far.
    pub(super) defaults: usize,
    /// Nodes with children that nobody knows: where each stands first, and how many there are.
    pub(super) strangers: BTreeMap<String, (Source, Range<usize>, usize)>,
}

impl Planner<'_> {
    /// Reads the nodes below an element that is a tree.
    pub(super) fn nodes(
        &mut self,
        source: &Source,
        version: Version,
        xml: &Xml,
        root: usize,
    ) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::new();
        let mut pending = vec![(root, None::<usize>)];
        while let Some((at, parent)) = pending.pop() {
            let element = &xml.elements[at];
            let this = nodes.len();
            let node = self.node(source, version, element);
            // The blocks of a port model within a use, which old editors wrote.
            let children: &[usize] = match node.meaning {
                Meaning::SubTree | Meaning::Action | Meaning::Task | Meaning::Query => {
                    let real = element.children.iter();
                    let ports = ["input_port", "output_port", "inout_port", "remap"];
                    let strange = real
                        .map(|&child| &xml.elements[child])
                        .find(|child| !ports.contains(&child.name.as_str()));
                    if let Some(child) = strange {
                        let message = format!(
                            "{} takes no children, found {}",
                            quoted(&node.tag),
                            quoted(&child.name)
                        );
                        self.found.push(Diagnostic::new(
                            source,
                            child.span.clone(),
                            Code::XmlChildren.says(message),
                        ));
                    }
                    &[]
                }
                _ => &element.children,
            };
            nodes.push(node);
            if let Some(parent) = parent {
                nodes[parent].children.push(this);
            }
            pending.extend(children.iter().rev().map(|&child| (child, Some(this))));
            self.count(source, &nodes[this], children.len());
        }
        nodes
    }

    fn count(&mut self, source: &Source, node: &Node, children: usize) {
        let tag = quoted(&node.tag);
        let (message, help) = match (node.meaning.children(), children) {
            (Children::None, 0)
            | (Children::One, 1)
            | (Children::Some, 1..)
            | (Children::Any, _) => return,
            (Children::None, _) => (format!("{tag} takes no children, found {children}"), ""),
            (Children::One, 0) => (format!("{tag} needs one child, found none"), ""),
            (Children::One, _) => (
                format!("{tag} takes one child, found {children}"),
                "put them under a `Sequence` or `Fallback`",
            ),
            (Children::Some, _) => (
                format!("{tag} has no children"),
                "give it one, or remove it: BehaviorTree.CPP refuses it, too",
            ),
        };
        let error = Diagnostic::new(source, node.span.clone(), Code::XmlChildren.says(message));
        let help = Some(help).filter(|help| !help.is_empty());
        self.found.push(error.with_help_if(help));
    }

    fn node(&mut self, source: &Source, version: Version, element: &Element) -> Node {
        let explicit = is_explicit(element);
        let subtree = matches!(element.name.as_str(), "SubTree" | "SubTreePlus");
        let tag = match element.value("ID") {
            Some(id) if explicit && !id.is_empty() => id.to_owned(),
            _ => {
                if explicit {
                    let message = format!("{} needs an attribute `ID`", quoted(&element.name));
                    let help = "it says which node or tree is meant: `ID=\"MoveBase\"`";
                    self.found.push(
                        Diagnostic::new(source, element.span.clone(), Code::XmlId.says(message))
                            .with_help(help),
                    );
                }
                element.name.clone()
            }
        };
        let meaning = match subtree {
            true if self.options.takes_missing_trees()
                && !self.trees.contains(&tag)
                && !self.others.contains(&tag) =>
            {
                let message = "a subtree that no file defines is taken for an action";
                let note =
                    Diagnostic::new(source, element.span.clone(), Code::TakenFor.says(message));
                self.notes.push(note);
                Meaning::Action
            }
            true => Meaning::SubTree,
            false => self.meaning(source, version, element, &tag),
        };
        let meaning = match (meaning, element.attribute(AT_ONCE)) {
            (Meaning::Action | Meaning::Task, Some(attribute)) => {
                match self.truth(source, attribute) {
                    true => Meaning::Task,
                    false => Meaning::Action,
                }
            }
            _ => meaning,
        };
        let mut node = Node {
            meaning,
            span: element.span.clone(),
            name: None,
            children: Vec::new(),
            comments: element.comments.clone(),
            meta: Vec::new(),
            ports: Vec::new(),
            scripts: Vec::new(),
            sharing: Sharing::Nothing,
            bytes: 0,
            kdl: None,
            property: false,
            tag,
        };
        self.checked_name(source, &node.tag, element.span.clone());
        if !element.text.is_empty() {
            let message = "text between nodes means nothing and is not kept";
            let note = Diagnostic::new(
                source,
                element.text_span.clone(),
                Code::NotKept.says(message),
            )
            .with_help("make it a comment: `<!-- … -->`");
            self.notes.push(note);
        }
        for attribute in &element.attributes {
            node.bytes += attribute.value_span.len() + attribute.span.len();
            self.attribute(source, version, element, attribute, &mut node);
        }
        node.scripts.sort_by_key(|script| script.role);
        // In version 3, models are for editors alone; what stands in KDL says all.
        let bare = node.sharing == Sharing::Nothing && node.kdl.is_none();
        if subtree && version == Version::Four && bare {
            self.defaults(source, &mut node);
        }
        node
    }

    /// Gives a use of a subtree the ports that its model has a default for.
    fn defaults(&mut self, source: &Source, node: &mut Node) {
        let models = self.models;
        let given: HashSet<String> = node.ports.iter().map(|port| port.name.clone()).collect();
        for (name, text) in models.defaults(&node.tag) {
            if given.contains(name) {
                continue;
            }
            self.defaults += 1;
            if self.defaults > MAX_ITEMS {
                if self.defaults == MAX_ITEMS + 1 {
                    let message = format!(
                        "up to this subtree, models give more than {MAX_ITEMS} ports that no use names"
                    );
                    let help = "take defaults out of the models, and name the ports";
                    self.found.push(
                        Diagnostic::new(source, node.span.clone(), Code::Limit.says(message))
                            .with_help(help),
                    );
                }
                return;
            }
            if !self.checked_name(source, name, node.span.clone()) {
                continue;
            }
            let value = match key_in(name, text) {
                Some(key) => PortValue::Key(key),
                None => PortValue::Text(text.clone()),
            };
            node.bytes += name.len() + text.len();
            node.ports.push(Port {
                name: name.clone(),
                value,
                attribute: Attribute {
                    name: name.clone(),
                    value: text.clone(),
                    span: node.span.clone(),
                    value_span: node.span.clone(),
                    plain: false,
                },
            });
        }
    }

    /// Whether a name is one: not empty, not too long.
    pub(super) fn checked_name(&mut self, source: &Source, name: &str, span: Range<usize>) -> bool {
        let (code, message) = match name.len() {
            0 => (Code::BadName, "a name is empty".to_owned()),
            len if len > MAX_NAME => {
                let message = format!("a name has {len} bytes, allowed are {MAX_NAME}");
                (Code::Limit, message)
            }
            _ => return true,
        };
        self.found
            .push(Diagnostic::new(source, span, code.says(message)));
        false
    }

    fn meaning(
        &mut self,
        source: &Source,
        version: Version,
        element: &Element,
        tag: &str,
    ) -> Meaning {
        if tag.starts_with("Pleach") && element.attribute("kdl").is_some() {
            return Meaning::Own;
        }
        if let Some(declared) = self.options.node(tag) {
            return declared;
        }
        let known = meaning(tag);
        let leaf = match self.models.role(tag).or(match element.name.as_str() {
            "Action" => Some(super::model::Role::Action),
            "Condition" => Some(super::model::Role::Condition),
            _ => None,
        }) {
            Some(super::model::Role::Condition) => Some(Meaning::Query),
            Some(super::model::Role::Action) => Some(Meaning::Action),
            _ => None,
        };
        match (known, leaf) {
            // Models do not tell actions that take their time from those that answer at once.
            (Some(Meaning::Task), Some(Meaning::Action)) => Meaning::Task,
            // Who declares a node of a name that only Nav2 uses means their own.
            (Some(Meaning::Query | Meaning::Task) | None, Some(leaf))
                if element.children.is_empty() =>
            {
                leaf
            }
            (Some(known), _) => known,
            (None, _) if element.children.is_empty() => {
                if self.trees.contains(tag) {
                    if version == Version::Four {
                        let message = format!(
                            "{} is taken for a use of the tree of that name",
                            quoted(tag)
                        );
                        let help = format!("version 4 has `<SubTree ID=\"{tag}\"/>` for it");
                        let note = Diagnostic::new(
                            source,
                            element.span.clone(),
                            Code::TakenFor.says(message),
                        );
                        self.notes.push(note.with_help(help));
                    }
                    return Meaning::SubTree;
                }
                let declared = self.models.role(tag).is_some() || element.name == "Action";
                if matches!(folded(tag).as_str(), "subtree" | "subtreeplus") {
                    let message = format!("the node {} is not known", quoted(tag));
                    let help = "a tree is used with `<SubTree ID=\"…\"/>`: large letters count";
                    self.found.push(
                        Diagnostic::new(
                            source,
                            element.span.clone(),
                            Code::UnknownNode.says(message),
                        )
                        .with_help(help),
                    );
                } else if !declared && element.name != "Control" && element.name != "Decorator" {
                    self.notes.unknown_leaf(tag, source, &element.span);
                    if let Some(meant) = self.notes.slip(|| slip::leaf(tag)) {
                        let message = format!(
                            "nobody declares {}, so it is taken for an action",
                            quoted(tag)
                        );
                        let shown = visible(tag);
                        let otherwise =
                            format!("declare it in `TreeNodesModel`: `<Action ID=\"{shown}\"/>`");
                        let span = element.span.clone();
                        self.notes
                            .tell(slip::warning(source, span, message, meant, &otherwise));
                    }
                }
                Meaning::Action
            }
            (None, _) => {
                let first = (source.clone(), element.span.clone(), 0);
                let entry = self.strangers.entry(tag.to_owned()).or_insert(first);
                entry.2 += 1;
                // Its children are looked at, too.
                Meaning::Sequence
            }
        }
    }

    fn attribute(
        &mut self,
        source: &Source,
        version: Version,
        element: &Element,
        attribute: &Attribute,
        node: &mut Node,
    ) {
        let (name, value) = (attribute.name.as_str(), attribute.value.as_str());
        match name {
            "ID" if is_explicit(element) || node.meaning == Meaning::SubTree => return,
            "name" => {
                let named = value != node.tag && !value.is_empty();
                if named && self.checked_name(source, value, attribute.value_span.clone()) {
                    node.name = Some(value.to_owned());
                }
                return;
            }
            "_property" if node.meaning == Meaning::Own => {
                node.property = self.truth(source, attribute);
                return;
            }
            AT_ONCE if matches!(node.meaning, Meaning::Action | Meaning::Task) => return,
            "kdl" if node.meaning == Meaning::Own => {
                node.kdl = Some(attribute.clone());
                return;
            }
            "_kdl" => {
                node.kdl = Some(attribute.clone());
                return;
            }
            "_autoremap" | "__autoremap" if node.meaning == Meaning::SubTree => {
                if self.truth(source, attribute) && node.sharing == Sharing::Nothing {
                    node.sharing = Sharing::Names;
                }
                return;
            }
            "__shared_blackboard" if node.meaning == Meaning::SubTree => {
                if self.truth(source, attribute) {
                    node.sharing = Sharing::Everything;
                }
                return;
            }
            _ => {}
        }
        let role = ROLES.iter().find(|(known, _)| *known == name);
        let code = match (node.meaning, name) {
            (Meaning::Script | Meaning::ScriptCondition, "code") => Some(Role::Code),
            (Meaning::Precondition, "if") => Some(Role::Code),
            _ => None,
        };
        if let Some(role) = role.map(|&(_, role)| role).or(code) {
            let statements = self.script(source, attribute);
            node.scripts.push(Script {
                role,
                statements,
                attribute: attribute.clone(),
            });
            return;
        }
        if !self.checked_name(source, name, attribute.span.clone()) {
            return;
        }
        if name.starts_with('_') {
            if let Some(meant) = self.notes.slip(|| slip::attribute(name)) {
                let message = format!(
                    "{} means nothing, and is kept as a note of editors",
                    quoted(name)
                );
                let span = attribute.span.clone();
                self.notes
                    .tell(slip::warning(source, span, message, meant, ""));
            }
            node.meta.push((name.to_owned(), value.to_owned()));
            return;
        }
        if let Some(meant) = slip::script(name)
            && self.models.port(&node.tag, name).is_none()
        {
            let message = format!(
                "{} is a port of the node's own, and no script",
                quoted(name)
            );
            let otherwise = "declare the port in `TreeNodesModel`";
            let span = attribute.span.clone();
            self.notes
                .tell(slip::warning(source, span, message, meant, otherwise));
        }
        let pointer = match version {
            // Its reader takes `${key}` for a key, too.
            Version::Three => value
                .trim()
                .strip_prefix('$')
                .filter(|text| text.starts_with('{')),
            Version::Four => None,
        };
        let value = match key_in(name, pointer.unwrap_or(value)) {
            Some(key) => PortValue::Key(key),
            // Whatever is written to is a key.
            None if node.meaning == Meaning::SetBlackboard
                && name == "output_key"
                && is_key(value.trim()) =>
            {
                PortValue::Key(value.trim().to_owned())
            }
            // In a plain SubTree of version 3, a text is a key.
            None if version == Version::Three
                && element.name == "SubTree"
                && is_key(value.trim()) =>
            {
                PortValue::Key(value.trim().to_owned())
            }
            None => PortValue::Text(value.to_owned()),
        };
        if let PortValue::Key(key) = &value
            && !self.checked_name(source, key, attribute.value_span.clone())
        {
            return;
        }
        node.ports.push(Port {
            name: name.to_owned(),
            value,
            attribute: attribute.clone(),
        });
    }

    fn truth(&mut self, source: &Source, attribute: &Attribute) -> bool {
        match truth_in(&attribute.value) {
            Some(value) => value,
            None => {
                let message = format!(
                    "expected a truth value for {}, found {}",
                    quoted(&attribute.name),
                    quoted(attribute.value.trim())
                );
                let span = attribute.value_span.clone();
                self.found.push(
                    Diagnostic::new(source, span, Code::PortValue.says(message))
                        .with_help("write true or false"),
                );
                false
            }
        }
    }

    fn script(&mut self, source: &Source, attribute: &Attribute) -> Vec<Statement> {
        let before = self.script_bytes;
        self.script_bytes += attribute.value.len();
        if self.script_bytes > MAX_EXPRS_BYTES {
            if before <= MAX_EXPRS_BYTES {
                let message =
                    format!("up to this one, the scripts have more than {MAX_EXPRS_BYTES} bytes");
                let span = attribute.value_span.clone();
                self.found.push(
                    Diagnostic::new(source, span, Code::Limit.says(message))
                        .with_help("split the trees into files"),
                );
            }
            return Vec::new();
        }
        match script::parse(&attribute.value) {
            Ok(statements) => statements,
            Err(error) => {
                let span = attribute.within(&error.span);
                self.found.push(
                    Diagnostic::new(source, span, error.code.says(error.message))
                        .with_help_if(error.help),
                );
                Vec::new()
            }
        }
    }

    /// Tells of all nodes with children that nobody knows, and how to declare them.
    pub(super) fn tell_strangers(&mut self) {
        for (name, (source, span, count)) in std::mem::take(&mut self.strangers) {
            let times = match count {
                1 => String::new(),
                count => format!(" (it stands at {count} places)"),
            };
            let known = has_no_counterpart(&name);
            let message = match known {
                true => format!("the node {} has no counterpart here{times}", quoted(&name)),
                false => format!(
                    "the node {} has children, and nobody says what it does with them{times}",
                    quoted(&name)
                ),
            };
            let near = near(&name)
                .filter(|_| !known)
                .map(|near| format!("{near} If not, "))
                .unwrap_or_default();
            let shown = quoted(&name);
            let shown = shown.trim_matches('`');
            let model = match self.models.role(&name) {
                Some(_) => "its model has ports but no behaviour: ",
                None => "",
            };
            let model = match known {
                true => "if another node does as well here, ",
                false => model,
            };
            let help = format!(
                "{near}{model}declare it in a file of parents: `parent \"{shown}\" like=\"Sequence\"`"
            );
            self.found.push(
                Diagnostic::new(&source, span, Code::XmlParent.says(message)).with_help(help),
            );
        }
    }
}

/// Whether an element says in its `ID` which node or tree is meant.
fn is_explicit(element: &Element) -> bool {
    matches!(
        element.name.as_str(),
        "Action" | "Condition" | "Control" | "Decorator" | "SubTree" | "SubTreePlus"
    )
}

/// The key that a port's value names: `{key}`, or its own with `{=}`.
pub(super) fn key_in(port: &str, value: &str) -> Option<String> {
    let inner = value.trim().strip_prefix('{')?.strip_suffix('}')?;
    match inner.trim() {
        "=" => Some(port.to_owned()),
        key if is_key(key) => Some(key.to_owned()),
        _ => None,
    }
}

/// Whether a text can be the key of an entry.
fn is_key(text: &str) -> bool {
    !text.is_empty()
        && !text
            .chars()
            .any(|c| c.is_whitespace() || matches!(c, '{' | '}' | '"' | '\'' | ',' | ';' | ':'))
}
