//! A tree as a Mermaid flowchart.
//!
//! All that a tree brings is inside quotes, and of that everything but plain letters, digits and some marks
//! is written as a number (`#58;`). Otherwise a name could end the text, be taken for a directive, a
//! comment or a style, or stand for formatting.

use std::fmt::Write;

use super::caption::Caption;
use super::icon::Family;
use super::sketch::Sketch;
use super::theme::{Paint, Palette, Theme};
use crate::canvas::clipped;

/// The most characters of a line in a box.
const LINE: usize = 40;

/// The flowchart.
pub(crate) fn draw(sketch: &Sketch<'_>, theme: Theme) -> String {
    let mut out = String::from("flowchart LR\n");
    for (index, item) in sketch.items().iter().enumerate() {
        let caption = Caption::of(item);
        let (open, close, class) = match caption.icon.map(|icon| icon.family()) {
            Some(Family::Composite) => ("[", "]", Family::Composite.name()),
            Some(Family::Decorator) => ("{{", "}}", Family::Decorator.name()),
            Some(Family::Condition) => ("([", "])", Family::Condition.name()),
            Some(Family::Action) => ("[", "]", Family::Action.name()),
            Some(Family::Other) => ("(", ")", Family::Other.name()),
            None => ("[", "]", "folded"),
        };
        let _ = write!(out, "    n{index}{open}\"");
        if let Some(icon) = caption.icon {
            out.push_str(&icon.text());
            out.push(' ');
        }
        escape(&clipped(&caption.title, LINE), &mut out);
        if !caption.below.is_empty() {
            out.push_str("<br/>");
            escape(&clipped(&caption.below, LINE), &mut out);
        }
        let _ = writeln!(out, "\"{close}:::{class}");
        let Some(parent) = item.parent else { continue };
        let _ = write!(out, "    n{parent} --- ");
        // A line's text must not be empty.
        if let Some(role) = sketch.role(item).filter(|role| !role.trim().is_empty()) {
            out.push_str("|\"");
            escape(&clipped(&role, LINE), &mut out);
            out.push_str("\"| ");
        }
        let _ = writeln!(out, "n{index}");
    }
    styles(theme.palette(), &mut out);
    out
}

fn styles(palette: &Palette, out: &mut String) {
    let families = Family::ALL.map(|family| (family.name(), palette.of(family)));
    for (class, Paint { fill, stroke }) in families.into_iter().chain([("folded", palette.folded)])
    {
        let text = palette.text;
        let _ = writeln!(
            out,
            "    classDef {class} fill:{fill},stroke:{stroke},color:{text}"
        );
    }
}

fn escape(text: &str, out: &mut String) {
    for char in text.chars() {
        match char {
            'a'..='z'
            | 'A'..='Z'
            | '0'..='9'
            | ' '
            | '.'
            | ','
            | '_'
            | '='
            | '+'
            | '-'
            | '/'
            | '('
            | ')'
            | '?'
            | '…' => {
                out.push(char);
            }
            // Mermaid itself marks its place of numbers with these three.
            char if char.is_alphanumeric() && !matches!(char, 'ﬂ' | 'ß' | '°') => {
                out.push(char)
            }
            _ => {
                let _ = write!(out, "#{};", u32::from(char));
            }
        }
    }
}
