//! From wanted planes to requests: plane arithmetic, the same for all kernels (L2).

use pleach_shape::layout::SLOT_PLANES;

use crate::block::{Sections, slot};
use crate::plane::Plane;
use crate::report::TickCounts;

fn slots<'a>(parts: &'a mut Sections<'_>) -> impl Iterator<Item = &'a mut [Plane; SLOT_PLANES]> {
    parts.deferred.as_chunks_mut::<SLOT_PLANES>().0.iter_mut()
}

/// Clears what the last tick left for readers. From here to [`finish`], `LAUNCHED` is the plane of
/// wanted actions.
pub(crate) fn begin(parts: &mut Sections<'_>) {
    for planes in slots(parts) {
        planes[slot::LAUNCHED] = Plane::EMPTY;
        planes[slot::CANCELLED] = Plane::EMPTY;
    }
}

/// Lanes that left the tree: what was outstanding and has no result is cancelled, results are
/// dropped.
pub(crate) fn leave(parts: &mut Sections<'_>, leaving: Plane, counts: &mut TickCounts) {
    for planes in slots(parts) {
        let cancelled = planes[slot::OUTSTANDING] & leaving & !planes[slot::DONE];
        planes[slot::CANCELLED] = cancelled;
        counts.cancels += u64::from(cancelled.count());
        counts.results_dropped += u64::from((planes[slot::DONE] & leaving).count());
        planes[slot::OUTSTANDING] &= !leaving;
        planes[slot::DONE] &= !leaving;
        planes[slot::OK] &= !leaving;
    }
}

/// Launch, Continue, Cancel, and the clearing of results that are used or stale.
pub(crate) fn finish(parts: &mut Sections<'_>, ticked: Plane, counts: &mut TickCounts) {
    let mut results = 0u64;
    for planes in slots(parts) {
        let had = planes[slot::OUTSTANDING];
        let wanted = planes[slot::LAUNCHED];
        let done = planes[slot::DONE] & ticked;
        // Most slots of a large tree are nobody's in a block.
        if (had | wanted).is_empty() {
            continue;
        }
        let launched = wanted & !had;
        let cancelled = had & ticked & !wanted & !done;
        planes[slot::LAUNCHED] = launched;
        planes[slot::CANCELLED] |= cancelled;
        planes[slot::OUTSTANDING] = (had & !ticked) | wanted;
        planes[slot::DONE] &= !ticked;
        planes[slot::OK] &= !ticked;
        counts.launches += u64::from(launched.count());
        counts.continues += u64::from((wanted & had).count());
        counts.cancels += u64::from(cancelled.count());
        results += u64::from(done.count());
    }
    // The walks counted the results they used.
    counts.results_dropped += results.saturating_sub(counts.results_used);
}
