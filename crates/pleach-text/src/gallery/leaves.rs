//! Pages of leaves, and of subtrees.

use pleach_shape::Op;

use super::Entry;

/// The file that the example of `subtree` includes: the one of the repository's trees.
#[cfg(test)]
pub(super) const PATROL: &str = include_str!("../../../../trees/common/patrol.kdl");

pub(super) const ENTRIES: &[Entry] = &[
    Entry {
        op: Some(Op::Condition),
        compound: None,
        usage: "condition \"expression\"",
        does: "Asks an expression over the actor's columns and the world's values. It never runs and changes nothing.",
        rules: &["L1", "E2"],
        example: r#"tree "guard" {
    blackboard { health f32 1.0; }
    world { alarm bool; }
    selector {
        condition "health < 0.3 and not alarm" name="hurt"
        action "patrol"
    }
}
"#,
        answers: &[
            ("Success", "where the expression holds"),
            (
                "Failure",
                "where it does not; comparisons with NaN do not hold",
            ),
        ],
        keeps: "nothing",
        differs: &[
            ("BehaviorTree.CPP", "ScriptCondition, or a node of your own"),
            ("py_trees", "CheckBlackboardVariableValue"),
            ("Unreal", "Blackboard decorators"),
        ],
    },
    Entry {
        op: Some(Op::Query),
        compound: None,
        usage: "query \"function\" [name=value …]",
        does: "A condition that the host answers: a registered function, called at once, with parameters. For what no expression can say, such as a line of sight.",
        rules: &["L1", "L8"],
        example: r#"tree "guard" {
    blackboard { player u64; }
    sequence {
        query "can_see" target=(column)"player" range=20.0
        action "chase"
    }
}
"#,
        answers: &[
            ("Success", "where the function says yes"),
            ("Failure", "where it says no"),
        ],
        keeps: "nothing",
        differs: &[
            ("BehaviorTree.CPP", "a ConditionNode of your own"),
            ("py_trees", "a Behaviour of your own"),
            ("Unreal", "a decorator of your own"),
        ],
    },
    Entry {
        op: Some(Op::Action),
        compound: None,
        usage: "action \"name\" [name=value …]",
        does: "Asks for something that takes time: the first visit launches a request, which a system of the host carries out for all actors at once and answers later. While it is visited it continues; an action that is no longer visited gets exactly one Cancel.",
        rules: &["L2", "L5"],
        example: r#"tree "guard" {
    blackboard { player u64; }
    sequence {
        action "walk_to" target=(column)"player" speed=3.2
        action "say" line="halt!"
    }
}
"#,
        answers: &[
            ("Success", "when the system has reported success"),
            ("Failure", "when it has reported failure or an error"),
            ("Running", "until then, also in the tick that launches it"),
        ],
        keeps: "its request",
        differs: &[
            (
                "BehaviorTree.CPP",
                "StatefulActionNode, which answers in the same tick",
            ),
            ("py_trees", "Behaviour, which answers in the same tick"),
            ("Unreal", "latent tasks come near"),
        ],
    },
    Entry {
        op: Some(Op::PersistentAction),
        compound: None,
        usage: "persistent-action \"name\" [name=value …]",
        does: "Answers what the action's system last wrote for the actor. The system runs in every tick, whether the node is visited or not, and nothing is requested or cancelled. For senses and drives.",
        rules: &["L3"],
        example: r#"tree "dog" {
    reactive-selector {
        sequence {
            persistent-action "smells_food"
            action "follow_nose"
        }
        action "lie_down"
    }
}
"#,
        answers: &[
            (
                "as written",
                "Success, Failure or Running, whatever the system wrote last",
            ),
            ("Running", "before it wrote for the first time"),
        ],
        keeps: "nothing; the answer is the system's",
        differs: &[
            ("BehaviorTree.CPP", "none"),
            ("py_trees", "a blackboard variable and a check"),
            ("Unreal", "services come near"),
        ],
    },
    Entry {
        op: Some(Op::Task),
        compound: None,
        usage: "task \"function\" [name=value …]",
        does: "Calls the host at once: enter when it starts, run in each tick, exit when it finishes or is halted. There is exactly one exit for each enter. For short things that need an answer within the tick.",
        rules: &["L4", "L6", "L8"],
        example: r#"tree "archer" {
    sequence {
        task "take_aim" steady=0.8
        action "shoot"
    }
}
"#,
        answers: &[
            ("as told", "what the callback's run answers"),
            ("Failure", "where the callback panics, which is listed"),
        ],
        keeps: "that it runs",
        differs: &[
            (
                "BehaviorTree.CPP",
                "onStart, onRunning, onHalted; no call when it ends by itself",
            ),
            ("py_trees", "initialise, update, terminate"),
            ("Unreal", "ExecuteTask, TickTask, AbortTask"),
        ],
    },
    Entry {
        op: Some(Op::Set),
        compound: None,
        usage: "set \"column\" \"expression\"",
        does: "Writes the expression's value to a column of the actor; the next node sees it. Whole numbers are clamped to the column's range.",
        rules: &["L7", "E5"],
        example: r#"tree "archer" {
    blackboard { arrows u8 12; }
    sequence {
        condition "arrows > 0"
        action "shoot"
        set "arrows" "arrows - 1"
    }
}
"#,
        answers: &[("Success", "always")],
        keeps: "nothing; the column is the actor's",
        differs: &[
            ("BehaviorTree.CPP", "Script, SetBlackboard"),
            ("py_trees", "SetBlackboardVariable"),
            ("Unreal", "a task of your own"),
        ],
    },
    Entry {
        op: Some(Op::Wait),
        compound: None,
        usage: "wait SECONDS [LONGEST]",
        does: "Runs until the time since its first visit is up. The tick that starts it counts nothing, and an actor that is not ticked loses no time. With two times, each start draws one between them for its actor, evenly, so that a crowd does not move as one.",
        rules: &["D4", "T3", "T6"],
        example: r#"tree "guard" {
    sequence {
        action "walk_to_next_post"
        wait 2.5
        action "look_around"
        wait 1 4
    }
}
"#,
        answers: &[
            (
                "Success",
                "when SECONDS, or the time that was drawn, have passed; at once for 0",
            ),
            ("Running", "until then"),
        ],
        keeps: "until when it waits",
        differs: &[
            (
                "BehaviorTree.CPP",
                "Sleep: a timer, which also runs between ticks",
            ),
            ("py_trees", "Timer: done when more than the time has passed"),
            ("Unreal", "a timer; a time and how far to deviate from it"),
            ("LimboAI", "Wait, and RandomWait for two times"),
        ],
    },
    Entry {
        op: Some(Op::Succeed),
        compound: None,
        usage: "succeed",
        does: "Does nothing, with success. The last child of a selector that must not fail, or a branch still to be written.",
        rules: &["L7"],
        example: r#"tree "cat" {
    selector {
        action "hunt"
        succeed
    }
}
"#,
        answers: &[("Success", "always")],
        keeps: "nothing",
        differs: &[
            ("BehaviorTree.CPP", "AlwaysSuccess"),
            ("py_trees", "Success"),
            ("Unreal", "Finish with Result"),
        ],
    },
    Entry {
        op: Some(Op::Fail),
        compound: None,
        usage: "fail",
        does: "Does nothing, with failure: sends a selector on to its next child, or ends a sequence.",
        rules: &["L7"],
        example: r#"tree "cat" {
    blackboard { mood u8; }
    switch "mood" {
        case 0 { action "sleep"; }
        else { fail; }
    }
}
"#,
        answers: &[("Failure", "always")],
        keeps: "nothing",
        differs: &[
            ("BehaviorTree.CPP", "AlwaysFailure"),
            ("py_trees", "Failure"),
            ("Unreal", "Finish with Result"),
        ],
    },
    Entry {
        op: Some(Op::Idle),
        compound: None,
        usage: "idle",
        does: "Runs and does nothing, until a parent takes over. The last child of a reactive selector that has nothing better to do.",
        rules: &["L7"],
        example: r#"tree "sentry" {
    blackboard { alarm bool; }
    reactive-selector {
        action "rush" when="alarm"
        idle
    }
}
"#,
        answers: &[("Running", "always")],
        keeps: "nothing",
        differs: &[
            ("BehaviorTree.CPP", "none; a node of your own"),
            ("py_trees", "Running"),
            ("Unreal", "Wait without an end"),
        ],
    },
    Entry {
        op: None,
        compound: None,
        usage: "subtree \"tree\" [parameter=value …] { map inner=\"outer\" }",
        does: "Stands for a copy of another tree, of the same file or of an included one. Parameters that the tree declares are given as properties; `map` says which of this tree's columns and world values its own are. What is not mapped has the same name in both.",
        rules: &["C1", "T4"],
        example: r#"include "common/patrol.kdl"
tree "guard" {
    blackboard { next_post u64; }
    sequence {
        subtree "patrol" speed=2.0 pause=0.5 {
            map post="next_post"
        }
    }
}
"#,
        answers: &[(
            "the root's",
            "it is the other tree's root that stands there",
        )],
        keeps: "what the nodes of the copy keep",
        differs: &[
            ("BehaviorTree.CPP", "SubTree with ports that are remapped"),
            ("py_trees", "a tree is a value like any other"),
            ("Unreal", "Run Behavior, which shares the blackboard"),
        ],
    },
];
