//! Arguments, properties and strings.

use kdl::KdlIdentifier;

use super::{Scanner, Wrong};
use crate::chars::{Word, is_disallowed, is_newline, is_space, is_word, newline, word};
use crate::diagnostic::{Code, quoted};

const ESCAPES: &str = "the escapes are `\\n`, `\\r`, `\\t`, `\\b`, `\\f`, `\\s`, `\\\"`, `\\\\` and `\\u{…}`; a raw string `#\"…\"#` has none";

impl Scanner<'_> {
    /// `value` or `key=value`.
    pub(super) fn entry(&mut self) -> Option<Result<(), Wrong>> {
        self.count()?;
        if self.peek() == Some('(') {
            if let Err(wrong) = self.annotation()? {
                return Some(Err(wrong));
            }
            return self.value();
        }
        let start = self.at;
        let is_string = match self.peek() {
            Some('"') => true,
            Some('#') => self.rest().trim_start_matches('#').starts_with('"'),
            Some(c) if is_word(c) => self.word_here() == Word::Name,
            _ => false,
        };
        if let Err(wrong) = self.value()? {
            return Some(Err(wrong));
        }
        let end = self.at;
        self.node_space()?;
        if self.peek() != Some('=') {
            self.at = end;
            return Some(Ok(()));
        }
        if !is_string {
            let span = start..end;
            let message = format!(
                "{} cannot name a property",
                quoted(&self.text[span.clone()])
            );
            return Some(Err(self.wrong(
                span,
                Code::Grammar.says(message),
                "put it in quotes",
            )));
        }
        self.at += 1;
        self.node_space()?;
        if let Err(wrong) = self.annotation()? {
            return Some(Err(wrong));
        }
        self.value()
    }

    fn word_here(&self) -> Word {
        let rest = self.rest();
        word(&rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())])
    }

    /// `(type)`, if there is one, and the space behind.
    pub(super) fn annotation(&mut self) -> Option<Result<(), Wrong>> {
        if !self.eat("(") {
            return Some(Ok(()));
        }
        self.node_space()?;
        if let Err(wrong) = self.string("a type")? {
            return Some(Err(wrong));
        }
        self.node_space()?;
        if !self.eat(")") {
            let message = format!("expected `)`, found {}", self.found_here());
            return Some(Err(self.wrong(
                self.here(),
                Code::Grammar.says(message),
                "a type is one name in parentheses: `(u8)3`",
            )));
        }
        self.node_space()?;
        Some(Ok(()))
    }

    /// A string, number or keyword.
    fn value(&mut self) -> Option<Result<(), Wrong>> {
        let start = self.at;
        match self.peek() {
            Some('#') if !self.rest().trim_start_matches('#').starts_with('"') => {
                self.at += 1;
                let rest = self.rest();
                let len = rest.find(|c| !is_word(c) && c != '#').unwrap_or(rest.len());
                self.at += len;
                if matches!(
                    &rest[..len],
                    "true" | "false" | "null" | "nan" | "inf" | "-inf"
                ) {
                    return Some(Ok(()));
                }
                let message = format!("unknown keyword {}", quoted(&self.text[start..self.at]));
                let help =
                    "the keywords are `#true`, `#false`, `#null`, `#nan`, `#inf` and `#-inf`";
                Some(Err(self.wrong(
                    start..self.at,
                    Code::Keyword.says(message),
                    help,
                )))
            }
            Some(c) if is_word(c) && self.word_here() == Word::Number => {
                let rest = self.rest();
                self.at += rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                Some(Ok(()))
            }
            _ => self.string("a value"),
        }
    }

    /// A string of any form; `what` says what for.
    pub(super) fn string(&mut self, what: &str) -> Option<Result<(), Wrong>> {
        let start = self.at;
        match self.peek() {
            Some('"') => return self.quoted_string(),
            Some('#') if self.rest().trim_start_matches('#').starts_with('"') => {
                return self.raw_string();
            }
            Some(c) if is_word(c) => {}
            _ => {
                let message = format!("expected {what}, found {}", self.found_here());
                return Some(Err(self.wrong(
                    self.here(),
                    Code::Grammar.says(message),
                    "",
                )));
            }
        }
        let rest = self.rest();
        let text = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        self.at += text.len();
        let span = start..self.at;
        let wrong = match word(text) {
            Word::Name if text == "r" && self.peek() == Some('"') => self.wrong(
                span,
                Code::Text.says("found a raw string of KDL 1"),
                "write `#\"…\"#`, not `r\"…\"`",
            ),
            Word::Name | Word::Empty => return Some(Ok(())),
            Word::Keyword => {
                let help = format!(
                    "KDL 2 writes the keyword as `#{text}`; put it in quotes if it is a text"
                );
                self.wrong(
                    span,
                    Code::Keyword.says(format!("found `{text}` without a `#`")),
                    &help,
                )
            }
            Word::BadNumber(message, help) => self.wrong(
                span,
                Code::Number.says(format!("the number {} {message}", quoted(text))),
                help,
            ),
            Word::Number => self.wrong(
                span,
                Code::Grammar.says(format!(
                    "expected {what}, found the number {}",
                    quoted(text)
                )),
                "",
            ),
        };
        Some(Err(wrong))
    }

    fn quoted_string(&mut self) -> Option<Result<(), Wrong>> {
        let start = self.at;
        let mut simple = true;
        let lines = self.eat("\"\"\"");
        if lines && newline(self.rest()) == 0 {
            let help = "a string of several lines begins on the line behind its `\"\"\"`";
            return Some(Err(self.wrong(
                start..start + 3,
                Code::Text.says("found more on the line of `\"\"\"`"),
                help,
            )));
        }
        let close = if lines {
            "\"\"\""
        } else {
            self.eat("\"");
            "\""
        };
        while !self.eat(close) {
            let escaped = self.eat("\\");
            let Some(c) = self.peek() else {
                let help = format!("end it with `{close}`");
                self.wrong(
                    start..start + close.len(),
                    Code::Text.says("this string is never closed"),
                    &help,
                );
                return None;
            };
            simple &= !escaped && !lines && !is_disallowed(c);
            if escaped && (is_space(c) || is_newline(c)) {
                let rest = self.rest();
                let end = rest.find(|c| !is_space(c) && !is_newline(c));
                self.at += end.unwrap_or(rest.len());
                continue;
            }
            if is_newline(c) && !lines {
                let help = "end it with `\"`, or write `\"\"\"` and the text on lines of its own";
                return Some(Err(self.wrong(
                    start..self.at,
                    Code::Text.says("this string is not closed on its line"),
                    help,
                )));
            }
            self.at += c.len_utf8();
        }
        if simple {
            Some(Ok(()))
        } else {
            Some(self.check_string(start))
        }
    }

    fn raw_string(&mut self) -> Option<Result<(), Wrong>> {
        let start = self.at;
        let hashes = self.rest().len() - self.rest().trim_start_matches('#').len();
        self.at += hashes;
        let lines = self.eat("\"\"\"");
        if lines && newline(self.rest()) == 0 {
            let help = "a string of several lines begins on the line behind its `\"\"\"`";
            return Some(Err(self.wrong(
                start..self.at,
                Code::Text.says("found more on the line of `\"\"\"`"),
                help,
            )));
        }
        let quotes = if lines {
            "\"\"\""
        } else {
            self.eat("\"");
            "\""
        };
        let close = format!("{quotes}{}", &self.text[start..start + hashes]);
        // One that must end on its line is sought there only: seeking it in all the rest, line for
        // line, would be quadratic.
        let end = if lines {
            self.text.len()
        } else {
            self.line_end()
        };
        let Some(len) = self.text[self.at..end].find(&close) else {
            let span = start..self.at;
            if !lines && end < self.text.len() {
                self.at = end;
                let help = format!(
                    "end it with {}, or use `\"\"\"` and lines of its own",
                    quoted(&close)
                );
                return Some(Err(self.wrong(
                    span,
                    Code::Text.says("this string is not closed on its line"),
                    &help,
                )));
            }
            let help = format!("end it with {}", quoted(&close));
            self.wrong(span, Code::Text.says("this string is never closed"), &help);
            return None;
        };
        self.at += len + close.len();
        Some(self.check_string(start))
    }

    /// Asks the `kdl` crate about one string, for escapes, indents and characters. Alone, where it
    /// picks up after an error does not matter.
    fn check_string(&mut self, start: usize) -> Result<(), Wrong> {
        let text = &self.text[start..self.at];
        if let Some(at) = text.find(is_disallowed) {
            let at = start + at;
            let c = self.text[at..].chars().next().unwrap_or(' ');
            let message = format!("a string cannot hold U+{:04X} as it is", u32::from(c));
            let help = format!("write it as `\\u{{{:x}}}`", u32::from(c));
            return Err(self.wrong(at..at + c.len_utf8(), Code::Text.says(message), &help));
        }
        match KdlIdentifier::parse(text) {
            Ok(_) => Ok(()),
            Err(error) => {
                // The crate adds errors about what it makes of the rest; the first is the cause.
                let first = error.diagnostics.into_iter().next();
                let (message, help, span) = match first {
                    Some(first) => (first.message, first.help, first.span),
                    None => (None, None, (0, text.len()).into()),
                };
                let mut span = start + span.offset()..start + span.offset() + span.len();
                if span.is_empty() {
                    span = start..self.at;
                }
                let message =
                    message.unwrap_or_else(|| "a string that is not well formed".to_owned());
                let message = message.replacen("Expected ", "expected ", 1);
                Err(self.wrong(
                    span,
                    Code::Text.says(message),
                    help.as_deref().unwrap_or(ESCAPES),
                ))
            }
        }
    }
}
