//! Expressions in BehaviorTree.CPP's script language.

use pleach_tree::{BinaryOp, Expr, ExprKind, UnaryOp};

use super::native::{Type, Types};

/// What an expression computes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
    Float,
    Enum,
}

/// The script of an expression, if one means the same.
pub(super) fn script(expr: &Expr, types: &Types<'_>) -> Option<String> {
    let mut out = String::new();
    let (kind, _) = write(expr, types, &mut out)?;
    (kind != Kind::Enum).then_some(out)
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
            let (kind, _) = write(value, types, &mut out)?;
            let fits = match ty {
                Type::Bool => kind == Kind::Bool,
                Type::Float => matches!(kind, Kind::Float | Kind::Int),
                Type::Int => kind == Kind::Int,
                Type::Enum => false,
            };
            if !fits {
                return None;
            }
        }
    }
    Some(format!("{column} := {out}"))
}

/// Whether a name is one in scripts, too.
fn is_name(name: &str) -> bool {
    !name.contains('.') && !matches!(name, "true" | "false")
}

/// Writes an expression; says what it computes, and whether it is more than a name or constant.
fn write(expr: &Expr, types: &Types<'_>, out: &mut String) -> Option<(Kind, bool)> {
    match &expr.kind {
        ExprKind::Bool(value) => {
            out.push_str(if *value { "true" } else { "false" });
            Some((Kind::Bool, false))
        }
        ExprKind::Int(value) => {
            i32::try_from(*value).ok()?;
            out.push_str(&value.to_string());
            Some((Kind::Int, false))
        }
        ExprKind::Float(value) if value.is_finite() => {
            out.push_str(&format!("{value:?}"));
            Some((Kind::Float, false))
        }
        ExprKind::Name(name) => {
            if let Some((_, label)) = types.label(name) {
                out.push_str(&format!("'{label}'"));
                return Some((Kind::Enum, false));
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
            Some((kind, false))
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
            let kind = operand(inner, types, out)?;
            let fits = match op {
                UnaryOp::Not => kind == Kind::Bool,
                _ => matches!(kind, Kind::Int | Kind::Float),
            };
            fits.then_some((kind, true))
        }
        ExprKind::Binary(op, left, right) => {
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
            let numbers =
                matches!(l, Kind::Int | Kind::Float) && matches!(r, Kind::Int | Kind::Float);
            let number = if l == Kind::Int && r == Kind::Int {
                Kind::Int
            } else {
                Kind::Float
            };
            let kind = match op {
                BinaryOp::Or | BinaryOp::And => {
                    (l == Kind::Bool && r == Kind::Bool).then_some(Kind::Bool)?
                }
                BinaryOp::Eq | BinaryOp::Ne => {
                    let constant = |expr: &Expr| matches!(expr.kind, ExprKind::Bool(_));
                    // Scripts compute what is compared with a truth value.
                    let truths = l == Kind::Bool && r == Kind::Bool;
                    let fits = numbers
                        || (l == Kind::Enum && r == Kind::Enum)
                        || (truths && !constant(left) && !constant(right));
                    fits.then_some(Kind::Bool)?
                }
                BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                    numbers.then_some(Kind::Bool)?
                }
                // Scripts divide without a remainder left over only where a fraction is.
                BinaryOp::Div => (l == Kind::Float && r == Kind::Float).then_some(Kind::Float)?,
                _ => numbers.then_some(number)?,
            };
            Some((kind, true))
        }
        ExprKind::Float(_) | ExprKind::Invalid(..) => None,
    }
}

/// An operand, in parentheses if it is more than a name or constant: operators bind in other ways there.
fn operand(expr: &Expr, types: &Types<'_>, out: &mut String) -> Option<Kind> {
    let start = out.len();
    let (kind, compound) = write(expr, types, out)?;
    if compound {
        out.insert(start, '(');
        out.push(')');
    }
    Some(kind)
}
