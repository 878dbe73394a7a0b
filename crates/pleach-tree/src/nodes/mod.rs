//! Building nodes in Rust: a function for each kind.

mod branches;
mod composites;
mod decorators;
mod effects;
mod guards;
mod leaves;
mod places;
mod skipping;

pub use branches::{
    Branch, case, if_then, if_then_else, otherwise, switch, while_do, while_do_else,
};
pub use composites::{
    concurrent, parallel, random_selector, random_sequence, reactive_selector, reactive_sequence,
    selector, sequence,
};
pub use decorators::{
    cooldown, delay, failer, invert, repeat, repeat_regardless, repeat_until_failure,
    repeat_until_success, run_once, succeeder, timeout,
};
pub use effects::{on_failure, on_finish, on_halted, on_success};
pub use guards::{abort_when, done_when, run_while, when};
pub use leaves::{
    action, condition, fail, idle, persistent_action, query, set, succeed, task, wait, wait_between,
};
pub use places::{keep_sequence, pipeline_sequence, rate_controller, recovery, round_robin};
pub use skipping::{run_once_then_skip, skip_if, skip_unless, success_if};
