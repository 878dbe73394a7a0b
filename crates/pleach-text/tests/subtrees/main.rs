//! Subtrees: of the same file and of others, with parameters and mapped names.

mod files;
mod limits;
mod mappings;
mod parameters;
mod uses;

use std::cell::RefCell;
use std::collections::HashMap;

use pleach_text::explain::page;
use pleach_text::{
    Diagnostics, Document, FilePlace, LoadError, MAX_FILES, MAX_PARAMS, MAX_TOTAL_BYTES,
    check_with, parse, parse_with, write,
};

/// Reads the first of some files, which include each other.
fn open(files: &[(&str, &str)]) -> Result<Document, Diagnostics> {
    let texts: HashMap<&str, &str> = files.iter().copied().collect();
    let mut loader = |path: &str| match texts.get(path) {
        Some(text) => Ok((*text).to_owned()),
        None => Err(LoadError::new("there is no such file")),
    };
    parse_with(&FilePlace::new(files[0].0), files[0].1, &mut loader)
}

/// A document that compiles.
#[track_caller]
fn opened(files: &[(&str, &str)]) -> Document {
    let document = open(files).unwrap_or_else(|errors| panic!("{errors}"));
    document
        .compile_main()
        .unwrap_or_else(|errors| panic!("{errors}"));
    document
}

/// The main tree as it would stand without subtrees.
#[track_caller]
fn same(files: &[(&str, &str)], plain: &str) {
    let document = opened(files);
    let plain = parse("plain.kdl", plain).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(write(document.main()), write(plain.main()));
    let again = parse("again.kdl", &write(document.main())).unwrap();
    assert_eq!(again.main(), document.main());
}

#[track_caller]
fn errors(files: &[(&str, &str)]) -> Diagnostics {
    match open(files) {
        Err(errors) => errors,
        Ok(document) => document.compile_main().expect_err("it is wrong"),
    }
}

/// Checks the first error: where it is (`part` of the file of that number), and that what is printed
/// of it, other places and help included, holds all the texts.
#[track_caller]
fn refused(files: &[(&str, &str)], file: usize, part: &str, texts: &[&str]) {
    let errors = errors(files);
    let first = errors.iter().next().unwrap();
    let (name, text) = files[file];
    let at = text.find(part).expect("the part stands in the text");
    let start = first.span().expect("it has a place").start;
    assert_eq!((first.file(), start), (name, at), "{errors}");
    assert!(
        errors.iter().all(|error| page(error.code()).is_some()),
        "{errors}"
    );
    for text in texts {
        assert!(first.to_string().contains(text), "{text}\n{errors}");
    }
}

/// The same for one file.
#[track_caller]
fn refused_text(text: &str, part: &str, texts: &[&str]) {
    refused(&[("a.kdl", text)], 0, part, texts);
}

const PATROL: &str = r#"
tree "patrol" {
    params {
        speed f32 1.5
        pause f32
        line text "all quiet"
    }
    blackboard { target u64; stamina f32 1.0; }
    sequence "round" {
        condition "stamina * speed > 0.5"
        action "walk" speed=(param)"speed" to=(column)"target"
        wait (param)"pause"
        action "say" line=(param)"line"
        set "stamina" "stamina - speed / 100.0"
    }
}
"#;
