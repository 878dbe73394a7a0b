//! A horde: all actors of a boxed tree, what a population is to a shape.

use std::time::Duration;

use pleach_shape::{BLOCK_LANES, ColumnIndex, SlotIndex, Status};
use pleach_sim::scenes::Feed;

use crate::boxed::{Actor, BoxedTree, Request};

/// Actors that share a boxed tree, and what they request.
pub struct Horde {
    tree: BoxedTree,
    actors: Vec<Actor>,
    requests: Vec<Request>,
    now_micros: u64,
    columns: usize,
    /// Whether every actor is taken out of its tree before the next tick.
    resets: bool,
}

impl Horde {
    /// That many actors, not started.
    pub fn new(tree: BoxedTree, columns: usize, actors: usize) -> Horde {
        Horde {
            actors: (0..actors).map(|_| tree.actor()).collect(),
            requests: Vec::new(),
            now_micros: 0,
            columns,
            resets: false,
            tree,
        }
    }

    /// Takes over what the feed's last refresh gave its own population.
    pub fn refresh(&mut self, feed: &Feed) {
        self.resets = feed.resets();
        if feed.writes() {
            for (index, actor) in self.actors.iter_mut().enumerate() {
                for column in 0..self.columns {
                    if let Some(value) = feed.value(ColumnIndex::from(column), index) {
                        actor.set(column, value);
                    }
                }
            }
        }
        for (block, actors) in self.actors.chunks_mut(BLOCK_LANES).enumerate() {
            for slot in 0..self.tree.slots() {
                let [done, success] = feed.results(SlotIndex::from(slot), block);
                for lane in done.lanes() {
                    if let Some(actor) = actors.get_mut(lane) {
                        actor.answer(slot as u32, success.get(lane));
                    }
                }
            }
        }
    }

    /// One tick of all actors.
    pub fn tick(&mut self, dt: Duration) {
        self.now_micros += dt.as_micros() as u64;
        self.requests.clear();
        for (index, actor) in self.actors.iter_mut().enumerate() {
            let index = index as u32;
            if self.resets {
                actor.reset(index, &mut self.requests);
            }
            self.tree
                .tick(actor, index, self.now_micros, &mut self.requests);
        }
    }

    /// The requests of the last tick, by actor.
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// Root status of an actor's last tick; `None` before the first one.
    pub fn status(&self, actor: usize) -> Option<Status> {
        self.actors.get(actor)?.status()
    }

    /// Bytes of an actor besides its tree's share.
    pub fn actor_bytes(&self) -> usize {
        self.tree.actor_bytes()
    }
}
