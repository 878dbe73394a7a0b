//! Watching a walk: what kernels tell besides their result.

use pleach_shape::{Status, TokenIndex};

/// Something that happens while an actor's tree is walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A parent is entered.
    Enter(TokenIndex),
    /// A leaf is visited and answers.
    Leaf(TokenIndex, Status),
    /// A parent reacts to the status of a child: a guard token, or the top of the traversal stack.
    React {
        /// The parent.
        parent: TokenIndex,
        /// The child, and one past its range.
        child: TokenIndex,
    },
    /// A parent is left with this answer.
    Leave(TokenIndex, Status),
    /// What ran in these descendants is halted within the tick: from the first index, up to but
    /// without the second.
    RollBack(TokenIndex, TokenIndex),
}

/// Receives the events of a walk. Kernels are generic over it, and for [`Nobody`] the calls
/// disappear.
pub(crate) trait Observer {
    /// Whether events are wanted at all.
    const ACTIVE: bool = true;

    fn see(&mut self, lane: usize, event: Event);
}

/// Sees nothing, costs nothing.
pub(crate) struct Nobody;

impl Observer for Nobody {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn see(&mut self, _: usize, _: Event) {}
}

/// Writes down every event of one lane.
pub(crate) struct Recorder<'a> {
    pub(crate) lane: usize,
    pub(crate) events: &'a mut Vec<Event>,
}

impl Observer for Recorder<'_> {
    fn see(&mut self, lane: usize, event: Event) {
        if lane == self.lane {
            self.events.push(event);
        }
    }
}
