//! How wide a text is, when nobody knows its font.

/// How wide a text is at most, in pixels, in whichever of the usual fonts without serifs: they differ, so
/// this goes by the widest of them (DejaVu Sans and Verdana), in parts of the font's size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size
}

/// A text, cut where it would be wider than that many pixels.
pub(crate) fn fitted(text: &str, size: f64, most: f64) -> String {
    let ellipsis = advance('…') * size;
    let mut wide = 0.0;
    // As much as fits with an ellipsis behind it.
    let mut kept = 0;
    for (at, char) in text.char_indices() {
        wide += advance(char) * size;
        if wide > most {
            return format!("{}…", text[..kept].trim_end());
        }
        if wide + ellipsis <= most {
            kept = at + char.len_utf8();
        }
    }
    text.to_owned()
}

fn advance(char: char) -> f64 {
    match char {
        'i' | 'j' | 'l' | '\'' => 0.3,
        ' ' | '.' | ',' | '·' | 'f' => 0.37,
        't' | 'r' | '!' => 0.43,
        'I' | 'J' | '(' | ')' | '[' | ']' | '/' | '\\' | '-' | ':' | ';' | '"' => 0.47,
        'c' | 's' | 'z' | '?' | '|' => 0.56,
        'k' | 'v' | 'x' | 'y' => 0.6,
        'D' | 'G' | 'H' | 'N' | 'O' | 'Q' | 'U' | '&' => 0.79,
        'w' | '#' | '<' | '>' | '=' | '+' | '~' | '^' => 0.84,
        'm' | 'M' | 'W' | '@' | '…' | '—' => 1.0,
        '%' => 1.08,
        'A'..='Z' => 0.7,
        '\u{21}'..='\u{7e}' => 0.64,
        // Latin letters with marks, Greek, Cyrillic.
        '\u{a0}'..='\u{52f}' => 0.85,
        // Anything else: East Asian letters and pictures are a square, a little more at most.
        _ => 1.3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_fits() {
        for text in [
            "",
            "guard",
            "health < 0.3 and not alarm",
            "見張り番の木",
            "…………",
            "WWWWWW",
        ] {
            for most in [0.0, 9.0, 20.0, 50.0, 300.0] {
                let fitted = fitted(text, 10.0, most);
                let wide = width(&fitted, 10.0);
                assert!(
                    wide <= most || fitted == "…",
                    "{fitted:?} is {wide} wide of {most}"
                );
                assert!(fitted == text || fitted.ends_with('…'), "{fitted}");
            }
        }
        assert_eq!(fitted("guard", 10.0, 300.0), "guard");
    }
}
