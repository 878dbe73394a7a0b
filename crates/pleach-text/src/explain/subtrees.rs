//! Pages on trees that use each other.

use super::{Example, Page};
use crate::diagnostic::Code;

pub(super) static PAGES: &[Page] = &[
    Page {
        code: Code::UnknownTree,
        title: "no tree has that name",
        about: "A `subtree` names a tree of its own file, or of one that the file includes, directly or \
                through others. Trees of other files are not seen, though they may be read for another \
                reason.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    subtree \"patroll\"\n}\n\ntree \"patrol\" {\n    action \"walk\"\n}\n",
            mended: "tree \"guard\" {\n    subtree \"patrol\"\n}\n\ntree \"patrol\" {\n    action \"walk\"\n}\n",
        },
    },
    Page {
        code: Code::TreeTwice,
        title: "two trees of one name",
        about: "All trees that are read for a file, those of its includes among them, have names of their \
                own: else a `subtree` would not say which it means.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    action \"patrol\"\n}\n\ntree \"guard\" {\n    action \"sleep\"\n}\n",
            mended: "tree \"guard\" {\n    action \"patrol\"\n}\n\ntree \"night_guard\" {\n    action \"sleep\"\n}\n",
        },
    },
    Page {
        code: Code::Cycle,
        title: "a tree contains itself",
        about: "A `subtree` is a copy, made when the file is read, so a tree that used itself, directly or \
                through others, would have no end. What is to happen again stands in a `repeat`.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    sequence {\n        action \"patrol\"\n        subtree \"guard\"\n    }\n}\n",
            mended: "tree \"guard\" {\n    repeat {\n        action \"patrol\"\n    }\n}\n",
        },
    },
    Page {
        code: Code::UnknownParameter,
        title: "a tree has no such parameter",
        about: "What `(param)` reads, and what a use of a tree gives, is declared in that tree's block \
                `params`.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    subtree \"patrol\" sped=2.0\n}\n\ntree \"patrol\" {\n    params { speed f32 1.4; }\n    action \"walk\" speed=(param)\"speed\"\n}\n",
            mended: "tree \"guard\" {\n    subtree \"patrol\" speed=2.0\n}\n\ntree \"patrol\" {\n    params { speed f32 1.4; }\n    action \"walk\" speed=(param)\"speed\"\n}\n",
        },
    },
    Page {
        code: Code::MissingParameter,
        title: "a parameter must be given",
        about: "A parameter without a default is one that each use of its tree must give.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    subtree \"patrol\"\n}\n\ntree \"patrol\" {\n    params { speed f32; }\n    action \"walk\" speed=(param)\"speed\"\n}\n",
            mended: "tree \"guard\" {\n    subtree \"patrol\" speed=2.0\n}\n\ntree \"patrol\" {\n    params { speed f32; }\n    action \"walk\" speed=(param)\"speed\"\n}\n",
        },
    },
    Page {
        code: Code::ParameterType,
        title: "a parameter does not fit where it stands",
        about: "A parameter is a constant of the type that its tree declares. It cannot be set, nor switched \
                on, nor be a column; a text is no number, and a time or a count must be one.",
        example: Example::Trees {
            wrong: "tree \"patrol\" {\n    params { pause text \"long\"; }\n    wait (param)\"pause\"\n}\n",
            mended: "tree \"patrol\" {\n    params { pause f32 5.0; }\n    wait (param)\"pause\"\n}\n",
        },
    },
    Page {
        code: Code::UnreadParameter,
        title: "nothing reads a parameter",
        about: "Whoever uses the tree gives a parameter for a reason, and nothing would come of it. Most \
                often a name stands where `(param)\"name\"` is meant. Since a parameter is a constant of the \
                tree alone, no host can read it either.",
        example: Example::Trees {
            wrong: "tree \"patrol\" {\n    params { speed f32 1.4; }\n    action \"walk\" speed=\"speed\"\n}\n",
            mended: "tree \"patrol\" {\n    params { speed f32 1.4; }\n    action \"walk\" speed=(param)\"speed\"\n}\n",
        },
    },
    Page {
        code: Code::Map,
        title: "a `map` that does not fit",
        about: "`map inner=\"outer\"` says that the subtree's `inner` is this tree's own `outer`: a column \
                for a column, a world value for a world value, of the same type.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { next_post u64; }\n    subtree \"patrol\" { map next_post=\"post\"; }\n}\n\ntree \"patrol\" {\n    blackboard { post u64; }\n    action \"walk\" to=(column)\"post\"\n}\n",
            mended: "tree \"guard\" {\n    blackboard { next_post u64; }\n    subtree \"patrol\" { map post=\"next_post\"; }\n}\n\ntree \"patrol\" {\n    blackboard { post u64; }\n    action \"walk\" to=(column)\"post\"\n}\n",
        },
    },
    Page {
        code: Code::Conflict,
        title: "two trees declare a name differently",
        about: "A tree and the subtrees in it have their columns and world values in common, by name. Where \
                both declare one, type and default must agree, or `map` gives the subtree another one.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { post u8; }\n    sequence {\n        condition \"post > 0\"\n        subtree \"patrol\"\n    }\n}\n\ntree \"patrol\" {\n    blackboard { post u64; }\n    action \"walk\" to=(column)\"post\"\n}\n",
            mended: "tree \"guard\" {\n    blackboard { posts u8; }\n    sequence {\n        condition \"posts > 0\"\n        subtree \"patrol\"\n    }\n}\n\ntree \"patrol\" {\n    blackboard { post u64; }\n    action \"walk\" to=(column)\"post\"\n}\n",
        },
    },
    Page {
        code: Code::CannotRun,
        title: "a tree cannot run by itself",
        about: "A tree with a parameter that has no default is there to be used by others. To run it, or the \
                file whose trees are all such, the parameters need defaults. `check` does not mind: it \
                compiles such trees with stand-ins.",
        example: Example::Trees {
            wrong: "tree \"patrol\" {\n    params { speed f32; }\n    action \"walk\" speed=(param)\"speed\"\n}\n",
            mended: "tree \"patrol\" {\n    params { speed f32 1.4; }\n    action \"walk\" speed=(param)\"speed\"\n}\n",
        },
    },
];
