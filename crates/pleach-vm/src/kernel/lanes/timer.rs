//! Time and what outlives halts, in lanes: Wait, Delay, Timeout (D4), Cooldown (D3), RunOnce (D6).

use pleach_shape::threaded::ThreadedToken;
use pleach_shape::{Comparison, Step};

use super::sweep::{Sweep, plane};
use crate::actor::ActorId;
use crate::block::latch;
use crate::plane::Plane;
use crate::simd::Form;
use crate::timer::{TimerLines, Timers, distance, drawn};

impl Sweep<'_> {
    #[inline(always)]
    fn timers(&mut self) -> Timers<'_> {
        Timers {
            lines: self.place.parts.timers,
            layout: self.tick.shape.layout(),
            defs: &self.tick.shape.tables().timers,
            epoch: self.place.timer_epoch,
        }
    }

    /// A timer starts for these lanes.
    #[inline(always)]
    fn start_timer<F: Form>(&mut self, form: F, timer: u32, lanes: F::Mask) {
        if form.is_empty(lanes) {
            return;
        }
        let micros = self.tick.shape.tables().timers[timer as usize].micros;
        let deadline = self.tick.now_micros.saturating_add(micros);
        let epoch = self.place.timer_epoch;
        match self.timers().of(timer) {
            TimerLines::Narrow(lines) => form.fill_u32(lanes, distance(deadline, epoch), lines),
            TimerLines::Wide(moments) => {
                for lane in plane(form, lanes).lanes() {
                    moments[lane] = deadline;
                }
            }
        }
    }

    /// For which of these lanes a timer that was started is over.
    #[inline(always)]
    fn over<F: Form>(&mut self, form: F, timer: u32, lanes: F::Mask) -> F::Mask {
        if form.is_empty(lanes) {
            return lanes;
        }
        let (now, epoch) = (self.tick.now_micros, self.place.timer_epoch);
        match self.timers().of(timer) {
            TimerLines::Narrow(lines) => {
                let due = form.compare_u32(lines, Comparison::Le, distance(now, epoch));
                form.and(lanes, due)
            }
            TimerLines::Wide(moments) => {
                let mut due = Plane::EMPTY;
                for lane in plane(form, lanes).lanes() {
                    due.put(lane, now >= moments[lane]);
                }
                form.load(&due)
            }
        }
    }

    /// D4: done at elapsed ≥ t since the first visit; the tick that starts it counts nothing. Who does not
    /// run it yet starts; gives who is done and who runs, and keeps the latter.
    #[inline(always)]
    fn run_down<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) -> [F::Mask; 2] {
        let timer = token.operand;
        let ran = form.load(&self.place.parts.marks[token.mark as usize]);
        let started = form.and_not(here, ran);
        let def = self.tick.shape.tables().timers[timer as usize];
        let mut over = self.over(form, timer, form.and(here, ran));
        if def.is_drawn() {
            if !form.is_empty(started) {
                let at_once = self.draw_times(timer, plane(form, started));
                over = form.or(over, form.load(&at_once));
            }
        } else {
            self.start_timer(form, timer, started);
            // At the clock's end, too, no time can pass.
            if self.tick.now_micros.saturating_add(def.micros) <= self.tick.now_micros {
                over = form.or(over, started);
            }
        }
        let running = form.and_not(here, over);
        self.mark(form, token.mark, running);
        [over, running]
    }

    /// D4: a timer starts for these lanes, and each draws how long it takes. Gives those whose time is over
    /// at once.
    #[inline(never)]
    fn draw_times(&mut self, timer: u32, lanes: Plane) -> Plane {
        let def = self.tick.shape.tables().timers[timer as usize];
        let (now, epoch) = (self.tick.now_micros, self.place.timer_epoch);
        let (seed, tick) = (self.tick.seed, self.tick.number);
        let (first_actor, generations) = (self.place.first_actor, self.place.generations);
        let deadline = |lane: usize| {
            let generation = generations.get(lane).copied().unwrap_or(0);
            let actor = ActorId::new((first_actor + lane) as u32, generation);
            now.saturating_add(drawn(&def, seed, actor.to_bits(), tick))
        };
        let mut over = Plane::EMPTY;
        match self.timers().of(timer) {
            TimerLines::Narrow(lines) => {
                let distances: &mut [u32] = bytemuck::cast_slice_mut(lines);
                for lane in lanes.lanes() {
                    let deadline = deadline(lane);
                    distances[lane] = distance(deadline, epoch);
                    over.put(lane, deadline <= now);
                }
            }
            TimerLines::Wide(moments) => {
                for lane in lanes.lanes() {
                    moments[lane] = deadline(lane);
                    over.put(lane, moments[lane] <= now);
                }
            }
        }
        over
    }

    #[inline(always)]
    pub(super) fn wait<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let [over, running] = self.run_down(form, token, here);
        self.answer(form, token, [over, form.empty(), running]);
    }

    #[inline(always)]
    pub(super) fn delay_open<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let [over, running] = self.run_down(form, token, here);
        self.scratch.route(form, token.leads[0], over);
        self.leave(form, token, [form.empty(), form.empty(), running]);
    }

    #[inline(always)]
    pub(super) fn timeout_open<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let timer = self.tick.shape.tables().groups[token.operand as usize].timer;
        self.start_timer(form, timer, here);
        self.scratch.route(form, token.leads[0], here);
    }

    /// D4: the child has been visited, and runs.
    #[inline(always)]
    pub(super) fn timeout_running<F: Form>(
        &mut self,
        form: F,
        token: &ThreadedToken,
        here: F::Mask,
    ) {
        let timer = self.tick.shape.tables().groups[token.operand as usize].timer;
        let over = self.over(form, timer, here);
        self.roll_back(form, token, over);
        self.answer(form, token, [form.empty(), over, form.and_not(here, over)]);
    }

    #[inline(always)]
    fn latch_line(&self, latch: u32) -> usize {
        let layout = self.tick.shape.layout();
        layout.latch_firsts[latch as usize] as usize - layout.latches
    }

    /// D3
    #[inline(always)]
    pub(super) fn cooldown_open<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let line = self.latch_line(token.operand) + latch::SET;
        let timer = self.tick.shape.tables().latches[token.operand as usize].timer;
        let set = form.and(here, form.load(&self.place.parts.latches[line]));
        let over = self.over(form, timer, set);
        let cooling = form.and_not(set, over);
        self.scratch
            .route(form, token.leads[0], form.and_not(here, cooling));
        self.leave(form, token, [form.empty(), cooling, form.empty()]);
    }

    /// D3: the child has finished.
    #[inline(always)]
    pub(super) fn cool<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let line = self.latch_line(token.operand) + latch::SET;
        let timer = self.tick.shape.tables().latches[token.operand as usize].timer;
        self.start_timer(form, timer, here);
        let set = &mut self.place.parts.latches[line];
        form.store(form.or(form.load(set), here), set);
        self.scratch.route(form, token.leads[0], here);
    }

    /// D6: who has finished once is answered, the others go on to the child.
    #[inline(always)]
    pub(super) fn once_open<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let line = self.latch_line(token.operand);
        let planes = &self.place.parts.latches[line..];
        let ended = form.and(here, form.load(&planes[latch::SET]));
        let ok = form.load(&planes[latch::OK]);
        self.scratch
            .route(form, token.leads[2], form.and_not(here, ended));
        let answers = [form.and(ended, ok), form.and_not(ended, ok), form.empty()];
        self.leave(form, token, answers);
    }

    /// D6: the child has finished.
    #[inline(always)]
    pub(super) fn once_end<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let line = self.latch_line(token.operand);
        let planes = &mut self.place.parts.latches[line..];
        let set = form.or(form.load(&planes[latch::SET]), here);
        form.store(set, &mut planes[latch::SET]);
        let before = form.load(&planes[latch::OK]);
        let ok = match token.step {
            Step::OnceSuccess => form.or(before, here),
            _ => form.and_not(before, here),
        };
        form.store(ok, &mut planes[latch::OK]);
        self.scratch.route(form, token.leads[0], here);
    }

    /// A parent's own answers, of those that it does not send on to its child.
    #[inline(always)]
    pub(super) fn leave<F: Form>(&mut self, form: F, token: &ThreadedToken, answers: [F::Mask; 3]) {
        if !form.is_empty(form.or(form.or(answers[0], answers[1]), answers[2])) {
            self.answer(form, token, answers);
        }
    }
}
