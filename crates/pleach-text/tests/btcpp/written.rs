//! What is written is read back as the same.

use std::path::Path;

use pleach_text::{Code, Format, Source, TreeFile};

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

fn of_kdl(text: &str) -> TreeFile {
    TreeFile::read(Format::Kdl, "a.kdl", text).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// What is refused, with its place and help.
fn refused(file: &TreeFile) -> String {
    file.write(Format::Xml)
        .expect_err("it is refused")
        .to_string()
}

#[test]
fn what_xml_cannot_have_stands_in_kdl() {
    // What stands in a tree, and what is written of it.
    for (text, expected) in [
        // Labels that no enumeration has.
        (
            "blackboard { mode enum idle alert; }\nswitch mode { case \"com`at\" { idle; }; case idle { idle; }; else { fail; }; }",
            "<PleachSwitch kdl=\"switch &quot;mode&quot; { case &quot;com`at&quot; { idle; }; case &quot;idle&quot; { idle; }; else { idle; }; }\">",
        ),
        // Names and values with characters that XML has not.
        (
            "sequence \"a\\u{1}b\" { idle; }",
            "<PleachSequence kdl=\"sequence &quot;a\\u{1}b&quot; { idle; }\">",
        ),
        (
            "action \"go\" name=\"\\u{fffe}\" to=\"\\u{0}\" _n=\"x\"",
            "<Action ID=\"go\" _kdl=\"action &quot;go&quot; name=&quot;\\u{fffe}&quot; _n=&quot;x&quot; to=&quot;\\u{0}&quot;\"/>",
        ),
        (
            "action \"\\u{1b}\"",
            "<PleachAction kdl=\"action &quot;\\u{1b}&quot;\"/>",
        ),
        (
            "subtree \"\\u{1b}\"",
            "<PleachSubtree kdl=\"subtree &quot;\\u{1b}&quot;\"/>",
        ),
        // A name that is taken for that of the kind of node.
        (
            "sequence \"Sequence\" { idle; }",
            "<PleachSequence name=\"Sequence\" kdl=\"sequence { idle; }\">",
        ),
        (
            "action \"eat\" name=\"eat\"",
            "<Action ID=\"eat\" _kdl=\"action &quot;eat&quot; name=&quot;eat&quot;\"/>",
        ),
        // A name that the element has as well.
        (
            "sequence { action \"Action\"; query \"Condition\"; subtree \"SubTree\"; }",
            "<Action ID=\"Action\"/>",
        ),
        // Notes that would mean something, or be no names.
        (
            "sequence _uid=\"1\" _skipIf=\"true\" { idle; }",
            "<PleachSequence kdl=\"sequence _uid=&quot;1&quot; _skipIf=&quot;true&quot; { idle; }\">",
        ),
        (
            "action \"go\" _kdl=\"idle\"",
            "<Action ID=\"go\" _kdl=\"action &quot;go&quot; _kdl=&quot;idle&quot;\"/>",
        ),
        (
            "subtree \"b\" _autoremap=\"false\" \"_odd name\"=\"1\"",
            "<SubTree ID=\"b\" _autoremap=\"true\" _kdl=\"subtree &quot;b&quot; _autoremap=&quot;false&quot; &quot;_odd name&quot;=&quot;1&quot;\"/>",
        ),
        (
            "idle _tag=\"Rest\" _autoremap=\"1\"",
            "<PleachIdle kdl=\"idle\" _tag=\"Rest\" _autoremap=\"1\"/>",
        ),
        // A node without the children that BehaviorTree.CPP wants.
        ("sequence", "<PleachSequence kdl=\"sequence\"/>"),
        // A condition that is called like an action.
        (
            "sequence { action \"a\"; query \"a\"; }",
            "<PleachQuery kdl=\"query &quot;a&quot;\"/>",
        ),
        // Texts that would be keys of columns.
        (
            "blackboard { x bool; }\naction \"a\" key=\"{x}\"",
            "<Action ID=\"a\" key=\"{x}\" _kdl=\"action &quot;a&quot; key=&quot;{x}&quot;\"/>",
        ),
        // A whole number beside one with a fraction would be read as such.
        (
            "blackboard { x f32; }\ncondition \"x < 5\"",
            "<PleachCondition kdl=\"condition &quot;x &lt; 5&quot;\"/>",
        ),
    ] {
        let file = of_kdl(&format!("tree t {{\n{text}\n}}"));
        let written = xml(&file);
        assert!(written.contains(expected), "{text}\n{written}");
        again("a.xml", &file);
    }
}

#[test]
fn notes_of_trees_stand_in_kdl_if_need_be() {
    let file = of_kdl(
        "tree t _kdl=\"x\" \"_a b\"=\"\\u{1}\" _uid=\"7\" { blackboard { x bool; }; idle; }",
    );
    let written = xml(&file);
    let wanted = "_kdl=\"tree _kdl=&quot;x&quot; &quot;_a b&quot;=&quot;\\u{1}&quot; _uid=&quot;7&quot;; blackboard {";
    assert!(written.contains(wanted), "{written}");
    again("a.xml", &file);
    // There is one line of them.
    let text = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\" _kdl=\"tree _a=1; tree _b=2\"><A/></BehaviorTree></root>";
    let errors = TreeFile::of_xml(Source::new("a.xml", text), &options()).expect_err("refused");
    assert!(
        errors.to_string().contains("`tree` declares nothing"),
        "{errors}"
    );
}

#[test]
fn names_that_no_xml_can_have_are_refused_with_their_place() {
    let cases = [
        (
            "tree \"a\\u{1}\" { idle; }",
            "no tree can be called `a\\u{1}` in XML",
            "1:6",
        ),
        (
            "\ntree \"\" { idle; }",
            "no tree can be called `` in XML",
            "2:6",
        ),
        (
            "tree a {\n  blackboard { \"@x\" bool; }\n  idle\n}",
            "no column can be called `@x` in XML",
            "2:16",
        ),
        (
            "include \"\\u{fffe}\"\ntree a { idle; }",
            "cannot stand in XML",
            "1:9",
        ),
        ("include \"\\u{fffe}\"", "cannot stand in XML", "1:9"),
    ];
    for (text, message, place) in cases {
        let errors = refused(&of_kdl(text));
        assert!(errors.contains(message), "{errors}");
        assert!(errors.contains(&format!("a.kdl:{place}")), "{errors}");
        assert!(errors.contains("= help: "), "{errors}");
    }
}

/// A file of includes alone is a file.
#[test]
fn includes_alone_are_written_and_read() {
    let file = of_kdl("include \"a.xml\"\ninclude \"b.xml\"\n");
    again("a.xml", &file);
    let twice =
        "<root BTCPP_format=\"4\"><include path=\"a.xml\"/><include path=\"a.xml\"/></root>";
    assert_eq!(read("a.xml", twice).includes().len(), 1);
    let nothing = "<root BTCPP_format=\"4\"><include path=\"\"/></root>";
    assert!(TreeFile::of_xml(Source::new("a.xml", nothing), &options()).is_err());
}

/// As in KDL, a parameter that nothing reads is a slip.
#[test]
fn a_parameter_that_nothing_reads_is_refused() {
    let text = |node: &str| {
        format!(
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\" _kdl=\"params {{ n i32; }}\">{node}</BehaviorTree></root>"
        )
    };
    let read = |node| TreeFile::of_xml(Source::new("a.xml", &text(node)), &options());
    let errors = read("<A/>").expect_err("nothing reads it");
    assert_eq!(
        errors.iter().next().map(|one| one.code()),
        Some(Code::UnreadParameter)
    );
    for node in [
        "<A n=\"{n}\"/>",
        "<ScriptCondition code=\"n > 1\"/>",
        "<Repeat num_cycles=\"{n}\"><A/></Repeat>",
        "<PleachWait kdl=\"wait (param)n\"/>",
        "<SubTree ID=\"S\" _kdl=\"subtree S m=(param)n\" m=\"{n}\"/>",
    ] {
        again(
            "a.xml",
            &read(node).unwrap_or_else(|errors| panic!("{errors}")),
        );
    }
}

/// Two notes of a name, of which one was a port, are two in KDL as well.
#[test]
fn notes_of_one_name_are_told_apart() {
    let text = "<root BTCPP_format=\"4\" uid=\"1\"><BehaviorTree ID=\"T\" _uid=\"2\">\
                <Sequence foo=\"3\" _foo=\"4\"><A/></Sequence></BehaviorTree></root>";
    let file = read("a.xml", text);
    let text = kdl(&file);
    assert!(text.contains("_uid=\"2\" __uid=\"1\""), "{text}");
    assert!(text.contains("_foo=\"3\" __foo=\"4\""), "{text}");
    assert_eq!(kdl(&of_kdl(&text)), text);
    again("a.xml", &file);
}

/// What stands in KDL says all, whatever is misspelt beside it.
#[test]
fn a_use_in_kdl_does_not_depend_on_what_it_shares() {
    let text = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><Sequence><Script code=\"a := 1\"/>\
                <SubTree ID=\"S\" _autordmap=\"true\" n=\"2\" _kdl=\"subtree S n=2\"/></Sequence></BehaviorTree>\
                <BehaviorTree ID=\"S\" _kdl=\"params { n i32; }; blackboard { a bool; }\"><Sequence>\
                <ScriptCondition code=\"a\"/><A n=\"{n}\"/></Sequence></BehaviorTree>\
                <TreeNodesModel><SubTree ID=\"S\"><input_port name=\"a\" default=\"x\"/></SubTree></TreeNodesModel></root>";
    again("a.xml", &read("a.xml", text));
}

/// Directions, types, defaults and descriptions of ports are an editor's.
#[test]
fn models_are_written_as_they_were_read() {
    let models = "    <!-- what\n         there is -->\n    <TreeNodesModel>\n        <Condition ID=\"Ready\" editable=\"true\">\n            <!-- one -->\n            \
                  <output_port name=\"why\" type=\"std::string\" default=\"a &lt; b\">in &quot;words&quot;</output_port>\n        </Condition>\n        \
                  <Control ID=\"TaskSequence\"/>\n        <SubTree ID=\"S\">\n            <inout_port name=\"x\" default=\"{x}\"/>\n            \
                  <MetadataFields>\n                <Metadata author=\"me\"/>\n            </MetadataFields>\n        </SubTree>\n        \
                  <Action ID=\"Go\">\n            <input_port name=\"speed\" type=\"double\"/>\n            <input_port name=\"far\" type=\"std::string\"/>\n";
    let text = format!(
        "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><Sequence><Ready/><Go speed=\"5\" far=\"5\" more=\"1\"/></Sequence></BehaviorTree>\n\
         {models}        </Action>\n    </TreeNodesModel></root>"
    );
    let file = read("a.xml", &text);
    let written = xml(&file);
    // A port that the model lacks comes into it.
    let wanted = format!(
        "{models}            <input_port name=\"more\"/>\n        </Action>\n    </TreeNodesModel>\n</root>"
    );
    assert!(written.contains(&wanted), "{written}");
    assert!(
        written.contains("<Action ID=\"Go\" speed=\"5.0\" far=\"5\" more=\"1\"/>"),
        "{written}"
    );
    again("a.xml", &file);
    // A number of another type than the model says stands in KDL.
    let typed = text.replace(
        "<Go speed=\"5\"",
        "<Go _kdl=\"action Go speed=5 far=&quot;5&quot; more=1\" speed=\"5\"",
    );
    let file = read("a.xml", &typed);
    assert!(
        xml(&file).contains("_kdl=\"action &quot;Go&quot; speed=5 "),
        "{}",
        xml(&file)
    );
    again("a.xml", &file);
    // What a model says of a node is what it is: an action cannot be called like a condition.
    let action = text.replace("<Ready/>", "<PleachAction kdl=\"action Ready\"/>");
    let file = read("a.xml", &action);
    assert!(
        xml(&file).contains("<PleachAction kdl=\"action &quot;Ready&quot;\"/>"),
        "{}",
        xml(&file)
    );
    again("a.xml", &file);
    // Of two models of a node, the second one adds its ports.
    let twice = text.replace("    </TreeNodesModel>", "<Action ID=\"Go\"><input_port name=\"far\"/><output_port name=\"away\"/></Action></TreeNodesModel>");
    let written = xml(&read("a.xml", &twice));
    assert_eq!(
        written.matches("<Action ID=\"Go\">").count(),
        1,
        "{written}"
    );
    assert!(
        written.contains("<output_port name=\"away\"/>"),
        "{written}"
    );
}

#[test]
fn what_a_tree_says_beside_its_name_is_a_note() {
    let text = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\" description=\"walks\" _x=\"1\"><A/></BehaviorTree></root>";
    let file = read("a.xml", text);
    let told = "tree \"T\" _description=\"walks\" _x=\"1\" {";
    assert!(kdl(&file).starts_with(told), "{}", kdl(&file));
    again("a.xml", &file);
}

#[test]
fn texts_of_scripts_stay_what_they_are_in_xml() {
    let text = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><Sequence>\
                <Script code=\"pose:='1;2;3'; say:='hello world'\"/><ScriptCondition code=\"say != '' &amp;&amp; pose == '1;2;3'\"/>\
                <Switch2 variable=\"{say}\" case_1=\"hello world\" case_2=\"good-bye\"><A/><B/><C/></Switch2><Say text=\"{say}\"/>\
                <SubTree ID=\"S\" word=\"{say}\"/></Sequence></BehaviorTree>\
                <BehaviorTree ID=\"S\"><Script code=\"word := 'so long'\"/></BehaviorTree></root>";
    let file = read("a.xml", text);
    let written = xml(&file);
    for wanted in [
        "'1;2;3'",
        "'hello world'",
        "say != ''",
        "case_1=\"hello world\"",
        "case_2=\"good-bye\"",
        "'so long'",
    ] {
        assert!(written.contains(wanted), "{wanted}\n{written}");
    }
    again("a.xml", &file);
    // KDL knows labels alone.
    let back = TreeFile::read(Format::Kdl, "a.kdl", &kdl(&file)).expect("KDL");
    assert!(xml(&back).contains("'hello_world'"));
}

/// C++ takes numbers that KDL does not.
#[test]
fn constants_of_uses_are_numbers_of_kdl() {
    for number in [
        "5.",
        "0.5",
        "1.e3",
        "-2.5E-3",
        "0.1234567890123456789012345678901234567890123",
    ] {
        let text = format!(
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><SubTree ID=\"S\" x=\"{number}\"/></BehaviorTree>\
             <BehaviorTree ID=\"S\"><A x=\"{{x}}\"/></BehaviorTree></root>"
        );
        let file = read("a.xml", &text);
        assert!(kdl(&file).contains("x f32"), "{}", kdl(&file));
        assert_eq!(kdl(&of_kdl(&kdl(&file))), kdl(&file));
        again("a.xml", &file);
    }
}
