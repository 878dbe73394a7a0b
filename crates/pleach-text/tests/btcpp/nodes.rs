//! What nodes and trees become. Each case in `nodes.txt` is a version and what stands in a tree of it, or
//! a whole file; behind `---` is the KDL that it must become, and it must compile.

use pleach_text::btcpp::Options;
use pleach_text::{Format, Source, TreeFile};

/// A file around what a case says.
fn file(version: &str, body: &str) -> String {
    match version {
        "file" => body.to_owned(),
        version => format!(
            "<root BTCPP_format=\"{version}\">\n<BehaviorTree ID=\"T\">\n{body}\n</BehaviorTree>\n\
             <TreeNodesModel><Condition ID=\"IsOpen\"/></TreeNodesModel>\n</root>"
        ),
    }
}

#[test]
fn nodes_become_what_they_mean() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/btcpp/nodes.txt");
    let cases = std::fs::read_to_string(path).expect("cases");
    let mut written = String::new();
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in cases.split("=== ").skip(1) {
        let (version, rest) = case.split_once('\n').expect("a version");
        let (body, wanted) = rest.split_once("\n---\n").expect("what it becomes");
        let text = file(version, body);
        let read = TreeFile::of_xml(Source::new("a.xml", &text), &Options::new());
        let kdl = match &read {
            Ok(file) => file.write(Format::Kdl).expect("KDL can say all"),
            Err(errors) => format!("{errors}\n"),
        };
        if read.is_ok() {
            let document = pleach_text::parse("a.xml", &text);
            let document = document.unwrap_or_else(|errors| panic!("{body}\n{errors}"));
            for tree in document.trees() {
                let compiled = document.compile(tree.name());
                compiled.unwrap_or_else(|errors| panic!("{body}\n{errors}"));
            }
        }
        if kdl.trim() != wanted.trim() {
            wrong.push(format!("{body}\nbecomes\n{kdl}\nand not\n{wanted}"));
        }
        written.push_str(&format!("=== {version}\n{body}\n---\n{kdl}\n"));
        count += 1;
    }
    // PLEACH_GOLDEN=write takes down what comes of the cases; read it before it is kept.
    if std::env::var_os("PLEACH_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(path, written).expect("written");
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(count > 20);
}

/// The notes on a file, one a line.
fn notes(body: &str) -> String {
    let text = file("4", body);
    let document = pleach_text::parse("a.xml", &text);
    let document = document.unwrap_or_else(|errors| panic!("{errors}"));
    let notes = document.remarks().notes().iter();
    notes.map(|note| format!("{}\n", note.message())).collect()
}

#[test]
fn what_nothing_writes_is_told() {
    let told = notes("<Script code=\"color := RED; a := color != BLUE; a := a\"/>");
    assert!(
        told.contains("scripts read what nothing in these files writes: `BLUE`, `RED`\n"),
        "{told}"
    );
    // A port may be written by the host.
    let told = notes("<Sequence><Look out=\"{n}\"/><ScriptCondition code=\"n > 1\"/></Sequence>");
    assert!(!told.contains("nothing in these files writes"), "{told}");
}

#[test]
fn texts_that_become_other_labels_are_told() {
    let told = notes("<Sequence><Script code=\"m := 'a b'\"/><Say m=\"{m}\"/></Sequence>");
    assert!(told.contains("`a b` is `a_b`"), "{told}");
    let told = notes("<Sequence><Script code=\"m := 'ab'\"/><Say m=\"{m}\"/></Sequence>");
    assert!(!told.contains("labels"), "{told}");
}
