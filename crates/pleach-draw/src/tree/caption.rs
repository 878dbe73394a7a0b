//! The few words in a box of a picture.

use super::icon::Icon;
use super::label::Label;
use super::sketch::{Item, Shown};

/// The most characters of a text that is shown when somebody points at a box.
const MAX_FULL: usize = 600;

/// A line holds no more than this many characters before it is fitted into its box.
const MAX_LINE: usize = 80;

/// As long, a node's keyword and what it does stand in one line.
const ONE_LINE: usize = 22;

/// What a box says. Every text is short, whatever the tree holds.
#[derive(Debug)]
pub(crate) struct Caption {
    /// Of a node.
    pub(crate) icon: Option<Icon>,
    /// What people look for: the node's name, or else what it does.
    pub(crate) title: String,
    /// The rest, or nothing.
    pub(crate) below: String,
    /// All that there is to say.
    pub(crate) full: String,
}

impl Caption {
    /// What the box of an item says.
    pub(crate) fn of(item: &Item<'_>) -> Caption {
        let node = match item.shown {
            Shown::Node(node) => node,
            Shown::Folded(nodes) => {
                let title = match nodes {
                    1 => "… 1 node".to_owned(),
                    nodes => format!("… {nodes} nodes"),
                };
                return Caption {
                    icon: None,
                    full: format!("{title}, folded"),
                    title,
                    below: String::new(),
                };
            }
        };
        let label = Label::of(node);
        let keyword = label.keyword;
        let detail = label.detail.as_str();
        let params = &label.params;
        let line = |parts: &[&str], more: &[String]| {
            let parts = parts.iter().copied().filter(|part| !part.is_empty());
            joined(parts.chain(more.iter().map(String::as_str)), MAX_LINE)
        };
        let (title, below) = match label.name.as_deref() {
            Some(name) if label.calls && name == detail => {
                (line(&[name], &[]), line(&[keyword], params))
            }
            // A condition is known by its form.
            Some(name) if keyword == "condition" => (line(&[name], &[]), line(&[detail], &[])),
            Some(name) => (line(&[name], &[]), line(&[keyword, detail], params)),
            None if label.calls => (line(&[detail], &[]), line(&[keyword], params)),
            None if keyword == "condition" => (line(&[detail], &[]), String::new()),
            None if keyword.len() + detail.chars().take(ONE_LINE).count() < ONE_LINE => {
                (line(&[keyword, detail], &[]), String::new())
            }
            None => (line(&[keyword], &[]), line(&[detail], &[])),
        };
        let named = label.name.as_ref().map(|name| format!("\"{name}\""));
        let full = [keyword, detail]
            .into_iter()
            .filter(|part| !part.is_empty());
        let full = full
            .chain(params.iter().map(String::as_str))
            .chain(named.as_deref());
        Caption {
            icon: Some(label.icon),
            title,
            below,
            full: joined(full, MAX_FULL),
        }
    }
}

/// Texts behind each other with a blank between, so many characters at most.
fn joined<'t>(parts: impl Iterator<Item = &'t str>, most: usize) -> String {
    let mut out = String::new();
    let mut left = most;
    for (index, part) in parts.enumerate() {
        let blank = if index == 0 { "" } else { " " };
        for char in blank.chars().chain(part.chars()) {
            if left == 0 {
                out.push('…');
                return out;
            }
            out.push(char);
            left -= 1;
        }
    }
    out
}
