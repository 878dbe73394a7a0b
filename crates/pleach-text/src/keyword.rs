//! The words that name nodes.

use pleach_shape::{Op, Role};
use pleach_tree::Compound;

/// What a node's keyword stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keyword {
    Node(Op),
    Compound(Compound),
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

/// The same for compound nodes.
const COMPOUND_ALIASES: [(&str, Compound); 6] = [
    ("sequence-with-memory", Compound::KeepSequence),
    ("sequence-star", Compound::KeepSequence),
    ("recovery-node", Compound::Recovery),
    ("run-while-or-skip", Compound::SkipUnless),
    ("post", Compound::OnFinish),
    ("rate", Compound::RateController),
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
    let compound = || {
        let mut own = Compound::ALL.iter().copied();
        let mut aliases = COMPOUND_ALIASES.iter();
        own.find(|compound| compound.keyword() == text).or_else(|| {
            aliases
                .find(|(alias, _)| *alias == text)
                .map(|&(_, compound)| compound)
        })
    };
    let node = Op::from_keyword(&text).or_else(alias).map(Keyword::Node);
    node.or_else(|| compound().map(Keyword::Compound))
}

/// All keywords, for suggestions.
pub(crate) fn keywords() -> impl Iterator<Item = &'static str> {
    let own = Op::ALL
        .iter()
        .filter(|op| op.role() != Role::Guard)
        .map(|op| op.keyword());
    own.chain(ALIASES.iter().map(|&(alias, _)| alias))
        .chain(Compound::ALL.iter().map(|compound| compound.keyword()))
        .chain(COMPOUND_ALIASES.iter().map(|&(alias, _)| alias))
        .chain([SUBTREE])
}

/// The other words for a node, or for `subtree`.
pub(crate) fn aliases(of: Keyword) -> impl Iterator<Item = &'static str> {
    let of_subtree = (of == Keyword::Subtree).then_some(SUBTREE_ALIAS);
    let nodes = ALIASES
        .iter()
        .map(|&(alias, op)| (alias, Keyword::Node(op)));
    let compounds = COMPOUND_ALIASES.iter();
    let compounds = compounds.map(|&(alias, compound)| (alias, Keyword::Compound(compound)));
    let all = nodes
        .chain(compounds)
        .filter(move |&(_, known)| known == of);
    all.map(|(alias, _)| alias).chain(of_subtree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_its_keyword_and_no_alias_hides_one() {
        for word in keywords().filter(|&word| word != "subtree") {
            let meaning = keyword(word);
            assert!(meaning.is_some(), "{word} is unknown");
            assert_eq!(keyword(&word.replace('-', "_")), meaning);
            if let Some(Keyword::Node(op)) = meaning {
                assert_ne!(op.role(), Role::Guard);
            }
        }
        assert!(
            ALIASES
                .iter()
                .all(|(alias, _)| Op::from_keyword(alias).is_none())
        );
        assert_eq!(keyword("guard"), None);
    }
}
