//! Pages on what trees declare.

use super::{Example, Page};
use crate::diagnostic::Code;

pub(super) static PAGES: &[Page] = &[
    Page {
        code: Code::DeclaredTwice,
        title: "a name is declared twice",
        about: "Columns, world values and parameters of a tree share their names, so that an expression needs \
                to say no more than the name. Labels share theirs within an enumeration.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { alarm bool; }\n    world { alarm bool; }\n    condition \"alarm\"\n}\n",
            mended: "tree \"guard\" {\n    blackboard { alarmed bool; }\n    world { alarm bool; }\n    condition \"alarm and not alarmed\"\n}\n",
        },
    },
    Page {
        code: Code::BadName,
        title: "a name that expressions could not read",
        about: "Names of columns, world values and parameters are a letter or `_`, then letters, digits, `_` \
                and `.`, and none of the words `and`, `or`, `not`, `true` and `false`: anything else would \
                be an operator in an expression.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { next-post u64; }\n    action \"walk\"\n}\n",
            mended: "tree \"guard\" {\n    blackboard { next_post u64; }\n    action \"walk\" to=(column)\"next_post\"\n}\n",
        },
    },
    Page {
        code: Code::UnknownType,
        title: "there is no such type",
        about: "Columns and world values are of type bool, u8, u16, i32, f32 or u64, or an enumeration. \
                Parameters of a tree may be texts as well.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { health float 1.0; }\n    condition \"health < 0.3\"\n}\n",
            mended: "tree \"guard\" {\n    blackboard { health f32 1.0; }\n    condition \"health < 0.3\"\n}\n",
        },
    },
    Page {
        code: Code::UnknownName,
        title: "a column or world value is not declared",
        about: "Whatever a tree reads or sets is declared in its `blackboard` or `world`, or in those of its \
                subtrees. A subtree declares what it needs itself; the tree that uses it then has it, too.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { health f32 1.0; }\n    condition \"helth < 0.3\"\n}\n",
            mended: "tree \"guard\" {\n    blackboard { health f32 1.0; }\n    condition \"health < 0.3\"\n}\n",
        },
    },
    Page {
        code: Code::Enumeration,
        title: "an enumeration whose labels do not fit",
        about: "An enumeration has at least one label, and begins with one of them.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { mode enum \"idle\" \"alert\" default=\"combat\"; }\n    condition \"mode == mode.idle\"\n}\n",
            mended: "tree \"guard\" {\n    blackboard { mode enum \"idle\" \"alert\" default=\"alert\"; }\n    condition \"mode == mode.idle\"\n}\n",
        },
    },
    Page {
        code: Code::SetTarget,
        title: "only columns can be set",
        about: "A `set` writes a column of its own actor. World values are the same for all actors, and all \
                of them decide at once, so only the host writes them, between two ticks.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    world { alarm bool; }\n    set \"alarm\" #true\n}\n",
            mended: "tree \"guard\" {\n    blackboard { alarmed bool; }\n    set \"alarmed\" #true\n}\n",
        },
    },
    Page {
        code: Code::ColumnOrWorld,
        title: "a column is called a world value, or the other way round",
        about: "`(column)` and `(world)` in front of a parameter's name say where its value is from, and must \
                say so rightly. `(from)` takes either.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    world { bell u64; }\n    action \"ring\" what=(column)\"bell\"\n}\n",
            mended: "tree \"guard\" {\n    world { bell u64; }\n    action \"ring\" what=(world)\"bell\"\n}\n",
        },
    },
];
