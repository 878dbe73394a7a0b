//! Subtrees: of the same file and of others, with parameters and mapped names.

use std::cell::RefCell;
use std::collections::HashMap;

use pleach_text::{
    Diagnostics, Document, FilePlace, LoadError, MAX_FILES, MAX_PARAMS, MAX_TOTAL_BYTES,
    check_with, parse, parse_with, write,
};

/// Reads the first of some files, which include each other.
fn open(files: &[(&str, &str)]) -> Result<Document, Diagnostics> {
    let texts: HashMap<&str, &str> = files.iter().copied().collect();
    let mut loader = |path: &str| match texts.get(path) {
        Some(text) => Ok((*text).to_owned()),
        None => Err(LoadError::new("there is no such file")),
    };
    parse_with(&FilePlace::new(files[0].0), files[0].1, &mut loader)
}

/// A document that compiles.
#[track_caller]
fn opened(files: &[(&str, &str)]) -> Document {
    let document = open(files).unwrap_or_else(|errors| panic!("{errors}"));
    document
        .compile_main()
        .unwrap_or_else(|errors| panic!("{errors}"));
    document
}

/// The main tree as it would stand without subtrees.
#[track_caller]
fn same(files: &[(&str, &str)], plain: &str) {
    let document = opened(files);
    let plain = parse("plain.kdl", plain).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(write(document.main()), write(plain.main()));
    let again = parse("again.kdl", &write(document.main())).unwrap();
    assert_eq!(again.main(), document.main());
}

#[track_caller]
fn errors(files: &[(&str, &str)]) -> Diagnostics {
    match open(files) {
        Err(errors) => errors,
        Ok(document) => document.compile_main().expect_err("it is wrong"),
    }
}

/// Checks the first error: where it is (`part` of the file of that number), and that what is printed
/// of it, other places and help included, holds all the texts.
#[track_caller]
fn refused(files: &[(&str, &str)], file: usize, part: &str, texts: &[&str]) {
    let errors = errors(files);
    let first = errors.iter().next().unwrap();
    let (name, text) = files[file];
    let at = text.find(part).expect("the part stands in the text");
    let start = first.span().expect("it has a place").start;
    assert_eq!((first.file(), start), (name, at), "{errors}");
    for text in texts {
        assert!(first.to_string().contains(text), "{text}\n{errors}");
    }
}

/// The same for one file.
#[track_caller]
fn refused_text(text: &str, part: &str, texts: &[&str]) {
    refused(&[("a.kdl", text)], 0, part, texts);
}

const PATROL: &str = r#"
tree "patrol" {
    params {
        speed f32 1.5
        pause f32
        line text "all quiet"
    }
    blackboard { target u64; stamina f32 1.0; }
    sequence "round" {
        condition "stamina * speed > 0.5"
        action "walk" speed=(param)"speed" to=(column)"target"
        wait (param)"pause"
        action "say" line=(param)"line"
        set "stamina" "stamina - speed / 100.0"
    }
}
"#;

#[test]
fn a_tree_of_another_file_with_parameters_and_mapped_names() {
    let main = r#"
include "common/patrol.kdl"
tree "guard" {
    blackboard { enemy u64; }
    selector {
        subtree "patrol" speed=2 pause=0.3 name="north" { map target="enemy"; }
        subtree "patrol" pause=1
    }
}
"#;
    same(
        &[
            ("trees/guard.kdl", main),
            ("trees/common/patrol.kdl", PATROL),
        ],
        r#"
tree "guard" {
    blackboard { enemy u64; stamina f32 1.0; target u64; }
    selector {
        sequence "north" {
            condition "stamina * 2.0 > 0.5"
            action "walk" speed=2.0 to=(column)"enemy"
            wait 0.3
            action "say" line="all quiet"
            set "stamina" "stamina - 2.0 / 100.0"
        }
        sequence "round" {
            condition "stamina * 1.5 > 0.5"
            action "walk" speed=1.5 to=(column)"target"
            wait 1
            action "say" line="all quiet"
            set "stamina" "stamina - 1.5 / 100.0"
        }
    }
}
"#,
    );
}

#[test]
fn every_type_of_parameter_reaches_every_place() {
    same(
        &[(
            "a.kdl",
            r#"
tree "a" {
    sequence {
        subtree "b" flag=#true a=(u8)1 b=2 c=-3 d=0.1 e=18446744073709551615 t="x" { param "name" "n"; param "when" "w"; }
    }
}
tree "b" {
    params { flag bool; a u8; b u16; c i32; d f32; e u64; t text; name text; when text; }
    blackboard { id u64; n i32; ok bool; ammo u8; }
    sequence {
        condition "flag and id == e and n > c and a > 0"
        condition (param)"flag"
        set "ammo" (param)"a"
        set "n" "n - c"
        query "q" e=(param)"e" { param "name" (param)"name"; }
        task "t" a=(param)"a" b=(param)"b" c=(param)"c" d=(param)"d" w=(param)"when" t=(param)"t"
        persistent-action "p" flag=(param)"flag"
        wait (param)"d"
        wait (param)"b"
        parallel success=(param)"a" failure=(param)"b" { idle; idle }
    }
}
"#,
        )],
        r#"
tree "a" {
    blackboard { id u64; n i32; ok bool; ammo u8; }
    sequence {
        sequence "b" {
            condition "true and id == 18446744073709551615 and n > -3 and 1 > 0"
            condition #true
            set "ammo" 1
            set "n" "n - (-3)"
            query "q" e=(u64)18446744073709551615 { param "name" "n"; }
            task "t" a=(u8)1 b=(u16)2 c=-3 d=0.1 w="w" t="x"
            persistent-action "p" flag=#true
            wait 0.1
            wait 2
            parallel success=1 failure=2 { idle; idle }
        }
    }
}
"#,
    );
}

#[test]
fn parameters_are_passed_on_and_mappings_compose() {
    let main = r#"
include "b.kdl"
tree "a" {
    blackboard { foe u64; x i32; y i32; }
    subtree "b" fast=3.5 { map prey="foe" p="y" q="x"; }
}
"#;
    let b = r#"
include "c.kdl"
tree "b" {
    params { fast f32; }
    blackboard { prey u64; p i32; q i32; }
    sequence {
        action "mark" who=(column)"prey"
        subtree "c" speed=(param)"fast" { map target="prey" x="q" q="p"; }
        subtree "c" speed=1.0 { map x="p"; }
    }
}
"#;
    let c = r#"
tree "c" {
    params { speed f32; }
    blackboard { target u64; x i32; q i32; }
    sequence {
        action "go" to=(from)"target" speed=(param)"speed"
        condition "x < q and speed > 0.0"
        set "q" "x + p"
    }
}
"#;
    // `p` is declared by no one in `c`: it means what it means where `c` is used.
    same(
        &[("a.kdl", main), ("b.kdl", b), ("c.kdl", c)],
        r#"
tree "a" {
    blackboard { foe u64; x i32; y i32; target u64; }
    sequence "b" {
        action "mark" who=(column)"foe"
        sequence "c" {
            action "go" to=(column)"foe" speed=3.5
            condition "x < y and 3.5 > 0.0"
            set "y" "x + y"
        }
        sequence "c" {
            action "go" to=(column)"target" speed=1.0
            condition "y < x and 1.0 > 0.0"
            set "x" "y + y"
        }
    }
}
"#,
    );
}

#[test]
fn a_parameter_belongs_to_its_own_tree_only() {
    // The inner tree's free name is the column of the outer one, not the parameter in between.
    same(
        &[(
            "a.kdl",
            r#"
tree "a" { blackboard { speed i32; }; subtree "b" speed=7; }
tree "b" { params { speed i32; }; sequence { condition "speed > 1"; subtree "c"; } }
tree "c" { condition "speed > 2"; }
"#,
        )],
        r#"
tree "a" { blackboard { speed i32; }; sequence "b" { condition "7 > 1"; condition "speed > 2" name="c"; } }
"#,
    );
}

#[test]
fn a_file_is_read_once_and_files_may_include_each_other() {
    let counts: RefCell<Vec<String>> = RefCell::default();
    let mut loader = |path: &str| {
        counts.borrow_mut().push(path.to_owned());
        match path {
            "x/b.kdl" => Ok("include \"../a.kdl\"; include \"./c.kdl\"\ntree b { subtree c; }".into()),
            "x/c.kdl" => Ok("include \"b.kdl\"\ntree c { succeed; }\ntree c2 { subtree a2; }\ninclude \"../a.kdl\"".into()),
            _ => Err(LoadError::new("there is no such file")),
        }
    };
    let main = "include \"x/b.kdl\"\ninclude \"x/../x/b.kdl\"\ninclude \"x/c.kdl\"\ninclude \"x/c.kdl\"\ntree a { sequence { subtree b; subtree c; subtree c2; }; }\ntree a2 { fail; }";
    let document = parse_with(&FilePlace::new("a.kdl"), main, &mut loader)
        .unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(*counts.borrow(), ["x/b.kdl", "x/c.kdl"]);
    let names: Vec<&str> = document.trees().iter().map(|tree| tree.name()).collect();
    assert_eq!(names, ["a", "a2"], "those of the first file");
    let shape = document.compile("a").unwrap();
    assert_eq!(shape.len(), 4);
}

#[test]
fn trees_with_open_parameters_only_run_as_subtrees() {
    let document = open(&[(
        "a.kdl",
        "tree lib { params { n u8; }\n wait (param)n }\ntree main { subtree lib n=3; }",
    )])
    .unwrap();
    assert_eq!(document.main().name(), "main");
    assert_eq!(document.trees().len(), 1);
    let error = document.compile("lib").unwrap_err().to_string();
    assert!(
        error.contains("a.kdl:1:21") && error.contains("cannot run by itself"),
        "{error}"
    );
    // A default makes it run.
    let document = opened(&[("a.kdl", "tree lib { params { n u8 4; }\n wait (param)n }")]);
    assert_eq!(write(document.main()), "tree \"lib\" {\n    wait 4\n}\n");
    // A file of such trees is no document, but can be checked.
    let text = "tree lib { params { n u8; t text hey; }\n sequence { wait (param)n; action a t=(param)t } }";
    let errors = errors(&[("a.kdl", text)]).to_string();
    assert!(
        errors.contains("no tree of the file can run by itself"),
        "{errors}"
    );
    let none = &mut |_: &str| Err(LoadError::new("none"));
    let checked = check_with(&FilePlace::new("a.kdl"), text, none).unwrap();
    assert_eq!(checked.len(), 1);
    assert_eq!(checked[0].parameters, ["n u8", "t text `hey`"]);
    assert!(!checked[0].runs && checked[0].shape.len() == 3);
    let wrong = "tree lib { params { n u8; }\n condition \"n\"; }";
    let errors = check_with(&FilePlace::new("a.kdl"), wrong, none).unwrap_err();
    assert!(errors.to_string().contains("must be a bool"), "{errors}");
}

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

#[test]
fn a_cycle_through_three_files_is_written_out() {
    let files = [
        (
            "a.kdl",
            "include \"b.kdl\"\ntree a {\n  sequence { subtree b; }\n}",
        ),
        ("b.kdl", "include \"c.kdl\"\ntree b { subtree c; }"),
        (
            "c.kdl",
            "include \"a.kdl\"\ntree c {\n\n    invert { subtree a; }\n}",
        ),
    ];
    refused(
        &files,
        2,
        "subtree",
        &[
            "tree `a` contains itself",
            "the cycle is `a` → `b` → `c` → `a`",
            "`a` uses `b` at a.kdl:3:14",
            "`b` uses `c` at b.kdl:2:10",
            "`c` uses `a` at c.kdl:4:14",
        ],
    );
}

#[test]
fn errors_name_the_file_that_they_are_in() {
    let main = "include \"b.kdl\"\ntree a { subtree b; }";
    refused(
        &[("a.kdl", main), ("b.kdl", "tree b {\n  idel\n}")],
        1,
        "idel",
        &["b.kdl:2:3", "2 |   idel"],
    );
    refused(
        &[("a.kdl", main), ("b.kdl", "tree b {\n  idle")],
        1,
        "{",
        &["never closed"],
    );
    refused(
        &[
            ("a.kdl", main),
            ("b.kdl", "tree b {\n condition \"hp > 1\"\n}"),
        ],
        1,
        "hp",
        &[
            "unknown",
            "(as a subtree of `a`)",
            "::: a.kdl:2:10: used here",
        ],
    );
    refused(
        &[
            ("a.kdl", main),
            ("b.kdl", "tree a { idle; }\ntree b { idle; }"),
        ],
        1,
        "a {",
        &[
            "a second tree is named `a`",
            "::: a.kdl:2:6: the first stands here",
        ],
    );
    refused(
        &[
            (
                "a.kdl",
                "include \"b.kdl\"; include \"c.kdl\"\ntree a { subtree b; }",
            ),
            ("b.kdl", "tree b { subtree c; }"),
            ("c.kdl", "tree c { idle; }"),
        ],
        1,
        "subtree",
        &[
            "no tree is named `c`",
            "::: c.kdl:1:6",
            "`include` that file in this one",
        ],
    );
    refused(
        &[("a.kdl", main), ("b.kdl", "tree bb { idle; }")],
        0,
        "subtree",
        &["no tree is named `b`"],
    );
    // Errors of several files, the first file's first.
    let files = [
        ("a.kdl", "include \"b.kdl\"\n\n\n\ntree a { idel; }"),
        ("b.kdl", "tree b { idel; }"),
    ];
    let errors = errors(&files);
    let places: Vec<(&str, usize)> = errors
        .iter()
        .map(|error| (error.file(), error.line()))
        .collect();
    assert_eq!(places, [("a.kdl", 5), ("b.kdl", 1)]);
}

#[test]
fn wrong_includes() {
    let text = "include \"b.kdl\"\ntree a { idle; }";
    let errors = parse("a.kdl", text).unwrap_err().to_string();
    assert!(
        errors.contains("a.kdl:1:9") && errors.contains("without a way to load files"),
        "{errors}"
    );
    refused_text(text, "\"b.kdl\"", &["`b.kdl`: there is no such file"]);
    refused_text(
        "include\ntree a { idle; }",
        "include",
        &["needs the path of a file", "include \"common"],
    );
    refused_text(
        "include 5\ntree a { idle; }",
        "5",
        &["expected the path of a file"],
    );
    refused_text("include \"\"\ntree a { idle; }", "\"\"", &["is no path"]);
    refused_text(
        "include \"a\\u{0}\"\ntree a { idle; }",
        "\"a",
        &["is no path"],
    );
    let two = crate::errors(&[("a.kdl", "include a b\ntree a { idle; }")]).to_string();
    assert!(
        two.contains("`include` takes one argument, found 2"),
        "{two}"
    );
    for (include, message) in [
        ("include a x=1", "`include` has no property `x`"),
        ("include a { b; }", "`include` takes no children"),
    ] {
        let text = format!("{include}\ntree a {{ idle; }}");
        let shown = crate::errors(&[("a.kdl", &text)]).to_string();
        assert!(shown.contains(message), "{shown}");
    }
    let files = [
        ("a.kdl", "include \"b.kdl\""),
        ("b.kdl", "tree b { idle; }"),
    ];
    let only = crate::errors(&files).to_string();
    assert!(only.contains("holds no tree"), "{only}");
}

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
