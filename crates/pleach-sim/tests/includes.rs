//! Trees of several files, in a file system.

use std::path::{Path, PathBuf};
use std::process::Command;

use pleach_sim::{Scenario, check_trees, open_trees};

/// A folder of its own, gone when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("includes-{name}"));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("common")).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const PATROL: &str =
    "tree patrol { params { pause f32; }; sequence { action walk; wait (param)pause; }; }";

/// What is said about a tree file that includes `path`.
fn refused(folder: &Folder, path: &str) -> String {
    let text = format!("\ninclude {path:?}\ntree a {{ idle; }}");
    let main = folder.write("main.kdl", text);
    let shown = open_trees(&main).unwrap_err().to_string();
    assert!(shown.contains("main.kdl:2:9\n"), "{shown}");
    shown
}

#[test]
fn paths_are_relative_to_the_including_file() {
    let folder = Folder::new("paths");
    folder.write(
        "common/patrol.kdl",
        format!("include \"../shared.kdl\"\n{PATROL}"),
    );
    folder.write("shared.kdl", "tree shared { succeed; }");
    let absolute = folder.0.join("shared.kdl");
    let text = format!(
        "include \"common/patrol.kdl\"\ninclude \"common/../common/./patrol.kdl\"\ninclude {absolute:?}\ntree a {{ sequence {{ subtree patrol pause=0.5; subtree shared; }}; }}"
    );
    let main = folder.write("main.kdl", text);
    let document = open_trees(&main).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(document.compile_main().unwrap().len(), 5);
    let checked = check_trees(&folder.0.join("common/patrol.kdl")).unwrap();
    assert_eq!((checked.len(), checked[0].runs), (1, false));
}

#[test]
fn a_file_that_includes_the_first_one_does_not_read_it_again() {
    let folder = Folder::new("circle");
    folder.write(
        "common/b.kdl",
        "include \"../main.kdl\"\ntree b { subtree leaf; }",
    );
    let main = folder.write(
        "main.kdl",
        "include \"common/b.kdl\"\ntree a { subtree b; }\ntree leaf { idle; }",
    );
    let document = open_trees(&main).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(document.trees().len(), 2);
}

#[cfg(unix)]
#[test]
fn a_link_is_the_file_that_it_leads_to() {
    let folder = Folder::new("links");
    folder.write("common/patrol.kdl", "tree patrol { action walk; }");
    std::os::unix::fs::symlink("common/patrol.kdl", folder.0.join("link.kdl")).unwrap();
    let main = folder.write(
        "main.kdl",
        "include \"link.kdl\"; include \"common/patrol.kdl\"\ntree a { subtree patrol; }",
    );
    assert!(open_trees(&main).is_ok());
    std::os::unix::fs::symlink("round.kdl", folder.0.join("round.kdl")).unwrap();
    let shown = refused(&folder, "round.kdl");
    assert!(shown.contains("cannot be read"), "{shown}");
}

#[cfg(unix)]
#[test]
fn a_pipe_or_device_is_no_file_to_include() {
    let folder = Folder::new("pipes");
    let pipe = folder.0.join("pipe.kdl");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for path in ["pipe.kdl", "/dev/zero"] {
        let shown = refused(&folder, path);
        assert!(shown.contains("no regular file"), "{shown}");
    }
}

#[test]
fn what_cannot_be_read_is_told_where_it_is_included() {
    let folder = Folder::new("unreadable");
    let shown = refused(&folder, "nowhere.kdl");
    assert!(shown.contains("there is no such file"), "{shown}");
    assert!(shown.contains("help: the path leads to"), "{shown}");
    let shown = refused(&folder, "common");
    assert!(shown.contains("a folder, not a file"), "{shown}");
    folder.write("bytes.kdl", b"tree \xff");
    let shown = refused(&folder, "bytes.kdl");
    assert!(shown.contains("not UTF-8"), "{shown}");
    folder.write("long.kdl", " ".repeat((4 << 20) + 1));
    let shown = refused(&folder, "long.kdl");
    assert!(shown.contains("4194304 bytes"), "{shown}");
}

#[test]
fn scenarios_include_beside_their_own_trees_or_in_the_tree_file() {
    let folder = Folder::new("scenarios");
    folder.write("common/patrol.kdl", PATROL);
    let inside =
        "scenario s\nactors 3\ninclude \"common/patrol.kdl\"\ntree a { subtree patrol pause=1; }\n";
    let path = folder.write("inside.kdl", inside);
    let scenario = Scenario::open(&path).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scenario.shape().len(), 3);

    folder.write(
        "tree.kdl",
        "include \"common/patrol.kdl\"\ntree a { subtree patrol pause=1; }",
    );
    let path = folder.write("outside.kdl", "tree \"tree.kdl\"\nactors 3\n");
    let scenario = Scenario::open(&path).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scenario.shape().len(), 3);

    let path = folder.write(
        "both.kdl",
        "tree \"tree.kdl\"\ninclude \"common/patrol.kdl\"\n",
    );
    let shown = Scenario::open(&path).unwrap_err().to_string();
    assert!(shown.contains("both.kdl:2:1\n"), "{shown}");
    assert!(shown.contains("include it in the tree's file"), "{shown}");

    let shown = Scenario::parse("s.kdl", inside).unwrap_err().to_string();
    assert!(shown.contains("s.kdl:3:9\n"), "{shown}");
    assert!(shown.contains("nothing can be included"), "{shown}");
}
