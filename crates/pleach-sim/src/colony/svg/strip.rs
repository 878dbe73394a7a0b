//! A strip: how many there were of each kind over time, on top of each other.

use std::fmt::Write;

use pleach_draw::{Attribute, Axis, Canvas, Pixels};

use super::super::history::Sample;
use super::super::thing::Thing;
use super::colour;
use crate::modes::{grouped, tick as rounded};

/// Room for the numbers on its left.
const NUMBERS: f64 = 32.0;

/// A strip in its place.
pub(super) struct Strip<'a> {
    /// Kinds, the highest first.
    pub(super) things: &'a [Thing],
    /// The name of the axis of time, and what else is to be known.
    pub(super) note: &'a str,
    /// What is drawn.
    pub(super) samples: &'a [Sample],
    /// And at the end.
    pub(super) now: &'a Sample,
    /// The length of the axis of time.
    pub(super) ticks: u64,
    /// Where, its numbers included.
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Strip<'_> {
    /// Draws it.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        let earlier = self
            .samples
            .iter()
            .take_while(|sample| sample.tick < self.now.tick);
        let samples: Vec<&Sample> = earlier.chain([self.now]).collect();
        let most = samples
            .iter()
            .map(|sample| self.height(sample, self.things.len()));
        let left = self.left + NUMBERS;
        let time = Axis::to(self.ticks, left, self.right);
        let count = Axis::to(most.max().unwrap_or(0), self.bottom, self.top + 6.0);
        canvas.empty(
            "rect",
            &[
                ("class", &"panel"),
                ("x", &Pixels(left)),
                ("y", &Pixels(self.top)),
                ("width", &Pixels(self.right - left)),
                ("height", &Pixels(self.bottom - self.top)),
            ],
        );
        self.axes(canvas, time, count);
        for (index, &thing) in self.things.iter().rev().enumerate() {
            // Along the upper edge, and back along the lower one.
            let upper = samples.iter().map(|sample| (sample, index + 1));
            let lower = samples.iter().rev().map(|sample| (sample, index));
            let mut path = String::new();
            for (sample, kinds) in upper.chain(lower) {
                let step = if path.is_empty() { 'M' } else { 'L' };
                let (x, y) = (time.at(sample.tick), count.at(self.height(sample, kinds)));
                let _ = write!(path, "{step}{} {}", Pixels(x), Pixels(y));
            }
            path.push('z');
            canvas.empty(
                "path",
                &[("class", &"area"), ("fill", &colour(thing)), ("d", &path)],
            );
        }
    }

    /// How many there are of the lowest kinds.
    fn height(&self, sample: &Sample, kinds: usize) -> u64 {
        let lowest = self.things.iter().rev().take(kinds);
        lowest.map(|&thing| u64::from(sample.count(thing))).sum()
    }

    fn axes(&self, canvas: &mut Canvas, time: Axis, count: Axis) {
        let left = self.left + NUMBERS;
        let mut grid = String::new();
        for number in count.ticks(3) {
            let y = count.at(number);
            if number > 0 {
                let _ = write!(
                    grid,
                    "M{} {}H{}",
                    Pixels(left),
                    Pixels(y),
                    Pixels(self.right)
                );
            }
            tick(canvas, left - 5.0, y + 3.5, "end", number);
        }
        canvas.empty("path", &[("class", &"grid"), ("d", &grid)]);
        let ticks = time.ticks(3);
        for &number in &ticks {
            // The last number would stand out on the right, where it lies at the edge.
            let x = time.at(number);
            let anchor = if x > self.right - 12.0 {
                "end"
            } else {
                "middle"
            };
            tick(canvas, x, self.bottom + 13.0, anchor, number);
        }
        let middle: &[Attribute<'_>] = &[
            ("class", &"axis"),
            ("x", &Pixels((left + self.right) / 2.0)),
            ("y", &Pixels(self.bottom + 27.0)),
            ("text-anchor", &"middle"),
        ];
        canvas.text("text", middle, self.note);
    }
}

fn tick(canvas: &mut Canvas, x: f64, y: f64, anchor: &str, number: u64) {
    let place: &[Attribute<'_>] = &[
        ("class", &"tick"),
        ("x", &Pixels(x)),
        ("y", &Pixels(y)),
        ("text-anchor", &anchor),
    ];
    // Long ones have no room.
    let text = match number {
        0..100_000 => grouped(number),
        _ => rounded(number as f64),
    };
    canvas.text("text", place, &text);
}
