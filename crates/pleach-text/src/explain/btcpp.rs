//! Pages on files of BehaviorTree.CPP.

use super::{Example, Page};
use crate::diagnostic::Code;

pub(super) static NOTES: &[Page] = &[
    Page {
        code: Code::GuessedType,
        title: "the type of an entry is a guess",
        about: "Columns have one type, and entries of BehaviorTree.CPP's blackboard need not. Where no script \
                writes a value, no model gives a port's type and no text in a port reads as a number, only \
                tests are left: `x < 5` makes an `f32`, `x == 5` an `i32`, `x` alone a `bool`. The host must \
                write the column with that type.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sequence>\n      <Measure out=\"{steps}\"/>\n      <ScriptCondition code=\"steps &lt; 5\"/>\n    </Sequence>\n  </BehaviorTree>\n  <TreeNodesModel>\n    <Condition ID=\"Measure\"/>\n  </TreeNodesModel>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sequence>\n      <Measure out=\"{steps}\"/>\n      <ScriptCondition code=\"steps &lt; 5\"/>\n    </Sequence>\n  </BehaviorTree>\n  <TreeNodesModel>\n    <Condition ID=\"Measure\">\n      <output_port name=\"out\" type=\"int\"/>\n    </Condition>\n  </TreeNodesModel>\n</root>\n",
        },
    },
    Page {
        code: Code::UnsetText,
        title: "an entry is compared with a text that nothing sets",
        about: "Scripts set the entry to other texts, no leaf of the host has it in a port, and a comparison or \
                a case of a Switch looks for this one. The host may still set it, so it is no more than a note; \
                where the text is nearly one that is set, it is a warning.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sequence>\n      <Script code=\"mode := 'idle'\"/>\n      <ScriptCondition code=\"mode == 'combat'\"/>\n    </Sequence>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sequence>\n      <Script code=\"mode := 'combat'\"/>\n      <ScriptCondition code=\"mode == 'combat'\"/>\n    </Sequence>\n  </BehaviorTree>\n</root>\n",
        },
    },
];
