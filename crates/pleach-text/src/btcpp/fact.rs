//! What is known of a class of keys, and what follows from that: which kind of entry it is.

use std::collections::HashSet;
use std::ops::Range;

use crate::source::Source;

/// The most labels of an enumeration: its values are bytes.
const MAX_LABELS: usize = 256;

/// The label of whatever else an entry of the host may hold.
const OTHER: &str = "other";

/// The types of numbers, each of which holds those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Number {
    Bool,
    Int,
    Float,
}

/// What the entries of a class are.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Entry {
    /// A column of numbers.
    Number(Number),
    /// A column of an enumeration: texts, by label.
    Labels(Vec<(String, String)>),
    /// A constant that each use of the tree gives.
    Constant(Number),
    /// A constant time, given in milliseconds and read in seconds.
    Time,
    /// A text that names the entry to the host, or a constant text.
    Key,
}

/// What is known of a class.
#[derive(Clone, Default)]
pub(super) struct Fact {
    /// The type of values that it surely holds.
    pub(super) number: Option<Number>,
    /// The type that models of ports name.
    pub(super) model: Option<Number>,
    /// The type of texts in ports that read as numbers.
    pub(super) soft: Option<Number>,
    /// A guess, for where nothing else is known.
    pub(super) weak: Option<Number>,
    /// Whether it is computed with.
    pub(super) counted: bool,
    pub(super) labels: Vec<String>,
    pub(super) seen: HashSet<String>,
    /// Texts in ports and of SetBlackboard, which are no labels unless scripts compare them.
    pub(super) texts: Vec<String>,
    /// Whether a script reads or writes it.
    pub(super) scripted: bool,
    /// Whether a SetBlackboard writes it.
    pub(super) set: bool,
    /// Whether it is what a Switch looks at.
    pub(super) switched: bool,
    /// Whether a use of a subtree gives it a constant, or leaves it out.
    pub(super) given: bool,
    pub(super) missed: bool,
    /// Whether it is an entry of a using tree, too.
    pub(super) passed: bool,
    /// Whether it is the time of a node, and whether it is anything else.
    pub(super) timed: bool,
    pub(super) ported: bool,
    /// What its tree declares that it is.
    pub(super) forced: Option<Entry>,
    /// Where it is a text, and where a number.
    pub(super) text_place: Option<(Source, Range<usize>)>,
    pub(super) number_place: Option<(Source, Range<usize>)>,
    /// Where a script reads it first, and what it is called there.
    pub(super) read_place: Option<(String, (Source, Range<usize>))>,
    /// Whether a leaf of the host may write it.
    pub(super) hosted: bool,
    /// The texts that are written to it, and those that it is compared with, with their places.
    pub(super) written: Vec<String>,
    pub(super) asked: Vec<(String, (Source, Range<usize>))>,
}

impl Fact {
    pub(super) fn label(&mut self, text: &str) {
        if self.seen.insert(text.to_owned()) {
            self.labels.push(text.to_owned());
        }
    }

    /// Takes over what is known of another class, which is the same.
    pub(super) fn absorb(&mut self, other: Fact) {
        self.number = self.number.max(other.number);
        self.model = self.model.max(other.model);
        self.soft = self.soft.max(other.soft);
        self.weak = self.weak.max(other.weak);
        self.counted |= other.counted;
        self.scripted |= other.scripted;
        self.set |= other.set;
        self.switched |= other.switched;
        self.given |= other.given;
        self.missed |= other.missed;
        self.passed |= other.passed;
        self.forced = self.forced.take().or(other.forced);
        self.timed |= other.timed;
        self.ported |= other.ported;
        self.text_place = self.text_place.take().or(other.text_place);
        self.number_place = self.number_place.take().or(other.number_place);
        self.read_place = self.read_place.take().or(other.read_place);
        self.hosted |= other.hosted;
        self.written.extend(other.written);
        self.asked.extend(other.asked);
        for label in other.labels {
            self.label(&label);
        }
        self.texts.extend(other.texts);
    }

    /// The type of its numbers, if it holds some.
    pub(super) fn likely(&self) -> Option<Number> {
        let known = self
            .number
            .max(self.model)
            .max(match self.labels.is_empty() {
                true => self.soft,
                false => None,
            });
        match (known, self.counted) {
            (Some(Number::Bool), true) => Some(Number::Int),
            (None, true) => Some(self.weak.max(Some(Number::Float)).unwrap_or(Number::Float)),
            (None, false) => self.weak,
            (known, _) => known,
        }
    }

    /// Whether the type of its numbers is a guess: nothing but tests and sums says that it holds some.
    pub(super) fn is_guess(&self) -> bool {
        self.forced.is_none() && self.number.max(self.model).max(self.soft).is_none()
    }

    /// The texts that it is compared with and that nothing writes to it, each once, with their places;
    /// none where the host may write it, or does all.
    pub(super) fn unset(&self) -> Vec<&(String, (Source, Range<usize>))> {
        if self.hosted || self.written.is_empty() || self.forced.is_some() {
            return Vec::new();
        }
        let mut known: HashSet<&str> = self.written.iter().map(String::as_str).collect();
        let asked = self.asked.iter();
        asked.filter(|(text, _)| known.insert(text)).collect()
    }

    pub(super) fn entry(&self) -> Result<Entry, String> {
        // A text between numbers makes all of them texts.
        let words = self.texts.iter().any(|text| number(text).is_none());
        if self.scripted || self.switched {
            if self.labels.is_empty() && !words {
                // Whatever is only copied is most likely of an enumeration that C++ registers.
                return Ok(Entry::Number(self.likely().unwrap_or(Number::Int)));
            }
            if self.number.is_some() || self.counted {
                return Err("is a text here, and computed as a number elsewhere".to_owned());
            }
            return self.enumeration();
        }
        if words {
            // What no script looks at can stay as it is, for the host.
            let plain = self.texts.iter().all(|text| is_label(text));
            return match self.set && !self.given && plain {
                true => self.enumeration(),
                false => Ok(Entry::Key),
            };
        }
        match self.model.max(self.soft) {
            Some(number) if self.set => Ok(Entry::Number(number)),
            Some(number) if self.given && !self.passed && !self.missed => {
                Ok(match self.timed && !self.ported {
                    true => Entry::Time,
                    false => Entry::Constant(number),
                })
            }
            Some(number) if self.model.is_some() && (!self.given || self.passed) => {
                Ok(Entry::Number(number))
            }
            // A tree that nothing uses yet waits for its times.
            None if self.timed && !self.ported && !self.passed && !self.missed => Ok(Entry::Time),
            _ => Ok(Entry::Key),
        }
    }

    /// The texts of labels that are declared: of each, the one that scripts have for it.
    pub(super) fn retext(&self, labels: &mut [(String, String)]) {
        for (text, label) in labels {
            let mut all = self.labels.iter().chain(&self.texts);
            if let Some(said) = all.find(|said| *said != label && label_of(said) == *label) {
                text.clone_from(said);
            }
        }
    }

    fn enumeration(&self) -> Result<Entry, String> {
        let mut labels: Vec<(String, String)> = Vec::new();
        let mut texts = HashSet::new();
        let mut names = HashSet::new();
        // What is compared, and may be written by the host alone, can hold more than is asked for.
        if !self.asked.is_empty() && (self.hosted || self.written.is_empty()) {
            let known = |name: &String| {
                self.labels
                    .iter()
                    .chain(&self.texts)
                    .any(|text| text == name)
            };
            let tried = (1..).map(|number| match number {
                1 => OTHER.to_owned(),
                number => format!("{OTHER}_{number}"),
            });
            if let Some(other) = tried.take(MAX_LABELS + 1).find(|name| !known(name)) {
                names.insert(other.clone());
                labels.push((other.clone(), other));
            }
        }
        for text in self.labels.iter().chain(&self.texts) {
            if !texts.insert(text.as_str()) {
                continue;
            }
            if labels.len() == MAX_LABELS {
                return Err(format!(
                    "has more than {MAX_LABELS} texts, and an enumeration is a byte"
                ));
            }
            let wanted = label_of(text);
            let mut name = wanted.clone();
            let mut number = 2;
            while !names.insert(name.clone()) {
                name = format!("{wanted}_{number}");
                number += 1;
            }
            labels.push((text.clone(), name));
        }
        Ok(Entry::Labels(labels))
    }
}

/// The type of a text that is a number or truth value.
pub(super) fn number(text: &str) -> Option<Number> {
    let text = text.trim();
    if matches!(text, "true" | "false") {
        return Some(Number::Bool);
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let begins = digits.starts_with(|c: char| c.is_ascii_digit());
    // A number as no program writes one is a name, such as 007.
    let padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    let plain = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-' | b'+'));
    if !begins || padded || !plain {
        return None;
    }
    if text.parse::<i32>().is_ok() {
        return Some(Number::Int);
    }
    let float = text.parse::<f32>().ok().filter(|value| value.is_finite());
    // An integer that needs more digits than a float has is an identity, not a measure.
    float
        .filter(|_| text.contains(['.', 'e', 'E']))
        .map(|_| Number::Float)
}

pub(super) fn is_label(text: &str) -> bool {
    pleach_tree::is_identifier(text) && !text.contains('.')
}

/// Which label a text is. Labels that a tree declares are names, and scripts may have texts for them.
pub(super) fn place_of_text(labels: &[(String, String)], text: &str) -> Option<usize> {
    let known = labels.iter().position(|(known, _)| known == text);
    let label = |wanted: &str| labels.iter().position(|(_, label)| label == wanted);
    known
        .or_else(|| label(text))
        .or_else(|| label(&label_of(text)))
}

/// A text as a label.
pub(super) fn label_of(text: &str) -> String {
    identifier(text).replace('.', "_")
}

/// A text as a name: characters that names have not are `_`.
pub(super) fn identifier(text: &str) -> String {
    let mut name: String = text
        .chars()
        .map(|c| match c {
            c if c.is_ascii_alphanumeric() || matches!(c, '_' | '.') => c,
            _ => '_',
        })
        .collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name.insert(0, '_');
    }
    if pleach_tree::is_expression_word(&name) {
        name.push('_');
    }
    name.truncate(200);
    name
}
