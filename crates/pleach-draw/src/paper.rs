//! What all pictures lie on: paper, fonts and colours.

use crate::canvas::{Canvas, Pixels};

/// Space around everything, in pixels.
pub const MARGIN: f64 = 28.0;

/// The style of what every picture may have. Fonts are those of the system; the last resorts are
/// ones that programs without a desktop have.
const STYLE: &str = "\
text { font: 11.5px system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', sans-serif; fill: #24292f; } \
.title { font-size: 20px; font-weight: 600; } \
.name { font-size: 12.5px; } \
.quiet { font-size: 11.5px; font-weight: 400; fill: #57606a; } \
.axis, .tick { font-size: 11px; fill: #57606a; } \
.tick { font-size: 10px; } \
.paper { fill: #fbfbf9; stroke: #d0d7de; } \
.panel { fill: #ffffff; stroke: #d0d7de; } \
.grid { stroke: #e7eaed; fill: none; } \
.line { fill: none; stroke-linejoin: round; stroke-linecap: round; }";

/// Colours that people with any vision of colours tell apart (Okabe and Ito).
pub const COLOURS: [&str; 6] = [
    "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
];
/// The one of these colours that stands out most.
pub const VERMILION: &str = "#d55e00";

/// A canvas of that width and height with a paper of its own, so that it can lie on any
/// background; with a style beside that of all pictures, and a title and description for whoever
/// does not see it.
pub fn paper(size: (f64, f64), style: &str, title: &str, description: &str) -> Canvas {
    let (width, height) = size;
    let mut canvas = Canvas::new(width, height);
    canvas.text("title", &[], title);
    canvas.text("desc", &[], description);
    canvas.text("style", &[], &format!("{STYLE} {style}"));
    canvas.empty(
        "rect",
        &[
            ("class", &"paper"),
            ("x", &Pixels(0.5)),
            ("y", &Pixels(0.5)),
            ("width", &Pixels(width - 1.0)),
            ("height", &Pixels(height - 1.0)),
            ("rx", &8),
        ],
    );
    canvas
}
