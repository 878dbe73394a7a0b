//! Arguments from scripts, and how they are told of when they are wrong.

use std::time::Duration;

use mlua::{Function, MultiValue, Table, Value};

use crate::node::Node;
use crate::refusal::Refusal;
use crate::tree::TreeCore;

/// The longest time that scripts can name, in seconds: 31 years.
pub(crate) const MAX_SECONDS: f64 = 1e9;
/// How much of a text from a script is quoted.
const QUOTED_CHARS: usize = 40;

/// A value as error messages show it.
pub(crate) fn describe(value: &Value) -> String {
    match value {
        Value::Nil => "nil".into(),
        Value::Boolean(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Number(value) => format!("{value:?}"),
        Value::String(text) => {
            let text = text.to_string_lossy();
            let mut quoted: String = text.chars().take(QUOTED_CHARS).collect();
            if quoted.len() < text.len() {
                quoted.push('…');
            }
            format!("{quoted:?}")
        }
        Value::Table(_) if TreeCore::of(value).is_some() => "a tree".into(),
        Value::Table(_) => match Node::of(value) {
            Some(node) => format!("a node ({})", node.core.what.name()),
            None => "a table".into(),
        },
        Value::Error(_) => "an error".into(),
        Value::UserData(_) => "a userdata".into(),
        Value::LightUserData(_) => "a light userdata".into(),
        Value::Other(_) => "a value of an unknown type".into(),
        other => format!("a {}", other.type_name()),
    }
}

/// A number, whatever the interpreter's form of it.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match *value {
        Value::Integer(value) => Some(value as f64),
        Value::Number(value) => Some(value),
        _ => None,
    }
}

/// A whole number from 1 to `most`.
pub(crate) fn whole(value: &Value, most: u32) -> Option<u32> {
    let value = number(value)?;
    let fits = value >= 1.0 && value <= f64::from(most) && value.fract() == 0.0;
    fits.then_some(value as u32)
}

/// Whether a value is a number of seconds that scripts may name.
pub(crate) fn seconds(value: &Value) -> Option<f64> {
    number(value).filter(|seconds| (0.0..=MAX_SECONDS).contains(seconds))
}

/// What [`seconds`] allows.
pub(crate) fn seconds_allowed() -> String {
    format!("a number of seconds from 0 to {MAX_SECONDS:e}")
}

/// The arguments of a call of one of the module's functions.
pub(crate) struct Arguments {
    function: &'static str,
    names: &'static [&'static str],
    values: Vec<Value>,
}

impl Arguments {
    /// # Errors
    /// More arguments than names: what is not looked at would be missing from the tree.
    pub(crate) fn new(
        function: &'static str,
        names: &'static [&'static str],
        values: MultiValue,
    ) -> Result<Arguments, Refusal> {
        let mut values: Vec<Value> = values.into_iter().collect();
        let given = values.iter().rposition(|value| !value.is_nil());
        let given = given.map_or(0, |last| last + 1);
        if given > names.len() {
            let takes = match names.len() {
                0 => "no arguments".to_owned(),
                1 => format!("1 argument ({})", names[0]),
                count => format!("{count} arguments ({})", names.join(", ")),
            };
            let mut message = format!("BehaviorTree.{function} takes {takes}, got {given}");
            if is_module(&values[0]) {
                message += &format!("; write `.{function}`, not `:{function}`");
            } else if names.first() == Some(&"nodes") {
                message += "; put the nodes in a list: { … }";
            }
            return Err(message.into());
        }
        values.resize(names.len(), Value::Nil);
        Ok(Arguments {
            function,
            names,
            values,
        })
    }

    /// An argument by position, from 0.
    pub(crate) fn value(&self, position: usize) -> &Value {
        &self.values[position]
    }

    /// Says that an argument is not what is allowed.
    pub(crate) fn refuse(&self, position: usize, allowed: &str) -> Refusal {
        let found = describe(self.value(position));
        self.problem(position, &format!("is {found}, expected {allowed}"))
    }

    /// Says something about an argument.
    pub(crate) fn problem(&self, position: usize, problem: &str) -> Refusal {
        let mut message = format!(
            "BehaviorTree.{}: argument {} ({}) {problem}",
            self.function,
            position + 1,
            self.names[position]
        );
        if position == 0 && is_module(self.value(0)) {
            message += &format!("; write `.{0}`, not `:{0}`", self.function);
        }
        message.into()
    }

    pub(crate) fn node(&self, position: usize) -> Result<Node, Refusal> {
        let node = Node::of(self.value(position));
        node.ok_or_else(|| {
            let is_tree = TreeCore::of(self.value(position)).is_some();
            let hint = match self.value(position) {
                Value::Table(_) if is_tree => "; a tree is no part of another one",
                Value::Function(_) => {
                    "; BehaviorTree.Task and BehaviorTree.Condition take functions"
                }
                _ => "",
            };
            let allowed = format!("a node{hint}");
            self.refuse(position, &allowed)
        })
    }

    pub(crate) fn function(&self, position: usize) -> Result<Function, Refusal> {
        match self.value(position) {
            Value::Function(function) => Ok(function.clone()),
            _ => Err(self.refuse(position, "a function")),
        }
    }

    /// A table that is neither a node nor a tree.
    pub(crate) fn table(&self, position: usize, allowed: &str) -> Result<Table, Refusal> {
        let value = self.value(position);
        match value {
            Value::Table(table) if Node::of(value).is_none() && TreeCore::of(value).is_none() => {
                Ok(table.clone())
            }
            _ => Err(self.refuse(position, allowed)),
        }
    }

    pub(crate) fn seconds(&self, position: usize) -> Result<Duration, Refusal> {
        match seconds(self.value(position)) {
            // To the nearest microsecond, in which the library counts.
            Some(seconds) => Ok(Duration::from_micros((seconds * 1e6).round() as u64)),
            None => Err(self.refuse(position, &seconds_allowed())),
        }
    }

    /// A number of times; `None` for nil.
    pub(crate) fn times(&self, position: usize) -> Result<Option<u32>, Refusal> {
        let value = self.value(position);
        if value.is_nil() {
            return Ok(None);
        }
        let times = whole(value, u32::MAX);
        let allowed = "a whole number from 1 to 4294967295, or nil for no limit";
        times
            .map(Some)
            .ok_or_else(|| self.refuse(position, allowed))
    }

    /// A boolean; `None` for nil.
    pub(crate) fn flag(&self, position: usize) -> Result<Option<bool>, Refusal> {
        match *self.value(position) {
            Value::Nil => Ok(None),
            Value::Boolean(flag) => Ok(Some(flag)),
            _ => Err(self.refuse(position, "a boolean or nil")),
        }
    }
}

/// Whether a value is the module, or another table that has its functions: what a call with `:` hands in
/// first.
fn is_module(value: &Value) -> bool {
    let Value::Table(table) = value else {
        return false;
    };
    let has = |name| {
        table
            .raw_get::<Value>(name)
            .is_ok_and(|value| value.is_function())
    };
    has("Compile") && has("Sequence")
}
