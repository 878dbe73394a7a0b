//! Pages of compound nodes.

use pleach_tree::Compound;

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        op: None,
        compound: Some(Compound::KeepSequence),
        usage: "keep-sequence { nodes }",
        does: "A sequence that keeps its place: children that have succeeded are not visited again when one behind them has failed, or when it was halted, until all have succeeded.",
        rules: &["C7"],
        example: r#"tree "cook" {
    keep-sequence {
        action "break_eggs"
        action "fetch_flour"
        action "bake"
    }
}
"#,
        answers: &[
            ("Success", "when the last child succeeds"),
            (
                "Failure",
                "when a child fails; that child is the first one next time",
            ),
            ("Running", "while a child runs"),
        ],
        keeps: "how many children have succeeded, also when it is halted or unloaded",
        differs: &[
            (
                "BehaviorTree.CPP",
                "the same (SequenceWithMemory, SequenceStar)",
            ),
            ("Beehave", "the same (SequenceStar)"),
        ],
    },
    Entry {
        op: None,
        compound: Some(Compound::PipelineSequence),
        usage: "pipeline-sequence { nodes }",
        does: "Visits its children from the first each tick. One that has succeeded opens the way to the next, which from then on is visited even where earlier ones run.",
        rules: &["N1"],
        example: r#"tree "robot" {
    pipeline-sequence {
        action "plan_path"
        action "follow_path"
    }
}
"#,
        answers: &[
            ("Success", "when the last child succeeds"),
            ("Failure", "when a child fails"),
            ("Running", "otherwise"),
        ],
        keeps: "how far the way is open, while it runs",
        differs: &[("Nav2", "the same (PipelineSequence)")],
    },
    Entry {
        op: None,
        compound: Some(Compound::RoundRobin),
        usage: "round-robin { nodes }",
        does: "A selector that begins behind the child that succeeded last. Behind the last child it goes on with the first, in the next tick.",
        rules: &["N2"],
        example: r#"tree "robot" {
    round-robin {
        action "spin"
        action "wait"
        action "back_up"
    }
}
"#,
        answers: &[
            ("Success", "when a child succeeds"),
            ("Failure", "when all have failed"),
            ("Running", "while a child runs, and between two passes"),
        ],
        keeps: "where to begin next time, until it fails or is halted",
        differs: &[("Nav2", "all children within one tick (RoundRobin)")],
    },
    Entry {
        op: None,
        compound: Some(Compound::Recovery),
        usage: "recovery RETRIES { node; remedy }",
        does: "Its first child; where that fails, the second one, and then the first again, from the next tick on.",
        rules: &["N3"],
        example: r#"tree "robot" {
    recovery 6 {
        action "navigate"
        action "clear_costmap"
    }
}
"#,
        answers: &[
            ("Success", "when the first child succeeds"),
            (
                "Failure",
                "when the second fails, or has helped so many times already",
            ),
            ("Running", "otherwise"),
        ],
        keeps: "how often the second child has helped, while it runs",
        differs: &[(
            "Nav2",
            "the first child again in the same tick (RecoveryNode)",
        )],
    },
    Entry {
        op: None,
        compound: Some(Compound::RateController),
        usage: "rate-controller SECONDS { node }",
        does: "In a pipeline-sequence, but for its last child: its child when the pipeline starts, and again whenever that time has passed since it succeeded. Anywhere else it is as if it were not there.",
        rules: &["N4"],
        example: r#"tree "robot" {
    pipeline-sequence {
        rate-controller 1.0 { action "plan_path"; }
        action "follow_path"
    }
}
"#,
        answers: &[
            ("Failure", "when the child fails"),
            (
                "Running",
                "otherwise, which holds up nobody once it has succeeded",
            ),
        ],
        keeps: "the moment of the next visit, while it runs",
        differs: &[(
            "Nav2",
            "a tick earlier, and its rate in hertz (RateController)",
        )],
    },
    Entry {
        op: None,
        compound: Some(Compound::SkipIf),
        usage: "skip-if \"EXPRESSION\" { node }",
        does: "Judged when it starts: where the expression holds, the node is skipped, as if it were not there. A sequence goes on as after a success, a selector as after a failure.",
        rules: &["K1"],
        example: r#"tree "guard" {
    blackboard { home bool; }
    sequence {
        skip-if "home" { action "walk_home"; }
        action "sleep"
    }
}
"#,
        answers: &[(
            "the child's",
            "where the expression does not hold when it starts",
        )],
        keeps: "its running child",
        differs: &[("BehaviorTree.CPP", "the same (_skipIf)")],
    },
    Entry {
        op: None,
        compound: Some(Compound::SkipUnless),
        usage: "skip-unless \"EXPRESSION\" { node }",
        does: "Judged each tick: where the expression does not hold, the child is halted, and the node is skipped, as if it were not there.",
        rules: &["K1"],
        example: r#"tree "bather" {
    blackboard { warm bool; }
    sequence {
        skip-unless "warm" { action "swim"; }
        action "walk"
    }
}
"#,
        answers: &[("the child's", "as long as the expression holds")],
        keeps: "its running child",
        differs: &[("BehaviorTree.CPP", "the same (_while)")],
    },
    Entry {
        op: None,
        compound: Some(Compound::SuccessIf),
        usage: "success-if \"EXPRESSION\" { node }",
        does: "Judged when it starts: where the expression holds, Success without a visit.",
        rules: &["K2"],
        example: r#"tree "guard" {
    blackboard { open bool; }
    success-if "open" { action "open_door"; }
}
"#,
        answers: &[
            ("Success", "where the expression holds when it starts"),
            ("the child's", "otherwise"),
        ],
        keeps: "its running child",
        differs: &[("BehaviorTree.CPP", "the same (_successIf)")],
    },
    Entry {
        op: None,
        compound: Some(Compound::RunOnceThenSkip),
        usage: "run-once-then-skip { node }",
        does: "The child until it has finished once. From then on the node is skipped, as if it were not there; only reset and despawn forget that.",
        rules: &["K1"],
        example: r#"tree "host" {
    sequence {
        run-once-then-skip { action "greet"; }
        action "serve"
    }
}
"#,
        answers: &[("the child's", "until it has finished once")],
        keeps: "that it has finished, for ever",
        differs: &[("BehaviorTree.CPP", "the same (RunOnce)")],
    },
    Entry {
        op: None,
        compound: Some(Compound::OnSuccess),
        usage: "on-success COLUMN \"EXPRESSION\" { node }",
        does: "Writes a column when its child succeeds. Not when that fails, is halted or skipped.",
        rules: &["F1"],
        example: r#"tree "guard" {
    blackboard { home bool; }
    on-success "home" "true" { action "walk_home"; }
}
"#,
        answers: &[("the child's", "always")],
        keeps: "its running child",
        differs: &[("BehaviorTree.CPP", "the same (_onSuccess)")],
    },
    Entry {
        op: None,
        compound: Some(Compound::OnFailure),
        usage: "on-failure COLUMN \"EXPRESSION\" { node }",
        does: "Writes a column when its child fails. Not when that succeeds, is halted or skipped.",
        rules: &["F1"],
        example: r#"tree "thief" {
    blackboard { tried i32; }
    on-failure "tried" "tried + 1" { action "pick_lock"; }
}
"#,
        answers: &[("the child's", "always")],
        keeps: "its running child",
        differs: &[("BehaviorTree.CPP", "the same (_onFailure)")],
    },
    Entry {
        op: None,
        compound: Some(Compound::OnFinish),
        usage: "on-finish COLUMN \"EXPRESSION\" { node }",
        does: "Writes a column when its child succeeds or fails. Not when that is halted or skipped.",
        rules: &["F1"],
        example: r#"tree "runner" {
    blackboard { rounds i32; }
    on-finish "rounds" "rounds + 1" { action "run_a_round"; }
}
"#,
        answers: &[("the child's", "always")],
        keeps: "its running child",
        differs: &[("BehaviorTree.CPP", "the same (_post)")],
    },
    Entry {
        op: None,
        compound: Some(Compound::OnHalted),
        usage: "on-halted COLUMN \"EXPRESSION\" { node }",
        does: "Writes a column when its child runs and is halted, behind all visits of the tick. Not when that finishes or is skipped.",
        rules: &["F2"],
        example: r#"tree "dwarf" {
    blackboard {
        lamp bool #true
        awake bool #true
    }
    while "awake" {
        on-halted "lamp" "false" { action "mine"; }
    }
}
"#,
        answers: &[("the child's", "always")],
        keeps: "its running child",
        differs: &[(
            "BehaviorTree.CPP",
            "at once, when the halt happens (_onHalted)",
        )],
    },
];
