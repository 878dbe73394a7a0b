//! The colony, for people: its map in characters, and the report of a run.

mod audience;
mod map;
mod report;

pub(crate) use audience::{Audience, MOST_PICTURES, Screen, Views};
pub(crate) use map::Drawing;
pub(crate) use report::Report;

use pleach_sim::colony::{Doing, Stage, Thing};

/// Columns of everything that is printed of the colony, at most.
const WIDTH: usize = 80;

/// The character that stands for a kind. All of them are told apart without colours, and each takes
/// one column.
fn glyph(thing: Thing) -> char {
    match thing {
        Thing::Dwarf(Doing::Idle) => '·',
        Thing::Dwarf(Doing::Harvesting) => 'h',
        Thing::Dwarf(Doing::Working) => 'w',
        Thing::Plant(Stage::Sprout) => ',',
        Thing::Plant(Stage::Seedling) => 'ı',
        Thing::Plant(Stage::Sapling) => '▵',
        Thing::Plant(Stage::Grown) => '▲',
        Thing::FreeWorkshop => '□',
        Thing::BusyWorkshop => '■',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_differ_and_take_a_column() {
        let glyphs = Thing::ALL.map(glyph);
        for (index, glyph) in glyphs.iter().enumerate() {
            assert_eq!(console::measure_text_width(&glyph.to_string()), 1);
            assert!(!glyphs[..index].contains(glyph), "{glyph}");
        }
    }
}
