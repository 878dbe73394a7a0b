//! Charts in a line of text.

/// A bar of so many columns, in eighths, filled up with blanks.
pub(crate) fn bar(share: f64, columns: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (columns * 8) as f64).round() as usize;
    // What is there at all is seen.
    let eighths = if share > 0.0 { eighths.max(1) } else { 0 };
    let text = format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8]);
    format!("{text:<columns$}")
}

/// A column for each number, from 0 at the bottom to the greatest of them at the top. An eighth of the
/// line stays free, so that lines below each other do not touch.
pub(crate) fn sparkline(numbers: &[f64]) -> String {
    const EIGHTHS: [char; 7] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];
    let most = numbers.iter().copied().fold(0.0, f64::max);
    let column = |&number: &f64| {
        // Where nothing is, nothing is drawn, and what is there at all is seen.
        if number <= 0.0 || most <= 0.0 {
            return ' ';
        }
        let height = (number / most * EIGHTHS.len() as f64).round() as usize;
        EIGHTHS[height.clamp(1, EIGHTHS.len()) - 1]
    };
    numbers.iter().map(column).collect()
}

/// A share in percent, in at most six columns: never 0 % for what is there.
pub(crate) fn percent(share: f64) -> String {
    match share * 100.0 {
        percent if percent >= 99.95 => format!("{percent:.0} %"),
        percent if percent >= 0.05 => format!("{percent:.1} %"),
        percent if percent > 0.0 => "<0.1 %".to_owned(),
        _ => "0 %".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_and_shares_show_what_is_there() {
        assert_eq!(bar(0.0, 10), "          ");
        assert_eq!(bar(1.0, 10), "██████████");
        assert_eq!(bar(0.45, 10), "████▌     ");
        assert_eq!(bar(1e-9, 4), "▏   ");
        assert_eq!(
            [1.0, 0.999, 0.123, 0.0001, 0.0].map(percent),
            ["100 %", "99.9 %", "12.3 %", "<0.1 %", "0 %"]
        );
    }

    #[test]
    fn sparklines_rise_from_nothing_to_the_most() {
        assert_eq!(sparkline(&[0.0, 0.001, 2.0, 4.0, 7.0]), " ▁▂▄▇");
        assert_eq!(sparkline(&[5.0, 5.0]), "▇▇");
        assert_eq!(sparkline(&[0.0, 0.0, f64::NAN]), "   ");
        assert_eq!(sparkline(&[]), "");
    }
}
