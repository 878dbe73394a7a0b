//! Reading text files within limits.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use pleach_text::btcpp::Options;
use pleach_text::kdl::KdlDocument;
use pleach_text::{
    Checked, Code, Diagnostic, Diagnostics, Document, FilePlace, Format, Inspection, LoadError,
    Loader, MAX_BYTES, Outline, Source, Wording, check_with, decode, inspect_with_options,
    kdl_document, parse_with, parse_with_options, quoted,
};

use crate::read::{is_scenario, only_trees};
use crate::scenario::Scenario;

/// Reads a text file, at most [`MAX_BYTES`] of it. Pipes are read too.
///
/// # Errors
/// As a diagnostic that names the file: it is not there, is a folder, cannot be read, is too long
/// or not UTF-8.
pub fn read(path: &Path) -> Result<Source, Diagnostics> {
    let name = path.to_string_lossy();
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => unreadable(&name, "there is no such file"),
        _ => unreadable(&name, format!("the file cannot be read: {error}")),
    };
    if std::fs::metadata(path).map_err(failed)?.is_dir() {
        return Err(unreadable(&name, "this is a folder, not a file"));
    }
    let mut bytes = Vec::new();
    // One byte more tells a file of the greatest length from a longer one.
    let mut file = File::open(path).map_err(failed)?.take(MAX_BYTES as u64 + 1);
    file.read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > MAX_BYTES {
        let message = format!("the file is longer than {MAX_BYTES} bytes, which is the limit");
        return Err(unreadable(&name, Code::Limit.says(message)));
    }
    decode(&name, &bytes)
}

/// As [`read`], for files that another file names: that one must not make a run wait for a pipe.
pub(crate) fn read_regular(path: &Path) -> Result<Source, Diagnostics> {
    match std::fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => Err(unreadable(
            &path.to_string_lossy(),
            "this is no regular file",
        )),
        _ => read(path),
    }
}

/// Reads the trees of a file and of the files that it includes.
///
/// # Errors
/// As [`read`] and [`parse_with`].
pub fn open_trees(path: &Path) -> Result<Document, Diagnostics> {
    let source = read(path)?;
    let (mut files, place) = FileLoader::from(path);
    parse_with(&place, source.text(), &mut files)
}

/// Reads the trees of a file as [`open_trees`] does, and tells the reader of BehaviorTree.CPP's files what
/// those do not say.
///
/// # Errors
/// As [`open_trees`].
pub fn open_trees_with(path: &Path, options: &Options) -> Result<Document, Diagnostics> {
    let source = read(path)?;
    let (mut files, place) = FileLoader::from(path);
    parse_with_options(&place, source.text(), &mut files, options)
}

/// Reads and compiles all trees of a file, also those that only run as subtrees.
///
/// # Errors
/// As [`read`] and [`check_with`].
pub fn check_trees(path: &Path) -> Result<Vec<Checked>, Diagnostics> {
    let source = read(path)?;
    let (mut files, place) = FileLoader::from(path);
    check_with(&place, source.text(), &mut files)
}

/// What a file was found to be; see [`check`].
#[derive(Debug)]
pub enum Good {
    /// Trees, all of which compile.
    Trees(Vec<Checked>),
    /// A scenario; all trees inside compile, and the one that it names in another file.
    Scenario(Box<Scenario>),
}

/// Reads a file of trees, or a scenario, and compiles all trees that stand in it, also those that only
/// run as subtrees.
///
/// # Errors
/// As [`check_trees`] and [`Scenario::open`].
pub fn check(path: &Path) -> Result<Good, Diagnostics> {
    let inspected = inspect(path, false);
    inspected.good.ok_or(inspected.found)
}

/// All that there is to say about a file; see [`inspect`].
#[derive(Debug)]
pub struct Inspected {
    /// What it is; `None` where there are errors.
    pub good: Option<Good>,
    /// The errors; where there are none, the warnings.
    pub found: Diagnostics,
    /// How many trees stand in it; 0 where there are errors.
    pub trees: usize,
    /// How many nodes these trees have, their subtrees included.
    pub nodes: usize,
    /// Which trees it has and uses, for [`unused_trees`](pleach_text::unused_trees).
    pub outline: Outline,
}

impl Inspected {
    /// What is not to be used.
    fn wrong(found: Diagnostics) -> Inspected {
        Inspected {
            good: None,
            found,
            trees: 0,
            nodes: 0,
            outline: Outline::default(),
        }
    }

    fn count(&mut self, trees: &[Checked]) {
        self.trees = trees.len();
        self.nodes = trees.iter().map(|tree| tree.shape.nodes().count()).sum();
    }
}

/// Reads a file as [`check`] does, and where nothing is wrong, looks for what is most likely not what
/// was meant; see [`inspect_with`](pleach_text::inspect_with).
pub fn inspect(path: &Path, strict: bool) -> Inspected {
    inspect_with(path, strict, &Options::new())
}

/// Does what [`inspect`] does, and tells the reader of BehaviorTree.CPP's files what those do not say.
pub fn inspect_with(path: &Path, strict: bool, options: &Options) -> Inspected {
    match read(path) {
        Ok(source) => inspect_source(source, path, strict, options),
        Err(errors) => Inspected::wrong(errors),
    }
}

/// Does what [`inspect_with`] does for a text that was read already, such as one from a pipe. What it
/// includes is looked for as seen from `path`, which also says its format, if it ends in one.
pub fn inspect_source(source: Source, path: &Path, strict: bool, options: &Options) -> Inspected {
    let (mut files, place) = FileLoader::from(path);
    let Inspection {
        trees,
        found: errors,
        outline,
    } = inspect_with_options(&place, source.text(), &mut files, strict, options);
    if let Some(trees) = trees {
        let mut inspected = Inspected::wrong(errors);
        inspected.count(&trees);
        inspected.good = Some(Good::Trees(trees));
        inspected.outline = outline;
        return inspected;
    }
    // Scenarios are in KDL.
    if Format::of_path(path).is_some_and(|format| format != Format::Kdl) {
        return Inspected::wrong(errors);
    }
    let Ok(document) = kdl_document(&source) else {
        return Inspected::wrong(errors);
    };
    let mut trees = document.nodes().iter();
    let trees_inside = trees.any(|node| node.name().value() == "tree" && node.children().is_some());
    if is_scenario(&document) {
        let trees = trees_inside.then_some(&document);
        return scenario(path, &source, trees, strict, options).unwrap_or_else(Inspected::wrong);
    }
    // `tree "guard.kdl"` alone is a scenario, too; but a tree file is none by being wrong.
    if trees_inside {
        return Inspected::wrong(errors);
    }
    match scenario(path, &source, None, strict, options) {
        Ok(inspected) => inspected,
        Err(_) => Inspected::wrong(errors),
    }
}

/// A scenario, and the trees inside, if there are any.
fn scenario(
    path: &Path,
    source: &Source,
    trees: Option<&KdlDocument>,
    strict: bool,
    options: &Options,
) -> Result<Inspected, Diagnostics> {
    let scenario = Scenario::of_file(path, source.clone(), options)?;
    let mut inspected = Inspected::wrong(Diagnostics::new());
    if let Some(document) = trees {
        let (mut files, place) = FileLoader::from(path);
        let text = only_trees(source, document);
        let inspection = inspect_with_options(&place, &text, &mut files, strict, options);
        match &inspection.trees {
            Some(trees) => inspected.count(trees),
            None => return Err(inspection.found),
        }
        inspected.found = inspection.found;
        inspected.outline = inspection.outline;
    }
    inspected.outline.runs(scenario.shape().tree_name());
    inspected.good = Some(Good::Scenario(Box::new(scenario)));
    Ok(inspected)
}

/// Loads included files from the file system: a path is relative to the including file, may lead
/// out of its folder, and names a regular file. However it is written, or linked to, it is the same
/// file.
pub struct FileLoader {
    /// Where the files are, by key.
    paths: HashMap<String, PathBuf>,
    /// The current folder, if the first file is named as seen from there: so are all others then.
    here: Option<PathBuf>,
}

impl FileLoader {
    /// A loader for what the file at `path` includes, and that file's place.
    pub fn from(path: &Path) -> (FileLoader, FilePlace) {
        let mut loader = FileLoader {
            paths: HashMap::new(),
            here: std::env::current_dir().ok().filter(|_| path.is_relative()),
        };
        let place = loader.place(path);
        (loader, place)
    }

    fn place(&mut self, path: &Path) -> FilePlace {
        // A file that is not there keeps its name: it is no other file's, and loading it says why.
        let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let key = match canonical.to_str() {
            Some(text) => text.to_owned(),
            // Two that differ in bytes that are no text must not share a key.
            None => canonical
                .as_os_str()
                .as_encoded_bytes()
                .escape_ascii()
                .to_string(),
        };
        self.paths
            .entry(key.clone())
            .or_insert_with(|| path.to_owned());
        let shown = self.here.as_deref();
        let shown = shown.and_then(|here| path.strip_prefix(here).ok());
        FilePlace {
            key,
            name: shown.unwrap_or(path).to_string_lossy().into_owned(),
        }
    }
}

impl Loader for FileLoader {
    fn locate(&mut self, path: &str, from: &FilePlace) -> Result<FilePlace, LoadError> {
        let folder = self.paths.get(&from.key).and_then(|path| path.parent());
        let path = folder.unwrap_or(Path::new("")).join(path);
        Ok(self.place(&path))
    }

    fn load(&mut self, place: &FilePlace) -> Result<String, LoadError> {
        let Some(path) = self.paths.get(&place.key) else {
            return Err(LoadError::new("it was never located"));
        };
        match read_regular(path) {
            Ok(source) => Ok(source.text().to_owned()),
            Err(errors) => {
                let reason = errors.iter().next().map(|error| error.message().to_owned());
                let help = format!("the path leads to {}", quoted(&place.name));
                Err(LoadError::new(reason.unwrap_or_default()).with_help(help))
            }
        }
    }
}

/// The diagnostic for a file that could not be read.
pub(crate) fn unreadable(name: &str, message: impl Into<Wording>) -> Diagnostics {
    let message = message.into().or(Code::File);
    Diagnostic::whole(&Source::new(name, ""), message).into()
}
