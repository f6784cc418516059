//! Capture walks of the reference: jump by jump and landing by landing.

use super::{Legal, RefMove, Reference, TooMany};
use damka::game::board::Square;
use damka::game::plain::Piece;
use damka::game::rules::*;
use std::collections::HashSet;

/// The direction that leads back.
const BACK: [usize; 8] = [3, 2, 1, 0, 5, 4, 7, 6];

/// Walks of one position beyond which the reference gives up: some positions have billions.
const MOST_WALKS: usize = 400_000;

/// One jump: direction, captured square, whether a king was captured.
pub type Jump = (usize, Square, bool);

/// The walks that make the same move.
pub type Walks<'a> = Vec<&'a Walk>;

/// A capture on its way.
#[derive(Clone)]
pub struct Walk {
    pub from: Square,
    pub at: Square,
    pub king: bool,
    pub jumps: Vec<Jump>,
    pub landings: Vec<Square>,
    /// The piece may not go on (a man promoted where promotion ends the move).
    ended: bool,
}

impl Reference {
    /// What stands in the way of a capture: its start square is empty, and so are the squares of captured pieces where
    /// these leave the board at once.
    fn stands(&self, walk: &Walk, square: Square) -> Option<Piece> {
        let gone = self.set.removal == Removal::Immediate && walk.captured(square);
        if square == walk.from || gone { None } else { self.at(square) }
    }

    /// The jump in one direction: the captured square and the landing squares that the rule of landing leaves open.
    fn jump(&self, walk: &Walk, direction: usize) -> Option<(Jump, Vec<Square>)> {
        let allowed = if walk.king { self.set.king_capture } else { self.set.man_capture };
        let turned = walk.jumps.last().is_some_and(|&(last, _, _)| BACK[last] == direction);
        if !allowed.has(direction) || (turned && !self.set.may_reverse) {
            return None;
        }
        let afar = walk.king && self.set.king_captures_afar;
        let mut target = self.step(walk.at, direction)?;
        while afar && self.stands(walk, target).is_none() {
            target = self.step(target, direction)?;
        }
        let piece = self.stands(walk, target)?;
        let protected = piece.king && !walk.king && !self.set.man_takes_king;
        if piece.color == self.side || walk.captured(target) || protected {
            return None;
        }
        let many = afar && self.set.landing != Landing::Behind;
        let mut landings = Vec::new();
        let mut behind = self.step(target, direction);
        while let Some(square) = behind.filter(|&s| self.stands(walk, s).is_none()) {
            landings.push(square);
            behind = if many { self.step(square, direction) } else { None };
        }
        if landings.is_empty() { None } else { Some(((direction, target, piece.king), landings)) }
    }

    fn can_go_on(&self, walk: &Walk) -> bool {
        !walk.ended && (0..8).any(|direction| self.jump(walk, direction).is_some())
    }

    /// The walk after one more jump.
    fn after(&self, walk: &Walk, jump: Jump, landing: Square) -> Walk {
        let mut next = walk.clone();
        next.jumps.push(jump);
        next.landings.push(landing);
        next.at = landing;
        if !walk.king && self.on_last_row(landing) {
            next.king = self.set.promotion == Promotion::InPassing;
            next.ended = self.set.promotion == Promotion::EndsMove;
        }
        next
    }

    /// Where a capture may stop after its last jump: a killer king behind a captured king stops directly behind it.
    fn may_stop(&self, next: &Walk, capturer_is_king: bool, nearest: bool) -> bool {
        let last_is_king = next.jumps.last().is_some_and(|jump| jump.2);
        let bound = match self.set.landing {
            Landing::Any | Landing::Behind => false,
            Landing::BehindLastKing => capturer_is_king && last_is_king,
            Landing::BehindLastKingMulti => capturer_is_king && last_is_king && next.jumps.len() >= 2,
        };
        nearest || !bound
    }

    /// Adds every finished walk that continues this one. A piece that can go on from one of the landing squares of a jump
    /// must choose such a square.
    fn extend(&self, walk: &Walk, finished: &mut Vec<Walk>) -> Result<(), TooMany> {
        for direction in 0..8 {
            let Some((jump, landings)) = self.jump(walk, direction) else {
                continue;
            };
            let next: Vec<Walk> = landings.iter().map(|&landing| self.after(walk, jump, landing)).collect();
            let going: Vec<&Walk> = next.iter().filter(|next| self.can_go_on(next)).collect();
            for further in &going {
                self.extend(further, finished)?;
            }
            if going.is_empty() {
                let stops = next.iter().enumerate().filter(|(i, next)| self.may_stop(next, walk.king, *i == 0));
                finished.extend(stops.map(|(_, next)| next.clone()));
            }
            if finished.len() > MOST_WALKS {
                return Err(TooMany);
            }
        }
        Ok(())
    }

    /// How good a capture is in the order of the rules; greater goes before.
    fn rank(&self, walk: &Walk, king_before: bool) -> Vec<u128> {
        let kings = walk.jumps.iter().filter(|jump| jump.2).count() as u128;
        let count = walk.jumps.len() as u128;
        let early = || {
            let met = walk.jumps.iter().enumerate().filter(|(_, jump)| jump.2);
            met.fold(0u128, |bits, (place, _)| bits | (1 << (127 - place)))
        };
        let value = |criterion: &Criterion| match criterion {
            Criterion::Count => count,
            Criterion::ByKing => king_before as u128,
            Criterion::KingsTaken => kings,
            Criterion::KingEarly => early(),
            Criterion::FrisianValue => 100 * (count - kings) + 199 * kings,
        };
        self.set.choice.iter().flatten().map(value).collect()
    }

    /// The capture walks that the order of captures leaves.
    pub fn captures(&self) -> Result<Vec<Walk>, TooMany> {
        let mut kept: Vec<(Vec<u128>, Walk)> = Vec::new();
        for (from, piece) in self.own() {
            let mut walks = Vec::new();
            let start =
                Walk { from, at: from, king: piece.king, jumps: Vec::new(), landings: Vec::new(), ended: false };
            self.extend(&start, &mut walks)?;
            let mut ranked: Vec<_> = walks.into_iter().map(|w| (self.rank(&w, piece.king), w)).collect();
            if self.set.scope == Scope::Piece {
                keep_best(&mut ranked);
            }
            kept.extend(ranked);
        }
        if self.set.scope == Scope::All {
            keep_best(&mut kept);
        }
        Ok(kept.into_iter().map(|(_, walk)| walk).collect())
    }

    pub fn legal(&self, mv: RefMove, walks: &Walks) -> Legal {
        let paths = walks.iter().map(|walk| &walk.jumps).collect::<HashSet<_>>().len() as u64;
        let landings = walks.iter().map(|walk| walk.landings.clone()).collect();
        Legal { mv, paths, landings, stops: walks.iter().map(|walk| self.stops(walk)).collect() }
    }

    /// Start, stops and end of a walk: after a jump the piece stops where the walk turns, or right behind the captured
    /// piece when it goes straight on or straight back.
    fn stops(&self, walk: &Walk) -> Vec<Square> {
        let mut stops = vec![walk.from];
        for (place, &(direction, captured, _)) in walk.jumps.iter().enumerate() {
            let straight = |next: &Jump| next.0 == direction || next.0 == BACK[direction];
            let behind = walk.jumps.get(place + 1).is_some_and(straight);
            let right_behind = self.step(captured, direction).expect("a jump lands behind the captured piece");
            stops.push(if behind { right_behind } else { walk.landings[place] });
        }
        stops
    }
}

impl Walk {
    fn captured(&self, square: Square) -> bool {
        self.jumps.iter().any(|jump| jump.1 == square)
    }
}

fn keep_best(ranked: &mut Vec<(Vec<u128>, Walk)>) {
    let best = ranked.iter().map(|(rank, _)| rank.clone()).max();
    ranked.retain(|(rank, _)| Some(rank) == best.as_ref());
}
