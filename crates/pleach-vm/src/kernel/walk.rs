//! What the kernels share: an actor's state stream, groups, roll-back, the end of a walk.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pleach_shape::layout::{CONTROL_PLANES, SLOT_PLANES};
use pleach_shape::{GroupDef, Op, Shape, StateRecord, Status, TokenIndex};

use super::{GroupCount, Place, Scratch, Tick};
use crate::actor::ActorId;
use crate::batch::Batch;
use crate::bits::Bits;
use crate::block::{control, slot};
use crate::column::Row;
use crate::halted;
use crate::host::{Call, Exit, Function};
use crate::observe::{Event, Observer};
use crate::pace::Paces;
use crate::plane::{PLANE_WORDS, Plane};
use crate::report::Tally;
use crate::solo::Guarded;
use crate::stream::Streams;
use crate::test::Test;
use crate::timer::Timers;

/// A walk over one actor after another of a block.
pub(crate) struct Walk<'a, O> {
    pub(crate) shape: &'a Shape,
    pub(crate) scratch: &'a mut Scratch,
    pub(super) observer: &'a mut O,
    pub(super) tick: &'a Tick<'a>,
    pub(super) tests: &'a [Test],
    pub(crate) groups: &'a [GroupDef],
    pub(super) tally: &'a mut Tally,
    pub(super) columns: &'a mut [Plane],
    pub(super) column_firsts: &'a [u32],
    pub(super) control: &'a mut [Plane; CONTROL_PLANES],
    pub(super) deferred: &'a mut [[Plane; SLOT_PLANES]],
    /// Deferred slots that have or want anybody.
    pub(super) occupied: &'a mut Bits,
    pub(super) persistent: &'a [Plane],
    pub(super) counters: &'a mut [Plane],
    pub(super) latches: &'a mut [Plane],
    pub(crate) timers: Timers<'a>,
    pub(super) generations: &'a [u32],
    pub(super) paces: &'a Paces,
    pub(super) lengths: &'a mut [u32],
    pub(super) records: &'a mut [StateRecord],
    pub(super) record_capacity: usize,
    pub(super) first_actor: usize,
    pub(super) lane: usize,
    /// The lane's word in a plane, and its bit in there. (Taken modulo the words of a plane where it
    /// is used: it always is below, but only so the compiler knows.)
    pub(super) word: usize,
    pub(super) bit: u64,
    /// The unread part of the actor's last state stream, as positions in `records`.
    pub(super) cursor: usize,
    pub(super) last_end: usize,
    /// The node of the first unread record; none is `u32::MAX`, which is no node.
    pub(super) next_node: u32,
    /// How many records the next state stream has so far.
    pub(super) kept: usize,
    /// The node whose way in the scratch holds; none is `u32::MAX`.
    pub(super) way_in_of: u32,
    /// Who answers queries and tasks, in place of the population's functions.
    pub(crate) callee: Option<Guarded<'a>>,
    /// Whether wanted slots may be taken back within the tick.
    pub(super) takes_back: bool,
}

impl<'a, O: Observer> Walk<'a, O> {
    pub(crate) fn new(
        tick: &'a Tick<'a>,
        place: Place<'a>,
        streams: &'a mut Streams,
        occupied: &'a mut Bits,
        scratch: &'a mut Scratch,
        observer: &'a mut O,
    ) -> Walk<'a, O> {
        let layout = tick.shape.layout();
        let tables = tick.shape.tables();
        let parts = place.parts;
        Walk {
            shape: tick.shape,
            scratch,
            observer,
            tick,
            tests: tick.tests,
            groups: &tables.groups,
            tally: place.tally,
            columns: parts.columns,
            column_firsts: &layout.columns,
            control: parts.control,
            deferred: parts.deferred.as_chunks_mut().0,
            occupied,
            persistent: parts.persistent,
            counters: parts.counters,
            latches: parts.latches,
            timers: Timers {
                lines: parts.timers,
                layout,
                defs: &tables.timers,
                epoch: place.timer_epoch,
            },
            generations: place.generations,
            paces: place.paces,
            lengths: &mut streams.lengths,
            records: &mut streams.records,
            record_capacity: streams.capacity,
            first_actor: place.first_actor,
            lane: 0,
            word: 0,
            bit: 0,
            cursor: 0,
            last_end: 0,
            next_node: u32::MAX,
            kept: 0,
            way_in_of: u32::MAX,
            callee: None,
            takes_back: tick.shape.takes_back(),
        }
    }

    /// The actor whose walk it is.
    pub(super) fn actor(&self) -> ActorId {
        let generation = self.generations.get(self.lane).copied().unwrap_or(0);
        ActorId::new((self.first_actor + self.lane) as u32, generation)
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
        self.way_in_of = u32::MAX;
        self.scratch.wanted.clear();
    }

    /// Ends the actor's walk: the next stream becomes the last one, and then, behind all visits,
    /// tasks are aborted in stream order (L6). Without a status the actor has left the tree.
    #[inline(always)]
    pub(crate) fn finish(&mut self, status: Option<Status>) {
        self.skip_before(u32::MAX);
        if status.is_none() {
            self.abandon();
        }
        if let Some(length) = self.lengths.get_mut(self.lane) {
            *length = self.kept as u32;
            // Written in post-order, read forward in the next tick. Where one leaf runs, these are its
            // ancestors, and the post-order is simply the other direction; where several do, in
            // groups, siblings come out the wrong way round.
            let first = self.lane * self.record_capacity;
            let mut place = first + self.kept;
            let mut sorted = true;
            let mut behind = u32::MAX;
            for &record in &self.scratch.next[..self.kept] {
                place -= 1;
                self.records[place] = record;
                sorted &= record.node < behind;
                behind = record.node;
            }
            if !sorted {
                self.records[first..first + self.kept].sort_unstable_by_key(|record| record.node);
            }
        }
        if let Some(status) = status {
            self.control[control::STATUS + status as usize].0[self.word % PLANE_WORDS] |= self.bit;
        }
        if !self.scratch.aborted.is_empty() {
            self.exit_aborted();
        }
    }

    /// D5: whatever ran or was asked for is halted, and the actor is unloaded.
    #[cold]
    fn abandon(&mut self) {
        while self.kept > 0 {
            self.kept -= 1;
            self.note_halted(self.scratch.next[self.kept]);
        }
        while let Some(slot) = self.scratch.wanted.pop() {
            self.deferred[slot as usize][slot::LAUNCHED].0[self.word % PLANE_WORDS] &= !self.bit;
        }
        self.control[control::LOADED].0[self.word % PLANE_WORDS] &= !self.bit;
        self.tally.counts.aborted += 1;
        if O::ACTIVE {
            let end = self.shape.plain().len();
            self.see(Event::RollBack(TokenIndex(1), TokenIndex::from(end)));
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
    pub(crate) fn skip_before(&mut self, node: u32) {
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

    /// Whether the next unread record is of a node before `end`.
    #[inline(always)]
    pub(crate) fn runs_before(&self, end: u32) -> bool {
        self.next_node < end
    }

    /// The node of the first record at `first` or behind, if it lies before `end`.
    #[inline(always)]
    pub(crate) fn next_within(&mut self, first: u32, end: u32) -> Option<u32> {
        self.skip_before(first);
        (self.next_node < end).then_some(self.next_node)
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
            if matches!(
                event,
                Event::Enter(_) | Event::Leaf(..) | Event::React { .. }
            ) {
                self.tally.tokens += 1;
            }
            self.observer.see(self.lane, event);
        }
    }

    /// Counts a token that no event tells of, for whoever looks on.
    #[inline(always)]
    pub(crate) fn pass(&mut self) {
        if O::ACTIVE {
            self.tally.tokens += 1;
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

    #[cold]
    fn exit_aborted(&mut self) {
        let mut aborted = std::mem::take(&mut self.scratch.aborted);
        aborted.sort_unstable();
        let functions = self.tick.functions;
        for &node in &aborted {
            let function = self.shape.plain()[node as usize].operand;
            if self.shape.is_inner_function(function) {
                let mut row = Row {
                    lines: self.columns,
                    firsts: self.column_firsts,
                    lane: self.lane,
                };
                halted::write(self.shape, node, &mut row, self.tick.world);
                continue;
            }
            self.tally.counts.tasks_aborted += 1;
            if let Some(callee) = &mut self.callee {
                callee.exit(function, node, Exit::Aborted);
            } else if let Some(Function::Task(task)) = functions.get(function as usize) {
                self.guarded(node, |call| task.exit(call, Exit::Aborted));
            }
        }
        aborted.clear();
        self.scratch.aborted = aborted;
    }

    /// Calls back into the host for the walk's actor. A panic there stays there: it is listed, and the
    /// call gives `None`.
    pub(super) fn guarded<R>(
        &mut self,
        node: u32,
        callback: impl FnOnce(&mut Call<'_>) -> R,
    ) -> Option<R> {
        let lane = self.lane;
        self.batch(node).call(lane, callback)
    }

    /// A batch of the walk's actor alone.
    pub(super) fn batch(&mut self, node: u32) -> Batch<'_> {
        let mut lanes = Plane::EMPTY;
        lanes.put(self.lane, true);
        Batch {
            lanes,
            node: TokenIndex(node),
            shape: self.shape,
            lines: self.columns,
            world: self.tick.world,
            first_actor: self.first_actor,
            generations: self.generations,
            paces: self.paces,
            now_micros: self.tick.now_micros,
            tick: self.tick.number,
            seed: self.tick.seed,
            panics: &mut self.tally.panics,
        }
    }
}

/// What a panic carries is the host's, and may panic in turn when it is dropped. That one is leaked.
#[cold]
pub(crate) fn drop_payload(payload: Box<dyn std::any::Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(again);
    }
}
