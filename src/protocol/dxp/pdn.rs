//! A finished game as PDN.

use super::play::Record;
use crate::game::board::Color;
use crate::game::plain::{Outcome, Setup};
use crate::notation::{fen, movetext};
use std::time::{SystemTime, UNIX_EPOCH};

/// Longest line of moves, in characters.
const WIDTH: usize = 80;

/// The game as PDN text, with an empty line behind it.
pub fn text(record: &Record) -> String {
    let variant = record.start.variant();
    let result = match record.outcome {
        Some(Outcome::Win(Color::White)) => "1-0",
        Some(Outcome::Win(Color::Black)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    };
    let [white, black] = &record.names;
    let mut tags = vec![
        ("Event", "DXP game".to_string()),
        ("Site", "?".to_string()),
        ("Date", date(SystemTime::now())),
        ("Round", record.round.to_string()),
        ("White", white.clone()),
        ("Black", black.clone()),
        ("Result", result.to_string()),
        ("Variant", variant.id.clone()),
        ("Termination", record.reason.clone()),
    ];
    if variant.set.game_type > 0 {
        tags.push(("GameType", variant.set.game_type.to_string()));
    }
    let setup = record.start.setup();
    if setup != Setup::start(variant) {
        tags.push(("FEN", fen::write(variant, &setup)));
    }
    let mut out = String::new();
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        out += &format!("[{name} \"{value}\"]\n");
    }
    out.push('\n');
    out += &moves(record, &setup, result);
    out + "\n\n"
}

fn moves(record: &Record, setup: &Setup, result: &str) -> String {
    let second = usize::from(setup.side != record.start.variant().set.first);
    let mut words = Vec::new();
    for (ply, mv) in movetext::write_line(&record.start, &record.moves).into_iter().enumerate() {
        let place = ply + second;
        if place.is_multiple_of(2) {
            words.push(format!("{}. {mv}", place / 2 + 1));
        } else if ply == 0 {
            words.push(format!("{}... {mv}", place / 2 + 1));
        } else {
            words.push(mv);
        }
    }
    words.push(result.to_string());
    let (mut out, mut column) = (String::new(), 0);
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        column += word.len();
        out += &word;
    }
    out
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
    use crate::game::{Game, Variant};
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
        assert!(
            text.contains("[White \"a \\\"b\\\"\"]\n[Black \"c\"]\n[Result \"1/2-1/2\"]\n[Variant \"russian\"]"),
            "{text}"
        );
        assert!(text.contains("[GameType \"25\"]\n[FEN \"B:W"), "{text}");
        assert!(text.contains("\n\n1... "), "{text}");
        assert!(text.contains(" 2. ") && text.ends_with(" 1/2-1/2\n\n"), "{text}");
    }
}
