//! The trees of a file.

use pleach_shape::Shape;
use pleach_tree::Tree;

use crate::diagnostic::{Diagnostic, Diagnostics, did_you_mean, quoted};
use crate::document::{decode, kdl_document};
use crate::draft::Draft;
use crate::inline::{Origin, inline};
use crate::read::read;
use crate::source::Source;

/// The trees of a file, with the places of their nodes.
pub struct Document {
    source: Source,
    drafts: Vec<Draft>,
    trees: Vec<Tree>,
    origins: Vec<Origin>,
}

/// Reads the trees of a KDL text. `file_name` is what errors call it; no file is opened.
///
/// # Errors
/// Everything that is wrong with the text, each with its place. What needs the meaning of a tree
/// (types, thresholds, childless composites) is found by [`Document::compile`].
pub fn parse(file_name: &str, text: &str) -> Result<Document, Diagnostics> {
    if text.len() > crate::MAX_BYTES {
        let message = format!(
            "the file has {} bytes, allowed are {}",
            text.len(),
            crate::MAX_BYTES
        );
        return Err(Diagnostic::whole(&Source::new(file_name, ""), message).into());
    }
    parse_source(Source::new(file_name, text))
}

/// Reads the trees of a file's bytes; see [`parse`].
///
/// # Errors
/// As [`parse`], and bytes that are not UTF-8.
pub fn parse_bytes(file_name: &str, bytes: &[u8]) -> Result<Document, Diagnostics> {
    parse_source(decode(file_name, bytes)?)
}

fn parse_source(source: Source) -> Result<Document, Diagnostics> {
    let kdl = kdl_document(&source)?;
    let mut found = Diagnostics::new();
    let drafts = read(&source, &kdl, &mut found);
    let read = if found.is_empty() {
        inline(&source, &drafts, &mut found)
    } else {
        Vec::new()
    };
    let (trees, origins) = read.into_iter().unzip();
    found.finish(Document {
        source,
        drafts,
        trees,
        origins,
    })
}

impl Document {
    /// The trees in the order of the file; at least one.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// The tree of that name.
    pub fn tree(&self, name: &str) -> Option<&Tree> {
        self.trees.iter().find(|tree| tree.name() == name)
    }

    /// The first tree.
    pub fn main(&self) -> &Tree {
        &self.trees[0]
    }

    /// The text that the trees were read from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Compiles the tree of that name.
    ///
    /// # Errors
    /// What [`pleach_tree::compile`] finds, each with its place in the file; or that there is no
    /// such tree.
    pub fn compile(&self, name: &str) -> Result<Shape, Diagnostics> {
        let Some(at) = self.trees.iter().position(|tree| tree.name() == name) else {
            let names = self.trees.iter().map(Tree::name);
            let error =
                Diagnostic::whole(&self.source, format!("no tree is named {}", quoted(name)));
            return Err(error.with_help_if(did_you_mean(name, names)).into());
        };
        self.compile_at(at)
    }

    /// Compiles the first tree.
    ///
    /// # Errors
    /// As [`compile`](Document::compile).
    pub fn compile_main(&self) -> Result<Shape, Diagnostics> {
        self.compile_at(0)
    }

    fn compile_at(&self, at: usize) -> Result<Shape, Diagnostics> {
        pleach_tree::compile(&self.trees[at]).map_err(|error| {
            let mut found = Diagnostics::new();
            for problem in error.problems() {
                found.push(self.origins[at].diagnostic(&self.source, &self.drafts, problem));
            }
            found.omit(error.omitted());
            match found.finish(()) {
                Err(found) => found,
                Ok(()) => Diagnostic::whole(&self.source, error.to_string()).into(),
            }
        })
    }
}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Document")
            .field("source", &self.source)
            .field("trees", &self.trees)
            .finish()
    }
}
