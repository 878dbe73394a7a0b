//! The crate `bhv`: boxed nodes that keep their own state and are updated with a context.
//!
//! **Guard.** Each guard owns a tree, as the crate has it: `Seq` counts where it is. A reactive
//! sequence of a condition and a child is the crate's `run_if`, which asks the condition in each
//! update and fails without it. For a reactive selector it has nothing (`Sel` resumes, `WhenAny`
//! goes on behind a running child), so there is a node for it here, [`Reactive`], in the crate's own
//! style; it resets whom it does not reach any more. Actions and the wait are `async_action`s over
//! the guard, which is the context.
//!
//! **Deep.** `Sel`, `Seq` and `cond` as they are. This tree keeps nothing from tick to tick, so one of
//! it serves all rows, which spares it a walk through a tree of its own for every actor.
//!
//! Excused from: requests. Launch, Continue and Cancel are the guard's, behind its update.

use std::time::Duration;

use bhv::{Bhv, BhvExt, Sel, Seq, async_action, cond, seq};
use pleach_shape::Status;

use super::deep::{self, LEVELS, Row, leaf};
use super::guard::{self, Guard, HURT, REACH, slot};
use super::{Contender, Decision, Frame};

type Child<Context> = Box<dyn Bhv<Context = Context>>;

/// Starts at its first child in each update.
struct Reactive {
    children: Vec<Child<Guard>>,
    /// Who ran in the last update.
    running: Option<usize>,
}

fn reactive(children: Vec<Child<Guard>>) -> Reactive {
    Reactive {
        children,
        running: None,
    }
}

impl Bhv for Reactive {
    type Context = Guard;

    fn update(&mut self, guard: &mut Guard) -> bhv::Status {
        let ran = self.running.take();
        let mut answer = bhv::Status::Failure;
        let mut reached = self.children.len();
        for (index, child) in self.children.iter_mut().enumerate() {
            answer = child.update(guard);
            if answer != bhv::Status::Failure {
                reached = index;
                break;
            }
        }
        if answer == bhv::Status::Running {
            self.running = Some(reached);
        }
        if let Some(ran) = ran.filter(|&ran| ran > reached) {
            self.children[ran].reset(bhv::Status::Failure);
        }
        answer
    }

    fn reset(&mut self, status: bhv::Status) {
        if let Some(running) = self.running.take() {
            self.children[running].reset(status);
        }
    }
}

fn theirs(status: Status) -> bhv::Status {
    match status {
        Status::Success => bhv::Status::Success,
        Status::Failure => bhv::Status::Failure,
        Status::Running => bhv::Status::Running,
    }
}

fn ours(status: bhv::Status) -> Status {
    match status {
        bhv::Status::Success => Status::Success,
        bhv::Status::Failure => Status::Failure,
        bhv::Status::Running => Status::Running,
    }
}

fn guard_tree() -> Reactive {
    macro_rules! act {
        ($slot:expr) => {
            async_action(|guard: &mut Guard| theirs(guard.act($slot)))
        };
    }
    reactive(vec![
        Box::new(act!(slot::FLEE).run_if(|guard| guard.health < HURT)),
        Box::new(
            reactive(vec![
                Box::new(act!(slot::MELEE).run_if(|guard| guard.dist < REACH)),
                Box::new(act!(slot::SHOOT).run_if(|guard| guard.ammo > 0)),
                Box::new(act!(slot::CHASE)),
            ])
            .run_if(|guard| guard.has_target),
        ),
        Box::new(seq! {
            act!(slot::MOVE),
            async_action(|guard: &mut Guard| theirs(guard.wait())),
        }),
    ])
}

/// Guards, each with its tree.
pub(super) struct Guards {
    actors: Vec<(Guard, Reactive)>,
}

impl Guards {
    pub(super) fn new(actors: usize) -> Guards {
        let actors = (0..actors).map(|_| (Guard::default(), guard_tree()));
        Guards {
            actors: actors.collect(),
        }
    }
}

impl Contender for Guards {
    fn refresh(&mut self, frame: &Frame) {
        guard::refresh(self.actors.iter_mut().map(|(guard, _)| guard), frame);
    }

    fn tick(&mut self, dt: Duration) {
        let dt = guard::micros(dt);
        for (guard, tree) in &mut self.actors {
            guard.begin(dt);
            let status = tree.update(guard);
            guard.finish(ours(status));
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        self.actors
            .iter()
            .map(|(guard, _)| guard.decision())
            .collect()
    }
}

fn deep_tree(level: usize, place: usize) -> Child<Row> {
    if level == LEVELS {
        let leaf = leaf(place);
        return Box::new(cond(move |row: &Row| row.test(leaf)));
    }
    let children = [2 * place, 2 * place + 1].map(|place| deep_tree(level + 1, place));
    if level.is_multiple_of(2) {
        Box::new(Sel::with_nodes(children.into()))
    } else {
        Box::new(Seq::with_nodes(children.into()))
    }
}

/// Rows of the deep scene, and the tree that they share.
pub(super) struct Rows {
    rows: Vec<Row>,
    tree: Child<Row>,
}

impl Rows {
    pub(super) fn new(actors: usize) -> Rows {
        Rows {
            rows: vec![Row::default(); actors],
            tree: deep_tree(0, 0),
        }
    }
}

impl Contender for Rows {
    fn refresh(&mut self, frame: &Frame) {
        deep::refresh(&mut self.rows, frame);
    }

    fn tick(&mut self, _: Duration) {
        for row in &mut self.rows {
            let status = self.tree.update(row);
            row.status = Some(ours(status));
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        self.rows.iter().map(Row::decision).collect()
    }
}
