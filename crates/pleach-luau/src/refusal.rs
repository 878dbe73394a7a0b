//! Why a call is refused.

/// What a function of the surface answers instead of a value.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// What is wrong, raised as a string at the caller's position.
    Message(String),
    /// An error of the interpreter (out of memory, out of stack), passed on as it is.
    Lua(mlua::Error),
}

impl From<String> for Refusal {
    fn from(message: String) -> Refusal {
        Refusal::Message(message)
    }
}

impl From<mlua::Error> for Refusal {
    fn from(error: mlua::Error) -> Refusal {
        Refusal::Lua(error)
    }
}
