//! Zobrist keys: one fixed random number for each piece on each square.

use super::board::{Bits, Color, Word};
use super::generate::Pieces;

/// Keys by side, kind (0 man, 1 king) and bit.
static KEYS: [[[u64; 128]; 2]; 2] = make_keys();

/// Black to move.
pub(super) const BLACK_TO_MOVE: u64 = mix(0xb1ac_0000_0000_0001);

const fn make_keys() -> [[[u64; 128]; 2]; 2] {
    let mut keys = [[[0; 128]; 2]; 2];
    let mut n = 0;
    while n < 512 {
        keys[n / 256][n / 128 % 2][n % 128] = mix(n as u64 + 1);
        n += 1;
    }
    keys
}

/// SplitMix64's output function. After: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators.
pub const fn mix(n: u64) -> u64 {
    let z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Key of one piece.
#[inline(always)]
pub(super) fn piece(side: usize, king: bool, bit: u8) -> u64 {
    KEYS[side][king as usize][bit as usize]
}

/// Key of a whole board, from scratch.
pub(super) fn board<W: Word>(pieces: &Pieces<W>, side: Color) -> u64 {
    let mut key = if side == Color::Black { BLACK_TO_MOVE } else { 0 };
    for color in 0..2 {
        for bit in Bits(pieces.sides[color]) {
            key ^= piece(color, pieces.kings.meets(W::bit(bit)), bit);
        }
    }
    key
}
