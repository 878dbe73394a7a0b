//! Colours, on terminals that want them.

use std::borrow::Cow;
use std::io::{IsTerminal, stderr, stdout};

use pleach_sim::colony::{Doing, Stage, Thing};
use pleach_text::{Paint, Part, Severity};

/// How to emphasise texts: in colours or not at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Style {
    colours: bool,
}

/// Whether the terminal only knows lines.
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|value| value == "dumb")
}

impl Style {
    /// No colours.
    pub(crate) const PLAIN: Style = Style { colours: false };

    /// Colours, wherever the output goes.
    #[cfg(test)]
    pub(crate) const COLOURED: Style = Style { colours: true };

    /// Colours if the output is a terminal, `NO_COLOR` is not set and the terminal is not dumb.
    pub(crate) fn of_stdout() -> Style {
        Style::of(stdout().is_terminal())
    }

    /// The same for the error output.
    pub(crate) fn of_stderr() -> Style {
        Style::of(stderr().is_terminal())
    }

    fn of(terminal: bool) -> Style {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Style {
            colours: terminal && !unwanted && !is_dumb(),
        }
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colours && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// A heading.
    pub(crate) fn strong(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// What is not looked at first.
    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    /// A keyword of the tree language.
    pub(crate) fn keyword(self, text: &str) -> String {
        self.paint("36", text)
    }

    /// A name that somebody gave.
    pub(crate) fn name(self, text: &str) -> String {
        self.paint("33", text)
    }

    /// A bar.
    pub(crate) fn bar(self, text: &str) -> String {
        self.paint("32", text)
    }

    /// What somebody should look into.
    pub(crate) fn warning(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// That something is wrong.
    pub(crate) fn error(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// That all is well.
    pub(crate) fn good(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// Something on the map of the colony.
    pub(crate) fn thing(self, thing: Thing, text: &str) -> String {
        let code = match thing {
            Thing::Dwarf(Doing::Idle) => "2",
            Thing::Dwarf(Doing::Harvesting) => "1;33",
            Thing::Dwarf(Doing::Working) => "1;36",
            Thing::Plant(Stage::Sprout | Stage::Seedling | Stage::Sapling) => "32",
            Thing::Plant(Stage::Grown) => "1;32",
            Thing::FreeWorkshop => "35",
            Thing::BusyWorkshop => "1;35",
        };
        self.paint(code, text)
    }
}

impl Paint for Style {
    fn paint<'a>(&self, part: Part, text: &'a str) -> Cow<'a, str> {
        let code = match part {
            Part::Severity(Severity::Error) | Part::Mark(Severity::Error) => "1;31",
            Part::Severity(Severity::Warning) | Part::Mark(Severity::Warning) => "1;33",
            Part::Severity(Severity::Note) | Part::Mark(Severity::Note) => "1;36",
            Part::Message => "1",
            Part::Margin => "34",
            Part::Note => "36",
            Part::Help => "32",
            Part::Place => return Cow::Borrowed(text),
        };
        Cow::Owned(Style::paint(*self, code, text))
    }
}
