//! One number for 10,000 actors and 1,000 ticks: the same for every kernel, form and number of threads,
//! on every machine, from one version to the next.
//!
//! It stands in `tests/golden/crowd.txt`. `PLEACH_GOLDEN=write cargo test -p pleach-tests --test golden`
//! writes it anew, for a change that is meant to change what trees do.

use std::path::PathBuf;
use std::time::Duration;

use pleach_shape::{SlotIndex, Status};
use pleach_tree::{
    Threshold, Tree, action, concurrent, condition, idle, invert, parallel, persistent_action,
    query, reactive_selector, reactive_sequence, selector, sequence, set, succeeder, task, wait,
};
use pleach_vm::random::{draw, unit};
use pleach_vm::{ActorId, Call, Kept, Kernel, Plane, Population, Simd};

const ACTORS: usize = 10_000;
const TICKS: u64 = 1_000;
const DT: Duration = Duration::from_millis(16);
const SEED: u64 = 2026;

/// Every kind of node, and something for each of them to do.
fn tree() -> Tree {
    Tree::build("golden")
        .column("health", 1.0_f32)
        .column("ammo", 5_i32)
        .column("mood", 100_u8)
        .column("alert", false)
        .column("target", 0_u64)
        .root(reactive_selector([
            reactive_sequence([
                condition("health < 0.05"),
                sequence([action("flee"), set("mood", "mood - 7"), wait(3 * DT)]),
            ]),
            sequence([
                condition("alert and (ammo > 0 or mood < 20)"),
                parallel(
                    Threshold::Count(2),
                    Threshold::Count(2),
                    [
                        task("aim"),
                        sequence([action("shoot"), set("ammo", "max(ammo - 1, 0)")]),
                        selector([persistent_action("cover"), idle()]),
                    ],
                ),
                succeeder(query("clear")),
            ]),
            concurrent([
                invert(condition("health >= 0.98")),
                selector([
                    sequence([condition("ammo <= 0"), action("reload"), set("ammo", "6")]),
                    sequence([wait(40 * DT), set("mood", "mood + 1"), task("rest")]),
                ]),
            ]),
            action("patrol"),
        ]))
}

/// How the crowd is run.
#[derive(Clone, Copy, Debug)]
struct Way {
    kernel: Kernel,
    simd: Simd,
    threads: usize,
    changes: bool,
}

#[derive(Default)]
struct Hash(u64);

impl Hash {
    fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn plane(&mut self, plane: Plane) {
        plane.0.into_iter().for_each(|word| self.word(word));
    }
}

fn random_plane(tick: u64, block: u64, what: u32) -> Plane {
    Plane(std::array::from_fn(|word| {
        draw(SEED, block, what, tick * 8 + word as u64)
    }))
}

fn crowd(way: Way) -> (Population, Vec<ActorId>) {
    let shape = pleach_tree::compile(&tree()).expect("compiles");
    let mut population = Population::new(shape)
        .with_kernel(way.kernel)
        .with_seed(SEED);
    population.set_simd(way.simd);
    for name in ["aim", "rest"] {
        let answer = |call: &mut Call<'_>| match call.random(0) % 6 {
            0 => Status::Success,
            1 => Status::Failure,
            _ => Status::Running,
        };
        population.on_task(name, answer).expect("the tree does");
    }
    let clear = |call: &mut Call<'_>| call.random(1).is_multiple_of(2);
    population.on_query("clear", clear).expect("the tree does");
    let actors = population.spawn_many(ACTORS).expect("memory");
    (population, actors)
}

fn refresh(population: &mut Population, tick: u64) {
    let health = population.column::<f32>("health").expect("declared");
    let alert = population.column::<bool>("alert").expect("declared");
    let needs = *population.shape().requirements();
    population.par_blocks(|mut block| {
        let index = block.index() as u64;
        let random = |what| random_plane(tick, index, what);
        let values = block.values_mut(health).expect("its key");
        // A third of them in turn.
        let turn = (tick % 3) as usize;
        for (lane, value) in values.iter_mut().enumerate().skip(turn).step_by(3) {
            *value = unit(draw(SEED, index * 512 + lane as u64, 0, tick));
        }
        *block.plane_mut(alert).expect("its key") ^= random(1) & random(2) & random(3);
        for slot in 0..needs.deferred_slots {
            let done = random(10 + slot) & random(20 + slot);
            let taken = block.set_results(SlotIndex(slot), done, random(30 + slot));
            taken.expect("the slot exists");
        }
        let lanes = random(4) & random(5);
        for slot in 0..needs.persistent_slots {
            let written = block.set_persistent(SlotIndex(slot), lanes, random(6), random(7));
            written.expect("the slot exists");
        }
    });
}

fn fold(hash: &mut Hash, population: &mut Population) {
    for block in population.blocks_mut() {
        for status in Status::ALL {
            hash.plane(block.status(status));
        }
    }
    for batch in population.requests().batches() {
        for (block, slot, planes) in batch.planes() {
            hash.word((block as u64) << 32 | u64::from(slot.0));
            for plane in [planes.launch, planes.keep_on, planes.cancel] {
                hash.plane(plane);
            }
        }
    }
}

/// What takes longer to look at, and is looked at less often.
fn fold_state(hash: &mut Hash, population: &Population, actors: &[ActorId]) {
    for &actor in actors {
        for column in 0..population.shape().tables().columns.len() {
            let value = population.value(actor, column.into());
            hash.word(value.expect("it lives").to_bits());
        }
        for record in population.state(actor).expect("it lives") {
            let kept = match record.kept {
                Kept::Child(child) => child.0.into(),
                Kept::Runs => 1 << 32,
                Kept::Deadline(micros) => 1 << 33 | micros,
                Kept::Done(status) => 1 << 34 | status as u64,
                Kept::Count(iterations) => 1 << 35 | u64::from(iterations),
                Kept::Order(children) => 1 << 36 ^ children,
                Kept::Cooling(micros) => 1 << 37 ^ micros,
                Kept::Once(status) => 1 << 38 | status as u64,
            };
            hash.word(u64::from(record.node.0) << 40 ^ kept);
        }
    }
}

fn hash(way: Way) -> String {
    let (mut population, actors) = crowd(way);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(way.threads)
        .build();
    let mut hash = Hash::default();
    pool.expect("threads").install(|| {
        for tick in 0..TICKS {
            if way.changes && tick % 10 == 9 {
                let turn = (tick / 10 * 3 % 5) as usize;
                population.set_kernel(Kernel::CHOICES[turn]);
            }
            refresh(&mut population, tick);
            population.tick(DT);
            fold(&mut hash, &mut population);
            if tick % 100 == 99 {
                fold_state(&mut hash, &population, &actors);
            }
        }
    });
    format!("{:016x}", hash.0)
}

fn ways() -> Vec<Way> {
    let way = |kernel| Way {
        kernel,
        simd: Simd::detected(),
        threads: 1,
        changes: false,
    };
    let mut ways: Vec<Way> = Kernel::ALL.map(way).into();
    let forms = Simd::ALL
        .into_iter()
        .filter(|&simd| simd != Simd::detected());
    let forms = forms.filter(|simd| simd.is_available());
    ways.extend(forms.map(|simd| Way {
        simd,
        ..way(Kernel::Lanes)
    }));
    ways.extend([2, 3, 8].map(|threads| Way {
        threads,
        ..way(Kernel::Lanes)
    }));
    ways.push(Way {
        threads: 2,
        ..way(Kernel::Auto)
    });
    ways.push(Way {
        threads: 3,
        changes: true,
        ..way(Kernel::ThreadedStream)
    });
    ways
}

#[test]
fn ten_thousand_actors_and_a_thousand_ticks_are_one_number() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden/crowd.txt");
    if std::env::var("PLEACH_GOLDEN").is_ok_and(|wish| wish == "write") {
        let [first, ..] = ways()[..] else {
            unreachable!()
        };
        std::fs::write(&path, hash(first) + "\n").expect("the folder is there");
    }
    let expected = std::fs::read_to_string(&path).expect("it is part of the source");
    for way in ways() {
        assert_eq!(hash(way), expected.trim(), "{way:?}");
    }
}

/// The number would say little if nothing happened.
#[test]
fn the_crowd_does_everything() {
    let (mut population, _) = crowd(ways()[3]);
    population.set_census(true);
    let mut census = Vec::new();
    let nodes = population.shape().len();
    let mut seen = vec![[0u64; 4]; nodes];
    for tick in 0..300 {
        refresh(&mut population, tick);
        population.tick(DT);
        population.census(&mut census);
        for (seen, count) in seen.iter_mut().zip(&census) {
            let counts = [count.successes, count.failures, count.starts, count.halts];
            for (seen, count) in seen.iter_mut().zip(counts) {
                *seen += u64::from(count);
            }
        }
    }
    for (node, [successes, failures, starts, halts]) in seen.iter().enumerate() {
        assert!(
            *starts > 100,
            "node {node} is hardly ever visited: {starts}"
        );
        assert!(successes + failures + halts > 100, "node {node} never ends");
    }
    assert!(seen.iter().filter(|[.., halts]| *halts > 100).count() > nodes / 2);
}
