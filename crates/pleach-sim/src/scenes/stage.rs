//! The stage: a population with its feed.

use std::fmt;
use std::sync::Arc;

use pleach_shape::{FunctionIndex, FunctionKind, Shape};
use pleach_vm::random::draw;
use pleach_vm::{
    Call, ColumnError, Kernel, Population, SpawnError, Status, TickReport, UnknownFunction,
};

use super::feed::{Data, Feed};

/// A population whose data moves: refresh, tick, refresh, tick.
///
/// Tasks and queries that the tree calls are bound to callbacks that answer at random in the
/// manner of the data.
pub struct Stage {
    population: Population,
    feed: Feed,
}

/// Why a stage could not be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StageError {
    /// Ids or memory ran out.
    Spawn(SpawnError),
    /// The shape has two columns of one name.
    Column(ColumnError),
    /// The shape has a function that cannot be bound.
    Function(UnknownFunction),
}

impl fmt::Display for StageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StageError::Spawn(error) => error.fmt(f),
            StageError::Column(error) => error.fmt(f),
            StageError::Function(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StageError {}

impl From<SpawnError> for StageError {
    fn from(error: SpawnError) -> StageError {
        StageError::Spawn(error)
    }
}

impl From<ColumnError> for StageError {
    fn from(error: ColumnError) -> StageError {
        StageError::Column(error)
    }
}

impl From<UnknownFunction> for StageError {
    fn from(error: UnknownFunction) -> StageError {
        StageError::Function(error)
    }
}

impl Stage {
    /// A population of that many actors, all loaded, and its feed, neither of them started.
    ///
    /// # Errors
    /// When ids or memory run out, or names of the shape are not unique.
    pub fn new(
        shape: impl Into<Arc<Shape>>,
        data: Data,
        actors: usize,
        kernel: Kernel,
        seed: u64,
    ) -> Result<Stage, StageError> {
        let mut population = Population::new(shape).with_kernel(kernel).with_seed(seed);
        population.spawn_many(actors)?;
        bind(&mut population, data, seed)?;
        let feed = Feed::new(&population, data, seed)?;
        Ok(Stage { population, feed })
    }

    /// Readies the next tick. Costs as much as a tick or more; leave it out of what you measure.
    pub fn refresh(&mut self) {
        self.feed.refresh(&mut self.population);
    }

    /// Ticks the population once.
    pub fn tick(&mut self) -> &TickReport {
        self.population.tick(self.feed.data().dt())
    }

    /// The population.
    pub fn population(&self) -> &Population {
        &self.population
    }

    /// The population, for instance to trace one of its actors.
    pub fn population_mut(&mut self) -> &mut Population {
        &mut self.population
    }

    /// The feed.
    pub fn feed(&self) -> &Feed {
        &self.feed
    }
}

fn bind(population: &mut Population, data: Data, seed: u64) -> Result<(), UnknownFunction> {
    let random = move |call: &Call<'_>| match data {
        Data::Coherent => draw(seed, 0, call.node().0, call.tick()),
        Data::Fresh | Data::Resumed | Data::Divergent => call.random(0),
    };
    let shape = population.shape().clone();
    for (index, def) in shape.tables().functions.iter().enumerate() {
        let name = shape.function_name(FunctionIndex::from(index));
        if shape.is_inner_function(index as u32) {
            continue;
        }
        match def.kind() {
            Some(FunctionKind::Query) => population.on_query(name, move |call| {
                // What was true stays true while actors are to keep running.
                data != Data::Resumed && random(call) & 1 != 0
            })?,
            Some(FunctionKind::Task) => {
                population.on_task(name, move |call: &mut Call<'_>| match random(call) % 4 {
                    _ if data == Data::Resumed => Status::Running,
                    0 => Status::Success,
                    1 => Status::Failure,
                    _ => Status::Running,
                })?
            }
            None => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::Scene;

    fn stage(scene: Scene, data: Data, kernel: Kernel) -> Stage {
        let shape = pleach_tree::compile(&scene.tree()).unwrap();
        Stage::new(shape, data, 700, kernel, 3).unwrap()
    }

    #[test]
    fn kernels_agree_on_every_scene_and_data() {
        for scene in Scene::ALL {
            for data in Data::ALL {
                let mut stages = Kernel::ALL.map(|kernel| stage(scene, data, kernel));
                for tick in 0..6 {
                    let reports = stages.each_mut().map(|stage| {
                        stage.refresh();
                        stage.tick().clone()
                    });
                    for (report, kernel) in reports.iter().zip(Kernel::ALL) {
                        assert_eq!(
                            *report, reports[0],
                            "{scene}, {data}, {kernel}, tick {tick}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn resumed_actors_keep_running_the_same() {
        for scene in Scene::ALL {
            let mut stage = stage(scene, Data::Resumed, Kernel::PureStream);
            for _ in 0..3 {
                stage.refresh();
                stage.tick();
            }
            let before = stage.population().report().counts;
            stage.refresh();
            let after = stage.tick().counts;
            assert_eq!((after.launches, after.cancels), (0, 0), "{scene}");
            assert_eq!(after.continues, before.continues, "{scene}");
            // A tree of conditions alone has nothing to run.
            let runs = stage.population().shape().requirements().deferred_slots > 0;
            assert!(
                !runs || after.running * 2 > after.ticked,
                "{scene}: {after:?}"
            );
        }
    }

    #[test]
    fn coherent_actors_all_answer_the_same() {
        for scene in Scene::ALL {
            let mut stage = stage(scene, Data::Coherent, Kernel::TraversalStack);
            for _ in 0..8 {
                stage.refresh();
                let counts = stage.tick().counts;
                let most = counts.succeeded.max(counts.failed).max(counts.running);
                assert_eq!(most, counts.ticked, "{scene}");
            }
        }
    }
}
