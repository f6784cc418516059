//! Small fits beside the network: how scores become results, and what a man is worth.

use super::model::{Model, sigmoid};
use super::random::Random;
use super::record::Record;
use crate::engine::Odds;
use crate::game::board::Bits;

/// Hundredths of a man that make the chance of winning e times the chance of losing, by least loss over the records.
pub fn score_unit(records: &[Record]) -> f64 {
    let sample: Vec<&Record> = records.iter().step_by(records.len() / 200_000 + 1).collect();
    let loss = |unit: f64| -> f64 {
        let one = |record: &&Record| {
            let x = f64::from(record.score) / unit;
            let softplus = x.max(0.0) + (-x.abs()).exp().ln_1p();
            softplus - f64::from(record.result) / 2.0 * x
        };
        sample.iter().map(one).sum()
    };
    // Golden section over the logarithm; the loss has one valley there.
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (20f64.ln(), 3_000f64.ln());
    for _ in 0..40 {
        let (one, two) = (high - golden * (high - low), low + golden * (high - low));
        if loss(one.exp()) < loss(two.exp()) { high = two } else { low = one }
    }
    ((low + high) / 2.0).exp()
}

/// What scores mean for the result, by least loss over the records.
pub fn odds(records: &[Record], pieces: usize) -> Odds {
    let sample: Vec<&Record> = records.iter().step_by(records.len() / 60_000 + 1).collect();
    let loss = |odds: &Odds| -> f64 {
        let one = |record: &&Record| {
            let chances = odds.chances(record.score.into(), Odds::fullness(record.count(), pieces));
            -f64::from(chances[2 - usize::from(record.result)].max(1)).ln()
        };
        sample.iter().map(one).sum()
    };
    // One number after the other, in steps that get smaller: the loss has one valley.
    let mut best = Odds::default();
    let mut least = loss(&best);
    for step in [64, 32, 16, 8, 4, 2] {
        let mut improved = true;
        while improved {
            improved = false;
            for (number, change) in (0..4).flat_map(|number| [(number, step), (number, -step)]) {
                let mut odds = best;
                let value = if number < 2 { &mut odds.margin[number] } else { &mut odds.spread[number - 2] };
                *value = (*value + change).clamp(if number < 2 { 0 } else { 4 }, 3_000);
                let found = loss(&odds);
                if found < least {
                    (best, least, improved) = (odds, found, true);
                }
            }
        }
    }
    best
}

/// How much of a network's output one man of the mover's is worth early in the game: the mean over positions with most
/// of their men and no king, each without one man that is chosen at random. `None` where there are too few such positions.
pub fn man_worth(model: &Model, records: &[Record], seed: u64) -> Option<f64> {
    let early = |record: &&Record| record.kings == 0 && record.count() as usize * 4 >= model.shape.pieces * 3;
    let mut random = Random::new(seed, 0x6d61_6e00);
    let (mut sum, mut count) = (0.0, 0u32);
    for record in records.iter().filter(early).take(20_000) {
        let own = record.sides[record.side.index()];
        let nth = random.below(own.count_ones().max(1) as usize);
        let Some(lost) = Bits(own).nth(nth) else { continue };
        let mut less = *record;
        less.sides[record.side.index()] &= !(1u64 << lost);
        sum += f64::from(model.output(record) - model.output(&less));
        count += 1;
    }
    (count >= 200).then(|| sum / f64::from(count))
}

/// What a record teaches: the result of its game, mixed with what the search expected.
pub fn target(record: &Record, result_weight: f32, unit: f32) -> f32 {
    let result = f32::from(record.result) / 2.0;
    result_weight * result + (1.0 - result_weight) * sigmoid(f32::from(record.score) / unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Color;

    #[test]
    fn the_unit_of_made_up_games_is_found() {
        let mut random = Random::new(1, 1);
        let record = |score: i16, result: u8| Record {
            sides: [1, 2],
            kings: 0,
            score,
            result,
            ply: 0,
            side: Color::White,
            game: 0,
        };
        let mut one = || {
            let score = (400.0 * random.signed()) as i16;
            let win = (random.signed() + 1.0) / 2.0 < sigmoid(f32::from(score) / 130.0);
            record(score, 2 * u8::from(win))
        };
        let records: Vec<Record> = (0..50_000).map(|_| one()).collect();
        let unit = score_unit(&records);
        assert!((120.0..140.0).contains(&unit), "{unit}");
        // Without draws there is no margin, and the curves of win and loss are the one that was made up.
        let odds = odds(&records, 24);
        assert!(odds.margin[0] <= 8 && (118..=142).contains(&odds.spread[0]), "{odds:?}");
    }
}
