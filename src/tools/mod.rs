//! Offline jobs of the command line. Each reads its arguments and runs; only results go to the standard output.

pub mod analyse;
pub mod arena;
pub mod bench;
pub mod book;
pub mod common;
pub mod learn;
pub mod tables;
