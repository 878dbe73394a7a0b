//! Files of real projects.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use pleach_text::btcpp::Options;
use pleach_text::{
    Code, FilePlace, LoadError, Loader, check_with_options, inspect_with_options, relative,
};

/// The folder of files that others wrote, where it is there.
fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let folder = root.join("shared/corpus");
    folder.is_dir().then_some(folder)
}

/// A file: its repository, its path there, its text.
pub(crate) struct Found {
    pub(crate) name: String,
    repository: String,
    path: String,
    pub(crate) text: String,
}

pub(crate) fn files() -> Vec<Found> {
    let Some(folder) = folder() else {
        return Vec::new();
    };
    let index = std::fs::read_to_string(folder.join("index.tsv")).expect("index");
    let rows = index.lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        let mut next = || cells.next().unwrap_or("").to_owned();
        let (name, repository, path) = (next(), next(), next());
        let text = std::fs::read_to_string(folder.join("btcpp_xml").join(&name)).expect("file");
        Found {
            name,
            repository,
            path,
            text,
        }
    });
    rows.collect()
}

/// With the nodes that only some of the projects know.
pub(crate) fn options() -> Options {
    Options::new()
        .with_parents("parents.kdl", include_str!("parents.kdl"))
        .expect("parents")
}

/// For whole projects: also where their packages are; what is not of the corpus is an action.
pub(crate) fn project_options() -> Options {
    options()
        .with_package("cabot_bt", "/cabot_bt")
        .with_missing_trees_as_actions()
}

/// The files of all projects, by repository and path.
pub(crate) struct Shelves<'a>(HashMap<(&'a str, &'a str), &'a str>);

impl<'a> Shelves<'a> {
    pub(crate) fn new(files: &'a [Found]) -> Shelves<'a> {
        let texts = files.iter().map(|file| {
            let key = (file.repository.as_str(), file.path.as_str());
            (key, file.text.as_str())
        });
        Shelves(texts.collect())
    }

    /// What loads the files that a file includes, and its place.
    pub(crate) fn loader(&'a self, file: &'a Found) -> (impl Loader + 'a, FilePlace) {
        let loader = move |path: &str| {
            let key = (file.repository.as_str(), path.trim_start_matches('/'));
            let text = self.0.get(&key).map(|text| (*text).to_owned());
            text.ok_or_else(|| LoadError::new("there is no such file"))
        };
        (loader, FilePlace::new(relative(&file.path, "")))
    }
}

#[test]
fn real_files_are_read_and_compile() {
    let files = files();
    let shelves = Shelves::new(&files);
    let options = project_options();
    // Names of their own are not taken for slips.
    let mut told: Vec<String> = Vec::new();
    let mut refused: BTreeMap<&str, String> = BTreeMap::new();
    for file in &files {
        let (mut loader, place) = shelves.loader(file);
        let read = check_with_options(&place, &file.text, &mut loader, &options);
        if let Err(errors) = read {
            let first = errors.iter().next().expect("an error");
            refused.insert(&file.name, first.message().to_owned());
        }
        let found = inspect_with_options(&place, &file.text, &mut loader, false, &options).found;
        let slips = found.iter().filter(|one| one.code() == Code::Misspelled);
        told.extend(slips.map(|slip| slip.to_string()));
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
    if files.is_empty() {
        return;
    }
    // The list in the documentation is what comes of the files.
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/btcpp.md");
    let docs = std::fs::read_to_string(docs).expect("docs");
    let rows = docs
        .lines()
        .filter(|line| line.starts_with("| `") && line.contains(".xml` |"));
    let rows: Vec<&str> = rows.collect();
    let is: Vec<String> = refused
        .iter()
        .map(|(name, message)| {
            let file = name.rsplit("__").next().unwrap_or(name);
            format!("| `{file}` | {message} |")
        })
        .collect();
    assert_eq!(rows, is, "{}", is.join("\n"));
    assert!(refused.len() * 20 <= files.len());
}
