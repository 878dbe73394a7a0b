//! Pages on texts, files and scenarios.

use super::{Example, Page};
use crate::diagnostic::Code;

pub(super) static PAGES: &[Page] = &[
    Page {
        code: Code::Grammar,
        title: "this is no KDL",
        about: "The text does not follow the grammar of KDL 2: a brace that opens or closes nothing, \
                something where it cannot stand. Nothing is said of the trees before this is mended, since \
                a missing brace changes what everything behind it means.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    sequence {\n        action \"patrol\"\n}\n",
            mended: "tree \"guard\" {\n    sequence {\n        action \"patrol\"\n    }\n}\n",
        },
    },
    Page {
        code: Code::Text,
        title: "a text in quotes is not well formed",
        about: "A text must be closed on its line, and what stands behind a `\\` in it must be one of the \
                escapes. A text of several lines begins with `\"\"\"` and a new line; a raw text `#\"…\"#` \
                has no escapes at all.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    action \"say\" line=\"all quiet\n}\n",
            mended: "tree \"guard\" {\n    action \"say\" line=\"all quiet\"\n}\n",
        },
    },
    Page {
        code: Code::Number,
        title: "a number is not well formed",
        about: "A number begins and ends with a digit, and has at most 38 digits together. What begins with \
                a digit and is no number is a text, and needs quotes.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    wait .5\n}\n",
            mended: "tree \"guard\" {\n    wait 0.5\n}\n",
        },
    },
    Page {
        code: Code::Keyword,
        title: "a keyword is not written as one",
        about: "KDL 2 writes truth values and the like with a `#`, so that they are told from texts. Other \
                keywords than `#true`, `#false`, `#null`, `#nan`, `#inf` and `#-inf` there are not.",
        example: Example::Trees {
            wrong: "tree \"guard\" {\n    blackboard { armed bool true; }\n    condition \"armed\"\n}\n",
            mended: "tree \"guard\" {\n    blackboard { armed bool #true; }\n    condition \"armed\"\n}\n",
        },
    },
    Page {
        code: Code::Encoding,
        title: "the file is not UTF-8",
        about: "Files are read as UTF-8. The message names the first byte that is none; most editors can \
                save the file anew in another encoding.",
        example: Example::None,
    },
    Page {
        code: Code::Limit,
        title: "more than is allowed",
        about: "A file, a name, an expression, or all trees together with their subtrees are larger than \
                what is read. The limits are far beyond what people write, and keep a file that was made \
                by a program, or by somebody with bad intent, from taking all memory. The table at the end \
                of `docs/language.md` lists them.",
        example: Example::None,
    },
    Page {
        code: Code::File,
        title: "a file cannot be read",
        about: "The file is not there, is a folder, or may not be read. The message says what the system \
                says.",
        example: Example::None,
    },
    Page {
        code: Code::Include,
        title: "a file cannot be included",
        about: "What `include` names is no path, or leads to no file. Paths are relative to the file that \
                includes, and not to the folder in which a program runs.",
        example: Example::Trees {
            wrong: "include \"comon/patrol.kdl\"\n\ntree \"guard\" {\n    action \"guard\"\n}\n",
            mended: "include \"common/patrol.kdl\"\n\ntree \"guard\" {\n    subtree \"patrol\"\n}\n",
        },
    },
    Page {
        code: Code::NoTree,
        title: "the file holds no tree",
        about: "A file of trees has at least one `tree`, beside what it includes.",
        example: Example::Trees {
            wrong: "// Trees of guards.\n",
            mended: "// Trees of guards.\ntree \"guard\" {\n    action \"patrol\"\n}\n",
        },
    },
    Page {
        code: Code::OutsideTree,
        title: "something stands outside a tree",
        about: "Beside each other stand `tree` and `include`, and nothing else: nodes, `blackboard`, `world` \
                and `params` belong inside the tree.",
        example: Example::Trees {
            wrong: "blackboard { armed bool; }\ntree \"guard\" {\n    idle\n}\n",
            mended: "tree \"guard\" {\n    blackboard { armed bool; }\n    idle done-when=\"armed\"\n}\n",
        },
    },
    Page {
        code: Code::Json,
        title: "this is no JSON of trees",
        about: "A file that ends in `.json` is an object with the version of the form, `\"pleach\": 1`, and a \
                list of `trees`; `docs/json.md` describes it. What is wrong with the trees themselves has the \
                same codes as in KDL.",
        example: Example::Json {
            wrong: "{\n  \"pleach\": 1,\n  \"trees\": { \"name\": \"guard\", \"root\": { \"node\": \"idle\" } }\n}\n",
            mended: "{\n  \"pleach\": 1,\n  \"trees\": [{ \"name\": \"guard\", \"root\": { \"node\": \"idle\" } }]\n}\n",
        },
    },
    Page {
        code: Code::Edit,
        title: "an edit cannot be made",
        about: "A program asked to change one value of a text, and there is no such node or value, the place \
                names several, or the value cannot be written there. The text is as it was.",
        example: Example::None,
    },
    Page {
        code: Code::Internal,
        title: "a mistake of Pleach",
        about: "Checks let something through that the next step refuses. The file is not to blame; please \
                report it, with the file.",
        example: Example::None,
    },
];

pub(super) static SCENARIOS: &[Page] = &[Page {
    code: Code::Scenario,
    title: "a scenario cannot be run",
    about: "A scenario describes columns, actions, tasks and queries of its tree, each by the keys that \
            `docs/scenarios.md` lists. What is said of something that the tree does not have is a mistake, \
            too.",
    example: Example::Scenario {
        wrong: "scenario \"walk\"\nactorz 10\ntree \"guard\" {\n    wait 1\n}\n",
        mended: "scenario \"walk\"\nactors 10\ntree \"guard\" {\n    wait 1\n}\n",
    },
}];
