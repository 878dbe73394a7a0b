//! From the words of a script to its statements.

use std::ops::Range;

use super::token::{Kind, Token, scan};
use super::{
    Assign, Comparison, MAX_TERM_LEVELS, Operator, ScriptError, Statement, Term, TermKind,
};
use crate::diagnostic::{Code, quoted};
use crate::read::MAX_EXPR_BYTES;

/// How deep the parser recurses: a level as it is written may cost a parenthesis and what is in it.
const MAX_NESTING: usize = 2 * MAX_TERM_LEVELS;

/// Reads a script. An empty one has no statements.
pub(in super::super) fn parse(text: &str) -> Result<Vec<Statement>, ScriptError> {
    if text.len() > MAX_EXPR_BYTES {
        let message = format!(
            "the script has {} bytes, allowed are {MAX_EXPR_BYTES}",
            text.len()
        );
        return Err(ScriptError::new(0..text.len(), message).code(Code::Limit));
    }
    let tokens = scan(text)?;
    let mut parser = Parser {
        text,
        tokens: &tokens,
        at: 0,
        nesting: 0,
    };
    let mut statements = Vec::new();
    loop {
        while parser.eat(";") {}
        if parser.peek().kind == Kind::End {
            return Ok(statements);
        }
        statements.push(parser.statement()?);
        if parser.peek().kind != Kind::End && !parser.eat(";") {
            return Err(parser.unexpected("an operator, `;` or the end"));
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    nesting: usize,
}

type Parsed = Result<Term, ScriptError>;

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a Token {
        // The last one is the end, which is never passed.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> &'a Token {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn sign(&self) -> Option<&'static str> {
        match self.peek().kind {
            Kind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.sign() == Some(sign);
        self.at += usize::from(found);
        found
    }

    fn unexpected(&self, wanted: &str) -> ScriptError {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the end".to_owned(),
            _ => quoted(&self.text[token.span.clone()]),
        };
        let error = ScriptError::new(
            token.span.clone(),
            format!("expected {wanted}, found {found}"),
        );
        match token.kind {
            Kind::Sign("&" | "|" | "^" | "~") => ScriptError::new(
                token.span.clone(),
                format!("the bit operation {found} cannot be computed here"),
            )
            .code(Code::ScriptMeaning)
            .help("keep each bit in an entry of its own, or let an action compute it"),
            Kind::Sign("=" | ":=" | "+=" | "-=" | "*=" | "/=") => ScriptError::new(
                token.span.clone(),
                format!("{found} assigns, and its left side is no name of an entry"),
            )
            .help("compare with `==`"),
            _ => error,
        }
    }

    fn statement(&mut self) -> Result<Statement, ScriptError> {
        let assigns = |token: Option<&Token>| match token.map(|token| &token.kind) {
            Some(Kind::Sign(":=" | "=")) => Some(None),
            Some(Kind::Sign("+=")) => Some(Some(Operator::Add)),
            Some(Kind::Sign("-=")) => Some(Some(Operator::Sub)),
            Some(Kind::Sign("*=")) => Some(Some(Operator::Mul)),
            Some(Kind::Sign("/=")) => Some(Some(Operator::Div)),
            _ => None,
        };
        if let Kind::Name(name) = &self.peek().kind
            && let Some(with) = assigns(self.tokens.get(self.at + 1))
        {
            let span = self.peek().span.clone();
            self.at += 2;
            let value = self.conditional()?;
            return Ok(Statement::Assign(Assign {
                name: name.clone(),
                span,
                with,
                value,
            }));
        }
        self.conditional().map(Statement::Term)
    }

    fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, ScriptError>,
    ) -> Result<T, ScriptError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(too_deep(self.peek().span.clone()));
        }
        let result = inner(self);
        self.nesting -= 1;
        result
    }

    fn conditional(&mut self) -> Parsed {
        self.deeper(|parser| {
            let test = parser.logic()?;
            if !parser.eat("?") {
                return Ok(test);
            }
            let then = parser.conditional()?;
            if !parser.eat(":") {
                return Err(parser.unexpected("`:`"));
            }
            let other = parser.conditional()?;
            let span = test.span.start..other.span.end;
            let kind = TermKind::If(Box::new(test), Box::new(then), Box::new(other));
            shallow(Term::new(kind, span))
        })
    }

    fn logic(&mut self) -> Parsed {
        let mut left = self.comparison()?;
        loop {
            let operator = match self.sign() {
                Some("&&") => Operator::And,
                Some("||") => Operator::Or,
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.comparison()?;
            left = binary(operator, left, right)?;
        }
    }

    fn comparison(&mut self) -> Parsed {
        let first = self.sum()?;
        let start = first.span.start;
        let mut operands = vec![first];
        let mut chain = Vec::new();
        loop {
            chain.push(match self.sign() {
                Some("==") => Comparison::Eq,
                Some("!=") => Comparison::Ne,
                Some("<") => Comparison::Lt,
                Some("<=") => Comparison::Le,
                Some(">") => Comparison::Gt,
                Some(">=") => Comparison::Ge,
                _ => break,
            });
            self.at += 1;
            operands.push(self.sum()?);
            if operands.len() > MAX_TERM_LEVELS {
                return Err(too_deep(self.peek().span.clone()));
            }
        }
        match (chain.is_empty(), operands.len()) {
            (true, 1) => Ok(operands.remove(0)),
            _ => {
                let end = operands.last().map_or(start, |operand| operand.span.end);
                shallow(Term::new(TermKind::Compare(chain, operands), start..end))
            }
        }
    }

    fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        loop {
            let operator = match self.sign() {
                Some("+") => Operator::Add,
                Some("-") => Operator::Sub,
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.product()?;
            left = binary(operator, left, right)?;
        }
    }

    fn product(&mut self) -> Parsed {
        let mut left = self.prefix()?;
        loop {
            let operator = match self.sign() {
                Some("*") => Operator::Mul,
                Some("/") => Operator::Div,
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.prefix()?;
            left = binary(operator, left, right)?;
        }
    }

    fn prefix(&mut self) -> Parsed {
        self.deeper(|parser| {
            let start = parser.peek().span.start;
            if parser.eat("-") {
                let inner = parser.prefix()?;
                let span = start..inner.span.end;
                return shallow(match inner.kind {
                    TermKind::Int(value) => Term::new(TermKind::Int(-value), span),
                    TermKind::Float(value) => Term::new(TermKind::Float(-value), span),
                    _ => Term::new(TermKind::Negate(Box::new(inner)), span),
                });
            }
            if parser.eat("!") {
                let inner = parser.prefix()?;
                let span = start..inner.span.end;
                return shallow(Term::new(TermKind::Not(Box::new(inner)), span));
            }
            // A sign in front of a number says nothing.
            if parser.sign() == Some("+")
                && matches!(
                    parser.tokens.get(parser.at + 1).map(|token| &token.kind),
                    Some(Kind::Int(_) | Kind::Float(_))
                )
            {
                parser.at += 1;
            }
            parser.value()
        })
    }

    fn value(&mut self) -> Parsed {
        let token = self.peek();
        let kind = match &token.kind {
            Kind::Int(value) => TermKind::Int(*value),
            Kind::Float(value) => TermKind::Float(*value),
            Kind::Text(text) => TermKind::Text(text.clone()),
            Kind::Name(name) => TermKind::Name(name.clone()),
            Kind::True => TermKind::Bool(true),
            Kind::False => TermKind::Bool(false),
            Kind::Sign("(") => {
                self.next();
                let inner = self.conditional()?;
                if !self.eat(")") {
                    if let Some(":=" | "=" | "+=" | "-=" | "*=" | "/=") = self.sign() {
                        let message = "an assignment within an expression cannot be computed here";
                        return Err(ScriptError::new(self.peek().span.clone(), message)
                            .help("make it a statement of its own, in front"));
                    }
                    return Err(self.unexpected("`)`"));
                }
                return Ok(inner);
            }
            _ => return Err(self.unexpected("a value")),
        };
        self.next();
        Ok(Term::new(kind, token.span.clone()))
    }
}

fn binary(operator: Operator, left: Term, right: Term) -> Parsed {
    let span = left.span.start..right.span.end;
    let kind = TermKind::Binary(operator, Box::new(left), Box::new(right));
    shallow(Term::new(kind, span))
}

fn shallow(term: Term) -> Parsed {
    match term.levels() > MAX_TERM_LEVELS {
        true => Err(too_deep(term.span)),
        false => Ok(term),
    }
}

fn too_deep(span: Range<usize>) -> ScriptError {
    ScriptError::new(
        span,
        format!("the script nests deeper than {MAX_TERM_LEVELS} levels"),
    )
    .code(Code::Limit)
    .help("split it into several statements")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A term with all its parentheses.
    fn full(term: &Term) -> String {
        match &term.kind {
            TermKind::Bool(value) => value.to_string(),
            TermKind::Int(value) => value.to_string(),
            TermKind::Float(value) => format!("{value:?}"),
            TermKind::Text(text) => format!("'{text}'"),
            TermKind::Name(name) => name.clone(),
            TermKind::Negate(inner) => format!("-{}", full(inner)),
            TermKind::Not(inner) => format!("!{}", full(inner)),
            TermKind::Binary(operator, left, right) => {
                format!("({} {operator:?} {})", full(left), full(right))
            }
            TermKind::Compare(chain, operands) => {
                let mut text = full(&operands[0]);
                for (one, operand) in chain.iter().zip(&operands[1..]) {
                    text = format!("{text} {one:?} {}", full(operand));
                }
                format!("[{text}]")
            }
            TermKind::If(test, then, other) => {
                format!("({} ? {} : {})", full(test), full(then), full(other))
            }
        }
    }

    fn shown(text: &str) -> String {
        let statements = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let parts = statements.iter().map(|statement| match statement {
            Statement::Assign(assign) => match assign.with {
                None => format!("{} := {}", assign.name, full(&assign.value)),
                Some(with) => format!("{} {with:?}= {}", assign.name, full(&assign.value)),
            },
            Statement::Term(term) => full(term),
        });
        parts.collect::<Vec<_>>().join("; ")
    }

    fn refused(text: &str) -> (String, String) {
        let error = parse(text).expect_err(text);
        (text[error.span].to_owned(), error.message)
    }

    #[test]
    fn operators_bind_as_in_behaviortree_cpp() {
        assert_eq!(shown("a || b && c"), "((a Or b) And c)");
        assert_eq!(shown("a+b*c/-d"), "(a Add ((b Mul c) Div -d))");
        assert_eq!(shown("!a == b && -1 < x"), "([!a Eq b] And [-1 Lt x])");
        assert_eq!(shown("1 < x <= 2.5"), "[1 Lt x Le 2.5]");
        assert_eq!(shown("a ? b : c ? 1 : 0x1F"), "(a ? b : (c ? 1 : 31))");
        assert_eq!(shown("(a || b) == 'x'"), "[(a Or b) Eq 'x']");
        assert_eq!(shown("- -a + +2"), "(--a Add 2)");
    }

    #[test]
    fn statements_assign() {
        assert_eq!(
            shown(" n := 1; @m = n ; n+=2;t:='a b';; n -= 1.5e3; "),
            "n := 1; @m := n; n Add= 2; t := 'a b'; n Sub= 1500.0"
        );
        assert_eq!(shown(""), "");
        assert_eq!(shown("a==false"), "[a Eq false]");
    }

    #[test]
    fn what_is_refused_says_where() {
        let cases = [
            (
                "a & b",
                "&",
                "the bit operation `&` cannot be computed here",
            ),
            ("~a", "~", "the bit operation `~` cannot be computed here"),
            ("a +", "", "expected a value, found the end"),
            (
                "1 = a",
                "=",
                "`=` assigns, and its left side is no name of an entry",
            ),
            ("a := 'x", "'x", "this text is never closed"),
            ("a := 12abc", "12abc", "`12abc` is no number"),
            ("{a}", "{", "`{` has no meaning in a script"),
            (
                "a b",
                "b",
                "expected an operator, `;` or the end, found `b`",
            ),
            (
                "(a := 1) + 2",
                ":=",
                "an assignment within an expression cannot be computed here",
            ),
            ("a ? 1", "", "expected `:`, found the end"),
            (
                "99999999999999999999 + 0xfffffffffffffffff",
                "0xfffffffffffffffff",
                "`0xfffffffffffffffff` is no number",
            ),
        ];
        for (text, place, message) in cases {
            assert_eq!(
                refused(text),
                (place.to_owned(), message.to_owned()),
                "{text}"
            );
        }
    }

    #[test]
    fn deep_and_long_scripts_are_refused() {
        let message = "the script nests deeper than 100 levels";
        for text in [
            "(".repeat(5000),
            "!".repeat(5000),
            vec!["a"; 5000].join("+"),
            vec!["a"; 5000].join("<"),
            "a ? b : ".repeat(1500),
        ] {
            assert_eq!(refused(&text).1, message, "{}", &text[..8]);
        }
        let text = format!("a := '{}'", "x".repeat(MAX_EXPR_BYTES));
        assert!(refused(&text).1.starts_with("the script has 16391 bytes"));
    }
}
