//! The network in floating point, as it is trained: what it says of a position, and which way each number should go.

use super::random::Random;
use super::record::Record;
use crate::engine::net::{HIDDEN, INNER, MOST_INNER, MOST_OUTER, OUTER, Shape, View, Weights};
use rayon::prelude::*;

/// Parts into which the work on a batch is cut, whatever the number of threads: sums of floating point numbers depend on
/// their order.
const PARTS: usize = 8;

/// Most pieces on a board of 64 squares.
const MOST_PIECES: usize = 64;

/// A network in training. All its numbers stand in one list: first layer, its bias, output rows, output biases.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its measures.
    pub shape: Shape,
    /// Its numbers.
    pub params: Vec<f32>,
}

/// Where the parts of the list begin.
struct Places {
    bias: usize,
    output: usize,
    output_bias: usize,
    end: usize,
}

impl Places {
    fn new(shape: &Shape) -> Places {
        let bias = shape.inputs() * shape.hidden;
        let output = bias + shape.hidden;
        let output_bias = output + shape.buckets * 2 * shape.hidden;
        Places { bias, output, output_bias, end: output_bias + shape.buckets }
    }
}

/// The inputs that are on in a position, by view: the mover's and the other's.
struct Inputs {
    rows: [[u16; MOST_PIECES]; 2],
    count: usize,
}

impl Inputs {
    fn of(record: &Record, squares: usize) -> Inputs {
        let mut inputs = Inputs { rows: [[0; MOST_PIECES]; 2], count: 0 };
        for color in 0..2 {
            let mut set = record.sides[color];
            while set != 0 {
                let place = set.trailing_zeros() as usize;
                let king = (record.kings >> place & 1) as usize;
                set &= set - 1;
                for (nth, view) in [record.side, record.side.other()].into_iter().enumerate() {
                    inputs.rows[nth][inputs.count] = View::input(squares, view.index(), color, king, place) as u16;
                }
                inputs.count += 1;
            }
        }
        inputs
    }
}

/// What part of a batch came to.
struct Part {
    gradient: Vec<f32>,
    loss: f64,
}

impl Model {
    /// A network that knows nothing yet.
    pub fn new(shape: Shape, seed: u64) -> Model {
        let places = Places::new(&shape);
        let mut random = Random::new(seed, 0x6e65_7400);
        let mut params = vec![0.0; places.end];
        params[..places.bias].fill_with(|| 0.1 * random.signed());
        params[places.bias..places.output].fill(0.3);
        let spread = 1.0 / (2.0 * shape.hidden as f32).sqrt();
        params[places.output..places.output_bias].fill_with(|| spread * random.signed());
        Model { shape, params }
    }

    /// What the network says of a position, before the last curve: 0 is even, positive good for the mover.
    pub fn output(&self, record: &Record) -> f32 {
        match self.shape.hidden {
            32 => self.forward::<32>(&Inputs::of(record, self.shape.squares)).0,
            64 => self.forward::<64>(&Inputs::of(record, self.shape.squares)).0,
            128 => self.forward::<128>(&Inputs::of(record, self.shape.squares)).0,
            _ => self.forward::<256>(&Inputs::of(record, self.shape.squares)).0,
        }
    }

    fn forward<const H: usize>(&self, inputs: &Inputs) -> (f32, [[f32; H]; 2]) {
        let places = Places::new(&self.shape);
        let bucket = self.shape.bucket(inputs.count as u32);
        let mut sums = [[0.0; H]; 2];
        let mut output = self.params[places.output_bias + bucket];
        for (view, sums) in sums.iter_mut().enumerate() {
            sums.copy_from_slice(&self.params[places.bias..places.output]);
            for &row in &inputs.rows[view][..inputs.count] {
                let row = &self.params[row as usize * H..][..H];
                for (sum, weight) in sums.iter_mut().zip(row) {
                    *sum += weight;
                }
            }
            let weights = &self.params[places.output + (2 * bucket + view) * H..][..H];
            let mut lanes = [0.0f32; 8];
            for (chunk, weights) in sums.chunks_exact(8).zip(weights.chunks_exact(8)) {
                for lane in 0..8 {
                    let clipped = chunk[lane].clamp(0.0, 1.0);
                    lanes[lane] += clipped * clipped * weights[lane];
                }
            }
            output += lanes.iter().sum::<f32>();
        }
        (output, sums)
    }

    /// Adds to a gradient what one position says; gives its loss.
    fn backward<const H: usize>(&self, record: &Record, target: f32, gradient: &mut [f32]) -> f64 {
        let places = Places::new(&self.shape);
        let inputs = Inputs::of(record, self.shape.squares);
        let (output, sums) = self.forward::<H>(&inputs);
        let error = sigmoid(output) - target;
        let bucket = self.shape.bucket(inputs.count as u32);
        gradient[places.output_bias + bucket] += error;
        for (view, sums) in sums.iter().enumerate() {
            let at = places.output + (2 * bucket + view) * H;
            let weights = &self.params[at..at + H];
            let mut slope = [0.0; H];
            for unit in 0..H {
                let clipped = sums[unit].clamp(0.0, 1.0);
                let inside = if sums[unit] > 0.0 && sums[unit] < 1.0 { 1.0 } else { 0.0 };
                slope[unit] = inside * 2.0 * clipped * weights[unit] * error;
            }
            for (unit, value) in gradient[at..at + H].iter_mut().enumerate() {
                let clipped = sums[unit].clamp(0.0, 1.0);
                *value += clipped * clipped * error;
            }
            for (value, slope) in gradient[places.bias..places.output].iter_mut().zip(&slope) {
                *value += slope;
            }
            for &row in &inputs.rows[view][..inputs.count] {
                for (value, slope) in gradient[row as usize * H..][..H].iter_mut().zip(&slope) {
                    *value += slope;
                }
            }
        }
        cross_entropy(output, target)
    }

    /// The gradient of a batch, the mean over its positions, and the sum of their losses.
    pub fn gradient(&self, batch: &[Record], target: &(impl Fn(&Record) -> f32 + Sync)) -> (Vec<f32>, f64) {
        let size = batch.len().div_ceil(PARTS).max(1);
        let parts: Vec<Part> = batch.par_chunks(size).map(|records| self.part(records, target)).collect();
        let mut gradient = vec![0.0; self.params.len()];
        for part in &parts {
            for (sum, value) in gradient.iter_mut().zip(&part.gradient) {
                *sum += value;
            }
        }
        let share = 1.0 / batch.len() as f32;
        gradient.iter_mut().for_each(|value| *value *= share);
        (gradient, parts.iter().map(|part| part.loss).sum())
    }

    fn part(&self, records: &[Record], target: &(impl Fn(&Record) -> f32 + Sync)) -> Part {
        let mut gradient = vec![0.0; self.params.len()];
        let backward = match self.shape.hidden {
            32 => Model::backward::<32>,
            64 => Model::backward::<64>,
            128 => Model::backward::<128>,
            _ => Model::backward::<256>,
        };
        let loss = records.iter().map(|record| backward(self, record, target(record), &mut gradient)).sum();
        Part { gradient, loss }
    }

    /// Mean loss over positions.
    pub fn loss(&self, records: &[Record], target: &(impl Fn(&Record) -> f32 + Sync)) -> f64 {
        let one = |record: &Record| cross_entropy(self.output(record), target(record));
        let sums: Vec<f64> = records.par_chunks(4096).map(|chunk| chunk.iter().map(one).sum::<f64>()).collect();
        sums.iter().sum::<f64>() / records.len().max(1) as f64
    }

    /// Keeps all numbers where their whole-number forms can be.
    pub fn clip(&mut self) {
        let places = Places::new(&self.shape);
        let inner = f32::from(MOST_INNER) / INNER as f32;
        let outer = f32::from(MOST_OUTER) / OUTER as f32;
        self.params[..places.output].iter_mut().for_each(|value| *value = value.clamp(-inner, inner));
        self.params[places.output..].iter_mut().for_each(|value| *value = value.clamp(-outer, outer));
    }

    /// The whole-number form, for `scale` hundredths of a man to an output of 1.
    pub fn weights(&self, scale: f64) -> Weights {
        let places = Places::new(&self.shape);
        let whole = |values: &[f32], one: i32| {
            values.iter().map(|value| (value * one as f32).round() as i16).collect::<Vec<_>>()
        };
        let bias = |value: &f32| (value * (INNER * OUTER) as f32).round() as i32;
        Weights {
            first: whole(&self.params[..places.bias], INNER),
            bias: whole(&self.params[places.bias..places.output], INNER),
            output: whole(&self.params[places.output..places.output_bias], OUTER),
            output_bias: self.params[places.output_bias..].iter().map(bias).collect(),
            scale: scale.round() as i32,
        }
    }

    /// The network with its numbers rounded to those of the whole-number form.
    pub fn rounded(&self) -> Model {
        let places = Places::new(&self.shape);
        let mut rounded = self.clone();
        let round = |values: &mut [f32], one: i32| {
            values.iter_mut().for_each(|value| *value = (*value * one as f32).round() / one as f32);
        };
        round(&mut rounded.params[..places.output], INNER);
        round(&mut rounded.params[places.output..places.output_bias], OUTER);
        rounded
    }
}

/// Whether a first layer of that width can be trained.
pub fn can_be_hidden(width: usize) -> bool {
    HIDDEN.contains(&width)
}

/// From an output to an expected result, 0 to 1.
pub fn sigmoid(output: f32) -> f32 {
    1.0 / (1.0 + (-output).exp())
}

/// Loss of an output against an expected result.
fn cross_entropy(output: f32, target: f32) -> f64 {
    // ln(1 + e^x) without overflow.
    let softplus = output.max(0.0) + (-output.abs()).exp().ln_1p();
    f64::from(softplus - target * output)
}

/// Adam. After: Kingma and Ba, Adam: A Method for Stochastic Optimization (2014).
pub struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    /// For so many numbers.
    pub fn new(count: usize) -> Adam {
        Adam { mean: vec![0.0; count], square: vec![0.0; count], steps: 0 }
    }

    /// Moves the numbers one step against their gradient.
    pub fn step(&mut self, params: &mut [f32], gradient: &[f32], rate: f32) {
        const MEAN: f32 = 0.9;
        const SQUARE: f32 = 0.999;
        self.steps += 1;
        let rate = rate * (1.0 - SQUARE.powi(self.steps)).sqrt() / (1.0 - MEAN.powi(self.steps));
        for (((param, &slope), mean), square) in
            params.iter_mut().zip(gradient).zip(&mut self.mean).zip(&mut self.square)
        {
            *mean = MEAN * *mean + (1.0 - MEAN) * slope;
            *square = SQUARE * *square + (1.0 - SQUARE) * slope * slope;
            *param -= rate * *mean / (square.sqrt() + 1e-8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::Color;

    fn shape() -> Shape {
        Shape { squares: 32, hidden: 32, buckets: 4, pieces: 24 }
    }

    fn record(seed: u64) -> Record {
        let mut random = Random::new(seed, 1);
        let [a, b, kings] = [random.next() as u32, random.next() as u32, random.next() as u32].map(u64::from);
        let side = if random.one_in(2) { Color::White } else { Color::Black };
        Record { sides: [a & !b, b & !a], kings: kings & (a ^ b), score: 0, result: 1, ply: 0, side, game: 0 }
    }

    /// The gradient is what a small change of each number does to the loss.
    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let mut model = Model::new(shape(), 5);
        let mut random = Random::new(9, 9);
        model.params.iter_mut().for_each(|value| *value += 0.05 * random.signed());
        let records = [record(1), record(2), record(3)];
        let target = |record: &Record| if record.side == Color::White { 0.8 } else { 0.3 };
        let (gradient, _) = model.gradient(&records, &target);
        let mut compared = 0;
        for place in (0..model.params.len()).step_by(13) {
            let loss_at = |change: f32| {
                let mut moved = model.clone();
                moved.params[place] += change;
                moved.loss(&records, &target)
            };
            let slope = (loss_at(1e-2) - loss_at(-1e-2)) / 2e-2;
            let difference = (slope - f64::from(gradient[place])).abs();
            assert!(difference < 2e-3 + 0.05 * slope.abs(), "{place}: {slope} {}", gradient[place]);
            compared += usize::from(slope.abs() > 1e-3);
        }
        assert!(compared > 10, "{compared}");
    }

    #[test]
    fn the_same_work_in_any_number_of_threads_gives_the_same_bits() {
        let model = Model::new(shape(), 5);
        let records: Vec<Record> = (0..500).map(record).collect();
        let target = |record: &Record| record.sides[0].count_ones() as f32 / 32.0;
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| model.gradient(&records, &target).0)
        };
        assert_eq!(with(1), with(3));
    }

    /// A rule that the network can express is learned: more pieces win.
    #[test]
    fn it_learns_to_count() {
        let mut model = Model::new(shape(), 5);
        let mut adam = Adam::new(model.params.len());
        let records: Vec<Record> = (0..4_000).map(record).collect();
        let target = |record: &Record| {
            let [white, black] = record.sides.map(|side| side.count_ones() as f32);
            let balance = if record.side == Color::White { white - black } else { black - white };
            sigmoid(balance)
        };
        let before = model.loss(&records, &target);
        for _ in 0..30 {
            for batch in records.chunks(500) {
                let (gradient, _) = model.gradient(batch, &target);
                adam.step(&mut model.params, &gradient, 3e-3);
                model.clip();
            }
        }
        let (after, rounded) = (model.loss(&records, &target), model.rounded().loss(&records, &target));
        assert!(after < before - 0.1, "{before} {after}");
        assert!((after - rounded).abs() < 0.01, "{after} {rounded}");
        let right = records.iter().filter(|record| (model.output(record) > 0.0) == (target(record) > 0.5)).count();
        assert!(right > 3_600, "{right}");
    }
}
