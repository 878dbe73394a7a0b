//! What an actor remembers between two ticks.

use std::collections::{BTreeMap, BTreeSet};

use pleach_shape::Status;

use crate::observation::{DONE_FAILURE, DONE_SUCCESS, RUNS};

/// The memory of one actor, by depth-first index. T4: only what answered Running is in it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Memory {
    /// Every node that runs, of whatever kind.
    pub(crate) running: BTreeSet<u32>,
    /// The running child of each running Sequence and Selector (C1).
    pub(crate) child: BTreeMap<u32, u32>,
    /// The deadline of each running Wait (D4).
    pub(crate) deadline: BTreeMap<u32, u64>,
    /// The running Tasks, each between its enter and its exit (L4).
    pub(crate) tasks: BTreeSet<u32>,
    /// The finished children of running Parallels, and how they finished (C3).
    pub(crate) done: BTreeMap<u32, Status>,
}

impl Memory {
    /// Forgets the nodes `first..end`.
    pub(crate) fn forget(&mut self, first: u32, end: u32) {
        let keeps = |index: &u32| !(first..end).contains(index);
        self.running.retain(keeps);
        self.tasks.retain(keeps);
        self.child.retain(|index, _| keeps(index));
        self.deadline.retain(|index, _| keeps(index));
        self.done.retain(|index, _| keeps(index));
    }

    /// The canonical form; see [`Observation::state`](crate::observation::Observation::state).
    pub(crate) fn canonical(&self) -> Vec<(u32, u64)> {
        let children = self
            .child
            .iter()
            .map(|(&node, &child)| (node, u64::from(child)));
        let deadlines = self.deadline.iter().map(|(&node, &at)| (node, at));
        let tasks = self.tasks.iter().map(|&node| (node, RUNS));
        let done = self.done.iter().map(|(&node, status)| match status {
            Status::Success => (node, DONE_SUCCESS),
            _ => (node, DONE_FAILURE),
        });
        let mut records: Vec<(u32, u64)> =
            children.chain(deadlines).chain(tasks).chain(done).collect();
        records.sort_unstable();
        records
    }
}
