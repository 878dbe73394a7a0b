//! `pleach sim colony`, run as people run it.

mod run;

use run::folder;

fn sim<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["sim"], arguments].concat()
}

#[track_caller]
fn good(arguments: &[&str]) -> String {
    run::good(&sim(arguments))
}

#[track_caller]
fn bad(code: i32, arguments: &[&str]) -> String {
    run::refused(code, &sim(arguments))
}

#[track_caller]
fn json(arguments: &[&str]) -> serde_json::Value {
    run::json(&sim(arguments))
}

#[test]
fn the_colony_reports_on_one_screen() {
    let text = good(&["colony", "--ticks", "1000"]);
    for wanted in [
        "colony: 1,000 dwarves cut trees",
        "map 96 x 40, 1,000 ticks of 100 ms, auto kernel",
        "┌─ the map after tick 1,000 ─",
        "dwarves   · idle",
        "■ in use",
        "trees were cut; their wood became",
        "a tick takes",
        "decisions",
        "the same for every kernel and number of threads",
    ] {
        assert!(text.contains(wanted), "no {wanted:?} in\n{text}");
    }
    assert!(!text.contains('\x1b'), "no colours in a pipe");
    assert!(text.lines().count() <= 45, "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    // Whoever looks at the picture sees everyone at work.
    let map: String = text.lines().skip(4).take(16).collect();
    for glyph in ['·', 'h', ','] {
        assert!(map.contains(glyph), "no {glyph} in\n{text}");
    }
}

#[test]
fn a_name_that_is_nearly_one_gets_a_hint() {
    for (name, meant) in [
        ("coloni", "colony"),
        ("Colony", "colony"),
        ("guard", "guards"),
    ] {
        let errors = bad(1, &[name]);
        let hint = format!(
            "there is no file `{name}`, and no simulation of that name; did you mean `{meant}`?"
        );
        assert!(errors.contains(&hint), "{errors}");
    }
    assert!(bad(1, &["no.kdl"]).contains("there is no such file"));
}

#[test]
fn figures_add_up() {
    let found = json(&[
        "colony",
        "--json",
        "--dwarves=300",
        "--plants=60",
        "--workshops=8",
        "--map=50x30",
        "--ticks=500",
        "--seed=4",
        "--threads=2",
        "--quiet",
    ]);
    for (key, number) in [
        ("dwarves", 300),
        ("plants", 60),
        ("workshops", 8),
        ("width", 50),
        ("height", 30),
        ("ticks", 500),
        ("seed", 4),
        ("threads", 2),
    ] {
        assert_eq!(found[key], number, "{key}");
    }
    assert_eq!(
        (&found["scenario"], &found["kernel"]),
        (&"colony".into(), &"auto".into())
    );
    let hash = found["hash"].as_str().unwrap();
    assert!(hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
    for part in ["decisions", "rules", "movement", "frame"] {
        let [p50, p99, max] =
            ["p50", "p99", "max"].map(|key| found["frame_ns"][part][key].as_u64().unwrap());
        assert!(
            p50 <= p99 && p99 <= max && 0 < max,
            "{part}: {p50} {p99} {max}"
        );
    }
    let stages = ["sprout", "seedling", "sapling", "grown"];
    let totals = &found["totals"];
    assert!(totals["built"].as_u64().unwrap() <= 8);

    let samples = found["history"]["samples"].as_array().unwrap();
    let spacing = found["history"]["spacing"].as_u64().unwrap();
    assert!((100..=201).contains(&samples.len()), "{}", samples.len());
    for (index, sample) in samples.iter().enumerate() {
        let tick = if index + 1 == samples.len() {
            500
        } else {
            index as u64 * spacing
        };
        assert_eq!(sample["tick"], tick);
        let dwarves =
            ["idle", "harvesting", "working"].map(|doing| sample[doing].as_u64().unwrap());
        assert_eq!(dwarves.iter().sum::<u64>(), 300, "{sample}");
        let plants = stages.map(|stage| sample["plants"][stage].as_u64().unwrap());
        assert!(plants.iter().sum::<u64>() <= 60, "{sample}");
        assert!(sample["workshops_busy"].as_u64() <= sample["workshops"].as_u64());
    }
    let last = samples.last().unwrap();
    assert_eq!(
        (&last["harvested"], &last["goods"]),
        (&totals["harvested"], &totals["goods"])
    );
}

#[test]
fn no_kernel_and_no_number_of_threads_changes_the_hash() {
    let hash = |kernel: &str, threads: &str| {
        let found = json(&[
            "colony",
            "--json",
            "--ticks=120",
            "--kernel",
            kernel,
            "--threads",
            threads,
        ]);
        assert_eq!(found["kernel"], kernel);
        found["hash"].as_str().unwrap().to_owned()
    };
    let expected = hash("auto", "1");
    for (kernel, threads) in [
        ("auto", "3"),
        ("lanes", "1"),
        ("pure-stream", "2"),
        ("threaded-stream", "1"),
        ("traversal-stack", "2"),
    ] {
        assert_eq!(hash(kernel, threads), expected, "{kernel} with {threads}");
    }
    let other = json(&["colony", "--json", "--ticks=120", "--seed=99"]);
    assert_ne!(other["hash"], expected);
}

#[test]
fn actors_are_dwarves() {
    let found = json(&["colony", "--json", "--ticks=5", "--actors=7"]);
    assert_eq!(found["dwarves"], 7);
    assert!(bad(2, &["colony", "--actors=7", "--dwarves=7"]).contains("cannot be used with"));
}

#[test]
fn trees_can_be_others() {
    let hash = |arguments: &[&str]| {
        json(&[&["colony", "--json", "--ticks=300"], arguments].concat())["hash"].clone()
    };
    let usual = hash(&[]);
    let same = [
        "--dwarf-tree=trees/dwarf.kdl",
        "--plant-tree=trees/plant.kdl",
    ];
    assert_eq!(hash(&same), usual);
    let path = folder("colony-trees").join("lazy.kdl");
    let tree = std::fs::read_to_string(run::root("trees/dwarf.kdl")).unwrap();
    let lazy = tree.replace("unclaimed_plants > 5", "unclaimed_plants > 50");
    assert_ne!(lazy, tree);
    std::fs::write(&path, lazy).unwrap();
    assert_ne!(hash(&["--dwarf-tree", path.to_str().unwrap()]), usual);
}

#[test]
fn a_colony_grows_with_its_dwarves() {
    let found = json(&[
        "colony",
        "--json",
        "--ticks=5",
        "--dwarves=4000",
        "--workshops=7",
    ]);
    let of = |key: &str| found[key].as_u64().unwrap();
    assert_eq!(
        [of("plants"), of("workshops"), of("width"), of("height")],
        [800, 7, 192, 80]
    );
}

#[test]
fn a_few_dwarves_find_something_to_do() {
    let found = json(&["colony", "--json", "--ticks=5000", "--dwarves=5"]);
    let of = |key: &str| found["totals"][key].as_u64().unwrap();
    assert!(of("harvested") >= 90, "{}", found["totals"]);
    assert!(of("goods") > 0, "{}", found["totals"]);
}

#[test]
fn the_end_is_drawn_into_a_file() {
    let folder = folder("colony-svg");
    let path = folder.join("end.svg");
    let path = path.to_str().unwrap();
    let report = good(&["colony", "--ticks=200", "--svg", path]);
    assert!(report.contains("a tick takes"));
    let written = std::fs::read_to_string(path).unwrap();
    let document = roxmltree::Document::parse(&written).unwrap();
    let title = document
        .descendants()
        .find(|node| node.tag_name().name() == "title");
    assert_eq!(
        title.unwrap().text(),
        Some("A colony of 1,000 dwarves after 200 ticks")
    );
    let found = json(&["colony", "--ticks=200", "--json", "--svg", path]);
    assert_eq!(found["ticks"], 200);
    // The same run is the same picture.
    assert_eq!(std::fs::read_to_string(path).unwrap(), written);
    assert_eq!(good(&["colony", "--ticks=200", "--svg=-"]), written);
    assert_eq!(
        std::fs::read_dir(&folder).unwrap().count(),
        1,
        "no draft stays"
    );
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_stays() {
    let link = folder("colony-link").join("link.svg");
    std::os::unix::fs::symlink("nothing.svg", &link).unwrap();
    let error = bad(1, &["colony", "--ticks=5", "--svg", link.to_str().unwrap()]);
    assert!(
        error.contains("this is a link to a file that does not exist; name that file"),
        "{error}"
    );
    assert!(link.is_symlink() && !link.exists());
}

#[test]
fn a_tree_that_does_not_fit_is_refused() {
    let path = folder("colony-unfit").join("unfit.kdl");
    std::fs::write(
        &path,
        r#"tree "oak" { blackboard { harvested bool }; idle "growth" }"#,
    )
    .unwrap();
    let error = bad(
        1,
        &[
            "colony",
            "--ticks=5",
            "--plant-tree",
            path.to_str().unwrap(),
        ],
    );
    assert_eq!(
        error,
        "error: tree \"oak\" does not fit the colony: there is no node `sprout`; there are `growth`\n"
    );
}

#[test]
fn views_while_it_runs() {
    let text = good(&["colony", "--ticks=250", "--every=100"]);
    let titles = text.lines().filter(|line| line.starts_with("┌─"));
    let titles: Vec<&str> = titles
        .map(|line| line.trim_matches(['┌', '─', '┐', ' ']))
        .collect();
    assert_eq!(
        titles,
        [
            "the map before the first tick",
            "the map after tick 100",
            "the map after tick 200",
            "the map after tick 250",
        ]
    );
    let folder = folder("colony-views");
    good(&[
        "colony",
        "--ticks=250",
        "--every=100",
        "--svg",
        folder.to_str().unwrap(),
    ]);
    let files = std::fs::read_dir(&folder).unwrap();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "map-000000.svg",
            "map-000100.svg",
            "map-000200.svg",
            "map-000250.svg"
        ]
    );
    // Looking on changes nothing.
    let hash = |text: &str| text.lines().last().map(str::to_owned);
    assert_eq!(hash(&text), hash(&good(&["colony", "--ticks=250"])));
}

#[test]
fn what_cannot_be_is_said_before_anything_runs() {
    let folder = folder("colony-refused");
    let file = folder.join("file");
    std::fs::write(&file, "kept").unwrap();
    let (folder, file) = (folder.to_str().unwrap(), file.to_str().unwrap());
    for (code, arguments, part) in [
        (2, vec!["--plants=5"], "'--plants' is only for the colony"),
        (
            2,
            vec!["guards", "--map=9x9"],
            "'--map' is only for the colony",
        ),
        (
            2,
            vec!["scenarios/guards.kdl", "--every=5"],
            "'--every' is only for the colony",
        ),
        (2, vec!["colony", "--map=7x50"], "as in 96x40"),
        (2, vec!["colony", "--map=5"], "as in 96x40"),
        (2, vec!["colony", "--map=8x8193"], "as in 96x40"),
        (2, vec!["colony", "--every=0"], "--every"),
        (2, vec!["colony", "--dwarves=0"], "--dwarves"),
        (2, vec!["colony", "--json", "--svg=-"], "both print"),
        (2, vec!["colony", "--json", "--every=5"], "both print"),
        (2, vec!["colony", "--every=5", "--svg=-"], "name a folder"),
        (
            2,
            vec!["colony", "--every=1", "--ticks=10000", "--svg", folder],
            "10,001 pictures, allowed are 10,000",
        ),
        (
            1,
            vec!["colony", "--dwarf-tree=trees/guard.kdl"],
            "no action \"harvest\"",
        ),
        (
            1,
            vec!["colony", "--plant-tree=no.kdl"],
            "there is no such file",
        ),
        (
            2,
            vec!["--dwarf-tree=trees/dwarf.kdl"],
            "'--dwarf-tree' is only for the colony",
        ),
        (1, vec!["colony", "--svg", folder], "this is a folder"),
        (
            1,
            vec!["colony", "--every=5", "--svg", file],
            "this is no folder",
        ),
        (
            1,
            vec!["colony", "--every=5", "--svg=no/such"],
            "no such folder",
        ),
    ] {
        let errors = bad(code, &arguments);
        assert!(errors.contains(part), "{arguments:?}: {errors}");
    }
    assert_eq!(std::fs::read_to_string(file).unwrap(), "kept");
}

#[test]
fn built_in_names_come_before_files() {
    let folder = folder("colony-names");
    for name in ["colony", "guards"] {
        let scenario = "scenario \"mine\"\nactors 3\nticks 2\ntree \"t\" { idle; }\n";
        std::fs::write(folder.join(name), scenario).unwrap();
        let first_line = |argument: &str| {
            let output = run::command(&sim(&[argument, "--ticks=2"]))
                .current_dir(&folder)
                .output()
                .unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            text.lines().next().unwrap_or_default().to_owned()
        };
        assert!(first_line(name).starts_with(&format!("{name}: ")));
        assert!(first_line(&format!("./{name}")).starts_with("mine: 3 actors"));
    }
}

#[test]
fn extreme_colonies_run() {
    for arguments in [
        ["--dwarves=1", "--plants=0", "--workshops=0", "--map=8x8"],
        ["--dwarves=50", "--plants=50", "--workshops=50", "--map=8x9"],
        [
            "--dwarves=10",
            "--plants=3",
            "--workshops=1",
            "--map=8192x8192",
        ],
    ] {
        let text = good(&[&["colony", "--ticks=300"], &arguments[..]].concat());
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }
}

/// What stands in the README, line by line; `…` stands for any lines, and what a tick takes is another
/// time each time.
#[test]
fn the_readme_shows_what_is_printed() {
    let root = run::root("");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    for (arguments, title) in [
        (["colony", "--threads=2"], "```text\ncolony: "),
        (["guards", "--threads=2"], "```text\nguards: "),
    ] {
        let begin = readme.find(title).expect(title) + "```text\n".len();
        let shown = readme[begin..].split("```").next().unwrap();
        let is_time = |line: &&str| {
            let times = ["decisions", "rules", "movement", "together"];
            times.iter().any(|word| line.starts_with(word))
        };
        let printed = good(&arguments);
        let mut printed = printed.lines().filter(|line| !is_time(line));
        let mut anything = false;
        for line in shown.lines().filter(|line| !is_time(line)) {
            if line == "…" {
                anything = true;
            } else if std::mem::take(&mut anything) {
                assert!(
                    printed.any(|other| other == line),
                    "{arguments:?} does not print {line:?}"
                );
            } else {
                assert_eq!(printed.next(), Some(line), "{arguments:?}");
            }
        }
        assert_eq!(
            printed.next(),
            None,
            "{arguments:?}: the README lacks the end"
        );
    }
}

/// `docs/colony.svg` is the picture of the README: `pleach sim colony --svg docs/colony.svg` draws it.
#[test]
fn the_picture_in_the_readme_is_drawn_by_this_program() {
    let root = run::root("");
    let shown = std::fs::read_to_string(root.join("docs/colony.svg")).unwrap();
    let drawn = good(&["colony", "--svg=-"]);
    assert!(
        drawn == shown,
        "docs/colony.svg is out of date: `pleach sim colony --svg docs/colony.svg` draws it anew"
    );
}
