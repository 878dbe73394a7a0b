//! Behavior trees, drawn.
//!
//! A [`Picture`] is a tree, or the upper levels of one, on its way to paper: [`Picture::svg`],
//! [`Picture::mermaid`], [`Picture::dot`]. All show the same: of each node its [`Icon`], its name and
//! what it does ([`Label`]), in the colours of its [`Family`]. No text of a tree can disturb a
//! picture, a terminal or a browser, whatever is in it, and nothing here recurses.

mod caption;
mod dot;
mod frame;
mod icon;
mod label;
mod mermaid;
mod placement;

mod sketch;
mod svg;
mod text;
mod theme;
mod tidy;

use std::error::Error;
use std::fmt;

use pleach_tree::Tree;

pub use icon::{Family, Icon};
pub use label::{Label, role};
pub use theme::Theme;

use sketch::Sketch;

/// The most nodes that an SVG or a Graphviz picture shows. One that is larger nobody reads, and few
/// programs open.
pub const MAX_NODES: usize = 10_000;

/// The most levels that they show.
pub const MAX_LEVELS: usize = 500;

/// The most nodes that a Mermaid flowchart shows: it has 500 edges at most, where nobody says
/// otherwise.
pub const MAX_MERMAID_NODES: usize = 501;

/// The most characters of a Mermaid flowchart, where nobody says otherwise.
pub const MAX_MERMAID_CHARS: usize = 50_000;

/// A tree as it is to be drawn.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    tree: &'a Tree,
    depth: Option<usize>,
}

impl<'a> Picture<'a> {
    /// A picture of a whole tree.
    pub fn new(tree: &'a Tree) -> Picture<'a> {
        Picture { tree, depth: None }
    }

    /// Shows that many levels of nodes only, the root's included and at least that one. What is below is
    /// folded into a box that says how many nodes it stands for.
    pub fn depth(self, levels: usize) -> Picture<'a> {
        Picture {
            depth: Some(levels.max(1)),
            ..self
        }
    }

    /// The picture as an SVG document of its own.
    ///
    /// # Errors
    /// When it would show more than [`MAX_NODES`] or [`MAX_LEVELS`].
    pub fn svg(&self, theme: Theme) -> Result<String, TooLarge> {
        let sketch = self.sketch();
        self.check(&sketch, MAX_NODES, MAX_LEVELS)?;
        Ok(svg::draw(&sketch, theme))
    }

    /// The picture as a Mermaid flowchart, as documents of many sites hold them.
    ///
    /// # Errors
    /// When it would show more than [`MAX_MERMAID_NODES`] or be longer than [`MAX_MERMAID_CHARS`]:
    /// then it would not be shown where people put it.
    pub fn mermaid(&self, theme: Theme) -> Result<String, TooLarge> {
        let sketch = self.sketch();
        self.check(&sketch, MAX_MERMAID_NODES, MAX_MERMAID_NODES)?;
        let text = mermaid::draw(&sketch, theme);
        match text.chars().count() {
            found if found > MAX_MERMAID_CHARS => Err(TooLarge {
                what: "characters",
                found,
                most: MAX_MERMAID_CHARS,
                depth: None,
            }),
            _ => Ok(text),
        }
    }

    /// The picture in the language of Graphviz.
    ///
    /// # Errors
    /// As [`svg`](Picture::svg).
    pub fn dot(&self, theme: Theme) -> Result<String, TooLarge> {
        let sketch = self.sketch();
        self.check(&sketch, MAX_NODES, MAX_LEVELS)?;
        Ok(dot::draw(&sketch, theme))
    }

    fn sketch(&self) -> Sketch<'a> {
        Sketch::new(self.tree, self.depth)
    }

    fn check(&self, sketch: &Sketch<'_>, nodes: usize, levels: usize) -> Result<(), TooLarge> {
        let depth = || sketch.deepest_within(nodes, levels);
        let too_large = |what, found, most| TooLarge {
            what,
            found,
            most,
            depth: depth(),
        };
        match (sketch.items().len(), sketch.levels()) {
            (found, _) if found > nodes => Err(too_large("nodes", found, nodes)),
            (_, found) if found > levels => Err(too_large("levels", found, levels)),
            _ => Ok(()),
        }
    }
}

/// A picture would be larger than anybody could look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    what: &'static str,
    found: usize,
    most: usize,
    depth: Option<usize>,
}

impl TooLarge {
    /// How many levels would fit, if that is known and any do; see [`Picture::depth`].
    pub fn fitting_depth(&self) -> Option<usize> {
        self.depth
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the picture would have {} {}; the most is {}",
            self.found, self.what, self.most
        )
    }
}

impl Error for TooLarge {}
