//! What is told of files that are read, and of those that are not.

use pleach_text::btcpp::Options;
use pleach_text::{
    Code, Diagnostics, FilePlace, Format, LoadError, Severity, Source, TreeFile, inspect_with,
};

fn file(body: &str) -> String {
    format!("<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\">{body}</BehaviorTree></root>")
}

fn told(text: &str) -> Diagnostics {
    let mut no_files = |_: &str| Err(LoadError::new("there is no such file"));
    inspect_with(&FilePlace::new("a.xml"), text, &mut no_files, false).found
}

/// What is told under a code, each as the text that it points at, its message and its help.
fn of_code(text: &str, code: Code) -> Vec<(String, String, String)> {
    let told = told(text);
    let with_code = told.iter().filter(|one| one.code() == code);
    with_code
        .map(|one| {
            assert_eq!(one.severity(), code.severity(), "{one}");
            (
                text[one.span().expect("a place")].to_owned(),
                one.message().to_owned(),
                one.help().unwrap_or_default().to_owned(),
            )
        })
        .collect()
}

#[test]
fn slips_are_told_with_what_is_meant() {
    let cases = [
        ("<A _onSucces=\"x = 1\"/>", "_onSucces", "_onSuccess"),
        ("<A _skipif=\"x\"/>", "_skipif", "_skipIf"),
        ("<A onHalted=\"x = 1\"/>", "onHalted", "_onHalted"),
        ("<Sequense/>", "Sequense", "Sequence"),
        (
            "<Sequence><always_succes/></Sequence>",
            "always_succes",
            "AlwaysSuccess",
        ),
        (
            "<Parallel succes_count=\"1\"><A/><B/></Parallel>",
            "succes_count",
            "success_count",
        ),
        (
            "<RunOnce then_skp=\"false\"><A/></RunOnce>",
            "then_skp",
            "then_skip",
        ),
    ];
    let whole = [
        (
            "<root main_tree_execute=\"T\"><BehaviorTree ID=\"T\"><A/></BehaviorTree></root>",
            "main_tree_execute",
            "main_tree_to_execute",
        ),
        (
            "<root><BehaviorTree ID=\"T\"><A/></BehaviorTree><BehaviourTree ID=\"S\"/></root>",
            "BehaviourTree",
            "BehaviorTree",
        ),
    ];
    let cases = cases.map(|(body, found, meant)| (file(body), found, meant));
    let whole = whole.map(|(text, found, meant)| (text.to_owned(), found, meant));
    for (text, found, meant) in cases.into_iter().chain(whole) {
        let told = of_code(&text, Code::Misspelled);
        assert_eq!(told.len(), 1, "{text}: {told:?}");
        let (place, message, help) = &told[0];
        assert_eq!(place, found);
        let names_it = message.contains(&format!("`{found}`"));
        assert!(
            names_it || message.starts_with("this is neither"),
            "{message}"
        );
        let wanted = format!("did you mean `{meant}`?");
        assert!(help.starts_with(&wanted), "{help}");
    }
    for body in [
        "<A _pose=\"x\" _description=\"what\" _uid=\"7\" skip=\"1\" post=\"2\"/>",
        "<Action ID=\"Sequense\"/>",
        "<Repeat num_cycles=\"3\" speed=\"2\"><A/></Repeat>",
    ] {
        assert_eq!(of_code(&file(body), Code::Misspelled), [], "{body}");
    }
    let declared = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><Sequense onHalted=\"x\"/></BehaviorTree>\
        <TreeNodesModel><Action ID=\"Sequense\"><input_port name=\"onHalted\"/></Action></TreeNodesModel></root>";
    assert_eq!(of_code(declared, Code::Misspelled), []);
}

#[test]
fn a_port_that_is_lacking_is_looked_for_among_slips() {
    let text = file("<Repeat num_cyles=\"3\"><A/></Repeat>");
    let told = told(&text);
    let error = told.iter().next().expect("an error");
    assert_eq!(error.severity(), Severity::Error);
    assert_eq!(&text[error.span().expect("a place")], "num_cyles");
    assert_eq!(error.help(), Some("did you mean `num_cycles`?"));
}

#[test]
fn ports_of_nodes_that_have_none_are_kept_and_told() {
    for node in [
        "AlwaysSuccess",
        "Script code=\"x := 1\"",
        "ScriptCondition code=\"x == 1\"",
        "ScriptCondition code=\"x := 1; x == 1\"",
    ] {
        let text = file(&format!("<{node} colour=\"red\"/>"));
        let told = told(&text);
        let found = told.iter().any(|note| {
            note.severity() == Severity::Note
                && note.message().starts_with("this port means nothing")
        });
        assert!(found, "{text}\n{told}");
        let read = TreeFile::of_xml(Source::new("a.xml", &text), &Options::new());
        let kdl = read
            .expect("it is read")
            .write(Format::Kdl)
            .expect("KDL can say it");
        assert!(kdl.contains("_colour=\"red\""), "{kdl}");
    }
}

#[test]
fn comparisons_where_something_is_assigned_are_told() {
    for body in [
        "<A _onFailure=\"x==1\"/>",
        "<A _onSuccess=\"y = 1; x==1\"/>",
        "<A _onHalted=\"x==1\"/>",
        "<A _post=\"x==1\"/>",
        "<Script code=\"x==1\"/>",
        "<ScriptCondition code=\"x==1; y > 2\"/>",
    ] {
        let told = of_code(&file(body), Code::ComparisonInScript);
        assert_eq!(told.len(), 1, "{body}: {told:?}");
        let (place, _, help) = &told[0];
        assert_eq!(place, "x==1");
        assert_eq!(help, "`==` compares; to assign, write `x := …` or `x = …`");
    }
    let told = of_code(
        &file("<Script code=\"x < 1 &lt; y\"/>"),
        Code::ComparisonInScript,
    );
    assert!(told[0].2.contains("`ScriptCondition`"), "{told:?}");
    for body in [
        "<ScriptCondition code=\"x==1\"/>",
        "<A _skipIf=\"x==1\" _onSuccess=\"x = y == 1\"/>",
    ] {
        assert_eq!(of_code(&file(body), Code::ComparisonInScript), [], "{body}");
    }
}

#[test]
fn guessed_types_are_told_with_their_places() {
    let told = of_code(
        &file(
            "<Sequence><Look out=\"{x}\"/><ScriptCondition code=\"x < 5 && y == 3 && z\"/></Sequence>",
        ),
        Code::GuessedType,
    );
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0]
            .1
            .ends_with(": `x` as `f32`, `y` as `i32`, `z` as `bool`"),
        "{told:?}"
    );
    let text = file("<Sequence><ScriptCondition code=\"x > 5\"/><A _skipIf=\"done\"/></Sequence>");
    let all = self::told(&text);
    let note = all.iter().find(|one| one.code() == Code::GuessedType);
    let note = note.expect("a note");
    assert_eq!(&text[note.span().expect("a place")], "x");
    assert_eq!(&text[note.notes()[0].span()], "done");
    for body in [
        "<Sequence><Script code=\"x := 0\"/><ScriptCondition code=\"x &lt; 5\"/></Sequence>",
        "<Sequence><SetBlackboard output_key=\"x\" value=\"1\"/><ScriptCondition code=\"x &lt; 5\"/></Sequence>",
        "<Switch2 variable=\"{x}\" case_1=\"1\" case_2=\"2\"><A/><B/><C/></Switch2>",
        "<ScriptCondition code=\"mode == 'idle'\"/>",
    ] {
        assert_eq!(of_code(&file(body), Code::GuessedType), [], "{body}");
    }
}

#[test]
fn texts_that_nothing_sets_are_told() {
    let set = "<Script code=\"mode := 'idle'; mode = 'busy'\"/>";
    for (body, place) in [
        ("<ScriptCondition code=\"mode == 'combat'\"/>", "'combat'"),
        (
            "<Switch2 variable=\"{mode}\" case_1=\"idle\" case_2=\"combat\"><A/><B/><C/></Switch2>",
            "combat",
        ),
    ] {
        let text = file(&format!("<Sequence>{set}{body}</Sequence>"));
        let told = of_code(&text, Code::UnsetText);
        assert_eq!(told.len(), 1, "{text}: {told:?}");
        assert_eq!(told[0].0, place);
        assert_eq!(told[0].1, "nothing in these files sets `mode` to `combat`");
        assert!(told[0].2.contains("`idle`, `busy`"), "{told:?}");
    }
    let slip = file(&format!(
        "<Sequence>{set}<A _skipIf=\"mode == 'bussy'\"/></Sequence>"
    ));
    assert_eq!(
        of_code(&slip, Code::Misspelled)[0].2,
        "did you mean `busy`?"
    );
    for body in [
        // The host's: a leaf may set it, or nothing in the file does.
        format!("<Sequence>{set}<A mode=\"{{mode}}\"/><A _skipIf=\"mode == 'combat'\"/></Sequence>"),
        "<A _skipIf=\"mode == 'combat'\"/>".to_owned(),
        format!("<Sequence>{set}<A _skipIf=\"mode == 'busy'\"/></Sequence>"),
        "<Sequence><Script code=\"n := 1\"/><Switch2 variable=\"{n}\" case_1=\"1\" case_2=\"2\"><A/><B/><C/></Switch2></Sequence>".to_owned(),
    ] {
        assert_eq!(of_code(&file(&body), Code::UnsetText), [], "{body}");
    }
}

#[test]
fn an_entry_of_two_types_is_told_once_with_both_places() {
    let text = file(
        "<Sequence><Script code=\"x := 'a'\"/><ScriptCondition code=\"x + 1 > 3\"/><A _skipIf=\"x == 'b'\" _onSuccess=\"x += 1\"/></Sequence>",
    );
    let told = self::told(&text);
    assert_eq!(told.len(), 1, "{told}");
    let error = told.iter().next().expect("an error");
    assert_eq!(&text[error.span().expect("a place")], "'a'");
    assert_eq!(&text[error.notes()[0].span()], "x");
    assert_eq!(
        error.notes()[0].position().column,
        text.find("x + 1").expect("there") + 1
    );
}
