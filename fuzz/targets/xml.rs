#![no_main]
//! Files in BehaviorTree.CPP's XML: `cargo +nightly fuzz run xml`.

use libfuzzer_sys::fuzz_target;
use pleach_fuzz::{round, whole};
use pleach_text::Format;

fuzz_target!(|text: &str| {
    round(Format::Xml, text);
    whole("a.xml", text);
});
