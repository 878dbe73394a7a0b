//! What files of BehaviorTree.CPP do not say, as arguments.

use std::path::{Path, PathBuf};

use clap::Args;
use pleach_text::btcpp::{Options, tree_names};
use pleach_text::{Format, visible};

use crate::failure::Failure;
use crate::project;

/// What files of BehaviorTree.CPP do not say.
#[derive(Args, Default)]
#[command(next_help_heading = "Files of BehaviorTree.CPP")]
pub(crate) struct Import {
    /// A KDL file that says what nodes of the project's own are, with lines such as
    /// `parent "TaskSequence" like="Sequence"` and `leaf "CutPath" is="task"`
    #[arg(long, value_name = "FILE")]
    parents: Vec<PathBuf>,

    /// The folder of a ROS package that files are included from
    #[arg(long, value_name = "NAME=FOLDER", value_parser = package)]
    ros_package: Vec<(String, String)>,

    /// A file, or a folder, whose trees may be used without an include
    #[arg(long, value_name = "PATH")]
    with: Vec<PathBuf>,

    /// Take subtrees that no file defines for actions
    #[arg(long)]
    missing_trees_are_actions: bool,
}

fn package(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=');
    parts
        .map(|(name, folder)| (name.to_owned(), folder.to_owned()))
        .ok_or_else(|| "write the package and its folder: `my_robot=/opt/my_robot`".to_owned())
}

impl Import {
    /// The first of these arguments that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--parents", !self.parents.is_empty()),
            ("--ros-package", !self.ros_package.is_empty()),
            ("--with", !self.with.is_empty()),
            (
                "--missing-trees-are-actions",
                self.missing_trees_are_actions,
            ),
        ];
        given
            .iter()
            .find(|(_, given)| *given)
            .map(|&(name, _)| name)
    }

    /// The files that the arguments name.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.parents.iter().chain(&self.with).cloned().collect()
    }

    /// The options that the arguments say; trees of these folders may be used, too.
    pub(crate) fn options(&self, folders: &[&Path]) -> Result<Options, Failure> {
        let mut options = Options::new();
        for path in &self.parents {
            let source = pleach_sim::read_file(path)?;
            options = options.with_parents(source.name(), source.text())?;
        }
        for (name, folder) in &self.ros_package {
            options = options.with_package(name, &absolute(Path::new(folder)));
        }
        let with = self.with.iter().map(PathBuf::as_path);
        for path in with.chain(folders.iter().copied()) {
            let files: Vec<PathBuf> = match path.is_dir() {
                true => project::files(path)
                    .into_iter()
                    .flatten()
                    .filter(|(_, format)| *format == Format::Xml)
                    .map(|(path, _)| path)
                    .collect(),
                false => vec![path.to_owned()],
            };
            let is_named = files.first().is_some_and(|file| file == path);
            for file in files {
                let source = match pleach_sim::read_file(&file) {
                    Ok(source) => source,
                    Err(error) if is_named => return Err(error.into()),
                    // What cannot be read is told where it is checked or used.
                    Err(_) => continue,
                };
                let place = absolute(&file);
                let trees = tree_names(source.text());
                if is_named && trees.is_empty() {
                    let name = visible(source.name());
                    return Err(Failure::Input(format!(
                        "`{name}`: there is no tree of BehaviorTree.CPP in it\n  = help: `pleach check {name}` says more; name files in XML with `--with`"
                    )));
                }
                for tree in trees {
                    options = options.with_tree(&tree, &place);
                }
            }
        }
        Ok(match self.missing_trees_are_actions {
            true => options.with_missing_trees_as_actions(),
            false => options,
        })
    }
}

fn absolute(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.to_string_lossy().replace('\\', "/")
}
