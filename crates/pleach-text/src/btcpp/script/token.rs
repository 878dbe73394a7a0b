//! The words of a script.

use std::ops::Range;

use super::ScriptError;
use crate::diagnostic::{Code, quoted};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Int(i64),
    Float(f64),
    Text(String),
    Name(String),
    True,
    False,
    /// Operators and punctuation, as written.
    Sign(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

/// Longer ones first, so that `:=` is not `:` and `=`.
const SIGNS: [&str; 28] = [
    ":=", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "&&", "||", "=", "<", ">", "+", "-", "*",
    "/", "!", "~", "&", "|", "^", "(", ")", "?", ":", ";",
];

pub(super) fn scan(text: &str) -> Result<Vec<Token>, ScriptError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let start = at;
        let rest = &text[at..];
        let kind = if c.is_ascii_digit() || (c == '.' && digit(rest.as_bytes().get(1))) {
            let (kind, len) = number(rest, at)?;
            at += len;
            kind
        } else if begins_name(c) {
            let first = c.len_utf8();
            let more = rest[first..].find(|c| !continues_name(c));
            let len = more.map_or(rest.len(), |more| first + more);
            at += len;
            match &rest[..len] {
                "true" => Kind::True,
                "false" => Kind::False,
                name => Kind::Name(name.to_owned()),
            }
        } else if matches!(c, '\'' | '"') {
            let Some(len) = rest[1..].find(c) else {
                let message = "this text is never closed";
                return Err(
                    ScriptError::new(at..text.len(), message).help("texts stand between two `'`")
                );
            };
            at += len + 2;
            Kind::Text(rest[1..=len].to_owned())
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            at += sign.len();
            Kind::Sign(sign)
        } else {
            let message = format!("{} has no meaning in a script", quoted(&c.to_string()));
            let error = ScriptError::new(at..at + c.len_utf8(), message);
            return Err(match c {
                '{' | '}' => error.help("in scripts, names of entries stand without braces"),
                '%' => error
                    .code(Code::ScriptMeaning)
                    .help("there is no remainder: compute it in an action"),
                _ => error,
            });
        };
        tokens.push(Token {
            kind,
            span: start..at,
        });
    }
    tokens.push(Token {
        kind: Kind::End,
        span: at..at,
    });
    Ok(tokens)
}

/// Whether a character can begin the name of an entry; `@` is the blackboard of the outermost tree.
pub(super) fn begins_name(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '@')
}

fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn digit(byte: Option<&u8>) -> bool {
    byte.is_some_and(u8::is_ascii_digit)
}

fn number(rest: &str, at: usize) -> Result<(Kind, usize), ScriptError> {
    let bytes = rest.as_bytes();
    let hex = rest.starts_with("0x") || rest.starts_with("0X");
    if hex {
        let len = bytes[2..]
            .iter()
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count();
        let value = i64::from_str_radix(&rest[2..2 + len], 16);
        return match value {
            Ok(value) if ends_number(&rest[2 + len..]) => Ok((Kind::Int(value), 2 + len)),
            _ => Err(no_number(rest, at)),
        };
    }
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let mut len = digits(0);
    let mut whole = true;
    if bytes.get(len) == Some(&b'.') {
        whole = false;
        len += 1;
        len += digits(len);
    }
    if matches!(bytes.get(len), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(len + 1), Some(b'+' | b'-')));
        let exponent = digits((len + 1 + sign).min(bytes.len()));
        if exponent > 0 {
            whole = false;
            len += 1 + sign + exponent;
        }
    }
    if !ends_number(&rest[len..]) {
        return Err(no_number(rest, at));
    }
    let text = &rest[..len];
    if whole && let Ok(value) = text.parse() {
        return Ok((Kind::Int(value), len));
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok((Kind::Float(value), len)),
        _ => Err(no_number(rest, at)),
    }
}

fn ends_number(rest: &str) -> bool {
    !rest
        .chars()
        .next()
        .is_some_and(|c| continues_name(c) || c == '.')
}

fn no_number(rest: &str, at: usize) -> ScriptError {
    let len = rest
        .find(|c: char| !continues_name(c) && c != '.')
        .unwrap_or(rest.len());
    let message = format!("{} is no number", quoted(&rest[..len]));
    ScriptError::new(at..at + len, message)
}
