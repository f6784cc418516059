//! How much work a single position is worth, as the command line says it.

use crate::engine::Limits;

/// Limits of each search. With none of them `--nodes 10000` holds.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Effort {
    /// Nodes for each position; 10000 when no limit is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies for each position.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=120))]
    pub depth: Option<u32>,
    /// Milliseconds for each position. The only limit that does not give the same answer every time.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time: Option<u64>,
    /// Lines for each position.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    pub multipv: u16,
}

impl Effort {
    /// Nodes when no limit is given.
    pub const NODES: u64 = 10_000;

    /// Whether a limit is given.
    pub fn is_given(&self) -> bool {
        self.nodes.is_some() || self.depth.is_some() || self.time.is_some()
    }

    /// The limits of a search.
    pub fn limits(&self) -> Limits {
        let nodes = if self.is_given() { self.nodes } else { Some(Self::NODES) };
        Limits { nodes, depth: self.depth, movetime_ms: self.time, ..Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_limit_nodes_are_counted() {
        assert_eq!(Effort::default().limits().nodes, Some(Effort::NODES));
        let timed = Effort { time: Some(5), ..Effort::default() };
        assert_eq!((timed.limits().nodes, timed.limits().movetime_ms), (None, Some(5)));
    }
}
