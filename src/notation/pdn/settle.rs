//! A line of move texts played from a position: which moves they are. Ambiguous captures are kept open until the moves
//! behind them leave one reading.

use super::super::move_scan::{Scan, scan};
use super::super::movetext::{self, Moves};
use super::super::squares;
use super::warning::Kind;
use crate::game::Game;
use crate::game::board::Square;
use crate::game::plain::PlainMove;
use std::fmt::Write;

/// Most readings of a line that are followed at once.
const MOST_BRANCHES: usize = 64;
/// Most single jumps that are joined to one capture.
const MOST_JUMPS: usize = 20;
/// Most candidates that a warning lists.
const LISTED: usize = 12;

/// A move that was found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub mv: PlainMove,
    /// As the standard writes it.
    pub text: String,
    /// How many texts it was made of.
    pub joined: usize,
}

/// What became of a line of texts.
#[derive(Debug)]
pub(super) struct Settled {
    /// The moves, from the first text on.
    pub found: Vec<Found>,
    /// How many texts they used up.
    pub used: usize,
    /// The game behind them.
    pub game: Game,
    /// Place among the texts, and what deviated there.
    pub odd: Vec<(usize, Kind)>,
    /// How many texts can be read at all, be they ambiguous.
    pub reach: usize,
    /// The text after `used` is ambiguous for good, rather than illegal.
    pub ambiguous: bool,
}

/// One reading of the texts since the oldest open capture.
#[derive(Clone)]
struct Branch {
    game: Game,
    found: Vec<Found>,
}

/// Plays texts until one is not legal.
pub(super) fn settle(game: Game, texts: &[&str]) -> Settled {
    let mut settled =
        Settled { found: Vec::with_capacity(texts.len()), used: 0, game, odd: Vec::new(), reach: 0, ambiguous: false };
    while settled.used < texts.len() {
        if !(settled.one(texts) || settled.fork(texts)) {
            return settled;
        }
    }
    settled.reach = settled.used;
    settled
}

impl Settled {
    /// Plays the next text if it means one move, alone or joined with those after it.
    fn one(&mut self, texts: &[&str]) -> bool {
        let read = texts[self.used];
        let Ok(scan) = scan(self.game.variant(), read) else {
            return false;
        };
        let mut found = lookup(&self.game, &scan);
        match found.len() {
            0 => self.join(texts, scan),
            1 => {
                let mv = found.pop().expect("there is one");
                let text = spelled(&self.game, &mv, &scan, read);
                if let Some(wrote) = &text {
                    self.odd.push((self.used, Kind::Spelling { read: read.to_string(), wrote: wrote.clone() }));
                }
                self.push(Found { mv, text: text.unwrap_or_else(|| read.to_string()), joined: 1 })
            }
            _ => false,
        }
    }

    fn push(&mut self, found: Found) -> bool {
        if self.game.play(&found.mv).is_err() {
            return false;
        }
        self.used += found.joined;
        self.found.push(found);
        true
    }

    /// Joins single jumps, each written as a move of its own.
    fn join(&mut self, texts: &[&str], mut path: Scan) -> bool {
        for count in 2..=MOST_JUMPS.min(texts.len() - self.used) {
            let Ok(next) = scan(self.game.variant(), texts[self.used + count - 1]) else {
                return false;
            };
            if path.squares.last() != next.squares.first() {
                return false;
            }
            path.squares.extend(&next.squares[1..]);
            path.dash = false;
            if let [mv] = lookup(&self.game, &path).as_slice()
                && mv.is_capture()
            {
                let text = movetext::write(&self.game, mv);
                let read = texts[self.used..self.used + count].join(" ");
                self.odd.push((self.used, Kind::Merged { read, wrote: text.clone() }));
                return self.push(Found { mv: mv.clone(), text, joined: count });
            }
        }
        false
    }

    /// Follows each reading of an ambiguous text until one is left.
    fn fork(&mut self, texts: &[&str]) -> bool {
        self.reach = self.used;
        let mut branches = vec![Branch { game: self.game.clone(), found: Vec::new() }];
        for (place, &text) in texts.iter().enumerate().skip(self.used) {
            let Some(next) = branch(&branches, text).filter(|next| !next.is_empty()) else {
                break;
            };
            branches = next;
            self.reach = place + 1;
            if branches.len() == 1 {
                let only = branches.pop().expect("there is one");
                let kind = Kind::Settled {
                    read: texts[self.used].to_string(),
                    candidates: candidates(&self.game, texts[self.used]),
                    wrote: only.found[0].text.clone(),
                };
                self.odd.push((self.used, kind));
                self.found.extend(only.found);
                self.game = only.game;
                self.used = place + 1;
                return true;
            }
        }
        self.ambiguous = !branches[0].found.is_empty();
        false
    }

    /// What is wrong with the text that ended the line.
    pub fn stop(&self, read: &str) -> Kind {
        let read = read.to_string();
        if self.ambiguous {
            return Kind::Ambiguous { candidates: candidates(&self.game, &read), read };
        }
        let message = match movetext::read(&self.game, &read) {
            Err(error) => error.to_string(),
            Ok(_) => format!("move {read} cannot be played"),
        };
        Kind::Illegal { read, message }
    }
}

/// All readings with one more text; `None` when they are too many.
fn branch(branches: &[Branch], text: &str) -> Option<Vec<Branch>> {
    let mut next: Vec<Branch> = Vec::new();
    for branch in branches {
        let Ok(scan) = scan(branch.game.variant(), text) else {
            continue;
        };
        for mv in lookup(&branch.game, &scan) {
            if next.len() == MOST_BRANCHES {
                return None;
            }
            let mut longer = branch.clone();
            let text = movetext::write(&branch.game, &mv);
            if longer.game.play(&mv).is_ok() {
                longer.found.push(Found { mv, text, joined: 1 });
                next.push(longer);
            }
        }
    }
    Some(next)
}

/// The legal moves that squares can mean.
fn lookup(game: &Game, scan: &Scan) -> Vec<PlainMove> {
    let (&[from, to], None) = (scan.squares.as_slice(), scan.huffed) else {
        return Moves::new(game).candidates(scan);
    };
    let mut found = game.between(from, to);
    if found.len() > 1
        && scan.dash
        && let Some(quiet) = found.iter().position(|mv| !mv.is_capture())
    {
        return vec![found.swap_remove(quiet)];
    }
    found
}

fn candidates(game: &Game, text: &str) -> String {
    let Ok(scan) = scan(game.variant(), text) else {
        return String::new();
    };
    let moves = Moves::new(game);
    let found = moves.candidates(&scan);
    let shown: Vec<String> = found.iter().take(LISTED).map(|mv| moves.full(mv)).collect();
    let more = found.len() - shown.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(" or "))
}

/// The text of a move as the standard writes it, unless it stands like that already.
fn spelled(game: &Game, mv: &PlainMove, scan: &Scan, read: &str) -> Option<String> {
    if scan.squares.len() > 2 || mv.huffed.is_some() {
        return Some(movetext::write(game, mv)).filter(|text| text != read);
    }
    let set = &game.variant().set;
    let mut text = String::with_capacity(8);
    name(game, mv.from, &mut text);
    text.push(if mv.is_capture() { set.capture_sign } else { '-' });
    name(game, mv.to, &mut text);
    (text != read).then_some(text)
}

fn name(game: &Game, square: Square, out: &mut String) {
    match game.variant().set.notation {
        crate::game::rules::Notation::Numeric => write!(out, "{}", square.0).expect("a string takes all text"),
        crate::game::rules::Notation::Algebraic => out.push_str(&squares::name(game.variant(), square)),
    }
}
