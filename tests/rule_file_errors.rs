//! What is wrong with a rule file is said with its line, its field and what is allowed.

use damka::game::variant::Variant;
use damka::notation::rulefile::{MAX_BYTES, Place, RuleFileError, apply, read, with_rules};

/// Reads text that must be refused; the message must start with `start` and contain all of `parts`.
#[track_caller]
fn refused(text: &str, start: &str, parts: &[&str]) {
    let error = read(text).expect_err(text).to_string();
    assert!(error.starts_with(start), "{text}\ngave: {error}\nexpected: {start}");
    for part in parts {
        assert!(error.contains(part), "{text}\ngave: {error}\nwithout: {part}");
    }
    assert!(!error.contains('\n'), "{error}");
}

#[test]
fn unknown_fields_name_the_nearest() {
    let text = "base = \"english\"\n\ncaptrues = \"optional\"";
    refused(
        text,
        "line 3, column 1: unknown field 'captrues', did you mean 'captures'?; allowed fields: name, title, base, board, rows",
        &["new_king"],
    );
    refused("\"a\\nb\" = 1", "line 1, column 1: unknown field 'a b'; allowed fields: ", &[]);
    refused(
        "board.wdth = 8",
        "line 1, column 7: board.wdth: found an unknown field 'wdth'",
        &["allowed: width, height, squares, mirrored"],
    );
    refused(
        "[board]\nwidth = 8\nrows = 3",
        "line 3, column 1: board.rows: found an unknown field",
        &["allowed: width"],
    );
    refused(
        "endings = [{ pieces = 3 }]",
        "line 1, column 14: endings.pieces: found an unknown field",
        &["allowed: ending, min, max, plies"],
    );
}

#[test]
fn wrong_types_say_what_was_found() {
    refused("rows = \"3\"", "line 1, column 8: rows: found \"3\"; allowed: 1 to 5", &[]);
    refused("rows = 3.5", "line 1, column 8: rows: found 3.5; allowed: 1 to 5", &[]);
    refused("king_flies = 1", "line 1, column 14: king_flies: found 1; allowed: true or false", &[]);
    refused("flying_kings = \"yes\"", "line 1, column 16: flying_kings: found \"yes\"; allowed: true or false", &[]);
    refused(
        "captures = true",
        "line 1, column 12: captures: found true; allowed: \"mandatory\", \"optional\" or \"huffing\"",
        &[],
    );
    refused("first = [\"white\"]", "line 1, column 9: first: found an array; allowed: \"white\" or \"black\"", &[]);
    refused("[first]\nwhite = true", "line 1, column 1: first: found a table", &["allowed: \"white\" or \"black\""]);
    refused("choice = 1", "line 1, column 10: choice: found 1; allowed: a list of \"count\"", &[]);
    refused("choice = [\"count\",\n 1]", "line 2, column 2: choice: found 1", &["\"by king\""]);
    refused("board = 8", "line 1, column 9: board: found 8; allowed: \"WIDTHxHEIGHT\"", &[]);
    refused("endings = 3", "line 1, column 11: endings: found 3; allowed: a list of at most 6 tables", &[]);
    refused("endings = [3]", "line 1, column 11: endings: found an array", &["at most 6 tables"]);
    refused("base = 1", "line 1, column 8: base: found 1; allowed: international, english", &[]);
    refused("name = 1", "line 1, column 8: name: found 1; allowed: 1 to 40", &[]);
    refused("title = \"a\\nb\"", "line 1, column 9: title: found \"a b\"; allowed: 1 to 100 characters", &[]);
}

#[test]
fn values_out_of_range_say_the_range() {
    refused("rows = 0", "line 1, column 8: rows: found 0; allowed: 1 to 5", &[]);
    refused("rows = 6", "line 1, column 8: rows: found 6; allowed: 1 to 5", &[]);
    refused("offset = -1", "line 1, column 10: offset: found -1; allowed: 0 to 4", &[]);
    refused("repetitions = 1", "line 1, column 15: repetitions: found 1; allowed: 2 to 100, or 0 for none", &[]);
    refused("repetitions = 65538", "line 1, column 15: repetitions: found 65538; allowed: 2 to 100", &[]);
    refused("quiet_plies = 1001", "line 1, column 15: quiet_plies: found 1001; allowed: 1 to 1000, or 0", &[]);
    refused("same_king_moves = 101", "line 1, column 19: same_king_moves: found 101; allowed: 1 to 100", &[]);
    refused("game_type = 256", "line 1, column 13: game_type: found 256; allowed: 1 to 99", &[]);
    refused("board = \"3x8\"", "line 1, column 9: board: found \"3x8\"; allowed: \"WIDTHxHEIGHT\"", &[]);
    refused("board = \"8x14\"", "line 1, column 9: board: found \"8x14\"", &["such as \"8x8 mirrored\""]);
    refused("board = { width = 13 }", "line 1, column 19: board.width: found 13; allowed: 4 to 12", &[]);
    refused("board.height = 3", "line 1, column 16: board.height: found 3; allowed: 4 to 12", &[]);
    refused(
        "board.squares = \"light\"",
        "line 1, column 17: board.squares: found \"light\"; allowed: \"dark\" or \"all\"",
        &[],
    );
    refused("board.mirrored = 1", "line 1, column 18: board.mirrored: found 1; allowed: true or false", &[]);
}

#[test]
fn unknown_words_are_listed() {
    for (field, allowed) in [
        ("captures", "\"mandatory\", \"optional\" or \"huffing\""),
        ("first", "\"white\" or \"black\""),
        ("landing", "\"any\", \"behind\", \"behind last king\" or \"behind last king of several\""),
        ("removal", "\"after move\" or \"at once\""),
        ("promotion", "\"at rest\", \"in passing\" or \"ends move\""),
        ("new_king", "\"as man\", \"continues\" or \"stops\""),
        ("scope", "\"all\" or \"piece\""),
        ("goal", "\"normal\", \"lose\" or \"first king\""),
        ("blocked", "\"as no pieces\" or \"draws\""),
        ("kings_only", "\"play on\", \"more wins\" or \"more wins or play on\""),
        ("notation", "\"numeric\" or \"algebraic\""),
        ("capture_sign", "\"x\" or \":\""),
    ] {
        let start = format!("line 2, column {}: {field}: found \"perhaps\"; allowed: {allowed}", field.len() + 4);
        refused(&format!("\n{field} = \"perhaps\""), &start, &[]);
    }
    refused(
        "man_move = [\"FL\", \"UP\"]",
        "line 1, column 19: man_move: found \"UP\"; allowed: a list of \"FL\"",
        &["\"forward\""],
    );
    refused("man_move = \"\"", "line 1, column 12: man_move: found \"\"", &["\"FL\""]);
    refused("choice = [\"count\", \"count\"]", "line 1, column 20: choice: found \"count\"", &["each at most once"]);
    refused("choice = \"most\"", "line 1, column 10: choice: found \"most\"", &["\"frisian value\""]);
    refused(
        "base = \"englsh\"",
        "line 1, column 8: base: found \"englsh\" (did you mean \"english\"?); allowed: international",
        &["thai"],
    );
}

#[test]
fn endings_are_checked_inside() {
    let ending = |inside: &str| format!("endings = [\n  {{ {inside} }},\n]");
    refused(
        &ending("plies = 3"),
        "line 2, column 3: endings.ending: found nothing; allowed: \"lone king\"",
        &["\"king against king\""],
    );
    refused(
        &ending("ending = \"three kings\", plies = 3"),
        "line 2, column 14: endings.ending: found \"three kings\"",
        &["\"both have kings\""],
    );
    refused(
        &ending("ending = \"lone king\", min = 3"),
        "line 2, column 3: endings.plies: found nothing; allowed: 0 to 1000",
        &[],
    );
    refused(
        &ending("ending = \"lone king\", plies = 3"),
        "line 2, column 3: endings.min: found nothing; allowed: 1 to 100",
        &[],
    );
    refused(
        &ending("ending = \"lone king\", min = 3, max = 2, plies = 3"),
        "line 2, column 3: endings.max: found 2; allowed: 3 (min) to 100",
        &[],
    );
    refused(
        &ending("ending = \"lone king\", min = 0, plies = 3"),
        "line 2, column 33: endings.min: found 0; allowed: 1 to 100",
        &[],
    );
    refused(
        &ending("ending = \"lone king\", min = 1, plies = 1001"),
        "line 2, column 44: endings.plies: found 1001; allowed: 0 to 1000",
        &[],
    );
    refused(
        &ending("ending = \"king against king\", min = 1, plies = 1"),
        "line 2, column 3: endings.min: found a number of pieces; allowed: no min",
        &[],
    );
    let seven = format!("endings = [{}]", "{ ending = \"king against king\", plies = 0 },".repeat(7));
    refused(&seven, "line 1, column 11: endings: found 7 endings; allowed: a list of at most 6", &[]);
    let shadowed = "endings = [{ ending = \"lone king\", min = 1, plies = 9 }, { ending = \"lone king\", min = 2, max = 3, plies = 5 }]";
    refused(
        shadowed,
        "line 1, column 1: endings: ending 2 never counts, ending 1 stands before it; allowed: each ending once",
        &[],
    );
}

#[test]
fn a_field_is_given_once() {
    refused("rows = 3\nrows = 3", "line 2, column 1: duplicate key", &["expected TOML"]);
    refused(
        "captures = \"optional\"\nduty = \"optional\"",
        "line 2, column 1: captures: given a second time, after line 1, column 1; allowed: once",
        &[],
    );
    refused(
        "king_flies = true\nking-flies = true",
        "line 2, column 1: king_flies: given a second time",
        &["line 1", "allowed: once"],
    );
    refused("name = \"a\"\nName = \"b\"", "line 2, column 1: name: given a second time", &["allowed: once"]);
}

#[test]
fn what_is_not_toml_says_where() {
    refused(
        "base = \"english\"\ncaptures optional",
        "line 2, column ",
        &["expected TOML, lines such as captures = \"optional\""],
    );
    // Older readers stumbled over a broken value that a later line extends.
    refused("endings==\nendings.=\n", "line 1, column 9", &["expected TOML"]);
    refused("rows==\nrows.a = 1\n", "line 1, column 6", &["expected TOML"]);
    refused("rows = ", "line 1, column ", &["expected TOML"]);
    refused(&"[".repeat(60_000), "line 1, column ", &["expected TOML"]);
    refused(&format!("choice = {}", "[".repeat(60_000)), "line 1, column ", &["expected TOML"]);
    refused(&format!("a{} = 1", ".a".repeat(30_000)), "line 1, column ", &["expected TOML"]);
    refused(&format!("[a{}]", ".a".repeat(30_000)), "line 1, column ", &["expected TOML"]);
    refused(&format!("a = {}", "{a=".repeat(20_000)), "line 1, column ", &["expected TOML"]);
    let deep = format!("choice = {}{}", "[".repeat(40), "]".repeat(40));
    refused(&deep, "line 1, column 11: choice: found an array", &["allowed: a list"]);
}

#[test]
fn long_files_are_refused() {
    let long = "#".repeat(MAX_BYTES + 1);
    assert_eq!(read(&long).unwrap_err(), RuleFileError::TooLong { bytes: MAX_BYTES + 1 });
    refused(&long, "the rules have 65537 bytes; allowed: at most 65536 bytes", &[]);
    assert!(read(&long[1..]).is_ok());
    let rule = format!("rows={long}");
    assert!(matches!(apply(&mut { Variant::all()[0].set }, &rule), Err(RuleFileError::TooLong { .. })));
}

#[test]
fn short_cuts_may_repeat_but_not_contradict_a_field() {
    refused(
        "flying_kings = true\nking_flies = false",
        "line 1, column 1: flying_kings: says other than king_flies = false (line 2, column 1); allowed: one of the two, flying_kings or king_flies",
        &[],
    );
    refused(
        "new_king = \"stops\"\npromotion = \"at rest\"",
        "line 1, column 1: new_king: says other than promotion = \"at rest\" (line 2",
        &["allowed: one"],
    );
    refused(
        "man_capture = \"all\"\nmen_capture_backwards = false",
        "line 2, column 1: men_capture_backwards: says other than man_capture",
        &["line 1", "allowed: one"],
    );
    let same = read(
        "base = \"english\"\nflying_kings = true\nking_flies = true\nnew_king = \"stops\"\npromotion = \"ends move\"\nman_capture = \"diagonal\"\nmen_capture_backwards = true",
    );
    assert!(same.is_ok(), "{same:?}");
}

#[test]
fn rules_that_do_not_go_together_are_refused() {
    // Boards and set-ups.
    refused(
        "board = \"9x8\"\nrows = 2",
        "line 1, column 1: board: a board 9 squares wide",
        &["allowed: width 4, 6, 8, 10 or 12, or squares = \"all\""],
    );
    refused(
        "board = \"8x8 mirrored all\"",
        "line 1, column 1: board: a board whose every square",
        &["allowed: mirrored = false"],
    );
    refused(
        "board = \"12x12 all\"",
        "line 1, column 1: board: 12x12 has 144 squares to play on; allowed: at most 100 squares",
        &[],
    );
    refused(
        "base = \"english\"\nrows = 4",
        "line 2, column 1: rows: rows = 4 and offset = 0 leave fewer than 2 free rows on a board 8 rows high; allowed: rows + offset from 1 to 3",
        &[],
    );
    refused(
        "base = \"english\"\noffset = 1",
        "line 2, column 1: offset: rows = 3 and offset = 1",
        &["allowed: rows + offset from 1 to 3"],
    );
    refused("base = \"english\"\nboard = \"6x6\"", "line 2, column 1: board: rows = 3", &["rows + offset from 1 to 2"]);
    // Steps.
    refused(
        "man_move = \"none\"",
        "line 1, column 1: man_move: men that never move forwards",
        &["allowed: at least one of \"FL\", \"FR\", \"F\""],
    );
    refused(
        "base = \"turkish\"\nman_move = [\"L\", \"R\", \"B\"]",
        "line 2, column 1: man_move: men that never",
        &["allowed"],
    );
    refused(
        "king_move = []",
        "line 1, column 1: king_move: kings cannot move at all; allowed: at least one direction",
        &[],
    );
    refused(
        "man_move = [\"F\"]",
        "line 1, column 1: man_move: a straight step from a dark square",
        &["allowed: man_move of \"FL\"", "squares = \"all\""],
    );
    refused("king_move = \"all\"", "line 1, column 1: king_move: a straight step", &["allowed: king_move of \"FL\""]);
    refused(
        "base = \"turkish\"\nboard = \"8x8\"\noffset = 0",
        "line 2, column 1: board: a straight step",
        &["allowed"],
    );
    // Kings.
    refused(
        "base = \"english\"\nlanding = \"behind\"",
        "line 2, column 1: landing: kings that do not capture from afar",
        &["allowed: landing = \"any\", or king_captures_afar = true"],
    );
    refused(
        "landing = \"behind last king\"\nflying_kings = false",
        "line 1, column 1: landing: kings that do not",
        &["allowed"],
    );
    // Captures.
    refused(
        "captures = \"huffing\"",
        "line 1, column 1: captures: with huffing no capture goes before another; allowed: choice = [] with captures = \"huffing\"",
        &[],
    );
    refused(
        "base = \"english\"\ncaptures = \"huffing\"\nchoice = \"count\"",
        "line 3, column 1: choice: with huffing",
        &["allowed: choice = []"],
    );
    refused(
        "base = \"english\"\nscope = \"piece\"",
        "line 2, column 1: scope: the choice between captures is free",
        &["allowed: scope = \"all\""],
    );
    // Ends of the game.
    refused(
        "base = \"junior\"\ngoal = \"lose\"",
        "line 2, column 1: goal: more kings cannot win",
        &["allowed: kings_only = \"play on\""],
    );
    refused(
        "goal = \"lose\"\nkings_only = \"more wins\"",
        "line 2, column 1: kings_only: more kings cannot win",
        &["allowed"],
    );
    refused(
        "goal = \"first king\"\nkings_only = \"more wins\"",
        "line 2, column 1: kings_only: the game ends with the first king",
        &["allowed: kings_only = \"play on\""],
    );
}

#[test]
fn built_in_names_belong_to_built_in_rules() {
    refused(
        "name = \"english\"\nbase = \"english\"\nfirst = \"white\"",
        "line 1, column 8: name: found \"english\"; allowed: 1 to 40 letters",
        &["not the name of a built-in"],
    );
    refused("name = \"my rules\"", "line 1, column 8: name: found \"my rules\"; allowed", &[]);
    refused(&format!("name = \"{}\"", "a".repeat(41)), "line 1, column 8: name: found \"aaaa", &["allowed: 1 to 40"]);
    assert!(read("name = \"english\"\nbase = \"english\"").is_ok());
}

#[test]
fn single_rules_are_quoted_in_their_errors() {
    let english = Variant::find("english").unwrap();
    let error = |rules: &[&str]| with_rules(&english, rules).unwrap_err().to_string();
    assert_eq!(error(&["captures"]), "rule 'captures': no '='; expected FIELD=VALUE, such as captures=optional");
    assert_eq!(
        error(&["captures=perhaps"]),
        "rule 'captures=perhaps': captures: found \"perhaps\"; allowed: \"mandatory\", \"optional\" or \"huffing\""
    );
    assert!(error(&["capture=optional"]).starts_with(
        "rule 'capture=optional': unknown field 'capture', did you mean 'captures'?; allowed fields: board, rows"
    ));
    assert!(error(&["base=russian"]).starts_with("rule 'base=russian': unknown field 'base'"));
    assert!(error(&["rows="]).starts_with("rule 'rows=': rows: found \"\"; allowed: 1 to 5"));
    assert_eq!(
        error(&["rows=2", "rows=1"]),
        "rule 'rows=1': rows: given a second time, after rule 'rows=2'; allowed: once"
    );
    assert!(error(&["rows=2", "offset=2"]).starts_with("rule 'rows=2': rows: rows = 2 and offset = 2"));
    assert!(
        error(&["flying_kings=true", "king_captures_afar=false"])
            .contains("says other than king_captures_afar = false")
    );
    let mut set = english.set;
    let refused = apply(&mut set, "landing=behind").unwrap_err();
    assert!(
        matches!(refused, RuleFileError::Contradiction { place: Place::Rule(_), field: "landing", .. }),
        "{refused}"
    );
    assert_eq!(set, english.set, "a refused rule changes nothing");
}
