//! The parts of a match put together: one journal, and what the sequential test says of all pairs in their order.

use super::deviate::{Deviation, deviation};
use super::error::ArenaError;
use super::journal;
use super::record::Record;
use super::schedule::Schedule;
use super::sprt::{Decision, Sprt};
use super::standings::{Pairing, Standings};
use super::stats::{Interval, Pentanomial};
use crate::tools::common::shard::Manifest;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// Parts put together.
pub struct Merged {
    /// The journal of the match, to the pair that decided it.
    pub journal: String,
    /// Its games in PDN.
    pub pdn: String,
    /// What it came to.
    pub summary: Value,
    /// For the terminal.
    pub text: String,
}

/// The engines' part of a match's settings.
fn schedule(settings: &Value) -> Schedule {
    let engines = settings["engines"].as_array().map_or(0, Vec::len);
    Schedule::new(engines, 1, 1, settings["round_robin"] == true, 0)
}

/// The games of a part, in their order. Each that belongs to it must be there, once.
pub fn games(path: &Path, manifest: &Manifest) -> Result<Vec<Record>, ArenaError> {
    let mut records = journal::read(path)?;
    records.sort_by_key(|record| record.game);
    let own: Range<u64> = schedule(&manifest.settings).games_of(manifest.first..manifest.end);
    if !records.iter().map(|record| record.game).eq(own.clone()) {
        let place = format!("{} games", records.len());
        let why = format!("expected games {} to {}, each once", own.start + 1, own.end);
        return Err(ArenaError::content(path, place, why));
    }
    Ok(records)
}

/// Puts parts together that follow one another from the first; `complete` when they are all.
pub fn merge(parts: &[(Manifest, Vec<Record>)], complete: bool, sprt: Option<Sprt>) -> Result<Merged, ArenaError> {
    let settings = &parts[0].0.settings;
    let schedule = schedule(settings);
    let names: Vec<&str> =
        settings["engines"].as_array().into_iter().flatten().map(|e| e["name"].as_str().unwrap_or("?")).collect();
    if sprt.is_some() && names.len() != 2 {
        return Err(ArenaError::argument("--sprt", &format!("{} engines", names.len()), "two engines"));
    }
    let mut standings = Standings::new(names.len(), schedule.pairings(), sprt);
    let mut journal = format!("{}\n", journal::head(settings));
    let (mut pdn, mut decision, mut played) = (String::new(), Decision::Continue, 0);
    for record in parts.iter().flat_map(|(_, records)| records) {
        played += 1;
        if decision != Decision::Continue {
            continue;
        }
        journal += &format!("{}\n", serde_json::to_string(record).expect("a record is plain data"));
        pdn += &record.pdn;
        if standings.add(record)
            && let (Some(sprt), Some(pairing)) = (sprt, standings.pairings.first())
        {
            decision = sprt.decide(&pairing.score.pairs);
        }
    }
    let status = match decision {
        Decision::Continue if complete => "complete",
        decision => decision.name(),
    };
    let workers = workers(parts, &schedule);
    let mut text = format!("{status}: {} games", standings.games);
    if played > standings.games {
        text += &format!(", {} more were not needed", played - standings.games);
    }
    text.push('\n');
    for pairing in &standings.pairings {
        text += &line(pairing, &names);
    }
    for (name, pairs, deviation) in workers.iter().filter(|(.., d)| d.is_some_and(|d| d.deviates)) {
        let chance = deviation.map_or(0.0, |deviation| deviation.chance);
        text += &format!(
            "worker {name} deviates: pairs {:?}, a chance of {chance:.1e} if it is like the others\n",
            pairs.0
        );
    }
    let summary = json!({
        "status": status,
        "decided": decision != Decision::Continue,
        "accepted": sprt.map(|sprt| decision == Decision::H1 || decision == Decision::Continue && leans(&sprt, &standings)),
        "games": standings.games,
        "not_needed": played - standings.games,
        "parts": parts.len(),
        "of": parts[0].0.of,
        "faults": standings.engines.iter().map(|engine| engine.faults).collect::<Vec<_>>(),
        "pairings": standings.pairings.iter().map(|pairing| described(pairing, &names, sprt)).collect::<Vec<_>>(),
        "workers": workers.iter().map(|(name, pairs, deviation)| json!({
            "worker": name,
            "pentanomial": pairs.0,
            "chi_square": deviation.map(|deviation| deviation.chi_square),
            "chance": deviation.map(|deviation| deviation.chance),
            "deviates": deviation.is_some_and(|deviation| deviation.deviates),
        })).collect::<Vec<_>>(),
    });
    Ok(Merged { journal, pdn, summary, text })
}

/// Whether the test leans to the alternative where it has not decided.
fn leans(sprt: &Sprt, standings: &Standings) -> bool {
    standings.pairings.first().is_some_and(|pairing| sprt.llr(&pairing.score.pairs) > 0.0)
}

/// Each machine's pairs, and how they compare with the others'. Only a match of two engines has pairs that can be compared.
fn workers(parts: &[(Manifest, Vec<Record>)], schedule: &Schedule) -> Vec<(String, Pentanomial, Option<Deviation>)> {
    let mut workers: BTreeMap<&str, Standings> = BTreeMap::new();
    for (manifest, records) in parts {
        let standings =
            workers.entry(&manifest.worker).or_insert_with(|| Standings::new(2, &schedule.pairings()[..1], None));
        for record in records.iter().filter(|record| record.white.max(record.black) < 2) {
            standings.add(record);
        }
    }
    let pairs = |standings: &Standings| standings.pairings[0].score.pairs;
    let mut all = Pentanomial::default();
    for standings in workers.values() {
        (0..5).for_each(|i| all.0[i] += pairs(standings).0[i]);
    }
    let row = |(name, standings): (&&str, &Standings)| {
        let own = pairs(standings);
        let mut others = all;
        (0..5).for_each(|i| others.0[i] -= own.0[i]);
        (name.to_string(), own, deviation(&own, &others, workers.len()))
    };
    workers.iter().map(row).collect()
}

fn described(pairing: &Pairing, names: &[&str], sprt: Option<Sprt>) -> Value {
    let score = &pairing.score;
    let finite = |value: f64| value.is_finite().then_some(value);
    let elo = |elo: Interval| json!({ "value": finite(elo.value), "low": finite(elo.low), "high": finite(elo.high) });
    let test = |sprt: Sprt| {
        json!({
            "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
            "llr": sprt.llr(&score.pairs), "bounds": sprt.bounds(), "decision": sprt.decide(&score.pairs).name(),
        })
    };
    json!({
        "engines": [names[pairing.a], names[pairing.b]],
        "games": score.games(), "wins": score.wins, "draws": score.draws, "losses": score.losses,
        "pentanomial": score.pairs.0,
        "elo": score.pairs.elo().map(elo),
        "sprt": sprt.map(test),
    })
}

fn line(pairing: &Pairing, names: &[&str]) -> String {
    let score = &pairing.score;
    let elo =
        score.pairs.elo().map_or(String::new(), |e| format!(", Elo {:+.0} [{:+.0}, {:+.0}]", e.value, e.low, e.high));
    let (a, b) = (names[pairing.a], names[pairing.b]);
    format!("{a} - {b}: +{} ={} -{}, pairs {:?}{elo}\n", score.wins, score.draws, score.losses, score.pairs.0)
}
