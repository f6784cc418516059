//! The result of a match as one HTML file that needs nothing else.

use super::report::{PairingReport, Report};
use super::svg::{Chart, escape};
use std::fmt::Write;

/// Colours follow the reader's preference; tables scroll on a narrow screen.
const STYLE: &str = "
:root{color-scheme:light dark;--text:#1c1c1c;--back:#fcfcfa;--soft:#8a8a84;--grid:#e4e4de;--line:#1f6feb;--bad:#b42318}
@media(prefers-color-scheme:dark){:root{--text:#e8e8e4;--back:#161614;--soft:#8f8f88;--grid:#33332f;--line:#6ea8fe;--bad:#ff8a7a}}
*{box-sizing:border-box}body{margin:0 auto;padding:1rem;max-width:56rem;font:16px/1.5 system-ui,sans-serif;color:var(--text);background:var(--back)}
h1{font-size:1.4rem;margin:.2rem 0}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}p{margin:.3rem 0}.soft{color:var(--soft)}.big{font-size:1.2rem;font-weight:600}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;white-space:nowrap}
td,th{padding:.25rem .6rem;border-bottom:1px solid var(--grid);text-align:right;font-weight:400}th{color:var(--soft)}td:first-child,th:first-child{text-align:left}
svg{width:100%;height:auto;display:block;margin:.6rem 0}svg text{fill:var(--text);font:13px system-ui,sans-serif}svg .title{font-weight:600}svg .tick{fill:var(--soft);font-size:12px}
.grid{stroke:var(--grid)}.level{stroke:var(--soft);stroke-dasharray:5 4}.band{fill:var(--line);opacity:.18}.line{fill:none;stroke:var(--line);stroke-width:2;stroke-linejoin:round}
details{margin:.4rem 0}summary{cursor:pointer;color:var(--bad)}pre{overflow-x:auto;font-size:.8rem;background:var(--grid);padding:.6rem;border-radius:.3rem}
";

/// Most pairings that get a chart.
const MOST_CHARTS: usize = 12;

/// Draws the page.
pub fn page(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_page(&mut out, report);
    out
}

fn write_page(out: &mut String, report: &Report) -> std::fmt::Result {
    let names: Vec<String> = report.ranking.iter().map(|engine| escape(&engine.name)).collect();
    let title = if let [pairing] = &report.pairings[..] {
        pairing.engines.iter().map(|name| escape(name)).collect::<Vec<_>>().join(" – ")
    } else {
        names.join(", ")
    };
    write!(out, "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")?;
    write!(out, "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")?;
    write!(out, "<title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1>")?;
    let (variant, status) = (escape(&report.variant), escape(&report.status));
    write!(out, "<p class=\"soft\">{variant}, {} of {} games, {status}</p>", report.games, report.planned)?;
    for pairing in report.pairings.iter().take(MOST_CHARTS) {
        write_pairing(out, pairing)?;
    }
    if report.ranking.len() > 2 {
        write_crosstable(out, report)?;
    }
    write_engines(out, report)?;
    write_endings(out, report)?;
    write_failures(out, report)?;
    writeln!(out, "</body></html>")
}

fn write_pairing(out: &mut String, pairing: &PairingReport) -> std::fmt::Result {
    let [a, b] = &pairing.engines;
    let PairingReport { wins, draws, losses, games, .. } = pairing;
    write!(out, "<h2>{} against {}</h2>", escape(a), escape(b))?;
    write!(out, "<p class=\"big\">{}</p>", escape(&pairing.strength()))?;
    write!(out, "<p>{games} games: +{wins} ={draws} −{losses}, {:.1} %</p>", pairing.percent())?;
    if let Some(sprt) = &pairing.sprt {
        write!(out, "<p>{}</p>", escape(&sprt.words()))?;
    }
    write!(
        out,
        "<div class=\"scroll\"><table><tr><th>points of a pair</th><th>0</th><th>½</th><th>1</th><th>1½</th><th>2</th></tr>"
    )?;
    let cells: String = pairing.pentanomial.0.iter().map(|count| format!("<td>{count}</td>")).collect();
    write!(out, "<tr><td>pairs</td>{cells}</tr></table></div>")?;
    let history = &pairing.history;
    let chart =
        |title: &str, points, levels| Chart { title: title.to_string(), bottom: "games".into(), points, levels };
    let elo = history.iter().map(|p| (p.games as f64, [p.elo.low, p.elo.value, p.elo.high])).collect();
    out.push_str(&chart("Elo difference, with its 95 % interval", elo, vec![(0.0, String::new())]).svg());
    let score = |elo: f64| super::stats::score_of(elo) * 100.0;
    let percent = history.iter().map(|p| (p.games as f64, [p.elo.low, p.elo.value, p.elo.high].map(score))).collect();
    out.push_str(&chart("Score in percent", percent, vec![(50.0, String::new())]).svg());
    if let Some(sprt) = &pairing.sprt {
        let llr = history.iter().filter_map(|p| p.llr.map(|llr| (p.games as f64, [llr; 3]))).collect();
        let levels = vec![(sprt.bounds.0, "H0".to_string()), (sprt.bounds.1, "H1".to_string())];
        out.push_str(&chart("Log-likelihood ratio of the test", llr, levels).svg());
    }
    Ok(())
}

fn write_crosstable(out: &mut String, report: &Report) -> std::fmt::Result {
    write!(out, "<h2>Crosstable</h2><div class=\"scroll\"><table><tr><th></th><th>points</th><th>Elo</th>")?;
    for place in 1..=report.ranking.len() {
        write!(out, "<th>{place}</th>")?;
    }
    write!(out, "</tr>")?;
    for (place, (engine, row)) in report.ranking.iter().zip(&report.crosstable).enumerate() {
        let elo =
            engine.elo.map_or("?".to_string(), |elo| format!("{:+.0} [{:+.0}, {:+.0}]", elo.value, elo.low, elo.high));
        let name = escape(&engine.name);
        write!(out, "<tr><td>{}. {name}</td><td>{}/{}</td><td>{elo}</td>", place + 1, engine.points, engine.games)?;
        for cell in row {
            match cell {
                Some((wins, draws, losses)) => write!(out, "<td>+{wins} ={draws} −{losses}</td>")?,
                None => write!(out, "<td>·</td>")?,
            }
        }
        write!(out, "</tr>")?;
    }
    write!(out, "</table></div>")
}

fn write_engines(out: &mut String, report: &Report) -> std::fmt::Result {
    write!(out, "<h2>Engines</h2><div class=\"scroll\"><table><tr><th>name</th><th>time control</th><th>points</th>")?;
    write!(out, "<th>ms a move</th><th>depth</th><th>nodes a second</th><th>faults</th></tr>")?;
    for engine in &report.ranking {
        let number = |value: Option<f64>, digits: usize| value.map_or("?".into(), |value| format!("{value:.digits$}"));
        write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}/{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&engine.name),
            escape(&engine.time_control),
            engine.points,
            engine.games,
            number(engine.milliseconds_per_move, 1),
            number(engine.mean_depth, 1),
            number(engine.nodes_per_second, 0),
            engine.faults
        )?;
    }
    write!(out, "</table></div>")
}

fn write_endings(out: &mut String, report: &Report) -> std::fmt::Result {
    write!(out, "<h2>How games ended</h2><table>")?;
    for (reason, count) in &report.endings {
        write!(out, "<tr><td>{}</td><td>{count}</td></tr>", escape(reason))?;
    }
    write!(out, "</table>")
}

fn write_failures(out: &mut String, report: &Report) -> std::fmt::Result {
    if report.failures.is_empty() {
        return Ok(());
    }
    write!(out, "<h2>Faults</h2>")?;
    for failure in &report.failures {
        let (engine, detail) = (escape(&failure.engine), escape(&failure.detail));
        write!(out, "<details><summary>game {}: {engine}, {}</summary><p>{detail}</p>", failure.game, failure.kind)?;
        write!(out, "<pre>{}</pre></details>", escape(&failure.transcript.join("\n")))?;
    }
    Ok(())
}
