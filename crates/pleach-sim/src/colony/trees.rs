//! The trees of a colony, and what rules know of them.

use std::sync::Arc;

use pleach_shape::{Op, Shape, SlotIndex, TokenIndex};
use pleach_text::Diagnostics;
use pleach_vm::table::{NodeKey, TableError};
use pleach_vm::{ColumnKey, Population, WorldKey};

use super::error::ColonyError;

/// What dwarves and plants do: two trees.
///
/// The dwarves' tree has the actions `harvest` and `work`, a node `rest`, the columns `claim` (u64) and
/// `restless` (bool), and the world values `unclaimed_plants` and `unclaimed_workshops` (i32). The plants'
/// tree has the nodes `growth`, `sprout`, `seedling`, `sapling` and `grown`, and the column `harvested` (bool).
///
/// Nobody answers other actions, queries and tasks, and `claim` is for rules alone: trees with such nodes are
/// refused. Whatever else a tree does, a dwarf has one claim at most, and no plant is cut twice.
#[derive(Clone, Debug)]
pub struct Trees {
    /// The dwarves' tree.
    pub dwarf: Arc<Shape>,
    /// The plants' tree.
    pub plant: Arc<Shape>,
}

impl Trees {
    /// The built-in trees: `trees/dwarf.kdl` and `trees/plant.kdl`.
    ///
    /// # Errors
    /// None: both texts are part of the program, and a test reads them.
    pub fn built_in() -> Result<Trees, Diagnostics> {
        const DWARF: &str = include_str!("../../../../trees/dwarf.kdl");
        const PLANT: &str = include_str!("../../../../trees/plant.kdl");
        let shape = |name, text| {
            let document = pleach_text::parse(name, text)?;
            document.compile_main().map(Arc::new)
        };
        Ok(Trees {
            dwarf: shape("dwarf.kdl (built in)", DWARF)?,
            plant: shape("plant.kdl (built in)", PLANT)?,
        })
    }
}

/// An action that a dwarf carries out somewhere: who does it, and where its results go.
#[derive(Clone, Copy)]
pub(super) struct Errand {
    pub(super) node: NodeKey,
    pub(super) slot: SlotIndex,
}

/// What rules ask dwarves about, and what they write for them.
pub(super) struct DwarfKeys {
    pub(super) harvest: Errand,
    pub(super) work: Errand,
    pub(super) rest: NodeKey,
    pub(super) claim: ColumnKey<u64>,
    pub(super) restless: ColumnKey<bool>,
    pub(super) unclaimed_plants: WorldKey<i32>,
    pub(super) unclaimed_workshops: WorldKey<i32>,
}

/// The same for plants.
pub(super) struct PlantKeys {
    pub(super) growth: NodeKey,
    /// In the order of growth.
    pub(super) stages: [NodeKey; 4],
    pub(super) harvested: ColumnKey<bool>,
}

impl DwarfKeys {
    pub(super) fn of(dwarves: &mut Population) -> Result<DwarfKeys, ColonyError> {
        let shape = dwarves.shape().clone();
        let keys = DwarfKeys {
            harvest: errand(dwarves, "harvest")?,
            work: errand(dwarves, "work")?,
            rest: watched(dwarves, "rest")?,
            claim: dwarves.column("claim").map_err(unfit(&shape))?,
            restless: dwarves.column("restless").map_err(unfit(&shape))?,
            unclaimed_plants: (dwarves.world_key("unclaimed_plants")).map_err(unfit(&shape))?,
            unclaimed_workshops: (dwarves.world_key("unclaimed_workshops"))
                .map_err(unfit(&shape))?,
        };
        check_calls(&shape, &["harvest", "work"])?;
        check_claims(&shape)?;
        Ok(keys)
    }
}

/// What is wrong with a tree.
fn unfit<E: ToString>(shape: &Shape) -> impl Fn(E) -> ColonyError {
    |error| ColonyError::Unfit {
        tree: shape.tree_name().to_owned(),
        why: error.to_string(),
    }
}

/// Watches the one node of that name.
fn watched(population: &mut Population, name: &str) -> Result<NodeKey, ColonyError> {
    let shape = population.shape().clone();
    population.watch(name).map_err(|error| match error {
        // Its advice is for programs.
        TableError::Ambiguous { paths, .. } => unfit(&shape)(format!(
            "{} nodes are called `{name}`, allowed is one",
            paths.len()
        )),
        error => unfit(&shape)(error),
    })
}

/// Refuses what nobody would answer: whoever came there would stand still for ever.
fn check_calls(shape: &Shape, actions: &[&str]) -> Result<(), ColonyError> {
    for (at, token) in shape.plain().iter().enumerate() {
        let Some(op @ (Op::Action | Op::PersistentAction | Op::Query | Op::Task)) = token.op()
        else {
            continue;
        };
        let called = shape.calls(TokenIndex(at as u32)).unwrap_or_default();
        if op == Op::Action && actions.contains(&called) {
            continue;
        }
        let allowed = match actions {
            [] => "allowed is none".to_owned(),
            _ => format!("allowed are the actions {}", actions.join(", ")),
        };
        return Err(unfit(shape)(format!(
            "nobody answers {} \"{}\" at `{}`; {allowed}",
            op.keyword(),
            called.escape_debug(),
            shape.node_path(TokenIndex(at as u32))
        )));
    }
    Ok(())
}

/// Refuses a tree that writes claims: two dwarves could cut one plant.
fn check_claims(shape: &Shape) -> Result<(), ColonyError> {
    let Some((claim, _)) = shape.column("claim") else {
        return Ok(());
    };
    let sets = &shape.tables().sets;
    let writes = |token: &pleach_shape::Token| {
        let set = sets.get(token.operand as usize);
        token.op() == Some(Op::Set) && set.is_some_and(|set| set.column as usize == claim.at())
    };
    match shape.plain().iter().position(writes) {
        Some(at) => Err(unfit(shape)(format!(
            "`{}` sets `claim`, which only rules may write; use another column",
            shape.node_path(TokenIndex(at as u32))
        ))),
        None => Ok(()),
    }
}

fn errand(dwarves: &mut Population, action: &'static str) -> Result<Errand, ColonyError> {
    let slot = dwarves.slots(action).first().copied();
    Ok(Errand {
        slot: slot.ok_or_else(|| ColonyError::NoAction {
            tree: dwarves.shape().tree_name().to_owned(),
            action,
        })?,
        node: watched(dwarves, action)?,
    })
}

impl PlantKeys {
    pub(super) fn of(plants: &mut Population) -> Result<PlantKeys, ColonyError> {
        let shape = plants.shape().clone();
        let keys = PlantKeys {
            growth: watched(plants, "growth")?,
            stages: [
                watched(plants, "sprout")?,
                watched(plants, "seedling")?,
                watched(plants, "sapling")?,
                watched(plants, "grown")?,
            ],
            harvested: plants.column("harvested").map_err(unfit(&shape))?,
        };
        check_calls(&shape, &[])?;
        Ok(keys)
    }
}
