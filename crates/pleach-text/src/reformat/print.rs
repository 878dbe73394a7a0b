//! The style in which texts are laid out.

use super::layout::{Lead, Node, Nodes, Piece, Trailing, content};
use crate::document::MAX_BYTES;
use crate::token::{Token, TokenKind};

/// The most characters of a line on which a block stays.
const MAX_LINE: usize = 100;

/// Deeper blocks are indented no further; none that is read is deeper.
const MAX_INDENT: usize = 128;

/// Prints a text that was taken apart.
pub(super) fn print(nodes: &Nodes<'_>, text: &str) -> String {
    let mut out = Printer {
        text: String::with_capacity(text.len()),
        line: 0,
    };
    if text.starts_with('\u{feff}') {
        out.text.push('\u{feff}');
        out.line = out.text.len();
    }
    out.nodes(nodes, 0);
    let first = text.find('\n');
    match first.is_some_and(|at| text[..at].ends_with('\r')) {
        true => out.text.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => out.text,
    }
}

struct Printer {
    text: String,
    /// Where the line at hand begins.
    line: usize,
}

impl Printer {
    fn end_line(&mut self) {
        let kept = self.text[self.line..].trim_end_matches([' ', '\t']).len();
        self.text.truncate(self.line + kept);
        self.text.push('\n');
        self.line = self.text.len();
    }

    fn push(&mut self, text: &str) {
        if let Some(end) = text.rfind('\n') {
            self.line = self.text.len() + end + 1;
        }
        self.text.push_str(text);
    }

    fn indent(&mut self, level: usize) {
        let level = level.min(MAX_INDENT);
        self.text.extend(std::iter::repeat_n("    ", level));
    }

    /// How many characters the line has so far.
    fn width(&self) -> usize {
        self.text[self.line..]
            .trim_start_matches('\u{feff}')
            .chars()
            .count()
    }

    /// The limit of nesting bounds the recursion.
    fn nodes(&mut self, nodes: &Nodes<'_>, level: usize) {
        let mut first = true;
        for node in &nodes.nodes {
            // Nobody could read it back, and deep blocks take much room.
            if self.text.len() > MAX_BYTES {
                return;
            }
            let inline = self.lead(&node.lead, level, first);
            first = false;
            if !inline {
                self.indent(level);
            }
            self.node(node, level);
        }
        let comments = nodes
            .tail
            .iter()
            .rposition(|lead| matches!(lead, Lead::Comment(..)));
        if let Some(last) = comments {
            self.lead(&nodes.tail[..=last], level, first);
            if self.line < self.text.len() {
                self.end_line();
            }
        }
    }

    /// Comments and blank lines before a node; whether the node goes on the line of the last comment.
    fn lead(&mut self, lead: &[Lead<'_>], level: usize, mut first: bool) -> bool {
        let mut inline = false;
        for one in lead {
            match one {
                Lead::Blank if first || inline => {}
                Lead::Blank => {
                    self.end_line();
                    // One is enough.
                    first = true;
                }
                Lead::Comment(text, ends_line) => {
                    first = false;
                    if !inline {
                        self.indent(level);
                    }
                    self.push(text.trim_end());
                    inline = !ends_line;
                    match ends_line {
                        true => self.end_line(),
                        false => self.text.push(' '),
                    }
                }
            }
        }
        inline
    }

    fn node(&mut self, node: &Node<'_>, level: usize) {
        let mut last: Option<Token<'_>> = None;
        for piece in &node.pieces {
            match piece {
                Piece::Token(token) => {
                    self.token(*token, last, level);
                    last = Some(*token);
                }
                Piece::Block {
                    nodes,
                    opening,
                    one_line,
                } => {
                    let dashed = last.is_some_and(|last| last.kind == TokenKind::Dash);
                    if !dashed && self.text.len() > self.line && !self.text.ends_with(' ') {
                        self.text.push(' ');
                    }
                    self.block(nodes, opening.as_ref(), *one_line, level);
                    last = None;
                }
            }
        }
        if let Some(trailing) = &node.trailing {
            self.trailing(trailing);
        }
        self.end_line();
    }

    fn token(&mut self, token: Token<'_>, last: Option<Token<'_>>, level: usize) {
        if token.kind == TokenKind::Continued {
            let inner = token.text[1..].trim();
            if !self.text.ends_with(' ') {
                self.text.push(' ');
            }
            self.text.push('\\');
            if !inner.is_empty() {
                self.text.push(' ');
                self.push(inner);
            }
            self.end_line();
            self.indent(level + 1);
            return;
        }
        let spaced = match last {
            // Behind the block of the node, or at its beginning.
            None => self.text.ends_with('}'),
            Some(last) => apart(last, token),
        };
        if spaced && !self.text.ends_with(' ') && self.text.len() > self.line {
            self.text.push(' ');
        }
        self.push(token.text.trim_end());
        // Behind a `/-` only: what it takes out stands on another line.
        if token.kind == TokenKind::Line {
            self.end_line();
            self.indent(level);
        }
    }

    fn block(
        &mut self,
        nodes: &Nodes<'_>,
        opening: Option<&Trailing<'_>>,
        one_line: bool,
        level: usize,
    ) {
        if nodes.nodes.is_empty()
            && nodes.tail.iter().all(|lead| matches!(lead, Lead::Blank))
            && opening.is_none()
        {
            self.text.push_str("{}");
            return;
        }
        if one_line {
            let room = MAX_LINE.saturating_sub(self.width());
            let mut line = String::new();
            if inline(nodes, room, &mut line) {
                self.text.push_str(&line);
                return;
            }
        }
        self.text.push('{');
        if let Some(opening) = opening {
            self.trailing(opening);
        }
        self.end_line();
        self.nodes(nodes, level + 1);
        self.indent(level);
        self.text.push('}');
    }

    /// A comment at the end of the line, in its column where it had one.
    fn trailing(&mut self, trailing: &Trailing<'_>) {
        let own = content(&self.text[self.line..]);
        let gap = match trailing.column {
            // Behind a `\`, it may be all that its line holds.
            _ if own.is_empty() => 0,
            Some(column) => column.saturating_sub(own.chars().count()).max(1),
            None => 1,
        };
        self.text.extend(std::iter::repeat_n(' ', gap));
        self.push(&trailing.text);
    }
}

/// Whether a space stands between two tokens of a node.
fn apart(last: Token<'_>, token: Token<'_>) -> bool {
    use TokenKind::{Block, Continued, Dash, Equals, Line, TypeCloses, TypeOpens};
    match (last.kind, token.kind) {
        (Dash, Block | Line | Continued) => true,
        (Block, _) | (_, Block) | (Dash, _) => token.gap > 0,
        (TypeOpens | TypeCloses | Equals, _) | (_, TypeCloses | Equals) => false,
        _ => true,
    }
}

/// Writes a block on one line; `false` if it takes more characters than there is room for.
fn inline(nodes: &Nodes<'_>, room: usize, out: &mut String) -> bool {
    out.push('{');
    for (at, node) in nodes.nodes.iter().enumerate() {
        out.push_str(if at == 0 { " " } else { "; " });
        leads(&node.lead, out);
        let mut last: Option<Token<'_>> = None;
        for piece in &node.pieces {
            match piece {
                Piece::Token(token) => {
                    if last.map_or(out.ends_with('}'), |last| apart(last, *token)) {
                        out.push(' ');
                    }
                    out.push_str(token.text);
                    last = Some(*token);
                }
                Piece::Block { nodes, .. } => {
                    if last.is_none_or(|last| last.kind != TokenKind::Dash) {
                        out.push(' ');
                    }
                    if !inline(nodes, room, out) {
                        return false;
                    }
                    last = None;
                }
            }
            // Both are lengths in bytes or more, so that no line is kept that is too long.
            if out.len() > 4 * room {
                return false;
            }
        }
    }
    if nodes
        .tail
        .iter()
        .any(|lead| matches!(lead, Lead::Comment(..)))
    {
        out.push_str(if nodes.nodes.is_empty() { " " } else { "; " });
        leads(&nodes.tail, out);
        out.pop();
    }
    out.push_str(" }");
    out.chars().count() <= room
}

fn leads(lead: &[Lead<'_>], out: &mut String) {
    for one in lead {
        if let Lead::Comment(text, _) = one {
            out.push_str(text);
            out.push(' ');
        }
    }
}
