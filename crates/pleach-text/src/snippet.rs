//! How an error looks in a terminal: message, place, the line with the span underlined, help.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, Severity, visible};
use crate::source::Source;

/// Columns of a line that a snippet shows before it clips.
const WIDTH: usize = 100;
/// Columns kept in front of the span when a line is clipped.
const LEAD: usize = 40;
const TAB: usize = 4;

/// A part of a diagnostic as it is shown, for who paints it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// `error[P0101]` and such.
    Severity(Severity),
    /// What is said about it.
    Message,
    /// What leads the eye: arrows, bars and numbers of lines.
    Margin,
    /// The name of a file, with line and column.
    Place,
    /// The marks below what it is about.
    Mark(Severity),
    /// The marks below what a note is about, and what it says.
    Note,
    /// The word `help`.
    Help,
}

/// Gives parts of a diagnostic a look: colours on a terminal, say. The library knows none.
pub trait Paint {
    /// The text as it is to be shown. It takes up the same columns.
    fn paint<'a>(&self, part: Part, text: &'a str) -> Cow<'a, str>;
}

/// Leaves everything as it is.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Paint for Plain {
    fn paint<'a>(&self, _: Part, text: &'a str) -> Cow<'a, str> {
        Cow::Borrowed(text)
    }
}

/// A diagnostic and its look.
pub(crate) struct Painted<'a> {
    pub(crate) diagnostic: &'a Diagnostic,
    pub(crate) paint: &'a dyn Paint,
}

impl fmt::Display for Painted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Painted { diagnostic, paint } = *self;
        let severity = diagnostic.severity();
        let head = format!("{severity}[{}]", diagnostic.code());
        let message = format!(": {}", visible(diagnostic.message()));
        f.write_str(&paint.paint(Part::Severity(severity), &head))?;
        f.write_str(&paint.paint(Part::Message, &message))?;
        let notes = diagnostic.notes();
        let lines = notes.iter().map(|note| note.position().line);
        let greatest = lines.chain([diagnostic.line()]).max().unwrap_or(1);
        let width = match diagnostic.span() {
            Some(_) => greatest.to_string().len(),
            None => 1,
        };
        let margin = " ".repeat(width);
        let arrow = |arrow: &str, place: &str, f: &mut fmt::Formatter<'_>| {
            let arrow = format!("{margin}{arrow}");
            let place = visible(place);
            write!(
                f,
                "\n{} {}",
                paint.paint(Part::Margin, &arrow),
                paint.paint(Part::Place, &place)
            )
        };
        match diagnostic.span() {
            None => arrow("-->", diagnostic.file(), f)?,
            Some(span) => {
                let source = diagnostic.source();
                arrow("-->", &place(source, span.start), f)?;
                let mark = Part::Mark(severity);
                self.lines_of(source, span, width, mark, f)?;
            }
        }
        for note in notes {
            arrow(":::", &place(note.source(), note.span().start), f)?;
            let message = visible(note.message());
            write!(f, ": {}", paint.paint(Part::Note, &message))?;
            self.lines_of(note.source(), note.span(), width, Part::Note, f)?;
        }
        match diagnostic.help() {
            Some(help) => {
                let indent = format!("\n{margin}         ");
                let lines: Vec<_> = help.split('\n').map(visible).collect();
                write!(
                    f,
                    "\n{} {}: {}",
                    paint.paint(Part::Margin, &format!("{margin} =")),
                    paint.paint(Part::Help, "help"),
                    lines.join(&indent)
                )
            }
            None => Ok(()),
        }
    }
}

impl Painted<'_> {
    /// The line of a span with its number, and the carets below.
    fn lines_of(
        &self,
        source: &Source,
        span: Range<usize>,
        width: usize,
        mark: Part,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let number = source.position(span.start).line;
        let (start, line) = source.line(span.start);
        let from = (span.start - start).min(line.len());
        let to = (span.end.max(span.start) - start).min(line.len()).max(from);
        let (shown, marks) = excerpt(line, from, to);
        let paint = self.paint;
        let empty = format!("{} |", " ".repeat(width));
        let numbered = format!("{number:>width$} |");
        write!(
            f,
            "\n{empty}\n{numbered} {shown}\n{empty} {marks}",
            empty = paint.paint(Part::Margin, &empty),
            numbered = paint.paint(Part::Margin, &numbered),
            marks = paint.paint(mark, &marks),
        )
    }
}

/// `guard.kdl:3:5`.
fn place(source: &Source, offset: usize) -> String {
    let position = source.position(offset);
    format!("{}:{}:{}", source.name(), position.line, position.column)
}

/// The part of a line that is shown, and the carets under its bytes `from..to`. Both count in
/// terminal columns.
fn excerpt(line: &str, from: usize, to: usize) -> (String, String) {
    // A clipped end needs no look at the rest of a very long line, but the columns in front do.
    let mut cells: Vec<(char, usize, bool)> = Vec::new();
    let mut first_marked = None;
    let mut column = 0;
    for (at, c) in line.char_indices() {
        let marked = (from..to.max(from + 1)).contains(&at);
        if marked && first_marked.is_none() {
            first_marked = Some(column);
        }
        if first_marked.is_some_and(|first| column > first + WIDTH) {
            break;
        }
        match c {
            '\t' => {
                let width = TAB - column % TAB;
                cells.extend(std::iter::repeat_n((' ', 1, marked), width));
                column += width;
            }
            c => {
                let c = if is_invisible(c) { '\u{fffd}' } else { c };
                cells.push((c, width_of(c), marked));
                column += width_of(c);
            }
        }
    }
    // A span at the end of the line: there is no character to mark, so a blank stands for it.
    if first_marked.is_none() {
        first_marked = Some(column);
        cells.push((' ', 1, true));
        column += 1;
    }
    let first = first_marked.unwrap_or(0);
    let skip = if column > WIDTH {
        first.saturating_sub(LEAD)
    } else {
        0
    };
    let (mut shown, mut marks) = (String::new(), String::new());
    if skip > 0 {
        shown.push('…');
        marks.push(' ');
    }
    let mut at = 0;
    for &(c, width, marked) in &cells {
        let column = at;
        at += width;
        if column < skip {
            continue;
        }
        if column + width > skip + WIDTH {
            shown.push('…');
            break;
        }
        shown.push(c);
        for _ in 0..width {
            marks.push(if marked { '^' } else { ' ' });
        }
    }
    shown.truncate(shown.trim_end().len());
    marks.truncate(marks.trim_end().len());
    (shown, marks)
}

/// Whether a terminal would obey or hide the character instead of showing it: controls, and the
/// marks that turn the direction of writing.
pub(crate) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Columns that a terminal gives a character: two for East Asian wide ones and pictures, none for
/// combining marks. Blocks, not a table a character: a caret that is off by one is no harm.
fn width_of(c: char) -> usize {
    match c {
        '\u{300}'..='\u{36f}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Code;
    use crate::source::Source;

    fn show(text: &str, part: &str) -> String {
        let start = text.find(part).unwrap();
        let source = Source::new("a.kdl", text);
        Diagnostic::new(
            &source,
            start..start + part.len(),
            Code::Grammar.says("wrong"),
        )
        .with_help("mend it")
        .to_string()
    }

    #[test]
    fn underlines_the_span() {
        let expected = "error[P0001]: wrong\n --> a.kdl:2:5\n  |\n2 | two bad three\n  |     ^^^\n  = help: mend it";
        assert_eq!(show("one\ntwo bad three\n", "bad"), expected);
    }

    #[test]
    fn another_place_is_shown_below_with_the_same_margin() {
        let first = Source::new("a.kdl", "one bad");
        let second = Source::new("b.kdl", &format!("{}two worse", "\n".repeat(9)));
        let shown = Diagnostic::new(&first, 4..7, Code::Grammar.says("wrong"))
            .with_note(&second, 13..18, "declared here")
            .with_help("mend it")
            .to_string();
        let expected = "error[P0001]: wrong\n  --> a.kdl:1:5\n   |\n 1 | one bad\n   |     ^^^\n  ::: b.kdl:10:5: declared here\n   |\n10 | two worse\n   |     ^^^^^\n   = help: mend it";
        assert_eq!(shown, expected);
    }

    #[test]
    fn tabs_and_wide_characters_keep_the_caret_in_place() {
        assert!(show("\tx bad", "bad").contains("1 |     x bad\n  |       ^^^\n"));
        assert!(show("守卫 bad", "bad").contains("1 | 守卫 bad\n  |      ^^^\n"));
        assert!(show("守卫 bad", "bad").contains("a.kdl:1:4"));
    }

    #[test]
    fn long_lines_are_clipped_on_both_sides() {
        let line = format!("{}bad{}", "x".repeat(5000), "y".repeat(5000));
        let shown = show(&line, "bad");
        let lines: Vec<&str> = shown.lines().collect();
        assert!(
            lines[3].starts_with("1 | …xxx") && lines[3].ends_with("yyy…"),
            "{shown}"
        );
        assert!(
            lines.iter().all(|line| line.chars().count() < 120),
            "{shown}"
        );
        let caret = lines[4].chars().position(|c| c == '^').unwrap();
        let bad: String = lines[3].chars().skip(caret).take(3).collect();
        assert_eq!(bad, "bad");
    }

    #[test]
    fn an_empty_span_at_the_end_still_has_a_caret() {
        let source = Source::new("a.kdl", "abc");
        let shown = Diagnostic::new(&source, 3..3, Code::Grammar.says("wrong")).to_string();
        assert!(shown.ends_with("1 | abc\n  |    ^"), "{shown}");
        let empty = Diagnostic::new(&Source::new("a.kdl", ""), 0..0, Code::Grammar.says("wrong"))
            .to_string();
        assert!(empty.ends_with("1 | \n  | ^"), "{empty}");
    }

    #[test]
    fn control_characters_reach_no_terminal() {
        let shown = show("a\u{1b}[31m \u{202e}bad", "bad");
        assert!(
            !shown.contains('\u{1b}') && !shown.contains('\u{202e}'),
            "{shown:?}"
        );
    }
}
