//! Changes of single values in a text, with all else left as it is.

mod find;
mod literal;

use std::collections::HashMap;
use std::ops::Range;

use kdl::{KdlDocument, KdlEntry, KdlNode};

use self::find::{Found, find, node_at};
pub use self::literal::Literal;
use crate::btcpp::Options;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, bytes, did_you_mean, quoted};
use crate::document::read_document;
use crate::draft::Draft;
use crate::file::{check_read, parse_all};
use crate::format::Format;
use crate::keyword::keyword;
use crate::loader::{FilePlace, Loader, NoFiles};
use crate::read::{Reading, is_reserved, read};
use crate::source::Source;
use crate::token::{TokenKind, tokens};
use crate::tree_file::TreeFile;
use crate::write::head::{argument_names, property_names};
use crate::write::word;

/// Which node of a text is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodePlace<'a> {
    /// The node of a tree with that path, as [`Tree::path`](pleach_tree::Tree::path) gives it:
    /// `guard/flee/condition-1`. The guards that are properties of nodes have parts of it, such as `when-2`,
    /// which may be left out where no other node has that path then.
    Path {
        /// The tree's name.
        tree: &'a str,
        /// The path from its root.
        path: &'a str,
    },
    /// The node on whose word, arguments or properties that byte of the text stands.
    Offset(usize),
}

/// Changes single values of a KDL text of trees, and leaves every other byte as it is: comments, blanks and
/// the way in which numbers are written.
///
/// ```
/// use pleach_text::{Editor, NodePlace};
///
/// let text = "tree \"guard\" {\n    blackboard { health f32 1.0 } // to begin with\n    selector {\n        action \"flee\"   speed=4.0  // run!\n        idle\n    }\n}\n";
/// let mut editor = Editor::new("guard.kdl", text).unwrap();
/// let flee = NodePlace::Path { tree: "guard", path: "guard/action-1" };
/// editor.set_property(flee, "speed", 4.5).unwrap();
/// editor.set_property(flee, "when", "health < 0.3").unwrap();
/// editor.set_default("guard", "health", Some(0.5.into())).unwrap();
/// assert_eq!(
///     editor.text(),
///     "tree \"guard\" {\n    blackboard { health f32 0.5 } // to begin with\n    selector {\n        action \"flee\"   speed=4.5 when=\"health < 0.3\"  // run!\n        idle\n    }\n}\n"
/// );
///
/// // What would make the file wrong is refused, and nothing changes.
/// let errors = editor.set_property(flee, "when", "helth < 0.3").unwrap_err();
/// assert!(errors.to_string().contains("did you mean `health`?"));
/// ```
///
/// After each change the text is read and, if its trees compiled before, compiled again; several changes that
/// are right only together go into [`together`](Editor::together).
pub struct Editor<'l> {
    place: FilePlace,
    text: String,
    loader: Box<dyn Loader + 'l>,
    /// Whether all trees compile.
    right: bool,
    /// Whether changes wait for others to be looked at with them.
    waits: bool,
    /// What the roots of trees of included files are called, by tree.
    included: HashMap<String, Option<String>>,
}

impl Editor<'static> {
    /// An editor of a text that includes no file.
    ///
    /// # Errors
    /// What is wrong with the text as [`TreeFile::read`](crate::TreeFile::read) finds it.
    pub fn new(file_name: &str, text: &str) -> Result<Editor<'static>, Diagnostics> {
        Editor::with_loader(FilePlace::new(file_name), text, NoFiles)
    }
}

impl<'l> Editor<'l> {
    /// An editor of a text that includes files, which the loader loads. They are read after each
    /// change, and stay as they are.
    ///
    /// # Errors
    /// As [`Editor::new`].
    pub fn with_loader(
        place: FilePlace,
        text: &str,
        loader: impl Loader + 'l,
    ) -> Result<Editor<'l>, Diagnostics> {
        let mut editor = Editor {
            place,
            text: text.to_owned(),
            loader: Box::new(loader),
            right: false,
            waits: false,
            included: HashMap::new(),
        };
        let format = Format::of_path(&editor.place.name);
        if format.is_some_and(|format| format != Format::Kdl) {
            let source = Source::new(&editor.place.name, text);
            return Err(Diagnostic::whole(
                &source,
                Code::Edit.says("only texts in KDL can be edited"),
            )
            .into());
        }
        TreeFile::read(Format::Kdl, &editor.place.name, text)?;
        editor.right = editor.check(text, true).is_ok();
        Ok(editor)
    }

    /// The text as it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Makes several changes of which only the last one must leave a text that is right.
    ///
    /// # Errors
    /// As the changes, and what is wrong with the text behind them. Then none of them is made.
    pub fn together(
        &mut self,
        changes: impl FnOnce(&mut Editor<'l>) -> Result<(), Diagnostics>,
    ) -> Result<(), Diagnostics> {
        let before = self.text.clone();
        let waited = std::mem::replace(&mut self.waits, true);
        let done = changes(self);
        self.waits = waited;
        let text = std::mem::replace(&mut self.text, before);
        done?;
        self.accept(text)
    }

    /// Gives a property another value, or adds it behind the others: a parameter, a guard, a threshold, a
    /// note of an editor. A parameter on a line `param "name" value` of the node's block is changed there.
    ///
    /// # Errors
    /// If there is no such node, and everything that is wrong with the text after the change; then it
    /// stays as it is.
    pub fn set_property(
        &mut self,
        node: NodePlace<'_>,
        name: &str,
        value: impl Into<Literal>,
    ) -> Result<(), Diagnostics> {
        let value = self.literal(value.into())?;
        let (at, text) = self.with(node, |editor, found| {
            if let Some(entry) = property(found.node, name) {
                return Ok((editor.value_of(entry), value.clone()));
            }
            if let Some(entry) = param_line(found.node, name) {
                return Ok((bytes(entry), value.clone()));
            }
            let end = end_of(found.node);
            let mut added = " ".to_owned();
            word(name, &mut added);
            added.push('=');
            Ok((end..end, added + &value))
        })?;
        self.splice(at, &text)
    }

    /// Takes a property out.
    ///
    /// # Errors
    /// As [`set_property`](Editor::set_property), and if the node does not have it.
    pub fn remove_property(&mut self, node: NodePlace<'_>, name: &str) -> Result<(), Diagnostics> {
        let at = self.with(node, |editor, found| match property(found.node, name) {
            Some(entry) => Ok(editor.with_blanks(bytes(entry))),
            None => Err(editor.missing(found.node, name)),
        })?;
        self.splice(at, "")
    }

    /// Gives an argument another value, counted from 0; the one behind the last is added. A guard that is a
    /// property has one argument, its expression.
    ///
    /// # Errors
    /// As [`set_property`](Editor::set_property), and if the node has fewer arguments.
    pub fn set_argument(
        &mut self,
        node: NodePlace<'_>,
        index: usize,
        value: impl Into<Literal>,
    ) -> Result<(), Diagnostics> {
        let value = self.literal(value.into())?;
        let (at, text) = self.with(node, |editor, found| {
            if let Some(guard) = found.guard {
                return match index {
                    0 => Ok((editor.value_of(guard), value.clone())),
                    _ => Err(editor.too_few(found.node, 1)),
                };
            }
            argument_at(found.node, index, &value)
                .ok_or_else(|| editor.too_few(found.node, arguments(found.node).count()))
        })?;
        self.splice(at, &text)
    }

    /// Gives a node another name, or none.
    ///
    /// # Errors
    /// As [`set_property`](Editor::set_property), and for a guard that is a property: the name is that of
    /// its node.
    pub fn rename(&mut self, node: NodePlace<'_>, name: Option<&str>) -> Result<(), Diagnostics> {
        let value = name.map(|name| Literal::from(name).into_text());
        let (at, text) = self.with(node, |editor, found| {
            if let Some(guard) = found.guard {
                let source = editor.source();
                let message = "a guard that is a property has no name";
                return Err(
                    Diagnostic::new(&source, bytes(guard), Code::Edit.says(message))
                        .with_help("rename its node: the path goes on behind it")
                        .into(),
                );
            }
            let names_itself =
                keyword(found.node.name().value()).is_some_and(|of| argument_names(of).is_empty());
            let first = arguments(found.node).next().filter(|_| names_itself);
            let entry = property(found.node, "name").or(first);
            match (entry, &value) {
                (Some(entry), Some(value)) => Ok((editor.value_of(entry), value.clone())),
                (Some(entry), None) => Ok((editor.with_blanks(bytes(entry)), String::new())),
                (None, Some(value)) => {
                    let end = end_of(found.node);
                    Ok((end..end, format!(" name={value}")))
                }
                (None, None) => Ok((0..0, String::new())),
            }
        })?;
        self.splice(at, &text)
    }

    /// Gives a column, world value or parameter of a tree another default, or none. That of an
    /// enumeration is a label.
    ///
    /// # Errors
    /// As [`set_property`](Editor::set_property), and if the tree declares nothing of that name.
    pub fn set_default(
        &mut self,
        tree: &str,
        name: &str,
        value: Option<Literal>,
    ) -> Result<(), Diagnostics> {
        let value = value.map(|value| self.literal(value)).transpose()?;
        let source = self.source();
        let (document, drafts) = self.parts(&source)?;
        let draft = named(&source, &drafts, tree)?;
        let declared = draft.declared.iter();
        let declared =
            declared.map(|one| (one.name.as_str(), one.span.start, !one.labels.is_empty()));
        let params = draft.params.iter();
        let params = params.map(|one| (one.name.as_str(), one.span.start, false));
        let all: Vec<(&str, usize, bool)> = declared.chain(params).collect();
        let Some(&(_, start, is_enum)) = all.iter().find(|one| one.0 == name) else {
            let message = format!(
                "tree {} declares no column, world value or parameter {}",
                quoted(tree),
                quoted(name)
            );
            let near = did_you_mean(name, all.iter().map(|one| one.0));
            let error = Diagnostic::new(&source, draft.span.clone(), Code::Edit.says(message));
            return Err(error.with_help_if(near).into());
        };
        let Some(node) = node_at(&document, start) else {
            return Ok(());
        };
        let entry = match is_enum {
            true => property(node, "default"),
            false => arguments(node).nth(1),
        };
        let (at, text) = match (entry, value) {
            (Some(entry), Some(value)) => (self.value_of(entry), value),
            (Some(entry), None) => (self.with_blanks(bytes(entry)), String::new()),
            (None, None) => return Ok(()),
            (None, Some(value)) if is_enum => {
                let end = end_of(node);
                (end..end, format!(" default={value}"))
            }
            (None, Some(value)) => {
                let end = arguments(node)
                    .last()
                    .map_or(end_of(node), |last| bytes(last).end);
                (end..end, format!(" {value}"))
            }
        };
        self.splice(at, &text)
    }

    fn source(&self) -> Source {
        Source::new(&self.place.name, &self.text)
    }

    /// The document and its trees, as far as they can be read.
    fn parts(&self, source: &Source) -> Result<(KdlDocument, Vec<Draft>), Diagnostics> {
        let (document, comments) = read_document(source)?;
        let mut drafts = Vec::new();
        let mut reading = Reading::default();
        // Between changes that go together, some nodes may be wrong.
        let mut found = Diagnostics::new();
        read(
            source,
            0,
            &document,
            &comments,
            &mut reading,
            &mut drafts,
            &mut found,
        );
        Ok((document, drafts))
    }

    /// What `change` makes of a node.
    fn with<T>(
        &self,
        place: NodePlace<'_>,
        change: impl FnOnce(&Editor<'l>, &Found<'_>) -> Result<T, Diagnostics>,
    ) -> Result<T, Diagnostics> {
        let source = self.source();
        let (document, drafts) = self.parts(&source)?;
        change(
            self,
            &find(&source, &document, &drafts, &self.included, place)?,
        )
    }

    fn literal(&self, value: Literal) -> Result<String, Diagnostics> {
        value.checked().map_err(|message| {
            let error = Diagnostic::whole(&self.source(), Code::Edit.says(message));
            error
                .with_help("write one value as KDL has it, such as `4.5`, `\"halt!\"` or `(column)\"post\"`")
                .into()
        })
    }

    /// Where an entry's value stands, with its type.
    fn value_of(&self, entry: &KdlEntry) -> Range<usize> {
        let span = bytes(entry);
        if entry.name().is_none() {
            return span;
        }
        let written = self.text.get(span.clone()).unwrap_or("");
        let list = tokens(written);
        let equals = list
            .iter()
            .position(|token| token.kind == TokenKind::Equals);
        let value = equals.and_then(|at| {
            let mut behind = list[at + 1..].iter();
            behind.find(|token| matches!(token.kind, TokenKind::Value | TokenKind::TypeOpens))
        });
        value.map_or(span.clone(), |value| span.start + value.start..span.end)
    }

    /// A span with the blanks before it on its line.
    fn with_blanks(&self, span: Range<usize>) -> Range<usize> {
        let before = self.text.get(..span.start).unwrap_or("");
        before.trim_end_matches([' ', '\t']).len()..span.end
    }

    fn missing(&self, node: &KdlNode, name: &str) -> Diagnostics {
        let message = format!(
            "{} has no property {}",
            quoted(node.name().value()),
            quoted(name)
        );
        if let Some(line) = param_line(node, name) {
            let help = "it is a parameter on a line of the node's block, which can be changed only";
            return Diagnostic::new(&self.source(), bytes(line), Code::Edit.says(message))
                .with_help(help)
                .into();
        }
        let known = node.entries().iter();
        let known = known.filter_map(|entry| Some(entry.name()?.value()));
        Diagnostic::new(&self.source(), bytes(node), Code::Edit.says(message))
            .with_help_if(did_you_mean(name, known))
            .into()
    }

    fn too_few(&self, node: &KdlNode, count: usize) -> Diagnostics {
        let word = quoted(node.name().value());
        let message = match count {
            1 => format!("{word} has one argument"),
            count => format!("{word} has {count} arguments"),
        };
        Diagnostic::new(&self.source(), bytes(node), Code::Edit.says(message)).into()
    }

    /// Puts a text in place of a part.
    fn splice(&mut self, at: Range<usize>, text: &str) -> Result<(), Diagnostics> {
        let mut new = self.text.clone();
        if new.get(at.clone()).is_none() {
            return Ok(());
        }
        new.replace_range(at, text);
        self.accept(new)
    }

    /// Takes a text, if it is right.
    fn accept(&mut self, text: String) -> Result<(), Diagnostics> {
        match self.waits {
            true => {
                // Without its syntax, the next change would find no node.
                read_document(&Source::new(&self.place.name, &text))?;
            }
            false => {
                let right = self.right;
                self.check(&text, right)?;
            }
        }
        self.text = text;
        Ok(())
    }

    fn check(&mut self, text: &str, compiles: bool) -> Result<(), Diagnostics> {
        if !compiles {
            return TreeFile::read(Format::Kdl, &self.place.name, text).map(drop);
        }
        let read = parse_all(&self.place, text, &mut *self.loader, &Options::new())?;
        let included = read.files.drafts.iter().skip(read.files.own);
        let roots = included.map(|draft| {
            let root = draft.root_name().map(str::to_owned);
            (draft.name.clone(), root)
        });
        self.included = roots.collect();
        check_read(&read).map(drop)
    }
}

impl std::fmt::Debug for Editor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Editor")
            .field("place", &self.place)
            .field("text", &self.text)
            .finish()
    }
}

fn named<'a>(source: &Source, drafts: &'a [Draft], name: &str) -> Result<&'a Draft, Diagnostics> {
    drafts
        .iter()
        .find(|draft| draft.name == name)
        .ok_or_else(|| {
            let names = drafts.iter().map(|draft| draft.name.as_str());
            let error = Diagnostic::whole(
                source,
                Code::UnknownTree.says(format!("no tree is named {}", quoted(name))),
            );
            error.with_help_if(did_you_mean(name, names)).into()
        })
}

fn arguments(node: &KdlNode) -> impl Iterator<Item = &KdlEntry> {
    let entries = node.entries().iter();
    entries.filter(|entry| entry.name().is_none())
}

/// A property by its name. Those that belong to nodes may be written with `_` for `-`.
fn property<'n>(node: &'n KdlNode, name: &str) -> Option<&'n KdlEntry> {
    let own = name.replace('_', "-");
    let is_own = is_reserved(name) && !name.starts_with('_')
        || property_names(keyword(node.name().value())).contains(&own.as_str());
    let entries = node.entries().iter();
    let mut properties = entries.filter_map(|entry| Some((entry.name()?.value(), entry)));
    let found = properties.find(|&(key, _)| key == name || is_own && key.replace('_', "-") == own);
    found.map(|(_, entry)| entry)
}

/// The value of a line `param "name" value` in a node's block.
fn param_line<'n>(node: &'n KdlNode, name: &str) -> Option<&'n KdlEntry> {
    if is_reserved(name) {
        return None;
    }
    let mut lines = node.children()?.nodes().iter();
    let line = lines.find(|line| {
        line.name().value() == "param"
            && arguments(line)
                .next()
                .and_then(|first| first.value().as_string())
                == Some(name)
    })?;
    arguments(line).nth(1)
}

/// Where a node's word, arguments and properties end.
fn end_of(node: &KdlNode) -> usize {
    let entries = node.entries().iter();
    let ends = entries.map(|entry| bytes(entry).end);
    ends.max().unwrap_or(0).max(bytes(node).end)
}

/// Where an argument stands, or is to stand, and what is written there.
fn argument_at(node: &KdlNode, index: usize, value: &str) -> Option<(Range<usize>, String)> {
    if let Some(entry) = arguments(node).nth(index) {
        return Some((bytes(entry), value.to_owned()));
    }
    let last = match index {
        0 => bytes(node).end,
        index => bytes(arguments(node).nth(index - 1)?).end,
    };
    Some((last..last, format!(" {value}")))
}
