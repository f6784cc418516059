//! What deviates in a PDN file, and what cannot be read.

use super::super::shown;
use std::sync::Arc;

/// Most warnings that one game gets; the number of further ones is told.
pub(super) const MOST_WARNINGS: usize = 1_000;

/// A deviation that was read nevertheless.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The file, as the reader was told.
    pub file: Arc<str>,
    /// Line in the file, from 1.
    pub line: usize,
    /// Game in the file, from 1.
    pub game: usize,
    /// Ply of the main line, from 1, when it concerns a move of it.
    pub ply: Option<usize>,
    /// What was read, and what was assumed.
    pub kind: Kind,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: game {}", self.file, self.line, self.game)?;
        if let Some(ply) = self.ply {
            write!(f, ", ply {ply}")?;
        }
        write!(f, ": {}", self.kind)
    }
}

/// The kinds of deviation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Kind {
    /// Not UTF-8.
    #[error("byte {byte:#04x} is not UTF-8; the game is read as Latin-1")]
    Latin1 { byte: u8 },
    /// Something around the text of the file.
    #[error("{} skipped", shown(.read))]
    Wrapper { read: String },
    /// Something that is opened and not closed.
    #[error("{what} is never closed; it is taken to end {end}")]
    Unterminated { what: &'static str, end: &'static str },
    /// A closing sign that closes nothing.
    #[error("{} closes nothing; skipped", shown(.read))]
    Stray { read: String },
    /// A comment to the end of its line, or with a brace inside; kept as an ordinary comment.
    #[error("{} read, expected {{…}}; kept as a comment", shown(.read))]
    Comment { read: String },
    /// A brace inside a comment.
    #[error("a brace inside a comment; the comment is taken to end at its first }}")]
    NestedBrace,
    /// A tag that is not `[Name "value"]`.
    #[error("tag {} read, expected [Name \"value\"]; its value is taken to be {}", shown(.read), shown(.value))]
    Tag { read: String, value: String },
    /// A tag given twice.
    #[error("a second tag {}; both are kept, the later one counts", shown(.name))]
    SecondTag { name: String },
    /// Tags where moves should be.
    #[error("a tag among the moves; the game is taken to end before it, without a result")]
    TagInMoves,
    /// Moves counted from 1 again.
    #[error("move number 1 again; the game is taken to end before it, without a result")]
    NumbersRestart,
    /// The game has moves and no result behind them.
    #[error("no result behind the last move; the game is taken to end there")]
    NoTerminator,
    /// The tag and the end of the game disagree.
    #[error("the game ends with {}, its Result tag says {}; both are kept", shown(.read), shown(.tag))]
    ResultMismatch { read: String, tag: String },
    /// A match score in place of a result.
    #[error("{} is no legal move; taken for the result", shown(.read))]
    Score { read: String },
    /// A result where none can be.
    #[error("result {} inside a variation; kept as text", shown(.read))]
    InnerResult { read: String },
    /// Words among the moves.
    #[error("{} is no move; kept as text", shown(.read))]
    Text { read: String },
    /// A variation before any move, or an empty one.
    #[error("a variation without a move before it; taken to start where its line starts")]
    EarlyVariation,
    /// A move that the standard writes in another way.
    #[error("move {} read, expected {wrote}", shown(.read))]
    Spelling { read: String, wrote: String },
    /// A capture of several jumps written as several moves.
    #[error("moves {} read, taken for the one capture {wrote}", shown(.read))]
    Merged { read: String, wrote: String },
    /// An ambiguous capture that the later moves settle.
    #[error("move {} can be {candidates}; the later moves leave {wrote}", shown(.read))]
    Settled { read: String, candidates: String, wrote: String },
    /// An ambiguous capture that they do not settle.
    #[error("move {} can be {candidates}, and the later moves do not decide; kept as text from here on", shown(.read))]
    Ambiguous { read: String, candidates: String },
    /// A move that cannot be played. The text is the move reader's.
    #[error("{message}; kept as text from here on")]
    Illegal { read: String, message: String },
    /// Rules assumed for want of a tag.
    #[error("no GameType; read as {variant}, going by {by}")]
    Variant { variant: String, by: &'static str },
    /// A tag that names no known rules.
    #[error("{name} {} is not known; read as {variant}, going by {by}", shown(.read))]
    UnknownVariant { name: &'static str, read: String, variant: String, by: &'static str },
    /// A tag that differs from the rules the user asked for.
    #[error("GameType {} is another game; read as {variant}, as asked for", shown(.read))]
    OtherVariant { read: String, variant: String },
    /// The other side moves first.
    #[error("the first move is {side}'s; {side} is taken to move first")]
    OtherSideFirst { side: &'static str },
    /// A position that cannot be set up.
    #[error("FEN {}: {message}; no position, moves are kept as text", shown(.read))]
    Fen { read: String, message: String },
    /// A position written in another way than the standard's.
    #[error("FEN {} read, expected {wrote}", shown(.read))]
    FenSpelling { read: String, wrote: String },
    /// More than is worth telling.
    #[error("{count} more warnings of this game are left out")]
    More { count: usize },
}

impl Kind {
    /// Whether something could not be understood: moves that cannot be played, positions that cannot be set up, and what is
    /// left open so that the rest of its game may be lost in it. All else is only written in another way.
    pub fn is_error(&self) -> bool {
        matches!(self, Kind::Illegal { .. } | Kind::Ambiguous { .. } | Kind::Fen { .. } | Kind::Unterminated { .. })
    }
}

/// Why a game cannot be kept, or reading cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum PdnError {
    /// More text than one game may have.
    #[error(
        "{file}:{line}: game {game}: more than {limit} bytes read, expected a game of less; skipped to the next tags"
    )]
    TooLarge { file: Arc<str>, line: usize, game: usize, limit: usize },
    /// More moves, comments and variations than one game may have.
    #[error(
        "{file}:{line}: game {game}: more than {limit} moves and comments read, expected less; skipped to the next tags"
    )]
    TooMany { file: Arc<str>, line: usize, game: usize, limit: usize },
    /// Variations in variations without end.
    #[error(
        "{file}:{line}: game {game}: {limit} variations inside each other read, expected less; skipped to the next tags"
    )]
    TooDeep { file: Arc<str>, line: usize, game: usize, limit: usize },
    /// The file itself cannot be read any further.
    #[error("{file}:{line}: {source}")]
    Io { file: Arc<str>, line: usize, source: std::io::Error },
}
