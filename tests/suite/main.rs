//! Everything that is tested against the program itself.

mod cli;
mod client;
mod dialogue;
mod document;
mod fuzz;
mod layers;
mod readme;
mod robust;
mod selfplay;
mod timing;
