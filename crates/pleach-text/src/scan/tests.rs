use kdl::KdlDocument;
use proptest::prelude::*;

use self::parts::PARTS;
use super::*;
use crate::document::kdl_document;

#[path = "../../tests/parts/mod.rs"]
mod parts;

/// Names, entries and nesting of a document's nodes.
fn outline(document: &KdlDocument) -> String {
    let mut out = String::new();
    for node in document.nodes() {
        out.push_str(&format!(
            "{:?} {:?}",
            node.ty().map(|ty| ty.value()),
            node.name().value()
        ));
        for entry in node.entries() {
            let (ty, name) = (
                entry.ty().map(|ty| ty.value()),
                entry.name().map(|name| name.value()),
            );
            out.push_str(&format!(" {ty:?} {name:?} {:?}", entry.value()));
        }
        if let Some(children) = node.children() {
            out.push_str(&format!("{{{}}}", outline(children)));
        }
        out.push(';');
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// What the scanner passes, the crate reads: both the flat list, without ever having to
    /// pick up after an error, and the text as it was, to the same nodes.
    #[test]
    fn what_passes_the_crate_reads_alike(parts in prop::collection::vec(prop::sample::select(PARTS), 0..20)) {
        let text = parts.concat();
        let source = Source::new("a.kdl", &text);
        if let Ok(layout) = scan(&source) {
            prop_assert_eq!(layout.flat.len(), text.len());
            let flat = KdlDocument::parse_v2(&layout.flat);
            prop_assert!(flat.is_ok(), "{:?} {:?}", text, flat);
            let count = layout.marks.iter().filter(|&&mark| mark == Mark::Node).count();
            prop_assert_eq!(flat.unwrap().nodes().len(), count, "{:?}", text);
            if let Ok(alone) = KdlDocument::parse_v2(&text) {
                let ours = kdl_document(&source).unwrap();
                prop_assert_eq!(outline(&ours), outline(&alone), "{:?}", text);
            }
        }
    }
}
