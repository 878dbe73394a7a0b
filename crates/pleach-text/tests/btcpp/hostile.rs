//! Files that mean harm, and real files with something broken: errors with places, within bounds.

use pleach_text::btcpp::{MAX_LEVELS, Options};
use pleach_text::{Format, Source, TreeFile, parse};
use proptest::prelude::*;

use crate::corpus::{files, options};

fn whole(body: &str) -> String {
    format!("<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\">{body}</BehaviorTree></root>")
}

/// Reads a text; if that works, everything that can follow must, too. Gives the first message.
fn survives(text: &str, options: &Options) -> Option<String> {
    let read = TreeFile::of_xml(Source::new("a.xml", text), options);
    let message = match read {
        Ok(file) => {
            let kdl = file.write(Format::Kdl).expect("KDL can say all");
            if kdl.len() < 1 << 16 {
                let back = TreeFile::read(Format::Kdl, "a.kdl", &kdl);
                let back = back.unwrap_or_else(|errors| panic!("{errors}\n{kdl}\n{text}"));
                assert_eq!(back.write(Format::Kdl).expect("KDL"), kdl);
            }
            if let Ok(xml) = file.write(Format::Xml) {
                // A tree that is written is a tree, but what it becomes may be beyond a limit.
                let back = TreeFile::of_xml(Source::new("b.xml", &xml), options);
                if let (Ok(back), true) = (back, kdl.len() < 1 << 20) {
                    assert_eq!(back.write(Format::Kdl).expect("KDL"), kdl);
                }
            }
            None
        }
        Err(errors) => {
            let first = errors.iter().next().expect("an error");
            assert!(first.line() > 0 && first.column() > 0);
            Some(first.message().to_owned())
        }
    };
    if let Ok(document) = parse("a.xml", text) {
        for tree in document.trees() {
            let _ = document.compile(tree.name());
        }
    }
    message
}

fn refused(text: &str) -> String {
    survives(text, &Options::new()).expect("it is refused")
}

#[test]
fn generated_files_are_refused_or_read_within_bounds() {
    let deep = |levels: usize| {
        whole(&format!(
            "{}<A/>{}",
            "<Inverter>".repeat(levels),
            "</Inverter>".repeat(levels)
        ))
    };
    assert!(refused(&deep(100_000)).starts_with("elements nest deeper"));
    assert_eq!(survives(&deep(MAX_LEVELS - 3), &Options::new()), None);
    // Attributes of 50 MB.
    let long = whole(&format!("<A x=\"{}\"/>", "x".repeat(50 << 20)));
    assert!(refused(&long).starts_with("the file has"));
    let entities = "<!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><root>&b;</root>";
    assert!(refused(entities).starts_with("declarations of document types"));
    // Many nodes, attributes, scripts and keys.
    survives(
        &whole(&format!("<Sequence>{}</Sequence>", "<A/>".repeat(400_000))),
        &Options::new(),
    );
    let keys: String = (0..60_000)
        .map(|at| format!("<A x=\"{{k{at}}}\"/>"))
        .collect();
    survives(
        &whole(&format!("<Sequence>{keys}</Sequence>")),
        &Options::new(),
    );
    let scripts: String = (0..40_000)
        .rev()
        .map(|at| format!("<Script code=\"k{at} := k{} + 1\"/>", at + 1))
        .collect();
    survives(
        &whole(&format!("<Sequence>{scripts}</Sequence>")),
        &Options::new(),
    );
    let equal: String = (0..40_000)
        .map(|at| format!("<Script code=\"k{at} := k{}\"/>", (at * 7919 + 1) % 40_000))
        .collect();
    survives(
        &whole(&format!("<Sequence>{equal}</Sequence>")),
        &Options::new(),
    );
    let labels: String = (0..30_000)
        .map(|at| format!("<Script code=\"m := 'l{at}'\"/>"))
        .collect();
    assert!(refused(&whole(&format!("<Sequence>{labels}</Sequence>"))).contains("256 texts"));
}

#[test]
fn trees_that_use_each_other_are_bounded() {
    let tree =
        |name: String, body: String| format!("<BehaviorTree ID=\"{name}\">{body}</BehaviorTree>");
    // Each uses the next twice: a million copies, each with a blackboard of its own.
    let mut doubling = String::from("<root BTCPP_format=\"4\">");
    for at in 0..40 {
        let next = at + 1;
        let body = format!(
            "<Sequence><Script code=\"x{at} := 1\"/><SubTree ID=\"T{next}\"/><SubTree ID=\"T{next}\"/></Sequence>"
        );
        doubling.push_str(&tree(format!("T{at}"), body));
    }
    doubling.push_str(&tree("T40".to_owned(), "<A/>".to_owned()));
    doubling.push_str("</root>");
    assert!(refused(&doubling).contains("entries of blackboards"));
    // Each uses itself, and all others.
    let mut circle = String::from("<root BTCPP_format=\"4\">");
    for at in 0..300 {
        let uses: String = (0..300)
            .map(|other| {
                format!("<SubTree ID=\"T{other}\" _autoremap=\"true\" a=\"{{b{at}}}\" c=\"1\"/>")
            })
            .collect();
        circle.push_str(&tree(
            format!("T{at}"),
            format!("<Sequence>{uses}</Sequence>"),
        ));
    }
    circle.push_str("</root>");
    survives(&circle, &Options::new());
    let itself = whole("<Sequence><SubTree ID=\"T\" _autoremap=\"true\" x=\"{y}\"/></Sequence>");
    assert!(
        parse("a.xml", &itself)
            .expect_err("a circle")
            .to_string()
            .contains("contains itself")
    );
}

#[test]
fn many_of_a_name_take_no_longer_each() {
    // Each loop counts in a column of its own, and all want the same name.
    let loops = "<Repeat num_cycles=\"{n}\"><A/></Repeat>".repeat(20_000);
    let loops = whole(&format!(
        "<Sequence><Script code=\"n := 1\"/>{loops}</Sequence>"
    ));
    let start = std::time::Instant::now();
    let read = TreeFile::of_xml(Source::new("a.xml", &loops), &Options::new());
    assert!(read.is_ok());
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// Each use gives an entry of the host a text that no other entry has.
#[test]
fn many_entries_apart_take_no_longer_each() {
    let keys: String = (0..15_000)
        .map(|at| format!("<Go to=\"{{k{at}}}\"/>"))
        .collect();
    let uses = "<SubTree ID=\"B\"/>".repeat(15_000);
    let text = format!(
        "<root BTCPP_format=\"4\"><BehaviorTree ID=\"A\"><Sequence><Go to=\"{{k0}}\"/>{keys}{uses}</Sequence></BehaviorTree>\
         <BehaviorTree ID=\"B\"><Go to=\"{{k0}}\"/></BehaviorTree></root>"
    );
    let start = std::time::Instant::now();
    let read = TreeFile::of_xml(Source::new("a.xml", &text), &Options::new());
    let written = read.unwrap().write(Format::Kdl).unwrap();
    assert!(written.contains("k0=\"{k0_15001}\""), "the last use");
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn defaults_of_models_are_bounded() {
    let ports: String = (0..20_000)
        .map(|at| format!("<input_port name=\"p{at}\" default=\"{{q{at}}}\"/>"))
        .collect();
    let uses = "<SubTree ID=\"S\"/>".repeat(20_000);
    let text = format!(
        "<root BTCPP_format=\"4\"><TreeNodesModel><SubTree ID=\"S\">{ports}</SubTree></TreeNodesModel>\
         <BehaviorTree ID=\"T\"><Sequence>{uses}</Sequence></BehaviorTree>\
         <BehaviorTree ID=\"S\"><A/></BehaviorTree></root>"
    );
    assert!(refused(&text).contains("ports that no use names"));
    // A document type that never ends, or that declares something.
    let open = format!("<!DOCTYPE r \"{}", "x".repeat(1_000_000));
    assert!(refused(&open).contains("declarations of document types"));
    let declares = "<!DOCTYPE r [<!ENTITY a \"b\">]><root/>";
    assert!(refused(declares).contains("declarations of document types"));
}

#[test]
fn scripts_are_bounded() {
    let nested = (0..40).fold("a".to_owned(), |inner, _| format!("(({inner}) ? b : c)"));
    refused(&whole(&format!("<ScriptCondition code=\"{nested}\"/>")));
    let many = vec!["(a ? b : c)"; 20].join(" && ");
    refused(&whole(&format!("<ScriptCondition code=\"{many}\"/>")));
    let sum = vec!["(a > b)"; 20].join(" + ");
    refused(&whole(&format!("<Script code=\"n := {sum}\"/>")));
    let kdl = "x".repeat(10_000);
    let parts = format!("<PleachIdle kdl=\"idle name={kdl}\"/>").repeat(300);
    survives(
        &whole(&format!("<Sequence>{parts}</Sequence>")),
        &Options::new(),
    );
    // Each part is read by itself, however much the tree declares.
    let columns: String = (0..3_000).map(|at| format!("c{at} i32;")).collect();
    let parts = "<PleachIdle kdl=\"idle\"/>".repeat(3_000);
    let text = format!(
        "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\" _kdl=\"blackboard {{ {columns} }}\"><Sequence>{parts}</Sequence></BehaviorTree></root>"
    );
    assert_eq!(survives(&text, &Options::new()), None);
    for kdl in [
        "",
        "idle; idle",
        "}",
        "tree",
        "subtree",
        "case 1",
        "include \\\"a\\\"",
        "/- idle",
        "params { a f32 }",
        "blackboard { a f32 }",
        "} idle {",
    ] {
        survives(
            &whole(&format!("<PleachIdle kdl=\"{kdl}\"/>")),
            &Options::new(),
        );
        survives(&whole(&format!("<A _kdl=\"{kdl}\"/>")), &Options::new());
        let tree = format!(
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\" _kdl=\"{kdl}\"><A/></BehaviorTree></root>"
        );
        survives(&tree, &Options::new());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Real files with parts cut out, doubled, swapped and overwritten.
    #[test]
    fn broken_files_are_refused_or_read(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((0u8..6, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4),
    ) {
        let files = files();
        if files.is_empty() {
            return Ok(());
        }
        let mut text = files[which.index(files.len())].text.clone();
        for (kind, a, b) in changes {
            let words: Vec<std::ops::Range<usize>> = words(&text);
            if words.len() < 2 {
                break;
            }
            let (a, b) = (words[a.index(words.len())].clone(), words[b.index(words.len())].clone());
            match kind {
                // A word is gone, or another one stands in its place.
                0 => text.replace_range(a, ""),
                1 | 2 => {
                    let other = text[b].to_owned();
                    text.replace_range(a, &other);
                }
                // The file is cut.
                3 => text.truncate(a.start),
                // A stretch is gone, or there twice.
                4 => {
                    let (start, end) = (a.start.min(b.start), a.start.max(b.start));
                    text.replace_range(start..end, "");
                }
                _ => {
                    let (start, end) = (a.start.min(b.start), a.start.max(b.start));
                    let part = text[start..end].to_owned();
                    text.insert_str(end, &part);
                }
            }
        }
        survives(&text, &options().with_missing_trees_as_actions());
    }

    #[test]
    fn arbitrary_texts_are_refused_or_read(text in "[<>/=\"'&;{}a-c!?\\-\\[\\] \\n]{0,80}") {
        survives(&text, &Options::new());
        survives(&whole(&text), &Options::new());
        let script = text.replace('"', "'");
        survives(&whole(&format!("<Sequence><Script code=\"{script}\"/></Sequence>")), &Options::new());
        survives(&whole(&format!("<A x=\"{script}\" _skipIf=\"{script}\" _post=\"a := {script}\"/>")), &Options::new());
    }
}

/// The words of a text and what stands between them, by their bytes.
fn words(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let kind = (c.is_alphanumeric() || c == '_', c.is_whitespace());
        if last.is_some_and(|last| last != kind) {
            words.push(start..at);
            start = at;
        }
        last = Some(kind);
    }
    words.push(start..text.len());
    words
}
