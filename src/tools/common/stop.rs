//! Ctrl-C as a signal to the engines and to the job around them.

use crate::engine::Signals;
use std::sync::Arc;

/// Signals that Ctrl-C and SIGTERM set from now on. For the one job of a process.
pub fn on_ctrl_c() -> Arc<Signals> {
    let signals = Arc::new(Signals::default());
    let inner = signals.clone();
    if let Err(error) = ctrlc::set_handler(move || inner.stop()) {
        log::warn!("Ctrl-C will not end the job cleanly: {error}");
    }
    signals
}
