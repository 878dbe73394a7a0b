#![no_main]
//! Files in KDL: `cargo +nightly fuzz run kdl`.

use libfuzzer_sys::fuzz_target;
use pleach_fuzz::{laid_out, round, whole};
use pleach_text::{Editor, Format};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        let _ = pleach_text::parse_bytes("a.kdl", bytes).map_err(|errors| errors.to_string());
        return;
    };
    round(Format::Kdl, text);
    laid_out(text);
    whole("a.kdl", text);
    if let Ok(editor) = Editor::new("a.kdl", text) {
        assert_eq!(editor.text(), text);
    }
});
