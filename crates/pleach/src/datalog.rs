//! Datalog beside the trees: sets as facts, and relations as sets. The feature `datalog`.
//!
//! A fact is a tuple: a set of actors is a relation of one column, a column of the blackboard one of two. Rules
//! derive more of them until nothing new comes, and may refer to themselves. That is the step beyond
//! [plane algebra](crate::table), which has no loops of its own and no tuples of several actors. The rules are
//! written with the macros of the crate `ascent`, and compiled with the program. Nothing of it is in a tick: a
//! host runs its rules between two ticks and writes what they found
//! ([`conclude`](crate::Population::conclude)), and trees read conditions.
//!
//! ```
//! use ascent::ascent_run;
//! use pleach::{datalog, prelude::*};
//! use std::time::Duration;
//!
//! let tree = Tree::build("soldier")
//!     .column("follows", u64::MAX) // nobody
//!     .column("sees_enemy", false)
//!     .column("alarmed", false)
//!     .root(reactive_selector([run_while(action("fight"), col("alarmed")), idle()]));
//! let mut army = Population::new(compile(&tree)?);
//! let follows = army.column::<u64>("follows")?;
//! let (sees, alarmed) = (army.column::<bool>("sees_enemy")?, army.column::<bool>("alarmed")?);
//! let ids = army.spawn_many(6)?;
//! for pair in ids[..4].windows(2) {
//!     army.set(pair[1], follows, pair[0].to_bits())?;
//! }
//! army.set(ids[1], sees, true)?;
//!
//! // Whoever sees an enemy is alarmed, and so is who follows somebody alarmed: 1, then 2, then 3.
//! let rules = ascent_run! {
//!     relation sees(ActorId) = datalog::unary(army.actors_with(sees)?);
//!     relation follows(ActorId, ActorId) = datalog::pointers(army.everyone(), follows, &army)?;
//!     relation alarmed(ActorId);
//!     alarmed(who) <-- sees(who);
//!     alarmed(who) <-- follows(who, leader), alarmed(leader);
//! };
//! let mut set = PlaneSet::new();
//! datalog::keep(&army, &rules.alarmed, &mut set);
//! army.conclude("alarm", alarmed, &set)?;
//! army.tick(Duration::from_millis(16));
//! assert_eq!(army.report().counts.launches, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | from | to | by |
//! |---|---|---|
//! | a set: a node's table, a truth column, any algebra | `relation r(ActorId)` | [`unary`] |
//! | a column of numbers | `relation r(ActorId, u16)` | [`binary`] |
//! | a column of actors | `relation r(ActorId, ActorId)` | [`pointers`] |
//! | a world value | `relation r(i32)` | [`world`] |
//! | a relation | a [`PlaneSet`] | [`keep`] |
//!
//! # One fresh program a tick
//!
//! A program is for one run. `ascent_run!` makes a new one each time it is come to; of a type that `ascent!`
//! declares, make a new value. Never empty the relations of one that has run to run it again: its indices
//! keep the tuples that are gone. What is derived a second time is then taken for known and left out, and what
//! is gone still joins with what is new. (So in ascent 0.8.1; `tests/datalog.rs` shows both.)
//!
//! # What it costs
//!
//! Each tuple is hashed several times, where a plane holds 512 actors: expect rules to take ten or twenty times
//! what the same plane algebra takes, and hundreds of times what the tick takes. Take them where they say shortly
//! what planes cannot, or need not be run in each tick. A relation of pairs can grow with the square of the actors:
//! "everybody above" of a chain of n has n(n-1)/2 tuples, while "follows somebody alarmed", as above, has n at
//! most. Ask for pairs only where you need them.
//!
//! # The crate `ascent`
//!
//! Its macros write `::ascent`, which is found only by a program that has the crate among its own dependencies:
//! `ascent = { version = "0.8.1", default-features = false }`. [`datalog::ascent`](ascent) alone is not enough.
//! Facts and relations are plain tuples, so another version will do as well.

use std::borrow::Borrow;
use std::hash::Hash;

/// The crate that rules are written with, as this module is tested with it. To call its macros, have it among
/// your own dependencies as well: they look for it there.
pub use ascent;

use crate::table::{ActorSet, PlaneSet};
use crate::vm::{AccessError, ColumnKey, ColumnType, NumberType, WorldKey};
use crate::{ActorId, Population};

/// The actors of a set, by place: the facts of a relation of one column.
pub fn unary<'a>(set: impl ActorSet<'a>) -> Vec<(ActorId,)> {
    set.actors().map(|actor| (actor,)).collect()
}

/// The actors of a set, by place, each with its value of a column: the facts of a relation of two columns.
///
/// Values are joined where they are equal, so `f32` columns are none: NaN equals nothing. Make a set of what
/// matters about one ([`actors_where`](Population::actors_where)), or round it into another column.
///
/// # Errors
/// When the key is of another shape.
pub fn binary<'a, T: NumberType + Eq + Hash>(
    set: impl ActorSet<'a>,
    key: ColumnKey<T>,
) -> Result<Vec<(ActorId, T)>, AccessError> {
    let population = set.population();
    // An empty set, too, is to say that the key is wrong.
    population.values(key, 0)?;
    let mut facts = Vec::new();
    for actor in set.actors() {
        let values = population.values(key, actor.block())?;
        facts.extend(values.get(actor.lane()).map(|&value| (actor, value)));
    }
    Ok(facts)
}

/// The actors of a set, by place, each with the actor of `others` whose [bits](ActorId::to_bits) its column
/// holds. `others` may be another population, or the same. Who points at nobody that lives has no fact.
///
/// # Errors
/// When the key is of another shape.
pub fn pointers<'a>(
    set: impl ActorSet<'a>,
    key: ColumnKey<u64>,
    others: &Population,
) -> Result<Vec<(ActorId, ActorId)>, AccessError> {
    let facts = binary(set, key)?.into_iter();
    let facts = facts.map(|(actor, bits)| (actor, ActorId::from_bits(bits)));
    Ok(facts.filter(|&(_, other)| others.is_alive(other)).collect())
}

/// A world value, as the population sees it: the one fact of a relation of one column. `None` if the key is of
/// another shape.
pub fn world<T: ColumnType + Eq + Hash>(
    population: &Population,
    key: WorldKey<T>,
) -> Option<Vec<(T,)>> {
    population.world_value(key).map(|value| vec![(value,)])
}

/// Keeps the actors of a relation as a set of a population, whatever `into` held before: for
/// [`conclude`](Population::conclude) and its like, or as an operand of plane algebra. Of a relation of several
/// columns hand in the one that is meant: `rows.iter().map(|row| (row.0,))`.
///
/// Rows of who does not live (any more) are passed over; it gives how many. An id does not say whose actor it
/// is: rows of another population name whoever is in the same place here.
pub fn keep<R: Borrow<(ActorId,)>>(
    population: &Population,
    rows: impl IntoIterator<Item = R>,
    into: &mut PlaneSet,
) -> usize {
    into.clear(population);
    let rows = rows.into_iter();
    rows.filter(|row| into.insert(population, row.borrow().0).is_err())
        .count()
}
