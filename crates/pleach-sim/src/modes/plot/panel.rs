//! A panel: one tree on one kind of data.

use std::fmt::Write;

use pleach_draw::{Attribute, Canvas, Pixels};

use super::super::crossover::{Crossover, Faster};
use super::super::number;
use super::super::row::Row;
use super::scale::Scale;
use super::style::Look;

/// A panel in its place.
pub(super) struct Panel<'a> {
    /// What is drawn.
    pub(super) rows: Vec<&'a Row>,
    pub(super) crossover: Option<&'a Crossover>,
    pub(super) looks: &'a [(&'a str, Look)],
    /// Where.
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    pub(super) actors: Scale,
    pub(super) nanos: Scale,
    /// Whether it is the first of its line and has numbers on its left.
    pub(super) first: bool,
}

impl Panel<'_> {
    /// Draws it.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        canvas.empty(
            "rect",
            &[
                ("class", &"panel"),
                ("x", &Pixels(self.left)),
                ("y", &Pixels(self.top)),
                ("width", &Pixels(self.right - self.left)),
                ("height", &Pixels(self.bottom - self.top)),
            ],
        );
        self.grid(canvas);
        self.crossing(canvas);
        // What matters most is drawn last.
        let by_width = |a: &&(&str, Look), b: &&(&str, Look)| a.1.width.total_cmp(&b.1.width);
        let mut looks: Vec<&(&str, Look)> = self.looks.iter().collect();
        looks.sort_by(by_width);
        for (kernel, look) in looks {
            self.line(canvas, kernel, look);
        }
        self.verdict(canvas);
    }

    fn grid(&self, canvas: &mut Canvas) {
        let mut lines = String::new();
        for actors in self.actors.ticks() {
            let x = self.actors.at(actors);
            let _ = write!(
                lines,
                "M{} {}V{}",
                Pixels(x),
                Pixels(self.top + 0.5),
                Pixels(self.bottom - 0.5)
            );
            self.tick(canvas, x, self.bottom + 13.0, "middle", actors);
        }
        for nanos in self.nanos.ticks() {
            let y = self.nanos.at(nanos);
            let _ = write!(
                lines,
                "M{} {}H{}",
                Pixels(self.left + 0.5),
                Pixels(y),
                Pixels(self.right - 0.5)
            );
            if self.first {
                self.tick(canvas, self.left - 6.0, y + 3.5, "end", nanos);
            }
        }
        canvas.empty("path", &[("class", &"grid"), ("d", &lines)]);
    }

    fn tick(&self, canvas: &mut Canvas, x: f64, y: f64, anchor: &str, number: f64) {
        let place: &[Attribute<'_>] = &[
            ("class", &"tick"),
            ("x", &Pixels(x)),
            ("y", &Pixels(y)),
            ("text-anchor", &anchor),
        ];
        canvas.text("text", place, &number::tick(number));
    }

    fn line(&self, canvas: &mut Canvas, kernel: &str, look: &Look) {
        let points: Vec<(f64, f64, &Row)> = self
            .rows
            .iter()
            .filter(|row| row.kernel == kernel && row.ns_per_actor_tick > 0.0)
            .map(|row| {
                let x = self.actors.at(row.actors as f64);
                (x, self.nanos.at(row.ns_per_actor_tick), *row)
            })
            .filter(|(_, y, _)| y.is_finite())
            .collect();
        let (mut line, mut ranges) = (String::new(), String::new());
        for (index, (x, y, row)) in points.iter().enumerate() {
            let step = if index == 0 { 'M' } else { 'L' };
            let _ = write!(line, "{step}{} {}", Pixels(*x), Pixels(*y));
            // Beyond the panel nothing is drawn; a round on a busy machine may be anywhere.
            let [low, high] = row.ns_quartiles.map(|nanos| {
                let y = self.nanos.at(nanos);
                if y.is_nan() {
                    self.bottom
                } else {
                    y.clamp(self.top, self.bottom)
                }
            });
            let _ = write!(ranges, "M{} {}V{}", Pixels(*x), Pixels(low), Pixels(high));
        }
        if points.is_empty() {
            return;
        }
        let strokes: [(&str, &dyn std::fmt::Display, &str); 2] =
            [("range", &1, &ranges), ("line", &look.width, &line)];
        for (class, width, path) in strokes {
            canvas.empty(
                "path",
                &[
                    ("class", &class),
                    ("stroke", &look.colour),
                    ("stroke-width", width),
                    ("d", &path),
                ],
            );
        }
        for (x, y, row) in points {
            look.mark(canvas, x, y, Some(&title(row)));
        }
    }

    /// Marks the place where the challenger passes.
    fn crossing(&self, canvas: &mut Canvas) {
        let Some(Faster::From {
            actors,
            ns_per_actor_tick,
            ..
        }) = self.crossover.map(|crossover| crossover.faster)
        else {
            return;
        };
        let (x, y) = (self.actors.at(actors), self.nanos.at(ns_per_actor_tick));
        // Down to where its number can be read.
        let upright = format!("M{} {}V{}", Pixels(x), Pixels(y + 6.0), Pixels(self.bottom));
        canvas.empty("path", &[("class", &"cross"), ("d", &upright)]);
        canvas.empty(
            "circle",
            &[
                ("class", &"ring"),
                ("cx", &Pixels(x)),
                ("cy", &Pixels(y)),
                ("r", &6),
            ],
        );
    }

    /// Says in words where it passes.
    fn verdict(&self, canvas: &mut Canvas) {
        let Some(crossover) = self.crossover else {
            return;
        };
        let kernel = &crossover.kernel;
        let text = match crossover.faster {
            Faster::Always => format!("{kernel} always faster"),
            Faster::Never => format!("{kernel} never faster"),
            Faster::From { actors, .. } => {
                format!("{kernel} faster from {}", number::about(actors))
            }
        };
        let colour = self.looks.iter().find(|(name, _)| name == kernel);
        let colour = colour.map_or("#24292f", |(_, look)| look.colour);
        let style = format!("fill: {colour}");
        let place: &[Attribute<'_>] = &[
            ("class", &"verdict"),
            ("style", &style),
            ("x", &Pixels(self.right - 8.0)),
            ("y", &Pixels(self.top + 17.0)),
            ("text-anchor", &"end"),
        ];
        canvas.text("text", place, &text);
    }
}

/// A point in words.
fn title(row: &Row) -> String {
    let mut title = format!(
        "{}, {}, {} actors, {}: {} ns ({} to {} in {} rounds)",
        row.tree,
        row.data,
        number::grouped(row.actors as u64),
        row.kernel,
        number::nanos(row.ns_per_actor_tick),
        number::nanos(row.ns_range[0]),
        number::nanos(row.ns_range[1]),
        row.rounds,
    );
    if let Some(tokens) = row.tokens_visited_per_actor_tick {
        let _ = write!(title, ", {tokens:.1} tokens visited");
    }
    title
}
