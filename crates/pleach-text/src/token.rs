//! The tokens of a KDL text whose syntax is right: what is written, and what stands between.

use crate::chars::{is_newline, is_space, is_word, newline};

/// A token and where it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'a str,
    pub(crate) start: usize,
    /// How many blanks stand before it on its line.
    pub(crate) gap: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// A name, number, keyword or text.
    Value,
    /// `(`
    TypeOpens,
    /// `)`
    TypeCloses,
    /// `=`
    Equals,
    /// `/-`
    Dash,
    /// `{`
    Open,
    /// `}`
    Close,
    /// `;`
    Semicolon,
    Newline,
    /// `// …`, without the end of its line.
    Line,
    /// `/* … */`
    Block,
    /// A `\` with what follows up to the end of its line, which does not end the node.
    Continued,
}

/// The tokens of a text that [`scan`](crate::scan::scan) finds right. Of any other, some tokens.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = match text.starts_with('\u{feff}') {
        true => '\u{feff}'.len_utf8(),
        false => 0,
    };
    let mut gap = 0;
    while let Some(c) = text[at..].chars().next() {
        if is_space(c) {
            gap += 1;
            at += c.len_utf8();
            continue;
        }
        let rest = &text[at..];
        let (kind, len) = match c {
            c if is_newline(c) => (TokenKind::Newline, newline(rest)),
            '(' => (TokenKind::TypeOpens, 1),
            ')' => (TokenKind::TypeCloses, 1),
            '=' => (TokenKind::Equals, 1),
            '{' => (TokenKind::Open, 1),
            '}' => (TokenKind::Close, 1),
            ';' => (TokenKind::Semicolon, 1),
            '\\' => (TokenKind::Continued, continued(rest)),
            '/' if rest.starts_with("//") => (TokenKind::Line, line(rest)),
            '/' if rest.starts_with("/*") => (TokenKind::Block, comment(rest)),
            '/' if rest.starts_with("/-") => (TokenKind::Dash, 2),
            '"' => (TokenKind::Value, string(rest)),
            '#' => (TokenKind::Value, raw_or_keyword(rest)),
            c => (TokenKind::Value, word(rest).max(c.len_utf8())),
        };
        found.push(Token {
            kind,
            text: &rest[..len],
            start: at,
            gap: std::mem::take(&mut gap),
        });
        at += len;
    }
    found
}

fn line(text: &str) -> usize {
    text.find(is_newline).unwrap_or(text.len())
}

fn word(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// A block comment with those inside.
fn comment(text: &str) -> usize {
    let mut at = 0;
    let mut depth = 0usize;
    while let Some(c) = text[at..].chars().next() {
        match &text[at..] {
            rest if rest.starts_with("/*") => (depth, at) = (depth + 1, at + 2),
            rest if rest.starts_with("*/") => (depth, at) = (depth.saturating_sub(1), at + 2),
            _ => at += c.len_utf8(),
        }
        if depth == 0 {
            break;
        }
    }
    at
}

fn continued(text: &str) -> usize {
    let mut at = 1;
    while let Some(c) = text[at..].chars().next() {
        match &text[at..] {
            rest if rest.starts_with("/*") => at += comment(rest),
            rest if rest.starts_with("//") => at += line(rest),
            _ if is_space(c) => at += c.len_utf8(),
            rest => return at + newline(rest),
        }
    }
    at
}

fn string(text: &str) -> usize {
    let quotes = match text.starts_with("\"\"\"") {
        true => "\"\"\"",
        false => "\"",
    };
    let mut at = quotes.len();
    while let Some(c) = text[at..].chars().next() {
        if text[at..].starts_with(quotes) {
            return at + quotes.len();
        }
        at += c.len_utf8();
        if c == '\\' {
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    at
}

fn raw_or_keyword(text: &str) -> usize {
    let hashes = text.len() - text.trim_start_matches('#').len();
    let inside = &text[hashes..];
    if !inside.starts_with('"') {
        let end = inside.find(|c| !is_word(c) && c != '#');
        return hashes + end.unwrap_or(inside.len());
    }
    let quotes = match inside.starts_with("\"\"\"") {
        true => "\"\"\"",
        false => "\"",
    };
    let close = format!("{quotes}{}", &text[..hashes]);
    let open = hashes + quotes.len();
    match text[open..].find(&close) {
        Some(len) => open + len + close.len(),
        None => text.len(),
    }
}
