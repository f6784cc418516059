//! What the results of a match say about strength.
//!
//! The unit is the pair: two games from one opening with colours reversed. Their results depend on each other, so the
//! variance is taken over pairs, not over games. After: M. Van den Bergh, "Pentanomial frequencies", and "A practical
//! introduction to the GSPRT" (both in the documents of the Fishtest project).

use serde::Serialize;

/// Points of one side out of a pair, counted: `counts[i]` pairs brought `i` half points (0 to 4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Pentanomial(pub [u64; 5]);

/// Elo points with their 95 % interval. Infinite where every game was won or lost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    pub low: f64,
    pub value: f64,
    pub high: f64,
}

/// Standard errors on each side of a 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;
/// Elo points of a unit of normalised score: 800 / ln 10.
const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

impl Pentanomial {
    /// Counts a pair that brought this many half points.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs seen from the other side.
    #[cfg(test)]
    pub fn reversed(&self) -> Pentanomial {
        let mut counts = self.0;
        counts.reverse();
        Pentanomial(counts)
    }

    /// Mean score of a game (0 to 1) and the variance of a pair's mean score. `None` without a pair.
    pub fn mean_and_variance(&self) -> Option<(f64, f64)> {
        let pairs = self.pairs() as f64;
        if pairs == 0.0 {
            return None;
        }
        let score = |index: usize| index as f64 / 4.0;
        let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
            self.0.iter().enumerate().map(|(index, &count)| count as f64 * value(score(index))).sum::<f64>() / pairs
        };
        let mean = sum(&|score| score);
        Some((mean, sum(&|score| (score - mean).powi(2))))
    }

    /// Mean score of a game and its standard error. When all pairs ended the same, the error follows the rule of three:
    /// what did not happen in `n` pairs has a chance of at most `3 / n`, which is taken for two standard errors.
    fn standard_error(&self) -> Option<(f64, f64)> {
        let (mean, variance) = self.mean_and_variance()?;
        let pairs = self.pairs() as f64;
        Some((mean, if variance > 0.0 { (variance / pairs).sqrt() } else { 1.5 / pairs }))
    }

    /// The Elo difference.
    pub fn elo(&self) -> Option<Interval> {
        let (mean, error) = self.standard_error()?;
        let elo = |score: f64| elo_of(score.clamp(0.0, 1.0));
        Some(Interval { low: elo(mean - Z95 * error), value: elo(mean), high: elo(mean + Z95 * error) })
    }

    /// The normalised Elo difference and its 95 % error: the score in standard deviations of one game, which does not
    /// depend on the share of draws.
    pub fn normalised_elo(&self) -> Option<(f64, f64)> {
        let (mean, variance) = self.mean_and_variance()?;
        let game_deviation = (2.0 * variance).sqrt();
        let error = Z95 * NORMALISED / (2.0 * self.pairs() as f64).sqrt();
        (game_deviation > 0.0).then(|| ((mean - 0.5) / game_deviation * NORMALISED, error))
    }

    /// Likelihood of superiority: how sure it is, from 0 to 1, that the side is the stronger one.
    pub fn superiority(&self) -> Option<f64> {
        let (mean, error) = self.standard_error()?;
        Some(normal((mean - 0.5) / error))
    }
}

/// The Elo difference that goes with a score from 0 to 1.
pub fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score that goes with an Elo difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The normal distribution function, exact to about 1e-7. After: Abramowitz and Stegun, 7.1.26 on erfc.
pub(super) fn normal(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let tail = series.iter().fold(0.0, |sum, factor| (sum + factor) * t) * (-x * x).exp() / 2.0;
    if z >= 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
    }

    /// Values that the test suite of the fastchess match runner publishes for these pair counts.
    #[test]
    fn elo_agrees_with_published_values() {
        let cases = [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65, 57.94, 28.28, 1.0),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33, -9.17, 10.96, 0.0505),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95, -19.01, 2.65, 0.0),
        ];
        for (counts, elo, error, normalised, normalised_error, los) in cases {
            let pairs = Pentanomial(counts);
            close(pairs.elo().unwrap().value, elo, 0.01);
            let interval = pairs.elo().unwrap();
            close((interval.high - interval.low) / 2.0, error, 0.01);
            let (value, error) = pairs.normalised_elo().unwrap();
            close(value, normalised, 0.01);
            close(error, normalised_error, 0.01);
            close(pairs.superiority().unwrap(), los, 1e-4);
        }
    }

    /// By hand: ten pairs, 6 of 1.5 points and 4 of 0.5: mean 0.55, variance (0.6 * 0.2^2 + 0.4 * 0.3^2) = 0.06.
    #[test]
    fn a_small_match_by_hand() {
        let pairs = Pentanomial([0, 4, 0, 6, 0]);
        let (mean, variance) = pairs.mean_and_variance().unwrap();
        close(mean, 0.55, 1e-12);
        close(variance, 0.06, 1e-12);
        close(pairs.elo().unwrap().value, 400.0 * (0.55f64 / 0.45).log10(), 1e-9);
        // z = 0.05 / sqrt(0.006) = 0.6455, of which the normal table gives 0.7407.
        close(pairs.superiority().unwrap(), 0.7407, 1e-4);
        close(pairs.reversed().superiority().unwrap(), 0.2593, 1e-4);
    }

    #[test]
    fn no_games_and_only_wins_have_answers() {
        let mut pairs = Pentanomial::default();
        assert!(pairs.elo().is_none() && pairs.superiority().is_none() && pairs.normalised_elo().is_none());
        pairs.add(4);
        assert_eq!(pairs.elo().unwrap().value, f64::INFINITY);
        assert_eq!(pairs.elo().unwrap().low, f64::NEG_INFINITY);
        let always = Pentanomial([0, 0, 0, 0, 12]).elo().unwrap();
        close(always.low, elo_of(1.0 - Z95 * 0.125), 1e-9);
        assert_eq!(pairs.reversed().elo().unwrap().value, f64::NEG_INFINITY);
        assert!((0.6..0.7).contains(&pairs.superiority().unwrap()), "one pair proves little");
        assert!(Pentanomial([0, 0, 0, 0, 12]).superiority().unwrap() > 0.9999);
        assert!(Pentanomial([12, 0, 0, 0, 0]).superiority().unwrap() < 0.0001);
        assert_eq!(pairs.normalised_elo(), None);
    }

    #[test]
    fn score_and_elo_are_inverse() {
        for elo in [-300.0, -5.0, 0.0, 12.5, 800.0] {
            close(elo_of(score_of(elo)), elo, 1e-9);
        }
        close(score_of(400.0), 10.0 / 11.0, 1e-12);
    }
}
