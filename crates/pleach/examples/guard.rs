//! Guards in a corridor: they chase a player whom they see, and patrol otherwise.
//!
//! One tree of closures drives all of them; each has a board and a progress of its own. Run it with
//! `cargo run -p pleach --example guard`.

use std::cell::Cell;
use std::time::Duration;

use pleach::task::{
    CompileError, Exit, Progress, Status, Tree, condition, selector, sequence, task, wait,
};

const DT: Duration = Duration::from_millis(100);
/// The corridor's length; this and all other places are in metres from its left end.
const CORRIDOR: f64 = 60.0;

/// The corridor, which the tree's closures look into.
#[derive(Default)]
struct World {
    /// Where each player is who has come in and has neither left nor been caught.
    players: [Cell<Option<f64>>; 2],
}

struct Guard {
    name: char,
    at: f64,
    /// The ends of its round, and which of them is next.
    round: [f64; 2],
    next: usize,
    /// What it has begun since it was last asked.
    news: Vec<&'static str>,
}

/// What a guard's nodes tell each other.
#[derive(Default)]
struct Board {
    /// The number of the player who is chased.
    target: Option<usize>,
}

impl Guard {
    const SIGHT: f64 = 8.0;
    const STROLL: f64 = 2.0;
    const RUN: f64 = 3.5;

    fn new(name: char, from: f64, to: f64) -> Guard {
        Guard {
            name,
            at: from,
            round: [from, to],
            next: 1,
            news: Vec::new(),
        }
    }

    fn sees(&self, player: f64) -> bool {
        (player - self.at).abs() <= Guard::SIGHT
    }

    /// Moves at so many metres a second; Success when it is there.
    fn go(&mut self, to: f64, speed: f64, dt: Duration) -> Status {
        let step = speed * dt.as_secs_f64();
        self.at += (to - self.at).clamp(-step, step);
        if self.at == to {
            Status::Success
        } else {
            Status::Running
        }
    }
}

fn guard_tree(world: &World) -> Result<Tree<'_, Guard, Board>, CompileError> {
    let sees_player = condition(|guard: &mut Guard, board: &mut Board| {
        let seen = |player: &Cell<Option<f64>>| player.get().is_some_and(|at| guard.sees(at));
        board.target = world.players.iter().position(seen);
        board.target.is_some()
    });
    let chase = task(|guard: &mut Guard, board: &mut Board, dt| {
        let target = board.target.and_then(|player| world.players[player].get());
        match target.filter(|&at| guard.sees(at)) {
            Some(at) => guard.go(at, Guard::RUN, dt),
            None => Status::Failure,
        }
    })
    .on_enter(|guard, _| guard.news.push("gives chase"))
    .on_exit(|guard, board, reason| match (reason, board.target) {
        (Exit::Success, Some(player)) => {
            guard.news.push("has caught the player");
            world.players[player].set(None);
        }
        _ => guard.news.push("gives up"),
    });
    let next_waypoint = task(|guard: &mut Guard, _: &mut Board, dt| {
        guard.go(guard.round[guard.next], Guard::STROLL, dt)
    })
    .on_enter(|guard, _| guard.news.push("patrols"))
    .on_exit(|guard, _, reason| {
        if reason == Exit::Success {
            guard.news.push("looks around");
            guard.next = 1 - guard.next;
        }
    });
    Tree::compile(selector([
        sequence([sees_player, chase]),
        sequence([next_waypoint, wait(2.0)]),
    ]))
}

/// How a player goes through: when it comes in, where, and how many metres a second it makes.
struct Walk {
    from_tick: u32,
    from: f64,
    speed: f64,
}

/// Both come from side doors and run to the right.
const WALKS: [Walk; 2] = [
    Walk {
        from_tick: 40,
        from: 16.0,
        speed: 6.0,
    },
    Walk {
        from_tick: 160,
        from: 42.0,
        speed: 5.5,
    },
];

/// The corridor as a line, a metre a letter.
fn picture(guards: &[(Guard, Board, Progress)], world: &World) -> String {
    let mut line = vec!['·'; CORRIDOR as usize + 1];
    for (guard, ..) in guards {
        line[guard.at as usize] = guard.name;
    }
    for player in world.players.iter().filter_map(Cell::get) {
        line[player as usize] = '@';
    }
    line.into_iter().collect()
}

fn main() -> Result<(), CompileError> {
    let world = World::default();
    let tree = guard_tree(&world)?;
    let mut guards = [
        Guard::new('A', 2.0, 10.0),
        Guard::new('B', 27.0, 35.0),
        Guard::new('C', 58.0, 46.0),
    ]
    .map(|guard| (guard, Board::default(), tree.progress()));

    println!("Guards A, B and C in a corridor; players @ want through.\n");
    for tick in 0_u32..=200 {
        let seconds = f64::from(tick) * DT.as_secs_f64();
        for (player, walk) in world.players.iter().zip(&WALKS) {
            let moved = player.get().map(|at| at + walk.speed * DT.as_secs_f64());
            player.set(moved.filter(|at| (0.0..=CORRIDOR).contains(at)));
            if tick == walk.from_tick {
                player.set(Some(walk.from));
            }
        }
        let mut news = Vec::new();
        for (guard, board, progress) in &mut guards {
            tree.tick(progress, guard, board, DT);
            if !guard.news.is_empty() {
                news.push(format!("{} {}", guard.name, guard.news.join(", ")));
                guard.news.clear();
            }
        }
        if !news.is_empty() || tick % 20 == 0 {
            let picture = picture(&guards, &world);
            println!("{seconds:4.1} s  {picture}  {}", news.join("; "));
        }
    }
    Ok(())
}
