//! The two traversals that "Data-oriented behavior trees (3)" walks through, step by step: the
//! example tree with nodes 0 to 12, traversal 0 with steps A to K, traversal 1 with steps A to G.

use std::time::Duration;

use pleach_shape::Shape;
use pleach_vm::{
    ActorId, CanonicalRecord, Event, Kept, Kernel, Outcome, Population, RequestKind, Status,
};

fn example() -> Shape {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../trees/stream_example.kdl");
    let text = std::fs::read_to_string(path).expect("it is in the repository");
    let document =
        pleach_text::parse("stream_example.kdl", &text).unwrap_or_else(|error| panic!("{error}"));
    document
        .compile_main()
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The node at which each step of the last walk stands: a token's own, or the parent that reacts.
fn steps(population: &Population) -> Vec<u32> {
    let step = |event: &Event| match *event {
        Event::Enter(node) | Event::Leaf(node, _) => Some(node.0),
        Event::React { parent, .. } => Some(parent.0),
        Event::Leave(..) | Event::RollBack(..) => None,
    };
    population.trace_events().iter().filter_map(step).collect()
}

/// (node, its running child), in stream order.
fn state(population: &Population, actor: ActorId) -> Vec<(u32, u32)> {
    let records = population.state(actor).expect("alive");
    let child = |record: &CanonicalRecord| match record.kept {
        Kept::Child(child) => (record.node.0, child.0),
        other => panic!("{other:?}"),
    };
    records.iter().map(child).collect()
}

fn requests(population: &Population) -> Vec<(u32, RequestKind)> {
    let requests = population.requests().iter();
    requests
        .map(|request| (request.token().0, request.kind))
        .collect()
}

#[test]
fn traversals_zero_and_one() {
    for kernel in Kernel::ALL {
        let mut population = Population::new(example()).with_kernel(kernel);
        assert_eq!(population.shape().len(), 13);
        let actor = population.spawn().expect("memory");
        population.trace(Some(actor));

        population.tick(Duration::from_millis(16));
        let a_to_k = [0, 1, 2, 1, 0, 4, 5, 4, 6, 4, 0];
        assert_eq!(steps(&population), a_to_k, "{kernel}");
        // Selector 0 remembers child 4, and sequence 4 its child 6, in stream order.
        assert_eq!(state(&population, actor), [(0, 4), (4, 6)], "{kernel}");
        assert_eq!(requests(&population), [(6, RequestKind::Launch)]);
        assert_eq!(population.status(actor), Ok(Some(Status::Running)));

        // "The action requested through token 6 has been executed and succeeded."
        let node6 = population.slots("walk_to_post")[0];
        population
            .set_result(actor, node6, Outcome::Success)
            .expect("outstanding");
        population.tick(Duration::from_millis(16));
        let a_to_g = [0, 4, 6, 4, 7, 4, 0];
        assert_eq!(steps(&population), a_to_g, "{kernel}");
        assert_eq!(state(&population, actor), [(0, 4), (4, 7)], "{kernel}");
        assert_eq!(requests(&population), [(7, RequestKind::Launch)]);
        assert_eq!(population.status(actor), Ok(Some(Status::Running)));
    }
}
