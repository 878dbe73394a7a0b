//! XML elements with their places, out of the library's hands.

use std::borrow::Cow;
use std::ops::Range;

use roxmltree::{Document, NodeType, ParsingOptions};

use super::comment;
use super::scan::scan;
use crate::diagnostic::{Code, Diagnostic, quoted};
use crate::document::{MAX_BYTES, MAX_ITEMS};
use crate::source::Source;

/// The elements of a file, each before those in it; the first is the outermost.
pub(super) struct Xml {
    pub(super) elements: Vec<Element>,
}

pub(super) struct Element {
    pub(super) name: String,
    /// The name in its tag.
    pub(super) span: Range<usize>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) children: Vec<usize>,
    /// What stands in comments in front of it, line by line.
    pub(super) comments: Vec<String>,
    /// The text directly in it, and where it begins.
    pub(super) text: String,
    pub(super) text_span: Range<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: String,
    /// Its name.
    pub(super) span: Range<usize>,
    /// Its value, without quotes.
    pub(super) value_span: Range<usize>,
    /// Whether the value is written as it is, so that its offsets are those of the file.
    pub(super) plain: bool,
}

impl Attribute {
    /// The file's bytes for a span within the value.
    pub(super) fn within(&self, span: &Range<usize>) -> Range<usize> {
        match self.plain {
            true => self.value_span.start + span.start..self.value_span.start + span.end,
            false => self.value_span.clone(),
        }
    }
}

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
    }

    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.attribute(name)
            .map(|attribute| attribute.value.as_str())
    }
}

impl Xml {
    /// What stands in for a text that is no XML.
    pub(super) fn empty() -> Xml {
        Xml {
            elements: vec![Element {
                name: "root".to_owned(),
                span: 0..0,
                attributes: Vec::new(),
                children: Vec::new(),
                comments: Vec::new(),
                text: String::new(),
                text_span: 0..0,
            }],
        }
    }

    /// Reads the elements of a text.
    pub(super) fn read(source: &Source) -> Result<Xml, Diagnostic> {
        let text = source.text();
        if text.len() > MAX_BYTES {
            let message = format!("the file has {} bytes, allowed are {MAX_BYTES}", text.len());
            return Err(Diagnostic::whole(source, Code::Limit.says(message)));
        }
        let copy = scan(source)?;
        let options = ParsingOptions {
            allow_dtd: false,
            // Texts between elements are nodes of the library, too.
            nodes_limit: (4 * MAX_ITEMS) as u32,
            ..ParsingOptions::default()
        };
        let document = Document::parse_with_options(&copy, options)
            .map_err(|error| wrong(source, &copy, &error))?;
        Ok(Xml::take(text, &document))
    }

    fn take(text: &str, document: &Document<'_>) -> Xml {
        let mut elements: Vec<Element> = Vec::new();
        // Elements to come, last first, each with its parent and the comments in front of it.
        let mut pending = vec![(document.root_element(), None::<usize>, Vec::new())];
        while let Some((node, parent, comments)) = pending.pop() {
            let this = elements.len();
            elements.push(element(text, &node, comments));
            if let Some(parent) = parent {
                elements[parent].children.push(this);
            }
            let mut comments: Vec<String> = Vec::new();
            let mut inner = Vec::new();
            for child in node.children() {
                let range = child.range();
                let written = text.get(range.clone()).unwrap_or("");
                match child.node_type() {
                    NodeType::Comment => comments.extend(comment::read(text, range)),
                    NodeType::Text if !written.trim().is_empty() => {
                        let written = written
                            .strip_prefix("<![CDATA[")
                            .and_then(|inner| inner.strip_suffix("]]>"))
                            .map_or_else(|| unescaped(written), Cow::Borrowed);
                        let element = &mut elements[this];
                        if element.text.is_empty() {
                            element.text_span = range;
                        }
                        element.text.push_str(written.trim());
                    }
                    NodeType::Element => inner.push((child, std::mem::take(&mut comments))),
                    NodeType::Text | NodeType::PI | NodeType::Root => {}
                }
            }
            // What stands behind the last one belongs to the whole.
            elements[this].comments.append(&mut comments);
            let inner = inner.into_iter().rev();
            pending.extend(inner.map(|(child, comments)| (child, Some(this), comments)));
        }
        around(text, document, &mut elements);
        Xml { elements }
    }
}

/// The outermost element is none that is written, so what stands in front of it belongs to the first one in it,
/// and what stands behind all others to the last.
fn around(text: &str, document: &Document<'_>, elements: &mut [Element]) {
    let root = document.root_element().range();
    let (mut front, mut behind) = (Vec::new(), std::mem::take(&mut elements[0].comments));
    for node in document.root().children() {
        if node.node_type() == NodeType::Comment {
            let list = match node.range().start < root.start {
                true => &mut front,
                false => &mut behind,
            };
            list.extend(comment::read(text, node.range()));
        }
    }
    let children = &elements[0].children;
    if let (Some(&first), Some(&last)) = (children.first(), children.last()) {
        elements[first].comments.splice(0..0, front);
        elements[last].comments.append(&mut behind);
    }
}

fn element(text: &str, node: &roxmltree::Node<'_, '_>, comments: Vec<String>) -> Element {
    let start = node.range().start + 1;
    let len = text
        .get(start..)
        .and_then(|rest| rest.find(|c: char| c.is_whitespace() || matches!(c, '/' | '>')))
        .unwrap_or(0);
    let attributes = node.attributes().map(|attribute| {
        let (span, value_span) = (attribute.range_qname(), attribute.range_value());
        let written = text.get(value_span.clone()).unwrap_or("");
        let value = normal(written);
        Attribute {
            name: text.get(span.clone()).unwrap_or("").to_owned(),
            // Whatever is replaced by something else is longer than that, but for ends of lines.
            plain: value.len() == written.len(),
            value: value.into_owned(),
            span,
            value_span,
        }
    });
    Element {
        name: text.get(start..start + len).unwrap_or("").to_owned(),
        span: start..start + len,
        attributes: attributes.collect(),
        children: Vec::new(),
        comments,
        text: String::new(),
        text_span: start..start,
    }
}

/// The value of an attribute: ends of lines and tabs in it are spaces.
fn normal(written: &str) -> Cow<'_, str> {
    match written.contains(['\n', '\r', '\t']) {
        true => {
            let spaced = written
                .replace("\r\n", " ")
                .replace(['\n', '\r', '\t'], " ");
            Cow::Owned(unescaped(&spaced).into_owned())
        }
        false => unescaped(written),
    }
}

/// Entities and characters by number, as what they stand for. What is none stays as it is written:
/// people write `a && b` in scripts.
fn unescaped(written: &str) -> Cow<'_, str> {
    if !written.contains('&') {
        return Cow::Borrowed(written);
    }
    let mut out = String::with_capacity(written.len());
    let mut rest = written;
    let mut changed = false;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        // The longest is `&#x10ffff;`.
        let end = rest.bytes().take(12).position(|byte| byte == b';');
        let found = end.and_then(|end| entity(&rest[1..end]).map(|c| (end, c)));
        match found {
            Some((end, c)) => {
                out.push(c);
                rest = &rest[end + 1..];
                changed = true;
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    match changed {
        true => Cow::Owned(out),
        false => Cow::Borrowed(written),
    }
}

fn entity(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        name => {
            let digits = name.strip_prefix('#')?;
            let number = match digits.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(number).filter(|&c| c != '\0')
        }
    }
}

/// What the library finds wrong, with its place.
fn wrong(source: &Source, copy: &str, error: &roxmltree::Error) -> Diagnostic {
    let place = error.pos();
    let start = copy
        .split_inclusive('\n')
        .take(place.row.saturating_sub(1) as usize)
        .map(str::len)
        .sum::<usize>();
    let line = copy.get(start..).unwrap_or("");
    let column = place.col.saturating_sub(1) as usize;
    let at = start
        + line
            .char_indices()
            .nth(column)
            .map_or(line.len(), |(at, _)| at);
    let mut what = error.to_string();
    // The place is told beside the message.
    if let Some(end) = what.rfind(" at ") {
        what.truncate(end);
    }
    let message = format!("this is no XML: {what}");
    let span = at..at + 1;
    match error {
        roxmltree::Error::DuplicatedAttribute(name, _) => {
            let message = format!("the attribute {} is there twice", quoted(name));
            Diagnostic::new(source, span, Code::Xml.says(message)).with_help("remove one of them")
        }
        _ => Diagnostic::new(source, span, Code::Xml.says(message)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::btcpp::scan::{MAX_ATTRIBUTES, MAX_LEVELS};

    fn read(text: &str) -> Xml {
        Xml::read(&Source::new("a.xml", text)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Message, line and column of what is wrong.
    fn refused(text: &str) -> (String, usize, usize) {
        match Xml::read(&Source::new("a.xml", text)) {
            Ok(_) => panic!("{} is read", &text[..text.len().min(60)]),
            Err(error) => (error.message().to_owned(), error.line(), error.column()),
        }
    }

    #[test]
    fn what_behaviortree_cpp_takes_is_read() {
        let text = "\u{feff}\n  <?xml version=\"1.0\"?>\n<!-- a -- b --->\n<root x='1'>\n <a:A code=\"x<2 && y &gt; 'ü'\" _b=\"1\n2\"/> \
                    <!-- one\n two -->\n<B>text &amp; & more<C/></B><!--last--></root>\n<!-- end -->";
        let xml = read(text);
        let names: Vec<&str> = xml.elements.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["root", "a:A", "B", "C"]);
        let code = xml.elements[1].attribute("code").expect("code");
        assert_eq!(code.value, "x<2 && y > 'ü'");
        assert!(!code.plain);
        assert_eq!(&text[code.span.clone()], "code");
        let lines = xml.elements[1].attribute("_b").expect("_b");
        assert_eq!(
            (
                lines.value.as_str(),
                lines.plain,
                &text[lines.within(&(2..3))]
            ),
            ("1 2", true, "2")
        );
        assert_eq!(xml.elements[1].comments, ["a -- b -"]);
        assert_eq!(xml.elements[2].comments, ["one", "two", "last", "end"]);
        assert_eq!(xml.elements[2].text, "text & & more");
        assert_eq!(xml.elements[0].comments, [""; 0]);
        assert_eq!(xml.elements[0].children, [1, 2]);
        assert_eq!(&text[xml.elements[3].span.clone()], "C");
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        let cases = [
            ("", "the file holds no element", 1, 1),
            ("<root>", "`root` is never closed", 1, 2),
            (
                "<root>\n<a></b></root>",
                "found `</b>`, but `a` is open",
                2,
                6,
            ),
            ("<root>\n<a", "the tag `<a` is never closed", 2, 2),
            ("<root a=\"1", "this value is never closed", 1, 9),
            ("<root a=1/>", "the attribute `a` has no value", 1, 7),
            ("<root a/>", "the attribute `a` has no value", 1, 7),
            (
                "<root a='1' a='2'/>",
                "the attribute `a` is there twice",
                1,
                13,
            ),
            ("<root/><root/>", "found a second outermost element", 1, 9),
            (
                "x<root/>",
                "found text in front of the outermost element",
                1,
                1,
            ),
            (
                "<root/>\n x",
                "found text behind the outermost element",
                2,
                2,
            ),
            ("<root>< a/></root>", "this `<` begins no tag", 1, 7),
            ("<root><!-- </root>", "this comment is never closed", 1, 7),
            ("</root>", "`</root>` closes nothing", 1, 3),
            (
                "<!DOCTYPE a [<!ENTITY b \"c\">]><root/>",
                "declarations of document types and entities are not read",
                1,
                1,
            ),
            (
                "<?xml version=\"1.0\" encoding=\"UTF-16\"?><root a=\"ü\"/>",
                "the file says that its encoding is `UTF-16`, but it was read as UTF-8",
                1,
                3,
            ),
            (
                "<root ü\u{1}=\"\"/>",
                "this is no XML: expected '=' not '\u{1}'",
                1,
                8,
            ),
        ];
        for (text, message, line, column) in cases {
            assert_eq!(refused(text), (message.to_owned(), line, column), "{text}");
        }
    }

    #[test]
    fn size_is_bounded() {
        let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
        assert_eq!(
            refused(&deep).0,
            format!("elements nest deeper than {MAX_LEVELS} levels")
        );
        let wide: String = (0..=MAX_ATTRIBUTES)
            .map(|at| format!(" a{at}=\"\""))
            .collect();
        assert_eq!(
            refused(&format!("<a{wide}/>")).0,
            format!("`a` has more than {MAX_ATTRIBUTES} attributes")
        );
        let many = format!("<a>{}</a>", "<b/>".repeat(MAX_ITEMS));
        assert!(refused(&many).0.starts_with("the file has more than"));
        let long = format!("<a b=\"{}\"/>", "x".repeat(MAX_BYTES));
        assert!(refused(&long).0.starts_with("the file has 4194313 bytes"));
    }
}
