//! Joins: what columns hold, and whom they point at.

use std::collections::BTreeMap;

use pleach_vm::table::{ActorSet, Groups, PlaneSet};
use pleach_vm::{AccessError, ActorId, ColumnKey, NumberType, Population};
use proptest::prelude::*;

use crate::crowd::{Actors, Crowd, Row};

const KEPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/suites/tables/joins.proptest-regressions"
);

/// Counts and groups of a column, against those of the rows.
fn by_value<T: NumberType + Ord + TryInto<usize> + std::fmt::Debug>(
    crowd: &Crowd,
    key: ColumnKey<T>,
    value: impl Fn(&Row) -> T,
    groups: &mut Groups<T>,
) {
    let mut model: BTreeMap<T, Vec<ActorId>> = BTreeMap::new();
    let flags = crowd.rows.iter().filter(|(_, row)| row.flag);
    for (&actor, row) in flags {
        model.entry(value(row)).or_default().push(actor);
    }
    let population = &crowd.population;
    let set = population
        .actors_with(crowd.keys.flag)
        .expect("its own key");

    // What they held before does not matter.
    let mut counts = [77; 4];
    let others = set.count_by(key, &mut counts).expect("its own key");
    let place = |value: T| value.try_into().ok().filter(|&place: &usize| place < 4);
    let mut expected = [0; 4];
    let mut expected_others = 0;
    for (&value, actors) in &model {
        match place(value) {
            Some(place) => expected[place] += actors.len() as u32,
            None => expected_others += actors.len() as u32,
        }
    }
    assert_eq!((counts, others), (expected, expected_others));

    set.group_by(key, groups).expect("its own key");
    let all: usize = model.values().map(Vec::len).sum();
    assert_eq!(groups.len(), all);
    assert_eq!(groups.is_empty(), all == 0);
    let found: Vec<(T, Vec<ActorId>)> = groups
        .iter()
        .map(|(value, rows)| {
            assert!(rows.iter().all(|row| row.0 == value));
            (value, rows.iter().map(|row| row.1).collect())
        })
        .collect();
    assert_eq!(found, model.clone().into_iter().collect::<Vec<_>>());
    for (value, actors) in model {
        assert_eq!(groups.of(value).collect::<Vec<_>>(), actors);
    }
}

proptest! {
    #![proptest_config(pleach_tests::property(40, KEPT))]

    #[test]
    fn columns_are_counted_and_grouped(size in 0..1_100usize, seed in any::<u64>()) {
        let mut crowd = Crowd::with_holes(seed, size);
        crowd.despawn(9);
        let keys = crowd.keys;
        by_value(&crowd, keys.tiny, |row| row.tiny, &mut Groups::new());
        by_value(&crowd, keys.small, |row| row.small, &mut Groups::new());
        by_value(&crowd, keys.count, |row| row.count, &mut Groups::default());
        let mut groups = Groups::new();
        by_value(&crowd, keys.mark, |row| row.mark, &mut groups);
        // Again, into the same memory; and of a value that nobody has, nobody.
        by_value(&crowd, keys.mark, |row| row.mark, &mut groups);
        prop_assert_eq!(groups.of(1 << 60).count(), 0);
    }

    #[test]
    fn columns_point_at_who_lives(
        dwarves in 0..700usize,
        plants in 0..700usize,
        seed in any::<u64>(),
    ) {
        let mut plants = Crowd::with_holes(seed ^ 1, plants);
        let mut dwarves = Crowd::with_holes(seed, dwarves);
        let living: Vec<ActorId> = plants.everyone().into_iter().collect();
        for actor in dwarves.everyone() {
            let bits = dwarves.draw();
            let pick = |list: &[ActorId]| {
                let place = (bits >> 8) as usize % list.len().max(1);
                list.get(place).map_or(u64::MAX, |actor| actor.to_bits())
            };
            let mark = match bits % 8 {
                0 => bits,
                1 => u64::MAX,
                // Who lived there before, or nobody yet.
                2 => pick(&plants.gone),
                3 => pick(&living) ^ 1 << 32,
                // A few that many point at.
                4 => pick(&living[..living.len().min(3)]),
                _ => pick(&living),
            };
            let row = Row { mark, ..dwarves.rows[&actor] };
            dwarves.write(actor, row);
        }
        // Pointed at, and gone before anybody asks.
        plants.despawn(7);
        let mark = dwarves.keys.mark;
        let with_flag = dwarves.those(|_, row| row.flag);
        let set = dwarves.population.actors_with(dwarves.keys.flag).expect("its own key");
        let target = |actor: &ActorId| ActorId::from_bits(dwarves.rows[actor].mark);
        let lives = |target: &ActorId| plants.rows.contains_key(target);

        let model: Actors = with_flag.iter().map(target).filter(lives).collect();
        let mut pointed = PlaneSet::new();
        dwarves.population.everyone().store(&mut pointed);
        set.pointed_at(mark, &plants.population, &mut pointed).expect("its own key");
        plants.check("pointed at", plants.population.those_in(&pointed), &model);
        prop_assert!(dwarves.population.those_in(&pointed).is_empty());

        let mut counts = vec![99; 5];
        let nobody = set.count_pointed_at(mark, &plants.population, &mut counts);
        let nobody = nobody.expect("its own key");
        prop_assert_eq!(counts.len(), plants.population.block_count() * 512);
        let mut expected = vec![0; counts.len()];
        for target in with_flag.iter().map(target).filter(lives) {
            expected[target.index() as usize] += 1;
        }
        let pointing: u32 = expected.iter().sum();
        prop_assert_eq!(counts, expected);
        prop_assert_eq!(nobody + pointing, with_flag.len() as u32);

        let grown = plants.those(|_, row| row.level > 0.5);
        let others = plants.population.actors_where(plants.keys.level, |level| level > 0.5);
        let pointing = set.pointing_into(mark, others.expect("its own key"));
        let model: Actors = with_flag
            .iter()
            .copied()
            .filter(|actor| grown.contains(&target(actor)))
            .collect();
        dwarves.check("pointing into", pointing.expect("its own key"), &model);
        let into = plants.population.those_in(&pointed);
        let pointing = dwarves.population.everyone().pointing_into(mark, into);
        let all = dwarves.those(|_, row| plants.population.those_in(&pointed)
            .contains(ActorId::from_bits(row.mark)));
        dwarves.check("pointing into what is pointed at", pointing.expect("its own key"), &all);
    }
}

/// A column may point at actors of its own population, itself included.
#[test]
fn a_population_points_at_itself() {
    let mut crowd = Crowd::new(5);
    crowd.spawn(600);
    let first = *crowd.rows.keys().next().expect("there are some");
    for actor in crowd.everyone() {
        let row = crowd.rows[&actor];
        let next = ActorId::new((actor.index() + 1) % 600, 0);
        let target = if actor.index() % 2 == 0 { actor } else { next };
        crowd.write(
            actor,
            Row {
                mark: target.to_bits(),
                ..row
            },
        );
    }
    let (population, mark) = (&crowd.population, crowd.keys.mark);
    let mut pointed = PlaneSet::new();
    let everyone = population.everyone();
    let done = everyone.pointed_at(mark, population, &mut pointed);
    assert_eq!(done, Ok(()));
    let even = crowd.those(|actor, _| actor.index() % 2 == 0);
    crowd.check("even", population.those_in(&pointed), &even);
    let mut counts = Vec::new();
    let nobody = everyone.count_pointed_at(mark, population, &mut counts);
    assert_eq!(nobody, Ok(0));
    assert_eq!(counts[first.index() as usize], 2);
    assert_eq!(counts.iter().sum::<u32>(), 600);
}

/// Keys of a shape with other columns are refused, and what was there before stays.
#[test]
fn foreign_keys_are_refused() {
    let mut crowd = Crowd::new(1);
    crowd.spawn(20);
    let tree = pleach_tree::Tree::build("other")
        .column("claim", 0_u64)
        .root(pleach_tree::idle());
    let other = Population::new(pleach_tree::compile(&tree).expect("compiles"));
    let key: ColumnKey<u64> = other.column("claim").expect("declared");
    let refused = Err(AccessError::ForeignKey(key.index()));
    let population = &crowd.population;
    let everyone = population.everyone();
    let mut counts = vec![7; 3];
    assert_eq!(everyone.count_by(key, &mut counts), refused.map(|()| 0));
    assert_eq!(
        everyone.count_pointed_at(key, population, &mut counts),
        refused.map(|()| 0)
    );
    assert_eq!(counts, [7; 3]);
    let mut groups = Groups::new();
    let kept = everyone.group_by(crowd.keys.mark, &mut groups);
    assert_eq!(kept, Ok(()));
    assert_eq!(everyone.group_by(key, &mut groups), refused);
    assert_eq!(groups.len(), 20);
    let mut set = PlaneSet::new();
    everyone.store(&mut set);
    assert_eq!(everyone.pointed_at(key, population, &mut set), refused);
    assert_eq!(set.count(), 20);
    let error = everyone.pointing_into(key, everyone).err();
    assert_eq!(error, refused.err());
    let error = population.actors_where(key, |_| true).err();
    assert_eq!(error, refused.err());
    assert_eq!(population.values(key, 0).err(), refused.err());
    let message = error.map(|error| error.to_string());
    assert_eq!(
        message.as_deref(),
        Some("the key of column 0 is of a shape with other columns")
    );
}

/// Columns as slices: 512 values a block, none behind the last one.
#[test]
fn columns_are_slices() {
    let mut crowd = Crowd::new(2);
    crowd.spawn(700);
    let (population, keys) = (&crowd.population, crowd.keys);
    for block in 0..2 {
        let tiny = population.values(keys.tiny, block).expect("its own key");
        let small = population.values(keys.small, block).expect("its own key");
        let count = population.values(keys.count, block).expect("its own key");
        let level = population.values(keys.level, block).expect("its own key");
        let mark = population.values(keys.mark, block).expect("its own key");
        assert_eq!([tiny.len(), small.len(), count.len()], [512; 3]);
        assert_eq!([level.len(), mark.len()], [512; 2]);
        for (actor, row) in &crowd.rows {
            if actor.block() == block {
                let lane = actor.lane();
                let found = (
                    tiny[lane],
                    small[lane],
                    count[lane],
                    level[lane],
                    mark[lane],
                );
                let expected = (row.tiny, row.small, row.count, row.level, row.mark);
                assert_eq!(found, expected);
            }
        }
    }
    assert_eq!(population.values(keys.mark, 2), Ok(&[][..]));
}
