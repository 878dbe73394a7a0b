//! Texts that are read, written and read again.

use pleach_text::btcpp::Options;
use pleach_text::{Code, Diagnostics, Format, Source, TreeFile, reformat};

/// What was read of a text that the library wrote; `None` if it is beyond a limit, which what is written
/// may be.
///
/// # Panics
/// If anything else is wrong with it.
pub(crate) fn accepted<T>(read: Result<T, Diagnostics>, text: &str) -> Option<T> {
    match read {
        Ok(read) => Some(read),
        Err(errors) => {
            let limits = errors.iter().all(|error| {
                error.code() == Code::Limit || error.message().contains("deeper than")
            });
            assert!(limits, "written, and not read back:\n{text}\n{errors}");
            None
        }
    }
}

fn read(format: Format, text: &str) -> Result<TreeFile, Diagnostics> {
    let name = format!("a.{}", format.name());
    match format {
        Format::Xml => {
            // A use of a tree that the file has not stays one.
            TreeFile::of_xml(Source::new(&name, text), &Options::new())
        }
        _ => TreeFile::read(format, &name, text),
    }
}

/// Reads a text, writes what was read in all formats, and reads those: all must say the same.
///
/// # Panics
/// If they do not.
pub fn round(format: Format, text: &str) {
    let file = match read(format, text) {
        Ok(file) => file,
        Err(errors) => {
            assert!(!errors.to_string().is_empty());
            for error in &errors {
                assert!(error.line() > 0 && error.column() > 0);
            }
            return;
        }
    };
    let kdl = file.write(Format::Kdl).expect("KDL has words for all");
    for other in Format::ALL {
        let written = match file.write(other) {
            Ok(written) => written,
            Err(errors) => {
                let told = |text: &str| text.ends_with("in XML");
                let names = errors.iter().all(|error| told(error.message()));
                let known = other == Format::Xml && names;
                assert!(known, "{other:?} has words for all but some names: {errors}");
                continue;
            }
        };
        let Some(back) = accepted(read(other, &written), &written) else {
            continue;
        };
        let again = back.write(Format::Kdl).expect("KDL has words for all");
        if other == Format::Xml && again != kdl {
            same_trees(&again, &kdl);
        } else {
            assert_eq!(again, kdl, "by way of {other:?}:\n{written}");
        }
        if let Ok(twice) = back.write(other) {
            assert_eq!(twice, written, "written twice");
        }
    }
}

/// XML does not tell whether a guard is a node or a property of one, which is the same to a tree.
fn same_trees(one: &str, other: &str) {
    let parse = |text| pleach_text::parse("a.kdl", text);
    if let (Ok(one), Ok(other)) = (parse(one), parse(other)) {
        assert_eq!(one.trees(), other.trees());
    }
}

/// Lays a text in KDL out: what it says must stay the same, and a second time must change nothing.
///
/// # Panics
/// If that is not so.
pub fn laid_out(text: &str) {
    let Ok(once) = reformat("a.kdl", text) else {
        return;
    };
    if let Some(twice) = accepted(reformat("a.kdl", &once), &once) {
        assert_eq!(twice, once, "laid out twice");
    }
    let Ok(file) = read(Format::Kdl, text) else {
        return;
    };
    if let Some(same) = accepted(read(Format::Kdl, &once), &once) {
        assert_eq!(same.write(Format::Kdl), file.write(Format::Kdl), "{once}");
    }
}
