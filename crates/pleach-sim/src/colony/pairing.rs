//! Who goes where: each place gets the nearest of the dwarves that look for one.

/// Somebody, or a place, on the map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Spot {
    pub(super) x: i16,
    pub(super) y: i16,
    /// Who or what it is: its place in a list.
    pub(super) index: u32,
}

/// Pairs seekers with places; its memory is reused.
#[derive(Default)]
pub(super) struct Pairing {
    pub(super) seekers: Vec<Spot>,
    pub(super) places: Vec<Spot>,
    /// Seekers that nobody has taken, looked for to the east and, counted from the other end, to the west.
    east: Free,
    west: Free,
    pairs: Vec<(Spot, Spot)>,
}

/// Which places of a list are free. The next free one is found without walking over all the taken ones before it:
/// with many seekers in one column of the map, that would be most of them, for each place anew.
#[derive(Default)]
struct Free {
    /// Of a free place itself; of a taken one a later place, up to which all are taken.
    next: Vec<u32>,
}

impl Free {
    /// All are free.
    fn reset(&mut self, count: usize) {
        self.next.clear();
        self.next.extend(0..=count as u32);
    }

    fn take(&mut self, at: usize) {
        self.next[at] = at as u32 + 1;
    }

    /// The first free place from that one on, or the list's end.
    fn from(&mut self, mut at: usize) -> usize {
        while self.next[at] as usize != at {
            // Whoever comes by later has half the way.
            self.next[at] = self.next[self.next[at] as usize];
            at = self.next[at] as usize;
        }
        at
    }
}

/// So many free seekers are looked at for each place. They are sorted from west to east, so the nearest is
/// likely to be among those next to the place.
const LOOKED_AT: usize = 32;

impl Pairing {
    /// Each seeker that was sent, and the place it was sent to.
    pub(super) fn pairs(&self) -> &[(Spot, Spot)] {
        &self.pairs
    }

    /// Gives each place, in order, a seeker that nobody has taken yet: of the [`LOOKED_AT`] around it from west
    /// to east the nearest. Ends when either run out.
    pub(super) fn pair(&mut self) {
        self.pairs.clear();
        self.seekers.sort_unstable();
        let count = self.seekers.len();
        self.east.reset(count);
        self.west.reset(count);
        for place in 0..self.places.len().min(self.seekers.len()) {
            let place = self.places[place];
            let Some(seeker) = self.nearest(place) else {
                return;
            };
            self.east.take(seeker);
            self.west.take(count - 1 - seeker);
            self.pairs.push((self.seekers[seeker], place));
        }
    }

    /// The nearest free seeker: looks at one to the west, one to the east, and so on.
    fn nearest(&mut self, place: Spot) -> Option<usize> {
        let count = self.seekers.len();
        let middle = self.seekers.partition_point(|seeker| seeker.x < place.x);
        let mut best: Option<(i16, usize)> = None;
        let mut looked_at = 0;
        let (mut east, mut west) = (self.east.from(middle), self.west.from(count - middle));
        while looked_at < LOOKED_AT && (east < count || west < count) {
            // How far they are in the list; the nearer one is next, or both.
            let far = |at: usize, from: usize| if at < count { at - from } else { count };
            let (to_east, to_west) = (far(east, middle), far(west, count - middle));
            if to_east <= to_west {
                self.look(place, east, &mut best);
                looked_at += 1;
                east = self.east.from(east + 1);
            }
            if to_west <= to_east {
                self.look(place, count - 1 - west, &mut best);
                looked_at += 1;
                west = self.west.from(west + 1);
            }
        }
        best.map(|(_, seeker)| seeker)
    }

    fn look(&self, place: Spot, seeker: usize, best: &mut Option<(i16, usize)>) {
        let Spot { x, y, .. } = self.seekers[seeker];
        // Steps lead to any of eight places, so the longer axis is the way.
        let way = (x - place.x).abs().max((y - place.y).abs());
        if best.is_none_or(|best| (way, seeker) < best) {
            *best = Some((way, seeker));
        }
    }
}

#[cfg(test)]
mod tests {
    use pleach_vm::random::draw;

    use super::*;

    fn scattered(count: u32, stream: u32) -> Vec<Spot> {
        let spot = |index| {
            let bits = draw(3, u64::from(index), stream, 0);
            let [x, y] = [bits as i16, (bits >> 16) as i16].map(|side| side.rem_euclid(90));
            Spot { x, y, index }
        };
        (0..count).map(spot).collect()
    }

    #[test]
    fn nobody_is_sent_twice_and_all_places_are_taken() {
        for (seekers, places) in [(0, 5), (5, 0), (3, 10), (10, 3), (500, 40), (700, 700)] {
            let mut pairing = Pairing {
                seekers: scattered(seekers, 1),
                places: scattered(places, 2),
                ..Pairing::default()
            };
            pairing.pair();
            let pairs = pairing.pairs().iter();
            let (mut sent, mut found): (Vec<u32>, Vec<u32>) = pairs
                .map(|(seeker, place)| (seeker.index, place.index))
                .unzip();
            assert_eq!(sent.len(), seekers.min(places) as usize);
            for list in [&mut sent, &mut found] {
                let all = list.len();
                list.sort_unstable();
                list.dedup();
                assert_eq!(list.len(), all);
            }
        }
    }

    #[test]
    fn of_few_the_nearest_goes() {
        let spot = |x, y, index| Spot { x, y, index };
        let mut pairing = Pairing {
            seekers: vec![spot(0, 0, 0), spot(50, 3, 1), spot(49, 30, 2)],
            places: vec![spot(50, 0, 9), spot(1, 1, 8)],
            ..Pairing::default()
        };
        pairing.pair();
        let pairs = pairing.pairs().iter();
        let pairs: Vec<_> = pairs
            .map(|(seeker, place)| (seeker.index, place.index))
            .collect();
        assert_eq!(pairs, [(1, 9), (0, 8)]);
    }

    #[test]
    fn everybody_in_one_column_takes_no_longer() {
        let crowd = |count: u32| (0..count).map(|index| Spot { x: 3, y: 0, index });
        let mut pairing = Pairing {
            seekers: crowd(300_000).collect(),
            places: crowd(300_000).collect(),
            ..Pairing::default()
        };
        // Walking over the taken ones would be 45 thousand million steps.
        pairing.pair();
        assert_eq!(pairing.pairs().len(), 300_000);
    }

    /// As it is said: all free ones, nearest in the list first, east and west in turn.
    #[test]
    fn those_next_to_a_place_are_looked_at() {
        let mut pairing = Pairing {
            seekers: scattered(400, 3),
            places: scattered(390, 4),
            ..Pairing::default()
        };
        pairing.pair();
        let mut free: Vec<Option<Spot>> = pairing.seekers.iter().copied().map(Some).collect();
        for &(sent, place) in pairing.pairs() {
            let middle = pairing.seekers.partition_point(|seeker| seeker.x < place.x);
            let (mut looked_at, mut best) = (0, None);
            for far in 0..free.len() {
                if looked_at >= LOOKED_AT {
                    break;
                }
                for at in [Some(middle + far), middle.checked_sub(far + 1)] {
                    let found = at.and_then(|at| Some((at, *free.get(at)?.as_ref()?)));
                    let Some((at, Spot { x, y, .. })) = found else {
                        continue;
                    };
                    looked_at += 1;
                    let way = (x - place.x).abs().max((y - place.y).abs());
                    best = Some(best.map_or((way, at), |best| (way, at).min(best)));
                }
            }
            let (_, at) = best.unwrap();
            assert_eq!(free[at].take(), Some(sent));
        }
    }
}
