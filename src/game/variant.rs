//! A variant at run time: names, rules and the board's bit layout; and where to find one by name.

use super::board::Geometry;
use super::kernels::{self, AnyKernel};
use super::rules::RuleSet;
use super::table::{ROWS, Row};
use std::sync::{Arc, OnceLock};

/// A rule set with its names, ready to play. Shared by `Arc`.
#[derive(Debug)]
pub struct Variant {
    /// The name damka writes.
    pub id: String,
    /// A name for people.
    pub title: String,
    /// Other names it answers to.
    pub aliases: Vec<String>,
    /// Where the rules come from.
    pub source: String,
    /// The rules.
    pub set: RuleSet,
    /// The board's bit layout.
    pub geometry: Geometry,
    /// The compiled move generator that serves the rules.
    pub kernel: AnyKernel,
    /// Read from a user's rule file, not built in.
    pub custom: bool,
}

impl Variant {
    fn built_in(row: &Row) -> Variant {
        Variant {
            id: row.id.to_string(),
            title: row.title.to_string(),
            aliases: row.aliases.iter().map(|a| a.to_string()).collect(),
            source: row.source.to_string(),
            set: row.set,
            geometry: Geometry::new(row.set.board),
            kernel: kernels::find(&row.set),
            custom: false,
        }
    }

    /// A user's own rule set.
    pub fn custom(id: &str, title: &str, source: &str, set: RuleSet) -> Arc<Variant> {
        Arc::new(Variant {
            id: id.to_string(),
            title: title.to_string(),
            aliases: Vec::new(),
            source: source.to_string(),
            set,
            geometry: Geometry::new(set.board),
            kernel: kernels::find(&set),
            custom: true,
        })
    }

    /// All built-in variants, in table order.
    pub fn all() -> &'static [Arc<Variant>] {
        static ALL: OnceLock<Vec<Arc<Variant>>> = OnceLock::new();
        ALL.get_or_init(|| ROWS.iter().map(|row| Arc::new(Variant::built_in(row))).collect())
    }

    /// Finds a built-in variant by name or alias; case, blanks, `_` and `-` do not matter.
    pub fn find(name: &str) -> Option<Arc<Variant>> {
        let wanted = squeeze(name);
        let answers = |v: &&Arc<Variant>| squeeze(&v.id) == wanted || v.aliases.iter().any(|a| squeeze(a) == wanted);
        Self::all().iter().find(answers).cloned()
    }
}

fn squeeze(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).flat_map(char::to_lowercase).collect()
}
