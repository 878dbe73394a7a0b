//! The walk: nodes that keep a place among their children, and those of Nav2.

use std::time::Duration;

use pleach_tree::NodeKind;

use super::walk::{Answer, Reply, Walk};

impl Walk<'_> {
    /// C7: the children from the kept place on.
    pub(super) fn keep_sequence(&mut self, at: u32) -> Answer {
        let children = self.children(at);
        let mut skipped = self.before.skipped.get(&at).copied().unwrap_or(0);
        let first = self.lasting.place.get(&at).copied().unwrap_or(0);
        for (place, &child) in children.iter().enumerate().skip(first) {
            match self.resumable(at, child)? {
                Reply::Running => {
                    self.after.skipped.insert(at, skipped);
                    return Some(Reply::Running);
                }
                Reply::Failure => return Some(Reply::Failure),
                Reply::Success => {}
                Reply::Skipped => skipped += 1,
            }
            self.lasting.place.insert(at, place + 1);
        }
        self.lasting.place.insert(at, 0);
        Some(match skipped == children.len() {
            true => Reply::Skipped,
            false => Reply::Success,
        })
    }

    /// N1: the children from the first up to the one to which the way is open.
    pub(super) fn pipeline(&mut self, at: u32) -> Answer {
        let children = self.children(at);
        let mut reached = self.before.reached.get(&at).copied().unwrap_or(0);
        let mut place = 0;
        while place <= reached {
            let is_last = place + 1 == children.len();
            let child = children[place];
            let (reply, opens) = match &self.tree.nodes[child as usize].kind {
                NodeKind::RateController(period) if !is_last => self.rate(child, *period)?,
                _ => {
                    let reply = self.visit(child)?;
                    (reply, matches!(reply, Reply::Success | Reply::Skipped))
                }
            };
            if reply == Reply::Failure {
                return Some(Reply::Failure);
            }
            if opens && is_last {
                return Some(Reply::Success);
            }
            if opens {
                reached = reached.max(place + 1);
            }
            place += 1;
        }
        self.after.reached.insert(at, reached);
        Some(Reply::Running)
    }

    /// N4: visits a RateController. Also says whether its child has succeeded in this tick.
    fn rate(&mut self, at: u32, period: Duration) -> Option<(Reply, bool)> {
        let place = self.enter(at);
        let (reply, opens) = self.rated(at, period)?;
        self.leave(at, place, reply);
        Some((reply, opens))
    }

    /// The child, then a wait, then the child again from the next tick on.
    fn rated(&mut self, at: u32, period: Duration) -> Option<(Reply, bool)> {
        if let Some(&deadline) = self.before.deadline.get(&at) {
            if self.clock < deadline {
                self.after.deadline.insert(at, deadline);
            }
            return Some((Reply::Running, false));
        }
        let reply = self.visit(self.only_child(at))?;
        let opens = matches!(reply, Reply::Success | Reply::Skipped);
        if reply == Reply::Failure {
            return Some((Reply::Failure, false));
        }
        if opens && self.deadline_of(period) > self.clock {
            self.after.deadline.insert(at, self.deadline_of(period));
        }
        Some((Reply::Running, opens))
    }

    /// N2: a pass over the children from the place behind the last success, and the next pass in the next
    /// tick.
    pub(super) fn round_robin(&mut self, at: u32) -> Answer {
        let children = self.children(at);
        let (mut from, mut left) = match self.before.turn.get(&at) {
            Some(&turn) => turn,
            None => {
                let next = self.lasting.place.insert(at, 0);
                (next.unwrap_or(0), children.len())
            }
        };
        let runner = self.before.child.get(&at);
        let runner = runner.and_then(|runner| children.iter().position(|child| child == runner));
        for place in runner.unwrap_or(from)..children.len() {
            if left == 0 {
                break;
            }
            match self.resumable(at, children[place])? {
                Reply::Running => {
                    self.after.turn.insert(at, (from, left));
                    return Some(Reply::Running);
                }
                Reply::Success => {
                    let next = (place + 1) % children.len();
                    self.lasting.place.insert(at, next);
                    return Some(Reply::Success);
                }
                Reply::Failure | Reply::Skipped => left -= 1,
            }
        }
        if left == 0 {
            return Some(Reply::Failure);
        }
        from = 0;
        self.after.turn.insert(at, (from, left));
        Some(Reply::Running)
    }

    /// N3: the first child, unless the second one is at it.
    pub(super) fn recovery(&mut self, at: u32, retries: u32) -> Answer {
        let [main, remedy] = self.children(at)[..] else {
            panic!("a Recovery has two children");
        };
        let helped = self.before.helped.get(&at).copied().unwrap_or(0);
        if self.before.child.get(&at) != Some(&remedy) {
            match self.resumable(at, main)? {
                Reply::Success | Reply::Skipped => return Some(Reply::Success),
                Reply::Running => {
                    self.after.helped.insert(at, helped);
                    return Some(Reply::Running);
                }
                Reply::Failure if helped >= retries => return Some(Reply::Failure),
                Reply::Failure => {}
            }
        }
        Some(match self.resumable(at, remedy)? {
            Reply::Failure | Reply::Skipped => Reply::Failure,
            Reply::Running => {
                self.after.helped.insert(at, helped);
                Reply::Running
            }
            Reply::Success => {
                self.after.helped.insert(at, helped + 1);
                Reply::Running
            }
        })
    }
}
