//! Values of a JSON text, each with its place.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use kdl::{KdlEntry, KdlEntryFormat, KdlIdentifier, KdlValue};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::chars::{Word, word};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Wording, quoted};
use crate::document::MAX_ITEMS;
use crate::source::Source;

/// A field of an object.
pub(super) struct Field<'a> {
    pub(super) name: Cow<'a, str>,
    /// Where the name stands; the value, if escapes hide its place.
    pub(super) at: Range<usize>,
    pub(super) value: &'a RawValue,
}

/// Reads the values of one text.
pub(super) struct Reader<'a> {
    pub(super) source: &'a Source,
    text: &'a str,
    pub(super) found: Diagnostics,
    items: usize,
}

impl<'a> Reader<'a> {
    /// A reader, and the whole text as a value: after that, no part of it breaks the syntax.
    pub(super) fn new(source: &'a Source) -> Result<(Reader<'a>, &'a RawValue), Diagnostic> {
        let text = source.text();
        let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
        let whole = serde_json::from_str(bare).map_err(|error| {
            let line = error.line().saturating_sub(1);
            let start: usize = bare.split_inclusive('\n').take(line).map(str::len).sum();
            let at = text.len() - bare.len() + start + error.column().saturating_sub(1);
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or("");
            if error.is_eof() {
                return Diagnostic::new(source, at..at, Code::Json.says("the JSON ends too early"))
                    .with_help("an object, a list or a text is never closed");
            }
            let message = Code::Json.says(format!("this is no JSON: {message}"));
            Diagnostic::new(source, at..at + 1, message)
        })?;
        let reader = Reader {
            source,
            text,
            found: Diagnostics::new(),
            items: 0,
        };
        Ok((reader, whole))
    }

    fn offset(&self, part: &str) -> usize {
        // Parts are borrowed from the text.
        part.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr())
    }

    /// Where a value stands.
    pub(super) fn span(&self, value: &RawValue) -> Range<usize> {
        let start = self.offset(value.get());
        start..start + value.get().len()
    }

    /// Where to point for a value: an object or list is its first character.
    fn point(&self, value: &RawValue) -> Range<usize> {
        let span = self.span(value);
        match value.get().as_bytes().first() {
            Some(b'{' | b'[') => span.start..span.start + 1,
            _ => span,
        }
    }

    pub(super) fn wrong(
        &mut self,
        at: Range<usize>,
        message: impl Into<Wording>,
        help: Option<&str>,
    ) {
        let message = message.into().or(Code::Json);
        let error = Diagnostic::new(self.source, at, message);
        self.found.push(error.with_help_if(help));
    }

    /// One more node or value; `false` beyond the limit, which is told once.
    pub(super) fn count(&mut self, value: &RawValue) -> bool {
        self.items += 1;
        if self.items == MAX_ITEMS + 1 {
            let message = format!("the file has more than {MAX_ITEMS} nodes and values");
            self.wrong(self.point(value), Code::Limit.says(message), None);
        }
        self.items <= MAX_ITEMS
    }

    fn unexpected(&mut self, what: &str, value: &RawValue) {
        let message = format!("expected {what}, found {}", described(value));
        self.wrong(self.point(value), message, None);
    }

    /// The fields of an object, no two of a name.
    pub(super) fn object(&mut self, what: &str, value: &'a RawValue) -> Option<Vec<Field<'a>>> {
        if !value.get().starts_with('{') {
            self.unexpected(what, value);
            return None;
        }
        let Fields(list) = self.parse(value)?;
        let mut names = std::collections::HashSet::new();
        let mut fields: Vec<Field<'a>> = Vec::with_capacity(list.len());
        for (Key(name), value) in list {
            let at = match &name {
                Cow::Borrowed(name) => {
                    let start = self.offset(name);
                    start.saturating_sub(1)..start + name.len() + 1
                }
                Cow::Owned(_) => self.point(value),
            };
            if !names.insert(name.clone()) {
                let message = format!("the field {} is there twice", quoted(&name));
                self.wrong(at, message, Some("remove one of them"));
                continue;
            }
            fields.push(Field { name, at, value });
        }
        Some(fields)
    }

    /// The values of a list.
    pub(super) fn list(&mut self, what: &str, value: &'a RawValue) -> Option<Vec<&'a RawValue>> {
        if !value.get().starts_with('[') {
            self.unexpected(what, value);
            return None;
        }
        self.parse(value)
    }

    pub(super) fn text(&mut self, what: &str, value: &'a RawValue) -> Option<String> {
        if !value.get().starts_with('"') {
            self.unexpected(what, value);
            return None;
        }
        self.parse(value)
    }

    /// The texts of a list.
    pub(super) fn texts(&mut self, what: &str, value: &'a RawValue) -> Option<Vec<String>> {
        let list = self.list(what, value)?;
        list.into_iter()
            .map(|one| self.text("a text", one))
            .collect()
    }

    fn parse<T: Deserialize<'a>>(&mut self, value: &'a RawValue) -> Option<T> {
        match serde_json::from_str(value.get()) {
            Ok(value) => Some(value),
            // The syntax is right, so it is an escape that is no character.
            Err(error) => {
                let message = error.to_string();
                let message = message.split(" at line ").next().unwrap_or("").to_owned();
                self.wrong(self.point(value), message, None);
                None
            }
        }
    }

    /// A name at its place.
    pub(super) fn identifier(&mut self, name: &str, at: Range<usize>) -> KdlIdentifier {
        let mut identifier = KdlIdentifier::from(name);
        identifier.set_span((at.start, at.len()));
        identifier
    }

    /// A value of a node: a text, number or truth value, or `{"u8": 3}`, `{"column": "health"}`.
    pub(super) fn entry(&mut self, value: &'a RawValue) -> Option<KdlEntry> {
        if value.get().starts_with('{') {
            return self.typed(value);
        }
        self.bare(value)
    }

    /// A value as a property of a node.
    pub(super) fn property(&mut self, name: &str, value: &'a RawValue) -> Option<KdlEntry> {
        let entry = self.entry(value)?;
        let mut named = KdlEntry::new_prop(name, entry.value().clone());
        if let Some(ty) = entry.ty() {
            named.set_ty(ty.clone());
        }
        if let Some(format) = entry.format() {
            named.set_format(format.clone());
        }
        named.set_span(entry.span());
        Some(named)
    }

    fn bare(&mut self, value: &'a RawValue) -> Option<KdlEntry> {
        if !self.count(value) {
            return None;
        }
        let raw = value.get();
        // What KDL cannot write is refused here as well.
        if let (Some(b'-' | b'0'..=b'9'), Word::BadNumber(what, help)) =
            (raw.as_bytes().first(), word(raw))
        {
            let message = format!("the number {} {what}", quoted(raw));
            self.wrong(self.span(value), message, Some(help));
            return None;
        }
        let read = match raw.as_bytes().first() {
            Some(b'"') => KdlValue::String(self.text("a text", value)?),
            Some(b't' | b'f') => KdlValue::Bool(raw == "true"),
            Some(b'-' | b'0'..=b'9') if raw.contains(['.', 'e', 'E']) => {
                KdlValue::Float(raw.parse().ok()?)
            }
            Some(b'-' | b'0'..=b'9') => KdlValue::Integer(raw.parse().ok()?),
            _ => {
                self.unexpected("a text, a number or a truth value", value);
                return None;
            }
        };
        Some(self.at(read, raw, value))
    }

    fn at(&self, read: KdlValue, written: &str, value: &RawValue) -> KdlEntry {
        let mut entry = KdlEntry::new(read);
        entry.set_format(KdlEntryFormat {
            value_repr: written.to_owned(),
            ..KdlEntryFormat::default()
        });
        let span = self.span(value);
        entry.set_span((span.start, span.len()));
        entry
    }

    /// `{"u8": 3}`: a value with its type, or what kind of name it is.
    fn typed(&mut self, value: &'a RawValue) -> Option<KdlEntry> {
        let help = "such an object has one field, such as `{\"u8\": 3}`, `{\"f32\": 2.0}`, `{\"column\": \"health\"}` or `{\"param\": \"speed\"}`";
        let fields = self.object("a value", value)?;
        let [field] = fields.as_slice() else {
            let message = format!(
                "expected a value with its type, found {} fields",
                fields.len()
            );
            self.wrong(self.point(value), message, Some(help));
            return None;
        };
        let mut entry = match (&*field.name, field.value.get().as_bytes().first()) {
            // Programs that keep numbers as 64-bit floats cannot write all of these as one.
            ("u64", Some(b'"')) => {
                let digits = self.text("a number", field.value)?;
                let Ok(number) = digits.parse::<u64>() else {
                    let message = format!("{} is no `u64`", quoted(&digits));
                    let help = format!("allowed are 0 to {}", u64::MAX);
                    self.wrong(self.span(field.value), message, Some(&help));
                    return None;
                };
                if !self.count(value) {
                    return None;
                }
                self.at(KdlValue::Integer(number.into()), &digits, field.value)
            }
            _ => self.bare(field.value)?,
        };
        let ty = self.identifier(&field.name, field.at.clone());
        entry.set_ty(ty);
        Some(entry)
    }
}

/// A value as a message names it.
pub(super) fn described(value: &RawValue) -> String {
    let raw = value.get();
    match raw.as_bytes().first() {
        Some(b'{') => "an object".to_owned(),
        Some(b'[') => "a list".to_owned(),
        Some(b'"') => match serde_json::from_str::<String>(raw) {
            Ok(text) => format!("the text {}", quoted(&text)),
            Err(_) => "a text".to_owned(),
        },
        Some(b't' | b'f' | b'n') => quoted(raw),
        _ => format!("the number {}", quoted(raw)),
    }
}

/// An object's fields in their order. A map would lose that, and those that are there twice.
struct Fields<'a>(Vec<(Key<'a>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Fields<'a>, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        from.deserialize_map(Visit)
    }
}

/// A field's name, borrowed from the text unless it has escapes.
struct Key<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Key<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Key<'a>, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(name)))
            }

            fn visit_str<E>(self, name: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(name.to_owned())))
            }
        }
        from.deserialize_str(Visit)
    }
}
