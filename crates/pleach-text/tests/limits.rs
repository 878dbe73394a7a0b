//! What is bounded across a whole file, and what is said once however often it is found.

use pleach_text::{MAX_EXPR_BYTES, MAX_EXPRS_BYTES, parse, write};
use pleach_tree::{MAX_EXPR_DEPTH, Tree, condition};

/// An expression of exactly that many bytes.
fn padded(len: usize) -> String {
    format!("{:<len$}", "x < 1")
}

fn conditions(count: usize, len: usize) -> String {
    format!("condition \"{}\"\n", padded(len)).repeat(count)
}

#[test]
fn the_expressions_of_a_file_are_bounded_together() {
    let most = MAX_EXPRS_BYTES / MAX_EXPR_BYTES;
    let text = |count| {
        let nodes = conditions(count, MAX_EXPR_BYTES);
        format!("tree t {{\nblackboard {{\nx i32\n}}\nsequence {{\n{nodes}}}\n}}\n")
    };
    let document = parse("a.kdl", &text(most)).unwrap();
    assert_eq!(document.compile_main().unwrap().len(), most + 1);
    let errors = parse("a.kdl", &text(most + 5)).unwrap_err();
    assert_eq!(errors.len(), 1, "told once: {errors}");
    let first = errors.iter().next().unwrap();
    assert_eq!((first.line(), first.column()), (most + 6, 11));
    assert!(
        first.message().contains("more than 1048576 bytes"),
        "{errors}"
    );
    assert!(first.help().unwrap().contains("files of their own"));
    let long = format!("tree t {{ {} }}", conditions(1, MAX_EXPR_BYTES + 1));
    let errors = parse("a.kdl", &long).unwrap_err();
    assert!(errors.to_string().contains("allowed are 16384"), "{errors}");
}

#[test]
fn the_expressions_of_inlined_subtrees_count_each_time() {
    let text = |uses: usize| {
        format!(
            "tree a {{ sequence {{\n{} }} }}\ntree b {{ blackboard {{ x i32; }}\n {} }}",
            "subtree b\n".repeat(uses),
            conditions(1, MAX_EXPR_BYTES)
        )
    };
    // The tree `b` by itself counts too.
    let most = MAX_EXPRS_BYTES / MAX_EXPR_BYTES - 1;
    assert!(parse("a.kdl", &text(most)).is_ok());
    let errors = parse("a.kdl", &text(most + 1)).unwrap_err().to_string();
    assert!(
        errors.contains("inlined") && errors.contains("bytes of expressions"),
        "{errors}"
    );
}

#[test]
fn an_error_in_a_subtree_is_told_once_for_all_its_uses() {
    let text = format!(
        "tree main {{ sequence {{\n{}action go x=(column)lost\n}} }}\ntree sub {{ condition \"nope\" }}",
        "subtree sub\n".repeat(21)
    );
    let errors = parse("a.kdl", &text).unwrap().compile_main().unwrap_err();
    let lines: Vec<usize> = errors.iter().map(|error| error.line()).collect();
    assert_eq!((errors.len(), lines), (2, vec![23, 24 + 1]), "{errors}");
    // Found while inlining, and again in the tree by itself.
    let text = "tree main { sequence { subtree sub; subtree sub } }\ntree sub {\nblackboard { n u8; }\naction go x=(world)n\n}";
    let errors = parse("a.kdl", text).unwrap_err();
    assert_eq!(errors.len(), 1, "{errors}");
}

#[test]
fn many_cycles_through_a_long_chain_of_trees_cost_no_more_than_reading_them() {
    let (trees, uses) = (4_000, 2_000);
    let mut text = String::new();
    for at in 0..trees {
        text.push_str(&format!("tree t{at} {{ subtree t{} }}\n", at + 1));
    }
    let back = format!("subtree t{}\n", trees - 1).repeat(uses);
    text.push_str(&format!("tree t{trees} {{ sequence {{\n{back}}} }}"));
    let errors = parse("a.kdl", &text).unwrap_err();
    assert_eq!(errors.len(), uses);
    let help = errors.iter().next().unwrap().help().unwrap();
    let expected = "the cycle is `t3999` → `t4000` → `t3999`\n\
        `t3999` uses `t4000` at a.kdl:4000:14\n\
        `t4000` uses `t3999` at a.kdl:4002:1";
    assert_eq!(help, expected);
}

#[test]
fn an_expression_is_as_deep_in_text_as_in_trees() {
    let chain = |terms: usize| format!("x{} < 1", " + x".repeat(terms - 1));
    let text = |terms: usize| {
        format!(
            "tree t {{ blackboard {{ x i32; }}\n condition \"{}\" }}",
            chain(terms)
        )
    };
    let document = parse("a.kdl", &text(MAX_EXPR_DEPTH - 1)).unwrap();
    let again = parse("b.kdl", &write(document.main())).unwrap();
    assert_eq!(again.main(), document.main());
    let errors = parse("a.kdl", &text(MAX_EXPR_DEPTH)).unwrap_err();
    assert!(
        errors.to_string().contains("deeper than 128 levels"),
        "{errors}"
    );
}

#[test]
fn operators_may_be_written_as_words_or_signs() {
    let tree = |test: &str| -> Tree {
        let text = format!("tree t {{ blackboard {{ a bool; b bool; }}\n condition \"{test}\" }}");
        parse("a.kdl", &text).unwrap().main().clone()
    };
    assert_eq!(
        write(&tree("!a && b || a")),
        write(&tree("not a and b or a"))
    );
    let built = Tree::build("t")
        .column("a", false)
        .column("b", false)
        .root(condition("!a && b || a"));
    assert_eq!(write(&built), write(&tree("not a and b or a")));
}

#[test]
fn errors_that_nobody_described_are_not_counted() {
    let uses = "subtree sub;".repeat(20_000);
    let text = format!(
        "tree main {{ sequence {{ {uses} }} }}\ntree sub {{ blackboard {{ n u8; }}; sequence {{ condition \"nope\"; condition \"n\" }} }}"
    );
    let errors = parse("a.kdl", &text).unwrap().compile_main().unwrap_err();
    assert_eq!(errors.len(), 2, "{errors}");
    let shown = errors.to_string();
    assert!(
        shown.contains("\n\n2 errors; mend them and check again") && !shown.contains("not shown"),
        "{shown}"
    );
}

#[test]
fn includes_that_lead_nowhere_count_as_files() {
    let mut asked = 0;
    let mut nothing = |_: &str| {
        asked += 1;
        Err::<String, _>(pleach_text::LoadError::new("there is no such file"))
    };
    let includes: String = (0..5_000).map(|n| format!("include \"{n}\"\n")).collect();
    let text = format!("{includes}tree a {{ idle; }}");
    let place = pleach_text::FilePlace::new("a.kdl");
    let errors = pleach_text::parse_with(&place, &text, &mut nothing).unwrap_err();
    assert!(asked <= pleach_text::MAX_FILES, "{asked}");
    let last = errors.iter().last().unwrap();
    assert!(last.message().contains("more than 256 files"), "{errors}");
    assert!(errors.len() <= pleach_text::MAX_FILES, "{}", errors.len());
}
