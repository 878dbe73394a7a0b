//! Prints what Pleach's kernels and its peers take for the same decisions: `peers [--tree guard|deep]
//! [--actors N,N,...] [--rounds N] [--json]`.
//!
//! One thread, one process, divergent data. First everyone decides for some ticks, and every decision
//! of every actor must be everyone's; else nothing is timed. Then they take turns, round by round, in
//! an order that rotates. Refreshes of the data are not timed, and of two ticks in a row only the second
//! is: whoever plays finds its code and the processor's guesses as its own loop would, not as the others
//! left them. A figure is the median over the rounds.

use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use pleach_benches::peers::Contest;
use pleach_sim::scenes::{Data, Scene};
use pleach_vm::Kernel;

const DATA: Data = Data::Divergent;
/// Ticks in which all decisions are compared.
const COMPARED: usize = 20;
/// Rounds before the first one that counts: caches, and the clock of the processor.
const WARM: usize = 2;
/// Actors that are ticked between two readings of the clock, at least: as many contests as that
/// takes stand side by side. Not more, for they share the caches.
const CLOCKED: usize = 256;
/// Actor-ticks of a round, at least.
const ROUND: usize = 20_000;
/// Whoever takes longer than this for an actor plays every third round only.
const SLOW_NANOS: f64 = 400.0;
const SLOW_TURN: usize = 3;

struct Options {
    rounds: usize,
    actors: Vec<usize>,
    trees: Vec<Scene>,
    json: bool,
}

fn options(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        rounds: 15,
        actors: vec![64, 10_000, 100_000],
        trees: vec![Scene::Guard, Scene::Deep],
        json: false,
    };
    while let Some(name) = arguments.next() {
        let mut value = || {
            let value = arguments.next();
            value.ok_or_else(|| format!("`{name}` needs a value"))
        };
        let number = |text: &str| match text.parse::<usize>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("`{text}` is no number from 1")),
        };
        match name.as_str() {
            "--json" => options.json = true,
            "--rounds" => options.rounds = number(&value()?)?,
            "--actors" => {
                options.actors = value()?.split(',').map(number).collect::<Result<_, _>>()?
            }
            "--tree" => {
                options.trees = match value()?.as_str() {
                    "guard" => vec![Scene::Guard],
                    "deep" => vec![Scene::Deep],
                    other => return Err(format!("peers have guard and deep, but no `{other}`")),
                }
            }
            _ => return Err(format!("there is no option `{name}`")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let options = match options(std::env::args().skip(1)) {
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

fn run(options: &Options) -> Result<(), Box<dyn Error + Send + Sync>> {
    // Deciders are compared, not thread pools.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for &tree in &options.trees {
        let mut cases = Vec::new();
        for &actors in &options.actors {
            let case = pool.install(|| measure(tree, actors, options.rounds))?;
            if options.json {
                print_lines(tree, &case);
            }
            cases.push(case);
        }
        if !options.json {
            print_table(tree, &cases);
        }
    }
    Ok(())
}

/// What one contender took.
struct Figure {
    name: String,
    /// Nanoseconds of an actor's tick, the median over the rounds, and the least and greatest.
    nanos: f64,
    range: [f64; 2],
    rounds: usize,
}

/// All contenders at one number of actors.
struct Case {
    actors: usize,
    checksum: u64,
    figures: Vec<Figure>,
}

impl Case {
    /// The fastest of Pleach's kernels, which come first.
    fn pleach(&self) -> f64 {
        let kernels = self.figures.iter().take(Kernel::ALL.len());
        kernels
            .map(|figure| figure.nanos)
            .fold(f64::INFINITY, f64::min)
    }
}

fn measure(
    tree: Scene,
    actors: usize,
    rounds: usize,
) -> Result<Case, Box<dyn Error + Send + Sync>> {
    let mut contests = Vec::new();
    for seed in 0..CLOCKED.div_ceil(actors) {
        contests.push(Contest::new(tree, DATA, actors, seed as u64)?);
    }
    let mut checksum = 0_u64;
    for tick in 0..COMPARED {
        for contest in &mut contests {
            contest.advance(DATA.dt());
            let agreed = contest.agree();
            let agreed = agreed.map_err(|error| format!("{tree}, tick {tick}: {error}"))?;
            checksum = agreed ^ checksum.rotate_left(1);
        }
    }
    let names: Vec<String> = contests[0].names().map(str::to_owned).collect();
    let clock = clock_overhead();
    let ticks = ROUND.div_ceil(actors * contests.len());
    let mut samples = vec![Vec::new(); names.len()];
    let mut slow = vec![false; names.len()];
    for round in 0..rounds + WARM {
        let plays: Vec<usize> = (0..names.len())
            .map(|turn| (turn + round) % names.len())
            .filter(|&who| !slow[who] || round % SLOW_TURN == 0)
            .collect();
        let mut total = vec![Duration::ZERO; names.len()];
        for _ in 0..ticks {
            contests.iter_mut().for_each(Contest::draw_two);
            for &who in &plays {
                for contest in &mut contests {
                    contest.refresh(who, 0);
                    contest.tick(who, DATA.dt());
                }
                for contest in &mut contests {
                    contest.refresh(who, 1);
                }
                let start = Instant::now();
                for contest in &mut contests {
                    contest.tick(who, DATA.dt());
                }
                total[who] += start.elapsed().saturating_sub(clock);
            }
        }
        for &who in &plays {
            let actor_ticks = ticks * contests.len() * actors;
            let nanos = total[who].as_nanos() as f64 / actor_ticks as f64;
            if round < WARM {
                slow[who] = nanos > SLOW_NANOS;
            } else {
                samples[who].push(nanos);
            }
        }
    }
    let figures = names.into_iter().zip(samples);
    let figures = figures.map(|(name, mut samples)| {
        samples.sort_unstable_by(f64::total_cmp);
        Figure {
            name,
            nanos: samples.get(samples.len() / 2).copied().unwrap_or(f64::NAN),
            range: [samples.first(), samples.last()].map(|end| end.copied().unwrap_or(f64::NAN)),
            rounds: samples.len(),
        }
    });
    Ok(Case {
        actors,
        checksum,
        figures: figures.collect(),
    })
}

/// What two readings of the clock take, at least.
fn clock_overhead() -> Duration {
    let readings = (0..1_000).map(|_| Instant::now().elapsed());
    readings.min().unwrap_or_default()
}

fn print_lines(tree: Scene, case: &Case) {
    for figure in &case.figures {
        println!(
            "{{\"tree\":\"{tree}\",\"data\":\"{DATA}\",\"actors\":{},\"contender\":\"{}\",\
             \"ns_per_actor_tick\":{:.3},\"ns_range\":[{:.3},{:.3}],\"rounds\":{},\
             \"to_best_kernel\":{:.3},\"checksum\":\"{:016x}\"}}",
            case.actors,
            figure.name,
            figure.nanos,
            figure.range[0],
            figure.range[1],
            figure.rounds,
            figure.nanos / case.pleach(),
            case.checksum,
        );
    }
}

fn print_table(tree: Scene, cases: &[Case]) {
    let heads: Vec<String> = cases
        .iter()
        .map(|case| format!("{} actors", grouped(case.actors)))
        .collect();
    println!(
        "{tree}, {DATA} data, one thread: ns per actor and tick; x is to Pleach's fastest kernel"
    );
    print!("{:<32}", "");
    for head in &heads {
        print!("{head:>20}");
    }
    print!("\n{:<32}", "");
    for _ in &heads {
        print!("{:>12}{:>8}", "ns", "x");
    }
    println!();
    for (who, figure) in cases[0].figures.iter().enumerate() {
        print!("{:<32}", figure.name);
        for case in cases {
            let nanos = case.figures[who].nanos;
            print!("{nanos:>12.2}{:>8}", ratio(nanos / case.pleach()));
        }
        println!();
    }
    println!(
        "All contenders made the same decisions: checksums {}.\n",
        cases
            .iter()
            .map(|case| format!("{:016x}", case.checksum))
            .collect::<Vec<_>>()
            .join(", ")
    );
}

/// To about three digits: `0.0123`, `1.23`, `12.3`.
fn ratio(ratio: f64) -> String {
    match ratio {
        ..0.1 => format!("{ratio:.4}"),
        0.1..10.0 => format!("{ratio:.2}"),
        _ => format!("{ratio:.1}"),
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
