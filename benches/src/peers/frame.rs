//! A frame: the data of one tick, for contenders that have no population.

use pleach_shape::{BLOCK_LANES, ColumnIndex, SlotIndex};
use pleach_sim::scenes::{Data, Feed, Scene, Stage};
use pleach_vm::{Kernel, Plane, Value};

use std::error::Error;

/// Columns and results as of the last refresh of a feed, read once for all contenders.
pub struct Frame {
    /// Only its feed is used; it is walked by nobody.
    stage: Stage,
    actors: usize,
    ticks: u64,
    /// By column, then by actor.
    columns: Vec<Vec<Value>>,
    /// By slot, then by block: who is done, who succeeds.
    results: Vec<Vec<[Plane; 2]>>,
}

impl Frame {
    /// The data of a scene.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(
        scene: Scene,
        data: Data,
        actors: usize,
        seed: u64,
    ) -> Result<Frame, Box<dyn Error + Send + Sync>> {
        let shape = pleach_tree::compile(&scene.tree())?;
        let columns = vec![Vec::with_capacity(actors); shape.tables().columns.len()];
        let results = vec![Vec::new(); shape.tables().deferred.len()];
        Ok(Frame {
            stage: Stage::new(shape, data, actors, Kernel::default(), seed)?,
            actors,
            ticks: 0,
            columns,
            results,
        })
    }

    /// Moves on to the next tick's data.
    pub fn advance(&mut self) {
        self.ticks += 1;
        self.stage.refresh();
        let feed = self.stage.feed();
        if feed.writes() {
            for (column, values) in self.columns.iter_mut().enumerate() {
                values.clear();
                values.extend(
                    (0..self.actors)
                        .filter_map(|actor| feed.value(ColumnIndex::from(column), actor)),
                );
            }
        }
        for (slot, planes) in self.results.iter_mut().enumerate() {
            planes.clear();
            let blocks = 0..self.actors.div_ceil(BLOCK_LANES);
            planes.extend(blocks.map(|block| feed.results(SlotIndex::from(slot), block)));
        }
    }

    /// How many ticks it has been drawn for.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The feed behind it.
    pub fn feed(&self) -> &Feed {
        self.stage.feed()
    }

    /// A column of floats.
    pub fn floats(&self, column: usize) -> impl Iterator<Item = f32> {
        self.columns[column].iter().map(move |value| match value {
            Value::F32(value) => *value,
            other => unreachable!("column {column} is no float but {other:?}"),
        })
    }

    /// A column of integers.
    pub fn integers(&self, column: usize) -> impl Iterator<Item = i32> {
        self.columns[column].iter().map(move |value| match value {
            Value::I32(value) => *value,
            other => unreachable!("column {column} is no integer but {other:?}"),
        })
    }

    /// A column of truth values.
    pub fn bools(&self, column: usize) -> impl Iterator<Item = bool> {
        self.columns[column].iter().map(move |value| match value {
            Value::Bool(value) => *value,
            other => unreachable!("column {column} is no truth value but {other:?}"),
        })
    }

    /// Whether the actor's action in that slot ends if it runs, and if so, whether it succeeds.
    pub fn result(&self, slot: usize, actor: usize) -> Option<bool> {
        let (block, lane) = (actor / BLOCK_LANES, actor % BLOCK_LANES);
        let [done, success] = self.results.get(slot)?.get(block)?;
        done.get(lane).then(|| success.get(lane))
    }
}
