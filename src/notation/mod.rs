//! Text to game and back: rule files. Pure functions; errors are enums.

mod fields;
mod rulecheck;
mod ruleerror;
pub mod rulefile;
mod rulevalue;
