//! Lanes that hold no actor, or one that is out, may hold anything: nothing of it is ever seen.

use std::time::Duration;

use pleach_shape::{ColumnIndex, SlotIndex, Value};
use pleach_tests::generate::{COLUMNS, Lifecycle, Script, draw, tree_without_draws};
use pleach_tests::observation::Finish;
use pleach_tree::Tree;
use pleach_vm::{
    ActorId, BlockMut, Kernel, NodeCount, NumberType, Plane, Population, Status, TickCounts,
};
use proptest::prelude::*;

use crate::crowd::{Glance, Way, glances, ways};
use crate::scripted::{Called, Scripted};

/// Ticks before the actors come that are looked at.
const BEFORE: u64 = 8;
const TICKS: u64 = 24;
const LANES: usize = 512;

/// What can be seen of a tick.
#[derive(PartialEq, Debug)]
struct Sight {
    actors: Vec<(Glance, Vec<Called>)>,
    counts: TickCounts,
    census: Vec<NodeCount>,
}

struct Play<'a> {
    tree: &'a Tree,
    script: Script,
    actors: usize,
}

impl Play<'_> {
    fn dt(&self, tick: u64) -> Duration {
        Duration::from_micros(self.script.dt(tick))
    }

    fn lifecycle(&self, scripted: &mut Scripted, actor: ActorId, tick: u64) {
        let population = &mut scripted.population;
        let loaded = population.is_loaded(actor);
        // Out for longer than usual, so that many are.
        let lifecycle = self.script.lifecycle(actor.index().into(), tick, loaded);
        match lifecycle {
            Some(Lifecycle::Load) if tick.is_multiple_of(3) => population.load(actor),
            Some(Lifecycle::Unload) => population.unload(actor),
            Some(Lifecycle::Reset) => population.reset(actor),
            _ => Ok(()),
        }
        .expect("it lives");
    }

    fn sight(&self, scripted: &Scripted, actors: &[ActorId]) -> Sight {
        let glances = glances(&scripted.population, actors).into_iter();
        let calls = actors.iter().map(|&actor| scripted.calls(actor));
        let mut census = Vec::new();
        scripted.population.census(&mut census);
        Sight {
            actors: glances.zip(calls).collect(),
            counts: scripted.population.report().counts,
            census,
        }
    }

    /// The actors by themselves.
    fn clean(&self, way: Way) -> Vec<Sight> {
        let mut scripted = Scripted::new(self.tree, self.script, way, (self.actors, false));
        for tick in 0..BEFORE {
            scripted.tick(tick, self.dt(tick));
        }
        let actors = scripted.population.spawn_many(self.actors).expect("memory");
        (BEFORE..BEFORE + TICKS)
            .map(|tick| {
                for &actor in &actors {
                    scripted.feed(actor, tick);
                    self.lifecycle(&mut scripted, actor, tick);
                }
                scripted.tick(tick, self.dt(tick));
                self.sight(&scripted, &actors)
            })
            .collect()
    }

    /// The actors in places of others, among others, and among garbage.
    fn poisoned(&self, way: Way) -> Vec<Sight> {
        let places = self.actors.div_ceil(LANES) * LANES;
        let mut scripted = Scripted::new(self.tree, self.script, way, (self.actors, true));
        let victims = scripted.population.spawn_many(places).expect("memory");
        for tick in 0..BEFORE - 2 {
            for &victim in &victims {
                scripted.feed(victim, tick);
            }
            way.prepare(&mut scripted.population, tick);
            scripted.tick(tick, self.dt(tick));
        }
        for &victim in &victims {
            scripted.population.despawn(victim).expect("it lives");
        }
        for tick in BEFORE - 2..BEFORE {
            self.answer_for_everybody(&mut scripted.population, tick);
            scripted.tick(tick, self.dt(tick));
        }
        let actors = scripted.population.spawn_many(self.actors).expect("memory");
        let indices = actors.iter().map(|actor| actor.index() as usize);
        assert!(indices.eq(0..self.actors), "the victims' places");
        self.sight(&scripted, &actors);
        (BEFORE..BEFORE + TICKS)
            .map(|tick| {
                // One that lives between two ticks only.
                if tick % 4 == 0 && self.actors < places {
                    let passer_by = scripted.population.spawn().expect("memory");
                    assert!((passer_by.index() as usize) < places);
                    scripted.population.despawn(passer_by).expect("it lives");
                }
                self.answer_for_everybody(&mut scripted.population, tick);
                for &actor in &actors {
                    scripted.feed_columns(actor, tick);
                    self.lifecycle(&mut scripted, actor, tick);
                }
                let rows = self.poison(&mut scripted.population, &actors, tick);
                way.prepare(&mut scripted.population, tick);
                scripted.tick(tick, self.dt(tick));
                for (actor, row) in rows {
                    for (column, value) in row.into_iter().enumerate() {
                        let column = ColumnIndex::from(column);
                        let written = scripted.population.set_value(actor, column, value);
                        written.expect("declared");
                    }
                }
                self.sight(&scripted, &actors)
            })
            .collect()
    }

    /// Results and persistent statuses as the script has them, and for lanes without an actor, too.
    fn answer_for_everybody(&self, population: &mut Population, tick: u64) {
        let needs = *population.shape().requirements();
        for mut block in population.blocks_mut() {
            let first = (block.index() * LANES) as u64;
            let others = !block.alive();
            for slot in 0..needs.deferred_slots {
                let (mut done, mut success) = (others, junk(self.script.seed, tick, slot));
                for lane in block.alive().lanes() {
                    let found = self.script.result(first + lane as u64, tick, slot as usize);
                    done.put(lane, found.is_some());
                    success.put(lane, found == Some(Finish::Success));
                }
                let taken = block.set_results(SlotIndex(slot), done, success);
                let taken = taken.expect("the slot exists");
                assert!((taken & !block.loaded()).is_empty());
            }
            for slot in 0..needs.persistent_slots {
                let junk = |salt| junk(self.script.seed, tick + salt, slot);
                let (mut lanes, mut success, mut failure) = (others, junk(1), junk(2));
                for lane in block.alive().lanes() {
                    let found = self
                        .script
                        .persistent(first + lane as u64, tick, slot as usize);
                    lanes.put(lane, found.is_some());
                    success.put(lane, found == Some(Status::Success));
                    failure.put(lane, found == Some(Status::Failure));
                }
                let written = block.set_persistent(SlotIndex(slot), lanes, success, failure);
                written.expect("the slot exists");
            }
        }
    }

    /// Garbage in every column of every lane that is not to tick. Gives the rows of actors that are
    /// out, which must be as they were when they are in again.
    fn poison(
        &self,
        population: &mut Population,
        actors: &[ActorId],
        tick: u64,
    ) -> Vec<(ActorId, Vec<Value>)> {
        let out = actors.iter().filter(|&&actor| !population.is_loaded(actor));
        let rows = out.map(|&actor| {
            let value = |column| population.value(actor, ColumnIndex::from(column));
            let values = (0..COLUMNS.len()).map(|column| value(column).expect("declared"));
            (actor, values.collect())
        });
        let rows = rows.collect();
        let seed = draw(self.script.seed, &[tick]);
        for (index, (name, default)) in COLUMNS.into_iter().enumerate() {
            let bits = |lane: usize| draw(seed, &[index as u64, lane as u64]);
            match default {
                Value::Bool(_) => {
                    let key = population.column::<bool>(name).expect("declared");
                    for mut block in population.blocks_mut() {
                        let loaded = block.loaded();
                        let plane = block.plane_mut(key).expect("its key");
                        *plane = (*plane & loaded) | (junk(seed, tick, 3) & !loaded);
                    }
                }
                Value::U8(_) => spoil::<u8>(population, name, |lane| bits(lane) as u8),
                Value::U16(_) => spoil::<u16>(population, name, |lane| bits(lane) as u16),
                Value::I32(_) => spoil::<i32>(population, name, |lane| {
                    [0, -1, i32::MIN, i32::MAX, bits(lane) as i32][bits(lane) as usize % 5]
                }),
                Value::F32(_) => spoil::<f32>(population, name, |lane| {
                    let signalling =
                        f32::from_bits(0x7f80_0001 | (bits(lane) as u32 & 0x803f_ffff));
                    [signalling, f32::NAN, f32::INFINITY, -0.0, 1e-40][bits(lane) as usize % 5]
                }),
                Value::U64(_) => spoil::<u64>(population, name, bits),
            }
        }
        rows
    }
}

fn junk(seed: u64, tick: u64, salt: u32) -> Plane {
    if draw(seed, &[tick, salt.into()]).is_multiple_of(3) {
        return Plane::FULL;
    }
    Plane(std::array::from_fn(|word| {
        draw(seed, &[tick, salt.into(), word as u64])
    }))
}

fn spoil<T: NumberType>(population: &mut Population, name: &str, value: impl Fn(usize) -> T) {
    let key = population.column::<T>(name).expect("declared");
    let spoil_block = |block: &mut BlockMut<'_>| {
        let loaded = block.loaded();
        let values = block.values_mut(key).expect("its key");
        for lane in (!loaded).lanes() {
            values[lane] = value(lane);
        }
    };
    population
        .blocks_mut()
        .for_each(|mut block| spoil_block(&mut block));
}

fn nothing_leaks(play: &Play<'_>) -> Result<(), TestCaseError> {
    let expected = play.clean(Way::of(Kernel::PureStream));
    for way in ways() {
        for (tick, (found, expected)) in play.poisoned(way).iter().zip(&expected).enumerate() {
            let pairs = found.actors.iter().zip(&expected.actors).enumerate();
            for (actor, (found, expected)) in pairs {
                prop_assert_eq!(found, expected, "{:?}, tick {}, actor {}", way, tick, actor);
            }
            prop_assert_eq!(found.counts, expected.counts, "{:?}, tick {}", way, tick);
            prop_assert_eq!(&found.census, &expected.census, "{:?}, tick {}", way, tick);
        }
    }
    Ok(())
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases: pleach_tests::cases(cases),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn nothing_of_other_lanes_leaks(tree in tree_without_draws(), seed in any::<u64>(), actors in 1usize..30) {
        nothing_leaks(&Play { tree: &tree, script: Script { seed }, actors })?;
    }
}

proptest! {
    #![proptest_config(config(4))]

    #[test]
    fn nothing_leaks_whatever_the_block_holds(tree in tree_without_draws(), seed in any::<u64>()) {
        for actors in [1, 2, 63, 64, 65, 511, 512, 513] {
            nothing_leaks(&Play { tree: &tree, script: Script { seed }, actors })?;
        }
    }
}
