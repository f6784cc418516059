//! The suite: the rules against test data and a second, slower truth, and the program against its protocols.

mod analyse;
mod cases;
mod cli;
mod client;
mod data;
mod dialogue;
mod document;
mod dxp;
mod engine;
mod explosion;
mod fast;
mod fuzz;
mod games;
mod hub;
mod layers;
mod matches;
mod moves;
mod notation;
mod perft;
mod random;
mod readme;
mod reference;
mod robust;
mod selfplay;
mod timing;
mod xboard;
