//! A book as one game with variations.

use crate::engine::book::{Book, BookMove, place};
use crate::game::Game;
use crate::game::plain::PlainMove;
use crate::notation::movetext;
use crate::notation::pdn::{self, Item, LineId, PdnGame};
use crate::tools::common::{JobError, Results};
use std::collections::BTreeSet;

/// Prints it.
pub fn run(book: &Book) -> Result<(), JobError> {
    let mut out = Results::stdout();
    out.text(&pdn(book))?;
    out.flush()
}

/// A line still to be written: the position, its first move if that is settled, and where it goes.
type Open = (Game, Option<(PlainMove, BookMove)>, LineId);

/// The heaviest moves are the main line; each other move begins a variation. A position that was written before ends its line.
pub fn pdn(book: &Book) -> String {
    let mut game = PdnGame::new(book.variant().clone());
    game.set_tag("Event", "Opening book");
    game.set_tag("Result", "*");
    let mut written = BTreeSet::new();
    let mut open: Vec<Open> = vec![(Game::new(book.variant().clone()), None, LineId::MAIN)];
    while let Some((mut at, mut settled, line)) = open.pop() {
        loop {
            let next = match settled.take() {
                Some(first) => Some((first, Vec::new())),
                None if !written.insert(place(&at.setup())) => None,
                None => {
                    let mut moves = book.moves(&at).into_iter().map(|(mv, known)| (mv, known.clone()));
                    moves.next().map(|first| (first, moves.collect()))
                }
            };
            let Some(((mv, known), others)) = next else { break };
            let text = movetext::write(&at, &mv);
            game.lines[line.0].push(Item::from_move(text, mv.clone()));
            game.lines[line.0].push(Item::Comment(note(&known)));
            for other in others {
                let variation = LineId(game.lines.len());
                game.lines.push(Vec::new());
                game.lines[line.0].push(Item::Variation(variation));
                open.push((at.clone(), Some(other), variation));
            }
            if at.play(&mv).is_err() {
                break;
            }
        }
    }
    pdn::write(&game)
}

/// `w 850 s -0.04 n 12 p 6.5`: weight, score in men, games, points.
fn note(known: &BookMove) -> String {
    let mut text = format!("w {}", known.weight);
    if let Some(score) = known.score {
        text += &format!(" s {:.2}", f64::from(score) / 100.0);
    }
    if known.games > 0 {
        text += &format!(" n {} p {}", known.games, f64::from(known.half_points) / 2.0);
    }
    text
}
