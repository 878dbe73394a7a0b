//! Tree files that others wrote, run by every kernel: 1,000 actors for 200 ticks, with results, columns and
//! answers of the host drawn by number. The corpus stands beside the repository, and where it is not
//! there, nothing is run. (`crates/pleach-text/tests/btcpp/` reads, writes and breaks the same files.)

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Duration;

use pleach_shape::{FunctionIndex, FunctionKind, Shape, Value};
use pleach_tests::generate::draw;
use pleach_text::btcpp::Options;
use pleach_text::{FilePlace, LoadError, check_with_options, relative};
use pleach_vm::{ActorId, Call, Kernel, Outcome, Population, RequestKind, Status};

const ACTORS: usize = 1_000;
const TICKS: u64 = 200;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The shapes of all trees of all files that can be read, each with a name for messages.
fn shapes() -> Vec<(String, Shape)> {
    let folder = repository().join("../shared/corpus");
    let Ok(index) = std::fs::read_to_string(folder.join("index.tsv")) else {
        return Vec::new();
    };
    let parents = repository().join("crates/pleach-text/tests/btcpp/parents.kdl");
    let parents = std::fs::read_to_string(parents).expect("the parents of the corpus are declared");
    let options = Options::new()
        .with_parents("parents.kdl", &parents)
        .expect("the declarations are right")
        .with_package("cabot_bt", "/cabot_bt")
        .with_missing_trees_as_actions();
    let mut texts: HashMap<(&str, &str), String> = HashMap::new();
    let mut files = Vec::new();
    for row in index.lines().skip(1) {
        let mut cells = row.split('\t');
        let mut next = || cells.next().unwrap_or("");
        let (name, repository, path) = (next(), next(), next());
        let text = std::fs::read_to_string(folder.join("btcpp_xml").join(name)).expect("a file");
        texts.insert((repository, path), text.clone());
        files.push((name, repository, path, text));
    }
    let mut shapes = Vec::new();
    for (name, repository, path, text) in &files {
        let mut loader = |path: &str| {
            let text = texts.get(&(*repository, path.trim_start_matches('/')));
            text.cloned()
                .ok_or_else(|| LoadError::new("there is no such file"))
        };
        let place = FilePlace::new(relative(path, ""));
        let Ok((trees, _)) = check_with_options(&place, text, &mut loader, &options) else {
            continue;
        };
        let runs = trees.into_iter().filter(|tree| tree.runs);
        shapes.extend(runs.map(|tree| {
            let name = format!("{name}, tree {}", tree.shape.tree_name());
            (name, tree.shape)
        }));
    }
    shapes
}

/// A small value of a type, drawn.
fn value(like: Value, bits: u64) -> Value {
    match like {
        Value::Bool(_) => Value::Bool(bits & 1 == 1),
        Value::U8(_) => Value::U8((bits % 4) as u8),
        Value::U16(_) => Value::U16((bits % 9) as u16),
        Value::I32(_) => Value::I32((bits % 9) as i32 - 3),
        Value::F32(_) => Value::F32((bits % 100) as f32 / 10.0),
        Value::U64(_) => Value::U64(bits % 9),
    }
}

/// What happens to a population, as a number: requests, root statuses and columns of all ticks.
fn play(shape: &Shape, kernel: Kernel) -> u64 {
    let mut population = Population::new(shape.clone())
        .with_kernel(kernel)
        .with_seed(7);
    for (index, function) in shape.tables().functions.iter().enumerate() {
        if shape.is_inner_function(index as u32) {
            continue;
        }
        let name = shape.function_name(FunctionIndex::from(index));
        let answer = move |actor: u32, node: u32, tick: u64| {
            draw(3, &[actor.into(), node.into(), tick]) & 1 == 1
        };
        match function.kind() {
            Some(FunctionKind::Query) => population.on_query(name, move |call| {
                answer(call.actor().index(), call.node().0, call.tick())
            }),
            Some(FunctionKind::Task) => population.on_task(name, move |call: &mut Call<'_>| {
                match answer(call.actor().index(), call.node().0, call.tick()) {
                    true => Status::Success,
                    false => Status::Failure,
                }
            }),
            other => panic!("{name}: {other:?}"),
        }
        .expect("the tree calls it");
    }
    let actors: Vec<ActorId> = population.spawn_many(ACTORS).expect("memory");
    let columns = shape.own_columns();
    let mut hasher = DefaultHasher::new();
    let mut results: Vec<(ActorId, pleach_shape::SlotIndex, Outcome)> = Vec::new();
    for tick in 0..TICKS {
        for (actor, slot, outcome) in results.drain(..) {
            population
                .set_result(actor, slot, outcome)
                .expect("it is outstanding");
        }
        for column in 0..columns {
            // A few actors see another value in each tick.
            let first = (draw(11, &[tick, column as u64]) % 50) as usize;
            for actor in actors.iter().skip(first).step_by(50) {
                let column = pleach_shape::ColumnIndex::from(column);
                let old = population.value(*actor, column).expect("declared");
                let bits = draw(12, &[tick, column.0.into(), actor.index().into()]);
                population
                    .set_value(*actor, column, value(old, bits))
                    .expect("of its type");
            }
        }
        population.tick(Duration::from_millis(50 + draw(13, &[tick]) % 400));
        for batch in population.requests().batches() {
            batch.action().hash(&mut hasher);
            for request in batch.iter() {
                let kind = request.kind as u8;
                (request.actor.index(), request.slot.0, kind).hash(&mut hasher);
                if request.kind == RequestKind::Cancel {
                    continue;
                }
                let key = [tick, request.actor.index().into(), request.slot.0.into()];
                let outcome = match draw(14, &key) % 8 {
                    0..3 => Outcome::Success,
                    3 => Outcome::Failure,
                    _ => continue,
                };
                results.push((request.actor, request.slot, outcome));
            }
        }
        for &actor in &actors {
            let status = population.status(actor).expect("it lives");
            status.map(|status| status as u8).hash(&mut hasher);
        }
    }
    for &actor in &actors {
        for column in 0..columns {
            let column = pleach_shape::ColumnIndex::from(column);
            let value = population.value(actor, column).expect("declared");
            value.to_bits().hash(&mut hasher);
        }
    }
    hasher.finish()
}

#[test]
fn every_kernel_does_the_same_with_every_tree_of_others() {
    let shapes = shapes();
    for (name, shape) in &shapes {
        let found = Kernel::ALL.map(|kernel| play(shape, kernel));
        let same = found.iter().all(|hash| *hash == found[0]);
        assert!(same, "{name}: {:?}, {found:?}", Kernel::ALL);
    }
    println!("{} trees", shapes.len());
}
