//! Offline jobs of the command line: what is not a conversation with a client.

pub mod bench;
