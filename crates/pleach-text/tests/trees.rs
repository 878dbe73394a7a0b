//! The trees that ship with the project are read, compile, and survive being written.

use std::path::Path;

use pleach_text::{FilePlace, LoadError, parse, parse_with, write_all};

#[test]
fn every_tree_file_compiles_and_survives_being_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../trees");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "kdl") {
            continue;
        }
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut included = |path: &str| {
            std::fs::read_to_string(path).map_err(|error| LoadError::new(error.to_string()))
        };
        let document = parse_with(&FilePlace::new(&*name), &text, &mut included)
            .unwrap_or_else(|errors| panic!("{errors}"));
        for tree in document.trees() {
            document
                .compile(tree.name())
                .unwrap_or_else(|errors| panic!("{errors}"));
        }
        let written = write_all(document.trees());
        assert_eq!(
            parse(&name, &written).unwrap().trees(),
            document.trees(),
            "{name}"
        );
        files += 1;
    }
    assert!(files >= 5, "{files} files");
}

#[test]
fn the_stream_example_has_the_numbers_that_its_names_say() {
    let document = parse(
        "stream_example.kdl",
        include_str!("../../../trees/stream_example.kdl"),
    )
    .unwrap();
    let tree = document.main();
    let names: Vec<String> = tree.nodes().filter_map(|node| node.name.clone()).collect();
    assert_eq!(
        names,
        (0..13).map(|number| number.to_string()).collect::<Vec<_>>()
    );
    let shape = document.compile_main().unwrap();
    let ends: Vec<u32> = [0, 1, 4].map(|index| shape.plain()[index].end).into();
    assert_eq!(
        ends,
        [13, 4, 12],
        "nodes 0, 1 and 4 span 0-12, 1-3 and 4-11"
    );
}

#[test]
fn the_guard_is_a_reactive_selector_of_seventeen_nodes() {
    let document = parse("guard.kdl", include_str!("../../../trees/guard.kdl")).unwrap();
    assert_eq!(document.compile_main().unwrap().len(), 17);
}
