//! Reading values, ranges and motions.

use pleach_text::kdl::{KdlEntry, KdlNode};
use pleach_text::{bytes, read_value};
use pleach_vm::{Value, ValueType};

use crate::chance::Chance;
use crate::motion::{Flips, MAX_STEP, Number, Walk};
use crate::reader::Reader;

/// The longest that an action may be said to last, in ticks.
const MAX_DURATION: u32 = 1_000_000;

/// Reading the steps of a type of numbers.
pub(crate) trait Steps: Number {
    /// A step, negative or not.
    fn read_step(reader: &mut Reader<'_>, entry: &KdlEntry) -> Option<Self::Step>;
}

macro_rules! whole_steps {
    ($($ty:ty),*) => {$(
        impl Steps for $ty {
            fn read_step(reader: &mut Reader<'_>, entry: &KdlEntry) -> Option<i64> {
                reader.whole(entry, -MAX_STEP..=MAX_STEP)
            }
        }
    )*};
}
whole_steps!(u8, u16, i32, u64);

impl Steps for f32 {
    fn read_step(reader: &mut Reader<'_>, entry: &KdlEntry) -> Option<f32> {
        reader.value(entry, ValueType::F32).map(f32::of)
    }
}

impl Reader<'_> {
    pub(crate) fn value(&mut self, entry: &KdlEntry, ty: ValueType) -> Option<Value> {
        read_value(self.source, entry, ty)
            .map_err(|error| self.found.push(error))
            .ok()
    }

    /// One value, or the two ends of a range.
    pub(crate) fn range<T: Number>(&mut self, entries: &[&KdlEntry]) -> Option<(T, T)> {
        let low = T::of(self.value(entries.first()?, T::TYPE)?);
        let Some(second) = entries.get(1) else {
            return Some((low, low));
        };
        let high = T::of(self.value(second, T::TYPE)?);
        if low > high {
            let help = format!("write `{high} {low}`");
            self.wrong(
                bytes(*second),
                format!("the range ends at {high}, before it begins at {low}"),
                Some(help),
            );
            return None;
        }
        Some((low, high))
    }

    /// Complains if a range leaves the bounds.
    pub(crate) fn within<T: Number>(
        &mut self,
        entries: &[&KdlEntry],
        range: (T, T),
        bounds: (T, T),
    ) -> Option<()> {
        let (low, high) = bounds;
        let outside = |value: T| value < low || value > high;
        let culprit = if outside(range.0) {
            entries.first()?
        } else {
            entries.last()?
        };
        if outside(range.0) || outside(range.1) {
            let message = "this is outside the column's bounds";
            self.wrong(
                bytes(*culprit),
                message,
                Some(format!("the bounds are {low} to {high}")),
            );
            return None;
        }
        Some(())
    }

    /// Ticks that an action lasts: `Some(None)` for ever.
    pub(crate) fn lasts(&mut self, node: &KdlNode) -> Option<Option<(u32, u32)>> {
        let example = "lasts 10 20";
        self.no_children(node);
        let entries = self.arguments(node, 1..=2, example, &[])?;
        if let [only] = entries.as_slice()
            && only.value().as_string() == Some("forever")
        {
            return Some(None);
        }
        let least = self.whole(entries[0], 1..=MAX_DURATION)?;
        let most = match entries.get(1) {
            Some(entry) => self.whole(entry, 1..=MAX_DURATION)?,
            None => least,
        };
        if least > most {
            let help = format!("write `lasts {most} {least}`");
            self.wrong(
                bytes(entries[1]),
                format!("at most {most} ticks is less than at least {least}"),
                Some(help),
            );
            return None;
        }
        Some(Some((least, most)))
    }

    pub(crate) fn flips(&mut self, node: &KdlNode, mut flips: Flips) -> Flips {
        for field in self.fields(node, &["start", "flips"]) {
            match field.name().value() {
                "start" => {
                    let Some(entry) = self.argument(field, "start #true` or `start 0.3") else {
                        continue;
                    };
                    let start = match entry.value().as_bool() {
                        Some(true) => Some(Chance::ALWAYS),
                        Some(false) => Some(Chance::NEVER),
                        None => self.chance(entry),
                    };
                    flips.start = start.unwrap_or(flips.start);
                }
                _ => {
                    self.no_children(field);
                    let example = "flips 0.1` or `flips on=0.1 off=0.2";
                    let Some(both) = self.arguments(field, 0..=1, example, &["on", "off"]) else {
                        continue;
                    };
                    let [on, off] = ["on", "off"].map(|name| self.property(field, name));
                    if both.is_empty() == (on.is_none() && off.is_none()) {
                        let message = "`flips` takes one chance for both ways, or one for each";
                        self.wrong(bytes(field), message, Some(format!("write `{example}`")));
                        continue;
                    }
                    let both = both.first().and_then(|entry| self.chance(entry));
                    let on = on.and_then(|entry| self.chance(entry)).or(both);
                    let off = off.and_then(|entry| self.chance(entry)).or(both);
                    flips.on = on.unwrap_or(flips.on);
                    flips.off = off.unwrap_or(flips.off);
                }
            }
        }
        flips
    }

    pub(crate) fn walk<T: Steps>(&mut self, node: &KdlNode, mut walk: Walk<T>) -> Option<Walk<T>> {
        let mut starts = None;
        for field in self.fields(node, &["start", "drift", "walk", "bounds", "redraw"]) {
            self.no_children(field);
            let (allowed, example) = match field.name().value() {
                "start" => (1..=2, "start 0 10"),
                "bounds" => (2..=2, "bounds 0 100"),
                "drift" => (1..=1, "drift 1"),
                "walk" => (1..=1, "walk 2"),
                _ => (1..=1, "redraw 0.01"),
            };
            let Some(entries) = self.arguments(field, allowed, example, &[]) else {
                continue;
            };
            match field.name().value() {
                "start" => {
                    walk.start = self.range(&entries).unwrap_or(walk.start);
                    starts = Some(entries);
                }
                "bounds" => walk.bounds = self.range(&entries).unwrap_or(walk.bounds),
                "drift" => walk.drift = T::read_step(self, entries[0]).unwrap_or(walk.drift),
                "redraw" => walk.redraw = self.chance(entries[0]).unwrap_or(walk.redraw),
                _ => {
                    let step = T::read_step(self, entries[0])?;
                    if step < T::Step::default() {
                        let help =
                            "it is how far a tick moves the value at most, either way".to_owned();
                        self.wrong(bytes(entries[0]), "a walk is not negative", Some(help));
                    } else {
                        walk.walk = step;
                    }
                }
            }
        }
        match starts {
            Some(entries) => self.within(&entries, walk.start, walk.bounds)?,
            None if walk.start.0 < walk.bounds.0 || walk.start.1 > walk.bounds.1 => {
                let message = format!(
                    "it starts at the tree's default {}, outside its bounds",
                    walk.start.0
                );
                self.wrong(
                    bytes(node),
                    message,
                    Some("add a `start` within the bounds".into()),
                );
                return None;
            }
            None => {}
        }
        Some(walk)
    }
}
