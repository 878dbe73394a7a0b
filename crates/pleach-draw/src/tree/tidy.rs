//! Where boxes lie beside each other.
//!
//! Each parent lies in the middle of its children, or beside the first; they lie as close together as their subtrees allow,
//! which are moved as a whole and look the same wherever they are. A subtree is known by its contour: how
//! far it reaches to both sides on each level. To lay one beside others takes as many steps as the less
//! deep of the two has levels.

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

/// How far a subtree reaches on each level, from the deepest one up, relative to its root's middle.
#[derive(Clone, Debug, Default)]
struct Contour {
    /// Is to be added to all that is in it.
    moved: f64,
    levels: Vec<(f64, f64)>,
}

impl Contour {
    /// The reach on a level, counted from the top.
    fn at(&self, level: usize) -> (f64, f64) {
        let (low, high) = self.levels[self.levels.len() - 1 - level];
        (low + self.moved, high + self.moved)
    }

    /// How far another one has to be moved to lie behind this one.
    fn behind(&self, other: &Contour, gaps: Gaps) -> f64 {
        let levels = 0..self.levels.len().min(other.levels.len());
        let needed = levels.map(|level| {
            let gap = if level == 0 {
                gaps.siblings
            } else {
                gaps.others
            };
            self.at(level).1 - other.at(level).0 + gap
        });
        needed.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Both together.
    fn with(self, other: Contour) -> Contour {
        let (mut deep, flat) = match self.levels.len() >= other.levels.len() {
            true => (self, other),
            false => (other, self),
        };
        let last = deep.levels.len();
        for level in 0..flat.levels.len() {
            let (low, high) = flat.at(level);
            let moved = deep.moved;
            let own = &mut deep.levels[last - 1 - level];
            *own = (own.0.min(low - moved), own.1.max(high - moved));
        }
        deep
    }
}

/// The middle of each item on the axis along which children lie beside each other, given the item's
/// size there; the least side of all is 0. Also how far they reach.
pub(crate) fn lay(
    sketch: &Sketch<'_>,
    sizes: &[f64],
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
        let places = beside(children, &contours, gaps, parents);
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
        all.levels.push((-half - all.moved, half - all.moved));
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
fn beside(children: &[usize], contours: &[Contour], gaps: Gaps, parents: Parents) -> Vec<f64> {
    let mut forward = Vec::with_capacity(children.len());
    let mut all = Contour::default();
    for &child in children {
        let mut contour = contours[child].clone();
        let place = match forward.is_empty() {
            true => 0.0,
            false => all.behind(&contour, gaps),
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
        let back = match all.levels.is_empty() {
            true => *place,
            false => -contour.behind(&all, gaps),
        };
        contour.moved += back;
        *place = (*place + back) / 2.0;
        all = contour.with(all);
    }
    places
}
