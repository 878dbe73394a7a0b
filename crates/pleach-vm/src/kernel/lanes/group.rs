//! Groups in lanes: counting and judging the children of a Parallel (C3) or Concurrent (C4).
//!
//! Counters are bit-sliced: plane `i` of a counter holds bit `i` of every lane's count, and adding a
//! plane of ones is a ripple of carries.

use pleach_shape::threaded::ThreadedToken;

use super::plan::Counters;
use super::sweep::{Sweep, plane};
use crate::block::{control, slot};
use crate::kernel::SlotPlanes;
use crate::plane::Plane;
use crate::simd::Form;

impl Sweep<'_> {
    #[inline(always)]
    fn counters(&self, group: u32) -> Counters {
        let level = self.tick.shape.tables().groups[group as usize].level;
        self.tick.plans.counters[level as usize]
    }

    /// A group is entered, by all at once: its counters start at zero.
    #[inline(always)]
    pub(super) fn open<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let counters = self.counters(token.operand);
        let planes = &mut self.scratch.counters[counters.first..][..1 + 2 * counters.bits];
        for plane in planes {
            form.store(form.empty(), plane);
        }
        self.scratch.route(form, token.leads[0], here);
    }

    #[inline(always)]
    pub(super) fn count_running<F: Form>(&mut self, form: F, group: u32, lanes: F::Mask) {
        let first = self.counters(group).first;
        let running = &mut self.scratch.counters[first];
        form.store(form.or(form.load(running), lanes), running);
    }

    #[inline(always)]
    pub(super) fn count_success<F: Form>(&mut self, form: F, group: u32, lanes: F::Mask) {
        let Counters { first, bits } = self.counters(group);
        add(form, &mut self.scratch.counters[first + 1..][..bits], lanes);
    }

    #[inline(always)]
    pub(super) fn count_failure<F: Form>(&mut self, form: F, group: u32, lanes: F::Mask) {
        let Counters { first, bits } = self.counters(group);
        let failures = first + 1 + bits;
        add(form, &mut self.scratch.counters[failures..][..bits], lanes);
    }

    /// C3: a child that has finished is not visited; its old answer counts, and is kept.
    #[inline(always)]
    pub(super) fn done<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let mark = token.mark as usize;
        let succeeded = form.and(here, form.load(&self.place.parts.marks[mark]));
        let failed = form.and(here, form.load(&self.place.parts.marks[mark + 1]));
        let finished = form.or(succeeded, failed);
        if !form.is_empty(finished) {
            self.mark(form, token.mark, succeeded);
            self.mark(form, token.mark + 1, failed);
            self.count_success(form, token.operand, succeeded);
            self.count_failure(form, token.operand, failed);
            self.scratch.route(form, token.leads[0], finished);
        }
        let unfinished = form.and_not(here, finished);
        self.scratch.route(form, token.leads[2], unfinished);
    }

    /// All children of a Parallel have answered: failures are judged first, then successes; when all
    /// have finished and neither is met, Failure (C3).
    #[inline(always)]
    pub(super) fn judge_parallel<F: Form>(
        &mut self,
        form: F,
        token: &ThreadedToken,
        here: F::Mask,
    ) {
        let def = self.tick.shape.tables().groups[token.operand as usize];
        let Counters { first, bits } = self.counters(token.operand);
        let counters = &self.scratch.counters[first..][..1 + 2 * bits];
        let running = form.load(&counters[0]);
        let enough_failed = at_least(form, &counters[1 + bits..], def.failure);
        let enough_succeeded = at_least(form, &counters[1..1 + bits], def.success);
        let failed = form.and(here, enough_failed);
        let open = form.and_not(here, failed);
        let success = form.and(open, enough_succeeded);
        let open = form.and_not(open, success);
        let running = form.and(open, running);
        let failure = form.or(failed, form.and_not(open, running));
        self.roll_back(form, token, form.or(success, failure));
        self.answer(form, token, [success, failure, running]);
    }

    /// All children of a Concurrent have answered, none with Failure (C4).
    #[inline(always)]
    pub(super) fn judge_concurrent<F: Form>(
        &mut self,
        form: F,
        token: &ThreadedToken,
        here: F::Mask,
    ) {
        let first = self.counters(token.operand).first;
        let any = form.load(&self.scratch.counters[first]);
        let running = form.and(here, any);
        let success = form.and_not(here, any);
        self.answer(form, token, [success, form.empty(), running]);
    }

    /// C4: the first Failure ends the visit.
    #[inline(always)]
    pub(super) fn fail_concurrent<F: Form>(
        &mut self,
        form: F,
        token: &ThreadedToken,
        here: F::Mask,
    ) {
        self.roll_back(form, token, here);
        self.answer(form, token, [form.empty(), here, form.empty()]);
    }

    /// A group finishes while children of it run: what they kept and wanted in this tick is taken back
    /// at the end of the sweep, for all groups in one pass. Nobody looks at it before.
    #[inline(always)]
    pub(super) fn roll_back<F: Form>(&mut self, form: F, token: &ThreadedToken, lanes: F::Mask) {
        if form.is_empty(lanes) {
            return;
        }
        // A group finishes at one token, or at two for different lanes.
        let group = token.operand as usize;
        let all = if self.scratch.rolling.contains(group) {
            form.or(form.load(&self.scratch.rolled[group]), lanes)
        } else {
            self.scratch.rolling.insert(group);
            lanes
        };
        form.store(all, &mut self.scratch.rolled[group]);
        if let Some(census) = &mut self.census {
            census.roll_back(token.node, plane(form, lanes));
        }
    }

    /// D5: whatever these lanes ran or asked for is halted, and they are unloaded.
    #[inline(always)]
    fn abandon<F: Form>(&mut self, form: F) {
        let aborting = form.load(&self.scratch.aborting);
        let deferred: &mut [SlotPlanes] = self.place.parts.deferred.as_chunks_mut().0;
        for slot in self.occupied.slots.iter() {
            let wanted = &mut deferred[slot][slot::LAUNCHED];
            form.store(form.and_not(form.load(wanted), aborting), wanted);
        }
        for mark in self.scratch.marked.iter() {
            let next = &mut self.scratch.marks[mark];
            form.store(form.and_not(form.load(next), aborting), next);
        }
        let loaded = &mut self.place.parts.control[control::LOADED];
        form.store(form.and_not(form.load(loaded), aborting), loaded);
        self.place.tally.counts.aborted += u64::from(self.scratch.aborting.count());
    }

    /// Takes back what finished groups have halted. (What ran before and was not visited is not in the
    /// next marks anyway.)
    #[inline(always)]
    pub(super) fn take_back<F: Form>(&mut self, form: F) {
        if !self.scratch.aborting.is_empty() {
            self.abandon(form);
        }
        if self.scratch.rolling.iter().next().is_none() {
            return;
        }
        let threaded = self.tick.shape.threaded();
        // What a group halts, those within it halt.
        for (group, &around) in threaded.around.iter().enumerate() {
            let own = if self.scratch.rolling.contains(group) {
                form.load(&self.scratch.rolled[group])
            } else {
                form.empty()
            };
            let all = match self.scratch.rolled.get(around as usize) {
                Some(outer) => form.or(own, form.load(outer)),
                None => own,
            };
            form.store(all, &mut self.scratch.rolled[group]);
        }
        let deferred: &mut [SlotPlanes] = self.place.parts.deferred.as_chunks_mut().0;
        for slot in self.occupied.slots.iter() {
            let group = threaded.group_of_deferred[slot] as usize;
            if let Some(halted) = self.scratch.rolled.get(group) {
                let wanted = &mut deferred[slot][slot::LAUNCHED];
                form.store(form.and_not(form.load(wanted), form.load(halted)), wanted);
            }
        }
        for mark in self.scratch.marked.iter() {
            let group = threaded.group_of_mark[mark] as usize;
            if let Some(halted) = self.scratch.rolled.get(group) {
                let next = &mut self.scratch.marks[mark];
                form.store(form.and_not(form.load(next), form.load(halted)), next);
            }
        }
        self.scratch.rolling.clear();
    }
}

/// Adds one to the counters of these lanes.
#[inline(always)]
pub(super) fn add<F: Form>(form: F, counter: &mut [Plane], lanes: F::Mask) {
    let mut carry = lanes;
    for bit in counter {
        let had = form.load(bit);
        form.store(form.xor(had, carry), bit);
        carry = form.and(had, carry);
        if form.is_empty(carry) {
            return;
        }
    }
}

/// The lanes whose counter is at least that.
#[inline(always)]
fn at_least<F: Form>(form: F, counter: &[Plane], bound: u32) -> F::Mask {
    let full = form.load(&Plane::FULL);
    if counter.len() < 32 && bound >> counter.len() != 0 {
        return form.empty();
    }
    let (mut above, mut equal) = (form.empty(), full);
    for (index, bit) in counter.iter().enumerate().rev() {
        let set = form.load(bit);
        if (bound >> index) & 1 != 0 {
            equal = form.and(equal, set);
        } else {
            above = form.or(above, form.and(equal, set));
            equal = form.and_not(equal, set);
        }
    }
    form.or(above, equal)
}
