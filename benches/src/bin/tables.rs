//! Prints what tables cost: `tables [--actors N] [--rounds N]`.
//!
//! First a tick of the scene *guard* with nothing watched, one leaf, the root, and the census, for each kernel: all of
//! them take turns in each round; "+" is the median of each round's difference to the tick with nothing watched. Then what
//! sets and joins cost between two ticks, of a small tree. Nanoseconds an actor, medians, one
//! thread. Before a tick, which alone is timed, the scene's columns are refreshed.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use pleach_benches::median;
use pleach_shape::TokenIndex;
use pleach_sim::scenes::{Data, Scene, Stage};
use pleach_tree::{Tree, action, compile, condition, reactive_sequence, selector};
use pleach_vm::table::{ActorSet, Groups, PlaneSet};
use pleach_vm::{Kernel, Population};

type Error = Box<dyn std::error::Error + Send + Sync>;

/// What a population is asked to tell.
#[derive(Clone, Copy)]
enum Watching {
    Nothing,
    Leaf,
    Root,
    Census,
}

const WATCHING: [(Watching, &str); 4] = [
    (Watching::Nothing, "nothing"),
    (Watching::Leaf, "a leaf"),
    (Watching::Root, "the root"),
    (Watching::Census, "census"),
];

fn stage(actors: usize, kernel: Kernel, watching: Watching) -> Result<Stage, Error> {
    let shape = compile(&Scene::Guard.tree()).map_err(|error| error.to_string())?;
    let mut stage =
        Stage::new(shape, Data::Divergent, actors, kernel, 1).map_err(|error| error.to_string())?;
    let population = stage.population_mut();
    match watching {
        Watching::Nothing => {}
        Watching::Leaf => {
            let slot = population.shape().tables().deferred[0];
            population.watch_node(TokenIndex(slot.node))?;
        }
        Watching::Root => {
            population.watch_node(TokenIndex(0))?;
        }
        Watching::Census => population.set_census(true),
    }
    Ok(stage)
}

/// Ticks, by what is watched.
fn ticks(actors: usize, rounds: usize) -> Result<(), Error> {
    println!("a tick of the scene guard, {actors} actors");
    print!("{:<18}", "kernel");
    for (_, name) in WATCHING {
        print!("{name:>12}");
    }
    println!("{:>12}{:>12}{:>12}", "+ leaf", "+ root", "+ census");
    for kernel in Kernel::ALL {
        let mut stages = Vec::new();
        for (watching, _) in WATCHING {
            stages.push(stage(actors, kernel, watching)?);
        }
        let mut nanos = vec![Vec::new(); stages.len()];
        for round in 0..rounds + 3 {
            for turn in 0..stages.len() {
                let who = (round + turn) % stages.len();
                let stage = &mut stages[who];
                let mut time = 0;
                // Of two ticks in a row the second is timed.
                for _ in 0..2 {
                    stage.refresh();
                    let begun = Instant::now();
                    stage.tick();
                    time = begun.elapsed().as_nanos();
                }
                if round >= 3 {
                    nanos[who].push(time as f64 / actors as f64);
                }
            }
        }
        print!("{:<18}", kernel.name());
        for nanos in &nanos {
            print!("{:>12.2}", median(nanos.clone()));
        }
        for watched in &nanos[1..] {
            let pairs = watched.iter().zip(&nanos[0]);
            let more = pairs.map(|(watched, nothing)| watched - nothing);
            print!("{:>12.2}", median(more.collect()));
        }
        println!();
    }
    Ok(())
}

/// One thing that a rule does, and how long it took.
fn time(rounds: usize, actors: usize, name: &str, mut run: impl FnMut() -> usize) {
    let mut nanos = Vec::new();
    let mut found = 0;
    for round in 0..rounds + 3 {
        let begun = Instant::now();
        found = std::hint::black_box(run());
        if round >= 3 {
            nanos.push(begun.elapsed().as_nanos() as f64 / actors as f64);
        }
    }
    println!("{name:<44}{:>10.3}{found:>10}", median(nanos));
}

/// Sets and joins.
fn sets(actors: usize, rounds: usize) -> Result<(), Error> {
    let tree = Tree::build("guard")
        .column("health", 1.0_f32)
        .column("alert", false)
        .column("leader", 0_u64)
        .root(selector([
            reactive_sequence([condition("alert"), action("fight")]),
            action("patrol"),
        ]));
    let mut population = Population::new(compile(&tree).map_err(|error| error.to_string())?);
    let [root, fight, patrol] = [
        population.watch_node(TokenIndex(0))?,
        population.watch("fight")?,
        population.watch("patrol")?,
    ];
    let health = population.column::<f32>("health")?;
    let alert = population.column::<bool>("alert")?;
    let leader = population.column::<u64>("leader")?;
    let guards = population.spawn_many(actors)?;
    let dice = population.dice(9);
    for &guard in &guards {
        // One in a hundred leads.
        let bits = dice.throw(guard.to_bits());
        let leads = bits % (actors as u64).div_ceil(100);
        population.set(guard, leader, guards[leads as usize].to_bits())?;
        population.set(guard, health, (bits >> 40) as f32 / (1 << 24) as f32)?;
        population.set(guard, alert, bits >> 20 & 3 == 0)?;
    }
    population.tick(Duration::from_millis(16));
    let population = &population;
    let [root, one, other] = [
        population.table(root)?,
        population.table(fight)?,
        population.table(patrol)?,
    ];
    let mut set = PlaneSet::new();
    println!();
    println!("sets of {actors} actors");
    println!("{:<44}{:>10}{:>10}", "", "ns/actor", "found");
    let with = population.actors_with(alert)?;
    time(rounds, actors, "count active", || root.active().count());
    time(rounds, actors, "store active", || {
        root.active().store(&mut set);
        set.count()
    });
    time(
        rounds,
        actors,
        "store (a and column) or (b minus column)",
        || {
            let first = one.active().and(with);
            first.or(other.active().minus(with)).store(&mut set);
            set.count()
        },
    );
    let hurt = population.actors_where(health, |health| health < 0.3)?;
    time(rounds, actors, "store where health < 0.3", || {
        hurt.store(&mut set);
        set.count()
    });
    time(rounds, actors, "store by chance, 30 % of all", || {
        let all = population.everyone();
        all.chance(0.3, dice).store(&mut set);
        set.count()
    });
    time(rounds, actors, "sample 100 of all", || {
        population.everyone().store_sample(100, dice, &mut set)
    });
    time(rounds, actors, "walk over all", || {
        population
            .everyone()
            .actors()
            .map(|actor| actor.lane())
            .sum()
    });
    let mut groups = Groups::new();
    time(rounds, actors, "group all by whom they point at", || {
        // The key is the population's own.
        let _ = population.everyone().group_by(leader, &mut groups);
        groups.iter().count()
    });
    time(rounds, actors, "whom all point at", || {
        let all = population.everyone();
        let _ = all.pointed_at(leader, population, &mut set);
        set.count()
    });
    let mut kept = PlaneSet::new();
    time(
        rounds,
        actors,
        "who points at somebody hurt, kept first",
        || {
            hurt.store(&mut kept);
            let hurt = population.those_in(&kept);
            let pointing = population.everyone().pointing_into(leader, hurt);
            pointing.map_or(0, |pointing| pointing.count())
        },
    );
    Ok(())
}

fn options(arguments: &[String]) -> Result<[usize; 2], String> {
    let mut options = [10_000, 25];
    for pair in arguments.chunks(2) {
        let place = match pair[0].as_str() {
            "--actors" => 0,
            "--rounds" => 1,
            other => return Err(format!("there is no option `{other}`")),
        };
        let value = pair.get(1).and_then(|value| value.parse().ok());
        let value = value.filter(|value| *value > 0);
        options[place] = value.ok_or(format!("`{}` needs a number above 0", pair[0]))?;
    }
    Ok(options)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [actors, rounds] = match options(&arguments) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let done = pool.map_err(Error::from).and_then(|pool| {
        pool.install(|| {
            ticks(actors, rounds)?;
            sets(actors, rounds)
        })
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
