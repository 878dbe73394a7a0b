//! What an actor remembers between two ticks.

use std::collections::{BTreeMap, BTreeSet};

use pleach_shape::Status;

use crate::observation::{
    COOLING_BASE, COUNT_BASE, DONE_FAILURE, DONE_SUCCESS, ONCE_FAILURE, ONCE_SUCCESS, ORDER_BASE,
    RUNS,
};

/// The memory of one actor, by depth-first index. T4: only what answered Running is in it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Memory {
    /// Every node that runs, of whatever kind.
    pub(crate) running: BTreeSet<u32>,
    /// The running child of each node that resumes at it (C1, C2, C6, D2 to D6).
    pub(crate) child: BTreeMap<u32, u32>,
    /// The deadline of each running Wait, Timeout, and Delay before its child (D4).
    pub(crate) deadline: BTreeMap<u32, u64>,
    /// The running Tasks, each between its enter and its exit (L4).
    pub(crate) tasks: BTreeSet<u32>,
    /// The finished children of running Parallels, and how they finished (C3).
    pub(crate) done: BTreeMap<u32, Status>,
    /// Of each running random composite, which of its children are over, by their place among them
    /// (C2).
    pub(crate) order: BTreeMap<u32, BTreeSet<u32>>,
    /// Of each running loop with a limit, how many iterations are over (D2).
    pub(crate) iterations: BTreeMap<u32, u32>,
    /// The loops between two iterations (D2).
    pub(crate) between: BTreeSet<u32>,
    /// Of each running composite that resumes, how many of its children have been skipped (K1).
    pub(crate) skipped: BTreeMap<u32, usize>,
    /// Of each running PipelineSequence, the last child to which the way is open, by its place (N1).
    pub(crate) reached: BTreeMap<u32, usize>,
    /// Of each running RoundRobin, the place at which its pass began, and how many children are left (N2).
    pub(crate) turn: BTreeMap<u32, (usize, usize)>,
    /// Of each running Recovery, how often its second child has helped (N3).
    pub(crate) helped: BTreeMap<u32, u32>,
}

/// What outlives running and halting: only a reset or a despawn forgets it.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Persistent {
    /// When each Cooldown was or will be over (D3).
    pub(crate) cooling: BTreeMap<u32, u64>,
    /// How each RunOnce has finished (D6, K1).
    pub(crate) once: BTreeMap<u32, Status>,
    /// The place at which each KeepSequence and RoundRobin goes on (C7, N2).
    pub(crate) place: BTreeMap<u32, usize>,
}

impl Memory {
    /// Forgets the nodes `first..end`.
    pub(crate) fn forget(&mut self, first: u32, end: u32) {
        let keeps = |index: &u32| !(first..end).contains(index);
        self.running.retain(keeps);
        self.tasks.retain(keeps);
        self.between.retain(keeps);
        self.child.retain(|index, _| keeps(index));
        self.deadline.retain(|index, _| keeps(index));
        self.done.retain(|index, _| keeps(index));
        self.order.retain(|index, _| keeps(index));
        self.iterations.retain(|index, _| keeps(index));
        self.skipped.retain(|index, _| keeps(index));
        self.reached.retain(|index, _| keeps(index));
        self.turn.retain(|index, _| keeps(index));
        self.helped.retain(|index, _| keeps(index));
    }

    /// The canonical form at a moment of the clock; see
    /// [`Observation::state`](crate::observation::Observation::state).
    pub(crate) fn canonical(&self, persistent: &Persistent, clock: u64) -> Vec<(u32, u64)> {
        let mut records: Vec<(u32, u64)> = Vec::new();
        let children = self.child.iter();
        records.extend(children.map(|(&node, &child)| (node, u64::from(child))));
        records.extend(self.deadline.iter().map(|(&node, &at)| (node, at)));
        records.extend(self.tasks.iter().map(|&node| (node, RUNS)));
        records.extend(self.between.iter().map(|&node| (node, RUNS)));
        records.extend(self.done.iter().map(|(&node, status)| match status {
            Status::Success => (node, DONE_SUCCESS),
            _ => (node, DONE_FAILURE),
        }));
        let iterations = self.iterations.iter();
        records.extend(iterations.map(|(&node, &over)| (node, COUNT_BASE + u64::from(over))));
        records.extend(self.order.iter().map(|(&node, over)| {
            let bits: u64 = over.iter().map(|&place| 1 << place).sum();
            (node, ORDER_BASE.wrapping_add(bits))
        }));
        let cooling = persistent.cooling.iter().filter(|(_, at)| **at > clock);
        records.extend(cooling.map(|(&node, &at)| (node, COOLING_BASE + at)));
        records.extend(persistent.once.iter().map(|(&node, status)| match status {
            Status::Success => (node, ONCE_SUCCESS),
            _ => (node, ONCE_FAILURE),
        }));
        records.sort_unstable();
        records
    }
}
