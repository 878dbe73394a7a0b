//! The formats of files: each is read to drafts and written from them.

use std::path::Path;

use crate::btcpp::{self, Kept};
use crate::diagnostic::Diagnostics;
use crate::document::read_document;
use crate::draft::Draft;
use crate::json;
use crate::read::{Include, Reading, read};
use crate::source::Source;
use crate::write::write_file;

/// A format in which files hold trees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Format {
    /// The language of `docs/language.md`, for people.
    Kdl,
    /// The form of `docs/json.md`, for programs.
    Json,
    /// BehaviorTree.CPP's, as `docs/btcpp.md` says.
    Xml,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 3] = [Format::Kdl, Format::Json, Format::Xml];

    /// What the format is called: the ending of its files, without the point.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Kdl => "kdl",
            Format::Json => "json",
            Format::Xml => "xml",
        }
    }

    /// The format of that [`name`](Format::name), in capitals too.
    pub fn from_name(name: &str) -> Option<Format> {
        let mut all = Format::ALL.into_iter();
        all.find(|format| name.eq_ignore_ascii_case(format.name()))
    }

    /// The format of a file by its ending; `None` if that is no format's.
    pub fn of_path(path: impl AsRef<Path>) -> Option<Format> {
        match path.as_ref().extension()?.to_str()? {
            // Groot2's projects are lists of includes.
            "btproj" => Some(Format::Xml),
            extension => Format::from_name(extension),
        }
    }

    /// The format of a text, by the ending of its file, else by how it begins.
    pub fn of_text(path: &str, text: &str) -> Format {
        Format::of_path(path).unwrap_or_else(|| {
            let text = text.trim_start_matches('\u{feff}').trim_start();
            match text.as_bytes().first() {
                Some(b'<') => Format::Xml,
                Some(b'{') => Format::Json,
                _ => Format::Kdl,
            }
        })
    }
}

/// Reads the drafts of a text; what is wrong goes to `found`. Gives the files that it includes.
pub(crate) fn read_text(
    format: Format,
    source: &Source,
    file: usize,
    reading: &mut Reading,
    drafts: &mut Vec<Draft>,
    found: &mut Diagnostics,
) -> Vec<Include> {
    let document = match format {
        Format::Kdl => read_document(source),
        Format::Json => json::read_document(source),
        Format::Xml => {
            let read = btcpp::read_one(source, &btcpp::Options::new(), found);
            drafts.extend(read.files.drafts.into_iter().map(|mut draft| {
                draft.file = file;
                draft
            }));
            return read.includes;
        }
    };
    match document {
        Ok((document, comments)) => {
            read(source, file, &document, &comments, reading, drafts, found)
        }
        Err(errors) => {
            found.append(errors);
            Vec::new()
        }
    }
}

/// Writes drafts, which were read from a source, as a text, with what editors are told of nodes.
///
/// # Errors
/// What the format has no words for.
pub(crate) fn write_text(
    format: Format,
    source: &Source,
    includes: &[Include],
    drafts: &[Draft],
    kept: &Kept,
) -> Result<String, Diagnostics> {
    match format {
        Format::Kdl => Ok(write_file(includes, drafts)),
        Format::Json => Ok(json::write_file(includes, drafts)),
        Format::Xml => btcpp::write_file(source, includes, drafts, kept),
    }
}
