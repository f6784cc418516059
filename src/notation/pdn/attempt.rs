//! The rules that a game is read by, chosen by trying them on its main line.

use super::super::fen;
use super::detect::Guess;
use super::model::Item;
use super::parse::Raw;
use super::settle::{Settled, settle};
use super::warning::Kind;
use crate::game::plain::Setup;
use crate::game::{Game, Variant};
use std::sync::Arc;

/// The main line tried by one set of rules.
pub(super) struct Attempt {
    pub variant: Arc<Variant>,
    pub start: Option<Setup>,
    /// The game at its start, and its moves up to the first set-up in mid-game.
    pub settled: Option<(Game, Settled)>,
    pub odd: Vec<Kind>,
    /// All texts are legal moves.
    whole: bool,
}

impl Attempt {
    /// How many texts can be moves.
    fn plies(&self) -> usize {
        self.settled.as_ref().map_or(0, |(_, settled)| settled.reach)
    }
}

/// The value of the last tag of a name.
pub(super) fn tag<'r>(raw: &'r Raw, name: &str) -> Option<&'r str> {
    raw.tags.iter().rev().find(|tag| tag.name.eq_ignore_ascii_case(name)).map(|tag| tag.value.as_str())
}

/// The first rules by which all moves are legal, or else those by which the most are.
pub(super) fn choose(guess: &Guess, raw: &Raw) -> Attempt {
    let texts = texts(&raw.lines[0]);
    let fen = tag(raw, "FEN").filter(|fen| !fen.trim().is_empty());
    let mut best: Option<Attempt> = None;
    for variant in &guess.variants {
        let new = attempt(variant, fen, &texts, false);
        // A position without moves proves little against the games before it.
        if new.whole || guess.sticky && texts.is_empty() {
            return new;
        }
        if best.as_ref().is_none_or(|best| new.plies() > best.plies()) {
            best = Some(new);
        }
    }
    let best = best.expect("a guess has at least one set of rules");
    if best.plies() > 1 || fen.is_some() {
        return best;
    }
    let turned = guess.variants.iter().map(|variant| attempt(variant, None, &texts, true));
    let turned = turned.reduce(|best, new| if !best.whole && new.plies() > best.plies() { new } else { best });
    turned.filter(|turned| turned.plies() > best.plies()).unwrap_or(best)
}

/// Tries one set of rules; `turned` lets the other side move first.
fn attempt(variant: &Arc<Variant>, fen: Option<&str>, texts: &[&str], turned: bool) -> Attempt {
    let mut odd = Vec::new();
    let start = match fen {
        Some(text) => read_fen(variant, text, &mut odd),
        None => Some(Setup::start(variant)),
    };
    let start = start.map(|mut setup| {
        if turned {
            setup.side = setup.side.other();
            odd.push(Kind::OtherSideFirst { side: setup.side.name() });
        }
        setup
    });
    let game = start.as_ref().and_then(|setup| Game::from_setup(variant.clone(), setup).ok());
    let settled = game.map(|game| (game.clone(), settle(game, texts)));
    let whole = settled.as_ref().is_some_and(|(_, settled)| settled.reach == texts.len());
    Attempt { variant: variant.clone(), start, settled, odd, whole }
}

/// Reads a position that can be set up, and tells what deviates.
pub(super) fn read_fen(variant: &Arc<Variant>, text: &str, odd: &mut Vec<Kind>) -> Option<Setup> {
    let read = fen::read(variant, text).map_err(|error| error.to_string());
    let set_up = |setup: Setup| Game::from_setup(variant.clone(), &setup).map(|_| setup).map_err(|e| e.to_string());
    match read.and_then(set_up) {
        Ok(setup) => {
            let wrote = fen::write(variant, &setup);
            if wrote != text {
                odd.push(Kind::FenSpelling { read: text.to_string(), wrote });
            }
            Some(setup)
        }
        Err(message) => {
            odd.push(Kind::Fen { read: text.to_string(), message });
            None
        }
    }
}

/// The texts of a line's moves up to its first set-up.
fn texts(items: &[Item]) -> Vec<&str> {
    let moves = items.iter().take_while(|item| !matches!(item, Item::Setup(..)));
    moves.filter_map(|item| if let Item::Move(mv) = item { Some(mv.text.as_str()) } else { None }).collect()
}
