//! `pleach check` of folders, for programs, with warnings, and what it explains.

mod run;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use pleach_text::explain::{CHAPTERS, Example, pages};
use pleach_text::{Code, FilePlace, LoadError, Severity, inspect_with, unused_trees};
use run::{bad, command, folder, good, pleach, root};
use serde_json::Value;

/// Writes files into a new folder; gives its path.
fn project(name: &str, files: &[(&str, &str)]) -> String {
    let path = folder(name);
    for (file, text) in files {
        let file = path.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    path.to_str().unwrap().to_owned()
}

/// What `check --json` prints of a project, by file name, and its exit code.
fn json(path: &str, more: &[&str]) -> (BTreeMap<String, Value>, Option<i32>) {
    let arguments = [&["check", "--json", path], more].concat();
    let output = pleach(&arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors, "", "JSON says all");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let file = Path::new(line["file"].as_str().unwrap());
        let file = file.strip_prefix(path).unwrap_or(file);
        (file.to_str().unwrap().to_owned(), line)
    });
    (lines.collect(), output.status.code())
}

fn codes(line: &Value) -> Vec<&str> {
    let list = line["diagnostics"].as_array().unwrap();
    list.iter()
        .map(|one| one["code"].as_str().unwrap())
        .collect()
}

/// The codes of what is as bad as this one, or worse.
fn codes_like<'l>(line: &'l Value, code: &str) -> Vec<&'l str> {
    let rank = |severity: &str| {
        let names = Severity::ALL.map(Severity::name);
        names.iter().position(|name| *name == severity).unwrap()
    };
    let worst = Code::from_name(code).unwrap().severity();
    let list = line["diagnostics"].as_array().unwrap().iter();
    list.filter(|one| rank(one["severity"].as_str().unwrap()) <= rank(worst.name()))
        .map(|one| one["code"].as_str().unwrap())
        .collect()
}

const GUARD: &str =
    "include \"common/patrol.kdl\"\ntree \"guard\" { subtree \"patrol\" pause=1.0; }\n";
const PATROL: &str = "tree \"patrol\" { params { pause f32; }; wait (param)\"pause\"; }\n";
const JSON: &str = r#"{"pleach": 1, "trees": [{"name": "made", "root": {"node": "idle"}}]}"#;
const WARNED: &str = "tree \"a\" { selector { succeed; action \"b\"; }; }\n";

#[test]
fn a_folder_is_checked_with_all_that_is_below() {
    let path = project(
        "check-folder",
        &[
            ("guard.kdl", GUARD),
            ("common/patrol.kdl", PATROL),
            (
                "walk.kdl",
                "scenario \"walk\"\nactors 10\ntree \"w\" { wait 1; }\n",
            ),
            ("zoo/wrong.kdl", "tree \"w\" { seqence { idle; }; }\n"),
            ("zoo/warned.KDL", WARNED),
            ("zoo/notes.txt", "tree"),
            ("zoo/package.json", "{}"),
            ("zoo/made.json", JSON),
            (".hidden/wrong.kdl", "tree"),
            (".wrong.kdl", "tree"),
            ("target/debug/wrong.kdl", "tree"),
        ],
    );
    let output = pleach(&["check", &path]);
    let [printed, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        printed,
        "6 files, 5 trees, 7 nodes: 1 error in 1 file, 1 warning\n"
    );
    assert!(!printed.contains('\u{1b}') && !errors.contains('\u{1b}'));
    let heads: Vec<&str> = errors
        .lines()
        .filter(|line| line.starts_with("error") || line.starts_with("warning"))
        .collect();
    assert_eq!(
        heads,
        [
            "warning[P1001]: `action` `b` is never reached",
            "error[P0101]: unknown node `seqence`",
        ],
        "{errors}"
    );
    let (lines, code) = json(&path, &[]);
    assert_eq!(code, Some(1));
    let files: Vec<&str> = lines.keys().map(String::as_str).collect();
    assert_eq!(
        files,
        [
            "common/patrol.kdl",
            "guard.kdl",
            "walk.kdl",
            "zoo/made.json",
            "zoo/warned.KDL",
            "zoo/wrong.kdl"
        ]
    );
    let guard = &lines["guard.kdl"];
    let expected = serde_json::json!({
        "file": guard["file"], "format": "kdl", "trees": 1, "nodes": 1, "loaded": true,
        "diagnostics": [],
    });
    assert_eq!(*guard, expected);
    assert_eq!(lines["zoo/made.json"]["format"], "json");
    let wrong = &lines["zoo/wrong.kdl"];
    assert_eq!(
        (wrong["loaded"].as_bool(), codes(wrong)),
        (Some(false), vec!["P0101"])
    );
    assert_eq!(wrong["diagnostics"][0]["places"][0]["column"], 12);
    assert_eq!(codes(&lines["zoo/warned.KDL"]), ["P1001"]);
}

#[test]
fn warnings_fail_if_asked_to() {
    let path = project("check-warned", &[("a.kdl", WARNED)]);
    let file = format!("{path}/a.kdl");
    let output = pleach(&["check", &file]);
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        printed.starts_with("ok: ") && printed.contains("3 nodes"),
        "{printed}"
    );
    for path in [&path, &file] {
        let errors = bad(1, &["check", "--deny-warnings", path]);
        assert!(errors.contains("warning[P1001]"), "{errors}");
        assert_eq!(json(path, &["--deny-warnings"]).1, Some(1));
        assert_eq!(json(path, &[]).1, Some(0));
    }
}

#[test]
fn unused_trees_and_names_are_told_of_folders() {
    let path = project(
        "check-unused",
        &[
            ("guard.kdl", GUARD),
            (
                "common/patrol.kdl",
                &format!(
                    "{PATROL}tree \"lost\" {{ params {{ n u8; }}; repeat (param)\"n\" {{ idle; }}; }}\n"
                ),
            ),
            ("run.kdl", "tree \"two.kdl\" name=\"second\"\n"),
            (
                "two.kdl",
                "tree \"first\" { idle; }\ntree \"second\" { idle; }\ntree \"third\" { blackboard { x u8; }; idle; }\n",
            ),
        ],
    );
    let (lines, code) = json(&path, &[]);
    assert_eq!(code, Some(0), "{lines:?}");
    assert_eq!(codes(&lines["common/patrol.kdl"]), ["P1006"]);
    assert!(codes(&lines["two.kdl"]).is_empty());
    let (lines, _) = json(&path, &["--strict"]);
    assert_eq!(codes(&lines["two.kdl"]), ["P1005", "P1006"]);
    let third = lines["two.kdl"]["diagnostics"][1]["message"]
        .as_str()
        .unwrap();
    assert_eq!(third, "no tree uses `third` as a subtree");
    // One file says nothing of who uses it.
    let file = format!("{path}/common/patrol.kdl");
    assert!(good(&["check", &file]).contains("tree \"lost\""));
}

#[test]
fn the_trees_and_scenarios_of_the_repository_are_clean() {
    for path in ["trees", "scenarios"] {
        let line = good(&["check", path, "--deny-warnings"]);
        assert!(
            line.starts_with("ok: ") && line.lines().count() == 1,
            "{line}"
        );
    }
    assert_eq!(
        good(&["check", "trees"]),
        "ok: 6 files, 6 trees, 80 nodes\n"
    );
}

#[cfg(unix)]
#[test]
fn links_in_circles_and_to_nowhere_have_an_end() {
    use std::os::unix::fs::symlink;

    let path = project("check-links", &[("sub/a.kdl", "tree \"a\" { idle; }\n")]);
    let at = Path::new(&path);
    symlink(at, at.join("sub/round")).unwrap();
    symlink("again", at.join("again")).unwrap();
    symlink(at.join("sub"), at.join("twice")).unwrap();
    assert_eq!(good(&["check", &path]), "ok: 1 file, 1 tree, 1 node\n");
    symlink("nowhere.kdl", at.join("gone.kdl")).unwrap();
    let errors = bad(1, &["check", &path]);
    assert!(
        errors.contains("error[P0007]: there is no such file"),
        "{errors}"
    );
}

#[test]
fn folders_without_trees_and_names_that_disturb_are_no_trouble() {
    let path = project("check-none", &[("notes.txt", "")]);
    assert_eq!(good(&["check", &path]), "ok: 0 files, 0 trees, 0 nodes\n");
    let errors = bad(1, &["check", &format!("{path}/none")]);
    assert!(
        errors.contains("error[P0007]: there is no such file"),
        "{errors}"
    );
    let path = project(
        "check-escapes",
        &[("\u{1b}[31m.kdl", "tree \"\\u{1b}[2J\" { idel; }\n")],
    );
    let errors = bad(1, &["check", &path]);
    assert!(
        !errors.contains('\u{1b}') && errors.contains(r"\u{1b}[31m.kdl:1:"),
        "{errors}"
    );
    let output = command(&["check", "--json", &path]).output().unwrap();
    assert!(!output.stdout.contains(&0x1b));
}

#[test]
fn codes_are_explained() {
    let page = good(&["check", "--explain", "P0101"]);
    for part in [
        "P0101",
        "there is no such node",
        "\nwrong\n",
        "\nmended\n",
        "seqence",
    ] {
        assert!(page.contains(part), "{page}");
    }
    assert_eq!(good(&["check", "--explain", "p101"]), page);
    let list = good(&["check", "--explain", "codes"]);
    assert!(pages().all(|page| list.contains(page.title)), "{list}");
    let errors = bad(1, &["check", "--explain", "P4711"]);
    assert!(
        errors.contains("there is no code `P4711`") && errors.contains("P0101"),
        "{errors}"
    );
    assert!(bad(1, &["check", "--explain", "parallell"]).contains("did you mean `parallel`"));
    bad(2, &["check", "--explain", "P0101", "--strict"]);
}

/// Each example is wrong in just the way that its page says, also for the command.
#[test]
fn examples_are_what_their_pages_say() {
    let mut wrong: Vec<(String, &str)> = Vec::new();
    let mut mended: Vec<(String, &str)> = Vec::new();
    let mut expected = BTreeMap::new();
    for page in pages() {
        // It is about running a tree, which checking does not mind; and one is told if asked only.
        if matches!(page.code, Code::CannotRun | Code::UnusedName) {
            continue;
        }
        let Some([one, other]) = page.example.texts() else {
            continue;
        };
        let ending = match page.example {
            Example::Json { .. } => "json",
            Example::BehaviorTreeCpp { .. } => "xml",
            _ => "kdl",
        };
        let file = format!("{}.{ending}", page.code);
        wrong.push((file.clone(), one));
        mended.push((file.clone(), other));
        expected.insert(file, page.code.to_string());
    }
    let patrol = (
        "common/patrol.kdl".to_owned(),
        "tree \"patrol\" { idle; }\n",
    );
    wrong.push(patrol.clone());
    mended.push(patrol);
    let write = |name: &str, files: &[(String, &str)]| {
        let files: Vec<_> = files.iter().map(|(name, text)| (&**name, *text)).collect();
        project(name, &files)
    };
    let (lines, _) = json(&write("check-examples-wrong", &wrong), &[]);
    for (file, code) in expected {
        let found = codes_like(&lines[&file], &code);
        assert!(!found.is_empty(), "{file}");
        assert!(
            found.iter().all(|found| *found == code),
            "{file}: {found:?}"
        );
    }
    let line = good(&[
        "check",
        "--deny-warnings",
        &write("check-examples-mended", &mended),
    ]);
    assert!(line.starts_with("ok: "), "{line}");
}

/// `docs/diagnostics.md` is written from the pages: `PLEACH_GOLDEN=write` writes it anew.
#[test]
fn the_page_of_all_codes_is_up_to_date() {
    let path = root("docs/diagnostics.md");
    let text = document();
    if std::env::var_os("PLEACH_GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, &text).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == text,
        "docs/diagnostics.md differs from the pages; write it anew with \
         `PLEACH_GOLDEN=write cargo test -p pleach-cli --test check`"
    );
}

fn document() -> String {
    let mut text = String::from(
        "# Errors and warnings\n\n\
         Each kind of error and warning has a code, which the message begins with: `error[P0101]: …`. \
         `pleach check --explain P0101` shows what stands here. Numbers from 1000 on are warnings: the file \
         can be used, and most likely does not do what was meant. `check --deny-warnings` fails on them, \
         `check --strict` also tells what may well be right. From 2000 on they are notes, on what is good to know.\n\n\
         This page is made from the table in `crates/pleach-text/src/explain/`.\n",
    );
    for chapter in CHAPTERS {
        let _ = write!(text, "\n## {}\n\n| code | |\n|---|---|\n", chapter.name);
        for page in chapter.pages {
            let _ = writeln!(
                text,
                "| [{0}](#{1}) | {2} |",
                page.code,
                anchor(page.code),
                page.title
            );
        }
        for page in chapter.pages {
            let _ = write!(
                text,
                "\n### {}\n\n**{}.** {}\n",
                page.code,
                capital(page.title),
                page.about
            );
            let (language, [wrong, mended]) = match page.example {
                Example::None => continue,
                Example::Trees { wrong, mended } | Example::Scenario { wrong, mended } => {
                    ("kdl", [wrong, mended])
                }
                Example::Json { wrong, mended } => ("json", [wrong, mended]),
                Example::BehaviorTreeCpp { wrong, mended } => ("xml", [wrong, mended]),
            };
            let _ = write!(text, "\n```{language}\n{wrong}```\n");
            if let Some(told) = told(page.code, page.example) {
                let _ = write!(text, "\n```text\n{told}\n```\n");
            }
            let _ = write!(text, "\nMended:\n\n```{language}\n{mended}```\n");
        }
    }
    text
}

fn anchor(code: Code) -> String {
    code.to_string().to_lowercase()
}

fn capital(title: &str) -> String {
    let mut chars = title.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// What is told of an example.
fn told(code: Code, example: Example) -> Option<String> {
    let mut load = |path: &str| match path {
        "common/patrol.kdl" => Ok("tree \"patrol\" { idle; }".to_owned()),
        _ => Err(LoadError::new("there is no such file")),
    };
    let place = FilePlace::new("guard.kdl");
    let found = match example {
        Example::Trees { wrong, .. } if code == Code::CannotRun => {
            pleach_text::parse_with(&place, wrong, &mut load).unwrap_err()
        }
        Example::Trees { wrong, .. } => {
            let strict = code == Code::UnusedName;
            let mut inspection = inspect_with(&place, wrong, &mut load, strict);
            inspection
                .found
                .append(unused_trees(&[inspection.outline], false));
            inspection.found
        }
        Example::Json { wrong, .. } => {
            let place = FilePlace::new("guard.json");
            inspect_with(&place, wrong, &mut load, false).found
        }
        Example::Scenario { wrong, .. } => {
            pleach_sim::Scenario::parse("guards.kdl", wrong).unwrap_err()
        }
        Example::BehaviorTreeCpp { wrong, .. } => {
            let place = FilePlace::new("guard.xml");
            inspect_with(&place, wrong, &mut load, false).found
        }
        Example::None => return None,
    };
    Some(found.to_string())
}

/// What a compound node becomes is deeper than the tree.
#[test]
fn levels_are_those_of_the_tree() {
    let tree = "tree \"a\" { keep-sequence { keep-sequence { skip-if \"x\" { idle } }; idle }; blackboard { x bool } }\n";
    let path = project("check-levels", &[("a.kdl", tree)]);
    let told = good(&["check", &format!("{path}/a.kdl")]);
    assert!(told.contains("5 nodes, 4 deep,"), "{told}");
}
