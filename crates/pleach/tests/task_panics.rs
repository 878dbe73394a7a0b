//! Closures that panic: the tick is completed, then the first panic goes on, and nothing is lost.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Duration;

use pleach::task::{Exit, NodeDef, Progress, Status, Tree, condition, parallel, selector, task};

/// What happened, and which closure is to panic next.
#[derive(Default)]
struct Board {
    diary: Vec<String>,
    bomb: &'static str,
}

impl Board {
    /// Notes a call, and panics with its name if that is asked for. (Without the panic's message.)
    fn note(&mut self, what: &str) {
        self.diary.push(what.into());
        if self.bomb == what {
            resume_unwind(Box::new(what.to_owned()));
        }
    }
}

fn noted(name: &'static str, answer: Status) -> NodeDef<'static, (), Board> {
    task(move |_: &mut (), board: &mut Board, _| {
        board.note(&format!("{name} run"));
        answer
    })
    .on_enter(move |_, board| board.note(&format!("{name} enter")))
    .on_exit(move |_, board, reason| board.note(&format!("{name} {reason:?}")))
}

struct Scene {
    tree: Tree<'static, (), Board>,
    progress: Progress,
    board: Board,
}

impl Scene {
    fn new(def: NodeDef<'static, (), Board>) -> Scene {
        Scene {
            tree: Tree::compile(def).expect("nothing is wrong with it"),
            progress: Progress::default(),
            board: Board::default(),
        }
    }

    /// Ticks; gives what it panicked with, or its status, and what happened.
    fn tick(&mut self, bomb: &'static str) -> (Result<Status, String>, String) {
        self.with(bomb, |tree, progress, board| {
            tree.tick(progress, &mut (), board, Duration::ZERO)
        })
    }

    fn with<R>(
        &mut self,
        bomb: &'static str,
        act: impl FnOnce(&Tree<'static, (), Board>, &mut Progress, &mut Board) -> R,
    ) -> (Result<R, String>, String) {
        self.board.bomb = bomb;
        let Scene {
            tree,
            progress,
            board,
        } = self;
        let result = catch_unwind(AssertUnwindSafe(|| act(tree, progress, board)));
        let result = result.map_err(|payload| *payload.downcast().expect("the closure's own"));
        (result, std::mem::take(&mut self.board.diary).join(", "))
    }
}

fn panicked(with: &str, diary: &str) -> (Result<Status, String>, String) {
    (Err(with.into()), diary.into())
}

#[test]
fn a_condition_that_panics_does_not_hold() {
    let asks = condition(|_: &mut (), board: &mut Board| {
        board.note("ask");
        true
    });
    let mut scene = Scene::new(selector([asks, noted("else", Status::Running)]));
    assert_eq!(
        scene.tick("ask"),
        panicked("ask", "ask, else enter, else run")
    );
    assert_eq!(scene.progress.last_status(), Some(Status::Running));
    // Usable: now it holds, and what ran is aborted.
    let (status, diary) = scene.tick("");
    assert_eq!(
        (status, diary.as_str()),
        (Ok(Status::Success), "ask, else Aborted")
    );
}

#[test]
fn an_enter_that_panics_has_not_entered() {
    let mut scene = Scene::new(noted("a", Status::Running));
    assert_eq!(scene.tick("a enter"), panicked("a enter", "a enter"));
    assert_eq!(scene.progress.last_status(), Some(Status::Failure));
    let (status, diary) = scene.tick("");
    assert_eq!(
        (status, diary.as_str()),
        (Ok(Status::Running), "a enter, a run")
    );
}

#[test]
fn a_run_that_panics_has_failed_and_exits() {
    let mut scene = Scene::new(noted("a", Status::Running));
    assert_eq!(
        scene.tick("a run"),
        panicked("a run", "a enter, a run, a Failure")
    );
    assert_eq!(scene.tick("").1, "a enter, a run");
    assert_eq!(scene.tick("a run"), panicked("a run", "a run, a Failure"));
    assert_eq!(scene.progress.last_status(), Some(Status::Failure));
}

#[test]
fn an_exit_that_panics_has_exited_and_the_answer_stays() {
    let mut scene = Scene::new(noted("a", Status::Success));
    let all = "a enter, a run, a Success";
    assert_eq!(scene.tick("a Success"), panicked("a Success", all));
    assert_eq!(scene.progress.last_status(), Some(Status::Success));
    assert_eq!(scene.tick("").1, all);
}

#[test]
fn an_abort_that_panics_does_not_keep_others_from_theirs() {
    let three = || ["a", "b", "c"].map(|name| noted(name, Status::Running));
    let mut scene = Scene::new(parallel(three(), None));
    assert_eq!(scene.tick("").0, Ok(Status::Running));
    let reset = |tree: &Tree<'static, (), Board>, progress: &mut Progress, board: &mut Board| {
        tree.reset(progress, &mut (), board);
    };
    let (result, diary) = scene.with("b Aborted", reset);
    assert_eq!(result, Err("b Aborted".into()));
    assert_eq!(diary, "a Aborted, b Aborted, c Aborted");
    assert_eq!(scene.progress.last_status(), None);
    // Thrown away all the same.
    assert_eq!(scene.with("", reset), (Ok(()), String::new()));
    assert!(scene.tick("").1.starts_with("a enter"));
}

#[test]
fn of_several_panics_the_first_goes_on() {
    let panics = |name: &'static str| {
        condition(move |_: &mut (), _: &mut Board| resume_unwind(Box::new(name.to_owned())))
    };
    let mut scene = Scene::new(selector([panics("first"), panics("second")]));
    assert_eq!(scene.tick(""), panicked("first", ""));
}

#[test]
fn a_payload_that_panics_when_it_is_dropped_goes_nowhere() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            resume_unwind(Box::new("dropped"));
        }
    }
    let root = selector([
        condition(|_: &mut (), _: &mut Board| resume_unwind(Box::new("first".to_owned()))),
        condition(|_, _| resume_unwind(Box::new(Bomb))),
    ]);
    assert_eq!(Scene::new(root).tick(""), panicked("first", ""));
}

/// A tree of every node, under random scripts in which every closure may panic: each enter that did not
/// panic has exactly one exit, and a task runs only between the two.
#[test]
fn exits_balance_enters_whatever_happens() {
    use pleach::task::{
        Policy, cooldown, delay, invert, random_selector, random_sequence, repeat,
        repeat_until_failure, repeat_until_success, sequence, timeout, wait,
    };
    use pleach::vm::random::draw;

    const TASKS: usize = 14;
    let draws = Cell::new(0);
    let seed = Cell::new(0);
    let random = |bound: u64| {
        draws.set(draws.get() + 1);
        draw(seed.get(), draws.get(), 0, 0) % bound
    };
    let panics = || {
        if random(40) == 0 {
            resume_unwind(Box::new("on purpose"));
        }
    };
    let runs = RefCell::new([false; TASKS]);
    let leaf = |number: usize| {
        let (runs, panics, random) = (&runs, &panics, &random);
        task(move |_: &mut (), _: &mut u64, _| {
            assert!(runs.borrow()[number]);
            panics();
            match random(4) {
                0 => Status::Success,
                1 => Status::Failure,
                _ => Status::Running,
            }
        })
        .on_enter(move |_, _| {
            assert!(!runs.borrow()[number], "entered twice");
            panics();
            runs.borrow_mut()[number] = true;
        })
        .on_exit(move |_, exits, reason| {
            let ran = std::mem::take(&mut runs.borrow_mut()[number]);
            assert!(ran, "exit without enter");
            *exits += u64::from(reason == Exit::Aborted);
            panics();
        })
    };
    let asks = || {
        let (panics, random) = (&panics, &random);
        condition(move |_: &mut (), _: &mut u64| {
            panics();
            random(2) == 0
        })
    };
    let two = Policy {
        success: Some(2),
        failure: Some(2),
    };
    let tree = Tree::compile(selector([
        sequence([asks(), leaf(0), wait(0.1), leaf(1)]),
        parallel([leaf(2), sequence([leaf(3), invert(leaf(4))]), asks()], two),
        random_sequence([cooldown(leaf(5), 0.2), timeout(leaf(6), 0.1), leaf(7)]),
        sequence([
            delay(leaf(8), 0.05),
            repeat(leaf(9), 3, false),
            random_selector([leaf(10), repeat_until_success(leaf(11), 2)]),
        ]),
        repeat_until_failure(parallel([leaf(12), timeout(leaf(13), 0.1)], two), 5),
    ]))
    .unwrap();

    let mut aborts = 0;
    for script in 0..300 {
        seed.set(script);
        let mut progress = Progress::default();
        let mut caught = 0;
        for tick in 1..=100u64 {
            let result = catch_unwind(AssertUnwindSafe(|| {
                if tick.is_multiple_of(33) {
                    tree.reset(&mut progress, &mut (), &mut aborts);
                } else {
                    let dt = Duration::from_millis(60);
                    tree.tick(&mut progress, &mut (), &mut aborts, dt);
                }
            }));
            if let Err(payload) = result {
                // Not one of the assertions above.
                assert_eq!(payload.downcast_ref(), Some(&"on purpose"));
                caught += 1;
            }
            if tick.is_multiple_of(33) || progress.last_status() != Some(Status::Running) {
                assert_eq!(
                    *runs.borrow(),
                    [false; TASKS],
                    "script {script}, tick {tick}"
                );
            }
        }
        assert!(caught > 0);
        catch_unwind(AssertUnwindSafe(|| {
            tree.reset(&mut progress, &mut (), &mut aborts)
        }))
        .ok();
        assert_eq!(*runs.borrow(), [false; TASKS]);
    }
    assert!(aborts > 1_000, "{aborts}");
}
