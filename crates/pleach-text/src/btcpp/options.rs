//! What the reader of a file must be told, since the file does not say it.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::meaning::{Children, Meaning, like, meaning};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, bytes, quoted};
use crate::document::kdl_document;
use crate::source::Source;

/// What files of BehaviorTree.CPP do not say: what nodes of the project's own do with their
/// children, which leaves answer at once, where ROS packages are.
///
/// ```
/// use pleach_text::btcpp::{Leaf, Options};
///
/// let options = Options::new()
///     .with_parent("TaskSequence", "Sequence")
///     .unwrap()
///     .with_leaf("CutPath", Leaf::Task)
///     .with_package("my_robot", "/opt/my_robot/share");
/// assert!(Options::new().with_parent("TaskSequence", "Sleep").is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What nodes of the project's own are: such with children, and leaves.
    nodes: BTreeMap<String, Meaning>,
    packages: BTreeMap<String, String>,
    trees: BTreeMap<String, String>,
    missing_trees_are_actions: bool,
}

/// What a leaf of the project's own is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Leaf {
    /// An action that takes its time: asked for in one tick, it answers in a later one.
    Action,
    /// An action that answers within the tick in which it begins, such as one of the type
    /// `SyncActionNode`.
    Task,
    /// A condition.
    Condition,
}

impl Leaf {
    const ALL: [(&'static str, Leaf); 4] = [
        ("action", Leaf::Action),
        ("task", Leaf::Task),
        ("condition", Leaf::Condition),
        ("query", Leaf::Condition),
    ];

    const fn meaning(self) -> Meaning {
        match self {
            Leaf::Action => Meaning::Action,
            Leaf::Task => Meaning::Task,
            Leaf::Condition => Meaning::Query,
        }
    }
}

/// Elements of a file that are no nodes, or not of the project's own.
const NO_NODES: [&str; 11] = [
    "",
    "root",
    "include",
    "BehaviorTree",
    "TreeNodesModel",
    "SubTree",
    "SubTreePlus",
    "Action",
    "Condition",
    "Control",
    "Decorator",
];

/// Why no line `parent` or `leaf` can declare a name, and what to do.
fn cannot_be(name: &str, word: &str) -> Option<(String, &'static str)> {
    if NO_NODES.contains(&name) {
        let message = format!("{} names no node of a project", quoted(name));
        return Some((message, "name a node as it is registered in C++"));
    }
    let has_children = meaning(name)?.children() != Children::None;
    (has_children != (word == "parent")).then(|| {
        let has = if has_children { "has" } else { "has no" };
        let message = format!("{} {has} children", quoted(name));
        (
            message,
            "it is a node of BehaviorTree.CPP or Nav2: take the line away",
        )
    })
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
        let meaning = self::like(like).ok_or_else(|| NoSuchParent {
            found: like.to_owned(),
        })?;
        self.nodes.insert(name.to_owned(), meaning);
        Ok(self)
    }

    /// Says what a leaf of the project's own is, whatever models say of it.
    pub fn with_leaf(mut self, name: &str, leaf: Leaf) -> Options {
        self.nodes.insert(name.to_owned(), leaf.meaning());
        self
    }

    /// Reads declarations of nodes of the project's own from a KDL text: lines such as
    /// `parent "TaskSequence" like="Sequence"` and `leaf "CutPath" is="task"`.
    ///
    /// # Errors
    /// All that is wrong with the text.
    pub fn with_parents(mut self, file_name: &str, text: &str) -> Result<Options, Diagnostics> {
        let source = Source::new(file_name, text);
        let document = kdl_document(&source)?;
        let mut found = Diagnostics::new();
        let mut seen: HashMap<&str, Range<usize>> = HashMap::new();
        for node in document.nodes() {
            let word = node.name().value();
            let (key, usage) = match word {
                "leaf" => ("is", "write `leaf \"CutPath\" is=\"task\"`"),
                _ => ("like", "write `parent \"TaskSequence\" like=\"Sequence\"`"),
            };
            let text = |key: Option<&str>| {
                let mut entries = node.entries().iter();
                entries
                    .find(|entry| entry.name().map(|name| name.value()) == key)
                    .and_then(|entry| Some((entry.value().as_string()?, entry)))
            };
            let extra = node.entries().len() != 2 || node.children().is_some();
            let declared = match (word, text(None), text(Some(key))) {
                ("parent" | "leaf", Some(name), Some(is)) if !extra => Some((name, is)),
                _ => None,
            };
            let Some(((name, named), (is, entry))) = declared else {
                let message = format!("{} declares no node", quoted(word));
                found.push(
                    Diagnostic::new(&source, bytes(node), Code::OwnNodes.says(message))
                        .with_help(usage),
                );
                continue;
            };
            if let Some((message, help)) = cannot_be(name, word) {
                found.push(
                    Diagnostic::new(&source, bytes(named), Code::OwnNodes.says(message))
                        .with_help(help),
                );
                continue;
            }
            let (meaning, message, help) = match word {
                "parent" => {
                    let message = NoSuchParent {
                        found: is.to_owned(),
                    };
                    let help = "name a node of BehaviorTree.CPP, or its word in KDL";
                    (like(is), message.to_string(), help)
                }
                _ => {
                    let leaf = Leaf::ALL.iter().find(|(known, _)| *known == is);
                    let message = format!("{} is no kind of leaf", quoted(is));
                    let help = "a leaf is an `action`, a `condition`, or a `task`, which is an action that answers within its tick";
                    (leaf.map(|(_, leaf)| leaf.meaning()), message, help)
                }
            };
            let Some(meaning) = meaning else {
                found.push(
                    Diagnostic::new(&source, bytes(entry), Code::OwnNodes.says(message))
                        .with_help(help),
                );
                continue;
            };
            let before = self.nodes.insert(name.to_owned(), meaning);
            let first = seen.entry(name).or_insert_with(|| bytes(named));
            if before.is_some_and(|before| before != meaning) {
                let message = format!("{} is declared as something else, too", quoted(name));
                let mut error =
                    Diagnostic::new(&source, bytes(named), Code::OwnNodes.says(message));
                if *first != bytes(named) {
                    error = error.with_note(&source, first.clone(), "here");
                }
                found.push(error.with_help("keep one of the two"));
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

    pub(super) fn node(&self, name: &str) -> Option<Meaning> {
        self.nodes.get(name).copied()
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
