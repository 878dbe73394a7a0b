//! Pleach's kernels and the boxed tree as contenders.
//!
//! Nothing is mapped here: both are built from the scene's own tree.

use std::error::Error;
use std::time::Duration;

use pleach_shape::{BLOCK_LANES, SlotIndex, Status};
use pleach_sim::scenes::{Data, Scene, Stage};
use pleach_vm::{Kernel, Plane};

use crate::boxed::{BoxedTree, Kind};
use crate::horde::Horde;

use super::{Contender, Decision, Frame};

/// A population under one kernel.
pub(super) struct Crowd {
    stage: Stage,
}

impl Crowd {
    pub(super) fn new(
        scene: Scene,
        data: Data,
        actors: usize,
        kernel: Kernel,
        seed: u64,
    ) -> Result<Crowd, Box<dyn Error + Send + Sync>> {
        let shape = pleach_tree::compile(&scene.tree())?;
        let stage = Stage::new(shape, data, actors, kernel, seed)?;
        Ok(Crowd { stage })
    }
}

impl Contender for Crowd {
    /// Its own feed draws what the frame's feed draws.
    fn refresh(&mut self, _: &Frame) {
        self.stage.refresh();
    }

    fn tick(&mut self, dt: Duration) {
        self.stage.population_mut().tick(dt);
    }

    fn decisions(&self) -> Vec<Decision> {
        let population = self.stage.population();
        let mut decisions: Vec<Decision> = population
            .actors()
            .map(|actor| Decision {
                status: population.status(actor).ok().flatten(),
                ..Decision::default()
            })
            .collect();
        let requests = population.requests();
        for slot in 0..population.shape().tables().deferred.len() {
            for (block, decisions) in decisions.chunks_mut(BLOCK_LANES).enumerate() {
                let planes = requests.planes(SlotIndex::from(slot), block);
                let mut mark = |plane: Plane, mark: fn(&mut Decision) -> &mut u32| {
                    for lane in plane.lanes() {
                        if let Some(decision) = decisions.get_mut(lane) {
                            *mark(decision) |= 1 << slot;
                        }
                    }
                };
                mark(planes.launch, |decision| &mut decision.launch);
                mark(planes.keep_on, |decision| &mut decision.keep_on);
                mark(planes.cancel, |decision| &mut decision.cancel);
            }
        }
        decisions
    }
}

/// A horde of the boxed tree.
pub(super) struct Boxed {
    horde: Horde,
    actors: usize,
}

impl Boxed {
    pub(super) fn new(scene: Scene, actors: usize) -> Result<Boxed, Box<dyn Error + Send + Sync>> {
        let tree = scene.tree();
        let horde = Horde::new(BoxedTree::new(&tree)?, tree.columns().len(), actors);
        Ok(Boxed { horde, actors })
    }
}

impl Contender for Boxed {
    fn refresh(&mut self, frame: &Frame) {
        self.horde.refresh(frame.feed());
    }

    fn tick(&mut self, dt: Duration) {
        self.horde.tick(dt);
    }

    fn decisions(&self) -> Vec<Decision> {
        let status = |actor| -> Option<Status> { self.horde.status(actor) };
        let mut decisions: Vec<Decision> = (0..self.actors)
            .map(|actor| Decision {
                status: status(actor),
                ..Decision::default()
            })
            .collect();
        for request in self.horde.requests() {
            let decision = &mut decisions[request.actor as usize];
            let slots = match request.kind {
                Kind::Cancel => &mut decision.cancel,
                Kind::Launch => &mut decision.launch,
                Kind::Continue => &mut decision.keep_on,
            };
            *slots |= 1 << request.slot;
        }
        decisions
    }
}
