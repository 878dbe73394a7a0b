//! Diagnostics for editors and other programs.

use serde::{Serialize, Serializer};

use super::{Diagnostic, Severity};
use crate::source::Source;

/// A diagnostic as it is written.
#[derive(Serialize)]
struct Written<'a> {
    /// `P0101`.
    code: String,
    severity: Severity,
    message: &'a str,
    help: Option<&'a str>,
    /// The place that it is about, then those of the notes.
    places: Vec<Place<'a>>,
}

/// A place: lines and columns from 1, columns in characters, the end behind the last character;
/// `start` and `end` in bytes. Of a file as a whole only `file` is known.
#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    #[serde(flatten)]
    range: Option<Range>,
    /// What the place has to do with it; `null` for the first.
    note: Option<&'a str>,
}

#[derive(Serialize)]
struct Range {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    start: usize,
    end: usize,
}

impl Range {
    fn of(source: &Source, span: std::ops::Range<usize>) -> Range {
        let (first, last) = (source.position(span.start), source.position(span.end));
        Range {
            line: first.line,
            column: first.column,
            end_line: last.line,
            end_column: last.column,
            start: span.start,
            end: span.end,
        }
    }
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for Diagnostic {
    /// As an object: `code`, `severity`, `message`, `help` and `places`, the first of which is what it is
    /// about, each with `file`, `line`, `column`, `end_line`, `end_column`, `start`, `end` and `note`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let own = Place {
            file: self.file(),
            range: self.span().map(|span| Range::of(self.source(), span)),
            note: None,
        };
        let notes = self.notes().iter().map(|note| Place {
            file: note.source().name(),
            range: Some(Range::of(note.source(), note.span())),
            note: Some(note.message()),
        });
        Written {
            code: self.code().to_string(),
            severity: self.severity(),
            message: self.message(),
            help: self.help(),
            places: std::iter::once(own).chain(notes).collect(),
        }
        .serialize(serializer)
    }
}
