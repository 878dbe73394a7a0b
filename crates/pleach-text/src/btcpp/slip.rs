//! Names that are most likely slips of the hand: nearly one that means something, and so without a
//! meaning of their own.

use std::ops::Range;

use super::meaning::{folded, names};
use super::plan::{AT_ONCE, ROLES};
use crate::diagnostic::{Code, Diagnostic, quoted};
use crate::source::Source;

/// Attributes that mean something, beside scripts.
const ATTRIBUTES: [&str; 6] = [
    AT_ONCE,
    "_autoremap",
    "__shared_blackboard",
    "_description",
    "_fullpath",
    "_uid",
];

/// The attribute that is meant by one that begins with `_` and means nothing.
pub(super) fn attribute(name: &str) -> Option<&'static str> {
    let scripts = ROLES.iter().map(|&(script, _)| script);
    nearest(name, scripts.chain(ATTRIBUTES))
}

/// The script that is meant by a port: one of its name, but for the `_`.
pub(super) fn script(port: &str) -> Option<&'static str> {
    let mut scripts = ROLES.iter().map(|&(script, _)| script);
    // `post` and `while` may well be ports.
    scripts.find(|script| {
        let bare = &script[1..];
        bare == port && bare.contains(char::is_uppercase)
    })
}

/// The known node that is meant by a leaf that nobody declares.
pub(super) fn leaf(name: &str) -> Option<&'static str> {
    nearest(name, names())
}

/// The port that is meant by one that a node does not have.
pub(super) fn port<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    nearest(name, known.iter().copied())
}

/// The text that is meant by one that nothing sets. One letter for another makes other words, not slips.
pub(super) fn text<'k>(text: &str, set: impl Iterator<Item = &'k str> + Clone) -> Option<&'k str> {
    let digit = |c: char| c.is_ascii_digit();
    let is_slip = |near: &&str| {
        (near.len() != text.len() || is_shuffled(text, near))
            && near.matches(digit).eq(text.matches(digit))
    };
    let folded_text = folded(text);
    let same = set.clone().find(|one| folded(one) == folded_text);
    same.or_else(|| pleach_tree::closest(text, set).filter(is_slip))
}

fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    // However people write it: `skip_if` is as near as `skipIf`.
    let wanted = folded(name);
    let known: Vec<(String, &str)> = known.map(|known| (folded(known), known)).collect();
    let all = || known.iter().map(|(folded, _)| folded.as_str());
    let near = all().find(|folded| *folded == wanted);
    let near = near.or_else(|| {
        let near = pleach_tree::closest_within(&wanted, MOST, all())?;
        Some(near).filter(|near| !is_other_word(&wanted, near))
    })?;
    let (_, near) = known.iter().find(|(folded, _)| folded == near)?;
    Some(*near).filter(|near| *near != name)
}

/// How many letters of a slip are wrong: with three, names that are likely are two names.
const MOST: usize = 2;

/// Whether two short names that are close differ as words do, and not as slips: in a letter, as `_post`
/// and `_pose`.
fn is_other_word(name: &str, near: &str) -> bool {
    const SHORT: usize = 5;
    name.len() <= SHORT && name.len() == near.len() && !is_shuffled(name, near)
}

/// Whether two texts have the same letters.
fn is_shuffled(a: &str, b: &str) -> bool {
    let sorted = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        bytes.sort_unstable();
        bytes
    };
    sorted(a) == sorted(b)
}

/// A warning that something most likely is a slip.
pub(super) fn warning(
    source: &Source,
    span: Range<usize>,
    message: String,
    meant: &str,
    otherwise: &str,
) -> Diagnostic {
    let mut help = format!("did you mean {}?", quoted(meant));
    if !otherwise.is_empty() {
        help.push_str(&format!(" If not, {otherwise}"));
    }
    Diagnostic::new(source, span, Code::Misspelled.says(message)).with_help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_told_from_names_of_their_own() {
        let attributes = [
            ("_onSucces", Some("_onSuccess")),
            ("_onsuccess", Some("_onSuccess")),
            ("_skip_if", Some("_skipIf")),
            ("_autoRemap", Some("_autoremap")),
            ("_autoremp", Some("_autoremap")),
            ("__shared_blackbord", Some("__shared_blackboard")),
            ("_psot", Some("_post")),
            ("_pos", Some("_post")),
            // A slip of another kind is a word of its own.
            ("_pose", None),
            ("_port", None),
            ("_while", None),
            ("_distance", None),
            ("_author", None),
        ];
        for (name, meant) in attributes {
            assert_eq!(attribute(name), meant, "{name}");
        }
        assert_eq!(leaf("Sequense"), Some("Sequence"));
        assert_eq!(leaf("always_success"), Some("AlwaysSuccess"));
        for name in [
            "Sequence",
            "OpenDoor",
            "MoveBase",
            "Wait",
            "Say",
            "TimeCondition",
        ] {
            assert_eq!(leaf(name), None, "{name}");
        }
        assert_eq!(script("onSuccess"), Some("_onSuccess"));
        assert_eq!(script("post"), None);
        assert_eq!(port("num_cyles", &["num_cycles"]), Some("num_cycles"));
        assert_eq!(text("bussy", ["idle", "busy"].into_iter()), Some("busy"));
        assert_eq!(text("Busy", ["idle", "busy"].into_iter()), Some("busy"));
        assert_eq!(text("room_1", ["room_2", "room_12"].into_iter()), None);
        assert_eq!(text("combat", ["idle", "busy"].into_iter()), None);
        assert_eq!(port("speed", &["num_cycles"]), None);
    }
}
