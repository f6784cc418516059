//! A parsed game gets its meaning: rules, starting position, legal moves, result.

use super::attempt::{Attempt, choose, read_fen, tag};
use super::detect::{Guess, game_type_of, guess};
use super::model::{Item, LineId, PdnGame};
use super::parse::Raw;
use super::settle::{Settled, settle};
use super::warning::{Kind, MOST_WARNINGS, Warning};
use crate::game::board::Color;
use crate::game::plain::Setup;
use crate::game::{Game, Variant};
use std::sync::Arc;

/// What a game does not tell of itself.
#[derive(Debug)]
pub(super) struct Context<'a> {
    pub file: &'a Arc<str>,
    pub number: usize,
    /// The rules the user asks for.
    pub asked: Option<&'a Arc<Variant>>,
    /// The rules that the game before was guessed to have.
    pub last: Option<&'a Arc<Variant>>,
}

/// Gives a game its meaning. Tells as well whether its rules were guessed and all moves fit them.
pub(super) fn resolve(raw: Raw, context: &Context<'_>) -> (PdnGame, bool) {
    let guess = guess(&raw.tags, &raw.lines, context.asked, context.last);
    let attempt = choose(&guess, &raw);
    let mut work = Work { context, raw, line: LineId::MAIN, plies: true, warnings: Vec::new() };
    work.take_odd();
    work.tell_variant(&guess, &attempt);
    let Attempt { variant, start, settled, odd, .. } = attempt;
    odd.into_iter().for_each(|kind| work.warn(work.raw.fen_line.max(work.raw.line), None, kind));
    let mut score = None;
    if let Some((start, settled)) = settled {
        score = work.main(&start, settled);
        work.variations(&start);
    }
    let result = work.result(score);
    if !work.raw.lines[0].iter().any(|item| matches!(item, Item::Move(_))) {
        work.raw.first_number = None;
    }
    work.warnings.sort_by_key(|warning| warning.line);
    let Work { raw, mut warnings, .. } = work;
    if raw.surplus > 0 {
        let kind = Kind::More { count: raw.surplus };
        warnings.push(Warning {
            file: context.file.clone(),
            line: raw.last_line,
            game: context.number,
            ply: None,
            kind,
        });
    }
    let game = PdnGame {
        number: context.number,
        line: raw.line,
        tags: raw.tags,
        variant,
        start,
        first_number: raw.first_number.unwrap_or((1, false)),
        lines: raw.lines,
        result,
        epilogue: raw.epilogue,
        warnings,
    };
    let proven =
        guess.by.is_some() && (game.plies() > 0 || game.tag("FEN").is_some()) && game.faults().next().is_none();
    (game, proven)
}

struct Work<'a> {
    context: &'a Context<'a>,
    raw: Raw,
    /// The line that is worked on.
    line: LineId,
    /// Warnings tell plies: it is the main line.
    plies: bool,
    warnings: Vec<Warning>,
}

impl Work<'_> {
    fn warn(&mut self, line: usize, ply: Option<usize>, kind: Kind) {
        if self.warnings.len() >= MOST_WARNINGS {
            self.raw.surplus += 1;
            return;
        }
        let ply = ply.filter(|_| self.plies);
        self.warnings.push(Warning { file: self.context.file.clone(), line, game: self.context.number, ply, kind });
    }

    fn take_odd(&mut self) {
        for (line, kind) in std::mem::take(&mut self.raw.odd) {
            self.warn(line, None, kind);
        }
    }

    fn tell_variant(&mut self, guess: &Guess, attempt: &Attempt) {
        let variant = attempt.variant.id.clone();
        let kind = match (guess.by, &guess.unknown) {
            (Some(by), Some((name, read))) => Kind::UnknownVariant { name, read: read.clone(), variant, by },
            // The standard's own default needs no word.
            (Some(_), None) if Arc::ptr_eq(&attempt.variant, &Variant::all()[0]) => return,
            (Some(by), None) => Kind::Variant { variant, by },
            (None, _) => match guess.odd.clone() {
                Some(kind) => kind,
                None => return,
            },
        };
        self.warn(self.raw.line, None, kind);
    }

    /// Writes the main line's moves down. Gives a match score that stands in place of its last move.
    fn main(&mut self, start: &Game, settled: Settled) -> Option<String> {
        let places = self.move_places(0);
        let whole = settled.used == places.len();
        let score = (!whole && self.raw.result.is_none()).then(|| self.score(&places, settled.used)).flatten();
        self.apply(&places, settled, score.is_none());
        if score.is_none() {
            self.after_setups(start);
        }
        score
    }

    /// Places of the moves from an item on, up to the next set-up.
    fn move_places(&self, from: usize) -> Vec<usize> {
        let items = self.raw.lines[self.line.0].iter().enumerate().skip(from);
        let moves = items.take_while(|(_, item)| !matches!(item, Item::Setup(..)));
        moves.filter(|(_, item)| matches!(item, Item::Move(_))).map(|(place, _)| place).collect()
    }

    /// Takes off a last text such as `4-6`: no legal move, but the `Result` tag's value or two numbers that add up to ten.
    fn score(&mut self, places: &[usize], used: usize) -> Option<String> {
        let (&last, true) = (places.last()?, used + 1 == places.len()) else {
            return None;
        };
        let Item::Move(mv) = &self.raw.lines[0][last] else {
            return None;
        };
        if self.raw.lines[0][last..].iter().any(|item| matches!(item, Item::Setup(..))) {
            return None;
        }
        let bare: String = mv.text.chars().filter(|c| !c.is_whitespace()).collect();
        let (left, right) = bare.split_once('-')?;
        let (left, right): (u32, u32) = (left.parse().ok()?, right.parse().ok()?);
        if tag(&self.raw, "Result").map(str::trim) != Some(&*bare) && left + right != 10 {
            return None;
        }
        let (line, read) = (mv.line, mv.text.clone());
        self.raw.lines[0].remove(last);
        self.warnings.retain(|warning| warning.kind != Kind::NoTerminator);
        self.warn(line, Some(used + 1), Kind::Score { read });
        Some(bare)
    }

    /// Writes settled moves into the current line.
    fn apply(&mut self, places: &[usize], settled: Settled, tell_stop: bool) {
        let line = |work: &Self, place: usize| match &work.raw.lines[work.line.0][place] {
            Item::Move(mv) => (mv.line, mv.text.clone()),
            _ => unreachable!("the places are those of moves"),
        };
        if tell_stop && settled.used < places.len() {
            let (at, read) = line(self, places[settled.used]);
            self.warn(at, Some(settled.used + 1), settled.stop(&read));
        }
        for (place, kind) in settled.odd {
            let (at, _) = line(self, places[place]);
            self.warn(at, Some(place + 1), kind);
        }
        let items = &mut self.raw.lines[self.line.0];
        let mut next = 0;
        let mut joined = Vec::new();
        for found in settled.found {
            if let Item::Move(item) = &mut items[places[next]] {
                item.mv = Some(found.mv);
                item.text = found.text;
            }
            joined.extend(&places[next + 1..next + found.joined]);
            next += found.joined;
        }
        if !joined.is_empty() {
            let mut place = 0;
            items.retain(|_| {
                place += 1;
                joined.binary_search(&(place - 1)).is_err()
            });
        }
    }

    /// Plays what stands behind set-ups in mid-game. `start` is the game before the line.
    fn after_setups(&mut self, start: &Game) {
        let variant = start.variant();
        let mut from = 0;
        loop {
            let items = &self.raw.lines[self.line.0];
            let Some(place) = (from..items.len()).find(|&place| matches!(items[place], Item::Setup(..))) else {
                return;
            };
            from = place + 1;
            let Item::Setup(text, _) = &items[place] else {
                return;
            };
            let text = text.clone();
            let setup = if text.split(':').skip(1).all(|list| matches!(list.trim(), "" | "W" | "B")) {
                self.null_move(start, place, &text)
            } else {
                let mut odd = Vec::new();
                let setup = read_fen(variant, &text, &mut odd);
                odd.into_iter().for_each(|kind| self.warn(self.raw.line, None, kind));
                setup
            };
            let Some(game) = setup.as_ref().and_then(|setup| Game::from_setup(variant.clone(), setup).ok()) else {
                continue;
            };
            self.raw.lines[self.line.0][place] = Item::Setup(text, setup.map(Box::new));
            let places = self.move_places(from);
            let settled = settle(game, &self.texts_at(&places));
            self.apply(&places, settled, true);
        }
    }

    /// `B::`: the same pieces, the other side to move.
    fn null_move(&self, start: &Game, place: usize, text: &str) -> Option<Setup> {
        let items = &self.raw.lines[self.line.0][..place];
        let last = items.iter().rposition(|item| matches!(item, Item::Setup(..)));
        let mut game = match last.map(|last| &items[last]) {
            None => start.clone(),
            Some(Item::Setup(_, Some(setup))) => Game::from_setup(start.variant().clone(), setup).ok()?,
            Some(_) => return None,
        };
        for item in &items[last.unwrap_or(0)..] {
            if let Item::Move(mv) = item {
                game.play(mv.mv.as_ref()?).ok()?;
            }
        }
        let side = if text.trim().starts_with(['W', 'w']) { Color::White } else { Color::Black };
        Some(Setup { side, ..game.setup() })
    }

    fn texts_at(&self, places: &[usize]) -> Vec<&str> {
        let items = &self.raw.lines[self.line.0];
        let text = |&place: &usize| if let Item::Move(mv) = &items[place] { Some(mv.text.as_str()) } else { None };
        places.iter().filter_map(text).collect()
    }

    /// Plays all variations, each from the position before the move it replaces.
    fn variations(&mut self, start: &Game) {
        if self.raw.lines.len() == 1 {
            return;
        }
        let mut open = self.children(start);
        self.plies = false;
        while let Some((line, start)) = open.pop() {
            self.line = line;
            let places = self.move_places(0);
            let settled = settle(start.clone(), &self.texts_at(&places));
            self.apply(&places, settled, true);
            self.after_setups(&start);
            open.extend(self.children(&start));
        }
    }

    /// The variations of the current line whose positions are known.
    fn children(&self, start: &Game) -> Vec<(LineId, Game)> {
        let items = &self.raw.lines[self.line.0];
        let mut found = Vec::new();
        let mut now = Some(start.clone());
        let mut before = now.clone();
        for (place, item) in items.iter().enumerate() {
            match item {
                Item::Move(mv) => {
                    let behind = items[place + 1..].iter().take_while(|item| !matches!(item, Item::Move(_)));
                    if behind.into_iter().any(|item| matches!(item, Item::Variation(_))) {
                        before = now.as_ref().map(without_history);
                    }
                    let played = mv.mv.as_ref().zip(now.as_mut()).is_some_and(|(mv, now)| now.play(mv).is_ok());
                    if !played {
                        now = None;
                    }
                }
                Item::Variation(line) => found.extend(before.clone().map(|game| (*line, game))),
                Item::Setup(_, setup) => {
                    let game = setup.as_ref().and_then(|setup| Game::from_setup(start.variant().clone(), setup).ok());
                    (now, before) = (game.clone(), game);
                }
                _ => {}
            }
        }
        found
    }

    /// What ended the game, compared with what its tag says.
    fn result(&mut self, score: Option<String>) -> Option<String> {
        let result = score.or(self.raw.result.take());
        let (Some(read), Some(tag)) = (result.as_deref(), tag(&self.raw, "Result").map(str::trim)) else {
            return result;
        };
        // In full, a GameType comes from a program of PDN 3.0, where a star ends every game and says nothing more.
        let strict = self.raw.tags.iter().any(|tag| tag.name == "GameType" && tag.value.contains(','));
        let silent = read == "*" && (strict || matches!(tag, "" | "?"));
        if !silent && class(read) != class(tag) {
            let kind = Kind::ResultMismatch { read: read.to_string(), tag: tag.to_string() };
            self.warn(self.raw.last_line, None, kind);
        }
        result
    }
}

/// One name for the ways to write a result.
fn class(result: &str) -> &str {
    match result {
        "2-0" => "1-0",
        "0-2" => "0-1",
        "1-1" | "1/2" | "½-½" => "1/2-1/2",
        other => other,
    }
}

/// The same position without the moves before it, which a variation does not need.
fn without_history(game: &Game) -> Game {
    Game::from_setup(game.variant().clone(), &game.setup()).unwrap_or_else(|_| game.clone())
}

/// The `GameType` tag that a game needs, and the name when the number does not tell it.
pub(super) fn names(variant: &Variant) -> (Option<String>, bool) {
    let game_type = game_type_of(variant);
    let told = game_type.as_deref().and_then(super::detect::game_type).is_some_and(|found| found.id == variant.id);
    (game_type, !told)
}
