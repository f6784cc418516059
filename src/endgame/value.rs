//! What a position is worth with best play: won, drawn or lost, and in how many plies.

/// The worth of a position for the side to move. Distances are plies (moves of one side) to the end of the game, the winner
/// hurrying and the loser holding out; `None` where only the result is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Value {
    Win(Option<u16>),
    Draw,
    Loss(Option<u16>),
}

impl Value {
    /// The result in one word: `win`, `draw` or `loss`.
    pub fn name(self) -> &'static str {
        match self {
            Value::Win(_) => "win",
            Value::Draw => "draw",
            Value::Loss(_) => "loss",
        }
    }

    /// Plies to the end, where known.
    pub fn plies(self) -> Option<u16> {
        match self {
            Value::Win(plies) | Value::Loss(plies) => plies,
            Value::Draw => None,
        }
    }

    /// 1, 0 or -1.
    pub fn sign(self) -> i32 {
        match self {
            Value::Win(_) => 1,
            Value::Draw => 0,
            Value::Loss(_) => -1,
        }
    }

    /// The same without the distance.
    pub fn result(self) -> Value {
        match self {
            Value::Win(_) => Value::Win(None),
            Value::Draw => Value::Draw,
            Value::Loss(_) => Value::Loss(None),
        }
    }

    /// What a move that leads to this is worth to the player who makes it.
    pub fn before(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies.map(|n| n + 1)),
            Value::Draw => Value::Draw,
            Value::Loss(plies) => Value::Win(plies.map(|n| n + 1)),
        }
    }

    /// Larger is better: a quick win before a slow one, a slow loss before a quick one.
    pub fn rank(self) -> i32 {
        match self {
            Value::Win(plies) => 40_000 - i32::from(plies.unwrap_or(0)),
            Value::Draw => 0,
            Value::Loss(plies) => -40_000 + i32::from(plies.unwrap_or(0)),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{} in {plies} plies", self.name()),
            None => f.write_str(self.name()),
        }
    }
}

/// A value in 16 bits, as the generator keeps it: result in the top two, a mark, and the distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Packed(pub u16);

const CLASS: u16 = 0xc000;
const WIN: u16 = 0x4000;
const LOSS: u16 = 0x8000;
const MARK: u16 = 0x2000;
const PLIES: u16 = 0x1fff;

impl Packed {
    /// A draw, and also "nothing known yet".
    pub const DRAW: Packed = Packed(0);
    /// No position: two pieces on one square.
    pub const NONE: Packed = Packed(CLASS);
    /// Longest distance that can be told.
    pub const MOST: u16 = PLIES - 1;
    /// Stands for an unknown distance.
    const UNKNOWN: u16 = PLIES;

    pub fn win(plies: u16) -> Packed {
        Packed(WIN | plies.min(PLIES))
    }

    pub fn loss(plies: u16) -> Packed {
        Packed(LOSS | plies.min(PLIES))
    }

    pub fn is_win(self) -> bool {
        self.0 & CLASS == WIN
    }

    pub fn is_loss(self) -> bool {
        self.0 & CLASS == LOSS
    }

    pub fn is_draw(self) -> bool {
        self.0 & CLASS == 0
    }

    pub fn is_none(self) -> bool {
        self.0 & CLASS == CLASS
    }

    /// The distance field.
    pub fn plies(self) -> u16 {
        self.0 & PLIES
    }

    /// The same value, marked: it is settled.
    pub fn settled(self) -> Packed {
        Packed(self.0 | MARK)
    }

    pub fn is_settled(self) -> bool {
        self.0 & MARK != 0
    }

    /// The value without its mark.
    pub fn plain(self) -> Packed {
        if self.is_draw() { Packed::DRAW } else { Packed(self.0 & !MARK) }
    }

    /// Result only: the distances become 1 and 2, so that orders by distance still work.
    pub fn coarse(self) -> Packed {
        match self.0 & CLASS {
            WIN => Packed::win(1),
            LOSS => Packed::loss(2),
            _ => self.plain(),
        }
    }

    /// What a move that leads to this is worth to the player who makes it.
    pub fn before(self) -> Packed {
        let plies = self.plies();
        let plies = if plies == Self::UNKNOWN { plies } else { (plies + 1).min(Self::MOST) };
        match self.0 & CLASS {
            WIN => Packed::loss(plies),
            LOSS => Packed::win(plies),
            _ => Packed::DRAW,
        }
    }

    /// As [`Value::rank`].
    pub fn rank(self) -> i32 {
        let plies = i32::from(self.plies());
        match self.0 & CLASS {
            WIN => 40_000 - plies,
            LOSS => -40_000 + plies,
            _ => 0,
        }
    }

    /// The better of two for the player who may choose.
    pub fn best(self, other: Packed) -> Packed {
        if other.rank() > self.rank() { other } else { self }
    }

    pub fn value(self) -> Value {
        let plies = (self.plies() != Self::UNKNOWN).then_some(self.plies());
        match self.0 & CLASS {
            WIN => Value::Win(plies),
            LOSS => Value::Loss(plies),
            _ => Value::Draw,
        }
    }
}

impl From<Value> for Packed {
    fn from(value: Value) -> Packed {
        match value {
            Value::Win(plies) => Packed::win(plies.unwrap_or(Packed::UNKNOWN)),
            Value::Draw => Packed::DRAW,
            Value::Loss(plies) => Packed::loss(plies.unwrap_or(Packed::UNKNOWN)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bits_hold_a_value() {
        for value in [
            Value::Win(Some(0)),
            Value::Win(Some(161)),
            Value::Win(None),
            Value::Draw,
            Value::Loss(Some(0)),
            Value::Loss(Some(8_000)),
            Value::Loss(None),
        ] {
            let packed = Packed::from(value);
            assert_eq!(packed.value(), value);
            assert_eq!(packed.settled().plain(), packed);
            assert_eq!(packed.before().value(), value.before(), "{value}");
            assert!(packed.settled().is_settled() && !packed.is_settled());
        }
    }

    #[test]
    fn the_quick_win_and_the_slow_loss_are_best() {
        let order = [Value::Win(Some(1)), Value::Win(Some(7)), Value::Draw, Value::Loss(Some(8)), Value::Loss(Some(0))];
        for pair in order.windows(2) {
            assert!(pair[0].rank() > pair[1].rank());
            assert_eq!(Packed::from(pair[1]).best(pair[0].into()), pair[0].into());
        }
    }
}
