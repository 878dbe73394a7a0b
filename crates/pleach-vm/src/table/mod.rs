//! Tables: what happened at a node, as sets of actors that rules combine, join and write back.
//!
//! A predicate over actors is a plane: a truth value of the blackboard, who runs a node, who has just
//! finished it. Logic programs call that a unary table. So rules can ask trees what they do, and trees can
//! ask rules what to do, without any translation: a rule reads tables, and writes a `bool` column or a world
//! value that is a condition of the tree like any other.
//!
//! ```
//! use pleach_tree::{idle, compile, done_when, selector, when, Tree};
//! use pleach_vm::{Population, table::{ActorSet, PlaneSet}};
//! use std::time::Duration;
//!
//! let tree = Tree::build("dwarf")
//!     .column("restless", false)
//!     .world("plants", 0_i32)
//!     .root(selector([
//!         when(idle().named("harvest"), "plants > 5"),
//!         done_when(idle(), "restless").named("rest"),
//!     ]));
//! let mut dwarves = Population::new(compile(&tree)?);
//! let rest = dwarves.watch("rest")?;
//! let restless = dwarves.column::<bool>("restless")?;
//! dwarves.spawn_many(1000)?;
//!
//! let mut set = PlaneSet::new();
//! for _ in 0..3 {
//!     // A rule: who rests gets restless with a chance of 30 % a tick.
//!     let resting = dwarves.table(rest)?.active();
//!     resting.chance(0.3, dwarves.dice(1)).store(&mut set);
//!     dwarves.conclude("restless", restless, &set)?;
//!     dwarves.tick(Duration::from_millis(16));
//! }
//! let rest = dwarves.table(rest)?;
//! assert_eq!(rest.active().count() + rest.succeeded().count(), 1000);
//! assert!((200..400).contains(&rest.succeeded().count()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Claims
//!
//! Wolves that begin to hunt get a sheep each, as long as there are any that nobody hunts; the others are told that
//! there is none. Who hunts what is no list that somebody keeps: it is the wolves that hunt, joined with what their
//! column points at, so a claim ends with the hunt, however that ends. A wolf that has just begun has no claim yet,
//! and what its column holds is old.
//!
//! ```
//! use pleach_tree::{action, compile, idle, selector, Tree};
//! use pleach_vm::{Outcome, Population, table::{ActorSet, PlaneSet}};
//! use std::time::Duration;
//!
//! let wolf = Tree::build("wolf").column("prey", u64::MAX).root(selector([action("hunt"), idle()]));
//! let mut wolves = Population::new(compile(&wolf)?).with_seed(1);
//! let mut sheep = Population::new(compile(&Tree::build("sheep").root(idle()))?).with_seed(2);
//! let (hunt, slot) = (wolves.watch("hunt")?, wolves.slots("hunt")[0]);
//! let prey = wolves.column::<u64>("prey")?;
//! wolves.spawn_many(5)?;
//! sheep.spawn_many(3)?;
//! wolves.tick(Duration::from_millis(16)); // all five begin to hunt
//!
//! let (mut hunted, mut prize) = (PlaneSet::new(), PlaneSet::new());
//! let hunting = wolves.table(hunt)?;
//! hunting.active().minus(hunting.started()).pointed_at(prey, &sheep, &mut hunted)?;
//! let free = sheep.everyone().minus(sheep.those_in(&hunted));
//! let seekers = hunting.active().and(hunting.started());
//! free.store_sample(seekers.count(), sheep.dice(1), &mut prize);
//! // Collected first: the population cannot be written while a set of it is walked over.
//! let seekers: Vec<_> = seekers.actors().collect();
//! let mut prizes = sheep.those_in(&prize).actors();
//! for wolf in seekers {
//!     match prizes.next() {
//!         Some(sheep) => wolves.set(wolf, prey, sheep.to_bits())?,
//!         None => wolves.set_result(wolf, slot, Outcome::Failure)?,
//!     }
//! }
//! wolves.tick(Duration::from_millis(16));
//! assert_eq!(wolves.table(hunt)?.active().count(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | | |
//! |---|---|
//! | what a node's table holds | [`NodeTable`], from [`Population::watch`] and [`Population::table`] |
//! | sets of a population | [`Population::everyone`], [`Population::loaded`], [`Population::actors_with`], [`Population::actors_where`] |
//! | and, or, minus, not, chance | [`ActorSet`]: lazy, block by block, nothing is allocated |
//! | count, contains, walk over, first n, sample of n | [`ActorSet`] |
//! | keep a set, write one by hand; make it a set again | [`PlaneSet`]; [`Population::those_in`] |
//! | join with a column | [`ActorSet::count_by`], [`ActorSet::group_by`], [`ActorSet::pointed_at`], [`ActorSet::count_pointed_at`], [`ActorSet::pointing_into`] |
//! | write what a rule found | [`Population::conclude`], [`Population::load_set`] and its like |
//!
//! A guard is a node of its own, also where a tree file writes it as a property: when `done-when` holds, the
//! guard succeeds, and what it guards is aborted. To ask who has finished, watch the guard.
//!
//! Tables are of the last tick, and describe living actors. What is done to a population between two ticks
//! (loads, resets) shows in the tables behind the next one; only who was despawned is gone at once.

mod algebra;
mod columns;
mod dice;
mod error;
mod join;
mod node;
mod planes;
mod rule;
mod set;

#[cfg(doc)]
use crate::Population;

pub use algebra::{And, Chance, Minus, Not, Or};
pub use columns::{Everyone, Where, With};
pub use dice::Dice;
pub use error::TableError;
pub use join::{Groups, PointingInto};
pub use node::{Children, NodeKey, NodeSet, NodeTable};
pub use planes::{PlaneSet, Stored};
pub use rule::RuleError;
pub use set::{ActorSet, Actors};
