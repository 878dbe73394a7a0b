//! What a run of the colony did, for people.

use std::fmt;

use pleach_sim::colony::{ColonyFigures, Group, Sample, Scene, Thing};

use super::{Drawing, WIDTH, glyph};
use crate::chart;
use crate::number::{counted, grouped, short, time};
use crate::style::Style;

/// Columns of a line over time.
const LINE: usize = 24;
/// Columns of a bar.
const BAR: usize = 10;

/// A report for a terminal: one screen.
pub(crate) struct Report<'a> {
    figures: &'a ColonyFigures,
    /// The end of the run.
    scene: &'a Scene,
    style: Style,
}

impl<'a> Report<'a> {
    /// A report of a run and the scene at its end.
    pub(crate) fn new(figures: &'a ColonyFigures, scene: &'a Scene, style: Style) -> Report<'a> {
        Report {
            figures,
            scene,
            style,
        }
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.header(f)?;
        write!(f, "{}", Drawing::new(self.scene, self.style))?;
        self.table(f)?;
        self.totals(f)?;
        self.timing(f)
    }
}

impl Report<'_> {
    fn header(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = self.figures;
        let dwarves = counted(figures.dwarves.into(), "dwarf", "dwarves");
        let title = format!("colony: {dwarves}");
        let glyphs = |group: &Group| {
            let glyphs: Vec<String> = group
                .things
                .iter()
                .map(|&thing| glyph(thing).into())
                .collect();
            glyphs.join(" ")
        };
        let [dwarves, plants, ..] = Group::ALL.each_ref().map(glyphs);
        let text = format!(
            "{title} cut trees, build workshops from the wood and work in them. Behavior trees \
             decide what each dwarf ({dwarves}) and each plant ({plants}) does."
        );
        for line in wrapped(&text) {
            match line.strip_prefix(&title) {
                Some(rest) => writeln!(f, "{}{rest}", self.style.strong(&title))?,
                None => writeln!(f, "{line}")?,
            }
        }
        let settings = format!(
            "map {} x {}, {} of {}, {} kernel, {}, seed {}",
            grouped(figures.width.into()),
            grouped(figures.height.into()),
            counted(figures.ticks.into(), "tick", "ticks"),
            time(figures.dt * 1e9),
            figures.kernel,
            counted(figures.threads as u64, "thread", "threads"),
            figures.seed,
        );
        for line in wrapped(&settings) {
            writeln!(f, "{}", self.style.dim(&line))?;
        }
        Ok(())
    }

    /// What there is and how it came to be so. It is the map's legend, too.
    fn table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let now = self.scene.sample(&self.figures.totals);
        let heading = format!(
            "{:>29}  {:<LINE$}{:>7} {:>17}",
            "at first", "over time, own scale", "now", "share now"
        );
        writeln!(f, "{}", self.style.strong(&heading))?;
        for group in &Group::ALL {
            let all = group.count(&now);
            for (index, &thing) in group.things.iter().enumerate() {
                let name = if index == 0 { group.many } else { "" };
                write!(f, "{}", self.style.strong(&format!("{name:<10}")))?;
                self.row(f, thing, &now, all)?;
            }
        }
        Ok(())
    }

    fn row(&self, f: &mut fmt::Formatter<'_>, thing: Thing, now: &Sample, all: u64) -> fmt::Result {
        let history = &self.figures.history;
        let first = history.ends().map_or(0, |(first, _)| first.count(thing));
        let line = history.columns(LINE, |sample| sample.count(thing).into());
        let count = now.count(thing);
        let share = f64::from(count) / all.max(1) as f64;
        writeln!(
            f,
            "{} {:<11}{:>6}  {}{:>7} {}{:>7}",
            self.style.thing(thing, &glyph(thing).to_string()),
            thing.name(),
            short(first.into()),
            self.style
                .thing(thing, &format!("{:<LINE$}", chart::sparkline(&line))),
            short(count.into()),
            self.style.thing(thing, &chart::bar(share, BAR)),
            chart::percent(share),
        )
    }

    /// What was done, in words.
    fn totals(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let totals = &self.figures.totals;
        let is_all = totals.built > 1 && totals.built == self.figures.workshops;
        let text = format!(
            "{} cut; their wood became {}{}, which made {}.",
            counted(totals.harvested, "tree was", "trees were"),
            if is_all { "all " } else { "" },
            counted(totals.built.into(), "workshop", "workshops"),
            counted(totals.goods, "good", "goods"),
        );
        writeln!(f)?;
        for line in wrapped(&text) {
            writeln!(f, "{line}")?;
        }
        writeln!(f)
    }

    fn timing(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = &self.figures.frame_ns;
        let heading = format!(
            "{:<13}{:>9}{:>10}{:>10}",
            "a tick takes", "p50", "p99", "max"
        );
        writeln!(f, "{}", self.style.strong(&heading))?;
        let share = times.frame.p99 as f64 / (self.figures.dt * 1e9);
        let of_frame = format!(
            "p99: {} of a tick’s {}",
            chart::percent(share),
            time(self.figures.dt * 1e9)
        );
        for (name, times, note) in [
            (
                "decisions",
                times.decisions,
                "every dwarf’s and plant’s tree",
            ),
            ("rules", times.rules, "who gets what; growing, building"),
            ("movement", times.movement, "a step for everyone who walks"),
            ("together", times.frame, &of_frame),
        ] {
            let [p50, p99, max] = [times.p50, times.p99, times.max].map(|nanos| time(nanos as f64));
            writeln!(
                f,
                "{name:<13}{p50:>9}{p99:>10}{max:>10}   {}",
                self.style.dim(note)
            )?;
        }
        let note = self
            .style
            .dim("the same for every kernel and number of threads");
        writeln!(
            f,
            "{}{}  {note}",
            self.style.strong(&format!("{:<13}", "hash")),
            self.figures.hash
        )
    }
}

/// A text in lines that fit.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use pleach_sim::Fingerprint;
    use pleach_sim::colony::{FrameLog, FrameTimes, History, Totals};

    use super::super::map::tests::made_up;
    use super::*;

    fn figures(scene: &Scene, scale: u64) -> ColonyFigures {
        let totals = Totals {
            harvested: 4_321 * scale,
            goods: 1_234 * scale,
            built: scene.workshops.len() as u32,
            sprouted: 4_521 * scale,
        };
        let end = scene.sample(&totals);
        let mut history = History::new();
        for tick in 0..=scene.tick {
            if history.wants(tick) {
                let part = |number: u32| {
                    let waves = 1.0 + 0.2 * (tick as f64 / 200.0 + f64::from(number)).sin();
                    let grown = 1.0 - (-5.0 * tick as f64 / scene.tick as f64).exp();
                    ((f64::from(number) * waves * grown) as u32).min(number)
                };
                let (harvesting, working) = (part(end.harvesting), part(end.working));
                history.record(Sample {
                    tick,
                    idle: end.idle + end.harvesting + end.working - harvesting - working,
                    harvesting,
                    working,
                    workshops: part(end.workshops),
                    workshops_busy: part(end.workshops_busy),
                    ..end
                });
            }
        }
        history.finish(end);
        let micros = std::time::Duration::from_micros;
        let mut log = FrameLog::new(3);
        log.push(micros(12), micros(40), micros(9));
        log.push(micros(13), micros(90), micros(9));
        log.push(micros(400), micros(45), micros(10));
        ColonyFigures {
            scenario: "colony",
            dwarves: scene.dwarves.len() as u32,
            plants: scene.plants.len() as u32,
            workshops: 50,
            width: scene.width,
            height: scene.height,
            ticks: scene.tick as u32,
            dt: 1.0 / 60.0,
            kernel: "auto",
            threads: 2,
            seed: 1,
            hash: Fingerprint(0x0123_4567_89ab_cdef),
            frame_ns: log.times(),
            totals,
            history,
        }
    }

    #[track_caller]
    fn fits(text: &str) {
        for line in text.lines() {
            assert!(
                console::measure_text_width(line) <= WIDTH,
                "too long: {line}"
            );
        }
        let lines = text.lines().count();
        assert!(lines <= 45, "{lines} lines\n{text}");
    }

    #[test]
    fn a_report_fits_one_screen_and_says_everything() {
        let scene = made_up((96, 40), 1_000, 200, 50);
        let figures = figures(&scene, 1);
        let text = Report::new(&figures, &scene, Style::PLAIN).to_string();
        fits(&text);
        for wanted in [
            "colony: 1,000 dwarves cut trees",
            "3,000 ticks of 16.7 ms, auto kernel, 2 threads, seed 1",
            "the map after tick 3,000",
            "· idle        1,000",
            "700 ███████    70.0 %",
            "■ in use",
            "a tick takes",
            "decisions      13.0 µs",
            "0123456789abcdef  the same for every kernel and number of threads",
        ] {
            assert!(text.contains(wanted), "no {wanted:?} in\n{text}");
        }
        assert!(text.replace('\n', " ").contains(
            "4,321 trees were cut; their wood became all 50 workshops, which made 1,234 goods."
        ));
        let coloured = Report::new(&figures, &scene, Style::COLOURED).to_string();
        assert_eq!(console::strip_ansi_codes(&coloured), text);
    }

    #[test]
    fn extremes_fit_too() {
        for (size, dwarves, plants, workshops, scale) in [
            ((1, 1), 1, 0, 0, 0),
            ((96, 40), 10, 0, 0, 1),
            (
                (u16::MAX, u16::MAX),
                3_000_000,
                1_000_000,
                300_000,
                u64::from(u32::MAX),
            ),
        ] {
            let scene = made_up(size, dwarves, plants, workshops);
            let mut figures = figures(&scene, scale);
            fits(&Report::new(&figures, &scene, Style::PLAIN).to_string());
            figures.ticks = u32::MAX;
            figures.seed = u64::MAX;
            figures.threads = 1_024;
            figures.kernel = "threaded-stream";
            figures.frame_ns = FrameTimes::default();
            figures.history = History::new();
            fits(&Report::new(&figures, &scene, Style::PLAIN).to_string());
        }
    }
}
