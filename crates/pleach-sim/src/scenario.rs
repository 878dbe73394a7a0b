//! A scenario: a tree, a crowd and what happens to it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pleach_shape::Shape;
use pleach_text::btcpp::Options;
use pleach_text::kdl::KdlValue;
use pleach_text::{Diagnostics, FilePlace, Format, LoadError, Source};
use pleach_tree::Tree;

use crate::chance::Chance;
use crate::file::{self, FileLoader};
use crate::read::{Shelf, read};
use crate::script::{ActionScript, PulseScript};
use crate::track::{ColumnTrack, WorldTrack};

/// The most actors of a scenario.
pub const MAX_ACTORS: u32 = 10_000_000;

/// The most ticks of a scenario, and the most of its warm-up.
pub const MAX_TICKS: u32 = 10_000_000;

/// The most bytes that a run may take for its actors. Beyond that it is refused before it begins:
/// a tree of thousands of nodes and ten million actors would otherwise fill any machine.
pub const MAX_MEMORY: u64 = 16 << 30;

/// A tree, how many actors run it for how long, and what happens to them: how columns and world
/// values start and move, how actions end.
///
/// Read from KDL; `docs/scenarios.md` describes the language.
///
/// ```
/// use pleach_sim::{Run, Scenario};
///
/// let text = r#"
/// scenario "watch"
/// actors 600
/// ticks 50
///
/// tree "watch" {
///     blackboard { awake bool }
///     selector {
///         sequence { condition "awake"; action "look_around" }
///         action "sleep"
///     }
/// }
/// columns { awake { start 0.5; flips 0.1 } }
/// actions { sleep { lasts 5 10 } }
/// "#;
/// let scenario = Scenario::parse("watch.kdl", text)?;
/// let figures = Run::new(&scenario).go()?;
/// assert_eq!(figures.nodes.len(), 5);
/// assert!(figures.never_reached().next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Scenario {
    pub(crate) name: String,
    pub(crate) tree: Arc<Tree>,
    pub(crate) shape: Arc<Shape>,
    pub(crate) actors: u32,
    pub(crate) ticks: u32,
    pub(crate) warm_up: u32,
    pub(crate) dt: Duration,
    pub(crate) seed: u64,
    /// In the order of the shape's columns.
    pub(crate) columns: Vec<ColumnTrack>,
    /// In the order of the shape's world values.
    pub(crate) world: Vec<WorldTrack>,
    /// In the order of the shape's actions, for their deferred leaves.
    pub(crate) actions: Vec<ActionScript>,
    /// In the order of the shape's actions, for their persistent leaves.
    pub(crate) persistent: Vec<PulseScript>,
    /// In the order of the shape's functions, for those that are tasks.
    pub(crate) tasks: Vec<PulseScript>,
    /// In the order of the shape's functions, for those that are queries.
    pub(crate) queries: Vec<Chance>,
    pub(crate) undescribed: Vec<String>,
}

/// A number that a scenario does not allow. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutOfRange {
    what: &'static str,
    given: u32,
    least: u32,
    most: u32,
}

impl OutOfRange {
    /// The number, if it is within its range.
    pub(crate) fn check(
        what: &'static str,
        given: u32,
        least: u32,
        most: u32,
    ) -> Result<u32, OutOfRange> {
        if (least..=most).contains(&given) {
            return Ok(given);
        }
        Err(OutOfRange {
            what,
            given,
            least,
            most,
        })
    }
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OutOfRange {
            what,
            given,
            least,
            most,
        } = self;
        write!(
            f,
            "{given} {what} are out of range, allowed are {least} to {most}"
        )
    }
}

impl std::error::Error for OutOfRange {}

impl Scenario {
    /// Reads a scenario file and the tree that it names, relative to the file.
    ///
    /// # Errors
    /// Everything that is wrong with either file: unreadable, no KDL, unknown keys and names,
    /// values out of range, a tree that does not compile.
    pub fn open(path: &Path) -> Result<Scenario, Diagnostics> {
        Scenario::open_with(path, &Options::new())
    }

    /// Reads a scenario file as [`open`](Scenario::open) does, and tells the reader of BehaviorTree.CPP's
    /// files what those do not say.
    ///
    /// # Errors
    /// As [`open`](Scenario::open).
    pub fn open_with(path: &Path, options: &Options) -> Result<Scenario, Diagnostics> {
        Scenario::of_file(path, file::read(path)?, options)
    }

    /// A scenario from a file's text.
    pub(crate) fn of_file(
        path: &Path,
        mut source: Source,
        options: &Options,
    ) -> Result<Scenario, Diagnostics> {
        // Scenarios are in KDL: any other file is a tree, and the scenario says nothing else.
        if let (Some(Format::Json | Format::Xml), Some(name)) =
            (Format::of_path(path), path.file_name())
        {
            let name = KdlValue::from(name.to_string_lossy().as_ref());
            source = Source::new(source.name(), &format!("tree {name}"));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let shelf = |path: &Path| {
            let (loader, place) = FileLoader::from(path);
            Shelf {
                place,
                loader: Box::new(loader),
            }
        };
        let open = |name: &str| {
            let path = folder.join(name);
            Ok((file::read_regular(&path)?, shelf(&path)))
        };
        read(&source, &mut shelf(path), &open, options)
    }

    /// Reads a scenario from a text with its tree inside. `file_name` is what errors call it.
    ///
    /// # Errors
    /// As [`open`](Scenario::open); also when the text names a tree file or includes one: nothing is
    /// opened here.
    pub fn parse(file_name: &str, text: &str) -> Result<Scenario, Diagnostics> {
        let source = Source::new(file_name, text);
        let open = |name: &str| {
            Err(file::unreadable(
                name,
                "a scenario that is no file can hold its tree only inside",
            ))
        };
        read(&source, &mut no_files(file_name), &open, &Options::new())
    }

    /// The built-in scenario: two thousand guards for a thousand ticks, every branch of whose tree
    /// is in use. Its text is `scenarios/guards.kdl`, its tree `trees/guard.kdl`.
    ///
    /// # Errors
    /// None: both texts are part of the program, and a test reads them.
    pub fn guards() -> Result<Scenario, Diagnostics> {
        const SCENARIO: &str = include_str!("../../../scenarios/guards.kdl");
        const TREE: &str = include_str!("../../../trees/guard.kdl");
        let source = Source::new("guards.kdl (built in)", SCENARIO);
        let open = |_: &str| {
            let tree = Source::new("guard.kdl (built in)", TREE);
            let shelf = no_files(tree.name());
            Ok((tree, shelf))
        };
        read(
            &source,
            &mut no_files(source.name()),
            &open,
            &Options::new(),
        )
    }

    /// The scenario's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tree, as it was read.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The compiled tree.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// How many actors there are.
    pub fn actors(&self) -> u32 {
        self.actors
    }

    /// How many ticks are measured.
    pub fn ticks(&self) -> u32 {
        self.ticks
    }

    /// How many ticks go before those that are measured.
    pub fn warm_up(&self) -> u32 {
        self.warm_up
    }

    /// The time between two ticks.
    pub fn dt(&self) -> Duration {
        self.dt
    }

    /// The seed of everything random.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Changes the number of actors.
    ///
    /// # Errors
    /// Outside 1 to [`MAX_ACTORS`].
    pub fn set_actors(&mut self, actors: u32) -> Result<(), OutOfRange> {
        self.actors = OutOfRange::check("actors", actors, 1, MAX_ACTORS)?;
        Ok(())
    }

    /// Changes the number of measured ticks.
    ///
    /// # Errors
    /// Outside 1 to [`MAX_TICKS`].
    pub fn set_ticks(&mut self, ticks: u32) -> Result<(), OutOfRange> {
        self.ticks = OutOfRange::check("ticks", ticks, 1, MAX_TICKS)?;
        Ok(())
    }

    /// Changes the number of ticks before the measured ones.
    ///
    /// # Errors
    /// Above [`MAX_TICKS`].
    pub fn set_warm_up(&mut self, ticks: u32) -> Result<(), OutOfRange> {
        self.warm_up = OutOfRange::check("ticks of warm-up", ticks, 0, MAX_TICKS)?;
        Ok(())
    }

    /// Changes the seed.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Actions, tasks and queries of the tree that the scenario does not describe, each as it
    /// would stand in the file (`actions/patrol`). Actions and tasks of these succeed at once,
    /// queries hold every other time.
    pub fn undescribed(&self) -> &[String] {
        &self.undescribed
    }

    /// Bytes that a run takes for its actors: their blocks, when their actions are due, and the
    /// census.
    pub fn memory_bytes(&self) -> u64 {
        let blocks = u64::from(self.actors).div_ceil(pleach_shape::BLOCK_LANES as u64);
        let needs = self.shape.requirements();
        let due = u64::from(needs.deferred_slots) * pleach_shape::BLOCK_LANES as u64 * 4;
        // Seven planes and counters for each node.
        let census = u64::from(needs.plain_tokens) * (7 * 64 + 20);
        blocks.saturating_mul(needs.block_bytes.saturating_add(due).saturating_add(census))
    }
}

/// The place of a text that is no file, from which nothing can be included.
fn no_files(name: &str) -> Shelf {
    let none = |_: &str| {
        let error = LoadError::new("this text is no file, so nothing can be included");
        Err(error.with_help("put the trees into the text itself"))
    };
    Shelf {
        place: FilePlace::new(name),
        loader: Box::new(none),
    }
}

impl fmt::Debug for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "scenario \"{}\": {} actors of \"{}\", {} ticks of {:?}, seed {}",
            self.name,
            self.actors,
            self.shape.tree_name(),
            self.ticks,
            self.dt,
            self.seed
        )
    }
}
