//! Numbers for people.

/// A number with separators: `100,000`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number that was interpolated, to two digits: `1,200`.
pub fn about(number: f64) -> String {
    let digits = number.max(1.0).log10().floor() as i32;
    let unit = 10f64.powi((digits - 1).max(0));
    grouped(((number / unit).round() * unit) as u64)
}

/// A power of ten or a simple multiple of one, short enough for an axis: `10k`, `0.5`.
pub(crate) fn tick(number: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1e9, "G"), (1e6, "M"), (1e3, "k"), (0.0, "")];
    let (size, unit) = UNITS
        .into_iter()
        .find(|(size, _)| number >= size * 0.999)
        .unwrap_or((0.0, ""));
    let value = if size > 0.0 { number / size } else { number };
    let decimals = (-value.log10().floor()).max(0.0) as usize;
    format!("{value:.decimals$}{unit}")
}

/// Nanoseconds: one digit behind the point, and none where it would say nothing.
pub(super) fn nanos(nanos: f64) -> String {
    if nanos >= 1_000.0 {
        grouped(nanos.round() as u64)
    } else {
        format!("{nanos:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands() {
        assert_eq!(
            [1, 999, 1_000, 1_234_567].map(grouped),
            ["1", "999", "1,000", "1,234,567"]
        );
    }

    #[test]
    fn two_digits() {
        assert_eq!(
            [0.4, 1.2, 9.6, 34.4, 1_249.0, 99_600.0, 1e6].map(about),
            ["0", "1", "10", "34", "1,200", "100,000", "1,000,000"]
        );
    }

    #[test]
    fn ticks_of_axes() {
        assert_eq!(
            [0.05, 0.2, 1.0, 50.0, 1_000.0, 20_000.0, 1e6].map(tick),
            ["0.05", "0.2", "1", "50", "1k", "20k", "1M"]
        );
    }

    #[test]
    fn times() {
        assert_eq!(
            [0.26, 999.94, 1_539.1].map(nanos),
            ["0.3", "999.9", "1,539"]
        );
    }
}
