//! The numbers of the search, in one place. Scores are hundredths of a man, depths plies.

use super::Score;

/// Deepest nominal depth.
pub(super) const MAX_DEPTH: u32 = 120;
/// Deepest ply that a line may reach.
pub(super) const MAX_PLY: usize = 240;
/// Half width of the first aspiration window.
pub(super) const ASPIRATION: Score = 20;
/// Aspiration begins at this depth.
pub(super) const ASPIRATION_DEPTH: u32 = 5;
/// A shallow search this far above beta stands for a deep one: the least depth at which it is tried,
pub(super) const PROBE_DEPTH: i32 = 3;
/// the margin for each ply of depth,
pub(super) const PROBE_MARGIN: Score = 8;
/// and the share of the depth searched, in percent.
pub(super) const PROBE_SHARE: i32 = 40;
/// Without a table move, nodes of this depth and more are searched one ply less deep.
pub(super) const REDUCE_UNKNOWN_DEPTH: i32 = 5;
/// Late moves are reduced from this depth on.
pub(super) const LATE_DEPTH: i32 = 2;
/// Moves of a node that are never reduced.
pub(super) const LATE_FIRST: usize = 2;
/// Quiet moves in one quiescence line that answer a threat.
pub(super) const THREAT_PLIES: u32 = 1;
/// Table scores are not trusted when a draw by move count lies within the depth plus this many plies.
pub(super) const DRAW_NEAR: i32 = 4;

/// Plies by which a late move is reduced.
pub(super) fn late_reduction(depth: i32, place: usize) -> i32 {
    let product = f64::from(depth).ln() * (place as f64).ln();
    (0.4 + product / 2.4) as i32
}
