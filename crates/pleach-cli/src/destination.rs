//! Where an output goes: a file, a folder, or the standard output.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pleach_text::visible;

use crate::failure::Failure;

/// Where an output goes.
pub(crate) enum Destination {
    /// The standard output.
    Stdout,
    /// A file.
    File(Target),
}

/// A file that can be written, as far as that is known before it is.
pub(crate) struct Target {
    /// As somebody gave it.
    named: PathBuf,
    /// Where it lies, behind all links.
    path: PathBuf,
    /// Of the file that is to be replaced.
    permissions: Option<Permissions>,
}

/// A folder that files can be written to, as far as that is known before they are.
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder of that name.
    ///
    /// # Errors
    /// When it is no folder, or no file can be made in it.
    pub(crate) fn at(path: &Path) -> Result<Folder, Failure> {
        let wrong =
            |what: &str| Failure::Input(format!("`{}`: {what}", visible(&path.to_string_lossy())));
        if !path.exists() {
            return Err(wrong("there is no such folder; make it first"));
        }
        if !path.is_dir() {
            return Err(wrong("this is no folder; name one"));
        }
        let tried = Target {
            named: path.to_owned(),
            path: path.join("tried"),
            permissions: None,
        };
        let tried = tried.draft().and_then(|(draft, _)| fs::remove_file(draft));
        tried.map_err(|error| wrong(&format!("no file can be made in it: {error}")))?;
        Ok(Folder {
            path: path.to_owned(),
        })
    }

    /// Where it lies.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Destination {
    /// The destination of that name, `-` for the standard output.
    ///
    /// # Errors
    /// When it is no file, or one that cannot be written. That is tried, so that work of a minute is
    /// not done for nothing, but what stands there already stays.
    pub(crate) fn at(path: &Path) -> Result<Destination, Failure> {
        if path == Path::new("-") {
            return Ok(Destination::Stdout);
        }
        Target::at(path).map(Destination::File)
    }
}

impl Target {
    /// The file of that name.
    ///
    /// # Errors
    /// As [`Destination::at`].
    pub(crate) fn at(path: &Path) -> Result<Target, Failure> {
        let wrong =
            |what: &str| Failure::Input(format!("`{}`: {what}", visible(&path.to_string_lossy())));
        let mut target = Target {
            named: path.to_owned(),
            path: path.to_owned(),
            permissions: None,
        };
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                return Err(wrong("this is a folder; name a file in it"));
            }
            // A device or a pipe would be replaced by a file.
            Ok(found) if !found.is_file() => {
                return Err(wrong("this is no file; `-` is the standard output"));
            }
            Ok(found) if found.permissions().readonly() => {
                return Err(wrong("this file is read-only; name another one"));
            }
            Ok(found) => {
                target.permissions = Some(found.permissions());
                target.path = fs::canonicalize(path).map_err(|error| wrong(&error.to_string()))?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let ends_in_a_name = path.file_name().is_some()
                    && !path.to_string_lossy().ends_with(std::path::is_separator);
                if !ends_in_a_name || !target.folder().is_dir() {
                    return Err(wrong("there is no such folder; make it first"));
                }
                // The file would take the link's place, and not the place that it names.
                if path.is_symlink() {
                    return Err(wrong(
                        "this is a link to a file that does not exist; name that file",
                    ));
                }
            }
            Err(error) => return Err(wrong(&error.to_string())),
        }
        let tried = target.draft().and_then(|(draft, _)| fs::remove_file(draft));
        tried.map_err(|error| wrong(&format!("cannot be written: {error}")))?;
        Ok(target)
    }

    /// Writes the file: all of it or nothing.
    ///
    /// # Errors
    /// When it cannot be written after all. What stood there before then still does.
    pub(crate) fn write(&self, text: &str) -> Result<(), Failure> {
        let written = self.draft().and_then(|(draft, file)| {
            let written = self
                .fill(file, text)
                .and_then(|()| fs::rename(&draft, &self.path));
            if written.is_err() {
                // It is the first error that counts.
                let _ = fs::remove_file(&draft);
            }
            written
        });
        written.map_err(|error| {
            let named = self.named.to_string_lossy();
            let named = visible(&named);
            Failure::Input(format!("`{named}`: cannot be written: {error}"))
        })
    }

    fn fill(&self, mut file: File, text: &str) -> io::Result<()> {
        file.write_all(text.as_bytes())?;
        if let Some(permissions) = &self.permissions {
            file.set_permissions(permissions.clone())?;
        }
        file.sync_all()
    }

    /// A new, empty file beside it. Only within a folder can one file take another's place at once.
    fn draft(&self) -> io::Result<(PathBuf, File)> {
        let mut name = OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(format!(".{}.draft", std::process::id()));
        let path = self.folder().join(name);
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)?;
        Ok((path, file))
    }

    fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        }
    }
}
