//! A node as a script holds it, before it is part of a tree.
//!
//! It is an empty, frozen table with a locked metatable of its own, and what it is made of lies in
//! there. So a script can neither look inside nor change it (a definition never contains itself),
//! while the collector sees the callbacks: a callback that refers to its own definition or tree is no
//! reason to keep it. A userdata could not do that, since what Rust holds of Lua is held for ever.

use std::time::Duration;

use mlua::{AnyUserData, Function, Lua, Table, Value};
use pleach_tree::{NodeKind, Threshold};

use crate::refusal::Refusal;

/// Where a metatable holds what Rust knows of a node or tree.
pub(crate) const CORE: i32 = 1;
/// Where a node's metatable holds its children, or the callbacks of a leaf.
const PARTS: i32 = 2;

/// What a node does.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum What {
    Sequence,
    Selector,
    RandomSequence,
    RandomSelector,
    Parallel {
        success: Threshold,
        failure: Threshold,
    },
    Invert,
    Succeeder,
    Failer,
    Repeat {
        times: Option<u32>,
        break_on_failure: bool,
    },
    RepeatUntilFailure(Option<u32>),
    RepeatUntilSuccess(Option<u32>),
    Cooldown(Duration),
    Timeout(Duration),
    Delay(Duration),
    /// Its one part is the function.
    Condition,
    /// Its parts are `run`, `onEnter` and `onExit`; `false` for what it does without.
    Task {
        enters: bool,
        exits: bool,
    },
    Wait(Duration),
    Succeed,
    Fail,
}

impl What {
    /// The function that makes it.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            What::Sequence => "Sequence",
            What::Selector => "Selector",
            What::RandomSequence => "RandomSequence",
            What::RandomSelector => "RandomSelector",
            What::Parallel { .. } => "Parallel",
            What::Invert => "Invert",
            What::Succeeder => "Succeeder",
            What::Failer => "Failer",
            What::Repeat { .. } => "Repeat",
            What::RepeatUntilFailure(_) => "RepeatUntilFailure",
            What::RepeatUntilSuccess(_) => "RepeatUntilSuccess",
            What::Cooldown(_) => "Cooldown",
            What::Timeout(_) => "Timeout",
            What::Delay(_) => "Delay",
            What::Condition => "Condition",
            What::Task { .. } => "Task",
            What::Wait(_) => "Wait",
            What::Succeed => "Succeed",
            What::Fail => "Fail",
        }
    }

    /// Whether its parts are callbacks, not nodes.
    pub(crate) const fn calls(&self) -> bool {
        matches!(self, What::Condition | What::Task { .. })
    }

    /// The node of the library that does it. `function` names a leaf's callbacks.
    pub(crate) fn kind(&self, function: &str) -> NodeKind {
        let call = || pleach_tree::Call {
            name: function.to_owned(),
            params: Vec::new(),
        };
        match *self {
            What::Sequence => NodeKind::Sequence,
            // It reacts: a child further left takes over from the one that was running.
            What::Selector => NodeKind::ReactiveSelector,
            What::RandomSequence => NodeKind::RandomSequence,
            What::RandomSelector => NodeKind::RandomSelector,
            What::Parallel { success, failure } => NodeKind::Parallel { success, failure },
            What::Invert => NodeKind::Invert,
            What::Succeeder => NodeKind::Succeeder,
            What::Failer => NodeKind::Failer,
            What::Repeat {
                times,
                break_on_failure,
            } => NodeKind::Repeat {
                times,
                break_on_failure,
            },
            What::RepeatUntilFailure(max) => NodeKind::RepeatUntilFailure { max },
            What::RepeatUntilSuccess(max) => NodeKind::RepeatUntilSuccess { max },
            What::Cooldown(time) => NodeKind::Cooldown(time),
            What::Timeout(time) => NodeKind::Timeout(time),
            What::Delay(time) => NodeKind::Delay(time),
            What::Condition => NodeKind::Query(call()),
            What::Task { .. } => NodeKind::Task(call()),
            What::Wait(time) => NodeKind::Wait(time),
            What::Succeed => NodeKind::Succeed,
            What::Fail => NodeKind::Fail,
        }
    }
}

/// What Rust knows of a node.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct NodeCore {
    pub(crate) what: What,
    /// Nodes below and including this one; one that is shared counts at each of its places.
    pub(crate) nodes: u64,
    /// Parents on the longest way down, itself included; 0 for a leaf.
    pub(crate) depth: u64,
}

/// A node in a script's hands.
pub(crate) struct Node {
    pub(crate) core: NodeCore,
    /// The table that stands for it.
    pub(crate) table: Table,
    metatable: Table,
}

impl Node {
    /// The node that a value stands for.
    pub(crate) fn of(value: &Value) -> Option<Node> {
        let Value::Table(table) = value else {
            return None;
        };
        let metatable = table.metatable()?;
        let core: AnyUserData = metatable.raw_get(CORE).ok()?;
        let core = core.borrow::<NodeCore>().ok()?.clone();
        Some(Node {
            core,
            table: table.clone(),
            metatable,
        })
    }

    /// Its children, or the callbacks of a leaf.
    pub(crate) fn parts(&self) -> mlua::Result<Table> {
        self.metatable.raw_get(PARTS)
    }
}

/// Makes nodes.
#[derive(Clone)]
pub(crate) struct NodeMaker {
    to_string: Function,
}

impl NodeMaker {
    pub(crate) fn new(lua: &Lua) -> mlua::Result<NodeMaker> {
        let to_string = lua.create_function(|_, value: Value| {
            let node = Node::of(&value);
            Ok(node.map(|node| format!("BehaviorTree.{}", node.core.what.name())))
        })?;
        Ok(NodeMaker { to_string })
    }

    /// The table that stands for a node. `parts` must not be written to any more.
    pub(crate) fn make(&self, lua: &Lua, core: NodeCore, parts: Table) -> Result<Table, Refusal> {
        let core = lua.create_any_userdata(core)?;
        let metatable = lua.create_table_with_capacity(2, 2)?;
        metatable.raw_set(CORE, core)?;
        metatable.raw_set(PARTS, parts)?;
        metatable.raw_set("__tostring", &self.to_string)?;
        lock(lua, metatable)
    }
}

/// An empty, frozen table under a metatable that scripts cannot get at.
pub(crate) fn lock(lua: &Lua, metatable: Table) -> Result<Table, Refusal> {
    metatable.raw_set("__metatable", "locked")?;
    metatable.set_readonly(true);
    let table = lua.create_table()?;
    table.set_metatable(Some(metatable))?;
    table.set_readonly(true);
    Ok(table)
}
