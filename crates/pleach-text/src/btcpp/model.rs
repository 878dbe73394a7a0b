//! `TreeNodesModel`: what editors know of nodes. It says which leaves are conditions, and of what
//! type ports are; it says nothing of behaviour.

use std::collections::HashMap;

use super::xml::Xml;

/// What a model says that a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Action,
    Condition,
    Control,
    Decorator,
    SubTree,
}

/// What a port holds, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PortType {
    Bool,
    Int,
    Float,
    /// A text, or whatever the host makes of one.
    Other,
}

#[derive(Default)]
pub(super) struct Model {
    pub(super) ports: HashMap<String, ModelPort>,
    /// What ports are where nobody gives them, in the order of the file.
    pub(super) defaults: Vec<(String, String)>,
}

pub(super) struct ModelPort {
    pub(super) ty: Option<PortType>,
}

/// The models of all files.
#[derive(Default)]
pub(super) struct Models {
    by_name: HashMap<String, (Role, Model)>,
}

impl Models {
    /// Reads the block of a file.
    pub(super) fn read(&mut self, xml: &Xml, block: usize) {
        for &at in &xml.elements[block].children {
            let element = &xml.elements[at];
            let ports = element.children.iter().map(|&port| &xml.elements[port]);
            let ports = ports.filter(|port| is_port(&port.name)).filter_map(|port| {
                Some((
                    port.value("name")?,
                    port.value("type"),
                    port.value("default"),
                ))
            });
            self.add(&element.name, element.value("ID"), ports);
        }
    }

    /// Adds a node: the name of its element, its own, and the name, type and default of each port.
    pub(super) fn add<'p>(
        &mut self,
        element: &str,
        name: Option<&str>,
        ports: impl Iterator<Item = (&'p str, Option<&'p str>, Option<&'p str>)>,
    ) {
        let role = match element {
            "Action" => Role::Action,
            "Condition" => Role::Condition,
            "Control" => Role::Control,
            "Decorator" => Role::Decorator,
            "SubTree" | "SubTreePlus" => Role::SubTree,
            _ => return,
        };
        let Some(name) = name else { return };
        let known = self.by_name.entry(name.to_owned());
        let (_, model) = known.or_insert((role, Model::default()));
        for (name, ty, default) in ports {
            let ty = ty.and_then(port_type);
            let known = model.ports.insert(name.to_owned(), ModelPort { ty });
            let default = default.filter(|text| !text.is_empty());
            if let (None, Some(text)) = (known, default) {
                model.defaults.push((name.to_owned(), text.to_owned()));
            }
        }
    }

    /// What a node is, if a model says so.
    pub(super) fn role(&self, name: &str) -> Option<Role> {
        self.by_name.get(name).map(|&(role, _)| role)
    }

    /// What the ports of a node are where nobody gives them.
    pub(super) fn defaults(&self, node: &str) -> &[(String, String)] {
        let model = self.by_name.get(node);
        model.map_or(&[], |(_, model)| model.defaults.as_slice())
    }

    pub(super) fn port(&self, node: &str, port: &str) -> Option<&ModelPort> {
        self.by_name.get(node)?.1.ports.get(port)
    }
}

/// Whether an element of a model is a port.
pub(super) fn is_port(element: &str) -> bool {
    matches!(element, "input_port" | "output_port" | "inout_port")
}

/// What the type of a port is here, by its name in C++.
fn port_type(name: &str) -> Option<PortType> {
    let name = name.trim();
    let bare = name.strip_prefix("std::").unwrap_or(name);
    match bare {
        "" | "BT::AnyTypeAllowed" | "AnyTypeAllowed" | "any" => None,
        "bool" | "Bool" => Some(PortType::Bool),
        "int" | "unsigned" | "unsigned int" | "short" | "long" | "int8_t" | "int16_t"
        | "int32_t" | "int64_t" | "uint8_t" | "uint16_t" | "uint32_t" | "uint64_t" | "size_t"
        | "unsigned long" | "unsigned short" | "unsigned char" | "Int" => Some(PortType::Int),
        "float" | "double" | "Float" | "Double" => Some(PortType::Float),
        _ => Some(PortType::Other),
    }
}
