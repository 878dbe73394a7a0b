//! What the fuzz targets hold the library to: whatever the bytes are, nothing panics; what is read
//! can be written and read back as the same; and what compiles does the same on all kernels.

#![forbid(unsafe_code)]

mod play;
mod round;

pub use play::play;
pub use round::{laid_out, round};

use pleach_text::btcpp::Options;
use pleach_text::{FilePlace, LoadError, inspect_with_options, parse_with_options, write};

/// What every file that is included holds.
const INCLUDED: &str = "tree \"patrol\" {
    params { speed f32 1.4; pause f32 2.5; }
    blackboard { post u64; }
    sequence { action \"walk\" to=(column)\"post\" speed=(param)\"speed\"; wait (param)\"pause\"; }
}
";

/// How the targets read files of BehaviorTree.CPP: one by itself, whatever it uses of others.
pub fn options() -> Options {
    Options::new().with_missing_trees_as_actions()
}

/// Parses, checks, writes, compiles and runs the trees of a text.
///
/// # Panics
/// If any of that goes wrong: that is what a fuzzer is to find.
pub fn whole(file_name: &str, text: &str) {
    let place = FilePlace::new(file_name);
    let options = options();
    let mut loader = |_: &str| match file_name.ends_with(".xml") {
        true => Err(LoadError::new("there is none")),
        false => Ok(INCLUDED.to_owned()),
    };
    let inspection = inspect_with_options(&place, text, &mut loader, true, &options);
    // Told as people see it.
    let told = inspection.found.to_string();
    assert_eq!(told.is_empty(), inspection.found.is_empty());
    let Ok(document) = parse_with_options(&place, text, &mut loader, &options) else {
        return;
    };
    for tree in document.trees() {
        let compiled = document.compile(tree.name());
        if inspection.trees.is_some() {
            assert!(
                compiled.is_ok(),
                "checked, and does not compile: {:?}",
                compiled.err()
            );
        }
        let written = write(tree);
        let again = round::accepted(pleach_text::parse("written.kdl", &written), &written);
        if let Some(again) = again {
            assert_eq!(again.main(), tree, "{written}");
        }
        if let Ok(shape) = compiled {
            play(&shape);
        }
    }
}
