//! Two populations in one world: guards with deferred actions, dogs with a task.
//!
//! Shows the five phases of a step, requests with parameters, and a task with `enter` and `exit`.
//! Run it with `cargo run -p pleach --example village`.

use std::error::Error;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use pleach::prelude::*;

const DT: Duration = Duration::from_millis(100);

fn guards() -> Result<Population, Box<dyn Error>> {
    let tree = Tree::build("guard")
        .column("post", 0_u64)
        .world("alarm", false)
        .root(reactive_selector([
            reactive_sequence([condition("alarm"), action("run").param("speed", 4.0_f32)]),
            sequence([
                action("walk")
                    .param("speed", 1.4_f32)
                    .param_from("to", "post"),
                wait(Duration::from_millis(300)),
            ]),
        ]));
    Ok(Population::new(compile(&tree)?))
}

/// A task's callbacks may be called from several threads, for different dogs.
#[derive(Default)]
struct Bark {
    barking: AtomicU32,
}

impl Task for Bark {
    fn enter(&self, call: &mut Call<'_>) {
        let others = self.barking.fetch_add(1, Ordering::Relaxed);
        println!("  {} begins to bark, {others} bark already", call.actor());
    }

    fn run(&self, _: &mut Call<'_>) -> Status {
        Status::Running
    }

    fn exit(&self, call: &mut Call<'_>, reason: Exit) {
        self.barking.fetch_sub(1, Ordering::Relaxed);
        println!("  {} falls silent ({reason:?})", call.actor());
    }
}

fn dogs() -> Result<Population, Box<dyn Error>> {
    let tree = Tree::build("dog")
        .world("alarm", false)
        .root(reactive_selector([
            reactive_sequence([condition("alarm"), task("bark")]),
            idle(),
        ]));
    let mut dogs = Population::new(compile(&tree)?);
    dogs.on_task("bark", Bark::default())?;
    Ok(dogs)
}

/// Moves guards about: everything takes one step.
#[derive(Default)]
struct Movement {
    arrived: Vec<ResultRecord>,
}

impl Systems for Movement {
    // Phase 2: what ended since the last step. (There are no persistent actions: phase 1 is empty.)
    fn deliver_results(&mut self, guards: &mut Population) {
        guards.deliver(self.arrived.drain(..));
    }

    // Phase 5: carry out what the trees asked for in phases 3 and 4.
    fn execute(&mut self, requests: Requests<'_>) {
        for request in requests.iter() {
            match request.kind {
                RequestKind::Launch => match request.param("to") {
                    Some(post) => println!("  {} walks to post {post}", request.actor),
                    None => println!("  {} runs", request.actor),
                },
                RequestKind::Cancel => println!("  {} stops", request.actor),
                RequestKind::Continue => self.arrived.push(ResultRecord {
                    actor: request.actor,
                    slot: request.slot,
                    outcome: Outcome::Success,
                }),
            }
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    let guards = world.add(guards()?)?;
    let dogs = world.add(dogs()?)?;
    let post: ColumnKey<u64> = world[guards].column("post")?;
    for number in 0..2 {
        let guard = world[guards].spawn()?;
        world[guards].set(guard, post, 100 + number)?;
    }
    world[dogs].spawn_many(2)?;

    let mut movement = Movement::default();
    for step in 0..6 {
        println!("step {step}");
        world.set("alarm", (3..5).contains(&step))?;
        // A world ticks all its populations together: results before, requests after.
        movement.deliver_results(&mut world[guards]);
        world.tick(DT);
        movement.execute(world[guards].requests());
    }
    Ok(())
}
