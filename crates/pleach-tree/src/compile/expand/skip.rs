//! Where an answer "skipped" leads to (K1 to K4).

use pleach_shape::{NodeId, Role, Value};

use super::Expander;
use crate::expr::{Expr, col};
use crate::kind::{NodeKind, Threshold};
use crate::tree::Tree;

/// What a node answers when it is skipped.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Skipped {
    /// Success, else Failure.
    succeeds: bool,
    /// The column in which it counts itself as skipped, where somebody has to know.
    counter: Option<String>,
}

impl Skipped {
    pub(super) const SUCCESS: Skipped = Skipped {
        succeeds: true,
        counter: None,
    };
    pub(super) const FAILURE: Skipped = Skipped {
        succeeds: false,
        counter: None,
    };

    pub(super) fn succeeds(&self) -> bool {
        self.succeeds
    }

    pub(super) fn counted(succeeds: bool, counter: &str) -> Skipped {
        let counter = Some(counter.to_owned());
        Skipped { succeeds, counter }
    }
}

/// Of each node, whether it may be skipped.
pub(in crate::compile) fn may_skip(tree: &Tree) -> Vec<bool> {
    let mut may: Vec<bool> = vec![false; tree.len()];
    // Children come behind their parents.
    for index in (0..tree.len()).rev() {
        let node = tree.node_at(NodeId(index as u32));
        let mut children = node.children.iter().map(|child| may[child.0 as usize]);
        may[index] = match &node.kind {
            NodeKind::SkipIf(_) | NodeKind::SkipUnless(_) | NodeKind::RunOnceThenSkip => true,
            NodeKind::IfThenElse | NodeKind::WhileDoElse => children.skip(1).any(|may| may),
            NodeKind::Switch { .. } => children.any(|may| may),
            // They wait, go on, or count it as an answer.
            NodeKind::Parallel {
                success: Threshold::Count(_),
                ..
            }
            | NodeKind::Repeat {
                break_on_failure: false,
                ..
            }
            | NodeKind::PipelineSequence
            | NodeKind::RoundRobin
            | NodeKind::Recovery { .. } => false,
            kind if kind.role() == Role::Leaf => false,
            _ => children.len() > 0 && children.all(|may| may),
        };
    }
    may
}

impl Expander {
    pub(super) fn skips(&self, id: NodeId) -> bool {
        self.may_skip.get(id.0 as usize).copied().unwrap_or(false)
    }

    /// What a node shall answer when it is skipped, as its parent has said.
    pub(super) fn answer_of(&self, id: NodeId) -> Skipped {
        let answer = self.skipped.get(id.0 as usize).cloned();
        answer.unwrap_or(Skipped::SUCCESS)
    }

    /// Says what a node shall answer when it is skipped.
    pub(super) fn tell(&mut self, id: NodeId, skipped: Skipped) {
        if let Some(place) = self.skipped.get_mut(id.0 as usize) {
            *place = skipped;
        }
    }

    fn tell_children(&mut self, id: NodeId, skipped: &Skipped) {
        for child in self.get(id).children.clone() {
            self.tell(child, skipped.clone());
        }
    }

    /// The answer of a node that is skipped, as a part of it.
    pub(super) fn skip(&mut self, id: NodeId) -> NodeId {
        match self.answer_of(id) {
            Skipped {
                succeeds,
                counter: None,
            } => {
                let kind = match succeeds {
                    true => NodeKind::Succeed,
                    false => NodeKind::Fail,
                };
                self.part(id, kind, [])
            }
            Skipped {
                succeeds,
                counter: Some(counter),
            } => {
                let count = self.count(id, &counter);
                match succeeds {
                    true => count,
                    false => self.part(id, NodeKind::Failer, [count]),
                }
            }
        }
    }

    /// A node that is no compound one: only says what its children answer when they are skipped.
    pub(super) fn plain(&mut self, id: NodeId) {
        let children = self.get(id).children.clone();
        if !children.iter().any(|&child| self.skips(child)) {
            return;
        }
        let own = self.answer_of(id);
        let kind = self.get(id).kind.clone();
        match kind {
            NodeKind::Sequence
            | NodeKind::RandomSequence
            | NodeKind::Parallel {
                success: Threshold::All,
                ..
            } => {
                self.all_skipped(id, true, false);
            }
            NodeKind::ReactiveSequence | NodeKind::Concurrent => {
                self.all_skipped(id, true, true);
            }
            NodeKind::Selector | NodeKind::RandomSelector => {
                self.all_skipped(id, false, false);
            }
            NodeKind::ReactiveSelector => {
                self.all_skipped(id, false, true);
            }
            NodeKind::Parallel { .. } => self.wait_for_children(&children),
            NodeKind::IfThenElse | NodeKind::WhileDoElse => {
                self.tell_children(id, &own);
                if let Some(&test) = children.first() {
                    self.tell(test, Skipped::FAILURE);
                }
            }
            NodeKind::Invert => {
                let succeeds = !own.succeeds;
                self.tell_children(id, &Skipped { succeeds, ..own });
            }
            NodeKind::Succeeder | NodeKind::RepeatUntilSuccess { .. } => {
                self.passes_as(id, true, own);
            }
            NodeKind::Failer
            | NodeKind::RepeatUntilFailure { .. }
            | NodeKind::Repeat {
                break_on_failure: true,
                ..
            } => self.passes_as(id, false, own),
            NodeKind::Repeat { .. } => self.tell_children(id, &Skipped::SUCCESS),
            NodeKind::RunOnce => self.run_once(id, false),
            _ => self.tell_children(id, &own),
        }
    }

    /// A composite for which a skipped child is as one with the answer that leads on. If all of them may
    /// be skipped, so may the composite. Gives the node that holds the children then.
    pub(super) fn all_skipped(&mut self, id: NodeId, succeeds: bool, each_tick: bool) -> NodeId {
        let own = self.answer_of(id);
        let leads_on = Skipped {
            succeeds,
            counter: None,
        };
        if !self.skips(id) || own == leads_on {
            self.tell_children(id, &leads_on);
            return id;
        }
        let counter = self.column(id, "skipped", Value::I32(0));
        self.tell_children(id, &Skipped::counted(succeeds, &counter));
        let all = self.get(id).children.len() as i32;
        self.judge(id, &counter, all, succeeds, each_tick)
    }

    /// A decorator through which only one answer of a skipped child gets unchanged, and ends it.
    fn passes_as(&mut self, id: NodeId, succeeds: bool, own: Skipped) {
        if own.succeeds == succeeds {
            return self.tell_children(id, &own);
        }
        let counter = self.column(id, "skipped", Value::I32(0));
        self.tell_children(id, &Skipped::counted(succeeds, &counter));
        self.judge(id, &counter, 1, succeeds, false);
    }

    /// Puts a node below others that judge, once it has answered, whether it was skipped: if so many have
    /// counted themselves in the counter. Then it answers what it shall. `succeeds` is what it has answered
    /// in that case. `each_tick`: it looks at all its children anew in each tick, so they are counted anew.
    /// Gives what the node was, now a part of it.
    pub(super) fn judge(
        &mut self,
        id: NodeId,
        counter: &str,
        count: i32,
        succeeds: bool,
        each_tick: bool,
    ) -> NodeId {
        let (sequence, selector) = match each_tick {
            true => (NodeKind::ReactiveSequence, NodeKind::ReactiveSelector),
            false => (NodeKind::Sequence, NodeKind::Selector),
        };
        let own = self.answer_of(id);
        let core = self.core(id);
        let begin = self.set(id, counter, 0);
        let counted = own.counter.is_some();
        if succeeds {
            if own == Skipped::SUCCESS {
                self.becomes(id, sequence, [begin, core]);
                return core;
            }
            let mut end = self.test(id, col(counter).lt(count));
            if counted {
                let skip = self.skip(id);
                end = self.part(id, NodeKind::Selector, [end, skip]);
            }
            self.becomes(id, sequence, [begin, core, end]);
            return core;
        }
        let body = self.part(id, sequence, [begin, core]);
        if own == Skipped::FAILURE {
            self.becomes(id, selector, [body]);
            return core;
        }
        let mut end = self.test(id, col(counter).ge(count));
        if counted {
            let skip = self.skip(id);
            end = self.part(id, NodeKind::Sequence, [end, skip]);
        }
        self.becomes(id, selector, [body, end]);
        core
    }

    /// K3: a child of a Parallel that needs a number of successes waits as long as it is skipped.
    fn wait_for_children(&mut self, children: &[NodeId]) {
        for &id in children {
            if !self.skips(id) {
                continue;
            }
            let kind = self.get(id).kind.clone();
            let child = self.child(id);
            match kind {
                NodeKind::SkipIf(test) => {
                    let starts = self.test(id, test.not());
                    let until = NodeKind::RepeatUntilSuccess { max: None };
                    let until = self.part(id, until, [starts]);
                    self.becomes(id, NodeKind::Sequence, [until, child]);
                }
                NodeKind::SkipUnless(test) => {
                    let holds = self.test(id, test);
                    let waits = self.part(id, NodeKind::Idle, []);
                    self.becomes(id, NodeKind::WhileDoElse, [holds, child, waits]);
                }
                // The compiler has refused it before.
                _ => {}
            }
        }
    }

    pub(super) fn skip_if(&mut self, id: NodeId) {
        let NodeKind::SkipIf(test) = self.get(id).kind.clone() else {
            return;
        };
        let child = self.child(id);
        let own = self.answer_of(id);
        self.tell(child, own.clone());
        if own == Skipped::FAILURE {
            return self.becomes(id, NodeKind::When(test.not()), [child]);
        }
        if own.succeeds {
            let mut skips = self.test(id, test);
            if own.counter.is_some() {
                let skip = self.skip(id);
                skips = self.part(id, NodeKind::Sequence, [skips, skip]);
            }
            return self.becomes(id, NodeKind::Selector, [skips, child]);
        }
        let starts = self.test(id, test.not());
        let skip = self.skip(id);
        let starts = self.part(id, NodeKind::Selector, [starts, skip]);
        self.becomes(id, NodeKind::Sequence, [starts, child]);
    }

    pub(super) fn skip_unless(&mut self, id: NodeId) {
        let NodeKind::SkipUnless(test) = self.get(id).kind.clone() else {
            return;
        };
        let child = self.child(id);
        let own = self.answer_of(id);
        self.tell(child, own.clone());
        if own == Skipped::SUCCESS {
            return self.becomes(id, NodeKind::DoneWhen(test.not()), [child]);
        }
        if own == Skipped::FAILURE {
            return self.becomes(id, NodeKind::While(test), [child]);
        }
        let holds = self.test(id, test);
        let skip = self.skip(id);
        self.becomes(id, NodeKind::WhileDoElse, [holds, child, skip]);
    }

    pub(super) fn success_if(&mut self, id: NodeId) {
        let NodeKind::SuccessIf(test) = self.get(id).kind.clone() else {
            return;
        };
        let child = self.child(id);
        let own = self.answer_of(id);
        self.tell(child, own);
        let done = self.test(id, test);
        self.becomes(id, NodeKind::Selector, [done, child]);
    }

    /// A RunOnce whose child may be skipped, or that is skipped itself once that has finished: an answer
    /// "skipped" is none to be kept.
    pub(super) fn run_once(&mut self, id: NodeId, then_skips: bool) {
        let ended = self.column(id, "ended", Value::U8(0));
        let child = self.child(id);
        let starts = self.test(id, col(&ended).eq_to(0));
        let run = self.finishing(
            id,
            child,
            [(&ended, Expr::from(1)), (&ended, Expr::from(2))],
        );
        let end = match then_skips {
            true => self.skip(id),
            false => self.test(id, col(&ended).eq_to(1)),
        };
        self.becomes(id, NodeKind::IfThenElse, [starts, run, end]);
    }
}
