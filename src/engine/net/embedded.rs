//! The networks inside the program.

use super::{Net, fingerprint};
use crate::game::rules::RuleSet;
use std::sync::{Arc, OnceLock};

/// The files; nets/README.md says how each was made.
const FILES: &[&[u8]] = &[
    include_bytes!("../../../nets/brazilian.net"),
    include_bytes!("../../../nets/czech.net"),
    include_bytes!("../../../nets/english.net"),
    include_bytes!("../../../nets/frisian.net"),
    include_bytes!("../../../nets/international.net"),
    include_bytes!("../../../nets/italian.net"),
    include_bytes!("../../../nets/jamaican.net"),
    include_bytes!("../../../nets/junior.net"),
    include_bytes!("../../../nets/killer.net"),
    include_bytes!("../../../nets/pool.net"),
    include_bytes!("../../../nets/russian.net"),
    include_bytes!("../../../nets/spanish.net"),
    include_bytes!("../../../nets/thai.net"),
    include_bytes!("../../../nets/turkish.net"),
];

/// The network for a rule set, if there is one.
pub fn embedded(set: &RuleSet) -> Option<Arc<Net>> {
    static NETS: OnceLock<Vec<Arc<Net>>> = OnceLock::new();
    let nets = NETS.get_or_init(|| {
        let read = |bytes: &&[u8]| Arc::new(Net::read(bytes).expect("embedded networks are sound"));
        FILES.iter().map(read).collect()
    });
    let wanted = fingerprint(set);
    nets.iter().find(|net| net.rules == wanted && net.shape.squares == set.board.squares()).cloned()
}
