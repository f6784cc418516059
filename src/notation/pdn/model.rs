//! A game as it was read: tags, a tree of moves, and everything between the moves in its order.

use super::warning::Warning;
use crate::game::plain::{PlainMove, Setup};
use crate::game::{Game, Variant};
use std::sync::Arc;

/// A tag pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    pub name: String,
    pub value: String,
}

/// Place of a line of play in its game: 0 is the main line, others are variations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct LineId(pub usize);

impl LineId {
    /// The main line.
    pub const MAIN: LineId = LineId(0);
}

/// What stands in a line of play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A move. Boxed, since comments and marks are as many.
    Move(Box<MoveItem>),
    /// A comment without its braces, with any clock or evaluation in it; line breaks are blanks.
    Comment(String),
    /// A numeric mark such as 7 for `$7`.
    Nag(u32),
    /// A variation in place of the move before it.
    Variation(LineId),
    /// A position set up in mid-game: the text inside `/FEN "…"/`, and the position if it can be set up.
    Setup(String, Option<Box<Setup>>),
    /// Words that are neither moves nor comments.
    Text(String),
}

/// A move as it was written and, when it is legal, as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveItem {
    /// The move's text without marks.
    pub text: String,
    /// Marks behind it such as `!?` or `(?)`.
    pub strength: String,
    /// Line of the file, from 1; 0 when it was not read from one.
    pub line: usize,
    /// The legal move; `None` when there is none, or when the position is not known.
    pub mv: Option<PlainMove>,
}

/// One game.
#[derive(Clone, Debug)]
pub struct PdnGame {
    /// Place in the file, from 1.
    pub number: usize,
    /// First line in the file, from 1.
    pub line: usize,
    /// All tags, known or not, in order.
    pub tags: Vec<Tag>,
    /// The rules.
    pub variant: Arc<Variant>,
    /// The position it starts from; `None` when its FEN cannot be set up.
    pub start: Option<Setup>,
    /// Number of the first move, and whether it is the second half of that number (`12...`).
    pub first_number: (u32, bool),
    /// All lines; the first is the main line. Variations name theirs by [`Item::Variation`].
    pub lines: Vec<Vec<Item>>,
    /// What ended the moves, as it was written; `None` when nothing did.
    pub result: Option<String>,
    /// Comments behind the result.
    pub epilogue: Vec<String>,
    /// What deviated.
    pub warnings: Vec<Warning>,
}

/// A move of the main line with the game just before it.
#[derive(Clone, Debug)]
pub struct Position {
    /// The game before the move.
    pub game: Game,
    /// Place of the move among the main line's items.
    pub item: usize,
    /// The move.
    pub mv: PlainMove,
}

impl PdnGame {
    /// An empty game from the starting position.
    pub fn new(variant: Arc<Variant>) -> PdnGame {
        PdnGame {
            number: 1,
            line: 0,
            tags: Vec::new(),
            start: Some(Setup::start(&variant)),
            variant,
            first_number: (1, false),
            lines: vec![Vec::new()],
            result: None,
            epilogue: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The value of a tag; of the last one when there are several. Case does not matter.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().rev().find(|tag| tag.name.eq_ignore_ascii_case(name)).map(|tag| tag.value.as_str())
    }

    /// Changes the last tag of a name, or adds it behind all others.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().rev().find(|tag| tag.name.eq_ignore_ascii_case(name)) {
            Some(tag) => tag.value = value.to_string(),
            None => self.tags.push(Tag { name: name.to_string(), value: value.to_string() }),
        }
    }

    /// The result: what ended the moves, or the `Result` tag when that is only a star or nothing.
    pub fn outcome(&self) -> Option<&str> {
        self.result.as_deref().filter(|&result| result != "*").or(self.tag("Result")).or(self.result.as_deref())
    }

    /// The game at its start, ready to be played through; `None` when its position is not known.
    pub fn start_game(&self) -> Option<Game> {
        Game::from_setup(self.variant.clone(), self.start.as_ref()?).ok()
    }

    /// The items of the main line.
    pub fn main(&self) -> &[Item] {
        &self.lines[0]
    }

    /// All moves of the main line, legal or not.
    pub fn moves(&self) -> impl Iterator<Item = &MoveItem> {
        self.main().iter().filter_map(|item| match item {
            Item::Move(mv) => Some(&**mv),
            _ => None,
        })
    }

    /// How many moves of the main line are legal.
    pub fn plies(&self) -> usize {
        self.moves().filter(|mv| mv.mv.is_some()).count()
    }

    /// The legal moves of the main line, each with the game before it.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut game = self.start_game();
        self.main().iter().enumerate().filter_map(move |(item, what)| {
            step(game.as_mut(), &self.variant, what).map(|(before, mv)| Position { game: before, item, mv })
        })
    }

    /// The game at the end of the main line's legal moves.
    pub fn last(&self) -> Option<Game> {
        let mut game = self.start_game()?;
        for item in self.main() {
            match item {
                Item::Move(mv) => mv.mv.as_ref().is_none_or(|mv| game.play(mv).is_ok()).then_some(())?,
                Item::Setup(_, Some(setup)) => game = Game::from_setup(self.variant.clone(), setup).ok()?,
                _ => {}
            }
        }
        Some(game)
    }

    /// Puts items behind an item of a line, a move's comment or marks for example. Later places in that line shift.
    pub fn insert_after(&mut self, line: LineId, item: usize, items: impl IntoIterator<Item = Item>) {
        self.lines[line.0].splice(item + 1..item + 1, items);
    }

    /// Adds a line of legal moves and gives the item that hangs it into another line, behind the move it replaces.
    /// `from` is the game before the first of the moves; what is not legal is left out.
    pub fn add_variation(&mut self, from: &Game, moves: &[PlainMove]) -> Item {
        let texts = super::super::movetext::write_line(from, moves);
        let items = texts.into_iter().zip(moves).map(|(text, mv)| Item::from_move(text, mv.clone()));
        self.lines.push(items.collect());
        Item::Variation(LineId(self.lines.len() - 1))
    }
}

impl Item {
    /// A legal move and its text.
    pub fn from_move(text: String, mv: PlainMove) -> Item {
        Item::Move(Box::new(MoveItem { text, strength: String::new(), line: 0, mv: Some(mv) }))
    }
}

/// Plays an item; gives the game before it when it is a legal move.
fn step(game: Option<&mut Game>, variant: &Arc<Variant>, item: &Item) -> Option<(Game, PlainMove)> {
    let game = game?;
    match item {
        Item::Move(item) => {
            let mv = item.mv.as_ref()?;
            let before = game.clone();
            game.play(mv).ok()?;
            Some((before, mv.clone()))
        }
        Item::Setup(_, Some(setup)) => {
            *game = Game::from_setup(variant.clone(), setup).ok()?;
            None
        }
        _ => None,
    }
}
