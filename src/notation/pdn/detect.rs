//! Which rules a game is played by: its tags say so, or else its squares and what can be played.

use super::model::{Item, Tag};
use super::warning::Kind;
use crate::game::Variant;
use crate::game::board::Color;
use crate::game::rules::Notation;
use std::sync::Arc;

/// The rules that a game can have, likeliest first, and what told them.
#[derive(Debug)]
pub(super) struct Guess {
    /// At least one.
    pub variants: Vec<Arc<Variant>>,
    /// What they were guessed by; `None` when a tag or the user names them.
    pub by: Option<&'static str>,
    /// The first is what the games before it were found to be.
    pub sticky: bool,
    /// A tag that names nothing known: its name and value.
    pub unknown: Option<(&'static str, String)>,
    /// A tag that names other rules than the user.
    pub odd: Option<Kind>,
}

/// Looks at tags and squares. `asked` are the user's rules, `last` those that the game before was guessed to have.
pub(super) fn guess(
    tags: &[Tag],
    lines: &[Vec<Item>],
    asked: Option<&Arc<Variant>>,
    last: Option<&Arc<Variant>>,
) -> Guess {
    let tag = |name: &str| tags.iter().rev().find(|tag| tag.name.eq_ignore_ascii_case(name)).map(|tag| &*tag.value);
    let by_type = tag("GameType").map(|value| (value, game_type(value)));
    let by_name = tag("Variant").map(|value| (value, named(value)));
    if let Some(asked) = asked {
        let odd = by_type.filter(|(_, found)| found.as_ref().is_some_and(|v| v.set.game_type != asked.set.game_type));
        let odd = odd.map(|(read, _)| Kind::OtherVariant { read: read.to_string(), variant: asked.id.clone() });
        return Guess { variants: vec![asked.clone()], by: None, sticky: false, unknown: None, odd };
    }
    let told = match (&by_type, &by_name) {
        // A name is finer than a number, as several rules share one or have none.
        (Some((_, Some(kind))), Some((_, Some(name)))) if !akin(kind, name) => Some(kind),
        (_, Some((_, Some(name)))) => Some(name),
        (Some((_, Some(kind))), _) => Some(kind),
        _ => None,
    };
    if let Some(told) = told {
        return Guess { variants: vec![told.clone()], by: None, sticky: false, unknown: None, odd: None };
    }
    let unknown = by_type.map(|(value, _)| ("GameType", value)).or(by_name.map(|(value, _)| ("Variant", value)));
    let unknown = unknown.map(|(name, value)| (name, value.to_string()));
    let (variants, by) = by_squares(&Evidence::of(tag("FEN"), lines), last);
    let sticky = last.is_some_and(|last| variants[0].id == last.id);
    Guess { variants, by: Some(by), sticky, unknown, odd: None }
}

/// The rules that a `GameType` such as `25` or `25,W,8,8,A0,0` stands for.
pub(super) fn game_type(value: &str) -> Option<Arc<Variant>> {
    let fields: Vec<&str> = value.trim().split(',').map(str::trim).collect();
    let number: u8 = fields[0].parse().ok().filter(|&number| number > 0)?;
    let same = || Variant::all().iter().filter(move |variant| variant.set.game_type == number);
    let inverted = fields.get(5).map(|&field| field == "1");
    let fits = same().find(|variant| inverted == Some(!variant.set.board.corner));
    fits.or(same().next()).cloned()
}

/// The rules that a `Variant` tag names: one of damka's names, or such a name among others (`American/English`).
fn named(value: &str) -> Option<Arc<Variant>> {
    let words = || value.split(['/', ',', '(', ')', ' ']).filter(|word| word.len() > 2);
    Variant::find(value).or_else(|| words().find_map(Variant::find))
}

fn akin(by_type: &Variant, by_name: &Variant) -> bool {
    by_name.set.game_type == 0 || by_name.set.game_type == by_type.set.game_type
}

/// What squares a game names.
#[derive(Debug, Default)]
struct Evidence {
    number: u32,
    column: u32,
    rank: u32,
    /// Squares of a1's colour, and of the other.
    dark: bool,
    light: bool,
}

impl Evidence {
    fn of(fen: Option<&str>, lines: &[Vec<Item>]) -> Evidence {
        let mut evidence = Evidence::default();
        let lists = fen.unwrap_or_default().split(':').skip(1).filter(|list| list.starts_with(['W', 'w', 'B', 'b']));
        for list in lists {
            list[1..].split(',').for_each(|item| evidence.squares(item.trim().trim_start_matches('K')));
        }
        for item in lines.iter().flatten() {
            if let Item::Move(mv) = item {
                evidence.squares(&mv.text);
            }
        }
        evidence
    }

    fn squares(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                at += 1;
                continue;
            }
            let number = text[at..at + digits].parse().unwrap_or(0);
            let letter = at.checked_sub(1).map(|before| bytes[before].to_ascii_lowercase());
            match letter.filter(|letter| (b'a'..=b'l').contains(letter)) {
                Some(letter) => {
                    let column = u32::from(letter - b'a') + 1;
                    (self.column, self.rank) = (self.column.max(column), self.rank.max(number));
                    *if (column + number).is_multiple_of(2) { &mut self.dark } else { &mut self.light } = true;
                }
                None => self.number = self.number.max(number),
            }
            at += digits;
        }
    }

    fn fits(&self, variant: &Variant) -> bool {
        let board = variant.set.board;
        let colours = board.all_squares || !(self.dark && !board.corner || self.light && board.corner);
        self.number <= board.squares() as u32
            && self.column <= u32::from(board.width)
            && self.rank <= u32::from(board.height)
            && colours
    }

    /// How well a board fits; less is better.
    fn distance(&self, variant: &Variant) -> (usize, bool) {
        let letters = self.column > 0;
        let board = variant.set.board;
        // Boards that are rarely played on come behind the next larger one.
        let rare = if board.all_squares { if letters { 8 } else { 80 } } else { 0 }
            + if board.width != board.height { 20 } else { 0 };
        let cells = board.squares() + rare;
        (cells, letters != (variant.set.notation == Notation::Algebraic))
    }
}

fn by_squares(evidence: &Evidence, last: Option<&Arc<Variant>>) -> (Vec<Arc<Variant>>, &'static str) {
    let standard = &Variant::all()[0];
    let seen = evidence.number > 0 || evidence.column > 0;
    if !seen {
        let by = if last.is_some() { "the game before" } else { "the standard" };
        return (vec![last.unwrap_or(standard).clone()], by);
    }
    let all = Variant::all().iter().filter(|variant| variant.set.game_type > 0 && evidence.fits(variant));
    let mut variants: Vec<Arc<Variant>> = all.cloned().collect();
    variants.sort_by_key(|variant| evidence.distance(variant));
    if let Some(place) = last.and_then(|last| variants.iter().position(|variant| variant.id == last.id)) {
        variants[..=place].rotate_right(1);
    }
    if variants.is_empty() {
        variants.push(standard.clone());
    }
    (variants, "its squares and moves")
}

/// The `GameType` of a rule set in full; `None` when the standard has no number for it.
pub(super) fn game_type_of(variant: &Variant) -> Option<String> {
    let set = &variant.set;
    if set.game_type == 0 {
        return None;
    }
    // The corner of square 1 as the first mover sees it: top left for White is bottom right for Black.
    let notation = match (set.notation, set.first, set.board.corner) {
        (Notation::Algebraic, _, true) => "A0",
        (Notation::Algebraic, _, false) => "A1",
        (Notation::Numeric, Color::White, _) => "N2",
        (Notation::Numeric, Color::Black, _) => "N1",
    };
    let (board, first) = (set.board, set.first.letter());
    let inverted = u8::from(!board.corner);
    Some(format!("{},{first},{},{},{notation},{inverted}", set.game_type, board.width, board.height))
}
