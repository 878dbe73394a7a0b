//! How far agents are, held by weak keys.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mlua::{AnyUserData, Lua, Table, Value};
use pleach_shape::Status;
use pleach_vm::Solo;

use crate::refusal::Refusal;
use crate::tree::TreeCore;

/// Progress takes memory that the collector does not see. From this many bytes on it is made to look
/// after it: see [`Ledger::relieve`].
const RELIEF_BYTES: usize = 64 << 20;

/// One agent's progress in a tree. It knows nothing of Lua: weak keys hold an entry as long as its value
/// refers to its key.
pub(crate) struct Progress {
    /// Borrowed while the tree ticks or resets it.
    pub(crate) solo: RefCell<Solo>,
    /// What the last tick came to.
    pub(crate) last: Cell<Option<Status>>,
    /// Microseconds by which the sum of all `dt` is ahead of the actor's clock, which counts whole ones:
    /// at most half a one, either way.
    ahead: Cell<f64>,
    bytes: usize,
    ledger: Rc<Ledger>,
    live: Rc<Cell<usize>>,
}

impl Progress {
    /// The time for the actor's clock, in microseconds, when `seconds` went by. What is lost of one tick
    /// by rounding comes with the next: ticks of a 60th of a second make a second after 60.
    pub(crate) fn micros(&self, seconds: f64) -> u64 {
        let exact = seconds.mul_add(1e6, self.ahead.get());
        let whole = exact.round().max(0.0);
        self.ahead.set(exact - whole);
        whole as u64
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let ledger = &self.ledger;
        ledger.bytes.set(ledger.bytes.get() - self.bytes);
        self.live.set(self.live.get() - 1);
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

    pub(crate) fn new(lua: &Lua, metatable: &Table) -> mlua::Result<Table> {
        let table = lua.create_table()?;
        table.set_metatable(Some(metatable.clone()))?;
        Ok(table)
    }

    /// The agent's progress, if it has any.
    pub(crate) fn get(&self, agent: &Value) -> mlua::Result<Option<Rc<Progress>>> {
        let held: Option<AnyUserData> = self.0.raw_get(agent)?;
        held.map(|held| Ok(held.borrow::<Rc<Progress>>()?.clone()))
            .transpose()
    }

    /// The agent's progress; it begins if it has none.
    pub(crate) fn get_or_begin(
        &self,
        lua: &Lua,
        agent: &Value,
        tree: &TreeCore,
    ) -> Result<Rc<Progress>, Refusal> {
        if let Some(progress) = self.get(agent)? {
            return Ok(progress);
        }
        tree.ledger.relieve(lua)?;
        let number = tree.begun.get() + 1;
        let solo = Solo::new(&tree.solo, number).map_err(|error| error.to_string())?;
        let bytes = solo.bytes();
        tree.ledger.bytes.set(tree.ledger.bytes.get() + bytes);
        tree.live.set(tree.live.get() + 1);
        let progress = Rc::new(Progress {
            solo: RefCell::new(solo),
            last: Cell::new(None),
            ahead: Cell::new(0.0),
            bytes,
            ledger: tree.ledger.clone(),
            live: tree.live.clone(),
        });
        let held = lua.create_any_userdata(progress.clone())?;
        self.0.raw_set(agent, held)?;
        tree.begun.set(number);
        Ok(progress)
    }

    /// Forgets the agent.
    pub(crate) fn forget(&self, agent: &Value) -> mlua::Result<()> {
        self.0.raw_set(agent, Value::Nil)
    }
}

/// What the progress of all agents of all trees of a module takes.
#[derive(Default)]
pub(crate) struct Ledger {
    bytes: Cell<usize>,
    /// What was left after the last relief.
    left: Cell<usize>,
}

impl Ledger {
    /// Makes the collector go round once progress takes twice of what it left the last time. By itself
    /// it would not hurry, since it sees a few bytes only of each.
    fn relieve(&self, lua: &Lua) -> mlua::Result<()> {
        let limit = self.left.get().saturating_mul(2).max(RELIEF_BYTES);
        if self.bytes.get() >= limit && lua.gc_is_running() {
            // The first round takes entries whose agents are gone, the second their progress: weak keys
            // hold on to the values that they find.
            lua.gc_collect()?;
            lua.gc_collect()?;
            self.left.set(self.bytes.get());
        }
        Ok(())
    }
}
