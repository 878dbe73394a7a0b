//! From JSON to the nodes that the KDL would have.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use kdl::{KdlDocument, KdlEntry, KdlNode};
use serde_json::value::RawValue;

use super::JSON_VERSION;
use super::value::{Field, Reader, described};
use crate::comments::{Comments, clean_lines};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean, quoted};
use crate::document::MAX_BYTES;
use crate::source::Source;

/// Reads a text in the JSON form as the KDL document that says the same, with places in the JSON.
pub(crate) fn read_document(source: &Source) -> Result<(KdlDocument, Comments), Diagnostics> {
    let len = source.text().len();
    if len > MAX_BYTES {
        let message = format!("the file has {len} bytes, allowed are {MAX_BYTES}");
        return Err(Diagnostic::whole(source, Code::Limit.says(message)).into());
    }
    let (reader, whole) = Reader::new(source)?;
    let mut building = Building {
        reader,
        comments: HashMap::new(),
    };
    let mut document = KdlDocument::new();
    building.file(whole, document.nodes_mut());
    let comments = Comments::noted(building.comments);
    building.reader.found.finish((document, comments))
}

pub(super) struct Building<'a> {
    pub(super) reader: Reader<'a>,
    /// The comments before nodes, by where these begin.
    comments: HashMap<usize, Vec<String>>,
}

/// An object of which fields are taken one by one.
pub(super) struct Object<'a> {
    /// What it is, as messages call it.
    pub(super) what: Cow<'static, str>,
    pub(super) at: Range<usize>,
    pub(super) fields: Vec<Field<'a>>,
}

impl<'a> Object<'a> {
    pub(super) fn take(&mut self, name: &str) -> Option<Field<'a>> {
        let at = self.fields.iter().position(|field| field.name == name)?;
        Some(self.fields.remove(at))
    }
}

impl<'a> Building<'a> {
    pub(super) fn object(&mut self, what: &'static str, value: &'a RawValue) -> Option<Object<'a>> {
        let fields = self.reader.object(what, value)?;
        let start = self.reader.span(value).start;
        Some(Object {
            what: Cow::Borrowed(what),
            at: start..start + 1,
            fields,
        })
    }

    /// A field that must be there.
    pub(super) fn needed(&mut self, object: &mut Object<'a>, name: &str) -> Option<Field<'a>> {
        let field = object.take(name);
        if field.is_none() {
            let message = format!("{} has no field {}", object.what, quoted(name));
            let near = object.fields.iter().map(|field| &*field.name);
            let help = match pleach_tree::closest(name, near) {
                Some(near) => format!("{} may be meant for it", quoted(near)),
                None => "add it".to_owned(),
            };
            self.reader.wrong(object.at.clone(), message, Some(&help));
        }
        field
    }

    /// Complains about the fields that nobody took.
    pub(super) fn no_more(&mut self, object: Object<'a>, known: &[&str]) {
        for field in object.fields {
            let message = format!("{} has no field {}", object.what, quoted(&field.name));
            let help = did_you_mean(&field.name, known.iter().copied())
                .unwrap_or_else(|| format!("its fields are {}", known.join(", ")));
            self.reader.wrong(field.at, message, Some(&help));
        }
    }

    /// Notes the comments of what begins at `at`.
    pub(super) fn comments(&mut self, object: &mut Object<'a>, at: usize) {
        if let Some(field) = object.take("comments")
            && let Some(lines) = self.reader.texts("a list of lines", field.value)
        {
            let lines = lines.iter().flat_map(|line| clean_lines(line));
            self.comments.insert(at, lines.collect());
        }
    }

    /// Takes out the notes of editors.
    pub(super) fn notes(&mut self, object: &mut Object<'a>, node: &mut KdlNode) {
        let (notes, fields): (Vec<_>, Vec<_>) = std::mem::take(&mut object.fields)
            .into_iter()
            .partition(|field| field.name.starts_with('_'));
        object.fields = fields;
        for note in notes {
            let entry = self.reader.property(&note.name, note.value);
            node.entries_mut().extend(entry);
        }
    }

    /// A node of a word that stands at a place.
    pub(super) fn node_at(&mut self, word: &str, at: Range<usize>) -> KdlNode {
        KdlNode::new(self.reader.identifier(word, at))
    }

    fn file(&mut self, whole: &'a RawValue, nodes: &mut Vec<KdlNode>) {
        let Some(mut file) = self.object("the file", whole) else {
            return;
        };
        let help = "the JSON form of trees begins with `{\"pleach\": 1, \"trees\": [`";
        let Some(version) = file.take("pleach") else {
            let message = "the file has no field `pleach`, which says its version";
            self.reader.wrong(file.at, message, Some(help));
            return;
        };
        if version.value.get() != JSON_VERSION.to_string() {
            let message = format!(
                "expected version {JSON_VERSION} of the JSON form, found {}",
                described(version.value)
            );
            let help =
                "write `\"pleach\": 1`, or read the file with the version of pleach that wrote it";
            let at = self.reader.span(version.value);
            self.reader.wrong(at, message, Some(help));
            return;
        }
        if let Some(field) = file.take("include") {
            let list = self.reader.list("a list of paths", field.value);
            for one in list.into_iter().flatten() {
                nodes.extend(self.include(one));
            }
        }
        if let Some(field) = self.needed(&mut file, "trees") {
            let list = self.reader.list("a list of trees", field.value);
            for one in list.into_iter().flatten() {
                nodes.extend(self.tree(one));
            }
        }
        self.no_more(file, &["pleach", "include", "trees"]);
    }

    /// A path, or an object with the path and its comments.
    fn include(&mut self, value: &'a RawValue) -> Option<KdlNode> {
        let at = self.reader.span(value);
        let mut node = self.node_at("include", at.start..at.start + 1);
        if !value.get().starts_with('{') {
            let entry = self.reader.entry(value)?;
            node.entries_mut().push(entry);
            return Some(node);
        }
        let mut include = self.object("an include", value)?;
        let path = self.needed(&mut include, "path")?;
        let entry = self.reader.entry(path.value)?;
        node.entries_mut().push(entry);
        self.comments(&mut include, at.start);
        self.no_more(include, &["path", "comments"]);
        Some(node)
    }

    fn tree(&mut self, value: &'a RawValue) -> Option<KdlNode> {
        let mut tree = self.object("a tree", value)?;
        let mut node = self.node_at("tree", tree.at.clone());
        self.comments(&mut tree, node.name().span().offset());
        if let Some(name) = self.needed(&mut tree, "name") {
            node.entries_mut().extend(self.reader.entry(name.value));
        }
        self.notes(&mut tree, &mut node);
        let mut inside = KdlDocument::new();
        for block in ["params", "blackboard", "world"] {
            if let Some(field) = tree.take(block) {
                inside.nodes_mut().extend(self.declarations(block, &field));
            }
        }
        if let Some(root) = self.needed(&mut tree, "root") {
            inside.nodes_mut().extend(self.node(root.value, 1));
        }
        self.no_more(
            tree,
            &["name", "comments", "params", "blackboard", "world", "root"],
        );
        node.set_children(inside);
        Some(node)
    }

    fn declarations(&mut self, block: &str, field: &Field<'a>) -> Option<KdlNode> {
        let mut node = self.node_at(block, field.at.clone());
        let mut lines = KdlDocument::new();
        for one in self.reader.list("a list of declarations", field.value)? {
            if !self.reader.count(one) {
                return None;
            }
            lines.nodes_mut().extend(self.declaration(block, one));
        }
        node.set_children(lines);
        Some(node)
    }

    /// `{"name": "health", "type": "f32", "default": 1.0, "doc": "…"}`.
    fn declaration(&mut self, block: &str, value: &'a RawValue) -> Option<KdlNode> {
        let mut one = self.object("a declaration", value)?;
        let name = self.needed(&mut one, "name")?;
        let text = self.reader.text("a name", name.value)?;
        let at = self.reader.span(name.value);
        let mut node = self.node_at(&text, at);
        let ty = self.needed(&mut one, "type")?;
        let ty = self.reader.entry(ty.value)?;
        let is_enum = ty.value().as_string() == Some("enum") && block != "params";
        node.entries_mut().push(ty);
        let mut known = vec!["name", "type", "default", "doc"];
        if is_enum {
            known.push("labels");
            let labels = self.needed(&mut one, "labels")?;
            for label in self.reader.list("a list of labels", labels.value)? {
                node.entries_mut().extend(self.reader.entry(label));
            }
        }
        if let Some(default) = one.take("default") {
            let entry: Option<KdlEntry> = match is_enum {
                true => self.reader.property("default", default.value),
                // `{"u64": "…"}` for numbers that some programs cannot write.
                false => self.reader.entry(default.value),
            };
            node.entries_mut().extend(entry);
        }
        if let Some(doc) = one.take("doc") {
            node.entries_mut()
                .extend(self.reader.property("doc", doc.value));
        }
        self.no_more(one, &known);
        Some(node)
    }
}
