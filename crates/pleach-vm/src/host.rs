//! Immediate callbacks: tasks and queries (L1, L4).

use std::fmt;
use std::time::Duration;

use pleach_shape::{
    ColumnIndex, FunctionKind, ParamSource, Shape, Status, TokenIndex, Value, ValueType,
};

use crate::actor::ActorId;
use crate::batch::{Answers, Batch};
use crate::column::{ColumnKey, ColumnType, Row, WorldKey, key_line, store_value, world_fits};
use crate::plane::Plane;

/// Why a task ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exit {
    /// It answered Success.
    Success,
    /// It answered Failure.
    Failure,
    /// It was running and its tree went another way, or the actor left the tree.
    Aborted,
}

/// A task: an immediate callback (L4). For each `enter` there is exactly one `exit`.
///
/// Called from several threads at once, for different actors; never twice at once for one actor.
/// May touch its own actor's row and read the world. A panic in a callback is caught: it counts as
/// Failure, and the tick's report lists it.
///
/// A callback must not tick a population, nor wait for anything that another callback holds: with
/// the `rayon` feature a waiting thread may take up another block's callbacks meanwhile, and wait for
/// itself.
///
/// Closures `Fn(&mut Call) -> Status` are tasks without `enter` and `exit`.
pub trait Task: Send + Sync {
    /// Called on the first tick of a new run, before `run`.
    fn enter(&self, call: &mut Call<'_>) {
        let _ = call;
    }

    /// Called every tick while the task runs.
    fn run(&self, call: &mut Call<'_>) -> Status;

    /// Called instead of [`run`](Task::run) by the lanes kernel, once for all actors of a block that visit
    /// a node. Without an implementation of its own it calls `run` for each of them. One of its own must
    /// answer as `run` would, since other kernels call that. A panic in it counts as a panic of each of
    /// these actors.
    fn run_batch(&self, batch: &mut Batch<'_>) -> Answers {
        batch.each(|call| self.run(call))
    }

    /// Called when the run ends: at once if it finished, behind all visits of the tick if it was
    /// aborted (L6).
    fn exit(&self, call: &mut Call<'_>, reason: Exit) {
        let _ = (call, reason);
    }
}

impl<F: Fn(&mut Call<'_>) -> Status + Send + Sync> Task for F {
    fn run(&self, call: &mut Call<'_>) -> Status {
        self(call)
    }
}

/// What a callback sees: who calls, from which node, and the actor's blackboard row.
pub struct Call<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) row: Row<'a>,
    pub(crate) world: &'a [u64],
    pub(crate) actor: ActorId,
    pub(crate) node: TokenIndex,
    pub(crate) dt_micros: u64,
    pub(crate) now_micros: u64,
    pub(crate) tick: u64,
    pub(crate) seed: u64,
}

impl Call<'_> {
    /// The actor that visits the node.
    pub fn actor(&self) -> ActorId {
        self.actor
    }

    /// The node that calls.
    pub fn node(&self) -> TokenIndex {
        self.node
    }

    /// The shape, for names and ids.
    pub fn shape(&self) -> &Shape {
        self.shape
    }

    /// The time since the actor's last tick; see
    /// [`set_interval`](crate::Population::set_interval).
    pub fn dt(&self) -> Duration {
        Duration::from_micros(self.dt_micros)
    }

    /// The population's clock: the sum of all `dt` so far.
    pub fn now(&self) -> Duration {
        Duration::from_micros(self.now_micros)
    }

    /// The tick's number, from 1.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// 64 random bits for this actor, node and tick: the same in every kernel and thread (T6).
    /// `draw` tells several draws of one call apart.
    pub fn random(&self, draw: u32) -> u64 {
        let draw = self.tick << 32 | u64::from(draw);
        crate::random::draw(self.seed, self.actor.to_bits(), self.node.0, draw)
    }

    /// A column of the actor's row; `None` if the key is of another shape and does not fit.
    pub fn get<T: ColumnType>(&self, key: ColumnKey<T>) -> Option<T> {
        key_line(self.shape, key)
            .is_ok()
            .then(|| self.row.get(key.index))
    }

    /// Writes a column of the actor's row; `false` if the key is of another shape and does not
    /// fit.
    pub fn set<T: ColumnType>(&mut self, key: ColumnKey<T>, value: T) -> bool {
        let fits = key_line(self.shape, key).is_ok();
        if fits {
            self.row.set(key.index, value);
        }
        fits
    }

    /// A column of the actor's row by index, whatever its type.
    pub fn value(&self, column: ColumnIndex) -> Option<Value> {
        let ty = self.shape.tables().columns.get(column.at())?.ty()?;
        Some(self.row.value(column, ty))
    }

    /// Writes a column of the actor's row by index; `false` if there is none of the value's type.
    pub fn set_value(&mut self, column: ColumnIndex, value: Value) -> bool {
        let def = self.shape.tables().columns.get(column.at());
        let fits = def.and_then(|def| def.ty()) == Some(value.ty());
        if fits {
            let first = self.row.firsts[column.at()] as usize;
            store_value(self.row.lines, first, self.row.lane, value);
        }
        fits
    }

    /// A world value; `None` if the key is of another shape and does not fit.
    pub fn world<T: ColumnType>(&self, key: WorldKey<T>) -> Option<T> {
        world_fits(self.shape, key).then(|| T::from_bits(self.world[key.index.at()]))
    }

    /// The value of the node's parameter of that name, for this actor, now. `None` for a name it
    /// does not have, and for texts: see [`text`](Call::text).
    pub fn param(&self, name: &str) -> Option<Value> {
        let param = self
            .shape
            .params(self.node)
            .find(|param| param.name == name)?;
        let tables = self.shape.tables();
        match param.source {
            ParamSource::Const(value) => Some(value),
            ParamSource::Column(column) => {
                let ty = tables.columns[column.at()].ty().unwrap_or(ValueType::Bool);
                Some(self.row.value(column, ty))
            }
            ParamSource::World(world) => {
                let ty = tables.world[world.at()].ty().unwrap_or(ValueType::Bool);
                Some(Value::from_bits(ty, self.world[world.at()]))
            }
            ParamSource::Text(_) => None,
        }
    }

    /// The node's text parameter of that name.
    pub fn text(&self, name: &str) -> Option<&str> {
        let param = self
            .shape
            .params(self.node)
            .find(|param| param.name == name)?;
        match param.source {
            ParamSource::Text(text) => Some(self.shape.name(text)),
            _ => None,
        }
    }
}

/// How a query is answered.
pub(crate) enum Query {
    /// One actor at a time.
    Each(Box<dyn Fn(&mut Call<'_>) -> bool + Send + Sync>),
    /// All actors of a block at once.
    Batch(Box<dyn Fn(&mut Batch<'_>) -> Plane + Send + Sync>),
}

/// What a shape's function is bound to.
#[derive(Default)]
pub(crate) enum Function {
    /// Nothing yet. A visit answers Failure, and the tick's report counts it.
    #[default]
    Unbound,
    Task(Box<dyn Task>),
    Query(Query),
}

/// Why a callback could not be registered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFunction {
    pub(crate) name: String,
    pub(crate) kind: FunctionKind,
    pub(crate) known: Vec<String>,
}

impl fmt::Display for UnknownFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            FunctionKind::Task => "task",
            FunctionKind::Query => "query",
        };
        write!(f, "the tree calls no {kind} named `{}`", self.name)?;
        match self.known.as_slice() {
            [] => write!(f, "; it calls none"),
            known => write!(f, "; it calls {}", known.join(", ")),
        }
    }
}

impl std::error::Error for UnknownFunction {}
