//! What the keys of a blackboard are: columns of which type, or texts that only the host understands.
//!
//! Each tree has a scope of its own; ports and `_autoremap` make keys of two scopes the same entry.
//! Keys that are the same, or are assigned to or compared with each other, form a *class*, which has
//! one type. What scripts, models and literals say of any of them is known of all.

mod evidence;
mod flow;
mod told;
mod types;

use std::collections::{HashMap, HashSet};

use super::fact::{Entry, Fact, identifier};
use super::model::Models;
use super::plan::{Plan, Sharing, by_name};
use super::script::Term;
use crate::diagnostic::Diagnostics;

/// A key of a tree.
type Key = (usize, String);

pub(super) struct Names<'a> {
    plans: &'a [Plan],
    targets: HashMap<&'a str, usize>,
    ids: HashMap<Key, usize>,
    keys: Vec<Key>,
    parent: Vec<usize>,
    /// What a tree says itself that a key is, whatever the keys are that it is one with.
    own: HashMap<usize, Entry>,
    /// How many keys a class has, by its first one.
    members: Vec<usize>,
    facts: Vec<Fact>,
    /// What an assignment says: the class of a key holds what a term is in a tree.
    claims: Vec<(usize, usize, &'a Term)>,
    /// The keys of each tree's own scope, in the order in which they come up.
    pub(super) open: Vec<Vec<String>>,
    /// Keys with `@`, which belong to the first tree.
    globals: HashSet<String>,
    resolved: HashMap<usize, Entry>,
    identifiers: HashMap<String, String>,
    taken: HashSet<String>,
    /// The next number behind a name that several want.
    numbers: HashMap<String, usize>,
    /// The keys of the host that several trees have.
    twofold: HashSet<String>,
    /// The names of all keys, and those that were made for entries apart.
    key_names: HashSet<String>,
}

impl<'a> Names<'a> {
    /// Finds out what the keys of all trees are. The first plan is the main tree. There are none beyond a
    /// limit, or where an entry is of two types, which has been told.
    pub(super) fn new(
        plans: &'a [Plan],
        models: &Models,
        found: &mut Diagnostics,
    ) -> Option<Names<'a>> {
        let mut names = Names {
            plans,
            targets: by_name(plans),
            ids: HashMap::new(),
            keys: Vec::new(),
            parent: Vec::new(),
            own: HashMap::new(),
            members: Vec::new(),
            facts: Vec::new(),
            claims: Vec::new(),
            open: vec![Vec::new(); plans.len()],
            globals: HashSet::new(),
            resolved: HashMap::new(),
            identifiers: HashMap::new(),
            taken: HashSet::new(),
            numbers: HashMap::new(),
            twofold: HashSet::new(),
            key_names: HashSet::new(),
        };
        for tree in 0..plans.len() {
            names.declared(tree);
        }
        for tree in 0..plans.len() {
            names.tree(tree, models);
        }
        if !names.flow(found) {
            return None;
        }
        names.settle();
        // What follows from an entry of two types would be told of each script that reads it.
        if !names.resolve(found) {
            return None;
        }
        names.retext();
        names.count_entries();
        names.take_labels();
        Some(names)
    }

    /// Finds the texts that scripts have for labels that trees declare.
    fn retext(&mut self) {
        let own = std::mem::take(&mut self.own);
        let own = own.into_iter().map(|(id, mut entry)| {
            if let Entry::Labels(labels) = &mut entry {
                self.facts[self.find(id)].retext(labels);
            }
            (id, entry)
        });
        self.own = own.collect();
    }

    /// Finds the keys of the host that several trees have.
    fn count_entries(&mut self) {
        let mut first: HashMap<&str, usize> = HashMap::new();
        let mut twofold = HashSet::new();
        for (tree, key) in &self.keys {
            if *self.entry(*tree, key) == Entry::Key && *first.entry(key).or_insert(*tree) != *tree
            {
                twofold.insert(key.clone());
            }
        }
        self.twofold = twofold;
        self.key_names = self.keys.iter().map(|(_, key)| key.clone()).collect();
    }

    /// Takes the names that labels of enumerations have: in `root.red`, which is a label of an entry `root`,
    /// and so cannot be the entry `red` of the main tree.
    fn take_labels(&mut self) {
        let mut labels = HashSet::new();
        for (tree, key) in &self.keys {
            if let Entry::Labels(of) = self.entry(*tree, key) {
                let name = match self.is_global(*tree, key) {
                    true => identifier(&format!("root.{key}")),
                    false => identifier(key),
                };
                labels.extend(of.iter().map(|(_, label)| format!("{name}.{label}")));
            }
        }
        self.taken.extend(labels);
    }

    /// Whether a key of the host is one of other trees, too: a use that neither maps nor shares it must tell
    /// the two entries apart.
    pub(super) fn is_apart(&self, tree: usize, key: &str) -> bool {
        self.twofold.contains(key)
            && *self.entry(tree, key) == Entry::Key
            && !self.is_global(tree, key)
            && self.plans[tree].declared.is_none()
    }

    /// A name for an entry of the host that no tree has a key of.
    pub(super) fn fresh_key(&mut self, wanted: &str) -> String {
        let mut number = self.numbers.get(wanted).copied().unwrap_or(2);
        let mut name = format!("{wanted}_{number}");
        while !self.key_names.insert(name.clone()) {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        self.numbers.insert(wanted.to_owned(), number + 1);
        name
    }

    /// Whether a use of a tree sees one of its keys as its own.
    pub(super) fn shares(&self, sharing: Sharing, target: usize, key: &str) -> bool {
        match sharing {
            // Names that a tree declares in KDL are shared whatever they are.
            Sharing::Names => !key.starts_with('_') || self.plans[target].declared.is_some(),
            Sharing::Nothing => false,
            Sharing::Everything => true,
        }
    }

    /// The tree that a use of a subtree means.
    pub(super) fn target(&self, name: &str) -> Option<usize> {
        self.targets.get(name).copied()
    }

    fn id(&mut self, tree: usize, key: &str) -> usize {
        let global = key.strip_prefix('@');
        if let Some(global) = global
            && !self.globals.contains(global)
        {
            self.globals.insert(global.to_owned());
        }
        let key = match global {
            Some(global) => (0, global.to_owned()),
            None => (tree, key.to_owned()),
        };
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = self.keys.len();
        if global.is_none() {
            self.open[key.0].push(key.1.clone());
        }
        self.ids.insert(key.clone(), id);
        self.keys.push(key);
        self.parent.push(id);
        self.members.push(1);
        self.facts.push(Fact::default());
        id
    }

    fn find(&self, mut id: usize) -> usize {
        while self.parent[id] != id {
            id = self.parent[id];
        }
        id
    }

    fn fact(&mut self, id: usize) -> &mut Fact {
        let root = self.find(id);
        &mut self.facts[root]
    }

    /// Makes two keys the same entry, or at least of one type.
    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        // The larger one stays, so that moving what is known costs no more than n log n.
        let (to, from) = match self.members[a] >= self.members[b] {
            true => (a, b),
            false => (b, a),
        };
        self.parent[from] = to;
        self.members[to] += self.members[from];
        let other = std::mem::take(&mut self.facts[from]);
        self.facts[to].absorb(other);
    }

    fn known(&self, tree: usize, name: &str) -> Option<usize> {
        let key = match name.strip_prefix('@') {
            Some(global) => (0, global.to_owned()),
            None => (tree, name.to_owned()),
        };
        self.ids.get(&key).copied()
    }

    fn root(&self, tree: usize, name: &str) -> Option<usize> {
        self.known(tree, name).map(|id| self.find(id))
    }

    /// What a key of a tree is.
    pub(super) fn entry(&self, tree: usize, key: &str) -> &Entry {
        let Some(id) = self.known(tree, key) else {
            return &Entry::Key;
        };
        let entry = self.own.get(&id);
        let entry = entry.or_else(|| self.resolved.get(&self.find(id)));
        entry.unwrap_or(&Entry::Key)
    }

    /// Says that a key is no constant number after all.
    pub(super) fn no_constant(&mut self, tree: usize, key: &str) {
        if let Some(root) = self.root(tree, key)
            && let Some(entry @ (Entry::Constant(_) | Entry::Time)) = self.resolved.get_mut(&root)
        {
            *entry = Entry::Key;
        }
    }

    /// Whether a key means an entry of the main tree wherever it stands.
    pub(super) fn is_global(&self, tree: usize, key: &str) -> bool {
        let own = || tree == 0 && self.plans[0].declared.is_none();
        key.starts_with('@') || (own() && self.globals.contains(key))
    }

    /// What a key is called here.
    pub(super) fn identifier(&mut self, tree: usize, key: &str) -> String {
        let bare = key.strip_prefix('@').unwrap_or(key);
        let full = match self.is_global(tree, key) {
            true => format!("root.{bare}"),
            false => bare.to_owned(),
        };
        if let Some(known) = self.identifiers.get(&full) {
            return known.clone();
        }
        let name = self.fresh(&identifier(&full));
        self.identifiers.insert(full, name.clone());
        name
    }

    /// A name that nothing has yet.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = self.numbers.get(wanted).copied().unwrap_or(2);
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
            self.numbers.insert(wanted.to_owned(), number);
        }
        name
    }
}
