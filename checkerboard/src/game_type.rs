//! The games CheckerBoard knows by number, and how it numbers their squares.

use crate::layout::Coor;
use damka::game::Variant;
use damka::game::board::Square;
use std::sync::Arc;

/// A game of CheckerBoard: its PDN number and damka's name for its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameType {
    /// What `get gametype` answers.
    pub number: u8,
    /// damka's rule set.
    pub variant: &'static str,
    numbering: Numbering,
}

/// Where square 1 lies and which way the numbers run, seen with Black at the bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Numbering {
    /// From the bottom up, each row from the right.
    Default,
    /// From the bottom up, each row from the left.
    Italian,
    /// From the top down, each row from the right.
    Turned,
}

const fn game(number: u8, variant: &'static str, numbering: Numbering) -> GameType {
    GameType { number, variant, numbering }
}

/// All of them.
pub const GAMES: [GameType; 6] = [
    game(21, "english", Numbering::Default),
    game(22, "italian", Numbering::Italian),
    game(24, "spanish", Numbering::Turned),
    game(25, "russian", Numbering::Default),
    game(26, "brazilian", Numbering::Default),
    game(29, "czech", Numbering::Turned),
];

/// Names the game to play; looked up when the library is loaded, and, for a library of one game, when it is compiled.
const CHOICE: &str = "DAMKA_CHECKERBOARD_GAME";

impl GameType {
    /// A game by its number or by damka's name for it.
    pub fn find(text: &str) -> Option<GameType> {
        let text = text.trim();
        GAMES.into_iter().find(|game| text.eq_ignore_ascii_case(game.variant) || text.parse() == Ok(game.number))
    }

    /// The game this library starts with: the environment's choice, or the build's, or English.
    pub fn chosen() -> GameType {
        let asked = std::env::var(CHOICE).ok();
        let built = option_env!("DAMKA_CHECKERBOARD_GAME");
        asked.as_deref().and_then(GameType::find).or_else(|| built.and_then(GameType::find)).unwrap_or(GAMES[0])
    }

    /// Its rules.
    pub fn rules(self) -> Arc<Variant> {
        Variant::find(self.variant).expect("the games of CheckerBoard are built in")
    }

    /// CheckerBoard's number of a place on the board.
    pub fn number_of(self, place: Coor) -> i32 {
        let (x, y) = (place.x, place.y);
        match self.numbering {
            Numbering::Default => 4 * (y + 1) - x / 2,
            Numbering::Italian => 1 + 4 * y + x / 2,
            Numbering::Turned => 32 - 4 * y - x / 2,
        }
    }

    /// The place of a number 1 to 32.
    pub fn place_of(self, number: i32) -> Option<Coor> {
        (0..8)
            .flat_map(|y| (0..8).map(move |x| Coor { x, y }))
            .find(|&place| dark(place) && self.number_of(place) == number)
    }
}

/// Whether a place is played on: the corner at the bottom left is.
pub fn dark(place: Coor) -> bool {
    (place.x + place.y) % 2 == 0
}

/// Where a square of damka's lies on CheckerBoard's board. damka draws White at the bottom, so the rows are the same from
/// the other side; a mirrored board is shown in a mirror, so that its dark corner comes to lie where CheckerBoard has it.
pub fn place(rules: &Variant, square: Square) -> Coor {
    let (column, row) = rules.set.board.column_row(square);
    let x = if rules.set.board.corner { 7 - column } else { column };
    Coor { x: x as i32, y: row as i32 }
}

/// damka's square at a place.
pub fn square(rules: &Variant, at: Coor) -> Option<Square> {
    let (x, y) = (usize::try_from(at.x).ok()?, usize::try_from(at.y).ok()?);
    let column = if rules.set.board.corner { 7usize.checked_sub(x)? } else { x };
    rules.set.board.at(column, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn xy(game: &str, number: i32) -> (i32, i32) {
        let place = GameType::find(game).expect("a game").place_of(number).expect("on the board");
        (place.x, place.y)
    }

    #[test]
    fn squares_lie_where_the_interface_says() {
        for n in 1..=32 {
            let n0 = n - 1;
            let odd = |y: i32| y % 2;
            let y = n0 / 4;
            for game in ["english", "russian", "brazilian"] {
                assert_eq!(xy(game, n), (2 * (3 - n0 % 4) + odd(y), y), "{game} {n}");
            }
            assert_eq!(xy("italian", n), (2 * (n0 % 4) + odd(y), y));
            let y = 7 - n0 / 4;
            assert_eq!(xy("spanish", n), (2 * (3 - n0 % 4) + odd(y), y));
        }
        assert_eq!(xy("czech", 32), (0, 0));
        assert_eq!(xy("czech", 1), (7, 7));
    }

    #[test]
    fn numbers_and_squares_are_each_others_way_back() {
        for game in GAMES {
            let rules = game.rules();
            assert_eq!(rules.set.game_type, game.number);
            for number in 1..=32u8 {
                let there = place(&rules, Square(number));
                assert!(dark(there), "{} {number}", game.variant);
                assert_eq!(square(&rules, there), Some(Square(number)));
                let place = game.place_of(i32::from(number)).expect("on the board");
                assert_eq!(game.number_of(place), i32::from(number));
            }
            assert_eq!(game.place_of(0), None);
            assert_eq!(game.place_of(33), None);
        }
    }

    #[test]
    fn english_squares_keep_their_numbers() {
        for game in ["english", "russian", "brazilian", "italian"] {
            let game = GameType::find(game).expect("a game");
            for number in 1..=32u8 {
                assert_eq!(game.number_of(place(&game.rules(), Square(number))), i32::from(number), "{}", game.variant);
            }
        }
    }

    #[test]
    fn games_are_found_by_number_and_name() {
        assert_eq!(GameType::find("25").map(|g| g.variant), Some("russian"));
        assert_eq!(GameType::find(" Italian ").map(|g| g.number), Some(22));
        assert_eq!(GameType::find("20"), None);
        assert_eq!(GameType::find(""), None);
    }
}
