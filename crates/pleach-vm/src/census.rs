//! The census: how many actors were at each node.
//!
//! Kernels tell of leaves and of groups only. What parents answered follows from their children,
//! whatever the kernel: a sequence fails where a child fails, runs where a child runs, and succeeds
//! where its last child does.

use pleach_shape::{Op, Shape, Status};

use crate::observe::{Event, Observer};
use crate::plane::Plane;
use crate::simd::{Form, Simd, Work};

/// How many actors were at one node in one tick.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct NodeCount {
    /// Actors that visited the node and got an answer. (A visit that an AbortWhen cuts short, of the nodes
    /// above it, is not counted.)
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
    /// Whether all counts are zero.
    blank: bool,
}

#[derive(Clone, Copy, Default)]
struct NodePlanes {
    /// What it answered in this tick.
    success: Plane,
    failure: Plane,
    answered_running: Plane,
    /// Halted within this tick by a group around it, or, while the tick goes on, by this group.
    rolled_back: Plane,
    /// Running before this tick; behind it, running behind it.
    running: Plane,
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
        Some(BlockCensus {
            nodes: filled(nodes)?,
            counts: filled(nodes)?,
            blank: true,
        })
    }

    /// Lanes that leave the tree: whatever ran is halted before the tick begins.
    pub(crate) fn leave(&mut self, leaving: Plane) {
        if leaving.is_empty() {
            if !self.blank {
                self.counts.fill(NodeCount::default());
                self.blank = true;
            }
            return;
        }
        self.blank = false;
        for (planes, count) in self.nodes.iter_mut().zip(&mut self.counts) {
            *count = NodeCount {
                halts: (planes.running & leaving).count(),
                ..NodeCount::default()
            };
            planes.running &= !leaving;
        }
    }

    /// Readies the planes for a tick.
    pub(crate) fn begin(&mut self) {
        self.blank = false;
        for planes in &mut self.nodes {
            *planes = NodePlanes {
                running: planes.running,
                ..NodePlanes::default()
            };
        }
    }

    /// A leaf, or a group, has answered for these lanes.
    pub(crate) fn answer(&mut self, node: u32, success: Plane, failure: Plane, running: Plane) {
        let planes = &mut self.nodes[node as usize];
        planes.success |= success;
        planes.failure |= failure;
        planes.answered_running |= running;
    }

    /// A group has halted what ran below it.
    pub(crate) fn roll_back(&mut self, group: u32, lanes: Plane) {
        self.nodes[group as usize].rolled_back |= lanes;
    }

    /// Follows the answers up and the halts down, and counts. Lanes that did not tick keep what they
    /// run.
    pub(crate) fn finish(&mut self, simd: Simd, shape: &Shape, ticked: Plane) {
        simd.run(Finish {
            census: self,
            shape,
            ticked,
        });
    }
}

/// See [`BlockCensus::finish`].
struct Finish<'a> {
    census: &'a mut BlockCensus,
    shape: &'a Shape,
    ticked: Plane,
}

impl Work for Finish<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Form>(self, form: F) {
        let plain = self.shape.plain();
        let nodes = &mut self.census.nodes;
        let or = |into: &mut Plane, lanes: &Plane| {
            form.store(form.or(form.load(into), form.load(lanes)), into);
        };
        for (child, token) in plain.iter().enumerate().skip(1).rev() {
            let (above, below) = nodes.split_at_mut(child);
            let (parent, answered) = (&mut above[token.link as usize], &below[0]);
            if answered.nobody(form) {
                continue;
            }
            let above = plain[token.link as usize];
            let last = above.end == token.end;
            match above.op() {
                Some(Op::Sequence | Op::ReactiveSequence) => {
                    or(&mut parent.failure, &answered.failure);
                    if last {
                        or(&mut parent.success, &answered.success);
                    }
                }
                Some(Op::Selector | Op::ReactiveSelector) => {
                    or(&mut parent.success, &answered.success);
                    if last {
                        or(&mut parent.failure, &answered.failure);
                    }
                }
                Some(Op::Invert) => {
                    or(&mut parent.success, &answered.failure);
                    or(&mut parent.failure, &answered.success);
                }
                Some(Op::Succeeder) => {
                    or(&mut parent.success, &answered.success);
                    or(&mut parent.success, &answered.failure);
                }
                Some(Op::Failer) => {
                    or(&mut parent.failure, &answered.success);
                    or(&mut parent.failure, &answered.failure);
                }
                Some(Op::RandomSequence) => or(&mut parent.failure, &answered.failure),
                Some(Op::RandomSelector) => or(&mut parent.success, &answered.success),
                // The first child only chooses; without a third its failure is the answer.
                Some(Op::IfThenElse | Op::WhileDoElse) if child == token.link as usize + 1 => {
                    let then = plain[token.end as usize];
                    if then.end == above.end {
                        or(&mut parent.failure, &answered.failure);
                    }
                }
                // What they answer besides, they have told themselves.
                Some(
                    Op::IfThenElse
                    | Op::WhileDoElse
                    | Op::Switch
                    | Op::Cooldown
                    | Op::Delay
                    | Op::RunOnce
                    | Op::When
                    | Op::While
                    | Op::DoneWhen
                    | Op::AbortWhen,
                ) => {
                    or(&mut parent.success, &answered.success);
                    or(&mut parent.failure, &answered.failure);
                }
                Some(Op::Repeat) => {
                    if self.shape.tables().loops[above.operand as usize].breaks != 0 {
                        or(&mut parent.failure, &answered.failure);
                    }
                }
                Some(Op::RepeatUntilFailure) => or(&mut parent.failure, &answered.failure),
                Some(Op::RepeatUntilSuccess) => or(&mut parent.success, &answered.success),
                Some(Op::Timeout) => {
                    or(&mut parent.success, &answered.success);
                    or(&mut parent.failure, &answered.failure);
                    // Whether it runs on, it has told itself.
                    continue;
                }
                // Groups have told themselves.
                _ => continue,
            }
            or(&mut parent.answered_running, &answered.answered_running);
        }
        let ticked = form.load(&self.ticked);
        let count = |lanes: F::Mask| {
            let mut plane = Plane::EMPTY;
            form.store(lanes, &mut plane);
            plane.count()
        };
        for (node, token) in plain.iter().enumerate() {
            let halted = match nodes.get(token.link as usize) {
                Some(parent) => form.load(&parent.rolled_back),
                None => form.empty(),
            };
            let planes = &mut nodes[node];
            or(&mut planes.rolled_back, &{
                let mut plane = Plane::EMPTY;
                form.store(halted, &mut plane);
                plane
            });
            let ran = form.load(&planes.running);
            if planes.nobody(form) && form.is_empty(ran) {
                continue;
            }
            let success = form.load(&planes.success);
            let failure = form.load(&planes.failure);
            let answered_running = form.load(&planes.answered_running);
            let finished = form.or(success, failure);
            let visited = form.or(finished, answered_running);
            let now = form.and_not(answered_running, halted);
            let open = form.or(form.and(ran, ticked), visited);
            form.store(form.or(form.and_not(ran, ticked), now), &mut planes.running);
            self.census.counts[node].add(NodeCount {
                active: count(visited),
                starts: count(form.and_not(visited, ran)),
                successes: count(success),
                failures: count(failure),
                halts: count(form.and_not(form.and_not(open, finished), now)),
            });
        }
    }
}

impl NodePlanes {
    /// Whether nobody has visited the node in this tick.
    #[inline(always)]
    fn nobody<F: Form>(&self, form: F) -> bool {
        let finished = form.or(form.load(&self.success), form.load(&self.failure));
        form.is_empty(form.or(finished, form.load(&self.answered_running)))
    }
}

impl Observer for BlockCensus {
    fn see(&mut self, lane: usize, event: Event) {
        match event {
            Event::Leaf(node, status) | Event::Leave(node, status) => {
                let planes = &mut self.nodes[node.at()];
                match status {
                    Status::Success => planes.success.put(lane, true),
                    Status::Failure => planes.failure.put(lane, true),
                    Status::Running => planes.answered_running.put(lane, true),
                }
            }
            Event::RollBack(first, _) => {
                // The group stands before its first descendant.
                self.nodes[first.at() - 1].rolled_back.put(lane, true);
            }
            Event::Enter(_) | Event::React { .. } => {}
        }
    }
}
