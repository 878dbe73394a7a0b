//! Which columns and parameters each tree has, and what its uses of others give and map.
//!
//! A subtree of BehaviorTree.CPP has a blackboard of its own in each of its uses. Here a column of a
//! used tree is one of the using tree, of the same name unless a use maps it. So where two would be
//! one that are not, a use maps the inner one to a column made for it.

use std::collections::{HashMap, HashSet, VecDeque};

use super::fact::{Entry, Number};
use super::meaning::Meaning;
use super::names::Names;
use super::plan::{Node, Plan, PortValue};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, quoted};
use crate::read::MAX_PARAMS;

/// How many columns all trees together may have, those of used trees included.
const MAX_COLUMNS: usize = 1 << 18;

/// A column that a tree declares.
#[derive(Clone, Debug)]
pub(super) struct ColumnOf {
    pub(super) name: String,
    /// The key that it is, for its type.
    pub(super) tree: usize,
    pub(super) key: String,
    /// What it begins with, if not with the type's zero: a text in a port.
    pub(super) first: Option<String>,
}

/// The columns that a tree has, its own and those of used trees.
#[derive(Default)]
struct Columns {
    /// Of its own scope, by name, with their keys.
    open: Vec<(String, String)>,
    /// Of scopes below.
    inner: Vec<ColumnOf>,
}

#[derive(Default)]
pub(super) struct Scope {
    /// The columns that the tree declares.
    pub(super) columns: Vec<ColumnOf>,
    /// The keys that are parameters, in order.
    pub(super) params: Vec<String>,
    /// For each node that uses a tree: the names of that tree's columns, and what they are here.
    pub(super) maps: HashMap<usize, Vec<(String, String)>>,
}

/// Works out the scopes of all trees.
pub(super) fn scopes(plans: &[Plan], names: &mut Names<'_>, found: &mut Diagnostics) -> Vec<Scope> {
    let mut scopes: Vec<Scope> = plans.iter().map(|_| Scope::default()).collect();
    parameters(plans, names, &mut scopes, found);
    let mut all: Vec<Columns> = plans.iter().map(|_| Columns::default()).collect();
    let mut count = 0;
    for tree in names.order() {
        columns(tree, plans, names, &mut scopes, &mut all);
        count += all[tree].open.len() + all[tree].inner.len();
        if count > MAX_COLUMNS {
            let plan = &plans[tree];
            let message = format!(
                "up to this one, the trees have more than {MAX_COLUMNS} entries of blackboards, those of subtrees included"
            );
            let error = Diagnostic::new(&plan.source, plan.span.clone(), Code::Limit.says(message));
            found.push(error.with_help("use subtrees less often, or share their blackboards"));
            break;
        }
    }
    scopes
}

fn uses(plan: &Plan) -> impl Iterator<Item = (usize, &Node)> {
    let nodes = plan.nodes.iter().enumerate();
    // Those in KDL say all themselves.
    nodes.filter(|(_, node)| node.meaning == Meaning::SubTree && node.kdl.is_none())
}

/// The keys that a tree's own nodes read or write.
fn own_keys(plan: &Plan) -> Vec<&str> {
    let mut keys: Vec<&str> = Vec::new();
    if let Some(declared) = &plan.declared {
        keys.extend(declared.declared.iter().map(|one| one.name.as_str()));
    }
    for node in &plan.nodes {
        for script in &node.scripts {
            let mut pending = Vec::new();
            for statement in &script.statements {
                match statement {
                    super::script::Statement::Assign(assign) => {
                        keys.push(&assign.name);
                        pending.push(&assign.value);
                    }
                    super::script::Statement::Term(term) => pending.push(term),
                }
            }
            while let Some(term) = pending.pop() {
                if let super::script::TermKind::Name(name) = &term.kind {
                    keys.push(name);
                }
                pending.extend(term.inner());
            }
        }
        if node.meaning == Meaning::SubTree {
            continue;
        }
        for port in node.read_ports() {
            match &port.value {
                PortValue::Key(key) => keys.push(key),
                PortValue::Text(key)
                    if node.meaning == Meaning::SetBlackboard && port.name == "output_key" =>
                {
                    keys.push(key);
                }
                PortValue::Text(_) => {}
            }
        }
    }
    let mut seen = HashSet::new();
    keys.retain(|key| !key.is_empty() && seen.insert(*key));
    keys
}

/// Which keys are parameters of their trees: those that a use gives something else than the key of
/// that name.
fn parameters(
    plans: &[Plan],
    names: &mut Names<'_>,
    scopes: &mut [Scope],
    found: &mut Diagnostics,
) {
    // A number that some use does not give is a text: it names itself. Few files have one.
    const ROUNDS: usize = 4;
    let mut read = HashSet::new();
    for round in 0..=ROUNDS {
        read = read_parameters(plans, names);
        let lacking = lacking(plans, names, &read);
        if lacking.is_empty() {
            break;
        }
        match round {
            ROUNDS => read
                .iter()
                .for_each(|(tree, key)| names.no_constant(*tree, key)),
            _ => lacking
                .iter()
                .for_each(|(tree, key)| names.no_constant(*tree, key)),
        }
    }
    for (tree, plan) in plans.iter().enumerate() {
        scopes[tree].params = match &plan.declared {
            Some(declared) => {
                let params = declared.params.iter();
                params.map(|param| param.name.clone()).collect()
            }
            None => {
                let keys = names.open[tree].iter();
                let own = keys.filter(|key| read.contains(&(tree, (*key).clone())));
                own.cloned().collect()
            }
        };
        if scopes[tree].params.len() > MAX_PARAMS {
            let message = format!(
                "the tree {} is given {} constants and keys, allowed are {MAX_PARAMS}",
                quoted(&plan.name),
                scopes[tree].params.len()
            );
            found.push(Diagnostic::new(
                &plan.source,
                plan.span.clone(),
                Code::Limit.says(message),
            ));
        }
    }
}

/// A tree and a key in it.
type Key = (usize, String);

/// The parameters that are numbers in some uses, and are not given in others.
fn lacking(plans: &[Plan], names: &Names<'_>, params: &HashSet<Key>) -> Vec<Key> {
    let mut constants: HashMap<usize, Vec<&str>> = HashMap::new();
    for (tree, key) in params {
        if plans[*tree].declared.is_some() {
            continue;
        }
        if matches!(names.entry(*tree, key), Entry::Constant(_) | Entry::Time) {
            constants.entry(*tree).or_default().push(key);
        }
    }
    let mut lacking = Vec::new();
    for (tree, plan) in plans.iter().enumerate() {
        for (_, node) in uses(plan) {
            let Some(target) = names.target(&node.tag) else {
                continue;
            };
            for &key in constants.get(&target).map_or(&[][..], Vec::as_slice) {
                let outer = match node.port(key).map(|port| &port.value) {
                    Some(PortValue::Text(_)) => continue,
                    Some(PortValue::Key(outer)) => outer.as_str(),
                    None if names.shares(node.sharing, target, key) => key,
                    None => "",
                };
                if !params.contains(&(tree, outer.to_owned())) {
                    lacking.push((target, key.to_owned()));
                }
            }
        }
    }
    lacking
}

/// The parameters of all trees that something reads.
fn read_parameters(plans: &[Plan], names: &Names<'_>) -> HashSet<Key> {
    let is_param = |names: &Names<'_>, tree: usize, key: &str| {
        matches!(
            names.entry(tree, key),
            Entry::Constant(_) | Entry::Time | Entry::Key
        ) && !names.is_global(tree, key)
    };
    // What a key of a tree is passed on to, and from where.
    let mut onward: HashMap<Key, Vec<Key>> = HashMap::new();
    let mut back: HashMap<Key, Vec<Key>> = HashMap::new();
    let mut given: VecDeque<Key> = VecDeque::new();
    for (tree, plan) in plans.iter().enumerate() {
        for (_, node) in uses(plan) {
            let Some(target) = names.target(&node.tag) else {
                continue;
            };
            let mut ported = HashSet::new();
            let mut pairs: Vec<(String, String)> = Vec::new();
            for port in &node.ports {
                ported.insert(port.name.as_str());
                match &port.value {
                    PortValue::Text(_) => given.push_back((target, port.name.clone())),
                    PortValue::Key(key) => {
                        if *key != port.name {
                            given.push_back((target, port.name.clone()));
                        }
                        pairs.push((key.clone(), port.name.clone()));
                    }
                }
            }
            for key in &names.open[target] {
                if ported.contains(key.as_str()) {
                    continue;
                }
                if names.shares(node.sharing, target, key) {
                    pairs.push((key.clone(), key.clone()));
                } else if names.is_apart(target, key) {
                    given.push_back((target, key.clone()));
                }
            }
            for (outer, inner) in pairs {
                let (outer, inner) = ((tree, outer), (target, inner));
                onward.entry(outer.clone()).or_default().push(inner.clone());
                back.entry(inner).or_default().push(outer);
            }
        }
    }
    for (tree, plan) in plans.iter().enumerate() {
        let keys = own_keys(plan).into_iter();
        let times = keys.filter(|key| *names.entry(tree, key) == Entry::Time);
        given.extend(times.map(|key| (tree, key.to_owned())));
    }
    let mut params: HashSet<Key> = HashSet::new();
    while let Some(key) = given.pop_front() {
        if is_param(names, key.0, &key.1) && params.insert(key.clone()) {
            given.extend(onward.get(&key).into_iter().flatten().cloned());
        }
    }
    // Only what a node reads, here or further down.
    let mut read: HashSet<Key> = HashSet::new();
    let mut pending: Vec<Key> = Vec::new();
    for (tree, plan) in plans.iter().enumerate() {
        let keys = own_keys(plan).into_iter().map(|key| (tree, key.to_owned()));
        pending.extend(keys.filter(|key| params.contains(key)));
    }
    while let Some(key) = pending.pop() {
        if params.contains(&key) && read.insert(key.clone()) {
            pending.extend(back.get(&key).into_iter().flatten().cloned());
        }
    }
    read
}

/// The columns of a tree, once those of all that it uses are known.
fn columns(
    tree: usize,
    plans: &[Plan],
    names: &mut Names<'_>,
    scopes: &mut [Scope],
    all: &mut [Columns],
) {
    let plan = &plans[tree];
    let is_column = |names: &Names<'_>, tree: usize, key: &str| {
        matches!(names.entry(tree, key), Entry::Number(_) | Entry::Labels(_))
    };
    let mut mine = Columns::default();
    let mut declared: Vec<ColumnOf> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    let mut taken: HashSet<String> = HashSet::new();
    let mut declare = |name: &str, key: &str, declared: &mut Vec<ColumnOf>| {
        if known.insert(name.to_owned()) {
            declared.push(ColumnOf {
                name: name.to_owned(),
                tree,
                key: key.to_owned(),
                first: None,
            });
        }
    };
    for key in own_keys(plan) {
        if is_column(names, tree, key) {
            let name = names.identifier(tree, key);
            declare(&name, key, &mut declared);
            if taken.insert(name.clone()) {
                mine.open.push((name, key.to_owned()));
            }
        }
    }
    // First what the scope itself has, so that it is known what is taken.
    for (index, node) in uses(plan) {
        let Some(target) = names.target(&node.tag).filter(|&target| target != tree) else {
            continue;
        };
        let mut maps: Vec<(String, String)> = Vec::new();
        for (inner, key) in &all[target].open {
            if names.is_global(target, key) {
                if taken.insert(inner.clone()) {
                    mine.open
                        .push((inner.clone(), format!("@{}", key.trim_start_matches('@'))));
                }
                continue;
            }
            match node.port(key).map(|port| &port.value) {
                Some(PortValue::Key(outer)) => {
                    let name = names.identifier(tree, outer);
                    declare(&name, outer, &mut declared);
                    if taken.insert(name.clone()) {
                        mine.open.push((name.clone(), outer.clone()));
                    }
                    if name != *inner {
                        maps.push((inner.clone(), name));
                    }
                }
                None if names.shares(node.sharing, target, key) && taken.insert(inner.clone()) => {
                    mine.open.push((inner.clone(), key.clone()));
                }
                _ => {}
            }
        }
        scopes[tree].maps.insert(index, maps);
    }
    // Then what belongs to the scopes below.
    for (index, node) in uses(plan) {
        let Some(target) = names.target(&node.tag).filter(|&target| target != tree) else {
            continue;
        };
        let mut maps = scopes[tree].maps.remove(&index).unwrap_or_default();
        let mut below: Vec<ColumnOf> = Vec::new();
        for (inner, key) in &all[target].open {
            if names.is_global(target, key) {
                continue;
            }
            let first = match node.port(key).map(|port| &port.value) {
                Some(PortValue::Key(_)) => continue,
                Some(PortValue::Text(text)) => Some(text.clone()),
                None if names.shares(node.sharing, target, key) => continue,
                None => None,
            };
            below.push(ColumnOf {
                name: inner.clone(),
                tree: target,
                key: key.clone(),
                first,
            });
        }
        below.extend(all[target].inner.iter().cloned().map(|mut one| {
            // It has its beginning where it is declared.
            one.first = None;
            one
        }));
        for mut column in below {
            if column.first.is_none() && taken.insert(column.name.clone()) {
                mine.inner.push(column);
                continue;
            }
            let inner = column.name.clone();
            column.name = names.fresh(&inner);
            maps.push((inner, column.name.clone()));
            taken.insert(column.name.clone());
            declared.push(column.clone());
            mine.inner.push(column);
        }
        scopes[tree].maps.insert(index, maps);
    }
    scopes[tree].columns = declared;
    all[tree] = mine;
}

/// The type of a parameter.
pub(super) fn param_number(names: &Names<'_>, tree: usize, key: &str) -> Option<Number> {
    match names.entry(tree, key) {
        Entry::Constant(number) => Some(*number),
        Entry::Time => Some(Number::Float),
        _ => None,
    }
}
