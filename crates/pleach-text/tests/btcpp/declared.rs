//! What the files of a project do not say of their nodes, and the project says itself.

use pleach_text::btcpp::{Leaf, Options};
use pleach_text::{Format, Source, TreeFile};

fn kdl(xml: &str, options: &Options) -> String {
    let file = TreeFile::of_xml(Source::new("a.xml", xml), options)
        .unwrap_or_else(|errors| panic!("{errors}\n{xml}"));
    file.write(Format::Kdl).expect("KDL can say all")
}

const LEAVES: &str = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><Sequence>\
    <IsOpen/><CutPath distance=\"2\"/><TruncatePath/></Sequence></BehaviorTree></root>";

#[test]
fn leaves_are_what_the_project_says() {
    let declared = "leaf \"IsOpen\" is=\"condition\"\nleaf \"CutPath\" is=\"task\"\nleaf \"TruncatePath\" is=\"action\"\n";
    let options = Options::new().with_parents("p.kdl", declared).unwrap();
    let told = "tree \"T\" {\n    sequence {\n        query \"IsOpen\"\n        task \"CutPath\" distance=2\n        action \"TruncatePath\"\n    }\n}\n";
    assert_eq!(kdl(LEAVES, &options), told);
    let options = Options::new()
        .with_leaf("IsOpen", Leaf::Condition)
        .with_leaf("CutPath", Leaf::Task)
        .with_leaf("TruncatePath", Leaf::Action);
    assert_eq!(kdl(LEAVES, &options), told);
    // Written, the file says it by itself.
    let file = TreeFile::of_xml(Source::new("a.xml", LEAVES), &options).unwrap();
    let written = file.write(Format::Xml).unwrap();
    assert!(
        written.contains("<Action ID=\"CutPath\" distance=\"2\" _answers_at_once=\"true\"/>"),
        "{written}"
    );
    assert_eq!(kdl(&written, &Options::new()), told);
}

#[test]
fn a_file_of_declarations_is_told_what_is_wrong_with_it() {
    for (text, wanted) in [
        ("leaf \"A\" is=\"job\"", "`job` is no kind of leaf"),
        ("leaf \"A\" like=\"task\"", "`leaf` declares no node"),
        ("leaf \"A\"", "`leaf` declares no node"),
        (
            "leaf \"A\" is=\"task\" now=#true",
            "`leaf` declares no node",
        ),
        ("parent \"A\" is=\"Sequence\"", "`parent` declares no node"),
        (
            "parent \"A\" like=\"Sleep\"",
            "`Sleep` is no node with children",
        ),
        ("node \"A\" like=\"Sequence\"", "`node` declares no node"),
        (
            "leaf A is=task; leaf A is=task; leaf A is=action",
            "`A` is declared as something else, too",
        ),
        (
            "parent A like=Sequence; leaf A is=task",
            "`A` is declared as something else, too",
        ),
        ("leaf Sequence is=task", "`Sequence` has children"),
        (
            "parent AlwaysSuccess like=Sequence",
            "`AlwaysSuccess` has no children",
        ),
        ("leaf SubTree is=task", "`SubTree` names no node"),
        ("leaf \"\" is=task", "`` names no node"),
    ] {
        let errors = Options::new().with_parents("p.kdl", text).unwrap_err();
        let error = errors.iter().next().expect("one");
        assert!(error.message().starts_with(wanted), "{text}: {errors}");
        assert_eq!((error.line(), error.help().is_some()), (1, true));
    }
}

/// `like` takes the words of KDL for all nodes with children that `docs/btcpp.md` lists.
#[test]
fn a_parent_is_like_any_word_of_kdl() {
    let text =
        "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><P><A/><B/></P></BehaviorTree></root>";
    for word in [
        "keep-sequence",
        "pipeline-sequence",
        "round_robin",
        "recovery",
        "reactive-selector",
    ] {
        let options = Options::new().with_parent("P", word).unwrap();
        let told = kdl(text, &options);
        assert!(told.contains(&word.replace('_', "-")), "{told}");
    }
}

#[test]
fn a_second_branch_of_a_switch_for_the_same_is_refused() {
    for (setting, case) in [("n := 1", "1"), ("n := 'a'", "a"), ("n := true", "true")] {
        let text = format!(
            "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><Sequence><Script code=\"{setting}\"/>\n<Switch2 variable=\"{{n}}\" case_1=\"{case}\" case_2=\"{case}\"><A/><B/><C/></Switch2></Sequence></BehaviorTree></root>"
        );
        let errors = TreeFile::of_xml(Source::new("a.xml", &text), &Options::new()).unwrap_err();
        let error = errors.iter().next().expect("one");
        assert_eq!(
            error.message(),
            format!("the Switch has two branches for `{case}`")
        );
        assert_eq!((error.line(), error.help().is_some()), (2, true));
    }
}

#[test]
fn a_leaf_with_children_is_refused() {
    let options = Options::new().with_leaf("CutPath", Leaf::Task);
    let text = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><CutPath><A/></CutPath></BehaviorTree></root>";
    let errors = TreeFile::of_xml(Source::new("a.xml", text), &options).unwrap_err();
    assert!(
        errors.to_string().contains("`CutPath` takes no children"),
        "{errors}"
    );
}
