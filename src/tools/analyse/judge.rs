//! What a move is worth beside the best one: loss, marks and accuracy.
//!
//! Scores are hundredths of a man of the game being played, so that a man is the measure everywhere. How much a loss matters
//! depends on the position: it is measured in expected points (win 1, draw ½, loss 0) by the chances that go with a score in this
//! game and with so many pieces.

use crate::engine::{Odds, Score, Verdict};
use crate::tools::common::score::points;

/// A man, in the unit of scores.
const MAN: Score = 100;

/// In `loss`, no score counts for more than ten men.
const MOST: Score = 10 * MAN;

/// Marks, the worst first: the loss that each stands for, and expected points that are much whatever a man is worth.
const MARKS: [(Mark, Score, f64); 3] =
    [(Mark::Blunder, MAN, 0.12), (Mark::Mistake, MAN / 2, 0.06), (Mark::Inaccuracy, MAN / 4, 0.03)];

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Mark {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }

    /// Its numeric mark in PDN.
    pub fn nag(self) -> u32 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}

/// How scores are read in one position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Curve {
    odds: Odds,
    fullness: f64,
}

impl Curve {
    /// With these odds, on a board that is so full.
    pub fn new((odds, fullness): (Odds, f64)) -> Curve {
        Curve { odds, fullness }
    }

    /// Chances in permille: win, draw, loss.
    pub fn chances(&self, score: Score) -> [u32; 3] {
        self.odds.chances(score, self.fullness)
    }

    /// Expected points of the side that has this score.
    pub fn expected(&self, score: Score) -> f64 {
        points(self.chances(score))
    }

    /// Expected points that a loss costs in a level game.
    fn worth(&self, loss: Score) -> f64 {
        self.expected(0) - self.expected(-loss)
    }

    /// Compares the scores of the best move and of the one played, both for the side that moves.
    pub fn judge(&self, best: Score, played: Score) -> Judgement {
        let loss = (capped(best) - capped(played)).max(0);
        let drop = (self.expected(best) - self.expected(played)).max(0.0);
        // A loss is marked where it costs as much as in a level game, half of it where it costs much.
        let earned = |(_, size, much): &&(Mark, Score, f64)| {
            loss >= *size && drop >= self.worth(*size) || loss >= size / 2 && drop >= *much
        };
        let mark = MARKS.iter().find(earned).map(|(mark, ..)| *mark);
        let man = self.worth(MAN).max(MARKS[0].2);
        Judgement { loss, drop, mark, accuracy: 100.0 * (-drop / man).exp2() }
    }

    /// Whether a move is the only good one: any other would be a mistake.
    pub fn only(&self, best: Score, second: Score) -> bool {
        self.judge(best, second).mark >= Some(Mark::Mistake)
    }
}

fn capped(score: Score) -> Score {
    match Verdict::of(score) {
        Verdict::Cp(cp) => cp.clamp(-MOST, MOST),
        Verdict::End { won, .. } => MOST * if won { 1 } else { -1 },
    }
}

/// What was found about one move.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// Hundredths of a man that the best move is better; never negative.
    pub loss: Score,
    /// Expected points that the best move is better, 0 to 1.
    pub drop: f64,
    pub mark: Option<Mark>,
    /// 100 for the best move, halved by every drop that a man costs in a level game.
    pub accuracy: f64,
}

/// The moves of one player together.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sum {
    /// Moves played.
    pub moves: u32,
    /// Those with a choice; only they count below.
    pub free: u32,
    pub loss: i64,
    pub accuracy: f64,
    /// Inaccuracies, mistakes, blunders.
    pub marks: [u32; 3],
}

impl Sum {
    /// Counts a move; `forced` when it was the only legal one.
    pub fn add(&mut self, judgement: &Judgement, forced: bool) {
        self.moves += 1;
        if forced {
            return;
        }
        self.free += 1;
        self.loss += i64::from(judgement.loss);
        self.accuracy += judgement.accuracy;
        if let Some(mark) = judgement.mark {
            self.marks[mark as usize] += 1;
        }
    }

    /// The mean accuracy of the moves with a choice, in percent.
    pub fn percent(&self) -> Option<f64> {
        (self.free > 0).then(|| self.accuracy / f64::from(self.free))
    }

    /// The mean loss of the moves with a choice, in hundredths of a man.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.free > 0).then(|| self.loss as f64 / f64::from(self.free))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::WIN;

    fn plain() -> Curve {
        Curve::new((Odds::default(), 1.0))
    }

    #[test]
    fn a_man_is_a_blunder_and_its_parts_are_less() {
        let mark = |best, played| plain().judge(best, played).mark;
        assert_eq!(mark(0, 0), None);
        assert_eq!(mark(0, -20), None);
        assert_eq!(mark(0, -25), Some(Mark::Inaccuracy));
        assert_eq!(mark(0, -50), Some(Mark::Mistake));
        assert_eq!(mark(0, -100), Some(Mark::Blunder));
        // The same man matters little in a game that is won or lost anyway.
        assert_eq!(mark(600, 500), None);
        assert_eq!(mark(-500, -600), None);
        assert_eq!(mark(WIN - 9, WIN - 99), None);
        assert_eq!(mark(WIN - 9, 0), Some(Mark::Blunder));
        assert_eq!(mark(0, 8 - WIN), Some(Mark::Blunder));
    }

    #[test]
    fn a_man_counts_where_draws_are_many_and_a_trifle_does_not_where_chances_turn() {
        let drawish = Curve::new((Odds { margin: [400; 2], spread: [30; 2] }, 1.0));
        assert!(drawish.judge(0, -100).drop < 0.01);
        assert_eq!(drawish.judge(0, -100).mark, Some(Mark::Blunder));
        assert_eq!(drawish.judge(-395, -405).mark, None);
        assert_eq!(drawish.judge(-350, -410).mark, Some(Mark::Blunder));
        assert!(drawish.judge(0, -100).accuracy > 90.0);
    }

    #[test]
    fn a_better_score_for_the_played_move_is_no_loss() {
        let better = plain().judge(10, 60);
        assert_eq!((better.loss, better.drop, better.mark, better.accuracy), (0, 0.0, None, 100.0));
        assert_eq!(plain().judge(WIN - 5, -WIN + 4).loss, 2 * MOST);
        assert_eq!(plain().judge(30, -40).loss, 70);
    }

    #[test]
    fn accuracy_halves_with_every_man() {
        let accuracy = |best, played| plain().judge(best, played).accuracy;
        assert_eq!(accuracy(40, 40), 100.0);
        assert!((accuracy(0, -100) - 50.0).abs() < 1e-9);
        assert!(accuracy(0, -50) > 70.0 && accuracy(0, -300) < 20.0);
    }

    #[test]
    fn forced_moves_are_counted_and_not_judged() {
        let mut sum = Sum::default();
        assert_eq!((sum.percent(), sum.mean_loss()), (None, None));
        sum.add(&plain().judge(0, -100), false);
        sum.add(&plain().judge(0, 0), false);
        sum.add(&plain().judge(0, -300), true);
        assert_eq!((sum.moves, sum.free, sum.marks), (3, 2, [0, 0, 1]));
        assert!((sum.percent().expect("free moves") - 75.0).abs() < 1e-9);
        assert_eq!(sum.mean_loss(), Some(50.0));
    }

    #[test]
    fn an_only_move_stands_far_above_the_second() {
        let only = |best, second| plain().only(best, second);
        assert!(only(0, -60) && !only(0, -30) && !only(-800, -900) && only(WIN - 3, 0));
    }
}
