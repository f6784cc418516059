//! One position to learn from, in 32 bytes.

use crate::game::board::{Bits, Color, Geometry};
use crate::game::generate::Pieces;

/// Bytes of a record in a file.
pub const RECORD: usize = 32;

/// A position with what a search thought of it and how its game ended. Squares are bits by number: square 1 is bit 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// White's and Black's pieces.
    pub sides: [u64; 2],
    /// The kings of both.
    pub kings: u64,
    /// The search's score for the side to move, in hundredths of a man.
    pub score: i16,
    /// For the side to move: 0 lost, 1 drawn, 2 won.
    pub result: u8,
    /// Plies since the start of the game, at most 255.
    pub ply: u8,
    /// The side to move.
    pub side: Color,
    /// Number of the game, its lower 24 bits.
    pub game: u32,
}

impl Record {
    /// Writes the pieces down by square numbers.
    pub fn squares(geometry: &Geometry, pieces: &Pieces<u64>) -> ([u64; 2], u64) {
        let turn = |set: u64| Bits(set).fold(0, |all, bit| all | 1u64 << (geometry.square(bit).0 - 1));
        (pieces.sides.map(turn), turn(pieces.kings))
    }

    /// Pieces on the board.
    pub fn count(&self) -> u32 {
        (self.sides[0] | self.sides[1]).count_ones()
    }

    /// As bytes, little-endian.
    pub fn bytes(&self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&self.sides[0].to_le_bytes());
        bytes[8..16].copy_from_slice(&self.sides[1].to_le_bytes());
        bytes[16..24].copy_from_slice(&self.kings.to_le_bytes());
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.result;
        bytes[27] = self.ply;
        let last = self.game << 8 | self.side.index() as u32;
        bytes[28..].copy_from_slice(&last.to_le_bytes());
        bytes
    }

    /// Reads one back; `None` when the bytes are no position.
    pub fn read(bytes: &[u8; RECORD]) -> Option<Record> {
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let last = u32::from_le_bytes(bytes[28..].try_into().expect("four bytes"));
        let side = match last & 0xff {
            0 => Color::White,
            1 => Color::Black,
            _ => return None,
        };
        let record = Record {
            sides: [word(0), word(8)],
            kings: word(16),
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            result: bytes[26],
            ply: bytes[27],
            side,
            game: last >> 8,
        };
        let [white, black] = record.sides;
        let sound = white & black == 0 && record.kings & !(white | black) == 0 && record.result <= 2;
        sound.then_some(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_back() {
        let record = Record {
            sides: [0xf0, 0x0f],
            kings: 0x11,
            score: -345,
            result: 2,
            ply: 77,
            side: Color::Black,
            game: 0xab_cdef,
        };
        assert_eq!(Record::read(&record.bytes()), Some(record));
        let overlapping = Record { sides: [1, 1], ..record };
        assert_eq!(Record::read(&overlapping.bytes()), None);
    }
}
