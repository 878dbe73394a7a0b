//! What is different in two texts, line by line, in short.

use pleach_text::visible;

/// The most lines that are shown.
const MAX_LINES: usize = 12;

/// The first lines that differ: what was there with a `-`, what is there now with a `+`. Empty if the
/// texts are the same, ends of lines apart.
///
/// Lines are taken for the same where one of the next few is: that is enough for texts that differ in
/// blanks and line ends only.
pub(crate) fn difference(before: &str, after: &str) -> String {
    const AHEAD: usize = 20;
    let before: Vec<&str> = before.lines().collect();
    let after: Vec<&str> = after.lines().collect();
    let (mut old, mut new) = (0, 0);
    let mut lines: Vec<String> = Vec::new();
    while (old < before.len() || new < after.len()) && lines.len() <= MAX_LINES {
        if before.get(old) == after.get(new) {
            (old, new) = (old + 1, new + 1);
            continue;
        }
        // The nearest pair of lines ahead that are the same.
        let ahead = (1..=2 * AHEAD).find_map(|distance| {
            (0..=distance.min(AHEAD)).find_map(|skip| {
                let (skip, other) = (skip, distance - skip);
                let one = before.get(old + skip)?;
                (after.get(new + other)? == one).then_some((skip, other))
            })
        });
        let (skip, other) = ahead.unwrap_or((AHEAD, AHEAD));
        lines.push(format!("  line {}", old + 1));
        let gone = before.iter().skip(old).take(skip);
        lines.extend(gone.map(|line| format!("  - {}", visible(line))));
        let come = after.iter().skip(new).take(other);
        lines.extend(come.map(|line| format!("  + {}", visible(line))));
        (old, new) = (old + skip, new + other);
    }
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        lines.push("  …".to_owned());
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_lines_that_differ_are_shown() {
        assert_eq!(difference("a\nb\n", "a\nb"), "");
        assert_eq!(
            difference("a\nb  c\n\n\nd\n", "a\nb c\n\nd\n"),
            "  line 2\n  - b  c\n  + b c\n  line 4\n  - \n"
        );
        let long = "x\n".repeat(100);
        let shown = difference(&long, &long.replace('x', "y"));
        assert_eq!(shown.lines().count(), 13);
        assert!(shown.ends_with("…\n"), "{shown}");
    }
}
