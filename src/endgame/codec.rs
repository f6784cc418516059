//! Values as bytes, in blocks that are unpacked one at a time.

use super::solved::{byte_of, of_byte};
use super::value::Packed;
use std::cell::RefCell;

/// Bytes of a block before it is packed.
pub(super) const BLOCK: usize = 4096;

/// How values are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Coding {
    /// Results only, five to a byte: draw 0, win 1, loss 2.
    Trits,
    /// Distances in a byte, wins in odd numbers of plies and losses in even ones, or the other way round.
    Bytes { odd_wins: bool },
    /// Distances in two bytes.
    Words,
}

impl Coding {
    /// The coding that holds these values with their distances in least space.
    pub fn exact(values: &[u16], free: impl Fn(usize) -> bool) -> Coding {
        let fits = |odd_wins: bool| {
            let kept = values.iter().enumerate().filter(|(number, _)| !free(*number));
            kept.map(|(_, value)| Packed(*value)).all(|value| byte_of(value, odd_wins).is_some())
        };
        match [true, false].into_iter().find(|&odd_wins| fits(odd_wins)) {
            Some(odd_wins) => Coding::Bytes { odd_wins },
            None => Coding::Words,
        }
    }

    /// Its number in a file.
    pub fn number(self) -> u8 {
        match self {
            Coding::Trits => 0,
            Coding::Bytes { odd_wins: true } => 1,
            Coding::Bytes { odd_wins: false } => 2,
            Coding::Words => 3,
        }
    }

    /// The coding with a number.
    pub fn find(number: u8) -> Option<Coding> {
        [Coding::Trits, Coding::Bytes { odd_wins: true }, Coding::Bytes { odd_wins: false }, Coding::Words]
            .into_iter()
            .find(|coding| coding.number() == number)
    }

    /// Values in a block.
    pub fn per_block(self) -> usize {
        match self {
            Coding::Trits => 5 * BLOCK,
            Coding::Bytes { .. } => BLOCK,
            Coding::Words => BLOCK / 2,
        }
    }

    /// Level of compression: results are packed once and carried about, distances are made in a hurry.
    pub fn level(self) -> i32 {
        if self == Coding::Trits { 19 } else { 4 }
    }

    /// Writes the values from number `first` on as one block. What is free is written so that it packs well.
    pub fn encode(self, values: &[u16], first: usize, free: impl Fn(usize) -> bool) -> Vec<u8> {
        let kept = |place: usize| (!free(first + place)).then(|| Packed(values[place]));
        match self {
            Coding::Trits => encode_trits((0..values.len()).map(|place| kept(place).map(trit))),
            Coding::Bytes { odd_wins } => {
                filled(values.len(), kept).map(|value| byte_of(value, odd_wins).unwrap_or(0)).collect()
            }
            Coding::Words => filled(values.len(), kept).flat_map(|value| value.0.to_le_bytes()).collect(),
        }
    }

    /// The value at a place of an unpacked block, if the block reaches so far.
    #[inline]
    pub fn value(self, block: &[u8], place: usize) -> Option<Packed> {
        Some(match self {
            Coding::Trits => {
                let byte = *block.get(place / 5)?;
                match byte / [1, 3, 9, 27, 81][place % 5] % 3 {
                    0 => Packed::DRAW,
                    1 => Packed::win(u16::MAX),
                    _ => Packed::loss(u16::MAX),
                }
            }
            Coding::Bytes { odd_wins } => of_byte(*block.get(place)?, odd_wins),
            Coding::Words => Packed(u16::from_le_bytes([*block.get(2 * place)?, *block.get(2 * place + 1)?])),
        })
    }
}

/// Values with their predecessors in the place of what is free; a block that begins so takes its first value there too.
fn filled(length: usize, kept: impl Fn(usize) -> Option<Packed>) -> impl Iterator<Item = Packed> {
    let mut last = (0..length).find_map(&kept).unwrap_or(Packed::DRAW);
    (0..length).map(move |place| {
        last = kept(place).unwrap_or(last);
        last
    })
}

/// Packs trits, five to a byte; `None` = any. Free ones take the value before them up to the byte in which the next kept one
/// stands, and that value from there on, so that few bytes are mixed.
fn encode_trits(trits: impl Iterator<Item = Option<u8>>) -> Vec<u8> {
    let mut trits: Vec<Option<u8>> = trits.collect();
    let mut last = trits.iter().flatten().next().copied().unwrap_or(0);
    let mut place = 0;
    while place < trits.len() {
        if let Some(trit) = trits[place] {
            last = trit;
            place += 1;
            continue;
        }
        let end = (place..trits.len()).find(|&next| trits[next].is_some()).unwrap_or(trits.len());
        let next = trits.get(end).copied().flatten().unwrap_or(last);
        let turn = (end / 5 * 5).max(place);
        trits[place..turn].fill(Some(last));
        trits[turn..end].fill(Some(next));
        place = end;
    }
    let digit = |trit: &Option<u8>| trit.unwrap_or_default();
    trits.chunks(5).map(|five| five.iter().rev().fold(0, |byte, trit| 3 * byte + digit(trit))).collect()
}

fn trit(value: Packed) -> u8 {
    if value.is_win() { 1 } else { 2 * u8::from(value.is_loss()) }
}

/// Packs a block. One byte long: all bytes of the block are that one.
pub(super) fn pack(block: &[u8], packer: &mut zstd::bulk::Compressor) -> std::io::Result<Vec<u8>> {
    match block {
        [first, rest @ ..] if rest.iter().all(|byte| byte == first) => Ok(vec![*first]),
        _ => packer.compress(block),
    }
}

thread_local! {
    /// Made once a thread: making one costs more than unpacking a block.
    static UNPACKER: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Unpacks a block of a known length; `None` when it is no such block.
pub(super) fn unpack(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    if let [byte] = packed {
        return Some(vec![*byte; length]);
    }
    UNPACKER.with_borrow_mut(|unpacker| {
        if unpacker.is_none() {
            *unpacker = zstd::bulk::Decompressor::new().ok();
        }
        let block = unpacker.as_mut()?.decompress(packed, length).ok();
        block.filter(|block| block.len() == length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_as_they_were() {
        let values: Vec<u16> = (0..2_500u16)
            .map(|n| match n % 7 {
                0 | 1 => Packed::win(2 * (n % 90) + 1).0,
                2 => Packed::loss(2 * (n % 100)).0,
                _ => Packed::DRAW.0,
            })
            .collect();
        let free = |number: usize| number % 5 == 3;
        assert_eq!(Coding::exact(&values, free), Coding::Bytes { odd_wins: true });
        for coding in [Coding::Trits, Coding::Bytes { odd_wins: true }, Coding::Words] {
            assert_eq!(Coding::find(coding.number()), Some(coding));
            let raw = coding.encode(&values, 0, free);
            let mut packer = zstd::bulk::Compressor::new(coding.level()).expect("a level");
            let block = unpack(&pack(&raw, &mut packer).expect("packed"), raw.len()).expect("unpacked");
            assert_eq!(block, raw);
            for (number, value) in values.iter().enumerate().filter(|(number, _)| !free(*number)) {
                let found = coding.value(&block, number).expect("inside");
                let wanted = Packed(*value);
                match coding {
                    Coding::Trits => assert_eq!(found.value().result(), wanted.value().result()),
                    _ => assert_eq!(found, wanted),
                }
            }
            assert_eq!(coding.value(&block, 5 * BLOCK), None);
        }
    }

    #[test]
    fn a_block_of_one_value_takes_one_byte_and_rubbish_is_refused() {
        let mut packer = zstd::bulk::Compressor::new(1).expect("a level");
        assert_eq!(pack(&[7; BLOCK], &mut packer).expect("packed"), [7]);
        assert_eq!(unpack(&[7], 5), Some(vec![7; 5]));
        assert_eq!(unpack(b"this is no block", 5), None);
        assert_eq!(unpack(&[], 5), None);
        let packed = packer.compress(&[1, 2, 3, 4, 5, 6]).expect("packed");
        assert_eq!(unpack(&packed, 5), None, "longer than it should be");
    }

    #[test]
    fn mixed_parity_needs_words() {
        let values = [Packed::win(1).0, Packed::win(2).0];
        assert_eq!(Coding::exact(&values, |_| false), Coding::Words);
        assert_eq!(Coding::exact(&values, |number| number == 0), Coding::Bytes { odd_wins: false });
    }
}
