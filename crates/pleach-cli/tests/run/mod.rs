//! The command, run as people run it. Each file of tests uses a part of this.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A path in the repository.
pub(crate) fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// The command, to be run in the repository's folder.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pleach"));
    command
        .args(arguments)
        .current_dir(root(""))
        .env_remove("NO_COLOR")
        .stdin(Stdio::null());
    command
}

/// Runs it.
pub(crate) fn pleach(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// What is printed by a run that succeeds without a word on the error output.
#[track_caller]
pub(crate) fn good(arguments: &[&str]) -> String {
    let output = pleach(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), errors.as_str()),
        (Some(0), ""),
        "{arguments:?}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// What is written to the error output of a run that ends with that code.
#[track_caller]
pub(crate) fn bad(code: i32, arguments: &[&str]) -> String {
    let [_, errors] = ended(code, arguments);
    errors
}

/// The same of a run that prints nothing else.
#[track_caller]
pub(crate) fn refused(code: i32, arguments: &[&str]) -> String {
    let [printed, errors] = ended(code, arguments);
    assert!(printed.is_empty(), "{arguments:?}: {printed}");
    errors
}

#[track_caller]
fn ended(code: i32, arguments: &[&str]) -> [String; 2] {
    let output = pleach(arguments);
    let [printed, errors] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    assert!(!errors.contains("panicked"), "{errors}");
    [printed, errors]
}

/// What is printed as one line of JSON.
#[track_caller]
pub(crate) fn json(arguments: &[&str]) -> serde_json::Value {
    let text = good(arguments);
    assert_eq!(text.lines().count(), 1);
    serde_json::from_str(&text).unwrap()
}

/// An empty folder for a test; tests use different names.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}
