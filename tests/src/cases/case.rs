//! A case of a file, checked: what is missing, unknown or of the wrong length is refused here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use pleach_shape::{Status, Value};
use pleach_tree::{Column, NodeKind, Tree, WorldValue};
use serde::Deserialize;

use super::notation::{read_declarations, read_time, read_tree, read_value};
use super::score::{Mark, cells, marks, status};

/// A file of cases as it is written. Every key that is not named here is an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    case: Vec<RawCase>,
}

type Rows = BTreeMap<String, String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCase {
    name: String,
    rules: Vec<String>,
    tree: String,
    #[serde(default)]
    columns: String,
    #[serde(default)]
    world: String,
    seed: Option<u64>,
    interval: Option<u32>,
    #[serde(default)]
    shuffled: String,
    recast: Option<String>,
    dt: Option<String>,
    life: Option<String>,
    #[serde(default)]
    before: Rows,
    #[serde(default)]
    task: Rows,
    #[serde(default)]
    query: Rows,
    #[serde(default)]
    persistent: Rows,
    #[serde(default)]
    result: Rows,
    root: String,
    walk: String,
    requests: Option<String>,
    #[serde(default)]
    after: Rows,
}

/// What happens to an actor before a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// It is unloaded.
    Unload,
    /// It is loaded.
    Load,
    /// It is reset.
    Reset,
}

/// What comes back for an action before a tick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Success or Failure, and it must be taken.
    Finished(Status),
    /// An error (L5), and it must be taken.
    Error,
    /// A Success that must be refused: nobody waits for it.
    Late,
}

/// Where a written value goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The column of that position, of the actor.
    Column(usize),
    /// The world value of that position.
    World(usize),
}

/// A target, and what is written to it before each tick.
pub type Writes = (Target, Vec<Option<Value>>);

/// What a case says of one tick.
#[derive(Clone, PartialEq, Debug)]
pub struct Expected {
    /// The root's status; none for an actor that is out.
    pub root: Option<Status>,
    /// Visits and halts of all nodes that have a name, in order.
    pub walk: Vec<Mark>,
    /// Requests, sorted.
    pub requests: Vec<Mark>,
    /// Columns behind the tick, by position.
    pub columns: Vec<(usize, Value)>,
}

/// A case: a tree, what happens to it, and what must come of it.
#[derive(Debug)]
pub struct Case {
    /// The file's name.
    pub file: String,
    /// What it shows.
    pub name: String,
    /// The rules it shows.
    pub rules: Vec<String>,
    /// The tree.
    pub tree: Tree,
    /// By depth-first index, the name that rows use. Calls are named by what they call.
    pub names: Vec<Option<String>>,
    /// Number of ticks.
    pub ticks: usize,
    /// What draws are keyed with. A case that gives one is played by a population's first actor alone,
    /// since draws depend on the actor's id as well.
    pub seed: Option<u64>,
    /// The actor is due in the first tick, and in every so many-th from there on (T7).
    pub interval: u32,
    /// Tasks that are called by the order in which they are visited, not by their places.
    pub shuffled: Vec<u32>,
    /// Whether that order is forgotten before a tick.
    pub recast: Vec<bool>,
    /// Microseconds of each tick.
    pub dt: Vec<u64>,
    /// Before each tick, what happens to the actor.
    pub life: Vec<Vec<Life>>,
    /// Values written before a tick.
    pub before: Vec<Writes>,
    /// By depth-first index, what a task or query answers when it is visited in a tick.
    pub answers: BTreeMap<u32, Vec<Option<Status>>>,
    /// By slot, what its system writes before a tick.
    pub persistent: Vec<Vec<Option<Status>>>,
    /// By slot, the results that come in before a tick.
    pub results: Vec<Vec<Option<Answer>>>,
    /// The node of each deferred slot.
    pub actions: Vec<u32>,
    /// What is right.
    pub expected: Vec<Expected>,
}

/// Reads the cases of a file, whose name is only for messages.
///
/// # Errors
/// If the file is no TOML, has a key that is not known, or a case is incomplete: with file and case.
pub fn read_cases(path: &Path, text: &str) -> Result<Vec<Case>, String> {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let raw: RawFile = toml::from_str(text).map_err(|error| format!("{file}: {error}"))?;
    let mut names = BTreeSet::new();
    let mut cases = Vec::new();
    for case in raw.case {
        let name = case.name.clone();
        let refuse = |message: String| format!("{file}: case \"{name}\": {message}");
        if !names.insert(name.clone()) {
            return Err(refuse("there is another one of that name".into()));
        }
        cases.push(read_case(&file, case).map_err(refuse)?);
    }
    Ok(cases)
}

/// The tree of a case, with what it declares.
///
/// # Errors
/// If its text is none.
pub(super) fn read_whole_tree(tree: &str, columns: &str, world: &str) -> Result<Tree, String> {
    let columns = read_declarations(columns).map_err(|error| format!("columns: {error}"))?;
    let world = read_declarations(world).map_err(|error| format!("world: {error}"))?;
    let world = world.into_iter().map(|value| WorldValue {
        name: value.name,
        default: value.default,
        labels: value.labels,
    });
    let root = read_tree(tree).map_err(|error| format!("tree: {error}"))?;
    Ok(Tree::build("t")
        .with_columns(columns)
        .with_world(world)
        .root(root))
}

fn read_case(file: &str, mut raw: RawCase) -> Result<Case, String> {
    let tree = read_whole_tree(&raw.tree, &raw.columns, &raw.world)?;
    pleach_tree::compile(&tree).map_err(|error| error.to_string())?;
    if raw.rules.is_empty() {
        return Err("it shows no rule".into());
    }
    let names = names(&tree)?;
    let ticks = raw.root.split_whitespace().count();
    if ticks == 0 || raw.root.contains('*') {
        return Err("row `root` says how many ticks there are: a cell for each".into());
    }

    let mut answers = BTreeMap::new();
    let (mut persistent, mut results, mut actions) = (Vec::new(), Vec::new(), Vec::new());
    for node in tree.nodes() {
        let Some(name) = &names[node.id.0 as usize] else {
            continue;
        };
        match node.kind {
            NodeKind::Task(_) => {
                let row = script("task", name, raw.task.remove(name), ticks, status)?;
                answers.insert(node.id.0, row);
            }
            NodeKind::Query(_) => {
                let holds = |cell: &str| status(cell).filter(|status| status.is_finished());
                let row = script("query", name, raw.query.remove(name), ticks, holds)?;
                answers.insert(node.id.0, row);
            }
            NodeKind::PersistentAction(_) => {
                let row = raw.persistent.remove(name);
                persistent.push(script("persistent", name, row, ticks, status)?);
            }
            NodeKind::Action(_) => {
                let row = raw.result.remove(name);
                results.push(script("result", name, row, ticks, answer)?);
                actions.push(node.id.0);
            }
            _ => {}
        }
    }
    for (what, rest) in [
        ("task", &raw.task),
        ("query", &raw.query),
        ("persistent", &raw.persistent),
        ("result", &raw.result),
    ] {
        if let Some(name) = rest.keys().next() {
            return Err(format!(
                "row `{what}.{name}` is about a leaf that the tree does not have"
            ));
        }
    }

    let recast = match &raw.recast {
        Some(row) => script("recast", "", Some(row.clone()), ticks, |cell| {
            (cell == "x").then_some(())
        })?
        .iter()
        .map(Option::is_some)
        .collect(),
        None => vec![false; ticks],
    };
    let case = Case {
        file: file.to_owned(),
        ticks,
        seed: raw.seed,
        interval: raw.interval.unwrap_or(1).max(1),
        shuffled: shuffled(&raw.shuffled, &names, &answers)?,
        recast,
        dt: dt(raw.dt.as_deref(), ticks)?,
        life: life(raw.life.as_deref(), ticks)?,
        before: before(&raw.before, &tree, ticks)?,
        answers,
        persistent,
        results,
        expected: expected(&raw, &tree, &names, ticks, &actions)?,
        actions,
        names,
        tree,
        name: raw.name,
        rules: raw.rules,
    };
    if !case.shuffled.is_empty() && case.seed.is_some() {
        return Err("with a seed the order is known: `shuffled` is for cases without".into());
    }
    Ok(case)
}

/// The name of each node that has one: what people gave it, or what it calls.
fn names(tree: &Tree) -> Result<Vec<Option<String>>, String> {
    let mut seen = BTreeSet::new();
    let mut names = Vec::new();
    for node in tree.nodes() {
        let called = node.kind.call().map(|call| &call.name);
        let name = node.name.as_ref().or(called).cloned();
        if let Some(name) = &name
            && !seen.insert(name.clone())
        {
            return Err(format!("two nodes are called `{name}`: name one of them"));
        }
        names.push(name);
    }
    Ok(names)
}

/// A row with a cell for each tick, `-` for nothing.
fn script<T>(
    what: &str,
    name: &str,
    row: Option<String>,
    ticks: usize,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Vec<Option<T>>, String> {
    let title = match name {
        "" => what.to_owned(),
        name => format!("{what}.{name}"),
    };
    let Some(row) = row else {
        return Err(format!("`{name}` has no row `{title}`"));
    };
    let cells = cells(&title, &row, ticks)?;
    let read = |cell: &str| match cell {
        "-" => Ok(None),
        cell => match read(cell) {
            Some(value) => Ok(Some(value)),
            None => Err(format!(
                "row `{title}` has a cell `{cell}`, which says nothing there"
            )),
        },
    };
    cells.into_iter().map(read).collect()
}

fn answer(cell: &str) -> Option<Answer> {
    match cell {
        "S" => Some(Answer::Finished(Status::Success)),
        "F" => Some(Answer::Finished(Status::Failure)),
        "E" => Some(Answer::Error),
        "late" => Some(Answer::Late),
        _ => None,
    }
}

fn shuffled(
    text: &str,
    names: &[Option<String>],
    answers: &BTreeMap<u32, Vec<Option<Status>>>,
) -> Result<Vec<u32>, String> {
    let task = |name: &str| {
        let node = names
            .iter()
            .position(|known| known.as_deref() == Some(name));
        let node = node.map(|node| node as u32);
        node.filter(|node| answers.contains_key(node))
            .ok_or_else(|| format!("`shuffled` names `{name}`, which is no task of the tree"))
    };
    text.split_whitespace().map(task).collect()
}

fn dt(row: Option<&str>, ticks: usize) -> Result<Vec<u64>, String> {
    let cells = cells("dt", row.unwrap_or("1ms*"), ticks)?;
    let micros = |cell: &&str| {
        let time = read_time(cell).map_err(|error| format!("row `dt`: {error}"))?;
        u64::try_from(time.as_micros()).map_err(|_| format!("row `dt`: {cell} is too long"))
    };
    cells.iter().map(micros).collect()
}

fn life(row: Option<&str>, ticks: usize) -> Result<Vec<Vec<Life>>, String> {
    let cells = cells("life", row.unwrap_or("-*"), ticks)?;
    let event = |text: &str| match text {
        "unload" => Ok(Life::Unload),
        "load" => Ok(Life::Load),
        "reset" => Ok(Life::Reset),
        other => Err(format!(
            "row `life`: `{other}` is none of unload, load, reset"
        )),
    };
    let events = |cell: &&str| match *cell {
        "-" => Ok(Vec::new()),
        cell => cell.split(',').map(event).collect(),
    };
    cells.iter().map(events).collect()
}

fn before(rows: &Rows, tree: &Tree, ticks: usize) -> Result<Vec<Writes>, String> {
    let mut writes = Vec::new();
    for (name, row) in rows {
        let column = tree.columns().iter().position(|known| known.name == *name);
        let world = tree.world().iter().position(|known| known.name == *name);
        let (target, declared) = match (column, world) {
            (Some(at), _) => (Target::Column(at), tree.columns()[at].clone()),
            (None, Some(at)) => {
                let value = &tree.world()[at];
                let declared = Column {
                    name: value.name.clone(),
                    default: value.default,
                    labels: value.labels.clone(),
                };
                (Target::World(at), declared)
            }
            (None, None) => {
                return Err(format!(
                    "row `before.{name}` is about nothing that is declared"
                ));
            }
        };
        let read = |cell: &str| read_value(cell, &declared);
        writes.push((
            target,
            script("before", name, Some(row.clone()), ticks, read)?,
        ));
    }
    Ok(writes)
}

fn expected(
    raw: &RawCase,
    tree: &Tree,
    names: &[Option<String>],
    ticks: usize,
    actions: &[u32],
) -> Result<Vec<Expected>, String> {
    let roots = script("root", "", Some(raw.root.clone()), ticks, status)?;
    let walks = cells("walk", &raw.walk, ticks)?;
    let requests = match (&raw.requests, actions.is_empty()) {
        (Some(row), false) => cells("requests", row, ticks)?,
        (None, true) => vec!["-"; ticks],
        (Some(_), true) => return Err("row `requests`: the tree has no action".into()),
        (None, false) => return Err("the tree has actions, but there is no row `requests`".into()),
    };
    let mut columns = Vec::new();
    for (name, row) in &raw.after {
        let Some(at) = tree.columns().iter().position(|known| known.name == *name) else {
            return Err(format!("row `after.{name}` is about no column"));
        };
        let read = |cell: &str| read_value(cell, &tree.columns()[at]);
        let values = script("after", name, Some(row.clone()), ticks, read)?;
        let values: Option<Vec<Value>> = values.into_iter().collect();
        let Some(values) = values else {
            return Err(format!("row `after.{name}` leaves ticks out"));
        };
        columns.push((at, values));
    }
    for node in tree.nodes() {
        if let NodeKind::Set { column, .. } = &node.kind
            && !raw.after.contains_key(column)
        {
            return Err(format!(
                "the tree sets `{column}`, but there is no row `after.{column}`"
            ));
        }
    }
    let mut ticks = Vec::new();
    for (tick, root) in roots.into_iter().enumerate() {
        let walk = marks(walks[tick], names).map_err(|error| format!("row `walk`: {error}"))?;
        let mut requests =
            marks(requests[tick], names).map_err(|error| format!("row `requests`: {error}"))?;
        if requests.iter().any(|mark| !actions.contains(&mark.node)) {
            return Err("row `requests` is about a node that is no action".into());
        }
        requests.sort_unstable();
        ticks.push(Expected {
            root,
            walk,
            requests,
            columns: columns
                .iter()
                .map(|(at, values)| (*at, values[tick]))
                .collect(),
        });
    }
    Ok(ticks)
}

impl Case {
    /// What an actor that follows the script `shift` ticks late finds in a row.
    pub(super) fn at(&self, tick: usize, shift: usize) -> usize {
        (tick + shift) % self.ticks
    }

    /// Whether a node is a task or a query, whose visits every interpreter can tell.
    pub(super) fn is_called(&self, node: u32) -> bool {
        self.answers.contains_key(&node)
    }

    /// Whether the tree draws: what it does then depends on the actor's id.
    pub(super) fn draws(&self) -> bool {
        let random = |kind: &NodeKind| {
            matches!(
                kind,
                NodeKind::RandomSequence | NodeKind::RandomSelector | NodeKind::WaitBetween { .. }
            )
        };
        self.tree.nodes().any(|node| random(&node.kind))
    }
}
