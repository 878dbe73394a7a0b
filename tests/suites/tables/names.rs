//! Which node is meant, and what is said where none is.

use pleach_shape::{Op, Shape, TokenIndex};
use pleach_tree::{
    NodeDef, Threshold, Tree, action, compile, concurrent, condition, idle, invert, keep_sequence,
    parallel, pipeline_sequence, query, round_robin, selector, sequence, skip_if, succeed, task,
    wait,
};
use pleach_vm::table::{ActorSet, Children, NodeKey, TableError};
use pleach_vm::{Kernel, Population};

use crate::crowd::DT;

fn population(name: &str, root: NodeDef) -> Population {
    let tree = Tree::build(name).column("flag", false).root(root);
    Population::new(compile(&tree).expect("compiles"))
}

/// A tree with nodes that share names.
fn village() -> Population {
    let harvest = || sequence([action("walk"), task("reap").named("work")]).named("harvest");
    let root = selector([
        sequence([condition("flag"), harvest()]).named("core"),
        sequence([query("ask"), harvest()]).named("edge"),
        parallel(Threshold::All, Threshold::Count(1), [idle(), idle()]).named("both"),
        concurrent([idle()]),
    ]);
    population("village", root)
}

fn node(found: Result<NodeKey, TableError>) -> u32 {
    found.expect("there is one").node().0
}

fn text(found: Result<NodeKey, TableError>) -> String {
    found.expect_err("it is refused").to_string()
}

#[test]
fn nodes_have_names_calls_and_paths() {
    let mut village = village();
    assert_eq!(node(village.watch("village")), 0);
    assert_eq!(node(village.watch("core")), 1);
    assert_eq!(node(village.watch("village/core")), 1);
    assert_eq!(node(village.watch("/village/core")), 1);
    assert_eq!(node(village.watch("core/condition-1")), 2);
    assert_eq!(node(village.watch("core/harvest")), 3);
    assert_eq!(node(village.watch("core/harvest/action-1")), 4);
    assert_eq!(node(village.watch("edge/harvest/work")), 10);
    assert_eq!(node(village.watch("ask")), 7);
    assert_eq!(node(village.watch("both/idle-2")), 13);
    assert_eq!(node(village.watch("concurrent-4")), 14);
    assert_eq!(node(village.watch_node(TokenIndex(8))), 8);
}

#[test]
fn what_is_unknown_or_shared_is_refused() {
    let mut village = village();
    let some = "`village`, `village/core`, `village/core/condition-1`, `village/core/harvest`, \
                `village/core/harvest/action-1`, `village/core/harvest/work` and 10 more";
    for name in [
        "",
        "harve",
        "arvest",
        "/core",
        "/",
        "village/harvest",
        "core/",
    ] {
        let expected = format!("there is no node `{name}`; there are {some}");
        assert_eq!(text(village.watch(name)), expected);
    }
    let expected = format!("there is no node `a\\nb`; there are {some}");
    assert_eq!(text(village.watch("a\nb")), expected);
    assert_eq!(
        text(village.watch("harvest")),
        "2 nodes are called `harvest`: `village/core/harvest`, `village/edge/harvest`; say which by more of its \
         path, with a `/` before a whole one, or by its place with `watch_node`"
    );
    assert!(
        matches!(village.watch("harvest/work"), Err(TableError::Ambiguous { paths, .. }) if paths.len() == 2)
    );
    assert!(matches!(
        village.watch("reap"),
        Err(TableError::Ambiguous { .. })
    ));
    assert!(matches!(
        village.watch("walk"),
        Err(TableError::Ambiguous { .. })
    ));
    assert_eq!(
        text(village.watch_node(TokenIndex(16))),
        "there is no node 16: the tree has 16"
    );
    // Nothing is watched by that.
    let key = node_key(&mut village, 3);
    assert!(village.unwatch(key));
    assert!(village.table(key).is_err());

    let mut few = population("few", sequence([idle(), idle()]));
    assert_eq!(
        text(few.watch("many")),
        "there is no node `many`; there are `few`, `few/idle-1`, `few/idle-2`"
    );
}

/// A root that is called like something below it, a path that is the end of another, and twins.
#[test]
fn a_whole_path_is_told_from_the_end_of_another() {
    let root = sequence([
        action("dig"),
        sequence([action("dig").named("b")]).named("dig"),
        sequence([sequence([idle().named("b")]).named("dig")]).named("far"),
        selector([idle().named("twin"), idle().named("twin")]).named("two"),
    ]);
    let mut diggers = population("dig", root);
    assert!(
        matches!(diggers.watch("dig"), Err(TableError::Ambiguous { paths, .. }) if paths.len() == 5)
    );
    assert_eq!(node(diggers.watch("/dig")), 0);
    assert_eq!(node(diggers.watch("/dig/dig")), 2);
    assert_eq!(node(diggers.watch("/dig/dig/b")), 3);
    assert_eq!(node(diggers.watch("far/dig")), 5);
    let twins = diggers.watch("/dig/two/twin");
    assert_eq!(
        text(twins),
        "2 nodes are called `/dig/two/twin`: `dig/two/twin`, `dig/two/twin`; say which by more of its path, with a \
         `/` before a whole one, or by its place with `watch_node`"
    );
}

fn node_key(population: &mut Population, node: u32) -> NodeKey {
    let key = population.watch_node(TokenIndex(node));
    key.expect("there is one")
}

#[test]
fn tables_that_cannot_be_had() {
    let mut village = village();
    village.spawn_many(3).expect("memory");
    let harvest = node_key(&mut village, 3);
    assert!(village.unwatch(harvest));
    let error = village.table(harvest).err().map(|error| error.to_string());
    assert_eq!(
        error.as_deref(),
        Some("nobody watches `village/core/harvest`; call `watch` before the tick")
    );

    // Below a node that is watched everything is, above it nothing.
    let core = node_key(&mut village, 1);
    assert!(village.table(harvest).is_ok());
    assert!(!village.unwatch(harvest), "it is another that is watched");
    let work = node_key(&mut village, 10);
    assert!(village.unwatch(work));
    let root = node_key(&mut village, 0);
    assert!(village.unwatch(root));
    assert!(village.table(core).is_ok());
    let path = "village".to_owned();
    assert_eq!(
        village.table(root).err(),
        Some(TableError::NotWatched { path })
    );
    // With the census everything is.
    village.set_census(true);
    assert!(village.table(root).is_ok());
    village.set_census(false);
    assert!(village.table(root).is_err());

    // Keys fit shapes with the same nodes.
    let mut twin = self::village();
    assert!(twin.table(core).is_err());
    assert_eq!(twin.watch("core"), Ok(core));
    let mut other = population("other", sequence([idle(), idle()]));
    other.set_census(true);
    let foreign = other.table(core).err();
    assert_eq!(foreign, Some(TableError::ForeignKey(TokenIndex(1))));
    let foreign = foreign.map(|error| error.to_string());
    assert_eq!(
        foreign.as_deref(),
        Some("the key of node 1 is of a tree with other nodes")
    );
    assert!(!other.unwatch(core));
    let no_memory = TableError::NoMemory { bytes: 4_480 };
    assert_eq!(
        no_memory.to_string(),
        "no memory for the planes of watched nodes: 4480 bytes a block"
    );
}

#[test]
fn who_runs_several_children_selects_none() {
    let mut village = village();
    village.set_census(true);
    village.spawn_many(3).expect("memory");
    let nodes = [
        (3, None),
        (
            2,
            Some((Op::Condition, "village/core/condition-1", "condition")),
        ),
        (11, Some((Op::Parallel, "village/both", "parallel"))),
        (
            14,
            Some((Op::Concurrent, "village/concurrent-4", "concurrent")),
        ),
    ];
    for (node, expected) in nodes {
        let key = node_key(&mut village, node);
        let table = village.table(key).expect("watched");
        let refusals = [
            table.needs_to_select().err(),
            table.failed_to_select().err(),
            table.selected().err(),
            table.sequence_index().err(),
        ];
        let path = |path: &str| path.to_owned();
        let error = expected.map(|(op, at, _)| TableError::NoChooser {
            path: path(at),
            op: Some(op),
        });
        assert!(
            refusals.iter().all(|refusal| *refusal == error),
            "{refusals:?}"
        );
        if let (Some(error), Some((_, at, keyword))) = (error, expected) {
            assert_eq!(
                error.to_string(),
                format!("`{at}` ({keyword}) does not run one child at a time, so it selects none")
            );
        }
    }
}

/// `Children::of`: where an actor is, and what it has begun.
#[test]
fn a_child_is_found_by_its_actor() {
    let root = sequence([condition("flag"), action("walk"), action("work")]);
    let mut walkers = population("walkers", root);
    let key = walkers.watch("/walkers").expect("there is one");
    let flag = walkers.column::<bool>("flag").expect("declared");
    let [walks, stays] = [(); 2].map(|()| walkers.spawn().expect("memory"));
    walkers.set(walks, flag, true).expect("it lives");
    let place = |walkers: &Population, actor| {
        let table = walkers.table(key).expect("watched");
        let [selected, index] = [table.selected(), table.sequence_index()]
            .map(|children| children.expect("it chooses").of(actor));
        (selected, index)
    };
    walkers.tick(DT);
    let walk = Some((1, TokenIndex(2)));
    assert_eq!(place(&walkers, walks), (walk, walk));
    assert_eq!(place(&walkers, stays), (None, None));
    walkers.tick(DT);
    assert_eq!(place(&walkers, walks), (None, walk));
    let slot = walkers.slots("walk")[0];
    let taken = walkers.set_result(walks, slot, pleach_vm::Outcome::Success);
    taken.expect("it waits for one");
    walkers.tick(DT);
    let work = Some((2, TokenIndex(3)));
    assert_eq!(place(&walkers, walks), (work, work));
    assert!(walkers.everyone().contains(walks));
}

/// A path may have 64 KiB, and a tree of nodes with such paths be small: none is built that is not shown.
#[test]
fn long_paths_are_found_and_refused_without_all_of_them() {
    let long = "x".repeat(1_000);
    let mut root = selector((0..20_000).map(|_| idle()));
    for _ in 0..70 {
        root = invert(root).named(long.clone());
    }
    let mut deep = population("deep", root);
    assert_eq!(node(deep.watch("selector-1/idle-20000")), 20_070);
    assert_eq!(
        node(deep.watch(&format!("{long}/selector-1/idle-7"))),
        71 + 6
    );
    let whole = deep.shape().node_path(TokenIndex(75));
    assert!(whole.starts_with('…'));
    assert_eq!(node(deep.watch(&whole)), 75);
    assert_eq!(node(deep.watch(&format!("/{whole}"))), 75);
    assert!(
        matches!(deep.watch("nobody"), Err(TableError::Unknown { known, nodes: 20_071, .. }) if known.len() == 12)
    );
    assert!(
        matches!(deep.watch(&long), Err(TableError::Ambiguous { paths, nodes: 70, .. }) if paths.len() == 12)
    );
}

/// What `nodes_at` says without paths is what the paths say, where names have slashes, quotes, or nothing.
#[test]
fn nodes_are_found_by_what_their_paths_end_with() {
    let root = sequence([
        idle().named("a/b"),
        sequence([idle().named("b"), idle().named("/b"), idle()]).named("a"),
        sequence([idle().named("it's"), idle().named("b")]).named("a/"),
        sequence([sequence([idle().named("\u{7}é\\"), idle()]).named("a")]).named("a"),
    ]);
    let shape = population("t", root).shape().clone();
    let paths = shape.node_paths();
    let mut asked: Vec<&str> = vec!["", "/", "t", "/t", "é\\\\", "x/b", "idle", "idle-2/"];
    for path in &paths {
        asked.extend(path.char_indices().map(|(at, _)| &path[at..]));
    }
    for name in asked {
        let found: Vec<_> = shape.nodes_at(name).collect();
        let ends = |path: &&String| {
            let before = path.strip_suffix(name);
            !name.is_empty()
                && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let expected: Vec<_> = (0..)
            .zip(&paths)
            .filter(|(_, path)| ends(path))
            .map(|(node, path)| (TokenIndex(node), path == name))
            .collect();
        assert_eq!(found, expected, "{name:?}");
    }
}

/// Of nodes that became several tokens only the nodes of the tree are told of.
#[test]
fn parts_of_compound_nodes_are_no_nodes() {
    let root = selector([
        keep_sequence([condition("flag"), sequence([idle(), idle()])]),
        pipeline_sequence([succeed(), round_robin([idle()]).named("turns")]).named("pipe"),
    ]);
    let mut village = population("village", root);
    let paths = |shape: &Shape, name: &str| -> Vec<String> {
        let found = shape.nodes_at(name).map(|(node, _)| shape.node_path(node));
        found.collect()
    };
    let shape = village.shape();
    assert_eq!(paths(shape, "sequence-1"), ["village/keep-sequence-1"; 0]);
    assert_eq!(
        paths(shape, "sequence-2"),
        ["village/keep-sequence-1/sequence-2"]
    );
    assert_eq!(paths(shape, "set-1"), ["village"; 0]);
    let second = node(village.watch("sequence-2"));
    assert_eq!(
        village.shape().node_path(TokenIndex(second)),
        "village/keep-sequence-1/sequence-2"
    );
    assert_eq!(
        text(village.watch("nobody")),
        "there is no node `nobody`; there are `village`, `village/keep-sequence-1`, \
         `village/keep-sequence-1/condition-1`, `village/keep-sequence-1/sequence-2`, \
         `village/keep-sequence-1/sequence-2/idle-1`, `village/keep-sequence-1/sequence-2/idle-2` and 4 more"
    );
}

/// R2 of compound nodes: their children are those of the tree, and whoever runs several of them selects none.
#[test]
fn compound_nodes_select_the_children_that_the_tree_gives_them() {
    for kernel in Kernel::ALL {
        let root = sequence([
            keep_sequence([wait(2 * DT), skip_if(idle(), "not flag"), idle()]).named("keep"),
            pipeline_sequence([succeed(), idle()]).named("pipe"),
        ]);
        let mut crowd = population("crowd", root).with_kernel(kernel);
        let keys = ["keep", "pipe"].map(|name| crowd.watch(name).expect("there is one"));
        let one = crowd.spawn().expect("a place");
        let mut told = Vec::new();
        for _ in 0..4 {
            crowd.tick(DT);
            let keep = crowd.table(keys[0]).expect("watched");
            let needs = keep.needs_to_select().expect("chooses").contains(one);
            let number = |children: Children<'_>| {
                assert_eq!(children.clone().count(), 3);
                children.of(one).map(|(number, _)| number)
            };
            let runs = number(keep.sequence_index().expect("chooses"));
            told.push((needs, runs, number(keep.selected().expect("chooses"))));
        }
        let expected = [
            (true, Some(0), Some(0)),
            (false, Some(0), None),
            (true, Some(2), Some(2)),
            (false, Some(2), None),
        ];
        assert_eq!(told, expected, "{kernel}");
        let refused = crowd.table(keys[1]).expect("watched").selected().err();
        assert_eq!(
            refused.map(|error| error.to_string()).as_deref(),
            Some("`crowd/pipe` (concurrent) does not run one child at a time, so it selects none")
        );
    }
}
