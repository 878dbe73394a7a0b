//! Jumps, drawn as arrows in the margin of a listing.
//!
//! A parent's guards leave to one place, the parent's own guard, so they share an arrow; the third child of
//! an if-then-else has one of its own. Arrows of what is inside a child lie within those of its parent: how
//! many there are inside says in which lane an arrow is, the innermost next to the listing.

use pleach_shape::{Disassembly, GuardedIndex, Lead, Op, Role, Shape};

/// The most lanes. Arrows farther out are left away; the listing says all jumps in words as well.
pub(super) const MAX_LANES: usize = 8;

/// The lanes of all jumps of a guarded stream.
pub(super) struct Margin {
    /// For each node, the lane of its children's way out.
    out: Vec<Option<usize>>,
    /// For each node, the lane of the way to its third child.
    otherwise: Vec<Option<usize>>,
    lanes: usize,
    /// For each lane, where the arrow that is under way ends.
    open: [Option<usize>; MAX_LANES],
}

/// A jump from a guard, that goes over at least one token.
struct Jump {
    /// The parent whose guard it is.
    parent: usize,
    to: usize,
    /// Whether it leaves the parent.
    leaves: bool,
}

impl Margin {
    /// The margin for a shape's guarded stream; its rows are drawn in order.
    pub(super) fn new(shape: &Shape, listing: &Disassembly<'_>) -> Margin {
        let plain = shape.plain();
        let mut leaves = vec![false; plain.len()];
        let mut forks = vec![false; plain.len()];
        for row in 0..shape.guarded().len() {
            for jump in jumps(shape, listing, row) {
                let found = if jump.leaves { &mut leaves } else { &mut forks };
                found[jump.parent] = true;
            }
        }
        let mut out = vec![None; plain.len()];
        let mut otherwise = vec![None; plain.len()];
        // How many lanes are taken within a node's range. Children stand behind their parent.
        let mut taken = vec![0; plain.len()];
        for index in (0..plain.len()).rev() {
            for (jumps, lanes) in [(&forks, &mut otherwise), (&leaves, &mut out)] {
                if jumps[index] {
                    lanes[index] = Some(taken[index]).filter(|&lane| lane < MAX_LANES);
                    taken[index] += 1;
                }
            }
            let own = taken[index];
            if let Some(above) = taken.get_mut(plain[index].link as usize) {
                *above = own.max(*above);
            }
        }
        Margin {
            out,
            otherwise,
            lanes: taken.first().copied().unwrap_or(0).min(MAX_LANES),
            open: [None; MAX_LANES],
        }
    }

    /// How wide it is, in columns.
    pub(super) fn columns(&self) -> usize {
        match self.lanes {
            0 => 0,
            lanes => lanes + 1,
        }
    }

    /// The margin beside a token of the guarded stream, or behind the last one.
    pub(super) fn row(&mut self, shape: &Shape, listing: &Disassembly<'_>, row: usize) -> String {
        if self.lanes == 0 {
            return String::new();
        }
        let above = self.open.map(|end| end.is_some());
        let mut joined = [false; MAX_LANES];
        let mut arrives = false;
        for (end, joined) in self.open.iter_mut().zip(&mut joined) {
            if *end == Some(row) {
                (*end, *joined, arrives) = (None, true, true);
            }
        }
        for jump in jumps(shape, listing, row) {
            let lanes = if jump.leaves {
                &self.out
            } else {
                &self.otherwise
            };
            if let Some(lane) = lanes[jump.parent] {
                self.open[lane] = Some(jump.to);
                joined[lane] = true;
            }
        }
        let mut text = String::new();
        let mut crossing = false;
        for lane in (0..self.lanes).rev() {
            let (up, down) = (above[lane], self.open[lane].is_some());
            text.push(match (joined[lane], crossing, up, down) {
                (true, false, true, true) => '├',
                (true, false, true, false) => '╰',
                (true, false, ..) => '╭',
                (true, true, true, true) => '╋',
                (true, true, true, false) => '┴',
                (true, true, ..) => '┬',
                (false, true, true, _) => '┼',
                (false, true, ..) => '─',
                (false, false, true, _) => '│',
                (false, false, ..) => ' ',
            });
            crossing |= joined[lane];
        }
        text.push(match (arrives, crossing) {
            (true, _) => '▸',
            (false, true) => '─',
            (false, false) => ' ',
        });
        text
    }
}

/// The jumps from a token, if it is a guard: each place at most once.
fn jumps(
    shape: &Shape,
    listing: &Disassembly<'_>,
    row: usize,
) -> impl Iterator<Item = Jump> + use<> {
    let token = shape.guarded().get(row);
    let guard = token.filter(|token| token.op().is_some_and(|op| op.role() == Role::Guard));
    let leads = guard.map(|_| listing.leads(GuardedIndex::from(row)));
    let parent = guard.and_then(|guard| shape.plain().get(guard.link as usize));
    let parent = parent.map(|child| child.link as usize);
    let out = guard.map_or(0, |guard| guard.end as usize);
    let fork = guard.is_some_and(|guard| guard.op() == Some(Op::GuardIf));
    let mut found: [Option<usize>; 2] = [None; 2];
    for lead in leads.into_iter().flatten() {
        match lead {
            Lead::To(to) if to <= row + 1 => {}
            Lead::To(to) if to == out => found[0] = Some(to),
            Lead::To(to) if fork => found[1] = Some(to),
            Lead::To(_) | Lead::Drawn => {}
        }
    }
    let found = parent.map(|parent| {
        [true, false]
            .map(|leaves| found[usize::from(!leaves)].map(|to| Jump { parent, to, leaves }))
    });
    found.into_iter().flatten().flatten()
}
