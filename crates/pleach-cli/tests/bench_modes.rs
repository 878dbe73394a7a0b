//! `pleach bench-modes`, run as people run it.

mod run;

use std::path::Path;
use std::process::Output;

use pleach_vm::Kernel;
use run::folder;
use serde_json::Value;

const SVG: &str = "http://www.w3.org/2000/svg";

/// Little work: the fewest rounds of a small tree.
const SMALL: [&str; 6] = [
    "trees/guard.kdl",
    "--actors=1,64",
    "--data=fresh,resumed",
    "--threads=1",
    "--seconds=1",
    "--seed=3",
];

fn modes<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["bench-modes"], arguments].concat()
}

fn pleach(arguments: &[&str]) -> Output {
    run::pleach(&modes(arguments))
}

/// What a small run prints, together with these arguments. It succeeds without a word on the error
/// output.
#[track_caller]
fn good(arguments: &[&str]) -> String {
    run::good(&modes(&[&SMALL, arguments].concat()))
}

#[track_caller]
fn bad(code: i32, arguments: &[&str]) -> String {
    run::refused(code, &modes(arguments))
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[track_caller]
fn is_plot_of_guard(svg: &str) {
    let document = roxmltree::Document::parse(svg).unwrap();
    assert!(document.root_element().has_tag_name((SVG, "svg")));
    let texts: Vec<&str> = document
        .descendants()
        .filter_map(|node| node.text())
        .collect();
    for wanted in ["guard", "fresh", "resumed"]
        .into_iter()
        .chain(Kernel::ALL.map(Kernel::name))
    {
        assert!(texts.contains(&wanted), "{wanted}");
    }
}

#[test]
fn one_document_for_programs() {
    let text = good(&["--json", "--quiet"]);
    assert_eq!(text.lines().count(), 1);
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["format"], 1);
    assert_eq!(found["pleach"], env!("CARGO_PKG_VERSION"));
    assert!(found["machine"]["cores"].as_u64().unwrap() >= 1);
    assert!(found["machine"]["built_for"].is_string());
    let options = &found["options"];
    assert_eq!(options["trees"], serde_json::json!(["guard"]));
    assert_eq!(options["actors"], serde_json::json!([1, 64]));
    assert_eq!(
        (&options["seed"], &options["seconds"], &options["max_bytes"]),
        (&3.into(), &1.0.into(), &(4u64 << 30).into())
    );
    let names = Kernel::ALL.map(Kernel::name);
    assert_eq!(options["kernels"], serde_json::json!(names));

    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4 * names.len());
    let cases = [("fresh", 1), ("fresh", 64), ("resumed", 1), ("resumed", 64)];
    for (case, (data, actors)) in rows.chunks(names.len()).zip(cases) {
        for (row, kernel) in case.iter().zip(names) {
            assert_eq!(
                [&row["tree"], &row["data"], &row["kernel"]],
                ["guard", data, kernel]
            );
            assert_eq!(
                (&row["actors"], &row["threads"]),
                (&actors.into(), &1.into())
            );
            let number = |field: &str| row[field].as_f64().unwrap();
            assert!(number("ns_per_actor_tick") > 0.0);
            assert!(number("rounds") >= 5.0);
            assert_eq!(number("nodes"), 17.0);
            assert!(row["column_bytes_per_actor"].is_u64());
            // The kernels keep state in forms of their own; lanes in the smallest.
            let state = |row: &Value| row["state_bytes_per_actor"].as_u64().unwrap();
            assert!(state(row) >= state(&case[names.len() - 1]));
            for field in ["ns_range", "ns_quartiles"] {
                assert_eq!(row[field].as_array().unwrap().len(), 2, "{field}");
            }
            let visited = &row["tokens_visited_per_actor_tick"];
            assert!(visited.is_null() || visited.as_f64().unwrap() > 0.0);
        }
    }
    // One for each kind of data, if there is a kernel that has them.
    let crossovers = found["crossovers"].as_array().unwrap();
    let expected = if names.contains(&"lanes") { 2 } else { 0 };
    assert_eq!(crossovers.len(), expected);
    for crossover in crossovers {
        let faster = crossover["faster"].as_str().unwrap();
        assert!(["always", "never", "from"].contains(&faster));
    }
    assert_eq!(found["skipped"], serde_json::json!([]));
}

#[test]
fn a_table_for_people() {
    let text = good(&[]);
    assert!(text.starts_with("guard  17 nodes, "), "{text}");
    for wanted in Kernel::ALL.map(Kernel::name) {
        assert!(text.contains(wanted), "{wanted}");
    }
    let lines_of = |data: &str| text.lines().filter(|line| line.starts_with(data)).count();
    // And a line of the legend.
    assert_eq!((lines_of("fresh "), lines_of("resumed ")), (2, 2), "{text}");
    assert!(text.contains('*') && text.contains("tokens visited"));
    assert!(!text.contains('\x1b'), "no colours in a pipe");
    if Kernel::ALL.len() <= 4 {
        assert!(
            text.lines().all(|line| line.chars().count() <= 100),
            "{text}"
        );
    }
}

#[test]
fn a_plot_beside_the_table_or_instead_of_it() {
    let folder = folder("plots");
    let path = folder.join("modes.svg");
    let text = good(&["--svg", path.to_str().unwrap()]);
    assert!(text.starts_with("guard  17 nodes, "));
    is_plot_of_guard(&std::fs::read_to_string(&path).unwrap());
    // What was there is replaced, and nothing is left beside it.
    std::fs::write(&path, "old").unwrap();
    let text = good(&["--json", "--svg", path.to_str().unwrap()]);
    assert!(serde_json::from_str::<Value>(&text).is_ok());
    is_plot_of_guard(&std::fs::read_to_string(&path).unwrap());
    assert_eq!(files(&folder), ["modes.svg"]);

    is_plot_of_guard(&good(&["--svg", "-"]));
    let errors = bad(2, &["--svg", "-", "--json"]);
    assert!(
        errors.contains("--svg") && errors.contains("Usage: pleach bench-modes"),
        "{errors}"
    );
}

#[test]
fn a_tree_can_have_any_name() {
    let folder = folder("names");
    let tree = folder.join("tree.kdl");
    std::fs::write(&tree, "tree \"<&\\\"\\u{1b}[2J]]>\" { idle }\n").unwrap();
    let arguments = [tree.to_str().unwrap(), "--actors=1", "--seconds=1"];
    let output = pleach(&[&arguments[..], &["--svg=-"]].concat());
    let svg = String::from_utf8(output.stdout).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let mut texts = document.descendants().filter_map(|node| node.text());
    assert!(texts.any(|text| text == "<&\"\u{fffd}[2J]]>"), "{svg}");
    let table = String::from_utf8(pleach(&arguments).stdout).unwrap();
    assert!(table.starts_with(r#"<&"\u{1b}[2J]]>  1 node, "#), "{table}");
}

#[test]
fn a_wrong_path_is_found_before_anything_is_measured() {
    let folder = folder("paths");
    let inside = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let file = inside("file");
    std::fs::write(&file, "kept").unwrap();
    // Measuring would take hours.
    let check = |path: &str, wanted: &str| {
        let errors = bad(1, &["--seconds=86400", "--svg", path]);
        let begin = format!("error: `{path}`: ");
        assert!(
            errors.starts_with(&begin) && errors.contains(wanted),
            "{errors}"
        );
    };
    check(folder.to_str().unwrap(), "this is a folder");
    check(&inside("none/modes.svg"), "there is no such folder");
    check(&inside("none/"), "there is no such folder");
    check(&inside("file/modes.svg"), "");
    #[cfg(unix)]
    {
        check("/dev/null", "this is no file");
        let read_only = inside("read-only");
        std::fs::write(&read_only, "kept").unwrap();
        let mut permissions = std::fs::metadata(&read_only).unwrap().permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(&read_only, permissions).unwrap();
        check(&read_only, "read-only");
        std::fs::remove_file(&read_only).unwrap();
    }
    assert!(bad(2, &["--svg", ""]).contains("--svg"));
    assert!(bad(2, &["--svg"]).contains("--svg"));
    assert_eq!(files(&folder), ["file"]);
}

#[test]
fn a_run_that_fails_leaves_the_old_plot() {
    let folder = folder("failures");
    let path = folder.join("modes.svg");
    std::fs::write(&path, "old").unwrap();
    let svg = path.to_str().unwrap();
    assert!(bad(1, &["no.kdl", "--svg", svg]).contains("no.kdl"));
    assert!(bad(2, &["--data", "fast", "--svg", svg]).contains("divergent"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(files(&folder), ["modes.svg"]);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("links");
    let (file, link) = (folder.join("file.svg"), folder.join("link.svg"));
    std::fs::write(&file, "old").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("file.svg", &link).unwrap();
    good(&["--svg", link.to_str().unwrap()]);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    is_plot_of_guard(&std::fs::read_to_string(&file).unwrap());
    let mode = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn populations_beyond_the_memory_are_skipped() {
    let folder = folder("memory");
    let tree = folder.join("large.kdl");
    // 800 bytes an actor.
    let columns: String = (0..100).map(|index| format!("c{index} u64\n")).collect();
    let text = format!("tree \"large\" {{\n blackboard {{\n{columns} }}\n idle\n}}\n");
    std::fs::write(&tree, text).unwrap();
    let output = pleach(&[
        tree.to_str().unwrap(),
        "--actors=1,10000000",
        "--data=fresh",
        "--seconds=1",
    ]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), errors.as_str()), (Some(0), ""));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("skipped: large with 10,000,000 actors"),
        "{text}"
    );
}
