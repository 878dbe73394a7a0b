//! The table of a node: who was there in the last tick, and how it went.

use pleach_shape::{Op, Shape, Status, TokenIndex};

use super::error::TableError;
use super::set::ActorSet;
use crate::actor::ActorId;
use crate::block::control;
use crate::census::NodePlanes;
use crate::plane::Plane;
use crate::population::Population;

/// A watched node: asked for once by name, then used without a look-up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeKey {
    node: TokenIndex,
    /// [`Shape::nodes_tag`] of the shape that it was asked of.
    tag: u32,
}

impl NodeKey {
    pub(crate) const fn new(node: TokenIndex, tag: u32) -> NodeKey {
        NodeKey { node, tag }
    }

    /// The node's place in the stream.
    pub const fn node(self) -> TokenIndex {
        self.node
    }

    pub(crate) fn fits(self, shape: &Shape) -> bool {
        self.tag == shape.nodes_tag() && self.node.at() < shape.len()
    }
}

/// What happened at a node in the last tick, as sets of actors.
///
/// | set | who (rule R1) |
/// |---|---|
/// | [`active`](NodeTable::active) | runs it now, behind the tick |
/// | [`started`](NodeTable::started) | visited it, and had not run it before the tick |
/// | [`finished`](NodeTable::finished), [`succeeded`](NodeTable::succeeded), [`failed`](NodeTable::failed) | got that answer from it |
/// | [`aborted`](NodeTable::aborted) | ran it, or was told Running by it in the tick, and was halted |
///
/// and for nodes that run one child at a time, which is all parents but Parallel, Concurrent and
/// PipelineSequence:
///
/// | set | who (rule R2) |
/// |---|---|
/// | [`needs_to_select`](NodeTable::needs_to_select) | visited it, were not halted behind the visit, and do not run on the child that they ran before |
/// | [`selected`](NodeTable::selected) | of each child: started it in the tick, and runs it now |
/// | [`failed_to_select`](NodeTable::failed_to_select) | needed to select, and got Failure |
/// | [`sequence_index`](NodeTable::sequence_index) | of each child: runs it now |
///
/// A set costs what its planes do: one or two loads a block. Those of R2 also look at the planes of all
/// children, once a block.
///
/// An actor that is not due (T7) has the same sets behind a tick in which nothing happens to it: it is
/// active where it was, and in no other. Of who leaves the tree (U2), what ran is aborted, also under the
/// old id of one that was despawned; who starts afresh in the same tick has started as well.
#[derive(Clone, Copy)]
pub struct NodeTable<'a> {
    population: &'a Population,
    node: TokenIndex,
}

/// Which set of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Active,
    Started,
    Finished(Status),
    Ended,
    Aborted,
    /// Started, and running on.
    Selected,
    NeedsToSelect,
    FailedToSelect,
}

/// A set of a node's table.
#[derive(Clone, Copy)]
pub struct NodeSet<'a> {
    population: &'a Population,
    node: TokenIndex,
    kind: Kind,
}

/// The children of a node, in stream order: each one's number from 0, its node, and a set.
#[derive(Clone)]
pub struct Children<'a> {
    population: &'a Population,
    next: usize,
    end: usize,
    index: u32,
    kind: Kind,
}

impl<'a> NodeTable<'a> {
    pub(crate) fn new(population: &'a Population, node: TokenIndex) -> NodeTable<'a> {
        NodeTable { population, node }
    }

    /// The node.
    pub fn node(self) -> TokenIndex {
        self.node
    }

    fn set(self, kind: Kind) -> NodeSet<'a> {
        NodeSet {
            population: self.population,
            node: self.node,
            kind,
        }
    }

    /// Actors that run the node now.
    pub fn active(self) -> NodeSet<'a> {
        self.set(Kind::Active)
    }

    /// Actors that visited it in the last tick, and had not run it before.
    pub fn started(self) -> NodeSet<'a> {
        self.set(Kind::Started)
    }

    /// Actors that got this answer in the last tick: nobody for Running, which is no end.
    pub fn finished(self, status: Status) -> NodeSet<'a> {
        self.set(Kind::Finished(status))
    }

    /// Actors for which it succeeded in the last tick.
    pub fn succeeded(self) -> NodeSet<'a> {
        self.finished(Status::Success)
    }

    /// Actors for which it failed in the last tick.
    pub fn failed(self) -> NodeSet<'a> {
        self.finished(Status::Failure)
    }

    /// Actors for which it finished in the last tick, either way.
    pub fn ended(self) -> NodeSet<'a> {
        self.set(Kind::Ended)
    }

    /// Actors for which it was halted in the last tick before it finished: their parent went another way,
    /// a guard or group halted it, or they left the tree. Those that were despawned are in it once, under
    /// their old id.
    pub fn aborted(self) -> NodeSet<'a> {
        self.set(Kind::Aborted)
    }

    /// Actors that had to find a child of the node in the last tick: they visited it, were not halted behind
    /// the visit, and do not go on with the child that they ran before.
    ///
    /// # Errors
    /// When the node does not run one child at a time.
    pub fn needs_to_select(self) -> Result<NodeSet<'a>, TableError> {
        self.chooses()?;
        Ok(self.set(Kind::NeedsToSelect))
    }

    /// Actors that [had to find a child](NodeTable::needs_to_select), and for which the node failed.
    ///
    /// # Errors
    /// When the node does not run one child at a time.
    pub fn failed_to_select(self) -> Result<NodeSet<'a>, TableError> {
        self.chooses()?;
        Ok(self.set(Kind::FailedToSelect))
    }

    /// For each child the actors that started it in the last tick and run it now. No actor is in two of
    /// these sets. (A child that starts and ends in one tick, such as a condition, keeps nobody.)
    ///
    /// ```
    /// use pleach_tree::{action, compile, selector, when, Tree};
    /// use pleach_vm::{Population, table::ActorSet};
    /// use std::time::Duration;
    ///
    /// let tree = Tree::build("wolf")
    ///     .column("hungry", false)
    ///     .root(selector([when(action("hunt"), "hungry").named("feed"), action("roam")]).named("core"));
    /// let mut wolves = Population::new(compile(&tree)?);
    /// let (core, hungry) = (wolves.watch("core")?, wolves.column::<bool>("hungry")?);
    /// let pack = wolves.spawn_many(5)?;
    /// wolves.set(pack[3], hungry, true)?;
    /// wolves.tick(Duration::from_millis(16));
    ///
    /// let core = wolves.table(core)?;
    /// let counts: Vec<usize> = core.selected()?.map(|(_, _, wolves)| wolves.count()).collect();
    /// assert_eq!(counts, [1, 4]);
    /// let (child, node) = core.selected()?.of(pack[3]).unwrap();
    /// assert_eq!((child, wolves.shape().node_path(node)), (0, "core/feed".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the node does not run one child at a time.
    pub fn selected(self) -> Result<Children<'a>, TableError> {
        self.chooses()?;
        Ok(self.children(Kind::Selected))
    }

    /// For each child the actors that run it now: where in a sequence they are. No actor is in two of these
    /// sets.
    ///
    /// # Errors
    /// When the node does not run one child at a time.
    pub fn sequence_index(self) -> Result<Children<'a>, TableError> {
        self.chooses()?;
        Ok(self.children(Kind::Active))
    }

    fn children(self, kind: Kind) -> Children<'a> {
        let token = self.population.shape.plain().get(self.node.at());
        Children {
            population: self.population,
            next: self.node.at() + 1,
            end: token.map_or(0, |token| token.end as usize),
            index: 0,
            kind,
        }
    }

    fn chooses(self) -> Result<(), TableError> {
        let shape = &self.population.shape;
        let op_of = |token: TokenIndex| shape.plain().get(token.at()).and_then(|token| token.op());
        let several = |op: &Op| matches!(op, Op::Parallel | Op::Concurrent);
        // A node that became several tokens runs several children if one of these does.
        let op = shape.node_tokens(self.node).filter_map(op_of).find(several);
        let op = op.or_else(|| op_of(self.node));
        if op.is_some_and(|op| op.is_parent() && !several(&op)) {
            return Ok(());
        }
        Err(TableError::NoChooser {
            path: shape.node_path(self.node),
            op,
        })
    }
}

impl<'a> Children<'a> {
    /// The child in whose set an actor is: its number from 0, and its node. Looks at one child after the other.
    pub fn of(self, actor: ActorId) -> Option<(u32, TokenIndex)> {
        self.into_iter()
            .find(|(_, _, set)| set.contains(actor))
            .map(|(index, node, _)| (index, node))
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = (u32, TokenIndex, NodeSet<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let shape = &self.population.shape;
        // Past the parts that the node itself became.
        while self.next < self.end && shape.is_part(TokenIndex::from(self.next)) {
            self.next += 1;
        }
        if self.next >= self.end {
            return None;
        }
        let node = TokenIndex::from(self.next);
        self.next = shape.plain()[self.next].end as usize;
        self.index += 1;
        let set = NodeSet {
            population: self.population,
            node,
            kind: self.kind,
        };
        Some((self.index - 1, node, set))
    }
}

impl<'a> ActorSet<'a> for NodeSet<'a> {
    fn population(&self) -> &'a Population {
        self.population
    }

    #[inline]
    fn plane(&self, block: usize) -> Plane {
        let Some(block) = self.population.blocks.get(block) else {
            return Plane::EMPTY;
        };
        let Some(census) = &block.census else {
            return Plane::EMPTY;
        };
        let Some(planes) = census.of(self.node.0) else {
            return Plane::EMPTY;
        };
        let answered = |planes: &NodePlanes| planes.success | planes.failure;
        let lanes = match self.kind {
            Kind::Active => planes.running,
            Kind::Started => planes.started,
            Kind::Finished(Status::Success) => planes.success,
            Kind::Finished(Status::Failure) => planes.failure,
            Kind::Finished(Status::Running) => Plane::EMPTY,
            Kind::Ended => answered(planes),
            // Who was despawned is told of, too: a place is given out again only behind the next tick.
            Kind::Aborted => return planes.halted,
            Kind::Selected => planes.started & planes.running,
            Kind::NeedsToSelect | Kind::FailedToSelect => {
                let shape = &self.population.shape;
                // Who was halted before its visit (U2) is not who was halted behind it.
                let visited = answered(planes) | (planes.answered_running & planes.running);
                let mut goes_on = Plane::EMPTY;
                for child in shape.node_children(self.node) {
                    if let Some(child) = census.of(child.0) {
                        goes_on |= child.running & !child.started;
                    }
                }
                let needs = visited & !goes_on;
                match self.kind {
                    Kind::FailedToSelect => needs & planes.failure,
                    _ => needs,
                }
            }
        };
        let layout = self.population.shape.layout();
        lanes & *block.control(layout, control::ALIVE)
    }
}
