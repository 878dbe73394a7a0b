//! Agents, boards and trees of all sorts: borrowed, unsized, shared, nested, several at once.

use std::cell::{Cell, OnceCell};
use std::fmt::Display;
use std::rc::Rc;
use std::time::Duration;

use pleach::task::{
    Exit, NodeDef, Policy, Progress, Status, Tree, condition, parallel, selector, sequence,
    succeed, task, wait,
};

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn agents_boards_and_closures_may_borrow() {
    let words = vec!["one".to_owned(), "two".to_owned()];
    let calls = Cell::new(0);
    {
        // Rc: neither Send nor Sync.
        let spoken: Rc<Cell<Option<&str>>> = Rc::default();
        let heard = Rc::clone(&spoken);
        let tree = Tree::compile(sequence([
            condition(|agent: &mut &[String], _: &mut Rc<Cell<Option<&str>>>| {
                calls.set(calls.get() + 1);
                !agent.is_empty()
            }),
            task(|agent: &mut &[String], board: &mut Rc<Cell<_>>, _| {
                let (first, rest) = agent.split_first().expect("the condition has looked");
                board.set(Some(first.as_str()));
                *agent = rest;
                Status::Success
            }),
        ]))
        .unwrap();
        let (mut agent, mut board) = (words.as_slice(), spoken);
        let mut progress = tree.progress();
        let mut said = Vec::new();
        while tree.tick(&mut progress, &mut agent, &mut board, SECOND) == Status::Success {
            said.push(heard.get());
        }
        assert_eq!(said, [Some("one"), Some("two")]);
    }
    assert_eq!(calls.get(), 3);
}

#[test]
fn agents_and_boards_may_be_unsized() {
    let tree: Tree<'_, dyn Display, [u8]> = Tree::compile(
        task(|agent: &mut (dyn Display + 'static), board: &mut [u8], _| {
            let text = agent.to_string();
            board[..text.len()].copy_from_slice(text.as_bytes());
            Status::Running
        })
        .on_enter(|_, board| board.fill(b'.'))
        .on_exit(|_, board, _| board.reverse()),
    )
    .unwrap();
    let mut progress = Progress::default();
    let mut board = [0; 4];
    // Not the same type each time, even.
    tree.tick(&mut progress, &mut "a", &mut board, SECOND);
    assert_eq!(&board, b"a...");
    tree.tick(&mut progress, &mut 42, &mut board, SECOND);
    tree.reset(&mut progress, &mut 42, &mut board);
    assert_eq!(&board, b"..24");
}

#[test]
fn an_agent_may_own_its_progress() {
    struct Npc {
        steps: u32,
        progress: Progress,
    }
    let tree = Tree::compile(sequence([
        task(|npc: &mut Npc, _: &mut (), _| {
            npc.steps += 1;
            if npc.steps.is_multiple_of(3) {
                Status::Success
            } else {
                Status::Running
            }
        }),
        wait(1.0),
    ]))
    .unwrap();
    let mut npcs: Vec<Npc> = (0..3)
        .map(|steps| Npc {
            steps,
            progress: tree.progress(),
        })
        .collect();
    for _ in 0..5 {
        for npc in &mut npcs {
            let mut progress = std::mem::take(&mut npc.progress);
            tree.tick(&mut progress, npc, &mut (), SECOND);
            npc.progress = progress;
        }
    }
    assert_eq!(
        npcs.iter().map(|npc| npc.steps).collect::<Vec<_>>(),
        [4, 5, 6]
    );
}

fn counts(tag: char) -> NodeDef<'static, (), String> {
    sequence([
        wait(2.0),
        task(move |_: &mut (), board: &mut String, _| {
            board.push(tag);
            Status::Running
        })
        .on_exit(move |_, board: &mut String, reason| {
            assert_eq!(reason, Exit::Aborted);
            board.push(tag.to_ascii_uppercase());
        }),
    ])
}

#[test]
fn a_progress_keeps_apart_what_it_has_with_each_tree() {
    let [a, b] = ['a', 'b'].map(|tag| Tree::compile(counts(tag)).unwrap());
    let (mut progress, mut board) = (Progress::default(), String::new());
    for _ in 0..3 {
        a.tick(&mut progress, &mut (), &mut board, SECOND);
    }
    assert_eq!(board, "a");
    // The other tree starts at its beginning, and takes nothing from the first.
    b.tick(&mut progress, &mut (), &mut board, SECOND * 10);
    assert_eq!(board, "a");
    a.tick(&mut progress, &mut (), &mut board, SECOND);
    assert_eq!(board, "aa");
    b.tick(&mut progress, &mut (), &mut board, SECOND * 10);
    assert_eq!(board, "aab");
    // A reset is of one tree's part alone, with that tree's exits.
    a.reset(&mut progress, &mut (), &mut board);
    assert_eq!(board, "aabA");
    let statuses = [a.last_status(&progress), b.last_status(&progress)];
    assert_eq!(statuses, [None, Some(Status::Running)]);
    assert_eq!(progress.last_status(), Some(Status::Running));
    b.tick(&mut progress, &mut (), &mut board, SECOND);
    assert_eq!(board, "aabAb");
    b.reset(&mut progress, &mut (), &mut board);
    assert_eq!(board, "aabAbB");
    // A tree that never met it resets nothing.
    let stranger = Tree::compile(counts('c')).unwrap();
    stranger.reset(&mut progress, &mut (), &mut board);
    assert_eq!((stranger.last_status(&progress), board.len()), (None, 6));
}

#[test]
fn what_is_left_of_dropped_trees_is_forgotten() {
    let keep = Tree::compile(counts('k')).unwrap();
    let (mut progress, mut board) = (Progress::default(), String::new());
    keep.tick(&mut progress, &mut (), &mut board, SECOND);
    let mut most = 0;
    for _ in 0..100 {
        let tree = Tree::compile(counts('t')).unwrap();
        assert_eq!(tree.last_status(&progress), None);
        tree.tick(&mut progress, &mut (), &mut board, SECOND);
        most = most.max(progress.bytes());
    }
    assert!(most < 3 * keep.progress().bytes(), "{most}");
    assert_eq!(keep.last_status(&progress), Some(Status::Running));
}

#[test]
fn a_closure_may_tick_another_tree() {
    struct Cat {
        purrs: u32,
        inner: Progress,
    }
    let purr = Tree::compile(sequence([
        wait(1.0),
        task(|cat: &mut u32, _: &mut (), _| {
            *cat += 1;
            Status::Success
        }),
    ]))
    .unwrap();
    let tree = Tree::compile(task(|cat: &mut Cat, board: &mut (), dt| {
        purr.tick(&mut cat.inner, &mut cat.purrs, board, dt)
    }))
    .unwrap();
    let mut cat = Cat {
        purrs: 0,
        inner: Progress::default(),
    };
    let mut progress = Progress::default();
    let mut tick = || tree.tick(&mut progress, &mut cat, &mut (), SECOND);
    let [running, success] = [Status::Running, Status::Success];
    assert_eq!(
        [tick(), tick(), tick(), tick()],
        [running, success, running, success]
    );
    assert_eq!(cat.purrs, 2);
}

/// A box in a box in a box, all of which one tree opens.
#[derive(Default)]
struct Nest {
    inner: Option<Box<Nest>>,
    progress: Progress,
    opened: bool,
}

type NestTree = Tree<'static, Nest, u32>;

#[test]
fn a_closure_may_tick_its_own_tree_with_another_progress() {
    let tree: Rc<OnceCell<NestTree>> = Rc::default();
    let own = Rc::clone(&tree);
    let compiled = Tree::compile(sequence([
        wait(1.0),
        task(move |nest: &mut Nest, opened: &mut u32, dt| {
            if !std::mem::replace(&mut nest.opened, true) {
                *opened += 1;
            }
            match (&mut nest.inner, own.get()) {
                (Some(inner), Some(tree)) => {
                    let mut progress = std::mem::take(&mut inner.progress);
                    let status = tree.tick(&mut progress, inner, opened, dt);
                    inner.progress = progress;
                    status
                }
                _ => Status::Success,
            }
        }),
    ]));
    let tree_ref = tree.get_or_init(|| compiled.unwrap());
    let mut nest = Nest::default();
    for _ in 0..9 {
        nest = Nest {
            inner: Some(Box::new(nest)),
            ..Nest::default()
        };
    }
    let (mut progress, mut opened, mut ticks) = (Progress::default(), 0, 1);
    while tree_ref.tick(&mut progress, &mut nest, &mut opened, SECOND) == Status::Running {
        ticks += 1;
    }
    // Ten boxes, one a tick, behind the tick that began.
    assert_eq!((opened, ticks), (10, 11));
}

#[test]
fn progress_goes_to_other_threads() {
    let tree: Tree<'_, (), ()> = Tree::compile(wait(1.0)).unwrap();
    let mut progress = tree.progress();
    tree.tick(&mut progress, &mut (), &mut (), SECOND);
    let found = std::thread::spawn(move || (progress.last_status(), progress));
    let (status, mut progress) = found.join().unwrap();
    assert_eq!(status, Some(Status::Running));
    assert_eq!(
        tree.tick(&mut progress, &mut (), &mut (), SECOND),
        Status::Success
    );
}

#[test]
fn everything_can_be_shown() {
    let def: NodeDef<'_, (), ()> = selector([
        condition(|_, _| false).named("sees player"),
        parallel([wait(1.0), succeed()], Policy::default()),
    ]);
    assert_eq!(format!("{def:?}"), "selector with 2 children");
    let tree = Tree::compile(def).unwrap();
    let mut progress = Progress::default();
    assert_eq!(format!("{progress:?}"), "not started");
    tree.tick(&mut progress, &mut (), &mut (), SECOND);
    assert_eq!(format!("{progress:?}"), "Running");
    assert_eq!(
        format!("{tree:?}"),
        "task tree of 5 nodes, started by 1 agents"
    );
    assert!(format!("{:?}", tree.shape()).contains("sees player"));
}
