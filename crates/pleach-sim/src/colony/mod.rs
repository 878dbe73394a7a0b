//! A colony: dwarves that cut plants, build workshops from their wood and work in them.
//!
//! This is the built-in simulation behind `pleach sim colony`. A [`Colony`] lives frame by frame; a
//! [`ColonyRun`] runs one, and gives [`ColonyFigures`]. What stands and walks on the map at one moment
//! is a [`Scene`]; a [`Map`] lays it out in cells, and [`picture`] draws it.

mod bodies;
mod error;
mod figures;
mod history;
mod life;
mod map;
mod pairing;
mod rules;
mod run;
mod scene;
mod settings;
mod svg;
mod thing;
mod trees;

pub use error::ColonyError;
pub use figures::{ColonyFigures, FrameLog, FrameTimes, Totals};
pub use history::{History, Sample};
pub use life::{Colony, FrameTime};
pub use map::{Cell, Grid, Map};
pub use run::ColonyRun;
pub use scene::{ByStage, Doing, Dwarf, Plant, Scene, Stage, Workshop};
pub use settings::{
    FEWEST_PLANTS, FEWEST_WORKSHOPS, MAX_DWARVES, MAX_PLACES, MAX_SIDE, MIN_SIDE, Settings,
};
pub use svg::{Moment, picture};
pub use thing::{Group, Thing};
pub use trees::Trees;
