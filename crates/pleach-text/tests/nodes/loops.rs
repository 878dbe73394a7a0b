//! Loops and times.

use super::*;

#[test]
fn loops() {
    means("repeat 3 { idle; }", repeat(idle(), 3));
    means("repeat name=r { idle; }", repeat(idle(), None).named("r"));
    means(
        "repeat 2 break-on-failure=#false { idle; }",
        repeat_regardless(idle(), 2),
    );
    means(
        "loop break_on_failure=#true { idle; }",
        repeat(idle(), None),
    );
    means(
        "repeat-until-failure 3 { idle; }",
        repeat_until_failure(idle(), 3),
    );
    means(
        "repeat_until_failure { idle; }",
        repeat_until_failure(idle(), None),
    );
    means(
        "repeat-until-success 4294967295 { idle; }",
        repeat_until_success(idle(), u32::MAX),
    );
    means("retry 3 { idle; }", repeat_until_success(idle(), 3));
    for node in ["repeat", "repeat-until-failure", "repeat-until-success"] {
        for times in ["0", "-1", "4294967296"] {
            let text = format!("{node} {times} {{ idle; }}");
            refused(
                &text,
                times,
                &["is no number of times", "allowed are 1 to 4294967295"],
            );
        }
        refused(
            &format!("{node} 1.5 {{ idle; }}"),
            "1.5",
            &["found the number 1.5", "allowed are 1"],
        );
        refused(
            &format!("{node} #inf {{ idle; }}"),
            "#inf",
            &["expected a number of times"],
        );
        refused(
            &format!("{node} often {{ idle; }}"),
            "often",
            &["the text `often`", "`name=`"],
        );
        refused(
            &format!("{node} (u8)1 {{ idle; }}"),
            "u8)",
            &["no type annotation"],
        );
        refused(
            &format!("{node} 1 2 {{ idle; }}"),
            "2 {",
            &["takes one argument"],
        );
        refused(&format!("{node} 1"), node, &["exactly one child, found 0"]);
        refused(
            &format!("{node} 1 {{ idle; fail; }}"),
            node,
            &["exactly one child, found 2"],
        );
    }
    refused(
        "repeat break-on-failure=1 { idle; }",
        "1 {",
        &["a truth value", "#true"],
    );
    refused(
        "repeat brake-on-failure=1 { idle; }",
        "brake",
        &["did you mean `break-on-failure`?"],
    );
    refused(
        "retry break-on-failure=#true { idle; }",
        "break",
        &["no property `break-on-failure`"],
    );
}

#[test]
fn times() {
    means("cooldown 2.5 { idle; }", cooldown(idle(), seconds(2.5)));
    means(
        "timeout 0.1 name=t { idle; }",
        timeout(idle(), Duration::from_millis(100)).named("t"),
    );
    means("delay 1 { idle; }", delay(idle(), seconds(1.0)));
    means("time-limit 0 { idle; }", timeout(idle(), Duration::ZERO));
    means("run-once here { idle; }", run_once(idle()).named("here"));
    for node in ["cooldown", "timeout", "delay"] {
        for time in [
            "-1",
            "-0.5",
            "#nan",
            "#inf",
            "#-inf",
            "1e300",
            "9999999999999",
        ] {
            let text = format!("{node} {time} {{ idle; }}");
            refused(
                &text,
                time,
                &["is no time", "allowed are 0 to 1152921504606 seconds"],
            );
        }
        refused(
            &format!("{node} \"2\" {{ idle; }}"),
            "\"2\"",
            &[
                "expected a time in seconds, found the text `2`",
                &format!("`{node} 2.5`"),
            ],
        );
        refused(
            &format!("{node} {{ idle; }}"),
            node,
            &["needs a time", &format!("{node} 2.5 {{ … }}")],
        );
        refused(&format!("{node} 1"), node, &["exactly one child, found 0"]);
        refused(
            &format!("{node} 1 {{ idle; fail; }}"),
            node,
            &["found 2", "sequence"],
        );
        refused(
            &format!("{node} 1 2 {{ idle; }}"),
            "2 {",
            &["takes one argument"],
        );
    }
    refused("run-once", "run", &["exactly one child"]);
}

#[test]
fn waits() {
    let [one, four] = [1.0, 4.5].map(Duration::from_secs_f64);
    means("wait 4.5", wait(four));
    means("wait 1 4.5", wait_between(one, four));
    means(
        "wait 0 1e0 name=rest",
        wait_between(Duration::ZERO, one).named("rest"),
    );
    means("wait 1 1", wait_between(one, one));
    refused(
        "wait 5.50 2",
        "5.50 2",
        &[
            "it would wait at least 5.5 and at most 2 seconds",
            "write the shorter time first: `wait 2 5.5`",
        ],
    );
    refused("wait 5 -2", "-2", &["`-2` is no time", "allowed are 0 to"]);
    refused("wait 5 \"x\"", "\"x\"", &["expected a time in seconds"]);
    refused("wait 1 2 3", "3", &["takes 2 arguments, found 3"]);
    refused("wait 1 2 { idle; }", "idle", &["takes no children"]);
    // Each of them is told.
    assert_eq!(errors("wait -1 -2").len(), 2);
    let long = format!("wait 5.{} 2", "0".repeat(400));
    let shown = errors(&long).iter().next().unwrap().message().to_owned();
    assert!(shown.len() < 100, "{shown}");
}
