//! Scenarios: behavior trees in use, without a game around them.
//!
//! A [`Scenario`] says which tree how many actors run for how long, and what happens around them:
//! how columns and world values start and move, how long actions last and how they end. It is read
//! from a KDL file; `docs/scenarios.md` describes the language. [`Run`] runs it and gives
//! [`Figures`]: how long ticks took, what each node did, what was requested, and a [`Fingerprint`]
//! of everything that happened.
//!
//! Everything random comes from the scenario's seed, keyed by actor, name and tick. So a scenario
//! does the same on any kernel, number of threads and machine.

mod chance;
pub mod colony;
mod dice;
mod director;
mod error;
mod figures;
mod file;
mod fingerprint;
pub mod modes;
mod motion;
mod motion_reader;
mod read;
mod reader;
mod run;
mod scenario;
pub mod scenes;
mod script;
mod sections;
mod track;

pub use error::RunError;
pub use figures::{ActionFigures, Figures, NodeFigures, RootFigures, TickTimes};
pub use file::{
    FileLoader, Good, Inspected, check, check_trees, inspect, inspect_source, inspect_with,
    open_trees, open_trees_with, read as read_file,
};
pub use fingerprint::Fingerprint;
pub use run::{MAX_THREADS, Pass, Progress, Run};
pub use scenario::{MAX_ACTORS, MAX_MEMORY, MAX_TICKS, OutOfRange, Scenario};
