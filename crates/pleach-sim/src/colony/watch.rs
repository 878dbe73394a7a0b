//! Who looks on while a colony runs.

use std::ops::ControlFlow;

use super::svg::Moment;

/// Who looks on while a colony runs: it is asked before the first tick and after each, outside of
/// what is timed. It is asked by the thread that runs the colony, which may be one of a pool.
pub trait Watch: Send {
    /// Takes notice that so many ticks are done, 0 before the first. Whether it wants to
    /// [`see`](Watch::see) the colony now; that takes a scene, which is not made for nobody.
    fn notice(&mut self, tick: u64) -> bool;

    /// Sees the colony. [`ControlFlow::Break`] ends the run: its figures are of the ticks until then.
    fn see(&mut self, moment: &Moment<'_>) -> ControlFlow<()>;
}

/// Nobody looks on.
impl Watch for () {
    fn notice(&mut self, _: u64) -> bool {
        false
    }

    fn see(&mut self, _: &Moment<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
