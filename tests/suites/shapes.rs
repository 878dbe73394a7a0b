//! Shapes from anywhere: the verifier refuses, or the kernels run safely. And what a shape states
//! about a run is true, and tight.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bytemuck::Pod;
use pleach_shape::{ColumnIndex, Op, Requirements, Shape, ShapeParts, SlotIndex, Tables, Token};
use pleach_tests::engine::{Engine, Setting, streamed};
use pleach_tests::generate::{Script, draw, tree, tree_from_seed};
use pleach_tests::scenario::Scenario;
use pleach_tree::*;
use pleach_vm::{Event, Kernel, Outcome, Population, Simd};
use proptest::prelude::*;

/// Runs a shape for some ticks on every kernel with arbitrary data. Whatever the shape is, this
/// must end, and without a panic. (Tasks and queries are not registered: they fail.)
fn run_safely(shape: Shape, seed: u64) {
    let shape = Arc::new(shape);
    for kernel in Kernel::ALL {
        let mut population = Population::new(shape.clone())
            .with_kernel(kernel)
            .with_census();
        let actors = population.spawn_many(3).expect("memory");
        for tick in 0..12 {
            for (index, &actor) in (0u64..).zip(&actors) {
                for (column, def) in shape.tables().columns.iter().enumerate() {
                    let bits = draw(seed, &[tick, index, column as u64]) >> 7;
                    let value = Value::from_bits(def.ty().expect("verified"), bits);
                    let column = ColumnIndex::from(column);
                    population
                        .set_value(actor, column, value)
                        .expect("the column's own type");
                }
                for slot in 0..shape.requirements().deferred_slots {
                    let outcome = match draw(seed, &[tick, index, 99, slot.into()]) % 4 {
                        0 => Outcome::Success,
                        1 => Outcome::Failure,
                        _ => continue,
                    };
                    population.set_result(actor, SlotIndex(slot), outcome).ok();
                }
            }
            population.trace(actors.first().copied());
            population.tick(Duration::from_micros(5));
            assert!(population.trace_events().len() <= 4 * shape.guarded().len());
            assert!(population.requests().iter().count() <= 3 * 2 * shape.len());
            for &actor in &actors {
                population.state(actor).expect("it lives");
            }
        }
    }
}

/// A small tree with an entry in every table.
fn small_tree() -> Tree {
    Tree::build("small")
        .column("flag", false)
        .column("count", 3_u8)
        .column("health", 0.5_f32)
        .world("level", 2_i32)
        .world("leader", 7_u64)
        .root(reactive_selector([
            parallel(
                Threshold::Count(1),
                Threshold::Count(2),
                [
                    sequence([
                        condition("health < 0.3 and not flag"),
                        action("go").param("to", "home"),
                    ]),
                    task("work"),
                    wait(Duration::from_micros(7)),
                ],
            ),
            concurrent([invert(condition("leader == 9")), persistent_action("sense")]),
            selector([set("count", "count + level").named("counts"), idle()]),
        ]))
}

/// A small tree with an entry in every table, and a node of every kind.
fn every_kind() -> Tree {
    let soon = Duration::from_micros(9);
    Tree::build("every kind")
        .column("flag", false)
        .column("count", 3_u8)
        .column("health", 0.5_f32)
        .world("level", 2_i32)
        .world("leader", 7_u64)
        .root(reactive_selector([
            abort_when(
                parallel(
                    Threshold::Count(1),
                    Threshold::Count(2),
                    [
                        random_sequence([
                            repeat(action("go").param("to", "home"), 3),
                            delay(task("work"), soon),
                            repeat_until_failure(run_once(condition("health < 0.3")), 2),
                        ]),
                        cooldown(timeout(random_selector([wait(soon), fail()]), soon), soon),
                        switch(
                            "count",
                            [
                                case(1, when(idle(), "not flag")),
                                case(2, run_while(persistent_action("sense"), "flag")),
                                otherwise(done_when(query("near"), "flag")),
                            ],
                        ),
                    ],
                ),
                "flag and count == 9",
            ),
            if_then_else(
                invert(condition("leader == 9")),
                concurrent([succeed(), repeat_until_success(failer(idle()), None)]),
                set("count", "count + level").named("counts"),
            ),
            while_do_else(
                condition("flag"),
                selector([succeeder(wait_between(soon, 3 * soon))]),
                fail(),
            ),
            switch(
                "level",
                [
                    case(2, reactive_sequence([idle()])),
                    case(5, sequence([fail()])),
                ],
            ),
        ]))
}

/// The changes that are likeliest to pass: of one bit, by one, to the ends of the range.
#[test]
fn byte_changes_of_every_kind_are_refused_or_safe() {
    let original = parts(&every_kind());
    for op in Op::ALL {
        let mut tokens = original.plain.iter().chain(&original.guarded);
        assert!(
            tokens.any(|token| token.op() == Some(*op)),
            "the tree has no {op}"
        );
    }
    let (mut refused, mut safe) = (0u32, 0u32);
    for (name, array) in ARRAYS {
        let mut changed = original.clone();
        let len = array(&mut changed).len();
        assert!(len > 0, "the tree has no {name}");
        for at in 0..len {
            let old = array(&mut changed)[at];
            let bits = (0..8).map(|bit| old ^ 1 << bit);
            let mut likely: Vec<u8> = bits
                .chain([old.wrapping_add(1), old.wrapping_sub(1), 0, 255])
                .filter(|&new| new != old)
                .collect();
            likely.sort_unstable();
            likely.dedup();
            for new in likely {
                array(&mut changed)[at] = new;
                let found = [Shape::new(changed.clone()).ok(), rederived(&changed)];
                refused += u32::from(found.iter().all(Option::is_none));
                for shape in found.into_iter().flatten() {
                    safe += 1;
                    // Each is verified; a part of them is run.
                    if safe.is_multiple_of(3) {
                        run_safely(shape, at as u64);
                    }
                }
            }
            array(&mut changed)[at] = old;
        }
    }
    assert!(
        refused > 10_000 && safe > 500,
        "{refused} refused, {safe} safe"
    );
}

/// Two entries of one table change places, two operands, or two operations; or a token becomes another one.
#[test]
fn swaps_are_refused_or_safe() {
    let original = parts(&every_kind());
    let (mut refused, mut safe) = (0u32, 0u32);
    let mut check = |changed: &ShapeParts, seed: u64| {
        let found = [Shape::new(changed.clone()).ok(), rederived(changed)];
        refused += u32::from(found.iter().all(Option::is_none));
        for shape in found.into_iter().flatten() {
            safe += 1;
            run_safely(shape, seed);
        }
    };
    let count = original.plain.len();
    for first in 0..count {
        for second in 0..first {
            let mut changed = original.clone();
            let (a, b) = (changed.plain[first].operand, changed.plain[second].operand);
            (changed.plain[first].operand, changed.plain[second].operand) = (b, a);
            check(&changed, 1);
            let mut changed = original.clone();
            let (a, b) = (changed.plain[first], changed.plain[second]);
            (changed.plain[first].op, changed.plain[first].flags) = (b.op, b.flags);
            (changed.plain[second].op, changed.plain[second].flags) = (a.op, a.flags);
            check(&changed, 2);
        }
        for &op in Op::ALL {
            // A third of the combinations, each operation and operand among them.
            for operand in
                (0..4).filter(|operand| (first + op as usize + operand).is_multiple_of(3))
            {
                let mut changed = original.clone();
                let old = changed.plain[first];
                changed.plain[first] = Token::node(op, old.end, operand as u32, old.link);
                check(&changed, 3);
            }
        }
    }
    for (_, array) in ARRAYS {
        for size in [4, 8, 12, 16, 24] {
            let mut changed = original.clone();
            let len = array(&mut changed).len() / size;
            for first in 0..len {
                for second in 0..first {
                    let mut changed = original.clone();
                    let bytes = array(&mut changed);
                    for byte in 0..size {
                        bytes.swap(first * size + byte, second * size + byte);
                    }
                    check(&changed, 4);
                }
            }
        }
    }
    assert!(
        refused > 2_000 && safe > 200,
        "{refused} refused, {safe} safe"
    );
}

fn parts(tree: &Tree) -> ShapeParts {
    compile(tree).expect("compiles").parts().clone()
}

/// One array of a shape's parts, as bytes.
type Array = (&'static str, fn(&mut ShapeParts) -> &mut [u8]);

fn bytes<T: Pod>(entries: &mut [T]) -> &mut [u8] {
    bytemuck::cast_slice_mut(entries)
}

const ARRAYS: [Array; 21] = [
    ("plain", |parts| bytes(&mut parts.plain)),
    ("guarded", |parts| bytes(&mut parts.guarded)),
    ("nodes", |parts| bytes(&mut parts.tables.nodes)),
    ("columns", |parts| bytes(&mut parts.tables.columns)),
    ("world", |parts| bytes(&mut parts.tables.world)),
    ("exprs", |parts| bytes(&mut parts.tables.exprs)),
    ("code", |parts| bytes(&mut parts.tables.code)),
    ("constants", |parts| bytes(&mut parts.tables.constants)),
    ("actions", |parts| bytes(&mut parts.tables.actions)),
    ("deferred", |parts| bytes(&mut parts.tables.deferred)),
    ("persistent", |parts| bytes(&mut parts.tables.persistent)),
    ("functions", |parts| bytes(&mut parts.tables.functions)),
    ("sets", |parts| bytes(&mut parts.tables.sets)),
    ("timers", |parts| bytes(&mut parts.tables.timers)),
    ("groups", |parts| bytes(&mut parts.tables.groups)),
    ("params", |parts| bytes(&mut parts.tables.params)),
    ("loops", |parts| bytes(&mut parts.tables.loops)),
    ("randoms", |parts| bytes(&mut parts.tables.randoms)),
    ("switches", |parts| bytes(&mut parts.tables.switches)),
    ("cases", |parts| bytes(&mut parts.tables.cases)),
    ("latches", |parts| bytes(&mut parts.tables.latches)),
];

/// Derives again what follows from the plain stream, so that what is changed there is not refused
/// merely because the guarded stream no longer fits; then verifies.
fn rederived(parts: &ShapeParts) -> Option<Shape> {
    let parts = ShapeParts::from_plain(parts.plain.clone(), parts.tables.clone()).ok()?;
    Shape::new(parts).ok()
}

#[test]
fn every_single_byte_change_is_refused_or_safe() {
    let original = parts(&small_tree());
    assert!(Shape::new(original.clone()).is_ok());
    let (mut refused, mut safe) = (0u32, 0u32);
    for (_, array) in ARRAYS {
        let mut changed = original.clone();
        let len = array(&mut changed).len();
        for at in 0..len {
            let old = array(&mut changed)[at];
            for new in (0..=255u8).filter(|&new| new != old) {
                array(&mut changed)[at] = new;
                let found = [Shape::new(changed.clone()).ok(), rederived(&changed)];
                if found.iter().all(Option::is_none) {
                    refused += 1;
                }
                // Running each accepted value of each byte would take minutes: of the 255, some.
                let run = new.is_power_of_two() || new == 255 || new == old.wrapping_add(1);
                for shape in found.into_iter().flatten() {
                    safe += 1;
                    if run {
                        run_safely(shape, at as u64);
                    }
                }
            }
            array(&mut changed)[at] = old;
        }
    }
    // Most changes break something; some (a constant, a duration, a node id) only mean another tree.
    assert!(
        refused > 150_000 && safe > 10_000,
        "{refused} refused, {safe} safe"
    );
}

const KEPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/suites/shapes.proptest-regressions"
);

/// Tokens that are nearly plausible: true operations, small numbers.
fn plausible_token() -> impl Strategy<Value = Token> {
    let ops = Op::ALL.iter().map(|&op| op as u8).collect::<Vec<_>>();
    let op = prop_oneof![8 => prop::sample::select(ops), 1 => any::<u8>()];
    (op, 0u32..12, 0u32..3, prop_oneof![Just(u32::MAX), 0u32..12]).prop_map(
        |(op, end, operand, link)| {
            let mut token: Token = bytemuck::Zeroable::zeroed();
            (token.op, token.end, token.operand, token.link) = (op, end, operand, link);
            token
        },
    )
}

proptest! {
    #![proptest_config(pleach_tests::property(20_000, KEPT))]

    #[test]
    fn arbitrary_tokens_are_refused_or_safe(plain in prop::collection::vec(plausible_token(), 0..10)) {
        let original = parts(&every_kind());
        let tables = Tables { nodes: original.tables.nodes[..plain.len()].to_vec(), ..original.tables };
        if let Some(shape) = rederived(&ShapeParts { plain, tables, ..ShapeParts::default() }) {
            run_safely(shape, 1);
        }
    }

    #[test]
    fn arbitrary_bytes_are_refused(
        plain in prop::collection::vec(any::<[u8; 16]>(), 0..9),
        guarded in prop::collection::vec(any::<[u8; 16]>(), 0..17),
    ) {
        let tokens = |bytes: Vec<[u8; 16]>| bytes.into_iter().map(bytemuck::cast).collect::<Vec<Token>>();
        let tables = parts(&small_tree()).tables;
        let parts = ShapeParts {
            plain: tokens(plain),
            guarded: tokens(guarded),
            tables,
            requirements: Requirements::default(),
        };
        prop_assert!(Shape::new(parts).is_err());
    }
}

proptest! {
    #![proptest_config(pleach_tests::property(300, KEPT))]

    #[test]
    fn random_changes_of_random_shapes_are_refused_or_safe(
        tree in tree(),
        changes in prop::collection::vec((0..ARRAYS.len(), any::<prop::sample::Index>(), any::<u8>()), 1..4),
        seed in any::<u64>(),
    ) {
        let mut parts = parts(&tree);
        for (array, at, value) in changes {
            let bytes = ARRAYS[array].1(&mut parts);
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = value;
            }
        }
        for shape in [Shape::new(parts.clone()).ok(), rederived(&parts)].into_iter().flatten() {
            run_safely(shape, seed);
        }
    }

    #[test]
    fn listings_show_every_token(tree in tree()) {
        let shape = compile(&tree).expect("generated trees compile");
        let listing = format!("{shape:?}");
        let lines = shape.plain().len() + shape.guarded().len() + 7;
        prop_assert_eq!(listing.lines().count(), lines);
        prop_assert!(!listing.contains('?'));
        for (index, path) in shape.node_paths().iter().enumerate() {
            prop_assert_eq!(path, &shape.node_path(pleach_shape::TokenIndex::from(index)));
            let id = shape.node_id(pleach_shape::TokenIndex::from(index)).expect("in range");
            prop_assert_eq!(path, &tree.path(id));
        }
    }
}

/// The greatest that a run of a tree came to.
#[derive(Clone, Copy, Default, Debug)]
struct Reached {
    records: usize,
    requests: usize,
    depth: u32,
}

fn reached(
    tree: &Tree,
    seed: u64,
    actors: u64,
    pool: &rayon::ThreadPool,
) -> (Reached, Requirements) {
    let scenario = Scenario {
        tree: tree.clone(),
        script: Script { seed },
        actors,
        ticks: 60,
    };
    let setting = Setting {
        kernel: Kernel::TraversalStack,
        changes_kernel: true,
        threads: 1,
        simd: Simd::detected(),
        traces: true,
        counts: true,
    };
    let mut engine = Engine::new(&scenario, setting);
    let mut reached = Reached::default();
    for _ in 0..scenario.ticks {
        // Every step asserts that no bound is exceeded, and debug builds that no scratch grows.
        for seen in engine.step(pool) {
            reached.records = reached.records.max(streamed(&seen.state));
            reached.requests = reached
                .requests
                .max(seen.launches.len() + seen.continues.len());
        }
        let mut open = 0u32;
        for event in engine.population().trace_events() {
            match event {
                Event::Enter(_) => open += 1,
                Event::Leave(..) => open -= 1,
                _ => {}
            }
            reached.depth = reached.depth.max(open);
        }
    }
    (reached, *engine.shape().requirements())
}

static POOL: LazyLock<rayon::ThreadPool> = LazyLock::new(|| {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread")
});

/// Never exceeded (see [`reached`]); and reached, by many of the small trees at least: a bound that
/// is never met would not be one.
#[test]
fn requirements_are_tight() {
    let (mut trees, mut records, mut requests, mut depth) = (0, 0, 0, 0);
    for seed in 0..150 {
        let tree = tree_from_seed(seed);
        if tree.len() > 40 {
            continue;
        }
        trees += 1;
        let (reached, needs) = reached(&tree, seed, 32, &POOL);
        records += u32::from(reached.records == needs.state_capacity as usize);
        requests += u32::from(reached.requests == needs.request_capacity as usize);
        depth += u32::from(reached.depth == needs.max_depth);
    }
    let counts = [trees, records, requests, depth];
    assert!(
        trees > 30 && counts.iter().all(|&count| count * 3 > trees),
        "{counts:?}"
    );
}

fn needs(root: NodeDef) -> Requirements {
    let tree = Tree::build("t").column("c", false).root(root);
    *compile(&tree).expect("compiles").requirements()
}

#[test]
fn requirements_by_hand() {
    let go = || action("go");
    let check = || condition("c");
    let work = || task("work");

    let leaf = needs(go());
    assert_eq!(
        (leaf.plain_tokens, leaf.guarded_tokens, leaf.max_depth),
        (1, 1, 0)
    );
    assert_eq!((leaf.state_capacity, leaf.request_capacity), (0, 1));

    // One child at a time: one record for the parent, one for what its deepest child keeps.
    let chain = needs(sequence([check(), selector([go(), work()]), go()]));
    assert_eq!(
        (chain.plain_tokens, chain.guarded_tokens, chain.max_depth),
        (6, 11, 2)
    );
    assert_eq!(
        (
            chain.state_capacity,
            chain.request_capacity,
            chain.deferred_slots
        ),
        (3, 1, 2)
    );

    // A sequence that cannot run keeps nothing.
    assert_eq!(needs(sequence([check(), check()])).state_capacity, 0);

    // All children at once. One of the three actions must still run, two may have failed.
    let wide = needs(parallel(
        Threshold::All,
        Threshold::Count(3),
        [go(), go(), go()],
    ));
    assert_eq!(
        (
            wide.state_capacity,
            wide.request_capacity,
            wide.group_levels
        ),
        (2, 3, 1)
    );
    // With the first failure deciding, only successes are remembered: two at most.
    let strict = needs(parallel(
        Threshold::All,
        Threshold::Count(1),
        [go(), go(), go()],
    ));
    assert_eq!(strict.state_capacity, 2);
    // With either deciding at once, nothing is ever remembered.
    let race = needs(parallel(
        Threshold::Count(1),
        Threshold::Count(1),
        [go(), go(), go()],
    ));
    assert_eq!((race.state_capacity, race.walk_capacity), (0, 3));
    // A condition is done at once; the task keeps its mark.
    let mixed = needs(parallel(
        Threshold::All,
        Threshold::Count(1),
        [check(), work()],
    ));
    assert_eq!(mixed.state_capacity, 2);
    // Conditions alone decide within the tick.
    let decided = needs(parallel(
        Threshold::All,
        Threshold::Count(1),
        [check(), check()],
    ));
    assert_eq!((decided.state_capacity, decided.walk_capacity), (0, 2));
    // A Concurrent remembers nothing of its own.
    let watch = needs(concurrent([check(), work(), concurrent([go(), go()])]));
    assert_eq!(
        (
            watch.state_capacity,
            watch.request_capacity,
            watch.group_levels
        ),
        (1, 2, 2)
    );

    let timed = needs(reactive_selector([
        wait(Duration::from_secs(1)),
        set("c", "not c"),
    ]));
    assert_eq!(
        (timed.timer_slots, timed.state_capacity, timed.columns),
        (1, 1, 1)
    );
    assert_eq!(timed.bytes_per_actor(), timed.block_bytes.div_ceil(512));
    assert_eq!(timed.column_bytes_per_actor, 1);
}

/// What the requirements state is what a population takes, with every kernel.
#[test]
fn stated_bytes_are_the_bytes_taken() {
    for seed in 0..40 {
        let shape = std::sync::Arc::new(compile(&tree_from_seed(seed)).expect("compiles"));
        let needs = *shape.requirements();
        for kernel in Kernel::ALL {
            let mut population = Population::new(shape.clone()).with_kernel(kernel);
            population.spawn_many(600).expect("memory");
            population.tick(std::time::Duration::ZERO);
            let taken = population.memory_bytes() as u64;
            let stated = needs.column_bytes_per_actor + kernel.state_bytes_per_actor(&needs);
            // Bits are rounded up to bytes in three places.
            let exact = taken.div_ceil(1024);
            assert!(
                (exact..=exact + 3).contains(&stated),
                "{kernel}: {taken}, {stated}"
            );
        }
    }
}

/// Which property a broken shape violates is named.
#[test]
fn errors_name_the_property() {
    let broken = |change: fn(&mut ShapeParts)| {
        let mut parts = parts(&small_tree());
        change(&mut parts);
        let error = Shape::new(parts).expect_err("broken");
        assert!(error.to_string().contains(error.property()), "{error}");
        error.property()
    };
    // What only a Wait may have, and how.
    assert_eq!(broken(|parts| parts.tables.timers[0].shortest = 8), "T1");
    let mut drawn = parts(&small_tree());
    drawn.tables.timers[0].shortest = 0;
    assert!(Shape::new(drawn).is_ok());
    let time = Duration::from_micros(7);
    for root in [
        delay(idle(), time),
        timeout(idle(), time),
        cooldown(idle(), time),
    ] {
        let mut drawn = parts(&Tree::build("t").root(root));
        drawn.tables.timers[0].shortest = 6;
        let error = Shape::new(drawn).expect_err("no Wait");
        assert_eq!(
            error.to_string(),
            "not a valid shape: plain token 0 has a time of 6 to 7 µs, which only a wait may have (property P6)"
        );
    }
    assert_eq!(broken(|parts| parts.plain.clear()), "P1");
    assert_eq!(broken(|parts| parts.plain[3].op = 0), "P2");
    assert_eq!(broken(|parts| parts.plain[2].op = Op::Guard as u8), "P2");
    assert_eq!(broken(|parts| parts.plain[1].end = 1), "P3");
    assert_eq!(broken(|parts| parts.plain[1].end = 100), "P3");
    assert_eq!(
        broken(|parts| parts.plain[3] = Token::node(Op::Sequence, 4, 0, 2)),
        "P4"
    );
    assert_eq!(broken(|parts| parts.plain[4].link = 0), "P5");
    assert_eq!(broken(|parts| parts.plain[4].operand = 9), "P6");
    assert_eq!(broken(|parts| parts.tables.groups[0].success = 4), "P8");
    assert_eq!(broken(|parts| parts.tables.groups[0].level = 1), "P8");
    assert_eq!(broken(|parts| parts.tables.columns[1].name = 999), "T1");
    assert_eq!(broken(|parts| parts.tables.columns[1].default = 256), "T2");
    assert_eq!(broken(|parts| parts.tables.code[0].ty = 1), "T3");
    assert_eq!(broken(|parts| parts.tables.params[0].source = 1), "T4");
    // A token may be a part of the node above it, and of no other one.
    let mut part = parts(&small_tree());
    part.tables.nodes[1].id = 0;
    assert!(Shape::new(part).is_ok());
    assert_eq!(broken(|parts| parts.tables.nodes[4].id = 0), "T5");
    assert_eq!(broken(|parts| parts.guarded.truncate(3)), "G1");
    assert_eq!(broken(|parts| parts.guarded[4].end = 1), "G2");
    assert_eq!(broken(|parts| parts.guarded[4].operand += 1), "G3");
    assert_eq!(broken(|parts| parts.requirements.max_depth -= 1), "R1");
}

#[test]
fn listings_say_where_guards_of_rare_parents_lead_and_between_which_times_a_wait_draws() {
    let listing = |root| {
        let shape = compile(&Tree::build("t").root(root)).expect("compiles");
        pleach_shape::Disassembly::new(&shape).to_string()
    };
    let rests = listing(wait_between(
        Duration::from_millis(1_500),
        Duration::from_secs(5),
    ));
    assert!(rests.contains("1.5 s to 5 s (timer 0)"), "{rests}");
    let branches = listing(if_then_else(succeed(), succeed(), fail()));
    assert!(
        branches.contains("guard-if                   S→g3 F→g5 R→end"),
        "{branches}"
    );
    let alone = listing(while_do_else(succeed(), invert(succeed()), fail()));
    assert!(alone.contains("S→g3 F→g7 R→end"), "{alone}");
    let without = listing(if_then(succeed(), succeed()));
    assert!(without.contains("S→g3 F→end R→end"), "{without}");
    let drawn = listing(random_selector([succeed(), fail()]));
    assert!(drawn.contains("S→end F→drawn R→end"), "{drawn}");
}
