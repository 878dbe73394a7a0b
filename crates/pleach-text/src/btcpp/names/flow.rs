//! Where trees use each other: keys of two scopes that are the same entry.

use std::collections::HashSet;

use super::Names;
use super::evidence::Place;
use crate::btcpp::meaning::Meaning;
use crate::btcpp::plan::PortValue;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};

/// How many pairs of a tree and a key there may be. Through `_autoremap`, a key of one tree is one of all
/// above it.
const MAX_KEYS: usize = 1 << 18;

/// How many keys of used trees may be looked at, all uses together.
const MAX_STEPS: usize = 1 << 22;

impl<'a> Names<'a> {
    /// Joins the scopes of trees where they use each other.
    pub(super) fn flow(&mut self, found: &mut Diagnostics) -> bool {
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
                    let place = Place::new(&plan.source, &port.attribute);
                    match (&port.value, target) {
                        (PortValue::Key(key), Some(target)) => {
                            let outer = self.id(tree, key);
                            let inner = self.id(target, &port.name);
                            self.unite(outer, inner);
                            self.fact(inner).passed = true;
                        }
                        (PortValue::Key(key), None) => {
                            let id = self.id(tree, key);
                            self.fact(id).hosted = true;
                        }
                        (PortValue::Text(text), Some(target)) => {
                            let inner = self.id(target, &port.name);
                            self.literal(inner, text, place, false);
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
                    let error =
                        Diagnostic::new(&plan.source, node.span.clone(), Code::Limit.says(message));
                    found.push(error.with_help("use `_autoremap` less, and name the ports"));
                    return false;
                }
            }
        }
        true
    }

    /// The trees, each behind those that it uses, as far as they do not use each other.
    pub(in crate::btcpp) fn order(&self) -> Vec<usize> {
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
}
