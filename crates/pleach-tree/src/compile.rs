//! From a tree to a shape: check everything, then flatten depth first.

use std::collections::{HashMap, HashSet};

use pleach_shape::ColumnIndex;
use pleach_shape::{
    ColumnDef, FunctionDef, FunctionKind, GroupDef, MAX_DEPTH, MAX_NAME_BYTES, MAX_NODES,
    MAX_VALUES, NONE, NodeDef, NodeId, Op, ParamDef, ParamSource, Role, SetDef, Shape, ShapeParts,
    SlotDef, Tables, TimerDef, Token, Value, WorldDef, WorldIndex,
};

use crate::error::{CompileError, MAX_PROBLEMS, Place, Problem};
use crate::expr::{Expr, ExprError};
use crate::lower::{Lowering, Meaning, Purpose, Scope};
use crate::tree::{Call, Node, NodeKind, ParameterValue, Threshold, Tree, is_identifier};

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
/// [`MAX_NODES`] nodes, [`MAX_DEPTH`] levels or [`MAX_VALUES`] columns or world values.
pub fn compile(tree: &Tree) -> Result<Shape, CompileError> {
    let mut compiler = Compiler::new(tree);
    compiler.declarations();
    if tree.len() > MAX_NODES {
        compiler.problem(
            Place::Tree,
            tree.name(),
            format!("the tree has {} nodes, allowed are {MAX_NODES}", tree.len()),
            None,
        );
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
            place: Place::Tree,
            path: tree.name().to_owned(),
            message: error.to_string(),
            help: None,
        };
        CompileError::new(tree.name(), vec![problem], 0)
    })
}

/// The operation's name with its article.
fn a(op: Op) -> String {
    let vowel = op.keyword().starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {op}", if vowel { "an" } else { "a" })
}

struct Compiler<'a> {
    tree: &'a Tree,
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
    fn new(tree: &'a Tree) -> Compiler<'a> {
        let mut compiler = Compiler {
            tree,
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
    fn problem(&mut self, place: Place, declaration: &str, message: String, help: Option<String>) {
        if self.problems.len() == MAX_PROBLEMS {
            self.omitted += 1;
            return;
        }
        let path = match &place {
            Place::Node(node) | Place::Expr(node, _) | Place::Param(node, _) => {
                self.tree.path(*node)
            }
            Place::Tree | Place::Column(_) | Place::World(_) => declaration.to_owned(),
        };
        self.problems.push(Problem {
            place,
            path,
            message,
            help,
        });
    }

    #[cold]
    fn at_node(&mut self, node: NodeId, message: String, help: Option<String>) {
        self.problem(Place::Node(node), "", message, help);
    }

    #[cold]
    fn at_expr(&mut self, node: NodeId, error: ExprError) {
        let place = Place::Expr(node, error.span);
        self.problem(place, "", error.message, error.help);
    }

    fn declarations(&mut self) {
        let tree = self.tree;
        for (what, count) in [
            ("columns", tree.columns().len()),
            ("world values", tree.world().len()),
        ] {
            if count > MAX_VALUES {
                let message = format!("the tree declares {count} {what}, allowed are {MAX_VALUES}");
                self.problem(Place::Tree, tree.name(), message, None);
            }
        }
        if tree.name().len() > MAX_NAME_BYTES {
            let message = format!("the tree's name has more than {MAX_NAME_BYTES} bytes");
            self.problem(Place::Tree, "the tree", message, None);
        }
        for (index, column) in tree.columns().iter().enumerate() {
            let meaning = Meaning::Column(index as u32, column.default.ty());
            self.declared(
                "column",
                Place::Column(index),
                &column.name,
                column.default,
                meaning,
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
                Some("use a letter or `_`, then letters, digits, `_` and `.`".into()),
            );
        }
        if !self.scope.add(name, meaning) {
            self.problem(
                place.clone(),
                name,
                format!("`{name}` is declared twice"),
                Some("columns and world values share their names: rename one".into()),
            );
        }
        if let Value::F32(value) = default
            && !value.is_finite()
        {
            self.problem(
                place,
                name,
                format!("the default of {what} `{name}` is {value}, which is not a finite number"),
                None,
            );
        }
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
                            self.problem(Place::Node(id), "", message, None);
                        }
                        continue;
                    }
                    self.open.push(index);
                    if matches!(node.kind.op(), Op::Parallel | Op::Concurrent) {
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
                    if matches!(token.op(), Some(Op::Parallel | Op::Concurrent)) {
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
        let op = node.kind.op();
        self.check_children(node, op);
        if let Some(param) = &node.stray_param {
            self.at_node(
                node.id,
                format!("{} takes no parameter `{param}`", a(op)),
                None,
            );
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
            self.at_node(node.id, message, None);
        }
        self.tables.nodes.push(NodeDef {
            id: node.id.0,
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
            Role::Composite if count == 0 => self.at_node(
                node.id,
                format!("{} needs at least one child", a(op)),
                Some("give it a child, or use `succeed` or `fail` in its place".into()),
            ),
            Role::Decorator if count != 1 => self.at_node(
                node.id,
                format!("{} needs exactly one child, found {count}", a(op)),
                (count > 1).then(|| "put the children under a sequence or selector".into()),
            ),
            Role::Leaf if count > 0 => self.at_node(
                node.id,
                format!("{} takes no children, found {count}", a(op)),
                None,
            ),
            _ => {}
        }
    }

    fn call(&mut self, node: NodeId, call: &'a Call) {
        if call.name.is_empty() {
            self.at_node(node, "the name of what to call is empty".into(), None);
        }
        let mut seen = HashSet::new();
        for (position, param) in call.params.iter().enumerate() {
            let place = Place::Param(node, position);
            if !is_identifier(&param.name) {
                let message = format!("`{}` cannot name a parameter", param.name);
                self.problem(place.clone(), "", message, None);
            }
            if !seen.insert(param.name.as_str()) {
                let message = format!("parameter `{}` is given twice", param.name);
                self.problem(place.clone(), "", message, None);
            }
            let source = match &param.value {
                ParameterValue::Const(Value::F32(value)) if !value.is_finite() => {
                    let message =
                        format!("parameter `{}` is {value}, not a finite number", param.name);
                    self.problem(place, "", message, None);
                    continue;
                }
                ParameterValue::Const(value) => ParamSource::Const(*value),
                ParameterValue::Text(text) => ParamSource::Text(self.name(text)),
                ParameterValue::Name(name) => match self.scope.get(name) {
                    Some(Meaning::Column(index, _)) => ParamSource::Column(ColumnIndex(index)),
                    Some(Meaning::World(index, _)) => ParamSource::World(WorldIndex(index)),
                    None => {
                        let message = format!("unknown column or world value `{name}`");
                        let help = Some(self.scope.hint(name));
                        self.problem(place, "", message, help);
                        continue;
                    }
                },
            };
            let name = self.name(&param.name);
            self.tables.params.push(ParamDef::new(name, source));
        }
    }

    /// Appends the node's table entry, if its kind has a table, and gives the index.
    fn operand(&mut self, node: &'a Node, index: u32) -> u32 {
        match &node.kind {
            NodeKind::Parallel { success, failure } => {
                let children = node.children.len() as u32;
                let success = self.threshold(node, "success", *success, children);
                let failure = self.threshold(node, "failure", *failure, children);
                self.group(index, children, success, failure)
            }
            NodeKind::Concurrent => {
                let children = node.children.len() as u32;
                self.group(index, children, children, 1)
            }
            NodeKind::Condition(test) => self.expr(node.id, test, Purpose::Test),
            NodeKind::Query(call) => self.function(&call.name, FunctionKind::Query),
            NodeKind::Task(call) => self.function(&call.name, FunctionKind::Task),
            NodeKind::Action(call) => {
                let action = self.action(&call.name);
                self.tables.deferred.push(SlotDef {
                    node: index,
                    action,
                });
                self.tables.deferred.len() as u32 - 1
            }
            NodeKind::PersistentAction(call) => {
                let action = self.action(&call.name);
                self.tables.persistent.push(SlotDef {
                    node: index,
                    action,
                });
                self.tables.persistent.len() as u32 - 1
            }
            NodeKind::Set { column, value } => self.set(node.id, column, value),
            NodeKind::Wait(duration) => {
                let micros = duration.as_micros();
                if micros > u128::from(MAX_MICROS) {
                    let message = format!("waits {micros} µs, allowed are {MAX_MICROS}");
                    self.at_node(node.id, message, None);
                }
                self.tables.timers.push(TimerDef {
                    micros: micros.min(u128::from(MAX_MICROS)) as u64,
                    node: index,
                    reserved: 0,
                });
                self.tables.timers.len() as u32 - 1
            }
            NodeKind::Sequence
            | NodeKind::Selector
            | NodeKind::ReactiveSequence
            | NodeKind::ReactiveSelector
            | NodeKind::Invert
            | NodeKind::Succeeder
            | NodeKind::Failer
            | NodeKind::Succeed
            | NodeKind::Fail
            | NodeKind::Idle => 0,
        }
    }

    fn threshold(&mut self, node: &Node, what: &str, threshold: Threshold, children: u32) -> u32 {
        match threshold {
            Threshold::All => children,
            Threshold::Count(count) if (1..=children).contains(&count) => count,
            Threshold::Count(count) => {
                if children > 0 {
                    let message =
                        format!("the {what} threshold is {count}, allowed is 1 to {children}");
                    let help = (count > children).then(|| {
                        format!("it has {children} children, so it could never be reached")
                    });
                    self.at_node(node.id, message, help);
                }
                1
            }
        }
    }

    fn group(&mut self, node: u32, children: u32, success: u32, failure: u32) -> u32 {
        self.tables.groups.push(GroupDef {
            node,
            children,
            success,
            failure,
            level: self.open_groups,
            first_slot: self.tables.deferred.len() as u32,
        });
        self.tables.groups.len() as u32 - 1
    }

    fn expr(&mut self, node: NodeId, expr: &Expr, purpose: Purpose<'_>) -> u32 {
        match self.lowering.lower(expr, purpose, &self.scope) {
            Ok(index) => index,
            Err(error) => {
                self.at_expr(node, error);
                0
            }
        }
    }

    fn set(&mut self, node: NodeId, column: &str, value: &Expr) -> u32 {
        let (column, expr) = match self.scope.get(column) {
            Some(Meaning::Column(index, ty)) => {
                (index, self.expr(node, value, Purpose::Store(column, ty)))
            }
            Some(Meaning::World(..)) => {
                let message = format!("`{column}` is a world value, which an actor cannot set");
                self.at_node(
                    node,
                    message,
                    Some("set a column, and let the host change the world".into()),
                );
                (0, 0)
            }
            None => {
                let message = format!("unknown column `{column}`");
                let help = Some(self.scope.hint(column));
                self.at_node(node, message, help);
                (0, 0)
            }
        };
        self.tables.sets.push(SetDef { column, expr });
        self.tables.sets.len() as u32 - 1
    }

    fn action(&mut self, name: &'a str) -> u32 {
        if let Some(&known) = self.actions.get(name) {
            return known;
        }
        let text = self.name(name);
        let index = self.tables.actions.len() as u32;
        self.tables.actions.push(text);
        self.actions.insert(name, index);
        index
    }

    fn function(&mut self, name: &'a str, kind: FunctionKind) -> u32 {
        if let Some(&known) = self.functions.get(&(name, kind)) {
            return known;
        }
        let text = self.name(name);
        let index = self.tables.functions.len() as u32;
        self.tables.functions.push(FunctionDef {
            name: text,
            kind: kind as u32,
        });
        self.functions.insert((name, kind), index);
        index
    }
}
