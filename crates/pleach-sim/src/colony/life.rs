//! The colony: its populations, what they stand on, and a frame of its life.

use std::time::{Duration, Instant};

use pleach_shape::BLOCK_LANES;
use pleach_vm::random::{below, draw};
use pleach_vm::table::{ActorSet, PlaneSet};
use pleach_vm::{ActorId, Kernel, Population, Simd};

use super::bodies::Bodies;
use super::error::ColonyError;
use super::figures::Totals;
use super::pairing::Pairing;
use super::scene::{Doing, Dwarf, Plant, Scene, Stage, Workshop};
use super::settings::Settings;
use super::trees::{DwarfKeys, PlantKeys, Trees};
use crate::fingerprint::{Fingerprint, Folding};

/// What the colony's own draws are for; rules and trees draw from other streams.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// Where a dwarf begins.
    Home = 0,
    /// Where a plant comes up.
    Plot = 1,
    /// Where a workshop is built.
    Site = 2,
    /// How long a dwarf cuts a plant.
    Cutting = 3,
    /// How long a shift is.
    Shift = 4,
}

/// What a claim holds that is none: no actor ever has this id.
pub(super) const NOBODY: u64 = u64::MAX;

/// Dwarves, plants and workshops on a map.
///
/// A frame has three parts. **Rules** read what the trees did in the last tick as
/// [tables](pleach_vm::table), decide who gets what, and write conditions for the next one; **decisions** are
/// the ticks of both populations; in the **movement** every dwarf that is on its way takes a step.
///
/// ```
/// use pleach_sim::colony::{Colony, Settings, Trees};
///
/// let settings = Settings { dwarves: 300, ..Settings::default() };
/// let mut colony = Colony::found(settings, &Trees::built_in()?)?;
/// for _ in 0..1_000 {
///     colony.frame()?;
/// }
/// assert!(colony.totals().harvested > 100);
/// assert_eq!(colony.scene().dwarves.len(), 300);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Colony {
    pub(super) settings: Settings,
    pub(super) dwarves: Population,
    pub(super) plants: Population,
    pub(super) dwarf_keys: DwarfKeys,
    pub(super) plant_keys: PlantKeys,
    pub(super) bodies: Bodies,
    /// Where plants stand, by their place in the population.
    pub(super) plots: Vec<[i16; 2]>,
    /// Where workshops stand, in the order in which they were built.
    pub(super) sites: Vec<[i16; 2]>,
    pub(super) wood: u64,
    pub(super) totals: Totals,
    /// Plants and workshops that nobody has claimed.
    pub(super) unclaimed: [usize; 2],
    /// Frames behind it.
    pub(super) tick: u32,
    pub(super) sets: Sets,
    folding: Folding,
}

/// What rules work in: memory that is reused.
#[derive(Default)]
pub(super) struct Sets {
    /// Plants that were cut, and are to be taken out.
    pub(super) felled: PlaneSet,
    /// Plants that a dwarf has claimed.
    pub(super) claimed: PlaneSet,
    /// Plants that are cut in this frame.
    pub(super) cut: PlaneSet,
    pub(super) restless: PlaneSet,
    /// Dwarves that are claimed by the other errand than the one that is given out.
    pub(super) engaged: PlaneSet,
    /// Dwarves that look for something to do, and the ones of them that may find it.
    pub(super) seeking: PlaneSet,
    pub(super) candidates: PlaneSet,
    /// Plants that are to be claimed.
    pub(super) offered: PlaneSet,
    /// By workshop: how many dwarves have claimed it.
    pub(super) crews: Vec<u32>,
    pub(super) actors: Vec<ActorId>,
    /// What is on offer: claims, while they are given.
    pub(super) claims: Vec<u64>,
    pub(super) pairing: Pairing,
}

/// How long the parts of a frame took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FrameTime {
    /// Tables are read, claims given, conditions written.
    pub rules: Duration,
    /// The trees of plants and dwarves decide.
    pub decisions: Duration,
    /// Dwarves take a step.
    pub movement: Duration,
}

impl Colony {
    /// Founds a colony: dwarves scattered over the map, no plants yet, no workshops.
    ///
    /// # Errors
    /// When a setting is out of range, a tree lacks what the colony needs, or there is no memory.
    pub fn found(settings: Settings, trees: &Trees) -> Result<Colony, ColonyError> {
        settings.check()?;
        // Each population draws from a seed of its own, or the first dwarf would share its luck with the
        // first plant.
        let seed = |population: u64| draw(settings.seed, population, u32::MAX, 0);
        let mut dwarves = Population::new(trees.dwarf.clone()).with_seed(seed(1));
        let mut plants = Population::new(trees.plant.clone()).with_seed(seed(2));
        let dwarf_keys = DwarfKeys::of(&mut dwarves)?;
        let plant_keys = PlantKeys::of(&mut plants)?;
        for _ in 0..settings.dwarves {
            let dwarf = dwarves.spawn()?;
            dwarves.set(dwarf, dwarf_keys.claim, NOBODY)?;
        }
        let mut colony = Colony {
            bodies: Bodies::new(dwarves.block_count()),
            dwarves,
            plants,
            dwarf_keys,
            plant_keys,
            plots: Vec::new(),
            sites: Vec::new(),
            wood: 0,
            totals: Totals::default(),
            unclaimed: [0; 2],
            tick: 0,
            sets: Sets::default(),
            folding: Folding::default(),
            settings,
        };
        for dwarf in 0..colony.settings.dwarves {
            let home = colony.somewhere(dwarf.into(), Purpose::Home);
            colony.bodies.put(dwarf as usize, home);
        }
        Ok(colony)
    }

    /// Chooses the kernel that walks the trees: the same life, at another speed.
    pub fn set_kernel(&mut self, kernel: Kernel) {
        self.dwarves.set_kernel(kernel);
        self.plants.set_kernel(kernel);
    }

    /// Chooses the instruction set: the same life, at another speed.
    pub fn set_simd(&mut self, simd: Simd) {
        self.dwarves.set_simd(simd);
        self.plants.set_simd(simd);
    }

    /// Lives through a frame. Gives how long its parts took.
    ///
    /// # Errors
    /// When there is no memory for another plant; and where what rules found is refused, which would be a bug.
    pub fn frame(&mut self) -> Result<FrameTime, ColonyError> {
        let begun = Instant::now();
        self.apply_rules()?;
        let ruled = Instant::now();
        self.plants.tick(self.settings.dt);
        self.dwarves.tick(self.settings.dt);
        let decided = Instant::now();
        self.bodies.step();
        let moved = Instant::now();
        self.tick += 1;
        Ok(FrameTime {
            rules: ruled - begun,
            decisions: decided - ruled,
            movement: moved - decided,
        })
    }

    /// How many frames it has lived through.
    pub fn tick(&self) -> u32 {
        self.tick
    }

    /// How large it is.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What was done since it was founded.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// The dwarves.
    pub fn dwarves(&self) -> &Population {
        &self.dwarves
    }

    /// The plants.
    pub fn plants(&self) -> &Population {
        &self.plants
    }

    /// Everything that is to be seen.
    pub fn scene(&self) -> Scene {
        let spot = |[x, y]: [i16; 2]| (x.max(0) as u16, y.max(0) as u16);
        let doing = |dwarf: ActorId| {
            let keys = &self.dwarf_keys;
            // Who has just begun only looks for a place, and may find none.
            let is_at = |node| {
                let table = self.dwarves.table(node);
                table.is_ok_and(|table| table.active().minus(table.started()).contains(dwarf))
            };
            if is_at(keys.harvest.node) {
                Doing::Harvesting
            } else if is_at(keys.work.node) {
                Doing::Working
            } else {
                Doing::Idle
            }
        };
        let dwarf = |dwarf: ActorId| {
            let place = dwarf.index() as usize;
            let (x, y) = spot([self.bodies.x[place], self.bodies.y[place]]);
            Dwarf {
                x,
                y,
                doing: doing(dwarf),
            }
        };
        let mut plants = Vec::new();
        // A tree may be in several stages at once; it is one plant, in the last of them.
        let mut later = PlaneSet::new();
        let stages = Stage::ALL.into_iter().zip(self.plant_keys.stages);
        for (stage, node) in stages.rev() {
            if let Ok(table) = self.plants.table(node) {
                let seen = self.plants.those_in(&later);
                let standing = table.active().minus(seen);
                plants.extend(standing.actors().map(|plant| {
                    let (x, y) = spot(self.plots[plant.index() as usize]);
                    Plant { x, y, stage }
                }));
                let mut all = PlaneSet::new();
                table.active().or(seen).store(&mut all);
                later = all;
            }
        }
        let mut crews = vec![0; self.sites.len()];
        if let Ok(table) = self.dwarves.table(self.dwarf_keys.work.node) {
            // Who has just begun has no claim yet. The key is the population's own.
            let working = table.active().minus(table.started());
            let _ = working.count_by(self.dwarf_keys.claim, &mut crews);
        }
        let workshop = |(&site, &crew): (&[i16; 2], &u32)| {
            let (x, y) = spot(site);
            Workshop {
                x,
                y,
                busy: crew > 0,
            }
        };
        Scene {
            tick: self.tick.into(),
            width: self.settings.width,
            height: self.settings.height,
            dwarves: self.dwarves.actors().map(dwarf).collect(),
            plants,
            workshops: self.sites.iter().zip(&crews).map(workshop).collect(),
        }
    }

    /// Adds the frame's outcome to the colony's fingerprint: who does what and where, and what stands.
    pub fn fold(&mut self) {
        let folding = &mut self.folding;
        let keys = &self.dwarf_keys;
        let watched = [
            (&self.dwarves, keys.harvest.node),
            (&self.dwarves, keys.work.node),
            (&self.dwarves, keys.rest),
            (&self.plants, self.plant_keys.growth),
        ];
        let stages = self.plant_keys.stages.map(|node| (&self.plants, node));
        for (population, node) in watched.into_iter().chain(stages) {
            let Ok(table) = population.table(node) else {
                continue;
            };
            for block in 0..population.block_count() {
                folding.plane(table.active().plane(block));
                folding.plane(table.started().plane(block));
                folding.plane(table.ended().plane(block));
                folding.plane(table.aborted().plane(block));
            }
        }
        for block in 0..self.dwarves.block_count() {
            // The key is the population's own.
            for &claim in self.dwarves.values(keys.claim, block).unwrap_or(&[]) {
                folding.word(claim);
            }
        }
        for (x, y) in self.bodies.x.iter().zip(&self.bodies.y) {
            folding.word((*x as u64) << 16 ^ *y as u64);
        }
        for word in [self.wood, self.totals.harvested, self.totals.goods] {
            folding.word(word);
        }
        folding.word(self.sites.len() as u64);
    }

    /// Everything that was [folded](Colony::fold) as one number: the same for every kernel, instruction set and
    /// number of threads.
    pub fn fingerprint(&self) -> Fingerprint {
        Folding::finish([self.folding])
    }

    /// 64 random bits of the colony's own.
    pub(super) fn roll(&self, key: u64, purpose: Purpose) -> u64 {
        draw(self.settings.seed, key, purpose as u32, self.tick.into())
    }

    /// A place on the map by chance.
    pub(super) fn somewhere(&self, key: u64, purpose: Purpose) -> [i16; 2] {
        let bits = self.roll(key, purpose);
        // Sides are below 2^13.
        let side = |bits: u64, side: u16| below(bits, side.into()) as i16;
        [
            side(bits, self.settings.width),
            side(bits << 32, self.settings.height),
        ]
    }

    /// How long something lasts: a tick of the range by chance.
    pub(super) fn lasting(&self, dwarf: ActorId, purpose: Purpose, [least, most]: [u32; 2]) -> u32 {
        let bits = self.roll(dwarf.to_bits(), purpose);
        least + below(bits, u64::from(most - least) + 1) as u32
    }

    /// Makes room for the plots of all plants' places.
    pub(super) fn plan_plots(&mut self) {
        let places = self.plants.block_count() * BLOCK_LANES;
        self.plots.resize(places, [0; 2]);
    }
}
