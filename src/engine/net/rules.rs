//! Which rules a network was made for.

use super::{BadNet, Net};
use crate::game::rules::{Directions, RuleSet};

/// A number for the rules that decide moves and what is won: rule sets with the same number can use the same network. How a
/// game is drawn by counting, how many men begin and who moves first do not enter.
pub fn fingerprint(set: &RuleSet) -> u64 {
    let board = set.board;
    let directions = [set.man_move, set.man_capture, set.king_move, set.king_capture].map(|Directions(bits)| bits);
    let mut bytes = vec![board.width, board.height, board.all_squares as u8, board.corner as u8];
    bytes.extend(directions);
    bytes.extend([set.king_flies, set.king_captures_afar, set.man_takes_king, set.may_reverse].map(u8::from));
    bytes.extend([set.landing as u8, set.removal as u8, set.promotion as u8, set.duty as u8, set.scope as u8]);
    bytes.extend(set.choice.map(|criterion| criterion.map_or(0, |criterion| criterion as u8 + 1)));
    bytes.extend([set.goal as u8, set.blocked as u8, set.kings_only as u8]);
    // FNV-1a, 64 bits. After: Fowler, Noll and Vo.
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Net {
    /// Whether the network can evaluate positions of these rules.
    pub fn fits(&self, set: &RuleSet) -> Result<(), BadNet> {
        let (found, expected) = (self.rules, fingerprint(set));
        if found != expected {
            return Err(BadNet::Rules { found, expected });
        }
        let (found, expected) = (self.shape.squares, set.board.squares());
        if found != expected {
            return Err(BadNet::Squares { found, expected });
        }
        Ok(())
    }
}
