//! Texts from outside, as messages show them.

use std::borrow::Cow;

use crate::snippet;

/// How many characters of a text from outside a message quotes.
const QUOTED_CHARS: usize = 60;

/// A text from outside as a message quotes it: in backquotes, control characters escaped, clipped.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("`");
    match text.char_indices().nth(QUOTED_CHARS) {
        Some((end, _)) => {
            out.push_str(&visible(&text[..end]));
            out.push('…');
        }
        None => out.push_str(&visible(text)),
    }
    out.push('`');
    out
}

/// A text from outside as a terminal may show it: control characters, ends of lines among them, and
/// marks that turn the direction of writing are escaped.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(snippet::is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match snippet::is_invisible(c) {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// "did you mean": the closest of the known names, as a help.
pub fn did_you_mean<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    pleach_tree::closest(found, known).map(|name| format!("did you mean {}?", quoted(name)))
}
