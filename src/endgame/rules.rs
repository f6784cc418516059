//! Which rule sets share their tables.

use crate::game::rules::RuleSet;
use crate::game::table::INTERNATIONAL;

/// A number for what tables depend on in a rule set: moves and ends, not the first move, notation, repetitions or move
/// counts. Two rule sets with the same number have the same tables.
pub fn rules_hash(set: &RuleSet) -> u64 {
    let plain = INTERNATIONAL;
    let relevant = RuleSet {
        rows: plain.rows,
        offset: plain.offset,
        first: plain.first,
        repetitions: plain.repetitions,
        quiet_plies: plain.quiet_plies,
        endings: plain.endings,
        same_king_moves: plain.same_king_moves,
        notation: plain.notation,
        capture_sign: plain.capture_sign,
        game_type: plain.game_type,
        ..*set
    };
    // FNV-1a over the record as it is written out: a new field makes other tables, which is what it should do.
    format!("{relevant:?}")
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::rules::*;
    use crate::game::table::*;

    #[test]
    fn what_changes_values_changes_the_number() {
        let base = rules_hash(&RUSSIAN);
        let other = [
            BRAZILIAN,
            RuleSet { goal: Goal::Lose, ..RUSSIAN },
            RuleSet { one_against_one: true, ..RUSSIAN },
            RuleSet { blocked: Blocked::Draws, ..RUSSIAN },
            RuleSet { kings_only: KingsOnly::MoreWins, ..RUSSIAN },
            RuleSet { duty: Duty::Optional, ..RUSSIAN },
            RuleSet { may_reverse: false, ..RUSSIAN },
        ];
        let mut numbers: Vec<u64> = other.iter().map(rules_hash).chain([base]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), other.len() + 1);
        let same = RuleSet { repetitions: 0, quiet_plies: 7, notation: Notation::Numeric, game_type: 9, ..RUSSIAN };
        assert_eq!(rules_hash(&same), base);
        assert_eq!(rules_hash(&POLISH8), rules_hash(&BRAZILIAN));
    }
}
