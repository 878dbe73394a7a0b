//! What the tests of populations share.

use std::time::Duration;

use pleach_tree::{Tree, compile};
use pleach_vm::{ActorId, Kernel, Population, RequestKind};

/// The time of a tick.
pub(crate) const DT: Duration = Duration::from_millis(10);

/// An empty population of a tree.
pub(crate) fn population(tree: Tree, kernel: Kernel) -> Population {
    Population::new(compile(&tree).expect("compiles")).with_kernel(kernel)
}

/// All requests of the last tick: action, actor, kind.
pub(crate) fn requests(population: &Population) -> Vec<(String, ActorId, RequestKind)> {
    let batches = population.requests().batches();
    batches
        .flat_map(|batch| {
            batch
                .iter()
                .map(move |request| (batch.name().to_owned(), request.actor, request.kind))
        })
        .collect()
}
