//! A score: rows with a cell for each tick, as a case file writes them, and the marks in their cells.

use std::fmt;

use pleach_shape::Status;

/// What a mark says of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sign {
    /// `-`: halted. Of a request: Cancel.
    Halted,
    /// `+`: visited, and not running before. Of a request: Launch.
    Fresh,
    /// `.`: visited, and running before. Of a request: Continue.
    Resumed,
}

/// A sign, and the depth-first index of the node that it is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mark {
    /// The node.
    pub node: u32,
    /// What happened to it.
    pub sign: Sign,
}

impl Mark {
    /// A mark.
    pub const fn new(sign: Sign, node: u32) -> Mark {
        Mark { node, sign }
    }
}

/// Marks as a cell shows them, with the names of the nodes.
pub struct Shown<'a> {
    /// What happened.
    pub marks: &'a [Mark],
    /// By node, its name in the rows.
    pub names: &'a [Option<String>],
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.marks.is_empty() {
            return f.write_str("-");
        }
        for (position, mark) in self.marks.iter().enumerate() {
            if position > 0 {
                f.write_str(",")?;
            }
            f.write_str(match mark.sign {
                Sign::Halted => "-",
                Sign::Fresh => "+",
                Sign::Resumed => ".",
            })?;
            match self.names.get(mark.node as usize) {
                Some(Some(name)) => f.write_str(name)?,
                _ => write!(f, "#{}", mark.node)?,
            }
        }
        Ok(())
    }
}

/// The cells of a row: as many as there are ticks. A star behind the last one repeats it to the end.
///
/// # Errors
/// If there are more or fewer.
pub fn cells<'t>(row: &str, text: &'t str, ticks: usize) -> Result<Vec<&'t str>, String> {
    let mut cells: Vec<&str> = text.split_whitespace().collect();
    let found = cells.len();
    if let Some(last) = cells.last_mut()
        && let Some(repeated) = last.strip_suffix('*')
    {
        *last = repeated;
        if found < ticks {
            let repeated = *last;
            cells.resize(ticks, repeated);
        }
    }
    if cells.len() != ticks {
        return Err(format!(
            "row `{row}` has {found} cells, but there are {ticks} ticks"
        ));
    }
    Ok(cells)
}

/// `S`, `F` or `R`.
pub fn status(cell: &str) -> Option<Status> {
    Status::ALL
        .into_iter()
        .find(|status| cell == status.letter().to_string())
}

/// The marks of a cell: `-` for none, else `+a,.b,-c`.
///
/// # Errors
/// If a mark has no sign, or names nothing in `names`.
pub fn marks(cell: &str, names: &[Option<String>]) -> Result<Vec<Mark>, String> {
    if cell == "-" {
        return Ok(Vec::new());
    }
    let mut marks = Vec::new();
    for text in cell.split(',') {
        let sign = match text.chars().next() {
            Some('+') => Sign::Fresh,
            Some('.') => Sign::Resumed,
            Some('-') => Sign::Halted,
            _ => return Err(format!("`{text}` begins with none of `+`, `.` and `-`")),
        };
        let name = &text[1..];
        let Some(node) = names
            .iter()
            .position(|known| known.as_deref() == Some(name))
        else {
            return Err(format!(
                "`{text}` is about `{name}`, which the tree does not have"
            ));
        };
        marks.push(Mark::new(sign, node as u32));
    }
    Ok(marks)
}
