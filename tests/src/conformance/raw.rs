//! The lines of a file as JSON has them, before anything is made of them.
//!
//! They are read straight from the text, each part once: memory stays a small multiple of the line.
//! Fields that are not named here are passed over.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};

/// Which of the formats a line has.
pub(super) enum Format {
    /// One answer for all peers.
    Consensus,
    /// An answer for each peer.
    PeersDiffer,
    /// Ticks of deferred actions.
    Deferred,
}

impl<'de> Deserialize<'de> for Format {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Format, D::Error> {
        deserializer.deserialize_any(FormatVisitor)
    }
}

struct FormatVisitor;

impl<'de> Visitor<'de> for FormatVisitor {
    type Value = Format;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a case, which is a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Format, A::Error> {
        let (mut events, mut expect) = (false, None);
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            if key == "expect" {
                expect = Some(map.next_value::<Expect>()?);
                continue;
            }
            events |= key == "events";
            map.next_value::<IgnoredAny>()?;
        }
        match expect {
            Some(Expect(format)) => Ok(format),
            None if events => Ok(Format::Consensus),
            None => Err(de::Error::custom(
                "the case has neither `events` nor `expect`",
            )),
        }
    }
}

/// The format that the kind of value in `expect` stands for.
struct Expect(Format);

impl<'de> Deserialize<'de> for Expect {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Expect, D::Error> {
        deserializer.deserialize_any(ExpectVisitor)
    }
}

struct ExpectVisitor;

impl<'de> Visitor<'de> for ExpectVisitor {
    type Value = Expect;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list in `expect`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Expect, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Expect(Format::PeersDiffer))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Expect, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Expect(Format::Deferred))
    }
}

/// A case of scripts by leaf; its answer is in `expect`, or in the fields of an [`Answer`].
#[derive(Deserialize)]
pub(super) struct ScriptedCase<'a> {
    pub(super) id: String,
    #[serde(borrow)]
    pub(super) tree: RawNode<'a>,
    pub(super) ticks: u64,
    pub(super) script: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) abort_after: Vec<u64>,
    pub(super) expect: Option<BTreeMap<String, Answer>>,
    root: Option<String>,
    events: Option<Vec<Vec<String>>>,
    #[serde(default)]
    abort_events: Vec<Vec<String>>,
}

impl ScriptedCase<'_> {
    /// The answer that all peers agree on.
    pub(super) fn take_answer(&mut self) -> Result<Answer, String> {
        Ok(Answer {
            root: self.root.take().ok_or("the case has no `root`")?,
            events: self.events.take().ok_or("the case has no `events`")?,
            abort_events: std::mem::take(&mut self.abort_events),
        })
    }
}

/// What a peer made of a case.
#[derive(Deserialize)]
pub(super) struct Answer {
    pub(super) root: String,
    pub(super) events: Vec<Vec<String>>,
    #[serde(default)]
    pub(super) abort_events: Vec<Vec<String>>,
}

/// A case of deferred actions.
#[derive(Deserialize)]
pub(super) struct DeferredCase<'a> {
    pub(super) case: u64,
    pub(super) family: String,
    #[serde(borrow)]
    pub(super) tree: RawNode<'a>,
    pub(super) ticks: u64,
    pub(super) expect: Vec<DeferredTick>,
    pub(super) teardown: Teardown,
}

/// What is right in a tick.
#[derive(Deserialize)]
pub(super) struct DeferredTick {
    pub(super) root: String,
    pub(super) cancel: Vec<u64>,
    pub(super) launch: Vec<u64>,
    pub(super) imm: Vec<(u64, String)>,
}

/// What is right when everything is halted at the end.
#[derive(Deserialize)]
pub(super) struct Teardown {
    pub(super) cancel: Vec<u64>,
    pub(super) imm: Vec<(u64, String)>,
}

/// A node of either tree format; which fields are needed depends on the kind. The JSON parser
/// limits how deep they nest.
#[derive(Deserialize)]
pub(super) struct RawNode<'a> {
    #[serde(borrow)]
    pub(super) node: Cow<'a, str>,
    #[serde(default, borrow)]
    pub(super) children: Vec<RawNode<'a>>,
    pub(super) name: Option<String>,
    pub(super) id: Option<u64>,
    pub(super) n: Option<i64>,
    pub(super) success_threshold: Option<i64>,
    pub(super) failure_threshold: Option<i64>,
    pub(super) script: Option<Script>,
}

/// The script of a leaf that carries its own.
pub(super) enum Script {
    /// A letter a tick.
    Letters(String),
    /// An entry a launch.
    Entries(Vec<(Option<u32>, String)>),
}

impl<'de> Deserialize<'de> for Script {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Script, D::Error> {
        deserializer.deserialize_any(ScriptVisitor)
    }
}

struct ScriptVisitor;

impl<'de> Visitor<'de> for ScriptVisitor {
    type Value = Script;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a script, which is a text or a list")
    }

    fn visit_str<E: de::Error>(self, letters: &str) -> Result<Script, E> {
        Ok(Script::Letters(letters.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Script, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = list.next_element()? {
            entries.push(entry);
        }
        Ok(Script::Entries(entries))
    }
}
