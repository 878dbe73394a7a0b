//! Pages of composites.

use pleach_shape::Op;

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        op: Some(Op::Sequence),
        compound: None,
        usage: "sequence { nodes }",
        does: "Does one thing after the other: visits its children in order until one fails. In the next tick it goes on at the child that was running, without asking the earlier ones again.",
        rules: &["C1"],
        example: r#"tree "guard" {
    blackboard { armed bool; }
    sequence "attack" {
        condition "armed"
        action "approach"
        action "strike"
    }
}
"#,
        answers: &[
            ("Success", "when the last child has succeeded"),
            ("Failure", "as soon as a child fails"),
            ("Running", "while a child runs"),
        ],
        keeps: "which child runs",
        differs: &[
            ("BehaviorTree.CPP", "the same"),
            (
                "py_trees",
                "the same with memory=True; without, see reactive-sequence",
            ),
            (
                "Unreal",
                "the same; observer aborts on decorators restart it",
            ),
        ],
    },
    Entry {
        op: Some(Op::Selector),
        compound: None,
        usage: "selector { nodes }",
        does: "Tries one thing after the other until one works: visits its children in order until one succeeds. In the next tick it goes on at the child that was running; for one in which earlier children can take over, see reactive-selector.",
        rules: &["C1"],
        example: r#"tree "door" {
    selector "get in" {
        action "open"
        action "unlock"
        action "kick"
    }
}
"#,
        answers: &[
            ("Success", "as soon as a child succeeds"),
            ("Failure", "when the last child has failed"),
            ("Running", "while a child runs"),
        ],
        keeps: "which child runs",
        differs: &[
            ("BehaviorTree.CPP", "the same, called Fallback"),
            ("py_trees", "the same with memory=True"),
            (
                "Unreal",
                "the same; observer aborts on decorators restart it",
            ),
        ],
    },
    Entry {
        op: Some(Op::ReactiveSequence),
        compound: None,
        usage: "reactive-sequence { nodes }",
        does: "A sequence that begins with its first child in each tick, so that conditions in front are asked again while a later child runs. Where one of them fails, the child that ran is halted.",
        rules: &["C1", "L6"],
        example: r#"tree "guard" {
    blackboard { sees_player bool; }
    reactive-sequence "chase" {
        condition "sees_player"
        action "run_after"
    }
}
"#,
        answers: &[
            ("Success", "when all children succeed in one tick"),
            ("Failure", "as soon as a child fails"),
            (
                "Running",
                "at the first child that runs; later ones are not visited",
            ),
        ],
        keeps: "nothing of its own; a child that is reached again goes on",
        differs: &[
            (
                "BehaviorTree.CPP",
                "the same, but refuses two children that run",
            ),
            ("py_trees", "Sequence with memory=False"),
            ("Unreal", "no such node: observer aborts on decorators"),
        ],
    },
    Entry {
        op: Some(Op::ReactiveSelector),
        compound: None,
        usage: "reactive-selector { nodes }",
        does: "A selector that begins with its first child in each tick: put what is most urgent first, and it takes over as soon as it can. The child that ran before is then halted.",
        rules: &["C1", "L6"],
        example: r#"tree "guard" {
    blackboard { hurt bool; sees_player bool; }
    reactive-selector {
        action "flee" when="hurt"
        action "attack" when="sees_player"
        action "patrol"
    }
}
"#,
        answers: &[
            ("Success", "as soon as a child succeeds"),
            ("Failure", "when all children fail in one tick"),
            (
                "Running",
                "at the first child that runs; later ones are not visited",
            ),
        ],
        keeps: "nothing of its own; a child that is reached again goes on",
        differs: &[
            (
                "BehaviorTree.CPP",
                "the same (ReactiveFallback), but refuses two children that run",
            ),
            ("py_trees", "Selector with memory=False"),
            ("Unreal", "no such node: observer aborts on decorators"),
        ],
    },
    Entry {
        op: Some(Op::RandomSequence),
        compound: None,
        usage: "random-sequence { nodes }",
        does: "A sequence in a random order, drawn anew whenever it starts over and kept while it runs. Every order is equally likely, and depends on nothing but the seed, the actor and the tick. It has at most 64 children.",
        rules: &["C2", "T6"],
        example: r#"tree "round" {
    random-sequence {
        action "check_gate"
        action "check_cellar"
        action "check_tower"
    }
}
"#,
        answers: &[
            ("Success", "when all children have succeeded"),
            ("Failure", "as soon as a child fails"),
            ("Running", "while a child runs"),
        ],
        keeps: "which child runs, and which have finished in this round",
        differs: &[
            ("BehaviorTree.CPP", "none built in"),
            ("py_trees", "none; shuffle the children yourself"),
            ("Unreal", "none built in"),
        ],
    },
    Entry {
        op: Some(Op::RandomSelector),
        compound: None,
        usage: "random-selector { nodes }",
        does: "A selector in a random order, drawn anew whenever it starts over and kept while it runs: picks one child by chance, and another one where that fails. It has at most 64 children.",
        rules: &["C2", "T6"],
        example: r#"tree "bystander" {
    random-selector {
        action "whistle"
        action "stretch"
        action "look_around"
    }
}
"#,
        answers: &[
            ("Success", "as soon as a child succeeds"),
            ("Failure", "when all children have failed"),
            ("Running", "while a child runs"),
        ],
        keeps: "which child runs, and which have finished in this round",
        differs: &[
            ("BehaviorTree.CPP", "none built in"),
            ("py_trees", "none; shuffle the children yourself"),
            ("Unreal", "none built in"),
        ],
    },
    Entry {
        op: Some(Op::Parallel),
        compound: None,
        usage: "parallel success=\"all\" failure=1 { nodes }",
        does: "Runs all its children at the same time and remembers how each one ended. It finishes once so many have failed or succeeded as it says; behind the last child, in each tick, failures are counted first. Who still runs then is halted.",
        rules: &["C3"],
        example: r#"tree "archer" {
    parallel success=1 failure="all" {
        action "shoot"
        action "strafe"
    }
}
"#,
        answers: &[
            (
                "Success",
                "when `success` children have succeeded (all, if it does not say)",
            ),
            (
                "Failure",
                "when `failure` children have failed (one, if it does not say), or when all have finished and neither is reached",
            ),
            ("Running", "until then"),
        ],
        keeps: "how each finished child ended; those are not visited again",
        differs: &[
            (
                "BehaviorTree.CPP",
                "counts after each child, and fails early where success is out of reach",
            ),
            ("py_trees", "the policies all, one and selected"),
            (
                "Unreal",
                "Simple Parallel: one main task and a tree beside it",
            ),
        ],
    },
    Entry {
        op: Some(Op::Concurrent),
        compound: None,
        usage: "concurrent { nodes }",
        does: "Visits all its children in each tick, from the first to the last, and remembers nothing. Put conditions beside an action to watch over it: the first failure halts whatever runs.",
        rules: &["C4"],
        example: r#"tree "thief" {
    blackboard { seen bool; }
    concurrent {
        condition "not seen"
        action "pick_lock"
    }
}
"#,
        answers: &[
            ("Success", "when all children succeed in the same tick"),
            (
                "Failure",
                "as soon as a child fails; later ones are not visited",
            ),
            ("Running", "else"),
        ],
        keeps: "nothing of its own",
        differs: &[
            (
                "BehaviorTree.CPP",
                "none; Parallel with one failure remembers who finished",
            ),
            ("py_trees", "Parallel with synchronise=False"),
            ("Unreal", "services beside a task come near"),
        ],
    },
    Entry {
        op: Some(Op::Switch),
        compound: None,
        usage: "switch \"name\" { case VALUE { node } … else { node } }",
        does: "Chooses a child by a column or world value: a bool, a whole number up to i32 or an enumeration. The value is compared in each tick; when it changes, the child that ran is halted and the other one visited.",
        rules: &["C5"],
        example: r#"tree "guard" {
    blackboard { mode enum "idle" "alert" "combat"; }
    switch "mode" {
        case "combat" { action "fight"; }
        case "alert" { action "search"; }
        else { action "patrol"; }
    }
}
"#,
        answers: &[
            (
                "the child's",
                "that of the case which equals the value, or of `else`",
            ),
            ("Failure", "where no case equals it and there is no `else`"),
        ],
        keeps: "nothing of its own",
        differs: &[
            (
                "BehaviorTree.CPP",
                "Switch2 to Switch6 do the same, comparing texts",
            ),
            ("py_trees", "none"),
            ("Unreal", "none; conditions on branches"),
        ],
    },
    Entry {
        op: Some(Op::IfThenElse),
        compound: None,
        usage: "if-then-else { if { node } then { node } else { node } }",
        does: "Visits its first child, and then the second where that succeeded, the third where it failed. While the second or third runs, the first is not asked again. The three may also stand there without blocks, in this order.",
        rules: &["C6"],
        example: r#"tree "cook" {
    blackboard { has_fire bool; }
    if-then-else {
        if { condition "has_fire"; }
        then { action "roast"; }
        else { action "gather_wood"; }
    }
}
"#,
        answers: &[
            ("the child's", "that of the second or third child"),
            ("Failure", "where the first fails and there is no third"),
            ("Running", "while the first runs"),
        ],
        keeps: "which child runs",
        differs: &[
            ("BehaviorTree.CPP", "the same"),
            ("py_trees", "none"),
            ("Unreal", "decorators on two branches of a selector"),
        ],
    },
    Entry {
        op: Some(Op::WhileDoElse),
        compound: None,
        usage: "while-do-else { while { node } do { node } else { node } }",
        does: "Visits its first child in each tick, and the second as long as that succeeds, the third as long as it fails. Whoever of the two ran and is not reached any more is halted. The three may also stand there without blocks.",
        rules: &["C6"],
        example: r#"tree "farmer" {
    world { daylight bool; }
    while-do-else {
        while { condition "daylight"; }
        do { action "work"; }
        else { action "sleep"; }
    }
}
"#,
        answers: &[
            ("the child's", "that of the second or third child"),
            ("Failure", "where the first fails and there is no third"),
            ("Running", "while the first runs"),
        ],
        keeps: "nothing of its own",
        differs: &[
            ("BehaviorTree.CPP", "the same"),
            ("py_trees", "eternal_guard comes near, without an else"),
            ("Unreal", "decorators on two branches"),
        ],
    },
];
