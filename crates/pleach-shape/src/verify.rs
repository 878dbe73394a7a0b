//! The verifier. A [`Shape`](crate::Shape) exists only if all of these properties hold, and the
//! kernels rely on every one of them:
//!
//! **Plain stream**
//! - P1 It holds 1 to [`MAX_NODES`] tokens, and the node table as many entries.
//! - P2 Every `op` is a node operation, the flags are its [`reaction`]; reserved bytes are 0.
//! - P3 Ranges nest: a node's `end` lies behind it and not behind its parent's; the root's is the
//!   stream's end; a leaf's range is itself.
//! - P4 Every composite has a child, every decorator exactly one.
//! - P5 Every `link` is the node's parent, the root's [`NONE`].
//! - P6 Every operand lies in the table of its operation. Slots, sets, timers and groups are
//!   numbered in stream order, each entry names its node, and none is left over; functions have
//!   the kind of the leaf that calls them; a condition's expression is a bool; a set's expression
//!   fits its column.
//! - P7 No more than [`MAX_DEPTH`] parents are open at once.
//! - P8 A group's count of children, level and first slot are what the stream says, and its
//!   thresholds lie between 1 and its children. A Concurrent's are "all" and 1.
//!
//! **Tables**
//! - T1 Every name index lies in the names, of which the first is the tree's; the tree's and nodes'
//!   names have at most [`MAX_NAME_BYTES`] bytes; reserved fields are 0.
//! - T2 There are at most [`MAX_VALUES`] columns and as many world values. They have a type, a default that is canonical for it, and unique names.
//! - T3 The code of the expressions lies side by side in the code table, in their order, with nothing
//!   left over. It takes operands that are there and of the right
//!   type, needs no more than [`MAX_EXPR_STACK`](crate::expr::MAX_EXPR_STACK) of them, and leaves
//!   one result of the stated type.
//! - T4 The parameters of the nodes lie side by side in the parameter table, in their order, with
//!   nothing left over, and name constants, columns, world values or texts that exist.
//! - T5 Node ids are unique.
//!
//! **Guarded stream**
//! - G1 It holds twice as many tokens as the plain one, less one.
//! - G2 Every jump goes forward and lands on a token or on the stream's end.
//! - G3 It is the stream that [`guarded_stream`] derives from the
//!   plain one.
//!
//! **Requirements**
//! - R1 They are those that the streams and tables give, depth and capacities included.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::expr::{ExprType, check_code};
use crate::guard::guarded_stream;
use crate::op::{Op, Role};
use crate::requirements::Requirements;
use crate::shape::ShapeParts;
use crate::tables::{FunctionKind, ParamSource, Tables};
use crate::token::{NONE, Token, reaction};
use crate::value::{Value, ValueType};

/// The most nodes a tree can have.
pub const MAX_NODES: usize = 1 << 20;
/// The most columns a blackboard can have, and the most world values a tree can read.
pub const MAX_VALUES: usize = 1 << 16;
/// The longest name of a tree or node: paths and listings repeat it once for each descendant.
pub const MAX_NAME_BYTES: usize = 1 << 10;
/// The deepest nesting a tree can have, in open parents.
pub const MAX_DEPTH: usize = 1 << 16;

/// Why a set of parts is not a shape: the property that failed, where, and how.
#[derive(Clone, PartialEq, Eq)]
pub struct VerifyError {
    property: &'static str,
    place: Place,
    what: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Shape,
    Plain(usize),
    Guarded(usize),
    Entry(&'static str, usize),
}

impl VerifyError {
    #[cold]
    fn new(property: &'static str, place: Place, what: impl Into<String>) -> VerifyError {
        VerifyError {
            property,
            place,
            what: what.into(),
        }
    }

    /// The property that does not hold, as named in the [module documentation](self): "P3".
    pub fn property(&self) -> &'static str {
        self.property
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a valid shape: ")?;
        match self.place {
            Place::Shape => {}
            Place::Plain(index) => write!(f, "plain token {index} ")?,
            Place::Guarded(index) => write!(f, "guarded token {index} ")?,
            Place::Entry(table, index) => write!(f, "{table} {index} ")?,
        }
        write!(f, "{} (property {})", self.what, self.property)
    }
}

impl fmt::Debug for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for VerifyError {}

type Verified = Result<(), VerifyError>;

/// Checks every property of the [module documentation](self).
pub(crate) fn verify(parts: &ShapeParts) -> Verified {
    tables(&parts.tables)?;
    plain_stream(&parts.plain, &parts.tables)?;
    guarded(&parts.plain, &parts.guarded)?;
    let requirements = Requirements::of(&parts.plain, parts.guarded.len(), &parts.tables);
    if parts.requirements != requirements {
        return Err(VerifyError::new(
            "R1",
            Place::Shape,
            format!(
                "its stated requirements are not those of its streams: stated {:?}, found {requirements:?}",
                parts.requirements
            ),
        ));
    }
    Ok(())
}

/// The structural part: what [`guarded_stream`] and [`Requirements`] need to be meaningful.
pub(crate) fn plain_stream(plain: &[Token], tables: &Tables) -> Verified {
    if plain.is_empty() || plain.len() > MAX_NODES {
        return Err(VerifyError::new(
            "P1",
            Place::Shape,
            format!(
                "its plain stream holds {} tokens, allowed are 1 to {MAX_NODES}",
                plain.len()
            ),
        ));
    }
    if tables.nodes.len() != plain.len() {
        return Err(VerifyError::new(
            "P1",
            Place::Shape,
            format!(
                "it has {} node entries for {} tokens",
                tables.nodes.len(),
                plain.len()
            ),
        ));
    }
    let mut walk = StreamCheck {
        tables,
        open: alloc::vec::Vec::new(),
        open_groups: 0,
        deferred: 0,
        persistent: 0,
        sets: 0,
        timers: 0,
        groups: 0,
    };
    for (index, token) in plain.iter().enumerate() {
        walk.token(index, token, plain)?;
    }
    walk.finish()
}

struct StreamCheck<'a> {
    tables: &'a Tables,
    /// Token indices of the open parents.
    open: alloc::vec::Vec<usize>,
    open_groups: u32,
    deferred: usize,
    persistent: usize,
    sets: usize,
    timers: usize,
    groups: usize,
}

impl StreamCheck<'_> {
    fn token(&mut self, index: usize, token: &Token, plain: &[Token]) -> Verified {
        let err =
            |property, what: String| Err(VerifyError::new(property, Place::Plain(index), what));
        while let Some(&parent) = self.open.last() {
            if plain[parent].end as usize > index {
                break;
            }
            if matches!(plain[parent].op(), Some(Op::Parallel | Op::Concurrent)) {
                self.open_groups -= 1;
            }
            self.open.pop();
        }
        let op = match token.op() {
            Some(op) if op.role() != Role::Guard => op,
            Some(op) => return err("P2", format!("is a {op}, which no plain stream holds")),
            None => return err("P2", format!("has the unknown operation {}", token.op)),
        };
        if token.flags != reaction(op) || token.reserved != 0 {
            return err(
                "P2",
                "has flags that are not its operation's, or reserved bytes that are not 0".into(),
            );
        }
        let end = token.end as usize;
        let limit = self
            .open
            .last()
            .map_or(plain.len(), |&parent| plain[parent].end as usize);
        if end <= index || end > limit || (index == 0 && end != limit) {
            return err(
                "P3",
                format!("ends at {end}, allowed is {} to {limit}", index + 1),
            );
        }
        if index > 0 && self.open.is_empty() {
            return err("P3", "lies behind the root's range".into());
        }
        match op.role() {
            Role::Leaf if end != index + 1 => {
                return err("P3", format!("is a leaf ({op}) whose range ends at {end}"));
            }
            Role::Composite | Role::Decorator if end == index + 1 => {
                return err("P4", format!("is a {op} without a child"));
            }
            Role::Decorator if plain[index + 1].end as usize != end => {
                return err("P4", format!("is a {op} with more than one child"));
            }
            _ => {}
        }
        let parent = self.open.last().map_or(NONE, |&parent| parent as u32);
        if token.link != parent {
            return err(
                "P5",
                format!("names {} as its parent, which is {parent}", token.link),
            );
        }
        self.operand(index, token, op, plain)?;
        if op.is_parent() {
            self.open.push(index);
            if matches!(op, Op::Parallel | Op::Concurrent) {
                self.open_groups += 1;
            }
            if self.open.len() > MAX_DEPTH {
                return err("P7", format!("opens more than {MAX_DEPTH} levels"));
            }
        }
        Ok(())
    }

    fn operand(&mut self, index: usize, token: &Token, op: Op, plain: &[Token]) -> Verified {
        let err = |what: String| Err(VerifyError::new("P6", Place::Plain(index), what));
        let operand = token.operand as usize;
        let tables = self.tables;
        // Tables that are numbered in stream order: the next entry is this one.
        let next = |counter: &mut usize, node: Option<u32>| {
            if operand != *counter || node != Some(index as u32) {
                return err(format!(
                    "names entry {operand} of its table, expected is {counter}, naming node {index}"
                ));
            }
            *counter += 1;
            Ok(())
        };
        match op {
            Op::Condition => match tables.exprs.get(operand) {
                Some(expr) if expr.ty == ExprType::Bool as u32 => Ok(()),
                Some(_) => err(format!("tests expression {operand}, which is no bool")),
                None => err(format!(
                    "tests expression {operand} of {}",
                    tables.exprs.len()
                )),
            },
            Op::Query => self.function(index, operand, FunctionKind::Query),
            Op::Task => self.function(index, operand, FunctionKind::Task),
            Op::Action => next(
                &mut self.deferred,
                tables.deferred.get(operand).map(|slot| slot.node),
            ),
            Op::PersistentAction => next(
                &mut self.persistent,
                tables.persistent.get(operand).map(|slot| slot.node),
            ),
            Op::Wait => next(
                &mut self.timers,
                tables.timers.get(operand).map(|timer| timer.node),
            ),
            Op::Set => {
                // The set table holds no node of its own; the order is enough.
                let Some(set) = tables.sets.get(operand) else {
                    return err(format!("names set {operand} of {}", tables.sets.len()));
                };
                next(&mut self.sets, Some(index as u32))?;
                let column = tables
                    .columns
                    .get(set.column as usize)
                    .and_then(|column| column.ty());
                let expr = tables
                    .exprs
                    .get(set.expr as usize)
                    .and_then(|expr| u8::try_from(expr.ty).ok())
                    .and_then(ExprType::from_u8);
                match (column, expr) {
                    (Some(column), Some(expr)) if expr.stores_into(column) => Ok(()),
                    _ => err("sets a column from an expression that does not fit it".into()),
                }
            }
            Op::Parallel | Op::Concurrent => {
                next(
                    &mut self.groups,
                    tables.groups.get(operand).map(|group| group.node),
                )?;
                self.group(index, operand, op, plain)
            }
            Op::Sequence
            | Op::Selector
            | Op::ReactiveSequence
            | Op::ReactiveSelector
            | Op::Invert
            | Op::Succeeder
            | Op::Failer
            | Op::Succeed
            | Op::Fail
            | Op::Idle => {
                if operand != 0 {
                    return err(format!("is a {op} with operand {operand}, allowed is 0"));
                }
                Ok(())
            }
            Op::Guard
            | Op::GuardInvert
            | Op::GuardSucceeder
            | Op::GuardFailer
            | Op::GuardParallel
            | Op::GuardConcurrent => err("is a guard".into()),
        }
    }

    fn function(&self, index: usize, operand: usize, kind: FunctionKind) -> Verified {
        match self
            .tables
            .functions
            .get(operand)
            .and_then(|function| function.kind())
        {
            Some(found) if found == kind => Ok(()),
            _ => Err(VerifyError::new(
                "P6",
                Place::Plain(index),
                format!("calls function {operand}, which is no {kind:?}"),
            )),
        }
    }

    fn group(&self, index: usize, operand: usize, op: Op, plain: &[Token]) -> Verified {
        let group = self.tables.groups[operand];
        let end = plain[index].end as usize;
        let mut children = 0u32;
        let mut child = index + 1;
        while child < end {
            children += 1;
            // A child's own range is checked when it is reached; here only a step forward matters.
            child = (plain[child].end as usize).max(child + 1);
        }
        let thresholds = match op {
            Op::Concurrent => group.success == children && group.failure == 1,
            _ => (1..=children).contains(&group.success) && (1..=children).contains(&group.failure),
        };
        if group.children != children
            || group.level != self.open_groups
            || group.first_slot as usize != self.deferred
            || !thresholds
        {
            return Err(VerifyError::new(
                "P8",
                Place::Plain(index),
                format!(
                    "has the group {group:?}; expected are {children} children, level {}, first slot {}, \
                     thresholds from 1 to {children}",
                    self.open_groups, self.deferred
                ),
            ));
        }
        Ok(())
    }

    fn finish(&self) -> Verified {
        let leftover = [
            ("deferred slot", self.deferred, self.tables.deferred.len()),
            (
                "persistent slot",
                self.persistent,
                self.tables.persistent.len(),
            ),
            ("set", self.sets, self.tables.sets.len()),
            ("timer", self.timers, self.tables.timers.len()),
            ("group", self.groups, self.tables.groups.len()),
        ];
        for (table, used, len) in leftover {
            if used != len {
                return Err(VerifyError::new(
                    "P6",
                    Place::Entry(table, used),
                    "is used by no token",
                ));
            }
        }
        Ok(())
    }
}

fn canonical_default(ty: Option<ValueType>, bits: u64) -> bool {
    ty.is_some_and(|ty| Value::from_bits(ty, bits).to_bits() == bits)
}

fn tables(tables: &Tables) -> Verified {
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
    }
    node_entries(tables)
}

fn node_entries(tables: &Tables) -> Verified {
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
        if !ids.insert(node.id) {
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

fn guarded(plain: &[Token], guarded: &[Token]) -> Verified {
    let expected = plain.len() * 2 - 1;
    if guarded.len() != expected {
        return Err(VerifyError::new(
            "G1",
            Place::Shape,
            format!(
                "its guarded stream holds {} tokens, expected are {expected}",
                guarded.len()
            ),
        ));
    }
    for (index, token) in guarded.iter().enumerate() {
        let end = token.end as usize;
        if end <= index || end > guarded.len() {
            return Err(VerifyError::new(
                "G2",
                Place::Guarded(index),
                format!(
                    "jumps to {end}, allowed is {} to {}",
                    index + 1,
                    guarded.len()
                ),
            ));
        }
    }
    let derived = guarded_stream(plain);
    for (index, (found, expected)) in guarded.iter().zip(&derived).enumerate() {
        if found != expected {
            return Err(VerifyError::new(
                "G3",
                Place::Guarded(index),
                format!("is ({found:?}), but the plain stream gives ({expected:?})"),
            ));
        }
    }
    Ok(())
}
