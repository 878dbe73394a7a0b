//! The reference interpreter: slow, recursive, obviously right.
//!
//! It walks the `Tree` itself, never a shape, for one actor. All it keeps between two ticks is
//! which nodes run and what those remember; a tick starts from an empty memory and fills it with
//! the nodes that answer Running (T4). So halts, cancels and the canonical state are not actions of
//! the walk but differences between the memory before and the memory after. What outlives halting
//! (D3, D6) is kept beside that memory.
//!
//! The walk's recursion is as deep as the tree: this is for trees of tests, not for trees from
//! strangers.

mod composites;
mod compounds;
mod decorators;
pub mod expr;
mod leaves;
mod memory;
mod walk;

use std::collections::BTreeSet;

use pleach_shape::{NodeId, Status, Value};
use pleach_tree::{Node, NodeKind, Tree};

use crate::host::{Callback, Exit, Host};
use crate::observation::{Finish, Observation, Release, Row, Trace};

use memory::{Memory, Persistent};
use walk::Walk;

/// What a tick takes.
#[derive(Debug)]
pub struct Inputs<'a> {
    /// Microseconds since the last tick; the clock has them before the walk starts.
    pub dt: u64,
    /// The actor's columns, in declared order and of the declared types.
    pub columns: &'a mut [Value],
    /// The world values, in declared order.
    pub world: &'a [Value],
    /// Results that are in at the tick's start: one entry for each Action leaf, depth first.
    pub results: &'a [Option<Finish>],
    /// What each PersistentAction leaf answers, depth first; Running until its system writes.
    pub persistent: &'a [Status],
}

/// A tree with its nodes numbered depth first.
#[derive(Clone, Debug)]
pub(crate) struct Numbered<'t> {
    tree: &'t Tree,
    nodes: Vec<&'t Node>,
    /// The children's numbers.
    children: Vec<Vec<u32>>,
    /// One past the last descendant.
    ends: Vec<u32>,
    /// For Action and PersistentAction leaves: the number among their like.
    slots: Vec<u32>,
    actions: Vec<u32>,
    persistent: u32,
}

impl<'t> Numbered<'t> {
    fn new(tree: &'t Tree) -> Numbered<'t> {
        let mut numbered = Numbered {
            tree,
            nodes: Vec::new(),
            children: Vec::new(),
            ends: Vec::new(),
            slots: Vec::new(),
            actions: Vec::new(),
            persistent: 0,
        };
        numbered.number(tree.root());
        numbered
    }

    fn number(&mut self, id: NodeId) -> u32 {
        let node = self.tree.node(id).expect("a tree holds its own nodes");
        let at = self.nodes.len();
        self.nodes.push(node);
        self.children.push(Vec::new());
        self.ends.push(0);
        self.slots.push(match node.kind {
            NodeKind::Action(_) => {
                self.actions.push(at as u32);
                self.actions.len() as u32 - 1
            }
            NodeKind::PersistentAction(_) => {
                self.persistent += 1;
                self.persistent - 1
            }
            _ => 0,
        });
        for &child in &node.children {
            let child = self.number(child);
            self.children[at].push(child);
        }
        self.ends[at] = self.nodes.len() as u32;
        at as u32
    }
}

/// An actor on a tree.
#[derive(Clone, Debug)]
pub struct Reference<'t> {
    tree: Numbered<'t>,
    memory: Memory,
    lasting: Persistent,
    /// Microseconds: the sum of all dt's.
    clock: u64,
    /// Ticks so far, those in which the actor was not walked included.
    ticks: u64,
    seed: u64,
    actor: u64,
}

/// Why an actor is let go between two ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leave {
    /// It is unloaded: what is persistent stays (D3, D6).
    Unload,
    /// It is reset or despawned: nothing stays.
    Reset,
}

impl<'t> Reference<'t> {
    /// A fresh actor: nothing runs, the clock is 0. The tree must be one that
    /// [`compile`](pleach_tree::compile) accepts; on others a tick may panic.
    pub fn new(tree: &'t Tree) -> Reference<'t> {
        Reference {
            tree: Numbered::new(tree),
            memory: Memory::default(),
            lasting: Persistent::default(),
            clock: 0,
            ticks: 0,
            seed: 0,
            actor: 0,
        }
    }

    /// What its draws are keyed with (T6): the population's seed, and the bits of the actor's id. Both
    /// are 0 at first.
    pub fn with_identity(mut self, seed: u64, actor: u64) -> Reference<'t> {
        (self.seed, self.actor) = (seed, actor);
        self
    }

    /// Number of deferred slots: the tree's Action leaves.
    pub fn deferred_slots(&self) -> usize {
        self.tree.actions.len()
    }

    /// Number of persistent slots: the tree's PersistentAction leaves.
    pub fn persistent_slots(&self) -> usize {
        self.tree.persistent as usize
    }

    /// The node of a depth-first index.
    pub fn node(&self, index: u32) -> Option<&'t Node> {
        self.tree.nodes.get(index as usize).copied()
    }

    /// Microseconds on the actor's clock.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Whether a slot's action was requested in the last tick, and not released since.
    pub fn is_outstanding(&self, slot: usize) -> bool {
        let action = self.tree.actions.get(slot);
        action.is_some_and(|action| self.memory.running.contains(action))
    }

    /// Canonical state; see [`Observation::state`].
    pub fn state(&self) -> Vec<(u32, u64)> {
        self.memory.canonical(&self.lasting, self.clock)
    }

    /// Lets time pass without a walk: what a tick is for an actor that is not loaded.
    pub fn skip(&mut self, dt: u64) {
        self.clock = self.clock.saturating_add(dt);
        self.ticks += 1;
    }

    /// One tick. One that is aborted (D5) leaves nothing running, and whoever calls this must take the
    /// actor for unloaded.
    ///
    /// # Panics
    /// If the lengths of `inputs` are not those of the tree, or the tree does not compile.
    pub fn tick(&mut self, inputs: Inputs<'_>, host: &mut dyn Host) -> (Observation, Trace) {
        assert_eq!(
            inputs.results.len(),
            self.deferred_slots(),
            "one result an Action"
        );
        assert_eq!(
            inputs.persistent.len(),
            self.persistent_slots(),
            "one status a PersistentAction"
        );
        self.skip(inputs.dt);
        let mut walk = Walk {
            tree: &self.tree,
            clock: self.clock,
            tick: self.ticks,
            seed: self.seed,
            actor: self.actor,
            before: &self.memory,
            after: Memory::default(),
            lasting: &mut self.lasting,
            columns: inputs.columns,
            world: inputs.world,
            results: inputs.results,
            persistent: inputs.persistent,
            host: &mut *host,
            visits: Vec::new(),
            skipped: BTreeSet::new(),
            answers: vec![None; self.tree.nodes.len()],
        };
        // A tree that is skipped has succeeded (K1).
        let root = walk
            .visit(0)
            .map(|root| root.status().unwrap_or(Status::Success));
        let Walk {
            mut after,
            visits,
            skipped,
            answers,
            ..
        } = walk;
        if root.is_none() {
            // D5: whatever ran or was requested, in this tick or before, is halted.
            after = Memory::default();
        }

        let finished = |index: u32| answers[index as usize].is_some_and(Status::is_finished);
        let halts: Vec<u32> = (0..self.tree.nodes.len() as u32)
            .filter(|&index| {
                let ran = self.memory.running.contains(&index)
                    || answers[index as usize] == Some(Status::Running);
                ran && !after.running.contains(&index)
                    && !finished(index)
                    && !skipped.contains(&index)
            })
            .collect();

        let mut observation = Observation {
            root,
            launches: Vec::new(),
            continues: Vec::new(),
            cancels: Vec::new(),
            dropped: 0,
            columns: Row::default(),
            state: after.canonical(&self.lasting, self.clock),
        };
        for (slot, action) in (0u32..).zip(&self.tree.actions) {
            let result = inputs.results[slot as usize];
            let outstanding = self.memory.running.contains(action);
            if after.running.contains(action) {
                // A launch that was rolled back in its own tick is not here, and is no cancel below.
                if outstanding {
                    observation.continues.push(slot);
                } else {
                    observation.launches.push(slot);
                }
            } else if outstanding && result.is_none() {
                observation.cancels.push(slot);
            }
            if result.is_some() && answers[*action as usize].is_none() {
                observation.dropped += 1;
            }
        }

        // L6: aborts come behind all visits.
        tell_halted(&self.tree, &halts, inputs.columns, inputs.world, host);
        observation.columns = Row(inputs.columns.to_vec());
        self.memory = after;
        (observation, Trace { visits, halts })
    }

    /// Halts everything between two ticks: what a reset or an unload does to an actor. Columns and
    /// clock stay.
    pub fn release(
        &mut self,
        leave: Leave,
        columns: &mut [Value],
        world: &[Value],
        results: &[Option<Finish>],
        host: &mut dyn Host,
    ) -> Release {
        let memory = std::mem::take(&mut self.memory);
        if leave == Leave::Reset {
            self.lasting = Persistent::default();
        }
        let halts: Vec<u32> = memory.running.iter().copied().collect();
        tell_halted(&self.tree, &halts, columns, world, host);
        let cancels = (0u32..)
            .zip(&self.tree.actions)
            .filter(|(slot, action)| {
                memory.running.contains(action) && results[*slot as usize].is_none()
            })
            .map(|(slot, _)| slot)
            .collect();
        let dropped = results.iter().flatten().count() as u32;
        Release {
            halts,
            cancels,
            dropped,
        }
    }
}

/// L6, F2: tasks that were halted exit, and what is to be written then is written, in stream order. A node
/// that writes does so behind all below it.
fn tell_halted(
    tree: &Numbered<'_>,
    halts: &[u32],
    columns: &mut [Value],
    world: &[Value],
    host: &mut dyn Host,
) {
    let mut told: Vec<u32> = halts.to_vec();
    told.sort_by_key(|&index| match tree.nodes[index as usize].kind {
        NodeKind::OnHalted { .. } => (tree.ends[index as usize], 0, u32::MAX - index),
        _ => (index, 1, 0),
    });
    for index in told {
        let node = tree.nodes[index as usize];
        match &node.kind {
            NodeKind::Task(call) => {
                let callback = Callback {
                    node: node.id,
                    index,
                    call,
                    columns,
                    world,
                };
                host.exit(callback, Exit::Aborted);
            }
            NodeKind::OnHalted { column, value } => {
                let names = expr::Names {
                    tree: tree.tree,
                    columns,
                    world,
                };
                let value = expr::evaluate(value, &names);
                let declared = tree.tree.columns();
                let place = declared.iter().position(|known| known.name == *column);
                let place = place.expect("it names a declared column");
                columns[place] = expr::clamped(value, declared[place].default.ty());
            }
            _ => {}
        }
    }
}
