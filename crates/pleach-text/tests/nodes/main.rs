//! Every node that is more than a keyword with children: how it is written, and what is wrong with it.

mod branches;
mod enumerations;
mod guards;
mod loops;

use std::time::Duration;

use pleach_text::explain::page;
use pleach_text::{Diagnostics, parse, write};
use pleach_tree::{
    NodeDef, Tree, abort_when, action, case, condition, cooldown, delay, done_when, fail, idle,
    if_then, if_then_else, otherwise, random_selector, random_sequence, repeat, repeat_regardless,
    repeat_until_failure, repeat_until_success, run_once, run_while, selector, sequence, succeed,
    switch, timeout, wait, wait_between, when, while_do, while_do_else,
};

const HEAD: &str = "    blackboard {\n        mode enum \"idle\" \"alert\" \"combat\" default=\"alert\"\n        armed bool\n        ammo u8 30\n        mood i32\n        health f32 1.0\n        id u64\n    }\n    world {\n        weather enum \"sun\" \"rain\"\n    }\n";

fn text(node: &str) -> String {
    format!("tree t {{\n{HEAD}{node}\n}}\n")
}

/// Checks that a text means a tree, and that the tree is read back as it is written.
#[track_caller]
fn means(node: &str, root: NodeDef) {
    let document = parse("a.kdl", &text(node)).unwrap_or_else(|errors| panic!("{errors}"));
    document
        .compile_main()
        .unwrap_or_else(|errors| panic!("{errors}"));
    let main = document.main();
    let tree = Tree::build("t")
        .with_columns(main.columns().iter().cloned())
        .with_world(main.world().iter().cloned())
        .root(root);
    assert_eq!(*main, tree, "{}", write(main));
    let written = write(main);
    let again = parse("b.kdl", &written).unwrap_or_else(|errors| panic!("{errors}\n{written}"));
    assert_eq!(again.main(), main, "{written}");
}

fn errors(node: &str) -> Diagnostics {
    match parse("a.kdl", &text(node)) {
        Err(errors) => errors,
        Ok(document) => document.compile_main().expect_err(node),
    }
}

/// Checks the first error: it stands at `part` of the node, and what is printed of it holds the texts.
#[track_caller]
fn refused(node: &str, part: &str, texts: &[&str]) {
    let errors = errors(node);
    let first = errors.iter().next().unwrap();
    let at = text("").len() - "\n}\n".len() + node.find(part).expect("the part stands in the node");
    assert_eq!(first.span().unwrap().start, at, "{errors}");
    assert!(
        errors.iter().all(|error| page(error.code()).is_some()),
        "{errors}"
    );
    for text in texts {
        assert!(first.to_string().contains(text), "no {text:?} in\n{errors}");
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}
