//! The built-in rule sets, one row each. A row changes only what differs from the row it builds on.

use super::board::{Board, Color};
use super::rules::*;

/// A built-in variant: its names and its rules.
#[derive(Debug)]
pub struct Row {
    /// The name damka writes.
    pub id: &'static str,
    /// A name for people.
    pub title: &'static str,
    /// Other names it answers to, lower case with `-` for blanks and underscores.
    pub aliases: &'static [&'static str],
    /// The rules.
    pub set: RuleSet,
    /// Where the rules come from.
    pub source: &'static str,
}

const fn limit(ending: Ending, plies: u16) -> Option<EndingLimit> {
    Some(EndingLimit { ending, plies })
}

const NO_LIMITS: EndingLimits = [None; 6];
const MOST_PIECES: Choice = [Some(Criterion::Count), None, None, None, None];
const FREE: Choice = [None; 5];

/// FMJD 6.3, 6.4: 16 moves each against three pieces, 5 moves each against two or one.
const FMJD_LIMITS: EndingLimits = [
    limit(Ending::LoneKing { min: 3, max: 3 }, 32),
    limit(Ending::LoneKing { min: 1, max: 2 }, 10),
    None,
    None,
    None,
    None,
];

/// FMJD-64 7.2.7, 7.2.8, 7.2.4 and 7.2.6.
const FMJD64_LIMITS: EndingLimits = [
    limit(Ending::LoneKingMainRoad { min: 3, max: 3 }, 10),
    limit(Ending::LoneKing { min: 1, max: 2 }, 10),
    limit(Ending::LoneKingKings { min: 3, max: 100 }, 30),
    limit(Ending::BothKings { min: 4, max: 5 }, 60),
    limit(Ending::BothKings { min: 6, max: 7 }, 120),
    None,
];

/// FMJD Annex 1, articles 3 to 6.
pub const INTERNATIONAL: RuleSet = RuleSet {
    board: Board::INTERNATIONAL,
    rows: 4,
    offset: 0,
    first: Color::White,
    man_move: Directions::FORWARD,
    man_capture: Directions::DIAGONAL,
    king_move: Directions::DIAGONAL,
    king_capture: Directions::DIAGONAL,
    king_flies: true,
    king_captures_afar: true,
    landing: Landing::Any,
    man_takes_king: true,
    removal: Removal::AfterMove,
    may_reverse: true,
    promotion: Promotion::AtRest,
    duty: Duty::Mandatory,
    choice: MOST_PIECES,
    scope: Scope::All,
    goal: Goal::Normal,
    blocked: Blocked::AsNoPieces,
    kings_only: KingsOnly::PlayOn,
    one_against_one: false,
    repetitions: 3,
    quiet_plies: 50,
    endings: FMJD_LIMITS,
    same_king_moves: 0,
    notation: Notation::Numeric,
    capture_sign: 'x',
    game_type: 20,
};

/// FMJD-64 / CBD: international moves on 64 squares.
pub const BRAZILIAN: RuleSet = RuleSet {
    board: Board::CHECKERS,
    rows: 3,
    quiet_plies: 30,
    endings: FMJD64_LIMITS,
    notation: Notation::Algebraic,
    game_type: 26,
    ..INTERNATIONAL
};

/// Moscow codex 2004, 1.4.5, 1.5.3, 1.5.15: free choice, promotion in passing.
pub const RUSSIAN: RuleSet =
    RuleSet { choice: FREE, promotion: Promotion::InPassing, capture_sign: ':', game_type: 25, ..BRAZILIAN };

/// The Polish 8x8 game: Brazilian moves, 15 king moves each draw, no ending limits.
pub const POLISH8: RuleSet = RuleSet { endings: NO_LIMITS, ..BRAZILIAN };

/// The children's rules: free choice, kings land right behind, only kings left ends the game.
pub const JUNIOR: RuleSet = RuleSet {
    choice: FREE,
    landing: Landing::Behind,
    kings_only: KingsOnly::MoreWins,
    repetitions: 0,
    quiet_plies: 0,
    game_type: 0,
    ..POLISH8
};

/// WCDF rules 1.1 to 1.32.
pub const ENGLISH: RuleSet = RuleSet {
    first: Color::Black,
    man_capture: Directions::FORWARD,
    king_flies: false,
    king_captures_afar: false,
    choice: FREE,
    quiet_plies: 80,
    endings: NO_LIMITS,
    notation: Notation::Numeric,
    game_type: 21,
    ..BRAZILIAN
};

/// APCA: no majority rule, no promotion in passing, 13 moves for three kings against one.
pub const POOL: RuleSet = RuleSet {
    first: Color::Black,
    choice: FREE,
    endings: [limit(Ending::LoneKingKings { min: 3, max: 3 }, 26), None, None, None, None, None],
    notation: Notation::Numeric,
    game_type: 23,
    ..BRAZILIAN
};

/// Turkish moves: one step ahead or sideways, rook kings, captured pieces vanish at once, most pieces, no U-turn.
pub const TURKISH_OFFICIAL: RuleSet = RuleSet {
    board: Board::TURKISH,
    rows: 2,
    offset: 1,
    man_move: Directions::TURKISH_MAN,
    man_capture: Directions::TURKISH_MAN,
    king_move: Directions::ORTHOGONAL,
    king_capture: Directions::ORTHOGONAL,
    removal: Removal::Immediate,
    may_reverse: false,
    quiet_plies: 0,
    endings: NO_LIMITS,
    game_type: 30,
    ..BRAZILIAN
};

/// Turkish, with a draw as soon as each side has one piece.
pub const TURKISH: RuleSet = RuleSet { one_against_one: true, ..TURKISH_OFFICIAL };

/// FID RegTec, Capo I: short kings, men do not take kings, quantity and quality.
pub const ITALIAN: RuleSet = RuleSet {
    board: Board::MIRRORED,
    first: Color::White,
    man_takes_king: false,
    choice: [
        Some(Criterion::Count),
        Some(Criterion::ByKing),
        Some(Criterion::KingsTaken),
        Some(Criterion::KingEarly),
        None,
    ],
    game_type: 22,
    ..ENGLISH
};

/// Most pieces, then most kings; men capture forwards; flying kings.
pub const SPANISH: RuleSet = RuleSet {
    board: Board::MIRRORED,
    man_capture: Directions::FORWARD,
    choice: [Some(Criterion::Count), Some(Criterion::KingsTaken), None, None, None],
    quiet_plies: 0,
    endings: [limit(Ending::LoneKingMainRoad { min: 3, max: 3 }, 24), None, None, None, None, None],
    notation: Notation::Numeric,
    game_type: 24,
    ..BRAZILIAN
};

/// Czech: a king's capture goes before a man's.
pub const CZECH: RuleSet = RuleSet {
    man_capture: Directions::FORWARD,
    choice: [Some(Criterion::ByKing), None, None, None, None],
    quiet_plies: 0,
    endings: NO_LIMITS,
    game_type: 29,
    ..BRAZILIAN
};

/// Slovak: Czech with eight men; a player who is blocked draws.
pub const SLOVAK: RuleSet = RuleSet { rows: 2, blocked: Blocked::Draws, game_type: 0, ..CZECH };

/// German: kings land right behind the captured piece.
pub const GERMAN: RuleSet = RuleSet { choice: FREE, landing: Landing::Behind, game_type: 0, ..CZECH };

/// Thai: eight men, kings land right behind, captured pieces vanish at once.
pub const THAI: RuleSet =
    RuleSet { rows: 2, removal: Removal::Immediate, notation: Notation::Numeric, game_type: 31, ..GERMAN };

/// International on 12x12.
pub const CANADIAN: RuleSet = RuleSet { board: Board::dark(12, 12, true), rows: 5, game_type: 27, ..INTERNATIONAL };

/// Official Frisian rules 2011: captures in eight directions, value before number.
pub const FRISIAN: RuleSet = RuleSet {
    man_capture: Directions::ALL,
    king_capture: Directions::ALL,
    choice: [Some(Criterion::FrisianValue), Some(Criterion::ByKing), None, None, None],
    repetitions: 0,
    quiet_plies: 0,
    endings: [limit(Ending::LoneKingKings { min: 2, max: 2 }, 14), limit(Ending::KingKing, 0), None, None, None, None],
    same_king_moves: 3,
    game_type: 40,
    ..INTERNATIONAL
};

/// Killer: the last jump over a king ends right behind it.
pub const KILLER: RuleSet =
    RuleSet { landing: Landing::BehindLastKing, endings: NO_LIMITS, game_type: 0, ..INTERNATIONAL };

/// Giveaway on 10x10: who cannot move wins.
pub const ANTIDRAUGHTS: RuleSet =
    RuleSet { goal: Goal::Lose, quiet_plies: 0, endings: NO_LIMITS, game_type: 98, ..INTERNATIONAL };

/// Gothic (old German): all squares, men move diagonally and capture in five directions, short queen kings.
pub const GOTHIC: RuleSet = RuleSet {
    board: Board::TURKISH,
    rows: 2,
    man_capture: Directions::FIVE,
    king_move: Directions::ALL,
    king_capture: Directions::ALL,
    king_flies: false,
    king_captures_afar: false,
    choice: FREE,
    quiet_plies: 0,
    endings: NO_LIMITS,
    game_type: 0,
    ..BRAZILIAN
};

/// Armenian (Tama): men also move diagonally forwards, kings move like a queen, promotion in passing.
pub const ARMENIAN: RuleSet = RuleSet {
    man_move: Directions::FIVE,
    king_move: Directions::ALL,
    promotion: Promotion::InPassing,
    game_type: 0,
    ..TURKISH_OFFICIAL
};

macro_rules! variants {
    ($($id:literal $title:literal [$($alias:literal),*] = $set:expr, $source:literal;)*) => {
        /// All built-in variants; the mission's own come first.
        pub const ROWS: &[Row] = &[
            $(Row { id: $id, title: $title, aliases: &[$($alias),*], set: $set, source: $source }),*
        ];
    };
}

variants! {
    "international" "International draughts 10x10"
        ["normal", "standard", "10x10", "polish10", "warcaby-polskie", "warcaby-stupolowe", "stupolowe", "fmjd"]
        = INTERNATIONAL, "FMJD Annex 1 (2015)";
    "english" "English draughts, American checkers"
        ["american", "checkers", "gamelake", "acf", "warcaby-angielskie", "warcaby-amerykanskie"]
        = ENGLISH, "WCDF rules";
    "russian" "Russian draughts"
        ["shashki", "warcaby-rosyjskie"]
        = RUSSIAN, "Moscow codex 2004; FMJD-64 7.2";
    "brazilian" "Brazilian draughts"
        ["fmjd64", "warcaby-brazylijskie", "warcaby-klasyczne"]
        = BRAZILIAN, "CBD; FMJD-64 7.2";
    "polish8" "Polish draughts on 64 squares"
        ["klyo", "polish", "polish-8x8", "warcaby", "warcaby-64"]
        = POLISH8, "the klyo rules";
    "junior" "Children's draughts"
        ["kids", "children", "warcaby-dla-dzieci"]
        = JUNIOR, "the children's rules";
    "turkish" "Turkish draughts, one against one draws"
        ["turkish-seed", "dama", "warcaby-tureckie"]
        = TURKISH, "the Turkish rules of the project";
    "turkish-official" "Turkish draughts"
        ["dama-official"]
        = TURKISH_OFFICIAL, "common rules";
    "pool" "American pool checkers"
        ["american-pool"]
        = POOL, "APCA";
    "jamaican" "Jamaican draughts"
        []
        = RuleSet { board: Board::MIRRORED, game_type: 0, ..POOL }, "PDN 3.0, GameType 23 on a mirrored board";
    "italian" "Italian draughts"
        ["dama-italiana", "warcaby-wloskie"]
        = ITALIAN, "FID RegTec, Capo I";
    "spanish" "Spanish draughts"
        ["warcaby-hiszpanskie"]
        = SPANISH, "AED";
    "portuguese" "Portuguese draughts"
        ["warcaby-portugalskie"]
        = RuleSet { game_type: 28, ..SPANISH }, "FPD";
    "czech" "Czech draughts"
        ["warcaby-czeskie"]
        = CZECH, "Czech draughts federation";
    "slovak" "Slovak draughts"
        ["warcaby-slowackie"]
        = SLOVAK, "secondary sources";
    "german" "German draughts"
        ["warcaby-niemieckie"]
        = GERMAN, "secondary sources";
    "thai" "Thai checkers"
        ["makhos", "warcaby-tajskie"]
        = THAI, "PDN 3.0, GameType 31";
    "canadian" "Canadian draughts 12x12"
        ["12x12", "warcaby-kanadyjskie"]
        = CANADIAN, "FMJD rules on 12x12";
    "srilankan" "Sri Lankan draughts 12x12"
        ["sri-lankan"]
        = RuleSet { board: Board::dark(12, 12, false), game_type: 0, ..CANADIAN }, "Canadian on a mirrored board";
    "philippine" "Philippine draughts"
        ["filipino"]
        = RuleSet { board: Board::MIRRORED, quiet_plies: 0, endings: NO_LIMITS, game_type: 0, ..BRAZILIAN },
        "secondary sources";
    "frisian" "Frisian draughts"
        ["warcaby-fryzyjskie"]
        = FRISIAN, "Official Frisian rules 2011";
    "frysk" "Frysk!: Frisian draughts with five men"
        ["frysk!"]
        = RuleSet { rows: 1, game_type: 97, ..FRISIAN }, "Official Frisian rules 2011";
    "killer" "Killer draughts"
        []
        = KILLER, "Christiaan van den Berg's rules";
    "killer-light" "Killer draughts, light"
        []
        = RuleSet { landing: Landing::BehindLastKingMulti, ..KILLER }, "Christiaan van den Berg's rules";
    "antidraughts" "Antidraughts 10x10"
        ["losing", "giveaway", "anti", "suicide"]
        = ANTIDRAUGHTS, "lidraughts";
    "english-lose" "English draughts, losing game"
        ["giveaway-checkers", "anti-checkers", "english-losing"]
        = RuleSet { goal: Goal::Lose, quiet_plies: 0, ..ENGLISH }, "WCDF moves, who cannot move wins";
    "russian-lose" "Russian draughts, losing game"
        ["poddavki", "russian-losing"]
        = RuleSet { goal: Goal::Lose, quiet_plies: 0, endings: NO_LIMITS, ..RUSSIAN },
        "Russian moves, who cannot move wins";
    "brazilian-lose" "Brazilian draughts, losing game"
        ["brazilian-losing"]
        = RuleSet { goal: Goal::Lose, quiet_plies: 0, endings: NO_LIMITS, ..BRAZILIAN },
        "Brazilian moves, who cannot move wins";
    "breakthrough" "Breakthrough draughts 10x10"
        ["bt"]
        = RuleSet { goal: Goal::FirstKing, repetitions: 0, quiet_plies: 0, endings: NO_LIMITS, game_type: 96, ..INTERNATIONAL },
        "lidraughts";
    "spantsireti" "Spantsireti 10x8"
        ["spancirety", "spantsiretti"]
        = RuleSet { board: Board::dark(10, 8, true), game_type: 41, ..RUSSIAN }, "PDN 3.0, GameType 41: Russian rules";
    "gothic" "Gothic draughts"
        ["altdeutsch"]
        = GOTHIC, "old German sources";
    "armenian" "Armenian draughts (Tama)"
        ["tama"]
        = ARMENIAN, "Ludii; secondary sources";
}
