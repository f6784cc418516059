//! Work on a stream by several threads, its results in the order of the stream, in memory that does not grow with it.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex, PoisonError};

/// Items in work or waiting for an earlier one, for each thread.
const AHEAD: u64 = 16;

/// How far results are given out; closed when there is no use in going on.
#[derive(Default)]
struct Gate {
    given: Mutex<(u64, bool)>,
    moved: Condvar,
}

impl Gate {
    fn pass(&self, place: u64, window: u64) -> bool {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        while place >= given.0 + window && !given.1 {
            given = self.moved.wait(given).unwrap_or_else(PoisonError::into_inner);
        }
        !given.1
    }

    fn change(&self, by: impl FnOnce(&mut (u64, bool))) {
        by(&mut self.given.lock().unwrap_or_else(PoisonError::into_inner));
        self.moved.notify_all();
    }
}

/// Closes the gate when its thread panics, so that no other waits for it.
struct Guard<'a>(&'a Gate);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.change(|given| given.1 = true);
        }
    }
}

/// Gives every item to one of `threads` workers, which `worker` makes, and their results to `sink` in the order of the items.
///
/// A worker's `None` ends everything: the results before it are still given out, those behind it are not. So does an error of the
/// sink, which is returned. The source is asked by one thread at a time.
pub fn run<T, R, E, W>(
    threads: usize,
    source: impl Iterator<Item = T> + Send,
    worker: impl Fn() -> W + Sync,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    W: FnMut(T) -> Option<R>,
    R: Send,
{
    let threads = threads.max(1);
    let window = threads as u64 * AHEAD;
    let gate = Gate::default();
    let source = Mutex::new((0, source));
    std::thread::scope(|scope| {
        let (results, finished) = channel();
        for _ in 0..threads {
            let (results, source, worker, gate) = (results.clone(), &source, &worker, &gate);
            scope.spawn(move || {
                let _guard = Guard(gate);
                let mut work = worker();
                loop {
                    let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
                    let place = source.0;
                    if !gate.pass(place, window) {
                        return;
                    }
                    let Some(item) = source.1.next() else { return };
                    source.0 += 1;
                    drop(source);
                    let result = work(item);
                    if results.send((place, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(results);
        let _guard = Guard(&gate);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (place, result) in finished {
            waiting.insert(place, result);
            while let Some(result) = waiting.remove(&next) {
                let told = result.map(&mut sink);
                next += 1;
                let going_on = matches!(told, Some(Ok(())));
                gate.change(|given| *given = (next, given.1 || !going_on));
                match told {
                    Some(Ok(())) => {}
                    Some(Err(error)) => return Err(error),
                    None => return Ok(()),
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn results_keep_the_order_and_no_thread_runs_far_ahead() {
        for threads in [1, 2, 5] {
            let (taken, mut given) = (AtomicU64::new(0), Vec::new());
            let source = (0..2_000u64).inspect(|_| {
                taken.fetch_add(1, Ordering::SeqCst);
            });
            let work = |n: u64| {
                // Uneven work, so that later items are ready before earlier ones.
                std::hint::black_box((0..n % 17 * 200).sum::<u64>());
                Some(n * 2)
            };
            let result: Result<(), ()> = run(
                threads,
                source,
                || work,
                |n| {
                    assert!(taken.load(Ordering::SeqCst) <= given.len() as u64 + 1 + threads as u64 * (AHEAD + 1));
                    given.push(n);
                    Ok(())
                },
            );
            assert_eq!(result, Ok(()));
            assert_eq!(given, (0..2_000).map(|n| n * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_end_lets_only_earlier_results_out() {
        let mut given = Vec::new();
        let result: Result<(), ()> = run(
            3,
            0..,
            || |n: u64| (n != 100).then_some(n),
            |n| {
                given.push(n);
                Ok(())
            },
        );
        assert_eq!(result, Ok(()));
        assert_eq!(given, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_of_the_sink_comes_back() {
        let result = run(2, 0.., || Some, |n: u64| if n == 70 { Err(n) } else { Ok(()) });
        assert_eq!(result, Err(70));
    }
}
