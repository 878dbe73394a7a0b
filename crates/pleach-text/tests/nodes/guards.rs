//! Guards, as nodes and as properties.

use super::*;

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
