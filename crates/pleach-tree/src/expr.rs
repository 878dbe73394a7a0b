//! Expressions over blackboard columns and world values.

use std::fmt;
use std::ops::Range;

use crate::error::ProblemKind;
use crate::parse::{self, MAX_EXPR_DEPTH, too_deep};

/// A range of bytes in the text that an expression was read from.
pub type Span = Range<u32>;

/// An expression: a condition's test or the value that a Set writes.
///
/// Made from text (`"health < 0.3 and not has_target"`), or in Rust with [`col`], [`lit`] and the
/// methods below. Names mean a blackboard column or a world value, which the compiler finds out.
#[derive(Clone)]
pub struct Expr {
    /// What the expression is.
    pub kind: ExprKind,
    /// Where it stood in its text, for messages; `0..0` if it came from no text. Not part of
    /// equality.
    pub span: Span,
    /// Levels of the expression, at least 1.
    levels: u32,
}

/// The forms of an expression.
#[derive(Clone, PartialEq)]
pub enum ExprKind {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number; takes the type of what it meets.
    Int(i128),
    /// A number with a point or an exponent.
    Float(f32),
    /// A blackboard column or world value.
    Name(String),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator or function with two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A text that is no expression; reported when the tree is compiled.
    Invalid(String, ExprError),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `not a`
    Not,
    /// `-a`
    Neg,
    /// `abs(a)`
    Abs,
}

/// Operators and functions with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `a or b`
    Or,
    /// `a and b`
    And,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a > b`
    Gt,
    /// `a >= b`
    Ge,
    /// `a == b`
    Eq,
    /// `a != b`
    Ne,
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
}

impl BinaryOp {
    /// The operator or function name as written.
    pub const fn text(self) -> &'static str {
        match self {
            BinaryOp::Or => "or",
            BinaryOp::And => "and",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Min => "min",
            BinaryOp::Max => "max",
        }
    }

    /// How strongly it binds; functions bind strongest.
    pub(crate) const fn strength(self) -> u8 {
        match self {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Eq
            | BinaryOp::Ne => 4,
            BinaryOp::Add | BinaryOp::Sub => 5,
            BinaryOp::Mul | BinaryOp::Div => 6,
            BinaryOp::Min | BinaryOp::Max => 9,
        }
    }
}

/// Why a text is no expression, or why an expression has no meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExprError {
    /// What kind of mistake it is.
    pub kind: ProblemKind,
    /// Where, as bytes of the expression's text.
    pub span: Span,
    /// What was found and what was allowed.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl ExprError {
    /// A text that is no expression.
    pub(crate) fn new(span: Span, message: impl Into<String>) -> ExprError {
        ExprError {
            kind: ProblemKind::Syntax,
            span,
            message: message.into(),
            help: None,
        }
    }

    /// Types that do not fit.
    pub(crate) fn types(span: Span, message: impl Into<String>) -> ExprError {
        ExprError::new(span, message).kind(ProblemKind::Types)
    }

    pub(crate) fn kind(mut self, kind: ProblemKind) -> ExprError {
        self.kind = kind;
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> ExprError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.span.start)?;
        if let Some(help) = &self.help {
            write!(f, "; {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ExprError {}

/// The blackboard column or world value of that name.
pub fn col(name: impl Into<String>) -> Expr {
    Expr::new(ExprKind::Name(name.into()))
}

/// A constant.
pub fn lit(value: impl Into<Literal>) -> Expr {
    Expr::new(value.into().0)
}

/// What [`lit`] and the comparison methods take: a bool, a whole number or an `f32`.
pub struct Literal(ExprKind);

macro_rules! literal_from {
    ($($ty:ty),*) => {$(
        impl From<$ty> for Literal {
            fn from(value: $ty) -> Literal {
                Literal(ExprKind::Int(value.into()))
            }
        }
        impl From<$ty> for Expr {
            fn from(value: $ty) -> Expr {
                Expr::new(ExprKind::Int(value.into()))
            }
        }
    )*};
}
literal_from!(u8, u16, u32, i32, i64, u64);

impl From<bool> for Literal {
    fn from(value: bool) -> Literal {
        Literal(ExprKind::Bool(value))
    }
}
impl From<f32> for Literal {
    fn from(value: f32) -> Literal {
        Literal(ExprKind::Float(value))
    }
}
impl From<bool> for Expr {
    fn from(value: bool) -> Expr {
        lit(value)
    }
}
impl From<f32> for Expr {
    fn from(value: f32) -> Expr {
        lit(value)
    }
}

impl From<&str> for Expr {
    /// Reads the text. What is no expression becomes [`ExprKind::Invalid`], which the compiler
    /// reports with its place; use [`Expr::parse`] to know at once.
    fn from(text: &str) -> Expr {
        match Expr::parse(text) {
            Ok(expr) => expr,
            Err(error) => Expr::new(ExprKind::Invalid(text.to_owned(), error)),
        }
    }
}

impl From<String> for Expr {
    fn from(text: String) -> Expr {
        Expr::from(text.as_str())
    }
}

macro_rules! binary_methods {
    ($($(#[$doc:meta])* $name:ident, $op:ident;)*) => {$(
        $(#[$doc])*
        // The names of std's operator traits, but as expressions: `a.lt(b)` has no meaning in Rust.
        #[allow(clippy::should_implement_trait)]
        pub fn $name(self, other: impl Into<Expr>) -> Expr {
            Expr::new(ExprKind::Binary(BinaryOp::$op, Box::new(self), Box::new(other.into())))
        }
    )*};
}

impl Expr {
    /// An expression from no text. One that nests deeper than [`MAX_EXPR_DEPTH`] becomes
    /// [`ExprKind::Invalid`], which the compiler reports: so no expression is ever deep enough to
    /// make its walk, or its drop, a danger to the stack.
    pub fn new(kind: ExprKind) -> Expr {
        Expr::spanned(kind, 0..0)
    }

    pub(crate) fn spanned(kind: ExprKind, span: Span) -> Expr {
        let levels = 1 + match &kind {
            ExprKind::Unary(_, inner) => inner.levels,
            ExprKind::Binary(_, left, right) => left.levels.max(right.levels),
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Name(_)
            | ExprKind::Invalid(..) => 0,
        };
        if levels as usize > MAX_EXPR_DEPTH {
            return Expr {
                kind: ExprKind::Invalid("…".to_owned(), too_deep(span.clone())),
                span,
                levels: 1,
            };
        }
        Expr { kind, span, levels }
    }

    /// How many levels the expression has: 1 for a name or constant.
    pub fn levels(&self) -> usize {
        self.levels as usize
    }

    /// Reads an expression.
    ///
    /// # Errors
    /// With the place in the text, what was found and what was allowed.
    pub fn parse(text: &str) -> Result<Expr, ExprError> {
        parse::parse(text)
    }

    binary_methods! {
        /// `self or other`
        or, Or;
        /// `self and other`
        and, And;
        /// `self < other`
        lt, Lt;
        /// `self <= other`
        le, Le;
        /// `self > other`
        gt, Gt;
        /// `self >= other`
        ge, Ge;
        /// `self == other`
        eq_to, Eq;
        /// `self != other`
        ne_to, Ne;
        /// `self + other`
        plus, Add;
        /// `self - other`
        minus, Sub;
        /// `self * other`
        times, Mul;
        /// `self / other`
        over, Div;
        /// `min(self, other)`
        min, Min;
        /// `max(self, other)`
        max, Max;
    }

    /// `not self`
    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Expr {
        Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(self)))
    }

    /// `-self`
    pub fn negated(self) -> Expr {
        Expr::new(ExprKind::Unary(UnaryOp::Neg, Box::new(self)))
    }

    /// `abs(self)`
    pub fn abs(self) -> Expr {
        Expr::new(ExprKind::Unary(UnaryOp::Abs, Box::new(self)))
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
    }
}

impl fmt::Display for Expr {
    /// Writes the expression so that it reads back as the same one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_expr(self, 0, f)
    }
}

impl fmt::Debug for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

impl fmt::Debug for ExprKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", Expr::new(self.clone()))
    }
}

fn write_expr(expr: &Expr, least: u8, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &expr.kind {
        ExprKind::Bool(value) => write!(f, "{value}"),
        ExprKind::Int(value) if *value < 0 && least > 7 => write!(f, "({value})"),
        ExprKind::Int(value) => write!(f, "{value}"),
        ExprKind::Float(value) if *value < 0.0 && least > 7 => write!(f, "({value:?})"),
        ExprKind::Float(value) => write!(f, "{value:?}"),
        ExprKind::Name(name) => f.write_str(name),
        ExprKind::Unary(UnaryOp::Abs, inner) => {
            f.write_str("abs(")?;
            write_expr(inner, 0, f)?;
            f.write_str(")")
        }
        ExprKind::Unary(op, inner) => {
            let (text, binds) = match op {
                UnaryOp::Not => ("not ", 3),
                UnaryOp::Neg | UnaryOp::Abs => ("-", 7),
            };
            parenthesised(binds < least, f, |f| {
                f.write_str(text)?;
                // A minus before a number would read back as a negative constant.
                let literal = matches!(inner.kind, ExprKind::Int(_) | ExprKind::Float(_));
                match op {
                    UnaryOp::Neg if literal => parenthesised(true, f, |f| write_expr(inner, 0, f)),
                    UnaryOp::Neg => write_expr(inner, binds + 1, f),
                    _ => write_expr(inner, binds, f),
                }
            })
        }
        ExprKind::Binary(op @ (BinaryOp::Min | BinaryOp::Max), left, right) => {
            write!(f, "{}(", op.text())?;
            write_expr(left, 0, f)?;
            f.write_str(", ")?;
            write_expr(right, 0, f)?;
            f.write_str(")")
        }
        ExprKind::Binary(op, left, right) => {
            let binds = op.strength();
            parenthesised(binds < least, f, |f| {
                // Comparisons do not chain; the others associate to the left.
                write_expr(left, if binds == 4 { binds + 1 } else { binds }, f)?;
                write!(f, " {} ", op.text())?;
                write_expr(right, binds + 1, f)
            })
        }
        ExprKind::Invalid(text, _) => f.write_str(text),
    }
}

fn parenthesised(
    needed: bool,
    f: &mut fmt::Formatter<'_>,
    inner: impl FnOnce(&mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    if needed {
        f.write_str("(")?;
    }
    inner(f)?;
    if needed {
        f.write_str(")")?;
    }
    Ok(())
}
