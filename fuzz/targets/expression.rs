#![no_main]
//! Expressions of the tree language: `cargo +nightly fuzz run expression`.

use libfuzzer_sys::fuzz_target;
use pleach_fuzz::play;
use pleach_tree::{Expr, Tree, compile, condition, set};

fuzz_target!(|text: &str| {
    let Ok(expr) = Expr::parse(text) else {
        return;
    };
    let written = expr.to_string();
    assert_eq!(Expr::parse(&written).as_ref(), Ok(&expr), "{written}");
    let declared = || {
        Tree::build("t")
            .column("b", false)
            .column("u", 3_u8)
            .column("w", 400_u16)
            .column("i", -7_i32)
            .column("f", 0.5_f32)
            .column("e", 9_u64)
            .enumeration("m", ["idle", "alert"])
            .world("wb", true)
            .world("wi", 5_i32)
            .world("wf", -2.5_f32)
    };
    let roots = ["b", "u", "w", "i", "f", "e", "m"].map(|column| set(column, expr.clone()));
    for root in roots.into_iter().chain([condition(expr)]) {
        if let Ok(shape) = compile(&declared().root(root)) {
            play(&shape);
        }
    }
});
