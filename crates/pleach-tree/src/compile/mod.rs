//! From a tree to a shape: check everything, then flatten depth first.

use std::collections::HashMap;

use pleach_shape::{
    FunctionKind, MAX_DEPTH, MAX_NAME_BYTES, MAX_NODES, NONE, NodeDef, NodeId, Op, Role, Shape,
    ShapeParts, Tables, Token,
};

use crate::error::{CompileError, MAX_PROBLEMS, Noted, Place, Problem, ProblemKind};
use crate::expr::ExprError;
use crate::lower::{Lowering, Scope};
use crate::tree::{Node, Tree};

use self::expand::expand;

pub use declarations::MAX_LABELS;

/// The longest time a node can measure, in microseconds: a little over 35,000 years. Twice that
/// still fits the clock.
pub const MAX_MICROS: u64 = 1 << 60;

/// Checks a tree and flattens it.
///
/// # Errors
/// Everything that is wrong with the tree, each with its place, what was found and what to do:
/// childless composites, decorators without exactly one child, leaves with children, thresholds
/// out of range, unknown or duplicate names, expressions that do not parse or whose types do not
/// fit, values that are not finite, times out of range, and trees beyond
/// [`MAX_NODES`] nodes, [`MAX_DEPTH`] levels or [`MAX_VALUES`](pleach_shape::MAX_VALUES) columns or world values.
pub fn compile(tree: &Tree) -> Result<Shape, CompileError> {
    let mut checker = Compiler::new(tree, tree, &[]);
    checker.compounds();
    checker.inner_names();
    if tree.len() > MAX_NODES {
        let message = format!("the tree has {} nodes, allowed are {MAX_NODES}", tree.len());
        let noted = checker.problem(Place::Tree, tree.name(), message, None);
        noted.kind(ProblemKind::Limit);
    }
    if !checker.problems.is_empty() {
        // What is left is said beside it, as far as it goes without those nodes.
        checker.declarations();
        return Err(checker.error());
    }
    let expanded = expand(tree);
    let (plain, owners) = match &expanded {
        Some(expanded) => (&expanded.tree, expanded.owners.as_slice()),
        None => (tree, &[][..]),
    };
    let mut compiler = Compiler::new(plain, tree, owners);
    compiler.declarations();
    if plain.len() > MAX_NODES {
        let message = format!(
            "the tree's nodes become {} tokens, allowed are {MAX_NODES}",
            plain.len()
        );
        let help = "compound nodes become several: take some of them away";
        compiler
            .problem(Place::Tree, tree.name(), message, Some(help.into()))
            .kind(ProblemKind::Limit);
        return Err(compiler.error());
    }
    compiler.flatten();
    if !compiler.problems.is_empty() {
        return Err(compiler.error());
    }
    let parts = ShapeParts::from_plain(compiler.plain, compiler.tables);
    // The checks above are meant to be complete; if the verifier still finds something, it is told
    // as a problem of the tree rather than as a panic.
    parts.and_then(Shape::new).map_err(|error| {
        let problem = Problem {
            kind: ProblemKind::Other,
            place: Place::Tree,
            path: tree.name().to_owned(),
            message: error.to_string(),
            help: None,
        };
        CompileError::new(tree.name(), vec![problem], 0)
    })
}

/// A keyword with its article.
fn a(keyword: &str) -> String {
    let vowel = keyword.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {keyword}", if vowel { "an" } else { "a" })
}

mod compounds;
mod declarations;
mod expand;
mod inner;
mod operands;

struct Compiler<'a> {
    /// Without compound nodes.
    tree: &'a Tree,
    /// As it was given.
    original: &'a Tree,
    /// Of each of the tree's nodes, the original's that it is a part of; empty if they are the same.
    owners: &'a [NodeId],
    scope: Scope,
    problems: Vec<Problem>,
    omitted: usize,
    plain: Vec<Token>,
    tables: Tables,
    lowering: Lowering,
    names: HashMap<String, u32>,
    actions: HashMap<&'a str, u32>,
    functions: HashMap<(&'a str, FunctionKind), u32>,
    /// Token indices of the open parents, and how many of them are groups.
    open: Vec<u32>,
    open_groups: u32,
}

impl<'a> Compiler<'a> {
    fn new(tree: &'a Tree, original: &'a Tree, owners: &'a [NodeId]) -> Compiler<'a> {
        let mut compiler = Compiler {
            tree,
            original,
            owners,
            scope: Scope::default(),
            problems: Vec::new(),
            omitted: 0,
            plain: Vec::with_capacity(tree.len()),
            tables: Tables::default(),
            lowering: Lowering::default(),
            names: HashMap::new(),
            actions: HashMap::new(),
            functions: HashMap::new(),
            open: Vec::new(),
            open_groups: 0,
        };
        compiler.name(tree.name());
        compiler
    }

    /// The index of a text in the names.
    fn name(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.names.get(text) {
            return known;
        }
        let index = self.tables.names.len() as u32;
        self.tables.names.push(text.into());
        self.names.insert(text.to_owned(), index);
        index
    }

    fn error(self) -> CompileError {
        CompileError::new(self.tree.name(), self.problems, self.omitted)
    }

    /// Notes a problem. `declaration` names the place of one that is about no node.
    #[cold]
    fn problem(
        &mut self,
        place: Place,
        declaration: &str,
        message: String,
        help: Option<String>,
    ) -> Noted<'_> {
        let place = match place {
            Place::Node(node) => Place::Node(self.owner(node)),
            Place::Expr(node, span) => Place::Expr(self.owner(node), span),
            Place::Param(node, number) => Place::Param(self.owner(node), number),
            Place::Case(node, number) => Place::Case(self.owner(node), number),
            Place::Tree | Place::Column(_) | Place::World(_) => place,
        };
        let is_known = |known: &Problem| known.place == place && known.message == message;
        // An expression of a compound node may stand in several parts of it.
        if !self.owners.is_empty() && self.problems.iter().any(is_known) {
            return Noted(None);
        }
        if self.problems.len() == MAX_PROBLEMS {
            self.omitted += 1;
            return Noted(None);
        }
        let path = match &place {
            Place::Node(node)
            | Place::Expr(node, _)
            | Place::Param(node, _)
            | Place::Case(node, _) => self.original.path(*node),
            Place::Tree | Place::Column(_) | Place::World(_) => declaration.to_owned(),
        };
        self.problems.push(Problem {
            kind: ProblemKind::default(),
            place,
            path,
            message,
            help,
        });
        Noted(self.problems.last_mut())
    }

    /// The node of the original tree that a node is, or is a part of.
    fn owner(&self, node: NodeId) -> NodeId {
        self.owners.get(node.0 as usize).copied().unwrap_or(node)
    }

    #[cold]
    fn at_node(&mut self, node: NodeId, message: String, help: Option<String>) -> Noted<'_> {
        self.problem(Place::Node(node), "", message, help)
    }

    #[cold]
    fn at_expr(&mut self, node: NodeId, error: ExprError) {
        let place = Place::Expr(node, error.span);
        self.problem(place, "", error.message, error.help)
            .kind(error.kind);
    }

    fn flatten(&mut self) {
        enum Step {
            Enter(NodeId),
            Leave(u32),
        }
        let tree = self.tree;
        let mut steps = vec![Step::Enter(tree.root())];
        let mut too_deep = false;
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(id) => {
                    let Some(node) = tree.node(id) else { continue };
                    let index = self.plain.len() as u32;
                    self.enter(node, index);
                    if node.children.is_empty() {
                        continue;
                    }
                    if self.open.len() >= MAX_DEPTH {
                        if !too_deep {
                            too_deep = true;
                            let message = format!("the tree nests deeper than {MAX_DEPTH} levels");
                            let help = (!self.owners.is_empty()).then(|| {
                                "compound nodes become several levels: nest fewer of them".into()
                            });
                            self.problem(Place::Node(id), "", message, help)
                                .kind(ProblemKind::Limit);
                        }
                        continue;
                    }
                    self.open.push(index);
                    if node.kind.op().is_some_and(Op::halts) {
                        self.open_groups += 1;
                    }
                    steps.push(Step::Leave(index));
                    steps.extend(node.children.iter().rev().map(|&child| Step::Enter(child)));
                }
                Step::Leave(index) => {
                    self.open.pop();
                    let end = self.plain.len() as u32;
                    let token = &mut self.plain[index as usize];
                    token.end = end;
                    if token.op().is_some_and(Op::halts) {
                        self.open_groups -= 1;
                    }
                }
            }
        }
        let lowering = std::mem::take(&mut self.lowering);
        self.tables.exprs = lowering.exprs;
        self.tables.code = lowering.code;
        self.tables.constants = lowering.constants;
    }

    /// Checks a node and appends its token, table entries included.
    fn enter(&mut self, node: &'a Node, index: u32) {
        // None is left of those that become several tokens.
        let op = node.kind.op().unwrap_or(Op::Fail);
        self.check_children(node, op);
        if let Some(param) = &node.stray_param {
            let message = format!("{} takes no parameter `{param}`", a(op.keyword()));
            self.at_node(node.id, message, None)
                .kind(ProblemKind::StrayParameter);
        }
        let first_param = self.tables.params.len() as u32;
        if let Some(call) = node.kind.call() {
            self.call(node.id, call);
        }
        let name = node.name.as_deref().map_or(NONE, |name| self.name(name));
        if node
            .name
            .as_ref()
            .is_some_and(|name| name.len() > MAX_NAME_BYTES)
        {
            let message = format!("the node's name has more than {MAX_NAME_BYTES} bytes");
            self.at_node(node.id, message, None)
                .kind(ProblemKind::Limit);
        }
        self.tables.nodes.push(NodeDef {
            id: self.owner(node.id).0,
            name,
            first_param,
            params: self.tables.params.len() as u32 - first_param,
        });
        let operand = self.operand(node, index);
        let parent = self.open.last().copied().unwrap_or(NONE);
        self.plain.push(Token::node(op, index + 1, operand, parent));
    }

    fn check_children(&mut self, node: &Node, op: Op) {
        let count = node.children.len();
        match op.role() {
            // They say themselves how many they need.
            Role::Composite if matches!(op, Op::IfThenElse | Op::WhileDoElse) => {}
            Role::Composite if count == 0 => self
                .at_node(
                    node.id,
                    format!("{} needs at least one child", a(op.keyword())),
                    Some("give it a child, or use `succeed` or `fail` in its place".into()),
                )
                .kind(ProblemKind::Children),
            Role::Decorator if count != 1 => self
                .at_node(
                    node.id,
                    format!("{} needs exactly one child, found {count}", a(op.keyword())),
                    (count > 1).then(|| "put the children under a sequence or selector".into()),
                )
                .kind(ProblemKind::Children),
            Role::Leaf if count > 0 => self
                .at_node(
                    node.id,
                    format!("{} takes no children, found {count}", a(op.keyword())),
                    None,
                )
                .kind(ProblemKind::Children),
            _ => {}
        }
    }
}
