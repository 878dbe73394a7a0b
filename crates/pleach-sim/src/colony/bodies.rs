//! Where dwarves are, and how they walk.

use pleach_shape::BLOCK_LANES;
use pleach_vm::Plane;

/// Where the dwarves of a colony are and where they go: a number each in lists that are as long as their
/// population has places.
pub(super) struct Bodies {
    pub(super) x: Vec<i16>,
    pub(super) y: Vec<i16>,
    pub(super) goal_x: Vec<i16>,
    pub(super) goal_y: Vec<i16>,
    /// The tick in which what it does there is done; 0 while it walks.
    pub(super) done_at: Vec<u32>,
    /// Who stands where it wanted to go.
    pub(super) arrived: Vec<Plane>,
}

impl Bodies {
    pub(super) fn new(blocks: usize) -> Bodies {
        let all = || vec![0; blocks * BLOCK_LANES];
        Bodies {
            x: all(),
            y: all(),
            goal_x: all(),
            goal_y: all(),
            done_at: vec![0; blocks * BLOCK_LANES],
            arrived: vec![Plane::FULL; blocks],
        }
    }

    /// Puts a dwarf somewhere, with nowhere to go.
    pub(super) fn put(&mut self, place: usize, [x, y]: [i16; 2]) {
        (self.x[place], self.y[place]) = (x, y);
        self.stay(place);
    }

    /// Sends a dwarf somewhere.
    pub(super) fn send(&mut self, place: usize, [x, y]: [i16; 2]) {
        (self.goal_x[place], self.goal_y[place]) = (x, y);
        self.done_at[place] = 0;
        let at_goal = (x, y) == (self.x[place], self.y[place]);
        self.arrived[place / BLOCK_LANES].put(place % BLOCK_LANES, at_goal);
    }

    /// Lets a dwarf stay where it is.
    pub(super) fn stay(&mut self, place: usize) {
        self.send(place, [self.x[place], self.y[place]]);
    }

    /// Whether a dwarf stands where it wanted to go.
    pub(super) fn has_arrived(&self, place: usize) -> bool {
        self.arrived[place / BLOCK_LANES].get(place % BLOCK_LANES)
    }

    /// Everybody takes a step towards where they go: to one of the eight places around, or none.
    pub(super) fn step(&mut self) {
        towards(&mut self.x, &self.goal_x);
        towards(&mut self.y, &self.goal_y);
        for (block, plane) in self.arrived.iter_mut().enumerate() {
            let lanes = block * BLOCK_LANES..(block + 1) * BLOCK_LANES;
            let axis = |at: &[i16], goal: &[i16]| equal(&at[lanes.clone()], &goal[lanes.clone()]);
            *plane = axis(&self.x, &self.goal_x) & axis(&self.y, &self.goal_y);
        }
    }
}

fn towards(at: &mut [i16], goal: &[i16]) {
    for (at, &goal) in at.iter_mut().zip(goal) {
        // Without a branch, so that compilers move many at once.
        *at += i16::from(goal > *at) - i16::from(goal < *at);
    }
}

/// The lanes of a block for which two numbers are the same.
fn equal(at: &[i16], goal: &[i16]) -> Plane {
    let mut plane = Plane::EMPTY;
    let pairs = at.as_chunks::<64>().0.iter().zip(goal.as_chunks::<64>().0);
    for (word, (at, goal)) in plane.0.iter_mut().zip(pairs) {
        for (lane, (at, goal)) in at.iter().zip(goal).enumerate() {
            *word |= u64::from(at == goal) << lane;
        }
    }
    plane
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_there_and_no_further() {
        let mut bodies = Bodies::new(2);
        bodies.put(600, [10, 10]);
        bodies.send(600, [13, 4]);
        assert!(!bodies.arrived[1].get(88));
        let mut path = Vec::new();
        for _ in 0..8 {
            bodies.step();
            path.push((bodies.x[600], bodies.y[600]));
        }
        assert_eq!(path[..3], [(11, 9), (12, 8), (13, 7)]);
        assert_eq!(path[5..], [(13, 4); 3]);
        assert!(bodies.arrived[1].get(88));
        assert_eq!(bodies.arrived[0], Plane::FULL);
        bodies.send(600, [13, 4]);
        assert!(bodies.arrived[1].get(88), "it is there already");
    }
}
