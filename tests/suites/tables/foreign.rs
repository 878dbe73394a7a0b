//! Sets that are not this crate's: whatever they say, nothing panics, and nobody is found who is not there.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pleach_tree::{Tree, compile, idle};
use pleach_vm::table::{ActorSet, Groups, PlaneSet};
use pleach_vm::{ActorId, Plane, Population};

/// Every lane of every block, there or not.
#[derive(Clone, Copy)]
struct Everything<'a>(&'a Population);

impl<'a> ActorSet<'a> for Everything<'a> {
    fn population(&self) -> &'a Population {
        self.0
    }

    fn plane(&self, _: usize) -> Plane {
        Plane::FULL
    }
}

/// Another population and another plane each time.
#[derive(Clone, Copy)]
struct Fickle<'a>([&'a Population; 2], &'a Cell<u32>);

impl<'a> Fickle<'a> {
    fn next(&self) -> usize {
        let next = self.1.get().wrapping_mul(0x9E37_79B1).wrapping_add(12_345);
        self.1.set(next);
        next as usize >> 7
    }
}

impl<'a> ActorSet<'a> for Fickle<'a> {
    fn population(&self) -> &'a Population {
        self.0[self.next() % 2]
    }

    fn plane(&self, _: usize) -> Plane {
        Plane::first(self.next() % 600)
    }
}

fn population(columns: usize, actors: usize) -> Population {
    let mut tree = Tree::build("t").column("mark", u64::MAX);
    for column in 0..columns {
        tree = tree.column(format!("number{column}"), 7_i32);
    }
    let mut population = Population::new(compile(&tree.root(idle())).expect("compiles"));
    population.spawn_many(actors).expect("memory");
    population
}

/// Everything that can be asked.
fn ask<'a>(set: impl ActorSet<'a>, population: &'a Population) {
    let mark = population.column::<u64>("mark").expect("declared");
    let (everyone, dice) = (population.everyone(), population.dice(1));
    let far = ActorId::from_bits(u64::MAX);
    let _ = (set.count(), set.is_empty(), set.contains(far));
    let _ = (set.actors().count(), set.not().actors().count());
    let _ = set.and(everyone).or(set).minus(everyone).count();
    let _ = everyone.and(set).or(set).minus(set).count();
    for chance in [f32::NAN, f32::INFINITY, -0.0, 0.5] {
        let _ = set.chance(chance, dice).actors().count();
    }
    let from = set.pointing_into(mark, set);
    let _ = from.map(|from| (from.plane(99), from.actors().count()));
    let into = set.pointing_into(mark, everyone);
    let _ = into.map(|into| (into.plane(99), into.actors().count()));
    let _ = everyone.pointing_into(mark, set).map(|into| into.count());
    let _ = set.count_by(mark, &mut [0; 2]);
    let _ = set.group_by(mark, &mut Groups::new());
    let mut kept = PlaneSet::new();
    let _ = set.pointed_at(mark, population, &mut kept);
    let _ = set.count_pointed_at(mark, population, &mut Vec::new());
    for count in [0, 1, 64, 511, 512, 513, 1_024, 1_025, usize::MAX] {
        set.store_first(count, &mut kept);
        set.store_sample(count, dice, &mut kept);
    }
}

#[test]
fn whatever_a_set_says_nothing_panics() {
    let counter = Cell::new(1);
    for [actors, others] in [[0, 0], [0, 3], [3, 0], [600, 3], [3, 2_000], [513, 513]] {
        for columns in [0, 2] {
            let (one, two) = (population(0, actors), population(columns, others));
            ask(Everything(&one), &one);
            for _ in 0..20 {
                ask(Fickle([&one, &two], &counter), &one);
            }
        }
    }
}

#[test]
fn who_is_not_there_is_not_written() {
    let mut few = population(0, 3);
    let mut set = PlaneSet::new();
    Everything(&few).store(&mut set);
    assert_eq!(few.load_set(&set), Ok(0));
    assert_eq!(few.unload_set(&set), Ok(3));
    assert_eq!(few.reset_set(&set), Ok(3));
    assert_eq!(few.despawn_set(&set), Ok(3));
    assert_eq!(few.despawn_set(&set), Ok(0));
    assert!(few.is_empty());
}

/// A closure that panics leaves no place of another population in the set.
#[test]
fn a_set_that_was_not_filled_holds_nobody_of_before() {
    let (many, few) = (population(0, 600), population(0, 3));
    let mark = few.column::<u64>("mark").expect("declared");
    let mut set = PlaneSet::new();
    many.everyone().store(&mut set);
    let panicking = few.actors_where(mark, |_| panic!("no answer"));
    let stored = catch_unwind(AssertUnwindSafe(|| {
        panicking.expect("its own").store(&mut set);
    }));
    assert!(stored.is_err());
    assert!(few.those_in(&set).is_empty() && many.those_in(&set).is_empty());
}
