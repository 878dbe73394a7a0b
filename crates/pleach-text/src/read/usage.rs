//! Uses of other trees.

use std::collections::HashSet;

use kdl::{KdlDocument, KdlEntry, KdlNode};

use super::param::Own;
use super::{Entries, Reader};
use crate::diagnostic::{Code, bytes, quoted};
use crate::draft::ItemPlace;
use crate::usage::{Given, GivenValue, Mapping, Usage};
use crate::value::value_span;

impl Reader<'_> {
    /// `subtree "patrol" speed=2.0 { map target="enemy" }`.
    pub(super) fn usage(
        &mut self,
        entries: &mut Entries<'_>,
        place: &mut ItemPlace,
    ) -> Option<Usage> {
        let tree = self
            .argument(entries, 0, "the name of a tree", "subtree \"patrol\"")
            .and_then(|entry| self.name(entry, "the name of a tree"));
        let mut seen: HashSet<&str> = HashSet::new();
        let mut given = Vec::new();
        for (key, entry) in std::mem::take(&mut entries.properties) {
            seen.insert(key);
            if let Some(name) = self.checked_name(key, bytes(entry)) {
                given.extend(self.given(name, entry));
            }
        }
        self.no_more(entries, 1, &[]);
        let mut maps = Vec::new();
        let mut mapped = HashSet::new();
        for child in entries.node.children().map_or(&[][..], KdlDocument::nodes) {
            match child.name().value() {
                "param" => {
                    if let Some((name, entry)) = self.param_line(child, &mut seen, place) {
                        given.extend(self.given(name, entry));
                    }
                }
                "map" => self.maps(child, &mut mapped, &mut maps, place),
                other => {
                    let message = format!("a subtree takes no {}", quoted(other));
                    let help = "in its block stand `map` and `param` lines; its nodes are those of the tree it names";
                    self.wrong(
                        bytes(child),
                        Code::LeafWithChildren.says(message),
                        Some(help),
                    );
                }
            }
        }
        Some(Usage {
            tree: tree?,
            given,
            maps,
        })
    }

    fn given(&mut self, name: String, entry: &KdlEntry) -> Option<Given> {
        let value = match self.own(entry, "", |_| true) {
            Own::Param(at) => GivenValue::Own(at),
            Own::Wrong => return None,
            Own::Other => match entry.ty().map(|ty| ty.value()) {
                Some("column" | "world" | "from") => {
                    let help = format!(
                        "a parameter is a constant; for a column or world value the tree declares it, and the use says `map {}=…`",
                        if name.len() < 40 { &name } else { "target" }
                    );
                    let message = format!(
                        "{} is given a column or world value, which no parameter can be",
                        quoted(&name)
                    );
                    self.wrong(
                        value_span(self.source, entry),
                        Code::ParameterType.says(message),
                        Some(&help),
                    );
                    return None;
                }
                _ => GivenValue::Entry(Box::new(entry.clone())),
            },
        };
        Some(Given {
            name,
            value,
            span: bytes(entry),
        })
    }

    /// `map target="enemy" home="base"`.
    fn maps<'n>(
        &mut self,
        node: &'n KdlNode,
        mapped: &mut HashSet<&'n str>,
        maps: &mut Vec<Mapping>,
        place: &mut ItemPlace,
    ) {
        let lengths = node.entries().iter().map(|entry| bytes(entry).len());
        place.bytes += lengths.sum::<usize>();
        let entries = self.entries(node);
        self.no_children(node);
        let help = "write the subtree's name, then this tree's: `map target=\"enemy\"`";
        if let Some(extra) = entries.arguments.first() {
            self.wrong(
                bytes(*extra),
                Code::Map.says("`map` takes properties only"),
                Some(help),
            );
        } else if entries.properties.is_empty() {
            self.wrong(
                bytes(node),
                Code::Map.says("`map` maps nothing"),
                Some(help),
            );
        }
        for (inner, entry) in entries.properties {
            let Some(name) = self.checked_name(inner, bytes(entry)) else {
                continue;
            };
            let Some(outer) = self.name(entry, "the name of a column or world value") else {
                continue;
            };
            if !mapped.insert(inner) {
                let message = format!("{} is mapped twice", quoted(&name));
                self.wrong(
                    bytes(entry),
                    Code::Map.says(message),
                    Some("remove one of them"),
                );
                continue;
            }
            maps.push(Mapping {
                inner: name,
                outer,
                span: bytes(entry),
            });
        }
    }
}
