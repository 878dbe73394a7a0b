//! Prints what each kind of node costs: `nodes [--rounds N] [--actors N]`.
//!
//! One tree, `reactive-selector { sequence { condition "armed"; X }; idle }`, with an action for X, and then
//! with that action under a decorator, or several of them under a composite. All trees and kernels take turns
//! in each round, one thread. Before a tick, which is not timed, an eighth of the actors change `armed`, all
//! draw a `mode` of four, and a quarter of the outstanding actions end, half of them with Success.
//! Of two ticks in a row the second is timed. Figures are medians; "+" is the median of each round's
//! difference to the row that the kind is compared with.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use pleach_benches::median;
use pleach_shape::SlotIndex;
use pleach_tree::{
    NodeDef, Threshold, Tree, abort_when, action, case, compile, concurrent, condition, cooldown,
    delay, done_when, idle, if_then_else, invert, otherwise, parallel, random_selector,
    reactive_selector, repeat, repeat_until_success, run_once, run_while, selector, sequence,
    switch, timeout, when, while_do_else,
};
use pleach_vm::{ColumnKey, Kernel, Plane, Population};

type Error = Box<dyn std::error::Error>;

/// The tick's step, and the times of the nodes that keep time in multiples of it.
const DT: Duration = Duration::from_millis(16);

/// A kind of node, and the row that it is compared with.
struct Kind {
    name: &'static str,
    node: NodeDef,
    base: usize,
}

const ALONE: usize = 0;
const SELECTOR: usize = 1;
const CONDITIONS: usize = 2;
const PARALLEL: usize = 3;

fn kinds() -> Vec<Kind> {
    let act = || action("act");
    let four = || ["a", "b", "c", "d"].map(action);
    let kind = |name, base, node| Kind { name, node, base };
    let guarded = |mode: i32, name| sequence([condition(format!("mode == {mode}")), action(name)]);
    vec![
        kind("action", ALONE, act()),
        kind("selector of 4", ALONE, selector(four())),
        kind(
            "reactive-selector of 3 (condition, action), action",
            ALONE,
            reactive_selector([
                guarded(0, "a"),
                guarded(1, "b"),
                guarded(2, "c"),
                action("d"),
            ]),
        ),
        kind(
            "parallel of 4",
            ALONE,
            parallel(Threshold::All, Threshold::Count(1), four()),
        ),
        kind("invert", ALONE, invert(act())),
        kind("when", ALONE, when(act(), "ready")),
        kind("while", ALONE, run_while(act(), "ready")),
        kind("done-when", ALONE, done_when(act(), "ready")),
        kind("abort-when (never)", ALONE, abort_when(act(), "mode > 9")),
        kind("repeat, for ever", ALONE, repeat(act(), None)),
        kind("repeat 3", ALONE, repeat(act(), 3)),
        kind(
            "repeat-until-success 3",
            ALONE,
            repeat_until_success(act(), 3),
        ),
        kind("timeout, 8 ticks", ALONE, timeout(act(), DT * 8)),
        kind("delay, 2 ticks", ALONE, delay(act(), DT * 2)),
        kind("cooldown, 4 ticks", ALONE, cooldown(act(), DT * 4)),
        kind("run-once", ALONE, run_once(act())),
        kind(
            "if-then-else",
            ALONE,
            if_then_else(condition("ready"), act(), idle()),
        ),
        kind(
            "while-do-else",
            ALONE,
            while_do_else(condition("ready"), act(), idle()),
        ),
        kind("random-selector of 4", SELECTOR, random_selector(four())),
        kind(
            "switch of 3 and else",
            CONDITIONS,
            switch(
                "mode",
                [
                    case(0, action("a")),
                    case(1, action("b")),
                    case(2, action("c")),
                    otherwise(action("d")),
                ],
            ),
        ),
        kind("concurrent of 4", PARALLEL, concurrent(four())),
    ]
}

struct Stage {
    population: Population,
    armed: ColumnKey<bool>,
    ready: ColumnKey<bool>,
    mode: ColumnKey<u8>,
    slots: u32,
    seed: u64,
}

/// Bits of which about a half are set: SplitMix64 (Steele, Lea, Flood, 2014).
fn bits(seed: &mut u64) -> Plane {
    Plane(std::array::from_fn(|_| {
        *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (*seed ^ (*seed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }))
}

impl Stage {
    fn new(node: NodeDef, actors: usize, kernel: Kernel) -> Result<Stage, Error> {
        let tree = Tree::build("node")
            .column("armed", true)
            .column("ready", true)
            .column("mode", 0_u8)
            .root(reactive_selector([
                sequence([condition("armed"), node]),
                idle(),
            ]));
        let mut population = Population::new(compile(&tree)?).with_kernel(kernel);
        population.spawn_many(actors)?;
        Ok(Stage {
            armed: population.column("armed")?,
            ready: population.column("ready")?,
            mode: population.column("mode")?,
            slots: population.shape().requirements().deferred_slots,
            population,
            seed: 7,
        })
    }

    fn refresh(&mut self) -> Result<(), Error> {
        let seed = &mut self.seed;
        for mut block in self.population.blocks_mut() {
            for key in [self.armed, self.ready] {
                let changes = bits(seed) & bits(seed) & bits(seed);
                let plane = block.plane_mut(key)?;
                *plane ^= changes;
            }
            let [low, high] = [bits(seed), bits(seed)];
            for (lane, mode) in block.values_mut(self.mode)?.iter_mut().enumerate() {
                *mode = u8::from(low.get(lane)) | u8::from(high.get(lane)) << 1;
            }
            for slot in 0..self.slots {
                block.set_results(SlotIndex(slot), bits(seed) & bits(seed), bits(seed))?;
            }
        }
        Ok(())
    }

    /// Nanoseconds of one tick.
    fn tick(&mut self) -> u128 {
        let start = Instant::now();
        self.population.tick(DT);
        start.elapsed().as_nanos()
    }
}

fn options(arguments: &[String]) -> Result<[usize; 2], String> {
    let mut options = [15, 10_000];
    for pair in arguments.chunks(2) {
        let place = match pair[0].as_str() {
            "--rounds" => 0,
            "--actors" => 1,
            other => return Err(format!("there is no option `{other}`")),
        };
        let value = pair.get(1).and_then(|value| value.parse().ok());
        let value = value.filter(|value| *value > 0);
        options[place] = value.ok_or(format!("`{}` needs a number above 0", pair[0]))?;
    }
    Ok(options)
}

fn run([rounds, actors]: [usize; 2]) -> Result<(), Error> {
    let kinds = kinds();
    let kernels = Kernel::ALL.len();
    let mut stages = Vec::new();
    for kind in &kinds {
        for kernel in Kernel::ALL {
            stages.push(Stage::new(kind.node.clone(), actors, kernel)?);
        }
    }
    // Nanoseconds an actor, by stage and round.
    let mut nanos = vec![Vec::new(); stages.len()];
    let ticks = (20_000 / actors).clamp(1, 100);
    for round in 0..rounds + 3 {
        for turn in 0..stages.len() {
            let who = (round + turn) % stages.len();
            let stage = &mut stages[who];
            let mut total = 0;
            for _ in 0..ticks {
                for timed in [false, true] {
                    stage.refresh()?;
                    let nanos = stage.tick();
                    total += if timed { nanos } else { 0 };
                }
            }
            // The first rounds warm caches and bring the actors into their stride.
            if round >= 3 {
                nanos[who].push(total as f64 / (ticks * actors) as f64);
            }
        }
    }
    println!("ns per actor and tick, {actors} actors, one thread; state in bits an actor");
    print!("{:<52}{:>6}{:>8}{:>8}", "node", "bits", "lanes", "+");
    for kernel in Kernel::ALL
        .iter()
        .filter(|&&kernel| kernel != Kernel::Lanes)
    {
        print!("{:>17}{:>8}", kernel.name(), "+");
    }
    println!();
    let own = |kernel: &Kernel| {
        Kernel::ALL
            .iter()
            .position(|all| all == kernel)
            .unwrap_or(0)
    };
    for (row, kind) in kinds.iter().enumerate() {
        let layout = stages[row * kernels].population.shape().layout();
        print!("{:<52}{:>6}", kind.name, layout.state_bits_per_actor());
        let lanes = [Kernel::Lanes];
        let others = Kernel::ALL
            .iter()
            .filter(|&&kernel| kernel != Kernel::Lanes);
        for (place, kernel) in lanes.iter().chain(others).enumerate() {
            let place = if place == 0 { 8 } else { 17 };
            let ours = &nanos[row * kernels + own(kernel)];
            let base = &nanos[kind.base * kernels + own(kernel)];
            let differences = ours
                .iter()
                .zip(base)
                .map(|(ours, base)| ours - base)
                .collect();
            print!(
                "{:>place$.2}{:>8.2}",
                median(ours.clone()),
                median(differences)
            );
        }
        println!();
    }
    Ok(())
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
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let done = pool.map_err(Error::from).and_then(|pool| {
        pool.install(|| run(options).map_err(|error| error.to_string()))
            .map_err(Error::from)
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
