//! `pleach check`: says what is wrong with tree files.

use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;
use pleach_shape::{Shape, TokenIndex};
use pleach_sim::{Good, Inspected, Scenario};
use pleach_text::btcpp::Options;
use pleach_text::{
    Checked, Code, Diagnostic, Diagnostics, Format, Outline, Severity, Source, visible,
};

use crate::explain;
use crate::failure::Failure;
use crate::import::Import;
use crate::number::counted;
use crate::progress;
use crate::project;
use crate::style::Style;

/// Read and compile trees, and read scenarios; say what is wrong with them
#[derive(Args)]
pub(crate) struct Check {
    /// Tree or scenario files, or folders, in which all of them are checked; `-` is the standard input
    #[arg(required_unless_present = "explain")]
    trees: Vec<PathBuf>,

    /// Print a line of JSON for each file, for editors and other programs
    #[arg(long)]
    json: bool,

    /// Show no notes, which tell what is not as a file of BehaviorTree.CPP has it
    #[arg(long)]
    quiet: bool,

    /// Fail on warnings, too
    #[arg(long)]
    deny_warnings: bool,

    /// Warn of what may well be right, too: columns, world values and trees that no tree uses
    #[arg(long)]
    strict: bool,

    /// Say what a node does, what becomes of one of BehaviorTree.CPP, or what a code such as P0101 means,
    /// with an example; without a name, list all nodes, with `codes` all codes
    #[arg(long, value_name = "NODE|CODE", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with_all = ["trees", "json", "quiet", "deny_warnings", "strict"])]
    explain: Option<String>,

    #[command(flatten)]
    import: Import,
}

/// A file that was checked, or a folder that could not be.
struct File {
    path: PathBuf,
    format: Format,
    inspected: Inspected,
}

impl File {
    fn unread(path: PathBuf, found: Diagnostics) -> File {
        File {
            inspected: Inspected {
                good: None,
                found,
                trees: 0,
                nodes: 0,
                outline: Outline::default(),
            },
            format: Format::of_path(&path).unwrap_or(Format::Kdl),
            path,
        }
    }
}

/// What is counted over all files.
#[derive(Default)]
struct Sum {
    files: u64,
    /// Files with errors.
    wrong: u64,
    trees: u64,
    nodes: u64,
    errors: u64,
    warnings: u64,
}

impl Sum {
    fn add(&mut self, found: &Diagnostics) {
        self.errors += found.count(Severity::Error) as u64;
        self.warnings += found.count(Severity::Warning) as u64;
    }
}

impl Check {
    /// Checks all files, also behind one that is wrong.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if let Some(node) = &self.explain {
            return explain::run(node);
        }
        let mut queue: Vec<project::Found> = Vec::new();
        let mut folders = false;
        for path in &self.trees {
            match path.is_dir() {
                true => {
                    folders = true;
                    queue.extend(project::files(path));
                }
                // Whatever it is called: somebody says that it is one.
                false => {
                    let format = Format::of_path(path).unwrap_or(Format::Kdl);
                    queue.push(Ok((path.clone(), format)));
                }
            }
        }
        let folders_of = self.trees.iter().filter(|path| path.is_dir());
        let folders_of: Vec<&Path> = folders_of.map(PathBuf::as_path).collect();
        let options = match self.import.options(&folders_of) {
            Err(Failure::Files(found)) if self.json => {
                let mut report = Report::new(true, false, false, ProgressBar::hidden());
                for path in &self.import.files() {
                    let name = path.to_string_lossy();
                    let mut its = Diagnostics::new();
                    found
                        .iter()
                        .filter(|one| one.file() == name)
                        .for_each(|one| its.push(one.clone()));
                    if !its.is_empty() {
                        report.file(File::unread(path.clone(), its))?;
                    }
                }
                report.finish()?;
                return Err(Failure::Shown);
            }
            options => options?,
        };
        let template = "{wide_bar:.green/dim} {pos}/{len} files";
        let bar = progress::bar(!folders, template);
        bar.set_length(queue.len() as u64);
        let mut report = Report::new(self.json, folders, self.quiet, bar);
        let mut outlines: Vec<Outline> = Vec::new();
        for found in queue {
            let mut file = self.look_at(found, &options);
            outlines.push(std::mem::take(&mut file.inspected.outline));
            report.file(file)?;
        }
        if folders {
            report.more(pleach_text::unused_trees(&outlines, self.strict))?;
        }
        let sum = report.finish()?;
        match sum.wrong > 0 || self.deny_warnings && sum.warnings > 0 {
            true => Err(Failure::Shown),
            false => Ok(()),
        }
    }

    fn look_at(&self, found: project::Found, options: &Options) -> File {
        match found {
            Ok((path, _)) if path == Path::new("-") => self.standard_input(path, options),
            Ok((path, format)) => File {
                inspected: pleach_sim::inspect_with(&path, self.strict, options),
                path,
                format,
            },
            Err((path, error)) => {
                let message = format!("the folder cannot be looked into: {error}");
                let source = Source::new(&path.to_string_lossy(), "");
                let error = Diagnostic::whole(&source, Code::File.says(message));
                File::unread(path, error.into())
            }
        }
    }

    fn standard_input(&self, path: PathBuf, options: &Options) -> File {
        let mut bytes = Vec::new();
        // One byte more tells a text of the greatest length from a longer one.
        let mut input = io::stdin().lock().take(pleach_text::MAX_BYTES as u64 + 1);
        let read = match input.read_to_end(&mut bytes) {
            Ok(_) => pleach_text::decode("-", &bytes),
            Err(error) => {
                let message = format!("the standard input cannot be read: {error}");
                Err(Diagnostic::whole(&Source::new("-", ""), Code::File.says(message)).into())
            }
        };
        match read {
            Ok(source) => File {
                format: Format::of_text("-", source.text()),
                inspected: pleach_sim::inspect_source(source, &path, self.strict, options),
                path,
            },
            Err(errors) => File::unread(path, errors),
        }
    }
}

/// What is shown of the files.
struct Report {
    /// For each file an object, kept until all is known of all files; `None` where people read.
    json: Option<Vec<serde_json::Value>>,
    /// Whether only a summary is told of files that are right.
    summary: bool,
    /// Whether notes are left out.
    quiet: bool,
    /// What people were told already: what is wrong with a file is found by all that include it.
    known: HashSet<(String, usize, usize, String)>,
    bar: ProgressBar,
    style: Style,
    sum: Sum,
}

impl Report {
    fn new(json: bool, summary: bool, quiet: bool, bar: ProgressBar) -> Report {
        Report {
            json: json.then(Vec::new),
            summary,
            quiet,
            known: HashSet::new(),
            bar,
            style: Style::of_stderr(),
            sum: Sum::default(),
        }
    }

    fn file(&mut self, file: File) -> Result<(), Failure> {
        let File {
            path,
            format,
            inspected,
        } = file;
        self.sum.files += 1;
        self.sum.wrong += u64::from(inspected.good.is_none());
        self.sum.trees += inspected.trees as u64;
        self.sum.nodes += inspected.nodes as u64;
        self.bar.inc(1);
        if let Some(lines) = &mut self.json {
            self.sum.add(&inspected.found);
            lines.push(serde_json::json!({
                "file": path.to_string_lossy(),
                "format": format.name(),
                "trees": inspected.trees,
                "nodes": inspected.nodes,
                "loaded": inspected.good.is_some(),
                "diagnostics": objects(&inspected.found),
            }));
            return Ok(());
        }
        match &inspected.good {
            Some(good) if !self.summary => self.ok(&path, good)?,
            _ => {}
        }
        self.told(&inspected.found)
    }

    /// Warnings that are known once all files have been looked at.
    fn more(&mut self, found: Diagnostics) -> Result<(), Failure> {
        let Some(lines) = &mut self.json else {
            return self.told(&found);
        };
        self.sum.add(&found);
        for diagnostic in &found {
            let line = lines
                .iter_mut()
                .find(|line| line["file"] == diagnostic.file());
            let list = line.and_then(|line| line["diagnostics"].as_array_mut());
            if let (Some(list), Ok(object)) = (list, serde_json::to_value(diagnostic)) {
                list.push(object);
            }
        }
        Ok(())
    }

    /// Lines on what is right.
    fn ok(&self, path: &Path, good: &Good) -> Result<(), Failure> {
        let lines = match good {
            Good::Scenario(scenario) => vec![ok(path, &plan(scenario))],
            Good::Trees(trees) => trees.iter().flat_map(|tree| told(path, tree)).collect(),
        };
        let mut out = io::stdout().lock();
        for line in lines {
            writeln!(out, "{line}")?;
        }
        // In order with errors, should both go to one place.
        Ok(out.flush()?)
    }

    fn told(&mut self, all: &Diagnostics) -> Result<(), Failure> {
        let mut found = Diagnostics::new();
        for one in all {
            if self.quiet && one.severity() == Severity::Note {
                continue;
            }
            let (file, message) = (one.file().to_owned(), one.message().to_owned());
            if self.known.insert((file, one.line(), one.column(), message)) {
                found.push(one.clone());
            }
        }
        // Those that are only counted.
        let more = |severity| {
            all.count(severity) - all.iter().filter(|one| one.severity() == severity).count()
        };
        self.sum.errors += more(Severity::Error) as u64;
        self.sum.warnings += more(Severity::Warning) as u64;
        self.sum.add(&found);
        if found.is_empty() {
            return Ok(());
        }
        let text = found.painted(&self.style).to_string();
        let written = self.bar.suspend(|| writeln!(io::stderr(), "{text}\n"));
        Ok(written?)
    }

    fn finish(self) -> Result<Sum, Failure> {
        self.bar.finish_and_clear();
        let mut out = io::stdout().lock();
        for line in self.json.iter().flatten() {
            writeln!(out, "{line}")?;
        }
        if self.summary && self.json.is_none() {
            writeln!(out, "{}", summary(&self.sum, Style::of_stdout()))?;
        }
        out.flush()?;
        Ok(self.sum)
    }
}

/// Diagnostics as editors read them.
fn objects(found: &Diagnostics) -> serde_json::Value {
    let objects = found.iter().map(serde_json::to_value);
    // They are plain data, which nothing keeps from being written.
    objects.filter_map(Result::ok).collect()
}

/// The line on all files of a folder.
fn summary(sum: &Sum, style: Style) -> String {
    let counts = format!(
        "{}, {}, {}",
        counted(sum.files, "file", "files"),
        counted(sum.trees, "tree", "trees"),
        counted(sum.nodes, "node", "nodes"),
    );
    let mut wrong = Vec::new();
    if sum.errors > 0 {
        let errors = counted(sum.errors, "error", "errors");
        let files = counted(sum.wrong, "file", "files");
        wrong.push(style.error(&format!("{errors} in {files}")));
    }
    if sum.warnings > 0 {
        wrong.push(style.warning(&counted(sum.warnings, "warning", "warnings")));
    }
    match wrong.is_empty() {
        true => format!("{}: {counts}", style.good("ok")),
        false => format!("{counts}: {}", wrong.join(", ")),
    }
}

/// The line on what is right. No name in it can disturb a terminal, nor begin another line.
fn ok(path: &Path, what: &str) -> String {
    let line = format!("ok: {}: {what}", path.display());
    visible(&line).into_owned()
}

/// A line on a scenario.
fn plan(scenario: &Scenario) -> String {
    format!(
        "scenario of {}, {}",
        counted(scenario.actors().into(), "actor", "actors"),
        counted(scenario.ticks().into(), "tick", "ticks"),
    )
}

/// The lines on a tree: what it is, and what its values are for.
fn told(path: &Path, tree: &Checked) -> Vec<String> {
    let docs = tree.docs.iter().map(|(name, doc)| {
        let line = format!("      {name}: {doc}");
        pleach_text::visible(&line).into_owned()
    });
    std::iter::once(ok(path, &facts(tree)))
        .chain(docs)
        .collect()
}

/// How many levels of nodes there are, whatever becomes of them in the streams.
fn levels(shape: &Shape) -> u32 {
    let mut levels: Vec<u32> = Vec::with_capacity(shape.len());
    for (at, token) in shape.plain().iter().enumerate() {
        let above = levels.get(token.link as usize).copied().unwrap_or(0);
        levels.push(above + u32::from(!shape.is_part(TokenIndex::from(at))));
    }
    levels.into_iter().max().unwrap_or(0)
}

/// A line on a tree.
fn facts(tree: &Checked) -> String {
    let shape = &tree.shape;
    let needs = shape.requirements();
    let facts = format!(
        "tree \"{}\", {}, {} deep, {}, {}, {}, {} bytes an actor",
        shape.tree_name(),
        counted(shape.nodes().count() as u64, "node", "nodes"),
        levels(shape),
        counted(
            (needs.deferred_slots + needs.persistent_slots).into(),
            "action",
            "actions"
        ),
        counted(shape.own_columns() as u64, "column", "columns"),
        counted(needs.world_values.into(), "world value", "world values"),
        needs.state_bytes_per_actor + needs.output_bytes_per_actor + needs.column_bytes_per_actor,
    );
    match (tree.parameters.as_slice(), tree.runs) {
        ([], _) => facts,
        (params, true) => format!("{facts}; parameters {}", params.join(", ")),
        (params, false) => format!("{facts}; only a subtree, parameters {}", params.join(", ")),
    }
}
