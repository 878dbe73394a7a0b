//! Pages of decorators.

use pleach_shape::Op;

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        op: Some(Op::Invert),
        compound: None,
        usage: "invert { node }",
        does: "Swaps Success and Failure of its child.",
        rules: &["D1"],
        example: r#"tree "guard" {
    sequence {
        invert { query "can_see"; }
        action "search"
    }
}
"#,
        answers: &[
            ("Success", "when the child fails"),
            ("Failure", "when the child succeeds"),
            ("Running", "while the child runs"),
        ],
        keeps: "nothing of its own",
        differs: &[
            ("BehaviorTree.CPP", "the same (Inverter)"),
            ("py_trees", "the same (Inverter)"),
            ("Unreal", "a flag of conditions"),
        ],
    },
    Entry {
        op: Some(Op::Succeeder),
        compound: None,
        usage: "succeeder { node }",
        does: "Success once its child has finished, however it ended. For steps that may fail without stopping a sequence.",
        rules: &["D1"],
        example: r#"tree "smith" {
    sequence {
        succeeder { action "greet_customer"; }
        action "forge"
    }
}
"#,
        answers: &[
            ("Success", "when the child has finished"),
            ("Running", "while the child runs"),
        ],
        keeps: "nothing of its own",
        differs: &[
            ("BehaviorTree.CPP", "the same (ForceSuccess)"),
            ("py_trees", "the same (FailureIsSuccess)"),
            ("Unreal", "the same (Force Success)"),
        ],
    },
    Entry {
        op: Some(Op::Failer),
        compound: None,
        usage: "failer { node }",
        does: "Failure once its child has finished, however it ended. For something to do on the way to the next choice of a selector.",
        rules: &["D1"],
        example: r#"tree "scout" {
    blackboard { lost bool; }
    selector {
        failer { set "lost" #true; }
        action "find_path"
    }
}
"#,
        answers: &[
            ("Failure", "when the child has finished"),
            ("Running", "while the child runs"),
        ],
        keeps: "nothing of its own",
        differs: &[
            ("BehaviorTree.CPP", "the same (ForceFailure)"),
            ("py_trees", "the same (SuccessIsFailure)"),
            ("Unreal", "none"),
        ],
    },
    Entry {
        op: Some(Op::Repeat),
        compound: None,
        usage: "repeat [TIMES] [break-on-failure=#false] { node }",
        does: "Runs its child so many times, or for ever without a number; at most one iteration a tick. A failure of the child ends it, unless break-on-failure is #false: then a failure counts as an iteration like any other.",
        rules: &["D2", "T1", "T4"],
        example: r#"tree "lumberjack" {
    sequence {
        repeat 3 { action "chop"; }
        action "carry_home"
    }
}
"#,
        answers: &[
            ("Success", "in the tick in which the last iteration ends"),
            (
                "Failure",
                "when the child fails, unless break-on-failure=#false",
            ),
            ("Running", "until then, also between two iterations"),
        ],
        keeps: "how many iterations are done; a halted loop begins at 0",
        differs: &[
            (
                "BehaviorTree.CPP",
                "all iterations within one tick, if the child does not run",
            ),
            (
                "py_trees",
                "the same; with 0 the child is visited, here 0 is refused",
            ),
            ("Unreal", "Loop: a new iteration when the search comes back"),
        ],
    },
    Entry {
        op: Some(Op::RepeatUntilFailure),
        compound: None,
        usage: "repeat-until-failure [MAX] { node }",
        does: "Repeats its child until that fails, and then fails as well; at most one iteration a tick. With a number it succeeds after so many successes.",
        rules: &["D2", "T1", "T4"],
        example: r#"tree "miner" {
    succeeder {
        repeat-until-failure { action "dig"; }
    }
}
"#,
        answers: &[
            (
                "Success",
                "after MAX successes of the child; never without a number",
            ),
            ("Failure", "when the child fails"),
            ("Running", "until then, also between two iterations"),
        ],
        keeps: "how many successes there were; a halted loop begins at 0",
        differs: &[
            (
                "BehaviorTree.CPP",
                "KeepRunningUntilFailure, without a number",
            ),
            ("py_trees", "none; an Inverter in a Retry"),
            ("LimboAI", "succeeds where the child fails"),
        ],
    },
    Entry {
        op: Some(Op::RepeatUntilSuccess),
        compound: None,
        usage: "repeat-until-success [MAX] { node }",
        does: "Repeats its child until that succeeds; at most one attempt a tick. With a number it gives up, and fails, after so many failures. Also written `retry`.",
        rules: &["D2", "T1", "T4"],
        example: r#"tree "burglar" {
    // `retry 3 { … }` is the same.
    repeat-until-success 3 {
        action "pick_lock"
    }
}
"#,
        answers: &[
            ("Success", "when the child succeeds"),
            (
                "Failure",
                "after MAX failures of the child; never without a number",
            ),
            ("Running", "until then, also between two attempts"),
        ],
        keeps: "how many failures there were; a halted loop begins at 0",
        differs: &[
            (
                "BehaviorTree.CPP",
                "RetryUntilSuccessful: all attempts within one tick",
            ),
            ("py_trees", "Retry: the same"),
            ("Unreal", "none; Conditional Loop comes near"),
        ],
    },
    Entry {
        op: Some(Op::Cooldown),
        compound: None,
        usage: "cooldown SECONDS { node }",
        does: "After its child has finished, whether well or not, fails for a time without visiting it. A child that runs is never blocked, and one that is halted starts no cooldown.",
        rules: &["D3", "T4", "U4"],
        example: r#"tree "mage" {
    selector {
        cooldown 8 { action "fireball"; }
        action "staff"
    }
}
"#,
        answers: &[
            ("the child's", "when it is visited"),
            (
                "Failure",
                "while the time since the child finished is shorter than SECONDS",
            ),
        ],
        keeps: "when it may run again; persistent: outlives halts and unloading",
        differs: &[
            ("BehaviorTree.CPP", "none"),
            ("py_trees", "none"),
            ("Unreal", "starts when the node is left, also by a halt"),
            ("LimboAI", "starts on Success only, by default"),
        ],
    },
    Entry {
        op: Some(Op::Timeout),
        compound: None,
        usage: "timeout SECONDS { node }",
        does: "Gives its child a time to finish. The child is visited first, and an answer of its own wins; if it still runs when the time is up, it is halted.",
        rules: &["D4", "T3"],
        example: r#"tree "guard" {
    selector {
        timeout 5 { action "search"; }
        action "return_to_post"
    }
}
"#,
        answers: &[
            ("the child's", "when it finishes in time"),
            (
                "Failure",
                "when it still runs SECONDS after the timeout started",
            ),
            ("Running", "until then"),
        ],
        keeps: "that the child runs, and until when it may",
        differs: &[
            (
                "BehaviorTree.CPP",
                "a timer halts between ticks, then Failure without a visit",
            ),
            (
                "py_trees",
                "the same, but only when more than the time has passed",
            ),
            ("Unreal", "Time Limit: a timer aborts between ticks"),
        ],
    },
    Entry {
        op: Some(Op::Delay),
        compound: None,
        usage: "delay SECONDS { node }",
        does: "Waits, and then runs its child, in the tick in which the time is up. The tick that starts it counts nothing; once the child runs there is no delay any more.",
        rules: &["D4", "T3"],
        example: r#"tree "trap" {
    delay 0.5 { action "spring"; }
}
"#,
        answers: &[
            ("the child's", "once it is visited"),
            ("Running", "before, while the time is not up"),
        ],
        keeps: "until when it waits, or that the child runs",
        differs: &[
            ("BehaviorTree.CPP", "a timer, which also runs between ticks"),
            (
                "py_trees",
                "a Timer in a Sequence, done when more than the time has passed",
            ),
            ("Unreal", "a Wait in front, which may deviate at random"),
        ],
    },
    Entry {
        op: Some(Op::RunOnce),
        compound: None,
        usage: "run-once { node }",
        does: "Answers what its child answers until that has finished once; from then on it repeats that answer for ever, without visiting the child. A halted child has not finished.",
        rules: &["D6", "T4", "U4"],
        example: r#"tree "villager" {
    sequence {
        run-once { action "introduce_oneself"; }
        action "chat"
    }
}
"#,
        answers: &[(
            "the child's",
            "until it has finished, and the same ever after",
        )],
        keeps: "how the child ended; persistent: outlives halts and unloading",
        differs: &[
            ("BehaviorTree.CPP", "the same with then_skip=false"),
            ("py_trees", "OneShot: the same, or on success only"),
            ("Unreal", "none"),
        ],
    },
    Entry {
        op: Some(Op::When),
        compound: None,
        usage: "when \"expression\" { node }, or when=\"…\" at any node",
        does: "Starts its child only where the expression holds. While the child runs it is not judged again. As a property it is the innermost of a node's guards.",
        rules: &["D5"],
        example: r#"tree "guard" {
    blackboard { armed bool; hungry bool; }
    selector {
        when "armed" { action "attack"; }
        action "eat" when="hungry"
        action "patrol"
    }
}
"#,
        answers: &[
            ("the child's", "when it is visited"),
            (
                "Failure",
                "where the expression is false and the child does not run",
            ),
        ],
        keeps: "that the child runs",
        differs: &[
            ("BehaviorTree.CPP", "a precondition (_failureIf, negated)"),
            ("py_trees", "a condition in a Sequence with memory"),
            ("Unreal", "a Blackboard decorator that aborts None"),
        ],
    },
    Entry {
        op: Some(Op::While),
        compound: None,
        usage: "while \"expression\" { node }, or while=\"…\" at any node",
        does: "Runs its child as long as the expression holds, judged in each tick before the child. Where it does not hold, the child is not visited, and halted if it ran.",
        rules: &["D5"],
        example: r#"tree "guard" {
    blackboard { sees_player bool; }
    selector {
        while "sees_player" { action "chase"; }
        action "patrol" while="not sees_player"
    }
}
"#,
        answers: &[
            ("the child's", "while the expression holds"),
            ("Failure", "where it does not"),
        ],
        keeps: "nothing of its own",
        differs: &[
            (
                "BehaviorTree.CPP",
                "the precondition _while, which skips at the start",
            ),
            ("py_trees", "EternalGuard"),
            ("Unreal", "a Blackboard decorator that aborts Self"),
        ],
    },
    Entry {
        op: Some(Op::DoneWhen),
        compound: None,
        usage: "done-when \"expression\" { node }, or done-when=\"…\"",
        does: "Runs its child until the expression holds, judged in each tick before the child. Then that is enough: the child is halted if it ran, and the answer is Success.",
        rules: &["D5"],
        example: r#"tree "sleeper" {
    blackboard { stamina f32; }
    done-when "stamina >= 1.0" {
        action "sleep"
    }
}
"#,
        answers: &[
            ("Success", "where the expression holds"),
            ("the child's", "where it does not"),
        ],
        keeps: "nothing of its own",
        differs: &[
            (
                "BehaviorTree.CPP",
                "the precondition _successIf, at the start only",
            ),
            ("py_trees", "none"),
            ("Unreal", "none"),
        ],
    },
    Entry {
        op: Some(Op::AbortWhen),
        compound: None,
        usage: "abort-when \"expression\" { node }, or abort-when=\"…\"",
        does: "Where the expression holds, takes the actor out of the tree: whatever it runs is halted, nothing is launched, and no node above answers. It is not walked again until the host loads it. What was written to columns stays.",
        rules: &["D5", "U1"],
        example: r#"tree "soldier" {
    blackboard { dead bool; }
    sequence abort-when="dead" {
        action "march"
        action "camp"
    }
}
"#,
        answers: &[
            (
                "nothing",
                "where the expression holds: the actor has left the tree",
            ),
            ("the child's", "where it does not"),
        ],
        keeps: "nothing of its own",
        differs: &[
            ("BehaviorTree.CPP", "none; haltTree from outside"),
            ("py_trees", "none; interrupt from outside"),
            ("Unreal", "Stop Logic from outside"),
        ],
    },
];
