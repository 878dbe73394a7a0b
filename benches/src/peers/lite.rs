//! The crate `behavior-tree-lite`: boxed nodes in containers, a context that is passed down.
//!
//! **Guard.** Each guard owns a tree of `ReactiveFallback` and `ReactiveSequence`, which the crate's
//! registry builds. Its nodes are not told when they are not reached any more, so that a `Sequence`
//! with memory would go on where it was left long ago: that the guard waits is its host's to know
//! ([`Guard::waits`]), and the last branch is reactive, too.
//!
//! **Deep.** `Fallback` and `Sequence`. The tree keeps nothing from tick to tick, so one of it serves
//! all rows.
//!
//! The crate's blackboard is a map from symbols to reference-counted values, and its callback answers
//! in boxes. Both would be most of the time. The leaves here share a cell with the host instead, and
//! one context serves all actors.
//!
//! Excused from: requests, as are the other crates.

use std::cell::RefCell;
use std::error::Error;
use std::rc::Rc;
use std::time::Duration;

use behavior_tree_lite::error::AddChildError;
use behavior_tree_lite::{
    BehaviorCallback, BehaviorNode, BehaviorNodeContainer, BehaviorResult, Context, Registry,
};
use pleach_shape::Status;

use super::deep::{self, LEVELS, Leaf, Row, leaf};
use super::guard::{self, Guard, HURT, REACH, slot};
use super::{Contender, Decision, Frame};

fn theirs(status: Status) -> BehaviorResult {
    match status {
        Status::Success => BehaviorResult::Success,
        Status::Failure => BehaviorResult::Fail,
        Status::Running => BehaviorResult::Running,
    }
}

fn ours(result: BehaviorResult) -> Status {
    match result {
        BehaviorResult::Success => Status::Success,
        BehaviorResult::Fail => Status::Failure,
        BehaviorResult::Running => Status::Running,
    }
}

/// A leaf: a function of what it shares with the host.
struct Shared<T, F> {
    with: Rc<RefCell<T>>,
    answer: F,
}

impl<T, F: Fn(&mut T) -> Status> BehaviorNode for Shared<T, F> {
    fn tick(&mut self, _: BehaviorCallback<'_>, _: &mut Context) -> BehaviorResult {
        theirs((self.answer)(&mut self.with.borrow_mut()))
    }
}

fn leaf_node<T: 'static>(
    with: &Rc<RefCell<T>>,
    answer: impl Fn(&mut T) -> Status + 'static,
) -> BehaviorNodeContainer {
    BehaviorNodeContainer::new_node(Shared {
        with: with.clone(),
        answer,
    })
}

type Built = Result<BehaviorNodeContainer, Box<dyn Error + Send + Sync>>;

fn parent(registry: &Registry, kind: &str, children: Vec<BehaviorNodeContainer>) -> Built {
    let node = registry
        .build(kind)
        .ok_or_else(|| format!("the registry has no {kind}"))?;
    let mut parent = BehaviorNodeContainer::new_raw(node);
    for child in children {
        let too_many = |error: AddChildError| format!("{kind}: {error:?}");
        parent.add_child(child).map_err(too_many)?;
    }
    Ok(parent)
}

fn guard_tree(registry: &Registry, guard: &Rc<RefCell<Guard>>) -> Built {
    let selector = |children| parent(registry, "ReactiveFallback", children);
    let sequence = |children| parent(registry, "ReactiveSequence", children);
    macro_rules! when {
        ($test:expr) => {{
            let test: fn(&Guard) -> bool = $test;
            leaf_node(guard, move |guard: &mut Guard| {
                Status::from_bool(test(guard))
            })
        }};
    }
    macro_rules! act {
        ($slot:expr) => {
            leaf_node(guard, |guard: &mut Guard| guard.act($slot))
        };
    }
    selector(vec![
        sequence(vec![when!(|guard| guard.health < HURT), act!(slot::FLEE)])?,
        sequence(vec![
            when!(|guard| guard.has_target),
            selector(vec![
                sequence(vec![when!(|guard| guard.dist < REACH), act!(slot::MELEE)])?,
                sequence(vec![when!(|guard| guard.ammo > 0), act!(slot::SHOOT)])?,
                act!(slot::CHASE),
            ])?,
        ])?,
        sequence(vec![
            leaf_node(guard, |guard: &mut Guard| {
                if guard.waits() {
                    // Behind it already.
                    Status::Success
                } else {
                    guard.act(slot::MOVE)
                }
            }),
            leaf_node(guard, Guard::wait),
        ])?,
    ])
}

/// Guards, each with its tree.
pub(super) struct Guards {
    actors: Vec<(Rc<RefCell<Guard>>, BehaviorNodeContainer)>,
    context: Context,
}

impl Guards {
    pub(super) fn new(actors: usize) -> Result<Guards, Box<dyn Error + Send + Sync>> {
        let registry = Registry::default();
        let mut guards = Guards {
            actors: Vec::with_capacity(actors),
            context: Context::default(),
        };
        for _ in 0..actors {
            let guard = Rc::new(RefCell::new(Guard::default()));
            let tree = guard_tree(&registry, &guard)?;
            guards.actors.push((guard, tree));
        }
        Ok(guards)
    }
}

impl Contender for Guards {
    fn refresh(&mut self, frame: &Frame) {
        let mut guards: Vec<Guard> = self
            .actors
            .iter()
            .map(|(guard, _)| *guard.borrow())
            .collect();
        guard::refresh(guards.iter_mut(), frame);
        for ((guard, _), refreshed) in self.actors.iter().zip(guards) {
            guard.replace(refreshed);
        }
    }

    fn tick(&mut self, dt: Duration) {
        let dt = guard::micros(dt);
        for (guard, tree) in &mut self.actors {
            guard.borrow_mut().begin(dt);
            let result = tree.tick(&mut |_| None, &mut self.context);
            guard.borrow_mut().finish(ours(result));
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        self.actors
            .iter()
            .map(|(guard, _)| guard.borrow().decision())
            .collect()
    }
}

fn deep_tree(registry: &Registry, row: &Rc<RefCell<Row>>, level: usize, place: usize) -> Built {
    if level == LEVELS {
        let leaf: Leaf = leaf(place);
        return Ok(leaf_node(row, move |row: &mut Row| {
            Status::from_bool(row.test(leaf))
        }));
    }
    let kind = if level.is_multiple_of(2) {
        "Fallback"
    } else {
        "Sequence"
    };
    let left = deep_tree(registry, row, level + 1, 2 * place)?;
    let right = deep_tree(registry, row, level + 1, 2 * place + 1)?;
    parent(registry, kind, vec![left, right])
}

/// Rows of the deep scene, the tree that they share, and the row that it sees.
pub(super) struct Rows {
    rows: Vec<Row>,
    seen: Rc<RefCell<Row>>,
    tree: BehaviorNodeContainer,
    context: Context,
}

impl Rows {
    pub(super) fn new(actors: usize) -> Result<Rows, Box<dyn Error + Send + Sync>> {
        let seen = Rc::new(RefCell::new(Row::default()));
        Ok(Rows {
            rows: vec![Row::default(); actors],
            tree: deep_tree(&Registry::default(), &seen, 0, 0)?,
            seen,
            context: Context::default(),
        })
    }
}

impl Contender for Rows {
    fn refresh(&mut self, frame: &Frame) {
        deep::refresh(&mut self.rows, frame);
    }

    fn tick(&mut self, _: Duration) {
        for row in &mut self.rows {
            self.seen.replace(*row);
            let result = self.tree.tick(&mut |_| None, &mut self.context);
            row.status = Some(ours(result));
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        self.rows.iter().map(Row::decision).collect()
    }
}
