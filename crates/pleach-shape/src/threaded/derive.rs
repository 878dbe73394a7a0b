//! Deriving the threaded stream: what is where, and where each answer leads to.
//!
//! Four passes over the plain stream, none of them recursive: regions, resume slots, positions, and in
//! [`emit`](super::emit) tokens.

use alloc::vec;
use alloc::vec::Vec;

use super::{Region, ResumeSlot, Threaded};
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
pub(super) const fn is_reactive(op: Op) -> bool {
    matches!(
        op,
        Op::ReactiveSequence | Op::ReactiveSelector | Op::WhileDoElse
    )
}

/// Whether it tests each tick which child to visit, if any.
pub(super) const fn tests_always(op: Op) -> bool {
    matches!(op, Op::Switch | Op::While | Op::DoneWhen | Op::AbortWhen)
}

pub(super) const fn is_random(op: Op) -> bool {
    matches!(op, Op::RandomSequence | Op::RandomSelector)
}

pub(super) const fn is_loop(op: Op) -> bool {
    matches!(
        op,
        Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess
    )
}

pub(super) const fn is_group(op: Op) -> bool {
    matches!(op, Op::Parallel | Op::Concurrent)
}

/// What is known of a node before positions are.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    pub(super) op: Op,
    /// Whether it can answer Running.
    pub(super) runs: bool,
    /// Whether it begins a region.
    pub(super) bounds: bool,
    /// Whether it stands at the beginning of its region.
    pub(super) leftmost: bool,
    pub(super) region: u32,
    /// Whether some ancestor remembers which child of it runs.
    pub(super) remembered: bool,
    /// The group that it is in, or NONE.
    pub(super) group: u32,
    /// Which child of a random composite it is.
    pub(super) number: u32,
    /// Its resume slot, or NONE.
    pub(super) slot: u32,
    /// Its first token: the Done or Region token, if it has one.
    pub(super) start: u32,
    /// Its first token behind those.
    pub(super) body: u32,
    /// The token behind its children (or itself): where its judges stand, then its answers as a
    /// group's child.
    pub(super) judge: u32,
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

pub(super) struct Threader<'a> {
    pub(super) plain: &'a [Token],
    pub(super) tables: &'a Tables,
    pub(super) facts: Vec<Facts>,
    pub(super) regions: Vec<Region>,
    /// For each node and the stream's end, how many leaves before it can run.
    pub(super) runners_before: Vec<u32>,
    /// For each region, the first resume slot of what holds it, or what holds that.
    pub(super) around: Vec<u32>,
    pub(super) end: u32,
    pub(super) out: Threaded,
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

    pub(super) fn parent(&self, index: usize) -> Option<usize> {
        (index > 0).then(|| self.plain[index].link as usize)
    }

    pub(super) fn is_first_child(&self, index: usize) -> bool {
        self.parent(index) == Some(index - 1)
    }

    pub(super) fn is_last_child(&self, index: usize) -> bool {
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

    pub(super) fn has_region_token(&self, index: usize) -> bool {
        let region = &self.regions[self.facts[index].region as usize];
        self.facts[index].bounds && region.slots[0] < region.slots[1]
    }

    pub(super) fn is_parallel_child(&self, index: usize) -> bool {
        self.parent(index)
            .is_some_and(|parent| self.facts[parent].op == Op::Parallel)
    }

    /// Tokens behind a node's own: its answers as a group's child, and a group's judges.
    pub(super) fn tail(&self, index: usize) -> u32 {
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
    pub(super) fn opening(&self, index: usize) -> u32 {
        let op = self.facts[index].op;
        match op {
            Op::Switch => self.tables.switches[self.plain[index].operand as usize].cases,
            _ => u32::from(is_group(op) || starts(op) || !op.is_parent()),
        }
    }

    pub(super) fn judges(&self, index: usize) -> u32 {
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
    pub(super) fn end_of(&self, index: usize) -> u32 {
        self.facts[index].judge + self.judges(index) + self.tail(index)
    }
}

/// Whether being entered does something that a child that resumes must not go through.
pub(super) const fn starts(op: Op) -> bool {
    let branches = matches!(op, Op::IfThenElse | Op::WhileDoElse);
    !branches && crate::token::reaction(op).contains(crate::token::TokenFlags::STARTS)
}
