//! Prints how long a frame of the colony takes, part by part: `colony [--dwarves N,N] [--threads N,N]
//! [--warm-up N] [--ticks N] [--kernels all]`.
//!
//! Colonies of `Settings::of_dwarves`: plants, workshops and map grow with the dwarves. Each lives through the warm-up
//! first, in which plants grow and workshops are built; then the colonies take turns, 50 frames each. Columns are in
//! microseconds: medians of all frames, and the 99th percentile of the whole frame. Nothing is left out of a frame but
//! the fingerprint, which is not taken here.

use std::process::ExitCode;
use std::time::Duration;

use pleach_sim::colony::{Colony, FrameTime, Settings, Trees};
use pleach_vm::Kernel;

type Error = Box<dyn std::error::Error + Send + Sync>;

struct Options {
    dwarves: Vec<u32>,
    threads: Vec<usize>,
    kernels: Vec<Kernel>,
    warm_up: usize,
    ticks: usize,
}

impl Options {
    fn read(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options {
            dwarves: vec![1_000, 10_000, 100_000],
            threads: vec![1, 2],
            kernels: vec![Kernel::Auto],
            warm_up: 2_000,
            ticks: 1_000,
        };
        for pair in arguments.chunks(2) {
            let text = pair.get(1).map_or("", String::as_str);
            let numbers = || -> Result<Vec<usize>, String> {
                let number = |text: &str| text.parse().ok().filter(|&number| number > 0);
                let numbers: Option<Vec<usize>> = text.split(',').map(number).collect();
                numbers.ok_or(format!("`{}` needs numbers above 0", pair[0]))
            };
            match pair[0].as_str() {
                "--dwarves" => {
                    let whole = |dwarves| u32::try_from(dwarves).unwrap_or(u32::MAX);
                    options.dwarves = numbers()?.into_iter().map(whole).collect();
                }
                "--threads" => options.threads = numbers()?,
                "--warm-up" => options.warm_up = numbers()?[0],
                "--ticks" => options.ticks = numbers()?[0],
                "--kernels" if text == "all" => options.kernels = Kernel::CHOICES.to_vec(),
                other => return Err(format!("there is no option `{other} {text}`")),
            }
        }
        Ok(options)
    }
}

/// A colony, the threads that its trees are walked by, and how long its frames took.
struct Stage {
    colony: Colony,
    kernel: Kernel,
    threads: usize,
    pool: rayon::ThreadPool,
    times: Vec<FrameTime>,
}

impl Stage {
    fn new(dwarves: u32, threads: usize, kernel: Kernel, warm_up: usize) -> Result<Stage, Error> {
        let mut colony = Colony::found(Settings::of_dwarves(dwarves), &Trees::built_in()?)?;
        colony.set_kernel(kernel);
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let mut stage = Stage {
            colony,
            kernel,
            threads,
            pool: builder.build()?,
            times: Vec::new(),
        };
        stage.live(warm_up)?;
        stage.times.clear();
        Ok(stage)
    }

    fn live(&mut self, frames: usize) -> Result<(), Error> {
        let Stage {
            colony,
            pool,
            times,
            ..
        } = self;
        pool.install(|| {
            for _ in 0..frames {
                times.push(colony.frame()?);
            }
            Ok(())
        })
    }

    /// A percentile of a part, in microseconds.
    fn micros(&self, percent: usize, part: impl Fn(&FrameTime) -> Duration) -> f64 {
        let mut times: Vec<Duration> = self.times.iter().map(part).collect();
        times.sort_unstable();
        let rank = (times.len() * percent).div_ceil(100).max(1);
        let time = times.get(rank - 1).copied().unwrap_or_default();
        time.as_secs_f64() * 1e6
    }
}

fn run(options: &Options) -> Result<(), Error> {
    let mut stages = Vec::new();
    for &dwarves in &options.dwarves {
        for &threads in &options.threads {
            for &kernel in &options.kernels {
                stages.push(Stage::new(dwarves, threads, kernel, options.warm_up)?);
            }
        }
    }
    const TURN: usize = 50;
    for _ in 0..options.ticks.div_ceil(TURN) {
        for stage in &mut stages {
            stage.live(TURN)?;
        }
    }
    println!("µs a frame: medians, and the 99th percentile of the whole frame");
    println!(
        "{:>8} {:>8} {:>9} {:>16} {:>7} {:>10} {:>8} {:>9} {:>8} {:>8}",
        "dwarves",
        "plants",
        "workshops",
        "kernel",
        "threads",
        "decisions",
        "rules",
        "movement",
        "frame",
        "p99"
    );
    for stage in &stages {
        let settings = stage.colony.settings();
        let frame = |time: &FrameTime| time.decisions + time.rules + time.movement;
        println!(
            "{:>8} {:>8} {:>9} {:>16} {:>7} {:>10.1} {:>8.1} {:>9.1} {:>8.1} {:>8.1}",
            settings.dwarves,
            settings.plants,
            stage.colony.totals().built,
            stage.kernel.name(),
            stage.threads,
            stage.micros(50, |time| time.decisions),
            stage.micros(50, |time| time.rules),
            stage.micros(50, |time| time.movement),
            stage.micros(50, frame),
            stage.micros(99, frame),
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options = match Options::read(&arguments) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
