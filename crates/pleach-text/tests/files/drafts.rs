//! Texts of files at random, with all that a file can hold: subtrees, parameters, mapped names, guards
//! as properties, comments, editors' notes and docs.

use proptest::prelude::*;

/// A text of a file, written as nobody would.
pub(crate) fn file() -> impl Strategy<Value = String> {
    let includes = prop::collection::vec((comments(), "[a-z ä]{0,6}"), 0..3);
    (includes, prop::collection::vec(tree(), 1..4)).prop_map(|(includes, trees)| {
        let mut text = String::new();
        for (at, (comments, path)) in includes.iter().enumerate() {
            text.push_str(&format!("{comments}include \"{at}{path}.kdl\"\n"));
        }
        for (at, tree) in trees.iter().enumerate() {
            text.push_str(&tree.replace("TREE", &format!("t{at}")));
        }
        text
    })
}

fn string() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,6}",
        "[ äß#{}()=/;*+-]{1,5}",
        "(\\\\n|\\\\t|\\\\\"|\\\\u\\{7\\}|\\\\u\\{fffe\\}| ){1,3}",
        // What XML would take for something else.
        prop::sample::select(vec![
            "Sequence",
            "Action",
            "Condition",
            "SubTree",
            "SetBlackboard",
            "PleachIdle",
            "{health}",
            "{=}",
            " {@odd} ",
            "5",
            "#",
            "<&'>"
        ])
        .prop_map(str::to_owned),
    ]
}

fn space() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![" ", "  ", "\t", " /* c */ ", " \\\n  ", " \\ // c\n "])
}

fn comments() -> impl Strategy<Value = String> {
    let one = prop_oneof![
        4 => Just(String::new()),
        2 => "// [a-z \"{}]{0,8}\n".prop_map(|text| text),
        2 => "(//[ \t]{0,2}(-|<!-|>| |\u{ffff}|\u{7f3a}){0,6}\n){1,3}".prop_map(|text| text),
        1 => "/\\* [a-z{}]{0,5}\n \\* [a-z]{0,5} \\*/\n".prop_map(|text| text),
        1 => Just("\n\n".to_owned()),
    ];
    one
}

fn end() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "\n",
        ";\n",
        " // end\n",
        "      // end\n",
        "\r\n",
        "\n\n\n",
        "; ",
    ])
}

fn tree() -> impl Strategy<Value = String> {
    let doc = prop_oneof![
        Just(String::new()),
        string().prop_map(|text| format!(" doc=\"{text}\""))
    ];
    let number = prop::sample::select(vec![
        "1_000.25",
        "+7.5",
        "0.123456789",
        "12",
        "0x1f",
        "007.50",
        "1e-3",
    ]);
    (comments(), notes(), doc, number, node(), space()).prop_map(
        |(comments, notes, doc, number, node, space)| {
            format!(
                "{comments}tree{space}\"TREE\"{notes} {{\n  blackboard {{ health f32 -0.0{doc}; mode enum \"idle\" \"alert\" default=alert; big u64 18446744073709551615; post u64; odd i32 -7\n }}\n params {{ pause f32 {number}{doc}; many u8 3; line text \"a\\n\\\"b\"; loud bool #true; huge u64 9007199254740993 }}\n world {{ alarm bool #true }}\n sequence {{ wait (param)pause; repeat (param)\"many\" {{ action \"say\" line=(param)line loud=(param)loud id=(param)huge; }}\n{node}\n}}\n}}\n"
            )
        },
    )
}

fn notes() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => Just(String::new()),
        1 => Just(" _uid=7".to_owned()),
        1 => string().prop_map(|text| format!(" _description=\"{text}\" _flag=#true")),
        1 => (prop::sample::select(vec![
            "_skipIf", "_successIf", "_while", "_failureIf", "_onSuccess", "_onHalted", "_post", "_kdl",
            "_autoremap", "__autoremap", "__shared_blackboard", "_property", "_answers_at_once", "_tag", "_", "__x", "_xmlns",
            "\"_odd name\"", "_a:b", "\"_\\u{1}\"", "_\u{aa}", "_ß", "\"_\\u{1680}\"",
        ]), string()).prop_map(|(name, text)| format!(" _uid=\"8\" {name}=\"{text}\" _z=1")),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => Just(String::new()),
        1 => string().prop_map(|text| format!(" name=\"{text}\"")),
    ]
}

fn guards() -> impl Strategy<Value = String> {
    prop_oneof![
        5 => Just(String::new()),
        1 => Just(" when=\"health < 0.3\"".to_owned()),
        1 => Just(" while=\"pause > 1 && !loud\" abort_when=alarm done-when=#false".to_owned()),
    ]
}

fn param() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "speed=4.0",
        "speed=4.5",
        "far=1e20",
        "count=-3",
        "slot=(u8)0xff",
        "slot=(u16)65_535",
        "big=(u64)18446744073709551615",
        "small=(f32)3",
        "line=\"halt!\\u{7}\"",
        "loud=#false",
        "to=(column)post",
        "sun=(world)alarm",
        "any=(from)health",
        "pace=(param)pause",
        "\"odd name\"=2",
        "key=\"{health}\"",
        "key=\"{other}\"",
        "key=\" {other}\"",
        "key=\"{=}\"",
        "word=\"5\"",
        "word=\" 5\"",
        "ID=3",
        "xmlns=\"x\"",
        "kdl=\"idle\"",
        "code=\"a := 1\"",
        "far=(param)huge",
    ])
    .prop_map(str::to_owned)
}

fn leaf() -> impl Strategy<Value = String> {
    let params = prop::collection::hash_set(param(), 0..3).prop_map(|params| {
        let mut seen = std::collections::HashSet::new();
        let params = params.into_iter();
        let own =
            params.filter(|param| seen.insert(param.split('=').next().unwrap_or("").to_owned()));
        own.collect::<Vec<_>>().join(" ")
    });
    let calls = (
        prop::sample::select(vec!["action", "task", "query", "persistent_action"]),
        string(),
        params,
        prop_oneof![
            Just(""),
            Just(" { param name (param)line; param \"when\" 2; param \"_x\" (column)\"post\"; }")
        ],
    );
    prop_oneof![
        Just("wait 2.50".to_owned()),
        Just("wait 0.1 (param)pause".to_owned()),
        Just("wait 25e-4 1_000".to_owned()),
        Just("condition \"health<0.3 || mode == mode.alert\"".to_owned()),
        Just("set odd -3".to_owned()),
        Just("set \"health\" 1.5".to_owned()),
        Just("set odd \"min(odd, 3) * 2\"".to_owned()),
        Just("set odd (param)many".to_owned()),
        Just("idle".to_owned()),
        Just("success \"fine\"".to_owned()),
        Just("subtree \"other\" speed=1.50 count=0x10 line=\"x\" big=(u64)3 pace=(param)pause@@ { map post=post \"odd one\"=health; param \"_y\" #true; }".to_owned()),
        Just("subtree \"t0\"".to_owned()),
        Just("subtree \"t0\" name=\"t0\"".to_owned()),
        Just("subtree \"\" name=\"\"".to_owned()),
        Just("subtree \"t1\"@@ { map health=odd; map \"a b\"=health; }".to_owned()),
        Just("subtree \"t1\" pause=\"{health}\" line=(param)line loud=0.10".to_owned()),
        Just("action \"say\" health=\"{big}\"".to_owned()),
        Just("query \"say\"".to_owned()),
        Just("action \"SetBlackboard\" output_key=\"odd\" value=5".to_owned()),
        Just("action \"SetBlackboard\" output_key=\"k\" value=\"{goal}\"".to_owned()),
        calls.prop_map(|(word, name, params, block)| format!("{word} \"{name}\" {params}@@{block}")),
    ]
}

fn node() -> impl Strategy<Value = String> {
    let named = (leaf(), guards(), notes(), comments(), end()).prop_map(
        |(leaf, guards, notes, comments, end)| {
            // Guards stand before the block.
            let (line, block) = leaf.split_once("@@").unwrap_or((&leaf, ""));
            format!("{comments}{line}{guards}{notes}{block}{end}")
        },
    );
    named.prop_recursive(4, 20, 4, |inner| {
        let word = prop::sample::select(vec![
            "sequence", "fallback", "parallel success=2 failure=all", "reactive_selector", "invert",
            "repeat 3 break_on_failure=#false", "retry", "timeout 1.25", "cooldown (param)pause",
            "when \"loud\"", "skip_if loud", "on-success odd \"odd + 1\"", "on_finish odd 3", "sequence keep=#true",
            "run_once then_skip=#true", "recovery 2", "rate-controller 0.5", "round-robin", "success-if #true", "if-then-else", "parallel failure=(param)many", "run-once",
        ]);
        let parent = (word, name(), guards(), notes(), prop::collection::vec(inner.clone(), 1..4), end(), comments());
        prop_oneof![
            4 => parent.prop_map(|(word, name, guards, notes, children, end, comments)| {
                // A node cannot have itself as a guard.
                let guards = if word.starts_with("when") { String::new() } else { guards };
                format!("{comments}{word}{name}{guards}{notes} {{\n{}}}{end}", children.concat())
            }),
            1 => (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| format!(
                "switch \"mode\" _uid=\"s\" {{\n case \"idle\" {{ {a}\n }}\n case \"alert\" {{\n{b}}}\n else {{ {c}\n }} }}\n"
            )),
        ]
    })
}
