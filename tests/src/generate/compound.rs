//! Random trees with compound nodes among the others.

use std::time::Duration;

use pleach_shape::Role;
use pleach_tree::{Expr, NodeDef, NodeKind, Threshold, Tree, compile};

use super::draw;

/// What guards ask here: of columns that scripts and nodes change, and a world value.
const TESTS: [&str; 6] = [
    "alert",
    "not armed",
    "ammo < 2",
    "score > 0",
    "alarm",
    "health < 0.5 or alert",
];

/// What effects write.
const EFFECTS: [(&str, &str); 4] = [
    ("score", "score + 1"),
    ("ammo", "ammo - 1"),
    ("alert", "not alert"),
    ("rank", "score"),
];

/// A copy with compound nodes: some composites become others, some nodes get a decorator. What changes is
/// drawn from the seed.
pub(super) fn sprinkled(root: &NodeDef, seed: u64) -> NodeDef {
    Sprinkler { seed, nodes: 0 }.node(root)
}

struct Sprinkler {
    seed: u64,
    nodes: u64,
}

impl Sprinkler {
    fn node(&mut self, def: &NodeDef) -> NodeDef {
        self.nodes += 1;
        let number = self.nodes;
        let pick = |what, of: usize| (draw(self.seed, &[number, what]) % of as u64) as usize;
        let (changes, kind, wraps, wrapper, detail) = (
            pick(0, 10),
            pick(1, 5),
            pick(2, 10),
            pick(3, 13),
            pick(4, 60),
        );
        let children = def.children().iter().map(|child| self.node(child));
        let mut children: Vec<NodeDef> = children.collect();
        let own = match (def.kind().role(), changes, kind) {
            (Role::Composite, 0..4, 0 | 1) => NodeKind::KeepSequence,
            (Role::Composite, 0..4, 2) => NodeKind::PipelineSequence,
            (Role::Composite, 0..4, 3) => NodeKind::RoundRobin,
            (Role::Composite, 0..4, _) if children.len() > 1 => {
                children.truncate(2);
                let retries = detail as u32 % 3;
                NodeKind::Recovery { retries }
            }
            _ => def.kind().clone(),
        };
        let below = NodeDef::new(own, children);
        let test = Expr::from(TESTS[detail % TESTS.len()]);
        let (column, value) = EFFECTS[detail % EFFECTS.len()];
        let (column, value) = (column.to_owned(), Expr::from(value));
        let decorator = match (wraps, wrapper) {
            (0..4, 0..3) => NodeKind::SkipIf(test),
            (0..4, 3 | 4) => NodeKind::SkipUnless(test),
            (0..4, 5) => NodeKind::SuccessIf(test),
            (0..4, 6) => NodeKind::RunOnceThenSkip,
            (0..4, 7) => NodeKind::OnSuccess { column, value },
            (0..4, 8) => NodeKind::OnFailure { column, value },
            (0..4, 9) => NodeKind::OnFinish { column, value },
            (0..4, 10) => NodeKind::OnHalted { column, value },
            (0..4, _) => {
                let micros = detail as u64 % 5 * 7;
                NodeKind::RateController(Duration::from_micros(micros))
            }
            _ => return below,
        };
        NodeDef::new(decorator, [below])
    }
}

/// A tree that compiles: where a child of a Parallel that needs a number of successes may be skipped in a
/// way that is refused (K3), all Parallels need all.
pub(super) fn allowed(tree: impl Fn(&NodeDef) -> Tree, root: &NodeDef) -> Tree {
    let first = tree(root);
    match compile(&first) {
        Ok(_) => first,
        Err(_) => tree(&patient(root)),
    }
}

fn patient(def: &NodeDef) -> NodeDef {
    let kind = match *def.kind() {
        NodeKind::Parallel { failure, .. } => NodeKind::Parallel {
            success: Threshold::All,
            failure,
        },
        ref kind => kind.clone(),
    };
    NodeDef::new(kind, def.children().iter().map(patient))
}
