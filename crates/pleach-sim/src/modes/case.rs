//! Cases: a tree, data and a number of actors, measured with every kernel.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pleach_shape::Shape;
use pleach_shape::layout::BLOCK_LANES;
use pleach_vm::Kernel;

use crate::scenes::{Data, Stage, StageError};

/// Beyond this many actors a tick costs so much, and has so many actors to average over, that few
/// of them must do.
const LARGE: usize = 200_000;
/// Ticks before the first round: actors have to find their stride, and memory its caches.
const WARM_TICKS: usize = 6;
const WARM_TICKS_LARGE: usize = 2;
/// Rounds of a large case at least.
const ROUNDS_LARGE: usize = 3;
/// A round is at least this many actor-ticks, so that single ticks do not decide it.
const ROUND_ACTOR_TICKS: usize = 4_096;
/// At most this many ticks, for a few actors: each of them needs a refresh.
const ROUND_TICKS: usize = 256;
/// If all actors do the same, more of them average nothing: ticks differ as much as if there were
/// one actor, so a round needs several, however many actors there are.
const ROUND_TICKS_COHERENT: usize = 8;
const ROUND_TICKS_COHERENT_LARGE: usize = 4;
/// Actors whose visits are counted, at most, and ticks.
const TRACED_ACTORS: usize = 512;
const TRACED_TICKS: usize = 256;

/// What is measured in turns: a population for each kernel.
pub(super) struct Case<'a> {
    pub(super) shape: &'a Arc<Shape>,
    pub(super) data: Data,
    pub(super) actors: usize,
    pub(super) seed: u64,
    pub(super) min_rounds: usize,
    /// What reading the clock takes.
    pub(super) clock: Duration,
}

/// What one kernel took.
pub(super) struct Measured {
    /// Median ns of an actor's tick, over that many rounds, the quartiles, the least and greatest.
    pub(super) nanos: f64,
    pub(super) rounds: usize,
    pub(super) quartiles: [f64; 2],
    pub(super) range: [f64; 2],
}

impl Case<'_> {
    /// About how many bytes all its populations take together.
    pub(super) fn bytes(&self) -> u64 {
        let blocks = self.actors.div_ceil(BLOCK_LANES) as u64;
        let needs = self.shape.requirements();
        let of_kernel = |kernel: Kernel| kernel.state_bytes_per_actor(needs);
        let state: u64 = Kernel::ALL.map(of_kernel).iter().sum();
        let columns = needs.column_bytes_per_actor * Kernel::ALL.len() as u64;
        blocks.saturating_mul((state + columns) * BLOCK_LANES as u64)
    }

    /// How many actors [`tokens`](Case::tokens) looks at. Cases that differ only in numbers of
    /// actors beyond have the same tokens.
    pub(super) fn traced_actors(&self) -> usize {
        self.actors.min(TRACED_ACTORS)
    }

    /// Measures each kernel, for at least `share`; in the order of [`Kernel::ALL`].
    pub(super) fn measure(&self, share: Duration) -> Result<Vec<Measured>, StageError> {
        let begin = Instant::now();
        let stages = Kernel::ALL
            .into_iter()
            .map(|kernel| self.stage(self.actors, kernel));
        let mut stages = stages.collect::<Result<Vec<Stage>, StageError>>()?;
        let warm_ticks = self.by_size(WARM_TICKS, WARM_TICKS_LARGE);
        for stage in &mut stages {
            for _ in 0..warm_ticks {
                stage.refresh();
                stage.tick();
            }
        }
        let (ticks, min_rounds) = (self.ticks_per_round(), self.min_rounds());
        let mut samples = vec![Vec::new(); stages.len()];
        for round in 0.. {
            if round >= min_rounds && begin.elapsed() >= share {
                break;
            }
            // Who follows whom decides what is in the cache: take turns at that, too.
            for turn in 0..stages.len() {
                let who = (round + turn) % stages.len();
                let nanos = self.round(&mut stages[who], ticks);
                samples[who].push(nanos / (ticks * self.actors) as f64);
            }
        }
        Ok(samples.into_iter().map(Measured::of).collect())
    }

    /// Tokens visited by the actors there are: on average over some ticks. With lanes a token that
    /// anybody of a block visits is visited once.
    pub(super) fn tokens(&self, kernel: Kernel) -> Result<Option<f64>, StageError> {
        let mut stage = self.stage(self.traced_actors(), kernel)?;
        stage.population_mut().set_census(true);
        let (mut tokens, mut ticked) = (0, 0);
        for tick in 0..WARM_TICKS + TRACED_TICKS {
            stage.refresh();
            let counts = stage.tick().counts;
            if tick >= WARM_TICKS {
                tokens += stage.population().tokens_visited();
                ticked += counts.ticked;
            }
        }
        Ok((tokens > 0).then(|| tokens as f64 / ticked as f64))
    }

    fn stage(&self, actors: usize, kernel: Kernel) -> Result<Stage, StageError> {
        Stage::new(self.shape.clone(), self.data, actors, kernel, self.seed)
    }

    fn by_size(&self, small: usize, large: usize) -> usize {
        if self.actors > LARGE { large } else { small }
    }

    fn min_rounds(&self) -> usize {
        self.by_size(self.min_rounds, self.min_rounds.min(ROUNDS_LARGE))
            .max(1)
    }

    fn ticks_per_round(&self) -> usize {
        let least = match self.data {
            Data::Coherent => self.by_size(ROUND_TICKS_COHERENT, ROUND_TICKS_COHERENT_LARGE),
            Data::Fresh | Data::Resumed | Data::Divergent => 1,
        };
        ROUND_ACTOR_TICKS
            .div_ceil(self.actors)
            .clamp(least, ROUND_TICKS)
    }

    /// Nanoseconds of that many ticks.
    fn round(&self, stage: &mut Stage, ticks: usize) -> f64 {
        let mut total = Duration::ZERO;
        for _ in 0..ticks {
            stage.refresh();
            let start = Instant::now();
            stage.tick();
            total += start.elapsed().saturating_sub(self.clock);
        }
        total.as_nanos() as f64
    }
}

impl Measured {
    fn of(mut samples: Vec<f64>) -> Measured {
        samples.sort_unstable_by(f64::total_cmp);
        // Between two samples, if there is none at that place.
        let at = |part: f64| {
            let place = part * samples.len().saturating_sub(1) as f64;
            let (low, high) = (
                samples.get(place as usize),
                samples.get(place.ceil() as usize),
            );
            match (low, high) {
                (Some(low), Some(high)) => low + (high - low) * place.fract(),
                _ => f64::NAN,
            }
        };
        Measured {
            nanos: at(0.5),
            rounds: samples.len(),
            quartiles: [at(0.25), at(0.75)],
            range: [at(0.0), at(1.0)],
        }
    }
}

/// What two readings of the clock take, at least.
pub(super) fn clock_overhead() -> Duration {
    let readings = (0..1_000).map(|_| Instant::now().elapsed());
    readings.min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::Scene;

    fn case(shape: &Arc<Shape>, data: Data, actors: usize) -> Case<'_> {
        Case {
            shape,
            data,
            actors,
            seed: 1,
            min_rounds: 5,
            clock: Duration::ZERO,
        }
    }

    #[test]
    fn medians() {
        let nanos = |samples: &[f64]| Measured::of(samples.to_vec()).nanos;
        assert_eq!(nanos(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(nanos(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(nanos(&[7.0]), 7.0);
        assert!(nanos(&[]).is_nan());
        let three = Measured::of(vec![4.0, 1.0, 2.0]);
        assert_eq!((three.range, three.quartiles), ([1.0, 4.0], [1.5, 3.0]));
    }

    #[test]
    fn rounds_and_ticks_by_size() {
        let shape = Arc::new(pleach_tree::compile(&Scene::Guard.tree()).unwrap());
        let of = |data, actors| {
            let case = case(&shape, data, actors);
            (case.ticks_per_round(), case.min_rounds())
        };
        assert_eq!(of(Data::Fresh, 1), (256, 5));
        assert_eq!(of(Data::Fresh, 1_000), (5, 5));
        assert_eq!(of(Data::Fresh, 100_000), (1, 5));
        assert_eq!(of(Data::Fresh, 1_000_000), (1, 3));
        assert_eq!(of(Data::Coherent, 100_000), (8, 5));
        assert_eq!(of(Data::Coherent, 1_000_000), (4, 3));
    }

    #[test]
    fn bytes_are_those_of_whole_blocks_and_all_kernels() {
        let shape = Arc::new(pleach_tree::compile(&Scene::Guard.tree()).unwrap());
        let of = |actors| case(&shape, Data::Fresh, actors).bytes();
        let blocks = shape.requirements().block_bytes * Kernel::ALL.len() as u64;
        assert_eq!((of(1), of(513)), (of(512), 2 * of(512)));
        // And state streams beside the blocks.
        assert!(of(1) > blocks && of(1) < 3 * blocks);
        assert_eq!(of(usize::MAX), u64::MAX);
    }

    #[test]
    fn resuming_visits_fewer_tokens() {
        let shape = Arc::new(pleach_tree::compile(&Scene::Divergent.tree()).unwrap());
        let tokens = |data| {
            let case = case(&shape, data, 64);
            case.tokens(Kernel::PureStream).unwrap().unwrap()
        };
        assert!(tokens(Data::Resumed) < tokens(Data::Fresh));
    }
}
