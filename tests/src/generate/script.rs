//! What happens to a tree while it runs: inputs and host answers as pure functions.

use pleach_shape::{Status, Value, ValueType};

use crate::host::{Callback, Exit, Host, HostCall};
use crate::observation::Finish;

use super::{COLUMNS, WORLD, draw};

/// What a draw is for: keeps draws of different purposes independent.
#[derive(Clone, Copy)]
enum Purpose {
    Dt = 1,
    World,
    Column,
    Result,
    Persistent,
    Lifecycle,
    Query,
    Task,
    TaskWrite,
}

/// What happens to an actor between two ticks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifecycle {
    /// It is loaded, having been out.
    Load,
    /// It is unloaded: everything is halted, and it is not ticked until it is loaded.
    Unload,
    /// Everything is halted and forgotten; one that is in starts afresh in the next tick.
    Reset,
}

/// Everything that happens, as functions of a seed. Actors, nodes (by depth-first index), slots,
/// columns and ticks count from 0.
///
/// An engine applies, before each tick and in this order: [`world`](Script::world); then for each
/// actor [`result`](Script::result) for outstanding slots, [`lifecycle`](Script::lifecycle),
/// [`column`](Script::column) and [`persistent`](Script::persistent); then it ticks with
/// [`dt`](Script::dt) those that are loaded. The seed is also that of random orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Script {
    /// The seed.
    pub seed: u64,
}

impl Script {
    fn draw(self, purpose: Purpose, indices: [u64; 3]) -> u64 {
        draw(
            self.seed,
            &[purpose as u64, indices[0], indices[1], indices[2]],
        )
    }

    /// Microseconds from the last tick to this one: often equal, sometimes none, sometimes many.
    pub fn dt(self, tick: u64) -> u64 {
        match self.draw(Purpose::Dt, [tick, 0, 0]) % 8 {
            0 => 0,
            1 => 23,
            2 => 1,
            _ => 7,
        }
    }

    /// What a world value is set to before a tick, if anything. `index` is into
    /// [`WORLD`].
    pub fn world(self, tick: u64, index: usize) -> Option<Value> {
        let bits = self.draw(Purpose::World, [tick, index as u64, 0]);
        bits.is_multiple_of(4)
            .then(|| value(WORLD[index].1.ty(), bits >> 8))
    }

    /// What a column is set to from outside before a tick, if anything. `index` is into
    /// [`COLUMNS`].
    pub fn column(self, actor: u64, tick: u64, index: usize) -> Option<Value> {
        let bits = self.draw(Purpose::Column, [actor, tick, index as u64]);
        bits.is_multiple_of(6)
            .then(|| value(COLUMNS[index].1.ty(), bits >> 8))
    }

    /// The result that comes in before a tick for a slot that is outstanding, if any.
    pub fn result(self, actor: u64, tick: u64, slot: usize) -> Option<Finish> {
        match self.draw(Purpose::Result, [actor, tick, slot as u64]) % 6 {
            0 => Some(Finish::Failure),
            1 | 2 => Some(Finish::Success),
            _ => None,
        }
    }

    /// What a persistent action's system writes before a tick, if anything; what it wrote before
    /// holds until then.
    pub fn persistent(self, actor: u64, tick: u64, slot: usize) -> Option<Status> {
        let bits = self.draw(Purpose::Persistent, [actor, tick, slot as u64]);
        bits.is_multiple_of(2).then(|| status(bits >> 8))
    }

    /// What happens to an actor before a tick. All are loaded before the first.
    pub fn lifecycle(self, actor: u64, tick: u64, loaded: bool) -> Option<Lifecycle> {
        match (self.draw(Purpose::Lifecycle, [actor, tick, 0]) % 24, loaded) {
            (0, true) => Some(Lifecycle::Unload),
            (1, true) => Some(Lifecycle::Reset),
            (0..8, false) => Some(Lifecycle::Load),
            (8, false) => Some(Lifecycle::Reset),
            _ => None,
        }
    }

    /// What a query is answered.
    pub fn query(self, actor: u64, node: u32, tick: u64) -> bool {
        self.draw(Purpose::Query, [actor, u64::from(node), tick])
            .is_multiple_of(2)
    }

    /// What a task answers.
    pub fn task(self, actor: u64, node: u32, tick: u64) -> Status {
        status(self.draw(Purpose::Task, [actor, u64::from(node), tick]))
    }

    /// What a task writes to its actor's row when it runs, if anything: an index into
    /// [`COLUMNS`] and the value.
    pub fn task_write(self, actor: u64, node: u32, tick: u64) -> Option<(usize, Value)> {
        let bits = self.draw(Purpose::TaskWrite, [actor, u64::from(node), tick]);
        let index = (bits >> 2) as usize % COLUMNS.len();
        bits.is_multiple_of(4)
            .then(|| (index, value(COLUMNS[index].1.ty(), bits >> 16)))
    }
}

/// Running a little more often than either finish.
fn status(bits: u64) -> Status {
    match bits % 7 {
        0 | 1 => Status::Success,
        2 | 3 => Status::Failure,
        _ => Status::Running,
    }
}

/// A value of that type: mostly small and likely to meet a constant, sometimes an extreme.
fn value(ty: ValueType, bits: u64) -> Value {
    let extreme = bits.is_multiple_of(5);
    let bits = bits / 5;
    match ty {
        ValueType::Bool => Value::Bool(bits & 1 == 1),
        ValueType::U8 => Value::U8(if extreme { 255 } else { (bits % 4) as u8 }),
        ValueType::U16 => Value::U16(if extreme {
            bits as u16
        } else {
            (bits % 300) as u16
        }),
        ValueType::I32 if extreme => Value::I32([i32::MIN, i32::MAX, 1 << 30][bits as usize % 3]),
        ValueType::I32 => Value::I32((bits % 7) as i32 - 3),
        ValueType::F32 => Value::F32(if extreme {
            [
                f32::NAN,
                f32::INFINITY,
                f32::NEG_INFINITY,
                -0.0,
                f32::MAX,
                1e-40,
            ][bits as usize % 6]
        } else {
            (bits % 9) as f32 / 4.0 - 1.0
        }),
        ValueType::U64 => Value::U64(if extreme { bits } else { bits % 10 }),
    }
}

/// Answers one actor's tasks and queries in one tick by the script, and writes down the calls.
#[derive(Clone, Debug)]
pub struct ScriptHost {
    script: Script,
    actor: u64,
    tick: u64,
    calls: Vec<HostCall>,
}

impl ScriptHost {
    /// The host of an actor in a tick.
    pub fn new(script: Script, actor: u64, tick: u64) -> ScriptHost {
        ScriptHost {
            script,
            actor,
            tick,
            calls: Vec::new(),
        }
    }

    /// The calls so far, in order.
    pub fn into_calls(self) -> Vec<HostCall> {
        self.calls
    }
}

impl Host for ScriptHost {
    fn query(&mut self, callback: Callback<'_>) -> bool {
        let holds = self.script.query(self.actor, callback.index, self.tick);
        self.calls.push(HostCall::Query(callback.index, holds));
        holds
    }

    fn enter(&mut self, callback: Callback<'_>) {
        self.calls.push(HostCall::Enter(callback.index));
    }

    fn run(&mut self, callback: Callback<'_>) -> Status {
        let write = self
            .script
            .task_write(self.actor, callback.index, self.tick);
        if let Some((column, value)) = write {
            callback.columns[column] = value;
        }
        let answer = self.script.task(self.actor, callback.index, self.tick);
        self.calls.push(HostCall::Run(callback.index, answer));
        answer
    }

    fn exit(&mut self, callback: Callback<'_>, exit: Exit) {
        self.calls.push(HostCall::Exit(callback.index, exit));
    }
}
