//! Reading and writing the values of rule fields that are more than one word: directions, orders, boards, endings.

use super::ruleerror::{clip, squeeze};
use crate::game::board::Board;
use crate::game::rules::{Choice, Criterion, Directions, Ending, EndingLimit, EndingLimits};
use std::ops::Range;
use toml_edit::{Array, InlineTable, Item, TableLike, Value};

/// Bytes of the text that a value came from.
pub(super) type Span = Option<Range<usize>>;

/// Why a value was refused; the caller adds the field and its line.
#[derive(Debug)]
pub(super) struct Wrong {
    /// The field inside the value, as `.width`; empty when the value itself is wrong.
    pub within: String,
    pub found: String,
    /// What is allowed there; `None` when it is what the field's row says.
    pub allowed: Option<String>,
    pub span: Span,
}

impl Wrong {
    /// A value that is not what the field's row allows.
    pub(super) fn value(item: &Item) -> Wrong {
        Wrong { within: String::new(), found: shown(item), allowed: None, span: item.span() }
    }

    fn word(word: &str, span: Span) -> Wrong {
        Wrong { within: String::new(), found: format!("\"{}\"", clip(word)), allowed: None, span }
    }

    fn inside(key: &str, found: String, allowed: impl Into<String>, span: Span) -> Wrong {
        Wrong { within: format!(".{}", clip(key)), found, allowed: Some(allowed.into()), span }
    }
}

/// The value as the user wrote it, with its type when it is not a plain one.
fn shown(item: &Item) -> String {
    match item {
        Item::Value(Value::String(text)) => format!("\"{}\"", clip(text.value())),
        Item::Value(value @ (Value::Integer(_) | Value::Float(_) | Value::Boolean(_))) => clip(&value.to_string()),
        other => match other.type_name() {
            kind @ ("array" | "inline table" | "array of tables") => format!("an {kind}"),
            kind => format!("a {kind}"),
        },
    }
}

/// The words of a list: an array of strings, or one string split at `splits`. Brackets around it are ignored, as in a
/// rule on the command line, where nobody likes to write quotes.
fn words(item: &Item, splits: &[char]) -> Result<Vec<(String, Span)>, Wrong> {
    if let Some(text) = item.as_str() {
        if text.trim().is_empty() {
            return Err(Wrong::value(item));
        }
        let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
        let parts = inner.split(splits).map(|word| word.trim().to_string()).filter(|word| !word.is_empty());
        return Ok(parts.map(|word| (word, item.span())).collect());
    }
    let array = item.as_array().ok_or_else(|| Wrong::value(item))?;
    let word = |value: &Value| match value.as_str() {
        Some(text) => Ok((text.to_string(), value.span())),
        None => Err(Wrong { span: value.span(), ..Wrong::value(&Item::Value(value.clone())) }),
    };
    array.iter().map(word).collect()
}

fn array(words: impl Iterator<Item = &'static str>) -> Value {
    Value::Array(words.collect::<Array>())
}

/// What a set of directions may be made of.
pub(super) const DIRECTIONS: &str = "a list of \"FL\", \"FR\", \"BL\", \"BR\", \"F\", \"B\", \"L\", \"R\" \
    (forward-left … right, as the mover sees them), or \"forward\" (FL FR), \"diagonal\" (FL FR BL BR), \
    \"orthogonal\" (F B L R), \"all\", \"none\"";

/// Reads a set of directions.
pub(super) fn directions(item: &Item) -> Result<Directions, Wrong> {
    let mut set = 0;
    for (word, span) in words(item, &[' ', ','])? {
        let known = match squeeze(&word).as_str() {
            "forward" => Some(Directions::FORWARD),
            "diagonal" => Some(Directions::DIAGONAL),
            "orthogonal" => Some(Directions::ORTHOGONAL),
            "all" => Some(Directions::ALL),
            "none" => Some(Directions::NONE),
            name => Directions::NAMES.iter().position(|n| n.eq_ignore_ascii_case(name)).map(|d| Directions(1 << d)),
        };
        set |= known.ok_or_else(|| Wrong::word(&word, span))?.0;
    }
    Ok(Directions(set))
}

/// Writes a set of directions.
pub(super) fn directions_value(set: Directions) -> Value {
    array((0..8).filter(|&d| set.has(d)).map(|d| Directions::NAMES[d]))
}

/// What an order between captures may be made of.
pub(super) const CHOICE: &str = "a list of \"count\", \"by king\", \"kings taken\", \"king early\", \"frisian value\" \
    in the order in which they decide, each at most once; [] or \"free\" for a free choice";

const CRITERIA: [(&str, Criterion); 5] = [
    ("count", Criterion::Count),
    ("by king", Criterion::ByKing),
    ("kings taken", Criterion::KingsTaken),
    ("king early", Criterion::KingEarly),
    ("frisian value", Criterion::FrisianValue),
];

/// Reads an order between captures.
pub(super) fn choice(item: &Item) -> Result<Choice, Wrong> {
    let mut choice: Choice = [None; 5];
    let words = words(item, &[','])?;
    if matches!(words.as_slice(), [(word, _)] if matches!(squeeze(word).as_str(), "free" | "none")) {
        return Ok(choice);
    }
    for (place, (word, span)) in words.into_iter().enumerate() {
        let known = CRITERIA.iter().find(|(name, _)| squeeze(name) == squeeze(&word)).map(|&(_, criterion)| criterion);
        match known {
            // Each criterion at most once, so five places are enough.
            Some(criterion) if !choice.contains(&Some(criterion)) => choice[place] = Some(criterion),
            _ => return Err(Wrong::word(&word, span)),
        }
    }
    Ok(choice)
}

/// Writes an order between captures.
pub(super) fn choice_value(choice: Choice) -> Value {
    let name = |criterion: Criterion| CRITERIA.iter().find(|&&(_, c)| c == criterion).map(|&(name, _)| name);
    array(choice.into_iter().flatten().filter_map(name))
}

/// What a board may be.
pub(super) const BOARD: &str = "\"WIDTHxHEIGHT\", with \"mirrored\" (the near left corner is light) or \"all\" (every \
    square is played on) behind it, such as \"8x8 mirrored\"; or a table of width, height, squares = \"dark\" or \"all\", \
    mirrored = true or false";

/// Reads a board; a table changes only what it names. Sizes are checked with the other rules.
pub(super) fn board(old: Board, item: &Item) -> Result<Board, Wrong> {
    if let Some(text) = item.as_str() {
        return board_words(text).ok_or_else(|| Wrong::value(item));
    }
    let table = item.as_table_like().ok_or_else(|| Wrong::value(item))?;
    let mut board = old;
    for (key, value) in table.iter() {
        match squeeze(key).as_str() {
            "width" => board.width = number(key, value, 4, 12)? as u8,
            "height" => board.height = number(key, value, 4, 12)? as u8,
            "squares" => match value.as_str().map(squeeze).as_deref() {
                Some("dark") => board.all_squares = false,
                Some("all") => board.all_squares = true,
                _ => return Err(Wrong::inside(key, shown(value), "\"dark\" or \"all\"", value.span())),
            },
            "mirrored" => match value.as_bool() {
                Some(mirrored) => board.corner = !mirrored,
                None => return Err(Wrong::inside(key, shown(value), "true or false", value.span())),
            },
            _ => return Err(unknown_key(table, key, "width, height, squares, mirrored")),
        }
    }
    Ok(board)
}

fn board_words(text: &str) -> Option<Board> {
    let text = text.to_lowercase();
    let mut words = text.split([' ', '-', '_', ',']).filter(|word| !word.is_empty());
    let (width, height) = words.next()?.split_once('x')?;
    let size = |text: &str| text.parse().ok().filter(|size| (4..=12).contains(size));
    let mut board = Board::dark(size(width)?, size(height)?, true);
    for word in words {
        match word {
            "dark" => {}
            "mirrored" => board.corner = false,
            "all" => board.all_squares = true,
            _ => return None,
        }
    }
    Some(board)
}

/// Writes a board.
pub(super) fn board_value(board: Board) -> Value {
    let mut table = InlineTable::new();
    table.insert("width", i64::from(board.width).into());
    table.insert("height", i64::from(board.height).into());
    table.insert("squares", if board.all_squares { "all" } else { "dark" }.into());
    table.insert("mirrored", (!board.corner).into());
    Value::InlineTable(table)
}

/// What a list of endings may be.
pub(super) const ENDINGS: &str = "a list of at most 6 tables, each with ending = \"lone king\", \"lone king against \
    kings\", \"lone king on main road\", \"both have kings\" or \"king against king\", plies = 0 to 1000 and, except for the \
    last kind, min and max pieces, 1 to 100 (without max: any number); [] or \"none\" for none";

const KINDS: &str = "\"lone king\", \"lone king against kings\", \"lone king on main road\", \"both have kings\" or \"king against king\"";

/// The number of pieces that stands for no upper bound.
const MANY: u8 = 100;

/// Reads the move limits of small endings.
pub(super) fn endings(item: &Item) -> Result<EndingLimits, Wrong> {
    let mut limits: EndingLimits = [None; 6];
    let tables: Vec<(&dyn TableLike, Span)> = if item.as_str().is_some_and(|text| squeeze(text) == "none") {
        Vec::new()
    } else if let Some(tables) = item.as_array_of_tables() {
        tables.iter().map(|table| (table as &dyn TableLike, table.span())).collect()
    } else if let Some(array) = item.as_array() {
        let inline = array.iter().map(|v| v.as_inline_table().map(|t| (t as &dyn TableLike, v.span())));
        inline.collect::<Option<_>>().ok_or_else(|| Wrong::value(item))?
    } else {
        return Err(Wrong::value(item));
    };
    if tables.len() > limits.len() {
        return Err(Wrong { found: format!("{} endings", tables.len()), ..Wrong::value(item) });
    }
    for (place, (table, span)) in tables.into_iter().enumerate() {
        limits[place] = Some(limit(table, span)?);
    }
    Ok(limits)
}

fn limit(table: &dyn TableLike, span: Span) -> Result<EndingLimit, Wrong> {
    let (mut kind, mut min, mut max, mut plies) = (None, None, None, None);
    for (key, value) in table.iter() {
        match squeeze(key).as_str() {
            "ending" => kind = Some(value),
            "min" => min = Some(number(key, value, 1, MANY.into())? as u8),
            "max" => max = Some(number(key, value, 1, MANY.into())? as u8),
            "plies" => plies = Some(number(key, value, 0, 1000)? as u16),
            _ => return Err(unknown_key(table, key, "ending, min, max, plies")),
        }
    }
    let missing = |key: &str, allowed: &str| Wrong::inside(key, "nothing".to_string(), allowed, span.clone());
    let kind = kind.ok_or_else(|| missing("ending", KINDS))?;
    let plies = plies.ok_or_else(|| missing("plies", "0 to 1000"))?;
    let bounds = || {
        let min = min.ok_or_else(|| missing("min", "1 to 100 pieces"))?;
        let max = max.unwrap_or(MANY);
        if min > max {
            return Err(Wrong::inside("max", max.to_string(), format!("{min} (min) to {MANY}"), span.clone()));
        }
        Ok((min, max))
    };
    let word = kind.as_str().map(squeeze).unwrap_or_default();
    let ending = match word.as_str() {
        "loneking" => bounds().map(|(min, max)| Ending::LoneKing { min, max }),
        "lonekingagainstkings" => bounds().map(|(min, max)| Ending::LoneKingKings { min, max }),
        "lonekingonmainroad" => bounds().map(|(min, max)| Ending::LoneKingMainRoad { min, max }),
        "bothhavekings" => bounds().map(|(min, max)| Ending::BothKings { min, max }),
        "kingagainstking" if min.or(max).is_none() => Ok(Ending::KingKing),
        "kingagainstking" => Err(Wrong::inside(
            "min",
            "a number of pieces".to_string(),
            "no min and no max with king against king",
            span,
        )),
        _ => Err(Wrong::inside("ending", shown(kind), KINDS, kind.span())),
    }?;
    Ok(EndingLimit { ending, plies })
}

/// Writes the move limits of small endings.
pub(super) fn endings_value(limits: EndingLimits) -> Value {
    let mut array = Array::new();
    for limit in limits.into_iter().flatten() {
        let (kind, bounds) = match limit.ending {
            Ending::LoneKing { min, max } => ("lone king", Some((min, max))),
            Ending::LoneKingKings { min, max } => ("lone king against kings", Some((min, max))),
            Ending::LoneKingMainRoad { min, max } => ("lone king on main road", Some((min, max))),
            Ending::BothKings { min, max } => ("both have kings", Some((min, max))),
            Ending::KingKing => ("king against king", None),
        };
        let mut table = InlineTable::new();
        table.insert("ending", kind.into());
        if let Some((min, max)) = bounds {
            table.insert("min", i64::from(min).into());
            table.insert("max", i64::from(max).into());
        }
        table.insert("plies", i64::from(limit.plies).into());
        array.push(table);
    }
    Value::Array(array)
}

fn number(key: &str, value: &Item, min: i64, max: i64) -> Result<i64, Wrong> {
    let number = value.as_integer().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| Wrong::inside(key, shown(value), format!("{min} to {max}"), value.span()))
}

fn unknown_key(table: &dyn TableLike, key: &str, allowed: &str) -> Wrong {
    let span = table.get_key_value(key).and_then(|(key, value)| key.span().or(value.span()));
    Wrong::inside(key, format!("an unknown field '{}'", clip(key)), allowed, span)
}
