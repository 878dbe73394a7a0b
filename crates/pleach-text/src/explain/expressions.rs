//! Pages on expressions.

use super::{Example, Page};
use crate::diagnostic::Code;

pub(super) static PAGES: &[Page] = &[
    Page {
        code: Code::ExpressionSyntax,
        title: "this is no expression",
        about: "Expressions have `and`, `or`, `not`, comparisons, `+ - * /`, parentheses, numbers, names and \
                the functions `abs`, `min` and `max`. One `=` assigns in other languages and does nothing \
                here: `==` compares. Comparisons do not chain.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { posts u8; }\n    condition \"posts = 3\"\n}\n",
            mended: "tree \"guard\" {\n    blackboard { posts u8; }\n    condition \"posts == 3\"\n}\n",
        },
    },
    Page {
        code: Code::ExpressionTypes,
        title: "types in an expression do not fit",
        about: "A condition is a truth value; `and`, `or` and `not` take such; the others take numbers. What \
                is compared is of one type: whole numbers of 32 bits or less are one, and become an `f32` \
                beside one. A `u64` is only compared with another. `set` stores what fits its column.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { health f32 1.0; }\n    condition \"health\"\n}\n",
            mended: "tree \"guard\" {\n    blackboard { health f32 1.0; }\n    condition \"health > 0.0\"\n}\n",
        },
    },
    Page {
        code: Code::Function,
        title: "there is no such function, or it takes other arguments",
        about: "The functions of expressions are `abs(a)`, `min(a, b)` and `max(a, b)`. What a host function \
                answers is a `query` node of its own.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { wounds i32; }\n    condition \"max(wounds) > 3\"\n}\n",
            mended: "tree \"guard\" {\n    blackboard { wounds i32; }\n    condition \"max(wounds, 0) > 3\"\n}\n",
        },
    },
];
