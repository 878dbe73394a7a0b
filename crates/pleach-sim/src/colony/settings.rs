//! How large a colony is, and how long it runs.

use std::time::Duration;

use crate::scenario::OutOfRange;

/// The most dwarves of a colony.
pub const MAX_DWARVES: u32 = 1_000_000;

/// The most plants, and the most workshops.
pub const MAX_PLACES: u32 = 1_000_000;

/// The fewest plants of a colony in proportion to its dwarves.
pub const FEWEST_PLANTS: u32 = 20;

/// The fewest workshops of one.
pub const FEWEST_WORKSHOPS: u32 = 3;

/// The widest and the highest map, in places.
pub const MAX_SIDE: u16 = 8_192;

/// The least, for each.
pub const MIN_SIDE: u16 = 8;

/// How large a colony is, and how long it runs.
///
/// The defaults are those of the test bed in "Compiling behavior trees to logic programs" (2025): a thousand
/// dwarves, two hundred plants at a time, up to fifty workshops.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// How many dwarves live there: 1 to [`MAX_DWARVES`].
    pub dwarves: u32,
    /// How many plants stand at a time, once they have come up: 0 to [`MAX_PLACES`]. Without plants
    /// there is nothing to harvest and nothing gets built.
    pub plants: u32,
    /// How many workshops may be built: 0 to [`MAX_PLACES`].
    pub workshops: u32,
    /// How many places the map has from west to east: [`MIN_SIDE`] to [`MAX_SIDE`].
    pub width: u16,
    /// How many from north to south: the same.
    pub height: u16,
    /// How many ticks pass: 1 to [`MAX_TICKS`](crate::MAX_TICKS).
    pub ticks: u32,
    /// The time between two ticks. Plants grow by the clock; a dwarf takes a step a tick.
    pub dt: Duration,
    /// The seed of everything random.
    pub seed: u64,
    /// How many plants are cut for the wood of a workshop.
    pub wood_per_workshop: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            dwarves: 1_000,
            plants: 200,
            workshops: 50,
            width: 96,
            height: 40,
            ticks: 3_000,
            dt: Duration::from_millis(100),
            seed: 1,
            wood_per_workshop: 30,
        }
    }
}

impl Settings {
    /// A colony of so many dwarves, in which everything else is as large in proportion: plants, workshops
    /// and map. But there are [`FEWEST_PLANTS`] and [`FEWEST_WORKSHOPS`] at least: the built-in dwarves leave
    /// the last five plants and the last workshop alone, and a few dwarves would never do anything.
    ///
    /// ```
    /// use pleach_sim::colony::Settings;
    ///
    /// let Settings { plants, workshops, width, height, .. } = Settings::of_dwarves(250);
    /// assert_eq!((plants, workshops, width, height), (50, 13, 48, 20));
    /// let alone = Settings::of_dwarves(1);
    /// assert_eq!((alone.plants, alone.workshops, alone.width), (20, 3, 8));
    /// ```
    pub fn of_dwarves(dwarves: u32) -> Settings {
        let usual = Settings::default();
        let scale = f64::from(dwarves) / f64::from(usual.dwarves);
        let times =
            |count: u32| (f64::from(count) * scale).ceil().min(f64::from(MAX_PLACES)) as u32;
        let side = |side: u16| {
            let side = f64::from(side) * scale.sqrt();
            side.clamp(f64::from(MIN_SIDE), f64::from(MAX_SIDE)) as u16
        };
        Settings {
            dwarves,
            plants: times(usual.plants).max(FEWEST_PLANTS),
            workshops: times(usual.workshops).max(FEWEST_WORKSHOPS),
            width: side(usual.width),
            height: side(usual.height),
            ..usual
        }
    }

    /// Whether all numbers are in range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), OutOfRange> {
        let side = u32::from(MIN_SIDE)..=u32::from(MAX_SIDE);
        let ranges = [
            ("dwarves", self.dwarves, 1..=MAX_DWARVES),
            ("plants", self.plants, 0..=MAX_PLACES),
            ("workshops", self.workshops, 0..=MAX_PLACES),
            ("places from west to east", self.width.into(), side.clone()),
            ("places from north to south", self.height.into(), side),
            ("ticks", self.ticks, 1..=crate::scenario::MAX_TICKS),
        ];
        for (what, given, allowed) in ranges {
            OutOfRange::check(what, given, *allowed.start(), *allowed.end())?;
        }
        Ok(())
    }
}
