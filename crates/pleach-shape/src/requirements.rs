//! What a run of a shape will need, known before it starts.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::layout::{BLOCK_LANES, BlockLayout};
use crate::op::Op;
use crate::tables::{GroupDef, Tables};
use crate::token::Token;

/// Everything a run needs: token counts, capacities, slots and bytes.
///
/// Each bound is exact in two senses: no run exceeds it, and for the capacities some tree and data
/// reach it (the property tests check both).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Requirements {
    /// Tokens of the plain stream: one a node.
    pub plain_tokens: u32,
    /// Tokens of the guarded stream: `2 * plain_tokens - 1`.
    pub guarded_tokens: u32,
    /// The most parents open at once: frames of the traversal stack. 0 for a single leaf.
    pub max_depth: u32,
    /// The most records an actor's state stream can hold, in the pure stream and on the traversal
    /// stack.
    pub state_capacity: u32,
    /// The most records a walk can hold while it is under way: at least `state_capacity`, more
    /// where a Parallel collects children that all finish within the tick.
    pub walk_capacity: u32,
    /// The most records an actor's state stream can hold in the threaded stream.
    pub leaf_capacity: u32,
    /// The most records a walk over the threaded stream can hold while it is under way.
    pub leaf_walk_capacity: u32,
    /// Planes of the lanes kernel, one bit an actor each: running leaves, loops and Delays that run by
    /// themselves, finished children.
    pub marks: u32,
    /// The most deferred actions one actor can request in a tick.
    pub request_capacity: u32,
    /// The most groups (Parallel, Concurrent, Timeout) open at once.
    pub group_levels: u32,
    /// Deferred action slots.
    pub deferred_slots: u32,
    /// Persistent action slots.
    pub persistent_slots: u32,
    /// Task leaves.
    pub tasks: u32,
    /// Timer slots.
    pub timer_slots: u32,
    /// Counters of loops; one that goes on for ever counts nothing.
    pub counter_slots: u32,
    /// Blackboard columns.
    pub columns: u32,
    /// World values.
    pub world_values: u32,
    /// Bytes an actor's blackboard columns take, rounded up.
    pub column_bytes_per_actor: u64,
    /// Bytes of state an actor carries from tick to tick besides its columns (whether it is alive and
    /// loaded, results, marks, counters, orders, latches, timers), rounded up.
    pub state_bytes_per_actor: u64,
    /// Bytes a tick writes for others to read (root status, launches, cancels), rounded up.
    pub output_bytes_per_actor: u64,
    /// Bytes an actor takes besides those while a kernel runs it that walks one actor at a time: its
    /// state stream and the stream's length, in the longer of its two forms.
    pub stream_bytes_per_actor: u64,
    /// Bytes of a block of 512 actors: columns, state and output, without state streams.
    pub block_bytes: u64,
    /// Bytes of the shape: plain and guarded stream and side tables, texts included.
    pub shape_bytes: u64,
}

/// What one subtree can need; combined from the leaves up.
#[derive(Clone, Copy, Default)]
struct Need {
    /// Whether the subtree can answer Running at all.
    runs: bool,
    records: u32,
    walk: u32,
    requests: u32,
    depth: u32,
}

impl Need {
    /// The need of a parent under which one child at a time is open: the greatest of each.
    fn either(self, other: Need) -> Need {
        Need {
            runs: self.runs || other.runs,
            records: self.records.max(other.records),
            walk: self.walk.max(other.walk),
            requests: self.requests.max(other.requests),
            depth: self.depth.max(other.depth),
        }
    }

    /// The need of a parent under which all children may be open: sums, but depth.
    fn both(self, other: Need) -> Need {
        Need {
            runs: self.runs || other.runs,
            records: self.records + other.records,
            walk: self.walk + other.walk,
            requests: self.requests + other.requests,
            depth: self.depth.max(other.depth),
        }
    }
}

impl Requirements {
    /// Computes the requirements of a plain stream whose structure is verified.
    pub(crate) fn of(plain: &[Token], guarded: usize, tables: &Tables) -> Requirements {
        let need = needs(plain, tables, Form::Parents);
        let leaf_need = needs(plain, tables, Form::Leaves);
        let marks = count_marks(plain);
        let layout = BlockLayout::of(tables, marks as usize);
        let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        Requirements {
            plain_tokens: count(plain.len()),
            guarded_tokens: count(guarded),
            max_depth: need.depth,
            state_capacity: need.records,
            walk_capacity: need.walk,
            leaf_capacity: leaf_need.records,
            leaf_walk_capacity: leaf_need.walk,
            marks,
            request_capacity: need.requests,
            group_levels: tables
                .groups
                .iter()
                .map(|group| group.level + 1)
                .max()
                .unwrap_or(0),
            deferred_slots: count(tables.deferred.len()),
            persistent_slots: count(tables.persistent.len()),
            tasks: count(
                plain
                    .iter()
                    .filter(|token| token.op() == Some(Op::Task))
                    .count(),
            ),
            timer_slots: count(tables.timers.len()),
            counter_slots: count(tables.loops.iter().filter(|def| def.limit > 0).count()),
            columns: count(tables.columns.len()),
            world_values: count(tables.world.len()),
            column_bytes_per_actor: layout.column_bytes_per_actor() as u64,
            state_bytes_per_actor: layout.state_bits_per_actor().div_ceil(8) as u64,
            output_bytes_per_actor: layout.output_bits_per_actor().div_ceil(8) as u64,
            stream_bytes_per_actor: stream_bytes(need.records).max(stream_bytes(leaf_need.records)),
            block_bytes: layout.block_bytes() as u64,
            shape_bytes: shape_bytes(plain.len(), guarded, tables),
        }
    }

    /// Bytes an actor takes in its block, rounded up: a block's bytes by its 512 lanes. Kernels that walk
    /// one actor at a time add [`stream_bytes_per_actor`](Requirements::stream_bytes_per_actor) at most.
    pub const fn bytes_per_actor(&self) -> u64 {
        self.block_bytes.div_ceil(BLOCK_LANES as u64)
    }
}

/// What the records of a state stream are about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Parents that remember a child or run by themselves, Tasks and Waits; finished children of a Parallel.
    Parents,
    /// Running leaves, and parents that run by themselves; finished children of a Parallel.
    Leaves,
}

/// Bytes of an actor's state stream of that many records, with its length.
pub const fn stream_bytes(records: u32) -> u64 {
    match records {
        0 => 0,
        _ => records as u64 * size_of::<crate::StateRecord>() as u64 + 4,
    }
}

/// How many marks the threaded stream has: see [`Mark`](crate::Mark).
fn count_marks(plain: &[Token]) -> u32 {
    let mut remembered = vec![false; plain.len()];
    let mut marks = 0;
    for (index, token) in plain.iter().enumerate() {
        let parent = plain.get(token.link as usize).and_then(Token::op);
        if let Some(parent) = parent {
            remembered[index] = parent.remembers() || remembered[token.link as usize];
            marks += if parent == Op::Parallel { 2 } else { 0 };
        }
        marks += match token.op() {
            Some(Op::Task | Op::Wait) => 1,
            Some(op) if op.runs_itself() => 1,
            Some(Op::Idle | Op::PersistentAction) => u32::from(remembered[index]),
            _ => 0,
        };
    }
    marks
}

/// From the last token to the first, so that children are known before their parent; no recursion.
fn needs(plain: &[Token], tables: &Tables, form: Form) -> Need {
    let leaves = u32::from(form == Form::Leaves);

    let mut needs: Vec<Need> = vec![Need::default(); plain.len()];
    for index in (0..plain.len()).rev() {
        let token = plain[index];
        let Some(op) = token.op() else { continue };
        let children = |combine: fn(Need, Need) -> Need, each: fn(Need) -> Need| {
            let mut total = Need::default();
            let mut child = index + 1;
            while child < token.end as usize {
                total = combine(total, each(needs[child]));
                child = plain[child].end as usize;
            }
            total.depth += 1;
            total
        };
        let same: fn(Need) -> Need = |need| need;
        // A parent that remembers its running child has a record for it.
        let remembering = |mut need: Need| {
            let record = u32::from(need.runs && form == Form::Parents);
            need.records += record;
            need.walk += record;
            need
        };
        needs[index] = match op {
            Op::Sequence
            | Op::Selector
            | Op::RandomSequence
            | Op::RandomSelector
            | Op::IfThenElse
            | Op::When
            | Op::Cooldown
            | Op::Timeout
            | Op::RunOnce => remembering(children(Need::either, same)),
            Op::Delay | Op::Repeat | Op::RepeatUntilFailure | Op::RepeatUntilSuccess => {
                // Before the child, or between two iterations, it runs by itself.
                let mut need = remembering(children(Need::either, same));
                need.runs = true;
                need.records = need.records.max(1);
                need.walk = need.walk.max(1);
                need
            }
            Op::ReactiveSequence
            | Op::ReactiveSelector
            | Op::Switch
            | Op::WhileDoElse
            | Op::While
            | Op::DoneWhen
            | Op::AbortWhen
            | Op::Invert
            | Op::Succeeder
            | Op::Failer => children(Need::either, same),
            Op::Concurrent => children(Need::both, same),
            Op::Parallel => {
                let mut need = children(Need::both, |child| Need {
                    walk: child.walk.max(1),
                    ..child
                });
                let group = tables.groups.get(token.operand as usize);
                let records = group.and_then(|group| parallel_records(plain, &needs, index, group));
                need.runs = records.is_some();
                need.records = records.unwrap_or(0);
                need
            }
            Op::Task | Op::Wait => Need {
                runs: true,
                records: 1,
                walk: 1,
                ..Need::default()
            },
            Op::Action => Need {
                runs: true,
                requests: 1,
                records: leaves,
                walk: leaves,
                ..Need::default()
            },
            Op::PersistentAction | Op::Idle => Need {
                runs: true,
                records: leaves,
                walk: leaves,
                ..Need::default()
            },
            Op::Condition | Op::Query | Op::Set | Op::Succeed | Op::Fail => Need::default(),
            Op::Guard
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
            | Op::GuardRunOnce => Need::default(),
        };
    }
    needs.first().copied().unwrap_or_default()
}

/// The most records the children of a running Parallel keep, or `None` if it is always decided
/// within the tick.
///
/// While it runs, fewer children have succeeded than it needs, and fewer have failed: that limits
/// how many can be done. A child that cannot run is done after the first visit; one that can
/// leaves either what it keeps or, done, one record, which is more only if it keeps none (a
/// running action). At least one child runs.
fn parallel_records(
    plain: &[Token],
    needs: &[Need],
    index: usize,
    group: &GroupDef,
) -> Option<u32> {
    let done_limit =
        (group.success.saturating_sub(1)).saturating_add(group.failure.saturating_sub(1));
    let (mut instant, mut keeping, mut recordless, mut records) = (0u32, 0u32, 0u32, 0u32);
    let mut child = index + 1;
    while child < plain[index].end as usize {
        let need = needs[child];
        match (need.runs, need.records) {
            (false, _) => instant += 1,
            (true, 0) => recordless += 1,
            (true, kept) => {
                keeping += 1;
                records += kept;
            }
        }
        child = plain[child].end as usize;
    }
    if instant > done_limit || keeping + recordless == 0 {
        return None;
    }
    let may_finish = if keeping > 0 {
        recordless
    } else {
        recordless - 1
    };
    Some(records + instant + may_finish.min(done_limit - instant))
}

fn shape_bytes(plain: usize, guarded: usize, tables: &Tables) -> u64 {
    let table = |bytes: &[u8]| bytes.len();
    let texts: usize = tables.names.iter().map(|name| name.len()).sum();
    let bytes = (plain + guarded) * size_of::<Token>()
        + plain * size_of::<u32>()
        + texts
        + table(bytemuck::cast_slice(&tables.nodes))
        + table(bytemuck::cast_slice(&tables.columns))
        + table(bytemuck::cast_slice(&tables.world))
        + table(bytemuck::cast_slice(&tables.exprs))
        + table(bytemuck::cast_slice(&tables.code))
        + table(bytemuck::cast_slice(&tables.constants))
        + table(bytemuck::cast_slice(&tables.actions))
        + table(bytemuck::cast_slice(&tables.deferred))
        + table(bytemuck::cast_slice(&tables.persistent))
        + table(bytemuck::cast_slice(&tables.functions))
        + table(bytemuck::cast_slice(&tables.sets))
        + table(bytemuck::cast_slice(&tables.timers))
        + table(bytemuck::cast_slice(&tables.groups))
        + table(bytemuck::cast_slice(&tables.loops))
        + table(bytemuck::cast_slice(&tables.randoms))
        + table(bytemuck::cast_slice(&tables.switches))
        + table(bytemuck::cast_slice(&tables.cases))
        + table(bytemuck::cast_slice(&tables.latches))
        + table(bytemuck::cast_slice(&tables.params));
    bytes as u64
}

/// A number and what it counts: "1 frame", "2 frames".
struct Counted(u32, &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.0 == 1 { "" } else { "s" };
        write!(f, "{} {}{plural}", self.0, self.1)
    }
}

impl fmt::Display for Requirements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = Counted;
        writeln!(
            f,
            "tokens            {} plain, {} guarded",
            self.plain_tokens, self.guarded_tokens
        )?;
        writeln!(f, "traversal stack   {}", count(self.max_depth, "frame"))?;
        writeln!(
            f,
            "state stream      at most {} of 8 bytes, threaded {}; lanes {}",
            count(self.state_capacity, "record"),
            self.leaf_capacity,
            count(self.marks, "plane")
        )?;
        writeln!(
            f,
            "requests          at most {} an actor and tick",
            self.request_capacity
        )?;
        writeln!(
            f,
            "slots             {} deferred, {} persistent, {}, {}",
            self.deferred_slots,
            self.persistent_slots,
            count(self.timer_slots, "timer"),
            count(self.tasks, "task")
        )?;
        writeln!(
            f,
            "blackboard        {}, {}",
            count(self.columns, "column"),
            count(self.world_values, "world value")
        )?;
        writeln!(
            f,
            "an actor          {} bytes of columns, {} of state, {} of requests and status; a block of {BLOCK_LANES} actors {} bytes",
            self.column_bytes_per_actor,
            self.state_bytes_per_actor,
            self.output_bytes_per_actor,
            self.block_bytes
        )?;
        write!(
            f,
            "the shape         {} bytes, shared by all actors",
            self.shape_bytes
        )
    }
}
