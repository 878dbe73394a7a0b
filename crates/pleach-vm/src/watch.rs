//! Which nodes are told of: all of them with the census, else those that tables ask about.

use std::sync::Arc;

use pleach_shape::{NONE, Shape, TokenIndex};

use crate::census::BlockCensus;
use crate::population::Population;
use crate::table::{NodeKey, NodeTable, TableError};

/// The nodes of a shape that blocks keep planes for.
///
/// What a parent answered follows from its leaves, so whoever asks about a node asks about all below it;
/// and what a group above has rolled back concerns them, too, so the nodes above have planes of which
/// only that is true.
pub(crate) struct Watched {
    /// Of each node its place in `nodes`, or [`NONE`].
    places: Box<[u32]>,
    /// Ascending.
    nodes: Box<[u32]>,
    /// Of each place whether everything below its node is watched.
    whole: Box<[bool]>,
    counts: bool,
}

impl Watched {
    fn new(shape: &Shape, asked: &[u32], counts: bool) -> Watched {
        let plain = shape.plain();
        let mut is_whole = vec![counts; plain.len()];
        let mut is_watched = is_whole.clone();
        for &node in asked {
            // Ascending: whoever asks about a node above has come before.
            if is_whole[node as usize] {
                continue;
            }
            let below = node as usize..plain[node as usize].end as usize;
            is_whole[below.clone()].fill(true);
            is_watched[below].fill(true);
            let mut above = plain[node as usize].link;
            // Above a node that has planes all have.
            while above != NONE && !is_watched[above as usize] {
                is_watched[above as usize] = true;
                above = plain[above as usize].link;
            }
        }
        let mut places = vec![NONE; plain.len()];
        let nodes: Vec<u32> = (0..plain.len())
            .filter(|&node| is_watched[node])
            .map(|node| node as u32)
            .collect();
        for (place, &node) in nodes.iter().enumerate() {
            places[node as usize] = place as u32;
        }
        Watched {
            places: places.into(),
            whole: nodes.iter().map(|&node| is_whole[node as usize]).collect(),
            nodes: nodes.into(),
            counts,
        }
    }

    /// Watched nodes in stream order.
    #[inline(always)]
    pub(crate) fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Where a node's planes are.
    #[inline(always)]
    pub(crate) fn place(&self, node: u32) -> Option<usize> {
        let place = *self.places.get(node as usize)?;
        (place != NONE).then_some(place as usize)
    }

    /// Whether the planes of a place say all there is to say.
    #[inline(always)]
    pub(crate) fn is_whole(&self, place: usize) -> bool {
        self.whole[place]
    }

    /// Whether actors are counted, which is the census.
    pub(crate) fn counts(&self) -> bool {
        self.counts
    }
}

impl Population {
    /// Watches a node from the next tick on, so that [`table`](Population::table) can tell who was there.
    ///
    /// `name` is the node's own name, what it calls (an action, task or query), or its path, of which the
    /// beginning may be left out: `"harvest"`, `"core/harvest"`. A `/` before a path says that it is whole:
    /// `"/dwarf"` is the root of that name and nothing below it.
    ///
    /// Costs seven planes (448 bytes) a block for the node and each one below and above it, and some dozen
    /// instructions a tick for each; nothing else of the tree becomes slower under lanes, while the kernels
    /// that walk one actor at a time then tell of each step. Best called before anything is spawned: what
    /// runs at that moment counts as a start when it is visited next, and each change of what is watched copies
    /// all that the blocks know. Watching twice is watching once.
    ///
    /// # Errors
    /// When no node or several nodes have that name, or memory runs out; nothing has changed then.
    pub fn watch(&mut self, name: &str) -> Result<NodeKey, TableError> {
        let node = named(&self.shape, name)?;
        self.watch_node(node)
    }

    /// The key of a node that is watched already, or of one above which somebody watches. `name` is as for
    /// [`watch`](Population::watch); it is looked for in the whole tree.
    ///
    /// # Errors
    /// When no node or several nodes have that name.
    pub fn node_key(&self, name: &str) -> Result<NodeKey, TableError> {
        let node = named(&self.shape, name)?;
        Ok(NodeKey::new(node, self.shape.nodes_tag()))
    }

    /// The same for a node by its place in the stream.
    ///
    /// # Errors
    /// When there is no such node, or memory runs out; nothing has changed then.
    pub fn watch_node(&mut self, node: TokenIndex) -> Result<NodeKey, TableError> {
        if node.at() >= self.shape.len() {
            let nodes = self.shape.len();
            return Err(TableError::NoSuchNode { node, nodes });
        }
        if let Err(place) = self.asked.binary_search(&node.0) {
            self.asked.insert(place, node.0);
            if let Err(error) = self.watch_asked() {
                self.asked.remove(place);
                return Err(error);
            }
        }
        Ok(NodeKey::new(node, self.shape.nodes_tag()))
    }

    /// Watches a node no longer. `false` if it was not watched. Its table can still be had while a node above it
    /// is watched, or the census is taken.
    pub fn unwatch(&mut self, key: NodeKey) -> bool {
        let found = self.asked.binary_search(&key.node().0);
        let (Ok(place), true) = (found, key.fits(&self.shape)) else {
            return false;
        };
        let node = self.asked.remove(place);
        if self.watch_asked().is_err() {
            // Fewer planes need new memory, too. Without it everything stays watched.
            self.asked.insert(place, node);
            return false;
        }
        true
    }

    /// What happened at a watched node in the last tick.
    ///
    /// # Errors
    /// When the key is of another shape, or neither the node nor one above it is watched and there is no
    /// census.
    pub fn table(&self, key: NodeKey) -> Result<NodeTable<'_>, TableError> {
        if !key.fits(&self.shape) {
            return Err(TableError::ForeignKey(key.node()));
        }
        let watched = self.watched.as_ref().filter(|watched| {
            let place = watched.place(key.node().0);
            place.is_some_and(|place| watched.is_whole(place))
        });
        if watched.is_none() {
            return Err(TableError::NotWatched {
                path: self.shape.node_path(key.node()),
            });
        }
        Ok(NodeTable::new(self, key.node()))
    }

    /// Gives blocks planes for what is asked; what they know already they keep.
    fn watch_asked(&mut self) -> Result<(), TableError> {
        if self.census {
            // All nodes are watched.
            return Ok(());
        }
        if self.asked.is_empty() {
            self.watched = None;
            for block in &mut self.blocks {
                block.census = None;
            }
            return Ok(());
        }
        let watched = Arc::new(Watched::new(&self.shape, &self.asked, false));
        let is_same = |before: &Arc<Watched>| {
            before.nodes == watched.nodes && before.whole == watched.whole && !before.counts
        };
        if self.watched.as_ref().is_some_and(is_same)
            && self.blocks.iter().all(|block| block.census.is_some())
        {
            // What was asked for, or is no more, lies below a node that stays watched.
            return Ok(());
        }
        let fresh = |block: &crate::block::Block| {
            BlockCensus::new(&watched, block.census.as_ref()).ok_or_else(|| TableError::NoMemory {
                bytes: (watched.nodes.len() * size_of::<crate::census::NodePlanes>()) as u64,
            })
        };
        let all: Vec<BlockCensus> = self.blocks.iter().map(fresh).collect::<Result<_, _>>()?;
        for (block, census) in self.blocks.iter_mut().zip(all) {
            block.census = Some(census);
        }
        self.watched = Some(watched);
        Ok(())
    }

    /// Begins or ends the census, from the next tick on.
    pub(crate) fn watch_all(&mut self, counts: bool) {
        self.census = counts;
        self.watched = (counts || !self.asked.is_empty())
            .then(|| Arc::new(Watched::new(&self.shape, &self.asked, counts)));
        for block in &mut self.blocks {
            let watched = self.watched.as_ref();
            block.census =
                watched.and_then(|watched| BlockCensus::new(watched, block.census.as_ref()));
        }
    }
}

/// The one node that is meant.
fn named(shape: &Shape, name: &str) -> Result<TokenIndex, TableError> {
    let mut is_meant = vec![false; shape.len()];
    if let Some(path) = name.strip_prefix('/') {
        for (node, is_whole) in shape.nodes_at(path) {
            is_meant[node.at()] = is_whole;
        }
    }
    for (node, _) in shape.nodes_at(name) {
        is_meant[node.at()] = true;
    }
    let is_called = |node: TokenIndex| {
        let names = [shape.node_name(node), shape.calls(node)];
        !name.is_empty() && names.contains(&Some(name))
    };
    let meant: Vec<TokenIndex> = shape
        .nodes()
        .filter(|&node| is_meant[node.at()] || is_called(node))
        .collect();
    // Enough to see how nodes are called here. A path may have 64 KiB.
    const SHOWN: usize = 12;
    let paths = |nodes: &mut dyn Iterator<Item = TokenIndex>| {
        nodes
            .take(SHOWN)
            .map(|node| shape.node_path(node))
            .collect()
    };
    match meant[..] {
        [node] => Ok(node),
        [] => Err(TableError::Unknown {
            name: name.to_owned(),
            known: paths(&mut shape.nodes()),
            nodes: shape.nodes().count(),
        }),
        _ => Err(TableError::Ambiguous {
            name: name.to_owned(),
            paths: paths(&mut meant.iter().copied()),
            nodes: meant.len(),
        }),
    }
}
