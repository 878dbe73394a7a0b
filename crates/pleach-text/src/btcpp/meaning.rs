//! What the nodes of BehaviorTree.CPP and Nav2 are here, by name.

use crate::diagnostic::did_you_mean;

/// What a node does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    Sequence,
    KeepSequence,
    ReactiveSequence,
    Fallback,
    ReactiveFallback,
    Parallel,
    ParallelAll,
    IfThenElse,
    WhileDoElse,
    /// Of that many cases.
    Switch(usize),
    PipelineSequence,
    RoundRobin,
    Recovery,
    Inverter,
    ForceSuccess,
    ForceFailure,
    Repeat,
    Retry,
    KeepRunningUntilFailure,
    Timeout,
    Delay,
    RunOnce,
    Precondition,
    BlackboardCheck,
    RateController,
    AlwaysSuccess,
    AlwaysFailure,
    Sleep,
    SetBlackboard,
    Script,
    ScriptCondition,
    SubTree,
    /// A leaf of the host.
    Action,
    /// A leaf of the host that answers within its tick.
    Task,
    /// A condition of the host.
    Query,
    /// A node of this library that BehaviorTree.CPP has not, or not just so: an attribute says in KDL
    /// what it is.
    Own,
}

/// How many children a node takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Children {
    None,
    One,
    Some,
    /// Who knows more looks.
    Any,
}

/// All names that have a meaning by themselves.
const NAMES: [(&str, Meaning); 59] = [
    ("Sequence", Meaning::Sequence),
    ("AsyncSequence", Meaning::Sequence),
    ("SequenceStar", Meaning::KeepSequence),
    ("SequenceWithMemory", Meaning::KeepSequence),
    ("ReactiveSequence", Meaning::ReactiveSequence),
    ("Fallback", Meaning::Fallback),
    ("FallbackStar", Meaning::Fallback),
    ("AsyncFallback", Meaning::Fallback),
    ("ReactiveFallback", Meaning::ReactiveFallback),
    ("Parallel", Meaning::Parallel),
    ("ParallelAll", Meaning::ParallelAll),
    ("IfThenElse", Meaning::IfThenElse),
    ("WhileDoElse", Meaning::WhileDoElse),
    ("Switch2", Meaning::Switch(2)),
    ("Switch3", Meaning::Switch(3)),
    ("Switch4", Meaning::Switch(4)),
    ("Switch5", Meaning::Switch(5)),
    ("Switch6", Meaning::Switch(6)),
    ("PipelineSequence", Meaning::PipelineSequence),
    ("RoundRobin", Meaning::RoundRobin),
    ("RecoveryNode", Meaning::Recovery),
    ("Inverter", Meaning::Inverter),
    ("ForceSuccess", Meaning::ForceSuccess),
    ("ForceFailure", Meaning::ForceFailure),
    ("Repeat", Meaning::Repeat),
    ("RetryUntilSuccessful", Meaning::Retry),
    ("RetryUntilSuccesful", Meaning::Retry),
    ("KeepRunningUntilFailure", Meaning::KeepRunningUntilFailure),
    ("Timeout", Meaning::Timeout),
    ("Delay", Meaning::Delay),
    ("RunOnce", Meaning::RunOnce),
    ("Precondition", Meaning::Precondition),
    ("BlackboardCheckInt", Meaning::BlackboardCheck),
    ("BlackboardCheckDouble", Meaning::BlackboardCheck),
    ("BlackboardCheckString", Meaning::BlackboardCheck),
    ("BlackboardCheckBool", Meaning::BlackboardCheck),
    ("RateController", Meaning::RateController),
    ("AlwaysSuccess", Meaning::AlwaysSuccess),
    ("AlwaysFailure", Meaning::AlwaysFailure),
    ("Sleep", Meaning::Sleep),
    ("SetBlackboard", Meaning::SetBlackboard),
    ("Script", Meaning::Script),
    ("ScriptCondition", Meaning::ScriptCondition),
    ("SubTree", Meaning::SubTree),
    ("SubTreePlus", Meaning::SubTree),
    // Conditions of Nav2, whose files carry no models.
    ("AreErrorCodesPresent", Meaning::Query),
    ("ArePosesNear", Meaning::Query),
    ("DistanceTraveled", Meaning::Query),
    ("GloballyUpdatedGoal", Meaning::Query),
    ("GoalReached", Meaning::Query),
    ("GoalUpdated", Meaning::Query),
    ("InitialPoseReceived", Meaning::Query),
    ("IsBatteryCharging", Meaning::Query),
    ("IsBatteryLow", Meaning::Query),
    ("IsPathValid", Meaning::Query),
    ("IsStopped", Meaning::Query),
    ("IsStuck", Meaning::Query),
    ("PathExpiringTimer", Meaning::Query),
    ("TransformAvailable", Meaning::Query),
];

/// More conditions of Nav2.
const MORE_QUERIES: [&str; 9] = [
    "GlobalUpdatedGoal",
    "IsGoalNearby",
    "IsPoseOccupied",
    "IsWithinPathTrackingBounds",
    "TimeExpired",
    "WouldAControllerRecoveryHelp",
    "WouldAPlannerRecoveryHelp",
    "WouldARouteRecoveryHelp",
    "WouldASmootherRecoveryHelp",
];

/// Actions of BehaviorTree.CPP and Nav2 that answer within their tick: each is a `SyncActionNode`, or an
/// `ActionNodeBase` that never answers Running.
const TASKS: [&str; 17] = [
    "AppendGoalPoseToGoals",
    "ConcatenatePaths",
    "ControllerSelector",
    "ExtractRouteNodesAsGoals",
    "GetNextFewGoals",
    "GetPoseFromPath",
    "GoalCheckerSelector",
    "PathHandlerSelector",
    "PlannerSelector",
    "PopFromQueue",
    "ProgressCheckerSelector",
    "QueueSize",
    "RemovePassedGoals",
    "SmootherSelector",
    "TruncatePath",
    "TruncatePathLocal",
    "UnsetBlackboard",
];

/// All names that have a meaning by themselves.
pub(super) fn names() -> impl Iterator<Item = &'static str> + Clone {
    let all = NAMES.iter().map(|&(name, _)| name);
    all.chain(MORE_QUERIES).chain(TASKS)
}

/// What a name means by itself.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    let known = NAMES.iter().find(|(known, _)| *known == name);
    let query = || MORE_QUERIES.contains(&name).then_some(Meaning::Query);
    let task = || TASKS.contains(&name).then_some(Meaning::Task);
    known
        .map(|&(_, meaning)| meaning)
        .or_else(query)
        .or_else(task)
}

/// The meaning that somebody names for a node of their own: a name of BehaviorTree.CPP, or the word for
/// it in KDL.
pub(super) fn like(name: &str) -> Option<Meaning> {
    let word = match name.replace('_', "-").as_str() {
        "sequence" => "Sequence",
        "reactive-sequence" => "ReactiveSequence",
        "selector" | "fallback" => "Fallback",
        "reactive-selector" | "reactive-fallback" => "ReactiveFallback",
        "parallel" => "Parallel",
        "if-then-else" => "IfThenElse",
        "while-do-else" => "WhileDoElse",
        "invert" | "inverter" => "Inverter",
        "succeeder" | "force-success" => "ForceSuccess",
        "failer" | "force-failure" => "ForceFailure",
        "repeat" => "Repeat",
        "repeat-until-success" | "retry" => "RetryUntilSuccessful",
        "repeat-until-failure" => "KeepRunningUntilFailure",
        "timeout" => "Timeout",
        "delay" => "Delay",
        "run-once" | "run-once-then-skip" => "RunOnce",
        "keep-sequence" | "sequence-with-memory" | "sequence-star" => "SequenceWithMemory",
        "pipeline-sequence" => "PipelineSequence",
        "round-robin" => "RoundRobin",
        "recovery" | "recovery-node" => "RecoveryNode",
        "rate-controller" | "rate" => "RateController",
        _ => name,
    };
    let meaning = meaning(word)?;
    (meaning.children() != Children::None).then_some(meaning)
}

/// Nodes with children of BehaviorTree.CPP and Nav2 that nothing here is like.
const WITHOUT_COUNTERPART: [&str; 18] = [
    "ConsumeQueue",
    "DistanceController",
    "GoalUpdatedController",
    "GoalUpdater",
    "LoopBool",
    "LoopDouble",
    "LoopInt",
    "LoopString",
    "ManualSelector",
    "NonblockingSequence",
    "PathLongerOnApproach",
    "PauseResumeController",
    "PersistentSequence",
    "SingleTrigger",
    "SkipUnlessUpdated",
    "SpeedController",
    "TryCatch",
    "WaitValueUpdate",
];

/// Whether a name is one of a node that is well known, but of which there is none here.
pub(super) fn has_no_counterpart(name: &str) -> bool {
    WITHOUT_COUNTERPART.contains(&name)
}

/// A name without what people write in different ways.
pub(super) fn folded(name: &str) -> String {
    name.replace(['_', '-'], "").to_lowercase()
}

/// The closest name of a node with children.
pub(super) fn near(name: &str) -> Option<String> {
    // Whoever writes `inverter` or `retry_until_successful` means the node of that name.
    let wanted = folded(name);
    let parents = || {
        let all = NAMES.iter();
        let parents = all.filter(|(_, meaning)| meaning.children() != Children::None);
        parents.map(|&(known, _)| known)
    };
    let same = parents().find(|known| folded(known) == wanted);
    match same {
        Some(known) => Some(format!("did you mean `{known}`?")),
        None => did_you_mean(name, parents()),
    }
}

impl Meaning {
    pub(super) fn children(self) -> Children {
        match self {
            Meaning::Sequence
            | Meaning::KeepSequence
            | Meaning::ReactiveSequence
            | Meaning::Fallback
            | Meaning::ReactiveFallback
            | Meaning::Parallel
            | Meaning::ParallelAll
            | Meaning::IfThenElse
            | Meaning::WhileDoElse
            | Meaning::Switch(_)
            | Meaning::PipelineSequence
            | Meaning::RoundRobin
            | Meaning::Recovery => Children::Some,
            Meaning::Inverter
            | Meaning::ForceSuccess
            | Meaning::ForceFailure
            | Meaning::Repeat
            | Meaning::Retry
            | Meaning::KeepRunningUntilFailure
            | Meaning::Timeout
            | Meaning::Delay
            | Meaning::RunOnce
            | Meaning::Precondition
            | Meaning::BlackboardCheck
            | Meaning::RateController => Children::One,
            Meaning::AlwaysSuccess
            | Meaning::AlwaysFailure
            | Meaning::Sleep
            | Meaning::SetBlackboard
            | Meaning::Script
            | Meaning::ScriptCondition
            | Meaning::SubTree
            | Meaning::Action
            | Meaning::Task
            | Meaning::Query => Children::None,
            Meaning::Own => Children::Any,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_there_once_and_likenesses_take_children() {
        for (at, (name, wanted)) in NAMES.iter().enumerate() {
            assert_eq!(meaning(name), Some(*wanted));
            assert!(NAMES[..at].iter().all(|(other, _)| other != name), "{name}");
            assert!(!MORE_QUERIES.contains(name) && !TASKS.contains(name));
        }
        assert_eq!(like("selector"), Some(Meaning::Fallback));
        assert_eq!(like("ReactiveSequence"), Some(Meaning::ReactiveSequence));
        for name in ["Sleep", "concurrent", "sequense"] {
            assert_eq!(like(name), None);
        }
        assert_eq!(
            near("inverter").as_deref(),
            Some("did you mean `Inverter`?")
        );
        assert_eq!(
            near("Sequenze").as_deref(),
            Some("did you mean `Sequence`?")
        );
        assert_eq!(near("Xyzzy"), None);
    }
}
