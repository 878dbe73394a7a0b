//! Leaves: the same for every kernel.

use pleach_shape::layout::PERSISTENT_PLANES;
use pleach_shape::{ExprIndex, Op, StateRecord, Status, TokenIndex};

use super::walk::Walk;
use crate::block::{persistent, slot};
use crate::column::Row;
use crate::eval::evaluate;
use crate::halted;
use crate::host::{Exit, Function, Query};
use crate::observe::{Event, Observer};
use crate::plane::PLANE_WORDS;

impl<O: Observer> Walk<'_, O> {
    /// Visits a leaf: its operation, operand, and token index.
    #[inline(always)]
    pub(crate) fn leaf(&mut self, op: u8, operand: u32, node: u32) -> Status {
        // Two comparisons, both guessed well, in place of a jump table.
        let status = if op == Op::Condition as u8 {
            // L1
            match self.tests[operand as usize].holds(self.columns, self.lane) {
                Some(holds) => Status::from_bool(holds),
                None => self.expression(operand),
            }
        } else if op == Op::Action as u8 {
            self.action(operand)
        } else {
            self.rare_leaf(op, operand, node)
        };
        self.see(Event::Leaf(TokenIndex(node), status));
        status
    }

    /// Whether an expression holds.
    #[inline(never)]
    pub(super) fn test(&mut self, expr: u32) -> bool {
        match self.tests[expr as usize].holds(self.columns, self.lane) {
            Some(holds) => holds,
            None => self.expression(expr) == Status::Success,
        }
    }

    /// Leaves that do more, or are met less often, than conditions and actions: kept out of the
    /// kernels' loops, whose registers they would take.
    #[inline(never)]
    fn rare_leaf(&mut self, op: u8, operand: u32, node: u32) -> Status {
        // The verifier let only operations through.
        let Some(op) = Op::from_u8(op) else {
            return Status::Failure;
        };
        match op {
            Op::Query => self.query(operand, node),
            Op::PersistentAction => self.persistent(operand),
            Op::Task => self.task(operand, node),
            Op::Set => self.set(operand),
            Op::Wait => self.wait(operand, node),
            Op::Succeed => Status::Success,
            Op::Fail => Status::Failure,
            Op::Idle => Status::Running,
            // Parents and guards are the kernels' own, and two leaves are above.
            _ => Status::Failure,
        }
    }

    #[inline(never)]
    fn expression(&mut self, expr: u32) -> Status {
        let row = Row {
            lines: self.columns,
            firsts: self.column_firsts,
            lane: self.lane,
        };
        Status::from_bool(evaluate(self.shape, ExprIndex(expr), &row, self.tick.world) != 0)
    }

    /// L2: a result in the slot is the answer and is used up; an empty slot is a request.
    #[inline(always)]
    fn action(&mut self, index: u32) -> Status {
        let planes = &mut self.deferred[index as usize];
        if planes[slot::ANSWERED].0[self.word % PLANE_WORDS] & self.bit != 0 {
            self.tally.counts.results_used += 1;
            let waiting = planes[slot::WAITING].0[self.word % PLANE_WORDS];
            return Status::from_bool(waiting & self.bit != 0);
        }
        planes[slot::LAUNCHED].0[self.word % PLANE_WORDS] |= self.bit;
        self.occupied.insert(index as usize);
        if self.takes_back {
            debug_assert!(
                self.scratch.wanted.len() < self.scratch.wanted.capacity(),
                "request capacity"
            );
            self.scratch.wanted.push(index);
        }
        Status::Running
    }

    /// L3: what the system last wrote; Running until it has.
    fn persistent(&mut self, index: u32) -> Status {
        let first = index as usize * PERSISTENT_PLANES;
        if self.persistent[first + persistent::DONE].get(self.lane) {
            Status::from_bool(self.persistent[first + persistent::OK].get(self.lane))
        } else {
            Status::Running
        }
    }

    fn set(&mut self, index: u32) -> Status {
        let mut row = Row {
            lines: self.columns,
            firsts: self.column_firsts,
            lane: self.lane,
        };
        halted::set(self.shape, index, &mut row, self.tick.world);
        Status::Success
    }

    /// D4: done at elapsed ≥ t since the first visit; the tick that starts it counts nothing.
    fn wait(&mut self, timer: u32, node: u32) -> Status {
        let was_running = self.take(node).is_some();
        let now = self.tick.now_micros;
        let deadline = if was_running {
            self.timers.get(timer, self.lane)
        } else {
            self.start_timer(timer)
        };
        if now >= deadline {
            return Status::Success;
        }
        self.keep(node, StateRecord::RUNS);
        Status::Running
    }

    fn query(&mut self, function: u32, node: u32) -> Status {
        if let Some(callee) = &mut self.callee {
            return Status::from_bool(callee.query(function, node));
        }
        let functions = self.tick.functions;
        let Some(Function::Query(query)) = functions.get(function as usize) else {
            self.tally.counts.unbound_calls += 1;
            return Status::Failure;
        };
        let lane = self.lane;
        let holds = match query {
            Query::Each(query) => self.guarded(node, |call| query(call)),
            Query::Batch(query) => {
                let lanes = self.batch(node).all(|batch| query(batch));
                lanes.map(|lanes| lanes.get(lane))
            }
        };
        Status::from_bool(holds.unwrap_or(false))
    }

    /// L4: exactly one exit for each enter.
    fn task(&mut self, function: u32, node: u32) -> Status {
        let was_running = self.take(node).is_some();
        if self.shape.is_inner_function(function) {
            self.keep(node, StateRecord::RUNS);
            return Status::Running;
        }
        if let Some(callee) = &mut self.callee {
            let status = callee.visit(function, node, was_running);
            if status == Status::Running {
                self.keep(node, StateRecord::RUNS);
            }
            return status;
        }
        let functions = self.tick.functions;
        let Some(Function::Task(task)) = functions.get(function as usize) else {
            self.tally.counts.unbound_calls += 1;
            return Status::Failure;
        };
        if !was_running && self.guarded(node, |call| task.enter(call)).is_none() {
            // An enter that panicked did not enter: there is nothing to run or exit.
            return Status::Failure;
        }
        let status = self
            .guarded(node, |call| task.run(call))
            .unwrap_or(Status::Failure);
        let reason = match status {
            Status::Running => {
                self.keep(node, StateRecord::RUNS);
                return status;
            }
            Status::Success => Exit::Success,
            Status::Failure => Exit::Failure,
        };
        self.guarded(node, |call| task.exit(call, reason));
        status
    }
}
