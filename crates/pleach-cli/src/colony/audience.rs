//! Who looks on while the colony runs: a bar of progress, the terminal, pictures in a folder.

use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use pleach_sim::colony::{Colony, History, Moment, picture};

use super::Drawing;
use crate::destination::{Folder, Target};
use crate::failure::Failure;
use crate::style::{Style, is_dumb};

/// How long a view stands on a terminal, at least: people want to see it.
const VIEW_TIME: Duration = Duration::from_millis(50);

/// The most pictures that a folder gets from one run.
pub(crate) const MOST_PICTURES: u64 = 10_000;

/// Who looks on.
pub(crate) struct Audience {
    bar: ProgressBar,
    views: Option<Views>,
}

/// Views every so many ticks.
pub(crate) struct Views {
    /// Ticks between two of them, the first one before the first tick.
    pub(crate) every: u64,
    /// How many ticks the run has: a folder also gets its end.
    pub(crate) ticks: u64,
    /// Where they go.
    pub(crate) to: Screen,
}

/// Where views go.
pub(crate) enum Screen {
    /// The standard output, one below the other.
    Lines(Style),
    /// A terminal, each in the place of the one before.
    Terminal {
        /// The terminal.
        term: console::Term,
        /// How to paint.
        style: Style,
        /// Lines of the view that stands there.
        lines: usize,
        /// When it was drawn.
        drawn: Option<Instant>,
    },
    /// A file each.
    Folder(Folder),
}

impl Audience {
    /// An audience with a bar and, if it wants any, views.
    pub(crate) fn new(bar: ProgressBar, views: Option<Views>) -> Audience {
        Audience { bar, views }
    }

    /// Looks at the colony before the first tick and behind each.
    ///
    /// # Errors
    /// When a view cannot be written.
    pub(crate) fn look(&mut self, colony: &Colony, history: &History) -> Result<(), Failure> {
        let tick = u64::from(colony.tick());
        self.bar.set_position(tick);
        match &mut self.views {
            Some(views) if views.wants(tick) => views.to.show(&Moment {
                scene: &colony.scene(),
                totals: colony.totals(),
                history,
                ticks: views.ticks,
            }),
            _ => Ok(()),
        }
    }

    /// Leaves: the terminal is as it was before.
    ///
    /// # Errors
    /// When it cannot be made so.
    pub(crate) fn leave(self) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        match self.views.map(|views| views.to) {
            Some(Screen::Terminal { term, lines, .. }) => Ok(term.clear_last_lines(lines)?),
            _ => Ok(()),
        }
    }
}

impl Views {
    fn wants(&self, tick: u64) -> bool {
        let last = tick == self.ticks && matches!(self.to, Screen::Folder(_));
        tick.is_multiple_of(self.every.max(1)) || last
    }

    /// How many views there will be.
    pub(crate) fn count(&self) -> u64 {
        let ends_in_between = !self.ticks.is_multiple_of(self.every.max(1));
        let last = u64::from(ends_in_between && self.wants(self.ticks));
        self.ticks / self.every.max(1) + 1 + last
    }
}

impl Screen {
    /// The standard output: in place, if it is a terminal with room for that.
    pub(crate) fn stdout(style: Style) -> Screen {
        /// A map, its frame and its legend, and where the cursor stands.
        const ROOM: u16 = 22;
        let term = console::Term::stdout();
        match term.size_checked() {
            Some((rows, columns))
                if rows >= ROOM && usize::from(columns) >= super::WIDTH && !is_dumb() =>
            {
                Screen::Terminal {
                    term,
                    style,
                    lines: 0,
                    drawn: None,
                }
            }
            _ => Screen::Lines(style),
        }
    }

    fn show(&mut self, moment: &Moment<'_>) -> Result<(), Failure> {
        match self {
            Screen::Lines(style) => {
                let view = Drawing::new(moment.scene, *style).with_legend();
                let mut out = io::stdout().lock();
                writeln!(out, "{view}")?;
                Ok(out.flush()?)
            }
            Screen::Terminal {
                term,
                style,
                lines,
                drawn,
            } => {
                // The run waits meanwhile; its clock does not.
                if let Some(drawn) = *drawn {
                    thread::sleep(VIEW_TIME.saturating_sub(drawn.elapsed()));
                }
                *drawn = Some(Instant::now());
                let view = Drawing::new(moment.scene, *style).with_legend().to_string();
                // At once, so that nothing flickers.
                let up = if *lines > 0 {
                    format!("\x1b[{lines}A\x1b[J")
                } else {
                    String::new()
                };
                *lines = view.lines().count();
                Ok(term.write_str(&format!("{up}{view}"))?)
            }
            Screen::Folder(folder) => {
                let digits = moment.ticks.to_string().len().max(6);
                let name = format!("map-{:0digits$}.svg", moment.scene.tick);
                Target::at(&folder.path().join(name))?.write(&picture(moment))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pleach_sim::colony::{ColonyRun, Settings, Trees};

    use super::*;

    fn folder(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("pleach-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder::at(&path).unwrap()
    }

    /// Runs a small colony; gives the last tick that was looked at, and how it ended.
    fn watched(views: Option<Views>, ticks: u32) -> (u32, Result<(), Failure>) {
        let settings = Settings {
            ticks,
            ..Settings::of_dwarves(20)
        };
        let mut audience = Audience::new(ProgressBar::hidden(), views);
        let mut last = 0;
        let ran =
            ColonyRun::new(settings, Trees::built_in().unwrap()).go(&mut |colony, history| {
                last = colony.tick();
                audience.look(colony, history)
            });
        (last, ran.map(|_| ()).and(audience.leave()))
    }

    #[test]
    fn a_folder_gets_a_picture_every_so_many_ticks_and_one_of_the_end() {
        for (every, ticks, wanted) in [
            (50, 120, vec![0, 50, 100, 120]),
            (40, 120, vec![0, 40, 80, 120]),
            (9_000, 3, vec![0, 3]),
        ] {
            let folder = folder(&format!("pictures-{every}"));
            let path = folder.path().to_owned();
            let views = Views {
                every,
                ticks,
                to: Screen::Folder(folder),
            };
            assert_eq!(views.count(), wanted.len() as u64);
            assert!(watched(Some(views), ticks as u32).1.is_ok());
            let files = std::fs::read_dir(&path).unwrap();
            let mut files: Vec<String> = files
                .map(|file| file.unwrap().file_name().into_string().unwrap())
                .collect();
            files.sort();
            let names = wanted.iter().map(|tick| format!("map-{tick:06}.svg"));
            assert_eq!(files, names.collect::<Vec<_>>());
            let last = std::fs::read_to_string(path.join(files.last().unwrap())).unwrap();
            assert!(roxmltree::Document::parse(&last).is_ok());
            std::fs::remove_dir_all(&path).unwrap();
        }
    }

    #[test]
    fn a_view_that_cannot_be_written_ends_the_run() {
        let folder = folder("gone");
        std::fs::remove_dir_all(folder.path()).unwrap();
        let views = Views {
            every: 2,
            ticks: 10,
            to: Screen::Folder(folder),
        };
        let (last, ended) = watched(Some(views), 10);
        assert_eq!(last, 0);
        assert!(ended.is_err());
    }

    #[test]
    fn without_views_all_ticks_pass() {
        let (last, ended) = watched(None, 10);
        assert_eq!(last, 10);
        assert!(ended.is_ok());
    }
}
