//! C2: random orders, draw by draw. Whether they are even is held in `order`.

use pleach_tests::observation::{ORDER_BASE, RUNS};
use pleach_tests::reference::{Leave, Reference};
use pleach_tree::{random_selector, random_sequence, task};
use pleach_vm::random::{below, draw};

use crate::stage::{F, R, S, Stage, tree, visited};

const SEED: u64 = 7;
const ACTOR: u64 = 3 << 32 | 5;

/// The child, from 1, that the rule draws in a tick, of those that are left in stream order.
fn drawn(tick: u64, over: u64, left: &[u32]) -> u32 {
    let bits = draw(SEED, ACTOR, 0, tick << 32 | over);
    left[below(bits, left.len() as u64) as usize]
}

#[test]
fn c2_a_round_that_takes_one_tick_draws_its_children_one_after_another() {
    let tree = tree(random_sequence([task("a"), task("b"), task("c")]));
    let answers = [("a", "SSSSSSSS"), ("b", "SSSSSSSS"), ("c", "SSSSSSSS")];
    let mut stage = Stage::new(&tree, &answers);
    stage.actor = Reference::new(&tree).with_identity(SEED, ACTOR);
    let mut orders = Vec::new();
    for tick in 1..=8 {
        let mut left = vec![1, 2, 3];
        let mut expected = vec![0];
        for over in 0..3 {
            let child = drawn(tick, over, &left);
            left.retain(|&other| other != child);
            expected.push(child);
        }
        let (seen, trace) = stage.tick();
        assert_eq!((seen.root, visited(&trace)), (S, expected), "tick {tick}");
        assert_eq!(seen.state, []);
        orders.push(visited(&trace));
    }
    orders.dedup();
    assert!(orders.len() > 1, "a fresh order each time");
}

#[test]
fn c2_an_order_is_kept_while_a_child_runs_and_the_next_one_is_drawn_when_it_ends() {
    let tree = tree(random_selector([task("a"), task("b"), task("c")]));
    let answers = [("a", "RRFRF"), ("b", "RRFRF"), ("c", "RRFRF")];
    let mut stage = Stage::new(&tree, &answers);
    stage.actor = Reference::new(&tree).with_identity(SEED, ACTOR);
    let first = drawn(1, 0, &[1, 2, 3]);
    for tick in 1..=2 {
        let (seen, trace) = stage.tick();
        assert_eq!(
            (seen.root, visited(&trace)),
            (R, vec![0, first]),
            "tick {tick}"
        );
        let expected = [(0, u64::from(first)), (0, ORDER_BASE), (first, RUNS)];
        assert_eq!(seen.state, expected, "none is over");
    }
    // All fail in the third tick: who is left is drawn in that tick, and nobody twice.
    let mut left = vec![1, 2, 3];
    left.retain(|&other| other != first);
    let second = drawn(3, 1, &left);
    left.retain(|&other| other != second);
    let (seen, trace) = stage.tick();
    assert_eq!(visited(&trace), [0, first, second, left[0]]);
    assert_eq!(seen.root, F, "none is left");
    // A fresh order.
    let again = drawn(4, 0, &[1, 2, 3]);
    let (seen, trace) = stage.tick();
    assert_eq!((seen.root, visited(&trace)), (R, vec![0, again]));
}

#[test]
fn c2_what_is_over_is_remembered_until_the_round_is_halted() {
    let tree = tree(random_sequence([task("a"), task("b")]));
    let first = drawn(1, 0, &[1, 2]);
    let second = 3 - first;
    // Whoever comes first succeeds at once, the other runs.
    let letters = |index| if index == first { "SSS" } else { "RRR" };
    let answers = [("a", letters(1)), ("b", letters(2))];
    let mut stage = Stage::new(&tree, &answers);
    stage.actor = Reference::new(&tree).with_identity(SEED, ACTOR);
    let (seen, trace) = stage.tick();
    assert_eq!(visited(&trace), [0, first, second]);
    let over = ORDER_BASE + (1 << (first - 1));
    let expected = vec![(0, u64::from(second)), (0, over), (second, RUNS)];
    assert_eq!(seen.state, expected);
    let (seen, trace) = stage.tick();
    assert_eq!(visited(&trace), [0, second], "it resumes");
    assert_eq!(seen.state, expected);
    stage.release(Leave::Unload, &[]);
    assert_eq!(stage.actor.state(), []);
}
