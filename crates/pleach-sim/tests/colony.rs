//! The colony: what may never happen, and that it is the same life whatever runs it.

use std::collections::HashSet;
use std::num::NonZeroUsize;

use pleach_sim::colony::{
    Colony, ColonyError, ColonyFigures, ColonyRun, MAX_PLACES, Settings, Trees,
};
use pleach_vm::table::ActorSet;
use pleach_vm::{ActorId, Kernel, Simd};

fn run(settings: &Settings, kernel: Kernel, threads: usize) -> ColonyFigures {
    let trees = Trees::built_in().unwrap();
    let run = ColonyRun::new(settings.clone(), trees)
        .kernel(kernel)
        .threads(NonZeroUsize::new(threads).unwrap());
    let (figures, _) = run.go::<ColonyError>(&mut |_, _| Ok(())).unwrap();
    figures
}

fn found(settings: Settings) -> Colony {
    Colony::found(settings, &Trees::built_in().unwrap()).unwrap()
}

/// A colony that is busy soon and everywhere.
fn crowded() -> Settings {
    Settings {
        dwarves: 700,
        plants: 300,
        workshops: 40,
        width: 40,
        height: 30,
        ticks: 900,
        wood_per_workshop: 3,
        seed: 5,
        ..Settings::default()
    }
}

#[test]
fn every_kernel_and_number_of_threads_lives_the_same_life() {
    let settings = crowded();
    let expected = run(&settings, Kernel::Auto, 1);
    assert!(expected.totals.harvested > 300, "{:?}", expected.totals);
    assert!(expected.totals.goods > 50, "{:?}", expected.totals);
    assert_eq!(expected.totals.built, 40);
    for kernel in Kernel::ALL {
        for threads in [1, 2, 3] {
            let figures = run(&settings, kernel, threads);
            let found = (figures.hash, figures.totals, figures.history);
            let wanted = (expected.hash, expected.totals, expected.history.clone());
            assert_eq!(found, wanted, "{kernel}, {threads} threads");
        }
    }
    let other = Settings {
        seed: 6,
        ..settings
    };
    assert_ne!(run(&other, Kernel::Auto, 1).hash, expected.hash);
}

#[test]
fn every_instruction_set_lives_the_same_life() {
    let live = |simd| {
        let mut colony = found(crowded());
        colony.set_simd(simd);
        for _ in 0..600 {
            colony.frame().unwrap();
            colony.fold();
        }
        colony.fingerprint()
    };
    let hashes: HashSet<u64> = Simd::ALL.map(|simd| live(simd).0).into();
    assert_eq!(hashes.len(), 1, "{hashes:?}");
}

#[test]
fn no_claim_is_held_by_two_and_no_plant_harvested_twice() {
    let mut colony = found(crowded());
    let claim = colony.dwarves().column::<u64>("claim").unwrap();
    let (mut cut, mut sprouted) = (HashSet::new(), HashSet::new());
    let mut aborted = 0;
    for _ in 0..900 {
        colony.frame().unwrap();
        for (action, name) in [("harvest", "plant"), ("work", "workshop")] {
            let holders = colony.dwarves().table_of(action).active();
            let mut held = HashSet::new();
            for dwarf in holders.actors() {
                let claim = colony.dwarves().get(dwarf, claim).unwrap();
                // Who has just begun has none yet.
                let is_new = colony.dwarves().table_of(action).started().contains(dwarf);
                assert!(
                    is_new || held.insert(claim),
                    "two dwarves hold {name} {claim}"
                );
                assert!(is_new || claim != u64::MAX, "{dwarf} holds no {name}");
            }
        }
        sprouted.extend(colony.plants().actors());
        let felled = colony.plants().table_of("growth").aborted();
        for plant in felled.actors() {
            assert!(cut.insert(plant), "{plant} was harvested twice");
            assert!(sprouted.contains(&plant));
            aborted += 1;
        }
        assert!(colony.plants().len() <= 300);
    }
    assert_eq!(aborted as u64, colony.totals().harvested - pending(&colony));
    assert!(aborted > 300);
}

/// Plants that were cut, and whose tree has not been told yet: none behind a frame.
fn pending(colony: &Colony) -> u64 {
    let harvested = colony.plants().column::<bool>("harvested").unwrap();
    let told = colony.plants().actors_with(harvested).unwrap();
    let gone = colony.plants().table_of("growth").aborted();
    told.minus(gone).count() as u64
}

/// The table of a node that the colony watches.
trait TableOf {
    fn table_of(&self, name: &str) -> pleach_vm::table::NodeTable<'_>;
}

impl TableOf for pleach_vm::Population {
    fn table_of(&self, name: &str) -> pleach_vm::table::NodeTable<'_> {
        let key = self.node_key(name).unwrap();
        self.table(key).unwrap()
    }
}

#[test]
fn dwarves_stay_on_the_map_and_step_one_place_at_a_time() {
    let mut colony = found(Settings {
        width: 8,
        height: 61,
        ..crowded()
    });
    let mut before = colony.scene();
    for _ in 0..400 {
        colony.frame().unwrap();
        let scene = colony.scene();
        for (was, is) in before.dwarves.iter().zip(&scene.dwarves) {
            assert!(is.x < 8 && is.y < 61);
            assert!(was.x.abs_diff(is.x) <= 1 && was.y.abs_diff(is.y) <= 1);
        }
        before = scene;
    }
}

#[test]
fn without_plants_nothing_is_harvested_or_built() {
    let figures = run(
        &Settings {
            plants: 0,
            ticks: 200,
            ..crowded()
        },
        Kernel::Auto,
        2,
    );
    let totals = figures.totals;
    assert_eq!((totals.harvested, totals.built, totals.sprouted), (0, 0, 0));
    let (_, last) = figures.history.ends().unwrap();
    assert_eq!(last.idle, 700);
}

#[test]
fn five_plants_are_too_few() {
    let settings = Settings {
        plants: 5,
        ticks: 2_000,
        ..crowded()
    };
    assert_eq!(run(&settings, Kernel::Auto, 1).totals.harvested, 0);
    let six = Settings {
        plants: 6,
        ..settings
    };
    assert!(run(&six, Kernel::Auto, 1).totals.harvested > 0);
}

#[test]
fn a_million_plants_grow() {
    let settings = Settings {
        dwarves: 50,
        plants: MAX_PLACES,
        width: 1_000,
        height: 1_000,
        ..Settings::default()
    };
    let mut colony = found(settings);
    for _ in 0..110 {
        colony.frame().unwrap();
    }
    assert_eq!(colony.plants().len(), MAX_PLACES as usize);
    let old = ActorId::new(0, 0);
    assert!(colony.plants().is_alive(old));
}

#[test]
fn numbers_out_of_range_are_refused() {
    let wrong = [
        (
            Settings {
                dwarves: 0,
                ..Settings::default()
            },
            "0 dwarves are out of range, allowed are 1 to 1000000",
        ),
        (
            Settings {
                plants: MAX_PLACES + 1,
                ..Settings::default()
            },
            "1000001 plants are out of range, allowed are 0 to 1000000",
        ),
        (
            Settings {
                height: 7,
                ..Settings::default()
            },
            "7 places from north to south are out of range, allowed are 8 to 8192",
        ),
        (
            Settings {
                ticks: 0,
                ..Settings::default()
            },
            "0 ticks are out of range, allowed are 1 to 10000000",
        ),
    ];
    for (settings, message) in wrong {
        let error = Colony::found(settings, &Trees::built_in().unwrap())
            .map(|_| ())
            .unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_tree_that_lacks_something_is_refused() {
    let trees = Trees::built_in().unwrap();
    let swapped = Trees {
        dwarf: trees.plant.clone(),
        plant: trees.dwarf.clone(),
    };
    let error = Colony::found(Settings::default(), &swapped)
        .map(|_| ())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "tree \"plant\" has no action \"harvest\", which the colony carries out"
    );
}
