//! A population of a generated tree whose inputs and callbacks a script answers by the actor's place.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pleach_shape::{ColumnIndex, FunctionIndex, FunctionKind, SlotIndex, Status};
use pleach_tests::generate::{COLUMNS, Script};
use pleach_tests::observation::Finish;
use pleach_tree::{Tree, compile};
use pleach_vm::{ActorId, Answers, Batch, Call, Exit, Outcome, Plane, Population, Task};

use crate::crowd::Way;

/// What a callback was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Called {
    pub(crate) node: u32,
    pub(crate) what: What,
    pub(crate) dt: Duration,
    pub(crate) now: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    Query(bool),
    Enter,
    Run(Status),
    Exit(Exit),
}

/// Answers callbacks, and writes down what was called, by place.
pub(crate) struct Host {
    script: Script,
    /// The script's tick, which need not be the population's.
    tick: AtomicU64,
    calls: Vec<Mutex<Vec<Called>>>,
    /// Whether batches answer for lanes that did not ask, too.
    babbles: bool,
}

impl Host {
    fn note(&self, call: &Call<'_>, what: What) {
        if let Some(calls) = self.calls.get(call.actor().index() as usize) {
            calls.lock().expect("no panics here").push(Called {
                node: call.node().0,
                what,
                dt: call.dt(),
                now: call.now(),
            });
        }
    }

    fn tick(&self) -> u64 {
        self.tick.load(Ordering::Relaxed)
    }

    fn holds(&self, actor: ActorId, node: u32) -> bool {
        self.script.query(actor.index().into(), node, self.tick())
    }

    fn holds_for(&self, batch: &mut Batch<'_>) -> Plane {
        let answers = batch.each(|call| {
            let holds = self.holds(call.actor(), call.node().0);
            self.note(call, What::Query(holds));
            Status::from_bool(holds)
        });
        if self.babbles {
            answers.success | !batch.lanes()
        } else {
            answers.success
        }
    }
}

struct ScriptedTask(Arc<Host>);

impl Task for ScriptedTask {
    fn enter(&self, call: &mut Call<'_>) {
        self.0.note(call, What::Enter);
    }

    fn run(&self, call: &mut Call<'_>) -> Status {
        let (host, node) = (&self.0, call.node().0);
        let (actor, tick) = (u64::from(call.actor().index()), host.tick());
        if let Some((column, value)) = host.script.task_write(actor, node, tick) {
            assert!(call.set_value(ColumnIndex::from(column), value));
        }
        let answer = host.script.task(actor, node, tick);
        host.note(call, What::Run(answer));
        answer
    }

    fn run_batch(&self, batch: &mut Batch<'_>) -> Answers {
        let mut answers = batch.each(|call| self.run(call));
        if self.0.babbles {
            let others = !batch.lanes();
            answers.success |= others;
            // Both at once is Success.
            answers.failure |= others | answers.success;
        }
        answers
    }

    fn exit(&self, call: &mut Call<'_>, reason: Exit) {
        self.0.note(call, What::Exit(reason));
    }
}

/// The population and its host.
pub(crate) struct Scripted {
    pub(crate) population: Population,
    pub(crate) script: Script,
    host: Arc<Host>,
}

impl Scripted {
    /// `places` is how many places are written down.
    pub(crate) fn new(
        tree: &Tree,
        script: Script,
        way: Way,
        (places, babbles): (usize, bool),
    ) -> Scripted {
        let shape = compile(tree).expect("generated trees compile");
        let mut population = way.population(shape).with_census();
        let host = Arc::new(Host {
            script,
            tick: AtomicU64::new(0),
            calls: (0..places).map(|_| Mutex::default()).collect(),
            babbles,
        });
        register(&mut population, &host);
        Scripted {
            population,
            script,
            host,
        }
    }

    /// What the script does to an actor's columns, results and persistent actions before a tick.
    pub(crate) fn feed(&mut self, actor: ActorId, tick: u64) {
        let (script, id) = (self.script, u64::from(actor.index()));
        let needs = *self.population.shape().requirements();
        for slot in 0..needs.deferred_slots {
            if let Some(finish) = script.result(id, tick, slot as usize) {
                let outcome = match finish {
                    Finish::Success => Outcome::Success,
                    Finish::Failure => Outcome::Failure,
                };
                // Refused where the action is not outstanding.
                let slot = SlotIndex(slot);
                self.population.set_result(actor, slot, outcome).ok();
            }
        }
        self.feed_columns(actor, tick);
        for slot in 0..needs.persistent_slots {
            if let Some(status) = script.persistent(id, tick, slot as usize) {
                let written = self
                    .population
                    .set_persistent(actor, SlotIndex(slot), status);
                written.expect("it lives");
            }
        }
    }

    pub(crate) fn feed_columns(&mut self, actor: ActorId, tick: u64) {
        for column in 0..COLUMNS.len() {
            let value = self.script.column(actor.index().into(), tick, column);
            if let Some(value) = value {
                let written = self
                    .population
                    .set_value(actor, ColumnIndex::from(column), value);
                written.expect("declared");
            }
        }
    }

    /// Ticks; the script's callbacks answer for its tick of that number.
    pub(crate) fn tick(&mut self, tick: u64, dt: Duration) {
        self.host.tick.store(tick, Ordering::Relaxed);
        self.population.tick(dt);
    }

    /// What was called for the actor's place since this was asked last.
    pub(crate) fn calls(&self, actor: ActorId) -> Vec<Called> {
        let calls = &self.host.calls[actor.index() as usize];
        std::mem::take(&mut calls.lock().expect("no panics here"))
    }
}

fn register(population: &mut Population, host: &Arc<Host>) {
    let shape = population.shape().clone();
    for (index, function) in shape.tables().functions.iter().enumerate() {
        if shape.is_inner_function(index as u32) {
            continue;
        }
        let name = shape.function_name(FunctionIndex::from(index));
        let host = host.clone();
        match function.kind() {
            Some(FunctionKind::Task) => population.on_task(name, ScriptedTask(host)),
            // Half of them a block at a time.
            _ if index % 2 == 0 => {
                population.on_query_batch(name, move |batch| host.holds_for(batch))
            }
            _ => population.on_query(name, move |call| {
                let holds = host.holds(call.actor(), call.node().0);
                host.note(call, What::Query(holds));
                holds
            }),
        }
        .expect("the tree calls it");
    }
}
