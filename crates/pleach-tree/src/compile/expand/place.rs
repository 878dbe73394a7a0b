//! Composites that keep a place among their children (C7), and those of Nav2 (N1 to N4).

use std::time::Duration;

use pleach_shape::{NodeId, Value};

use super::Expander;
use super::skip::Skipped;
use crate::expr::col;
use crate::kind::NodeKind;

impl Expander {
    /// C7: a Sequence, each child with a column's question before it whether it is done already.
    pub(super) fn keep_sequence(&mut self, id: NodeId) {
        self.get_mut(id).kind = NodeKind::Sequence;
        let children = self.get(id).children.clone();
        let place = self.column(id, "place", Value::U16(0));
        let mut parts = Vec::with_capacity(children.len() + 1);
        for (number, &child) in (0i32..).zip(&children) {
            let done = self.test(id, col(&place).gt(number));
            let note = self.set(id, &place, number + 1);
            let run = self.part(id, NodeKind::Sequence, [child, note]);
            parts.push(self.part(id, NodeKind::Selector, [done, run]));
        }
        parts.push(self.set(id, &place, 0));
        let list = self.all_skipped(id, true, false);
        self.get_mut(list).children = parts;
    }

    /// N1: all children beside each other, each behind the question whether the way is open.
    pub(super) fn pipeline_sequence(&mut self, id: NodeId) {
        let children = self.get(id).children.clone();
        let reached = self.column(id, "reached", Value::I32(0));
        let failed = self.column(id, "failed", Value::Bool(false));
        let last = children.len() as i32 - 1;
        let mut parts = Vec::with_capacity(children.len());
        for (number, &child) in (0i32..).zip(&children) {
            let note_failure = self.set(id, &failed, true);
            let mut body = if number == last {
                // Its success ends the Concurrent, which is what a failure does: told apart behind it.
                let either = self.part(id, NodeKind::Selector, [child, note_failure]);
                self.part(id, NodeKind::Failer, [either])
            } else {
                let further = col(&reached).max(number + 1);
                let run = match self.get(child).kind {
                    NodeKind::RateController(period) => {
                        let open = self.set(child, &reached, further);
                        self.at_intervals(child, open, period)
                    }
                    _ => {
                        let open = self.set(id, &reached, further);
                        self.part(id, NodeKind::Sequence, [child, open])
                    }
                };
                let note_failure = self.part(id, NodeKind::Failer, [note_failure]);
                self.part(id, NodeKind::Selector, [run, note_failure])
            };
            if number > 0 {
                let is_open = self.test(id, col(&reached).ge(number));
                let closed = self.part(id, NodeKind::Succeed, []);
                body = self.part(id, NodeKind::WhileDoElse, [is_open, body, closed]);
            }
            parts.push(body);
            self.tell(child, Skipped::SUCCESS);
        }
        let pipe = self.part_of(id, NodeKind::Concurrent, parts);
        let none_failed = self.test(id, col(&failed).not());
        let judged = self.part(id, NodeKind::Selector, [pipe, none_failed]);
        let close = self.set(id, &reached, 0);
        let forget = self.set(id, &failed, false);
        self.becomes(id, NodeKind::Sequence, [close, forget, judged]);
    }

    /// N4: the child of a RateController again and again, with a Wait behind each success.
    fn at_intervals(&mut self, rate: NodeId, open: NodeId, period: Duration) -> NodeId {
        let child = self.child(rate);
        let wait = self.part(rate, NodeKind::Wait(period), []);
        let round = self.part(rate, NodeKind::Sequence, [child, open, wait]);
        self.tell(child, Skipped::SUCCESS);
        let kind = NodeKind::Repeat {
            times: None,
            break_on_failure: true,
        };
        self.becomes(rate, kind, [round]);
        rate
    }

    /// N4, anywhere else: as if it were not there.
    pub(super) fn rate_controller(&mut self, id: NodeId) {
        let (child, own) = (self.child(id), self.answer_of(id));
        self.tell(child, own);
        self.becomes(id, NodeKind::Sequence, [child]);
    }

    /// N2: passes over the children, each beginning where a column says.
    pub(super) fn round_robin(&mut self, id: NodeId) {
        let children = self.get(id).children.clone();
        let count = children.len() as i32;
        let next = self.column(id, "next", Value::U16(0));
        let from = self.column(id, "from", Value::U16(0));
        let left = self.column(id, "left", Value::I32(0));
        let mut pass = Vec::with_capacity(children.len() + 2);
        for (number, &child) in (0i32..).zip(&children) {
            let turn = col(&from).le(number).and(col(&left).gt(0));
            let is_its_turn = self.test(id, turn);
            let note = self.set(id, &next, (number + 1) % count);
            let run = self.part(id, NodeKind::Sequence, [child, note]);
            let tried = self.set(id, &left, col(&left).minus(1));
            let tried = self.part(id, NodeKind::Failer, [tried]);
            let attempt = self.part(id, NodeKind::Selector, [run, tried]);
            pass.push(self.part(id, NodeKind::Sequence, [is_its_turn, attempt]));
            self.tell(child, Skipped::FAILURE);
        }
        // All have failed: the loop ends, and what is left tells that from a success.
        pass.push(self.test(id, col(&left).le(0)));
        let again = self.set(id, &from, 0);
        pass.push(self.part(id, NodeKind::Failer, [again]));
        let pass = self.part_of(id, NodeKind::Selector, pass);
        let rounds = NodeKind::RepeatUntilSuccess { max: None };
        let rounds = self.part(id, rounds, [pass]);
        let begin = self.set(id, &from, col(&next));
        let forget = self.set(id, &next, 0);
        let all = self.set(id, &left, count);
        let helped = self.test(id, col(&left).gt(0));
        self.becomes(id, NodeKind::Sequence, [begin, forget, all, rounds, helped]);
    }

    /// N3: a loop of attempts, with what helps between them.
    pub(super) fn recovery(&mut self, id: NodeId) {
        let NodeKind::Recovery { retries } = self.get(id).kind else {
            return;
        };
        let &[main, remedy] = self.get(id).children.as_slice() else {
            return;
        };
        self.tell(main, Skipped::SUCCESS);
        self.tell(remedy, Skipped::FAILURE);
        let helped = self.column(id, "helped", Value::I32(0));
        let failed = self.column(id, "failed", Value::Bool(false));
        let retries = i32::try_from(retries).unwrap_or(i32::MAX);
        let spent = self.test(id, col(&helped).ge(retries));
        let give_up = self.set(id, &failed, true);
        let spent = self.part(id, NodeKind::Sequence, [spent, give_up]);
        let in_vain = self.part(id, NodeKind::Invert, [remedy]);
        let give_up = self.set(id, &failed, true);
        let in_vain = self.part(id, NodeKind::Sequence, [in_vain, give_up]);
        let count = self.count(id, &helped);
        let again = self.part(id, NodeKind::Failer, [count]);
        let attempt = self.part(id, NodeKind::Selector, [main, spent, in_vain, again]);
        let attempts = NodeKind::RepeatUntilSuccess { max: None };
        let attempts = self.part(id, attempts, [attempt]);
        let begin = self.set(id, &helped, 0);
        let forget = self.set(id, &failed, false);
        let none_failed = self.test(id, col(&failed).not());
        self.becomes(
            id,
            NodeKind::Sequence,
            [begin, forget, attempts, none_failed],
        );
    }
}
