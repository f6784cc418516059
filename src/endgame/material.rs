//! What is on the board, apart from where: men and kings of the side to move and of the other.

use crate::game::board::{Color, Word};
use crate::game::generate::Pieces;
use std::fmt;
use std::str::FromStr;

/// Most pieces that tables are made for.
pub const MAX_PIECES: usize = 6;

/// Men and kings, the side to move first. One table holds the positions of one material.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Material {
    /// Men of the side to move, and of the other.
    pub men: [u8; 2],
    /// Kings of the side to move, and of the other.
    pub kings: [u8; 2],
}

impl Material {
    /// The material of a position.
    pub fn of<W: Word>(pieces: &Pieces<W>, side: Color) -> Material {
        let (us, them) = (side, side.other());
        Material {
            men: [pieces.men(us).count() as u8, pieces.men(them).count() as u8],
            kings: [pieces.kings(us).count() as u8, pieces.kings(them).count() as u8],
        }
    }

    /// All pieces.
    pub fn pieces(self) -> usize {
        self.men.iter().chain(&self.kings).map(|&n| usize::from(n)).sum()
    }

    /// Pieces of one side: 0 = the side to move.
    pub fn side(self, side: usize) -> usize {
        usize::from(self.men[side] + self.kings[side])
    }

    /// The men of both.
    pub fn all_men(self) -> usize {
        usize::from(self.men[0] + self.men[1])
    }

    /// The same pieces with the other side to move.
    pub fn mirror(self) -> Material {
        let [a, b] = self.men;
        let [c, d] = self.kings;
        Material { men: [b, a], kings: [d, c] }
    }

    /// Whether both sides have the same.
    pub fn is_even(self) -> bool {
        self == self.mirror()
    }

    /// Of the two materials that are solved together, the one that names the pair.
    pub fn pair(self) -> Material {
        self.max(self.mirror())
    }

    /// All materials of that many pieces with both sides on the board, in an order in which they can be solved: captures
    /// lead to fewer pieces, promotions to fewer men. A material and its mirror stand together.
    pub fn all(pieces: usize) -> Vec<Material> {
        let mut all = Vec::new();
        let pieces = pieces as u8;
        for ours in 1..pieces {
            let theirs = pieces - ours;
            for our_men in 0..=ours {
                for their_men in 0..=theirs {
                    all.push(Material { men: [our_men, their_men], kings: [ours - our_men, theirs - their_men] });
                }
            }
        }
        all.sort_by_key(|m| (m.all_men(), m.pair(), *m != m.pair()));
        all
    }

    /// The pairs of that many pieces, as [`Material::all`] orders them.
    pub fn pairs(pieces: usize) -> Vec<Material> {
        Material::all(pieces).into_iter().filter(|m| *m == m.pair()).collect()
    }

    /// A man less that has become a king, a man or a king captured: what one step leads to, whoever makes it.
    fn children(self) -> Vec<Material> {
        let mut children = Vec::new();
        for side in 0..2 {
            let mut less = self;
            if self.men[side] > 0 {
                less.men[side] -= 1;
                children.push(Material { kings: plus_one(self.kings, side), ..less });
                children.push(less);
            }
            if self.kings[side] > 0 {
                children.push(Material { kings: minus_one(self.kings, side), ..self });
            }
        }
        children.retain(|child| child.side(0) > 0 && child.side(1) > 0);
        children
    }

    /// The pairs that the tables of this pair are made from; these in turn need others. Promotions come first.
    pub fn needs(self) -> Vec<Material> {
        let mut needs: Vec<Material> = self.children().into_iter().map(Material::pair).collect();
        needs.sort_by_key(|need| (std::cmp::Reverse(need.pieces()), *need));
        needs.dedup();
        needs
    }

    /// Everything that play can come to from this material, itself and its mirror included: promotions, and captures and
    /// huffs as long as both sides have pieces.
    pub fn family(self) -> Vec<Material> {
        let mut found = vec![self];
        let mut next = 0;
        while next < found.len() {
            let at = found[next];
            next += 1;
            for child in [vec![at.mirror()], at.children()].concat() {
                if !found.contains(&child) {
                    found.push(child);
                }
            }
        }
        found
    }

    /// A small number for arrays; below [`Material::SLOTS`].
    pub(super) fn slot(self) -> usize {
        let digit = |place: usize, n: u8| usize::from(n) * 7usize.pow(place as u32);
        digit(0, self.men[0]) + digit(1, self.kings[0]) + digit(2, self.men[1]) + digit(3, self.kings[1])
    }

    /// Number of slots.
    pub(super) const SLOTS: usize = 7 * 7 * 7 * 7;
}

fn plus_one(mut kings: [u8; 2], side: usize) -> [u8; 2] {
    kings[side] += 1;
    kings
}

fn minus_one(mut kings: [u8; 2], side: usize) -> [u8; 2] {
    kings[side] -= 1;
    kings
}

/// Kings and men as letters, the side to move first: `kkm-k`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |i: usize| "k".repeat(self.kings[i].into()) + &"m".repeat(self.men[i].into());
        write!(f, "{}-{}", side(0), side(1))
    }
}

/// The text is not a material such as `kkm-k`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' was read, expected kings and men of both sides such as kkm-k")]
pub struct BadMaterial(String);

impl FromStr for Material {
    type Err = BadMaterial;
    fn from_str(text: &str) -> Result<Material, BadMaterial> {
        let bad = || BadMaterial(text.chars().take(40).collect());
        let (us, them) = text.split_once('-').ok_or_else(bad)?;
        let count = |side: &str, letter: char| side.chars().filter(|c| *c == letter).count() as u8;
        if text.len() > 2 * MAX_PIECES || us.is_empty() || them.is_empty() {
            return Err(bad());
        }
        let material = Material { men: [count(us, 'm'), count(them, 'm')], kings: [count(us, 'k'), count(them, 'k')] };
        if material.pieces() + 1 == text.len() && material.pieces() <= MAX_PIECES { Ok(material) } else { Err(bad()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_materials_are_those_of_combinatorics() {
        assert_eq!([2, 3, 4, 5, 6].map(|n| Material::all(n).len()), [4, 12, 25, 44, 70]);
    }

    #[test]
    fn what_is_needed_comes_first() {
        for pieces in 2..=MAX_PIECES {
            let all = Material::all(pieces);
            for (place, material) in all.iter().enumerate() {
                for side in 0..2 {
                    let mut promoted = *material;
                    if promoted.men[side] > 0 {
                        promoted.men[side] -= 1;
                        promoted.kings[side] += 1;
                        let needed = all.iter().position(|m| *m == promoted.mirror()).expect("listed");
                        assert!(needed < place, "{material} needs {promoted}");
                    }
                }
            }
        }
    }

    #[test]
    fn needs_lead_to_the_whole_family() {
        let texts =
            |m: &str| m.parse::<Material>().expect("sound").needs().iter().map(Material::to_string).collect::<Vec<_>>();
        assert_eq!(texts("km-k"), ["kk-k", "k-k", "m-k"]);
        assert!(texts("k-k").is_empty());
        for material in Material::pairs(5) {
            let mut all = vec![material];
            let mut next = 0;
            while next < all.len() {
                let more: Vec<Material> = all[next].needs().into_iter().filter(|need| !all.contains(need)).collect();
                all.extend(more);
                next += 1;
            }
            assert!(material.family().iter().all(|member| all.contains(&member.pair())), "{material}");
        }
    }

    #[test]
    fn a_family_holds_all_that_play_can_come_to() {
        let two_kings = Material { men: [0, 0], kings: [2, 2] };
        let family: Vec<String> = two_kings.family().iter().map(Material::to_string).collect();
        assert_eq!(family, ["kk-kk", "k-kk", "kk-k", "k-k"]);
        let men = Material { men: [2, 2], kings: [0, 0] };
        let wanted = (2..=4).flat_map(Material::all).filter(|m| m.side(0) <= 2 && m.side(1) <= 2);
        assert_eq!(men.family().len(), wanted.count());
    }

    #[test]
    fn names_are_read_back() {
        for material in (2..=MAX_PIECES).flat_map(Material::all) {
            assert_eq!(material.to_string().parse(), Ok(material));
        }
        for bad in ["", "k", "k-", "-k", "kx-k", "kkkk-mmm", "kkmk", "k-k-k", "é-k"] {
            assert!(bad.parse::<Material>().is_err(), "{bad}");
        }
        let mut slots: Vec<usize> = (2..=MAX_PIECES).flat_map(Material::all).map(Material::slot).collect();
        slots.sort_unstable();
        slots.dedup();
        assert_eq!(slots.len(), 4 + 12 + 25 + 44 + 70);
        assert!(slots.iter().all(|slot| *slot < Material::SLOTS));
    }
}
