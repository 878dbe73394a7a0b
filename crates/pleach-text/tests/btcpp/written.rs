//! What is written is read back as the same.

use std::path::Path;

use pleach_text::{Format, Source, TreeFile};

use crate::corpus::{files, options};

fn read(name: &str, xml: &str) -> TreeFile {
    let source = Source::new(name, xml);
    TreeFile::of_xml(source, &options()).unwrap_or_else(|errors| panic!("{name}\n{errors}\n{xml}"))
}

fn kdl(file: &TreeFile) -> String {
    file.write(Format::Kdl).expect("KDL can say all")
}

fn xml(file: &TreeFile) -> String {
    file.write(Format::Xml)
        .unwrap_or_else(|errors| panic!("{errors}"))
}

/// Writes a file as XML, and reads that as the same file.
fn again(name: &str, file: &TreeFile) {
    let (text, written) = (kdl(file), xml(file));
    let back = read(name, &written);
    assert_eq!(kdl(&back), text, "{name}\n{written}");
    assert_eq!(xml(&back), written, "{name}");
}

/// Writes a file as XML, and reads that as the same trees.
fn same_trees(name: &str, file: &TreeFile) {
    let written = xml(file);
    let back = read(name, &written);
    assert_eq!(xml(&back), written, "{name}");
    // Whether a guard is a node or a property is the same to a tree.
    let trees = |text: &str| {
        let document = pleach_text::parse("a.kdl", text);
        document.unwrap_or_else(|errors| panic!("{name}\n{errors}\n{text}"))
    };
    let (was, is) = (kdl(file), kdl(&back));
    if file.includes().len() == 0 {
        assert_eq!(trees(&is).trees(), trees(&was).trees(), "{name}\n{written}");
    } else {
        assert_eq!(is, was, "{name}\n{written}");
    }
}

#[test]
fn real_files_are_written_as_they_were_read() {
    let mut count = 0;
    for found in files() {
        let source = Source::new(&found.name, &found.text);
        if let Ok(file) = TreeFile::of_xml(source, &options()) {
            again(&found.name, &file);
            let text = kdl(&file);
            let back = TreeFile::read(Format::Kdl, "back.kdl", &text)
                .unwrap_or_else(|errors| panic!("{errors}\n{text}"));
            assert_eq!(kdl(&back), text);
            count += 1;
        }
    }
    assert!(count == 0 || count > 70, "{count}");
}

#[test]
fn every_node_is_written_and_read_back() {
    let mut count = 0;
    let pages = pleach_text::gallery::GALLERY;
    for page in pages.iter().flat_map(|family| family.entries) {
        let text = page.example;
        let file = TreeFile::read(Format::Kdl, "gallery.kdl", text)
            .unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        same_trees("gallery.xml", &file);
        count += 1;
    }
    assert!(count > 40);
}

#[test]
fn the_trees_of_the_repository_are_written_and_read_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../trees");
    for entry in std::fs::read_dir(folder).expect("trees") {
        let path = entry.expect("file").path();
        if path.extension().is_none_or(|extension| extension != "kdl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        let name = path.to_string_lossy();
        let file = TreeFile::read(Format::Kdl, &name, &text).expect("trees are right");
        same_trees(&name, &file);
    }
}

#[test]
fn comments_and_private_keys_are_written_as_xml_has_them() {
    let text = "<root BTCPP_format=\"4\"><!----------><BehaviorTree ID=\"T\"><Sequence>\
                <Script code=\"_b := 1\"/><SubTree ID=\"S\" _autoremap=\"true\"/></Sequence></BehaviorTree>\
                <BehaviorTree ID=\"S\"><Script code=\"_b := 2\"/></BehaviorTree></root>";
    let file = read("a.xml", text);
    let written = xml(&file);
    assert!(written.contains("<!-- - - - - - - -->"), "{written}");
    // BehaviorTree.CPP takes nothing that begins with `_` for a port.
    assert!(!written.contains(" _b=\""), "{written}");
    let back = read("b.xml", &written);
    assert_eq!(xml(&back), written);
    assert!(kdl(&back).contains("map _b=\"_b_2\""), "{written}");
}

/// A comment may hold another one that was begun, and rulers of dashes.
#[test]
fn comments_keep_their_lines_and_dashes() {
    let text = "<root BTCPP_format=\"4\">\n  <!--\n    - Compute a new route\n      <!-- with -- dashes\n      <root BTCPP_format=\"4\">\n\n  -->\n\
                <BehaviorTree ID=\"T\"><!-- --><!-- a --><A/></BehaviorTree></root>";
    let file = read("a.xml", text);
    again("a.xml", &file);
    let lines =
        "// - Compute a new route\n//   <!-- with -- dashes\n//   <root BTCPP_format=\"4\">\ntree";
    assert!(kdl(&file).starts_with(lines), "{}", kdl(&file));
    assert!(kdl(&file).contains("    //\n    // a\n"), "{}", kdl(&file));
    let text = "//\n// --> - -\n//     ----\n//\n// \u{7f3a}\n//\n//\ninclude \"b.xml\"\n\n//  a\ntree \"T\" {\n    //\n    idle\n}\n";
    let file = TreeFile::read(Format::Kdl, "a.kdl", text).expect("KDL");
    assert_eq!(kdl(&file), text);
    again("a.xml", &file);
}
