//! A population that plays a story.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pleach_shape::{ColumnIndex, FunctionIndex, FunctionKind, Status};
use pleach_tests::engine::{WorldSetter, canonical, world_setters};
use pleach_tests::generate::{COLUMNS, Script};
use pleach_tests::observation::Finish;
use pleach_tree::compile;
use pleach_vm::table::PlaneSet;
use pleach_vm::{ActorId, Call, Kernel, Outcome, Population, Simd, Task};

use crate::story::{Act, Chapter, Deed, Story};

/// How a population is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    pub(crate) kernel: Kernel,
    pub(crate) simd: Simd,
    /// Whether another kernel takes over every few ticks.
    pub(crate) changes: bool,
    /// Whether the first actor is traced, and so walked by itself.
    pub(crate) traces: bool,
    /// Whether loads, unloads, resets and despawns are asked for in sets.
    pub(crate) by_sets: bool,
}

impl Way {
    pub(crate) fn of(kernel: Kernel) -> Way {
        Way {
            kernel,
            simd: Simd::detected(),
            changes: false,
            traces: false,
            by_sets: false,
        }
    }

    /// Every kernel, lanes in each form that the machine has, kernels that take turns; and some of them with
    /// an actor that is traced.
    pub(crate) fn all() -> Vec<Way> {
        let mut ways: Vec<Way> = Kernel::CHOICES.map(Way::of).into();
        let forms = Simd::ALL.into_iter().filter(|simd| simd.is_available());
        ways.extend(forms.map(|simd| Way {
            simd,
            ..Way::of(Kernel::Lanes)
        }));
        ways.extend([Kernel::Lanes, Kernel::PureStream].map(|kernel| Way {
            changes: true,
            ..Way::of(kernel)
        }));
        ways.extend(Kernel::ALL.map(|kernel| Way {
            traces: true,
            ..Way::of(kernel)
        }));
        for (index, way) in ways.iter_mut().enumerate() {
            way.by_sets = index % 2 == 0;
        }
        ways
    }

    pub(crate) fn population(self, shape: pleach_shape::Shape) -> Population {
        let mut population = Population::new(shape).with_kernel(self.kernel);
        population.set_simd(self.simd);
        population
    }
}

struct ScriptedTask(Script);

impl Task for ScriptedTask {
    fn run(&self, call: &mut Call<'_>) -> Status {
        let key = (call.actor().to_bits(), call.node().0, call.tick() - 1);
        if let Some((column, value)) = self.0.task_write(key.0, key.1, key.2) {
            assert!(call.set_value(ColumnIndex::from(column), value));
        }
        self.0.task(key.0, key.1, key.2)
    }
}

/// The population, and what it is told with.
pub(crate) struct Stage {
    pub(crate) population: Population,
    way: Way,
    world: Vec<WorldSetter>,
    set: PlaneSet,
    tick: u64,
}

impl Stage {
    pub(crate) fn new(story: &Story, way: Way) -> Stage {
        let shape = compile(&story.tree).expect("generated trees compile");
        let script = story.script;
        let mut population = way.population(shape).with_seed(script.seed);
        let shape = population.shape().clone();
        for (index, function) in shape.tables().functions.iter().enumerate() {
            let name = shape.function_name(FunctionIndex::from(index));
            match function.kind() {
                Some(FunctionKind::Task) => population.on_task(name, ScriptedTask(script)),
                _ => population.on_query(name, move |call: &mut Call<'_>| {
                    script.query(call.actor().to_bits(), call.node().0, call.tick() - 1)
                }),
            }
            .expect("the tree calls it");
        }
        if way.traces {
            population.trace(Some(ActorId::new(0, 0)));
        }
        Stage {
            world: world_setters(&population),
            population,
            way,
            set: PlaneSet::new(),
            tick: 0,
        }
    }

    /// Plays a tick and what comes before it.
    pub(crate) fn play(&mut self, chapter: &Chapter, pool: &rayon::ThreadPool) {
        for deed in &chapter.deeds {
            self.perform(deed);
        }
        if self.way.changes && self.tick % 2 == 1 {
            let turn = (self.tick / 2 * 5 % 7) as usize;
            let kernel = Kernel::CHOICES[turn % Kernel::CHOICES.len()];
            self.population.set_kernel(kernel);
        }
        self.tick += 1;
        pool.install(|| self.population.tick(chapter.dt));
    }

    fn perform(&mut self, deed: &Deed) {
        let population = &mut self.population;
        match deed {
            Deed::World(index, value) => assert!(self.world[*index](population, *value)),
            Deed::Result(actor, slot, finish) => {
                let outcome = match finish {
                    Finish::Success => Outcome::Success,
                    Finish::Failure => Outcome::Failure,
                };
                let taken = population.set_result(*actor, *slot, outcome);
                taken.expect("it waits for one");
            }
            Deed::All(act, actors, changed) if self.way.by_sets => {
                self.set.clear(population);
                for &actor in actors {
                    self.set.insert(population, actor).expect("it lives");
                }
                let done = match act {
                    Act::Unload => population.unload_set(&self.set),
                    Act::Load => population.load_set(&self.set),
                    Act::Reset => population.reset_set(&self.set),
                    Act::Despawn => population.despawn_set(&self.set),
                };
                assert_eq!(done, Ok(*changed), "{act:?}");
            }
            Deed::All(act, actors, _) => {
                for &actor in actors {
                    let done = match act {
                        Act::Unload => population.unload(actor),
                        Act::Load => population.load(actor),
                        Act::Reset => population.reset(actor),
                        Act::Despawn => population.despawn(actor),
                    };
                    done.expect("it lives");
                }
            }
            Deed::Spawn(actor, loaded) => {
                let spawned = if *loaded {
                    population.spawn()
                } else {
                    population.spawn_unloaded()
                };
                assert_eq!(spawned, Ok(*actor));
            }
            Deed::Interval(actor, interval) => {
                let set = population.set_interval(*actor, *interval);
                set.expect("it lives");
            }
            Deed::Column(actor, column, value) => {
                let set = population.set_value(*actor, *column, *value);
                set.expect("declared");
            }
            Deed::Persistent(actor, slot, status) => {
                let set = population.set_persistent(*actor, *slot, *status);
                set.expect("it lives");
            }
        }
    }

    /// A number for all that can be seen behind a tick but tables: statuses, requests, states, columns.
    pub(crate) fn hash(&self) -> u64 {
        let population = &self.population;
        let mut hasher = DefaultHasher::new();
        for actor in population.actors() {
            let status = population.status(actor).expect("it lives");
            let value = |column| {
                let value = population.value(actor, ColumnIndex::from(column));
                value.expect("declared").to_bits()
            };
            actor.hash(&mut hasher);
            status.hash(&mut hasher);
            population.is_loaded(actor).hash(&mut hasher);
            canonical(population, actor).hash(&mut hasher);
            for column in 0..COLUMNS.len() {
                value(column).hash(&mut hasher);
            }
        }
        for request in population.requests().iter() {
            (request.actor, request.slot, request.kind).hash(&mut hasher);
        }
        let counts = population.report().counts;
        format!("{counts:?}").hash(&mut hasher);
        hasher.finish()
    }
}
