//! Warnings: where they are told, and where they must not be.

use pleach_text::{Code, Diagnostics, FilePlace, LoadError, Outline, inspect_with, unused_trees};

fn inspect(text: &str, strict: bool) -> (Diagnostics, Outline) {
    let mut load = |_: &str| Err(LoadError::new("there is no such file"));
    let inspection = inspect_with(&FilePlace::new("a.kdl"), text, &mut load, strict);
    assert!(inspection.trees.is_some(), "{text}\n{}", inspection.found);
    (inspection.found, inspection.outline)
}

/// A root within a tree that declares what the tests read.
fn tree(root: &str) -> String {
    format!(
        "tree t {{ blackboard {{ x bool; n u8; }}; world {{ w bool; }}\n{root}\n}}\n\
         tree waits {{ params {{ pause f32 1.0; times u8 2; on bool #true; }}\n\
         repeat (param)times {{ sequence {{ condition (param)on; wait (param)pause; }} }} }}\n\
         tree fails {{ fail }}"
    )
}

/// The warnings on a root: code, and the part of the text that each is about.
#[track_caller]
fn warned(root: &str, expected: &[(Code, &str)]) {
    let text = tree(root);
    let (found, _) = inspect(&text, false);
    let told: Vec<(Code, &str)> = found
        .iter()
        .map(|one| (one.code(), &text[one.span().unwrap()]))
        .collect();
    assert_eq!(told, expected, "{root}\n{found}");
}

#[test]
fn children_behind_one_that_never_lets_them() {
    use Code::Unreachable as U;
    for (root, child) in [
        ("selector { succeed; action a; }", "action"),
        ("selector { set x #true; wait 1; action a; }", "wait"),
        ("sequence { fail; wait 1; }", "wait"),
        ("sequence { invert { succeed; }; wait 1; }", "wait"),
        ("selector { idle; action a; }", "action"),
        ("sequence { repeat { action a; }; wait 1; }", "wait"),
        (
            "sequence { repeat-until-failure { action a; }; wait 1; }",
            "wait",
        ),
        (
            "selector { repeat-until-success { action a; }; wait 1; }",
            "wait",
        ),
        (
            "selector { repeat break-on-failure=#false { action a; }; wait 1; }",
            "wait",
        ),
        (
            "reactive-selector { succeeder { action a; }; wait 1; }",
            "wait",
        ),
        (
            "reactive-sequence { failer { action a; }; wait 1; }",
            "wait",
        ),
        ("concurrent { fail; wait 1; }", "wait"),
        (
            "selector { parallel { succeed; wait 1; }; action a; }",
            "action",
        ),
        (
            "sequence { parallel { idle; wait 1; }; action a; }",
            "action",
        ),
        ("selector { wait 1; action a; }", "action"),
        ("selector { delay 1 { succeed; }; action a; }", "action"),
        ("selector { run-once { wait 1; }; action a; }", "action"),
        ("sequence { subtree fails; action a; }", "action"),
        ("if-then { fail; action a; }", "action"),
        ("if-then-else { succeed; action a; wait 1; }", "wait"),
        ("while-do-else { idle; succeed; }", "succeed"),
        (
            "sequence { switch n { case 0 { fail; }; else { idle; }; }; wait 1; }",
            "wait",
        ),
        ("sequence keep=#true { fail; action a; }", "action"),
        ("pipeline-sequence { idle; action a; }", "action"),
        (
            "selector { on-failure n 1 { succeed; }; action a; }",
            "action",
        ),
        (
            "sequence { skip-unless x { idle; }; keep-sequence { fail; }; action a; }",
            "action",
        ),
        // The guard is a property: the node is shown.
        ("selector { succeed; action a when=x; }", "action"),
        // Only the first is told.
        ("selector { succeed; action a; wait 1; idle; }", "action"),
    ] {
        warned(root, &[(U, child)]);
    }
    let two = [(U, "action"), (U, "wait")];
    warned("if-then-else { idle; action a; wait 1; }", &two);
    let (found, _) = inspect(
        &tree("selector { succeed; action a; wait 1; idle; }"),
        false,
    );
    let told = found.iter().next().unwrap();
    assert_eq!(
        told.message(),
        "`action` `a` is never reached, nor are the 2 behind it"
    );
    assert_eq!(told.notes()[0].message(), "`succeed` never fails");
}

#[test]
fn children_that_may_be_reached() {
    for root in [
        "selector { action a; wait 1; }",
        "selector { query q; task t; persistent-action p; succeed; }",
        "selector { wait 1 when=x; action a; }",
        "selector { wait 1 while=x; action a; }",
        "sequence { wait 1 done-when=x; action a; }",
        "sequence { idle done-when=x; action a; }",
        "selector { idle while=x; action a; }",
        "sequence { repeat 3 { action a; }; wait 1; }",
        "selector { repeat { action a; }; wait 1; }",
        "selector { repeat-until-success 3 { action a; }; wait 1; }",
        "sequence { repeat-until-failure 3 { action a; }; wait 1; }",
        "selector { cooldown 1 { succeed; }; wait 1; }",
        "selector { timeout 1 { idle; }; wait 1; }",
        "selector { parallel success=1 { fail; action a; }; wait 1; }",
        "selector { parallel success=2 failure=2 { succeed; action a; }; wait 1; }",
        "random-selector { succeed; action a; }",
        "random-sequence { fail; action a; }",
        "selector { switch n { case 0 { succeed; }; }; wait 1; }",
        "if-then-else { query q; wait 1; idle; }",
        "while-do { condition x; wait 1; }",
        "selector { skip-if x { succeed; }; action a; }",
        "sequence { skip-unless x { fail; }; action a; }",
        "sequence { run-once then-skip=#true { fail; }; action a; }",
        "sequence { repeat break-on-failure=#false { skip-if x { fail; }; }; repeat { skip-unless x { action a; }; }; action a; }",
        "sequence { success-if x { idle; }; action a; }",
        "round-robin { succeed; action a; }",
        "selector { round-robin { action a; action b; }; action c; }",
        "sequence { recovery 2 { action a; action b; }; action c; }",
        "pipeline-sequence { rate-controller 1 { action a; }; action b; }",
        "sequence { success-if x { idle; }; repeat { skip-if x { fail; }; }; action a; }",
        "sequence keep=#true { action a; action b; }",
        "if-then-else { skip-if x { succeed; }; action a; action b; }",
        // What parameters give is another matter in each use.
        "selector { subtree waits; action a; }",
        "selector { subtree waits on=#false; action a; }",
        "concurrent { idle; action a; }",
    ] {
        warned(root, &[]);
    }
}

#[test]
fn loops_that_do_nothing_for_ever() {
    use Code::EndlessLoop as E;
    for (root, told) in [
        ("repeat { succeed; }", "repeat"),
        ("retry { fail; }", "retry"),
        ("repeat break-on-failure=#false { condition x; }", "repeat"),
        (
            "keep-running-until-failure { succeeder { condition x; }; }",
            "keep-running-until-failure",
        ),
        ("repeat name=again when=x { succeed; }", "repeat"),
    ] {
        warned(root, &[(E, told)]);
    }
    for root in [
        "repeat { action a; }",
        "repeat { wait 1; }",
        "repeat { idle; }",
        "repeat 3 { succeed; }",
        // These wait for something.
        "repeat { condition x; }",
        "retry { condition x; }",
        // Something comes of these.
        "repeat { set n \"n + 1\"; }",
        "repeat { query q; }",
        "repeat break-on-failure=#false { query q; }",
        "repeat { succeed abort-when=x; }",
    ] {
        warned(root, &[]);
    }
}

#[test]
fn children_that_are_stopped_before_they_can_end() {
    use Code::CutShort as C;
    for (root, told) in [
        ("reactive-sequence { action a; wait 1; }", "wait"),
        ("reactive-sequence { wait 1; query q; action a; }", "action"),
        (
            "reactive-sequence { condition x; wait 1; sequence { condition x; action a; }; }",
            "sequence",
        ),
        ("reactive-selector { action a; wait 1; }", "wait"),
        (
            "reactive-selector { timeout 5 { action a; }; wait 1; }",
            "wait",
        ),
        ("while-do { action a; wait 1; }", "wait"),
        (
            "while-do-else { invert { action a; }; succeed; wait 1; }",
            "wait",
        ),
        (
            "reactive-sequence { delay 1 { succeed; }; action a; }",
            "action",
        ),
    ] {
        warned(root, &[(C, told)]);
    }
    for root in [
        "reactive-selector { sequence { condition x; action a; }; action b; }",
        "reactive-selector { action a when=x; action b; }",
        "reactive-selector { cooldown 3 { action a; }; action b; }",
        "reactive-sequence { run-once { action a; }; action b; }",
        "reactive-sequence { task t; action b; }",
        "reactive-sequence { persistent-action p; action b; }",
        "reactive-sequence { action a; set x #true; }",
        // Tries again in the tick after the next.
        "reactive-selector { action a; idle; }",
        "sequence { action a; wait 1; }",
        "reactive-sequence { subtree waits; action a; }",
        "while-do-else { query q; wait 1; action a; }",
    ] {
        warned(root, &[]);
    }
}

#[test]
fn tests_that_read_nothing() {
    use Code::ConstantTest as T;
    warned("condition \"1 > 0\"", &[(T, "\"1 > 0\"")]);
    warned("action a when=#true", &[(T, "#true")]);
    warned(
        "action a while=\"not (1.0 < 2.0)\"",
        &[(T, "\"not (1.0 < 2.0)\"")],
    );
    warned("subtree waits on=#true", &[]);
    warned("skip-if #false { action a; }", &[(T, "#false")]);
    warned("on-success x #true { action a; }", &[]);
    warned("sequence { set x #true; condition \"x or true\"; }", &[]);
}

#[test]
fn names_that_nothing_uses_are_told_if_asked() {
    let strict = |text: &str| {
        let (lenient, _) = inspect(text, false);
        assert!(lenient.is_empty(), "{lenient}");
        let (found, _) = inspect(text, true);
        let told = found.iter().map(|one| {
            assert_eq!(one.code(), Code::UnusedName);
            text[one.span().unwrap()].to_owned()
        });
        told.collect::<Vec<_>>()
    };
    assert_eq!(
        strict("tree t { blackboard { x bool; n u8; }; world { w bool; }; idle; }"),
        ["x", "n", "w"]
    );
    assert!(strict(
        "tree t { blackboard { x bool; n u8; to u64; mode enum a b; m enum a b; target u64; kept u8; }; world { w bool; }
            sequence { condition \"x and w\"; set n 1; action a to=(column)to mode=(from)\"mode.a\"
                switch m { case a { succeed; }; else { fail; }; }; subtree u { map there=target; }; } }
         tree u { blackboard { there u64; kept u8; }; sequence { action b to=(column)there; set kept 1; } }"
    )
    .is_empty());
    // In each tree for itself: the subtree is where it stands.
    assert_eq!(
        strict("tree t { idle; }\ntree u { blackboard { lost u8; }; idle; }"),
        ["lost"]
    );
}

#[test]
fn trees_that_no_tree_uses() {
    let told = |texts: &[&str], strict: bool| {
        let outlines = texts.iter().enumerate().map(|(at, text)| {
            let mut load = |_: &str| Err(LoadError::new("there is no such file"));
            let place = FilePlace::new(format!("{at}.kdl"));
            inspect_with(&place, text, &mut load, false).outline
        });
        let outlines: Vec<Outline> = outlines.collect();
        let found = unused_trees(&outlines, strict);
        let messages = found.iter().map(|one| one.message().to_owned());
        messages.collect::<Vec<_>>()
    };
    let file = "tree a { subtree b; }\ntree b { idle; }\ntree c { idle; }\ntree d { params { p u8; }; action a p=(param)p; }";
    assert_eq!(told(&[file], false), ["no tree uses `d` as a subtree"]);
    assert_eq!(told(&[file], true).len(), 2);
    // A tree of another file that is called the same uses nothing of this one.
    assert_eq!(
        told(&[file, "tree a { subtree d; }\ntree d { idle; }"], false).len(),
        1
    );
}

/// A use of a tree of an included file, and a scenario that runs a tree.
#[test]
fn trees_that_other_files_use() {
    let common = "tree x { idle; }\ntree y { params { p u8; }; action a p=(param)p; }";
    let user = "include \"common.kdl\"\ntree u { subtree y p=1; }";
    let mut load = |path: &str| match path {
        "common.kdl" => Ok(common.to_owned()),
        _ => Err(LoadError::new("there is no such file")),
    };
    let mut outline = |name: &str, text: &str| {
        let inspection = inspect_with(&FilePlace::new(name), text, &mut load, true);
        assert!(inspection.found.is_empty(), "{}", inspection.found);
        inspection.outline
    };
    let alone = outline("common.kdl", common);
    assert_eq!(unused_trees(std::slice::from_ref(&alone), false).len(), 1);
    let both = [alone, outline("user.kdl", user)];
    assert!(unused_trees(&both, true).is_empty());
    let two = outline("two.kdl", "tree p { idle; }\ntree q { idle; }");
    assert_eq!(unused_trees(std::slice::from_ref(&two), true).len(), 1);
    let mut scenario = Outline::default();
    scenario.runs("q");
    assert!(unused_trees(&[two, scenario], true).is_empty());
}

#[test]
fn deep_and_wide_files_are_looked_at_in_no_time() {
    let deep = format!(
        "tree t {{ {}idle;{} }}",
        "sequence { ".repeat(120),
        " }".repeat(120)
    );
    assert!(inspect(&deep, true).0.is_empty());
    let chain: String = (0..3000)
        .map(|at| {
            format!(
                "tree t{at} {{ blackboard {{ c{at} u8; }}; subtree t{}; }}\n",
                at + 1
            )
        })
        .collect();
    // As each tree is inlined, a chain is as long as it may be only from its middle.
    let short: String = chain.lines().skip(2000).collect::<Vec<_>>().join("\n");
    let (found, _) = inspect(&format!("{short}\ntree t3000 {{ idle; }}"), true);
    assert_eq!(found.len(), 1000);
}

#[test]
fn who_stops_a_child_is_told_with_what_to_do() {
    let help = |file: &str, text: &str| {
        let mut no_files = |_: &str| Err(LoadError::new("there is no such file"));
        let inspection = inspect_with(&FilePlace::new(file), text, &mut no_files, false);
        let found = inspection.found.iter();
        let mut found = found.filter(|one| one.code() == Code::CutShort);
        let one = found.next().expect("a warning");
        (
            one.message().to_owned(),
            one.help().unwrap_or_default().to_owned(),
        )
    };
    let (message, told) = help(
        "a.kdl",
        "tree a { reactive-sequence { action aim; action shoot } }",
    );
    assert!(
        message.starts_with("`action` `shoot` never runs longer than one tick"),
        "{message}"
    );
    assert!(
        message.contains("`action` `aim` in front begins anew"),
        "{message}"
    );
    assert!(
        told.starts_with("if `aim` answers within its tick, write `task`"),
        "{told}"
    );
    let (_, told) = help(
        "a.kdl",
        "tree a { reactive-sequence { wait 1; action shoot } }",
    );
    assert!(told.starts_with("take a `sequence`"), "{told}");
    let xml = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\"><ReactiveSequence><Aim/><Shoot/></ReactiveSequence>\
               </BehaviorTree></root>";
    let (_, told) = help("a.xml", xml);
    assert!(told.contains("`leaf \"Aim\" is=\"task\"`"), "{told}");
}
