//! Captures cut into moves that xboard can hold: at most two captured pieces each. Pure.

use super::view::View;
use crate::game::board::Square;
use crate::game::plain::PlainMove;

/// Captured pieces in one move of xboard's.
const MOST: usize = 2;

/// One move of xboard's: a quiet move, a capture, or a part of a longer one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub from: Square,
    pub to: Square,
    /// The captured pieces, in order.
    pub over: Vec<Square>,
    /// A man is crowned at the end.
    pub promotes: bool,
}

/// The parts of a move; a single one unless it captures more than two pieces.
pub fn cut(mv: &PlainMove) -> Vec<Part> {
    let count = mv.captures.len();
    if count <= MOST {
        return vec![Part { from: mv.from, to: mv.to, over: mv.captures.clone(), promotes: mv.promotes }];
    }
    let stop = |jump: usize| if jump == count { mv.to } else { mv.path.get(jump).copied().unwrap_or(mv.to) };
    let part = |first: usize| {
        let last = (first + MOST).min(count);
        Part {
            from: stop(first),
            to: stop(last),
            over: mv.captures[first..last].to_vec(),
            promotes: mv.promotes && last == count,
        }
    };
    (0..count).step_by(MOST).map(part).collect()
}

impl Part {
    /// The text that xboard reads: `c3d4`, `c3xd4-e5`, `c3xd4xd6-c7`. It reads legs too, but of three it plays only the first.
    pub fn text(&self, view: View) -> String {
        let over: String = self.over.iter().map(|&square| format!("x{}", view.name(square))).collect();
        let dash = if self.over.is_empty() { "" } else { "-" };
        let crown = if self.promotes { View::king_letter().to_string() } else { String::new() };
        format!("{}{over}{dash}{}{crown}", view.name(self.from), view.name(self.to))
    }

    /// The legs that xboard writes, each from square to square.
    pub fn legs(&self, view: View) -> Vec<String> {
        let mut stops = vec![view.name(self.from)];
        stops.extend(self.over.iter().map(|&square| view.name(square)));
        stops.push(view.name(self.to));
        let mut legs: Vec<String> = stops.windows(2).map(|leg| leg.concat()).collect();
        if let Some(last) = legs.last_mut().filter(|_| self.promotes) {
            last.push(View::king_letter());
        }
        legs
    }

    /// Where one may go from here after the first `over.len()` captured pieces were clicked, with the colour of the mark.
    pub fn next(&self, over: &[Square]) -> Option<(Square, char)> {
        let rest = self.over.strip_prefix(over)?;
        Some(match (rest.first(), self.promotes, self.over.is_empty()) {
            (Some(&square), _, _) => (square, 'C'),
            (None, true, _) => (self.to, 'B'),
            (None, false, false) => (self.to, 'R'),
            (None, false, true) => (self.to, 'Y'),
        })
    }
}

/// Whether two texts of a move are the same: xboard writes the letter of a promotion once or not at all.
pub fn matches(part: &Part, view: View, text: &str) -> bool {
    let whole = part.legs(view).join(",");
    let plain = whole.strip_suffix(View::king_letter()).filter(|_| part.promotes).unwrap_or(&whole);
    text == whole || text == plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::variant::Variant;
    use crate::notation::fen;

    fn only(fen: &str) -> (std::sync::Arc<Variant>, PlainMove) {
        let rules = Variant::find("russian").expect("built in");
        let game = Game::from_setup(rules.clone(), &fen::read(&rules, fen).expect("a FEN")).expect("sound");
        (rules, game.moves().remove(0))
    }

    #[test]
    fn two_captured_pieces_fit_in_one_move() {
        let (rules, mv) = only("W:Wc3:Bd4,d6");
        let parts = cut(&mv);
        assert_eq!(parts.len(), 1);
        let view = View::new(&rules);
        assert_eq!(parts[0].legs(view), ["c3d4", "d4d6", "d6c7"]);
        assert_eq!(parts[0].text(view), "c3xd4xd6-c7");
        assert!(matches(&parts[0], view, "c3d4,d4d6,d6c7") && !matches(&parts[0], view, "c3c7"));
        let square = |name| view.square(name).expect("on the board");
        assert_eq!(parts[0].next(&[]), Some((square("d4"), 'C')));
        assert_eq!(parts[0].next(&[square("d4")]), Some((square("d6"), 'C')));
        assert_eq!(parts[0].next(&[square("d4"), square("d6")]), Some((square("c7"), 'R')));
        assert_eq!(parts[0].next(&[square("d6")]), None);
    }

    #[test]
    fn longer_captures_go_on_where_the_part_before_ended() {
        let (rules, mv) = only("W:Wc1:Bd2,d4,d6");
        let legs: Vec<_> = cut(&mv).iter().map(|part| part.legs(View::new(&rules)).join(",")).collect();
        assert_eq!(legs, ["c1d2,d2d4,d4c5", "c5d6,d6e7"]);
    }

    #[test]
    fn crowning_is_told_by_a_letter_that_may_be_missing() {
        let (rules, mv) = only("W:Wa7:Bh8");
        let part = &cut(&mv)[0];
        let view = View::new(&rules);
        assert_eq!((part.legs(view).concat(), part.text(view)), ("a7b8q".to_string(), "a7b8q".to_string()));
        assert!(matches(part, view, "a7b8") && matches(part, view, "a7b8q"));
        assert_eq!(part.next(&[]).map(|(_, colour)| colour), Some('B'));
    }
}
