//! Expressions in BehaviorTree.CPP's script language.

use pleach_tree::{BinaryOp, Expr, ExprKind, UnaryOp};

use super::native::{Type, Types};
use crate::btcpp::script::parse;

/// What an expression computes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
    Float,
    Enum,
}

/// What was written of an expression.
#[derive(Clone, Copy)]
struct Written {
    kind: Kind,
    /// Whether it is more than a name or constant.
    compound: bool,
    /// Whether whole numbers stand in it. Beside numbers with a fraction they are read as such.
    whole: bool,
}

/// The script of an expression that is a truth value, if one is read as the same.
pub(super) fn script(expr: &Expr, types: &Types<'_>) -> Option<String> {
    let mut out = String::new();
    let written = write(expr, types, &mut out)?;
    (written.kind == Kind::Bool && is_script(&out)).then_some(out)
}

/// The script of what must not hold for an expression to do so.
pub(super) fn failing(expr: &Expr, types: &Types<'_>) -> Option<String> {
    match &expr.kind {
        ExprKind::Unary(UnaryOp::Not, inner) if !folds(inner) => script(inner, types),
        ExprKind::Bool(value) => Some((!value).to_string()),
        _ => {
            let inner = Box::new(expr.clone());
            script(&Expr::new(ExprKind::Unary(UnaryOp::Not, inner)), types)
        }
    }
}

/// The script of a value that is written to a column.
pub(super) fn assigned(column: &str, value: &Expr, types: &Types<'_>) -> Option<String> {
    let ty = types.get(column)?;
    if !is_name(column) {
        return None;
    }
    let mut out = String::new();
    match ty {
        Type::Enum => {
            let ExprKind::Name(name) = &value.kind else {
                return None;
            };
            match (types.label(name), types.get(name)) {
                (Some((of, label)), _) if of == column => out = format!("'{label}'"),
                (None, Some(Type::Enum)) if is_name(name) => out.push_str(name),
                _ => return None,
            }
        }
        ty => {
            let written = write(value, types, &mut out)?;
            let fits = match ty {
                Type::Bool => written.kind == Kind::Bool,
                Type::Float => match written.kind {
                    Kind::Float => true,
                    Kind::Int => !written.whole,
                    Kind::Bool | Kind::Enum => false,
                },
                Type::Int => written.kind == Kind::Int,
                Type::Enum => false,
            };
            if !fits {
                return None;
            }
        }
    }
    let script = format!("{column} := {out}");
    is_script(&script).then_some(script)
}

/// Whether it is within the limits of scripts.
fn is_script(text: &str) -> bool {
    parse(text).is_ok()
}

/// Whether a `not` in front of it is taken together with it.
fn folds(inner: &Expr) -> bool {
    matches!(
        inner.kind,
        ExprKind::Bool(_) | ExprKind::Unary(UnaryOp::Not, _)
    )
}

/// Whether a name is one in scripts, too.
fn is_name(name: &str) -> bool {
    !name.contains('.') && !matches!(name, "true" | "false")
}

/// Writes an expression, if it is read back as the same.
fn write(expr: &Expr, types: &Types<'_>, out: &mut String) -> Option<Written> {
    let plain = |kind| Written {
        kind,
        compound: false,
        whole: kind == Kind::Int,
    };
    match &expr.kind {
        ExprKind::Bool(value) => {
            out.push_str(if *value { "true" } else { "false" });
            Some(plain(Kind::Bool))
        }
        ExprKind::Int(value) => {
            i32::try_from(*value).ok()?;
            out.push_str(&value.to_string());
            Some(plain(Kind::Int))
        }
        ExprKind::Float(value) if value.is_finite() => {
            out.push_str(&format!("{value:?}"));
            Some(plain(Kind::Float))
        }
        ExprKind::Name(name) => {
            if let Some((_, label)) = types.label(name) {
                out.push_str(&format!("'{label}'"));
                return Some(plain(Kind::Enum));
            }
            if !is_name(name) {
                return None;
            }
            out.push_str(name);
            let kind = match types.get(name)? {
                Type::Bool => Kind::Bool,
                Type::Int => Kind::Int,
                Type::Float => Kind::Float,
                Type::Enum => Kind::Enum,
            };
            Some(Written {
                kind,
                compound: false,
                whole: false,
            })
        }
        ExprKind::Unary(op, inner) => {
            out.push(match op {
                UnaryOp::Not => '!',
                UnaryOp::Neg => '-',
                UnaryOp::Abs => return None,
            });
            let negative = matches!(inner.kind, ExprKind::Int(_) | ExprKind::Float(_));
            if *op == UnaryOp::Neg && negative {
                // A sign and a number are read as one number.
                return None;
            }
            if *op == UnaryOp::Not && folds(inner) {
                return None;
            }
            let inner = operand(inner, types, out)?;
            let fits = match op {
                UnaryOp::Not => inner.kind == Kind::Bool,
                _ => matches!(inner.kind, Kind::Int | Kind::Float),
            };
            fits.then_some(Written {
                compound: true,
                ..inner
            })
        }
        ExprKind::Binary(op, left, right) => binary(*op, left, right, types, out),
        ExprKind::Float(_) | ExprKind::Invalid(..) => None,
    }
}

fn binary(
    op: BinaryOp,
    left: &Expr,
    right: &Expr,
    types: &Types<'_>,
    out: &mut String,
) -> Option<Written> {
    let sign = match op {
        BinaryOp::Or => "||",
        BinaryOp::And => "&&",
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
        BinaryOp::Min | BinaryOp::Max => return None,
    };
    let l = operand(left, types, out)?;
    out.push_str(&format!(" {sign} "));
    let r = operand(right, types, out)?;
    let whole = l.whole || r.whole;
    // What kind two numbers are together.
    let number = match (l.kind, r.kind) {
        (Kind::Int, Kind::Int) => Some(Kind::Int),
        (Kind::Int | Kind::Float, Kind::Int | Kind::Float) => (!whole).then_some(Kind::Float),
        _ => None,
    };
    let truths = l.kind == Kind::Bool && r.kind == Kind::Bool;
    let kind = match op {
        BinaryOp::Or | BinaryOp::And => truths.then_some(Kind::Bool)?,
        BinaryOp::Eq | BinaryOp::Ne => {
            let constant = |expr: &Expr| matches!(expr.kind, ExprKind::Bool(_));
            let fits = match (l.kind, r.kind) {
                (Kind::Enum, Kind::Enum) => labels_fit(left, right, types),
                // Scripts compute what is compared with a truth value.
                (Kind::Bool, Kind::Bool) => !constant(left) && !constant(right),
                _ => number.is_some(),
            };
            fits.then_some(Kind::Bool)?
        }
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => number.map(|_| Kind::Bool)?,
        // Scripts divide without a remainder left over only where a fraction is.
        BinaryOp::Div => (l.kind == Kind::Float && r.kind == Kind::Float).then_some(Kind::Float)?,
        _ => number?,
    };
    Some(Written {
        kind,
        compound: true,
        whole: whole && kind == Kind::Int,
    })
}

/// Whether two texts are compared as scripts compare them: an enumeration with another one, or with a
/// label of its own behind it.
fn labels_fit(left: &Expr, right: &Expr, types: &Types<'_>) -> bool {
    let (ExprKind::Name(left), ExprKind::Name(right)) = (&left.kind, &right.kind) else {
        return false;
    };
    match (types.label(left), types.label(right)) {
        (None, None) => true,
        (None, Some((of, _))) => of == left,
        (Some(_), _) => false,
    }
}

/// An operand, in parentheses if it is more than a name or constant: operators bind in other ways there.
fn operand(expr: &Expr, types: &Types<'_>, out: &mut String) -> Option<Written> {
    let start = out.len();
    let written = write(expr, types, out)?;
    if written.compound {
        out.insert(start, '(');
        out.push(')');
    }
    Some(written)
}
