//! Prints what the kernels take, measured against the boxed tree: `ratios [--rounds N] [--actors
//! N,N,...] [--scene NAME] [--data NAME]`.
//!
//! One thread, one process; in each round each of the three ticks once over the same data, in an
//! order that rotates, and refreshes are not timed. Times are medians over the rounds, and ratios are
//! medians of each round's ratio, so that a machine that slows down for a while hits all three.

use std::process::ExitCode;
use std::time::Instant;

use pleach_benches::boxed::BoxedTree;
use pleach_benches::horde::Horde;
use pleach_sim::scenes::{Data, Scene, Stage};
use pleach_vm::Kernel;

struct Options {
    rounds: usize,
    actors: Vec<usize>,
    scenes: Vec<Scene>,
    data: Vec<Data>,
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        rounds: 15,
        actors: vec![1_000, 10_000, 100_000],
        scenes: Scene::ALL.to_vec(),
        data: vec![Data::Divergent, Data::Resumed],
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
    let pool = match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!("ns per actor and tick, one thread; ratio to boxed, below 1 is faster");
    println!(
        "{:<8}{:<11}{:>8}{:>9}{:>9}{:>9}{:>9}{:>9}",
        "tree", "data", "actors", "pure", "stack", "boxed", "pure/b", "stack/b"
    );
    for &scene in &options.scenes {
        for &data in &options.data {
            for &actors in &options.actors {
                match pool.install(|| measure(scene, data, actors, options.rounds)) {
                    Ok(rounds) => println!(
                        "{:<8}{:<11}{actors:>8}{:>9.2}{:>9.2}{:>9.2}{:>9.2}{:>9.2}",
                        scene.name(),
                        data.name(),
                        median(&rounds, |[pure, _, _]| pure),
                        median(&rounds, |[_, stack, _]| stack),
                        median(&rounds, |[_, _, boxed]| boxed),
                        median(&rounds, |[pure, _, boxed]| pure / boxed),
                        median(&rounds, |[_, stack, boxed]| stack / boxed)
                    ),
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

fn median(rounds: &[[f64; 3]], figure: impl Fn([f64; 3]) -> f64) -> f64 {
    let mut figures: Vec<f64> = rounds.iter().copied().map(figure).collect();
    figures.sort_unstable_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// ns per actor and tick of pure stream, traversal stack and boxed, round by round.
fn measure(
    scene: Scene,
    data: Data,
    actors: usize,
    rounds: usize,
) -> Result<Vec<[f64; 3]>, Box<dyn std::error::Error + Send + Sync>> {
    let tree = scene.tree();
    let shape = std::sync::Arc::new(pleach_tree::compile(&tree)?);
    let mut pure = Stage::new(shape.clone(), data, actors, Kernel::PureStream, 1)?;
    let mut stack = Stage::new(shape, data, actors, Kernel::TraversalStack, 1)?;
    let mut horde = Horde::new(BoxedTree::new(&tree)?, tree.columns().len(), actors);
    // A round of a few actors is made long enough for the clock.
    let ticks = (20_000 / actors).clamp(1, 100);
    let mut samples = Vec::with_capacity(rounds);
    for round in 0..rounds + 3 {
        let mut nanos = [0u128; 3];
        for tick in 0..ticks {
            pure.refresh();
            stack.refresh();
            horde.refresh(pure.feed());
            for turn in 0..3 {
                let who = (round + tick + turn) % 3;
                let start = Instant::now();
                match who {
                    0 => {
                        pure.tick();
                    }
                    1 => {
                        stack.tick();
                    }
                    _ => horde.tick(data.dt()),
                }
                nanos[who] += start.elapsed().as_nanos();
            }
        }
        // The first rounds warm caches and bring the actors into their stride.
        if round >= 3 {
            samples.push(nanos.map(|nanos| nanos as f64 / (ticks * actors) as f64));
        }
    }
    Ok(samples)
}
