//! From expressions to typed postfix code.

use std::cell::Cell;
use std::collections::HashMap;

use pleach_shape::expr::{MAX_EXPR_LEN, MAX_EXPR_STACK};
use pleach_shape::{ExprCode, ExprDef, ExprOp, ExprType, ValueType};

use crate::error::ProblemKind;
use crate::expr::{BinaryOp, Expr, ExprError, ExprKind, Span, UnaryOp};
use crate::suggest::closest;
use crate::tree::is_identifier;

/// What a name in an expression or parameter means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Meaning {
    Column(u32, ValueType),
    World(u32, ValueType),
    /// A label of an enumeration: which one.
    Label(u8),
}

/// Everything that a name can mean in one tree.
#[derive(Default)]
pub(crate) struct Scope {
    meanings: HashMap<String, Meaning>,
    hints: Cell<u32>,
}

/// How many unknown names of a tree are compared with all that are known. Thousands of unknown
/// names against thousands of columns would take minutes, and nobody reads that many hints.
const MAX_HINTS: u32 = 20;

impl Scope {
    /// Adds a name; `false` if it is taken.
    pub(crate) fn add(&mut self, name: &str, meaning: Meaning) -> bool {
        self.meanings.insert(name.to_owned(), meaning).is_none()
    }

    pub(crate) fn get(&self, name: &str) -> Option<Meaning> {
        self.meanings.get(name).copied()
    }

    /// What to say about a name that is not there.
    pub(crate) fn hint(&self, name: &str) -> String {
        self.hints.set(self.hints.get() + 1);
        if self.hints.get() > MAX_HINTS {
            return "declare it in the tree's blackboard or world".into();
        }
        // What cannot be written in an expression is no suggestion.
        let mut known: Vec<(&str, bool)> = self
            .meanings
            .iter()
            .filter(|(name, _)| is_identifier(name))
            .map(|(name, meaning)| (name.as_str(), matches!(meaning, Meaning::Label(_))))
            .collect();
        known.sort_unstable();
        let near = closest(name, known.iter().map(|&(name, _)| name));
        // Labels may be meant, but nobody has declared them by their full names.
        known.retain(|(_, is_label)| !is_label);
        let known: Vec<&str> = known.into_iter().map(|(name, _)| name).collect();
        match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => {
                "the tree declares no column and no world value; add it to its blackboard".into()
            }
            None if known.len() <= 8 => format!("declared are {}", known.join(", ")),
            None => format!(
                "declared are {} and {} more",
                known[..8].join(", "),
                known.len() - 8
            ),
        }
    }
}

/// Collects the code of all expressions of a tree.
#[derive(Default)]
pub(crate) struct Lowering {
    pub(crate) exprs: Vec<ExprDef>,
    pub(crate) code: Vec<ExprOp>,
    pub(crate) constants: Vec<u64>,
    constant_index: HashMap<u64, u32>,
    /// Expressions with the same code are stored once.
    known: HashMap<Vec<[u32; 2]>, u32>,
}

/// The type of an operand: a bare whole number takes the type of what it meets.
#[derive(Clone, Copy, PartialEq)]
enum Operand {
    Typed(ExprType),
    Whole(i128),
}

impl Operand {
    fn name(self) -> &'static str {
        match self {
            Operand::Typed(ty) => ty.name(),
            Operand::Whole(_) => "a whole number",
        }
    }
}

/// What an expression is lowered for.
#[derive(Clone, Copy)]
pub(crate) enum Purpose<'a> {
    /// A condition: must be a bool.
    Test,
    /// To be stored in a column of that name and type.
    Store(&'a str, ValueType),
}

impl Lowering {
    /// Lowers an expression; gives its index.
    pub(crate) fn lower(
        &mut self,
        expr: &Expr,
        purpose: Purpose<'_>,
        scope: &Scope,
    ) -> Result<u32, ExprError> {
        let mut emit = Emit {
            scope,
            code: Vec::new(),
            constants: &mut self.constants,
            constant_index: &mut self.constant_index,
        };
        let found = emit.expr(expr)?;
        let ty = match purpose {
            Purpose::Test => match found {
                Operand::Typed(ExprType::Bool) => ExprType::Bool,
                other => {
                    return Err(ExprError::types(
                        expr.span.clone(),
                        format!("a condition must be a bool, found {}", other.name()),
                    )
                    .help("compare it with something, for instance `> 0`"));
                }
            },
            Purpose::Store(name, column) => emit.store(expr, found, name, column)?,
        };
        if emit.code.len() > MAX_EXPR_LEN {
            return Err(ExprError::types(
                expr.span.clone(),
                format!(
                    "the expression has {} operations, allowed are {MAX_EXPR_LEN}",
                    emit.code.len()
                ),
            )
            .kind(ProblemKind::Limit));
        }
        let code = emit.code;
        check_stack(&code, &expr.span)?;
        let key: Vec<[u32; 2]> = code
            .iter()
            .map(|op| [u32::from(op.code) | u32::from(op.ty) << 8, op.imm])
            .chain([[ty as u32, u32::MAX]])
            .collect();
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let index = self.exprs.len() as u32;
        self.exprs.push(ExprDef {
            start: self.code.len() as u32,
            len: code.len() as u32,
            ty: ty as u32,
        });
        self.code.extend(code);
        self.known.insert(key, index);
        Ok(index)
    }
}

/// A right-leaning chain needs one operand more for each link.
fn check_stack(code: &[ExprOp], span: &Span) -> Result<(), ExprError> {
    let mut depth = 0usize;
    for op in code {
        match ExprCode::from_u8(op.code) {
            Some(ExprCode::Const | ExprCode::Column | ExprCode::World) => depth += 1,
            Some(ExprCode::ToFloat | ExprCode::Not | ExprCode::Neg | ExprCode::Abs) => {}
            _ => depth -= 1,
        }
        if depth > MAX_EXPR_STACK {
            return Err(ExprError::types(
                span.clone(),
                format!("the expression needs more than {MAX_EXPR_STACK} operands at once"),
            )
            .kind(ProblemKind::Limit)
            .help(
                "put the deeply nested side of each operator on the left, or use `set` for parts",
            ));
        }
    }
    Ok(())
}

struct Emit<'a> {
    scope: &'a Scope,
    code: Vec<ExprOp>,
    constants: &'a mut Vec<u64>,
    constant_index: &'a mut HashMap<u64, u32>,
}

impl Emit<'_> {
    fn expr(&mut self, expr: &Expr) -> Result<Operand, ExprError> {
        match &expr.kind {
            ExprKind::Invalid(_, error) => Err(error.clone()),
            ExprKind::Bool(value) => {
                self.push(ExprCode::Const, ExprType::Bool, u32::from(*value));
                Ok(Operand::Typed(ExprType::Bool))
            }
            ExprKind::Int(value) => {
                // Replaced as soon as the other side's type is known.
                self.push(ExprCode::Const, ExprType::I32, 0);
                Ok(Operand::Whole(*value))
            }
            ExprKind::Float(value) if !value.is_finite() => Err(ExprError::types(
                expr.span.clone(),
                format!("the constant {value} is not a finite number"),
            )
            .kind(ProblemKind::OutOfRange)),
            ExprKind::Float(value) => {
                self.push(ExprCode::Const, ExprType::F32, value.to_bits());
                Ok(Operand::Typed(ExprType::F32))
            }
            ExprKind::Name(name) => {
                let Some(meaning) = self.scope.get(name) else {
                    return Err(ExprError::types(
                        expr.span.clone(),
                        format!("unknown column or world value `{name}`"),
                    )
                    .kind(ProblemKind::UnknownName)
                    .help(self.scope.hint(name)));
                };
                let (code, ty, index) = match meaning {
                    Meaning::Column(index, ty) => (ExprCode::Column, ty, index),
                    Meaning::World(index, ty) => (ExprCode::World, ty, index),
                    Meaning::Label(value) => {
                        self.push(ExprCode::Const, ExprType::I32, 0);
                        return Ok(Operand::Whole(value.into()));
                    }
                };
                let ty = ExprType::of(ty);
                self.push(code, ty, index);
                Ok(Operand::Typed(ty))
            }
            ExprKind::Unary(op, inner) => self.unary(*op, expr, inner),
            ExprKind::Binary(op, left, right) => self.binary(*op, expr, left, right),
        }
    }

    fn push(&mut self, code: ExprCode, ty: ExprType, imm: u32) {
        self.code.push(ExprOp::new(code, ty, imm));
    }

    fn unary(&mut self, op: UnaryOp, expr: &Expr, inner: &Expr) -> Result<Operand, ExprError> {
        let found = self.expr(inner)?;
        let at = self.code.len();
        let found = match found {
            Operand::Whole(value) => {
                self.whole(value, ExprType::I32, at, &inner.span)?;
                ExprType::I32
            }
            Operand::Typed(ty) => ty,
        };
        let (code, allowed) = match op {
            UnaryOp::Not => (ExprCode::Not, found == ExprType::Bool),
            UnaryOp::Neg => (
                ExprCode::Neg,
                matches!(found, ExprType::I32 | ExprType::F32),
            ),
            UnaryOp::Abs => (
                ExprCode::Abs,
                matches!(found, ExprType::I32 | ExprType::F32),
            ),
        };
        if !allowed {
            let wants = if op == UnaryOp::Not {
                "a bool"
            } else {
                "a number (i32 or f32)"
            };
            return Err(ExprError::types(
                expr.span.clone(),
                format!("`{}` takes {wants}, found {found}", code.text()),
            ));
        }
        self.push(code, found, 0);
        Ok(Operand::Typed(found))
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        expr: &Expr,
        left: &Expr,
        right: &Expr,
    ) -> Result<Operand, ExprError> {
        let left_type = self.expr(left)?;
        let left_end = self.code.len();
        let right_type = self.expr(right)?;
        let ty = self.meet(expr, (left, left_type, left_end), (right, right_type))?;
        let numeric = matches!(ty, ExprType::I32 | ExprType::F32);
        let (code, allowed, wants) = match op {
            BinaryOp::Or => (ExprCode::Or, ty == ExprType::Bool, "bools"),
            BinaryOp::And => (ExprCode::And, ty == ExprType::Bool, "bools"),
            BinaryOp::Lt => (ExprCode::Lt, ty != ExprType::Bool, "numbers"),
            BinaryOp::Le => (ExprCode::Le, ty != ExprType::Bool, "numbers"),
            BinaryOp::Gt => (ExprCode::Gt, ty != ExprType::Bool, "numbers"),
            BinaryOp::Ge => (ExprCode::Ge, ty != ExprType::Bool, "numbers"),
            BinaryOp::Eq => (ExprCode::Eq, true, "values"),
            BinaryOp::Ne => (ExprCode::Ne, true, "values"),
            BinaryOp::Add => (ExprCode::Add, numeric, "numbers (i32 or f32)"),
            BinaryOp::Sub => (ExprCode::Sub, numeric, "numbers (i32 or f32)"),
            BinaryOp::Mul => (ExprCode::Mul, numeric, "numbers (i32 or f32)"),
            BinaryOp::Div => (ExprCode::Div, numeric, "numbers (i32 or f32)"),
            BinaryOp::Min => (ExprCode::Min, numeric, "numbers (i32 or f32)"),
            BinaryOp::Max => (ExprCode::Max, numeric, "numbers (i32 or f32)"),
        };
        if !allowed {
            return Err(ExprError::types(
                expr.span.clone(),
                format!("`{}` takes {wants}, found {ty} on both sides", op.text()),
            ));
        }
        self.push(code, ty, 0);
        let compares = matches!(op.strength(), 4);
        Ok(Operand::Typed(if compares { ExprType::Bool } else { ty }))
    }

    /// Brings both operands to one type (rule E1), the left one's code ending at `left_end`.
    fn meet(
        &mut self,
        expr: &Expr,
        (left, left_type, left_end): (&Expr, Operand, usize),
        (right, right_type): (&Expr, Operand),
    ) -> Result<ExprType, ExprError> {
        let end = self.code.len();
        match (left_type, right_type) {
            (Operand::Typed(a), Operand::Typed(b)) if a == b => Ok(a),
            (Operand::Typed(ExprType::F32), Operand::Typed(ExprType::I32)) => {
                self.push(ExprCode::ToFloat, ExprType::I32, 0);
                Ok(ExprType::F32)
            }
            (Operand::Typed(ExprType::I32), Operand::Typed(ExprType::F32)) => {
                self.code
                    .insert(left_end, ExprOp::new(ExprCode::ToFloat, ExprType::I32, 0));
                Ok(ExprType::F32)
            }
            (Operand::Whole(a), Operand::Whole(b)) => {
                self.whole(a, ExprType::I32, left_end, &left.span)?;
                self.whole(b, ExprType::I32, end, &right.span)?;
                Ok(ExprType::I32)
            }
            (Operand::Typed(ty), Operand::Whole(value)) if ty != ExprType::Bool => {
                self.whole(value, ty, end, &right.span)?;
                Ok(ty)
            }
            (Operand::Whole(value), Operand::Typed(ty)) if ty != ExprType::Bool => {
                self.whole(value, ty, left_end, &left.span)?;
                Ok(ty)
            }
            (a, b) => {
                let error = ExprError::types(
                    expr.span.clone(),
                    format!("the two sides do not fit: {} and {}", a.name(), b.name()),
                );
                let u64_side = [a, b].contains(&Operand::Typed(ExprType::U64));
                let bool_side = [a, b].contains(&Operand::Typed(ExprType::Bool));
                Err(if bool_side {
                    error.help(
                        "a bool stands by itself (`a`, `not a`) or is compared with another bool",
                    )
                } else if u64_side {
                    error.help("a u64 is opaque: compare it with another u64 or a whole number")
                } else {
                    error
                })
            }
        }
    }

    /// Gives the whole number whose placeholder ends at `end` its type.
    fn whole(
        &mut self,
        value: i128,
        ty: ExprType,
        end: usize,
        span: &Span,
    ) -> Result<(), ExprError> {
        let imm = match ty {
            ExprType::I32 => i32::try_from(value).ok().map(|value| value as u32),
            ExprType::F32 => {
                let float = value as f32;
                // A whole number that f32 cannot hold exactly would compare in a surprising way.
                // (Beyond u64 the way back saturates, and would seem exact.)
                let exact = value.unsigned_abs() <= u64::MAX.into() && float as i128 == value;
                exact.then(|| float.to_bits())
            }
            ExprType::U64 => u64::try_from(value).ok().map(|value| {
                *self.constant_index.entry(value).or_insert_with(|| {
                    self.constants.push(value);
                    self.constants.len() as u32 - 1
                })
            }),
            ExprType::Bool => None,
        };
        let Some(imm) = imm else {
            return Err(
                ExprError::types(span.clone(), format!("{value} does not fit {ty}"))
                    .kind(ProblemKind::OutOfRange),
            );
        };
        self.code[end - 1] = ExprOp::new(ExprCode::Const, ty, imm);
        Ok(())
    }

    /// Checks that a value may be stored in a column (rule E5); gives its type.
    fn store(
        &mut self,
        expr: &Expr,
        found: Operand,
        name: &str,
        column: ValueType,
    ) -> Result<ExprType, ExprError> {
        let end = self.code.len();
        let ty = match found {
            Operand::Typed(ty) => ty,
            Operand::Whole(value) => {
                let fits = match column {
                    ValueType::U8 => u8::try_from(value).is_ok(),
                    ValueType::U16 => u16::try_from(value).is_ok(),
                    _ => true,
                };
                if !fits || column == ValueType::Bool {
                    let error = ExprError::types(
                        expr.span.clone(),
                        format!("{value} does not fit column `{name}` of type {column}"),
                    );
                    return Err(match column {
                        ValueType::Bool => {
                            error.help("a bool is `true` or `false`, in KDL without quotes `#true` or `#false`; or it is a comparison")
                        }
                        _ => error,
                    });
                }
                let ty = ExprType::of(column);
                self.whole(value, ty, end, &expr.span)?;
                ty
            }
        };
        if !ty.stores_into(column) {
            let error = ExprError::types(
                expr.span.clone(),
                format!("column `{name}` is of type {column}, the expression of type {ty}"),
            );
            return Err(match (ty, column) {
                (ExprType::F32, ValueType::U8 | ValueType::U16 | ValueType::I32) => {
                    error.help("a float is never rounded on its own: declare the column as f32")
                }
                (ExprType::Bool, _) => error.help("declare the column as bool"),
                _ => error,
            });
        }
        Ok(ty)
    }
}
