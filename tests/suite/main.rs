//! Everything that is tested against the program itself.

mod cli;
mod client;
mod dialogue;
mod document;
mod dxp;
mod fuzz;
mod robust;
mod timing;
