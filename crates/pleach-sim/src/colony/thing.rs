//! Kinds of things: what legends name and pictures tell apart.

use super::history::Sample;
use super::scene::{Doing, Stage};

/// One kind of what can be seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Thing {
    /// A dwarf.
    Dwarf(Doing),
    /// A plant.
    Plant(Stage),
    /// A workshop that nobody has claimed.
    FreeWorkshop,
    /// A workshop that somebody works in or walks to.
    BusyWorkshop,
}

/// Kinds that are counted together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// What one of them is called.
    pub one: &'static str,
    /// What several are called.
    pub many: &'static str,
    /// The kinds, in the order of [`Thing::ALL`].
    pub things: &'static [Thing],
}

impl Thing {
    /// All kinds. Where there is room for one, the last of these is shown. Idle dwarves stand behind
    /// everything, since they are many and nothing depends on where.
    pub const ALL: [Thing; 9] = [
        Thing::Dwarf(Doing::Idle),
        Thing::Plant(Stage::Sprout),
        Thing::Plant(Stage::Seedling),
        Thing::Plant(Stage::Sapling),
        Thing::Plant(Stage::Grown),
        Thing::Dwarf(Doing::Harvesting),
        Thing::Dwarf(Doing::Working),
        Thing::FreeWorkshop,
        Thing::BusyWorkshop,
    ];

    /// What several of a kind are called within their group.
    pub fn name(self) -> &'static str {
        match self {
            Thing::Dwarf(Doing::Idle) => "idle",
            Thing::Dwarf(Doing::Harvesting) => "harvesting",
            Thing::Dwarf(Doing::Working) => "working",
            Thing::Plant(Stage::Sprout) => "sprouts",
            Thing::Plant(Stage::Seedling) => "seedlings",
            Thing::Plant(Stage::Sapling) => "saplings",
            Thing::Plant(Stage::Grown) => "trees",
            Thing::FreeWorkshop => "free",
            Thing::BusyWorkshop => "in use",
        }
    }
}

impl Group {
    /// Dwarves by what they do, plants by stage, workshops by whether they are used.
    pub const ALL: [Group; 3] = [
        Group {
            one: "dwarf",
            many: "dwarves",
            things: &[
                Thing::Dwarf(Doing::Idle),
                Thing::Dwarf(Doing::Harvesting),
                Thing::Dwarf(Doing::Working),
            ],
        },
        Group {
            one: "plant",
            many: "plants",
            things: &[
                Thing::Plant(Stage::Sprout),
                Thing::Plant(Stage::Seedling),
                Thing::Plant(Stage::Sapling),
                Thing::Plant(Stage::Grown),
            ],
        },
        Group {
            one: "workshop",
            many: "workshops",
            things: &[Thing::FreeWorkshop, Thing::BusyWorkshop],
        },
    ];

    /// How many of all its kinds a sample has.
    pub fn count(&self, sample: &Sample) -> u64 {
        let counts = self.things.iter().map(|&thing| sample.count(thing));
        counts.map(u64::from).sum()
    }
}

impl Sample {
    /// How many of a kind there were.
    pub fn count(&self, thing: Thing) -> u32 {
        match thing {
            Thing::Dwarf(Doing::Idle) => self.idle,
            Thing::Dwarf(Doing::Harvesting) => self.harvesting,
            Thing::Dwarf(Doing::Working) => self.working,
            Thing::Plant(stage) => self.plants.of(stage),
            Thing::FreeWorkshop => self.workshops.saturating_sub(self.workshops_busy),
            Thing::BusyWorkshop => self.workshops_busy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_in_one_group() {
        let mut grouped: Vec<Thing> = Vec::new();
        for group in Group::ALL {
            grouped.extend(group.things);
        }
        assert_eq!(grouped.len(), Thing::ALL.len());
        assert!(Thing::ALL.iter().all(|thing| grouped.contains(thing)));
    }

    #[test]
    fn free_workshops_are_those_that_are_not_busy() {
        let sample = Sample {
            workshops: 7,
            workshops_busy: 5,
            ..Sample::default()
        };
        assert_eq!(sample.count(Thing::FreeWorkshop), 2);
        assert_eq!(sample.count(Thing::BusyWorkshop), 5);
        assert_eq!(Group::ALL[2].count(&sample), 7);
    }
}
