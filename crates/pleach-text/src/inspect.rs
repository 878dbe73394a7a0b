//! All that there is to say about a file of trees, errors and warnings.

use std::ops::Range;

use crate::btcpp::Options;
use crate::diagnostic::Diagnostics;
use crate::draft::{Draft, ItemKind};
use crate::file::{Checked, check_read, parse_all};
use crate::files::Files;
use crate::lint;
use crate::loader::{FilePlace, Loader};
use crate::source::Source;

/// What was found in a file of trees.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// Its trees; `None` where there are errors.
    pub trees: Option<Vec<Checked>>,
    /// The errors; where there are none, the warnings.
    pub found: Diagnostics,
    /// Which trees it has and which it uses, for [`unused_trees`]; empty where there are errors.
    pub outline: Outline,
}

/// Which trees a file has, and which trees, of this and other files, they use.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    pub(crate) file: String,
    /// All trees but the first, which is there to be run.
    pub(crate) trees: Vec<OutlineTree>,
    /// The key of a file, and a tree in it.
    pub(crate) uses: Vec<(String, String)>,
    pub(crate) runs: Option<String>,
}

impl Outline {
    /// Notes that a tree of that name, of whichever file, is run as it is.
    pub fn runs(&mut self, tree: &str) {
        self.runs = Some(tree.to_owned());
    }
}

/// A tree of an [`Outline`].
#[derive(Clone, Debug)]
pub(crate) struct OutlineTree {
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) span: Range<usize>,
    /// Whether it can run by itself.
    pub(crate) runs: bool,
}

/// Reads and compiles all trees of a KDL text as [`check_with`](crate::check_with) does, and where
/// nothing is wrong, looks for what is most likely not what was meant.
///
/// `strict` also tells what may well be right, such as a column that no node uses.
///
/// ```
/// use pleach_text::{Code, FilePlace, inspect_with};
///
/// let text = "tree \"guard\" { selector { succeed; action \"patrol\"; }; }";
/// let mut no_files = |_: &str| Err(pleach_text::LoadError::new("there is none"));
/// let inspection = inspect_with(&FilePlace::new("guard.kdl"), text, &mut no_files, false);
/// assert_eq!(inspection.trees.map(|trees| trees.len()), Some(1));
/// assert_eq!(inspection.found.iter().next().unwrap().code(), Code::Unreachable);
/// ```
pub fn inspect_with(
    place: &FilePlace,
    text: &str,
    loader: &mut dyn Loader,
    strict: bool,
) -> Inspection {
    inspect_with_options(place, text, loader, strict, &Options::new())
}

/// Does what [`inspect_with`] does, and tells the reader of BehaviorTree.CPP's files what those do not
/// say. What is not as such a file's own program has it is among what is found, as notes.
pub fn inspect_with_options(
    place: &FilePlace,
    text: &str,
    loader: &mut dyn Loader,
    strict: bool,
    options: &Options,
) -> Inspection {
    let read = parse_all(place, text, loader, options);
    let checked = read.and_then(|read| {
        let trees = check_read(&read)?;
        Ok((read, trees))
    });
    match checked {
        Ok((read, trees)) => {
            let mut found = Diagnostics::new();
            for note in read.remarks.notes() {
                found.push(note.clone());
            }
            lint::lint(&read.files, strict, &mut found);
            found.sort();
            Inspection {
                trees: Some(trees),
                found,
                outline: outline(&read.files),
            }
        }
        Err(found) => Inspection {
            trees: None,
            found,
            outline: Outline::default(),
        },
    }
}

fn outline(files: &Files) -> Outline {
    let own = &files.drafts[..files.own];
    let key = |draft: &Draft| files.keys.get(draft.file).cloned().unwrap_or_default();
    let used = own.iter().flat_map(|draft| &draft.items);
    let used = used.filter_map(|item| match &item.kind {
        ItemKind::Subtree(usage) => Some(usage.tree.as_str()),
        ItemKind::Node(_) => None,
    });
    // A name may be used very often, and is looked up once.
    let mut used: Vec<&str> = used.collect();
    used.sort_unstable();
    used.dedup();
    let of_name = |draft: &&Draft| used.binary_search(&draft.name.as_str()).is_ok();
    Outline {
        file: own.first().map(key).unwrap_or_default(),
        trees: own
            .iter()
            .skip(1)
            .map(|draft| OutlineTree {
                name: draft.name.clone(),
                source: draft.source.clone(),
                span: draft.span.clone(),
                runs: draft.runs(),
            })
            .collect(),
        uses: files
            .drafts
            .iter()
            .filter(of_name)
            .map(|draft| (key(draft), draft.name.clone()))
            .collect(),
        runs: None,
    }
}

/// Warnings about trees that no tree of these files uses: each file's first tree is there to be run, and
/// one that can run by itself may be, so it is told where `strict` asks for it.
pub fn unused_trees(outlines: &[Outline], strict: bool) -> Diagnostics {
    lint::unused_trees(outlines, strict)
}
