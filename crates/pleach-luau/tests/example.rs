//! The example `run`, and the script that comes with it.

use std::path::{Path, PathBuf};

#[allow(dead_code)]
#[path = "../examples/run.rs"]
mod example;

/// A script of that text, in a file of its own.
fn script(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the script is written");
    path
}

#[test]
fn the_guard_runs() {
    let guard = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/guard.luau");
    assert_eq!(example::run(&guard), Ok(()));
}

#[test]
fn a_script_finds_its_package_and_can_collect() {
    let path = script(
        "fine.luau",
        r#"
            local BT = Engine:GetPackage("BehaviorTree")
            local agents = setmetatable({ {} }, { __mode = "v" })
            BT.Compile(BT.Wait(1)):Tick(agents[1], {}, 0)
            Engine.Collect()
            assert(agents[1] == nil)
        "#,
    );
    assert_eq!(example::run(&path), Ok(()));
}

#[test]
fn what_goes_wrong_is_told_with_its_place() {
    let cases = [
        (
            "raises.luau",
            "\nerror('no more')",
            "raises.luau:2: no more\nstack traceback:",
        ),
        ("syntax.luau", "\n\nlocal = 1", "syntax.luau:3: "),
        (
            "package.luau",
            "Engine:GetPackage('Behaviour')",
            "there is no package \"Behaviour\"; there is \"BehaviorTree\"",
        ),
        (
            "empty.luau",
            "Engine:GetPackage()",
            "there is no package \"nil\"",
        ),
        ("bytecode.luau", "\u{0}\u{1}", "binary chunk"),
    ];
    for (name, text, expected) in cases {
        let problem = example::run(&script(name, text)).expect_err(name);
        assert!(problem.contains(expected), "{name}: {problem}");
    }
    let problem = example::run(Path::new("no/such.luau")).expect_err("there is none");
    assert!(
        problem.starts_with("cannot read no/such.luau: "),
        "{problem}"
    );
}
