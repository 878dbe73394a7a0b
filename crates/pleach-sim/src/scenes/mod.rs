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
use std::ops::Range;
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
    /// 17 nodes, 12 bytes and a bit of blackboard: flee when hurt; melee, shoot or chase a target;
    /// else move and wait. Its reactive parents judge up to four conditions afresh each tick.
    Guard,
    /// 127 nodes, a perfect binary tree of alternating selectors and sequences over 64 conditions
    /// on 8 columns. It never runs anything: all it costs is judging.
    Deep,
    /// 301 nodes: one reactive selector over 100 pairs of a condition and an action.
    Wide,
    /// 300 nodes of every kind but host callbacks, 113 of them actions, from a fixed seed.
    Random,
    /// 285 nodes, 96 of them actions: made so that actors which are judged together gain least from
    /// it. The worst that a kernel of many lanes can meet.
    ///
    /// What lanes share is a token that many of them visit. Here a walk visits as few of all tokens
    /// as a tree of this size allows, and another actor visits others: 31 comparisons of one `u8`
    /// halve the actors, then halve the halves, down to 32 jobs of three actions each. So an actor
    /// by itself makes some 20 visits in a tick, while a block of 512 actors visits all 285 tokens,
    /// most of them for a handful of actors. No parent is reactive: that makes resuming cheap for
    /// one actor, and for a block each parent has actors that resume in either child, others that
    /// start afresh and a third kind that failed and tries the next one, all in one tick. And
    /// results come in at random, so that actors who once did the same soon do not.
    Divergent,
}

impl Scene {
    /// All scenes.
    pub const ALL: [Scene; 5] = [
        Scene::Guard,
        Scene::Deep,
        Scene::Wide,
        Scene::Random,
        Scene::Divergent,
    ];

    /// The name used on command lines and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Scene::Guard => "guard",
            Scene::Deep => "deep",
            Scene::Wide => "wide",
            Scene::Random => "random",
            Scene::Divergent => "divergent",
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
            Scene::Divergent => divergent(),
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
        .column("dist", 100.0_f32)
        .column("ammo", 30_i32)
        .column("has_target", false)
        .root(reactive_selector([
            reactive_sequence([condition("health < 0.3"), action("flee")]).named("flee"),
            reactive_sequence([
                condition("has_target"),
                reactive_selector([
                    reactive_sequence([condition("dist < 3.0"), action("melee")]).named("melee"),
                    reactive_sequence([condition("ammo > 0"), action("shoot")]).named("shoot"),
                    action("chase"),
                ]),
            ])
            .named("fight"),
            sequence([action("move"), wait(Duration::from_secs(2))]).named("patrol"),
        ]))
}

/// Columns of [`deep`]: half of them truth values, half of them floats.
const DEEP_COLUMNS: usize = 8;
/// Levels of parents of [`deep`], the root's included.
const DEEP_LEVELS: usize = 6;

/// Leaf `i` of 64 reads column `(3i + i/8) mod 8`, so that neighbours read different ones and no two
/// groups of eight read them in the same order. A float is held against
/// `0.25 + 0.5 ((7i) mod 16) / 16`.
fn deep() -> Tree {
    let tree = (0..DEEP_COLUMNS).fold(Tree::build("deep"), |tree, column| {
        let name = deep_column(column);
        if column < DEEP_COLUMNS / 2 {
            tree.column(name, false)
        } else {
            tree.column(name, 0.0_f32)
        }
    });
    tree.root(deep_subtree(0, 0))
}

fn deep_column(column: usize) -> String {
    if column < DEEP_COLUMNS / 2 {
        format!("holds_{column}")
    } else {
        format!("level_{column}")
    }
}

/// The subtree over the leaves below place `place` of its level, places counted from the left.
fn deep_subtree(level: usize, place: usize) -> NodeDef {
    if level == DEEP_LEVELS {
        let column = (3 * place + place / 8) % DEEP_COLUMNS;
        let name = deep_column(column);
        if column < DEEP_COLUMNS / 2 {
            return condition(name.as_str());
        }
        let bound = 0.25 + 0.5 * ((7 * place) % 16) as f32 / 16.0;
        return condition(format!("{name} < {bound}").as_str());
    }
    let children = [2 * place, 2 * place + 1].map(|place| deep_subtree(level + 1, place));
    if level.is_multiple_of(2) {
        selector(children)
    } else {
        sequence(children)
    }
}

/// A column that [`random_tree`] judges, and the bound that half of the actors are below: a [`Feed`]
/// spreads values around the bounds that a tree names.
struct Sense {
    name: &'static str,
    half: &'static str,
}

const SENSES: [Sense; 8] = [
    sense("fear", "0.5"),
    sense("anger", "0.5"),
    sense("hunger", "0.5"),
    sense("altitude", "0"),
    sense("gold", "0"),
    sense("noise", "50"),
    sense("light", "50"),
    sense("crowd", "50"),
];

const fn sense(name: &'static str, half: &'static str) -> Sense {
    Sense { name, half }
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

/// Jobs of [`divergent`].
const DIVERGENT_JOBS: usize = 32;

fn divergent() -> Tree {
    Tree::build("divergent")
        .column("calling", 0_u8)
        .column("ready", 0_u8)
        .root(calling(0..DIVERGENT_JOBS))
}

/// Halves the jobs by an actor's calling, until one is left. Callings spread evenly over `u8`, and so
/// over the jobs.
fn calling(jobs: Range<usize>) -> NodeDef {
    if jobs.len() == 1 {
        return job(jobs.start);
    }
    let middle = jobs.start + jobs.len() / 2;
    let bound = middle * 256 / DIVERGENT_JOBS;
    selector([
        sequence([
            condition(format!("calling < {bound}").as_str()),
            calling(jobs.start..middle),
        ]),
        calling(middle..jobs.end),
    ])
}

/// Six nodes, three actions, one of which only some need.
fn job(job: usize) -> NodeDef {
    sequence([
        action(format!("walk_to_{job}")),
        selector([
            condition(format!("ready < {}", 64 + 4 * job).as_str()),
            action(format!("prepare_{job}")),
        ]),
        action(format!("do_{job}")),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_shape::{Op, SlotIndex, ValueType};
    use pleach_tree::NodeKind;
    use pleach_vm::Kernel;

    #[test]
    fn trees_are_what_their_pages_say() {
        let facts = Scene::ALL.map(|scene| {
            let tree = scene.tree();
            let shape = pleach_tree::compile(&tree).unwrap();
            let conditions = tree
                .nodes()
                .filter(|node| node.kind.op() == Some(Op::Condition))
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
            [
                ("guard", 17),
                ("deep", 127),
                ("wide", 301),
                ("random", 300),
                ("divergent", 285)
            ]
        );
        assert_eq!(facts.map(|fact| fact.2)[..3], [4, 64, 100]);
        assert_eq!(facts[4].2, 63);
        assert_eq!(facts.map(|fact| fact.3), [5, 0, 100, 113, 96]);
        assert_eq!(facts[1].4 as usize, DEEP_LEVELS);
    }

    #[test]
    fn blackboards_are_small() {
        let [guard, deep] = [Scene::Guard, Scene::Deep].map(|scene| {
            let shape = pleach_tree::compile(&scene.tree()).unwrap();
            let columns = &shape.tables().columns;
            let bits = columns
                .iter()
                .filter(|def| def.ty() == Some(ValueType::Bool));
            (
                bits.count(),
                columns.len(),
                shape.requirements().column_bytes_per_actor,
            )
        });
        // 12 bytes and a bit, 16 and four bits: a byte once it is rounded up.
        assert_eq!(guard, (1, 4, 13));
        assert_eq!(deep, (4, 8, 17));
    }

    #[test]
    fn leaves_of_deep_read_what_its_page_says() {
        let tree = Scene::Deep.tree();
        let judged: Vec<String> = tree
            .nodes()
            .filter_map(|node| match &node.kind {
                NodeKind::Condition(expr) => Some(expr.to_string()),
                _ => None,
            })
            .collect();
        assert_eq!(judged.len(), 64);
        assert_eq!(
            judged[..4],
            ["holds_0", "holds_3", "level_6 < 0.6875", "holds_1"]
        );
        assert_eq!(judged[8], "holds_1");
        assert_eq!(judged[63], "level_4 < 0.53125");
    }

    #[test]
    fn actors_of_a_divergent_block_are_all_over_the_tree() {
        let shape = pleach_tree::compile(&Scene::Divergent.tree()).unwrap();
        let mut stage = Stage::new(shape, Data::Divergent, 512, Kernel::default(), 1).unwrap();
        for tick in 0..20 {
            stage.refresh();
            stage.tick();
            let requests = stage.population().requests();
            let planes = (0..96).map(|slot| requests.planes(SlotIndex::from(slot), 0));
            let running = planes.map(|planes| (planes.launch | planes.keep_on).count());
            let running: Vec<u32> = running.filter(|&count| count > 0).collect();
            if tick >= 10 {
                assert!(running.len() > 80, "tick {tick}: {running:?}");
                assert!(
                    running.iter().all(|&count| count < 32),
                    "tick {tick}: {running:?}"
                );
            }
        }
    }

    #[test]
    fn names_lead_back() {
        for scene in Scene::ALL {
            assert_eq!(Scene::from_name(scene.name()), Some(scene));
        }
        assert_eq!(Scene::from_name("no such scene"), None);
    }
}
