//! What is wrong with a text: every error with its place, its line and what to do about it.

mod code;
mod json;
mod list;
mod span;
mod words;

use std::fmt;
use std::ops::Range;

pub use self::code::Code;
pub use self::list::{Diagnostics, MAX_KEPT, MAX_PRINTED};
pub use self::span::{Spanned, bytes};
pub use self::words::{did_you_mean, quoted, visible};
use crate::snippet::{self, Paint, Plain};
use crate::source::{Position, Source};

/// How bad something is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The file cannot be used.
    Error,
    /// The file can be used, and most likely does not do what was meant.
    Warning,
    /// Something that is good to know.
    Note,
}

impl Severity {
    /// All of them, the worst first.
    pub const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Note];

    /// `error`, `warning` or `note`.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a [`Diagnostic`] says, and the [`Code`] under which that is explained: [`Code::says`] makes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    code: Code,
    text: String,
}

impl Code {
    /// A message that this code explains.
    pub fn says(self, text: impl Into<String>) -> Message {
        Message {
            code: self,
            text: text.into(),
        }
    }
}

/// What a reader of one kind of files says: a message, or a text that its own code explains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wording {
    /// With a code.
    Message(Message),
    /// Without one.
    Text(String),
}

impl Wording {
    /// The message, with that code if it has none of its own.
    pub fn or(self, code: Code) -> Message {
        match self {
            Wording::Message(message) => message,
            Wording::Text(text) => code.says(text),
        }
    }
}

impl From<Message> for Wording {
    fn from(message: Message) -> Wording {
        Wording::Message(message)
    }
}

impl From<String> for Wording {
    fn from(text: String) -> Wording {
        Wording::Text(text)
    }
}

impl From<&str> for Wording {
    fn from(text: &str) -> Wording {
        Wording::Text(text.to_owned())
    }
}

/// One error, warning or note on a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    code: Code,
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
    /// Something about a span of bytes; a `kdl` span converts with [`bytes`]. The message's code says
    /// whether it is an error, a warning or a note.
    pub fn new(source: &Source, span: Range<usize>, message: Message) -> Diagnostic {
        let span = source.clamp_span(span);
        Diagnostic {
            span: Some(span),
            ..Diagnostic::whole(source, message)
        }
    }

    /// Something about a file as a whole, such as its size.
    pub fn whole(source: &Source, message: Message) -> Diagnostic {
        let Message { code, text } = message;
        Diagnostic {
            code,
            source: source.clone(),
            span: None,
            message: text,
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

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The code under which it is explained.
    pub fn code(&self) -> Code {
        self.code
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

    /// The same text as `Display`, its parts painted: in colours, say.
    pub fn painted<'a>(&'a self, paint: &'a dyn Paint) -> impl fmt::Display + 'a {
        snippet::Painted {
            diagnostic: self,
            paint,
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.painted(&Plain))
    }
}

impl std::error::Error for Diagnostic {}
