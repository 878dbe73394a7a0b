//! Loops and random order in task trees.

use std::collections::HashSet;
use std::time::Duration;

use pleach::task::{
    NodeDef, Progress, Status, Tree, random_selector, random_sequence, repeat,
    repeat_until_failure, repeat_until_success, selector, sequence, task,
};

mod stage;

use stage::{Stage, asks, scripted};

#[test]
fn repeat_runs_its_child_n_times() {
    let statuses = |script, n: u32| Stage::new(repeat(scripted("a", script), n, None)).statuses(6);
    assert_eq!(statuses("S", 3), "RRSRRS");
    assert_eq!(statuses("S", 1), "SSSSSS");
    // What runs is one iteration, however long it takes.
    assert_eq!(statuses("RS", 2), "RRRSRR");
}

#[test]
fn repeat_without_n_goes_on_for_ever() {
    let mut stage = Stage::new(repeat(scripted("a", "S"), None, None));
    assert_eq!(stage.statuses(1_000), "R".repeat(1_000));
    assert_eq!(stage.tick().1, "a> a a:success");
}

#[test]
fn repeat_fails_when_the_child_fails_unless_told_otherwise() {
    let statuses = |break_on_failure: Option<bool>| {
        Stage::new(repeat(scripted("a", "SFFF"), 4, break_on_failure)).statuses(4)
    };
    assert_eq!(statuses(None), "RFFF");
    assert_eq!(statuses(Some(true)), "RFFF");
    assert_eq!(statuses(Some(false)), "RRRS");
}

#[test]
fn repeat_until_failure_fails_then_or_succeeds_after_so_many_successes() {
    let statuses = |script, max: Option<u32>| {
        Stage::new(repeat_until_failure(scripted("a", script), max)).statuses(3)
    };
    assert_eq!(statuses("SSF", None), "RRF");
    assert_eq!(statuses("SSF", Some(3)), "RRF");
    assert_eq!(statuses("SSF", Some(2)), "RSF");
}

#[test]
fn repeat_until_success_succeeds_then_or_fails_after_so_many_failures() {
    let statuses = |script, max: Option<u32>| {
        Stage::new(repeat_until_success(scripted("a", script), max)).statuses(3)
    };
    assert_eq!(statuses("FFS", None), "RRS");
    assert_eq!(statuses("FFS", Some(3)), "RRS");
    assert_eq!(statuses("FFS", Some(2)), "RFS");
}

#[test]
fn a_loop_that_was_reset_counts_from_the_beginning() {
    let mut stage = Stage::new(selector([
        asks("alarm", "FFSFFFF"),
        repeat(scripted("a", "S"), 4, None),
    ]));
    assert_eq!(stage.statuses(7), "RRSRRRS");
    stage.tick();
    stage.reset();
    assert_eq!(
        Stage::new(repeat(scripted("a", "S"), 2, None)).statuses(2),
        "RS"
    );
}

/// Children of a random node that each note their number when they are run, and give the answer of the
/// board.
struct Board {
    answer: Status,
    order: Vec<usize>,
}

fn noting(number: usize) -> NodeDef<'static, (), Board> {
    task(move |_: &mut (), board: &mut Board, _| {
        board.order.push(number);
        board.answer
    })
}

/// One tick with that answer for every child that is run; gives the status and the order.
fn tick(
    tree: &Tree<'_, (), Board>,
    progress: &mut Progress,
    answer: Status,
) -> (Status, Vec<usize>) {
    let mut board = Board {
        answer,
        order: Vec::new(),
    };
    let status = tree.tick(progress, &mut (), &mut board, Duration::from_millis(16));
    (status, board.order)
}

#[test]
fn a_random_order_is_fresh_each_time_it_starts_over() {
    for (def, go_on, stop) in [
        (
            random_sequence((0..4).map(noting)),
            Status::Success,
            Status::Failure,
        ),
        (
            random_selector((0..4).map(noting)),
            Status::Failure,
            Status::Success,
        ),
    ] {
        let tree = Tree::compile(def).unwrap();
        let mut progress = Progress::default();
        let mut orders = HashSet::new();
        let mut firsts = [0; 4];
        for _ in 0..2_000 {
            let (status, order) = tick(&tree, &mut progress, go_on);
            assert_eq!(status, go_on);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3]);
            firsts[order[0]] += 1;
            orders.insert(order);
            // The first other answer ends it.
            let (status, order) = tick(&tree, &mut progress, stop);
            assert_eq!((status, order.len()), (stop, 1));
        }
        // All of them come, and none more often than it should: 500 times, by about 19 at random.
        assert_eq!(orders.len(), 24);
        assert!(
            firsts.iter().all(|count| (400..600).contains(count)),
            "{firsts:?}"
        );
    }
}

#[test]
fn a_random_order_stays_while_a_child_runs() {
    for (def, go_on) in [
        (random_sequence((0..5).map(noting)), Status::Success),
        (random_selector((0..5).map(noting)), Status::Failure),
    ] {
        let tree = Tree::compile(def).unwrap();
        let mut progress = Progress::default();
        for _ in 0..100 {
            let mut finished = Vec::new();
            // Each child runs for two ticks, then the next one begins in the tick in which it ends.
            let (_, order) = tick(&tree, &mut progress, Status::Running);
            let [first] = order[..] else {
                panic!("one child runs, found {order:?}")
            };
            assert_eq!(tick(&tree, &mut progress, Status::Running).1, [first]);
            // All the others in one tick, each once.
            let (status, order) = tick(&tree, &mut progress, go_on);
            assert_eq!((status, order[0]), (go_on, first));
            finished.extend(order);
            finished.sort_unstable();
            assert_eq!(finished, [0, 1, 2, 3, 4]);
        }
    }
}

#[test]
fn random_choices_depend_on_seeds_and_agents_and_nothing_else() {
    let orders = |seed: u64, agents: usize, progress: fn(&Tree<'_, (), Board>) -> Progress| {
        let def = sequence([random_sequence((0..6).map(noting))]);
        let tree = Tree::compile(def).unwrap().with_seed(seed);
        let mut all: Vec<Progress> = (0..agents).map(|_| progress(&tree)).collect();
        let orders = all.iter_mut().map(|progress| {
            let ticks = (0..8).map(|_| tick(&tree, progress, Status::Success).1);
            ticks.collect::<Vec<_>>()
        });
        orders.collect::<Vec<_>>()
    };
    let found = orders(1, 3, |tree| tree.progress());
    assert_eq!(found, orders(1, 3, |tree| tree.progress()));
    assert_eq!(found, orders(1, 3, |_| Progress::default()));
    assert_eq!(found[..2], orders(1, 2, |tree| tree.progress()));
    assert_ne!(found, orders(2, 3, |tree| tree.progress()));
    assert_ne!(found[0], found[1]);
    // An agent with a seed of its own chooses the same, whoever else there is.
    let own = orders(1, 2, |_| Progress::with_seed(7));
    assert_eq!(own[0], own[1]);
    assert_eq!(own, orders(3, 2, |_| Progress::with_seed(7)));
    assert_ne!(own[0], found[0]);
}
