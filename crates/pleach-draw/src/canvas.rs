//! A canvas: SVG elements, written in order.

use std::fmt::{Display, Write};

/// An SVG document in the making. All that it is given is escaped.
#[derive(Debug)]
pub struct Canvas {
    text: String,
    open: Vec<&'static str>,
}

/// An attribute and its value.
pub type Attribute<'a> = (&'a str, &'a dyn Display);

impl Canvas {
    /// A document of that size, in pixels.
    pub fn new(width: f64, height: f64) -> Canvas {
        let mut canvas = Canvas {
            text: String::new(),
            open: Vec::new(),
        };
        let view = format!("0 0 {} {}", Pixels(width), Pixels(height));
        canvas.open(
            "svg",
            &[
                ("xmlns", &"http://www.w3.org/2000/svg"),
                ("width", &Pixels(width)),
                ("height", &Pixels(height)),
                ("viewBox", &view),
                ("role", &"img"),
            ],
        );
        canvas
    }

    /// Opens an element.
    pub fn open(&mut self, name: &'static str, attributes: &[Attribute<'_>]) {
        self.begin(name, attributes);
        self.text.push_str(">\n");
        self.open.push(name);
    }

    /// Closes the innermost open element.
    pub fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.indent();
            let _ = writeln!(self.text, "</{name}>");
        }
    }

    /// An element with nothing inside.
    pub fn empty(&mut self, name: &'static str, attributes: &[Attribute<'_>]) {
        self.begin(name, attributes);
        self.text.push_str("/>\n");
    }

    /// An element with a text inside.
    pub fn text(&mut self, name: &'static str, attributes: &[Attribute<'_>], text: &str) {
        self.begin(name, attributes);
        let _ = writeln!(self.text, ">{}</{name}>", Escaped(text));
    }

    /// A line of text at a place, in a class of the style.
    pub fn label(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let place: &[Attribute<'_>] = &[("class", &class), ("x", &Pixels(x)), ("y", &Pixels(y))];
        self.text("text", place, text);
    }

    /// The document, complete.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn begin(&mut self, name: &str, attributes: &[Attribute<'_>]) {
        self.indent();
        let _ = write!(self.text, "<{name}");
        for (name, value) in attributes {
            let value = value.to_string();
            let _ = write!(self.text, " {name}=\"{}\"", Escaped(&value));
        }
    }

    fn indent(&mut self) {
        for _ in &self.open {
            self.text.push(' ');
        }
    }
}

/// A length or a place, in pixels: a tenth of one is enough.
#[derive(Clone, Copy, Debug)]
pub struct Pixels(pub f64);

impl Display for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0 * 10.0).round() / 10.0;
        // Not `-0`, and 3 rather than 3.0.
        write!(f, "{}", if tenths == 0.0 { 0.0 } else { tenths })
    }
}

/// A text, so that XML reads it as it is.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for char in self.0.chars() {
            match char {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                char if may_stand(char) => f.write_char(char)?,
                _ => f.write_char(char::REPLACEMENT_CHARACTER)?,
            }
        }
        Ok(())
    }
}

/// Whether a character may stand in a line of XML 1.0. Of control characters it allows line breaks
/// and tabs only, which are none of a name's business; two others are no characters at all.
fn may_stand(char: char) -> bool {
    !char.is_control() && !matches!(char, '\u{fffe}' | '\u{ffff}')
}

/// A text in at most so many characters.
pub fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept = text.chars().take(most.saturating_sub(1));
    kept.chain(['…']).collect()
}

/// A text as lines of at most so many characters, unless a word is longer.
pub fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_escaped() {
        let mut canvas = Canvas::new(10.0, 20.55);
        canvas.open("g", &[("class", &"a\"b<c>&d\u{1}")]);
        canvas.text(
            "text",
            &[],
            "]]> <b> \u{0}\t\n\u{7f}\u{85}\u{fffe}\u{ffff} ü",
        );
        let text = canvas.finish();
        let document = roxmltree::Document::parse(&text).unwrap();
        let node = |name| {
            document
                .descendants()
                .find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)))
                .unwrap()
        };
        assert_eq!(node("g").attribute("class"), Some("a\"b<c>&d\u{fffd}"));
        assert_eq!(
            node("text").text(),
            Some("]]> <b> \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd} ü")
        );
        assert_eq!(document.root_element().attribute("height"), Some("20.6"));
    }

    #[test]
    fn places_are_short() {
        let texts = [3.0, -0.04, 12.345, -7.25].map(|place| Pixels(place).to_string());
        assert_eq!(texts, ["3", "0", "12.3", "-7.3"]);
    }

    #[test]
    fn texts_are_clipped_and_wrapped() {
        assert_eq!(clipped("guards", 6), "guards");
        assert_eq!(clipped("guärds", 5), "guär…");
        assert_eq!(wrapped("a bc def  g", 4), ["a bc", "def", "g"]);
        assert_eq!(wrapped("", 4), [""; 0]);
    }
}
