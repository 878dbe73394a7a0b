//! The trees of a colony, and what rules know of them.

use std::sync::Arc;

use pleach_shape::{Shape, SlotIndex};
use pleach_text::Diagnostics;
use pleach_vm::table::NodeKey;
use pleach_vm::{ColumnKey, Population, WorldKey};

use super::error::ColonyError;

/// What dwarves and plants do: two trees.
///
/// The dwarves' tree has the actions `harvest` and `work`, a node `rest`, the columns `claim` (u64) and
/// `restless` (bool), and the world values `unclaimed_plants` and `unclaimed_workshops` (i32). The plants'
/// tree has the nodes `growth`, `sprout`, `seedling`, `sapling` and `grown`, and the column `harvested` (bool).
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
        Ok(DwarfKeys {
            harvest: errand(dwarves, "harvest")?,
            work: errand(dwarves, "work")?,
            rest: dwarves.watch("rest")?,
            claim: dwarves.column("claim")?,
            restless: dwarves.column("restless")?,
            unclaimed_plants: dwarves.world_key("unclaimed_plants")?,
            unclaimed_workshops: dwarves.world_key("unclaimed_workshops")?,
        })
    }
}

fn errand(dwarves: &mut Population, action: &'static str) -> Result<Errand, ColonyError> {
    let slot = dwarves.slots(action).first().copied();
    Ok(Errand {
        slot: slot.ok_or_else(|| ColonyError::NoAction {
            tree: dwarves.shape().tree_name().to_owned(),
            action,
        })?,
        node: dwarves.watch(action)?,
    })
}

impl PlantKeys {
    pub(super) fn of(plants: &mut Population) -> Result<PlantKeys, ColonyError> {
        Ok(PlantKeys {
            growth: plants.watch("growth")?,
            stages: [
                plants.watch("sprout")?,
                plants.watch("seedling")?,
                plants.watch("sapling")?,
                plants.watch("grown")?,
            ],
            harvested: plants.column("harvested")?,
        })
    }
}
