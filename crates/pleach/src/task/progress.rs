//! What an agent's side keeps from one tick to the next.

use std::alloc::{Layout, handle_alloc_error};
use std::fmt;
use std::sync::{Arc, Weak};

use pleach_shape::Status;
use pleach_vm::{Solo, SoloError};

/// An agent's progress: keep it beside the agent, and it is gone when the agent is. (What runs at that
/// moment gets no exit; who wants one calls [`Tree::reset`] first.)
///
/// A progress fits any tree, and keeps apart what it has with each: an agent that goes from one tree to
/// another and comes back goes on where it was, and [`Tree::reset`] throws away what it has with that
/// tree alone. What it has with a tree that has been dropped is forgotten once it meets a new one.
///
/// ```
/// use pleach::task::{Progress, Status, Tree, sequence, wait};
/// use std::time::Duration;
///
/// let awake: Tree<(), ()> = Tree::compile(wait(2.0))?;
/// let asleep: Tree<(), ()> = Tree::compile(sequence([wait(8.0)]))?;
/// let mut cat = Progress::default();
/// let second = Duration::from_secs(1);
/// assert_eq!(awake.tick(&mut cat, &mut (), &mut (), second), Status::Running);
/// assert_eq!(asleep.tick(&mut cat, &mut (), &mut (), second), Status::Running);
/// awake.tick(&mut cat, &mut (), &mut (), second);
/// assert_eq!(awake.tick(&mut cat, &mut (), &mut (), second), Status::Success);
/// assert_eq!(asleep.last_status(&cat), Some(Status::Running));
/// # Ok::<(), pleach::task::CompileError>(())
/// ```
///
/// An agent that owns its progress lends it to the tree by [`std::mem::take`], since a tick wants both
/// apart; or progress and agent are two fields of what holds them.
///
/// [`Tree::reset`]: super::Tree::reset
#[derive(Default)]
pub struct Progress {
    seed: Option<u64>,
    /// One for each tree, the one that came last in front.
    parts: Vec<Part>,
}

struct Part {
    tree: Weak<()>,
    solo: Solo,
}

impl Part {
    fn is_of(&self, tree: &Arc<()>) -> bool {
        // The address is not given to another tree while this points to it.
        Weak::as_ptr(&self.tree) == Arc::as_ptr(tree)
    }
}

impl Progress {
    /// A new agent's, whose random choices depend on this seed in place of the tree's: the same choices,
    /// whoever else there is.
    pub fn with_seed(seed: u64) -> Progress {
        Progress {
            seed: Some(seed),
            parts: Vec::new(),
        }
    }

    /// What the last tick gave, of whichever tree ticked it last; `None` before the first, and after that
    /// tree's reset.
    pub fn last_status(&self) -> Option<Status> {
        self.parts.first()?.solo.status()
    }

    /// Bytes that it takes, without what all agents of a tree share.
    pub fn bytes(&self) -> usize {
        let solos: usize = self.parts.iter().map(|part| part.solo.bytes()).sum();
        size_of::<Progress>() + solos + self.parts.len() * size_of::<Weak<()>>()
    }

    pub(super) fn status_of(&self, tree: &Arc<()>) -> Option<Status> {
        let part = self.parts.iter().find(|part| part.is_of(tree))?;
        part.solo.status()
    }

    pub(super) fn of(&mut self, tree: &Arc<()>) -> Option<&mut Solo> {
        let part = self.parts.iter_mut().find(|part| part.is_of(tree))?;
        Some(&mut part.solo)
    }

    /// What it has with a tree, which comes to the front. If that is nothing yet, it is made, from the
    /// seed.
    pub(super) fn of_or_new(
        &mut self,
        tree: &Arc<()>,
        new: impl FnOnce(Option<u64>) -> Result<Solo, SoloError>,
    ) -> &mut Solo {
        let place = self.parts.iter().position(|part| part.is_of(tree));
        let place = place.unwrap_or_else(|| {
            let solo = new(self.seed).unwrap_or_else(|SoloError { bytes }| {
                let layout = Layout::array::<u8>(usize::try_from(bytes).unwrap_or(0));
                handle_alloc_error(layout.unwrap_or(Layout::new::<u8>()))
            });
            self.parts.retain(|part| part.tree.strong_count() > 0);
            self.parts.push(Part {
                tree: Arc::downgrade(tree),
                solo,
            });
            self.parts.len() - 1
        });
        // The tree of the last tick stands first, where it is found at once.
        self.parts.swap(0, place);
        &mut self.parts[0].solo
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last_status() {
            Some(status) => write!(f, "{status:?}")?,
            None => f.write_str("not started")?,
        }
        match self.parts.len() {
            0 | 1 => Ok(()),
            trees => write!(f, " (in {trees} trees)"),
        }
    }
}
