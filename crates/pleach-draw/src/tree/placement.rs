//! Where everything lies: boxes, the lines between them, and words beside lines.

use std::fmt::Write;

use super::caption::Caption;
use super::frame::Frame;
use super::sketch::Sketch;
use super::text::{fitted, width};
use super::tidy::{Gaps, Parents, lay};
use crate::canvas::{Pixels, clipped};

/// The widest that a tree is drawn from the top down, in pixels: as wide as pages are. Trees have many
/// more leaves than levels, and words are wider than high, so larger ones go from left to right.
const MOST_DOWN: f64 = 860.0;
/// The highest that a tree from left to right has its parents in the middle: about a screen.
const MOST_CENTRED: f64 = 900.0;
/// The size of the font of words beside lines.
pub(crate) const ROLE: f64 = 10.0;
/// The widest that such a word gets.
const MOST_ROLE: f64 = 110.0;
/// Between two levels.
const LEVEL_GAP: f64 = 30.0;
/// From a level to the line that joins its children.
const TRUNK: f64 = 12.0;
/// The corners of lines.
const CORNER: f64 = 5.0;

/// Which way a tree grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Down,
    Right,
}

/// A tree in its place.
#[derive(Debug)]
pub(crate) struct Placement {
    /// The boxes, in the order of the sketch.
    pub(crate) boxes: Vec<Placed>,
    /// How large the whole is.
    pub(crate) size: (f64, f64),
}

/// A box in its place.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) frame: Frame,
    /// The upper left corner.
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// The line from its parent; the root has none.
    pub(crate) line: String,
    /// A word beside that line.
    pub(crate) role: Option<Role>,
}

/// A word beside a line: what a child is to its parent.
#[derive(Debug)]
pub(crate) struct Role {
    pub(crate) word: String,
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Placement {
    /// Lays a sketch out, the way that suits its size.
    pub(crate) fn of(sketch: &Sketch<'_>) -> Placement {
        let drafts: Vec<Draft> = sketch
            .items()
            .iter()
            .map(|item| {
                let role = sketch.role(item);
                Draft {
                    frame: Frame::of(Caption::of(item)),
                    role: role.map(|role| fitted(&clipped(&role, 40), ROLE, MOST_ROLE)),
                }
            })
            .collect();
        let down = Layout::down(sketch, &drafts);
        if down.reach <= MOST_DOWN {
            return place(sketch, drafts, &down, Way::Down);
        }
        let right = Layout::right(sketch, &drafts);
        place(sketch, drafts, &right, Way::Right)
    }
}

/// Where each box lies on both axes.
struct Layout {
    along: Vec<Along>,
    /// The middles on the other axis, and how far the boxes reach there.
    middles: Vec<f64>,
    reach: f64,
}

/// Where a box lies along the way that the tree grows.
#[derive(Clone, Copy)]
struct Along {
    start: f64,
    end: f64,
    /// Where the line from its parent turns.
    bend: f64,
}

impl Layout {
    /// From the top down: what is on one level begins at one height.
    fn down(sketch: &Sketch<'_>, drafts: &[Draft]) -> Layout {
        let mut heights = vec![(0.0f64, 0.0f64); sketch.levels()];
        for (item, draft) in sketch.items().iter().zip(drafts) {
            let word = if draft.role.is_some() { 6.0 } else { 0.0 };
            let level = &mut heights[item.level];
            *level = (level.0.max(draft.frame.height), level.1.max(word));
        }
        let mut next = 0.0;
        let mut bend = 0.0;
        let levels = heights.into_iter().map(|(height, word)| {
            let level = (next + word, bend);
            bend = next + word + height + TRUNK;
            next += word + height + LEVEL_GAP;
            level
        });
        let levels: Vec<(f64, f64)> = levels.collect();
        let along = sketch.items().iter().zip(drafts).map(|(item, draft)| {
            let (start, bend) = levels[item.level];
            Along {
                start,
                end: start + draft.frame.height,
                bend,
            }
        });
        let gaps = Gaps {
            siblings: 14.0,
            others: 26.0,
        };
        let sizes: Vec<f64> = drafts.iter().map(Draft::width_down).collect();
        Layout::of(sketch, along.collect(), &sizes, gaps, Parents::Middle)
    }

    /// From left to right: children begin behind their parent, all of them at one place.
    fn right(sketch: &Sketch<'_>, drafts: &[Draft]) -> Layout {
        let mut words = vec![0.0f64; drafts.len()];
        for (item, draft) in sketch.items().iter().zip(drafts) {
            if let Some(parent) = item.parent {
                words[parent] = words[parent].max(draft.role_width());
            }
        }
        let mut along: Vec<Along> = Vec::with_capacity(drafts.len());
        for (item, draft) in sketch.items().iter().zip(drafts) {
            let (bend, start) = item.parent.map_or((0.0, 0.0), |parent| {
                let Along { end, .. } = along[parent];
                (end + TRUNK, end + LEVEL_GAP + words[parent].ceil())
            });
            along.push(Along {
                start,
                end: start + draft.frame.width,
                bend,
            });
        }
        let gaps = Gaps {
            siblings: 7.0,
            others: 14.0,
        };
        let sizes: Vec<f64> = drafts.iter().map(|draft| draft.frame.height).collect();
        let centred = Layout::of(sketch, along, &sizes, gaps, Parents::Middle);
        match centred.reach > MOST_CENTRED {
            true => Layout::of(sketch, centred.along, &sizes, gaps, Parents::First),
            false => centred,
        }
    }

    fn of(
        sketch: &Sketch<'_>,
        along: Vec<Along>,
        sizes: &[f64],
        gaps: Gaps,
        parents: Parents,
    ) -> Layout {
        let ends: Vec<f64> = along.iter().map(|along| along.end).collect();
        let (middles, reach) = lay(sketch, sizes, &ends, gaps, parents);
        Layout {
            along,
            middles,
            reach,
        }
    }
}

/// A box before it has a place.
struct Draft {
    frame: Frame,
    role: Option<String>,
}

impl Draft {
    fn role_width(&self) -> f64 {
        let word = self.role.as_deref();
        word.map_or(0.0, |word| width(word, ROLE) + 10.0)
    }

    /// From the top down, a word stands to the right of the line, which comes in the middle.
    fn width_down(&self) -> f64 {
        self.frame.width.max(self.role_width() * 2.0)
    }
}

fn place(sketch: &Sketch<'_>, drafts: Vec<Draft>, layout: &Layout, way: Way) -> Placement {
    let mut boxes: Vec<Placed> = Vec::with_capacity(drafts.len());
    let places = layout.along.iter().zip(&layout.middles);
    for ((draft, item), (along, &middle)) in drafts.into_iter().zip(sketch.items()).zip(places) {
        let Draft { frame, role } = draft;
        let (half_width, half_height) = (frame.width / 2.0, frame.height / 2.0);
        let middle = middle.round();
        let (x, y) = match way {
            Way::Down => (middle - half_width, along.start),
            Way::Right => (along.start, middle - half_height),
        };
        let line = item.parent.map_or_else(String::new, |parent| {
            let from = (layout.along[parent].end, layout.middles[parent].round());
            line(way, from, along.bend, (along.start, middle))
        });
        let role = role.map(|word| {
            let (x, y) = match way {
                Way::Down => (middle + 5.0, y - 5.0),
                Way::Right => (along.bend + CORNER + 2.0, middle - 4.0),
            };
            Role { word, x, y }
        });
        boxes.push(Placed {
            frame,
            x,
            y,
            line,
            role,
        });
    }
    let ends = layout.along.iter().map(|along| along.end);
    let (length, reach) = (ends.fold(0.0, f64::max).ceil(), layout.reach.ceil());
    Placement {
        boxes,
        size: match way {
            Way::Down => (reach, length),
            Way::Right => (length, reach),
        },
    }
}

/// A line from a parent to a child, by way of a bend: places along the way that the tree grows, then
/// across.
fn line(way: Way, from: (f64, f64), bend: f64, to: (f64, f64)) -> String {
    let mut path = String::new();
    let place = |along: f64, across: f64| match way {
        Way::Down => format!("{} {}", Pixels(across), Pixels(along)),
        Way::Right => format!("{} {}", Pixels(along), Pixels(across)),
    };
    let _ = write!(path, "M{}", place(from.0, from.1));
    let turn = to.1 - from.1;
    let corner = CORNER.min(turn.abs() / 2.0);
    if corner > 0.0 {
        let side = corner * turn.signum();
        for (before, corner, after) in [
            (
                (bend - corner, from.1),
                (bend, from.1),
                (bend, from.1 + side),
            ),
            ((bend, to.1 - side), (bend, to.1), (bend + corner, to.1)),
        ] {
            let [before, corner, after] =
                [before, corner, after].map(|(along, across)| place(along, across));
            let _ = write!(path, "L{before}Q{corner} {after}");
        }
    }
    let _ = write!(path, "L{}", place(to.0, to.1));
    path
}
