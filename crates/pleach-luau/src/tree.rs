//! A compiled tree as a script holds it.
//!
//! Like a [node](crate::node) it is an empty, frozen table, whose locked metatable holds what it is made
//! of. Everything of Lua that a tree needs is there, and the collector sees it: callbacks that refer to
//! their own tree, and agents that only the tree knows, are collected.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use mlua::{AnyUserData, Function, Lua, MultiValue, Table, Value};
use pleach_shape::{FunctionIndex, NONE, Shape, TokenIndex};
use pleach_tree::{NodeDef, NodeKind};
use pleach_vm::SoloTree;

use crate::argument::Arguments;
use crate::node::{CORE, Node, What, lock};
use crate::progress::{Agents, Ledger};
use crate::refusal::Refusal;
use crate::turn;

/// Where a tree's metatable holds the callbacks of all leaves, [`CALLBACKS`] each.
const FUNCTIONS: i32 = 2;
/// Where it holds the progress of agents.
const AGENTS: i32 = 3;

/// How many places the callbacks of a leaf take.
pub(crate) const CALLBACKS: usize = 3;
/// How many nodes of a path are told; of a longer one the upper part is left out.
const MAX_PATH_NODES: usize = 32;

/// Which callback of a leaf is meant: its place among [`CALLBACKS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Callback {
    /// `run` of a task, or a condition's function.
    Run = 0,
    Enter = 1,
    Exit = 2,
}

/// What Rust knows of a leaf with callbacks.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    /// The place of its first callback in the tree's functions, from 1.
    first: u32,
    enters: bool,
    exits: bool,
}

/// What Rust knows of a tree.
pub(crate) struct TreeCore {
    pub(crate) solo: SoloTree,
    /// By the shape's function index.
    leaves: Box<[Leaf]>,
    /// The functions that made the nodes, by token index.
    names: Box<[&'static str]>,
    /// How many agents have begun.
    pub(crate) begun: AtomicU64,
    /// How many of them have progress that the collector has not taken.
    pub(crate) live: Arc<AtomicUsize>,
    pub(crate) ledger: Arc<Ledger>,
    /// What of the tree the collector does not see.
    bytes: usize,
}

impl Drop for TreeCore {
    fn drop(&mut self) {
        self.ledger.remove(self.bytes);
    }
}

impl TreeCore {
    /// The tree that a value stands for.
    pub(crate) fn of(value: &Value) -> Option<Arc<TreeCore>> {
        let Value::Table(table) = value else {
            return None;
        };
        let core: AnyUserData = table.metatable()?.raw_get(CORE).ok()?;
        Some(core.borrow::<Arc<TreeCore>>().ok()?.clone())
    }

    /// The place of a leaf's callback in the tree's functions; `None` if it does without.
    pub(crate) fn place(&self, function: FunctionIndex, callback: Callback) -> Option<usize> {
        let leaf = self.leaves.get(function.at())?;
        let given = match callback {
            Callback::Run => true,
            Callback::Enter => leaf.enters,
            Callback::Exit => leaf.exits,
        };
        given.then_some(leaf.first as usize + callback as usize)
    }

    /// Whether a node is a Condition.
    pub(crate) fn is_condition(&self, node: TokenIndex) -> bool {
        self.names.get(node.at()) == Some(&What::Condition.name())
    }

    /// A node's path from the root, in the words of scripts: the function that made a node, with the
    /// node's number in its parent's list: `Selector/Sequence-1/Task-2`.
    pub(crate) fn path(&self, node: TokenIndex) -> String {
        let plain = self.solo.shape().plain();
        let mut segments = Vec::new();
        let mut at = node.at();
        while let (Some(token), Some(name)) = (plain.get(at), self.names.get(at)) {
            if segments.len() == MAX_PATH_NODES {
                segments.push("…".to_owned());
                break;
            }
            if token.link == NONE {
                segments.push((*name).to_owned());
                break;
            }
            let parent = token.link as usize;
            let siblings = self.solo.shape().children(TokenIndex::from(parent));
            let number = siblings.take_while(|sibling| sibling.at() <= at).count();
            segments.push(format!("{name}-{number}"));
            at = parent;
        }
        segments.reverse();
        segments.join("/")
    }
}

/// A tree in a script's hands.
pub(crate) struct Tree {
    pub(crate) core: Arc<TreeCore>,
    metatable: Table,
}

impl Tree {
    /// The tree that a value stands for.
    pub(crate) fn of(value: &Value) -> Option<Tree> {
        let core = TreeCore::of(value)?;
        let metatable = value.as_table()?.metatable()?;
        Some(Tree { core, metatable })
    }

    /// The callbacks of all leaves.
    pub(crate) fn functions(&self) -> mlua::Result<Table> {
        self.metatable.raw_get(FUNCTIONS)
    }

    /// Its agents.
    pub(crate) fn agents(&self) -> mlua::Result<Agents> {
        self.metatable.raw_get(AGENTS).map(Agents)
    }
}

/// Makes trees.
pub(crate) struct TreeMaker {
    /// What all trees have: the methods, and how progress is held.
    methods: Table,
    agents: Table,
    to_string: Function,
    ledger: Arc<Ledger>,
}

impl TreeMaker {
    pub(crate) fn new(lua: &Lua, surface: &crate::surface::Surface) -> mlua::Result<TreeMaker> {
        let methods = lua.create_table()?;
        turn::add_to(lua, &methods, surface)?;
        methods.set_readonly(true);
        Ok(TreeMaker {
            methods,
            agents: Agents::metatable(lua)?,
            to_string: lua.create_function(|_, _: Value| Ok("BehaviorTree.Tree"))?,
            ledger: Arc::default(),
        })
    }

    /// `BehaviorTree.Compile`.
    pub(crate) fn compile(&self, lua: &Lua, values: MultiValue) -> Result<Table, Refusal> {
        let arguments = Arguments::new("Compile", &["def"], values)?;
        if TreeCore::of(arguments.value(0)).is_some() {
            return Err(arguments.problem(0, "is a tree, which is compiled already"));
        }
        // Before there is a new tree: what was dropped makes room for it.
        self.ledger.relieve(lua)?;
        let definition = Definition::take(lua, arguments.node(0)?)?;
        let refuse = |problem: String| Refusal::from(format!("BehaviorTree.Compile: {problem}"));
        let tree = pleach_tree::Tree::build("tree").root(definition.root);
        let shape = pleach_tree::compile(&tree).map_err(|error| refuse(error.to_string()))?;
        drop(tree);
        let leaves = by_function(&shape, &definition.leaves);
        let names = definition.names.into_boxed_slice();
        let bytes = size_of::<TreeCore>()
            + shape.requirements().shape_bytes as usize
            + size_of_val::<[Leaf]>(&leaves)
            + size_of_val::<[&str]>(&names);
        let solo = SoloTree::new(shape).map_err(|error| refuse(error.to_string()))?;
        self.ledger.add(bytes);
        let core = TreeCore {
            solo,
            leaves,
            names,
            bytes,
            begun: AtomicU64::new(0),
            live: Arc::default(),
            ledger: self.ledger.clone(),
        };
        let metatable = lua.create_table_with_capacity(3, 3)?;
        metatable.raw_set(CORE, lua.create_any_userdata(Arc::new(core))?)?;
        metatable.raw_set(FUNCTIONS, definition.functions)?;
        metatable.raw_set(AGENTS, Agents::empty(lua, &self.agents)?)?;
        metatable.raw_set("__index", &self.methods)?;
        metatable.raw_set("__tostring", &self.to_string)?;
        lock(lua, metatable)
    }
}

/// The leaves that a shape's functions are, which are named by number.
fn by_function(shape: &Shape, leaves: &[Leaf]) -> Box<[Leaf]> {
    let functions = 0..shape.tables().functions.len();
    functions
        .map(|function| {
            let name = shape.function_name(FunctionIndex::from(function));
            // Every function was named below, after a leaf.
            leaves[name.parse::<usize>().unwrap_or_default()]
        })
        .collect()
}

/// A definition, taken apart.
struct Definition {
    root: NodeDef,
    /// By token index.
    names: Vec<&'static str>,
    /// By the numbers that name the functions of `root`.
    leaves: Vec<Leaf>,
    functions: Table,
}

impl Definition {
    /// Walks a definition depth first, without recursion. How far that can go was seen to when its nodes
    /// were made.
    fn take(lua: &Lua, root: Node) -> Result<Definition, Refusal> {
        let mut names = Vec::new();
        let mut leaves: Vec<Leaf> = Vec::new();
        let functions = lua.create_table()?;
        // The numbers of leaves, by the address of the table that stands for them: a shared one is one
        // function.
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        // Nodes, depth first, with the number of their children.
        let mut nodes: Vec<(NodeKind, usize)> = Vec::new();
        // Children of open parents, and which one is next.
        let mut open: Vec<(Table, usize)> = Vec::new();
        let mut next = Some(root);
        loop {
            if let Some(node) = next.take() {
                let parts = node.parts()?;
                names.push(node.core.what.name());
                if node.core.what.calls() {
                    let number = match numbers.entry(node.table.to_pointer() as usize) {
                        Entry::Occupied(known) => *known.get(),
                        Entry::Vacant(new) => {
                            leaves.push(Leaf::add(&functions, &node.core.what, &parts)?);
                            *new.insert(leaves.len() - 1)
                        }
                    };
                    nodes.push((node.core.what.kind(&number.to_string()), 0));
                } else {
                    nodes.push((node.core.what.kind(""), parts.raw_len()));
                    open.push((parts, 1));
                }
            }
            let Some((parts, child)) = open.last_mut() else {
                break;
            };
            next = Node::of(&parts.raw_get(*child)?);
            *child += 1;
            if next.is_none() {
                open.pop();
            }
        }
        // From the last to the first: the children of each are the last that were put together, the
        // first child on top.
        let mut whole: Vec<NodeDef> = Vec::new();
        for (kind, children) in nodes.into_iter().rev() {
            let children = whole.split_off(whole.len().saturating_sub(children));
            whole.push(NodeDef::new(kind, children.into_iter().rev()));
        }
        let root = whole.pop().unwrap_or_else(pleach_tree::succeed);
        Ok(Definition {
            root,
            names,
            leaves,
            functions,
        })
    }
}

impl Leaf {
    /// Adds a leaf's callbacks to those of the tree.
    fn add(functions: &Table, what: &What, parts: &Table) -> mlua::Result<Leaf> {
        let first = functions.raw_len() + 1;
        for callback in 0..CALLBACKS {
            let function: Value = parts.raw_get(callback + 1)?;
            // No hole, so that the length stays known.
            let absent = function.is_nil().then_some(Value::Boolean(false));
            functions.raw_set(first + callback, absent.unwrap_or(function))?;
        }
        let (enters, exits) = match *what {
            What::Task { enters, exits } => (enters, exits),
            _ => (false, false),
        };
        Ok(Leaf {
            first: u32::try_from(first).unwrap_or(u32::MAX),
            enters,
            exits,
        })
    }
}
