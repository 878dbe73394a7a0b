//! Node functions: decorators.

use super::node::{Kind, NodeDef};

/// Swaps Success and Failure.
///
/// ```
/// use pleach::task::{Progress, Status, Tree, fail, failer, invert, succeed, succeeder};
///
/// let answer = |def| {
///     let tree: Tree<(), ()> = Tree::compile(def).expect("nothing is wrong with it");
///     tree.tick(&mut Progress::default(), &mut (), &mut (), Default::default())
/// };
/// assert_eq!(answer(invert(succeed())), Status::Failure);
/// assert_eq!(answer(succeeder(fail())), Status::Success);
/// assert_eq!(answer(failer(succeed())), Status::Failure);
/// ```
pub fn invert<'f, A: ?Sized, B: ?Sized>(node: NodeDef<'f, A, B>) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::Invert, [node])
}

/// Always Success once the child finishes; [`invert`] has an example.
pub fn succeeder<'f, A: ?Sized, B: ?Sized>(node: NodeDef<'f, A, B>) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::Succeeder, [node])
}

/// Always Failure once the child finishes; [`invert`] has an example.
pub fn failer<'f, A: ?Sized, B: ?Sized>(node: NodeDef<'f, A, B>) -> NodeDef<'f, A, B> {
    NodeDef::new(Kind::Failer, [node])
}
