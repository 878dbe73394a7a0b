//! What subtrees become: parameters, mapped names, other files.

use super::*;

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
