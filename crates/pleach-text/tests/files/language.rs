//! The page on the language: its examples are files that compile, and are laid out.

use pleach_text::{FilePlace, LoadError, check_with, reformat};

const PAGE: &str = include_str!("../../../../docs/language.md");

/// The blocks of a language on the page, each with the text before it.
fn blocks(language: &str) -> Vec<(&'static str, &'static str)> {
    let fence = format!("```{language}\n");
    let mut found = Vec::new();
    let mut before = 0;
    while let Some(at) = PAGE[before..].find(&fence) {
        let start = before + at + fence.len();
        let end = start + PAGE[start..].find("```").unwrap();
        found.push((&PAGE[before..start], &PAGE[start..end]));
        before = end + 3;
    }
    found
}

#[test]
fn every_example_compiles_and_is_laid_out() {
    let patrol = include_str!("../../../../trees/common/patrol.kdl");
    let (mut numbered, mut all) = (0, 0);
    for (before, text) in blocks("kdl") {
        let mut loader = |path: &str| match path {
            "common/patrol.kdl" => Ok(patrol.to_owned()),
            _ => Err(LoadError::new("there is no such file")),
        };
        check_with(&FilePlace::new("page.kdl"), text, &mut loader)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        all += 1;
        if before.contains(&format!("**{}. ", numbered + 1)) {
            numbered += 1;
            assert_eq!(reformat("page.kdl", text).unwrap(), text);
        }
    }
    assert_eq!(numbered, 20);
    assert!(all > numbered);
}

/// Each word of a node stands in the grammar, in quotes, and every name that the grammar uses is
/// one that it explains, or a plain word.
#[test]
fn the_grammar_has_every_node() {
    let (_, grammar) = blocks("ebnf")[0];
    for entry in pleach_text::gallery::GALLERY
        .iter()
        .flat_map(|family| family.entries)
    {
        let quoted = format!("\"{}\"", entry.keyword());
        assert!(grammar.contains(&quoted), "{quoted}");
    }
    let rules: Vec<&str> = grammar
        .lines()
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| line.split_once(" = ").map(|(name, _)| name.trim()))
        .collect();
    let plain = [
        "path",
        "name",
        "text",
        "number",
        "integer",
        "letter",
        "digit",
        "label",
        "value",
        "column",
        "key",
        "property-that-begins-with-_",
        "text-of-an-expr",
    ];
    let mut outside = String::new();
    for (at, part) in grammar.split('"').enumerate() {
        if at % 2 == 0 {
            outside.push_str(part);
        }
    }
    // Comments aside.
    let outside: String = outside
        .split("(*")
        .map(|part| part.split_once("*)").map_or(part, |(_, rest)| rest))
        .collect();
    for word in outside.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_'))) {
        assert!(
            word.is_empty() || rules.contains(&word) || plain.contains(&word),
            "{word}"
        );
    }
}
