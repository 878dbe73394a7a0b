//! `if` and `else` over an array of structs: no tree at all, one actor after the other.
//!
//! What a programmer writes who knows that the tree will never change. Parents are control flow, an
//! actor's state is a field, and whatever need not be judged is not. Excused from: everything that
//! makes a tree a tree. It cannot be edited, listed, traced or counted.

use std::time::Duration;

use pleach_shape::Status;

use super::deep::{self, Row, leaf};
use super::guard::{self, Guard, HURT, REACH, slot};
use super::{Contender, Decision, Frame};

/// Guards.
pub(super) struct Guards {
    guards: Vec<Guard>,
}

impl Guards {
    pub(super) fn new(actors: usize) -> Guards {
        Guards {
            guards: vec![Guard::default(); actors],
        }
    }
}

impl Contender for Guards {
    fn refresh(&mut self, frame: &Frame) {
        guard::refresh(self.guards.iter_mut(), frame);
    }

    fn tick(&mut self, dt: Duration) {
        let dt = guard::micros(dt);
        for guard in &mut self.guards {
            guard.begin(dt);
            let status = decide(guard);
            guard.finish(status);
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        self.guards.iter().map(Guard::decision).collect()
    }
}

#[inline]
fn decide(guard: &mut Guard) -> Status {
    if guard.health < HURT {
        let status = guard.act(slot::FLEE);
        if status != Status::Failure {
            return status;
        }
    }
    if guard.has_target {
        if guard.dist < REACH {
            let status = guard.act(slot::MELEE);
            if status != Status::Failure {
                return status;
            }
        }
        if guard.ammo > 0 {
            let status = guard.act(slot::SHOOT);
            if status != Status::Failure {
                return status;
            }
        }
        let status = guard.act(slot::CHASE);
        if status != Status::Failure {
            return status;
        }
    }
    if !guard.waits() {
        let status = guard.act(slot::MOVE);
        if status != Status::Success {
            return status;
        }
    }
    guard.wait()
}

/// Rows of the deep scene.
pub(super) struct Rows {
    rows: Vec<Row>,
}

impl Rows {
    pub(super) fn new(actors: usize) -> Rows {
        Rows {
            rows: vec![Row::default(); actors],
        }
    }
}

impl Contender for Rows {
    fn refresh(&mut self, frame: &Frame) {
        deep::refresh(&mut self.rows, frame);
    }

    fn tick(&mut self, _: Duration) {
        for row in &mut self.rows {
            row.status = Some(Status::from_bool(root(row)));
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        self.rows.iter().map(Row::decision).collect()
    }
}

// One function a level, all of them inlined: what is left is one expression of `||` and `&&` over
// 64 comparisons with constants, as long as it would be tedious to type.

#[inline(always)]
fn root(row: &Row) -> bool {
    level_1(row, 0) || level_1(row, 1)
}

#[inline(always)]
fn level_1(row: &Row, place: usize) -> bool {
    level_2(row, 2 * place) && level_2(row, 2 * place + 1)
}

#[inline(always)]
fn level_2(row: &Row, place: usize) -> bool {
    level_3(row, 2 * place) || level_3(row, 2 * place + 1)
}

#[inline(always)]
fn level_3(row: &Row, place: usize) -> bool {
    level_4(row, 2 * place) && level_4(row, 2 * place + 1)
}

#[inline(always)]
fn level_4(row: &Row, place: usize) -> bool {
    level_5(row, 2 * place) || level_5(row, 2 * place + 1)
}

#[inline(always)]
fn level_5(row: &Row, place: usize) -> bool {
    row.test(leaf(2 * place)) && row.test(leaf(2 * place + 1))
}
