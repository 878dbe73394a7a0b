//! R1, R2: every set of every watched node is what the reference says, whoever watches what; and what is
//! watched changes nothing.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use pleach_shape::TokenIndex;
use pleach_tests::generate::{draw, tree, tree_from_seed};
use pleach_tree::{Tree, compile};
use pleach_vm::Population;
use pleach_vm::table::{NodeKey, TableError};
use proptest::prelude::*;

use crate::expected::{self, Table};
use crate::stage::{Stage, Way};
use crate::story::Story;

static POOLS: LazyLock<Vec<rayon::ThreadPool>> = LazyLock::new(|| {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    [1, 2, 3, 8]
        .into_iter()
        .map(|threads| pool(threads).expect("threads"))
        .collect()
});

/// Which nodes are watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Plan {
    One,
    Several,
    Root,
    Census,
    /// Some nodes, and the census every few ticks.
    Counted,
    /// Other nodes every few ticks, sometimes none, sometimes all by the census.
    Changing,
}

const PLANS: [Plan; 6] = [
    Plan::Changing,
    Plan::One,
    Plan::Several,
    Plan::Counted,
    Plan::Root,
    Plan::Census,
];

impl Plan {
    /// What is to be watched in a tick: nodes, and whether the census is taken.
    fn wanted(self, seed: u64, tick: u64, nodes: u32) -> (BTreeSet<u32>, bool) {
        let pick = |number: u64| draw(seed, &[81, number]) as u32 % nodes;
        let few = |first: u64, count: u64| (first..first + count).map(pick).collect();
        match self {
            Plan::One => (few(0, 1), false),
            Plan::Several => (few(0, 4), false),
            Plan::Root => (BTreeSet::from([0]), false),
            Plan::Census => (BTreeSet::new(), true),
            Plan::Counted => (few(0, 2), tick % 5 > 2),
            // Of four nodes another one every second tick.
            Plan::Changing => match draw(seed, &[82, tick / 2]) % 6 {
                0 => (BTreeSet::new(), false),
                1 => (few(tick / 2, 4), true),
                _ => (few(tick / 2, 4), false),
            },
        }
    }
}

/// Who watches what, since when.
struct Watch<'a> {
    /// One for each node, of any population of the shape.
    keys: &'a [NodeKey],
    ends: Vec<u32>,
    asked: BTreeSet<u32>,
    counts: bool,
    since: Vec<Option<u64>>,
}

impl Watch<'_> {
    /// What is watched whole from this tick on.
    fn note(&mut self, tick: u64) {
        let asked = &self.asked;
        for (node, since) in (0..).zip(&mut self.since) {
            let below = |&asked: &u32| (asked..self.ends[asked as usize]).contains(&node);
            if self.counts || asked.iter().any(below) {
                since.get_or_insert(tick);
            } else {
                *since = None;
            }
        }
    }

    /// Watches what the plan says from the next tick on, which is `tick`: one change at a time, new nodes
    /// first or last.
    fn change(&mut self, population: &mut Population, plan: Plan, seed: u64, tick: u64) {
        let nodes = self.keys.len() as u32;
        let (wanted, counts) = plan.wanted(seed, tick, nodes);
        let add: Vec<u32> = wanted.difference(&self.asked).copied().collect();
        let remove: Vec<u32> = self.asked.difference(&wanted).copied().collect();
        let added_first = draw(seed, &[83, tick]).is_multiple_of(2);
        for adds in [added_first, !added_first] {
            for &node in if adds { &add } else { &remove } {
                let key = self.keys[node as usize];
                if adds {
                    assert_eq!(population.watch_node(TokenIndex(node)), Ok(key));
                    self.asked.insert(node);
                } else {
                    assert!(population.unwatch(key));
                    assert!(!population.unwatch(key));
                    self.asked.remove(&node);
                }
                self.note(tick);
            }
            if adds {
                population.set_census(counts);
                self.counts = counts;
                self.note(tick);
            }
        }
    }

    /// Holds all tables to what they must be.
    fn check(
        &self,
        population: &Population,
        tick: u64,
        expected: &[Table],
        children: &[Vec<u32>],
    ) -> Result<(), String> {
        let shape = population.shape();
        for (&key, since) in self.keys.iter().zip(&self.since) {
            let path = || shape.node_path(key.node());
            match population.table(key) {
                Ok(table) if since.is_some() => {
                    let was_watched = *since <= Some(tick);
                    let table = (table, was_watched);
                    let same = expected::compare(shape, table, expected, children);
                    same.map_err(|error| format!("`{}`: {error}", path()))?;
                }
                Ok(_) => return Err(format!("`{}` is watched", path())),
                Err(error) => {
                    let unwatched = TableError::NotWatched { path: path() };
                    if since.is_some() || error != unwatched {
                        return Err(format!("`{}`: {error}", path()));
                    }
                }
            }
        }
        Ok(())
    }
}

/// What a population does that nobody watches, tick by tick.
fn unwatched(story: &Story) -> Result<Vec<u64>, TestCaseError> {
    let mut stage = Stage::new(story, Way::all()[0]);
    let mut hashes = Vec::new();
    for (tick, chapter) in story.chapters.iter().enumerate() {
        stage.play(chapter, &POOLS[0]);
        for told in &chapter.told {
            let population = &stage.population;
            if !population.is_alive(told.actor) {
                continue;
            }
            let actor = told.actor;
            prop_assert_eq!(
                population.is_loaded(actor),
                told.loaded,
                "{} {}",
                tick,
                actor
            );
            if told.trace.is_some() {
                prop_assert_eq!(
                    population.status(actor),
                    Ok(told.root),
                    "{} {}",
                    tick,
                    actor
                );
            }
        }
        hashes.push(stage.hash());
    }
    Ok(hashes)
}

/// How many actors were in sets, to see that there are any.
type Seen = [usize; 8];

fn add(seen: &mut Seen, tables: &[Table]) {
    for table in tables {
        let sets = [
            &table.active,
            &table.started,
            &table.succeeded,
            &table.failed,
            &table.aborted,
            &table.selected,
            &table.needs_to_select,
            &table.failed_to_select,
        ];
        for (total, set) in seen.iter_mut().zip(sets) {
            *total += set.len();
        }
    }
}

fn watched(
    story: &Story,
    runs: &[(Way, Plan)],
    pool: &rayon::ThreadPool,
) -> Result<Seen, TestCaseError> {
    let hashes = unwatched(story)?;
    let shape = compile(&story.tree).expect("generated trees compile");
    let (children, nodes) = (expected::children(&shape), shape.len());
    let ends: Vec<u32> = shape.plain().iter().map(|token| token.end).collect();
    let mut other = Population::new(shape);
    let keys: Vec<NodeKey> = (0..nodes)
        .map(|node| other.watch_node(TokenIndex::from(node)).expect("memory"))
        .collect();
    let mut seen = Seen::default();
    for &(way, plan) in runs {
        let mut stage = Stage::new(story, way);
        let mut watch = Watch {
            keys: &keys,
            ends: ends.clone(),
            asked: BTreeSet::new(),
            counts: false,
            since: vec![None; nodes],
        };
        for (tick, chapter) in story.chapters.iter().enumerate() {
            let tell =
                |error| TestCaseError::fail(format!("{way:?}, {plan:?}, tick {tick}: {error}"));
            let number = tick as u64;
            watch.change(&mut stage.population, plan, story.script.seed, number);
            if let Some(before) = tick.checked_sub(1) {
                // What was known of the last tick is known still; of what is new, nothing.
                let told = &story.chapters[before].told;
                let expected = expected::tables(told, before as u64, &watch.since, &children);
                let checked = watch.check(&stage.population, before as u64, &expected, &children);
                checked.map_err(|error| tell(format!("changed: {error}")))?;
            }
            stage.play(chapter, pool);
            let expected = expected::tables(&chapter.told, number, &watch.since, &children);
            let checked = watch.check(&stage.population, number, &expected, &children);
            checked.map_err(tell)?;
            add(&mut seen, &expected);
            prop_assert_eq!(
                stage.hash(),
                hashes[tick],
                "{:?}, {:?}, tick {}",
                way,
                plan,
                tick
            );
        }
    }
    Ok(seen)
}

/// Each kernel under a plan, other ones for another seed, and some of the other ways.
fn some_runs(seed: u64) -> Vec<(Way, Plan)> {
    let ways = Way::all();
    let turn = seed as usize;
    let plan = |index: usize| PLANS[turn.wrapping_add(index) % PLANS.len()];
    let (kernels, others) = ways.split_at(pleach_vm::Kernel::CHOICES.len());
    let others = others.iter().cycle().skip(turn % others.len()).step_by(3);
    let chosen = kernels.iter().chain(others.take(3));
    chosen
        .enumerate()
        .map(|(index, &way)| (way, plan(index)))
        .collect()
}

const KEPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/suites/tables/watching.proptest-regressions"
);

proptest! {
    #![proptest_config(pleach_tests::property(120, KEPT))]

    #[test]
    fn tables_are_what_the_reference_says(tree in tree(), seed in any::<u64>(), actors in 1usize..9) {
        let story = Story::tell(tree, seed, actors, 30);
        watched(&story, &some_runs(seed), &POOLS[0])?;
    }
}

proptest! {
    #![proptest_config(pleach_tests::property(4, KEPT))]

    #[test]
    fn blocks_and_threads_do_not_matter(tree in tree(), seed in any::<u64>()) {
        for (index, actors) in [1, 511, 513, 1_100].into_iter().enumerate() {
            let story = Story::tell(tree.clone(), seed, actors, 20);
            let turn = seed.wrapping_add(index as u64);
            watched(&story, &some_runs(turn), &POOLS[index])?;
        }
    }
}

/// Every way under every plan, on trees in which all that there is happens.
#[test]
fn every_way_under_every_plan() {
    let runs: Vec<(Way, Plan)> = Way::all()
        .into_iter()
        .flat_map(|way| PLANS.map(|plan| (way, plan)))
        .collect();
    let trees: [(Tree, u64); 3] = [846, 3, 12].map(|seed| (tree_from_seed(seed), seed));
    for (tree, seed) in trees {
        let story = Story::tell(tree, seed, 40, 30);
        let seen = watched(&story, &runs, &POOLS[1]).unwrap_or_else(|error| panic!("{error}"));
        assert!(seen.iter().all(|&seen| seen > 100), "{seed}: {seen:?}");
    }
}
