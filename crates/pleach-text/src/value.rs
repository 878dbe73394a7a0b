//! Typed values in KDL entries.

use std::time::Duration;

use kdl::{KdlEntry, KdlValue};
use pleach_tree::{MAX_MICROS, ParameterValue, Value, ValueType};

use crate::diagnostic::{Code, Diagnostic, Message, bytes, did_you_mean, quoted};
use crate::source::Source;

/// Reads a value of a known type from an argument or property.
///
/// Integers must fit the type; an `f32` may be written as an integer; booleans are `#true` and
/// `#false`. An annotation such as `(u8)3` must agree with the type.
///
/// # Errors
/// With the entry's place, what was found and what was allowed.
pub fn read_value(source: &Source, entry: &KdlEntry, ty: ValueType) -> Result<Value, Diagnostic> {
    if let Some(annotation) = entry.ty()
        && annotation.value() != ty.name()
    {
        let found = quoted(annotation.value());
        let message = format!(
            "expected {} of type {ty}, found the annotation {found}",
            article(ty)
        );
        return Err(
            Diagnostic::new(source, bytes(annotation), Code::Annotation.says(message))
                .with_help(format!("write `({ty})`, or leave the annotation out")),
        );
    }
    let wrong = |message: Message| Diagnostic::new(source, value_span(source, entry), message);
    let unfit = || {
        let shown = quoted(entry_text(entry).as_deref().unwrap_or(""));
        let range = match ty {
            ValueType::U8 => "0 to 255".to_owned(),
            ValueType::U16 => "0 to 65535".to_owned(),
            ValueType::I32 => format!("{} to {}", i32::MIN, i32::MAX),
            ValueType::F32 => format!("{:?} to {:?}", f32::MIN, f32::MAX),
            ValueType::Bool | ValueType::U64 => format!("0 to {}", u64::MAX),
        };
        wrong(Code::OutOfRange.says(format!("{shown} does not fit {ty}")))
            .with_help(format!("allowed are {range}"))
    };
    match (ty, entry.value()) {
        (ValueType::Bool, KdlValue::Bool(value)) => Ok(Value::Bool(*value)),
        (ValueType::U8, KdlValue::Integer(value)) => {
            u8::try_from(*value).map(Value::U8).map_err(|_| unfit())
        }
        (ValueType::U16, KdlValue::Integer(value)) => {
            u16::try_from(*value).map(Value::U16).map_err(|_| unfit())
        }
        (ValueType::I32, KdlValue::Integer(value)) => {
            i32::try_from(*value).map(Value::I32).map_err(|_| unfit())
        }
        (ValueType::U64, KdlValue::Integer(value)) => {
            u64::try_from(*value).map(Value::U64).map_err(|_| unfit())
        }
        (ValueType::F32, KdlValue::Integer(_) | KdlValue::Float(_)) => match float(entry) {
            value if value.is_finite() => Ok(Value::F32(value)),
            _ if matches!(entry.value(), KdlValue::Float(value) if !value.is_finite())
                && !entry_text(entry)
                    .is_some_and(|text| text.contains(|c: char| c.is_ascii_digit())) =>
            {
                Err(wrong(Code::OutOfRange.says("expected a finite number")))
            }
            _ => Err(unfit()),
        },
        (_, found) => {
            let error = wrong(Code::WrongValue.says(format!(
                "expected {} of type {ty}, found {}",
                article(ty),
                describe(found)
            )));
            let help = match (ty, found) {
                (ValueType::Bool, _) => Some("booleans are written `#true` and `#false`"),
                (_, KdlValue::Float(_)) => Some("write a whole number, without a point"),
                (_, KdlValue::String(_)) => Some("write the number without quotes"),
                _ => None,
            };
            Err(error.with_help_if(help))
        }
    }
}

fn article(ty: ValueType) -> &'static str {
    match ty {
        ValueType::Bool => "a truth value",
        ValueType::F32 => "a number",
        _ => "a whole number",
    }
}

/// A value as a message names it.
pub(crate) fn describe(value: &KdlValue) -> String {
    match value {
        KdlValue::String(text) => format!("the text {}", quoted(text)),
        KdlValue::Integer(value) => format!("the number {value}"),
        KdlValue::Float(value) => format!("the number {value:?}"),
        KdlValue::Bool(value) => format!("`#{value}`"),
        KdlValue::Null => "`#null`".to_owned(),
    }
}

/// The entry's value as it is written.
pub(crate) fn entry_text(entry: &KdlEntry) -> Option<String> {
    entry
        .format()
        .map(|format| format.value_repr.replace('_', ""))
}

/// The bytes of the entry's value alone, without the name of a property and the type.
pub(crate) fn value_span(source: &Source, entry: &KdlEntry) -> std::ops::Range<usize> {
    let whole = bytes(entry);
    let Some(format) = entry.format() else {
        return whole;
    };
    let start = whole.end.saturating_sub(format.value_repr.len());
    match source.text().get(start..whole.end) {
        Some(text) if text == format.value_repr => start..whole.end,
        _ => whole,
    }
}

/// The entry's number as an `f32`. From the text, since going through the crate's `f64` would
/// round twice.
fn float(entry: &KdlEntry) -> f32 {
    let written = entry_text(entry).and_then(|text| text.parse().ok());
    match (written, entry.value()) {
        (Some(value), _) => value,
        (None, KdlValue::Integer(value)) => *value as f32,
        (None, KdlValue::Float(value)) => *value as f32,
        _ => f32::NAN,
    }
}

/// The value of a parameter: a constant, a text, or with `(column)`, `(world)` or `(from)` a name.
pub(crate) fn read_parameter(
    source: &Source,
    entry: &KdlEntry,
) -> Result<ParameterValue, Diagnostic> {
    let wrong = |message: Message| Diagnostic::new(source, value_span(source, entry), message);
    if let Some(annotation) = entry.ty() {
        let name = annotation.value();
        if matches!(name, "column" | "world" | "from") {
            return match entry.value() {
                KdlValue::String(text) => Ok(ParameterValue::Name(text.clone())),
                found => Err(wrong(Code::WrongValue.says(format!(
                    "expected a name behind `({name})`, found {}",
                    describe(found)
                )))),
            };
        }
        let Some(ty) = ValueType::from_name(name) else {
            let known = ValueType::ALL
                .map(ValueType::name)
                .into_iter()
                .chain(["column", "world", "from", "param"]);
            let help = did_you_mean(name, known).unwrap_or_else(|| {
                "known are bool, u8, u16, i32, f32, u64, column, world, from and param".into()
            });
            let message = format!("unknown type {}", quoted(name));
            return Err(Diagnostic::new(
                source,
                bytes(annotation),
                Code::UnknownType.says(message),
            )
            .with_help(help));
        };
        return read_value(source, entry, ty).map(ParameterValue::Const);
    }
    let ty = match entry.value() {
        KdlValue::String(text) => return Ok(ParameterValue::Text(text.clone())),
        KdlValue::Bool(_) => ValueType::Bool,
        KdlValue::Integer(_) => ValueType::I32,
        KdlValue::Float(_) => ValueType::F32,
        KdlValue::Null => return Err(wrong(Code::WrongValue.says("`#null` is no value here"))),
    };
    read_value(source, entry, ty)
        .map(ParameterValue::Const)
        .map_err(|error| match entry.value() {
            KdlValue::Integer(value) if u64::try_from(*value).is_ok() => error.with_help(format!(
                "a number without a type is i32; write `(u64){value}`"
            )),
            _ => error,
        })
}

/// Which times there are, as a help.
pub(crate) fn allowed_seconds() -> String {
    format!("allowed are 0 to {} seconds", MAX_MICROS / 1_000_000)
}

/// A time in seconds, as it is written. Digits beyond nanoseconds are dropped.
pub(crate) fn read_seconds(
    source: &Source,
    entry: &KdlEntry,
    keyword: &str,
) -> Result<Duration, Diagnostic> {
    let wrong = |message: Message| Diagnostic::new(source, value_span(source, entry), message);
    let allowed = allowed_seconds();
    if let Some(annotation) = entry.ty() {
        let message = "a time takes no type annotation";
        return Err(
            Diagnostic::new(source, bytes(annotation), Code::Annotation.says(message))
                .with_help(format!("write the seconds: `{keyword} 2.5`")),
        );
    }
    if !matches!(entry.value(), KdlValue::Integer(_) | KdlValue::Float(_)) {
        let message = format!(
            "expected a time in seconds, found {}",
            describe(entry.value())
        );
        return Err(wrong(Code::WrongValue.says(message))
            .with_help(format!("write the seconds as a number: `{keyword} 2.5`")));
    }
    seconds(entry).ok_or_else(|| {
        let shown = entry_text(entry).unwrap_or_else(|| "the time".to_owned());
        wrong(Code::OutOfRange.says(format!("{} is no time", quoted(&shown)))).with_help(allowed)
    })
}

/// The entry's number as a time, exactly as it is written; none if it is no time that a tree allows.
pub(crate) fn seconds(entry: &KdlEntry) -> Option<Duration> {
    let time = match entry.value() {
        KdlValue::Integer(value) => u64::try_from(*value).ok().map(Duration::from_secs),
        KdlValue::Float(value) => entry_text(entry)
            .and_then(|text| exact_seconds(&text))
            .or_else(|| Duration::try_from_secs_f64(*value).ok()),
        _ => None,
    };
    time.filter(|time| time.as_micros() <= u128::from(MAX_MICROS))
}

/// Seconds as they stand there: `0.1` is 100 ms sharp, which it is not as an `f64`. None if they
/// are negative or beyond what a `Duration` holds.
fn exact_seconds(text: &str) -> Option<Duration> {
    const NANOS: u128 = 1_000_000_000;
    let text = text.strip_prefix('+').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        // One that does not fit is far beyond both ends of a duration, as its sign says.
        Some((mantissa, exponent)) if exponent.starts_with('-') => {
            (mantissa, exponent.parse().unwrap_or(i64::from(i32::MIN)))
        }
        Some((mantissa, exponent)) => (mantissa, exponent.parse().unwrap_or(i64::from(i32::MAX))),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Duration::ZERO);
    }
    // How many of the digits, or of zeros behind them, stand in front of the point in nanoseconds.
    // The exponent is far from the end of an `i64`, so that the sum stays within it.
    let exponent = exponent.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
    let kept = digits.len() as i64 - fraction.len() as i64 + exponent + 9;
    if kept > 38 {
        return None;
    }
    let nanos = (0..usize::try_from(kept).unwrap_or(0))
        .map(|at| digits.as_bytes().get(at).map_or(0, |digit| digit - b'0'))
        .fold(0u128, |sum, digit| sum * 10 + u128::from(digit));
    let seconds = u64::try_from(nanos / NANOS).ok()?;
    Some(Duration::new(seconds, (nanos % NANOS) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_exact_with_and_without_an_exponent() {
        for (text, nanos) in [
            ("0.1", 100_000_000),
            ("+2.000000001", 2_000_000_001),
            ("1.0000000019", 1_000_000_001),
            ("1000000.123456789", 1_000_000_123_456_789),
            ("1000000123456789e-9", 1_000_000_123_456_789),
            ("1.000000123456789e6", 1_000_000_123_456_789),
            ("1E3", 1_000_000_000_000),
            ("4.35e+2", 435_000_000_000),
            ("0.00000000000001e14", 1_000_000_000),
            ("5e-9", 5),
            ("9.9e-10", 0),
            ("0e999999999999", 0),
            ("1e-999999999999", 0),
            ("1e-9223372036854775808", 0),
            ("1e-99999999999999999999999999", 0),
        ] {
            let exact = exact_seconds(text);
            assert_eq!(exact.map(|time| time.as_nanos()), Some(nanos), "{text}");
        }
        for text in [
            "-1.5",
            "1e30",
            "1e2147483647",
            "1e999999999999",
            "1e9223372036854775807",
            "#nan",
            "",
        ] {
            assert_eq!(exact_seconds(text), None, "{text}");
        }
    }
}
