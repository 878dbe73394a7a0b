//! Comments of a text, and the nodes that they stand before.
//!
//! Whatever the format, a comment that was read is lines that every format can write and read back: see
//! [`clean_lines`].

use std::collections::HashMap;
use std::ops::Range;

use crate::chars::{is_disallowed, is_newline, is_space};

/// The comments of a text, and what they stand before.
#[derive(Default)]
pub(crate) struct Comments {
    /// Where they stand, in their order.
    list: Vec<Range<usize>>,
    /// Where a format has them as values: their lines, by where the node begins that they are of.
    noted: HashMap<usize, Vec<String>>,
}

impl Comments {
    pub(crate) fn new(list: Vec<Range<usize>>) -> Comments {
        Comments {
            list,
            noted: HashMap::new(),
        }
    }

    /// Comments that are values of nodes.
    pub(crate) fn noted(noted: HashMap<usize, Vec<String>>) -> Comments {
        Comments {
            list: Vec::new(),
            noted,
        }
    }

    /// The lines of the comments that stand on lines of their own before an offset, with nothing
    /// but blanks between them and it.
    pub(crate) fn before(&self, text: &str, at: usize) -> Vec<String> {
        let mut next = self.list.partition_point(|comment| comment.end <= at);
        let mut first = at;
        let mut found: &[Range<usize>] = &[];
        // From the node backwards: seeking from a comment on would look at a long gap for each of
        // many nodes.
        while let Some(comment) = next.checked_sub(1).and_then(|at| self.list.get(at)) {
            let gap = text[..first].trim_end_matches(|c| is_space(c) || is_newline(c));
            let before = text[..comment.start].trim_end_matches(is_space);
            if gap.len() > comment.end
                || !text[comment.end..first].contains(is_newline)
                || !(before.is_empty() || before.ends_with(is_newline) || before == "\u{feff}")
            {
                break;
            }
            next -= 1;
            first = comment.start;
            let count = found.len() + 1;
            found = &self.list[next..next + count];
        }
        let mut lines = self.noted.get(&at).cloned().unwrap_or_default();
        for comment in found {
            content(&text[comment.clone()], &mut lines);
        }
        lines
    }
}

/// The lines of a comment without its marks.
fn content(comment: &str, lines: &mut Vec<String>) {
    if let Some(line) = comment.strip_prefix("//") {
        lines.extend(clean_lines(line.strip_prefix(' ').unwrap_or(line)));
        return;
    }
    let inner = comment.strip_prefix("/*").unwrap_or(comment);
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let mut own: Vec<&str> = split_lines(inner)
        .map(|line| {
            let line = line.trim();
            // The stars that many put down the left side.
            let starless = line.strip_prefix('*').unwrap_or(line);
            starless.strip_prefix(' ').unwrap_or(starless)
        })
        .collect();
    // The lines of the marks themselves are often empty.
    if own.len() > 1 && own.first().is_some_and(|line| line.is_empty()) {
        own.remove(0);
    }
    if own.len() > 1 && own.last().is_some_and(|line| line.is_empty()) {
        own.pop();
    }
    lines.extend(own.into_iter().flat_map(clean_lines));
}

/// The lines of a text as comments have them: without blanks at their ends, and without what no file can
/// hold, which is not worth an error in a comment.
pub(crate) fn clean_lines(text: &str) -> impl Iterator<Item = String> {
    split_lines(text).map(|line| {
        let chars = line.chars().filter_map(|c| match c {
            // XML can hold neither these nor control characters.
            '\u{fffe}' | '\u{ffff}' => Some('\u{fffd}'),
            c if is_disallowed(c) => c.is_control().then_some('\u{fffd}'),
            c => Some(c),
        });
        let mut line: String = chars.collect();
        line.truncate(line.trim_end().len());
        line
    })
}

/// The lines of a text, ended as KDL ends them.
fn split_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(at) = text.find(is_newline) else {
            rest = None;
            return Some(text);
        };
        rest = Some(&text[at + crate::chars::newline(&text[at..])..]);
        Some(&text[..at])
    })
}

#[cfg(test)]
mod tests {
    use crate::document::read_document;
    use crate::source::Source;

    fn before(text: &str, node: &str) -> Vec<String> {
        let source = Source::new("a.kdl", text);
        let Ok((_, comments)) = read_document(&source) else {
            panic!("{text:?} is no KDL")
        };
        comments.before(text, text.find(node).unwrap())
    }

    #[test]
    fn comments_on_lines_of_their_own_belong_to_what_follows() {
        let none: &[&str] = &[];
        for (text, expected) in [
            ("// one\n//two\nx", &["one", "two"][..]),
            (
                "\u{feff}// one\r\n\r\n  //   two  \r\n\tx",
                &["one", "  two"],
            ),
            ("a // not own\n// own\nx", &["own"]),
            ("a // not own\nx", none),
            ("// own\na; x", none),
            ("/* one */ x", none),
            ("/* one */\nx", &["one"]),
            ("/*\n * one\n *\n * two\n */\nx", &["one", "", "two"]),
            (
                "/* one /* in */\nof */\n// two\nx",
                &["one /* in */", "of", "two"],
            ),
            ("a \"s \\\n // no comment\"\nx", none),
            ("a {\n// own\nx\n}", &["own"]),
            ("/- a {\n// gone\n}\nx", none),
            ("// a\u{ffff}b \nx", &["a\u{fffd}b"]),
        ] {
            assert_eq!(before(text, "x"), expected, "{text:?}");
        }
    }
}
