//! The file of a book. All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `DAMKABK1` |
//! | 1 + n | length and name of the rule set, for people |
//! | 8 | fingerprint of the rules |
//! | 4 | number of positions |
//! | each position | see below; in ascending order of its first bytes, each once |
//! | 8 | FNV-1a of all bytes before |
//!
//! A position is its place (1 byte for the side to move, White 0, Black 1; then two squares a byte, the lower first in the low half: 0 empty, 1 white man, 2
//! white king, 3 black man, 4 black king), the number of its moves (1 byte), and the moves: from, to, flags (1 promotes), huffed square
//! or 0, number of captures and the captured squares (1 byte each), weight (2), score in hundredths of a man or -32768 for none (2), games
//! (4), half points (4).

use super::{Book, BookMove, Place, fingerprint, setup};
use crate::game::board::Square;
use crate::game::{Game, Variant};
use std::collections::BTreeMap;
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"DAMKABK1";

/// A score that nobody gave.
const NO_SCORE: i16 = i16::MIN;

/// Largest file that is read, in bytes.
pub const MOST_BYTES: u64 = 256 << 20;

/// Why a file is no book for these rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookError {
    #[error("not a book: byte {at} read, expected '{}'", MAGIC.escape_ascii())]
    Magic { at: usize },
    #[error("byte {at}: the file ends, expected {what}")]
    Short { at: usize, what: &'static str },
    #[error("byte {at}: {more} bytes behind the end of the book, expected none")]
    Long { at: usize, more: usize },
    #[error("the checksum is {found:016x}, expected {expected:016x}; the file is damaged")]
    Sum { found: u64, expected: u64 },
    #[error("a book of '{found}', expected one of the rules in force, or of rules that play the same")]
    Foreign { found: String },
    #[error("position {number}, byte {at}: {why}")]
    Position { number: u32, at: usize, why: &'static str },
    #[error("a book of {0} bytes, expected at most {MOST_BYTES}")]
    Large(u64),
}

/// One step of FNV-1a. After: Fowler, Noll and Vo.
pub(super) fn mix(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

pub(super) fn checksum_of(bytes: &[u8]) -> u64 {
    bytes.iter().copied().fold(0xcbf2_9ce4_8422_2325, mix)
}

struct Bytes<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize, what: &'static str) -> Result<&'b [u8], BookError> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or(BookError::Short { at: self.bytes.len(), what })?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], BookError> {
        Ok(self.take(N, what)?.try_into().expect("as many as were asked for"))
    }

    fn byte(&mut self, what: &'static str) -> Result<u8, BookError> {
        Ok(self.array::<1>(what)?[0])
    }
}

/// The name of the rules in a book's head, their fingerprint, and where the head ends.
pub fn rules_of(bytes: &[u8]) -> Result<(String, u64, usize), BookError> {
    let mut bytes = Bytes { bytes, at: 0 };
    if bytes.take(8, "the sign of a book").is_ok_and(|magic| magic != MAGIC) {
        let at = bytes.bytes.iter().zip(MAGIC).position(|(a, b)| a != b).unwrap_or(0);
        return Err(BookError::Magic { at });
    }
    if bytes.at < 8 {
        return Err(BookError::Short { at: bytes.bytes.len(), what: "the sign of a book" });
    }
    let length = bytes.byte("the length of a name")?;
    let name = String::from_utf8_lossy(bytes.take(length.into(), "a name")?).into_owned();
    let rules = u64::from_le_bytes(bytes.array("the rules")?);
    Ok((name, rules, bytes.at))
}

impl Book {
    /// Reads a book for these rules. Every move in it is checked: one that is not legal, and the book is refused.
    pub fn read(bytes: &[u8], variant: &Arc<Variant>) -> Result<Book, BookError> {
        if bytes.len() as u64 > MOST_BYTES {
            return Err(BookError::Large(bytes.len() as u64));
        }
        let (name, rules, at) = rules_of(bytes)?;
        if rules != fingerprint(variant) {
            return Err(BookError::Foreign { found: name });
        }
        let (body, sum) = bytes.split_at(bytes.len().saturating_sub(8));
        let found = checksum_of(body);
        let expected = u64::from_le_bytes(sum.try_into().map_err(|_| BookError::Short { at: 0, what: "a checksum" })?);
        if found != expected {
            return Err(BookError::Sum { found, expected });
        }
        let mut bytes = Bytes { bytes: body, at };
        let count = u32::from_le_bytes(bytes.array("the number of positions")?);
        let mut positions: BTreeMap<Place, Vec<BookMove>> = BTreeMap::new();
        for number in 1..=count {
            let at = bytes.at;
            let wrong = |why| BookError::Position { number, at, why };
            let (place, moves) = position(&mut bytes, variant, &wrong)?;
            if positions.last_key_value().is_some_and(|(last, _)| *last >= place) {
                return Err(wrong("positions are not in order"));
            }
            positions.insert(place, moves);
        }
        match body.len() - bytes.at {
            0 => Ok(Book { variant: variant.clone(), positions }),
            more => Err(BookError::Long { at: bytes.at, more }),
        }
    }

    /// The book as a file, with a name of its rules for people.
    pub fn write(&self, name: &str) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let name = name.as_bytes();
        let length = name.len().min(255);
        out.push(length as u8);
        out.extend(&name[..length]);
        out.extend(fingerprint(&self.variant).to_le_bytes());
        out.extend((self.positions.len() as u32).to_le_bytes());
        for (place, moves) in &self.positions {
            let moves = &moves[..moves.len().min(255)];
            out.extend(&**place);
            out.push(moves.len() as u8);
            for mv in moves {
                out.extend([mv.from.0, mv.to.0, u8::from(mv.promotes), mv.huffed.map_or(0, |square| square.0)]);
                out.push(mv.captures.len() as u8);
                out.extend(mv.captures.iter().map(|square| square.0));
                out.extend(mv.weight.to_le_bytes());
                out.extend(mv.score.unwrap_or(NO_SCORE).to_le_bytes());
                out.extend(mv.games.to_le_bytes());
                out.extend(mv.half_points.to_le_bytes());
            }
        }
        out.extend(checksum_of(&out).to_le_bytes());
        out
    }
}

fn position(
    bytes: &mut Bytes,
    variant: &Arc<Variant>,
    wrong: &dyn Fn(&'static str) -> BookError,
) -> Result<(Place, Vec<BookMove>), BookError> {
    let length = 1 + variant.set.board.squares().div_ceil(2);
    let place = bytes.take(length, "a position")?;
    let setup = setup(variant, place).ok_or_else(|| wrong("not a position of the board"))?;
    let game = Game::from_setup(variant.clone(), &setup).map_err(|_| wrong("a position that cannot be set up"))?;
    let legal = game.moves();
    let count = bytes.byte("the number of moves")?;
    let mut moves: Vec<BookMove> = Vec::with_capacity(count.into());
    for _ in 0..count {
        let mv = one_move(bytes)?;
        if !legal.iter().any(|plain| mv.is(plain)) {
            return Err(wrong("a move that is not legal"));
        }
        let same = |a: &BookMove| {
            (a.from, a.to, &a.captures, a.promotes, a.huffed) == (mv.from, mv.to, &mv.captures, mv.promotes, mv.huffed)
        };
        if moves.iter().any(same) {
            return Err(wrong("a move given twice"));
        }
        moves.push(mv);
    }
    Ok((place.into(), moves))
}

fn one_move(bytes: &mut Bytes) -> Result<BookMove, BookError> {
    let [from, to, flags, huffed, captured] = bytes.array("a move")?;
    let captures = bytes.take(captured.into(), "captured squares")?.iter().copied().map(Square).collect();
    let weight = u16::from_le_bytes(bytes.array("a weight")?);
    let score = i16::from_le_bytes(bytes.array("a score")?);
    Ok(BookMove {
        from: Square(from),
        to: Square(to),
        captures,
        promotes: flags & 1 != 0,
        huffed: (huffed != 0).then_some(Square(huffed)),
        weight,
        score: (score != NO_SCORE).then_some(score),
        games: u32::from_le_bytes(bytes.array("a number of games")?),
        half_points: u32::from_le_bytes(bytes.array("half points")?),
    })
}
