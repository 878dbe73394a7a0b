//! What the nodes and attributes of BehaviorTree.CPP become here, for who asks by name.

use super::meaning::{Meaning, meaning, names};
use super::plan::{ROLES, Role};
use crate::diagnostic::did_you_mean;

/// What a node or attribute of BehaviorTree.CPP or Nav2 becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counterpart {
    /// The keyword of the node, whose page says what it does.
    pub keyword: &'static str,
    /// All that it becomes, where that is more than the node alone; else empty.
    pub becomes: &'static str,
    /// What differs; empty where nothing does.
    pub differs: &'static str,
}

const LEFT: &str = "whoever is left is halted behind all visits (L6)";
const TIMES: &str = "one iteration a tick (D2). -1 is for ever; 0 is refused. `{n}` is a loop with a counter in a column";
const NAV2: &str = "no child is visited twice in a tick (N1 to N4); -1 retries are 4,294,967,295";

/// What becomes of a node of BehaviorTree.CPP or Nav2, or of an attribute such as `_skipIf`, by its name as
/// files have it.
///
/// ```
/// use pleach_text::btcpp::counterpart;
///
/// assert_eq!(counterpart("Fallback").unwrap().keyword, "selector");
/// assert_eq!(counterpart("_skipIf").unwrap().keyword, "skip-if");
/// assert!(counterpart("selector").is_err());
/// ```
///
/// # Errors
/// "Did you mean", if a known name is close.
pub fn counterpart(name: &str) -> Result<Counterpart, Option<String>> {
    let role = ROLES.iter().find(|(known, _)| *known == name);
    let found = match role {
        Some(&(_, role)) => of_attribute(role),
        None => meaning(name).and_then(of_node),
    };
    let known = || names().chain(ROLES.iter().map(|&(known, _)| known));
    found.ok_or_else(|| did_you_mean(name, known()))
}

fn of_node(meaning: Meaning) -> Option<Counterpart> {
    let (keyword, becomes, differs) = match meaning {
        Meaning::Sequence => ("sequence", "", ""),
        Meaning::KeepSequence => ("keep-sequence", "", ""),
        Meaning::ReactiveSequence => ("reactive-sequence", "", LEFT),
        Meaning::Fallback => ("selector", "", ""),
        Meaning::ReactiveFallback => ("reactive-selector", "", LEFT),
        Meaning::Parallel => (
            "parallel",
            "",
            "judged behind its last child (C3). -1 is all, -2 all but one",
        ),
        Meaning::ParallelAll => (
            "parallel",
            "`parallel failure=\"all\"`; between one and all, with a count of failures in a column",
            "0 and more than there are children are refused",
        ),
        Meaning::IfThenElse => ("if-then-else", "", ""),
        Meaning::WhileDoElse => ("while-do-else", "", ""),
        Meaning::Switch(_) => (
            "switch",
            "",
            "the entry needs a type: whole number, truth value or texts",
        ),
        Meaning::PipelineSequence => ("pipeline-sequence", "", NAV2),
        Meaning::RoundRobin => ("round-robin", "", NAV2),
        Meaning::Recovery => ("recovery", "", NAV2),
        Meaning::RateController => ("rate-controller", "", NAV2),
        Meaning::Inverter => ("invert", "", ""),
        Meaning::ForceSuccess => ("succeeder", "", ""),
        Meaning::ForceFailure => ("failer", "", ""),
        Meaning::Repeat => ("repeat", "", TIMES),
        Meaning::Retry => ("repeat-until-success", "", TIMES),
        Meaning::KeepRunningUntilFailure => {
            ("repeat-until-failure", "", "one iteration a tick (D2)")
        }
        Meaning::Timeout => (
            "timeout",
            "",
            "the child is visited before the time is looked at (D4); 0 is off there, and not kept",
        ),
        Meaning::Delay => ("delay", "", ""),
        Meaning::Sleep => ("wait", "", ""),
        Meaning::RunOnce => (
            "run-once-then-skip",
            "`run-once-then-skip`; with `then_skip=\"false\"` `run-once`",
            "",
        ),
        Meaning::Precondition => (
            "when",
            "`when`; by `else`: `success-if`, `skip-if`, or waits for it",
            "",
        ),
        Meaning::BlackboardCheck => (
            "while",
            "`while`, `done-when`, or `while-do-else` with `idle`, by `return_on_mismatch`",
            "",
        ),
        Meaning::AlwaysSuccess => ("succeed", "", ""),
        Meaning::AlwaysFailure => ("fail", "", ""),
        Meaning::Script => ("set", "`set`, several in a `sequence`", ""),
        Meaning::ScriptCondition => (
            "condition",
            "`condition`; behind its assignments, in a `sequence`",
            "",
        ),
        Meaning::SetBlackboard => (
            "set",
            "`set`; a task of the host where the entry is the host's",
            "",
        ),
        Meaning::SubTree => (
            "subtree",
            "",
            "each use has a blackboard of its own; a constant in a port is a parameter",
        ),
        Meaning::Query => ("query", "", ""),
        Meaning::Task => ("task", "", ""),
        Meaning::Action | Meaning::Own => return None,
    };
    Some(Counterpart {
        keyword,
        becomes,
        differs,
    })
}

fn of_attribute(role: Role) -> Option<Counterpart> {
    let (keyword, becomes, differs) = match role {
        Role::FailureIf => ("when", "`when=\"not e\"`", ""),
        Role::SuccessIf => ("success-if", "", ""),
        Role::SkipIf => ("skip-if", "", ""),
        Role::While => ("skip-unless", "", ""),
        Role::OnSuccess => ("on-success", "", EFFECT),
        Role::OnFailure => ("on-failure", "", EFFECT),
        Role::Post => ("on-finish", "", EFFECT),
        Role::OnHalted => (
            "on-halted",
            "",
            "written behind all visits of the tick (F2); a choice of numbers is refused",
        ),
        Role::Code => return None,
    };
    Some(Counterpart {
        keyword,
        becomes,
        differs,
    })
}

const EFFECT: &str = "a choice of numbers (`a ? 1 : 2`) stands behind the node, with a column that says whether it has answered so";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gallery::explain;

    /// The tables in `docs/btcpp.md` say the same.
    #[test]
    fn counterparts_are_those_of_the_documentation() {
        let docs = include_str!("../../../../docs/btcpp.md");
        let rows: Vec<Vec<&str>> = docs
            .lines()
            .filter(|line| line.starts_with("| `"))
            .map(|line| line.split('|').map(str::trim).collect())
            .collect();
        let mut seen = 0;
        let known = names().chain(ROLES.iter().map(|&(known, _)| known));
        for name in known {
            let found = counterpart(name).unwrap_or_else(|_| panic!("{name}"));
            assert!(explain(found.keyword).is_ok(), "{name}");
            let row = rows.iter().find(|row| {
                let names = format!("`{name}`");
                row[1].contains(&names) || row[1].contains(&format!("`{name}=\""))
            });
            let Some(row) = row else { continue };
            seen += 1;
            assert_eq!(row[3], found.differs, "{name}");
            match found.becomes {
                "" if row[2] == "the same" => {}
                "" => assert!(row[2].contains(&format!("`{}`", found.keyword)), "{name}"),
                becomes => assert_eq!(row[2], becomes, "{name}"),
            }
        }
        assert!(seen > 45, "{seen}");
        assert_eq!(
            counterpart("RetryUntilSuccesfull").unwrap_err().as_deref(),
            Some("did you mean `RetryUntilSuccesful`?")
        );
    }
}
