//! The crate `bonsai-bt`: behaviors as values, a state that walks them, one callback for all leaves.
//!
//! **Guard.** Each guard owns a `BT` with itself as the blackboard. Reactive parents are `Select` and
//! `Sequence` without memory. Those build the state of a child anew in each tick and forget the last
//! one, so that a sequence with memory below them would always begin again: that the guard waits is
//! its host's to know ([`Guard::waits`]), and the last branch is without memory, too.
//!
//! **Deep.** `Select` and `Sequence` without memory, too: with memory they copy their children just as
//! often, and a tree that has finished has to be built anew besides. It keeps nothing from tick to
//! tick, so one of it serves all rows.
//!
//! A `BT` that finishes is not ticked again before it is reset, which builds it anew from a copy of
//! its behavior. That is dear, so the roots never finish: they are the body of a `While` that has no
//! end, get one more child that notes that the others failed, and are ticked with an event of no
//! time, which a `While` takes for one round.
//!
//! Excused from: requests, as are the other crates.

use std::time::Duration;

use bonsai_bt::{
    Action, ActionArgs, BT, Behavior, Float, Select, Sequence, UpdateArgs, UpdateEvent,
    WaitForever, While,
};
use pleach_shape::Status;

use super::deep::{self, LEVELS, Leaf, Row, leaf};
use super::guard::{self, Guard, HURT, REACH, slot};
use super::{Contender, Decision, Frame};

/// An event that takes no time.
struct Pulse;

impl UpdateEvent for Pulse {
    fn from_update_args(_: &UpdateArgs, _: &Pulse) -> Option<Pulse> {
        Some(Pulse)
    }

    fn update<U, F>(&self, _: F) -> Option<U>
    where
        F: FnMut(&UpdateArgs) -> U,
    {
        None
    }
}

fn theirs(status: Status) -> (bonsai_bt::Status, Float) {
    let status = match status {
        Status::Success => bonsai_bt::Success,
        Status::Failure => bonsai_bt::Failure,
        Status::Running => bonsai_bt::Running,
    };
    (status, 0.0)
}

fn held(holds: bool) -> (bonsai_bt::Status, Float) {
    theirs(Status::from_bool(holds))
}

fn reactive_selector<A>(children: Vec<Behavior<A>>) -> Behavior<A> {
    Select(children).memory(false)
}

fn reactive_sequence<A>(children: Vec<Behavior<A>>) -> Behavior<A> {
    Sequence(children).memory(false)
}

fn endless<A>(root: Behavior<A>) -> Behavior<A> {
    While(Box::new(WaitForever), vec![root])
}

/// Leaves of the guard's tree.
#[derive(Clone, Copy, Debug)]
enum Duty {
    Hurt,
    HasTarget,
    InReach,
    HasAmmo,
    Act(u8),
    Move,
    Wait,
    /// All branches failed.
    Failed,
}

fn guard_tree() -> Behavior<Duty> {
    endless(reactive_selector(vec![
        reactive_sequence(vec![Action(Duty::Hurt), Action(Duty::Act(slot::FLEE))]),
        reactive_sequence(vec![
            Action(Duty::HasTarget),
            reactive_selector(vec![
                reactive_sequence(vec![Action(Duty::InReach), Action(Duty::Act(slot::MELEE))]),
                reactive_sequence(vec![Action(Duty::HasAmmo), Action(Duty::Act(slot::SHOOT))]),
                Action(Duty::Act(slot::CHASE)),
            ]),
        ]),
        reactive_sequence(vec![Action(Duty::Move), Action(Duty::Wait)]),
        Action(Duty::Failed),
    ]))
}

/// Guards, each with its tree.
pub(super) struct Guards {
    trees: Vec<BT<Duty, Guard>>,
}

impl Guards {
    pub(super) fn new(actors: usize) -> Guards {
        let tree = guard_tree();
        let trees = (0..actors).map(|_| BT::new(tree.clone(), Guard::default()));
        Guards {
            trees: trees.collect(),
        }
    }
}

impl Contender for Guards {
    fn refresh(&mut self, frame: &Frame) {
        guard::refresh(self.trees.iter_mut().map(BT::blackboard_mut), frame);
    }

    fn tick(&mut self, dt: Duration) {
        let dt = guard::micros(dt);
        for tree in &mut self.trees {
            tree.blackboard_mut().begin(dt);
            let mut failed = false;
            tree.tick(
                &Pulse,
                &mut |args: ActionArgs<'_, Pulse, Duty>, guard: &mut Guard| {
                    match *args.action {
                        Duty::Hurt => held(guard.health < HURT),
                        Duty::HasTarget => held(guard.has_target),
                        Duty::InReach => held(guard.dist < REACH),
                        Duty::HasAmmo => held(guard.ammo > 0),
                        Duty::Act(slot) => theirs(guard.act(slot)),
                        // Behind it already.
                        Duty::Move if guard.waits() => held(true),
                        Duty::Move => theirs(guard.act(slot::MOVE)),
                        Duty::Wait => theirs(guard.wait()),
                        Duty::Failed => {
                            failed = true;
                            held(true)
                        }
                    }
                },
            );
            let guard = tree.blackboard_mut();
            // The endless root always runs; what is below it left its traces.
            let status = if failed {
                Status::Failure
            } else if guard.want != slot::NONE || guard.left > 0 {
                Status::Running
            } else {
                Status::Success
            };
            guard.finish(status);
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        self.trees
            .iter()
            .map(|tree| tree.blackboard().decision())
            .collect()
    }
}

/// A leaf of the deep tree, or the note that its root failed.
#[derive(Clone, Copy, Debug)]
enum Judge {
    Leaf(Leaf),
    Failed,
}

fn deep_tree(level: usize, place: usize) -> Behavior<Judge> {
    if level == LEVELS {
        return Action(Judge::Leaf(leaf(place)));
    }
    let children = [2 * place, 2 * place + 1].map(|place| deep_tree(level + 1, place));
    match level {
        0 => {
            let mut children: Vec<Behavior<Judge>> = children.into();
            children.push(Action(Judge::Failed));
            reactive_selector(children)
        }
        even if even.is_multiple_of(2) => reactive_selector(children.into()),
        _ => reactive_sequence(children.into()),
    }
}

/// Rows of the deep scene, and the tree that they share.
pub(super) struct Rows {
    rows: Vec<Row>,
    tree: BT<Judge, ()>,
}

impl Rows {
    pub(super) fn new(actors: usize) -> Rows {
        Rows {
            rows: vec![Row::default(); actors],
            tree: BT::new(endless(deep_tree(0, 0)), ()),
        }
    }
}

impl Contender for Rows {
    fn refresh(&mut self, frame: &Frame) {
        deep::refresh(&mut self.rows, frame);
    }

    fn tick(&mut self, _: Duration) {
        for row in &mut self.rows {
            let mut status = Status::Success;
            self.tree.tick(
                &Pulse,
                &mut |args: ActionArgs<'_, Pulse, Judge>, _: &mut ()| match *args.action {
                    Judge::Leaf(leaf) => held(row.test(leaf)),
                    Judge::Failed => {
                        status = Status::Failure;
                        held(true)
                    }
                },
            );
            row.status = Some(status);
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        self.rows.iter().map(Row::decision).collect()
    }
}
