//! Laying out: it changes nothing but blanks, twice is once, and no comment is lost.

use pleach_text::{Format, TreeFile, reformat};
use proptest::prelude::*;

use crate::drafts::file;
use crate::repository;

/// Lays out a text; whatever it is, a second time changes nothing.
fn laid_out(text: &str) -> String {
    let once = reformat("a.kdl", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let twice = reformat("a.kdl", &once).unwrap_or_else(|error| panic!("{error}\n{once}"));
    assert_eq!(twice, once, "of\n{text}");
    once
}

fn means_the_same(text: &str) {
    let once = laid_out(text);
    let before = TreeFile::read(Format::Kdl, "a.kdl", text).unwrap();
    let after = TreeFile::read(Format::Kdl, "a.kdl", &once).unwrap();
    assert_eq!(
        before.write(Format::Kdl),
        after.write(Format::Kdl),
        "{once}"
    );
}

#[test]
fn the_style_is_this() {
    for (text, expected) in [
        ("", ""),
        ("\n\n  \n", ""),
        ("a", "a\n"),
        ("a;b ; c", "a\nb\nc\n"),
        (
            "a  1\t\"two\"  k = ( u8 ) 3 (u8) 4",
            "a 1 \"two\" k=(u8)3 (u8)4\n",
        ),
        ("\n\na\n\n\n\nb\n\n", "a\n\nb\n"),
        ("a{b;c;}", "a { b; c }\n"),
        ("a {  b { c } ; }", "a { b { c } }\n"),
        ("a {\n\n\n  b\n\n}\n", "a {\n    b\n}\n"),
        ("a {\nb { c\n}\n}", "a {\n    b {\n        c\n    }\n}\n"),
        ("a { }", "a {}\n"),
        ("a {\n}", "a {}\n"),
        ("a // one\nb  //two", "a // one\nb  //two\n"),
        (
            "a    1      // one\nbb        // two",
            "a 1         // one\nbb        // two\n",
        ),
        // Columns are counted from where the line's text begins, whatever its indentation.
        (
            "a \\\n1     2        // one",
            "a \\\n    1 2            // one\n",
        ),
        ("\u{feff}a   // one", "\u{feff}a   // one\n"),
        (
            "  a {  // one\n b // two\n  }  // three",
            "a {  // one\n    b // two\n}  // three\n",
        ),
        ("// one\n\n// two\na", "// one\n\n// two\na\n"),
        ("a {\n // only\n}", "a {\n    // only\n}\n"),
        ("a {\n b\n\n // last\n\n}", "a {\n    b\n\n    // last\n}\n"),
        ("a { /* in */ }", "a { /* in */ }\n"),
        (
            "/* one */ a /* two */ 1; /* three */ b; /* four */",
            "/* one */ a /* two */ 1\n/* three */ b /* four */\n",
        ),
        ("/* one\n   two */\na", "/* one\n   two */\na\n"),
        ("a \\\n 1 \\ // why\n  2", "a \\\n    1 \\ // why\n    2\n"),
        ("a \\\n {\n b\n }", "a {\n    b\n}\n"),
        (
            "/-a 1\n/- b { c; }\nd /-1 /- k=2 /-{ e } { f }",
            "/-a 1\n/- b { c }\nd /-1 /- k=2 /-{ e } { f }\n",
        ),
        ("/-\n// why\na\nb", "/- // why\na\nb\n"),
        (
            "a \"\"\"\n   two\n  lines\n  \"\"\" 1\nb",
            "a \"\"\"\n   two\n  lines\n  \"\"\" 1\nb\n",
        ),
        ("a #\"raw // \"# 1", "a #\"raw // \"# 1\n"),
        (
            "\u{feff}a\r\n  b {\r\nc\r\n}\r\n",
            "\u{feff}a\r\nb {\r\n    c\r\n}\r\n",
        ),
    ] {
        assert_eq!(laid_out(text), expected, "{text:?}");
    }
}

#[test]
fn a_block_that_is_too_long_for_its_line_is_broken() {
    let long = format!("a {{ b {{ c \"{}\"; d }}; e }}", "x".repeat(70));
    assert_eq!(laid_out(&long), format!("{long}\n"));
    let longer = format!("a {{ b {{ c \"{}\"; d }}; e }}", "x".repeat(80));
    assert_eq!(
        laid_out(&longer),
        format!("a {{\n    b {{ c \"{}\"; d }}\n    e\n}}\n", "x".repeat(80))
    );
}

#[test]
fn the_files_of_the_repository_are_in_the_style() {
    for (path, text) in repository::trees()
        .into_iter()
        .chain(repository::scenarios())
    {
        assert_eq!(laid_out(&text), text, "{path:?}");
    }
}

#[test]
fn what_does_not_parse_is_left_alone() {
    let errors = reformat("a.kdl", "a {\n b \"\n}").unwrap_err();
    assert!(errors.to_string().contains(" --> a.kdl:2:"), "{errors}");
    let deep = "a {".repeat(100_000);
    assert!(reformat("a.kdl", &deep).is_err());
    let (open, close) = ("a {".repeat(120), "}".repeat(120));
    let wide = reformat("a.kdl", &format!("{open}{}{close}", "b;".repeat(20_000)));
    let errors = wide.unwrap_err().to_string();
    assert!(
        errors.contains("laid out, the file would have more than 4194304 bytes"),
        "{errors}"
    );
}

const PARTS: &[&str] = &[
    "a",
    " ",
    "\n",
    ";",
    "{",
    "}",
    " /-",
    "// c\n",
    "/* c */",
    "/* a\n b */",
    "\\\n",
    " \\ // d\n",
    "\"s\"",
    "\"\"\"\n x\n \"\"\"",
    "#\"r\"#",
    "k=",
    " 1",
    "(u8)",
    "\r\n",
    "\u{2028}",
    "\t",
    "\u{b}",
    "é",
    "=",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn random_files_mean_the_same(text in file()) {
        means_the_same(&text);
    }

    #[test]
    fn random_changes_are_survived(
        text in file(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(PARTS), 0..4usize), 1..5),
    ) {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, part, cut) in changes {
            let at = at.index(chars.len());
            let end = (at + cut).min(chars.len());
            chars.splice(at..end, part.chars());
        }
        let text: String = chars.into_iter().collect();
        if pleach_text::kdl_document(&pleach_text::Source::new("a.kdl", &text)).is_ok() {
            laid_out(&text);
        }
    }

    #[test]
    fn random_tokens_are_survived(parts in prop::collection::vec(prop::sample::select(PARTS), 0..14)) {
        let text = parts.concat();
        if pleach_text::kdl_document(&pleach_text::Source::new("a.kdl", &text)).is_ok() {
            laid_out(&text);
        }
    }
}
