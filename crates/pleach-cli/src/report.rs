//! What a run did, for people.

use std::fmt;

use pleach_sim::{ActionFigures, Figures, NodeFigures, Scenario};
use pleach_text::visible;

use crate::chart;
use crate::number::{counted, grouped, rate, short, time};
use crate::outline::outline;
use crate::style::Style;

/// Widest and narrowest that a report gets, in columns.
const WIDTHS: std::ops::RangeInclusive<usize> = 80..=110;

/// Columns of a bar.
const BAR: usize = 10;

/// Columns of a number.
const NUMBER: usize = 8;

/// Columns beside the tree: bar, share and four numbers.
const BESIDE: usize = 2 + BAR + 7 + 4 * NUMBER;

/// A report for a terminal.
pub(crate) struct Report<'a> {
    scenario: &'a Scenario,
    figures: &'a Figures,
    style: Style,
    width: usize,
}

impl<'a> Report<'a> {
    /// A report as wide as the terminal, within reason.
    pub(crate) fn new(scenario: &'a Scenario, figures: &'a Figures, style: Style) -> Report<'a> {
        let width = console::Term::stdout()
            .size_checked()
            .map_or(100, |(_, columns)| columns.into());
        Report {
            scenario,
            figures,
            style,
            width: usize::clamp(width, *WIDTHS.start(), *WIDTHS.end()),
        }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.header(f)?;
        self.nodes(f)?;
        self.actions(f)?;
        self.remarks(f)?;
        self.timing(f)
    }
}

impl Report<'_> {
    fn header(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures {
            actors,
            ticks,
            warm_up,
            dt,
            kernel,
            threads,
            seed,
            ..
        } = self.figures;
        let title = format!(
            "{}: {}",
            visible(&self.figures.scenario),
            counted((*actors).into(), "actor", "actors")
        );
        write!(f, "{}", self.style.strong(&title))?;
        write!(
            f,
            " of tree \"{}\", {} of {dt} s",
            visible(&self.figures.tree),
            counted((*ticks).into(), "tick", "ticks")
        )?;
        if *warm_up > 0 {
            write!(f, " after {} to warm up", grouped((*warm_up).into()))?;
        }
        let threads = counted(*threads as u64, "thread", "threads");
        writeln!(
            f,
            "\n{}\n",
            self.style
                .dim(&format!("{kernel} kernel, {threads}, seed {seed}"))
        )
    }

    fn nodes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<(String, String)> = outline(self.scenario.tree())
            .map(|line| {
                let title = line.label.title();
                (line.branches, title)
            })
            .collect();
        let widest = lines
            .iter()
            .map(|(branches, title)| columns(branches) + columns(title))
            .max();
        let tree = widest.unwrap_or(0).clamp(20, self.width - BESIDE);
        let heading = format!(
            "{:<tree$}  {:<bar$}{:>NUMBER$}{:>NUMBER$}{:>NUMBER$}{:>NUMBER$}",
            "node",
            "active",
            "starts",
            "success",
            "failure",
            "cancel",
            bar = BAR + 7,
        );
        writeln!(f, "{}", self.style.strong(&heading))?;
        for ((branches, title), node) in lines.iter().zip(&self.figures.nodes) {
            self.node(f, tree, branches, title, node)?;
        }
        let legend = "active: visits by actors and ticks.  starts: visits that found it not running.\n\
                      cancel: it ran, and its parent went another way.";
        writeln!(f, "{}\n", self.style.dim(legend))
    }

    fn node(
        &self,
        f: &mut fmt::Formatter<'_>,
        tree: usize,
        branches: &str,
        title: &str,
        node: &NodeFigures,
    ) -> fmt::Result {
        // A deep node keeps a dozen columns for its title, if that takes so many.
        let branches = clipped(branches, tree.saturating_sub(columns(title).min(12)));
        let title = clipped(title, tree - columns(&branches));
        let blank = " ".repeat(tree - columns(&branches) - columns(&title));
        let (keyword, rest) = title.split_once(' ').unwrap_or((&title, ""));
        write!(
            f,
            "{}{}",
            self.style.dim(&branches),
            self.style.keyword(keyword)
        )?;
        if !rest.is_empty() {
            write!(f, " {rest}")?;
        }
        write!(f, "{blank}  ")?;
        if node.visits == 0 {
            return writeln!(f, "{}", self.style.warning("never reached"));
        }
        let bar = chart::bar(node.active_share, BAR);
        let share = format!("{:>7}", chart::percent(node.active_share));
        write!(f, "{}{share}", self.style.bar(&bar))?;
        let numbers = [node.starts, node.successes, node.failures, node.cancels];
        writeln!(f, "{}", self.numbers(&numbers))
    }

    /// Numbers in columns; zeros step back.
    fn numbers(&self, numbers: &[u64]) -> String {
        let column = |&number: &u64| match number {
            0 => self.style.dim(&format!("{:>NUMBER$}", "·")),
            number => format!("{:>NUMBER$}", short(number)),
        };
        numbers.iter().map(column).collect()
    }

    fn actions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.figures.actions.is_empty() {
            return Ok(());
        }
        let widest = self
            .figures
            .actions
            .iter()
            .map(|action| columns(&visible(&action.name)))
            .max();
        let names = widest.unwrap_or(0).clamp(14, self.width - 6 * NUMBER - 4);
        let heading = format!(
            "{:<names$}{:>NUMBER$}{:>10}{:>NUMBER$}   {:>NUMBER$}{:>NUMBER$}{:>NUMBER$}",
            "requests", "launch", "continue", "cancel", "success", "failure", "error",
        );
        writeln!(f, "{}", self.style.strong(&heading))?;
        for ActionFigures {
            name,
            launches,
            continues,
            cancels,
            successes,
            failures,
            errors,
        } in &self.figures.actions
        {
            let name = clipped(&visible(name), names);
            let blank = " ".repeat(names - columns(&name));
            let requests = [
                self.numbers(&[*launches]),
                self.numbers(&[*continues]),
                self.numbers(&[*cancels]),
            ];
            let results = self.numbers(&[*successes, *failures, *errors]);
            writeln!(
                f,
                "{name}{blank}{}  {}{}   {results}",
                requests[0], requests[1], requests[2]
            )?;
        }
        if self.figures.results_dropped > 0 {
            let remark = format!(
                "{} of these results came when the tree had gone another way, and were dropped.",
                short(self.figures.results_dropped)
            );
            writeln!(f, "{}", self.style.dim(&remark))?;
        }
        writeln!(f)
    }

    /// What somebody should look into.
    fn remarks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMED: usize = 5;
        let mut any = false;
        let mut remark = |f: &mut fmt::Formatter<'_>, what: &str, names: Vec<&str>| {
            if names.is_empty() {
                return Ok(());
            }
            any = true;
            let shown = names
                .iter()
                .take(NAMED)
                .map(|name| visible(name))
                .collect::<Vec<_>>()
                .join(", ");
            let more = names.len().saturating_sub(NAMED);
            let rest = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            writeln!(f, "{} {shown}{rest}", self.style.warning(what))
        };
        let unreached = self
            .figures
            .never_reached()
            .map(|node| node.path.as_str())
            .collect();
        remark(f, "never reached:", unreached)?;
        let undescribed = self
            .figures
            .undescribed
            .iter()
            .map(String::as_str)
            .collect();
        remark(f, "not described by the scenario:", undescribed)?;
        let left = self.figures.roots.aborted;
        if left > 0 {
            any = true;
            let who = if left == 1 { "actor" } else { "actors" };
            let remark = format!("{} {who} left the tree for good (abort-when)", short(left));
            writeln!(f, "{}", self.style.warning(&remark))?;
        }
        if any { writeln!(f) } else { Ok(()) }
    }

    fn timing(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = self.figures;
        let times = figures.tick_ns;
        let heading = |text: &str| self.style.strong(&format!("{text:<10}"));
        writeln!(
            f,
            "{}p50 {}, p99 {}, max {} a tick: {} actor-ticks a second",
            heading("decisions"),
            time(times.p50 as f64),
            time(times.p99 as f64),
            time(times.max as f64),
            rate(figures.actor_ticks_per_second),
        )?;
        writeln!(
            f,
            "{}{} for all ticks, of which {} to decide",
            heading("loop"),
            time(figures.loop_seconds * 1e9),
            time(figures.decision_seconds * 1e9),
        )?;
        writeln!(
            f,
            "{}{} bytes of state and {} of blackboard an actor",
            heading("memory"),
            figures.state_bytes_per_actor,
            figures.column_bytes_per_actor,
        )?;
        let note = self
            .style
            .dim("the same for every kernel and number of threads");
        writeln!(f, "{}{}  {note}", heading("hash"), figures.hash)
    }
}

/// Columns that a text takes.
fn columns(text: &str) -> usize {
    console::measure_text_width(text)
}

/// A text in at most so many columns.
fn clipped(text: &str, most: usize) -> String {
    console::truncate_str(text, most, "…").into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_fits_its_width_and_says_what_was_never_reached() {
        let text = r#"
            scenario "long"
            actors 3
            ticks 5
            tree "t" {
                blackboard { x i32 }
                selector {
                    sequence "a name that is a good deal longer than any report has room for, or should" {
                        condition "x > 1000000 and x < 2000000 and not (x == 1500000 or x == 1600000)"
                        action "an action with a name that is a good deal longer than any report has room for"
                    }
                    idle
                }
            }
        "#;
        let scenario = Scenario::parse("long.kdl", text).unwrap();
        let figures = pleach_sim::Run::new(&scenario).go().unwrap();
        let report = Report {
            scenario: &scenario,
            figures: &figures,
            style: Style::PLAIN,
            width: 80,
        };
        let text = report.to_string();
        let table = text.split("\n\n").nth(1).unwrap();
        assert!(table.lines().all(|line| columns(line) <= 80), "{table}");
        assert_eq!(table.matches("never reached").count(), 1, "{table}");
        assert!(text.contains("never reached: ") && text.contains(&figures.hash.to_string()));
    }
}
