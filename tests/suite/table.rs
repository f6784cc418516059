//! The built-in rows against the records of the rule books.

use crate::data;
use damka::game::rules::RuleSet;
use damka::game::variant::Variant;

#[test]
fn every_built_in_row_has_the_move_rules_of_its_record() {
    let records = data::objects("records.jsonl");
    let mut compared = Vec::new();
    for record in &records {
        let id = record["id"].as_str().unwrap();
        let Some(variant) = Variant::find(id) else {
            continue;
        };
        // The record names the move rules, the table adds what a record does not say; so nothing may change.
        let expected: RuleSet = data::from_record(record, variant.set);
        assert_eq!(variant.set, expected, "{id}");
        compared.push(variant.id.clone());
    }
    for variant in Variant::all() {
        assert!(compared.contains(&variant.id), "{} has no record", variant.id);
    }
    assert!(compared.len() >= 32, "{} rows compared", compared.len());
}
