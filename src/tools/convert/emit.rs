//! Writes games and positions in the form that was asked for.

use super::json;
use super::{Args, Squares, Target, Which};
use crate::game::Game;
use crate::game::plain::{PlainMove, Setup};
use crate::game::variant::Variant;
use crate::notation::movetext;
use crate::notation::pdn::{self, Item, PdnGame};
use crate::tools::Ending;
use crate::tools::common::{Format, JobError, Results, with_notation};
use serde_json::Value;
use std::fmt::Display;
use std::io::Write;
use std::sync::Arc;

/// Where everything goes.
pub struct Emitter<'a> {
    args: &'a Args,
    results: Results,
    /// Name of the input at hand.
    file: String,
    /// Games and positions written.
    written: usize,
    /// Deviations that were not told one by one.
    deviations: usize,
    faults: usize,
}

impl<'a> Emitter<'a> {
    pub fn new(args: &'a Args, results: Results) -> Emitter<'a> {
        Emitter { args, results, file: String::new(), written: 0, deviations: 0, faults: 0 }
    }

    /// What comes from now on is of that input.
    pub fn begin(&mut self, file: &str) {
        self.file = file.to_string();
    }

    /// A place in the input at hand, behind its name when there are several.
    fn id(&self, place: String) -> String {
        if self.args.inputs.len() > 1 { format!("{}:{place}", self.file) } else { place }
    }

    /// Tells of something that cannot be converted. What was written before it goes out first.
    pub fn fault(&mut self, what: &dyn Display) -> Result<(), JobError> {
        self.faults += 1;
        self.results.flush()?;
        tell(&format!("damka: {what}"));
        Ok(())
    }

    /// One game.
    pub fn game(&mut self, game: PdnGame) -> Result<(), JobError> {
        for warning in &game.warnings {
            if warning.kind.is_error() {
                self.fault(warning)?;
            } else {
                self.deviations += 1;
            }
        }
        let game = match self.args.squares {
            Some(squares) => renamed(game, squares),
            None => game,
        };
        match (self.args.to, self.args.positions) {
            (Target::Pdn, _) => self.put(&pdn::write(&game)),
            (Target::Json, None) => self.put(&format!("{}\n", json::game(&self.file, &game))),
            (_, which) => self.positions_of(&game, which.unwrap_or(Which::Last)),
        }
    }

    fn positions_of(&mut self, game: &PdnGame, which: Which) -> Result<(), JobError> {
        let show = |emitter: &mut Self, ply: usize, now: &Game, played: Option<&PlainMove>| {
            let played = played.map(|mv| movetext::write(now, mv));
            emitter.one(&emitter.id(format!("{}:{ply}", game.number)), &game.variant, &now.setup(), played)
        };
        if matches!(which, Which::Start | Which::After(0))
            && let Some(start) = game.start_game()
        {
            let played = game.positions().next().map(|position| position.mv);
            return show(self, 0, &start, played.as_ref());
        }
        let mut count = 0;
        if let Which::All | Which::After(_) = which {
            for (ply, position) in game.positions().enumerate() {
                count = ply + 1;
                if which == Which::All || which == Which::After(ply) {
                    show(self, ply, &position.game, Some(&position.mv))?;
                }
            }
        } else {
            count = game.plies();
        }
        match game.last() {
            Some(last) if which == Which::Last || which == Which::All || which == Which::After(count) => {
                show(self, count, &last, None)
            }
            _ => Ok(()),
        }
    }

    /// One position by itself, from that line.
    pub fn position(&mut self, line: usize, variant: &Arc<Variant>, setup: &Setup) -> Result<(), JobError> {
        let variant = match self.args.squares {
            Some(squares) => with_notation(variant, squares.notation()),
            None => variant.clone(),
        };
        if self.args.to == Target::Pdn {
            let mut game = PdnGame::new(variant);
            game.start = Some(setup.clone());
            return self.put(&pdn::write(&game));
        }
        self.one(&self.id(line.to_string()), &variant, setup, None)
    }

    fn one(&mut self, id: &str, variant: &Variant, setup: &Setup, played: Option<String>) -> Result<(), JobError> {
        let format = match self.args.to {
            Target::Json => {
                let object: Value = json::position(id, variant, setup, played);
                return self.put(&format!("{object}\n"));
            }
            Target::Pdn | Target::Fen => Format::Fen,
            Target::Hub => Format::Hub,
            Target::Dxp => Format::Dxp,
        };
        let text = format.write(variant, self.args.square_numbering.style(), setup);
        self.put(&format!("{text}\n"))
    }

    /// Games in PDN stand apart.
    fn put(&mut self, text: &str) -> Result<(), JobError> {
        if self.args.to == Target::Pdn && self.written > 0 {
            self.results.text("\n")?;
        }
        self.written += 1;
        self.results.text(text)
    }

    /// The end of all input.
    pub fn finish(mut self) -> Result<Ending, JobError> {
        self.results.flush()?;
        if self.deviations > 0 && !self.args.quiet {
            tell(&format!("damka: {} deviations from the standard read; damka validate lists them", self.deviations));
        }
        Ok(if self.faults > 0 { Ending::Faults } else { Ending::Fine })
    }
}

fn tell(text: &str) {
    // Nobody may be reading there.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The game with its squares written in another way. What could not be played stays as it was written.
fn renamed(mut game: PdnGame, squares: Squares) -> PdnGame {
    let variant = with_notation(&game.variant, squares.notation());
    if Arc::ptr_eq(&variant, &game.variant) {
        return game;
    }
    let start = game.start.clone().and_then(|start| Game::from_setup(variant.clone(), &start).ok());
    game.variant = variant.clone();
    // Lines still to be rewritten, each with the game before it. Variations come after the lines they hang in.
    let mut open: Vec<(usize, Option<Game>)> = vec![(0, start)];
    while let Some((line, mut now)) = open.pop() {
        let mut before = now.clone();
        for item in &mut game.lines[line] {
            match item {
                Item::Move(item) => {
                    before.clone_from(&now);
                    let (Some(mv), Some(game)) = (&item.mv, &mut now) else {
                        now = None;
                        continue;
                    };
                    item.text = movetext::write(game, mv);
                    if game.play(mv).is_err() {
                        now = None;
                    }
                }
                Item::Variation(id) if id.0 > line => open.push((id.0, before.clone())),
                Item::Setup(_, setup) => {
                    now = setup.as_ref().and_then(|setup| Game::from_setup(variant.clone(), setup).ok());
                    before.clone_from(&now);
                }
                _ => {}
            }
        }
    }
    game
}
