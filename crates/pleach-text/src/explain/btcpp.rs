//! Pages on files of BehaviorTree.CPP.

use super::{Example, Page};
use crate::diagnostic::Code;

pub(super) static ERRORS: &[Page] = &[
    Page {
        code: Code::Xml,
        title: "this is no XML",
        about: "A tag that is never closed or closes nothing, an attribute without a value or given twice, text \
                outside the outermost element. As BehaviorTree.CPP's own reader does, this one takes a bare `<` \
                or `&` in a script and `--` in a comment. A document type or entities that the file declares \
                itself are not read.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sequence>\n      <AlwaysSuccess/>\n    </Sequense>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sequence>\n      <AlwaysSuccess/>\n    </Sequence>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::XmlRoot,
        title: "this is no file of BehaviorTree.CPP",
        about: "The outermost element is `root`. Its `BTCPP_format`, where it has one, is 3 or 4, and at most \
                one `TreeNodesModel` stands in it.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"5\">\n  <BehaviorTree ID=\"Guard\">\n    <AlwaysSuccess/>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <AlwaysSuccess/>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::XmlId,
        title: "an element does not say which node it is",
        about: "`Action`, `Condition`, `Control`, `Decorator` and `SubTree` are kinds of nodes: their attribute \
                `ID` says which node of that kind is meant, or which tree.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Condition name=\"IsOpen\"/>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Condition ID=\"IsOpen\"/>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::XmlParent,
        title: "a node with children that nobody knows",
        about: "What a node does with its children, its program says, and no file. A node of the project's own \
                needs a line in a file of `--parents`: `parent \"TaskSequence\" like=\"Sequence\"`. Some nodes of \
                BehaviorTree.CPP and Nav2 have no counterpart here, and need such a line, too, if another node \
                does as well.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sequense>\n      <AlwaysSuccess/>\n    </Sequense>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sequence>\n      <AlwaysSuccess/>\n    </Sequence>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::XmlChildren,
        title: "a node has the wrong children",
        about: "Leaves have no children, decorators one, composites one or more, and a `Switch2` has three: one \
                for each case, and one for all else.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Inverter>\n      <AlwaysSuccess/>\n      <AlwaysFailure/>\n    </Inverter>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Inverter>\n      <AlwaysSuccess/>\n    </Inverter>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::MissingPort,
        title: "a node lacks a port",
        about: "The node cannot do without it; BehaviorTree.CPP refuses such a file, too.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sleep ms=\"500\"/>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sleep msec=\"500\"/>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::PortValue,
        title: "a port has a value that does not fit",
        about: "Numbers of times are 1 or more, or -1 for ever; times are milliseconds; thresholds are numbers \
                of children; truth values are true or false, 1 or 0. Times, rates and thresholds are constants \
                here: `{key}` is taken where each use of the tree gives a constant for it, and elsewhere only as \
                a number of times.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sleep msec=\"0.5 s\"/>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sleep msec=\"500\"/>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::Script,
        title: "a script cannot be read",
        about: "A script is one or several statements with `;` between them: assignments (`x := 1`, `x += 1`), \
                or a computation. Texts stand between `'`, names of entries without braces.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Script code=\"x := 1 +\"/>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Script code=\"x := 1 + 1\"/>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::ScriptMeaning,
        title: "a script says what has no meaning here",
        about: "Bit operations, texts that are put together or ordered, assignments within expressions, numbers \
                computed from truth values and texts. A condition is one truth value and assigns nothing. An \
                action of the host can compute what scripts cannot.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Script code=\"x := 'a' &lt; 'b'\"/>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Script code=\"x := 'a' != 'b'\"/>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::EntryType,
        title: "an entry has no type, or two",
        about: "A column has one type: a text and a number cannot share one. A script can only use an entry of \
                which something says what it holds: a value in a script, a port with a `type` in \
                `TreeNodesModel`.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Script code=\"x := 1; x = 'a'\"/>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Script code=\"x := 1; y = 'a'\"/>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::KdlAttribute,
        title: "an attribute in KDL is wrong",
        about: "What BehaviorTree.CPP cannot say stands in attributes `kdl` and `_kdl` of files that were \
                written here. Such an attribute must be right by itself, have as many children as the element, \
                and say of ports what the element's own attributes say.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <PleachIdle kdl=\"idel\"/>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <PleachIdle kdl=\"idle\"/>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::OwnNodes,
        title: "a declaration of nodes is wrong",
        about: "A file of `--parents` holds lines such as `parent \"TaskSequence\" like=\"Sequence\"`, for nodes \
                with children, and `leaf \"CutPath\" is=\"task\"`, for leaves: an `action`, a `task`, which answers \
                within its tick, or a `condition`.",
        example: Example::None,
    },
    Page {
        code: Code::XmlName,
        title: "a name that XML cannot have",
        about: "A file is to be written as XML, and something in it has no other place there than one where XML \
                or BehaviorTree.CPP cannot have it, such as a name with a control character. Give it another name.",
        example: Example::None,
    },
];

pub(super) static NOTES: &[Page] = &[
    Page {
        code: Code::Differs,
        title: "a node does not do quite the same",
        about: "The rules that the note names are in `docs/semantics.md`: an action is asked for in one tick and \
                answers in a later one (L2), a loop runs one iteration a tick (D2), a Parallel judges behind its \
                last child (C3), a Timeout looks at the time behind its child (D4). Mostly nothing comes of it \
                but some ticks; `task` in KDL, or `leaf \"X\" is=\"task\"` in a file of `--parents`, is an action \
                that answers at once.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Repeat num_cycles=\"3\">\n      <IsOpen/>\n    </Repeat>\n  </BehaviorTree>\n  <TreeNodesModel>\n    <Condition ID=\"IsOpen\"/>\n  </TreeNodesModel>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Inverter>\n      <IsOpen/>\n    </Inverter>\n  </BehaviorTree>\n  <TreeNodesModel>\n    <Condition ID=\"IsOpen\"/>\n  </TreeNodesModel>\n</root>\n",
        },
    },
    Page {
        code: Code::TakenFor,
        title: "it is guessed what a leaf is",
        about: "A leaf that no model declares is taken for an action; so is a subtree that no file defines, with \
                `--missing-trees-are-actions`. A leaf of a tree's name is taken for a use of it. \
                `TreeNodesModel` says which leaves are conditions, and `leaf \"X\" is=\"condition\"` in a file of \
                `--parents` does, too.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\" main_tree_to_execute=\"Guard\">\n  <BehaviorTree ID=\"Patrol\">\n    <AlwaysSuccess/>\n  </BehaviorTree>\n  <BehaviorTree ID=\"Guard\">\n    <Patrol/>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\" main_tree_to_execute=\"Guard\">\n  <BehaviorTree ID=\"Patrol\">\n    <AlwaysSuccess/>\n  </BehaviorTree>\n  <BehaviorTree ID=\"Guard\">\n    <SubTree ID=\"Patrol\"/>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::NotKept,
        title: "something means nothing, and is not kept",
        about: "Text between nodes, an element beside the trees that is no tree, model or include, a script's \
                computation that assigns nothing.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sequence>\n      opens the door\n      <IsOpen/>\n    </Sequence>\n  </BehaviorTree>\n  <TreeNodesModel>\n    <Condition ID=\"IsOpen\"/>\n  </TreeNodesModel>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sequence>\n      <!-- opens the door -->\n      <IsOpen/>\n    </Sequence>\n  </BehaviorTree>\n  <TreeNodesModel>\n    <Condition ID=\"IsOpen\"/>\n  </TreeNodesModel>\n</root>\n",
        },
    },
    Page {
        code: Code::UnusedPort,
        title: "a node has no use for a port",
        about: "A node that is known has no port of that name, and the tree that is used looks at no entry of \
                it. On nodes it is kept as a note of editors.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Inverter speed=\"2\">\n      <IsOpen/>\n    </Inverter>\n  </BehaviorTree>\n  <TreeNodesModel>\n    <Condition ID=\"IsOpen\"/>\n  </TreeNodesModel>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Inverter>\n      <IsOpen/>\n    </Inverter>\n  </BehaviorTree>\n  <TreeNodesModel>\n    <Condition ID=\"IsOpen\"/>\n  </TreeNodesModel>\n</root>\n",
        },
    },
    Page {
        code: Code::Unwritten,
        title: "scripts read what no file writes",
        about: "There, C++ writes such an entry, or registers an enumeration of that name. Here, the first is a \
                column that the host must write, and of the second nothing is known: write its numbers.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <ScriptCondition code=\"mode == 'idle'\"/>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sequence>\n      <Script code=\"mode := 'idle'\"/>\n      <ScriptCondition code=\"mode == 'idle'\"/>\n    </Sequence>\n  </BehaviorTree>\n</root>\n",
        },
    },
    Page {
        code: Code::GuessedType,
        title: "the type of an entry is a guess",
        about: "Columns have one type, and entries of BehaviorTree.CPP's blackboard need not. Where no script \
                writes a value, no model gives a port's type and no text in a port reads as a number, only tests \
                and sums are left: `x < 5` makes an `f32`, `x == 5` an `i32`, `x` alone a `bool`. The host must \
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
    Page {
        code: Code::OtherLabel,
        title: "a text becomes a label of another name",
        about: "Texts that scripts set and compare become labels of an enumeration. Labels are names, so that \
                what is no letter, digit or `_` becomes a `_`. Where a port names the entry, the host gets the \
                label and not the text.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sequence>\n      <Script code=\"line := 'all clear'\"/>\n      <Say line=\"{line}\"/>\n    </Sequence>\n  </BehaviorTree>\n  <TreeNodesModel>\n    <Condition ID=\"Say\"/>\n  </TreeNodesModel>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <Sequence>\n      <Script code=\"line := 'clear'\"/>\n      <Say line=\"{line}\"/>\n    </Sequence>\n  </BehaviorTree>\n  <TreeNodesModel>\n    <Condition ID=\"Say\"/>\n  </TreeNodesModel>\n</root>\n",
        },
    },
    Page {
        code: Code::HostEntry,
        title: "an entry is the host's",
        about: "The entry is neither a number nor a word, and no script looks at it: it is no column, and ports \
                name it to the host as `{goal}`. Only the host can set it, so the SetBlackboard is an action for \
                it.",
        example: Example::BehaviorTreeCpp {
            wrong: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <SetBlackboard output_key=\"goal\" value=\"1;2;3\"/>\n  </BehaviorTree>\n</root>\n",
            mended: "<root BTCPP_format=\"4\">\n  <BehaviorTree ID=\"Guard\">\n    <SetBlackboard output_key=\"goal\" value=\"3\"/>\n  </BehaviorTree>\n</root>\n",
        },
    },
];
