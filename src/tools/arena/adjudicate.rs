//! Ending games that are decided, by the engines' own scores.

use super::error::ArenaError;
use crate::engine::Score;
use crate::game::board::Color;
use crate::game::plain::Outcome;

/// When a game counts as drawn or won. Without rules no game does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    draw: Option<Draw>,
    win: Option<Win>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Draw {
    /// Moves in a row of each side.
    moves: u32,
    /// Largest score, in hundredths of a man.
    score: Score,
    /// First move of the game that counts.
    from: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Win {
    /// Moves in a row of each side.
    moves: u32,
    /// Smallest score of the winner, in hundredths of a man.
    score: Score,
}

impl Rules {
    /// Reads `draw=MOVES:SCORE:FROM,win=MOVES:SCORE`, either part alone, or `off`.
    pub fn read(text: &str) -> Result<Rules, ArenaError> {
        let bad = || ArenaError::argument("--adjudicate", text, "off, or draw=MOVES:SCORE:FROM and win=MOVES:SCORE");
        let mut rules = Rules::default();
        if text.trim() == "off" {
            return Ok(rules);
        }
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or_else(bad)?;
            let numbers: Vec<u16> =
                value.split(':').map(|n| n.trim().parse().map_err(|_| bad())).collect::<Result<_, _>>()?;
            match (key.trim(), numbers.as_slice()) {
                ("draw", &[moves, score, from]) if moves > 0 => {
                    rules.draw = Some(Draw { moves: moves.into(), score: score.into(), from: from.into() });
                }
                ("win", &[moves, score]) if moves > 0 && score > 0 => {
                    rules.win = Some(Win { moves: moves.into(), score: score.into() });
                }
                _ => return Err(bad()),
            }
        }
        Ok(rules)
    }
}

/// Watches the scores of one game.
#[derive(Clone, Debug)]
pub struct Judge {
    rules: Rules,
    plies: u32,
    level: u32,
    /// Plies in a row in which both engines saw White, or Black, win.
    winning: [u32; 2],
}

impl Judge {
    /// A judge at the start of a game.
    pub fn new(rules: Rules) -> Judge {
        Judge { rules, plies: 0, level: 0, winning: [0; 2] }
    }

    /// Takes the score that a move was played with; tells when the game is decided.
    pub fn hear(&mut self, side: Color, score: Option<Score>) -> Option<Outcome> {
        self.plies += 1;
        let white = score.map(|score| if side == Color::White { score } else { -score });
        if let Some(Draw { moves, score, from }) = self.rules.draw {
            let level = white.is_some_and(|white| white.abs() <= score) && self.plies > (from.max(1) - 1) * 2;
            self.level = if level { self.level + 1 } else { 0 };
            if self.level >= moves * 2 {
                return Some(Outcome::Draw);
            }
        }
        let Win { moves, score } = self.rules.win?;
        for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
            let run = &mut self.winning[color.index()];
            *run = if white.is_some_and(|white| white * sign >= score) { *run + 1 } else { 0 };
            if *run >= moves * 2 {
                return Some(Outcome::Win(color));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plies until the judge decides when each mover sees these scores in turn.
    fn plies(rules: &str, scores: &[Option<Score>]) -> Option<(usize, Outcome)> {
        let mut judge = Judge::new(Rules::read(rules).unwrap());
        let mut side = Color::White;
        scores.iter().enumerate().find_map(|(index, &score)| {
            let outcome = judge.hear(side, score);
            side = side.other();
            outcome.map(|outcome| (index + 1, outcome))
        })
    }

    #[test]
    fn draws_need_a_row_of_level_scores_of_both_sides() {
        let level = vec![Some(3); 100];
        assert_eq!(plies("draw=4:5:1", &level), Some((8, Outcome::Draw)));
        assert_eq!(plies("draw=4:5:11", &level), Some((28, Outcome::Draw)));
        assert_eq!(plies("draw=4:2:1", &level), None);
        assert_eq!(plies("off", &level), None);
        let mut gap = level.clone();
        gap[6] = None;
        assert_eq!(plies("draw=4:5:1", &gap), Some((15, Outcome::Draw)));
    }

    #[test]
    fn wins_need_both_sides_to_agree() {
        let agreed: Vec<_> = (0..20).map(|ply| Some(if ply % 2 == 0 { -600 } else { 500 })).collect();
        assert_eq!(plies("win=3:500", &agreed), Some((6, Outcome::Win(Color::Black))));
        assert_eq!(plies("win=3:501", &agreed), None);
        assert_eq!(plies("win=3:500", &[Some(900); 20]), None);
    }

    #[test]
    fn mistakes_are_named() {
        for text in ["", "on", "draw=4", "draw=0:1:2", "win=3:-5", "win=3:5:7", "draw=4:5:1;win=3:500"] {
            assert!(Rules::read(text).unwrap_err().to_string().contains("draw=MOVES:SCORE:FROM"), "{text}");
        }
        assert!(Rules::read("draw=4:5:1,win=3:500").is_ok());
    }
}
