//! The options under the names and types of Hub, and the parameters of this protocol alone.

use super::numbering::Style;
use super::trouble::Trouble;
use crate::engine::Limits;
use crate::game::variant::Variant;
use crate::protocol::options::{Choices, Kind, ROWS, Row};
use std::time::Duration;

/// Entries of 16 bytes in a MiB, as a power of two: what Scan's `tt-size` counts.
const ENTRIES_IN_MIB: u32 = 16;

/// The names that Hub clients have for rule sets, beside the program's own.
const CLIENT_NAMES: [&str; 10] =
    ["normal", "killer", "bt", "frisian", "frysk!", "losing", "russian", "brazilian", "english", "italian"];

/// The longest gap that may be set, in milliseconds.
const MAX_GAP: u64 = 100;

/// How many gaps a client on a busy machine may be late.
const SLOW: u32 = 20;

/// What only Hub has a use for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manners {
    /// How squares are counted.
    pub style: Style,
    /// Least time between two lines of the introduction, in milliseconds.
    pub gap_ms: u64,
}

impl Default for Manners {
    fn default() -> Manners {
        Manners { style: Style::default(), gap_ms: 1 }
    }
}

impl Manners {
    /// Least time between two lines of the introduction.
    pub fn gap(&self) -> Duration {
        Duration::from_millis(self.gap_ms)
    }

    /// Least time between the line before `wait` and `wait`. A client that was slow to fetch the one still gets the other alone.
    pub fn before_wait(&self) -> Duration {
        self.gap() * SLOW
    }

    /// Least time between the last news of a search and `done`: long where it costs nothing, short where a clock runs.
    pub fn before_done(&self, limits: &Limits) -> Duration {
        match (limits.movetime_ms, limits.depth) {
            _ if limits.clock.is_some() || limits.nodes.is_some() => self.gap(),
            (Some(movetime), _) => (self.gap() * SLOW).min(Duration::from_millis(movetime / 5)),
            (None, Some(_)) => self.gap() * SLOW,
            (None, None) => self.gap(),
        }
    }
}

/// What setting a parameter comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Setting {
    /// Nothing: the value is in force, or nobody needs to know it.
    Nothing,
    /// The manners changed.
    Manners(Manners),
    /// An option is to be set.
    Option { name: &'static str, value: String },
}

/// The options that are parameters here: all but the format of moves, which the protocol settles.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(|row| row.name != "UCI_MoveFormat")
}

/// The parameter's name: lower case with dashes, without `UCI_`; the size of the table is called and counted as in Scan.
pub fn name(row: &Row) -> String {
    if is_table_size(row) { "tt-size".to_string() } else { dashed(row.name) }
}

fn is_table_size(row: &Row) -> bool {
    row.name == "Hash"
}

fn is_variant(row: &Row) -> bool {
    row.name == "UCI_Variant"
}

/// `Move Overhead`, `MultiPV`, `UCI_ShowWDL` to `move-overhead`, `multi-pv`, `show-wdl`.
fn dashed(name: &str) -> String {
    let mut out = String::new();
    let mut small = false;
    for c in name.strip_prefix("UCI_").unwrap_or(name).chars() {
        if c == ' ' || c == '_' || small && c.is_ascii_uppercase() {
            out.push('-');
        }
        if c != ' ' && c != '_' {
            out.push(c.to_ascii_lowercase());
        }
        small = c.is_ascii_lowercase();
    }
    out
}

/// The declaration of every parameter. The values come last, as clients need it.
pub fn listing(defaults: &Choices) -> Vec<String> {
    let row = |row| format!("param name={} value={} {}", name(row), quoted(&value(row, defaults)), kind(row));
    let manners = Manners::default();
    let styles = Style::ALL.map(Style::name).join(" ");
    rows()
        .map(row)
        .chain([
            format!("param name=square-numbering value={} type=enum values=\"{styles}\"", manners.style.name()),
            format!("param name=line-gap value={} type=int min=0 max={MAX_GAP}", manners.gap_ms),
        ])
        .collect()
}

fn kind(row: &Row) -> String {
    match &row.kind {
        Kind::Spin { min, max, .. } if is_table_size(row) => {
            format!("type=int min={} max={}", table_size(*min as usize), table_size(*max as usize))
        }
        Kind::Spin { min, max, .. } => format!("type=int min={min} max={max}"),
        Kind::Check { .. } | Kind::Button => "type=bool".to_string(),
        Kind::Text { .. } => "type=string".to_string(),
        Kind::Combo { .. } if is_variant(row) => format!("type=enum values=\"{}\"", variants().join(" ")),
        Kind::Combo { values, .. } => format!("type=enum values=\"{}\"", values().join(" ")),
    }
}

/// The value in force, as the protocol writes it.
fn value(row: &Row, choices: &Choices) -> String {
    match &row.kind {
        Kind::Spin { .. } if is_table_size(row) => table_size(choices.engine.hash_mb).to_string(),
        Kind::Spin { get, .. } => get(choices).to_string(),
        Kind::Check { get, .. } => get(choices).to_string(),
        Kind::Combo { .. } if is_variant(row) => client_name(&choices.named).to_string(),
        Kind::Combo { get, .. } | Kind::Text { get, .. } => get(choices),
        Kind::Button => "false".to_string(),
    }
}

fn table_size(hash_mb: usize) -> u32 {
    ENTRIES_IN_MIB + hash_mb.max(1).ilog2()
}

/// What clients call a rule set.
fn client_name(variant: &Variant) -> &str {
    let known = |name: &&&str| Variant::find(name).is_some_and(|found| found.id == variant.id);
    CLIENT_NAMES.iter().find(known).copied().unwrap_or(&variant.id)
}

/// Every name of a rule set that is declared: those of clients, then the program's own.
fn variants() -> Vec<String> {
    let mut names: Vec<String> = CLIENT_NAMES.iter().map(|name| name.to_string()).collect();
    for variant in Variant::all() {
        if !names.contains(&variant.id) {
            names.push(variant.id.clone());
        }
    }
    names
}

/// A value as it stands in a line; a quotation mark cannot be said.
pub fn quoted(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c == '"' { '\'' } else { c }).filter(|c| !c.is_control()).collect();
    let bare = !clean.is_empty() && !clean.contains(|c: char| c.is_whitespace() || c == '=');
    if bare { clean } else { format!("\"{clean}\"") }
}

/// What setting a parameter means, given what is in force.
///
/// Clients send all parameters back as they were declared; a value that is in force already changes nothing, so that rules read
/// from a file or laid over on the command line stay.
pub fn set(choices: &Choices, manners: &Manners, wanted: &str, new: &str) -> Result<Setting, Trouble> {
    match wanted {
        "square-numbering" => return style(manners, new),
        "line-gap" => return gap(manners, new),
        // One bot tells this to every engine.
        "initial-time" => return Ok(Setting::Nothing),
        _ => {}
    }
    let answers = |row: &&Row| name(row) == wanted || dashed(row.name) == wanted || row.name == wanted;
    let Some(row) = rows().find(answers) else {
        return Err(Trouble::Parameter { read: wanted.to_string(), known: known() });
    };
    let in_force = match &row.kind {
        _ if is_variant(row) => Variant::find(new).is_some_and(|found| found.id == choices.named.id),
        Kind::Button => !new.eq_ignore_ascii_case("true"),
        _ => name(row) == wanted && value(row, choices) == new,
    };
    if in_force {
        return Ok(Setting::Nothing);
    }
    let value = match &row.kind {
        Kind::Spin { min, max, .. } if name(row) == wanted && is_table_size(row) => {
            let (least, most) = (table_size(*min as usize), table_size(*max as usize));
            let size = new.parse().ok().filter(|size| (least..=most).contains(size)).ok_or_else(|| Trouble::Value {
                name: "tt-size",
                read: new.to_string(),
                expected: format!(
                    "a whole number from {least} to {most}: the table has 2 to that power entries of 16 bytes"
                ),
            })?;
            (1_u64 << (size - ENTRIES_IN_MIB)).to_string()
        }
        _ => new.to_string(),
    };
    Ok(Setting::Option { name: row.name, value })
}

fn known() -> String {
    let names: Vec<String> = rows().map(name).chain(["square-numbering".into(), "line-gap".into()]).collect();
    names.join(" ")
}

fn style(manners: &Manners, new: &str) -> Result<Setting, Trouble> {
    let style = Style::ALL.into_iter().find(|style| style.name().eq_ignore_ascii_case(new));
    let style = style.ok_or_else(|| Trouble::Value {
        name: "square-numbering",
        read: new.to_string(),
        expected: format!("one of: {}", Style::ALL.map(Style::name).join(" ")),
    })?;
    Ok(Setting::Manners(Manners { style, ..*manners }))
}

fn gap(manners: &Manners, new: &str) -> Result<Setting, Trouble> {
    let gap_ms = new.parse().ok().filter(|gap| *gap <= MAX_GAP).ok_or_else(|| Trouble::Value {
        name: "line-gap",
        read: new.to_string(),
        expected: format!("milliseconds from 0 to {MAX_GAP}"),
    })?;
    Ok(Setting::Manners(Manners { gap_ms, ..*manners }))
}

#[cfg(test)]
mod tests {
    use super::super::command::{self, Command};
    use super::*;

    fn fresh() -> Choices {
        Choices::new(Variant::find("international").expect("built in"))
    }

    fn option(choices: &Choices, name: &str, value: &str) -> Option<(&'static str, String)> {
        match set(choices, &Manners::default(), name, value).expect("a good setting") {
            Setting::Option { name, value } => Some((name, value)),
            Setting::Nothing => None,
            Setting::Manners(manners) => panic!("{manners:?}"),
        }
    }

    fn error(name: &str, value: &str) -> String {
        set(&fresh(), &Manners::default(), name, value).expect_err("a bad setting").to_string()
    }

    #[test]
    fn every_option_is_declared_under_a_name_of_its_own() {
        let names: Vec<String> = rows().map(name).collect();
        assert_eq!(names.len(), ROWS.len() - 1);
        assert!(names.iter().all(|n| n.chars().all(|c| c.is_ascii_lowercase() || c == '-')), "{names:?}");
        for wanted in ["tt-size", "threads", "multi-pv", "variant", "rules-file", "move-overhead", "show-wdl", "elo"] {
            assert_eq!(names.iter().filter(|n| *n == wanted).count(), 1, "{wanted}");
        }
    }

    #[test]
    fn declarations_are_read_by_every_client() {
        for line in listing(&fresh()) {
            // Tokens outside quotes: name=value with one `=`, and the values last.
            let mut quotes = 0;
            let outside: String = line
                .chars()
                .filter(|&c| {
                    quotes += usize::from(c == '"');
                    quotes % 2 == 0
                })
                .collect();
            for token in outside.split(' ').skip(1) {
                assert_eq!(token.matches('=').count(), 1, "{line}");
            }
            if let Some(at) = line.find("values=") {
                assert!(line.ends_with('"') && !line[at..].trim_end_matches('"')[8..].contains('"'), "{line}");
            }
        }
        let lines = listing(&fresh());
        assert_eq!(lines[0], "param name=tt-size value=22 type=int min=16 max=32");
        let variants = lines.iter().find(|line| line.contains("name=variant ")).expect("declared");
        assert!(variants.starts_with("param name=variant value=normal type=enum values=\"normal killer bt frisian "));
        assert!(lines.contains(&"param name=rules-file value=\"\" type=string".to_string()));
        assert!(lines.contains(&"param name=clear-hash value=false type=bool".to_string()));
    }

    #[test]
    fn every_declared_variant_can_be_set() {
        for name in variants() {
            assert!(Variant::find(&name).is_some(), "{name}");
        }
        assert!(Variant::all().iter().all(|variant| variants().contains(&variant.id)));
    }

    #[test]
    fn the_table_is_counted_in_entries_or_in_mib() {
        assert_eq!(option(&fresh(), "tt-size", "24"), Some(("Hash", "256".into())));
        assert_eq!(option(&fresh(), "tt-size", "16"), Some(("Hash", "1".into())));
        assert_eq!(option(&fresh(), "hash", "100"), Some(("Hash", "100".into())));
        assert!(
            error("tt-size", "15")
                .starts_with("bad parameter tt-size: '15' was read, expected a whole number from 16 to 32")
        );
        assert!(error("tt-size", "4294967296").starts_with("bad parameter tt-size: "));
    }

    #[test]
    fn what_is_in_force_changes_nothing() {
        let mut choices = fresh();
        choices.engine.hash_mb = 100;
        for row in rows() {
            assert_eq!(option(&choices, &name(row), &value(row, &choices)), None, "{}", row.name);
        }
        assert_eq!(option(&choices, "variant", "international"), None);
        assert_eq!(option(&choices, "initial-time", "60"), None);
        assert_eq!(option(&choices, "variant", "Russian"), Some(("UCI_Variant", "Russian".into())));
        assert_eq!(option(&choices, "clear-hash", "true"), Some(("Clear Hash", "true".into())));
    }

    #[test]
    fn the_protocols_own_parameters_are_read() {
        let old = Manners::default();
        let native = Setting::Manners(Manners { style: Style::Native, ..old });
        assert_eq!(set(&fresh(), &old, "square-numbering", "native").expect("known"), native);
        let quick = Setting::Manners(Manners { gap_ms: 0, ..old });
        assert_eq!(set(&fresh(), &old, "line-gap", "0").expect("in bounds"), quick);
        assert!(error("line-gap", "101").ends_with("'101' was read, expected milliseconds from 0 to 100"));
        assert!(error("square-numbering", "roman").ends_with("expected one of: pydraughts native"));
        assert!(
            error("bb-size", "6").starts_with("bad parameter: 'bb-size' was read, expected one of: tt-size threads ")
        );
    }

    #[test]
    fn done_waits_where_it_costs_nothing() {
        let wait = |line: &str, gap_ms: u64| {
            let Ok(Some(Command::Level(level))) = command::parse(line) else { panic!("{line}") };
            Manners { gap_ms, ..Manners::default() }.before_done(&level.limits()).as_millis()
        };
        for (line, least) in [
            ("level depth=5", 20),
            ("level move-time=1", 20),
            ("level move-time=0.04 depth=3", 8),
            ("level nodes=100", 1),
            ("level time=60", 1),
            ("level infinite", 1),
        ] {
            assert_eq!(wait(line, 1), least, "{line}");
            assert_eq!(wait(line, 0), 0, "{line}");
        }
    }

    #[test]
    fn values_are_quoted_when_they_must_be() {
        for (text, written) in [("a", "a"), ("", "\"\""), ("a b", "\"a b\""), ("a=b", "\"a=b\""), ("a\"b\n", "a'b")] {
            assert_eq!(quoted(text), written);
        }
    }
}
