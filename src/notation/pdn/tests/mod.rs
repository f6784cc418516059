//! Readers' and writers' tests; the fixtures imitate what real files do.

mod cases;
mod detection;
mod robust;
mod roundtrip;

use super::{Kind, Options, PdnError, PdnGame, Reader};
use crate::game::Variant;
use crate::notation::{fen, movetext};

fn read(text: impl AsRef<[u8]>) -> Vec<Result<PdnGame, PdnError>> {
    Reader::new("test.pdn", text.as_ref(), Options::default()).collect()
}

fn games(text: impl AsRef<[u8]>) -> Vec<PdnGame> {
    read(text).into_iter().map(|game| game.unwrap_or_else(|error| panic!("{error}"))).collect()
}

fn game(text: impl AsRef<[u8]>) -> PdnGame {
    let mut all = games(text);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

fn read_as(variant: &str, text: &str) -> PdnGame {
    let options = Options { variant: Variant::find(variant), ..Options::default() };
    let mut all: Vec<_> = Reader::new("test.pdn", text.as_bytes(), options).collect();
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0).unwrap()
}

/// All texts of the main line, those that are not legal in brackets.
fn line(game: &PdnGame) -> String {
    let texts = game.moves().map(|mv| if mv.mv.is_some() { mv.text.clone() } else { format!("[{}]", mv.text) });
    texts.collect::<Vec<_>>().join(" ")
}

fn warned(game: &PdnGame, wanted: impl Fn(&Kind) -> bool) -> bool {
    game.warnings.iter().any(|warning| wanted(&warning.kind))
}

fn messages(game: &PdnGame) -> Vec<String> {
    game.warnings.iter().map(|warning| warning.to_string()).collect()
}

fn end(game: &PdnGame) -> String {
    let last = game.last().unwrap();
    let text = fen::write(last.variant(), &last.setup());
    text.split(":F").next().unwrap().to_string()
}

/// A game of `plies` legal moves, another one for every seed.
fn random_moves(variant: &str, plies: usize, seed: usize) -> Vec<String> {
    let mut game = crate::game::Game::new(Variant::find(variant).unwrap());
    let mut out = Vec::new();
    for ply in 0..plies {
        let moves = game.moves();
        if moves.is_empty() {
            break;
        }
        let mv = &moves[(seed * 31 + ply * 7 + ply * seed) % moves.len()];
        out.push(movetext::write(&game, mv));
        game.play(mv).unwrap();
    }
    out
}
