//! Callbacks in lanes: one call for all actors of a block that visit a node.

use pleach_shape::TokenIndex;
use pleach_shape::threaded::ThreadedToken;

use super::sweep::{Sweep, plane};
use crate::batch::{Answers, Batch};
use crate::halted::{is_inner, write};
use crate::host::{Exit, Function, Query, Task};
use crate::kernel::{Place, Tick};
use crate::plane::Plane;
use crate::simd::Form;

fn batch<'a>(tick: &'a Tick<'_>, place: &'a mut Place<'_>, node: u32, lanes: Plane) -> Batch<'a> {
    Batch {
        lanes,
        node: TokenIndex(node),
        shape: tick.shape,
        lines: place.parts.columns,
        world: tick.world,
        first_actor: place.first_actor,
        generations: place.generations,
        paces: place.paces,
        now_micros: tick.now_micros,
        tick: tick.number,
        seed: tick.seed,
        panics: &mut place.tally.panics,
    }
}

impl Sweep<'_> {
    #[inline(always)]
    pub(super) fn query<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let holds = self.ask(token, plane(form, here));
        let holds = form.and(here, form.load(&holds));
        let fails = form.and_not(here, holds);
        self.answer(form, token, [holds, fails, form.empty()]);
    }

    #[inline(never)]
    fn ask(&mut self, token: &ThreadedToken, lanes: Plane) -> Plane {
        let functions = self.tick.functions;
        let Some(Function::Query(query)) = functions.get(token.operand as usize) else {
            self.place.tally.counts.unbound_calls += u64::from(lanes.count());
            return Plane::EMPTY;
        };
        let mut batch = batch(self.tick, &mut self.place, token.node, lanes);
        let holds = match query {
            Query::Batch(query) => batch.all(|batch| query(batch)).unwrap_or_default(),
            Query::Each(query) => {
                let mut holds = Plane::EMPTY;
                for lane in lanes.lanes() {
                    holds.put(lane, batch.call(lane, |call| query(call)).unwrap_or(false));
                }
                holds
            }
        };
        // It may have written any column.
        self.scratch.forget();
        holds
    }

    /// L4: exactly one exit for each enter.
    #[inline(always)]
    pub(super) fn task<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let mark = token.mark as usize;
        let ran = self.place.parts.marks[mark];
        let lanes = plane(form, here);
        let Answers { success, failure } = self.call(token, lanes, ran);
        let finished = success | failure;
        let running = lanes & !finished;
        // Those that are told of the end now are not told again. (Below a random composite a token may be
        // visited again, by others.)
        let open = if self.scratch.called.contains(mark) {
            self.scratch.open[mark]
        } else {
            ran & self.ticked
        };
        self.scratch.open[mark] = (open & !lanes) | running;
        self.scratch.called.insert(mark);
        let [success, failure, running] =
            [success, failure, running].map(|lanes| form.load(&lanes));
        self.mark(form, token.mark, running);
        self.answer(form, token, [success, failure, running]);
    }

    #[inline(never)]
    fn call(&mut self, token: &ThreadedToken, lanes: Plane, ran: Plane) -> Answers {
        if self.tick.shape.is_inner_function(token.operand) {
            return Answers {
                success: Plane::EMPTY,
                failure: Plane::EMPTY,
            };
        }
        let functions = self.tick.functions;
        let Some(Function::Task(task)) = functions.get(token.operand as usize) else {
            self.place.tally.counts.unbound_calls += u64::from(lanes.count());
            return Answers {
                success: Plane::EMPTY,
                failure: lanes,
            };
        };
        let mut batch = batch(self.tick, &mut self.place, token.node, lanes);
        let answers = run(task.as_ref(), &mut batch, ran);
        self.scratch.forget();
        answers
    }
}

/// Enters a task for the lanes that do not run it yet, runs it for all, and tells those of the end
/// that finished.
fn run(task: &dyn Task, batch: &mut Batch<'_>, ran: Plane) -> Answers {
    let all = batch.lanes;
    let mut entered = all;
    for lane in (all & !ran).lanes() {
        // An enter that panicked did not enter: there is nothing to run or exit.
        if batch.call(lane, |call| task.enter(call)).is_none() {
            entered.put(lane, false);
        }
    }
    if entered.is_empty() {
        return Answers {
            success: Plane::EMPTY,
            failure: all,
        };
    }
    batch.lanes = entered;
    let answers = batch.all(|batch| task.run_batch(batch));
    // A panic of the whole call is a panic of each. (The host may have moved the lanes.)
    batch.lanes = all;
    let answers = answers.unwrap_or(Answers {
        success: Plane::EMPTY,
        failure: entered,
    });
    let success = answers.success & entered;
    let failure = answers.failure & entered & !success;
    for (lanes, reason) in [(success, Exit::Success), (failure, Exit::Failure)] {
        for lane in lanes.lanes() {
            batch.call(lane, |call| task.exit(call, reason));
        }
    }
    Answers {
        success,
        failure: failure | (all & !entered),
    }
}

/// Tells halted tasks so.
pub(super) fn exit_aborted(tick: &Tick<'_>, place: &mut Place<'_>, node: u32, halted: Plane) {
    if is_inner(tick.shape, TokenIndex(node)) {
        let mut batch = batch(tick, place, node, halted);
        for lane in halted.lanes() {
            batch.call(lane, |call| {
                write(call.shape, node, &mut call.row, call.world);
            });
        }
        return;
    }
    place.tally.counts.tasks_aborted += u64::from(halted.count());
    let function = tick.shape.plain()[node as usize].operand;
    let Some(Function::Task(task)) = tick.functions.get(function as usize) else {
        return;
    };
    let mut batch = batch(tick, place, node, halted);
    for lane in halted.lanes() {
        batch.call(lane, |call| task.exit(call, Exit::Aborted));
    }
}
