//! Shapes that are run by every kernel.

use std::time::Duration;

use pleach_shape::{ColumnIndex, FunctionIndex, FunctionKind, Shape, SlotIndex, Status, Value};
use pleach_vm::{Call, CanonicalRecord, Kernel, Outcome, Population, RequestKind};

const ACTORS: usize = 3;
const TICKS: u64 = 5;

/// Larger ones take too long, or too much memory, to be tried thousands of times.
const MAX_TOKENS: usize = 4_000;
const MAX_BYTES_PER_ACTOR: u64 = 4_000;

/// What can be seen of an actor after a tick.
#[derive(PartialEq, Debug)]
struct Seen {
    root: Option<Status>,
    state: Vec<CanonicalRecord>,
    /// As bits, so that a NaN is what it is.
    columns: Vec<u64>,
    requests: Vec<(RequestKind, u32)>,
}

/// A number for a seed and a place.
fn draw(place: [u64; 4]) -> u64 {
    place.iter().fold(0x9e37_79b9_7f4a_7c15, |state, part| {
        let mixed = (state ^ part).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 29).wrapping_mul(0x94d0_49bb_1331_11eb) ^ mixed >> 31
    })
}

/// A value of the same type, with those that are hard to compute with.
fn another(value: Value, bits: u64) -> Value {
    const FLOATS: [f32; 8] = [
        0.0,
        -0.0,
        1.0,
        0.29,
        -7.5,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ];
    const INTS: [i32; 6] = [0, 1, -1, 7, i32::MAX, i32::MIN];
    match value {
        Value::Bool(_) => Value::Bool(bits & 1 == 0),
        Value::U8(_) => Value::U8((bits % 4) as u8),
        Value::U16(_) => Value::U16((bits % 4 * 21_845) as u16),
        Value::I32(_) => Value::I32(INTS[bits as usize % INTS.len()]),
        Value::F32(_) => Value::F32(FLOATS[bits as usize % FLOATS.len()]),
        Value::U64(_) => Value::U64(bits % 3),
    }
}

fn bits(value: Value) -> u64 {
    match value {
        Value::Bool(value) => value.into(),
        Value::U8(value) => value.into(),
        Value::U16(value) => value.into(),
        Value::I32(value) => value as u32 as u64,
        // Which NaN an operation gives is the processor's affair.
        Value::F32(value) if value.is_nan() => u64::MAX,
        Value::F32(value) => value.to_bits().into(),
        Value::U64(value) => value,
    }
}

fn status(bits: u64) -> Status {
    match bits % 3 {
        0 => Status::Success,
        1 => Status::Failure,
        _ => Status::Running,
    }
}

/// What a function of the host answers.
fn answer(function: u64, call: &Call<'_>) -> u64 {
    let actor = call.actor().index();
    draw([function, actor.into(), call.tick(), call.node().0.into()])
}

/// Runs three actors for five ticks on every kernel, and on kernels that take turns. All must do the same.
///
/// # Panics
/// If they do not.
pub fn play(shape: &Shape) {
    let needs = shape.requirements();
    let bytes = needs.column_bytes_per_actor + needs.state_bytes_per_actor;
    if shape.len() > MAX_TOKENS || bytes + needs.output_bytes_per_actor > MAX_BYTES_PER_ACTOR {
        return;
    }
    let expected = run(shape, Kernel::ALL[0], false);
    for &kernel in &Kernel::ALL[1..] {
        assert_eq!(run(shape, kernel, false), expected, "{}", kernel.name());
    }
    assert_eq!(run(shape, Kernel::ALL[0], true), expected, "taking turns");
}

fn run(shape: &Shape, kernel: Kernel, turns: bool) -> Vec<Seen> {
    let mut population = Population::new(shape.clone())
        .with_kernel(kernel)
        .with_seed(5);
    for (index, function) in (0u64..).zip(&shape.tables().functions) {
        if shape.is_inner_function(index as u32) {
            continue;
        }
        let name = shape.function_name(FunctionIndex::from(index as usize));
        let known = match function.kind() {
            Some(FunctionKind::Task) => {
                population.on_task(name, move |call: &mut Call<'_>| status(answer(index, call)))
            }
            _ => population.on_query(name, move |call| answer(index, call) & 1 == 0),
        };
        known.expect("the shape names it");
    }
    let actors = population.spawn_many(ACTORS).expect("memory");
    let mut seen = Vec::new();
    for tick in 0..TICKS {
        for (id, &actor) in (0u64..).zip(&actors) {
            for slot in 0..needs_of(shape).0 {
                let chance = draw([1, id, tick, slot.into()]);
                let outcome = match chance & 1 {
                    0 => Outcome::Success,
                    _ => Outcome::Failure,
                };
                if chance & 6 != 0 {
                    // Refused where nobody asked for one.
                    let _ = population.set_result(actor, SlotIndex(slot), outcome);
                }
            }
            for slot in 0..needs_of(shape).1 {
                let answer = status(draw([2, id, tick, slot.into()]));
                population
                    .set_persistent(actor, SlotIndex(slot), answer)
                    .expect("it lives");
            }
            for column in 0..shape.own_columns() {
                let chance = draw([3, id, tick, column as u64]);
                let column = ColumnIndex::from(column);
                let value = population.value(actor, column).expect("declared");
                if chance & 1 == 0 {
                    let value = another(value, chance >> 8);
                    population
                        .set_value(actor, column, value)
                        .expect("declared");
                }
            }
        }
        if turns {
            population.set_kernel(Kernel::ALL[tick as usize % Kernel::ALL.len()]);
        }
        let dt = Duration::from_micros([16_000, 0, 1_000_000, 1, 3_000_000_000][tick as usize % 5]);
        population.tick(dt);
        let mut requests = vec![Vec::new(); ACTORS];
        for batch in population.requests().batches() {
            for request in batch.iter() {
                requests[request.actor.index() as usize].push((request.kind, request.slot.0));
            }
        }
        for (&actor, requests) in actors.iter().zip(requests) {
            let columns = (0..shape.tables().columns.len()).map(ColumnIndex::from);
            seen.push(Seen {
                root: population.status(actor).expect("it lives"),
                state: population.state(actor).expect("it lives"),
                columns: columns
                    .map(|column| bits(population.value(actor, column).expect("declared")))
                    .collect(),
                requests,
            });
        }
    }
    seen
}

/// How many deferred and persistent slots there are.
fn needs_of(shape: &Shape) -> (u32, u32) {
    let needs = shape.requirements();
    (needs.deferred_slots, needs.persistent_slots)
}
