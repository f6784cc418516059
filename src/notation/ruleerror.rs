//! What can be wrong with a rule file, and where.

use std::fmt;
use std::ops::Range;

/// The longest rule file that is read, in bytes.
pub const MAX_BYTES: usize = 64 * 1024;

/// The longest piece of the user's own text that an error repeats, in characters.
const MAX_QUOTE: usize = 40;

/// Where a rule was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A line and a column of the file, both from 1; columns count characters.
    Line { line: usize, column: usize },
    /// A single rule outside a file.
    Rule(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line { line, column } => write!(f, "line {line}, column {column}"),
            Place::Rule(rule) => write!(f, "rule '{rule}'"),
        }
    }
}

/// Why rules were refused. Every text names the place, the field, what was found and what is allowed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RuleFileError {
    /// The file is longer than [`MAX_BYTES`].
    #[error("the rules have {bytes} bytes; allowed: at most {MAX_BYTES} bytes")]
    TooLong { bytes: usize },
    /// The text is not TOML.
    #[error("{place}: {message}; expected TOML, lines such as captures = \"optional\"")]
    Syntax { place: Place, message: String },
    /// A single rule has no `=`.
    #[error("{place}: no '='; expected FIELD=VALUE, such as captures=optional")]
    NoValue { place: Place },
    /// There is no such field.
    #[error("{place}: unknown field '{field}'{}; allowed fields: {allowed}", hint(.nearest))]
    Unknown { place: Place, field: String, nearest: Option<&'static str>, allowed: String },
    /// The value has the wrong type, or is none of the words or numbers the field takes.
    #[error("{place}: {field}: found {found}; allowed: {allowed}")]
    Value { place: Place, field: String, found: String, allowed: String },
    /// A field is given twice.
    #[error("{place}: {field}: given a second time, after {first}; allowed: once")]
    Twice { place: Place, field: &'static str, first: Place },
    /// The value is fine by itself, but not beside another one.
    #[error("{place}: {field}: {why}; allowed: {allowed}")]
    Contradiction { place: Place, field: &'static str, why: String, allowed: String },
}

fn hint(nearest: &Option<&'static str>) -> String {
    nearest.map(|name| format!(", did you mean '{name}'?")).unwrap_or_default()
}

/// What a text came from, to turn a byte range into a [`Place`].
#[derive(Clone, Copy)]
pub(super) enum Origin<'a> {
    File(&'a str),
    Rule(&'a str),
}

impl Origin<'_> {
    /// The place of a byte range; the first line when the range is not known.
    pub(super) fn place(self, span: Option<Range<usize>>) -> Place {
        let text = match self {
            Origin::Rule(rule) => return Place::Rule(clip(rule)),
            Origin::File(text) => text,
        };
        let end = span.map_or(0, |span| span.start).min(text.len());
        let before = String::from_utf8_lossy(&text.as_bytes()[..end]);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Place::Line { line, column }
    }
}

/// The user's own text, short and without control characters.
pub(super) fn clip(text: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    let mut short: String = text.trim().chars().take(MAX_QUOTE).map(clean).collect();
    if text.trim().chars().nth(MAX_QUOTE).is_some() {
        short.push('…');
    }
    short
}

/// Case, blanks, `_` and `-` do not matter in names and words.
pub(super) fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// The name that is written most like `wanted`, if any is close enough to be meant.
pub(super) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = squeeze(wanted).chars().take(MAX_QUOTE).collect();
    let rated = names.map(|name| (edits(&wanted, &squeeze(name)), name));
    let (edits, name) = rated.min_by_key(|&(edits, _)| edits)?;
    (edits <= 1 + wanted.len() / 4).then_some(name)
}

/// Letters to put in, leave out, change or swap with a neighbour. After: the optimal string alignment distance.
fn edits(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let origin = Origin::File("a = 1\r\nżółw = 2\nb");
        assert_eq!(origin.place(Some(0..1)).to_string(), "line 1, column 1");
        assert_eq!(origin.place(Some(17..18)).to_string(), "line 2, column 8");
        assert_eq!(origin.place(Some(19..20)).to_string(), "line 3, column 1");
        assert_eq!(origin.place(Some(900..901)).to_string(), "line 3, column 2");
        assert_eq!(origin.place(None).to_string(), "line 1, column 1");
    }

    #[test]
    fn nearest_finds_slips_and_refuses_strangers() {
        let names = ["captures", "choice", "goal", "rows"];
        let near = |wanted: &str| nearest(wanted, names.iter().copied());
        assert_eq!(near("captrues"), Some("captures"));
        assert_eq!(near("capture"), Some("captures"));
        assert_eq!(near("choise"), Some("choice"));
        assert_eq!(near("Row"), Some("rows"));
        assert_eq!(near("elephant"), None);
        assert_eq!(near(&"x".repeat(60_000)), None);
    }

    #[test]
    fn clip_is_short_and_on_one_line() {
        assert_eq!(clip(" a\nb\u{1b}c "), "a b c");
        assert_eq!(clip(&"ż".repeat(50)).chars().count(), 41);
    }
}
