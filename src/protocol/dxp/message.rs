//! The messages of DXP and their fixed layouts. Pure: bytes to a value and back.
//!
//! After: the DamExchange page of its makers, version 01. Two liberties are taken in reading: the minutes may hold a
//! decimal point (`0.5`), as other programs read them too, and the board of a set-up position may have any number of
//! squares, for games on other boards than the one the protocol was made for.

use crate::game::board::Color;
use std::fmt::{self, Display, Formatter};

/// Longest message, in bytes, without the NUL behind it.
pub const MAX_MESSAGE: usize = 127;
/// Width of a name.
const NAME: usize = 32;
/// The only version there is.
const VERSION: &str = "01";

/// Thinking time a player has for a game, in hundredths of a minute; 0 = none stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Minutes(pub u32);

impl Minutes {
    /// In milliseconds.
    pub fn millis(self) -> i64 {
        i64::from(self.0) * 600
    }

    /// Reads up to three digits, of which one may be a decimal point instead. `None` for anything else.
    pub fn parse(text: &str) -> Option<Minutes> {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let sound = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit());
        if text.is_empty() || text.len() > 3 || text == "." || !sound(whole) || !sound(part) {
            return None;
        }
        let number = |digits: &str| digits.parse::<u32>().unwrap_or(0);
        Some(Minutes(number(whole) * 100 + number(&format!("{part:0<2}"))))
    }
}

impl Display for Minutes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.0 / 100, self.0 % 100) {
            (whole, 0) => write!(f, "{:03}", whole.min(999)),
            (0, part) => write!(f, ".{part:02}"),
            (whole @ 1..=9, part) => write!(f, "{whole}.{}", part / 10),
            (whole, _) => write!(f, "{:03}", whole.min(999)),
        }
    }
}

/// A position other than the normal start: who moves, and a letter a square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The side to move.
    pub side: Color,
    /// `w`, `z`: men, `W`, `Z`: kings, `e`: empty; in order of the square numbers.
    pub letters: String,
}

/// An invitation to a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Who asks.
    pub name: String,
    /// The colour of the one who is asked.
    pub follower: Color,
    /// Time for each player.
    pub minutes: Minutes,
    /// Moves of each player after which the game is broken off; 0 = none.
    pub moves: u16,
    /// Where the game starts; `None` = the normal start.
    pub position: Option<Diagram>,
}

/// The answer to an invitation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Acceptance {
    Accepted,
    WrongVersion,
    NotThisGame,
    NoGame,
}

/// How a game ended for the sender of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    Unknown,
    Lost,
    Drawn,
    Won,
}

/// The answer to the wish to go back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BackAnswer {
    Done,
    NotSupported,
    Refused,
}

/// A move as it is sent: numbers of squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WireMove {
    /// Seconds it took, 0 to 9999.
    pub seconds: u16,
    pub from: u8,
    pub to: u8,
    /// Captured squares in any order.
    pub captures: Vec<u8>,
}

/// One message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    GameReq(Request),
    GameAcc {
        name: String,
        answer: Acceptance,
    },
    Move(WireMove),
    /// `stop`: no next game.
    GameEnd {
        ending: Ending,
        stop: bool,
    },
    Chat(String),
    /// Back to the position where `side` is to make its move `number`.
    BackReq {
        number: u16,
        side: Color,
    },
    BackAcc(BackAnswer),
}

/// Why bytes are not a message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadMessage {
    #[error("an empty message was read, expected one of the letters R A M E C B K")]
    Empty,
    #[error("a message of more than {MAX_MESSAGE} bytes was read")]
    TooLong,
    #[error("message {0}, expected it to begin with one of R A M E C B K")]
    Unknown(String),
    #[error("game request of version {0}, expected version 01")]
    Version(String),
    #[error("{what}: {read} at byte {place}, expected {expected}")]
    Field { what: &'static str, read: String, place: usize, expected: &'static str },
}

impl BadMessage {
    /// Whether it was meant to be a game request.
    pub fn is_request(&self) -> bool {
        matches!(self, BadMessage::Version(_)) || matches!(self, BadMessage::Field { what: REQUEST, .. })
    }

    /// Whether it was meant to be a move.
    pub fn is_move(&self) -> bool {
        matches!(self, BadMessage::Field { what: MOVE, .. })
    }
}

const REQUEST: &str = "GAMEREQ";
const MOVE: &str = "MOVE";

/// Reads one message, given without the NUL behind it.
pub fn parse(bytes: &[u8]) -> Result<Message, BadMessage> {
    if bytes.len() > MAX_MESSAGE {
        return Err(BadMessage::TooLong);
    }
    let letter = *bytes.first().ok_or(BadMessage::Empty)?;
    let fields = |what| Fields { what, bytes, place: 1 };
    match letter {
        b'R' => request(fields(REQUEST)),
        b'A' => acceptance(fields("GAMEACC")),
        b'M' => wire_move(fields(MOVE)),
        b'E' => game_end(fields("GAMEEND")),
        b'C' => Ok(Message::Chat(text(&bytes[1..]))),
        b'B' => back_request(fields("BACKREQ")),
        b'K' => back_answer(fields("BACKACC")),
        _ => Err(BadMessage::Unknown(crate::notation::shown(&text(bytes)))),
    }
}

/// Bytes as text: what is not printable ASCII becomes a question mark, so that it can be shown anywhere.
fn text(bytes: &[u8]) -> String {
    bytes.iter().map(|&b| if b == b' ' || b.is_ascii_graphic() { b as char } else { '?' }).collect()
}

/// Takes one field after the other.
struct Fields<'b> {
    what: &'static str,
    bytes: &'b [u8],
    place: usize,
}

impl Fields<'_> {
    fn take(&mut self, width: usize, expected: &'static str) -> Result<String, BadMessage> {
        let Some(bytes) = self.bytes.get(self.place..self.place + width) else {
            return Err(self.bad(self.bytes.get(self.place..).unwrap_or_default(), expected));
        };
        self.place += width;
        Ok(text(bytes))
    }

    /// The error for a field that begins here.
    fn bad(&self, read: &[u8], expected: &'static str) -> BadMessage {
        let read = crate::notation::shown(&text(read));
        BadMessage::Field { what: self.what, read, place: self.place + 1, expected }
    }

    /// A field that a function understands.
    fn read<T>(
        &mut self,
        width: usize,
        expected: &'static str,
        understand: impl Fn(&str) -> Option<T>,
    ) -> Result<T, BadMessage> {
        let start = self.place;
        let field = self.take(width, expected)?;
        understand(&field).ok_or_else(|| {
            self.place = start;
            self.bad(field.as_bytes(), expected)
        })
    }

    /// Nothing but blanks may follow.
    fn end<T>(&mut self, value: T) -> Result<T, BadMessage> {
        let rest = &self.bytes[self.place..];
        if rest.iter().all(u8::is_ascii_whitespace) { Ok(value) } else { Err(self.bad(rest, "the end of the message")) }
    }
}

fn digits<T: std::str::FromStr>(field: &str) -> Option<T> {
    field.bytes().all(|b| b.is_ascii_digit()).then(|| field.parse().ok())?
}

fn colour(field: &str) -> Option<Color> {
    match field {
        "W" => Some(Color::White),
        "Z" => Some(Color::Black),
        _ => None,
    }
}

const COLOURS: &str = "W or Z";

fn request(mut fields: Fields) -> Result<Message, BadMessage> {
    let version = fields.take(2, "a version of two digits")?;
    if version != VERSION {
        return Err(BadMessage::Version(crate::notation::shown(&version)));
    }
    let name = fields.take(NAME, "a name of 32 characters")?.trim().to_string();
    let follower = fields.read(1, COLOURS, colour)?;
    let minutes = fields.read(3, "minutes in three digits", |field| Minutes::parse(field.trim()))?;
    let moves = fields.read(3, "a number of moves in three digits", digits)?;
    let set_up = fields.read(1, "A (normal start) or B (position)", |field| match field {
        "A" => Some(false),
        "B" => Some(true),
        _ => None,
    })?;
    let position = if set_up { Some(diagram(&mut fields)?) } else { None };
    fields.end(Message::GameReq(Request { name, follower, minutes, moves, position }))
}

fn diagram(fields: &mut Fields) -> Result<Diagram, BadMessage> {
    const LETTERS: &str = "a letter w z W Z e for each square";
    let side = fields.read(1, COLOURS, colour)?;
    let rest = &fields.bytes[fields.place..];
    let width = rest.iter().take_while(|b| !b.is_ascii_whitespace()).count();
    let sound = |letters: &str| !letters.is_empty() && letters.bytes().all(|b| b"wzWZe".contains(&b));
    let letters = fields.read(width, LETTERS, |letters| sound(letters).then(|| letters.to_string()))?;
    Ok(Diagram { side, letters })
}

fn acceptance(mut fields: Fields) -> Result<Message, BadMessage> {
    let name = fields.take(NAME, "a name of 32 characters")?.trim().to_string();
    let answer = fields.read(1, "a code 0 to 3", |field| match field {
        "0" => Some(Acceptance::Accepted),
        "1" => Some(Acceptance::WrongVersion),
        "2" => Some(Acceptance::NotThisGame),
        "3" => Some(Acceptance::NoGame),
        _ => None,
    })?;
    fields.end(Message::GameAcc { name, answer })
}

fn wire_move(mut fields: Fields) -> Result<Message, BadMessage> {
    const SQUARE: &str = "a square in two digits";
    let seconds = fields.read(4, "seconds in four digits", digits)?;
    let from = fields.read(2, SQUARE, digits)?;
    let to = fields.read(2, SQUARE, digits)?;
    let count = fields.read(2, "a number of captures in two digits", digits::<usize>)?;
    let captures = (0..count).map(|_| fields.read(2, SQUARE, digits)).collect::<Result<_, _>>()?;
    fields.end(Message::Move(WireMove { seconds, from, to, captures }))
}

fn game_end(mut fields: Fields) -> Result<Message, BadMessage> {
    let ending = fields.read(1, "a reason 0 to 3", |field| match field {
        "0" => Some(Ending::Unknown),
        "1" => Some(Ending::Lost),
        "2" => Some(Ending::Drawn),
        "3" => Some(Ending::Won),
        _ => None,
    })?;
    let stop = fields.read(1, "0 (next game) or 1 (finish)", |field| match field {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    })?;
    fields.end(Message::GameEnd { ending, stop })
}

fn back_request(mut fields: Fields) -> Result<Message, BadMessage> {
    let number = fields.read(3, "a move number in three digits", |field| digits(field).filter(|&n| n > 0))?;
    let side = fields.read(1, COLOURS, colour)?;
    fields.end(Message::BackReq { number, side })
}

fn back_answer(mut fields: Fields) -> Result<Message, BadMessage> {
    let answer = fields.read(1, "a code 0 to 2", |field| match field {
        "0" => Some(BackAnswer::Done),
        "1" => Some(BackAnswer::NotSupported),
        "2" => Some(BackAnswer::Refused),
        _ => None,
    })?;
    fields.end(Message::BackAcc(answer))
}

/// A name as it is sent: printable ASCII, no blank in front, 32 wide.
fn padded(name: &str) -> String {
    let ascii: String = name.trim_start().chars().take(NAME).map(printable).collect();
    format!("{ascii:NAME$}")
}

fn printable(c: char) -> char {
    if c == ' ' || c.is_ascii_graphic() { c } else { '?' }
}

fn wire_colour(side: Color) -> char {
    match side {
        Color::White => 'W',
        Color::Black => 'Z',
    }
}

/// As it is sent, without the NUL.
impl Display for Message {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Message::GameReq(request) => {
                let Request { name, follower, minutes, moves, position } = request;
                let (name, follower) = (padded(name), wire_colour(*follower));
                write!(f, "R{VERSION}{name}{follower}{minutes}{:03}", (*moves).min(999))?;
                match position {
                    None => write!(f, "A"),
                    Some(diagram) => write!(f, "B{}{}", wire_colour(diagram.side), diagram.letters),
                }
            }
            Message::GameAcc { name, answer } => write!(f, "A{}{}", padded(name), *answer as u8),
            Message::Move(mv) => {
                write!(f, "M{:04}{:02}{:02}{:02}", mv.seconds.min(9_999), mv.from, mv.to, mv.captures.len())?;
                mv.captures.iter().try_for_each(|square| write!(f, "{square:02}"))
            }
            Message::GameEnd { ending, stop } => write!(f, "E{}{}", *ending as u8, u8::from(*stop)),
            Message::Chat(text) => {
                write!(f, "C{}", text.chars().take(MAX_MESSAGE - 1).map(printable).collect::<String>())
            }
            Message::BackReq { number, side } => write!(f, "B{number:03}{}", wire_colour(*side)),
            Message::BackAcc(answer) => write!(f, "K{}", *answer as u8),
        }
    }
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;
