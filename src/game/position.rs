//! A position as a small value: pieces, side to move, key, and what the rules remember. `play` gives a new one.

use super::board::{Bits, Color, Square, Word};
use super::generate::Pieces;
use super::hash;
use super::kernels::Kernel;
use super::moves::{Move, MoveList, NOWHERE};
use super::plain::{Memory, Outcome, Piece, PlainMove, Reason, Setup, SetupError, State};
use super::rules::*;
use super::variant::Variant;
use super::{careful, ending, paths};
use rustc_hash::FxHashMap;

/// A variant bound to the kernel for its board's word width: what generation and `play` need.
#[derive(Clone, Copy, Debug)]
pub struct Referee<'a, W: 'static> {
    /// Names, rules and layout.
    pub variant: &'a Variant,
    /// The compiled move generator.
    pub kernel: &'static Kernel<W>,
}

/// One position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position<W> {
    /// The pieces.
    pub pieces: Pieces<W>,
    /// Zobrist key of pieces and side to move.
    pub key: u64,
    /// The pieces that the side to move may huff.
    pub huffable: W,
    /// The side to move.
    pub side: Color,
    /// Place of the small-ending limit in force, plus one; 0 = none.
    pub ending: u8,
    /// Plies in that ending.
    pub ending_plies: u16,
    /// Plies without a man move or a capture.
    pub quiet_plies: u16,
    /// Plies that could all be taken back: how far a repetition can lie behind.
    pub reversible: u16,
    /// For each side, bit of the king that made its last quiet moves, and how many in a row.
    pub king_run: [(u8, u8); 2],
}

impl<W: Word> Position<W> {
    /// The key, with what else decides the legal moves mixed in.
    #[inline(always)]
    pub fn full_key(&self, set: &RuleSet) -> u64 {
        let mut key = self.key;
        if set.same_king_moves > 0 {
            for (bit, count) in self.king_run {
                if count > 0 {
                    key = key.rotate_left(1) ^ hash::mix(u64::from(bit) << 8 | u64::from(count) | 1 << 20);
                }
            }
        }
        if !self.huffable.is_empty() {
            key ^= hash::mix(self.huffable.fold() ^ 0x4875_6666);
        }
        key
    }

    /// Pieces on the board.
    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.pieces.occupied().count()
    }
}

impl<W: Word> Referee<'_, W> {
    /// The rules.
    #[inline(always)]
    pub fn set(&self) -> &RuleSet {
        &self.variant.set
    }

    /// Sets up a position.
    pub fn position(&self, setup: &Setup) -> Result<Position<W>, SetupError> {
        let geometry = &self.variant.geometry;
        let expected = geometry.board.squares();
        if setup.cells.len() != expected {
            return Err(SetupError::Size { found: setup.cells.len(), expected });
        }
        let mut pieces = Pieces::<W>::default();
        for (index, piece) in setup.cells.iter().enumerate() {
            let Some(piece) = piece else { continue };
            let square = Square(index as u8 + 1);
            let bit = W::bit(geometry.bit(square));
            if !piece.king && bit.meets(W::from_wide(geometry.last_row[piece.color.index()])) {
                return Err(SetupError::ManOnLastRow(piece.color, square));
            }
            pieces.sides[piece.color.index()] |= bit;
            if piece.king {
                pieces.kings |= bit;
            }
        }
        let memory = &setup.memory;
        let enemy = pieces.sides[setup.side.other().index()];
        let huffable = memory.huffable.iter().fold(W::ZERO, |set, &square| set | W::bit(geometry.bit(square)));
        let run = memory.king_run.map(|run| run.map_or((NOWHERE, 0), |(square, count)| (geometry.bit(square), count)));
        Ok(Position {
            pieces,
            key: hash::board(&pieces, setup.side),
            huffable: if self.set().duty == Duty::Huffing { huffable & enemy } else { W::ZERO },
            side: setup.side,
            ending: ending::find(self.set(), geometry, &pieces),
            ending_plies: memory.ending_plies,
            quiet_plies: memory.quiet_plies,
            reversible: 0,
            king_run: run,
        })
    }

    /// The position in plain values.
    pub fn setup(&self, position: &Position<W>, move_number: Option<u32>) -> Setup {
        let geometry = &self.variant.geometry;
        let mut setup = Setup::empty(geometry.board, position.side);
        for color in [Color::White, Color::Black] {
            for bit in Bits(position.pieces.sides[color.index()]) {
                let king = position.pieces.kings.meets(W::bit(bit));
                setup.cells[geometry.square(bit).0 as usize - 1] = Some(Piece { color, king });
            }
        }
        setup.move_number = move_number;
        setup.memory = Memory {
            quiet_plies: position.quiet_plies,
            ending_plies: position.ending_plies,
            king_run: position.king_run.map(|(bit, count)| (count > 0).then(|| (geometry.square(bit), count))),
            huffable: Bits(position.huffable).map(|bit| geometry.square(bit)).collect(),
        };
        setup
    }

    /// Appends the legal moves of a position whose game is not over.
    #[inline]
    pub fn generate(&self, position: &Position<W>, list: &mut MoveList<W>) {
        let start = list.len();
        let (set, geometry) = (self.set(), &self.variant.geometry);
        (self.kernel.generate)(set, geometry, &position.pieces, position.side, list, false);
        if set.duty == Duty::Huffing {
            for bit in Bits(position.huffable) {
                let first = list.len();
                let pieces = without(&position.pieces, bit);
                (self.kernel.generate)(set, geometry, &pieces, position.side, list, false);
                list[first..].iter_mut().for_each(|mv| mv.huffed = bit);
            }
        }
        if set.same_king_moves > 0 {
            self.drop_tired_king(position, list, start);
        }
    }

    /// Removes the quiet moves of a king that has moved too often in a row. After: official Frisian rules, art. 17.
    fn drop_tired_king(&self, position: &Position<W>, list: &mut MoveList<W>, start: usize) {
        let (bit, count) = position.king_run[position.side.index()];
        if count < self.set().same_king_moves || position.pieces.men(position.side).is_empty() {
            return;
        }
        let mut kept = start;
        for i in start..list.len() {
            let mv = list[i];
            if mv.from != bit || mv.is_capture() {
                list[kept] = mv;
                kept += 1;
            }
        }
        list.truncate(kept);
    }

    /// Appends the captures only.
    #[inline]
    pub fn generate_captures(&self, position: &Position<W>, list: &mut MoveList<W>) {
        (self.kernel.generate)(self.set(), &self.variant.geometry, &position.pieces, position.side, list, true);
    }

    /// The pieces of a side that could make a first jump if it were to move.
    #[inline]
    pub fn capturers(&self, pieces: &Pieces<W>, side: Color) -> W {
        (self.kernel.capturers)(self.set(), &self.variant.geometry, pieces, side)
    }

    /// Number of quiet moves a side would have.
    #[inline]
    pub fn mobility(&self, pieces: &Pieces<W>, side: Color) -> u32 {
        (self.kernel.mobility)(self.set(), &self.variant.geometry, pieces, side)
    }

    /// The position after a legal move.
    pub fn play(&self, position: &Position<W>, mv: &Move<W>) -> Position<W> {
        let set = self.set();
        let us = position.side.index();
        let before = if mv.huffed == NOWHERE { position.pieces } else { without(&position.pieces, mv.huffed) };
        let pieces = before.after(us, mv);
        let mut next = *position;
        next.pieces = pieces;
        next.side = position.side.other();
        next.key = self.key_after(position, mv);
        let man = !mv.king();
        let capture = mv.is_capture() || mv.huffed != NOWHERE;
        next.quiet_plies = if man || capture { 0 } else { position.quiet_plies.saturating_add(1) };
        let lasting = capture || mv.promotes() || man && !self.man_may_return(mv);
        next.reversible = if lasting { 0 } else { position.reversible.saturating_add(1) };
        if set.endings[0].is_some() {
            next.ending = ending::find(set, &self.variant.geometry, &pieces);
            let fresh = next.ending == 0
                || next.ending != position.ending
                || ending::restarts(set, next.ending, capture, mv.promotes());
            next.ending_plies = if fresh { 0 } else { position.ending_plies.saturating_add(1) };
        }
        if set.same_king_moves > 0 {
            next.king_run[us] = self.run_after(position.king_run[us], mv);
            let (theirs, count) = next.king_run[1 - us];
            if count > 0 && (mv.captured.meets(W::bit(theirs)) || mv.huffed == theirs) {
                next.king_run[1 - us] = (NOWHERE, 0);
            }
        }
        if set.duty == Duty::Huffing {
            next.huffable = if mv.is_capture() { W::ZERO } else { self.negligent(&before, position.side, mv) };
        }
        next
    }

    /// Whether a man could come back after this quiet move: where men move backwards, or after a step sideways.
    fn man_may_return(&self, mv: &Move<W>) -> bool {
        let (directions, board) = (self.set().man_move, self.variant.geometry.board);
        let backwards = [2, 3, 5].into_iter().any(|direction| directions.has(direction));
        backwards || board.all_squares && mv.from.abs_diff(mv.to) == 1
    }

    fn run_after(&self, (bit, count): (u8, u8), mv: &Move<W>) -> (u8, u8) {
        if !mv.king() || mv.is_capture() {
            (NOWHERE, 0)
        } else if mv.from == bit {
            (mv.to, count.saturating_add(1))
        } else {
            (mv.to, 1)
        }
    }

    /// The pieces that could have captured instead of the quiet move `mv`, where they stand after it.
    fn negligent(&self, before: &Pieces<W>, side: Color, mv: &Move<W>) -> W {
        let could = self.capturers(before, side);
        let (from, to) = (W::bit(mv.from), W::bit(mv.to));
        if could.meets(from) { (could & !from) | to } else { could }
    }

    fn key_after(&self, position: &Position<W>, mv: &Move<W>) -> u64 {
        let us = position.side.index();
        let kings = position.pieces.kings;
        let mut key = position.key ^ hash::BLACK_TO_MOVE;
        key ^= hash::piece(us, mv.king(), mv.from) ^ hash::piece(us, mv.king() || mv.promotes(), mv.to);
        for bit in Bits(mv.captured) {
            key ^= hash::piece(1 - us, kings.meets(W::bit(bit)), bit);
        }
        if mv.huffed != NOWHERE {
            key ^= hash::piece(1 - us, kings.meets(W::bit(mv.huffed)), mv.huffed);
        }
        key
    }

    /// The end of the game that the pieces themselves show, whoever could still move.
    pub fn settled(&self, position: &Position<W>) -> Option<(Outcome, Reason)> {
        let set = self.set();
        let (white, black) = (position.pieces.sides[0], position.pieces.sides[1]);
        if set.goal == Goal::FirstKing && !position.pieces.kings.is_empty() {
            // The side that just moved is looked at first: it is the one that can have got a king.
            let last = position.side.other();
            let winner = if position.pieces.kings(last).is_empty() { position.side } else { last };
            return Some((Outcome::Win(winner), Reason::FirstKing));
        }
        if white.is_empty() || black.is_empty() {
            return None;
        }
        if set.one_against_one && white.count() == 1 && black.count() == 1 {
            return Some((Outcome::Draw, Reason::OneAgainstOne));
        }
        if set.kings_only != KingsOnly::PlayOn && (white | black) & !position.pieces.kings == W::ZERO {
            let outcome = match white.count().cmp(&black.count()) {
                std::cmp::Ordering::Greater => Outcome::Win(Color::White),
                std::cmp::Ordering::Less => Outcome::Win(Color::Black),
                std::cmp::Ordering::Equal if set.kings_only == KingsOnly::MoreWins => Outcome::Draw,
                std::cmp::Ordering::Equal => return None,
            };
            return Some((outcome, Reason::KingsOnly));
        }
        None
    }

    /// The draw that a move count brings, if its limit is reached. A game that is already won or lost comes first.
    pub fn limit_reached(&self, position: &Position<W>) -> Option<Reason> {
        let set = self.set();
        if set.quiet_plies > 0 && position.quiet_plies >= set.quiet_plies {
            return Some(Reason::QuietMoves(set.quiet_plies));
        }
        if position.ending > 0 {
            let limit = set.endings[position.ending as usize - 1].expect("an ending in force is in the table");
            let reached = position.ending_plies >= limit.plies;
            if reached && (limit.ending != Ending::KingKing || !self.king_falls(position)) {
                return Some(Reason::Ending(limit));
            }
        }
        None
    }

    /// King against king: whether one of them is captured at once or whatever is played. After: Frisian rules, art. 21.
    fn king_falls(&self, position: &Position<W>) -> bool {
        if !self.capturers(&position.pieces, position.side).is_empty() {
            return true;
        }
        let mut list = MoveList::new();
        self.generate(position, &mut list);
        let us = position.side;
        list.iter().all(|mv| {
            let next = position.pieces.after(us.index(), mv);
            !self.capturers(&next, us.other()).is_empty()
        })
    }

    /// What a position without a legal move means.
    pub fn stuck(&self, position: &Position<W>) -> (Outcome, Reason) {
        let set = self.set();
        let gone = position.pieces.sides[position.side.index()].is_empty();
        let reason = if gone { Reason::NoPieces } else { Reason::NoMoves };
        if !gone && set.blocked == Blocked::Draws {
            return (Outcome::Draw, reason);
        }
        let winner = if set.goal == Goal::Lose { position.side } else { position.side.other() };
        (Outcome::Win(winner), reason)
    }

    /// The state of a game that has come to `position`, the `occurrences`-th time with the same side to move.
    pub fn state(&self, position: &Position<W>, occurrences: u32) -> State {
        if let Some((outcome, reason)) = self.settled(position) {
            return State::Over(outcome, reason);
        }
        let mut list = MoveList::new();
        self.generate(position, &mut list);
        if list.is_empty() {
            let (outcome, reason) = self.stuck(position);
            return State::Over(outcome, reason);
        }
        let set = self.set();
        if set.repetitions > 0 && occurrences >= u32::from(set.repetitions) {
            return State::Over(Outcome::Draw, Reason::Repetition(set.repetitions));
        }
        match self.limit_reached(position) {
            Some(reason) => State::Over(Outcome::Draw, reason),
            None => State::Ongoing,
        }
    }

    /// Writes a move out.
    pub fn plain(&self, position: &Position<W>, mv: &Move<W>) -> PlainMove {
        let way = self.ways(position, mv, paths::Ways::Paths, 1).pop().expect("a legal move can be carried out");
        self.plain_by(mv, way)
    }

    /// Writes a whole list of legal moves out. Ways through many pieces are found together, which is far faster.
    pub fn plain_all(&self, position: &Position<W>, list: &[Move<W>]) -> Vec<PlainMove> {
        let long = |mv: &Move<W>| mv.captured.count() >= LONG_CAPTURE && mv.huffed == NOWHERE;
        if list.iter().filter(|mv| long(mv)).count() < 2 {
            return list.iter().map(|mv| self.plain(position, mv)).collect();
        }
        let (geometry, mover) = (&self.variant.geometry, position.side.index());
        let found = careful::captures_with_ways(self.set(), geometry, &position.pieces, mover);
        let mut ways: FxHashMap<_, _> = found.into_iter().map(|(mv, way)| (name(&mv), way)).collect();
        let write = |mv: &Move<W>| match ways.remove(&name(mv)) {
            Some(way) if long(mv) => self.plain_by(mv, way),
            _ => self.plain(position, mv),
        };
        list.iter().map(write).collect()
    }

    fn plain_by(&self, mv: &Move<W>, way: paths::Way) -> PlainMove {
        let geometry = &self.variant.geometry;
        PlainMove {
            from: geometry.square(mv.from),
            to: geometry.square(mv.to),
            captures: way.captures,
            path: way.stops,
            king: mv.king(),
            promotes: mv.promotes(),
            huffed: (mv.huffed != NOWHERE).then(|| geometry.square(mv.huffed)),
        }
    }

    /// Ways to carry a move out, at most `limit`.
    pub fn ways(&self, position: &Position<W>, mv: &Move<W>, kind: paths::Ways, limit: usize) -> Vec<paths::Way> {
        let pieces = self.pieces_before(position, mv);
        paths::ways(self.set(), &self.variant.geometry, &pieces, position.side.index(), mv, kind, limit)
    }

    /// The pieces when the move itself begins: after the huff, if there is one.
    pub fn pieces_before(&self, position: &Position<W>, mv: &Move<W>) -> Pieces<W> {
        if mv.huffed == NOWHERE { position.pieces } else { without(&position.pieces, mv.huffed) }
    }
}

/// Captures of this many pieces and more are written out together.
const LONG_CAPTURE: u32 = 8;

fn name<W: Word>(mv: &Move<W>) -> (u8, u8, W, bool) {
    (mv.from, mv.to, mv.captured, mv.promotes())
}

/// The pieces without the one on a bit.
fn without<W: Word>(pieces: &Pieces<W>, bit: u8) -> Pieces<W> {
    let keep = !W::bit(bit);
    Pieces { sides: pieces.sides.map(|side| side & keep), kings: pieces.kings & keep }
}
