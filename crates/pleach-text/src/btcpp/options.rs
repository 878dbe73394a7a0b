//! What the reader of a file must be told, since the file does not say it.

use std::collections::BTreeMap;

use super::meaning::{Meaning, like};
use crate::diagnostic::{Diagnostic, Diagnostics, bytes, quoted};
use crate::document::kdl_document;
use crate::source::Source;

/// What files of BehaviorTree.CPP do not say: what nodes of the project's own do with their
/// children, where ROS packages are.
///
/// ```
/// use pleach_text::btcpp::Options;
///
/// let options = Options::new()
///     .with_parent("TaskSequence", "Sequence")
///     .unwrap()
///     .with_package("my_robot", "/opt/my_robot/share");
/// assert!(Options::new().with_parent("TaskSequence", "Sleep").is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    parents: BTreeMap<String, Meaning>,
    packages: BTreeMap<String, String>,
    trees: BTreeMap<String, String>,
    missing_trees_are_actions: bool,
}

/// A likeness that is none: no node of that name has children.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSuchParent {
    found: String,
}

impl std::fmt::Display for NoSuchParent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let found = quoted(&self.found);
        write!(
            f,
            "{found} is no node with children, such as Sequence or Inverter"
        )
    }
}

impl std::error::Error for NoSuchParent {}

impl Options {
    /// Nothing is known beside what BehaviorTree.CPP and Nav2 have.
    pub fn new() -> Options {
        Options::default()
    }

    /// Says that a node of the project's own does with its children what another one does: `like` is
    /// a name of BehaviorTree.CPP, or the word for it in KDL.
    ///
    /// # Errors
    /// `like` is no node with children, or one that needs an expression.
    pub fn with_parent(mut self, name: &str, like: &str) -> Result<Options, NoSuchParent> {
        self.add(name, like)?;
        Ok(self)
    }

    fn add(&mut self, name: &str, word: &str) -> Result<(), NoSuchParent> {
        let meaning = like(word).ok_or_else(|| NoSuchParent {
            found: word.to_owned(),
        })?;
        self.parents.insert(name.to_owned(), meaning);
        Ok(())
    }

    /// Reads declarations of parents from a KDL text: lines such as
    /// `parent "TaskSequence" like="Sequence"`.
    ///
    /// # Errors
    /// All that is wrong with the text.
    pub fn with_parents(mut self, file_name: &str, text: &str) -> Result<Options, Diagnostics> {
        let source = Source::new(file_name, text);
        let document = kdl_document(&source)?;
        let mut found = Diagnostics::new();
        let usage = "write `parent \"TaskSequence\" like=\"Sequence\"`";
        for node in document.nodes() {
            let text = |key: Option<&str>| {
                let mut entries = node.entries().iter();
                entries
                    .find(|entry| entry.name().map(|name| name.value()) == key)
                    .and_then(|entry| Some((entry.value().as_string()?, entry)))
            };
            let extra = node.entries().len() != 2 || node.children().is_some();
            let (name, like) = match (node.name().value(), text(None), text(Some("like"))) {
                ("parent", Some((name, _)), Some(like)) if !extra => (name, like),
                (word, ..) => {
                    let message = format!("{} declares no parent", quoted(word));
                    found.push(Diagnostic::new(&source, bytes(node), message).with_help(usage));
                    continue;
                }
            };
            if let Err(error) = self.add(name, like.0) {
                let error = Diagnostic::new(&source, bytes(like.1), error.to_string());
                found.push(error.with_help("name a node of BehaviorTree.CPP, or its word in KDL"));
            }
        }
        found.finish(self)
    }

    /// Says in which folder a ROS package's files are: `<include ros_pkg="my_robot" path="trees/a.xml"/>`
    /// then means the file `trees/a.xml` in it.
    pub fn with_package(mut self, name: &str, folder: &str) -> Options {
        self.packages.insert(name.to_owned(), folder.to_owned());
        self
    }

    /// Says in which file a tree is that a file may use without including it, as those of a project do.
    /// The path is relative to the file that is read, or absolute. Of several files for one tree, the first
    /// counts; a file that is read anyway is not looked for.
    pub fn with_tree(mut self, tree: &str, path: &str) -> Options {
        self.trees
            .entry(tree.to_owned())
            .or_insert_with(|| path.to_owned());
        self
    }

    /// Says that a subtree which no file defines is an action of its name, as is fit for a look at
    /// one file out of many. Otherwise it is an error.
    pub fn with_missing_trees_as_actions(mut self) -> Options {
        self.missing_trees_are_actions = true;
        self
    }

    pub(super) fn parent(&self, name: &str) -> Option<Meaning> {
        self.parents.get(name).copied()
    }

    pub(super) fn package(&self, name: &str) -> Option<&str> {
        self.packages.get(name).map(String::as_str)
    }

    pub(super) fn file_of(&self, tree: &str) -> Option<&str> {
        self.trees.get(tree).map(String::as_str)
    }

    pub(super) fn takes_missing_trees(&self) -> bool {
        self.missing_trees_are_actions
    }
}
