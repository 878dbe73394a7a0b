//! A file of trees as it is written.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use pleach_tree::Tree;

use crate::btcpp::{Kept, Options, read_one, read_xml};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::draft::{Draft, ItemKind};
use crate::file::Remarks;
use crate::files::two_of_a_name;
use crate::format::{Format, read_text, write_text};
use crate::inline::inline;
use crate::loader::{FilePlace, Loader};
use crate::read::{Include, Reading};
use crate::source::Source;
use crate::write::draft_of;

/// A file of trees as it is written: with what it includes, uses of subtrees, parameters, mapped
/// names, notes of editors and the comments that stand before trees and nodes. It is what converts
/// between formats; [`parse`](crate::parse) makes trees that can run.
///
/// ```
/// use pleach_text::{Format, TreeFile};
///
/// let text = "include \"patrol.kdl\"\n\n// at the gate\ntree \"guard\" {\n    subtree \"patrol\" speed=1.5\n}\n";
/// let file = TreeFile::read(Format::Kdl, "guard.kdl", text).unwrap();
/// let json = file.write(Format::Json).unwrap();
/// let back = TreeFile::read(Format::Json, "guard.json", &json).unwrap();
/// assert_eq!(back.write(Format::Kdl).unwrap(), text);
/// ```
///
/// What is wrong with a tree by itself is found when the file is read; what needs other trees, such as
/// the name of a subtree or its parameters, when it is parsed.
pub struct TreeFile {
    source: Source,
    includes: Vec<Include>,
    drafts: Vec<Draft>,
    remarks: Remarks,
    kept: Kept,
}

impl TreeFile {
    /// Reads a text. `file_name` is what errors call it; what it includes is not opened.
    ///
    /// # Errors
    /// Everything that is wrong with the text, each with its place.
    pub fn read(format: Format, file_name: &str, text: &str) -> Result<TreeFile, Diagnostics> {
        TreeFile::of_source(format, Source::new(file_name, text))
    }

    /// Reads a text that is a [`Source`] already, such as one from [`decode`](crate::decode).
    ///
    /// # Errors
    /// As [`read`](TreeFile::read).
    pub fn of_source(format: Format, source: Source) -> Result<TreeFile, Diagnostics> {
        if format == Format::Xml {
            return TreeFile::of_xml(source, &Options::new());
        }
        let mut found = Diagnostics::new();
        let mut drafts = Vec::new();
        let mut reading = Reading::default();
        let includes = read_text(format, &source, 0, &mut reading, &mut drafts, &mut found);
        two_of_a_name(&drafts, &mut found);
        if drafts.is_empty() && includes.is_empty() && found.is_empty() {
            found.push(Diagnostic::whole(
                &source,
                Code::NoTree.says("the file holds no tree"),
            ));
        }
        found.finish(TreeFile {
            source,
            includes,
            drafts,
            remarks: Remarks::default(),
            kept: Kept::default(),
        })
    }

    /// Reads a file of BehaviorTree.CPP by itself, and tells the reader what the file does not say. What its
    /// names hold may be said in files that it includes, or that include it, and is guessed here:
    /// [`of_project`](TreeFile::of_project) reads those, too.
    ///
    /// # Errors
    /// As [`read`](TreeFile::read).
    pub fn of_xml(source: Source, options: &Options) -> Result<TreeFile, Diagnostics> {
        let mut found = Diagnostics::new();
        let read = read_one(&source, options, &mut found);
        found.finish(TreeFile {
            source,
            includes: read.includes,
            drafts: read.files.drafts,
            remarks: Remarks {
                notes: read.notes,
                unknown_leaves: read.unknown_leaves,
            },
            kept: read.kept,
        })
    }

    /// Reads a file of BehaviorTree.CPP and makes one of it and of what its trees use from the files that it
    /// includes, or that the options name: what the names of one of these files hold is often said in
    /// another, so that none of them can be written in another format alone.
    ///
    /// # Errors
    /// As [`parse_with_options`](crate::parse_with_options).
    pub fn of_project(
        source: Source,
        place: &FilePlace,
        loader: &mut dyn Loader,
        options: &Options,
    ) -> Result<TreeFile, Diagnostics> {
        let mut found = Diagnostics::new();
        let read = read_xml(source.clone(), place, loader, options, &mut found);
        if found.is_empty() {
            // Says which trees are nowhere, and which parameters nobody gives.
            inline(&read.files, &mut found);
        }
        let mut drafts = read.files.drafts;
        drop_unused(&mut drafts, read.files.own);
        found.finish(TreeFile {
            source,
            includes: Vec::new(),
            drafts,
            remarks: Remarks {
                notes: read.notes,
                unknown_leaves: read.unknown_leaves,
            },
            kept: read.kept,
        })
    }

    /// A file that holds these trees.
    pub fn of_trees<'a>(trees: impl IntoIterator<Item = &'a Tree>) -> TreeFile {
        TreeFile {
            source: Source::new("", ""),
            includes: Vec::new(),
            drafts: trees.into_iter().map(draft_of).collect(),
            remarks: Remarks::default(),
            kept: Kept::default(),
        }
    }

    /// What was told of the file when it was read: notes on files of BehaviorTree.CPP.
    pub fn remarks(&self) -> &Remarks {
        &self.remarks
    }

    /// The names of its own trees, in their order.
    pub fn tree_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.drafts.iter().map(|draft| draft.name.as_str())
    }

    /// The names of nodes of a project's own that are written in XML as what they are like here: notes of the
    /// name `_tag` say them.
    pub fn stand_ins(&self) -> BTreeSet<&str> {
        let items = self.drafts.iter().flat_map(|draft| &draft.items);
        let notes = items.flat_map(|item| &item.meta);
        let tags = notes.filter(|(name, _)| name == "_tag");
        tags.map(|(_, tag)| tag.as_str()).collect()
    }

    /// The paths that it includes, as they are written.
    pub fn includes(&self) -> impl ExactSizeIterator<Item = &str> {
        self.includes.iter().map(|include| include.path.as_str())
    }

    /// The text that it was read from; an empty one if it was made from trees.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Writes it as a text. Whatever the format, what is read back from it is the same file.
    ///
    /// # Errors
    /// What the format has no words for, each with its place in the text that was read.
    pub fn write(&self, format: Format) -> Result<String, Diagnostics> {
        write_text(
            format,
            &self.source,
            &self.includes,
            &self.drafts,
            &self.kept,
        )
    }
}

/// Keeps the first `own` trees and those that they use, directly or through others.
fn drop_unused(drafts: &mut Vec<Draft>, own: usize) {
    let places: HashMap<&str, usize> = drafts
        .iter()
        .enumerate()
        .map(|(at, draft)| (draft.name.as_str(), at))
        .collect();
    let mut used: Vec<bool> = (0..drafts.len()).map(|at| at < own).collect();
    let mut pending: Vec<usize> = (0..own.min(drafts.len())).collect();
    while let Some(at) = pending.pop() {
        for item in &drafts[at].items {
            if let ItemKind::Subtree(usage) = &item.kind
                && let Some(&next) = places.get(usage.tree.as_str())
                && !std::mem::replace(&mut used[next], true)
            {
                pending.push(next);
            }
        }
    }
    let mut used = used.into_iter();
    drafts.retain(|_| used.next().unwrap_or(false));
}

impl fmt::Debug for TreeFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreeFile")
            .field("source", &self.source)
            .field("includes", &self.includes().collect::<Vec<_>>())
            .field("trees", &self.tree_names().collect::<Vec<_>>())
            .finish()
    }
}
