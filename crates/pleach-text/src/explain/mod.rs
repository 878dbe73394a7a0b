//! Pages on the codes of errors and warnings: what each is about, wrong and mended.
//!
//! They are one table, in files by subject. `pleach check --explain P0101` prints from it,
//! `docs/diagnostics.md` is written from it, and tests hold every example to what its page says.

mod btcpp;
mod expressions;
mod lints;
mod names;
mod nodes;
mod subtrees;
mod text;

use crate::diagnostic::Code;

/// What there is to say about a [`Code`].
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Which one.
    pub code: Code,
    /// It in a few words, lowercase.
    pub title: &'static str,
    /// A paragraph: what it is about, why that is so, what to do. Backquotes around names and code.
    pub about: &'static str,
    /// It at work.
    pub example: Example,
}

/// A text that has a mistake, and the same without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Example {
    /// A file of trees.
    Trees {
        /// The file with the mistake, and no other.
        wrong: &'static str,
        /// The file without a mistake.
        mended: &'static str,
    },
    /// A file of trees in the JSON form.
    Json {
        /// The file with the mistake, and no other.
        wrong: &'static str,
        /// The file without a mistake.
        mended: &'static str,
    },
    /// A scenario.
    Scenario {
        /// The file with the mistake, and no other.
        wrong: &'static str,
        /// The file without a mistake.
        mended: &'static str,
    },
    /// A file of BehaviorTree.CPP.
    BehaviorTreeCpp {
        /// The file with the mistake, and no other.
        wrong: &'static str,
        /// The file without a mistake.
        mended: &'static str,
    },
    /// None that could be printed.
    None,
}

impl Example {
    /// The text with the mistake and the one without.
    pub fn texts(&self) -> Option<[&'static str; 2]> {
        match *self {
            Example::Trees { wrong, mended }
            | Example::Json { wrong, mended }
            | Example::Scenario { wrong, mended }
            | Example::BehaviorTreeCpp { wrong, mended } => Some([wrong, mended]),
            Example::None => None,
        }
    }
}

/// Pages on one subject.
#[derive(Clone, Copy, Debug)]
pub struct Chapter {
    /// What they are about.
    pub name: &'static str,
    /// In order of their numbers.
    pub pages: &'static [Page],
}

/// All pages, in order of their numbers.
pub static CHAPTERS: &[Chapter] = &[
    Chapter {
        name: "The text and its files",
        pages: text::PAGES,
    },
    Chapter {
        name: "Nodes",
        pages: nodes::PAGES,
    },
    Chapter {
        name: "Names and types",
        pages: names::PAGES,
    },
    Chapter {
        name: "Expressions",
        pages: expressions::PAGES,
    },
    Chapter {
        name: "Subtrees and parameters",
        pages: subtrees::PAGES,
    },
    Chapter {
        name: "Scenarios",
        pages: text::SCENARIOS,
    },
    Chapter {
        name: "Files of BehaviorTree.CPP",
        pages: btcpp::ERRORS,
    },
    Chapter {
        name: "Warnings",
        pages: lints::PAGES,
    },
    Chapter {
        name: "Notes on files of BehaviorTree.CPP",
        pages: btcpp::NOTES,
    },
];

/// All pages, in order of their numbers.
pub fn pages() -> impl Iterator<Item = &'static Page> {
    CHAPTERS.iter().flat_map(|chapter| chapter.pages)
}

/// The page on a code; `None` if there is none, which tests exclude.
pub fn page(code: Code) -> Option<&'static Page> {
    pages().find(|page| page.code == code)
}
