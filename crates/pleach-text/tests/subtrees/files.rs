//! Several files: cycles, whose error it is, what cannot be included.

use super::*;

#[test]
fn a_cycle_through_three_files_is_written_out() {
    let files = [
        (
            "a.kdl",
            "include \"b.kdl\"\ntree a {\n  sequence { subtree b; }\n}",
        ),
        ("b.kdl", "include \"c.kdl\"\ntree b { subtree c; }"),
        (
            "c.kdl",
            "include \"a.kdl\"\ntree c {\n\n    invert { subtree a; }\n}",
        ),
    ];
    refused(
        &files,
        2,
        "subtree",
        &[
            "tree `a` contains itself",
            "the cycle is `a` → `b` → `c` → `a`",
            "`a` uses `b` at a.kdl:3:14",
            "`b` uses `c` at b.kdl:2:10",
            "`c` uses `a` at c.kdl:4:14",
        ],
    );
}

#[test]
fn errors_name_the_file_that_they_are_in() {
    let main = "include \"b.kdl\"\ntree a { subtree b; }";
    refused(
        &[("a.kdl", main), ("b.kdl", "tree b {\n  idel\n}")],
        1,
        "idel",
        &["b.kdl:2:3", "2 |   idel"],
    );
    refused(
        &[("a.kdl", main), ("b.kdl", "tree b {\n  idle")],
        1,
        "{",
        &["never closed"],
    );
    refused(
        &[
            ("a.kdl", main),
            ("b.kdl", "tree b {\n condition \"hp > 1\"\n}"),
        ],
        1,
        "hp",
        &[
            "unknown",
            "(as a subtree of `a`)",
            "::: a.kdl:2:10: used here",
        ],
    );
    refused(
        &[
            ("a.kdl", main),
            ("b.kdl", "tree a { idle; }\ntree b { idle; }"),
        ],
        1,
        "a {",
        &[
            "a second tree is named `a`",
            "::: a.kdl:2:6: the first stands here",
        ],
    );
    refused(
        &[
            (
                "a.kdl",
                "include \"b.kdl\"; include \"c.kdl\"\ntree a { subtree b; }",
            ),
            ("b.kdl", "tree b { subtree c; }"),
            ("c.kdl", "tree c { idle; }"),
        ],
        1,
        "subtree",
        &[
            "no tree is named `c`",
            "::: c.kdl:1:6",
            "`include` that file in this one",
        ],
    );
    refused(
        &[("a.kdl", main), ("b.kdl", "tree bb { idle; }")],
        0,
        "subtree",
        &["no tree is named `b`"],
    );
    // Errors of several files, the first file's first.
    let files = [
        ("a.kdl", "include \"b.kdl\"\n\n\n\ntree a { idel; }"),
        ("b.kdl", "tree b { idel; }"),
    ];
    let errors = errors(&files);
    let places: Vec<(&str, usize)> = errors
        .iter()
        .map(|error| (error.file(), error.line()))
        .collect();
    assert_eq!(places, [("a.kdl", 5), ("b.kdl", 1)]);
}

#[test]
fn wrong_includes() {
    let text = "include \"b.kdl\"\ntree a { idle; }";
    let errors = parse("a.kdl", text).unwrap_err().to_string();
    assert!(
        errors.contains("a.kdl:1:9") && errors.contains("without a way to load files"),
        "{errors}"
    );
    refused_text(text, "\"b.kdl\"", &["`b.kdl`: there is no such file"]);
    refused_text(
        "include\ntree a { idle; }",
        "include",
        &["needs the path of a file", "include \"common"],
    );
    refused_text(
        "include 5\ntree a { idle; }",
        "5",
        &["expected the path of a file"],
    );
    refused_text("include \"\"\ntree a { idle; }", "\"\"", &["is no path"]);
    refused_text(
        "include \"a\\u{0}\"\ntree a { idle; }",
        "\"a",
        &["is no path"],
    );
    let two = crate::errors(&[("a.kdl", "include a b\ntree a { idle; }")]).to_string();
    assert!(
        two.contains("`include` takes one argument, found 2"),
        "{two}"
    );
    for (include, message) in [
        ("include a x=1", "`include` has no property `x`"),
        ("include a { b; }", "`include` takes no children"),
    ] {
        let text = format!("{include}\ntree a {{ idle; }}");
        let shown = crate::errors(&[("a.kdl", &text)]).to_string();
        assert!(shown.contains(message), "{shown}");
    }
    let files = [
        ("a.kdl", "include \"b.kdl\""),
        ("b.kdl", "tree b { idle; }"),
    ];
    let only = crate::errors(&files).to_string();
    assert!(only.contains("holds no tree"), "{only}");
}
