//! Loops (D2) and random orders (C2) in lanes.

use pleach_shape::threaded::ThreadedToken;

use super::group::add;
use super::sweep::{Sweep, plane};
use crate::actor::ActorId;
use crate::kernel::memory::{counter_lines, draw_child, order_lines};
use crate::plane::Plane;
use crate::simd::Form;

impl Sweep<'_> {
    /// D2: who is between two iterations goes on, the others start.
    #[inline(always)]
    pub(super) fn loop_open<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let ran = form.load(&self.place.parts.marks[token.mark as usize]);
        let started = form.and_not(here, ran);
        if !form.is_empty(started) {
            let lines = counter_lines(self.tick.shape.layout(), token.operand as usize);
            clear(form, &mut self.place.parts.counters[lines], started);
        }
        self.scratch.route(form, token.leads[0], here);
    }

    /// D2: an iteration has ended.
    #[inline(always)]
    pub(super) fn iterated<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let limit = self.tick.shape.tables().loops[token.operand as usize].limit;
        let mut ended = form.empty();
        if limit > 0 {
            let lines = counter_lines(self.tick.shape.layout(), token.operand as usize);
            let counter = &mut self.place.parts.counters[lines];
            // The last one has all the others behind it.
            ended = here;
            for (bit, line) in counter.iter().enumerate() {
                let set = form.load(line);
                ended = match (limit - 1) >> bit & 1 {
                    0 => form.and_not(ended, set),
                    _ => form.and(ended, set),
                };
            }
            add(form, counter, form.and_not(here, ended));
        }
        let running = form.and_not(here, ended);
        self.mark(form, token.mark, running);
        let mut answers = [ended, form.empty(), running];
        if token.negated {
            answers.swap(0, 1);
        }
        self.answer(form, token, answers);
    }

    /// C2: these start over.
    #[inline(always)]
    pub(super) fn start_order<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let children = self.tick.shape.tables().randoms[token.operand as usize].children;
        let lines = order_lines(self.tick.shape.layout(), token.operand as usize, children);
        clear(form, &mut self.place.parts.counters[lines], here);
        self.draw(token, plane(form, here));
    }

    /// C2: a child has finished, and its parent goes on.
    #[inline(always)]
    pub(super) fn passed<F: Form>(&mut self, form: F, token: &ThreadedToken, here: F::Mask) {
        let layout = self.tick.shape.layout();
        let first = layout.order_firsts[token.operand as usize] as usize - layout.counters;
        let line = &mut self.place.parts.counters[first + token.mark as usize];
        form.store(form.or(form.load(line), here), line);
        self.scratch.route(form, token.leads[0], here);
    }

    /// C2: who has all children behind it leaves, the others go back to the one that they draw. Gives the
    /// token at which the sweep goes on, if anybody does: each time everybody who is here has one child more
    /// behind it, so there are no more passes than children.
    #[inline(always)]
    pub(super) fn redraw<F: Form>(
        &mut self,
        form: F,
        token: &ThreadedToken,
        here: F::Mask,
    ) -> Option<u32> {
        let children = self.tick.shape.tables().randoms[token.operand as usize].children;
        let lines = order_lines(self.tick.shape.layout(), token.operand as usize, children);
        let counters = &self.place.parts.counters[lines];
        let all = |all, line: &Plane| form.and(all, form.load(line));
        let through = counters.iter().fold(here, all);
        let mut answers = [through, form.empty(), form.empty()];
        if token.negated {
            answers.swap(0, 1);
        }
        self.leave(form, token, answers);
        let back = form.and_not(here, through);
        if form.is_empty(back) {
            return None;
        }
        self.draw(token, plane(form, back));
        let threaded = self.tick.shape.threaded();
        let first = threaded.first_random_child[token.operand as usize];
        Some(threaded.random_children[first as usize])
    }

    /// C2: sends each of these lanes to the child that it draws.
    #[inline(never)]
    fn draw(&mut self, token: &ThreadedToken, lanes: Plane) {
        let def = self.tick.shape.tables().randoms[token.operand as usize];
        let layout = self.tick.shape.layout();
        let order = order_lines(layout, token.operand as usize, def.children);
        let counters = &self.place.parts.counters[order];
        let threaded = self.tick.shape.threaded();
        let first = threaded.first_random_child[token.operand as usize] as usize;
        let starts = &threaded.random_children[first..first + def.children as usize];
        for word in 0..lanes.0.len() {
            for bit in crate::bits::each(lanes.0[word]) {
                let lane = word * 64 + bit;
                let finished = counters.iter().rev();
                let finished = finished.fold(0, |all, line| all << 1 | (line.0[word] >> bit & 1));
                let generation = self.place.generations.get(lane).copied().unwrap_or(0);
                let actor = ActorId::new((self.place.first_actor + lane) as u32, generation);
                let key = (self.tick.seed, actor.to_bits(), def.node);
                if let Some(child) = draw_child(key, self.tick.number, finished, def.children) {
                    let start = starts[child as usize] as usize;
                    self.scratch.arrive[start].0[word] |= 1 << bit;
                }
            }
        }
    }
}

#[inline(always)]
fn clear<F: Form>(form: F, lines: &mut [Plane], lanes: F::Mask) {
    for line in lines {
        form.store(form.and_not(form.load(line), lanes), line);
    }
}
