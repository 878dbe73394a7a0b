//! A colony: dwarves that cut plants, build workshops from their wood and work in them.
//!
//! This is the built-in simulation behind `pleach sim colony`. What stands and walks on the map at
//! one moment is a [`Scene`]; a [`Map`] lays it out in cells, and [`picture`] draws it. What a run
//! counted and measured are [`ColonyFigures`].

mod figures;
mod history;
mod map;
mod scene;
mod svg;
mod thing;
mod watch;

pub use figures::{ColonyFigures, FrameLog, FrameTimes, Totals};
pub use history::{History, Sample};
pub use map::{Cell, Grid, Map};
pub use scene::{ByStage, Doing, Dwarf, Plant, Scene, Stage, Workshop};
pub use svg::{Moment, picture};
pub use thing::{Group, Thing};
pub use watch::Watch;
