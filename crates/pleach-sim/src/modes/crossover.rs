//! Crossovers: from how many actors on one kernel beats all others.

use serde::Serialize;

use super::row::{Row, kernels};

/// The kernel whose crossovers are looked for: it walks many actors at a time, so it has a price
/// for a block, however few actors are in it, and a lower one for each actor.
pub const CHALLENGER: &str = "lanes";

/// From how many actors on a kernel is faster than the best of the others, for a tree, a kind of
/// data and a number of threads.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Crossover {
    /// The tree's name.
    pub tree: String,
    /// How the data moved.
    pub data: String,
    /// Threads that ticked blocks of 512 actors.
    pub threads: usize,
    /// The kernel that is compared with the best of the others at each size.
    pub kernel: String,
    /// Where it is faster.
    #[serde(flatten)]
    pub faster: Faster,
}

/// Where a kernel is faster than the best of the others.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(tag = "faster", rename_all = "snake_case")]
pub enum Faster {
    /// At every size that was measured.
    Always,
    /// Not at the greatest size that was measured, whatever happens below it.
    Never,
    /// From a size on up to the greatest that was measured.
    From {
        /// The number of actors, interpolated.
        actors: f64,
        /// The time at that point.
        ns_per_actor_tick: f64,
        /// The neighbouring sizes that were measured: not faster at the first, faster at the
        /// second.
        between: [usize; 2],
    },
}

impl Crossover {
    /// The crossovers of one kernel, one for each tree, data and number of threads. Rows of these
    /// must follow each other. Without rows of that kernel and of another one for some size, there
    /// is none.
    pub fn of_rows(rows: &[Row], kernel: &str) -> Vec<Crossover> {
        let panels = rows.chunk_by(Row::same_panel);
        let found = panels.filter_map(|panel| {
            let faster = Faster::of_panel(panel, kernel)?;
            let Row {
                tree,
                data,
                threads,
                ..
            } = panel.first()?;
            Some(Crossover {
                tree: tree.clone(),
                data: data.clone(),
                threads: *threads,
                kernel: kernel.to_owned(),
                faster,
            })
        });
        found.collect()
    }

    /// Whether a row is of the same tree, data and number of threads.
    pub fn is_of(&self, row: &Row) -> bool {
        (&self.tree, &self.data, self.threads) == (&row.tree, &row.data, row.threads)
    }
}

/// What was measured at one size, as logarithms, in which all interpolation is linear.
struct Size {
    actors: usize,
    /// Of the kernel that is looked at.
    own: f64,
    /// Of the other kernels, in a fixed order; infinite where one was not measured.
    others: Vec<f64>,
}

impl Size {
    fn is_faster(&self) -> bool {
        self.others.iter().all(|&other| self.own < other)
    }
}

impl Faster {
    fn of_panel(panel: &[Row], kernel: &str) -> Option<Faster> {
        let sizes = sizes(panel, kernel);
        let last = sizes.last()?;
        if !last.is_faster() {
            return Some(Faster::Never);
        }
        let Some(before) = sizes.iter().rposition(|size| !size.is_faster()) else {
            return Some(Faster::Always);
        };
        let (low, high) = (&sizes[before], &sizes[before + 1]);
        let part = crossing(low, high);
        let between = [low.actors, high.actors];
        let [first, second] = between.map(|actors| (actors as f64).ln());
        Some(Faster::From {
            actors: (first + part * (second - first)).exp(),
            ns_per_actor_tick: (low.own + part * (high.own - low.own)).exp(),
            between,
        })
    }
}

/// The sizes at which both the kernel and another one were measured, ascending.
fn sizes(panel: &[Row], kernel: &str) -> Vec<Size> {
    let others: Vec<&str> = kernels(panel)
        .into_iter()
        .filter(|other| *other != kernel)
        .collect();
    let mut actors: Vec<usize> = panel.iter().map(|row| row.actors).collect();
    actors.sort_unstable();
    actors.dedup();
    let sizes = actors.into_iter().filter_map(|actors| {
        let log = |kernel: &str| {
            let row = panel
                .iter()
                .find(|row| row.actors == actors && row.kernel == kernel)?;
            let log = row.ns_per_actor_tick.ln();
            log.is_finite().then_some(log)
        };
        let own = log(kernel)?;
        let others: Vec<f64> = others
            .iter()
            .map(|other| log(other).unwrap_or(f64::INFINITY))
            .collect();
        let any = others.iter().any(|other| other.is_finite());
        any.then_some(Size {
            actors,
            own,
            others,
        })
    });
    sizes.collect()
}

/// Which part of the way from a size where the kernel is not faster to one where it is has been
/// gone when it passes below the last of the others. Each line is straight between the sizes, as
/// a plot draws it; so it may be another kernel at each end that is the best of the others.
fn crossing(low: &Size, high: &Size) -> f64 {
    let parts = low.others.iter().zip(&high.others).map(|(&from, &to)| {
        let (before, after) = (low.own - from, high.own - to);
        // Infinite ones were not measured at that end and cannot be passed there.
        if before < 0.0 || !before.is_finite() {
            0.0
        } else if !after.is_finite() {
            1.0
        } else {
            before / (before - after)
        }
    });
    parts.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::super::row::made_up;
    use super::*;

    /// One panel: a column a kernel, a line a size.
    fn panel<const N: usize>(kernels: [&str; N], lines: &[(usize, [f64; N])]) -> Vec<Row> {
        let line = |&(actors, nanos): &(usize, [f64; N])| {
            kernels
                .into_iter()
                .zip(nanos)
                .map(move |(kernel, nanos)| made_up(kernel, actors, nanos))
                .collect::<Vec<_>>()
        };
        lines.iter().flat_map(line).collect()
    }

    #[track_caller]
    fn faster<const N: usize>(kernels: [&str; N], lines: &[(usize, [f64; N])]) -> Faster {
        let found = Crossover::of_rows(&panel(kernels, lines), CHALLENGER);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (
                found[0].tree.as_str(),
                found[0].data.as_str(),
                found[0].threads
            ),
            ("guard", "divergent", 1)
        );
        found[0].faster
    }

    #[track_caller]
    fn from(faster: Faster) -> (f64, f64, [usize; 2]) {
        match faster {
            Faster::From {
                actors,
                ns_per_actor_tick,
                between,
            } => (actors, ns_per_actor_tick, between),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn always_and_never() {
        let kernels = ["stream", "stack", "lanes"];
        let lines = [(1, [20.0, 30.0, 10.0]), (100, [20.0, 30.0, 19.9])];
        assert_eq!(faster(kernels, &lines), Faster::Always);
        // As fast as the best is not faster.
        let lines = [(1, [20.0, 30.0, 25.0]), (100, [20.0, 30.0, 20.0])];
        assert_eq!(faster(kernels, &lines), Faster::Never);
        // Ahead for few actors only.
        let lines = [(1, [20.0, 30.0, 10.0]), (100, [20.0, 30.0, 25.0])];
        assert_eq!(faster(kernels, &lines), Faster::Never);
        assert_eq!(faster(kernels, &[(7, [2.0, 3.0, 1.0])]), Faster::Always);
        assert_eq!(faster(kernels, &[(7, [2.0, 3.0, 4.0])]), Faster::Never);
    }

    #[test]
    fn a_crossing_is_interpolated_on_logarithms() {
        // Four times as slow at 10, a quarter at 1,000: half way, which is 100.
        let lines = [(10, [20.0, 80.0]), (1_000, [20.0, 5.0])];
        let (actors, nanos, between) = from(faster(["stream", "lanes"], &lines));
        assert!((actors - 100.0).abs() < 1e-6, "{actors}");
        assert!((nanos - 20.0).abs() < 1e-9, "{nanos}");
        assert_eq!(between, [10, 1_000]);
        // Level at a measured size: just there.
        let lines = [(1, [9.0, 90.0]), (10, [9.0, 9.0]), (100, [9.0, 3.0])];
        let (actors, _, between) = from(faster(["stream", "lanes"], &lines));
        assert!((actors - 10.0).abs() < 1e-9, "{actors}");
        assert_eq!(between, [10, 100]);
    }

    #[test]
    fn the_last_crossing_counts() {
        let lines = [
            (1, [9.0, 90.0]),
            (10, [9.0, 3.0]),
            (100, [9.0, 18.0]),
            (10_000, [9.0, 4.5]),
        ];
        let (actors, _, between) = from(faster(["stream", "lanes"], &lines));
        assert!((actors - 1_000.0).abs() < 1e-6, "{actors}");
        assert_eq!(between, [100, 10_000]);
    }

    #[test]
    fn the_best_of_the_others_may_change_on_the_way() {
        // The stack starts below and ends above: it is passed before the stream.
        let kernels = ["stream", "stack", "lanes"];
        let lines = [(1, [16.0, 4.0, 64.0]), (10_000, [16.0, 64.0, 4.0])];
        let (actors, nanos, _) = from(faster(kernels, &lines));
        assert!((actors - 100.0).abs() < 1e-6, "{actors}");
        assert!((nanos - 16.0).abs() < 1e-9, "{nanos}");
        // A kernel that was ahead from the start does not move the crossing to the start.
        let lines = [(1, [2.0, 900.0, 8.0]), (100, [2.0, 900.0, 0.5])];
        let (actors, ..) = from(faster(kernels, &lines));
        assert!((actors - 10.0).abs() < 1e-6, "{actors}");
    }

    #[test]
    fn rows_in_any_order_and_with_gaps() {
        let mut rows = panel(
            ["lanes", "stream"],
            &[(10, [80.0, 20.0]), (1_000, [5.0, 20.0])],
        );
        // Sizes of one kernel alone say nothing.
        rows.push(made_up("lanes", 100_000, 90.0));
        rows.push(made_up("stream", 1, 0.1));
        rows.reverse();
        let found = Crossover::of_rows(&rows, CHALLENGER);
        assert!((from(found[0].faster).0 - 100.0).abs() < 1e-6);
    }

    #[test]
    fn figures_that_are_no_numbers_are_left_out() {
        let lines = [(1, [f64::NAN, 1.0]), (10, [0.0, 1.0]), (100, [3.0, 1.0])];
        assert_eq!(faster(["stream", "lanes"], &lines), Faster::Always);
    }

    #[test]
    fn no_crossover_without_a_rival_or_the_kernel() {
        let of = |rows: &[Row]| Crossover::of_rows(rows, CHALLENGER).len();
        assert_eq!(of(&[]), 0);
        assert_eq!(of(&panel(["lanes"], &[(1, [1.0])])), 0);
        assert_eq!(of(&panel(["stream", "stack"], &[(1, [1.0, 2.0])])), 0);
    }

    #[test]
    fn panels_are_kept_apart() {
        let one = panel(["stream", "lanes"], &[(1, [1.0, 2.0])]);
        let mut rows = one.clone();
        rows.extend(one.iter().map(|row| Row {
            data: "fresh".to_owned(),
            ..row.clone()
        }));
        rows.extend(one.iter().map(|row| Row {
            threads: 2,
            ..row.clone()
        }));
        let found = Crossover::of_rows(&rows, CHALLENGER);
        assert_eq!(found.len(), 3);
        assert!(found[1].is_of(&rows[2]) && !found[1].is_of(&rows[0]));
    }

    #[test]
    fn programs_read_one_flat_object() {
        let lines = [(10, [20.0, 80.0]), (1_000, [20.0, 5.0])];
        let found = Crossover::of_rows(&panel(["stream", "lanes"], &lines), CHALLENGER);
        let json = serde_json::to_value(&found[0]).unwrap();
        assert_eq!(json["kernel"], "lanes");
        assert_eq!(json["faster"], "from");
        assert_eq!(json["between"], serde_json::json!([10, 1000]));
        let never = Crossover {
            faster: Faster::Never,
            ..found[0].clone()
        };
        let json = serde_json::to_value(&never).unwrap();
        assert_eq!(json["faster"], "never");
        assert!(json.get("actors").is_none());
    }
}
