//! The words that name nodes.

use pleach_shape::{Op, Role};

/// What a node's keyword stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keyword {
    Node(Op),
    Subtree,
}

/// The keyword of uses of other trees.
pub(crate) const SUBTREE: &str = "subtree";

const SUBTREE_ALIAS: &str = "sub-tree";

/// Names of the field's other libraries and files.
const ALIASES: [(&str, Op); 25] = [
    ("fallback", Op::Selector),
    ("priority", Op::Selector),
    ("reactive-fallback", Op::ReactiveSelector),
    ("active-selector", Op::ReactiveSelector),
    ("inverter", Op::Invert),
    ("not", Op::Invert),
    ("force-success", Op::Succeeder),
    ("always-succeed", Op::Succeeder),
    ("force-failure", Op::Failer),
    ("always-fail", Op::Failer),
    ("always-success", Op::Succeed),
    ("success", Op::Succeed),
    ("always-failure", Op::Fail),
    ("failure", Op::Fail),
    ("shuffled-sequence", Op::RandomSequence),
    ("shuffled-selector", Op::RandomSelector),
    ("random-fallback", Op::RandomSelector),
    ("if-then", Op::IfThenElse),
    ("while-do", Op::WhileDoElse),
    ("loop", Op::Repeat),
    ("keep-running-until-failure", Op::RepeatUntilFailure),
    ("retry", Op::RepeatUntilSuccess),
    ("retry-until-successful", Op::RepeatUntilSuccess),
    ("time-limit", Op::Timeout),
    ("once", Op::RunOnce),
];

/// The meaning of a keyword: an operation's own, an alias, either also with `_` for `-`.
pub(crate) fn keyword(text: &str) -> Option<Keyword> {
    // No keyword is nearly that long.
    if text.len() > 64 {
        return None;
    }
    let text = text.replace('_', "-");
    if matches!(text.as_str(), SUBTREE | SUBTREE_ALIAS) {
        return Some(Keyword::Subtree);
    }
    let alias = || {
        ALIASES
            .iter()
            .find(|(alias, _)| *alias == text)
            .map(|&(_, op)| op)
    };
    Op::from_keyword(&text).or_else(alias).map(Keyword::Node)
}

/// All keywords, for suggestions.
pub(crate) fn keywords() -> impl Iterator<Item = &'static str> {
    let own = Op::ALL
        .iter()
        .filter(|op| op.role() != Role::Guard)
        .map(|op| op.keyword());
    own.chain(ALIASES.iter().map(|&(alias, _)| alias))
        .chain([SUBTREE])
}

/// The other words for a node, or for `subtree`.
pub(crate) fn aliases(op: Option<Op>) -> impl Iterator<Item = &'static str> {
    let of_subtree = op.is_none().then_some(SUBTREE_ALIAS);
    let own = ALIASES.iter().filter(move |&&(_, known)| Some(known) == op);
    own.map(|&(alias, _)| alias).chain(of_subtree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_its_keyword_and_no_alias_hides_one() {
        for word in keywords().filter(|&word| word != "subtree") {
            let Some(Keyword::Node(op)) = keyword(word) else {
                panic!("{word} is unknown")
            };
            assert_eq!(keyword(&word.replace('-', "_")), Some(Keyword::Node(op)));
            assert_ne!(op.role(), Role::Guard);
        }
        assert!(
            ALIASES
                .iter()
                .all(|(alias, _)| Op::from_keyword(alias).is_none())
        );
        assert_eq!(keyword("guard"), None);
    }
}
