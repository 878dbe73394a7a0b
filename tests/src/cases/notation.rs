//! Trees as one line of text, for cases: `repeat(3, sequence(task a, wait 200ms))`.
//!
//! The full text format is another crate's, and takes a line a node. Here trees stand beside the rows of
//! a score, and must stay as short as a formula. Whatever can be written is passed on to the compiler,
//! which judges it: a decorator without a child is a line of text like any other.
//!
//! - leaves: `task a`, `query q`, `action a`, `persistent p`, `condition "x > 0"`, `set x = "x + 1"`,
//!   `wait 200ms`, `wait 1s to 3s`, `succeed`, `fail`, `idle`;
//! - parents: a kind and its children in parentheses. What a kind needs to know comes first:
//!   `repeat(3, …)` or `repeat(forever, …)`, `timeout(1s, …)`, `while("x > 0", …)`,
//!   `parallel(success 2, failure all, …)`, `switch(mode, idle => …, else => …)`;
//! - `name: node` gives a node a name, so that the rows can speak of it;
//! - `64 of succeed` stands for that many equal children;
//! - times are whole numbers of `s`, `ms` or `us`, or `0`.

use std::fmt;
use std::time::Duration;

use pleach_tree::{Call, CaseValue, Column, NodeDef, NodeKind, Threshold, Value};

/// Parentheses within parentheses.
const MAX_DEPTH: usize = 64;
/// Children of one node.
const MAX_CHILDREN: usize = 1_000;

/// Why a text is no tree, declaration or time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationError {
    /// Bytes before the place.
    pub at: usize,
    message: String,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {})", self.message, self.at)
    }
}

impl std::error::Error for NotationError {}

type Result<T> = std::result::Result<T, NotationError>;

/// Reads a tree.
///
/// # Errors
/// Where the text leaves the notation.
pub fn read_tree(text: &str) -> Result<NodeDef> {
    let mut scanner = Scanner { text, at: 0 };
    let root = scanner.node(0)?;
    scanner.end()?;
    Ok(root)
}

/// Reads declarations: `x: i32 = 0, mode: idle|alert, many: 257 labels`.
///
/// A number that an `i32` column cannot hold, and the like, is refused here.
///
/// # Errors
/// Where the text leaves the notation.
pub fn read_declarations(text: &str) -> Result<Vec<Column>> {
    let mut scanner = Scanner { text, at: 0 };
    let mut columns = Vec::new();
    while !scanner.at_end() {
        columns.push(scanner.declaration()?);
        if !scanner.takes(",") {
            scanner.end()?;
        }
    }
    Ok(columns)
}

/// Reads a time: `2s`, `200ms`, `5us` or `0`.
///
/// # Errors
/// If it is none.
pub fn read_time(text: &str) -> Result<Duration> {
    let mut scanner = Scanner { text, at: 0 };
    let time = scanner.time()?;
    scanner.end()?;
    Ok(time)
}

/// Reads a value for a column: of its type, or one of its labels.
pub fn read_value(text: &str, column: &Column) -> Option<Value> {
    if let Some(label) = column.labels.iter().position(|label| label == text) {
        return u8::try_from(label).ok().map(Value::U8);
    }
    match column.default {
        Value::Bool(_) => text.parse().ok().map(Value::Bool),
        Value::U8(_) => text.parse().ok().map(Value::U8),
        Value::U16(_) => text.parse().ok().map(Value::U16),
        Value::I32(_) => text.parse().ok().map(Value::I32),
        Value::F32(_) => text.parse().ok().map(Value::F32),
        Value::U64(_) => text.parse().ok().map(Value::U64),
    }
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn at_end(&mut self) -> bool {
        self.skip_space();
        self.rest().is_empty()
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(NotationError {
            at: self.at,
            message: message.into(),
        })
    }

    fn end(&mut self) -> Result<()> {
        if self.at_end() {
            return Ok(());
        }
        self.expected("the end")
    }

    fn expected<T>(&self, what: &str) -> Result<T> {
        let found: String = self.rest().chars().take(12).collect();
        if found.is_empty() {
            return self.error(format!("expected {what}, found the end"));
        }
        self.error(format!("expected {what}, found `{found}`"))
    }

    /// Whether this comes next; it is passed then.
    fn takes(&mut self, sign: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn need(&mut self, sign: &str) -> Result<()> {
        if self.takes(sign) {
            return Ok(());
        }
        self.expected(&format!("`{sign}`"))
    }

    fn peek_word(&mut self) -> &'t str {
        self.skip_space();
        let rest = self.rest();
        let in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        &rest[..rest.find(|c| !in_word(c)).unwrap_or(rest.len())]
    }

    fn word(&mut self, what: &str) -> Result<&'t str> {
        let word = self.peek_word();
        if word.is_empty() {
            return self.expected(what);
        }
        self.at += word.len();
        Ok(word)
    }

    /// A word, or any text in quotes.
    fn text(&mut self, what: &str) -> Result<&'t str> {
        self.skip_space();
        if !self.rest().starts_with('"') {
            return self.word(what);
        }
        let inner = &self.rest()[1..];
        let Some(length) = inner.find('"') else {
            return self.error("a quote is not closed");
        };
        self.at += length + 2;
        Ok(&inner[..length])
    }

    fn number(&mut self, what: &str) -> Result<u32> {
        let start = self.at;
        let word = self.word(what)?;
        let Ok(number) = word.parse() else {
            self.at = start;
            return self.expected(what);
        };
        Ok(number)
    }

    fn time(&mut self) -> Result<Duration> {
        let word = self.peek_word();
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let (Ok(number), unit) = (digits.parse::<u64>(), &word[digits.len()..]) else {
            return self.expected("a time, as in `200ms`");
        };
        let time = match unit {
            "s" => Duration::from_secs(number),
            "ms" => Duration::from_millis(number),
            "us" => Duration::from_micros(number),
            "" if number == 0 => Duration::ZERO,
            _ => return self.expected("a time, as in `200ms`"),
        };
        self.at += word.len();
        Ok(time)
    }

    fn declaration(&mut self) -> Result<Column> {
        let name = self.text("a name")?.to_owned();
        self.need(":")?;
        let first = self.text("a type or labels")?;
        let default = match first {
            "bool" => Value::Bool(false),
            "u16" => Value::U16(0),
            "i32" => Value::I32(0),
            "f32" => Value::F32(0.0),
            "u64" => Value::U64(0),
            _ => Value::U8(0),
        };
        let mut labels = Vec::new();
        if let (Ok(count), "labels") = (first.parse::<usize>(), self.peek_word()) {
            self.word("labels")?;
            labels = (0..count.min(MAX_CHILDREN))
                .map(|n| format!("l{n}"))
                .collect();
        } else if !matches!(first, "bool" | "u8" | "u16" | "i32" | "f32" | "u64") {
            labels.push(first.to_owned());
            while self.takes("|") {
                labels.push(self.text("a label")?.to_owned());
            }
        }
        let mut column = Column {
            name,
            default,
            labels,
        };
        if self.takes("=") {
            let text = self.word("a value")?;
            let Some(value) = read_value(text, &column) else {
                return self.error(format!("`{text}` is no value of `{}`", column.name));
            };
            column.default = value;
        }
        Ok(column)
    }

    fn node(&mut self, depth: usize) -> Result<NodeDef> {
        if depth > MAX_DEPTH {
            return self.error(format!("the tree nests deeper than {MAX_DEPTH} levels"));
        }
        self.skip_space();
        let start = self.at;
        let word = self.word("a node")?;
        if self.takes(":") {
            return Ok(self.node(depth + 1)?.named(word));
        }
        if let Some(kind) = self.leaf(word)? {
            let children = match self.takes("(") {
                true => self.children(depth)?,
                false => Vec::new(),
            };
            return Ok(NodeDef::new(kind, children));
        }
        let kind = match word {
            "switch" => return self.switch(depth),
            "sequence" => NodeKind::Sequence,
            "selector" => NodeKind::Selector,
            "reactive_sequence" => NodeKind::ReactiveSequence,
            "reactive_selector" => NodeKind::ReactiveSelector,
            "concurrent" => NodeKind::Concurrent,
            "random_sequence" => NodeKind::RandomSequence,
            "random_selector" => NodeKind::RandomSelector,
            "if" => NodeKind::IfThenElse,
            "while_do" => NodeKind::WhileDoElse,
            "invert" => NodeKind::Invert,
            "succeeder" => NodeKind::Succeeder,
            "failer" => NodeKind::Failer,
            "run_once" => NodeKind::RunOnce,
            "parallel"
            | "repeat"
            | "repeat_regardless"
            | "repeat_until_failure"
            | "repeat_until_success"
            | "cooldown"
            | "timeout"
            | "delay"
            | "when"
            | "while"
            | "done_when"
            | "abort_when" => {
                self.need("(")?;
                let kind = self.told(word)?;
                let children = self.children(depth)?;
                return Ok(NodeDef::new(kind, children));
            }
            _ => {
                self.at = start;
                return self.expected("a kind of node");
            }
        };
        self.need("(")?;
        let children = self.children(depth)?;
        Ok(NodeDef::new(kind, children))
    }

    fn leaf(&mut self, word: &str) -> Result<Option<NodeKind>> {
        let call = |name: &str| Call {
            name: name.to_owned(),
            params: Vec::new(),
        };
        let kind = match word {
            "task" => NodeKind::Task(call(self.text("a name")?)),
            "query" => NodeKind::Query(call(self.text("a name")?)),
            "action" => NodeKind::Action(call(self.text("a name")?)),
            "persistent" => NodeKind::PersistentAction(call(self.text("a name")?)),
            "condition" => NodeKind::Condition(self.text("an expression")?.into()),
            "set" => {
                let column = self.text("a column")?.to_owned();
                self.need("=")?;
                let value = self.text("an expression")?.into();
                NodeKind::Set { column, value }
            }
            "wait" => {
                let min = self.time()?;
                match self.takes("to") {
                    true => NodeKind::WaitBetween {
                        min,
                        max: self.time()?,
                    },
                    false => NodeKind::Wait(min),
                }
            }
            "succeed" => NodeKind::Succeed,
            "fail" => NodeKind::Fail,
            "idle" => NodeKind::Idle,
            _ => return Ok(None),
        };
        Ok(Some(kind))
    }

    /// The kind of a parent that is told something, and the comma behind it.
    fn told(&mut self, word: &str) -> Result<NodeKind> {
        let kind = match word {
            "parallel" => {
                let (mut success, mut failure) = (Threshold::All, Threshold::Count(1));
                loop {
                    let threshold = match self.peek_word() {
                        "success" => &mut success,
                        "failure" => &mut failure,
                        _ => return Ok(NodeKind::Parallel { success, failure }),
                    };
                    self.word("a threshold")?;
                    *threshold = match self.peek_word() {
                        "all" => {
                            self.word("all")?;
                            Threshold::All
                        }
                        _ => Threshold::Count(self.number("a number or `all`")?),
                    };
                    self.comma()?;
                }
            }
            "repeat" => NodeKind::Repeat {
                times: self.limit()?,
                break_on_failure: true,
            },
            "repeat_regardless" => NodeKind::Repeat {
                times: self.limit()?,
                break_on_failure: false,
            },
            "repeat_until_failure" => NodeKind::RepeatUntilFailure { max: self.limit()? },
            "repeat_until_success" => NodeKind::RepeatUntilSuccess { max: self.limit()? },
            "cooldown" => NodeKind::Cooldown(self.time()?),
            "timeout" => NodeKind::Timeout(self.time()?),
            "delay" => NodeKind::Delay(self.time()?),
            "when" => NodeKind::When(self.text("an expression")?.into()),
            "while" => NodeKind::While(self.text("an expression")?.into()),
            "done_when" => NodeKind::DoneWhen(self.text("an expression")?.into()),
            _ => NodeKind::AbortWhen(self.text("an expression")?.into()),
        };
        self.comma()?;
        Ok(kind)
    }

    /// The comma between what a parent is told and its children, if it has any.
    fn comma(&mut self) -> Result<()> {
        self.skip_space();
        if self.rest().starts_with(')') {
            return Ok(());
        }
        self.need(",")
    }

    fn limit(&mut self) -> Result<Option<u32>> {
        if self.peek_word() == "forever" {
            self.word("forever")?;
            return Ok(None);
        }
        self.number("a number or `forever`").map(Some)
    }

    fn children(&mut self, depth: usize) -> Result<Vec<NodeDef>> {
        let mut children = Vec::new();
        while !self.takes(")") {
            let word = self.peek_word();
            let mut count = 1;
            if word.starts_with(|c: char| c.is_ascii_digit()) {
                count = self.number("a number of children")? as usize;
                if self.word("`of`")? != "of" {
                    return self.error("behind a number of children comes `of`");
                }
            }
            let child = self.node(depth + 1)?;
            if children.len() + count > MAX_CHILDREN {
                return self.error(format!("allowed are {MAX_CHILDREN} children"));
            }
            children.extend(std::iter::repeat_n(child, count));
            self.comma()?;
        }
        Ok(children)
    }

    fn switch(&mut self, depth: usize) -> Result<NodeDef> {
        self.need("(")?;
        let on = self.text("what to switch on")?.to_owned();
        self.comma()?;
        let (mut cases, mut children) = (Vec::new(), Vec::new());
        while !self.takes(")") {
            let value = self.text("a case")?;
            self.need("=>")?;
            cases.push(match (value, value.parse::<i32>()) {
                ("else", _) => None,
                ("true", _) => Some(CaseValue::Bool(true)),
                ("false", _) => Some(CaseValue::Bool(false)),
                (_, Ok(number)) => Some(CaseValue::Int(number)),
                (label, _) => Some(CaseValue::from(label)),
            });
            children.push(self.node(depth + 1)?);
            self.comma()?;
        }
        Ok(NodeDef::new(NodeKind::Switch { on, cases }, children))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_tree::*;

    #[test]
    fn every_kind() {
        let ms = Duration::from_millis;
        let us = Duration::from_micros;
        let cases: Vec<(&str, NodeDef)> = vec![
            (
                "sequence(task a, action b)",
                sequence([task("a"), action("b")]),
            ),
            (
                "selector( query q ,persistent p )",
                selector([query("q"), persistent_action("p")]),
            ),
            (
                "reactive_sequence(wait 2s)",
                reactive_sequence([wait(ms(2_000))]),
            ),
            (
                "reactive_selector(wait 3us)",
                reactive_selector([wait(Duration::from_micros(3))]),
            ),
            (
                "concurrent(succeed, fail, idle)",
                concurrent([succeed(), fail(), idle()]),
            ),
            (
                "parallel(success 2, failure all, 3 of idle)",
                parallel(
                    Threshold::Count(2),
                    Threshold::All,
                    [idle(), idle(), idle()],
                ),
            ),
            (
                "parallel(idle)",
                parallel(Threshold::All, Threshold::Count(1), [idle()]),
            ),
            ("random_sequence(idle)", random_sequence([idle()])),
            ("random_selector(idle)", random_selector([idle()])),
            (
                "if(succeed, idle, fail)",
                if_then_else(succeed(), idle(), fail()),
            ),
            ("while_do(succeed, idle)", while_do(succeed(), idle())),
            ("invert(idle)", invert(idle())),
            ("succeeder(idle)", succeeder(idle())),
            ("failer(idle)", failer(idle())),
            ("run_once(idle)", run_once(idle())),
            ("repeat(3, idle)", repeat(idle(), 3)),
            ("repeat(forever, idle)", repeat(idle(), None)),
            ("repeat_regardless(3, idle)", repeat_regardless(idle(), 3)),
            (
                "repeat_until_failure(forever, idle)",
                repeat_until_failure(idle(), None),
            ),
            (
                "repeat_until_success(1, idle)",
                repeat_until_success(idle(), 1),
            ),
            ("cooldown(5ms, idle)", cooldown(idle(), ms(5))),
            ("timeout(0, idle)", timeout(idle(), ms(0))),
            ("delay(1ms, idle)", delay(idle(), ms(1))),
            (r#"when("x > 0", idle)"#, when(idle(), "x > 0")),
            (r#"while("x > 0", idle)"#, run_while(idle(), "x > 0")),
            (r#"done_when("x > 0", idle)"#, done_when(idle(), "x > 0")),
            (r#"abort_when("x > 0", idle)"#, abort_when(idle(), "x > 0")),
            (r#"condition "x > 0""#, condition("x > 0")),
            (r#"set x = "x + 1""#, set("x", "x + 1")),
            ("set x = 4", set("x", "4")),
            ("w: wait 0", wait(ms(0)).named("w")),
            ("wait 5us to 2ms", wait_between(us(5), ms(2))),
            (
                "switch(m, true => idle, -3 => fail, alert => succeed, else => idle)",
                switch(
                    "m",
                    [
                        case(true, idle()),
                        case(-3, fail()),
                        case("alert", succeed()),
                        otherwise(idle()),
                    ],
                ),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(read_tree(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_only_the_compiler_refuses_is_read() {
        for text in [
            "invert()",
            "invert(idle, idle)",
            "sequence()",
            "repeat(0)",
            "switch(x)",
            "idle(fail)",
        ] {
            assert!(read_tree(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_is_no_tree_is_told_with_its_place() {
        let refused = |text: &str| read_tree(text).expect_err(text).to_string();
        assert_eq!(refused(""), "expected a node, found the end (byte 0)");
        assert_eq!(
            refused("sequnce(idle)"),
            "expected a kind of node, found `sequnce(idle` (byte 0)"
        );
        assert_eq!(
            refused("sequence(idle"),
            "expected `,`, found the end (byte 13)"
        );
        assert_eq!(
            refused("idle idle"),
            "expected the end, found `idle` (byte 5)"
        );
        assert_eq!(
            refused("repeat(x, idle)"),
            "expected a number or `forever`, found `x, idle)` (byte 7)"
        );
        assert_eq!(
            refused("wait 3"),
            "expected a time, as in `200ms`, found `3` (byte 5)"
        );
        assert_eq!(
            refused("wait -3s"),
            "expected a time, as in `200ms`, found `-3s` (byte 5)"
        );
        assert_eq!(refused("condition \"x"), "a quote is not closed (byte 10)");
        assert_eq!(
            refused("sequence(2 idle)"),
            "behind a number of children comes `of` (byte 15)"
        );
        assert!(refused("sequence(4000000000 of idle)").starts_with("allowed are 1000 children"));
        assert!(refused(&"invert(".repeat(100_000)).starts_with("the tree nests deeper than 64"));
        assert!(refused(&"n:".repeat(100_000)).starts_with("the tree nests deeper than 64"));
    }

    #[test]
    fn declarations_and_values() {
        let columns =
            read_declarations("x: i32 = -3, b: bool, mode: idle|alert = alert, l: 3 labels")
                .expect("declarations");
        let shown: Vec<_> = columns
            .iter()
            .map(|column| (column.name.as_str(), column.default, column.labels.len()))
            .collect();
        assert_eq!(
            shown,
            [
                ("x", Value::I32(-3), 0),
                ("b", Value::Bool(false), 0),
                ("mode", Value::U8(1), 2),
                ("l", Value::U8(0), 3)
            ]
        );
        assert_eq!(read_value("idle", &columns[2]), Some(Value::U8(0)));
        assert_eq!(read_value("7", &columns[2]), Some(Value::U8(7)));
        assert_eq!(read_value("x", &columns[0]), None);
        for wrong in ["x", "x: i32 = y", "x: i32 y: i32", "x: u8 = 256"] {
            assert!(read_declarations(wrong).is_err(), "{wrong}");
        }
        assert_eq!(read_declarations(""), Ok(Vec::new()));
    }
}
