//! Rules: what they found, written back for the trees.

use std::fmt;

use super::planes::PlaneSet;
use crate::block::control;
use crate::column::{ColumnKey, key_line};
use crate::error::AccessError;
use crate::plane::Plane;
use crate::population::Population;

/// Why a set was not taken. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleError {
    /// The column cannot be written.
    Access(AccessError),
    /// The set is of another population.
    OtherPopulation {
        /// The tree of this one.
        tree: String,
    },
    /// The column was written by a rule since the last tick.
    WrittenTwice {
        /// The column.
        column: String,
        /// The rule that wrote it.
        first: &'static str,
        /// The rule that would have.
        second: &'static str,
    },
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleError::Access(error) => error.fmt(f),
            RuleError::OtherPopulation { tree } => write!(
                f,
                "the set holds actors of another population than this one of tree \"{}\"",
                tree.escape_debug()
            ),
            RuleError::WrittenTwice {
                column,
                first,
                second,
            } => write!(
                f,
                "rule \"{second}\" writes column `{column}`, which rule \"{first}\" has written since the last tick; \
                 a column has one rule: join the two with `or`, or give them a column each"
            ),
        }
    }
}

impl std::error::Error for RuleError {}

impl From<AccessError> for RuleError {
    fn from(error: AccessError) -> RuleError {
        RuleError::Access(error)
    }
}

impl Population {
    /// Writes what a rule has found to a truth column: true for the actors of the set, false for all others.
    /// From the next tick on it is a condition like any other, for `when`, `done-when`, `abort-when` or a
    /// switch. One rule a column and tick: a second one would undo what the first one found. Costs a store of 64
    /// bytes a block.
    ///
    /// ```
    /// use pleach_tree::{action, compile, selector, when, Tree};
    /// use pleach_vm::{Population, table::{ActorSet, PlaneSet}};
    /// use std::time::Duration;
    ///
    /// let tree = Tree::build("sheep")
    ///     .column("distance", 100.0_f32)
    ///     .column("alarmed", false)
    ///     .root(selector([when(action("flee"), "alarmed"), action("graze")]));
    /// let mut sheep = Population::new(compile(&tree)?);
    /// let (distance, alarmed) = (sheep.column::<f32>("distance")?, sheep.column::<bool>("alarmed")?);
    /// let flock = sheep.spawn_many(30)?;
    /// sheep.set(flock[0], distance, 4.0)?;
    ///
    /// let mut near = PlaneSet::new();
    /// sheep.actors_where(distance, |distance| distance < 10.0)?.store(&mut near);
    /// sheep.conclude("alarm", alarmed, &near)?;
    /// sheep.tick(Duration::from_millis(16));
    /// let flee = sheep.shape().action("flee").unwrap();
    /// assert_eq!(sheep.requests().of(flee).iter().count(), 1);
    ///
    /// sheep.conclude("alarm", alarmed, &PlaneSet::new())?;
    /// let twice = sheep.conclude("panic", alarmed, &near).unwrap_err();
    /// assert!(twice.to_string().contains("which rule \"alarm\" has written"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// (What the tree itself sets, or a host, is not a rule's: who writes last has written.)
    ///
    /// # Errors
    /// When the key is of another shape, the set of another population, or the column was concluded since the
    /// last tick, by whichever rule; nothing has changed then.
    pub fn conclude(
        &mut self,
        rule: &'static str,
        key: ColumnKey<bool>,
        set: &PlaneSet,
    ) -> Result<(), RuleError> {
        let line = key_line(&self.shape, key)?;
        self.own(set)?;
        let column = key.index().at();
        if let Some(first) = self.conclusions[column] {
            let name = self.shape.tables().columns[column].name;
            return Err(RuleError::WrittenTwice {
                column: self.shape.name(name).to_owned(),
                first,
                second: rule,
            });
        }
        self.conclusions[column] = Some(rule);
        for (index, block) in self.blocks.iter_mut().enumerate() {
            block.lines[line] = set.plane(index);
        }
        Ok(())
    }

    /// Puts actors into the tree: [`load`](Population::load) for all of the set. Gives how many were out.
    /// Who was despawned meanwhile is passed over. A few plane operations a block, as for the two below.
    ///
    /// # Errors
    /// When the set is of another population; nothing has changed then.
    pub fn load_set(&mut self, set: &PlaneSet) -> Result<usize, RuleError> {
        self.own(set)?;
        Ok(self.mark_set(
            set,
            |alive, loaded, _| alive & !*loaded,
            |lanes, loaded, _| *loaded |= lanes,
        ))
    }

    /// Takes actors out of the tree: [`unload`](Population::unload) for all of the set. Gives how many were
    /// in. Who was despawned meanwhile is passed over.
    ///
    /// # Errors
    /// When the set is of another population; nothing has changed then.
    pub fn unload_set(&mut self, set: &PlaneSet) -> Result<usize, RuleError> {
        self.own(set)?;
        Ok(self.mark_set(
            set,
            |alive, loaded, _| alive & *loaded,
            |lanes, loaded, leaving| {
                *loaded &= !lanes;
                *leaving |= lanes;
            },
        ))
    }

    /// Throws actors' progress away: [`reset`](Population::reset) for all of the set. Gives how many there
    /// are. Who was despawned meanwhile is passed over.
    ///
    /// # Errors
    /// When the set is of another population; nothing has changed then.
    pub fn reset_set(&mut self, set: &PlaneSet) -> Result<usize, RuleError> {
        self.own(set)?;
        let shape = self.shape.clone();
        let layout = shape.layout();
        for (index, block) in self.blocks.iter_mut().enumerate() {
            let lanes = set.plane(index) & *block.control(layout, control::ALIVE);
            for latch in block.sections(layout).latches {
                *latch &= !lanes;
            }
        }
        Ok(self.mark_set(
            set,
            |alive, _, _| alive,
            |lanes, _, leaving| *leaving |= lanes,
        ))
    }

    /// Removes actors: [`despawn`](Population::despawn) for all of the set, one by one. Gives how many there
    /// were. Who was despawned before is passed over.
    ///
    /// # Errors
    /// When the set is of another population; nothing has changed then.
    pub fn despawn_set(&mut self, set: &PlaneSet) -> Result<usize, RuleError> {
        self.own(set)?;
        let before = self.len();
        for index in 0..self.block_count() {
            let alive = *self.blocks[index].control(self.shape.layout(), control::ALIVE);
            for lane in (set.plane(index) & alive).lanes() {
                let actor = self.blocks[index].actor(index, lane);
                // It lives: its lane is alive, and the id is the lane's.
                let _ = self.despawn(actor);
            }
        }
        Ok(before - self.len())
    }

    /// Changes what is asked of lanes: those that `which` picks of the set's living actors, as `how` says. Both
    /// are handed the planes of who is loaded and who leaves. Gives how many were picked.
    fn mark_set(
        &mut self,
        set: &PlaneSet,
        which: impl Fn(Plane, &Plane, &Plane) -> Plane,
        how: impl Fn(Plane, &mut Plane, &mut Plane),
    ) -> usize {
        let layout = self.shape.layout();
        let mut count = 0;
        for (index, block) in self.blocks.iter_mut().enumerate() {
            let controls = block.sections(layout).control;
            let alive = set.plane(index) & controls[control::ALIVE];
            let [mut loaded, mut leaving] = [controls[control::LOADED], controls[control::LEAVING]];
            let lanes = which(alive, &loaded, &leaving);
            count += lanes.count() as usize;
            how(lanes, &mut loaded, &mut leaving);
            controls[control::LOADED] = loaded;
            controls[control::LEAVING] = leaving;
        }
        count
    }

    fn own(&self, set: &PlaneSet) -> Result<(), RuleError> {
        if set.fits(self) {
            return Ok(());
        }
        Err(RuleError::OtherPopulation {
            tree: self.shape.tree_name().to_owned(),
        })
    }
}
