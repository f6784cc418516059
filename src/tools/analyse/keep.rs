//! What an analysis leaves behind while it runs, so that it can be stopped at any moment and go on later.
//!
//! Every output is only ever added to, game by game. Beside the first file lies another, `.progress`: one line about the analysis,
//! then one a game with the lengths of all files after it. To go on, the files are cut to the last lengths that all of them
//! reach. When all games are done it is removed.

use super::page;
use crate::tools::common::{JobError, Results};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What a progress file's first line says it is.
const TITLE: &str = "damka analyse";

/// The shape of an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Json,
    Pdn,
    Html,
}

/// One output: its shape, and a file, or `-` for the standard output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub format: Format,
    pub path: PathBuf,
}

impl Target {
    fn stdout(&self) -> bool {
        self.path.as_os_str() == "-"
    }
}

/// A finished game, written out in every shape.
pub struct Finished {
    /// A fingerprint of this game and all before it.
    pub sum: u64,
    /// One text an output.
    pub texts: Vec<String>,
}

/// How far an earlier run got.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Done {
    pub games: u64,
    /// The fingerprint of those games.
    pub sum: u64,
}

enum Sink {
    Stdout,
    File { path: PathBuf, file: File, length: u64 },
}

impl Sink {
    fn add(&mut self, text: &str) -> Result<(), JobError> {
        match self {
            Sink::Stdout => {
                let mut out = Results::stdout();
                out.text(text)?;
                out.flush()
            }
            Sink::File { path, file, length } => {
                file.write_all(text.as_bytes()).map_err(JobError::file(&*path))?;
                *length += text.len() as u64;
                Ok(())
            }
        }
    }
}

/// The open outputs.
pub struct Outputs {
    sinks: Vec<(Format, Sink)>,
    progress: Option<(PathBuf, File)>,
}

/// How the outputs were found.
pub enum Opened {
    /// Ready for the games behind those that are done.
    Ready(Outputs, Done),
    /// The files are there and nothing is left to be done.
    Complete,
}

impl Outputs {
    /// Opens all outputs. `settings` is everything that decides their content.
    pub fn open(targets: &[Target], settings: &Value, resume: bool) -> Result<Opened, JobError> {
        let first = targets.iter().find(|target| !target.stdout());
        let Some(beside) = first.map(|target| progress_path(&target.path)) else {
            if resume {
                return Err(JobError::argument("--resume", "-", "an output that is a file"));
            }
            return Self::begin(targets, None, settings).map(|outputs| Opened::Ready(outputs, Done::default()));
        };
        let unfinished = beside.exists();
        match (resume, unfinished) {
            (false, true) => Err(JobError::content(
                &beside,
                "an unfinished analysis",
                "expected --resume to go on with it, or that this file is removed to begin anew",
            )),
            (true, true) => {
                let (outputs, done) = Self::go_on(targets, &beside, settings)?;
                Ok(Opened::Ready(outputs, done))
            }
            (true, false) if first.is_some_and(|target| target.path.exists()) => Ok(Opened::Complete),
            _ => Self::begin(targets, Some(&beside), settings).map(|outputs| Opened::Ready(outputs, Done::default())),
        }
    }

    fn begin(targets: &[Target], beside: Option<&Path>, settings: &Value) -> Result<Outputs, JobError> {
        let sink = |target: &Target| -> Result<(Format, Sink), JobError> {
            if target.stdout() {
                return Ok((target.format, Sink::Stdout));
            }
            let file = File::create(&target.path).map_err(JobError::file(&target.path))?;
            Ok((target.format, Sink::File { path: target.path.clone(), file, length: 0 }))
        };
        let mut outputs = Outputs { sinks: targets.iter().map(sink).collect::<Result<_, _>>()?, progress: None };
        for (format, sink) in &mut outputs.sinks {
            if *format == Format::Html {
                sink.add(&page::begin())?;
            }
        }
        if let Some(beside) = beside {
            let file = File::create(beside).map_err(JobError::file(beside))?;
            outputs.progress = Some((beside.to_path_buf(), file));
            outputs.note(&json!({ "progress": TITLE, "settings": settings }))?;
            outputs.note(&outputs.row(Done::default()))?;
        }
        Ok(outputs)
    }

    fn go_on(targets: &[Target], beside: &Path, settings: &Value) -> Result<(Outputs, Done), JobError> {
        let text = std::fs::read_to_string(beside).map_err(JobError::file(beside))?;
        // What stands behind the last line end was cut off while it was written.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let rows = rows(beside, &text[..whole], settings)?;
        let mut files = Vec::new();
        for target in targets.iter().filter(|target| !target.stdout()) {
            let opened = OpenOptions::new().write(true).open(&target.path).map_err(JobError::file(&target.path))?;
            let length = opened.metadata().map_err(JobError::file(&target.path))?.len();
            files.push((target, opened, length));
        }
        let reached =
            |row: &&Row| row.lengths.len() == files.len() && row.lengths.iter().zip(&files).all(|(l, f)| *l <= f.2);
        let row = rows.iter().rev().find(reached).ok_or_else(|| {
            JobError::content(
                beside,
                "the lengths in it",
                "the files are shorter than that; expected those of the same analysis",
            )
        })?;
        let mut sinks = Vec::new();
        for ((target, mut file, _), &length) in files.into_iter().zip(&row.lengths) {
            let cut = file.set_len(length).and_then(|()| file.seek(SeekFrom::End(0)));
            cut.map_err(JobError::file(&target.path))?;
            sinks.push((target.format, Sink::File { path: target.path.clone(), file, length }));
        }
        let mut file = OpenOptions::new().write(true).open(beside).map_err(JobError::file(beside))?;
        let cut = file.set_len(row.end as u64).and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(JobError::file(beside))?;
        Ok((Outputs { sinks, progress: Some((beside.to_path_buf(), file)) }, row.done))
    }

    /// Adds a finished game.
    pub fn add(&mut self, finished: &Finished, games: u64) -> Result<(), JobError> {
        for ((_, sink), text) in self.sinks.iter_mut().zip(&finished.texts) {
            sink.add(text)?;
        }
        if self.progress.is_some() {
            let row = self.row(Done { games, sum: finished.sum });
            self.note(&row)?;
        }
        Ok(())
    }

    /// Closes everything; `complete` when no game is left.
    pub fn finish(mut self, complete: bool) -> Result<(), JobError> {
        for (format, sink) in &mut self.sinks {
            if *format == Format::Html {
                sink.add(page::END)?;
            }
            if let (true, Sink::File { path, file, .. }) = (complete, sink) {
                file.sync_all().map_err(JobError::file(&*path))?;
            }
        }
        match self.progress {
            Some((path, file)) if complete => {
                drop(file);
                std::fs::remove_file(&path).map_err(JobError::file(&path))
            }
            _ => Ok(()),
        }
    }

    fn row(&self, done: Done) -> Value {
        let length = |(_, sink): &(Format, Sink)| match sink {
            Sink::Stdout => None,
            Sink::File { length, .. } => Some(*length),
        };
        let lengths: Vec<u64> = self.sinks.iter().filter_map(length).collect();
        json!({ "games": done.games, "sum": format!("{:016x}", done.sum), "lengths": lengths })
    }

    fn note(&mut self, value: &Value) -> Result<(), JobError> {
        let Some((path, file)) = &mut self.progress else { return Ok(()) };
        file.write_all(format!("{value}\n").as_bytes()).map_err(JobError::file(&*path))
    }
}

/// The progress file of an output.
pub fn progress_path(output: &Path) -> PathBuf {
    let mut name = output.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".progress");
    output.with_file_name(name)
}

struct Row {
    done: Done,
    lengths: Vec<u64>,
    /// Where the row's line ends in the progress file.
    end: usize,
}

fn rows(path: &Path, text: &str, settings: &Value) -> Result<Vec<Row>, JobError> {
    let mut lines = text.split_inclusive('\n');
    let not_ours =
        || JobError::content(path, "line 1", "not the progress of an analysis; expected one, or no such file");
    let head = lines.next().ok_or_else(not_ours)?;
    let parsed: Value = serde_json::from_str(head).map_err(|_| not_ours())?;
    if parsed["progress"] != TITLE {
        return Err(not_ours());
    }
    let (old, names) = (&parsed["settings"], settings.as_object().into_iter().flatten());
    let differs: Vec<String> = names
        .filter(|(name, value)| old[name.as_str()] != **value)
        .map(|(name, value)| format!("{name} was {}, now {value}", old[name.as_str()]))
        .collect();
    if !differs.is_empty() {
        return Err(JobError::content(path, "another analysis", format!("{}; expected the same", differs.join("; "))));
    }
    let mut end = head.len();
    let mut rows = Vec::new();
    for (index, line) in lines.enumerate() {
        end += line.len();
        let row = row(line, end);
        rows.push(
            row.ok_or_else(|| JobError::content(path, format!("line {}", index + 2), "expected lengths of files"))?,
        );
    }
    Ok(rows)
}

fn row(line: &str, end: usize) -> Option<Row> {
    let value: Value = serde_json::from_str(line).ok()?;
    let lengths = value["lengths"].as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?;
    let sum = u64::from_str_radix(value["sum"].as_str()?, 16).ok()?;
    Some(Row { done: Done { games: value["games"].as_u64()?, sum }, lengths, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(folder: &Path) -> Vec<Target> {
        [(Format::Json, "a.json"), (Format::Pdn, "a.pdn")]
            .map(|(format, name)| Target { format, path: folder.join(name) })
            .to_vec()
    }

    fn ready(targets: &[Target], settings: &Value, resume: bool) -> (Outputs, Done) {
        match Outputs::open(targets, settings, resume) {
            Ok(Opened::Ready(outputs, done)) => (outputs, done),
            Ok(Opened::Complete) => panic!("complete"),
            Err(error) => panic!("{error}"),
        }
    }

    fn finished(n: u64) -> Finished {
        Finished { sum: n * 7, texts: vec![format!("json {n}\n"), format!("game {n}\n")] }
    }

    #[test]
    fn a_cut_anywhere_is_mended() {
        let folder = tempfile::tempdir().expect("a folder");
        let (targets, settings) = (targets(folder.path()), json!({ "nodes": 5 }));
        let (mut outputs, done) = ready(&targets, &settings, false);
        assert_eq!(done, Done::default());
        (1..=3).for_each(|n| outputs.add(&finished(n), n).expect("room"));
        drop(outputs);
        let progress = progress_path(&targets[0].path);
        let read = |path: &Path| std::fs::read(path).expect("a file");
        let whole = [read(&targets[0].path), read(&targets[1].path), read(&progress)];
        for (cut, place) in (0..3).flat_map(|place| (0..whole[place].len()).map(move |cut| (cut, place))) {
            let paths = [&targets[0].path, &targets[1].path, &progress];
            for (index, path) in paths.into_iter().enumerate() {
                let end = if index == place { cut } else { whole[index].len() };
                std::fs::write(path, &whole[index][..end]).expect("room");
            }
            let (mut outputs, done) = match Outputs::open(&targets, &settings, true) {
                Ok(Opened::Ready(outputs, done)) => (outputs, done),
                Err(error) => {
                    assert!(place == 2, "{error}");
                    continue;
                }
                Ok(Opened::Complete) => panic!("not complete"),
            };
            assert_eq!(done.sum, done.games * 7);
            (done.games + 1..=3).for_each(|n| outputs.add(&finished(n), n).expect("room"));
            outputs.finish(true).expect("removed");
            assert!(read(&targets[0].path) == whole[0] && read(&targets[1].path) == whole[1] && !progress.exists());
        }
    }

    #[test]
    fn other_settings_and_a_forgotten_resume_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let targets = targets(folder.path());
        drop(ready(&targets, &json!({ "nodes": 5, "lines": 2 }), false));
        let refused = |settings: Value, resume| match Outputs::open(&targets, &settings, resume) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("opened"),
        };
        let error = refused(json!({ "nodes": 6, "lines": 2 }), true);
        assert!(error.contains("nodes was 5, now 6") && !error.contains("lines was"), "{error}");
        assert!(refused(json!({}), false).contains("expected --resume"));
        let stdout = [Target { format: Format::Json, path: "-".into() }];
        assert!(Outputs::open(&stdout, &json!({}), true).is_err());
    }

    #[test]
    fn what_is_complete_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let targets = targets(folder.path());
        let (mut outputs, _) = ready(&targets, &json!({}), true);
        outputs.add(&finished(1), 1).expect("room");
        outputs.finish(true).expect("removed");
        assert!(matches!(Outputs::open(&targets, &json!({}), true), Ok(Opened::Complete)));
        assert_eq!(std::fs::read_to_string(&targets[1].path).expect("a file"), "game 1\n");
    }
}
