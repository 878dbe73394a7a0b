//! From a line of JSON to a case.
//!
//! Three formats, told apart by what they have: `events` and `root` beside the tree, one answer
//! for all peers; `expect` as an object, an answer for each peer; `expect` as a list, ticks of
//! deferred actions. Anything may come in: JSON nested too deep, numbers of any size, missing
//! or repeated names. All of that is an error with a message, never a panic.

use std::collections::{BTreeMap, BTreeSet};

use pleach_shape::Status;
use pleach_text::quoted;
use pleach_tree::{
    NodeDef, NodeKind, Threshold, Tree, action, compile, concurrent, parallel, reactive_selector,
    reactive_sequence, selector, sequence, task,
};
use serde::Deserialize;

use super::case::{Case, Outcome, Reading, ReleaseOutcome, ScriptEntry, TickOutcome};
use super::raw::{Answer, DeferredCase, Format, RawNode, Script, ScriptedCase};
use super::shown;
use crate::observation::Finish;

/// The most ticks a case may have: results are scheduled in 32 bits, and no recorded case comes
/// near.
const MAX_TICKS: u64 = 1 << 20;

/// The peer whose answers are followed where the peers differ.
const FOLLOWED_PEER: &str = "pytrees";

/// Reads a case.
///
/// # Errors
/// With what is wrong with the line, control characters escaped. A tree that does not compile is an
/// error too, unless it is one of those that count as [`Reading::Refused`].
pub fn read_case(line: &[u8]) -> Result<Reading, String> {
    match typed(line)? {
        Format::Deferred => deferred(typed(line)?),
        Format::PeersDiffer => {
            let mut raw: ScriptedCase<'_> = typed(line)?;
            let answers = raw.expect.take();
            let answer = answers.and_then(|mut answers| answers.remove(FOLLOWED_PEER));
            scripted(raw, answer)
        }
        Format::Consensus => {
            let mut raw: ScriptedCase<'_> = typed(line)?;
            let answer = raw.take_answer()?;
            scripted(raw, Some(answer))
        }
    }
}

/// The line as the type that it must have.
fn typed<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|error| shown(&error.to_string()).to_string())
}

/// Both formats of scripts by leaf.
fn scripted(raw: ScriptedCase<'_>, answer: Option<Answer>) -> Result<Reading, String> {
    let ticks = tick_count(raw.ticks)?;
    let mut build = Build::new(&["leaf"]);
    let root = build.node(raw.tree)?;
    // A tree that is refused is refused whatever else it has, now and later.
    let Some(tree) = build.tree(root)? else {
        return Ok(Reading::Refused);
    };
    let Some(answer) = answer else {
        return Ok(Reading::NoExpectation);
    };

    let mut tasks = BTreeMap::new();
    for name in build.tasks {
        let letters = raw.script.get(&name);
        let letters = letters.ok_or_else(|| format!("leaf {} has no script", quoted(&name)))?;
        let answers = statuses(letters)?;
        if answers.len() < ticks as usize {
            return Err(format!(
                "the script of leaf {} has {} letters for {ticks} ticks",
                quoted(&name),
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
                    "the event {} starts with none of `+`, `.`, `-`, `~`",
                    quoted(event)
                ));
            }
        }
    }
    Ok((visits, halts))
}

fn deferred(raw: DeferredCase<'_>) -> Result<Reading, String> {
    let ticks = tick_count(raw.ticks)?;
    let mut build = Build::new(&["immediate", "deferred"]);
    let root = build.node(raw.tree)?;
    let Some(tree) = build.tree(root)? else {
        return Ok(Reading::Refused);
    };
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
                "the root answers one letter a tick, not {}",
                quoted(&tick.root)
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
                    "the call of immediate {id} is {}, none of L, R, C",
                    quoted(&call)
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
        found.ok_or_else(|| {
            let letter = quoted(letter.encode_utf8(&mut [0; 4]));
            format!("{letter} is none of the statuses S, F, R")
        })
    };
    letters.chars().map(status).collect()
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
    refused: bool,
}

impl Build {
    fn new(leaves: &'static [&'static str]) -> Build {
        Build {
            leaves,
            ..Build::default()
        }
    }

    /// The finished tree; none if it is one that the engine refuses by design.
    fn tree(&self, root: NodeDef) -> Result<Option<Tree>, String> {
        if self.refused {
            return Ok(None);
        }
        let tree = Tree::build("case").root(root);
        match compile(&tree) {
            Ok(_) => Ok(Some(tree)),
            Err(error) => {
                let message = error.problems().first().map_or("", |first| &first.message);
                Err(format!("the tree does not compile: {}", shown(message)))
            }
        }
    }

    /// Recurses as deep as the JSON nests, which its parser limits.
    fn node(&mut self, raw: RawNode<'_>) -> Result<NodeDef, String> {
        let mut children = Vec::with_capacity(raw.children.len());
        for child in raw.children {
            children.push(self.node(child)?);
        }
        let leaf = matches!(&*raw.node, "leaf" | "immediate" | "deferred");
        if leaf && !self.leaves.contains(&&*raw.node) {
            return Err(format!("this format has no {} nodes", raw.node));
        }
        if leaf && !children.is_empty() {
            return Err(format!("a {} has no children", raw.node));
        }
        // These two are refused by design: a composite without a child, a loop of no iteration.
        self.refused |= !leaf && children.is_empty();
        match &*raw.node {
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
            "inverter" => Ok(NodeDef::new(NodeKind::Invert, children)),
            "force_success" => Ok(NodeDef::new(NodeKind::Succeeder, children)),
            "force_failure" => Ok(NodeDef::new(NodeKind::Failer, children)),
            "repeat" => {
                let kind = NodeKind::Repeat {
                    times: Some(self.iterations(&raw.node, raw.n)?),
                    break_on_failure: true,
                };
                Ok(NodeDef::new(kind, children))
            }
            "retry" => {
                let max = Some(self.iterations(&raw.node, raw.n)?);
                Ok(NodeDef::new(NodeKind::RepeatUntilSuccess { max }, children))
            }
            "keep_running_until_failure" => {
                let kind = NodeKind::Repeat {
                    times: None,
                    break_on_failure: true,
                };
                Ok(NodeDef::new(kind, children))
            }
            "run_once" => Ok(NodeDef::new(NodeKind::RunOnce, children)),
            "leaf" => {
                let name = raw.name.ok_or("a leaf has no `name`")?;
                self.take_name(&name)?;
                self.tasks.insert(name.clone());
                Ok(task(name))
            }
            "immediate" => {
                let name = self.id(raw.id)?;
                let Some(Script::Letters(letters)) = raw.script else {
                    return Err(format!("immediate {name} has no script of letters"));
                };
                self.immediates.insert(name.clone(), statuses(&letters)?);
                Ok(task(name))
            }
            "deferred" => {
                let name = self.id(raw.id)?;
                let Some(Script::Entries(entries)) = raw.script else {
                    return Err(format!("deferred {name} has no script of entries"));
                };
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
            other => Err(format!("unknown node {}", quoted(other))),
        }
    }

    /// How often a loop runs its child at most. None at all is refused by design.
    fn iterations(&mut self, node: &str, n: Option<i64>) -> Result<u32, String> {
        let n = n.ok_or_else(|| format!("a {node} has no `n`"))?;
        self.refused |= n == 0;
        let allowed = u32::MAX;
        u32::try_from(n).map_err(|_| format!("`n` of a {node} is {n}, allowed is 1 to {allowed}"))
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
        Err(format!("two leaves are named {}", quoted(name)))
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
        status => {
            let status = quoted(status);
            return Err(format!("a deferred result is {status}, neither S nor F"));
        }
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
