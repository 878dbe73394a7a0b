//! Reading text files within limits.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use pleach_text::{Diagnostic, Diagnostics, MAX_BYTES, Source, decode};

/// Reads a text file, at most [`MAX_BYTES`] of it. Pipes are read too.
///
/// # Errors
/// As a diagnostic that names the file: it is not there, is a folder, cannot be read, is too long
/// or not UTF-8.
pub fn read(path: &Path) -> Result<Source, Diagnostics> {
    let name = path.to_string_lossy();
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => unreadable(&name, "there is no such file"),
        _ => unreadable(&name, &format!("the file cannot be read: {error}")),
    };
    if std::fs::metadata(path).map_err(failed)?.is_dir() {
        return Err(unreadable(&name, "this is a folder, not a file"));
    }
    let mut bytes = Vec::new();
    // One byte more tells a file of the greatest length from a longer one.
    let mut file = File::open(path).map_err(failed)?.take(MAX_BYTES as u64 + 1);
    file.read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > MAX_BYTES {
        return Err(unreadable(
            &name,
            &format!("the file is longer than {MAX_BYTES} bytes, which is the limit"),
        ));
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

/// The diagnostic for a file that could not be read.
pub(crate) fn unreadable(name: &str, message: &str) -> Diagnostics {
    Diagnostic::whole(&Source::new(name, ""), message).into()
}
