//! The reference interpreter on cases.

use std::collections::BTreeSet;

use pleach_shape::Status;
use pleach_tree::{Node, NodeKind};

use crate::host::{Callback, Exit, Host};
use crate::reference::{Inputs, Leave, Reference};

use super::Interpreter;
use super::case::{ActionScript, Case, Outcome, ReleaseOutcome, TickOutcome};

/// Runs cases on the [`Reference`].
#[derive(Clone, Copy, Default, Debug)]
pub struct ReferenceInterpreter;

impl Interpreter for ReferenceInterpreter {
    fn name(&self) -> &str {
        "reference"
    }

    fn run(&mut self, case: &Case) -> Outcome {
        let mut actor = Reference::new(&case.tree);
        let mut systems: Vec<ActionScript<'_>> = case
            .actions
            .iter()
            .map(|(_, entries)| ActionScript::new(entries))
            .collect();
        let slot_names = |slots: &[u32]| -> BTreeSet<String> {
            slots
                .iter()
                .map(|&slot| case.actions[slot as usize].0.clone())
                .collect()
        };
        let mut outcome = Outcome::default();
        for tick in 0..case.ticks {
            let results: Vec<_> = systems
                .iter_mut()
                .map(|system| system.result(tick))
                .collect();
            let inputs = Inputs {
                dt: 1,
                columns: &mut [],
                world: &[],
                results: &results,
                persistent: &[],
            };
            let (observed, trace) = actor.tick(inputs, &mut Scripted { case, tick });
            for &slot in &observed.cancels {
                systems[slot as usize].cancel();
            }
            for &slot in &observed.launches {
                systems[slot as usize].launch(tick);
            }
            let task = |index: u32| actor.node(index).and_then(task_name);
            outcome.ticks.push(TickOutcome {
                root: observed.root.expect("no case has an abort"),
                visits: trace
                    .visits
                    .iter()
                    .filter_map(|visit| Some((task(visit.index)?, visit.fresh)))
                    .collect(),
                halts: trace
                    .halts
                    .iter()
                    .filter_map(|&index| task(index))
                    .collect(),
                launches: slot_names(&observed.launches),
                cancels: slot_names(&observed.cancels),
            });
            if case.abort_after.contains(&tick) {
                let results = vec![None; case.actions.len()];
                let mut host = Scripted { case, tick };
                let release = actor.release(Leave::Unload, &mut [], &[], &results, &mut host);
                for &slot in &release.cancels {
                    systems[slot as usize].cancel();
                }
                let task = |index: u32| actor.node(index).and_then(task_name);
                outcome.releases.push(ReleaseOutcome {
                    halts: release
                        .halts
                        .iter()
                        .filter_map(|&index| task(index))
                        .collect(),
                    cancels: slot_names(&release.cancels),
                });
            }
        }
        outcome
    }
}

fn task_name(node: &Node) -> Option<String> {
    match &node.kind {
        NodeKind::Task(call) => Some(call.name.clone()),
        _ => None,
    }
}

struct Scripted<'c> {
    case: &'c Case,
    tick: u32,
}

impl Host for Scripted<'_> {
    fn query(&mut self, callback: Callback<'_>) -> bool {
        self.case.answer(&callback.call.name, self.tick) == Status::Success
    }

    fn enter(&mut self, _: Callback<'_>) {}

    fn run(&mut self, callback: Callback<'_>) -> Status {
        self.case.answer(&callback.call.name, self.tick)
    }

    fn exit(&mut self, _: Callback<'_>, _: Exit) {}
}
