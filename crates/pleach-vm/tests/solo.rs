//! One actor by itself does what it does in a population, and its callee's panics cost nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pleach_tree::{
    NodeDef, Threshold, Tree, abort_when, action, case, compile, concurrent, condition, cooldown,
    delay, done_when, failer, idle, if_then, if_then_else, invert, keep_sequence, on_failure,
    on_finish, on_halted, on_success, otherwise, parallel, persistent_action, pipeline_sequence,
    query, random_selector, random_sequence, rate_controller, reactive_selector, reactive_sequence,
    recovery, repeat, repeat_regardless, repeat_until_failure, repeat_until_success, round_robin,
    run_once, run_once_then_skip, run_while, selector, sequence, set, skip_if, skip_unless,
    succeeder, success_if, switch, task, timeout, wait, wait_between, when, while_do,
    while_do_else,
};
use pleach_vm::random::{below, draw};
use pleach_vm::{Call, Callee, Exit, Kernel, Population, Solo, SoloCall, SoloTree, Status, Task};

const DT: Duration = Duration::from_millis(100);

/// A callback: node, tick, which one.
type Entry = (u32, u64, &'static str);

fn exit_name(reason: Exit) -> &'static str {
    match reason {
        Exit::Success => "success",
        Exit::Failure => "failure",
        Exit::Aborted => "aborted",
    }
}

/// What a task or query answers, from its node and the tick.
fn answer(script: u64, node: u32, tick: u64) -> Status {
    match draw(script, tick, node, 0) % 4 {
        0 => Status::Success,
        1 => Status::Failure,
        _ => Status::Running,
    }
}

/// Whether a callback panics: about one in a hundred, if any do.
fn panics(script: u64, what: u64, node: u32, tick: u64) -> bool {
    script % 2 == 1 && draw(script, tick, node, what).is_multiple_of(100)
}

/// The scripted callee, as a population's callbacks see it.
struct Scripted {
    script: u64,
    log: Arc<Mutex<Vec<Entry>>>,
}

impl Scripted {
    fn note(&self, node: u32, tick: u64, what: &'static str) {
        let mut log = self.log.lock().unwrap_or_else(|error| error.into_inner());
        log.push((node, tick, what));
    }

    fn query(&self, node: u32, tick: u64) -> bool {
        self.note(node, tick, "query");
        if panics(self.script, 1, node, tick) {
            std::panic::resume_unwind(Box::new((node, "query")));
        }
        answer(self.script, node, tick) == Status::Success
    }

    fn enter(&self, node: u32, tick: u64) {
        self.note(node, tick, "enter");
        if panics(self.script, 2, node, tick) {
            std::panic::resume_unwind(Box::new((node, "enter")));
        }
    }

    fn run(&self, node: u32, tick: u64) -> Status {
        self.note(node, tick, "run");
        if panics(self.script, 3, node, tick) {
            std::panic::resume_unwind(Box::new((node, "run")));
        }
        answer(self.script, node, tick)
    }

    fn exit(&self, node: u32, tick: u64, reason: Exit) {
        self.note(node, tick, exit_name(reason));
        if panics(self.script, 4, node, tick) {
            std::panic::resume_unwind(Box::new((node, "exit")));
        }
    }
}

impl Task for Scripted {
    fn enter(&self, call: &mut Call<'_>) {
        self.enter(call.node().0, call.tick());
    }

    fn run(&self, call: &mut Call<'_>) -> Status {
        self.run(call.node().0, call.tick())
    }

    fn exit(&self, call: &mut Call<'_>, reason: Exit) {
        self.exit(call.node().0, call.tick(), reason);
    }
}

/// The same for an actor by itself. It borrows the script.
struct Alone<'a>(&'a Scripted, u64);

impl Callee for Alone<'_> {
    fn query(&mut self, call: SoloCall) -> bool {
        self.0.query(call.node.0, self.1)
    }

    fn enter(&mut self, call: SoloCall) {
        self.0.enter(call.node.0, self.1);
    }

    fn run(&mut self, call: SoloCall) -> Status {
        self.0.run(call.node.0, self.1)
    }

    fn exit(&mut self, call: SoloCall, reason: Exit) {
        self.0.exit(call.node.0, self.1, reason);
    }
}

/// A random compound node around others.
fn compound(draws: &mut impl FnMut(u64) -> u64, mut children: Vec<NodeDef>) -> NodeDef {
    match draws(5) {
        0 => return keep_sequence(children),
        1 => return pipeline_sequence(children),
        2 => return round_robin(children),
        _ => {}
    }
    let child = children.swap_remove(0);
    match draws(10) {
        0 => on_success(child, "n", "n + 3"),
        1 => on_failure(child, "n", "n - 2"),
        2 => on_finish(child, "flag", "not flag"),
        3 | 4 => on_halted(child, "n", "n * 2"),
        5 => skip_if(child, "n > 5"),
        6 => skip_unless(child, "n < 7"),
        7 => success_if(child, "flag"),
        8 => run_once_then_skip(child),
        _ => pipeline_sequence([
            rate_controller(child, DT * draws(4) as u32),
            recovery(grow(draws, 2, true), grow(draws, 2, true), draws(3) as u32),
        ]),
    }
}

/// A random definition of about that many nodes, with compound ones or without.
fn grow(draws: &mut impl FnMut(u64) -> u64, nodes: u64, compounds: bool) -> NodeDef {
    if nodes <= 1 {
        return match draws(11) {
            0 => condition("n > 3 or flag"),
            1 => set("n", "n * 7 - 5"),
            2 => set("flag", "not flag"),
            3 => wait(DT * draws(4) as u32),
            4 | 5 => query("asks"),
            6 => idle(),
            7 => {
                let min = DT * draws(3) as u32;
                wait_between(min, min + DT * draws(4) as u32)
            }
            _ => task("works"),
        };
    }
    if draws(3) == 0 {
        let child = grow(draws, nodes - 1, compounds);
        let time = DT * draws(6) as u32;
        return match draws(16) {
            0 => invert(child),
            1 => succeeder(child),
            2 => failer(child),
            3 => repeat(child, 1 + draws(4) as u32),
            4 => repeat(child, None),
            5 => repeat_regardless(child, 1 + draws(4) as u32),
            6 => repeat_until_failure(child, 1 + draws(4) as u32),
            7 => repeat_until_success(child, None),
            8 => cooldown(child, time),
            9 => timeout(child, time),
            10 => delay(child, time),
            11 => run_once(child),
            12 => when(child, "n > 0"),
            13 => run_while(child, "n > -100"),
            14 => done_when(child, "n > 1000"),
            _ => abort_when(child, "flag and n > 50"),
        };
    }
    let count = 1 + draws(4.min(nodes));
    let mut children: Vec<NodeDef> = (0..count)
        .map(|_| grow(draws, (nodes - 1) / count, compounds))
        .collect();
    if compounds && draws(2) == 0 {
        return compound(draws, children);
    }
    match draws(11) {
        0 => sequence(children),
        1 => selector(children),
        2 => reactive_sequence(children),
        3 => reactive_selector(children),
        4 => concurrent(children),
        5 => random_sequence(children),
        6 => random_selector(children),
        7 => {
            let last = otherwise(grow(draws, 1, compounds));
            let cases = children.into_iter().enumerate();
            let cases = cases.map(|(value, child)| case(value as i32, child));
            switch("n", cases.chain([last]))
        }
        8 | 9 => {
            children.truncate(3);
            let reacts = draws(2) == 0;
            match (reacts, <[NodeDef; 3]>::try_from(children)) {
                (true, Ok([test, body, other])) => while_do_else(test, body, other),
                (false, Ok([test, body, other])) => if_then_else(test, body, other),
                (true, Err(_)) => while_do(query("asks"), grow(draws, 2, compounds)),
                (false, Err(_)) => if_then(task("works"), grow(draws, 2, compounds)),
            }
        }
        _ => {
            let [success, failure] = [0, 1].map(|_| Threshold::Count(1 + draws(count) as u32));
            // Where children may be skipped, a number of them is not to be had (K3).
            let success = if compounds { Threshold::All } else { success };
            parallel(success, failure, children)
        }
    }
}

/// Whether a seed's tree has compound nodes.
fn has_compounds(seed: u64) -> bool {
    seed % 4 >= 2
}

fn random_tree(seed: u64) -> Tree {
    let mut number = 0;
    let mut draws = |bound| {
        number += 1;
        below(draw(seed, 0, 0, number), bound)
    };
    let nodes = 2 + draws(40);
    let root = grow(&mut draws, nodes, has_compounds(seed));
    Tree::build("random")
        .column("n", 1_i32)
        .column("flag", false)
        .root(root)
}

#[test]
fn alone_and_in_a_population_an_actor_does_the_same() {
    const TICKS: u64 = 60;
    let mut aborts = 0;
    for seed in 0..1_600 {
        let tree = random_tree(seed);
        let shape = compile(&tree).expect("compiles");
        let script = |log: &Arc<_>| Scripted {
            script: seed,
            log: Arc::clone(log),
        };

        let crowd_log = Arc::default();
        let mut crowd = Population::new(shape.clone()).with_kernel(Kernel::PureStream);
        crowd.on_task("works", script(&crowd_log)).ok();
        let asks = script(&crowd_log);
        crowd
            .on_query("asks", move |call| asks.query(call.node().0, call.tick()))
            .ok();
        let actor = crowd.spawn().expect("memory");

        let solo_log = Arc::default();
        let callee = script(&solo_log);
        let mut solo = Solo::new(&SoloTree::new(shape).expect("no actions"), 0).expect("memory");

        let n = crowd.column::<i32>("n").expect("declared");
        let flag = crowd.column::<bool>("flag").expect("declared");
        let mut reset_panicked = false;
        for tick in 1..=TICKS {
            // D5: who was taken out of the tree is loaded again; alone, the tick does that.
            crowd.load(actor).expect("it lives");
            crowd.tick(DT);
            aborts += u32::from(crowd.status(actor) == Ok(None));
            let result = catch_unwind(AssertUnwindSafe(|| {
                solo.tick(DT, &mut Alone(&callee, tick))
            }));
            assert_eq!(solo.status(), crowd.status(actor).expect("it lives"));
            let panics = &crowd.report().panics;
            let panicked = match result {
                Ok(status) => {
                    assert_eq!(status, solo.status());
                    None
                }
                Err(payload) => payload.downcast_ref::<(u32, &str)>().copied(),
            };
            // A population aborts with its next tick what is to be reset.
            assert_eq!(panicked.is_some() || reset_panicked, !panics.is_empty());
            if let Some((node, _)) = panicked {
                assert!(panics.iter().any(|panic| panic.node.0 == node));
            }
            reset_panicked = false;
            let [of_crowd, of_solo] = [&crowd_log, &solo_log].map(|log: &Arc<Mutex<_>>| {
                let mut log = log.lock().unwrap_or_else(|error| error.into_inner());
                std::mem::take::<Vec<Entry>>(&mut *log)
            });
            assert_eq!(of_solo, of_crowd, "seed {seed}, tick {tick}");
            // Columns outlive a population's reset, and not that of one alone. (So what is written by the
            // reset itself, too.)
            if tick % 20 == 0 && !has_compounds(seed) {
                crowd.set(actor, n, 1).expect("it lives");
                crowd.set(actor, flag, false).expect("it lives");
                crowd.reset(actor).expect("it lives");
                let mut next = Alone(&callee, tick + 1);
                let reset = catch_unwind(AssertUnwindSafe(|| solo.reset(&mut next)));
                reset_panicked = reset.is_err();
                assert_eq!(solo.status(), None);
            }
        }
    }
    assert!(aborts > 100, "{aborts}");
}

/// Runs for ever and counts.
#[derive(Default)]
struct Runs {
    enters: u32,
    exits: Vec<(u32, Exit)>,
    dts: Vec<Duration>,
}

impl Callee for Runs {
    fn query(&mut self, _: SoloCall) -> bool {
        true
    }

    fn enter(&mut self, _: SoloCall) {
        self.enters += 1;
    }

    fn run(&mut self, call: SoloCall) -> Status {
        self.dts.push(call.dt);
        Status::Running
    }

    fn exit(&mut self, call: SoloCall, reason: Exit) {
        assert_eq!(call.dt, Duration::ZERO);
        self.exits.push((call.node.0, reason));
    }
}

fn solo(root: NodeDef) -> Solo {
    let shape = compile(&Tree::build("t").root(root)).expect("compiles");
    Solo::new(&SoloTree::new(shape).expect("no actions"), 0).expect("memory")
}

#[test]
fn a_reset_aborts_in_stream_order_at_once() {
    let mut solo = solo(parallel(
        Threshold::All,
        Threshold::All,
        [task("a"), invert(task("b")), task("a")],
    ));
    let mut runs = Runs::default();
    solo.reset(&mut runs);
    assert_eq!((runs.enters, solo.status()), (0, None));
    assert_eq!(solo.tick(DT, &mut runs), Some(Status::Running));
    solo.reset(&mut runs);
    let exits = [1, 3, 4].map(|node| (node, Exit::Aborted));
    assert_eq!((runs.enters, solo.status()), (3, None));
    assert_eq!(runs.exits, exits);
    // Nothing runs any more.
    solo.reset(&mut runs);
    assert_eq!(runs.exits, exits);
    solo.tick(DT * 3, &mut runs);
    assert_eq!(runs.enters, 6);
    assert_eq!(runs.dts, [DT, DT, DT, DT * 3, DT * 3, DT * 3]);
}

#[test]
fn waits_count_whole_microseconds_however_far_the_clock_is() {
    let mut solo = solo(wait(Duration::from_micros(5)));
    let mut runs = Runs::default();
    for far in [0, 1 << 20, 1 << 31, 1 << 40, u64::MAX / 4] {
        let mut tick = |micros| solo.tick(Duration::from_micros(micros), &mut runs);
        assert_eq!(tick(far), Some(Status::Running));
        assert_eq!(tick(4), Some(Status::Running));
        assert_eq!(tick(1), Some(Status::Success));
    }
    // The end of time: the clock stands still, and all waits are over.
    solo.tick(Duration::MAX, &mut runs);
    assert_eq!(solo.tick(Duration::ZERO, &mut runs), Some(Status::Success));
}

#[test]
fn deadlines_of_all_widths_stay_apart() {
    // Each of them is longer than the one before, from 1 s to more than a year.
    let times: Vec<Duration> = (0..26)
        .map(|power| Duration::from_secs(1 << power))
        .collect();
    let waits = times
        .iter()
        .map(|&time| sequence([wait(time), task("over")]));
    let mut solo = solo(parallel(Threshold::All, Threshold::All, waits));
    let mut runs = Runs::default();
    solo.tick(DT, &mut runs);
    let mut passed = Duration::ZERO;
    for step in times.iter().map(|&time| time / 3).cycle() {
        passed += step;
        solo.tick(step, &mut runs);
        let over = times.iter().filter(|&&time| time <= passed).count();
        assert_eq!(runs.enters as usize, over, "after {passed:?}");
        if over == times.len() {
            break;
        }
    }
}

#[test]
fn trees_with_actions_are_refused() {
    let tree = |leaf| Tree::build("t").root(sequence([task("a"), leaf]));
    for (leaf, path) in [
        (action("walk"), "t/action-2"),
        (persistent_action("walk"), "t/persistent-action-2"),
    ] {
        let error = SoloTree::new(compile(&tree(leaf)).expect("compiles")).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "{path}: action `walk` would wait for a system for ever; allowed are tasks: use one \
                 in its place, or a population"
            )
        );
    }
}

#[test]
fn progress_moves_between_threads_and_says_what_it_takes() {
    let solo_of = |children: Vec<NodeDef>| solo(sequence(children));
    let mut solo = solo_of(vec![task("a"), wait(DT)]);
    // Many timers take little: the block of a population has 512 deadlines for each.
    let many = solo_of((0..100).map(|_| timeout(wait(DT), 2 * DT)).collect());
    assert!(many.bytes() < 32_768, "{}", many.bytes());
    let status = std::thread::scope(|scope| {
        let ticks = scope.spawn(|| solo.tick(DT, &mut Runs::default()));
        ticks.join().expect("it does not panic")
    });
    assert_eq!(status, Some(Status::Running));
    assert_eq!(
        format!("{solo:?}"),
        "one actor of tree \"t\", 3 nodes, 1 ticks, Running"
    );
}
