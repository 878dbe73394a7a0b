//! The script language of BehaviorTree.CPP: statements, separated by `;`, that assign to entries of the
//! blackboard or compute something.
//!
//! ```text
//! script  = [ statement { ";" statement } [ ";" ] ]
//! statement = name (":=" | "=" | "+=" | "-=" | "*=" | "/=") if | if
//! if      = logic [ "?" if ":" if ]
//! logic   = compare { ("&&" | "||") compare }          both bind alike, from the left
//! compare = sum { ("==" | "!=" | "<" | "<=" | ">" | ">=") sum }      `a < b < c` is a chain
//! sum     = product { ("+" | "-") product }
//! product = prefix { ("*" | "/") prefix }
//! prefix  = ("-" | "!") prefix | value
//! value   = number | text | "true" | "false" | name | "(" statement ")"
//! ```
//!
//! Bit operations and assignments within expressions are read as far as it takes to refuse them
//! where they stand.

mod parse;
mod token;

use std::ops::Range;

use crate::diagnostic::Code;

pub(super) use self::parse::parse;

/// How many levels a term may have, chains of one operator included.
pub(super) const MAX_TERM_LEVELS: usize = 100;

/// What a script does, in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Statement {
    /// Writes an entry of the blackboard.
    Assign(Assign),
    /// Computes something and keeps nothing.
    Term(Term),
}

impl Statement {
    /// What it computes.
    pub(super) fn term(&self) -> &Term {
        match self {
            Statement::Assign(assign) => &assign.value,
            Statement::Term(term) => term,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Assign {
    pub(super) name: String,
    /// Where the name stands.
    pub(super) span: Range<usize>,
    /// What it computes with the value that is there: `+=` and its like.
    pub(super) with: Option<Operator>,
    pub(super) value: Term,
}

#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) kind: TermKind,
    /// Bytes of the script.
    pub(super) span: Range<usize>,
    levels: usize,
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.kind == other.kind
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TermKind {
    Bool(bool),
    Int(i64),
    /// As written, for a number that is no whole one.
    Float(f64),
    Text(String),
    Name(String),
    Negate(Box<Term>),
    Not(Box<Term>),
    Binary(Operator, Box<Term>, Box<Term>),
    /// A chain: one operand more than there are comparisons.
    Compare(Vec<Comparison>, Vec<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Why a text is no script, or none that is understood here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScriptError {
    pub(super) code: Code,
    pub(super) span: Range<usize>,
    pub(super) message: String,
    pub(super) help: Option<&'static str>,
}

impl ScriptError {
    fn new(span: Range<usize>, message: impl Into<String>) -> ScriptError {
        ScriptError {
            code: Code::Script,
            span,
            message: message.into(),
            help: None,
        }
    }

    fn code(mut self, code: Code) -> ScriptError {
        self.code = code;
        self
    }

    fn help(mut self, help: &'static str) -> ScriptError {
        self.help = Some(help);
        self
    }
}

impl Term {
    pub(super) fn new(kind: TermKind, span: Range<usize>) -> Term {
        let below = match &kind {
            TermKind::Bool(_)
            | TermKind::Int(_)
            | TermKind::Float(_)
            | TermKind::Text(_)
            | TermKind::Name(_) => 0,
            TermKind::Negate(inner) | TermKind::Not(inner) => inner.levels,
            TermKind::Binary(_, left, right) => left.levels.max(right.levels),
            // Written out, each comparison of a chain is one more `and`.
            TermKind::Compare(chain, operands) => {
                let deepest = operands.iter().map(|operand| operand.levels).max();
                deepest.unwrap_or(0) + chain.len()
            }
            TermKind::If(test, then, other) => test.levels.max(then.levels).max(other.levels) + 2,
        };
        Term {
            kind,
            span,
            levels: below + 1,
        }
    }

    /// How many levels it has; one for a name or constant.
    pub(super) fn levels(&self) -> usize {
        self.levels
    }

    /// The terms directly in it.
    pub(super) fn inner(&self) -> Vec<&Term> {
        match &self.kind {
            TermKind::Bool(_)
            | TermKind::Int(_)
            | TermKind::Float(_)
            | TermKind::Text(_)
            | TermKind::Name(_) => Vec::new(),
            TermKind::Negate(inner) | TermKind::Not(inner) => vec![inner],
            TermKind::Binary(_, left, right) => vec![left, right],
            TermKind::Compare(_, operands) => operands.iter().collect(),
            TermKind::If(test, then, other) => vec![test, then, other],
        }
    }
}
