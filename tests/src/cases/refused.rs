//! Trees that must not compile, as data, with every word that people are told.

use std::path::Path;

use serde::Deserialize;

use super::case::read_whole_tree;

/// The file of the folder that holds them.
pub const FILE: &str = "refused.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    refused: Vec<RawRefused>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRefused {
    name: String,
    tree: String,
    #[serde(default)]
    columns: String,
    #[serde(default)]
    world: String,
    problems: Vec<Problem>,
}

/// What the compiler says: all problems, each as place, what is wrong, what to do.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// The path of the node, or the name of the declaration.
    pub at: String,
    /// The message.
    pub says: String,
    /// The help; none where there must be none.
    pub help: Option<String>,
}

/// Compiles every tree of a file, and gives those that compile, or are refused in other words.
///
/// # Errors
/// If the file is no TOML, has a key that is not known, or a text that is no tree.
pub fn check_refused(path: &Path, text: &str) -> Result<(usize, Vec<String>), String> {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let raw: RawFile = toml::from_str(text).map_err(|error| format!("{file}: {error}"))?;
    let mut wrong = Vec::new();
    for case in &raw.refused {
        let place = format!("{file}: case \"{}\"", case.name);
        let tree = read_whole_tree(&case.tree, &case.columns, &case.world)
            .map_err(|error| format!("{place}: {error}"))?;
        let Err(error) = pleach_tree::compile(&tree) else {
            wrong.push(format!("{place}: it compiles"));
            continue;
        };
        let problems = error.problems().iter().map(|problem| Problem {
            at: problem.path.clone(),
            says: problem.message.clone(),
            help: problem.help.clone(),
        });
        let found: Vec<Problem> = problems.collect();
        if found != case.problems {
            wrong.push(format!(
                "{place}: expected {:#?}, found {found:#?}",
                case.problems
            ));
        }
    }
    Ok((raw.refused.len(), wrong))
}
