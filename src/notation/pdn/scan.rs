//! How far the pieces of a text reach: squares, moves, results, tag values, comments.

/// Results that end a game wherever they stand in its main line. None of them can be a move.
pub(super) const RESULTS: [&str; 10] = ["*", "1-0", "0-1", "1/2-1/2", "1/2", "2-0", "0-2", "1-1", "0-0", "½-½"];
/// Signs between the squares of a move.
const SIGNS: [char; 10] = ['-', 'x', 'X', ':', '×', '–', '—', '‑', '−', '*'];
/// Longest move that is read, in bytes; anything longer is text.
pub(super) const MOST: usize = 1024;

/// Length of the result that a text starts with, other than a star.
pub(super) fn result_length(text: &str) -> Option<usize> {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || goes_on(c));
    let is_start = |result: &&&str| text.strip_prefix(**result).is_some_and(ends);
    RESULTS[1..].iter().find(is_start).map(|result| result.len())
}

/// Whether a sign that touches a result makes it something else.
fn goes_on(sign: char) -> bool {
    SIGNS.contains(&sign) && sign != '*' || sign == '/'
}

/// Length of the longest start whose characters all fit.
pub(super) fn run(text: &str, fits: impl Fn(char) -> bool) -> usize {
    text.find(|c| !fits(c)).unwrap_or(text.len())
}

/// A comment's text with each line break, and the blanks around it, as one blank.
pub(super) fn unwrapped(text: &str) -> String {
    if !text.contains('\n') {
        return text.to_string();
    }
    let count = text.split('\n').count();
    let mut out = String::with_capacity(text.len());
    for (nth, line) in text.split('\n').enumerate() {
        let line = if nth > 0 { line.trim_start() } else { line };
        let line = if nth + 1 < count { line.trim_end() } else { line };
        if nth > 0 && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push_str(line);
    }
    out
}

/// The value that starts with the quote at `from`, the length of the tag, and whether it is closed as it should be.
pub(super) fn quoted(line: &str, from: usize) -> (String, usize, bool) {
    let body = &line[from + 1..];
    let is_end = |&(at, _): &(usize, &str)| body[at + 1..].trim_start().starts_with(']');
    let close = body.match_indices('"').find(|place| is_end(place) && !escaped(body, place.0));
    let (raw, length, whole) = match close {
        Some((at, _)) => {
            let bracket = body[at..].find(']').expect("a bracket follows the closing quote") + at;
            (&body[..at], from + 1 + bracket + 1, !body[..at].replace("\\\"", "").contains('"'))
        }
        None => {
            let raw = body.trim_end();
            let raw = raw.strip_suffix(']').unwrap_or(raw);
            (raw.strip_suffix('"').unwrap_or(raw), line.len(), false)
        }
    };
    (raw.replace("\\\"", "\"").replace("\\\\", "\\"), length, whole)
}

/// Whether a quote has an odd number of backslashes before it, and another quote follows that can close.
fn escaped(body: &str, at: usize) -> bool {
    let slashes = body[..at].bytes().rev().take_while(|&byte| byte == b'\\').count();
    slashes % 2 == 1 && body[at + 1..].contains('"')
}

/// Length of a huff `@12/`.
pub(super) fn huff(text: &str) -> Option<usize> {
    let square = square(&text[1..])?;
    text[1 + square..].starts_with('/').then_some(square + 2)
}

/// Length of a square's name: digits, or a letter and digits.
pub(super) fn square(text: &str) -> Option<usize> {
    let letter = usize::from(text.starts_with(|c: char| matches!(c, 'a'..='l' | 'A'..='L')));
    let digits = run(&text[letter..], |c| c.is_ascii_digit());
    (1..=3).contains(&digits).then_some(letter + digits)
}

/// End of the squares and signs that go on behind the square that ends at `end`.
pub(super) fn path(text: &str, mut end: usize) -> usize {
    while end <= MOST {
        let rest = &text[end..];
        if let (true, Some(next)) = (rest.starts_with(|c: char| matches!(c, 'a'..='l' | 'A'..='L')), square(rest)) {
            end += next;
            continue;
        }
        let before = run(rest, |c| matches!(c, ' ' | '\t' | '\u{a0}'));
        let Some(sign) = rest[before..].chars().next().filter(|c| SIGNS.contains(c)) else {
            return end;
        };
        let start = before + sign.len_utf8();
        let after = run(&rest[start..], char::is_whitespace);
        let Some(next) = square(&rest[start + after..]) else {
            return end;
        };
        let stop = start + after + next;
        let padded = before + after > 0;
        // `28 - 2.` and `28 - 1-0`: a dash in place of a move, then a move number or a result.
        let other = |text: &str| text[next..].starts_with(['.', '…']) || result_length(text).is_some();
        if padded && (sign == '*' || other(&rest[start + after..])) {
            return end;
        }
        end += stop;
    }
    end
}

/// The result that a text is, once its blanks are gone.
pub(super) fn result(text: &str) -> Option<&'static str> {
    if text.len() > 12 || !text.starts_with(['0', '1', '2']) {
        return None;
    }
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    RESULTS.iter().find(|&&result| result == bare).copied()
}
