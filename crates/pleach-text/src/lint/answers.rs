//! What the nodes of a tree can answer at all, whatever the host does.
//!
//! A node that starts in a tick may answer other things than one that goes on: an action cannot be done
//! at once. Both are sets that may have too much in them, never too little, so that what is not in them
//! never happens. Conditions, queries and parameters are taken for anything.

use std::ops::{BitOr, BitOrAssign};
use std::time::Duration;

use pleach_tree::{Expr, ExprKind, NodeKind, Threshold};

use crate::draft::{Draft, Item, ItemKind, Part};

/// A set of answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Statuses(u8);

impl Statuses {
    pub(super) const NONE: Statuses = Statuses(0);
    pub(super) const SUCCESS: Statuses = Statuses(1);
    pub(super) const FAILURE: Statuses = Statuses(2);
    pub(super) const RUNNING: Statuses = Statuses(4);
    pub(super) const SKIPPED: Statuses = Statuses(8);
    const FINISHED: Statuses = Statuses(3);
    /// What a host may answer.
    const ANSWERED: Statuses = Statuses(7);
    const ANY: Statuses = Statuses(15);
    /// What makes a Sequence go on, and what a Selector.
    pub(super) const GOOD: Statuses = Statuses(1 | 8);
    pub(super) const BAD: Statuses = Statuses(2 | 8);

    /// Whether any of the others is in it.
    pub(super) fn has(self, other: Statuses) -> bool {
        self.0 & other.0 != 0
    }

    fn without(self, other: Statuses) -> Statuses {
        Statuses(self.0 & !other.0)
    }

    /// Itself where a condition holds, else nothing.
    fn when(self, holds: bool) -> Statuses {
        if holds { self } else { Statuses::NONE }
    }

    /// The set with what each answer becomes; Running and skipped stay.
    fn map(self, success: Statuses, failure: Statuses) -> Statuses {
        success.when(self.has(Statuses::SUCCESS))
            | failure.when(self.has(Statuses::FAILURE))
            | Statuses(self.0 & (Statuses::RUNNING.0 | Statuses::SKIPPED.0))
    }
}

impl BitOr for Statuses {
    type Output = Statuses;

    fn bitor(self, other: Statuses) -> Statuses {
        Statuses(self.0 | other.0)
    }
}

impl BitOrAssign for Statuses {
    fn bitor_assign(&mut self, other: Statuses) {
        self.0 |= other.0;
    }
}

/// What a node can answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Answers {
    /// In the tick in which it starts.
    pub(super) first: Statuses,
    /// In a tick in which it goes on.
    later: Statuses,
    /// Whether below it is a leaf that takes time whenever it starts, and has an end.
    pub(super) works: bool,
    /// Whether below it is anything that asks the host, sets a column or leaves the tree.
    pub(super) acts: bool,
}

impl Answers {
    /// Whatever there is.
    pub(super) const ANY: Answers = Answers {
        first: Statuses::ANY,
        later: Statuses::ANY,
        works: false,
        acts: true,
    };

    fn new(first: Statuses, later: Statuses) -> Answers {
        Answers {
            first,
            // Only who has run goes on.
            later: later.when(first.has(Statuses::RUNNING)),
            works: false,
            acts: false,
        }
    }

    /// In any tick.
    pub(super) fn all(self) -> Statuses {
        self.first | self.later
    }

    fn map(self, success: Statuses, failure: Statuses) -> Answers {
        Answers::new(
            self.first.map(success, failure),
            self.later.map(success, failure),
        )
    }

    /// With more answers in any tick.
    fn or(self, more: Statuses) -> Answers {
        Answers::new(self.first | more, self.later | more)
    }
}

/// What all items of a draft can answer. `tree` says it of the roots of other trees.
pub(super) fn of_draft(draft: &Draft, tree: impl Fn(&str) -> Option<Answers>) -> Vec<Answers> {
    let mut all = vec![Answers::ANY; draft.items.len()];
    // Children stand behind their parents.
    for (index, item) in draft.items.iter().enumerate().rev() {
        let child = |&child: &usize| all.get(child).copied().unwrap_or(Answers::ANY);
        let children: Vec<Answers> = item.children.iter().map(child).collect();
        all[index] = match &item.kind {
            ItemKind::Subtree(usage) => tree(&usage.tree).unwrap_or(Answers::ANY),
            ItemKind::Node(kind) => {
                let own = of_node(item, kind, &children);
                Answers {
                    works: own.works || children.iter().any(|child| child.works),
                    acts: own.acts || children.iter().any(|child| child.acts),
                    ..own
                }
            }
        };
    }
    all
}

fn of_node(item: &Item, kind: &NodeKind, children: &[Answers]) -> Answers {
    use Statuses as S;
    let child = || children.first().copied().unwrap_or(Answers::ANY);
    // What a parameter gives is not known.
    let known = |part: Part| !item.place.holes.iter().any(|hole| hole.part == part);
    let no_time = |time: &Duration| time.as_micros() == 0;
    match kind {
        NodeKind::Sequence => in_order(children, S::SUCCESS),
        NodeKind::Selector => in_order(children, S::FAILURE),
        NodeKind::ReactiveSequence => from_the_first(children, S::SUCCESS),
        NodeKind::ReactiveSelector => from_the_first(children, S::FAILURE),
        NodeKind::RandomSequence => in_any_order(children, S::SUCCESS),
        NodeKind::RandomSelector => in_any_order(children, S::FAILURE),
        NodeKind::Parallel { success, failure } => {
            let count = |threshold: &Threshold, part: Part| match threshold {
                Threshold::All => Some(children.len()),
                Threshold::Count(count) => known(part).then_some(*count as usize),
            };
            let (success, failure) = (count(success, Part::Success), count(failure, Part::Failure));
            let each = |all: bool| side_by_side(children, all, success, failure);
            Answers::new(each(false), each(true))
        }
        NodeKind::Concurrent => in_any_order(children, S::SUCCESS),
        NodeKind::Switch { cases, .. } => {
            let one = children.iter().fold(
                Answers::new(S::NONE, S::NONE),
                // A tick may choose another child than the last one, which then starts.
                |sum, child| Answers::new(sum.first | child.first, sum.later | child.all()),
            );
            match cases.last() {
                Some(None) => one,
                _ => one.or(S::FAILURE),
            }
        }
        NodeKind::IfThenElse | NodeKind::WhileDoElse => {
            let test = child();
            let branch = |at: usize| match children.get(at) {
                Some(branch) => *branch,
                None => Answers::new(S::FAILURE, S::NONE),
            };
            let (yes, no) = (branch(1), branch(2));
            let go = |test: Statuses, yes: Statuses, no: Statuses| {
                S::RUNNING.when(test.has(S::RUNNING))
                    | yes.when(test.has(S::SUCCESS))
                    | no.when(test.has(S::BAD))
            };
            let later = match kind {
                NodeKind::IfThenElse => {
                    go(test.later, yes.first, no.first)
                        | yes.later.when(test.all().has(S::SUCCESS))
                        | no.later.when(test.all().has(S::BAD))
                }
                _ => go(test.all(), yes.all(), no.all()),
            };
            Answers::new(go(test.first, yes.first, no.first), later)
        }
        NodeKind::Invert => child().map(S::FAILURE, S::SUCCESS),
        NodeKind::Succeeder => child().map(S::SUCCESS, S::SUCCESS),
        NodeKind::Failer => child().map(S::FAILURE, S::FAILURE),
        NodeKind::Repeat {
            times,
            break_on_failure,
        } => {
            let rounds = Rounds::new(*times, known(Part::Times), S::SUCCESS);
            let failure = match break_on_failure {
                true => (S::FAILURE, S::FAILURE),
                false => (rounds.first, rounds.later),
            };
            let mut child = child();
            // A round that was skipped is one, too.
            if !break_on_failure && child.all().has(S::SKIPPED) {
                child.first |= S::SUCCESS;
            }
            rounds.looped(child, (rounds.first, rounds.later), failure)
        }
        NodeKind::RepeatUntilFailure { max } => {
            let rounds = Rounds::new(*max, known(Part::Times), S::SUCCESS);
            let on = (rounds.first, rounds.later);
            rounds.looped(child(), on, (S::FAILURE, S::FAILURE))
        }
        NodeKind::RepeatUntilSuccess { max } => {
            let rounds = Rounds::new(*max, known(Part::Times), S::FAILURE);
            let on = (rounds.first, rounds.later);
            rounds.looped(child(), (S::SUCCESS, S::SUCCESS), on)
        }
        NodeKind::Cooldown(_) => Answers::new(child().first | S::FAILURE, child().later),
        NodeKind::Timeout(time) => {
            let child = child();
            match no_time(time) && known(Part::Time) {
                true => Answers::new(
                    child.first.without(S::RUNNING) | S::FAILURE.when(child.first.has(S::RUNNING)),
                    S::NONE,
                ),
                false => Answers::new(
                    child.first | S::FAILURE.when(!known(Part::Time)),
                    child.later | S::FAILURE,
                ),
            }
        }
        NodeKind::Delay(time) => {
            let child = child();
            let first = match (no_time(time), known(Part::Time)) {
                (true, true) => child.first,
                (false, true) => S::RUNNING,
                (_, false) => child.first | S::RUNNING,
            };
            Answers {
                works: true,
                ..Answers::new(first, child.all() | S::RUNNING)
            }
        }
        NodeKind::RunOnce => {
            // What it answered once, it answers at once from then on.
            let child = child();
            Answers::new(child.first | child.all().without(S::RUNNING), child.later)
        }
        NodeKind::When(test) => match truth(test) {
            Some(true) => child(),
            Some(false) => Answers::new(S::FAILURE, S::NONE),
            None => Answers::new(child().first | S::FAILURE, child().later),
        },
        NodeKind::While(test) => match truth(test) {
            Some(true) => child(),
            Some(false) => Answers::new(S::FAILURE, S::NONE),
            None => child().or(S::FAILURE),
        },
        NodeKind::DoneWhen(test) => match truth(test) {
            Some(true) => Answers::new(S::SUCCESS, S::NONE),
            Some(false) => child(),
            None => child().or(S::SUCCESS),
        },
        NodeKind::AbortWhen(_) => Answers {
            acts: true,
            ..child()
        },
        NodeKind::Condition(test) => Answers::new(
            match truth(test) {
                Some(true) => S::SUCCESS,
                Some(false) => S::FAILURE,
                None => S::FINISHED,
            },
            S::NONE,
        ),
        NodeKind::Query(_) => Answers {
            acts: true,
            ..Answers::new(S::FINISHED, S::NONE)
        },
        NodeKind::Action(_) => Answers {
            works: true,
            acts: true,
            ..Answers::new(S::RUNNING, S::ANSWERED)
        },
        NodeKind::PersistentAction(_) | NodeKind::Task(_) => Answers {
            acts: true,
            ..Answers::new(S::ANSWERED, S::ANSWERED)
        },
        NodeKind::Set { .. } => Answers {
            acts: true,
            ..Answers::new(S::SUCCESS, S::NONE)
        },
        NodeKind::Wait(time) | NodeKind::WaitBetween { min: time, .. } => {
            // The shorter time may be none, and the longer one some.
            let longest = match kind {
                NodeKind::WaitBetween { max, .. } => max,
                _ => time,
            };
            let at_once = no_time(time) || !known(Part::Time);
            let waits = !no_time(longest) || !known(Part::Time) || !known(Part::Longest);
            Answers {
                works: waits,
                ..Answers::new(
                    S::SUCCESS.when(at_once) | S::RUNNING.when(waits),
                    (S::SUCCESS | S::RUNNING).when(waits),
                )
            }
        }
        NodeKind::KeepSequence => kept(children, S::SUCCESS),
        NodeKind::SkipIf(_) => Answers::new(child().first | S::SKIPPED, child().later),
        NodeKind::SuccessIf(_) => Answers::new(child().first | S::SUCCESS, child().later),
        NodeKind::SkipUnless(_) => child().or(S::SKIPPED),
        NodeKind::RunOnceThenSkip => Answers::new(child().first | S::SKIPPED, child().later),
        NodeKind::OnSuccess { .. }
        | NodeKind::OnFailure { .. }
        | NodeKind::OnFinish { .. }
        | NodeKind::OnHalted { .. } => Answers {
            acts: true,
            ..child()
        },
        NodeKind::PipelineSequence => kept(children, S::SUCCESS),
        // Where it begins, and whether it goes on in the next tick, its last answers say.
        NodeKind::RoundRobin => kept(children, S::FAILURE).or(S::RUNNING),
        NodeKind::Recovery { .. } => {
            let remedy = children.get(1).copied().unwrap_or(Answers::ANY);
            let each = |all: bool| {
                let main = set(&child(), all);
                let tried = set(&remedy, all).without(S::SUCCESS) | S::FAILURE | S::RUNNING;
                main.without(S::FAILURE)
                    | S::SUCCESS.when(main.has(S::SKIPPED))
                    | tried.when(main.has(S::FAILURE))
            };
            Answers::new(each(false), each(true) | each(false))
        }
        NodeKind::RateController(_) => child().or(S::RUNNING),
        NodeKind::Succeed => Answers::new(S::SUCCESS, S::NONE),
        NodeKind::Fail => Answers::new(S::FAILURE, S::NONE),
        NodeKind::Idle => Answers::new(S::RUNNING, S::RUNNING),
    }
}

/// A child's answers in the tick in which its parent starts, or in any.
fn set(child: &Answers, all: bool) -> Statuses {
    if all { child.all() } else { child.first }
}

/// What makes a composite go on to its next child: the answer that it gives in the end, and skipped.
fn passing(end: Statuses) -> Statuses {
    end | Statuses::SKIPPED
}

/// What a composite answers behind its last child: skipped, if all of them may have been.
fn behind_all(end: Statuses, children: &[Answers]) -> Statuses {
    let skips = |child: &Answers| child.all().has(Statuses::SKIPPED);
    end | Statuses::SKIPPED.when(children.iter().all(skips))
}

/// Children one behind the other, each of which may end it.
fn one_by_one(children: &[Answers], all: bool, end: Statuses) -> Statuses {
    let pass = passing(end);
    let mut answers = Statuses::NONE;
    for child in children {
        let set = set(child, all);
        answers |= set.without(pass);
        if !set.has(pass) {
            return answers;
        }
    }
    answers | behind_all(end, children)
}

/// Sequence and Selector, which go on at the child that was running.
fn in_order(children: &[Answers], end: Statuses) -> Answers {
    let pass = passing(end);
    let blocked = children.iter().position(|child| !child.all().has(pass));
    let reached = &children[..blocked.map_or(children.len(), |last| last + 1)];
    let mut later = Statuses::NONE;
    // What comes of all children behind the one at hand.
    let mut rest = behind_all(end, children);
    for child in reached.iter().rev() {
        later |= child.later.without(pass) | rest.when(child.later.has(pass));
        rest = child.first.without(pass) | rest.when(child.first.has(pass));
    }
    Answers::new(one_by_one(children, false, end), later)
}

/// ReactiveSequence and ReactiveSelector, which begin with the first child in each tick.
fn from_the_first(children: &[Answers], end: Statuses) -> Answers {
    Answers::new(
        one_by_one(children, false, end),
        one_by_one(children, true, end),
    )
}

/// Children of which any may be the first, and all are needed for `end`.
fn in_any_order(children: &[Answers], end: Statuses) -> Answers {
    let pass = passing(end);
    let each = |all: bool| {
        let sets = children.iter().map(|child| set(child, all));
        let any = sets.clone().fold(Statuses::NONE, Statuses::bitor);
        let all = sets.clone().all(|set| set.has(pass));
        any.without(pass) | behind_all(end, children).when(all)
    };
    Answers::new(each(false), each(true))
}

/// The same, where children that have answered well are kept for the next start.
fn kept(children: &[Answers], end: Statuses) -> Answers {
    let pass = passing(end);
    let all = children.iter().all(|child| child.all().has(pass));
    let each = |every: bool| {
        let sets = children.iter().map(|child| set(child, every));
        let any = sets.fold(Statuses::NONE, Statuses::bitor);
        any.without(pass) | behind_all(end, children).when(all)
    };
    Answers::new(each(false), each(true))
}

/// A Parallel; thresholds that a parameter gives are `None`.
fn side_by_side(
    children: &[Answers],
    all: bool,
    success: Option<usize>,
    failure: Option<usize>,
) -> Statuses {
    use Statuses as S;
    let sets = || children.iter().map(|child| set(child, all));
    let number = |of: Statuses| sets().filter(|set| set.has(of)).count();
    let finish = sets().all(|set| set.has(S::FINISHED | S::SKIPPED));
    // Those that succeed if they finish.
    let sure = sets()
        .filter(|set| set.has(S::SUCCESS) && !set.has(S::FAILURE))
        .count();
    let fails = number(S::FAILURE) >= failure.unwrap_or(0)
        // All have finished, and not enough of them well.
        || finish && success.is_none_or(|success| sure < success);
    let skipped = number(S::SKIPPED);
    S::SUCCESS.when(number(S::GOOD) >= success.unwrap_or(0))
        | S::FAILURE.when(fails)
        // Where a number is needed, it waits for who is skipped.
        | S::RUNNING.when(number(S::RUNNING) + skipped > 0)
        | S::SKIPPED.when(skipped == children.len())
}

/// What a loop answers when a round is over and does not end it for another reason.
struct Rounds {
    first: Statuses,
    later: Statuses,
}

impl Rounds {
    /// A loop of so many rounds, behind the last of which it answers `end`.
    fn new(times: Option<u32>, known: bool, end: Statuses) -> Rounds {
        let running = Statuses::RUNNING;
        match times {
            _ if !known => Rounds {
                first: end | running,
                later: end | running,
            },
            None => Rounds {
                first: running,
                later: running,
            },
            // A child that ran in the first round may end in a later tick.
            Some(1) => Rounds {
                first: end,
                later: end,
            },
            Some(_) => Rounds {
                first: running,
                later: end | running,
            },
        }
    }

    /// The loop around a child, each of whose answers means so much in the first tick and in later ones.
    fn looped(
        &self,
        child: Answers,
        success: (Statuses, Statuses),
        failure: (Statuses, Statuses),
    ) -> Answers {
        Answers::new(
            child.first.map(success.0, failure.0),
            child.all().map(success.1, failure.1),
        )
    }
}

/// What an expression is that is `true` or `false`.
pub(super) fn truth(test: &Expr) -> Option<bool> {
    match test.kind {
        ExprKind::Bool(value) => Some(value),
        _ => None,
    }
}
