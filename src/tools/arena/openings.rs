//! The positions that games start from: out of the rules, or out of a file.

use super::error::ArenaError;
use super::generate;
use crate::game::plain::{Memory, Setup, State};
use crate::game::variant::Variant;
use crate::game::{Game, IllegalMove};
use crate::notation::{fen, movetext};
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where openings come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// Every position after some plies whose material stays level, in a search of a depth.
    Generated { plies: u32, depth: Option<u32> },
    /// A file of FENs, one a line, or of PDN games.
    File(PathBuf),
}

/// Most plies and depth of generated openings.
const MOST_PLIES: u32 = 40;
const MOST_DEPTH: u32 = 12;

impl Source {
    /// Reads `generated:PLIES`, `generated:PLIES:DEPTH` or a file name.
    pub fn read(text: &str) -> Result<Source, ArenaError> {
        let Some(numbers) = text.strip_prefix("generated") else {
            return Ok(Source::File(PathBuf::from(text)));
        };
        let bad = || {
            let expected =
                format!("generated:PLIES[:DEPTH] with at most {MOST_PLIES} plies and depth {MOST_DEPTH}, or a file");
            ArenaError::argument("--openings", text, expected)
        };
        let mut parts = numbers.strip_prefix(':').ok_or_else(bad)?.split(':');
        let number = |part: Option<&str>, most: u32| match part.map(str::parse::<u32>) {
            None => Ok(None),
            Some(Ok(number)) if number <= most => Ok(Some(number)),
            _ => Err(bad()),
        };
        let plies = number(parts.next(), MOST_PLIES)?.ok_or_else(bad)?;
        let depth = number(parts.next(), MOST_DEPTH)?;
        if parts.next().is_some() { Err(bad()) } else { Ok(Source::Generated { plies, depth }) }
    }

    /// Collects the openings, each position once, in a stable order. `most_plies` cuts the games of a PDN file.
    pub fn load(&self, variant: &Arc<Variant>, most_plies: Option<usize>, seed: u64) -> Result<Vec<Setup>, ArenaError> {
        let found = match self {
            Source::Generated { plies, depth } => {
                let depth = depth.unwrap_or_else(|| generate::usual_depth(&variant.set));
                generate::level_positions(variant, *plies, depth, seed)
            }
            Source::File(path) => {
                let bytes = std::fs::read(path).map_err(ArenaError::file(path))?;
                from_text(variant, path, &String::from_utf8_lossy(&bytes), most_plies)?
            }
        };
        let mut seen = FxHashSet::default();
        let mut openings = Vec::new();
        for setup in found {
            // What the rules remember of the moves before would follow the game; openings are fresh starts.
            let memory = Memory { huffable: setup.memory.huffable.clone(), ..Memory::default() };
            let setup = Setup { memory, move_number: None, ..setup };
            let Ok(game) = Game::from_setup(variant.clone(), &setup) else { continue };
            if game.state() == State::Ongoing && seen.insert(game.key()) {
                openings.push(setup);
            }
        }
        if openings.is_empty() {
            return Err(ArenaError::NoOpenings(format!("{self:?} gives no position from which a game can be played")));
        }
        Ok(openings)
    }
}

fn from_text(variant: &Arc<Variant>, path: &Path, text: &str, plies: Option<usize>) -> Result<Vec<Setup>, ArenaError> {
    let is_pdn = text.lines().any(|line| line.trim_start().starts_with('['));
    if is_pdn { from_pdn(variant, path, text, plies) } else { from_fens(variant, path, text) }
}

/// One FEN a line, with a label and more before it if need be: `label | … | FEN`. `#` begins a remark.
fn from_fens(variant: &Arc<Variant>, path: &Path, text: &str) -> Result<Vec<Setup>, ArenaError> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let position = line.rsplit('|').next().unwrap_or(line).trim();
        if position.is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let place = || format!("line {}", index + 1);
        let setup = fen::read(variant, position).map_err(|error| ArenaError::content(path, place(), error))?;
        Game::from_setup(variant.clone(), &setup).map_err(|error| ArenaError::content(path, place(), error))?;
        found.push(setup);
    }
    Ok(found)
}

/// The last position of each game's main line, or the one after `plies` plies.
fn from_pdn(variant: &Arc<Variant>, path: &Path, text: &str, plies: Option<usize>) -> Result<Vec<Setup>, ArenaError> {
    let mut found = Vec::new();
    for (index, game) in games(text).iter().enumerate() {
        let place = || format!("game {} (line {})", index + 1, game.line);
        let wrong = |why: String| ArenaError::content(path, place(), why);
        let start = match &game.fen {
            Some(text) => fen::read(variant, text).map_err(|error| wrong(error.to_string()))?,
            None => Setup::start(variant),
        };
        let mut play = Game::from_setup(variant.clone(), &start).map_err(|error| wrong(error.to_string()))?;
        for word in game.moves.iter().take(plies.unwrap_or(usize::MAX)) {
            let mv = movetext::read(&play, word).map_err(|error| wrong(error.to_string()))?;
            play.play(&mv).map_err(|error: IllegalMove| wrong(error.to_string()))?;
        }
        found.push(play.setup());
    }
    Ok(found)
}

/// What of a PDN game an opening needs.
#[derive(Default, Debug, PartialEq, Eq)]
struct Main {
    line: usize,
    fen: Option<String>,
    moves: Vec<String>,
}

/// The main lines of a PDN text; comments, variations, numbers and annotations are passed over.
fn games(text: &str) -> Vec<Main> {
    let mut games: Vec<Main> = Vec::new();
    let (mut in_tags, mut comment, mut depth) = (false, false, 0usize);
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if !comment && depth == 0 && trimmed.starts_with('[') {
            if !in_tags {
                games.push(Main { line: index + 1, ..Main::default() });
            }
            in_tags = true;
            let tag = trimmed.trim_start_matches('[').trim_end_matches(']').trim();
            if let (Some(("FEN", value)), Some(game)) = (tag.split_once(char::is_whitespace), games.last_mut()) {
                game.fen = Some(value.trim().trim_matches('"').to_string());
            }
            continue;
        }
        if trimmed.is_empty() || trimmed.starts_with('%') {
            continue;
        }
        in_tags = false;
        if games.is_empty() {
            games.push(Main { line: index + 1, ..Main::default() });
        }
        let mut bare = String::new();
        for c in line.chars() {
            match c {
                '}' if comment => comment = false,
                _ if comment => {}
                '{' => comment = true,
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                c if depth == 0 => bare.push(c),
                _ => {}
            }
        }
        let words = bare.split_whitespace().filter_map(move_word);
        games.last_mut().expect("one was begun").moves.extend(words);
    }
    games
}

/// The move in a word of movetext, without a glued number and annotations.
fn move_word(word: &str) -> Option<String> {
    const RESULTS: [&str; 9] = ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*", "1/2"];
    let after_number = word.rfind('.').filter(|&dot| word[..dot].chars().all(|c| c.is_ascii_digit() || c == '.'));
    let bare = after_number.map_or(word, |dot| &word[dot + 1..]).trim_end_matches(['!', '?']);
    let none = bare.is_empty() || bare.starts_with('$') || RESULTS.contains(&bare);
    (!none).then(|| bare.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(variant: &str, name: &str, text: &str, plies: Option<usize>) -> Result<Vec<Setup>, ArenaError> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        let variant = Variant::find(variant).unwrap();
        Source::read(path.to_str().unwrap()).unwrap().load(&variant, plies, 1)
    }

    #[test]
    fn sources_are_read() {
        assert_eq!(Source::read("generated:3").unwrap(), Source::Generated { plies: 3, depth: None });
        assert_eq!(Source::read("generated:3:2").unwrap(), Source::Generated { plies: 3, depth: Some(2) });
        assert_eq!(Source::read("my.fen").unwrap(), Source::File(PathBuf::from("my.fen")));
        for bad in ["generated", "generated:", "generated:x", "generated:3:2:1", "generated:99", "generated:3:99"] {
            assert!(Source::read(bad).unwrap_err().to_string().contains("generated:PLIES"), "{bad}");
        }
    }

    #[test]
    fn fens_are_read_with_labels_and_remarks_and_each_once() {
        let text = "# ballots\n\n1 a | standard | W:W31:B20\nW:W31:B20\nB:WK3:B20\n";
        let found = load("international", "a.fen", text, None).unwrap();
        assert_eq!(found.len(), 2);
        let error = load("international", "a.fen", "W:W31:B20\nW:W99:B20\n", None).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("99"), "{error}");
        let error = load("international", "a.fen", "# none\n", None).unwrap_err().to_string();
        assert!(error.contains("no opening"), "{error}");
    }

    #[test]
    fn pdn_main_lines_are_followed() {
        let text = "[Event \"x\"]\n[Result \"2-0\"]\n\n1. 32-28 {a comment 1-1} 19-23 (1... 18-22 2. 37-32) 2.28x19! $2 14x23\n2-0\n\n\
                    [FEN \"W:W31:B20\"]\n\n1. 31-27 *\n";
        let found = load("international", "a.pdn", text, None).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].cells.iter().flatten().count(), 38);
        assert_eq!((found[1].side, found[1].cells[26].is_some()), (crate::game::board::Color::Black, true));
        assert_eq!(load("international", "a.pdn", text, Some(2)).unwrap()[0].cells.iter().flatten().count(), 40);
        let error =
            load("international", "a.pdn", "[Event \"x\"]\n1. 32-27 19-23 2. 40-1 *", None).unwrap_err().to_string();
        assert!(error.contains("game 1 (line 1)") && error.contains("40-1"), "{error}");
    }
}
