//! The KDL files of the repository, and texts out of its documents.

use std::path::{Path, PathBuf};

/// All files with trees, each with its text. Scenarios are KDL as well, and no trees.
pub(crate) fn trees() -> Vec<(PathBuf, String)> {
    let found = files("trees");
    assert!(found.len() >= 5, "{found:?}");
    found
}

/// All scenarios.
pub(crate) fn scenarios() -> Vec<(PathBuf, String)> {
    files("scenarios")
}

fn files(folder: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let mut pending = vec![root.join(folder)];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|ending| ending == "kdl") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}
