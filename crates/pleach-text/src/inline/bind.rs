//! What the parameters of a used tree are.

use std::collections::HashMap;

use crate::constant::Constant;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, did_you_mean, quoted};
use crate::draft::{Draft, Item};
use crate::read::is_reserved;
use crate::usage::{GivenValue, Usage};

/// What a parameter is in a use of its tree.
pub(super) enum Bound {
    /// What the tree declares.
    Default,
    /// A constant that the use gives.
    Given(Constant),
    /// Whatever the using tree's parameter of that position is.
    Own(usize),
}

/// Finds what each parameter of `target` is where `item` of `user` uses it.
pub(super) fn bind(
    user: &Draft,
    item: &Item,
    usage: &Usage,
    target: &Draft,
    found: &mut Diagnostics,
) -> Vec<Bound> {
    let positions: HashMap<&str, usize> = target
        .params
        .iter()
        .enumerate()
        .map(|(at, param)| (param.name.as_str(), at))
        .collect();
    let mut bound: Vec<Option<Bound>> = target.params.iter().map(|_| None).collect();
    for given in &usage.given {
        let Some(&at) = positions.get(given.name.as_str()) else {
            found.push(unknown(user, &given.name, given.span.clone(), target));
            continue;
        };
        let param = &target.params[at];
        let declared = (&target.source, param.span.clone(), "declared here");
        let value = match &given.value {
            GivenValue::Entry(entry) => Constant::read(&user.source, entry, param.ty)
                .map(Bound::Given)
                .map_err(|error| error.with_note(declared.0, declared.1, declared.2)),
            GivenValue::Own(own) => {
                let ty = user.params.get(*own).map(|own| own.ty);
                if ty == Some(param.ty) {
                    Ok(Bound::Own(*own))
                } else {
                    let (name, is) = match user.params.get(*own) {
                        Some(own) => (quoted(&own.name), own.ty.to_string()),
                        None => (String::new(), String::new()),
                    };
                    let message = format!(
                        "{} is a parameter `{}`, but {name} is `{is}`",
                        quoted(&param.name),
                        param.ty
                    );
                    Err(Diagnostic::new(
                        &user.source,
                        given.span.clone(),
                        Code::ParameterType.says(message),
                    )
                    .with_note(declared.0, declared.1, declared.2)
                    .with_help("declare both with the same type"))
                }
            }
        };
        // One that is wrong is there, all the same.
        bound[at] = Some(value.unwrap_or_else(|error| {
            found.push(error);
            Bound::Default
        }));
    }
    let bound = bound.into_iter().zip(&target.params).map(|(bound, param)| {
        if bound.is_none() && param.default.is_none() {
            let message = format!(
                "tree {} needs its parameter {}, which has no default",
                quoted(&target.name),
                quoted(&param.name)
            );
            let tree = quoted(&target.name).replace('`', "\"");
            let (name, ty) = (&param.name, param.ty);
            let help = match is_reserved(name) {
                true => format!("give it: `subtree {tree} {{ param \"{name}\" … }}`, of type {ty}"),
                false => format!("give it: `subtree {tree} {name}=…`, of type {ty}"),
            };
            found.push(
                Diagnostic::new(
                    &user.source,
                    item.place.keyword.clone(),
                    Code::MissingParameter.says(message),
                )
                .with_note(&target.source, param.span.clone(), "declared here")
                .with_help(help),
            );
        }
        bound.unwrap_or(Bound::Default)
    });
    bound.collect()
}

fn unknown(user: &Draft, name: &str, span: std::ops::Range<usize>, target: &Draft) -> Diagnostic {
    let message = format!(
        "tree {} has no parameter {}",
        quoted(&target.name),
        quoted(name)
    );
    let mapped = target.declared.iter().find(|one| one.name == name);
    let known = target.params.iter().map(|param| param.name.as_str());
    let help = match (mapped, target.params.as_slice()) {
        (Some(one), _) => format!(
            "{} is a {} of it; in the use's block, `map {name}=…` says which of yours it is",
            quoted(name),
            one.group.noun()
        ),
        (None, []) => "it has none; declare some in its block `params { … }`".to_owned(),
        (None, params) => did_you_mean(name, known).unwrap_or_else(|| {
            let names: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
            format!("it has {}", names.join(", "))
        }),
    };
    Diagnostic::new(&user.source, span, Code::UnknownParameter.says(message)).with_help(help)
}
