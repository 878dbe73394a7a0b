//! The walk: leaves.

use std::time::Duration;

use pleach_shape::Status;
use pleach_tree::{Call, Expr, NodeKind};
use pleach_vm::random::{below, draw};

use crate::host::{Callback, Exit, Host};

use super::expr::{clamped, evaluate};
use super::walk::Walk;

impl Walk<'_> {
    pub(super) fn leaf(&mut self, at: u32, kind: &NodeKind) -> Status {
        let slot = self.tree.slots[at as usize] as usize;
        match kind {
            NodeKind::Condition(test) => Status::from_bool(self.holds(test)),
            NodeKind::Query(call) => {
                let (host, callback) = self.callback(at, call);
                Status::from_bool(host.query(callback))
            }
            // L2: a result in the slot is the answer; without one, the action is requested. What
            // kind of request that is depends on what stays running, and is judged after the walk.
            NodeKind::Action(_) => self.results[slot].map_or(Status::Running, Status::from),
            // L3: never requests.
            NodeKind::PersistentAction(_) => self.persistent[slot],
            NodeKind::Task(call) => self.task(at, call),
            NodeKind::Set { column, value } => {
                self.write(column, value);
                Status::Success
            }
            NodeKind::Wait(time) => self.wait(at, *time),
            NodeKind::WaitBetween { min, max } => {
                let time = self.drawn_time(at, *min, *max);
                self.wait(at, time)
            }
            NodeKind::Succeed => Status::Success,
            NodeKind::Fail => Status::Failure,
            NodeKind::Idle => Status::Running,
            _ => unreachable!("parents are visited as parents"),
        }
    }

    /// L7
    pub(super) fn write(&mut self, column: &str, value: &Expr) {
        let columns = self.tree.tree.columns();
        let place = columns.iter().position(|declared| declared.name == *column);
        let place = place.expect("a Set names a declared column");
        let value = evaluate(value, &self.names());
        self.columns[place] = clamped(value, columns[place].default.ty());
    }

    /// D4. A wait that runs keeps the deadline it began with, whatever time is handed in now.
    fn wait(&mut self, at: u32, time: Duration) -> Status {
        let deadline = self.deadline(at, time);
        if self.clock >= deadline {
            return Status::Success;
        }
        self.after.deadline.insert(at, deadline);
        Status::Running
    }

    /// D4: the time that a wait takes that starts in this tick.
    fn drawn_time(&self, at: u32, min: Duration, max: Duration) -> Duration {
        let [min, max] = [min, max].map(|time| time.as_micros() as u64);
        let bits = draw(self.seed, self.actor, at, self.tick);
        Duration::from_micros(min + below(bits, max - min + 1))
    }

    /// L4: one exit for each enter; the one of a task that finishes comes at once.
    fn task(&mut self, at: u32, call: &Call) -> Status {
        if !self.before.tasks.contains(&at) {
            let (host, callback) = self.callback(at, call);
            host.enter(callback);
        }
        let (host, callback) = self.callback(at, call);
        let answer = host.run(callback);
        let exit = match answer {
            Status::Running => {
                self.after.tasks.insert(at);
                return Status::Running;
            }
            Status::Success => Exit::Success,
            Status::Failure => Exit::Failure,
        };
        let (host, callback) = self.callback(at, call);
        host.exit(callback, exit);
        answer
    }

    fn callback<'c>(&'c mut self, at: u32, call: &'c Call) -> (&'c mut dyn Host, Callback<'c>) {
        let callback = Callback {
            node: self.tree.nodes[at as usize].id,
            index: at,
            call,
            columns: &mut *self.columns,
            world: self.world,
        };
        (&mut *self.host, callback)
    }
}
