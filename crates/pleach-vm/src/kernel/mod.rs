//! Kernels: several ways to walk one shape, with the same result to the bit.
//!
//! | kernel | walks | for | keeps open parents in |
//! |---|---|---|---|
//! | [`pure_stream`] | the guarded stream | one actor | nothing: guards know |
//! | [`threaded_stream`] | the threaded stream | one actor | nothing: leaves know |
//! | [`traversal_stack`] | the plain stream | one actor | a stack of frames |
//! | [`lanes`] | the threaded stream | 512 actors at once | nothing: leaves know |
//!
//! The first three share [`walk`] (state records, groups, roll-back) and [`leaf`]. What differs is how a
//! parent learns that a child has answered; hold the files side by side. [`tick_block`] runs one of the
//! kernels for every actor of a block whose turn it is and then turns wanted planes into requests.
//!
//! | module | |
//! |---|---|
//! | [`choice`] | which kernel walks a block, and what [`Kernel::Auto`] goes by |
//! | [`convert`] | from one [form of state](Form) to another |
//! | [`walk`], [`leaf`], [`memory`] | one actor at a time: what the three kernels share |
//! | [`parent`] | parents that do more than go on or leave, for pure stream and traversal stack |
//! | [`pure_stream`], [`threaded_stream`], [`traversal_stack`] | their loops |
//! | [`lanes`] | all actors of a block at once |
//! | [`requests`] | from wanted planes to requests, for all kernels |
//!
//! A block's tick: who is due; the state in the form of the kernel; who leaves is halted; everybody else
//! who is due is walked; the census is counted; requests are merged.

mod choice;
pub(crate) mod convert;
pub(crate) mod lanes;
mod leaf;
pub(crate) mod memory;
mod parent;
mod pure_stream;
mod requests;
mod threaded_stream;
pub(crate) mod traversal_stack;
pub(crate) mod walk;

use pleach_shape::layout::{BLOCK_LANES, SLOT_PLANES};
use pleach_shape::{Op, Shape, StateRecord, Status, Token, TokenFlags};

use crate::actor::ActorId;
use crate::bits::Bits;
use crate::block::{Block, NoMemory, Sections, control, sections};
use crate::host::Function;
use crate::observe::{Nobody, Observer, Recorder};
use crate::pace::Paces;
use crate::plane::Plane;
use crate::report::Tally;
use crate::simd::Simd;
use crate::stream::{Form, Streams};
use crate::test::Test;
use lanes::LaneScratch;
use walk::Walk;

pub use choice::Kernel;
pub(crate) use walk::drop_payload;

/// The planes of a deferred slot.
pub(crate) type SlotPlanes = [Plane; SLOT_PLANES];

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

/// What a walk works in: allocated with its worker, to the sizes that the shape's requirements
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
    /// The threaded stream: from a running leaf outward, each region around it and where in there it
    /// resumes, the outermost last.
    pub(crate) way_in: Vec<[u32; 2]>,
}

impl Scratch {
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(self.next.as_slice())
            + size_of_val(self.frames.as_slice())
            + size_of_val(self.groups.as_slice())
            + (self.wanted.capacity() + self.aborted.capacity()) * size_of::<u32>()
            + self.way_in.capacity() * size_of::<[u32; 2]>()
    }

    /// `None` if the memory cannot be had.
    pub(crate) fn for_shape(shape: &Shape) -> Option<Scratch> {
        let needs = shape.requirements();
        fn room<T>(capacity: u32) -> Option<Vec<T>> {
            let mut list = Vec::new();
            list.try_reserve_exact(capacity as usize).ok()?;
            Some(list)
        }
        let mut groups = room(needs.group_levels)?;
        groups.resize(needs.group_levels as usize, GroupCount::default());
        let walk_capacity = needs.walk_capacity.max(needs.leaf_walk_capacity);
        let mut next = room(walk_capacity)?;
        next.resize(walk_capacity as usize, StateRecord { node: 0, value: 0 });
        let mut frames = room(needs.max_depth)?;
        frames.resize(needs.max_depth as usize, Frame::default());
        Some(Scratch {
            next,
            wanted: room(needs.request_capacity)?,
            aborted: room(needs.tasks)?,
            frames,
            groups,
            way_in: room(shape.threaded().levels)?,
        })
    }
}

/// What one thread works in.
pub(crate) struct Worker {
    walk: Scratch,
    lanes: LaneScratch,
}

impl Worker {
    pub(crate) fn new(shape: &Shape, plans: &lanes::Plans) -> Result<Worker, NoMemory> {
        Ok(Worker {
            walk: Scratch::for_shape(shape).ok_or(NoMemory)?,
            lanes: LaneScratch::new(shape, plans).ok_or(NoMemory)?,
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
    pub(crate) plans: &'a lanes::Plans,
    pub(crate) kernel: Kernel,
    pub(crate) simd: Simd,
    pub(crate) seed: u64,
    pub(crate) number: u64,
    pub(crate) now_micros: u64,
    /// An actor whose walk is to be recorded.
    pub(crate) traced: Option<ActorId>,
}

impl Tick<'_> {
    /// Asks for the memory of a block whose turn is next. A sweep is done sooner than its columns come
    /// from afar, each of them a new place for the processor to guess from.
    pub(crate) fn prefetch(&self, block: &Block) {
        for &[first, end] in &self.plans.wanted_lines {
            crate::simd::prefetch(&block.lines[first..end]);
        }
    }

    /// Whether several threads are likely to be done sooner with so many full blocks: handing work out
    /// and waiting for it takes about 7 µs, and threads often share a core's units. The estimate of a
    /// block's cost is rough and errs on the side of one thread.
    #[cfg(feature = "rayon")]
    pub(crate) fn pays_in_parallel(&self, blocks: usize) -> bool {
        const WORTH_NANOS: usize = 40_000;
        let tokens = self.shape.threaded().tokens.len();
        let nanos = match self.kernel {
            // 60 tokens is about what a sweep of a large tree visits.
            Kernel::Lanes | Kernel::Auto => 8 * tokens.min(60) + 100,
            Kernel::PureStream | Kernel::ThreadedStream | Kernel::TraversalStack => {
                25 * BLOCK_LANES
            }
        };
        nanos * blocks > WORTH_NANOS || !self.functions.is_empty()
    }
}

/// A block as a kernel sees it.
pub(crate) struct Place<'a> {
    pub(crate) parts: Sections<'a>,
    pub(crate) tally: &'a mut Tally,
    pub(crate) timer_epoch: u64,
    pub(crate) generations: &'a [u32],
    pub(crate) paces: &'a Paces,
    pub(crate) first_actor: usize,
}

/// A block taken apart: its place, its state streams, and who looks on.
macro_rules! apart {
    ($tick:expr, $index:expr, $block:expr => $place:ident, $streams:ident, $occupied:ident, $census:ident, $events:ident) => {
        let Block {
            lines,
            streams: $streams,
            occupied: $occupied,
            timer_epoch,
            generations,
            paces,
            tally,
            census: $census,
            events: $events,
            ..
        } = &mut *$block;
        let $place = Place {
            parts: sections(lines, $tick.shape.layout()),
            tally,
            timer_epoch: *timer_epoch,
            generations,
            paces,
            first_actor: $index * BLOCK_LANES,
        };
    };
}

/// Runs one tick for all actors of a block whose turn it is.
pub(crate) fn tick_block(tick: &Tick<'_>, index: usize, block: &mut Block, worker: &mut Worker) {
    let layout = tick.shape.layout();
    block.tally.counts = Default::default();
    block.tally.panics.clear();
    block.tally.tokens = 0;
    block.events.clear();
    let due = block.paces.begin(tick.number, tick.now_micros);
    let leaving = *block.control(layout, control::LEAVING);
    let ticked = *block.control(layout, control::LOADED) & due;
    {
        let epoch = &mut block.timer_epoch;
        let timers = &mut block.lines[layout.timers..];
        let defs = &tick.shape.tables().timers;
        crate::timer::advance(epoch, tick.now_micros, timers, defs);
    }
    if !ticked.is_empty() {
        block.usual = ticked.count().max(block.usual - block.usual.div_ceil(16));
    }
    let kernel = tick.kernel.resolve(tick.shape, block.usual, block.form);
    if block.form != kernel.form() {
        convert::convert(tick.shape, block, kernel.form());
    }
    // Without the memory to convert, the block goes on as before.
    let kernel = kernel.of_form(block.form);

    {
        let occupied = &block.occupied.slots;
        let parts = sections(&mut block.lines, layout);
        requests::begin(parts.deferred.as_chunks_mut().0, occupied);
    }
    if let Some(census) = &mut block.census {
        census.open(leaving);
    }
    if !leaving.is_empty() {
        leave(tick, index, block, worker, leaving);
    }
    for status in Status::ALL {
        *block.control_mut(layout, control::STATUS + status as usize) &= !(ticked | leaving);
    }
    *block.control_mut(layout, control::TICKED) = ticked;
    if ticked.is_empty() {
        // Nobody's turn.
        block.paces.end(due);
        return;
    }
    // A place that the traced actor has left is somebody else's.
    let traced = tick
        .traced
        .filter(|actor| actor.block() == index)
        .filter(|actor| block.generation(actor.lane()) == actor.generation())
        .map(ActorId::lane)
        .filter(|&lane| ticked.get(lane));
    if let Some(census) = &mut block.census {
        census.begin();
    }
    match kernel {
        Kernel::PureStream | Kernel::TraversalStack => {
            walk_observed(tick, kernel, index, block, worker, ticked, traced);
        }
        Kernel::ThreadedStream | Kernel::Lanes | Kernel::Auto => {
            // A trace tells of parents, which are gone here: the traced actor is walked by itself.
            // (Without the memory for that it is walked with the others, and leaves no trace.)
            let alone = traced.and_then(|lane| {
                let streams = Streams::new(Form::Parents, tick.shape.requirements());
                Some((lane, streams.ok()?))
            });
            let mut others = ticked;
            if let Some((lane, _)) = &alone {
                others.put(*lane, false);
            }
            if kernel == Kernel::ThreadedStream {
                walk_observed(tick, kernel, index, block, worker, others, None);
            } else {
                apart!(tick, index, block => place, _streams, occupied, census, _events);
                lanes::sweep(
                    tick,
                    place,
                    occupied,
                    census.as_mut(),
                    &mut worker.lanes,
                    others,
                );
            }
            if let Some((lane, streams)) = alone {
                walk_traced(tick, index, block, worker, lane, streams);
            }
        }
    }
    apart!(tick, index, block => place, _streams, occupied, census, _events);
    if let Some(census) = census {
        census.finish(tick.simd, tick.shape, ticked);
    }
    tick.simd.run(requests::Finish {
        deferred: place.parts.deferred.as_chunks_mut().0,
        occupied: &mut occupied.slots,
        control: place.parts.control,
        counts: &mut place.tally.counts,
    });
    block.paces.end(due);
}

/// Lets a tick pass without anybody's turn. What was asked for since the last one waits for the next.
#[cold]
pub(crate) fn pass_over(tick: &Tick<'_>, block: &mut Block) {
    let layout = tick.shape.layout();
    block.tally.counts = Default::default();
    block.tally.panics.clear();
    block.tally.tokens = 0;
    block.events.clear();
    *block.control_mut(layout, control::TICKED) = Plane::EMPTY;
    if let Some(census) = &mut block.census {
        census.open(Plane::EMPTY);
    }
    let parts = sections(&mut block.lines, layout);
    requests::begin(parts.deferred.as_chunks_mut().0, &block.occupied.slots);
}

/// Carries out what was asked for between two ticks: these lanes are halted before any visit.
#[cold]
fn leave(tick: &Tick<'_>, index: usize, block: &mut Block, worker: &mut Worker, leaving: Plane) {
    let form = block.form;
    {
        apart!(tick, index, block => place, streams, occupied, _census, _events);
        if form == Form::Marks {
            lanes::leave(tick, place, occupied, leaving);
        } else {
            let mut nobody = Nobody;
            let slots = &mut occupied.slots;
            let mut walk = Walk::new(tick, place, streams, slots, &mut worker.walk, &mut nobody);
            for lane in leaving.lanes() {
                walk.begin(lane);
                walk.abort_all();
            }
            for lane in leaving.lanes() {
                streams.clear(lane);
            }
        }
    }
    apart!(tick, index, block => place, _streams, occupied, _census, _events);
    let deferred = place.parts.deferred.as_chunks_mut().0;
    requests::leave(deferred, &occupied.slots, leaving, &mut place.tally.counts);
    place.parts.control[control::LEAVING] = Plane::EMPTY;
}

/// Walks lanes one by one, for whoever looks on.
fn walk_observed(
    tick: &Tick<'_>,
    kernel: Kernel,
    index: usize,
    block: &mut Block,
    worker: &mut Worker,
    ticked: Plane,
    traced: Option<usize>,
) {
    apart!(tick, index, block => place, streams, occupied, census, events);
    let occupied = &mut occupied.slots;
    let work = (
        tick,
        kernel,
        place,
        streams,
        occupied,
        &mut worker.walk,
        ticked,
    );
    match (census.as_mut(), traced) {
        (None, None) => run_lanes(work, &mut Nobody),
        (Some(census), None) => run_lanes(work, census),
        (None, Some(lane)) => run_lanes(work, &mut Recorder { lane, events }),
        (Some(census), Some(lane)) => {
            run_lanes(work, &mut Both(census, Recorder { lane, events }));
        }
    }
}

/// Walks one actor with the pure stream, whatever form its state has.
#[cold]
fn walk_traced(
    tick: &Tick<'_>,
    index: usize,
    block: &mut Block,
    worker: &mut Worker,
    lane: usize,
    mut streams: Streams,
) {
    let shape = tick.shape;
    streams.put(lane, &convert::canonical(shape, block, lane));
    let form = std::mem::replace(&mut block.form, Form::Parents);
    std::mem::swap(&mut block.streams, &mut streams);
    let mut alone = Plane::EMPTY;
    alone.put(lane, true);
    walk_observed(
        tick,
        Kernel::PureStream,
        index,
        block,
        worker,
        alone,
        Some(lane),
    );
    let leaves = convert::leaves_now(shape, block, lane);
    std::mem::swap(&mut block.streams, &mut streams);
    block.form = form;
    if form == Form::Marks {
        convert::replace_marks(shape, block, lane, &leaves);
    } else {
        block.streams.put(lane, &leaves);
    }
}

/// The census and a recorder at once.
struct Both<'a, 'b>(&'a mut crate::census::BlockCensus, Recorder<'b>);

impl Observer for Both<'_, '_> {
    fn see(&mut self, lane: usize, event: crate::observe::Event) {
        self.0.see(lane, event);
        self.1.see(lane, event);
    }
}

type Work<'a> = (
    &'a Tick<'a>,
    Kernel,
    Place<'a>,
    &'a mut Streams,
    &'a mut Bits,
    &'a mut Scratch,
    Plane,
);

// A function of its own for each observer: in one with all of them, the walks' hot values would
// not fit the registers.
#[inline(never)]
fn run_lanes<O: Observer>(work: Work<'_>, observer: &mut O) {
    let (tick, kernel, place, streams, occupied, scratch, ticked) = work;
    let mut walk = Walk::new(tick, place, streams, occupied, scratch, observer);
    match kernel {
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
        Kernel::ThreadedStream => {
            for lane in ticked.lanes() {
                walk.begin(lane);
                let status = threaded_stream::walk(&mut walk);
                walk.finish(status);
            }
        }
        Kernel::PureStream | Kernel::Lanes | Kernel::Auto => {
            for lane in ticked.lanes() {
                walk.begin(lane);
                let status = pure_stream::walk(&mut walk);
                walk.finish(status);
            }
        }
    }
}
