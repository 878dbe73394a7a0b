//! `pleach convert`: tree files from one format to another.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use pleach_sim::FileLoader;
use pleach_text::{Code, Diagnostic, Diagnostics, Format, TreeFile, decode, quoted, visible};

use crate::destination::Destination;
use crate::failure::Failure;
use crate::import::Import;
use crate::style::Style;

/// Convert a tree file from one format to another, with all its trees, subtrees and comments
#[derive(Args)]
pub(crate) struct Convert {
    /// The file to convert; `-` is the standard input
    from: PathBuf,

    /// The file to write, replaced if it is there; `-`, the default, is the standard output
    #[arg(default_value = "-")]
    to: PathBuf,

    /// The format of what is read, where its name does not end in it
    #[arg(long = "from", value_name = "FORMAT", value_parser = format)]
    from_format: Option<Format>,

    /// The format of what is written, where its name does not end in it
    #[arg(long = "to", value_name = "FORMAT", value_parser = format)]
    to_format: Option<Format>,

    /// Do not tell what is not as a file of BehaviorTree.CPP has it
    #[arg(long)]
    quiet: bool,

    #[command(flatten)]
    import: Import,
}

impl Convert {
    /// Reads one, writes the other.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let from = format_of(&self.from, self.from_format, "--from")?;
        let to = format_of(&self.to, self.to_format, "--to")?;
        let (name, bytes) = read(&self.from)?;
        // Tried first: a file with mistakes is no reason to look for a folder that is not there.
        let source = decode(&name, &bytes)?;
        let file = match from {
            Format::Xml => {
                let (mut files, place) = FileLoader::from(&self.from);
                TreeFile::of_project(source, &place, &mut files, &self.import.options(&[])?)?
            }
            from => TreeFile::of_source(from, source)?,
        };
        let text = file.write(to)?;
        if text.len() > pleach_text::MAX_BYTES {
            return Err(Failure::Input(format!(
                "`{}`: in {} it would have {} bytes, and no file may have more than {}\n  = help: put some of its trees into files of their own",
                visible(&name),
                to.name(),
                text.len(),
                pleach_text::MAX_BYTES
            )));
        }
        match Destination::at(&self.to)? {
            Destination::Stdout => io::stdout().lock().write_all(text.as_bytes())?,
            Destination::File(target) => target.write(&text)?,
        }
        if !self.quiet {
            let mut notes = file.remarks().notes().to_vec();
            if to == Format::Xml {
                notes.extend(stand_ins(&file));
            }
            tell(&notes)?;
        }
        Ok(())
    }
}

/// What is told of nodes that are written as what they are like here.
fn stand_ins(file: &TreeFile) -> Option<Diagnostic> {
    let names: Vec<String> = file.stand_ins().into_iter().map(quoted).collect();
    let message = format!(
        "nodes of the project's own are written as what they are like here, with their names as `_tag`: {}",
        names.join(", ")
    );
    let help = "give them their names again before BehaviorTree.CPP runs the file";
    let note = Diagnostic::whole(file.source(), Code::TakenFor.says(message)).with_help(help);
    (!names.is_empty()).then_some(note)
}

/// Shows what was noted of the file that was read.
fn tell(notes: &[Diagnostic]) -> Result<(), Failure> {
    let mut found = Diagnostics::new();
    for note in notes {
        found.push(note.clone());
    }
    match found.is_empty() {
        true => Ok(()),
        false => Ok(writeln!(
            io::stderr(),
            "{}",
            found.painted(&Style::of_stderr())
        )?),
    }
}

fn format(name: &str) -> Result<Format, String> {
    Format::from_name(name).ok_or_else(|| format!("the formats are {}", names()))
}

fn names() -> String {
    Format::ALL.map(Format::name).join(", ")
}

fn format_of(path: &Path, said: Option<Format>, option: &str) -> Result<Format, Failure> {
    said.or_else(|| Format::of_path(path)).ok_or_else(|| {
        if path == Path::new("-") {
            let (what, file) = match option {
                "--to" => ("written", "name the file to write, such as `out.xml`, or "),
                _ => ("read", ""),
            };
            return Failure::Input(format!(
                "nothing says in which format is {what}\n  = help: {file}say it with `{option}`: {}",
                names()
            ));
        }
        let shown = path.to_string_lossy();
        Failure::Input(format!(
            "`{}`: the name does not say which format it is\n  = help: name it with `{option}`: {}",
            visible(&shown),
            names()
        ))
    })
}

/// A file's name and bytes; no more than a file of trees may have, and one.
pub(super) fn read(path: &Path) -> Result<(String, Vec<u8>), Failure> {
    let mut bytes = Vec::new();
    let most = pleach_text::MAX_BYTES as u64 + 1;
    let (name, read) = match path == Path::new("-") {
        true => (
            "standard input".to_owned(),
            io::stdin().lock().take(most).read_to_end(&mut bytes),
        ),
        false => (
            path.to_string_lossy().into_owned(),
            std::fs::File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)),
        ),
    };
    match read {
        Ok(_) => Ok((name, bytes)),
        Err(error) => {
            let message = format!("`{}`: cannot be read: {error}", visible(&name));
            Err(Failure::Input(message))
        }
    }
}
