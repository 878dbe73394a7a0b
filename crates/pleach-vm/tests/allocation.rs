//! Steady ticks do not allocate: a counting allocator watches them.
//!
//! One test, because the counter is the whole process's.

use std::alloc::System;
use std::time::Duration;

use pleach_tree::{
    Threshold, Tree, action, concurrent, condition, cooldown, delay, idle, invert, parallel, query,
    random_sequence, reactive_selector, repeat, selector, sequence, set, task, timeout, wait,
};
use pleach_vm::table::{ActorSet, Groups, NodeKey, PlaneSet};
use pleach_vm::{
    ActorId, Batch, Call, Callee, ColumnKey, Exit, Interval, Kernel, Outcome, Plane, Population,
    Solo, SoloCall, SoloTree, Status,
};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const DT: Duration = Duration::from_millis(16);

/// Every kind of state: records, done children, timers, requests, tasks, roll-back.
fn busy_tree() -> Tree {
    Tree::build("busy")
        .column("a", 0.5_f32)
        .column("b", 0_i32)
        .column("c", false)
        .root(reactive_selector([
            sequence([
                condition("a < 0.2 and (b > 3 or not c)"),
                concurrent([condition("a < 0.15"), task("work"), action("flee")]),
            ]),
            parallel(
                Threshold::Count(3),
                Threshold::Count(2),
                [
                    sequence([condition("c"), action("one")]),
                    task("work"),
                    selector([invert(condition("b >= 0")), wait(Duration::from_millis(50))]),
                    set("b", "b + 1"),
                    query("asks"),
                ],
            ),
            idle(),
        ]))
}

struct Keys {
    a: ColumnKey<f32>,
    c: ColumnKey<bool>,
}

/// Refreshes columns and answers a third of what is outstanding, without allocating.
fn refresh(population: &mut Population, keys: &Keys, tick: u64) {
    population.par_blocks(|mut block| {
        let index = block.index() as u64;
        if let Ok(values) = block.values_mut(keys.a) {
            for (lane, value) in values.iter_mut().enumerate() {
                *value =
                    pleach_vm::random::unit(pleach_vm::random::draw(tick, index, 0, lane as u64));
            }
        }
        let word = |draw| pleach_vm::random::draw(tick, index, 1, draw);
        if let Ok(plane) = block.plane_mut(keys.c) {
            *plane = Plane(std::array::from_fn(|at| word(at as u64)));
        }
        for slot in 0..2 {
            let done = Plane(std::array::from_fn(|at| {
                word(20 + at as u64) & word(40 + at as u64)
            }));
            let success = Plane(std::array::from_fn(|at| word(60 + at as u64)));
            block
                .set_results(pleach_shape::SlotIndex(slot), done, success)
                .ok();
        }
    });
    let actor = population.actors().next();
    if let Some(actor) = actor {
        // One by one, too: refused or taken, neither allocates.
        population
            .set_result(actor, pleach_shape::SlotIndex(0), Outcome::Success)
            .ok();
    }
}

/// How many requests there are, by the planes of each action.
fn read_as_planes(population: &Population) -> usize {
    let batches = population.requests().batches();
    let planes = batches.flat_map(|batch| batch.planes());
    planes
        .map(|(_, _, planes)| {
            let lanes = [planes.launch, planes.keep_on, planes.cancel];
            lanes
                .map(|lanes| lanes.count() as usize)
                .iter()
                .sum::<usize>()
        })
        .sum()
}

fn allocations_of_steady_ticks(kernel: Kernel, census: bool, pool: &rayon::ThreadPool) -> usize {
    let shape = pleach_tree::compile(&busy_tree()).expect("compiles");
    let mut population = Population::new(shape).with_kernel(kernel);
    if census {
        population = population.with_census();
    }
    population
        .on_task("work", |call: &mut Call<'_>| match call.random(0) % 3 {
            0 => Status::Success,
            1 => Status::Failure,
            _ => Status::Running,
        })
        .expect("the tree calls it");
    population
        .on_query_batch("asks", |batch: &mut Batch<'_>| {
            batch
                .each(|call| Status::from_bool(call.random(0) % 2 == 0))
                .success
        })
        .expect("the tree calls it");
    let actors = population.spawn_many(2_000).expect("memory");
    // Some of them every few ticks only.
    for (place, &actor) in actors.iter().enumerate().skip(1_500) {
        let interval = Interval::new(1 + place as u32 % 3, place as u32 % 2);
        population.set_interval(actor, interval).expect("it lives");
    }
    let keys = Keys {
        a: population.column("a").expect("declared"),
        c: population.column("c").expect("declared"),
    };
    pool.install(|| {
        let mut requests = 0;
        for tick in 0..50 {
            refresh(&mut population, &keys, tick);
            population.tick(DT);
        }
        let region = Region::new(ALLOCATOR);
        for tick in 50..150 {
            refresh(&mut population, &keys, tick);
            population.tick(DT);
            let read = population.requests().iter().count();
            requests += read;
            assert_eq!(read, read_as_planes(&population));
        }
        let change = region.change();
        let counts = population.report().counts;
        assert!(
            requests > 10_000 && counts.tasks_aborted > 0 && counts.cancels > 0,
            "{counts:?}"
        );
        change.allocations + change.reallocations
    })
}

/// A block of which many are to tick in one tick, and few in the next.
fn allocations_of_uneven_turns(kernel: Kernel) -> usize {
    let root = sequence([wait(20 * DT), action("go")]);
    let shape = pleach_tree::compile(&Tree::build("uneven").root(root)).expect("compiles");
    let mut population = Population::new(shape).with_kernel(kernel);
    let many = population.spawn_many(40).expect("memory");
    let few = population.spawn_many(5).expect("memory");
    for (actors, phase) in [(many, 0), (few, 1)] {
        for actor in actors {
            let interval = Interval::new(2, phase);
            population.set_interval(actor, interval).expect("it lives");
        }
    }
    for _ in 0..50 {
        population.tick(DT);
    }
    let region = Region::new(ALLOCATOR);
    for _ in 0..50 {
        population.tick(DT);
    }
    let change = region.change();
    change.allocations + change.reallocations
}

/// What rules keep from one tick to the next.
#[derive(Default)]
struct Rules {
    set: PlaneSet,
    pointed: PlaneSet,
    groups: Groups<u64>,
    pointing: Vec<u32>,
    found: usize,
}

struct RuleKeys {
    works: NodeKey,
    all: NodeKey,
    flag: ColumnKey<bool>,
    kind: ColumnKey<u8>,
    mark: ColumnKey<u64>,
}

impl Rules {
    /// Every way to ask, combine, keep and write.
    fn run(&mut self, population: &mut Population, keys: &RuleKeys) {
        let works = population.table(keys.works).expect("watched");
        let all = population.table(keys.all).expect("watched");
        let needs = all.needs_to_select().expect("it chooses");
        let failed = all.failed_to_select().expect("it chooses");
        let chosen = all.selected().expect("it chooses");
        self.found += chosen.map(|(.., set)| set.count()).sum::<usize>();
        let index = all.sequence_index().expect("it chooses");
        self.found += index.map(|(.., set)| set.count()).sum::<usize>();
        let flag = population.actors_with(keys.flag).expect("its own key");
        let few = population.actors_where(keys.kind, |kind| kind < 2);
        let few = few.expect("its own key");
        let dice = population.dice(1);

        let active = works.active().and(flag.not()).minus(works.started());
        let told = active.or(needs).or(failed).and(few).or(works.aborted());
        self.found += told.count() + told.actors().count() + usize::from(told.is_empty());
        let mut counts = [0; 4];
        let others = told.count_by(keys.kind, &mut counts);
        let grouped = told.group_by(keys.mark, &mut self.groups);
        let everyone = population.everyone();
        let pointing = everyone.count_pointed_at(keys.mark, population, &mut self.pointing);
        let pointed = active.pointed_at(keys.mark, population, &mut self.pointed);
        assert!(others.is_ok() && grouped.is_ok() && pointing.is_ok() && pointed.is_ok());
        let into = population.those_in(&self.pointed);
        let into = everyone
            .pointing_into(keys.mark, into)
            .expect("its own key");
        self.found += into.chance(0.5, dice).count() + self.groups.iter().count();
        told.store_first(300, &mut self.set);
        works.active().store_sample(50, dice, &mut self.set);
        let sampled = population.reset_set(&self.set).expect("its own set");
        let flag = population.actors_with(keys.flag).expect("its own key");
        flag.not().chance(0.3, dice).store(&mut self.set);
        let concluded = population.conclude("flags", keys.flag, &self.set);
        let loaded = population.unload_set(&self.pointed).expect("its own set")
            + population.load_set(&self.pointed).expect("its own set");
        assert!(concluded.is_ok());
        self.found += sampled + loaded;
    }
}

/// Ticks with watched nodes, and rules between them.
fn allocations_of_rules(kernel: Kernel, pool: &rayon::ThreadPool) -> usize {
    let tree = Tree::build("ruled")
        .column("flag", false)
        .column("kind", 0_u8)
        .column("mark", 0_u64)
        .root(reactive_selector([
            sequence([condition("flag"), concurrent([task("work"), action("go")])]),
            random_sequence([wait(3 * DT), action("dig"), task("work").named("works")]),
        ]));
    let shape = pleach_tree::compile(&tree).expect("compiles");
    let mut population = Population::new(shape).with_kernel(kernel);
    let work = |call: &mut Call<'_>| match call.random(0) % 4 {
        0 => Status::Success,
        1 => Status::Failure,
        _ => Status::Running,
    };
    population.on_task("work", work).expect("it is called");
    let keys = RuleKeys {
        works: population.watch("works").expect("there is one"),
        all: population.watch("/ruled").expect("there is a root"),
        flag: population.column("flag").expect("declared"),
        kind: population.column("kind").expect("declared"),
        mark: population.column("mark").expect("declared"),
    };
    let actors = population.spawn_many(1_500).expect("memory");
    for (place, &actor) in actors.iter().enumerate() {
        let mark = ActorId::new(place as u32 * 7 % 1_600, 0).to_bits();
        let written = [
            population.set(actor, keys.kind, place as u8 % 5),
            population.set(actor, keys.mark, mark),
        ];
        assert_eq!(written, [Ok(()); 2]);
    }
    let dig = population.slots("dig")[0];
    let mut rules = Rules::default();
    // Everybody at once, so that the list is as long as it gets.
    let grouped = population.everyone().group_by(keys.mark, &mut rules.groups);
    assert_eq!(grouped, Ok(()));
    pool.install(|| {
        let mut tick = |population: &mut Population| {
            for &actor in actors.iter().step_by(3) {
                population.set_result(actor, dig, Outcome::Success).ok();
            }
            population.tick(DT);
            rules.run(population, &keys);
        };
        for _ in 0..100 {
            tick(&mut population);
        }
        let region = Region::new(ALLOCATOR);
        for _ in 0..60 {
            tick(&mut population);
        }
        let change = region.change();
        assert!(rules.found > 10_000, "{}", rules.found);
        change.allocations + change.reallocations
    })
}

/// Answers at random, and counts aborts.
struct Fickle {
    draws: u64,
    aborts: u32,
}

impl Fickle {
    fn draw(&mut self, call: SoloCall) -> u64 {
        self.draws += 1;
        pleach_vm::random::draw(5, 0, call.node.0, self.draws)
    }
}

impl Callee for Fickle {
    fn query(&mut self, call: SoloCall) -> bool {
        self.draw(call).is_multiple_of(2)
    }

    fn run(&mut self, call: SoloCall) -> Status {
        match self.draw(call) % 4 {
            0 => Status::Success,
            1 => Status::Failure,
            _ => Status::Running,
        }
    }

    fn exit(&mut self, _: SoloCall, reason: Exit) {
        self.aborts += u32::from(reason == Exit::Aborted);
    }
}

/// An actor by itself allocates nothing from its first tick on, resets included.
fn allocations_of_an_actor_alone() -> usize {
    let tree = Tree::build("alone")
        .column("b", 0_i32)
        .root(reactive_selector([
            sequence([query("asks"), concurrent([task("work"), task("work")])]),
            parallel(
                Threshold::Count(3),
                Threshold::Count(2),
                [
                    sequence([task("work"), wait(3 * DT)]),
                    selector([
                        invert(condition("b >= 0")),
                        wait(Duration::from_secs(3_600)),
                    ]),
                    set("b", "b + 1"),
                    query("asks"),
                ],
            ),
            random_sequence([
                cooldown(repeat(task("work"), 2), 9 * DT),
                timeout(delay(task("work"), DT), 4 * DT),
            ]),
            idle(),
        ]));
    let shape = pleach_tree::compile(&tree).expect("compiles");
    let tree = SoloTree::new(shape).expect("no actions");
    let mut solo = Solo::new(&tree, 1).expect("memory");
    let mut fickle = Fickle {
        draws: 0,
        aborts: 0,
    };
    let region = Region::new(ALLOCATOR);
    for tick in 0..2_000 {
        solo.tick(DT * (tick % 100_000), &mut fickle);
        if tick % 70 == 69 {
            solo.reset(&mut fickle);
        }
    }
    let change = region.change();
    assert!(fickle.aborts > 100, "{}", fickle.aborts);
    change.allocations + change.reallocations
}

#[test]
fn steady_ticks_do_not_allocate() {
    // Kept until the end: threads that end while a later population ticks would be counted.
    let [one, three] = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("threads")
    });
    for kernel in Kernel::CHOICES {
        for census in [false, true] {
            assert_eq!(
                allocations_of_steady_ticks(kernel, census, &one),
                0,
                "{kernel}, census {census}"
            );
            // Several threads: rayon's work queues may grow once more while they settle, so the least
            // of several runs counts.
            let least = (0..5)
                .map(|_| allocations_of_steady_ticks(kernel, census, &three))
                .min();
            assert_eq!(least, Some(0), "{kernel} on 3 threads, census {census}");
        }
    }
    for kernel in Kernel::CHOICES {
        let allocations = one.install(|| allocations_of_uneven_turns(kernel));
        assert_eq!(allocations, 0, "{kernel}, uneven turns");
        let allocations = allocations_of_rules(kernel, &one);
        assert_eq!(allocations, 0, "{kernel}, rules");
    }
    assert_eq!(allocations_of_an_actor_alone(), 0, "an actor by itself");
}
