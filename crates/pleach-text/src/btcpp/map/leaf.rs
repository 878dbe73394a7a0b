//! Nodes without children.

use pleach_tree::{Call, NodeKind, Parameter, ParameterValue, Value};

use super::{Making, Mapper, place_of, plain, value_of};
use crate::btcpp::fact::{Entry, Number, number};
use crate::btcpp::lower::{constant_of, label, name_of};
use crate::btcpp::meaning::Meaning;
use crate::btcpp::model::PortType;
use crate::btcpp::plan::{Node, Port, PortValue, Role, Script};
use crate::diagnostic::{Code, quoted};
use crate::draft::{Group, Hole, Item, ItemKind, ParamPlace, Part};

impl<'a> Mapper<'_, 'a> {
    /// Makes a node without children; gives its index.
    pub(super) fn leaf(&mut self, making: &mut Making<'a>, at: usize) -> usize {
        let plan = making.plan;
        let node = &plan.nodes[at];
        let mut place = place_of(node);
        let mut known: &[&str] = &[];
        let index = match node.meaning {
            Meaning::AlwaysSuccess => plain(making, NodeKind::Succeed, place),
            Meaning::AlwaysFailure => plain(making, NodeKind::Fail, place),
            Meaning::Sleep => {
                let time = self.milliseconds(making, node, "msec", &mut place);
                known = &["msec"];
                plain(making, NodeKind::Wait(time.unwrap_or_default()), place)
            }
            Meaning::SetBlackboard => return self.set_blackboard(making, node),
            Meaning::Script => self.script(making, node),
            Meaning::ScriptCondition => {
                let test = match node.script(Role::Code) {
                    Some(script) if script.statements.len() > 1 => {
                        let index = self.computed(making, node, script);
                        self.others(making, node, index, known);
                        return index;
                    }
                    Some(script) => self.test(making, node, &script.attribute, &script.statements),
                    None => {
                        self.needs(making, node, "code", "x > 1");
                        None
                    }
                };
                match test {
                    Some((test, place)) => plain(making, NodeKind::Condition(test), place),
                    None => plain(making, NodeKind::Fail, place),
                }
            }
            Meaning::SubTree => return self.usage(making, at),
            Meaning::Query => return self.call(making, node, NodeKind::Query),
            Meaning::Task => return self.call(making, node, NodeKind::Task),
            _ => return self.call(making, node, NodeKind::Action),
        };
        self.others(making, node, index, known);
        index
    }

    /// A condition that computes first, and then looks at its last value.
    fn computed(&mut self, making: &mut Making<'a>, node: &Node, script: &Script) -> usize {
        let index = plain(making, NodeKind::Sequence, place_of(node));
        let Some((last, first)) = script.statements.split_last() else {
            return index;
        };
        let effects = self.effects(making, &script.attribute, first);
        for effect in effects.iter().flatten() {
            let child = self.effect(making, node, &script.attribute, effect);
            making.items[index].children.push(child);
        }
        let last = std::slice::from_ref(last);
        if let Some((test, place)) = self.test(making, node, &script.attribute, last) {
            let child = plain(making, NodeKind::Condition(test), place);
            making.items[index].children.push(child);
        }
        index
    }

    fn script(&mut self, making: &mut Making<'a>, node: &Node) -> usize {
        let Some(script) = node.script(Role::Code) else {
            self.needs(making, node, "code", "x := 1");
            return plain(making, NodeKind::Fail, place_of(node));
        };
        let effects = self.effects(making, &script.attribute, &script.statements);
        self.all_effects(
            making,
            node,
            &script.attribute,
            &effects.unwrap_or_default(),
        )
    }

    /// A literal or an entry, written to an entry.
    fn set_blackboard(&mut self, making: &mut Making<'a>, node: &Node) -> usize {
        let failed = |making: &mut Making<'a>| plain(making, NodeKind::Fail, place_of(node));
        let Some(output) = node.port("output_key") else {
            self.needs(making, node, "output_key", "key");
            return failed(making);
        };
        let (PortValue::Key(key) | PortValue::Text(key)) = &output.value;
        let Some(value) = node.port("value") else {
            self.needs(making, node, "value", "1");
            return failed(making);
        };
        let entry = self.names.entry(making.tree, key).clone();
        if let Entry::Key | Entry::Constant(_) | Entry::Time = entry {
            let text = "entries that no script looks at and that are neither numbers nor words are the host's: SetBlackboard is a task for it here";
            self.note(making, node.span.clone(), Code::HostEntry, text);
            return self.call(making, node, NodeKind::Task);
        }
        let column = self.names.identifier(making.tree, key);
        let expr = match (&value.value, &entry) {
            (PortValue::Key(from), _) => Some(name_of(self.names.identifier(making.tree, from))),
            (PortValue::Text(text), Entry::Labels(labels)) => label(&column, labels, text),
            (PortValue::Text(text), Entry::Number(wanted)) => match text.trim() {
                "true" => Some(constant_of(1.0, *wanted)),
                "false" => Some(constant_of(0.0, *wanted)),
                text => text.parse().ok().map(|value| constant_of(value, *wanted)),
            },
            _ => None,
        };
        let Some(expr) = expr else {
            let message = format!("{} does not fit the entry", quoted(&value.attribute.value));
            self.wrong(
                making,
                value.attribute.value_span.clone(),
                Code::PortValue.says(message),
                "",
            );
            return failed(making);
        };
        let place = self.expr_place(making, node, &value.attribute, &expr);
        let kind = NodeKind::Set {
            column,
            value: expr,
        };
        let index = plain(making, kind, place.unwrap_or_else(|| place_of(node)));
        self.others(making, node, index, &["value", "output_key"]);
        index
    }

    /// A leaf of the host, with its ports as parameters.
    fn call(&mut self, making: &mut Making<'a>, node: &Node, wraps: fn(Call) -> NodeKind) -> usize {
        let mut place = place_of(node);
        let mut params = Vec::new();
        for port in &node.ports {
            let (value, group) = match &port.value {
                PortValue::Text(text) => (self.constant(node, port, text), None),
                PortValue::Key(key) => match self.names.entry(making.tree, key) {
                    Entry::Number(_) | Entry::Labels(_) => {
                        let column = self.names.identifier(making.tree, key);
                        let group = group(making, key);
                        (ParameterValue::Name(column), Some(group))
                    }
                    Entry::Constant(_) | Entry::Time | Entry::Key => {
                        match self.own_param(making, port) {
                            Some(param) => {
                                place.holes.push(Hole {
                                    part: Part::Param(params.len()),
                                    param,
                                    span: port.attribute.value_span.clone(),
                                });
                                (ParameterValue::Text(String::new()), None)
                            }
                            None => (ParameterValue::Text(format!("{{{key}}}")), None),
                        }
                    }
                },
            };
            place.params.push(ParamPlace {
                span: port.attribute.span.start..port.attribute.value_span.end,
                group,
            });
            params.push(Parameter {
                name: port.name.clone(),
                value,
            });
        }
        if node.meaning == Meaning::Action {
            let text =
                "actions are deferred: one is asked for in a tick, and answers in a later one (L2)";
            self.note(making, node.span.clone(), Code::Differs, text);
        }
        let call = Call {
            name: node.tag.clone(),
            params,
        };
        making
            .items
            .push(Item::new(ItemKind::Node(wraps(call)), place));
        making.items.len() - 1
    }

    /// A constant in a port: of the type that its model says, else of the type that it looks like.
    fn constant(&self, node: &Node, port: &Port, text: &str) -> ParameterValue {
        let model = self
            .models
            .port(&node.tag, &port.name)
            .and_then(|one| one.ty);
        let looks = number(text).filter(|_| text.trim() == text);
        let number = match (model, looks) {
            (Some(PortType::Other), _) | (_, None) => None,
            (Some(PortType::Float), Some(Number::Int)) => Some(Number::Float),
            (Some(PortType::Bool), Some(Number::Bool))
            | (Some(PortType::Int), Some(Number::Int))
            | (Some(PortType::Float), Some(Number::Float))
            | (None, Some(_)) => looks,
            (Some(_), Some(_)) => None,
        };
        match number {
            Some(Number::Bool) => ParameterValue::Const(Value::Bool(text == "true")),
            Some(number) => match text.parse() {
                Ok(value) => ParameterValue::Const(value_of(value, number)),
                Err(_) => ParameterValue::Text(text.to_owned()),
            },
            None => ParameterValue::Text(text.to_owned()),
        }
    }
}

/// Whether a key is a column or a world value, which only trees in KDL have.
fn group(making: &Making<'_>, key: &str) -> Group {
    let declared = making.plan.declared.as_ref();
    let mut all = declared
        .map_or(&[][..], |declared| &declared.declared)
        .iter();
    all.find(|one| one.name == key)
        .map_or(Group::Column, |one| one.group)
}
