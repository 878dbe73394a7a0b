//! `pleach fmt`: lays out KDL files in one style.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use pleach_text::{Format, decode, reformat, visible};

use super::convert::read;
use crate::destination::Target;
use crate::difference::difference;
use crate::failure::Failure;

/// Lay out tree and scenario files in one style, without a change of what they say
#[derive(Args)]
pub(crate) struct Fmt {
    /// KDL files, or folders with such files inside; `-` is the standard input, laid out on the
    /// standard output
    #[arg(required = true)]
    paths: Vec<PathBuf>,

    /// Write nothing; list what would change, and exit with 1 if anything would
    #[arg(long)]
    check: bool,
}

/// The most folders within each other that are looked into: links may lead in circles.
const MAX_DEPTH: usize = 64;

impl Fmt {
    /// Lays out all files, also behind one that is wrong.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut wrong = false;
        for path in &self.paths {
            for file in files(path)? {
                let done = self.file(&file);
                match done {
                    Ok(as_it_is) => wrong |= self.check && !as_it_is,
                    Err(Failure::ClosedPipe) => return Err(Failure::ClosedPipe),
                    Err(failure) => {
                        io::stdout().flush()?;
                        failure.show();
                        wrong = true;
                    }
                }
            }
        }
        if wrong { Err(Failure::Shown) } else { Ok(()) }
    }

    /// Lays out a file; whether it was in the style.
    fn file(&self, path: &Path) -> Result<bool, Failure> {
        if let Some(format) = Format::of_path(path).filter(|&format| format != Format::Kdl) {
            return Err(Failure::Input(format!(
                "`{}`: only files in KDL are laid out, not in {}",
                visible(&path.to_string_lossy()),
                format.name()
            )));
        }
        let (name, bytes) = read(path)?;
        let source = decode(&name, &bytes)?;
        let done = reformat(&name, source.text())?;
        let as_it_is = done == source.text();
        let mut out = io::stdout().lock();
        if self.check {
            if !as_it_is {
                writeln!(out, "{}", visible(&name))?;
                out.write_all(difference(source.text(), &done).as_bytes())?;
            }
        } else if path == Path::new("-") {
            out.write_all(done.as_bytes())?;
        } else if !as_it_is {
            Target::at(path)?.write(&done)?;
            writeln!(out, "laid out: {}", visible(&name))?;
        }
        Ok(as_it_is)
    }
}

/// The files that a path stands for, in the order of their names.
fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if path == Path::new("-") || !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    let mut pending = vec![(path.to_owned(), 0)];
    while let Some((folder, depth)) = pending.pop() {
        let failed = |error: io::Error| {
            let named = folder.to_string_lossy();
            Failure::Input(format!("`{}`: cannot be read: {error}", visible(&named)))
        };
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let hidden = path
                .file_name()
                .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            if path.is_dir() {
                if depth < MAX_DEPTH && !hidden && !path.is_symlink() {
                    pending.push((path, depth + 1));
                }
            } else if path.extension().is_some_and(|ending| ending == "kdl") && !waits(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a path leads to a pipe or a device: there is nothing to lay out in it, and reading it might never
/// end.
fn waits(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file())
}
