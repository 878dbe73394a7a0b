//! `pleach draw`: a tree as a picture.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use pleach_draw::tree::{Picture, Theme, TooLarge};

use crate::command::dump::tree_of;
use crate::destination::Destination;
use crate::failure::Failure;
use crate::import::Import;

/// Draw a tree: as SVG, as a Mermaid flowchart, or for Graphviz
#[derive(Args)]
pub(crate) struct Draw {
    /// A tree file: KDL, JSON or BehaviorTree.CPP's XML
    tree: PathBuf,

    /// Where to: a file, which is replaced if it exists; its ending says the format (.svg, .mmd, .dot). `-` is
    /// the standard output, as is none
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// What to write; without it, what the file's ending says, or svg
    #[arg(long)]
    format: Option<Format>,

    /// Which tree of the file; the first one, if not given
    #[arg(long = "tree", value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    import: Import,

    /// For which paper; auto is whatever whoever looks at the SVG prefers
    #[arg(long, default_value = Theme::Auto.name(), value_parser = theme())]
    theme: Theme,

    /// Show that many levels of nodes, and fold what is below
    #[arg(long, value_name = "LEVELS", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
}

/// What a picture is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// A picture for browsers and documents
    Svg,
    /// A Mermaid flowchart, which many sites show in documents
    Mermaid,
    /// A graph for Graphviz
    Dot,
}

impl Format {
    /// What the ending of a file's name says, whatever its case.
    fn of_ending(path: &Path) -> Option<Format> {
        let ending = path.extension().and_then(OsStr::to_str)?;
        Some(match ending.to_ascii_lowercase().as_str() {
            "svg" => Format::Svg,
            "mmd" | "mermaid" => Format::Mermaid,
            "dot" | "gv" => Format::Dot,
            _ => return None,
        })
    }
}

/// Themes by name.
fn theme() -> impl TypedValueParser<Value = Theme> {
    let names = PossibleValuesParser::new(Theme::ALL.map(Theme::name));
    names.map(|name| Theme::from_name(&name).unwrap_or_default())
}

impl Draw {
    /// Reads the tree and draws it.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let output = self.output.as_deref().unwrap_or(Path::new("-"));
        let format = self.format(output)?;
        let document = pleach_sim::open_trees_with(&self.tree, &self.import.options(&[])?)?;
        let tree = tree_of(&document, self.name.as_deref())?;
        let destination = Destination::at(output)?;
        let mut picture = Picture::new(tree);
        if let Some(levels) = self.depth {
            picture = picture.depth(levels as usize);
        }
        let text = match format {
            Format::Svg => picture.svg(self.theme),
            Format::Mermaid => picture.mermaid(self.theme),
            Format::Dot => picture.dot(self.theme),
        };
        let text = text.map_err(too_large)?;
        match destination {
            Destination::File(file) => file.write(&text)?,
            Destination::Stdout => {
                let mut out = io::stdout().lock();
                out.write_all(text.as_bytes())?;
                out.flush()?;
            }
        }
        // A picture may help to find what is wrong.
        if document.compile(tree.name()).is_err() {
            let path = self.tree.to_string_lossy();
            writeln!(
                io::stderr(),
                "warning: this tree does not compile; `pleach check {}` says why",
                pleach_text::visible(&path)
            )?;
        }
        Ok(())
    }

    fn format(&self, output: &Path) -> Result<Format, Failure> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        if output == Path::new("-") {
            return Ok(Format::Svg);
        }
        Format::of_ending(output).ok_or_else(|| {
            Failure::Input(format!(
                "`{}`: what is to be written is not clear from this name; end it in `.svg`, `.mmd` or `.dot`, or give \
                 `--format`",
                pleach_text::visible(&output.to_string_lossy())
            ))
        })
    }
}

fn too_large(error: TooLarge) -> Failure {
    let help = match error.fitting_depth() {
        Some(levels) => format!("`--depth {levels}` folds what is deeper"),
        None => "`--depth` folds what is deeper; other formats hold more".to_owned(),
    };
    Failure::Input(format!("{error}\n  = help: {help}"))
}
