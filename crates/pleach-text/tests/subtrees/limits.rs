//! Limits of files, and of what is put in place.

use super::*;

#[test]
fn files_are_limited_in_number_and_bytes() {
    // Each file includes the next one, without an end.
    let mut endless = |path: &str| {
        let number: usize = path.trim_end_matches(".kdl").parse().unwrap_or(0);
        Ok(format!(
            "include \"{}.kdl\"\ntree t{number} {{ idle; }}",
            number + 1
        ))
    };
    let main = "include \"1.kdl\"\ntree a { idle; }";
    let errors = parse_with(&FilePlace::new("a.kdl"), main, &mut endless).unwrap_err();
    assert_eq!(errors.len(), 1, "{errors}");
    let first = errors.iter().next().unwrap();
    assert_eq!(first.file(), format!("{}.kdl", MAX_FILES - 1));
    assert!(first.message().contains("more than 256 files"), "{errors}");

    let mut large = |_: &str| Ok(format!("{}\n", "\n".repeat(4_000_000)));
    let includes: String = (0..9).map(|n| format!("include \"{n}.kdl\"\n")).collect();
    let main = format!("{includes}tree a {{ idle; }}");
    let errors = parse_with(&FilePlace::new("a.kdl"), &main, &mut large).unwrap_err();
    assert_eq!(errors.len(), 1, "{errors}");
    let first = errors.iter().next().unwrap();
    assert_eq!((first.file(), first.line()), ("a.kdl", 3), "{errors}");
    assert!(
        first
            .message()
            .contains(&format!("allowed are {MAX_TOTAL_BYTES}")),
        "{errors}"
    );

    let mut long = |_: &str| Ok(" ".repeat((4 << 20) + 1));
    let main = "include \"b.kdl\"\ntree a { idle; }";
    let errors = parse_with(&FilePlace::new("a.kdl"), main, &mut long).unwrap_err();
    assert!(
        errors.to_string().contains("allowed are 4194304"),
        "{errors}"
    );
}

#[test]
fn what_parameters_and_names_put_in_place_is_limited() {
    // A text given once and read often.
    let long = "x".repeat(1 << 20);
    let nodes = "action a x=(param)t\n".repeat(1000);
    let text = format!(
        "tree a {{ subtree b t={long}; }}\ntree b {{ params {{ t text; }}\n sequence {{\n{nodes} }}\n}}"
    );
    let shown = errors(&[("a.kdl", &text)]).to_string();
    assert!(
        shown.contains("more than 67108864 bytes of text"),
        "{shown}"
    );
    // A long name in place of a short one.
    let name = "n".repeat(250);
    let params: String = (0..30).map(|n| format!(" p{n}=(from)x")).collect();
    let nodes = format!("action a{params}\n").repeat(1000);
    let uses = format!("subtree b {{\n map x={name}\n}}\n").repeat(10);
    let text = format!(
        "tree a {{ blackboard {{ {name} i32; }}\n sequence {{\n{uses} }}\n}}\ntree b {{ blackboard {{ x i32; }}\n sequence {{\n{nodes} }}\n}}"
    );
    let shown = errors(&[("a.kdl", &text)]).to_string();
    assert!(
        shown.contains("more than 67108864 bytes of text"),
        "{shown}"
    );
    // Each inner use holds the names that the outer one maps.
    let names: String = (0..2_000).map(|n| format!("x{n} i32\n")).collect();
    let maps: String = (0..2_000).map(|n| format!(" x{n}=y")).collect();
    let uses = "subtree c { map z=x0; }\n".repeat(1_000);
    let text = format!(
        "tree a {{ blackboard {{ y i32; }}\n subtree b {{\n map{maps}\n}}\n}}\ntree b {{ blackboard {{\n{names}}}\n sequence {{\n{uses} }}\n}}\ntree c {{ blackboard {{ z i32; }}\n set z 1\n}}"
    );
    let shown = errors(&[("a.kdl", &text)]).to_string();
    assert!(shown.contains("more than 1048576 mapped names"), "{shown}");
    // Parameters count as declarations, each time.
    let params: Vec<String> = (0..MAX_PARAMS).map(|n| format!("p{n} i32 1")).collect();
    let reads: String = (0..MAX_PARAMS)
        .map(|n| format!(" p{n}=(param)p{n}"))
        .collect();
    let uses = "subtree b\n".repeat((1 << 20) / MAX_PARAMS);
    let text = format!(
        "tree a {{ sequence {{\n{uses} }}; }}\ntree b {{ params {{ {} }}\n action a{reads}\n}}",
        params.join("; "),
    );
    let shown = errors(&[("a.kdl", &text)]).to_string();
    assert!(
        shown.contains("more than 1048576 nodes and declarations"),
        "{shown}"
    );
}

#[test]
fn many_uses_that_map_many_names_take_no_time_out_of_proportion() {
    let names: String = (0..2_000).map(|n| format!("x{n} i32\n")).collect();
    let maps: Vec<String> = (0..200).map(|n| format!("x{n}=x{}", n + 1)).collect();
    let uses = format!("subtree b {{\n map {}\n}}\n", maps.join(" ")).repeat(400);
    let text = format!(
        "tree a {{ blackboard {{\n{names}}}\n sequence {{\n{uses} }}\n}}\ntree b {{ blackboard {{\n{names}}}\n condition \"x0 > 1\"\n}}"
    );
    let document = opened(&[("a.kdl", &text)]);
    assert_eq!(document.main().columns().len(), 2_000);
    assert_eq!(document.main().len(), 401);
}
