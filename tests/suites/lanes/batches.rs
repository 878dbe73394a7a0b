//! Batch calls: once a block and node under lanes, with exactly who visits; one actor at a time
//! elsewhere; the same results everywhere.

use std::sync::{Arc, Mutex};

use pleach_shape::Status;
use pleach_tree::{condition, fail, query, reactive_selector, selector, sequence, task};
use pleach_vm::{Answers, Batch, Call, Exit, Kernel, Plane, Population, Task};

use crate::crowd::{DT, Glance, Way, glances, population, ways};

/// Who was called together: kind, node, block, lanes.
type Calls = Arc<Mutex<Vec<(&'static str, u32, usize, Plane)>>>;

fn together(calls: &Calls, what: &'static str, batch: &Batch<'_>) {
    let block = batch.actor(0).block();
    let mut calls = calls.lock().expect("no panics here");
    calls.push((what, batch.node().0, block, batch.lanes()));
}

/// What a task answers an actor in a tick, and how often it was run: all from its column.
fn answer(count: i32, tick: u64) -> Status {
    match (count as u64 + tick) % 4 {
        0 => Status::Success,
        1 => Status::Failure,
        _ => Status::Running,
    }
}

/// Computes a column, and its answers from it, for all lanes at once.
struct Columnwise {
    calls: Calls,
    key: pleach_vm::ColumnKey<i32>,
    /// Whether it answers for everybody, whoever asked.
    babbles: bool,
}

impl Task for Columnwise {
    fn run(&self, call: &mut Call<'_>) -> Status {
        let count = call.get(self.key).expect("its key") + 1;
        call.set(self.key, count);
        answer(count, call.tick())
    }

    fn run_batch(&self, batch: &mut Batch<'_>) -> Answers {
        together(&self.calls, "task", batch);
        let (lanes, tick) = (batch.lanes(), batch.tick());
        let mut answers = Answers::default();
        if self.babbles {
            answers.success = !lanes;
            answers.failure = Plane::FULL;
        }
        let values = batch.values_mut(self.key).expect("its key");
        for lane in lanes.lanes() {
            values[lane] += 1;
            let answer = answer(values[lane], tick);
            answers.success.put(lane, answer == Status::Success);
            let fails = answer == Status::Failure || (self.babbles && answer == Status::Success);
            answers.failure.put(lane, fails);
        }
        answers
    }
}

/// A crowd on a tree that calls a query and, if that holds or not, one of two tasks.
fn crowd(way: Way, babbles: bool, batches: bool) -> (Population, Calls) {
    let root = reactive_selector([
        sequence([query("even"), condition("count < 40"), task("work")]),
        sequence([condition("flag"), task("work")]),
        task("work"),
    ]);
    let mut population = population(root, way);
    let key = population.column::<i32>("count").expect("declared");
    let calls = Calls::default();
    let work = Columnwise {
        calls: calls.clone(),
        key,
        babbles,
    };
    if batches {
        population.on_task("work", work).expect("the tree does");
        let notes = calls.clone();
        let even = move |batch: &mut Batch<'_>| {
            together(&notes, "query", batch);
            let mut holds = if babbles {
                !batch.lanes()
            } else {
                Plane::EMPTY
            };
            let values = batch.values(key).expect("its key");
            for lane in batch.lanes().lanes() {
                holds.put(lane, values[lane] % 2 == 0);
            }
            holds
        };
        population
            .on_query_batch("even", even)
            .expect("the tree does");
    } else {
        let one_by_one = move |call: &mut Call<'_>| work.run(call);
        population
            .on_task("work", one_by_one)
            .expect("the tree does");
        let even = move |call: &mut Call<'_>| call.get(key).expect("its key") % 2 == 0;
        population.on_query("even", even).expect("the tree does");
    }
    (population, calls)
}

fn play(way: Way, babbles: bool, batches: bool) -> (Vec<Vec<Glance>>, Vec<Vec<CallOf>>) {
    let (mut population, calls) = crowd(way, babbles, batches);
    let flag = population.column::<bool>("flag").expect("declared");
    let count = population.column::<i32>("count").expect("declared");
    let actors = population.spawn_many(700).expect("memory");
    for (place, &actor) in (0i32..).zip(&actors) {
        let set = population.set(actor, flag, place % 5 == 0);
        set.expect("its key");
        population.set(actor, count, place % 37).expect("its key");
    }
    let mut all = Vec::new();
    let mut called = Vec::new();
    for tick in 0..12 {
        way.prepare(&mut population, tick);
        if tick == 5 {
            population.unload(actors[600]).expect("it lives");
        }
        population.tick(DT);
        all.push(glances(&population, &actors));
        // Blocks come in any order.
        let mut calls = calls.lock().expect("no panics here");
        calls.sort_by_key(|&(what, node, block, lanes)| (what, node, block, lanes.lanes().next()));
        called.push(calls.drain(..).collect());
    }
    (all, called)
}

type CallOf = (&'static str, u32, usize, Plane);

#[test]
fn batches_answer_as_calls_do_in_every_kernel() {
    let (expected, _) = play(Way::of(Kernel::TraversalStack), false, false);
    for way in ways() {
        for babbles in [false, true] {
            let (found, _) = play(way, babbles, true);
            for (tick, (found, expected)) in found.iter().zip(&expected).enumerate() {
                for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
                    let tell = format!("{way:?}, babbles {babbles}, tick {tick}, place {place}");
                    assert_eq!(found, expected, "{tell}");
                }
            }
        }
    }
}

/// Lanes call once for everybody that a walk would call for; walks never call a task as a batch.
#[test]
fn a_batch_is_who_visits() {
    let (_, walked) = play(Way::of(Kernel::PureStream), false, true);
    let (_, stacked) = play(Way::of(Kernel::TraversalStack), false, true);
    assert!(walked == stacked);
    for way in ways()
        .into_iter()
        .filter(|way| way.kernel == Kernel::Lanes && !way.changes)
    {
        let (_, swept) = play(way, false, true);
        let mut sizes = 0;
        for (tick, (swept, walked)) in swept.iter().zip(&walked).enumerate() {
            let mut places: Vec<(&str, u32, usize)> = Vec::new();
            for &(what, node, block, lanes) in swept {
                assert!(!lanes.is_empty());
                // 700 of them, of which one is out in the end.
                let outside = if block == 0 { 512 } else { 700 - 512 };
                assert!((lanes & !Plane::first(outside)).is_empty());
                assert!(tick < 5 || block == 0 || !lanes.get(600 - 512));
                assert!(!places.contains(&(what, node, block)), "called twice");
                places.push((what, node, block));
                sizes += lanes.count();
                if what == "query" {
                    let of_block =
                        |&&(of, at, within, _): &&CallOf| (of, at, within) == (what, node, block);
                    let mut expected = Plane::EMPTY;
                    for (.., lane) in walked.iter().filter(of_block) {
                        assert_eq!(lane.count(), 1);
                        expected |= *lane;
                    }
                    assert_eq!(lanes, expected, "tick {tick}, node {node}, block {block}");
                }
            }
            assert!(places.len() <= 8, "two blocks, four nodes");
        }
        assert!(sizes > 10_000, "{sizes}");
        assert!(walked.iter().flatten().all(|(what, ..)| *what == "query"));
    }
}

/// L4 for each actor: what it enters it runs, and what it runs it leaves, once.
#[test]
fn enter_run_and_exit_come_in_order_for_each_actor() {
    struct Scribe(Arc<Mutex<Vec<Vec<String>>>>);

    impl Scribe {
        fn note(&self, call: &Call<'_>, what: String) {
            let mut notes = self.0.lock().expect("no panics here");
            notes[call.actor().index() as usize].push(what);
        }
    }

    impl Task for Scribe {
        fn enter(&self, call: &mut Call<'_>) {
            self.note(call, format!("enter {}", call.node()));
        }

        fn run(&self, call: &mut Call<'_>) -> Status {
            self.note(call, format!("run {}", call.node()));
            match call.random(0) % 5 {
                0 => Status::Success,
                1 => Status::Failure,
                _ => Status::Running,
            }
        }

        fn exit(&self, call: &mut Call<'_>, reason: Exit) {
            self.note(call, format!("exit {} {reason:?}", call.node()));
        }
    }

    let run = |way: Way| {
        let root = reactive_selector([
            sequence([condition("flag"), task("t"), task("t")]),
            selector([task("t"), sequence([task("t"), fail()])]),
            task("t"),
        ]);
        let mut population = population(root, way);
        let notes: Arc<Mutex<Vec<Vec<String>>>> = Arc::new(Mutex::new(vec![Vec::new(); 530]));
        population
            .on_task("t", Scribe(notes.clone()))
            .expect("the tree does");
        let flag = population.column::<bool>("flag").expect("declared");
        let actors = population.spawn_many(530).expect("memory");
        for tick in 0..20u64 {
            way.prepare(&mut population, tick);
            for (place, &actor) in (0u64..).zip(&actors) {
                let danger = (tick * 7 + place * 3) % 11 < 4;
                population.set(actor, flag, danger).expect("its key");
            }
            population.tick(DT);
        }

        notes.lock().expect("no panics here").clone()
    };
    let expected = run(Way::of(Kernel::PureStream));
    let aborted = expected
        .iter()
        .flatten()
        .filter(|note| note.ends_with("Aborted"));
    assert!(aborted.count() > 500);
    for way in ways() {
        for (place, (found, expected)) in run(way).iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "{way:?}, place {place}");
        }
    }
}
