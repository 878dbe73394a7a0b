//! What the tests of lanes share: ways to run a population, and a look at one actor.

use std::time::Duration;

use pleach_shape::{ColumnIndex, Shape, Status};
use pleach_tests::observation::Row;
use pleach_tree::{NodeDef, Tree, compile};
use pleach_vm::{ActorId, CanonicalRecord, Kernel, Population, RequestKind, Simd};

/// The time of a tick where nothing depends on it.
pub(crate) const DT: Duration = Duration::from_micros(10);

/// How a population is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    pub(crate) kernel: Kernel,
    pub(crate) simd: Simd,
    /// Whether another kernel takes over every few ticks.
    pub(crate) changes: bool,
}

impl Way {
    pub(crate) fn of(kernel: Kernel) -> Way {
        Way {
            kernel,
            simd: Simd::detected(),
            changes: false,
        }
    }

    pub(crate) fn population(self, shape: Shape) -> Population {
        let mut population = Population::new(shape).with_kernel(self.kernel);
        population.set_simd(self.simd);
        population
    }

    /// Readies a population for its tick of that number.
    pub(crate) fn prepare(self, population: &mut Population, tick: u64) {
        if self.changes && tick % 2 == 1 {
            let turn = (tick / 2 * 5 % 7) as usize;
            population.set_kernel(Kernel::CHOICES[turn % Kernel::CHOICES.len()]);
        }
    }
}

/// Every kernel, lanes in each form that the machine has, and kernels that take turns.
pub(crate) fn ways() -> Vec<Way> {
    let mut ways: Vec<Way> = Kernel::CHOICES.map(Way::of).into();
    let forms = Simd::ALL.into_iter().filter(|simd| simd.is_available());
    ways.extend(forms.map(|simd| Way {
        simd,
        ..Way::of(Kernel::Lanes)
    }));
    ways.push(Way {
        changes: true,
        ..Way::of(Kernel::Lanes)
    });
    ways
}

/// A population of a tree over `flag`, `count` and `level`, as the directed tests want it.
pub(crate) fn population(root: NodeDef, way: Way) -> Population {
    way.population(compile(&small(root)).expect("the trees here compile"))
}

pub(crate) fn small(root: NodeDef) -> Tree {
    Tree::build("lanes")
        .column("flag", false)
        .column("count", 0_i32)
        .column("level", 0.0_f32)
        .root(root)
}

/// What can be seen of an actor behind a tick.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Glance {
    pub(crate) status: Option<Status>,
    pub(crate) state: Vec<CanonicalRecord>,
    pub(crate) columns: Row,
    pub(crate) requests: Vec<(u32, RequestKind)>,
}

/// Looks at the actors, all of them with one reading of the requests.
pub(crate) fn glances(population: &Population, actors: &[ActorId]) -> Vec<Glance> {
    let most = actors.iter().map(|actor| actor.index() as usize + 1).max();
    let mut requests = vec![Vec::new(); most.unwrap_or(0)];
    for request in population.requests().iter() {
        if let Some(of_place) = requests.get_mut(request.actor.index() as usize) {
            of_place.push((request.actor, request.slot.0, request.kind));
        }
    }
    let columns = population.shape().tables().columns.len();
    let glance = |&actor: &ActorId| {
        let value = |column| population.value(actor, ColumnIndex::from(column));
        let own = requests[actor.index() as usize].iter();
        Glance {
            status: population.status(actor).expect("it lives"),
            state: population.state(actor).expect("it lives"),
            columns: Row((0..columns)
                .map(|column| value(column).expect("it lives"))
                .collect()),
            requests: own
                .filter(|(requester, ..)| *requester == actor)
                .map(|&(_, slot, kind)| (slot, kind))
                .collect(),
        }
    };
    actors.iter().map(glance).collect()
}

/// The statuses of the actors.
pub(crate) fn statuses(population: &Population, actors: &[ActorId]) -> Vec<Option<Status>> {
    let status = |&actor| population.status(actor).expect("it lives");
    actors.iter().map(status).collect()
}

/// All requests of the last tick: action, place, kind.
pub(crate) fn wanted(population: &Population) -> Vec<(String, u32, RequestKind)> {
    let batches = population.requests().batches();
    batches
        .flat_map(|batch| {
            batch
                .iter()
                .map(move |request| (batch.name().to_owned(), request.actor.index(), request.kind))
        })
        .collect()
}
