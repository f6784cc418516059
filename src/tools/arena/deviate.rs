//! Whether one machine's results are unlike those of the others: a broken build or an overloaded machine shows here first.

use super::stats::{Pentanomial, normal};

/// Fewer pairs than these say nothing.
const FEWEST: u64 = 20;
/// Expected counts below this make the test worthless.
const LEAST: f64 = 5.0;
/// A machine is reported when chance alone would do so for one match in so many.
const RARELY: f64 = 1e-3;

/// How a machine's pairs compare with the others'.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Deviation {
    pub chi_square: f64,
    /// The chance of results so unlike, or more, when the machines are alike.
    pub chance: f64,
    /// Whether that is too small to believe in, with so many machines looked at.
    pub deviates: bool,
}

/// Pearson's chi-square test of one machine's lost, even and won pairs against the others'. `None` when there are too few to tell.
pub fn deviation(own: &Pentanomial, others: &Pentanomial, machines: usize) -> Option<Deviation> {
    let three = |p: &Pentanomial| [(p.0[0] + p.0[1]) as f64, p.0[2] as f64, (p.0[3] + p.0[4]) as f64];
    if own.pairs() < FEWEST || others.pairs() < FEWEST {
        return None;
    }
    let (own, others) = (three(own), three(others));
    let sums = [own.iter().sum::<f64>(), others.iter().sum()];
    let total = sums[0] + sums[1];
    let (mut chi_square, mut kinds) = (0.0, 0);
    for (mine, theirs) in own.into_iter().zip(others) {
        let share = (mine + theirs) / total;
        if sums.iter().any(|sum| sum * share < LEAST) {
            continue;
        }
        kinds += 1;
        chi_square += (mine - sums[0] * share).powi(2) / (sums[0] * share);
        chi_square += (theirs - sums[1] * share).powi(2) / (sums[1] * share);
    }
    // With all three kinds the deviations add up to nothing: one degree of freedom less.
    let chance = match kinds {
        3 => (-chi_square / 2.0_f64).exp(),
        2 => 2.0 * (1.0 - normal(chi_square.sqrt())),
        _ => return None,
    };
    Some(Deviation { chi_square, chance, deviates: chance < RARELY / machines.max(1) as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        // By hand: rows 30 20 10 and 20 20 20 give 6/5 + 6/5 ... = 16/3.
        let found = deviation(&Pentanomial([10, 20, 20, 5, 5]), &Pentanomial([20, 0, 20, 20, 0]), 2).expect("enough");
        assert!((found.chi_square - 16.0 / 3.0).abs() < 1e-9, "{found:?}");
        assert!((found.chance - (-8.0f64 / 3.0).exp()).abs() < 1e-9 && !found.deviates);
    }

    #[test]
    fn a_machine_that_loses_is_reported_and_a_like_one_is_not() {
        let usual = Pentanomial([10, 20, 60, 20, 10]);
        assert!(!deviation(&usual, &usual, 10).expect("enough").deviates);
        assert!(deviation(&Pentanomial([60, 30, 20, 5, 5]), &usual, 10).expect("enough").deviates);
        assert_eq!(deviation(&Pentanomial([1, 0, 3, 0, 0]), &usual, 10), None);
        assert_eq!(deviation(&Pentanomial([0, 0, 30, 0, 0]), &Pentanomial([0, 0, 90, 0, 0]), 2), None);
    }
}
