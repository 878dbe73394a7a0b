//! Codes: each is explained by a text that has just that mistake, and one that has none.

use std::collections::HashSet;

use pleach_text::explain::{CHAPTERS, Example, page, pages};
use pleach_text::{
    Code, Diagnostics, FilePlace, LoadError, Outline, Severity, inspect_with, parse_bytes,
    parse_with, unused_trees,
};

const PATROL: &str = "tree \"patrol\" { action \"walk\"; }";

fn load(path: &str) -> Result<String, LoadError> {
    match path {
        "common/patrol.kdl" => Ok(PATROL.to_owned()),
        _ => Err(LoadError::new("there is no such file")),
    }
}

/// Everything that is wrong with a text, when it is checked and run.
fn found(text: &str, strict: bool) -> Diagnostics {
    found_in("a.kdl", text, strict)
}

fn found_in(file: &str, text: &str, strict: bool) -> Diagnostics {
    let place = FilePlace::new(file);
    let inspection = inspect_with(&place, text, &mut load, strict);
    let mut found = inspection.found;
    found.append(unused_trees(&[inspection.outline], strict));
    if found.is_empty()
        && let Err(errors) = parse_with(&place, text, &mut load)
    {
        found.append(errors);
    }
    found
}

fn codes(found: &Diagnostics) -> Vec<Code> {
    found.iter().map(|one| one.code()).collect()
}

#[test]
fn each_code_has_a_page_whose_example_is_wrong_in_just_that_way() {
    let mut without = Vec::new();
    for page in pages() {
        let (file, wrong, mended) = match page.example {
            Example::Trees { wrong, mended } => ("a.kdl", wrong, mended),
            Example::BehaviorTreeCpp { wrong, mended } => ("a.xml", wrong, mended),
            Example::Json { .. } | Example::Scenario { .. } | Example::None => {
                without.push(page.code);
                continue;
            }
        };
        let strict = page.code == Code::UnusedName;
        // Something is noted of most files of BehaviorTree.CPP: what is better than the page does not count.
        let found = |text: &str| {
            let told = found_in(file, text, strict);
            let worst = page.code.severity();
            let mut found = Diagnostics::new();
            let counted = told.iter().filter(|one| one.severity() <= worst);
            counted.for_each(|one| found.push(one.clone()));
            found
        };
        let told = found(wrong);
        let all: HashSet<Code> = codes(&told).into_iter().collect();
        assert_eq!(all, HashSet::from([page.code]), "{wrong}\n{told}");
        assert!(
            told.iter()
                .all(|one| one.severity() == page.code.severity()),
            "{told}"
        );
        let told = found(mended);
        assert!(told.is_empty(), "{}\n{mended}\n{told}", page.code);
    }
    assert_eq!(
        without,
        [
            Code::Encoding,
            Code::Limit,
            Code::File,
            Code::Json,
            Code::Edit,
            Code::Internal,
            Code::Scenario,
            Code::OwnNodes,
            Code::XmlName,
        ]
    );
}

#[test]
fn codes_that_have_no_example_are_given_all_the_same() {
    let bytes = parse_bytes("a.kdl", b"tree \xff").unwrap_err();
    assert_eq!(codes(&bytes), [Code::Encoding]);
    let nested = format!("{}{}", "a {".repeat(200), "}".repeat(200));
    let long = format!("tree {} {{ idle; }}", "x".repeat(300));
    let deep = format!(
        "tree t {{ condition \"{}1 > 0{}\"; }}",
        "(".repeat(300),
        ")".repeat(300)
    );
    let labels: String = (0..300).map(|at| format!(" l{at}")).collect();
    let labels = format!("tree t {{ blackboard {{ mode enum{labels}; }}; idle; }}");
    let children = format!("tree t {{ random-sequence {{ {} }} }}", "idle;".repeat(65));
    for text in [nested, long, deep, labels, children] {
        let told = found(&text, false);
        assert_eq!(codes(&told)[0], Code::Limit, "{told}");
    }
}

#[test]
fn pages_are_in_order_and_read_well() {
    let numbers: Vec<u16> = pages().map(|page| page.code.number()).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert!((60..=100).contains(&numbers.len()));
    for chapter in CHAPTERS {
        assert!(!chapter.pages.is_empty(), "{}", chapter.name);
    }
    for one in pages() {
        assert_eq!(page(one.code).unwrap().title, one.title);
        let begins = one.title.chars().next().unwrap();
        assert!(
            begins.is_lowercase() && !one.title.ends_with('.'),
            "{}",
            one.title
        );
        assert!(
            one.about.ends_with('.') && !one.about.contains("  "),
            "{}",
            one.about
        );
        assert_eq!(one.about.matches('`').count() % 2, 0, "{}", one.about);
        assert_eq!(Code::from_name(&one.code.to_string()), Some(one.code));
    }
}

#[test]
fn codes_are_told_by_their_form() {
    assert_eq!(Code::from_name("P0101"), Some(Code::UnknownNode));
    assert_eq!(Code::from_name("p101"), Some(Code::UnknownNode));
    for name in ["P9999", "P99999999999", "P", "parallel", "", "P01o1", "é1"] {
        assert_eq!(Code::from_name(name), None, "{name}");
    }
    assert!(Code::is_name("P9999") && !Code::is_name("parallel") && !Code::is_name("P"));
    assert_eq!(Code::Unreachable.severity(), Severity::Warning);
    assert_eq!(Code::UnknownNode.to_string(), "P0101");
}

#[test]
fn editors_get_an_object_for_each() {
    let text =
        "tree \"guard\" {\n    // Über\n    selector { succeed; /* ü */ action \"go\"; }\n}\n";
    let told = found(text, false);
    assert_eq!(told.len(), 1, "{told}");
    let written = serde_json::to_value(told.iter().next().unwrap()).unwrap();
    let start = text.find("action").unwrap();
    let before = text.find("succeed").unwrap();
    assert_eq!(
        written,
        serde_json::json!({
            "code": "P1001",
            "severity": "warning",
            "message": "`action` `go` is never reached",
            "help": "take away one of the two, or put the one that always goes last behind all others",
            "places": [
                {
                    "file": "a.kdl", "line": 3, "column": 33, "end_line": 3, "end_column": 39,
                    "start": start, "end": start + 6, "note": null,
                },
                {
                    "file": "a.kdl", "line": 3, "column": 16, "end_line": 3, "end_column": 23,
                    "start": before, "end": before + 7, "note": "`succeed` never fails",
                },
            ],
        })
    );
    let whole = found("// nothing\n", false);
    assert_eq!(
        serde_json::to_value(whole.iter().next().unwrap()).unwrap()["places"],
        serde_json::json!([{ "file": "a.kdl", "note": null }])
    );
}

#[test]
fn counts_say_what_they_count() {
    let outline = Outline::default();
    assert!(unused_trees(&[outline], true).is_empty());
    let two = found(
        "tree t { selector { succeed; idle; wait 1; condition \"true\"; }; }",
        false,
    );
    assert_eq!(two.tally(), "2 warnings", "{two}");
    assert!(two.to_string().ends_with("\n\n2 warnings"), "{two}");
    assert_eq!(
        (two.count(Severity::Error), two.count(Severity::Warning)),
        (0, 2)
    );
    let mut mixed = two.clone();
    mixed.append(found("tree t { idel; }", false));
    assert_eq!(mixed.tally(), "1 error and 2 warnings");
    assert_eq!(Diagnostics::new().tally(), "");
}
