//! What each node does, in a few sentences and with an example.
//!
//! The texts say what a user asks first; `docs/semantics.md` has the rules themselves. They are
//! data: whoever shows them lays them out.

mod composites;
mod compounds;
mod decorators;
mod leaves;

use pleach_shape::Op;
use pleach_tree::Compound;

use crate::diagnostic::did_you_mean;
use crate::keyword::{self, Keyword, keyword, keywords};

/// A page about a node.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The node's operation. Neither this nor a compound node is `subtree`, which no tree holds once it is
    /// read.
    pub op: Option<Op>,
    /// Which compound node it is.
    pub compound: Option<Compound>,
    /// How it is written, in short: `cooldown SECONDS { node }`.
    pub usage: &'static str,
    /// Two or three sentences.
    pub does: &'static str,
    /// The rules in `docs/semantics.md` that say it exactly.
    pub rules: &'static [&'static str],
    /// A whole tree file in which the node stands.
    pub example: &'static str,
    /// What it answers, and when.
    pub answers: &'static [(&'static str, &'static str)],
    /// What it keeps from one tick to the next.
    pub keeps: &'static str,
    /// How other libraries differ: which, and how.
    pub differs: &'static [(&'static str, &'static str)],
}

impl Entry {
    /// The node's own keyword.
    pub fn keyword(&self) -> &'static str {
        match (self.op, self.compound) {
            (Some(op), _) => op.keyword(),
            (None, Some(compound)) => compound.keyword(),
            (None, None) => keyword::SUBTREE,
        }
    }

    fn meaning(&self) -> Keyword {
        match (self.op, self.compound) {
            (Some(op), _) => Keyword::Node(op),
            (None, Some(compound)) => Keyword::Compound(compound),
            (None, None) => Keyword::Subtree,
        }
    }

    /// The other words that files may write for it.
    pub fn aliases(&self) -> impl Iterator<Item = &'static str> {
        keyword::aliases(self.meaning())
    }
}

/// A family of nodes.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What its nodes are called together.
    pub name: &'static str,
    /// Its nodes.
    pub entries: &'static [Entry],
}

/// All pages, family by family.
pub const GALLERY: [Family; 4] = [
    Family {
        name: "composites",
        entries: composites::ENTRIES,
    },
    Family {
        name: "decorators",
        entries: decorators::ENTRIES,
    },
    Family {
        name: "compound nodes",
        entries: compounds::ENTRIES,
    },
    Family {
        name: "leaves",
        entries: leaves::ENTRIES,
    },
];

/// Where a word of files stands that names no node.
fn place_of(word: &str) -> Option<&'static str> {
    Some(match word {
        "tree" => "`tree \"guard\" { … }` stands at the top of a file, with one node inside",
        "include" => "`include \"common/patrol.kdl\"` stands beside trees, at the top of a file",
        "blackboard" | "world" => {
            "it stands directly inside `tree` and declares values: `blackboard { health f32 1.0 }`"
        }
        "params" => "it stands directly inside `tree`: `params { speed f32 1.5 }`",
        "enum" => "it is a type of values: `blackboard { mode enum \"idle\" \"alert\" }`",
        "param" => "`param \"speed\" 4.0` stands inside an action, task, query or subtree",
        "map" => "`map` stands inside a `subtree`",
        "case" => "`case \"alert\" { … }` stands directly inside a `switch`",
        "if" | "then" => "it stands directly inside an `if-then-else`",
        "do" => "it stands directly inside a `while-do-else`",
        "else" => "it stands directly inside an `if-then-else`, `while-do-else` or `switch`",
        _ => return None,
    })
}

/// The page of a node, by its keyword or any word that files may write for it.
///
/// # Errors
/// Where the word stands, if files have it but not as a node; "did you mean", if a known word is close.
pub fn explain(word: &str) -> Result<&'static Entry, Option<String>> {
    let asked = word.to_lowercase();
    let meaning = match keyword(&asked) {
        Some(meaning) => meaning,
        None if place_of(&asked).is_some() => return Err(place_of(&asked).map(str::to_owned)),
        None => return Err(did_you_mean(&asked.replace('_', "-"), keywords())),
    };
    let mut entries = GALLERY.iter().flat_map(|family| family.entries);
    entries.find(|entry| entry.meaning() == meaning).ok_or(None)
}

#[cfg(test)]
mod tests {
    use pleach_shape::Role;

    use super::*;
    use crate::{FilePlace, LoadError, inspect_with, parse_with};

    fn entries() -> impl Iterator<Item = &'static Entry> {
        GALLERY.iter().flat_map(|family| family.entries)
    }

    #[test]
    fn every_node_has_one_page() {
        for op in Op::ALL.iter().filter(|op| op.role() != Role::Guard) {
            let pages = entries().filter(|entry| entry.op == Some(*op)).count();
            assert_eq!(pages, 1, "{op}");
        }
        for compound in Compound::ALL {
            let pages = entries().filter(|entry| entry.compound == Some(*compound));
            assert_eq!(pages.count(), 1, "{}", compound.keyword());
        }
        let subtree = entries().filter(|entry| entry.meaning() == Keyword::Subtree);
        assert_eq!(subtree.count(), 1);
        for word in keywords() {
            assert!(explain(word).is_ok(), "{word}");
        }
        assert_eq!(
            explain("Cooldwn").unwrap_err().as_deref(),
            Some("did you mean `cooldown`?")
        );
    }

    #[test]
    fn every_example_compiles_and_holds_its_node() {
        for entry in entries() {
            let word = entry.keyword();
            let mut files = |path: &str| match path {
                "common/patrol.kdl" => Ok(leaves::PATROL.to_owned()),
                _ => Err(LoadError::new("there is no such file")),
            };
            let document = parse_with(&FilePlace::new(word), entry.example, &mut files)
                .unwrap_or_else(|errors| panic!("{word}\n{errors}"));
            let shape = document
                .compile_main()
                .unwrap_or_else(|errors| panic!("{word}\n{errors}"));
            if let Some(op) = entry.op {
                let mut tokens = shape.plain().iter();
                assert!(tokens.any(|token| token.op() == Some(op)), "{word}");
            }
            if let Some(compound) = entry.compound {
                let mut nodes = document.main().nodes();
                assert!(
                    nodes.any(|node| node.kind.compound() == Some(compound)),
                    "{word}"
                );
            }
            assert!(entry.example.contains(word), "{word}");
            let place = FilePlace::new(word);
            let inspection = inspect_with(&place, entry.example, &mut files, false);
            assert!(inspection.found.is_empty(), "{word}\n{}", inspection.found);
            for line in entry.example.lines() {
                assert!(line.chars().count() <= 74, "{word}: {line}");
            }
        }
    }

    #[test]
    fn rules_are_those_of_the_semantics() {
        let semantics = include_str!("../../../../docs/semantics.md");
        for entry in entries() {
            assert!(!entry.rules.is_empty(), "{}", entry.keyword());
            for rule in entry.rules {
                let row = format!("| {rule} |");
                assert!(semantics.contains(&row), "{}: {rule}", entry.keyword());
            }
        }
    }
}
