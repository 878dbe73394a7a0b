//! A story: what happens to the actors of a generated tree, and what the reference makes of each of them.
//!
//! It is told once, by the reference alone, and then played on populations: see [`stage`](crate::stage).

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use pleach_shape::{ColumnIndex, SlotIndex, Status, Value};
use pleach_tests::generate::{COLUMNS, Script, ScriptHost, WORLD, draw};
use pleach_tests::observation::{Finish, Trace};
use pleach_tests::reference::{Inputs, Leave, Reference};
use pleach_tree::Tree;
use pleach_vm::{ActorId, Interval};

/// What is asked of many actors at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    Unload,
    Load,
    Reset,
    Despawn,
}

/// What happens between two ticks.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    World(usize, Value),
    Result(ActorId, SlotIndex, Finish),
    /// The actors, and of how many of them it changes something.
    All(Act, Vec<ActorId>, usize),
    /// The id that it must get, and whether it is in the tree at once.
    Spawn(ActorId, bool),
    Interval(ActorId, Interval),
    Column(ActorId, ColumnIndex, Value),
    Persistent(ActorId, SlotIndex, Status),
}

/// What a tick did to one actor.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) actor: ActorId,
    /// The last tick before this one in which something happened to it.
    pub(crate) last: Option<u64>,
    /// What ran before the tick, and before what was asked for between the ticks was done.
    pub(crate) before: BTreeSet<u32>,
    /// What was halted before any visit (U2), if it left.
    pub(crate) left: Option<BTreeSet<u32>>,
    /// What its turn did, if it had one.
    pub(crate) trace: Option<Trace>,
    /// What runs behind the tick: what answered Running and was not halted (T4).
    pub(crate) after: BTreeSet<u32>,
    /// What its turn answered: nothing for one that an AbortWhen took out.
    pub(crate) root: Option<Status>,
    /// Whether it is in the tree behind the tick.
    pub(crate) loaded: bool,
}

/// One tick, and what came before it.
#[derive(Debug)]
pub(crate) struct Chapter {
    pub(crate) deeds: Vec<Deed>,
    pub(crate) dt: Duration,
    /// By place.
    pub(crate) told: Vec<Told>,
}

#[derive(Debug)]
pub(crate) struct Story {
    pub(crate) tree: Tree,
    pub(crate) script: Script,
    pub(crate) chapters: Vec<Chapter>,
}

/// Which ids spawned actors get: a place is given out again, under another generation, behind the tick
/// after the one that halted who was there.
#[derive(Default)]
struct Places {
    generations: Vec<u32>,
    free: BTreeSet<u32>,
    /// Emptied since the last tick, since the one before, and so on.
    emptied: VecDeque<Vec<u32>>,
}

impl Places {
    fn spawn(&mut self) -> ActorId {
        let index = self.free.pop_first().unwrap_or_else(|| {
            self.generations.push(0);
            self.generations.len() as u32 - 1
        });
        ActorId::new(index, self.generations[index as usize])
    }

    fn tick(&mut self, despawned: Vec<u32>) {
        self.emptied.push_front(despawned);
        for index in self.emptied.drain(1..).flatten() {
            self.generations[index as usize] += 1;
            self.free.insert(index);
        }
    }
}

/// An actor under the reference.
struct Actor<'t> {
    id: ActorId,
    reference: Reference<'t>,
    alive: bool,
    loaded: bool,
    leave: Option<Leave>,
    interval: Interval,
    columns: Vec<Value>,
    persistent: Vec<Status>,
    results: Vec<Option<Finish>>,
    runs: BTreeSet<u32>,
    last: Option<u64>,
}

impl<'t> Actor<'t> {
    fn new(tree: &'t Tree, script: Script, id: ActorId, times: &[u64]) -> Actor<'t> {
        let mut reference = Reference::new(tree).with_identity(script.seed, id.to_bits());
        for &dt in times {
            reference.skip(dt);
        }
        Actor {
            id,
            alive: true,
            loaded: true,
            leave: None,
            interval: Interval::ALWAYS,
            columns: COLUMNS.iter().map(|(_, default)| *default).collect(),
            persistent: vec![Status::Running; reference.persistent_slots()],
            results: vec![None; reference.deferred_slots()],
            runs: BTreeSet::new(),
            last: None,
            reference,
        }
    }

    fn leaves(&mut self, leave: Leave) {
        // A reset forgets more than an unload does.
        if self.leave != Some(Leave::Reset) {
            self.leave = Some(leave);
        }
    }

    fn tick(&mut self, script: Script, tick: u64, dt: u64, world: &[Value]) -> Told {
        let mut host = ScriptHost::new(script, self.id.to_bits(), tick);
        let before = self.runs.clone();
        let left = self.leave.take().map(|leave| {
            let (columns, results) = (&mut self.columns, &self.results);
            let release = self
                .reference
                .release(leave, columns, world, results, &mut host);
            self.results.fill(None);
            self.runs.clear();
            release.halts.into_iter().collect::<BTreeSet<u32>>()
        });
        let walks = self.alive && self.loaded && self.interval.is_due(tick + 1);
        let (mut trace, mut root) = (None, None);
        if walks {
            let inputs = Inputs {
                dt,
                columns: &mut self.columns,
                world,
                results: &self.results,
                persistent: &self.persistent,
            };
            let (observation, seen) = self.reference.tick(inputs, &mut host);
            self.results.fill(None);
            root = observation.root;
            self.loaded = root.is_some();
            let answered = seen.visits.iter();
            self.runs = answered
                .filter(|visit| visit.answer == Some(Status::Running))
                .map(|visit| visit.index)
                .filter(|index| !seen.halts.contains(index))
                .collect();
            trace = Some(seen);
        } else {
            self.reference.skip(dt);
        }
        let last = self.last;
        if walks || left.is_some() {
            self.last = Some(tick);
        }
        Told {
            actor: self.id,
            last,
            before,
            left,
            trace,
            after: self.runs.clone(),
            root,
            loaded: self.loaded,
        }
    }
}

const INTERVALS: [Interval; 6] = [
    Interval::ALWAYS,
    Interval::new(2, 0),
    Interval::new(2, 1),
    Interval::new(3, 2),
    Interval::ALWAYS,
    Interval::new(5, 3),
];

impl Story {
    /// So many actors at the beginning, so many ticks. A third of the stories has intervals from the start.
    pub(crate) fn tell(tree: Tree, seed: u64, actors: usize, ticks: u64) -> Story {
        let script = Script { seed };
        let chapters = Teller::new(&tree, script).chapters(actors, ticks);
        Story {
            tree,
            script,
            chapters,
        }
    }
}

struct Teller<'t> {
    tree: &'t Tree,
    script: Script,
    places: Places,
    /// By place.
    actors: Vec<Actor<'t>>,
    world: Vec<Value>,
    /// Microseconds of the ticks so far.
    times: Vec<u64>,
    deeds: Vec<Deed>,
}

impl<'t> Teller<'t> {
    fn new(tree: &'t Tree, script: Script) -> Teller<'t> {
        Teller {
            tree,
            script,
            places: Places::default(),
            actors: Vec::new(),
            world: WORLD.iter().map(|(_, default)| *default).collect(),
            times: Vec::new(),
            deeds: Vec::new(),
        }
    }

    fn chapters(mut self, actors: usize, ticks: u64) -> Vec<Chapter> {
        for _ in 0..actors {
            self.spawn(true);
        }
        if self.script.seed.is_multiple_of(3) {
            for place in 0..actors {
                self.set_interval(place, place as u64);
            }
        }
        (0..ticks).map(|tick| self.chapter(tick)).collect()
    }

    fn chapter(&mut self, tick: u64) -> Chapter {
        for (index, value) in self.world.iter_mut().enumerate() {
            if let Some(written) = self.script.world(tick, index) {
                *value = written;
                self.deeds.push(Deed::World(index, written));
            }
        }
        self.results(tick);
        if tick > 0 {
            self.lives(tick);
        }
        self.inputs(tick);
        let dt = self.script.dt(tick);
        self.times.push(dt);
        let (script, world) = (self.script, &self.world);
        let told = self.actors.iter_mut();
        let told = told
            .map(|actor| actor.tick(script, tick, dt, world))
            .collect();
        let gone = self.actors.extract_if(.., |actor| !actor.alive);
        self.places
            .tick(gone.map(|actor| actor.id.index()).collect());
        Chapter {
            deeds: std::mem::take(&mut self.deeds),
            dt: Duration::from_micros(dt),
            told,
        }
    }

    fn spawn(&mut self, loaded: bool) {
        let id = self.places.spawn();
        let mut actor = Actor::new(self.tree, self.script, id, &self.times);
        actor.loaded = loaded;
        let place = self
            .actors
            .partition_point(|other| other.id.index() < id.index());
        self.actors.insert(place, actor);
        self.deeds.push(Deed::Spawn(id, loaded));
    }

    fn set_interval(&mut self, place: usize, pick: u64) {
        let actor = &mut self.actors[place];
        actor.interval = INTERVALS[pick as usize % INTERVALS.len()];
        self.deeds.push(Deed::Interval(actor.id, actor.interval));
    }

    /// Results that are taken: one for each action that waits for one.
    fn results(&mut self, tick: u64) {
        for actor in &mut self.actors {
            for (slot, result) in actor.results.iter_mut().enumerate() {
                if result.is_some() || !actor.reference.is_outstanding(slot) {
                    continue;
                }
                *result = self.script.result(actor.id.to_bits(), tick, slot);
                if let Some(finish) = *result {
                    let slot = SlotIndex::from(slot);
                    self.deeds.push(Deed::Result(actor.id, slot, finish));
                }
            }
        }
    }

    /// Loads, unloads, resets, despawns, spawns, other turns.
    fn lives(&mut self, tick: u64) {
        let seed = self.script.seed;
        let fates: Vec<u64> = self
            .actors
            .iter()
            .map(|actor| draw(seed, &[71, actor.id.to_bits(), tick]))
            .collect();
        let whose = |wanted: &[u64]| -> Vec<usize> {
            let fates = fates.iter().enumerate();
            fates
                .filter(|(_, fate)| wanted.contains(&(*fate % 48)))
                .map(|(place, _)| place)
                .collect()
        };
        self.act(Act::Unload, &whose(&[0, 2, 3, 4]));
        // Some who are in, and all those who are out now and then.
        let mut loads = whose(&[2, 4, 5]);
        for (place, fate) in fates.iter().enumerate() {
            if !self.actors[place].loaded && (16..28).contains(&(fate % 48)) {
                loads.push(place);
            }
        }
        loads.sort_unstable();
        self.act(Act::Load, &loads);
        self.act(Act::Unload, &whose(&[4, 6]));
        self.act(Act::Reset, &whose(&[1, 3, 5, 7]));
        let despawned = whose(&[7, 8, 9]);
        self.act(Act::Despawn, &despawned);
        for place in whose(&[10]) {
            self.set_interval(place, fates[place] >> 8);
        }
        // As many as are gone, some of them later.
        for place in despawned {
            let fate = fates[place] >> 12;
            if fate % 4 > 0 {
                self.spawn(fate % 4 > 1);
            }
        }
        if draw(seed, &[72, tick]).is_multiple_of(5) {
            self.spawn(true);
        }
    }

    fn act(&mut self, act: Act, places: &[usize]) {
        let mut changed = 0;
        for &place in places {
            let actor = &mut self.actors[place];
            changed += usize::from(match act {
                Act::Unload => {
                    actor.leaves(Leave::Unload);
                    std::mem::take(&mut actor.loaded)
                }
                Act::Load => !std::mem::replace(&mut actor.loaded, true),
                Act::Reset => {
                    actor.leaves(Leave::Reset);
                    true
                }
                Act::Despawn => {
                    actor.leaves(Leave::Reset);
                    actor.loaded = false;
                    std::mem::take(&mut actor.alive)
                }
            });
        }
        let actors = places.iter().map(|&place| self.actors[place].id).collect();
        self.deeds.push(Deed::All(act, actors, changed));
    }

    /// What systems write for those who live.
    fn inputs(&mut self, tick: u64) {
        for actor in self.actors.iter_mut().filter(|actor| actor.alive) {
            let bits = actor.id.to_bits();
            for (column, value) in actor.columns.iter_mut().enumerate() {
                if let Some(written) = self.script.column(bits, tick, column) {
                    *value = written;
                    let column = ColumnIndex::from(column);
                    self.deeds.push(Deed::Column(actor.id, column, written));
                }
            }
            for (slot, status) in actor.persistent.iter_mut().enumerate() {
                if let Some(written) = self.script.persistent(bits, tick, slot) {
                    *status = written;
                    let slot = SlotIndex::from(slot);
                    self.deeds.push(Deed::Persistent(actor.id, slot, written));
                }
            }
        }
    }
}
