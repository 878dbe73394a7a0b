//! Who looks on while the colony runs: a bar of progress, the terminal, pictures in a folder.

use std::io::{self, Write};
use std::ops::ControlFlow;

use indicatif::ProgressBar;
use pleach_sim::colony::{Moment, Watch, picture};

use super::Drawing;
use crate::destination::{Folder, Target};
use crate::failure::Failure;
use crate::style::{Style, is_dumb};

/// The most pictures that a folder gets from one run.
pub(crate) const MOST_PICTURES: u64 = 10_000;

/// Who looks on.
pub(crate) struct Audience {
    bar: ProgressBar,
    views: Option<Views>,
    /// Why it left.
    failure: Option<Failure>,
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
    },
    /// A file each.
    Folder(Folder),
}

impl Audience {
    /// An audience without views.
    pub(crate) fn new(bar: ProgressBar) -> Audience {
        Audience {
            bar,
            views: None,
            failure: None,
        }
    }

    /// An audience that also wants views.
    pub(crate) fn with_views(self, views: Views) -> Audience {
        Audience {
            views: Some(views),
            ..self
        }
    }

    /// Ends; the terminal is as it was before.
    ///
    /// # Errors
    /// Why a view could not be written.
    pub(crate) fn leave(mut self) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        match self.views.as_mut().map(|views| &mut views.to) {
            Some(Screen::Terminal { term, lines, .. }) => Ok(term.clear_last_lines(*lines)?),
            _ => Ok(()),
        }
    }
}

impl Watch for Audience {
    fn notice(&mut self, tick: u64) -> bool {
        self.bar.set_position(tick);
        self.views.as_ref().is_some_and(|views| views.wants(tick))
    }

    fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()> {
        let shown = self.views.as_mut().map(|views| views.to.show(moment));
        match shown {
            Some(Err(failure)) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
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
            Screen::Terminal { term, style, lines } => {
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
    use pleach_sim::colony::{History, Totals};

    use super::super::map::tests::made_up;
    use super::*;

    fn folder(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("pleach-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder::at(&path).unwrap()
    }

    fn watched(audience: &mut Audience, ticks: u64) -> Vec<u64> {
        let mut scene = made_up((96, 40), 100, 20, 5);
        let mut seen = Vec::new();
        for tick in 0..=ticks {
            if audience.notice(tick) {
                scene.tick = tick;
                let moment = Moment {
                    scene: &scene,
                    totals: &Totals::default(),
                    history: &History::new(),
                    ticks,
                };
                seen.push(tick);
                if audience.see(&moment).is_break() {
                    break;
                }
            }
        }
        seen
    }

    #[test]
    fn a_folder_gets_a_picture_every_so_many_ticks_and_one_of_the_end() {
        for (every, ticks, wanted) in [
            (500, 1_200, vec![0, 500, 1_000, 1_200]),
            (400, 1_200, vec![0, 400, 800, 1_200]),
            (9_000, 3, vec![0, 3]),
        ] {
            let folder = folder(&format!("pictures-{every}"));
            let path = folder.path().to_owned();
            let to = Screen::Folder(folder);
            let views = Views { every, ticks, to };
            assert_eq!(views.count(), wanted.len() as u64);
            let mut audience = Audience::new(ProgressBar::hidden()).with_views(views);
            assert_eq!(watched(&mut audience, ticks), wanted);
            assert!(audience.leave().is_ok());
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
    fn an_audience_that_cannot_write_ends_the_run() {
        let folder = folder("gone");
        std::fs::remove_dir_all(folder.path()).unwrap();
        let to = Screen::Folder(folder);
        let views = Views {
            every: 1,
            ticks: 10,
            to,
        };
        let mut audience = Audience::new(ProgressBar::hidden()).with_views(views);
        assert_eq!(watched(&mut audience, 10), [0]);
        assert!(audience.leave().is_err());
    }

    #[test]
    fn without_views_nobody_is_shown_anything() {
        let mut audience = Audience::new(ProgressBar::hidden());
        assert_eq!(watched(&mut audience, 10), [0; 0]);
        assert!(audience.leave().is_ok());
    }
}
