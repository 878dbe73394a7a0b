//! Where boxes lie beside each other.
//!
//! Each parent lies in the middle of its children, or beside the first. They lie as close together as
//! their subtrees allow, which are moved as a whole and look the same wherever they are. A subtree is known
//! by its contour: how far it reaches to both sides, all the way along. Laying one beside others looks at
//! both contours as far as the shorter one goes.

use std::cmp::Ordering;

use super::sketch::Sketch;

/// Where a parent lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parents {
    /// In the middle of its children.
    Middle,
    /// Beside the first one, as in an outline: in a large tree the middle may be far from all of them.
    First,
}

/// Space between two boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gaps {
    /// Of the same parent.
    pub(crate) siblings: f64,
    /// Of others.
    pub(crate) others: f64,
}

/// A part of a contour.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Where it ends along the way that the tree grows; it begins where the one before it ends.
    end: f64,
    /// How far the subtree reaches there to both sides.
    low: Side,
    high: Side,
}

/// How far something reaches to one side, and the level of what does.
#[derive(Clone, Copy, Debug)]
struct Side {
    at: f64,
    level: usize,
}

impl Side {
    fn moved(self, by: f64) -> Side {
        Side {
            at: self.at + by,
            ..self
        }
    }
}

/// How far a subtree reaches to both sides, from the end of its root's parent on: the farthest part first.
/// It is relative to the root's middle.
#[derive(Clone, Debug, Default)]
struct Contour {
    /// Is to be added to all that is in it.
    moved: f64,
    steps: Vec<Step>,
}

impl Contour {
    /// How far another one has to be moved to lie behind this one. Both begin at the same place, and their
    /// roots are on that level.
    fn behind(&self, other: &Contour, level: usize, gaps: Gaps) -> f64 {
        let (mut ours, mut theirs) = (self.steps.iter().rev(), other.steps.iter().rev());
        let mut pair = ours.next().zip(theirs.next());
        let mut needed = f64::NEG_INFINITY;
        while let Some((a, b)) = pair {
            let siblings = a.high.level == level && b.low.level == level;
            let gap = if siblings { gaps.siblings } else { gaps.others };
            needed = needed.max(a.high.at + self.moved - b.low.at - other.moved + gap);
            pair = match a.end.total_cmp(&b.end) {
                Ordering::Less => ours.next().map(|a| (a, b)),
                Ordering::Equal => ours.next().zip(theirs.next()),
                Ordering::Greater => theirs.next().map(|b| (a, b)),
            };
        }
        needed
    }

    /// Both together.
    fn with(self, other: Contour) -> Contour {
        let reach = |contour: &Contour| {
            contour
                .steps
                .first()
                .map_or(f64::NEG_INFINITY, |step| step.end)
        };
        let (mut long, mut short) = match reach(&self) >= reach(&other) {
            true => (self, other),
            false => (other, self),
        };
        let moved = short.moved - long.moved;
        let mut both: Vec<Step> = Vec::new();
        while let (Some(&a), Some(&b)) = (long.steps.last(), short.steps.last()) {
            let end = a.end.min(b.end);
            let (low, high) = (b.low.moved(moved), b.high.moved(moved));
            both.push(Step {
                end,
                low: if low.at < a.low.at { low } else { a.low },
                high: if high.at > a.high.at { high } else { a.high },
            });
            for (contour, step) in [(&mut long, a), (&mut short, b)] {
                if step.end <= end {
                    contour.steps.pop();
                }
            }
        }
        long.steps.extend(both.into_iter().rev());
        long
    }
}

/// The middle of each item on the axis along which children lie beside each other; the least side of all is
/// 0. Also how far they reach. Given are the size of each item there, and where it ends on the other axis,
/// along which the tree grows: behind its parent.
pub(crate) fn lay(
    sketch: &Sketch<'_>,
    sizes: &[f64],
    ends: &[f64],
    gaps: Gaps,
    parents: Parents,
) -> (Vec<f64>, f64) {
    let items = sketch.items();
    let mut contours: Vec<Contour> = Vec::new();
    contours.resize_with(items.len(), Contour::default);
    // From the parent's middle.
    let mut middles = vec![0.0; items.len()];
    // Parents stand before their children.
    for (index, item) in items.iter().enumerate().rev() {
        let children = sketch.children(item);
        let places = beside(children, &contours, item.level + 1, gaps, parents);
        // The first one lies at 0.
        let middle = match (parents, places.last()) {
            (Parents::Middle, Some(last)) => last / 2.0,
            _ => 0.0,
        };
        let mut all = Contour::default();
        for (&child, place) in children.iter().zip(places) {
            middles[child] = place - middle;
            let mut contour = std::mem::take(&mut contours[child]);
            contour.moved += place - middle;
            all = all.with(contour);
        }
        let half = sizes[index] / 2.0;
        let side = |at: f64| Side {
            at: at - all.moved,
            level: item.level,
        };
        let own = Step {
            end: ends[index],
            low: side(-half),
            high: side(half),
        };
        all.steps.push(own);
        contours[index] = all;
    }
    for (index, item) in items.iter().enumerate() {
        if let Some(parent) = item.parent {
            middles[index] += middles[parent];
        }
    }
    let reach = |sign: f64| {
        let sides = middles.iter().zip(sizes);
        sides.map(move |(middle, size)| middle + sign * size / 2.0)
    };
    let least = reach(-1.0).fold(f64::INFINITY, f64::min);
    let most = reach(1.0).fold(f64::NEG_INFINITY, f64::max);
    for middle in &mut middles {
        *middle -= least;
    }
    (middles, most - least)
}

/// The middles of siblings, of which the first lies at 0: each as close to those before it as it goes; or halfway between where they lie when each is moved as far as it goes to one
/// side, and to the other. So those between two large ones are not all at one of them. What is between two
/// places that keep their distances keeps them, too.
fn beside(
    children: &[usize],
    contours: &[Contour],
    level: usize,
    gaps: Gaps,
    parents: Parents,
) -> Vec<f64> {
    let mut forward = Vec::with_capacity(children.len());
    let mut all = Contour::default();
    for &child in children {
        let mut contour = contours[child].clone();
        let place = match forward.is_empty() {
            true => 0.0,
            false => all.behind(&contour, level, gaps),
        };
        contour.moved += place;
        forward.push(place);
        all = all.with(contour);
    }
    if children.len() < 3 || parents == Parents::First {
        return forward;
    }
    let mut places = forward;
    let mut all = Contour::default();
    for (place, &child) in places.iter_mut().zip(children).rev() {
        let mut contour = contours[child].clone();
        let back = match all.steps.is_empty() {
            true => *place,
            false => -contour.behind(&all, level, gaps),
        };
        contour.moved += back;
        *place = (*place + back) / 2.0;
        all = contour.with(all);
    }
    places
}
