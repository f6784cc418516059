//! What is not searched, or less deep, or deeper: each step named, each with its numbers in `params`.

use super::Bound;
use super::Score;
use super::node::Node;
use super::score::{PROVED, from_table};
use super::search::{Kind, NonPv, Stopped, Worker};
use crate::game::board::Word;
use crate::game::moves::{Move, MoveKey};
use crate::game::position::Position;

impl<W: Word> Worker<'_, W> {
    /// The score that settles a quiet node off the principal variation without trying its moves, if one does.
    pub(super) fn pruned<K: Kind>(&mut self, node: &Node<W>) -> Result<Option<Score>, Stopped> {
        if K::PV || node.capture || self.excluded[node.ply] != MoveKey::NONE || node.beta.abs() > PROVED {
            return Ok(None);
        }
        if let Some(score) = self.far_above(node) {
            return Ok(Some(score));
        }
        if self.probed(node)? {
            return Ok(Some(node.beta));
        }
        Ok(None)
    }

    /// Near the leaves: the static score lies so far above beta that a quiet side with nothing threatened keeps it.
    fn far_above(&self, node: &Node<W>) -> Option<Score> {
        let params = self.params;
        let margin = params.above_margin * node.depth + params.above_base;
        let above = node.depth <= params.above_depth && node.estimate - margin >= node.beta;
        (above && !self.threatened(node.position)).then_some(node.estimate)
    }

    /// Whether the side not to move could capture if it were its turn.
    pub(super) fn threatened(&self, position: &Position<W>) -> bool {
        !self.referee.capturers(&position.pieces, position.side.other()).is_empty()
    }

    /// Whether a shallow search fails high so clearly that the deep one would too. After: Buro's ProbCut, in the form
    /// that Scan uses.
    fn probed(&mut self, node: &Node<W>) -> Result<bool, Stopped> {
        let params = self.params;
        let bound = node.beta + params.probe_margin * node.depth + params.probe_base;
        if node.depth < params.probe_depth || bound > PROVED || node.estimate < node.beta + params.probe_static {
            return Ok(false);
        }
        let depth = node.depth * params.probe_share / 100;
        Ok(self.node::<NonPv>(node.position, bound - 1, bound, depth, node.ply)? >= bound)
    }

    /// Looks whether the table's move is the only good one: then it is searched deeper. When another would do as well and
    /// beta is reached without it, that settles the node. After: Anantharaman, Campbell and Hsu; multi-cut as in Stockfish.
    pub(super) fn singular(&mut self, node: &mut Node<W>) -> Result<Option<Score>, Stopped> {
        let params = self.params;
        let Some(entry) = node.known else { return Ok(None) };
        let fits = node.depth >= params.singular_depth
            && node.ply > 0
            && entry.best != MoveKey::NONE
            && self.excluded[node.ply] == MoveKey::NONE
            && entry.bound != Bound::Upper
            && entry.depth >= node.depth - 3
            && node.ply < 2 * self.root_depth as usize;
        let score = from_table(entry.score, node.ply);
        if !fits || score.abs() > PROVED {
            return Ok(None);
        }
        let target = score - params.singular_margin * node.depth / 10;
        self.excluded[node.ply] = entry.best;
        let others = self.node::<NonPv>(node.position, target - 1, target, (node.depth - 1) / 2, node.ply);
        self.excluded[node.ply] = MoveKey::NONE;
        let others = others?;
        if others < target {
            node.singular = 1;
        } else if target >= node.beta && params.multi_cut > 0 {
            return Ok(Some(target));
        }
        Ok(None)
    }

    /// Whether a quiet move near the leaves is not worth a look, the static score lying so far below alpha. Moves that force
    /// the opponent to capture always are: they are how combinations begin. Dropping late moves by their number alone
    /// was tried and cost much.
    pub(super) fn hopeless(&self, node: &Node<W>, child: &Position<W>, mv: &Move<W>) -> bool {
        if node.capture || mv.promotes() || node.alpha.abs() > PROVED {
            return false;
        }
        let params = self.params;
        let margin = params.futile_base + params.futile_margin * node.depth;
        let futile = node.depth <= params.futile_depth && node.estimate + margin <= node.alpha;
        futile && self.referee.capturers(&child.pieces, child.side).is_empty()
    }

    /// Plies by which a move that is not the first is searched less deep.
    pub(super) fn reduction<K: Kind>(&self, node: &Node<W>, child: &Position<W>, mv: &Move<W>, place: usize) -> i32 {
        let params = self.params;
        if node.depth < params.late_depth || place < params.late_first as usize || mv.is_capture() || mv.promotes() {
            return 0;
        }
        let mut hundredths = i32::from(self.reductions[node.depth.min(63) as usize][place.min(63)]);
        if params.late_forcing != 0 && !self.referee.capturers(&child.pieces, child.side).is_empty() {
            hundredths -= params.late_forcing;
        }
        if K::PV {
            hundredths -= params.late_pv;
        }
        hundredths.max(0) / 100
    }
}
