//! The text of a game as tokens. Never fails: what is no token is text.

use super::scan::{MOST, huff, path, quoted, result, result_length, run, square, unwrapped};
use super::warning::{Kind, MOST_WARNINGS};

/// A piece of a game's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    Tag {
        name: &'t str,
        value: String,
    },
    Comment(String),
    Nag(u32),
    Open,
    Close,
    /// `12.` or `12...`; `dots` is 0 for a bare number.
    Number {
        number: u32,
        dots: usize,
    },
    /// Squares and signs; `forced` for a star that touches them.
    Move {
        text: &'t str,
        forced: bool,
    },
    /// What stands inside `/FEN "…"/`.
    Setup(&'t str),
    /// `!?` or `(?)`.
    Strength(&'t str),
    Result(&'t str),
    Text(&'t str),
}

/// Reads tokens one by one.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Line of the next token.
    pub line: usize,
    /// What was odd since it was last taken.
    pub odd: Vec<(usize, Kind)>,
    /// How many more there were.
    pub surplus: usize,
}

impl<'t> Lexer<'t> {
    /// Goes on at a place that [`Lexer::place`] told.
    pub fn resume(text: &'t str, (at, line): (usize, usize)) -> Lexer<'t> {
        Lexer { text, at, line, odd: Vec::new(), surplus: 0 }
    }

    /// Goes back to a place that [`Lexer::place`] told.
    pub fn rewind(&mut self, (at, line): (usize, usize)) {
        (self.at, self.line) = (at, line);
    }

    /// Byte and line of the next token.
    pub fn place(&mut self) -> (usize, usize) {
        self.blanks();
        (self.at, self.line)
    }

    /// The next token; `None` at the end.
    pub fn next(&mut self) -> Option<Token<'t>> {
        loop {
            self.blanks();
            let rest = self.rest();
            let first = rest.chars().next()?;
            let token = match first {
                '{' => self.comment(),
                '}' => self.stray(),
                '[' => self.bracket(),
                '(' => Some(self.open()),
                ')' => self.one(Token::Close, 1),
                '$' => self.nag(),
                '%' | ';' => Some(self.line_comment()),
                '/' => self.setup().or_else(|| self.word()),
                '!' | '?' => {
                    let length = run(rest, |c| matches!(c, '!' | '?'));
                    self.one(Token::Strength(&rest[..length]), length)
                }
                '*' => self.one(Token::Result("*"), 1),
                '.' | '…' => self.skip(run(rest, |c| matches!(c, '.' | '…'))),
                '½' => self.squares().or_else(|| self.word()),
                '@' | '0'..='9' | 'a'..='l' | 'A'..='L' => self.squares().or_else(|| self.word()),
                _ => self.word(),
            };
            if token.is_some() {
                return token;
            }
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        let length = run(rest, |c| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}' | '\u{ad}'));
        self.advance(length);
    }

    fn advance(&mut self, bytes: usize) {
        self.line += self.text.as_bytes()[self.at..self.at + bytes].iter().filter(|&&byte| byte == b'\n').count();
        self.at += bytes;
    }

    fn one(&mut self, token: Token<'t>, bytes: usize) -> Option<Token<'t>> {
        self.advance(bytes);
        Some(token)
    }

    fn skip(&mut self, bytes: usize) -> Option<Token<'t>> {
        self.advance(bytes);
        None
    }

    fn warn(&mut self, kind: Kind) {
        if self.odd.len() < MOST_WARNINGS {
            self.odd.push((self.line, kind));
        } else {
            self.surplus += 1;
        }
    }

    fn comment(&mut self) -> Option<Token<'t>> {
        let rest = self.rest();
        let end = rest.find('}');
        if end.is_none() {
            self.warn(Kind::Unterminated { what: "a comment", end: "with its game" });
        }
        let inner = &rest[1..end.unwrap_or(rest.len())];
        if inner.contains('{') {
            self.warn(Kind::NestedBrace);
        }
        self.one(Token::Comment(unwrapped(inner)), end.map_or(rest.len(), |end| end + 1))
    }

    fn line_comment(&mut self) -> Token<'t> {
        let rest = self.rest();
        let end = rest.find('\n').unwrap_or(rest.len());
        self.warn(Kind::Comment { read: rest[..end].to_string() });
        let text = rest[1..end].trim().replace('}', ")");
        self.advance(end);
        Token::Comment(text)
    }

    fn stray(&mut self) -> Option<Token<'t>> {
        self.warn(Kind::Stray { read: "}".to_string() });
        self.skip(1)
    }

    fn open(&mut self) -> Token<'t> {
        let rest = self.rest();
        let marks = run(&rest[1..], |c| matches!(c, '!' | '?'));
        if marks > 0 && rest[1 + marks..].starts_with(')') {
            self.advance(marks + 2);
            return Token::Strength(&rest[..marks + 2]);
        }
        self.advance(1);
        Token::Open
    }

    fn nag(&mut self) -> Option<Token<'t>> {
        let rest = self.rest();
        let digits = run(&rest[1..], |c| c.is_ascii_digit());
        match rest[1..1 + digits].parse() {
            Ok(number) => self.one(Token::Nag(number), 1 + digits),
            Err(_) => self.word(),
        }
    }

    /// A tag, or a `[pdn]` around the text, or a word that happens to start with a bracket.
    fn bracket(&mut self) -> Option<Token<'t>> {
        let rest = self.rest();
        for wrapper in ["[pdn]", "[/pdn]"] {
            if rest.get(..wrapper.len()).is_some_and(|start| start.eq_ignore_ascii_case(wrapper)) {
                self.warn(Kind::Wrapper { read: rest[..wrapper.len()].to_string() });
                return self.skip(wrapper.len());
            }
        }
        // The rest of the line is looked at only when it is used up, so that no line is looked at over and over.
        let blank = |c| matches!(c, ' ' | '\t');
        let start = 1 + run(&rest[1..], blank);
        let name = &rest[start..start + run(&rest[start..], |c| c.is_alphanumeric() || c == '_')];
        let from = start + name.len() + run(&rest[start + name.len()..], blank);
        let at_start = matches!(self.text[..self.at].trim_end_matches(blank).chars().next_back(), None | Some('\n'));
        if name.is_empty() || !(rest[from..].starts_with('"') || at_start && from > start + name.len()) {
            return self.word();
        }
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let (value, length, whole) = if line[from..].starts_with('"') {
            quoted(line, from)
        } else if line.trim_end().ends_with(']') {
            (line[from..line.trim_end().len() - 1].trim().to_string(), line.len(), false)
        } else {
            return self.word();
        };
        if !whole {
            self.warn(Kind::Tag { read: line[..length].to_string(), value: value.clone() });
        }
        self.one(Token::Tag { name, value }, length)
    }

    fn setup(&mut self) -> Option<Token<'t>> {
        let rest = self.rest();
        if !rest.get(..4)?.eq_ignore_ascii_case("/FEN") {
            return None;
        }
        let open = 4 + run(&rest[4..], |c| matches!(c, ' ' | '\t'));
        if !rest[open..].starts_with('"') {
            return None;
        }
        let open = open + 1;
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let close = line[open..].find('"').map(|close| open + close);
        let end = close.and_then(|close| line[close..].find('/').map(|slash| close + slash + 1));
        if end.is_none() {
            self.warn(Kind::Unterminated { what: "a set-up", end: "with its line" });
        }
        self.one(Token::Setup(&line[open..close.unwrap_or(line.len())]), end.unwrap_or(line.len()))
    }

    /// A move, a move number or a result; `None` when it is none of them.
    fn squares(&mut self) -> Option<Token<'t>> {
        let rest = self.rest();
        if let Some(length) = result_length(rest) {
            return self.one(Token::Result(&rest[..length]), length);
        }
        let huff = if rest.starts_with('@') { huff(rest)? } else { 0 };
        let first = square(&rest[huff..])?;
        let length = path(rest, huff + first);
        if length == huff + first {
            return if huff == 0 { self.number(first) } else { None };
        }
        let text = &rest[..length];
        let after = &rest[length..];
        if length > MOST {
            return self.one(Token::Text(text), length);
        }
        if let Some(result) = result(text) {
            return self.one(Token::Result(result), length);
        }
        let forced = after.starts_with('*');
        self.one(Token::Move { text, forced }, length + usize::from(forced))
    }

    fn number(&mut self, length: usize) -> Option<Token<'t>> {
        let rest = self.rest();
        let number = rest[..length].parse().ok()?;
        let after = &rest[length..];
        let dots = run(after, |c| c == '.');
        let gap = run(after, |c| matches!(c, ' ' | '\t'));
        if dots == 0 && after.starts_with('…') {
            return self.one(Token::Number { number, dots: 3 }, length + 3);
        }
        if dots > 0 || after.is_empty() || after.starts_with('\n') {
            return self.one(Token::Number { number, dots }, length + dots);
        }
        if gap == 0 {
            return None;
        }
        // Two bare numbers are a move without a sign; a bare number before anything else numbers a move.
        if let Some(second) = square(&after[gap..]) {
            let end = length + gap + second;
            let alone =
                |text: &str| !text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | ':' | '/'));
            if alone(&rest[end..]) && path(rest, end) == end && after.as_bytes()[gap].is_ascii_digit() {
                return self.one(Token::Move { text: &rest[..end], forced: false }, end);
            }
        }
        self.one(Token::Number { number, dots }, length)
    }

    /// A word that is nothing else, up to a blank or a bracket.
    fn word(&mut self) -> Option<Token<'t>> {
        let rest = self.rest();
        let first = rest.chars().next()?.len_utf8();
        let length = first + run(&rest[first..], |c| !c.is_whitespace() && !matches!(c, '{' | '}' | '(' | ')' | '['));
        self.one(Token::Text(&rest[..length]), length)
    }
}
