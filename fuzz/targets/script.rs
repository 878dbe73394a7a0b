#![no_main]
//! Scripts of BehaviorTree.CPP, in each place that has them: `cargo +nightly fuzz run script`.

use libfuzzer_sys::fuzz_target;
use pleach_fuzz::{round, whole};
use pleach_text::Format;

/// A text as the value of an attribute. XML has no way to write most control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

fuzz_target!(|text: &str| {
    let script = escaped(text);
    let bodies = [
        format!("<Script code=\"{script}\"/>"),
        format!("<ScriptCondition code=\"{script}\"/>"),
        format!(
            "<Sequence><Script code=\"a := 1; b := 2.5; c := 'x'\"/><A _while=\"{script}\"/></Sequence>"
        ),
        format!(
            "<Sequence _skipIf=\"{script}\"><A x=\"{{a}}\" _onSuccess=\"{script}\"/></Sequence>"
        ),
        format!(
            "<Precondition if=\"{script}\" else=\"RUNNING\"><A y=\"{script}\"/></Precondition>"
        ),
    ];
    for body in bodies {
        let file =
            format!("<root BTCPP_format=\"4\"><BehaviorTree ID=\"T\">{body}</BehaviorTree></root>");
        round(Format::Xml, &file);
        whole("a.xml", &file);
    }
});
