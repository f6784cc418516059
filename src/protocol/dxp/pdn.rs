//! A finished game as PDN.

use super::play::Record;
use crate::game::plain::{Outcome, Setup};
use crate::game::variant::Variant;
use crate::notation::movetext;
use crate::notation::pdn::{Item, PdnGame, write};
use std::time::{SystemTime, UNIX_EPOCH};

/// The game as PDN text, with an empty line behind it.
pub fn text(record: &Record) -> String {
    let variant = record.start.variant();
    let result = result(variant, record.outcome);
    let mut game = PdnGame::new(variant.clone());
    let setup = record.start.setup();
    game.first_number = (1, setup.side != variant.set.first);
    if setup != Setup::start(variant) {
        game.start = Some(setup);
    }
    let [white, black] = &record.names;
    let round = record.round.to_string();
    let date = date(SystemTime::now());
    let tags = [
        ("Event", "DXP game"),
        ("Site", "?"),
        ("Date", &date),
        ("Round", &round),
        ("White", white),
        ("Black", black),
        ("Result", result),
        ("Termination", &record.reason),
    ];
    tags.into_iter().for_each(|(name, value)| game.set_tag(name, value));
    let texts = movetext::write_line(&record.start, &record.moves);
    game.lines[0] = texts.into_iter().zip(&record.moves).map(|(text, mv)| Item::from_move(text, mv.clone())).collect();
    game.result = Some(result.to_string());
    write(&game) + "\n"
}

/// PDN game types whose results are counted in points, 2 for a win.
const POINTS: [u8; 2] = [20, 27];

/// The result as games of the type write it: the side that moves first comes first.
fn result(variant: &Variant, outcome: Option<Outcome>) -> &'static str {
    let points = POINTS.contains(&variant.set.game_type);
    match outcome {
        None => "*",
        Some(Outcome::Draw) if points => "1-1",
        Some(Outcome::Draw) => "1/2-1/2",
        Some(Outcome::Win(side)) => match (side == variant.set.first, points) {
            (true, true) => "2-0",
            (true, false) => "1-0",
            (false, true) => "0-2",
            (false, false) => "0-1",
        },
    }
}

/// A day as `2026.11.30`, in UTC.
fn date(time: SystemTime) -> String {
    let days = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let leap = |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let (mut year, mut day) = (1970, days);
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= months[month] {
        day -= months[month];
        month += 1;
    }
    format!("{year:04}.{:02}.{:02}", month + 1, day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::board::Color;
    use crate::notation::fen;
    use crate::notation::pdn::{Options, Reader};
    use std::time::Duration;

    #[test]
    fn days_are_counted() {
        let day = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(day(0), "1970.01.01");
        assert_eq!(day(951_782_400), "2000.02.29");
        assert_eq!(day(1_709_251_199), "2024.02.29");
        assert_eq!(day(1_709_251_200), "2024.03.01");
        assert_eq!(day(1_798_761_599), "2026.12.31");
    }

    #[test]
    fn results_are_written_for_the_first_mover_in_the_way_of_the_game_type() {
        let of = |name: &str, outcome| result(&Variant::find(name).expect("built in"), outcome);
        assert_eq!(of("international", Some(Outcome::Win(Color::Black))), "0-2");
        assert_eq!(of("international", Some(Outcome::Draw)), "1-1");
        assert_eq!(of("english", Some(Outcome::Win(Color::Black))), "1-0");
        assert_eq!(of("turkish", None), "*");
    }

    #[test]
    fn a_game_is_written_with_its_start() {
        let variant = Variant::find("russian").expect("built in");
        let setup = fen::read(&variant, "B:Wd4,e1:Bh8,b6").expect("a position");
        let start = Game::from_setup(variant, &setup).expect("a position");
        let mut game = start.clone();
        let mut moves = Vec::new();
        for _ in 0..2 {
            let mv = game.moves().swap_remove(0);
            game.play(&mv).expect("legal");
            moves.push(mv);
        }
        let names = ["a \"b\"".to_string(), "c".to_string()];
        let record = Record {
            round: 3,
            names,
            start: start.clone(),
            moves,
            outcome: Some(Outcome::Draw),
            reason: "agreed".into(),
        };
        let text = text(&record);
        let mut reader = Reader::new("test", text.as_bytes(), Options::default());
        let read = reader.next().expect("one game").expect("a game that can be read");
        assert_eq!((read.tag("White"), read.tag("Black"), read.tag("Round")), (Some("a \"b\""), Some("c"), Some("3")));
        assert_eq!((read.outcome(), read.plies(), &read.variant.id), (Some("1/2-1/2"), 2, &"russian".to_string()));
        assert_eq!(read.last().map(|game| game.key()), Some(game.key()));
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        assert!(text.ends_with("*\n\n"), "{text}");
    }
}
