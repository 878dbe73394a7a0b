//! What a sweep works in.

use pleach_shape::Shape;

use super::Plans;
use crate::bits::Bits;
use crate::plane::Plane;

/// Allocated with its worker, so that no sweep allocates. Between two sweeps the arrive planes and the
/// sets are empty; the other planes hold whatever they held.
pub(crate) struct LaneScratch {
    /// Who arrives at each token.
    pub(super) arrive: Vec<Plane>,
    /// Who resumes at each resume slot, for the slots that are in `resuming`.
    pub(super) resume: Vec<Plane>,
    pub(super) resuming: Bits,
    /// Tokens ahead at which somebody resumes, the next one last.
    pub(super) pending: Vec<u32>,
    /// Who passes each distinct predicate, as of its moment in `judged`.
    pub(super) passes: Vec<Plane>,
    pub(super) judged: Vec<u64>,
    /// Moments are numbered through all sweeps. When each column was last written by a leaf, and when
    /// anything may have been written: by the host between two ticks, by a callback.
    pub(super) moment: u64,
    pub(super) written: Vec<u64>,
    pub(super) all_written: u64,
    /// The next tick's marks, for those that are in `marked`.
    pub(super) marks: Vec<Plane>,
    pub(super) marked: Bits,
    /// For a task's mark in `called`: who ran it before the tick or answered Running in it, and has not
    /// been told of an end.
    pub(super) open: Vec<Plane>,
    pub(super) called: Bits,
    /// See [`Counters`](super::plan::Counters).
    pub(super) counters: Vec<Plane>,
    /// For each group in `rolling` whom it halts below it; then, for each group, whom it or one around it
    /// does.
    pub(super) rolled: Vec<Plane>,
    pub(super) rolling: Bits,
    /// Who leaves the tree in this tick.
    pub(super) aborting: Plane,
    /// Operands of the expression machine: 64 lines each.
    pub(super) operands: Vec<Plane>,
}

/// Lines of an operand: 512 values of up to 64 bits.
pub(super) const OPERAND_LINES: usize = 64;

impl LaneScratch {
    /// Any column may have been written.
    #[inline(always)]
    pub(super) fn forget(&mut self) {
        self.moment += 1;
        self.all_written = self.moment;
    }

    /// `None` if the memory cannot be had.
    pub(crate) fn new(shape: &Shape, plans: &Plans) -> Option<LaneScratch> {
        let planes = |count: usize| bytemuck::allocation::try_zeroed_vec::<Plane>(count).ok();
        let threaded = shape.threaded();
        let mut pending = Vec::new();
        pending.try_reserve_exact(threaded.slots.len()).ok()?;
        let tasks = shape.requirements().tasks > 0;
        let marks = threaded.marks.len();
        Some(LaneScratch {
            arrive: planes(threaded.tokens.len())?,
            resume: planes(threaded.slots.len())?,
            resuming: Bits::new(threaded.slots.len())?,
            pending,
            passes: planes(plans.asks.len())?,
            judged: bytemuck::allocation::try_zeroed_vec(plans.asks.len()).ok()?,
            moment: 0,
            written: bytemuck::allocation::try_zeroed_vec(shape.tables().columns.len()).ok()?,
            all_written: 0,
            marks: planes(marks)?,
            marked: Bits::new(marks)?,
            open: planes(if tasks { marks } else { 0 })?,
            called: Bits::new(if tasks { marks } else { 0 })?,
            counters: planes(plans.counter_planes())?,
            rolled: planes(threaded.around.len())?,
            rolling: Bits::new(threaded.around.len())?,
            aborting: Plane::EMPTY,
            operands: planes(plans.operands * OPERAND_LINES)?,
        })
    }
}
