//! What trees declare, together with the trees that they use.

use std::collections::{HashMap, HashSet};

use pleach_tree::Value;

use super::Use;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, MAX_KEPT, Message, did_you_mean, quoted};
use crate::draft::{Declared, Draft, ItemKind};
use crate::read::few;
use crate::usage::{Mapping, Usage};

/// What a tree declares together with all that it uses, each with the draft that it is from. Names
/// are those of the tree: what a use maps is not among them, and goes to its
/// [`renamed`](Use::renamed), the labels of enumerations included.
pub(super) fn merge(
    drafts: &[Draft],
    at: usize,
    uses: &mut [Use],
    merged: &[Vec<(usize, Declared)>],
    found: &mut Diagnostics,
) -> Vec<(usize, Declared)> {
    let mut all: Vec<(usize, Declared)> = drafts[at]
        .declared
        .iter()
        .map(|one| (at, one.clone()))
        .collect();
    let own = all.len();
    let mut known: HashMap<String, usize> = all
        .iter()
        .enumerate()
        .map(|(index, (_, one))| (one.name.clone(), index))
        .collect();
    let mut done = HashSet::new();
    for Use {
        item,
        target,
        renamed,
        ..
    } in uses
    {
        let ItemKind::Subtree(usage) = &drafts[at].items[*item].kind else {
            continue;
        };
        let mut mapped: HashSet<&str> = HashSet::new();
        if usage.maps.is_empty() {
            if !done.insert(*target) {
                continue;
            }
        } else {
            // No longer than the tree is large, which is counted for each use of it.
            let inner: HashMap<&str, &(usize, Declared)> = merged[*target]
                .iter()
                .map(|one| (one.1.name.as_str(), one))
                .collect();
            for mapping in &usage.maps {
                mapped.insert(&mapping.inner);
                // Nobody is shown more, and each costs a search for a name that is near.
                if found.len() >= MAX_KEPT {
                    continue;
                }
                let outer = known.get(&mapping.outer).filter(|&&index| index < own);
                let outer = outer.map(|&index| &all[index].1);
                match check(drafts, at, usage, *target, mapping, &inner, outer) {
                    Ok(labels) => {
                        renamed.push((mapping.inner.clone(), mapping.outer.clone()));
                        renamed.extend(labels.iter().map(|label| {
                            let full = |name: &str| format!("{name}.{label}");
                            (full(&mapping.inner), full(&mapping.outer))
                        }));
                    }
                    Err(error) => found.push(error),
                }
            }
        }
        for (from, one) in &merged[*target] {
            if mapped.contains(one.name.as_str()) {
                continue;
            }
            let Some(&index) = known.get(&one.name) else {
                known.insert(one.name.clone(), all.len());
                all.push((*from, one.clone()));
                continue;
            };
            let (other, first) = &all[index];
            if first.is_like(one) && first.default.to_bits() == one.default.to_bits() {
                continue;
            }
            let message = format!(
                "{} is {} in tree {}, but {} in {}, which is used with it",
                quoted(&one.name),
                declaration(one),
                quoted(&drafts[*from].name),
                declaration(first),
                quoted(&drafts[*other].name),
            );
            let help = "declare it alike in both, give one of them another name, or `map` it where the tree is used";
            found.push(
                Diagnostic::new(
                    &drafts[*from].source,
                    one.span.clone(),
                    Code::Conflict.says(message),
                )
                .with_note(
                    &drafts[*other].source,
                    first.span.clone(),
                    "the other stands here",
                )
                .with_help(help),
            );
        }
    }
    all
}

/// Whether a mapping is one: from a name that the used tree declares to one of this tree, alike.
fn check<'a>(
    drafts: &[Draft],
    at: usize,
    usage: &Usage,
    target: usize,
    mapping: &Mapping,
    inner: &HashMap<&str, &(usize, Declared)>,
    outer: Option<&'a Declared>,
) -> Result<&'a [String], Diagnostic> {
    let user = &drafts[at];
    let wrong = |message: Message| Diagnostic::new(&user.source, mapping.span.clone(), message);
    let Some((from, one)) = inner.get(mapping.inner.as_str()).copied() else {
        let tree = &drafts[target];
        if let Some(param) = tree.params.iter().find(|param| param.name == mapping.inner) {
            let message = format!(
                "{} is a parameter of tree {}, not a column or world value",
                quoted(&param.name),
                quoted(&usage.tree)
            );
            return Err(wrong(Code::Map.says(message))
                .with_note(&tree.source, param.span.clone(), "declared here")
                .with_help("give it a constant beside the tree's name"));
        }
        let message = format!(
            "tree {} declares no column or world value {}",
            quoted(&usage.tree),
            quoted(&mapping.inner)
        );
        let near = did_you_mean(&mapping.inner, inner.keys().copied());
        return Err(
            wrong(Code::Map.says(message)).with_help(near.unwrap_or_else(|| {
                "`map` says first the name of the subtree, then that of this tree".to_owned()
            })),
        );
    };
    let Some(outer) = outer else {
        let message = format!(
            "tree {} declares no column or world value {} for {} to be",
            quoted(&user.name),
            quoted(&mapping.outer),
            quoted(&mapping.inner)
        );
        let known = user.declared.iter().map(|one| one.name.as_str());
        let near = did_you_mean(&mapping.outer, known);
        let help = match user.params.iter().find(|param| param.name == mapping.outer) {
            Some(_) => {
                "a parameter is a constant: make it a parameter of the subtree, too".to_owned()
            }
            None => near
                .unwrap_or_else(|| format!("declare it in this tree: it is {}", declaration(one))),
        };
        return Err(wrong(Code::Map.says(message))
            .with_note(
                &drafts[*from].source,
                one.span.clone(),
                "the subtree's stands here",
            )
            .with_help(help));
    };
    if outer.is_like(one) {
        return Ok(&outer.labels);
    }
    let kind = |one: &Declared| {
        let labels = match one.labels.as_slice() {
            [] => String::new(),
            labels => format!(" {}", few(labels)),
        };
        format!("a {} `{}{labels}`", one.group.noun(), one.type_name())
    };
    let message = format!(
        "{} is {} in tree {}, but {} is {} here",
        quoted(&mapping.inner),
        kind(one),
        quoted(&drafts[*from].name),
        quoted(&mapping.outer),
        kind(outer)
    );
    Err(wrong(Code::Map.says(message))
        .with_note(
            &drafts[*from].source,
            one.span.clone(),
            "the subtree's stands here",
        )
        .with_note(&user.source, outer.span.clone(), "this tree's stands here")
        .with_help("map a column to a column and a world value to a world value, of the same type"))
}

fn declaration(one: &Declared) -> String {
    let group = one.group.noun();
    match (one.labels.as_slice(), one.default) {
        ([], default) => format!("a {group} `{} {default}`", default.ty()),
        (labels, Value::U8(first)) => {
            let first = labels.get(usize::from(first)).map_or("", String::as_str);
            format!("a {group} `enum {} default={first}`", few(labels))
        }
        (labels, _) => format!("a {group} `enum {}`", few(labels)),
    }
}
