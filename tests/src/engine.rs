//! A population under test: plays the same [`Scenario`] as the reference.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use pleach_shape::{ColumnIndex, FunctionIndex, FunctionKind, Shape, SlotIndex, Status};
use pleach_tree::compile;
use pleach_vm::{
    ActorId, Call, Event, Exit, Kept, Kernel, NodeCount, Outcome, Population, RequestKind, Simd,
    Task, WorldKey,
};

use crate::generate::{COLUMNS, Lifecycle, Script, WORLD};
use crate::host::{self, HostCall};
use crate::observation::{
    COOLING_BASE, COUNT_BASE, DONE_FAILURE, DONE_SUCCESS, Finish, ONCE_FAILURE, ONCE_SUCCESS,
    ORDER_BASE, RUNS, Row,
};
use crate::scenario::{Scenario, Step};

/// What can be seen of one actor's step, from the reference and from a population.
///
/// A population carries out an unload or a reset at the start of the next tick, so what that
/// cancels and what the tick cancels come out together.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    /// Root status; none for an actor that is out, or was taken out by an abort.
    pub root: Option<Status>,
    /// Whether the actor is in the tree behind the tick.
    pub loaded: bool,
    /// Slots launched, ascending.
    pub launches: Vec<u32>,
    /// Slots continued, ascending.
    pub continues: Vec<u32>,
    /// Slots cancelled, ascending.
    pub cancels: Vec<u32>,
    /// The actor's columns after the tick.
    pub columns: Row,
    /// Canonical state.
    pub state: Vec<(u32, u64)>,
    /// Callbacks in order.
    pub calls: Vec<HostCall>,
}

/// What the reference's step looks like from outside; `columns` are the actor's columns after it.
pub fn seen(step: &Step) -> Seen {
    let mut cancels = step
        .release
        .as_ref()
        .map_or(Vec::new(), |release| release.cancels.clone());
    let (mut root, mut launches, mut continues) = (None, Vec::new(), Vec::new());
    if let Some(observation) = &step.observation {
        root = observation.root;
        launches.clone_from(&observation.launches);
        continues.clone_from(&observation.continues);
        cancels.extend(&observation.cancels);
        cancels.sort_unstable();
    }
    Seen {
        root,
        loaded: step.loaded,
        launches,
        continues,
        cancels,
        columns: step.columns.clone(),
        state: step.state.clone(),
        calls: step.calls.clone(),
    }
}

/// How a population is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The kernel of the first tick.
    pub kernel: Kernel,
    /// Whether another kernel takes over every third tick.
    pub changes_kernel: bool,
    /// Threads of the pool it ticks in.
    pub threads: usize,
    /// The instruction set of lanes.
    pub simd: Simd,
    /// Whether the first actor is traced. (It walks by itself then, whatever the kernel.)
    pub traces: bool,
    /// Whether the census is taken.
    pub counts: bool,
}

type Calls = Arc<Vec<Mutex<Vec<HostCall>>>>;

/// A scenario on a population.
pub struct Engine {
    script: Script,
    setting: Setting,
    population: Population,
    actors: Vec<ActorId>,
    calls: Calls,
    world: Vec<WorldSetter>,
    tick: u64,
}

/// Writes a world value; `false` if it has another type.
pub type WorldSetter = Box<dyn Fn(&mut Population, pleach_shape::Value) -> bool + Send>;

struct ScriptedTask {
    script: Script,
    calls: Calls,
    nodes: Nodes,
}

/// By token: the number of its node in the tree, which is what scripts and the reference count in. (With
/// compound nodes there are more tokens than nodes.)
type Nodes = Arc<[u32]>;

impl ScriptedTask {
    fn note(&self, call: &Call<'_>, what: HostCall) {
        self.calls[call.actor().index() as usize]
            .lock()
            .expect("no panics here")
            .push(what);
    }
}

impl Task for ScriptedTask {
    fn enter(&self, call: &mut Call<'_>) {
        self.note(call, HostCall::Enter(self.nodes[call.node().at()]));
    }

    fn run(&self, call: &mut Call<'_>) -> Status {
        let (actor, node, tick) = (
            u64::from(call.actor().index()),
            self.nodes[call.node().at()],
            call.tick() - 1,
        );
        if let Some((column, value)) = self.script.task_write(actor, node, tick) {
            assert!(call.set_value(ColumnIndex::from(column), value));
        }
        let answer = self.script.task(actor, node, tick);
        self.note(call, HostCall::Run(node, answer));
        answer
    }

    fn exit(&self, call: &mut Call<'_>, reason: Exit) {
        let reason = match reason {
            Exit::Success => host::Exit::Success,
            Exit::Failure => host::Exit::Failure,
            Exit::Aborted => host::Exit::Aborted,
        };
        self.note(call, HostCall::Exit(self.nodes[call.node().at()], reason));
    }
}

impl Engine {
    /// Compiles the scenario's tree and spawns its actors.
    ///
    /// # Panics
    /// If the tree does not compile or memory runs out.
    pub fn new(scenario: &Scenario, setting: Setting) -> Engine {
        let shape = compile(&scenario.tree).expect("generated trees compile");
        let mut population = Population::new(shape)
            .with_kernel(setting.kernel)
            .with_seed(scenario.script.seed);
        if setting.counts {
            population = population.with_census();
        }
        population.set_simd(setting.simd);
        let actors = population
            .spawn_many(scenario.actors as usize)
            .expect("memory");
        let calls: Calls = Arc::new((0..scenario.actors).map(|_| Mutex::default()).collect());
        register(&mut population, scenario.script, &calls);
        let world = world_setters(&population);
        if setting.traces {
            population.trace(actors.first().copied());
        }
        Engine {
            script: scenario.script,
            setting,
            population,
            actors,
            calls,
            world,
            tick: 0,
        }
    }

    /// The population.
    pub fn population(&self) -> &Population {
        &self.population
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        self.population.shape()
    }

    /// Plays one tick; gives what can be seen of each actor.
    ///
    /// # Panics
    /// If the population refuses what the scenario does.
    pub fn step(&mut self, pool: &rayon::ThreadPool) -> Vec<Seen> {
        let tick = self.tick;
        self.tick += 1;
        self.between_ticks(tick);
        if self.setting.changes_kernel && tick % 3 == 2 {
            let now = Kernel::ALL
                .iter()
                .position(|&kernel| kernel == self.population.kernel());
            // All of them in turn, and now and then one passed over.
            let step = 1 + (tick / 3 % 3) as usize;
            let next = now.map_or(0, |now| (now + step) % Kernel::ALL.len());
            self.population.set_kernel(Kernel::ALL[next]);
        }
        let dt = Duration::from_micros(self.script.dt(tick));
        pool.install(|| self.population.tick(dt));
        let requests = self.requests();
        let actors = self.actors.iter().zip(requests);
        actors
            .map(|(&actor, requests)| self.seen(actor, requests))
            .collect()
    }

    fn between_ticks(&mut self, tick: u64) {
        let script = self.script;
        for (index, set) in self.world.iter().enumerate() {
            if let Some(value) = script.world(tick, index) {
                assert!(set(&mut self.population, value));
            }
        }
        let needs = *self.shape().requirements();
        for (id, &actor) in (0u64..).zip(&self.actors) {
            for slot in 0..needs.deferred_slots {
                if let Some(finish) = script.result(id, tick, slot as usize) {
                    let outcome = match finish {
                        Finish::Success => Outcome::Success,
                        Finish::Failure => Outcome::Failure,
                    };
                    // Refused where the action is not outstanding, which is part of the test.
                    self.population
                        .set_result(actor, SlotIndex(slot), outcome)
                        .ok();
                }
            }
            let loaded = self.population.is_loaded(actor);
            match script.lifecycle(id, tick, loaded) {
                Some(Lifecycle::Load) => self.population.load(actor),
                Some(Lifecycle::Unload) => self.population.unload(actor),
                Some(Lifecycle::Reset) => self.population.reset(actor),
                None => Ok(()),
            }
            .expect("it lives");
            for column in 0..COLUMNS.len() {
                if let Some(value) = script.column(id, tick, column) {
                    let column = ColumnIndex::from(column);
                    self.population
                        .set_value(actor, column, value)
                        .expect("declared");
                }
            }
            for slot in 0..needs.persistent_slots {
                if let Some(status) = script.persistent(id, tick, slot as usize) {
                    self.population
                        .set_persistent(actor, SlotIndex(slot), status)
                        .expect("it lives");
                }
            }
        }
    }

    /// By actor: launches, continues, cancels.
    fn requests(&self) -> Vec<[Vec<u32>; 3]> {
        let mut all = vec![[const { Vec::new() }; 3]; self.actors.len()];
        let mut last = None;
        for batch in self.population.requests().batches() {
            for request in batch.iter() {
                // Grouped by action, sorted by actor.
                let key = (batch.action(), request.actor, request.slot, request.kind);
                assert!(last < Some(key), "{last:?} before {key:?}");
                last = Some(key);
                let kind = match request.kind {
                    RequestKind::Launch => 0,
                    RequestKind::Continue => 1,
                    RequestKind::Cancel => 2,
                };
                all[request.actor.index() as usize][kind].push(request.slot.0);
            }
        }
        all.iter_mut()
            .flatten()
            .for_each(|slots| slots.sort_unstable());
        all
    }

    fn seen(&self, actor: ActorId, [launches, continues, cancels]: [Vec<u32>; 3]) -> Seen {
        let root = self.population.status(actor).expect("it lives");
        let value = |column| {
            self.population
                .value(actor, ColumnIndex::from(column))
                .expect("declared")
        };
        let state = canonical(&self.population, actor);
        let calls = &self.calls[actor.index() as usize];
        let needs = self.shape().requirements();
        // The bounds hold (that they are tight is another test).
        assert!(streamed(&state) <= needs.state_capacity as usize);
        assert!(launches.len() + continues.len() <= needs.request_capacity as usize);
        Seen {
            root,
            loaded: self.population.is_loaded(actor),
            launches,
            continues,
            cancels,
            columns: Row((0..COLUMNS.len()).map(value).collect()),
            state,
            calls: std::mem::take(&mut calls.lock().expect("no panics here")),
        }
    }

    /// Nodes that the first actor visited in the last tick, in order, and how many steps its walk
    /// took: tokens entered and reactions of parents.
    pub fn visits(&self) -> (Vec<u32>, usize) {
        let events = self.population.trace_events();
        let visits = events.iter().filter_map(|event| match event {
            Event::Enter(node) | Event::Leaf(node, _) => Some(node.0),
            _ => None,
        });
        let step = |event: &&Event| !matches!(event, Event::Leave(..) | Event::RollBack(..));
        (visits.collect(), events.iter().filter(step).count())
    }

    /// The census of the last tick.
    pub fn census(&self) -> Vec<NodeCount> {
        let mut counts = Vec::new();
        self.population.census(&mut counts);
        counts
    }
}

/// An actor's state as [`Observation::state`](crate::observation::Observation::state) has it.
///
/// # Panics
/// If there is no such actor.
pub fn canonical(population: &Population, actor: ActorId) -> Vec<(u32, u64)> {
    let value = |kept| match kept {
        Kept::Child(child) => u64::from(child.0),
        Kept::Runs => RUNS,
        Kept::Deadline(micros) => micros,
        Kept::Done(Status::Success) => DONE_SUCCESS,
        Kept::Done(_) => DONE_FAILURE,
        Kept::Count(iterations) => COUNT_BASE + u64::from(iterations),
        Kept::Order(children) => ORDER_BASE.wrapping_add(children),
        Kept::Cooling(until) => COOLING_BASE + until,
        Kept::Once(Status::Success) => ONCE_SUCCESS,
        Kept::Once(_) => ONCE_FAILURE,
    };
    let records = population.state(actor).expect("it lives");
    let records = records.iter();
    let mut state: Vec<(u32, u64)> = records
        .map(|record| (record.node.0, value(record.kept)))
        .collect();
    state.sort_unstable();
    state
}

/// How many records of a state stream a canonical state stands for: one at most a node. What is counted,
/// drawn or persistent lies elsewhere.
pub fn streamed(state: &[(u32, u64)]) -> usize {
    let elsewhere = [ONCE_SUCCESS, ONCE_FAILURE];
    let streamed = state
        .iter()
        .filter(|(_, value)| *value < COUNT_BASE && !elsewhere.contains(value));
    let mut nodes: Vec<u32> = streamed.map(|(node, _)| *node).collect();
    nodes.dedup();
    nodes.len()
}

fn register(population: &mut Population, script: Script, calls: &Calls) {
    let shape = population.shape().clone();
    let nodes: Nodes = shape.tables().nodes.iter().map(|node| node.id).collect();
    for (index, function) in shape.tables().functions.iter().enumerate() {
        if shape.is_inner_function(index as u32) {
            continue;
        }
        let nodes = nodes.clone();
        let name = shape.function_name(FunctionIndex::from(index));
        let calls = calls.clone();
        match function.kind() {
            Some(FunctionKind::Task) => population.on_task(
                name,
                ScriptedTask {
                    script,
                    calls,
                    nodes,
                },
            ),
            _ => population.on_query(name, move |call| {
                let (actor, node) = (call.actor().index(), nodes[call.node().at()]);
                let holds = script.query(actor.into(), node, call.tick() - 1);
                let note = HostCall::Query(node, holds);
                calls[actor as usize]
                    .lock()
                    .expect("no panics here")
                    .push(note);
                holds
            }),
        }
        .expect("the tree calls it");
    }
}

/// Writers of the [`WORLD`] values, in that order.
///
/// # Panics
/// If the population's tree is not a generated one.
pub fn world_setters(population: &Population) -> Vec<WorldSetter> {
    let names = WORLD.iter().map(|(name, _)| *name);
    names.map(|name| world_setter(population, name)).collect()
}

fn world_setter(population: &Population, name: &str) -> WorldSetter {
    use pleach_shape::Value;

    /// A setter for values of one type.
    fn setter<T: pleach_vm::ColumnType>(
        key: WorldKey<T>,
        read: fn(Value) -> Option<T>,
    ) -> WorldSetter {
        Box::new(move |population, value| {
            read(value).is_some_and(|value| population.set_world(key, value))
        })
    }

    macro_rules! try_types {
        ($($ty:ty, $variant:ident;)*) => {$(
            if let Ok(key) = population.world_key::<$ty>(name) {
                return setter(key, |value| match value {
                    Value::$variant(value) => Some(value),
                    _ => None,
                });
            }
        )*};
    }
    try_types! { bool, Bool; u8, U8; u16, U16; i32, I32; f32, F32; u64, U64; }
    unreachable!("generated trees declare {name}")
}
