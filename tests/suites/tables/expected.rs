//! R1 and R2 by the plainest means: from an actor's visits, and from what it ran before and behind a tick.

use std::collections::BTreeSet;

use pleach_shape::{Op, Shape, Status, TokenIndex};
use pleach_tests::observation::Visit;
use pleach_vm::ActorId;
use pleach_vm::table::{ActorSet, NodeTable, TableError};

use crate::story::Told;

/// The sets of a node's table, each by place.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Table {
    pub(crate) active: Vec<ActorId>,
    pub(crate) started: Vec<ActorId>,
    pub(crate) succeeded: Vec<ActorId>,
    pub(crate) failed: Vec<ActorId>,
    pub(crate) aborted: Vec<ActorId>,
    /// As a child: started, and running on.
    pub(crate) selected: Vec<ActorId>,
    pub(crate) needs_to_select: Vec<ActorId>,
    pub(crate) failed_to_select: Vec<ActorId>,
}

/// Of each node the tick before which it began to be watched, if it is.
pub(crate) type Since = [Option<u64>];

/// What one actor's tick says of a node.
struct Seen<'a> {
    told: &'a Told,
    since: &'a Since,
}

impl Seen<'_> {
    /// Whether the node ran before the tick, as far as whoever watches can know: what ran when the watching
    /// began shows when something next happens to the actor.
    fn ran_before(&self, node: u32) -> bool {
        let known = self.since[node as usize]
            .zip(self.told.last)
            .is_some_and(|(since, last)| since <= last);
        known && self.told.before.contains(&node)
    }

    /// Whether it ran when the visits began.
    fn runs_on(&self, node: u32) -> bool {
        let left = self.told.left.as_ref();
        self.ran_before(node) && left.is_none()
    }

    fn visit(&self, node: u32) -> Option<Visit> {
        let trace = self.told.trace.as_ref()?;
        let visit = trace.visits.iter().find(|visit| visit.index == node);
        visit.copied().filter(|visit| visit.answer.is_some())
    }

    fn runs_behind(&self, node: u32) -> bool {
        match self.told.trace {
            Some(_) => self.told.after.contains(&node),
            None => self.runs_on(node),
        }
    }

    /// Whether it was halted within the actor's turn.
    fn halted_in_turn(&self, node: u32) -> bool {
        let trace = self.told.trace.as_ref();
        trace.is_some_and(|trace| trace.halts.contains(&node))
    }

    fn add_to(&self, table: &mut Table, node: u32, children: &[u32]) {
        let put = |list: &mut Vec<ActorId>, is_in| {
            if is_in {
                list.push(self.told.actor);
            }
        };
        let visit = self.visit(node);
        let answer = visit.and_then(|visit| visit.answer);
        let started = visit.is_some() && !self.runs_on(node);
        if let Some(visit) = visit
            && self.told.before.contains(&node) == self.ran_before(node)
        {
            assert_eq!(visit.fresh, started, "two ways to say what is new");
        }
        put(&mut table.active, self.runs_behind(node));
        put(&mut table.started, started);
        put(&mut table.succeeded, answer == Some(Status::Success));
        put(&mut table.failed, answer == Some(Status::Failure));
        let left = self.told.left.as_ref();
        let left = left.is_some_and(|left| left.contains(&node)) && self.ran_before(node);
        let ran = self.runs_on(node) || answer == Some(Status::Running);
        put(
            &mut table.aborted,
            left || (ran && self.halted_in_turn(node)),
        );
        put(&mut table.selected, started && self.runs_behind(node));
        let goes_on = children
            .iter()
            .any(|&child| self.runs_on(child) && self.runs_behind(child));
        let needs = visit.is_some() && !self.halted_in_turn(node) && !goes_on;
        put(&mut table.needs_to_select, needs);
        put(
            &mut table.failed_to_select,
            needs && answer == Some(Status::Failure),
        );
    }
}

/// What a tick must have left in the tables of all nodes, of those that were watched when it began.
pub(crate) fn tables(told: &[Told], tick: u64, since: &Since, children: &[Vec<u32>]) -> Vec<Table> {
    let mut tables = vec![Table::default(); since.len()];
    for told in told {
        let mut nodes: BTreeSet<u32> = told.before.union(&told.after).copied().collect();
        if let Some(trace) = &told.trace {
            nodes.extend(trace.visits.iter().map(|visit| visit.index));
        }
        nodes.retain(|&node| since[node as usize].is_some_and(|since| since <= tick));
        let seen = Seen { told, since };
        for node in nodes {
            seen.add_to(&mut tables[node as usize], node, &children[node as usize]);
        }
    }
    tables
}

/// The children of all nodes.
pub(crate) fn children(shape: &Shape) -> Vec<Vec<u32>> {
    let nodes = (0..shape.len()).map(TokenIndex::from);
    nodes
        .map(|node| shape.children(node).map(|child| child.0).collect())
        .collect()
}

/// Holds a table to what it must be; says which set differs. `was_watched`: in that tick, not only since.
pub(crate) fn compare(
    shape: &Shape,
    (table, was_watched): (NodeTable<'_>, bool),
    expected: &[Table],
    children: &[Vec<u32>],
) -> Result<(), String> {
    let node = table.node();
    let own = &expected[node.at()];
    let mut ended = [own.succeeded.clone(), own.failed.clone()].concat();
    ended.sort_unstable();
    same("active", table.active(), &own.active)?;
    same("started", table.started(), &own.started)?;
    same("succeeded", table.succeeded(), &own.succeeded)?;
    same("failed", table.failed(), &own.failed)?;
    same("ended", table.ended(), &ended)?;
    same("aborted", table.aborted(), &own.aborted)?;
    same("finished(Running)", table.finished(Status::Running), &[])?;

    let op = shape.plain()[node.at()].op();
    let has_one_at_a_time =
        op.is_some_and(Op::is_parent) && !matches!(op, Some(Op::Parallel | Op::Concurrent));
    if !has_one_at_a_time {
        let path = shape.node_path(node);
        let refused = Some(TableError::NoChooser { path, op });
        let refusals = [
            table.needs_to_select().err(),
            table.failed_to_select().err(),
            table.selected().err(),
            table.sequence_index().err(),
        ];
        for refusal in refusals {
            if refusal != refused {
                return Err(format!("{refusal:?} in place of {refused:?}"));
            }
        }
        return Ok(());
    }
    let chooses = |error: TableError| format!("refused: {error}");
    let needs = table.needs_to_select().map_err(chooses)?;
    same("needs_to_select", needs, &own.needs_to_select)?;
    let failed = table.failed_to_select().map_err(chooses)?;
    same("failed_to_select", failed, &own.failed_to_select)?;
    let both = table.selected().map_err(chooses)?;
    let both = both.zip(table.sequence_index().map_err(chooses)?);
    let mut told = Vec::new();
    for ((number, child, selected), (same_number, same_child, runs)) in both {
        if (number, child) != (same_number, same_child) || number as usize != told.len() {
            return Err(format!("child {number} is {child}, and {same_number}"));
        }
        told.push(child.0);
        let expected = &expected[child.at()];
        same(
            &format!("selected, child {number}"),
            selected,
            &expected.selected,
        )?;
        same(
            &format!("sequence_index, child {number}"),
            runs,
            &expected.active,
        )?;
        // Whoever starts a child and runs it had to. (Only the child may have been watched then.)
        let needs = table.needs_to_select().map_err(chooses)?;
        if was_watched && !selected.minus(needs).is_empty() {
            return Err(format!("child {number} is selected without need"));
        }
    }
    if told != children[node.at()] {
        return Err(format!("children {told:?}"));
    }
    Ok(())
}

fn same<'a>(set: &str, found: impl ActorSet<'a>, expected: &[ActorId]) -> Result<(), String> {
    let found: Vec<ActorId> = found.actors().collect();
    if found == expected {
        return Ok(());
    }
    let differ = found.iter().filter(|actor| !expected.contains(actor));
    let others = expected.iter().filter(|actor| !found.contains(actor));
    let (differ, others): (Vec<_>, Vec<_>) = (differ.collect(), others.collect());
    Err(format!(
        "{set}: {differ:?} should not be in, {others:?} should"
    ))
}
