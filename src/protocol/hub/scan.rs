//! Cuts a line of Hub into a word and its arguments: `command name=value name="a value" flag …`.

use super::trouble::Trouble;
use crate::notation::shown;
use std::iter::Peekable;
use std::str::Chars;

/// A line, cut up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The command.
    pub word: String,
    /// What follows, in order; `None` is a flag.
    pub arguments: Vec<(String, Option<String>)>,
}

impl Message {
    /// The value of an argument, empty for a flag; the last one when it is given again.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.arguments.iter().rev().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_deref().unwrap_or_default())
    }

    /// As [`Message::get`]; flags right behind belong to the value, since there are clients that leave the quotes out.
    pub fn text(&self, name: &str) -> Option<String> {
        let at = self.arguments.iter().rposition(|(key, _)| key == name)?;
        let first = self.arguments[at].1.as_deref().unwrap_or_default();
        let more =
            self.arguments[at + 1..].iter().take_while(|(_, value)| value.is_none()).map(|(key, _)| key.as_str());
        Some([first].into_iter().chain(more).collect::<Vec<_>>().join(" "))
    }
}

/// Cuts up one line; `None` for a blank one.
pub fn scan(line: &str) -> Result<Option<Message>, Trouble> {
    let mut signs = Signs { rest: line.chars().peekable(), at: 1 };
    if signs.peek_beyond_blanks().is_none() {
        return Ok(None);
    }
    let word = signs.bare("a command")?;
    let mut arguments = Vec::new();
    while signs.peek_beyond_blanks().is_some() {
        let name = signs.bare("a name")?;
        let value = if signs.peek_beyond_blanks() == Some('=') {
            signs.next();
            Some(signs.value()?)
        } else {
            None
        };
        arguments.push((name, value));
    }
    Ok(Some(Message { word, arguments }))
}

struct Signs<'a> {
    rest: Peekable<Chars<'a>>,
    at: usize,
}

impl Signs<'_> {
    fn next(&mut self) -> Option<char> {
        self.at += 1;
        self.rest.next()
    }

    fn peek_beyond_blanks(&mut self) -> Option<char> {
        while self.rest.peek().is_some_and(|c| c.is_whitespace()) {
            self.next();
        }
        self.rest.peek().copied()
    }

    /// A run of signs that need no quotes.
    fn bare(&mut self, expected: &'static str) -> Result<String, Trouble> {
        let mut text = String::new();
        while let Some(&c) = self.rest.peek() {
            if c.is_whitespace() || c.is_control() || matches!(c, '=' | '"') {
                break;
            }
            text.push(c);
            self.next();
        }
        if text.is_empty() { Err(self.wrong(expected)) } else { Ok(text) }
    }

    /// A value in quotes or without; nothing at the end of the line is the empty text.
    fn value(&mut self) -> Result<String, Trouble> {
        match self.peek_beyond_blanks() {
            None => Ok(String::new()),
            Some('"') => self.quoted(),
            Some(_) => self.bare("a value"),
        }
    }

    fn quoted(&mut self) -> Result<String, Trouble> {
        self.next();
        let mut text = String::new();
        loop {
            match self.rest.peek() {
                None => return Err(self.wrong("a closing \"")),
                Some('"') => {
                    self.next();
                    return Ok(text);
                }
                Some(&c) => text.push(c),
            }
            self.next();
        }
    }

    fn wrong(&mut self, expected: &'static str) -> Trouble {
        let found = self.rest.peek().map_or("the end".to_string(), |c| shown(&c.to_string()).to_string());
        Trouble::Text { at: self.at, found, expected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(line: &str) -> Message {
        scan(line).expect("a sound line").expect("not blank")
    }

    fn argument(name: &str, value: Option<&str>) -> (String, Option<String>) {
        (name.to_string(), value.map(str::to_string))
    }

    #[test]
    fn blanks_quotes_and_line_ends_are_read_as_scan_reads_them() {
        let message = cut("  pos\tpos = Weee  moves =\"32-28  19-23\" start\r");
        assert_eq!(message.word, "pos");
        let expected =
            [argument("pos", Some("Weee")), argument("moves", Some("32-28  19-23")), argument("start", None)];
        assert_eq!(message.arguments, expected);
        assert_eq!(cut("set-param name=a value=\"\"").get("value"), Some(""));
        assert_eq!(cut("set-param name=a value=").get("value"), Some(""));
        assert_eq!(cut("x a=1 a=2").get("a"), Some("2"));
        assert_eq!(cut("x a=1").get("b"), None);
        assert!(scan("").expect("blank").is_none() && scan(" \t\r").expect("blank").is_none());
    }

    #[test]
    fn words_behind_a_value_without_quotes_belong_to_it() {
        let message = cut("set-param name=rules-file value=my own rules.toml");
        assert_eq!(message.text("value").as_deref(), Some("my own rules.toml"));
        assert_eq!(cut("pos moves=32-28 19-23 wolf=x y").text("moves").as_deref(), Some("32-28 19-23"));
        assert_eq!(cut("pos pos=W").text("moves"), None);
    }

    #[test]
    fn what_makes_no_arguments_is_refused() {
        let error = |line| scan(line).expect_err("not a line of Hub").to_string();
        assert_eq!(error("pos moves=\"32-28"), "bad line: the end was read at character 17, expected a closing \"");
        assert_eq!(error("=x"), "bad line: '=' was read at character 1, expected a command");
        assert_eq!(error("pos a=b=c"), "bad line: '=' was read at character 8, expected a name");
        assert!(error("pos \0").starts_with("bad line: "));
        assert!(error("pos a=\u{7}").ends_with("expected a value"));
    }
}
