//! Runs [`Shape`](pleach_shape::Shape)s: thousands to millions of actors, a tick at a time.
//!
//! A [`Population`] holds actors that share a shape; [`Population`]'s page shows the five phases of
//! a step. A [`World`] holds values that several populations share. Nothing here parses or
//! compiles: shapes come from `pleach-tree` or from a file.
//!
//! Memory is laid out in blocks of 512 actors ([`pleach_shape::layout`]). A predicate over a
//! block's actors is a [`Plane`]: a bool column, the actors that launch an action, the results that
//! are in. An actor's place in its block is its *lane*.
//!
//! | to | see |
//! |---|---|
//! | add, remove, load, reset actors | [`Population::spawn_many`], [`despawn`](Population::despawn), [`load`](Population::load), [`reset`](Population::reset) |
//! | read and write the blackboard | [`ColumnKey`]; [`Population::set`] for one actor, [`BlockMut`] for whole columns |
//! | answer a task or query | [`Task`] and [`Call`] for one actor; [`Batch`] for all actors of a block |
//! | let actors tick less often | [`Interval`], [`Population::set_interval`], [`Population::stagger`] |
//! | read requests | [`Requests`], [`Request`] one by one; [`RequestPlanes`] for a block at once |
//! | hand in results | [`Outcome`], [`ResultRecord`]; [`BlockMut::set_results`] for a block at once |
//! | choose how trees are walked | [`Kernel`], [`Population::set_kernel`] |
//! | choose the instructions of lanes | [`Simd`], [`Population::set_simd`] |
//! | run one actor by itself, over callbacks that borrow | [`solo`] |
//! | ask who is at a node, and let rules write conditions | [`table`], [`Population::watch`], [`Population::conclude`] |
//! | see what happened | [`TickReport`], [`Population::census`], [`Population::state`], [`Population::trace`] |
//!
//! The module `simd` is the only one with `unsafe` code; everywhere else it is denied.

mod access;
mod actor;
mod batch;
mod bits;
mod block;
mod block_view;
mod census;
mod column;
mod error;
mod eval;
mod halted;
mod host;
mod inspect;
mod kernel;
mod lives;
mod observe;
mod pace;
mod parallel;
mod plane;
mod population;
pub mod random;
mod report;
mod request;
mod results;
mod simd;
pub mod solo;
mod stream;
pub mod table;
mod test;
mod timer;
mod watch;
mod world;

pub use actor::ActorId;
pub use batch::{Answers, Batch};
pub use block_view::BlockMut;
pub use census::NodeCount;
pub use column::{ColumnKey, ColumnType, NumberType, WorldKey};
pub use error::{AccessError, ColumnError, SpawnError};
pub use host::{Call, Exit, Task, UnknownFunction};
pub use inspect::{CanonicalRecord, Kept};
pub use kernel::Kernel;
pub use observe::Event;
pub use pace::Interval;
pub use plane::{Lanes, PLANE_WORDS, Plane};
pub use population::{Population, Systems};
pub use report::{ActionError, CallbackPanic, TickCounts, TickReport};
pub use request::{ActionBatch, BatchIter, Request, RequestKind, RequestPlanes, Requests};
pub use results::{Delivery, NoSuchActor, Outcome, ResultError, ResultRecord};
pub use simd::Simd;
pub use solo::{Callee, Solo, SoloCall, SoloError, SoloTree, SoloTreeError};
pub use world::{PopulationId, World, WorldError};

pub use pleach_shape::{Status, Value, ValueType};
