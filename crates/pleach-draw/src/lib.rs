//! Pictures.
//!
//! [`tree`] draws behavior trees: as SVG, as Mermaid flowcharts and for Graphviz. A tree need not
//! compile to be drawn.
//!
//! ```
//! use pleach_draw::tree::{Picture, Theme};
//! use pleach_tree::{action, condition, selector, sequence, Tree};
//!
//! let tree = Tree::build("guard").column("hurt", false).root(selector([
//!     sequence([condition("hurt"), action("flee")]),
//!     action("patrol"),
//! ]));
//! let svg = Picture::new(&tree).svg(Theme::Auto).unwrap();
//! assert!(svg.starts_with("<svg"));
//! ```
//!
//! Beside it stands what all pictures have in common: a [`Canvas`] on [`paper`](paper()), and an [`Axis`].

mod axis;
mod canvas;
mod paper;
pub mod tree;

pub use axis::Axis;
pub use canvas::{Attribute, Canvas, Pixels, clipped, wrapped};
pub use paper::{COLOURS, MARGIN, VERMILION, paper};
