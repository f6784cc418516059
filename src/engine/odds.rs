//! From scores to chances of win, draw and loss.

use super::{Score, Verdict};

/// Two logistic curves, one for winning and one for losing, that meet a drawing margin apart. Margin and spread go in a
/// straight line from few pieces to many. Hundredths of a man.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Odds {
    /// The score at which a win is as likely as not: with four pieces, and with all that a game begins with.
    pub margin: [i16; 2],
    /// How much more score makes a win e times as likely, in the same two cases.
    pub spread: [i16; 2],
}

impl Default for Odds {
    /// A guess, for evaluations that nothing was fitted for.
    fn default() -> Odds {
        Odds { margin: [150; 2], spread: [60; 2] }
    }
}

/// The fewest pieces that the curves tell apart.
const FEW: u32 = 4;

impl Odds {
    /// How full a board is, from 0 (four pieces) to 1 (as many as at the start).
    pub fn fullness(count: u32, pieces: usize) -> f64 {
        let span = (pieces as u32).saturating_sub(FEW).max(1);
        (f64::from(count.saturating_sub(FEW)) / f64::from(span)).min(1.0)
    }

    /// Chances in permille (win, draw, loss) for the side that a score speaks for.
    pub fn chances(&self, score: Score, fullness: f64) -> [u32; 3] {
        if let Verdict::End { won, .. } = Verdict::of(score) {
            return if won { [1000, 0, 0] } else { [0, 0, 1000] };
        }
        let between = |[few, all]: [i16; 2]| f64::from(few) + fullness * (f64::from(all) - f64::from(few));
        let (margin, spread) = (between(self.margin), between(self.spread).max(1.0));
        let side = |score: f64| 1000.0 / (1.0 + ((margin - score) / spread).exp());
        let win = side(f64::from(score)).round() as u32;
        let loss = (side(f64::from(-score)).round() as u32).min(1000 - win);
        [win, 1000 - win - loss, loss]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_follow_the_score() {
        let odds = Odds { margin: [300, 0], spread: [40, 90] };
        for fullness in [0.0, 0.3, 1.0] {
            let mut last = 0;
            for score in (-900..=900).step_by(50) {
                let [win, draw, loss] = odds.chances(score, fullness);
                assert_eq!(win + draw + loss, 1000, "{score}");
                assert!(win >= last, "{score}");
                assert_eq!(odds.chances(-score, fullness)[2], win, "{score}");
                last = win;
            }
        }
        assert_eq!(Odds::default().chances(29_990, 0.0), [1000, 0, 0]);
        assert_eq!(Odds::default().chances(-29_990, 1.0), [0, 0, 1000]);
    }

    #[test]
    fn fullness_goes_from_four_pieces_to_all() {
        assert_eq!([2, 4, 14, 24, 30].map(|count| Odds::fullness(count, 24)), [0.0, 0.0, 0.5, 1.0, 1.0]);
    }
}
