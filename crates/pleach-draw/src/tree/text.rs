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
        'i' | 'j' | 'l' | 'I' | '\'' | '|' | '.' | ',' | ' ' | ':' | ';' | '!' | '·' => 0.36,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '\\' | '-' => 0.43,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' | '—' => 1.02,
        'A'..='Z' | '#' | '&' | '<' | '>' | '=' | '+' | '~' | '^' | 'ƒ' => 0.82,
        'a'..='z' | '0'..='9' | '_' | '"' | '*' | '?' | '$' | '`' | '{' | '}' => 0.645,
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
