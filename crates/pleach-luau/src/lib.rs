//! The behavior-tree package for Luau scripts.

mod argument;
mod define;
mod list;
mod node;
mod progress;
mod refusal;
mod surface;
mod tree;
mod turn;

use mlua::{Lua, Table, Value};
use pleach_shape::Status;

use crate::surface::Surface;
use crate::tree::{TreeCore, TreeMaker};

/// Makes the module's table. It is frozen; scripts get at it however the host likes: as a global, from a
/// `require`, from an `Engine:GetPackage`.
///
/// A state may have it more than once; nodes of one are nodes for the other.
///
/// # Errors
/// When the state has no function `error` (its base library was not loaded), or no memory.
pub fn register(lua: &Lua) -> mlua::Result<Table> {
    let surface = Surface::new(lua)?;
    let module = lua.create_table()?;
    for status in Status::ALL {
        let name = turn::status_name(status);
        module.raw_set(name, name)?;
    }
    define::add_to(lua, &module, &surface)?;
    let maker = TreeMaker::new(lua, &surface)?;
    let compile = surface.answering(lua, move |lua, values| maker.compile(lua, values))?;
    module.raw_set("Compile", compile)?;
    module.set_readonly(true);
    Ok(module)
}

/// How many agents' progress a tree holds; `None` for what is not a tree. For hosts that want to see that
/// agents go: it falls when the collector takes them.
pub fn live_agents(tree: &Value) -> Option<usize> {
    TreeCore::of(tree).map(|tree| tree.live.get())
}
