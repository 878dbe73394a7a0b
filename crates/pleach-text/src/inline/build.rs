//! Trees put together from drafts: a copy of a draft for each use.

use std::collections::HashMap;
use std::rc::Rc;

use pleach_shape::MAX_NODES;
use pleach_tree::{
    CaseValue, Column, NodeDef, NodeKind, ParameterValue, Tree, Value, ValueType, WorldValue,
};

use super::bind::Bound;
use super::fill::{Names, fill};
use super::origin::{NodeOrigin, Origin};
use super::{MAX_INLINED_BYTES, Use};
use crate::constant::Constant;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean, quoted};
use crate::draft::{Declared, Draft, Group, ItemKind};
use crate::read::few;

/// A copy of a draft: what its parameters are and what its names mean.
pub(super) struct Instance<'a> {
    /// By position in [`Draft::params`].
    pub(super) params: Vec<&'a Constant>,
    pub(super) names: Rc<Names>,
    /// The use that it is the copy for, in [`Origin::uses`].
    used: u32,
}

/// A node to be: where it is from, its parent among the nodes, and its name.
struct Planned<'a> {
    draft: usize,
    item: usize,
    instance: Rc<Instance<'a>>,
    parent: Option<usize>,
    name: Option<&'a str>,
}

/// Builds the trees of a document, which share one allowance.
pub(super) struct Builder<'a> {
    drafts: &'a [Draft],
    uses: &'a [Vec<Use>],
    found: &'a mut Diagnostics,
    /// Bytes of text that parameters and mapped names put in place of what is written.
    filled: usize,
    /// Mapped names of all copies. Parameters are bounded before, as declarations.
    entries: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        drafts: &'a [Draft],
        uses: &'a [Vec<Use>],
        found: &'a mut Diagnostics,
    ) -> Builder<'a> {
        Builder {
            drafts,
            uses,
            found,
            filled: 0,
            entries: 0,
        }
    }

    /// Builds a tree. What it declares is what it and its subtrees declare.
    pub(super) fn build(&mut self, at: usize, declared: &[(usize, Declared)]) -> (Tree, Origin) {
        let draft = &self.drafts[at];
        let own: Vec<Constant> = draft
            .params
            .iter()
            .map(|param| Constant::by_itself(&draft.source, param))
            .collect();
        let mut origin = Origin {
            draft: at,
            nodes: Vec::new(),
            uses: Vec::new(),
            cases: HashMap::new(),
            columns: Vec::new(),
            world: Vec::new(),
        };
        let planned = self.plan(at, &own, &mut origin);
        let known: HashMap<&str, &Declared> = declared
            .iter()
            .map(|(_, one)| (one.name.as_str(), one))
            .collect();
        let root = self.assemble(&planned, &known, &mut origin.cases);
        let mut builder = Tree::build(&draft.name);
        for (from, one) in declared {
            let default: Value = one.default;
            match one.group {
                Group::Column => {
                    let (name, labels) = (one.name.clone(), one.labels.clone());
                    builder = builder.with_columns([Column {
                        name,
                        default,
                        labels,
                    }]);
                    origin.columns.push((*from, one.span.clone()));
                }
                Group::World => {
                    let (name, labels) = (one.name.clone(), one.labels.clone());
                    builder = builder.with_world([WorldValue {
                        name,
                        default,
                        labels,
                    }]);
                    origin.world.push((*from, one.span.clone()));
                }
            }
        }
        (builder.root(root), origin)
    }

    /// The nodes to be, depth first, as the tree will number them.
    fn plan<'b>(&mut self, at: usize, own: &'b [Constant], origin: &mut Origin) -> Vec<Planned<'b>>
    where
        'a: 'b,
    {
        let (drafts, uses) = (self.drafts, self.uses);
        let mut planned: Vec<Planned<'b>> = Vec::new();
        let mut pending = vec![Planned {
            draft: at,
            item: 0,
            instance: Rc::new(Instance {
                params: own.iter().collect(),
                names: Rc::new(Names::default()),
                used: u32::MAX,
            }),
            parent: None,
            name: None,
        }];
        while let Some(mut next) = pending.pop() {
            let draft = &drafts[next.draft];
            let Some(item) = draft.items.get(next.item) else {
                continue;
            };
            // A name given where a subtree is used wins over the name of its root.
            let name = next.name.or(item.name.as_deref());
            if let ItemKind::Subtree(usage) = &item.kind {
                let list = &uses[next.draft];
                let Ok(index) = list.binary_search_by_key(&next.item, |used| used.item) else {
                    continue;
                };
                let used = &list[index];
                let target = &drafts[used.target];
                let names = match used.renamed.as_slice() {
                    [] => next.instance.names.clone(),
                    maps => Rc::new(next.instance.names.through(maps)),
                };
                if !used.renamed.is_empty() {
                    self.entries += names.len();
                }
                if self.entries > MAX_NODES {
                    let message = format!(
                        "up to this tree, the uses of subtrees have more than {MAX_NODES} mapped names"
                    );
                    self.too_much(at, message);
                    break;
                }
                let params =
                    used.params
                        .iter()
                        .zip(&target.params)
                        .map(|(bound, param)| match bound {
                            Bound::Given(constant) => Some(constant),
                            Bound::Own(own) => next.instance.params.get(*own).copied(),
                            Bound::Default => param.default.as_ref(),
                        });
                // Without one, binding has told of it, and nothing is built.
                let Some(params) = params.collect() else {
                    continue;
                };
                let instance = Rc::new(Instance {
                    params,
                    names,
                    used: origin.uses.len() as u32,
                });
                origin.uses.push((next.draft as u32, next.item as u32));
                pending.push(Planned {
                    draft: used.target,
                    item: 0,
                    instance,
                    parent: next.parent,
                    name: name.or(target.root_name()).or(Some(&usage.tree)),
                });
                continue;
            }
            // A guard that is a property has no name; what was given is its node's.
            let given = next.name;
            next.name = if item.guard { None } else { name };
            origin.nodes.push(NodeOrigin {
                draft: next.draft as u32,
                item: next.item as u32,
                used: next.instance.used,
            });
            let parent = Some(planned.len());
            for &child in item.children.iter().rev() {
                pending.push(Planned {
                    draft: next.draft,
                    item: child,
                    instance: next.instance.clone(),
                    parent,
                    name: given.filter(|_| item.guard),
                });
            }
            planned.push(next);
        }
        planned
    }

    /// Puts the nodes together from the last to the first, so that children are there before
    /// parents.
    fn assemble(
        &mut self,
        planned: &[Planned<'_>],
        known: &HashMap<&str, &Declared>,
        cases: &mut HashMap<(u32, usize), Diagnostic>,
    ) -> NodeDef {
        let drafts = self.drafts;
        let mut children: Vec<Vec<NodeDef>> = planned.iter().map(|_| Vec::new()).collect();
        let mut root = None;
        for (index, node) in planned.iter().enumerate().rev() {
            let draft = &drafts[node.draft];
            let item = &draft.items[node.item];
            let mut kind = match &item.kind {
                ItemKind::Node(kind) => kind.clone(),
                ItemKind::Subtree(_) => NodeKind::Fail,
            };
            if self.filled <= MAX_INLINED_BYTES {
                let filled = &mut self.filled;
                fill(&mut kind, draft, item, &node.instance, filled, self.found);
                if self.filled > MAX_INLINED_BYTES {
                    let message = format!(
                        "up to this node, the parameters and mapped names of subtrees have more than {MAX_INLINED_BYTES} bytes of text"
                    );
                    let span = item.place.keyword.clone();
                    self.found.push(
                        Diagnostic::new(&draft.source, span, Code::Limit.says(message))
                            .with_help(FEWER),
                    );
                }
                check_groups(draft, node.item, &kind, known, self.found);
                if let NodeKind::Switch { on, cases: values } = &kind
                    && let Some(on) = known.get(on.as_str())
                {
                    let wrong = check_cases(draft, node.item, on, values);
                    let wrong = wrong.into_iter();
                    cases.extend(wrong.map(|(case, what)| ((index as u32, case), what)));
                }
            }
            let mut own = std::mem::take(&mut children[index]);
            own.reverse();
            let mut def = NodeDef::new(kind, own);
            if let Some(name) = node.name {
                def = def.named(name);
            }
            match node.parent {
                Some(parent) => children[parent].push(def),
                None => root = Some(def),
            }
        }
        root.unwrap_or_else(pleach_tree::fail)
    }

    fn too_much(&mut self, at: usize, message: String) {
        let draft = &self.drafts[at];
        let error = Diagnostic::new(&draft.source, draft.span.clone(), Code::Limit.says(message));
        self.found.push(error.with_help(FEWER));
    }
}

/// What to do about trees that became too large.
const FEWER: &str =
    "subtrees are copied where they are used; use them less often, or in files of their own";

/// Whether what `(column)` and `(world)` name is one; unknown names are left to the compiler.
fn check_groups(
    draft: &Draft,
    item: usize,
    kind: &NodeKind,
    known: &HashMap<&str, &Declared>,
    found: &mut Diagnostics,
) {
    let Some(call) = kind.call() else { return };
    for (param, place) in call.params.iter().zip(&draft.items[item].place.params) {
        let ParameterValue::Name(name) = &param.value else {
            continue;
        };
        if let (Some(said), Some(one)) = (place.group, known.get(name.as_str()))
            && let is = one.group
            && said != is
        {
            let message = format!("{} is a {}, not a {}", quoted(name), is.noun(), said.noun());
            let help = "write `(column)` or `(world)` as it is declared, or `(from)` for either";
            let error = Diagnostic::new(
                &draft.source,
                place.span.clone(),
                Code::ColumnOrWorld.says(message),
            );
            found.push(error.with_help(help));
        }
    }
}

/// What is wrong with the cases of a switch, each at its place. The compiler finds the same, and knows
/// no places of cases.
fn check_cases(
    draft: &Draft,
    item: usize,
    on: &Declared,
    cases: &[Option<CaseValue>],
) -> Vec<(usize, Diagnostic)> {
    let mut found = Vec::new();
    let places = &draft.items[item].place.cases;
    for (number, (case, span)) in cases.iter().zip(places).enumerate() {
        let Some(case) = case else { continue };
        let range = match on.default.ty() {
            ValueType::U8 => Some(0..=i32::from(u8::MAX)),
            ValueType::U16 => Some(0..=i32::from(u16::MAX)),
            ValueType::I32 => Some(i32::MIN..=i32::MAX),
            ValueType::Bool => None,
            // Nothing to switch on, which is told of the node.
            ValueType::F32 | ValueType::U64 => return found,
        };
        let name = quoted(&on.name);
        let (message, help) = match case {
            CaseValue::Bool(_) if range.is_none() => continue,
            CaseValue::Int(value) if range.as_ref().is_some_and(|range| range.contains(value)) => {
                continue;
            }
            CaseValue::Label(label) if on.labels.contains(label) => continue,
            CaseValue::Label(label) if !on.labels.is_empty() => {
                let known = on.labels.iter().map(String::as_str);
                let help = did_you_mean(label, known)
                    .unwrap_or_else(|| format!("its labels are {}", few(&on.labels)));
                (format!("{name} has no label {}", quoted(label)), help)
            }
            other => {
                let found = match other {
                    CaseValue::Bool(value) => format!("`#{value}`"),
                    CaseValue::Int(value) => value.to_string(),
                    CaseValue::Label(label) => format!("the text {}", quoted(label)),
                };
                let help = match (range, on.labels.as_slice()) {
                    (None, _) => "its values are `#true` and `#false`".to_owned(),
                    (_, [_, ..]) => format!("its labels are {}", few(&on.labels)),
                    (Some(range), _) => {
                        format!("its values are {} to {}", range.start(), range.end())
                    }
                };
                let message = format!("{name} is `{}` and can never be {found}", on.type_name());
                (message, help)
            }
        };
        let case =
            Diagnostic::new(&draft.source, span.clone(), Code::Case.says(message)).with_help(help);
        found.push((number, case));
    }
    found
}
