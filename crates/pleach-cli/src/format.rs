//! Which files of a folder hold trees.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use pleach_text::Format;

/// How far into a file its first words are looked for, in bytes.
const HEAD: u64 = 4096;

/// The format of a file that holds trees; `None` for any other. Of files that others write, too, it looks
/// at the beginning.
pub(crate) fn of_trees(path: &Path) -> Option<Format> {
    let format = Format::of_path(path)?;
    let ours = match format {
        Format::Kdl => true,
        Format::Json => head(path).contains("\"pleach\""),
        // Much of what robots' projects hold is XML.
        Format::Xml => {
            let head = head(path);
            let words = ["<BehaviorTree", "BTCPP_format", "main_tree_to_execute"];
            head.contains("<root") && words.iter().any(|word| head.contains(word))
        }
        _ => true,
    };
    ours.then_some(format)
}

/// The beginning of a file; empty if it cannot be read.
fn head(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut bytes));
    match read {
        Ok(_) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => String::new(),
    }
}
