//! Peers are only peers if they decide the same: all of them, every decision of every actor.

use std::time::Duration;

use pleach_benches::peers::Contest;
use pleach_sim::scenes::{Data, Scene};

fn compare(scene: Scene, data: Data, dt: Duration) {
    let mut contest = Contest::new(scene, data, 700, 1).unwrap();
    let mut sums = Vec::new();
    for tick in 0..40 {
        contest.advance(dt);
        match contest.agree() {
            Ok(sum) => sums.push(sum),
            Err(error) => panic!("{scene}, {data}, tick {tick}: {error}"),
        }
    }
    sums.dedup();
    assert!(
        data == Data::Resumed || sums.len() > 30,
        "{scene}: decisions hardly change"
    );
}

#[test]
fn guards_agree() {
    compare(Scene::Guard, Data::Divergent, Data::Divergent.dt());
    compare(Scene::Guard, Data::Resumed, Data::Resumed.dt());
}

#[test]
fn guards_agree_when_waits_end() {
    // Two seconds end in the third tick after they began, exactly in the second, and in the next.
    for millis in [700, 1_000, 3_000] {
        compare(Scene::Guard, Data::Divergent, Duration::from_millis(millis));
        compare(Scene::Guard, Data::Coherent, Duration::from_millis(millis));
    }
}

#[test]
fn rows_agree() {
    compare(Scene::Deep, Data::Divergent, Data::Divergent.dt());
}
