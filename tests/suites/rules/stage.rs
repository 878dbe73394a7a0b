//! One actor, ticked by hand.

use std::collections::BTreeMap;
use std::time::Duration;

use pleach_shape::{Status, Value};
use pleach_tests::host::{Callback, Exit, Host};
use pleach_tests::observation::{Finish, Observation, Release, Trace};
use pleach_tests::reference::{Inputs, Leave, Reference};
use pleach_tree::{NodeDef, Tree};
use pleach_vm::{Call, Kernel, Population};

/// Answers each task and query by a letter a tick, and writes down what is called.
struct Letters {
    answers: BTreeMap<&'static str, &'static str>,
    tick: usize,
    log: Vec<String>,
}

impl Letters {
    fn answer(&self, callback: &Callback<'_>) -> Status {
        let letters = self.answers[callback.call.name.as_str()];
        let letter = letters
            .chars()
            .nth(self.tick)
            .expect("a letter for each tick");
        Status::ALL
            .into_iter()
            .find(|status| status.letter() == letter)
            .expect("S, F or R")
    }
}

impl Host for Letters {
    fn query(&mut self, callback: Callback<'_>) -> bool {
        self.answer(&callback) == Status::Success
    }

    fn enter(&mut self, callback: Callback<'_>) {
        self.log.push(format!("enter {}", callback.call.name));
    }

    fn run(&mut self, callback: Callback<'_>) -> Status {
        let answer = self.answer(&callback);
        self.log.push(format!("run {}", callback.call.name));
        answer
    }

    fn exit(&mut self, callback: Callback<'_>, exit: Exit) {
        self.log
            .push(format!("exit {} {exit:?}", callback.call.name));
    }
}

/// One actor on a tree, ticked with 10 µs a tick.
pub(crate) struct Stage<'t> {
    pub(crate) actor: Reference<'t>,
    host: Letters,
    pub(crate) columns: Vec<Value>,
    pub(crate) persistent: Vec<Status>,
}

pub(crate) const DT: u64 = 10;

// What a root can answer.
pub(crate) const S: Option<Status> = Some(Status::Success);
pub(crate) const F: Option<Status> = Some(Status::Failure);
pub(crate) const R: Option<Status> = Some(Status::Running);

pub(crate) fn tree(root: NodeDef) -> Tree {
    Tree::build("rules")
        .column("flag", false)
        .column("count", 0)
        .root(root)
}

impl<'t> Stage<'t> {
    pub(crate) fn new(tree: &'t Tree, answers: &[(&'static str, &'static str)]) -> Stage<'t> {
        pleach_tree::compile(tree).expect("the trees here compile");
        let actor = Reference::new(tree);
        Stage {
            persistent: vec![Status::Running; actor.persistent_slots()],
            actor,
            host: Letters {
                answers: answers.iter().copied().collect(),
                tick: 0,
                log: Vec::new(),
            },
            columns: tree.columns().iter().map(|column| column.default).collect(),
        }
    }

    pub(crate) fn tick_with(&mut self, results: &[(usize, Finish)]) -> (Observation, Trace) {
        let inputs = Inputs {
            dt: DT,
            columns: &mut self.columns,
            world: &[],
            results: &slots(self.actor.deferred_slots(), results),
            persistent: &self.persistent,
        };
        let seen = self.actor.tick(inputs, &mut self.host);
        self.host.tick += 1;
        seen
    }

    pub(crate) fn tick(&mut self) -> (Observation, Trace) {
        self.tick_with(&[])
    }

    pub(crate) fn release(&mut self, leave: Leave, results: &[(usize, Finish)]) -> Release {
        let results = slots(self.actor.deferred_slots(), results);
        let host = &mut self.host;
        self.actor
            .release(leave, &mut self.columns, &[], &results, host)
    }

    pub(crate) fn log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.host.log)
    }
}

fn slots(count: usize, results: &[(usize, Finish)]) -> Vec<Option<Finish>> {
    let mut slots = vec![None; count];
    for &(slot, finish) in results {
        slots[slot] = Some(finish);
    }
    slots
}

/// Indices visited, in order.
pub(crate) fn visited(trace: &Trace) -> Vec<u32> {
    trace.visits.iter().map(|visit| visit.index).collect()
}

/// So many ticks of a [`Stage`].
pub(crate) fn time(ticks: u64) -> Duration {
    Duration::from_micros(ticks * DT)
}

/// The root's letters, `-` where an abort left none: the reference's, which every kernel gives, too.
pub(crate) fn letters(
    root: NodeDef,
    answers: &[(&'static str, &'static str)],
    ticks: usize,
) -> String {
    let tree = tree(root);
    let mut stage = Stage::new(&tree, answers);
    let roots = (0..ticks).map(|_| stage.tick().0.root);
    let expected: String = roots.map(letter).collect();
    for kernel in Kernel::CHOICES {
        let found = letters_of(kernel, &tree, answers, ticks);
        assert_eq!(found, expected, "{kernel:?}");
    }
    expected
}

fn letter(root: Option<Status>) -> char {
    root.map_or('-', Status::letter)
}

/// The root's letters by a kernel.
fn letters_of(
    kernel: Kernel,
    tree: &Tree,
    answers: &[(&'static str, &'static str)],
    ticks: usize,
) -> String {
    let shape = pleach_tree::compile(tree).expect("the trees here compile");
    let mut population = Population::new(shape).with_kernel(kernel);
    for (name, letters) in answers.iter().copied() {
        let answer = move |tick: u64| {
            let letter = letters.chars().nth(tick as usize - 1);
            let mut all = Status::ALL.into_iter();
            // A panic is a Failure, as is asking where no answer is foreseen.
            all.find(|status| Some(status.letter()) == letter)
                .expect("S, F or R")
        };
        let is_task = population
            .on_task(name, move |call: &mut Call<'_>| answer(call.tick()))
            .is_ok();
        if !is_task {
            population
                .on_query(name, move |call| answer(call.tick()) == Status::Success)
                .expect("the tree asks it");
        }
    }
    let actor = population.spawn().expect("memory");
    let mut letters = String::new();
    for _ in 0..ticks {
        population.tick(Duration::from_micros(DT));
        letters.push(letter(population.status(actor).expect("it lives")));
    }
    letters
}
