//! From one form of state to another, through the running leaves.
//!
//! Which leaves run, and which children of running Parallels have finished, says everything: an actor
//! runs a Sequence exactly if it runs a leaf below it, and then the child in between is the one that it
//! resumes at. So all forms convert without loss, and a population can change its kernel between any two
//! ticks.

use pleach_shape::{Mark, Op, Shape, StateRecord};

use crate::block::{Block, slot};
use crate::stream::{Form, Streams};

/// The running leaves of a lane and the finished children, ascending by node, in the form of
/// [`Form::Leaves`]. (Leaves that no parent remembers and that keep nothing themselves, such as an Idle
/// under reactive parents, may be missing: nothing depends on them.)
pub(crate) fn leaves(shape: &Shape, block: &Block, lane: usize) -> Vec<StateRecord> {
    let mut found = match block.form {
        Form::Leaves => return block.streams.of(lane).to_vec(),
        Form::Marks => marked(shape, block, lane),
        Form::Parents => from_parents(shape, block.streams.of(lane)),
    };
    for slot in block.occupied.slots.iter() {
        let layout = shape.layout();
        let outstanding =
            *block.slot(layout, slot, slot::WAITING) | *block.slot(layout, slot, slot::ANSWERED);
        if outstanding.get(lane) {
            let node = shape.tables().deferred[slot].node;
            found.push(StateRecord {
                node,
                value: StateRecord::RUNS,
            });
        }
    }
    found.sort_unstable();
    if block.form == Form::Parents {
        recordless(shape, block.streams.of(lane), &mut found);
    }
    found
}

/// The same for a lane that has been walked in this tick, whose requests are not merged yet: a wanted
/// action runs.
pub(crate) fn leaves_now(shape: &Shape, block: &Block, lane: usize) -> Vec<StateRecord> {
    let mut found = from_parents(shape, block.streams.of(lane));
    for slot in block.occupied.slots.iter() {
        if block.slot(shape.layout(), slot, slot::LAUNCHED).get(lane) {
            let node = shape.tables().deferred[slot].node;
            found.push(StateRecord {
                node,
                value: StateRecord::RUNS,
            });
        }
    }
    found.sort_unstable();
    recordless(shape, block.streams.of(lane), &mut found);
    found
}

fn marked(shape: &Shape, block: &Block, lane: usize) -> Vec<StateRecord> {
    let marks = &block.lines[shape.layout().marks..];
    let held = block
        .occupied
        .marks
        .iter()
        .filter(|&mark| marks[mark].get(lane));
    held.map(|mark| match shape.threaded().marks[mark] {
        Mark::Runs { node } => (node, StateRecord::RUNS),
        Mark::DoneSuccess { node } => (node, StateRecord::DONE_SUCCESS),
        Mark::DoneFailure { node } => (node, StateRecord::DONE_FAILURE),
    })
    .map(|(node, value)| StateRecord { node, value })
    .collect()
}

/// Tasks, timers, loops between two iterations and finished children: what has a record of its own in both
/// forms of streams.
fn from_parents(shape: &Shape, records: &[StateRecord]) -> Vec<StateRecord> {
    let own = |record: &&StateRecord| !is_of_child(shape, **record);
    records.iter().filter(own).copied().collect()
}

/// Whether a record says which child of its node runs.
fn is_of_child(shape: &Shape, record: StateRecord) -> bool {
    record.done_status().is_none()
        && record.value != StateRecord::RUNS
        && op(shape, record.node).remembers()
}

fn op(shape: &Shape, node: u32) -> Op {
    shape.plain()[node as usize].op().unwrap_or(Op::Fail)
}

/// Known records by node, ready to be asked whether anything runs in a range of nodes.
struct Running<'a> {
    known: &'a [StateRecord],
    /// How many of those before each one run; one more at the end.
    before: Vec<u32>,
}

impl<'a> Running<'a> {
    fn new(known: &'a [StateRecord]) -> Running<'a> {
        let mut before = vec![0];
        for record in known {
            let runs = u32::from(record.done_status().is_none());
            before.push(before[before.len() - 1] + runs);
        }
        Running { known, before }
    }

    fn within(&self, first: u32, end: u32) -> bool {
        let place = |node| self.known.partition_point(|known| known.node < node);
        self.before[place(first)] < self.before[place(end)]
    }
}

/// Adds the leaves that run without a trace of their own, an Idle or a persistent action: a parent
/// remembers a child, and nothing else below it is known to run.
fn recordless(shape: &Shape, records: &[StateRecord], found: &mut Vec<StateRecord>) {
    let plain = shape.plain();
    let mut added = Vec::new();
    let (leaves, parents) = (Running::new(found), Running::new(records));
    for record in records {
        if !is_of_child(shape, *record) {
            continue;
        }
        let (child, end) = (record.value, plain[record.value as usize].end);
        // A parent further down that remembers a child is looked at in its turn.
        if leaves.within(child, end) || parents.within(child, end) {
            continue;
        }
        let mut node = child;
        while node < end {
            let done = found
                .binary_search_by_key(&node, |known| known.node)
                .is_ok_and(|place| found[place].done_status().is_some());
            match op(shape, node) {
                Op::Idle | Op::PersistentAction if !done => {
                    added.push(StateRecord {
                        node,
                        value: StateRecord::RUNS,
                    });
                    break;
                }
                op if op.remembers() => node = plain[node as usize].end,
                _ if done => node = plain[node as usize].end,
                _ => node += 1,
            }
        }
    }
    found.extend(added);
    found.sort_unstable();
}

/// The records of [`Form::Parents`], the canonical form, from running leaves and finished children.
pub(crate) fn parents(shape: &Shape, leaves: &[StateRecord]) -> Vec<StateRecord> {
    let plain = shape.plain();
    let mut records = Vec::new();
    // The running leaf before, if there is one.
    let mut before = None;
    for &leaf in leaves {
        if leaf.done_status().is_some() {
            records.push(leaf);
            continue;
        }
        let own = op(shape, leaf.node);
        if matches!(own, Op::Task | Op::Wait) || own.runs_itself() {
            records.push(leaf);
        }
        let mut child = leaf.node;
        while let Some(parent) = plain.get(plain[child as usize].link as usize) {
            let above = plain[child as usize].link;
            // What holds both leaves, several of a group, is known from the one before.
            if before.is_some_and(|before| above < before) {
                break;
            }
            if parent.op().is_some_and(Op::remembers) {
                records.push(StateRecord {
                    node: above,
                    value: child,
                });
            }
            child = above;
        }
        before = Some(leaf.node);
    }
    records.sort_unstable();
    records
}

/// Writes a block's state down in another form. Where the memory for it cannot be had the block stays
/// as it is, and goes on with a kernel of that form.
pub(crate) fn convert(shape: &Shape, block: &mut Block, form: Form) {
    let Ok(mut streams) = Streams::new(form, shape.requirements()) else {
        return;
    };
    let layout = shape.layout();
    let loaded = *block.control(layout, crate::block::control::LOADED)
        | *block.control(layout, crate::block::control::LEAVING);
    for lane in loaded.lanes() {
        let found = leaves(shape, block, lane);
        match form {
            Form::Leaves => streams.put(lane, &found),
            Form::Parents => streams.put(lane, &parents(shape, &found)),
            Form::Marks => put_marks(shape, block, lane, &found),
        }
    }
    if form != Form::Marks {
        for mark in block.occupied.marks.iter() {
            block.lines[layout.marks + mark] = crate::plane::Plane::EMPTY;
        }
        block.occupied.marks.clear();
    }
    block.streams = streams;
    block.form = form;
}

/// Sets a lane's marks, which must be empty.
fn put_marks(shape: &Shape, block: &mut Block, lane: usize, leaves: &[StateRecord]) {
    let marks = &shape.threaded().marks;
    for record in leaves {
        let first = marks.partition_point(|mark| mark.node() < record.node);
        let fits = |mark: &Mark| match mark {
            Mark::Runs { .. } => record.done_status().is_none(),
            Mark::DoneSuccess { .. } => record.value == StateRecord::DONE_SUCCESS,
            Mark::DoneFailure { .. } => record.value == StateRecord::DONE_FAILURE,
        };
        let mut of_node =
            (first..marks.len()).take_while(|&mark| marks[mark].node() == record.node);
        if let Some(mark) = of_node.find(|&mark| fits(&marks[mark])) {
            block.lines[shape.layout().marks + mark].put(lane, true);
            block.occupied.marks.insert(mark);
        }
    }
}

/// A lane's state in the canonical form.
pub(crate) fn canonical(shape: &Shape, block: &Block, lane: usize) -> Vec<StateRecord> {
    match block.form {
        Form::Parents => block.streams.of(lane).to_vec(),
        Form::Leaves | Form::Marks => parents(shape, &leaves(shape, block, lane)),
    }
}

/// Replaces the marks of a lane.
pub(crate) fn replace_marks(shape: &Shape, block: &mut Block, lane: usize, leaves: &[StateRecord]) {
    for mark in 0..shape.threaded().marks.len() {
        block.lines[shape.layout().marks + mark].put(lane, false);
    }
    put_marks(shape, block, lane, leaves);
}
