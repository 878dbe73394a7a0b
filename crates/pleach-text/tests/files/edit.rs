//! Edits: one value changes, every other byte stays; what would be wrong is refused.

use pleach_text::{Editor, FilePlace, Format, Literal, LoadError, NodePlace, TreeFile, parse_with};
use proptest::prelude::*;

use crate::drafts::file;

const ODD: &str = "\u{feff}// head\r\ntree  \"guard\"  /* c */ {\r\n\tblackboard{ health   f32 1_0.50 ;mode enum idle \"alert\" default=idle // m\r\n  post u64 }\r\n  params { pause f32; }\r\n reactive_selector {\r\n   // flee\r\n\tsequence flee  when = \"health < 0.3\" abort_when=#false {\r\n\t\taction \"flee\"  speed = ( f32 ) 4 \\ // more\r\n  count=0x10 /-old=1 { param \"line\" \"a\" ; param \"name\" 2 }; wait (param)pause\r\n }\r\n parallel success=1 { idle; idle /* b */ }\r\n subtree other\r\n }\r\n}\r\n/- tree gone { idle }\r\ntree other { succeed \"done\" }";

fn at(path: &str) -> NodePlace<'_> {
    at_in("guard", path)
}

fn at_in<'a>(tree: &'a str, path: &'a str) -> NodePlace<'a> {
    NodePlace::Path { tree, path }
}

/// Makes a change, which must be the one that is expected and no other.
#[track_caller]
fn edits(
    change: impl FnOnce(&mut Editor<'_>) -> Result<(), pleach_text::Diagnostics>,
    old: &str,
    new: &str,
) {
    let mut editor = Editor::new("a.kdl", ODD).unwrap();
    change(&mut editor).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(ODD.matches(old).count(), 1, "{old}");
    assert_eq!(editor.text(), ODD.replacen(old, new, 1));
}

#[test]
fn one_value_changes_and_every_other_byte_stays() {
    let flee = "guard/abort-when-1/when-1/flee";
    let action = "guard/abort-when-1/when-1/flee/action-1";
    edits(
        |e| e.set_property(at(action), "speed", 4.5),
        "( f32 ) 4",
        "4.5",
    );
    edits(
        |e| e.set_property(at(action), "count", Literal::kdl("(u8)0x11")),
        "0x10",
        "(u8)0x11",
    );
    edits(
        |e| e.set_property(at(action), "line", "\"b\"\n"),
        "\"a\"",
        "\"\\\"b\\\"\\n\"",
    );
    edits(
        |e| e.set_property(at(action), "to", Literal::kdl("(column)post")),
        "count=0x10",
        "count=0x10 to=(column)post",
    );
    edits(
        |e| e.set_property(at("guard/flee/action-1"), "count", 2),
        "0x10",
        "2",
    );
    edits(
        |e| e.remove_property(at(action), "count"),
        "  count=0x10",
        "",
    );
    edits(
        |e| e.remove_property(at(action), "speed"),
        "  speed = ( f32 ) 4",
        "",
    );
    edits(
        |e| e.set_argument(at(action), 0, "run"),
        "action \"flee\"",
        "action \"run\"",
    );
    edits(
        |e| e.rename(at(action), Some("first")),
        "count=0x10",
        "count=0x10 name=\"first\"",
    );
    edits(
        |e| e.rename(at(flee), Some("run away")),
        "sequence flee",
        "sequence \"run away\"",
    );
    edits(|e| e.rename(at(flee), None), "sequence flee", "sequence");
    edits(
        |e| e.set_property(at(flee), "abort-when", "health < 0.1"),
        "#false",
        "\"health < 0.1\"",
    );
    edits(
        |e| e.set_argument(at("guard/abort-when-1/when-1"), 0, true),
        "when = \"health < 0.3\"",
        "when = #true",
    );
    edits(
        |e| e.set_property(at("guard/parallel-2"), "failure", "all"),
        "success=1",
        "success=1 failure=\"all\"",
    );
    edits(
        |e| e.set_property(at("guard/parallel-2/idle-2"), "_uid", "7"),
        "idle /* b */",
        "idle _uid=\"7\" /* b */",
    );
    edits(
        |e| e.rename(at("guard/done"), Some("rest")),
        "subtree other",
        "subtree other name=\"rest\"",
    );
    edits(
        |e| e.set_default("guard", "health", Some(0.25.into())),
        "1_0.50",
        "0.25",
    );
    edits(|e| e.set_default("guard", "health", None), " 1_0.50", "");
    edits(
        |e| e.set_default("guard", "mode", Some("alert".into())),
        "default=idle",
        "default=\"alert\"",
    );
    edits(
        |e| e.set_default("guard", "post", Some(Literal::kdl("18446744073709551615"))),
        "post u64",
        "post u64 18446744073709551615",
    );
    edits(
        |e| e.set_default("guard", "pause", Some(2.into())),
        "pause f32",
        "pause f32 2",
    );
    let offset = ODD.find("count").unwrap() + 2;
    edits(
        |e| e.set_property(NodePlace::Offset(offset), "count", 7),
        "0x10",
        "7",
    );
    let offset = ODD.find("idle /*").unwrap();
    edits(
        |e| e.rename(NodePlace::Offset(offset), Some("b")),
        "idle /* b */",
        "idle name=\"b\" /* b */",
    );
}

/// The first message of what is refused; the text stays.
#[track_caller]
fn refused(change: impl FnOnce(&mut Editor<'_>) -> Result<(), pleach_text::Diagnostics>) -> String {
    let mut editor = Editor::new("a.kdl", ODD).unwrap();
    let errors = change(&mut editor).unwrap_err();
    assert_eq!(editor.text(), ODD);
    errors.to_string()
}

#[test]
fn what_would_be_wrong_is_refused() {
    let action = "guard/abort-when-1/when-1/flee/action-1";
    for (errors, message) in [
        (
            refused(|e| e.set_property(at("guard/parallel-2"), "success", 3)),
            "3",
        ),
        (
            refused(|e| e.set_property(at("guard/parallel-2"), "when", "helth > 1")),
            "did you mean `health`?",
        ),
        (
            refused(|e| e.set_property(at(action), "a b", Literal::kdl("1 x=2"))),
            "`1 x=2` is not one value",
        ),
        (
            refused(|e| e.set_property(at(action), "a", Literal::kdl("1 // c"))),
            "`1 // c` is not one value",
        ),
        (
            refused(|e| e.set_property(at(action), "a", Literal::kdl("} x"))),
            "`} x` is not one value",
        ),
        (
            refused(|e| e.set_property(at(action), "a", Literal::kdl(""))),
            "`` is not one value",
        ),
        (
            refused(|e| e.set_property(at(action), "a", f32::NAN)),
            "expected a finite number",
        ),
        (
            refused(|e| e.set_property(at(action), "to", Literal::kdl("(column)\"gone\""))),
            "`gone`",
        ),
        (
            refused(|e| e.remove_property(at(action), "sped")),
            "did you mean `speed`?",
        ),
        (
            refused(|e| e.remove_property(at(action), "line")),
            "on a line of the node's block",
        ),
        (
            refused(|e| e.set_argument(at(action), 2, 1)),
            "`action` has one argument",
        ),
        (
            refused(|e| e.set_argument(at(action), 1, 1)),
            "`action` takes one argument, found 2",
        ),
        (
            refused(|e| e.rename(at("guard/abort-when-1"), Some("x"))),
            "a guard that is a property has no name",
        ),
        (
            refused(|e| e.rename(at("guard/x"), None)),
            "nothing here is called `x`",
        ),
        (
            refused(|e| e.rename(at("guard/done/x"), None)),
            "it leads into tree `other`",
        ),
        (
            refused(|e| {
                e.rename(
                    NodePlace::Path {
                        tree: "gard",
                        path: "gard",
                    },
                    None,
                )
            }),
            "did you mean `guard`?",
        ),
        (
            refused(|e| e.rename(NodePlace::Offset(0), None)),
            "no node stands at line 1, column 1",
        ),
        (
            refused(|e| e.rename(NodePlace::Offset(usize::MAX), None)),
            "no node stands at line",
        ),
        (
            refused(|e| e.set_default("guard", "healt", None)),
            "did you mean `health`?",
        ),
        (
            refused(|e| e.set_default("guard", "mode", Some("asleep".into()))),
            "`asleep` is no label",
        ),
        (
            refused(|e| e.set_default("guard", "health", Some(true.into()))),
            "expected a number of type f32",
        ),
    ] {
        assert!(errors.contains(message), "{message}: {errors}");
    }
    let json = TreeFile::read(Format::Kdl, "a.kdl", ODD)
        .unwrap()
        .write(Format::Json)
        .unwrap();
    let errors = Editor::new("a.json", &json).unwrap_err();
    assert!(
        errors
            .to_string()
            .contains("only texts in KDL can be edited")
    );
}

#[test]
fn changes_that_go_together_are_judged_together() {
    let text = "tree \"a\" { blackboard { mode enum \"x\" \"y\" }; switch \"mode\" { case \"x\" { idle }; else { fail } } }";
    let mut editor = Editor::new("a.kdl", text).unwrap();
    let switch = NodePlace::Path {
        tree: "a",
        path: "a",
    };
    assert!(editor.set_argument(switch, 0, "other").is_err());
    let errors = editor.together(|editor| {
        editor.rename(switch, Some("s"))?;
        editor.set_argument(switch, 0, "other")
    });
    assert!(errors.is_err());
    assert_eq!(editor.text(), text);
    editor
        .together(|editor| {
            let fail = NodePlace::Path {
                tree: "a",
                path: "s/fail-2",
            };
            editor.rename(switch, Some("s"))?;
            editor.rename(fail, Some("no"))
        })
        .unwrap();
    assert!(
        editor.text().contains("switch \"mode\" name=\"s\"")
            && editor.text().contains("fail name=\"no\"")
    );
}

#[test]
fn included_files_count() {
    let loader = |path: &str| match path {
        "b.kdl" => Ok("tree \"b\" { params { n u8 }; repeat (param)\"n\" { idle } }".to_owned()),
        _ => Err(LoadError::new("there is no such file")),
    };
    let text = "include \"b.kdl\"\ntree \"a\" { subtree \"b\" n=3 }";
    let mut editor = Editor::with_loader(FilePlace::new("a.kdl"), text, loader).unwrap();
    let root = NodePlace::Path {
        tree: "a",
        path: "b",
    };
    let errors = editor.set_property(root, "n", 300).unwrap_err().to_string();
    assert!(errors.contains("does not fit u8"), "{errors}");
    editor.set_property(root, "n", 4).unwrap();
    assert_eq!(editor.text(), text.replace("n=3", "n=4"));
}

/// A use of a tree of another file has the path that it has in the tree: by the name of that one's root.
#[test]
fn uses_of_included_trees_are_called_like_their_roots() {
    let loader = |path: &str| match path {
        "b.kdl" => Ok("include \"c.kdl\"\ntree b { fail core }".to_owned()),
        _ => Ok("tree c { fail }".to_owned()),
    };
    let text = "include \"b.kdl\"\ntree a { selector { subtree b; subtree c; subtree b name=n } }";
    let place = FilePlace::new("a.kdl");
    let mut files = loader;
    let document = parse_with(&place, text, &mut files).unwrap();
    let tree = document.tree("a").unwrap();
    let mut editor = Editor::with_loader(place, text, loader).unwrap();
    for node in tree.nodes() {
        editor
            .set_property(at_in("a", &tree.path(node.id)), "_n", 1)
            .unwrap_or_else(|error| panic!("{error}"));
    }
    assert_eq!(
        editor.text(),
        "include \"b.kdl\"\ntree a { selector _n=1 { subtree b _n=1; subtree c _n=1; subtree b name=n _n=1 } }"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// A note of an editor can be put on any node of any file: the text without it is the text before.
    #[test]
    fn any_node_takes_a_note(text in file(), node in any::<prop::sample::Index>(), value in any::<String>()) {
        let starts: Vec<usize> = text.match_indices(char::is_alphabetic).map(|(at, _)| at).collect();
        let offset = starts[node.index(starts.len())];
        let mut editor = Editor::new("a.kdl", &text).unwrap();
        if editor.set_property(NodePlace::Offset(offset), "_note", value.as_str()).is_err() {
            // No node stands there.
            return Ok(());
        }
        let mut note = String::new();
        TreeFile::read(Format::Kdl, "a.kdl", editor.text()).unwrap();
        if let Some(at) = editor.text().find(" _note=") {
            note.push_str(&editor.text()[at..at + editor.text().len() - text.len()]);
        }
        prop_assert_eq!(editor.text().replacen(&note, "", 1), text.clone());
        editor.remove_property(NodePlace::Offset(offset), "_note").unwrap();
        prop_assert_eq!(editor.text(), &text);
    }
}
