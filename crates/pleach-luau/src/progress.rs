//! How far agents are, held by weak keys.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use mlua::{AnyUserData, Lua, Table, Value};
use pleach_shape::Status;
use pleach_vm::Solo;

use crate::refusal::Refusal;
use crate::tree::TreeCore;

/// Trees and progress take memory that the collector does not see. From this many bytes on it is made to look
/// after it: see [`Ledger::relieve`].
const RELIEF_BYTES: usize = 64 << 20;

/// One agent's progress in a tree. It knows nothing of Lua: weak keys hold an entry as long as its value
/// refers to its key.
///
/// A state is used by one thread at a time, but may be handed from one to the other, if the host has mlua
/// built so; hence what is counted here and in [`Ledger`] is atomic.
pub(crate) struct Progress {
    /// Locked while the tree ticks or resets it.
    run: Mutex<Run>,
    /// What the last tick came to: 0 for nothing, else the status and 1.
    last: AtomicU8,
    bytes: usize,
    ledger: Arc<Ledger>,
    live: Arc<AtomicUsize>,
}

/// An agent's way through the tree.
pub(crate) struct Run {
    pub(crate) solo: Solo,
    /// Microseconds by which the sum of all `dt` is ahead of the actor's clock, which counts whole ones:
    /// at most half a one, either way.
    ahead: f64,
}

impl Progress {
    /// Its run, if it is not in the middle of a tick or reset.
    pub(crate) fn run(&self) -> Option<MutexGuard<'_, Run>> {
        match self.run.try_lock() {
            Ok(run) => Some(run),
            // A panic of the host's went through a tick, which was completed before.
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// What the last tick came to.
    pub(crate) fn last(&self) -> Option<Status> {
        let last = self.last.load(Relaxed).checked_sub(1)?;
        Status::ALL.into_iter().find(|&status| status as u8 == last)
    }

    pub(crate) fn set_last(&self, status: Status) {
        self.last.store(status as u8 + 1, Relaxed);
    }
}

impl Run {
    /// The time for the actor's clock when `seconds` went by. What is lost of one tick by rounding comes
    /// with the next: ticks of a 60th of a second make a second after 60.
    pub(crate) fn time(&mut self, seconds: f64) -> Duration {
        let exact = seconds.mul_add(1e6, self.ahead);
        let whole = exact.round().max(0.0);
        self.ahead = exact - whole;
        Duration::from_micros(whole as u64)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.ledger.remove(self.bytes);
        self.live.fetch_sub(1, Relaxed);
    }
}

/// The progress of a tree's agents: a Lua table with weak keys.
pub(crate) struct Agents(pub(crate) Table);

impl Agents {
    /// What makes a table's keys weak, and lets it shrink when many are gone.
    pub(crate) fn metatable(lua: &Lua) -> mlua::Result<Table> {
        let metatable = lua.create_table()?;
        metatable.raw_set("__mode", "ks")?;
        metatable.set_readonly(true);
        Ok(metatable)
    }

    /// A table without agents.
    pub(crate) fn empty(lua: &Lua, metatable: &Table) -> mlua::Result<Table> {
        let table = lua.create_table()?;
        table.set_metatable(Some(metatable.clone()))?;
        Ok(table)
    }

    /// The agent's progress, if it has any.
    pub(crate) fn get(&self, agent: &Value) -> mlua::Result<Option<Arc<Progress>>> {
        let held: Option<AnyUserData> = self.0.raw_get(agent)?;
        held.map(|held| Ok(held.borrow::<Arc<Progress>>()?.clone()))
            .transpose()
    }

    /// The agent's progress; it begins if it has none.
    pub(crate) fn get_or_begin(
        &self,
        lua: &Lua,
        agent: &Value,
        tree: &TreeCore,
    ) -> Result<Arc<Progress>, Refusal> {
        if let Some(progress) = self.get(agent)? {
            return Ok(progress);
        }
        tree.ledger.relieve(lua)?;
        let number = tree.begun.load(Relaxed) + 1;
        let solo = Solo::new(&tree.solo, number).map_err(|error| error.to_string())?;
        let bytes = solo.bytes();
        tree.ledger.add(bytes);
        tree.live.fetch_add(1, Relaxed);
        let progress = Arc::new(Progress {
            run: Mutex::new(Run { solo, ahead: 0.0 }),
            last: AtomicU8::new(0),
            bytes,
            ledger: tree.ledger.clone(),
            live: tree.live.clone(),
        });
        let held = lua.create_any_userdata(progress.clone())?;
        self.0.raw_set(agent, held)?;
        tree.begun.store(number, Relaxed);
        Ok(progress)
    }

    /// Forgets the agent.
    pub(crate) fn forget(&self, agent: &Value) -> mlua::Result<()> {
        self.0.raw_set(agent, Value::Nil)
    }
}

/// What all trees of a module and the progress of their agents take.
#[derive(Default)]
pub(crate) struct Ledger {
    bytes: AtomicUsize,
    /// What was left after the last relief.
    left: AtomicUsize,
}

impl Ledger {
    /// Counts memory that something holds until it is dropped.
    pub(crate) fn add(&self, bytes: usize) {
        self.bytes.fetch_add(bytes, Relaxed);
    }

    /// Counts it no more.
    pub(crate) fn remove(&self, bytes: usize) {
        self.bytes.fetch_sub(bytes, Relaxed);
    }

    /// Makes the collector go round once all this takes twice of what it left the last time. By itself
    /// it would not hurry, since it sees a few bytes only of each.
    pub(crate) fn relieve(&self, lua: &Lua) -> mlua::Result<()> {
        let limit = self.left.load(Relaxed).saturating_mul(2).max(RELIEF_BYTES);
        if self.bytes.load(Relaxed) >= limit && lua.gc_is_running() {
            // The first round takes entries whose agents are gone, the second their progress: weak keys
            // hold on to the values that they find.
            lua.gc_collect()?;
            lua.gc_collect()?;
            self.left.store(self.bytes.load(Relaxed), Relaxed);
        }
        Ok(())
    }
}
