//! A tick: `tick/{scene}/{kernel or boxed}/{actors}`, one thread, divergent data.
//!
//! Throughput is in actor-ticks. Refreshes of the data are not timed.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pleach_benches::boxed::BoxedTree;
use pleach_benches::horde::Horde;
use pleach_sim::scenes::{Data, Scene, Stage};
use pleach_vm::Kernel;

const SIZES: [(usize, &str); 3] = [(1_000, "1k"), (10_000, "10k"), (100_000, "100k")];
const DATA: Data = Data::Divergent;
/// Ticks before measuring: actors have to find their stride.
const WARM_TICKS: usize = 4;

fn ticks(criterion: &mut Criterion) {
    // Kernels are compared, not thread pools.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("one thread");
    for scene in Scene::ALL {
        let tree = scene.tree();
        let shape = Arc::new(pleach_tree::compile(&tree).expect("scenes compile"));
        let mut group = criterion.benchmark_group(format!("tick/{scene}"));
        // Each sample of 100,000 actors refreshes as long as it ticks.
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(300));
        group.measurement_time(Duration::from_secs(1));
        for (actors, label) in SIZES {
            group.throughput(Throughput::Elements(actors as u64));
            for kernel in Kernel::ALL {
                // Made when it is measured: a filtered run pays only for what it selects.
                let mut made: Option<Stage> = None;
                group.bench_function(BenchmarkId::new(kernel.name(), label), |bencher| {
                    let stage = made.get_or_insert_with(|| {
                        let stage = Stage::new(shape.clone(), DATA, actors, kernel, 1);
                        let mut stage = stage.expect("memory for the actors");
                        warm_stage(&mut stage);
                        stage
                    });
                    bencher.iter_custom(|iterations| {
                        let mut total = Duration::ZERO;
                        for _ in 0..iterations {
                            stage.refresh();
                            total += pool.install(|| {
                                let start = Instant::now();
                                black_box(stage.tick());
                                start.elapsed()
                            });
                        }
                        total
                    });
                });
            }
            let mut made: Option<(Stage, Horde)> = None;
            group.bench_function(BenchmarkId::new("boxed", label), |bencher| {
                let (stage, horde) = made.get_or_insert_with(|| {
                    // Only its feed is used; it is walked by nobody.
                    let stage = Stage::new(shape.clone(), DATA, actors, Kernel::default(), 1);
                    let mut stage = stage.expect("memory for the actors");
                    let boxed = BoxedTree::new(&tree).expect("scenes have a boxed twin");
                    let mut horde = Horde::new(boxed, tree.columns().len(), actors);
                    for _ in 0..WARM_TICKS {
                        stage.refresh();
                        horde.refresh(stage.feed());
                        horde.tick(DATA.dt());
                    }
                    (stage, horde)
                });
                bencher.iter_custom(|iterations| {
                    let mut total = Duration::ZERO;
                    for _ in 0..iterations {
                        stage.refresh();
                        horde.refresh(stage.feed());
                        let start = Instant::now();
                        horde.tick(DATA.dt());
                        black_box(horde.requests());
                        total += start.elapsed();
                    }
                    total
                });
            });
        }
        group.finish();
    }
}

fn warm_stage(stage: &mut Stage) {
    for _ in 0..WARM_TICKS {
        stage.refresh();
        stage.tick();
    }
}

criterion_group!(benches, ticks);
criterion_main!(benches);
