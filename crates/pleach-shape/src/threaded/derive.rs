//! Deriving the threaded stream: what is where, and where each answer leads to.
//!
//! Four passes over the plain stream, none of them recursive: regions, resume slots, positions, tokens.

use alloc::vec;
use alloc::vec::Vec;

use super::distinct::Distinct;
use super::{Mark, Region, ResumeSlot, Step, Threaded, ThreadedToken};
use crate::layout::BLOCK_LANES;
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

/// Whether the first child is visited each tick, and others run below it.
const fn is_reactive(op: Op) -> bool {
    matches!(
        op,
        Op::ReactiveSequence | Op::ReactiveSelector | Op::WhileDoElse
    )
}

/// Whether it tests each tick which child to visit, if any.
const fn tests_always(op: Op) -> bool {
    matches!(op, Op::Switch | Op::While | Op::DoneWhen | Op::AbortWhen)
}

const fn is_random(op: Op) -> bool {
    matches!(op, Op::RandomSequence | Op::RandomSelector)
}

const fn is_loop(op: Op) -> bool {
    matches!(
        op,
        Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess
    )
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
    /// Whether some ancestor remembers which child of it runs.
    remembered: bool,
    /// The group that it is in, or NONE.
    group: u32,
    /// Which child of a random composite it is.
    number: u32,
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
    tables: &'a Tables,
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
    fn new(plain: &'a [Token], tables: &'a Tables) -> Threader<'a> {
        let mut facts: Vec<Facts> = plain
            .iter()
            .map(|token| {
                // The verifier let only operations through.
                let op = token.op().unwrap_or(Op::Fail);
                Facts {
                    op,
                    runs: leaf_runs(op) || op.runs_itself(),
                    bounds: false,
                    leftmost: false,
                    region: 0,
                    remembered: false,
                    group: NONE,
                    number: 0,
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
        for def in &tables.randoms {
            let node = def.node as usize;
            let mut child = node + 1;
            for number in 0..def.children {
                facts[child].number = number;
                child = plain[child].end as usize;
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
            runners += u32::from(leaf_runs(facts.op) || facts.op.runs_itself());
        }
        runners_before.push(runners);
        Threader {
            plain,
            tables,
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
                    let bounds = is_group(above.op)
                        || tests_always(above.op)
                        || (is_reactive(above.op) && !first);
                    // What being entered does, a child that resumes must not go through.
                    let passes = first && above.leftmost && !starts(above.op);
                    (bounds, bounds || passes, above.region)
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
            let group = parent.map_or(NONE, |parent| match self.facts[parent].op.halts() {
                true => self.plain[parent].operand,
                false => self.facts[parent].group,
            });
            let facts = &mut self.facts[index];
            facts.group = group;
            facts.bounds = bounds;
            facts.leftmost = leftmost;
            facts.region = region;
            self.facts[index].remembered = parent.is_some_and(|parent| {
                let above = &self.facts[parent];
                above.remembered || above.op.remembers()
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
        let op = facts.op;
        is_group(op) || tests_always(op) || op.runs_itself() || !op.is_parent()
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
            Some(op) if is_random(op) => 1,
            _ => 0,
        }
    }

    /// Tokens of a node's own before its children.
    fn opening(&self, index: usize) -> u32 {
        let op = self.facts[index].op;
        match op {
            Op::Switch => self.tables.switches[self.plain[index].operand as usize].cases,
            _ => u32::from(is_group(op) || starts(op) || !op.is_parent()),
        }
    }

    fn judges(&self, index: usize) -> u32 {
        match self.facts[index].op {
            Op::Parallel | Op::Timeout => 1,
            Op::Concurrent | Op::Cooldown | Op::RunOnce => 2,
            op => u32::from(is_random(op) || is_loop(op)),
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
            next += self.opening(index);
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
        let judge = self.facts[parent].judge;
        match self.facts[parent].op {
            Op::Sequence | Op::ReactiveSequence => [next.unwrap_or(success), failure, running],
            Op::Selector | Op::ReactiveSelector => [success, next.unwrap_or(failure), running],
            Op::Invert => [failure, success, running],
            Op::Succeeder => [success, success, running],
            Op::Failer => [failure, failure, running],
            Op::Parallel => [answers, answers + 1, answers + 2],
            Op::Concurrent => [self.behind(index), self.facts[parent].judge + 1, answers],
            Op::RandomSequence => [answers, failure, running],
            Op::RandomSelector => [success, answers, running],
            Op::IfThenElse | Op::WhileDoElse if self.is_first_child(index) => {
                let then = self.plain[index].end as usize;
                let otherwise = self.plain[then].end as usize;
                let otherwise = match self.is_last_child(then) {
                    true => failure,
                    false => self.facts[otherwise].start,
                };
                [self.facts[then].start, otherwise, running]
            }
            Op::Repeat => {
                let def = self.tables.loops[self.plain[parent].operand as usize];
                match def.breaks {
                    0 => [judge, judge, running],
                    _ => [judge, failure, running],
                }
            }
            Op::RepeatUntilFailure => [judge, failure, running],
            Op::RepeatUntilSuccess => [success, judge, running],
            Op::Cooldown | Op::RunOnce => [judge, judge + 1, running],
            Op::Timeout => [success, failure, judge],
            Op::IfThenElse
            | Op::WhileDoElse
            | Op::Switch
            | Op::Delay
            | Op::When
            | Op::While
            | Op::DoneWhen
            | Op::AbortWhen => [success, failure, running],
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
            | Op::GuardConcurrent
            | Op::GuardRandom
            | Op::GuardIf
            | Op::GuardRepeat
            | Op::GuardCooldown
            | Op::GuardTimeout
            | Op::GuardRunOnce => [success, failure, running],
        }
    }

    /// A parent's own tokens before its children. `place` gives the distinct predicate of an expression.
    fn open(
        &self,
        index: usize,
        blank: ThreadedToken,
        tokens: &mut Vec<ThreadedToken>,
        mut place: impl FnMut(u32) -> (u32, bool),
    ) {
        let op = self.facts[index].op;
        let [success, failure, running] = blank.leads;
        let mut child = index + 1;
        let first = self.facts[child].start;
        let mut test = |step, expr, leads| {
            let (mark, negated) = place(expr);
            ThreadedToken {
                step,
                negated,
                operand: expr,
                leads,
                mark,
                ..blank
            }
        };
        let own = |step, leads| ThreadedToken {
            step,
            leads,
            mark: if op.runs_itself() { blank.mark } else { NONE },
            ..blank
        };
        tokens.push(match op {
            Op::Parallel | Op::Concurrent => own(Step::Open, [first; 3]),
            Op::RandomSequence | Op::RandomSelector => own(Step::Draw, [first; 3]),
            Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess => {
                own(Step::LoopOpen, [first; 3])
            }
            Op::Cooldown => own(Step::CooldownOpen, [first, failure, first]),
            Op::Timeout => own(Step::TimeoutOpen, [first; 3]),
            Op::Delay => own(Step::DelayOpen, [first, first, running]),
            Op::RunOnce => own(Step::OnceOpen, [success, failure, first]),
            Op::When | Op::While => {
                test(Step::TestOrFail, blank.operand, [first, failure, failure])
            }
            Op::DoneWhen => test(
                Step::TestThenSucceed,
                blank.operand,
                [success, first, first],
            ),
            // Behind the root's other answers.
            Op::AbortWhen => test(Step::Test, blank.operand, [self.end + 3, first, first]),
            Op::Switch => {
                let def = self.tables.switches[blank.operand as usize];
                let first = def.first_case as usize;
                let cases = &self.tables.cases[first..first + def.cases as usize];
                for (number, &case) in cases.iter().enumerate() {
                    let here = self.facts[child].start;
                    let end = self.plain[child].end as usize;
                    let (step, fails) = if number + 1 < cases.len() {
                        (Step::Test, tokens.len() as u32 + 1)
                    } else if self.is_last_child(child) {
                        (Step::TestOrFail, failure)
                    } else {
                        (Step::Test, self.facts[end].start)
                    };
                    tokens.push(test(step, case, [here, fails, fails]));
                    child = end;
                }
                return;
            }
            // All that these do is known to their children.
            _ => return,
        });
    }

    /// A parent's own tokens behind its children.
    fn judge(&self, index: usize, leads: [u32; 3], mark: u32, tokens: &mut Vec<ThreadedToken>) {
        let op = self.facts[index].op;
        let steps: &[Step] = match op {
            Op::Parallel => &[Step::JudgeParallel],
            Op::Concurrent => &[Step::JudgeConcurrent, Step::FailConcurrent],
            Op::RandomSequence | Op::RandomSelector => &[Step::Redraw],
            Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess => &[Step::Iterated],
            Op::Cooldown => &[Step::CooldownSuccess, Step::CooldownFailure],
            Op::Timeout => &[Step::TimeoutRunning],
            Op::RunOnce => &[Step::OnceSuccess, Step::OnceFailure],
            _ => return,
        };
        let [success, failure, running] = leads;
        let fails = matches!(op, Op::RandomSelector | Op::RepeatUntilSuccess);
        let end = if fails { failure } else { success };
        for &step in steps {
            tokens.push(ThreadedToken {
                step,
                negated: fails,
                node: index as u32,
                operand: self.plain[index].operand,
                leads: match step {
                    Step::Redraw | Step::Iterated => [end, end, running],
                    Step::CooldownSuccess | Step::OnceSuccess => [success; 3],
                    Step::CooldownFailure | Step::OnceFailure => [failure; 3],
                    _ => leads,
                },
                skip: 0,
                mark,
            });
        }
    }

    /// A child's answers to its group or random composite.
    fn answer(&self, index: usize, done: u32, tokens: &mut Vec<ThreadedToken>) {
        let Some(parent) = self.parent(index) else {
            return;
        };
        if is_random(self.facts[parent].op) {
            let redraw = self.facts[parent].judge;
            tokens.push(ThreadedToken {
                step: Step::Passed,
                negated: false,
                node: index as u32,
                operand: self.plain[parent].operand,
                leads: [redraw; 3],
                skip: 0,
                mark: self.facts[index].number,
            });
            return;
        }
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

/// Whether being entered does something that a child that resumes must not go through.
const fn starts(op: Op) -> bool {
    let branches = matches!(op, Op::IfThenElse | Op::WhileDoElse);
    !branches && crate::token::reaction(op).contains(crate::token::TokenFlags::STARTS)
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
