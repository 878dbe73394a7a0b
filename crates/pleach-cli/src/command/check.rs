//! `pleach check`: says what is wrong with tree files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use pleach_sim::{Good, Scenario};
use pleach_text::Checked;

use crate::explain;
use crate::failure::Failure;
use crate::number::counted;

/// Read and compile trees, and read scenarios; say what is wrong with them
#[derive(Args)]
pub(crate) struct Check {
    /// Tree or scenario files (KDL)
    #[arg(required_unless_present = "explain")]
    trees: Vec<PathBuf>,

    /// Say what a node does, with an example; without a name, list all nodes
    #[arg(long, value_name = "NODE", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with = "trees")]
    explain: Option<String>,
}

impl Check {
    /// Checks all files, also behind one that is wrong.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if let Some(node) = &self.explain {
            return explain::run(node);
        }
        let mut out = io::stdout().lock();
        let mut wrong = false;
        for path in &self.trees {
            match pleach_sim::check(path) {
                Ok(Good::Scenario(scenario)) => {
                    writeln!(out, "{}", ok(path, &plan(&scenario)))?;
                }
                Ok(Good::Trees(trees)) => {
                    for tree in trees {
                        writeln!(out, "{}", ok(path, &facts(&tree)))?;
                        for (name, doc) in &tree.docs {
                            let line = format!("{name}: {doc}");
                            writeln!(out, "      {}", pleach_text::visible(&line))?;
                        }
                    }
                }
                Err(errors) => {
                    // In order with the lines above, should both go to one place.
                    out.flush()?;
                    writeln!(io::stderr(), "{errors}\n")?;
                    wrong = true;
                }
            }
        }
        if wrong { Err(Failure::Shown) } else { Ok(()) }
    }
}

/// The line on what is right. No name in it can disturb a terminal, nor begin another line.
fn ok(path: &Path, what: &str) -> String {
    let line = format!("ok: {}: {what}", path.display());
    pleach_text::visible(&line).into_owned()
}

/// A line on a scenario.
fn plan(scenario: &Scenario) -> String {
    format!(
        "scenario of {}, {}",
        counted(scenario.actors().into(), "actor", "actors"),
        counted(scenario.ticks().into(), "tick", "ticks"),
    )
}

/// A line on a tree.
fn facts(tree: &Checked) -> String {
    let shape = &tree.shape;
    let needs = shape.requirements();
    let facts = format!(
        "tree \"{}\", {}, {} deep, {}, {}, {}, {} bytes an actor",
        shape.tree_name(),
        counted(needs.plain_tokens.into(), "node", "nodes"),
        // Parents open at once, and the leaf below them.
        needs.max_depth + 1,
        counted(
            (needs.deferred_slots + needs.persistent_slots).into(),
            "action",
            "actions"
        ),
        counted(needs.columns.into(), "column", "columns"),
        counted(needs.world_values.into(), "world value", "world values"),
        needs.state_bytes_per_actor + needs.output_bytes_per_actor + needs.column_bytes_per_actor,
    );
    match (tree.parameters.as_slice(), tree.runs) {
        ([], _) => facts,
        (params, true) => format!("{facts}; parameters {}", params.join(", ")),
        (params, false) => format!("{facts}; only a subtree, parameters {}", params.join(", ")),
    }
}
