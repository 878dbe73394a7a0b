//! R3: answers go up through any number of levels within the tick.

use std::time::Duration;

use pleach_shape::Status;
use pleach_tree::{NodeDef, Tree, action, compile, condition, fail, selector, sequence, succeed};
use pleach_vm::table::{ActorSet, NodeKey};
use pleach_vm::{ActorId, Outcome, Population};

use crate::stage::Way;

const LEVELS: usize = 30;
const DT: Duration = Duration::from_millis(16);

/// Thirty sequences and selectors in each other around a leaf: on each level the second child.
fn nested(leaf: NodeDef) -> Tree {
    let root = (0..LEVELS).fold(leaf, |below, level| {
        let parent = match level % 2 {
            0 => sequence([succeed(), below]),
            _ => selector([fail(), below]),
        };
        parent.named(format!("level {level}"))
    });
    Tree::build("climb").column("flag", false).root(root)
}

/// More than a block of actors, and the keys of all levels.
fn crowd(leaf: NodeDef, way: Way) -> (Population, Vec<ActorId>, Vec<NodeKey>) {
    let shape = compile(&nested(leaf)).expect("compiles");
    let mut population = way.population(shape);
    let levels = (0..LEVELS).map(|level| {
        let key = population.watch(&format!("level {level}"));
        key.expect("each name once")
    });
    let levels = levels.collect();
    let actors = population.spawn_many(600).expect("memory");
    (population, actors, levels)
}

fn in_set<'a>(set: impl ActorSet<'a>) -> Vec<ActorId> {
    set.actors().collect()
}

#[test]
fn a_failure_climbs_thirty_levels_within_the_tick() {
    for way in Way::all() {
        let (mut population, actors, levels) = crowd(action("go"), way);
        population.tick(DT);
        for (level, &key) in levels.iter().enumerate() {
            let table = population.table(key).expect("watched");
            let tell = format!("{way:?}, level {level}");
            let needs = table.needs_to_select().expect("it chooses");
            let failed = table.failed_to_select().expect("it chooses");
            assert_eq!(in_set(needs), actors, "{tell}");
            assert!(failed.is_empty() && table.ended().is_empty(), "{tell}");
            for sets in [table.selected(), table.sequence_index()] {
                let counts = sets.expect("it chooses").map(|(.., set)| set.count());
                assert_eq!(counts.collect::<Vec<_>>(), [0, 600], "{tell}");
            }
        }

        // A third fails, a third succeeds, the others go on.
        let slot = population.slots("go")[0];
        let third = |which: u32| -> Vec<ActorId> {
            let actors = actors.iter().copied();
            actors.filter(|actor| actor.index() % 3 == which).collect()
        };
        let outcomes = [(0, Outcome::Failure), (1, Outcome::Success)];
        for (which, outcome) in outcomes {
            for actor in third(which) {
                let taken = population.set_result(actor, slot, outcome);
                taken.expect("it waits for one");
            }
        }
        population.tick(DT);
        for (which, status) in [Status::Failure, Status::Success, Status::Running]
            .into_iter()
            .enumerate()
        {
            for actor in third(which as u32) {
                assert_eq!(population.status(actor), Ok(Some(status)), "{way:?}");
            }
        }
        for (level, &key) in levels.iter().enumerate() {
            let table = population.table(key).expect("watched");
            let tell = format!("{way:?}, level {level}");
            let needs = table.needs_to_select().expect("it chooses");
            let failed = table.failed_to_select().expect("it chooses");
            assert_eq!(in_set(table.failed()), third(0), "{tell}");
            assert_eq!(in_set(failed), third(0), "{tell}");
            assert_eq!(in_set(table.succeeded()), third(1), "{tell}");
            assert_eq!(in_set(table.active()), third(2), "{tell}");
            assert_eq!(in_set(needs), in_set(table.ended()), "{tell}");
            assert!(table.started().or(table.aborted()).is_empty(), "{tell}");
        }
    }
}

/// The same in the tick in which all levels start.
#[test]
fn a_failure_climbs_as_soon_as_it_starts() {
    for way in Way::all() {
        let (mut population, actors, levels) = crowd(condition("flag"), way);
        let flag = population.column::<bool>("flag").expect("declared");
        for &actor in actors.iter().step_by(2) {
            population.set(actor, flag, true).expect("it lives");
        }
        population.tick(DT);
        let fails = |actor: &ActorId| actor.index() % 2 == 1;
        let failing: Vec<ActorId> = actors.iter().copied().filter(fails).collect();
        for &actor in &actors {
            let expected = Status::from_bool(!fails(&actor));
            assert_eq!(population.status(actor), Ok(Some(expected)), "{way:?}");
        }
        for &key in &levels {
            let table = population.table(key).expect("watched");
            let failed = table.failed_to_select().expect("it chooses");
            assert_eq!(in_set(failed), failing, "{way:?}");
            assert_eq!(in_set(table.failed()), failing, "{way:?}");
            assert_eq!(in_set(table.started()), actors, "{way:?}");
            assert!(table.active().is_empty(), "{way:?}");
        }
    }
}
