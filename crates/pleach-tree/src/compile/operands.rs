//! What a node's operand stands for: calls, expressions, timers, groups and the other side tables.

use std::collections::HashSet;
use std::fmt;
use std::time::Duration;

use pleach_shape::{
    ColumnIndex, FunctionDef, FunctionKind, GroupDef, LatchDef, LoopDef, MAX_RANDOM_CHILDREN, NONE,
    NodeId, ParamDef, ParamSource, RandomDef, SetDef, SlotDef, SwitchDef, TimerDef, Value,
    ValueType, WorldIndex,
};

use super::{Compiler, MAX_MICROS, a};
use crate::error::{Place, ProblemKind};
use crate::expr::{Expr, col};
use crate::kind::{Call, CaseValue, NodeKind, ParameterValue, Threshold};
use crate::lower::{Meaning, Purpose};
use crate::tree::{Node, is_identifier};

/// How many labels of an enumeration a message lists.
const SHOWN_LABELS: usize = 8;

/// A case, as messages show it.
struct Shown<'a>(&'a CaseValue);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            CaseValue::Bool(value) => write!(f, "{value}"),
            CaseValue::Int(value) => write!(f, "{value}"),
            CaseValue::Label(label) => write!(f, "{label:?}"),
        }
    }
}

impl<'a> Compiler<'a> {
    pub(super) fn call(&mut self, node: NodeId, call: &'a Call) {
        if call.name.is_empty() {
            self.at_node(node, "the name of what to call is empty".into(), None)
                .kind(ProblemKind::BadName);
        }
        let mut seen = HashSet::new();
        for (position, param) in call.params.iter().enumerate() {
            let place = Place::Param(node, position);
            if !is_identifier(&param.name) {
                let message = format!("`{}` cannot name a parameter", param.name);
                self.problem(place.clone(), "", message, None)
                    .kind(ProblemKind::BadName);
            }
            if !seen.insert(param.name.as_str()) {
                let message = format!("parameter `{}` is given twice", param.name);
                self.problem(place.clone(), "", message, None)
                    .kind(ProblemKind::Twice);
            }
            let source = match &param.value {
                ParameterValue::Const(Value::F32(value)) if !value.is_finite() => {
                    let message =
                        format!("parameter `{}` is {value}, not a finite number", param.name);
                    self.problem(place, "", message, None)
                        .kind(ProblemKind::OutOfRange);
                    continue;
                }
                ParameterValue::Const(value) => ParamSource::Const(*value),
                ParameterValue::Text(text) => ParamSource::Text(self.name(text)),
                ParameterValue::Name(name) => match self.scope.get(name) {
                    Some(Meaning::Column(index, _)) => ParamSource::Column(ColumnIndex(index)),
                    Some(Meaning::World(index, _)) => ParamSource::World(WorldIndex(index)),
                    Some(Meaning::Label(value)) => ParamSource::Const(Value::U8(value)),
                    None => {
                        let message = format!("unknown column or world value `{name}`");
                        let help = Some(self.scope.hint(name));
                        self.problem(place, "", message, help)
                            .kind(ProblemKind::UnknownName);
                        continue;
                    }
                },
            };
            let name = self.name(&param.name);
            self.tables.params.push(ParamDef::new(name, source));
        }
    }

    /// Appends the node's table entry, if its kind has a table, and gives the index.
    pub(super) fn operand(&mut self, node: &'a Node, index: u32) -> u32 {
        match &node.kind {
            NodeKind::Parallel { success, failure } => {
                let children = node.children.len() as u32;
                let success = self.threshold(node, "success", *success, children);
                let failure = self.threshold(node, "failure", *failure, children);
                self.group(index, children, success, failure)
            }
            NodeKind::Concurrent => {
                let children = node.children.len() as u32;
                self.group(index, children, children, 1)
            }
            NodeKind::Condition(test) => self.expr(node.id, test, Purpose::Test),
            NodeKind::Query(call) => self.function(&call.name, FunctionKind::Query),
            NodeKind::Task(call) => self.function(&call.name, FunctionKind::Task),
            NodeKind::Action(call) => {
                let action = self.action(&call.name);
                self.tables.deferred.push(SlotDef {
                    node: index,
                    action,
                });
                self.tables.deferred.len() as u32 - 1
            }
            NodeKind::PersistentAction(call) => {
                let action = self.action(&call.name);
                self.tables.persistent.push(SlotDef {
                    node: index,
                    action,
                });
                self.tables.persistent.len() as u32 - 1
            }
            NodeKind::Set { column, value } => self.set(node.id, column, value),
            NodeKind::Wait(time) | NodeKind::Delay(time) => self.timer(node.id, index, *time),
            NodeKind::WaitBetween { min, max } => self.wait_between(node.id, index, *min, *max),
            NodeKind::Timeout(time) => {
                let timer = self.timer(node.id, index, *time);
                let group = self.group(index, 1, 1, 1);
                self.tables.groups[group as usize].timer = timer;
                group
            }
            NodeKind::Cooldown(time) => {
                let timer = self.timer(node.id, index, *time);
                self.latch(index, timer)
            }
            NodeKind::RunOnce => self.latch(index, NONE),
            NodeKind::When(test)
            | NodeKind::While(test)
            | NodeKind::DoneWhen(test)
            | NodeKind::AbortWhen(test) => self.expr(node.id, test, Purpose::Test),
            NodeKind::Repeat {
                times,
                break_on_failure,
            } => self.repeat(node.id, index, *times, u32::from(*break_on_failure)),
            NodeKind::RepeatUntilFailure { max } | NodeKind::RepeatUntilSuccess { max } => {
                self.repeat(node.id, index, *max, 0)
            }
            NodeKind::RandomSequence | NodeKind::RandomSelector => {
                let children = node.children.len();
                if children > MAX_RANDOM_CHILDREN {
                    let message = format!(
                        "{} has {children} children, allowed are {MAX_RANDOM_CHILDREN}",
                        a(node.kind.keyword())
                    );
                    let help = "put some of them under another one";
                    self.at_node(node.id, message, Some(help.into()))
                        .kind(ProblemKind::Limit);
                }
                self.tables.randoms.push(RandomDef {
                    node: index,
                    children: children as u32,
                });
                self.tables.randoms.len() as u32 - 1
            }
            NodeKind::Switch { on, cases } => self.switch(node, index, on, cases),
            NodeKind::IfThenElse | NodeKind::WhileDoElse => {
                let children = node.children.len();
                if !(2..=3).contains(&children) {
                    let message = format!(
                        "{} needs two or three children, found {children}",
                        a(node.kind.keyword())
                    );
                    let help = "the first is the test, the second runs where it succeeds, the third \
                                where it fails";
                    self.at_node(node.id, message, Some(help.into()))
                        .kind(ProblemKind::Children);
                }
                0
            }
            // Nothing beside the token; and no compound kind is left (`expand`).
            _ => 0,
        }
    }

    fn threshold(&mut self, node: &Node, what: &str, threshold: Threshold, children: u32) -> u32 {
        match threshold {
            Threshold::All => children,
            Threshold::Count(count) if (1..=children).contains(&count) => count,
            Threshold::Count(count) => {
                if children > 0 {
                    let message =
                        format!("the {what} threshold is {count}, allowed is 1 to {children}");
                    let help = (count > children).then(|| {
                        format!("it has {children} children, so it could never be reached")
                    });
                    self.at_node(node.id, message, help)
                        .kind(ProblemKind::Threshold);
                }
                1
            }
        }
    }

    fn group(&mut self, node: u32, children: u32, success: u32, failure: u32) -> u32 {
        self.tables.groups.push(GroupDef {
            node,
            children,
            success,
            failure,
            level: self.open_groups,
            first_slot: self.tables.deferred.len() as u32,
            timer: NONE,
        });
        self.tables.groups.len() as u32 - 1
    }

    /// A time in microseconds; one that is too long is a problem.
    pub(super) fn micros(&mut self, node: NodeId, time: Duration) -> u64 {
        let micros = time.as_micros();
        if micros > u128::from(MAX_MICROS) {
            let message = format!("the time is {micros} µs, allowed are {MAX_MICROS}");
            let help = "that is about 36,500 years";
            self.at_node(node, message, Some(help.into()))
                .kind(ProblemKind::OutOfRange);
        }
        micros.min(u128::from(MAX_MICROS)) as u64
    }

    fn timer(&mut self, node: NodeId, index: u32, time: Duration) -> u32 {
        let micros = self.micros(node, time);
        self.tables.timers.push(TimerDef {
            micros,
            shortest: micros,
            node: index,
            reserved: 0,
        });
        self.tables.timers.len() as u32 - 1
    }

    fn wait_between(&mut self, node: NodeId, index: u32, min: Duration, max: Duration) -> u32 {
        if min > max {
            let message = format!("it would wait at least {min:?} and at most {max:?}");
            let help = "the shorter time comes first";
            self.at_node(node, message, Some(help.into()))
                .kind(ProblemKind::OutOfRange);
        }
        let timer = self.timer(node, index, max);
        let def = &mut self.tables.timers[timer as usize];
        // Of fractions of a microsecond, which are dropped, nothing is left to draw.
        def.shortest = u64::try_from(min.as_micros()).map_or(def.micros, |min| min.min(def.micros));
        timer
    }

    fn latch(&mut self, node: u32, timer: u32) -> u32 {
        self.tables.latches.push(LatchDef { node, timer });
        self.tables.latches.len() as u32 - 1
    }

    fn repeat(&mut self, id: NodeId, node: u32, limit: Option<u32>, breaks: u32) -> u32 {
        if limit == Some(0) {
            let message = "it would run its child 0 times, allowed is 1 or more".into();
            let help = "use `succeed` or `fail` in its place, or leave the number out for no limit";
            self.at_node(id, message, Some(help.into()))
                .kind(ProblemKind::OutOfRange);
        }
        let limit = limit.unwrap_or(0);
        self.tables.loops.push(LoopDef {
            node,
            limit,
            breaks,
        });
        self.tables.loops.len() as u32 - 1
    }

    /// A Switch: for each case an expression that compares the value.
    fn switch(&mut self, node: &Node, index: u32, on: &str, cases: &[Option<CaseValue>]) -> u32 {
        let id = node.id;
        let first_case = self.tables.cases.len() as u32;
        if cases.len() != node.children.len() {
            let message = format!(
                "a switch needs a case for each child, found {} cases and {} children",
                cases.len(),
                node.children.len()
            );
            self.at_node(id, message, None).kind(ProblemKind::Branches);
        }
        if cases == [None] {
            let message = "a switch needs at least one case before its else".into();
            self.at_node(id, message, None).kind(ProblemKind::Branches);
        }
        let ty = match self.scope.get(on) {
            Some(Meaning::Column(_, ty) | Meaning::World(_, ty)) => ty,
            Some(Meaning::Label(_)) => {
                let message = format!("`{on}` is a label, which never changes");
                self.at_node(id, message, Some("name the enumeration".into()))
                    .kind(ProblemKind::Branches);
                return 0;
            }
            None => {
                let message = format!("unknown column or world value `{on}`");
                let help = Some(self.scope.hint(on));
                self.at_node(id, message, help)
                    .kind(ProblemKind::UnknownName);
                return 0;
            }
        };
        if matches!(ty, ValueType::F32 | ValueType::U64) {
            let message = format!("`{on}` is {ty}, and a switch needs a bool, u8, u16 or i32");
            let help = "set a column of such a type first, or use conditions";
            self.at_node(id, message, Some(help.into()))
                .kind(ProblemKind::Branches);
            return 0;
        }
        let labels = self.labels_of(on);
        let mut seen = HashSet::new();
        for (number, case) in cases.iter().enumerate() {
            let Some(case) = case else {
                if number + 1 < cases.len() {
                    let message = "only the last branch of a switch can be for all other values";
                    self.problem(Place::Case(id, number), "", message.into(), None)
                        .kind(ProblemKind::Branches);
                }
                continue;
            };
            let place = Place::Case(id, number);
            let Some(value) = self.case(&place, (on, ty, labels), case) else {
                continue;
            };
            // By value: a label and its number are the same.
            if !seen.insert(value) {
                let message = format!("the switch has two branches for {}", Shown(case));
                let help = "the second one would never run: take one of them away";
                self.problem(place, "", message, Some(help.into()))
                    .kind(ProblemKind::Twice);
            }
            let test = match ty {
                ValueType::Bool if value == 0 => col(on).not(),
                ValueType::Bool => col(on),
                _ => col(on).eq_to(value),
            };
            let test = self.expr(id, &test, Purpose::Test);
            self.tables.cases.push(test);
        }
        self.tables.switches.push(SwitchDef {
            node: index,
            first_case,
            cases: self.tables.cases.len() as u32 - first_case,
        });
        self.tables.switches.len() as u32 - 1
    }

    /// The value of a case, 0 and 1 for a bool; `None` if the switch's value cannot be what it says.
    fn case(
        &mut self,
        place: &Place,
        (on, ty, labels): (&str, ValueType, &[String]),
        case: &CaseValue,
    ) -> Option<i32> {
        let (fits, values): (fn(i32) -> bool, _) = match ty {
            ValueType::U8 => (
                |value| u8::try_from(value).is_ok(),
                "its values are 0 to 255",
            ),
            ValueType::U16 => (
                |value| u16::try_from(value).is_ok(),
                "its values are 0 to 65535",
            ),
            ValueType::I32 => (|_| true, "its values are whole numbers"),
            _ => (|_| false, "its values are true and false"),
        };
        let value = match case {
            CaseValue::Bool(value) if ty == ValueType::Bool => return Some(i32::from(*value)),
            CaseValue::Bool(_) => None,
            CaseValue::Int(value) => Some(*value),
            CaseValue::Label(label) => match self.scope.get(&format!("{on}.{label}")) {
                Some(Meaning::Label(value)) => Some(value.into()),
                _ => {
                    let message = format!("`{on}` has no label {}", Shown(case));
                    let help = match labels {
                        [] => format!("`{on}` is no enumeration, and {values}"),
                        few if few.len() <= SHOWN_LABELS => {
                            format!("its labels are {}", few.join(", "))
                        }
                        many => format!(
                            "its labels are {} and {} more",
                            many[..SHOWN_LABELS].join(", "),
                            many.len() - SHOWN_LABELS
                        ),
                    };
                    self.problem(place.clone(), "", message, Some(help))
                        .kind(ProblemKind::Case);
                    return None;
                }
            },
        };
        let value = value.filter(|&value| fits(value));
        if value.is_none() {
            let message = format!("`{on}` is {ty} and can never be {}", Shown(case));
            self.problem(place.clone(), "", message, Some(values.into()))
                .kind(ProblemKind::Case);
        }
        value
    }

    fn labels_of(&self, name: &str) -> &'a [String] {
        let columns = self.tree.columns().iter();
        let columns = columns.map(|column| (&column.name, &column.labels));
        let world = self.tree.world().iter();
        let world = world.map(|world| (&world.name, &world.labels));
        let found = columns.chain(world).find(|(known, _)| *known == name);
        found.map_or(&[], |(_, labels)| labels)
    }

    fn expr(&mut self, node: NodeId, expr: &Expr, purpose: Purpose<'_>) -> u32 {
        match self.lowering.lower(expr, purpose, &self.scope) {
            Ok(index) => index,
            Err(error) => {
                self.at_expr(node, error);
                0
            }
        }
    }

    fn set(&mut self, node: NodeId, column: &str, value: &Expr) -> u32 {
        let (column, expr) = match self.scope.get(column) {
            Some(Meaning::Column(index, ty)) => {
                (index, self.expr(node, value, Purpose::Store(column, ty)))
            }
            Some(Meaning::World(..)) => {
                let message = format!("`{column}` is a world value, which an actor cannot set");
                self.at_node(
                    node,
                    message,
                    Some("set a column, and let the host change the world".into()),
                )
                .kind(ProblemKind::SetTarget);
                (0, 0)
            }
            Some(Meaning::Label(_)) => {
                let message = format!("`{column}` is a label, which cannot be set");
                self.at_node(node, message, None)
                    .kind(ProblemKind::SetTarget);
                (0, 0)
            }
            None => {
                let message = format!("unknown column `{column}`");
                let help = Some(self.scope.hint(column));
                self.at_node(node, message, help)
                    .kind(ProblemKind::UnknownName);
                (0, 0)
            }
        };
        self.tables.sets.push(SetDef { column, expr });
        self.tables.sets.len() as u32 - 1
    }

    fn action(&mut self, name: &'a str) -> u32 {
        if let Some(&known) = self.actions.get(name) {
            return known;
        }
        let text = self.name(name);
        let index = self.tables.actions.len() as u32;
        self.tables.actions.push(text);
        self.actions.insert(name, index);
        index
    }

    fn function(&mut self, name: &'a str, kind: FunctionKind) -> u32 {
        if let Some(&known) = self.functions.get(&(name, kind)) {
            return known;
        }
        let text = self.name(name);
        let index = self.tables.functions.len() as u32;
        self.tables.functions.push(FunctionDef {
            name: text,
            kind: kind as u32,
        });
        self.functions.insert((name, kind), index);
        index
    }
}
