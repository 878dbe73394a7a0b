//! A tree as lines of text.

use std::borrow::Cow;

use pleach_shape::{
    ActionIndex, ExprIndex, ExprText, FunctionIndex, NONE, Op, ParamSource, Shape, TokenIndex,
};
use pleach_text::visible;

/// How many levels a drawing shows as branches; deeper ones are all drawn there.
const MAX_DRAWN: usize = 40;

/// A tree, drawn.
pub(crate) struct Outline<'a> {
    shape: &'a Shape,
}

/// A node as it is drawn. No text in it can disturb a terminal.
pub(crate) struct Line<'a> {
    /// The node.
    pub(crate) node: TokenIndex,
    /// The lines from its parents: `│  ├─ `.
    pub(crate) branches: String,
    /// What it is.
    pub(crate) keyword: &'static str,
    /// What it does: an expression, the name of an action.
    pub(crate) detail: String,
    /// Whether that is the name of an action, task or query.
    pub(crate) calls: bool,
    /// Its parameters.
    pub(crate) params: Vec<String>,
    /// The name that somebody gave it.
    pub(crate) name: Option<Cow<'a, str>>,
}

impl<'a> Outline<'a> {
    /// The drawing of a shape's tree.
    pub(crate) fn new(shape: &'a Shape) -> Outline<'a> {
        Outline { shape }
    }

    /// A line for each node, in stream order.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<'a>> {
        let shape = self.shape;
        // For each open ancestor its end, and whether further children of its parent follow it.
        let mut open: Vec<(u32, bool)> = Vec::new();
        shape.plain().iter().enumerate().map(move |(index, token)| {
            while open.last().is_some_and(|&(end, _)| end as usize <= index) {
                open.pop();
            }
            let followed = open.last().is_some_and(|&(end, _)| token.end < end);
            let mut branches: String = open
                .iter()
                .skip(1)
                .take(MAX_DRAWN)
                .map(|&(_, more)| if more { "│  " } else { "   " })
                .collect();
            if token.link != NONE {
                branches.push_str(if followed { "├─ " } else { "└─ " });
            }
            open.push((token.end, followed));
            let node = TokenIndex::from(index);
            Line {
                node,
                branches,
                keyword: token.op().map_or("?", Op::keyword),
                detail: visible(&detail(shape, node)).into_owned(),
                calls: matches!(
                    token.op(),
                    Some(Op::Action | Op::PersistentAction | Op::Task | Op::Query)
                ),
                params: params(shape, node),
                name: shape.node_name(node).map(visible),
            }
        })
    }
}

impl Line<'_> {
    /// The node in few words: its name, or else what it does.
    pub(crate) fn title(&self) -> String {
        match (&self.name, self.detail.as_str()) {
            // What an action's name is, its requests say too.
            (Some(name), call) if self.calls => format!("{} {name}: {call}", self.keyword),
            (Some(name), _) => format!("{} {name}", self.keyword),
            (None, "") => self.keyword.to_owned(),
            (None, detail) => format!("{} {detail}", self.keyword),
        }
    }
}

fn detail(shape: &Shape, node: TokenIndex) -> String {
    let tables = shape.tables();
    let Some(token) = shape.plain().get(node.at()) else {
        return String::new();
    };
    let operand = token.operand as usize;
    let expr = |index: u32| ExprText::new(shape, ExprIndex(index)).to_string();
    let seconds = |timer: u32| {
        let timer = tables.timers.get(timer as usize)?;
        let [shortest, longest] = [timer.shortest, timer.micros].map(|micros| micros as f64 / 1e6);
        Some(match timer.is_drawn() {
            true => format!("{shortest} to {longest} s"),
            false => format!("{longest} s"),
        })
    };
    let text = match token.op() {
        Some(Op::Condition | Op::When | Op::While | Op::DoneWhen | Op::AbortWhen) => {
            Some(expr(token.operand))
        }
        Some(Op::Switch) => tables.switches.get(operand).map(|def| {
            let first = def.first_case as usize;
            let cases = tables.cases.get(first..first + def.cases as usize);
            let cases = cases.unwrap_or_default().iter();
            cases
                .map(|&case| expr(case))
                .collect::<Vec<_>>()
                .join(" | ")
        }),
        Some(Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess) => {
            tables.loops.get(operand).map(|def| {
                let limit = match def.limit {
                    0 => String::new(),
                    1 => "once".to_owned(),
                    limit => format!("{limit} times"),
                };
                match token.op() == Some(Op::Repeat) && def.breaks == 0 {
                    true if limit.is_empty() => "whatever it answers".to_owned(),
                    true => format!("{limit}, whatever it answers"),
                    false => limit,
                }
            })
        }
        Some(Op::Cooldown) => tables
            .latches
            .get(operand)
            .and_then(|latch| seconds(latch.timer)),
        Some(Op::Timeout) => tables
            .groups
            .get(operand)
            .and_then(|group| seconds(group.timer)),
        Some(Op::Query | Op::Task) => {
            Some(shape.function_name(FunctionIndex(token.operand)).to_owned())
        }
        Some(Op::Action) => tables
            .deferred
            .get(operand)
            .map(|slot| shape.action_name(ActionIndex(slot.action)).to_owned()),
        Some(Op::PersistentAction) => tables
            .persistent
            .get(operand)
            .map(|slot| shape.action_name(ActionIndex(slot.action)).to_owned()),
        Some(Op::Set) => tables.sets.get(operand).map(|set| {
            let column = tables
                .columns
                .get(set.column as usize)
                .map_or("?", |column| shape.name(column.name));
            format!("{column} = {}", expr(set.expr))
        }),
        Some(Op::Wait | Op::Delay) => seconds(token.operand),
        Some(Op::Parallel) => tables.groups.get(operand).map(|group| {
            format!(
                "until {} of {} succeed or {} fail",
                group.success, group.children, group.failure
            )
        }),
        _ => None,
    };
    text.unwrap_or_default()
}

fn params(shape: &Shape, node: TokenIndex) -> Vec<String> {
    let tables = shape.tables();
    let value = |source| match source {
        ParamSource::Const(value) => value.to_string(),
        ParamSource::Text(text) => format!("{:?}", shape.name(text)),
        ParamSource::Column(column) => tables
            .columns
            .get(column.at())
            .map_or("?", |def| shape.name(def.name))
            .to_owned(),
        ParamSource::World(world) => tables
            .world
            .get(world.at())
            .map_or("?", |def| shape.name(def.name))
            .to_owned(),
    };
    shape
        .params(node)
        .map(|param| {
            let param = format!("{}={}", param.name, value(param.source));
            visible(&param).into_owned()
        })
        .collect()
}
