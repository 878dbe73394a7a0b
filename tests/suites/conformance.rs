//! The recorded cases, on every interpreter; and what is said of files that are none.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use pleach_tests::conformance::json::read_case;
use pleach_tests::conformance::{
    Case, Interpreter, Outcome, Reading, ReferenceInterpreter, Row, Tally, check_file,
    interpreters, shown,
};
use pleach_tests::generate::draw;

fn recorded(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("conformance")
        .join(name)
}

/// Checks that a file gives these figures on every interpreter: a case that silently stops being
/// run is a failure too.
fn conforms(name: &str, expected: &Tally) {
    let rows = check_file(&recorded(name), &mut interpreters(), 3)
        .expect("recorded files are well formed");
    assert!(!rows.is_empty());
    for Row {
        interpreter,
        tally,
        differences,
    } in rows
    {
        for difference in &differences {
            eprintln!("{difference}");
        }
        assert_eq!(&tally, expected, "{interpreter} on {name}");
    }
}

#[test]
fn consensus() {
    let expected = Tally {
        same: 7_116,
        ..Tally::default()
    };
    conforms("consensus.jsonl.gz", &expected);
}

#[test]
fn peers_differ() {
    let expected = Tally {
        same: 4_024,
        no_expectation: 804,
        ..Tally::default()
    };
    conforms("peers_differ.jsonl.gz", &expected);
}

#[test]
fn deferred() {
    let expected = Tally {
        same: 1_205,
        ..Tally::default()
    };
    conforms("deferred.jsonl.gz", &expected);
}

/// Tells a lie about the last tick of every case.
struct Liar;

impl Interpreter for Liar {
    fn name(&self) -> &str {
        "liar"
    }

    fn run(&mut self, case: &Case) -> Outcome {
        let mut outcome = ReferenceInterpreter.run(case);
        let last = outcome.ticks.last_mut().expect("a case has ticks");
        last.halts.insert("nobody".into());
        outcome
    }
}

#[test]
fn a_difference_is_found_counted_and_shown() {
    let mut liars: Vec<Box<dyn Interpreter>> = vec![Box::new(Liar)];
    let rows = check_file(&recorded("deferred.jsonl.gz"), &mut liars, 2).expect("it reads");
    assert_eq!((rows[0].tally.same, rows[0].tally.different), (0, 1_205));
    let [first, _] = &rows[0].differences[..] else {
        panic!("two were asked for");
    };
    assert_eq!(first.line, 1);
    assert!(
        first.first().starts_with("halts of tick 29: expected "),
        "{}",
        first.first()
    );
    let shown = first.to_string();
    assert!(
        shown.contains("tick 29 expected") && shown.contains("-nobody"),
        "{shown}"
    );
}

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("the folder for temporary files is there");
    path
}

const GOOD: &str = r#"{"id":"one","tree":{"node":"leaf","name":"a"},"ticks":1,"script":{"a":"S"},"root":"S","events":[["+a"]]}"#;

fn error_of(name: &str, bytes: &[u8]) -> (Option<u64>, String) {
    let error = check_file(&file(name, bytes), &mut interpreters(), 0).expect_err("a bad file");
    (error.line(), error.to_string())
}

#[test]
fn plain_and_packed_files_are_told_apart_by_their_bytes() {
    let text = format!("\n{GOOD}\n   \n{GOOD}");
    let plain = file("plain.gz", text.as_bytes());
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory takes it");
    let packed = file("packed.jsonl", &encoder.finish().expect("memory takes it"));
    for path in [plain, packed] {
        let rows = check_file(&path, &mut interpreters(), 0).expect("it reads");
        assert_eq!(rows[0].tally.same, 2);
    }
}

#[test]
fn errors_name_file_and_line() {
    let (line, message) = error_of("broken.jsonl", format!("{GOOD}\n\n{{\"id\":").as_bytes());
    assert_eq!(line, Some(3));
    assert!(message.contains("broken.jsonl:3: EOF"), "{message}");
    let (line, _) = error_of("not-utf8.jsonl", b"{\"id\":\"\xff\xfe\"}");
    assert_eq!(line, Some(1));
    let (line, message) = error_of("no-cases.jsonl", b"\n \n");
    assert_eq!((line, message.ends_with("holds no case")), (None, true));
    let (line, _) = error_of("cut.gz", &[0x1f, 0x8b, 8, 0, 0]);
    assert_eq!(line, Some(1));
    let missing = check_file(&recorded("missing.jsonl"), &mut interpreters(), 0);
    assert_eq!(missing.expect_err("no such file").line(), None);
}

fn message_of(line: &str) -> String {
    match read_case(line.as_bytes()) {
        Err(message) => message,
        Ok(reading) => panic!("{line} is read as {reading:?}"),
    }
}

#[test]
fn malformed_cases_are_errors() {
    let bad = [
        ("[]", "object"),
        ("{}", "neither"),
        ("17", "object"),
        (r#"{"expect":1e999}"#, "number out of range"),
        (r#"{"expect":3}"#, "an object or a list"),
    ];
    for (line, part) in bad {
        let message = message_of(line);
        assert!(message.contains(part), "{line}: {message}");
    }
    let changes = [
        (
            r#""ticks":1"#,
            r#""ticks":18446744073709551615"#,
            "allowed is 1 to",
        ),
        (
            r#""ticks":1"#,
            r#""ticks":99999999999999999999999"#,
            "expected u64",
        ),
        (r#""ticks":1"#, r#""ticks":0"#, "0 ticks"),
        (r#""ticks":1"#, r#""ticks":-1"#, "expected u64"),
        (r#""ticks":1"#, r#""ticks":2"#, "1 letters for 2 ticks"),
        (r#""a":"S""#, r#""b":"S""#, "no script"),
        (r#""a":"S""#, r#""a":"X""#, "none of the statuses"),
        (r#"["+a"]"#, r#"["a"]"#, "starts with none"),
        (r#"["+a"]"#, r#"["+a"],[]"#, "`events` has 2"),
        (r#""root":"S""#, r#""root":"SS""#, "`root` has 2"),
        (
            r#""root":"S""#,
            r#""root":"S","abort_after":[1]"#,
            "`abort_after` is 1",
        ),
        (
            r#""node":"leaf""#,
            r#""node":"deferred""#,
            "no deferred nodes",
        ),
        (
            r#""node":"leaf""#,
            r#""node":"tree""#,
            "unknown node `tree`",
        ),
        (
            r#""node":"leaf""#,
            r#""node":"parallel""#,
            "no `success_threshold`",
        ),
    ];
    for (from, to, part) in changes {
        assert!(GOOD.contains(from));
        let message = message_of(&GOOD.replacen(from, to, 1));
        assert!(message.contains(part), "{to}: {message}");
    }
}

#[test]
fn json_nested_too_deep_is_an_error() {
    let nested = |open: &str, close: &str| {
        let (open, close) = (open.repeat(100_000), close.repeat(100_000));
        GOOD.replacen(
            r#"{"node":"leaf","name":"a"}"#,
            &format!(r#"{open}{{"node":"leaf","name":"a"}}{close}"#),
            1,
        )
    };
    let tree = nested(r#"{"node":"sequence","children":["#, "]}");
    assert!(message_of(&tree).contains("recursion limit"));
    // Deep in what is passed over, where nobody recurses.
    let passed = nested(r#"{"node":"leaf","other":"#, "}");
    assert!(!message_of(&passed).is_empty());
    assert!(!message_of(&r#"{"expect":"#.repeat(100_000)).is_empty());
    assert!(message_of(&"[".repeat(100_000)).contains("JSON object"));
}

#[test]
fn a_wide_tree_below_many_levels_is_read_once() {
    // When each level copied all below it, this took gigabytes.
    let leaves: Vec<String> = (0..50_000)
        .map(|at| format!(r#"{{"node":"leaf","name":"{at}"}}"#))
        .collect();
    let tree = format!(
        "{}{}{}",
        r#"{"node":"sequence","children":["#.repeat(58),
        leaves.join(","),
        "]}".repeat(58)
    );
    let line = GOOD.replacen(r#"{"node":"leaf","name":"a"}"#, &tree, 1);
    assert!(message_of(&line).contains("leaf `0` has no script"));
}

#[test]
fn trees_that_do_not_compile_are_errors_unless_refused_by_design() {
    let leaf = r#"{"node":"leaf","name":"a"}"#;
    let other = r#"{"node":"leaf","name":"b"}"#;
    let trees = [
        (
            format!(
                r#"{{"node":"parallel","success_threshold":99,"failure_threshold":-1,"children":[{leaf}]}}"#
            ),
            "success threshold is 99",
        ),
        (
            format!(r#"{{"node":"inverter","children":[{leaf},{other}]}}"#),
            "exactly one child",
        ),
        (
            format!(r#"{{"node":"run_once","children":[{leaf},{other}]}}"#),
            "exactly one child",
        ),
        (r#"{"node":"leaf","name":""}"#.to_owned(), "is empty"),
    ];
    for (tree, part) in trees {
        let message = message_of(&GOOD.replacen(leaf, &tree, 1));
        assert!(message.contains("does not compile"), "{tree}: {message}");
        assert!(message.contains(part), "{tree}: {message}");
    }
}

#[test]
fn a_file_that_holds_nobody_to_anything_is_an_error() {
    let leaf = r#"{"node":"leaf","name":"a"}"#;
    let refused = GOOD.replacen(leaf, r#"{"node":"sequence","children":[]}"#, 1);
    let silent = GOOD.replacen(r#""root":"S""#, r#""expect":{}"#, 1);
    let text = format!("{refused}\n{silent}\n");
    let (line, message) = error_of("nobody.jsonl", text.as_bytes());
    assert_eq!(line, None);
    let figures = "1 are refused, 1 without an expectation";
    assert!(message.contains(figures), "{message}");
    let path = file("somebody.jsonl", format!("{text}{GOOD}\n").as_bytes());
    let rows = check_file(&path, &mut interpreters(), 0).expect("one case was run");
    let expected = Tally {
        same: 1,
        refused: 1,
        no_expectation: 1,
        ..Tally::default()
    };
    assert_eq!(rows[0].tally, expected);
}

#[test]
fn names_reach_the_terminal_escaped() {
    let name = r"\u001b]0;x\u0007\n\u202e";
    let line = GOOD
        .replace(r#""one""#, &format!(r#""{name}""#))
        .replace(r#""name":"a""#, &format!(r#""name":"{name}""#))
        .replace(r#""a":"S""#, &format!(r#""{name}":"S""#));
    let path = file("escapes.jsonl", line.as_bytes());
    let rows = check_file(&path, &mut interpreters(), 1).expect("it reads");
    let difference = &rows[0].differences[0];
    let unknown = GOOD.replacen("leaf", name, 1);
    let wrong = GOOD.replacen("\"+a\"", &format!("\"{name}\""), 1);
    let texts = [
        difference.to_string().replace('\n', " "),
        difference.first(),
        shown("a\u{1b}\n\u{202e}").to_string(),
        message_of(&unknown),
        message_of(&wrong),
        error_of("escapes\u{1b}[1m.jsonl", b"{").1,
    ];
    for text in texts {
        assert!(text.contains("\\u{1b}"), "{text:?}");
        let raw = |c: char| c.is_control() || c == '\u{202e}';
        assert!(!text.contains(raw), "{text:?}");
    }
    assert_eq!(
        shown("守卫 it's \"a\\b\"").to_string(),
        "守卫 it's \"a\\b\""
    );
}

fn read_tree(tree: &str) -> Reading {
    let line = GOOD.replacen(r#"{"node":"leaf","name":"a"}"#, tree, 1);
    read_case(line.as_bytes()).unwrap_or_else(|message| panic!("{tree}: {message}"))
}

#[test]
fn refused_trees_are_told_from_those_that_are_run() {
    let leaf = r#"{"node":"leaf","name":"a"}"#;
    let refused = [
        r#"{"node":"sequence","children":[]}"#.to_owned(),
        r#"{"node":"inverter"}"#.to_owned(),
        r#"{"node":"run_once"}"#.to_owned(),
        format!(r#"{{"node":"repeat","n":0,"children":[{leaf}]}}"#),
    ];
    for tree in refused {
        assert!(matches!(read_tree(&tree), Reading::Refused), "{tree}");
    }
    for kind in ["repeat", "retry", "keep_running_until_failure", "run_once"] {
        let tree = format!(r#"{{"node":"{kind}","n":4294967295,"children":[{leaf}]}}"#);
        assert!(matches!(read_tree(&tree), Reading::Case(_)), "{tree}");
    }
    for n in ["-1", "4294967296", "9223372036854775807"] {
        let tree = format!(r#"{{"node":"repeat","n":{n},"children":[{leaf}]}}"#);
        let message = message_of(&GOOD.replacen(leaf, &tree, 1));
        assert!(message.contains("allowed is 1 to 4294967295"), "{message}");
    }
    let tree = format!(
        r#"{{"node":"parallel","success_threshold":-1,"failure_threshold":1,"children":[{leaf}]}}"#
    );
    assert!(matches!(read_tree(&tree), Reading::Case(_)));
}

/// Lines that nobody would record: recorded ones with pieces cut out, repeated or replaced. Each is
/// an error or a case that can be run.
#[test]
fn damaged_lines_never_panic() {
    let pieces = [
        "leaf",
        "deferred",
        "immediate",
        "-1",
        "4294967296",
        "[]",
        "null",
        "{",
        "\"",
        "R",
        "0",
        "1e9",
        "é",
    ];
    let (mut cases, mut errors) = (0, 0);
    for name in [
        "consensus.jsonl.gz",
        "peers_differ.jsonl.gz",
        "deferred.jsonl.gz",
    ] {
        let packed = std::fs::File::open(recorded(name)).expect("the file is there");
        let lines = std::io::BufReader::new(GzDecoder::new(packed)).lines();
        for (number, line) in lines.step_by(41).enumerate() {
            let line = line.expect("recorded lines are text");
            for attempt in 0..8 {
                let random = |what: u64, below: usize| {
                    draw(number as u64, &[attempt, what]) as usize % below
                };
                let mut bytes = line.clone().into_bytes();
                // Near the front, where the tree is, as often as anywhere.
                let reach = if attempt % 2 == 0 {
                    bytes.len().min(400)
                } else {
                    bytes.len()
                };
                let at = random(0, reach);
                let end = bytes.len().min(at + random(1, 4) * random(2, 12));
                let piece = match random(3, pieces.len() + 1) {
                    0 => bytes[at..end].repeat(2),
                    other => pieces[other - 1].as_bytes().to_vec(),
                };
                bytes.splice(at..end, piece);
                match read_case(&bytes) {
                    Ok(Reading::Case(case)) => {
                        cases += 1;
                        let found = ReferenceInterpreter.run(&case);
                        assert_eq!(found.ticks.len(), case.ticks as usize);
                    }
                    Ok(_) => {}
                    Err(message) => {
                        errors += 1;
                        assert!(!message.is_empty());
                    }
                }
            }
        }
    }
    assert!(cases > 50 && errors > 500, "{cases} cases, {errors} errors");
}
