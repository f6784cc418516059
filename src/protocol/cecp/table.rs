//! The game as xboard and the engine both know it: one point for each of xboard's moves, so that it can be taken back.

use super::parts::{self, Part, cut};
use super::view::View;
use crate::game::Game;
use crate::game::board::Square;
use crate::game::plain::{Outcome, PlainMove, Setup, SetupError, State};
use crate::game::variant::Variant;
use std::sync::Arc;

/// How a side passes while the other is in the middle of a long capture.
pub const PASS: &str = "@@@@";

/// A capture of which some parts are played.
#[derive(Clone)]
struct Half {
    /// The captures it may still become.
    moves: Vec<PlainMove>,
    /// Parts played.
    done: usize,
    /// It is the engine's, which plays the other parts by itself.
    engine: bool,
}

#[derive(Clone)]
struct Point {
    game: Game,
    half: Option<Half>,
}

/// What a move of the user's comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Played {
    /// A whole move; the other side is to move.
    Whole,
    /// A part of a capture: the other side has to pass.
    Part,
    /// The user has passed, and may go on where he is in the middle of a capture.
    Passed,
}

/// The points of a game, and what the user has clicked since the last.
pub struct Table {
    rules: Arc<Variant>,
    points: Vec<Point>,
    from: Option<Square>,
    over: Vec<Square>,
    put: Option<Square>,
    marks: Vec<(Square, char)>,
}

impl Table {
    /// The starting position of a game.
    pub fn new(rules: Arc<Variant>) -> Table {
        Table::at(Game::new(rules))
    }

    fn at(game: Game) -> Table {
        let rules = game.variant().clone();
        let points = vec![Point { game, half: None }];
        Table { rules, points, from: None, over: Vec::new(), put: None, marks: Vec::new() }
    }

    /// A table with another position.
    pub fn from_setup(rules: Arc<Variant>, setup: &Setup) -> Result<Table, SetupError> {
        Ok(Table::at(Game::from_setup(rules, setup)?))
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Variant> {
        &self.rules
    }

    fn now(&self) -> &Point {
        self.points.last().expect("a table has at least one point")
    }

    /// The game now. In the middle of a capture: before it.
    pub fn game(&self) -> &Game {
        &self.now().game
    }

    /// Whether a capture has begun and not ended.
    pub fn halfway(&self) -> bool {
        self.now().half.is_some()
    }

    /// The moves that may be played, and how many of their parts are.
    fn open(&self) -> (Vec<PlainMove>, usize) {
        match &self.now().half {
            Some(half) => (half.moves.clone(), half.done),
            None => (self.game().moves(), 0),
        }
    }

    fn push(&mut self, game: Game, half: Option<Half>) {
        self.points.push(Point { game, half });
        (self.from, self.put) = (None, None);
        self.over.clear();
        self.marks.clear();
    }

    /// Plays what the user or xboard sends. `Err` is the reason why not.
    pub fn play(&mut self, text: &str) -> Result<Played, &'static str> {
        let Point { game, half } = self.now().clone();
        if text == PASS {
            if half.is_none() {
                return Err("one passes only while the other side is capturing");
            }
            self.push(game, half);
            return Ok(Played::Passed);
        }
        if half.as_ref().is_some_and(|half| half.engine) {
            return Err("the capture goes on, pass with @@@@");
        }
        let rules = self.rules.clone();
        let view = View::new(&rules);
        let (mut moves, done) = self.open();
        moves.retain(|mv| cut(mv).get(done).is_some_and(|part| parts::matches(part, view, text)));
        match moves.iter().find(|mv| cut(mv).len() == done + 1) {
            Some(mv) => {
                let mut game = game;
                game.play(mv).expect("moves of the list are legal");
                self.push(game, None);
                Ok(Played::Whole)
            }
            None if moves.is_empty() => Err("not a legal move here"),
            None => {
                self.push(game, Some(Half { moves, done: done + 1, engine: false }));
                Ok(Played::Part)
            }
        }
    }

    /// The engine passes: the user goes on capturing.
    pub fn pass(&mut self) {
        let Point { game, half } = self.now().clone();
        self.push(game, half);
    }

    /// Plays the engine's move, or its first part.
    pub fn begin(&mut self, mv: &PlainMove) -> Option<Part> {
        self.advance(Half { moves: vec![mv.clone()], done: 0, engine: true })
    }

    /// Plays the next part of the engine's capture, if it is in the middle of one.
    pub fn go_on(&mut self) -> Option<Part> {
        let half = self.now().half.clone().filter(|half| half.engine)?;
        self.advance(half)
    }

    fn advance(&mut self, mut half: Half) -> Option<Part> {
        let mv = half.moves.first()?.clone();
        let parts = cut(&mv);
        let part = parts.get(half.done)?.clone();
        half.done += 1;
        let mut game = self.game().clone();
        if half.done == parts.len() {
            game.play(&mv).ok()?;
            self.push(game, None);
        } else {
            self.push(game, Some(half));
        }
        Some(part)
    }

    /// From now on the user plays both sides: the engine's parts too.
    pub fn hand_over(&mut self) {
        if let Some(half) = self.points.last_mut().and_then(|point| point.half.as_mut()) {
            half.engine = false;
        }
    }

    /// Takes back so many of xboard's moves; `false` when there are not as many.
    pub fn take_back(&mut self, count: usize) -> bool {
        if count >= self.points.len() {
            return false;
        }
        self.points.truncate(self.points.len() - count);
        let Point { game, half } = self.points.pop().expect("some are left");
        self.push(game, half);
        true
    }

    /// The user picks up a piece, or goes on from a captured piece that he has clicked: the line that marks his choices.
    pub fn lift(&mut self, name: &str) -> String {
        let rules = self.rules.clone();
        let view = View::new(&rules);
        let Some(square) = view.square(name) else { return view.marks(&[]) };
        if self.from.is_some() && self.put == Some(square) {
            self.over.push(square);
        } else {
            self.from = Some(square);
            self.over.clear();
        }
        self.put = None;
        let (moves, done) = self.open();
        let parts =
            moves.iter().filter_map(|mv| cut(mv).get(done).cloned()).filter(|part| Some(part.from) == self.from);
        self.marks = parts.filter_map(|part| part.next(&self.over)).collect();
        view.marks(&self.marks)
    }

    /// The user lets go of a piece. Says whether it becomes a king there.
    pub fn put(&mut self, name: &str) -> bool {
        self.put = View::new(&self.rules).square(name);
        self.marks.iter().any(|&(square, mark)| Some(square) == self.put && mark == 'B')
    }

    /// The line that tells how the game ended, if it has.
    pub fn result(&self) -> Option<String> {
        let State::Over(outcome, reason) = self.game().state() else { return None };
        let text = match outcome {
            Outcome::Draw => "1/2-1/2",
            Outcome::Win(color) if color == self.rules.set.first => "1-0",
            Outcome::Win(_) => "0-1",
        };
        Some(format!("{text} {{{reason}}}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen;

    fn table(rules: &str, text: &str) -> Table {
        let rules = Variant::find(rules).expect("built in");
        let setup = fen::read(&rules, text).expect("a FEN");
        Table::from_setup(rules, &setup).expect("sound")
    }

    #[test]
    fn clicks_lead_through_a_capture() {
        let mut table = table("russian", "W:Wc3:Bd4,d6");
        assert_eq!(table.lift("c3"), "highlight 8/8/8/8/3C4/8/8/8");
        assert!(!table.put("d4"));
        assert_eq!(table.lift("d4"), "highlight 8/8/3C4/8/8/8/8/8");
        table.put("d6");
        assert_eq!(table.lift("d6"), "highlight 8/2R5/8/8/8/8/8/8");
        table.put("c7");
        assert_eq!(table.play("c3d4,d4d6,d6c7"), Ok(Played::Whole));
        assert_eq!(table.result().as_deref(), Some("1-0 {no pieces}"));
    }

    #[test]
    fn a_new_piece_may_be_picked_up_instead() {
        let mut table = table("russian", "W:Wa1,g1:Bh8");
        table.lift("a1");
        assert_eq!(table.lift("g1"), "highlight 8/8/8/8/8/8/5Y1Y/8");
        assert_eq!(table.lift("z9"), "highlight 8/8/8/8/8/8/8/8");
        assert_eq!(table.play("g1h3"), Err("not a legal move here"));
    }

    #[test]
    fn crowning_is_asked_for() {
        let mut table = table("russian", "W:Wa7:Bh8");
        assert_eq!(table.lift("a7"), "highlight 1B6/8/8/8/8/8/8/8");
        assert!(table.put("b8"));
        assert_eq!(table.play("a7b8q"), Ok(Played::Whole));
    }

    #[test]
    fn a_long_capture_of_the_users_goes_on_after_a_pass() {
        let mut table = table("russian", "W:Wc1:Bd2,d4,d6,h8");
        assert_eq!(table.play(PASS), Err("one passes only while the other side is capturing"));
        assert_eq!(table.play("c1d2,d2d4,d4c5"), Ok(Played::Part));
        table.pass();
        assert_eq!(table.lift("c5"), "highlight 8/8/3C4/8/8/8/8/8");
        assert_eq!(table.play("c5d6,d6e7"), Ok(Played::Whole));
        assert_eq!(table.game().plies(), 1);
        assert!(table.take_back(3) && !table.take_back(1));
        assert_eq!(table.game().plies(), 0);
    }

    #[test]
    fn a_long_capture_of_the_engines_waits_for_passes() {
        let mut table = table("russian", "W:Wc1:Bd2,d4,d6,h8");
        let mv = table.game().moves().remove(0);
        assert_eq!(table.begin(&mv).map(|part| part.over.len()), Some(2));
        assert!(table.play("h8g7").is_err() && table.halfway());
        assert_eq!(table.play(PASS), Ok(Played::Passed));
        assert_eq!(table.go_on().map(|part| part.over.len()), Some(1));
        assert!(!table.halfway() && table.go_on().is_none());
        assert_eq!(table.game().plies(), 1);
    }
}
