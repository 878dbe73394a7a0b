//! From a KDL text to a scenario.

use std::sync::Arc;
use std::time::Duration;

use pleach_shape::{FunctionKind, Shape};
use pleach_text::btcpp::Options;
use pleach_text::kdl::{KdlDocument, KdlNode};
use pleach_text::{
    Diagnostics, FilePlace, Loader, Source, bytes, kdl_document, parse_with, parse_with_options,
    quoted,
};
use pleach_tree::Tree;
use pleach_vm::Population;

use crate::reader::Reader;
use crate::scenario::{MAX_ACTORS, MAX_TICKS, Scenario};
use crate::sections::{SECTIONS, Sections};

/// The keys of a scenario.
const KEYS: [&str; 14] = [
    "scenario",
    "tree",
    "include",
    "actors",
    "ticks",
    "warm-up",
    "dt",
    "seed",
    "columns",
    "world",
    "actions",
    "persistent",
    "tasks",
    "queries",
];

/// The longest name of a scenario or path of a tree, in bytes.
const MAX_NAME: usize = 1024;

/// The longest time between two ticks, in seconds: a day.
const MAX_DT: f64 = 86_400.0;

/// A place and how to load what a file there includes.
pub(crate) struct Shelf {
    pub(crate) place: FilePlace,
    pub(crate) loader: Box<dyn Loader>,
}

/// Gives a tree file by the path that a scenario names.
pub(crate) type Open<'a> = dyn Fn(&str) -> Result<(Source, Shelf), Diagnostics> + 'a;

/// Reads a scenario. `shelf` is where it is, `open` opens tree files, and `options` say what those of
/// BehaviorTree.CPP do not.
pub(crate) fn read(
    source: &Source,
    shelf: &mut Shelf,
    open: &Open<'_>,
    options: &Options,
) -> Result<Scenario, Diagnostics> {
    let document = kdl_document(source)?;
    let mut reader = Reader::new(source);
    let head = Head::read(&mut reader, &document);
    let (tree, shape) = match reader.tree(&document, shelf, open, options) {
        Some(Ok((tree, shape))) => (Arc::new(tree), Arc::new(shape)),
        failed => {
            // The tree's errors first: what the scenario says of its columns cannot be judged yet.
            let mut all = match failed {
                Some(Err(errors)) => errors,
                _ => Diagnostics::new(),
            };
            if let Err(own) = reader.found.finish(()) {
                all.append(own);
            }
            return Err(all);
        }
    };
    let population = Population::new(shape.clone());
    let mut sections = Sections::new(&mut reader, &population);
    // In this order: effects of actions keep to the bounds of columns.
    for section in SECTIONS {
        if let Some(node) = document
            .nodes()
            .iter()
            .find(|node| node.name().value() == section)
        {
            sections.section(node);
        }
    }
    let undescribed = sections.undescribed();
    let scenario = Scenario {
        name: head.name.unwrap_or_else(|| shape.tree_name().to_owned()),
        actors: head.actors,
        ticks: head.ticks,
        warm_up: head.warm_up,
        dt: head.dt,
        seed: head.seed,
        columns: sections.columns(),
        world: sections.world(),
        actions: sections.actions,
        persistent: sections.persistent,
        tasks: sections.tasks,
        queries: sections.queries,
        undescribed,
        tree,
        shape,
    };
    reader.found.finish(scenario)
}

/// What a scenario says about the run as a whole.
struct Head {
    name: Option<String>,
    actors: u32,
    ticks: u32,
    warm_up: u32,
    dt: Duration,
    seed: u64,
}

impl Head {
    fn read(reader: &mut Reader<'_>, document: &KdlDocument) -> Head {
        let mut head = Head {
            name: None,
            actors: 1000,
            ticks: 1000,
            warm_up: 0,
            dt: Duration::from_millis(100),
            seed: 0,
        };
        // A file may hold several trees, and include several files.
        let others = document
            .nodes()
            .iter()
            .filter(|node| !matches!(node.name().value(), "tree" | "include"));
        for node in reader.once(others, &KEYS, "a scenario has no key") {
            head.key(reader, node);
        }
        head
    }

    fn key(&mut self, reader: &mut Reader<'_>, node: &KdlNode) {
        match node.name().value() {
            "scenario" => {
                let text = reader
                    .argument(node, "scenario \"guards\"")
                    .and_then(|entry| {
                        let text = reader.text(entry, "a name")?;
                        if text.len() > MAX_NAME || text.chars().any(char::is_control) {
                            let message = format!(
                                "a name has at most {MAX_NAME} bytes and no control characters"
                            );
                            reader.wrong(bytes(entry), message, None);
                        }
                        Some(text.to_owned())
                    });
                self.name = text.or(self.name.take());
            }
            "actors" => reader.count(node, &mut self.actors, "actors 2000", 1, MAX_ACTORS),
            "ticks" => reader.count(node, &mut self.ticks, "ticks 1000", 1, MAX_TICKS),
            "warm-up" => reader.count(node, &mut self.warm_up, "warm-up 100", 0, MAX_TICKS),
            "seed" => {
                let seed = reader
                    .argument(node, "seed 7")
                    .and_then(|entry| reader.whole(entry, 0..=u64::MAX));
                self.seed = seed.unwrap_or(self.seed);
            }
            "dt" => {
                if let Some(entry) = reader.argument(node, "dt 0.1")
                    && let Some(seconds) = reader.number(entry)
                {
                    let micros = (seconds * 1e6).round();
                    if (1.0..=MAX_DT * 1e6).contains(&micros) {
                        self.dt = Duration::from_micros(micros as u64);
                    } else {
                        let message = format!("{seconds} seconds are out of range");
                        let help = format!(
                            "allowed are 0.000001 to {MAX_DT:.0} seconds between two ticks"
                        );
                        reader.wrong(bytes(entry), message, Some(help));
                    }
                }
            }
            // Sections are read when the tree is known.
            _ => {}
        }
    }
}

impl Reader<'_> {
    fn count(&mut self, node: &KdlNode, count: &mut u32, example: &str, least: u32, most: u32) {
        if let Some(entry) = self.argument(node, example)
            && let Some(value) = self.whole(entry, least..=most)
        {
            *count = value;
        }
    }

    /// The scenario's tree, in a file or inside. `None` if the scenario names it wrongly, which is
    /// among the found.
    fn tree(
        &mut self,
        document: &KdlDocument,
        shelf: &mut Shelf,
        open: &Open<'_>,
        options: &Options,
    ) -> Option<Result<(Tree, Shape), Diagnostics>> {
        let trees: Vec<&KdlNode> = document
            .nodes()
            .iter()
            .filter(|node| node.name().value() == "tree")
            .collect();
        let (inside, files): (Vec<&KdlNode>, Vec<&KdlNode>) = trees
            .into_iter()
            .partition(|node| node.children().is_some());
        match (inside.as_slice(), files.as_slice()) {
            ([], [file]) => {
                let mut nodes = document.nodes().iter();
                if let Some(include) = nodes.find(|node| node.name().value() == "include") {
                    let help = "include it in the tree's file";
                    let message = "no tree stands here that could use what is included";
                    self.wrong(bytes(include), message, Some(help.into()));
                }
                self.tree_file(file, open, options)
            }
            ([_, ..], []) => Some(self.trees_inside(document, shelf)),
            ([], []) => {
                let help =
                    "write `tree \"guard.kdl\"`, a path relative to this file, or the tree itself";
                self.wrong(0..0, "the scenario names no tree", Some(help.into()));
                None
            }
            ([], [_, second, ..]) | ([_, ..], [second, ..]) => {
                let help = "name one file, or write the tree and its subtrees inside";
                self.wrong(
                    bytes(*second),
                    "the scenario has a tree already",
                    Some(help.into()),
                );
                None
            }
        }
    }

    fn tree_file(
        &mut self,
        node: &KdlNode,
        open: &Open<'_>,
        options: &Options,
    ) -> Option<Result<(Tree, Shape), Diagnostics>> {
        let example = "tree \"../trees/guard.kdl\"";
        let entry = *self.arguments(node, 1..=1, example, &["name"])?.first()?;
        let path = self.text(entry, "the path of a tree file")?;
        if path.len() > MAX_NAME || path.chars().any(char::is_control) {
            let message = format!("a path has at most {MAX_NAME} bytes and no control characters");
            self.wrong(bytes(entry), message, None);
            return None;
        }
        let name = match self.property(node, "name") {
            Some(entry) => Some(self.text(entry, "the name of a tree in that file")?),
            None => None,
        };
        let (source, mut shelf) = match open(path) {
            Ok(opened) => opened,
            Err(errors) => {
                let reason = errors
                    .iter()
                    .next()
                    .map_or("it cannot be read", |error| error.message());
                let help = "the path is relative to the scenario's file".to_owned();
                self.wrong(
                    bytes(entry),
                    format!("tree file {}: {reason}", quoted(path)),
                    Some(help),
                );
                return None;
            }
        };
        let read = parse_with_options(&shelf.place, source.text(), &mut *shelf.loader, options);
        let document = match read {
            Ok(document) => document,
            Err(errors) => return Some(Err(errors)),
        };
        let shape = match name {
            Some(name) => document.compile(name),
            None => document.compile_main(),
        };
        let tree = name.and_then(|name| document.tree(name));
        let tree = tree.unwrap_or(document.main());
        Some(shape.map(|shape| (tree.clone(), shape)))
    }

    fn trees_inside(
        &mut self,
        document: &KdlDocument,
        shelf: &mut Shelf,
    ) -> Result<(Tree, Shape), Diagnostics> {
        let text = only_trees(self.source, document);
        let document = parse_with(&shelf.place, &text, &mut *shelf.loader)?;
        let shape = document.compile_main()?;
        Ok((document.main().clone(), shape))
    }
}

/// Whether a document has one of the nodes that only scenarios have at top level.
pub(crate) fn is_scenario(document: &KdlDocument) -> bool {
    let names = document.nodes().iter().map(|node| node.name().value());
    names
        .filter(|name| !matches!(*name, "tree" | "include"))
        .any(|name| KEYS.contains(&name))
}

/// Trees and includes inside a scenario: the same text with all the rest blanked, so that lines and
/// columns stay.
pub(crate) fn only_trees(source: &Source, document: &KdlDocument) -> String {
    let text = source.text().as_bytes();
    let blank = |&byte: &u8| {
        if matches!(byte, b'\n' | b'\r') {
            byte
        } else {
            b' '
        }
    };
    let mut blanked: Vec<u8> = text.iter().map(blank).collect();
    let mut nodes = document.nodes().iter().peekable();
    while let Some(node) = nodes.next() {
        // A node's span does not say where its children end; the next node's says where it begins.
        let end = nodes.peek().map_or(text.len(), |next| start(next));
        if matches!(node.name().value(), "tree" | "include")
            && let (Some(to), Some(from)) = (
                blanked.get_mut(start(node)..end),
                text.get(start(node)..end),
            )
        {
            to.copy_from_slice(from);
        }
    }
    String::from_utf8_lossy(&blanked).into_owned()
}

/// The byte at which a node begins, with its type if it has one.
fn start(node: &KdlNode) -> usize {
    let name = bytes(node).start;
    node.ty()
        .map_or(name, |ty| bytes(ty).start.saturating_sub(1).min(name))
}

/// The functions of a shape that are of a kind, by name.
pub(crate) fn functions(shape: &Shape, kind: FunctionKind) -> impl Iterator<Item = (usize, &str)> {
    let functions = shape.tables().functions.iter().enumerate();
    functions
        .filter(move |(_, def)| def.kind() == Some(kind))
        .filter(|&(index, _)| !shape.is_inner_function(index as u32))
        .map(|(index, def)| (index, shape.name(def.name)))
}
