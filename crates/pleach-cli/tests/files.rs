//! `pleach fmt` and `pleach convert`.

mod run;

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use run::{bad, command, folder, good, refused, root};

fn write(path: &Path, text: &str) -> String {
    std::fs::write(path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Runs the command with something on its standard input; gives its code, output and errors.
fn piped(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut command = command(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), out, err)
}

const UNTIDY: &str = "tree guard {\nsequence {\n  idle   // waits\n}\n}\n";
const TIDY: &str = "tree guard {\n    sequence {\n        idle   // waits\n    }\n}\n";

#[test]
fn fmt_lays_out_files_and_folders_in_place() {
    let folder = folder("fmt");
    std::fs::create_dir(folder.join("in")).unwrap();
    let one = write(&folder.join("in/one.kdl"), UNTIDY);
    let two = write(&folder.join("two.kdl"), TIDY);
    let other = write(&folder.join("notes.txt"), UNTIDY);
    let named = folder.to_str().unwrap();

    let said = bad(1, &["fmt", "--check", named]);
    assert_eq!(said, "");
    assert_eq!(std::fs::read_to_string(&one).unwrap(), UNTIDY);

    assert_eq!(good(&["fmt", named]), format!("laid out: {one}\n"));
    assert_eq!(std::fs::read_to_string(&one).unwrap(), TIDY);
    assert_eq!(std::fs::read_to_string(&two).unwrap(), TIDY);
    assert_eq!(std::fs::read_to_string(&other).unwrap(), UNTIDY);
    assert_eq!(good(&["fmt", "--check", named]), "");
}

/// It would never come to the end of a pipe or of a device.
#[cfg(unix)]
#[test]
fn fmt_leaves_out_what_is_no_file() {
    let folder = folder("fmt-devices");
    write(&folder.join("two.kdl"), TIDY);
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero.kdl")).unwrap();
    assert_eq!(good(&["fmt", folder.to_str().unwrap()]), "");
}

#[test]
fn fmt_shows_what_would_change() {
    let (code, out, errors) = piped(&["fmt", "--check", "-"], UNTIDY);
    assert_eq!((code, errors.as_str()), (Some(1), ""));
    assert_eq!(
        out,
        "standard input\n  line 2\n  - sequence {\n  -   idle   // waits\n  +     sequence {\n  +         idle   // waits\n  +     }\n  line 5\n  - }\n"
    );
    let (code, out, _) = piped(&["fmt", "-"], UNTIDY);
    assert_eq!((code, out.as_str()), (Some(0), TIDY));
}

#[test]
fn fmt_leaves_a_file_alone_that_does_not_parse_and_goes_on() {
    let folder = folder("fmt-wrong");
    let wrong = write(&folder.join("a.kdl"), "tree a {\n");
    let untidy = write(&folder.join("b.kdl"), UNTIDY);
    let errors = bad(1, &["fmt", folder.to_str().unwrap()]);
    assert!(errors.contains("this `{` is never closed"), "{errors}");
    assert_eq!(std::fs::read_to_string(&wrong).unwrap(), "tree a {\n");
    assert_eq!(std::fs::read_to_string(&untidy).unwrap(), TIDY);
    let errors = refused(1, &["fmt", "no/such.kdl"]);
    assert!(errors.contains("`no/such.kdl`: cannot be read"), "{errors}");
}

#[test]
fn the_trees_and_scenarios_of_the_repository_are_laid_out() {
    good(&["fmt", "--check", "trees", "scenarios"]);
}

#[test]
fn convert_goes_there_and_back_and_the_result_runs() {
    let folder = folder("convert");
    std::fs::create_dir(folder.join("common")).unwrap();
    std::fs::copy(
        root("trees/common/patrol.kdl"),
        folder.join("common/patrol.kdl"),
    )
    .unwrap();
    for tree in ["watch", "guard"] {
        let json = folder.join(format!("{tree}.json"));
        let json = json.to_str().unwrap();
        let back = folder.join(format!("{tree}.kdl"));
        let back = back.to_str().unwrap();
        let from = format!("trees/{tree}.kdl");
        assert_eq!(good(&["convert", &from, json]), "");
        assert_eq!(good(&["convert", json, back]), "");
        // What is the same for both: the trees, but not the names of their files.
        let facts = |path: &str| good(&["check", path]).replace(path, "");
        assert_eq!(facts(json), facts(&from));
        assert_eq!(facts(back), facts(&from));
        // Written a second time, it is the same.
        assert_eq!(
            good(&["convert", back, "--to", "json"]),
            std::fs::read_to_string(json).unwrap()
        );
        good(&["dump", json]);
    }
}

#[test]
fn check_shows_what_values_are() {
    let folder = folder("docs");
    let text = "tree \"a\" {\n    blackboard { health f32 1.0 doc=\"what is \\u{1b}left\" }\n    condition \"health > 0\"\n}\n";
    let path = write(&folder.join("a.kdl"), text);
    let said = good(&["check", &path]);
    assert!(
        said.ends_with("\n      health: what is \\u{1b}left\n"),
        "{said}"
    );
    // In JSON, too, and through it.
    let json = folder.join("a.json");
    good(&["convert", &path, json.to_str().unwrap()]);
    let said = good(&["check", json.to_str().unwrap()]);
    assert!(
        said.ends_with("\n      health: what is \\u{1b}left\n"),
        "{said}"
    );
}

#[test]
fn convert_reads_and_writes_pipes() {
    let (code, json, errors) = piped(&["convert", "--from", "kdl", "--to", "JSON", "-"], UNTIDY);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    let (code, kdl, _) = piped(&["convert", "--from=json", "-", "-", "--to=kdl"], &json);
    assert_eq!(code, Some(0));
    assert_eq!(
        kdl,
        "tree \"guard\" {\n    sequence {\n        idle\n    }\n}\n"
    );
}

#[test]
fn convert_says_what_is_missing_or_wrong() {
    let errors = refused(1, &["convert", "trees/guard.kdl"]);
    assert!(
        errors.contains("nothing says in which format is written"),
        "{errors}"
    );
    assert!(
        errors.contains("or say it with `--to`: kdl, json"),
        "{errors}"
    );
    let errors = refused(2, &["convert", "trees/guard.kdl", "--to", "yaml"]);
    assert!(errors.contains("the formats are kdl, json"), "{errors}");
    let folder = folder("convert-wrong");
    let wrong = write(&folder.join("a.kdl"), "tree \"a\" { seqence { idle } }");
    let to = folder.join("a.json");
    let errors = refused(1, &["convert", &wrong, to.to_str().unwrap()]);
    assert!(errors.contains("did you mean `sequence`?"), "{errors}");
    assert!(!to.exists());
}

#[test]
fn convert_makes_one_file_of_a_project_and_tells_what_differs() {
    let folder = folder("convert-project");
    std::fs::create_dir(folder.join("lib")).unwrap();
    let text = "<root BTCPP_format=\"4\"><include path=\"lib/steps.xml\"/><BehaviorTree ID=\"Main\"><Twice>\
                <SubTree ID=\"Step\" n=\"{total}\"/></Twice></BehaviorTree></root>";
    let main = write(&folder.join("main.xml"), text);
    let text = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Step\"><ReactiveSequence><Script code=\"n := 1\"/>\
                <CutPath/><Follow n=\"{n}\"/></ReactiveSequence></BehaviorTree></root>";
    write(&folder.join("lib/steps.xml"), text);
    let nodes = "parent \"Twice\" like=\"Inverter\"\nleaf \"CutPath\" is=\"task\"\n";
    let nodes = write(&folder.join("nodes.kdl"), nodes);
    let kdl = folder.join("all.kdl");
    let kdl = kdl.to_str().unwrap();
    let told = bad(0, &["convert", &main, kdl, "--parents", &nodes]);
    assert!(told.contains("note[P2001]: actions are deferred"), "{told}");
    assert!(good(&["check", kdl]).contains("tree \"Step\""));
    assert_eq!(
        good(&[
            "convert",
            "--quiet",
            &main,
            "-",
            "--to",
            "kdl",
            "--parents",
            &nodes
        ]),
        std::fs::read_to_string(kdl).unwrap()
    );
    let told = bad(0, &["convert", kdl, folder.join("b.xml").to_str().unwrap()]);
    assert!(
        told.contains("with their names as `_tag`: `Twice`"),
        "{told}"
    );
    // The same declarations let it run.
    let run = ["--actors=10", "--ticks=20", "--quiet", "--json"];
    let xml = [&["sim", &main, "--parents", &nodes][..], &run].concat();
    let figures = |text: String| {
        let figures: serde_json::Value = serde_json::from_str(&text).unwrap();
        figures["hash"].clone()
    };
    let hash = figures(good(&xml));
    assert!(hash.is_string(), "{hash}");
    assert_eq!(hash, figures(good(&[&["sim", kdl][..], &run].concat())));
    assert!(refused(1, &["sim", &main]).contains("nobody says what it does"));
    assert!(refused(2, &["sim", "colony", "--parents", &nodes]).contains("only for files"));
}

#[test]
fn a_file_that_is_named_for_its_trees_must_hold_some() {
    let folder = folder("with-nothing");
    let main =
        "<root BTCPP_format=\"4\"><BehaviorTree ID=\"Main\"><AlwaysSuccess/></BehaviorTree></root>";
    let main = write(&folder.join("main.xml"), main);
    let gone = folder.join("gone.xml");
    let errors = refused(1, &["check", &main, "--with", gone.to_str().unwrap()]);
    assert!(errors.contains("there is no such file"), "{errors}");
    for text in ["<root", "tree \"a\" { idle }", ""] {
        let other = write(&folder.join("other.xml"), text);
        let errors = refused(1, &["check", &main, "--with", &other]);
        assert!(
            errors.contains("there is no tree of BehaviorTree.CPP in it"),
            "{errors}"
        );
        // A folder may hold anything.
        good(&["check", &main, "--with", folder.to_str().unwrap()]);
    }
}

#[test]
fn check_reads_the_standard_input() {
    let (code, said, errors) = piped(&["check", "-"], UNTIDY);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(said.starts_with("ok: -: tree \"guard\""), "{said}");
    let xml = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><Sequense/></BehaviorTree></root>";
    let (code, said, _) = piped(&["check", "--json", "-"], xml);
    let line: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(code, Some(0));
    assert_eq!(
        (&line["file"], &line["format"]),
        (&"-".into(), &"xml".into())
    );
    let mut told = line["diagnostics"].as_array().unwrap().iter();
    assert!(told.any(|one| one["code"] == "P1008"), "{said}");
    let scenario = "actors 10\nticks 10\ntree \"trees/guard.kdl\"\n";
    let (code, said, errors) = piped(&["check", "-"], scenario);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(said.starts_with("ok: -: scenario of 10 actors"), "{said}");
    let (code, _, errors) = piped(&["check", "-"], "tree a { seqence { idle } }");
    assert_eq!(code, Some(1));
    assert!(errors.contains(" --> -:1:10"), "{errors}");
}

#[test]
fn dump_says_what_of_the_requirements_is_not_written_in_the_tree() {
    let folder = folder("dump-parts");
    let text = "tree a {\n    blackboard { n i32; }\n    keep-sequence {\n        on-halted n 1 { action b; }\n        action c\n    }\n}\n";
    let path = write(&folder.join("a.kdl"), text);
    let dumped = good(&["dump", &path]);
    let last = dumped.lines().last().unwrap();
    assert!(last.starts_with("of these          "), "{dumped}");
    assert!(
        last.ends_with(" and 1 task are parts of compound nodes"),
        "{last}"
    );
    assert!(!good(&["dump", "trees/guard.kdl"]).contains("of these"));
}
