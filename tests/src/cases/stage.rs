//! What the callbacks of a case answer, and what was called: for one actor, under any interpreter.

use std::collections::BTreeMap;

use pleach_shape::{Status, Value};

use super::case::Case;
use super::score::{Mark, Sign};

/// What one actor's tick came to, as every interpreter can tell it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Beat {
    pub(super) root: Option<Status>,
    /// Visits to tasks and queries, and aborts of tasks, in order.
    pub(super) calls: Vec<Mark>,
    /// Sorted.
    pub(super) requests: Vec<Mark>,
    pub(super) columns: Vec<Value>,
    /// Canonical state.
    pub(super) state: Vec<(u32, u64)>,
    pub(super) loaded: bool,
}

/// An actor's callbacks.
#[derive(Debug)]
pub(super) struct Stage {
    /// How many ticks late it follows the case.
    pub(super) shift: usize,
    /// Shuffled tasks that were visited: whose script each follows. See [`Case::shuffled`].
    cast: BTreeMap<u32, u32>,
    /// Tasks that were entered: under which name.
    entered: BTreeMap<u32, u32>,
    fresh: bool,
    pub(super) calls: Vec<Mark>,
    /// What the case does not foresee, in words.
    pub(super) surprises: Vec<String>,
}

impl Stage {
    pub(super) fn new(shift: usize) -> Stage {
        Stage {
            shift,
            cast: BTreeMap::new(),
            entered: BTreeMap::new(),
            fresh: false,
            calls: Vec::new(),
            surprises: Vec::new(),
        }
    }

    /// Before a tick.
    pub(super) fn begin(&mut self, case: &Case, tick: usize) {
        if case.recast[case.at(tick, self.shift)] {
            self.cast.clear();
        }
    }

    pub(super) fn enter(&mut self, case: &Case, node: u32) {
        let role = if case.shuffled.contains(&node) {
            let next = case.shuffled[self.cast.len().min(case.shuffled.len() - 1)];
            *self.cast.entry(node).or_insert(next)
        } else {
            node
        };
        self.entered.insert(node, role);
        self.fresh = true;
    }

    pub(super) fn run(&mut self, case: &Case, node: u32, tick: usize) -> Status {
        let role = self.role(node);
        let sign = match std::mem::take(&mut self.fresh) {
            true => Sign::Fresh,
            false => Sign::Resumed,
        };
        self.calls.push(Mark::new(sign, role));
        self.answer(case, role, tick)
    }

    pub(super) fn query(&mut self, case: &Case, node: u32, tick: usize) -> bool {
        self.calls.push(Mark::new(Sign::Fresh, node));
        self.answer(case, node, tick) == Status::Success
    }

    pub(super) fn abort(&mut self, node: u32) {
        let role = self.role(node);
        self.calls.push(Mark::new(Sign::Halted, role));
    }

    /// The name under which a task was entered last; any other node goes under its own.
    pub(super) fn role(&self, node: u32) -> u32 {
        self.entered.get(&node).copied().unwrap_or(node)
    }

    fn answer(&mut self, case: &Case, role: u32, tick: usize) -> Status {
        let row = case.answers.get(&role);
        let cell = row.and_then(|row| row[case.at(tick, self.shift)]);
        // One that is late visits leaves in ticks for which their scripts were not made.
        if cell.is_none() && self.shift == 0 {
            let name = case.names[role as usize].as_deref().unwrap_or_default();
            self.surprises
                .push(format!("`{name}` is visited, but its row says nothing"));
        }
        cell.unwrap_or(Status::Success)
    }
}
