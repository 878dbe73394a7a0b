//! The world: values shared by all populations, which tick together.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use pleach_shape::{Value, ValueType};

use crate::population::Population;

/// Values that all actors share, and the populations that read them.
///
/// A population's tree declares which world values it reads; the world holds one value of each
/// name for all of them, and hands it out at the start of each tick.
///
/// ```
/// use pleach_tree::{action, compile, condition, selector, sequence, Tree};
/// use pleach_vm::{Population, Value, World};
/// use std::time::Duration;
///
/// let tree = Tree::build("guard").world("alarm", false).root(selector([
///     sequence([condition("alarm"), action("muster")]),
///     action("patrol"),
/// ]));
/// let mut world = World::new();
/// let guards = world.add(Population::new(compile(&tree)?))?;
/// world[guards].spawn()?;
///
/// world.set("alarm", true)?;
/// world.tick(Duration::from_millis(16));
/// let muster = world[guards].shape().action("muster").unwrap();
/// assert_eq!(world[guards].requests().of(muster).iter().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct World {
    values: BTreeMap<String, Value>,
    populations: Vec<Population>,
}

/// A population of a [`World`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PopulationId(usize);

/// Why a world value does not fit.
#[derive(Clone, PartialEq, Debug)]
pub enum WorldError {
    /// Nothing declares a value of that name.
    Unknown {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// The value has another type.
    WrongType {
        /// The value's name.
        name: String,
        /// The type it has.
        declared: ValueType,
        /// The type found.
        found: ValueType,
    },
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorldError::Unknown { name, known } if known.is_empty() => {
                write!(f, "there is no world value `{name}`; none is declared")
            }
            WorldError::Unknown { name, known } => {
                write!(
                    f,
                    "there is no world value `{name}`; declared are {}",
                    known.join(", ")
                )
            }
            WorldError::WrongType {
                name,
                declared,
                found,
            } => {
                write!(f, "world value `{name}` is a {declared}, found a {found}")
            }
        }
    }
}

impl std::error::Error for WorldError {}

impl World {
    /// An empty world.
    pub fn new() -> World {
        World::default()
    }

    /// Declares a value, or sets it if it is there.
    ///
    /// # Errors
    /// When it is there with another type; nothing has changed then.
    pub fn declare(&mut self, name: &str, value: impl Into<Value>) -> Result<(), WorldError> {
        let value = value.into();
        if let Some(old) = self.values.get(name)
            && old.ty() != value.ty()
        {
            return Err(WorldError::WrongType {
                name: name.to_owned(),
                declared: old.ty(),
                found: value.ty(),
            });
        }
        self.values.insert(name.to_owned(), value);
        Ok(())
    }

    /// Sets a declared value. All populations read it from their next tick on.
    ///
    /// # Errors
    /// When nothing declares it, or it has another type; nothing has changed then.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) -> Result<(), WorldError> {
        if !self.values.contains_key(name) {
            return Err(WorldError::Unknown {
                name: name.to_owned(),
                known: self.values.keys().cloned().collect(),
            });
        }
        self.declare(name, value)
    }

    /// A value.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.values.get(name).copied()
    }

    /// Adds a population. Values that its tree declares and the world does not have yet begin with
    /// the tree's default.
    ///
    /// # Errors
    /// When the tree declares a value with another type than the world has.
    pub fn add(&mut self, population: Population) -> Result<PopulationId, WorldError> {
        let shape = population.shape().clone();
        let declared = shape.tables().world.iter().filter_map(|def| {
            let ty = def.ty()?;
            Some((shape.name(def.name), ty, Value::from_bits(ty, def.default)))
        });
        for (name, ty, _) in declared.clone() {
            if let Some(old) = self.values.get(name)
                && old.ty() != ty
            {
                return Err(WorldError::WrongType {
                    name: name.to_owned(),
                    declared: old.ty(),
                    found: ty,
                });
            }
        }
        for (name, _, default) in declared {
            self.values.entry(name.to_owned()).or_insert(default);
        }
        self.populations.push(population);
        Ok(PopulationId(self.populations.len() - 1))
    }

    /// The populations, in the order in which they were added.
    pub fn populations(&self) -> impl Iterator<Item = (PopulationId, &Population)> {
        let populations = self.populations.iter().enumerate();
        populations.map(|(index, population)| (PopulationId(index), population))
    }

    /// Hands the values out, then ticks every population once. With the `rayon` feature they tick
    /// side by side; none sees what another does within the tick.
    pub fn tick(&mut self, dt: Duration) {
        for population in &mut self.populations {
            let shape = &population.shape;
            for (value, def) in population.world.iter_mut().zip(&shape.tables().world) {
                // A population may have been replaced since it was added, and its types with it.
                let shared = self.values.get(shape.name(def.name));
                if let Some(shared) = shared.filter(|shared| Some(shared.ty()) == def.ty()) {
                    *value = shared.to_bits();
                }
            }
        }
        #[cfg(feature = "rayon")]
        if self.populations.len() > 1 && rayon::current_num_threads() > 1 {
            use rayon::prelude::*;
            self.populations.par_iter_mut().for_each(|population| {
                population.tick(dt);
            });
            return;
        }
        for population in &mut self.populations {
            population.tick(dt);
        }
    }
}

impl std::ops::Index<PopulationId> for World {
    type Output = Population;

    /// # Panics
    /// When the id is of another world.
    fn index(&self, id: PopulationId) -> &Population {
        &self.populations[id.0]
    }
}

impl std::ops::IndexMut<PopulationId> for World {
    /// # Panics
    /// When the id is of another world.
    fn index_mut(&mut self, id: PopulationId) -> &mut Population {
        &mut self.populations[id.0]
    }
}
