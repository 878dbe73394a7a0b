//! The files of a project: all in a folder and in the folders below.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pleach_text::Format;

use crate::format;

/// A file that is to be checked, or why a folder cannot be looked into.
pub(crate) type Found = Result<(PathBuf, Format), (PathBuf, io::Error)>;

/// Folders that hold what programs have made.
const SKIPPED: [&str; 2] = ["target", "node_modules"];

/// All files below a folder whose names say that they hold trees, by name, a folder's own files in one
/// order with its folders. Hidden files and folders are left out, and so are folders that hold what
/// programs have made. A folder that several links lead to is looked into once.
pub(crate) fn files(folder: &Path) -> Vec<Found> {
    let mut found = Vec::new();
    let mut seen: HashSet<PathBuf> = HashSet::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(path) = pending.pop() {
        // The folder that was asked for is looked into, whatever it is called.
        if !path.is_dir() {
            // What is named as a tree file, and leads nowhere, is told when it is read. Pipes and devices
            // hold no trees, and would make the check wait.
            let readable = fs::metadata(&path).map_or(true, |metadata| metadata.is_file());
            if readable && let Some(format) = format::of_trees(&path) {
                found.push(Ok((path, format)));
            }
            continue;
        }
        match entries(&path) {
            Ok(entries) => {
                if fs::canonicalize(&path).is_ok_and(|path| seen.insert(path)) {
                    pending.extend(entries.into_iter().rev());
                }
            }
            Err(error) => found.push(Err((path, error))),
        }
    }
    found
}

/// What a folder has in it, by name.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let made = SKIPPED.contains(&&*name) && path.is_dir();
        if !name.starts_with('.') && !made {
            entries.push(path);
        }
    }
    entries.sort();
    Ok(entries)
}
