//! The last pass: tokens, marks, and what else the stream has.

use alloc::vec;
use alloc::vec::Vec;

use super::derive::Threader;
use super::distinct::Distinct;
use super::{Mark, Step, ThreadedToken};
use crate::layout::BLOCK_LANES;
use crate::op::Op;
use crate::predicate::Predicate;
use crate::token::NONE;

impl Threader<'_> {
    pub(super) fn emit(&mut self, predicates: &[Predicate]) {
        let mut distinct = Distinct::default();
        let mut tokens: Vec<ThreadedToken> = Vec::with_capacity(self.end as usize + 3);
        let mut marks: Vec<Mark> = Vec::new();
        let mut resume_of_mark: Vec<u32> = Vec::new();
        let mut group_of_mark: Vec<u32> = Vec::new();
        // Where each node's answers lead to; a parent's are known before its children's.
        let mut exits: Vec<[u32; 3]> = vec![[0; 3]; self.plain.len()];
        let mut open: Vec<usize> = Vec::new();
        // The mark of each open Parallel's child that is being emitted.
        let mut done_marks: Vec<u32> = vec![NONE; self.plain.len()];
        // The mark of each open parent that can run by itself.
        let mut own_marks: Vec<u32> = vec![NONE; self.plain.len()];
        for index in 0..self.plain.len() {
            let facts = self.facts[index];
            let token = self.plain[index];
            let leads = self.leads(index, &exits);
            exits[index] = leads;
            let region = &mut self.regions[facts.region as usize];
            if facts.bounds && index > 0 {
                region.parent_token = self.facts[token.link as usize].body;
            }
            let blank = ThreadedToken {
                step: Step::Idle,
                negated: false,
                node: index as u32,
                operand: token.operand,
                leads,
                skip: 0,
                mark: NONE,
            };
            if self.is_parallel_child(index) {
                let done = marks.len() as u32;
                done_marks[index] = done;
                marks.push(Mark::DoneSuccess { node: index as u32 });
                marks.push(Mark::DoneFailure { node: index as u32 });
                resume_of_mark.extend([NONE; 2]);
                group_of_mark.extend([facts.group; 2]);
                let behind = self.behind(index);
                tokens.push(ThreadedToken {
                    step: Step::Done,
                    operand: self.plain[token.link as usize].operand,
                    leads: [behind, behind, tokens.len() as u32 + 1],
                    skip: self.end_of(index),
                    mark: done,
                    ..blank
                });
            }
            if self.has_region_token(index) {
                tokens.push(ThreadedToken {
                    step: Step::Region,
                    operand: facts.region,
                    leads: [facts.body; 3],
                    mark: token.end,
                    skip: facts.judge,
                    ..blank
                });
            }
            self.out.entries[index] = [facts.region, facts.body];
            if facts.slot != NONE {
                self.out.slots[facts.slot as usize].token = facts.body;
            }
            if facts.op.halts() {
                self.out.around[token.operand as usize] = facts.group;
            }
            if facts.op.is_parent() {
                let mark = marks.len() as u32;
                self.open(
                    index,
                    ThreadedToken { mark, ..blank },
                    &mut tokens,
                    |expr| distinct.place(predicates[expr as usize]),
                );
                if facts.op.runs_itself() {
                    own_marks[index] = mark;
                    marks.push(Mark::Runs { node: index as u32 });
                    resume_of_mark.push(self.resume_of(index));
                    group_of_mark.push(facts.group);
                }
            } else {
                let mut leaf = ThreadedToken {
                    step: leaf_step(facts.op),
                    ..blank
                };
                match facts.op {
                    Op::Condition => {
                        let (place, negated) = distinct.place(predicates[token.operand as usize]);
                        leaf.mark = place;
                        leaf.negated = negated;
                    }
                    Op::Action => {
                        self.out.resume_of_deferred[token.operand as usize] = self.resume_of(index);
                        self.out.group_of_deferred[token.operand as usize] = facts.group;
                    }
                    Op::Task | Op::Wait => {
                        leaf.mark = marks.len() as u32;
                    }
                    Op::Idle | Op::PersistentAction if facts.remembered => {
                        leaf.mark = marks.len() as u32;
                    }
                    _ => {}
                }
                if facts.runs && leaf.mark != NONE {
                    marks.push(Mark::Runs { node: index as u32 });
                    resume_of_mark.push(self.resume_of(index));
                    group_of_mark.push(facts.group);
                }
                tokens.push(leaf);
            }
            open.push(index);
            while let Some(&top) = open.last() {
                if self.plain[top].end as usize > index + 1 {
                    break;
                }
                open.pop();
                self.judge(top, exits[top], own_marks[top], &mut tokens);
                self.answer(top, done_marks[top], &mut tokens);
            }
        }
        let aborts = self.facts.iter().any(|facts| facts.op == Op::AbortWhen);
        let answers = [
            Step::RootSuccess,
            Step::RootFailure,
            Step::RootRunning,
            Step::RootAborted,
        ];
        let answers = &answers[..3 + usize::from(aborts)];
        for &step in answers {
            let behind = self.end + answers.len() as u32;
            tokens.push(ThreadedToken {
                step,
                negated: false,
                node: 0,
                operand: 0,
                leads: [behind; 3],
                skip: 0,
                mark: NONE,
            });
        }
        self.random_children();
        self.out.sweep_tokens = self.sweep_tokens(tokens.len() as u64);
        self.link_slots();
        self.skips(&mut tokens);
        self.out.tokens = tokens.into();
        let mut levels: Vec<u32> = Vec::with_capacity(self.regions.len());
        for (index, region) in self.regions.iter().enumerate() {
            // The root's is its own parent.
            let around = levels.get(region.parent as usize).filter(|_| index > 0);
            levels.push(around.map_or(1, |level| level + 1));
        }
        self.out.levels = levels.into_iter().max().unwrap_or(0);
        self.out.regions = core::mem::take(&mut self.regions).into();
        self.out.marks = marks.into();
        self.out.resume_of_mark = resume_of_mark.into();
        self.out.group_of_mark = group_of_mark.into();
        self.out.predicates = distinct.list.into();
    }

    fn sweep_tokens(&self, once: u64) -> u64 {
        let mut total = once;
        // Where each open random composite ends, and how often it is passed; innermost last.
        let mut open: Vec<(u32, u64)> = Vec::new();
        for def in &self.tables.randoms {
            while open.last().is_some_and(|&(end, _)| end <= def.node) {
                open.pop();
            }
            let around = open.last().map_or(1, |&(_, passes)| passes);
            let passes = (around * u64::from(def.children)).min(BLOCK_LANES as u64);
            let node = def.node as usize;
            let tokens = self.end_of(node) - self.facts[node].start;
            total = total.saturating_add((passes - around) * u64::from(tokens));
            open.push((self.plain[node].end, passes));
        }
        total
    }

    fn random_children(&mut self) {
        let mut children = Vec::new();
        let mut firsts = Vec::with_capacity(self.tables.randoms.len());
        for def in &self.tables.randoms {
            firsts.push(children.len() as u32);
            let node = def.node as usize;
            let mut child = node + 1;
            while child < self.plain[node].end as usize {
                children.push(self.facts[child].start);
                child = self.plain[child].end as usize;
            }
        }
        self.out.random_children = children.into();
        self.out.first_random_child = firsts.into();
    }

    /// The resume slot of a leaf, or the first one around it.
    fn resume_of(&self, index: usize) -> u32 {
        match self.facts[index].slot {
            NONE => self.slot_around(self.facts[index].region),
            slot => slot,
        }
    }

    /// The first resume slot around a region: of what holds it, or what holds that.
    fn slot_around(&self, region: u32) -> u32 {
        self.around[region as usize]
    }

    fn link_slots(&mut self) {
        for index in 0..self.plain.len() {
            let facts = self.facts[index];
            if facts.slot != NONE {
                self.out.slots[facts.slot as usize].up = self.slot_around(facts.region);
            }
        }
    }

    /// Where to go on from a token at which nobody is: behind the largest subtree that begins there.
    fn skips(&self, tokens: &mut [ThreadedToken]) {
        for (place, token) in tokens.iter_mut().enumerate() {
            token.skip = token.skip.max(place as u32 + 1);
        }
        // Outer subtrees come first, so the first one to begin at a token is its largest.
        for index in (0..self.plain.len()).rev() {
            let start = self.facts[index].start as usize;
            tokens[start].skip = tokens[start].skip.max(self.end_of(index));
            let body = self.facts[index].body as usize;
            tokens[body].skip = tokens[body].skip.max(self.facts[index].judge);
        }
    }
}

const fn leaf_step(op: Op) -> Step {
    match op {
        Op::Condition => Step::Condition,
        Op::Query => Step::Query,
        Op::Action => Step::Action,
        Op::PersistentAction => Step::PersistentAction,
        Op::Task => Step::Task,
        Op::Set => Step::Set,
        Op::Wait => Step::Wait,
        Op::Succeed => Step::Succeed,
        Op::Idle => Step::Idle,
        // Parents and guards are no leaves; what a verified stream does not hold fails.
        _ => Step::Fail,
    }
}
