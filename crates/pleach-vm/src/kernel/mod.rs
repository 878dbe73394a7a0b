//! Kernels: several ways to walk one shape, with the same result to the bit.
//!
//! | kernel | walks | keeps open parents in |
//! |---|---|---|
//! | [`pure_stream`] | the guarded stream | nothing: guards know |
//! | [`traversal_stack`] | the plain stream | a stack of frames |
//!
//! Both share [`walk`] (state records, groups, roll-back) and [`leaf`]. What differs is how a parent learns that
//! a child has answered; hold the two files side by side. [`tick_block`] runs one of them for every
//! loaded lane of a block and then turns wanted planes into requests.

mod leaf;
mod pure_stream;
mod requests;
mod traversal_stack;
mod walk;

use pleach_shape::layout::BLOCK_LANES;
use pleach_shape::{Op, Requirements, Shape, StateRecord, Status, Token, TokenFlags};

use crate::actor::ActorId;
use crate::block::{Block, Sections, control, sections};
use crate::host::Function;
use crate::observe::{Event, Nobody, Observer, Recorder};
use crate::plane::Plane;
use crate::report::Tally;
use crate::test::Test;
use walk::Walk;

/// How a population walks its actors. All kernels give the same bits; they differ in speed.
///
/// Which one to choose: the default, unless `pleach bench-modes` says otherwise for your tree on your
/// machine. The pure stream was the faster one for every tree measured so far, by 5 to 20 %; it reads
/// twice the tokens, which would matter where the shape does not fit a core's cache.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Kernel {
    /// The guarded stream, one actor at a time, forward jumps only: twice the tokens, no stack.
    #[default]
    PureStream,
    /// The plain stream with a stack of open parents, one actor at a time.
    TraversalStack,
}

impl Kernel {
    /// All kernels.
    pub const ALL: [Kernel; 2] = [Kernel::PureStream, Kernel::TraversalStack];

    /// The name used on command lines and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Kernel::PureStream => "pure-stream",
            Kernel::TraversalStack => "traversal-stack",
        }
    }
}

impl std::fmt::Display for Kernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// An open parent on the traversal stack, in one word: from below its flags (8 bits), its node (24),
/// the end of its range (32). The verifier's limit on nodes leaves room.
#[derive(Clone, Copy, Default)]
pub(crate) struct Frame(u64);

const _: () = assert!(pleach_shape::MAX_NODES < 1 << 24);

impl Frame {
    #[inline(always)]
    pub(crate) fn new(node: u32, token: Token) -> Frame {
        Frame(u64::from(token.end) << 32 | u64::from(node) << 8 | u64::from(token.flags.bits()))
    }

    #[inline(always)]
    pub(crate) fn node(self) -> u32 {
        self.0 as u32 >> 8
    }

    #[inline(always)]
    pub(crate) fn end(self) -> usize {
        (self.0 >> 32) as usize
    }

    #[inline(always)]
    pub(crate) fn flags(self) -> TokenFlags {
        TokenFlags::from_bits_retain(self.0 as u8)
    }
}

/// Whether a parent that is left with `status` keeps a record: it RECORDS and the status is Running.
/// One test instead of two: Running, shifted, is the flag.
#[inline(always)]
fn records_on(flags: TokenFlags, status: Status) -> bool {
    const _: () = assert!((Status::Running as u8) << 2 == TokenFlags::RECORDS.bits());
    flags.bits() & ((status as u8) << 2) & TokenFlags::RECORDS.bits() != 0
}

/// D1: what a decorator makes of its child's status; `op` is its own or its guard's.
#[inline(always)]
fn mapped(op: u8, status: Status) -> Status {
    if op == Op::Invert as u8 || op == Op::GuardInvert as u8 {
        status.inverted()
    } else if op == Op::Succeeder as u8 || op == Op::GuardSucceeder as u8 {
        status.forced(Status::Success)
    } else {
        status.forced(Status::Failure)
    }
}

/// How the children of an open group have answered.
#[derive(Clone, Copy, Default)]
pub(crate) struct GroupCount {
    pub(crate) successes: u32,
    pub(crate) failures: u32,
    pub(crate) running: u32,
}

/// What a walk works in: allocated with the block, to the sizes that the shape's requirements
/// state, so that no walk allocates.
pub(crate) struct Scratch {
    /// The next state stream, in post-order until it is sorted.
    pub(crate) next: Vec<StateRecord>,
    /// Deferred slots that the actor wants, ascending; kept only where groups may take them back.
    pub(crate) wanted: Vec<u32>,
    /// Tasks to abort behind the visits.
    pub(crate) aborted: Vec<u32>,
    /// The traversal stack: open parents below the innermost one.
    pub(crate) frames: Vec<Frame>,
    /// One for each level of groups within groups.
    pub(crate) groups: Vec<GroupCount>,
}

impl Scratch {
    /// `None` if the memory cannot be had.
    pub(crate) fn for_shape(needs: &Requirements) -> Option<Scratch> {
        fn room<T>(capacity: u32) -> Option<Vec<T>> {
            let mut list = Vec::new();
            list.try_reserve_exact(capacity as usize).ok()?;
            Some(list)
        }
        let mut groups = room(needs.group_levels)?;
        groups.resize(needs.group_levels as usize, GroupCount::default());
        let mut next = room(needs.walk_capacity)?;
        next.resize(
            needs.walk_capacity as usize,
            StateRecord { node: 0, value: 0 },
        );
        let mut frames = room(needs.max_depth)?;
        frames.resize(needs.max_depth as usize, Frame::default());
        Some(Scratch {
            next,
            wanted: room(needs.request_capacity)?,
            aborted: room(needs.tasks)?,
            frames,
            groups,
        })
    }
}

/// What all blocks of a tick share.
#[derive(Clone, Copy)]
pub(crate) struct Tick<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) world: &'a [u64],
    pub(crate) functions: &'a [Function],
    pub(crate) tests: &'a [Test],
    pub(crate) kernel: Kernel,
    pub(crate) seed: u64,
    pub(crate) number: u64,
    pub(crate) now_micros: u64,
    pub(crate) dt_micros: u64,
    /// An actor whose walk is to be recorded.
    pub(crate) traced: Option<ActorId>,
}

/// Runs one tick for all loaded lanes of a block.
pub(crate) fn tick_block(tick: &Tick<'_>, index: usize, block: &mut Block) {
    let layout = tick.shape.layout();
    let Block {
        lines,
        scratch,
        tally,
        census,
        events,
    } = block;
    tally.counts = Default::default();
    tally.panics.clear();
    let mut parts = sections(lines, layout);
    let leaving = parts.control[control::LEAVING];
    let ticked = parts.control[control::LOADED];

    requests::begin(&mut parts);
    if !leaving.is_empty() {
        if let Some(census) = census.as_mut() {
            census.leave(leaving);
        }
        let mut nobody = Nobody;
        let mut walk = Walk::new(
            tick,
            &mut parts,
            scratch,
            tally,
            &mut nobody,
            index * BLOCK_LANES,
        );
        for lane in leaving.lanes() {
            walk.begin(lane);
            walk.abort_all();
        }
        requests::leave(&mut parts, leaving, &mut tally.counts);
        for lane in leaving.lanes() {
            if let Some(length) = parts.lengths.get_mut(lane) {
                *length = 0;
            }
        }
        parts.control[control::LEAVING] = Plane::EMPTY;
    } else if let Some(census) = census.as_mut() {
        census.leave(Plane::EMPTY);
    }

    for status in Status::ALL {
        parts.control[control::STATUS + status as usize] &= !(ticked | leaving);
    }
    // A place that the traced actor has left is somebody else's.
    let traced = tick
        .traced
        .filter(|actor| actor.block() == index)
        .filter(|actor| parts.generations[actor.lane()] == actor.generation())
        .map(ActorId::lane);
    events.clear();
    if let Some(census) = census.as_mut() {
        census.begin(ticked);
    }
    match (census.as_mut(), traced) {
        (None, None) => run_lanes(tick, index, &mut parts, scratch, tally, &mut Nobody, ticked),
        (Some(census), None) => run_lanes(tick, index, &mut parts, scratch, tally, census, ticked),
        (None, Some(lane)) => {
            let mut recorder = Recorder { lane, events };
            run_lanes(
                tick,
                index,
                &mut parts,
                scratch,
                tally,
                &mut recorder,
                ticked,
            );
        }
        (Some(census), Some(lane)) => {
            let mut both = Both(census, Recorder { lane, events });
            run_lanes(tick, index, &mut parts, scratch, tally, &mut both, ticked);
        }
    }
    if let Some(census) = census {
        census.finish(ticked);
    }
    requests::finish(&mut parts, ticked, &mut tally.counts);
    tally.counts.ticked = ticked.count().into();
    tally.counts.succeeded = (parts.control[control::STATUS] & ticked).count().into();
    tally.counts.failed = (parts.control[control::STATUS + 1] & ticked).count().into();
    tally.counts.running = (parts.control[control::STATUS + 2] & ticked).count().into();
}

/// The census and a recorder at once.
struct Both<'a, 'b>(&'a mut crate::census::BlockCensus, Recorder<'b>);

impl Observer for Both<'_, '_> {
    fn see(&mut self, lane: usize, event: Event) {
        self.0.see(lane, event);
        self.1.see(lane, event);
    }
}

// A function of its own for each observer: in one with all of them, the walks' hot values would
// not fit the registers.
#[inline(never)]
fn run_lanes<O: Observer>(
    tick: &Tick<'_>,
    index: usize,
    parts: &mut Sections<'_>,
    scratch: &mut Scratch,
    tally: &mut Tally,
    observer: &mut O,
    ticked: Plane,
) {
    let mut walk = Walk::new(tick, parts, scratch, tally, observer, index * BLOCK_LANES);
    match tick.kernel {
        Kernel::PureStream => {
            for lane in ticked.lanes() {
                walk.begin(lane);
                let status = pure_stream::walk(&mut walk);
                walk.finish(status);
            }
        }
        Kernel::TraversalStack => {
            // Beside the walk for the time being, so that both can be borrowed.
            let mut frames = std::mem::take(&mut walk.scratch.frames);
            for lane in ticked.lanes() {
                walk.begin(lane);
                let status = traversal_stack::walk(&mut walk, &mut frames);
                walk.finish(status);
            }
            walk.scratch.frames = frames;
        }
    }
}
