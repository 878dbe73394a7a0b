//! The nodes of a tree as XML has them: what each means, its ports, its scripts. Nothing is known of
//! types yet.

use std::collections::HashMap;
use std::ops::Range;

use super::meaning::Meaning;
use super::script::Statement;
use super::xml::Attribute;
use crate::draft::{Draft, Meta};
use crate::source::Source;

/// A tree of a file.
pub(super) struct Plan {
    pub(super) name: String,
    pub(super) source: Source,
    pub(super) file: usize,
    pub(super) span: Range<usize>,
    pub(super) comments: Vec<String>,
    pub(super) meta: Vec<Meta>,
    /// Depth first; the first is the root.
    pub(super) nodes: Vec<Node>,
    /// What it says in KDL that it declares.
    pub(super) declared: Option<Draft>,
}

pub(super) struct Node {
    pub(super) meaning: Meaning,
    /// What it is called in the file: a kind of node, such as `Sequence` or `MoveBase`.
    pub(super) tag: String,
    pub(super) span: Range<usize>,
    pub(super) name: Option<String>,
    pub(super) children: Vec<usize>,
    pub(super) comments: Vec<String>,
    pub(super) meta: Vec<Meta>,
    pub(super) ports: Vec<Port>,
    /// Its scripts, each with its attribute.
    pub(super) scripts: Vec<Script>,
    pub(super) sharing: Sharing,
    /// Bytes of all that it is given.
    pub(super) bytes: usize,
    /// What says in KDL what it is.
    pub(super) kdl: Option<Attribute>,
    /// Whether it is a guard that is a property of the node below.
    pub(super) property: bool,
}

/// What a subtree sees of its user's blackboard beside its ports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sharing {
    Nothing,
    /// All names that do not begin with `_`.
    Names,
    /// Everything: there is one blackboard.
    Everything,
}

#[derive(Clone, Debug)]
pub(super) struct Port {
    pub(super) name: String,
    pub(super) value: PortValue,
    pub(super) attribute: Attribute,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum PortValue {
    /// `{key}`: an entry of the blackboard.
    Key(String),
    Text(String),
}

pub(super) struct Script {
    pub(super) role: Role,
    pub(super) statements: Vec<Statement>,
    pub(super) attribute: Attribute,
}

/// What a script of a node is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Role {
    FailureIf,
    SuccessIf,
    SkipIf,
    While,
    /// The node's own: `code`, or `if`.
    Code,
    OnSuccess,
    OnFailure,
    OnHalted,
    Post,
}

/// The attributes that are scripts.
pub(super) const ROLES: [(&str, Role); 8] = [
    ("_failureIf", Role::FailureIf),
    ("_successIf", Role::SuccessIf),
    ("_skipIf", Role::SkipIf),
    ("_while", Role::While),
    ("_onSuccess", Role::OnSuccess),
    ("_onFailure", Role::OnFailure),
    ("_onHalted", Role::OnHalted),
    ("_post", Role::Post),
];

/// The attribute that says whether an action answers within its tick, where its name does not say it.
pub(super) const AT_ONCE: &str = "_answers_at_once";

/// Whether an attribute of that name is no note of editors, whatever the node.
pub(super) fn is_own(name: &str) -> bool {
    matches!(name, "_kdl" | "_property" | AT_ONCE) || ROLES.iter().any(|(known, _)| *known == name)
}

/// Whether an attribute of that name says what a use of a tree shares with it.
pub(super) fn is_sharing(name: &str) -> bool {
    matches!(name, "_autoremap" | "__autoremap" | "__shared_blackboard")
}

/// How ports of subtrees are written: it changed between versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Version {
    Three,
    Four,
}

/// The truth value that a text is, as BehaviorTree.CPP reads them.
pub(super) fn truth_in(text: &str) -> Option<bool> {
    match text.trim() {
        "true" | "1" | "TRUE" | "True" => Some(true),
        "false" | "0" | "FALSE" | "False" => Some(false),
        _ => None,
    }
}

impl Node {
    pub(super) fn port(&self, name: &str) -> Option<&Port> {
        self.ports.iter().find(|port| port.name == name)
    }

    /// The ports that say what it reads and writes: none if it says that in KDL.
    pub(super) fn read_ports(&self) -> &[Port] {
        match self.kdl {
            Some(_) => &[],
            None => &self.ports,
        }
    }

    pub(super) fn script(&self, role: Role) -> Option<&Script> {
        self.scripts.iter().find(|script| script.role == role)
    }
}

/// The trees by name, each by its first plan.
pub(super) fn by_name(plans: &[Plan]) -> HashMap<&str, usize> {
    let mut names = HashMap::new();
    for (at, plan) in plans.iter().enumerate() {
        names.entry(plan.name.as_str()).or_insert(at);
    }
    names
}
