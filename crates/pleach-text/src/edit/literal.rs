//! Values as they are put into a text.

use crate::document::kdl_document;
use crate::source::Source;
use crate::token::{TokenKind, tokens};
use crate::write::text;

/// A value to be written into a text. Numbers, truth values and texts convert; anything else is
/// written as [`kdl`](Literal::kdl).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Literal(String);

impl Literal {
    /// A value as KDL has it: `(column)"post"`, `(u8)3`, `0xff`. It is looked at when it is used.
    pub fn kdl(written: impl Into<String>) -> Literal {
        Literal(written.into())
    }

    pub(super) fn into_text(self) -> String {
        self.0
    }

    /// Its text, if that is one value and nothing else; else what is wrong.
    pub(super) fn checked(self) -> Result<String, String> {
        let parts = tokens(&self.0);
        let is_value = parts.iter().all(|token| {
            matches!(
                token.kind,
                TokenKind::Value | TokenKind::TypeOpens | TokenKind::TypeCloses
            )
        });
        let document = kdl_document(&Source::new("", &format!("x {}", self.0)));
        let node = document
            .as_ref()
            .ok()
            .and_then(|document| document.nodes().first());
        match node.map(|node| node.entries()) {
            Some([one]) if is_value && one.name().is_none() => Ok(self.0),
            _ => Err(format!("{} is not one value", crate::quoted(&self.0))),
        }
    }
}

macro_rules! literal_from {
    ($($ty:ty),*) => {$(
        impl From<$ty> for Literal {
            fn from(value: $ty) -> Literal {
                Literal(value.to_string())
            }
        }
    )*};
}
literal_from!(u8, u16, u32, i32);

macro_rules! literal_from_float {
    ($($ty:ty),*) => {$(
        /// With a point or exponent, so that it is no whole number. One that is not finite is refused where it is used.
        impl From<$ty> for Literal {
            fn from(value: $ty) -> Literal {
                // As words, these would be texts.
                Literal(match value.is_finite() {
                    true => format!("{value:?}"),
                    false => "#nan".to_owned(),
                })
            }
        }
    )*};
}
literal_from_float!(f32, f64);

impl From<bool> for Literal {
    fn from(value: bool) -> Literal {
        Literal(format!("#{value}"))
    }
}

impl From<&str> for Literal {
    fn from(value: &str) -> Literal {
        let mut written = String::new();
        text(value, &mut written);
        Literal(written)
    }
}

impl From<String> for Literal {
    fn from(value: String) -> Literal {
        Literal::from(value.as_str())
    }
}
