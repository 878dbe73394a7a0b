//! The kernels on cases: one actor plays the case, among others that play it late.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pleach_shape::{ColumnIndex, FunctionIndex, FunctionKind, SlotIndex, Status, Value};
use pleach_tree::compile;
use pleach_vm::{
    ActorId, Call, ColumnType, Event, Exit, Interval, Kernel, NodeCount, Outcome, Population,
    RequestKind, Task,
};

use super::case::{Answer, Case, Life, Target};
use super::score::{Mark, Sign};
use super::stage::{Beat, Stage};
use crate::engine::canonical;

/// How a population plays a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The kernel; none: another one each tick.
    pub kernel: Option<Kernel>,
    /// How many actors there are.
    pub actors: usize,
    /// Which of them plays the case.
    pub place: usize,
    /// Threads of the pool it ticks in.
    pub threads: usize,
    /// Whether that actor is traced.
    pub traces: bool,
    /// Whether the census is taken.
    pub counts: bool,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernel = self.kernel.map_or("kernels in turn", Kernel::name);
        write!(f, "{kernel}, actor {} of {}", self.place + 1, self.actors)?;
        if self.threads > 1 {
            write!(f, ", {} threads", self.threads)?;
        }
        if self.traces {
            f.write_str(", traced")?;
        }
        if self.counts {
            f.write_str(", census")?;
        }
        Ok(())
    }
}

impl Setting {
    /// How late the actor of a place plays the case.
    pub(super) fn shift(&self, case: &Case, place: usize) -> usize {
        place.abs_diff(self.place) % case.ticks
    }
}

/// What the callbacks of a population share.
struct Shared {
    case: Arc<Case>,
    stages: Vec<Mutex<Stage>>,
}

impl Shared {
    fn with<T>(&self, call: &Call<'_>, act: impl FnOnce(&mut Stage, &Case, u32, usize) -> T) -> T {
        let mut stage = self.stages[call.actor().index() as usize]
            .lock()
            .expect("no panics here");
        let tick = call.tick() as usize - 1;
        act(&mut stage, &self.case, call.node().0, tick)
    }
}

struct ScriptedTask(Arc<Shared>);

impl Task for ScriptedTask {
    fn enter(&self, call: &mut Call<'_>) {
        self.0
            .with(call, |stage, case, node, _| stage.enter(case, node));
    }

    fn run(&self, call: &mut Call<'_>) -> Status {
        self.0
            .with(call, |stage, case, node, tick| stage.run(case, node, tick))
    }

    fn exit(&self, call: &mut Call<'_>, reason: Exit) {
        if reason == Exit::Aborted {
            self.0.with(call, |stage, _, node, _| stage.abort(node));
        }
    }
}

/// A population that plays a case.
pub(super) struct Players {
    case: Arc<Case>,
    setting: Setting,
    population: Population,
    pub(super) actors: Vec<ActorId>,
    shared: Arc<Shared>,
}

impl Players {
    /// # Panics
    /// If memory runs out.
    pub(super) fn new(case: &Arc<Case>, setting: Setting) -> Players {
        let shape = compile(&case.tree).expect("a case's tree compiles");
        let mut population = Population::new(shape)
            .with_kernel(setting.kernel.unwrap_or(Kernel::PureStream))
            .with_seed(case.seed.unwrap_or(0));
        if setting.counts {
            population = population.with_census();
        }
        let actors = population.spawn_many(setting.actors).expect("memory");
        if setting.traces {
            population.trace(Some(actors[setting.place]));
        }
        if case.interval > 1 {
            // The first tick has number 1.
            let interval = Interval::new(case.interval, case.interval - 1);
            for &actor in &actors {
                population.set_interval(actor, interval).expect("it lives");
            }
        }
        let stages = (0..setting.actors).map(|place| Stage::new(setting.shift(case, place)));
        let shared = Arc::new(Shared {
            case: case.clone(),
            stages: stages.map(Mutex::new).collect(),
        });
        register(&mut population, &shared);
        Players {
            case: case.clone(),
            setting,
            population,
            actors,
            shared,
        }
    }

    /// Plays one tick; gives what the case does not foresee, in words.
    pub(super) fn step(&mut self, tick: usize, pool: &rayon::ThreadPool) -> Vec<String> {
        if self.setting.kernel.is_none() {
            // All of them in turn, passing over none, one or two: states convert from each to each.
            let at = (self.setting.actors + tick + tick / 3 + tick / 4) % Kernel::ALL.len();
            self.population.set_kernel(Kernel::ALL[at]);
        }
        let mut surprises = Vec::new();
        self.write_world(tick);
        for place in 0..self.actors.len() {
            self.before(place, tick, &mut surprises);
        }
        let dt = Duration::from_micros(self.case.dt[tick]);
        let errors = self.errors(tick);
        let population = &mut self.population;
        pool.install(|| population.tick(dt));
        let actor = self.actors[self.setting.place];
        let report = self.population.report();
        let listed = report.errors.iter().filter(|error| error.actor == actor);
        if listed.count() != errors {
            surprises.push(format!(
                "not {errors} errors are listed, but {:?}",
                report.errors
            ));
        }
        surprises
    }

    /// L5: how many errors the case hands in before a tick.
    fn errors(&self, tick: usize) -> usize {
        let rows = self.case.results.iter();
        rows.filter(|row| row[tick] == Some(Answer::Error)).count()
    }

    fn write_world(&mut self, tick: usize) {
        let case = self.case.clone();
        for (target, row) in &case.before {
            if let (Target::World(at), Some(value)) = (*target, row[tick]) {
                let name = &case.tree.world()[at].name;
                match value {
                    Value::Bool(value) => set_world(&mut self.population, name, value),
                    Value::U8(value) => set_world(&mut self.population, name, value),
                    Value::U16(value) => set_world(&mut self.population, name, value),
                    Value::I32(value) => set_world(&mut self.population, name, value),
                    Value::F32(value) => set_world(&mut self.population, name, value),
                    Value::U64(value) => set_world(&mut self.population, name, value),
                }
            }
        }
    }

    fn before(&mut self, place: usize, tick: usize, surprises: &mut Vec<String>) {
        let case = self.case.clone();
        let actor = self.actors[place];
        let population = &mut self.population;
        let mut stage = self.shared.stages[place].lock().expect("no panics here");
        let at = case.at(tick, stage.shift);
        stage.begin(&case, tick);
        for (slot, row) in case.results.iter().enumerate() {
            let Some(answer) = row[at] else { continue };
            let outcome = match answer {
                Answer::Finished(Status::Success) | Answer::Late => Outcome::Success,
                Answer::Finished(_) => Outcome::Failure,
                Answer::Error => Outcome::Error(7),
            };
            let taken = population.set_result(actor, SlotIndex::from(slot), outcome);
            if place == self.setting.place && taken.is_ok() == (answer == Answer::Late) {
                surprises.push(format!("handing in {answer:?} gave {taken:?}"));
            }
        }
        for &event in &case.life[at] {
            match event {
                Life::Unload => population.unload(actor),
                Life::Load => population.load(actor),
                Life::Reset => population.reset(actor),
            }
            .expect("it lives");
        }
        for (target, row) in &case.before {
            if let (Target::Column(column), Some(value)) = (*target, row[at]) {
                population
                    .set_value(actor, ColumnIndex::from(column), value)
                    .expect("it is of that type");
            }
        }
        for (slot, row) in case.persistent.iter().enumerate() {
            if let Some(status) = row[at] {
                population
                    .set_persistent(actor, SlotIndex::from(slot), status)
                    .expect("it lives");
            }
        }
    }

    /// By place: the requests of the last tick, sorted.
    pub(super) fn requests(&self) -> Vec<Vec<Mark>> {
        let mut all = vec![Vec::new(); self.actors.len()];
        for request in self.population.requests().iter() {
            let sign = match request.kind {
                RequestKind::Launch => Sign::Fresh,
                RequestKind::Continue => Sign::Resumed,
                RequestKind::Cancel => Sign::Halted,
            };
            let node = self.case.actions[request.slot.at()];
            all[request.actor.index() as usize].push(Mark::new(sign, node));
        }
        all.iter_mut().for_each(|marks| marks.sort_unstable());
        all
    }

    /// What the last tick came to for the actor of a place, and what the case does not foresee. Columns and
    /// state cost most to read, and are left out on demand.
    pub(super) fn seen(
        &self,
        place: usize,
        requests: Vec<Mark>,
        in_full: bool,
    ) -> (Beat, Vec<String>) {
        let actor = self.actors[place];
        let mut stage = self.shared.stages[place].lock().expect("no panics here");
        let columns = 0..if in_full {
            self.case.tree.columns().len()
        } else {
            0
        };
        let value = |column| self.population.value(actor, ColumnIndex::from(column));
        let beat = Beat {
            root: self.population.status(actor).expect("it lives"),
            calls: std::mem::take(&mut stage.calls),
            requests,
            columns: columns.map(|at| value(at).expect("declared")).collect(),
            state: match in_full {
                true => canonical(&self.population, actor),
                false => Vec::new(),
            },
            loaded: self.population.is_loaded(actor),
        };
        (beat, std::mem::take(&mut stage.surprises))
    }

    /// Nodes that the traced actor visited in the last tick, in order.
    pub(super) fn visits(&self) -> Vec<u32> {
        let events = self.population.trace_events().iter();
        let visits = events.filter_map(|event| match event {
            Event::Enter(node) | Event::Leaf(node, _) => Some(node.0),
            _ => None,
        });
        visits.collect()
    }

    /// The census of the last tick.
    pub(super) fn census(&self) -> Vec<NodeCount> {
        let mut counts = Vec::new();
        self.population.census(&mut counts);
        counts
    }
}

fn set_world<T: ColumnType>(population: &mut Population, name: &str, value: T) {
    let key = population.world_key::<T>(name).expect("declared");
    assert!(population.set_world(key, value));
}

fn register(population: &mut Population, shared: &Arc<Shared>) {
    let shape = population.shape().clone();
    for (index, function) in shape.tables().functions.iter().enumerate() {
        let name = shape.function_name(FunctionIndex::from(index));
        let shared = shared.clone();
        match function.kind() {
            Some(FunctionKind::Task) => population.on_task(name, ScriptedTask(shared)),
            _ => population.on_query(name, move |call| {
                shared.with(call, |stage, case, node, tick| {
                    stage.query(case, node, tick)
                })
            }),
        }
        .expect("the tree calls it");
    }
}
