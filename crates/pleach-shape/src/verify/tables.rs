//! Properties T1 to T5: the side tables by themselves.

use alloc::collections::BTreeSet;
use alloc::format;

use super::{MAX_NAME_BYTES, MAX_VALUES, Place, Verified, VerifyError};
use crate::expr::check_code;
use crate::tables::{ParamSource, Tables};
use crate::token::{NONE, Token};
use crate::value::{Value, ValueType};

fn canonical_default(ty: Option<ValueType>, bits: u64) -> bool {
    ty.is_some_and(|ty| Value::from_bits(ty, bits).to_bits() == bits)
}

pub(super) fn tables(tables: &Tables, plain: &[Token]) -> Verified {
    let named = |table: &'static str, index: usize, name: u32| {
        if (name as usize) < tables.names.len() {
            Ok(())
        } else {
            Err(VerifyError::new(
                "T1",
                Place::Entry(table, index),
                format!("has name {name} of {}", tables.names.len()),
            ))
        }
    };
    if tables.names.is_empty() {
        return Err(VerifyError::new("T1", Place::Shape, "it has no name"));
    }
    if tables.names[0].len() > MAX_NAME_BYTES {
        return Err(VerifyError::new("T1", Place::Shape, "its name is too long"));
    }
    if tables.columns.len() > MAX_VALUES || tables.world.len() > MAX_VALUES {
        return Err(VerifyError::new(
            "T2",
            Place::Shape,
            format!(
                "it has {} columns and {} world values, allowed are {MAX_VALUES} of each",
                tables.columns.len(),
                tables.world.len()
            ),
        ));
    }
    let mut values: BTreeSet<&str> = BTreeSet::new();
    for (index, column) in tables.columns.iter().enumerate() {
        named("column", index, column.name)?;
        if !canonical_default(column.ty(), column.default)
            || !values.insert(&tables.names[column.name as usize])
        {
            return Err(VerifyError::new(
                "T2",
                Place::Entry("column", index),
                "has no type, a default beyond its type, or a name that is taken",
            ));
        }
    }
    for (index, world) in tables.world.iter().enumerate() {
        named("world value", index, world.name)?;
        if !canonical_default(world.ty(), world.default)
            || !values.insert(&tables.names[world.name as usize])
        {
            return Err(VerifyError::new(
                "T2",
                Place::Entry("world value", index),
                "has no type, a default beyond its type, or a name that is taken",
            ));
        }
    }
    let mut code_end = 0;
    for (index, expr) in tables.exprs.iter().enumerate() {
        let start = expr.start as usize;
        let range = start..start.saturating_add(expr.len as usize);
        let in_order = core::mem::replace(&mut code_end, range.end) == start;
        let Some(code) = tables.code.get(range).filter(|_| in_order) else {
            return Err(VerifyError::new(
                "T3",
                Place::Entry("expression", index),
                "has code that does not follow the expression before it, or lies outside the table",
            ));
        };
        check_code(
            code,
            expr.ty,
            &tables.columns,
            &tables.world,
            &tables.constants,
        )
        .map_err(|fault| {
            VerifyError::new("T3", Place::Entry("expression", index), format!("{fault}"))
        })?;
    }
    if code_end != tables.code.len() {
        return Err(VerifyError::new(
            "T3",
            Place::Shape,
            "it has code that no expression runs",
        ));
    }
    for (index, &name) in tables.actions.iter().enumerate() {
        named("action", index, name)?;
    }
    for (index, function) in tables.functions.iter().enumerate() {
        named("function", index, function.name)?;
        if function.kind().is_none() {
            return Err(VerifyError::new(
                "P6",
                Place::Entry("function", index),
                "has no kind",
            ));
        }
    }
    for (table, slots) in [
        ("deferred slot", &tables.deferred),
        ("persistent slot", &tables.persistent),
    ] {
        for (index, slot) in slots.iter().enumerate() {
            if slot.action as usize >= tables.actions.len() {
                return Err(VerifyError::new(
                    "P6",
                    Place::Entry(table, index),
                    format!("names action {} of {}", slot.action, tables.actions.len()),
                ));
            }
        }
    }
    for (index, timer) in tables.timers.iter().enumerate() {
        if timer.reserved != 0 {
            return Err(VerifyError::new(
                "T1",
                Place::Entry("timer", index),
                "has reserved bytes that are not 0",
            ));
        }
        if timer.shortest > timer.micros {
            return Err(VerifyError::new(
                "T1",
                Place::Entry("timer", index),
                format!(
                    "takes {} µs at least and {} at most",
                    timer.shortest, timer.micros
                ),
            ));
        }
    }
    node_entries(tables, plain)
}

fn node_entries(tables: &Tables, plain: &[Token]) -> Verified {
    let mut ids = BTreeSet::new();
    let mut params_end = 0;
    for (index, node) in tables.nodes.iter().enumerate() {
        let place = Place::Entry("node", index);
        let name = tables.names.get(node.name as usize);
        if node.name != NONE && name.is_none_or(|name| name.len() > MAX_NAME_BYTES) {
            return Err(VerifyError::new(
                "T1",
                place,
                format!(
                    "has name {}, which does not exist or is too long",
                    node.name
                ),
            ));
        }
        let first = node.first_param as usize;
        let in_order =
            core::mem::replace(&mut params_end, first.saturating_add(node.params as usize))
                == first;
        if !in_order || params_end > tables.params.len() {
            return Err(VerifyError::new(
                "T4",
                place,
                "has parameters that do not follow those before it, or lie outside the table",
            ));
        }
        let parent = plain
            .get(index)
            .and_then(|token| tables.nodes.get(token.link as usize));
        let is_part = parent.is_some_and(|parent| parent.id == node.id);
        if !is_part && !ids.insert(node.id) {
            return Err(VerifyError::new(
                "T5",
                place,
                format!("has id {}, which is taken", node.id),
            ));
        }
    }
    if params_end != tables.params.len() {
        return Err(VerifyError::new(
            "T4",
            Place::Shape,
            "it has parameters of no node",
        ));
    }
    for (index, param) in tables.params.iter().enumerate() {
        let valid = match param.source() {
            Some(ParamSource::Const(value)) => value.to_bits() == param.bits,
            Some(ParamSource::Column(column)) => {
                column.at() < tables.columns.len() && param.bits == 0
            }
            Some(ParamSource::World(world)) => world.at() < tables.world.len() && param.bits == 0,
            Some(ParamSource::Text(text)) => {
                (text as usize) < tables.names.len() && param.bits == 0
            }
            None => false,
        };
        if !valid || param.reserved != 0 || param.name as usize >= tables.names.len() {
            return Err(VerifyError::new(
                "T4",
                Place::Entry("parameter", index),
                "names something that does not exist",
            ));
        }
    }
    Ok(())
}
