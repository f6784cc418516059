//! One job at a time beside the thread that reads: how it is started, stopped and waited for.

use crate::engine::Signals;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How the reading thread and a job speak to each other.
#[derive(Default)]
pub struct Control {
    signals: Signals,
    /// The job has said its last word; it will not touch anything shared but its last line of output.
    done: AtomicBool,
    news: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// The signals an engine listens to.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Waits until the client stops the job, or, where `hit` is enough, until the expected move came.
    pub fn wait_for_client(&self, hit: bool) {
        let mut guard = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        while !(self.signals.stopped() || hit && self.signals.hit()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The job is about to print its last line: from the moment a client sees it, the next job is welcome.
    pub fn finish(&self) {
        self.done.store(true, Ordering::SeqCst);
    }

    fn tell(&self, news: impl FnOnce(&Signals)) {
        // Under the lock, so that a job between its check and its wait does not miss it.
        let _guard = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        news(&self.signals);
        self.changed.notify_all();
    }
}

/// The place of the one job.
#[derive(Default)]
pub struct Worker {
    running: Option<(JoinHandle<()>, Arc<Control>)>,
}

impl Worker {
    /// Starts a job; one that still runs is waited for.
    pub fn start(&mut self, job: impl FnOnce(&Control) + Send + 'static) {
        self.wait();
        let control = Arc::new(Control::default());
        let shared = control.clone();
        let thread = std::thread::spawn(move || {
            job(&shared);
            shared.finish();
        });
        self.running = Some((thread, control));
    }

    /// Whether a job runs that nobody has stopped. One that was stopped, or has said its last word, is waited for.
    pub fn busy(&mut self) -> bool {
        let runs = self.running.as_ref().is_some_and(|(thread, control)| {
            !control.done.load(Ordering::SeqCst) && !control.signals.stopped() && !thread.is_finished()
        });
        if !runs {
            self.wait();
        }
        runs
    }

    /// Stops the job, if there is one; returns at once.
    pub fn stop(&self) {
        if let Some((_, control)) = &self.running {
            control.tell(Signals::stop);
        }
    }

    /// Tells the job that the expected move came; returns at once.
    pub fn hit(&self) {
        if let Some((_, control)) = &self.running {
            control.tell(Signals::ponder_hit);
        }
    }

    /// Waits for the end of the job.
    pub fn wait(&mut self) {
        if let Some((thread, _)) = self.running.take()
            && thread.join().is_err()
        {
            log::error!("a job ended in a panic");
        }
    }

    /// Stops the job and gives it a moment to say its last word; the program is about to end.
    pub fn leave(&mut self, patience: Duration) {
        self.stop();
        let since = Instant::now();
        while self.running.as_ref().is_some_and(|(thread, _)| !thread.is_finished()) && since.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn a_job_that_waits_is_released_by_stop_or_by_a_hit() {
        for (hit_is_enough, hit) in [(true, true), (true, false), (false, false)] {
            let (sender, receiver) = channel();
            let mut worker = Worker::default();
            worker.start(move |control| {
                control.wait_for_client(hit_is_enough);
                sender.send(()).expect("the test listens");
            });
            assert!(worker.busy());
            assert!(receiver.recv_timeout(Duration::from_millis(30)).is_err(), "nobody has released it");
            if hit {
                worker.hit()
            } else {
                worker.stop()
            }
            receiver.recv_timeout(LONG).expect("released");
            worker.wait();
            assert!(!worker.busy());
        }
    }

    #[test]
    fn a_hit_is_not_enough_for_an_endless_search() {
        let (sender, receiver) = channel();
        let mut worker = Worker::default();
        worker.start(move |control| {
            control.wait_for_client(false);
            sender.send(()).expect("the test listens");
        });
        worker.hit();
        assert!(receiver.recv_timeout(Duration::from_millis(30)).is_err());
        worker.stop();
        receiver.recv_timeout(LONG).expect("released");
    }

    #[test]
    fn a_finished_job_is_not_busy_and_a_panic_does_no_harm() {
        let mut worker = Worker::default();
        worker.start(|_| panic!("on purpose"));
        worker.wait();
        assert!(!worker.busy());
        let (sender, receiver) = channel();
        worker.start(move |control| {
            control.finish();
            sender.send(()).expect("the test listens");
        });
        receiver.recv_timeout(LONG).expect("it ran");
        assert!(!worker.busy());
    }

    #[test]
    fn leaving_does_not_wait_for_the_deaf() {
        let mut worker = Worker::default();
        worker.start(|_| std::thread::sleep(Duration::from_secs(3)));
        let since = Instant::now();
        worker.leave(Duration::from_millis(50));
        assert!(since.elapsed() < Duration::from_secs(2));
    }
}
