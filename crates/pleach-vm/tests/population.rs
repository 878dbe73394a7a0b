//! The life of actors, results and requests, as a host sees it.

use pleach_shape::{ColumnIndex, SlotIndex};
use pleach_tree::{
    Tree, action, concurrent, condition, persistent_action, reactive_selector, reactive_sequence,
    sequence, wait,
};
use pleach_vm::{
    AccessError, ActorId, Kernel, Outcome, Plane, Population, RequestKind, ResultError,
    ResultRecord, Status, Value,
};

mod crowd;

use crowd::{DT, population, requests};

#[test]
fn launch_continue_result_and_cancel() {
    for kernel in Kernel::ALL {
        let tree = Tree::build("t")
            .column("danger", false)
            .root(reactive_selector([
                reactive_sequence([condition("danger"), action("flee")]),
                action("work"),
            ]));
        let mut population = population(tree, kernel);
        let danger = population.column::<bool>("danger").unwrap();
        let ann = population.spawn().unwrap();
        let work = population.slots("work")[0];

        population.tick(DT);
        assert_eq!(
            requests(&population),
            [("work".into(), ann, RequestKind::Launch)]
        );
        population.tick(DT);
        assert_eq!(
            requests(&population),
            [("work".into(), ann, RequestKind::Continue)]
        );
        // L2: the tree goes another way: exactly one Cancel.
        population.set(ann, danger, true).unwrap();
        population.tick(DT);
        assert_eq!(
            requests(&population),
            [
                ("flee".into(), ann, RequestKind::Launch),
                ("work".into(), ann, RequestKind::Cancel)
            ]
        );
        population.tick(DT);
        assert_eq!(
            requests(&population),
            [("flee".into(), ann, RequestKind::Continue)]
        );
        // The work was cancelled: a late result is refused.
        assert_eq!(
            population.set_result(ann, work, Outcome::Success),
            Err(ResultError::NotOutstanding(ann, work))
        );
        // L2: a result that is not visited in the next tick is dropped, without a Cancel.
        let flee = population.slots("flee")[0];
        population.set(ann, danger, false).unwrap();
        population.set_result(ann, flee, Outcome::Success).unwrap();
        assert_eq!(
            population.set_result(ann, flee, Outcome::Failure),
            Err(ResultError::AlreadyAnswered(ann, flee))
        );
        population.tick(DT);
        assert_eq!(
            requests(&population),
            [("work".into(), ann, RequestKind::Launch)]
        );
        assert_eq!(population.report().counts.results_dropped, 1);
        population
            .set_result(ann, work, Outcome::Error(77))
            .unwrap();
        population.tick(DT);
        // L5: an error is a Failure, and listed.
        assert_eq!(population.status(ann), Ok(Some(Status::Failure)));
        let errors = &population.report().errors;
        assert_eq!(
            (errors.len(), errors[0].code, errors[0].actor),
            (1, 77, ann)
        );
        population.tick(DT);
        assert!(population.report().errors.is_empty());
    }
}

#[test]
fn a_launch_that_is_halted_in_its_own_tick_never_was() {
    for kernel in Kernel::ALL {
        let tree = Tree::build("t")
            .column("fails", true)
            .root(concurrent([action("a"), condition("not fails")]));
        let mut population = population(tree, kernel);
        let ann = population.spawn().unwrap();
        population.tick(DT);
        assert_eq!(requests(&population), []);
        assert_eq!(population.status(ann), Ok(Some(Status::Failure)));
    }
}

#[test]
fn despawned_actors_are_cancelled_under_their_old_id_and_never_mistaken() {
    let mut population = population(Tree::build("t").root(action("a")), Kernel::default());
    let slot = SlotIndex(0);
    let ann = population.spawn().unwrap();
    population.tick(DT);
    population.despawn(ann).unwrap();
    assert!(!population.is_alive(ann));
    assert!(population.despawn(ann).is_err() && population.load(ann).is_err());
    assert_eq!(
        population.set_result(ann, slot, Outcome::Success),
        Err(ResultError::NoSuchActor(ann))
    );
    // The place is not given out while its Cancel is still to come, nor while it can be read.
    let bob = population.spawn().unwrap();
    assert_ne!(bob.index(), ann.index());
    population.tick(DT);
    assert_eq!(
        requests(&population),
        [
            ("a".into(), ann, RequestKind::Cancel),
            ("a".into(), bob, RequestKind::Launch)
        ]
    );
    let cid = population.spawn().unwrap();
    assert_ne!(cid.index(), ann.index());
    population.tick(DT);
    let dan = population.spawn().unwrap();
    assert_eq!((dan.index(), dan.generation()), (ann.index(), 1));
    assert!(!population.is_alive(ann) && population.is_alive(dan));
    population.tick(DT);
    assert_eq!(
        population.set_result(ann, slot, Outcome::Success),
        Err(ResultError::NoSuchActor(ann))
    );
    assert_eq!(population.set_result(dan, slot, Outcome::Success), Ok(()));
    assert_eq!(population.len(), 3);
    assert_eq!(population.actors().collect::<Vec<_>>(), [dan, bob, cid]);
}

#[test]
fn unload_load_and_reset() {
    for kernel in Kernel::ALL {
        let tree = Tree::build("t").root(sequence([wait(DT), action("a")]));
        let mut population = population(tree, kernel);
        let ann = population.spawn().unwrap();
        population.tick(DT);
        population.tick(DT);
        assert_eq!(
            requests(&population),
            [("a".into(), ann, RequestKind::Launch)]
        );
        population.unload(ann).unwrap();
        population.tick(DT);
        assert_eq!(
            requests(&population),
            [("a".into(), ann, RequestKind::Cancel)]
        );
        assert_eq!(population.status(ann), Ok(None));
        population.tick(DT);
        assert_eq!(
            (requests(&population), population.report().counts.ticked),
            (vec![], 0)
        );
        // Loaded again it starts afresh: the wait begins anew.
        population.load(ann).unwrap();
        population.tick(DT);
        assert_eq!(requests(&population), []);
        population.tick(DT);
        assert_eq!(
            requests(&population),
            [("a".into(), ann, RequestKind::Launch)]
        );
        // A reset cancels and starts over in the same tick.
        population.reset(ann).unwrap();
        population.tick(DT);
        assert_eq!(
            requests(&population),
            [("a".into(), ann, RequestKind::Cancel)]
        );
        assert_eq!(population.status(ann), Ok(Some(Status::Running)));
    }
}

#[test]
fn persistent_actions_answer_what_was_written_last() {
    for kernel in Kernel::ALL {
        let tree = Tree::build("t").root(persistent_action("sense"));
        let mut population = population(tree, kernel);
        let ann = population.spawn().unwrap();
        let slot = population.persistent_slots("sense").next().unwrap();
        population.tick(DT);
        assert_eq!(population.status(ann), Ok(Some(Status::Running)));
        for status in [Status::Success, Status::Failure, Status::Running] {
            population.set_persistent(ann, slot, status).unwrap();
            for _ in 0..2 {
                population.tick(DT);
                assert_eq!(population.status(ann), Ok(Some(status)));
            }
        }
        assert_eq!(requests(&population), []);
        assert!(
            population
                .set_persistent(ann, SlotIndex(1), Status::Success)
                .is_err()
        );
    }
}

#[test]
fn queues_in_any_order_and_whole_planes_give_the_same() {
    let tree = || Tree::build("t").root(sequence([action("a"), action("b")]));
    let mut by_queue = population(tree(), Kernel::PureStream);
    let mut by_plane = population(tree(), Kernel::TraversalStack);
    let actors = by_queue.spawn_many(700).unwrap();
    by_plane.spawn_many(700).unwrap();
    by_queue.tick(DT);
    by_plane.tick(DT);
    let slot = by_queue.slots("a")[0];
    let outcome = |actor: &ActorId| {
        if actor.index().is_multiple_of(2) {
            Outcome::Success
        } else {
            Outcome::Failure
        }
    };
    let answered = |actor: &&ActorId| !actor.index().is_multiple_of(3);
    let records = actors
        .iter()
        .rev()
        .filter(answered)
        .map(|actor| ResultRecord {
            actor: *actor,
            slot,
            outcome: outcome(actor),
        });
    let nobody = ResultRecord {
        actor: ActorId::new(100_000, 0),
        slot,
        outcome: Outcome::Success,
    };
    let delivery = by_queue.deliver(records.chain([nobody]));
    assert_eq!((delivery.taken, delivery.refused), (466, 1));
    assert_eq!(
        delivery.first_refusal,
        Some((466, ResultError::NoSuchActor(nobody.actor)))
    );
    for block in 0..2 {
        let (mut done, mut success) = (Plane::EMPTY, Plane::EMPTY);
        for lane in 0..512 {
            done.put(lane, (block * 512 + lane) % 3 != 0);
            success.put(lane, lane % 2 == 0);
        }
        // Lanes beyond the last actor are not taken.
        let taken = by_plane
            .set_result_plane(slot, block, done, success)
            .unwrap();
        assert_eq!(taken.count(), [341, 125][block]);
    }
    assert!(
        by_plane
            .set_result_plane(slot, 2, Plane::FULL, Plane::FULL)
            .is_err()
    );
    assert!(
        by_plane
            .set_result_plane(SlotIndex(2), 0, Plane::FULL, Plane::FULL)
            .is_err()
    );
    by_queue.tick(DT);
    by_plane.tick(DT);
    assert_eq!(requests(&by_queue), requests(&by_plane));
    for actor in actors {
        assert_eq!(by_queue.status(actor), by_plane.status(actor));
        assert_eq!(by_queue.state(actor), by_plane.state(actor));
    }
}

#[test]
fn requests_carry_parameters() {
    let tree = Tree::build("t")
        .column("speed", 1.5_f32)
        .world("night", true)
        .root(
            action("go")
                .param("to", "home")
                .param("count", 3_u8)
                .param_from("speed", "speed")
                .param_from("dark", "night"),
        );
    let mut population = population(tree, Kernel::default());
    let speed = population.column::<f32>("speed").unwrap();
    population.spawn().unwrap();
    let bob = population.spawn().unwrap();
    population.set(bob, speed, 9.0).unwrap();
    population.tick(DT);
    let requests: Vec<_> = population.requests().iter().collect();
    assert_eq!(requests[0].text("to"), Some("home"));
    assert_eq!(requests[0].param("count"), Some(Value::U8(3)));
    assert_eq!(requests[0].param("dark"), Some(Value::Bool(true)));
    assert_eq!(requests[0].param("to"), None);
    let speeds: Vec<_> = requests
        .iter()
        .map(|request| request.param("speed"))
        .collect();
    assert_eq!(speeds, [Some(Value::F32(1.5)), Some(Value::F32(9.0))]);
}

#[test]
fn wrong_keys_are_errors_and_change_nothing() {
    let mut one = population(
        Tree::build("one").column("x", 1_u8).root(action("a")),
        Kernel::default(),
    );
    let two = population(
        Tree::build("two")
            .column("y", 1.0_f32)
            .column("z", 2_u8)
            .root(action("a")),
        Kernel::default(),
    );
    assert!(one.column::<f32>("x").is_err());
    assert_eq!(
        one.column::<u8>("y").unwrap_err().to_string(),
        "there is no `y`; declared are x"
    );
    let ann = one.spawn().unwrap();
    let y = two.column::<f32>("y").unwrap();
    let z = two.column::<u8>("z").unwrap();
    let foreign = |column: ColumnIndex| Err(AccessError::ForeignKey(column));
    assert_eq!(one.set(ann, y, 3.0), foreign(y.index()));
    // Even where index and type would fit.
    let z_first = population(
        Tree::build("t").column("z", 2_u8).root(action("a")),
        Kernel::default(),
    );
    let fitting = z_first.column::<u8>("z").unwrap();
    assert_eq!(one.set(ann, fitting, 3), foreign(fitting.index()));
    assert_eq!(one.set(ann, z, 3), foreign(z.index()));
    let missing = one.set_value(ann, ColumnIndex(1), Value::U8(1));
    assert!(matches!(
        missing,
        Err(AccessError::WrongColumn { found: None, .. })
    ));
    let wrong = one.set_value(ann, ColumnIndex(0), Value::I32(1));
    assert!(matches!(
        wrong,
        Err(AccessError::WrongColumn { found: Some(_), .. })
    ));
    let x = one.column::<u8>("x").unwrap();
    assert_eq!(one.get(ann, x), Ok(1));
    assert_eq!(
        one.get(ActorId::new(0, 1), x),
        Err(AccessError::NoSuchActor(ActorId::new(0, 1)))
    );
}

/// A system that finds its work by a column must be able to cancel it.
#[test]
fn requests_of_despawned_actors_keep_their_parameters() {
    let tree = Tree::build("t")
        .column("job", 7_u64)
        .root(action("work").param_from("job", "job"));
    let mut population = population(tree, Kernel::default());
    let ann = population.spawn().unwrap();
    population.tick(DT);
    population.despawn(ann).unwrap();
    let jobs = |population: &Population| {
        let requests = population.requests().iter();
        requests
            .map(|request| (request.kind, request.param("job")))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        jobs(&population),
        [(RequestKind::Launch, Some(Value::U64(7)))]
    );
    population.tick(DT);
    assert_eq!(
        jobs(&population),
        [(RequestKind::Cancel, Some(Value::U64(7)))]
    );
}

#[test]
fn a_trace_is_of_one_actor_and_nobody_else() {
    let mut population = population(Tree::build("t").root(action("a")), Kernel::default());
    let ann = population.spawn().unwrap();
    let bob = population.spawn().unwrap();
    population.trace(Some(ann));
    population.tick(DT);
    assert_eq!(population.trace_events().len(), 1);
    population.trace(Some(bob));
    assert_eq!(population.trace_events(), []);
    population.trace(Some(ann));
    population.despawn(ann).unwrap();
    population.tick(DT);
    population.tick(DT);
    let cid = population.spawn().unwrap();
    assert_eq!(cid.index(), ann.index());
    population.tick(DT);
    assert_eq!(population.trace_events(), []);
}
