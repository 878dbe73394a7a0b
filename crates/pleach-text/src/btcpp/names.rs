//! What the keys of a blackboard are: columns of which type, or texts that only the host understands.
//!
//! Each tree has a scope of its own; ports and `_autoremap` make keys of two scopes the same entry.
//! Keys that are the same, or are assigned to or compared with each other, form a *class*, which has
//! one type. What scripts, models and literals say of any of them is known of all.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use super::meaning::Meaning;
use super::model::{Models, PortType};
use super::plan::{Plan, PortValue, Role, Sharing, by_name};
use super::script::{Assign, Comparison, Operator, Statement, Term, TermKind};
use crate::constant::ParamType;
use crate::diagnostic::{Diagnostic, Diagnostics, quoted};
use crate::source::Source;
use pleach_tree::ValueType;

/// How many pairs of a tree and a key there may be. Through `_autoremap`, a key of one tree is one of all
/// above it.
const MAX_KEYS: usize = 1 << 18;

/// How many keys of used trees may be looked at, all uses together.
const MAX_STEPS: usize = 1 << 22;

/// The most labels of an enumeration: its values are bytes.
const MAX_LABELS: usize = 256;

/// The types of numbers, each of which holds those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Number {
    Bool,
    Int,
    Float,
}

/// What the entries of a class are.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Entry {
    /// A column of numbers.
    Number(Number),
    /// A column of an enumeration: texts, by label.
    Labels(Vec<(String, String)>),
    /// A constant that each use of the tree gives.
    Constant(Number),
    /// A constant time, given in milliseconds and read in seconds.
    Time,
    /// A text that names the entry to the host, or a constant text.
    Key,
}

/// What is known of a class.
#[derive(Clone, Default)]
struct Fact {
    /// The type of values that it surely holds.
    number: Option<Number>,
    /// The type that models of ports name.
    model: Option<Number>,
    /// The type of texts in ports that read as numbers.
    soft: Option<Number>,
    /// A guess, for where nothing else is known.
    weak: Option<Number>,
    /// Whether it is computed with.
    counted: bool,
    labels: Vec<String>,
    seen: HashSet<String>,
    /// Texts in ports and of SetBlackboard, which are no labels unless scripts compare them.
    texts: Vec<String>,
    /// Whether a script reads or writes it.
    scripted: bool,
    /// Whether a SetBlackboard writes it.
    set: bool,
    /// Whether it is what a Switch looks at.
    switched: bool,
    /// Whether a use of a subtree gives it a constant, or leaves it out.
    given: bool,
    missed: bool,
    /// Whether it is an entry of a using tree, too.
    passed: bool,
    /// Whether it is the time of a node, and whether it is anything else.
    timed: bool,
    ported: bool,
    /// What its tree declares that it is.
    forced: Option<Entry>,
    /// Where it is a text, and where a number.
    text_place: Option<(Source, Range<usize>)>,
    number_place: Option<(Source, Range<usize>)>,
}

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
}

impl<'a> Names<'a> {
    /// Finds out what the keys of all trees are. The first plan is the main tree. Beyond a limit there
    /// are none, which has been told.
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
        names.resolve(found);
        Some(names)
    }

    /// What a tree says itself of its names.
    fn declared(&mut self, tree: usize) {
        let Some(declared) = &self.plans[tree].declared else {
            return;
        };
        let entry = |ty: ValueType| match ty {
            ValueType::Bool => Number::Bool,
            ValueType::U8 | ValueType::U16 | ValueType::I32 | ValueType::U64 => Number::Int,
            ValueType::F32 => Number::Float,
        };
        let columns = declared.declared.iter().map(|one| {
            let entry = match one.labels.is_empty() {
                true => Entry::Number(entry(one.default.ty())),
                false => {
                    let labels = one
                        .labels
                        .iter()
                        .map(|label| (label.clone(), label.clone()));
                    Entry::Labels(labels.collect())
                }
            };
            (&one.name, entry)
        });
        let params = declared.params.iter().map(|param| {
            let entry = match param.ty {
                ParamType::Value(ty) => Entry::Constant(entry(ty)),
                ParamType::Text => Entry::Key,
            };
            (&param.name, entry)
        });
        let all: Vec<(&String, Entry)> = columns.chain(params).collect();
        for (name, entry) in all {
            self.taken.insert(name.clone());
            self.identifiers.insert(name.clone(), name.clone());
            let id = self.id(tree, name);
            let fact = self.fact(id);
            match &entry {
                Entry::Number(number) | Entry::Constant(number) => {
                    fact.number = fact.number.max(Some(*number));
                }
                Entry::Labels(labels) => labels.iter().for_each(|(text, _)| fact.label(text)),
                Entry::Time | Entry::Key => {}
            }
            fact.forced = Some(entry.clone());
            self.own.insert(id, entry);
        }
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
        let fact = &mut self.facts[to];
        fact.number = fact.number.max(other.number);
        fact.model = fact.model.max(other.model);
        fact.soft = fact.soft.max(other.soft);
        fact.weak = fact.weak.max(other.weak);
        fact.counted |= other.counted;
        fact.scripted |= other.scripted;
        fact.set |= other.set;
        fact.switched |= other.switched;
        fact.given |= other.given;
        fact.missed |= other.missed;
        fact.passed |= other.passed;
        fact.forced = fact.forced.take().or(other.forced);
        fact.timed |= other.timed;
        fact.ported |= other.ported;
        fact.text_place = fact.text_place.take().or(other.text_place);
        fact.number_place = fact.number_place.take().or(other.number_place);
        for label in other.labels {
            fact.label(&label);
        }
        fact.texts.extend(other.texts);
    }

    fn tree(&mut self, tree: usize, models: &Models) {
        let plan = &self.plans[tree];
        for node in &plan.nodes {
            for script in &node.scripts {
                let place = (&plan.source, script.attribute.value_span.clone());
                for statement in &script.statements {
                    match statement {
                        Statement::Assign(assign) => self.assign(tree, assign, &place),
                        Statement::Term(term) => {
                            self.term(tree, term, &place);
                            if script.role < Role::OnSuccess {
                                self.truth(tree, term);
                            }
                        }
                    }
                }
            }
            match node.meaning {
                // What stands in KDL says all itself.
                _ if node.kdl.is_some() => {}
                // Ports of subtrees join two scopes.
                Meaning::SubTree => {}
                Meaning::SetBlackboard => self.set(tree, node),
                Meaning::BlackboardCheck => self.check(tree, node),
                meaning => {
                    for port in &node.ports {
                        let PortValue::Key(key) = &port.value else {
                            continue;
                        };
                        let id = self.id(tree, key);
                        if let (Meaning::Repeat, "num_cycles") | (Meaning::Retry, "num_attempts") =
                            (meaning, port.name.as_str())
                        {
                            let fact = self.fact(id);
                            fact.model = fact.model.max(Some(Number::Int));
                        }
                        let is_time = matches!(
                            (meaning, port.name.as_str()),
                            (Meaning::Timeout | Meaning::Sleep, "msec")
                                | (Meaning::Delay, "delay_msec")
                        );
                        let fact = self.fact(id);
                        fact.timed |= is_time;
                        fact.ported |= !is_time;
                        let number = match models.port(&node.tag, &port.name).and_then(|one| one.ty)
                        {
                            Some(PortType::Bool) => Some(Number::Bool),
                            Some(PortType::Int) => Some(Number::Int),
                            Some(PortType::Float) => Some(Number::Float),
                            Some(PortType::Other) | None => None,
                        };
                        let fact = self.fact(id);
                        fact.model = fact.model.max(number);
                        if let Meaning::Switch(_) = meaning
                            && port.name == "variable"
                        {
                            fact.switched = true;
                            for case in node.ports.iter() {
                                if case.name.starts_with("case_")
                                    && let PortValue::Text(text) = &case.value
                                {
                                    let place = (&plan.source, case.attribute.value_span.clone());
                                    self.literal(id, text, &place, true);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// What `SetBlackboard` says.
    fn set(&mut self, tree: usize, node: &super::plan::Node) {
        let plan = &self.plans[tree];
        let Some(output) = node.port("output_key") else {
            return;
        };
        let key = match &output.value {
            PortValue::Key(key) | PortValue::Text(key) if !key.is_empty() => key,
            _ => return,
        };
        let id = self.id(tree, key);
        self.fact(id).set = true;
        if let Some(value) = node.port("value") {
            let place = (&plan.source, value.attribute.value_span.clone());
            match &value.value {
                PortValue::Key(from) => {
                    let from = self.id(tree, from);
                    self.unite(id, from);
                }
                PortValue::Text(text) => self.literal(id, text, &place, false),
            }
        }
    }

    /// What the checks of version 3 say of their two values.
    fn check(&mut self, tree: usize, node: &super::plan::Node) {
        let plan = &self.plans[tree];
        let (Some(a), Some(b)) = (node.port("value_A"), node.port("value_B")) else {
            return;
        };
        let mut ids = Vec::new();
        for port in [a, b] {
            if let PortValue::Key(key) = &port.value {
                let id = self.id(tree, key);
                self.fact(id).scripted = true;
                ids.push(id);
            }
        }
        for port in [a, b] {
            if let (PortValue::Text(text), Some(&id)) = (&port.value, ids.first()) {
                let place = (&plan.source, port.attribute.value_span.clone());
                self.literal(id, text, &place, true);
            }
        }
        if let [a, b] = ids.as_slice() {
            self.unite(*a, *b);
        }
    }

    /// A text that stands for a value. Whether it is a number is for the whole class to say.
    fn literal(&mut self, id: usize, text: &str, place: &(&Source, Range<usize>), compared: bool) {
        let number = number(text);
        let fact = self.fact(id);
        fact.soft = fact.soft.max(number);
        if number.is_none() {
            fact.text_place
                .get_or_insert_with(|| (place.0.clone(), place.1.clone()));
            if compared {
                fact.scripted = true;
                fact.label(text);
            }
        }
        fact.texts.push(text.to_owned());
    }

    fn assign(&mut self, tree: usize, assign: &'a Assign, place: &(&Source, Range<usize>)) {
        let id = self.id(tree, &assign.name);
        self.fact(id).scripted = true;
        self.term(tree, &assign.value, place);
        if assign.with.is_some() {
            self.fact(id).counted = true;
            if assign.with == Some(Operator::Div) {
                self.holds(id, Number::Float, place);
            }
        }
        self.receives(tree, id, &assign.value, place);
    }

    /// A key holds what a term is.
    fn receives(
        &mut self,
        tree: usize,
        id: usize,
        term: &'a Term,
        place: &(&Source, Range<usize>),
    ) {
        match &term.kind {
            TermKind::Name(name) => {
                let other = self.id(tree, name);
                self.unite(id, other);
            }
            TermKind::Text(text) => self.text(id, text, place),
            TermKind::If(_, then, other) => {
                self.receives(tree, id, then, place);
                self.receives(tree, id, other, place);
            }
            _ => {
                self.fact(id)
                    .number_place
                    .get_or_insert_with(|| (place.0.clone(), place.1.clone()));
                self.claims.push((id, tree, term));
            }
        }
    }

    fn text(&mut self, id: usize, text: &str, place: &(&Source, Range<usize>)) {
        let fact = self.fact(id);
        fact.label(text);
        fact.text_place
            .get_or_insert_with(|| (place.0.clone(), place.1.clone()));
    }

    fn holds(&mut self, id: usize, number: Number, place: &(&Source, Range<usize>)) {
        let fact = self.fact(id);
        fact.number = fact.number.max(Some(number));
        fact.number_place
            .get_or_insert_with(|| (place.0.clone(), place.1.clone()));
    }

    /// A term is judged as a truth value.
    fn truth(&mut self, tree: usize, term: &Term) {
        if let TermKind::Name(name) = &term.kind {
            let id = self.id(tree, name);
            let fact = self.fact(id);
            fact.weak = fact.weak.max(Some(Number::Bool));
        }
    }

    fn counted(&mut self, tree: usize, term: &Term) {
        if let TermKind::Name(name) = &term.kind {
            let id = self.id(tree, name);
            self.fact(id).counted = true;
        }
    }

    /// What a term says of the keys in it.
    fn term(&mut self, tree: usize, term: &'a Term, place: &(&Source, Range<usize>)) {
        match &term.kind {
            TermKind::Name(name) => {
                let id = self.id(tree, name);
                self.fact(id).scripted = true;
            }
            TermKind::Not(inner) => self.truth(tree, inner),
            TermKind::Negate(inner) => self.counted(tree, inner),
            TermKind::Binary(Operator::And | Operator::Or, left, right) => {
                self.truth(tree, left);
                self.truth(tree, right);
            }
            TermKind::Binary(_, left, right) => {
                self.counted(tree, left);
                self.counted(tree, right);
            }
            TermKind::If(test, ..) => self.truth(tree, test),
            TermKind::Compare(chain, operands) => {
                for (at, one) in chain.iter().enumerate() {
                    let (left, right) = (&operands[at], &operands[at + 1]);
                    match one {
                        Comparison::Eq | Comparison::Ne => {
                            self.compared(tree, left, right, place);
                            self.compared(tree, right, left, place);
                        }
                        _ => {
                            self.counted(tree, left);
                            self.counted(tree, right);
                        }
                    }
                }
            }
            TermKind::Bool(_) | TermKind::Int(_) | TermKind::Float(_) | TermKind::Text(_) => {}
        }
        for inner in term.inner() {
            self.term(tree, inner, place);
        }
    }

    /// A key is compared with something.
    fn compared(&mut self, tree: usize, key: &Term, other: &Term, place: &(&Source, Range<usize>)) {
        let TermKind::Name(name) = &key.kind else {
            return;
        };
        let id = self.id(tree, name);
        let weak = match &other.kind {
            TermKind::Name(other) => {
                let other = self.id(tree, other);
                self.unite(id, other);
                return;
            }
            TermKind::Text(text) => {
                self.text(id, text, place);
                return;
            }
            TermKind::Bool(_) => Number::Bool,
            TermKind::Int(_) => Number::Int,
            _ => Number::Float,
        };
        let fact = self.fact(id);
        fact.weak = fact.weak.max(Some(weak));
    }

    /// Joins the scopes of trees where they use each other.
    fn flow(&mut self, found: &mut Diagnostics) -> bool {
        let plans = self.plans;
        let mut steps = 0usize;
        for tree in self.order() {
            let plan = &plans[tree];
            for node in plan
                .nodes
                .iter()
                .filter(|node| node.meaning == Meaning::SubTree && node.kdl.is_none())
            {
                let target = self.target(&node.tag);
                let mut ported: HashSet<&str> = HashSet::new();
                for port in &node.ports {
                    ported.insert(&port.name);
                    let place = (&plan.source, port.attribute.value_span.clone());
                    match (&port.value, target) {
                        (PortValue::Key(key), Some(target)) => {
                            let outer = self.id(tree, key);
                            let inner = self.id(target, &port.name);
                            self.unite(outer, inner);
                            self.fact(inner).passed = true;
                        }
                        (PortValue::Key(key), None) => {
                            self.id(tree, key);
                        }
                        (PortValue::Text(text), Some(target)) => {
                            let inner = self.id(target, &port.name);
                            self.literal(inner, text, &place, false);
                            self.fact(inner).given = true;
                        }
                        (PortValue::Text(_), None) => {}
                    }
                }
                let Some(target) = target else { continue };
                let mut at = 0;
                while at < MAX_STEPS
                    && let Some(key) = self.open[target].get(at).cloned()
                {
                    at += 1;
                    if ported.contains(key.as_str()) {
                        continue;
                    }
                    let inner = self.id(target, &key);
                    match self.shares(node.sharing, target, &key) {
                        true if target != tree => {
                            let outer = self.id(tree, &key);
                            self.unite(outer, inner);
                        }
                        true => {}
                        false => self.fact(inner).missed = true,
                    }
                }
                steps += at;
                if self.keys.len() > MAX_KEYS || steps > MAX_STEPS {
                    let message = format!(
                        "up to this subtree, the trees have more than {MAX_KEYS} entries of blackboards"
                    );
                    let error = Diagnostic::new(&plan.source, node.span.clone(), message);
                    found.push(error.with_help("use `_autoremap` less, and name the ports"));
                    return false;
                }
            }
        }
        true
    }

    /// The trees, each behind those that it uses, as far as they do not use each other.
    pub(super) fn order(&self) -> Vec<usize> {
        let uses = |tree: usize| -> Vec<usize> {
            let nodes = self.plans[tree].nodes.iter();
            let used = nodes.filter(|node| node.meaning == Meaning::SubTree);
            used.filter_map(|node| self.target(&node.tag)).collect()
        };
        let mut seen = vec![false; self.plans.len()];
        let mut order = Vec::new();
        for start in 0..self.plans.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut path = vec![(start, uses(start).into_iter())];
            while let Some((tree, next)) = path.last_mut() {
                match next.next() {
                    Some(next) if !std::mem::replace(&mut seen[next], true) => {
                        path.push((next, uses(next).into_iter()));
                    }
                    Some(_) => {}
                    None => {
                        order.push(*tree);
                        path.pop();
                    }
                }
            }
        }
        order
    }

    /// Computes what assignments say of types. A type only grows, and there are three.
    fn settle(&mut self) {
        let mut readers: HashMap<usize, Vec<usize>> = HashMap::new();
        for (claim, &(_, tree, term)) in self.claims.iter().enumerate() {
            let mut pending = vec![term];
            while let Some(term) = pending.pop() {
                if let TermKind::Name(name) = &term.kind
                    && let Some(root) = self.root(tree, name)
                {
                    readers.entry(root).or_default().push(claim);
                }
                pending.extend(term.inner());
            }
        }
        let mut queue: VecDeque<usize> = (0..self.claims.len()).collect();
        while let Some(claim) = queue.pop_front() {
            let (id, tree, term) = self.claims[claim];
            let Some(number) = self.type_of(tree, term) else {
                continue;
            };
            let root = self.find(id);
            if self.facts[root].number < Some(number) {
                self.facts[root].number = Some(number);
                queue.extend(readers.get(&root).into_iter().flatten());
            }
        }
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

    /// The type of a term, as far as it is known.
    pub(super) fn type_of(&self, tree: usize, term: &Term) -> Option<Number> {
        match &term.kind {
            TermKind::Bool(_) | TermKind::Not(_) | TermKind::Compare(..) => Some(Number::Bool),
            TermKind::Int(value) => Some(match i32::try_from(*value) {
                Ok(_) => Number::Int,
                Err(_) => Number::Float,
            }),
            TermKind::Float(_) => Some(Number::Float),
            TermKind::Text(_) => None,
            TermKind::Name(name) => {
                let id = self.known(tree, name)?;
                let root = self.find(id);
                match self.own.get(&id).or(self.resolved.get(&root)) {
                    Some(Entry::Number(number) | Entry::Constant(number)) => Some(*number),
                    Some(_) => None,
                    None => self.facts[root].likely(),
                }
            }
            TermKind::Negate(inner) => self.type_of(tree, inner).max(Some(Number::Int)),
            TermKind::Binary(Operator::And | Operator::Or, ..) => Some(Number::Bool),
            TermKind::Binary(Operator::Div, ..) => Some(Number::Float),
            TermKind::Binary(_, left, right) => {
                let inner = self.type_of(tree, left).max(self.type_of(tree, right));
                inner.max(Some(Number::Int))
            }
            TermKind::If(_, then, other) => self.type_of(tree, then).max(self.type_of(tree, other)),
        }
    }

    /// Says what each class is.
    fn resolve(&mut self, found: &mut Diagnostics) {
        for id in 0..self.keys.len() {
            if self.find(id) != id {
                continue;
            }
            let fact = std::mem::take(&mut self.facts[id]);
            let entry = match fact.forced.clone().map_or_else(|| fact.entry(), Ok) {
                Ok(entry) => entry,
                Err(message) => {
                    let (tree, key) = &self.keys[id];
                    let plan = &self.plans[*tree];
                    let place = fact.text_place.clone();
                    let (source, span) =
                        place.unwrap_or_else(|| (plan.source.clone(), plan.span.clone()));
                    let message = format!("the entry {} {message}", quoted(key));
                    let mut error = Diagnostic::new(&source, span, message);
                    if let Some((source, span)) = &fact.number_place {
                        error = error.with_note(source, span.clone(), "a number here");
                    }
                    found.push(error.with_help("give the two values entries of their own"));
                    Entry::Key
                }
            };
            self.facts[id] = fact;
            self.resolved.insert(id, entry);
        }
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

    /// A text that is another one as a label and reaches a port of the host: where it stands first, and
    /// the label.
    pub(super) fn renamed(&self) -> Option<(Source, Range<usize>, String, String)> {
        let mut roots: Vec<(&usize, &Entry)> = self.resolved.iter().collect();
        roots.sort_by_key(|(root, _)| **root);
        roots.into_iter().find_map(|(&root, entry)| {
            let Entry::Labels(labels) = entry else {
                return None;
            };
            let fact = self.facts.get(root).filter(|fact| fact.ported)?;
            let (source, span) = fact.text_place.clone()?;
            let (text, label) = labels.iter().find(|(text, label)| text != label)?;
            Some((source, span, text.clone(), label.clone()))
        })
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

impl Fact {
    fn label(&mut self, text: &str) {
        if self.seen.insert(text.to_owned()) {
            self.labels.push(text.to_owned());
        }
    }

    /// The type of its numbers, if it holds some.
    fn likely(&self) -> Option<Number> {
        let known = self
            .number
            .max(self.model)
            .max(match self.labels.is_empty() {
                true => self.soft,
                false => None,
            });
        match (known, self.counted) {
            (Some(Number::Bool), true) => Some(Number::Int),
            (None, true) => Some(self.weak.max(Some(Number::Float)).unwrap_or(Number::Float)),
            (None, false) => self.weak,
            (known, _) => known,
        }
    }

    fn entry(&self) -> Result<Entry, String> {
        // A text between numbers makes all of them texts.
        let words = self.texts.iter().any(|text| number(text).is_none());
        if self.scripted || self.switched {
            if self.labels.is_empty() && !words {
                let guess = match self.switched {
                    true => Number::Int,
                    false => Number::Bool,
                };
                return Ok(Entry::Number(self.likely().unwrap_or(guess)));
            }
            if self.number.is_some() || self.counted {
                return Err("is a text here, and computed as a number elsewhere".to_owned());
            }
            return self.enumeration();
        }
        if words {
            // What no script looks at can stay as it is, for the host.
            let plain = self.texts.iter().all(|text| is_label(text));
            return match self.set && !self.given && plain {
                true => self.enumeration(),
                false => Ok(Entry::Key),
            };
        }
        match self.model.max(self.soft) {
            Some(number) if self.set => Ok(Entry::Number(number)),
            Some(number) if self.given && !self.passed && !self.missed => {
                Ok(match self.timed && !self.ported {
                    true => Entry::Time,
                    false => Entry::Constant(number),
                })
            }
            Some(number) if self.model.is_some() && (!self.given || self.passed) => {
                Ok(Entry::Number(number))
            }
            // A tree that nothing uses yet waits for its times.
            None if self.timed && !self.ported && !self.passed && !self.missed => Ok(Entry::Time),
            _ => Ok(Entry::Key),
        }
    }

    fn enumeration(&self) -> Result<Entry, String> {
        let mut labels: Vec<(String, String)> = Vec::new();
        let mut texts = HashSet::new();
        let mut names = HashSet::new();
        for text in self.labels.iter().chain(&self.texts) {
            if !texts.insert(text.as_str()) {
                continue;
            }
            if labels.len() == MAX_LABELS {
                return Err(format!(
                    "has more than {MAX_LABELS} texts, and an enumeration is a byte"
                ));
            }
            let wanted = identifier(text).replace('.', "_");
            let mut name = wanted.clone();
            let mut number = 2;
            while !names.insert(name.clone()) {
                name = format!("{wanted}_{number}");
                number += 1;
            }
            labels.push((text.clone(), name));
        }
        Ok(Entry::Labels(labels))
    }
}

/// The type of a text that is a number or truth value.
pub(super) fn number(text: &str) -> Option<Number> {
    let text = text.trim();
    if matches!(text, "true" | "false") {
        return Some(Number::Bool);
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let begins = digits.starts_with(|c: char| c.is_ascii_digit());
    // A number as no program writes one is a name, such as 007.
    let padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    let plain = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-' | b'+'));
    if !begins || padded || !plain {
        return None;
    }
    if text.parse::<i32>().is_ok() {
        return Some(Number::Int);
    }
    let float = text.parse::<f32>().ok().filter(|value| value.is_finite());
    // An integer that needs more digits than a float has is an identity, not a measure.
    float
        .filter(|_| text.contains(['.', 'e', 'E']))
        .map(|_| Number::Float)
}

pub(super) fn is_label(text: &str) -> bool {
    pleach_tree::is_identifier(text) && !text.contains('.')
}

/// A text as a name: characters that names have not are `_`.
fn identifier(text: &str) -> String {
    let mut name: String = text
        .chars()
        .map(|c| match c {
            c if c.is_ascii_alphanumeric() || matches!(c, '_' | '.') => c,
            _ => '_',
        })
        .collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        name.insert(0, '_');
    }
    if pleach_tree::is_expression_word(&name) {
        name.push('_');
    }
    name.truncate(200);
    name
}
