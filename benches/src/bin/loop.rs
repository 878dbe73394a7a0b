//! Prints what a whole step takes beside its tick: `loop [--actors N,N,...] [--rounds N] [--scene NAME]`.
//!
//! One thread. A step refreshes every column of every actor from arrays that are ready, hands in
//! results, ticks, and reads every request. Results and requests go both ways: plane by plane, and
//! one by one. Times are medians over the rounds, in ns per actor.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use pleach_shape::SlotIndex;
use pleach_sim::scenes::{Data, Scene, Stage};
use pleach_vm::{
    BlockMut, ColumnKey, Kernel, NumberType, Outcome, Plane, Population, RequestKind, ResultRecord,
    ValueType,
};

/// A column's values of all blocks, ready to be copied in.
enum Ready {
    Bool(ColumnKey<bool>, Vec<Plane>),
    U8(ColumnKey<u8>, Vec<u8>),
    U16(ColumnKey<u16>, Vec<u16>),
    I32(ColumnKey<i32>, Vec<i32>),
    F32(ColumnKey<f32>, Vec<f32>),
    U64(ColumnKey<u64>, Vec<u64>),
}

/// The most actors that it takes.
const MOST: usize = 10_000_000;

type Failure = Box<dyn std::error::Error + Send + Sync>;

impl Ready {
    /// The values that the population has now.
    fn of(population: &mut Population, name: &str, ty: ValueType) -> Result<Ready, Failure> {
        fn numbers<T: NumberType>(population: &mut Population, key: ColumnKey<T>) -> Vec<T> {
            let blocks = population.blocks_mut();
            blocks
                .flat_map(|block| block.values(key).map(<[T]>::to_vec).unwrap_or_default())
                .collect()
        }
        macro_rules! ready {
            ($variant:ident, $ty:ty) => {{
                let key = population.column::<$ty>(name)?;
                Ready::$variant(key, numbers(population, key))
            }};
        }
        Ok(match ty {
            ValueType::Bool => {
                let key = population.column::<bool>(name)?;
                let blocks = population.blocks_mut();
                Ready::Bool(
                    key,
                    blocks.filter_map(|block| block.plane(key).ok()).collect(),
                )
            }
            ValueType::U8 => ready!(U8, u8),
            ValueType::U16 => ready!(U16, u16),
            ValueType::I32 => ready!(I32, i32),
            ValueType::F32 => ready!(F32, f32),
            ValueType::U64 => ready!(U64, u64),
        })
    }

    fn copy(&self, block: &mut BlockMut<'_>) {
        fn numbers<T: NumberType>(block: &mut BlockMut<'_>, key: ColumnKey<T>, all: &[T]) {
            let from = block.index() * 512;
            if let Ok(values) = block.values_mut(key) {
                values.copy_from_slice(&all[from..from + 512]);
            }
        }
        match self {
            Ready::Bool(key, all) => {
                let index = block.index();
                if let Ok(plane) = block.plane_mut(*key) {
                    *plane = all[index];
                }
            }
            Ready::U8(key, all) => numbers(block, *key, all),
            Ready::U16(key, all) => numbers(block, *key, all),
            Ready::I32(key, all) => numbers(block, *key, all),
            Ready::F32(key, all) => numbers(block, *key, all),
            Ready::U64(key, all) => numbers(block, *key, all),
        }
    }
}

/// What the phases of a step took.
#[derive(Clone, Copy, Default)]
struct Phases {
    refresh: Duration,
    results: Duration,
    tick: Duration,
    requests: Duration,
}

fn main() -> ExitCode {
    let (mut actors, mut rounds, mut scene) = (vec![10_000, 100_000], 60, Scene::Guard);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    for pair in arguments.chunks(2) {
        let value = pair.get(1).map_or("", String::as_str);
        let taken = match pair[0].as_str() {
            "--actors" => value
                .split(',')
                .map(|part| {
                    part.parse()
                        .ok()
                        .filter(|actors| (1..=MOST).contains(actors))
                })
                .collect::<Option<_>>()
                .map(|found| actors = found),
            "--rounds" => value.parse().ok().map(|found: usize| rounds = found.max(1)),
            "--scene" => Scene::from_name(value).map(|found| scene = found),
            _ => None,
        };
        if taken.is_none() {
            eprintln!("`{} {value}` is no option", pair[0]);
            return ExitCode::from(2);
        }
    }
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!("{scene}, divergent data, lanes, one thread: ns per actor and step");
    println!(
        "{:>9}  {:<10}{:>9}{:>9}{:>9}{:>10}{:>9}{:>8}",
        "actors", "by", "refresh", "results", "tick", "requests", "step", "x tick"
    );
    for &actors in &actors {
        for planes in [true, false] {
            match pool.install(|| measure(scene, actors, rounds, planes)) {
                Ok(steps) => print(actors, planes, &steps),
                Err(error) => {
                    eprintln!("{error}");
                    return ExitCode::FAILURE;
                }
            }
        }
    }
    ExitCode::SUCCESS
}

fn print(actors: usize, planes: bool, steps: &[Phases]) {
    let median = |phase: fn(&Phases) -> Duration| {
        let mut times: Vec<Duration> = steps.iter().map(phase).collect();
        times.sort_unstable();
        times[times.len() / 2].as_nanos() as f64 / actors as f64
    };
    let tick = median(|step| step.tick);
    let step = median(|step| step.refresh + step.results + step.tick + step.requests);
    println!(
        "{actors:>9}  {:<10}{:>9.2}{:>9.2}{tick:>9.2}{:>10.2}{step:>9.2}{:>8.1}",
        if planes { "planes" } else { "ones" },
        median(|step| step.refresh),
        median(|step| step.results),
        median(|step| step.requests),
        step / tick
    );
}

fn measure(
    scene: Scene,
    actors: usize,
    rounds: usize,
    planes: bool,
) -> Result<Vec<Phases>, Failure> {
    let shape = pleach_tree::compile(&scene.tree())?;
    let slots = shape.tables().deferred.len();
    let mut stage = Stage::new(shape, Data::Divergent, actors, Kernel::Lanes, 1)?;
    let mut frames: Vec<Vec<Ready>> = Vec::new();
    for _ in 0..4 {
        stage.refresh();
        let population = stage.population_mut();
        let shape = population.shape().clone();
        let mut columns = Vec::new();
        for column in &shape.tables().columns {
            let ty = column.ty().unwrap_or(ValueType::Bool);
            columns.push(Ready::of(population, shape.name(column.name), ty)?);
        }
        frames.push(columns);
        stage.tick();
    }
    let mut steps = Vec::with_capacity(rounds);
    for round in 0..rounds + 8 {
        let done: Vec<[Plane; 2]> = {
            let blocks = actors.div_ceil(512);
            let feed = stage.feed();
            (0..slots * blocks)
                .map(|place| feed.results(SlotIndex::from(place % slots), place / slots))
                .collect()
        };
        let population = stage.population_mut();
        // What its systems know of the actions they carry out, before the clock runs.
        let records = if planes {
            Vec::new()
        } else {
            ended(population, &done, slots)
        };
        let mut step = Phases::default();
        let frame = &frames[round % frames.len()];
        timed(&mut step.refresh, || {
            for mut block in population.blocks_mut() {
                for column in frame {
                    column.copy(&mut block);
                }
            }
        });
        timed(&mut step.results, || {
            if planes {
                for mut block in population.blocks_mut() {
                    for slot in 0..slots {
                        let [done, success] = done[block.index() * slots + slot];
                        let taken = block.set_results(SlotIndex::from(slot), done, success);
                        black_box(taken.ok());
                    }
                }
            } else {
                black_box(population.deliver(records.iter().copied()));
            }
        });
        timed(&mut step.tick, || {
            population.tick(Data::Divergent.dt());
        });
        timed(&mut step.requests, || {
            black_box(if planes {
                by_planes(population)
            } else {
                one_by_one(population)
            });
        });
        if round >= 8 {
            steps.push(step);
        }
    }
    Ok(steps)
}

fn timed(time: &mut Duration, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    *time = start.elapsed();
}

fn ended(population: &Population, done: &[[Plane; 2]], slots: usize) -> Vec<ResultRecord> {
    let wanted = population.requests();
    let requests = wanted
        .iter()
        .filter(|request| request.kind != RequestKind::Cancel);
    let ended = requests.filter_map(|request| {
        let [done, success] = done[request.actor.block() * slots + request.slot.at()];
        let lane = request.actor.lane();
        done.get(lane).then_some(ResultRecord {
            actor: request.actor,
            slot: request.slot,
            outcome: if success.get(lane) {
                Outcome::Success
            } else {
                Outcome::Failure
            },
        })
    });
    ended.collect()
}

fn one_by_one(population: &Population) -> u64 {
    let wanted = population.requests();
    wanted
        .iter()
        .map(|request| u64::from(request.actor.index()) + request.kind as u64)
        .sum()
}

fn by_planes(population: &Population) -> u64 {
    let wanted = population.requests();
    let batches = wanted.batches().flat_map(|batch| batch.planes());
    batches
        .map(|(block, _, planes)| {
            let counts = [planes.launch, planes.keep_on, planes.cancel].map(|plane| plane.count());
            block as u64 + u64::from(counts.iter().sum::<u32>())
        })
        .sum()
}
