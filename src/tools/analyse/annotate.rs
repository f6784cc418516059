//! The answer as a game with notes: scores, marks and better lines between the moves as they were.

use super::study::Study;
use crate::engine::{Score, Verdict};
use crate::notation::pdn::{self, Item, LineId};

/// Longest better line, in plies.
const LINE: usize = 10;

/// Numeric mark of the only good move, when it was found.
const SINGULAR: u32 = 8;

/// The game with notes, as PDN.
pub fn pdn(study: &Study) -> String {
    let mut game = study.game.clone();
    if game.tag("Annotator").is_none() {
        game.set_tag("Annotator", concat!("damka ", env!("CARGO_PKG_VERSION")));
    }
    // From the end, so that the places of earlier moves stay.
    for (index, ply) in study.plies.iter().enumerate().rev() {
        let mut notes = Vec::new();
        match ply.judgement.mark {
            Some(mark) => notes.push(Item::Nag(mark.nag())),
            None if ply.found() && ply.only == Some(true) => notes.push(Item::Nag(SINGULAR)),
            None => {}
        }
        notes.push(Item::Comment(format!("[%eval {}]", eval(study.white_after(index)))));
        if ply.judgement.mark.is_some() && !ply.found() {
            let line = &ply.lines[0].pv;
            notes.push(game.add_variation(&ply.before, &line[..line.len().min(LINE)]));
        }
        game.insert_after(LineId::MAIN, ply.item, notes);
    }
    pdn::write(&game) + "\n"
}

/// White's score in men, or `#N`: moves of the winner to the end, negative when Black wins.
pub fn eval(white: Score) -> String {
    match Verdict::of(white) {
        Verdict::Cp(cp) => format!("{:.2}", f64::from(cp) / 100.0),
        Verdict::End { plies, won } => format!("#{}{}", if won { "" } else { "-" }, (plies + 1) / 2),
    }
}

#[cfg(test)]
mod tests {
    use super::super::study::tests::{GIVEN_AWAY, study};
    use super::*;
    use crate::engine::WIN;
    use crate::notation::pdn::{Options, Reader};

    #[test]
    fn notes_are_added_and_nothing_is_lost() {
        let study = study(GIVEN_AWAY, 2_000, 2);
        let text = pdn(&study);
        let flat = text.replace('\n', " ");
        let read = Reader::new("test", text.as_bytes(), Options::default()).collect::<Result<Vec<_>, _>>();
        let [game] = &read.expect("a good game")[..] else { panic!("{text}") };
        assert!(game.warnings.is_empty(), "{:?}\n{text}", game.warnings);
        assert_eq!(game.plies(), 10);
        assert_eq!(text.matches("[%eval ").count(), 10);
        assert!(text.contains("{a classic}") && text.contains("$5") && flat.contains(" $"), "{text}");
        assert!(["$2 {[%eval -", "$4 {[%eval -"].iter().any(|mark| flat.contains(mark)), "{text}");
        assert!(game.lines.len() >= 2 && game.lines[1..].iter().all(|line| !line.is_empty()));
        assert_eq!(
            (game.tag("Annotator"), game.tag("White")),
            (Some(concat!("damka ", env!("CARGO_PKG_VERSION"))), Some("Anna"))
        );
    }

    #[test]
    fn scores_are_whites() {
        assert_eq!([eval(35), eval(-120), eval(WIN - 7), eval(8 - WIN)], ["0.35", "-1.20", "#4", "#-4"]);
    }
}
