//! Pages on what stands in a tree.

use super::{Example, Page};
use crate::diagnostic::Code;

pub(super) static PAGES: &[Page] = &[
    Page {
        code: Code::UnknownNode,
        title: "there is no such node",
        about: "A word where a node stands is no keyword. `pleach check --explain` lists all nodes; `_` may \
                stand for `-` in them. What an actor does is no keyword of its own but the name of an \
                `action`, `task` or `query`.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    seqence {\n        action \"patrol\"\n    }\n}\n",
            mended: "tree \"guard\" {\n    sequence {\n        action \"patrol\"\n    }\n}\n",
        },
    },
    Page {
        code: Code::UnknownProperty,
        title: "a node has no such property",
        about: "A property `key=value` is one that this node does not have. Only actions, tasks, queries and \
                subtrees take parameters of any name.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    parallel succes=1 {\n        action \"look\"\n        action \"listen\"\n    }\n}\n",
            mended: "tree \"guard\" {\n    parallel success=1 {\n        action \"look\"\n        action \"listen\"\n    }\n}\n",
        },
    },
    Page {
        code: Code::ExtraArgument,
        title: "an argument too many",
        about: "The node takes fewer arguments than it has. Arguments are the values without a name; what \
                has one is a property.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    action \"walk\" \"fast\"\n}\n",
            mended: "tree \"guard\" {\n    action \"walk\" how=\"fast\"\n}\n",
        },
    },
    Page {
        code: Code::MissingArgument,
        title: "an argument is missing",
        about: "The node needs an argument that is not there: the name of what to call, a time, an \
                expression.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    timeout {\n        action \"chase\"\n    }\n}\n",
            mended: "tree \"guard\" {\n    timeout 20 {\n        action \"chase\"\n    }\n}\n",
        },
    },
    Page {
        code: Code::GivenTwice,
        title: "something is given twice",
        about: "A property, a parameter, a guard or a node's name stands there twice, and only one can count.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    action \"walk\" speed=1.0 speed=2.0\n}\n",
            mended: "tree \"guard\" {\n    action \"walk\" speed=2.0\n}\n",
        },
    },
    Page {
        code: Code::WrongValue,
        title: "a value of another kind is needed",
        about: "A number stands where a text belongs, or the other way round. Numbers and truth values stand \
                without quotes, names may stand with them.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    wait \"2.5\"\n}\n",
            mended: "tree \"guard\" {\n    wait 2.5\n}\n",
        },
    },
    Page {
        code: Code::Annotation,
        title: "a type stands where none belongs",
        about: "A type in parentheses, such as `(u8)3`, belongs in front of a parameter's value. Elsewhere \
                the type is known: from the node, or from what is declared.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    wait (f32)2.5\n}\n",
            mended: "tree \"guard\" {\n    wait 2.5\n}\n",
        },
    },
    Page {
        code: Code::OutOfRange,
        title: "a number is out of range",
        about: "A number does not fit its type, or is no time, no count, or not finite. The help says which \
                ones are allowed.",
        example: Example::Trees {
            wrong: "tree \"archer\" {\n    blackboard { arrows u8 300; }\n    condition \"arrows > 0\"\n}\n",
            mended: "tree \"archer\" {\n    blackboard { arrows u16 300; }\n    condition \"arrows > 0\"\n}\n",
        },
    },
    Page {
        code: Code::LeafWithChildren,
        title: "a leaf has children",
        about: "Leaves do something or ask something, and have no nodes inside. What belongs together stands \
                beside it, under a `sequence` or another composite.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    action \"walk\" {\n        wait 1\n    }\n}\n",
            mended: "tree \"guard\" {\n    sequence {\n        action \"walk\"\n        wait 1\n    }\n}\n",
        },
    },
    Page {
        code: Code::Children,
        title: "too many children, or too few",
        about: "A composite needs at least one child: libraries disagree about what an empty one answers, so \
                here it must be said, with `succeed` or `fail`. A decorator has exactly one, \
                `if-then-else` and `while-do-else` two or three.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    invert {\n        query \"hears\"\n        query \"sees\"\n    }\n}\n",
            mended: "tree \"guard\" {\n    invert {\n        selector {\n            query \"hears\"\n            query \"sees\"\n        }\n    }\n}\n",
        },
    },
    Page {
        code: Code::Root,
        title: "a tree has exactly one root",
        about: "Inside a tree stands exactly one node beside its declarations. Several go under one that \
                says how they belong together.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    action \"patrol\"\n    wait 2\n}\n",
            mended: "tree \"guard\" {\n    sequence {\n        action \"patrol\"\n        wait 2\n    }\n}\n",
        },
    },
    Page {
        code: Code::Blocks,
        title: "blocks of a branch do not fit",
        about: "`if-then-else` has the blocks `if`, `then` and, if wanted, `else`, `while-do-else` has \
                `while`, `do` and `else`: in this order, each with exactly one node. So has each `case` of a \
                `switch`.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    if-then-else {\n        if { query \"sees\"; }\n        else { action \"patrol\"; }\n    }\n}\n",
            mended: "tree \"guard\" {\n    if-then-else {\n        if { query \"sees\"; }\n        then { action \"chase\"; }\n        else { action \"patrol\"; }\n    }\n}\n",
        },
    },
    Page {
        code: Code::Branches,
        title: "branches of a switch do not go together",
        about: "A `switch` has a `case` for each value, none of them twice, and at most one `else`, which \
                comes last. It compares a column or world value of type bool, u8, u16 or i32, or an \
                enumeration.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { floor u8; }\n    switch \"floor\" {\n        else { action \"climb\"; }\n        case 0 { action \"patrol\"; }\n    }\n}\n",
            mended: "tree \"guard\" {\n    blackboard { floor u8; }\n    switch \"floor\" {\n        case 0 { action \"patrol\"; }\n        else { action \"climb\"; }\n    }\n}\n",
        },
    },
    Page {
        code: Code::Case,
        title: "a case that can never be",
        about: "The value of a `case` is none that the column or world value can have: a label that its \
                enumeration lacks, a number beyond its type.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { mode enum \"idle\" \"alert\"; }\n    switch \"mode\" {\n        case \"alerted\" { action \"search\"; }\n    }\n}\n",
            mended: "tree \"guard\" {\n    blackboard { mode enum \"idle\" \"alert\"; }\n    switch \"mode\" {\n        case \"alert\" { action \"search\"; }\n    }\n}\n",
        },
    },
    Page {
        code: Code::Threshold,
        title: "a threshold that cannot be met",
        about: "The thresholds of a `parallel` are numbers of its children, from 1 to as many as it has. \
                More could never be met. `\"all\"` stays right when children are added.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    parallel success=3 {\n        action \"look\"\n        action \"listen\"\n    }\n}\n",
            mended: "tree \"guard\" {\n    parallel success=\"all\" {\n        action \"look\"\n        action \"listen\"\n    }\n}\n",
        },
    },
];
