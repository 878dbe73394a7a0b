//! Reading expressions: a small precedence climber.
//!
//! ```text
//! or      = and { ("or" | "||") and }
//! and     = not { ("and" | "&&") not }
//! not     = ("not" | "!") not | compare
//! compare = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//! sum     = product { ("+" | "-") product }
//! product = minus { ("*" | "/") minus }
//! minus   = "-" minus | value
//! value   = number | "true" | "false" | name | function "(" or { "," or } ")" | "(" or ")"
//! ```

use crate::error::ProblemKind;
use crate::expr::{BinaryOp, Expr, ExprError, ExprKind, Span, UnaryOp};
use crate::suggest::closest;

/// How many levels an expression may have, chains of one operator included: everything behind the
/// parser recurses at most that far.
pub const MAX_EXPR_DEPTH: usize = 128;

/// How far the parser itself recurses. A level as it is written may cost two: a parenthesis and what
/// is in it.
const MAX_NESTING: usize = 2 * MAX_EXPR_DEPTH;

pub(crate) fn parse(text: &str) -> Result<Expr, ExprError> {
    let tokens = scan(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        nesting: 0,
    };
    let expr = parser.or()?;
    let rest = parser.peek();
    if rest.kind != Kind::End {
        return Err(match rest.kind {
            Kind::Assign => ExprError::new(rest.span.clone(), "found `=`, which assigns")
                .help("compare with `==`"),
            Kind::Compare(_) => ExprError::new(rest.span.clone(), "comparisons do not chain")
                .help("write `a < b and b < c`"),
            _ => ExprError::new(
                rest.span.clone(),
                format!("expected an operator or the end, found {}", rest.describe()),
            ),
        });
    }
    Ok(expr)
}

#[derive(Clone, PartialEq)]
enum Kind {
    Int(i128),
    Float(f32),
    Name(String),
    True,
    False,
    Not,
    And,
    Or,
    Compare(BinaryOp),
    Assign,
    Plus,
    Minus,
    Star,
    Slash,
    Open,
    Close,
    Comma,
    End,
}

struct Token {
    kind: Kind,
    span: Span,
    text: String,
}

impl Token {
    fn describe(&self) -> String {
        match self.kind {
            Kind::End => "the end".into(),
            _ => format!("`{}`", self.text),
        }
    }
}

fn scan(text: &str) -> Result<Vec<Token>, ExprError> {
    let mut tokens = Vec::new();
    let bytes = text.as_bytes();
    let limit = u32::MAX as usize;
    if text.len() >= limit {
        return Err(ExprError::new(0..0, "the expression is too long"));
    }
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let byte = bytes[at];
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let two = bytes.get(at + 1).copied();
        let (kind, len) = match (byte, two) {
            (b'<', Some(b'=')) => (Kind::Compare(BinaryOp::Le), 2),
            (b'>', Some(b'=')) => (Kind::Compare(BinaryOp::Ge), 2),
            (b'=', Some(b'=')) => (Kind::Compare(BinaryOp::Eq), 2),
            (b'!', Some(b'=')) => (Kind::Compare(BinaryOp::Ne), 2),
            (b'&', Some(b'&')) => (Kind::And, 2),
            (b'|', Some(b'|')) => (Kind::Or, 2),
            (b'<', _) => (Kind::Compare(BinaryOp::Lt), 1),
            (b'>', _) => (Kind::Compare(BinaryOp::Gt), 1),
            (b'=', _) => (Kind::Assign, 1),
            (b'!', _) => (Kind::Not, 1),
            (b'+', _) => (Kind::Plus, 1),
            (b'-', _) => (Kind::Minus, 1),
            (b'*', _) => (Kind::Star, 1),
            (b'/', _) => (Kind::Slash, 1),
            (b'(', _) => (Kind::Open, 1),
            (b')', _) => (Kind::Close, 1),
            (b',', _) => (Kind::Comma, 1),
            (b'0'..=b'9', _) | (b'.', Some(b'0'..=b'9')) => number(text, at)?,
            (b'a'..=b'z' | b'A'..=b'Z' | b'_', _) => {
                let len = bytes[at..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
                    .count();
                let kind = match &text[at..at + len] {
                    "true" => Kind::True,
                    "false" => Kind::False,
                    "not" => Kind::Not,
                    "and" => Kind::And,
                    "or" => Kind::Or,
                    name => Kind::Name(name.into()),
                };
                (kind, len)
            }
            _ => {
                let found = text[at..].chars().next().unwrap_or(' ');
                let span = at as u32..(at + found.len_utf8()) as u32;
                return Err(ExprError::new(
                    span,
                    match found {
                        '&' => "found `&`; write `and`, or `&&`".to_owned(),
                        '|' => "found `|`; write `or`, or `||`".to_owned(),
                        _ => {
                            let found = match found.is_control() {
                                true => found.escape_default().to_string(),
                                false => found.to_string(),
                            };
                            format!("found `{found}`, which begins no number, name or operator")
                        }
                    },
                ));
            }
        };
        at += len;
        tokens.push(Token {
            kind,
            span: start as u32..at as u32,
            text: text[start..at].into(),
        });
    }
    let end = text.len() as u32;
    tokens.push(Token {
        kind: Kind::End,
        span: end..end,
        text: String::new(),
    });
    Ok(tokens)
}

fn number(text: &str, start: usize) -> Result<(Kind, usize), ExprError> {
    let bytes = text.as_bytes();
    let mut at = start;
    let mut float = false;
    while at < bytes.len() {
        match bytes[at] {
            b'0'..=b'9' => {}
            b'.' if !float && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => float = true,
            b'e' | b'E' => {
                let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
                if !bytes.get(at + 1 + sign).is_some_and(u8::is_ascii_digit) {
                    break;
                }
                float = true;
                at += sign;
            }
            _ => break,
        }
        at += 1;
    }
    let span = start as u32..at as u32;
    let digits = &text[start..at];
    if bytes
        .get(at)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
    {
        return Err(ExprError::new(
            span,
            format!("`{digits}` runs into what follows it"),
        ));
    }
    let kind = if float {
        match digits.parse::<f32>() {
            Ok(value) if value.is_finite() => Kind::Float(value),
            _ => {
                return Err(
                    ExprError::new(span, format!("`{digits}` is too large for f32"))
                        .kind(ProblemKind::OutOfRange),
                );
            }
        }
    } else {
        match digits.parse::<i128>() {
            Ok(value) if value <= i128::from(u64::MAX) => Kind::Int(value),
            _ => {
                return Err(
                    ExprError::new(span, format!("`{digits}` is too large for u64"))
                        .kind(ProblemKind::OutOfRange),
                );
            }
        }
    };
    Ok((kind, at - start))
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    nesting: usize,
}

type Parsed = Result<Expr, ExprError>;

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a Token {
        // `scan` always ends with an `End`, and `next` never passes it.
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> &'a Token {
        let token = self.peek();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn enter(&mut self) -> Result<(), ExprError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(too_deep(self.peek().span.clone()));
        }
        Ok(())
    }

    fn or(&mut self) -> Parsed {
        self.enter()?;
        let mut left = self.and()?;
        while self.peek().kind == Kind::Or {
            self.next();
            let right = self.and()?;
            left = binary(BinaryOp::Or, left, right)?;
        }
        self.nesting -= 1;
        Ok(left)
    }

    fn and(&mut self) -> Parsed {
        let mut left = self.not()?;
        while self.peek().kind == Kind::And {
            self.next();
            let right = self.not()?;
            left = binary(BinaryOp::And, left, right)?;
        }
        Ok(left)
    }

    fn not(&mut self) -> Parsed {
        if self.peek().kind == Kind::Not {
            let start = self.next().span.start;
            self.enter()?;
            let inner = self.not()?;
            self.nesting -= 1;
            return unary(UnaryOp::Not, start, inner);
        }
        self.compare()
    }

    fn compare(&mut self) -> Parsed {
        let left = self.sum()?;
        if let Kind::Compare(op) = self.peek().kind {
            self.next();
            let right = self.sum()?;
            return binary(op, left, right);
        }
        Ok(left)
    }

    fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        loop {
            let op = match self.peek().kind {
                Kind::Plus => BinaryOp::Add,
                Kind::Minus => BinaryOp::Sub,
                _ => return Ok(left),
            };
            self.next();
            let right = self.product()?;
            left = binary(op, left, right)?;
        }
    }

    fn product(&mut self) -> Parsed {
        let mut left = self.minus()?;
        loop {
            let op = match self.peek().kind {
                Kind::Star => BinaryOp::Mul,
                Kind::Slash => BinaryOp::Div,
                _ => return Ok(left),
            };
            self.next();
            let right = self.minus()?;
            left = binary(op, left, right)?;
        }
    }

    fn minus(&mut self) -> Parsed {
        if self.peek().kind != Kind::Minus {
            return self.value();
        }
        let start = self.next().span.start;
        // A minus before a number is part of it.
        let literal = match self.peek().kind {
            Kind::Int(value) => Some(ExprKind::Int(-value)),
            Kind::Float(value) => Some(ExprKind::Float(-value)),
            _ => None,
        };
        if let Some(kind) = literal {
            let end = self.next().span.end;
            return Ok(Expr::spanned(kind, start..end));
        }
        self.enter()?;
        let inner = self.minus()?;
        self.nesting -= 1;
        unary(UnaryOp::Neg, start, inner)
    }

    fn value(&mut self) -> Parsed {
        let token = self.next();
        let kind = match &token.kind {
            Kind::Int(value) => ExprKind::Int(*value),
            Kind::Float(value) => ExprKind::Float(*value),
            Kind::True => ExprKind::Bool(true),
            Kind::False => ExprKind::Bool(false),
            Kind::Name(name) if self.peek().kind == Kind::Open => {
                return self.function(name, token);
            }
            Kind::Name(name) => ExprKind::Name(name.clone()),
            Kind::Open => {
                let inner = self.or()?;
                self.expect_close()?;
                return Ok(inner);
            }
            _ => {
                return Err(ExprError::new(
                    token.span.clone(),
                    format!(
                        "expected a number, a name or `(`, found {}",
                        token.describe()
                    ),
                ));
            }
        };
        Ok(Expr::spanned(kind, token.span.clone()))
    }

    fn expect_close(&mut self) -> Result<u32, ExprError> {
        let token = self.next();
        if token.kind != Kind::Close {
            return Err(ExprError::new(
                token.span.clone(),
                format!("expected `)`, found {}", token.describe()),
            ));
        }
        Ok(token.span.end)
    }

    fn function(&mut self, name: &str, token: &Token) -> Parsed {
        self.next();
        let mut arguments = vec![self.or()?];
        while self.peek().kind == Kind::Comma {
            self.next();
            arguments.push(self.or()?);
            if arguments.len() > 8 {
                break;
            }
        }
        let end = self.expect_close()?;
        let span = token.span.start..end;
        let count = arguments.len();
        let mut arguments = arguments.into_iter();
        let (first, second, third) = (arguments.next(), arguments.next(), arguments.next());
        let wrong_count = |allowed: &str| {
            Err(ExprError::new(
                span.clone(),
                format!("`{name}` takes {allowed}, found {count}"),
            )
            .kind(ProblemKind::Function))
        };
        let mut parsed = match (name, first, second, third) {
            ("abs", Some(operand), None, None) => unary(UnaryOp::Abs, span.start, operand)?,
            ("min", Some(left), Some(right), None) => binary(BinaryOp::Min, left, right)?,
            ("max", Some(left), Some(right), None) => binary(BinaryOp::Max, left, right)?,
            ("abs", ..) => return wrong_count("one argument"),
            ("min" | "max", ..) => return wrong_count("two arguments"),
            _ => {
                let error =
                    ExprError::new(token.span.clone(), format!("unknown function `{name}`"))
                        .kind(ProblemKind::Function);
                return Err(match closest(name, ["abs", "min", "max"]) {
                    Some(known) => error.help(format!("did you mean `{known}`?")),
                    None => error.help("the functions are abs, min and max"),
                });
            }
        };
        parsed.span = span;
        Ok(parsed)
    }
}

pub(crate) fn too_deep(span: Span) -> ExprError {
    ExprError::new(
        span,
        format!("the expression nests deeper than {MAX_EXPR_DEPTH} levels"),
    )
    .kind(ProblemKind::Limit)
    .help("split it: compute parts with `set` into columns of their own")
}

fn unary(op: UnaryOp, start: u32, inner: Expr) -> Parsed {
    let span = start..inner.span.end;
    shallow(Expr::spanned(ExprKind::Unary(op, Box::new(inner)), span))
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Parsed {
    let span = left.span.start..right.span.end;
    shallow(Expr::spanned(
        ExprKind::Binary(op, Box::new(left), Box::new(right)),
        span,
    ))
}

/// An expression that became too deep is an error of the text.
fn shallow(expr: Expr) -> Parsed {
    match expr.kind {
        ExprKind::Invalid(_, error) => Err(error),
        kind => Ok(Expr::spanned(kind, expr.span)),
    }
}
