//! A file's games, one at a time.

use super::chunk::{Chunk, Chunks};
use super::lex::Lexer;
use super::model::PdnGame;
use super::parse::{self, MOST_DEEP, MOST_ITEMS, TooMuch};
use super::resolve::{Context, resolve};
use super::warning::{Kind, PdnError, Warning};
use crate::game::Variant;
use std::io::BufRead;
use std::sync::Arc;

/// How games are read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The rules of all games; `None` asks each game's tags, FEN and squares.
    pub variant: Option<Arc<Variant>>,
    /// Most bytes of one game.
    pub limit: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { variant: None, limit: 4 << 20 }
    }
}

/// Reads the games of a file, one at a time, and never more than one into memory.
pub struct Reader<R> {
    file: Arc<str>,
    options: Options,
    chunks: Chunks<R>,
    /// The text that is being read, and how far it is.
    text: String,
    place: (usize, usize),
    /// What the text's bytes gave rise to, for the next game.
    odd: Vec<(usize, Kind)>,
    number: usize,
    last: Option<Arc<Variant>>,
    done: bool,
}

impl<R: BufRead> Reader<R> {
    /// `file` is a name for messages.
    pub fn new(file: &str, source: R, options: Options) -> Reader<R> {
        let chunks = Chunks::new(source, options.limit.max(1));
        Reader {
            file: file.into(),
            options,
            chunks,
            text: String::new(),
            place: (0, 1),
            odd: Vec::new(),
            number: 0,
            last: None,
            done: false,
        }
    }

    /// The next game of the text at hand.
    fn in_text(&mut self) -> Option<Result<PdnGame, PdnError>> {
        let mut lexer = Lexer::resume(&self.text, self.place);
        let read = parse::game(&mut lexer);
        self.place = lexer.place();
        let Some(read) = read else {
            self.text.clear();
            return None;
        };
        self.number += 1;
        let mut raw = match read {
            Ok(raw) => raw,
            Err((line, why)) => {
                self.text.clear();
                let (file, game) = (self.file.clone(), self.number);
                return Some(Err(match why {
                    TooMuch::Deep => PdnError::TooDeep { file, line, game, limit: MOST_DEEP },
                    TooMuch::Items => PdnError::TooMany { file, line, game, limit: MOST_ITEMS },
                }));
            }
        };
        raw.odd.splice(0..0, self.odd.drain(..));
        let context = Context {
            file: &self.file,
            number: self.number,
            asked: self.options.variant.as_ref(),
            last: self.last.as_ref(),
        };
        let (game, proven) = resolve(raw, &context);
        if proven {
            self.last = Some(game.variant.clone());
        }
        Some(Ok(game))
    }

    fn take(&mut self, chunk: Chunk) -> Option<PdnError> {
        if chunk.too_large {
            self.number += 1;
            let (file, game, limit) = (self.file.clone(), self.number, self.options.limit);
            return Some(PdnError::TooLarge { file, line: chunk.line, game, limit });
        }
        self.place = (0, chunk.line);
        self.text = self.decode(chunk);
        None
    }

    /// The text of a chunk: UTF-8, or else every byte as the character of its number.
    fn decode(&mut self, chunk: Chunk) -> String {
        let mut text = match String::from_utf8(chunk.bytes) {
            Ok(text) => text,
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let bytes = error.as_bytes();
                let line = chunk.line + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
                self.odd.push((line, Kind::Latin1 { byte: bytes[at] }));
                bytes.iter().copied().map(char::from).collect()
            }
        };
        if chunk.line == 1 && text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
            self.odd.push((1, Kind::Wrapper { read: "byte order mark".to_string() }));
        }
        text
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<PdnGame, PdnError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.done {
            if !self.text.is_empty()
                && let Some(read) = self.in_text()
            {
                return Some(read);
            }
            match self.chunks.next() {
                Ok(Some(chunk)) => {
                    if let Some(error) = self.take(chunk) {
                        return Some(Err(error));
                    }
                }
                Ok(None) => self.done = true,
                Err(source) => {
                    self.done = true;
                    return Some(Err(PdnError::Io { file: self.file.clone(), line: self.chunks.line, source }));
                }
            }
        }
        None
    }
}

impl PdnGame {
    /// The warnings about legality alone: a move that cannot be played or is ambiguous for good, or a position that cannot be set up.
    pub fn faults(&self) -> impl Iterator<Item = &Warning> {
        self.warnings
            .iter()
            .filter(|warning| matches!(warning.kind, Kind::Illegal { .. } | Kind::Ambiguous { .. } | Kind::Fen { .. }))
    }
}
