//! Conformance: cases recorded by running independent libraries, run by every interpreter.
//!
//! The recorded files lie in `tests/conformance/`, gzipped JSON lines. A file is read by [`read`],
//! a line becomes a [`Case`] by [`json`], and [`check_file`] runs the cases of a file on every
//! interpreter of [`interpreters`]. A file must hold the interpreters to something: one whose cases
//! are all refused or without an expectation is an error, also beside good files.
//!
//! Names in a file may be any text. Whatever goes to a terminal has them [`shown`].

mod case;
pub mod json;
mod kernels;
mod raw;
pub mod read;
mod reference;

use std::fmt;
use std::path::Path;

pub use case::{ActionScript, Case, Outcome, Reading, ReleaseOutcome, ScriptEntry, TickOutcome};
pub use kernels::KernelInterpreter;
pub use read::ReadError;
pub use reference::ReferenceInterpreter;

/// Something that can run a case.
pub trait Interpreter {
    /// Its name in tables and messages.
    fn name(&self) -> &str;

    /// Runs the case to its end.
    fn run(&mut self, case: &Case) -> Outcome;
}

/// Every interpreter that is held to the cases. A kernel is held to them by being added here.
pub fn interpreters() -> Vec<Box<dyn Interpreter>> {
    let mut all: Vec<Box<dyn Interpreter>> = vec![Box::new(ReferenceInterpreter)];
    for kernel in pleach_vm::Kernel::ALL {
        all.push(Box::new(KernelInterpreter(kernel)));
    }
    all
}

/// What one interpreter made of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Cases with the expected outcome.
    pub same: u64,
    /// Cases with another outcome.
    pub different: u64,
    /// Cases whose tree is refused by design: empty composites, loops of no iteration.
    pub refused: u64,
    /// Cases on which the peers differ and the one that is followed has no answer.
    pub no_expectation: u64,
}

/// A case whose outcome is not the expected one.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The line of the file, from 1.
    pub line: u64,
    /// The case as it was run.
    pub case: Case,
    /// What the interpreter made of it.
    pub found: Outcome,
}

/// One row of the table: an interpreter on a file.
#[derive(Clone, Debug)]
pub struct Row {
    /// The interpreter's name.
    pub interpreter: String,
    /// The figures.
    pub tally: Tally,
    /// The first differences, as many as were asked for.
    pub differences: Vec<Difference>,
}

/// Runs every case of a file on every interpreter, and keeps the first `keep` differences of each.
///
/// # Errors
/// If the file cannot be read, or a line is no case: with the line's number. A file of which no case
/// was run is an error too, since it holds nobody to anything.
pub fn check_file(
    path: &Path,
    interpreters: &mut [Box<dyn Interpreter>],
    keep: usize,
) -> Result<Vec<Row>, ReadError> {
    let mut rows: Vec<Row> = interpreters
        .iter()
        .map(|interpreter| Row {
            interpreter: interpreter.name().to_owned(),
            tally: Tally::default(),
            differences: Vec::new(),
        })
        .collect();
    let mut cases = 0u64;
    for reading in read::Lines::open(path)? {
        let (line, reading) = reading?;
        cases += 1;
        for (row, interpreter) in rows.iter_mut().zip(interpreters.iter_mut()) {
            let case = match &reading {
                Reading::Refused => {
                    row.tally.refused += 1;
                    continue;
                }
                Reading::NoExpectation => {
                    row.tally.no_expectation += 1;
                    continue;
                }
                Reading::Case(case) => case,
            };
            let found = interpreter.run(case);
            if found == case.expected {
                row.tally.same += 1;
                continue;
            }
            row.tally.different += 1;
            if row.differences.len() < keep {
                row.differences.push(Difference {
                    line,
                    case: (**case).clone(),
                    found,
                });
            }
        }
    }
    if cases == 0 {
        return Err(ReadError::new(path, None, "holds no case".into()));
    }
    if let Some(Row { tally, .. }) = rows.first()
        && tally.same + tally.different == 0
    {
        let message = format!(
            "holds nobody to anything: of its cases {} are refused, {} without an expectation",
            tally.refused, tally.no_expectation
        );
        return Err(ReadError::new(path, None, message));
    }
    Ok(rows)
}

impl Difference {
    /// The first thing that differs, in one line.
    pub fn first(&self) -> String {
        first_difference(&self.case.expected, &self.found).unwrap_or_else(|| "the same".to_owned())
    }
}

impl fmt::Display for Difference {
    /// The whole case: tree, scripts, and both outcomes tick by tick.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "case {} (line {}): {}",
            shown(&self.case.id),
            self.line,
            self.first()
        )?;
        writeln!(f, "{}", self.case)?;
        for (tick, expected) in self.case.expected.ticks.iter().enumerate() {
            writeln!(f, "  tick {tick} expected {expected}")?;
            match self.found.ticks.get(tick) {
                Some(found) if found == expected => {}
                Some(found) => writeln!(f, "  {:>w$} found    {found}", "", w = digits(tick) + 5)?,
                None => writeln!(f, "  no such tick found")?,
            }
        }
        for (number, expected) in self.case.expected.releases.iter().enumerate() {
            writeln!(f, "  abort {number} expected {expected}")?;
            if let Some(found) = self.found.releases.get(number)
                && found != expected
            {
                writeln!(f, "  {:>w$} found    {found}", "", w = digits(number) + 6)?;
            }
        }
        Ok(())
    }
}

/// A text from a file as a terminal may have it: what is invisible, moves the cursor or turns the
/// direction of writing stands there as an escape.
pub fn shown(text: &str) -> impl fmt::Display + '_ {
    Shown(text)
}

struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                // They stand for themselves everywhere but in quotes.
                '"' | '\'' | '\\' => fmt::Write::write_char(f, c)?,
                c => write!(f, "{}", c.escape_debug())?,
            }
        }
        Ok(())
    }
}

fn digits(number: usize) -> usize {
    number.to_string().len()
}

/// Where two outcomes part; `None` if they do not.
pub fn first_difference(expected: &Outcome, found: &Outcome) -> Option<String> {
    let pairs = expected.ticks.iter().zip(&found.ticks);
    for (tick, (expected, found)) in pairs.enumerate() {
        let part = if expected.root != found.root {
            "root"
        } else if expected.visits != found.visits {
            "visits"
        } else if expected.halts != found.halts {
            "halts"
        } else if expected.launches != found.launches {
            "launches"
        } else if expected.cancels != found.cancels {
            "cancels"
        } else {
            continue;
        };
        return Some(format!(
            "{part} of tick {tick}: expected {expected}; found {found}"
        ));
    }
    if expected.ticks.len() != found.ticks.len() {
        return Some(format!(
            "{} ticks expected, {} found",
            expected.ticks.len(),
            found.ticks.len()
        ));
    }
    let pairs = expected.releases.iter().zip(&found.releases);
    for (number, (expected, found)) in pairs.enumerate() {
        if expected != found {
            return Some(format!(
                "abort {number}: expected {expected}; found {found}"
            ));
        }
    }
    (expected.releases.len() != found.releases.len()).then(|| {
        format!(
            "{} aborts expected, {} found",
            expected.releases.len(),
            found.releases.len()
        )
    })
}
