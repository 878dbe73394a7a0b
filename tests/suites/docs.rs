//! What the documentation names is there: tests, files, folders.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pages, and the folder from which each one's links go.
fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir(root().join("docs")).expect("there are docs");
    let mut pages: Vec<PathBuf> = docs.map(|entry| entry.expect("readable").path()).collect();
    pages.extend(["README.md", "CHANGELOG.md"].map(|page| root().join(page)));
    pages
}

/// Rust files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn links_lead_somewhere() {
    let mut links = 0;
    for page in pages() {
        let text = read(&page);
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap_or("");
            if target.is_empty() || target.contains("://") {
                continue;
            }
            let path = page.parent().expect("in a folder").join(target);
            assert!(path.exists(), "{}: {target}", page.display());
            links += 1;
        }
    }
    assert!(links > 10);
}

/// `suite::name` in the semantics is a test of a suite of that name.
#[test]
fn tests_that_hold_a_rule_exist() {
    let mut files = Vec::new();
    sources(&root().join("tests/suites"), &mut files);
    for krate in ["pleach-vm", "pleach-tree"] {
        sources(&root().join("crates").join(krate).join("tests"), &mut files);
    }
    let mut cited = 0;
    let text = read(&root().join("docs/semantics.md"));
    for quoted in text.split('`').skip(1).step_by(2) {
        let Some((suite, name)) = quoted.split_once("::") else {
            continue;
        };
        // Code is quoted, too: `i32::MIN`.
        if name.starts_with(|first: char| first.is_ascii_uppercase()) {
            continue;
        }
        let of_suite = |file: &&PathBuf| {
            let path = file.to_string_lossy();
            path.ends_with(&format!("/{suite}.rs")) || path.contains(&format!("/{suite}/"))
        };
        let function = format!("fn {name}(");
        let module = format!("/{name}.rs");
        let found = files.iter().filter(of_suite).any(|file| {
            file.to_string_lossy().ends_with(&module) || read(file).contains(&function)
        });
        assert!(found, "{quoted}");
        cited += 1;
    }
    assert!(cited > 15, "{cited}");
}
