//! Properties P1 to P9: the plain stream and the tables that its operands index.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{MAX_DEPTH, MAX_NODES, MAX_RANDOM_CHILDREN, Place, Verified, VerifyError};
use crate::expr::ExprType;
use crate::op::{Op, Role};
use crate::tables::{FunctionKind, Tables, TimerDef};
use crate::token::{NONE, Token, reaction};

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
        open: Vec::new(),
        open_groups: 0,
        deferred: 0,
        persistent: 0,
        sets: 0,
        timers: 0,
        groups: 0,
        loops: 0,
        randoms: 0,
        switches: 0,
        cases: 0,
        latches: 0,
    };
    for (index, token) in plain.iter().enumerate() {
        walk.token(index, token, plain)?;
    }
    walk.finish()
}

struct StreamCheck<'a> {
    tables: &'a Tables,
    /// Token indices of the open parents.
    open: Vec<usize>,
    open_groups: u32,
    deferred: usize,
    persistent: usize,
    sets: usize,
    timers: usize,
    groups: usize,
    loops: usize,
    randoms: usize,
    switches: usize,
    cases: usize,
    latches: usize,
}

impl StreamCheck<'_> {
    fn token(&mut self, index: usize, token: &Token, plain: &[Token]) -> Verified {
        let err =
            |property, what: String| Err(VerifyError::new(property, Place::Plain(index), what));
        while let Some(&parent) = self.open.last() {
            if plain[parent].end as usize > index {
                break;
            }
            if plain[parent].op().is_some_and(Op::halts) {
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
            if op.halts() {
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
            Op::Condition => self.test(index, operand),
            Op::When | Op::While | Op::DoneWhen | Op::AbortWhen => self.test(index, operand),
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
            Op::Wait | Op::Delay => {
                let def = tables.timers.get(operand);
                next(&mut self.timers, def.map(|def| def.node))?;
                match def {
                    Some(def) if op != Op::Wait => not_drawn(index, def),
                    _ => Ok(()),
                }
            }
            Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess => {
                let def = tables.loops.get(operand);
                next(&mut self.loops, def.map(|def| def.node))?;
                let breaks = def.map_or(0, |def| def.breaks);
                if breaks > u32::from(op == Op::Repeat) {
                    return err(format!(
                        "is a {op} whose loop breaks on failure by {breaks}"
                    ));
                }
                Ok(())
            }
            Op::RandomSequence | Op::RandomSelector => {
                let def = tables.randoms.get(operand);
                next(&mut self.randoms, def.map(|def| def.node))?;
                let children = children(plain, index);
                if def.map(|def| def.children) != Some(children)
                    || children as usize > MAX_RANDOM_CHILDREN
                {
                    let what = format!(
                        "is a {op} of {children} children, allowed are {MAX_RANDOM_CHILDREN}, and its \
                         entry must say so: {def:?}"
                    );
                    return Err(VerifyError::new("P9", Place::Plain(index), what));
                }
                Ok(())
            }
            Op::Switch => {
                let def = tables.switches.get(operand);
                next(&mut self.switches, def.map(|def| def.node))?;
                self.switch(index, operand, plain)
            }
            Op::Cooldown | Op::RunOnce => {
                let def = tables.latches.get(operand);
                next(&mut self.latches, def.map(|def| def.node))?;
                let timer = def.map_or(NONE, |def| def.timer);
                if op == Op::RunOnce {
                    return match timer {
                        NONE => Ok(()),
                        _ => err(format!("is a {op} with timer {timer}")),
                    };
                }
                self.timer(index, timer)
            }
            Op::IfThenElse | Op::WhileDoElse => {
                let children = children(plain, index);
                if operand != 0 || !(2..=3).contains(&children) {
                    let what = format!(
                        "is a {op} with operand {operand} and {children} children, allowed are 0, and 2 \
                         or 3"
                    );
                    return Err(VerifyError::new("P9", Place::Plain(index), what));
                }
                Ok(())
            }
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
            Op::Parallel | Op::Concurrent | Op::Timeout => {
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
            | Op::GuardConcurrent
            | Op::GuardRandom
            | Op::GuardIf
            | Op::GuardRepeat
            | Op::GuardCooldown
            | Op::GuardTimeout
            | Op::GuardRunOnce => err("is a guard".into()),
        }
    }

    /// A node that judges an expression.
    fn test(&self, index: usize, expr: usize) -> Verified {
        let exprs = &self.tables.exprs;
        let what = match exprs.get(expr) {
            Some(expr) if expr.ty == ExprType::Bool as u32 => return Ok(()),
            Some(_) => format!("tests expression {expr}, which is no bool"),
            None => format!("tests expression {expr} of {}", exprs.len()),
        };
        Err(VerifyError::new("P6", Place::Plain(index), what))
    }

    /// A node with a timer, named by its entry of another table.
    fn timer(&mut self, index: usize, timer: u32) -> Verified {
        let def = self.tables.timers.get(timer as usize);
        if timer as usize != self.timers || def.map(|def| def.node) != Some(index as u32) {
            return Err(VerifyError::new(
                "P6",
                Place::Plain(index),
                format!("has timer {timer}, expected is {}", self.timers),
            ));
        }
        self.timers += 1;
        def.map_or(Ok(()), |def| not_drawn(index, def))
    }

    fn switch(&mut self, index: usize, operand: usize, plain: &[Token]) -> Verified {
        let def = self.tables.switches[operand];
        let children = children(plain, index);
        let first = def.first_case as usize;
        let others = children.checked_sub(def.cases);
        let range = first..first.saturating_add(def.cases as usize);
        let Some(cases) = self.tables.cases.get(range) else {
            return Err(VerifyError::new(
                "P6",
                Place::Plain(index),
                format!("has cases beyond their table: {def:?}"),
            ));
        };
        if first != self.cases || def.cases == 0 || !matches!(others, Some(0 | 1)) {
            return Err(VerifyError::new(
                "P9",
                Place::Plain(index),
                format!(
                    "has {def:?}; expected is the first case {}, and a case for each of {children} children \
                     or all but the last",
                    self.cases
                ),
            ));
        }
        self.cases += cases.len();
        for &case in cases {
            self.test(index, case as usize)?;
        }
        Ok(())
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

    fn group(&mut self, index: usize, operand: usize, op: Op, plain: &[Token]) -> Verified {
        let group = self.tables.groups[operand];
        let children = children(plain, index);
        let thresholds = match op {
            Op::Concurrent | Op::Timeout => group.success == children && group.failure == 1,
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
        match op {
            Op::Timeout => self.timer(index, group.timer),
            _ if group.timer == NONE => Ok(()),
            _ => Err(VerifyError::new(
                "P8",
                Place::Plain(index),
                format!("has timer {}, allowed is none", group.timer),
            )),
        }
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
            ("loop", self.loops, self.tables.loops.len()),
            ("random order", self.randoms, self.tables.randoms.len()),
            ("switch", self.switches, self.tables.switches.len()),
            ("case", self.cases, self.tables.cases.len()),
            ("latch", self.latches, self.tables.latches.len()),
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

/// Only a Wait draws its duration (D4).
fn not_drawn(index: usize, timer: &TimerDef) -> Verified {
    if timer.is_drawn() {
        return Err(VerifyError::new(
            "P6",
            Place::Plain(index),
            format!(
                "has a time of {} to {} µs, which only a wait may have",
                timer.shortest, timer.micros
            ),
        ));
    }
    Ok(())
}

/// How many children a node has. A child's own range is checked when it is reached; here only a step
/// forward matters.
fn children(plain: &[Token], index: usize) -> u32 {
    let end = (plain[index].end as usize).min(plain.len());
    let mut children = 0;
    let mut child = index + 1;
    while child < end {
        children += 1;
        child = (plain[child].end as usize).max(child + 1);
    }
    children
}
