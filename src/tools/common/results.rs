//! Where results go: a file, or the standard output, which its reader may leave at any time.

use super::JobError;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Says something to whoever looks on. Nobody may, and their file may be full: that is no reason to end.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "damka: {text}");
}

/// A place for results.
pub struct Results {
    sink: BufWriter<Box<dyn Write + Send>>,
    name: PathBuf,
    /// Nobody else waits for what is left to do when the reader has gone.
    shared: bool,
}

impl Results {
    /// The standard output.
    pub fn stdout() -> Results {
        Results::new(Box::new(io::stdout()), PathBuf::from("standard output"), true)
    }

    /// A new file in place of what is there, or the standard output for `None` and `-`.
    pub fn create(path: Option<&Path>) -> Result<Results, JobError> {
        match path.filter(|path| path.as_os_str() != "-") {
            None => Ok(Results::stdout()),
            Some(path) => {
                let file = File::create(path).map_err(JobError::file(path))?;
                Ok(Results::new(Box::new(file), path.to_path_buf(), false))
            }
        }
    }

    fn new(sink: Box<dyn Write + Send>, name: PathBuf, shared: bool) -> Results {
        Results { sink: BufWriter::with_capacity(1 << 16, sink), name, shared }
    }

    /// Adds text as it is.
    pub fn text(&mut self, text: &str) -> Result<(), JobError> {
        let written = self.sink.write_all(text.as_bytes());
        self.checked(written)
    }

    /// Adds a line.
    pub fn line(&mut self, text: &str) -> Result<(), JobError> {
        self.text(text)?;
        self.text("\n")
    }

    /// Hands on everything added so far.
    pub fn flush(&mut self) -> Result<(), JobError> {
        let written = self.sink.flush();
        self.checked(written)
    }

    /// Once the reader of the standard output has gone, there is nothing left to do, and nothing to complain about.
    fn checked(&self, written: io::Result<()>) -> Result<(), JobError> {
        written.map_err(|error| {
            if self.shared && error.kind() == io::ErrorKind::BrokenPipe {
                std::process::exit(0);
            }
            JobError::File { path: self.name.clone(), source: error }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_holds_what_was_written() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("out.txt");
        let mut results = Results::create(Some(&path)).expect("a file may be made there");
        results.line("one").and_then(|()| results.text("two")).and_then(|()| results.flush()).expect("room");
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "one\ntwo");
        let error = Results::create(Some(folder.path())).err().expect("a folder is no file").to_string();
        assert!(error.starts_with(&folder.path().display().to_string()), "{error}");
    }

    #[test]
    fn a_full_disk_is_told() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut results = Results::new(Box::new(Full), PathBuf::from("out"), true);
        let error = results.line("x").and_then(|()| results.flush()).expect_err("no room").to_string();
        assert!(error.starts_with("out: "), "{error}");
    }
}
