//! Several populations in one world, and the five phases of a step.

use std::time::Duration;

use pleach_tree::{
    Tree, action, compile, condition, persistent_action, reactive_selector, reactive_sequence,
};
use pleach_vm::{
    Outcome, Population, Requests, ResultRecord, Status, Systems, Value, World, WorldError,
};

const DT: Duration = Duration::from_millis(20);

fn watchers(name: &str, test: &str, level: impl Into<Value>) -> Population {
    let tree = Tree::build(name)
        .world("alarm", false)
        .world("level", level)
        .root(reactive_selector([
            reactive_sequence([condition(test), action("answer")]),
            action("rest"),
        ]));
    Population::new(compile(&tree).expect("compiles"))
}

fn answering(population: &Population) -> usize {
    let answer = population
        .shape()
        .action("answer")
        .expect("the tree has it");
    population.requests().of(answer).iter().count()
}

#[test]
fn populations_share_values_and_tick_together() {
    let mut world = World::new();
    world.declare("level", 4).unwrap();
    let guards = world.add(watchers("guards", "alarm", 0)).unwrap();
    let clerks = world
        .add(watchers("clerks", "alarm and level > 3", 9))
        .unwrap();
    world[guards].spawn_many(600).unwrap();
    world[clerks].spawn_many(700).unwrap();
    // What the world has goes before a tree's default.
    assert_eq!(world.get("level"), Some(Value::I32(4)));

    world.tick(DT);
    assert_eq!(
        [answering(&world[guards]), answering(&world[clerks])],
        [0, 0]
    );
    world.set("alarm", true).unwrap();
    world.tick(DT);
    assert_eq!(
        [answering(&world[guards]), answering(&world[clerks])],
        [600, 700]
    );
    world.set("level", 3).unwrap();
    world.tick(DT);
    // The answers that were given up are requests too: cancels.
    assert_eq!(
        [answering(&world[guards]), answering(&world[clerks])],
        [600, 700]
    );
    let cancelled = world[clerks].report().counts.cancels;
    assert_eq!(cancelled, 700, "the answer was given up");
    assert_eq!(world[guards].report().tick, 3);
}

#[test]
fn values_that_do_not_fit_are_errors_and_change_nothing() {
    let mut world = World::new();
    let guards = world.add(watchers("guards", "alarm", 5)).unwrap();
    let error = world.add(watchers("odd", "alarm", 0.5_f32)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "world value `level` is a i32, found a f32"
    );
    assert!(matches!(
        world.set("alarm", 1),
        Err(WorldError::WrongType { .. })
    ));
    assert_eq!(
        world.set("alram", true).unwrap_err().to_string(),
        "there is no world value `alram`; declared are alarm, level"
    );
    assert_eq!(world.get("alarm"), Some(Value::Bool(false)));
    assert_eq!(
        world.populations().map(|(id, _)| id).collect::<Vec<_>>(),
        [guards]
    );
}

/// A population may be replaced in place, behind the back of the check in `add`.
#[test]
fn a_replaced_population_never_gets_bits_of_another_type() {
    let mut world = World::new();
    world.declare("alarm", 4_u64).unwrap();
    let tree = |test: &str, alarm: Value| {
        let tree = Tree::build("t").world("alarm", alarm).root(condition(test));
        Population::new(compile(&tree).expect("compiles"))
    };
    let id = world.add(tree("alarm == 4", Value::U64(0))).unwrap();
    for (test, status) in [("alarm", Status::Failure), ("not alarm", Status::Success)] {
        world[id] = tree(test, Value::Bool(false));
        let actor = world[id].spawn().unwrap();
        world.tick(DT);
        assert_eq!(world[id].status(actor), Ok(Some(status)), "{test}");
    }
}

/// Senses, works, and notes in which order it was asked.
#[derive(Default)]
struct Village {
    phases: Vec<&'static str>,
    done: Vec<ResultRecord>,
}

impl Systems for Village {
    fn run_persistent(&mut self, population: &mut Population) {
        self.phases.push("persistent");
        let slot = population
            .persistent_slots("look")
            .next()
            .expect("the tree has it");
        let actors: Vec<_> = population.actors().collect();
        for actor in actors {
            population
                .set_persistent(actor, slot, Status::Success)
                .expect("it lives");
        }
    }

    fn deliver_results(&mut self, population: &mut Population) {
        self.phases.push("results");
        let delivery = population.deliver(self.done.drain(..));
        assert_eq!(delivery.refused, 0);
    }

    fn execute(&mut self, requests: Requests<'_>) {
        self.phases.push("execute");
        self.done
            .extend(requests.iter().map(|request| ResultRecord {
                actor: request.actor,
                slot: request.slot,
                outcome: Outcome::Success,
            }));
    }
}

#[test]
fn a_step_has_five_phases() {
    let tree = Tree::build("t").root(reactive_sequence([
        persistent_action("look"),
        action("work"),
    ]));
    let mut population = Population::new(compile(&tree).expect("compiles"));
    population.spawn_many(3).unwrap();
    let mut village = Village::default();
    assert_eq!(population.step(&mut village, DT).counts.launches, 3);
    assert_eq!(population.step(&mut village, DT).counts.succeeded, 3);
    assert_eq!(
        village.phases,
        [
            "persistent",
            "results",
            "execute",
            "persistent",
            "results",
            "execute"
        ]
    );
}
