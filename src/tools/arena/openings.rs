//! The positions that games start from: out of the rules, or out of a file.

use super::error::ArenaError;
use super::generate;
use crate::game::Game;
use crate::game::plain::{Memory, Setup, State};
use crate::game::variant::Variant;
use crate::notation::{fen, pdn};
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
                from_bytes(variant, path, &bytes, most_plies)?
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

fn from_bytes(
    variant: &Arc<Variant>,
    path: &Path,
    bytes: &[u8],
    plies: Option<usize>,
) -> Result<Vec<Setup>, ArenaError> {
    let named = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdn"));
    let text = String::from_utf8_lossy(bytes);
    if named || text.lines().any(|line| line.trim_start().starts_with('[')) {
        from_pdn(variant, path, bytes, plies)
    } else {
        from_fens(variant, path, &text)
    }
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

/// The last position of each game's main line, or the one after `plies` plies. A move that cannot be played before that is refused.
fn from_pdn(variant: &Arc<Variant>, path: &Path, bytes: &[u8], plies: Option<usize>) -> Result<Vec<Setup>, ArenaError> {
    let mut found = Vec::new();
    let options = pdn::Options { variant: Some(variant.clone()), ..pdn::Options::default() };
    for read in pdn::Reader::new(&path.display().to_string(), bytes, options) {
        let game = read.map_err(|error| ArenaError::content(path, "a game".to_string(), error))?;
        let place = || format!("game {} (line {})", game.number, game.line);
        let before = |ply: Option<usize>| ply.is_none_or(|ply| plies.is_none_or(|plies| ply <= plies));
        if let Some(fault) = game.faults().find(|fault| before(fault.ply)) {
            return Err(ArenaError::content(path, place(), &fault.kind));
        }
        let cut = plies.and_then(|plies| game.positions().nth(plies)).map(|position| position.game);
        found.extend(cut.or_else(|| game.last()).map(|game| game.setup()));
    }
    Ok(found)
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
