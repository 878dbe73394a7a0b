//! L7: what is written in the middle of a tick is seen by what follows, for who wrote it and nobody else.

use pleach_shape::Status;
use pleach_tree::{
    NodeDef, Tree, compile, condition, query, selector, sequence, set, succeeder, task,
};
use pleach_vm::{ActorId, Answers, Batch, Call, ColumnKey, Plane, Population, Task};

use crate::crowd::{DT, Way, ways};

/// Who writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Writer {
    Set,
    Task,
    TaskBatch,
    Query,
    QueryBatch,
}

const WRITERS: [Writer; 5] = [
    Writer::Set,
    Writer::Task,
    Writer::TaskBatch,
    Writer::Query,
    Writer::QueryBatch,
];

/// What is asked before and behind: comparisons, truth values, general expressions.
const PREDICATES: [&str; 7] = [
    "count > 0",
    "count != 0",
    "count * 2 > 1",
    "level > 0.5",
    "level + level > 1.0",
    "seen",
    "seen or count > 5",
];

/// Turns the columns that the predicates read from 0 to 1 and back.
#[derive(Clone, Copy)]
struct Turn {
    count: ColumnKey<i32>,
    level: ColumnKey<f32>,
    seen: ColumnKey<bool>,
    /// Whether it writes whole columns in a call.
    at_once: bool,
}

impl Turn {
    fn one(&self, call: &mut Call<'_>) {
        let count = call.get(self.count).expect("its key");
        let level = call.get(self.level).expect("its key");
        let seen = call.get(self.seen).expect("its key");
        call.set(self.count, 1 - count);
        call.set(self.level, 1.0 - level);
        call.set(self.seen, !seen);
    }

    fn all(&self, batch: &mut Batch<'_>) -> Plane {
        let lanes = batch.lanes();
        let counts = batch.values_mut(self.count).expect("its key");
        for lane in lanes.lanes() {
            counts[lane] = 1 - counts[lane];
        }
        let levels = batch.values_mut(self.level).expect("its key");
        for lane in lanes.lanes() {
            levels[lane] = 1.0 - levels[lane];
        }
        *batch.plane_mut(self.seen).expect("its key") ^= lanes;
        lanes
    }
}

impl Task for Turn {
    fn run(&self, call: &mut Call<'_>) -> Status {
        self.one(call);
        Status::Success
    }

    fn run_batch(&self, batch: &mut Batch<'_>) -> Answers {
        if !self.at_once {
            return batch.each(|call| self.run(call));
        }
        Answers {
            success: self.all(batch),
            ..Answers::default()
        }
    }
}

/// Asks, lets those behind the gate write, and asks again.
fn tree(predicate: &str, writer: Writer) -> Tree {
    let write = match writer {
        Writer::Set => sequence([
            set("count", "1 - count"),
            set("level", "1.0 - level"),
            set("seen", "not seen"),
        ]),
        Writer::Task | Writer::TaskBatch => task("turn"),
        Writer::Query | Writer::QueryBatch => query("turn"),
    };
    let ask = |yes: &str, no: &str| -> NodeDef {
        let holds = sequence([condition(predicate), set(yes, "true")]);
        selector([holds, set(no, "true")])
    };
    let gated = [true, false].map(|twice| {
        // Some write twice, which is as if they had not.
        let gate = condition(if twice { "gate and twice" } else { "gate" });
        succeeder(sequence([gate, write.clone()]))
    });
    let [first, second] = gated;
    Tree::build("writes")
        .column("gate", false)
        .column("twice", false)
        .column("seen", false)
        .column("yes", false)
        .column("no", false)
        .column("yes_behind", false)
        .column("no_behind", false)
        .column("count", 0_i32)
        .column("level", 0.0_f32)
        .root(sequence([
            ask("yes", "no"),
            first,
            second,
            ask("yes_behind", "no_behind"),
        ]))
}

fn crowd(predicate: &str, writer: Writer, way: Way) -> (Population, Turn) {
    let shape = compile(&tree(predicate, writer)).expect("compiles");
    let mut population = way.population(shape);
    let turn = Turn {
        count: population.column("count").expect("declared"),
        level: population.column("level").expect("declared"),
        seen: population.column("seen").expect("declared"),
        at_once: matches!(writer, Writer::TaskBatch | Writer::QueryBatch),
    };
    match writer {
        Writer::Set => Ok(()),
        Writer::Task | Writer::TaskBatch => population.on_task("turn", turn),
        Writer::Query => population.on_query("turn", move |call| {
            turn.one(call);
            true
        }),
        Writer::QueryBatch => population.on_query_batch("turn", move |batch| turn.all(batch)),
    }
    .expect("the tree does");
    (population, turn)
}

fn bools(population: &Population, names: [&str; 4]) -> [ColumnKey<bool>; 4] {
    names.map(|name| population.column(name).expect("declared"))
}

fn writes_are_seen(predicate: &str, writer: Writer, way: Way, actors: usize) {
    let (mut population, turn) = crowd(predicate, writer, way);
    let actors: Vec<ActorId> = population.spawn_many(actors).expect("memory");
    let answers = bools(&population, ["yes", "no", "yes_behind", "no_behind"]);
    let [gate, twice, ..] = bools(&population, ["gate", "twice", "yes", "no"]);
    for tick in 0..3usize {
        let begins = tick % 2 == 1;
        let writes = |place: usize| (place + tick).is_multiple_of(3);
        let writes_twice = |place: usize| (place + tick).is_multiple_of(9);
        for (place, &actor) in actors.iter().enumerate() {
            for answer in answers {
                population.set(actor, answer, false).expect("its key");
            }
            let flags = [
                (gate, writes(place)),
                (twice, writes_twice(place)),
                (turn.seen, begins),
            ];
            for (key, value) in flags {
                population.set(actor, key, value).expect("its key");
            }
            let count = i32::from(begins);
            population.set(actor, turn.count, count).expect("its key");
            let level = f32::from(u8::from(begins));
            population.set(actor, turn.level, level).expect("its key");
        }
        population.tick(DT);
        for (place, &actor) in actors.iter().enumerate() {
            let value = |key| population.get(actor, key).expect("its key");
            let behind = begins != (writes(place) && !writes_twice(place));
            let expected = [begins, !begins, behind, !behind];
            let tell = format!("{way:?}: {predicate}, {writer:?}, tick {tick}, place {place}");
            assert_eq!(answers.map(value), expected, "{tell} of {}", actors.len());
        }
    }
}

#[test]
fn what_is_written_in_the_middle_of_a_tick_is_seen_behind_it() {
    for way in ways() {
        for predicate in PREDICATES {
            for writer in WRITERS {
                // Few are judged one by one, many all at once.
                for actors in [3, 100] {
                    writes_are_seen(predicate, writer, way, actors);
                }
            }
        }
    }
}
