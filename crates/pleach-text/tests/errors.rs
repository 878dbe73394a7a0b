//! One case for each kind of error: where it points, what it says, what it advises.

use pleach_text::explain::page;
use pleach_text::{Diagnostics, MAX_BYTES, MAX_ITEMS, MAX_NAME, MAX_NESTING, parse, parse_bytes};

/// The errors of reading and compiling the first tree.
fn errors(text: &str) -> Diagnostics {
    match parse("a.kdl", text) {
        Err(errors) => errors,
        Ok(document) => document.compile_main().expect_err(text),
    }
}

/// Checks the first error: its place is that of `part`, and message and help hold the given texts.
#[track_caller]
fn refused(text: &str, part: &str, message: &str, help: &str) {
    let errors = errors(text);
    let first = errors.iter().next().unwrap();
    let at = text.find(part).expect("the part stands in the text");
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
    assert_eq!((first.line(), first.column()), (line, column), "{errors}");
    assert!(first.message().contains(message), "{errors}");
    assert!(first.help().unwrap_or("").contains(help), "{errors}");
    assert_eq!(first.help().is_none(), help.is_empty(), "{errors}");
    assert!(
        errors.iter().all(|error| page(error.code()).is_some()),
        "{errors}"
    );
}

/// The same inside a tree whose columns and world values are known.
#[track_caller]
fn refused_node(node: &str, part: &str, message: &str, help: &str) {
    let head = "tree \"t\" {\n    blackboard {\n        health f32 1.0\n        ammo u8 30\n        seen bool\n    }\n    world {\n        alarm bool\n    }\n";
    refused(&format!("{head}{node}\n}}\n"), part, message, help);
}

#[test]
fn documents() {
    let whole = |text: &str, message: &str| {
        let errors = errors(text);
        let first = errors.iter().next().unwrap();
        assert_eq!((errors.len(), first.span()), (1, None), "{errors}");
        assert!(first.message().contains(message), "{errors}");
    };
    whole("", "holds no tree");
    whole("\u{feff}// nothing\r\n/* at all */\r\n", "holds no tree");
    whole(
        &" ".repeat(MAX_BYTES + 1),
        &format!("allowed are {MAX_BYTES}"),
    );
    let errors = parse_bytes("a.kdl", b"tree \xff").unwrap_err();
    let first = errors.iter().next().unwrap();
    assert_eq!((first.line(), first.column()), (1, 6));
    assert!(first.message().contains("byte 5"), "{errors}");
    let items = "a\n".repeat(MAX_ITEMS + 1);
    assert!(errors_of(&items).contains(&format!("more than {MAX_ITEMS} nodes")));
    let document = parse("a.kdl", "\u{feff}tree t {\r\n  idle\r\n}\r\n").unwrap();
    assert_eq!(document.main().len(), 1);
    assert!(
        document
            .compile("tt")
            .unwrap_err()
            .to_string()
            .contains("did you mean `t`?")
    );
}

fn errors_of(text: &str) -> String {
    errors(text).to_string()
}

#[test]
fn nesting() {
    let deep = |n: usize| format!("tree t {{{}idle{}}}", "invert {".repeat(n), "}".repeat(n));
    let document = parse("a.kdl", &deep(MAX_NESTING - 1)).unwrap();
    assert_eq!(document.compile_main().unwrap().len(), MAX_NESTING);
    for n in [MAX_NESTING, 100_000] {
        let text = deep(n);
        let shown = errors_of(&text);
        assert!(
            shown.contains(&format!("deeper than {MAX_NESTING} levels")),
            "{shown}"
        );
        assert!(shown.contains("subtree"), "{shown}");
    }
    // Each of these costs a naive reader its stack or exponential time.
    for (open, close) in [
        ("/* ", "*/ "),
        ("/*", " * / */"),
        ("/- {", "}"),
        ("a /- {\n", "}\n"),
        ("x\n/- a {", "}\n"),
    ] {
        let text = format!(
            "tree t {{ idle\n {}{} }}",
            open.repeat(50_000),
            close.repeat(50_000)
        );
        let shown = match parse("a.kdl", &text) {
            Ok(document) => document.main().name().to_owned(),
            Err(errors) => errors.to_string(),
        };
        assert!(!shown.is_empty());
    }
    let comments = format!(
        "tree t {{ {} idle {} }}",
        "/* * / ".repeat(50_000),
        "*/".repeat(50_000)
    );
    assert!(
        errors_of(&comments).contains("no root"),
        "the comment swallows the node"
    );
    for junk in [
        "}",
        "a {} ",
        ") ",
        "a = ",
        "a \"\\q\" ",
        "\"",
        "#\"",
        "(",
        "/-",
        "\\ ",
        "a }\n",
        "{",
    ] {
        assert!(!errors_of(&junk.repeat(20_000)).is_empty());
    }
}

#[test]
fn braces_and_ends() {
    refused("tree t {\n  idle", "{", "never closed", "add a `}`");
    refused(
        "tree t {\n  idle\n}\n  } // x",
        "} //",
        "closes nothing",
        "remove it",
    );
    refused(
        "tree t {\n  { idle }\n}",
        "{ idle",
        "block without a node",
        "opens on the line",
    );
    refused(
        "tree t { idle } tree u { idle }",
        "tree u",
        "behind a block",
        "new line or `;`",
    );
    refused("tree t { ; }", "; }", "without a node", "remove");
    refused("tree t { idle\n /-\n}", "/-", "nothing follows", "");
    refused(
        "tree t { idle } /* x",
        "/* x",
        "never closed",
        "block comments nest",
    );
    refused(
        "tree t {\n idle \\ x\n}",
        "\\ x",
        "line of `\\`",
        "next line",
    );
    refused("tree t { idle )\n}", ")", "expected a value, found `)`", "");
    refused(
        "tree t { idle\"x\"\n}",
        "\"x",
        "without a space",
        "put a space",
    );
    refused(
        "tree t { idle 1=2\n}",
        "1=2",
        "cannot name a property",
        "quotes",
    );
    refused(
        "tree t { action a x=(u8 1\n}",
        "1\n",
        "expected `)`",
        "(u8)3",
    );
}

#[test]
fn strings_and_words() {
    refused(
        "tree \"t {\n idle }",
        "\"t",
        "not closed on its line",
        "\"\"\"",
    );
    refused("tree \"\"\"\n t", "\"\"\"", "never closed", "end it with");
    refused("tree #\"t", "#\"t", "never closed", "end it with");
    refused("tree r\"t\" { idle }", "r\"t", "raw string of KDL 1", "#\"");
    refused("tree \"\\q\" { idle }", "\"\\q", "quoted string", "escapes");
    refused("tree \"a\u{7}\" { idle }", "\u{7}", "U+0007", "\\u{7}");
    refused(
        "tree t { action a x=true\n}",
        "true",
        "without a `#`",
        "`#true`",
    );
    refused(
        "tree t { action a x=#yes\n}",
        "#yes",
        "unknown keyword",
        "#true",
    );
    refused(
        "tree t { wait 1x\n}",
        "1x",
        "not well formed",
        "numbers look like",
    );
    refused("tree t { wait .5\n}", ".5", "begins with its point", "0.5");
    refused(
        &format!("tree t {{ wait {}\n}}", "9".repeat(60)),
        "999",
        "too many digits",
        "38",
    );
    refused(
        "5 { idle }",
        "5",
        "expected a node's name, found the number",
        "",
    );
}

#[test]
fn trees() {
    refused("seqence { idle }", "seqence", "expected a `tree`", "");
    refused(
        "tre \"t\" { idle }",
        "tre",
        "expected a `tree`, found `tre`",
        "did you mean `tree`?",
    );
    refused(
        "sequence { idle }",
        "sequence",
        "expected a `tree`",
        "inside a tree",
    );
    refused("tree { idle }", "tree", "needs a name", "tree \"guard\"");
    refused(
        "tree 5 { idle }",
        "5",
        "expected the tree's name, found the number 5",
        "in quotes",
    );
    refused(
        "tree t u { idle }",
        "u {",
        "takes one argument, found 2",
        "",
    );
    refused("tree t x=1 { idle }", "x=1", "no property `x`", "");
    refused("tree t", "tree", "has no root", "add a node");
    refused(
        "tree t {\n  idle\n  fail\n}",
        "fail",
        "one root",
        "sequence",
    );
    refused(
        "tree t { idle }\ntree \"t\" { idle }",
        "\"t\"",
        "second tree is named `t`",
        "rename",
    );
    let long = "x".repeat(MAX_NAME + 1);
    refused(
        &format!("tree {long} {{ idle }}"),
        "xxx",
        "257 bytes, allowed are 256",
        "",
    );
}

#[test]
fn declarations() {
    refused(
        "tree t {\n blackboard { a f23 }\n idle }",
        "f23",
        "unknown type `f23`",
        "did you mean `f32`?",
    );
    refused(
        "tree t {\n blackboard { a string }\n idle }",
        "string",
        "unknown type",
        "the types are",
    );
    refused(
        "tree t {\n blackboard { a }\n idle }",
        "a }",
        "needs a type",
        "a f32 1.0",
    );
    refused(
        "tree t {\n blackboard { a u8 256 }\n idle }",
        "256",
        "`256` does not fit u8",
        "0 to 255",
    );
    refused(
        "tree t {\n blackboard { a u8 -1 }\n idle }",
        "-1",
        "does not fit",
        "0 to 255",
    );
    refused(
        "tree t {\n blackboard { a i32 1.5 }\n idle }",
        "1.5",
        "whole number",
        "without a point",
    );
    refused(
        "tree t {\n blackboard { a f32 #nan }\n idle }",
        "#nan",
        "finite",
        "",
    );
    refused(
        "tree t {\n blackboard { a f32 1e39 }\n idle }",
        "1e39",
        "does not fit f32",
        "e38",
    );
    refused(
        "tree t {\n blackboard { a bool 1 }\n idle }",
        "1 }",
        "truth value",
        "#true",
    );
    refused(
        "tree t {\n blackboard { a u8 (u16)1 }\n idle }",
        "u16",
        "type u8",
        "(u8)",
    );
    refused(
        "tree t {\n blackboard { a u8; a u8 }\n idle }",
        "a u8 }",
        "declared twice",
        "remove",
    );
    refused(
        "tree t {\n blackboard { a u8 }\n world { a u8 }\n idle }",
        "a u8 }\n idle",
        "twice",
        "rename",
    );
    refused(
        "tree t {\n blackboard { \"a b\" u8 }\n idle }",
        "\"a b",
        "cannot name a column",
        "letter",
    );
    refused(
        "tree t {\n world { a u8 1 2 }\n idle }",
        "2 }",
        "takes 2 arguments, found 3",
        "",
    );
}

#[test]
fn nodes() {
    refused_node(
        "  seqence { idle }",
        "seqence",
        "unknown node `seqence`",
        "did you mean `sequence`?",
    );
    refused_node(
        "  sequence {\n    Selector { idle }\n  }",
        "Selector",
        "unknown node",
        "`selector`",
    );
    refused_node(
        "  (u8)idle",
        "u8)",
        "no type annotation",
        "in front of values",
    );
    refused_node(
        "  sequence a b { idle }",
        "b {",
        "takes one argument, found 2",
        "",
    );
    refused_node(
        "  sequence a name=b { idle }",
        "a name",
        "two names",
        "keep",
    );
    refused_node(
        "  parallel sucess=1 { idle }",
        "sucess",
        "no property `sucess`",
        "did you mean `success`?",
    );
    refused_node(
        "  parallel success=1 success=1 { idle }",
        "success=1 {",
        "given twice",
        "remove",
    );
    refused_node(
        "  parallel success=-1 { idle }",
        "success",
        "no number of children",
        "all",
    );
    refused_node(
        "  parallel failure=5 { idle }",
        "parallel",
        "allowed is 1 to 1",
        "never be reached",
    );
    refused_node(
        "  sequence",
        "sequence",
        "at least one child",
        "give it a child",
    );
    refused_node(
        "  invert { idle; idle }",
        "invert",
        "exactly one child, found 2",
        "sequence",
    );
    refused_node("  condition seen { idle }", "idle", "takes no children", "");
    refused_node(
        "  condition",
        "condition",
        "needs an expression",
        "condition \"",
    );
    refused_node(
        "  condition seen alarm",
        "alarm\n}",
        "takes one argument, found 2",
        "",
    );
    refused_node("  condition \"health <\"", "\"\n}", "expected", "");
    refused_node(
        "  condition \"not heelth < 0.3\"",
        "heelth",
        "unknown",
        "`health`",
    );
    refused_node(
        "  condition #\"heelth < 0.3\"#",
        "heelth",
        "unknown",
        "`health`",
    );
    refused_node(
        "  condition \"\\theelth < 0.3\"",
        "\"\\t",
        "unknown",
        "`health`",
    );
    refused_node(
        "  set amo \"ammo\"",
        "set",
        "unknown column `amo`",
        "`ammo`",
    );
    refused_node("  set ammo", "set", "behind the column", "write");
    refused_node(
        "  subtree nowhere",
        "subtree",
        "no tree is named `nowhere`",
        "same file",
    );
    refused_node("  wait", "wait", "needs a time", "wait 2.5");
    for (time, help) in [
        ("-1", "0 to"),
        ("#nan", "0 to"),
        ("#inf", "0 to"),
        ("-0.5", "0 to"),
        ("1e300", "0 to"),
        ("\"2\"", "wait 2.5"),
    ] {
        refused_node(&format!("  wait {time}"), &format!("{time}\n"), "", help);
    }
}

#[test]
fn parameters() {
    refused_node(
        "  action",
        "action",
        "needs the name of an action",
        "action \"patrol\"",
    );
    refused_node(
        "  action 5",
        "5\n",
        "expected the name of an action",
        "quotes",
    );
    refused_node(
        "  action a x=(u9)5",
        "u9",
        "unknown type `u9`",
        "did you mean",
    );
    refused_node("  action a x=(u8)256", "256", "does not fit u8", "0 to 255");
    refused_node(
        "  action a x=5000000000",
        "5000000000",
        "does not fit i32",
        "(u64)5000000000",
    );
    refused_node("  action a x=#inf", "#inf", "finite", "");
    refused_node("  action a x=#null", "#null", "no value", "");
    refused_node(
        "  action a x=(column)5",
        "5\n",
        "expected a name behind `(column)`",
        "",
    );
    refused_node(
        "  action a x=(column)amo",
        "x=(",
        "unknown column or world value `amo`",
        "`ammo`",
    );
    refused_node(
        "  action a x=(column)alarm",
        "x=(",
        "a world value, not a column",
        "(from)",
    );
    refused_node("  action a x=1 x=2", "x=2", "given twice", "remove");
    refused_node("  action a x=1 {\n param x 2\n}", "x 2", "given twice", "");
    refused_node(
        "  action a {\n idle\n}",
        "idle",
        "no children but `param`",
        "",
    );
    refused_node(
        "  action a \"b c\"=1",
        "\"b c",
        "cannot name a parameter",
        "",
    );
}

#[test]
fn subtrees() {
    let text = "tree a { subtree b }\ntree b { sequence { subtree c } }\ntree c { subtree a }";
    refused(
        text,
        "subtree a",
        "`a` contains itself",
        "`a` → `b` → `c` → `a`",
    );
    refused(
        "tree a { subtree a }",
        "subtree",
        "contains itself",
        "`a` → `a`",
    );
    refused(
        "tree patrol { idle }\ntree b { subtree patrl }",
        "subtree",
        "`patrl`",
        "did you mean `patrol`?",
    );
    let text = "tree a { world { x u8 1 }\n subtree b }\ntree b { world { x u8 2 }\n idle }";
    refused(
        text,
        "x u8 2",
        "`x` is a world value `u8 2` in tree `b`",
        "alike",
    );
    // 10 trees of ten uses each: 10^10 nodes.
    let mut text = String::from("tree t0 { idle }\n");
    for level in 1..=10 {
        let uses = format!("subtree t{}\n", level - 1).repeat(10);
        text.push_str(&format!("tree t{level} {{ sequence {{\n{uses} }} }}\n"));
    }
    refused(
        &text,
        "t6",
        "more than 1048576 nodes",
        "copied where they are used",
    );
    let long = "x".repeat(200_000);
    let uses = "subtree b\n".repeat(1000);
    let text = format!("tree a {{ sequence {{\n{uses} }} }}\ntree b {{ action a x={long} }}");
    refused(&text, "a {", "more than 67108864 bytes", "copied");
    let text = "tree a { sequence { subtree b name=first; subtree b } }\ntree b { blackboard { n u8 }\n action go }";
    let document = parse("a.kdl", text).unwrap();
    let tree = document.main();
    assert_eq!(tree.columns().len(), 1);
    assert_eq!(
        tree.nodes()
            .map(|node| tree.path(node.id))
            .collect::<Vec<_>>(),
        ["a", "a/first", "a/b"]
    );
}

#[test]
fn errors_come_all_at_once_and_many_are_counted() {
    let text = format!("tree t {{ sequence {{\n{} }} }}", "seqence\n".repeat(1500));
    let errors = errors(&text);
    assert_eq!((errors.len(), errors.iter().len()), (1500, 1000));
    assert!(
        errors
            .to_string()
            .ends_with("1500 errors, 1480 of them not shown")
    );
    let two = errors_of("tree t {\n\tsequence {\n\t\twait -1\n\t\tidel\n\t}\n}\n");
    let expected = "\
error[P0108]: `-1` is no time
 --> a.kdl:3:8
  |
3 |         wait -1
  |              ^^
  = help: allowed are 0 to 1152921504606 seconds

error[P0101]: unknown node `idel`
 --> a.kdl:4:3
  |
4 |         idel
  |         ^^^^
  = help: did you mean `idle`?

2 errors";
    assert_eq!(two, expected);
}

#[test]
fn no_name_reaches_a_terminal_as_it_is() {
    let clean = |shown: &str| {
        assert!(
            !shown.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
            "{shown:?}"
        );
    };
    let scanned = errors_of("tree t { condition \"a \\u{1b}[31m\" }");
    assert!(
        scanned.contains(r"found `\u{1b}`, which begins"),
        "{scanned}"
    );
    clean(&scanned);
    clean(&errors_of("tree t { condition \"a \\u{202e}\" }"));
    let column = "tree t { blackboard { \"x\\u{1b}\\nerror: y\" bool; }; condition \"z\"; }";
    let shown = errors_of(column);
    clean(&shown);
    assert!(!shown.contains("\nerror: y"), "{shown}");
    let file = parse("\u{1b}[31m\u{202e}\nerror: x", "tree t { idel; }").unwrap_err();
    let shown = file.to_string();
    clean(&shown);
    assert!(
        shown.contains(r"--> \u{1b}[31m\u{202e}\nerror: x:1:10"),
        "{shown}"
    );
}

#[test]
fn what_is_wrong_with_a_block_is_what_it_is_given() {
    for (node, part, word) in [
        (
            "while-do { while \"x\" { idle; }; do { idle; }; }",
            "\"x\"",
            "`while`",
        ),
        (
            "if-then { if { idle; }; then name=\"x\" { idle; }; }",
            "name=",
            "`then`",
        ),
        (
            "if-then { if when=\"seen\" { idle; }; then { idle; }; }",
            "when=",
            "`if`",
        ),
    ] {
        let message = format!("the block {word} takes no arguments and no properties");
        refused_node(node, part, &message, "they belong to the node inside");
    }
}

#[test]
fn words_of_expressions_name_nothing() {
    let help = "it is a word of the expression language";
    for (text, part) in [
        ("tree t { blackboard { and bool; }; idle; }", "and"),
        (
            "tree t { blackboard { m enum \"not\"; }; idle; }",
            "\"not\"",
        ),
        ("tree t { params { or u8; }; idle; }", "or u8"),
    ] {
        refused(text, part, "cannot name a", help);
    }
}

#[test]
fn a_parameter_is_not_called_like_a_label() {
    refused(
        "tree p { params { a.b u8 1; }; blackboard { a enum \"b\"; }; condition \"a == a.b\"; }",
        "a.b u8",
        "`a.b` is a label and a parameter",
        "another name",
    );
    let apart =
        "tree p { params { a.c u8 1; }; blackboard { a enum \"b\"; }; condition \"a == a.c\"; }";
    assert!(parse("a.kdl", apart).is_ok());
}

#[test]
fn a_tree_of_an_included_file_cannot_be_named() {
    let mut loader = |_: &str| Ok::<_, pleach_text::LoadError>("tree other { idle; }".to_owned());
    let text = "include \"b.kdl\"\ntree main { subtree other; }\ntree second { idle; }";
    let place = pleach_text::FilePlace::new("a.kdl");
    let document = pleach_text::parse_with(&place, text, &mut loader).unwrap();
    let shown = document.compile("other").unwrap_err().to_string();
    for part in [
        "stands in an included file",
        "b.kdl:1:6",
        "`main`, `second`",
    ] {
        assert!(shown.contains(part), "{shown}");
    }
    let shown = document.compile("nothing").unwrap_err().to_string();
    assert!(shown.contains("the file has `main`, `second`"), "{shown}");
}
