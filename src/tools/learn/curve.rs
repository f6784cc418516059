//! The curve of the losses, as a picture.

use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 320.0;
const EDGE: f64 = 60.0;

/// Losses after each epoch, on what was learned and on what was held out, as an SVG document.
pub fn draw(losses: &[(f64, f64)]) -> String {
    let values = || losses.iter().flat_map(|&(one, two)| [one, two]);
    let (low, high) = values().fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    let span = (high - low).max(1e-9);
    let last = losses.len().saturating_sub(1).max(1) as f64;
    let x = |epoch: usize| EDGE + (WIDTH - 2.0 * EDGE) * epoch as f64 / last;
    let y = |value: f64| EDGE + (HEIGHT - 2.0 * EDGE) * (high - value) / span;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    // Writing to a string does not fail.
    for tick in 0..=4 {
        let value = low + span * f64::from(tick) / 4.0;
        let (at, left) = (y(value), EDGE - 6.0);
        let _ = writeln!(
            out,
            "<line x1=\"{EDGE}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>",
            WIDTH - EDGE
        );
        let _ = writeln!(out, "<text x=\"{left}\" y=\"{:.1}\" text-anchor=\"end\">{value:.4}</text>", at + 4.0);
    }
    let [seen, apart]: [Vec<f64>; 2] =
        [losses.iter().map(|pair| pair.0).collect(), losses.iter().map(|pair| pair.1).collect()];
    let series = [("learned", "#888", seen), ("held out", "#06c", apart)];
    for (place, (name, color, values)) in series.into_iter().enumerate() {
        let points: Vec<String> =
            values.iter().enumerate().map(|(epoch, value)| format!("{:.1},{:.1}", x(epoch), y(*value))).collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
        let at = EDGE + 110.0 * place as f64;
        let _ = writeln!(out, "<text x=\"{at}\" y=\"30\" fill=\"{color}\">loss, {name}</text>");
    }
    let (middle, bottom) = (WIDTH / 2.0, HEIGHT - 16.0);
    let _ = writeln!(
        out,
        "<text x=\"{middle}\" y=\"{bottom}\" text-anchor=\"middle\">epoch 1 to {}</text>\n</svg>",
        losses.len()
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lines_are_drawn_inside_the_picture() {
        let svg = draw(&[(0.6, 0.65), (0.5, 0.6), (0.45, 0.59)]);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains("60.0,") && svg.contains("660.0,") && svg.ends_with("</svg>\n"));
        assert!(draw(&[]).contains("epoch 1 to 0"));
    }
}
