//! "Did you mean": the closest of several names.

/// What is longer is no slip of the hand. (A distance costs the product of both lengths.)
const LONGEST: usize = 64;
/// How much one search may cost, in products of lengths: 65,536 names of 16 bytes, or 4,096 of 64; some tens
/// of milliseconds.
const MOST: usize = 1 << 24;

/// The candidate closest to `found`, if one is close enough to be a likely slip of the hand: an
/// edit distance (Damerau–Levenshtein) of at most a third of the length, and at least 1.
///
/// Names of more than 64 bytes are not compared, nor more candidates of about the right length than some
/// tens of milliseconds allow, beside a look at each.
pub fn closest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    closest_within(found, usize::MAX, candidates)
}

/// What [`closest`] gives, if no more than so many letters are wrong, missing, too many or swapped.
pub fn closest_within<'a>(
    found: &str,
    most: usize,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    if found.len() > LONGEST {
        return None;
    }
    let length = found.chars().count();
    let limit = (length / 3).max(1).min(most);
    let mut spent = 0;
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        // The distance is at least the difference of the lengths, which costs less to see.
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .take_while(|candidate| {
            spent += candidate.len() * found.len();
            spent <= MOST
        })
        .map(|candidate| (strsim::damerau_levenshtein(found, candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}
