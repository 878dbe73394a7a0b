//! Random order, switches, if and while.

use super::*;

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
