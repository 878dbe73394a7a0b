//! "Did you mean": the closest of several names.

/// The candidate closest to `found`, if one is close enough to be a likely slip of the hand: an
/// edit distance (Damerau–Levenshtein) of at most a third of the length, and at least 1.
pub fn closest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = found.chars().count();
    let limit = (length / 3).max(1);
    candidates
        .into_iter()
        // The distance is at least the difference of the lengths, which costs less to see.
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .map(|candidate| (strsim::damerau_levenshtein(found, candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}
