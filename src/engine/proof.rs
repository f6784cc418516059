//! The root in the light of the tables: moves that keep the value, wins played by distance, and claims that hold.
//!
//! Tables know nothing of draws by move count or repetition. A win is claimed only when the winner, playing by distance,
//! gets there in time whatever the other does.

use super::door::{Door, is_counted, is_safe};
use super::order::mirror_tie;
use super::{Answer, Bound, Info, Limits, Report, Score, WIN};
use crate::endgame::{Material, Value};
use crate::game::board::{Color, Word};
use crate::game::line::Line;
use crate::game::moves::{Move, MoveList};
use crate::game::plain::{Outcome, PlainMove};
use crate::game::position::{Position, Referee};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// Positions looked at to prove that a win comes in time.
const BUDGET: usize = 20_000;
/// Moves of a line that are written out.
const LONGEST_LINE: usize = 400;

/// One root move with what the tables say of it.
#[derive(Clone, Debug)]
pub(super) struct Judged<W> {
    pub score: Score,
    pub plies: u16,
    /// The line that best play follows, from this move on.
    pub line: Vec<Move<W>>,
}

/// What the tables make of a root.
#[derive(Debug)]
pub(super) enum Truth<W: Word> {
    /// They say nothing.
    Unknown,
    /// All is known: these lines, best first.
    Known(Vec<Judged<W>>),
    /// These moves keep the value; the search chooses. A score, if given, is the truth about the root.
    Narrowed(Vec<Move<W>>, Option<Score>),
}

/// Asks the tables about some of the legal moves of a position.
pub(super) fn judge<W: Word>(
    door: &Door,
    referee: Referee<W>,
    line: &Line<W>,
    moves: &[Move<W>],
    lines: usize,
    limits: &Limits,
) -> Truth<W> {
    let position = &line.now;
    if !door.may_judge(position, limits) || !door.tables.holds(Material::of(&position.pieces, position.side)) {
        return Truth::Unknown;
    }
    let Some(values) = door.tables.moves(referee, position, moves) else { return Truth::Unknown };
    let mut judged: Vec<(Move<W>, Value)> = moves.iter().copied().zip(values).collect();
    judged.sort_by_key(|(mv, value)| (std::cmp::Reverse(order(*value)), mirror_tie(position.side, mv)));
    let best = judged[0].1;
    if best == Value::Draw {
        let kept = judged.into_iter().filter(|(_, value)| *value == Value::Draw).map(|(mv, _)| mv);
        return Truth::Narrowed(kept.collect(), Some(0));
    }
    let player = Player { door, referee, line };
    if let Some(first) = player.judged(&judged[0]) {
        let others = judged[1..].iter().map_while(|other| player.judged(other)).take(lines.saturating_sub(1));
        return Truth::Known([first].into_iter().chain(others).collect());
    }
    let kept: Vec<Move<W>> = match best.plies() {
        // By distance all the same: perhaps the other does not defend so well.
        Some(_) => judged.iter().filter(|(_, value)| *value == best).map(|(mv, _)| *mv).collect(),
        None => judged.iter().filter(|(_, value)| value.sign() == best.sign()).map(|(mv, _)| *mv).collect(),
    };
    if best == Value::Win(None)
        && let Some(route) = door.route(Material::of(&position.pieces, position.side), is_counted(limits))
        && let Some(mv) = route.next(&referee, position, &kept)
    {
        return Truth::Narrowed(vec![mv], None);
    }
    Truth::Narrowed(kept, None)
}

/// Wins of known distance first, the shortest first; losses of unknown distance before the others, which may be quicker.
fn order(value: Value) -> i32 {
    match value {
        Value::Win(None) => 1,
        Value::Loss(None) => -1,
        value => value.rank(),
    }
}

/// Plays by the tables.
struct Player<'a, W: Word> {
    door: &'a Door,
    referee: Referee<'a, W>,
    line: &'a Line<W>,
}

impl<W: Word> Player<'_, W> {
    /// A root move with its score and line; `None` when its end is not known or may not come about.
    fn judged(&self, (mv, value): &(Move<W>, Value)) -> Option<Judged<W>> {
        let position = &self.line.now;
        let score = match value {
            Value::Draw => 0,
            value => value.sign() * (WIN - Score::from(value.plies()?)),
        };
        let after = self.referee.play(position, mv);
        let winner = if value.sign() > 0 { position.side } else { position.side.other() };
        if *value != Value::Draw && !self.comes_in_time(position, &after, winner, value.plies()?) {
            return None;
        }
        let mut line = vec![*mv];
        self.follow(after, &mut line);
        Some(Judged { score, plies: value.plies().unwrap_or(0), line })
    }

    /// Adds what best play of both goes on with, as long as the tables know it and the game is not drawn.
    fn follow(&self, mut position: Position<W>, line: &mut Vec<Move<W>>) {
        while line.len() < LONGEST_LINE && self.referee.settled(&position).is_none() {
            match self.best(&position) {
                Some((mv, value)) if value.plies().is_some() => {
                    line.push(mv);
                    position = self.referee.play(&position, &mv);
                }
                _ => break,
            }
        }
    }

    /// The best move by distance. Of equals, one that cannot be taken back.
    fn best(&self, position: &Position<W>) -> Option<(Move<W>, Value)> {
        let mut list = MoveList::new();
        self.referee.generate(position, &mut list);
        let values = self.door.tables.moves(self.referee, position, &list)?;
        let rank = |(mv, value): &(Move<W>, Value)| {
            (value.rank(), mv.is_capture() || !mv.king(), std::cmp::Reverse(mirror_tie(position.side, mv)))
        };
        list.into_iter().zip(values).max_by_key(rank)
    }

    /// Whether the winner, playing by distance, ends the game before any draw, whatever the other plays. `before` is the
    /// position in which the distance was counted, `after` the one to go on from.
    fn comes_in_time(&self, before: &Position<W>, after: &Position<W>, winner: Color, plies: u16) -> bool {
        let set = self.referee.set();
        if is_safe(set, before, plies) && !self.line_repeats(before) {
            return true;
        }
        let mut seen = FxHashSet::default();
        let mut open = vec![*after];
        while let Some(position) = open.pop() {
            let counts = (position.ending, position.ending_plies, position.quiet_plies);
            if !seen.insert((position.pieces, position.side, counts)) {
                continue;
            }
            if seen.len() > BUDGET {
                return false;
            }
            match self.ends(&position, winner) {
                Some(true) => continue,
                Some(false) => return false,
                None => {}
            }
            if position.side == winner {
                let Some((mv, value)) = self.best(&position) else { return false };
                if value.sign() <= 0 || value.plies().is_none() {
                    return false;
                }
                open.push(self.referee.play(&position, &mv));
            } else {
                let mut list = MoveList::new();
                self.referee.generate(&position, &mut list);
                open.extend(list.iter().map(|mv| self.referee.play(&position, mv)));
            }
        }
        true
    }

    /// Whether a position that may come again has been there so often that once more is a draw.
    fn line_repeats(&self, now: &Position<W>) -> bool {
        let often = usize::from(self.referee.set().repetitions).saturating_sub(1);
        let back = usize::from(now.reversible).min(self.line.keys.len());
        let mut recent = self.line.keys[self.line.keys.len() - back..].to_vec();
        recent.push(now.full_key(self.referee.set()));
        recent.sort_unstable();
        often > 0 && recent.chunk_by(|a, b| a == b).any(|alike| alike.len() >= often)
    }

    /// Whether the game ends here, and then whether the winner has won it.
    fn ends(&self, position: &Position<W>, winner: Color) -> Option<bool> {
        let referee = &self.referee;
        if let Some((outcome, _)) = referee.settled(position) {
            return Some(outcome == Outcome::Win(winner));
        }
        let mut list = MoveList::new();
        referee.generate(position, &mut list);
        if list.is_empty() {
            return Some(referee.stuck(position).0 == Outcome::Win(winner));
        }
        let set = referee.set();
        // It comes up once on this way: distances only fall.
        let key = position.full_key(set);
        let before = self.line.keys.iter().filter(|&&earlier| earlier == key).count();
        let drawn = set.repetitions > 0 && before + 1 >= usize::from(set.repetitions);
        (drawn || referee.limit_reached(position).is_some()).then_some(false)
    }
}

/// Tells the lines that the tables give, as a search tells its own, and answers with the first.
pub(super) fn answer<W: Word>(
    referee: &Referee<W>,
    line: &Line<W>,
    lines: &[Judged<W>],
    time: Duration,
    report: &dyn Report,
) -> Answer {
    let mut infos = Vec::new();
    for (place, judged) in lines.iter().enumerate() {
        let info = Info {
            depth: u32::from(judged.plies).max(1),
            seldepth: judged.line.len() as u32,
            multipv: place as u32 + 1,
            score: judged.score,
            bound: Bound::Exact,
            wdl: super::chances(judged.score),
            nodes: lines.len() as u64,
            time,
            hashfull: 0,
            tbhits: lines.len() as u64,
            pv: written(referee, &line.now, &judged.line),
        };
        report.info(&info);
        infos.push(info);
    }
    let first = infos.into_iter().next();
    let mut pv = first.iter().flat_map(|info| info.pv.iter().cloned());
    let (best, ponder) = (pv.next(), pv.next());
    Answer { best, ponder, info: first }
}

fn written<W: Word>(referee: &Referee<W>, start: &Position<W>, line: &[Move<W>]) -> Vec<PlainMove> {
    let mut position = *start;
    let write = |mv: &Move<W>| {
        let plain = referee.plain(&position, mv);
        position = referee.play(&position, mv);
        plain
    };
    line.iter().map(write).collect()
}

/// What the tables know of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Its value, if known.
    pub value: Option<Value>,
    /// Its legal moves and what each is worth to the player who makes it.
    pub moves: Vec<(PlainMove, Option<Value>)>,
    /// The rule that the same king may move only so often in a row could change these values.
    pub same_king: bool,
    /// A win or loss comes before any draw by move count or repetition. Where distances are not known, it is not sure.
    pub in_time: bool,
}

/// Asks the tables about a position and its legal moves.
pub(super) fn probe<W: Word>(door: &Door, referee: Referee<W>, line: &Line<W>) -> Probe {
    let position = &line.now;
    let legal = crate::game::line::legal(&referee, line);
    let worth = |mv: &Move<W>| door.tables.moves(referee, position, std::slice::from_ref(mv)).map(|v| v[0]);
    let values: Vec<Option<Value>> = legal.iter().map(worth).collect();
    let value = door.tables.value(referee, position).or_else(|| {
        // All moves known: so is the position.
        let known: Option<Vec<Value>> = values.iter().copied().collect();
        known.and_then(|known| known.into_iter().max_by_key(|value| value.rank()))
    });
    let in_time = match value {
        Some(Value::Draw) | None => true,
        Some(value) => {
            let best = legal.iter().zip(&values).find(|(_, known)| **known == Some(value));
            let judged = best.and_then(|(mv, _)| Player { door, referee, line }.judged(&(*mv, value)));
            legal.is_empty() || judged.is_some()
        }
    };
    Probe {
        value,
        moves: referee.plain_all(position, &legal).into_iter().zip(values).collect(),
        same_king: !door.tables.holds(Material::of(&position.pieces, position.side)),
        in_time,
    }
}
