//! A tree as an SVG document.

use std::collections::HashSet;

use super::frame::{BELOW, TITLE};
use super::icon::{Family, Icon};
use super::placement::{Placed, Placement};
use super::sketch::Sketch;
use super::text::{fitted, width};
use super::theme::{Palette, Theme};
use crate::canvas::{Canvas, Pixels, clipped};
use crate::paper::{MARGIN, paper};

/// Above the tree: its name, and what the colours mean.
const HEAD: f64 = 58.0;
/// At least as wide is a picture, so that its head has room.
const LEAST_WIDTH: f64 = 300.0;
/// The widest that a tree's name is shown.
const MOST_NAME: usize = 120;

/// The size of the tree's name, as wide as it is since it is bold.
const NAME: f64 = 20.0 * 1.12;

/// The document.
pub(crate) fn draw(sketch: &Sketch<'_>, theme: Theme) -> String {
    let placement = Placement::of(sketch);
    let legend = legend(&placement);
    let legend_width = legend.last().map_or(0.0, |entry| entry.0 + entry.2);
    let inner = placement.size.0.max(LEAST_WIDTH).max(legend_width);
    let size = (
        inner + 2.0 * MARGIN,
        placement.size.1 + 2.0 * MARGIN + HEAD - 10.0,
    );
    let name = pleach_text::visible(sketch.tree().name());
    let name = clipped(&name, MOST_NAME);
    let mut canvas = paper(
        size,
        &style(theme),
        &format!("Behavior tree {name}"),
        &contents(sketch),
    );
    let title = fitted(&name, NAME, inner);
    canvas.label("title", MARGIN, MARGIN + 14.0, &title);
    let told = width(&title, NAME) + 14.0;
    let room = inner - told;
    if room > 60.0 {
        let text = fitted(&contents(sketch), 11.5, room);
        canvas.label("quiet", MARGIN + told, MARGIN + 14.0, &text);
    }
    for (x, family, _) in &legend {
        swatch(&mut canvas, MARGIN + x, MARGIN + 25.0, *family);
    }
    // A tree that is narrower than its head stands in its middle.
    let left = MARGIN + ((inner - placement.size.0) / 2.0).floor();
    let move_to = format!(
        "translate({} {})",
        Pixels(left),
        Pixels(MARGIN + HEAD - 10.0)
    );
    canvas.open("g", &[("transform", &move_to)]);
    // Between two pixels, where a line of one pixel is sharp.
    canvas.open("g", &[("transform", &"translate(0.5 0.5)")]);
    for placed in &placement.boxes {
        if !placed.line.is_empty() {
            canvas.empty("path", &[("class", &"edge"), ("d", &placed.line)]);
        }
    }
    canvas.close();
    for placed in &placement.boxes {
        node(&mut canvas, placed);
    }
    canvas.finish()
}

/// One sentence on what there is.
fn contents(sketch: &Sketch<'_>) -> String {
    let counted = |number: usize, one: &str| match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {one}s"),
    };
    let all = counted(sketch.tree().len(), "node");
    match sketch.folded() {
        0 => format!("{all}, {}", counted(sketch.levels(), "level")),
        folded => format!("{all}, of which {folded} are folded"),
    }
}

/// The families that there are, each with its place and width.
fn legend(placement: &Placement) -> Vec<(f64, Family, f64)> {
    let shown: HashSet<Family> = placement
        .boxes
        .iter()
        .filter_map(|placed| Some(placed.frame.caption.icon?.family()))
        .collect();
    let mut x = 0.0;
    let families = Family::ALL
        .into_iter()
        .filter(|family| shown.contains(family));
    families
        .map(|family| {
            let wide = 16.0 + width(family.name(), BELOW);
            let at = x;
            x += wide + 12.0;
            (at, family, wide)
        })
        .collect()
}

fn swatch(canvas: &mut Canvas, x: f64, y: f64, family: Family) {
    canvas.open("g", &[("class", &family.name())]);
    canvas.empty(
        "rect",
        &[
            ("class", &"box"),
            ("x", &Pixels(x + 0.5)),
            ("y", &Pixels(y + 0.5)),
            ("width", &10),
            ("height", &10),
            ("rx", &2),
        ],
    );
    canvas.label("below", x + 16.0, y + 9.5, family.name());
    canvas.close();
}

/// A box in a frame of its own, which cuts off whatever a font makes larger than it is.
fn node(canvas: &mut Canvas, placed: &Placed) {
    let Placed {
        frame, x, y, role, ..
    } = placed;
    if let Some(role) = role {
        canvas.label("role", role.x, role.y, &role.word);
    }
    canvas.open(
        "svg",
        &[
            ("class", &frame.class()),
            ("x", &Pixels(*x)),
            ("y", &Pixels(*y)),
            ("width", &Pixels(frame.width)),
            ("height", &Pixels(frame.height)),
        ],
    );
    let caption = &frame.caption;
    canvas.text("title", &[], &caption.full);
    canvas.empty("path", &[("class", &"box"), ("d", &frame.outline())]);
    if let Some(icon) = caption.icon {
        strokes(canvas, icon, frame.icon());
    }
    let line = if caption.below.is_empty() { 17.5 } else { 18.0 };
    canvas.label("says", frame.text, line, &caption.title);
    if !caption.below.is_empty() {
        canvas.label("below", frame.text, 33.0, &caption.below);
    }
    canvas.close();
}

fn strokes(canvas: &mut Canvas, icon: Icon, (mut x, y): (f64, f64)) {
    for glyph in icon.glyphs() {
        let place = format!("translate({} {})", Pixels(x), Pixels(y));
        canvas.empty(
            "path",
            &[
                ("class", &"icon"),
                ("transform", &place),
                ("d", &glyph.strokes()),
            ],
        );
        x += glyph.width() + 2.0;
    }
}

fn style(theme: Theme) -> String {
    let fixed = format!(
        ".says {{ font-size: {TITLE}px; }} .below {{ font-size: {BELOW}px; }} .role {{ font-size: 10px; }} \
         .box {{ stroke-width: 1; }} .icon {{ fill: none; stroke-width: 1.6; stroke-linecap: round; \
         stroke-linejoin: round; }} .edge {{ fill: none; }} \
         .folded .box {{ stroke-dasharray: 4 3; }}"
    );
    let colours = colours(theme.palette());
    let dark = match theme {
        Theme::Auto => format!(
            " @media (prefers-color-scheme: dark) {{ {} }}",
            self::colours(Theme::Dark.palette())
        ),
        Theme::Light | Theme::Dark => String::new(),
    };
    format!("{fixed} {colours}{dark}")
}

fn colours(palette: &Palette) -> String {
    let Palette {
        paper,
        rim,
        text,
        quiet,
        line,
        folded,
        ..
    } = palette;
    let mut style = format!(
        ".paper {{ fill: {paper}; stroke: {rim}; }} text {{ fill: {text}; }} \
         .quiet, .below, .role, .folded text {{ fill: {quiet}; }} .edge {{ stroke: {line}; }}"
    );
    let families = Family::ALL.map(|family| (family.name(), palette.of(family)));
    for (class, paint) in families.into_iter().chain([("folded", *folded)]) {
        let (fill, stroke) = (paint.fill, paint.stroke);
        style.push_str(&format!(
            " .{class} .box {{ fill: {fill}; stroke: {stroke}; }} .{class} .icon {{ stroke: {stroke}; }}"
        ));
    }
    style
}
