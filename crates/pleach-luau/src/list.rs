//! Lists and records that scripts write.

use mlua::{Lua, Table, Value};
use pleach_tree::closest;

use crate::argument::{Arguments, describe, number};
use crate::node::Node;
use crate::refusal::Refusal;

/// The largest whole number below which a number tells all whole numbers apart.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// The nodes of a list.
pub(crate) struct Nodes {
    /// A copy of the list, so that what the script does with its own changes nothing.
    pub(crate) table: Table,
    pub(crate) count: u32,
    /// Of all of them together, and of what is below.
    pub(crate) nodes: u64,
    /// Of the deepest.
    pub(crate) depth: u64,
}

impl Arguments {
    /// A list of at least one node, without holes or other entries.
    pub(crate) fn nodes(&self, lua: &Lua, position: usize) -> Result<Nodes, Refusal> {
        const ALLOWED: &str = "a list of nodes";
        if let Some(node) = Node::of(self.value(position)) {
            let name = node.core.what.name();
            let problem = format!("is a node ({name}), expected {ALLOWED}: {{ … }}");
            return Err(self.problem(position, &problem));
        }
        let list = self.table(position, ALLOWED)?;
        let count = self.list_length(position, &list)?;
        if count == 0 {
            return Err(self.problem(position, "is an empty list, expected at least one node"));
        }
        let table = lua.create_table_with_capacity(count as usize, 0)?;
        let (mut nodes, mut depth) = (0u64, 0);
        for number in 1..=count {
            let value: Value = list.raw_get(number)?;
            let Some(node) = Node::of(&value) else {
                let problem = format!(
                    "has {} as entry {number}, expected a node",
                    describe(&value)
                );
                return Err(self.problem(position, &problem));
            };
            nodes = nodes.saturating_add(node.core.nodes);
            depth = depth.max(node.core.depth);
            table.raw_set(number, node.table)?;
        }
        Ok(Nodes {
            table,
            count,
            nodes,
            depth,
        })
    }

    /// How many entries a list has, which are all that it has.
    fn list_length(&self, position: usize, list: &Table) -> Result<u32, Refusal> {
        let (mut entries, mut last) = (0u32, 0.0);
        let mut stray = None;
        list.for_each(|key: Value, _: Value| {
            match number(&key) {
                Some(index) if (1.0..MAX_EXACT).contains(&index) && index.fract() == 0.0 => {
                    entries = entries.saturating_add(1);
                    last = index.max(last);
                }
                _ => stray = Some(describe(&key)),
            }
            Ok(())
        })?;
        if let Some(key) = stray {
            let problem =
                format!("has an entry under {key}, expected a list of nodes and nothing else");
            return Err(self.problem(position, &problem));
        }
        if f64::from(entries) != last {
            // There are fewer entries than the last one's number, so one up to `entries + 1` is missing.
            let mut hole = 1u32;
            while hole <= entries && !list.raw_get::<Value>(hole)?.is_nil() {
                hole += 1;
            }
            let problem =
                format!("has nil as entry {hole}, though the list goes on to entry {last}");
            return Err(self.problem(position, &problem));
        }
        Ok(entries)
    }

    /// The fields of a record, in the order of `known`.
    ///
    /// # Errors
    /// Fields that are not known.
    pub(crate) fn fields<const N: usize>(
        &self,
        position: usize,
        record: &Table,
        known: [&str; N],
    ) -> Result<[Value; N], Refusal> {
        let mut unknown: Option<Value> = None;
        record.for_each(|key: Value, _: Value| {
            let text = key.as_string().map(mlua::LuaString::to_string_lossy);
            if !text.is_some_and(|text| known.contains(&text.as_str())) {
                unknown.get_or_insert(key);
            }
            Ok(())
        })?;
        if let Some(key) = unknown {
            let mut problem = format!(
                "has an unknown field {}; known are {}",
                describe(&key),
                known.join(", ")
            );
            let text = key.as_string().map(mlua::LuaString::to_string_lossy);
            if let Some(meant) = text.and_then(|text| closest(&text, known).map(str::to_owned)) {
                problem += &format!("; did you mean {meant}?");
            }
            return Err(self.problem(position, &problem));
        }
        let mut values = [const { Value::Nil }; N];
        for (value, name) in values.iter_mut().zip(known) {
            *value = record.raw_get(name)?;
        }
        Ok(values)
    }
}
