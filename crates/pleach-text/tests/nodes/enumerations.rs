//! Enumerations, and what parameters and mappings make of the nodes.

use super::*;

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

#[test]
fn a_list_of_what_is_declared_names_no_labels() {
    let errors = errors("condition zz").to_string();
    assert!(errors.contains("declared are "), "{errors}");
    assert!(
        errors.contains(" mode, ") && !errors.contains("mode."),
        "{errors}"
    );
    // One that is meant is found all the same.
    refused(
        "condition \"mode == mode.comba\"",
        "mode.comba",
        &["did you mean `mode.combat`?"],
    );
}

#[test]
fn truth_values_are_written_as_kdl_has_them() {
    let text = "tree t { blackboard { on bool; }; set on 3 }";
    let errors = parse("a.kdl", text).unwrap().compile_main().unwrap_err();
    assert!(errors.to_string().contains("`#true`"), "{errors}");
}
