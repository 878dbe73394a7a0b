//! What is wrong with mapped names.

use super::*;

#[test]
fn wrong_mappings() {
    let used = |line: &str| {
        format!(
            "include \"b.kdl\"\ntree a {{\n params {{ own f32 1.0; }}\n blackboard {{ enemy u64; hp f32; sun f32; }}\n world {{ moon u64; }}\n sequence {{\n wait (param)own\n subtree patrol pause=1 {{\n{line}\n}}\n}}\n}}"
        )
    };
    let refused_use = |line: &str, part: &str, texts: &[&str]| {
        refused(&[("a.kdl", &used(line)), ("b.kdl", PATROL)], 0, part, texts);
    };
    refused_use(
        "map targt=enemy",
        "targt",
        &[
            "tree `patrol` declares no column or world value `targt`",
            "did you mean `target`?",
        ],
    );
    refused_use(
        "map enemy=target",
        "enemy=",
        &["declares no", "first the name of the subtree"],
    );
    refused_use(
        "map target=enmy",
        "target=enmy",
        &[
            "tree `a` declares no column or world value `enmy`",
            "did you mean `enemy`?",
            "b.kdl:8:18",
        ],
    );
    refused_use(
        "map target=hp",
        "target=hp",
        &[
            "`target` is a column `u64` in tree `patrol`, but `hp` is a column `f32` here",
            "b.kdl:8:18: the subtree's stands here",
            "a.kdl:4:26: this tree's stands here",
        ],
    );
    refused_use(
        "map target=moon",
        "target=moon",
        &["a world value `u64` here", "of the same type"],
    );
    refused_use(
        "map speed=hp",
        "speed=hp",
        &["`speed` is a parameter of tree `patrol`"],
    );
    refused_use(
        "map target=own",
        "target=own",
        &["declares no", "a parameter is a constant"],
    );
    refused_use(
        "map target=enemy target=enemy",
        "target=enemy\n",
        &["given twice"],
    );
    refused_use(
        "map target=enemy\nmap target=hp",
        "target=hp",
        &["mapped twice"],
    );
    refused_use(
        "map target enemy",
        "target enemy",
        &["properties only", "map target="],
    );
    refused_use("map", "map\n", &["maps nothing"]);
    refused_use(
        "map target=5",
        "5\n",
        &["expected the name of a column or world value"],
    );
    // Two onto one: each must agree with it.
    let text = "tree a { blackboard { x u8; }\n subtree b {\n map p=x q=x\n}\n}\ntree b { blackboard { p u8; q u16; }\n idle\n}";
    refused_text(
        text,
        "q=x",
        &["`q` is a column `u16`", "`x` is a column `u8`"],
    );
    // Unmapped, the same name must be declared alike; the error says that one can map.
    let text =
        "tree a { blackboard { x u8; }\n subtree b; }\ntree b { blackboard { x u16; }\n idle\n}";
    refused_text(
        text,
        "x u16",
        &[
            "a column `u8 0` in `a`",
            "`map` it",
            "the other stands here",
        ],
    );
    let text = "tree a { blackboard { x u8; y u16; }\n subtree b { map x=y; }; }\ntree b { blackboard { x u16; }\n condition \"x > 300\"\n}";
    opened(&[("a.kdl", text)]);
}
