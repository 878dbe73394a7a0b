//! Cases as data: trees, what happens to them and what must come of it, written by hand from the rules.
//!
//! `docs/testing.md` says how a file is written. Each case is played by the reference interpreter, and
//! then by every kernel in populations of several sizes, as their first, middle and last actor. The others
//! play the same case late, and are held to the reference.
//!
//! - [`notation`]: trees, declarations and times as text;
//! - [`score`]: rows with a cell for each tick;
//! - [`Case`]: what a file says, checked;
//! - [`refused`]: trees that must not compile, and what people are told.

mod case;
mod kernels;
pub mod notation;
mod reference;
pub mod refused;
pub mod score;
mod stage;

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use pleach_shape::Status;
use pleach_vm::{Kernel, NodeCount};

pub use case::{Answer, Case, Expected, Life, Target, Writes, read_cases};
pub use kernels::Setting;

use kernels::Players;
use reference::{Player, Seen, worlds};
use score::{Mark, Shown};
use stage::Beat;

/// Actors around the case's one, itself included: alone, few, and around the size of a block.
const FILLS: [usize; 6] = [1, 3, 64, 511, 512, 513];

/// One thread, three threads.
static POOLS: LazyLock<[rayon::ThreadPool; 2]> = LazyLock::new(|| {
    [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("threads")
    })
});

/// Where an interpreter does not do what a case says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The file and the case.
    pub case: String,
    /// The tick, from 0, which is the cell of the rows.
    pub tick: usize,
    /// Who: the reference, or a kernel with its population.
    pub who: String,
    /// What differs, in which way.
    pub what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch {
            case,
            tick,
            who,
            what,
        } = self;
        write!(f, "{case}: tick {tick}, {who}: {what}")
    }
}

/// Plays a case everywhere. Gives the reference's first mismatch; if it has none, the first of each
/// setting of the kernels.
pub fn check(case: &Arc<Case>) -> Vec<Mismatch> {
    let mut played = Played::new(case);
    if let Some(mismatch) = played.against_expectation() {
        return vec![mismatch];
    }
    settings(case)
        .into_iter()
        .filter_map(|setting| played.against_kernel(setting))
        .collect()
}

/// Plays a case in one setting, and holds it to the rows and, for what they do not say, to the reference.
pub fn check_setting(case: &Arc<Case>, setting: Setting) -> Option<Mismatch> {
    Played::new(case).against_kernel(setting)
}

/// All cases of a folder's files, and their names, sorted.
///
/// # Errors
/// If a file cannot be read, or holds a case that is none.
pub fn read_folder(folder: &Path) -> Result<Vec<Arc<Case>>, String> {
    let mut cases = Vec::new();
    for path in toml_files(folder)? {
        if path.file_name().is_some_and(|name| name == refused::FILE) {
            continue;
        }
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        cases.extend(read_cases(&path, &text)?.into_iter().map(Arc::new));
    }
    Ok(cases)
}

fn toml_files(folder: &Path) -> Result<Vec<std::path::PathBuf>, String> {
    let refuse = |error| format!("{}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(refuse)? {
        let path = entry.map_err(refuse)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// In which ways a case is played by kernels.
fn settings(case: &Case) -> Vec<Setting> {
    let mut settings = Vec::new();
    let kernels = Kernel::CHOICES.into_iter().map(Some).chain([None]);
    for (number, kernel) in kernels.enumerate() {
        for (size, actors) in FILLS.into_iter().enumerate() {
            let mut places = vec![0, actors / 2, actors - 1];
            places.dedup();
            // Kernels that walk one actor at a time see no neighbours: one place for each size does.
            let alone = matches!(
                kernel,
                Some(Kernel::PureStream | Kernel::ThreadedStream | Kernel::TraversalStack)
            );
            if alone && actors > 3 {
                places = vec![places[(number + size) % places.len()]];
            }
            if case.seed.is_some() {
                // What it draws depends on its place.
                places = vec![0];
            }
            for place in places {
                let setting = Setting {
                    kernel,
                    actors,
                    place,
                    // Up to 512 there is one block, and one thread.
                    threads: if actors > 512 && place > 0 { 3 } else { 1 },
                    traces: false,
                    counts: actors == 1,
                };
                settings.push(setting);
                if actors == 3 {
                    settings.push(Setting {
                        traces: true,
                        counts: true,
                        ..setting
                    });
                }
            }
        }
    }
    settings
}

/// What the reference makes of a case, for actors of several ids and delays.
struct Played<'c> {
    case: &'c Arc<Case>,
    worlds: Vec<Vec<pleach_shape::Value>>,
    /// By id and delay. Where the tree does not draw, what it does is the same for all ids.
    known: HashMap<(u64, usize), Vec<Seen>>,
}

impl<'c> Played<'c> {
    fn new(case: &'c Arc<Case>) -> Played<'c> {
        Played {
            case,
            worlds: worlds(case),
            known: HashMap::new(),
        }
    }

    fn key(&self, id: u64, shift: usize) -> (u64, usize) {
        (if self.case.draws() { id } else { 0 }, shift)
    }

    fn play(&mut self, id: u64, shift: usize) {
        let key = self.key(id, shift);
        let (case, worlds) = (self.case, &self.worlds);
        self.known.entry(key).or_insert_with(|| {
            let mut player = Player::new(case, key.0, shift);
            let ticks = worlds.iter().enumerate();
            ticks
                .map(|(tick, world)| player.step(tick, world))
                .collect()
        });
    }

    fn seen(&self, id: u64, shift: usize) -> &[Seen] {
        &self.known[&self.key(id, shift)]
    }

    fn mismatch(&self, tick: usize, who: &dyn fmt::Display, what: String) -> Mismatch {
        Mismatch {
            case: format!("{}: case \"{}\"", self.case.file, self.case.name),
            tick,
            who: who.to_string(),
            what,
        }
    }

    /// The reference against the rows of the file.
    fn against_expectation(&mut self) -> Option<Mismatch> {
        self.play(0, 0);
        for (tick, seen) in self.seen(0, 0).iter().enumerate() {
            let expected = &self.case.expected[tick];
            let what = seen.surprises.first().cloned();
            let what = what.or_else(|| {
                let walk = differs(self.case, "walk", &expected.walk, &seen.walk);
                beside_walk(self.case, expected, &seen.beat).or(walk)
            });
            if let Some(what) = what {
                return Some(self.mismatch(tick, &"reference", what));
            }
        }
        None
    }

    /// A kernel against the rows of the file, and for what they do not say against the reference.
    fn against_kernel(&mut self, setting: Setting) -> Option<Mismatch> {
        let case = self.case;
        let mut players = Players::new(case, setting);
        for (place, actor) in players.actors.iter().enumerate() {
            self.play(actor.to_bits(), setting.shift(case, place));
        }
        let pool = &POOLS[usize::from(setting.threads > 1)];
        for tick in 0..case.ticks {
            let mut what = players.step(tick, pool).into_iter().next();
            let requests = players.requests();
            for (place, requests) in requests.into_iter().enumerate() {
                let id = players.actors[place].to_bits();
                let reference = &self.seen(id, setting.shift(case, place))[tick];
                // What others have in their columns and states is seen in the end.
                let in_full =
                    place == setting.place || tick + 1 == case.ticks || setting.actors < 64;
                let (beat, surprises) = players.seen(place, requests, in_full);
                if place == setting.place {
                    what = what
                        .or(surprises.into_iter().next())
                        .or_else(|| against_rows(case, &case.expected[tick], &beat));
                    if setting.traces && what.is_none() {
                        what = other_visits(reference, players.visits());
                    }
                }
                what = what.or_else(|| {
                    let difference = against_reference(case, &reference.beat, &beat, in_full)?;
                    Some(format!(
                        "actor {} and the reference part: {difference}",
                        place + 1
                    ))
                });
            }
            if setting.counts && what.is_none() {
                what = self.other_census(&players, setting, tick);
            }
            if let Some(what) = what {
                return Some(self.mismatch(tick, &setting, what));
            }
        }
        None
    }

    fn other_census(&self, players: &Players, setting: Setting, tick: usize) -> Option<String> {
        let mut counts = vec![NodeCount::default(); self.case.names.len()];
        for (place, actor) in players.actors.iter().enumerate() {
            let seen = &self.seen(actor.to_bits(), setting.shift(self.case, place))[tick];
            for &halted in &seen.released {
                counts[halted as usize].halts += 1;
            }
            let Some(trace) = &seen.trace else { continue };
            for visit in &trace.visits {
                // One that an abort leaves without an answer is not counted.
                let Some(answer) = visit.answer else { continue };
                let count = &mut counts[visit.index as usize];
                count.active += 1;
                count.starts += u32::from(visit.fresh);
                count.successes += u32::from(answer == Status::Success);
                count.failures += u32::from(answer == Status::Failure);
            }
            for &halted in &trace.halts {
                counts[halted as usize].halts += 1;
            }
        }
        let found = players.census();
        let node = counts.iter().zip(&found).position(|(a, b)| a != b);
        node.map(|node| {
            format!(
                "census of node {node}: expected {:?}, found {:?}",
                counts[node], found[node]
            )
        })
    }
}

fn other_visits(reference: &Seen, found: Vec<u32>) -> Option<String> {
    let expected: Vec<u32> = match &reference.trace {
        Some(trace) => trace.visits.iter().map(|visit| visit.index).collect(),
        None => Vec::new(),
    };
    (expected != found)
        .then(|| format!("visits of the trace: expected {expected:?}, found {found:?}"))
}

fn letter(root: Option<Status>) -> char {
    root.map_or('-', Status::letter)
}

fn differs(case: &Case, row: &str, expected: &[Mark], found: &[Mark]) -> Option<String> {
    let shown = |marks| Shown {
        marks,
        names: &case.names,
    };
    (expected != found).then(|| {
        format!(
            "{row}: expected {}, found {}",
            shown(expected),
            shown(found)
        )
    })
}

/// All rows but the walk, of which interpreters see more or less.
fn beside_walk(case: &Case, expected: &Expected, found: &Beat) -> Option<String> {
    if expected.root != found.root {
        return Some(format!(
            "root: expected {}, found {}",
            letter(expected.root),
            letter(found.root)
        ));
    }
    for &(column, value) in &expected.columns {
        let found = found.columns[column];
        if value.to_bits() != found.to_bits() {
            let name = &case.tree.columns()[column].name;
            return Some(format!("after.{name}: expected {value:?}, found {found:?}"));
        }
    }
    differs(case, "requests", &expected.requests, &found.requests)
}

/// What kernels tell of a walk without a trace: tasks and queries.
fn against_rows(case: &Case, expected: &Expected, found: &Beat) -> Option<String> {
    let calls = expected.walk.iter().copied();
    let calls: Vec<Mark> = calls.filter(|mark| case.is_called(mark.node)).collect();
    beside_walk(case, expected, found)
        .or_else(|| differs(case, "walk (tasks and queries)", &calls, &found.calls))
}

fn against_reference(case: &Case, expected: &Beat, found: &Beat, in_full: bool) -> Option<String> {
    if expected.root != found.root || expected.loaded != found.loaded {
        return Some(format!(
            "root: expected {} (loaded: {}), found {} (loaded: {})",
            letter(expected.root),
            expected.loaded,
            letter(found.root),
            found.loaded
        ));
    }
    differs(case, "calls", &expected.calls, &found.calls)
        .or_else(|| differs(case, "requests", &expected.requests, &found.requests))
        .or_else(|| {
            if !in_full {
                return None;
            }
            let bits = |beat: &Beat| -> Vec<u64> {
                beat.columns.iter().map(|value| value.to_bits()).collect()
            };
            (bits(expected) != bits(found)).then(|| {
                format!(
                    "columns: expected {:?}, found {:?}",
                    expected.columns, found.columns
                )
            })
        })
        .or_else(|| {
            (in_full && expected.state != found.state).then(|| {
                format!(
                    "state: expected {:?}, found {:?}",
                    expected.state, found.state
                )
            })
        })
}
