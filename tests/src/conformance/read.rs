//! Files of cases: plain or gzipped, one JSON value a line.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use super::case::Reading;
use super::{json, shown};

/// The longest line that is read. Recorded lines are a few KiB; what is longer is no such file, or
/// made to fill the memory.
pub const MAX_LINE: u64 = 16 << 20;

/// Why a file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    path: PathBuf,
    line: Option<u64>,
    message: String,
}

impl ReadError {
    pub(super) fn new(path: &Path, line: Option<u64>, message: String) -> ReadError {
        ReadError {
            path: path.to_owned(),
            line,
            message,
        }
    }

    /// The line it is about, from 1; none if it is about the file.
    pub fn line(&self) -> Option<u64> {
        self.line
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", shown(&self.path.to_string_lossy()))?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.message)
    }
}

impl std::error::Error for ReadError {}

/// The cases of a file with the number of their lines. Ends after the first error.
pub struct Lines {
    path: PathBuf,
    source: Box<dyn BufRead>,
    line: u64,
    failed: bool,
}

impl Lines {
    /// Opens a file; one that starts with the magic bytes of gzip is unpacked.
    ///
    /// # Errors
    /// If it cannot be opened or read.
    pub fn open(path: &Path) -> Result<Lines, ReadError> {
        let failed = |error: std::io::Error| ReadError::new(path, None, error.to_string());
        let mut file = BufReader::new(File::open(path).map_err(failed)?);
        let packed = file.fill_buf().map_err(failed)?.starts_with(&[0x1f, 0x8b]);
        let source: Box<dyn BufRead> = if packed {
            Box::new(BufReader::new(MultiGzDecoder::new(file)))
        } else {
            Box::new(file)
        };
        Ok(Lines {
            path: path.to_owned(),
            source,
            line: 0,
            failed: false,
        })
    }

    /// The next line that is not blank; `None` at the end.
    fn read_line(&mut self) -> Result<Option<Vec<u8>>, String> {
        loop {
            self.line += 1;
            let mut bytes = Vec::new();
            let mut limited = self.source.by_ref().take(MAX_LINE + 1);
            limited
                .read_until(b'\n', &mut bytes)
                .map_err(|error| error.to_string())?;
            if bytes.is_empty() {
                return Ok(None);
            }
            if bytes.len() as u64 > MAX_LINE {
                return Err(format!("the line is longer than {MAX_LINE} bytes"));
            }
            if !bytes.iter().all(u8::is_ascii_whitespace) {
                return Ok(Some(bytes));
            }
        }
    }
}

impl Iterator for Lines {
    type Item = Result<(u64, Reading), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let reading = match self.read_line() {
            Ok(None) => return None,
            Ok(Some(bytes)) => json::read_case(&bytes),
            Err(message) => Err(message),
        };
        Some(match reading {
            Ok(reading) => Ok((self.line, reading)),
            Err(message) => {
                self.failed = true;
                Err(ReadError::new(&self.path, Some(self.line), message))
            }
        })
    }
}
