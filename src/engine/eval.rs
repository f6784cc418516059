//! Evaluation: a network where there is one for the rules, otherwise by hand, from the rule set's record: material, advance,
//! shape and mobility.

use super::net::{Accumulators, Choice, Net, View, fingerprint};
use super::score::MOST_STATIC;
use super::{Odds, Score};
use crate::game::board::{Bits, Color, Word};
use crate::game::generate::Pieces;
use crate::game::position::{Position, Referee};
use crate::game::rules::{Ending, Goal, KingsOnly, RuleSet};
use std::sync::Arc;

/// A man, the unit of scores.
const MAN: Score = 100;

/// An evaluation split into its parts, each for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The whole, in hundredths of a man.
    pub total: Score,
    /// Name and value of each part before scaling.
    pub parts: Vec<(&'static str, Score)>,
}

/// Weights and masks of one rule set.
pub(super) struct Evaluator<W> {
    king: Score,
    /// Worth of a man by bit, for White and Black.
    man_at: [[i16; 128]; 2],
    /// Worth of a king by bit, the same for both sides.
    king_at: [i16; 128],
    home: [W; 2],
    home_bonus: Score,
    mobility: Score,
    /// Scores of a lone king's holding out are divided by this.
    lone_king_divisor: Score,
    flying: bool,
    main_road: W,
    /// Fewer pieces are better.
    giveaway: bool,
    column: [i8; 128],
    row: [i8; 128],
    /// What learned to judge positions of these rules.
    net: Option<Arc<Net>>,
    view: View,
    /// What scores mean for the result, and pieces at the start of a game.
    odds: (Odds, usize),
}

impl<W: Word> Evaluator<W> {
    /// Weights for a rule set, and the network to use for it.
    pub(super) fn new(referee: &Referee<W>, choice: &Choice) -> Self {
        let (set, geometry) = (referee.set(), &referee.variant.geometry);
        let board = geometry.board;
        let flying = set.king_flies || set.king_captures_afar;
        let net = choice.net(set);
        let mut evaluator = Evaluator {
            king: king_worth(set),
            man_at: [[0; 128]; 2],
            king_at: [0; 128],
            home: [W::from_wide(geometry.last_row[1]), W::from_wide(geometry.last_row[0])],
            home_bonus: if set.goal == Goal::FirstKing || !flying { 8 } else { 4 },
            mobility: if set.goal == Goal::Lose { 3 } else { 2 },
            lone_king_divisor: if flying { 4 } else { 1 },
            flying,
            main_road: W::from_wide(geometry.main_road),
            giveaway: set.goal == Goal::Lose,
            column: [0; 128],
            row: [0; 128],
            odds: Odds::of(fingerprint(set), net.as_deref()),
            net,
            view: View::new(geometry),
        };
        let (width, height) = (i32::from(board.width), i32::from(board.height));
        for bit in Bits(W::from_wide(geometry.squares)) {
            let (column, row) = board.column_row(geometry.square(bit));
            let (column, row) = (column as i32, row as i32);
            evaluator.column[bit as usize] = column as i8;
            evaluator.row[bit as usize] = row as i8;
            let centre = column.min(width - 1 - column);
            let inside = centre.min(row).min(height - 1 - row);
            evaluator.king_at[bit as usize] = (2 * inside) as i16;
            for side in 0..2 {
                let advance = if side == 0 { height - 1 - row } else { row };
                let left = height - 1 - advance;
                evaluator.man_at[side][bit as usize] = man_worth(set, advance, left, centre) as i16;
            }
        }
        evaluator
    }

    /// Empty sums for the network, for one thread.
    pub(super) fn accumulators(&self) -> Accumulators<W> {
        Accumulators::new(self.net.as_deref())
    }

    /// Static score for the side to move, at a ply of a search.
    pub(super) fn evaluate(
        &self,
        referee: &Referee<W>,
        position: &Position<W>,
        sums: &mut Accumulators<W>,
        ply: usize,
    ) -> Score {
        let pieces = &position.pieces;
        let sign = if position.side == Color::White { 1 } else { -1 };
        let white = match &self.net {
            Some(net) => sign * sums.score(net, &self.view, pieces, position.side, ply),
            None => self.material(pieces) + self.squares(pieces) + self.mobility(referee, pieces),
        };
        let score = sign * self.scale(white, pieces);
        score.clamp(-MOST_STATIC, MOST_STATIC)
    }

    /// Chances of win, draw and loss in permille that go with a score, in a position of so many pieces.
    pub(super) fn chances(&self, score: Score, count: u32) -> [u32; 3] {
        let (odds, fullness) = self.odds(count);
        odds.chances(score, fullness)
    }

    /// The curves by which scores are read, and how full the board is, in a position of so many pieces.
    pub(super) fn odds(&self, count: u32) -> (Odds, f64) {
        let (odds, pieces) = self.odds;
        (odds, Odds::fullness(count, pieces))
    }

    /// The same, part by part.
    pub(super) fn explain(&self, referee: &Referee<W>, position: &Position<W>) -> Evaluation {
        let pieces = &position.pieces;
        let sign = if position.side == Color::White { 1 } else { -1 };
        let mut sums = self.accumulators();
        let parts = match &self.net {
            Some(net) => vec![("network", sums.score(net, &self.view, pieces, position.side, 0))],
            None => vec![
                ("material", sign * self.material(pieces)),
                ("squares", sign * self.squares(pieces)),
                ("mobility", sign * self.mobility(referee, pieces)),
            ],
        };
        Evaluation { total: self.evaluate(referee, position, &mut sums, 0), parts }
    }

    fn material(&self, pieces: &Pieces<W>) -> Score {
        let side = |color| MAN * pieces.men(color).count() as Score + self.king * pieces.kings(color).count() as Score;
        let balance = side(Color::White) - side(Color::Black);
        if self.giveaway { -balance } else { balance }
    }

    fn squares(&self, pieces: &Pieces<W>) -> Score {
        let mut score = 0;
        for (side, sign) in [(0, 1), (1, -1)] {
            let men = pieces.sides[side] & !pieces.kings;
            let mut sum: Score = Bits(men).map(|bit| Score::from(self.man_at[side][bit as usize])).sum();
            sum += Bits(pieces.sides[side] & pieces.kings)
                .map(|bit| Score::from(self.king_at[bit as usize]))
                .sum::<Score>();
            let enemy_men = pieces.sides[1 - side] & !pieces.kings;
            if !enemy_men.is_empty() {
                sum += self.home_bonus * (men & self.home[side]).count() as Score;
            }
            score += sign * sum;
        }
        score
    }

    fn mobility(&self, referee: &Referee<W>, pieces: &Pieces<W>) -> Score {
        let moves = |color| referee.mobility(pieces, color).min(30) as Score;
        self.mobility * (moves(Color::White) - moves(Color::Black))
    }

    /// Draws near-drawn endings towards zero and, where short kings must be brought up, adds a reason to do so.
    fn scale(&self, white: Score, pieces: &Pieces<W>) -> Score {
        if self.giveaway || pieces.occupied().count() > 8 {
            return white;
        }
        let strong = usize::from(white < 0);
        let (own, enemy) = (pieces.sides[strong], pieces.sides[1 - strong]);
        let enemy_kings = enemy & pieces.kings;
        if self.flying {
            let held = !enemy_kings.is_empty() && own.count() <= enemy.count() + 2 && own.count() <= 4;
            let on_road = enemy_kings.meets(self.main_road) && own.count() <= 3;
            return match (held, on_road) {
                (true, true) => white / (2 * self.lone_king_divisor),
                (true, false) => white / self.lone_king_divisor,
                _ => white,
            };
        }
        let nearness = self.nearness(own & pieces.kings, enemy);
        if own.count() > enemy.count() { if strong == 0 { white + nearness } else { white - nearness } } else { white }
    }

    /// How close the kings of the stronger side stand to the enemy's pieces.
    fn nearness(&self, kings: W, enemy: W) -> Score {
        let mut sum = 0;
        for king in Bits(kings) {
            let distance = |bit: u8| {
                let columns = self.column[king as usize].abs_diff(self.column[bit as usize]);
                let rows = self.row[king as usize].abs_diff(self.row[bit as usize]);
                Score::from(columns.max(rows))
            };
            sum += 12 - Bits(enemy).map(distance).min().unwrap_or(12);
        }
        3 * sum
    }
}

/// What a king is worth in hundredths of a man.
fn king_worth(set: &RuleSet) -> Score {
    if set.goal == Goal::Lose {
        return 150;
    }
    let afar = set.king_flies && set.king_captures_afar;
    let backward_men = set.man_capture.has(2) || set.man_capture.has(3);
    let limited = set.endings.iter().flatten().any(|limit| matches!(limit.ending, Ending::LoneKing { .. }));
    match (afar, set.board.all_squares) {
        (true, true) => 450,
        (true, false) if set.kings_only != KingsOnly::PlayOn => 280,
        (true, false) if backward_men || limited => 300,
        (true, false) => 350,
        (false, true) => 200,
        (false, false) => 140,
    }
}

/// Positional worth of a man: `advance` rows from its own last row, `left` rows from promotion, `centre` columns from the
/// edge.
fn man_worth(set: &RuleSet, advance: i32, left: i32, centre: i32) -> i32 {
    let race = if left <= 3 { (4 - left) * (4 - left) } else { 0 };
    match set.goal {
        Goal::FirstKing => 4 * advance + 6 * race + centre,
        Goal::Lose => -advance,
        Goal::Normal if set.board.all_squares => 5 * advance + 3 * race + centre,
        Goal::Normal => advance + 2 * race + 2 * centre.min(3),
    }
}
