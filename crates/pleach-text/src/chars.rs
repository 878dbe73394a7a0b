//! The character classes of KDL 2.

/// How many bytes of newline the text begins with; 0 if it begins with none.
pub(crate) fn newline(text: &str) -> usize {
    if text.starts_with("\r\n") {
        return 2;
    }
    match text.chars().next() {
        Some(c @ ('\r' | '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')) => {
            c.len_utf8()
        }
        _ => 0,
    }
}

pub(crate) fn is_newline(c: char) -> bool {
    newline(c.encode_utf8(&mut [0; 4])) > 0
}

/// A space that ends no line.
pub(crate) fn is_space(c: char) -> bool {
    matches!(
        c,
        '\t' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// A character that may stand nowhere in a file, save as an escape.
pub(crate) fn is_disallowed(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}'
    )
}

/// A character of an unquoted name.
pub(crate) fn is_word(c: char) -> bool {
    !is_space(c)
        && !is_newline(c)
        && !is_disallowed(c)
        && !matches!(
            c,
            '\\' | '/' | '(' | ')' | '{' | '}' | '[' | ']' | ';' | '"' | '#' | '='
        )
}

/// Whether a text reads back as the same name when written without quotes.
pub(crate) fn is_plain_name(text: &str) -> bool {
    text.chars().all(is_word) && matches!(word(text), Word::Name)
}

/// What an unquoted word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    /// A name or text.
    Name,
    /// A number that is well formed.
    Number,
    /// A number that is not, with what is wrong and what to do.
    BadNumber(&'static str, &'static str),
    /// `true`, `null` and the like, which KDL 2 writes with a `#`.
    Keyword,
    /// No character at all.
    Empty,
}

pub(crate) fn word(text: &str) -> Word {
    if matches!(text, "true" | "false" | "null" | "nan" | "inf" | "-inf") {
        return Word::Keyword;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut bytes = unsigned.bytes();
    match (bytes.next(), bytes.next()) {
        (None, _) if text.is_empty() => Word::Empty,
        (Some(b'0'..=b'9'), _) => number(unsigned),
        (Some(b'.'), Some(b'0'..=b'9')) => {
            Word::BadNumber("begins with its point", "write `0.5`, not `.5`")
        }
        _ => Word::Name,
    }
}

fn number(text: &str) -> Word {
    let radix = match text.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0o" | "0O") => 8,
        Some("0b" | "0B") => 2,
        _ => 10,
    };
    if radix != 10 {
        return integer(&text[2..], radix);
    }
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let exponent = exponent.map(|text| text.strip_prefix(['+', '-']).unwrap_or(text));
    [Some(whole), fraction, exponent]
        .into_iter()
        .flatten()
        .map(|digits| integer(digits, 10))
        .find(|&part| part != Word::Number)
        .unwrap_or(Word::Number)
}

/// Digits and `_`, beginning with a digit. Each run of them must fit 127 bits, fractions too: it
/// is what the `kdl` crate can read.
fn integer(text: &str, radix: u32) -> Word {
    if !text.starts_with(|c: char| c.is_digit(radix))
        || !text.chars().all(|c| c == '_' || c.is_digit(radix))
    {
        return Word::BadNumber(
            "is not well formed",
            "numbers look like `12`, `-0.5`, `1e6` or `0xff`; put a text that begins with a digit in quotes",
        );
    }
    let fits = text
        .chars()
        .filter_map(|c| c.to_digit(radix))
        .try_fold(0i128, |sum, digit| {
            sum.checked_mul(radix.into())?.checked_add(digit.into())
        });
    match fits {
        Some(_) => Word::Number,
        None => Word::BadNumber(
            "has too many digits",
            "at most 38 digits can stand together",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart() {
        for text in [
            "0", "-1", "+1_000", "0xff_f", "0b1", "-0o7", "1.5", "1e6", "1.5E-3_0", "1_.5",
        ] {
            assert_eq!(word(text), Word::Number, "{text}");
        }
        for text in [
            "1x", ".5", "-.5", "1.", "1.e5", "0x", "0x_1", "1e", "1.2.3", "0b2", "1e+-2",
        ] {
            assert!(matches!(word(text), Word::BadNumber(..)), "{text}");
        }
        for text in ["a", "-", "+", ".", "-a", "--1", "..5", "flee-now", "über"] {
            assert_eq!(word(text), Word::Name, "{text}");
        }
        assert_eq!(word(&i128::MAX.to_string()), Word::Number);
        assert!(matches!(word(&"9".repeat(39)), Word::BadNumber(..)));
        assert_eq!(word("true"), Word::Keyword);
        assert_eq!(word(""), Word::Empty);
    }
}
