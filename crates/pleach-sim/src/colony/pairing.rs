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
    taken: Vec<bool>,
    pairs: Vec<(Spot, Spot)>,
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
        self.taken.clear();
        self.taken.resize(self.seekers.len(), false);
        for place in 0..self.places.len().min(self.seekers.len()) {
            let place = self.places[place];
            let Some(seeker) = self.nearest(place) else {
                return;
            };
            self.taken[seeker] = true;
            self.pairs.push((self.seekers[seeker], place));
        }
    }

    /// The nearest free seeker: looks at one to the west, one to the east, and so on.
    fn nearest(&self, place: Spot) -> Option<usize> {
        let middle = self.seekers.partition_point(|seeker| seeker.x < place.x);
        let mut best: Option<(i16, usize)> = None;
        let mut looked_at = 0;
        let (mut west, mut east) = (middle, middle);
        while looked_at < LOOKED_AT && (west > 0 || east < self.seekers.len()) {
            if east < self.seekers.len() {
                self.look(place, east, &mut best, &mut looked_at);
                east += 1;
            }
            if west > 0 {
                west -= 1;
                self.look(place, west, &mut best, &mut looked_at);
            }
        }
        best.map(|(_, seeker)| seeker)
    }

    fn look(
        &self,
        place: Spot,
        seeker: usize,
        best: &mut Option<(i16, usize)>,
        looked_at: &mut usize,
    ) {
        if self.taken[seeker] {
            return;
        }
        *looked_at += 1;
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
}
