//! The JSON form: everything goes there and back, and what is wrong is told with its place.

use pleach_text::btcpp::Options;
use pleach_text::{FilePlace, Format, LoadError, Source, TreeFile, parse_with};
use proptest::prelude::*;

use crate::drafts::file;
use crate::repository;

fn there_and_back(name: &str, text: &str) {
    let file =
        TreeFile::read(Format::Kdl, name, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let kdl = file.write(Format::Kdl).unwrap();
    let again =
        TreeFile::read(Format::Kdl, name, &kdl).unwrap_or_else(|error| panic!("{error}\n{kdl}"));
    assert_eq!(again.write(Format::Kdl).unwrap(), kdl, "KDL of\n{text}");
    let json = file.write(Format::Json).unwrap();
    let back = TreeFile::read(Format::Json, "a.json", &json)
        .unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(back.write(Format::Json).unwrap(), json);
    assert_eq!(
        back.write(Format::Kdl).unwrap(),
        kdl,
        "by\n{json}\nof\n{text}"
    );
    let xml = file
        .write(Format::Xml)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let back = TreeFile::of_xml(Source::new("a.xml", &xml), &Options::new())
        .unwrap_or_else(|error| panic!("{error}\n{xml}"));
    assert_eq!(back.write(Format::Xml).unwrap(), xml, "of\n{text}");
    // XML does not tell whether that is a node or a property of one.
    if !kdl.contains(" when \"") {
        assert_eq!(back.write(Format::Kdl).unwrap(), kdl, "by\n{xml}");
    }
}

/// What no file can hold is left out of comments, with the blanks that it leaves at their ends; for a control
/// character there is a sign.
#[test]
fn comments_that_end_in_what_is_left_out_are_done_after_once() {
    let json = r#"{"pleach":1,"trees":[{"name":"a","comments":["x { \u200e","\u202e","y\u0000\nz"],"root":{"node":"idle"}}]}"#;
    let file = TreeFile::read(Format::Json, "a.json", json).unwrap();
    let kdl = file.write(Format::Kdl).unwrap();
    assert_eq!(
        kdl,
        "// x {\n//\n// y\u{fffd}\n// z\ntree \"a\" {\n    idle\n}\n"
    );
    let again = TreeFile::read(Format::Kdl, "a.kdl", &kdl).unwrap();
    assert_eq!(again.write(Format::Kdl).unwrap(), kdl);
}

/// A number of more digits than KDL can have together is refused, whatever stands behind it.
#[test]
fn numbers_are_those_of_kdl() {
    let digits = "9".repeat(39);
    for (number, refused) in [
        ("1e400", false),
        ("170141183460469231731687303715884105727", false),
        ("-170141183460469231731687303715884105728", true),
        (&digits, true),
        (&format!("{digits}.0"), true),
        (&format!("0.{digits}"), true),
    ] {
        let json = format!(
            r#"{{"pleach":1,"trees":[{{"name":"a","root":{{"node":"subtree","tree":"b","params":{{"x":{number}}}}}}}]}}"#
        );
        match TreeFile::read(Format::Json, "a.json", &json) {
            Ok(file) => {
                assert!(!refused, "{number}");
                there_and_back("a.kdl", &file.write(Format::Kdl).unwrap());
            }
            Err(errors) => {
                assert!(refused, "{errors}");
                assert!(
                    errors.to_string().contains("has too many digits"),
                    "{errors}"
                );
            }
        }
    }
}

#[test]
fn the_trees_of_the_repository_convert_and_mean_the_same() {
    for (path, text) in repository::trees() {
        let name = path.to_string_lossy().into_owned();
        there_and_back(&name, &text);
        let mut loader = |path: &str| {
            std::fs::read_to_string(path).map_err(|error| LoadError::new(error.to_string()))
        };
        let Ok(first) = parse_with(&FilePlace::new(&name), &text, &mut loader) else {
            // A tree that only runs as a subtree.
            continue;
        };
        let file = TreeFile::read(Format::Kdl, &name, &text).unwrap();
        // Files in XML include others in XML only.
        for format in [Format::Kdl, Format::Json] {
            let place = FilePlace {
                key: name.clone(),
                name: format!("a.{}", format.name()),
            };
            let written = file.write(format).unwrap();
            let document = parse_with(&place, &written, &mut loader).unwrap();
            assert_eq!(document.trees(), first.trees(), "{name} by {format:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn whatever_a_file_holds_goes_there_and_back(text in file()) {
        there_and_back("a.kdl", &text);
    }
}

/// The first block of a page that is marked as being in a language.
fn block<'a>(page: &'a str, language: &str) -> &'a str {
    let start = page.find(&format!("```{language}\n")).unwrap() + language.len() + 4;
    &page[start..start + page[start..].find("```").unwrap()]
}

#[test]
fn the_page_shows_what_is_written() {
    let page = include_str!("../../../../docs/json.md");
    let example = block(page, "json");
    let file = TreeFile::read(Format::Json, "guard.json", example)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(file.write(Format::Json).unwrap(), example);
    let patrol = include_str!("../../../../trees/common/patrol.kdl");
    let mut loader = |path: &str| match path {
        "common/patrol.kdl" => Ok(patrol.to_owned()),
        _ => Err(LoadError::new("there is no such file")),
    };
    let document = parse_with(&FilePlace::new("guard.json"), example, &mut loader)
        .unwrap_or_else(|error| panic!("{error}"));
    document
        .compile_main()
        .unwrap_or_else(|error| panic!("{error}"));
}

/// The first error of a text in JSON: line, column, message.
fn error(text: &str) -> (usize, usize, String) {
    let errors = TreeFile::read(Format::Json, "a.json", text).expect_err(text);
    let first = errors.iter().next().unwrap();
    (first.line(), first.column(), first.message().to_owned())
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let tree = |root: &str| {
        format!("{{\"pleach\": 1, \"trees\": [{{\"name\": \"a\", \"root\":\n{root}\n}}]}}")
    };
    for (text, line, column, message) in [
        ("", 1, 1, "the JSON ends too early"),
        (
            "{\n  \"pleach\": 1,\n  x",
            3,
            3,
            "this is no JSON: key must be a string",
        ),
        ("[]", 1, 1, "expected the file, found a list"),
        (
            "{}",
            1,
            1,
            "the file has no field `pleach`, which says its version",
        ),
        (
            "{\"pleach\": 2}",
            1,
            12,
            "expected version 1 of the JSON form, found the number `2`",
        ),
        (
            "{\"pleach\": \"1\"}",
            1,
            12,
            "expected version 1 of the JSON form, found the text `1`",
        ),
        ("{\"pleach\": 1}", 1, 1, "the file has no field `trees`"),
        (
            "{\"pleach\": 1, \"trees\": []}",
            1,
            1,
            "the file holds no tree",
        ),
        (
            "{\"pleach\": 1, \"trees\": {}}",
            1,
            24,
            "expected a list of trees, found an object",
        ),
        (
            "{\"pleach\": 1, \"tree\": [], \"trees\": []}",
            1,
            15,
            "the file has no field `tree`",
        ),
        (
            "{\"pleach\": 1, \"trees\": [], \"trees\": []}",
            1,
            28,
            "the field `trees` is there twice",
        ),
        (
            &tree("{\"node\": \"seqence\"}"),
            2,
            10,
            "unknown node `seqence`",
        ),
        (
            &tree("{\"node\": \"idle\", \"nmae\": \"x\"}"),
            2,
            18,
            "`idle` has no field `nmae`",
        ),
        (
            &tree("{\"node\": \"idle\", \"children\": []}"),
            2,
            18,
            "`idle` has no field `children`",
        ),
        (
            &tree("{\"node\": \"wait\"}"),
            2,
            1,
            "`wait` has no field `seconds`",
        ),
        (
            &tree("{\"node\": \"set\", \"value\": 3}"),
            2,
            1,
            "`set` has no field `column`",
        ),
        (
            &tree("{\"node\": \"wait\", \"seconds\": -1}"),
            2,
            29,
            "`-1` is no time",
        ),
        (
            &tree("{\"node\": \"wait\", \"seconds\": null}"),
            2,
            29,
            "expected a text, a number or a truth value, found `null`",
        ),
        (
            &tree("{\"node\": \"condition\", \"test\": \"1 <\"}"),
            2,
            35,
            "expected a number, a name or `(`, found the end",
        ),
        (
            &tree("{\"node\": \"condition\", \"test\": \"\\ud800\"}"),
            2,
            31,
            "unexpected end of hex escape",
        ),
        (
            &tree("{\"node\": \"action\", \"call\": \"x\", \"params\": {\"s\": {\"u8\": 256}}}"),
            2,
            56,
            "`256` does not fit u8",
        ),
        (
            &tree("{\"node\": \"action\", \"call\": \"x\", \"params\": {\"s\": {\"u9\": 2}}}"),
            2,
            50,
            "unknown type `u9`",
        ),
        (
            &tree(
                "{\"node\": \"action\", \"call\": \"x\", \"params\": {\"s\": {\"u8\": 2, \"b\": 1}}}",
            ),
            2,
            49,
            "expected a value with its type, found 2 fields",
        ),
        (
            &tree(
                "{\"node\": \"action\", \"call\": \"x\", \"params\": {\"s\": {\"u64\": \"-1\"}}}",
            ),
            2,
            57,
            "`-1` is no `u64`",
        ),
        (
            &tree(
                "{\"node\": \"switch\", \"on\": \"m\", \"cases\": [{\"case\": 1.5, \"child\": {\"node\": \"idle\"}}]}",
            ),
            2,
            50,
            "a case cannot be the number 1.5",
        ),
        (
            &tree("{\"node\": \"switch\", \"on\": \"m\", \"cases\": [{\"case\": 1}]}"),
            2,
            41,
            "a case has no field `child`",
        ),
        (
            &tree("{\"node\": \"repeat\", \"times\": 0, \"children\": []}"),
            2,
            29,
            "0 is no number of times",
        ),
        (
            &tree("12345678901234567890"),
            2,
            1,
            "expected a node, found the number `12345678901234567890`",
        ),
    ] {
        assert_eq!(error(text), (line, column, message.to_owned()), "{text}");
    }
}

#[test]
fn hostile_texts_are_survived() {
    let deep = |open: &str, count: usize| {
        format!(
            "{{\"pleach\": 1, \"trees\": [{{\"name\": \"a\", \"root\": {}",
            open.repeat(count)
        )
    };
    // Never closed, and closed.
    let nest = "{\"node\":\"invert\",\"children\":[";
    assert_eq!(error(&deep("[", 100_000)).2, "the JSON ends too early");
    assert_eq!(error(&deep(nest, 100_000)).2, "the JSON ends too early");
    let closed = format!("{}{}}}]}}", deep(nest, 60_000), "]}".repeat(60_000));
    assert_eq!(error(&closed).2, "nodes nest deeper than 128 levels");
    let unknown = format!(
        "{{\"pleach\": 1, \"trees\": [], \"x\": {}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(error(&unknown).2, "the file has no field `x`");
    let many = format!(
        "{}\"children\":[{}{{}}]}}}}]}}",
        deep("{\"node\":\"sequence\",", 1),
        "{\"node\":\"idle\"},".repeat(250_000)
    );
    assert_eq!(error(&many).2, "a node has no field `node`");
    let large = format!("\"{}\"", "x".repeat(pleach_text::MAX_BYTES));
    assert!(error(&large).2.ends_with("allowed are 4194304"));
    let labels = "\"l\",".repeat(600_000);
    let labels = format!(
        "{{\"pleach\": 1, \"trees\": [{{\"name\": \"a\", \"blackboard\": [{{\"name\": \"x\", \"type\": \"enum\", \"labels\": [{labels}\"l\"]}}]}}]}}"
    );
    assert_eq!(error(&labels).2, "a tree has no field `root`");
}

proptest! {
    #[test]
    fn random_changes_are_survived(
        at in any::<prop::sample::Index>(),
        cut in 0..40usize,
        part in prop::sample::select(vec!["", "{", "}", "[", "\"", "\\", ",", ":", "null", "-", "1e999", "\u{feff}", "\"\\u0000\"", "ä"]),
    ) {
        let mut chars: Vec<char> = block(include_str!("../../../../docs/json.md"), "json").chars().collect();
        let at = at.index(chars.len());
        let end = (at + cut).min(chars.len());
        chars.splice(at..end, part.chars());
        let text: String = chars.into_iter().collect();
        match TreeFile::read(Format::Json, "a.json", &text) {
            Ok(file) => {
                let written = file.write(Format::Json).unwrap();
                let again = TreeFile::read(Format::Json, "a.json", &written).unwrap();
                prop_assert_eq!(again.write(Format::Kdl), file.write(Format::Kdl));
            }
            Err(errors) => prop_assert!(errors.to_string().contains(" --> a.json")),
        }
    }
}

#[test]
fn every_node_of_the_gallery_goes_there_and_back() {
    let families = pleach_text::gallery::GALLERY.iter();
    let mut count = 0;
    for entry in families.flat_map(|family| family.entries) {
        let text = match entry.example.contains("tree ") {
            true => entry.example.to_owned(),
            false => panic!("no whole file: {}", entry.example),
        };
        there_and_back("a.kdl", &text);
        count += 1;
    }
    assert!(count > 40, "{count}");
}
