//! A colony: dwarves that cut plants, build workshops from their wood and work in them.

mod bodies;
mod error;
mod figures;
mod history;
mod life;
mod pairing;
mod rules;
mod run;
mod scene;
mod settings;
mod trees;

pub use error::ColonyError;
pub use figures::{ColonyFigures, FrameLog, FrameTimes, Totals};
pub use history::{History, Sample};
pub use life::{Colony, FrameTime};
pub use run::ColonyRun;
pub use scene::{ByStage, Doing, Dwarf, Plant, Scene, Stage, Workshop};
pub use settings::{MAX_DWARVES, MAX_PLACES, MAX_SIDE, MIN_SIDE, Settings};
pub use trees::Trees;
