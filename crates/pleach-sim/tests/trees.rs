//! Other trees than the built-in ones: whatever a colony accepts, nobody shares a claim and no plant is cut twice.

use std::collections::HashSet;
use std::sync::Arc;

use pleach_shape::Shape;
use pleach_sim::colony::{Colony, Doing, Settings, Trees};
use pleach_vm::table::{ActorSet, NodeTable};
use pleach_vm::{ActorId, Kernel, Population, Simd};

const HARVEST: &str = r#"action "harvest" when="unclaimed_plants > 5""#;
const WORK: &str = r#"action "work" when="unclaimed_workshops > 1""#;
const REST: &str = r#"idle "rest" done-when="restless""#;
const STAGES: &str =
    r#"wait 1 2 name="sprout"; wait 1 2 name="seedling"; wait 1 2 name="sapling"; idle "grown""#;

fn shape(text: &str) -> Arc<Shape> {
    let document = pleach_text::parse("tree.kdl", text).unwrap();
    Arc::new(document.compile_main().unwrap())
}

fn dwarf(root: &str) -> Arc<Shape> {
    shape(&format!(
        "tree \"dwarf\" {{ blackboard {{ restless bool; claim u64; mine u64 }}; \
         world {{ unclaimed_plants i32; unclaimed_workshops i32 }}; {root} }}"
    ))
}

fn plant(root: &str) -> Arc<Shape> {
    shape(&format!(
        "tree \"plant\" {{ blackboard {{ harvested bool; dead bool }}; {root} }}"
    ))
}

fn settings() -> Settings {
    Settings {
        dwarves: 600,
        plants: 150,
        workshops: 40,
        width: 30,
        height: 20,
        wood_per_workshop: 3,
        seed: 3,
        ..Settings::default()
    }
}

/// Dwarves of all kinds, and whether they harvest and work.
fn dwarf_trees() -> Vec<(&'static str, Arc<Shape>)> {
    let roots = [
        (
            "no conditions",
            format!(r#"selector {{ action "harvest"; action "work"; {REST} }}"#),
        ),
        (
            "all at once",
            format!("parallel failure=3 {{ {HARVEST}; {WORK}; {REST} }}"),
        ),
        (
            "both, for ever",
            format!(
                r#"parallel failure=3 {{ repeat break-on-failure=#false {{ action "harvest" }}
                   repeat break-on-failure=#false {{ action "work" }}; {REST} }}"#
            ),
        ),
        (
            "work first",
            format!(r#"parallel failure=3 {{ action "work"; action "harvest"; {REST} }}"#),
        ),
        (
            "any order",
            format!("random-selector {{ {HARVEST}; {WORK}; {REST} }}"),
        ),
        (
            "no patience",
            format!(
                "random-selector {{ timeout 4 {{ {HARVEST} }}; timeout 7 {{ {WORK} }}; {REST} }}"
            ),
        ),
        (
            "one after the other",
            format!(r#"sequence {{ wait 3; action "harvest"; {REST}; action "work" }}"#),
        ),
    ];
    let trees = roots.into_iter().map(|(name, root)| (name, dwarf(&root)));
    trees.collect()
}

/// Plants of all kinds.
fn plant_trees() -> Vec<(&'static str, Arc<Shape>)> {
    let roots = [
        (
            "as usual",
            format!(r#"sequence "growth" abort-when="harvested" {{ {STAGES} }}"#),
        ),
        (
            "deaf to harvests",
            format!(r#"sequence "growth" {{ {STAGES} }}"#),
        ),
        (
            "all stages at once",
            format!(r#"parallel "growth" {{ {STAGES} }}"#),
        ),
        (
            "short-lived",
            format!(
                r#"sequence abort-when="dead" {{ succeeder {{ timeout 9 {{ sequence "growth" {{ {STAGES} }} }} }}
                   set "dead" "true"; idle }}"#
            ),
        ),
        (
            "begins anew",
            format!(r#"timeout 9 {{ sequence "growth" abort-when="harvested" {{ {STAGES} }} }}"#),
        ),
        (
            "grown for a while",
            STAGES.replace(r#"idle "grown""#, r#"wait 4 name="grown""#),
        ),
    ];
    let root = |root: String| match root.starts_with("wait") {
        true => format!(r#"sequence "growth" abort-when="harvested" {{ {root} }}"#),
        false => root,
    };
    let trees = roots
        .into_iter()
        .map(|(name, text)| (name, plant(&root(text))));
    trees.collect()
}

fn table<'a>(population: &'a Population, name: &str) -> NodeTable<'a> {
    let key = population.node_key(name).unwrap();
    population.table(key).unwrap()
}

/// Who is on an errand, not counting those who have just begun to look for one.
fn holders(colony: &Colony, action: &str) -> Vec<ActorId> {
    let table = table(colony.dwarves(), action);
    table.active().minus(table.started()).actors().collect()
}

#[test]
fn claims_and_harvests_hold_for_every_tree() {
    for (dwarf_name, dwarf) in dwarf_trees() {
        for (plant_name, plant) in plant_trees() {
            let named = format!("dwarves: {dwarf_name}; plants: {plant_name}");
            let trees = Trees {
                dwarf: dwarf.clone(),
                plant,
            };
            let mut colony = Colony::found(settings(), &trees).unwrap();
            let claim = colony.dwarves().column::<u64>("claim").unwrap();
            let harvested = colony.plants().column::<bool>("harvested").unwrap();
            let mut cut = HashSet::new();
            for _ in 0..500 {
                colony
                    .frame()
                    .unwrap_or_else(|error| panic!("{named}: {error}"));
                let (harvest, work) = (holders(&colony, "harvest"), holders(&colony, "work"));
                for dwarves in [&harvest, &work] {
                    let mut held = HashSet::new();
                    for &dwarf in dwarves {
                        let claim = colony.dwarves().get(dwarf, claim).unwrap();
                        assert!(held.insert(claim), "{named}: {claim} is held by two");
                        assert_ne!(claim, u64::MAX, "{named}: {dwarf} holds nothing");
                    }
                }
                let both = harvest.iter().filter(|dwarf| work.contains(dwarf)).count();
                assert_eq!(both, 0, "{named}: one claim for two errands");
                for plant in colony.plants().actors_with(harvested).unwrap().actors() {
                    assert!(cut.insert(plant), "{named}: {plant} is harvested twice");
                }
                assert_eq!(cut.len() as u64, colony.totals().harvested, "{named}");
                let scene = colony.scene();
                let sample = scene.sample(colony.totals());
                assert!(scene.plants.len() <= 150, "{named}: {}", scene.plants.len());
                assert_eq!(sample.workshops_busy, sample.working, "{named}");
                let working = scene
                    .dwarves
                    .iter()
                    .filter(|dwarf| dwarf.doing == Doing::Working);
                assert_eq!(working.count(), work.len(), "{named}");
            }
            assert!(cut.len() > 20, "{named}: {}", cut.len());
        }
    }
}

#[test]
fn every_tree_is_the_same_for_every_kernel_and_instruction_set() {
    for (dwarf, plant) in dwarf_trees()
        .into_iter()
        .zip(plant_trees().into_iter().cycle())
    {
        let trees = Trees {
            dwarf: dwarf.1,
            plant: plant.1,
        };
        let live = |kernel, simd| {
            let mut colony = Colony::found(settings(), &trees).unwrap();
            colony.set_kernel(kernel);
            colony.set_simd(simd);
            for _ in 0..200 {
                colony.frame().unwrap();
                colony.fold();
            }
            colony.fingerprint()
        };
        let expected = live(Kernel::Auto, Simd::best());
        for kernel in Kernel::ALL {
            for simd in Simd::ALL {
                assert_eq!(live(kernel, simd), expected, "{}, {kernel}", dwarf.0);
            }
        }
    }
}

#[test]
fn a_harvest_of_a_plant_that_is_gone_fails() {
    let trees = Trees {
        dwarf: dwarf(r#"parallel failure=3 { action "harvest"; action "work"; idle "rest" }"#),
        plant: plant(&format!(
            r#"sequence "growth" abort-when="dead" {{ {}; set "dead" "true"; idle }}"#,
            STAGES.replace(r#"idle "grown""#, r#"wait 1 name="grown""#)
        )),
    };
    let mut colony = Colony::found(settings(), &trees).unwrap();
    let mut failed = 0;
    for _ in 0..400 {
        colony.frame().unwrap();
        let claimed = holders(&colony, "harvest");
        let table = table(colony.dwarves(), "harvest");
        failed += table.failed().minus(table.started()).count();
        assert!(claimed.len() <= 600);
    }
    assert!(failed > 100, "{failed}");
}

#[test]
fn trees_that_do_not_fit_are_refused_and_told_why() {
    let usual = Trees::built_in().unwrap();
    let core = |first: &str| {
        dwarf(&format!(
            r#"selector "core" {{ {first}; {HARVEST}; {WORK}; {REST} }}"#
        ))
    };
    let unfit_dwarves = [
        (
            core(r#"set "claim" "mine""#),
            "`core/set-1` sets `claim`, which only rules may write; use another column",
        ),
        (
            core(r#"action "dance""#),
            "nobody answers action \"dance\" at `core/action-1`; allowed are the actions harvest, work",
        ),
        (
            core(r#"query "is_raining""#),
            "nobody answers query \"is_raining\" at `core/query-1`; allowed are the actions harvest, work",
        ),
        (
            core(r#"action "work""#),
            "2 nodes are called `work`, allowed is one",
        ),
        (
            dwarf(&format!(r#"selector "core" {{ {HARVEST}; {WORK}; idle }}"#)),
            "there is no node `rest`; there are `core`, `core/when-1`, `core/when-1/action-1`, `core/when-2`, \
             `core/when-2/action-1`, `core/idle-3`",
        ),
    ];
    for (dwarf, why) in unfit_dwarves {
        let trees = Trees {
            dwarf,
            ..usual.clone()
        };
        let error = Colony::found(settings(), &trees).map(|_| ()).unwrap_err();
        let wanted = format!("tree \"dwarf\" does not fit the colony: {why}");
        assert_eq!(error.to_string(), wanted);
    }
    let unfit_plants = [
        (
            plant(&format!(
                r#"sequence "growth" {{ task "rustle"; {STAGES} }}"#
            )),
            "nobody answers task \"rustle\" at `growth/task-1`; allowed is none",
        ),
        (
            shape(&format!(
                "tree \"plant\" {{ blackboard {{ harvested i32 }}; sequence \"growth\" {{ {STAGES} }} }}"
            )),
            "`harvested` is a i32, asked for as bool",
        ),
    ];
    for (plant, why) in unfit_plants {
        let trees = Trees {
            plant,
            ..usual.clone()
        };
        let error = Colony::found(settings(), &trees).map(|_| ()).unwrap_err();
        let wanted = format!("tree \"plant\" does not fit the colony: {why}");
        assert_eq!(error.to_string(), wanted);
    }
}
