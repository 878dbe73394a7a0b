//! Reading scenarios: what is taken, and what is said about mistakes.

use std::path::{Path, PathBuf};

use pleach_sim::{Run, Scenario};

const TREE: &str = r#"
tree "t" {
    blackboard { health f32 1.0; ammo u8 9; mood i32; shots u16; target u64; awake bool }
    world { alarm bool; heat f32 }
    selector {
        sequence { condition "awake and alarm"; persistent-action "listen"; query "armed"; task "load"; action "march" }
        action "sleep"
    }
}
"#;

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

fn errors(text: &str) -> String {
    let text = format!("{text}\n{TREE}");
    match Scenario::parse("s.kdl", &text) {
        Ok(scenario) => panic!("{scenario:?} was taken"),
        Err(errors) => errors.to_string(),
    }
}

/// Asserts that a text has exactly one mistake, whose message and help contain these.
#[track_caller]
fn refused(text: &str, place: &str, wanted: &[&str]) {
    let found = errors(text);
    assert_eq!(found.matches("error[P").count(), 1, "{found}");
    assert!(found.contains(&format!("s.kdl:{place}\n")), "{found}");
    for wanted in wanted {
        assert!(found.contains(wanted), "no {wanted:?} in\n{found}");
    }
}

#[test]
fn the_examples_of_the_documentation_run() {
    let text = std::fs::read_to_string(root("docs/scenarios.md")).unwrap();
    let examples: Vec<&str> = text
        .split("```kdl\n")
        .skip(1)
        .map(|rest| rest.split_once("```").unwrap().0)
        .collect();
    assert!(examples.len() >= 3);
    let folder = std::env::temp_dir().join(format!("pleach-examples-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("scenarios")).unwrap();
    std::fs::create_dir_all(folder.join("trees")).unwrap();
    std::fs::copy(root("trees/guard.kdl"), folder.join("trees/guard.kdl")).unwrap();
    for example in examples {
        let file = folder.join("scenarios/example.kdl");
        std::fs::write(&file, example).unwrap();
        let mut scenario = Scenario::open(&file).unwrap_or_else(|errors| panic!("{errors}"));
        scenario.set_ticks(20).unwrap();
        Run::new(&scenario).go().unwrap();
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_scenarios_of_the_repository_reach_every_node() {
    for file in std::fs::read_dir(root("scenarios")).unwrap() {
        let path = file.unwrap().path();
        let scenario = Scenario::open(&path).unwrap_or_else(|errors| panic!("{errors}"));
        assert!(
            scenario.undescribed().is_empty(),
            "{:?}",
            scenario.undescribed()
        );
        let figures = Run::new(&scenario).go().unwrap();
        let unreached: Vec<&str> = figures
            .never_reached()
            .map(|node| node.path.as_str())
            .collect();
        assert!(unreached.is_empty(), "{}: {unreached:?}", path.display());
        for action in &figures.actions {
            assert!(
                action.launches > 0 && action.successes > 0,
                "{}: {action:?}",
                path.display()
            );
        }
    }
}

#[test]
fn the_built_in_scenario_is_the_file() {
    let built_in = Scenario::guards().unwrap();
    let file = Scenario::open(&root("scenarios/guards.kdl")).unwrap();
    assert_eq!(format!("{built_in:?}"), format!("{file:?}"));
    assert!(built_in.actors() > 1000 && built_in.ticks() >= 1000);
    let run = |mut scenario: Scenario| {
        scenario.set_ticks(20).unwrap();
        Run::new(&scenario).go().unwrap().hash
    };
    assert_eq!(run(built_in), run(file));
}

#[test]
fn the_run_has_its_numbers_and_its_defaults() {
    let text = format!(
        "scenario \"x\"\nactors 5\nticks 6\nwarm-up 7\ndt 0.25\nseed 18446744073709551615\n{TREE}"
    );
    let scenario = Scenario::parse("s.kdl", &text).unwrap();
    assert_eq!(
        (
            scenario.name(),
            scenario.actors(),
            scenario.ticks(),
            scenario.warm_up(),
            scenario.seed()
        ),
        ("x", 5, 6, 7, u64::MAX)
    );
    assert_eq!(scenario.dt().as_millis(), 250);
    let bare = Scenario::parse("s.kdl", TREE).unwrap();
    assert_eq!(
        (
            bare.name(),
            bare.actors(),
            bare.ticks(),
            bare.warm_up(),
            bare.seed()
        ),
        ("t", 1000, 1000, 0, 0)
    );
    assert_eq!(
        bare.undescribed(),
        [
            "actions/march",
            "actions/sleep",
            "persistent/listen",
            "tasks/load",
            "queries/armed"
        ]
    );
}

#[test]
fn numbers_out_of_range_are_refused() {
    refused(
        "actors 0",
        "1:8",
        &["0 is out of range", "allowed are 1 to 10000000"],
    );
    refused("actors 10000001", "1:8", &["10000001 is out of range"]);
    refused("ticks 0", "1:7", &["0 is out of range"]);
    refused("warm-up -1", "1:9", &["-1 is out of range"]);
    refused(
        "seed 18446744073709551616",
        "1:6",
        &["18446744073709551616 is out of range"],
    );
    refused("dt 0", "1:4", &["0 seconds are out of range"]);
    refused("dt #nan", "1:4", &["expected a finite number, found NaN"]);
    refused(
        "dt 1e300",
        "1:4",
        &["allowed are 0.000001 to 86400 seconds"],
    );
    refused("actors 1.5", "1:8", &["expected a whole number, found 1.5"]);
    refused(
        "actors \"many\"",
        "1:8",
        &["expected a whole number, found the text `many`"],
    );
}

#[test]
fn unknown_and_repeated_keys_are_refused() {
    refused(
        "tiks 5",
        "1:1",
        &["a scenario has no key `tiks`", "did you mean `ticks`?"],
    );
    refused("actors 5\nactors 6", "2:1", &["`actors` is given twice"]);
    refused(
        "actors",
        "1:1",
        &[
            "`actors` takes one argument, found 0",
            "write `actors 2000`",
        ],
    );
    refused(
        "actors 5 6",
        "1:10",
        &["`actors` takes one argument, found 2"],
    );
    refused(
        "actors 5 per=3",
        "1:10",
        &["`actors` has no property `per`"],
    );
    refused(
        "columns { health { strat 1.0 } }",
        "1:20",
        &["`health` has no key `strat`", "did you mean `start`?"],
    );
    refused(
        "columns { helth { } }",
        "1:11",
        &["the tree has no column `helth`", "did you mean `health`?"],
    );
    refused(
        "columns { alarm { } }",
        "1:11",
        &["no column `alarm`", "describe it in the section `world`"],
    );
    refused(
        "actions { listen { } }",
        "1:11",
        &["no deferred action `listen`", "in the section `persistent`"],
    );
    refused(
        "tasks { armed { } }",
        "1:9",
        &["no task `armed`", "in the section `queries`"],
    );
    refused(
        "columns { health { }; health { } }",
        "1:23",
        &["`health` is given twice"],
    );
}

#[test]
fn motions_that_make_no_sense_are_refused() {
    refused(
        "columns { health { start 2.0 1.0 } }",
        "1:30",
        &["ends at 1, before it begins at 2"],
    );
    refused(
        "columns { health { start 2.0; bounds 0 1 } }",
        "1:26",
        &["outside the column's bounds", "0 to 1"],
    );
    refused(
        "columns { ammo { bounds 0 5 } }",
        "1:11",
        &["starts at the tree's default 9", "add a `start`"],
    );
    refused(
        "columns { health { walk -0.1 } }",
        "1:25",
        &["a walk is not negative"],
    );
    refused("columns { health { start #nan } }", "1:26", &["finite"]);
    refused(
        "columns { ammo { start 256 } }",
        "1:24",
        &["`256` does not fit u8", "0 to 255"],
    );
    refused(
        "columns { ammo { drift 0.5 } }",
        "1:24",
        &["expected a whole number, found 0.5"],
    );
    refused(
        "columns { awake { flips 1.5 } }",
        "1:25",
        &["expected a chance, found 1.5", "0.0 (never) to 1.0"],
    );
    refused(
        "columns { awake { flips #nan } }",
        "1:25",
        &["expected a chance, found NaN"],
    );
    refused(
        "columns { awake { flips 0.1 on=0.2 } }",
        "1:19",
        &["one chance for both ways, or one for each"],
    );
    refused(
        "columns { awake { walk 1 } }",
        "1:19",
        &["`awake` has no key `walk`", "known are start, flips"],
    );
    refused(
        "columns { health { redraw 2 } }",
        "1:27",
        &["expected a chance, found 2"],
    );
}

#[test]
fn actions_that_make_no_sense_are_refused() {
    refused(
        "actions { sleep { lasts 0 } }",
        "1:25",
        &["0 is out of range"],
    );
    refused(
        "actions { sleep { lasts 5 3 } }",
        "1:27",
        &["at most 3 ticks is less than at least 5"],
    );
    refused(
        "actions { sleep { lasts ever } }",
        "1:25",
        &["expected a whole number"],
    );
    refused(
        "actions { sleep { succeeds -0.5 } }",
        "1:28",
        &["expected a chance, found -0.5"],
    );
    refused(
        "actions { sleep { errors 0.1 cod=3 } }",
        "1:30",
        &["no property `cod`", "did you mean `code`?"],
    );
    refused(
        "actions { sleep { on-success { sett ammo 1 } } }",
        "1:32",
        &["no effect `sett`", "did you mean `set`?"],
    );
    refused(
        "actions { sleep { on-success { set amo 1 } } }",
        "1:36",
        &["no column `amo`", "did you mean `ammo`?"],
    );
    refused(
        "actions { sleep { on-success { add awake 1 } } }",
        "1:32",
        &["a truth value can only be set"],
    );
    refused(
        "actions { sleep { on-success { set ammo 50 } } }\ncolumns { ammo { bounds 0 20 } }",
        "1:41",
        &["outside the column's bounds", "0 to 20"],
    );
    refused(
        "persistent { listen { succeeds 0.6; fails 0.6 } }",
        "1:14",
        &["add up to more than 1"],
    );
    refused(
        "queries { armed { holds 7 } }",
        "1:25",
        &["expected a chance, found 7"],
    );
}

#[test]
fn all_mistakes_come_at_once_and_in_order() {
    let found = errors("actors 0\ncolumns {\n    helth { }\n    health { walk #true }\n}\nseed -1");
    let places: Vec<&str> = found
        .lines()
        .filter_map(|line| line.split_once("s.kdl:"))
        .map(|(_, at)| at)
        .collect();
    assert_eq!(places, ["1:8", "3:5", "4:19", "6:6"], "{found}");
}

#[test]
fn mistakes_of_a_tree_inside_have_their_own_place() {
    let text = "actors 5\n// ä comment\ntree \"x\" {\n    seqence { idle }\n}\nactors 0 // twice\n";
    let found = Scenario::parse("s.kdl", text).unwrap_err().to_string();
    assert!(
        found.contains("unknown node `seqence`") && found.contains("s.kdl:4:5"),
        "{found}"
    );
    assert!(found.contains("`actors` is given twice"), "{found}");
    let one_line = "seed 1; tree \"x\" { idle }; actors 7; tree \"y\" { idle; idle }";
    let found = Scenario::parse("s.kdl", one_line).unwrap_err().to_string();
    assert!(
        found.contains("s.kdl:1:") && !found.contains("`actors`"),
        "{found}"
    );
}

#[test]
fn trees_that_cannot_be_had_are_named_where_they_are_asked_for() {
    let parse = |text| Scenario::parse("s.kdl", text).unwrap_err().to_string();
    assert!(parse("actors 5").contains("the scenario names no tree"));
    assert!(parse("tree 5").contains("expected the path of a tree file, found 5"));
    assert!(parse("tree \"a.kdl\"\ntree \"b.kdl\"").contains("s.kdl:2:1"));
    assert!(parse("tree \"\\u{1b}[31m\"").contains("no control characters"));
    let open = |path: &Path| Scenario::open(path).unwrap_err().to_string();
    assert!(open(&root("scenarios")).contains("this is a folder"));
    assert!(open(&root("scenarios/none.kdl")).contains("there is no such file"));
}

#[test]
fn whatever_the_text_is_reading_it_does_not_panic() {
    let guards = std::fs::read_to_string(root("scenarios/guards.kdl")).unwrap();
    let whole = format!(
        "{}\n{TREE}",
        guards.replace("tree \"../trees/guard.kdl\"", "")
    );
    let mut taken = 0;
    for at in (0..whole.len()).filter(|&at| whole.is_char_boundary(at)) {
        // Cut, and with one byte replaced.
        let mut broken = whole[..at].to_owned();
        taken += usize::from(Scenario::parse("s.kdl", &broken).is_ok());
        broken.push_str("-9e999 #nan }");
        broken.push_str(&whole[at..]);
        taken += usize::from(Scenario::parse("s.kdl", &broken).is_ok());
    }
    // Nothing in front of the tree is a scenario, and the tree does not have the guards' columns.
    assert_eq!(taken, 0);
}
