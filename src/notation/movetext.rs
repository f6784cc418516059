//! Moves as text.
//!
//! Written: `32-28`, `28x19`; squares and the capture sign are the variant's. When another legal move has the same ends,
//! all stops of a capture are written: `47x38x24x13x36` (a stop is where the capture turns, or the square right behind the
//! captured piece when it goes straight on). A capture of one piece that shares its ends with a longer one has no stops to tell it by;
//! it is written with the captured square behind: `f8:b4:c5`, from f8 to b4, taken c5. Of a quiet move and a capture with the same ends
//! (where captures are optional) the one with a dash and two squares is the quiet move.
//!
//! A huff stands before the move, without blanks: `@12/9-14` takes the piece on 12 off the board, then 9 goes to 14.
//!
//! Read as well: any sign between the squares or blanks, nothing before a letter (`c3d4`), leading zeros, capitals, either
//! notation in any variant, marks behind (`!`, `?`, `.`, `+`), any landing squares on the way, and from, to and all captured
//! squares in any order (`28x19x23`, as Hub writes it). The sign is not believed, since many files write quiet moves with `x`
//! or captures with `-`. What can mean two moves is refused.

pub use super::move_error::MoveError;
use super::move_scan::{Scan, scan};
use super::squares;
use crate::game::Game;
use crate::game::board::Square;
use crate::game::plain::PlainMove;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;

/// Most legal moves that an error lists.
const LISTED: usize = 8;
/// Most candidates of an ambiguous move that an error lists.
const CANDIDATES: usize = 32;
/// Most moves that are asked for their landing squares; boards where more share their ends are made by hand only.
const MOST_WALKS: usize = 256;

/// The move in its shortest unambiguous form. For many moves of one position, [`Moves`] is quicker.
pub fn write(game: &Game, mv: &PlainMove) -> String {
    Moves::new(game).write(mv)
}

/// The move with all its stops.
pub fn full(game: &Game, mv: &PlainMove) -> String {
    Moves::new(game).full(mv)
}

/// The move as the Hub protocol writes it: square numbers, then the captured squares.
pub fn hub(mv: &PlainMove) -> String {
    let number = |square: Square| square.0.to_string();
    let listed = [mv.from, mv.to].into_iter().chain(mv.captures.iter().copied()).map(number);
    let huff = mv.huffed.map_or(String::new(), |square| format!("@{}/", square.0));
    huff + &listed.collect::<Vec<_>>().join(if mv.is_capture() { "x" } else { "-" })
}

/// Reads a move and finds the one legal move that it means.
pub fn read(game: &Game, text: &str) -> Result<PlainMove, MoveError> {
    let scan = scan(game.variant(), text)?;
    Moves::new(game).find(&scan, text)
}

/// A line of play, each move in its shortest form. Stops at a move that is not legal.
pub fn write_line(game: &Game, line: &[PlainMove]) -> Vec<String> {
    let mut game = game.clone();
    let mut out = Vec::with_capacity(line.len());
    for mv in line {
        let text = write(&game, mv);
        if game.play(mv).is_err() {
            break;
        }
        out.push(text);
    }
    out
}

/// From, to and the piece huffed: what a short text tells.
type Ends = (Option<Square>, Square, Square);

/// The legal moves of one position, ready to be written and read.
pub struct Moves<'g> {
    game: &'g Game,
    legal: Vec<PlainMove>,
    ends: OnceCell<FxHashMap<Ends, u32>>,
}

impl<'g> Moves<'g> {
    /// Lists the legal moves of the position now.
    pub fn new(game: &'g Game) -> Moves<'g> {
        Moves { game, legal: game.moves(), ends: OnceCell::new() }
    }

    /// The legal moves.
    pub fn legal(&self) -> &[PlainMove] {
        &self.legal
    }

    /// The move in its shortest unambiguous form.
    pub fn write(&self, mv: &PlainMove) -> String {
        let same_ends = self.ends.get_or_init(|| {
            let mut ends = FxHashMap::default();
            self.legal.iter().for_each(|mv| *ends.entry(ends_of(mv)).or_default() += 1);
            ends
        });
        match same_ends.get(&ends_of(mv)) {
            Some(2..) if mv.is_capture() => self.full(mv),
            _ => self.text(mv, &[mv.from, mv.to]),
        }
    }

    /// The move with all its stops.
    pub fn full(&self, mv: &PlainMove) -> String {
        let means_it = |listed: &[Square]| match self.meant(mv.huffed, listed, !mv.is_capture()).as_slice() {
            [one] => same(&self.legal[*one], mv),
            _ => false,
        };
        if means_it(&mv.path) {
            return self.text(mv, &mv.path);
        }
        let ways = self.game.paths(mv, LISTED).into_iter();
        let listed = [mv.from, mv.to].into_iter().chain(mv.captures.iter().copied()).collect();
        let told = ways.chain([listed]).find(|listed| means_it(listed));
        self.text(mv, told.as_ref().unwrap_or(&mv.path))
    }

    /// Reads a move and finds the one legal move that it means.
    pub fn read(&self, text: &str) -> Result<PlainMove, MoveError> {
        self.find(&scan(self.game.variant(), text)?, text)
    }

    /// The legal moves that listed squares can mean; more than one when they are ambiguous.
    pub(super) fn candidates(&self, scan: &Scan) -> Vec<PlainMove> {
        let places = self.meant(scan.huffed, &scan.squares, scan.dash);
        places.into_iter().map(|place| self.legal[place].clone()).collect()
    }

    fn text(&self, mv: &PlainMove, listed: &[Square]) -> String {
        let variant = self.game.variant();
        let sign = if mv.is_capture() { variant.set.capture_sign } else { '-' };
        let mut out = mv.huffed.map_or(String::new(), |square| format!("@{}/", squares::name(variant, square)));
        for (nth, &square) in listed.iter().enumerate() {
            if nth > 0 {
                out.push(sign);
            }
            out += &squares::name(variant, square);
        }
        out
    }

    fn find(&self, scan: &Scan, text: &str) -> Result<PlainMove, MoveError> {
        match self.meant(scan.huffed, &scan.squares, scan.dash).as_slice() {
            [] => Err(self.illegal(scan, text)),
            [one] => Ok(self.legal[*one].clone()),
            several => {
                let candidates: Vec<String> =
                    several.iter().take(CANDIDATES).map(|&place| self.full(&self.legal[place])).collect();
                let more = several.len() - candidates.len();
                Err(MoveError::Ambiguous { read: text.to_string(), candidates, more })
            }
        }
    }

    /// Places of the legal moves that listed squares can mean; each at most once.
    fn meant(&self, huffed: Option<Square>, listed: &[Square], dash: bool) -> Vec<usize> {
        let [from, second, .., last] = *listed else {
            return self.between(huffed, listed, dash);
        };
        let places = |wanted: &dyn Fn(&PlainMove) -> bool| {
            self.places(|mv| mv.huffed == huffed && mv.from == from && wanted(mv))
        };
        // Captured squares and complete paths are two full descriptions: when they mean two moves, neither is chosen.
        let taken = sorted(&listed[2..]);
        let mut found = places(&|mv| mv.to == second && sorted(&mv.captures) == taken);
        let jumps = listed.len() - 1;
        // Of all complete paths of all captures, no two are the same: on the way from one landing square to the next
        // only one piece can be taken.
        let mut walked = places(&|mv| mv.path == listed);
        if walked.is_empty() {
            walked = self.landing(&listed[1..], places(&|mv| mv.to == last && mv.captures.len() == jumps));
        }
        found.extend(walked.into_iter().filter(|place| !found.contains(place)).collect::<Vec<_>>());
        if found.is_empty() {
            found = self.landing(&listed[1..], places(&|mv| mv.to == last && mv.captures.len() > jumps));
        }
        found
    }

    /// Places of the legal moves from the first of two squares to the second.
    fn between(&self, huffed: Option<Square>, listed: &[Square], dash: bool) -> Vec<usize> {
        let [from, to] = *listed else {
            return Vec::new();
        };
        let same_ends = self.places(|mv| ends_of(mv) == (huffed, from, to));
        let quiet = same_ends.iter().copied().find(|&place| !self.legal[place].is_capture());
        match quiet {
            Some(quiet) if dash => vec![quiet],
            _ => same_ends,
        }
    }

    fn places(&self, wanted: impl Fn(&PlainMove) -> bool) -> Vec<usize> {
        (0..self.legal.len()).filter(|&place| wanted(&self.legal[place])).collect()
    }

    /// Those of some moves that can land on all the stops in turn; all of them when they are too many to ask.
    fn landing(&self, stops: &[Square], mut places: Vec<usize>) -> Vec<usize> {
        if places.len() <= MOST_WALKS {
            places.retain(|&place| self.game.follows(&self.legal[place], stops));
        }
        places
    }

    fn illegal(&self, scan: &Scan, text: &str) -> MoveError {
        let from = scan.squares[0];
        let starts_there = |mv: &&PlainMove| mv.from == from && mv.huffed == scan.huffed;
        let here = self.legal.iter().filter(starts_there).count();
        let shown: Vec<&PlainMove> = match here {
            0 => self.legal.iter().take(LISTED).collect(),
            _ => self.legal.iter().filter(starts_there).take(LISTED).collect(),
        };
        let moves: Vec<String> = shown.into_iter().map(|mv| self.write(mv)).collect();
        let more = if here > 0 { here } else { self.legal.len() } - moves.len();
        let place = (here > 0).then(|| squares::name(self.game.variant(), from));
        MoveError::Illegal { read: text.to_string(), place, moves, more }
    }
}

fn ends_of(mv: &PlainMove) -> Ends {
    (mv.huffed, mv.from, mv.to)
}

/// Whether two plain moves are one move; they may tell another path.
fn same(a: &PlainMove, b: &PlainMove) -> bool {
    ends_of(a) == ends_of(b) && a.promotes == b.promotes && sorted(&a.captures) == sorted(&b.captures)
}

fn sorted(squares: &[Square]) -> Vec<Square> {
    let mut squares = squares.to_vec();
    squares.sort_unstable();
    squares
}

#[cfg(test)]
#[path = "movetext_tests.rs"]
mod tests;
