//! Sets of actors, against sets of ids.

use pleach_vm::Population;
use pleach_vm::table::{ActorSet, Dice, PlaneSet};
use proptest::prelude::*;

use crate::crowd::{Actors, Crowd};

/// Sizes with holes in no block, in one, and in several.
fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![
        Just(0),
        Just(1),
        2..70usize,
        Just(512),
        500..530usize,
        Just(1_100)
    ]
}

/// A random part of a crowd, kept, and its model.
fn part(crowd: &mut Crowd) -> (PlaneSet, Actors) {
    let mut set = PlaneSet::new();
    set.clear(&crowd.population);
    let mut model = Actors::new();
    for actor in crowd.everyone() {
        if crowd.draw().is_multiple_of(2) {
            set.insert(&crowd.population, actor).expect("it lives");
            model.insert(actor);
        }
    }
    // Out again, some of them; and whoever is out is out.
    for actor in crowd.everyone() {
        if crowd.draw().is_multiple_of(5) {
            set.remove(&crowd.population, actor).expect("it lives");
            model.remove(&actor);
        }
    }
    (set, model)
}

/// Sets that a population has of itself.
fn of_columns(crowd: &Crowd) {
    let (population, keys) = (&crowd.population, crowd.keys);
    crowd.check("everyone", population.everyone(), &crowd.everyone());
    let loaded = crowd.those(|_, row| row.loaded);
    crowd.check("loaded", population.loaded(), &loaded);
    let with = population.actors_with(keys.flag).expect("its own key");
    crowd.check("flag", with, &crowd.those(|_, row| row.flag));
    let busy = population.table(keys.busy).expect("watched").active();
    crowd.check("busy", busy, &crowd.busy);

    let tiny = population.actors_where(keys.tiny, |tiny| tiny > 2);
    let model = crowd.those(|_, row| row.tiny > 2);
    crowd.check("u8", tiny.expect("its own key"), &model);
    let small = population.actors_where(keys.small, |small| small == 9_000);
    let model = crowd.those(|_, row| row.small == 9_000);
    crowd.check("u16", small.expect("its own key"), &model);
    let count = population.actors_where(keys.count, |count| count < 0);
    let model = crowd.those(|_, row| row.count < 0);
    crowd.check("i32", count.expect("its own key"), &model);
    let level = population.actors_where(keys.level, |level| level >= 0.5);
    let model = crowd.those(|_, row| row.level >= 0.5);
    crowd.check("f32", level.expect("its own key"), &model);
    let mark = population.actors_where(keys.mark, |mark| mark.is_multiple_of(3));
    let model = crowd.those(|_, row| row.mark.is_multiple_of(3));
    crowd.check("u64", mark.expect("its own key"), &model);
    // What a place without an actor holds is nobody's.
    let all = population.actors_where(keys.tiny, |_| true);
    crowd.check("where true", all.expect("its own key"), &crowd.everyone());
}

proptest! {
    #![proptest_config(pleach_tests::property(60, KEPT))]

    #[test]
    fn sets_are_sets_of_ids(size in sizes(), seed in any::<u64>()) {
        let mut crowd = Crowd::with_holes(seed, size);
        of_columns(&crowd);
        let (kept_a, mut a) = part(&mut crowd);
        let (kept_b, mut b) = part(&mut crowd);
        let (kept_c, mut c) = part(&mut crowd);
        // Bits of who is gone by now; and columns that nobody has any more.
        let gone = crowd.despawn(6);
        for model in [&mut a, &mut b, &mut c] {
            model.retain(|actor| !gone.contains(actor));
        }
        of_columns(&crowd);
        let (population, keys) = (&crowd.population, crowd.keys);
        let [set_a, set_b, set_c] = [&kept_a, &kept_b, &kept_c].map(|set| population.those_in(set));
        let everyone = crowd.everyone();
        let not = |set: &Actors| -> Actors { &everyone - set };
        crowd.check("a", set_a, &a);
        crowd.check("a and b", set_a.and(set_b), &(&a & &b));
        crowd.check("a or b", set_a.or(set_b), &(&a | &b));
        crowd.check("a minus b", set_a.minus(set_b), &(&a - &b));
        crowd.check("not a", set_a.not(), &not(&a));
        crowd.check("not not a", set_a.not().not(), &a);
        crowd.check(
            "(a or not b) and c",
            set_a.or(set_b.not()).and(set_c),
            &(&(&a | &not(&b)) & &c),
        );
        crowd.check(
            "not (a and b) minus c",
            set_a.and(set_b).not().minus(set_c),
            &(&not(&(&a & &b)) - &c),
        );
        let flag = population.actors_with(keys.flag).expect("its own key");
        let flags = crowd.those(|_, row| row.flag);
        crowd.check(
            "c minus flag, or b",
            set_c.minus(flag).or(set_b),
            &(&(&c - &flags) | &b),
        );
        let busy = population.table(keys.busy).expect("watched").active();
        crowd.check(
            "busy and not flag",
            busy.and(flag.not()),
            &(&crowd.busy & &not(&flags)),
        );

        // Of another population, nobody; even one of the same shape, with the same places.
        let mut other = Population::new(population.shape().clone());
        other.spawn_many(size).expect("memory");
        let others = other.everyone();
        crowd.check("a and others", set_a.and(others), &Actors::new());
        crowd.check("a or others", set_a.or(others), &a);
        crowd.check("a minus others", set_a.minus(others), &a);
        crowd.check("a minus not others", set_a.minus(others.not()), &a);
        let strange = other.those_in(&kept_a);
        prop_assert!(strange.is_empty());
        prop_assert_eq!(strange.count() + strange.actors().count(), 0);
        prop_assert_eq!(strange.not().count(), size);

        // The empty set is everybody's.
        crowd.check("new", population.those_in(&PlaneSet::new()), &Actors::new());
    }

    #[test]
    fn samples_are_so_many_members(size in sizes(), seed in any::<u64>(), count in 0..600usize) {
        let mut crowd = Crowd::with_holes(seed, size);
        let (kept, model) = part(&mut crowd);
        let set = crowd.population.those_in(&kept);
        let dice = crowd.population.dice(3);
        let (mut sample, mut again) = (PlaneSet::new(), PlaneSet::new());
        // What was in it before does not matter.
        crowd.population.everyone().store(&mut sample);
        for count in [0, 1, count, model.len().saturating_sub(1), model.len(), model.len() + 9] {
            let drawn = set.store_sample(count, dice, &mut sample);
            prop_assert_eq!(drawn, count.min(model.len()));
            prop_assert_eq!(sample.count(), drawn);
            let members: Actors = crowd.population.those_in(&sample).actors().collect();
            prop_assert_eq!(members.len(), drawn);
            prop_assert!(members.is_subset(&model));
            set.store_sample(count, dice, &mut again);
            prop_assert_eq!(sample.planes(), again.planes());
        }
    }

    #[test]
    fn chance_throws_for_each_actor(size in sizes(), seed in any::<u64>(), probability in 0.0..1.0f32) {
        let mut crowd = Crowd::with_holes(seed, size);
        let (kept, model) = part(&mut crowd);
        let population = &crowd.population;
        let (set, everyone) = (population.those_in(&kept), population.everyone());
        let dice = population.dice(1);
        for nobody in [0.0, -0.0, -1.0, f32::NEG_INFINITY, f32::NAN] {
            crowd.check("no chance", set.chance(nobody, dice), &Actors::new());
        }
        for everybody in [1.0, 1.5, f32::INFINITY] {
            crowd.check("every chance", set.chance(everybody, dice), &model);
        }
        // A throw is the actor's own, whoever else is in the set; and more luck is luck, too.
        let lucky: Actors = everyone.chance(probability, dice).actors().collect();
        crowd.check("some", set.chance(probability, dice), &(&lucky & &model));
        let threshold = |actor: pleach_vm::ActorId| pleach_vm::random::unit(dice.throw(actor.to_bits()));
        // What 24 bits cannot tell apart is rounded down.
        let rounded = (probability * (1 << 24) as f32) as u32 as f32 / (1 << 24) as f32;
        let expected = crowd.those(|actor, _| threshold(actor) < rounded);
        prop_assert_eq!(&lucky, &expected);
        let luckier: Actors = everyone.chance(probability + 0.1, dice).actors().collect();
        prop_assert!(lucky.is_subset(&luckier));
    }
}

const KEPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/suites/tables/algebra.proptest-regressions"
);

/// Forty members with holes between them, in three blocks; a quarter of them at a time.
#[test]
fn any_sample_is_as_likely_as_any_other() {
    const ROUNDS: u64 = 4_000;
    let mut crowd = Crowd::new(7);
    crowd.spawn(1_300);
    let population = &crowd.population;
    let (mut set, mut sample) = (PlaneSet::new(), PlaneSet::new());
    let members: Vec<_> = crowd.rows.keys().copied().step_by(33).take(40).collect();
    for &actor in &members {
        set.insert(population, actor).expect("it lives");
    }
    let of = population.those_in(&set);
    let mut alone = [0_u32; 40];
    let mut pairs = [[0_u32; 40]; 40];
    for round in 0..ROUNDS {
        let dice = Dice::new(11, 2, round);
        assert_eq!(of.store_sample(10, dice, &mut sample), 10);
        let drawn = population.those_in(&sample);
        let drawn: Vec<usize> = (0..40).filter(|&at| drawn.contains(members[at])).collect();
        assert_eq!(drawn.len(), 10);
        for &one in &drawn {
            alone[one] += 1;
            for &two in drawn.iter().filter(|&&two| two > one) {
                pairs[one][two] += 1;
            }
        }
    }
    // Expected are 1,000, with a standard deviation of 27; and of each pair 231, with one of 15.
    assert!(
        alone.iter().all(|count| (865..1_135).contains(count)),
        "{alone:?}"
    );
    for (one, pairs) in pairs.iter().enumerate() {
        let pairs = &pairs[one + 1..];
        assert!(
            pairs.iter().all(|count| (156..306).contains(count)),
            "{one}: {pairs:?}"
        );
    }
}

/// Chances come out as often as they say; and other dice throw other numbers.
#[test]
fn chances_are_what_they_say() {
    let mut crowd = Crowd::new(3);
    crowd.spawn(2_000);
    let population = &crowd.population;
    for probability in [0.01, 0.3, 0.5, 0.9] {
        let lucky: usize = (0..50)
            .map(|round| Dice::new(5, 0, round))
            .map(|dice| population.everyone().chance(probability, dice).count())
            .sum();
        let expected = 100_000.0 * f64::from(probability);
        let deviation = (expected * (1.0 - f64::from(probability))).sqrt();
        assert!(
            (lucky as f64 - expected).abs() < 5.0 * deviation,
            "{probability}: {lucky}"
        );
    }
    let throws = |dice: Dice| dice.throw(1);
    let dice = [
        Dice::new(1, 1, 1),
        Dice::new(2, 1, 1),
        Dice::new(1, 2, 1),
        Dice::new(1, 1, 2),
    ];
    let mut thrown: Vec<u64> = dice.map(throws).to_vec();
    thrown.push(dice[0].throw(2));
    thrown.sort_unstable();
    thrown.dedup();
    assert_eq!(thrown.len(), 5);
    assert_eq!(population.dice(4), Dice::new(3, 4, 0));
    // No tree's draw: nodes have no such number.
    assert_ne!(
        dice[0].throw(1),
        pleach_vm::random::draw(1, 1, 1, 1),
        "a rule's stream is no node"
    );
}
