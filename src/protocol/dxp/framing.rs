//! Cuts a stream of bytes into messages at the NUL bytes, however the bytes arrive. Bounded memory.

use super::message::MAX_MESSAGE;

/// One piece between two NULs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Frame {
    /// The bytes of a message.
    Bytes(Vec<u8>),
    /// More bytes than a message may have; they are gone.
    TooLong,
}

/// What has arrived of a message that is not complete yet.
#[derive(Default)]
pub struct Frames {
    part: Vec<u8>,
    overflow: bool,
}

impl Frames {
    /// Takes what arrived and gives the messages that it completes.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<Frame>) {
        for &byte in bytes {
            if byte == 0 {
                let part = std::mem::take(&mut self.part);
                out.push(if std::mem::take(&mut self.overflow) { Frame::TooLong } else { Frame::Bytes(part) });
            } else if self.part.len() < MAX_MESSAGE {
                self.part.push(byte);
            } else {
                self.overflow = true;
            }
        }
    }

    /// Whether the stream would break off within a message.
    pub fn inside(&self) -> bool {
        !self.part.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(chunks: &[&[u8]]) -> Vec<Frame> {
        let (mut frames, mut out) = (Frames::default(), Vec::new());
        chunks.iter().for_each(|chunk| frames.push(chunk, &mut out));
        out
    }

    fn whole(text: &[u8]) -> Frame {
        Frame::Bytes(text.to_vec())
    }

    #[test]
    fn pieces_do_not_matter() {
        let stream = b"M0012061100\0E00\0\0K1\0rest";
        let expected = [whole(b"M0012061100"), whole(b"E00"), whole(b""), whole(b"K1")];
        assert_eq!(cut(&[stream]), expected);
        assert_eq!(cut(&stream.chunks(1).collect::<Vec<_>>()), expected);
        for size in 2..stream.len() {
            assert_eq!(cut(&stream.chunks(size).collect::<Vec<_>>()), expected, "pieces of {size}");
        }
    }

    #[test]
    fn a_part_is_known_as_one() {
        let mut frames = Frames::default();
        frames.push(b"E00\0M00", &mut Vec::new());
        assert!(frames.inside());
        frames.push(b"\0", &mut Vec::new());
        assert!(!frames.inside());
    }

    #[test]
    fn too_much_is_dropped_up_to_the_next_message() {
        let long = vec![b'C'; 1_000_000];
        assert_eq!(cut(&[&long, b"\0E00\0"]), [Frame::TooLong, whole(b"E00")]);
        assert_eq!(cut(&[&long[..127], b"\0"]), [whole(&long[..127])]);
        assert_eq!(cut(&[&long[..128], b"\0"]), [Frame::TooLong]);
    }
}
