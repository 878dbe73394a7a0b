//! `pleach draw` and `pleach dump`, run as people run them.

mod run;

use std::fs;
use std::path::Path;

use run::{bad, folder, good, pleach, refused};

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn the_ending_of_a_file_says_what_it_is() {
    let folder = folder("draw-endings");
    for (name, beginning) in [
        ("a.svg", "<svg "),
        ("a.SVG", "<svg "),
        ("a.mmd", "flowchart "),
        ("a.mermaid", "flowchart "),
        ("a.dot", "digraph "),
        ("a.gv", "digraph "),
    ] {
        let path = folder.join(name);
        let printed = good(&["draw", "trees/guard.kdl", "-o", path.to_str().unwrap()]);
        assert_eq!(printed, "");
        assert!(text(&path).starts_with(beginning), "{name}");
    }
    let path = folder.join("picture");
    let name = path.to_str().unwrap();
    let errors = refused(1, &["draw", "trees/guard.kdl", "-o", name]);
    for wanted in ["picture`: ", "`.svg`, `.mmd` or `.dot`", "`--format`"] {
        assert!(errors.contains(wanted), "no {wanted:?} in {errors}");
    }
    good(&["draw", "trees/guard.kdl", "-o", name, "--format", "dot"]);
    assert!(text(&path).starts_with("digraph "));
}

#[test]
fn without_a_file_it_is_printed() {
    let svg = good(&["draw", "trees/guard.kdl"]);
    let picture = roxmltree::Document::parse(&svg).unwrap();
    let frames = picture
        .descendants()
        .filter(|node| node.tag_name().name() == "svg");
    assert_eq!(frames.count(), 1 + 17);
    assert_eq!(good(&["draw", "trees/guard.kdl", "-o", "-"]), svg);
    assert_ne!(good(&["draw", "trees/guard.kdl", "--theme", "dark"]), svg);
    let mermaid = good(&["draw", "trees/guard.kdl", "--format", "mermaid"]);
    assert!(
        mermaid.contains("    n1[\"→ flee<br/>sequence\"]:::composite\n"),
        "{mermaid}"
    );
    let folded = good(&[
        "draw",
        "trees/guard.kdl",
        "--format",
        "mermaid",
        "--depth",
        "1",
    ]);
    assert!(folded.contains("… 16 nodes"), "{folded}");
}

#[test]
fn a_tree_is_chosen_by_name() {
    let path = folder("draw-names").join("two.kdl");
    let name = path.to_str().unwrap();
    fs::write(
        &path,
        "tree \"a\" { idle }\ntree \"b\" { sequence \"of b\" { succeed } }\n",
    )
    .unwrap();
    assert!(good(&["draw", name, "--tree", "b"]).contains("of b"));
    assert!(!good(&["draw", name]).contains("of b"));
    assert!(refused(1, &["draw", name, "--tree", "c"]).contains("no tree is named `c`"));
    assert!(refused(1, &["draw", "trees/common/patrol.kdl"]).contains("can run by itself"));
    assert!(bad(2, &["draw", name, "--depth", "0"]).contains("--depth"));
    assert!(bad(2, &["draw", name, "--theme", "neon"]).contains("--theme"));
}

#[test]
fn a_tree_that_does_not_compile_is_drawn_with_a_warning() {
    let path = folder("draw-wrong").join("wrong.kdl");
    let name = path.to_str().unwrap();
    fs::write(&path, "tree \"a\" { condition \"healht > 1\" }\n").unwrap();
    let output = pleach(&["draw", name]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("healht &gt; 1")
    );
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.starts_with("warning: this tree does not compile; `pleach check "),
        "{errors}"
    );
    assert_eq!(errors.lines().count(), 1);
}

#[test]
fn what_is_too_large_is_refused_and_what_stood_there_stays() {
    let folder = folder("draw-large");
    let tree = folder.join("large.kdl");
    let leaves = "sequence { idle; idle; }\n".repeat(4_000);
    fs::write(
        &tree,
        format!("tree \"large\" {{ sequence {{ {leaves} }} }}"),
    )
    .unwrap();
    let picture = folder.join("large.svg");
    fs::write(&picture, "what stood there").unwrap();
    let [tree, name] = [&tree, &picture].map(|path| path.to_str().unwrap());
    let errors = refused(1, &["draw", tree, "-o", name]);
    assert_eq!(
        errors,
        "error: the picture would have 12001 nodes; the most is 10000\n  = help: `--depth 2` folds what is deeper\n"
    );
    assert_eq!(text(&picture), "what stood there");
    good(&["draw", tree, "-o", name, "--depth", "2"]);
    assert!(text(&picture).contains("… 2 nodes"));
    assert_eq!(
        fs::read_dir(&folder).unwrap().count(),
        2,
        "no draft is left"
    );
}

#[test]
fn no_name_in_a_file_disturbs_what_is_drawn() {
    let path = folder("draw-escapes").join("escapes.kdl");
    let name = path.to_str().unwrap();
    let tree = r#"tree "x\u{1b}[31m\u{202e}" {
        sequence "a\u{1b}[2J\nb" { action "\u{7}\u{9b}c" text="\u{202e}"; }
    }"#;
    fs::write(&path, tree).unwrap();
    for format in ["svg", "mermaid", "dot"] {
        let drawn = good(&["draw", name, "--format", format]);
        assert!(
            !drawn.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
            "{drawn:?}"
        );
        assert!(drawn.contains("1b"), "{drawn}");
    }
}

#[test]
fn tokens_stand_side_by_side_with_their_jumps() {
    let listed = good(&["dump", "--tokens", "trees/guard.kdl"]);
    for wanted in [
        "plain stream of \"guard\": 17 tokens ",
        "│ guarded stream: 33 tokens\n",
        "  0 reactive-selector \"guard\" ",
        "..17  │   0    reactive-selector\n",
        "│   3  ╭─^ guard S→4 F→8 R→8 keeps (1, 2)\n",
        "│   5  ├─^ guard S→6 F→8 R→8 keeps (1, 3)\n",
        "│   7  │ ^ guard S→8 F→8 R→8 keeps (1, 4)\n",
        "│   8 ╭┴▸^ guard S→end F→9 R→end\n",
        "│     ╰─▸end\n",
    ] {
        assert!(listed.contains(wanted), "no {wanted:?} in\n{listed}");
    }
    for tree in ["guard", "watch", "plant", "dwarf", "stream_example"] {
        let listed = good(&["dump", "--tokens", &format!("trees/{tree}.kdl")]);
        let (tokens, _) = listed.split_once("\nrequirements\n").unwrap();
        for line in tokens.lines() {
            assert!(line.chars().count() <= 120, "{line}");
        }
    }
    // A test whose answers lead to three places.
    let listed = good(&["dump", "--tokens", "trees/watch.kdl"]);
    assert!(listed.contains("13       then: timeout 20 s "), "{listed}");
    assert!(listed.contains("╭┬──^ guard-if S→23 F→29 R→39"), "{listed}");
    assert!(listed.contains("├┼──^ guard S→39 F→39 R→39"), "{listed}");
    assert!(listed.contains("│╰─▸delay\n"), "{listed}");
}

#[test]
fn branches_are_called_by_their_case() {
    let shown = good(&["dump", "trees/watch.kdl"]);
    for wanted in [
        "   ├─ combat: while sees_thief\n",
        "   │  ├─ if: condition sees_thief\n",
        "   └─ else: while-do-else\n",
    ] {
        assert!(shown.contains(wanted), "no {wanted:?} in\n{shown}");
    }
}

#[test]
fn arrows_of_deep_trees_end_at_the_last_lane() {
    let path = folder("dump-deep").join("deep.kdl");
    let deep = format!(
        "{}idle{}",
        "selector { sequence { ".repeat(30),
        "; succeed } ; fail }".repeat(30)
    );
    fs::write(&path, format!("tree \"deep\" {{ {deep} }}")).unwrap();
    let listed = good(&["dump", "--tokens", path.to_str().unwrap()]);
    let (tokens, _) = listed.split_once("\nrequirements\n").unwrap();
    let margins = tokens
        .lines()
        .skip(2)
        .filter_map(|line| line.split_once("│ "));
    let mut arrows = 0;
    for (_, line) in margins {
        let margin: String = line.chars().skip(4).take(9).collect();
        assert!(margin.chars().all(|c| " │├╭╰┴┬┼╋─▸".contains(c)), "{line}");
        arrows += margin.matches('▸').count();
    }
    assert_eq!(arrows, 8);
}

#[test]
fn listing_takes_no_longer_than_the_tree_is_large() {
    let path = folder("dump-large").join("large.kdl");
    let leaves = "sequence { idle; condition \"alarm\"; }\n".repeat(33_000);
    fs::write(
        &path,
        format!("tree \"large\" {{\n world {{ alarm bool; }}\n selector {{\n {leaves} }}\n}}"),
    )
    .unwrap();
    let listed = good(&["dump", "--tokens", path.to_str().unwrap()]);
    assert!(listed.lines().count() > 198_000);
}

#[test]
fn the_page_on_tools_shows_what_is_printed() {
    let page = text(&run::root("docs/tools.md"));
    let block = |language: &str| {
        let (_, behind) = page.split_once(&format!("\n```{language}\n")).unwrap();
        behind.split_once("```\n").unwrap().0
    };
    let mermaid = good(&["draw", "trees/dwarf.kdl", "--format", "mermaid"]);
    assert_eq!(block("mermaid"), mermaid);
    let listed = good(&["dump", "--tokens", "trees/dwarf.kdl"]);
    let (tokens, _) = listed.split_once("\nrequirements\n").unwrap();
    assert_eq!(block("text"), tokens);
}
