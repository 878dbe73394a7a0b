//! Where the files come from that a text includes.

use std::fmt;

use crate::diagnostic::quoted;

/// Where a file is, as its [`Loader`] knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilePlace {
    /// The same for every way of naming the same file: a file is read once for each key.
    pub key: String,
    /// What errors call the file.
    pub name: String,
}

impl FilePlace {
    /// A place whose name is its key.
    pub fn new(key: impl Into<String>) -> FilePlace {
        let key = key.into();
        FilePlace {
            name: key.clone(),
            key,
        }
    }
}

/// Finds and loads what `include "path"` names. This crate opens no file by itself.
///
/// A closure from paths to texts is a loader, too: its paths are relative to the including file's,
/// with `.` and `..` resolved as in [`relative`].
///
/// ```
/// use pleach_text::{FilePlace, LoadError, parse_with};
///
/// let mut loader = |path: &str| match path {
///     "common/patrol.kdl" => Ok("tree \"patrol\" { action \"patrol\"; }".to_owned()),
///     _ => Err(LoadError::new("there is no such file")),
/// };
/// let text = "include \"common/patrol.kdl\"\ntree \"guard\" { subtree \"patrol\"; }";
/// let document = parse_with(&FilePlace::new("guard.kdl"), text, &mut loader).unwrap();
/// assert_eq!(document.trees().len(), 1);
/// ```
pub trait Loader {
    /// The place of the file that `path` names in the file at `from`. It need not exist.
    ///
    /// # Errors
    /// Why the path names no file, as the including file's author should read it.
    fn locate(&mut self, path: &str, from: &FilePlace) -> Result<FilePlace, LoadError>;

    /// The text of a file that was located.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn load(&mut self, place: &FilePlace) -> Result<String, LoadError>;
}

impl<F: FnMut(&str) -> Result<String, LoadError>> Loader for F {
    fn locate(&mut self, path: &str, from: &FilePlace) -> Result<FilePlace, LoadError> {
        Ok(FilePlace::new(relative(path, &from.key)))
    }

    fn load(&mut self, place: &FilePlace) -> Result<String, LoadError> {
        self(&place.key)
    }
}

/// Why a file cannot be included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadError {
    message: String,
    help: Option<String>,
}

impl LoadError {
    /// What is wrong: "there is no such file".
    pub fn new(message: impl Into<String>) -> LoadError {
        LoadError {
            message: message.into(),
            help: None,
        }
    }

    /// Adds what to do about it.
    pub fn with_help(mut self, help: impl Into<String>) -> LoadError {
        self.help = Some(help.into());
        self
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LoadError {}

/// A path with `/` as seen from a file: `common/a.kdl` from `trees/b.kdl` is `trees/common/a.kdl`.
/// `.` and `..` are taken out where that is possible without looking at a file system; a path that
/// begins with `/` stays as it is but for that.
pub fn relative(path: &str, from: &str) -> String {
    let folder = match path.starts_with('/') {
        true => "",
        false => from.rfind('/').map_or("", |end| &from[..=end]),
    };
    let whole = format!("{folder}{path}");
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|&last| last != "..") => {
                parts.pop();
            }
            // Nothing is above the root.
            ".." if whole.starts_with('/') => {}
            part => parts.push(part),
        }
    }
    let root = if whole.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// The loader of a text that came from no file.
pub(crate) struct NoFiles;

impl Loader for NoFiles {
    fn locate(&mut self, path: &str, _: &FilePlace) -> Result<FilePlace, LoadError> {
        let message = format!(
            "{} cannot be included: this text was given without a way to load files",
            quoted(path)
        );
        Err(LoadError::new(message)
            .with_help("put its trees into this text, or read it with `parse_with` and a loader"))
    }

    fn load(&mut self, _: &FilePlace) -> Result<String, LoadError> {
        Err(LoadError::new("there is no way to load files"))
    }
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn paths_are_seen_from_the_including_file() {
        for (path, from, expected) in [
            ("b.kdl", "a.kdl", "b.kdl"),
            ("b.kdl", "x/a.kdl", "x/b.kdl"),
            ("./c/../b.kdl", "x/y/a.kdl", "x/y/b.kdl"),
            ("../b.kdl", "x/a.kdl", "b.kdl"),
            ("../../b.kdl", "x/a.kdl", "../b.kdl"),
            ("../../b.kdl", "../x/a.kdl", "../../b.kdl"),
            ("/b.kdl", "x/a.kdl", "/b.kdl"),
            ("/../b//c.kdl", "x/a.kdl", "/b/c.kdl"),
        ] {
            assert_eq!(relative(path, from), expected, "{path} from {from}");
        }
    }
}
