//! What the tests of task trees share: scripted tasks, and a stage on which an agent runs a tree.

use std::time::Duration;

use pleach::task::{Exit, NodeDef, Progress, Status, Tree, condition, task};

/// The time of a tick.
pub(crate) const SECOND: Duration = Duration::from_secs(1);

/// The agent: knows how many ticks it has had.
#[derive(Default)]
pub(crate) struct Agent {
    pub(crate) ticks: usize,
}

/// The board: what happened.
pub(crate) type Diary = Vec<String>;

/// A definition for the stage.
pub(crate) type Def = NodeDef<'static, Agent, Diary>;

fn letter(script: &str, agent: &Agent) -> u8 {
    script.as_bytes()[(agent.ticks - 1) % script.len()]
}

/// A task that answers in each tick with a letter of its script, S, F or R, and starts over behind the
/// last. It writes `name>` when it enters, `name` when it runs, and `name:reason` when it exits.
pub(crate) fn scripted(name: &'static str, script: &'static str) -> Def {
    task(move |agent: &mut Agent, diary: &mut Diary, _| {
        diary.push(name.into());
        match letter(script, agent) {
            b'S' => Status::Success,
            b'F' => Status::Failure,
            _ => Status::Running,
        }
    })
    .on_enter(move |_, diary| diary.push(format!("{name}>")))
    .on_exit(move |_, diary, reason| {
        let reason = match reason {
            Exit::Success => "success",
            Exit::Failure => "failure",
            Exit::Aborted => "aborted",
        };
        diary.push(format!("{name}:{reason}"));
    })
}

/// A condition that holds in the ticks whose letter of its script is S. It writes its name.
pub(crate) fn asks(name: &'static str, script: &'static str) -> Def {
    condition(move |agent: &mut Agent, diary: &mut Diary| {
        diary.push(name.into());
        letter(script, agent) == b'S'
    })
}

/// An agent with its tree.
pub(crate) struct Stage {
    pub(crate) tree: Tree<'static, Agent, Diary>,
    pub(crate) progress: Progress,
    pub(crate) agent: Agent,
    pub(crate) diary: Diary,
}

impl Stage {
    pub(crate) fn new(def: Def) -> Stage {
        Stage {
            tree: Tree::compile(def).expect("nothing is wrong with it"),
            progress: Progress::default(),
            agent: Agent::default(),
            diary: Diary::new(),
        }
    }

    pub(crate) fn tick_for(&mut self, dt: Duration) -> Status {
        self.agent.ticks += 1;
        self.tree
            .tick(&mut self.progress, &mut self.agent, &mut self.diary, dt)
    }

    /// Ticks for a second; gives the status as a letter, and what happened.
    pub(crate) fn tick(&mut self) -> (char, String) {
        let letter = status_letter(self.tick_for(SECOND));
        (letter, std::mem::take(&mut self.diary).join(" "))
    }

    /// The statuses of that many ticks of a second, as letters.
    pub(crate) fn statuses(&mut self, ticks: usize) -> String {
        (0..ticks).map(|_| self.tick().0).collect()
    }

    pub(crate) fn reset(&mut self) -> String {
        self.tree
            .reset(&mut self.progress, &mut self.agent, &mut self.diary);
        std::mem::take(&mut self.diary).join(" ")
    }
}

pub(crate) fn status_letter(status: Status) -> char {
    match status {
        Status::Success => 'S',
        Status::Failure => 'F',
        Status::Running => 'R',
    }
}
