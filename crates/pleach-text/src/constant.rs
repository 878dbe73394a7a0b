//! Parameters of trees: what they are declared as, and the constants that they become.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use kdl::{KdlEntry, KdlValue};
use pleach_tree::{Value, ValueType};

use crate::diagnostic::{Code, Diagnostic, bytes, quoted};
use crate::source::Source;
use crate::value::{describe, entry_text, read_value, seconds, value_span};

/// What a parameter can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ParamType {
    Value(ValueType),
    Text,
}

impl ParamType {
    pub(crate) const NAMES: [&'static str; 7] = ["bool", "u8", "u16", "i32", "f32", "u64", "text"];

    pub(crate) fn from_name(name: &str) -> Option<ParamType> {
        match name {
            "text" => Some(ParamType::Text),
            name => ValueType::from_name(name).map(ParamType::Value),
        }
    }

    /// Whether it counts: what thresholds can be.
    pub(crate) const fn is_count(self) -> bool {
        matches!(
            self,
            ParamType::Value(ValueType::U8 | ValueType::U16 | ValueType::I32)
        )
    }

    /// Whether it measures: what times can be.
    pub(crate) const fn is_number(self) -> bool {
        self.is_count() || matches!(self, ParamType::Value(ValueType::F32))
    }

    /// What stands in for a parameter without a default while its tree is looked at by itself. One
    /// is a time, a threshold and a count that is allowed everywhere.
    pub(crate) fn stand_in(self) -> ConstantValue {
        match self {
            ParamType::Value(ValueType::Bool) => ConstantValue::Value(Value::Bool(true)),
            ParamType::Value(ValueType::U8) => ConstantValue::Value(Value::U8(1)),
            ParamType::Value(ValueType::U16) => ConstantValue::Value(Value::U16(1)),
            ParamType::Value(ValueType::I32) => ConstantValue::Value(Value::I32(1)),
            ParamType::Value(ValueType::F32) => ConstantValue::Value(Value::F32(1.0)),
            ParamType::Value(ValueType::U64) => ConstantValue::Value(Value::U64(1)),
            ParamType::Text => ConstantValue::Text("…".to_owned()),
        }
    }
}

impl fmt::Display for ParamType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamType::Value(ty) => write!(f, "{ty}"),
            ParamType::Text => f.write_str("text"),
        }
    }
}

/// A parameter that a tree declares.
#[derive(Clone)]
pub(crate) struct Param {
    pub(crate) name: String,
    pub(crate) ty: ParamType,
    /// What it is where nothing is given; without it something must be.
    pub(crate) default: Option<Constant>,
    pub(crate) span: Range<usize>,
    /// What it is, for people.
    pub(crate) doc: Option<Arc<str>>,
    /// Whether anything in the tree reads it.
    pub(crate) read: bool,
}

impl fmt::Display for Param {
    /// As it is declared.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.ty)?;
        match &self.default {
            Some(default) => write!(f, " {default}"),
            None => Ok(()),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ConstantValue {
    Value(Value),
    Text(String),
}

/// What a parameter is in one use of its tree.
#[derive(Clone)]
pub(crate) struct Constant {
    pub(crate) value: ConstantValue,
    /// As a time, exactly as written: a tenth of a second is none as an `f32`.
    pub(crate) seconds: Option<Duration>,
    /// As a number, as it is written: it may be more exact than the value.
    pub(crate) written: Option<Arc<str>>,
    /// Where it is written.
    pub(crate) source: Source,
    pub(crate) span: Range<usize>,
}

impl Constant {
    /// Reads a constant of a known type.
    pub(crate) fn read(
        source: &Source,
        entry: &KdlEntry,
        ty: ParamType,
    ) -> Result<Constant, Diagnostic> {
        let value = match (ty, entry.value()) {
            (ParamType::Value(ty), _) => ConstantValue::Value(read_value(source, entry, ty)?),
            (ParamType::Text, KdlValue::String(text)) => match entry.ty() {
                None => ConstantValue::Text(text.clone()),
                Some(annotation) => {
                    let message = "a text takes no type annotation";
                    return Err(Diagnostic::new(
                        source,
                        bytes(annotation),
                        Code::Annotation.says(message),
                    ));
                }
            },
            (ParamType::Text, found) => {
                let message = format!("expected a text, found {}", describe(found));
                return Err(Diagnostic::new(
                    source,
                    value_span(source, entry),
                    Code::WrongValue.says(message),
                )
                .with_help("write it in quotes"));
            }
        };
        Ok(Constant {
            value,
            seconds: match ty.is_number() {
                true => seconds(entry),
                false => None,
            },
            written: match entry.value() {
                KdlValue::Integer(_) | KdlValue::Float(_) => entry_text(entry).map(Arc::from),
                _ => None,
            },
            source: source.clone(),
            span: value_span(source, entry),
        })
    }

    /// The constant that a parameter is where nothing is known of its use.
    pub(crate) fn by_itself(source: &Source, param: &Param) -> Constant {
        param.default.clone().unwrap_or_else(|| Constant {
            value: param.ty.stand_in(),
            seconds: Some(Duration::from_secs(1)),
            written: None,
            source: source.clone(),
            span: param.span.clone(),
        })
    }

    /// Its number as a count.
    pub(crate) fn count(&self) -> Option<u32> {
        match self.value {
            ConstantValue::Value(Value::U8(value)) => Some(value.into()),
            ConstantValue::Value(Value::U16(value)) => Some(value.into()),
            ConstantValue::Value(Value::I32(value)) => u32::try_from(value).ok(),
            _ => None,
        }
    }
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            ConstantValue::Value(value) => write!(f, "{value}"),
            ConstantValue::Text(text) => f.write_str(&quoted(text)),
        }
    }
}
