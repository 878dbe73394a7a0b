//! Numbers for people.

pub(crate) use pleach_sim::modes::grouped;

/// A number in at most six characters: exact below 10,000, then `12.3k`, `1.23M`.
pub(crate) fn short(number: u64) -> String {
    const UNITS: [(f64, &str); 4] = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    if number < 10_000 {
        return grouped(number);
    }
    scaled(number as f64, &UNITS).unwrap_or_else(|| number.to_string())
}

/// A rate: `5.41M`.
pub(crate) fn rate(number: f64) -> String {
    short(number.round() as u64)
}

/// A time from nanoseconds: `412 ns`, `1.52 ms`.
pub(crate) fn time(nanos: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1e9, " s"), (1e6, " ms"), (1e3, " µs"), (1.0, " ns")];
    scaled(nanos, &UNITS).unwrap_or_else(|| "0 ns".to_owned())
}

/// Three digits and a unit: the greatest that leaves at least 1. Rounding may reach the next one.
fn scaled(number: f64, units: &[(f64, &str)]) -> Option<String> {
    let (size, unit) = units.iter().find(|(size, _)| number >= size * 0.9995)?;
    let value = number / size;
    let decimals = match value {
        value if value >= 99.95 => 0,
        value if value >= 9.995 => 1,
        _ => 2,
    };
    Some(format!("{value:.decimals$}{unit}"))
}

/// A count and its noun: `1 node`, `2 nodes`.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        grouped(number),
        if number == 1 { one } else { many }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(
            [0, 999, 1000, 2_000_000].map(grouped),
            ["0", "999", "1,000", "2,000,000"]
        );
        assert_eq!(
            [9_999, 10_000, 12_345, 999_499, 999_500].map(short),
            ["9,999", "10.0k", "12.3k", "999k", "1.00M"]
        );
        assert_eq!([1_230_000, 45_600_000_000].map(short), ["1.23M", "45.6G"]);
        assert_eq!(
            [0.0, 412.0, 1_520_000.0, 999_999.0, 61e9].map(time),
            ["0 ns", "412 ns", "1.52 ms", "1.00 ms", "61.0 s"]
        );
        assert_eq!(
            [counted(1, "node", "nodes"), counted(0, "node", "nodes")],
            ["1 node", "0 nodes"]
        );
    }
}
