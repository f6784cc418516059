//! The options under the names and types of Hub, and the parameters of this protocol alone.

use super::numbering::Style;
use super::trouble::Trouble;
use crate::game::variant::Variant;
use crate::protocol::options::{Choices, Kind, ROWS, Row};
use std::time::Duration;

/// Entries of 16 bytes in a MiB, as a power of two: what Scan's `tt-size` counts.
const ENTRIES_IN_MIB: u32 = 16;

/// The names that Hub clients have for rule sets, beside the program's own.
const CLIENT_NAMES: [&str; 9] =
    ["normal", "killer", "bt", "frisian", "losing", "russian", "brazilian", "english", "italian"];

/// The longest gap that may be set, in milliseconds.
const MAX_GAP: u64 = 100;

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

    /// Least time before a line that a client waits for. A client that was slow to fetch the line before still gets this one
    /// alone.
    pub fn last_gap(&self) -> Duration {
        self.gap() * 5
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
                expected: format!("a whole number from {least} to {most}: the table has 2 to that power entries of 16 bytes"),
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
