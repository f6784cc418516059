//! Why a job failed, as a script must know it: whether the same words can succeed later, or what has to be done first.

use std::io;
use std::io::ErrorKind;

/// What is to be done about a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The same words will fail again.
    GiveUp,
    /// A file named in the message has to be made anew; then the same words.
    Anew,
    /// The same words may succeed later: a full disk, a file system that does not answer, another process in the way.
    Again,
    /// A signal ended it; the same words go on.
    Stopped,
}

/// An error that ends a job.
pub trait Failure: std::fmt::Display {
    /// What is to be done about it.
    fn trouble(&self) -> Trouble;
}

impl Failure for io::Error {
    fn trouble(&self) -> Trouble {
        /// Linux: input or output error, as of a broken disk or a lost server.
        const EIO: i32 = 5;
        match self.kind() {
            ErrorKind::StorageFull
            | ErrorKind::QuotaExceeded
            | ErrorKind::FileTooLarge
            | ErrorKind::StaleNetworkFileHandle
            | ErrorKind::ResourceBusy
            | ErrorKind::TimedOut
            | ErrorKind::Interrupted
            | ErrorKind::WouldBlock
            | ErrorKind::OutOfMemory
            | ErrorKind::WriteZero => Trouble::Again,
            _ if cfg!(unix) && self.raw_os_error() == Some(EIO) => Trouble::Again,
            _ => Trouble::GiveUp,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_may_have_room_later_and_a_wrong_name_stays_wrong() {
        assert_eq!(io::Error::from(ErrorKind::StorageFull).trouble(), Trouble::Again);
        assert_eq!(io::Error::from(ErrorKind::NotFound).trouble(), Trouble::GiveUp);
        #[cfg(target_os = "linux")]
        assert_eq!(
            [28, 27, 5, 13].map(|n| io::Error::from_raw_os_error(n).trouble() == Trouble::Again),
            [true, true, true, false]
        );
    }
}
