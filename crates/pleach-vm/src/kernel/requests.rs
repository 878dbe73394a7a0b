//! From wanted planes to requests: plane arithmetic, the same for all kernels (L2).

use crate::bits::Bits;
use crate::block::slot;
use crate::plane::Plane;
use crate::report::TickCounts;

use super::SlotPlanes;

/// Clears what the last tick left for readers. From here to [`finish`], `LAUNCHED` is the plane of
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

/// Launch, Continue, Cancel, and the clearing of results that are used or stale.
///
/// `occupied` are the slots that had somebody before the tick or have now; it is left with those that
/// have somebody behind it.
pub(crate) fn finish(
    deferred: &mut [SlotPlanes],
    occupied: &mut Bits,
    ticked: Plane,
    counts: &mut TickCounts,
) {
    let mut results = 0u64;
    for (index, word) in occupied.words_mut().iter_mut().enumerate() {
        for bit in crate::bits::each(*word) {
            let planes = &mut deferred[index * 64 + bit];
            let answered = planes[slot::ANSWERED];
            let had = planes[slot::WAITING] | answered;
            let wanted = planes[slot::LAUNCHED];
            let launched = wanted & !had;
            let cancelled = (had & ticked) & !(wanted | answered);
            let waiting = (planes[slot::WAITING] & !ticked) | wanted;
            let kept = answered & !ticked;
            planes[slot::LAUNCHED] = launched;
            planes[slot::CANCELLED] |= cancelled;
            planes[slot::WAITING] = waiting;
            planes[slot::ANSWERED] = kept;
            counts.launches += u64::from(launched.count());
            counts.continues += u64::from((wanted & had).count());
            counts.cancels += u64::from(cancelled.count());
            results += u64::from((answered & ticked).count());
            if (waiting | kept | planes[slot::CANCELLED]).is_empty() {
                *word &= !(1 << bit);
            }
        }
    }
    // The walks counted the results they used.
    counts.results_dropped += results.saturating_sub(counts.results_used);
}
