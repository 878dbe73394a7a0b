//! What is wrong with a text: every error with its place, its line and what to do about it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use crate::snippet;
use crate::source::{Position, Source};

/// How many errors a [`Diagnostics`] keeps; it only counts the rest. A hostile file has millions.
pub const MAX_KEPT: usize = 1000;

/// How many errors a [`Diagnostics`] prints before it says how many more there are.
pub const MAX_PRINTED: usize = 20;

/// One error in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    source: Source,
    span: Option<Range<usize>>,
    message: String,
    notes: Vec<Note>,
    help: Option<String>,
}

/// Another place that an error is about, such as the first of two declarations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    source: Source,
    span: Range<usize>,
    message: String,
}

impl Note {
    /// The text and file of the place.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The bytes of the place.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// What the place has to do with the error.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Line and column where the place begins.
    pub fn position(&self) -> Position {
        self.source.position(self.span.start)
    }
}

impl Diagnostic {
    /// An error about a span of bytes; a `kdl` span converts with [`bytes`].
    pub fn new(source: &Source, span: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            source: source.clone(),
            span: Some(source.clamp_span(span)),
            message: message.into(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// An error about a file as a whole, such as its size.
    pub fn whole(source: &Source, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            source: source.clone(),
            span: None,
            message: message.into(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// Adds what to do about it.
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Adds another place that it is about, maybe in another file: "declared here".
    pub fn with_note(
        mut self,
        source: &Source,
        span: Range<usize>,
        message: impl Into<String>,
    ) -> Diagnostic {
        self.notes.push(Note {
            source: source.clone(),
            span: source.clamp_span(span),
            message: message.into(),
        });
        self
    }

    /// Adds what to do about it, if there is something to say.
    pub fn with_help_if(mut self, help: Option<impl Into<String>>) -> Diagnostic {
        self.help = help.map(Into::into).or(self.help);
        self
    }

    fn key(&self) -> Key {
        let file = self.file().to_owned();
        (file, self.span.clone(), self.message.clone())
    }

    /// The text and file it is about.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The file name.
    pub fn file(&self) -> &str {
        self.source.name()
    }

    /// The bytes it is about; `None` if it is about the file as a whole.
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// What was found and what was allowed.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The other places that it is about.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Line and column where it begins; the first of the file if it is about the whole.
    pub fn position(&self) -> Position {
        let start = self.span.as_ref().map_or(0, |span| span.start);
        self.source.position(start)
    }

    /// The line where it begins, from 1.
    pub fn line(&self) -> usize {
        self.position().line
    }

    /// The column in characters where it begins, from 1.
    pub fn column(&self) -> usize {
        self.position().column
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        snippet::write(self, f)
    }
}

impl std::error::Error for Diagnostic {}

/// The bytes of a `kdl` span.
pub fn bytes(span: impl Into<Spanned>) -> Range<usize> {
    span.into().0
}

/// A span of bytes taken from a part of a KDL document; see [`bytes`].
pub struct Spanned(Range<usize>);

impl From<&kdl::KdlNode> for Spanned {
    /// The node's name: underlining its children too would show nothing.
    fn from(node: &kdl::KdlNode) -> Spanned {
        Spanned::from(node.name())
    }
}

macro_rules! spanned_from {
    ($($ty:ident),*) => {$(
        impl From<&kdl::$ty> for Spanned {
            fn from(part: &kdl::$ty) -> Spanned {
                let span = part.span();
                Spanned(span.offset()..span.offset() + span.len())
            }
        }
    )*};
}
spanned_from!(KdlIdentifier, KdlEntry, KdlDocument);

/// All errors of a text, in the order in which they stand there.
///
/// Collect with [`push`](Diagnostics::push), then [`finish`](Diagnostics::finish).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// What is in the list, to see at once that an error is there already.
    known: HashSet<Key>,
    omitted: usize,
    /// Whether there are errors that nobody described, so that they may be those in the list.
    unseen: bool,
}

/// File, place and message: what makes two errors the same for who reads them.
type Key = (String, Option<Range<usize>>, String);

impl Diagnostics {
    /// None yet.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds an error, unless one with the same place and message is there already: a mistake in a
    /// subtree is found wherever it is used. Beyond [`MAX_KEPT`] errors are only counted.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let key = diagnostic.key();
        if self.known.contains(&key) {
            return;
        }
        if self.list.len() >= MAX_KEPT {
            self.omitted += 1;
            return;
        }
        self.known.insert(key);
        self.list.push(diagnostic);
    }

    /// Notes that there are errors that nobody described. They are not counted: those of a subtree come
    /// with each of its uses.
    pub(crate) fn omit(&mut self) {
        self.unseen = true;
    }

    /// Adds all errors of another collection.
    pub fn append(&mut self, other: Diagnostics) {
        self.omitted += other.omitted;
        self.unseen |= other.unseen;
        for diagnostic in other.list {
            self.push(diagnostic);
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are, those beyond [`MAX_KEPT`] included; not those that a compiler that found very
    /// many did not describe.
    pub fn len(&self) -> usize {
        self.list.len() + self.omitted
    }

    /// The errors, at most [`MAX_KEPT`].
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// The value if there are no errors, else the errors: file by file in the order in which they
    /// came, within a file by place.
    ///
    /// # Errors
    /// Itself, unless empty.
    pub fn finish<T>(mut self, value: T) -> Result<T, Diagnostics> {
        if self.is_empty() {
            return Ok(value);
        }
        let mut files: HashMap<String, usize> = HashMap::new();
        for diagnostic in &self.list {
            let next = files.len();
            if !files.contains_key(diagnostic.file()) {
                files.insert(diagnostic.file().to_owned(), next);
            }
        }
        self.list.sort_by_key(|diagnostic| {
            let start = diagnostic.span.as_ref().map_or(0, |span| span.start);
            (files.get(diagnostic.file()).copied(), start)
        });
        Err(self)
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Diagnostics {
        let mut found = Diagnostics::new();
        found.push(diagnostic);
        found
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.list.iter().take(MAX_PRINTED).enumerate() {
            if index > 0 {
                f.write_str("\n\n")?;
            }
            write!(f, "{diagnostic}")?;
        }
        let shown = self.list.len().min(MAX_PRINTED);
        let count = match self.len() {
            1 => "1 error".to_owned(),
            count => format!("{count} errors"),
        };
        match self.len() - shown {
            0 if self.len() < 2 && !self.unseen => return Ok(()),
            0 => write!(f, "\n\n{count}")?,
            more => write!(f, "\n\n{count}, {more} of them not shown")?,
        }
        match self.unseen {
            true => f.write_str("; mend them and check again: there were too many to look at all"),
            false => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostics {}

/// How many characters of a text from outside a message quotes.
const QUOTED_CHARS: usize = 60;

/// A text from outside as a message quotes it: in backquotes, control characters escaped, clipped.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    match text.char_indices().nth(QUOTED_CHARS) {
        Some((end, _)) => {
            out.push_str(&visible(&text[..end]));
            out.push('…');
        }
        None => out.push_str(&visible(text)),
    }
    out.push('`');
    out
}

/// A text from outside as a terminal may show it: control characters, ends of lines among them, and
/// marks that turn the direction of writing are escaped.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(snippet::is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match snippet::is_invisible(c) {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// "did you mean": the closest of the known names, as a help.
pub fn did_you_mean<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    pleach_tree::closest(found, known).map(|name| format!("did you mean {}?", quoted(name)))
}
