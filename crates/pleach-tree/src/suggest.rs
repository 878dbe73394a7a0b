//! "Did you mean": the closest of several names.

/// What is longer is no slip of the hand. (A distance costs the product of both lengths.)
const LONGEST: usize = 64;
/// So many candidates of about the right length are compared: among more nobody would look.
const MOST: usize = 1_000;

/// The candidate closest to `found`, if one is close enough to be a likely slip of the hand: an
/// edit distance (Damerau–Levenshtein) of at most a third of the length, and at least 1.
///
/// Names of more than 64 bytes are not compared, nor more than the first 1,000 of about the right length, so
/// a call takes a few milliseconds at most, beside a look at each candidate.
pub fn closest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if found.len() > LONGEST {
        return None;
    }
    let length = found.chars().count();
    let limit = (length / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        // The distance is at least the difference of the lengths, which costs less to see.
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .take(MOST)
        .map(|candidate| (strsim::damerau_levenshtein(found, candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}
