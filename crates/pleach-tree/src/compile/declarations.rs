//! Checking what a tree declares.

use pleach_shape::{ColumnDef, MAX_NAME_BYTES, MAX_VALUES, Value, WorldDef};

use super::Compiler;
use crate::error::{Place, ProblemKind};
use crate::lower::Meaning;
use crate::tree::{is_expression_word, is_identifier};

/// The most labels of an enumeration: its values are bytes.
pub const MAX_LABELS: usize = 256;

impl Compiler<'_> {
    pub(super) fn declarations(&mut self) {
        let tree = self.tree;
        for (what, count) in [
            ("columns", tree.columns().len()),
            ("world values", tree.world().len()),
        ] {
            if count > MAX_VALUES {
                let own = self.original.columns().len();
                let (message, help) = if what == "columns" && own <= MAX_VALUES {
                    (
                        format!(
                            "the tree declares {own} columns, and its compound nodes need {} more, allowed are \
                             {MAX_VALUES}",
                            count - own
                        ),
                        Some(
                            "compound nodes remember things in columns: take some of them away"
                                .into(),
                        ),
                    )
                } else {
                    let message =
                        format!("the tree declares {count} {what}, allowed are {MAX_VALUES}");
                    (message, None)
                };
                self.problem(Place::Tree, tree.name(), message, help)
                    .kind(ProblemKind::Limit);
            }
        }
        if tree.name().len() > MAX_NAME_BYTES {
            let message = format!("the tree's name has more than {MAX_NAME_BYTES} bytes");
            self.problem(Place::Tree, "the tree", message, None)
                .kind(ProblemKind::Limit);
        }
        for (index, column) in tree.columns().iter().enumerate() {
            let meaning = Meaning::Column(index as u32, column.default.ty());
            if index >= self.original.columns().len() {
                // A compound node's own, of a name that nothing else can have.
                self.scope.add(&column.name, meaning);
            } else {
                self.declared(
                    "column",
                    Place::Column(index),
                    &column.name,
                    column.default,
                    meaning,
                );
            }
            self.labels(
                Place::Column(index),
                &column.name,
                &column.labels,
                column.default,
            );
            let name = self.name(&column.name);
            self.tables.columns.push(ColumnDef {
                name,
                ty: column.default.ty() as u32,
                default: column.default.to_bits(),
            });
        }
        for (index, world) in tree.world().iter().enumerate() {
            let meaning = Meaning::World(index as u32, world.default.ty());
            self.declared(
                "world value",
                Place::World(index),
                &world.name,
                world.default,
                meaning,
            );
            self.labels(
                Place::World(index),
                &world.name,
                &world.labels,
                world.default,
            );
            let name = self.name(&world.name);
            self.tables.world.push(WorldDef {
                name,
                ty: world.default.ty() as u32,
                default: world.default.to_bits(),
            });
        }
    }

    fn declared(&mut self, what: &str, place: Place, name: &str, default: Value, meaning: Meaning) {
        if !is_identifier(name) {
            self.problem(
                place.clone(),
                name,
                format!("`{name}` cannot name a {what}"),
                Some(rule(
                    name,
                    "use a letter or `_`, then letters, digits, `_` and `.`",
                )),
            )
            .kind(ProblemKind::BadName);
        }
        if !self.scope.add(name, meaning) {
            self.problem(
                place.clone(),
                name,
                format!("`{name}` is declared twice"),
                Some("columns and world values share their names: rename one".into()),
            )
            .kind(ProblemKind::Twice);
        }
        if let Value::F32(value) = default
            && !value.is_finite()
        {
            self.problem(
                place,
                name,
                format!("the default of {what} `{name}` is {value}, which is not a finite number"),
                None,
            )
            .kind(ProblemKind::OutOfRange);
        }
    }

    /// The labels of an enumeration: each is a constant, called by the enumeration's name and its own.
    fn labels(&mut self, place: Place, name: &str, labels: &[String], default: Value) {
        if labels.is_empty() {
            return;
        }
        let Value::U8(default) = default else {
            let message = format!(
                "`{name}` has labels, but its type is {}, not u8",
                default.ty()
            );
            self.problem(place, name, message, None)
                .kind(ProblemKind::Enumeration);
            return;
        };
        if labels.len() > MAX_LABELS {
            let message = format!(
                "the enumeration `{name}` has {} labels, allowed are {MAX_LABELS}",
                labels.len()
            );
            self.problem(place, name, message, None)
                .kind(ProblemKind::Limit);
            return;
        }
        if usize::from(default) >= labels.len() {
            let message = format!(
                "the enumeration `{name}` begins with number {default}, allowed are 0 to {}",
                labels.len() - 1
            );
            let help = "labels are numbered from 0 in their order";
            self.problem(place, name, message, Some(help.into()))
                .kind(ProblemKind::Enumeration);
            return;
        }
        for (value, label) in labels.iter().enumerate() {
            if !is_identifier(label) || label.contains('.') {
                let message = format!("`{label}` cannot name a label of `{name}`");
                let help = rule(label, "use a letter or `_`, then letters, digits and `_`");
                self.problem(place.clone(), name, message, Some(help))
                    .kind(ProblemKind::BadName);
            } else if !self
                .scope
                .add(&format!("{name}.{label}"), Meaning::Label(value as u8))
            {
                let message = format!("the label `{label}` of `{name}` is declared twice");
                let help = format!("nothing else can be called `{name}.{label}`: rename one");
                self.problem(place.clone(), name, message, Some(help))
                    .kind(ProblemKind::Twice);
            }
        }
    }
}

/// What to do about a name that cannot be one.
fn rule(name: &str, otherwise: &str) -> String {
    match is_expression_word(name) {
        true => "it is a word of the expression language: choose another name".to_owned(),
        false => otherwise.to_owned(),
    }
}
