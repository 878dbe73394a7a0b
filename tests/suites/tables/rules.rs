//! R4: what rules write, and what they are refused.

use pleach_shape::Status;
use pleach_tree::{Tree, action, compile, done_when, idle, selector, when};
use pleach_vm::table::{ActorSet, PlaneSet, RuleError};
use pleach_vm::{AccessError, ActorId, ColumnKey, NoSuchActor, Population, RequestKind};

use crate::crowd::DT;
use crate::stage::Way;

/// Who is hungry eats, whoever is tired rests until rested; all others idle.
fn tree() -> Tree {
    Tree::build("villager")
        .column("hungry", false)
        .column("rested", false)
        .column("food", 0_i32)
        .root(selector([
            when(action("eat"), "hungry"),
            done_when(idle(), "rested").named("rest"),
        ]))
}

struct Village {
    population: Population,
    hungry: ColumnKey<bool>,
    rested: ColumnKey<bool>,
    actors: Vec<ActorId>,
}

fn village(way: Way, actors: usize) -> Village {
    let mut population = way.population(compile(&tree()).expect("compiles"));
    Village {
        hungry: population.column("hungry").expect("declared"),
        rested: population.column("rested").expect("declared"),
        actors: population.spawn_many(actors).expect("memory"),
        population,
    }
}

impl Village {
    fn some(&self, which: impl Fn(u32) -> bool) -> PlaneSet {
        let mut set = PlaneSet::new();
        for &actor in self.actors.iter().filter(|actor| which(actor.index())) {
            set.insert(&self.population, actor).expect("it lives");
        }
        set
    }

    fn hungry(&self, actor: ActorId) -> bool {
        let value = self.population.get(actor, self.hungry);
        value.expect("it lives")
    }
}

/// A rule's column is a condition of the next tick, for every kernel; for whoever is not in the set it is false.
#[test]
fn a_conclusion_is_a_condition_of_the_next_tick() {
    for way in Way::all() {
        let mut village = village(way, 1_100);
        let (hungry, rested) = (village.hungry, village.rested);
        let rest = village.population.watch("rest").expect("there is one");
        let even = village.some(|index| index % 2 == 0);
        let population = &mut village.population;
        assert_eq!(population.conclude("hunger", hungry, &even), Ok(()));
        population.tick(DT);
        let eat = population.shape().action("eat").expect("it is called");
        let eaters: Vec<u32> = population
            .requests()
            .of(eat)
            .iter()
            .map(|request| request.actor.index())
            .collect();
        let expected: Vec<u32> = (0..1_100).filter(|index| index % 2 == 0).collect();
        assert_eq!(eaters, expected, "{way:?}");
        let resting = population.table(rest).expect("watched").active();
        assert_eq!(resting.count(), 550, "{way:?}");

        // What the tree said goes into the next rule: every third of those who rest is rested.
        let mut set = PlaneSet::new();
        resting.store(&mut set);
        let third = village.some(|index| index % 3 == 0);
        let population = &mut village.population;
        let both = population.those_in(&set).and(population.those_in(&third));
        let mut done = PlaneSet::new();
        both.store(&mut done);
        assert_eq!(population.conclude("rest", rested, &done), Ok(()));
        // Hunger is concluded anew: nobody is hungry.
        let nobody = PlaneSet::new();
        assert_eq!(population.conclude("hunger", hungry, &nobody), Ok(()));
        population.tick(DT);
        for actor in village.actors.clone() {
            let index = actor.index();
            let rests = index % 2 == 1;
            let expected = match (rests, index % 3 == 0) {
                (true, true) => Status::Success,
                _ => Status::Running,
            };
            let status = village.population.status(actor);
            assert_eq!(status, Ok(Some(expected)), "{way:?}, {actor}");
            assert!(!village.hungry(actor), "{way:?}, {actor}");
        }
        let requests = village.population.requests();
        let eating = requests.iter().map(|request| request.kind);
        // A `when` is judged when it starts.
        assert!(eating.eq(vec![RequestKind::Continue; 550]), "{way:?}");
    }
}

#[test]
fn a_column_has_one_rule_between_two_ticks() {
    let mut village = village(Way::all()[0], 20);
    let (hungry, rested) = (village.hungry, village.rested);
    let [low, high] = [
        village.some(|index| index < 5),
        village.some(|index| index > 15),
    ];
    let population = &mut village.population;
    for _ in 0..2 {
        assert_eq!(population.conclude("hunger", hungry, &low), Ok(()));
        for second in ["famine", "hunger"] {
            let refused = population.conclude(second, hungry, &high);
            let error = RuleError::WrittenTwice {
                column: "hungry".to_owned(),
                first: "hunger",
                second,
            };
            assert_eq!(refused, Err(error.clone()));
            assert_eq!(
                error.to_string(),
                format!(
                    "rule \"{second}\" writes column `hungry`, which rule \"hunger\" has written since the last \
                     tick; a column has one rule: join the two with `or`, or give them a column each"
                )
            );
        }
        // Nothing has changed; and another column is another matter.
        assert_eq!(population.conclude("famine", rested, &high), Ok(()));
        let kept: Vec<ActorId> = population
            .actors_with(hungry)
            .expect("its own key")
            .actors()
            .collect();
        assert_eq!(kept, village.actors[..5]);
        population.tick(DT);
    }
    // A host is no rule.
    let actor = village.actors[0];
    assert_eq!(population.conclude("hunger", hungry, &high), Ok(()));
    assert_eq!(population.set(actor, hungry, true), Ok(()));
    assert_eq!(population.get(actor, hungry), Ok(true));
}

#[test]
fn what_is_not_its_own_is_refused() {
    let mut village = village(Way::all()[0], 20);
    let hungry = village.hungry;
    let all = village.some(|_| true);
    let mut other = Population::new(village.population.shape().clone());
    other.spawn_many(20).expect("memory");
    let population = &mut village.population;
    assert_eq!(population.conclude("hunger", hungry, &all), Ok(()));
    population.tick(DT);

    let mut foreign = PlaneSet::new();
    other.everyone().store(&mut foreign);
    let error = RuleError::OtherPopulation {
        tree: "villager".to_owned(),
    };
    assert_eq!(
        error.to_string(),
        "the set holds actors of another population than this one of tree \"villager\""
    );
    let refused = Err(error.clone());
    assert_eq!(population.conclude("hunger", hungry, &foreign), refused);
    let refused = Err(error);
    assert_eq!(population.load_set(&foreign), refused);
    assert_eq!(population.unload_set(&foreign), refused);
    assert_eq!(population.reset_set(&foreign), refused);
    assert_eq!(population.despawn_set(&foreign), refused);
    assert_eq!(population.len(), 20);
    assert_eq!(population.loaded().count(), 20);
    assert_eq!(population.those_in(&foreign).count(), 0);
    let hungry_ones = population.actors_with(hungry).expect("its own key");
    assert_eq!(hungry_ones.count(), 20);
    // A refusal is no rule: the column is free.
    assert_eq!(population.conclude("hunger", hungry, &all), Ok(()));

    // Into a set of another population goes who is put in, alone.
    let actor = village.actors[3];
    let refused = foreign.remove(population, ActorId::new(99, 0));
    assert_eq!(refused, Err(NoSuchActor(ActorId::new(99, 0))));
    assert_eq!(foreign.remove(population, actor), Ok(()));
    assert_eq!(foreign.count(), 20);
    let refused = foreign.insert(population, ActorId::new(99, 0));
    assert_eq!(refused, Err(NoSuchActor(ActorId::new(99, 0))));
    assert_eq!(other.those_in(&foreign).count(), 20);
    assert_eq!(foreign.insert(population, actor), Ok(()));
    let kept = population.those_in(&foreign);
    assert_eq!(kept.actors().collect::<Vec<_>>(), [actor]);
    assert!(other.those_in(&foreign).is_empty());

    // Keys.
    let flag = Tree::build("other").column("flag", false).root(idle());
    let other = Population::new(compile(&flag).expect("compiles"));
    let flag: ColumnKey<bool> = other.column("flag").expect("declared");
    let error = RuleError::Access(AccessError::ForeignKey(flag.index()));
    assert_eq!(
        error.to_string(),
        "the key of column 0 is of a shape with other columns"
    );
    population.tick(DT);
    assert_eq!(population.conclude("hunger", flag, &all), Err(error));
    let with = population.actors_with(flag).err();
    assert_eq!(with, Some(AccessError::ForeignKey(flag.index())));
    let wrong = population
        .column::<bool>("food")
        .map_err(|error| error.to_string());
    let text = "`food` is a i32, asked for as bool";
    assert_eq!(wrong.err().as_deref(), Some(text));
}

/// Those who are gone are passed over in a set, and refused one by one.
#[test]
fn sets_pass_over_who_is_gone() {
    let mut village = village(Way::all()[0], 600);
    let hungry = village.hungry;
    let all = village.some(|_| true);
    let gone = village.some(|index| index < 90);
    let population = &mut village.population;
    population.tick(DT);
    assert_eq!(population.despawn_set(&gone), Ok(90));
    assert_eq!(population.despawn_set(&gone), Ok(0));
    assert_eq!(population.len(), 510);
    let actor = village.actors[0];
    for refused in [
        population.load(actor),
        population.unload(actor),
        population.reset(actor),
        population.despawn(actor),
    ] {
        assert_eq!(refused, Err(NoSuchActor(actor)));
    }
    let text = "there is no actor 0: it never was, or is despawned";
    assert_eq!(NoSuchActor(actor).to_string(), text);
    assert_eq!(population.load_set(&all), Ok(0));
    assert_eq!(population.unload_set(&all), Ok(510));
    assert_eq!(population.unload_set(&all), Ok(0));
    assert_eq!(population.load_set(&all), Ok(510));
    assert_eq!(population.reset_set(&all), Ok(510));
    let empty = PlaneSet::new();
    assert_eq!(population.reset_set(&empty), Ok(0));

    // Of a set with bits of places that are empty, nobody inherits anything.
    assert_eq!(population.conclude("hunger", hungry, &all), Ok(()));
    let hungry_ones = population.actors_with(hungry).expect("its own key");
    assert_eq!(hungry_ones.count(), 510);
    population.tick(DT);
    population.tick(DT);
    let born = population.spawn().expect("memory");
    assert_eq!(born, ActorId::new(0, 1));
    assert_eq!(population.get(born, hungry), Ok(false));
    assert!(!population.is_alive(actor));
    assert!(!population.everyone().contains(actor));
    assert!(population.everyone().contains(born));
    // The first set knows places: it is no longer of the same time.
    assert!(population.those_in(&all).contains(born));
}

/// Who was despawned is aborted under the old id behind the next tick, and in no other set; and then nowhere.
#[test]
fn the_aborted_are_told_of_under_their_old_ids() {
    for way in Way::all() {
        let mut village = village(way, 20);
        let rest = village.population.watch("rest").expect("there is one");
        let population = &mut village.population;
        population.tick(DT);
        let gone = village.actors[7];
        assert_eq!(population.despawn(gone), Ok(()));
        let table = population.table(rest).expect("watched");
        assert!(!table.active().contains(gone), "{way:?}");
        assert_eq!(table.active().count(), 19, "{way:?}");
        for (aborted, _) in [(true, 1), (false, 2)] {
            population.tick(DT);
            let table = population.table(rest).expect("watched");
            let found: Vec<ActorId> = table.aborted().actors().collect();
            let expected = if aborted { vec![gone] } else { vec![] };
            assert_eq!(found, expected, "{way:?}");
            assert_eq!(table.aborted().contains(gone), aborted, "{way:?}");
            assert!(!table.active().or(table.ended()).contains(gone), "{way:?}");
            // Kept, it is nobody who lives.
            let mut kept = PlaneSet::new();
            table.aborted().store(&mut kept);
            assert!(population.those_in(&kept).is_empty(), "{way:?}");
        }
        let born = population.spawn().expect("memory");
        assert_eq!(born, ActorId::new(7, 1), "{way:?}");
        population.tick(DT);
        let table = population.table(rest).expect("watched");
        assert!(table.started().contains(born), "{way:?}");
        assert!(!table.active().contains(gone), "{way:?}");
    }
}
