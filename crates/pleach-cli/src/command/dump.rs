//! `pleach dump`: shows what a tree becomes.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use pleach_shape::{Disassembly, Shape};

use crate::failure::Failure;
use crate::outline::Outline;
use crate::style::Style;

/// Draw a tree, or list the streams that it is flattened into
#[derive(Args)]
pub(crate) struct Dump {
    /// A tree file (KDL)
    tree: PathBuf,

    /// List both token streams instead of drawing the tree
    #[arg(long)]
    tokens: bool,

    /// Which tree of the file; the first one, if not given
    #[arg(long = "tree", value_name = "NAME")]
    name: Option<String>,
}

impl Dump {
    /// Reads, compiles and shows the tree.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let document = pleach_sim::open_trees(&self.tree)?;
        let shape = match &self.name {
            Some(name) => document.compile(name)?,
            None => document.compile_main()?,
        };
        let mut out = io::BufWriter::new(io::stdout().lock());
        if self.tokens {
            write!(out, "{}", Disassembly::new(&shape))?;
        } else {
            draw(&shape, &mut out)?;
        }
        writeln!(out, "\nrequirements\n{}", shape.requirements())?;
        Ok(out.flush()?)
    }
}

fn draw(shape: &Shape, out: &mut impl Write) -> io::Result<()> {
    let style = Style::of_stdout();
    let numbers = shape.len().saturating_sub(1).to_string().len();
    for line in Outline::new(shape).lines() {
        let (number, branches) = (
            style.dim(&format!("{:>numbers$}", line.node.at())),
            style.dim(&line.branches),
        );
        write!(out, "{number} {branches}{}", style.keyword(line.keyword))?;
        if !line.detail.is_empty() {
            write!(out, " {}", line.detail)?;
        }
        for param in &line.params {
            write!(out, " {}", style.dim(param))?;
        }
        match line.name {
            Some(name) => writeln!(out, " {}", style.name(&format!("\"{name}\"")))?,
            None => writeln!(out)?,
        }
    }
    Ok(())
}
