//! The cases of `tests/cases/`: by the reference, and by every kernel.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pleach_tests::cases::{Case, check, read_cases, read_folder, refused};
use rayon::prelude::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

fn all() -> Vec<Arc<Case>> {
    read_folder(&folder()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_case_comes_out_as_written() {
    let wrong = Mutex::new(Vec::new());
    all().par_iter().for_each(|case| {
        let mismatches = check(case);
        let shown = mismatches.iter().take(3).map(ToString::to_string);
        wrong.lock().expect("no panics here").extend(shown);
    });
    let mut wrong = wrong.into_inner().expect("no panics here");
    wrong.sort();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_refused_tree_is_refused_in_these_words() {
    let path = folder().join(refused::FILE);
    let text = std::fs::read_to_string(&path).expect("it is there");
    let (count, wrong) = refused::check_refused(&path, &text).unwrap_or_else(|error| panic!("{error}"));
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(count >= 50, "{count}");
}
