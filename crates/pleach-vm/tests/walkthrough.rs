//! The two traversals that "Data-oriented behavior trees (3)" walks through, step by step: the
//! example tree with nodes 0 to 12, traversal 0 with steps A to K, traversal 1 with steps A to G.

use std::time::Duration;

use pleach_tree::{Tree, action, compile, concurrent, condition, selector, sequence};
use pleach_vm::{
    ActorId, CanonicalRecord, Event, Kept, Kernel, Outcome, Population, RequestKind, Status,
};

fn example_tree() -> Tree {
    Tree::build("example")
        .column("node2", false)
        .column("node5", true)
        .root(selector([
            concurrent([condition("node2"), action("node3")]),
            sequence([
                condition("node5"),
                action("node6"),
                action("node7"),
                action("node8"),
                action("node9"),
                action("node10"),
                action("node11"),
            ]),
            action("node12"),
        ]))
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
        let mut population =
            Population::new(compile(&example_tree()).expect("compiles")).with_kernel(kernel);
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
        let node6 = population.slots("node6")[0];
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
