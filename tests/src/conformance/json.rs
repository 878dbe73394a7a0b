//! From a line of JSON to a case.
//!
//! Three formats, told apart by what they have: `events` and `root` beside the tree, one answer
//! for all peers; `expect` as an object, an answer for each peer; `expect` as a list, ticks of
//! deferred actions. Anything may come in: JSON nested too deep, numbers of any size, missing
//! or repeated names. All of that is an error with a message, never a panic.

use std::collections::{BTreeMap, BTreeSet};

use pleach_shape::Status;
use pleach_tree::{
    NodeDef, NodeKind, Threshold, Tree, action, compile, concurrent, failer, invert, parallel,
    reactive_selector, reactive_sequence, selector, sequence, succeeder, task,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::case::{Case, Outcome, Reading, ReleaseOutcome, ScriptEntry, TickOutcome};
use crate::observation::Finish;

/// The most ticks a case may have: results are scheduled in 32 bits, and no recorded case comes
/// near.
const MAX_TICKS: u64 = 1 << 20;

/// The peer whose answers are followed where the peers differ.
const FOLLOWED_PEER: &str = "pytrees";

/// Reads a case.
///
/// # Errors
/// With what is wrong with the line.
pub fn read_case(line: &[u8]) -> Result<Reading, String> {
    let value: Value = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let Value::Object(fields) = &value else {
        return Err("a case is a JSON object".into());
    };
    match fields.get("expect") {
        Some(Value::Array(_)) => deferred(value),
        Some(Value::Object(_)) => peers_differ(value),
        Some(_) => Err("`expect` is neither an object nor a list".into()),
        None if fields.contains_key("events") => consensus(value),
        None => Err("the case has neither `events` nor `expect`".into()),
    }
}

fn typed<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

#[derive(Deserialize)]
struct ScriptedCase {
    id: String,
    tree: Value,
    ticks: u64,
    script: BTreeMap<String, String>,
    #[serde(default)]
    abort_after: Vec<u64>,
}

#[derive(Deserialize)]
struct Answer {
    root: String,
    events: Vec<Vec<String>>,
    #[serde(default)]
    abort_events: Vec<Vec<String>>,
}

fn consensus(value: Value) -> Result<Reading, String> {
    let answer: Answer = typed(value.clone())?;
    scripted(typed(value)?, Some(answer))
}

fn peers_differ(mut value: Value) -> Result<Reading, String> {
    let mut expect: BTreeMap<String, Answer> = typed(value["expect"].take())?;
    scripted(typed(value)?, expect.remove(FOLLOWED_PEER))
}

/// Both formats of scripts by leaf.
fn scripted(raw: ScriptedCase, answer: Option<Answer>) -> Result<Reading, String> {
    let ticks = tick_count(raw.ticks)?;
    let mut build = Build::new(&["leaf"]);
    let root = build.node(&raw.tree)?;
    // A tree that is refused is refused whatever else it has, now and later.
    let tree = match build.tree(root) {
        Ok(tree) => tree,
        Err(refusal) => return Ok(refusal),
    };
    let Some(answer) = answer else {
        return Ok(Reading::NoExpectation);
    };
    if build.unsupported {
        return Ok(Reading::Unsupported);
    }

    let mut tasks = BTreeMap::new();
    for name in build.tasks {
        let letters = raw.script.get(&name);
        let letters = letters.ok_or_else(|| format!("leaf `{name}` has no script"))?;
        let answers = statuses(letters)?;
        if answers.len() < ticks as usize {
            return Err(format!(
                "the script of leaf `{name}` has {} letters for {ticks} ticks",
                answers.len()
            ));
        }
        tasks.insert(name, answers);
    }
    let abort_after: BTreeSet<u32> = raw
        .abort_after
        .iter()
        .map(|&tick| match u32::try_from(tick) {
            Ok(short) if short < ticks => Ok(short),
            _ => Err(format!(
                "`abort_after` is {tick}, the case has {ticks} ticks"
            )),
        })
        .collect::<Result<_, _>>()?;

    let roots = statuses(&answer.root)?;
    same_length("root", roots.len(), ticks as usize)?;
    same_length("events", answer.events.len(), ticks as usize)?;
    same_length("abort_events", answer.abort_events.len(), abort_after.len())?;
    let mut expected = Outcome::default();
    for (root, events) in roots.into_iter().zip(&answer.events) {
        let (visits, halts) = marked(events)?;
        expected.ticks.push(TickOutcome {
            root,
            visits,
            halts,
            launches: BTreeSet::new(),
            cancels: BTreeSet::new(),
        });
    }
    for events in &answer.abort_events {
        let (visits, halts) = marked(events)?;
        if !visits.is_empty() {
            return Err("an abort visits nothing".into());
        }
        expected.releases.push(ReleaseOutcome {
            halts,
            cancels: BTreeSet::new(),
        });
    }
    Ok(Reading::Case(Box::new(Case {
        id: raw.id,
        tree,
        ticks,
        tasks,
        actions: Vec::new(),
        abort_after,
        expected,
    })))
}

type Marked = (Vec<(String, bool)>, BTreeSet<String>);

/// Visits and halts of `+a`, `.a`, `-a`; `~a` is a peer's own bookkeeping.
fn marked(events: &[String]) -> Result<Marked, String> {
    let mut visits = Vec::new();
    let mut halts = BTreeSet::new();
    for event in events {
        let mut letters = event.chars();
        let mark = letters.next();
        let name = letters.as_str().to_owned();
        match mark {
            Some('+') => visits.push((name, true)),
            Some('.') => visits.push((name, false)),
            Some('-') => {
                halts.insert(name);
            }
            Some('~') => {}
            _ => {
                return Err(format!(
                    "the event `{event}` starts with none of `+`, `.`, `-`, `~`"
                ));
            }
        }
    }
    Ok((visits, halts))
}

#[derive(Deserialize)]
struct DeferredCase {
    case: u64,
    family: String,
    tree: Value,
    ticks: u64,
    expect: Vec<DeferredTick>,
    teardown: Teardown,
}

#[derive(Deserialize)]
struct DeferredTick {
    root: String,
    cancel: Vec<u64>,
    launch: Vec<u64>,
    imm: Vec<(u64, String)>,
}

#[derive(Deserialize)]
struct Teardown {
    cancel: Vec<u64>,
    imm: Vec<(u64, String)>,
}

fn deferred(value: Value) -> Result<Reading, String> {
    let raw: DeferredCase = typed(value)?;
    let ticks = tick_count(raw.ticks)?;
    let mut build = Build::new(&["immediate", "deferred"]);
    let root = build.node(&raw.tree)?;
    let tree = match build.tree(root) {
        Ok(tree) => tree,
        Err(refusal) => return Ok(refusal),
    };
    if build.unsupported {
        return Ok(Reading::Unsupported);
    }
    for (name, answers) in &build.immediates {
        if answers.len() < ticks as usize {
            return Err(format!(
                "the script of immediate {name} has {} letters for {ticks} ticks",
                answers.len()
            ));
        }
    }
    same_length("expect", raw.expect.len(), ticks as usize)?;
    let mut expected = Outcome::default();
    for tick in raw.expect {
        let [root] = statuses(&tick.root)?[..] else {
            return Err(format!(
                "the root answers one letter a tick, not `{}`",
                tick.root
            ));
        };
        let (visits, halts) = called(tick.imm)?;
        expected.ticks.push(TickOutcome {
            root,
            visits,
            halts,
            launches: named(tick.launch),
            cancels: named(tick.cancel),
        });
    }
    let (visits, halts) = called(raw.teardown.imm)?;
    if !visits.is_empty() {
        return Err("a teardown visits nothing".into());
    }
    expected.releases.push(ReleaseOutcome {
        halts,
        cancels: named(raw.teardown.cancel),
    });
    Ok(Reading::Case(Box::new(Case {
        id: format!("deferred/{}/{}", raw.family, raw.case),
        tree,
        ticks,
        tasks: build.immediates,
        actions: build.actions,
        abort_after: BTreeSet::from([ticks - 1]),
        expected,
    })))
}

fn named(ids: Vec<u64>) -> BTreeSet<String> {
    ids.into_iter().map(|id| id.to_string()).collect()
}

/// Visits and halts of `L`, `R`, `C`.
fn called(calls: Vec<(u64, String)>) -> Result<Marked, String> {
    let mut visits = Vec::new();
    let mut halts = BTreeSet::new();
    for (id, call) in calls {
        match call.as_str() {
            "L" => visits.push((id.to_string(), true)),
            "R" => visits.push((id.to_string(), false)),
            "C" => {
                halts.insert(id.to_string());
            }
            _ => {
                return Err(format!(
                    "the call of immediate {id} is `{call}`, none of L, R, C"
                ));
            }
        }
    }
    Ok((visits, halts))
}

fn tick_count(ticks: u64) -> Result<u32, String> {
    match u32::try_from(ticks) {
        Ok(short) if (1..=MAX_TICKS).contains(&ticks) => Ok(short),
        _ => Err(format!(
            "the case has {ticks} ticks, allowed is 1 to {MAX_TICKS}"
        )),
    }
}

fn same_length(what: &str, found: usize, wanted: usize) -> Result<(), String> {
    if found == wanted {
        return Ok(());
    }
    Err(format!(
        "`{what}` has {found} entries, expected are {wanted}"
    ))
}

fn statuses(letters: &str) -> Result<Vec<Status>, String> {
    let status = |letter: char| {
        let found = Status::ALL
            .into_iter()
            .find(|status| status.letter() == letter);
        found.ok_or_else(|| format!("`{letter}` is none of the statuses S, F, R"))
    };
    letters.chars().map(status).collect()
}

/// A node of either tree format; which fields are needed depends on the kind.
#[derive(Deserialize)]
struct RawNode {
    node: String,
    #[serde(default)]
    children: Vec<Value>,
    name: Option<String>,
    id: Option<u64>,
    n: Option<i64>,
    success_threshold: Option<i64>,
    failure_threshold: Option<i64>,
    script: Option<Value>,
}

/// A tree being built, and what its leaves turned out to be.
#[derive(Default)]
struct Build {
    /// The kinds of leaves that the format knows how to script.
    leaves: &'static [&'static str],
    /// Names of leaves that are scripted from outside the tree.
    tasks: BTreeSet<String>,
    /// Leaves that carry their script.
    immediates: BTreeMap<String, Vec<Status>>,
    actions: Vec<(String, Vec<ScriptEntry>)>,
    names: BTreeSet<String>,
    unsupported: bool,
    refused: bool,
}

impl Build {
    fn new(leaves: &'static [&'static str]) -> Build {
        Build {
            leaves,
            ..Build::default()
        }
    }

    /// The finished tree, or why it will not be run.
    fn tree(&self, root: NodeDef) -> Result<Tree, Reading> {
        let tree = Tree::build("case").root(root);
        if self.refused || compile(&tree).is_err() {
            return Err(Reading::Refused);
        }
        Ok(tree)
    }

    /// Recurses as deep as the JSON nests, which its parser limits.
    fn node(&mut self, value: &Value) -> Result<NodeDef, String> {
        let raw: RawNode = RawNode::deserialize(value).map_err(|error| error.to_string())?;
        let mut children = Vec::new();
        for child in &raw.children {
            children.push(self.node(child)?);
        }
        let leaf = matches!(raw.node.as_str(), "leaf" | "immediate" | "deferred");
        if leaf && !self.leaves.contains(&raw.node.as_str()) {
            return Err(format!("this format has no {} nodes", raw.node));
        }
        if leaf && !children.is_empty() {
            return Err(format!("a {} has no children", raw.node));
        }
        // Compiling refuses childless composites; loops do not get that far.
        self.refused |= !leaf && children.is_empty();
        match raw.node.as_str() {
            "sequence" => Ok(sequence(children)),
            "fallback" => Ok(selector(children)),
            "reactive_sequence" => Ok(reactive_sequence(children)),
            "reactive_fallback" | "priority" => Ok(reactive_selector(children)),
            "parallel" => Ok(parallel(
                threshold("success_threshold", raw.success_threshold)?,
                threshold("failure_threshold", raw.failure_threshold)?,
                children,
            )),
            "concurrent" => Ok(concurrent(children)),
            "inverter" => Ok(only(children, NodeKind::Invert, invert)),
            "force_success" => Ok(only(children, NodeKind::Succeeder, succeeder)),
            "force_failure" => Ok(only(children, NodeKind::Failer, failer)),
            "repeat" | "retry" => {
                let n = raw.n.ok_or_else(|| format!("a {} has no `n`", raw.node))?;
                self.refused |= n == 0;
                self.unsupported = true;
                Ok(sequence(children))
            }
            "keep_running_until_failure" | "run_once" => {
                self.unsupported = true;
                Ok(sequence(children))
            }
            "leaf" => {
                let name = raw.name.ok_or("a leaf has no `name`")?;
                self.take_name(&name)?;
                self.tasks.insert(name.clone());
                Ok(task(name))
            }
            "immediate" => {
                let name = self.id(raw.id)?;
                let Some(Value::String(letters)) = &raw.script else {
                    return Err(format!("immediate {name} has no script of letters"));
                };
                self.immediates.insert(name.clone(), statuses(letters)?);
                Ok(task(name))
            }
            "deferred" => {
                let name = self.id(raw.id)?;
                let entries: Vec<(Option<u32>, String)> = typed(raw.script.unwrap_or_default())?;
                let script = entries
                    .into_iter()
                    .map(script_entry)
                    .collect::<Result<Vec<_>, _>>()?;
                if script.is_empty() {
                    return Err(format!("the script of deferred {name} is empty"));
                }
                self.actions.push((name.clone(), script));
                Ok(action(name))
            }
            other => Err(format!("unknown node `{other}`")),
        }
    }

    fn id(&mut self, id: Option<u64>) -> Result<String, String> {
        let name = id.ok_or("a leaf has no `id`")?.to_string();
        self.take_name(&name)?;
        Ok(name)
    }

    fn take_name(&mut self, name: &str) -> Result<(), String> {
        if self.names.insert(name.to_owned()) {
            return Ok(());
        }
        Err(format!("two leaves are named `{name}`"))
    }
}

/// A decorator; with any other number of children than one, a node for the compiler to refuse.
fn only(mut children: Vec<NodeDef>, kind: NodeKind, one: fn(NodeDef) -> NodeDef) -> NodeDef {
    match (children.pop(), children.is_empty()) {
        (Some(child), true) => one(child),
        (Some(child), false) => {
            children.push(child);
            NodeDef::new(kind, children)
        }
        (None, _) => NodeDef::new(kind, []),
    }
}

fn script_entry((after, status): (Option<u32>, String)) -> Result<ScriptEntry, String> {
    // The result comes in at the start of a tick, and that of the launch is over.
    if after == Some(0) {
        return Err("a deferred result cannot come 0 ticks after its launch".into());
    }
    let finish = match status.as_str() {
        "S" => Finish::Success,
        "F" => Finish::Failure,
        _ => return Err(format!("a deferred result is `{status}`, neither S nor F")),
    };
    Ok(ScriptEntry { after, finish })
}

fn threshold(what: &str, count: Option<i64>) -> Result<Threshold, String> {
    match count {
        Some(-1) => Ok(Threshold::All),
        Some(count) => match u32::try_from(count) {
            Ok(count) => Ok(Threshold::Count(count)),
            Err(_) => Err(format!(
                "`{what}` is {count}, which is no number of children"
            )),
        },
        None => Err(format!("a parallel has no `{what}`")),
    }
}
