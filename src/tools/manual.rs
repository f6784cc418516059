//! The program's own description as man pages and shell completions, made from the words of the command line.

use super::Ending;
use super::common::{JobError, Results};
use clap::Command;
use std::path::PathBuf;

/// Words of `damka man`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
Examples:
  damka man | man -l -
  damka man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Write damka.1 and a page for each command into this folder; without it damka.1 goes to the standard output.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
}

/// Words of `damka completions`.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
Examples:
  damka completions bash > ~/.local/share/bash-completion/completions/damka
  damka completions zsh > ~/.zfunc/_damka
  damka completions fish > ~/.config/fish/completions/damka.fish")]
pub struct CompletionArgs {
    /// The shell.
    pub shell: clap_complete::Shell,
}

/// Writes the man pages.
pub fn man(args: &ManArgs, mut command: Command) -> Result<Ending, JobError> {
    command.build();
    let Some(folder) = &args.out else {
        let mut results = Results::stdout();
        results.text(&page(&command)?)?;
        results.flush()?;
        return Ok(Ending::Fine);
    };
    std::fs::create_dir_all(folder).map_err(JobError::file(folder))?;
    let commands = command.get_subcommands().filter(|inner| inner.get_name() != "help");
    for inner in std::iter::once(&command).chain(commands) {
        let name = inner.get_display_name().unwrap_or_else(|| inner.get_name()).to_string();
        let path = folder.join(format!("{name}.1"));
        std::fs::write(&path, page(inner)?).map_err(JobError::file(&path))?;
    }
    Ok(Ending::Fine)
}

fn page(command: &Command) -> Result<String, JobError> {
    let mut bytes = Vec::new();
    let title = command.get_display_name().unwrap_or_else(|| command.get_name());
    let written = clap_mangen::Man::new(command.clone()).title(title).render(&mut bytes);
    written.map_err(|source| JobError::File { path: "man page".into(), source })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Writes the completions of a shell.
pub fn completions(args: &CompletionArgs, mut command: Command) -> Result<Ending, JobError> {
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut command, "damka", &mut bytes);
    let mut results = Results::stdout();
    results.text(&String::from_utf8_lossy(&bytes))?;
    results.flush()?;
    Ok(Ending::Fine)
}
