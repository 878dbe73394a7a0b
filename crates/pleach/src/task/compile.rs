//! From a definition to a shape: what nodes are given is checked, then the tree's compiler flattens it.

use std::time::Duration;

use pleach_shape::{MAX_PATH_SEGMENTS, NodeId, Shape};
use pleach_tree::{MAX_MICROS, NodeKind, Place, Threshold};

use super::error::{CompileError, MAX_PROBLEMS, Problem};
use super::node::{Holds, Kind, NodeDef, Policy, TaskDef};

/// What a leaf calls.
pub(super) enum Function<'f, A: ?Sized, B: ?Sized> {
    Condition(Holds<'f, A, B>),
    Task(TaskDef<'f, A, B>),
}

/// A definition's shape, and by the number of each of its functions what that is.
pub(super) struct Compiled<'f, A: ?Sized, B: ?Sized> {
    pub(super) shape: Shape,
    pub(super) functions: Box<[Function<'f, A, B>]>,
}

pub(super) fn compile<'f, A: ?Sized, B: ?Sized>(
    root: NodeDef<'f, A, B>,
) -> Result<Compiled<'f, A, B>, CompileError> {
    let mut compiler = Compiler::default();
    let tree = compiler.tree(root);
    let Compiler {
        outline,
        functions,
        mut error,
    } = compiler;
    if error.problems.is_empty() {
        match pleach_tree::compile(&tree) {
            Ok(shape) => {
                // The tree's compiler numbers functions depth first as well, and all names differ.
                debug_assert_eq!(shape.tables().functions.len(), functions.len());
                let functions = functions.into();
                return Ok(Compiled { shape, functions });
            }
            Err(found) => error = outline.translate(&found),
        }
    }
    Err(error)
}

/// The nodes of a definition, depth first, without what they do: enough for paths.
#[derive(Default)]
struct Outline(Vec<Entry>);

struct Entry {
    keyword: &'static str,
    name: Option<String>,
    /// The parent's place in the outline, and the child's number there, from 1.
    parent: Option<(usize, usize)>,
}

impl Outline {
    fn path(&self, node: usize) -> String {
        let mut segments: Vec<String> = Vec::new();
        let mut at = Some(node);
        while let Some(entry) = at.and_then(|at| self.0.get(at)) {
            if segments.len() == MAX_PATH_SEGMENTS {
                segments.push("…".into());
                break;
            }
            segments.push(match (&entry.name, entry.parent) {
                (Some(name), _) => name.escape_debug().to_string(),
                (None, None) => entry.keyword.into(),
                (None, Some((_, number))) => format!("{}-{number}", entry.keyword),
            });
            at = entry.parent.map(|(parent, _)| parent);
        }
        segments.reverse();
        segments.join("/")
    }

    /// What the tree's compiler has found, with the paths of this definition.
    fn translate(&self, found: &pleach_tree::CompileError) -> CompileError {
        let place = |place: &Place| match place {
            Place::Node(NodeId(node)) | Place::Expr(NodeId(node), _) => *node as usize,
            Place::Param(NodeId(node), _) | Place::Case(NodeId(node), _) => *node as usize,
            Place::Tree | Place::Column(_) | Place::World(_) => 0,
        };
        let problems = found.problems().iter().map(|problem| Problem {
            path: self.path(place(&problem.place)),
            message: problem.message.clone(),
            help: problem.help.clone(),
        });
        CompileError {
            problems: problems.collect(),
            omitted: found.omitted(),
        }
    }
}

struct Compiler<'f, A: ?Sized, B: ?Sized> {
    outline: Outline,
    functions: Vec<Function<'f, A, B>>,
    error: CompileError,
}

impl<A: ?Sized, B: ?Sized> Default for Compiler<'_, A, B> {
    fn default() -> Self {
        Compiler {
            outline: Outline::default(),
            functions: Vec::new(),
            error: CompileError {
                problems: Vec::new(),
                omitted: 0,
            },
        }
    }
}

impl<'f, A: ?Sized, B: ?Sized> Compiler<'f, A, B> {
    /// Takes a definition apart, depth first and without recursion, and puts the tree together from its
    /// last node to its first.
    fn tree(&mut self, root: NodeDef<'f, A, B>) -> pleach_tree::Tree {
        let mut kinds = Vec::new();
        let mut pending = vec![(root, None)];
        while let Some((mut def, parent)) = pending.pop() {
            let node = kinds.len();
            let children = std::mem::take(&mut def.children);
            let name = def.name.take();
            let kind = std::mem::replace(&mut def.kind, Kind::Fail);
            self.outline.0.push(Entry {
                keyword: kind.keyword(),
                name: name.clone(),
                parent,
            });
            if let Some(method) = def.stray {
                let message = format!("`{method}` of a {}, allowed is a task", kind.keyword());
                self.problem(node, message, None);
            }
            if kind.is_composite() && children.is_empty() {
                let message = format!("a {} needs at least one child", kind.keyword());
                let help = "give it a child, or use `succeed` or `fail` in its place";
                self.problem(node, message, Some(help.into()));
            }
            kinds.push((self.kind(node, kind, children.len()), name, parent));
            let children = children.into_iter().enumerate().rev();
            pending.extend(children.map(|(place, child)| (child, Some((node, place + 1)))));
        }
        // The children of each node that are put together, the last one first.
        let mut children: Vec<Vec<pleach_tree::NodeDef>> = Vec::new();
        children.resize_with(kinds.len(), Vec::new);
        let mut built = pleach_tree::succeed();
        while let Some((kind, name, parent)) = kinds.pop() {
            let mut own = children.pop().unwrap_or_default();
            own.reverse();
            built = pleach_tree::NodeDef::new(kind, own);
            if let Some(name) = name {
                built = built.named(name);
            }
            if let Some((parent, _)) = parent {
                let built = std::mem::replace(&mut built, pleach_tree::succeed());
                children[parent].push(built);
            }
        }
        pleach_tree::Tree::build("tree").root(built)
    }

    #[cold]
    fn problem(&mut self, node: usize, message: String, help: Option<String>) {
        if self.error.problems.len() == MAX_PROBLEMS {
            self.error.omitted += 1;
            return;
        }
        self.error.problems.push(Problem {
            path: self.outline.path(node),
            message,
            help,
        });
    }

    fn kind(&mut self, node: usize, kind: Kind<'f, A, B>, children: usize) -> NodeKind {
        match kind {
            Kind::Sequence => NodeKind::Sequence,
            Kind::Selector => NodeKind::ReactiveSelector,
            Kind::RandomSequence => NodeKind::RandomSequence,
            Kind::RandomSelector => NodeKind::RandomSelector,
            Kind::Parallel(policy) => self.parallel(node, policy, children),
            Kind::Invert => NodeKind::Invert,
            Kind::Succeeder => NodeKind::Succeeder,
            Kind::Failer => NodeKind::Failer,
            Kind::Repeat {
                times,
                break_on_failure,
            } => NodeKind::Repeat {
                times: self.count(node, "repeats", times),
                break_on_failure,
            },
            Kind::RepeatUntilFailure(max) => NodeKind::RepeatUntilFailure {
                max: self.count(node, "tries", max),
            },
            Kind::RepeatUntilSuccess(max) => NodeKind::RepeatUntilSuccess {
                max: self.count(node, "tries", max),
            },
            Kind::Cooldown(seconds) => {
                NodeKind::Cooldown(self.time(node, "cools down for", seconds))
            }
            Kind::Timeout(seconds) => {
                NodeKind::Timeout(self.time(node, "times out after", seconds))
            }
            Kind::Delay(seconds) => NodeKind::Delay(self.time(node, "delays by", seconds)),
            Kind::Condition(holds) => NodeKind::Query(self.function(Function::Condition(holds))),
            Kind::Task(task) => NodeKind::Task(self.function(Function::Task(task))),
            Kind::Wait(seconds) => NodeKind::Wait(self.time(node, "waits", seconds)),
            Kind::Succeed => NodeKind::Succeed,
            Kind::Fail => NodeKind::Fail,
        }
    }

    /// Each leaf calls a function of its own, named by its number.
    fn function(&mut self, function: Function<'f, A, B>) -> pleach_tree::Call {
        self.functions.push(function);
        pleach_tree::Call {
            name: (self.functions.len() - 1).to_string(),
            params: Vec::new(),
        }
    }

    fn parallel(&mut self, node: usize, policy: Policy, children: usize) -> NodeKind {
        let Policy { success, failure } = policy;
        for (what, threshold) in [("success", success), ("failure", failure)] {
            let Some(count) = threshold else { continue };
            if children > 0 && (count == 0 || count as usize > children) {
                let message =
                    format!("the {what} threshold is {count}, allowed is 1 to {children}");
                let children = match children {
                    1 => "1 child".into(),
                    many => format!("{many} children"),
                };
                let help =
                    (count > 0).then(|| format!("it has {children}, so it could never be reached"));
                self.problem(node, message, help);
            }
        }
        NodeKind::Parallel {
            success: success.map_or(Threshold::All, Threshold::Count),
            failure: Threshold::Count(failure.unwrap_or(1)),
        }
    }

    /// How often; `None` is for ever. What is refused is described by a verb.
    fn count(&mut self, node: usize, verb: &str, times: Option<u32>) -> Option<u32> {
        if times == Some(0) {
            let message = format!("{verb} 0 times, allowed is 1 to {}", u32::MAX);
            self.problem(node, message, Some("for ever is `None`".into()));
        }
        times
    }

    /// Seconds as a time. What is refused is described by a verb.
    fn time(&mut self, node: usize, verb: &str, seconds: f64) -> Duration {
        let longest = MAX_MICROS as f64 / 1e6;
        if (0.0..=longest).contains(&seconds) {
            // In range, so this never fails.
            return Duration::try_from_secs_f64(seconds).unwrap_or_default();
        }
        // Three hundred digits say less.
        let shown = match seconds.abs() {
            1e-9..1e16 => seconds.to_string(),
            _ => format!("{seconds:e}"),
        };
        let message = format!("{verb} {shown} s, allowed is 0 to {:.0} s", longest.floor());
        let help = (seconds > longest).then(|| "for ever is a task that answers Running".into());
        self.problem(node, message, help);
        Duration::ZERO
    }
}
