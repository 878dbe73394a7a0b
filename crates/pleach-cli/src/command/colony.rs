//! `pleach sim colony`: the arguments that only the colony has, and its run.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use pleach_sim::MAX_TICKS;
use pleach_sim::colony::{
    self, ColonyRun, MAX_DWARVES, MAX_PLACES, MAX_SIDE, MIN_SIDE, Moment, Settings, Trees,
};

use super::sim::Sim;
use crate::colony::{Audience, MOST_PICTURES, Report, Screen, Views};
use crate::destination::{Destination, Folder};
use crate::failure::Failure;
use crate::number::grouped;
use crate::progress;
use crate::style::Style;

/// What only the colony has.
#[derive(Args)]
#[command(next_help_heading = "Options of `pleach sim colony`")]
pub(super) struct Colony {
    /// How many dwarves: 1,000, if not given. Of what follows there is as much in proportion,
    /// but 20 plants and 3 workshops at least
    #[arg(long, value_name = "N", conflicts_with = "actors",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DWARVES)))]
    dwarves: Option<u32>,

    /// How many plants stand at a time: 200 for 1,000 dwarves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PLACES)))]
    plants: Option<u32>,

    /// How many workshops may be built: 50 for 1,000 dwarves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PLACES)))]
    workshops: Option<u32>,

    /// How many places the map has from west to east and from north to south: 96x40 for 1,000 dwarves
    #[arg(long, value_name = "WxH", value_parser = size)]
    map: Option<(u16, u16)>,

    /// A file with another tree for dwarves, its first one; see trees/dwarf.kdl
    #[arg(long, value_name = "FILE")]
    dwarf_tree: Option<PathBuf>,

    /// A file with another tree for plants, its first one; see trees/plant.kdl
    #[arg(long, value_name = "FILE")]
    plant_tree: Option<PathBuf>,

    /// Also draw the end of the run, and how it came to be so, into this file, which is replaced if it
    /// exists and the run succeeds; `-` prints the picture instead of the report. With --every: a
    /// folder, which gets the pictures
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Show the map every N ticks while it runs; with --svg, as a picture each: map-000500.svg, …
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_TICKS)))]
    every: Option<u32>,
}

/// Where pictures and views of a run go.
#[derive(Default)]
struct Pictures {
    /// Of the end.
    last: Option<Destination>,
    /// While it runs.
    views: Option<Views>,
}

impl Colony {
    /// The first of its options that is there.
    pub(super) fn given(&self) -> Option<&'static str> {
        let options = [
            ("--dwarves", self.dwarves.is_some()),
            ("--plants", self.plants.is_some()),
            ("--workshops", self.workshops.is_some()),
            ("--map", self.map.is_some()),
            ("--dwarf-tree", self.dwarf_tree.is_some()),
            ("--plant-tree", self.plant_tree.is_some()),
            ("--svg", self.svg.is_some()),
            ("--every", self.every.is_some()),
        ];
        let given = options.into_iter().find(|(_, given)| *given);
        given.map(|(option, _)| option)
    }

    /// Runs it and prints.
    pub(super) fn run(&self, sim: &Sim) -> Result<(), Failure> {
        let settings = self.settings(sim);
        settings.check()?;
        let ticks = settings.ticks;
        let style = Style::of_stdout();
        let Pictures { last, views } = self.pictures(ticks, sim.json, style)?;
        // A view in a terminal shows how far it is, and a bar below it would flicker.
        let quiet = sim.quiet
            || matches!(
                views,
                Some(Views {
                    to: Screen::Terminal { .. },
                    ..
                })
            );
        let bar = progress::bar(quiet, "{wide_bar:.green/dim} {pos}/{len} ticks {eta:>4}");
        bar.set_length(ticks.into());
        let mut run = ColonyRun::new(settings, self.trees()?).kernel(sim.kernel);
        if let Some(threads) = sim.threads() {
            run = run.threads(threads);
        }
        let mut audience = Audience::new(bar, views);
        let ran = run.go(&mut |colony, history| audience.look(colony, history));
        let left = audience.leave();
        let (figures, scene) = ran?;
        left?;
        let picture = || {
            colony::picture(&Moment {
                scene: &scene,
                totals: &figures.totals,
                history: &figures.history,
                ticks: ticks.into(),
            })
        };
        let drawn = match &last {
            Some(Destination::File(file)) => file.write(&picture()),
            Some(Destination::Stdout) | None => Ok(()),
        };
        // Whatever became of the picture, the figures are not lost.
        let mut out = io::BufWriter::new(io::stdout().lock());
        if matches!(last, Some(Destination::Stdout)) {
            write!(out, "{}", picture())?;
        } else if sim.json {
            serde_json::to_writer(&mut out, &figures).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            write!(out, "{}", Report::new(&figures, &scene, style))?;
        }
        out.flush()?;
        drawn
    }

    /// A colony of so many dwarves, and everything else in proportion, unless it is given.
    fn settings(&self, sim: &Sim) -> Settings {
        let default = match self.dwarves.or(sim.actors) {
            Some(dwarves) => Settings::of_dwarves(dwarves),
            None => Settings::default(),
        };
        let (width, height) = self.map.unwrap_or((default.width, default.height));
        Settings {
            plants: self.plants.unwrap_or(default.plants),
            workshops: self.workshops.unwrap_or(default.workshops),
            width,
            height,
            ticks: sim.ticks.unwrap_or(default.ticks),
            seed: sim.seed.unwrap_or(default.seed),
            ..default
        }
    }

    fn trees(&self) -> Result<Trees, Failure> {
        let mut trees = Trees::built_in()?;
        for (path, tree) in [
            (&self.dwarf_tree, &mut trees.dwarf),
            (&self.plant_tree, &mut trees.plant),
        ] {
            if let Some(path) = path {
                *tree = Arc::new(pleach_sim::open_trees(path)?.compile_main()?);
            }
        }
        Ok(trees)
    }

    /// Where pictures go, of a run with so many ticks.
    fn pictures(&self, ticks: u32, json: bool, style: Style) -> Result<Pictures, Failure> {
        let wrong = |what: &str| Err(super::sim::conflict(what));
        let ticks = u64::from(ticks);
        let Some(every) = self.every.map(u64::from) else {
            let last = self.svg.as_deref().map(Destination::at).transpose()?;
            if json && matches!(last, Some(Destination::Stdout)) {
                return wrong(
                    "the argument '--svg -' cannot be used with '--json': both print; name a file for the picture",
                );
            }
            return Ok(Pictures { last, views: None });
        };
        let to = match self.svg.as_deref() {
            None if json => {
                return wrong(
                    "the argument '--every' cannot be used with '--json': both print; name a folder for \
                     the pictures with '--svg'",
                );
            }
            None => Screen::stdout(style),
            Some(path) if path.as_os_str() == "-" => {
                return wrong(
                    "the argument '--svg -' cannot be used with '--every': name a folder for the pictures",
                );
            }
            Some(path) => Screen::Folder(Folder::at(path)?),
        };
        let views = Views { every, ticks, to };
        if matches!(views.to, Screen::Folder(_)) && views.count() > MOST_PICTURES {
            return wrong(&format!(
                "'--every {every}' would write {} pictures, allowed are {}: draw less often",
                grouped(views.count()),
                grouped(MOST_PICTURES)
            ));
        }
        Ok(Pictures {
            last: None,
            views: Some(views),
        })
    }
}

/// A size of a map: `96x40`.
fn size(text: &str) -> Result<(u16, u16), String> {
    let side = |text: &str| {
        let side = text.parse::<u16>().ok();
        side.filter(|side| (MIN_SIDE..=MAX_SIDE).contains(side))
    };
    text.split_once('x')
        .and_then(|(width, height)| Some((side(width)?, side(height)?)))
        .ok_or_else(|| {
            format!("a map is WIDTHxHEIGHT, as in 96x40; each is from {MIN_SIDE} to {MAX_SIDE}")
        })
}
