//! Everything that is tested against the program itself.

mod cli;
mod client;
mod dialogue;
mod document;
mod fuzz;
mod hub;
mod robust;
mod timing;
