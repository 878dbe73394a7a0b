//! Immediate callbacks: tasks and queries (L1, L4).

use std::fmt;
use std::time::Duration;

use pleach_shape::{
    ColumnIndex, FunctionIndex, FunctionKind, ParamSource, Shape, Status, TokenIndex, Value,
    ValueType,
};

use crate::actor::ActorId;
use crate::batch::{Answers, Batch};
use crate::column::{ColumnKey, ColumnType, Row, WorldKey, key_line, store_value, world_fits};
use crate::plane::Plane;
use crate::population::Population;

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
///
/// A task that can do its work for many actors at once has a [`run_batch`](Task::run_batch) as well:
///
/// ```
/// use pleach_tree::{compile, task, Tree};
/// use pleach_vm::{Answers, Batch, Call, ColumnKey, Population, Status, Task};
/// use std::time::Duration;
///
/// /// Fills a tank by `per_second`; done when it is full.
/// struct Refuel {
///     fuel: ColumnKey<f32>,
///     per_second: f32,
/// }
///
/// impl Task for Refuel {
///     fn run(&self, call: &mut Call<'_>) -> Status {
///         let fuel = call.get(self.fuel).unwrap_or(1.0) + self.per_second * call.dt().as_secs_f32();
///         call.set(self.fuel, fuel.min(1.0));
///         if fuel >= 1.0 { Status::Success } else { Status::Running }
///     }
///
///     /// The same, for all of them.
///     fn run_batch(&self, batch: &mut Batch<'_>) -> Answers {
///         let mut answers = Answers::default();
///         for lane in batch.lanes().lanes() {
///             let added = self.per_second * batch.dt(lane).as_secs_f32();
///             if let Some(values) = batch.values_mut(self.fuel) {
///                 let fuel = values[lane] + added;
///                 values[lane] = fuel.min(1.0);
///                 answers.success.put(lane, fuel >= 1.0);
///             }
///         }
///         answers
///     }
/// }
///
/// let tree = Tree::build("drone").column("fuel", 0.25_f32).root(task("refuel"));
/// let mut drones = Population::new(compile(&tree)?);
/// let fuel = drones.column::<f32>("fuel")?;
/// drones.on_task("refuel", Refuel { fuel, per_second: 0.5 })?;
/// let ids = drones.spawn_many(1_000)?;
/// drones.tick(Duration::from_secs(1));
/// assert_eq!(drones.report().counts.running, 1_000);
/// drones.tick(Duration::from_secs(1));
/// assert_eq!(drones.report().counts.succeeded, 1_000);
/// assert_eq!(drones.get(ids[999], fuel)?, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Task: Send + Sync {
    /// Called on the first tick of a new run, before `run`.
    fn enter(&self, call: &mut Call<'_>) {
        let _ = call;
    }

    /// Called in each of the actor's ticks while the task runs.
    fn run(&self, call: &mut Call<'_>) -> Status;

    /// Called instead of [`run`](Task::run) by the lanes kernel, once for all actors of a block that visit
    /// a node and have entered it. Without an implementation of its own it calls `run` for each of them.
    /// One of its own must answer as `run` would, since other kernels call that. A panic in it counts as a
    /// panic of each of these actors (L8).
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

    /// The time since the actor's last turn, or since it was spawned: the tick's `dt`, or the sum of
    /// several where it does not tick every tick; see [`set_interval`](crate::Population::set_interval).
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

impl Population {
    /// Registers the task of that name; best before the first tick. A task that takes another's place
    /// while actors run it is called for the rest of those runs, without an `enter`.
    ///
    /// # Errors
    /// When the tree calls no task of that name.
    pub fn on_task(
        &mut self,
        name: &str,
        task: impl Task + 'static,
    ) -> Result<(), UnknownFunction> {
        let index = self.function(name, FunctionKind::Task)?;
        self.functions[index] = Function::Task(Box::new(task));
        Ok(())
    }

    /// Registers the query of that name. A panic in it is caught and counts as `false`.
    ///
    /// # Errors
    /// When the tree calls no query of that name.
    pub fn on_query(
        &mut self,
        name: &str,
        query: impl Fn(&mut Call<'_>) -> bool + Send + Sync + 'static,
    ) -> Result<(), UnknownFunction> {
        let index = self.function(name, FunctionKind::Query)?;
        self.functions[index] = Function::Query(Query::Each(Box::new(query)));
        Ok(())
    }

    /// Registers a query that answers for all actors of a block at once: a plane of those for which it
    /// holds, of which only the lanes of the batch count. The lanes kernel calls it once for each block
    /// and node, the others with one actor at a time. A panic in it is caught and counts as `false` for
    /// each of these actors.
    ///
    /// ```
    /// use pleach_tree::{action, compile, query, selector, sequence, Tree};
    /// use pleach_vm::{Batch, Plane, Population};
    /// use std::time::Duration;
    ///
    /// let tree = Tree::build("moth")
    ///     .column("x", 0.0_f32)
    ///     .root(selector([sequence([query("sees light"), action("fly")]), action("rest")]));
    /// let mut moths = Population::new(compile(&tree)?);
    /// let x = moths.column::<f32>("x")?;
    /// moths.on_query_batch("sees light", move |batch: &mut Batch<'_>| {
    ///     let mut sees = Plane::EMPTY;
    ///     if let Some(x) = batch.values(x) {
    ///         // 512 values, one a lane.
    ///         for lane in batch.lanes().lanes() {
    ///             sees.put(lane, x[lane].abs() < 10.0);
    ///         }
    ///     }
    ///     sees
    /// })?;
    ///
    /// let ids = moths.spawn_many(100)?;
    /// for (distance, &moth) in ids.iter().enumerate() {
    ///     moths.set(moth, x, distance as f32)?;
    /// }
    /// moths.tick(Duration::from_millis(16));
    /// let fly = moths.shape().action("fly").unwrap();
    /// assert_eq!(moths.requests().of(fly).iter().count(), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the tree calls no query of that name.
    pub fn on_query_batch(
        &mut self,
        name: &str,
        query: impl Fn(&mut Batch<'_>) -> Plane + Send + Sync + 'static,
    ) -> Result<(), UnknownFunction> {
        let index = self.function(name, FunctionKind::Query)?;
        self.functions[index] = Function::Query(Query::Batch(Box::new(query)));
        Ok(())
    }

    fn function(&self, name: &str, kind: FunctionKind) -> Result<usize, UnknownFunction> {
        let functions = &self.shape.tables().functions;
        let of_kind = |index: &usize| {
            functions[*index].kind() == Some(kind) && !self.shape.is_inner_function(*index as u32)
        };
        let text = |index: usize| self.shape.function_name(FunctionIndex::from(index));
        let found = (0..functions.len())
            .filter(of_kind)
            .find(|&index| text(index) == name);
        found.ok_or_else(|| UnknownFunction {
            name: name.to_owned(),
            kind,
            known: (0..functions.len())
                .filter(of_kind)
                .map(|index| text(index).to_owned())
                .collect(),
        })
    }

    /// The names of tasks and queries that nobody has registered.
    pub fn unbound(&self) -> impl Iterator<Item = &str> {
        let functions = self.functions.iter().enumerate();
        functions
            .filter(|(_, function)| matches!(function, Function::Unbound))
            .filter(|&(index, _)| !self.shape.is_inner_function(index as u32))
            .map(|(index, _)| self.shape.function_name(FunctionIndex::from(index)))
    }
}
