//! A text taken apart: its nodes with everything that stands before, in and behind them.

use std::borrow::Cow;

use crate::token::{Token, TokenKind, tokens};

/// The nodes of a block, or of the text.
#[derive(Default)]
pub(super) struct Nodes<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    /// What stands behind the last one.
    pub(super) tail: Vec<Lead<'a>>,
}

/// Something before a node.
pub(super) enum Lead<'a> {
    Blank,
    /// A comment, and whether its line ends with it.
    Comment(&'a str, bool),
}

pub(super) struct Node<'a> {
    pub(super) lead: Vec<Lead<'a>>,
    pub(super) pieces: Vec<Piece<'a>>,
    pub(super) trailing: Option<Trailing<'a>>,
}

/// A comment at the end of a line.
pub(super) struct Trailing<'a> {
    pub(super) text: Cow<'a, str>,
    /// In which column it stands, counted from where its line's text begins, if that is meant: there
    /// is more than one blank before it.
    pub(super) column: Option<usize>,
}

pub(super) enum Piece<'a> {
    Token(Token<'a>),
    Block {
        nodes: Nodes<'a>,
        /// A comment on the line of the `{`, where the line ends with it.
        opening: Option<Trailing<'a>>,
        /// Whether it stands on one line.
        one_line: bool,
    },
}

/// Takes a text apart.
pub(super) fn layout(text: &str) -> Nodes<'_> {
    let mut reader = Reader {
        text,
        tokens: tokens(text),
        at: 0,
    };
    let mut all = reader.nodes();
    // A `}` too many; a text that is right has none.
    while reader.at < reader.tokens.len() {
        reader.at += 1;
        let more = reader.nodes();
        all.nodes.extend(more.nodes);
        all.tail.extend(more.tail);
    }
    all
}

struct Reader<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn kind(&self) -> Option<TokenKind> {
        self.peek().map(|token| token.kind)
    }

    /// Nodes up to a `}` or the end. The limit of nesting bounds the recursion.
    fn nodes(&mut self) -> Nodes<'a> {
        let mut nodes = Vec::new();
        loop {
            let lead = self.lead();
            match self.kind() {
                None | Some(TokenKind::Close) => return Nodes { nodes, tail: lead },
                _ => nodes.push(self.node(lead)),
            }
        }
    }

    /// Blank lines and comments up to a node.
    fn lead(&mut self) -> Vec<Lead<'a>> {
        let mut lead = Vec::new();
        // Behind a node, the first one ends its line.
        let mut ends = 0;
        while let Some(token) = self.peek() {
            match token.kind {
                TokenKind::Newline => {
                    ends += 1;
                    if ends == 2 {
                        lead.push(Lead::Blank);
                    }
                }
                TokenKind::Line => {
                    lead.push(Lead::Comment(token.text, true));
                    // Its own line's end is still to come.
                    ends = 0;
                }
                TokenKind::Block => {
                    let next = self.tokens.get(self.at + 1).map(|token| token.kind);
                    let ends_line = matches!(next, None | Some(TokenKind::Newline));
                    lead.push(Lead::Comment(token.text, ends_line));
                    ends = 0;
                }
                TokenKind::Continued => {
                    let inner = token.text[1..].trim();
                    if !inner.is_empty() {
                        lead.push(Lead::Comment(inner, true));
                    }
                    ends = 1;
                }
                // One that ends nothing.
                TokenKind::Semicolon => {}
                _ => break,
            }
            self.at += 1;
        }
        lead
    }

    fn node(&mut self, lead: Vec<Lead<'a>>) -> Node<'a> {
        let mut pieces: Vec<Piece<'a>> = Vec::new();
        let mut trailing = None;
        while let Some(token) = self.peek() {
            match token.kind {
                TokenKind::Newline | TokenKind::Close => break,
                TokenKind::Semicolon => {
                    self.at += 1;
                    trailing = self.trailing();
                    break;
                }
                TokenKind::Line if self.dashed(&pieces) => {
                    pieces.push(Piece::Token(token));
                    self.at += 1;
                }
                TokenKind::Line => {
                    trailing = self.trailing();
                    break;
                }
                TokenKind::Open => {
                    goes_nowhere(&mut pieces);
                    pieces.push(self.block());
                }
                TokenKind::Continued => {
                    self.at += 1;
                    let says_nothing = token.text[1..].trim().is_empty();
                    let again = matches!(pieces.last(), Some(Piece::Token(last)) if last.kind == TokenKind::Continued);
                    if !(says_nothing && again) {
                        goes_nowhere(&mut pieces);
                        pieces.push(Piece::Token(token));
                    }
                }
                _ => {
                    self.at += 1;
                    pieces.push(Piece::Token(token));
                    if token.kind == TokenKind::Dash {
                        self.behind_dash(&mut pieces);
                    }
                }
            }
        }
        goes_nowhere(&mut pieces);
        Node {
            lead,
            pieces,
            trailing,
        }
    }

    fn dashed(&self, pieces: &[Piece<'a>]) -> bool {
        matches!(pieces.last(), Some(Piece::Token(token)) if token.kind == TokenKind::Dash)
    }

    /// What stands between a `/-` and what that takes out: ends of lines and comments, too.
    fn behind_dash(&mut self, pieces: &mut Vec<Piece<'a>>) {
        while let Some(token) = self.peek() {
            match token.kind {
                TokenKind::Newline => {}
                TokenKind::Line | TokenKind::Block | TokenKind::Continued => {
                    pieces.push(Piece::Token(token));
                }
                _ => return,
            }
            self.at += 1;
        }
    }

    fn block(&mut self) -> Piece<'a> {
        let start = self.at;
        self.at += 1;
        let opening = self.trailing();
        let nodes = self.nodes();
        let inside = self.tokens.get(start..self.at).unwrap_or(&[]);
        let one_line = !inside.iter().any(|token| {
            matches!(
                token.kind,
                TokenKind::Newline | TokenKind::Line | TokenKind::Continued
            ) || token.text.contains('\n')
        });
        // The `}`.
        self.at += 1;
        Piece::Block {
            nodes,
            opening,
            one_line,
        }
    }

    /// The comments up to the end of the line, if nothing else stands there.
    fn trailing(&mut self) -> Option<Trailing<'a>> {
        let first = self.peek()?;
        let mut at = self.at;
        let mut last = first;
        while let Some(token) = self.tokens.get(at) {
            match token.kind {
                TokenKind::Block => last = *token,
                TokenKind::Line => {
                    last = *token;
                    at += 1;
                    break;
                }
                TokenKind::Newline => break,
                _ => return None,
            }
            at += 1;
        }
        if at == self.at {
            return None;
        }
        let written = self.text[first.start..last.start + last.text.len()].trim_end();
        let text = match last.kind == TokenKind::Line && last.gap == 0 && last != first {
            true => format!(
                "{} {}",
                &self.text[first.start..last.start],
                last.text.trim_end()
            )
            .into(),
            false => Cow::Borrowed(written),
        };
        self.at = at;
        let before = &self.text[..first.start];
        let begins = before.rfind('\n').map_or(0, |end| end + 1);
        let own = content(&before[begins..]);
        Some(Trailing {
            text,
            column: (first.gap > 1).then(|| own.chars().count()),
        })
    }
}

/// What a line holds behind its indentation.
pub(super) fn content(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').trim_start()
}

/// Takes out a `\` at the end that has no comment: nothing is to follow on its next line.
fn goes_nowhere(pieces: &mut Vec<Piece<'_>>) {
    if let Some(Piece::Token(last)) = pieces.last()
        && last.kind == TokenKind::Continued
        && last.text[1..].trim().is_empty()
    {
        pieces.pop();
    }
}
