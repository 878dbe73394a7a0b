//! A picture of the colony: the map, and below it how it came to be so.

mod marks;
mod strip;

use pleach_draw::{Canvas, MARGIN, Pixels, VERMILION, wrapped};

use super::figures::Totals;
use super::history::{History, Sample};
use super::map::{Grid, Map};
use super::scene::{Doing, Scene, Stage};
use super::thing::{Group, Thing};
use crate::modes::grouped;
use marks::Marks;
use strip::Strip;

const WIDTH: f64 = 920.0;
/// The widest and tallest that a map is drawn.
const MAP: (f64, f64) = (WIDTH - 2.0 * MARGIN, 400.0);
/// Sides of a cell, in pixels: it is square.
const CELL: std::ops::RangeInclusive<f64> = 6.0..=24.0;
/// A line of small text.
const LINE: f64 = 17.0;
/// A character of small text is about so wide, whatever the font.
const CHARACTER: f64 = 6.3;
/// Between two groups of things.
const GAP: f64 = 30.0;
/// Above a strip: its heading and two lines of legend.
const HEAD: f64 = 60.0;
/// Of a strip, without its numbers of ticks.
const STRIP: f64 = 104.0;
/// Below a strip.
const FOOT: f64 = 36.0;

/// What a picture shows: the colony at one moment, and what was before.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The moment.
    pub scene: &'a Scene,
    /// What was done until then.
    pub totals: &'a Totals,
    /// The time until then.
    pub history: &'a History,
    /// How many ticks the whole run has: all pictures of a run have this axis of time.
    pub ticks: u64,
}

/// A moment as an SVG document: the map with everything on it, and below it strips that show over
/// time what dwarves did, how far plants were grown and how many workshops there were.
///
/// The document has a background of its own and needs no other files. It has a mark for each thing
/// as long as there is room; where it is crowded there are fewer, so that the document has at most
/// about a megabyte whatever the scene. Numbers in it are exact.
pub fn picture(moment: &Moment<'_>) -> String {
    Layout::of(moment).draw()
}

/// A kind's colour: of its mark and its area.
fn colour(thing: Thing) -> &'static str {
    match thing {
        Thing::Dwarf(Doing::Idle) => "#a3adb8",
        Thing::Dwarf(Doing::Harvesting) => VERMILION,
        Thing::Dwarf(Doing::Working) => pleach_draw::COLOURS[0],
        Thing::Plant(Stage::Sprout) => "#a9dcae",
        Thing::Plant(Stage::Seedling) => "#6cc285",
        Thing::Plant(Stage::Sapling) => "#2f9a68",
        Thing::Plant(Stage::Grown) => "#0b5d3b",
        Thing::BusyWorkshop => "#8c5e33",
        Thing::FreeWorkshop => "#e6d3b8",
    }
}

/// Where everything stands.
struct Layout<'a> {
    moment: &'a Moment<'a>,
    /// The moment, counted.
    now: Sample,
    map: Map,
    /// The side of a cell.
    cell: f64,
    about: Vec<String>,
    caption: Vec<String>,
}

impl<'a> Layout<'a> {
    fn of(moment: &'a Moment<'a>) -> Layout<'a> {
        let most = |length: f64| (length / CELL.start()) as u16;
        let grid = Grid {
            columns: most(MAP.0),
            rows: most(MAP.1),
            tall: 1,
        };
        let map = Map::of(moment.scene, grid);
        let cell = f64::min(
            MAP.0 / map.columns() as f64,
            MAP.1 / map.rows().len() as f64,
        );
        let lines = |text: &str| wrapped(text, (MAP.0 / CHARACTER) as usize);
        let now = moment.scene.sample(moment.totals);
        let mut layout = Layout {
            moment,
            now,
            // A tenth of a pixel, as in the document.
            cell: (cell.clamp(*CELL.start(), *CELL.end()) * 10.0).floor() / 10.0,
            map,
            about: lines(ABOUT),
            caption: Vec::new(),
        };
        layout.caption = lines(&layout.captioned());
        layout
    }

    fn title(&self) -> String {
        let ticks = plural(self.now.tick, ["tick", "ticks"]);
        format!("A colony of {} after {ticks}", self.named(&Group::ALL[0]))
    }

    /// A group's number and name.
    fn named(&self, group: &Group) -> String {
        plural(group.count(&self.now), [group.one, group.many])
    }

    fn captioned(&self) -> String {
        let cut = match self.now.harvested {
            1 => "1 tree was cut".to_owned(),
            cut => format!("{} trees were cut", grouped(cut)),
        };
        let made = match self.now.goods {
            1 => "1 good was made in the workshops".to_owned(),
            made => format!("{} goods were made in the workshops", grouped(made)),
        };
        let crowded = self.map.rows().flatten().any(Marks::is_crowded);
        let left_out = if crowded {
            " Where the map is crowded, not all is drawn."
        } else {
            ""
        };
        format!("Until then {cut}, and {made}.{left_out}")
    }

    fn map_top(&self) -> f64 {
        MARGIN + 24.0 + LINE * self.about.len() as f64 + 14.0
    }

    fn map_size(&self) -> (f64, f64) {
        let cells = (self.map.columns(), self.map.rows().len());
        (cells.0 as f64 * self.cell, cells.1 as f64 * self.cell)
    }

    /// The upper edge of the groups.
    fn groups_top(&self) -> f64 {
        self.map_top() + self.map_size().1 + 30.0
    }

    fn caption_top(&self) -> f64 {
        self.groups_top() + HEAD + STRIP + FOOT
    }

    fn draw(&self) -> String {
        let foot = LINE * self.caption.len() as f64 + MARGIN * 0.6;
        let size = (WIDTH, self.caption_top() + foot);
        let title = self.title();
        let description = format!("{} {}", self.about.join(" "), self.caption.join(" "));
        let mut canvas = pleach_draw::paper(size, STYLE, &title, &description);
        canvas.label("title", MARGIN, MARGIN + 17.0, &title);
        for (index, line) in self.about.iter().enumerate() {
            let y = MARGIN + 24.0 + LINE * (index as f64 + 1.0);
            canvas.label("quiet", MARGIN, y, line);
        }
        self.land(&mut canvas);
        let width = (MAP.0 - GAP * (Group::ALL.len() - 1) as f64) / Group::ALL.len() as f64;
        for (index, group) in Group::ALL.iter().enumerate() {
            self.group(
                &mut canvas,
                group,
                MARGIN + index as f64 * (width + GAP),
                width,
            );
        }
        for (index, line) in self.caption.iter().enumerate() {
            let y = self.caption_top() + LINE * (index as f64 + 0.5);
            canvas.label("quiet", MARGIN, y, line);
        }
        canvas.finish()
    }

    /// The map.
    fn land(&self, canvas: &mut Canvas) {
        let (width, height) = self.map_size();
        canvas.empty(
            "rect",
            &[
                ("class", &"panel"),
                ("x", &Pixels(MARGIN)),
                ("y", &Pixels(self.map_top())),
                ("width", &Pixels(width)),
                ("height", &Pixels(height)),
            ],
        );
        let mut marks = Marks::new(self.cell);
        for (row, cells) in self.map.rows().enumerate() {
            for (column, cell) in cells.iter().enumerate() {
                let middle = |index: usize| (index as f64 + 0.5) * self.cell;
                let (x, y) = (MARGIN + middle(column), self.map_top() + middle(row));
                marks.cell(cell, x, y);
            }
        }
        marks.draw(canvas);
    }

    /// A group's legend and strip.
    fn group(&self, canvas: &mut Canvas, group: &Group, left: f64, width: f64) {
        let top = self.groups_top();
        canvas.label("group", left, top, &self.named(group));
        for (index, &thing) in group.things.iter().rev().enumerate() {
            let x = left + (index % 2) as f64 * 0.5 * width;
            let y = top + 22.0 + (index / 2) as f64 * LINE;
            marks::sample(canvas, thing, x + 6.0, y - 4.0);
            let count = grouped(self.now.count(thing).into());
            let text = format!("{count} {}", thing.name());
            canvas.label("legend", x + 18.0, y, &text);
        }
        // Most dwarves are idle, and beside them the others would hardly be seen.
        let is_drawn = |thing: &&Thing| **thing != Thing::Dwarf(Doing::Idle);
        let things: Vec<Thing> = group.things.iter().filter(is_drawn).copied().collect();
        let strip = Strip {
            note: if things.len() < group.things.len() {
                "ticks; without idle ones"
            } else {
                "ticks"
            },
            things: &things,
            samples: self.moment.history.samples(),
            now: &self.now,
            ticks: self.moment.ticks.max(self.now.tick),
            left,
            right: left + width,
            top: top + HEAD,
            bottom: top + HEAD + STRIP,
        };
        strip.draw(canvas);
    }
}

const ABOUT: &str = "They cut trees, build workshops from the wood and work in them. Each dwarf and each plant \
                     is run by a behavior tree.";

/// Beside the style of all pictures.
const STYLE: &str = "\
.group { font-size: 14px; font-weight: 600; } \
.legend { font-size: 12px; } \
.dots { fill: none; stroke-linecap: round; } \
.area { stroke: #ffffff; stroke-width: 0.5; }";

fn plural(number: u64, names: [&str; 2]) -> String {
    let name = names[usize::from(number != 1)];
    format!("{} {name}", grouped(number))
}

#[cfg(test)]
mod tests;
