//! Pages on nodes and on codes of errors, laid out for a terminal.

use std::io::{self, Write};

use pleach_text::btcpp::{Counterpart, counterpart};
use pleach_text::explain::{CHAPTERS, Example, Page};
use pleach_text::gallery::{Entry, GALLERY, explain};
use pleach_text::{Code, quoted};

use crate::failure::Failure;
use crate::style::Style;

/// Columns of a page. It does not ask the terminal: wider lines are harder to read.
const WIDTH: usize = 80;

const INDENT: usize = 4;

/// What to ask for to see all codes.
const CODES: &str = "codes";

/// Shows the page of a node or of a code, or lists all nodes where no name is given.
pub(crate) fn run(node: &str) -> Result<(), Failure> {
    let style = Style::of_stdout();
    let mut out = io::stdout().lock();
    if node.is_empty() {
        writeln!(out, "{}", list(style))?;
        return Ok(());
    }
    if node == CODES {
        writeln!(out, "{}", codes(style))?;
        return Ok(());
    }
    if Code::is_name(node) {
        return match Code::from_name(node).and_then(pleach_text::explain::page) {
            Some(page) => Ok(writeln!(out, "{}", page_of_code(page, style))?),
            None => Err(Failure::Input(format!(
                "there is no code {}\n\n{}",
                quoted(node),
                codes(Style::of_stderr())
            ))),
        };
    }
    // Names of BehaviorTree.CPP begin with a large letter or `_`, words in KDL with a small one.
    let there = counterpart(node);
    if let Ok(found) = there {
        writeln!(out, "{}", page_of_counterpart(node, found, style))?;
        return Ok(());
    }
    match explain(node) {
        Ok(entry) => Ok(writeln!(out, "{}", page(entry, style))?),
        Err(near) => {
            let near_there = there.err().flatten();
            let near = match node.starts_with(|c: char| c.is_uppercase() || c == '_') {
                true => near_there.or(near),
                false => near.or(near_there),
            };
            let mut text = format!("no node is called {}", quoted(node));
            if let Some(near) = near {
                text.push_str(&format!("\n  = help: {near}"));
            }
            text.push_str("\n\n");
            text.push_str(&list(Style::of_stderr()));
            Err(Failure::Input(text))
        }
    }
}

/// All nodes, family by family.
fn list(style: Style) -> String {
    let mut text = String::new();
    for family in GALLERY {
        text.push_str(&style.strong(family.name));
        text.push('\n');
        let words = family.entries.iter().map(Entry::keyword);
        let widest = words.clone().map(str::len).max().unwrap_or(0) + 2;
        let per_line = ((WIDTH - INDENT) / widest).max(1);
        for line in words.collect::<Vec<_>>().chunks(per_line) {
            text.push_str(&" ".repeat(INDENT));
            for (at, word) in line.iter().enumerate() {
                text.push_str(&style.keyword(word));
                if at + 1 < line.len() {
                    text.push_str(&" ".repeat(widest - word.len()));
                }
            }
            text.push('\n');
        }
    }
    text.push_str(
        "\n`pleach check --explain NODE` says what a node does, with an example;\n\
         `--explain Fallback` or `_skipIf` what becomes of one of BehaviorTree.CPP;\n\
         `--explain codes` lists the codes of errors and warnings.",
    );
    text
}

/// All codes, chapter by chapter.
fn codes(style: Style) -> String {
    let mut text = String::new();
    for chapter in CHAPTERS {
        text.push_str(&style.strong(chapter.name));
        text.push('\n');
        for page in chapter.pages {
            let code = style.keyword(&page.code.to_string());
            text.push_str(&format!("{}{code}  {}\n", " ".repeat(INDENT), page.title));
        }
    }
    text.push_str("\n`pleach check --explain P0101` says more about one, with an example.");
    text
}

/// The page of a code.
fn page_of_code(page: &Page, style: Style) -> String {
    let code = page.code.to_string();
    let severity = page.code.severity();
    let gap = WIDTH.saturating_sub(code.len() + severity.name().len());
    let mut lines = vec![
        format!(
            "{}{}{}",
            style.keyword(&code),
            " ".repeat(gap),
            style.dim(severity.name())
        ),
        style.strong(page.title),
        String::new(),
    ];
    lines.extend(wrapped(page.about, 0));
    if let Some([wrong, mended]) = page.example.texts() {
        for (name, text) in [("wrong", wrong), ("mended", mended)] {
            let indented = |line: &str| match line {
                "" => String::new(),
                line => format!("{}{line}", " ".repeat(INDENT)),
            };
            lines.push(String::new());
            lines.push(style.strong(name));
            lines.extend(text.lines().map(indented));
        }
    }
    if let Example::BehaviorTreeCpp { .. } = page.example {
        lines.push(String::new());
        lines.extend(wrapped("The example is one of BehaviorTree.CPP.", 0));
    }
    lines.join("\n")
}

/// The page of a node or attribute of BehaviorTree.CPP: what it becomes, and the page of that.
fn page_of_counterpart(name: &str, found: Counterpart, style: Style) -> String {
    let origin = "of BehaviorTree.CPP or Nav2";
    let gap = WIDTH.saturating_sub(name.chars().count() + origin.len());
    let mut lines = vec![
        format!(
            "{}{}{}",
            style.keyword(name),
            " ".repeat(gap),
            style.dim(origin)
        ),
        String::new(),
    ];
    let becomes = match found.becomes {
        "" => format!("`{}`", found.keyword),
        becomes => becomes.to_owned(),
    };
    let mut section = |name: &str, text: &str| {
        lines.push(style.strong(name));
        lines.extend(wrapped(text, INDENT));
        lines.push(String::new());
    };
    section("becomes", &becomes);
    if !found.differs.is_empty() {
        section("what differs", found.differs);
    }
    section("more", "docs/btcpp.md");
    if let Ok(entry) = explain(found.keyword) {
        lines.push(page(entry, style));
    }
    lines.join("\n")
}

/// The page of a node.
fn page(entry: &Entry, style: Style) -> String {
    let word = entry.keyword();
    let family = GALLERY.iter().find(|family| {
        let mut entries = family.entries.iter();
        entries.any(|other| other.keyword() == entry.keyword())
    });
    let place = match family {
        Some(family) if entry.op.is_some() || entry.compound.is_some() => {
            format!("one of the {}", family.name)
        }
        _ => "stands for another tree".to_owned(),
    };
    let gap = WIDTH.saturating_sub(word.len() + place.len());
    let mut lines = vec![
        format!(
            "{}{}{}",
            style.keyword(word),
            " ".repeat(gap),
            style.dim(&place)
        ),
        String::new(),
    ];
    lines.extend(wrapped(entry.does, 0));
    let mut section = |name: &str, content: Vec<String>| {
        lines.push(String::new());
        lines.push(style.strong(name));
        lines.extend(content);
    };
    section("written", wrapped(entry.usage, INDENT));
    let example = entry.example.lines();
    let example = example.map(|line| format!("{}{line}", " ".repeat(INDENT)));
    section("example", example.collect());
    section("answers", table(entry.answers, style));
    section("keeps", wrapped(entry.keeps, INDENT));
    section("elsewhere", table(entry.differs, style));
    let aliases: Vec<&str> = entry.aliases().collect();
    if !aliases.is_empty() {
        section("also accepted", wrapped(&aliases.join(", "), INDENT));
    }
    let rules = format!("{} in docs/semantics.md", entry.rules.join(", "));
    section("rules", wrapped(&rules, INDENT));
    lines.join("\n")
}

/// Rows of a word and what it is about, the second column wrapped.
fn table(rows: &[(&str, &str)], style: Style) -> Vec<String> {
    let widest = rows
        .iter()
        .map(|(word, _)| word.chars().count())
        .max()
        .unwrap_or(0);
    let column = INDENT + widest + 2;
    let mut lines = Vec::new();
    for (word, text) in rows {
        for (at, line) in wrapped(text, column).into_iter().enumerate() {
            if at > 0 {
                lines.push(line);
                continue;
            }
            let blank = " ".repeat(widest + 2 - word.chars().count());
            let text = line.trim_start();
            lines.push(format!(
                "{}{}{blank}{text}",
                " ".repeat(INDENT),
                style.name(word)
            ));
        }
    }
    lines
}

/// A text in lines of the page's width, each indented.
fn wrapped(text: &str, indent: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut width = WIDTH;
    for word in text.split(' ') {
        let length = word.chars().count();
        match lines.last_mut() {
            Some(line) if width + 1 + length <= WIDTH => {
                line.push(' ');
                line.push_str(word);
                width += 1 + length;
            }
            _ => {
                lines.push(format!("{}{word}", " ".repeat(indent)));
                width = indent + length;
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_keep_to_their_width_and_have_every_part() {
        for entry in GALLERY.iter().flat_map(|family| family.entries) {
            let page = page(entry, Style::PLAIN);
            for line in page.lines() {
                assert!(line.chars().count() <= WIDTH, "{line}");
                assert_eq!(line.trim_end(), line);
            }
            for part in [
                "written",
                "example",
                "answers",
                "keeps",
                "elsewhere",
                "rules",
            ] {
                assert!(
                    page.contains(&format!("\n\n{part}\n    ")),
                    "{part}\n{page}"
                );
            }
        }
        assert!(
            list(Style::PLAIN)
                .lines()
                .all(|line| line.chars().count() <= WIDTH)
        );
    }

    #[test]
    fn pages_of_codes_keep_to_their_width() {
        for page in pleach_text::explain::pages() {
            let text = page_of_code(page, Style::PLAIN);
            for line in text.lines() {
                assert!(line.chars().count() <= WIDTH, "{line}");
                assert_eq!(line.trim_end(), line);
            }
        }
        for line in codes(Style::PLAIN).lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }

    #[test]
    fn long_words_stand_alone() {
        let long = "x".repeat(100);
        assert_eq!(wrapped(&format!("a {long} b"), 0), ["a", &long, "b"]);
    }
}
