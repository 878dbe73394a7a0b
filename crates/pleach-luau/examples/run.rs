//! Runs a Luau script that finds the package where the engine that it was written for keeps it:
//!
//! ```sh
//! cargo run -p pleach-luau --example run -- crates/pleach-luau/examples/guard.luau
//! ```
//!
//! The script has a global `Engine`: `Engine:GetPackage("BehaviorTree")` gives the module, and
//! `Engine.Collect()` collects all garbage, for those who want to see agents go. Exit status 1 says that
//! the script erred or could not be read, 2 that there is none.

use std::path::Path;
use std::process::ExitCode;

use mlua::chunk::ChunkMode;
use mlua::{Error, Lua, Table, Value};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(script), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: run SCRIPT (one Luau file)");
        return ExitCode::from(2);
    };
    match run(Path::new(&script)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {}", problem.trim_end());
            ExitCode::FAILURE
        }
    }
}

/// Runs a script.
///
/// # Errors
/// What to tell its author: the file cannot be read, or what it raises.
pub(crate) fn run(script: &Path) -> Result<(), String> {
    let place = script.display();
    let source = std::fs::read(script).map_err(|error| format!("cannot read {place}: {error}"))?;
    let lua = Lua::new();
    let prepare = || {
        lua.globals().set("Engine", engine(&lua)?)?;
        lua.sandbox(true)
    };
    prepare().map_err(|error| error.to_string())?;
    // With `=` the name is shown as it is; a script's directory is of no interest in its errors.
    let name = script.file_name().unwrap_or_default().to_string_lossy();
    let chunk = lua
        .load(source)
        .set_name(format!("={name}"))
        .set_mode(ChunkMode::Text);
    chunk.exec().map_err(|error| match error {
        Error::RuntimeError(message) | Error::SyntaxError { message, .. } => message,
        other => other.to_string(),
    })
}

/// A stand-in for an engine: packages by name, and a way to see the collector at work.
fn engine(lua: &Lua) -> mlua::Result<Table> {
    const PACKAGE: &str = "BehaviorTree";
    let module = pleach_luau::register(lua)?;
    let engine = lua.create_table()?;
    let package = lua.create_function(move |_, (_, name): (Value, Value)| {
        let name = name.to_string()?;
        if name == PACKAGE {
            return Ok(module.clone());
        }
        let problem = format!("there is no package {name:?}; there is {PACKAGE:?}");
        Err(Error::runtime(problem))
    })?;
    engine.set("GetPackage", package)?;
    // Twice: what a weak key led to is garbage only after the first.
    let collect = lua.create_function(|lua, ()| {
        lua.gc_collect()?;
        lua.gc_collect()
    })?;
    engine.set("Collect", collect)?;
    Ok(engine)
}
