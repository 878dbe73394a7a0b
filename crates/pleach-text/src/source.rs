//! A text with its file name, and the way from byte offsets to lines and columns.

use std::ops::Range;
use std::sync::Arc;

/// A text and the name of the file that it came from. Cloning shares it.
#[derive(Clone, PartialEq, Eq)]
pub struct Source(Arc<Inner>);

#[derive(PartialEq, Eq)]
struct Inner {
    name: String,
    text: String,
    /// Byte offsets at which lines begin; the first is 0.
    lines: Vec<usize>,
}

/// A place in a text as people count it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Source {
    /// Takes the text. Lines end at `\n`, `\r\n` or a lone `\r`, as editors count them.
    pub fn new(name: &str, text: &str) -> Source {
        let bytes = text.as_bytes();
        let ends_line = |&(at, byte): &(usize, &u8)| {
            *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        };
        let starts = bytes
            .iter()
            .enumerate()
            .filter(ends_line)
            .map(|(at, _)| at + 1);
        Source(Arc::new(Inner {
            name: name.to_owned(),
            text: text.to_owned(),
            lines: std::iter::once(0).chain(starts).collect(),
        }))
    }

    /// The file name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Line and column of a byte offset. An offset beyond the end means the end, one inside a
    /// character means that character.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.clamp(offset);
        let line = self.line_at(offset);
        let start = self.0.lines[line];
        // A byte order mark is no character of the first line.
        let before = self.0.text[start..offset].trim_start_matches('\u{feff}');
        Position {
            line: line + 1,
            column: before.chars().count() + 1,
        }
    }

    /// The text of the line that holds a byte offset, without its end, and where it begins.
    pub fn line(&self, offset: usize) -> (usize, &str) {
        let line = self.line_at(self.clamp(offset));
        let start = self.0.lines[line];
        let end = self
            .0
            .lines
            .get(line + 1)
            .copied()
            .unwrap_or(self.0.text.len());
        (
            start,
            self.0.text[start..end].trim_end_matches(['\r', '\n']),
        )
    }

    /// The span with both ends inside the text and on character boundaries.
    pub(crate) fn clamp_span(&self, span: Range<usize>) -> Range<usize> {
        let start = self.clamp(span.start);
        start..self.clamp(span.end).max(start)
    }

    fn clamp(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.0.text.len());
        while !self.0.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    fn line_at(&self, offset: usize) -> usize {
        self.0
            .lines
            .partition_point(|&start| start <= offset)
            .saturating_sub(1)
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({:?}, {} bytes)", self.0.name, self.0.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_characters() {
        let source = Source::new("a.kdl", "\u{feff}über\r\nb\rc\n");
        let at = |offset| {
            let position = source.position(offset);
            (position.line, position.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(3), (1, 1));
        assert_eq!(at(4), (1, 1), "inside the ü");
        assert_eq!(at(5), (1, 2));
        assert_eq!(at(10), (2, 1));
        assert_eq!(at(12), (3, 1));
        assert_eq!(at(14), (4, 1));
        assert_eq!(at(999), (4, 1));
        assert_eq!(source.line(10), (10, "b"));
        assert_eq!(source.line(6).1, "\u{feff}über");
    }
}
