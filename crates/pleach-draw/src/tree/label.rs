//! What a node says of itself, as texts.

use std::borrow::Cow;
use std::time::Duration;

use pleach_text::visible;
use pleach_tree::{Call, CaseValue, Node, NodeKind, Parameter, ParameterValue, Threshold};

use super::icon::{Family, Glyph, Icon};

/// A node in texts, of which none can disturb a terminal: control characters, ends of lines and marks
/// that turn the direction of writing are escaped. They are as long as the tree makes them.
#[derive(Clone, PartialEq, Debug)]
pub struct Label<'a> {
    /// Its sign.
    pub icon: Icon,
    /// What it is, in the word of the tree language.
    pub keyword: &'static str,
    /// What it does: an expression, the name of an action. Empty, where the keyword says it all.
    pub detail: String,
    /// Whether that is the name of an action, task or query.
    pub calls: bool,
    /// Its parameters, `name=value` each.
    pub params: Vec<String>,
    /// The name that somebody gave it.
    pub name: Option<Cow<'a, str>>,
}

impl<'a> Label<'a> {
    /// The texts of a node.
    pub fn of(node: &'a Node) -> Label<'a> {
        let (icon, detail) = describe(node);
        let call = node.kind.call();
        let params = call.map_or(&[][..], |call| &call.params);
        Label {
            icon,
            keyword: node.kind.keyword(),
            detail: visible(&detail).into_owned(),
            calls: call.is_some(),
            params: params.iter().map(parameter).collect(),
            name: node.name.as_deref().map(visible),
        }
    }

    /// The node in few words: its name, or else what it does.
    pub fn title(&self) -> String {
        match (&self.name, self.detail.as_str()) {
            // What an action's name is, its requests say too.
            (Some(name), call) if self.calls => format!("{} {name}: {call}", self.keyword),
            (Some(name), _) => format!("{} {name}", self.keyword),
            (None, "") => self.keyword.to_owned(),
            (None, detail) => format!("{} {detail}", self.keyword),
        }
    }
}

/// The one place that knows all kinds of nodes: the sign of each, and what it does beside what its
/// keyword says.
fn describe(node: &Node) -> (Icon, String) {
    use Glyph as G;
    let composite = |glyphs| Icon::new(Family::Composite, glyphs);
    let decorator = |glyphs| Icon::new(Family::Decorator, glyphs);
    let leaf = Icon::new;
    let nothing = String::new;
    match &node.kind {
        NodeKind::Sequence => (composite(&[G::Arrow]), nothing()),
        NodeKind::Selector => (composite(&[G::Question]), nothing()),
        NodeKind::ReactiveSequence => (composite(&[G::Bar, G::Arrow]), nothing()),
        NodeKind::ReactiveSelector => (composite(&[G::Bar, G::Question]), nothing()),
        NodeKind::RandomSequence => (composite(&[G::Wave, G::Arrow]), nothing()),
        NodeKind::RandomSelector => (composite(&[G::Wave, G::Question]), nothing()),
        NodeKind::Parallel { success, failure } => {
            let children = node.children.len();
            let [success, failure] = [success, failure].map(|threshold| match threshold {
                Threshold::All => children.to_string(),
                Threshold::Count(count) => count.to_string(),
            });
            let text = format!("until {success} of {children} succeed or {failure} fail");
            (composite(&[G::Arrows]), text)
        }
        NodeKind::Concurrent => (composite(&[G::Bar, G::Arrows]), nothing()),
        NodeKind::Switch { on, .. } => (composite(&[G::Bar, G::Fork]), on.clone()),
        NodeKind::IfThenElse => (composite(&[G::Fork]), nothing()),
        NodeKind::WhileDoElse => (composite(&[G::Bar, G::Fork]), nothing()),

        NodeKind::Invert => (decorator(&[G::Not]), nothing()),
        NodeKind::Succeeder => (decorator(&[G::Check]), nothing()),
        NodeKind::Failer => (decorator(&[G::Cross]), nothing()),
        NodeKind::Repeat {
            times,
            break_on_failure,
        } => {
            let mut text = times.map_or(nothing(), count);
            if !break_on_failure {
                text.push_str(if text.is_empty() { "" } else { ", " });
                text.push_str("whatever it answers");
            }
            (decorator(&[G::Again]), text)
        }
        NodeKind::RepeatUntilFailure { max } => (
            decorator(&[G::Again, G::Cross]),
            max.map_or(nothing(), count),
        ),
        NodeKind::RepeatUntilSuccess { max } => (
            decorator(&[G::Again, G::Check]),
            max.map_or(nothing(), count),
        ),
        NodeKind::Cooldown(time) | NodeKind::Timeout(time) | NodeKind::Delay(time) => {
            (decorator(&[G::Clock]), seconds(*time))
        }
        NodeKind::RunOnce => (decorator(&[G::Once]), nothing()),
        NodeKind::When(test) => (decorator(&[G::Diamond]), test.to_string()),
        NodeKind::While(test) | NodeKind::DoneWhen(test) | NodeKind::AbortWhen(test) => {
            (decorator(&[G::Bar, G::Diamond]), test.to_string())
        }

        NodeKind::KeepSequence => (composite(&[G::Check, G::Arrow]), nothing()),
        NodeKind::PipelineSequence => (composite(&[G::Again, G::Arrow]), nothing()),
        NodeKind::RoundRobin => (composite(&[G::Again, G::Question]), nothing()),
        NodeKind::Recovery { retries } => (composite(&[G::Question, G::Again]), count(*retries)),
        NodeKind::RateController(time) => (decorator(&[G::Clock]), seconds(*time)),
        NodeKind::SkipIf(test) => (decorator(&[G::Diamond, G::Dash]), test.to_string()),
        NodeKind::SkipUnless(test) => (decorator(&[G::Bar, G::Diamond]), test.to_string()),
        NodeKind::SuccessIf(test) => (decorator(&[G::Diamond, G::Check]), test.to_string()),
        NodeKind::RunOnceThenSkip => (decorator(&[G::Once, G::Dash]), nothing()),
        NodeKind::OnSuccess { column, value }
        | NodeKind::OnFailure { column, value }
        | NodeKind::OnFinish { column, value }
        | NodeKind::OnHalted { column, value } => {
            (decorator(&[G::Assign]), format!("{column} = {value}"))
        }

        NodeKind::Condition(test) => (leaf(Family::Condition, &[G::Circle]), test.to_string()),
        NodeKind::Query(Call { name, .. }) => (
            leaf(Family::Condition, &[G::Function, G::Question]),
            name.clone(),
        ),
        NodeKind::Action(Call { name, .. }) => (leaf(Family::Action, &[G::Play]), name.clone()),
        NodeKind::PersistentAction(Call { name, .. }) => {
            (leaf(Family::Action, &[G::Bar, G::Play]), name.clone())
        }
        NodeKind::Task(Call { name, .. }) => (leaf(Family::Action, &[G::Function]), name.clone()),
        NodeKind::Set { column, value } => (
            leaf(Family::Action, &[G::Assign]),
            format!("{column} = {value}"),
        ),

        NodeKind::Wait(time) => (leaf(Family::Other, &[G::Clock]), seconds(*time)),
        NodeKind::WaitBetween { min, max } if min == max => {
            (leaf(Family::Other, &[G::Clock]), seconds(*max))
        }
        NodeKind::WaitBetween { min, max } => (
            leaf(Family::Other, &[G::Clock]),
            format!("{} to {}", min.as_secs_f64(), seconds(*max)),
        ),
        NodeKind::Succeed => (leaf(Family::Other, &[G::Check]), nothing()),
        NodeKind::Fail => (leaf(Family::Other, &[G::Cross]), nothing()),
        NodeKind::Idle => (leaf(Family::Other, &[G::Dash]), nothing()),
    }
}

/// What a child is to its parent, where that is more than its place in the order: the case of a switch,
/// `then` and `else`. Given as a parent and the child's place among its children. Like a [`Label`], it can
/// disturb no terminal.
pub fn role(parent: &Node, child: usize) -> Option<Cow<'_, str>> {
    let words: [&'static str; 3] = match &parent.kind {
        NodeKind::Switch { cases, .. } => {
            return Some(match cases.get(child)? {
                None => "else".into(),
                Some(CaseValue::Bool(value)) => value.to_string().into(),
                Some(CaseValue::Int(value)) => value.to_string().into(),
                Some(CaseValue::Label(label)) => visible(label),
            });
        }
        NodeKind::IfThenElse => ["if", "then", "else"],
        NodeKind::WhileDoElse => ["while", "do", "else"],
        _ => return None,
    };
    words.get(child).map(|&word| word.into())
}

fn count(times: u32) -> String {
    match times {
        1 => "once".to_owned(),
        times => format!("{times} times"),
    }
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

fn parameter(param: &Parameter) -> String {
    let value = match &param.value {
        ParameterValue::Const(value) => value.to_string(),
        ParameterValue::Text(text) => format!("{text:?}"),
        ParameterValue::Name(name) => name.clone(),
    };
    visible(&format!("{}={value}", param.name)).into_owned()
}
