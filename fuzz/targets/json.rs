#![no_main]
//! Files in JSON: `cargo +nightly fuzz run json`.

use libfuzzer_sys::fuzz_target;
use pleach_fuzz::{round, whole};
use pleach_text::Format;

fuzz_target!(|text: &str| {
    round(Format::Json, text);
    whole("a.json", text);
});
