//! Comments as XML has them. Whatever lines a comment has, those that are written are read back.
//!
//! Two dashes end a comment for strict readers. So of the blanks between two dashes of a line there is
//! one more in XML than there is in the line.

use std::iter::repeat_n;
use std::ops::Range;

use super::write::indent;
use crate::comments::clean_lines;

/// How far back the beginning of a line is looked for.
const MAX_MARGIN: usize = 1024;

/// The lines of the comment that stands there in a text.
pub(super) fn read(text: &str, range: Range<usize>) -> impl Iterator<Item = String> {
    let written = text.get(range.clone()).unwrap_or("");
    let inner = written.strip_prefix("<!--").unwrap_or(written);
    let inner = inner.strip_suffix("-->").unwrap_or(inner);
    let mut lines: Vec<String> = clean_lines(inner).collect();
    while lines.len() > 1 && lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    // What the lines behind the first one begin with is the margin of the file.
    let margin = match lines.first() {
        Some(first) if first.is_empty() => {
            let all = lines.iter().filter(|line| !line.is_empty());
            all.map(|line| blanks(line)).min().unwrap_or(0)
        }
        // They stand where it begins, behind the mark and a blank.
        _ => column(text, range.start).map_or(usize::MAX, |column| column + "<!-- ".len()),
    };
    for (at, line) in lines.iter_mut().enumerate() {
        let margin = if at == 0 { 1 } else { margin };
        line.drain(..blanks(line).min(margin));
        *line = dashes(line, |blanks| blanks.saturating_sub(1));
    }
    let first = lines.iter().position(|line| !line.is_empty());
    // One that holds nothing is an empty line.
    lines.into_iter().skip(first.unwrap_or(0))
}

/// How many blanks a line begins with: bytes, or characters.
fn blanks(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// How many blanks stand in front of an offset, if nothing else does in its line.
fn column(text: &str, at: usize) -> Option<usize> {
    let start = at.saturating_sub(MAX_MARGIN);
    let before = text.as_bytes().get(start..at)?;
    let line = match before.iter().rposition(|&byte| byte == b'\n') {
        Some(end) => &before[end + 1..],
        None if start == 0 => before,
        None => return None,
    };
    line.iter()
        .all(|byte| matches!(byte, b' ' | b'\t'))
        .then_some(line.len())
}

/// The line with another number of blanks between its dashes.
fn dashes(line: &str, blanks: impl Fn(usize) -> usize) -> String {
    let mut out = String::with_capacity(line.len());
    let mut parts = line.split('-');
    out.extend(parts.next());
    let mut inner = parts.peekable();
    while let Some(part) = inner.next() {
        out.push('-');
        if inner.peek().is_some() && part.bytes().all(|byte| byte == b' ') {
            out.extend(repeat_n(' ', blanks(part.len())));
        } else {
            out.push_str(part);
        }
    }
    out
}

/// Writes lines as comments: one, and one more for each empty line around the others.
pub(super) fn write(lines: &[String], level: usize, out: &mut String) {
    let full = |line: &String| !line.is_empty();
    let first = lines.iter().position(full).unwrap_or(lines.len());
    let end = lines.iter().rposition(full).map_or(first, |last| last + 1);
    for (at, line) in lines.iter().enumerate() {
        if at > first && at < end {
            out.push('\n');
            if !line.is_empty() {
                indent(level, out);
                out.push_str("    ");
            }
        } else {
            indent(level, out);
            out.push_str("<!--");
        }
        if !line.is_empty() {
            out.push(' ');
            out.push_str(&dashes(line, |blanks| blanks + 1));
        }
        if at < first || at + 1 >= end {
            out.push_str(" -->\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let texts = [
            "one",
            "one\ntwo\n  three\n\n\tfour",
            "",
            "\n",
            "\n\n  one\n\n\n two\n\n",
            "-- one --\n------\n- - -  -\n-->\n<!-- -",
            "-",
            "-\n-",
            "   one\ntwo",
            "> -",
            "<!-\n- - \u{a0}-",
        ];
        for text in texts {
            let lines: Vec<String> = clean_lines(text).collect();
            for level in [0, 1, 70] {
                let mut written = String::new();
                write(&lines, level, &mut written);
                let mut back = Vec::new();
                let mut at = 0;
                while let Some(start) = written[at..].find("<!--") {
                    let start = at + start;
                    at = start + 4 + written[start + 4..].find("-->").expect("it ends") + 3;
                    assert!(!written[start + 4..at - 3].contains("--"), "{written}");
                    back.extend(read(&written, start..at));
                }
                assert_eq!(back, lines, "{written}");
                assert_eq!(written[at..].trim(), "");
            }
        }
    }

    #[test]
    fn margins_are_no_part_of_a_comment() {
        for (text, expected) in [
            ("<!--one-->", &["one"][..]),
            ("  <!--\n    one\n      two\n  -->", &["one", "  two"]),
            (
                "\t<!-- one\n\t     two\n\t       three\n  four -->",
                &["one", "two", "  three", "four"],
            ),
            ("<a/> <!-- one\n         two -->", &["one", "two"]),
            ("<!----------->", &["-------"]),
            ("<!-- a - b -- c -->", &["a - b -- c"]),
            ("<!---->", &[""]),
        ] {
            let start = text.find("<!--").expect("a comment");
            let lines: Vec<String> = read(text, start..text.len()).collect();
            assert_eq!(lines, expected, "{text}");
        }
    }
}
