//! Trees as large, deep, nested and wide as anyone needs.

use std::time::Duration;

use pleach_tree::{
    Threshold, Tree, action, compile, condition, parallel, reactive_selector, reactive_sequence,
    selector, sequence, succeed, wait,
};
use pleach_vm::{Kernel, Population, Status};

const DT: Duration = Duration::from_millis(10);

fn population(tree: Tree, kernel: Kernel) -> Population {
    Population::new(compile(&tree).expect("compiles")).with_kernel(kernel)
}

#[test]
fn trees_as_large_and_as_deep_as_anyone_needs() {
    // 100,000 nodes side by side.
    let wide = Tree::build("wide").root(selector((0..99_999).map(|index| {
        if index == 99_998 {
            action("last")
        } else {
            condition("x > 0")
        }
    })));
    // (`x` is not declared: every one of them is a problem, and the message stays short.)
    let message = compile(&wide).unwrap_err().to_string();
    assert!(message.contains("and 99978 more") && message.len() < 10_000);
    let wide = Tree::build("wide")
        .column("x", 0_i32)
        .root(selector((0..99_999).map(|index| {
            if index == 99_998 {
                action("last")
            } else {
                condition("x > 0")
            }
        })));
    // 10,000 deep, and beyond the limit.
    let deep = |depth: usize| {
        let mut node = action("deep");
        for level in 0..depth {
            node = if level % 2 == 0 {
                sequence([node])
            } else {
                reactive_selector([node])
            };
        }
        Tree::build("deep").root(node)
    };
    for kernel in Kernel::ALL {
        for tree in [wide.clone(), deep(10_000)] {
            let mut population = population(tree, kernel);
            population.spawn().unwrap();
            population.tick(DT);
            population.tick(DT);
            assert_eq!(population.report().counts.continues, 1);
        }
    }
    let message = compile(&deep(70_000)).unwrap_err().to_string();
    assert!(message.contains("deeper than 65536 levels"), "{message}");
}

/// T1: however deeply groups nest, and with the census on, a tick stays linear in tokens.
#[test]
fn nested_groups_are_rolled_back_once() {
    let depth = 20_000;
    let mut node = action("deepest");
    for level in 0..depth {
        let beside = if level % 2 == 0 {
            action("beside")
        } else {
            wait(DT)
        };
        node = parallel(
            Threshold::Count(1),
            Threshold::Count(1),
            [condition("go"), beside, node],
        );
    }
    let tree = Tree::build("t")
        .column("go", false)
        .root(reactive_selector([node, action("last")]));
    for kernel in Kernel::ALL {
        let mut population = population(tree.clone(), kernel).with_census();
        let go = population.column::<bool>("go").unwrap();
        let ann = population.spawn().unwrap();
        for tick in 0..6 {
            population.set(ann, go, tick % 2 == 1).unwrap();
            population.tick(DT);
            let mut counts = Vec::new();
            population.census(&mut counts);
            // Where the first child decides, all that runs beside and below it is taken back.
            let halted: u32 = counts.iter().map(|count| count.halts).sum();
            assert!(halted as usize > depth, "{halted}");
        }
    }
}

/// The widest blackboard there can be: a condition on its last column reads that one.
#[test]
fn conditions_find_their_column_in_the_widest_blackboard() {
    let wide = |columns: usize| {
        let mut builder = Tree::build("wide");
        for index in 1..columns {
            builder = builder.column(format!("c{index}"), 0_u64);
        }
        builder
            .column("hit", 5)
            .root(selector([condition("hit == 5"), action("missed")]))
    };
    let mut widest = population(wide(pleach_shape::MAX_VALUES), Kernel::default());
    let ann = widest.spawn().unwrap();
    widest.tick(DT);
    assert_eq!(widest.status(ann), Ok(Some(Status::Success)));
    let message = compile(&wide(pleach_shape::MAX_VALUES + 1))
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("declares 65537 columns, allowed are 65536"),
        "{message}"
    );
}

/// Thousands of regions within each other, thousands of leaves that run at the bottom: resuming, and
/// going over to another kernel, take a step for each node and not for each pair of them. (A quadratic
/// tick would be felt here: 400 ticks of 10,000 levels.)
#[test]
fn regions_nest_and_kernels_change_in_the_deepest_trees() {
    let chain = |levels: usize, bottom: pleach_tree::NodeDef| {
        let nested = (0..levels).fold(bottom, |inner, _| {
            reactive_sequence([condition("x > 0"), sequence([succeed(), inner])])
        });
        Tree::build("chain").column("x", 1_i32).root(nested)
    };
    let many = || {
        parallel(
            Threshold::All,
            Threshold::Count(1),
            (0..5_000).map(|_| idle_wait()),
        )
    };
    for tree in [chain(10_000, action("deep")), chain(5_000, many())] {
        let mut population = population(tree, Kernel::Lanes);
        let actor = population.spawn().unwrap();
        for kernel in Kernel::ALL {
            population.set_kernel(kernel);
            for _ in 0..100 {
                population.tick(DT);
            }
            assert_eq!(population.status(actor), Ok(Some(Status::Running)));
        }
        let state = population.state(actor).unwrap();
        population.set_kernel(Kernel::ThreadedStream);
        population.tick(Duration::ZERO);
        population.set_kernel(Kernel::Lanes);
        population.tick(Duration::ZERO);
        assert!(state.len() >= 5_000 && population.state(actor).unwrap() == state);
    }
}

fn idle_wait() -> pleach_tree::NodeDef {
    wait(Duration::from_secs(3_600))
}
