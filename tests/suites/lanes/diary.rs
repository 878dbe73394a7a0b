//! Tasks that answer by a script of letters, and write down what they are told.

use std::sync::{Arc, Mutex};

use pleach_shape::Status;
use pleach_vm::{ActorId, Call, Exit, Population, Task};

/// What was called, in order: place, task and what it was told.
#[derive(Clone, Default)]
pub(crate) struct Diary(Arc<Mutex<Vec<(u32, String)>>>);

struct Written {
    diary: Diary,
    name: &'static str,
    letters: &'static str,
}

impl Written {
    fn note(&self, call: &Call<'_>, what: &str) {
        let mut lines = self.diary.0.lock().expect("no panics here");
        lines.push((call.actor().index(), format!("{} {what}", self.name)));
    }
}

impl Task for Written {
    fn enter(&self, call: &mut Call<'_>) {
        self.note(call, "enter");
    }

    fn run(&self, call: &mut Call<'_>) -> Status {
        self.note(call, "run");
        match self.letters.as_bytes()[(call.tick() - 1) as usize % self.letters.len()] {
            b'S' => Status::Success,
            b'F' => Status::Failure,
            _ => Status::Running,
        }
    }

    fn exit(&self, call: &mut Call<'_>, reason: Exit) {
        self.note(
            call,
            match reason {
                Exit::Success => "success",
                Exit::Failure => "failure",
                Exit::Aborted => "aborted",
            },
        );
    }
}

impl Diary {
    /// The task of that name answers the letters, one a tick, then from the first again.
    pub(crate) fn keeps(
        &self,
        population: &mut Population,
        name: &'static str,
        letters: &'static str,
    ) {
        let written = Written {
            diary: self.clone(),
            name,
            letters,
        };
        population.on_task(name, written).expect("the tree does");
    }

    /// What an actor's tasks were told since this was asked last.
    pub(crate) fn of(&self, actor: ActorId) -> Vec<String> {
        let mut lines = self.0.lock().expect("no panics here");
        let own = lines.extract_if(.., |(place, _)| *place == actor.index());
        own.map(|(_, what)| what).collect()
    }
}
