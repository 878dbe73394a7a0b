//! The census: which actors were at each node that is watched, and how many.
//!
//! Kernels tell of leaves and of groups only. What parents answered follows from their children,
//! whatever the kernel: a sequence fails where a child fails, runs where a child runs, and succeeds
//! where its last child does.

use std::sync::Arc;

use pleach_shape::{Op, Shape, Status};

use crate::observe::{Event, Observer};
use crate::plane::Plane;
use crate::simd::{Form, Simd, Work};
use crate::watch::Watched;

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

/// A block's side of the census: planes for each node that is watched.
pub(crate) struct BlockCensus {
    watched: Arc<Watched>,
    /// One for each watched node, in stream order.
    nodes: Vec<NodePlanes>,
    /// The same, where actors are counted; else empty.
    pub(crate) counts: Vec<NodeCount>,
    /// Whether nothing has happened since the planes were cleared.
    blank: bool,
}

/// What happened at a node in a tick.
#[derive(Clone, Copy, Default)]
pub(crate) struct NodePlanes {
    /// What it answered.
    pub(crate) success: Plane,
    pub(crate) failure: Plane,
    pub(crate) answered_running: Plane,
    /// Halted within this tick by a group around it, or, while the tick goes on, by this group.
    rolled_back: Plane,
    /// Running before this tick; behind it, running behind it.
    pub(crate) running: Plane,
    /// Visited, and not running before.
    pub(crate) started: Plane,
    /// It was running, or answered Running, and was halted.
    pub(crate) halted: Plane,
}

impl NodePlanes {
    pub(crate) const EMPTY: NodePlanes = NodePlanes {
        success: Plane::EMPTY,
        failure: Plane::EMPTY,
        answered_running: Plane::EMPTY,
        rolled_back: Plane::EMPTY,
        running: Plane::EMPTY,
        started: Plane::EMPTY,
        halted: Plane::EMPTY,
    };
}

impl BlockCensus {
    /// `None` if the memory cannot be had. What is known of the nodes that `before` watched stays known.
    pub(crate) fn new(watched: &Arc<Watched>, before: Option<&BlockCensus>) -> Option<BlockCensus> {
        fn filled<T: Clone + Default>(len: usize) -> Option<Vec<T>> {
            let mut list = Vec::new();
            list.try_reserve_exact(len).ok()?;
            list.resize(len, T::default());
            Some(list)
        }
        let mut nodes: Vec<NodePlanes> = filled(watched.nodes().len())?;
        if let Some(before) = before {
            for (planes, &node) in nodes.iter_mut().zip(watched.nodes()) {
                *planes = before.of(node).copied().unwrap_or_default();
            }
        }
        Some(BlockCensus {
            counts: filled(if watched.counts() { nodes.len() } else { 0 })?,
            nodes,
            watched: watched.clone(),
            blank: false,
        })
    }

    /// The planes of a node, if it is watched.
    #[inline]
    pub(crate) fn of(&self, node: u32) -> Option<&NodePlanes> {
        let place = self.watched.place(node)?;
        self.watched.is_whole(place).then(|| &self.nodes[place])
    }

    /// Whether somebody asks about the node.
    #[inline(always)]
    pub(crate) fn watches(&self, node: u32) -> bool {
        self.watched.place(node).is_some()
    }

    /// Begins a tick: nothing has happened yet. Of lanes that leave the tree, whatever ran is halted
    /// before any visit.
    pub(crate) fn open(&mut self, leaving: Plane) {
        if leaving.is_empty() && self.blank {
            return;
        }
        self.blank = leaving.is_empty();
        for planes in &mut self.nodes {
            *planes = NodePlanes {
                running: planes.running & !leaving,
                halted: planes.running & leaving,
                ..NodePlanes::EMPTY
            };
        }
        for (count, planes) in self.counts.iter_mut().zip(&self.nodes) {
            *count = NodeCount {
                halts: planes.halted.count(),
                ..NodeCount::default()
            };
        }
    }

    /// Somebody ticks.
    pub(crate) fn begin(&mut self) {
        self.blank = false;
    }

    /// A leaf, or a group, has answered for these lanes.
    pub(crate) fn answer(&mut self, node: u32, success: Plane, failure: Plane, running: Plane) {
        let Some(place) = self.watched.place(node) else {
            return;
        };
        let planes = &mut self.nodes[place];
        planes.success |= success;
        planes.failure |= failure;
        planes.answered_running |= running;
    }

    /// A group has halted what ran below it.
    pub(crate) fn roll_back(&mut self, group: u32, lanes: Plane) {
        if let Some(place) = self.watched.place(group) {
            self.nodes[place].rolled_back |= lanes;
        }
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
        let BlockCensus {
            watched,
            nodes,
            counts,
            ..
        } = self.census;
        let or = |into: &mut Plane, lanes: &Plane| {
            form.store(form.or(form.load(into), form.load(lanes)), into);
        };
        for (place, &child) in watched.nodes().iter().enumerate().rev() {
            let (token, child) = (plain[child as usize], child as usize);
            let Some(parent) = watched.place(token.link) else {
                continue;
            };
            if !watched.is_whole(parent) {
                continue;
            }
            let (above, below) = nodes.split_at_mut(place);
            let (parent, answered) = (&mut above[parent], &below[0]);
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
        for (place, &node) in watched.nodes().iter().enumerate() {
            let above = watched.place(plain[node as usize].link);
            let rolled_back = match above {
                Some(parent) => form.load(&nodes[parent].rolled_back),
                None => form.empty(),
            };
            let planes = &mut nodes[place];
            form.store(
                form.or(form.load(&planes.rolled_back), rolled_back),
                &mut planes.rolled_back,
            );
            let ran = form.load(&planes.running);
            if planes.nobody(form) && form.is_empty(ran) {
                continue;
            }
            let success = form.load(&planes.success);
            let failure = form.load(&planes.failure);
            let answered_running = form.load(&planes.answered_running);
            let finished = form.or(success, failure);
            let visited = form.or(finished, answered_running);
            let now = form.and_not(answered_running, rolled_back);
            let open = form.or(form.and(ran, ticked), visited);
            let started = form.and_not(visited, ran);
            let halted = form.and_not(form.and_not(open, finished), now);
            form.store(form.or(form.and_not(ran, ticked), now), &mut planes.running);
            form.store(started, &mut planes.started);
            form.store(
                form.or(form.load(&planes.halted), halted),
                &mut planes.halted,
            );
            if let Some(total) = counts.get_mut(place) {
                total.add(NodeCount {
                    active: count(visited),
                    starts: count(started),
                    successes: count(success),
                    failures: count(failure),
                    halts: count(halted),
                });
            }
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
    #[inline(always)]
    fn see(&mut self, lane: usize, event: Event) {
        match event {
            Event::Leaf(node, status) | Event::Leave(node, status) => {
                let Some(place) = self.watched.place(node.0) else {
                    return;
                };
                let planes = &mut self.nodes[place];
                match status {
                    Status::Success => planes.success.put(lane, true),
                    Status::Failure => planes.failure.put(lane, true),
                    Status::Running => planes.answered_running.put(lane, true),
                }
            }
            Event::RollBack(first, _) => {
                // The group stands before its first descendant.
                if let Some(place) = self.watched.place(first.0 - 1) {
                    self.nodes[place].rolled_back.put(lane, true);
                }
            }
            Event::Enter(_) | Event::React { .. } => {}
        }
    }
}
