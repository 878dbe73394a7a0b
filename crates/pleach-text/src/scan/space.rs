//! What stands between: blanks, line ends, comments, and what an error makes unreadable.

use super::Scanner;
use crate::chars::{is_newline, is_space, newline};
use crate::diagnostic::Code;

impl Scanner<'_> {
    /// After an error: on to the next end of a node or a brace, past strings that are closed.
    pub(super) fn skip(&mut self) -> Option<()> {
        while let Some(c) = self.peek() {
            match c {
                ';' | '{' | '}' => return Some(()),
                '/' if self.rest().starts_with("//") => return Some(()),
                '/' if self.rest().starts_with("/*") => self.comment()?,
                '"' => {
                    // Whatever is wrong with it is told already, or follows from what is.
                    let end = self.line_end();
                    let close = self.text[self.at + 1..end].find('"');
                    self.at += close.map_or(1, |len| len + 2);
                }
                c if is_newline(c) => return Some(()),
                c => self.at += c.len_utf8(),
            }
        }
        Some(())
    }

    /// Space that ends no node: blanks, block comments, and line ends behind a `\`.
    pub(super) fn node_space(&mut self) -> Option<bool> {
        let start = self.at;
        while let Some(c) = self.peek() {
            match c {
                c if is_space(c) => self.at += c.len_utf8(),
                '/' if self.rest().starts_with("/*") => self.comment()?,
                '\\' => {
                    let at = self.at;
                    self.at += 1;
                    while let Some(c) = self
                        .peek()
                        .filter(|&c| is_space(c) || self.rest().starts_with("/*"))
                    {
                        match c {
                            '/' => self.comment()?,
                            c => self.at += c.len_utf8(),
                        }
                    }
                    if self.rest().starts_with("//") {
                        self.line_comment();
                    }
                    match newline(self.rest()) {
                        0 if self.peek().is_some() => {
                            let help =
                                "a `\\` goes on with the node on the next line, so it ends its own";
                            self.wrong(
                                at..at + 1,
                                Code::Grammar.says("found more on the line of `\\`"),
                                help,
                            );
                        }
                        len => self.at += len,
                    }
                }
                _ => break,
            }
        }
        Some(self.at > start)
    }

    /// Space between nodes: line ends and all comments too.
    pub(super) fn line_space(&mut self) -> Option<()> {
        loop {
            self.node_space()?;
            match newline(self.rest()) {
                0 if self.rest().starts_with("//") => self.line_comment(),
                0 => return Some(()),
                len => self.at += len,
            }
        }
    }

    fn line_comment(&mut self) {
        let rest = self.rest();
        let start = self.at;
        self.at += rest.find(is_newline).unwrap_or(rest.len());
        self.note_comment(start);
    }

    /// Notes the comment that ends here, unless it was looked at before.
    fn note_comment(&mut self, start: usize) {
        if self.comments.last().is_none_or(|last| last.end <= start) {
            self.comments.push(start..self.at);
        }
    }

    /// A block comment, nested ones included.
    fn comment(&mut self) -> Option<()> {
        let start = self.at;
        let mut depth = 0usize;
        loop {
            if self.eat("/*") {
                depth += 1;
            } else if self.eat("*/") {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            } else if let Some(c) = self.peek() {
                self.at += c.len_utf8();
            } else {
                self.wrong(
                    start..start + 2,
                    Code::Grammar.says("this comment is never closed"),
                    "block comments nest: each `/*` needs its `*/`",
                );
                return None;
            }
        }
        self.blanks.push(start..self.at);
        self.note_comment(start);
        Some(())
    }
}
