//! The baseline is only a baseline if it does the same work: root statuses and requests of a horde
//! against those of a population, on every scene and data, and on more random trees.

use pleach_benches::boxed::{BoxedTree, Kind, Request};
use pleach_benches::horde::Horde;
use pleach_sim::scenes::{Data, Scene, Stage, random_tree};
use pleach_tree::Tree;
use pleach_vm::{Kernel, RequestKind};

fn compare(tree: &Tree, data: Data, seed: u64, ticks: usize) {
    let actors = 600;
    let shape = pleach_tree::compile(tree).unwrap();
    let mut stage = Stage::new(shape, data, actors, Kernel::default(), seed).unwrap();
    let mut horde = Horde::new(BoxedTree::new(tree).unwrap(), tree.columns().len(), actors);
    let place = format!("{}, {data}, seed {seed}", tree.name());
    for tick in 0..ticks {
        stage.refresh();
        horde.refresh(stage.feed());
        stage.tick();
        horde.tick(data.dt());
        let population = stage.population();
        for actor in population.actors() {
            let expected = population.status(actor).unwrap();
            let found = horde.status(actor.index() as usize);
            assert_eq!(found, expected, "{place}, tick {tick}, {actor}");
        }
        let expected = population.requests().iter().map(|request| Request {
            actor: request.actor.index(),
            slot: request.slot.0,
            kind: match request.kind {
                RequestKind::Cancel => Kind::Cancel,
                RequestKind::Launch => Kind::Launch,
                RequestKind::Continue => Kind::Continue,
            },
        });
        let mut expected: Vec<Request> = expected.collect();
        expected.sort_unstable();
        let mut found = horde.requests().to_vec();
        found.sort_unstable();
        // Not the whole lists: thousands of lines would not say more than the first difference.
        let differ = found
            .iter()
            .zip(&expected)
            .find(|(found, expected)| found != expected);
        assert_eq!(differ, None, "{place}, tick {tick}: found, expected");
        assert_eq!(found.len(), expected.len(), "{place}, tick {tick}");
    }
}

#[test]
fn scenes_agree() {
    for scene in Scene::ALL {
        for data in Data::ALL {
            compare(&scene.tree(), data, 1, 30);
        }
    }
}

#[test]
fn random_trees_agree() {
    for seed in 0..120 {
        let nodes = 2 + (seed as usize * 7) % 90;
        let tree = random_tree(nodes, nodes / 4, seed);
        compare(&tree, Data::Divergent, seed, 12);
        compare(&tree, Data::Fresh, seed, 4);
    }
}
