//! The director: plays the game around a population, tick by tick.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pleach_shape::{ActionIndex, BLOCK_LANES, FunctionKind, SlotDef, SlotIndex};
use pleach_vm::{ActorId, BlockMut, Kernel, Outcome, Plane, Population, Requests, Status};
use rayon::prelude::*;

use crate::dice::{Dice, Purpose, stream};
use crate::error::RunError;
use crate::figures::ActionFigures;
use crate::fingerprint::{Fingerprint, Folding};
use crate::read::functions;
use crate::scenario::{MAX_MEMORY, Scenario};
use crate::script::End;

/// Plays a scenario around its population. A step is [`refresh`](Director::refresh), a tick of the
/// population, [`carry_out`](Director::carry_out).
pub(crate) struct Director<'s> {
    scenario: &'s Scenario,
    dice: Dice,
    /// The tick under way, from 1.
    tick: u32,
    deferred: Vec<Leaf>,
    persistent: Vec<Leaf>,
    /// One a block. Locked by the thread that has the block, so never contended: the closure that
    /// a population runs over its blocks can share things, but not own a part for each block.
    blocks: Vec<Mutex<BlockPart>>,
    world_hash: Folding,
}

/// What a slot's leaf does.
#[derive(Clone, Copy)]
struct Leaf {
    action: ActionIndex,
    /// Its stream of draws.
    stream: u32,
}

/// The director's part of a block. Lists are slot by slot.
struct BlockPart {
    /// The tick at which each lane's running action ends, [`BLOCK_LANES`] for each slot.
    due: Vec<u32>,
    /// Results of this tick.
    results: Vec<Answers>,
    /// Persistent statuses of this tick.
    pulses: Vec<Answers>,
    /// Results of this tick that are errors.
    errors: Vec<(ActorId, SlotIndex, u32)>,
    tallies: Vec<Tally>,
    hash: Folding,
}

/// The lanes that got an answer.
#[derive(Clone, Copy, Default)]
struct Answers {
    success: Plane,
    failure: Plane,
}

/// What became of a slot's requests.
#[derive(Clone, Copy, Default)]
struct Tally {
    launches: u64,
    continues: u64,
    cancels: u64,
    successes: u64,
    failures: u64,
    errors: u64,
}

/// A poisoned lock is one whose thread panicked; that panic is on its way up already.
fn lock(part: &Mutex<BlockPart>) -> MutexGuard<'_, BlockPart> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

fn own(part: &mut Mutex<BlockPart>) -> &mut BlockPart {
    part.get_mut().unwrap_or_else(PoisonError::into_inner)
}

impl<'s> Director<'s> {
    /// Sets the stage: all actors there, with their first values.
    ///
    /// # Errors
    /// When the memory is not to be had, or more than [`MAX_MEMORY`].
    pub(crate) fn new(
        scenario: &'s Scenario,
        kernel: Kernel,
        census: bool,
    ) -> Result<(Director<'s>, Population), RunError> {
        let bytes = scenario.memory_bytes();
        if bytes > MAX_MEMORY {
            return Err(RunError::TooLarge { bytes });
        }
        let mut population = Population::new(scenario.shape.clone())
            .with_kernel(kernel)
            .with_seed(scenario.seed);
        if census {
            population = population.with_census();
        }
        for _ in 0..scenario.actors {
            population.spawn().map_err(RunError::Spawn)?;
        }
        bind_functions(scenario, &mut population);
        let tables = scenario.shape.tables();
        let mut director = Director {
            scenario,
            dice: Dice::new(scenario.seed),
            tick: 0,
            deferred: leaves(scenario, &tables.deferred),
            persistent: leaves(scenario, &tables.persistent),
            blocks: Vec::new(),
            world_hash: Folding::default(),
        };
        for _ in 0..population.block_count() {
            let part = director.block_part().ok_or(RunError::NoMemory { bytes })?;
            director.blocks.push(Mutex::new(part));
        }
        director.start(&mut population);
        Ok((director, population))
    }

    fn block_part(&self) -> Option<BlockPart> {
        let mut due = Vec::new();
        let room = self.deferred.len() * BLOCK_LANES;
        due.try_reserve_exact(room).ok()?;
        due.resize(room, u32::MAX);
        Some(BlockPart {
            due,
            results: vec![Answers::default(); self.deferred.len()],
            pulses: vec![Answers::default(); self.persistent.len()],
            errors: Vec::new(),
            tallies: vec![Tally::default(); self.deferred.len()],
            hash: Folding::default(),
        })
    }

    /// The first actor of a block, and how many it holds: all places are taken from the first on.
    fn actors_of(&self, block: usize) -> (u64, usize) {
        let first = block * BLOCK_LANES;
        let count = (self.scenario.actors as usize)
            .saturating_sub(first)
            .min(BLOCK_LANES);
        (first as u64, count)
    }

    fn start(&self, population: &mut Population) {
        for track in &self.scenario.world {
            track.start(population, self.dice);
        }
        population.par_blocks(|mut block| {
            let (first, count) = self.actors_of(block.index());
            for track in &self.scenario.columns {
                track.start(&mut block, self.dice, first, count);
            }
        });
    }

    /// Phases 1 and 2 of the next tick: persistent actions answer, results of deferred ones come
    /// in and have their effects, then world values and columns move.
    pub(crate) fn refresh(&mut self, population: &mut Population) {
        self.tick += 1;
        for track in &self.scenario.world {
            track.refresh(population, self.dice, self.tick.into());
        }
        population.par_blocks(|mut block| self.refresh_block(&mut block));
        // Errors go in one by one, and in the order of blocks, since the report lists them.
        for part in &mut self.blocks {
            for (actor, slot, code) in own(part).errors.drain(..) {
                let taken = population.set_result(actor, slot, Outcome::Error(code));
                debug_assert!(
                    taken.is_ok(),
                    "the actor was waiting for a result: {taken:?}"
                );
            }
        }
    }

    fn refresh_block(&self, block: &mut BlockMut<'_>) {
        let Some(part) = self.blocks.get(block.index()) else {
            return;
        };
        let part = &mut *lock(part);
        self.pulse(block, part);
        for slot in 0..self.deferred.len() {
            self.deliver(block, part, slot);
        }
        let (first, count) = self.actors_of(block.index());
        for track in &self.scenario.columns {
            track.refresh(block, self.dice, self.tick.into(), first, count);
        }
    }

    /// Writes the status of all persistent actions.
    fn pulse(&self, block: &mut BlockMut<'_>, part: &mut BlockPart) {
        let (first, count) = self.actors_of(block.index());
        let lanes = Plane::first(count);
        for (slot, leaf) in self.persistent.iter().enumerate() {
            let script = self.scenario.persistent[leaf.action.at()];
            let mut answers = Answers::default();
            for lane in 0..count {
                let actor = first + lane as u64;
                let bits =
                    self.dice
                        .roll(actor, leaf.stream, Purpose::Persistent, self.tick.into());
                match script.answer(bits) {
                    Status::Success => answers.success.put(lane, true),
                    Status::Failure => answers.failure.put(lane, true),
                    Status::Running => {}
                }
            }
            let written = block.set_persistent(
                SlotIndex::from(slot),
                lanes,
                answers.success,
                answers.failure,
            );
            debug_assert!(written.is_ok(), "the slot is one of the shape: {written:?}");
            part.pulses[slot] = answers;
        }
    }

    /// Ends a slot's actions that are due.
    fn deliver(&self, block: &mut BlockMut<'_>, part: &mut BlockPart, slot: usize) {
        let leaf = self.deferred[slot];
        let script = &self.scenario.actions[leaf.action.at()];
        let first = (block.index() * BLOCK_LANES) as u64;
        let index = SlotIndex::from(slot);
        let (mut answers, mut errors) = (Answers::default(), Plane::EMPTY);
        for lane in block.outstanding(index).lanes() {
            if part.due[slot * BLOCK_LANES + lane] > self.tick {
                continue;
            }
            match script.end(self.dice, first + lane as u64, leaf.stream, self.tick) {
                End::Success => answers.success.put(lane, true),
                End::Failure => answers.failure.put(lane, true),
                End::Error => {
                    errors.put(lane, true);
                    part.errors
                        .push((block.actor(lane), index, script.error_code));
                }
            }
        }
        let taken = block.set_results(index, answers.success | answers.failure, answers.success);
        debug_assert_eq!(taken, Ok(answers.success | answers.failure));
        let tally = &mut part.tallies[slot];
        tally.successes += u64::from(answers.success.count());
        tally.failures += u64::from(answers.failure.count());
        tally.errors += u64::from(errors.count());
        answers.failure |= errors;
        part.results[slot] = answers;
        for (effects, lanes) in [
            (&script.on_success, answers.success),
            (&script.on_failure, answers.failure),
        ] {
            if !lanes.is_empty() {
                for effect in effects {
                    effect.apply(block, lanes, self.dice, self.tick.into(), first);
                }
            }
        }
    }

    /// Phase 5: reads the requests, and decides of each action that begins when it ends.
    pub(crate) fn carry_out(&mut self, population: &Population) {
        let requests = population.requests();
        let (scenario, dice, tick) = (self.scenario, self.dice, self.tick);
        let deferred = &self.deferred;
        self.blocks
            .par_iter_mut()
            .enumerate()
            .for_each(|(index, part)| {
                let part = own(part);
                for (slot, leaf) in deferred.iter().enumerate() {
                    let planes = requests.planes(SlotIndex::from(slot), index);
                    let script = &scenario.actions[leaf.action.at()];
                    for lane in planes.launch.lanes() {
                        let actor = (index * BLOCK_LANES + lane) as u64;
                        part.due[slot * BLOCK_LANES + lane] =
                            script.due(dice, actor, leaf.stream, tick);
                    }
                    let tally = &mut part.tallies[slot];
                    tally.launches += u64::from(planes.launch.count());
                    tally.continues += u64::from(planes.keep_on.count());
                    tally.cancels += u64::from(planes.cancel.count());
                }
            });
    }

    /// Folds all that happened in the tick into the fingerprint.
    pub(crate) fn fold(&mut self, population: &mut Population) {
        for track in &self.scenario.world {
            self.world_hash.word(track.read(population));
        }
        population.par_blocks(|block| self.fold_block(&block));
        let requests = population.requests();
        let slots = self.deferred.len();
        self.blocks
            .par_iter_mut()
            .enumerate()
            .for_each(|(index, part)| {
                fold_requests(requests, index, slots, &mut own(part).hash);
            });
    }

    fn fold_block(&self, block: &BlockMut<'_>) {
        let Some(part) = self.blocks.get(block.index()) else {
            return;
        };
        let BlockPart {
            results,
            pulses,
            hash,
            ..
        } = &mut *lock(part);
        for answers in results.iter().chain(pulses.iter()) {
            hash.plane(answers.success);
            hash.plane(answers.failure);
        }
        for status in Status::ALL {
            hash.plane(block.status(status));
        }
        let (_, count) = self.actors_of(block.index());
        for track in &self.scenario.columns {
            track.read(block, count, |word| hash.word(word));
        }
    }

    /// The fingerprint of all ticks that were folded.
    pub(crate) fn fingerprint(&mut self) -> Fingerprint {
        let world = self.world_hash;
        let blocks = self.blocks.iter_mut().map(|part| own(part).hash);
        Folding::finish(blocks.chain([world]))
    }

    /// Forgets what was counted so far: the warm-up is over.
    pub(crate) fn forget_tallies(&mut self) {
        for part in &mut self.blocks {
            own(part).tallies.fill(Tally::default());
        }
    }

    /// What became of the requests of each kind of deferred action, in the order of the shape.
    pub(crate) fn actions(&mut self) -> Vec<ActionFigures> {
        let shape = &self.scenario.shape;
        let mut figures: Vec<Option<ActionFigures>> = vec![None; shape.tables().actions.len()];
        for (slot, leaf) in self.deferred.iter().enumerate() {
            let figures = figures[leaf.action.at()].get_or_insert_with(|| ActionFigures {
                name: shape.action_name(leaf.action).to_owned(),
                ..ActionFigures::default()
            });
            for part in &mut self.blocks {
                let tally = own(part).tallies[slot];
                figures.launches += tally.launches;
                figures.continues += tally.continues;
                figures.cancels += tally.cancels;
                figures.successes += tally.successes;
                figures.failures += tally.failures;
                figures.errors += tally.errors;
            }
        }
        figures.into_iter().flatten().collect()
    }
}

fn fold_requests(requests: Requests<'_>, block: usize, slots: usize, hash: &mut Folding) {
    for slot in 0..slots {
        let planes = requests.planes(SlotIndex::from(slot), block);
        hash.plane(planes.launch);
        hash.plane(planes.keep_on);
        hash.plane(planes.cancel);
    }
}

/// The leaves of slots. Leaves of one action draw from streams of their own.
fn leaves(scenario: &Scenario, slots: &[SlotDef]) -> Vec<Leaf> {
    let shape = &scenario.shape;
    let mut counts = vec![0; shape.tables().actions.len()];
    let leaf = |slot: &SlotDef| {
        let action = ActionIndex(slot.action);
        counts[action.at()] += 1;
        Leaf {
            action,
            stream: stream(shape.action_name(action), counts[action.at()]),
        }
    };
    slots.iter().map(leaf).collect()
}

/// Stand-ins for the tree's tasks and queries. They draw by (seed, actor, node, tick).
fn bind_functions(scenario: &Scenario, population: &mut Population) {
    let shape = &scenario.shape;
    for (index, name) in functions(shape, FunctionKind::Task) {
        let script = scenario.tasks[index];
        let bound = population.on_task(name, move |call: &mut pleach_vm::Call<'_>| {
            script.answer(call.random(0))
        });
        debug_assert!(bound.is_ok(), "the name is the shape's own: {bound:?}");
    }
    for (index, name) in functions(shape, FunctionKind::Query) {
        let holds = scenario.queries[index];
        let bound = population.on_query(name, move |call| holds.hits(call.random(0)));
        debug_assert!(bound.is_ok(), "the name is the shape's own: {bound:?}");
    }
}
