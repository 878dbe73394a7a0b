//! The plot: a panel for each tree and kind of data, a line for each kernel.
//!
//! All panels share their axes, so that lines can be compared across panels.

mod panel;
mod scale;
mod style;

use pleach_draw::{Attribute, Canvas, MARGIN, Pixels, clipped, wrapped};

use super::comparison::Comparison;
use super::number;
use super::row::{Row, kernels};
use panel::Panel;
use scale::Scale;
use style::{Look, STYLE};

/// Space for the numbers of the axis of times, and its name.
const AXIS: f64 = 54.0;
/// Between panels.
const GAP: f64 = 14.0;
const PANEL_HEIGHT: f64 = 178.0;
const PANEL_WIDTH: f64 = 218.0;
/// The whole is at least this wide: so much do titles need.
const LEAST_WIDTH: f64 = 760.0;
/// Above each line of panels, for its name.
const ROW_HEAD: f64 = 34.0;
/// Below each line of panels, for the numbers of actors.
const ROW_FOOT: f64 = 20.0;
/// A line of small text.
const LINE: f64 = 17.0;
/// A character of small text is about so wide, whatever the font.
const CHARACTER: f64 = 6.3;

/// A comparison as an SVG document: small multiples with a column for each tree and a line of
/// panels for each kind of data and number of threads; actors from left to right and nanoseconds
/// from below, both on logarithmic axes; crossovers marked.
///
/// The document has a background of its own and needs no other files. Where a viewer shows titles
/// of elements, each point says its figures.
pub fn plot(comparison: &Comparison) -> String {
    let layout = Layout::of(comparison);
    let size = (layout.width, layout.height);
    let mut canvas = pleach_draw::paper(size, STYLE, TITLE, &layout.subtitle.join(" "));
    layout.head(&mut canvas);
    layout.columns(&mut canvas);
    layout.panels(&mut canvas);
    layout.foot(&mut canvas);
    canvas.finish()
}

const TITLE: &str = "Traversal modes: what an actor’s tick takes";

/// Where everything stands.
struct Layout<'a> {
    comparison: &'a Comparison,
    /// Rows by panel: the columns, and the lines of panels.
    trees: Vec<&'a Row>,
    rows: Vec<&'a Row>,
    looks: Vec<(&'a str, Look)>,
    subtitle: Vec<String>,
    notes: Vec<String>,
    actors: Scale,
    nanos: Scale,
    panel_width: f64,
    width: f64,
    height: f64,
}

impl<'a> Layout<'a> {
    fn of(comparison: &'a Comparison) -> Layout<'a> {
        let rows = &comparison.rows;
        let trees = first_of_each(rows, |a, b| a.tree == b.tree);
        let lines = first_of_each(rows, |a, b| (&a.data, a.threads) == (&b.data, b.threads));
        let columns = trees.len().max(1) as f64;
        let around = 2.0 * MARGIN + AXIS + (columns - 1.0) * GAP;
        let panel_width = PANEL_WIDTH.max((LEAST_WIDTH - around) / columns);
        let width = around + columns * panel_width;
        let characters = ((width - 2.0 * MARGIN) / CHARACTER) as usize;
        let wrap = |text: String| wrapped(&text, characters);
        let notes: Vec<String> = notes(comparison).into_iter().flat_map(wrap).collect();
        let mut layout = Layout {
            looks: Look::of_kernels(kernels(rows)),
            subtitle: wrap(subtitle(comparison)),
            actors: Scale::over(rows.iter().map(|row| row.actors as f64), 0.04),
            nanos: Scale::over(rows.iter().map(|row| row.ns_per_actor_tick), 0.06),
            comparison,
            trees,
            rows: lines,
            notes,
            panel_width,
            width,
            height: 0.0,
        };
        layout.height = layout.row_top(layout.rows.len())
            + 26.0
            + LINE * layout.notes.len() as f64
            + MARGIN * 0.8;
        layout
    }

    /// The lower edge of the legend.
    fn legend(&self) -> f64 {
        MARGIN + 24.0 + LINE * self.subtitle.len() as f64 + 30.0
    }

    fn column_left(&self, column: usize) -> f64 {
        MARGIN + AXIS + column as f64 * (self.panel_width + GAP)
    }

    /// The upper edge of a line of panels, with its name.
    fn row_top(&self, row: usize) -> f64 {
        self.legend() + 52.0 + row as f64 * (ROW_HEAD + PANEL_HEIGHT + ROW_FOOT)
    }

    /// Title, subtitle and legend.
    fn head(&self, canvas: &mut Canvas) {
        canvas.label("title", MARGIN, MARGIN + 17.0, TITLE);
        for (index, line) in self.subtitle.iter().enumerate() {
            let y = MARGIN + 24.0 + LINE * (index as f64 + 1.0);
            canvas.label("quiet", MARGIN, y, line);
        }
        let (mut x, y) = (MARGIN, self.legend());
        for (kernel, look) in &self.looks {
            look.sample(canvas, x, y - 4.0);
            canvas.label("name", x + 40.0, y, kernel);
            x += 40.0 + 7.4 * kernel.chars().count() as f64 + 26.0;
        }
    }

    /// The names of trees.
    fn columns(&self, canvas: &mut Canvas) {
        for (column, row) in self.trees.iter().enumerate() {
            let x = self.column_left(column);
            let characters = (self.panel_width / 8.0) as usize;
            let facts = format!(
                "{} nodes, {} bytes of blackboard",
                number::grouped(row.nodes.into()),
                row.column_bytes_per_actor
            );
            for (class, dy, text) in [
                ("tree", 30.0, clipped(&row.tree, characters)),
                ("quiet", 46.0, facts),
            ] {
                canvas.label(class, x, self.legend() + dy, &text);
            }
        }
    }

    fn panels(&self, canvas: &mut Canvas) {
        for (line, of_line) in self.rows.iter().enumerate() {
            let top = self.row_top(line);
            let place: &[Attribute<'_>] = &[
                ("class", &"data"),
                ("x", &Pixels(self.column_left(0))),
                ("y", &Pixels(top + ROW_HEAD - 9.0)),
            ];
            canvas.open("text", place);
            canvas.text("tspan", &[], &self.row_name(of_line));
            canvas.text(
                "tspan",
                &[("class", &"quiet"), ("dx", &6)],
                meaning(&of_line.data),
            );
            canvas.close();
            for (column, of_column) in self.trees.iter().enumerate() {
                let rows: Vec<&Row> = self
                    .comparison
                    .rows
                    .iter()
                    .filter(|row| {
                        row.tree == of_column.tree
                            && (&row.data, row.threads) == (&of_line.data, of_line.threads)
                    })
                    .collect();
                let left = self.column_left(column);
                let (right, bottom) = (left + self.panel_width, top + ROW_HEAD + PANEL_HEIGHT);
                let panel = Panel {
                    crossover: rows
                        .first()
                        .and_then(|row| self.comparison.crossover_of(row)),
                    rows,
                    looks: &self.looks,
                    left,
                    right,
                    top: top + ROW_HEAD,
                    bottom,
                    actors: self.actors.laid(left, right),
                    nanos: self.nanos.laid(bottom, top + ROW_HEAD),
                    first: column == 0,
                };
                panel.draw(canvas);
            }
        }
    }

    /// The name of a line of panels.
    fn row_name(&self, row: &Row) -> String {
        let several = self.rows.iter().any(|other| other.threads != row.threads);
        match (several, row.threads) {
            (false, _) => row.data.clone(),
            (true, 1) => format!("{}, 1 thread", row.data),
            (true, threads) => format!("{}, {threads} threads", row.data),
        }
    }

    /// Names of axes and notes.
    fn foot(&self, canvas: &mut Canvas) {
        let y = self.row_top(self.rows.len());
        let middle = (self.row_top(0) + ROW_HEAD + y) / 2.0;
        let turned = format!("rotate(-90 {} {})", Pixels(MARGIN + 4.0), Pixels(middle));
        canvas.text(
            "text",
            &[
                ("class", &"axis"),
                ("x", &Pixels(MARGIN + 4.0)),
                ("y", &Pixels(middle)),
                ("text-anchor", &"middle"),
                ("transform", &turned),
            ],
            "nanoseconds an actor and tick",
        );
        canvas.text(
            "text",
            &[
                ("class", &"axis"),
                (
                    "x",
                    &Pixels((self.column_left(0) + self.width - MARGIN) / 2.0),
                ),
                ("y", &Pixels(y + 12.0)),
                ("text-anchor", &"middle"),
            ],
            "actors",
        );
        for (index, note) in self.notes.iter().enumerate() {
            let y = y + 30.0 + LINE * (index as f64 + 0.5);
            canvas.label("quiet", MARGIN, y, note);
        }
    }
}

/// The first row of each set of rows that are alike.
fn first_of_each(rows: &[Row], alike: impl Fn(&Row, &Row) -> bool) -> Vec<&Row> {
    let mut firsts: Vec<&Row> = Vec::new();
    for row in rows {
        if !firsts.iter().any(|first| alike(first, row)) {
            firsts.push(row);
        }
    }
    firsts
}

/// What was measured, and what it leaves out.
fn subtitle(comparison: &Comparison) -> String {
    let threads = match comparison.options.threads.as_slice() {
        [1] => "1 thread".to_owned(),
        [threads] => format!("{threads} threads"),
        _ => "several numbers of threads".to_owned(),
    };
    format!(
        "Median tick by the number of actors, {threads}, both axes logarithmic. Refreshing blackboards \
         and results is left out; merging requests is in."
    )
}

/// What a reader may ask next.
fn notes(comparison: &Comparison) -> Vec<String> {
    let machine = &comparison.machine;
    let cpu = machine.cpu.as_deref().unwrap_or("unknown processor");
    let mut notes = vec![format!(
        "Pleach {} on {cpu} ({}), built for {}{}. Thin uprights: the middle half of the rounds.",
        comparison.pleach,
        machine.os,
        machine.built_for,
        if machine.debug {
            " with assertions: figures mean little"
        } else {
            ""
        },
    )];
    if let Some(crossover) = comparison.crossovers.first() {
        notes[0].push_str(&format!(
            " Ringed: from where on {} is faster than the best of the others, interpolated.",
            crossover.kernel
        ));
    }
    for skipped in &comparison.skipped {
        notes.push(format!(
            "Not measured: {} with {} actors, which would take {:.1} GiB.",
            clipped(&skipped.tree, 40),
            number::grouped(skipped.actors as u64),
            skipped.bytes as f64 / f64::from(1 << 30),
        ));
    }
    if comparison.rows.is_empty() {
        notes.push("Nothing was measured.".to_owned());
    }
    notes
}

/// What a kind of data means.
fn meaning(data: &str) -> &'static str {
    match data {
        "fresh" => "every actor starts over each tick",
        "resumed" => "every actor goes on where it was",
        "coherent" => "all actors see the same values",
        "divergent" => "each actor sees its own values",
        _ => "",
    }
}

#[cfg(test)]
mod tests;
