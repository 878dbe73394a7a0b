//! Pages on warnings.

use super::{Example, Page};
use crate::diagnostic::Code;

pub(super) static PAGES: &[Page] = &[
    Page {
        code: Code::Unreachable,
        title: "a child that is never reached",
        about: "A child in front never lets its parent go on: a `selector` goes on when a child fails, a \
                `sequence` when one succeeds, and a child that never ends lets neither. What a node can \
                answer is worked out from the tree alone, with every condition, query and parameter left \
                open, so what is told never happens, whatever the host does.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    selector {\n        succeeder { action \"attack\"; }\n        action \"patrol\"\n    }\n}\n",
            mended: "tree \"guard\" {\n    selector {\n        action \"attack\"\n        action \"patrol\"\n    }\n}\n",
        },
    },
    Page {
        code: Code::EndlessLoop,
        title: "a loop that does nothing for ever",
        about: "The loop has no end, its child never takes time, and nothing in it asks the host or sets a \
                column: it goes round once a tick, and nothing comes of it. `idle` waits for ever, and a \
                loop that is to end needs a number of times or a child that can end it.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    sequence {\n        action \"report\"\n        repeat-until-success { fail; }\n    }\n}\n",
            mended: "tree \"guard\" {\n    sequence {\n        action \"report\"\n        idle\n    }\n}\n",
        },
    },
    Page {
        code: Code::CutShort,
        title: "a child that is stopped before it can end",
        about: "A reactive parent begins with its first child in each tick. Here a child in front takes more than \
                one tick whenever it begins. In the tick in which it ends, this child begins; in the next tick \
                the one in front begins anew, and this one is stopped: what takes time never ends. A `sequence` \
                or `selector` goes on where it was. In a reactive parent, what is in front should answer within \
                its tick: tests, and in place of an `action` that does so a `task`. An action of a file of \
                BehaviorTree.CPP that answers within its tick is declared in a file of `--parents`, by \
                `leaf \"X\" is=\"task\"`.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    reactive-sequence {\n        action \"aim\"\n        action \"shoot\"\n    }\n}\n",
            mended: "tree \"guard\" {\n    sequence {\n        action \"aim\"\n        action \"shoot\"\n    }\n}\n",
        },
    },
    Page {
        code: Code::ConstantTest,
        title: "a test that always says the same",
        about: "The expression reads no column, no world value and no parameter, so it can only ever be what \
                it is now: often a test that was switched off for a while.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { arrows u8 12; }\n    action \"shoot\" when=\"12 > 0\" left=(column)\"arrows\"\n}\n",
            mended: "tree \"guard\" {\n    blackboard { arrows u8 12; }\n    action \"shoot\" when=\"arrows > 0\" left=(column)\"arrows\"\n}\n",
        },
    },
    Page {
        code: Code::UnusedName,
        title: "nothing in the tree uses a column or world value",
        about: "It is declared, and no node reads or sets it. That is no mistake where only the host uses it, \
                so it is told with `--strict` only. A column that is read and never set is the host's to \
                write, and never told.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard {\n        health f32 1.0\n        stamina f32 1.0\n    }\n    condition \"health < 0.3\"\n}\n",
            mended: "tree \"guard\" {\n    blackboard { health f32 1.0; }\n    condition \"health < 0.3\"\n}\n",
        },
    },
    Page {
        code: Code::UnusedTree,
        title: "no tree uses this one",
        about: "No file that was checked uses the tree as a subtree, and it is not the first of its file. One \
                that needs parameters cannot run by itself, and so is there for nothing. Any other may still \
                be run by a host by its name, and is told with `--strict` only. Only `check` of a folder \
                tells it: a single file says nothing of who uses it.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    action \"guard\"\n}\n\ntree \"patrol\" {\n    params { speed f32; }\n    action \"walk\" speed=(param)\"speed\"\n}\n",
            mended: "tree \"guard\" {\n    subtree \"patrol\" speed=1.4\n}\n\ntree \"patrol\" {\n    params { speed f32; }\n    action \"walk\" speed=(param)\"speed\"\n}\n",
        },
    },
    Page {
        code: Code::ComparisonInScript,
        title: "a script that compares where it should assign",
        about: "A script that runs behind a node, such as `_onFailure` or `_post`, is there to assign \
                something. A comparison in it is computed and thrown away: most likely `=` or `:=` was meant.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <AlwaysFailure _onFailure=\"tries==1\"/>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <AlwaysFailure _onFailure=\"tries:=1\"/>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::Misspelled,
        title: "a name that nearly means something",
        about: "A file of BehaviorTree.CPP may hold nodes, ports and attributes of anybody's own, so one that \
                means nothing here is kept as it is: a leaf as an action, an attribute as a note of editors. \
                This one is so close to a name that does mean something that it most likely was to be that. \
                A leaf or port that is declared in `TreeNodesModel` is never told.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <AlwaysFailure _onFailur=\"tries := 1\"/>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <AlwaysFailure _onFailure=\"tries := 1\"/>\n  </BehaviorTree>\n</root>\n",
        },
    },
];
