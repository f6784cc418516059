//! One solved material in memory, and the shelf of those that others are solved with.

use super::grid::Spots;
use super::index::Index;
use super::material::Material;
use super::value::Packed;
use std::sync::Arc;

/// What a table came to. Numbers of positions; distances in plies, 0 where they are not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// All positions.
    pub positions: u64,
    /// Those won, drawn and lost for the side to move.
    pub results: [u64; 3],
    /// Those in which the side to move must capture.
    pub captures: u64,
    /// Results of the others.
    pub quiet: [u64; 3],
    /// Plies of the longest win.
    pub longest_win: u16,
    /// Positions with the longest win.
    pub longest_wins: u64,
    /// Plies of the longest loss.
    pub longest_loss: u16,
}

impl Totals {
    /// Counts one position.
    pub(super) fn count(&mut self, value: Packed, capture: bool) {
        let class = if value.is_win() { 0 } else { 1 + usize::from(value.is_loss()) };
        self.positions += 1;
        self.results[class] += 1;
        if capture {
            self.captures += 1;
        } else {
            self.quiet[class] += 1;
        }
        if value.is_win() && value.plies() >= self.longest_win {
            if value.plies() > self.longest_win {
                (self.longest_win, self.longest_wins) = (value.plies(), 0);
            }
            self.longest_wins += 1;
        }
        if value.is_loss() {
            self.longest_loss = self.longest_loss.max(value.plies());
        }
    }

    /// Adds what another part came to.
    pub fn add(&mut self, other: &Totals) {
        self.positions += other.positions;
        self.captures += other.captures;
        for class in 0..3 {
            self.results[class] += other.results[class];
            self.quiet[class] += other.quiet[class];
        }
        match other.longest_win.cmp(&self.longest_win) {
            std::cmp::Ordering::Greater => {
                (self.longest_win, self.longest_wins) = (other.longest_win, other.longest_wins);
            }
            std::cmp::Ordering::Equal => self.longest_wins += other.longest_wins,
            std::cmp::Ordering::Less => {}
        }
        self.longest_loss = self.longest_loss.max(other.longest_loss);
    }

    /// The same without distances.
    pub(super) fn coarse(self) -> Totals {
        Totals { longest_win: 0, longest_wins: 0, longest_loss: 0, ..self }
    }
}

/// Values by number, in one byte where they fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Values {
    /// 0 = draw, n = a result in n - 1 plies, a win when n - 1 is odd and `odd_wins`, or even and not; 255 = no position.
    Bytes { odd_wins: bool, data: Vec<u8> },
    /// As [`Packed`].
    Words(Vec<u16>),
}

/// Longest distance that a byte can tell.
const MOST_IN_BYTE: u16 = 253;

impl Values {
    /// Takes values over; in bytes when no distance is too long and wins and losses differ in parity.
    pub fn new(words: Vec<u16>) -> Values {
        let fits = |odd_wins: bool| {
            words.iter().all(|&word| {
                let value = Packed(word);
                value.is_draw() || value.is_none() || byte_of(value, odd_wins).is_some()
            })
        };
        match [true, false].into_iter().find(|&odd_wins| fits(odd_wins)) {
            Some(odd_wins) => {
                let data = words.iter().map(|&word| byte_of(Packed(word), odd_wins).unwrap_or(255)).collect();
                Values::Bytes { odd_wins, data }
            }
            None => Values::Words(words),
        }
    }

    /// The value with a number.
    #[inline(always)]
    pub fn get(&self, number: u64) -> Packed {
        match self {
            Values::Bytes { odd_wins, data } => of_byte(data[number as usize], *odd_wins),
            Values::Words(words) => Packed(words[number as usize]),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Bytes { data, .. } => data.len(),
            Values::Words(words) => words.len(),
        }
    }
}

/// A value in a byte; `None` where there is no room for it, or no position.
pub(super) fn byte_of(value: Packed, odd_wins: bool) -> Option<u8> {
    if value.is_draw() {
        return Some(0);
    }
    let odd = value.plies() % 2 == 1;
    let fits = !value.is_none() && value.plies() <= MOST_IN_BYTE && value.is_win() == (odd == odd_wins);
    fits.then(|| value.plies() as u8 + 1)
}

/// The value that a byte stands for.
#[inline(always)]
pub(super) fn of_byte(byte: u8, odd_wins: bool) -> Packed {
    match byte {
        0 => Packed::DRAW,
        255 => Packed::NONE,
        _ => {
            let plies = u16::from(byte) - 1;
            if (plies % 2 == 1) == odd_wins { Packed::win(plies) } else { Packed::loss(plies) }
        }
    }
}

/// The values of all positions of one material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Solved {
    pub index: Index,
    pub values: Values,
}

/// Solved materials by slot.
#[derive(Clone, Default, Debug)]
pub(super) struct Shelf {
    slots: Vec<Option<Arc<Solved>>>,
}

impl Shelf {
    /// Puts a material on the shelf, in the place of what was known of it.
    pub fn put(&mut self, solved: Arc<Solved>) {
        self.slots.resize(Material::SLOTS, None);
        let slot = solved.index.material.slot();
        self.slots[slot] = Some(solved);
    }

    /// The solved material, if it is there.
    #[inline(always)]
    pub fn get(&self, material: Material) -> Option<&Arc<Solved>> {
        self.slots.get(material.slot()).and_then(Option::as_ref)
    }

    /// Takes a material off the shelf.
    pub fn remove(&mut self, material: Material) {
        if let Some(slot) = self.slots.get_mut(material.slot()) {
            *slot = None;
        }
    }

    /// The longest distance on the shelf.
    pub fn longest(&self) -> u16 {
        let plies = |solved: &Arc<Solved>| {
            let values = (0..solved.values.len() as u64).map(|number| solved.values.get(number));
            values.filter(|value| !value.is_none()).map(Packed::plies).max().unwrap_or(0)
        };
        self.slots.iter().flatten().map(plies).max().unwrap_or(0)
    }

    /// The value of a position, if its material is there.
    #[inline]
    pub fn value(&self, material: Material, spots: &Spots) -> Option<Packed> {
        self.get(material).map(|solved| solved.values.get(solved.index.rank(spots)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_what_is_put_into_them() {
        let (win, loss, draw) = (Packed::win, Packed::loss, Packed::DRAW);
        let sets = [
            (vec![win(1), loss(0), draw, Packed::NONE, win(109), loss(162)], true),
            (vec![win(0), loss(1), draw, Packed::NONE, win(252), loss(253)], true),
            (vec![win(0), loss(0)], false),
            (vec![win(255)], false),
        ];
        for (set, in_bytes) in sets {
            let values = Values::new(set.iter().map(|v| v.0).collect());
            assert_eq!(matches!(values, Values::Bytes { .. }), in_bytes, "{set:?}");
            assert_eq!(values.len(), set.len());
            for (number, value) in set.iter().enumerate() {
                assert_eq!(values.get(number as u64), *value);
            }
        }
    }

    #[test]
    fn totals_of_parts_add_up() {
        let values = [Packed::win(3), Packed::win(5), Packed::win(5), Packed::DRAW, Packed::loss(8), Packed::loss(0)];
        let mut whole = Totals::default();
        let mut parts = [Totals::default(); 2];
        for (place, value) in values.into_iter().enumerate() {
            whole.count(value, place == 1);
            parts[place % 2].count(value, place == 1);
        }
        let [mut first, second] = parts;
        first.add(&second);
        assert_eq!(first, whole);
        assert_eq!((whole.longest_win, whole.longest_wins, whole.longest_loss), (5, 2, 8));
        assert_eq!((whole.results, whole.quiet, whole.captures), ([3, 1, 2], [2, 1, 2], 1));
    }
}
