//! Deriving the threaded stream: what is where, and where each answer leads to.
//!
//! Four passes over the plain stream, none of them recursive: regions, resume slots, positions, tokens.

use alloc::vec;
use alloc::vec::Vec;

use super::distinct::Distinct;
use super::{Mark, Region, ResumeSlot, Step, Threaded, ThreadedToken};
use crate::op::Op;
use crate::predicate::Predicate;
use crate::tables::Tables;
use crate::token::{NONE, Token};

/// Whether leaves of that operation can answer Running.
pub(crate) const fn leaf_runs(op: Op) -> bool {
    matches!(
        op,
        Op::Action | Op::PersistentAction | Op::Task | Op::Wait | Op::Idle
    )
}

const fn is_reactive(op: Op) -> bool {
    matches!(op, Op::ReactiveSequence | Op::ReactiveSelector)
}

const fn is_group(op: Op) -> bool {
    matches!(op, Op::Parallel | Op::Concurrent)
}

/// What is known of a node before positions are.
#[derive(Clone, Copy)]
struct Facts {
    op: Op,
    /// Whether it can answer Running.
    runs: bool,
    /// Whether it begins a region.
    bounds: bool,
    /// Whether it stands at the beginning of its region.
    leftmost: bool,
    region: u32,
    /// Whether some ancestor is a Sequence or Selector, which remembers what runs below it.
    remembered: bool,
    /// The group that it is in, or NONE.
    group: u32,
    /// Its resume slot, or NONE.
    slot: u32,
    /// Its first token: the Done or Region token, if it has one.
    start: u32,
    /// Its first token behind those.
    body: u32,
    /// The token behind its children (or itself): where its judges stand, then its answers as a
    /// group's child.
    judge: u32,
}

/// Derives the threaded stream; `plain` and `tables` must be verified, `predicates` be theirs.
pub(crate) fn thread(plain: &[Token], tables: &Tables, predicates: &[Predicate]) -> Threaded {
    let mut threader = Threader::new(plain, tables);
    threader.regions();
    threader.resume_slots();
    threader.positions();
    threader.emit(predicates);
    threader.out
}

struct Threader<'a> {
    plain: &'a [Token],
    facts: Vec<Facts>,
    regions: Vec<Region>,
    /// For each node and the stream's end, how many leaves before it can run.
    runners_before: Vec<u32>,
    /// For each region, the first resume slot of what holds it, or what holds that.
    around: Vec<u32>,
    end: u32,
    out: Threaded,
}

impl<'a> Threader<'a> {
    fn new(plain: &'a [Token], tables: &Tables) -> Threader<'a> {
        let mut facts: Vec<Facts> = plain
            .iter()
            .map(|token| {
                // The verifier let only operations through.
                let op = token.op().unwrap_or(Op::Fail);
                Facts {
                    op,
                    runs: leaf_runs(op),
                    bounds: false,
                    leftmost: false,
                    region: 0,
                    remembered: false,
                    group: NONE,
                    slot: NONE,
                    start: 0,
                    body: 0,
                    judge: 0,
                }
            })
            .collect();
        // Children stand behind their parents.
        for index in (1..plain.len()).rev() {
            if facts[index].runs {
                facts[plain[index].link as usize].runs = true;
            }
        }
        let out = Threaded {
            resume_of_deferred: vec![NONE; tables.deferred.len()].into(),
            around: vec![NONE; tables.groups.len()].into(),
            group_of_deferred: vec![NONE; tables.deferred.len()].into(),
            entries: vec![[0; 2]; plain.len()].into(),
            ..Threaded::default()
        };
        let mut runners_before = Vec::with_capacity(plain.len() + 1);
        let mut runners = 0;
        for facts in &facts {
            runners_before.push(runners);
            runners += u32::from(leaf_runs(facts.op));
        }
        runners_before.push(runners);
        Threader {
            plain,
            facts,
            runners_before,
            regions: Vec::new(),
            around: Vec::new(),
            end: 0,
            out,
        }
    }

    fn parent(&self, index: usize) -> Option<usize> {
        (index > 0).then(|| self.plain[index].link as usize)
    }

    fn is_first_child(&self, index: usize) -> bool {
        self.parent(index) == Some(index - 1)
    }

    fn is_last_child(&self, index: usize) -> bool {
        self.parent(index)
            .is_none_or(|parent| self.plain[parent].end == self.plain[index].end)
    }

    fn regions(&mut self) {
        for index in 0..self.plain.len() {
            let parent = self.parent(index);
            let (bounds, leftmost, around) = match parent.map(|parent| &self.facts[parent]) {
                None => (true, true, 0),
                Some(above) => {
                    let first = self.is_first_child(index);
                    let bounds = is_group(above.op) || (is_reactive(above.op) && !first);
                    (bounds, bounds || (first && above.leftmost), above.region)
                }
            };
            let region = if bounds {
                self.regions.push(Region {
                    node: index as u32,
                    end: self.plain[index].end,
                    parent: around,
                    parent_token: 0,
                    slots: [0; 2],
                });
                self.regions.len() as u32 - 1
            } else {
                around
            };
            let group = parent.map_or(NONE, |parent| match self.facts[parent].op {
                Op::Parallel | Op::Concurrent => self.plain[parent].operand,
                _ => self.facts[parent].group,
            });
            let facts = &mut self.facts[index];
            facts.group = group;
            facts.bounds = bounds;
            facts.leftmost = leftmost;
            facts.region = region;
            self.facts[index].remembered = parent.is_some_and(|parent| {
                let above = &self.facts[parent];
                above.remembered || matches!(above.op, Op::Sequence | Op::Selector)
            });
        }
    }

    /// Whether actors may resume at the node, rather than within it or never.
    fn resumes(&self, index: usize) -> bool {
        let facts = &self.facts[index];
        if facts.leftmost || !facts.runs {
            return false;
        }
        if is_reactive(facts.op) {
            // What runs in the first child resumes there.
            let second = self.plain[index + 1].end as usize;
            return self.runners_before[second]
                < self.runners_before[self.plain[index].end as usize];
        }
        is_group(facts.op) || !facts.op.is_parent()
    }

    fn resume_slots(&mut self) {
        let resumes: Vec<usize> = (0..self.plain.len())
            .filter(|&index| self.resumes(index))
            .collect();
        let mut counts = vec![0u32; self.regions.len()];
        for &index in &resumes {
            counts[self.facts[index].region as usize] += 1;
        }
        let mut next = 0;
        for (region, count) in self.regions.iter_mut().zip(&mut counts) {
            region.slots = [next, next + *count];
            next += core::mem::replace(count, next);
        }
        for &index in &resumes {
            let place = &mut counts[self.facts[index].region as usize];
            self.facts[index].slot = *place;
            *place += 1;
        }
        self.out.slots = vec![ResumeSlot { token: 0, up: NONE }; resumes.len()].into();
        for region in 0..self.regions.len() {
            // Outer regions come first; the root's is held by nothing.
            let node = self.regions[region].node as usize;
            let around = self.parent(node).map_or(NONE, |holder| {
                let facts = &self.facts[holder];
                match facts.slot {
                    NONE => self.around[facts.region as usize],
                    slot => slot,
                }
            });
            self.around.push(around);
        }
    }

    fn has_region_token(&self, index: usize) -> bool {
        let region = &self.regions[self.facts[index].region as usize];
        self.facts[index].bounds && region.slots[0] < region.slots[1]
    }

    fn is_parallel_child(&self, index: usize) -> bool {
        self.parent(index)
            .is_some_and(|parent| self.facts[parent].op == Op::Parallel)
    }

    /// Tokens behind a node's own: its answers as a group's child, and a group's judges.
    fn tail(&self, index: usize) -> u32 {
        let above = self.parent(index).map(|parent| self.facts[parent].op);
        let running = u32::from(self.facts[index].runs);
        match above {
            Some(Op::Parallel) => 2 + running,
            Some(Op::Concurrent) => running,
            _ => 0,
        }
    }

    fn judges(&self, index: usize) -> u32 {
        match self.facts[index].op {
            Op::Parallel => 1,
            Op::Concurrent => 2,
            _ => 0,
        }
    }

    fn positions(&mut self) {
        let mut next = 0u32;
        // Nodes whose range is open, innermost last.
        let mut open: Vec<usize> = Vec::new();
        for index in 0..self.plain.len() {
            self.facts[index].start = next;
            next += u32::from(self.is_parallel_child(index));
            next += u32::from(self.has_region_token(index));
            self.facts[index].body = next;
            let op = self.facts[index].op;
            next += u32::from(is_group(op) || !op.is_parent());
            open.push(index);
            while let Some(&top) = open.last() {
                if self.plain[top].end as usize > index + 1 {
                    break;
                }
                open.pop();
                self.facts[top].judge = next;
                next += self.judges(top) + self.tail(top);
            }
        }
        self.end = next;
    }

    /// Where the node's tokens end, its answers as a group's child included.
    fn end_of(&self, index: usize) -> u32 {
        self.facts[index].judge + self.judges(index) + self.tail(index)
    }

    fn emit(&mut self, predicates: &[Predicate]) {
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
            if is_group(facts.op) {
                self.out.around[token.operand as usize] = facts.group;
                tokens.push(ThreadedToken {
                    step: Step::Open,
                    leads: [facts.body + 1; 3],
                    ..blank
                });
            } else if !facts.op.is_parent() {
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
                if is_group(self.facts[top].op) {
                    self.judge(top, exits[top], &mut tokens);
                }
                self.answer(top, done_marks[top], &mut tokens);
            }
        }
        for step in [Step::RootSuccess, Step::RootFailure, Step::RootRunning] {
            let behind = self.end + 3;
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

    /// Behind a child: the next child, or the judges.
    fn behind(&self, index: usize) -> u32 {
        let next = self.plain[index].end as usize;
        match self.parent(index) {
            Some(parent) if self.is_last_child(index) => self.facts[parent].judge,
            _ => self.facts[next].start,
        }
    }

    /// Where a node's Success, Failure and Running lead to.
    fn leads(&self, index: usize, exits: &[[u32; 3]]) -> [u32; 3] {
        let Some(parent) = self.parent(index) else {
            return [self.end, self.end + 1, self.end + 2];
        };
        let [success, failure, running] = exits[parent];
        let next = (!self.is_last_child(index)).then(|| self.behind(index));
        let answers = self.facts[index].judge + self.judges(index);
        match self.facts[parent].op {
            Op::Sequence | Op::ReactiveSequence => [next.unwrap_or(success), failure, running],
            Op::Selector | Op::ReactiveSelector => [success, next.unwrap_or(failure), running],
            Op::Invert => [failure, success, running],
            Op::Succeeder => [success, success, running],
            Op::Failer => [failure, failure, running],
            Op::Parallel => [answers, answers + 1, answers + 2],
            Op::Concurrent => [self.behind(index), self.facts[parent].judge + 1, answers],
            // Nothing else has children.
            Op::Condition
            | Op::Query
            | Op::Action
            | Op::PersistentAction
            | Op::Task
            | Op::Set
            | Op::Wait
            | Op::Succeed
            | Op::Fail
            | Op::Idle
            | Op::Guard
            | Op::GuardInvert
            | Op::GuardSucceeder
            | Op::GuardFailer
            | Op::GuardParallel
            | Op::GuardConcurrent => [success, failure, running],
        }
    }

    fn judge(&self, index: usize, leads: [u32; 3], tokens: &mut Vec<ThreadedToken>) {
        let steps: &[Step] = match self.facts[index].op {
            Op::Parallel => &[Step::JudgeParallel],
            _ => &[Step::JudgeConcurrent, Step::FailConcurrent],
        };
        for &step in steps {
            tokens.push(ThreadedToken {
                step,
                negated: false,
                node: index as u32,
                operand: self.plain[index].operand,
                leads,
                skip: 0,
                mark: NONE,
            });
        }
    }

    /// A child's answers to its group.
    fn answer(&self, index: usize, done: u32, tokens: &mut Vec<ThreadedToken>) {
        let Some(parent) = self.parent(index) else {
            return;
        };
        let steps: &[Step] = match self.facts[parent].op {
            Op::Parallel => &[Step::ChildSuccess, Step::ChildFailure, Step::ChildRunning],
            Op::Concurrent => &[Step::ChildRunning],
            _ => return,
        };
        let behind = self.behind(index);
        for &step in steps {
            if step == Step::ChildRunning && !self.facts[index].runs {
                continue;
            }
            tokens.push(ThreadedToken {
                step,
                negated: false,
                node: index as u32,
                operand: self.plain[parent].operand,
                leads: [behind; 3],
                skip: 0,
                mark: match step {
                    Step::ChildSuccess => done,
                    Step::ChildFailure => done + 1,
                    _ => NONE,
                },
            });
        }
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
        Op::Fail
        | Op::Sequence
        | Op::Selector
        | Op::ReactiveSequence
        | Op::ReactiveSelector
        | Op::Parallel
        | Op::Concurrent
        | Op::Invert
        | Op::Succeeder
        | Op::Failer
        | Op::Guard
        | Op::GuardInvert
        | Op::GuardSucceeder
        | Op::GuardFailer
        | Op::GuardParallel
        | Op::GuardConcurrent => Step::Fail,
    }
}
