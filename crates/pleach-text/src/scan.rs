//! A look at a KDL text before the `kdl` crate gets it.
//!
//! The crate's parser recurses: for each open brace (33 KiB of stack in an unoptimised build), for
//! each star or slash in a block comment, and for each place where it picks up again after an error
//! at the outermost level. It tries a block that is commented out by `/-` twice, nested ones 2ⁿ
//! times. So this scanner, which does not recurse, checks the whole grammar first and takes the
//! text apart: the crate gets a flat list of nodes, with block comments and what `/-` takes out
//! blanked and braces replaced by line ends, and reads it without an error. Byte offsets stay as
//! they were. [`Layout`] then says which nodes go into which block.

mod space;
#[cfg(test)]
mod tests;
mod value;

use std::ops::Range;

use crate::chars::is_newline;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Message, quoted};
use crate::document::{MAX_ITEMS, MAX_NESTING};
use crate::source::Source;

/// What a scan found out.
pub(crate) struct Layout {
    /// The text as a flat list of nodes.
    pub(crate) flat: String,
    /// How the nodes of that list nest.
    pub(crate) marks: Vec<Mark>,
    /// The comments, in their order, from their first mark to their last character.
    pub(crate) comments: Vec<Range<usize>>,
}

/// A step through a document, in the order of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// The next node of the flat list.
    Node,
    /// The children of the last node begin, at that offset.
    Open(usize),
    /// They end.
    Close,
}

/// Checks a text and takes it apart.
pub(crate) fn scan(source: &Source) -> Result<Layout, Diagnostics> {
    let mut scanner = Scanner {
        source,
        text: source.text(),
        at: 0,
        found: Diagnostics::new(),
        blanks: Vec::new(),
        open: Vec::new(),
        items: 0,
        marks: Vec::new(),
        comments: Vec::new(),
        breaks: Vec::new(),
        dashes: 0,
        line_end: None,
    };
    if scanner.text.starts_with('\u{feff}') {
        scanner.at = '\u{feff}'.len_utf8();
    }
    // `None` means that the rest of the text cannot be told apart; the reason is among the found.
    let _ = scanner.nodes();
    scanner.found.finish(())?;
    let mut bytes = scanner.text.as_bytes().to_vec();
    for at in scanner.breaks {
        bytes[at] = b'\n';
    }
    for blank in scanner.blanks {
        bytes[blank].fill(b' ');
    }
    Ok(Layout {
        // Only whole characters were replaced, so this loses nothing.
        flat: String::from_utf8_lossy(&bytes).into_owned(),
        marks: scanner.marks,
        comments: scanner.comments,
    })
}

/// An open children block.
struct Block {
    brace: usize,
    /// Where the `/-` in front of the block stands.
    dash: Option<usize>,
    /// Where the `/-` in front of its node stands.
    node_dash: Option<usize>,
    /// What the node can still have once the block is closed.
    after: Stage,
}

/// What has been read of the node at hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Its name: entries may follow.
    Entries,
    /// A block that is commented out: no more entries.
    Blocks,
    /// Its children: only blocks that are commented out.
    Closed,
}

struct Scanner<'a> {
    source: &'a Source,
    text: &'a str,
    at: usize,
    found: Diagnostics,
    blanks: Vec<Range<usize>>,
    /// Braces that become line ends.
    breaks: Vec<usize>,
    open: Vec<Block>,
    items: usize,
    marks: Vec<Mark>,
    comments: Vec<Range<usize>>,
    /// How many of the open blocks, and of their nodes, are taken out by a `/-`.
    dashes: usize,
    /// The end of the line at hand, once sought: seeking it at each quote of a line is quadratic.
    line_end: Option<usize>,
}

/// Something is wrong here, and it is already among the found.
struct Wrong;

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        if found {
            self.at += what.len();
        }
        found
    }

    fn line_end(&mut self) -> usize {
        match self.line_end {
            Some(end) if end >= self.at => end,
            _ => {
                let end = self
                    .rest()
                    .find(is_newline)
                    .map_or(self.text.len(), |len| self.at + len);
                self.line_end = Some(end);
                end
            }
        }
    }

    fn wrong(&mut self, span: Range<usize>, message: Message, help: &str) -> Wrong {
        let diagnostic = Diagnostic::new(self.source, span, message);
        self.found.push(match help {
            "" => diagnostic,
            help => diagnostic.with_help(help),
        });
        Wrong
    }

    /// The span of the next character.
    fn here(&self) -> Range<usize> {
        self.at..self.at + self.peek().map_or(0, char::len_utf8)
    }

    /// Nodes up to the end of the text.
    fn nodes(&mut self) -> Option<()> {
        loop {
            self.line_space()?;
            let dash = self.dash();
            if dash.is_some() {
                self.line_space()?;
            }
            let node = match (self.peek(), dash) {
                (Some('}') | None, Some(at)) => {
                    self.wrong(
                        at..at + 2,
                        Code::Grammar.says("nothing follows that `/-` could take out"),
                        "",
                    );
                    continue;
                }
                (None, None) => {
                    if let Some(block) = self.open.last() {
                        let brace = block.brace;
                        self.wrong(
                            brace..brace + 1,
                            Code::Grammar.says("this `{` is never closed"),
                            "add a `}`",
                        );
                    }
                    return Some(());
                }
                (Some('}'), None) => match self.close() {
                    Some(block) => self.node_rest(block.after, block.node_dash),
                    None => continue,
                },
                (Some(_), dash) => self.node(dash),
            };
            node?;
        }
    }

    /// The `}` of a block; gives back the block, unless none was open.
    fn close(&mut self) -> Option<Block> {
        let at = self.at;
        self.at += 1;
        let Some(block) = self.open.pop() else {
            self.wrong(
                at..at + 1,
                Code::Grammar.says("this `}` closes nothing"),
                "remove it, or add the `{` it belongs to",
            );
            return None;
        };
        match block.dash {
            Some(dash) => {
                self.blanks.push(dash..self.at);
                self.dashes -= 1;
            }
            None => {
                self.breaks.push(at);
                self.mark(Mark::Close);
            }
        }
        Some(block)
    }

    /// Notes a step, unless a `/-` takes it out.
    fn mark(&mut self, mark: Mark) {
        if self.dashes == 0 {
            self.marks.push(mark);
        }
    }

    fn dash(&mut self) -> Option<usize> {
        let at = self.at;
        self.eat("/-").then_some(at)
    }

    /// A node from its type or name on.
    fn node(&mut self, dash: Option<usize>) -> Option<()> {
        self.count()?;
        self.dashes += usize::from(dash.is_some());
        self.mark(Mark::Node);
        match self.peek() {
            Some('{') => {
                let help =
                    "write the node's name in front of it; a block opens on the line of its node";
                self.wrong(
                    self.here(),
                    Code::Grammar.says("found a block without a node"),
                    help,
                );
                return self.open_block(None, dash, Stage::Closed);
            }
            Some(';') => {
                self.wrong(
                    self.here(),
                    Code::Grammar.says("found `;` without a node in front"),
                    "remove it",
                );
                self.at += 1;
                self.dashes -= usize::from(dash.is_some());
                return Some(());
            }
            _ => {}
        }
        let mut named = self.annotation()?;
        if named.is_ok() {
            named = self.string("a node's name")?;
        }
        if named.is_err() {
            self.skip()?;
        }
        self.node_rest(Stage::Entries, dash)
    }

    /// Entries and blocks up to the end of the node or into its children.
    fn node_rest(&mut self, mut stage: Stage, dash: Option<usize>) -> Option<()> {
        loop {
            let spaced = self.node_space()?;
            let end = match self.peek() {
                None | Some('}') => true,
                Some(';') => {
                    // Behind a brace, which became a line end, it would end nothing.
                    if stage == Stage::Closed {
                        self.blanks.push(self.here());
                    }
                    self.at += 1;
                    true
                }
                Some(c) if is_newline(c) => true,
                Some('/') if self.rest().starts_with("//") => true,
                _ => false,
            };
            if end {
                if let Some(dash) = dash {
                    // The terminator stays: without it the nodes around would be one. What it
                    // terminates is gone, so a `;` has to go too.
                    self.blanks.push(dash..self.at);
                    self.dashes -= 1;
                }
                return Some(());
            }
            let block_dash = self.dash();
            if block_dash.is_some() {
                self.line_space()?;
            }
            if self.peek() == Some('{') {
                if block_dash.is_none() && stage == Stage::Closed {
                    self.wrong(
                        self.here(),
                        Code::Grammar.says("a node has only one block of children"),
                        "",
                    );
                }
                let after = if block_dash.is_some() {
                    stage.max(Stage::Blocks)
                } else {
                    Stage::Closed
                };
                return self.open_block(block_dash, dash, after);
            }
            let result = if stage != Stage::Entries {
                let help = "end the node with a new line or `;`";
                Err(self.wrong(
                    self.here(),
                    Code::Grammar.says("found more behind a block of children"),
                    help,
                ))
            } else if !spaced {
                let help = "put a space between the arguments of a node";
                Err(self.wrong(
                    self.here(),
                    Code::Grammar.says(format!(
                        "found {} without a space in front",
                        self.found_here()
                    )),
                    help,
                ))
            } else {
                self.entry()?
            };
            match (result, block_dash) {
                (Ok(()), Some(block_dash)) => self.blanks.push(block_dash..self.at),
                (Ok(()), None) => {}
                (Err(Wrong), _) => {
                    self.skip()?;
                    stage = Stage::Entries;
                }
            }
        }
    }

    fn found_here(&self) -> String {
        self.peek().map_or_else(
            || "the end".to_owned(),
            |c| quoted(c.encode_utf8(&mut [0; 4])),
        )
    }

    /// The `{` of a block.
    fn open_block(
        &mut self,
        dash: Option<usize>,
        node_dash: Option<usize>,
        after: Stage,
    ) -> Option<()> {
        if self.open.len() >= MAX_NESTING {
            let message = format!("blocks nest deeper than {MAX_NESTING} levels");
            self.wrong(
                self.here(),
                Code::Limit.says(message),
                "move the inner nodes to a `tree` of their own and use `subtree`",
            );
            return None;
        }
        match dash {
            Some(_) => self.dashes += 1,
            None => {
                self.breaks.push(self.at);
                self.mark(Mark::Open(self.at));
            }
        }
        self.open.push(Block {
            brace: self.at,
            dash,
            node_dash,
            after,
        });
        self.at += 1;
        Some(())
    }

    /// One more node or entry; none is left beyond the limit.
    fn count(&mut self) -> Option<()> {
        self.items += 1;
        if self.items > MAX_ITEMS {
            self.wrong(
                self.here(),
                Code::Limit.says(format!(
                    "the file has more than {MAX_ITEMS} nodes and arguments"
                )),
                "",
            );
            return None;
        }
        Some(())
    }
}
