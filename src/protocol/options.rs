//! The options, one row each. The `uci` listing, the parser with its bounds and the test of protocol.md's table all read
//! these rows.

mod rows;

use super::print::MoveFormat;
use crate::engine::book::Taste;
use crate::engine::{FULL_LEVEL, Handicap, Knob, Limits, Params, Settings, TableChoice};
use crate::game::variant::Variant;
use crate::notation::shown;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

pub use rows::ROWS;

/// Everything a user may choose.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The rules in force.
    pub variant: Arc<Variant>,
    /// The built-in variant to return to when there is no rule file.
    pub named: Arc<Variant>,
    /// Path of the rule file in force; empty = none.
    pub rules_file: String,
    /// What the engine is told.
    pub engine: Settings,
    /// 0 to 20; 20 is full strength.
    pub skill: i64,
    /// Weaken the play to `elo`.
    pub limit_strength: bool,
    /// Endgame tables are used.
    pub tables: bool,
    /// Folder of the tables; empty = the user's cache folder.
    pub tables_dir: String,
    /// The strength to play at, on the scale of the levels.
    pub elo: i64,
    /// Where a level's chance comes from; 0 = from nowhere twice.
    pub skill_seed: i64,
    /// The client analyses: never weaken.
    pub analyse: bool,
    /// The client may ponder; only kept.
    pub ponder: bool,
    /// Print chances in info lines.
    pub show_wdl: bool,
    /// Path of the network asked for; empty = the one inside the program.
    pub eval_file: String,
    /// How moves are written.
    pub format: MoveFormat,
    /// Path of the log of both directions; empty = none.
    pub log_file: String,
    /// Play from an opening book.
    pub own_book: bool,
    /// Path of the book; empty = the one inside the program.
    pub book_file: String,
    /// How the book is used.
    pub taste: Taste,
    /// List the numbers of the search too.
    pub tune: bool,
}

/// The highest `Skill Level`.
const FULL_SKILL: i64 = FULL_LEVEL as i64;

/// The bounds of `UCI_Elo`: skill level 0 and full strength.
const ELO: (i64, i64) = (Handicap::elo_of_level(0) as i64, Handicap::elo_of_level(FULL_LEVEL) as i64);

impl Choices {
    /// The defaults, for a variant.
    pub fn new(variant: Arc<Variant>) -> Choices {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        Choices {
            named: variant.clone(),
            variant,
            rules_file: String::new(),
            engine: Settings {
                hash_mb: 64,
                threads: cores.min(MAX_THREADS as usize),
                multi_pv: 1,
                move_overhead_ms: 30,
                tables: TableChoice::Cache,
                ..Settings::default()
            },
            tables: true,
            tables_dir: String::new(),
            skill: FULL_SKILL,
            limit_strength: false,
            elo: ELO.1,
            skill_seed: 0,
            analyse: false,
            ponder: false,
            show_wdl: false,
            eval_file: String::new(),
            format: MoveFormat::Pdn,
            log_file: String::new(),
            own_book: false,
            book_file: String::new(),
            taste: Taste { depth: 20, variety: 50 },
            tune: false,
        }
    }

    /// The level to play at, in hundredths: the weaker of level and Elo, and full strength in analysis.
    fn level(&self) -> u16 {
        let (skill, full) = (100 * self.skill as u16, 100 * FULL_LEVEL);
        match (self.analyse, self.limit_strength) {
            (true, _) => full,
            (_, true) => skill.min(Handicap::level_of_elo(self.elo as u16)),
            _ => skill,
        }
    }

    /// What weakens a search of these limits; `None` at full strength. A search without an end, or for a proved win, is analysis.
    pub fn handicap(&self, limits: &Limits) -> Option<Handicap> {
        if limits.infinite || limits.mate.is_some() {
            return None;
        }
        let seed = match self.skill_seed {
            0 => RandomState::new().build_hasher().finish(),
            seed => seed as u64,
        };
        Handicap::new(self.level(), seed)
    }

    /// Where tables come from, by both options.
    fn choose_tables(&mut self) {
        self.engine.tables = match (self.tables, self.tables_dir.as_str()) {
            (false, _) => TableChoice::Off,
            (true, "") => TableChoice::Cache,
            (true, folder) => TableChoice::Folder(folder.into()),
        };
    }
}

/// What the session has to do after an option was set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing more.
    None,
    /// Tell the engine its new settings.
    Engine,
    /// Start anew with the rules of `named`.
    Variant,
    /// Read the rule file.
    RulesFile,
    /// Read the network.
    EvalFile,
    /// Open or close the log.
    LogFile,
    /// Read the opening book.
    BookFile,
    /// Empty the engine's tables.
    Clear,
}

/// The type of an option, with its bounds and how it is read and kept.
pub enum Kind {
    /// A whole number.
    Spin { min: i64, max: i64, get: fn(&Choices) -> i64, set: fn(&mut Choices, i64) },
    /// Yes or no.
    Check { get: fn(&Choices) -> bool, set: fn(&mut Choices, bool) },
    /// One of some words; `set` says whether it knows the word, so that aliases may be taken too.
    Combo { values: fn() -> Vec<String>, get: fn(&Choices) -> String, set: fn(&mut Choices, &str) -> bool },
    /// Free text; empty is written `<empty>`.
    Text { get: fn(&Choices) -> String, set: fn(&mut Choices, &str) },
    /// Something to press.
    Button,
}

/// One option.
pub struct Row {
    /// Its name; case does not matter.
    pub name: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// What follows when it is set.
    pub effect: Effect,
    /// Its type.
    pub kind: Kind,
}

/// Most search threads.
pub const MAX_THREADS: i64 = 256;

/// Why an option was not set. The text says what was read and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadOption {
    #[error("no option {}, expected one of: {}", shown(.0), names())]
    Unknown(String),
    #[error("option {0}: no value was read, expected {1}")]
    NoValue(&'static str, String),
    #[error("option {0}: {read} was read, expected {1}", read = shown(.2))]
    Value(&'static str, String, String),
}

fn names() -> String {
    ROWS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ")
}

impl Row {
    /// The row's line in the answer to `uci`.
    pub fn listing(&self, defaults: &Choices) -> String {
        let kind = match &self.kind {
            Kind::Spin { min, max, get, .. } => format!("spin default {} min {min} max {max}", get(defaults)),
            Kind::Check { get, .. } => format!("check default {}", get(defaults)),
            Kind::Combo { values, get, .. } => {
                format!("combo default {} var {}", get(defaults), values().join(" var "))
            }
            Kind::Text { get, .. } => {
                let text = get(defaults);
                format!("string default {}", if text.is_empty() { "<empty>" } else { &text })
            }
            Kind::Button => "button".to_string(),
        };
        format!("option name {} type {kind}", self.name)
    }

    /// What a value must look like.
    pub fn expected(&self) -> String {
        match &self.kind {
            Kind::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            Kind::Check { .. } => "true or false".to_string(),
            Kind::Combo { values, .. } => format!("one of: {}", values().join(" ")),
            Kind::Text { .. } => "text, or <empty>".to_string(),
            Kind::Button => "no value".to_string(),
        }
    }

    fn put(&self, choices: &mut Choices, value: &str) -> bool {
        match &self.kind {
            Kind::Spin { min, max, set, .. } => match value.parse() {
                Ok(number) if (*min..=*max).contains(&number) => set(choices, number),
                _ => return false,
            },
            Kind::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => set(choices, true),
                "false" => set(choices, false),
                _ => return false,
            },
            Kind::Combo { set, .. } => return set(choices, value),
            Kind::Text { set, .. } => set(choices, if value == "<empty>" { "" } else { value }),
            Kind::Button => {}
        }
        true
    }
}

/// What the names of the search's own numbers begin with. They are meant for tuning and listed only when asked for at the start.
pub const TUNE: &str = "Tune.";

/// The options' lines in the answer to `uci`.
pub fn listings(defaults: &Choices) -> Vec<String> {
    let knob = |knob: &Knob| {
        let Knob { name, default, min, max, .. } = knob;
        format!("option name {TUNE}{name} type spin default {default} min {min} max {max}")
    };
    let knobs = Params::KNOBS.iter().filter(|_| defaults.tune).map(knob);
    ROWS.iter().map(|row| row.listing(defaults)).chain(knobs).collect()
}

/// Sets one number of the search.
fn tune(choices: &mut Choices, name: &str, value: Option<&str>) -> Result<Effect, BadOption> {
    let knob = Params::KNOBS.iter().find(|knob| knob.name.eq_ignore_ascii_case(name));
    let knob = knob.ok_or_else(|| BadOption::Unknown(format!("{TUNE}{name}")))?;
    let expected = || format!("a whole number from {} to {}", knob.min, knob.max);
    let Some(value) = value else { return Err(BadOption::NoValue(knob.name, expected())) };
    if !value.parse().is_ok_and(|number| choices.engine.params.set(knob.name, number)) {
        return Err(BadOption::Value(knob.name, expected(), value.to_string()));
    }
    Ok(Effect::Engine)
}

/// Sets one option in `choices`; says what else is to be done. On an error nothing has changed.
pub fn set(choices: &mut Choices, name: &str, value: Option<&str>) -> Result<Effect, BadOption> {
    if let Some((prefix, rest)) = name.split_at_checked(TUNE.len())
        && prefix.eq_ignore_ascii_case(TUNE)
    {
        return tune(choices, rest, value);
    }
    let row = ROWS
        .iter()
        .find(|row| row.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| BadOption::Unknown(name.to_string()))?;
    let value = match (&row.kind, value) {
        (Kind::Button | Kind::Text { .. }, None) => "",
        (_, None) => return Err(BadOption::NoValue(row.name, row.expected())),
        (_, Some(value)) => value,
    };
    if !row.put(choices, value) {
        return Err(BadOption::Value(row.name, row.expected(), value.to_string()));
    }
    Ok(row.effect)
}

#[cfg(test)]
mod tests;
