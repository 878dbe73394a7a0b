//! A tree in the language of Graphviz.

use std::fmt::Write;

use super::caption::Caption;
use super::icon::Family;
use super::sketch::Sketch;
use super::theme::Theme;
use crate::canvas::clipped;

/// The most characters of a line in a box.
const LINE: usize = 40;

/// The graph.
pub(crate) fn draw(sketch: &Sketch<'_>, theme: Theme) -> String {
    let palette = theme.palette();
    let (text, line, quiet) = (palette.text, palette.line, palette.quiet);
    let font = "fontname=\"Helvetica,Arial,sans-serif\"";
    let mut out = format!(
        "digraph tree {{\n  graph [rankdir=LR, ordering=out, bgcolor=\"{}\", nodesep=0.12, ranksep=0.35, pad=0.3]\n  \
         node [{font}, fontsize=11, fontcolor=\"{text}\", style=filled, penwidth=1, height=0.35, margin=\"0.12,0.05\"]\n  \
         edge [{font}, fontsize=9, fontcolor=\"{quiet}\", color=\"{line}\", dir=none, tailport=e, headport=w]\n",
        palette.paper
    );
    for (index, item) in sketch.items().iter().enumerate() {
        let caption = Caption::of(item);
        let family = caption.icon.map(|icon| icon.family());
        let (shape, style) = match family {
            Some(Family::Composite) => ("box", "filled,rounded"),
            // These two are larger than what is in them by themselves.
            Some(Family::Decorator) => ("octagon, margin=\"0,0\"", "filled"),
            Some(Family::Condition) => ("ellipse, margin=\"0,0\"", "filled"),
            Some(Family::Action) => ("box", "filled"),
            Some(Family::Other) => ("box", "filled"),
            None => ("box", "filled,dashed"),
        };
        let paint = family.map_or(palette.folded, |family| palette.of(family));
        let _ = write!(
            out,
            "  n{index} [shape={shape}, style=\"{style}\", label=\""
        );
        if let Some(icon) = caption.icon {
            escape(&icon.text(), &mut out);
            out.push(' ');
        }
        escape(&clipped(&caption.title, LINE), &mut out);
        if !caption.below.is_empty() {
            out.push_str("\\n");
            escape(&clipped(&caption.below, LINE), &mut out);
        }
        out.push_str("\", tooltip=\"");
        escape(&caption.full, &mut out);
        let (fill, stroke) = (paint.fill, paint.stroke);
        let _ = writeln!(out, "\", fillcolor=\"{fill}\", color=\"{stroke}\"]");
        let Some(parent) = item.parent else { continue };
        let _ = write!(out, "  n{parent} -> n{index}");
        if let Some(role) = sketch.role(item) {
            out.push_str(" [label=\"");
            escape(&clipped(&role, LINE), &mut out);
            out.push_str("\"]");
        }
        out.push('\n');
    }
    out.push_str("}\n");
    out
}

/// Inside quotes: backslashes begin sequences there, and `&` begins names of characters.
fn escape(text: &str, out: &mut String) {
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '&' => out.push_str("&amp;"),
            // XML, which a picture may become, has no place for these.
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            char => out.push(char),
        }
    }
}
