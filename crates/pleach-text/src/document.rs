//! Any KDL document, read within limits and with this crate's diagnostics.

use kdl::{KdlDocument, KdlNode};

use crate::comments::Comments;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::scan::{Mark, scan};
use crate::source::Source;

/// The longest text that is read, in bytes. Files that people write stay below one MiB. Each
/// costs up to three seconds in the `kdl` crate if it is one string of several lines.
pub const MAX_BYTES: usize = 4 << 20;

/// How deeply blocks of a text may nest. Who walks or drops a document recurses that far.
pub const MAX_NESTING: usize = 128;

/// How many nodes and arguments a text may have, all together. Each costs the `kdl` crate some
/// hundred bytes, even where the text spends only two on it.
pub const MAX_ITEMS: usize = 1 << 19;

/// Reads a KDL 2 document.
///
/// The spans of its parts are byte offsets in the text; the span of a node ends where its children
/// begin, that of a block of children is its `{`. Formatting and comments are not kept.
///
/// # Errors
/// All syntax errors, and texts beyond [`MAX_BYTES`], [`MAX_NESTING`] and [`MAX_ITEMS`].
pub fn kdl_document(source: &Source) -> Result<KdlDocument, Diagnostics> {
    read_document(source).map(|(document, _)| document)
}

/// A document with its comments; see [`kdl_document`].
pub(crate) fn read_document(source: &Source) -> Result<(KdlDocument, Comments), Diagnostics> {
    let len = source.text().len();
    if len > MAX_BYTES {
        let message = format!("the file has {len} bytes, allowed are {MAX_BYTES}");
        return Err(Diagnostic::whole(source, Code::Limit.says(message)).into());
    }
    let layout = scan(source)?;
    let flat = KdlDocument::parse_v2(&layout.flat).map_err(|error| {
        // The scanner knows the grammar, so this is a case that it does not know.
        let mut found = Diagnostics::new();
        for one in error.diagnostics {
            let span = one.span.offset()..one.span.offset() + one.span.len();
            let message = one.message.unwrap_or_else(|| "this is no KDL".to_owned());
            found.push(
                Diagnostic::new(source, span, Code::Grammar.says(message)).with_help_if(one.help),
            );
        }
        if found.is_empty() {
            found.push(Diagnostic::whole(
                source,
                Code::Grammar.says("the file is no KDL"),
            ));
        }
        found
    })?;
    Ok((nest(flat, &layout.marks), Comments::new(layout.comments)))
}

/// Puts the nodes of a flat list into their blocks.
fn nest(mut flat: KdlDocument, marks: &[Mark]) -> KdlDocument {
    let mut nodes = std::mem::take(flat.nodes_mut()).into_iter();
    // The open blocks, the document itself first, each with where it begins.
    let mut open: Vec<(usize, Vec<KdlNode>)> = vec![(0, Vec::new())];
    for mark in marks {
        match *mark {
            Mark::Node => {
                if let (Some(node), Some((_, list))) = (nodes.next(), open.last_mut()) {
                    list.push(node);
                }
            }
            Mark::Open(at) => open.push((at, Vec::new())),
            Mark::Close => {
                let Some((at, list)) = open.pop() else { break };
                let mut children = KdlDocument::new();
                *children.nodes_mut() = list;
                children.set_span((at, 1));
                if let Some(parent) = open.last_mut().and_then(|(_, list)| list.last_mut()) {
                    parent.set_children(children);
                }
            }
        }
    }
    *flat.nodes_mut() = open.swap_remove(0).1;
    flat
}

/// The text of a file's bytes.
///
/// # Errors
/// Bytes that are not UTF-8, with their offset, and files beyond [`MAX_BYTES`].
pub fn decode(file_name: &str, bytes: &[u8]) -> Result<Source, Diagnostics> {
    if bytes.len() > MAX_BYTES {
        let message = format!(
            "the file has {} bytes, allowed are {MAX_BYTES}",
            bytes.len()
        );
        return Err(
            Diagnostic::whole(&Source::new(file_name, ""), Code::Limit.says(message)).into(),
        );
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(file_name, text)),
        Err(error) => {
            let at = error.valid_up_to();
            let source = Source::new(file_name, &String::from_utf8_lossy(bytes));
            // All bytes in front of it are valid, so the offset is the same in both.
            let message = format!("byte {at} of the file is not UTF-8");
            let help = "save the file as UTF-8";
            Err(
                Diagnostic::new(&source, at..at + 3, Code::Encoding.says(message))
                    .with_help(help)
                    .into(),
            )
        }
    }
}
