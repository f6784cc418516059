//! Why a request was not carried out.

use super::command::BadLine;
use super::options::BadOption;
use super::reader::MAX_LINE;
use crate::engine::net::BadNet;
use crate::game::plain::SetupError;
use crate::notation::fen::FenError;
use crate::notation::movetext::MoveError;
use crate::notation::rulefile::RuleFileError;
use crate::notation::shown;

/// Any refusal. The text says what was read and what was expected; whatever was in force before still is.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error(transparent)]
    Line(#[from] BadLine),
    #[error(transparent)]
    Option(#[from] BadOption),
    #[error("a line of {0} bytes was read, expected at most {MAX_LINE}")]
    TooLong(usize),
    #[error("byte {place} of the line is {byte:#04x}, expected UTF-8 text")]
    NotUtf8 { place: usize, byte: u8 },
    #[error("position fen: {0}")]
    Fen(#[from] FenError),
    #[error("position fen: {0}")]
    Setup(#[from] SetupError),
    #[error("{what}: move {number}: {error}")]
    Move { what: &'static str, number: usize, error: MoveError },
    #[error("{0}: a search is running, expected stop first")]
    Busy(&'static str),
    #[error("unknown rule set {}, expected one of: {}", shown(.0), known_variants())]
    Variant(String),
    #[error("rule file {}: {error}, expected a TOML file of at most 64 kB", shown(.path))]
    RulesIo { path: String, error: std::io::Error },
    #[error("rule file {}: {error}", shown(.path))]
    Rules { path: String, error: RuleFileError },
    #[error("book {}: {error}, expected a file that `damka book` wrote", shown(.path))]
    BookIo { path: String, error: std::io::Error },
    #[error("book {}: {error}", shown(.path))]
    Book { path: String, error: crate::engine::book::BookError },
    #[error("option EvalFile: {}: {error}, expected a network for these rules", shown(.path))]
    NetIo { path: String, error: std::io::Error },
    #[error("option EvalFile: {}: {error}", shown(.path))]
    Net { path: String, error: BadNet },
    #[error("option --rule: {0}")]
    Rule(RuleFileError),
    #[error("option Debug Log File: {} cannot be written ({error}), expected a file name or <empty>", shown(.path))]
    Log { path: String, error: std::io::Error },
    #[error("option Hash: {0} MiB was read, expected no more than this machine's memory can give")]
    Memory(usize),
    #[error(transparent)]
    Dxp(#[from] super::dxp::DoorError),
    #[error("no thread could be started: {0}")]
    Thread(std::io::Error),
    #[error("probe: no tables are in use, expected option Tables true and rules that tables can be made for")]
    NoTables,
    #[error("bench: not available here, expected the command line program")]
    NoBench,
}

fn known_variants() -> String {
    let ids: Vec<&str> = crate::game::variant::Variant::all().iter().map(|v| v.id.as_str()).collect();
    ids.join(" ")
}
