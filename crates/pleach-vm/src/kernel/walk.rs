//! What the kernels share: an actor's state stream, leaves, roll-back, the end of a walk.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pleach_shape::layout::{BLOCK_LANES, CONTROL_PLANES, PERSISTENT_PLANES, SLOT_PLANES};
use pleach_shape::{
    ColumnIndex, ExprIndex, ExprType, GroupDef, Op, Shape, StateRecord, Status, Token, TokenIndex,
    ValueType,
};

use super::{GroupCount, Scratch, Tick};
use crate::actor::ActorId;
use crate::block::{Sections, control, persistent, slot};
use crate::column::Row;
use crate::eval::{evaluate, store};
use crate::host::{Call, Exit, Function};
use crate::observe::{Event, Observer};
use crate::plane::{PLANE_WORDS, Plane};
use crate::report::{CallbackPanic, Tally};
use crate::test::Test;

/// A walk over one actor after another of a block.
pub(crate) struct Walk<'a, O> {
    pub(crate) shape: &'a Shape,
    pub(crate) scratch: &'a mut Scratch,
    observer: &'a mut O,
    tick: &'a Tick<'a>,
    tests: &'a [Test],
    pub(crate) groups: &'a [GroupDef],
    tally: &'a mut Tally,
    columns: &'a mut [Plane],
    column_firsts: &'a [u32],
    control: &'a mut [Plane; CONTROL_PLANES],
    deferred: &'a mut [[Plane; SLOT_PLANES]],
    persistent: &'a [Plane],
    timers: &'a mut [u64],
    generations: &'a [u32],
    lengths: &'a mut [u32],
    records: &'a mut [StateRecord],
    record_capacity: usize,
    first_actor: usize,
    lane: usize,
    /// The lane's word in a plane, and its bit in there. (Taken modulo the words of a plane where it
    /// is used: it always is below, but only so the compiler knows.)
    word: usize,
    bit: u64,
    /// The unread part of the actor's last state stream, as positions in `records`.
    cursor: usize,
    last_end: usize,
    /// The node of the first unread record; none is `u32::MAX`, which is no node.
    next_node: u32,
    /// How many records the next state stream has so far.
    kept: usize,
}

impl<'a, O: Observer> Walk<'a, O> {
    pub(crate) fn new(
        tick: &'a Tick<'a>,
        parts: &'a mut Sections<'_>,
        scratch: &'a mut Scratch,
        tally: &'a mut Tally,
        observer: &'a mut O,
        first_actor: usize,
    ) -> Walk<'a, O> {
        let layout = tick.shape.layout();
        Walk {
            shape: tick.shape,
            scratch,
            observer,
            tick,
            tests: tick.tests,
            groups: &tick.shape.tables().groups,
            tally,
            columns: parts.columns,
            column_firsts: &layout.columns,
            control: parts.control,
            deferred: parts.deferred.as_chunks_mut().0,
            persistent: parts.persistent,
            timers: parts.timers,
            generations: parts.generations,
            lengths: parts.lengths,
            records: parts.records,
            record_capacity: layout.record_capacity,
            first_actor,
            lane: 0,
            word: 0,
            bit: 0,
            cursor: 0,
            last_end: 0,
            next_node: u32::MAX,
            kept: 0,
        }
    }

    /// Turns to another lane.
    #[inline(always)]
    pub(crate) fn begin(&mut self, lane: usize) {
        self.lane = lane;
        self.word = lane / 64;
        self.bit = 1 << (lane % 64);
        self.cursor = lane * self.record_capacity;
        self.last_end = self.cursor + self.lengths.get(lane).map_or(0, |&length| length as usize);
        self.peek();
        self.kept = 0;
        self.scratch.wanted.clear();
    }

    /// Ends the actor's walk: the next stream becomes the last one, and then, behind all visits,
    /// tasks are aborted in stream order (L6).
    #[inline(always)]
    pub(crate) fn finish(&mut self, status: Status) {
        self.skip_before(u32::MAX);
        if let Some(length) = self.lengths.get_mut(self.lane) {
            *length = self.kept as u32;
            // Written in post-order, read forward in the next tick. Without groups these are the
            // ancestors of one running leaf, and the post-order is simply the other direction.
            let first = self.lane * self.record_capacity;
            let mut place = first + self.kept;
            for &record in &self.scratch.next[..self.kept] {
                place -= 1;
                self.records[place] = record;
            }
            if !self.groups.is_empty() {
                self.records[first..first + self.kept].sort_unstable_by_key(|record| record.node);
            }
        }
        self.control[control::STATUS + status as usize].0[self.word % PLANE_WORDS] |= self.bit;
        if !self.scratch.aborted.is_empty() {
            self.exit_aborted();
        }
    }

    /// For an actor that leaves the tree: every running task is aborted.
    pub(crate) fn abort_all(&mut self) {
        self.skip_before(u32::MAX);
        self.exit_aborted();
    }

    #[inline(always)]
    fn peek(&mut self) {
        self.next_node = if self.cursor < self.last_end {
            self.records[self.cursor].node
        } else {
            u32::MAX
        };
    }

    /// Reads past the records of nodes before `node`: those nodes were not visited, which is what
    /// halts them (T4). Tasks are noted, to be told later.
    #[inline(always)]
    fn skip_before(&mut self, node: u32) {
        while self.next_node < node {
            let record = self.records[self.cursor];
            self.cursor += 1;
            self.peek();
            self.note_halted(record);
        }
    }

    /// Takes the record of a node that is being visited, if it was running.
    #[inline(always)]
    pub(crate) fn take(&mut self, node: u32) -> Option<u32> {
        self.skip_before(node);
        if self.next_node != node {
            return None;
        }
        let value = self.records[self.cursor].value;
        self.cursor += 1;
        self.peek();
        Some(value)
    }

    /// C3: takes the record of a Parallel's child that has already finished. Such a child is not
    /// visited. `parent` is the group's operation.
    #[inline]
    pub(crate) fn take_done(&mut self, parent: u8, child: u32) -> Option<Status> {
        if parent != Op::Parallel as u8 {
            // C4: a Concurrent remembers nothing.
            return None;
        }
        self.skip_before(child);
        if self.next_node != child {
            return None;
        }
        let status = self.records[self.cursor].done_status()?;
        self.cursor += 1;
        self.peek();
        Some(status)
    }

    /// Keeps a record for the next tick.
    #[inline(always)]
    pub(crate) fn keep(&mut self, node: u32, value: u32) {
        // The requirements say how many there can be.
        self.scratch.next[self.kept] = StateRecord { node, value };
        self.kept += 1;
    }

    #[inline]
    fn note_halted(&mut self, record: StateRecord) {
        if record.value == StateRecord::RUNS {
            let node = self.shape.plain()[record.node as usize];
            if node.op == Op::Task as u8 {
                debug_assert!(
                    self.scratch.aborted.len() < self.scratch.aborted.capacity(),
                    "tasks"
                );
                self.scratch.aborted.push(record.node);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn see(&mut self, event: Event) {
        if O::ACTIVE {
            self.observer.see(self.lane, event);
        }
    }

    // Groups: Parallel (C3) and Concurrent (C4).

    /// A group is entered.
    #[inline]
    pub(crate) fn open_group(&mut self, group: u32) {
        let level = self.groups[group as usize].level;
        self.scratch.groups[level as usize] = GroupCount::default();
    }

    /// A child of a group has answered.
    #[inline]
    pub(crate) fn count(&mut self, group: u32, status: Status) {
        let level = self.groups[group as usize].level;
        let count = &mut self.scratch.groups[level as usize];
        match status {
            Status::Success => count.successes += 1,
            Status::Failure => count.failures += 1,
            Status::Running => count.running += 1,
        }
    }

    /// All children of a Parallel have answered: failures are judged first, then successes; when
    /// all have finished and neither is met, Failure (C3).
    pub(crate) fn judge_parallel(&mut self, group: u32) -> Status {
        let def = self.groups[group as usize];
        let count = self.scratch.groups[def.level as usize];
        let status = if count.failures >= def.failure {
            Status::Failure
        } else if count.successes >= def.success {
            Status::Success
        } else if count.running == 0 {
            Status::Failure
        } else {
            return Status::Running;
        };
        self.roll_back(group);
        status
    }

    /// All children of a Concurrent have answered, none with Failure (C4).
    pub(crate) fn judge_concurrent(&mut self, group: u32) -> Status {
        let def = self.groups[group as usize];
        if self.scratch.groups[def.level as usize].running > 0 {
            Status::Running
        } else {
            Status::Success
        }
    }

    /// A group finishes while children of it run: what they kept and wanted in this tick is taken
    /// back. (What ran before and was not visited is not in the next stream anyway.)
    ///
    /// Records and wanted slots of the group's range are the last ones written: since the group was
    /// entered, both lists were only added to. So whatever is taken back is taken back once, and a
    /// tick stays linear in tokens however deeply groups nest (T1).
    #[inline(never)]
    pub(crate) fn roll_back(&mut self, group: u32) {
        let def = self.groups[group as usize];
        while let Some(&record) = self.scratch.next[..self.kept].last()
            && record.node > def.node
        {
            self.kept -= 1;
            self.note_halted(record);
        }
        while let Some(slot) = self
            .scratch
            .wanted
            .pop_if(|wanted| *wanted >= def.first_slot)
        {
            self.deferred[slot as usize][slot::LAUNCHED].0[self.word % PLANE_WORDS] &= !self.bit;
        }
        let end = self.shape.plain()[def.node as usize].end;
        if O::ACTIVE {
            self.see(Event::RollBack(TokenIndex(def.node + 1), TokenIndex(end)));
        }
    }

    // Leaves.

    /// Visits a leaf; `node` is its token index.
    #[inline(always)]
    pub(crate) fn leaf(&mut self, token: Token, node: u32) -> Status {
        let op = token.op;
        // Two comparisons, both guessed well, in place of a jump table.
        let status = if op == Op::Condition as u8 {
            // L1
            match self.tests[token.operand as usize].holds(self.columns, self.lane) {
                Some(holds) => Status::from_bool(holds),
                None => self.expression(token.operand),
            }
        } else if op == Op::Action as u8 {
            self.action(token.operand)
        } else {
            self.rare_leaf(token, node)
        };
        self.see(Event::Leaf(TokenIndex(node), status));
        status
    }

    /// Leaves that do more, or are met less often, than conditions and actions: kept out of the
    /// kernels' loops, whose registers they would take.
    #[inline(never)]
    fn rare_leaf(&mut self, token: Token, node: u32) -> Status {
        let operand = token.operand;
        // The verifier let only operations through.
        let Some(op) = token.op() else {
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
            Op::Condition
            | Op::Action
            | Op::Sequence
            | Op::Selector
            | Op::ReactiveSequence
            | Op::ReactiveSelector
            | Op::Parallel
            | Op::Concurrent
            | Op::Invert
            | Op::Succeeder
            | Op::Failer
            | Op::Guard
            | Op::GuardInvert
            | Op::GuardSucceeder
            | Op::GuardFailer
            | Op::GuardParallel
            | Op::GuardConcurrent => Status::Failure,
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
        if planes[slot::DONE].0[self.word % PLANE_WORDS] & self.bit != 0 {
            self.tally.counts.results_used += 1;
            return Status::from_bool(planes[slot::OK].0[self.word % PLANE_WORDS] & self.bit != 0);
        }
        planes[slot::LAUNCHED].0[self.word % PLANE_WORDS] |= self.bit;
        if !self.groups.is_empty() {
            // Without groups nothing is ever rolled back.
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
        let tables = self.shape.tables();
        let def = tables.sets[index as usize];
        let column = ColumnIndex(def.column);
        let ty = tables.columns[column.at()].ty().unwrap_or(ValueType::Bool);
        let found = tables.exprs[def.expr as usize].ty as u8;
        let mut row = Row {
            lines: self.columns,
            firsts: self.column_firsts,
            lane: self.lane,
        };
        let bits = evaluate(self.shape, ExprIndex(def.expr), &row, self.tick.world);
        store(
            column,
            ty,
            ExprType::from_u8(found).unwrap_or(ExprType::Bool),
            bits,
            &mut row,
        );
        Status::Success
    }

    /// D4: done at elapsed ≥ t since the first visit; the tick that starts it counts nothing.
    fn wait(&mut self, timer: u32, node: u32) -> Status {
        let was_running = self.take(node).is_some();
        let now = self.tick.now_micros;
        let deadline = &mut self.timers[timer as usize * BLOCK_LANES + self.lane];
        if !was_running {
            *deadline = now.saturating_add(self.shape.tables().timers[timer as usize].micros);
        }
        if now >= *deadline {
            return Status::Success;
        }
        self.keep(node, StateRecord::RUNS);
        Status::Running
    }

    fn query(&mut self, function: u32, node: u32) -> Status {
        let functions = self.tick.functions;
        let Some(Function::Query(query)) = functions.get(function as usize) else {
            self.tally.counts.unbound_calls += 1;
            return Status::Failure;
        };
        let holds = self.guarded(node, |call| query(call));
        Status::from_bool(holds.unwrap_or(false))
    }

    /// L4: exactly one exit for each enter.
    fn task(&mut self, function: u32, node: u32) -> Status {
        let was_running = self.take(node).is_some();
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

    #[cold]
    fn exit_aborted(&mut self) {
        let mut aborted = std::mem::take(&mut self.scratch.aborted);
        aborted.sort_unstable();
        let functions = self.tick.functions;
        for &node in &aborted {
            self.tally.counts.tasks_aborted += 1;
            let function = self.shape.plain()[node as usize].operand;
            if let Some(Function::Task(task)) = functions.get(function as usize) {
                self.guarded(node, |call| task.exit(call, Exit::Aborted));
            }
        }
        aborted.clear();
        self.scratch.aborted = aborted;
    }

    /// Calls back into the host. A panic there stays there: it is listed, and the call gives
    /// `None`.
    fn guarded<R>(&mut self, node: u32, callback: impl FnOnce(&mut Call<'_>) -> R) -> Option<R> {
        let actor = ActorId::new(
            (self.first_actor + self.lane) as u32,
            self.generations[self.lane],
        );
        let mut call = Call {
            shape: self.shape,
            row: Row {
                lines: self.columns,
                firsts: self.column_firsts,
                lane: self.lane,
            },
            world: self.tick.world,
            actor,
            node: TokenIndex(node),
            dt_micros: self.tick.dt_micros,
            now_micros: self.tick.now_micros,
            tick: self.tick.number,
            seed: self.tick.seed,
        };
        let result = catch_unwind(AssertUnwindSafe(|| callback(&mut call)));
        let result = result.map_err(drop_payload);
        if result.is_err() {
            self.tally.panics.push(CallbackPanic {
                actor,
                node: TokenIndex(node),
            });
        }
        result.ok()
    }
}

/// What a panic carries is the host's, and may panic in turn when it is dropped. That one is leaked.
#[cold]
fn drop_payload(payload: Box<dyn std::any::Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
}
