//! Everything that was found in a text.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use super::{Diagnostic, Severity};
use crate::snippet::{Paint, Plain};

/// How many errors a [`Diagnostics`] keeps; it only counts the rest. A hostile file has millions.
pub const MAX_KEPT: usize = 1000;

/// How many errors a [`Diagnostics`] prints before it says how many more there are: the worst ones.
pub const MAX_PRINTED: usize = 20;

/// All errors and warnings of a text, in the order in which they stand there.
///
/// Collect with [`push`](Diagnostics::push), then [`finish`](Diagnostics::finish).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// What is in the list, to see at once that an error is there already.
    known: HashSet<Key>,
    /// How many of each severity are not in the list.
    omitted: [usize; 3],
    /// Whether there are errors that nobody described, so that they may be those in the list.
    unseen: bool,
}

/// File, place and message: what makes two errors the same for who reads them.
type Key = (String, Option<Range<usize>>, String);

fn key(diagnostic: &Diagnostic) -> Key {
    let file = diagnostic.file().to_owned();
    (file, diagnostic.span(), diagnostic.message().to_owned())
}

impl Diagnostics {
    /// None yet.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds an error, unless one with the same place and message is there already: a mistake in a
    /// subtree is found wherever it is used. Beyond [`MAX_KEPT`] errors are only counted.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let key = key(&diagnostic);
        if self.known.contains(&key) {
            return;
        }
        if self.list.len() >= MAX_KEPT {
            // What is worse takes the place of what is not.
            let worse = |one: &Diagnostic| one.severity() > diagnostic.severity();
            let Some(at) = self.list.iter().rposition(worse) else {
                self.omitted[diagnostic.severity() as usize] += 1;
                return;
            };
            let other = self.list.remove(at);
            self.omitted[other.severity() as usize] += 1;
        }
        self.known.insert(key);
        self.list.push(diagnostic);
    }

    /// Notes that there are errors that nobody described. They are not counted: those of a subtree come
    /// with each of its uses.
    pub(crate) fn omit(&mut self) {
        self.unseen = true;
    }

    /// Adds all errors of another collection.
    pub fn append(&mut self, other: Diagnostics) {
        for (own, more) in self.omitted.iter_mut().zip(other.omitted) {
            *own += more;
        }
        self.unseen |= other.unseen;
        for diagnostic in other.list {
            self.push(diagnostic);
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are, those beyond [`MAX_KEPT`] included; not those that a compiler that found very
    /// many did not describe.
    pub fn len(&self) -> usize {
        self.list.len() + self.omitted.iter().sum::<usize>()
    }

    /// How many of that severity there are, counted as in [`len`](Diagnostics::len).
    pub fn count(&self, severity: Severity) -> usize {
        let kept = self.list.iter().filter(|one| one.severity() == severity);
        kept.count() + self.omitted[severity as usize]
    }

    /// The errors and warnings, at most [`MAX_KEPT`].
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// The value if there are no errors, else the errors: file by file in the order in which they
    /// came, within a file by place. Warnings count as errors do.
    ///
    /// # Errors
    /// Itself, unless empty.
    pub fn finish<T>(mut self, value: T) -> Result<T, Diagnostics> {
        if self.is_empty() {
            return Ok(value);
        }
        self.sort();
        Err(self)
    }

    /// Puts them in order: file by file in the order in which they came, within a file by place.
    pub fn sort(&mut self) {
        let mut files: HashMap<String, usize> = HashMap::new();
        for diagnostic in &self.list {
            let next = files.len();
            if !files.contains_key(diagnostic.file()) {
                files.insert(diagnostic.file().to_owned(), next);
            }
        }
        self.list.sort_by_key(|diagnostic| {
            let start = diagnostic.span().map_or(0, |span| span.start);
            (files.get(diagnostic.file()).copied(), start)
        });
    }

    /// The same text as `Display`, its parts painted: in colours, say.
    pub fn painted<'a>(&'a self, paint: &'a dyn Paint) -> impl fmt::Display + 'a {
        Painted { all: self, paint }
    }

    /// "2 errors and 1 warning": how many there are of what; nothing where there are none.
    pub fn tally(&self) -> String {
        let parts = Severity::ALL.map(|severity| match self.count(severity) {
            0 => String::new(),
            1 => format!("1 {severity}"),
            count => format!("{count} {severity}s"),
        });
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        match parts.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Diagnostics {
        let mut found = Diagnostics::new();
        found.push(diagnostic);
        found
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

struct Painted<'a> {
    all: &'a Diagnostics,
    paint: &'a dyn Paint,
}

impl fmt::Display for Painted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.all;
        // A warning must not vanish behind notes.
        let mut left = MAX_PRINTED;
        let room = Severity::ALL.map(|severity| {
            let kept = all.list.iter().filter(|one| one.severity() == severity);
            let shown = kept.count().min(left);
            left -= shown;
            shown
        });
        let mut printed = [0; Severity::ALL.len()];
        let shown = all.list.iter().filter(|one| {
            let severity = one.severity() as usize;
            printed[severity] += 1;
            printed[severity] <= room[severity]
        });
        for (index, diagnostic) in shown.enumerate() {
            if index > 0 {
                f.write_str("\n\n")?;
            }
            write!(f, "{}", diagnostic.painted(self.paint))?;
        }
        let shown = all.list.len().min(MAX_PRINTED);
        match all.len() - shown {
            0 if all.len() < 2 && !all.unseen => return Ok(()),
            0 => write!(f, "\n\n{}", all.tally())?,
            more => write!(f, "\n\n{}, {more} of them not shown", all.tally())?,
        }
        match all.unseen {
            true => f.write_str("; mend them and check again: there were too many to look at all"),
            false => Ok(()),
        }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.painted(&Plain))
    }
}

impl std::error::Error for Diagnostics {}
