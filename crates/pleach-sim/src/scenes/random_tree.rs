//! Trees from a seed.

use std::time::Duration;

use pleach_tree::{
    NodeDef, Threshold, Tree, action, concurrent, condition, failer, idle, invert, parallel,
    reactive_selector, reactive_sequence, selector, sequence, succeeder, wait,
};
use pleach_vm::random::{below, draw};

use super::{SENSES, with_senses};

/// Nodes of the scene "random".
pub const RANDOM_NODES: usize = 300;
/// Deferred actions of the scene "random".
pub const RANDOM_ACTIONS: usize = 113;

/// A tree of exactly `nodes` nodes, the same for the same arguments everywhere, with `actions`
/// deferred actions, or as many as it has leaves if those are fewer.
///
/// It has every kind of node but those that call the host or write columns: those would measure
/// the callback, not the walk.
pub fn random_tree(nodes: usize, actions: usize, seed: u64) -> Tree {
    // Two passes over the same draws: the first one counts leaves.
    let mut leaves = 0;
    Growth::new(seed).grow(nodes, &mut |_| {
        leaves += 1;
        idle()
    });
    let mut left = LeafStock {
        leaves,
        actions,
        placed: 0,
    };
    let root = Growth::new(seed).grow(nodes, &mut |bits| left.leaf(bits));
    with_senses("random").root(root)
}

struct Growth {
    seed: u64,
    draws: u64,
}

impl Growth {
    fn new(seed: u64) -> Growth {
        Growth { seed, draws: 0 }
    }

    fn next(&mut self, bound: usize) -> usize {
        below(self.bits(), bound as u64) as usize
    }

    fn bits(&mut self) -> u64 {
        self.draws += 1;
        draw(self.seed, 0, 0, self.draws)
    }

    fn grow(&mut self, nodes: usize, leaf: &mut impl FnMut(u64) -> NodeDef) -> NodeDef {
        if nodes <= 1 {
            let bits = self.bits();
            return leaf(bits);
        }
        // A decorator now and then, and wherever two nodes are left.
        if nodes == 2 || self.next(16) == 0 {
            let kind = self.next(3);
            let child = self.grow(nodes - 1, leaf);
            return match kind {
                0 => invert(child),
                1 => succeeder(child),
                _ => failer(child),
            };
        }
        let mut left = nodes - 1;
        let count = (2 + self.next(4)).min(left);
        let mut children = Vec::with_capacity(count);
        for rest in (0..count).rev() {
            let part = if rest == 0 {
                left
            } else {
                1 + self.next(2 * (left - rest) / (rest + 1))
            };
            let part = part.min(left - rest);
            left -= part;
            children.push(self.grow(part, leaf));
        }
        match self.next(16) {
            0..5 => sequence(children),
            5..10 => selector(children),
            10..12 => reactive_sequence(children),
            12..14 => reactive_selector(children),
            14 => parallel(Threshold::All, Threshold::Count(1), children),
            _ => concurrent(children),
        }
    }
}

/// What leaves are still to be made, so that the numbers come out exactly.
struct LeafStock {
    leaves: usize,
    actions: usize,
    placed: usize,
}

impl LeafStock {
    fn leaf(&mut self, bits: u64) -> NodeDef {
        // Each leaf is an action with the share of actions among the leaves that are left.
        let is_action = below(bits, self.leaves as u64) < self.actions as u64;
        self.leaves -= 1;
        self.placed += 1;
        if is_action {
            self.actions -= 1;
            return action(format!("act_{}", self.placed % 24));
        }
        let bits = draw(bits, self.placed as u64, 1, 0);
        if below(bits, 16) == 0 {
            return wait(Duration::from_millis(200));
        }
        let sense = &SENSES[(bits % SENSES.len() as u64) as usize];
        let compare = if bits & 64 == 0 { "<" } else { ">=" };
        condition(format!("{} {compare} {}", sense.name, sense.half).as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_shape::Op;

    #[test]
    fn numbers_come_out_exactly() {
        for (seed, nodes) in (1..40).zip([1, 2, 3, 4, 7, 50, 300, 1000].into_iter().cycle()) {
            let tree = random_tree(nodes, nodes / 4, seed);
            assert_eq!(tree.len(), nodes, "seed {seed}");
            let actions = tree
                .nodes()
                .filter(|node| node.kind.op() == Some(Op::Action))
                .count();
            assert_eq!(actions, nodes / 4, "seed {seed}");
            pleach_tree::compile(&tree).unwrap();
        }
    }

    #[test]
    fn a_seed_is_a_tree() {
        assert_eq!(random_tree(300, 100, 7), random_tree(300, 100, 7));
        assert_ne!(random_tree(300, 100, 7), random_tree(300, 100, 8));
    }
}
