//! Rule files: every recorded rule set can be written as one, house rules combine, and what is written reads back.

use damka::game::board::{Board, Color};
use damka::game::rules::*;
use damka::game::variant::Variant;
use damka::notation::rulefile::{apply, describe, help, read, to_toml, with_rules};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;

const RECORDS: &str = include_str!("data/rules/records.jsonl");

/// Records whose rule set is built in under another name than their own.
const OTHER_NAMES: [(&str, &str); 2] = [("turkish", "turkish-official"), ("turkish_seed", "turkish")];

fn records() -> Vec<Value> {
    RECORDS.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn variant(id: &str) -> Arc<Variant> {
    let path = format!("{}/tests/data/rules/{id}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    read(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn directions(record: &Value, field: &str) -> Directions {
    let bit = |word: &Value| 1 << Directions::NAMES.iter().position(|name| word == name).unwrap();
    Directions(record[field].as_array().unwrap().iter().map(bit).fold(0, |set: u8, bit: u8| set | bit))
}

fn choice(record: &Value) -> Choice {
    let mut choice = [None; 5];
    for (place, word) in record["priority"].as_array().unwrap().iter().enumerate() {
        choice[place] = Some(match word.as_str().unwrap() {
            "count" => Criterion::Count,
            "by_king" => Criterion::ByKing,
            "kings_taken" => Criterion::KingsTaken,
            "king_early" => Criterion::KingEarly,
            "frisian" => Criterion::FrisianValue,
            other => panic!("{other}"),
        });
    }
    choice
}

fn small(record: &Value, field: &str) -> u8 {
    record[field].as_u64().unwrap().try_into().unwrap()
}

/// The fields that a record speaks of; the others are taken from `rest`.
fn expected(record: &Value, rest: &RuleSet) -> RuleSet {
    let word = |field: &str| record[field].as_str().unwrap();
    let flag = |field: &str| record[field].as_bool().unwrap();
    RuleSet {
        board: Board {
            width: small(record, "w"),
            height: small(record, "h"),
            all_squares: word("squares") == "all",
            corner: small(record, "corner") == 1,
        },
        rows: small(record, "rows"),
        offset: small(record, "offset"),
        first: if word("first") == "W" { Color::White } else { Color::Black },
        man_move: directions(record, "man_move"),
        man_capture: directions(record, "man_cap"),
        king_move: directions(record, "king_move"),
        king_capture: directions(record, "king_cap"),
        king_flies: flag("fly_move"),
        king_captures_afar: flag("fly_cap"),
        landing: match word("landing") {
            "any" => Landing::Any,
            "adjacent" => Landing::Behind,
            "adjacent_if_king" => Landing::BehindLastKing,
            "adjacent_if_king_multi" => Landing::BehindLastKingMulti,
            other => panic!("{other}"),
        },
        man_takes_king: flag("man_takes_king"),
        removal: if word("removal") == "after" { Removal::AfterMove } else { Removal::Immediate },
        may_reverse: !flag("no_reverse"),
        promotion: match word("promo") {
            "man" => Promotion::AtRest,
            "king" => Promotion::InPassing,
            "stop" => Promotion::EndsMove,
            other => panic!("{other}"),
        },
        duty: if word("must") == "yes" { Duty::Mandatory } else { Duty::Optional },
        choice: choice(record),
        scope: if word("scope") == "all" { Scope::All } else { Scope::Piece },
        goal: match word("goal") {
            "normal" => Goal::Normal,
            "lose" => Goal::Lose,
            "breakthrough" => Goal::FirstKing,
            other => panic!("{other}"),
        },
        kings_only: if word("kings_only") == "none" { KingsOnly::PlayOn } else { KingsOnly::MoreWins },
        one_against_one: flag("one_v_one"),
        ..*rest
    }
}

#[test]
fn every_record_can_be_written_as_a_rule_file() {
    let records = records();
    assert_eq!(records.len(), 54);
    for record in &records {
        let id = record["id"].as_str().unwrap();
        let custom = variant(id);
        assert!(custom.custom, "{id}");
        assert_eq!(custom.set, expected(record, &custom.set), "{id}");
    }
}

#[test]
fn rule_files_of_built_in_sets_give_the_same_rules_to_the_last_field() {
    let mut met = 0;
    for record in records() {
        let id = record["id"].as_str().unwrap();
        let name = OTHER_NAMES.iter().find(|(old, _)| *old == id).map_or(id, |&(_, name)| name);
        if let Some(built_in) = Variant::find(name) {
            assert_eq!(variant(id).set, built_in.set, "{id}");
            met += 1;
        }
    }
    assert_eq!(met, 33, "records with a built-in row");
}

/// All combinations of the house rules people play over English draughts.
fn house_rules() -> Vec<Vec<String>> {
    let mut sets = vec![Vec::new()];
    for (field, values) in [
        ("captures", vec!["mandatory", "optional", "huffing"]),
        ("men_capture_backwards", vec!["false", "true"]),
        ("flying_kings", vec!["false", "true"]),
        ("new_king", vec!["as man", "continues", "stops"]),
        ("first", vec!["white", "black"]),
    ] {
        let with = |set: &Vec<String>, value: &str| [set.clone(), vec![format!("{field}={value}")]].concat();
        sets = sets.iter().flat_map(|set| values.iter().map(move |value| with(set, value))).collect();
    }
    sets
}

#[test]
fn house_rules_combine_freely_and_all_differ() {
    let english = Variant::find("english").unwrap();
    let sets = house_rules();
    assert_eq!(sets.len(), 3 * 2 * 2 * 3 * 2);
    let mut met = HashSet::new();
    for rules in &sets {
        let quoted = |rule: &String| match rule.split_once('=').unwrap() {
            (field, value @ ("true" | "false")) => format!("{field} = {value}\n"),
            (field, value) => format!("{field} = \"{value}\"\n"),
        };
        let text = format!("base = \"english\"\n{}", rules.iter().map(quoted).collect::<String>());
        let from_file = read(&text).unwrap_or_else(|error| panic!("{text}{error}")).set;
        let from_rules = with_rules(&english, rules).unwrap().set;
        assert_eq!(from_file, from_rules, "{text}");
        let mut one_by_one = english.set;
        for rule in rules {
            apply(&mut one_by_one, rule).unwrap();
        }
        // One rule at a time cannot know that the last one undoes the first, so the number is gone for good.
        assert_eq!(RuleSet { game_type: from_rules.game_type, ..one_by_one }, from_rules, "{text}");
        assert!(met.insert(from_file), "the same rules twice: {text}");
    }
}

#[test]
fn rules_one_by_one_take_bare_words() {
    let base = Variant::find("international").unwrap();
    let rules = [
        "board=8x8-mirrored",
        "rows = 3",
        "choice=[count, by king]",
        "man-capture=FL,FR",
        "capture_sign=:",
        "removal=at-once",
        "endings=[{ending=\"lone king\", min=1, max=2, plies=10}]",
        "repetitions=0",
        "DUTY=Optional",
    ];
    let custom = with_rules(&base, &rules).unwrap();
    let mut choice = [None; 5];
    (choice[0], choice[1]) = (Some(Criterion::Count), Some(Criterion::ByKing));
    let mut endings = [None; 6];
    endings[0] = Some(EndingLimit { ending: Ending::LoneKing { min: 1, max: 2 }, plies: 10 });
    let set = RuleSet {
        board: Board::MIRRORED,
        rows: 3,
        choice,
        man_capture: Directions::FORWARD,
        capture_sign: ':',
        removal: Removal::Immediate,
        endings,
        repetitions: 0,
        duty: Duty::Optional,
        game_type: 0,
        ..base.set
    };
    assert_eq!(custom.set, set);
    assert_eq!(custom.id, "international-custom");
    assert!(Arc::ptr_eq(&with_rules::<&str>(&base, &[]).unwrap(), &base));
}

#[test]
fn a_file_has_its_names_and_defaults() {
    let bare = read("").unwrap();
    assert_eq!((bare.id.as_str(), bare.set), ("custom", Variant::find("international").unwrap().set));
    let named = read("\u{feff}name = \"moje-1.0\"\r\ntitle = \"Zasady żółwia\"\r\nbase = \"American Checkers\"\r\n");
    let error = named.unwrap_err().to_string();
    assert!(error.starts_with("line 3, column 8: base: found \"American Checkers\""), "{error}");
    let named = read("name = \"moje-1.0\"\r\ntitle = \"Zasady żółwia\"\r\nbase = \"Checkers\"\r\n").unwrap();
    assert_eq!((named.id.as_str(), named.title.as_str()), ("moje-1.0", "Zasady żółwia"));
    assert_eq!(named.set, Variant::find("english").unwrap().set);
}

#[test]
fn tables_may_be_written_in_every_way_toml_has() {
    let inline = read(
        "board = { width = 8, height = 8, squares = \"all\" }\nrows = 2\n\
         endings = [{ ending = \"king against king\", plies = 0 }, { ending = \"lone king\", min = 2, plies = 9 }]",
    );
    let headed = read(
        "rows = 2\n[board]\nwidth = 8\nheight = 8\nsquares = \"all\"\n[[endings]]\nending = \"king against king\"\n\
         plies = 0\n[[endings]]\nending = \"lone king\"\nmin = 2\nmax = 100\nplies = 9\n",
    );
    assert_eq!(inline.as_ref().unwrap().set, headed.unwrap().set);
    let dotted = read("board.width = 8\nboard.height = 8\nboard.squares = \"all\"\nrows = 2\nendings = \"none\"");
    assert_eq!(RuleSet { endings: [None; 6], ..inline.unwrap().set }, dotted.unwrap().set);
}

#[test]
fn rules_without_effect_that_came_with_the_base_are_dropped() {
    let short = read("base = \"killer\"\nflying_kings = false").unwrap().set;
    assert_eq!(short.landing, Landing::Any);
    let first = read("base = \"junior\"\ngoal = \"first king\"").unwrap().set;
    assert_eq!(first.kings_only, KingsOnly::PlayOn);
}

#[test]
fn a_changed_game_has_no_game_type_unless_it_says_so() {
    let number = |text: &str| read(text).unwrap().set.game_type;
    assert_eq!(number("base = \"english\"\nfirst = \"white\""), 0);
    assert_eq!(number("base = \"english\"\nfirst = \"white\"\ngame_type = 21"), 21);
    assert_eq!(number("base = \"english\"\nnotation = \"algebraic\"\nquiet_plies = 40"), 21);
}

#[test]
fn written_files_read_back_to_the_same_rules() {
    let customs = records().into_iter().map(|record| variant(record["id"].as_str().unwrap()));
    for variant in Variant::all().iter().cloned().chain(customs) {
        let text = to_toml(&variant);
        let again = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!((&again.id, &again.title, again.set), (&variant.id, &variant.title, variant.set));
        assert_eq!(describe(&again)["rules"], describe(&variant)["rules"]);
    }
}

#[test]
fn a_description_has_every_field_and_alias() {
    let english = describe(&Variant::find("english").unwrap());
    assert_eq!(english["name"], "english");
    assert_eq!(english["custom"], false);
    assert!(english["aliases"].as_array().unwrap().iter().any(|alias| alias == "checkers"));
    let rules = english["rules"].as_object().unwrap();
    // A field without a row would be missing here: the record's own debug text counts them.
    let fields = format!("{:#?}", Variant::find("english").unwrap().set);
    assert_eq!(
        rules.len(),
        fields
            .lines()
            .filter(|line| line.starts_with("    ") && line.as_bytes()[4] != b' ' && line.contains(':'))
            .count()
    );
    assert_eq!(rules["man_move"], serde_json::json!(["FL", "FR"]));
    assert_eq!(rules["captures"], "mandatory");
    for name in rules.keys() {
        assert!(help().contains(&format!("\n  {name}\n")), "{name} has no help");
    }
}

#[test]
fn the_help_names_short_cuts_and_allowed_values() {
    let help = help();
    for part in
        ["\n  flying_kings\n", "Allowed: \"as man\", \"continues\" or \"stops\"", "Also called duty.", "\n  base\n"]
    {
        assert!(help.contains(part), "{part}");
    }
}

/// Lines that come close to those of a rule file.
const LOOKS_LIKE_RULES: &str = "(([a-z_]{1,9}|board|rows|choice|endings|captures|man_move|base) ?(=|\\.) ?([\\[{\"' ]?[a-zA-Z0-9=,. ]{0,12}[\\]}\"']?)\n){0,6}";

proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in any::<String>()) {
        let _ = read(&text);
        let mut set = Variant::all()[0].set;
        let _ = apply(&mut set, &text);
    }

    #[test]
    fn text_that_looks_like_a_rule_file_never_panics(text in LOOKS_LIKE_RULES) {
        let _ = read(&text);
    }

    #[test]
    fn any_board_and_rows_are_playable_or_refused(width in 0u8..20, height in 0u8..20, rows in 0u8..9, offset in 0u8..9, all: bool) {
        let squares = if all { "all" } else { "dark" };
        let text = format!("board = {{ width = {width}, height = {height}, squares = \"{squares}\" }}\nrows = {rows}\noffset = {offset}");
        if let Ok(variant) = read(&text) {
            let set = variant.set;
            prop_assert!((4..=12).contains(&width) && (4..=12).contains(&height) && rows >= 1);
            let most = if all { 100 } else { 72 };
            prop_assert!(set.board.squares() <= most);
            prop_assert!(height - 2 * (rows + offset) >= 2);
            prop_assert_eq!(variant.geometry.squares.count_ones() as usize, set.board.squares());
        }
    }
}
