//! Running scenarios: what figures say, and that nothing depends on kernel or threads.

use std::num::NonZeroUsize;

use pleach_sim::{Figures, Pass, Run, Scenario};
use pleach_vm::Kernel;
use proptest::prelude::*;

fn scenario(text: &str) -> Scenario {
    Scenario::parse("s.kdl", text).unwrap_or_else(|errors| panic!("{errors}"))
}

fn run(scenario: &Scenario, kernel: Kernel, threads: usize) -> Figures {
    Run::new(scenario)
        .kernel(kernel)
        .threads(NonZeroUsize::new(threads).unwrap())
        .go()
        .unwrap()
}

/// Two actors whose only action lasts three ticks.
const STEADY: &str = r#"
actors 2
warm-up 3
ticks 9
tree "t" { sequence { action "work"; succeed }; }
actions { work { lasts 3 } }
"#;

#[test]
fn figures_of_a_steady_scenario_can_be_told_by_hand() {
    // Launch, Continue, Continue, then the result: three ticks pass, and the fourth ends it. The
    // next launch is in the fifth. So of each four ticks one launches, two continue, one succeeds;
    // the warm-up has the first launch and two continues.
    let figures = run(&scenario(STEADY), Kernel::default(), 1);
    let work = &figures.actions[0];
    assert_eq!(
        (work.launches, work.continues, work.cancels),
        (2 * 2, 2 * 4, 0)
    );
    assert_eq!((work.successes, work.failures, work.errors), (2 * 3, 0, 0));
    let [sequence, action, succeed] = figures.nodes.as_slice() else {
        panic!("three nodes")
    };
    assert_eq!(
        (sequence.visits, sequence.starts, sequence.successes),
        (2 * 9, 2 * 2, 2 * 3)
    );
    assert_eq!(
        (
            action.visits,
            action.starts,
            action.successes,
            action.cancels
        ),
        (2 * 9, 2 * 2, 2 * 3, 0)
    );
    assert_eq!((succeed.visits, succeed.active_share), (2 * 3, 1.0 / 3.0));
    assert_eq!((sequence.depth, succeed.depth), (0, 1));
    assert_eq!(
        (figures.roots.succeeded, figures.roots.running),
        (2 * 3, 2 * 6)
    );
    assert!(
        figures.tick_ns.p50 <= figures.tick_ns.p99 && figures.tick_ns.p99 <= figures.tick_ns.max
    );
    assert!(figures.loop_seconds >= figures.decision_seconds && figures.decision_seconds > 0.0);
}

#[test]
fn ends_of_actions_change_columns() {
    // `count` reaches 3 by three successes of `work`, then `rest` fails once and sets it back.
    let figures = run(
        &scenario(
            r#"
        actors 1
        ticks 100
        tree "t" {
            blackboard { count u8; tired bool }
            selector {
                sequence { condition "count < 3 and not tired"; action "work" }
                sequence { condition "count == 3 and not tired"; action "rest" }
                action "sleep"
            }
        }
        columns { count { bounds 0 9 } }
        actions {
            work { on-success { add count 2; add count -1 } }
            rest { succeeds 0.0; on-failure { set tired #true; set count 0 } }
            sleep { lasts forever }
        }
    "#,
        ),
        Kernel::default(),
        1,
    );
    let launches: Vec<(&str, u64)> = figures
        .actions
        .iter()
        .map(|action| (action.name.as_str(), action.launches))
        .collect();
    assert_eq!(launches, [("work", 3), ("rest", 1), ("sleep", 1)]);
    assert_eq!(figures.actions[1].failures, 1);
    assert_eq!(
        (figures.actions[2].successes, figures.actions[2].failures),
        (0, 0)
    );
}

#[test]
fn errors_are_counted_and_are_failures_to_the_tree() {
    let figures = run(
        &scenario(
            r#"
        actors 700
        ticks 40
        tree "t" { action "work" }
        actions { work { errors 1.0 code=7 } }
    "#,
        ),
        Kernel::default(),
        2,
    );
    let work = &figures.actions[0];
    assert_eq!((work.successes, work.failures), (0, 0));
    assert_eq!((work.errors, figures.errors), (20 * 700, 20 * 700));
    assert_eq!(figures.nodes[0].failures, 20 * 700);
}

#[test]
fn stand_ins_answer_by_their_chances() {
    let figures = run(
        &scenario(
            r#"
        actors 600
        ticks 100
        tree "t" {
            parallel success="all" failure="all" {
                persistent-action "listen"
                query "armed"
                task "load"
            }
        }
        persistent { listen { succeeds 0.2; fails 0.3 } }
        queries { armed { holds 0.7 } }
        tasks { load { succeeds 0.4; fails 0.1 } }
    "#,
        ),
        Kernel::default(),
        2,
    );
    let share = |node: usize, count: u64| count as f64 / figures.nodes[node].visits as f64;
    let near =
        |found: f64, wanted: f64| assert!((found - wanted).abs() < 0.02, "{found} for {wanted}");
    near(share(1, figures.nodes[1].successes), 0.2);
    near(share(1, figures.nodes[1].failures), 0.3);
    near(share(2, figures.nodes[2].successes), 0.7);
    near(share(3, figures.nodes[3].successes), 0.4);
    near(share(3, figures.nodes[3].failures), 0.1);
}

#[test]
fn what_is_never_reached_is_called_out() {
    let figures = run(
        &scenario(
            r#"
        actors 3
        ticks 5
        tree "t" { selector { idle; action "never" name="lost" } }
    "#,
        ),
        Kernel::default(),
        1,
    );
    let lost: Vec<&str> = figures
        .never_reached()
        .map(|node| node.path.as_str())
        .collect();
    assert_eq!(lost, ["t/lost"]);
    assert_eq!(figures.undescribed, ["actions/never"]);
}

#[test]
fn progress_counts_both_passes() {
    let mut seen = Vec::new();
    let steady = scenario(STEADY);
    Run::new(&steady)
        .go_with(&mut |progress| seen.push((progress.pass, progress.done, progress.total)))
        .unwrap();
    assert_eq!(seen.len(), 24);
    assert_eq!(
        (seen[0], seen[23]),
        ((Pass::Timing, 1, 24), (Pass::Census, 24, 24))
    );
}

#[test]
fn what_would_fill_the_machine_is_refused_before_it_begins() {
    let leaves: String = (0..20_000)
        .map(|leaf| format!("action a{leaf}\n"))
        .collect();
    let huge = scenario(&format!(
        "actors 10000000\ntree \"t\" {{ parallel {{ {leaves} }} }}"
    ));
    let error = Run::new(&huge).go().unwrap_err().to_string();
    assert!(
        error.contains("allowed are 16384: run fewer of them"),
        "{error}"
    );
}

#[test]
fn seed_actors_and_ticks_change_the_hash() {
    let base = Scenario::guards().unwrap();
    let hash = |change: fn(&mut Scenario)| {
        let mut changed = base.clone();
        changed.set_ticks(5).unwrap();
        changed.set_actors(20).unwrap();
        change(&mut changed);
        run(&changed, Kernel::default(), 1).hash
    };
    let same = hash(|_| {});
    assert_eq!(same, hash(|_| {}));
    assert_ne!(same, hash(|scenario| scenario.set_seed(8)));
    assert_ne!(same, hash(|scenario| scenario.set_actors(21).unwrap()));
    assert_ne!(same, hash(|scenario| scenario.set_ticks(6).unwrap()));
    let error = base.clone().set_actors(0).unwrap_err().to_string();
    assert_eq!(
        error,
        "0 actors are out of range, allowed are 1 to 10000000"
    );
}

/// A tree over two columns, a world value and every kind of leaf that has a stand-in.
fn tree() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("condition \"x > 0\"".to_owned()),
        Just("condition \"b or w < 0.5\"".to_owned()),
        (0..3).prop_map(|action| format!("action \"a{action}\"")),
        Just("persistent-action \"p\"".to_owned()),
        Just("query \"q\"".to_owned()),
        Just("task \"k\"".to_owned()),
        Just("set \"x\" \"x - 1\"".to_owned()),
        Just("wait 0.2".to_owned()),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        let parents = [
            "sequence",
            "selector",
            "reactive-sequence",
            "reactive-selector",
            "parallel",
            "concurrent",
        ];
        let parent = proptest::sample::select(parents.to_vec());
        (parent, proptest::collection::vec(inner, 1..4))
            .prop_map(|(parent, children)| format!("{parent} {{ {} }}", children.join("; ")))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_kernel_and_no_number_of_threads_changes_the_hash(
        tree in tree(),
        actors in 1_u32..1_300,
        seed: u64,
        chance in 0.0..1.0_f64,
        longest in 1..6,
    ) {
        let name = |name: &str| tree.contains(&format!("\"{name}\""));
        let section = |section: &str, names: &[&str], text: &str| {
            let described = names.iter().filter(|known| name(known));
            let all: String = described.map(|known| format!("{known} {{ {text} }}\n")).collect();
            format!("{section} {{ {all} }}\n")
        };
        let text = format!(
            "actors {actors}\nticks 12\nwarm-up 2\nseed {seed}\n\
             tree \"t\" {{ blackboard {{ x i32; b bool }}; world {{ w f32 }}; {tree} }}\n\
             columns {{ x {{ start -2 2; walk 2 }}; b {{ start {chance}; flips {chance} }} }}\n\
             world {{ w {{ walk 0.3; bounds 0 1 }} }}\n{}{}{}{}",
            section("actions", &["a0", "a1", "a2"], &format!(
                "lasts 1 {longest}; succeeds {chance}; errors 0.05; on-failure {{ set x 3 }}"
            )),
            section("persistent", &["p"], "succeeds 0.3; fails 0.3"),
            section("tasks", &["k"], "succeeds 0.3; fails 0.3"),
            section("queries", &["q"], "holds 0.5"),
        );
        let scenario = scenario(&text);
        let expected = run(&scenario, Kernel::ALL[0], 1);
        for kernel in Kernel::ALL {
            for threads in 1..=3 {
                let found = run(&scenario, kernel, threads);
                prop_assert_eq!(found.hash, expected.hash, "{} with {} threads", kernel, threads);
                prop_assert_eq!(&found.nodes, &expected.nodes);
                prop_assert_eq!(&found.actions, &expected.actions);
            }
        }
    }
}
