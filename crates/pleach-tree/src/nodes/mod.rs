//! Building nodes in Rust: a function for each kind.

mod composites;
mod decorators;
mod leaves;

pub use composites::{
    Branch, case, concurrent, if_then, if_then_else, otherwise, parallel, random_selector,
    random_sequence, reactive_selector, reactive_sequence, selector, sequence, switch, while_do,
    while_do_else,
};
pub use decorators::{
    abort_when, cooldown, delay, done_when, failer, invert, repeat, repeat_regardless,
    repeat_until_failure, repeat_until_success, run_once, run_while, succeeder, timeout, when,
};
pub use leaves::{
    action, condition, fail, idle, persistent_action, query, set, succeed, task, wait,
};
