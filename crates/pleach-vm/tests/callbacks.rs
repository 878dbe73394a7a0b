//! Tasks and queries: order, exits, panics, and nobody at home.

use std::sync::{Arc, Mutex};

use pleach_tree::{Threshold, Tree, action, parallel, query, selector, task};
use pleach_vm::{Call, Exit, Kernel, RequestKind, Status, Task};

mod crowd;

use crowd::{DT, population, requests};

#[derive(Default)]
struct Diary {
    lines: Mutex<Vec<String>>,
}

struct Scripted(Arc<Diary>, &'static str, &'static str);

impl Scripted {
    fn write(&self, what: &str) {
        self.0
            .lines
            .lock()
            .unwrap()
            .push(format!("{} {what}", self.1));
    }
}

impl Task for Scripted {
    fn enter(&self, _: &mut Call<'_>) {
        self.write("enter");
    }

    fn run(&self, call: &mut Call<'_>) -> Status {
        self.write("run");
        match self.2.as_bytes()[(call.tick() - 1) as usize % self.2.len()] {
            b'S' => Status::Success,
            b'F' => Status::Failure,
            b'P' => panic!("a task of this test panics on purpose"),
            _ => Status::Running,
        }
    }

    fn exit(&self, _: &mut Call<'_>, reason: Exit) {
        self.write(match reason {
            Exit::Success => "success",
            Exit::Failure => "failure",
            Exit::Aborted => "aborted",
        });
    }
}

#[test]
fn tasks_exit_once_for_each_enter_and_aborts_come_last() {
    for kernel in Kernel::ALL {
        let diary = Arc::new(Diary::default());
        let tree = Tree::build("t").root(parallel(
            Threshold::All,
            Threshold::Count(1),
            [task("a"), task("b"), task("c")],
        ));
        let mut population = population(tree, kernel);
        for (name, script) in [("a", "RRS"), ("b", "RFS"), ("c", "RRS")] {
            population
                .on_task(name, Scripted(diary.clone(), name, script))
                .unwrap();
        }
        let ann = population.spawn().unwrap();
        population.tick(DT);
        population.tick(DT);
        assert_eq!(population.status(ann), Ok(Some(Status::Failure)));
        assert_eq!(
            std::mem::take(&mut *diary.lines.lock().unwrap()),
            [
                "a enter",
                "a run",
                "b enter",
                "b run",
                "c enter",
                "c run", // tick 1
                "a run",
                "b run",
                "b failure",
                "c run",
                "a aborted",
                "c aborted", // tick 2
            ],
            "{kernel}"
        );
        assert_eq!(population.report().counts.tasks_aborted, 2);
        population.tick(DT);
        population.unload(ann).unwrap();
        population.tick(DT);
        assert_eq!(
            diary
                .lines
                .lock()
                .unwrap()
                .iter()
                .filter(|line| line.ends_with("success"))
                .count(),
            3
        );
    }
}

#[test]
fn a_panicking_callback_fails_and_is_listed() {
    for kernel in Kernel::ALL {
        let diary = Arc::new(Diary::default());
        let tree = Tree::build("t").root(selector([task("bad"), query("worse"), action("go")]));
        let mut population = population(tree, kernel);
        population
            .on_task("bad", Scripted(diary.clone(), "bad", "RP"))
            .unwrap();
        population
            .on_query("worse", |_| {
                panic!("a query of this test panics on purpose")
            })
            .unwrap();
        let ann = population.spawn().unwrap();
        population.tick(DT);
        population.tick(DT);
        assert_eq!(
            requests(&population),
            [("go".into(), ann, RequestKind::Launch)]
        );
        let nodes: Vec<u32> = population
            .report()
            .panics
            .iter()
            .map(|panic| panic.node.0)
            .collect();
        assert_eq!(nodes, [1, 2]);
        assert_eq!(
            *diary.lines.lock().unwrap(),
            ["bad enter", "bad run", "bad run", "bad failure"]
        );
    }
}

#[test]
fn unregistered_callbacks_fail_and_are_counted() {
    let tree = Tree::build("t").root(selector([task("nobody"), query("nothing")]));
    let mut population = population(tree, Kernel::default());
    assert_eq!(
        population.unbound().collect::<Vec<_>>(),
        ["nobody", "nothing"]
    );
    let error = population
        .on_task("nobdy", |_: &mut Call<'_>| Status::Success)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the tree calls no task named `nobdy`; it calls nobody"
    );
    population.spawn().unwrap();
    population.tick(DT);
    assert_eq!(population.report().counts.unbound_calls, 2);
}

/// Panics again when the panic's payload is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("a payload of this test panics on purpose");
    }
}

#[test]
fn a_panic_that_panics_again_stays_where_it_is() {
    let mut population = population(Tree::build("t").root(query("bomb")), Kernel::default());
    population
        .on_query("bomb", |_| std::panic::panic_any(Bomb))
        .unwrap();
    population.spawn_many(3).unwrap();
    population.tick(DT);
    let report = population.report();
    assert_eq!(
        (report.tick, report.counts.failed, report.panics.len()),
        (1, 3, 3)
    );
}
