//! Rows: what a run of the modes gives, and how people read it.

use std::fmt::Write;

use serde::Serialize;

/// One kernel's figures for one case.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// The tree's name.
    pub tree: String,
    /// How the data moved: fresh, resumed, coherent, divergent.
    pub data: String,
    /// Number of actors.
    pub actors: usize,
    /// The kernel's name.
    pub kernel: String,
    /// Threads that ticked blocks of 512 actors.
    pub threads: usize,
    /// Nanoseconds that one actor's tick took: a tick's time by the actors, the median over rounds.
    pub ns_per_actor_tick: f64,
    /// Rounds that the median is taken over.
    pub rounds: usize,
    /// The least and greatest round's nanoseconds: far apart, the machine was busy.
    pub ns_range: [f64; 2],
    /// Bytes an actor takes besides its columns.
    pub state_bytes_per_actor: u64,
    /// Tokens that one actor's walk visited on average: entries of parents, leaves, and reactions
    /// to children. The same for both kernels; the pure stream finds reactions in its stream, the
    /// traversal stack on its stack.
    pub tokens_visited_per_actor_tick: f64,
}

/// A table of rows for a terminal, at most 100 columns wide unless names are long: a line a case,
/// kernels side by side. Rows of one case must follow each other, as [`run`](super::run) gives
/// them.
pub fn table(rows: &[Row]) -> String {
    let width = rows
        .iter()
        .map(|row| row.tree.chars().count())
        .max()
        .unwrap_or(0)
        .max(6);
    let kernels = kernels(rows);
    let mut text = format!(
        "{:<width$}  {:<10}{:>9}{:>4}{:>8}{:>7}",
        "", "", "", "", "tokens", "bytes"
    );
    for _ in &kernels {
        let _ = write!(text, "{:>17}", "ns an actor");
    }
    let _ = write!(
        text,
        "\n{:<width$}  {:<10}{:>9}{:>4}{:>8}{:>7}",
        "tree", "data", "actors", "thr", "visited", "state"
    );
    for kernel in &kernels {
        let _ = write!(text, "{kernel:>17}");
    }
    text.push_str("   faster\n");
    let mut last_tree = "";
    for case in rows.chunk_by(same_case) {
        let row = &case[0];
        if !last_tree.is_empty() && last_tree != row.tree {
            text.push('\n');
        }
        last_tree = &row.tree;
        let _ = write!(
            text,
            "{:<width$}  {:<10}{:>9}{:>4}{:>8.1}{:>7}",
            row.tree,
            row.data,
            grouped(row.actors),
            row.threads,
            row.tokens_visited_per_actor_tick,
            row.state_bytes_per_actor
        );
        for kernel in &kernels {
            let nanos = case
                .iter()
                .find(|row| row.kernel == *kernel)
                .map(|row| row.ns_per_actor_tick);
            match nanos {
                Some(nanos) => {
                    let _ = write!(text, "{nanos:>17.1}");
                }
                None => {
                    let _ = write!(text, "{:>17}", "-");
                }
            }
        }
        let _ = writeln!(text, "   {}", fastest(case));
    }
    text
}

fn same_case(a: &Row, b: &Row) -> bool {
    (&a.tree, &a.data, a.actors, a.threads) == (&b.tree, &b.data, b.actors, b.threads)
}

/// Names of kernels in the order of their first row.
fn kernels(rows: &[Row]) -> Vec<&str> {
    let mut kernels: Vec<&str> = Vec::new();
    for row in rows {
        if !kernels.contains(&row.kernel.as_str()) {
            kernels.push(&row.kernel);
        }
    }
    kernels
}

/// Which kernel is the fastest of a case and how many times as fast as the slowest: `pure 1.12x`.
fn fastest(case: &[Row]) -> String {
    let by_time = |a: &&Row, b: &&Row| a.ns_per_actor_tick.total_cmp(&b.ns_per_actor_tick);
    match (case.iter().min_by(by_time), case.iter().max_by(by_time)) {
        (Some(best), Some(worst)) if best.kernel != worst.kernel => {
            let short = best.kernel.split('-').next_back().unwrap_or(&best.kernel);
            let times = worst.ns_per_actor_tick / best.ns_per_actor_tick;
            if times < 1.05 {
                return "even".to_owned();
            }
            format!("{short} {times:.2}x")
        }
        _ => String::new(),
    }
}

/// `100,000`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(kernel: &str, actors: usize, nanos: f64) -> Row {
        Row {
            tree: "guard".to_owned(),
            data: "divergent".to_owned(),
            actors,
            kernel: kernel.to_owned(),
            threads: 1,
            ns_per_actor_tick: nanos,
            rounds: 5,
            ns_range: [nanos, nanos],
            state_bytes_per_actor: 34,
            tokens_visited_per_actor_tick: 9.25,
        }
    }

    #[test]
    fn a_table_fits_a_terminal() {
        let rows = [
            row("pure-stream", 1, 1234.5),
            row("traversal-stack", 1, 2469.0),
            row("pure-stream", 100_000, 30.0),
            row("traversal-stack", 100_000, 24.0),
        ];
        let text = table(&rows);
        assert_eq!(
            text,
            "                                 tokens  bytes      ns an actor      ns an actor\n\
             tree    data         actors thr visited  state      pure-stream  traversal-stack   faster\n\
             guard   divergent         1   1     9.2     34           1234.5           2469.0   stream 2.00x\n\
             guard   divergent   100,000   1     9.2     34             30.0             24.0   stack 1.25x\n"
        );
        assert!(text.lines().all(|line| line.chars().count() <= 100));
    }

    #[test]
    fn an_empty_table_is_a_heading() {
        assert_eq!(table(&[]).lines().count(), 2);
    }

    #[test]
    fn thousands() {
        assert_eq!(
            [1, 999, 1_000, 1_234_567].map(grouped),
            ["1", "999", "1,000", "1,234,567"]
        );
    }
}
