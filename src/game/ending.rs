//! Small endings that have a move limit of their own.

use super::board::{Geometry, Word};
use super::generate::Pieces;
use super::rules::{Ending, RuleSet};

/// Place (from 1) of the first limit whose ending is on the board; 0 when there is none.
pub(super) fn find<W: Word>(set: &RuleSet, geometry: &Geometry, pieces: &Pieces<W>) -> u8 {
    let fits = |limit: &Option<super::rules::EndingLimit>| {
        limit.is_some_and(|limit| is_on_board(limit.ending, geometry, pieces))
    };
    set.endings.iter().position(fits).map_or(0, |place| place as u8 + 1)
}

fn is_on_board<W: Word>(ending: Ending, geometry: &Geometry, pieces: &Pieces<W>) -> bool {
    let counts = pieces.sides.map(|side| side.count());
    let kings = pieces.sides.map(|side| (side & pieces.kings).count());
    let within = |n: u32, min: u8, max: u8| n >= u32::from(min) && n <= u32::from(max);
    // The other side of each side that is a lone king.
    let against_lone_king = |accept: &dyn Fn(usize, usize) -> bool| {
        (0..2).any(|strong| counts[1 - strong] == 1 && kings[1 - strong] == 1 && accept(strong, 1 - strong))
    };
    match ending {
        Ending::LoneKing { min, max } => {
            against_lone_king(&|strong, _| kings[strong] > 0 && within(counts[strong], min, max))
        }
        Ending::LoneKingKings { min, max } => {
            against_lone_king(&|strong, _| kings[strong] == counts[strong] && within(counts[strong], min, max))
        }
        Ending::LoneKingMainRoad { min, max } => against_lone_king(&|strong, weak| {
            let road = W::from_wide(geometry.main_road);
            kings[strong] > 0 && within(counts[strong], min, max) && pieces.sides[weak].meets(road)
        }),
        Ending::BothKings { min, max } => kings[0] > 0 && kings[1] > 0 && within(counts[0] + counts[1], min, max),
        Ending::KingKing => counts == [1, 1] && kings == [1, 1],
    }
}

/// Whether a capture or promotion that leaves the same kind of ending starts its count afresh.
pub(super) fn restarts(set: &RuleSet, place: u8, capture: bool, promotes: bool) -> bool {
    let limit = (place as usize).checked_sub(1).and_then(|index| set.endings[index]);
    matches!(limit.map(|limit| limit.ending), Some(Ending::BothKings { .. })) && (capture || promotes)
}
