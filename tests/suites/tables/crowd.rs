//! A population of which a model knows everything: who lives, what is in their columns, who is in the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use pleach_tests::generate::draw;
use pleach_tree::{NodeDef, Tree, action, compile, idle, selector, when};
use pleach_vm::table::{ActorSet, NodeKey, PlaneSet};
use pleach_vm::{ActorId, ColumnKey, Population};

pub(crate) const DT: Duration = Duration::from_millis(16);

pub(crate) type Actors = BTreeSet<ActorId>;

/// An actor's columns, one of each type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Row {
    pub(crate) flag: bool,
    pub(crate) tiny: u8,
    pub(crate) small: u16,
    pub(crate) count: i32,
    pub(crate) level: f32,
    pub(crate) mark: u64,
    pub(crate) loaded: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct Keys {
    pub(crate) flag: ColumnKey<bool>,
    pub(crate) tiny: ColumnKey<u8>,
    pub(crate) small: ColumnKey<u16>,
    pub(crate) count: ColumnKey<i32>,
    pub(crate) level: ColumnKey<f32>,
    pub(crate) mark: ColumnKey<u64>,
    /// Run by those whose flag is set.
    pub(crate) busy: NodeKey,
}

pub(crate) fn tree(root: NodeDef) -> Tree {
    Tree::build("crowd")
        .column("flag", false)
        .column("tiny", 0_u8)
        .column("small", 0_u16)
        .column("count", 0_i32)
        .column("level", 0.0_f32)
        .column("mark", 0_u64)
        .root(root)
}

pub(crate) struct Crowd {
    pub(crate) population: Population,
    pub(crate) keys: Keys,
    /// Those who live.
    pub(crate) rows: BTreeMap<ActorId, Row>,
    /// Those who lived once.
    pub(crate) gone: Vec<ActorId>,
    /// Whoever ran `busy` behind the last tick.
    pub(crate) busy: Actors,
    seed: u64,
    draws: u64,
}

impl Crowd {
    pub(crate) fn new(seed: u64) -> Crowd {
        let root = selector([when(action("work"), "flag").named("busy"), idle()]);
        let shape = compile(&tree(root)).expect("compiles");
        let mut population = Population::new(shape).with_seed(seed);
        let keys = Keys {
            busy: population.watch("busy").expect("there is one"),
            flag: population.column("flag").expect("declared"),
            tiny: population.column("tiny").expect("declared"),
            small: population.column("small").expect("declared"),
            count: population.column("count").expect("declared"),
            level: population.column("level").expect("declared"),
            mark: population.column("mark").expect("declared"),
        };
        Crowd {
            population,
            keys,
            rows: BTreeMap::new(),
            gone: Vec::new(),
            busy: Actors::new(),
            seed,
            draws: 0,
        }
    }

    /// The next number of this crowd.
    pub(crate) fn draw(&mut self) -> u64 {
        self.draws += 1;
        draw(self.seed, &[91, self.draws])
    }

    /// So many actors with drawn columns, a few of them unloaded.
    pub(crate) fn spawn(&mut self, count: usize) {
        for _ in 0..count {
            let bits = self.draw();
            let loaded = !bits.is_multiple_of(5);
            let actor = if loaded {
                self.population.spawn()
            } else {
                self.population.spawn_unloaded()
            };
            let actor = actor.expect("memory");
            assert!(self.population.is_loaded(actor) == loaded);
            let row = Row {
                flag: bits >> 8 & 1 == 1,
                tiny: (bits >> 9) as u8 % 5,
                small: (bits >> 17) as u16 % 7 * 9_000,
                count: (bits >> 25) as i32 % 6 - 2,
                level: (bits >> 32 & 0xff) as f32 / 256.0,
                mark: bits >> 40 & 7,
                loaded,
            };
            self.write(actor, row);
        }
    }

    pub(crate) fn write(&mut self, actor: ActorId, row: Row) {
        let (population, keys) = (&mut self.population, self.keys);
        let written = [
            population.set(actor, keys.flag, row.flag),
            population.set(actor, keys.tiny, row.tiny),
            population.set(actor, keys.small, row.small),
            population.set(actor, keys.count, row.count),
            population.set(actor, keys.level, row.level),
            population.set(actor, keys.mark, row.mark),
        ];
        assert_eq!(written, [Ok(()); 6]);
        self.rows.insert(actor, row);
    }

    /// Despawns about one in `of`; gives who they were.
    pub(crate) fn despawn(&mut self, of: u64) -> Vec<ActorId> {
        let living: Vec<ActorId> = self.rows.keys().copied().collect();
        let gone: Vec<ActorId> = living
            .into_iter()
            .filter(|_| self.draw().is_multiple_of(of))
            .collect();
        for actor in &gone {
            self.population.despawn(*actor).expect("it lives");
            self.rows.remove(actor);
            self.busy.remove(actor);
        }
        self.gone.extend(&gone);
        gone
    }

    pub(crate) fn tick(&mut self) {
        self.population.tick(DT);
        // Who runs it goes on, whatever becomes of the flag.
        let rows = self.rows.iter();
        let starts = rows.filter(|(_, row)| row.flag && row.loaded);
        self.busy.extend(starts.map(|(actor, _)| *actor));
    }

    /// A crowd with holes and with places that were given out again, behind a tick.
    pub(crate) fn with_holes(seed: u64, actors: usize) -> Crowd {
        let mut crowd = Crowd::new(seed);
        crowd.spawn(actors);
        crowd.tick();
        crowd.despawn(4);
        crowd.tick();
        crowd.tick();
        let back = actors / 9;
        crowd.spawn(back);
        crowd.tick();
        crowd
    }

    /// Those of whom something is so.
    pub(crate) fn those(&self, which: impl Fn(ActorId, &Row) -> bool) -> Actors {
        let rows = self.rows.iter();
        rows.filter(|(actor, row)| which(**actor, row))
            .map(|(actor, _)| *actor)
            .collect()
    }

    pub(crate) fn everyone(&self) -> Actors {
        self.rows.keys().copied().collect()
    }

    /// Holds a set to a model: every way to ask.
    pub(crate) fn check<'a>(&'a self, what: &str, set: impl ActorSet<'a>, model: &Actors) {
        let found: Vec<ActorId> = set.actors().collect();
        let expected: Vec<ActorId> = model.iter().copied().collect();
        assert_eq!(found, expected, "{what}");
        assert_eq!(set.count(), model.len(), "{what}");
        assert_eq!(set.is_empty(), model.is_empty(), "{what}");
        for actor in self.rows.keys().chain(&self.gone) {
            let is_in = model.contains(actor);
            assert_eq!(set.contains(*actor), is_in, "{what}, {actor}");
            let plane = set.plane(actor.block());
            let bit = model.iter().any(|member| member.index() == actor.index());
            assert_eq!(plane.get(actor.lane()), bit, "{what}, {actor}");
        }
        let behind = self.population.block_count();
        assert!(set.plane(behind).is_empty(), "{what}");
        assert!(!set.contains(ActorId::new(u32::MAX, 0)), "{what}");
        let mut kept = PlaneSet::new();
        set.store(&mut kept);
        assert_eq!(kept.count(), model.len(), "{what}");
        let planes: Vec<_> = (0..behind).map(|block| set.plane(block)).collect();
        assert_eq!(kept.planes(), planes, "{what}");
        for count in [0, 1, model.len() / 2, model.len(), model.len() + 1] {
            let first = set.store_first(count, &mut kept);
            assert_eq!(first, count.min(model.len()), "{what}, first {count}");
            let kept: Vec<ActorId> = self.population.those_in(&kept).actors().collect();
            assert_eq!(kept, expected[..first], "{what}, first {count}");
        }
    }
}
