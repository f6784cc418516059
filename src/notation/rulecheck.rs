//! Which rules do not go together.
//!
//! Two sorts: rules that cannot be played at all, refused wherever they come from; and rules without effect beside
//! another one, refused when the user wrote them and dropped when they only came with the base.

use crate::game::board::Board;
use crate::game::rules::*;

/// Two rules that do not go together.
#[derive(Debug)]
pub(super) struct Clash {
    /// The fields involved; the first of them that the user wrote is to blame.
    pub fields: &'static [&'static str],
    pub why: String,
    pub allowed: String,
}

fn clash(fields: &'static [&'static str], why: impl Into<String>, allowed: impl Into<String>) -> Result<(), Clash> {
    Err(Clash { fields, why: why.into(), allowed: allowed.into() })
}

/// The most squares of a board, by whether every square is played on.
const MOST_SQUARES: [usize; 2] = [72, 100];

/// The rows that must stay empty between the two sides.
const FREE_ROWS: u8 = 2;

/// Drops rules that have no effect any more beside the others; `named` tells which fields the user wrote.
pub(super) fn settle(rules: &mut RuleSet, named: impl Fn(&str) -> bool) -> Result<(), Clash> {
    if !rules.king_captures_afar && rules.landing != Landing::Any {
        if named("landing") {
            return clash(
                &["landing"],
                "kings that do not capture from afar always land right behind the piece",
                "landing = \"any\", or king_captures_afar = true (flying_kings = true)",
            );
        }
        rules.landing = Landing::Any;
    }
    if rules.choice[0].is_none() && rules.scope != Scope::All {
        if named("scope") {
            return clash(
                &["scope"],
                "the choice between captures is free, so it has no scope",
                "scope = \"all\", or a choice such as choice = [\"count\"]",
            );
        }
        rules.scope = Scope::All;
    }
    if rules.goal == Goal::FirstKing && rules.kings_only != KingsOnly::PlayOn {
        if named("kings_only") {
            return clash(
                &["kings_only"],
                "the game ends with the first king, so it never comes to kings only",
                "kings_only = \"play on\", or goal = \"normal\"",
            );
        }
        rules.kings_only = KingsOnly::PlayOn;
    }
    Ok(())
}

/// Refuses rules that cannot be played.
pub(super) fn check(rules: &RuleSet) -> Result<(), Clash> {
    board(rules.board)?;
    rows(rules)?;
    steps(rules)?;
    if rules.duty == Duty::Huffing && rules.choice[0].is_some() {
        return clash(
            &["choice", "captures"],
            "with huffing no capture goes before another",
            "choice = [] with captures = \"huffing\", or captures = \"mandatory\" or \"optional\"",
        );
    }
    if rules.goal == Goal::Lose && rules.kings_only != KingsOnly::PlayOn {
        return clash(
            &["kings_only", "goal"],
            "more kings cannot win where one plays to lose all pieces",
            "kings_only = \"play on\" with goal = \"lose\", or goal = \"normal\"",
        );
    }
    endings(rules)
}

fn board(board: Board) -> Result<(), Clash> {
    let most = MOST_SQUARES[usize::from(board.all_squares)];
    if !board.all_squares && board.width % 2 == 1 {
        let why = format!("a board {} squares wide, only dark ones played on, has no equal rows", board.width);
        return clash(&["board"], why, "width 4, 6, 8, 10 or 12, or squares = \"all\"");
    }
    if board.all_squares && !board.corner {
        return clash(
            &["board"],
            "a board whose every square is played on cannot be mirrored",
            "mirrored = false, or squares = \"dark\"",
        );
    }
    if board.squares() > most {
        let why = format!("{}x{} has {} squares to play on", board.width, board.height, board.squares());
        return clash(&["board"], why, format!("at most {most} squares"));
    }
    Ok(())
}

fn rows(rules: &RuleSet) -> Result<(), Clash> {
    let (height, taken) = (rules.board.height, rules.rows + rules.offset);
    if 2 * taken + FREE_ROWS <= height {
        return Ok(());
    }
    let why = format!(
        "rows = {} and offset = {} leave fewer than {FREE_ROWS} free rows on a board {height} rows high",
        rules.rows, rules.offset
    );
    let most = (height - FREE_ROWS) / 2;
    clash(&["rows", "offset", "board"], why, format!("rows + offset from 1 to {most}, or a higher board"))
}

fn steps(rules: &RuleSet) -> Result<(), Clash> {
    let ahead = ["FL", "FR", "F"];
    let forward = (0..8).any(|d| rules.man_move.has(d) && ahead.contains(&Directions::NAMES[d]));
    if !forward {
        return clash(
            &["man_move"],
            "men that never move forwards never become kings",
            "at least one of \"FL\", \"FR\", \"F\" (\"forward\" is FL FR)",
        );
    }
    if rules.king_move == Directions::NONE {
        return clash(&["king_move"], "kings cannot move at all", "at least one direction, such as \"diagonal\"");
    }
    if rules.board.all_squares {
        return Ok(());
    }
    let straight = |set: Directions| set.0 & Directions::ORTHOGONAL.0 != 0;
    let allowed = "\"FL\", \"FR\", \"BL\", \"BR\" (straight directions only in man_capture and king_capture), or a board \
        with squares = \"all\"";
    let why = "a straight step from a dark square ends on a light one, where nobody plays";
    if straight(rules.man_move) {
        return clash(&["man_move", "board"], why, format!("man_move of {allowed}"));
    }
    if straight(rules.king_move) {
        return clash(&["king_move", "board"], why, format!("king_move of {allowed}"));
    }
    Ok(())
}

/// An ending that an earlier one always stands before would never count.
fn endings(rules: &RuleSet) -> Result<(), Clash> {
    let limits: Vec<Ending> = rules.endings.iter().flatten().map(|limit| limit.ending).collect();
    for (place, &later) in limits.iter().enumerate() {
        if let Some(earlier) = limits[..place].iter().position(|&earlier| covers(earlier, later)) {
            let why = format!("ending {} never counts, ending {} stands before it", place + 1, earlier + 1);
            return clash(&["endings"], why, "each ending once, the special before the general");
        }
    }
    Ok(())
}

fn covers(earlier: Ending, later: Ending) -> bool {
    use Ending::*;
    match (earlier, later) {
        (KingKing, KingKing) => true,
        (LoneKing { min, max }, LoneKing { min: a, max: b })
        | (LoneKing { min, max }, LoneKingKings { min: a, max: b })
        | (LoneKing { min, max }, LoneKingMainRoad { min: a, max: b })
        | (LoneKingKings { min, max }, LoneKingKings { min: a, max: b })
        | (LoneKingMainRoad { min, max }, LoneKingMainRoad { min: a, max: b })
        | (BothKings { min, max }, BothKings { min: a, max: b }) => min <= a && b <= max,
        _ => false,
    }
}
