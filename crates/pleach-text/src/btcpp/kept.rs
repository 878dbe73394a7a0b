//! The models of a file as they stand there, kept for whoever writes it again: directions, types, defaults
//! and descriptions of ports mean nothing to a tree, and much to an editor.

use std::collections::{HashMap, HashSet};

use super::model::{Models, is_port};
use super::xml::Xml;

/// An element of a model.
#[derive(Clone, Debug)]
pub(super) struct KeptElement {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) text: String,
    pub(super) comments: Vec<String>,
    pub(super) children: Vec<usize>,
}

impl KeptElement {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let mut all = self.attributes.iter();
        all.find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// What a port is called.
    pub(super) fn port(&self) -> Option<&str> {
        self.attribute("name").filter(|_| is_port(&self.name))
    }
}

/// The models of a file, each node once.
#[derive(Default, Debug)]
pub(crate) struct Kept {
    pub(super) elements: Vec<KeptElement>,
    /// The elements that are nodes, in their order.
    pub(super) nodes: Vec<usize>,
    /// Lines of comments in front of all.
    pub(super) comments: Vec<String>,
    /// Where a node stands, by its name.
    by_name: HashMap<String, usize>,
    /// The ports of nodes, by these and their own names.
    ports: HashSet<(usize, String)>,
}

impl Kept {
    /// Adds the models of a block. A node that is known takes over the ports that it lacks.
    pub(super) fn add(&mut self, xml: &Xml, block: usize) {
        self.comments
            .extend(xml.elements[block].comments.iter().cloned());
        for &at in &xml.elements[block].children {
            let known = xml.elements[at].value("ID");
            let known = known.and_then(|name| self.by_name.get(name).copied());
            match known {
                None => {
                    let index = self.element(xml, at);
                    self.nodes.push(index);
                    for port in self.elements[index].children.clone() {
                        self.know(index, port);
                    }
                    if let Some(name) = self.elements[index].attribute("ID") {
                        self.by_name.insert(name.to_owned(), index);
                    }
                }
                Some(known) => {
                    for &port in &xml.elements[at].children {
                        let element = &xml.elements[port];
                        let name = element.value("name").filter(|_| is_port(&element.name));
                        if name.is_some_and(|name| !self.has_port(known, name)) {
                            let index = self.element(xml, port);
                            self.elements[known].children.push(index);
                            self.know(known, index);
                        }
                    }
                }
            }
        }
    }

    fn know(&mut self, node: usize, port: usize) {
        let name = self.elements[port].port().map(str::to_owned);
        self.ports.extend(name.map(|name| (node, name)));
    }

    /// Whether a node has a port of that name.
    pub(super) fn has_port(&self, node: usize, name: &str) -> bool {
        self.ports.contains(&(node, name.to_owned()))
    }

    /// Adds an element with all in it.
    fn element(&mut self, xml: &Xml, at: usize) -> usize {
        let first = self.elements.len();
        let mut pending = vec![(at, None::<usize>)];
        while let Some((at, parent)) = pending.pop() {
            let element = &xml.elements[at];
            let this = self.elements.len();
            let attributes = element.attributes.iter();
            self.elements.push(KeptElement {
                name: element.name.clone(),
                attributes: attributes
                    .map(|one| (one.name.clone(), one.value.clone()))
                    .collect(),
                text: element.text.clone(),
                comments: element.comments.clone(),
                children: Vec::new(),
            });
            if let Some(parent) = parent {
                self.elements[parent].children.push(this);
            }
            let children = element.children.iter().rev();
            pending.extend(children.map(|&child| (child, Some(this))));
        }
        first
    }

    /// Where a node stands.
    pub(super) fn node(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// What they say of roles and types.
    pub(super) fn models(&self) -> Models {
        let mut models = Models::default();
        for &node in &self.nodes {
            let node = &self.elements[node];
            let ports = node.children.iter().map(|&port| &self.elements[port]);
            let ports = ports.filter_map(|port| {
                Some((
                    port.port()?,
                    port.attribute("type"),
                    port.attribute("default"),
                ))
            });
            models.add(&node.name, node.attribute("ID"), ports);
        }
        models
    }
}
