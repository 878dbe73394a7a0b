//! What is told of keys: where it is only guessed what they are, or likely not what was meant.

use super::Names;
use crate::btcpp::fact::{Entry, Fact, Number};
use crate::btcpp::note::Notes;
use crate::btcpp::slip;
use crate::diagnostic::{Code, Diagnostic, quoted};

/// How many names a note shows.
const SHOWN: usize = 8;

impl Names<'_> {
    /// Tells of all keys.
    pub(in crate::btcpp) fn tell(&self, notes: &mut Notes) {
        self.renamed(notes);
        self.guessed(notes);
        for (root, entry, fact) in self.classes() {
            if let Entry::Labels(_) = entry {
                unset(&self.keys[root].1, fact, notes);
            }
        }
    }

    /// The classes by their first keys, what they are and what is known of them, in order.
    fn classes(&self) -> impl Iterator<Item = (usize, &Entry, &Fact)> {
        let facts = self.facts.iter().enumerate();
        facts.filter_map(|(root, fact)| Some((root, self.resolved.get(&root)?, fact)))
    }

    /// A text that is another one as a label and reaches a port of the host.
    fn renamed(&self, notes: &mut Notes) {
        let first = self.classes().find_map(|(_, entry, fact)| {
            let Entry::Labels(labels) = entry else {
                return None;
            };
            let place = fact.text_place.as_ref().filter(|_| fact.ported)?;
            let (text, label) = labels.iter().find(|(text, label)| text != label)?;
            Some((place, text, label))
        });
        let Some(((source, span), text, label)) = first else {
            return;
        };
        let message = format!(
            "texts of scripts become labels of an enumeration, which are names: {} is {}",
            quoted(text),
            quoted(label)
        );
        let help = "the host gets the label where a port names the entry";
        let note =
            Diagnostic::new(source, span.clone(), Code::OtherLabel.says(message)).with_help(help);
        notes.push(note);
    }

    /// The entries whose type nothing says.
    fn guessed(&self, notes: &mut Notes) {
        let mut guesses: Vec<_> = self
            .classes()
            .filter_map(|(_, entry, fact)| {
                let Entry::Number(number) = entry else {
                    return None;
                };
                let (name, place) = fact.read_place.as_ref().filter(|_| fact.is_guess())?;
                Some((name, number, place))
            })
            .collect();
        guesses.sort_by_key(|(_, _, (_, span))| span.start);
        let Some((_, _, (source, span))) = guesses.first() else {
            return;
        };
        let shown: Vec<String> = guesses
            .iter()
            .take(SHOWN)
            .map(|(name, number, _)| format!("{} as `{}`", quoted(name), name_of(**number)))
            .collect();
        let more = match guesses.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!(
            "the type of an entry is guessed from how scripts read it: {}{more}",
            shown.join(", ")
        );
        let mut note = Diagnostic::new(source, span.clone(), Code::GuessedType.says(message));
        for (name, number, (source, span)) in guesses.iter().take(SHOWN).skip(1) {
            let here = format!("{} is guessed to be `{}`", quoted(name), name_of(**number));
            note = note.with_note(source, span.clone(), here);
        }
        let help = "say it with the `type` of a port in `TreeNodesModel`, or with a value that a script \
                    writes (`x := 0`, `0.0`, `false`); or convert the file to KDL and change its `blackboard`";
        notes.tell(note.with_help(help));
    }
}

/// Tells of texts that are looked for in an entry, and never set.
fn unset(key: &str, fact: &Fact, notes: &mut Notes) {
    for (text, (source, span)) in fact.unset() {
        let (key, asked) = (quoted(key), quoted(text));
        let message = format!("nothing in these files sets {key} to {asked}");
        let written = || fact.written.iter().map(String::as_str);
        if let Some(meant) = notes.slip(|| slip::text(text, written())) {
            notes.tell(slip::warning(source, span.clone(), message, meant, ""));
            continue;
        }
        let mut set: Vec<&str> = Vec::new();
        for text in written() {
            if !set.contains(&text) && set.len() < SHOWN {
                set.push(text);
            }
        }
        let set: Vec<String> = set.into_iter().map(quoted).collect();
        let help = format!("it is set to {}; the host may set it, too", set.join(", "));
        let note = Diagnostic::new(source, span.clone(), Code::UnsetText.says(message));
        notes.tell(note.with_help(help));
    }
}

/// A type of numbers, as a blackboard in KDL has it.
fn name_of(number: Number) -> &'static str {
    match number {
        Number::Bool => "bool",
        Number::Int => "i32",
        Number::Float => "f32",
    }
}
