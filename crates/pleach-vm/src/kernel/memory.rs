//! What nodes keep beside records, for one actor: counters, orders, latches and deadlines, which lie in
//! the block's own sections whatever kernel walks it.
//!
//! A counter, an order or a deadline means something only while its node runs; it is written when the
//! node starts. Latches outlive that (D3, D6).

use std::ops::Range;

use pleach_shape::BlockLayout;

use super::walk::Walk;
use crate::block::latch;
use crate::observe::Observer;
use crate::plane::Plane;
use crate::timer::drawn;

/// The lane's bits of some lines, the first one lowest.
fn bits(lines: &[Plane], lane: usize) -> u64 {
    let bit = |line: &Plane| u64::from(line.get(lane));
    lines
        .iter()
        .rev()
        .fold(0, |bits, line| bits << 1 | bit(line))
}

fn put_bits(lines: &mut [Plane], lane: usize, bits: u64) {
    for (index, line) in lines.iter_mut().enumerate() {
        line.put(lane, bits >> index & 1 != 0);
    }
}

/// The lines of a loop's counter, as a range of the counters' section.
pub(crate) fn counter_lines(layout: &BlockLayout, index: usize) -> Range<usize> {
    let [first, end] = [index, index + 1].map(|at| layout.counter_firsts[at] as usize);
    first - layout.counters..end - layout.counters
}

/// The lines of a random composite's order, in the same section.
pub(crate) fn order_lines(layout: &BlockLayout, index: usize, children: u32) -> Range<usize> {
    let first = layout.order_firsts[index] as usize - layout.counters;
    first..first + children as usize
}

/// How many iterations a lane has behind it.
pub(crate) fn count(counters: &[Plane], layout: &BlockLayout, index: usize, lane: usize) -> u32 {
    bits(&counters[counter_lines(layout, index)], lane) as u32
}

/// Which children have finished in this round, a bit each.
pub(crate) fn finished(
    counters: &[Plane],
    layout: &BlockLayout,
    (index, children): (usize, u32),
    lane: usize,
) -> u64 {
    bits(&counters[order_lines(layout, index, children)], lane)
}

/// C2: the next child of a random composite, drawn from those that have not finished; `None` if all
/// have. A draw is a function of (seed, actor, node, tick, how many have finished).
pub(crate) fn draw_child(
    (seed, actor, node): (u64, u64, u32),
    tick: u64,
    finished: u64,
    children: u32,
) -> Option<u32> {
    let all = u64::MAX >> (64 - children);
    let mut left = all & !finished;
    if left == 0 {
        return None;
    }
    let key = tick << 32 | u64::from(finished.count_ones());
    let bits = crate::random::draw(seed, actor, node, key);
    for _ in 0..crate::random::below(bits, left.count_ones().into()) {
        left &= left - 1;
    }
    Some(left.trailing_zeros())
}

impl<O: Observer> Walk<'_, O> {
    /// D2: a loop starts.
    pub(super) fn start_count(&mut self, index: u32) {
        let lines = counter_lines(self.shape.layout(), index as usize);
        put_bits(&mut self.counters[lines], self.lane, 0);
    }

    /// D2: an iteration has ended. Whether it was the last one.
    pub(super) fn count_iteration(&mut self, index: u32) -> bool {
        let def = self.shape.tables().loops[index as usize];
        if def.limit == 0 {
            return false;
        }
        let lines = counter_lines(self.shape.layout(), index as usize);
        let counter = &mut self.counters[lines];
        let count = bits(counter, self.lane) + 1;
        if count >= def.limit.into() {
            return true;
        }
        put_bits(counter, self.lane, count);
        false
    }

    /// C2: a random composite starts over.
    pub(super) fn start_order(&mut self, index: u32) {
        let children = self.shape.tables().randoms[index as usize].children;
        let lines = order_lines(self.shape.layout(), index as usize, children);
        put_bits(&mut self.counters[lines], self.lane, 0);
    }

    /// C2: a child has finished, and the composite goes on.
    pub(super) fn pass_child(&mut self, index: u32, child: u32) {
        let children = self.shape.tables().randoms[index as usize].children;
        let lines = order_lines(self.shape.layout(), index as usize, children);
        self.counters[lines][child as usize].put(self.lane, true);
    }

    /// C2: the number of the next child, or `None` if all have finished.
    pub(super) fn draw(&self, index: u32) -> Option<u32> {
        let def = self.shape.tables().randoms[index as usize];
        let order = (index as usize, def.children);
        let finished = finished(self.counters, self.shape.layout(), order, self.lane);
        let key = (self.tick.seed, self.actor().to_bits(), def.node);
        draw_child(key, self.tick.number, finished, def.children)
    }

    /// A timer starts. Gives its deadline.
    pub(super) fn start_timer(&mut self, timer: u32) -> u64 {
        let def = &self.shape.tables().timers[timer as usize];
        let micros = match def.is_drawn() {
            true => drawn(
                def,
                self.tick.seed,
                self.actor().to_bits(),
                self.tick.number,
            ),
            false => def.micros,
        };
        let deadline = self.tick.now_micros.saturating_add(micros);
        self.timers.set(timer, self.lane, deadline);
        deadline
    }

    /// Whether a timer that was started is over.
    pub(super) fn is_over(&self, timer: u32) -> bool {
        self.tick.now_micros >= self.timers.get(timer, self.lane)
    }

    /// D4: the child of a Timeout is running. Whether its time is up; then it is halted.
    pub(super) fn time_is_up(&mut self, group: u32) -> bool {
        let is_up = self.is_over(self.groups[group as usize].timer);
        if is_up {
            self.roll_back(group);
        }
        is_up
    }

    fn latch(&mut self, index: u32) -> &mut [Plane] {
        let layout = self.shape.layout();
        let first = layout.latch_firsts[index as usize] as usize - layout.latches;
        &mut self.latches[first..]
    }

    /// D3: whether a Cooldown is not over yet.
    pub(super) fn is_cooling(&mut self, index: u32) -> bool {
        let lane = self.lane;
        self.latch(index)[latch::SET].get(lane)
            && !self.is_over(self.shape.tables().latches[index as usize].timer)
    }

    /// D3: the child of a Cooldown has finished.
    pub(super) fn cool(&mut self, index: u32) {
        let lane = self.lane;
        self.latch(index)[latch::SET].put(lane, true);
        self.start_timer(self.shape.tables().latches[index as usize].timer);
    }

    /// D6: how the child of a RunOnce has finished, if it has: whether with Success.
    pub(super) fn ended(&mut self, index: u32) -> Option<bool> {
        let lane = self.lane;
        let planes = self.latch(index);
        planes[latch::SET]
            .get(lane)
            .then(|| planes[latch::OK].get(lane))
    }

    /// D6: the child of a RunOnce has finished.
    pub(super) fn end(&mut self, index: u32, success: bool) {
        let lane = self.lane;
        let planes = self.latch(index);
        planes[latch::SET].put(lane, true);
        planes[latch::OK].put(lane, success);
    }
}
