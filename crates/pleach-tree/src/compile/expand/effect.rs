//! Columns that are written when a child has finished (F1) or is halted (F2).

use pleach_shape::{NodeId, Value};

use super::Expander;
use super::skip::Skipped;
use crate::expr::{Expr, col};
use crate::kind::{Call, NodeKind, Threshold};

impl Expander {
    pub(super) fn on_success(&mut self, id: NodeId) {
        let NodeKind::OnSuccess { column, value } = self.get(id).kind.clone() else {
            return;
        };
        let child = self.child(id);
        let write = self.set(id, &column, value);
        self.becomes(id, NodeKind::Sequence, [child, write]);
        // A failure passes by what is written.
        self.passes_by(id, child, false);
    }

    pub(super) fn on_failure(&mut self, id: NodeId) {
        let NodeKind::OnFailure { column, value } = self.get(id).kind.clone() else {
            return;
        };
        let child = self.child(id);
        let write = self.set(id, &column, value);
        let write = self.part(id, NodeKind::Failer, [write]);
        self.becomes(id, NodeKind::Selector, [child, write]);
        self.passes_by(id, child, true);
    }

    /// Lets a skipped child pass by what its node writes: with that answer.
    fn passes_by(&mut self, id: NodeId, child: NodeId, succeeds: bool) {
        if !self.skips(child) {
            return;
        }
        let own = self.answer_of(id);
        if own.succeeds() == succeeds {
            return self.tell(child, own);
        }
        let counter = self.column(id, "skipped", Value::I32(0));
        self.tell(child, Skipped::counted(succeeds, &counter));
        self.judge(id, &counter, 1, succeeds, false);
    }

    pub(super) fn on_finish(&mut self, id: NodeId) {
        let NodeKind::OnFinish { column, value } = self.get(id).kind.clone() else {
            return;
        };
        let child = self.child(id);
        let end = self.finishing(id, child, [(&column, value.clone()), (&column, value)]);
        self.becomes(id, NodeKind::Sequence, [end]);
    }

    /// F2: beside the child a task runs that no host knows; what it does when it is aborted stands behind it
    /// in the stream, where no walk comes: a test whether the child has ended by itself, and the Set.
    pub(super) fn on_halted(&mut self, id: NodeId) {
        let NodeKind::OnHalted { column, value } = self.get(id).kind.clone() else {
            return;
        };
        let child = self.child(id);
        let own = self.answer_of(id);
        self.tell(child, own);
        let ended = self.column(id, "ended", Value::Bool(false));
        let begin = self.set(id, &ended, false);
        let succeeded = self.set(id, &ended, true);
        let succeeded = self.part(id, NodeKind::Sequence, [child, succeeded]);
        let failed = self.set(id, &ended, true);
        let failed = self.part(id, NodeKind::Failer, [failed]);
        let run = self.part(id, NodeKind::Selector, [succeeded, failed]);
        let watch = NodeKind::Task(Call {
            name: format!("@{}.halted", id.0),
            params: Vec::new(),
        });
        let watch = self.part(id, watch, []);
        let test = self.test(id, col(&ended).not());
        let write = self.set(id, &column, value);
        let watch = self.part(id, NodeKind::Sequence, [watch, test, write]);
        let both = NodeKind::Parallel {
            success: Threshold::Count(1),
            failure: Threshold::Count(1),
        };
        let both = self.part(id, both, [run, watch]);
        self.becomes(id, NodeKind::Sequence, [begin, both]);
    }

    /// A part of a node that writes a column when a child succeeds, and one when it fails. Where the child
    /// is skipped it writes nothing, and answers what the node shall.
    pub(super) fn finishing(
        &mut self,
        id: NodeId,
        child: NodeId,
        [success, failure]: [(&str, Expr); 2],
    ) -> NodeId {
        let succeeded = self.set(id, success.0, success.1);
        let failed = self.set(id, failure.0, failure.1);
        let failed = self.part(id, NodeKind::Failer, [failed]);
        let succeeded = self.part(id, NodeKind::Sequence, [child, succeeded]);
        if !self.skips(child) {
            return self.part(id, NodeKind::Selector, [succeeded, failed]);
        }
        let counter = self.column(id, "passed", Value::I32(0));
        self.tell(child, Skipped::counted(false, &counter));
        let begin = self.set(id, &counter, 0);
        let ran = self.test(id, col(&counter).eq_to(0));
        let failed = self.part(id, NodeKind::Sequence, [ran, failed]);
        let body = self.part(id, NodeKind::Selector, [succeeded, failed]);
        let body = self.part(id, NodeKind::Sequence, [begin, body]);
        if self.answer_of(id) == Skipped::FAILURE {
            return body;
        }
        let passed = self.test(id, col(&counter).gt(0));
        let skip = self.skip(id);
        let end = self.part(id, NodeKind::Sequence, [passed, skip]);
        self.part(id, NodeKind::Selector, [body, end])
    }
}
