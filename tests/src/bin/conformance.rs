//! Runs recorded cases on every interpreter and prints a table.
//!
//! `conformance FILE... [--show N]`. Exit code 0: all the same; 1: something differs; 2: a file or
//! an argument is no good. A file of which no case was run is no good, whatever the others hold.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use pleach_tests::conformance::{check_file, interpreters, shown};

const USAGE: &str = "usage: conformance FILE... [--show N]

Runs the cases of each file (JSON lines, plain or gzipped) on every interpreter.
  --show N   print the first N differences of each row in full (default: 3, a line each)";

/// Differences named in one line each when nobody asked for more.
const NAMED: usize = 3;

struct Arguments {
    files: Vec<PathBuf>,
    show: Option<usize>,
}

fn arguments() -> Result<Option<Arguments>, String> {
    let mut files = Vec::new();
    let mut show = None;
    let mut given = std::env::args_os().skip(1);
    while let Some(argument) = given.next() {
        match argument.to_str() {
            Some("--help" | "-h") => return Ok(None),
            Some("--show") => {
                let number = given.next().ok_or("`--show` needs a number")?;
                let parsed = number.to_str().and_then(|text| text.parse().ok());
                let number = number.to_string_lossy();
                let number = shown(&number);
                show = Some(parsed.ok_or_else(|| format!("`--show {number}` is no number"))?);
            }
            Some(option) if option.starts_with("--") => {
                return Err(format!("unknown option `{}`", shown(option)));
            }
            _ => files.push(PathBuf::from(argument)),
        }
    }
    if files.is_empty() {
        return Err("no file is given".into());
    }
    Ok(Some(Arguments { files, show }))
}

fn shown_path(path: &Path) -> String {
    shown(&path.to_string_lossy()).to_string()
}

fn main() -> ExitCode {
    let arguments = match arguments() {
        Ok(Some(arguments)) => arguments,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(message) => {
            eprintln!("error: {message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let width = arguments
        .files
        .iter()
        .map(|file| shown_path(file).chars().count())
        .max();
    let width = width.unwrap_or(0).max("file".len());
    println!(
        "{:width$}  {:16} {:>8} {:>9} {:>8} {:>14}",
        "file", "interpreter", "same", "different", "refused", "no expectation"
    );
    let mut interpreters = interpreters();
    let mut code = 0;
    for file in &arguments.files {
        let keep = arguments.show.unwrap_or(NAMED);
        let rows = match check_file(file, &mut interpreters, keep) {
            Ok(rows) => rows,
            Err(error) => {
                eprintln!("error: {error}");
                code = 2;
                continue;
            }
        };
        for row in rows {
            let tally = &row.tally;
            println!(
                "{:width$}  {:16} {:>8} {:>9} {:>8} {:>14}",
                shown_path(file),
                row.interpreter,
                tally.same,
                tally.different,
                tally.refused,
                tally.no_expectation
            );
            for difference in &row.differences {
                if arguments.show.is_some() {
                    println!("{difference}");
                } else {
                    println!(
                        "  line {}: {}: {}",
                        difference.line,
                        shown(&difference.case.id),
                        difference.first()
                    );
                }
            }
            if tally.different > 0 {
                code = code.max(1);
            }
        }
    }
    ExitCode::from(code)
}
