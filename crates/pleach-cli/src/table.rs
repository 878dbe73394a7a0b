//! A comparison of kernels, for people.

use std::fmt;

use pleach_sim::modes::{Comparison, Faster, Row, about, kernels};
use pleach_text::visible;

use crate::number::{counted, grouped};
use crate::style::Style;

/// Columns of data, of actors, of rounds.
const DATA: usize = 10;
const ACTORS: usize = 10;
const ROUNDS: usize = 8;

/// Columns of a kernel: a time, its mark, its spread. With four of them a line has 96 columns.
const KERNEL: usize = 17;

/// Columns of a tree's name, at most.
const NAME: usize = 40;

/// A table for a terminal: a part for each tree, a line for each case, kernels side by side.
pub(crate) struct Table<'a> {
    comparison: &'a Comparison,
    kernels: Vec<&'a str>,
    style: Style,
}

impl<'a> Table<'a> {
    /// The table of a comparison.
    pub(crate) fn new(comparison: &'a Comparison, style: Style) -> Table<'a> {
        Table {
            comparison,
            kernels: kernels(&comparison.rows),
            style,
        }
    }
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trees = |a: &Row, b: &Row| (&a.tree, a.threads) == (&b.tree, b.threads);
        for tree in self.comparison.rows.chunk_by(trees) {
            self.heading(f, &tree[0])?;
            for panel in tree.chunk_by(Row::same_panel) {
                for case in panel.chunk_by(Row::same_case) {
                    self.case(f, case)?;
                }
                self.summary(f, panel)?;
            }
        }
        self.skipped(f)?;
        self.legend(f)
    }
}

impl Table<'_> {
    fn heading(&self, f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
        let facts = format!(
            "{}, {} bytes of columns an actor, {}",
            counted(row.nodes.into(), "node", "nodes"),
            grouped(row.column_bytes_per_actor),
            counted(row.threads as u64, "thread", "threads"),
        );
        writeln!(
            f,
            "{}  {}",
            self.style.strong(&shown(&row.tree)),
            self.style.dim(&facts)
        )?;
        let mut heading = format!(
            "{:<DATA$}{:>ACTORS$}{:>ROUNDS$}",
            "data", "actors", "rounds"
        );
        for kernel in &self.kernels {
            heading.push_str(&format!("{kernel:>KERNEL$}"));
        }
        writeln!(f, "{}", self.style.strong(&heading))
    }

    fn case(&self, f: &mut fmt::Formatter<'_>, case: &[Row]) -> fmt::Result {
        let row = &case[0];
        write!(
            f,
            "{:<DATA$}{:>ACTORS$}{:>ROUNDS$}",
            row.data,
            grouped(row.actors as u64),
            grouped(row.rounds as u64)
        )?;
        let times = case.iter().map(|row| row.ns_per_actor_tick);
        let best = times.fold(f64::INFINITY, f64::min);
        for kernel in &self.kernels {
            let Some(row) = case.iter().find(|row| row.kernel == *kernel) else {
                write!(f, "{:>KERNEL$}", "-")?;
                continue;
            };
            let is_best = case.len() > 1 && row.ns_per_actor_tick <= best;
            let time = format!(
                "{:>time$}{}",
                decimal(row.ns_per_actor_tick),
                if is_best { '*' } else { ' ' },
                time = KERNEL - 7
            );
            let time = if is_best {
                self.style.strong(&time)
            } else {
                time
            };
            let spread = self.style.dim(&format!("{:>6}", spread(row.spread())));
            write!(f, "{time}{spread}")?;
        }
        writeln!(f)
    }

    /// What holds for a tree's data at any size: tokens visited, and the crossover.
    fn summary(&self, f: &mut fmt::Formatter<'_>, panel: &[Row]) -> fmt::Result {
        let beside = DATA + ACTORS + ROUNDS;
        let mut tokens = format!("{:>beside$}", "tokens visited");
        // A crowd's walks are more typical than those of one actor.
        let crowd = panel.chunk_by(Row::same_case).next_back().unwrap_or(panel);
        for kernel in &self.kernels {
            let row = crowd.iter().find(|row| row.kernel == *kernel);
            let visited = row.and_then(|row| row.tokens_visited_per_actor_tick);
            let text = visited.map_or("-".to_owned(), decimal);
            // Below the times.
            tokens.push_str(&format!("{text:>time$}{:7}", "", time = KERNEL - 7));
        }
        writeln!(f, "{}", self.style.dim(tokens.trim_end()))?;
        let mut bytes = format!("{:>beside$}", "bytes of state an actor");
        for kernel in &self.kernels {
            let row = crowd.iter().find(|row| row.kernel == *kernel);
            let text = row.map_or("-".to_owned(), |row| grouped(row.state_bytes_per_actor));
            bytes.push_str(&format!("{text:>time$}{:7}", "", time = KERNEL - 7));
        }
        writeln!(f, "{}", self.style.dim(bytes.trim_end()))?;
        if let Some(crossover) = self.comparison.crossover_of(&panel[0]) {
            let kernel = &crossover.kernel;
            let text = match crossover.faster {
                Faster::Always => format!("{kernel}: the fastest at every size"),
                Faster::Never => format!("{kernel}: not the fastest at the greatest size"),
                Faster::From { actors, .. } => {
                    format!(
                        "{kernel}: the fastest from about {} actors on",
                        about(actors)
                    )
                }
            };
            writeln!(f, "{:>beside$}  {}", "crossover", self.style.name(&text))?;
        }
        writeln!(f)
    }

    fn skipped(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const GIB: f64 = (1u64 << 30) as f64;
        let skipped = &self.comparison.skipped;
        for case in skipped {
            writeln!(
                f,
                "{} {} with {}: its populations would take {:.1} GiB, more than {:.1}",
                self.style.warning("skipped:"),
                shown(&case.tree),
                counted(case.actors as u64, "actor", "actors"),
                case.bytes as f64 / GIB,
                self.comparison.options.max_bytes as f64 / GIB,
            )?;
        }
        if skipped.is_empty() {
            Ok(())
        } else {
            writeln!(f)
        }
    }

    fn legend(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let machine = &self.comparison.machine;
        let legend = format!(
            "Nanoseconds an actor and tick: the median round; ± half the distance of the quartiles, in\n\
             percent of it; * the fastest. Refreshing columns and results is left out.\n\
             The kernels take turns. Differences of a few percent mean little; on a busy machine run it twice.\n\
             fresh: every actor starts over each tick. resumed: it goes on where it was.\n\
             coherent: all actors see the same values. divergent: each sees its own.\n\
             {}, built for {};\n\
             it understands {}, and lanes use {}.",
            machine.cpu.as_deref().unwrap_or("Unknown processor"),
            machine.built_for,
            machine.understands,
            machine.lanes,
        );
        writeln!(f, "{}", self.style.dim(&legend))?;
        if machine.debug {
            let remark = "This is a build for debugging: the figures mean little. Use --release.";
            writeln!(f, "{}", self.style.warning(remark))?;
        }
        Ok(())
    }
}

/// A name that cannot disturb a terminal, nor a table.
fn shown(name: &str) -> String {
    console::truncate_str(&visible(name), NAME, "…").into_owned()
}

/// One digit behind the point: `1,539.1`.
fn decimal(number: f64) -> String {
    if !number.is_finite() {
        return "-".to_owned();
    }
    if number < 1.0 {
        // What many actors share is a small part of something for each.
        return format!("{number:.2}");
    }
    let tenths = (number * 10.0).round() as u64;
    format!("{}.{}", grouped(tenths / 10), tenths % 10)
}

/// A share in at most five columns: `±4%`.
fn spread(share: f64) -> String {
    match share * 100.0 {
        percent if percent < 99.5 => format!("±{percent:.0}%"),
        _ => "±99+%".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pleach_sim::modes::{CHALLENGER, Crossover, Machine, Options, Settings, Skipped};

    fn row(kernel: &str, actors: usize, nanos: f64) -> Row {
        Row {
            tree: "gu\u{1b}ard".to_owned(),
            nodes: 17,
            data: "divergent".to_owned(),
            threads: 1,
            actors,
            kernel: kernel.to_owned(),
            ns_per_actor_tick: nanos,
            ns_quartiles: [nanos * 0.98, nanos * 1.02],
            ns_range: [nanos * 0.9, nanos * 1.5],
            rounds: 1_234,
            state_bytes_per_actor: 34,
            column_bytes_per_actor: 12,
            tokens_visited_per_actor_tick: (kernel != CHALLENGER).then_some(9.25),
        }
    }

    fn comparison(rows: Vec<Row>) -> Comparison {
        Comparison {
            format: Comparison::FORMAT,
            pleach: String::new(),
            machine: Machine {
                debug: false,
                ..Machine::this()
            },
            options: Settings {
                trees: Vec::new(),
                data: Vec::new(),
                actors: Vec::new(),
                threads: Vec::new(),
                kernels: Vec::new(),
                seed: 1,
                min_rounds: 5,
                seconds: 60.0,
                max_bytes: Options::MAX_BYTES,
            },
            crossovers: Crossover::of_rows(&rows, CHALLENGER),
            rows,
            skipped: vec![Skipped {
                tree: "guard".to_owned(),
                actors: 10_000_000,
                bytes: 5 << 30,
            }],
        }
    }

    fn four(actors: usize, nanos: [f64; 4]) -> impl Iterator<Item = Row> {
        let kernels = [
            "pure-stream",
            "threaded-stream",
            "traversal-stack",
            CHALLENGER,
        ];
        kernels
            .into_iter()
            .zip(nanos)
            .map(move |(kernel, nanos)| row(kernel, actors, nanos))
    }

    #[test]
    fn a_table_fits_a_terminal() {
        let rows = four(1, [213.2, 180.0, 221.54, 123_456.7]);
        let rows = rows.chain(four(1_000_000, [41.1, 34.0, 48.6, 8.54]));
        let found = comparison(rows.collect());
        let text = Table::new(&found, Style::PLAIN).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[..8],
            [
                "gu\\u{1b}ard  17 nodes, 12 bytes of columns an actor, 1 thread",
                "data          actors  rounds      pure-stream  threaded-stream  traversal-stack            lanes",
                "divergent          1   1,234     213.2    ±2%     180.0*   ±2%     221.5    ±2% 123,456.7    ±2%",
                "divergent  1,000,000   1,234      41.1    ±2%      34.0    ±2%      48.6    ±2%       8.5*   ±2%",
                "              tokens visited       9.3              9.3              9.3                -",
                "     bytes of state an actor        34               34               34               34",
                "                   crossover  lanes: the fastest from about 90,000 actors on",
                "",
            ]
        );
        assert!(text.contains("guard with 10,000,000 actors: its populations would take 5.0 GiB"));
        assert!(
            lines.iter().all(|line| line.chars().count() <= 100),
            "{text}"
        );
    }

    #[test]
    fn any_number_of_kernels() {
        for rows in [
            vec![],
            vec![row("a", 1, 2.0)],
            vec![row("a", 1, f64::NAN), row("b", 2, 1.0)],
        ] {
            let found = comparison(rows);
            let text = Table::new(&found, Style::PLAIN).to_string();
            // Nobody is the fastest of one.
            assert!(!text.contains("0*"), "{text}");
        }
    }

    #[test]
    fn numbers_fit_their_columns() {
        assert_eq!(
            [0.04, 9.96, 1_539.14, f64::NAN].map(decimal),
            ["0.04", "10.0", "1,539.1", "-"]
        );
        assert_eq!(
            [0.004, 0.12, 0.994, 7.0, f64::NAN].map(spread),
            ["±0%", "±12%", "±99%", "±99+%", "±99+%"]
        );
    }
}
