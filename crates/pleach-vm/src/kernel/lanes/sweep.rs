//! The sweep: the loop over the stream, and what its steps do.

use pleach_shape::threaded::ThreadedToken;
use pleach_shape::{Mark, NONE, Op, Step};

use super::scratch::LaneScratch;
use crate::block::{Occupied, control, persistent, slot};
use crate::census::BlockCensus;
use crate::kernel::{Place, SlotPlanes, Tick};
use crate::plane::Plane;
use crate::simd::Form;

/// One tick of lanes of a block.
pub(crate) struct Sweep<'a> {
    pub(super) tick: &'a Tick<'a>,
    pub(super) place: Place<'a>,
    pub(super) occupied: &'a mut Occupied,
    pub(super) census: Option<&'a mut BlockCensus>,
    pub(super) scratch: &'a mut LaneScratch,
    pub(super) ticked: Plane,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(
        tick: &'a Tick<'a>,
        place: Place<'a>,
        occupied: &'a mut Occupied,
        census: Option<&'a mut BlockCensus>,
        scratch: &'a mut LaneScratch,
        ticked: Plane,
    ) -> Sweep<'a> {
        Sweep {
            tick,
            place,
            occupied,
            census,
            scratch,
            ticked,
        }
    }

    /// Who runs a leaf resumes there, and in every region around at what holds the leaf.
    #[inline(always)]
    pub(super) fn resume<F: Form>(&mut self, form: F) {
        let threaded = self.tick.shape.threaded();
        if threaded.slots.is_empty() {
            return;
        }
        for mark in self.occupied.marks.iter() {
            let slot = threaded.resume_of_mark[mark];
            if slot != NONE {
                let running = form.load(&self.place.parts.marks[mark]);
                self.scratch.resume_at(form, slot, running);
            }
        }
        let deferred: &[SlotPlanes] = self.place.parts.deferred.as_chunks().0;
        for index in self.occupied.slots.iter() {
            let slot = threaded.resume_of_deferred[index];
            if slot != NONE {
                let waiting = form.load(&deferred[index][slot::WAITING]);
                let answered = form.load(&deferred[index][slot::ANSWERED]);
                let outstanding = form.or(waiting, answered);
                self.scratch.resume_at(form, slot, outstanding);
            }
        }
        self.resume_around(form);
    }

    /// Who resumes at a slot resumes, in the region around, at what holds that region. Slots of outer
    /// regions have lower numbers, so one pass downward finds them all.
    #[inline(always)]
    fn resume_around<F: Form>(&mut self, form: F) {
        let slots = &self.tick.shape.threaded().slots;
        for word in (0..self.scratch.resuming.words().len()).rev() {
            let mut left = self.scratch.resuming.words()[word];
            while left != 0 {
                let bit = 63 - left.leading_zeros() as usize;
                left &= !(1 << bit);
                let slot = word * 64 + bit;
                let up = slots[slot].up;
                if up == NONE {
                    continue;
                }
                let lanes = form.load(&self.scratch.resume[slot]);
                self.scratch.resume_at(form, up, lanes);
                if up as usize / 64 == word {
                    left |= 1 << (up % 64);
                }
            }
        }
    }

    /// Sweeps the stream.
    #[inline(always)]
    pub(super) fn stream<F: Form>(&mut self, form: F) {
        let tokens: &[ThreadedToken] = &self.tick.shape.threaded().tokens;
        self.scratch.forget();
        self.scratch.arrive[0] = self.ticked;
        let mut at = 0usize;
        // The next token at which somebody resumes.
        let mut next_resume = u32::MAX;
        let mut swept = 0u64;
        // Who goes on from the token before to this one: kept in registers, since what is stored would be
        // loaded again at once, and most paths go straight on.
        let mut carried = form.empty();
        while let Some(token) = tokens.get(at) {
            let arrive = &mut self.scratch.arrive[at];
            let here = form.or(form.load(arrive), carried);
            carried = form.empty();
            if form.is_empty(here) {
                while next_resume as usize <= at {
                    self.scratch.pending.pop();
                    next_resume = self.scratch.pending.last().copied().unwrap_or(u32::MAX);
                }
                at = if next_resume >= token.skip {
                    token.skip as usize
                } else {
                    at + 1
                };
                continue;
            }
            form.store(form.empty(), arrive);
            swept += 1;
            match token.step {
                Step::Condition | Step::Test | Step::TestOrFail | Step::TestThenSucceed => {
                    let [holds, fails] = self.test(form, token, here);
                    let next = at as u32 + 1;
                    if token.leads[0] == next {
                        carried = holds;
                        self.scratch.route(form, token.leads[1], fails);
                    } else if token.leads[1] == next {
                        carried = fails;
                        self.scratch.route(form, token.leads[0], holds);
                    } else {
                        self.scratch.route(form, token.leads[0], holds);
                        self.scratch.route(form, token.leads[1], fails);
                    }
                }
                Step::Action => self.action(form, token, here),
                Step::Wait => self.wait(form, token, here),
                Step::Region => {
                    while next_resume as usize <= at {
                        self.scratch.pending.pop();
                        next_resume = self.scratch.pending.last().copied().unwrap_or(u32::MAX);
                    }
                    self.region(form, token, here);
                    next_resume = self.scratch.pending.last().copied().unwrap_or(u32::MAX);
                }
                Step::RootSuccess | Step::RootFailure | Step::RootRunning => {
                    let status = token.step as usize - Step::RootSuccess as usize;
                    let plane = &mut self.place.parts.control[control::STATUS + status];
                    form.store(form.or(form.load(plane), here), plane);
                }
                Step::Succeed => self.answer(form, token, [here, form.empty(), form.empty()]),
                Step::Fail => self.answer(form, token, [form.empty(), here, form.empty()]),
                Step::Idle => {
                    self.mark(form, token.mark, here);
                    self.answer(form, token, [form.empty(), form.empty(), here]);
                }
                Step::PersistentAction => self.persistent(form, token, here),
                Step::Set => self.set(form, token, here),
                Step::Query => self.query(form, token, here),
                Step::Task => self.task(form, token, here),
                Step::Open => self.open(form, token, here),
                Step::Done => self.done(form, token, here),
                Step::ChildSuccess => {
                    self.mark(form, token.mark, here);
                    self.count_success(form, token.operand, here);
                    self.scratch.route(form, token.leads[0], here);
                }
                Step::ChildFailure => {
                    self.mark(form, token.mark, here);
                    self.count_failure(form, token.operand, here);
                    self.scratch.route(form, token.leads[0], here);
                }
                Step::ChildRunning => {
                    self.count_running(form, token.operand, here);
                    self.scratch.route(form, token.leads[0], here);
                }
                Step::JudgeParallel => self.judge_parallel(form, token, here),
                Step::JudgeConcurrent => self.judge_concurrent(form, token, here),
                Step::FailConcurrent => self.fail_concurrent(form, token, here),
                Step::Draw => self.start_order(form, token, here),
                Step::Passed => self.passed(form, token, here),
                Step::Redraw => {
                    if let Some(first) = self.redraw(form, token, here) {
                        at = first as usize;
                        continue;
                    }
                }
                Step::LoopOpen => self.loop_open(form, token, here),
                Step::Iterated => self.iterated(form, token, here),
                Step::CooldownOpen => self.cooldown_open(form, token, here),
                Step::CooldownSuccess | Step::CooldownFailure => self.cool(form, token, here),
                Step::TimeoutOpen => self.timeout_open(form, token, here),
                Step::TimeoutRunning => self.timeout_running(form, token, here),
                Step::DelayOpen => self.delay_open(form, token, here),
                Step::OnceOpen => self.once_open(form, token, here),
                Step::OnceSuccess | Step::OnceFailure => self.once_end(form, token, here),
                Step::RootAborted => {
                    self.scratch.aborting |= plane(form, here);
                    if let Some(census) = &mut self.census {
                        census.roll_back(0, plane(form, here));
                    }
                }
            }
            at += 1;
        }
        self.scratch.pending.clear();
        self.place.tally.tokens += swept;
    }

    /// Sends lanes on by their answers; the census is told.
    #[inline(always)]
    pub(super) fn answer<F: Form>(
        &mut self,
        form: F,
        token: &ThreadedToken,
        answers: [F::Mask; 3],
    ) {
        for (answer, lead) in answers.into_iter().zip(token.leads) {
            self.scratch.route(form, lead, answer);
        }
        if let Some(census) = &mut self.census
            && census.watches(token.node)
        {
            let [success, failure, running] = answers.map(|answer| plane(form, answer));
            census.answer(token.node, success, failure, running);
        }
    }

    /// Sets marks of the next tick.
    #[inline(always)]
    pub(super) fn mark<F: Form>(&mut self, form: F, mark: u32, lanes: F::Mask) {
        if mark != NONE {
            self.scratch.set_mark(form, mark, lanes);
        }
    }

    /// L2: a result in the slot is the answer and is used up; an empty slot is a request.
    #[inline(always)]
    fn action<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let planes = &mut self.place.parts.deferred.as_chunks_mut::<4>().0[token.operand as usize];
        let answered = form.load(&planes[slot::ANSWERED]);
        let waiting = form.load(&planes[slot::WAITING]);
        let wanted = form.and_not(here, answered);
        let finished = form.and(here, answered);
        form.store(
            form.or(form.load(&planes[slot::LAUNCHED]), wanted),
            &mut planes[slot::LAUNCHED],
        );
        self.occupied.slots.insert(token.operand as usize);
        let is_watched = match &self.census {
            Some(census) => census.watches(token.node),
            None => false,
        };
        if !is_watched && form.is_empty(finished) {
            self.scratch.route(form, token.leads[2], wanted);
            return;
        }
        let success = form.and(finished, waiting);
        let failure = form.and_not(finished, waiting);
        self.place.tally.counts.results_used += u64::from(plane(form, finished).count());
        self.answer(form, token, [success, failure, wanted]);
    }

    /// L3: what the system last wrote; Running until it has.
    #[inline(always)]
    fn persistent<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let planes = &self.place.parts.persistent.as_chunks::<2>().0[token.operand as usize];
        let done = form.load(&planes[persistent::DONE]);
        let ok = form.load(&planes[persistent::OK]);
        let running = form.and_not(here, done);
        let finished = form.and(here, done);
        self.mark(form, token.mark, running);
        let answers = [form.and(finished, ok), form.and_not(finished, ok), running];
        self.answer(form, token, answers);
    }

    /// Begins a region: who runs a leaf in it resumes there, the others go on.
    #[inline(always)]
    fn region<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let threaded = self.tick.shape.threaded();
        let [low, high] = threaded.regions[token.operand as usize].slots;
        let mut rest = here;
        let first_pending = self.scratch.pending.len();
        for slot in self.scratch.resuming.range(low as usize, high as usize) {
            let resuming = form.and(here, form.load(&self.scratch.resume[slot]));
            if form.is_empty(resuming) {
                continue;
            }
            rest = form.and_not(rest, resuming);
            let target = threaded.slots[slot].token;
            let arrive = &mut self.scratch.arrive[target as usize];
            form.store(form.or(form.load(arrive), resuming), arrive);
            self.scratch.pending.push(target);
        }
        // Slots are in stream order; the next token has to be the last one.
        self.scratch.pending[first_pending..].reverse();
        self.scratch.route(form, token.leads[0], rest);
    }

    /// The end of the sweep: tasks that were halted are told (L6), and this tick's marks take the
    /// place of the last one's.
    #[inline(always)]
    pub(super) fn end<F: Form>(&mut self, form: F) {
        if self.tick.shape.requirements().tasks > 0 {
            self.abort_tasks(form);
        }
        let ticked = form.load(&self.ticked);
        let scratch = &mut *self.scratch;
        for word in 0..scratch.marked.words().len() {
            let before = self.occupied.marks.words()[word];
            let mut after = 0u64;
            for bit in crate::bits::each(before | scratch.marked.words()[word]) {
                let mark = word * 64 + bit;
                let kept = &mut self.place.parts.marks[mark];
                let stay = form.and_not(form.load(kept), ticked);
                let next = if scratch.marked.contains(mark) {
                    form.or(stay, form.load(&scratch.marks[mark]))
                } else {
                    stay
                };
                form.store(next, kept);
                if !form.is_empty(next) {
                    after |= 1 << bit;
                }
            }
            self.occupied.marks.words_mut()[word] = after;
        }
        scratch.aborting = Plane::EMPTY;
        scratch.marked.clear();
        scratch.resuming.clear();
        scratch.called.clear();
    }

    /// Tasks that ran and were not reached, or ran in this tick and were rolled back.
    #[inline(always)]
    fn abort_tasks<F: Form>(&mut self, form: F) {
        let shape = self.tick.shape;
        for (mark, &found) in shape.threaded().marks.iter().enumerate() {
            let Mark::Runs { node } = found else { continue };
            if shape.plain()[node as usize].op() != Some(Op::Task) {
                continue;
            }
            let open = if self.scratch.called.contains(mark) {
                form.load(&self.scratch.open[mark])
            } else if self.occupied.marks.contains(mark) {
                let ran = form.load(&self.place.parts.marks[mark]);
                form.and(ran, form.load(&self.ticked))
            } else {
                continue;
            };
            let halted = if self.scratch.marked.contains(mark) {
                form.and_not(open, form.load(&self.scratch.marks[mark]))
            } else {
                open
            };
            if !form.is_empty(halted) {
                let halted = plane(form, halted);
                super::call::exit_aborted(self.tick, &mut self.place, node, halted);
            }
        }
    }
}

impl LaneScratch {
    /// Lanes go on at a token.
    #[inline(always)]
    pub(super) fn route<F: Form>(&mut self, form: F, token: u32, lanes: F::Mask) {
        let arrive = &mut self.arrive[token as usize];
        form.store(form.or(form.load(arrive), lanes), arrive);
    }

    #[inline(always)]
    fn set_mark<F: Form>(&mut self, form: F, mark: u32, lanes: F::Mask) {
        let mark = mark as usize;
        let next = if self.marked.contains(mark) {
            form.or(form.load(&self.marks[mark]), lanes)
        } else {
            self.marked.insert(mark);
            lanes
        };
        form.store(next, &mut self.marks[mark]);
    }

    #[inline(always)]
    fn resume_at<F: Form>(&mut self, form: F, slot: u32, lanes: F::Mask) {
        let place = slot as usize;
        let all = if self.resuming.contains(place) {
            form.or(form.load(&self.resume[place]), lanes)
        } else {
            self.resuming.insert(place);
            lanes
        };
        form.store(all, &mut self.resume[place]);
    }
}

/// A plane out of registers.
#[inline(always)]
pub(super) fn plane<F: Form>(form: F, mask: F::Mask) -> Plane {
    let mut plane = Plane::EMPTY;
    form.store(mask, &mut plane);
    plane
}
