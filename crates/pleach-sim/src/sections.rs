//! The sections of a scenario that speak about its tree: columns, world values, actions.

use std::collections::HashSet;

use pleach_shape::{FunctionKind, Shape};
use pleach_text::kdl::{KdlEntry, KdlNode};
use pleach_text::{bytes, quoted};
use pleach_vm::{Population, Value, ValueType};

use crate::chance::Chance;
use crate::motion::{Motion, Number};
use crate::motion_reader::Steps;
use crate::read::functions;
use crate::reader::{Reader, Seen};
use crate::script::{ActionScript, Change, ChangeNumber, Effect, PulseScript, SetTruth};
use crate::track::{ColumnTrack, WorldTrack};

/// The sections, in the order in which they must be read.
pub(crate) const SECTIONS: [&str; 6] = [
    "columns",
    "world",
    "actions",
    "persistent",
    "tasks",
    "queries",
];

/// The most effects that the end of an action may have.
const MAX_EFFECTS: usize = 256;

/// What the sections said so far.
pub(crate) struct Sections<'r, 'a> {
    reader: &'r mut Reader<'a>,
    /// Empty; it gives keys.
    population: &'r Population,
    columns: Vec<Motion>,
    world: Vec<Motion>,
    pub(crate) actions: Vec<ActionScript>,
    pub(crate) persistent: Vec<PulseScript>,
    pub(crate) tasks: Vec<PulseScript>,
    pub(crate) queries: Vec<Chance>,
    /// `section/name` of what has a description.
    described: HashSet<String>,
}

impl<'r, 'a> Sections<'r, 'a> {
    /// Nothing said: columns keep their defaults, actions succeed at once.
    pub(crate) fn new(reader: &'r mut Reader<'a>, population: &'r Population) -> Sections<'r, 'a> {
        let tables = population.shape().tables();
        let constant = |ty: Option<ValueType>, bits| {
            Motion::constant(Value::from_bits(ty.unwrap_or(ValueType::Bool), bits))
        };
        Sections {
            columns: tables
                .columns
                .iter()
                .map(|def| constant(def.ty(), def.default))
                .collect(),
            world: tables
                .world
                .iter()
                .map(|def| constant(def.ty(), def.default))
                .collect(),
            actions: vec![ActionScript::default(); tables.actions.len()],
            persistent: vec![PulseScript::default(); tables.actions.len()],
            tasks: vec![PulseScript::default(); tables.functions.len()],
            queries: vec![Chance::EVEN; tables.functions.len()],
            described: HashSet::new(),
            reader,
            population,
        }
    }

    fn shape(&self) -> &'r Shape {
        self.population.shape()
    }

    /// Reads a section, one of [`SECTIONS`]: columns before actions, which may change them.
    pub(crate) fn section(&mut self, node: &KdlNode) {
        let kind = node.name().value();
        self.reader
            .arguments(node, 0..=0, &format!("{kind} {{ … }}"), &[]);
        let known = self.known(kind);
        let mut seen = Seen::new();
        for entry in node.children().map_or(&[][..], |children| children.nodes()) {
            let name = entry.name().value();
            let Some(&(index, _)) = known.iter().find(|(_, known)| *known == name) else {
                self.misplaced(kind, entry, &known);
                continue;
            };
            if !self.reader.first(&mut seen, entry) {
                continue;
            }
            self.described.insert(format!("{kind}/{name}"));
            match kind {
                "columns" => {
                    if let Some(motion) = self.motion(entry, self.columns[index]) {
                        self.columns[index] = motion;
                    }
                }
                "world" => {
                    if let Some(motion) = self.motion(entry, self.world[index]) {
                        self.world[index] = motion;
                    }
                }
                "actions" => self.actions[index] = self.action(entry),
                "persistent" => self.persistent[index] = self.pulse(entry),
                "tasks" => self.tasks[index] = self.pulse(entry),
                _ => self.queries[index] = self.query(entry),
            }
        }
    }

    /// The names that a section can speak about, with their indices in the shape.
    fn known(&self, section: &str) -> Vec<(usize, &'r str)> {
        let shape = self.shape();
        let tables = shape.tables();
        let actions = |slots: &[pleach_shape::SlotDef]| {
            let used: HashSet<u32> = slots.iter().map(|slot| slot.action).collect();
            let names = tables.actions.iter().enumerate();
            let used = names.filter(|(index, _)| used.contains(&(*index as u32)));
            used.map(|(index, &name)| (index, shape.name(name)))
                .collect()
        };
        match section {
            "columns" => tables
                .columns
                .iter()
                // Those behind belong to nodes, and move by themselves.
                .take(shape.own_columns())
                .map(|def| shape.name(def.name))
                .enumerate()
                .collect(),
            "world" => tables
                .world
                .iter()
                .map(|def| shape.name(def.name))
                .enumerate()
                .collect(),
            "actions" => actions(&tables.deferred),
            "persistent" => actions(&tables.persistent),
            "tasks" => functions(shape, FunctionKind::Task).collect(),
            _ => functions(shape, FunctionKind::Query).collect(),
        }
    }

    /// A name that the tree does not have, or has as something else.
    #[cold]
    fn misplaced(&mut self, section: &str, node: &KdlNode, known: &[(usize, &str)]) {
        let name = node.name().value();
        let what = match section {
            "columns" => "column",
            "world" => "world value",
            "actions" => "deferred action",
            "persistent" => "persistent action",
            "tasks" => "task",
            _ => "query",
        };
        let message = format!("the tree has no {what} {}", quoted(name));
        let elsewhere = SECTIONS
            .into_iter()
            .find(|other| self.known(other).iter().any(|(_, known)| *known == name));
        if let Some(elsewhere) = elsewhere {
            let help = format!("describe it in the section `{elsewhere}`");
            return self.reader.wrong(bytes(node), message, Some(help));
        }
        let known: Vec<&str> = known.iter().map(|&(_, name)| name).collect();
        self.reader.unknown(node, message, &known);
    }

    fn motion(&mut self, node: &KdlNode, default: Motion) -> Option<Motion> {
        self.reader
            .arguments(node, 0..=0, "health { start 1.0; walk 0.1 }", &[]);
        Some(match default {
            Motion::Bool(flips) => Motion::Bool(self.reader.flips(node, flips)),
            Motion::U8(walk) => Motion::U8(self.reader.walk(node, walk)?),
            Motion::U16(walk) => Motion::U16(self.reader.walk(node, walk)?),
            Motion::I32(walk) => Motion::I32(self.reader.walk(node, walk)?),
            Motion::F32(walk) => Motion::F32(self.reader.walk(node, walk)?),
            Motion::U64(walk) => Motion::U64(self.reader.walk(node, walk)?),
        })
    }

    fn action(&mut self, node: &KdlNode) -> ActionScript {
        let mut script = ActionScript::default();
        self.reader
            .arguments(node, 0..=0, "patrol { lasts 10 20 }", &[]);
        let known = ["lasts", "succeeds", "errors", "on-success", "on-failure"];
        for field in self.reader.fields(node, &known) {
            match field.name().value() {
                "lasts" => {
                    if let Some(lasts) = self.reader.lasts(field) {
                        script.lasts = lasts;
                    }
                }
                "succeeds" => {
                    let chance = self.reader.argument(field, "succeeds 0.9");
                    script.succeeds = chance
                        .and_then(|entry| self.reader.chance(entry))
                        .unwrap_or(Chance::ALWAYS);
                }
                "errors" => {
                    self.reader.no_children(field);
                    let entries =
                        self.reader
                            .arguments(field, 1..=1, "errors 0.01 code=7", &["code"]);
                    let chance = entries.and_then(|entries| self.reader.chance(entries[0]));
                    script.errors = chance.unwrap_or(Chance::NEVER);
                    let code = self.reader.property(field, "code");
                    let code = code.and_then(|entry| self.reader.whole(entry, 0..=u32::MAX));
                    script.error_code = code.unwrap_or(script.error_code);
                }
                "on-success" => script.on_success = self.effects(field),
                _ => script.on_failure = self.effects(field),
            }
        }
        script
    }

    fn effects(&mut self, node: &KdlNode) -> Vec<Effect> {
        self.reader
            .arguments(node, 0..=0, "on-success { set sees_player #false }", &[]);
        let children = node.children().map_or(&[][..], |children| children.nodes());
        if let Some(extra) = children.get(MAX_EFFECTS) {
            let message = format!("{} effects, allowed are {MAX_EFFECTS}", children.len());
            self.reader.wrong(bytes(extra), message, None);
        }
        children
            .iter()
            .take(MAX_EFFECTS)
            .filter_map(|child| self.effect(child))
            .collect()
    }

    fn effect(&mut self, node: &KdlNode) -> Option<Effect> {
        let name = node.name().value();
        self.reader.no_children(node);
        let (allowed, example) = match name {
            "set" => (2..=3, "set health 0.5 1.0"),
            "add" => (2..=2, "add health -0.2"),
            _ => {
                let message = format!("an action's end has no effect {}", quoted(name));
                self.reader.unknown(node, message, &["set", "add"]);
                return None;
            }
        };
        let entries = self.reader.arguments(node, allowed, example, &[])?;
        let column = self.reader.text(entries[0], "the name of a column")?;
        let Some((index, ty)) = self.shape().column(column) else {
            let known = self.known("columns");
            let help = pleach_text::did_you_mean(column, known.iter().map(|&(_, name)| name));
            let message = format!("the tree has no column {}", quoted(column));
            self.reader.wrong(bytes(entries[0]), message, help);
            return None;
        };
        let values = &entries[1..];
        match (ty, self.columns[index.at()]) {
            (ValueType::Bool, _) => {
                if name == "add" || values.len() > 1 {
                    let help = format!("write `set {column} #true` or `set {column} #false`");
                    self.reader
                        .wrong(bytes(node), "a truth value can only be set", Some(help));
                    return None;
                }
                let value = self.reader.value(values[0], ty)? == Value::Bool(true);
                SetTruth::new(self.population, column, value).map(Effect::Bool)
            }
            (_, Motion::U8(walk)) => self
                .change(node, column, values, walk.bounds)
                .map(Effect::U8),
            (_, Motion::U16(walk)) => self
                .change(node, column, values, walk.bounds)
                .map(Effect::U16),
            (_, Motion::I32(walk)) => self
                .change(node, column, values, walk.bounds)
                .map(Effect::I32),
            (_, Motion::F32(walk)) => self
                .change(node, column, values, walk.bounds)
                .map(Effect::F32),
            (_, Motion::U64(walk)) => self
                .change(node, column, values, walk.bounds)
                .map(Effect::U64),
            (_, Motion::Bool(_)) => None,
        }
    }

    fn change<T: Number + Steps>(
        &mut self,
        node: &KdlNode,
        column: &str,
        values: &[&KdlEntry],
        bounds: (T, T),
    ) -> Option<ChangeNumber<T>> {
        let change = if node.name().value() == "add" {
            Change::Add(T::read_step(self.reader, values[0])?)
        } else {
            let (low, high) = self.reader.range(values)?;
            self.reader.within(values, (low, high), bounds)?;
            Change::Set(low, high)
        };
        ChangeNumber::new(self.population, column, change, bounds)
    }

    fn pulse(&mut self, node: &KdlNode) -> PulseScript {
        self.reader
            .arguments(node, 0..=0, "look { succeeds 0.2; fails 0.1 }", &[]);
        let (mut succeeds, mut fails) = (Chance::NEVER, Chance::NEVER);
        for field in self.reader.fields(node, &["succeeds", "fails"]) {
            let entry = self.reader.argument(field, "succeeds 0.2");
            let chance = entry
                .and_then(|entry| self.reader.chance(entry))
                .unwrap_or(Chance::NEVER);
            match field.name().value() {
                "succeeds" => succeeds = chance,
                _ => fails = chance,
            }
        }
        PulseScript::new(succeeds, fails).unwrap_or_else(|| {
            let help = "the rest up to 1 is the chance to keep running".to_owned();
            self.reader
                .wrong(bytes(node), "its chances add up to more than 1", Some(help));
            PulseScript::default()
        })
    }

    fn query(&mut self, node: &KdlNode) -> Chance {
        self.reader
            .arguments(node, 0..=0, "has_ammo { holds 0.7 }", &[]);
        let fields = self.reader.fields(node, &["holds"]);
        let entry = fields
            .first()
            .and_then(|field| self.reader.argument(field, "holds 0.7"));
        entry
            .and_then(|entry| self.reader.chance(entry))
            .unwrap_or(Chance::EVEN)
    }

    /// The columns' motions, bound.
    pub(crate) fn columns(&self) -> Vec<ColumnTrack> {
        let names = self.known("columns");
        let motions = names.iter().zip(&self.columns);
        motions
            .filter_map(|(&(_, name), &motion)| ColumnTrack::new(self.population, name, motion))
            .collect()
    }

    /// The world values' motions, bound.
    pub(crate) fn world(&self) -> Vec<WorldTrack> {
        let names = self.known("world");
        let motions = names.iter().zip(&self.world);
        motions
            .filter_map(|(&(_, name), &motion)| WorldTrack::new(self.population, name, motion))
            .collect()
    }

    /// `section/name` of all actions, tasks and queries without a description.
    pub(crate) fn undescribed(&self) -> Vec<String> {
        let sections = ["actions", "persistent", "tasks", "queries"];
        let all = sections.into_iter().flat_map(|section| {
            self.known(section)
                .into_iter()
                .map(move |(_, name)| format!("{section}/{name}"))
        });
        all.filter(|name| !self.described.contains(name)).collect()
    }
}
