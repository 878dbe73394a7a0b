//! What a node writes when it is halted (F2): a task that no host knows.
//!
//! Such a task has a function whose name begins with `@`. It runs as long as it is visited, and what it does
//! when it is aborted stands behind it in the stream: a condition, and a Set for where that holds. No walk
//! comes there, since the task never ends. (Of a stream from elsewhere in which other tokens stand there,
//! nothing is written.)

use pleach_shape::{ColumnIndex, ExprIndex, ExprType, Op, Shape, TokenIndex, ValueType};

use crate::column::Row;
use crate::eval::{evaluate, store};

/// The task's exit, for an actor's row.
pub(crate) fn write(shape: &Shape, node: u32, row: &mut Row<'_>, world: &[u64]) {
    let behind = shape.plain().get(node as usize + 1..).unwrap_or_default();
    let [test, set, ..] = behind else { return };
    if test.op() != Some(Op::Condition) || set.op() != Some(Op::Set) {
        return;
    }
    if evaluate(shape, ExprIndex(test.operand), row, world) != 0 {
        self::set(shape, set.operand, row, world);
    }
}

/// L7: what a Set does.
pub(crate) fn set(shape: &Shape, index: u32, row: &mut Row<'_>, world: &[u64]) {
    let tables = shape.tables();
    let def = tables.sets[index as usize];
    let column = ColumnIndex(def.column);
    let ty = tables.columns[column.at()].ty().unwrap_or(ValueType::Bool);
    let found = ExprType::from_u8(tables.exprs[def.expr as usize].ty as u8);
    let bits = evaluate(shape, ExprIndex(def.expr), row, world);
    store(column, ty, found.unwrap_or(ExprType::Bool), bits, row);
}

/// Whether a task is one of these.
pub(crate) fn is_inner(shape: &Shape, node: TokenIndex) -> bool {
    let token = shape.plain().get(node.at());
    token.is_some_and(|token| shape.is_inner_function(token.operand))
}
