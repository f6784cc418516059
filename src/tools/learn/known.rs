//! Endgame tables for games to learn from: which there are, and when they end a game.

use super::error::LearnError;
use crate::endgame::{Folder, MAX_PIECES, Material, Tables, Value};
use crate::engine::TableChoice;
use crate::game::Game;
use crate::game::kernels::AnyKernel;
use crate::game::line::Width;
use crate::game::position::Referee;
use crate::game::variant::Variant;
use std::path::{Path, PathBuf};

/// The tables of a folder.
pub struct Known {
    tables: Tables,
    folder: PathBuf,
}

impl Known {
    /// Takes in what a folder has for these rules. There must be something, and all that belongs to it: what a game is does not
    /// depend on how many tables were there.
    pub fn open(root: &Path, variant: &Variant) -> Result<Known, LearnError> {
        let folder = Folder::new(root, &variant.set);
        let bad = |what: String, expected: &str| LearnError::Data {
            path: folder.path().to_path_buf(),
            what,
            expected: expected.to_string(),
        };
        let sound = "tables as damka tables build writes them";
        let tables = Tables::new(&variant.set).map_err(|error| bad(error.to_string(), sound))?;
        let mut error = None;
        for pieces in 2..=MAX_PIECES {
            tables.load(&folder, pieces, &mut |found| error = Some(found));
        }
        if let Some(error) = error {
            return Err(bad(error.to_string(), sound));
        }
        match tables.largest() {
            0 => Err(bad("no table".to_string(), "tables for these rules")),
            most => match (2..=most).find(|&pieces| !tables.complete(pieces)) {
                Some(missing) => Err(bad(format!("a part of the tables of {missing} pieces"), "all of them")),
                None => Ok(Known { tables, folder: root.to_path_buf() }),
            },
        }
    }

    /// Most pieces they tell of.
    pub fn pieces(&self) -> usize {
        self.tables.largest()
    }

    /// The same tables for a player.
    pub fn choice(&self) -> TableChoice {
        TableChoice::Folder(self.folder.clone())
    }

    /// Whether nobody can win. Wins are left to the search, which knows what draws by move count may spoil.
    pub fn is_draw(&self, game: &Game) -> bool {
        let variant = game.variant();
        match (game.width(), &variant.kernel) {
            (Width::Narrow(line), AnyKernel::Narrow(kernel)) => {
                let position = &line.now;
                position.count() as usize <= self.pieces()
                    && self.tables.holds(Material::of(&position.pieces, position.side))
                    && self.tables.value(Referee { variant, kernel }, position) == Some(Value::Draw)
            }
            _ => unreachable!("only narrow boards are learned"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::{Plan, Quiet, build};
    use crate::notation::fen;
    use std::sync::Arc;

    fn variant() -> Arc<Variant> {
        Variant::find("english").expect("built in")
    }

    #[test]
    fn only_whole_tables_are_taken_and_draws_are_known() {
        let (variant, root) = (variant(), tempfile::tempdir().expect("a folder"));
        let refused = Known::open(root.path(), &variant).err().expect("an empty folder").to_string();
        assert!(refused.contains("no table was read"), "{refused}");
        let folder = Folder::new(root.path(), &variant.set);
        build(&Plan { variant: &variant, pieces: 3, folder: Some(&folder), progress: &Quiet }).expect("three pieces");
        let tables = Known::open(root.path(), &variant).expect("whole tables");
        let is_draw = |text: &str| {
            let setup = fen::read(&variant, text).expect("a position");
            tables.is_draw(&Game::from_setup(variant.clone(), &setup).expect("a sound one"))
        };
        // King against king in the double corner, two kings against one, and more pieces than there are tables for.
        assert!(is_draw("W:WK1:BK32") && !is_draw("W:WK14,K15:BK32") && !is_draw("W:WK1,K2,K3:BK30,K31"));
        let one = Material::all(3).into_iter().map(|material| folder.table(material)).find(|path| path.exists());
        std::fs::remove_file(one.expect("a table")).expect("it goes");
        let refused = Known::open(root.path(), &variant).err().expect("a part").to_string();
        assert!(refused.contains("a part of the tables of 3 pieces"), "{refused}");
    }
}
