//! What is wrong with parameters, at a use and where they are declared.

use super::*;

#[test]
fn wrong_parameters_at_a_use() {
    let used =
        |line: &str| format!("include \"b.kdl\"\ntree a {{ blackboard {{ c u8; }}\n {line}\n}}");
    let refused_use = |line: &str, part: &str, texts: &[&str]| {
        refused(&[("a.kdl", &used(line)), ("b.kdl", PATROL)], 0, part, texts);
    };
    refused_use(
        "subtree patrol",
        "subtree",
        &[
            "tree `patrol` needs its parameter `pause`",
            "::: b.kdl:5:9: declared here",
            "subtree \"patrol\" pause=…",
            "of type f32",
        ],
    );
    refused_use(
        "subtree patrol pause=1 sped=2.0",
        "sped",
        &["no parameter `sped`", "did you mean `speed`?"],
    );
    refused_use(
        "subtree patrol pause=1 colour=2.0",
        "colour",
        &["no parameter `colour`", "it has speed, pause, line"],
    );
    refused_use(
        "subtree patrol pause=1 stamina=2.0",
        "stamina",
        &["no parameter `stamina`", "map stamina=…"],
    );
    refused_use(
        "subtree patrol pause=#true",
        "#true",
        &[
            "a number of type f32, found `#true`",
            "b.kdl:5:9: declared here",
        ],
    );
    refused_use(
        "subtree patrol pause=1 line=5",
        "5\n",
        &["expected a text, found the number 5", "b.kdl:6:9"],
    );
    refused_use(
        "subtree patrol pause=(u8)1",
        "u8)",
        &["found the annotation `u8`"],
    );
    refused_use(
        "subtree patrol pause=(column)c",
        "c\n",
        &["given a column or world value", "map pause=…"],
    );
    refused_use(
        "subtree patrol pause=(param)c",
        "c\n",
        &["the tree has no parameter `c`", "params { … }"],
    );
    refused_use(
        "subtree patrol pause=1 pause=2",
        "pause=2",
        &["given twice"],
    );
    refused_use(
        "subtree patrol pause=1 {\n param pause 2\n}",
        "pause 2",
        &["given twice"],
    );
    refused_use(
        "subtree patrol pause=-1",
        "-1",
        &[
            "`pause` is -1.0, which is no time in seconds",
            "b.kdl:12:21: read here",
        ],
    );
    refused_use("subtree patrol 1", "1\n", &["takes one argument, found 2"]);
    refused_use(
        "subtree patrol pause=1 {\n idle\n}",
        "idle",
        &["a subtree takes no `idle`"],
    );
    let text = "tree a { subtree b n=-1; }\ntree b { params { n i32; }\n parallel success=(param)n { idle; }\n}";
    refused_text(
        text,
        "-1",
        &[
            "`n` is -1, which is no number of children",
            "a.kdl:3:26: read here",
            "at least 1",
        ],
    );
    let text = "tree a { subtree b n=2; }\ntree b { params { n i32; }\n parallel success=(param)n { idle; }\n}";
    refused_text(
        text,
        "parallel",
        &["allowed is 1 to 1", "(as a subtree of `a`)", "used here"],
    );
    let text = "tree a { subtree b n=2; }\ntree b { params { n i32; }\n subtree c m=(param)n\n}\ntree c { params { m u8; }\n wait (param)m\n}";
    refused_text(
        text,
        "m=(param)",
        &[
            "`m` is a parameter `u8`, but `n` is `i32`",
            "a.kdl:5:19: declared here",
            "same type",
        ],
    );
}

#[test]
fn wrong_declarations_of_parameters() {
    let tree = |params: &str, node: &str| {
        format!(
            "tree a {{\n blackboard {{ health f32; }}\n world {{ sun bool; }}\n params {{ {params}; }}\n {node}\n}}"
        )
    };
    let refused_tree = |params: &str, node: &str, part: &str, texts: &[&str]| {
        refused_text(&tree(params, node), part, texts);
    };
    refused_tree(
        "health f32 1.0",
        "condition \"health > 0.0\"",
        "health f32 1.0",
        &[
            "declared twice",
            "a.kdl:2:15: declared here first",
            "parameters share their names",
        ],
    );
    refused_tree(
        "sun bool",
        "condition sun",
        "sun bool; }\n condition",
        &["declared twice", "a.kdl:3:10"],
    );
    refused_tree(
        "n u8; n u8",
        "wait (param)n",
        "n u8; }",
        &["declared twice", "remove one"],
    );
    refused_tree(
        "n u8",
        "idle",
        "n u8",
        &[
            "nothing in the tree reads the parameter `n`",
            "(param)\"n\"",
        ],
    );
    refused_tree(
        "n u9",
        "idle",
        "u9",
        &["unknown type `u9`", "did you mean `u8`?"],
    );
    refused_tree(
        "n string",
        "idle",
        "string",
        &["unknown type", "f32, u64 and text"],
    );
    refused_tree("n", "idle", "n; }\n idle", &["needs a type", "n f32 1.0"]);
    refused_tree("n u8 300", "wait (param)n", "300", &["does not fit u8"]);
    refused_tree(
        "n text 300",
        "action a t=(param)n",
        "300",
        &["expected a text"],
    );
    refused_tree(
        "n u8 1 2",
        "wait (param)n",
        "2; }\n wait",
        &["takes 2 arguments, found 3"],
    );
    refused_tree("\"a b\" u8", "idle", "\"a b", &["cannot name a parameter"]);
    refused_tree("and u8", "idle", "and", &["cannot name a parameter"]);
    refused_tree(
        "t text x",
        "wait (param)t",
        "t\n}",
        &["`t` is a parameter `text`, not a time", "declared here"],
    );
    refused_tree(
        "t bool",
        "parallel success=(param)t { idle; }",
        "t { idle",
        &["not a number of children"],
    );
    refused_tree(
        "t text x",
        "condition \"t and sun\"",
        "t and",
        &["`t` is a parameter `text`, not a number"],
    );
    refused_tree(
        "t text x",
        "set health (param)t",
        "t\n}",
        &["not an expression"],
    );
    refused_tree(
        "t f32",
        "set t 1.0",
        "t 1.0",
        &["not a column, and cannot be set"],
    );
    refused_tree(
        "t f32",
        "action a x=(column)t",
        "t\n}",
        &["not a column or world value", "(param)\"t\""],
    );
    refused_tree("t f32", "wait (param)u", "u\n}", &["no parameter `u`"]);
    refused_tree(
        "t f32",
        "wait (param)5",
        "5\n}",
        &["expected a name behind `(param)`"],
    );
    let many: Vec<String> = (0..=MAX_PARAMS).map(|n| format!("p{n} u8")).collect();
    refused_tree(
        &many.join("; "),
        "idle",
        "p64",
        &["more than 64 parameters"],
    );
    refused_text("params { a u8; }", "params", &["stands inside the tree"]);
    refused_text(
        "tree a { sequence { params { a u8; }; } }",
        "params",
        &["directly inside `tree`"],
    );
    refused_text(
        "tree a { sequence { include x; } }",
        "include",
        &["beside trees"],
    );
    refused_text(
        "tree a { sequence { map x=y; } }",
        "map",
        &["inside a `subtree`"],
    );
    refused_text(
        "tree a { wait (param)t; }",
        "t; }",
        &["no parameter `t`", "params"],
    );
}

#[test]
fn either_time_of_a_wait_may_be_a_parameter() {
    let tree = |uses: &str, times: &str| {
        format!(
            "tree a {{ sequence {{\n {uses}\n}}\n}}\ntree b {{ params {{ from f32 1.5; to i32 4; }}\n sequence {{ condition \"from < to\"; wait {times}; }}\n}}"
        )
    };
    for (times, written) in [
        ("(param)from (param)to", "wait 1 4"),
        ("(param)from 9", "wait 1 9"),
        ("0.5 (param)to", "wait 0.5 4"),
    ] {
        let plain = format!(
            "tree a {{ sequence {{\n sequence b {{ condition \"1.0 < 4\"; {written}; }}\n}}\n}}"
        );
        let text = tree("subtree b from=1.0", times);
        same(&[("a.kdl", &text)], &plain);
    }
    // What is given is known only where the subtree is used.
    let text = tree("subtree b from=5.0", "(param)from (param)to");
    refused_text(
        &text,
        "wait (param)",
        &[
            "it would wait at least 5s and at most 4s",
            "(as a subtree of `a`)",
            "the shorter time comes first",
            "used here",
        ],
    );
    let text = tree("subtree b to=-1", "(param)from (param)to");
    refused_text(
        &text,
        "-1",
        &["`to` is -1, which is no time in seconds", "read here"],
    );
}
