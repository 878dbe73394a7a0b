//! A mountain of dwarves under a king, whose trees ask rules: who is alarmed, who is lost, who may harvest.
//!
//! The rules are written twice, in Datalog (`by_datalog`) and as plane algebra (`by_planes`). Both run between
//! any two ticks and must find the same; how long each of them takes is printed. Run it with
//! `cargo run --release -p pleach --features datalog --example datalog`, and `-- 10000` for more dwarves.

use std::collections::BTreeSet;
use std::error::Error;
use std::time::{Duration, Instant};

use ascent::aggregators::min;
use ascent::ascent_run;
use pleach::datalog;
use pleach::prelude::*;
use pleach::table::{Dice, NodeKey};
use pleach::vm::random::below;

const DT: Duration = Duration::from_millis(100);
const TICKS: usize = 200;
const SEED: u64 = 1;
/// Each dwarf leads so many at first.
const CREW: usize = 5;
/// Plots that a crew has.
const PLOTS: u64 = 8;

/// The streams of random numbers.
const RAIDS: u32 = 1;
const DEATHS: u32 = 2;
const HARVESTS: u32 = 3;
const LEADERS: u32 = 4;
const SOWING: u32 = 5;

struct Mountain {
    dwarves: Population,
    king: ActorId,
    /// The column of whom a dwarf follows.
    follows: ColumnKey<u64>,
    plot: ColumnKey<u16>,
    captain: ColumnKey<bool>,
    sees_goblins: ColumnKey<bool>,
    /// What the rules write, and the trees ask.
    alarmed: ColumnKey<bool>,
    lost: ColumnKey<bool>,
    free: ColumnKey<bool>,
    /// Nodes that the rules ask about.
    rest: NodeKey,
    harvest: NodeKey,
}

fn mountain(size: usize) -> Result<Mountain, Box<dyn Error>> {
    let tree = Tree::build("dwarf")
        .column("follows", u64::MAX)
        .column("plot", 0_u16)
        .column("captain", false)
        .column("sees_goblins", false)
        .column("alarmed", false)
        .column("lost", false)
        .column("free", false)
        .root(reactive_selector([
            run_while(action("muster"), col("alarmed")),
            run_while(action("seek a leader"), col("lost")),
            when(action("dig"), col("free")).named("harvest"),
            idle().named("rest"),
        ]));
    let mut dwarves = Population::new(compile(&tree)?).with_seed(SEED);
    let ids = dwarves.spawn_many(size)?;
    let mut mountain = Mountain {
        king: ids[0],
        follows: dwarves.column("follows")?,
        plot: dwarves.column("plot")?,
        captain: dwarves.column("captain")?,
        sees_goblins: dwarves.column("sees_goblins")?,
        alarmed: dwarves.column("alarmed")?,
        lost: dwarves.column("lost")?,
        free: dwarves.column("free")?,
        rest: dwarves.watch("rest")?,
        harvest: dwarves.watch("harvest")?,
        dwarves,
    };
    for (place, &dwarf) in ids.iter().enumerate().skip(1) {
        let leader = ids[(place - 1) / CREW];
        // Below the king are five thanes, below each of them five captains.
        let captain = (1 + CREW..1 + CREW + CREW * CREW).contains(&place);
        let dwarves = &mut mountain.dwarves;
        dwarves.set(dwarf, mountain.follows, leader.to_bits())?;
        dwarves.set(dwarf, mountain.captain, captain)?;
        mountain.sow(dwarf)?;
    }
    Ok(mountain)
}

/// What the rules find.
#[derive(Default)]
struct Found {
    sounds: PlaneSet,
    alarmed: PlaneSet,
    lost: PlaneSet,
    free: PlaneSet,
}

/// How much Datalog had to do with, and how long it took.
struct Effort {
    facts: usize,
    /// Pairs of dwarves, one above the other.
    pairs: usize,
    times: [Duration; 3],
}

impl Mountain {
    /// The rules in Datalog: facts out of tables and columns, a fresh program, sets out of its relations.
    fn by_datalog(&self, found: &mut Found) -> Result<Effort, Box<dyn Error>> {
        let begin = Instant::now();
        let dwarves = &self.dwarves;
        let everyone = dwarves.everyone();
        let dwarf = datalog::unary(everyone);
        let captain = datalog::unary(dwarves.actors_with(self.captain)?);
        let sees = datalog::unary(dwarves.actors_with(self.sees_goblins)?);
        let rests = datalog::unary(dwarves.table(self.rest)?.active());
        let harvests = datalog::unary(dwarves.table(self.harvest)?.active());
        let plot = datalog::binary(everyone, self.plot)?;
        let follows = datalog::pointers(everyone, self.follows, dwarves)?;
        let king = vec![(self.king,)];
        let ones = [&dwarf, &captain, &sees, &rests, &harvests, &king];
        let facts = ones.map(Vec::len).iter().sum::<usize>() + plot.len() + follows.len();

        let facts_out = Instant::now();
        let rules = ascent_run! {
            relation king(ActorId) = king;
            relation dwarf(ActorId) = dwarf;
            relation captain(ActorId) = captain;
            relation sees(ActorId) = sees;
            relation rests(ActorId) = rests;
            relation harvests(ActorId) = harvests;
            relation plot(ActorId, u16) = plot;
            relation follows(ActorId, ActorId) = follows;

            // y commands x, directly or through a chain of any length.
            relation above(ActorId, ActorId);
            above(x, y) <-- follows(x, y);
            above(x, z) <-- follows(x, y), above(y, z);

            // A captain sounds the horn when he, or anyone below him, sees goblins.
            relation sounds(ActorId);
            sounds(c) <-- sees(c), captain(c);
            sounds(c) <-- sees(x), above(x, c), captain(c);

            // Whoever sees goblins is alarmed, and so is who is below a captain who sounds the horn, and he.
            relation alarmed(ActorId);
            alarmed(x) <-- sees(x);
            alarmed(c) <-- sounds(c);
            alarmed(x) <-- sounds(c), above(x, c);

            // From who is lost no chain leads to the king.
            relation lost(ActorId);
            lost(x) <-- dwarf(x), king(k), if x != k, !above(x, k);

            // Who rests may harvest, if nobody who follows the same leader has the same plot; of several, the first.
            relation taken(ActorId, u16);
            taken(y, p) <-- harvests(x), follows(x, y), plot(x, p);
            relation would(ActorId, ActorId, u16);
            would(x, y, p) <-- rests(x), !alarmed(x), !lost(x), follows(x, y), plot(x, p), !taken(y, p);
            relation free(ActorId);
            free(x) <-- would(x, y, p), agg first = min(z) in would(z, y, p), if *x == first;
        };
        let concluded = Instant::now();
        datalog::keep(dwarves, &rules.sounds, &mut found.sounds);
        datalog::keep(dwarves, &rules.alarmed, &mut found.alarmed);
        datalog::keep(dwarves, &rules.lost, &mut found.lost);
        datalog::keep(dwarves, &rules.free, &mut found.free);
        let pairs = rules.above.len();
        let kept = Instant::now();
        // To throw a program away is part of having a fresh one.
        drop(rules);
        Ok(Effort {
            facts,
            pairs,
            times: [
                facts_out - begin,
                concluded - facts_out + kept.elapsed(),
                kept - concluded,
            ],
        })
    }

    /// The same rules as plane algebra: loops until nobody new comes, and a join by hand.
    fn by_planes(&self, found: &mut Found) -> Result<Duration, Box<dyn Error>> {
        let begin = Instant::now();
        let dwarves = &self.dwarves;
        let everyone = dwarves.everyone();
        let sees = dwarves.actors_with(self.sees_goblins)?;
        let captains = dwarves.actors_with(self.captain)?;

        // Upwards from who sees goblins, then downwards from the captains that the news has reached.
        let (mut told, mut leaders) = (PlaneSet::new(), PlaneSet::new());
        sees.store(&mut told);
        grow(&mut told, |known, more| {
            let known = dwarves.those_in(known);
            known.pointed_at(self.follows, dwarves, &mut leaders)?;
            known.or(dwarves.those_in(&leaders)).store(more);
            Ok(())
        })?;
        captains
            .and(dwarves.those_in(&told))
            .store(&mut found.sounds);
        let with_all_below = |known: &PlaneSet, more: &mut PlaneSet| {
            let known = dwarves.those_in(known);
            let new = known.not().pointing_into(self.follows, known)?;
            known.or(new).store(more);
            Ok(())
        };
        let mut summoned = found.sounds.clone();
        grow(&mut summoned, with_all_below)?;
        sees.or(dwarves.those_in(&summoned))
            .store(&mut found.alarmed);

        let mut led = PlaneSet::new();
        led.insert(dwarves, self.king)?;
        grow(&mut led, with_all_below)?;
        dwarves.those_in(&led).not().store(&mut found.lost);

        // Leader and plot together are no plane: pairs are kept beside.
        let crew_and_plot = |dwarf| -> Result<(u64, u16), Box<dyn Error>> {
            Ok((
                dwarves.get(dwarf, self.follows)?,
                dwarves.get(dwarf, self.plot)?,
            ))
        };
        let led_now = everyone.pointing_into(self.follows, everyone)?;
        let mut taken = BTreeSet::new();
        for dwarf in dwarves.table(self.harvest)?.active().and(led_now).actors() {
            taken.insert(crew_and_plot(dwarf)?);
        }
        let rest = dwarves.table(self.rest)?.active();
        let busy = dwarves
            .those_in(&found.alarmed)
            .or(dwarves.those_in(&found.lost));
        found.free.clear(dwarves);
        for dwarf in rest.and(led_now).minus(busy).actors() {
            if taken.insert(crew_and_plot(dwarf)?) {
                found.free.insert(dwarves, dwarf)?;
            }
        }
        Ok(begin.elapsed())
    }

    /// What happens to the dwarves between two ticks.
    fn live(&mut self, tick: usize) -> Result<(), Box<dyn Error>> {
        let mut set = PlaneSet::new();

        // Goblins are seen, for eight ticks by the same dwarves.
        let raid = Dice::new(SEED, RAIDS, tick as u64 / 8);
        self.dwarves.everyone().chance(0.004, raid).store(&mut set);
        self.dwarves.conclude("raid", self.sees_goblins, &set)?;

        // An alarmed dwarf may fall, but for the king. His followers point at nobody then. An heir comes.
        let dice = self.dwarves.dice(DEATHS);
        let alarmed = self.dwarves.actors_with(self.alarmed)?;
        alarmed.store_sample(1, dice, &mut set);
        let fallen: Vec<ActorId> = self.dwarves.those_in(&set).actors().collect();
        for fallen in fallen {
            if fallen == self.king {
                continue;
            }
            let captain = self.dwarves.get(fallen, self.captain)?;
            self.dwarves.despawn(fallen)?;
            let heir = self.dwarves.spawn()?;
            self.dwarves.set(heir, self.captain, captain)?;
            self.sow(heir)?;
        }

        // One in six has dug his plot, and goes to another one.
        let digging = self.dwarves.table(self.harvest)?.active();
        digging
            .chance(1.0 / 6.0, self.dwarves.dice(HARVESTS))
            .store(&mut set);
        let slot = self.dwarves.slots("dig")[0];
        let done: Vec<ActorId> = self.dwarves.those_in(&set).actors().collect();
        for dwarf in done {
            self.dwarves.set_result(dwarf, slot, Outcome::Success)?;
            self.sow(dwarf)?;
        }
        Ok(())
    }

    /// Gives a dwarf a plot.
    fn sow(&mut self, dwarf: ActorId) -> Result<(), Box<dyn Error>> {
        let throw = self.dwarves.dice(SOWING).throw(dwarf.to_bits());
        self.dwarves
            .set(dwarf, self.plot, below(throw, PLOTS) as u16)?;
        Ok(())
    }

    /// Tells the trees what the rules have found, and lets them decide. Gives how long they took.
    fn decide(&mut self, found: &Found) -> Result<Duration, Box<dyn Error>> {
        let dwarves = &mut self.dwarves;
        dwarves.conclude("alarm", self.alarmed, &found.alarmed)?;
        dwarves.conclude("chain of command", self.lost, &found.lost)?;
        dwarves.conclude("a plot for each", self.free, &found.free)?;
        let begin = Instant::now();
        dwarves.tick(DT);
        Ok(begin.elapsed())
    }

    /// Carries out what the trees asked for: who seeks a leader finds one, somebody whom the king leads.
    fn execute(&mut self, lost: &PlaneSet) -> Result<(), Box<dyn Error>> {
        let led: Vec<ActorId> = self.dwarves.those_in(lost).not().actors().collect();
        let seeks = self.dwarves.requests().named("seek a leader");
        let seeks = seeks.iter().flat_map(|seeks| seeks.iter());
        let seeks = seeks.filter(|request| request.kind == RequestKind::Launch);
        let seekers: Vec<ActorId> = seeks.map(|request| request.actor).collect();
        let dice = self.dwarves.dice(LEADERS);
        for dwarf in seekers {
            let leader = led[below(dice.throw(dwarf.to_bits()), led.len() as u64) as usize];
            self.dwarves.set(dwarf, self.follows, leader.to_bits())?;
        }
        Ok(())
    }
}

/// Lets a set grow until nobody new comes: a rule that refers to itself, in plane algebra.
fn grow(
    set: &mut PlaneSet,
    mut step: impl FnMut(&PlaneSet, &mut PlaneSet) -> Result<(), Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    let mut more = PlaneSet::new();
    loop {
        let before = set.count();
        step(set, &mut more)?;
        std::mem::swap(set, &mut more);
        if set.count() == before {
            return Ok(());
        }
    }
}

fn median<T: Copy + Ord>(values: impl IntoIterator<Item = T>) -> Option<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

/// A median in microseconds.
fn micros(times: impl IntoIterator<Item = Duration>) -> String {
    median(times).map_or("-".to_owned(), |time| {
        format!("{:.1}", time.as_secs_f64() * 1e6)
    })
}

fn size() -> Result<usize, String> {
    let Some(argument) = std::env::args().nth(1) else {
        return Ok(1000);
    };
    let size = argument.parse().ok();
    size.filter(|size| (1..=100_000).contains(size))
        .ok_or_else(|| {
            format!(
                "dwarves: found `{}`, allowed are 1 to 100000",
                argument.escape_debug()
            )
        })
}

fn main() -> Result<(), Box<dyn Error>> {
    let size = size()?;
    let mut mountain = mountain(size)?;
    println!("{size} dwarves under a king. Between two ticks, rules find out:\n");
    println!("  above     who commands whom, through a chain of any length");
    println!("  sounds    captains who sound the horn: someone below them sees goblins");
    println!("  alarmed   whoever sees goblins, or is below a captain who sounds the horn");
    println!("  lost      whose chain of command does not lead to the king");
    println!("  free      who rests, and has a plot that nobody of the crew is at\n");
    println!("  tick    sound  alarmed     lost     free  harvest");

    let (mut rules, mut planes) = (Found::default(), Found::default());
    let (mut efforts, mut plane_times, mut tick_times) = (Vec::new(), Vec::new(), Vec::new());
    for tick in 0..TICKS {
        mountain.live(tick)?;

        // The two take turns in going first.
        if tick % 2 == 0 {
            efforts.push(mountain.by_datalog(&mut rules)?);
            plane_times.push(mountain.by_planes(&mut planes)?);
        } else {
            plane_times.push(mountain.by_planes(&mut planes)?);
            efforts.push(mountain.by_datalog(&mut rules)?);
        }
        assert_eq!(rules.sounds.planes(), planes.sounds.planes(), "sounds");
        assert_eq!(rules.alarmed.planes(), planes.alarmed.planes(), "alarmed");
        assert_eq!(rules.lost.planes(), planes.lost.planes(), "lost");
        assert_eq!(rules.free.planes(), planes.free.planes(), "free");

        tick_times.push(mountain.decide(&rules)?);
        if tick % 25 == 12 {
            let sets = [&rules.sounds, &rules.alarmed, &rules.lost, &rules.free];
            let [sounds, alarmed, lost, free] = sets.map(PlaneSet::count);
            let harvest = mountain.dwarves.table(mountain.harvest)?;
            let harvest = harvest.active().count();
            println!("{tick:>6} {sounds:>8} {alarmed:>8} {lost:>8} {free:>8} {harvest:>8}");
        }
        mountain.execute(&rules.lost)?;
    }

    let part = |part: usize| {
        efforts
            .iter()
            .map(move |effort: &Effort| effort.times[part])
    };
    let together = efforts.iter().map(|effort| effort.times.iter().sum());
    let facts = median(efforts.iter().map(|effort| effort.facts)).unwrap_or(0);
    let pairs = median(efforts.iter().map(|effort| effort.pairs)).unwrap_or(0);
    let planes = micros(plane_times);
    println!("\nMicroseconds a tick              Datalog   plane algebra");
    println!("  facts out of planes        {:>11}", micros(part(0)));
    println!(
        "  rules                      {:>11} {planes:>15}",
        micros(part(1))
    );
    println!("  relations into planes      {:>11}", micros(part(2)));
    println!(
        "  together                   {:>11} {planes:>15}",
        micros(together)
    );
    println!("  the trees, for comparison  {:>11}", micros(tick_times));
    println!(
        "\nMedians of {TICKS} ticks. Datalog began with {facts} facts, and found {pairs} pairs of dwarves one above"
    );
    println!(
        "the other, which plane algebra does without. Both found the same sets in every tick."
    );
    Ok(())
}
