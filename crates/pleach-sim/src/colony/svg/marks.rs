//! Marks on the map: dots for dwarves, triangles for plants, houses for workshops.

use std::fmt::Write;

use pleach_draw::{Canvas, Pixels};

use super::super::map::Cell;
use super::super::scene::{Doing, Stage};
use super::super::thing::Thing;
use super::colour;

/// Dwarves that are drawn in one cell.
const ABREAST: usize = 4;

/// Where they stand, in parts of a cell, if there are several.
const AROUND: [(f64, f64); ABREAST] = [(-0.25, -0.25), (0.25, 0.25), (0.25, -0.25), (-0.25, 0.25)];

/// Kinds in the order in which they are drawn: what comes later covers what came before. Whoever
/// works stands in front of the workshop.
const ORDER: [Thing; 9] = [
    Thing::Dwarf(Doing::Idle),
    Thing::Plant(Stage::Sprout),
    Thing::Plant(Stage::Seedling),
    Thing::Plant(Stage::Sapling),
    Thing::Plant(Stage::Grown),
    Thing::FreeWorkshop,
    Thing::BusyWorkshop,
    Thing::Dwarf(Doing::Harvesting),
    Thing::Dwarf(Doing::Working),
];

/// All marks of a map: one path for each kind, however many there are of it.
pub(super) struct Marks {
    /// The side of a cell, in pixels.
    cell: f64,
    /// In the order of [`ORDER`].
    paths: [String; ORDER.len()],
}

impl Marks {
    /// No marks yet.
    pub(super) fn new(cell: f64) -> Marks {
        Marks {
            cell,
            paths: Default::default(),
        }
    }

    /// Whether a cell has more than what is drawn of it.
    pub(super) fn is_crowded(cell: &Cell) -> bool {
        let plants = Stage::ALL.map(|stage| u64::from(cell.plants.of(stage)));
        let workshops = u64::from(cell.busy) + u64::from(cell.free);
        dwarves(cell) > ABREAST as u64 || plants.iter().sum::<u64>() > 1 || workshops > 1
    }

    /// Adds what is in a cell with that middle: one plant, the most grown; one workshop; a few dwarves.
    pub(super) fn cell(&mut self, cell: &Cell, x: f64, y: f64) {
        let has = |thing: &Thing| cell.count(*thing) > 0;
        let plants = Stage::ALL.map(Thing::Plant);
        let workshops = [Thing::FreeWorkshop, Thing::BusyWorkshop];
        let last = |things: &[Thing]| things.iter().rev().copied().find(has);
        for thing in [last(&plants), last(&workshops)].into_iter().flatten() {
            self.mark(thing, x, y);
        }
        // One that does something has the middle, and idle ones stand around it.
        let alone = dwarves(cell) == 1;
        let one = u64::from(cell.working) + u64::from(cell.harvesting) == 1;
        let middle = (alone || one).then_some((0.0, 0.0));
        let mut places = middle.into_iter().chain(AROUND).take(ABREAST);
        for doing in [Doing::Working, Doing::Harvesting, Doing::Idle] {
            let thing = Thing::Dwarf(doing);
            for (dx, dy) in places.by_ref().take(cell.count(thing) as usize) {
                self.mark(thing, x + dx * self.cell, y + dy * self.cell);
            }
        }
    }

    fn mark(&mut self, thing: Thing, x: f64, y: f64) {
        let index = ORDER.iter().position(|&other| other == thing);
        if let Some(path) = index.and_then(|index| self.paths.get_mut(index)) {
            outline(path, thing, x, y, self.cell);
        }
    }

    /// Draws them all.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        for (thing, path) in ORDER.into_iter().zip(&self.paths) {
            if !path.is_empty() {
                draw(canvas, thing, path, self.cell);
            }
        }
    }
}

/// A single mark, for a legend.
pub(super) fn sample(canvas: &mut Canvas, thing: Thing, x: f64, y: f64) {
    const CELL: f64 = 12.0;
    let mut path = String::new();
    outline(&mut path, thing, x, y, CELL);
    draw(canvas, thing, &path, CELL);
}

fn dwarves(cell: &Cell) -> u64 {
    let counts = Doing::ALL.map(|doing| u64::from(cell.count(Thing::Dwarf(doing))));
    counts.iter().sum()
}

/// Adds the outline of a mark in a cell of that size.
fn outline(path: &mut String, thing: Thing, x: f64, y: f64, cell: f64) {
    let part = |part: f64| Pixels(part * cell);
    let _ = match thing {
        // A line without length, with round ends.
        Thing::Dwarf(_) => write!(path, "M{} {}h0", Pixels(x), Pixels(y)),
        Thing::Plant(stage) => {
            // Half its width and its height.
            let (half, height) = match stage {
                Stage::Sprout => (0.22, 0.4),
                Stage::Seedling => (0.28, 0.55),
                Stage::Sapling => (0.36, 0.74),
                Stage::Grown => (0.44, 0.96),
            };
            let top = y + (0.45 - height) * cell;
            write!(
                path,
                "M{} {}l{} {}h{}z",
                Pixels(x),
                Pixels(top),
                part(half),
                part(height),
                part(-2.0 * half)
            )
        }
        Thing::BusyWorkshop | Thing::FreeWorkshop => write!(
            path,
            "M{} {}l{} {}v{}h{}v{}z",
            Pixels(x),
            Pixels(y - 0.55 * cell),
            part(0.55),
            part(0.45),
            part(0.6),
            part(-1.1),
            part(-0.6)
        ),
    };
}

fn draw(canvas: &mut Canvas, thing: Thing, path: &str, cell: f64) {
    let colour = colour(thing);
    match thing {
        Thing::Dwarf(doing) => {
            let size = if doing == Doing::Idle { 0.3 } else { 0.46 };
            canvas.empty(
                "path",
                &[
                    ("class", &"dots"),
                    ("stroke", &colour),
                    ("stroke-width", &Pixels(size * cell)),
                    ("d", &path),
                ],
            );
        }
        Thing::Plant(_) => canvas.empty("path", &[("fill", &colour), ("d", &path)]),
        Thing::BusyWorkshop | Thing::FreeWorkshop => canvas.empty(
            "path",
            &[
                ("fill", &colour),
                ("stroke", &super::colour(Thing::BusyWorkshop)),
                ("d", &path),
            ],
        ),
    }
}
