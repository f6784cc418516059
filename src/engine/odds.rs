//! From scores to chances of win, draw and loss.

use super::net::Net;
use super::{Score, Verdict};
use std::sync::OnceLock;

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

/// What was fitted for the evaluations inside the program, by `damka wdl`: a row each.
const FITTED: &str = include_str!("../../nets/odds.txt");

/// What a row says made the evaluation, where no network did.
const HAND_MADE: &str = "hand-made";

/// A row of the fits: the rules' fingerprint, what made the evaluation, the curves, and pieces at the start.
type Row = (u64, &'static str, Odds, usize);

fn row(line: &'static str) -> Option<Row> {
    let mut rest = line;
    let mut word = || {
        let (word, behind) = rest.split_once(' ')?;
        rest = behind;
        Some(word)
    };
    let rules = u64::from_str_radix(word()?, 16).ok()?;
    word()?;
    let pieces = word()?.parse().ok()?;
    let mut number = || word()?.parse().ok();
    let odds = Odds { margin: [number()?, number()?], spread: [number()?, number()?] };
    Some((rules, rest, odds, pieces))
}

/// The fewest pieces that the curves tell apart.
const FEW: u32 = 4;

impl Odds {
    /// How full a board is, from 0 (four pieces) to 1 (as many as at the start).
    pub fn fullness(count: u32, pieces: usize) -> f64 {
        let span = (pieces as u32).saturating_sub(FEW).max(1);
        (f64::from(count.saturating_sub(FEW)) / f64::from(span)).min(1.0)
    }

    /// What was fitted for rules of this fingerprint and this evaluation, and how many pieces a game of them begins with. For
    /// a network that nothing was fitted for, what its file says.
    pub(super) fn of(rules: u64, net: Option<&Net>) -> (Odds, usize) {
        static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
        let rows = ROWS.get_or_init(|| FITTED.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect());
        let maker = net.map_or(HAND_MADE, |net| &net.text);
        match (rows.iter().find(|row| row.0 == rules && row.1 == maker), net) {
            (Some(&(_, _, odds, pieces)), _) => (odds, pieces),
            (None, Some(net)) => (net.odds, net.shape.pieces),
            (None, None) => (Odds::default(), 1),
        }
    }

    /// These curves as a row of the fits.
    pub fn row(&self, rules: u64, name: &str, pieces: usize, net: Option<&Net>) -> String {
        let ([few, all], [flat, steep]) = (self.margin, self.spread);
        let maker = net.map_or(HAND_MADE, |net| &net.text);
        format!("{rules:016x} {name} {pieces} {few} {all} {flat} {steep} {maker}")
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

    #[test]
    fn every_row_of_the_fits_is_read_and_written_the_same() {
        let mut read = 0;
        for line in FITTED.lines().filter(|line| !line.starts_with('#')) {
            let (rules, maker, odds, pieces) = row(line).unwrap_or_else(|| panic!("{line}"));
            let name = line.split(' ').nth(1).expect("a name");
            assert_eq!(format!("{} {maker}", odds.row(rules, name, pieces, None).trim_end_matches(" hand-made")), line);
            assert!(odds.margin[0] >= 0 && odds.margin[1] >= 0 && odds.spread[0] > 0 && odds.spread[1] > 0, "{line}");
            read += 1;
        }
        assert!(read > 0, "{read}");
    }

    #[test]
    fn a_network_without_a_fit_has_the_curves_of_its_file() {
        let set = crate::game::variant::Variant::find("english").expect("built in").set;
        let inside = crate::engine::net::embedded(&set).expect("a network inside");
        let (shape, odds) = (inside.shape, Odds { margin: [7, 6], spread: [5, 4] });
        let own = Net::new(shape, inside.rules, "an own one".to_string(), odds, inside.weights().clone());
        let own = own.expect("sound");
        assert_eq!(Odds::of(own.rules, Some(&own)), (odds, shape.pieces));
        assert_eq!(Odds::of(1, None).0, Odds::default());
    }
}
