//! A line with a band around it, drawn as SVG.

use std::fmt::Write;

/// What is drawn: for each place along the bottom a low, a middle and a high value.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    pub title: String,
    pub bottom: String,
    pub points: Vec<(f64, [f64; 3])>,
    /// Levels drawn across, with their names.
    pub levels: Vec<(f64, String)>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 280.0;
/// Room for the numbers at the left and below.
const LEFT: f64 = 56.0;
const BELOW: f64 = 34.0;
const ABOVE: f64 = 26.0;
/// Most points drawn; of more, some are left out.
const MOST_POINTS: usize = 400;

impl Chart {
    /// The chart as an `<svg>` element; it takes the width there is.
    pub fn svg(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        write!(out, "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">", escape(&self.title))?;
        write!(out, "<text x=\"{LEFT}\" y=\"16\" class=\"title\">{}</text>", escape(&self.title))?;
        let points = thinned(&self.points);
        let scale = Scale::of(&points, &self.levels);
        for tick in scale.ticks() {
            let y = scale.y(tick);
            write!(out, "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>")?;
            write!(
                out,
                "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
                LEFT - 6.0,
                y + 4.0
            )?;
        }
        for (level, name) in &self.levels {
            let y = scale.y(*level);
            write!(out, "<line class=\"level\" x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>")?;
            write!(
                out,
                "<text class=\"tick\" x=\"{WIDTH}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                y - 4.0,
                escape(name)
            )?;
        }
        let place = |(x, y): (f64, f64)| format!("{:.1},{:.1}", scale.x(x), scale.y(y));
        let low = points.iter().map(|(x, values)| place((*x, values[0])));
        let high = points.iter().rev().map(|(x, values)| place((*x, values[2])));
        let band: Vec<String> = low.chain(high).collect();
        let line: Vec<String> = points.iter().map(|(x, values)| place((*x, values[1]))).collect();
        write!(out, "<polygon class=\"band\" points=\"{}\"/>", band.join(" "))?;
        write!(out, "<polyline class=\"line\" points=\"{}\"/>", line.join(" "))?;
        let foot = HEIGHT - 6.0;
        write!(out, "<text class=\"tick\" x=\"{LEFT}\" y=\"{foot}\">{}</text>", scale.first)?;
        let bottom = format!("{} {}", scale.last, escape(&self.bottom));
        write!(out, "<text class=\"tick\" x=\"{WIDTH}\" y=\"{foot}\" text-anchor=\"end\">{bottom}</text></svg>")
    }
}

/// At most [`MOST_POINTS`] of the points, the last among them.
fn thinned(points: &[(f64, [f64; 3])]) -> Vec<(f64, [f64; 3])> {
    let step = points.len().div_ceil(MOST_POINTS).max(1);
    let mut kept: Vec<_> = points.iter().rev().step_by(step).copied().collect();
    kept.reverse();
    kept
}

struct Scale {
    first: f64,
    last: f64,
    low: f64,
    high: f64,
}

impl Scale {
    /// Shows every middle value, the last band and all levels; bands of the beginning may go beyond.
    fn of(points: &[(f64, [f64; 3])], levels: &[(f64, String)]) -> Scale {
        /// Values beyond are drawn at the edge.
        const MOST: f64 = 1500.0;
        let settled = &points[points.len() / 10..];
        let middle = settled.iter().map(|(_, values)| values[1]);
        let ends = points.last().map(|(_, values)| *values).into_iter().flatten();
        let all = middle.chain(ends).chain(levels.iter().map(|(level, _)| *level));
        let (low, high) =
            all.filter(|value| !value.is_nan()).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                let value = value.clamp(-MOST, MOST);
                (low.min(value), high.max(value))
            });
        let (low, high) = if low > high { (-1.0, 1.0) } else { (low, high) };
        let room = ((high - low) * 0.1).max(0.5);
        let ends = points.first().zip(points.last()).map_or((0.0, 1.0), |(first, last)| (first.0, last.0));
        Scale { first: ends.0, last: ends.1, low: low - room, high: high + room }
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + (value - self.first) / (self.last - self.first).max(1e-9) * (WIDTH - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        let value = if value.is_nan() { 0.0 } else { value }.clamp(self.low, self.high);
        ABOVE + (self.high - value) / (self.high - self.low) * (HEIGHT - ABOVE - BELOW)
    }

    /// Round numbers over the height: about five.
    fn ticks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|step| *step >= rough).unwrap_or(10.0 * power);
        let count = ((self.high - self.low) / step) as i64 + 1;
        let first = (self.low / step).ceil();
        let tick = |index: i64| ((first + index as f64) * step * 1e6).round() / 1e6 + 0.0;
        (0..=count).map(tick).filter(|tick| *tick <= self.high).collect()
    }
}

/// Text for HTML and SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(svg: &str) -> bool {
        !svg.contains("NaN") && !svg.contains("inf")
    }

    #[test]
    fn every_chart_is_finite() {
        let infinite = [f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY];
        for points in [vec![], vec![(2.0, infinite)], vec![(2.0, infinite), (4.0, [-50.0, 10.0, 70.0])]] {
            let chart = Chart { title: "A <b>".into(), points, levels: vec![(0.0, "0".into())], ..Chart::default() };
            let svg = chart.svg();
            assert!(numbers(&svg) && svg.contains("A &lt;b&gt;") && svg.ends_with("</svg>"), "{svg}");
        }
    }

    #[test]
    fn long_matches_are_thinned_and_keep_their_end() {
        let points: Vec<_> = (0..10_001).map(|index| (f64::from(index), [0.0, 1.0, 2.0])).collect();
        let kept = thinned(&points);
        assert!(kept.len() <= MOST_POINTS && kept.last() == points.last());
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let scale = Scale { first: 0.0, last: 1.0, low: -37.0, high: 112.0 };
        assert_eq!(scale.ticks(), [0.0, 50.0, 100.0]);
        assert!(scale.y(-37.0) > scale.y(112.0));
    }
}
