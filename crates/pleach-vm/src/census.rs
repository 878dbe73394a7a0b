//! The census: how many actors were at each node.

use pleach_shape::{Status, TokenIndex};

use crate::observe::{Event, Observer};
use crate::plane::Plane;

/// How many actors were at one node in one tick.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct NodeCount {
    /// Actors that visited the node.
    pub active: u32,
    /// Of those, actors for which it was not running before the tick.
    pub starts: u32,
    /// Actors for which it answered Success.
    pub successes: u32,
    /// Actors for which it answered Failure.
    pub failures: u32,
    /// Actors for which it was running, or answered Running in this tick, and was halted.
    pub halts: u32,
}

impl NodeCount {
    pub(crate) fn add(&mut self, other: NodeCount) {
        self.active += other.active;
        self.starts += other.starts;
        self.successes += other.successes;
        self.failures += other.failures;
        self.halts += other.halts;
    }
}

/// A block's side of the census: planes for each node.
#[derive(Default)]
pub(crate) struct BlockCensus {
    nodes: Vec<NodePlanes>,
    pub(crate) counts: Vec<NodeCount>,
    /// The lane that is being walked, and its nodes that have answered Running so far, in the order
    /// of their answers: what a roll-back takes back is at the end, so that each is taken back once.
    lane: usize,
    running: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct NodePlanes {
    /// Visited in this tick.
    visited: Plane,
    success: Plane,
    failure: Plane,
    /// Answered Running in this tick, and not rolled back.
    running: Plane,
    /// Running before this tick.
    ran: Plane,
}

impl BlockCensus {
    /// `None` if the memory cannot be had.
    pub(crate) fn new(nodes: usize) -> Option<BlockCensus> {
        fn filled<T: Clone + Default>(len: usize) -> Option<Vec<T>> {
            let mut list = Vec::new();
            list.try_reserve_exact(len).ok()?;
            list.resize(len, T::default());
            Some(list)
        }
        let mut running = filled(nodes)?;
        running.clear();
        Some(BlockCensus {
            nodes: filled(nodes)?,
            counts: filled(nodes)?,
            lane: 0,
            running,
        })
    }

    /// Lanes that leave the tree: whatever ran is halted before the tick begins.
    pub(crate) fn leave(&mut self, leaving: Plane) {
        for (planes, count) in self.nodes.iter_mut().zip(&mut self.counts) {
            *count = NodeCount {
                halts: (planes.running & leaving).count(),
                ..NodeCount::default()
            };
            planes.running &= !leaving;
        }
    }

    /// Readies the planes for a tick of these lanes; the others keep what they run.
    pub(crate) fn begin(&mut self, ticked: Plane) {
        self.running.clear();
        for planes in &mut self.nodes {
            planes.ran = planes.running;
            planes.running &= !ticked;
            planes.visited = Plane::EMPTY;
            planes.success = Plane::EMPTY;
            planes.failure = Plane::EMPTY;
        }
    }

    /// Counts what the walks of these lanes left in the planes.
    pub(crate) fn finish(&mut self, ticked: Plane) {
        for (planes, count) in self.nodes.iter().zip(&mut self.counts) {
            let finished = planes.success | planes.failure;
            let open = (planes.ran & ticked) | planes.visited;
            count.add(NodeCount {
                active: planes.visited.count(),
                starts: (planes.visited & !planes.ran).count(),
                successes: planes.success.count(),
                failures: planes.failure.count(),
                halts: (open & !finished & !planes.running).count(),
            });
        }
    }

    fn answer(&mut self, node: TokenIndex, lane: usize, status: Status) {
        let planes = &mut self.nodes[node.at()];
        match status {
            Status::Success => planes.success.put(lane, true),
            Status::Failure => planes.failure.put(lane, true),
            Status::Running => {
                planes.running.put(lane, true);
                self.running.push(node.0);
            }
        }
    }
}

impl Observer for BlockCensus {
    fn see(&mut self, lane: usize, event: Event) {
        if lane != self.lane {
            self.lane = lane;
            self.running.clear();
        }
        match event {
            Event::Enter(node) => self.nodes[node.at()].visited.put(lane, true),
            Event::Leaf(node, status) => {
                self.nodes[node.at()].visited.put(lane, true);
                self.answer(node, lane, status);
            }
            Event::React { .. } => {}
            Event::Leave(node, status) => self.answer(node, lane, status),
            Event::RollBack(from, _) => {
                while let Some(node) = self.running.pop_if(|node| *node >= from.0) {
                    self.nodes[node as usize].running.put(lane, false);
                }
            }
        }
    }
}
