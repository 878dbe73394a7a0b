//! Both token streams, side by side.

mod margin;

use std::io::{self, Write};

use pleach_shape::{
    Disassembly, GuardedIndex, Lead, Op, Role, Shape, Status, Token, TokenFlags, TokenIndex,
};
use pleach_text::visible;
use pleach_tree::Tree;

use crate::outline::{Line, outline};
use crate::style::Style;
use margin::Margin;

/// Columns of a listing that goes to no terminal.
const WIDTH: usize = 120;
/// Fewer are not enough for anything.
const LEAST_WIDTH: usize = 80;
/// The most columns, however wide a terminal is: farther apart nobody sees what belongs together.
const MOST_WIDTH: usize = 160;
/// The least columns of a node.
const LEAST_NODE: usize = 24;
/// The most columns by which a deep node is moved to the right.
const MOST_INDENT: usize = 24;

/// Lists both streams of a compiled tree, a token of the guarded one in each line, with the token of the
/// plain one beside it where it stands for a node. `shape` is what `tree` is compiled to.
///
/// # Errors
/// Those of the output.
pub(crate) fn list(
    tree: &Tree,
    shape: &Shape,
    style: Style,
    out: &mut impl Write,
) -> io::Result<()> {
    let listing = Disassembly::new(shape);
    let mut margin = Margin::new(shape, &listing);
    let guarded = shape.guarded();
    let number = guarded.len().to_string().len().max(3);
    let columns = Columns::new(tree, shape, &listing, number, margin.columns());
    columns.head(shape, style, out)?;
    let mut nodes = outline(tree);
    for (row, token) in guarded.iter().enumerate() {
        let guard = token.op().is_some_and(|op| op.role() == Role::Guard);
        // What a node becomes beside its first token has no line of its own in the tree.
        let part = !guard && shape.is_part(TokenIndex(token.link));
        let line = if guard || part { None } else { nodes.next() };
        let (mut plain, mut end) = (String::new(), String::new());
        if !guard {
            plain = token.link.to_string();
            let node = shape.plain().get(token.link as usize);
            if let Some(node) = node.filter(|node| node.op().is_some_and(Op::is_parent)) {
                end = format!("..{}", node.end);
            }
        }
        let node = line.map_or_else(
            || " ".repeat(columns.node),
            |line| columns.node(&line, style),
        );
        let mark = margin.row(shape, &listing, row);
        let token = match guard {
            true => leads(
                token,
                listing.leads(GuardedIndex::from(row)),
                guarded.len(),
                style,
            ),
            false => style.keyword(token.op().map_or("?", Op::keyword)),
        };
        let line = format!(
            "{} {node} {} {} {} {}{token}",
            style.dim(&format!("{plain:>number$}")),
            style.dim(&format!("{end:<width$}", width = number + 2)),
            style.dim("│"),
            style.dim(&format!("{row:>number$}")),
            style.bar(&mark),
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    let mark = margin.row(shape, &listing, guarded.len());
    if !mark.trim().is_empty() {
        let blank = " ".repeat(number + 1 + columns.node + 1 + number + 2 + 1);
        let line = format!(
            "{blank}{} {} {}{}",
            style.dim("│"),
            " ".repeat(number),
            style.bar(&mark),
            style.dim("end")
        );
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// How wide everything is.
struct Columns {
    number: usize,
    node: usize,
    margin: usize,
}

impl Columns {
    fn new(
        tree: &Tree,
        shape: &Shape,
        listing: &Disassembly<'_>,
        number: usize,
        margin: usize,
    ) -> Columns {
        let plain = Style::PLAIN;
        let guarded = shape.guarded();
        let right = guarded.iter().enumerate().map(|(row, token)| {
            let text = match token.op() {
                Some(op) if op.role() != Role::Guard => op.keyword().to_owned(),
                _ => leads(
                    token,
                    listing.leads(GuardedIndex::from(row)),
                    guarded.len(),
                    plain,
                ),
            };
            text.chars().count()
        });
        let right = right.max().unwrap_or(0);
        let terminal = console::Term::stdout().size_checked();
        let width = terminal.map_or(WIDTH, |(_, columns)| columns.into());
        let width = width.clamp(LEAST_WIDTH, MOST_WIDTH);
        let beside = number + 1 + 1 + number + 2 + 3 + number + 1 + margin + right;
        let room = width.saturating_sub(beside).max(LEAST_NODE);
        let widest = outline(tree).map(|line| {
            let indent = (2 * line.level).min(MOST_INDENT);
            indent + console::measure_text_width(&text(&line, plain))
        });
        Columns {
            number,
            node: widest.max().unwrap_or(0).clamp(LEAST_NODE, room),
            margin,
        }
    }

    fn head(&self, shape: &Shape, style: Style, out: &mut impl Write) -> io::Result<()> {
        let Columns {
            number,
            node,
            margin,
        } = *self;
        let left = number + 1 + node + 1 + number + 2;
        let name = visible(shape.tree_name());
        let plain = format!("plain stream of \"{name}\": {} tokens", shape.len());
        let guarded = format!("guarded stream: {} tokens", shape.guarded().len());
        writeln!(
            out,
            "{} {} {}",
            style.strong(&padded(&plain, left)),
            style.dim("│"),
            style.strong(&guarded)
        )?;
        let plain = format!("{:>number$} {:<node$} {}", "#", "node", "range");
        let guarded = format!("{:>number$} {:margin$}token", "g", "");
        let line = format!("{} │ {guarded}", padded(&plain, left));
        writeln!(out, "{}", style.dim(&line))?;
        Ok(())
    }

    /// A node as wide as all of them are.
    fn node(&self, line: &Line<'_>, style: Style) -> String {
        let indent = (2 * line.level).min(MOST_INDENT).min(self.node / 2);
        let text = text(line, style);
        let text = console::truncate_str(&text, self.node - indent, "…");
        padded(&format!("{:indent$}{text}", ""), self.node)
    }
}

/// A text of that many columns, filled up with blanks.
fn padded(text: &str, columns: usize) -> String {
    console::pad_str(text, columns, console::Alignment::Left, None).into_owned()
}

/// What a node says, in a line.
fn text(line: &Line<'_>, style: Style) -> String {
    let Line { role, label, .. } = line;
    let mut text = String::new();
    if let Some(role) = role {
        text.push_str(&style.dim(&format!("{role}: ")));
    }
    text.push_str(&style.keyword(label.keyword));
    if !label.detail.is_empty() {
        text.push(' ');
        text.push_str(&label.detail);
    }
    if let Some(name) = &label.name {
        text.push(' ');
        text.push_str(&style.name(&format!("\"{name}\"")));
    }
    for param in &label.params {
        text.push(' ');
        text.push_str(&style.dim(param));
    }
    text
}

/// A guard: where the walk goes on for each answer, and what is kept of a child that runs.
fn leads(token: &Token, leads: [Lead; 3], end: usize, style: Style) -> String {
    let mut text = style.dim(&format!("^ {}", token.op().map_or("?", Op::keyword)));
    for (status, lead) in Status::ALL.into_iter().zip(leads) {
        let to = match lead {
            Lead::Drawn => "drawn".to_owned(),
            Lead::To(at) if at == end => "end".to_owned(),
            Lead::To(at) => at.to_string(),
        };
        text.push_str(&format!(" {}→{to}", status.letter()));
    }
    if token.flags.contains(TokenFlags::RECORDS) {
        text.push_str(&style.dim(&format!(" keeps ({}, {})", token.operand, token.link)));
    }
    text
}
