//! Runs the scripts under `tests/luau`, which hold the package to its page. A script has the globals
//! `Engine` (with `GetPackage`), `check` (`tests/support/check.luau`), `collect` (all garbage goes) and
//! `liveAgents` (how many agents' progress a tree holds).

use std::path::{Path, PathBuf};

use mlua::{Lua, Table, Value};

const CHECK: &str = include_str!("support/check.luau");

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/luau")
}

fn prepare(lua: &Lua) -> mlua::Result<()> {
    let globals = lua.globals();
    let module = pleach_luau::register(lua)?;
    let engine = lua.create_table()?;
    engine.set(
        "GetPackage",
        lua.create_function(move |_, (_, name): (Table, String)| {
            assert_eq!(name, "BehaviorTree");
            Ok(module.clone())
        })?,
    )?;
    globals.set("Engine", engine)?;
    let check: Table = lua.load(CHECK).set_name("=check.luau").call(())?;
    globals.set("check", check)?;
    // Twice: what a weak key led to is garbage only after the first.
    globals.set(
        "collect",
        lua.create_function(|lua, ()| {
            lua.gc_collect()?;
            lua.gc_collect()
        })?,
    )?;
    globals.set(
        "liveAgents",
        lua.create_function(|_, tree: Value| Ok(pleach_luau::live_agents(&tree)))?,
    )?;
    lua.sandbox(true)
}

/// Runs a script; what it raises fails the test, with the script's name and line.
fn run(script: &str) {
    let file = format!("{script}.luau");
    let path = folder().join(&file);
    let source = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lua = Lua::new();
    prepare(&lua).expect("the state is prepared");
    if let Err(error) = lua.load(source).set_name(format!("={file}")).exec() {
        panic!("{file} failed: {error}");
    }
}

macro_rules! scripts {
    ($($script:ident)*) => {
        const SCRIPTS: &[&str] = &[$(stringify!($script)),*];
        $(#[test] fn $script() { run(stringify!($script)); })*
    };
}

scripts! {
    arguments
    composites
    decorators
    errors
    guard
    leaves
    limits
    nesting
    random
    stress
    surface
    time
    trees
    weak
}

#[test]
fn every_script_is_run() {
    let mut found: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    found.sort();
    assert_eq!(found, SCRIPTS);
}

#[test]
fn a_script_that_fails_is_told_with_name_and_line() {
    let lua = Lua::new();
    prepare(&lua).expect("the state is prepared");
    let chunk = lua.load("\ncheck.equal(1, 2)").set_name("=sample.luau");
    let error = chunk.exec().expect_err("1 is not 2").to_string();
    assert!(
        error.contains("sample.luau:2: found 1, expected 2"),
        "{error}"
    );
}
