//! What a run measured and counted.

use serde::Serialize;

use crate::fingerprint::Fingerprint;

/// What a run measured and counted. All counts are of the measured ticks, without the warm-up.
///
/// Serialises to one object; its field names are meant to stay.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figures {
    /// The scenario's name.
    pub scenario: String,
    /// The tree's name.
    pub tree: String,
    /// How many actors ran.
    pub actors: u32,
    /// How many ticks were measured.
    pub ticks: u32,
    /// How many ticks went before them.
    pub warm_up: u32,
    /// The time between two ticks, in seconds.
    pub dt: f64,
    /// The kernel that walked.
    pub kernel: &'static str,
    /// How many threads walked.
    pub threads: usize,
    /// The seed of everything random.
    pub seed: u64,
    /// Everything that happened, as one number.
    pub hash: Fingerprint,
    /// How long the actors took to decide, a tick: phases 3 and 4 alone.
    pub tick_ns: TickTimes,
    /// Seconds that all decisions took: phases 3 and 4.
    pub decision_seconds: f64,
    /// Seconds that all five phases took: the scripted world is in here too.
    pub loop_seconds: f64,
    /// Actors ticked a second of `decision_seconds`.
    pub actor_ticks_per_second: f64,
    /// Bytes of state an actor takes: results, requests, traversal state, timers.
    pub state_bytes_per_actor: u64,
    /// Bytes of its blackboard.
    pub column_bytes_per_actor: u64,
    /// Bytes that the blocks of all actors took in the timed run.
    pub memory_bytes: usize,
    /// How the roots answered.
    pub roots: RootFigures,
    /// The nodes, in stream order: depth first, the root first.
    pub nodes: Vec<NodeFigures>,
    /// The deferred actions by name, in the order in which the tree names them.
    pub actions: Vec<ActionFigures>,
    /// Results that no visit consumed: the tree went another way as they came in.
    pub results_dropped: u64,
    /// Errors that the scripted systems reported for actions.
    pub errors: u64,
    /// Actions, tasks and queries that the scenario does not describe:
    /// see [`Scenario::undescribed`](crate::Scenario::undescribed).
    pub undescribed: Vec<String>,
}

/// How long ticks, or a part of each, took, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct TickTimes {
    /// Half of the ticks took at most this.
    pub p50: u64,
    /// 99 of 100 took at most this.
    pub p99: u64,
    /// The longest.
    pub max: u64,
}

/// How often the roots of all actors gave each answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct RootFigures {
    /// Success.
    pub succeeded: u64,
    /// Failure.
    pub failed: u64,
    /// Running.
    pub running: u64,
    /// None: an AbortWhen took the actor out of the tree. It is not loaded again.
    pub aborted: u64,
}

/// What happened at a node.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct NodeFigures {
    /// The node's id in its tree.
    pub id: u32,
    /// Its path from the root.
    pub path: String,
    /// Its keyword.
    pub kind: &'static str,
    /// The action or function that it calls, if it calls one: joins it with the actions' figures.
    pub calls: Option<String>,
    /// How deep it lies; the root lies at 0.
    pub depth: u32,
    /// Visits by the number of actors and ticks: 1 if every actor visits it in every tick.
    pub active_share: f64,
    /// Visits.
    pub visits: u64,
    /// Visits at which it was not running.
    pub starts: u64,
    /// Answers of Success.
    pub successes: u64,
    /// Answers of Failure.
    pub failures: u64,
    /// How often it ran and was halted: its parent went another way.
    pub cancels: u64,
}

/// What became of the requests for one kind of deferred action.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ActionFigures {
    /// The action's name.
    pub name: String,
    /// Requests to begin.
    pub launches: u64,
    /// Requests to go on.
    pub continues: u64,
    /// Requests to stop.
    pub cancels: u64,
    /// Results of success.
    pub successes: u64,
    /// Results of failure.
    pub failures: u64,
    /// Results that were errors; failures to the tree.
    pub errors: u64,
}

impl Figures {
    /// The nodes that no actor visited in any measured tick.
    pub fn never_reached(&self) -> impl Iterator<Item = &NodeFigures> {
        self.nodes.iter().filter(|node| node.visits == 0)
    }
}

impl TickTimes {
    /// The percentiles, by nearest rank, of times that need not be in order.
    pub(crate) fn of(mut nanos: Vec<u64>) -> TickTimes {
        nanos.sort_unstable();
        let at = |percent: usize| {
            let rank = (nanos.len() * percent).div_ceil(100).max(1);
            nanos.get(rank - 1).copied().unwrap_or(0)
        };
        TickTimes {
            p50: at(50),
            p99: at(99),
            max: at(100),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let times = TickTimes::of((1..=200).rev().collect());
        assert_eq!((times.p50, times.p99, times.max), (100, 198, 200));
        let one = TickTimes::of(vec![7]);
        assert_eq!((one.p50, one.p99, one.max), (7, 7, 7));
        assert_eq!(TickTimes::of(Vec::new()), TickTimes::default());
    }
}
