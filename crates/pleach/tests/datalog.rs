//! Rules in Datalog: held to plane algebra and to plain loops, tick by tick; and why each tick has a program
//! of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ascent::aggregators::min;
use ascent::{ascent, ascent_run};
use pleach::datalog;
use pleach::prelude::*;
use pleach::table::{NodeKey, TableError};
use pleach::vm::random::{below, draw};

const NOBODY: u64 = u64::MAX;
const DT: Duration = Duration::from_millis(16);

/// Followers, some of whom are chiefs: chains, forks, circles, and pointers at who is gone.
struct Crowd {
    people: Population,
    follows: ColumnKey<u64>,
    plot: ColumnKey<u16>,
    chief: ColumnKey<bool>,
    sees: ColumnKey<bool>,
    rest: NodeKey,
    draws: u64,
}

/// What rules find: alarmed, lost, and who may dig.
#[derive(Default)]
struct Found {
    alarmed: PlaneSet,
    lost: PlaneSet,
    digs: PlaneSet,
}

impl Crowd {
    fn new(size: usize) -> Crowd {
        let tree = Tree::build("crowd")
            .column("follows", NOBODY)
            .column("plot", 0_u16)
            .column("chief", false)
            .column("sees", false)
            .column("alarmed", false)
            .column("lost", false)
            .column("digs", false)
            .root(reactive_selector([
                run_while(action("fight"), col("alarmed")),
                run_while(action("ask"), col("lost")),
                run_while(action("dig"), col("digs")),
                idle().named("rest"),
            ]));
        let mut people = Population::new(compile(&tree).expect("the tree is right"));
        let mut crowd = Crowd {
            follows: people.column("follows").unwrap(),
            plot: people.column("plot").unwrap(),
            chief: people.column("chief").unwrap(),
            sees: people.column("sees").unwrap(),
            rest: people.watch("rest").unwrap(),
            people,
            draws: 0,
        };
        crowd.spawn(size);
        crowd
    }

    fn below(&mut self, bound: usize) -> usize {
        self.draws += 1;
        below(draw(7, self.draws, 0, 0), bound as u64) as usize
    }

    fn spawn(&mut self, count: usize) {
        for actor in self.people.spawn_many(count).unwrap() {
            let (plot, chief) = (self.below(40) as u16, self.below(8) == 0);
            self.people.set(actor, self.plot, plot).unwrap();
            self.people.set(actor, self.chief, chief).unwrap();
        }
    }

    /// Some die and others come, follow others, and see something or no longer do.
    fn change(&mut self) {
        let before: Vec<ActorId> = self.people.actors().collect();
        for _ in 0..before.len() / 50 {
            // Who was drawn twice is gone already.
            let one = before[self.below(before.len())];
            let _ = self.people.despawn(one);
        }
        self.spawn(before.len() - self.people.len());
        // Of the old ones as well, so some point at who has just died.
        let old = before.len();
        for actor in self.people.actors().collect::<Vec<_>>() {
            if self.below(4) == 0 {
                let leader = before[self.below(old)];
                let bits = [leader.to_bits(), NOBODY][usize::from(self.below(9) == 0)];
                self.people.set(actor, self.follows, bits).unwrap();
            }
            let sees = self.below(60) == 0;
            self.people.set(actor, self.sees, sees).unwrap();
        }
    }

    fn by_datalog(&self, found: &mut Found) {
        let people = &self.people;
        let everyone = people.everyone();
        let rules = ascent_run! {
            relation person(ActorId) = datalog::unary(everyone);
            relation chief(ActorId) = datalog::unary(people.actors_with(self.chief).unwrap());
            relation sees(ActorId) = datalog::unary(people.actors_with(self.sees).unwrap());
            relation rests(ActorId) = datalog::unary(people.table(self.rest).unwrap().active());
            relation plot(ActorId, u16) = datalog::binary(everyone, self.plot).unwrap();
            relation follows(ActorId, ActorId) =
                datalog::pointers(everyone, self.follows, people).unwrap();

            relation above(ActorId, ActorId);
            above(x, y) <-- follows(x, y);
            above(x, z) <-- follows(x, y), above(y, z);

            relation alarmed(ActorId);
            alarmed(x) <-- sees(x);
            alarmed(x) <-- above(x, y), sees(y);

            relation led(ActorId);
            led(x) <-- chief(x);
            led(x) <-- above(x, y), chief(y);
            relation lost(ActorId);
            lost(x) <-- person(x), !led(x);

            // One of each crew and plot digs.
            relation would(ActorId, ActorId, u16);
            would(x, y, p) <-- rests(x), !alarmed(x), follows(x, y), plot(x, p);
            relation digs(ActorId);
            digs(x) <-- would(x, y, p), agg first = min(z) in would(z, y, p), if *x == first;
        };
        assert_eq!(datalog::keep(people, &rules.alarmed, &mut found.alarmed), 0);
        assert_eq!(datalog::keep(people, &rules.lost, &mut found.lost), 0);
        assert_eq!(datalog::keep(people, &rules.digs, &mut found.digs), 0);
    }

    fn by_planes(&self, found: &mut Found) -> Result<(), TableError> {
        let people = &self.people;
        let everyone = people.everyone();
        // Whoever is below one of the set, and the set: until nobody new comes.
        let with_all_below = |set: &mut PlaneSet| {
            let mut more = PlaneSet::new();
            loop {
                let (before, known) = (set.count(), people.those_in(set));
                let below = everyone.pointing_into(self.follows, known).unwrap();
                known.or(below).store(&mut more);
                std::mem::swap(set, &mut more);
                if set.count() == before {
                    return;
                }
            }
        };
        people
            .actors_with(self.sees)
            .unwrap()
            .store(&mut found.alarmed);
        with_all_below(&mut found.alarmed);
        let mut led = PlaneSet::new();
        people.actors_with(self.chief).unwrap().store(&mut led);
        with_all_below(&mut led);
        people.those_in(&led).not().store(&mut found.lost);

        let rests = people.table(self.rest)?.active();
        let free = rests.minus(people.those_in(&found.alarmed));
        let mut taken = BTreeSet::new();
        found.digs.clear(people);
        for actor in free.pointing_into(self.follows, everyone).unwrap().actors() {
            let crew = people.get(actor, self.follows).unwrap();
            if taken.insert((crew, people.get(actor, self.plot).unwrap())) {
                found.digs.insert(people, actor).unwrap();
            }
        }
        Ok(())
    }

    /// Everybody above an actor, by walking up.
    fn above(&self, actor: ActorId) -> Vec<ActorId> {
        let mut above: Vec<ActorId> = Vec::new();
        let mut at = actor;
        loop {
            at = ActorId::from_bits(self.people.get(at, self.follows).unwrap());
            if !self.people.is_alive(at) || above.contains(&at) {
                return above;
            }
            above.push(at);
        }
    }
}

#[test]
fn rules_conclude_what_plane_algebra_concludes() {
    for size in [1, 60, 513, 1100] {
        let mut crowd = Crowd::new(size);
        let (mut rules, mut planes) = (Found::default(), Found::default());
        let mut found = [0; 3];
        for tick in 0..40 {
            crowd.change();
            crowd.by_datalog(&mut rules);
            crowd.by_planes(&mut planes).unwrap();
            let people = &crowd.people;
            for (sum, rules, planes, name) in [
                (0, &rules.alarmed, &planes.alarmed, "alarmed"),
                (1, &rules.lost, &planes.lost, "lost"),
                (2, &rules.digs, &planes.digs, "digs"),
            ] {
                assert_eq!(
                    rules.planes(),
                    planes.planes(),
                    "{size} actors, tick {tick}: {name}"
                );
                found[sum] += rules.count();
            }
            for actor in people.actors() {
                let chain = || std::iter::once(actor).chain(crowd.above(actor));
                let alarmed = chain().any(|actor| people.get(actor, crowd.sees).unwrap());
                let lost = !chain().any(|actor| people.get(actor, crowd.chief).unwrap());
                let found = (
                    people.those_in(&rules.alarmed).contains(actor),
                    people.those_in(&rules.lost).contains(actor),
                );
                assert_eq!(
                    found,
                    (alarmed, lost),
                    "{size} actors, tick {tick}: {actor}"
                );
            }

            // The trees do what the rules say.
            let names = ["alarmed", "lost", "digs"];
            for (name, set) in names
                .into_iter()
                .zip([&rules.alarmed, &rules.lost, &rules.digs])
            {
                let key = crowd.people.column(name).unwrap();
                crowd.people.conclude(name, key, set).unwrap();
            }
            crowd.people.tick(DT);
            let people = &crowd.people;
            let fights = people.requests().named("fight");
            let fights = fights.iter().flat_map(|fights| fights.iter());
            let fights = fights.filter(|request| request.kind != RequestKind::Cancel);
            let fighting: BTreeSet<ActorId> = fights.map(|request| request.actor).collect();
            assert!(
                fighting
                    .into_iter()
                    .eq(people.those_in(&rules.alarmed).actors())
            );
        }
        // Each rule had something to say.
        assert!(
            size < 60 || found.iter().all(|&count| count > 40),
            "{found:?}"
        );
    }
}

/// Facts that come and go: in each round a few of the pairs of 12 numbers, in some rounds none.
fn edges(round: u64) -> Vec<(u32, u32)> {
    if round % 5 == 3 {
        return Vec::new();
    }
    let pairs = (0..12).flat_map(|x| (0..12).map(move |y| (x, y)));
    // Each pair keeps for three rounds what was drawn for it.
    let drawn = |&(x, y): &(u32, u32)| draw(round / 3, u64::from(x), y, 0).is_multiple_of(9);
    pairs.filter(drawn).collect()
}

/// All pairs with a way from the first to the second, by search.
fn ways(edges: &[(u32, u32)]) -> BTreeSet<(u32, u32)> {
    let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &(from, to) in edges {
        next.entry(from).or_default().push(to);
    }
    let mut ways = BTreeSet::new();
    for &from in next.keys() {
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for &to in next.get(&at).into_iter().flatten() {
                if ways.insert((from, to)) {
                    open.push(to);
                }
            }
        }
    }
    ways
}

ascent! {
    struct Ways;
    relation edge(u32, u32);
    relation way(u32, u32);
    way(x, y) <-- edge(x, y);
    way(x, z) <-- edge(x, y), way(y, z);
}

impl Ways {
    fn found(&self) -> BTreeSet<(u32, u32)> {
        self.way.iter().copied().collect()
    }
}

#[test]
fn a_fresh_program_a_tick_loses_no_tuple() {
    let mut again = 0;
    let mut seen = BTreeSet::new();
    for round in 0..300 {
        let edge = edges(round);
        let expected = ways(&edge);
        // Tuples that were derived in an earlier round, were gone, and are back.
        if round % 5 == 4 {
            again += expected.intersection(&seen).count();
        }
        seen.extend(&expected);

        let at_once = ascent_run! {
            relation edge(u32, u32) = edge.clone();
            relation way(u32, u32);
            way(x, y) <-- edge(x, y);
            way(x, z) <-- edge(x, y), way(y, z);
        };
        let at_once: BTreeSet<(u32, u32)> = at_once.way.into_iter().collect();
        assert_eq!(at_once, expected, "round {round}");

        let mut program = Ways {
            edge,
            ..Ways::default()
        };
        program.run();
        assert_eq!(program.found(), expected, "round {round}");
        assert_eq!(program.way.len(), expected.len(), "no tuple twice");
    }
    assert!(again > 1000, "{again} tuples came back");
}

/// Why programs are not reused, pinned down for ascent 0.8.1. Should this test fail with another version, the
/// behaviour has changed; what `datalog` says of it is then to be written anew.
#[test]
fn a_program_that_is_emptied_and_run_again_is_wrong() {
    let run_again = |edge: Vec<(u32, u32)>| {
        let mut program = Ways {
            edge: vec![(0, 1), (1, 2)],
            ..Ways::default()
        };
        program.run();
        assert_eq!(program.found(), ways(&[(0, 1), (1, 2)]));
        program.edge.clear();
        program.way.clear();
        program.edge = edge;
        program.run();
        program.found()
    };
    // The same facts once more: all of `way` is known to its index, so nothing is derived.
    assert!(run_again(vec![(0, 1), (1, 2)]).is_empty());
    // A fact that stays is not told again.
    assert!(!run_again(vec![(0, 1), (2, 3)]).contains(&(0, 1)));
    // A fact that is gone still leads on: there is no way from 1 any more.
    let found = run_again(vec![(2, 3)]);
    assert!(found.contains(&(1, 3)) && !ways(&[(2, 3)]).contains(&(1, 3)));
}

#[test]
fn facts_are_the_set_by_place_and_the_columns_of_its_actors() {
    let mut crowd = Crowd::new(1025);
    let ids: Vec<ActorId> = crowd.people.actors().collect();
    for (index, &id) in ids.iter().enumerate() {
        crowd.people.set(id, crowd.plot, index as u16).unwrap();
        crowd.people.set(id, crowd.sees, index % 3 == 0).unwrap();
    }
    crowd.people.despawn(ids[3]).unwrap();
    let people = &crowd.people;
    let sees = people.actors_with(crowd.sees).unwrap();
    let expected = || (0..1025).step_by(3).filter(|&index| index != 3);

    let facts = datalog::unary(sees);
    assert!(
        facts
            .iter()
            .copied()
            .eq(expected().map(|index| (ids[index],)))
    );
    let facts = datalog::binary(sees, crowd.plot).unwrap();
    assert!(
        facts
            .into_iter()
            .eq(expected().map(|index| (ids[index], index as u16)))
    );
}

#[test]
fn pointers_name_actors_who_live() {
    let mut guards = Crowd::new(4).people;
    let mut crowd = Crowd::new(6);
    let (posts, ids): (Vec<_>, Vec<_>) =
        (guards.actors().collect(), crowd.people.actors().collect());
    for (&id, bits) in ids.iter().zip([
        posts[0].to_bits(),
        posts[1].to_bits(),
        NOBODY,
        posts[3].to_bits(),
        posts[0].to_bits(),
        ActorId::new(2, 9).to_bits(),
    ]) {
        crowd.people.set(id, crowd.follows, bits).unwrap();
    }
    guards.despawn(posts[1]).unwrap();
    let facts = datalog::pointers(crowd.people.everyone(), crowd.follows, &guards).unwrap();
    assert_eq!(
        facts,
        [(ids[0], posts[0]), (ids[3], posts[3]), (ids[4], posts[0])]
    );
}

#[test]
fn a_key_of_another_shape_is_an_error_even_of_nobody() {
    let crowd = Crowd::new(0);
    let tree = Tree::build("other")
        .column("follows", 0_u64)
        .world("food", 5_i32)
        .root(idle());
    let other = Population::new(compile(&tree).unwrap());
    let (key, food) = (
        other.column::<u64>("follows").unwrap(),
        other.world_key("food").unwrap(),
    );
    assert!(datalog::binary(crowd.people.everyone(), key).is_err());
    assert!(datalog::pointers(crowd.people.everyone(), key, &other).is_err());
    assert_eq!(datalog::world::<i32>(&other, food), Some(vec![(5,)]));
    assert_eq!(datalog::world(&crowd.people, food), None);
    assert!(datalog::unary(crowd.people.everyone()).is_empty());
}

#[test]
fn keep_passes_over_who_does_not_live_and_forgets_what_was() {
    let mut crowd = Crowd::new(600);
    let ids: Vec<ActorId> = crowd.people.actors().collect();
    let mut set = PlaneSet::new();
    assert_eq!(
        datalog::keep(&crowd.people, [(ids[0],), (ids[1],)], &mut set),
        0
    );

    crowd.people.despawn(ids[599]).unwrap();
    let nobody = ActorId::new(u32::MAX, u32::MAX);
    // Several columns, duplicates, the dead, and who never was.
    let rows = [
        (ids[7], 1),
        (ids[7], 2),
        (ids[513], 3),
        (ids[599], 4),
        (nobody, 5),
    ];
    let gone = datalog::keep(&crowd.people, rows.iter().map(|row| (row.0,)), &mut set);
    assert_eq!(gone, 2);
    let kept: Vec<ActorId> = crowd.people.those_in(&set).actors().collect();
    assert_eq!(kept, [ids[7], ids[513]]);

    // A set that was of another population is of this one afterwards, also if it holds nobody.
    let other = Crowd::new(3).people;
    other.everyone().store(&mut set);
    assert_eq!(
        datalog::keep(&crowd.people, Vec::<(ActorId,)>::new(), &mut set),
        0
    );
    let alarmed = crowd.people.column("alarmed").unwrap();
    crowd.people.conclude("nobody", alarmed, &set).unwrap();
}
