//! What stands and walks on the map at one moment.

use serde::Serialize;

use super::figures::Totals;
use super::history::Sample;

/// Everything that stands or walks on the map at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scene {
    /// How many ticks were done: 0 before the first one.
    pub tick: u64,
    /// How many places the map has from west to east.
    pub width: u16,
    /// How many from north to south.
    pub height: u16,
    /// All dwarves.
    pub dwarves: Vec<Dwarf>,
    /// All plants that stand.
    pub plants: Vec<Plant>,
    /// All workshops that are built.
    pub workshops: Vec<Workshop>,
}

/// A dwarf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dwarf {
    /// Its place from the west, below the scene's `width`.
    pub x: u16,
    /// Its place from the north, below the scene's `height`.
    pub y: u16,
    /// What it does.
    pub doing: Doing,
}

/// What a dwarf does. The way to a place is a part of what it will do there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Doing {
    /// Nothing.
    Idle,
    /// It walks to a plant, or cuts it.
    Harvesting,
    /// It walks to a workshop, or works in it.
    Working,
}

/// A plant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plant {
    /// Its place from the west, below the scene's `width`.
    pub x: u16,
    /// Its place from the north, below the scene's `height`.
    pub y: u16,
    /// How far it has grown.
    pub stage: Stage,
}

/// How far a plant has grown; a later stage is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// It has come up.
    Sprout,
    /// The second stage.
    Seedling,
    /// The third.
    Sapling,
    /// A tree; it stays one until it is cut.
    Grown,
}

/// A workshop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Workshop {
    /// Its place from the west, below the scene's `width`.
    pub x: u16,
    /// Its place from the north, below the scene's `height`.
    pub y: u16,
    /// Whether a dwarf works in it or is on its way to it.
    pub busy: bool,
}

/// A number for each stage of growth. Serialises to an object with a key for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize)]
pub struct ByStage<N> {
    /// Of sprouts.
    pub sprout: N,
    /// Of seedlings.
    pub seedling: N,
    /// Of saplings.
    pub sapling: N,
    /// Of grown trees.
    pub grown: N,
}

impl Doing {
    /// All that a dwarf can do.
    pub const ALL: [Doing; 3] = [Doing::Idle, Doing::Harvesting, Doing::Working];
}

impl Stage {
    /// All stages, in the order of growth.
    pub const ALL: [Stage; 4] = [Stage::Sprout, Stage::Seedling, Stage::Sapling, Stage::Grown];
}

impl<N: Copy> ByStage<N> {
    /// The number of a stage.
    pub fn of(&self, stage: Stage) -> N {
        match stage {
            Stage::Sprout => self.sprout,
            Stage::Seedling => self.seedling,
            Stage::Sapling => self.sapling,
            Stage::Grown => self.grown,
        }
    }

    /// The number of a stage, to change it.
    pub fn of_mut(&mut self, stage: Stage) -> &mut N {
        match stage {
            Stage::Sprout => &mut self.sprout,
            Stage::Seedling => &mut self.seedling,
            Stage::Sapling => &mut self.sapling,
            Stage::Grown => &mut self.grown,
        }
    }
}

impl Scene {
    /// Counts the scene: one sample for a [`History`](super::History). What was harvested and made
    /// until then is taken from the totals.
    pub fn sample(&self, totals: &Totals) -> Sample {
        let mut sample = Sample {
            tick: self.tick,
            workshops: self.workshops.len() as u32,
            harvested: totals.harvested,
            goods: totals.goods,
            ..Sample::default()
        };
        for dwarf in &self.dwarves {
            *match dwarf.doing {
                Doing::Idle => &mut sample.idle,
                Doing::Harvesting => &mut sample.harvesting,
                Doing::Working => &mut sample.working,
            } += 1;
        }
        for plant in &self.plants {
            *sample.plants.of_mut(plant.stage) += 1;
        }
        let busy = self.workshops.iter().filter(|workshop| workshop.busy);
        sample.workshops_busy = busy.count() as u32;
        sample
    }
}

#[cfg(test)]
pub(super) mod tests {
    use pleach_vm::random::draw;

    use super::*;

    /// A scene in which everything lies by chance: the same for the same seed.
    pub(in crate::colony) fn scattered(
        size: (u16, u16),
        dwarves: usize,
        plants: usize,
        workshops: usize,
        seed: u64,
    ) -> Scene {
        let (width, height) = size;
        let roll = |index: usize, of: u32| draw(seed, index as u64, of, 0);
        let place = |index: usize, of: u32| {
            let bits = roll(index, of);
            let x = (bits % u64::from(width)) as u16;
            (x, (bits >> 32) as u16 % height)
        };
        let dwarf = |index| {
            let (x, y) = place(index, 0);
            let doing = match roll(index, 1) % 10 {
                0..=6 => Doing::Idle,
                7..=8 => Doing::Harvesting,
                _ => Doing::Working,
            };
            Dwarf { x, y, doing }
        };
        let plant = |index| {
            let (x, y) = place(index, 2);
            let stage = Stage::ALL[(roll(index, 3) % 4) as usize];
            Plant { x, y, stage }
        };
        let workshop = |index| {
            let (x, y) = place(index, 4);
            let busy = roll(index, 5) % 5 < 4;
            Workshop { x, y, busy }
        };
        Scene {
            tick: 3_000,
            width,
            height,
            dwarves: (0..dwarves).map(dwarf).collect(),
            plants: (0..plants).map(plant).collect(),
            workshops: (0..workshops).map(workshop).collect(),
        }
    }

    #[test]
    fn a_sample_counts_everything_once() {
        let scene = scattered((96, 40), 1_000, 200, 50, 1);
        let totals = Totals {
            harvested: 7,
            goods: 8,
            ..Totals::default()
        };
        let sample = scene.sample(&totals);
        assert_eq!(sample.idle + sample.harvesting + sample.working, 1_000);
        let plants = Stage::ALL.map(|stage| sample.plants.of(stage));
        assert_eq!(plants.iter().sum::<u32>(), 200);
        assert!(plants.iter().all(|&count| count > 0), "{plants:?}");
        let busy = scene.workshops.iter().filter(|workshop| workshop.busy);
        assert_eq!(sample.workshops_busy as usize, busy.count());
        assert_eq!((sample.tick, sample.workshops), (3_000, 50));
        assert_eq!((sample.harvested, sample.goods), (7, 8));
    }
}
