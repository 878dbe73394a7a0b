//! Compiling: `compile/{nodes}`, from an edit-time tree to a verified shape. Throughput in nodes.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pleach_sim::scenes::{Scene, random_tree};
use pleach_tree::Tree;

fn compiling(criterion: &mut Criterion) {
    let trees: [Tree; 3] = [
        Scene::Guard.tree(),
        Scene::Random.tree(),
        random_tree(10_000, 4_000, 1),
    ];
    let mut group = criterion.benchmark_group("compile");
    group
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(2));
    for tree in trees {
        group.throughput(Throughput::Elements(tree.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(tree.len()), |bencher| {
            bencher.iter(|| pleach_tree::compile(black_box(&tree)).expect("the tree compiles"));
        });
    }
    group.finish();
}

criterion_group!(benches, compiling);
criterion_main!(benches);
