//! Networks as files, `.net`: written by training, read by `EvalFile` and embedded in the program.
//!
//! All numbers are little-endian. `DAMKANET`, version (u16), hidden, squares, buckets, pieces (u16 each), rules (u64), scale (i32), margins
//! and spreads of its [`Odds`] (two i16 each), length of the text (u16), the text; then the first layer, its bias and the output rows (i16 each), the output biases
//! (i32 each); last the CRC-32 of everything before.

use super::{HIDDEN, MOST_INNER, MOST_OUTER, Net, Odds, Shape, Weights};

const MAGIC: &[u8; 8] = b"DAMKANET";
const VERSION: u16 = 1;
/// Longest text in a file.
const LONGEST_TEXT: usize = 4_000;

/// Why a network cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadNet {
    #[error("not a network: it does not begin with DAMKANET")]
    Magic,
    #[error("network of version {0}, expected version 1")]
    Version(u16),
    #[error("the network ends after {found} bytes, expected {expected}")]
    Length { found: usize, expected: usize },
    #[error("the network is damaged: checksum {found:08x}, expected {expected:08x}")]
    Checksum { found: u32, expected: u32 },
    #[error("a first layer of {0} was read, expected 32, 64, 128 or 256")]
    Hidden(usize),
    #[error("a network of {squares} squares, {buckets} output rows and {pieces} pieces was read, which no board needs")]
    Shape { squares: usize, buckets: usize, pieces: usize },
    #[error("a weight of {found} was read, expected at most {most} in size")]
    Weight { found: i64, most: i64 },
    #[error("the text of the network is not UTF-8, or longer than 4000 bytes")]
    Text,
    #[error("the network is for other rules: {found:016x} was read, expected {expected:016x}")]
    Rules { found: u64, expected: u64 },
    #[error("the network is for {found} squares, expected {expected}")]
    Squares { found: usize, expected: usize },
}

/// Takes values off the front of a file.
struct Reader<'a> {
    rest: &'a [u8],
    all: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], BadNet> {
        let Some((head, rest)) = self.rest.split_at_checked(count) else {
            let expected = self.all - self.rest.len() + count;
            return Err(BadNet::Length { found: self.all, expected });
        };
        self.rest = rest;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BadNet> {
        Ok(self.take(N)?.try_into().expect("as many bytes as were taken"))
    }

    fn u16(&mut self) -> Result<u16, BadNet> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    fn i16s(&mut self, count: usize) -> Result<Vec<i16>, BadNet> {
        let bytes = self.take(2 * count)?;
        Ok(bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
    }
}

impl Net {
    /// Reads a network.
    pub fn read(bytes: &[u8]) -> Result<Net, BadNet> {
        let mut reader = Reader { rest: bytes, all: bytes.len() };
        if bytes.get(..8) != Some(MAGIC.as_slice()) {
            return Err(BadNet::Magic);
        }
        reader.take(8)?;
        let version = reader.u16()?;
        if version != VERSION {
            return Err(BadNet::Version(version));
        }
        let [hidden, squares, buckets, pieces] =
            [reader.u16()?, reader.u16()?, reader.u16()?, reader.u16()?].map(usize::from);
        let shape = Shape { squares, hidden, buckets, pieces };
        check_shape(&shape)?;
        let rules = u64::from_le_bytes(reader.array()?);
        let scale = i32::from_le_bytes(reader.array()?);
        let numbers = reader.i16s(4)?;
        let odds = Odds { margin: [numbers[0], numbers[1]], spread: [numbers[2], numbers[3]] };
        let length = reader.u16()? as usize;
        if length > LONGEST_TEXT {
            return Err(BadNet::Text);
        }
        let text = String::from_utf8(reader.take(length)?.to_vec()).map_err(|_| BadNet::Text)?;
        let first = reader.i16s(shape.inputs() * hidden)?;
        let bias = reader.i16s(hidden)?;
        let output = reader.i16s(buckets * 2 * hidden)?;
        let output_bias = (0..buckets).map(|_| Ok(i32::from_le_bytes(reader.array()?))).collect::<Result<_, _>>()?;
        let body = bytes.len() - reader.rest.len();
        let (found, expected) = (u32::from_le_bytes(reader.array()?), crc32fast::hash(&bytes[..body]));
        if !reader.rest.is_empty() {
            return Err(BadNet::Length { found: bytes.len(), expected: body + 4 });
        }
        if found != expected {
            return Err(BadNet::Checksum { found, expected });
        }
        Net::new(shape, rules, text, odds, Weights { first, bias, output, output_bias, scale })
    }

    /// The network as the bytes of a file.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let shape = &self.shape;
        let sizes = [VERSION as usize, shape.hidden, shape.squares, shape.buckets, shape.pieces];
        bytes.extend(sizes.iter().flat_map(|&size| (size as u16).to_le_bytes()));
        bytes.extend(self.rules.to_le_bytes());
        bytes.extend(self.weights.scale.to_le_bytes());
        let odds = [self.odds.margin, self.odds.spread].concat();
        bytes.extend(odds.iter().flat_map(|number| number.to_le_bytes()));
        let mut end = self.text.len().min(LONGEST_TEXT);
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        bytes.extend((end as u16).to_le_bytes());
        bytes.extend(&self.text.as_bytes()[..end]);
        for numbers in [&self.weights.first, &self.weights.bias, &self.weights.output] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(self.weights.output_bias.iter().flat_map(|number| number.to_le_bytes()));
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// The checksum at the end of its file. That of the whole file would be the same for every network.
    pub fn checksum(&self) -> u32 {
        let bytes = self.write();
        crc32fast::hash(&bytes[..bytes.len() - 4])
    }
}

fn check_shape(&Shape { squares, hidden, buckets, pieces }: &Shape) -> Result<(), BadNet> {
    if !HIDDEN.contains(&hidden) {
        return Err(BadNet::Hidden(hidden));
    }
    let sound = (1..=128).contains(&squares) && (1..=32).contains(&buckets) && (1..=squares).contains(&pieces);
    if sound { Ok(()) } else { Err(BadNet::Shape { squares, buckets, pieces }) }
}

/// Whether numbers have the sizes of a shape and stay in bounds in which no sum overflows.
pub(super) fn check(shape: &Shape, weights: &Weights) -> Result<(), BadNet> {
    check_shape(shape)?;
    let sizes = [
        (weights.first.len(), shape.inputs() * shape.hidden),
        (weights.bias.len(), shape.hidden),
        (weights.output.len(), shape.buckets * 2 * shape.hidden),
        (weights.output_bias.len(), shape.buckets),
    ];
    if let Some(&(found, expected)) = sizes.iter().find(|(found, expected)| found != expected) {
        return Err(BadNet::Length { found, expected });
    }
    let bound = |numbers: &[i16], most: i16| {
        let large = numbers.iter().find(|number| number.unsigned_abs() > most.unsigned_abs());
        large.map_or(Ok(()), |&found| Err(BadNet::Weight { found: found.into(), most: most.into() }))
    };
    bound(&weights.first, MOST_INNER)?;
    bound(&weights.bias, MOST_INNER)?;
    bound(&weights.output, MOST_OUTER)?;
    let large = |&number: &i32| i64::from(number).abs() > 1 << 20;
    if let Some(&found) = weights.output_bias.iter().chain([&weights.scale]).find(|number| large(number)) {
        return Err(BadNet::Weight { found: found.into(), most: 1 << 20 });
    }
    Ok(())
}
