//! The parts of a FEN after the pieces: counters of the draw rules and what may be huffed. [`super::fen`] has their table.

use super::fen_error::FenError;
use super::span::Span;
use super::squares;
use crate::game::board::{Color, Square};
use crate::game::plain::Setup;
use crate::game::rules::Duty;
use crate::game::variant::Variant;
use std::fmt::Write;

/// Largest number of plies: what a position can remember.
const MOST_PLIES: u32 = u16::MAX as u32;
/// Largest move number.
const LAST_MOVE: u32 = u32::MAX;
/// What lidraughts's older king-move numbers count down from.
const OLD_START: u32 = 3;

/// Reads one part into a set-up whose pieces stand.
pub(super) fn read(variant: &Variant, setup: &mut Setup, field: Span<'_>) -> Result<(), FenError> {
    let value = field.first().map_or(field, |letter| field.skip(letter.len_utf8()).trim());
    match field.first() {
        Some('H' | 'h') => setup.memory.quiet_plies = counter(field, value.text, 0, MOST_PLIES)? as u16,
        Some('E' | 'e') => setup.memory.ending_plies = counter(field, value.text, 0, MOST_PLIES)? as u16,
        Some('F' | 'f') => setup.move_number = Some(counter(field, value.text, 1, LAST_MOVE)?),
        Some('X' | 'x') => huffable(variant, setup, field, value)?,
        Some('+') => king_runs(variant, setup, value, false)?,
        Some('0'..='9') if field.text.contains('+') => king_runs(variant, setup, field, true)?,
        _ => return Err(FenError::Field { at: field.column(), read: field.text.to_string() }),
    }
    Ok(())
}

/// Adds the parts that are not at their default.
pub(super) fn write(variant: &Variant, setup: &Setup, out: &mut String) {
    let memory = &setup.memory;
    let mut part = |letter: char, value: u32| write!(out, ":{letter}{value}").expect("a string takes all");
    if memory.quiet_plies > 0 {
        part('H', memory.quiet_plies.into());
    }
    if let Some(number) = setup.move_number {
        part('F', number);
    }
    if memory.ending_plies > 0 {
        part('E', memory.ending_plies.into());
    }
    if !memory.huffable.is_empty() {
        let names: Vec<String> = memory.huffable.iter().map(|square| squares::name(variant, *square)).collect();
        out.push_str(":X");
        out.push_str(&names.join(","));
    }
    // Last, because lidraughts looks for it in the last part only.
    let run = |color: Color| memory.king_run[color.index()].filter(|&(square, _)| is_king(setup, color, square));
    let runs = [Color::Black, Color::White].map(run);
    if runs.iter().any(Option::is_some) {
        out.push(':');
        for run in runs {
            match run {
                None => out.push_str("+0"),
                Some((square, count)) => {
                    let sign = if count > 9 { "@" } else { "" };
                    write!(out, "+{count}{sign}{}", squares::name(variant, square)).expect("a string takes all");
                }
            }
        }
    }
}

fn counter(field: Span<'_>, text: &str, least: u32, most: u32) -> Result<u32, FenError> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = if digits { text.parse().ok() } else { None };
    number.filter(|n| (least..=most).contains(n)).ok_or_else(|| FenError::Counter {
        at: field.column(),
        read: field.text.to_string(),
        expected: format!("a whole number {least}-{most}"),
    })
}

fn huffable(variant: &Variant, setup: &mut Setup, field: Span<'_>, value: Span<'_>) -> Result<(), FenError> {
    if variant.set.duty != Duty::Huffing {
        let (at, read, variant) = (field.column(), field.text.to_string(), variant.id.clone());
        return Err(FenError::NoHuffing { at, read, variant });
    }
    let enemy = setup.side.other();
    let mut found = std::mem::take(&mut setup.memory.huffable);
    for item in value.split(',') {
        let (at, read) = (item.column(), item.text.to_string());
        let Some(square) = squares::parse(variant, item.text) else {
            return Err(FenError::Square { at, read, expected: squares::expected(variant.set.board) });
        };
        if setup.at(square).is_none_or(|piece| piece.color != enemy) {
            return Err(FenError::NothingToHuff { at, read, color: enemy });
        }
        if found.contains(&square) {
            return Err(FenError::Twice { at, square: squares::name(variant, square) });
        }
        found.push(square);
    }
    found.sort_unstable();
    setup.memory.huffable = found;
    Ok(())
}

/// Reads `1c3+0` (after its first plus), Black first. Where no rule counts king moves the numbers mean nothing and are let go.
fn king_runs(variant: &Variant, setup: &mut Setup, value: Span<'_>, old: bool) -> Result<(), FenError> {
    let broken = || FenError::Counter {
        at: value.column(),
        read: value.text.to_string(),
        expected: "Black's and White's king moves such as +1+0 or +1c3+2f4".to_string(),
    };
    let (black, white) = value.split_once(&['+']).ok_or_else(broken)?;
    for (color, part) in [(Color::Black, black), (Color::White, white)] {
        let (count, king) = match part.split_once(&['@']) {
            Some(halves) => halves,
            None if part.first().is_some_and(|c| c.is_ascii()) => (part.slice(0, 1), part.skip(1).trim()),
            None => return Err(broken()),
        };
        // More than the rule allows can be: a side without men may go on with the same king.
        let most = if old { OLD_START } else { u8::MAX.into() };
        let mut moves = counter(count, count.text, 0, most)?;
        if old {
            moves = OLD_START.saturating_sub(moves);
        }
        if moves > 0 && variant.set.same_king_moves > 0 {
            let square = the_king(variant, setup, color, king.text).ok_or_else(|| FenError::KingRun {
                at: part.column(),
                read: part.text.to_string(),
                color,
            })?;
            setup.memory.king_run[color.index()] = Some((square, moves as u8));
        }
    }
    Ok(())
}

/// The king on the named square, or a side's only king when no square is named.
fn the_king(variant: &Variant, setup: &Setup, color: Color, name: &str) -> Option<Square> {
    if !name.is_empty() {
        return squares::parse(variant, name).filter(|&square| is_king(setup, color, square));
    }
    let mut kings = (1..=setup.cells.len() as u8).map(Square).filter(|&square| is_king(setup, color, square));
    kings.next().filter(|_| kings.next().is_none())
}

fn is_king(setup: &Setup, color: Color, square: Square) -> bool {
    setup.at(square).is_some_and(|piece| piece.king && piece.color == color)
}
