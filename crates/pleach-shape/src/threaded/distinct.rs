//! Distinct predicates.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::predicate::{Comparison, Predicate};

/// Predicates met so far; no two the same.
#[derive(Default)]
pub(super) struct Distinct {
    pub(super) list: Vec<Predicate>,
    known: BTreeMap<[u64; 3], u32>,
}

impl Distinct {
    /// The place of a predicate and whether it is the opposite of what stands there. Of whole numbers
    /// and truth values an opposite is as good: `x >= 3` is not `x < 3`. (Of floats it is not: both are
    /// false for NaN.)
    pub(super) fn place(&mut self, predicate: Predicate) -> (u32, bool) {
        let (predicate, negated) = positive(predicate);
        let next = self.list.len() as u32;
        let place = *self.known.entry(key(predicate)).or_insert(next);
        if place == next {
            self.list.push(predicate);
        }
        (place, negated)
    }
}

fn positive(predicate: Predicate) -> (Predicate, bool) {
    let opposite = |cmp| match cmp {
        Comparison::Ge => (Comparison::Lt, true),
        Comparison::Gt => (Comparison::Le, true),
        Comparison::Ne => (Comparison::Eq, true),
        same => (same, false),
    };
    match predicate {
        Predicate::Bool { column, wanted } => (
            Predicate::Bool {
                column,
                wanted: true,
            },
            !wanted,
        ),
        Predicate::U8 { column, cmp, value } => {
            let (cmp, negated) = opposite(cmp);
            (Predicate::U8 { column, cmp, value }, negated)
        }
        Predicate::U16 { column, cmp, value } => {
            let (cmp, negated) = opposite(cmp);
            (Predicate::U16 { column, cmp, value }, negated)
        }
        Predicate::I32 { column, cmp, value } => {
            let (cmp, negated) = opposite(cmp);
            (Predicate::I32 { column, cmp, value }, negated)
        }
        Predicate::U64 { column, cmp, value } => {
            let (cmp, negated) = opposite(cmp);
            (Predicate::U64 { column, cmp, value }, negated)
        }
        Predicate::F32 { .. } | Predicate::General(_) => (predicate, false),
    }
}

/// Equal keys, equal answers for every actor.
fn key(predicate: Predicate) -> [u64; 3] {
    let pack = |kind: u64, column: u32, cmp: Comparison, value: u64| {
        [
            kind << 40 | (cmp as u64) << 32 | u64::from(column),
            value,
            0,
        ]
    };
    match predicate {
        Predicate::Bool { column, .. } => pack(0, column.0, Comparison::Eq, 1),
        Predicate::U8 { column, cmp, value } => pack(1, column.0, cmp, u64::from(value as u32)),
        Predicate::U16 { column, cmp, value } => pack(2, column.0, cmp, u64::from(value as u32)),
        Predicate::I32 { column, cmp, value } => pack(3, column.0, cmp, u64::from(value as u32)),
        Predicate::F32 { column, cmp, value } => pack(4, column.0, cmp, value.to_bits().into()),
        Predicate::U64 { column, cmp, value } => pack(5, column.0, cmp, value),
        Predicate::General(expr) => [6 << 40, u64::from(expr.0), 0],
    }
}
