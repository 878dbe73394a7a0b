//! Composites that choose one of their children: by a value, or by what a first child answers.

use crate::kind::{CaseValue, NodeKind};
use crate::node::NodeDef;

/// A branch of a [`switch`]: see [`case`] and [`otherwise`].
pub struct Branch {
    value: Option<CaseValue>,
    child: NodeDef,
}

/// The branch of a [`switch`] for one value (C5): a `bool`, a whole number, or a text that is a label of an
/// [`enumeration`](crate::TreeBuilder::enumeration).
///
/// Two branches for one value are refused, a label and its number being one; and so is a value that the
/// column's type does not have.
///
/// ```
/// use pleach_tree::{action, case, compile, switch, Tree};
///
/// let floor = |number| {
///     let root = switch("floor", [case(1, action("rest")), case(number, action("work"))]);
///     compile(&Tree::build("clerk").column("floor", 0_u8).root(root))
/// };
/// assert!(floor(2).is_ok());
/// assert!(floor(1).unwrap_err().to_string().contains("two branches for 1"));
/// assert!(floor(256).unwrap_err().to_string().contains("`floor` is u8 and can never be 256"));
/// ```
pub fn case(value: impl Into<CaseValue>, child: NodeDef) -> Branch {
    Branch {
        value: Some(value.into()),
        child,
    }
}

/// The branch of a [`switch`] for all values that have no [`case`] (C5).
///
/// It comes last and at most once, behind one case or more; anything else is refused.
///
/// ```
/// use pleach_tree::{action, case, compile, otherwise, switch, Tree};
///
/// let build = |branches| compile(&Tree::build("cat").column("lives", 9).root(switch("lives", branches)));
/// assert!(build([case(0, action("lie")), otherwise(action("purr"))]).is_ok());
/// assert!(build([otherwise(action("purr")), case(0, action("lie"))]).is_err());
/// ```
pub fn otherwise(child: NodeDef) -> Branch {
    Branch { value: None, child }
}

/// One behavior for each mode: a state machine's states as branches, the state being a column that a
/// [`set`](crate::set) or the host writes (C5).
///
/// Compares the value in each tick and visits the child whose [`case`] equals it, or that of
/// [`otherwise`]; its answer is that child's. Without a child for the value: Failure. When the value
/// changes, whoever ran before is halted.
///
/// Keeps nothing: the running child keeps what it has, and the choice is a column's.
///
/// `on` names a column or world value of type `bool`, `u8`, `u16` or `i32`, enumerations included; other
/// types and unknown names are refused, and so is a switch without cases. BehaviorTree.CPP has Switch2 to
/// Switch6, which compare texts and always have a default. By conditions:
/// [`reactive_selector`](crate::reactive_selector).
///
/// ```
/// use pleach_tree::{action, case, compile, otherwise, switch, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let tree = Tree::build("guard").enumeration("mode", ["calm", "alert", "asleep"]).root(switch(
///     "mode",
///     [case("calm", action("patrol")), case("alert", action("search"))],
/// ));
/// let mut guards = Population::new(compile(&tree)?);
/// let mode = guards.column::<u8>("mode")?;
/// let ann = guards.spawn()?;
/// assert_eq!(guards.tick(Duration::ZERO).counts.launches, 1);
///
/// guards.set(ann, mode, 1)?;
/// let counts = guards.tick(Duration::ZERO).counts;
/// assert_eq!((counts.launches, counts.cancels), (1, 1));
/// guards.set(ann, mode, 2)?;
/// guards.tick(Duration::ZERO);
/// assert_eq!(guards.status(ann)?, Some(Status::Failure));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn switch(on: impl Into<String>, branches: impl IntoIterator<Item = Branch>) -> NodeDef {
    let (mut cases, mut children) = (Vec::new(), Vec::new());
    for branch in branches {
        cases.push(branch.value);
        children.push(branch.child);
    }
    let on = on.into();
    NodeDef::new(NodeKind::Switch { on, cases }, children)
}

/// Decides once and sticks to it: if the shop is open go in, else go home (C6).
///
/// Visits `test`. In the tick in which that finishes, `then` follows on Success and `otherwise` on Failure,
/// and the answer is the chosen one's. A selector of a sequence is not the same: there a `then` that fails
/// would lead to `otherwise`.
///
/// It keeps which of the three runs and resumes there, so the test may take several ticks, and is not
/// visited again before the branch has finished. A halt forgets the decision. To look at the test each
/// tick, take [`while_do_else`].
///
/// With this function there are always three children; made by hand with one or more than three, the node
/// is refused. IfThenElse in BehaviorTree.CPP; elsewhere put together from other nodes.
///
/// ```
/// use pleach_tree::{action, compile, condition, if_then_else, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let errand = if_then_else(condition("open"), action("shop"), action("go home"));
/// let mut people = Population::new(compile(&Tree::build("t").column("open", true).root(errand))?);
/// let open = people.column::<bool>("open")?;
/// let ann = people.spawn()?;
/// people.tick(Duration::ZERO);
///
/// // It closes while she is in there: she goes on.
/// people.set(ann, open, false)?;
/// let counts = people.tick(Duration::ZERO).counts;
/// assert_eq!((counts.continues, counts.cancels), (1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn if_then_else(test: NodeDef, then: NodeDef, otherwise: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::IfThenElse, [test, then, otherwise])
}

/// An [`if_then_else`] with nothing to do otherwise: where `test` fails, so does the node (C6).
///
/// That makes it a [`sequence`](crate::sequence) of two, written as what it is meant to be. Where not
/// doing it is fine, wrap it in a [`succeeder`](crate::succeeder). Where the test is one expression,
/// [`when`](crate::when) is shorter.
///
/// ```
/// use pleach_tree::{compile, if_then, query, set, succeeder, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let greet = if_then(query("knows"), set("greeted", true));
/// let tree = Tree::build("host").column("greeted", false).root(succeeder(greet));
/// let mut hosts = Population::new(compile(&tree)?);
/// hosts.on_query("knows", |_| false)?;
/// let greeted = hosts.column::<bool>("greeted")?;
/// let ann = hosts.spawn()?;
/// hosts.tick(Duration::ZERO);
/// assert_eq!(hosts.status(ann)?, Some(Status::Success));
/// assert!(!hosts.get(ann, greeted)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn if_then(test: NodeDef, then: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::IfThenElse, [test, then])
}

/// Changes between two behaviors as a test comes and goes: fish while it bites, else mend the net (C6).
///
/// In each tick `test` is visited first. On Success `body` is visited, on Failure `otherwise`, and the
/// answer is that one's; while the test itself runs, neither. Whoever ran and is not reached is halted.
///
/// Nothing is kept, and `body` is no loop: when it finishes, so does the node.
///
/// Hand-made ones with one child or more than three are refused. BehaviorTree.CPP: WhileDoElse. Decided
/// only once: [`if_then_else`]; among more than two: [`switch`].
///
/// ```
/// use pleach_tree::{action, compile, condition, while_do_else, Tree};
/// use pleach_vm::Population;
/// use std::time::Duration;
///
/// let day = while_do_else(condition("bites"), action("fish"), action("mend"));
/// let mut anglers = Population::new(compile(&Tree::build("t").column("bites", true).root(day))?);
/// let bites = anglers.column::<bool>("bites")?;
/// let ann = anglers.spawn()?;
/// anglers.tick(Duration::ZERO);
/// for now in [false, true] {
///     anglers.set(ann, bites, now)?;
///     let counts = anglers.tick(Duration::ZERO).counts;
///     assert_eq!((counts.launches, counts.cancels), (1, 1));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn while_do_else(test: NodeDef, body: NodeDef, otherwise: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::WhileDoElse, [test, body, otherwise])
}

/// A [`while_do_else`] that fails where `test` does (C6): the same as a
/// [`reactive_sequence`](crate::reactive_sequence) of two.
///
/// Good where the test is a subtree or a [`query`](crate::query); for an expression there is
/// [`run_while`](crate::run_while).
///
/// ```
/// use pleach_tree::{action, compile, condition, while_do, Tree};
/// use pleach_vm::{Population, Status};
/// use std::time::Duration;
///
/// let tree = Tree::build("t").column("air", 1_u8).root(while_do(condition("air > 0"), action("dive")));
/// let mut divers = Population::new(compile(&tree)?);
/// let air = divers.column::<u8>("air")?;
/// let ann = divers.spawn()?;
/// divers.tick(Duration::ZERO);
/// assert_eq!(divers.status(ann)?, Some(Status::Running));
/// divers.set(ann, air, 0)?;
/// divers.tick(Duration::ZERO);
/// assert_eq!(divers.status(ann)?, Some(Status::Failure));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn while_do(test: NodeDef, body: NodeDef) -> NodeDef {
    NodeDef::new(NodeKind::WhileDoElse, [test, body])
}
