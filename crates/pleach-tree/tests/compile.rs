//! What the compiler refuses, and how it says so.

use std::time::Duration;

use pleach_tree::{
    Expr, MAX_MICROS, MAX_PROBLEMS, NodeDef, NodeKind, Place, Threshold, Tree, TreeBuilder, action,
    case, col, compile, condition, fail, invert, keep_sequence, on_halted, on_success, otherwise,
    parallel, pipeline_sequence, query, rate_controller, selector, sequence, set, skip_if, succeed,
    switch, task, wait, wait_between,
};

fn tree() -> TreeBuilder {
    Tree::build("t")
        .column("health", 1.0_f32)
        .column("ammo", 30_u8)
        .column("armed", false)
        .column("target", 0_u64)
        .world("alarm", false)
}

/// The one problem of a tree: path, message, help.
fn problem(root: NodeDef) -> (String, String, String) {
    let error = compile(&tree().root(root)).expect_err("wrong");
    let [problem] = error.problems() else {
        panic!("{error}")
    };
    let help = problem.help.clone().unwrap_or_default();
    (problem.path.clone(), problem.message.clone(), help)
}

fn check(root: NodeDef, path: &str, message: &str, help: &str) {
    let found = problem(root);
    assert_eq!(found, (path.into(), message.into(), help.into()));
}

#[test]
fn children() {
    check(
        selector([sequence([]).named("empty")]),
        "t/empty",
        "a sequence needs at least one child",
        "give it a child, or use `succeed` or `fail` in its place",
    );
    check(
        NodeDef::new(NodeKind::Invert, [succeed(), succeed()]),
        "t",
        "an invert needs exactly one child, found 2",
        "put the children under a sequence or selector",
    );
    check(
        NodeDef::new(NodeKind::Succeed, [succeed()]),
        "t",
        "a succeed takes no children, found 1",
        "",
    );
}

#[test]
fn thresholds() {
    let two = |success, failure| parallel(success, failure, [succeed(), succeed()]);
    assert!(compile(&tree().root(two(Threshold::All, Threshold::Count(2)))).is_ok());
    check(
        two(Threshold::Count(0), Threshold::All),
        "t",
        "the success threshold is 0, allowed is 1 to 2",
        "",
    );
    check(
        two(Threshold::All, Threshold::Count(3)),
        "t",
        "the failure threshold is 3, allowed is 1 to 2",
        "it has 2 children, so it could never be reached",
    );
}

#[test]
fn names_and_declarations() {
    check(
        invert(condition("armd")),
        "t/condition-1",
        "unknown column or world value `armd`",
        "did you mean `armed`?",
    );
    check(
        set("alarm", true),
        "t",
        "`alarm` is a world value, which an actor cannot set",
        "set a column, and let the host change the world",
    );
    check(
        set("helth", 1.0),
        "t",
        "unknown column `helth`",
        "did you mean `health`?",
    );
    check(action(""), "t", "the name of what to call is empty", "");
    check(
        action("go").param("to", 1_u8).param("to", 2_u8),
        "t",
        "parameter `to` is given twice",
        "",
    );
    check(
        action("go").param_from("to", "tarket"),
        "t",
        "unknown column or world value `tarket`",
        "did you mean `target`?",
    );
    check(
        action("go").param("far", f32::INFINITY),
        "t",
        "parameter `far` is inf, not a finite number",
        "",
    );
    check(
        sequence([succeed()]).param("x", 1_u8),
        "t",
        "a sequence takes no parameter `x`",
        "",
    );
    let declared = Tree::build("t")
        .column("a", 1_u8)
        .world("a", 1_u8)
        .column("b c", f32::NAN);
    let error = compile(&declared.root(succeed())).expect_err("wrong");
    let places: Vec<&Place> = error
        .problems()
        .iter()
        .map(|problem| &problem.place)
        .collect();
    assert_eq!(
        places,
        [&Place::Column(1), &Place::Column(1), &Place::World(0)]
    );
}

#[test]
fn times() {
    assert!(compile(&tree().root(wait(Duration::from_micros(MAX_MICROS)))).is_ok());
    let micros = Duration::from_micros;
    let shape = compile(&tree().root(wait_between(micros(5), Duration::from_nanos(5_900))));
    let timers = shape.expect("there are fractions").tables().timers.clone();
    assert_eq!((timers[0].shortest, timers[0].micros), (5, 5));
    check(
        wait_between(micros(6), micros(5)),
        "t",
        "it would wait at least 6µs and at most 5µs",
        "the shorter time comes first",
    );
    let both = sequence([
        wait_between(Duration::MAX, Duration::ZERO),
        wait_between(Duration::ZERO, Duration::MAX),
    ]);
    let error = compile(&tree().root(both)).expect_err("wrong");
    assert_eq!(error.problems().len(), 2, "{error}");
    let (_, message, _) = problem(wait(Duration::MAX));
    assert!(
        message.ends_with("allowed are 1152921504606846976"),
        "{message}"
    );
}

#[test]
fn types_of_expressions() {
    let refused = |expr: Expr| problem(condition(expr)).1;
    assert_eq!(
        refused("health".into()),
        "a condition must be a bool, found f32"
    );
    assert_eq!(
        refused("3".into()),
        "a condition must be a bool, found a whole number"
    );
    assert_eq!(
        refused("health and armed".into()),
        "the two sides do not fit: f32 and bool"
    );
    assert_eq!(refused("not ammo".into()), "`not` takes a bool, found i32");
    assert_eq!(
        refused("target + 1 > 3".into()),
        "`+` takes numbers (i32 or f32), found u64 on both sides"
    );
    assert_eq!(
        refused("target > ammo".into()),
        "the two sides do not fit: u64 and i32"
    );
    assert_eq!(
        refused("armed < armed".into()),
        "`<` takes numbers, found bool on both sides"
    );
    assert_eq!(refused("target == -1".into()), "-1 does not fit u64");
    assert_eq!(
        refused("ammo == 3000000000".into()),
        "3000000000 does not fit i32"
    );
    assert_eq!(
        refused("health == 16777217".into()),
        "16777217 does not fit f32"
    );
    assert_eq!(
        refused(col("health").lt(f32::NAN)),
        "the constant NaN is not a finite number"
    );
    assert_eq!(
        problem(set("ammo", "health")).1,
        "column `ammo` is of type u8, the expression of type f32"
    );
    assert_eq!(
        problem(set("ammo", 300)).1,
        "300 does not fit column `ammo` of type u8"
    );
    assert_eq!(
        problem(set("armed", 1)).1,
        "1 does not fit column `armed` of type bool"
    );
    for fine in [
        "ammo / 2 < health",
        "target == 18446744073709551615",
        "armed == alarm",
        "min(ammo, 3) != 2",
    ] {
        assert!(compile(&tree().root(condition(fine))).is_ok(), "{fine}");
    }
}

#[test]
fn places_in_expressions() {
    let error =
        compile(&tree().root(condition("health < 0.5 and ammo + armed > 2"))).expect_err("wrong");
    assert_eq!(
        error.problems()[0].place,
        Place::Expr(pleach_tree::NodeId(0), 17..29)
    );
}

#[test]
fn all_problems_at_once_but_no_more_than_anyone_reads() {
    let wrong = |count: usize| selector((0..count).map(|_| condition("nope > 1")));
    let error = compile(&tree().root(wrong(3))).expect_err("wrong");
    assert_eq!(error.problems().len(), 3);
    let error = compile(&tree().root(wrong(60_000))).expect_err("wrong");
    assert_eq!(
        (error.problems().len(), error.omitted()),
        (MAX_PROBLEMS, 60_000 - MAX_PROBLEMS)
    );
    assert!(error.to_string().ends_with("and 59980 more"));
}

#[test]
fn definitions_of_any_depth_are_copied_compared_and_shown_without_recursion() {
    let mut def = succeed();
    for level in 0..100_000 {
        def = if level % 3 == 0 {
            invert(def)
        } else {
            sequence([def, succeed()]).named("n")
        };
    }
    let copy = def.clone();
    assert_eq!(copy, def);
    assert_ne!(copy, invert(copy.clone()));
    assert_eq!(format!("{:?}", copy), "Invert with 1 child");
}

/// Equal constants are found without looking through all that there are.
#[test]
fn many_opaque_constants_compile_in_time() {
    let tests = (0..100_000u64).map(|value| condition(col("target").eq_to(value)));
    let shape = compile(&tree().root(selector(tests))).expect("compiles");
    assert_eq!(shape.tables().constants.len(), 100_000);
}

/// Thousands of unknown names against thousands of columns: the hints must not cost their product.
#[test]
fn hints_do_not_explode() {
    let mut builder = Tree::build("t");
    for index in 0..20_000 {
        builder = builder.column(format!("column_number_{index}"), 0_u8);
    }
    let root = selector((0..20_000).map(|index| condition(format!("colum_number_{index} > 0"))));
    let error = compile(&builder.root(root)).expect_err("wrong");
    assert_eq!(
        error.problems()[7].help.as_deref(),
        Some("did you mean `column_number_7`?")
    );
}

#[test]
fn compound_nodes_say_what_they_need() {
    let long = Duration::from_micros(MAX_MICROS + 1);
    let message = format!(
        "the time is {} µs, allowed are {MAX_MICROS}",
        MAX_MICROS + 1
    );
    let help = "that is about 36,500 years";
    let rate = || rate_controller(succeed(), long).named("rate");
    check(rate(), "rate", &message, help);
    check(
        pipeline_sequence([rate(), succeed()]).named("pipe"),
        "pipe/rate",
        &message,
        help,
    );

    let keep = || keep_sequence([succeed()]);
    check(
        sequence((0..70_000).map(|_| keep())),
        "t",
        "the tree declares 4 columns, and its compound nodes need 70000 more, allowed are 65536",
        "compound nodes remember things in columns: take some of them away",
    );
    let deep = (0..30_000).fold(succeed(), |below, _| keep_sequence([below]));
    let (_, message, help) = problem(deep);
    assert_eq!(message, "the tree nests deeper than 65536 levels");
    assert_eq!(
        help,
        "compound nodes become several levels: nest fewer of them"
    );
}

/// What compound nodes remember is nobody else's, and no host is asked for what they call.
#[test]
fn names_of_compound_nodes_are_refused() {
    let keep = || keep_sequence([succeed(), succeed()]);
    let shape = compile(&tree().root(keep())).expect("compiles");
    let inner = shape.tables().columns.last().expect("its place").name;
    let place = shape.name(inner);
    assert!(place.starts_with("@0."), "{place}");
    // The same name again, below a sequence.
    let place = place.replace("@0", "@1");
    let column = format!("unknown column or world value `{place}`");
    let help = "names that begin with `@` belong to compound nodes: take another one";
    let test = || col(&*place).eq_to(0);
    for (node, message) in [
        (set(&*place, 1), &column),
        (on_success(succeed(), &*place, 1), &column),
        (on_halted(succeed(), &*place, 1), &column),
        (condition(test().not()), &column),
        (skip_if(succeed(), test()), &column),
        (
            switch(&*place, [case(1, succeed()), otherwise(fail())]),
            &column,
        ),
        (action("a").param_from("p", &*place), &column),
        (
            task("@1.halted"),
            &"`@1.halted` cannot name a function".to_owned(),
        ),
        (query("@home"), &"`@home` cannot name a function".to_owned()),
    ] {
        check(sequence([keep(), node.named("n")]), "t/n", message, help);
    }
    assert!(compile(&tree().root(action("@home"))).is_ok());
    assert!(shape.column("ammo").is_some() && shape.column("@0.place").is_none());
}
