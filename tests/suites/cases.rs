//! The cases of `tests/cases/`: by the reference, and by every kernel. And the harness itself, which must
//! refuse what is incomplete and find what is wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pleach_shape::{Op, Role};
use pleach_tests::cases::{Case, Setting, check, check_setting, read_cases, read_folder, refused};
use pleach_vm::Kernel;
use rayon::prelude::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

fn all() -> Vec<Arc<Case>> {
    read_folder(&folder()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_case_comes_out_as_written() {
    let wrong = Mutex::new(Vec::new());
    all().par_iter().for_each(|case| {
        let mismatches = check(case);
        let shown = mismatches.iter().take(3).map(ToString::to_string);
        wrong.lock().expect("no panics here").extend(shown);
    });
    let mut wrong = wrong.into_inner().expect("no panics here");
    wrong.sort();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_refused_tree_is_refused_in_these_words() {
    let path = folder().join(refused::FILE);
    let text = std::fs::read_to_string(&path).expect("it is there");
    let (count, wrong) =
        refused::check_refused(&path, &text).unwrap_or_else(|error| panic!("{error}"));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(count >= 50, "{count}");
}

/// Rules that cases cite are there, and what the semantics name as `name` cases are files that cite the
/// rule of that row.
#[test]
fn rules_and_cases_know_each_other() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/semantics.md");
    let semantics = std::fs::read_to_string(path).expect("it is there");
    let mut rows = BTreeMap::new();
    for line in semantics.lines() {
        let Some((rule, row)) = line.strip_prefix("| ").and_then(|row| row.split_once(" |")) else {
            continue;
        };
        if rule.len() == 2 && rule.ends_with(|last: char| last.is_ascii_digit()) {
            rows.insert(rule, row);
        }
    }
    let mut shown: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let cases = all();
    for case in &cases {
        for rule in &case.rules {
            let known = rows.contains_key(rule.as_str());
            assert!(known, "{}: case \"{}\": {rule}", case.file, case.name);
            shown.entry(&case.file).or_default().insert(rule);
        }
    }
    let mut cited = 0;
    for (rule, row) in rows {
        let held_by = row.rsplit('|').nth(1).unwrap_or_default();
        for part in held_by.split(';').filter(|part| part.contains(" cases")) {
            let names = part.split('`').skip(1).step_by(2);
            for name in names.filter(|name| !name.contains("::")) {
                let rules = shown.get(format!("{name}.toml").as_str());
                let holds = rules.is_some_and(|rules| rules.contains(rule));
                assert!(holds, "{rule} is to be held by the cases of {name}.toml");
                cited += 1;
            }
        }
    }
    assert!(cited > 10, "{cited}");
}

#[test]
fn every_kind_of_node_has_cases() {
    let cases = all();
    assert!(cases.len() >= 300, "{}", cases.len());
    let nodes = Op::ALL.iter().filter(|op| op.role() != Role::Guard);
    for &op in nodes {
        let with = |case: &&Arc<Case>| case.tree.nodes().any(|node| node.kind.op() == Some(op));
        let count = cases.iter().filter(with).count();
        assert!(count >= 5, "{op} is in {count} cases");
    }
}

// The harness.

const GOOD: &str = r#"
[[case]]
name     = "c"
rules    = ["D2"]
columns  = "x: i32"
tree     = 'sequence(task a, query q, action b, persistent p, set x = "x + 1")'
before.x = "-         5"
task.a   = "S         -"
query.q  = "S         -"
result.b = "-         S"
persistent.p = "-     S"
root     = "R         S"
walk     = "+a,+q,+b  .b,+p"
requests = "+b        -"
after.x  = "0         6"
"#;

fn read(text: &str) -> Result<Vec<Case>, String> {
    read_cases(Path::new("some/where/file.toml"), text)
}

fn one(text: &str) -> Arc<Case> {
    let mut cases = read(text).unwrap_or_else(|error| panic!("{error}"));
    Arc::new(cases.remove(0))
}

const LAST_OF_THREE: Setting = Setting {
    kernel: Some(Kernel::Lanes),
    actors: 3,
    place: 2,
    threads: 1,
    traces: false,
    counts: false,
};

#[test]
fn a_wrong_expectation_is_found_and_told() {
    assert_eq!(check(&one(GOOD)), []);
    // What is changed; what the reference's mismatch says; what a kernel's says, where it can tell.
    let wrong = [
        (
            ("root     = \"R         S\"", "root     = \"R         F\""),
            "tick 1, reference: root: expected F, found S",
            Some("tick 1, lanes, actor 3 of 3: root: expected F, found S"),
        ),
        (
            ("+a,+q,+b  .b,+p", "+a,+q,+b  +b,+p"),
            "tick 1, reference: walk: expected +b,+p, found .b,+p",
            None,
        ),
        (
            ("+a,+q,+b  .b,+p", "+q,+a,+b  .b,+p"),
            "tick 0, reference: walk: expected +q,+a,+b, found +a,+q,+b",
            Some(
                "tick 0, lanes, actor 3 of 3: walk (tasks and queries): expected +q,+a, found +a,+q",
            ),
        ),
        (
            ("+a,+q,+b  .b,+p", "+a,+q,+b  .b,+p,-a"),
            "tick 1, reference: walk: expected .b,+p,-a, found .b,+p",
            Some("tick 1, lanes, actor 3 of 3: walk (tasks and queries): expected -a, found -"),
        ),
        (
            ("\"+b        -\"", "\"+b        -b\""),
            "tick 1, reference: requests: expected -b, found -",
            Some("tick 1, lanes, actor 3 of 3: requests: expected -b, found -"),
        ),
        (
            ("0         6", "0         7"),
            "tick 1, reference: after.x: expected I32(7), found I32(6)",
            Some("tick 1, lanes, actor 3 of 3: after.x: expected I32(7), found I32(6)"),
        ),
        (
            ("task.a   = \"S         -\"", "task.a   = \"-         S\""),
            "tick 0, reference: `a` is visited, but its row says nothing",
            Some("tick 0, lanes, actor 3 of 3: `a` is visited, but its row says nothing"),
        ),
        (
            ("result.b = \"-         S\"", "result.b = \"F         S\""),
            "tick 0, reference: `b` does not wait for the result that comes in",
            Some("tick 0, lanes, actor 3 of 3: handing in Finished(Failure) gave Err("),
        ),
        (
            (
                "result.b = \"-         S\"",
                "result.b = \"-         late\"",
            ),
            "tick 1, reference: `b` waits for the result that comes in",
            Some("tick 1, lanes, actor 3 of 3: handing in Late gave Ok(())"),
        ),
    ];
    for ((from, to), reference, kernel) in wrong {
        assert!(GOOD.contains(from), "{from}");
        let case = one(&GOOD.replace(from, to));
        let found = check(&case);
        assert_eq!(found.len(), 1, "{to}");
        let place = "file.toml: case \"c\": ";
        assert_eq!(found[0].to_string(), format!("{place}{reference}"));
        let found = check_setting(&case, LAST_OF_THREE);
        match kernel {
            Some(kernel) => {
                let found = found.unwrap_or_else(|| panic!("{to}")).to_string();
                assert!(found.starts_with(&format!("{place}{kernel}")), "{found}");
            }
            None => assert_eq!(found, None),
        }
    }
}

#[test]
fn every_setting_names_itself() {
    let setting = Setting {
        kernel: None,
        actors: 513,
        place: 256,
        threads: 3,
        traces: true,
        counts: true,
    };
    assert_eq!(
        setting.to_string(),
        "kernels in turn, actor 257 of 513, 3 threads, traced, census"
    );
}

#[test]
fn an_incomplete_case_is_refused() {
    let change = |from: &str, to: &str| {
        assert!(GOOD.contains(from), "{from}");
        read(&GOOD.replace(from, to)).expect_err(to)
    };
    let row = |from: &str| change(from, "");
    let refusals = [
        (change("rules    =", "rulez    ="), "unknown field `rulez`"),
        (change("before.x", "befor.x"), "unknown field `befor`"),
        (row("rules    = [\"D2\"]"), "missing field `rules`"),
        (change("[\"D2\"]", "[]"), "it shows no rule"),
        (row("root     = \"R         S\""), "missing field `root`"),
        (
            row("walk     = \"+a,+q,+b  .b,+p\""),
            "missing field `walk`",
        ),
        (
            row("requests = \"+b        -\""),
            "the tree has actions, but there is no row `requests`",
        ),
        (
            row("after.x  = \"0         6\""),
            "the tree sets `x`, but there is no row `after.x`",
        ),
        (row("task.a   = \"S         -\""), "`a` has no row `task.a`"),
        (
            row("query.q  = \"S         -\""),
            "`q` has no row `query.q`",
        ),
        (
            row("result.b = \"-         S\""),
            "`b` has no row `result.b`",
        ),
        (
            row("persistent.p = \"-     S\""),
            "`p` has no row `persistent.p`",
        ),
        (
            change("task.a   = \"S         -\"", "task.a = \"S\""),
            "row `task.a` has 1 cells, but there are 2 ticks",
        ),
        (
            change(".b,+p\"", ".b,+p  -\""),
            "row `walk` has 3 cells, but there are 2 ticks",
        ),
        (
            change("task.a   = \"S         -\"", "task.a = \"S  X\""),
            "row `task.a` has a cell `X`, which says nothing there",
        ),
        (
            change("query.q  = \"S         -\"", "query.q = \"R  -\""),
            "row `query.q` has a cell `R`",
        ),
        (
            change("task.a   =", "task.z = \"S S\"\ntask.a   ="),
            "row `task.z` is about a leaf that the tree does not have",
        ),
        (
            change("before.x", "before.y"),
            "row `before.y` is about nothing that is declared",
        ),
        (change("\"-         5\"", "\"-  true\""), "a cell `true`"),
        (
            change("0         6", "0         -"),
            "row `after.x` leaves ticks out",
        ),
        (
            change(".b,+p", ".b,+nobody"),
            "`+nobody` is about `nobody`, which the tree does not have",
        ),
        (change(".b,+p", "b,+p"), "`b` begins with none of"),
        (
            change("\"+b        -\"", "\"+a  -\""),
            "a node that is no action",
        ),
        (
            change("task a", "task q"),
            "two nodes are called `q`: name one of them",
        ),
        (change("sequence(", "sequnce("), "expected a kind of node"),
        (change("x: i32", "y: i32"), "does not compile"),
        (
            change("root     =", "life = \"- die\"\nroot     ="),
            "`die` is none of",
        ),
        (
            change("root     =", "dt = \"1 1\"\nroot     ="),
            "expected a time",
        ),
        (
            change("root     = \"R         S\"", "root = \"R S*\""),
            "a cell for each",
        ),
        (
            change("root     =", "shuffled = \"q p\"\nroot     ="),
            "`shuffled` names `p`, which is no task",
        ),
    ];
    for (refusal, expected) in refusals {
        assert!(refusal.starts_with("file.toml: "), "{refusal}");
        assert!(refusal.contains(expected), "{refusal}\n{expected}");
    }
    let twice = read(&format!("{GOOD}{GOOD}")).expect_err("twice");
    assert_eq!(
        twice,
        "file.toml: case \"c\": there is another one of that name"
    );
    assert!(read("").is_err() && read("[[case]]").is_err() && read("[[kase]]").is_err());
}

#[test]
fn a_star_repeats_a_cell_to_the_end() {
    let long = "[[case]]\nname = \"c\"\nrules = [\"D2\"]\ntree = 'task a'\nroot = \"R R R R\"\n\
                walk = \"+a .a*\"\ntask.a = \"R*\"";
    assert_eq!(check(&one(long)), []);
    let wrong = read(&long.replace("+a .a*", "+a .a . . . .a*")).expect_err("too long");
    assert!(
        wrong.contains("row `walk` has 6 cells, but there are 4 ticks"),
        "{wrong}"
    );
}

#[test]
fn a_refused_tree_that_compiles_or_is_told_otherwise_is_found() {
    let check = |text: &str| refused::check_refused(Path::new("refused.toml"), text);
    let good = "[[refused]]\nname = \"r\"\ntree = 'invert()'\n\
                problems = [{ at = \"t\", says = \"an invert needs exactly one child, found 0\" }]\n";
    assert_eq!(check(good), Ok((1, Vec::new())));
    for (from, to, told) in [
        (
            "invert()",
            "invert(idle)",
            "refused.toml: case \"r\": it compiles",
        ),
        ("found 0", "found 1", "refused.toml: case \"r\": expected"),
        (
            "at = \"t\"",
            "at = \"u\"",
            "refused.toml: case \"r\": expected",
        ),
        (
            "0\" }",
            "0\", help = \"h\" }",
            "refused.toml: case \"r\": expected",
        ),
        (
            "problems = [{",
            "problems = [{ at = \"t\", says = \"s\" }, {",
            "expected",
        ),
    ] {
        let (_, wrong) = check(&good.replace(from, to)).expect("it is read");
        assert!(wrong.len() == 1 && wrong[0].contains(told), "{wrong:?}");
    }
    for (from, to) in [("says", "sais"), ("invert()", "invrt()"), ("name", "nam")] {
        assert!(check(&good.replace(from, to)).is_err(), "{to}");
    }
}
