//! Where everything lies: boxes, the lines between them, and words beside lines.

use std::fmt::Write;

use super::caption::Caption;
use super::shape::Shape;
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
    pub(crate) shape: Shape,
    /// The upper left corner.
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// The line from its parent; the root has none.
    pub(crate) line: String,
    /// A word beside that line, where it begins, and whether it rather ends there.
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
                    shape: Shape::of(Caption::of(item)),
                    role: role.map(|role| fitted(&clipped(&role, 40), ROLE, MOST_ROLE)),
                }
            })
            .collect();
        let down: Vec<f64> = drafts.iter().map(Draft::width_down).collect();
        let gaps = Gaps {
            siblings: 14.0,
            others: 26.0,
        };
        let (middles, reach) = lay(sketch, &down, gaps, Parents::Middle);
        if reach <= MOST_DOWN {
            return place(sketch, drafts, &middles, reach, Way::Down);
        }
        let heights: Vec<f64> = drafts.iter().map(|draft| draft.shape.height).collect();
        let gaps = Gaps {
            siblings: 7.0,
            others: 14.0,
        };
        let (mut middles, mut reach) = lay(sketch, &heights, gaps, Parents::Middle);
        if reach > MOST_CENTRED {
            (middles, reach) = lay(sketch, &heights, gaps, Parents::First);
        }
        place(sketch, drafts, &middles, reach, Way::Right)
    }
}

/// A box before it has a place.
struct Draft {
    shape: Shape,
    role: Option<String>,
}

impl Draft {
    fn role_width(&self) -> f64 {
        let word = self.role.as_deref();
        word.map_or(0.0, |word| width(word, ROLE) + 10.0)
    }

    /// From the top down, a word stands to the right of the line, which comes in the middle.
    fn width_down(&self) -> f64 {
        self.shape.width.max(self.role_width() * 2.0)
    }
}

fn place(
    sketch: &Sketch<'_>,
    drafts: Vec<Draft>,
    middles: &[f64],
    reach: f64,
    way: Way,
) -> Placement {
    let (starts, ends) = levels(sketch, &drafts, way);
    let mut boxes: Vec<Placed> = Vec::with_capacity(drafts.len());
    for ((draft, item), &middle) in drafts.into_iter().zip(sketch.items()).zip(middles) {
        let Draft { shape, role } = draft;
        let start = starts[item.level];
        let (x, y) = match way {
            Way::Down => (middle - shape.width / 2.0, start),
            Way::Right => (start, middle - shape.height / 2.0),
        };
        let (x, y) = (x.round(), y.round());
        let parent = item.parent.map(|parent| &boxes[parent]);
        let line = parent.map_or_else(String::new, |parent| {
            let bend = ends[item.level - 1] + TRUNK;
            match way {
                Way::Down => {
                    let [from, to] = [(parent.x, &parent.shape), (x, &shape)]
                        .map(|(x, shape)| x + (shape.width / 2.0).round());
                    line(way, (parent.y + parent.shape.height, from), bend, (y, to))
                }
                Way::Right => {
                    let [from, to] = [(parent.y, &parent.shape), (y, &shape)]
                        .map(|(y, shape)| y + (shape.height / 2.0).round());
                    line(way, (parent.x + parent.shape.width, from), bend, (x, to))
                }
            }
        });
        let role = role.map(|word| match way {
            Way::Down => Role {
                word,
                x: x + (shape.width / 2.0).round() + 5.0,
                y: y - 5.0,
            },
            Way::Right => Role {
                x: ends[item.level - 1] + TRUNK + CORNER + 2.0,
                y: y + (shape.height / 2.0).round() - 4.0,
                word,
            },
        });
        boxes.push(Placed {
            shape,
            x,
            y,
            line,
            role,
        });
    }
    let along = ends.last().copied().unwrap_or(0.0);
    Placement {
        boxes,
        size: match way {
            Way::Down => (reach, along),
            Way::Right => (along, reach),
        },
    }
}

/// Where each level begins and ends: its largest box counts, and in front of it the longest word.
fn levels(sketch: &Sketch<'_>, drafts: &[Draft], way: Way) -> (Vec<f64>, Vec<f64>) {
    let mut sizes = vec![(0.0f64, 0.0f64); sketch.levels()];
    for (item, draft) in sketch.items().iter().zip(drafts) {
        let (size, before) = match way {
            Way::Down => (
                draft.shape.height,
                f64::from(u8::from(draft.role.is_some())) * 6.0,
            ),
            Way::Right => (draft.shape.width, draft.role_width()),
        };
        let level = &mut sizes[item.level];
        *level = (level.0.max(size), level.1.max(before));
    }
    let mut at = 0.0;
    let mut starts = Vec::with_capacity(sizes.len());
    let mut ends = Vec::with_capacity(sizes.len());
    for (size, before) in sizes {
        at += before;
        starts.push(at);
        at += size;
        ends.push(at);
        at += LEVEL_GAP;
    }
    (starts, ends)
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
