//! The trees of a file.

use pleach_shape::Shape;
use pleach_tree::Tree;

use crate::btcpp::{Options, read_xml};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean, quoted};
use crate::document::decode;
use crate::draft::Draft;
use crate::files::{Files, read_files};
use crate::format::Format;
use crate::inline::{Origin, inline};
use crate::loader::{FilePlace, Loader, NoFiles};
use crate::source::Source;

/// The trees of a file, with the places of their nodes.
pub struct Document {
    source: Source,
    remarks: Remarks,
    drafts: Vec<Draft>,
    /// The trees that can run by themselves.
    trees: Vec<Tree>,
    origins: Vec<Origin>,
}

/// Reads the trees of a KDL text. `file_name` is what errors call it; no file is opened, and so
/// `include` is an error: [`parse_with`] takes a loader.
///
/// # Errors
/// Everything that is wrong with the text, each with its place. What needs the meaning of a tree
/// (types, thresholds, childless composites) is found by [`Document::compile`].
pub fn parse(file_name: &str, text: &str) -> Result<Document, Diagnostics> {
    parse_with(&FilePlace::new(file_name), text, &mut NoFiles)
}

/// Reads the trees of a file's bytes; see [`parse`].
///
/// # Errors
/// As [`parse`], and bytes that are not UTF-8.
pub fn parse_bytes(file_name: &str, bytes: &[u8]) -> Result<Document, Diagnostics> {
    let source = decode(file_name, bytes)?;
    let place = FilePlace::new(file_name);
    Document::new(gather(source, &place, &mut NoFiles, &Options::new())?)
}

/// Reads the trees of a KDL text and of the files that it includes, which the loader loads. `place`
/// is where the text is from.
///
/// # Errors
/// As [`parse`], in any of the files; files that cannot be loaded, more than
/// [`MAX_FILES`](crate::MAX_FILES) of them, or with more than
/// [`MAX_TOTAL_BYTES`](crate::MAX_TOTAL_BYTES) together.
pub fn parse_with(
    place: &FilePlace,
    text: &str,
    loader: &mut dyn Loader,
) -> Result<Document, Diagnostics> {
    Document::new(parse_all(place, text, loader, &Options::new())?)
}

/// Reads a text as [`parse_with`] does, and tells the reader of BehaviorTree.CPP's files what those do
/// not say.
///
/// # Errors
/// As [`parse_with`].
pub fn parse_with_options(
    place: &FilePlace,
    text: &str,
    loader: &mut dyn Loader,
    options: &Options,
) -> Result<Document, Diagnostics> {
    Document::new(parse_all(place, text, loader, options)?)
}

/// What is told of a file that is read without errors.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    pub(crate) notes: Vec<Diagnostic>,
    pub(crate) unknown_leaves: Vec<String>,
}

impl Remarks {
    /// What is not as the file's own program has it, each kind once a file, with the place where it is met
    /// first and the number of the rule in `docs/semantics.md`. Files in KDL and JSON have none.
    pub fn notes(&self) -> &[Diagnostic] {
        &self.notes
    }

    /// The leaves that nobody declares, which are taken for actions, by name.
    pub fn unknown_leaves(&self) -> &[String] {
        &self.unknown_leaves
    }
}

/// A tree that was read and compiled to see whether it is right.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The shape. Parameters without a default have stand-ins in it.
    pub shape: Shape,
    /// The tree's parameters, each as it would be declared: `speed f32 1.5`.
    pub parameters: Vec<String>,
    /// What its own columns, world values and parameters are, for people: those that have a `doc`, by name.
    pub docs: Vec<(String, String)>,
    /// Whether the tree can run by itself: no parameter lacks a default.
    pub runs: bool,
}

/// Reads and compiles all trees of a KDL text, also those that are only there to be used as
/// subtrees.
///
/// # Errors
/// As [`parse_with`] and [`Document::compile`], all of them.
pub fn check_with(
    place: &FilePlace,
    text: &str,
    loader: &mut dyn Loader,
) -> Result<Vec<Checked>, Diagnostics> {
    check_with_options(place, text, loader, &Options::new()).map(|(all, _)| all)
}

/// Reads and compiles all trees of a text, as [`check_with`] does, and tells the reader of
/// BehaviorTree.CPP's files what those do not say.
///
/// # Errors
/// As [`check_with`].
pub fn check_with_options(
    place: &FilePlace,
    text: &str,
    loader: &mut dyn Loader,
    options: &Options,
) -> Result<(Vec<Checked>, Remarks), Diagnostics> {
    let read = parse_all(place, text, loader, options)?;
    Ok((check_read(&read)?, read.remarks))
}

/// Compiles all trees of a text.
pub(crate) fn check_read(read: &Read) -> Result<Vec<Checked>, Diagnostics> {
    let mut found = Diagnostics::new();
    let mut all = Vec::new();
    for ((tree, origin), draft) in read.trees.iter().zip(&read.files.drafts) {
        match compile(tree, origin, &read.files.drafts, &read.source) {
            Ok(shape) => all.push(Checked {
                shape,
                parameters: draft.params.iter().map(|param| param.to_string()).collect(),
                docs: draft.docs(),
                runs: draft.runs(),
            }),
            Err(errors) => found.append(errors),
        }
    }
    found.finish(all)
}

/// A text and its trees, those included that only run as subtrees.
pub(crate) struct Read {
    source: Source,
    pub(crate) files: Files,
    pub(crate) remarks: Remarks,
    /// A tree for each of the first file's drafts.
    trees: Vec<(Tree, Origin)>,
}

pub(crate) fn parse_all(
    place: &FilePlace,
    text: &str,
    loader: &mut dyn Loader,
    options: &Options,
) -> Result<Read, Diagnostics> {
    if text.len() > crate::MAX_BYTES {
        let message = format!(
            "the file has {} bytes, allowed are {}",
            text.len(),
            crate::MAX_BYTES
        );
        return Err(
            Diagnostic::whole(&Source::new(&place.name, ""), Code::Limit.says(message)).into(),
        );
    }
    gather(Source::new(&place.name, text), place, loader, options)
}

fn gather(
    source: Source,
    place: &FilePlace,
    loader: &mut dyn Loader,
    options: &Options,
) -> Result<Read, Diagnostics> {
    let mut found = Diagnostics::new();
    let mut remarks = Remarks::default();
    let files = match Format::of_text(&place.name, source.text()) {
        Format::Xml => {
            let read = read_xml(source.clone(), place, loader, options, &mut found);
            remarks.notes = read.notes;
            remarks.unknown_leaves = read.unknown_leaves;
            read.files
        }
        Format::Kdl | Format::Json => read_files(source.clone(), place, loader, &mut found),
    };
    let trees = match found.is_empty() {
        true => inline(&files, &mut found),
        false => Vec::new(),
    };
    found.finish(Read {
        source,
        files,
        remarks,
        trees,
    })
}

fn compile(
    tree: &Tree,
    origin: &Origin,
    drafts: &[Draft],
    source: &Source,
) -> Result<Shape, Diagnostics> {
    pleach_tree::compile(tree).map_err(|error| {
        let mut found = Diagnostics::new();
        for problem in error.problems() {
            origin.tell(drafts, problem, &mut found);
        }
        if error.omitted() > 0 {
            found.omit();
        }
        match found.finish(()) {
            Err(found) => found,
            Ok(()) => Diagnostic::whole(source, Code::Internal.says(error.to_string())).into(),
        }
    })
}

impl Document {
    fn new(read: Read) -> Result<Document, Diagnostics> {
        let drafts = read.files.drafts;
        let trees = read.trees.into_iter().zip(&drafts);
        let (trees, origins): (Vec<Tree>, Vec<Origin>) = trees
            .filter_map(|(tree, draft)| draft.runs().then_some(tree))
            .unzip();
        if trees.is_empty() {
            let error = Diagnostic::whole(
                &read.source,
                Code::CannotRun.says(
                    "no tree of the file can run by itself: each has a parameter without a default",
                ),
            );
            return Err(error
                .with_help("give the parameters defaults, or use the trees as subtrees of another")
                .into());
        }
        Ok(Document {
            source: read.source,
            remarks: read.remarks,
            drafts,
            trees,
            origins,
        })
    }

    /// The file's own trees in their order; at least one. Those with a parameter that has no default
    /// are not among them: they are only there to be used as subtrees.
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

    /// What was told of the file.
    pub fn remarks(&self) -> &Remarks {
        &self.remarks
    }

    /// The text that the trees were read from: that of the first file.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Compiles the tree of that name.
    ///
    /// # Errors
    /// What [`pleach_tree::compile`] finds, each with its place in its file; or that there is no
    /// such tree, or that it needs parameters.
    pub fn compile(&self, name: &str) -> Result<Shape, Diagnostics> {
        let Some(at) = self.trees.iter().position(|tree| tree.name() == name) else {
            return Err(self.no_tree(name).into());
        };
        self.compile_at(at)
    }

    #[cold]
    fn no_tree(&self, name: &str) -> Diagnostic {
        let needs = self.drafts.iter().find_map(|draft| {
            let mut params = draft.params.iter();
            let param = params.find(|param| param.default.is_none())?;
            (draft.name == name).then_some((draft, param))
        });
        if let Some((draft, param)) = needs {
            let message = format!(
                "tree {} cannot run by itself: its parameter {} has no default",
                quoted(name),
                quoted(&param.name)
            );
            return Diagnostic::new(
                &draft.source,
                param.span.clone(),
                Code::CannotRun.says(message),
            )
            .with_help("give it one, or use the tree as a subtree of another");
        }
        let names = self.trees.iter().map(Tree::name);
        if let Some(other) = self.drafts.iter().find(|draft| draft.name == name) {
            let message = format!("tree {} stands in an included file", quoted(name));
            return Diagnostic::new(
                &other.source,
                other.span.clone(),
                Code::UnknownTree.says(message),
            )
            .with_help(format!(
                "name that file, or a tree of this one: {}",
                listed(names)
            ));
        }
        let error = Diagnostic::whole(
            &self.source,
            Code::UnknownTree.says(format!("no tree is named {}", quoted(name))),
        );
        let help = did_you_mean(name, names.clone());
        error.with_help(help.unwrap_or_else(|| format!("the file has {}", listed(names))))
    }

    /// Compiles the first tree.
    ///
    /// # Errors
    /// As [`compile`](Document::compile).
    pub fn compile_main(&self) -> Result<Shape, Diagnostics> {
        self.compile_at(0)
    }

    fn compile_at(&self, at: usize) -> Result<Shape, Diagnostics> {
        compile(
            &self.trees[at],
            &self.origins[at],
            &self.drafts,
            &self.source,
        )
    }
}

/// The first few of several names.
fn listed<'a>(mut names: impl ExactSizeIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 8;
    let first: Vec<String> = names.by_ref().take(SHOWN).map(quoted).collect();
    let mut text = first.join(", ");
    if names.len() > 0 {
        text.push_str(&format!(" and {} more", names.len()));
    }
    text
}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Document")
            .field("source", &self.source)
            .field("trees", &self.trees)
            .finish()
    }
}
