//! Writes what fuzzing begins with into `corpus/`, a folder a target: `seeds [FOLDER…]`.
//!
//! From the repository come its trees, the examples of all nodes and of the page on the language; from the
//! folders that are named, files of BehaviorTree.CPP. What one format says is there in the others, too.

#![forbid(unsafe_code)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pleach_text::gallery::GALLERY;
use pleach_text::{Format, Source, TreeFile};

/// Attributes whose values are scripts, and the properties and words of KDL before expressions.
const SCRIPTS: [&str; 9] = [
    "code=\"",
    "_skipIf=\"",
    "_successIf=\"",
    "_failureIf=\"",
    "_while=\"",
    "_onSuccess=\"",
    "_onFailure=\"",
    "_post=\"",
    "if=\"",
];
const EXPRESSIONS: [&str; 6] = [
    "condition \"",
    "when=\"",
    "while=\"",
    "done-when=\"",
    "abort-when=\"",
    "while \"",
];

/// The longest text that a target begins with. What is in a long one is in short ones, too, and what is read,
/// written and run a thousand times a second is short: of a page of KDL it would be twice.
fn longest(target: &str) -> usize {
    match target {
        "xml" => 1_000,
        _ => 400,
    }
}

/// All files with that ending in a folder and those below.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files(&path, ending, found)?;
        } else if path.extension().is_some_and(|found| found == ending) {
            found.push(path);
        }
    }
    found.sort();
    Ok(())
}

/// Where seeds are written.
struct Corpus {
    folder: PathBuf,
    count: usize,
}

impl Corpus {
    fn add(&mut self, target: &str, text: &str) -> io::Result<()> {
        if text.len() > longest(target) {
            return Ok(());
        }
        let folder = self.folder.join(target);
        fs::create_dir_all(&folder)?;
        self.count += 1;
        fs::write(folder.join(format!("seed-{:04}", self.count)), text)
    }

    /// What stands behind one of these words, to the next quote.
    fn add_quoted(&mut self, target: &str, words: &[&str], text: &str) -> io::Result<()> {
        for word in words {
            for part in text.split(word).skip(1) {
                let quoted = part.split('"').next().unwrap_or("");
                let quoted = quoted
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")
                    .replace("&amp;", "&");
                self.add(target, &quoted)?;
            }
        }
        Ok(())
    }

    /// A file in all formats.
    fn add_file(&mut self, format: Format, text: &str) -> io::Result<()> {
        self.add(format.name(), text)?;
        let read = match format {
            Format::Xml => TreeFile::of_xml(Source::new("", text), &pleach_fuzz::options()),
            _ => TreeFile::read(format, "", text),
        };
        let Ok(file) = read else {
            return Ok(());
        };
        for other in Format::ALL {
            if let Ok(written) = file.write(other) {
                let (words, target) = match other {
                    Format::Xml => (&SCRIPTS[..], "script"),
                    _ => (&EXPRESSIONS[..], "expression"),
                };
                self.add_quoted(target, words, &written)?;
                self.add(other.name(), &written)?;
            }
        }
        Ok(())
    }
}

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut corpus = Corpus {
        folder: root.join("corpus"),
        count: 0,
    };
    let mut trees = Vec::new();
    files(&root.join("../trees"), "kdl", &mut trees)?;
    for path in trees {
        corpus.add_file(Format::Kdl, &fs::read_to_string(path)?)?;
    }
    for entry in GALLERY.iter().flat_map(|family| family.entries) {
        corpus.add_file(Format::Kdl, entry.example)?;
    }
    for (page, word, format) in [
        ("language.md", "```kdl\n", Format::Kdl),
        ("json.md", "```json\n", Format::Json),
    ] {
        let page = fs::read_to_string(root.join("../docs").join(page))?;
        for block in page.split(word).skip(1) {
            corpus.add_file(format, block.split("```").next().unwrap_or(""))?;
        }
    }
    for folder in std::env::args_os().skip(1) {
        let mut found = Vec::new();
        files(Path::new(&folder), "xml", &mut found)?;
        for path in found {
            let text = fs::read(path)?;
            let text = String::from_utf8_lossy(&text);
            corpus.add_quoted("script", &SCRIPTS, &text)?;
            corpus.add_file(Format::Xml, &text)?;
        }
    }
    println!("{} seeds in {}", corpus.count, corpus.folder.display());
    Ok(())
}
