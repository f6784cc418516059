//! The sequential test: plays on until one of two hypotheses about the Elo difference is accepted.
//!
//! After: M. Van den Bergh, "A practical introduction to the GSPRT", and its use in the Fishtest project: the
//! generalised likelihood ratio of the pair results under the two hypotheses, each outcome distribution being the
//! likeliest one that has the hypothesis' mean score.

use super::error::ArenaError;
use super::stats::{Pentanomial, score_of};

/// The test's hypotheses and error rates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// Elo difference under the null hypothesis.
    pub elo0: f64,
    /// Elo difference under the alternative.
    pub elo1: f64,
    /// Chance to accept the alternative wrongly.
    pub alpha: f64,
    /// Chance to accept the null hypothesis wrongly.
    pub beta: f64,
}

/// What the test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    Continue,
    /// The null hypothesis is accepted: no gain.
    H0,
    /// The alternative is accepted: a gain.
    H1,
}

impl Decision {
    /// As reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Decision::Continue => "undecided",
            Decision::H0 => "H0 accepted",
            Decision::H1 => "H1 accepted",
        }
    }
}

impl Sprt {
    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05`; both error rates default to 0.05.
    pub fn read(text: &str) -> Result<Sprt, ArenaError> {
        let bad = |expected: &str| ArenaError::argument("--sprt", text, expected);
        let (mut elo, mut rates) = ([None, None], [0.05, 0.05]);
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(|| bad("KEY=NUMBER parts"))?;
            let value: f64 = value.trim().parse().map_err(|_| bad("a number after each ="))?;
            match key.trim() {
                "elo0" => elo[0] = Some(value),
                "elo1" => elo[1] = Some(value),
                "alpha" => rates[0] = value,
                "beta" => rates[1] = value,
                _ => return Err(bad("elo0, elo1, alpha and beta")),
            }
        }
        let ([Some(elo0), Some(elo1)], [alpha, beta]) = (elo, rates) else {
            return Err(bad("both elo0 and elo1"));
        };
        let rate = |rate: f64| rate > 0.0 && rate < 0.5;
        match elo0 < elo1 && elo0.abs() <= 1000.0 && elo1.abs() <= 1000.0 && rate(alpha) && rate(beta) {
            true => Ok(Sprt { elo0, elo1, alpha, beta }),
            false => Err(bad("-1000 <= elo0 < elo1 <= 1000 and error rates between 0 and 0.5")),
        }
    }

    /// The ratio at or below which the null hypothesis is accepted, and the one from which on the alternative is.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        ratio(&pairs.0, score_of(self.elo0), score_of(self.elo1))
    }

    /// What the pairs decide.
    pub fn decide(&self, pairs: &Pentanomial) -> Decision {
        let (low, high) = self.bounds();
        match self.llr(pairs) {
            llr if llr <= low => Decision::H0,
            llr if llr >= high => Decision::H1,
            _ => Decision::Continue,
        }
    }
}

/// Share of a result given to outcomes that did not occur yet, so that none counts as impossible.
const UNSEEN: f64 = 1e-3;

/// The generalised log-likelihood ratio of mean score `s1` against `s0`; outcomes are spread evenly from 0 to 1.
fn ratio(counts: &[u64], s0: f64, s1: f64) -> f64 {
    let counts: Vec<f64> = counts.iter().map(|&count| if count == 0 { UNSEEN } else { count as f64 }).collect();
    let total: f64 = counts.iter().sum();
    let step = (counts.len() - 1) as f64;
    let outcomes: Vec<(f64, f64)> =
        counts.iter().enumerate().map(|(index, count)| (index as f64 / step, count / total)).collect();
    let [t0, t1] = [s0, s1].map(|mean| tilt(&outcomes, mean));
    // Each outcome's probability under a hypothesis is its frequency over 1 + t (score - mean).
    let gain = |&(score, frequency): &(f64, f64)| {
        frequency * ((1.0 + t0 * (score - s0)).ln() - (1.0 + t1 * (score - s1)).ln())
    };
    total * outcomes.iter().map(gain).sum::<f64>()
}

/// The Lagrange factor `t` of the likeliest distribution with this mean: the root of
/// `sum(frequency (score - mean) / (1 + t (score - mean)))`, which falls all the way.
fn tilt(outcomes: &[(f64, f64)], mean: f64) -> f64 {
    let slope = |t: f64| -> f64 {
        outcomes.iter().map(|&(score, share)| share * (score - mean) / (1.0 + t * (score - mean))).sum()
    };
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
    }

    fn llr(counts: &[u64], elo0: f64, elo1: f64) -> f64 {
        ratio(counts, score_of(elo0), score_of(elo1))
    }

    /// Values that the test suite of the fastchess match runner publishes for its logistic model.
    #[test]
    fn the_ratio_agrees_with_published_values() {
        close(llr(&[223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5), -3.07, 0.01);
        close(llr(&[871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0), -4.98, 0.01);
        // Losses, draws and wins of single games.
        close(llr(&[21184, 40708, 21404], 0.5, 2.5), -1.57, 0.01);
        close(llr(&[57030, 106593, 57433], 0.0, 2.0), -2.59, 0.01);
    }

    /// With two outcomes the likeliest distribution is the mean itself, so the ratio has a closed form.
    #[test]
    fn two_outcomes_have_a_closed_form() {
        let (s0, s1): (f64, f64) = (score_of(0.0), score_of(20.0));
        let expected = 60.0 * (s1 / s0).ln() + 40.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        close(ratio(&[40, 60], s0, s1), expected, 1e-9);
    }

    /// For hypotheses near the observed score the ratio tends to N (s1 - s0)(2 s - s0 - s1) / (2 variance).
    #[test]
    fn near_the_observed_score_it_is_the_normal_approximation() {
        let pairs = Pentanomial([100, 500, 1000, 520, 110]);
        let (mean, variance) = pairs.mean_and_variance().unwrap();
        let (s0, s1) = (score_of(0.0), score_of(5.0));
        let expected = pairs.pairs() as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        close(ratio(&pairs.0, s0, s1), expected, 0.01 * expected.abs().max(0.1));
    }

    #[test]
    fn decisions_follow_the_bounds() {
        let sprt = Sprt::read("elo0=0,elo1=5").unwrap();
        let (low, high) = sprt.bounds();
        close(low, -2.944, 0.001);
        close(high, 2.944, 0.001);
        assert_eq!(sprt.decide(&Pentanomial::default()), Decision::Continue);
        let mut wins = Pentanomial::default();
        let mut pairs = 0;
        while sprt.decide(&wins) == Decision::Continue {
            wins.add(4);
            pairs += 1;
            assert!(pairs < 10_000);
        }
        assert_eq!((sprt.decide(&wins), sprt.decide(&wins.reversed())), (Decision::H1, Decision::H0));
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| Sprt::read(text).unwrap_err().to_string();
        assert!(error("elo0=0").contains("both elo0 and elo1"));
        assert!(error("elo0=5,elo1=0").contains("elo0 < elo1"));
        assert!(error("elo0=0,elo1=5,alpha=2").contains("between 0 and 0.5"));
        assert!(error("elo0=0,elo1=five").contains("a number"));
        assert!(error("elo2=0,elo1=5").contains("elo0, elo1, alpha and beta"));
        assert!(error("elo0=nan,elo1=5").contains("elo0 < elo1"));
    }
}
