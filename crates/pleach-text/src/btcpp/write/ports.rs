//! Ports of calls and of uses of trees.

use std::collections::HashSet;

use kdl::KdlValue;
use pleach_tree::{Call, ParameterValue, Value, is_identifier};

use super::native::Native;
use super::{Whole, is_xml_name, is_xml_text};
use crate::btcpp::fact::{Number, number};
use crate::btcpp::model::PortType;
use crate::btcpp::planner::key_in;
use crate::draft::{Draft, Item, ItemKind, Part};
use crate::read::MAX_NAME;
use crate::usage::{GivenValue, Usage};

/// The ports of a call, and whether they are read back as the same parameters. That depends on what the
/// trees of the whole file declare.
pub(super) fn ports_of(
    draft: &Draft,
    whole: Option<&Whole<'_>>,
    item: &Item,
    call: &Call,
) -> (Vec<(String, String)>, bool) {
    let mut exact = true;
    let group = |name: &str| {
        let mut declared = draft.declared.iter().filter(|_| is_identifier(name));
        declared.find(|one| one.name == name).map(|one| one.group)
    };
    let known = |key: &str| {
        let name = key.strip_prefix('@').unwrap_or(key);
        whole.is_none_or(|whole| whole.declared.contains(name))
    };
    let ports = call.params.iter().enumerate().map(|(at, param)| {
        let model = whole.and_then(|whole| whole.models.port(&call.name, &param.name));
        let model = model.and_then(|port| port.ty);
        let mut holes = item.place.holes.iter();
        let hole = holes.rfind(|hole| hole.part == Part::Param(at));
        let text = match (&param.value, hole) {
            (_, Some(hole)) => {
                let param = draft.params.get(hole.param);
                format!("{{{}}}", param.map_or("", |param| &param.name))
            }
            (ParameterValue::Name(name), None) => {
                // `(from)` may be either, and `(column)` a slip.
                let said = item.place.params.get(at).map(|place| place.group);
                let is = group(name);
                exact &= is.is_some() && said.is_none_or(|said| said == is);
                format!("{{{name}}}")
            }
            (ParameterValue::Text(text), None) => {
                exact &= match key_in(&param.name, text) {
                    Some(key) => {
                        // The type of a port is that of a column.
                        let typed = model.is_some_and(|ty| ty != PortType::Other);
                        let same = key.len() <= MAX_NAME && *text == format!("{{{key}}}");
                        same && !typed && !known(&key)
                    }
                    None if model == Some(PortType::Other) => true,
                    None => number(text).is_none(),
                };
                text.clone()
            }
            (ParameterValue::Const(value), None) => {
                let text = value.to_string();
                exact &= matches!(
                    (value, number(&text), model),
                    (
                        Value::Bool(_),
                        Some(Number::Bool),
                        None | Some(PortType::Bool)
                    ) | (Value::I32(_), Some(Number::Int), None | Some(PortType::Int))
                        | (
                            Value::F32(_),
                            Some(Number::Float),
                            None | Some(PortType::Float)
                        )
                );
                text
            }
        };
        (param.name.clone(), text)
    });
    let ports: Vec<(String, String)> = ports.collect();
    // What XML or BehaviorTree.CPP cannot have stands in the KDL alone.
    let mut seen = HashSet::new();
    let all = ports.len();
    let legal: Vec<(String, String)> = ports
        .into_iter()
        .filter(|(name, text)| can_be_port(name, text) && seen.insert(name.clone()))
        .collect();
    exact &= legal.len() == all;
    (legal, exact)
}

/// Whether XML and BehaviorTree.CPP can have a port, with what it is given.
fn can_be_port(name: &str, text: &str) -> bool {
    !matches!(name, "ID" | "name")
        && !name.starts_with('_')
        && is_xml_name(name)
        && is_xml_text(text)
}

/// The ports of a node that says in KDL what it is, as they are written beside that.
pub(in crate::btcpp) fn attributes_of(draft: &Draft, item: &Item) -> Vec<(String, String)> {
    match &item.kind {
        ItemKind::Node(kind) => match kind.call() {
            Some(call) => ports_of(draft, None, item, call).0,
            None => Vec::new(),
        },
        ItemKind::Subtree(usage) => ports_of_use(draft, usage),
    }
}

/// What a use of a tree gives and maps, as far as ports can say it.
fn ports_of_use(draft: &Draft, usage: &Usage) -> Vec<(String, String)> {
    let given = usage.given.iter().map(|given| {
        let text = match &given.value {
            GivenValue::Own(at) => {
                let param = draft.params.get(*at);
                format!("{{{}}}", param.map_or("", |param| &param.name))
            }
            GivenValue::Entry(entry) => match entry.value() {
                KdlValue::String(text) => text.clone(),
                KdlValue::Bool(value) => value.to_string(),
                KdlValue::Integer(value) => value.to_string(),
                KdlValue::Float(value) => value.to_string(),
                KdlValue::Null => String::new(),
            },
        };
        (given.name.clone(), text)
    });
    // What begins with `_` is no port to BehaviorTree.CPP, and in `_kdl`.
    let maps = usage.maps.iter();
    let maps = maps.map(|map| (map.inner.clone(), format!("{{{}}}", map.outer)));
    let mut seen = HashSet::new();
    given
        .chain(maps)
        .filter(|(name, text)| can_be_port(name, text) && seen.insert(name.clone()))
        .collect()
}

/// A use of a tree.
pub(super) fn subtree(draft: &Draft, usage: &Usage) -> Native {
    let mut attributes = vec![("ID".to_owned(), usage.tree.clone())];
    attributes.extend(ports_of_use(draft, usage));
    attributes.push(("_autoremap".to_owned(), "true".to_owned()));
    Native {
        tag: "SubTree".to_owned(),
        called: usage.tree.clone(),
        attributes,
        // Parameters of one name would be passed on.
        exact: usage.given.is_empty() && usage.maps.is_empty() && draft.params.is_empty(),
        may_say_more: true,
    }
}
