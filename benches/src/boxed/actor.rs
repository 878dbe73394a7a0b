//! An actor of a boxed tree: blackboard, memory, results, requests.

use pleach_shape::Status;
use pleach_tree::Value;

/// What a composite, a Parallel's child or a Wait remembers.
#[derive(Clone, Copy, Default, Debug)]
struct Cell {
    /// The tick in which it was written.
    tick: u32,
    /// The running child's position; for a Parallel's child 1 for Success, 2 for Failure.
    value: u32,
}

/// One actor.
#[derive(Clone, Debug)]
pub struct Actor {
    /// A value is 32 bits, whatever its type.
    pub(super) blackboard: Box<[u32]>,
    cells: Box<[Cell]>,
    pub(super) deadlines: Box<[u64]>,
    pub(super) results: Box<[Answer]>,
    /// Slots requested in the last tick, ascending.
    had: Vec<u32>,
    /// Slots requested in this tick, ascending.
    pub(super) wanted: Vec<u32>,
    /// Counts the actor's own ticks, from 1; cells of tick 0 are empty.
    tick: u32,
    status: Option<Status>,
}

/// What the system of an action says.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Answer {
    #[default]
    None,
    Success,
    Failure,
}

/// What an actor asks of a system, or no longer asks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Stop.
    Cancel,
    /// Begin.
    Launch,
    /// Go on.
    Continue,
}

/// One request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Request {
    /// The actor's position.
    pub actor: u32,
    /// The action's slot.
    pub slot: u32,
    /// What is asked.
    pub kind: Kind,
}

impl Actor {
    pub(super) fn new(columns: usize, cells: usize, timers: usize, slots: usize) -> Actor {
        Actor {
            blackboard: vec![0; columns].into(),
            cells: vec![Cell::default(); cells].into(),
            deadlines: vec![0; timers].into(),
            results: vec![Answer::None; slots].into(),
            had: Vec::new(),
            wanted: Vec::new(),
            tick: 0,
            status: None,
        }
    }

    pub(super) fn bytes(columns: usize, cells: usize, timers: usize, slots: usize) -> usize {
        size_of::<Actor>()
            + columns * size_of::<u32>()
            + cells * size_of::<Cell>()
            + timers * size_of::<u64>()
            + slots * size_of::<Answer>()
    }

    #[inline]
    pub(super) fn begin(&mut self) {
        self.tick += 1;
        std::mem::swap(&mut self.had, &mut self.wanted);
        self.wanted.clear();
    }

    #[inline]
    pub(super) fn finish(&mut self, status: Status, index: u32, requests: &mut Vec<Request>) {
        self.status = Some(status);
        self.settle(index, requests);
    }

    /// The value of a cell that was written in the last tick.
    #[inline]
    pub(super) fn take(&self, cell: usize) -> Option<u32> {
        let Cell { tick, value } = self.cells[cell];
        (tick != 0 && tick + 1 == self.tick).then_some(value)
    }

    #[inline]
    pub(super) fn keep(&mut self, cell: usize, value: u32) {
        self.cells[cell] = Cell {
            tick: self.tick,
            value,
        };
    }

    /// Takes back what a subtree kept and wanted in this tick.
    pub(super) fn halt(&mut self, cells: usize, cells_end: usize, wanted: usize) {
        self.cells[cells..cells_end].fill(Cell::default());
        self.wanted.truncate(wanted);
    }

    /// Launch, Continue, Cancel; results are used up (L2).
    fn settle(&mut self, index: u32, requests: &mut Vec<Request>) {
        let mut push = |slot: u32, kind: Kind| {
            requests.push(Request {
                actor: index,
                slot,
                kind,
            });
        };
        let mut wanted = self.wanted.iter().copied().peekable();
        for &had in &self.had {
            while let Some(slot) = wanted.next_if(|&slot| slot < had) {
                push(slot, Kind::Launch);
            }
            let answer = std::mem::take(&mut self.results[had as usize]);
            if wanted.next_if_eq(&had).is_some() {
                push(had, Kind::Continue);
            } else if answer == Answer::None {
                push(had, Kind::Cancel);
            }
        }
        for slot in wanted {
            push(slot, Kind::Launch);
        }
    }

    /// Throws the actor's progress away: what it requested is cancelled, its tree starts afresh.
    pub fn reset(&mut self, index: u32, requests: &mut Vec<Request>) {
        self.had.clear();
        std::mem::swap(&mut self.had, &mut self.wanted);
        self.settle(index, requests);
        self.had.clear();
        // Cells of the last tick are no longer of the last tick.
        self.tick += 1;
    }

    /// Writes a column.
    pub fn set(&mut self, column: usize, value: Value) {
        self.blackboard[column] = value.to_bits() as u32;
    }

    /// Hands in a result; nothing happens if the actor does not wait for it.
    pub fn answer(&mut self, slot: u32, success: bool) {
        if self.wanted.contains(&slot) && self.results[slot as usize] == Answer::None {
            self.results[slot as usize] = if success {
                Answer::Success
            } else {
                Answer::Failure
            };
        }
    }

    /// Slots that the actor has requested and that have not finished, ascending.
    pub fn outstanding(&self) -> &[u32] {
        &self.wanted
    }

    /// Root status of the last tick.
    pub fn status(&self) -> Option<Status> {
        self.status
    }
}
