//! Scenes: the trees and the data that measurements, tests and benchmarks share.
//!
//! A [`Scene`] is a tree. [`Data`] says how its blackboards and results move from tick to tick,
//! [`Feed`] moves them, and a [`Stage`] is a population with its feed, ready to be ticked. Nothing
//! here is measured by itself: a refresh writes whole blocks between two ticks, so that whoever
//! measures can leave it out.
//!
//! ```
//! use pleach_sim::scenes::{Data, Scene, Stage};
//! use pleach_vm::Kernel;
//!
//! let shape = pleach_tree::compile(&Scene::Guard.tree())?;
//! let mut stage = Stage::new(shape, Data::Divergent, 1_000, Kernel::PureStream, 7)?;
//! stage.refresh();
//! assert_eq!(stage.tick().counts.ticked, 1_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod feed;
mod random_tree;
mod stage;

use std::fmt;
use std::time::Duration;

use pleach_tree::{
    NodeDef, Tree, action, condition, reactive_selector, reactive_sequence, selector, sequence,
    wait,
};

pub use feed::{Data, Feed};
pub use random_tree::{RANDOM_ACTIONS, RANDOM_NODES, random_tree};
pub use stage::{Stage, StageError};

/// A tree to measure with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scene {
    /// 17 nodes, 12 bytes of blackboard: flee, attack, chase, or patrol and wait. The guard of
    /// `trees/guard.kdl` with conditions of one column each, as the tree without Pleach has them.
    Guard,
    /// 127 nodes under up to 11 parents: 64 conditions over 8 columns, 8 actions.
    Deep,
    /// 301 nodes: one reactive selector over 100 pairs of a condition and an action.
    Wide,
    /// 300 nodes of every kind but host callbacks, 113 of them actions, from a fixed seed.
    Random,
}

impl Scene {
    /// All scenes.
    pub const ALL: [Scene; 4] = [Scene::Guard, Scene::Deep, Scene::Wide, Scene::Random];

    /// The name used on command lines and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Scene::Guard => "guard",
            Scene::Deep => "deep",
            Scene::Wide => "wide",
            Scene::Random => "random",
        }
    }

    /// The scene of that name.
    pub fn from_name(name: &str) -> Option<Scene> {
        Self::ALL.into_iter().find(|scene| scene.name() == name)
    }

    /// The scene's tree.
    pub fn tree(self) -> Tree {
        match self {
            Scene::Guard => guard(),
            Scene::Deep => deep(),
            Scene::Wide => wide(),
            Scene::Random => random_tree(RANDOM_NODES, RANDOM_ACTIONS, 0),
        }
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

fn guard() -> Tree {
    Tree::build("guard")
        .column("health", 1.0_f32)
        .column("distance", 100.0_f32)
        .column("ammo", 30_u16)
        .column("alert", 0_u8)
        .column("sees_player", false)
        .root(reactive_selector([
            sequence([
                condition("health < 0.3"),
                condition("alert > 2"),
                action("flee").param("speed", 4.0_f32),
            ])
            .named("flee"),
            sequence([
                condition("sees_player"),
                condition("distance < 10.0"),
                condition("ammo > 0"),
                action("attack"),
            ])
            .named("attack"),
            sequence([
                condition("sees_player"),
                condition("distance < 40.0"),
                action("chase").param_from("distance", "distance"),
            ])
            .named("chase"),
            sequence([action("patrol"), wait(Duration::from_secs(2))]).named("patrol"),
        ]))
}

/// A column that [`deep`] and [`random_tree`] judge, and for the test "is it below" the bounds that
/// one actor of four, two of four and three of four pass: a [`Feed`] spreads values around the
/// bounds that a tree names.
struct Sense {
    name: &'static str,
    quarter: &'static str,
    half: &'static str,
    most: &'static str,
}

const SENSES: [Sense; 8] = [
    sense("fear", "0.25", "0.5", "0.75"),
    sense("anger", "0.25", "0.5", "0.75"),
    sense("hunger", "0.25", "0.5", "0.75"),
    sense("altitude", "-25", "0", "25"),
    sense("gold", "-25", "0", "25"),
    sense("noise", "25", "50", "75"),
    sense("light", "25", "50", "75"),
    sense("crowd", "25", "50", "75"),
];

const fn sense(
    name: &'static str,
    quarter: &'static str,
    half: &'static str,
    most: &'static str,
) -> Sense {
    Sense {
        name,
        quarter,
        half,
        most,
    }
}

fn with_senses(name: &str) -> pleach_tree::TreeBuilder {
    SENSES
        .iter()
        .enumerate()
        .fold(Tree::build(name), |tree, (index, sense)| match index {
            0..3 => tree.column(sense.name, 0.0_f32),
            3..5 => tree.column(sense.name, 0_i32),
            _ => tree.column(sense.name, 0_u8),
        })
}

/// What is placed of [`deep`] so far, in stream order.
struct DeepLeaves {
    placed: usize,
    /// Parents that may still have three children.
    triples: usize,
}

/// Of nine leaves of [`deep`] one is an action.
const DEEP_LEAVES: usize = 72;

fn deep() -> Tree {
    let mut leaves = DeepLeaves {
        placed: 0,
        triples: 16,
    };
    let root = leaves.subtree(DEEP_LEAVES, 0);
    with_senses("deep").root(root)
}

impl DeepLeaves {
    /// A subtree with that many leaves. Splits are uneven, so that some leaves lie near the root
    /// and some far from it, and 16 of the 55 parents have three children.
    fn subtree(&mut self, leaves: usize, depth: usize) -> NodeDef {
        // Conditions hold mostly under a sequence and seldom under a selector: a walk gets far.
        let parts: &[usize] = match leaves {
            1 => return self.leaf(depth),
            2 => &[1, 1],
            3 | 5 if self.triples > 0 => {
                self.triples -= 1;
                if leaves == 3 { &[1, 1, 1] } else { &[1, 1, 3] }
            }
            3..5 => &[1, leaves - 1],
            5 => &[2, 3],
            6..9 => &[2, leaves - 2],
            9..18 => &[3, leaves - 3],
            _ => &[leaves / 3, leaves - leaves / 3],
        };
        let children: Vec<NodeDef> = parts
            .iter()
            .map(|&part| self.subtree(part, depth + 1))
            .collect();
        match depth % 4 {
            0 => reactive_selector(children),
            1 => sequence(children),
            2 => selector(children),
            _ => reactive_sequence(children),
        }
    }

    fn leaf(&mut self, depth: usize) -> NodeDef {
        self.placed += 1;
        if self.placed.is_multiple_of(9) {
            return action(format!("act_{}", self.placed / 9));
        }
        let sense = &SENSES[self.placed * 5 % SENSES.len()];
        // The parent's depth is one less: 0 and 2 are selectors.
        let bound = if depth % 2 == 1 {
            sense.quarter
        } else {
            sense.most
        };
        condition(format!("{} < {bound}", sense.name).as_str())
    }
}

/// Pairs of [`wide`].
const WIDE_PAIRS: usize = 100;

/// Each of ten columns is judged by ten pairs. A [`Feed`] lets a pair's condition hold for about one
/// actor of 80: a quarter of them passes none, the others stop half way on average.
fn wide() -> Tree {
    let columns = 10;
    let tree = (0..columns).fold(Tree::build("wide"), |tree, column| match column % 3 {
        0 => tree.column(format!("stimulus_{column}"), 0_u8),
        1 => tree.column(format!("stimulus_{column}"), 0_u16),
        _ => tree.column(format!("stimulus_{column}"), 0_i32),
    });
    tree.root(reactive_selector((0..WIDE_PAIRS).map(|pair| {
        let (column, code) = (pair % columns, pair / columns * 5);
        sequence([
            condition(format!("stimulus_{column} == {code}").as_str()),
            action(format!("respond_{pair}")),
        ])
    })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_shape::Op;

    #[test]
    fn trees_are_what_their_pages_say() {
        let facts = Scene::ALL.map(|scene| {
            let tree = scene.tree();
            let shape = pleach_tree::compile(&tree).unwrap();
            let conditions = tree
                .nodes()
                .filter(|node| node.kind.op() == Op::Condition)
                .count();
            let needs = *shape.requirements();
            (
                scene.name(),
                shape.len(),
                conditions,
                needs.deferred_slots,
                needs.max_depth,
            )
        });
        assert_eq!(
            facts.map(|(name, nodes, ..)| (name, nodes)),
            [("guard", 17), ("deep", 127), ("wide", 301), ("random", 300)]
        );
        assert_eq!(facts.map(|fact| fact.2)[..3], [7, 64, 100]);
        assert_eq!(facts.map(|fact| fact.3), [4, 8, 100, 113]);
        assert_eq!(facts[1].4, 11);
    }

    #[test]
    fn guards_blackboard_is_small() {
        let shape = pleach_tree::compile(&Scene::Guard.tree()).unwrap();
        assert_eq!(shape.requirements().column_bytes_per_actor, 12);
    }

    #[test]
    fn names_lead_back() {
        for scene in Scene::ALL {
            assert_eq!(Scene::from_name(scene.name()), Some(scene));
        }
        assert_eq!(Scene::from_name("no such scene"), None);
    }
}
