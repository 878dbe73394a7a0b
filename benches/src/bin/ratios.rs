//! Prints what the kernels take, measured against the boxed tree: `ratios [--rounds N] [--actors
//! N,N,...] [--scene NAME] [--data NAME] [--threads N] [--census yes]`.
//!
//! One process, one thread unless said; in each round every kernel and the boxed tree tick over the same data, in
//! an order that rotates, and refreshes are not timed; of two ticks in a row only the second is, so that
//! nobody pays for what the others left in the caches. Times are medians over the rounds, and ratios are
//! medians of each round's ratio, so that a machine that slows down for a while hits all of them.

use std::process::ExitCode;
use std::time::Instant;

use pleach_benches::boxed::BoxedTree;
use pleach_benches::horde::Horde;
use pleach_benches::median;
use pleach_sim::scenes::{Data, Scene, Stage};
use pleach_vm::Kernel;

struct Options {
    rounds: usize,
    actors: Vec<usize>,
    scenes: Vec<Scene>,
    data: Vec<Data>,
    threads: usize,
    census: bool,
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        rounds: 15,
        actors: vec![1_000, 10_000, 100_000],
        scenes: Scene::ALL.to_vec(),
        data: vec![Data::Divergent, Data::Resumed],
        threads: 1,
        census: false,
    };
    for pair in arguments.chunks(2) {
        let [name, value] = pair else {
            return Err(format!("`{}` needs a value", pair[0]));
        };
        let number = |text: &str| {
            text.parse::<usize>()
                .map_err(|_| format!("`{text}` is no number"))
        };
        match name.as_str() {
            "--rounds" => options.rounds = number(value)?.max(1),
            "--actors" => {
                options.actors = value.split(',').map(number).collect::<Result<_, _>>()?
            }
            "--threads" => options.threads = number(value)?.clamp(1, 64),
            "--census" => options.census = value == "yes",
            "--scene" => {
                let scene = Scene::from_name(value);
                options.scenes = vec![scene.ok_or(format!("there is no scene `{value}`"))?];
            }
            "--data" => {
                let data = Data::from_name(value);
                options.data = vec![data.ok_or(format!("there is no data `{value}`"))?];
            }
            _ => return Err(format!("there is no option `{name}`")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options = match options(&arguments) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let pool = match rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
    {
        Ok(pool) => pool,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let (threads, census) = (options.threads, options.census);
    println!("ns per actor and tick; kernels on {threads} thread(s), census {census}");
    println!("ratio to the boxed tree, on one thread (/b): below 1 is faster");
    print!("{:<11}{:<11}{:>8}", "tree", "data", "actors");
    for kernel in Kernel::ALL {
        print!("{:>10}", short(kernel));
    }
    print!("{:>10}", "boxed");
    for kernel in Kernel::ALL {
        print!("{:>12}", format!("{}/b", short(kernel)));
    }
    println!();
    for &scene in &options.scenes {
        for &data in &options.data {
            for &actors in &options.actors {
                match pool.install(|| measure(scene, data, actors, &options)) {
                    Ok(rounds) => print_row(scene, data, actors, &rounds),
                    Err(error) => {
                        eprintln!("{scene}, {data}: {error}");
                        return ExitCode::FAILURE;
                    }
                }
            }
        }
    }
    ExitCode::SUCCESS
}

/// A kernel's name without its second word: `pure`, `traversal`.
fn short(kernel: Kernel) -> &'static str {
    let name = kernel.name();
    name.split('-').next().unwrap_or(name)
}

/// ns per actor and tick in one round.
struct Round {
    /// In the order of [`Kernel::ALL`].
    kernels: Vec<f64>,
    boxed: f64,
}

fn print_row(scene: Scene, data: Data, actors: usize, rounds: &[Round]) {
    print!("{scene:<11}{data:<11}{actors:>8}");
    for kernel in 0..Kernel::ALL.len() {
        print!("{:>10.2}", middle(rounds, |round| round.kernels[kernel]));
    }
    print!("{:>10.2}", middle(rounds, |round| round.boxed));
    for kernel in 0..Kernel::ALL.len() {
        let ratio = |round: &Round| round.kernels[kernel] / round.boxed;
        print!("{:>12.2}", middle(rounds, ratio));
    }
    println!();
}

fn middle(rounds: &[Round], figure: impl Fn(&Round) -> f64) -> f64 {
    median(rounds.iter().map(figure).collect())
}

fn measure(
    scene: Scene,
    data: Data,
    actors: usize,
    options: &Options,
) -> Result<Vec<Round>, Box<dyn std::error::Error + Send + Sync>> {
    let tree = scene.tree();
    let shape = std::sync::Arc::new(pleach_tree::compile(&tree)?);
    let mut stages = Vec::with_capacity(Kernel::ALL.len());
    for kernel in Kernel::ALL {
        let mut stage = Stage::new(shape.clone(), data, actors, kernel, 1)?;
        stage.population_mut().set_census(options.census);
        stages.push(stage);
    }
    let mut horde = Horde::new(BoxedTree::new(&tree)?, tree.columns().len(), actors);
    // Whose feed the horde is given; nobody ticks it.
    let mut source = Stage::new(shape, data, actors, Kernel::PureStream, 1)?;
    // A round of a few actors is made long enough for the clock.
    let ticks = (20_000 / actors.max(1)).clamp(1, 100);
    let rivals = stages.len() + 1;
    let mut samples = Vec::with_capacity(options.rounds);
    for round in 0..options.rounds + 3 {
        let mut nanos = vec![0u128; rivals];
        for tick in 0..ticks {
            for turn in 0..rivals {
                let who = (round + tick + turn) % rivals;
                for timed in [false, true] {
                    match stages.get_mut(who) {
                        Some(stage) => stage.refresh(),
                        None => {
                            source.refresh();
                            horde.refresh(source.feed());
                        }
                    }
                    let start = Instant::now();
                    match stages.get_mut(who) {
                        Some(stage) => {
                            stage.tick();
                        }
                        None => horde.tick(data.dt()),
                    }
                    if timed {
                        nanos[who] += start.elapsed().as_nanos();
                    }
                }
            }
        }
        // The first rounds warm caches and bring the actors into their stride.
        if round >= 3 {
            let nanos = nanos.into_iter();
            let mut kernels: Vec<f64> = nanos
                .map(|nanos| nanos as f64 / (ticks * actors) as f64)
                .collect();
            let boxed = kernels.pop().unwrap_or(f64::NAN);
            samples.push(Round { kernels, boxed });
        }
    }
    Ok(samples)
}
