//! Batches: one callback for all actors of a block that visit a node.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use pleach_shape::layout::{BLOCK_LANES, LINE_BYTES};
use pleach_shape::{Shape, Status, TokenIndex};

use crate::actor::ActorId;
use crate::column::{ColumnKey, ColumnType, NumberType, Row, WorldKey, key_line, world_fits};
use crate::host::Call;
use crate::kernel::drop_payload;
use crate::pace::Paces;
use crate::plane::Plane;
use crate::report::CallbackPanic;

/// What a batch call sees: which lanes of a block visit the node, and the block's columns.
///
/// A lane is an actor's place among the 512 of its block; columns of numbers are slices of 512 values,
/// indexed by it, and columns of truth values are [`Plane`]s.
///
/// A callback must write the columns of these lanes only, and must not look at what this tick writes for
/// others: how far other actors have come is not the same for all kernels. Of its own lanes it sees all
/// that earlier nodes have written in this tick (L8).
///
/// [`Task::run_batch`](crate::Task::run_batch) and
/// [`on_query_batch`](crate::Population::on_query_batch) show it at work.
pub struct Batch<'a> {
    pub(crate) lanes: Plane,
    pub(crate) node: TokenIndex,
    pub(crate) shape: &'a Shape,
    pub(crate) lines: &'a mut [Plane],
    pub(crate) world: &'a [u64],
    pub(crate) first_actor: usize,
    pub(crate) generations: &'a [u32],
    pub(crate) paces: &'a Paces,
    pub(crate) now_micros: u64,
    pub(crate) tick: u64,
    pub(crate) seed: u64,
    pub(crate) panics: &'a mut Vec<CallbackPanic>,
}

/// How the lanes of a batch have answered. Lanes in neither plane are running.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Answers {
    /// Lanes that succeeded.
    pub success: Plane,
    /// Lanes that failed; one that is in both planes succeeded.
    pub failure: Plane,
}

impl Batch<'_> {
    /// The lanes that visit the node.
    pub fn lanes(&self) -> Plane {
        self.lanes
    }

    /// The node that calls.
    pub fn node(&self) -> TokenIndex {
        self.node
    }

    /// The shape, for names and ids.
    pub fn shape(&self) -> &Shape {
        self.shape
    }

    /// The actor of a lane. (Lanes from 512 on are taken for the last one.)
    pub fn actor(&self, lane: usize) -> ActorId {
        let generation = self.generations.get(lane).copied().unwrap_or(0);
        ActorId::new(
            (self.first_actor + lane.min(BLOCK_LANES - 1)) as u32,
            generation,
        )
    }

    /// The time since the last turn of a lane's actor, or since it was spawned: see
    /// [`Call::dt`](crate::Call::dt). Zero for lanes from 512 on.
    pub fn dt(&self, lane: usize) -> Duration {
        Duration::from_micros(self.paces.dt_micros(lane))
    }

    /// The population's clock: the sum of all `dt` so far.
    pub fn now(&self) -> Duration {
        Duration::from_micros(self.now_micros)
    }

    /// The tick's number, from 1.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// A column of numbers, 512 values, one a lane; `None` if the key is of another shape.
    pub fn values<T: NumberType>(&self, key: ColumnKey<T>) -> Option<&[T]> {
        let line = key_line(self.shape, key).ok()?;
        let lines = BLOCK_LANES * size_of::<T>() / LINE_BYTES;
        Some(bytemuck::cast_slice(self.lines.get(line..line + lines)?))
    }

    /// A column of numbers, 512 values, one a lane, to write; `None` if the key is of another shape.
    /// Write those of [`lanes`](Batch::lanes) only.
    pub fn values_mut<T: NumberType>(&mut self, key: ColumnKey<T>) -> Option<&mut [T]> {
        let line = key_line(self.shape, key).ok()?;
        let lines = BLOCK_LANES * size_of::<T>() / LINE_BYTES;
        Some(bytemuck::cast_slice_mut(
            self.lines.get_mut(line..line + lines)?,
        ))
    }

    /// A column of truth values; `None` if the key is of another shape.
    pub fn plane(&self, key: ColumnKey<bool>) -> Option<Plane> {
        self.lines.get(key_line(self.shape, key).ok()?).copied()
    }

    /// A column of truth values, to write; `None` if the key is of another shape. Write the bits of
    /// [`lanes`](Batch::lanes) only.
    pub fn plane_mut(&mut self, key: ColumnKey<bool>) -> Option<&mut Plane> {
        self.lines.get_mut(key_line(self.shape, key).ok()?)
    }

    /// A world value; `None` if the key is of another shape and does not fit.
    pub fn world<T: ColumnType>(&self, key: WorldKey<T>) -> Option<T> {
        world_fits(self.shape, key).then(|| T::from_bits(self.world[key.index.at()]))
    }

    /// Calls `run` for each lane, ascending. A panic there is caught: it counts as Failure, and the
    /// tick's report lists it.
    pub fn each(&mut self, run: impl Fn(&mut Call<'_>) -> Status) -> Answers {
        let mut answers = Answers::default();
        for lane in self.lanes.lanes() {
            match self.call(lane, |call| run(call)) {
                Some(Status::Success) => answers.success.put(lane, true),
                Some(Status::Running) => {}
                Some(Status::Failure) | None => answers.failure.put(lane, true),
            }
        }
        answers
    }

    /// Calls back for one lane. A panic is listed and gives `None`.
    pub(crate) fn call<R>(
        &mut self,
        lane: usize,
        callback: impl FnOnce(&mut Call<'_>) -> R,
    ) -> Option<R> {
        let actor = self.actor(lane);
        let mut call = Call {
            shape: self.shape,
            row: Row {
                lines: self.lines,
                firsts: &self.shape.layout().columns,
                lane,
            },
            world: self.world,
            actor,
            node: self.node,
            dt_micros: self.paces.dt_micros(lane),
            now_micros: self.now_micros,
            tick: self.tick,
            seed: self.seed,
        };
        match catch_unwind(AssertUnwindSafe(|| callback(&mut call))) {
            Ok(result) => Some(result),
            Err(payload) => {
                drop_payload(payload);
                self.panics.push(CallbackPanic {
                    actor,
                    node: self.node,
                });
                None
            }
        }
    }

    /// Calls back for all lanes at once. A panic is listed for each of them and gives `None`.
    pub(crate) fn all<R>(&mut self, callback: impl FnOnce(&mut Batch<'_>) -> R) -> Option<R> {
        match catch_unwind(AssertUnwindSafe(|| callback(self))) {
            Ok(result) => Some(result),
            Err(payload) => {
                drop_payload(payload);
                for lane in self.lanes.lanes() {
                    let panic = CallbackPanic {
                        actor: self.actor(lane),
                        node: self.node,
                    };
                    self.panics.push(panic);
                }
                None
            }
        }
    }
}
