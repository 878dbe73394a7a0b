//! From wanted planes to requests: plane arithmetic, the same for all kernels (L2).

use pleach_shape::Status;
use pleach_shape::layout::CONTROL_PLANES;

use crate::bits::Bits;
use crate::block::{control, slot};
use crate::plane::Plane;
use crate::report::TickCounts;
use crate::simd::{Form, Work};

use super::SlotPlanes;

/// Clears what the last tick left for readers. From here to [`Finish`], `LAUNCHED` is the plane of
/// wanted actions. `occupied` are the slots with anybody in them.
pub(crate) fn begin(deferred: &mut [SlotPlanes], occupied: &Bits) {
    for slot in occupied.iter() {
        deferred[slot][slot::LAUNCHED] = Plane::EMPTY;
        deferred[slot][slot::CANCELLED] = Plane::EMPTY;
    }
}

/// Lanes that left the tree: what was outstanding and has no result is cancelled, results are
/// dropped.
pub(crate) fn leave(
    deferred: &mut [SlotPlanes],
    occupied: &Bits,
    leaving: Plane,
    counts: &mut TickCounts,
) {
    for slot in occupied.iter() {
        let planes = &mut deferred[slot];
        let answered = planes[slot::ANSWERED] & leaving;
        let cancelled = planes[slot::WAITING] & leaving & !answered;
        planes[slot::CANCELLED] = cancelled;
        counts.cancels += u64::from(cancelled.count());
        counts.results_dropped += u64::from(answered.count());
        planes[slot::WAITING] &= !leaving;
        planes[slot::ANSWERED] &= !leaving;
    }
}

/// The end of a block's tick: Launch, Continue, Cancel, the clearing of results that are used or stale,
/// and counts.
pub(crate) struct Finish<'a> {
    pub(crate) deferred: &'a mut [SlotPlanes],
    /// The slots that had somebody before the tick or have now; left with those that have somebody
    /// behind it.
    pub(crate) occupied: &'a mut Bits,
    pub(crate) control: &'a [Plane; CONTROL_PLANES],
    pub(crate) counts: &'a mut TickCounts,
}

impl Work for Finish<'_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Form>(self, form: F) {
        let ticked = form.load(&self.control[control::TICKED]);
        let count = |lanes: F::Mask| {
            let mut plane = Plane::EMPTY;
            form.store(lanes, &mut plane);
            u64::from(plane.count())
        };
        let (mut results, mut launches, mut wants, mut cancels) = (0, 0, 0, 0);
        for (index, word) in self.occupied.words_mut().iter_mut().enumerate() {
            for bit in crate::bits::each(*word) {
                let planes = &mut self.deferred[index * 64 + bit];
                let waiting = form.load(&planes[slot::WAITING]);
                let answered = form.load(&planes[slot::ANSWERED]);
                let wanted = form.load(&planes[slot::LAUNCHED]);
                let had = form.or(waiting, answered);
                let launched = form.and_not(wanted, had);
                let ended = form.and(answered, ticked);
                let cancelled = form.and_not(form.and_not(form.and(had, ticked), wanted), answered);
                let waits = form.or(form.and_not(waiting, ticked), wanted);
                let kept = form.and_not(answered, ticked);
                form.store(waits, &mut planes[slot::WAITING]);
                form.store(kept, &mut planes[slot::ANSWERED]);
                form.store(launched, &mut planes[slot::LAUNCHED]);
                let earlier = form.load(&planes[slot::CANCELLED]);
                let all_cancelled = form.or(earlier, cancelled);
                form.store(all_cancelled, &mut planes[slot::CANCELLED]);
                launches += count(launched);
                wants += count(wanted);
                if !form.is_empty(cancelled) {
                    cancels += count(cancelled);
                }
                if !form.is_empty(ended) {
                    results += count(ended);
                }
                let left = form.or(form.or(waits, kept), all_cancelled);
                if form.is_empty(left) {
                    *word &= !(1 << bit);
                }
            }
        }
        let counts = self.counts;
        counts.launches += launches;
        counts.continues += wants - launches;
        counts.cancels += cancels;
        // The walks counted the results they used.
        counts.results_dropped += u64::saturating_sub(results, counts.results_used);
        let status = |status: Status| {
            count(form.and(
                form.load(&self.control[control::STATUS + status as usize]),
                ticked,
            ))
        };
        counts.ticked = count(ticked);
        counts.succeeded = status(Status::Success);
        counts.failed = status(Status::Failure);
        counts.running = status(Status::Running);
    }
}
