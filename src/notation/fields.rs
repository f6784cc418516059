//! The one table of rule fields: name, help, allowed values, how each is read and written. Rule files, single rules,
//! the help text and the listings are all derived from it.

use super::ruleerror::squeeze;
use super::rulevalue::{self as value, Wrong};
use crate::game::board::Color;
use crate::game::rules::*;
use toml_edit::{Item, Value};

/// How a field is read, checked and written.
pub(super) enum Kind {
    /// `true` or `false`.
    Flag { get: fn(&RuleSet) -> bool, set: fn(&mut RuleSet, bool) },
    /// One of a few words, by their place in the list.
    Word { words: &'static [&'static str], get: fn(&RuleSet) -> usize, set: fn(&mut RuleSet, usize) },
    /// A whole number from `min` to `max`, or 0 for none when `zero` says so.
    Number { min: u16, max: u16, zero: bool, get: fn(&RuleSet) -> u16, set: fn(&mut RuleSet, u16) },
    /// Anything longer.
    Other { allowed: &'static str, read: fn(&mut RuleSet, &Item) -> Result<(), Wrong>, write: fn(&RuleSet) -> Value },
}

/// One row: a field of [`RuleSet`], or a short-cut that sets some of them.
pub(super) struct Field {
    /// The name that is written.
    pub name: &'static str,
    /// Another name that is read.
    pub alias: &'static str,
    /// What it is, in one line.
    pub help: &'static str,
    pub kind: Kind,
    /// Names of the fields that a short-cut sets; empty for a field proper.
    pub sets: &'static [&'static str],
}

impl Field {
    /// Whether it stands for other fields.
    pub(super) fn is_short_cut(&self) -> bool {
        !self.sets.is_empty()
    }

    /// What its value may be, for people.
    pub(super) fn allowed(&self) -> String {
        match &self.kind {
            Kind::Flag { .. } => "true or false".to_string(),
            Kind::Word { words, .. } => alternatives(words),
            Kind::Number { min, max, zero: true, .. } => format!("{min} to {max}, or 0 for none"),
            Kind::Number { min, max, zero: false, .. } => format!("{min} to {max}"),
            Kind::Other { allowed, .. } => allowed.to_string(),
        }
    }

    /// Takes a value over into the rules.
    pub(super) fn read(&self, rules: &mut RuleSet, item: &Item) -> Result<(), Wrong> {
        let refused = || Wrong::value(item);
        match &self.kind {
            Kind::Flag { set, .. } => set(rules, item.as_bool().ok_or_else(refused)?),
            Kind::Word { words, set, .. } => {
                let word = squeeze(item.as_str().ok_or_else(refused)?);
                set(rules, words.iter().position(|known| squeeze(known) == word).ok_or_else(refused)?);
            }
            Kind::Number { min, max, zero, set, .. } => {
                let number = item.as_integer().and_then(|number| u16::try_from(number).ok());
                let fits = |number: &u16| (*min..=*max).contains(number) || (*zero && *number == 0);
                set(rules, number.filter(fits).ok_or_else(refused)?);
            }
            Kind::Other { read, .. } => read(rules, item)?,
        }
        Ok(())
    }

    /// Its value in these rules.
    pub(super) fn write(&self, rules: &RuleSet) -> Value {
        match &self.kind {
            Kind::Flag { get, .. } => get(rules).into(),
            Kind::Word { words, get, .. } => words[get(rules)].into(),
            Kind::Number { get, .. } => i64::from(get(rules)).into(),
            Kind::Other { write, .. } => write(rules),
        }
    }
}

fn alternatives(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// Finds a row; case, blanks, `_` and `-` do not matter.
pub(super) fn find(name: &str) -> Option<&'static Field> {
    let wanted = squeeze(name);
    FIELDS
        .iter()
        .find(|field| squeeze(field.name) == wanted || (!field.alias.is_empty() && squeeze(field.alias) == wanted))
}

const fn row(name: &'static str, help: &'static str, kind: Kind) -> Field {
    Field { name, alias: "", help, kind, sets: &[] }
}

macro_rules! flag {
    ($field:ident) => {
        Kind::Flag { get: |rules| rules.$field, set: |rules, on| rules.$field = on }
    };
}

macro_rules! word {
    ($field:ident: $($word:literal => $value:expr),+) => {
        Kind::Word {
            words: &[$($word),+],
            get: |rules| [$($value),+].iter().position(|v| *v == rules.$field).expect("every value has a word"),
            set: |rules, place| rules.$field = [$($value),+][place],
        }
    };
}

macro_rules! number {
    ($field:ident as $int:ty, $min:literal, $max:literal, $zero:literal) => {
        Kind::Number {
            min: $min,
            max: $max,
            zero: $zero,
            get: |rules| rules.$field.into(),
            set: |rules, number| rules.$field = <$int>::try_from(number).expect("the largest allowed number fits"),
        }
    };
}

macro_rules! other {
    ($field:ident: $allowed:expr, $read:path, $write:path) => {
        Kind::Other {
            allowed: $allowed,
            read: |rules, item| {
                rules.$field = $read(item)?;
                Ok(())
            },
            write: |rules| $write(rules.$field),
        }
    };
}

macro_rules! directions {
    ($field:ident) => {
        other!($field: value::DIRECTIONS, value::directions, value::directions_value)
    };
}

/// The capture directions that lead backwards.
const BACKWARDS: u8 = 0b0010_1100;

/// For every forward direction the backward one on the same line, or none of them.
fn capture_backwards(rules: &mut RuleSet, on: bool) {
    let ahead = rules.man_capture.0 & !BACKWARDS;
    let back = (ahead & 0b0000_0011) << 2 | (ahead & 0b0001_0000) << 1;
    rules.man_capture = Directions(if on { rules.man_capture.0 | back } else { ahead });
}

/// All rows, fields proper in the order of [`RuleSet`], then the short-cuts.
pub(super) static FIELDS: &[Field] = &[
    row(
        "board",
        "Size of the board and which squares are played on.",
        Kind::Other {
            allowed: value::BOARD,
            read: |rules, item| {
                rules.board = value::board(rules.board, item)?;
                Ok(())
            },
            write: |rules| value::board_value(rules.board),
        },
    ),
    row("rows", "Rows of men a side at the start.", number!(rows as u8, 1, 5, false)),
    row("offset", "Empty rows behind those men (1 in Turkish draughts).", number!(offset as u8, 0, 4, false)),
    row("first", "Who moves first.", word!(first: "white" => Color::White, "black" => Color::Black)),
    row("man_move", "Where a man moves.", directions!(man_move)),
    row("man_capture", "Where a man captures.", directions!(man_capture)),
    row("king_move", "Where a king moves.", directions!(king_move)),
    row("king_capture", "Where a king captures.", directions!(king_capture)),
    row("king_flies", "Kings move any distance.", flag!(king_flies)),
    row("king_captures_afar", "Kings capture from any distance.", flag!(king_captures_afar)),
    row(
        "landing",
        "Where a king that captures from afar lands.",
        word!(landing: "any" => Landing::Any, "behind" => Landing::Behind,
            "behind last king" => Landing::BehindLastKing,
            "behind last king of several" => Landing::BehindLastKingMulti),
    ),
    row("man_takes_king", "A man may capture a king.", flag!(man_takes_king)),
    row(
        "removal",
        "When captured pieces leave the board.",
        word!(removal: "after move" => Removal::AfterMove, "at once" => Removal::Immediate),
    ),
    row("may_reverse", "Within a capture a piece may turn by 180 degrees.", flag!(may_reverse)),
    row(
        "promotion",
        "When a man that reaches the last row in mid-capture is promoted.",
        word!(promotion: "at rest" => Promotion::AtRest, "in passing" => Promotion::InPassing,
            "ends move" => Promotion::EndsMove),
    ),
    Field {
        alias: "duty",
        ..row(
            "captures",
            "Whether one must capture.",
            word!(duty: "mandatory" => Duty::Mandatory, "optional" => Duty::Optional, "huffing" => Duty::Huffing),
        )
    },
    row(
        "choice",
        "Which capture goes before which.",
        other!(choice: value::CHOICE, value::choice, value::choice_value),
    ),
    row(
        "scope",
        "Between which captures the choice decides: all, or those of one and the same piece.",
        word!(scope: "all" => Scope::All, "piece" => Scope::Piece),
    ),
    row(
        "goal",
        "Who cannot move loses (normal) or wins (lose); or the first king wins.",
        word!(goal: "normal" => Goal::Normal, "lose" => Goal::Lose, "first king" => Goal::FirstKing),
    ),
    row(
        "blocked",
        "What a player gets who has pieces and no move.",
        word!(blocked: "as no pieces" => Blocked::AsNoPieces, "draws" => Blocked::Draws),
    ),
    row(
        "kings_only",
        "What happens when only kings are left: nothing; more kings win, equal numbers draw or play on.",
        word!(kings_only: "play on" => KingsOnly::PlayOn, "more wins" => KingsOnly::MoreWins,
            "more wins or play on" => KingsOnly::MoreWinsEqualPlaysOn),
    ),
    row("one_against_one", "One piece against one piece is a draw at once.", flag!(one_against_one)),
    row(
        "repetitions",
        "Draw when a position occurs this often with the same side to move.",
        number!(repetitions as u8, 2, 100, true),
    ),
    row(
        "quiet_plies",
        "Draw after this many plies (moves of one side) without a man move or a capture.",
        number!(quiet_plies as u16, 1, 1000, true),
    ),
    row(
        "endings",
        "Move limits of small endings.",
        other!(endings: value::ENDINGS, value::endings, value::endings_value),
    ),
    row(
        "same_king_moves",
        "A side that has men makes at most this many quiet moves in a row with the same king.",
        number!(same_king_moves as u8, 1, 100, true),
    ),
    row(
        "notation",
        "How squares are written: 1, 2, 3 … or a1 … h8.",
        word!(notation: "numeric" => Notation::Numeric, "algebraic" => Notation::Algebraic),
    ),
    row("capture_sign", "The sign between the squares of a capture.", word!(capture_sign: "x" => 'x', ":" => ':')),
    row(
        "game_type",
        "PDN GameType number. Rules that change the game have none unless they say so.",
        number!(game_type as u8, 1, 99, true),
    ),
    Field {
        sets: &["king_flies", "king_captures_afar"],
        ..row(
            "flying_kings",
            "Short for both king_flies and king_captures_afar.",
            Kind::Flag {
                get: |rules| rules.king_flies && rules.king_captures_afar,
                set: |rules, on| (rules.king_flies, rules.king_captures_afar) = (on, on),
            },
        )
    },
    Field {
        sets: &["man_capture"],
        ..row(
            "men_capture_backwards",
            "Short for man_capture with the backward directions, or without them.",
            Kind::Flag { get: |rules| rules.man_capture.0 & BACKWARDS != 0, set: capture_backwards },
        )
    },
    Field {
        sets: &["promotion"],
        ..row(
            "new_king",
            "Short for promotion: a new king captures on as a man, continues as a king, or stops.",
            word!(promotion: "as man" => Promotion::AtRest, "continues" => Promotion::InPassing,
                "stops" => Promotion::EndsMove),
        )
    },
];
