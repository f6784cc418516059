//! Who won, from what a file says.

use crate::game::board::Color;
use crate::notation::pdn::PdnGame;

/// How a game ended for White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Win,
    Draw,
    Loss,
}

impl Outcome {
    /// The same for the other side.
    pub fn turned(self) -> Outcome {
        match self {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        }
    }
}

/// White's result, when there is one. The points of the side that moves first in the rules stand first, or White's when
/// `white_first`.
pub fn read(game: &PdnGame, white_first: bool) -> Option<Outcome> {
    let first = points(game.outcome()?)?;
    let turn = !white_first && game.variant.set.first == Color::Black;
    Some(if turn { first.turned() } else { first })
}

/// The result of the side whose points stand first: any two numbers, more of them win.
fn points(text: &str) -> Option<Outcome> {
    let text = text.trim();
    if matches!(text, "1/2" | "½" | "½-½" | "1/2-1/2") {
        return Some(Outcome::Draw);
    }
    let (left, right) = text.split_once('-')?;
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let (left, right) = (number(left)?, number(right)?);
    match left.cmp(&right) {
        std::cmp::Ordering::Greater => Some(Outcome::Win),
        std::cmp::Ordering::Less => Some(Outcome::Loss),
        // Neither side has points for a game that was not played out.
        std::cmp::Ordering::Equal => (left > 0).then_some(Outcome::Draw),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_compared() {
        let all = ["1-0", "2-0", "0-1", "0 - 2", "1-1", "1/2-1/2", "½-½", "4-6", "0-0", "*", "?", "", "a-b"];
        use Outcome::{Draw, Loss, Win};
        let expected = [
            Some(Win),
            Some(Win),
            Some(Loss),
            Some(Loss),
            Some(Draw),
            Some(Draw),
            Some(Draw),
            Some(Loss),
            None,
            None,
            None,
            None,
            None,
        ];
        assert_eq!(all.map(points), expected);
    }
}
