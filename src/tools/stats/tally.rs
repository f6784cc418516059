//! The counts.

use super::outcome::Outcome;
use crate::game::Game;
use crate::game::variant::Variant;
use crate::notation::fen;
use crate::notation::pdn::PdnGame;
use rustc_hash::FxHashMap;

/// Most rows; what comes after them is counted in one row, so that memory stays bounded.
const MOST_ROWS: usize = 1_000_000;
/// Longest name of a row, in characters.
const LONGEST: usize = 200;

/// What a game is counted under.
pub struct Key {
    /// Tells rows apart.
    id: String,
    /// What is shown.
    name: String,
    /// The position, of an opening.
    fen: Option<String>,
}

impl Key {
    /// A row of that name.
    pub fn text(name: &str) -> Key {
        let name: String = name.chars().take(LONGEST).collect();
        Key { id: name.clone(), name, fen: None }
    }

    /// A row for a position.
    pub fn position(variant: &Variant, game: &Game, moves: String) -> Key {
        let fen = fen::write(variant, &game.setup());
        Key { id: format!("{}:{:016x}", variant.id, game.key()), name: moves, fen: Some(fen) }
    }
}

/// One row.
#[derive(Clone, Default, Debug)]
pub struct Row {
    pub name: String,
    pub variant: Option<String>,
    pub fen: Option<String>,
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub plies: u64,
    pub errors: u64,
    pub warnings: u64,
}

impl Row {
    /// Adds a game.
    pub fn game(&mut self, game: &PdnGame, result: Option<Outcome>) {
        self.games += 1;
        match result {
            Some(Outcome::Win) => self.wins += 1,
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::Loss) => self.losses += 1,
            None => {}
        }
        self.plies += game.plies() as u64;
        let errors = game.warnings.iter().filter(|warning| warning.kind.is_error()).count();
        self.errors += errors as u64;
        self.warnings += (game.warnings.len() - errors) as u64;
    }

    /// Games without a result that says who won.
    pub fn unknown(&self) -> u64 {
        self.games - self.wins - self.draws - self.losses
    }

    /// Points in percent of the games with a result.
    pub fn score(&self) -> Option<f64> {
        let known = self.wins + self.draws + self.losses;
        (known > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) * 100.0 / known as f64)
    }

    /// Plies a game.
    pub fn average(&self) -> f64 {
        if self.games == 0 { 0.0 } else { self.plies as f64 / self.games as f64 }
    }
}

/// All rows.
#[derive(Default)]
pub struct Tally {
    pub rows: Vec<Row>,
    places: FxHashMap<String, usize>,
    /// All games together.
    pub total: Row,
    /// Games that could not be read.
    pub lost: u64,
}

impl Tally {
    /// Makes sure that there is a row of that name.
    pub fn row(&mut self, name: &str) {
        self.at(Key::text(name));
    }

    fn at(&mut self, key: Key) -> &mut Row {
        let full = self.rows.len() >= MOST_ROWS && !self.places.contains_key(&key.id);
        let key = if full { Key::text("(others)") } else { key };
        let place = *self.places.entry(key.id).or_insert_with(|| {
            self.rows.push(Row { name: key.name, fen: key.fen, ..Row::default() });
            self.rows.len() - 1
        });
        &mut self.rows[place]
    }

    /// Adds a game to a row.
    pub fn game(&mut self, key: Key, game: &PdnGame, result: Option<Outcome>) {
        let opening = key.fen.is_some();
        let row = self.at(key);
        if opening {
            row.variant.get_or_insert_with(|| game.variant.id.clone());
        }
        row.game(game, result);
    }

    /// Adds a game to a player's row; `result` is the player's.
    pub fn player(&mut self, key: Key, game: &PdnGame, result: Option<Outcome>) {
        self.at(key).game(game, result);
    }

    /// Counts a game that could not be read.
    pub fn unreadable(&mut self, name: &str) {
        self.lost += 1;
        let row = self.at(Key::text(name));
        (row.games, row.errors) = (row.games + 1, row.errors + 1);
        (self.total.games, self.total.errors) = (self.total.games + 1, self.total.errors + 1);
    }
}
