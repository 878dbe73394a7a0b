//! Choices (`a ? b : c`), taken out of the terms that they stand in.

use super::{Lower, Refusal};
use crate::btcpp::script::{Operator, Term, TermKind};
use crate::diagnostic::Code;

/// How many choices a script may hold, those made by taking others apart included. Each may double
/// what it becomes.
const MAX_CHOICES: usize = 8;

impl Lower<'_, '_> {
    pub(super) fn count(&mut self, term: &Term) -> Result<(), Refusal> {
        self.choices += 1;
        match self.choices > MAX_CHOICES {
            true => {
                let message = format!("the script makes more than {MAX_CHOICES} choices");
                Err(Refusal::new(&term.span, message)
                    .code(Code::Limit)
                    .help("split it into several scripts"))
            }
            false => Ok(()),
        }
    }

    /// The first choice in a term, and the term without it, either way. Where a number is asked for, a
    /// truth value is a choice of 1 and 0.
    pub(super) fn choice(
        &mut self,
        term: &Term,
        numeric: bool,
    ) -> Result<Option<(Term, Term, Term)>, Refusal> {
        let found = split(term, numeric);
        if found.is_some() {
            self.count(term)?;
        }
        Ok(found)
    }
}

fn split(term: &Term, numeric: bool) -> Option<(Term, Term, Term)> {
    let span = || term.span.clone();
    match &term.kind {
        TermKind::If(test, then, other) => {
            Some(((**test).clone(), (**then).clone(), (**other).clone()))
        }
        TermKind::Not(_)
        | TermKind::Compare(..)
        | TermKind::Binary(Operator::And | Operator::Or, ..)
            if numeric =>
        {
            let number = |value| Term::new(TermKind::Int(value), span());
            Some((term.clone(), number(1), number(0)))
        }
        TermKind::Negate(inner) => {
            let (test, then, other) = split(inner, true)?;
            let negate = |inner| Term::new(TermKind::Negate(Box::new(inner)), span());
            Some((test, negate(then), negate(other)))
        }
        TermKind::Binary(operator, left, right)
            if !matches!(operator, Operator::And | Operator::Or) =>
        {
            let whole = |left: Term, right: Term| {
                let kind = TermKind::Binary(*operator, Box::new(left), Box::new(right));
                Term::new(kind, span())
            };
            if let Some((test, then, other)) = split(left, true) {
                return Some((
                    test,
                    whole(then, (**right).clone()),
                    whole(other, (**right).clone()),
                ));
            }
            let (test, then, other) = split(right, true)?;
            Some((
                test,
                whole((**left).clone(), then),
                whole((**left).clone(), other),
            ))
        }
        _ => None,
    }
}
