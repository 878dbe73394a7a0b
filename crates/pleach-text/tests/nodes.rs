//! Every node that is more than a keyword with children: how it is written, and what is wrong with it.

use std::time::Duration;

use pleach_text::{Diagnostics, parse, write};
use pleach_tree::{
    NodeDef, Tree, abort_when, action, case, condition, cooldown, delay, done_when, fail, idle,
    if_then, if_then_else, otherwise, random_selector, random_sequence, repeat, repeat_regardless,
    repeat_until_failure, repeat_until_success, run_once, run_while, selector, sequence, succeed,
    switch, timeout, when, while_do, while_do_else,
};

const HEAD: &str = "    blackboard {\n        mode enum \"idle\" \"alert\" \"combat\" default=\"alert\"\n        armed bool\n        ammo u8 30\n        mood i32\n        health f32 1.0\n        id u64\n    }\n    world {\n        weather enum \"sun\" \"rain\"\n    }\n";

fn text(node: &str) -> String {
    format!("tree t {{\n{HEAD}{node}\n}}\n")
}

/// Checks that a text means a tree, and that the tree is read back as it is written.
#[track_caller]
fn means(node: &str, root: NodeDef) {
    let document = parse("a.kdl", &text(node)).unwrap_or_else(|errors| panic!("{errors}"));
    document
        .compile_main()
        .unwrap_or_else(|errors| panic!("{errors}"));
    let main = document.main();
    let tree = Tree::build("t")
        .with_columns(main.columns().iter().cloned())
        .with_world(main.world().iter().cloned())
        .root(root);
    assert_eq!(*main, tree, "{}", write(main));
    let written = write(main);
    let again = parse("b.kdl", &written).unwrap_or_else(|errors| panic!("{errors}\n{written}"));
    assert_eq!(again.main(), main, "{written}");
}

fn errors(node: &str) -> Diagnostics {
    match parse("a.kdl", &text(node)) {
        Err(errors) => errors,
        Ok(document) => document.compile_main().expect_err(node),
    }
}

/// Checks the first error: it stands at `part` of the node, and what is printed of it holds the texts.
#[track_caller]
fn refused(node: &str, part: &str, texts: &[&str]) {
    let errors = errors(node);
    let first = errors.iter().next().unwrap();
    let at = text("").len() - "\n}\n".len() + node.find(part).expect("the part stands in the node");
    assert_eq!(first.span().unwrap().start, at, "{errors}");
    for text in texts {
        assert!(first.to_string().contains(text), "no {text:?} in\n{errors}");
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

#[test]
fn random_nodes() {
    means(
        "random-sequence pick { idle; fail; }",
        random_sequence([idle(), fail()]).named("pick"),
    );
    means(
        "shuffled_selector { idle; fail; }",
        random_selector([idle(), fail()]),
    );
    refused("random-sequence", "random", &["at least one child"]);
    let many = format!("random-selector {{\n{}}}", "idle\n".repeat(65));
    refused(
        &many,
        "random",
        &["has 65 children, allowed are 64", "put some of them"],
    );
}

#[test]
fn switches() {
    means(
        r#"switch "mode" name="by mode" {
            case "alert" { action "look" }
            case "combat" when="1 > 0" {
            }
        }"#
        .replace(
            " when=\"1 > 0\" {\n            }",
            " { action \"fight\" name=\"f\"; }",
        )
        .as_str(),
        switch(
            "mode",
            [
                case("alert", action("look")),
                case("combat", action("fight").named("f")),
            ],
        )
        .named("by mode"),
    );
    means(
        "switch mood { case 2 { idle; }; case -3 { fail; }; else { succeed; } }",
        switch(
            "mood",
            [case(2, idle()), case(-3, fail()), otherwise(succeed())],
        ),
    );
    means(
        "switch armed { case #true { idle; }; case #false { fail; } }",
        switch("armed", [case(true, idle()), case(false, fail())]),
    );
    means(
        "switch weather { case rain { switch ammo { case 0 { fail; }; }; }; else { idle; }; }",
        switch(
            "weather",
            [
                case("rain", switch("ammo", [case(0, fail())])),
                otherwise(idle()),
            ],
        ),
    );
    let refused_in = |branches: &str, part: &str, texts: &[&str]| {
        refused(&format!("switch mode {{ {branches} }}"), part, texts);
    };
    refused_in("", "switch", &["the switch has no case", "write `case"]);
    refused_in(
        "else { idle; }",
        "switch",
        &["at least one case before its else"],
    );
    refused_in(
        "idle",
        "idle",
        &["has branches only, found `idle`", "around it"],
    );
    refused_in("cse alert { idle; }", "cse", &["did you mean `case`?"]);
    refused_in(
        "case alrt { idle; }",
        "alrt",
        &["`mode` has no label `alrt`", "did you mean `alert`?"],
    );
    refused_in(
        "case xyzzy { idle; }",
        "xyzzy",
        &["its labels are idle, alert, combat"],
    );
    refused_in(
        "case #true { idle; }",
        "#true",
        &["`mode` is `enum` and can never be `#true`", "its labels"],
    );
    refused_in("case 300 { idle; }", "300", &["can never be 300"]);
    refused_in(
        "case 1.5 { idle; }",
        "1.5",
        &["a case cannot be the number 1.5"],
    );
    refused_in(
        "case #null { idle; }",
        "#null",
        &["a case cannot be `#null`"],
    );
    refused_in(
        "case 3000000000 { idle; }",
        "3000000000",
        &["no value of a case", "allowed are -2147483648"],
    );
    refused_in("case (u8)1 { idle; }", "u8)", &["takes no type annotation"]);
    refused_in(
        "case { idle; }",
        "case",
        &["`case` needs a value", "case \"alert\" { … }"],
    );
    refused_in(
        "case alert x { idle; }",
        "x {",
        &["takes one argument, found 2"],
    );
    refused_in(
        "case alert name=x { idle; }",
        "name=x",
        &["no property `name`"],
    );
    refused_in("else x { idle; }", "x {", &["takes no argument, found 1"]);
    refused_in(
        "case alert",
        "case",
        &["exactly one node, found none", "succeed"],
    );
    refused_in(
        "case alert { idle; fail; }",
        "fail",
        &["exactly one node, found 2", "sequence"],
    );
    refused_in(
        "case alert { idle; }; case alert { fail; }",
        "alert { fail",
        &[
            "a second branch for the text `alert`",
            "the first stands here",
        ],
    );
    refused_in(
        "case alert { idle; }; else { idle; }; case combat { idle; }",
        "case combat",
        &[
            "nothing stands behind `else`",
            "the `else` stands here",
            "put it last",
        ],
    );
    refused_in(
        "case alert { idle; }; else { idle; }; else { fail; }",
        "else { fail",
        &["nothing stands behind `else`"],
    );
    refused(
        "switch { case 1 { idle; }; }",
        "switch",
        &["needs a column or world value"],
    );
    refused(
        "switch mod { case 1 { idle; }; }",
        "switch",
        &["unknown column or world value `mod`"],
    );
    refused(
        "switch health { case 1 { idle; }; }",
        "switch",
        &["`health` is f32", "u8, u16 or i32"],
    );
    refused(
        "switch id { case 1 { idle; }; }",
        "switch",
        &["`id` is u64"],
    );
    refused(
        "switch ammo { case 256 { idle; }; }",
        "256",
        &["`ammo` is `u8` and can never be 256", "0 to 255"],
    );
    refused(
        "switch ammo { case alert { idle; }; }",
        "alert",
        &["can never be the text `alert`"],
    );
    refused(
        "switch armed { case 1 { idle; }; }",
        "1 {",
        &["`#true` and `#false`"],
    );
    refused(
        "sequence { case 1 { idle; }; }",
        "case",
        &["unknown node `case`", "directly inside a `switch`"],
    );
    refused(
        "sequence { else { idle; }; }",
        "else",
        &["unknown node `else`", "directly inside"],
    );
}

#[test]
fn if_and_while() {
    let armed = || condition("armed");
    means(
        "if-then-else pick { condition armed; idle; fail; }",
        if_then_else(armed(), idle(), fail()).named("pick"),
    );
    means(
        "if_then_else { condition armed; idle; }",
        if_then(armed(), idle()),
    );
    means(
        "if-then-else {\n if { condition armed; }\n then { idle; }\n else { fail; }\n}",
        if_then_else(armed(), idle(), fail()),
    );
    means(
        "if-then-else {\n if { condition armed; }\n then { idle; }\n}",
        if_then(armed(), idle()),
    );
    means(
        "while-do-else {\n while { condition armed; }\n do { idle; }\n else { fail; }\n}",
        while_do_else(armed(), idle(), fail()),
    );
    // A `while` with an expression is the guard.
    means(
        "while-do-else {\n while armed { succeed; }\n idle\n}",
        while_do(run_while(succeed(), "armed"), idle()),
    );
    for node in ["if-then-else", "while-do-else"] {
        refused(
            &format!("{node} {{ idle; }}"),
            node,
            &["needs two or three children, found 1"],
        );
        refused(
            &format!("{node} {{ idle; idle; idle; idle; }}"),
            node,
            &[
                "needs two or three children, found 4",
                "the first is the test",
            ],
        );
        refused(node, node, &["needs two or three children, found 0"]);
    }
    let refused_in = |blocks: &str, part: &str, texts: &[&str]| {
        refused(&format!("if-then-else {{ {blocks} }}"), part, texts);
    };
    refused_in("if { idle; }", "if-then", &["there is no `then { … }`"]);
    refused_in(
        "then { idle; }; if { idle; }",
        "then { idle",
        &["expected `if { … }`, found `then`", "in this order"],
    );
    refused_in(
        "if { idle; }; else { idle; }",
        "else { idle",
        &["expected `then { … }`, found `else`"],
    );
    refused_in(
        "if { idle; }; idle",
        "idle }",
        &["expected `then { … }`, found `idle`"],
    );
    refused_in(
        "if { idle; }; then { idle; }; else { idle; }; else { fail; }",
        "else { fail",
        &["found `else` behind `else`"],
    );
    refused_in(
        "if { idle; fail; }; then { idle; }",
        "fail",
        &["exactly one node, found 2"],
    );
    refused_in(
        "if { idle; }; then",
        "then }",
        &["exactly one node, found none"],
    );
}

#[test]
fn loops() {
    means("repeat 3 { idle; }", repeat(idle(), 3));
    means("repeat name=r { idle; }", repeat(idle(), None).named("r"));
    means(
        "repeat 2 break-on-failure=#false { idle; }",
        repeat_regardless(idle(), 2),
    );
    means(
        "loop break_on_failure=#true { idle; }",
        repeat(idle(), None),
    );
    means(
        "repeat-until-failure 3 { idle; }",
        repeat_until_failure(idle(), 3),
    );
    means(
        "repeat_until_failure { idle; }",
        repeat_until_failure(idle(), None),
    );
    means(
        "repeat-until-success 4294967295 { idle; }",
        repeat_until_success(idle(), u32::MAX),
    );
    means("retry 3 { idle; }", repeat_until_success(idle(), 3));
    for node in ["repeat", "repeat-until-failure", "repeat-until-success"] {
        for times in ["0", "-1", "4294967296"] {
            let text = format!("{node} {times} {{ idle; }}");
            refused(
                &text,
                times,
                &["is no number of times", "allowed are 1 to 4294967295"],
            );
        }
        refused(
            &format!("{node} 1.5 {{ idle; }}"),
            "1.5",
            &["found the number 1.5", "allowed are 1"],
        );
        refused(
            &format!("{node} #inf {{ idle; }}"),
            "#inf",
            &["expected a number of times"],
        );
        refused(
            &format!("{node} often {{ idle; }}"),
            "often",
            &["the text `often`", "`name=`"],
        );
        refused(
            &format!("{node} (u8)1 {{ idle; }}"),
            "u8)",
            &["no type annotation"],
        );
        refused(
            &format!("{node} 1 2 {{ idle; }}"),
            "2 {",
            &["takes one argument"],
        );
        refused(&format!("{node} 1"), node, &["exactly one child, found 0"]);
        refused(
            &format!("{node} 1 {{ idle; fail; }}"),
            node,
            &["exactly one child, found 2"],
        );
    }
    refused(
        "repeat break-on-failure=1 { idle; }",
        "1 {",
        &["a truth value", "#true"],
    );
    refused(
        "repeat brake-on-failure=1 { idle; }",
        "brake",
        &["did you mean `break-on-failure`?"],
    );
    refused(
        "retry break-on-failure=#true { idle; }",
        "break",
        &["no property `break-on-failure`"],
    );
}

#[test]
fn times() {
    means("cooldown 2.5 { idle; }", cooldown(idle(), seconds(2.5)));
    means(
        "timeout 0.1 name=t { idle; }",
        timeout(idle(), Duration::from_millis(100)).named("t"),
    );
    means("delay 1 { idle; }", delay(idle(), seconds(1.0)));
    means("time-limit 0 { idle; }", timeout(idle(), Duration::ZERO));
    means("run-once here { idle; }", run_once(idle()).named("here"));
    for node in ["cooldown", "timeout", "delay"] {
        for time in [
            "-1",
            "-0.5",
            "#nan",
            "#inf",
            "#-inf",
            "1e300",
            "9999999999999",
        ] {
            let text = format!("{node} {time} {{ idle; }}");
            refused(
                &text,
                time,
                &["is no time", "allowed are 0 to 1152921504606 seconds"],
            );
        }
        refused(
            &format!("{node} \"2\" {{ idle; }}"),
            "\"2\"",
            &[
                "expected a time in seconds, found the text `2`",
                &format!("`{node} 2.5`"),
            ],
        );
        refused(
            &format!("{node} {{ idle; }}"),
            node,
            &["needs a time", &format!("{node} 2.5 {{ … }}")],
        );
        refused(&format!("{node} 1"), node, &["exactly one child, found 0"]);
        refused(
            &format!("{node} 1 {{ idle; fail; }}"),
            node,
            &["found 2", "sequence"],
        );
        refused(
            &format!("{node} 1 2 {{ idle; }}"),
            "2 {",
            &["takes one argument"],
        );
    }
    refused("run-once", "run", &["exactly one child"]);
}

#[test]
fn guards() {
    means("when armed { idle; }", when(idle(), "armed"));
    means(
        "while \"health > 0.5\" name=w { idle; }",
        run_while(idle(), "health > 0.5").named("w"),
    );
    means("done-when armed { idle; }", done_when(idle(), "armed"));
    means(
        "abort_when \"mode == mode.combat\" { idle; }",
        abort_when(idle(), "mode == mode.combat"),
    );
    // As properties, whatever their order: abort-when outermost, when innermost, the name inside.
    means(
        "sequence work when=armed abort_when=\"ammo == 0\" while=\"health > 0.5\" done-when=\"mood > 3\" { idle; }",
        abort_when(
            run_while(
                done_when(when(sequence([idle()]).named("work"), "armed"), "mood > 3"),
                "health > 0.5",
            ),
            "ammo == 0",
        ),
    );
    means(
        "selector {\n action go when=armed speed=1.0 {\n param when 3\n param abort_when 4\n }\n wait 1 while=#true\n when armed while=armed { idle; }\n}",
        selector([
            when(
                action("go")
                    .param("speed", 1.0f32)
                    .param("when", 3)
                    .param("abort_when", 4),
                "armed",
            ),
            run_while(pleach_tree::wait(seconds(1.0)), true),
            run_while(when(idle(), "armed"), "armed"),
        ]),
    );
    for node in ["when", "while", "done-when", "abort-when"] {
        refused(
            &format!("{node} {{ idle; }}"),
            node,
            &["needs an expression"],
        );
        refused(
            &format!("{node} \"helth > 1\" {{ idle; }}"),
            "helth",
            &["did you mean `health`?"],
        );
        refused(
            &format!("{node} ammo {{ idle; }}"),
            "ammo",
            &["must be a bool"],
        );
        refused(&format!("{node} armed"), node, &["exactly one child"]);
        refused(
            &format!("{node} armed {{ idle; fail; }}"),
            node,
            &["exactly one child, found 2"],
        );
        refused(
            &format!("idle {node}=\"helth > 1\""),
            "helth",
            &["did you mean `health`?"],
        );
        refused(&format!("idle {node}=ammo"), "ammo", &["must be a bool"]);
        refused(&format!("idle {node}=\"1 < )\""), ")", &["expected"]);
        refused(
            &format!("idle {node}=armed {node}=#true"),
            &format!("{node}=#true"),
            &["given twice"],
        );
        refused(
            &format!("{node} armed {node}=armed {{ idle; }}"),
            &format!("{node}=armed"),
            &["has itself as a guard", "join the expressions"],
        );
    }
    refused(
        "idle done-when=armed done_when=armed",
        "done_when",
        &["guard `done-when` is given twice", "`and`"],
    );
    refused("idle when=#null", "#null", &["expected an expression"]);
    refused(
        "switch armed { case #true when=armed { idle; }; }",
        "when",
        &["no property `when`"],
    );
}

#[test]
fn guards_of_subtrees() {
    let read = |text: &str| parse("a.kdl", text).unwrap_or_else(|errors| panic!("{errors}"));
    let document = read(
        "tree a { blackboard { x bool; }\n sequence {\n subtree b when=x name=first\n subtree b\n subtree c while=x\n} }\ntree b { fail while=x name=inner; }\ntree c { idle; }",
    );
    document.compile_main().unwrap();
    let tree = document.main();
    let paths: Vec<String> = tree.nodes().map(|node| tree.path(node.id)).collect();
    assert_eq!(
        paths,
        [
            "a",
            "a/when-1",
            "a/when-1/while-1",
            "a/when-1/while-1/first",
            "a/while-2",
            "a/while-2/inner",
            "a/while-3",
            "a/while-3/c"
        ]
    );
}

#[test]
fn enumerations() {
    let document = parse("a.kdl", &text("set mode mode.idle")).unwrap();
    document.compile_main().unwrap();
    let (columns, world) = (document.main().columns(), document.main().world());
    assert_eq!(columns[0].labels, ["idle", "alert", "combat"]);
    assert_eq!(columns[0].default, pleach_tree::Value::U8(1));
    assert_eq!(world[0].labels, ["sun", "rain"]);
    assert_eq!(world[0].default, pleach_tree::Value::U8(0));
    means(
        "condition \"mode == mode.combat or weather != weather.rain\"",
        condition("mode == mode.combat or weather != weather.rain"),
    );

    let declared = |line: &str, part: &str, texts: &[&str]| {
        let text = format!("tree t {{\n blackboard {{\n{line}\n}}\n idle\n}}");
        let errors = match parse("a.kdl", &text) {
            Err(errors) => errors,
            Ok(document) => document.compile_main().expect_err(line),
        };
        let first = errors.iter().next().unwrap();
        assert_eq!(
            first.span().unwrap().start,
            text.find(part).unwrap(),
            "{errors}"
        );
        for text in texts {
            assert!(first.to_string().contains(text), "no {text:?} in\n{errors}");
        }
    };
    declared(
        "mode enum",
        "mode",
        &["has no labels", "mode enum \"idle\" \"alert\""],
    );
    declared(
        "mode enum a b a",
        "a\n}",
        &["the label `a` is there twice", "the first stands here"],
    );
    declared(
        "mode enum a 5",
        "5",
        &["expected a label, found the number 5"],
    );
    declared("mode enum \"a b\"", "\"a b", &["cannot name a label"]);
    declared("mode enum a.b", "a.b", &["cannot name a label"]);
    declared(
        "mode enum a b default=xyzzy",
        "xyzzy",
        &["`xyzzy` is no label", "its labels are a, b"],
    );
    declared(
        "mode enum alert b default=alrt",
        "alrt",
        &["did you mean `alert`?"],
    );
    declared(
        "mode enum a b default=1",
        "1\n}",
        &["expected a label, found the number 1"],
    );
    declared(
        "mode enum a b dfault=b",
        "dfault",
        &["did you mean `default`?"],
    );
    declared("ammo u8 1 default=b", "default", &["no property `default`"]);
    declared(
        "mode enun a",
        "enun",
        &["unknown type `enun`", "did you mean `enum`?"],
    );
    declared(
        "mode enum a\n\"mode.a\" u8",
        "\"mode.a",
        &["declared twice"],
    );
    let many: Vec<String> = (0..257).map(|n| format!("l{n}")).collect();
    declared(
        &format!("mode enum {}", many.join(" ")),
        "l256",
        &["more than 256 labels", "u16"],
    );
    refused(
        "condition \"mode == mode.alrt\"",
        "mode.alrt",
        &["did you mean `mode.alert`?"],
    );
}

#[test]
fn parameters_and_mappings_reach_the_new_nodes() {
    let text = r#"
tree a {
    blackboard { state enum "x" "y"; far bool; n u8; }
    subtree b pause=0.3 times=4 most=2 ok=#true {
        map mode="state" near="far" count="n"
    }
}
tree b {
    params { pause f32; times u8; most i32; ok bool; }
    blackboard { mode enum "x" "y"; near bool; count u8; }
    sequence while="near and ok" {
        cooldown (param)pause { idle; }
        timeout (param)pause { idle; }
        delay (param)times { idle; }
        repeat (param)times { idle; }
        repeat-until-failure (param)most { idle; }
        retry (param)most { idle; }
        switch mode { case y { idle; }; case x { condition "mode == mode.x"; } }
        switch count { case 7 { idle; }; }
        when (param)ok { idle; }
        action go what=(from)mode.y
    }
}
"#;
    let plain = r#"
tree a {
    blackboard { state enum "x" "y"; far bool; n u8; }
    while "far and true" {
        sequence b {
            cooldown 0.3 { idle; }
            timeout 0.3 { idle; }
            delay 4 { idle; }
            repeat 4 { idle; }
            repeat-until-failure 2 { idle; }
            retry 2 { idle; }
            switch state { case y { idle; }; case x { condition "state == state.x"; } }
            switch n { case 7 { idle; }; }
            when #true { idle; }
            action go what=(from)state.y
        }
    }
}
"#;
    let read = |text: &str| parse("a.kdl", text).unwrap_or_else(|errors| panic!("{errors}"));
    let document = read(text);
    document
        .compile_main()
        .unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(write(document.main()), write(read(plain).main()));

    let refused = |from: &str, to: &str, part: &str, texts: &[&str]| {
        let text = text.replacen(from, to, 1);
        let errors = match parse("a.kdl", &text) {
            Err(errors) => errors,
            Ok(document) => document.compile_main().expect_err(to),
        };
        let first = errors.iter().next().unwrap();
        assert_eq!(
            first.span().unwrap().start,
            text.find(part).unwrap(),
            "{errors}"
        );
        for text in texts {
            assert!(first.to_string().contains(text), "no {text:?} in\n{errors}");
        }
    };
    refused(
        "times=4",
        "times=0",
        "0 most",
        &["`times` is 0, which is no number of times", "read here"],
    );
    refused(
        "most=2",
        "most=-2",
        "-2",
        &["`most` is -2, which is no number of times"],
    );
    refused(
        "pause=0.3",
        "pause=-0.3",
        "-0.3",
        &["which is no time in seconds"],
    );
    refused(
        "state enum \"x\" \"y\"",
        "state enum \"x\" \"z\"",
        "mode=",
        &["`enum x, y`", "`enum x, z`"],
    );
    refused(
        "switch mode {",
        "switch ok {",
        "ok { case",
        &["`ok` is a parameter `bool`, which never changes"],
    );
    refused(
        "repeat (param)times",
        "repeat (param)pause",
        "pause { idle; }\n        repeat-",
        &["not a number of times"],
    );
    refused(
        "case y",
        "case (param)ok",
        "param)ok { idle; }; case",
        &["a case cannot be a parameter"],
    );
    refused(
        "case y",
        "case z",
        "z { idle; }; case",
        &["`state` has no label `z`"],
    );
    refused(
        "case 7",
        "case 700",
        "700 {",
        &["`n` is `u8` and can never be 700"],
    );
}
