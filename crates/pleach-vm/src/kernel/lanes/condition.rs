//! Predicates over whole columns: each at most once a block and tick.

use pleach_shape::layout::BLOCK_LANES;
use pleach_shape::threaded::ThreadedToken;
use pleach_shape::{ColumnIndex, ExprIndex, ExprType, Step, ValueType};

use super::plan::Ask;
use super::sweep::{Sweep, plane};
use crate::column::Row;
use crate::eval::{evaluate, store};
use crate::plane::Plane;
use crate::simd::Form;

/// So many lanes are judged one by one sooner than all of them at once.
const FEW: u32 = 8;

impl Sweep<'_> {
    /// A condition (L1) or another token that tests: for whom it holds, and for whom not.
    #[inline(always)]
    pub(super) fn test<F: Form>(
        &mut self,
        form: F,
        token: &ThreadedToken,
        here: F::Mask,
    ) -> [F::Mask; 2] {
        let passes = self.passes(form, token.mark, here);
        let mut answers = [form.and(here, passes), form.and_not(here, passes)];
        if token.negated {
            answers.reverse();
        }
        if let Some(census) = &mut self.census
            && census.watches(token.node)
        {
            let [holds, fails] = answers.map(|answer| plane(form, answer));
            let [success, failure] = match token.step {
                Step::Test => [Plane::EMPTY; 2],
                Step::TestOrFail => [Plane::EMPTY, fails],
                Step::TestThenSucceed => [holds, Plane::EMPTY],
                _ => [holds, fails],
            };
            census.answer(token.node, success, failure, Plane::EMPTY);
        }
        answers
    }

    /// Who passes a distinct predicate; of lanes that are not here it may say anything.
    #[inline(always)]
    fn passes<F: Form>(&mut self, form: F, predicate: u32, here: F::Mask) -> F::Mask {
        let place = predicate as usize;
        if self.is_known(place) {
            return form.load(&self.scratch.passes[place]);
        }
        let columns = &*self.place.parts.columns;
        let from = |line: u32| &columns[line as usize..];
        let passes = match self.tick.plans.asks[place] {
            // Columns may be written while the tick goes on: there is nothing to be gained by a copy.
            Ask::Plane { line } => return form.load(&columns[line as usize]),
            Ask::Never => form.empty(),
            Ask::Always => form.load(&Plane::FULL),
            Ask::U8 { line, cmp, value } => form.compare_u8(from(line), cmp, value),
            Ask::U16 { line, cmp, value } => form.compare_u16(from(line), cmp, value),
            Ask::I32 { line, cmp, value } => form.compare_i32(from(line), cmp, value),
            Ask::F32 { line, cmp, value } => form.compare_f32(from(line), cmp, value),
            Ask::U64 { line, cmp, value } => form.compare_u64(from(line), cmp, value),
            Ask::Code { expr } => {
                let lanes = plane(form, here);
                if lanes.count() <= FEW {
                    // Not known of the others.
                    return form.load(&self.one_by_one(expr, lanes));
                }
                self.expression(form, ExprIndex(expr))
            }
        };
        // Later than anything that was written so far.
        self.scratch.judged[place] = self.scratch.moment + 1;
        form.store(passes, &mut self.scratch.passes[place]);
        passes
    }

    /// Whether a predicate has been judged since its columns were written.
    #[inline(always)]
    fn is_known(&self, predicate: usize) -> bool {
        let judged = self.scratch.judged[predicate];
        let columns = &self.tick.plans.written[predicate];
        let later = |&column: &u32| judged > self.scratch.written[column as usize];
        judged > self.scratch.all_written && columns.iter().all(later)
    }

    #[inline(never)]
    fn one_by_one(&mut self, expr: u32, lanes: Plane) -> Plane {
        let mut holds = Plane::EMPTY;
        for lane in lanes.lanes() {
            let row = Row {
                lines: self.place.parts.columns,
                firsts: &self.tick.shape.layout().columns,
                lane,
            };
            let bits = evaluate(self.tick.shape, ExprIndex(expr), &row, self.tick.world);
            holds.put(lane, bits != 0);
        }
        holds
    }

    /// Writes a column for the lanes that are here. What predicates read of it is no longer known.
    #[inline(always)]
    pub(super) fn set<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        self.write(token.operand, plane(form, here));
        self.answer(form, token, [here, form.empty(), form.empty()]);
    }

    #[inline(never)]
    fn write(&mut self, set: u32, lanes: Plane) {
        let tables = self.tick.shape.tables();
        let def = tables.sets[set as usize];
        let column = ColumnIndex(def.column);
        let ty = tables.columns[column.at()].ty().unwrap_or(ValueType::Bool);
        let found = tables.exprs[def.expr as usize].ty as u8;
        let found = ExprType::from_u8(found).unwrap_or(ExprType::Bool);
        for lane in lanes.lanes() {
            debug_assert!(lane < BLOCK_LANES);
            let mut row = Row {
                lines: self.place.parts.columns,
                firsts: &self.tick.shape.layout().columns,
                lane,
            };
            let expr = ExprIndex(def.expr);
            let bits = evaluate(self.tick.shape, expr, &row, self.tick.world);
            store(column, ty, found, bits, &mut row);
        }
        self.scratch.moment += 1;
        self.scratch.written[column.at()] = self.scratch.moment;
    }
}
