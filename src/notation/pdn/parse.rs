//! Tokens to the tree of one game. What the moves mean is not asked here.

use super::lex::{Lexer, Token};
use super::model::{Item, LineId, MoveItem, Tag};
use super::warning::{Kind, MOST_WARNINGS};

/// Deepest variation in a variation.
pub(super) const MOST_DEEP: usize = 1_000;
/// Most items of one game.
pub(super) const MOST_ITEMS: usize = 400_000;
/// Longest text of a warning, in bytes: it is shortened when shown anyway.
const MOST_READ: usize = 200;

/// A game without meaning yet.
#[derive(Debug, Default)]
pub(super) struct Raw {
    /// Its first line.
    pub line: usize,
    pub tags: Vec<Tag>,
    pub lines: Vec<Vec<Item>>,
    pub first_number: Option<(u32, bool)>,
    pub result: Option<String>,
    pub epilogue: Vec<String>,
    /// Line and kind of what deviated.
    pub odd: Vec<(usize, Kind)>,
    /// How many more deviations there were.
    pub surplus: usize,
    /// The tag section's `FEN` stands on this line.
    pub fen_line: usize,
    /// The last token.
    pub last_line: usize,
}

/// What a game cannot be kept for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TooMuch {
    Deep,
    Items,
}

/// Reads one game; `None` when nothing but blanks is left. Leaves the lexer behind it.
pub(super) fn game(lexer: &mut Lexer<'_>) -> Option<Result<Raw, (usize, TooMuch)>> {
    let (_, line) = lexer.place();
    let mut builder = Builder {
        raw: Raw { line, lines: vec![Vec::new()], ..Raw::default() },
        stack: vec![(0, false, 0)],
        bare: true,
        items: 0,
        moves: 0,
        last_number: 0,
        glue: false,
        any: false,
    };
    loop {
        let place = lexer.place();
        let token = lexer.next();
        lexer.odd.drain(..).for_each(|(line, kind)| builder.odd(line, kind));
        builder.raw.surplus += std::mem::take(&mut lexer.surplus);
        let Some(token) = token else {
            builder.end();
            return builder.any.then_some(Ok(builder.raw));
        };
        builder.any = true;
        match builder.token(token, place.1) {
            Ok(Next::More) => builder.raw.last_line = place.1,
            Ok(Next::Done) => {
                builder.end();
                epilogue(lexer, &mut builder.raw);
                return Some(Ok(builder.raw));
            }
            Ok(Next::NotMine) => {
                lexer.rewind(place);
                builder.end();
                return Some(Ok(builder.raw));
            }
            Err(why) => return Some(Err((place.1, why))),
        }
    }
}

/// Comments behind the result belong to the game when no further moves follow them.
fn epilogue(lexer: &mut Lexer<'_>, raw: &mut Raw) {
    let back = lexer.place();
    let mut comments = Vec::new();
    loop {
        let place = lexer.place();
        match lexer.next() {
            Some(Token::Comment(text)) => comments.push(text),
            None | Some(Token::Tag { .. }) => {
                raw.epilogue = comments;
                lexer.odd.retain(|(_, kind)| !matches!(kind, Kind::Tag { .. }));
                raw.odd.append(&mut lexer.odd);
                return lexer.rewind(place);
            }
            Some(_) => break,
        }
    }
    lexer.odd.clear();
    lexer.rewind(back);
}

enum Next {
    More,
    /// The game ends with this token.
    Done,
    /// The game ends before it.
    NotMine,
}

struct Builder {
    raw: Raw,
    /// Lines that are open, the innermost last, whether they have a move yet, and the file's line where
    /// they start.
    stack: Vec<(usize, bool, usize)>,
    /// Nothing but tags and comments was read.
    bare: bool,
    items: usize,
    moves: usize,
    last_number: u32,
    /// The last token was text, so that more text belongs to it.
    glue: bool,
    any: bool,
}

impl Builder {
    fn token(&mut self, token: Token<'_>, line: usize) -> Result<Next, TooMuch> {
        let glue = std::mem::take(&mut self.glue);
        self.bare &= matches!(token, Token::Tag { .. } | Token::Comment(_));
        match token {
            Token::Tag { name, value } => return Ok(self.tag(name, value, line)),
            Token::Comment(text) => self.push(Item::Comment(text))?,
            Token::Nag(nag) => self.push(Item::Nag(nag))?,
            Token::Open => self.open(line)?,
            Token::Close => self.close(line),
            Token::Number { number, dots } => return Ok(self.number(number, dots, line)),
            Token::Move { text, forced } => self.played(text, forced, line)?,
            Token::Setup(text) => {
                self.last_number = 0;
                self.push(Item::Setup(text.to_string(), None))?;
            }
            Token::Strength(marks) => self.strength(marks, line, glue)?,
            Token::Result(result) if self.stack.len() == 1 => {
                self.raw.result = Some(result.to_string());
                return Ok(Next::Done);
            }
            Token::Result(result) => {
                self.odd(line, Kind::InnerResult { read: result.to_string() });
                self.push(Item::Text(result.to_string()))?;
            }
            Token::Text(text) => self.text(text, line, glue)?,
        }
        Ok(Next::More)
    }

    fn odd(&mut self, line: usize, kind: Kind) {
        if self.raw.odd.len() < MOST_WARNINGS {
            self.raw.odd.push((line, kind));
        } else {
            self.raw.surplus += 1;
        }
    }

    fn current(&mut self) -> &mut Vec<Item> {
        let (line, ..) = *self.stack.last().expect("the main line is never closed");
        &mut self.raw.lines[line]
    }

    fn push(&mut self, item: Item) -> Result<(), TooMuch> {
        self.items += 1;
        if self.items > MOST_ITEMS {
            return Err(TooMuch::Items);
        }
        self.current().push(item);
        Ok(())
    }

    fn tag(&mut self, name: &str, value: String, line: usize) -> Next {
        if !self.bare {
            self.odd(line, Kind::TagInMoves);
            return Next::NotMine;
        }
        self.items += 1;
        if self.raw.tags.iter().take(64).any(|tag| tag.name == name) {
            self.odd(line, Kind::SecondTag { name: name.to_string() });
        }
        if name.eq_ignore_ascii_case("FEN") {
            self.raw.fen_line = line;
        }
        self.raw.tags.push(Tag { name: name.to_string(), value });
        Next::More
    }

    fn open(&mut self, line: usize) -> Result<(), TooMuch> {
        if self.stack.len() > MOST_DEEP {
            return Err(TooMuch::Deep);
        }
        if self.stack.last().is_some_and(|&(_, moved, _)| !moved) {
            self.odd(line, Kind::EarlyVariation);
        }
        let id = self.raw.lines.len();
        self.push(Item::Variation(LineId(id)))?;
        self.raw.lines.push(Vec::new());
        self.stack.push((id, false, line));
        Ok(())
    }

    fn close(&mut self, line: usize) {
        if self.stack.len() > 1 {
            self.stack.pop();
        } else {
            self.odd(line, Kind::Stray { read: ")".to_string() });
        }
    }

    fn number(&mut self, number: u32, dots: usize, line: usize) -> Next {
        if self.stack.len() > 1 {
            return Next::More;
        }
        if number == 1 && dots < 3 && self.last_number > 1 && self.moves > 1 {
            self.odd(line, Kind::NumbersRestart);
            return Next::NotMine;
        }
        if self.moves == 0 {
            self.raw.first_number = Some((number, dots > 1));
        }
        self.last_number = number;
        Next::More
    }

    fn played(&mut self, text: &str, forced: bool, line: usize) -> Result<(), TooMuch> {
        self.moves += usize::from(self.stack.len() == 1);
        self.stack.last_mut().expect("the main line is never closed").1 = true;
        let item = MoveItem { text: text.to_string(), strength: String::new(), line, mv: None };
        self.push(Item::Move(Box::new(item)))?;
        if forced { self.push(Item::Nag(7)) } else { Ok(()) }
    }

    fn strength(&mut self, marks: &str, line: usize, glue: bool) -> Result<(), TooMuch> {
        match self.current().last_mut() {
            Some(Item::Move(mv)) if mv.strength.len() + marks.len() < MOST_READ => {
                mv.strength.push_str(marks);
                Ok(())
            }
            _ => self.text(marks, line, glue),
        }
    }

    fn text(&mut self, text: &str, line: usize, glue: bool) -> Result<(), TooMuch> {
        self.glue = true;
        if let (true, Some(Item::Text(before))) = (glue, self.current().last_mut()) {
            before.push(' ');
            before.push_str(text);
            return Ok(());
        }
        let read = text.chars().take(MOST_READ).collect();
        self.odd(line, Kind::Text { read });
        self.push(Item::Text(text.to_string()))
    }

    fn end(&mut self) {
        if self.moves == 0 {
            self.raw.first_number = None;
        }
        if let [_, .., (_, _, line)] = self.stack[..] {
            self.odd(line, Kind::Unterminated { what: "a variation", end: "with its game" });
        }
        if self.raw.result.is_none() && self.moves > 0 {
            let told = self.raw.odd.iter().any(|(_, kind)| matches!(kind, Kind::TagInMoves | Kind::NumbersRestart));
            if !told {
                self.odd(self.raw.last_line.max(self.raw.line), Kind::NoTerminator);
            }
        }
    }
}
