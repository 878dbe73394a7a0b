//! Deep and large trees on a small stack.

use pleach_text::{MAX_NESTING, Source, kdl_document, parse, write};
use pleach_tree::{NodeDef, Tree, idle, invert};

fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new()
        .stack_size(512 << 10)
        .spawn(work);
    thread.unwrap().join().unwrap();
}

fn chain(depth: usize) -> Tree {
    Tree::build("deep").root((0..depth).fold(idle(), |inner: NodeDef, _| invert(inner)))
}

#[test]
fn the_deepest_text_is_read_on_a_small_stack() {
    on_small_stack(|| {
        let tree = chain(MAX_NESTING - 1);
        let text = write(&tree);
        let document = parse("a.kdl", &text).unwrap();
        assert_eq!(document.main(), &tree);
        let kdl = kdl_document(&Source::new("a.kdl", &text)).unwrap();
        assert_eq!(kdl.clone().nodes().len(), 1);
        assert!(kdl.to_string().contains("idle"));
    });
}

#[test]
fn a_tree_deeper_than_texts_may_be_is_written_and_refused_when_read() {
    on_small_stack(|| {
        assert_eq!(write(&chain(60_000)).matches("invert").count(), 60_000);
        let text = write(&chain(5_000));
        let error = parse("a.kdl", &text).unwrap_err().to_string();
        assert!(
            error.contains("deeper than 128 levels") && error.contains("subtree"),
            "{error}"
        );
    });
}

#[test]
fn subtrees_reach_beyond_the_nesting_of_texts() {
    on_small_stack(|| {
        let block = "invert { ".repeat(100);
        let mut text = format!("tree t0 {{ {block} idle {} }}\n", "}".repeat(100));
        for level in 1..20 {
            let close = "}".repeat(100);
            text.push_str(&format!(
                "tree t{level} {{ {block} subtree t{} {close} }}\n",
                level - 1
            ));
        }
        let document = parse("a.kdl", &text).unwrap();
        assert_eq!(document.compile("t19").unwrap().len(), 2001);
    });
}
