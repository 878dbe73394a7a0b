//! Edits at random: a text is made of pieces whose places are known, so that it is known, to the byte,
//! what each edit must leave.

use std::ops::Range;

use pleach_text::{Editor, Literal, NodePlace};
use proptest::prelude::*;

/// A text that is being made, and what can be edited in it.
struct Maker {
    text: String,
    dice: u64,
    places: Vec<Place>,
    /// The paths of all nodes.
    paths: Vec<String>,
}

/// A value of the text.
#[derive(Clone, Debug)]
struct Place {
    node: Node,
    what: What,
    /// The value, with its type.
    value: Range<usize>,
    /// The entry, with the blanks before it.
    entry: Range<usize>,
}

#[derive(Clone, Debug)]
enum Node {
    /// Its path, which may be that of others, too, and a byte of its word.
    Of(String, usize),
    Declared(&'static str),
}

#[derive(Clone, Debug)]
enum What {
    Property(&'static str),
    Argument(usize),
    /// A line `param`.
    Line(&'static str),
    /// The first argument or `name=`.
    Name,
    Default,
}

const SPACES: [&str; 12] = [
    " ",
    " ",
    "  ",
    "\t",
    "\u{3000}",
    "\u{a0} ",
    " /* =\"}\" */ ",
    "/* /* 1 */ */",
    " \\\r\n\t",
    " \\ // x=1 {\r\n ",
    " /-old=(u8)1 ",
    " /- \"a\\\"b\" ",
];
const ENDS: [&str; 7] = [
    "\n",
    "\r\n",
    ";",
    "; ",
    " // end }\r\n",
    "\u{2028}",
    " ;\t/- idle\n",
];
const BLANKS: [&str; 6] = [
    "",
    " ",
    "\r\n\t",
    "/* } */",
    "// {\n",
    "/-sequence { \"a\" }\n",
];

impl Maker {
    fn below(&mut self, count: usize) -> usize {
        self.dice = self
            .dice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.dice >> 33) as usize % count
    }

    fn one(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len())]
    }

    fn put(&mut self, of: &[&'static str]) {
        let one = self.one(of);
        self.text.push_str(one);
    }

    /// A blank and an entry, and where both stand.
    fn entry(&mut self, key: &str, values: &[&'static str]) -> (Range<usize>, Range<usize>) {
        self.put(&SPACES);
        let start = self.text.trim_end_matches([' ', '\t']).len();
        if !key.is_empty() {
            let key = match self.below(5) {
                0 => format!("\"{key}\""),
                1 => format!("#\"{key}\"#"),
                2 => format!("\"\\u{{{:x}}}{}\"", key.as_bytes()[0], &key[1..]),
                _ => key.to_owned(),
            };
            self.text.push_str(&key);
            self.put(&["=", "=", " = ", " /* = */= \\\r\n "]);
        }
        let at = self.text.len();
        self.put(values);
        (at..self.text.len(), start..self.text.len())
    }

    fn place(&mut self, node: &Node, what: What, (value, entry): (Range<usize>, Range<usize>)) {
        let node = node.clone();
        self.places.push(Place {
            node,
            what,
            value,
            entry,
        });
    }

    fn word(&mut self, words: &[&'static str]) -> usize {
        self.put(&BLANKS);
        let word = self.one(words);
        let at = self.text.len();
        let quoted = match self.below(5) {
            0 => format!("\"{word}\""),
            _ => word.to_owned(),
        };
        self.text.push_str(&quoted);
        at
    }

    fn node(&mut self, parent: &str, number: usize, depth: usize) {
        let kind = match depth {
            0 => self.below(3),
            _ => self.below(6),
        };
        let word = ["action", "wait", "set", "sequence", "repeat", "parallel"][kind];
        let words = [
            &["action"][..],
            &["wait"],
            &["set"],
            &["sequence"],
            &["repeat", "loop"],
            &["parallel"],
        ][kind];
        let name = (self.below(3) == 0).then(|| self.one(&["a", "b", "é 漢", "q"]));
        let start = self.word(words);
        // Guards have parts of the path, the outermost first.
        let guards = [["done_when", "done-when"], ["when", "when"]];
        let guards: Vec<_> = guards.into_iter().filter(|_| self.below(5) == 0).collect();
        let (mut path, mut number) = (parent.to_owned(), number);
        for [_, guard] in &guards {
            path = match path.is_empty() {
                true => "t".to_owned(),
                false => format!("{path}/{guard}-{number}"),
            };
            self.paths.push(path.clone());
            number = 1;
        }
        path = match (name, path.is_empty()) {
            (Some(name), true) => name.to_owned(),
            (Some(name), false) => format!("{path}/{name}"),
            (None, true) => "t".to_owned(),
            (None, false) => format!("{path}/{word}-{number}"),
        };
        self.paths.push(path.clone());
        let node = Node::Of(path.clone(), start);
        match word {
            "action" => {
                let at = self.entry(
                    "",
                    &[
                        "\"go\"",
                        "go",
                        "#\"g\"o\"#",
                        "\"\"\"\r\n  g\r\n   o\r\n  \"\"\"",
                        "\"g\\\r\n   o\"",
                    ],
                );
                self.place(&node, What::Argument(0), at);
                if self.below(2) == 0 {
                    let at = self.entry(
                        "speed",
                        &[
                            "4",
                            "4.5",
                            "(f32)4",
                            "( \"f32\" ) 4",
                            "(u8)/* 1 */0x1_f",
                            "(column)\"x\"",
                            "-1_0.5e-1",
                            "(from)x",
                        ],
                    );
                    self.place(&node, What::Property("speed"), at);
                }
                if self.below(2) == 0 {
                    let at = self.entry(
                        "line",
                        &[
                            "halt",
                            "\"}\\\"{\"",
                            "##\"a\"#b\"##",
                            "\"\"\"\n\t=x\n\n\t\"\"\"",
                            "#\"\"\"\r\n \"\"\r\n \"\"\"#",
                            "\"\u{1f600}\"",
                            "#true",
                        ],
                    );
                    self.place(&node, What::Property("line"), at);
                }
            }
            "wait" => {
                let at = self.entry("", &["1", "0x10", "2.5e-1", "0"]);
                self.place(&node, What::Argument(0), at);
                if self.below(2) == 0 {
                    let at = self.entry("", &["100", "7_0.0"]);
                    self.place(&node, What::Argument(1), at);
                }
            }
            "set" => {
                let at = self.entry("", &["x", "\"x\"", "\"\\u{78}\""]);
                self.place(&node, What::Argument(0), at);
                let at = self.entry("", &["1", "\"x + 1\"", "-0b1", "#\"min(x, 2)\"#"]);
                self.place(&node, What::Argument(1), at);
            }
            "repeat" => {
                let at = self.entry("", &["1", "0x7", "3"]);
                self.place(&node, What::Argument(0), at);
                if self.below(2) == 0 {
                    let key = self.one(&["break-on-failure", "break_on_failure"]);
                    let at = self.entry(key, &["#true", "#false"]);
                    self.place(&node, What::Property("break-on-failure"), at);
                }
            }
            "parallel" if self.below(2) == 0 => {
                let at = self.entry("success", &["1", "all", "#\"all\"#"]);
                self.place(&node, What::Property("success"), at);
            }
            _ => {}
        }
        let named = match name {
            Some("a") => Some(("\"a\"", "a")),
            Some("b") => Some(("\"\\u{62}\"", "#\"b\"#")),
            Some("q") => Some(("q", "\"\"\"\r\nq\r\n\"\"\"")),
            Some(_) => Some(("\"é 漢\"", "#\"é 漢\"#")),
            None => None,
        };
        if let Some((first, second)) = named {
            let written: &[&'static str] = &[first, second];
            let key = match word {
                "sequence" | "parallel" if self.below(2) == 0 => "",
                _ => "name",
            };
            let at = self.entry(key, written);
            self.place(&node, What::Name, at);
        }
        if self.below(3) == 0 {
            let at = self.entry("_uid", &["7", "\"x=1\"", "#false", "\"\"\"\n\"\"\""]);
            self.place(&node, What::Property("_uid"), at);
        }
        for guard in guards {
            let key = self.one(&guard);
            let at = self.entry(
                key,
                &[
                    "\"x > 1\"",
                    "#true",
                    "\"\"\"\n x\\\n  >= 3\n \"\"\"",
                    "#\"x!=1\"#",
                ],
            );
            self.place(&node, What::Property(guard[1]), at);
        }
        if word == "action" && self.below(4) == 0 {
            self.put(&[" {", "{", " /-{ x } {"]);
            self.word(&["param"]);
            self.entry("", &["\"far\"", "far", "#\"far\"#"]);
            let at = self.entry("", &["5", "\"y;\"", "(u16)9", "(column)x"]);
            self.place(&node, What::Line("far"), at);
            self.put(&ENDS);
            self.put(&["}", "} /-{ y; }"]);
        }
        if kind >= 3 {
            self.put(&[" {", "{", "\t{\r\n", " /-{ x } { // c }\n"]);
            let count = match word {
                "repeat" => 1,
                _ => 1 + self.below(3),
            };
            for number in 1..=count {
                self.node(&path, number, depth - 1);
            }
            self.put(&["}", " }", "\r\n}", "} /- { y }"]);
        }
        self.put(&ENDS);
    }

    fn file(dice: u64) -> Maker {
        let mut maker = Maker {
            text: String::new(),
            dice,
            places: Vec::new(),
            paths: Vec::new(),
        };
        maker.put(&["", "\u{feff}", "// tree\r\n", "/- tree \"t\" { idle }\n"]);
        maker.text.push_str("tree t {");
        maker.word(&["blackboard"]);
        maker.put(&[" {", "{\r\n", " /-{ z } {"]);
        maker.word(&["x"]);
        maker.entry("", &["i32", "\"i32\""]);
        let node = Node::Declared("x");
        let at = maker.entry("", &["1", "0x1_0", "-3"]);
        maker.place(&node, What::Default, at);
        maker.put(&ENDS);
        maker.word(&["mode"]);
        maker.text.push_str(" enum a \"b\"");
        let node = Node::Declared("mode");
        let at = maker.entry("default", &["a", "\"b\"", "#\"b\"#"]);
        maker.place(&node, What::Default, at);
        maker.put(&ENDS);
        maker.put(&["}", " }"]);
        maker.put(&ENDS);
        let depth = maker.below(5);
        maker.node("", 1, depth);
        maker.put(&BLANKS);
        maker.text.push('}');
        maker
    }
}

/// Another value that may stand there, and how it is written.
fn other(place: &Place, dice: u64) -> (Literal, &'static str) {
    let pick = |of: &[(Literal, &'static str)]| of[dice as usize % of.len()].clone();
    match place.what {
        What::Property("success") => pick(&[("all".into(), "\"all\""), (1.into(), "1")]),
        What::Property("break-on-failure") => {
            pick(&[(true.into(), "#true"), (false.into(), "#false")])
        }
        What::Property("when" | "done-when") => pick(&[
            ("x < 7\n".into(), "\"x < 7\\n\""),
            (false.into(), "#false"),
            (Literal::kdl("#\"x\r\n == 2\"#"), ""),
            (Literal::kdl("#\"x == 2\"#"), "#\"x == 2\"#"),
            (Literal::kdl("\"\"\"\r\n  x\r\n  \"\"\""), ""),
            (
                Literal::kdl("\"\"\"\r\n  x>2\r\n  \"\"\""),
                "\"\"\"\r\n  x>2\r\n  \"\"\"",
            ),
        ]),
        What::Property(_) | What::Line(_) => pick(&[
            (
                "\"\\\r\n{};//\u{7}\u{202e}".into(),
                "\"\\\"\\\\\\r\\n{};//\\u{7}\\u{202e}\"",
            ),
            (0.1_f32.into(), "0.1"),
            (u32::MAX.into(), ""),
            ((-7).into(), "-7"),
            (Literal::kdl("0o17"), "0o17"),
            (true.into(), "#true"),
            ("".into(), "\"\""),
        ]),
        What::Argument(1) => pick(&[(200.into(), "200"), (Literal::kdl("0x6F"), "0x6F")]),
        What::Argument(_) => pick(&[
            (1.into(), "1"),
            ("x".into(), "\"x\""),
            (Literal::kdl("x"), "x"),
        ]),
        What::Name => pick(&[
            ("z z".into(), "\"z z\""),
            ("".into(), "\"\""),
            ("x=1 }".into(), "\"x=1 }\""),
            ("a/b".into(), "\"a/b\""),
        ]),
        What::Default => pick(&[
            ("b".into(), "\"b\""),
            ((-9).into(), "-9"),
            (Literal::kdl("a"), "a"),
        ]),
    }
}

fn by_path(path: &str) -> NodePlace<'_> {
    NodePlace::Path { tree: "t", path }
}

/// Makes a change by path or by place.
fn change(
    editor: &mut Editor<'_>,
    place: &Place,
    at: Option<NodePlace<'_>>,
    value: Literal,
) -> Result<(), pleach_text::Diagnostics> {
    match (&place.what, at) {
        (What::Property(name) | What::Line(name), Some(at)) => editor.set_property(at, name, value),
        (What::Argument(index), Some(at)) => editor.set_argument(at, *index, value),
        (What::Default, _) => match place.node {
            Node::Declared(name) => editor.set_default("t", name, Some(value)),
            Node::Of(..) => Ok(()),
        },
        _ => Ok(()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn any_value_changes_alone(dice in any::<u64>(), which in any::<u64>(), value in any::<u64>()) {
        let maker = Maker::file(dice);
        let text = &maker.text;
        let place = &maker.places[which as usize % maker.places.len()];
        let (literal, written) = other(place, value);
        let mut editor = match Editor::new("a.kdl", text) {
            Ok(editor) => editor,
            Err(error) => { prop_assert!(false, "{error}\n{text}"); return Ok(()); }
        };
        let put = |at: &Range<usize>, with: &str| {
            let mut text = text.clone();
            text.replace_range(at.clone(), with);
            text
        };
        let expected = put(&place.value, written);
        let (path, offset) = match &place.node {
            Node::Of(path, offset) => (Some(by_path(path)), Some(NodePlace::Offset(*offset))),
            Node::Declared(_) => (None, None),
        };
        for at in [path, offset] {
            // Where two nodes have a path, that is an error.
            if let Some(NodePlace::Path { path, .. }) = at
                && maker.paths.iter().filter(|one| *one == path).count() > 1
            {
                continue;
            }
            if let (What::Name, Some(at)) = (&place.what, at) {
                let name = ["z z", "", "x=1 }", "a/b"][value as usize % 4];
                if editor.rename(at, Some(name)).is_ok() {
                    prop_assert_eq!(editor.text(), &expected);
                    editor = Editor::new("a.kdl", text).unwrap();
                } else {
                    prop_assert!(false, "{:?} {}", place, editor.rename(at, Some(name)).unwrap_err());
                }
                if editor.rename(at, None).is_ok() {
                    prop_assert_eq!(editor.text(), &put(&place.entry, ""));
                    editor = Editor::new("a.kdl", text).unwrap();
                } else {
                    prop_assert!(false, "{:?} {}", place, editor.rename(at, None).unwrap_err());
                }
                continue;
            }
            match change(&mut editor, place, at, literal.clone()) {
                Ok(()) => {
                    if !written.is_empty() {
                        prop_assert_eq!(editor.text(), &expected);
                    }
                    let before = Literal::kdl(&text[place.value.clone()]);
                    // A literal holds no comment.
                    if at.is_some() && !text[place.value.clone()].contains("/*") {
                        let back = change(&mut editor, place, at, before);
                        prop_assert!(back.is_ok(), "{:?} {}", place, back.unwrap_err());
                        prop_assert_eq!(editor.text(), text);
                    }
                    editor = Editor::new("a.kdl", text).unwrap();
                }
                Err(error) => {
                    prop_assert_eq!(editor.text(), text);
                    let error = error.to_string();
                    let known = ["is no label", "expected", "cannot", "does not", "the node", "longest", "shorter", "no column", "unknown", "there is no", "fit"];
                    prop_assert!(written.is_empty() || known.iter().any(|known| error.contains(known)), "{:?} {}\n{}", place, error, text);
                }
            }
            if let (What::Property(name), Some(at)) = (&place.what, at) {
                match editor.remove_property(at, name) {
                    Ok(()) => {
                        prop_assert_eq!(editor.text(), &put(&place.entry, ""));
                        editor = Editor::new("a.kdl", text).unwrap();
                    }
                    Err(error) => prop_assert!(false, "{:?} {}", place, error),
                }
            }
        }
    }
}
