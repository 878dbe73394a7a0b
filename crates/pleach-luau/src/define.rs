//! The functions that make nodes.

use mlua::{Lua, MultiValue, Table, Value};
use pleach_shape::{MAX_DEPTH, MAX_NODES, MAX_RANDOM_CHILDREN};
use pleach_tree::Threshold;

use crate::argument::{Arguments, describe, whole};
use crate::node::{Node, NodeCore, NodeMaker, What};
use crate::refusal::Refusal;
use crate::surface::Surface;

/// A function of the module that makes a node.
struct Definition {
    function: &'static str,
    /// What its arguments are called.
    names: &'static [&'static str],
    make: fn(&Lua, &Arguments) -> Result<Made, Refusal>,
}

/// What a definition comes to.
struct Made {
    what: What,
    parts: Table,
    /// Nodes below it.
    nodes: u64,
    /// Of the deepest of them; `None` for a leaf.
    depth: Option<u64>,
}

const DEFINITIONS: [Definition; 19] = [
    definition("Sequence", &["nodes"], |lua, a| {
        list(lua, a, What::Sequence)
    }),
    definition("Selector", &["nodes"], |lua, a| {
        list(lua, a, What::Selector)
    }),
    definition("RandomSequence", &["nodes"], |lua, a| {
        random(lua, a, What::RandomSequence)
    }),
    definition("RandomSelector", &["nodes"], |lua, a| {
        random(lua, a, What::RandomSelector)
    }),
    definition("Parallel", &["nodes", "policy"], parallel),
    definition("Invert", &["node"], |lua, a| {
        around(lua, a.node(0)?, What::Invert)
    }),
    definition("Succeeder", &["node"], |lua, a| {
        around(lua, a.node(0)?, What::Succeeder)
    }),
    definition("Failer", &["node"], |lua, a| {
        around(lua, a.node(0)?, What::Failer)
    }),
    definition("Repeat", &["node", "n", "breakOnFailure"], |lua, a| {
        let node = a.node(0)?;
        let what = What::Repeat {
            times: a.times(1)?,
            break_on_failure: a.flag(2)?.unwrap_or(true),
        };
        around(lua, node, what)
    }),
    definition("RepeatUntilFailure", &["node", "maxAttempts"], |lua, a| {
        around(lua, a.node(0)?, What::RepeatUntilFailure(a.times(1)?))
    }),
    definition("RepeatUntilSuccess", &["node", "maxAttempts"], |lua, a| {
        around(lua, a.node(0)?, What::RepeatUntilSuccess(a.times(1)?))
    }),
    definition("Cooldown", &["node", "t"], |lua, a| {
        around(lua, a.node(0)?, What::Cooldown(a.seconds(1)?))
    }),
    definition("Timeout", &["node", "t"], |lua, a| {
        around(lua, a.node(0)?, What::Timeout(a.seconds(1)?))
    }),
    definition("Delay", &["node", "t"], |lua, a| {
        around(lua, a.node(0)?, What::Delay(a.seconds(1)?))
    }),
    definition("Condition", &["fn"], |lua, a| {
        let parts = lua.create_sequence_from([a.function(0)?])?;
        leaf(What::Condition, parts)
    }),
    definition("Task", &["def"], task),
    definition("Wait", &["t"], |lua, a| {
        leaf(What::Wait(a.seconds(0)?), lua.create_table()?)
    }),
    definition("Succeed", &[], |lua, _| {
        leaf(What::Succeed, lua.create_table()?)
    }),
    definition("Fail", &[], |lua, _| leaf(What::Fail, lua.create_table()?)),
];

const fn definition(
    function: &'static str,
    names: &'static [&'static str],
    make: fn(&Lua, &Arguments) -> Result<Made, Refusal>,
) -> Definition {
    Definition {
        function,
        names,
        make,
    }
}

/// Adds the functions that make nodes to the module.
pub(crate) fn add_to(lua: &Lua, module: &Table, surface: &Surface) -> mlua::Result<()> {
    let maker = NodeMaker::new(lua)?;
    for Definition {
        function,
        names,
        make,
    } in DEFINITIONS
    {
        let maker = maker.clone();
        let call = surface.answering(lua, move |lua, values: MultiValue| {
            let arguments = Arguments::new(function, names, values)?;
            let made = make(lua, &arguments)?;
            maker.make(lua, within_limits(function, &made)?, made.parts)
        })?;
        module.raw_set(function, call)?;
    }
    Ok(())
}

/// Refuses what no tree could hold, at the call that goes too far: a shared node can make a small
/// definition an endless tree.
fn within_limits(function: &str, made: &Made) -> Result<NodeCore, Refusal> {
    let core = NodeCore {
        what: made.what.clone(),
        nodes: made.nodes.saturating_add(1),
        depth: made.depth.map_or(0, |depth| depth + 1),
    };
    if core.nodes > MAX_NODES as u64 {
        return Err(format!(
            "BehaviorTree.{function}: it would have {} nodes below and including itself (one that is \
             shared counts wherever it is), allowed are {MAX_NODES}",
            core.nodes
        )
        .into());
    }
    if core.depth > MAX_DEPTH as u64 {
        return Err(format!(
            "BehaviorTree.{function}: it would nest {} levels deep, allowed are {MAX_DEPTH}",
            core.depth
        )
        .into());
    }
    Ok(core)
}

fn leaf(what: What, parts: Table) -> Result<Made, Refusal> {
    Ok(Made {
        what,
        parts,
        nodes: 0,
        depth: None,
    })
}

fn around(lua: &Lua, node: Node, what: What) -> Result<Made, Refusal> {
    Ok(Made {
        what,
        parts: lua.create_sequence_from([&node.table])?,
        nodes: node.core.nodes,
        depth: Some(node.core.depth),
    })
}

fn list(lua: &Lua, arguments: &Arguments, what: What) -> Result<Made, Refusal> {
    let nodes = arguments.nodes(lua, 0)?;
    Ok(Made {
        what,
        parts: nodes.table,
        nodes: nodes.nodes,
        depth: Some(nodes.depth),
    })
}

fn random(lua: &Lua, arguments: &Arguments, what: What) -> Result<Made, Refusal> {
    let nodes = arguments.nodes(lua, 0)?;
    if nodes.count as usize > MAX_RANDOM_CHILDREN {
        let problem = format!(
            "has {} entries, allowed are {MAX_RANDOM_CHILDREN} in random order",
            nodes.count
        );
        return Err(arguments.problem(0, &problem));
    }
    Ok(Made {
        what,
        parts: nodes.table,
        nodes: nodes.nodes,
        depth: Some(nodes.depth),
    })
}

fn parallel(lua: &Lua, arguments: &Arguments) -> Result<Made, Refusal> {
    let nodes = arguments.nodes(lua, 0)?;
    let (mut success, mut failure) = (Threshold::All, Threshold::Count(1));
    if !arguments.value(1).is_nil() {
        let policy = arguments.table(1, "a table with thresholds, or nil")?;
        let names = ["SuccessThreshold", "FailureThreshold"];
        let values = arguments.fields(1, &policy, names)?;
        for ((value, name), threshold) in values.iter().zip(names).zip([&mut success, &mut failure])
        {
            if value.is_nil() {
                continue;
            }
            let Some(count) = whole(value, nodes.count) else {
                let problem = format!(
                    "has {} as {name}, expected a whole number from 1 to {}, the number of nodes",
                    describe(value),
                    nodes.count
                );
                return Err(arguments.problem(1, &problem));
            };
            *threshold = Threshold::Count(count);
        }
    }
    Ok(Made {
        what: What::Parallel { success, failure },
        parts: nodes.table,
        nodes: nodes.nodes,
        depth: Some(nodes.depth),
    })
}

fn task(lua: &Lua, arguments: &Arguments) -> Result<Made, Refusal> {
    let allowed = "a table with run, and onEnter and onExit if wanted";
    let def = arguments.table(0, allowed)?;
    let names = ["run", "onEnter", "onExit"];
    let mut callbacks = arguments.fields(0, &def, names)?;
    for (value, name) in callbacks.iter().zip(names) {
        let fits = value.is_function() || (value.is_nil() && name != "run");
        if !fits {
            let or_nil = if name == "run" { "" } else { " or nil" };
            let problem = format!(
                "has {} as {name}, expected a function{or_nil}",
                describe(value)
            );
            return Err(arguments.problem(0, &problem));
        }
    }
    let [_, enters, exits] = [0, 1, 2].map(|callback| callbacks[callback].is_function());
    for callback in &mut callbacks {
        if callback.is_nil() {
            *callback = Value::Boolean(false);
        }
    }
    let parts = lua.create_sequence_from(callbacks)?;
    leaf(What::Task { enters, exits }, parts)
}
