//! A text with all that it includes.

use std::collections::{HashMap, HashSet, VecDeque};

use pleach_shape::MAX_NODES;

use crate::diagnostic::{Code, Diagnostic, Diagnostics, quoted};
use crate::document::MAX_BYTES;
use crate::draft::Draft;
use crate::format::{Format, read_text};
use crate::loader::{FilePlace, LoadError, Loader};
use crate::read::{Include, Reading};
use crate::source::Source;

/// How many files may be read for one document, the first included, and those that cannot be read.
pub const MAX_FILES: usize = 256;

/// How many bytes all these files may have together.
pub const MAX_TOTAL_BYTES: usize = 2 * MAX_BYTES;

/// The trees of several files.
pub(crate) struct Files {
    /// Those of the first file come first.
    pub(crate) drafts: Vec<Draft>,
    /// How many of them are the first file's.
    pub(crate) own: usize,
    /// For each file, the files whose trees it can use, itself among them.
    pub(crate) seen: Vec<HashSet<usize>>,
    /// The key of each file.
    pub(crate) keys: Vec<String>,
}

/// Reads a text and whatever it includes, directly or through other files, each file once.
pub(crate) fn read_files(
    source: Source,
    place: &FilePlace,
    loader: &mut dyn Loader,
    found: &mut Diagnostics,
) -> Files {
    let mut gathering = Gathering::new(&source, place, loader);
    let mut reading = Reading::default();
    let mut includes: Vec<Vec<usize>> = Vec::new();
    let mut keys = Vec::new();
    let (mut drafts, mut own): (Vec<Draft>, usize) = (Vec::new(), 0);
    let mut size = 0usize;
    while let Some((place, source)) = gathering.next() {
        let file = includes.len();
        keys.push(place.key.clone());
        let before = drafts.len();
        let format = Format::of_text(&place.name, source.text());
        let named = read_text(format, &source, file, &mut reading, &mut drafts, found);
        if file == 0 {
            own = drafts.len();
            if own == 0 && found.is_empty() {
                let error = Diagnostic::whole(&source, Code::NoTree.says("the file holds no tree"));
                let help = "write `tree \"name\" { … }` with the tree's root inside";
                found.push(error.with_help(help));
            }
        }
        includes.push(gathering.follow(&source, &place, named, found));
        size += drafts[before..].iter().map(Draft::size).sum::<usize>();
        if file > 0 && size > MAX_NODES {
            let message = format!(
                "the files up to this one have more than {MAX_NODES} nodes and declarations"
            );
            found.push(Diagnostic::whole(&source, Code::Limit.says(message)));
            break;
        }
    }
    two_of_a_name(&drafts, found);
    Files {
        own,
        seen: (0..includes.len())
            .map(|file| reached(&includes, file))
            .collect(),
        keys,
        drafts,
    }
}

/// The files of a document, as they come up.
pub(crate) struct Gathering<'a> {
    loader: &'a mut dyn Loader,
    /// The numbers of all files so far, by key.
    known: HashMap<String, usize>,
    waiting: VecDeque<(FilePlace, Source)>,
    bytes: usize,
    /// How many includes led to no file.
    failed: usize,
    /// Whether a limit is reached.
    full: bool,
}

impl<'a> Gathering<'a> {
    /// Begins with a text.
    pub(crate) fn new(
        source: &Source,
        place: &FilePlace,
        loader: &'a mut dyn Loader,
    ) -> Gathering<'a> {
        Gathering {
            loader,
            known: HashMap::from([(place.key.clone(), 0)]),
            waiting: VecDeque::from([(place.clone(), source.clone())]),
            bytes: source.text().len(),
            failed: 0,
            full: false,
        }
    }

    /// The next file to be read.
    pub(crate) fn next(&mut self) -> Option<(FilePlace, Source)> {
        self.waiting.pop_front()
    }

    /// Loads what a file includes, unless it has been; gives the numbers of these files.
    pub(crate) fn follow(
        &mut self,
        source: &Source,
        from: &FilePlace,
        includes: Vec<Include>,
        found: &mut Diagnostics,
    ) -> Vec<usize> {
        let mut files = Vec::new();
        for (number, Include { path, span, .. }) in includes.into_iter().enumerate() {
            // Many ways to write the path of one file are many questions, too.
            let file = match number < MAX_FILES {
                true => self.file(&path, from),
                false => Err(self.one_too_many()),
            };
            match file {
                Ok(file) => files.push(file),
                Err(error) => {
                    self.failed += 1;
                    let message = match self.full {
                        true => error.message().to_owned(),
                        false => format!("{}: {}", quoted(&path), error.message()),
                    };
                    let message = match self.full {
                        true => Code::Limit.says(message),
                        false => Code::Include.says(message),
                    };
                    found.push(Diagnostic::new(source, span, message).with_help_if(error.help()));
                    if self.full {
                        // Whatever follows is beyond the limit too, and costs time to read.
                        self.waiting.clear();
                        break;
                    }
                }
            }
        }
        files
    }

    fn one_too_many(&mut self) -> LoadError {
        self.full = true;
        LoadError::new(format!(
            "with this one, more than {MAX_FILES} files are included"
        ))
    }

    fn file(&mut self, path: &str, from: &FilePlace) -> Result<usize, LoadError> {
        if self.failed >= MAX_FILES {
            return Err(self.one_too_many());
        }
        let place = self.loader.locate(path, from)?;
        if let Some(&file) = self.known.get(&place.key) {
            return Ok(file);
        }
        if self.known.len() + self.failed >= MAX_FILES {
            return Err(self.one_too_many());
        }
        let text = self.loader.load(&place)?;
        if text.len() > MAX_BYTES {
            return Err(LoadError::new(format!(
                "the file has {} bytes, allowed are {MAX_BYTES}",
                text.len()
            )));
        }
        self.bytes += text.len();
        if self.bytes > MAX_TOTAL_BYTES {
            self.full = true;
            return Err(LoadError::new(format!(
                "with this one, the files have {} bytes together, allowed are {MAX_TOTAL_BYTES}",
                self.bytes
            )));
        }
        // Files are read in the order in which they are waiting.
        let file = self.known.len();
        self.known.insert(place.key.clone(), file);
        let source = Source::new(&place.name, &text);
        self.waiting.push_back((place, source));
        Ok(file)
    }
}

/// The files that a file reaches by its includes and theirs.
fn reached(includes: &[Vec<usize>], file: usize) -> HashSet<usize> {
    let mut seen = HashSet::from([file]);
    let mut pending = vec![file];
    while let Some(at) = pending.pop() {
        for &next in includes.get(at).map_or(&[][..], Vec::as_slice) {
            if seen.insert(next) {
                pending.push(next);
            }
        }
    }
    seen
}

/// All files share the names of trees: one that includes both would not know which is meant.
pub(crate) fn two_of_a_name(drafts: &[Draft], found: &mut Diagnostics) {
    let mut names: HashMap<&str, &Draft> = HashMap::new();
    for draft in drafts {
        let Some(first) = names.insert(&draft.name, draft) else {
            continue;
        };
        names.insert(&draft.name, first);
        let message = format!("a second tree is named {}", quoted(&draft.name));
        found.push(
            Diagnostic::new(
                &draft.source,
                draft.span.clone(),
                Code::TreeTwice.says(message),
            )
            .with_note(&first.source, first.span.clone(), "the first stands here")
            .with_help("rename one of them"),
        );
    }
}
