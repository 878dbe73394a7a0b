//! Rows: what a kernel took for a case.

use serde::Serialize;

/// One kernel's figures for one case.
///
/// Serialises to one object; its field names are meant to stay.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The tree's name.
    pub tree: String,
    /// Nodes of the tree: tokens of its plain stream.
    pub nodes: u32,
    /// How the data moved: fresh, resumed, coherent, divergent.
    pub data: String,
    /// Threads that ticked blocks of 512 actors.
    pub threads: usize,
    /// Number of actors.
    pub actors: usize,
    /// The kernel's name.
    pub kernel: String,
    /// Nanoseconds that one actor's tick took: a tick's time by the actors, the median over rounds.
    pub ns_per_actor_tick: f64,
    /// Nanoseconds that a quarter of the rounds stayed below, and that three quarters did: far
    /// apart, the machine was busy.
    pub ns_quartiles: [f64; 2],
    /// The least and greatest round's nanoseconds.
    pub ns_range: [f64; 2],
    /// Rounds that the median is taken over.
    pub rounds: usize,
    /// Bytes an actor takes besides its columns while this kernel walks it.
    pub state_bytes_per_actor: u64,
    /// Bytes of an actor's columns.
    pub column_bytes_per_actor: u64,
    /// Tokens that one actor's tick visited on average: entries of parents, leaves, and reactions
    /// to children, as far as the kernel visits them. Of lanes, a token that several actors of a block
    /// visit counts once, so that it may be below 1. `None` if no token was visited.
    pub tokens_visited_per_actor_tick: Option<f64>,
}

impl Row {
    /// Whether two rows differ in nothing but kernel and figures.
    pub fn same_case(&self, other: &Row) -> bool {
        self.same_panel(other) && self.actors == other.actors
    }

    /// Whether two rows are of the same tree, data and number of threads.
    pub fn same_panel(&self, other: &Row) -> bool {
        (&self.tree, &self.data, self.threads) == (&other.tree, &other.data, other.threads)
    }

    /// Half the distance of the quartiles, as a share of the median.
    pub fn spread(&self) -> f64 {
        (self.ns_quartiles[1] - self.ns_quartiles[0]) / 2.0 / self.ns_per_actor_tick
    }
}

/// Names of kernels, in the order of their first rows.
pub fn kernels(rows: &[Row]) -> Vec<&str> {
    let mut kernels: Vec<&str> = Vec::new();
    for row in rows {
        if !kernels.contains(&row.kernel.as_str()) {
            kernels.push(&row.kernel);
        }
    }
    kernels
}

/// Rows made up for tests: a tree "guard" on divergent data.
#[cfg(test)]
pub(super) fn made_up(kernel: &str, actors: usize, nanos: f64) -> Row {
    Row {
        tree: "guard".to_owned(),
        nodes: 17,
        data: "divergent".to_owned(),
        threads: 1,
        actors,
        kernel: kernel.to_owned(),
        ns_per_actor_tick: nanos,
        ns_quartiles: [nanos * 0.95, nanos * 1.05],
        ns_range: [nanos * 0.9, nanos * 1.5],
        rounds: 5,
        state_bytes_per_actor: 34,
        column_bytes_per_actor: 12,
        tokens_visited_per_actor_tick: Some(9.25),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_come_in_the_order_of_their_rows() {
        let rows = ["b", "a", "b", "c", "a"].map(|kernel| made_up(kernel, 1, 1.0));
        assert_eq!(kernels(&rows), ["b", "a", "c"]);
        assert_eq!(kernels(&[]), [""; 0]);
    }

    #[test]
    fn cases_and_panels() {
        let (one, two) = (made_up("a", 1, 1.0), made_up("b", 2, 1.0));
        assert!(one.same_panel(&two) && !one.same_case(&two));
        let other = Row {
            threads: 2,
            ..one.clone()
        };
        assert!(!one.same_panel(&other) && !one.same_case(&other));
        assert!((one.spread() - 0.05).abs() < 1e-9);
    }
}
