//! A node and its children, before they are part of a tree.

use std::fmt;

use crate::kind::{NodeKind, Parameter, ParameterValue};
use crate::nodes::succeed;

/// A node and its children, not yet part of a tree.
pub struct NodeDef {
    kind: NodeKind,
    name: Option<String>,
    children: Vec<NodeDef>,
    /// A parameter that was given to a kind of node that takes none.
    stray_param: Option<String>,
}

impl NodeDef {
    /// A node of any kind with any children; the compiler checks that they fit.
    pub fn new(kind: NodeKind, children: impl IntoIterator<Item = NodeDef>) -> NodeDef {
        NodeDef {
            kind,
            name: None,
            children: children.into_iter().collect(),
            stray_param: None,
        }
    }

    /// Names the node, for paths and reports.
    pub fn named(mut self, name: impl Into<String>) -> NodeDef {
        self.name = Some(name.into());
        self
    }

    /// Adds a constant parameter to an action, task or query; the compiler refuses it elsewhere.
    /// For a parameter that is read from a column, see [`param_from`](NodeDef::param_from).
    pub fn param(self, name: impl Into<String>, value: impl Into<ParameterValue>) -> NodeDef {
        self.with_param(name.into(), value.into())
    }

    /// Adds a parameter that is read from a blackboard column or world value, per actor.
    pub fn param_from(self, name: impl Into<String>, source: impl Into<String>) -> NodeDef {
        self.with_param(name.into(), ParameterValue::Name(source.into()))
    }

    fn with_param(mut self, name: String, value: ParameterValue) -> NodeDef {
        match &mut self.kind {
            NodeKind::Query(call)
            | NodeKind::Action(call)
            | NodeKind::PersistentAction(call)
            | NodeKind::Task(call) => call.params.push(Parameter { name, value }),
            // A builder cannot fail: the compiler refuses it, with the node's path.
            _ => {
                self.stray_param.get_or_insert(name);
            }
        }
        self
    }

    /// What the node does.
    pub fn kind(&self) -> &NodeKind {
        &self.kind
    }

    /// The node's name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The node's children, in order.
    pub fn children(&self) -> &[NodeDef] {
        &self.children
    }

    pub(crate) fn take_children(&mut self) -> Vec<NodeDef> {
        std::mem::take(&mut self.children)
    }

    pub(crate) fn take_kind(&mut self) -> NodeKind {
        std::mem::replace(&mut self.kind, NodeKind::Fail)
    }

    pub(crate) fn take_stray_param(&mut self) -> Option<String> {
        self.stray_param.take()
    }

    pub(crate) fn take_name(&mut self) -> Option<String> {
        self.name.take()
    }
}

impl Drop for NodeDef {
    /// Takes the descendants apart one by one: a chain of any depth drops without recursion.
    fn drop(&mut self) {
        let mut pending = self.take_children();
        while let Some(mut def) = pending.pop() {
            pending.append(&mut def.children);
        }
    }
}

// Derived, these would recurse as deep as the definition.

impl Clone for NodeDef {
    fn clone(&self) -> NodeDef {
        // Definitions that are being copied, outermost first, with the children copied so far.
        let mut open: Vec<(&NodeDef, Vec<NodeDef>)> = vec![(self, Vec::new())];
        loop {
            let next = open
                .last()
                .and_then(|(def, copied)| def.children.get(copied.len()));
            if let Some(child) = next {
                open.push((child, Vec::with_capacity(child.children.len())));
                continue;
            }
            // There is always one: the first is only taken to be returned.
            let Some((def, children)) = open.pop() else {
                return succeed();
            };
            let copy = NodeDef {
                kind: def.kind.clone(),
                name: def.name.clone(),
                children,
                stray_param: def.stray_param.clone(),
            };
            match open.last_mut() {
                Some((_, siblings)) => siblings.push(copy),
                None => return copy,
            }
        }
    }
}

impl PartialEq for NodeDef {
    fn eq(&self, other: &NodeDef) -> bool {
        let mut pending = vec![(self, other)];
        while let Some((a, b)) = pending.pop() {
            if (&a.kind, &a.name, &a.stray_param) != (&b.kind, &b.name, &b.stray_param)
                || a.children.len() != b.children.len()
            {
                return false;
            }
            pending.extend(a.children.iter().zip(&b.children));
        }
        true
    }
}

impl fmt::Debug for NodeDef {
    /// The node itself and how many children it has.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.kind)?;
        if let Some(name) = &self.name {
            write!(f, " {name:?}")?;
        }
        match self.children.len() {
            0 => Ok(()),
            1 => f.write_str(" with 1 child"),
            count => write!(f, " with {count} children"),
        }
    }
}
