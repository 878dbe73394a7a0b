//! The map in characters.

use std::fmt;

use pleach_sim::colony::{Cell, Grid, Group, Map, Sample, Scene, Totals};

use super::{WIDTH, glyph};
use crate::number::{grouped, short};
use crate::style::Style;

/// A scene in a frame.
pub(crate) struct Drawing<'a> {
    scene: &'a Scene,
    style: Style,
    legend: bool,
}

impl<'a> Drawing<'a> {
    /// The map alone.
    pub(crate) fn new(scene: &'a Scene, style: Style) -> Drawing<'a> {
        Drawing {
            scene,
            style,
            legend: false,
        }
    }

    /// With a line below it for each group of things: their characters and numbers.
    pub(crate) fn with_legend(self) -> Drawing<'a> {
        Drawing {
            legend: true,
            ..self
        }
    }

    /// A line of cells. What is alike and side by side is painted at once.
    fn line(&self, cells: &[Cell]) -> String {
        let mut line = String::new();
        for alike in cells.chunk_by(|a, b| a.top() == b.top()) {
            let Some(thing) = alike.first().and_then(Cell::top) else {
                line.push_str(&" ".repeat(alike.len()));
                continue;
            };
            let glyphs = glyph(thing).to_string().repeat(alike.len());
            line.push_str(&self.style.thing(thing, &glyphs));
        }
        line
    }

    fn group(&self, f: &mut fmt::Formatter<'_>, group: &Group, now: &Sample) -> fmt::Result {
        let mut line = format!("{:<9}", group.many);
        for &thing in group.things {
            let glyph = self.style.thing(thing, &glyph(thing).to_string());
            let text = format!("{} {}", short(now.count(thing).into()), thing.name());
            line.push_str(&format!("  {glyph} {text:<14}"));
        }
        writeln!(f, "{}", line.trim_end())
    }
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let map = Map::of(self.scene, Grid::TERMINAL);
        let title = match self.scene.tick {
            0 => " the map before the first tick ".to_owned(),
            tick => format!(" the map after tick {} ", grouped(tick)),
        };
        // A small map still has a frame that is as wide as its title.
        let inner = map.columns().max(title.chars().count() + 1).min(WIDTH - 2);
        let dim = |text: &str| self.style.dim(text);
        let rest = "─".repeat(inner.saturating_sub(title.chars().count() + 1));
        writeln!(
            f,
            "{}{}{}",
            dim("┌─"),
            self.style.strong(&title),
            dim(&format!("{rest}┐"))
        )?;
        for cells in map.rows() {
            let blank = " ".repeat(inner - cells.len().min(inner));
            writeln!(f, "{}{}{blank}{}", dim("│"), self.line(cells), dim("│"))?;
        }
        writeln!(f, "{}", dim(&format!("└{}┘", "─".repeat(inner))))?;
        if self.legend {
            let now = self.scene.sample(&Totals::default());
            for group in &Group::ALL {
                self.group(f, group, &now)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use pleach_sim::colony::{Doing, Dwarf, Plant, Stage, Workshop};

    use super::*;

    /// A scene of that size with things all over it, the same each time.
    pub(in crate::colony) fn made_up(
        size: (u16, u16),
        dwarves: u32,
        plants: u32,
        workshops: u32,
    ) -> Scene {
        let (width, height) = size;
        let place = |index: u32, salt: u32| {
            let mixed = (u64::from(index * 8 + salt) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let (east, south) = ((mixed >> 40) as u32, (mixed >> 16) as u32);
            let within = |at: u32, size: u16| (at % u32::from(size)) as u16;
            (within(east, width), within(south, height))
        };
        let dwarf = |index: u32| {
            let (x, y) = place(index, 0);
            let doing = match index % 10 {
                0..=6 => Doing::Idle,
                7..=8 => Doing::Harvesting,
                _ => Doing::Working,
            };
            Dwarf { x, y, doing }
        };
        let plant = |index: u32| {
            let (x, y) = place(index, 1);
            let stage = Stage::ALL[index as usize % Stage::ALL.len()];
            Plant { x, y, stage }
        };
        let workshop = |index: u32| {
            let (x, y) = place(index, 2);
            Workshop {
                x,
                y,
                busy: !index.is_multiple_of(5),
            }
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
    fn a_map_is_drawn_character_by_character() {
        let dwarf = |x, y, doing| Dwarf { x, y, doing };
        let scene = Scene {
            tick: 1_500,
            width: 4,
            height: 4,
            dwarves: vec![
                dwarf(0, 0, Doing::Idle),
                dwarf(1, 0, Doing::Harvesting),
                dwarf(2, 0, Doing::Working),
            ],
            plants: vec![Plant {
                x: 3,
                y: 3,
                stage: Stage::Grown,
            }],
            workshops: vec![Workshop {
                x: 2,
                y: 2,
                busy: false,
            }],
        };
        let text = Drawing::new(&scene, Style::PLAIN).to_string();
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                "┌─ the map after tick 1,500 ┐",
                "│·hw                        │",
                "│  □▲                       │",
                "└───────────────────────────┘",
            ]
        );
        let legend = Drawing::new(&scene, Style::PLAIN).with_legend().to_string();
        assert!(legend.starts_with(&text));
        let lines: Vec<&str> = legend.lines().skip(4).collect();
        assert_eq!(
            lines,
            [
                "dwarves    · 1 idle          h 1 harvesting    w 1 working",
                "plants     , 0 sprouts       ı 0 seedlings     ▵ 0 saplings      ▲ 1 trees",
                "workshops  □ 1 free          ■ 0 in use",
            ]
        );
    }

    #[test]
    fn colours_change_no_character() {
        let scene = made_up((96, 40), 1_000, 200, 50);
        let coloured = Drawing::new(&scene, Style::COLOURED)
            .with_legend()
            .to_string();
        let plain = Drawing::new(&scene, Style::PLAIN).with_legend().to_string();
        assert_ne!(coloured, plain);
        assert_eq!(console::strip_ansi_codes(&coloured), plain);
    }

    #[test]
    fn every_map_fits() {
        for size in [
            (1, 1),
            (96, 40),
            (u16::MAX, 1),
            (1, u16::MAX),
            (5_000, 5_000),
        ] {
            for tick in [0, 1, u64::MAX] {
                let mut scene = made_up(size, 2_000_000, 3_000, 3_000);
                scene.tick = tick;
                let text = Drawing::new(&scene, Style::PLAIN).with_legend().to_string();
                let widths = text.lines().map(console::measure_text_width);
                assert!(widths.max().unwrap() <= WIDTH, "{text}");
                assert!(text.lines().count() <= 21, "{text}");
            }
        }
    }
}
