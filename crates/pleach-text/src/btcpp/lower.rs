//! From scripts to expressions and assignments, once types are known.
//!
//! A choice (`a ? b : c`) has no place in expressions. Where a truth value is asked for it becomes
//! `(a and b) or (not a and c)`; an assignment is taken apart into two, of which one is done.

mod choice;

use std::ops::Range;

use pleach_tree::{BinaryOp, Expr, ExprKind, UnaryOp};

use super::fact::{Entry, Number, place_of_text};
use super::names::Names;
use super::script::{Assign, Comparison, Operator, Statement, Term, TermKind};
use crate::diagnostic::{Code, quoted};

/// What an assignment does.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Effect {
    Set { column: String, value: Expr },
    Choose(Expr, Vec<Effect>, Vec<Effect>),
}

/// A part of a script that has no meaning here.
pub(super) struct Refusal {
    pub(super) code: Code,
    pub(super) span: Range<usize>,
    pub(super) message: String,
    pub(super) help: Option<&'static str>,
}

impl Refusal {
    fn new(span: &Range<usize>, message: impl Into<String>) -> Refusal {
        Refusal {
            code: Code::ScriptMeaning,
            span: span.clone(),
            message: message.into(),
            help: None,
        }
    }

    fn code(mut self, code: Code) -> Refusal {
        self.code = code;
        self
    }

    fn help(mut self, help: &'static str) -> Refusal {
        self.help = Some(help);
        self
    }
}

type Lowered = Result<Expr, Refusal>;

/// Lowers the scripts of one tree.
pub(super) struct Lower<'n, 'a> {
    pub(super) names: &'n mut Names<'a>,
    pub(super) tree: usize,
    choices: usize,
}

impl<'n, 'a> Lower<'n, 'a> {
    pub(super) fn new(names: &'n mut Names<'a>, tree: usize) -> Lower<'n, 'a> {
        Lower {
            names,
            tree,
            choices: 0,
        }
    }

    /// What a statement does; `None` for one that only computes.
    pub(super) fn statement(&mut self, statement: &Statement) -> Result<Option<Effect>, Refusal> {
        match statement {
            Statement::Term(_) => Ok(None),
            Statement::Assign(assign) => self.assign(assign).map(Some),
        }
    }

    fn assign(&mut self, assign: &Assign) -> Result<Effect, Refusal> {
        let value = match assign.with {
            None => assign.value.clone(),
            Some(operator) => {
                let own = Term::new(TermKind::Name(assign.name.clone()), assign.span.clone());
                let span = assign.span.start..assign.value.span.end;
                let right = Box::new(assign.value.clone());
                Term::new(TermKind::Binary(operator, Box::new(own), right), span)
            }
        };
        let column = self.column(&assign.name, &assign.span)?;
        self.set(&column, &assign.name, &assign.span, &value)
    }

    fn set(
        &mut self,
        column: &str,
        key: &str,
        span: &Range<usize>,
        value: &Term,
    ) -> Result<Effect, Refusal> {
        let entry = self.names.entry(self.tree, key).clone();
        let is_truth = entry == Entry::Number(Number::Bool);
        if !is_truth && let Some((test, then, other)) = self.choice(value, !is_truth)? {
            let test = self.truth(&test)?;
            let then = self.set(column, key, span, &then)?;
            let other = self.set(column, key, span, &other)?;
            return Ok(Effect::Choose(test, vec![then], vec![other]));
        }
        let value = match &entry {
            Entry::Number(Number::Bool) => self.truth(value)?,
            Entry::Number(number) => self.number(value, *number)?,
            Entry::Labels(labels) => match &value.kind {
                TermKind::Text(text) => {
                    label(column, labels, text).ok_or_else(|| unlabelled(&value.span, text))?
                }
                TermKind::Name(name) => name_of(self.column(name, &value.span)?),
                _ => {
                    let message = format!("{} is a text, and this computes none", quoted(key));
                    return Err(Refusal::new(&value.span, message).help(
                        "texts are assigned and compared; what is made of several, an action computes",
                    ));
                }
            },
            Entry::Constant(_) | Entry::Time | Entry::Key => return Err(untyped(key, span)),
        };
        Ok(Effect::Set {
            column: column.to_owned(),
            value,
        })
    }

    /// The column of a key.
    pub(super) fn column(&mut self, key: &str, span: &Range<usize>) -> Result<String, Refusal> {
        match self.names.entry(self.tree, key) {
            // Of constants, only those reach a script that their tree declares as numbers.
            Entry::Number(_) | Entry::Labels(_) | Entry::Constant(_) => {
                Ok(self.names.identifier(self.tree, key))
            }
            Entry::Time | Entry::Key => Err(untyped(key, span)),
        }
    }

    /// A term as a truth value.
    pub(super) fn truth(&mut self, term: &Term) -> Lowered {
        if let TermKind::If(test, then, other) = &term.kind {
            self.count(term)?;
            let (test, then, other) = (self.truth(test)?, self.truth(then)?, self.truth(other)?);
            return Ok(chosen(test, then, other));
        }
        match &term.kind {
            TermKind::Bool(value) => Ok(truth_of(*value)),
            TermKind::Int(value) => Ok(truth_of(*value != 0)),
            TermKind::Float(value) => Ok(truth_of(*value != 0.0)),
            TermKind::Text(text) => Err(Refusal::new(
                &term.span,
                format!("the text {} is no truth value", quoted(text)),
            )
            .help("compare it: `mode == 'idle'`")),
            TermKind::Name(name) => {
                let entry = self.names.entry(self.tree, name).clone();
                let column = name_of(self.column(name, &term.span)?);
                match entry {
                    Entry::Number(Number::Bool) | Entry::Constant(Number::Bool) => Ok(column),
                    Entry::Number(number) | Entry::Constant(number) => {
                        Ok(binary(BinaryOp::Ne, column, zero(number)))
                    }
                    _ => Err(Refusal::new(
                        &term.span,
                        format!("{} holds a text, which is no truth value", quoted(name)),
                    )
                    .help("compare it: `mode == 'idle'`")),
                }
            }
            TermKind::Not(inner) => Ok(not(self.truth(inner)?)),
            TermKind::Binary(operator @ (Operator::And | Operator::Or), left, right) => {
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                let op = match operator {
                    Operator::And => BinaryOp::And,
                    _ => BinaryOp::Or,
                };
                Ok(binary(op, left, right))
            }
            TermKind::Compare(chain, operands) => {
                let mut all: Option<Expr> = None;
                for (at, &one) in chain.iter().enumerate() {
                    let next = self.comparison(one, &operands[at], &operands[at + 1])?;
                    all = Some(match all {
                        None => next,
                        Some(all) => binary(BinaryOp::And, all, next),
                    });
                }
                Ok(all.unwrap_or_else(|| truth_of(true)))
            }
            TermKind::Negate(_) | TermKind::Binary(..) => {
                if let Some((test, then, other)) = self.choice(term, true)? {
                    let test = self.truth(&test)?;
                    let (then, other) = (self.truth(&then)?, self.truth(&other)?);
                    return Ok(chosen(test, then, other));
                }
                let number = self.names.type_of(self.tree, term).unwrap_or(Number::Float);
                let number = number.max(Number::Int);
                let value = self.number(term, number)?;
                Ok(binary(BinaryOp::Ne, value, zero(number)))
            }
            TermKind::If(..) => Ok(truth_of(true)),
        }
    }

    fn comparison(&mut self, one: Comparison, left: &Term, right: &Term) -> Lowered {
        // A choice on either side is one between two comparisons.
        for (term, is_left) in [(left, true), (right, false)] {
            if let TermKind::If(..) = &term.kind
                && let Some((test, then, other)) = self.choice(term, false)?
            {
                let test = self.truth(&test)?;
                let (then, other) = match is_left {
                    true => (
                        self.comparison(one, &then, right)?,
                        self.comparison(one, &other, right)?,
                    ),
                    false => (
                        self.comparison(one, left, &then)?,
                        self.comparison(one, left, &other)?,
                    ),
                };
                return Ok(chosen(test, then, other));
            }
        }
        if self.is_text(left) || self.is_text(right) {
            return self.texts(one, left, right);
        }
        let equality = match one {
            Comparison::Eq => Some(true),
            Comparison::Ne => Some(false),
            _ => None,
        };
        let (l, r) = (
            self.names.type_of(self.tree, left),
            self.names.type_of(self.tree, right),
        );
        let truths = (l == Some(Number::Bool), r == Some(Number::Bool));
        if let Some(equal) = equality
            && (truths.0 || truths.1)
        {
            return self.truths(equal, left, right, truths);
        }
        for (term, is_left) in [(left, true), (right, false)] {
            if let Some((test, then, other)) = self.choice(term, true)? {
                let test = self.truth(&test)?;
                let (then, other) = match is_left {
                    true => (
                        self.comparison(one, &then, right)?,
                        self.comparison(one, &other, right)?,
                    ),
                    false => (
                        self.comparison(one, left, &then)?,
                        self.comparison(one, left, &other)?,
                    ),
                };
                return Ok(chosen(test, then, other));
            }
        }
        let number = l.max(r).unwrap_or(Number::Float).max(Number::Int);
        let (left, right) = (self.number(left, number)?, self.number(right, number)?);
        let op = match one {
            Comparison::Eq => BinaryOp::Eq,
            Comparison::Ne => BinaryOp::Ne,
            Comparison::Lt => BinaryOp::Lt,
            Comparison::Le => BinaryOp::Le,
            Comparison::Gt => BinaryOp::Gt,
            Comparison::Ge => BinaryOp::Ge,
        };
        Ok(binary(op, left, right))
    }

    /// Whether two values are equal of which one is a truth value: 1 is true, 0 is false, and nothing
    /// else is either.
    fn truths(&mut self, equal: bool, left: &Term, right: &Term, is: (bool, bool)) -> Lowered {
        let constant = |term: &Term| match term.kind {
            TermKind::Bool(value) => Some(f64::from(u8::from(value))),
            TermKind::Int(value) => Some(value as f64),
            TermKind::Float(value) => Some(value),
            _ => None,
        };
        for (term, other) in [(left, right), (right, left)] {
            if let Some(value) = constant(term) {
                if let Some(other) = constant(other) {
                    return Ok(truth_of((value == other) == equal));
                }
                let other_is = match std::ptr::eq(other, left) {
                    true => is.0,
                    false => is.1,
                };
                if !other_is {
                    // A number that is compared with true.
                    let number = self.names.type_of(self.tree, other);
                    let number = number.unwrap_or(Number::Float).max(Number::Int);
                    let other = self.number(other, number)?;
                    let op = if equal { BinaryOp::Eq } else { BinaryOp::Ne };
                    return Ok(binary(op, other, constant_of(value, number)));
                }
                let other = self.truth(other)?;
                return Ok(match value {
                    1.0 if equal => other,
                    1.0 => not(other),
                    0.0 if equal => not(other),
                    0.0 => other,
                    _ => truth_of(!equal),
                });
            }
        }
        if !(is.0 && is.1) {
            let span = left.span.start..right.span.end;
            return Err(
                Refusal::new(&span, "a truth value is compared with a number here")
                    .help("compare the number with 0 or 1 first"),
            );
        }
        let (left, right) = (self.truth(left)?, self.truth(right)?);
        let op = if equal { BinaryOp::Eq } else { BinaryOp::Ne };
        Ok(binary(op, left, right))
    }

    fn is_text(&self, term: &Term) -> bool {
        match &term.kind {
            TermKind::Text(_) => true,
            TermKind::Name(name) => {
                matches!(self.names.entry(self.tree, name), Entry::Labels(_))
            }
            _ => false,
        }
    }

    fn texts(&mut self, one: Comparison, left: &Term, right: &Term) -> Lowered {
        let span = left.span.start..right.span.end;
        let equal = match one {
            Comparison::Eq => true,
            Comparison::Ne => false,
            _ => {
                let message = "texts have no order here: they are only equal or not";
                return Err(Refusal::new(&span, message).help("use numbers"));
            }
        };
        let op = if equal { BinaryOp::Eq } else { BinaryOp::Ne };
        match (&left.kind, &right.kind) {
            (TermKind::Text(a), TermKind::Text(b)) => Ok(truth_of((a == b) == equal)),
            (TermKind::Name(name), TermKind::Text(text))
            | (TermKind::Text(text), TermKind::Name(name)) => {
                let entry = self.names.entry(self.tree, name).clone();
                let column = self.column(name, &span)?;
                let Entry::Labels(labels) = &entry else {
                    let message = format!("{} is a number, compared with a text", quoted(name));
                    return Err(Refusal::new(&span, message));
                };
                let label = label(&column, labels, text).ok_or_else(|| unlabelled(&span, text))?;
                Ok(binary(op, name_of(column), label))
            }
            (TermKind::Name(a), TermKind::Name(b)) => {
                let (a, b) = (self.column(a, &left.span)?, self.column(b, &right.span)?);
                Ok(binary(op, name_of(a), name_of(b)))
            }
            _ => Err(Refusal::new(&span, "a text is compared with a number here")
                .help("compare it with a text: `mode == 'idle'`")),
        }
    }

    /// A term as a number.
    fn number(&mut self, term: &Term, wanted: Number) -> Lowered {
        match &term.kind {
            TermKind::Bool(value) => Ok(constant_of(f64::from(u8::from(*value)), wanted)),
            TermKind::Int(value) => Ok(constant_of(*value as f64, wanted)),
            TermKind::Float(value) => Ok(constant_of(*value, Number::Float)),
            TermKind::Name(name) => {
                let entry = self.names.entry(self.tree, name).clone();
                let column = name_of(self.column(name, &term.span)?);
                match entry {
                    Entry::Number(Number::Bool)
                    | Entry::Constant(Number::Bool)
                    | Entry::Labels(_) => Err(Refusal::new(
                        &term.span,
                        format!("{} is no number, and is computed with here", quoted(name)),
                    )),
                    _ => Ok(column),
                }
            }
            TermKind::Negate(inner) => {
                let inner = self.number(inner, wanted)?;
                Ok(Expr::new(ExprKind::Unary(UnaryOp::Neg, Box::new(inner))))
            }
            TermKind::Binary(Operator::Div, left, right) => {
                let left = self.float(left)?;
                let right = self.float(right)?;
                Ok(binary(BinaryOp::Div, left, right))
            }
            TermKind::Binary(operator, left, right) => {
                let op = match operator {
                    Operator::Add => BinaryOp::Add,
                    Operator::Sub => BinaryOp::Sub,
                    Operator::Mul => BinaryOp::Mul,
                    Operator::Div | Operator::And | Operator::Or => {
                        return Err(Refusal::new(
                            &term.span,
                            "a truth value is computed with as a number here",
                        ));
                    }
                };
                let (left, right) = (self.number(left, wanted)?, self.number(right, wanted)?);
                Ok(binary(op, left, right))
            }
            TermKind::Text(text) => {
                let message = format!("the text {} is no number", quoted(text));
                Err(Refusal::new(&term.span, message))
            }
            TermKind::Not(_) | TermKind::Compare(..) | TermKind::If(..) => Err(Refusal::new(
                &term.span,
                "a truth value is computed with as a number here",
            )),
        }
    }

    /// A term as a number with a fraction: whole numbers would be divided without one.
    fn float(&mut self, term: &Term) -> Lowered {
        let is_float = self.names.type_of(self.tree, term) == Some(Number::Float);
        let value = self.number(term, Number::Float)?;
        let constant = matches!(
            term.kind,
            TermKind::Int(_) | TermKind::Float(_) | TermKind::Bool(_)
        );
        match is_float || constant {
            true => Ok(value),
            false => {
                let one = Expr::new(ExprKind::Float(1.0));
                Ok(binary(BinaryOp::Mul, value, one))
            }
        }
    }
}

fn untyped(key: &str, span: &Range<usize>) -> Refusal {
    let message = format!("nothing says of what type {} is", quoted(key));
    Refusal::new(span, message)
        .code(Code::EntryType)
        .help("give it a value in a script, or declare the type of its port in `TreeNodesModel`")
}

fn unlabelled(span: &Range<usize>, text: &str) -> Refusal {
    Refusal::new(span, format!("{} cannot be a label", quoted(text)))
}

/// The label of a text, as expressions write it.
pub(super) fn label(column: &str, labels: &[(String, String)], text: &str) -> Option<Expr> {
    let (_, label) = &labels[place_of_text(labels, text)?];
    Some(name_of(format!("{column}.{label}")))
}

pub(super) fn name_of(name: String) -> Expr {
    Expr::new(ExprKind::Name(name))
}

pub(super) fn truth_of(value: bool) -> Expr {
    Expr::new(ExprKind::Bool(value))
}

/// A constant of a type.
pub(super) fn constant_of(value: f64, number: Number) -> Expr {
    Expr::new(match number {
        Number::Bool => ExprKind::Bool(value != 0.0),
        Number::Int => ExprKind::Int(value as i128),
        Number::Float => ExprKind::Float(value as f32),
    })
}

fn zero(number: Number) -> Expr {
    constant_of(0.0, number)
}

pub(super) fn not(inner: Expr) -> Expr {
    match inner.kind {
        ExprKind::Bool(value) => truth_of(!value),
        ExprKind::Unary(UnaryOp::Not, inner) => *inner,
        _ => Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(inner))),
    }
}

pub(super) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::new(ExprKind::Binary(op, Box::new(left), Box::new(right)))
}

fn chosen(test: Expr, then: Expr, other: Expr) -> Expr {
    let first = binary(BinaryOp::And, test.clone(), then);
    binary(BinaryOp::Or, first, binary(BinaryOp::And, not(test), other))
}
