//! Peers: other ways to decide the same, from behavior tree crates to hand-written SIMD loops.
//!
//! Two trees are built in all of them, [`Scene::Guard`] and [`Scene::Deep`]. A [`Contest`] lets all
//! contenders tick over the same data and compares every decision of every actor: whoever wins by
//! doing less is not timed. The modules say how each contender came to the same decisions, and what
//! it was excused from.
//!
//! All contenders are told of results between two ticks, and keep in between whatever they need.
//! What a tick has to leave behind is a [`Decision`] for each actor, in the contender's own form:
//! planes, bytes in arrays, or fields of the actor.

mod bhv;
mod bonsai;
mod branches;
mod columns;
mod decision;
mod deep;
mod frame;
mod guard;
mod instructions;
mod lite;
mod pleach;

use std::error::Error;
use std::fmt;
use std::time::Duration;

use pleach_sim::scenes::{Data, Scene};
use pleach_vm::Kernel;

pub use decision::{Decision, checksum};
pub use frame::Frame;
pub use instructions::Instructions;

/// One way to decide, with its actors.
pub trait Contender {
    /// Takes over columns and results of the next tick. Never timed.
    fn refresh(&mut self, frame: &Frame);

    /// Decides for all actors.
    fn tick(&mut self, dt: Duration);

    /// What was decided, by actor.
    fn decisions(&self) -> Vec<Decision>;
}

/// A contender that is not built yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A kernel of Pleach.
    Kernel(Kernel),
    /// The boxed, recursive tree of this package.
    Boxed,
    /// The crate `bhv`.
    Bhv,
    /// The crate `bonsai-bt`.
    Bonsai,
    /// The crate `behavior-tree-lite`.
    Lite,
    /// `if` and `else` over an array of structs.
    Branches,
    /// Selects over arrays of columns, with as wide registers as the processor has.
    Columns,
}

impl Entry {
    /// Everyone, Pleach's kernels first.
    pub fn all() -> Vec<Entry> {
        let kernels = Kernel::ALL.into_iter().map(Entry::Kernel);
        let others = [
            Entry::Boxed,
            Entry::Bhv,
            Entry::Bonsai,
            Entry::Lite,
            Entry::Branches,
            Entry::Columns,
        ];
        kernels.chain(others).collect()
    }

    /// The name in tables.
    pub fn name(self) -> String {
        match self {
            Entry::Kernel(kernel) => format!("pleach {kernel}"),
            Entry::Boxed => "boxed tree".to_owned(),
            Entry::Bhv => "bhv 0.4.0".to_owned(),
            Entry::Bonsai => "bonsai-bt 0.14.0".to_owned(),
            Entry::Lite => "behavior-tree-lite 0.3.2".to_owned(),
            Entry::Branches => "if/else, structs".to_owned(),
            Entry::Columns => format!("branch-free, arrays ({})", Instructions::best()),
        }
    }

    /// Builds it for that many actors. `None` for a tree that peers do not have.
    fn build(
        self,
        scene: Scene,
        data: Data,
        actors: usize,
        seed: u64,
    ) -> Result<Option<Box<dyn Contender>>, Box<dyn Error + Send + Sync>> {
        Ok(Some(match (self, scene) {
            (Entry::Kernel(kernel), _) => {
                Box::new(pleach::Crowd::new(scene, data, actors, kernel, seed)?)
            }
            (Entry::Boxed, _) => Box::new(pleach::Boxed::new(scene, actors)?),
            (Entry::Bhv, Scene::Guard) => Box::new(bhv::Guards::new(actors)),
            (Entry::Bhv, Scene::Deep) => Box::new(bhv::Rows::new(actors)),
            (Entry::Bonsai, Scene::Guard) => Box::new(bonsai::Guards::new(actors)),
            (Entry::Bonsai, Scene::Deep) => Box::new(bonsai::Rows::new(actors)),
            (Entry::Lite, Scene::Guard) => Box::new(lite::Guards::new(actors)?),
            (Entry::Lite, Scene::Deep) => Box::new(lite::Rows::new(actors)?),
            (Entry::Branches, Scene::Guard) => Box::new(branches::Guards::new(actors)),
            (Entry::Branches, Scene::Deep) => Box::new(branches::Rows::new(actors)),
            (Entry::Columns, Scene::Guard) => {
                Box::new(columns::Guards::new(actors, Instructions::best()))
            }
            (Entry::Columns, Scene::Deep) => {
                Box::new(columns::Rows::new(actors, Instructions::best()))
            }
            (_, Scene::Wide | Scene::Random | Scene::Divergent) => return Ok(None),
        }))
    }
}

/// All contenders over the same actors and data.
pub struct Contest {
    /// The data of the tick to come, and of the one behind it.
    frames: [Frame; 2],
    contenders: Vec<(String, Box<dyn Contender>)>,
}

/// Two contenders decided differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The one that the others are held to.
    pub first: String,
    /// The other one.
    pub other: String,
    /// The actor's place.
    pub actor: usize,
    /// What the first decided.
    pub expected: Option<Decision>,
    /// What the other decided.
    pub found: Option<Decision>,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement {
            first,
            other,
            actor,
            expected,
            found,
        } = self;
        write!(
            f,
            "actor {actor}: {other} decided {found:?}, {first} {expected:?}"
        )
    }
}

impl Error for Disagreement {}

impl Contest {
    /// Everyone that has the scene's tree.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn new(
        scene: Scene,
        data: Data,
        actors: usize,
        seed: u64,
    ) -> Result<Contest, Box<dyn Error + Send + Sync>> {
        let mut contenders = Vec::new();
        for entry in Entry::all() {
            if let Some(contender) = entry.build(scene, data, actors, seed)? {
                contenders.push((entry.name(), contender));
            }
        }
        // The same hand-written loops as older processors would run them.
        for instructions in Instructions::below_best() {
            let name = format!("branch-free, arrays ({instructions})");
            match scene {
                Scene::Guard => {
                    let guards = columns::Guards::new(actors, instructions);
                    contenders.push((name, Box::new(guards)));
                }
                Scene::Deep => {
                    let rows = columns::Rows::new(actors, instructions);
                    contenders.push((name, Box::new(rows)));
                }
                Scene::Wide | Scene::Random | Scene::Divergent => {}
            }
        }
        Ok(Contest {
            frames: [
                Frame::new(scene, data, actors, seed)?,
                Frame::new(scene, data, actors, seed)?,
            ],
            contenders,
        })
    }

    /// The contenders' names; their order is that of everything here.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.contenders.iter().map(|(name, _)| name.as_str())
    }

    /// Draws the next tick's data.
    pub fn draw(&mut self) {
        for frame in &mut self.frames {
            frame.advance();
        }
    }

    /// Draws the data of the next two ticks.
    pub fn draw_two(&mut self) {
        let [first, second] = &mut self.frames;
        // One that has been drawn for two ticks before stands one behind the other.
        while first.ticks() < second.ticks() {
            first.advance();
        }
        first.advance();
        second.advance();
        second.advance();
    }

    /// Lets one contender take over the data that were drawn: those of the first tick, or of the second
    /// of [`draw_two`](Contest::draw_two).
    pub fn refresh(&mut self, who: usize, tick: usize) {
        self.contenders[who].1.refresh(&self.frames[tick % 2]);
    }

    /// Lets one contender tick.
    #[inline]
    pub fn tick(&mut self, who: usize, dt: Duration) {
        self.contenders[who].1.tick(dt);
    }

    /// Draws, refreshes and ticks everyone.
    pub fn advance(&mut self, dt: Duration) {
        self.draw();
        for who in 0..self.contenders.len() {
            self.refresh(who, 0);
            self.tick(who, dt);
        }
    }

    /// The checksum over all decisions of the last tick, if it is everyone's.
    ///
    /// # Errors
    /// The first difference to the first contender.
    pub fn agree(&self) -> Result<u64, Disagreement> {
        let mut everyone = self.contenders.iter();
        let Some((first, contender)) = everyone.next() else {
            return Ok(0);
        };
        let expected = contender.decisions();
        let sum = checksum(&expected);
        for (other, contender) in everyone {
            let found = contender.decisions();
            if checksum(&found) == sum && found.len() == expected.len() {
                continue;
            }
            let differs = |&actor: &usize| expected.get(actor) != found.get(actor);
            let longest = expected.len().max(found.len());
            let actor = (0..longest).find(differs).unwrap_or(longest);
            return Err(Disagreement {
                first: first.clone(),
                other: other.clone(),
                actor,
                expected: expected.get(actor).copied(),
                found: found.get(actor).copied(),
            });
        }
        Ok(sum)
    }
}
