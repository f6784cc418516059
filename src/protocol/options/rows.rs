//! The rows of the options.

use super::{ELO, Effect, FULL_SKILL, Kind, MAX_THREADS, Row};
use crate::game::variant::Variant;
use crate::protocol::print::MoveFormat;

/// All options, in the order they are listed.
pub static ROWS: [Row; 23] = [
    Row {
        name: "Hash",
        help: "Transposition table, in MiB.",
        effect: Effect::Engine,
        kind: Kind::Spin {
            min: 1,
            max: 65_536,
            get: |c| c.engine.hash_mb as i64,
            set: |c, v| c.engine.hash_mb = v as usize,
        },
    },
    Row {
        name: "Threads",
        help: "Search threads; by default one a core.",
        effect: Effect::Engine,
        kind: Kind::Spin {
            min: 1,
            max: MAX_THREADS,
            get: |c| c.engine.threads as i64,
            set: |c, v| c.engine.threads = v as usize,
        },
    },
    Row {
        name: "MultiPV",
        help: "Number of best lines reported.",
        effect: Effect::Engine,
        kind: Kind::Spin {
            min: 1,
            max: 128,
            get: |c| c.engine.multi_pv as i64,
            set: |c, v| c.engine.multi_pv = v as usize,
        },
    },
    Row {
        name: "Ponder",
        help: "The client may use `go ponder`; changes nothing else.",
        effect: Effect::None,
        kind: Kind::Check { get: |c| c.ponder, set: |c, v| c.ponder = v },
    },
    Row {
        name: "UCI_Variant",
        help: "The rules: any name or alias of a built-in rule set. Sets up its starting position.",
        effect: Effect::Variant,
        kind: Kind::Combo {
            values: || Variant::all().iter().map(|v| v.id.clone()).collect(),
            get: |c| c.named.id.clone(),
            set: |c, word| Variant::find(word).map(|v| c.named = v).is_some(),
        },
    },
    Row {
        name: "RulesFile",
        help: "A file with your own rules; empty = the rules of UCI_Variant. Sets up the starting position.",
        effect: Effect::RulesFile,
        kind: Kind::Text { get: |c| c.rules_file.clone(), set: |c, v| c.rules_file = v.to_string() },
    },
    Row {
        name: "EvalFile",
        help: "A network for the rules in force; empty = the one inside the program, hand-made = none. Under rules it was not made for it is not used; an `info string` tells.",
        effect: Effect::EvalFile,
        kind: Kind::Text { get: |c| c.eval_file.clone(), set: |c, v| c.eval_file = v.to_string() },
    },
    Row {
        name: "Move Overhead",
        help: "Kept back from every clock and move time for delays on the way, in milliseconds; of a move time a tenth at most.",
        effect: Effect::Engine,
        kind: Kind::Spin {
            min: 0,
            max: 10_000,
            get: |c| c.engine.move_overhead_ms as i64,
            set: |c, v| c.engine.move_overhead_ms = v as u64,
        },
    },
    Row { name: "Clear Hash", help: "Forgets all earlier searches.", effect: Effect::Clear, kind: Kind::Button },
    Row {
        name: "UCI_ShowWDL",
        help: "Adds `wdl W D L` to info lines: chances of win, draw and loss in permille.",
        effect: Effect::None,
        kind: Kind::Check { get: |c| c.show_wdl, set: |c, v| c.show_wdl = v },
    },
    Row {
        name: "UCI_AnalyseMode",
        help: "The client analyses: full strength whatever the next options say.",
        effect: Effect::None,
        kind: Kind::Check { get: |c| c.analyse, set: |c, v| c.analyse = v },
    },
    Row {
        name: "Skill Level",
        help: "Strength of play, 20 = full. Lower levels look less far, add a little chance and use no tables.",
        effect: Effect::None,
        kind: Kind::Spin { min: 0, max: FULL_SKILL, get: |c| c.skill, set: |c, v| c.skill = v },
    },
    Row {
        name: "UCI_LimitStrength",
        help: "Weakens the play to UCI_Elo.",
        effect: Effect::None,
        kind: Kind::Check { get: |c| c.limit_strength, set: |c, v| c.limit_strength = v },
    },
    Row {
        name: "UCI_Elo",
        help: "Strength when UCI_LimitStrength is on, by matches between the levels; level 0 was put at its lower end.",
        effect: Effect::None,
        kind: Kind::Spin { min: ELO.0, max: ELO.1, get: |c| c.elo, set: |c, v| c.elo = v },
    },
    Row {
        name: "Skill Seed",
        help: "Below full strength: 0 = other choices each time, any other number = the same choices in the same game.",
        effect: Effect::None,
        kind: Kind::Spin { min: 0, max: 1_000_000, get: |c| c.skill_seed, set: |c, v| c.skill_seed = v },
    },
    Row {
        name: "UCI_MoveFormat",
        help: "How moves are written: shortest PDN, PDN with every square, or as in Hub (captured squares listed).",
        effect: Effect::None,
        kind: Kind::Combo {
            values: || MoveFormat::ALL.iter().map(|f| f.name().to_string()).collect(),
            get: |c| c.format.name().to_string(),
            set: |c, word| MoveFormat::find(word).map(|f| c.format = f).is_some(),
        },
    },
    Row {
        name: "Tables",
        help: "Uses endgame tables; those of up to four pieces are made as they are needed.",
        effect: Effect::Engine,
        kind: Kind::Check {
            get: |c| c.tables,
            set: |c, v| {
                c.tables = v;
                c.choose_tables();
            },
        },
    },
    Row {
        name: "TablesDir",
        help: "Folder of endgame tables, from `damka tables build`; empty = the user's cache folder.",
        effect: Effect::Engine,
        kind: Kind::Text {
            get: |c| c.tables_dir.clone(),
            set: |c, v| {
                c.tables_dir = v.to_string();
                c.choose_tables();
            },
        },
    },
    Row {
        name: "Debug Log File",
        help: "Adds every line of both directions to this file; empty = no log.",
        effect: Effect::LogFile,
        kind: Kind::Text { get: |c| c.log_file.clone(), set: |c, v| c.log_file = v.to_string() },
    },
    Row {
        name: "OwnBook",
        help: "Play from an opening book, without thinking. Not in analysis, pondering or with several lines.",
        effect: Effect::None,
        kind: Kind::Check { get: |c| c.own_book, set: |c, v| c.own_book = v },
    },
    Row {
        name: "BookFile",
        help: "The opening book, a file of `damka book`; empty = the one inside the program. Emptied when the rules change.",
        effect: Effect::BookFile,
        kind: Kind::Text { get: |c| c.book_file.clone(), set: |c, v| c.book_file = v.to_string() },
    },
    Row {
        name: "BookDepth",
        help: "Plies from the position set up in which the book is asked.",
        effect: Effect::None,
        kind: Kind::Spin { min: 0, max: 200, get: |c| c.taste.depth as i64, set: |c, v| c.taste.depth = v as usize },
    },
    Row {
        name: "BookVariety",
        help: "0 = always the best move of the book, 100 = by weight, between them better moves are preferred.",
        effect: Effect::None,
        kind: Kind::Spin {
            min: 0,
            max: 100,
            get: |c| i64::from(c.taste.variety),
            set: |c, v| c.taste.variety = v as u8,
        },
    },
];
