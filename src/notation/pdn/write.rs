//! A game as strict PDN 3.0.

use super::super::move_scan::scan;
use super::super::{fen, squares};
use super::model::{Item, LineId, MoveItem, PdnGame, Tag};
use super::resolve::names;
use crate::game::plain::Setup;

/// Longest line of moves, in characters.
const WIDTH: usize = 80;

/// The game as strict PDN 3.0, with a star and a line end behind it. What the standard has no form for becomes a comment. The result
/// stands in its tag; a result behind the moves that says something else is kept as a comment.
pub fn write(game: &PdnGame) -> String {
    let tags = tags(game);
    let mut out = String::new();
    for Tag { name, value } in &tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
        out.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    out.push('\n');
    let mut writer = Writer { game, lines: Lines { out, column: 0 }, number: true };
    writer.moves();
    let told = tags.iter().rev().find(|tag| tag.name.eq_ignore_ascii_case("Result")).map(|tag| tag.value.trim());
    if let Some(result) = game.result.as_deref().filter(|&result| result != "*" && told != Some(result)) {
        writer.comment(result);
    }
    for comment in &game.epilogue {
        writer.comment(comment);
    }
    writer.lines.word("*");
    writer.lines.out + "\n"
}

/// The tags, with those that the standard needs.
fn tags(game: &PdnGame) -> Vec<Tag> {
    let mut tags = game.tags.clone();
    let mut set = |name: &str, value: String, overwrite: bool| match tags
        .iter_mut()
        .rev()
        .find(|tag| tag.name.eq_ignore_ascii_case(name))
    {
        Some(tag) if overwrite => *tag = Tag { name: name.to_string(), value },
        Some(_) => {}
        None => tags.push(Tag { name: name.to_string(), value }),
    };
    set("Result", game.result.clone().unwrap_or("*".to_string()), false);
    let (game_type, needs_name) = names(&game.variant);
    if let Some(game_type) = game_type {
        set("GameType", game_type, true);
    }
    if needs_name {
        set("Variant", game.variant.id.clone(), true);
    }
    if let Some(start) = &game.start {
        let standard = *start == Setup::start(&game.variant);
        if !standard || game.tag("FEN").is_some() {
            set("FEN", fen::write(&game.variant, start), true);
        }
    }
    tags
}

/// Words put into lines.
struct Lines {
    out: String,
    column: usize,
}

impl Lines {
    /// A word behind a blank or on a new line.
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length > WIDTH {
            self.out.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(word);
        self.column += length;
    }
}

/// A line of play that is being written.
struct Frame {
    line: LineId,
    item: usize,
    /// Plies before the next move, counted from the game's first.
    ply: usize,
}

struct Writer<'g> {
    game: &'g PdnGame,
    lines: Lines,
    /// The next move needs its number even if it is the second of it.
    number: bool,
}

impl Writer<'_> {
    /// All lines, variations inside their parents; a stack of frames, since nesting has no bound.
    fn moves(&mut self) {
        let (_, second) = self.game.first_number;
        let mut frames = vec![Frame { line: LineId::MAIN, item: 0, ply: usize::from(second) }];
        while let Some(frame) = frames.last_mut() {
            let Some(item) = self.game.lines.get(frame.line.0).and_then(|line| line.get(frame.item)) else {
                frames.pop();
                if !frames.is_empty() {
                    self.lines.word(")");
                    self.number = true;
                }
                continue;
            };
            frame.item += 1;
            match item {
                Item::Move(mv) => {
                    // A move without a form of its own becomes a comment, which no number counts.
                    frame.ply += usize::from(self.play(mv, frame.ply));
                }
                Item::Variation(line) if line.0 > frame.line.0 => {
                    let ply = frame.ply.saturating_sub(1);
                    self.lines.word("(");
                    self.number = true;
                    frames.push(Frame { line: *line, item: 0, ply });
                }
                // Only a line that was hung into itself by hand is no variation.
                Item::Variation(_) => {}
                other => self.other(other),
            }
        }
    }

    fn other(&mut self, item: &Item) {
        match item {
            Item::Comment(text) | Item::Text(text) => self.comment(text),
            Item::Nag(nag) => self.lines.word(&format!("${nag}")),
            Item::Setup(text, setup) => {
                let text = match setup {
                    Some(setup) if !text.ends_with("::") => fen::write(&self.game.variant, setup),
                    _ => text.clone(),
                };
                self.lines.word(&format!("/FEN \"{text}\"/"));
                self.number = true;
            }
            Item::Move(_) | Item::Variation(_) => {}
        }
    }

    /// Tells whether it was written as a move.
    fn play(&mut self, item: &MoveItem, ply: usize) -> bool {
        let Some(text) = self.text(item) else {
            let text = format!("{}{}", item.text, item.strength);
            self.comment(&text);
            return false;
        };
        let number = self.game.first_number.0 as usize + ply / 2;
        if ply.is_multiple_of(2) {
            self.lines.word(&format!("{number}."));
        } else if self.number {
            self.lines.word(&format!("{number}..."));
        }
        self.number = false;
        self.lines.word(&format!("{text}{}", item.strength));
        true
    }

    /// A move's text; of one that is not legal, its squares. `None` when it has none.
    fn text(&self, item: &MoveItem) -> Option<String> {
        if item.mv.is_some() {
            return Some(item.text.clone());
        }
        let variant = &self.game.variant;
        let (names, huff, dash) = match scan(variant, &item.text) {
            Ok(scan) => {
                let names = scan.squares.iter().map(|&square| squares::name(variant, square)).collect::<Vec<_>>();
                (names, scan.huffed.map(|square| squares::name(variant, square)), scan.dash)
            }
            Err(_) => (elsewhere(&item.text)?, None, item.text.contains('-')),
        };
        let sign = if dash && names.len() == 2 { '-' } else { variant.set.capture_sign };
        let huff = huff.map_or(String::new(), |square| format!("@{square}/"));
        Some(huff + &names.join(&sign.to_string()))
    }

    /// A comment, broken only where one blank stands between two words, and not inside a command such as `[%eval 0.35]`.
    fn comment(&mut self, text: &str) {
        let text = format!("{{{}}}", text.replace('}', ")").replace("\r\n", " ").replace(['\n', '\r'], " "));
        let (mut start, mut seen, mut command) = (0, 0, false);
        for (at, _) in text.match_indices(' ') {
            let word = &text[seen..at];
            command = match (word.rfind("[%"), word.rfind(']')) {
                (Some(open), closed) => closed.is_none_or(|closed| closed < open),
                (None, Some(_)) => false,
                (None, None) => command,
            };
            seen = at;
            let plain = |c: Option<char>, not: &[char]| c.is_some_and(|c| !c.is_whitespace() && !not.contains(&c));
            // A sign that means something else at the start of a line does not come there.
            let (before, after) = (text[..at].chars().next_back(), text[at + 1..].chars().next());
            if !command && plain(before, &['{']) && plain(after, &['}', '%', ';', '[']) {
                self.lines.word(&text[start..at]);
                start = at + 1;
            }
        }
        self.lines.word(&text[start..]);
        self.number = true;
    }
}

/// The squares of a move on some other board, if the standard could write them.
fn elsewhere(text: &str) -> Option<Vec<String>> {
    let words =
        text.split(|c: char| !c.is_ascii_alphanumeric() || matches!(c, 'x' | 'X')).filter(|word| !word.is_empty());
    let name = |word: &str| match word.as_bytes() {
        [column, rank @ b'1'..=b'8'] if (b'a'..=b'h').contains(&column.to_ascii_lowercase()) => {
            Some(format!("{}{}", column.to_ascii_lowercase() as char, *rank as char))
        }
        _ => word.parse::<u8>().ok().filter(|number| (1..=99).contains(number)).map(|number| number.to_string()),
    };
    words.map(name).collect::<Option<Vec<String>>>().filter(|names| names.len() > 1)
}
