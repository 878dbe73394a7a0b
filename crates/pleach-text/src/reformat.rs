//! Texts laid out in one style: for people who read what others wrote.

mod layout;
mod print;

use kdl::{KdlDocument, KdlValue};

use self::layout::layout;
use self::print::print;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::{MAX_BYTES, kdl_document};
use crate::source::Source;
use crate::token::{TokenKind, tokens};

/// Lays out a KDL text in the style of the language: one node a line, blocks indented by four spaces, one
/// space between the parts of a node.
///
/// Blank lines stay, one at most between two nodes. A block that stands on one line stays there if the line has no more than 100
/// characters. Comments stay where they are, and numbers, texts and the order of properties as they are. What
/// is laid out already stays as it is. It works for any KDL text, not for files of trees only.
///
/// ```
/// let text = "tree guard{sequence{condition  \"armed\"; idle}\n\n\n}";
/// let laid_out = pleach_text::reformat("guard.kdl", text).unwrap();
/// assert_eq!(laid_out, "tree guard {\n    sequence { condition \"armed\"; idle }\n}\n");
/// ```
///
/// # Errors
/// Everything that is wrong with the text's syntax; or that the text would become longer than
/// [`MAX_BYTES`](crate::MAX_BYTES).
pub fn reformat(file_name: &str, text: &str) -> Result<String, Diagnostics> {
    let source = Source::new(file_name, text);
    let document = kdl_document(&source)?;
    let laid_out = print(&layout(text), text);
    if laid_out.len() > MAX_BYTES {
        let message = format!("laid out, the file would have more than {MAX_BYTES} bytes");
        return Err(Diagnostic::whole(&source, Code::Limit.says(message))
            .with_help("no file may have more; put some of its trees into files of their own")
            .into());
    }
    // What reads otherwise must never take the place of what somebody wrote.
    let again = kdl_document(&Source::new(file_name, &laid_out));
    match again {
        Ok(again) if same(&document, &again) && comments(text).eq(comments(&laid_out)) => {
            Ok(laid_out)
        }
        _ => {
            let message = "the text cannot be laid out without a change of what it says";
            Err(Diagnostic::whole(&source, Code::Internal.says(message))
                .with_help("this is a mistake of pleach, not of the file; it stays as it is")
                .into())
        }
    }
}

/// Whether two documents say the same. The limit of nesting bounds the recursion.
fn same(one: &KdlDocument, other: &KdlDocument) -> bool {
    let nothing = KdlDocument::new();
    one.nodes().len() == other.nodes().len()
        && one.nodes().iter().zip(other.nodes()).all(|(one, other)| {
            let entries = one.entries().iter().zip(other.entries());
            one.name().value() == other.name().value()
                && one.ty().map(|ty| ty.value()) == other.ty().map(|ty| ty.value())
                && one.entries().len() == other.entries().len()
                && entries.into_iter().all(|(one, other)| {
                    one.name().map(|name| name.value()) == other.name().map(|name| name.value())
                        && one.ty().map(|ty| ty.value()) == other.ty().map(|ty| ty.value())
                        && same_value(one.value(), other.value())
                })
                && one.children().is_some() == other.children().is_some()
                && same(
                    one.children().unwrap_or(&nothing),
                    other.children().unwrap_or(&nothing),
                )
        })
}

fn same_value(one: &KdlValue, other: &KdlValue) -> bool {
    match (one, other) {
        (KdlValue::Float(one), KdlValue::Float(other)) => one.to_bits() == other.to_bits(),
        (one, other) => one == other,
    }
}

/// The words of all comments.
fn comments(text: &str) -> impl Iterator<Item = String> {
    let is_comment = |kind| {
        matches!(
            kind,
            TokenKind::Line | TokenKind::Block | TokenKind::Continued
        )
    };
    let all = tokens(text).into_iter();
    let all = all.filter(move |token| is_comment(token.kind));
    let words = all.map(|token| {
        let text = match token.kind {
            TokenKind::Continued => &token.text[1..],
            _ => token.text,
        };
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    let words: Vec<String> = words.filter(|text| !text.is_empty()).collect();
    words.into_iter()
}
