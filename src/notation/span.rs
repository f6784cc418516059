//! A stretch of a longer text that remembers its place, so that an error can say where.

/// Part of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span<'a> {
    whole: &'a str,
    at: usize,
    /// The part itself.
    pub text: &'a str,
}

impl<'a> Span<'a> {
    /// All of a text.
    pub fn new(whole: &'a str) -> Span<'a> {
        Span { whole, at: 0, text: whole }
    }

    /// Its first character's place in the whole text, counted in characters from 1.
    pub fn column(self) -> usize {
        self.whole.get(..self.at).map_or(0, |before| before.chars().count()) + 1
    }

    /// The part `start..end` (bytes, at character boundaries) of this one.
    pub fn slice(self, start: usize, end: usize) -> Span<'a> {
        Span { at: self.at + start, text: &self.text[start..end], ..self }
    }

    /// Without its first `bytes` bytes.
    pub fn skip(self, bytes: usize) -> Span<'a> {
        self.slice(bytes, self.text.len())
    }

    /// Without blanks around it.
    pub fn trim(self) -> Span<'a> {
        let start = self.text.len() - self.text.trim_start().len();
        self.skip(start).trim_end()
    }

    /// Without blanks behind it.
    pub fn trim_end(self) -> Span<'a> {
        self.slice(0, self.text.trim_end().len())
    }

    /// Its first character.
    pub fn first(self) -> Option<char> {
        self.text.chars().next()
    }

    /// The trimmed parts between separators; at least one, maybe empty.
    pub fn split(self, separator: char) -> impl Iterator<Item = Span<'a>> {
        let mut start = 0;
        self.text.split(separator).map(move |part| {
            let span = self.slice(start, start + part.len());
            start += part.len() + separator.len_utf8();
            span.trim()
        })
    }

    /// The trimmed parts before and after the first of some separators.
    pub fn split_once(self, separators: &[char]) -> Option<(Span<'a>, Span<'a>)> {
        let (start, sign) = self.text.char_indices().find(|(_, c)| separators.contains(c))?;
        Some((self.slice(0, start).trim(), self.skip(start + sign.len_utf8()).trim()))
    }
}
