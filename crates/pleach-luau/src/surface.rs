//! Functions that scripts call, and how their errors are raised.

use mlua::{FromLuaMulti, Function, IntoLua, Lua, MaybeSend, Result};

use crate::refusal::Refusal;

/// An error of a Rust function reaches a script as an object without a position. Scripts expect a
/// string that begins with the place of their call, which is what `error` with a level makes. So each
/// function gives a value and a message, and one of these raises the message.
const GLUE: &str = "\
local error = ...
local function answers(raw)
	return function(...)
		local answer, problem = raw(...)
		if problem then
			error(problem, 2)
		end
		return answer
	end
end
local function returns(raw)
	return function(...)
		local _, problem = raw(...)
		if problem then
			error(problem, 2)
		end
	end
end
return answers, returns
";

/// Makes functions for scripts.
pub(crate) struct Surface {
    answers: Function,
    returns: Function,
}

impl Surface {
    /// # Errors
    /// The state has no function `error`, or no memory.
    pub(crate) fn new(lua: &Lua) -> Result<Surface> {
        let error: Function = lua.globals().get("error")?;
        let glue = lua.load(GLUE).set_name("=BehaviorTree");
        let (answers, returns) = glue.call(error)?;
        Ok(Surface { answers, returns })
    }

    /// A function with one result.
    pub(crate) fn answering<A, R>(
        &self,
        lua: &Lua,
        raw: impl Fn(&Lua, A) -> std::result::Result<R, Refusal> + MaybeSend + 'static,
    ) -> Result<Function>
    where
        A: FromLuaMulti,
        R: IntoLua,
    {
        self.answers.call(answer_and_problem(lua, raw)?)
    }

    /// A function without a result.
    pub(crate) fn returning<A: FromLuaMulti>(
        &self,
        lua: &Lua,
        raw: impl Fn(&Lua, A) -> std::result::Result<(), Refusal> + MaybeSend + 'static,
    ) -> Result<Function> {
        let raw = move |lua: &Lua, args| raw(lua, args).map(|()| None::<bool>);
        self.returns.call(answer_and_problem(lua, raw)?)
    }
}

fn answer_and_problem<A, R>(
    lua: &Lua,
    raw: impl Fn(&Lua, A) -> std::result::Result<R, Refusal> + MaybeSend + 'static,
) -> Result<Function>
where
    A: FromLuaMulti,
    R: IntoLua,
{
    lua.create_function(move |lua, args| match raw(lua, args) {
        Ok(answer) => Ok((Some(answer), None)),
        Err(Refusal::Message(problem)) => Ok((None, Some(problem))),
        Err(Refusal::Lua(error)) => Err(error),
    })
}
