//! Listings of a shape that a person can follow.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::expr::{ExprCode, ExprType};
use crate::index::{ExprIndex, FunctionIndex, GuardedIndex, TokenIndex};
use crate::op::{Op, Role};
use crate::shape::Shape;
use crate::status::Status;
use crate::tables::ParamSource;
use crate::token::{Token, TokenFlags};
use crate::value::Value;

/// Both streams of a shape with everything their operands refer to, one token a line.
pub struct Disassembly<'a> {
    shape: &'a Shape,
    /// The texts of the expressions: many nodes may share one.
    exprs: Vec<String>,
}

impl<'a> Disassembly<'a> {
    /// The listing of a shape.
    pub fn new(shape: &'a Shape) -> Disassembly<'a> {
        let exprs = 0..shape.tables().exprs.len();
        let text = |index| ExprText::new(shape, ExprIndex::from(index)).to_string();
        Disassembly {
            shape,
            exprs: exprs.map(text).collect(),
        }
    }

    fn depths(&self) -> Vec<usize> {
        let plain = self.shape.plain();
        let mut depths: Vec<usize> = Vec::with_capacity(plain.len());
        for token in plain {
            depths.push(depths.get(token.link as usize).map_or(0, |depth| depth + 1));
        }
        depths
    }

    /// What a node token says beside its operation.
    fn detail(&self, node: TokenIndex, token: &Token) -> String {
        let shape = self.shape;
        let tables = shape.tables();
        let operand = token.operand as usize;
        let mut text = match token.op() {
            Some(Op::Condition) => self.exprs.get(operand).cloned().unwrap_or_default(),
            Some(Op::Query | Op::Task) => shape.function_name(FunctionIndex(token.operand)).into(),
            Some(Op::Action) => tables.deferred.get(operand).map_or(String::new(), |slot| {
                format!(
                    "{} (slot {operand})",
                    shape.action_name(crate::ActionIndex(slot.action))
                )
            }),
            Some(Op::PersistentAction) => {
                tables
                    .persistent
                    .get(operand)
                    .map_or(String::new(), |slot| {
                        format!(
                            "{} (slot {operand})",
                            shape.action_name(crate::ActionIndex(slot.action))
                        )
                    })
            }
            Some(Op::Set) => tables.sets.get(operand).map_or(String::new(), |set| {
                let column = tables.columns.get(set.column as usize);
                format!(
                    "{} = {}",
                    column.map_or("?", |column| shape.name(column.name)),
                    self.exprs.get(set.expr as usize).map_or("", String::as_str)
                )
            }),
            Some(Op::Wait | Op::Delay) => self.timer(operand as u32),
            Some(Op::Timeout) => {
                let group = tables.groups.get(operand);
                group.map_or(String::new(), |group| self.timer(group.timer))
            }
            Some(Op::Cooldown) => {
                let latch = tables.latches.get(operand);
                latch.map_or(String::new(), |latch| self.timer(latch.timer))
            }
            Some(Op::When | Op::While | Op::DoneWhen | Op::AbortWhen) => {
                self.exprs.get(operand).cloned().unwrap_or_default()
            }
            Some(Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess) => {
                tables.loops.get(operand).map_or(String::new(), |def| {
                    let limit = match def.limit {
                        0 => "for ever".into(),
                        limit => format!("{limit} times"),
                    };
                    let regardless = token.op == Op::Repeat as u8 && def.breaks == 0;
                    let of_failure = if regardless {
                        ", whatever it answers"
                    } else {
                        ""
                    };
                    format!("{limit}{of_failure}")
                })
            }
            Some(Op::Switch) => tables.switches.get(operand).map_or(String::new(), |def| {
                let first = def.first_case as usize;
                let cases = tables.cases.get(first..first + def.cases as usize);
                let tests = cases.unwrap_or_default().iter();
                let tests = tests.map(|&case| self.exprs.get(case as usize));
                let tests: Vec<&str> = tests.map(|test| test.map_or("", String::as_str)).collect();
                tests.join(" | ")
            }),
            Some(Op::Parallel) => tables.groups.get(operand).map_or(String::new(), |group| {
                format!(
                    "success {} of {}, failure {}",
                    group.success, group.children, group.failure
                )
            }),
            _ => String::new(),
        };
        for param in shape.params(node) {
            let value = match param.source {
                ParamSource::Const(value) => value.to_string(),
                ParamSource::Text(name) => format!("{:?}", shape.name(name)),
                ParamSource::Column(column) => tables
                    .columns
                    .get(column.at())
                    .map_or(String::new(), |column| shape.name(column.name).into()),
                ParamSource::World(world) => tables
                    .world
                    .get(world.at())
                    .map_or(String::new(), |world| shape.name(world.name).into()),
            };
            text.push_str(&format!(" {}={value}", param.name));
        }
        if let Some(name) = shape.node_name(node) {
            text.push_str(&format!("  {name:?}"));
        }
        clipped(text.trim_start())
    }
}

impl Disassembly<'_> {
    fn timer(&self, timer: u32) -> String {
        let def = self.shape.tables().timers.get(timer as usize);
        def.map_or(String::new(), |def| {
            if def.is_drawn() {
                let shortest = Seconds(def.shortest);
                return format!("{shortest} to {} (timer {timer})", Seconds(def.micros));
            }
            format!("{} (timer {timer})", Seconds(def.micros))
        })
    }
}

/// Where a guard sends an actor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lead {
    /// To the token at that place of the guarded stream; one past its last token is the end of the walk.
    To(usize),
    /// Back to a child that is drawn, or out of the parent if there is none left.
    Drawn,
}

/// The most characters of a detail that a listing shows.
const MAX_DETAIL: usize = 160;

/// A detail on one line: control characters escaped, what is too long cut.
fn clipped(text: &str) -> String {
    let mut shown = String::new();
    for (index, character) in text.chars().enumerate() {
        if index == MAX_DETAIL {
            shown.push('…');
            break;
        }
        // The override and isolate characters of bidirectional text would reorder the line.
        let reorders = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if character.is_control() || reorders {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Microseconds as seconds, without trailing zeros.
struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, micros) = (self.0 / 1_000_000, self.0 % 1_000_000);
        if micros == 0 {
            write!(f, "{whole} s")
        } else {
            let fraction = format!("{micros:06}");
            write!(f, "{whole}.{} s", fraction.trim_end_matches('0'))
        }
    }
}

impl fmt::Display for Disassembly<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape;
        let depths = self.depths();
        writeln!(
            f,
            "plain stream of {:?}: {} tokens",
            shape.tree_name(),
            shape.len()
        )?;
        writeln!(f, "    # range        node")?;
        for (index, token) in shape.plain().iter().enumerate() {
            let op = token.op().unwrap_or(Op::Fail);
            let range = if op.is_parent() {
                format!("{index}..{}", token.end)
            } else {
                String::new()
            };
            let node = format!("{:indent$}{op}", "", indent = 2 * depths[index].min(40));
            let detail = self.detail(TokenIndex::from(index), token);
            writeln!(
                f,
                "{}",
                format!("{index:>5} {range:<12} {node:<30} {detail}").trim_end()
            )?;
        }
        writeln!(f, "\nguarded stream: {} tokens", shape.guarded().len())?;
        writeln!(
            f,
            "  (^ is a guard: where the walk goes on when the child answers S, F or R,\n  \
             and what record (parent, child) is kept on R)"
        )?;
        writeln!(f, "    g     #  token")?;
        for (index, token) in shape.guarded().iter().enumerate() {
            let op = token.op().unwrap_or(Op::Fail);
            let depth = depths[token.link as usize].min(40);
            if op.role() == Role::Guard {
                let mark = format!("{:indent$}^ {op}", "", indent = 2 * depth);
                let jumps = self.jumps(index, token);
                writeln!(f, "{index:>5}        {mark:<30} {jumps}")?;
            } else {
                let node = format!("{:indent$}{op}", "", indent = 2 * depth);
                let detail = self.detail(TokenIndex(token.link), token);
                let line = format!("{index:>5} {:>5}  {node:<30} {detail}", token.link);
                writeln!(f, "{}", line.trim_end())?;
            }
        }
        Ok(())
    }
}

impl Disassembly<'_> {
    /// Where the third child of a branching parent begins in the guarded stream, if it has one; `guard` is
    /// the one behind its first child.
    fn otherwise(&self, guard: &Token) -> Option<usize> {
        let plain = self.shape.plain();
        let then = plain[guard.link as usize].end as usize;
        let third = plain.get(then)?.end as usize;
        let parent = plain[guard.operand as usize];
        (third < parent.end as usize).then(|| self.shape.guarded_of()[third] as usize)
    }

    /// Where the walk goes on behind a guard: for each status of the child, by [`Status`].
    pub fn leads(&self, guard: GuardedIndex) -> [Lead; 3] {
        let index = guard.at();
        let Some(token) = self.shape.guarded().get(index) else {
            return [Lead::To(self.shape.guarded().len()); 3];
        };
        Status::ALL.map(|status| match token.op() {
            _ if token.leaves_on(status) => Lead::To(token.end as usize),
            Some(Op::GuardRandom) => Lead::Drawn,
            Some(Op::GuardIf) if status == Status::Failure => {
                Lead::To(self.otherwise(token).unwrap_or(token.end as usize))
            }
            _ => Lead::To(index + 1),
        })
    }

    fn jumps(&self, index: usize, token: &Token) -> String {
        let end = self.shape.guarded().len();
        let mut text = String::new();
        let leads = self.leads(GuardedIndex::from(index));
        for (status, lead) in Status::ALL.into_iter().zip(leads) {
            let to = match lead {
                Lead::Drawn => "drawn".to_string(),
                Lead::To(at) if at == end => "end".to_string(),
                Lead::To(at) => format!("g{at}"),
            };
            text.push_str(&format!("{}→{to} ", status.letter()));
        }
        if token.flags.contains(TokenFlags::RECORDS) {
            text.push_str(&format!("keeps (#{}, #{})", token.operand, token.link));
        }
        text.trim_end().into()
    }
}

/// An expression of a shape, written the way a person would.
pub struct ExprText<'a> {
    shape: &'a Shape,
    expr: ExprIndex,
}

impl<'a> ExprText<'a> {
    /// The text of an expression.
    pub fn new(shape: &'a Shape, expr: ExprIndex) -> ExprText<'a> {
        ExprText { shape, expr }
    }
}

/// Binding strength; an operand that binds weaker than its operator needs parentheses.
fn strength(code: ExprCode) -> u8 {
    match code {
        ExprCode::Or => 1,
        ExprCode::And => 2,
        ExprCode::Not => 3,
        ExprCode::Lt | ExprCode::Le | ExprCode::Gt | ExprCode::Ge | ExprCode::Eq | ExprCode::Ne => {
            4
        }
        ExprCode::Add | ExprCode::Sub => 5,
        ExprCode::Mul | ExprCode::Div => 6,
        ExprCode::Neg => 7,
        ExprCode::Const
        | ExprCode::Column
        | ExprCode::World
        | ExprCode::ToFloat
        | ExprCode::Abs
        | ExprCode::Min
        | ExprCode::Max => 8,
    }
}

impl fmt::Display for ExprText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape;
        let tables = shape.tables();
        let mut stack: Vec<(String, u8)> = Vec::new();
        for op in shape.expr_code(self.expr) {
            let (Some(code), Some(ty)) = (ExprCode::from_u8(op.code), ExprType::from_u8(op.ty))
            else {
                return f.write_str("?");
            };
            let binds = strength(code);
            let parens = |(text, inner): (String, u8), least: u8| {
                if inner < least {
                    format!("({text})")
                } else {
                    text
                }
            };
            let mut pop = || stack.pop().unwrap_or_default();
            let text = match code {
                ExprCode::Const => match ty {
                    ExprType::Bool => Value::Bool(op.imm != 0).to_string(),
                    ExprType::I32 => Value::I32(op.imm as i32).to_string(),
                    ExprType::F32 => Value::F32(f32::from_bits(op.imm)).to_string(),
                    ExprType::U64 => tables.constants[op.imm as usize].to_string(),
                },
                ExprCode::Column => shape.name(tables.columns[op.imm as usize].name).into(),
                ExprCode::World => shape.name(tables.world[op.imm as usize].name).into(),
                // Conversions are implied by the operand types.
                ExprCode::ToFloat => {
                    let operand = pop();
                    stack.push(operand);
                    continue;
                }
                ExprCode::Not => format!("not {}", parens(pop(), binds)),
                ExprCode::Neg => format!("-{}", parens(pop(), binds + 1)),
                ExprCode::Abs => format!("abs({})", pop().0),
                ExprCode::Min | ExprCode::Max => {
                    let right = pop();
                    let left = pop();
                    format!("{}({}, {})", code.text(), left.0, right.0)
                }
                _ => {
                    let right = pop();
                    let left = pop();
                    // Comparisons do not chain; the others associate to the left.
                    let left_least = if binds == 4 { binds + 1 } else { binds };
                    format!(
                        "{} {} {}",
                        parens(left, left_least),
                        code.text(),
                        parens(right, binds + 1)
                    )
                }
            };
            stack.push((text, binds));
        }
        f.write_str(stack.last().map_or("", |(text, _)| text))
    }
}
