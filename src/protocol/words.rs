//! Small helpers for text that comes from outside: cutting it into words and showing it safely in a message.

/// The words of a line: runs of characters that are not blank.
pub fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Cuts a line after its first word that equals `key`, whatever the case: the words before it and the text after it.
///
/// The text keeps its inner blanks, so that file names survive. `None` when the word does not occur.
pub fn split_at_word<'a>(line: &'a str, key: &str) -> Option<(&'a str, &'a str)> {
    let mut from = 0;
    while let Some(start) = line[from..].find(|c: char| !c.is_whitespace()).map(|at| from + at) {
        let end = line[start..].find(char::is_whitespace).map_or(line.len(), |at| start + at);
        if line[start..end].eq_ignore_ascii_case(key) {
            return Some((line[..start].trim(), line[end..].trim()));
        }
        from = end;
    }
    None
}

/// Text for one line of output: control characters escaped, not more than about `limit` characters.
pub fn shortened(text: &str, limit: usize) -> String {
    let mut out = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == limit {
            out.push_str(&format!("… ({} bytes in all)", text.len()));
            break;
        }
        if c.is_control() {
            out.extend(c.escape_debug());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_a_word_and_not_inside_one() {
        assert_eq!(split_at_word("name Rules value  a  b ", "value"), Some(("name Rules", "a  b")));
        assert_eq!(split_at_word("name devalued VALUE x", "value"), Some(("name devalued", "x")));
        assert_eq!(split_at_word("name Hash value", "value"), Some(("name Hash", "")));
        assert_eq!(split_at_word("name Hash", "value"), None);
    }

    #[test]
    fn what_was_read_is_shown_safely() {
        assert_eq!(shortened("a\0b\r", 60), "a\\0b\\r");
        assert_eq!(shortened(&"x".repeat(70), 60), format!("{}… (70 bytes in all)", "x".repeat(60)));
    }
}
