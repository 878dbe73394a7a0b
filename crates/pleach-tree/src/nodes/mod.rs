//! Building nodes in Rust: a function for each kind.

mod branches;
mod composites;
mod decorators;
mod guards;
mod leaves;

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
pub use guards::{abort_when, done_when, run_while, when};
pub use leaves::{
    action, condition, fail, idle, persistent_action, query, set, succeed, task, wait, wait_between,
};
