//! `pleach dump`: shows what a tree becomes.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use pleach_shape::Shape;
use pleach_text::Document;
use pleach_tree::Tree;

use crate::failure::Failure;
use crate::import::Import;
use crate::number::counted;
use crate::outline::outline;
use crate::style::Style;
use crate::tokens;

/// Show a tree in characters, or list the streams that it is flattened into
#[derive(Args)]
pub(crate) struct Dump {
    /// A tree file: KDL, JSON or BehaviorTree.CPP's XML
    tree: PathBuf,

    /// List both token streams side by side, with their jumps, instead of showing the tree
    #[arg(long)]
    tokens: bool,

    /// Which tree of the file; the first one, if not given
    #[arg(long = "tree", value_name = "NAME")]
    name: Option<String>,

    #[command(flatten)]
    import: Import,
}

impl Dump {
    /// Reads, compiles and shows the tree.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let document = pleach_sim::open_trees_with(&self.tree, &self.import.options(&[])?)?;
        let tree = tree_of(&document, self.name.as_deref())?;
        let shape = document.compile(tree.name())?;
        let mut out = io::BufWriter::new(io::stdout().lock());
        let style = Style::of_stdout();
        if self.tokens {
            tokens::list(tree, &shape, style, &mut out)?;
        } else {
            show(tree, style, &mut out)?;
        }
        writeln!(out, "\nrequirements\n{}", shape.requirements())?;
        if let Some(parts) = parts(&shape) {
            writeln!(out, "of these          {parts}")?;
        }
        Ok(out.flush()?)
    }
}

/// What of a shape's requirements is not written in the tree: compound nodes become several tokens, with
/// columns and tasks of their own.
fn parts(shape: &Shape) -> Option<String> {
    let tokens = shape.len() - shape.nodes().count();
    let columns = shape.requirements().columns as usize - shape.own_columns();
    let functions = 0..shape.tables().functions.len();
    let tasks = functions.filter(|&index| shape.is_inner_function(index as u32));
    let counts = [
        (tokens, "token", "tokens"),
        (columns, "column", "columns"),
        (tasks.count(), "task", "tasks"),
    ];
    let said = counts.iter().filter(|(count, ..)| *count > 0);
    let said: Vec<String> = said
        .map(|&(count, one, many)| counted(count as u64, one, many))
        .collect();
    let (last, rest) = said.split_last()?;
    let and = if rest.is_empty() { "" } else { " and " };
    let verb = if said.len() == 1 && last.starts_with("1 ") {
        "is part"
    } else {
        "are parts"
    };
    Some(format!(
        "{}{and}{last} {verb} of compound nodes",
        rest.join(", ")
    ))
}

/// The tree of that name, or the first one.
///
/// # Errors
/// When there is none, or it cannot run by itself.
pub(crate) fn tree_of<'d>(document: &'d Document, name: Option<&str>) -> Result<&'d Tree, Failure> {
    let Some(name) = name else {
        return Ok(document.main());
    };
    match document.tree(name) {
        Some(tree) => Ok(tree),
        // Whoever compiles it says why it is not there.
        None => Ok(document.compile(name).map(|_| document.main())?),
    }
}

fn show(tree: &Tree, style: Style, out: &mut impl Write) -> io::Result<()> {
    let numbers = tree.len().saturating_sub(1).to_string().len();
    for (number, line) in outline(tree).enumerate() {
        let label = line.label;
        let (number, branches) = (
            style.dim(&format!("{number:>numbers$}")),
            style.dim(&line.branches),
        );
        write!(out, "{number} {branches}")?;
        if let Some(role) = line.role {
            write!(out, "{}", style.dim(&format!("{role}: ")))?;
        }
        write!(out, "{}", style.keyword(label.keyword))?;
        if !label.detail.is_empty() {
            write!(out, " {}", label.detail)?;
        }
        for param in &label.params {
            write!(out, " {}", style.dim(param))?;
        }
        match label.name {
            Some(name) => writeln!(out, " {}", style.name(&format!("\"{name}\"")))?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}
