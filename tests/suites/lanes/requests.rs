//! Reading requests: one by one and as planes, with few slots and many, held against a model that knows
//! only what each actor wants.

use pleach_shape::{ActionIndex, SlotIndex};
use pleach_tests::generate::draw;
use pleach_tree::{NodeDef, action, concurrent, condition, reactive_sequence, succeeder};
use pleach_vm::{ActionBatch, ActorId, Outcome, Plane, Population, RequestKind, RequestPlanes};

use crate::crowd::{DT, Way, population, ways};

/// An action that is wanted while a comparison of `count` holds.
fn wish(name: &str, index: usize) -> NodeDef {
    let compare = if index.is_multiple_of(2) { "<" } else { ">=" };
    let wanted = condition(format!("count {compare} {index}").as_str());
    succeeder(reactive_sequence([wanted, action(name)]))
}

fn is_wanted(count: i32, index: usize) -> bool {
    if index.is_multiple_of(2) {
        count < index as i32
    } else {
        count >= index as i32
    }
}

/// That many slots of "go", with slots of another action in between.
fn root(slots: usize) -> NodeDef {
    let wishes = (0..slots).flat_map(|index| {
        let other = (index % 3 == 1).then(|| wish("other", index));
        other.into_iter().chain([wish("go", index)])
    });
    concurrent(wishes.collect::<Vec<_>>())
}

/// What an actor has asked for, and what came back, by slot of "go".
#[derive(Clone)]
struct Model {
    actor: ActorId,
    count: i32,
    loaded: bool,
    leaving: bool,
    outstanding: Vec<bool>,
    answered: Vec<bool>,
}

impl Model {
    /// One tick; gives the requests: slot and kind, in order.
    fn tick(&mut self) -> Vec<(usize, RequestKind)> {
        let mut requests = Vec::new();
        for slot in 0..self.outstanding.len() {
            let had = self.outstanding[slot];
            let answered = self.answered[slot];
            let stays = had && !self.leaving;
            let wanted = self.loaded && is_wanted(self.count, slot) && (!answered || self.leaving);
            if had && !answered && (!wanted || self.leaving) {
                requests.push((slot, RequestKind::Cancel));
            }
            if wanted {
                requests.push((
                    slot,
                    if stays {
                        RequestKind::Continue
                    } else {
                        RequestKind::Launch
                    },
                ));
            }
            self.outstanding[slot] = wanted;
            self.answered[slot] = false;
        }
        self.leaving = false;
        requests
    }
}

type Listed = Vec<(ActorId, SlotIndex, RequestKind)>;

fn listed(batch: ActionBatch<'_>) -> Listed {
    let requests = batch.iter();
    requests
        .map(|request| (request.actor, request.slot, request.kind))
        .collect()
}

/// The planes say the same as the iterator, block by block and slot by slot; none of them is empty.
fn planes_agree(population: &Population, batch: ActionBatch<'_>, listed: &Listed) {
    let mut from_planes = Vec::new();
    let mut last = None;
    for (block, slot, planes) in batch.planes() {
        assert!(
            last < Some((block, slot)),
            "{last:?} before {block}, {slot}"
        );
        last = Some((block, slot));
        assert_eq!(population.requests().planes(slot, block), planes);
        let RequestPlanes {
            launch,
            keep_on,
            cancel,
        } = planes;
        assert!(!(launch | keep_on | cancel).is_empty());
        assert!((launch & keep_on).is_empty() && (keep_on & cancel).is_empty());
        for (lanes, kind) in [
            (cancel, RequestKind::Cancel),
            (launch, RequestKind::Launch),
            (keep_on, RequestKind::Continue),
        ] {
            from_planes.extend(lanes.lanes().map(|lane| (block * 512 + lane, slot, kind)));
        }
    }
    from_planes.sort_unstable();
    let by_place = listed
        .iter()
        .map(|&(actor, slot, kind)| (actor.index() as usize, slot, kind));
    assert!(by_place.eq(from_planes), "planes say something else");
}

pub(crate) fn planes_say_the_same(population: &Population) {
    for batch in population.requests().batches() {
        planes_agree(population, batch, &listed(batch));
    }
}

fn play(way: Way, slots: usize, actors: usize) {
    let mut population = population(root(slots), way);
    let count = population.column::<i32>("count").expect("declared");
    let go: Vec<SlotIndex> = population.slots("go").to_vec();
    assert_eq!(go.len(), slots);
    let ids = population.spawn_many(actors).expect("memory");
    let mut models: Vec<Model> = ids
        .iter()
        .map(|&actor| Model {
            actor,
            count: 0,
            loaded: true,
            leaving: false,
            outstanding: vec![false; slots],
            answered: vec![false; slots],
        })
        .collect();
    let mut kinds = [0usize; 3];
    let mut relaunched = 0;
    for tick in 0..14u64 {
        for model in &mut models {
            let place = u64::from(model.actor.index());
            let bits = |what: u64| draw(slots as u64, &[tick, place, what]);
            // Some places ask for nothing for a while, so that words and blocks are empty.
            let quiet = (place / 64 + tick) % 3 == 0;
            if bits(0).is_multiple_of(3) || quiet {
                model.count = (bits(1) % (slots as u64 + 2)) as i32 - 1;
                let set = population.set(model.actor, count, model.count);
                set.expect("its key");
            }
            for (index, &slot) in go.iter().enumerate() {
                let waits = model.outstanding[index] && model.loaded && !model.leaving;
                if bits(10 + index as u64).is_multiple_of(4) {
                    let result = population.set_result(model.actor, slot, Outcome::Failure);
                    assert_eq!(result.is_ok(), waits && !model.answered[index]);
                    model.answered[index] |= waits;
                }
            }
            let lived = match bits(2) % 9 {
                0 => {
                    model.leaving = true;
                    population.reset(model.actor)
                }
                1 if model.loaded => {
                    (model.leaving, model.loaded) = (true, false);
                    population.unload(model.actor)
                }
                1 | 2 => {
                    model.loaded = true;
                    population.load(model.actor)
                }
                _ => Ok(()),
            };
            lived.expect("it lives");
        }
        way.prepare(&mut population, tick);
        population.tick(DT);
        let mut expected = Listed::new();
        for model in &mut models {
            let requests = model.tick();
            for pair in requests.windows(2) {
                relaunched += usize::from(pair[0].0 == pair[1].0);
            }
            let actor = model.actor;
            expected.extend(requests.iter().map(|&(slot, kind)| (actor, go[slot], kind)));
        }
        for (.., kind) in &expected {
            kinds[*kind as usize] += 1;
        }
        let action = population.shape().action("go").expect("the tree has it");
        let batch = population.requests().of(action);
        assert_eq!((batch.action(), batch.name()), (action, "go"));
        let found = listed(batch);
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(
                found, expected,
                "{way:?}, {slots} slots, tick {tick}, request {at}"
            );
        }
        assert_eq!(found.len(), expected.len(), "{way:?}, tick {tick}");
        planes_say_the_same(&population);
    }
    if actors > 100 {
        assert!(kinds.iter().all(|&kind| kind > 50), "{kinds:?}");
        assert!(relaunched > 20, "{relaunched}");
    }
}

#[test]
fn requests_are_in_order_and_complete_with_one_slot_or_seventy() {
    for way in ways() {
        for slots in [1, 2, 5, 70] {
            for actors in [1, 64, 600] {
                play(
                    way,
                    slots,
                    if slots == 70 { actors.min(530) } else { actors },
                );
            }
        }
    }
}

/// Requests stand until the next tick, whatever is done to their actors meanwhile.
#[test]
fn requests_do_not_change_while_they_are_read() {
    for way in ways() {
        let mut population = population(root(5), way);
        let count = population.column::<i32>("count").expect("declared");
        let actors = population.spawn_many(700).expect("memory");
        let go: Vec<SlotIndex> = population.slots("go").to_vec();
        let action = population.shape().action("go").expect("the tree has it");
        for tick in 0..4 {
            for (place, &actor) in (0i32..).zip(&actors) {
                if !population.is_alive(actor) {
                    continue;
                }
                let value = (place + tick) % 6;
                population.set(actor, count, value).expect("its key");
                if (place + tick) % 7 == 0 {
                    population.reset(actor).expect("it lives");
                }
            }
            way.prepare(&mut population, tick as u64);
            population.tick(DT);
            let before = listed(population.requests().of(action));
            assert!(before.len() > 500);
            // Not for all of them, so that some go on.
            let answered = |place: usize| (place / 4 + tick as usize).is_multiple_of(2);
            for (place, &actor) in actors.iter().enumerate() {
                if !answered(place) {
                    continue;
                }
                let outcome = if place % 2 == 0 {
                    Outcome::Success
                } else {
                    Outcome::Failure
                };
                for &slot in go.iter().skip(place % 3) {
                    population.set_result(actor, slot, outcome).ok();
                }
            }
            let mut done = Plane::EMPTY;
            (0..512).for_each(|lane| done.put(lane, answered(lane)));
            for block in 0..population.block_count() {
                let taken = population.set_result_plane(go[0], block, done, Plane::EMPTY);
                taken.expect("the block exists");
            }
            let goes_on = |&(.., kind): &(_, _, RequestKind)| kind == RequestKind::Continue;
            assert!(tick == 0 || before.iter().filter(|of| goes_on(of)).count() > 100);
            planes_agree(&population, population.requests().of(action), &before);
            assert!(
                before == listed(population.requests().of(action)),
                "results"
            );
            for (place, &actor) in actors.iter().enumerate() {
                if place as i32 % 50 == tick {
                    let _ = match place % 3 {
                        0 => population.unload(actor),
                        1 => population.reset(actor),
                        _ => population.despawn(actor),
                    };
                }
            }
            population.spawn().expect("memory");
            assert!(before == listed(population.requests().of(action)), "lives");
            planes_agree(&population, population.requests().of(action), &before);
        }
    }
}

#[test]
fn what_does_not_exist_requests_nothing() {
    for way in ways() {
        let mut population = population(root(2), way);
        population.spawn_many(3).expect("memory");
        population.tick(DT);
        let requests = population.requests();
        assert_eq!(listed(requests.of(ActionIndex::from(7usize))), []);
        assert_eq!(requests.of(ActionIndex::from(7usize)).planes().count(), 0);
        let nothing = RequestPlanes {
            launch: Plane::EMPTY,
            keep_on: Plane::EMPTY,
            cancel: Plane::EMPTY,
        };
        assert_eq!(requests.planes(SlotIndex(9), 0), nothing);
        assert_eq!(requests.planes(SlotIndex(0), 1), nothing);
        // An empty population has no blocks.
        let empty = crate::crowd::population(root(2), way);
        assert_eq!(empty.requests().iter().count(), 0);
    }
}
