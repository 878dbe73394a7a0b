//! The shape: what actors of one tree share.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::expr::{ExprDef, ExprOp};
use crate::guard::{guarded_positions, guarded_stream};
use crate::index::*;
use crate::layout::BlockLayout;
use crate::op::Op;
use crate::predicate::{Predicate, classify};
use crate::requirements::Requirements;
use crate::tables::*;
use crate::threaded::{Threaded, thread};
use crate::token::{NONE, Token};
use crate::value::ValueType;
use crate::verify::{VerifyError, plain_stream, verify};

/// How many segments of a node's path are written out, counted from the node.
pub const MAX_PATH_SEGMENTS: usize = 64;

/// What stands for the rest of a path.
const CUT_OFF: &str = "…";

/// The parts of a shape before verification: plain data from the compiler, a file or a network.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ShapeParts {
    /// One token a node.
    pub plain: Vec<Token>,
    /// Nodes and guards.
    pub guarded: Vec<Token>,
    /// Side tables.
    pub tables: Tables,
    /// The requirements that the parts state; must be the true ones.
    pub requirements: Requirements,
}

impl ShapeParts {
    /// Derives guarded stream and requirements from a plain stream and its tables.
    ///
    /// # Errors
    /// When the plain stream's structure is not sound (properties P1 to P9); tables are checked by
    /// [`Shape::new`].
    pub fn from_plain(plain: Vec<Token>, tables: Tables) -> Result<ShapeParts, VerifyError> {
        plain_stream(&plain, &tables)?;
        let guarded = guarded_stream(&plain);
        let requirements = Requirements::of(&plain, guarded.len(), &tables);
        Ok(ShapeParts {
            plain,
            guarded,
            tables,
            requirements,
        })
    }
}

/// A verified, immutable tree: its streams, side tables, requirements.
///
/// Cheap to share: put it in an `Arc`. Kernels read it and nothing else of a tree.
#[derive(Clone, PartialEq)]
pub struct Shape {
    parts: ShapeParts,
    guarded_of: Box<[u32]>,
    predicates: Box<[Predicate]>,
    threaded: Threaded,
    layout: BlockLayout,
    takes_back: bool,
    columns_tag: u32,
    world_tag: u32,
    nodes_tag: u32,
    /// How many columns are the tree's own; the others belong to nodes.
    own_columns: usize,
    /// Entries of columns, world values and actions in the order of their names.
    columns_by_name: Box<[u32]>,
    world_by_name: Box<[u32]>,
    actions_by_name: Box<[u32]>,
}

const FNV_BASIS: u32 = 0x811c_9dc5;

/// The FNV-1a hash (Fowler, Noll, Vo), 32 bits: a tag, not a defence against anybody.
fn fnv(hash: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(hash, |hash, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

fn takes_back(op: Op) -> bool {
    op.halts() || op == Op::AbortWhen
}

/// A parameter of a node, as its reader sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Param<'a> {
    /// The parameter's name.
    pub name: &'a str,
    /// Where its value comes from. For a text, see [`Shape::name`].
    pub source: ParamSource,
}

impl Shape {
    /// Verifies parts and makes them a shape.
    ///
    /// # Errors
    /// The first property of [`verify`](crate::verify) that does not hold.
    pub fn new(parts: ShapeParts) -> Result<Shape, VerifyError> {
        verify(&parts)?;
        let guarded_of = guarded_positions(&parts.plain).into_boxed_slice();
        let tables = &parts.tables;
        let predicates = classify(
            &tables.exprs,
            &tables.code,
            &tables.columns,
            &tables.constants,
        );
        let predicates = predicates.into_boxed_slice();
        let threaded = thread(&parts.plain, tables, &predicates);
        let layout = BlockLayout::of(tables, threaded.marks.len());
        let tag = |defs: &mut dyn Iterator<Item = (u32, u32)>| {
            let declared = defs.map(|(name, ty)| (parts.tables.names[name as usize].as_ref(), ty));
            declared.fold(FNV_BASIS, |tag, (name, ty)| {
                fnv(fnv(tag, name.as_bytes()), &ty.to_le_bytes())
            })
        };
        let by_name = |names: &mut dyn Iterator<Item = u32>| -> Box<[u32]> {
            let names: Vec<&str> = names.map(|name| &*tables.names[name as usize]).collect();
            let mut order: Vec<u32> = (0..names.len() as u32).collect();
            order.sort_unstable_by_key(|&entry| names[entry as usize]);
            order.into_boxed_slice()
        };
        let own_columns = tables
            .columns
            .iter()
            .take_while(|column| !tables.names[column.name as usize].starts_with('@'))
            .count();
        let own = tables.columns.iter().take(own_columns);
        Ok(Shape {
            columns_by_name: by_name(&mut own.map(|column| column.name)),
            world_by_name: by_name(&mut tables.world.iter().map(|world| world.name)),
            actions_by_name: by_name(&mut tables.actions.iter().copied()),
            columns_tag: tag(&mut tables.columns.iter().map(|column| (column.name, column.ty))),
            world_tag: tag(&mut tables.world.iter().map(|world| (world.name, world.ty))),
            nodes_tag: tables.nodes.iter().fold(
                fnv(FNV_BASIS, bytemuck::cast_slice(&parts.plain)),
                |tag, node| fnv(tag, &node.id.to_le_bytes()),
            ),
            own_columns,
            takes_back: parts.plain.iter().filter_map(Token::op).any(takes_back),
            guarded_of,
            predicates,
            threaded,
            layout,
            parts,
        })
    }

    /// Whether a tick may take back what it has asked for: there are nodes that halt what runs below them
    /// ([`Op::halts`]), or actors may leave the tree within a tick.
    #[inline]
    pub fn takes_back(&self) -> bool {
        self.takes_back
    }

    /// How many of the columns, from the first, the tree declares. Those behind them belong to nodes that
    /// remember something, have names that begin with `@`, and are forgotten when an actor is reset (U4).
    #[inline]
    pub fn own_columns(&self) -> usize {
        self.own_columns
    }

    /// Whether a function is one that no host knows: a node that became several tokens calls it, and its
    /// name begins with `@`.
    #[inline]
    pub fn is_inner_function(&self, function: u32) -> bool {
        let function = self.parts.tables.functions.get(function as usize);
        function.is_some_and(|function| self.name(function.name).starts_with('@'))
    }

    /// A number that shapes with the same columns (names and types, in order) share, and others
    /// almost never: keys of columns carry it, so that a key of another shape is noticed.
    #[inline]
    pub fn columns_tag(&self) -> u32 {
        self.columns_tag
    }

    /// The same for world values.
    #[inline]
    pub fn world_tag(&self) -> u32 {
        self.world_tag
    }

    /// The same for nodes: what they are and where they stand. (Names do not count.)
    #[inline]
    pub fn nodes_tag(&self) -> u32 {
        self.nodes_tag
    }

    /// The parts, for writing them somewhere.
    pub fn parts(&self) -> &ShapeParts {
        &self.parts
    }

    /// The tree's name.
    pub fn tree_name(&self) -> &str {
        self.name(0)
    }

    /// A text by its index, empty if there is none.
    pub fn name(&self, index: u32) -> &str {
        self.parts
            .tables
            .names
            .get(index as usize)
            .map_or("", |name| name)
    }

    /// The plain stream: one token a node, depth first.
    #[inline]
    pub fn plain(&self) -> &[Token] {
        &self.parts.plain
    }

    /// The guarded stream: nodes, and a guard behind each child.
    #[inline]
    pub fn guarded(&self) -> &[Token] {
        &self.parts.guarded
    }

    /// For each node, its position in the guarded stream.
    #[inline]
    pub fn guarded_of(&self) -> &[u32] {
        &self.guarded_of
    }

    /// The threaded stream: leaves that know where their answers lead to.
    #[inline]
    pub fn threaded(&self) -> &Threaded {
        &self.threaded
    }

    /// What a run will need.
    #[inline]
    pub fn requirements(&self) -> &Requirements {
        &self.parts.requirements
    }

    /// How a block of actors lies in memory.
    #[inline]
    pub fn layout(&self) -> &BlockLayout {
        &self.layout
    }

    /// The side tables.
    #[inline]
    pub fn tables(&self) -> &Tables {
        &self.parts.tables
    }

    /// Expressions, classified for evaluation; one for each expression.
    #[inline]
    pub fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// The code of an expression.
    #[inline]
    pub fn expr_code(&self, expr: ExprIndex) -> &[ExprOp] {
        let def: ExprDef = self.parts.tables.exprs[expr.at()];
        &self.parts.tables.code[def.start as usize..(def.start + def.len) as usize]
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.parts.plain.len()
    }

    /// Never: a shape has a root.
    pub fn is_empty(&self) -> bool {
        self.parts.plain.is_empty()
    }

    /// The node of that token index in its tree.
    pub fn node_id(&self, node: TokenIndex) -> Option<NodeId> {
        self.parts
            .tables
            .nodes
            .get(node.at())
            .map(|def| NodeId(def.id))
    }

    /// The token index of a tree's node.
    pub fn node_of(&self, id: NodeId) -> Option<TokenIndex> {
        let nodes = &self.parts.tables.nodes;
        nodes
            .iter()
            .position(|def| def.id == id.0)
            .map(TokenIndex::from)
    }

    /// A node's own name, if it has one.
    pub fn node_name(&self, node: TokenIndex) -> Option<&str> {
        let def = self.parts.tables.nodes.get(node.at())?;
        (def.name != NONE).then(|| self.name(def.name))
    }

    /// A node's path from the root: names where there are, else the keyword with the child's
    /// number (from 1) under its parent: `guard/flee/condition-1`. Of a path longer than
    /// [`MAX_PATH_SEGMENTS`] the upper part is left out. Control characters in names are escaped.
    pub fn node_path(&self, node: TokenIndex) -> String {
        self.path_with(node, |at| self.child_number(at))
    }

    /// The paths of all nodes, by token index. (One by one, each path would count its siblings
    /// again.)
    pub fn node_paths(&self) -> Vec<String> {
        let numbers = self.child_numbers();
        let paths = (0..self.len()).map(TokenIndex::from);
        paths
            .map(|node| self.path_with(node, |at| numbers[at]))
            .collect()
    }

    /// The nodes whose [path](Shape::node_path) is `path` or has it at its end, behind a `/`, in stream order;
    /// and of each whether that is its whole path. Builds no paths: all of a tree's are up to 64 KiB a node.
    pub fn nodes_at<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (TokenIndex, bool)> + 'a {
        let numbers = self.child_numbers();
        let nodes = self.nodes().filter(|_| !path.is_empty());
        nodes.filter_map(move |node| Some((node, self.ends_with(node.at(), path, &numbers)?)))
    }

    /// Whether a path is a node's whole one; `None` if the node's path does not end with it.
    fn ends_with(&self, node: usize, path: &str, numbers: &[u32]) -> Option<bool> {
        let (mut at, mut rest) = (node, path);
        for number in 0..=MAX_PATH_SEGMENTS {
            let link = self.parts.plain[at].link;
            let is_first = number == MAX_PATH_SEGMENTS || link == NONE;
            let segment = match number {
                MAX_PATH_SEGMENTS => CUT_OFF.into(),
                _ => self.segment(at, |at| numbers[at]),
            };
            if rest.len() <= segment.len() {
                let before = segment.strip_suffix(rest)?;
                let is_there = before.is_empty() || before.ends_with('/');
                return is_there.then_some(is_first && before.is_empty());
            }
            if is_first {
                return None;
            }
            rest = rest.strip_suffix(&*segment)?.strip_suffix('/')?;
            at = self.whole(link as usize);
        }
        None
    }

    /// Whether a token is only a part of the node above it: of one that became several tokens.
    pub fn is_part(&self, node: TokenIndex) -> bool {
        let nodes = &self.parts.tables.nodes;
        let id = |at: usize| nodes.get(at).map(|def| def.id);
        let parent = self
            .parts
            .plain
            .get(node.at())
            .map_or(NONE, |token| token.link);
        parent != NONE && id(parent as usize) == id(node.at())
    }

    /// The first tokens of all nodes, in stream order: one a node of the tree.
    pub fn nodes(&self) -> impl Iterator<Item = TokenIndex> + '_ {
        let tokens = (0..self.len()).map(TokenIndex::from);
        tokens.filter(|&token| !self.is_part(token))
    }

    /// The children of a node of the tree, in stream order: those of its first token, or, where it became
    /// several tokens, those below all of them.
    pub fn node_children(&self, node: TokenIndex) -> impl Iterator<Item = TokenIndex> + '_ {
        self.below(node).filter(|&below| !self.is_part(below))
    }

    /// The tokens that a node of the tree became, its first one included, in stream order.
    pub fn node_tokens(&self, node: TokenIndex) -> impl Iterator<Item = TokenIndex> + '_ {
        let own = (node.at() < self.len()).then_some(node);
        own.into_iter()
            .chain(self.below(node).filter(|&below| self.is_part(below)))
    }

    /// A node's parts and children, in stream order.
    fn below(&self, node: TokenIndex) -> impl Iterator<Item = TokenIndex> + '_ {
        let plain = &self.parts.plain;
        let end = plain.get(node.at()).map_or(0, |token| token.end as usize);
        let mut next = node.at().saturating_add(1);
        core::iter::from_fn(move || {
            let here = TokenIndex::from((next < end).then_some(next)?);
            next = match self.is_part(here) {
                true => next + 1,
                false => plain[next].end as usize,
            };
            Some(here)
        })
    }

    /// The first token of the node that a token is a part of.
    fn whole(&self, mut at: usize) -> usize {
        while self.is_part(TokenIndex::from(at)) {
            at = self.parts.plain[at].link as usize;
        }
        at
    }

    /// Of each token which child of its parent it is, from 1; parts of nodes do not count.
    fn child_numbers(&self) -> Vec<u32> {
        let plain = &self.parts.plain;
        let mut numbers = alloc::vec![1u32; plain.len()];
        // How many children of each node have come by.
        let mut counts = alloc::vec![0u32; plain.len()];
        for (index, token) in plain.iter().enumerate() {
            if token.link != NONE && !self.is_part(TokenIndex::from(index)) {
                let parent = self.whole(token.link as usize);
                counts[parent] += 1;
                numbers[index] = counts[parent];
            }
        }
        numbers
    }

    fn path_with(&self, node: TokenIndex, number: impl Fn(usize) -> u32) -> String {
        let mut segments: Vec<Cow<'_, str>> = Vec::new();
        let mut at = match node.at() < self.len() {
            true => self.whole(node.at()),
            false => self.len(),
        };
        while let Some(token) = self.parts.plain.get(at) {
            if segments.len() == MAX_PATH_SEGMENTS {
                segments.push(CUT_OFF.into());
                break;
            }
            segments.push(self.segment(at, &number));
            if token.link == NONE {
                break;
            }
            at = self.whole(token.link as usize);
        }
        segments.reverse();
        segments.join("/")
    }

    /// A node's own part of its path.
    fn segment(&self, at: usize, number: impl Fn(usize) -> u32) -> Cow<'_, str> {
        let token = &self.parts.plain[at];
        let name = match (self.node_name(TokenIndex::from(at)), token.link) {
            (Some(name), _) => name,
            (None, NONE) => self.tree_name(),
            (None, _) => {
                let keyword = token.op().map_or("?", |op| op.keyword());
                return alloc::format!("{keyword}-{}", number(at)).into();
            }
        };
        let is_plain = |byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'\\' | b'"' | b'\'');
        if name.bytes().all(is_plain) {
            return name.into();
        }
        name.escape_debug().to_string().into()
    }

    fn child_number(&self, node: usize) -> u32 {
        let plain = &self.parts.plain;
        let link = plain[node].link;
        if link == NONE {
            return 1;
        }
        let parent = self.whole(link as usize);
        let mut number = 1;
        let mut child = parent + 1;
        while child < node {
            if self.is_part(TokenIndex::from(child)) {
                child += 1;
                continue;
            }
            number += 1;
            child = plain[child].end as usize;
        }
        number
    }

    /// The action or host function that a node calls, by name; `None` for other nodes.
    pub fn calls(&self, node: TokenIndex) -> Option<&str> {
        let token = self.parts.plain.get(node.at())?;
        let operand = token.operand as usize;
        let tables = &self.parts.tables;
        let action = |slots: &[SlotDef]| slots.get(operand).map(|slot| ActionIndex(slot.action));
        match token.op()? {
            Op::Action => Some(self.action_name(action(&tables.deferred)?)),
            Op::PersistentAction => Some(self.action_name(action(&tables.persistent)?)),
            Op::Task | Op::Query => Some(self.function_name(FunctionIndex(token.operand))),
            _ => None,
        }
    }

    /// The children of a node, in stream order.
    pub fn children(&self, node: TokenIndex) -> impl Iterator<Item = TokenIndex> + '_ {
        let end = self
            .parts
            .plain
            .get(node.at())
            .map_or(0, |token| token.end as usize);
        let mut child = node.at() + 1;
        core::iter::from_fn(move || {
            (child < end).then(|| {
                let here = child;
                child = self.parts.plain[child].end as usize;
                TokenIndex::from(here)
            })
        })
    }

    /// A node's parameters.
    pub fn params(&self, node: TokenIndex) -> impl Iterator<Item = Param<'_>> + '_ {
        let tables = &self.parts.tables;
        let range = tables.nodes.get(node.at()).map_or(0..0, |def| {
            def.first_param as usize..(def.first_param + def.params) as usize
        });
        tables.params[range].iter().filter_map(|def| {
            Some(Param {
                name: self.name(def.name),
                source: def.source()?,
            })
        })
    }

    /// The tree's own column of that name, and its type.
    pub fn column(&self, name: &str) -> Option<(ColumnIndex, ValueType)> {
        let columns = &self.parts.tables.columns;
        let index = self.find(&self.columns_by_name, name, |entry| columns[entry].name)?;
        Some((ColumnIndex::from(index), columns[index].ty()?))
    }

    /// The world value of that name and its type.
    pub fn world_value(&self, name: &str) -> Option<(WorldIndex, ValueType)> {
        let world = &self.parts.tables.world;
        let index = self.find(&self.world_by_name, name, |entry| world[entry].name)?;
        Some((WorldIndex::from(index), world[index].ty()?))
    }

    /// The kind of action of that name.
    pub fn action(&self, name: &str) -> Option<ActionIndex> {
        let actions = &self.parts.tables.actions;
        let index = self.find(&self.actions_by_name, name, |entry| actions[entry])?;
        Some(ActionIndex::from(index))
    }

    /// The entry of that name, by halving; `name_of` gives an entry's name as an index.
    fn find(&self, order: &[u32], name: &str, name_of: impl Fn(usize) -> u32) -> Option<usize> {
        let place = order.binary_search_by_key(&name, |&entry| self.name(name_of(entry as usize)));
        place.ok().map(|place| order[place] as usize)
    }

    /// The name of a kind of action.
    pub fn action_name(&self, action: ActionIndex) -> &str {
        self.parts
            .tables
            .actions
            .get(action.at())
            .map_or("", |&name| self.name(name))
    }

    /// The name of a host function.
    pub fn function_name(&self, function: FunctionIndex) -> &str {
        self.parts
            .tables
            .functions
            .get(function.at())
            .map_or("", |def| self.name(def.name))
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&crate::display::Disassembly::new(self), f)
    }
}
