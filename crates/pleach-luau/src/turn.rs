//! Ticks and resets of an agent: how the callbacks of a script are called.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, MutexGuard};

use mlua::{Error, Function, IntoLuaMulti, Lua, Table, Value};
use pleach_shape::{Status, TokenIndex};
use pleach_vm::{Callee, Exit, SoloCall};

use crate::argument::{describe, seconds, seconds_allowed};
use crate::progress::{Progress, Run};
use crate::refusal::Refusal;
use crate::surface::Surface;
use crate::tree::{Callback, Tree};

/// How deep ticks and resets may nest, each in a callback of the one before.
const MAX_NESTING: u32 = 48;
/// How much of a callback's error is passed on, in bytes.
const MAX_ERROR_BYTES: usize = 1 << 14;

/// The string for a status.
pub(crate) const fn status_name(status: Status) -> &'static str {
    match status {
        Status::Success => "Success",
        Status::Failure => "Failure",
        Status::Running => "Running",
    }
}

/// The status that a value is the string for.
fn status_of(value: &Value) -> Option<Status> {
    let Value::String(text) = value else {
        return None;
    };
    let text = text.as_bytes();
    Status::ALL
        .into_iter()
        .find(|&status| *text == *status_name(status).as_bytes())
}

/// Adds the methods of trees.
pub(crate) fn add_to(lua: &Lua, methods: &Table, surface: &Surface) -> mlua::Result<()> {
    let nesting = Arc::new(AtomicU32::new(0));
    let tick = {
        let nesting = nesting.clone();
        surface.answering(lua, move |lua, (tree, agent, board, dt)| {
            tick(lua, &nesting, &tree, &agent, &board, &dt)
        })?
    };
    methods.raw_set("Tick", tick)?;
    let reset = surface.returning(lua, move |_, (tree, agent, board)| {
        reset(&nesting, &tree, &agent, &board)
    })?;
    methods.raw_set("Reset", reset)?;
    let status = surface.answering(lua, |_, (tree, agent): (Value, Value)| {
        const NAME: &str = "GetLastStatus";
        let tree = tree_of(&tree, NAME, "agent")?;
        check_agent(&agent, NAME)?;
        let progress = tree.agents()?.get(&agent)?;
        let last = progress.and_then(|progress| progress.last());
        Ok(last.map(status_name))
    })?;
    methods.raw_set("GetLastStatus", status)
}

fn tick(
    lua: &Lua,
    nesting: &Arc<AtomicU32>,
    tree: &Value,
    agent: &Value,
    board: &Value,
    dt: &Value,
) -> Result<&'static str, Refusal> {
    const NAME: &str = "Tick";
    let tree = tree_of(tree, NAME, "agent, blackboard, dt")?;
    check_agent(agent, NAME)?;
    let Some(time) = seconds(dt) else {
        let (found, allowed) = (describe(dt), seconds_allowed());
        let message = format!("Tree:{NAME}: argument 3 (dt) is {found}, expected {allowed}");
        return Err(message.into());
    };
    let mut turn = Turn::begin(&tree, nesting, NAME, [agent, board, dt])?;
    let progress = tree.agents()?.get_or_begin(lua, agent, &tree.core)?;
    let mut run = run_of(&progress, NAME)?;
    let time = run.time(time);
    // Only an AbortWhen gives no status, and scripts have none.
    let status = run.solo.tick(time, &mut turn).unwrap_or(Status::Failure);
    drop(run);
    progress.set_last(status);
    turn.end()?;
    Ok(status_name(status))
}

fn reset(
    nesting: &Arc<AtomicU32>,
    tree: &Value,
    agent: &Value,
    board: &Value,
) -> Result<(), Refusal> {
    const NAME: &str = "Reset";
    let tree = tree_of(tree, NAME, "agent, blackboard")?;
    check_agent(agent, NAME)?;
    let agents = tree.agents()?;
    let Some(progress) = agents.get(agent)? else {
        return Ok(());
    };
    let nil = Value::Nil;
    let mut turn = Turn::begin(&tree, nesting, NAME, [agent, board, &nil])?;
    run_of(&progress, NAME)?.solo.reset(&mut turn);
    agents.forget(agent)?;
    turn.end()
}

fn tree_of(value: &Value, method: &str, arguments: &str) -> Result<Tree, Refusal> {
    Tree::of(value).ok_or_else(|| {
        let found = describe(value);
        let message = format!(
            "Tree:{method} was called on {found}, expected a tree: write tree:{method}({arguments})"
        );
        message.into()
    })
}

/// Refuses what cannot be a key, or not the same one twice.
fn check_agent(agent: &Value, method: &str) -> Result<(), Refusal> {
    let fits = match agent {
        Value::Nil | Value::Error(_) | Value::Other(_) => false,
        Value::Number(number) => !number.is_nan(),
        Value::Vector(vector) => ![vector.x(), vector.y(), vector.z()]
            .iter()
            .any(|x| x.is_nan()),
        _ => true,
    };
    if fits {
        return Ok(());
    }
    let found = describe(agent);
    let message = format!(
        "Tree:{method}: argument 1 (agent) is {found}, expected what can be a key of a table"
    );
    Err(message.into())
}

fn run_of<'a>(progress: &'a Progress, method: &str) -> Result<MutexGuard<'a, Run>, Refusal> {
    progress.run().ok_or_else(|| {
        let message = format!(
            "Tree:{method}: this agent is in the middle of a Tick or Reset of this tree; callbacks may \
             tick and reset other agents and other trees, not their own"
        );
        message.into()
    })
}

/// One tick or reset: answers callbacks by calling the script's.
///
/// An error in a callback follows L4: it counts as Failure, an `onEnter` that errs has not entered, and
/// the status that a task has answered stays when its `onExit` errs. The first error is raised when the
/// tick is complete.
struct Turn<'a> {
    tree: &'a Tree,
    functions: Table,
    agent: &'a Value,
    board: &'a Value,
    dt: &'a Value,
    /// The task whose `onEnter` erred a moment ago: neither its `run` nor its `onExit` is called.
    not_entered: Option<TokenIndex>,
    first_error: Option<String>,
    errors: u64,
    nesting: Arc<AtomicU32>,
}

impl<'a> Turn<'a> {
    fn begin(
        tree: &'a Tree,
        nesting: &Arc<AtomicU32>,
        method: &str,
        [agent, board, dt]: [&'a Value; 3],
    ) -> Result<Turn<'a>, Refusal> {
        if nesting.load(Relaxed) >= MAX_NESTING {
            let message = format!(
                "Tree:{method}: it is called in a callback of a Tick that is called in a callback of \
                 another, and so on; allowed are {MAX_NESTING} within each other"
            );
            return Err(message.into());
        }
        let functions = tree.functions()?;
        nesting.fetch_add(1, Relaxed);
        Ok(Turn {
            tree,
            functions,
            agent,
            board,
            dt,
            not_entered: None,
            first_error: None,
            errors: 0,
            nesting: nesting.clone(),
        })
    }

    /// Raises the first error.
    fn end(mut self) -> Result<(), Refusal> {
        let Some(mut message) = self.first_error.take() else {
            return Ok(());
        };
        if self.errors > 1 {
            message += &format!("\n(and {} more in the same call)", self.errors - 1);
        }
        Err(message.into())
    }

    /// Calls a leaf's callback, if it has that one. `None` if it has not, or if there was an error.
    fn call(
        &mut self,
        call: SoloCall,
        callback: Callback,
        arguments: impl IntoLuaMulti,
    ) -> Option<Value> {
        let place = self.tree.core.place(call.function, callback)?;
        let function = self.functions.raw_get(place);
        match function.and_then(|function: Function| function.call(arguments)) {
            Ok(answer) => Some(answer),
            Err(error) => {
                let problem = format!("raised an error: {}", message_of(&error));
                self.error(call, callback, &problem);
                None
            }
        }
    }

    /// Notes an error of a callback.
    #[cold]
    fn error(&mut self, call: SoloCall, callback: Callback, problem: &str) {
        self.errors += 1;
        if self.first_error.is_some() {
            return;
        }
        let name = self.name(call, callback);
        let path = self.tree.core.path(call.node);
        self.first_error = Some(format!("{path}: {name} {problem}"));
    }

    /// What a callback is called, and where it is written.
    fn name(&self, call: SoloCall, callback: Callback) -> String {
        let name = match callback {
            Callback::Run if self.tree.core.is_condition(call.node) => "fn",
            Callback::Run => "run",
            Callback::Enter => "onEnter",
            Callback::Exit => "onExit",
        };
        let place = self.tree.core.place(call.function, callback);
        let function = place.and_then(|place| self.functions.raw_get::<Function>(place).ok());
        let info = function.map(|function| function.info());
        match info.map(|info| (info.short_src, info.line_defined)) {
            Some((Some(source), Some(line))) => format!("{name} ({source}:{line})"),
            _ => name.to_owned(),
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.nesting.fetch_sub(1, Relaxed);
    }
}

impl Callee for Turn<'_> {
    /// Whatever is true in Lua is Success, except a status: "Failure" would be one too.
    fn query(&mut self, call: SoloCall) -> bool {
        let arguments = (self.agent, self.board);
        let Some(answer) = self.call(call, Callback::Run, arguments) else {
            return false;
        };
        if status_of(&answer).is_some() {
            let found = describe(&answer);
            let problem = format!("returned {found}, expected true or false");
            self.error(call, Callback::Run, &problem);
            return false;
        }
        !matches!(answer, Value::Nil | Value::Boolean(false))
    }

    fn enter(&mut self, call: SoloCall) {
        let before = self.errors;
        self.call(call, Callback::Enter, (self.agent, self.board));
        if self.errors > before {
            self.not_entered = Some(call.node);
        }
    }

    fn run(&mut self, call: SoloCall) -> Status {
        if self.not_entered == Some(call.node) {
            return Status::Failure;
        }
        let arguments = (self.agent, self.board, self.dt);
        let Some(answer) = self.call(call, Callback::Run, arguments) else {
            return Status::Failure;
        };
        status_of(&answer).unwrap_or_else(|| {
            let found = describe(&answer);
            let problem =
                format!("returned {found}, expected \"Success\", \"Failure\" or \"Running\"");
            self.error(call, Callback::Run, &problem);
            Status::Failure
        })
    }

    fn exit(&mut self, call: SoloCall, reason: Exit) {
        if self.not_entered.take() == Some(call.node) {
            return;
        }
        let reason = match reason {
            Exit::Success => "Success",
            Exit::Failure => "Failure",
            Exit::Aborted => "Aborted",
        };
        self.call(call, Callback::Exit, (self.agent, self.board, reason));
    }
}

/// What a callback's error says, with its traceback.
fn message_of(error: &Error) -> String {
    let mut message = match error {
        Error::RuntimeError(message) => message.clone(),
        other => other.to_string(),
    };
    message.truncate(message.trim_end().len());
    if message.len() > MAX_ERROR_BYTES {
        message.truncate(message.floor_char_boundary(MAX_ERROR_BYTES));
        message.push('…');
    }
    message
}
