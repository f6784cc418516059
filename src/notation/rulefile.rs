//! A user's own rules: read from a TOML file or from single `FIELD=VALUE` rules, written, listed and explained.
//!
//! Everything here is derived from the table in `fields`; a file changes what it names and takes the rest from its base.

use super::fields::{self, FIELDS, Field};
use super::rulecheck::{self, Clash};
pub use super::ruleerror::{MAX_BYTES, Place, RuleFileError};
use super::ruleerror::{Origin, clip, nearest, squeeze};
use super::rulevalue::{Span, Wrong};
use crate::game::rules::{EndingLimits, RuleSet};
use crate::game::variant::Variant;
use serde_json::json;
use std::fmt::Write;
use std::sync::Arc;
use toml_edit::{Document, Item, Value};

/// The fields of a file that are not rules: name, help, allowed values.
const HEAD: [(&str, &str, &str); 3] = [
    (
        "name",
        "The name of the rule set, `custom` without it.",
        "1 to 40 letters, digits, '-', '_' or '.', not the name of a built-in rule set with other rules",
    ),
    ("title", "A name for people.", "1 to 100 characters on one line"),
    (
        "base",
        "The built-in rule set, by name or alias, that the file changes; `international` without it.",
        "the name of a built-in rule set",
    ),
];

/// The base of a file that names none.
const DEFAULT_BASE: &str = "international";

/// One field that the user wrote.
struct Entry<'a> {
    name: &'static str,
    item: &'a Item,
    key: Span,
    origin: Origin<'a>,
}

impl Entry<'_> {
    fn place(&self) -> Place {
        self.origin.place(self.key.clone())
    }

    fn refused(&self, wrong: Wrong, allowed: impl FnOnce() -> String) -> RuleFileError {
        RuleFileError::Value {
            place: self.origin.place(wrong.span.or(self.key.clone())),
            field: format!("{}{}", self.name, wrong.within),
            found: wrong.found,
            allowed: wrong.allowed.unwrap_or_else(allowed),
        }
    }
}

/// Reads a rule file. The file is text already; whoever has a path opens it and may refuse to read more than
/// [`MAX_BYTES`].
pub fn read(text: &str) -> Result<Arc<Variant>, RuleFileError> {
    if text.len() > MAX_BYTES {
        return Err(RuleFileError::TooLong { bytes: text.len() });
    }
    let origin = Origin::File(text);
    let document = Document::parse(text).map_err(|error| RuleFileError::Syntax {
        place: origin.place(error.span()),
        message: error.message().lines().collect::<Vec<_>>().join(", "),
    })?;
    let table = document.as_table();
    let mut entries = Vec::new();
    for (key, item) in table.iter() {
        let span = table.key(key).and_then(|key| key.span()).or(item.span());
        let known = HEAD.iter().map(|head| head.0).find(|head| squeeze(head) == squeeze(key));
        let Some(name) = known.or_else(|| fields::find(key).map(|field| field.name)) else {
            return Err(unknown(key, origin.place(span), true));
        };
        entries.push(Entry { name, item, key: span, origin });
    }
    once_each(&entries)?;
    assemble(&entries)
}

fn assemble(entries: &[Entry]) -> Result<Arc<Variant>, RuleFileError> {
    let head = |name: &str| entries.iter().find(|entry| entry.name == name);
    let base = match head("base") {
        Some(entry) => base(entry)?,
        None => Variant::find(DEFAULT_BASE).expect("the default base is built in"),
    };
    let set = change(&base.set, entries)?;
    let id = match head("name") {
        Some(entry) => name(entry, &set)?,
        None => "custom".to_string(),
    };
    let title = match head("title") {
        Some(entry) => title(entry)?,
        None => format!("{}, own rules", base.title),
    };
    Ok(Variant::custom(&id, &title, "a rule file", set))
}

fn base(entry: &Entry) -> Result<Arc<Variant>, RuleFileError> {
    let names = || Variant::all().iter().map(|variant| variant.id.as_str());
    let allowed = || names().collect::<Vec<_>>().join(", ");
    let word = entry.item.as_str();
    if let Some(variant) = word.and_then(Variant::find) {
        return Ok(variant);
    }
    let mut wrong = Wrong::value(entry.item);
    if let Some(near) = word.and_then(|word| nearest(word, names())) {
        write!(wrong.found, " (did you mean \"{near}\"?)").expect("a string can be written to");
    }
    Err(entry.refused(wrong, allowed))
}

fn name(entry: &Entry, set: &RuleSet) -> Result<String, RuleFileError> {
    let plain = |name: &&str| {
        let sign = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        (1..=40).contains(&name.chars().count()) && name.chars().all(sign)
    };
    // Under a built-in name other rules would be taken for the built-in ones.
    let taken = |name: &str| Variant::find(name).is_some_and(|variant| variant.set != *set);
    match entry.item.as_str().filter(plain) {
        Some(name) if !taken(name) => Ok(name.to_string()),
        _ => Err(entry.refused(Wrong::value(entry.item), || HEAD[0].2.to_string())),
    }
}

fn title(entry: &Entry) -> Result<String, RuleFileError> {
    let fits = |title: &&str| (1..=100).contains(&title.chars().count()) && !title.chars().any(char::is_control);
    match entry.item.as_str().filter(fits) {
        Some(title) => Ok(title.to_string()),
        None => Err(entry.refused(Wrong::value(entry.item), || HEAD[1].2.to_string())),
    }
}

/// Changes a rule set by one rule `FIELD=VALUE`, such as `captures=optional`.
pub fn apply(set: &mut RuleSet, rule: &str) -> Result<(), RuleFileError> {
    *set = change_by_rules(set, &[rule])?;
    Ok(())
}

/// A variant with some rules changed, each written `FIELD=VALUE`. All of them are looked at together, so their order
/// does not matter. Without rules it is the variant itself.
pub fn with_rules<S: AsRef<str>>(variant: &Arc<Variant>, rules: &[S]) -> Result<Arc<Variant>, RuleFileError> {
    if rules.is_empty() {
        return Ok(variant.clone());
    }
    let rules: Vec<&str> = rules.iter().map(S::as_ref).collect();
    let set = change_by_rules(&variant.set, &rules)?;
    let id = if variant.custom { variant.id.clone() } else { format!("{}-custom", variant.id) };
    let list: Vec<String> = rules.iter().map(|rule| clip(rule)).collect();
    let title = format!("{} with {}", variant.title, list.join(", "));
    Ok(Variant::custom(&id, &title, "rules given one by one", set))
}

fn change_by_rules(base: &RuleSet, rules: &[&str]) -> Result<RuleSet, RuleFileError> {
    let bytes = rules.iter().map(|rule| rule.len()).sum();
    if bytes > MAX_BYTES {
        return Err(RuleFileError::TooLong { bytes });
    }
    let mut parts = Vec::new();
    for rule in rules {
        let place = Origin::Rule(rule).place(None);
        let (key, value) = rule.split_once('=').ok_or(RuleFileError::NoValue { place: place.clone() })?;
        let field = fields::find(key).ok_or_else(|| unknown(key, place, false))?;
        // What is not TOML is a word without its quotes.
        let value = value.trim();
        parts.push((field.name, Item::Value(value.parse().unwrap_or_else(|_| value.into())), *rule));
    }
    let entries: Vec<Entry> =
        parts.iter().map(|(name, item, rule)| Entry { name, item, key: None, origin: Origin::Rule(rule) }).collect();
    once_each(&entries)?;
    change(base, &entries)
}

fn unknown(key: &str, place: Place, head: bool) -> RuleFileError {
    let heads = HEAD.iter().map(|head| head.0).filter(|_| head);
    let names: Vec<&'static str> = heads.chain(FIELDS.iter().map(|field| field.name)).collect();
    RuleFileError::Unknown {
        place,
        field: clip(key),
        nearest: nearest(key, names.iter().copied()),
        allowed: names.join(", "),
    }
}

fn once_each(entries: &[Entry]) -> Result<(), RuleFileError> {
    for (place, entry) in entries.iter().enumerate() {
        if let Some(first) = entries[..place].iter().find(|first| first.name == entry.name) {
            return Err(RuleFileError::Twice { place: entry.place(), field: entry.name, first: first.place() });
        }
    }
    Ok(())
}

/// The rules of `base`, changed by what the user wrote. The fields proper are read first, so that a short-cut can be
/// held against them.
fn change(base: &RuleSet, entries: &[Entry]) -> Result<RuleSet, RuleFileError> {
    let rows = || entries.iter().filter_map(|entry| Some((entry, fields::find(entry.name)?)));
    let take = |set: &mut RuleSet, entry: &Entry, field: &Field| {
        field.read(set, entry.item).map_err(|wrong| entry.refused(wrong, || field.allowed()))
    };
    let mut set = *base;
    for (entry, field) in rows().filter(|(_, field)| !field.is_short_cut()) {
        take(&mut set, entry, field)?;
    }
    for (entry, short_cut) in rows().filter(|(_, field)| field.is_short_cut()) {
        let before = set;
        take(&mut set, entry, short_cut)?;
        for (other, field) in rows().filter(|(_, field)| short_cut.sets.contains(&field.name)) {
            if field.write(&before).to_string() != field.write(&set).to_string() {
                return Err(against(entry, other, field, &before));
            }
        }
    }
    let named = |name: &str| rows().any(|(entry, field)| entry.name == name || field.sets.contains(&name));
    let blame = |clash| blame(clash, entries);
    rulecheck::settle(&mut set, named).map_err(blame)?;
    rulecheck::check(&set).map_err(blame)?;
    if !named("game_type") && !same_game(base, &set) {
        set.game_type = 0;
    }
    Ok(set)
}

fn against(short_cut: &Entry, other: &Entry, field: &Field, set: &RuleSet) -> RuleFileError {
    RuleFileError::Contradiction {
        place: short_cut.place(),
        field: short_cut.name,
        why: format!("says other than {} = {} ({})", field.name, field.write(set).to_string().trim(), other.place()),
        allowed: format!("one of the two, {} or {}", short_cut.name, field.name),
    }
}

fn blame(clash: Clash, entries: &[Entry]) -> RuleFileError {
    let wrote = |name: &&'static str| {
        let sets = |entry: &Entry| fields::find(entry.name).is_some_and(|field| field.sets.contains(name));
        entries.iter().find(|entry| entry.name == *name || sets(entry))
    };
    // A base is coherent by itself, so something that the user wrote is involved.
    let guilty = clash.fields.iter().find_map(wrote).or(entries.first());
    let place = guilty.map_or(Place::Line { line: 1, column: 1 }, Entry::place);
    let field = guilty.map_or(clash.fields[0], |entry| entry.name);
    RuleFileError::Contradiction { place, field, why: clash.why, allowed: clash.allowed }
}

/// Whether two rule sets differ in nothing but how they are written and when a game is given up as a draw: a GameType
/// number stands for the moves of a game.
fn same_game(a: &RuleSet, b: &RuleSet) -> bool {
    let bare = |set: &RuleSet| RuleSet {
        repetitions: 0,
        quiet_plies: 0,
        endings: EndingLimits::default(),
        notation: a.notation,
        capture_sign: a.capture_sign,
        game_type: 0,
        ..*set
    };
    bare(a) == bare(b)
}

/// Writes a variant as a rule file that names every field, each with its help line; [`read`] gives the same rules.
pub fn to_toml(variant: &Variant) -> String {
    let mut text = String::new();
    let mut line = |help: &str, name: &str, value: Value| {
        writeln!(text, "# {help}\n{name} = {}", value.to_string().trim()).expect("a string can be written to");
    };
    line(HEAD[0].1, HEAD[0].0, variant.id.as_str().into());
    line(HEAD[1].1, HEAD[1].0, variant.title.as_str().into());
    for field in proper() {
        line(field.help, field.name, field.write(&variant.set));
    }
    text
}

/// A variant with its names and every field as JSON: `name`, `title`, `aliases`, `source`, `custom` and `rules`, whose
/// keys and values are those of a rule file.
pub fn describe(variant: &Variant) -> serde_json::Value {
    let rules: serde_json::Map<_, _> =
        proper().map(|field| (field.name.to_string(), to_json(&field.write(&variant.set)))).collect();
    json!({
        "name": variant.id,
        "title": variant.title,
        "aliases": variant.aliases,
        "source": variant.source,
        "custom": variant.custom,
        "rules": rules,
    })
}

/// The values of the table go three deep at most (a word in a table in a list).
fn to_json(value: &Value) -> serde_json::Value {
    match value {
        Value::String(text) => json!(text.value()),
        Value::Integer(number) => json!(number.value()),
        Value::Boolean(on) => json!(on.value()),
        Value::Array(array) => array.iter().map(to_json).collect(),
        Value::InlineTable(table) => {
            serde_json::Value::Object(table.iter().map(|(key, value)| (key.to_string(), to_json(value))).collect())
        }
        Value::Float(_) | Value::Datetime(_) => serde_json::Value::Null,
    }
}

fn proper() -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().filter(|field| !field.is_short_cut())
}

/// Every field with its help line and allowed values, for people.
pub fn help() -> String {
    let mut text = String::from("Fields of a rule file:\n");
    let mut entry = |name: &str, help: &str, allowed: &str| {
        writeln!(text, "  {name}\n      {help}\n      Allowed: {allowed}").expect("a string can be written to");
    };
    for (name, help, allowed) in HEAD {
        entry(name, help, allowed);
    }
    for field in FIELDS {
        let also = if field.alias.is_empty() { String::new() } else { format!(" Also called {}.", field.alias) };
        entry(field.name, &format!("{}{also}", field.help), &field.allowed());
    }
    text
}
