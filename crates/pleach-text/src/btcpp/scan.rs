//! A look at an XML text before the XML library gets it.
//!
//! BehaviorTree.CPP's own reader takes what the standard forbids: a bare `<` or `&` in a script, dashes
//! within comments, blank lines before the declaration. Files in the field are full of it. So this
//! scanner, which does not recurse, checks how tags nest and how much there is, and makes a copy of
//! the same length in which all that is blanked: the library reads the copy, values are read from
//! the text itself. A document type that declares something is refused, and with it all entities but
//! the five that everybody has.

use std::ops::Range;

use crate::diagnostic::{Code, Diagnostic, Wording, quoted};
use crate::document::MAX_ITEMS;
use crate::source::Source;

/// How deeply the elements of a file may nest.
pub const MAX_LEVELS: usize = 256;

/// How many attributes an element may have: each is compared with all others of its element.
pub const MAX_ATTRIBUTES: usize = 512;

/// The length of a document type that declares nothing itself, at the beginning of a text.
fn bare_doctype(text: &str) -> Option<usize> {
    let word = text.get(..9)?;
    if !word.eq_ignore_ascii_case("<!DOCTYPE") {
        return None;
    }
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate().skip(9) {
        match (quote, byte) {
            (None, b'>') => return Some(at + 1),
            (None, b'[' | b'<') => return None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// The text with all that a strict reader would refuse blanked, byte for byte.
pub(super) fn scan(source: &Source) -> Result<String, Diagnostic> {
    let mut scanner = Scanner {
        source,
        text: source.text(),
        copy: source.text().as_bytes().to_vec(),
        at: 0,
        open: Vec::new(),
        items: 0,
        rooted: false,
    };
    if scanner.text.starts_with('\u{feff}') {
        scanner.at = '\u{feff}'.len_utf8();
        scanner.blank(0..scanner.at);
    }
    scanner.document()?;
    // Only whole characters were replaced, so this loses nothing.
    Ok(String::from_utf8_lossy(&scanner.copy).into_owned())
}

struct Scanner<'a> {
    source: &'a Source,
    text: &'a str,
    copy: Vec<u8>,
    at: usize,
    /// The names of the open elements.
    open: Vec<Range<usize>>,
    /// Elements and attributes so far.
    items: usize,
    /// Whether the outermost element has begun.
    rooted: bool,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn error(&self, span: Range<usize>, message: impl Into<Wording>, help: &str) -> Diagnostic {
        let error = Diagnostic::new(self.source, span, message.into().or(Code::Xml));
        match help {
            "" => error,
            help => error.with_help(help),
        }
    }

    fn blank(&mut self, span: Range<usize>) {
        self.copy[span].fill(b' ');
    }

    /// The end of what begins here and ends with `end`; both are skipped.
    fn until(&mut self, start: usize, end: &str, what: &str) -> Result<Range<usize>, Diagnostic> {
        let inner = self.at + start;
        match self.text.get(inner..).and_then(|rest| rest.find(end)) {
            Some(len) => {
                self.at = inner + len + end.len();
                Ok(inner..inner + len)
            }
            None => {
                let message = format!("this {what} is never closed");
                let help = format!("add `{end}`, or see whether the file was cut off");
                Err(self.error(self.at..inner, message, &help))
            }
        }
    }

    fn document(&mut self) -> Result<(), Diagnostic> {
        while let Some(byte) = self.byte() {
            match byte {
                b'<' => self.markup()?,
                _ => self.characters()?,
            }
        }
        if let Some(name) = self.open.last() {
            let message = format!("{} is never closed", quoted(&self.text[name.clone()]));
            let help = format!(
                "add `</{}>`, or see whether the file was cut off",
                crate::diagnostic::visible(&self.text[name.clone()])
            );
            return Err(self.error(name.clone(), message, &help));
        }
        if !self.rooted {
            let help = "a file of BehaviorTree.CPP holds `<root BTCPP_format=\"4\"> … </root>`";
            return Err(Diagnostic::whole(
                self.source,
                Code::Xml.says("the file holds no element"),
            )
            .with_help(help));
        }
        Ok(())
    }

    /// Text between tags.
    fn characters(&mut self) -> Result<(), Diagnostic> {
        let len = self.rest().find('<').unwrap_or(self.rest().len());
        let span = self.at..self.at + len;
        let text = &self.text[span.clone()];
        if self.open.is_empty()
            && let Some(offset) = text.find(|c: char| !c.is_whitespace())
        {
            let start = span.start + offset;
            let end = start + text[offset..].chars().next().map_or(0, char::len_utf8);
            let message = match self.rooted {
                true => "found text behind the outermost element",
                false => "found text in front of the outermost element",
            };
            let help = "a file of BehaviorTree.CPP holds `<root …> … </root>` and nothing beside it but comments";
            return Err(self.error(start..end, message, help));
        }
        self.blank_bytes(span.clone(), |byte| byte == b'&');
        // What ends a CDATA section may not stand in text, but does no harm.
        self.blank_bytes(span.clone(), |byte| byte == b']');
        self.at = span.end;
        Ok(())
    }

    fn blank_bytes(&mut self, span: Range<usize>, which: impl Fn(u8) -> bool) {
        for byte in &mut self.copy[span] {
            if which(*byte) {
                *byte = b' ';
            }
        }
    }

    fn markup(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = self.rest();
        if rest.starts_with("<!--") {
            let inner = self.until(4, "-->", "comment")?;
            self.blank_bytes(inner, |byte| byte == b'-');
            self.count(start..start + 4)
        } else if rest.starts_with("<![CDATA[") && !self.open.is_empty() {
            self.until(9, "]]>", "CDATA section")?;
            self.count(start..start + 9)
        } else if let Some(len) = bare_doctype(rest).filter(|_| !self.rooted) {
            self.at += len;
            self.blank(start..self.at);
            Ok(())
        } else if rest.starts_with("<!") {
            let message = "declarations of document types and entities are not read";
            let help = "remove it: BehaviorTree.CPP ignores it, and entities can make a file of any size out of a small one";
            Err(self.error(start..start + 2, message, help))
        } else if rest.starts_with("<?") {
            let inner = self.until(2, "?>", "instruction")?;
            self.encoding(inner)?;
            self.blank(start..self.at);
            Ok(())
        } else if rest.starts_with("</") {
            self.end_tag()
        } else {
            self.start_tag()
        }
    }

    /// Refuses a declaration of an encoding that the text does not have.
    fn encoding(&self, inner: Range<usize>) -> Result<(), Diagnostic> {
        let text = &self.text[inner.clone()];
        if !text.starts_with("xml") {
            return Ok(());
        }
        let Some(at) = text.find("encoding") else {
            return Ok(());
        };
        let value = text[at + 8..].trim_start().strip_prefix('=');
        let Some(value) = value.map(str::trim_start) else {
            return Ok(());
        };
        let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return Ok(());
        };
        let name = value[1..].split(quote).next().unwrap_or("");
        let known = ["utf-8", "utf8", "us-ascii", "ascii"];
        // Others agree with UTF-8 as long as all bytes are ASCII.
        if known.contains(&name.to_ascii_lowercase().as_str()) || self.text.is_ascii() {
            return Ok(());
        }
        let message = format!(
            "the file says that its encoding is {}, but it was read as UTF-8",
            quoted(name)
        );
        Err(self.error(
            inner,
            Code::Encoding.says(message),
            "save it as UTF-8 and declare `encoding=\"UTF-8\"`",
        ))
    }

    /// One more element, attribute or comment.
    fn count(&mut self, span: Range<usize>) -> Result<(), Diagnostic> {
        self.items += 1;
        match self.items > MAX_ITEMS {
            true => Err(self.error(
                span,
                Code::Limit.says(format!(
                    "the file has more than {MAX_ITEMS} elements and attributes"
                )),
                "split it into several files",
            )),
            false => Ok(()),
        }
    }

    /// A name that begins here.
    fn name(&mut self) -> Range<usize> {
        let ends = |c: char| c.is_whitespace() || matches!(c, '/' | '>' | '=' | '<' | '"' | '\'');
        let len = self.rest().find(ends).unwrap_or(self.rest().len());
        let span = self.at..self.at + len;
        self.at = span.end;
        // Prefixes mean nothing here, and the library wants every one of them declared.
        for byte in &mut self.copy[span.clone()] {
            if *byte == b':' {
                *byte = b'_';
            }
        }
        span
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    fn end_tag(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        self.at += 2;
        let name = self.name();
        self.space();
        if self.byte() != Some(b'>') {
            let message = format!("expected `>` behind `</{}`", self.shown(&name));
            return Err(self.error(start..name.end, message, ""));
        }
        self.at += 1;
        let found = &self.text[name.clone()];
        match self.open.pop() {
            Some(open) if self.text[open.clone()] == *found => Ok(()),
            Some(open) => {
                let wanted = &self.text[open.clone()];
                let message = format!(
                    "found `</{}>`, but {} is open",
                    self.shown(&name),
                    quoted(wanted)
                );
                let help = format!("close it first: `</{}>`", self.shown(&open));
                Err(self
                    .error(name, message, &help)
                    .with_note(self.source, open, "opened here"))
            }
            None => {
                let message = format!("`</{}>` closes nothing", self.shown(&name));
                Err(self.error(name, message, "remove it, or add the tag it belongs to"))
            }
        }
    }

    fn shown(&self, span: &Range<usize>) -> String {
        let quoted = quoted(&self.text[span.clone()]);
        quoted.trim_matches('`').to_owned()
    }

    fn start_tag(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        self.at += 1;
        let name = self.name();
        if name.is_empty() {
            let help = "a tag is `<Name …>`; in text, `<` is written `&lt;`";
            return Err(self.error(start..start + 1, "this `<` begins no tag", help));
        }
        self.count(name.clone())?;
        if self.open.is_empty() && self.rooted {
            let help = "put everything into one `<root>`, or each `<root>` into a file of its own";
            return Err(self.error(name, "found a second outermost element", help));
        }
        self.rooted = true;
        let mut attributes = 0;
        loop {
            self.space();
            match self.byte() {
                Some(b'>') => {
                    self.at += 1;
                    if self.open.len() >= MAX_LEVELS {
                        let message = format!("elements nest deeper than {MAX_LEVELS} levels");
                        let help = "move the inner nodes to a `<BehaviorTree>` of their own and use `<SubTree>`";
                        return Err(self.error(name, message, help));
                    }
                    self.open.push(name);
                    return Ok(());
                }
                Some(b'/') if self.rest().starts_with("/>") => {
                    self.at += 2;
                    return Ok(());
                }
                None | Some(b'<') => {
                    let message = format!("the tag `<{}` is never closed", self.shown(&name));
                    let help = "add `>` or `/>`, or see whether the file was cut off";
                    return Err(self.error(name, message, help));
                }
                Some(_) => {
                    attributes += 1;
                    if attributes > MAX_ATTRIBUTES {
                        let message = format!(
                            "{} has more than {MAX_ATTRIBUTES} attributes",
                            quoted(&self.text[name.clone()])
                        );
                        return Err(self.error(name, message, ""));
                    }
                    self.attribute()?;
                }
            }
        }
    }

    fn attribute(&mut self) -> Result<(), Diagnostic> {
        let name = self.name();
        if name.is_empty() {
            let found = self.rest().chars().next().unwrap_or(' ');
            let span = self.at..self.at + found.len_utf8();
            let message = format!(
                "expected an attribute, found {}",
                quoted(found.encode_utf8(&mut [0; 4]))
            );
            return Err(self.error(span, message, "attributes are written `name=\"value\"`"));
        }
        self.count(name.clone())?;
        self.space();
        let wrong = |scanner: &Scanner<'_>| {
            let message = format!("the attribute `{}` has no value", scanner.shown(&name));
            let help = format!("write `{}=\"…\"`", scanner.shown(&name));
            scanner.error(name.clone(), message, &help)
        };
        if self.byte() != Some(b'=') {
            return Err(wrong(self));
        }
        self.at += 1;
        self.space();
        let quote = match self.byte() {
            Some(b'"') => "\"",
            Some(b'\'') => "'",
            _ => return Err(wrong(self)),
        };
        let value = self.until(1, quote, "value")?;
        self.blank_bytes(value, |byte| matches!(byte, b'<' | b'&'));
        Ok(())
    }
}
