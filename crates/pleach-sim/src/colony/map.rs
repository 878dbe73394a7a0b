//! A scene in cells: what a terminal or a picture has room for.

use super::scene::{ByStage, Doing, Scene};
use super::thing::Thing;

/// How many cells there is room for, and their form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    /// Cells side by side, at most.
    pub columns: u16,
    /// Cells below each other, at most.
    pub rows: u16,
    /// How many times as tall as wide a cell is: 2 in a terminal, 1 in a picture.
    pub tall: u16,
}

/// A scene in cells. Each dwarf, plant and workshop is in exactly one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map {
    columns: usize,
    /// Line by line.
    cells: Vec<Cell>,
}

/// What is in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// Idle dwarves.
    pub idle: u32,
    /// Dwarves that harvest.
    pub harvesting: u32,
    /// Dwarves that work.
    pub working: u32,
    /// Plants by their stage.
    pub plants: ByStage<u32>,
    /// Workshops that are busy.
    pub busy: u32,
    /// Workshops that nobody has claimed.
    pub free: u32,
}

impl Grid {
    /// Room in a terminal: 76 columns, 16 lines.
    pub const TERMINAL: Grid = Grid {
        columns: 76,
        rows: 16,
        tall: 2,
    };

    /// How many columns and rows a map of that size is laid out in: as many as there is room for,
    /// with the map's proportions. No cell is wider than a place of the map and nothing else, so a
    /// small map has few cells.
    fn fit(self, width: u16, height: u16) -> (usize, usize) {
        let (width, height) = (f64::from(width.max(1)), f64::from(height.max(1)));
        let (columns, rows) = (f64::from(self.columns.max(1)), f64::from(self.rows.max(1)));
        let tall = f64::from(self.tall.max(1));
        // Places of the map in a cell, from west to east.
        let places = (width / columns).max(height / (rows * tall)).max(1.0);
        let cells = |length: f64, most: f64| (length.round().clamp(1.0, most)) as usize;
        (
            cells(width / places, columns),
            cells(height / (places * tall), rows),
        )
    }
}

impl Map {
    /// Lays a scene out. Whatever lies beyond the scene's edge is in the cell at the edge.
    pub fn of(scene: &Scene, grid: Grid) -> Map {
        let (columns, rows) = grid.fit(scene.width, scene.height);
        let mut cells = vec![Cell::default(); columns * rows];
        let at = |place: u16, cells: usize, places: u16| {
            (usize::from(place) * cells / usize::from(places.max(1))).min(cells - 1)
        };
        let index =
            |x: u16, y: u16| at(y, rows, scene.height) * columns + at(x, columns, scene.width);
        for dwarf in &scene.dwarves {
            let cell = &mut cells[index(dwarf.x, dwarf.y)];
            *match dwarf.doing {
                Doing::Idle => &mut cell.idle,
                Doing::Harvesting => &mut cell.harvesting,
                Doing::Working => &mut cell.working,
            } += 1;
        }
        for plant in &scene.plants {
            let cell = &mut cells[index(plant.x, plant.y)];
            *cell.plants.of_mut(plant.stage) += 1;
        }
        for workshop in &scene.workshops {
            let cell = &mut cells[index(workshop.x, workshop.y)];
            *if workshop.busy {
                &mut cell.busy
            } else {
                &mut cell.free
            } += 1;
        }
        Map { columns, cells }
    }

    /// How many cells are side by side.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The lines of cells, from north to south.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Cell]> {
        self.cells.chunks_exact(self.columns)
    }
}

impl Cell {
    /// How many of a kind it has.
    pub fn count(&self, thing: Thing) -> u32 {
        match thing {
            Thing::Dwarf(Doing::Idle) => self.idle,
            Thing::Dwarf(Doing::Harvesting) => self.harvesting,
            Thing::Dwarf(Doing::Working) => self.working,
            Thing::Plant(stage) => self.plants.of(stage),
            Thing::BusyWorkshop => self.busy,
            Thing::FreeWorkshop => self.free,
        }
    }

    /// What is shown where there is room for one: see [`Thing::ALL`].
    pub fn top(&self) -> Option<Thing> {
        Thing::ALL
            .into_iter()
            .rev()
            .find(|&thing| self.count(thing) > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::scene::tests::scattered;
    use super::super::scene::{Dwarf, Plant, Stage, Workshop};
    use super::*;

    fn total(map: &Map, thing: Thing) -> usize {
        map.rows()
            .flatten()
            .map(|cell| cell.count(thing) as usize)
            .sum()
    }

    #[test]
    fn everything_is_in_exactly_one_cell() {
        let sizes = [
            (96, 40),
            (1, 1),
            (3, 1_000),
            (u16::MAX, 2),
            (60_000, 60_000),
        ];
        for (seed, size) in sizes.into_iter().enumerate() {
            let scene = scattered(size, 1_000, 200, 50, seed as u64);
            let of = |wanted: Doing| {
                let found = scene.dwarves.iter().filter(|dwarf| dwarf.doing == wanted);
                found.count()
            };
            for grid in [
                Grid::TERMINAL,
                Grid {
                    columns: 1,
                    rows: 1,
                    tall: 1,
                },
                Grid {
                    columns: 0,
                    rows: 0,
                    tall: 0,
                },
                Grid {
                    columns: 500,
                    rows: 300,
                    tall: 1,
                },
            ] {
                let map = Map::of(&scene, grid);
                assert!(map.columns() <= usize::from(grid.columns.max(1)));
                assert!(map.rows().len() <= usize::from(grid.rows.max(1)));
                for doing in Doing::ALL {
                    assert_eq!(total(&map, Thing::Dwarf(doing)), of(doing), "{size:?}");
                }
                let plants = Stage::ALL.map(|stage| total(&map, Thing::Plant(stage)));
                assert_eq!(plants.iter().sum::<usize>(), 200);
                let workshops = total(&map, Thing::BusyWorkshop) + total(&map, Thing::FreeWorkshop);
                assert_eq!(workshops, 50);
            }
        }
    }

    #[test]
    fn maps_keep_their_proportions() {
        let size = |width, height, grid| {
            let map = Map::of(&scattered((width, height), 1, 0, 0, 1), grid);
            (map.columns(), map.rows().len())
        };
        assert_eq!(size(96, 40, Grid::TERMINAL), (76, 16));
        assert_eq!(size(76, 32, Grid::TERMINAL), (76, 16));
        assert_eq!(size(40, 16, Grid::TERMINAL), (40, 8));
        assert_eq!(size(1, 1, Grid::TERMINAL), (1, 1));
        assert_eq!(size(1_000, 1_000, Grid::TERMINAL), (32, 16));
        assert_eq!(size(10_000, 10, Grid::TERMINAL), (76, 1));
        let square = Grid {
            columns: 144,
            rows: 66,
            tall: 1,
        };
        assert_eq!(size(96, 40, square), (96, 40));
        assert_eq!(size(960, 400, square), (144, 60));
    }

    #[test]
    fn north_and_west_are_first_and_edges_hold() {
        let idle = |x, y| Dwarf {
            x,
            y,
            doing: Doing::Idle,
        };
        let scene = Scene {
            width: 4,
            height: 4,
            dwarves: vec![idle(0, 0), idle(3, 0), idle(0, 3), idle(99, 99)],
            ..Scene::default()
        };
        let map = Map::of(
            &scene,
            Grid {
                columns: 2,
                rows: 2,
                tall: 1,
            },
        );
        assert!(map.rows().flatten().all(|cell| cell.idle == 1));
        let nowhere = Scene {
            width: 0,
            height: 0,
            ..scene
        };
        assert_eq!(total(&Map::of(&nowhere, Grid::TERMINAL), Thing::ALL[0]), 4);
    }

    #[test]
    fn of_several_things_the_most_important_is_shown() {
        let dwarf = |doing| Dwarf { x: 0, y: 0, doing };
        let mut scene = Scene {
            width: 1,
            height: 1,
            ..Scene::default()
        };
        let top = |scene: &Scene| {
            let map = Map::of(scene, Grid::TERMINAL);
            map.rows().next().unwrap()[0].top()
        };
        assert_eq!(top(&scene), None);
        scene.dwarves = vec![dwarf(Doing::Idle); 9];
        assert_eq!(top(&scene), Some(Thing::Dwarf(Doing::Idle)));
        for stage in Stage::ALL {
            scene.plants.push(Plant { x: 0, y: 0, stage });
            assert_eq!(top(&scene), Some(Thing::Plant(stage)));
        }
        for doing in [Doing::Harvesting, Doing::Working] {
            scene.dwarves.push(dwarf(doing));
            assert_eq!(top(&scene), Some(Thing::Dwarf(doing)));
        }
        for (busy, thing) in [(false, Thing::FreeWorkshop), (true, Thing::BusyWorkshop)] {
            scene.workshops.push(Workshop { x: 0, y: 0, busy });
            assert_eq!(top(&scene), Some(thing));
        }
    }
}
