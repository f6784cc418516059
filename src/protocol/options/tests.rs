use super::*;

fn fresh() -> Choices {
    Choices::new(Variant::find("international").expect("built in"))
}

#[test]
fn listings_follow_the_form_of_uci() {
    let mut defaults = fresh();
    defaults.engine.threads = 2;
    let listing: Vec<String> = ROWS.iter().map(|row| row.listing(&defaults)).collect();
    assert_eq!(listing[0], "option name Hash type spin default 64 min 1 max 65536");
    assert_eq!(listing[1], "option name Threads type spin default 2 min 1 max 256");
    assert!(listing[4].starts_with("option name UCI_Variant type combo default international var international var "));
    assert_eq!(listing[5], "option name RulesFile type string default <empty>");
    assert_eq!(listing[8], "option name Clear Hash type button");
    assert!(
        listing.contains(&"option name UCI_MoveFormat type combo default pdn var pdn var full var hub".to_string())
    );
}

#[test]
fn every_bound_is_kept_and_the_old_value_too() {
    for row in &ROWS {
        let Kind::Spin { min, max, get, .. } = &row.kind else { continue };
        let mut choices = fresh();
        for good in [*min, *max] {
            set(&mut choices, row.name, Some(&good.to_string())).expect("inside the bounds");
            assert_eq!(get(&choices), good, "{}", row.name);
        }
        for bad in [(min - 1).to_string(), (max + 1).to_string(), "x".into(), "".into(), "9".repeat(30)] {
            let error = set(&mut choices, row.name, Some(&bad)).expect_err("outside the bounds").to_string();
            assert!(error.contains(&format!("from {min} to {max}")) && error.contains(row.name), "{error}");
            assert_eq!(get(&choices), *max, "{}", row.name);
        }
    }
}

#[test]
fn values_of_every_other_kind_are_read() {
    let mut choices = fresh();
    assert_eq!(set(&mut choices, "uci_variant", Some("Russian")), Ok(Effect::Variant));
    assert_eq!(choices.named.id, "russian");
    assert_eq!(set(&mut choices, "UCI_SHOWWDL", Some("TRUE")), Ok(Effect::None));
    assert!(choices.show_wdl);
    assert_eq!(set(&mut choices, "rulesfile", Some("a b.toml")), Ok(Effect::RulesFile));
    assert_eq!(choices.rules_file, "a b.toml");
    assert_eq!(set(&mut choices, "RulesFile", Some("<empty>")), Ok(Effect::RulesFile));
    assert_eq!(choices.rules_file, "");
    assert_eq!(set(&mut choices, "clear hash", None), Ok(Effect::Clear));
    let mut error = |name, value| set(&mut choices, name, value).expect_err("a bad value").to_string();
    assert!(error("Depth", Some("3")).starts_with("no option 'Depth', expected one of: Hash, Threads, "));
    assert_eq!(error("Ponder", Some("maybe")), "option Ponder: 'maybe' was read, expected true or false");
    assert_eq!(error("Hash", None), "option Hash: no value was read, expected a whole number from 1 to 65536");
    assert!(error("UCI_Variant", Some("go")).starts_with("option UCI_Variant: 'go' was read, expected one of: int"));
}

#[test]
fn numbers_of_the_search_can_be_tuned_within_their_bounds() {
    let mut choices = fresh();
    for knob in Params::KNOBS {
        assert_eq!(choices.engine.params.get(knob.name), Some(knob.default), "{}", knob.name);
        assert!((knob.min..=knob.max).contains(&knob.default), "{}", knob.name);
        let name = format!("tune.{}", knob.name.to_uppercase());
        assert_eq!(set(&mut choices, &name, Some(&knob.max.to_string())), Ok(Effect::Engine));
        assert_eq!(choices.engine.params.get(knob.name), Some(knob.max), "{}", knob.name);
        let error = set(&mut choices, &name, Some(&(knob.max + 1).to_string())).expect_err("too much").to_string();
        assert!(error.contains(&format!("from {} to {}", knob.min, knob.max)), "{error}");
        assert!(set(&mut choices, &name, None).is_err());
    }
    let error = set(&mut choices, "Tune.nothing", Some("1")).expect_err("unknown").to_string();
    assert!(error.starts_with("no option 'Tune.nothing'"), "{error}");
}

#[test]
fn the_weaker_of_level_and_elo_counts_but_not_in_analysis() {
    let mut choices = fresh();
    let (low, high) = (ELO.0.to_string(), ELO.1.to_string());
    for (name, value, level) in [
        ("UCI_Elo", low.as_str(), 2_000),
        ("UCI_LimitStrength", "true", 0),
        ("UCI_Elo", &high, 2_000),
        ("Skill Level", "4", 400),
        ("UCI_Elo", &low, 0),
        ("UCI_AnalyseMode", "true", 2_000),
    ] {
        set(&mut choices, name, Some(value)).expect("a good value");
        assert_eq!(choices.level(), level, "{name} {value}");
    }
    let moves = Limits { nodes: Some(100), ..Limits::default() };
    assert_eq!(choices.handicap(&moves), None);
    choices.analyse = false;
    assert!(choices.handicap(&moves).is_some());
    assert_eq!(choices.handicap(&Limits { infinite: true, ..Limits::default() }), None, "analysis");
    assert_eq!(choices.handicap(&Limits { mate: Some(3), ..Limits::default() }), None, "analysis");
}

#[test]
fn a_seed_fixes_the_choices_of_a_level() {
    let mut choices = fresh();
    choices.skill = 3;
    let limits = Limits::default();
    assert_ne!(choices.handicap(&limits), choices.handicap(&limits));
    set(&mut choices, "Skill Seed", Some("7")).expect("a good value");
    assert_eq!(choices.handicap(&limits), choices.handicap(&limits));
}
