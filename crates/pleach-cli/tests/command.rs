//! The `pleach` command, run as people run it.

mod run;

use std::io::Read;
use std::path::PathBuf;
use std::process::Stdio;

use run::{bad, command, good, json, pleach};

/// A file in a folder for temporary ones; tests use different names.
fn file(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn sim_reports_the_guards_for_people() {
    let text = good(&["sim", "--ticks", "300", "--seed", "7"]);
    for wanted in [
        "guards: 2,000 actors of tree \"guard\", 300 ticks of 0.1 s",
        "├─ sequence flee",
        "│  ├─ condition badly hurt",
        "actor-ticks a second",
        "decisions p50",
        "requests",
        "walk_to_next_waypoint",
        "hash",
    ] {
        assert!(text.contains(wanted), "no {wanted:?} in\n{text}");
    }
    assert!(!text.contains("never reached"), "{text}");
    assert!(!text.contains('\x1b'), "no colours in a pipe");
    assert!(text.lines().count() <= 40, "{} lines", text.lines().count());
}

#[test]
fn sim_prints_one_object_for_programs() {
    let found = json(&[
        "sim",
        "--json",
        "--actors",
        "1500",
        "--ticks",
        "40",
        "--threads",
        "2",
        "--seed",
        "9",
        "--quiet",
    ]);
    assert_eq!(found["scenario"], "guards");
    assert_eq!(
        (
            &found["actors"],
            &found["ticks"],
            &found["threads"],
            &found["seed"]
        ),
        (&1500.into(), &40.into(), &2.into(), &9.into())
    );
    assert_eq!(found["kernel"], "auto");
    let hash = found["hash"].as_str().unwrap();
    assert!(
        hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{hash}"
    );
    let times = ["p50", "p99", "max"].map(|key| found["tick_ns"][key].as_u64().unwrap());
    assert!(
        0 < times[0] && times[0] <= times[1] && times[1] <= times[2],
        "{times:?}"
    );
    assert!(found["actor_ticks_per_second"].as_f64().unwrap() > 0.0);
    assert!(found["state_bytes_per_actor"].as_u64().unwrap() > 0);
    let nodes = found["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 17);
    assert_eq!(
        (&nodes[0]["path"], &nodes[0]["kind"], &nodes[0]["id"]),
        (&"guard".into(), &"reactive-selector".into(), &0.into())
    );
    assert_eq!(nodes[0]["active_share"], 1.0);
    for node in nodes {
        for key in ["starts", "successes", "failures", "cancels"] {
            assert!(node[key].is_u64(), "{node}");
        }
    }
}

#[test]
fn no_kernel_and_no_number_of_threads_changes_the_hash() {
    let hash = |kernel: &str, threads: &str| {
        let found = json(&[
            "sim",
            "--json",
            "--ticks",
            "100",
            "--kernel",
            kernel,
            "--threads",
            threads,
        ]);
        assert_eq!(found["kernel"], kernel);
        found["hash"].as_str().unwrap().to_owned()
    };
    let expected = hash("pure-stream", "1");
    for kernel in ["pure-stream", "traversal-stack"] {
        for threads in ["1", "2", "3"] {
            assert_eq!(hash(kernel, threads), expected, "{kernel} with {threads}");
        }
    }
}

#[test]
fn sim_runs_scenario_files_and_bare_trees() {
    for scenario in ["guards", "dwarves", "plants", "stream_example"] {
        let path = format!("scenarios/{scenario}.kdl");
        let text = good(&["sim", &path, "--ticks", "50", "--actors", "40"]);
        assert!(text.contains("40 actors"), "{text}");
    }
    let bare = good(&["sim", "trees/dwarf.kdl", "--ticks", "20"]);
    assert!(
        bare.contains("not described by the scenario: actions/harvest, actions/work"),
        "{bare}"
    );
    assert!(bare.contains("never reached"), "{bare}");
}

#[test]
fn check_says_ok_with_facts_or_what_is_wrong() {
    let text = good(&["check", "trees/guard.kdl", "trees/dwarf.kdl"]);
    assert!(
        text.starts_with(
            "ok: trees/guard.kdl: tree \"guard\", 17 nodes, 3 deep, 7 actions, 6 columns"
        ),
        "{text}"
    );
    assert_eq!(text.lines().count(), 2);

    let wrong = file("wrong.kdl", b"tree \"a\" {\n    seqence { idle }\n}\n");
    let output = pleach(&["check", &wrong, "trees/guard.kdl"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("wrong.kdl:2:5") && errors.contains("did you mean `sequence`?"),
        "{errors}"
    );
    // The file behind it is checked all the same.
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .starts_with("ok: trees/guard.kdl")
    );
}

#[test]
fn check_finds_what_only_the_compiler_knows() {
    let wrong = file(
        "uncompiled.kdl",
        b"tree \"a\" {\n    condition \"healht > 1\"\n}\n",
    );
    assert!(bad(1, &["check", &wrong]).contains("uncompiled.kdl:2:"));
}

#[test]
fn check_finds_what_is_wrong_with_any_tree_of_a_file() {
    let trees = "tree \"p\" { idle; }\ntree \"a\" { condition \"nope > 1\"; }\n";
    let wrong = file("second.kdl", trees.as_bytes());
    let scenario = file(
        "second-of-scenario.kdl",
        format!("persistent {{ }}\n{trees}").as_bytes(),
    );
    for (path, place) in [(wrong, ":2:23"), (scenario, ":3:23")] {
        let errors = bad(1, &["check", &path]);
        assert!(errors.contains("`nope`"), "{errors}");
        assert!(errors.contains(place), "{errors}");
        assert!(!errors.contains("no key"), "{errors}");
    }
    let named = file("names-a-file.kdl", b"tree \"second.kdl\"\n");
    assert!(good(&["check", &named]).contains("scenario of 1,000 actors"));
}

#[test]
fn dump_draws_the_tree_and_lists_its_tokens() {
    let drawn = good(&["dump", "trees/guard.kdl"]);
    for wanted in [
        "1 ├─ sequence \"flee\"",
        "16    └─ action turn_to_path",
        "speed=4.0",
        "requirements\ntokens            17 plain, 33 guarded",
    ] {
        assert!(drawn.contains(wanted), "no {wanted:?} in\n{drawn}");
    }
    let listed = good(&["dump", "--tokens", "trees/guard.kdl"]);
    for wanted in [
        "plain stream of \"guard\": 17 tokens",
        "guarded stream: 33 tokens",
        "requirements\n",
    ] {
        assert!(listed.contains(wanted), "no {wanted:?} in\n{listed}");
    }
    let two = file(
        "two.kdl",
        b"tree \"a\" { idle }\ntree \"b\" { sequence { idle; succeed } }\n",
    );
    assert!(good(&["dump", &two]).starts_with("0 idle\n"));
    assert!(good(&["dump", &two, "--tree", "b"]).starts_with("0 sequence\n"));
    assert!(bad(1, &["dump", &two, "--tree", "c"]).contains("no tree is named `c`"));
    let waits = file(
        "waits.kdl",
        b"tree a { sequence { wait 2 5.5; wait 1 1; } }\n",
    );
    let drawn = good(&["dump", &waits]);
    assert!(drawn.contains("wait 2 to 5.5 s\n") && drawn.contains("wait 1 s\n"));
}

#[test]
fn files_that_cannot_be_read_are_errors_of_the_input() {
    let bytes = file("bytes.kdl", b"tree \"\xff\xfe\" { idle }");
    let empty = file("empty.kdl", b"");
    for subcommand in ["sim", "check", "dump"] {
        assert!(bad(1, &[subcommand, "none.kdl"]).contains("there is no such file\n --> none.kdl"));
        assert!(bad(1, &[subcommand, &bytes]).contains("not UTF-8"));
        assert!(bad(1, &[subcommand, &empty]).contains("error[P"));
    }
    // A folder is something to check.
    for subcommand in ["sim", "dump"] {
        let errors = bad(1, &[subcommand, "trees"]);
        assert!(
            errors.contains("this is a folder, not a file\n --> trees"),
            "{errors}"
        );
    }
    let named = file("named.kdl", b"actors 5\ntree \"none.kdl\"\n");
    let errors = bad(1, &["sim", &named]);
    assert!(
        errors.contains("tree file `none.kdl`: there is no such file")
            && errors.contains("named.kdl:2:6"),
        "{errors}"
    );
}

#[test]
fn a_wrong_command_line_is_an_error_of_usage() {
    assert!(bad(2, &[]).contains("Usage: pleach"));
    assert!(bad(2, &["simulate"]).contains("unrecognized subcommand"));
    assert!(bad(2, &["check"]).contains("<TREES>"));
    for (option, value) in [
        ("--actors", "0"),
        ("--actors", "10000001"),
        ("--actors", "99999999999999999999"),
        ("--actors", "-1"),
        ("--ticks", "0"),
        ("--threads", "0"),
        ("--threads", "1025"),
        ("--seed", "x"),
        ("--kernel", "lanes-of-gold"),
    ] {
        let errors = bad(2, &["sim", &format!("{option}={value}")]);
        assert!(errors.contains(option), "{errors}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    // Longer than what a pipe holds, so that the writer notices.
    let leaves = "action \"something_to_do\"\n".repeat(5_000);
    let long = file(
        "long.kdl",
        format!("tree \"long\" {{ sequence {{ {leaves} }} }}").as_bytes(),
    );
    for arguments in [
        &["dump", &long][..],
        &["dump", "--tokens", &long],
        &["sim", &long, "--ticks", "1", "--actors", "1"],
    ] {
        let mut child = command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (
                output.status.code(),
                String::from_utf8(output.stderr).unwrap().as_str()
            ),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

#[test]
fn check_knows_scenarios() {
    let text = good(&["check", "scenarios/guards.kdl", "trees/guard.kdl"]);
    assert!(
        text.contains("ok: scenarios/guards.kdl: scenario of 2000 actors, 1000 ticks")
            || text.contains("scenario of 2,000 actors, 1,000 ticks"),
        "{text}"
    );
    let wrong = file("wrong-scenario.kdl", b"tree \"x.kdl\"\nactors 0\n");
    let errors = bad(1, &["check", &wrong]);
    assert!(
        errors.contains("actors") && errors.contains(":2:"),
        "{errors}"
    );
}

#[test]
fn check_explains_every_node_with_an_example_that_it_accepts() {
    let list = good(&["check", "--explain"]);
    let nodes: Vec<&str> = list
        .lines()
        .filter(|line| line.starts_with("    "))
        .flat_map(str::split_whitespace)
        .collect();
    assert!(nodes.len() >= 36 && nodes.contains(&"cooldown"), "{list}");
    for word in ["retry", "Fallback", "run_once", "subtree"] {
        assert!(good(&["check", "--explain", word]).contains("\nexample\n"));
    }
    let page = good(&["check", "--explain", "timeout"]);
    let example: String = page
        .lines()
        .skip_while(|line| *line != "example")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(|line| format!("{line}\n"))
        .collect();
    let path = file("explained.kdl", example.as_bytes());
    assert!(good(&["check", &path]).contains("tree \"guard\", 4 nodes"));
    assert!(!page.contains('\x1b'), "no colours in a pipe");
}

#[test]
fn an_unknown_node_gets_a_hint_and_the_list() {
    let errors = bad(1, &["check", "--explain", "cooldwn"]);
    for part in [
        "no node is called `cooldwn`",
        "did you mean `cooldown`?",
        "leaves\n",
    ] {
        assert!(errors.contains(part), "{errors}");
    }
    bad(2, &["check"]);
    bad(2, &["check", "trees/guard.kdl", "--explain", "wait"]);
}

#[test]
fn nodes_of_behaviortree_cpp_are_explained_by_what_they_become() {
    let page = good(&["check", "--explain", "RetryUntilSuccessful"]);
    for part in [
        "\nbecomes\n    `repeat-until-success`\n",
        "what differs\n    one iteration a tick (D2)",
        "\nrepeat-until-success ",
        "\nexample\n",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(
        page.lines().all(|line| line.chars().count() <= 80),
        "{page}"
    );
    assert!(good(&["check", "--explain", "_failureIf"]).contains("`when=\"not e\"`"));
    assert!(good(&["check", "--explain", "IsBatteryLow"]).contains("`query`"));
    // A small letter is KDL.
    assert!(!good(&["check", "--explain", "sequence"]).contains("becomes"));
    let errors = bad(1, &["check", "--explain", "KeepRuningUntilFailure"]);
    assert!(
        errors.contains("did you mean `KeepRunningUntilFailure`?"),
        "{errors}"
    );
}

#[test]
fn trees_of_several_files_are_checked_drawn_and_run() {
    let text = good(&[
        "check",
        "trees/watch.kdl",
        "trees/common/patrol.kdl",
        "scenarios/watch.kdl",
    ]);
    for part in [
        "ok: trees/watch.kdl: tree \"watch\"",
        "ok: trees/common/patrol.kdl: tree \"patrol\"",
        "only a subtree, parameters speed f32 1.4, pause f32, rounds u16 3",
        "ok: scenarios/watch.kdl: scenario of 500 actors",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    let drawn = good(&["dump", "trees/watch.kdl"]);
    for part in [
        "abort-when health <= 0.0",
        "cooldown 8 s",
        "timeout 20 s",
        "repeat 3 times",
        "target=next_post speed=1.2",
    ] {
        assert!(drawn.contains(part), "no {part:?} in\n{drawn}");
    }
    let errors = bad(1, &["dump", "trees/common/patrol.kdl"]);
    assert!(errors.contains("can run by itself"), "{errors}");
    good(&["sim", "trees/watch.kdl", "--ticks", "20", "--actors", "100"]);
}

#[test]
fn no_name_in_a_file_disturbs_the_terminal() {
    let text = r#"tree "x\u{1b}[31m\nok: other.kdl: fine \u{202e}" {
        sequence "a\u{1b}[2J\nb" { action "\u{7}\u{9b}c" text="\u{202e}"; repeat 2 name="\u{1b}" break-on-failure=#false { idle; }; }
    }"#;
    let path = file("escapes.kdl", text.as_bytes());
    let commands: [&[&str]; 4] = [
        &["check", &path],
        &["dump", &path],
        &["dump", "--tokens", &path],
        &["sim", &path, "--ticks", "5", "--actors", "5"],
    ];
    for arguments in commands {
        let shown = good(arguments);
        let raw = ['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}'];
        assert!(!shown.contains(raw), "{arguments:?}: {shown:?}");
        assert!(shown.contains(r"\u{1b}"), "{arguments:?}: {shown}");
    }
    assert_eq!(good(&["check", &path]).lines().count(), 1);
    assert!(good(&["dump", &path]).contains("repeat 2 times, whatever it answers"));
    let none = bad(1, &["check", "\u{1b}[31mnone.kdl"]);
    assert!(none.contains(r"--> \u{1b}[31mnone.kdl"), "{none}");
}

#[test]
fn words_that_are_no_nodes_are_explained_by_their_place() {
    for (word, place) in [
        ("case", "directly inside a `switch`"),
        ("then", "directly inside an `if-then-else`"),
        ("include", "beside trees"),
        ("params", "directly inside `tree`"),
    ] {
        let errors = bad(1, &["check", "--explain", word]);
        assert!(errors.contains(place), "{errors}");
        assert!(!errors.contains("did you mean"), "{errors}");
    }
}
