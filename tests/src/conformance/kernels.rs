//! The kernels on cases: a population of one.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pleach_shape::Status;
use pleach_tree::compile;
use pleach_vm::{ActorId, Call, Exit, Kernel, Outcome as Finished, Population, RequestKind, Task};

use super::Interpreter;
use super::case::{ActionScript, Case, Outcome, ReleaseOutcome, TickOutcome};
use crate::observation::Finish;

/// Runs cases on a population of one actor.
#[derive(Clone, Copy, Debug)]
pub struct KernelInterpreter(pub Kernel);

/// What the tasks of a case share: which tick it is, and what they were called for.
#[derive(Default)]
struct Stage {
    tick: u32,
    visits: Vec<(String, bool)>,
    entered: bool,
    halts: BTreeSet<String>,
}

struct ScriptedTask {
    name: String,
    answers: Vec<Status>,
    stage: Arc<Mutex<Stage>>,
}

impl Task for ScriptedTask {
    fn enter(&self, _: &mut Call<'_>) {
        self.stage.lock().expect("no panics here").entered = true;
    }

    fn run(&self, _: &mut Call<'_>) -> Status {
        let mut stage = self.stage.lock().expect("no panics here");
        let fresh = std::mem::take(&mut stage.entered);
        stage.visits.push((self.name.clone(), fresh));
        self.answers[stage.tick as usize]
    }

    fn exit(&self, _: &mut Call<'_>, reason: Exit) {
        if reason == Exit::Aborted {
            self.stage
                .lock()
                .expect("no panics here")
                .halts
                .insert(self.name.clone());
        }
    }
}

impl Interpreter for KernelInterpreter {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn run(&mut self, case: &Case) -> Outcome {
        let shape = compile(&case.tree).expect("cases with trees that do not compile are refused");
        let mut population = Population::new(shape).with_kernel(self.0);
        let stage = Arc::new(Mutex::new(Stage::default()));
        for (name, answers) in &case.tasks {
            let task = ScriptedTask {
                name: name.clone(),
                answers: answers.clone(),
                stage: stage.clone(),
            };
            population
                .on_task(name, task)
                .expect("the case's tree calls it");
        }
        let actor = population.spawn().expect("memory");
        let mut systems: Vec<ActionScript<'_>> = case
            .actions
            .iter()
            .map(|(_, entries)| ActionScript::new(entries))
            .collect();
        let mut outcome = Outcome::default();
        for tick in 0..case.ticks {
            stage.lock().expect("no panics here").tick = tick;
            deliver(&mut population, actor, &mut systems, case, tick);
            population.tick(Duration::from_micros(1));
            let [launches, cancels] = requests(&population, &mut systems, case, tick);
            let root = population.status(actor).expect("it lives");
            let mut stage_now = stage.lock().expect("no panics here");
            outcome.ticks.push(TickOutcome {
                root: root.expect("it is loaded"),
                visits: std::mem::take(&mut stage_now.visits),
                halts: std::mem::take(&mut stage_now.halts),
                launches,
                cancels,
            });
            drop(stage_now);
            if case.abort_after.contains(&tick) {
                // An unload is carried out by a tick, which walks nobody.
                population.unload(actor).expect("it lives");
                population.tick(Duration::ZERO);
                population.load(actor).expect("it lives");
                let [_, cancels] = requests(&population, &mut systems, case, tick);
                let halts = std::mem::take(&mut stage.lock().expect("no panics here").halts);
                outcome.releases.push(ReleaseOutcome { halts, cancels });
            }
        }
        outcome
    }
}

fn deliver(
    population: &mut Population,
    actor: ActorId,
    systems: &mut [ActionScript<'_>],
    case: &Case,
    tick: u32,
) {
    for (system, (name, _)) in systems.iter_mut().zip(&case.actions) {
        let slot = population.slots(name)[0];
        let result = match system.result(tick) {
            Some(Finish::Success) => Finished::Success,
            Some(Finish::Failure) => Finished::Failure,
            None => continue,
        };
        population
            .set_result(actor, slot, result)
            .expect("the action is outstanding");
    }
}

/// Names of actions launched and cancelled; their systems are told.
fn requests(
    population: &Population,
    systems: &mut [ActionScript<'_>],
    case: &Case,
    tick: u32,
) -> [BTreeSet<String>; 2] {
    let mut named = [const { BTreeSet::new() }; 2];
    for request in population.requests().iter() {
        let system = &mut systems[request.slot.at()];
        let name = case.actions[request.slot.at()].0.clone();
        match request.kind {
            RequestKind::Launch => {
                system.launch(tick);
                named[0].insert(name);
            }
            RequestKind::Cancel => {
                system.cancel();
                named[1].insert(name);
            }
            RequestKind::Continue => {}
        }
    }
    named
}
