//! Work that several threads share, with the calling thread among them.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// One more thread is started when so many nanoseconds of work wait besides the job that the calling thread takes next: to
/// start one takes some tenths of it.
const WORTH_A_THREAD: u64 = 500_000;

struct State<J, R> {
    /// Each with the nanoseconds that it is thought to take.
    queue: VecDeque<(J, u64)>,
    /// Of all in the queue.
    waiting: u64,
    done: VecDeque<R>,
    /// Jobs that a thread works on.
    running: usize,
    closed: bool,
}

impl<J, R> State<J, R> {
    fn next(&mut self) -> Option<J> {
        let (job, nanoseconds) = self.queue.pop_front()?;
        self.waiting = self.waiting.saturating_sub(nanoseconds);
        Some(job)
    }
}

struct Shared<J, R> {
    state: Mutex<State<J, R>>,
    changed: Condvar,
}

impl<J, R> Shared<J, R> {
    fn lock(&self) -> MutexGuard<'_, State<J, R>> {
        // No job runs under the lock, so what a panic leaves is whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets the other threads go, also where the calling one unwinds.
struct Close<'s, J, R>(&'s Shared<J, R>);

impl<J, R> Drop for Close<'_, J, R> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_all();
    }
}

/// Counts a job as no longer running, also where it unwinds.
struct Running<'s, J, R>(&'s Shared<J, R>);

impl<J, R> Drop for Running<'_, J, R> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.changed.notify_all();
    }
}

/// Where the calling thread hands in jobs and takes out results.
pub(super) struct Workers<'s, J, R> {
    shared: &'s Shared<J, R>,
    run: &'s (dyn Fn(J) -> R + Sync),
    /// Starts one more thread, if that is still to be had.
    start: &'s dyn Fn() -> bool,
    /// Threads besides the calling one that may yet be started.
    more: Cell<usize>,
}

/// Runs `body`, and the jobs that it submits on up to `threads` threads, the calling one included. The others are started
/// when there is enough to do for them.
///
/// Jobs that no one waited for are dropped in the end; those that have begun are finished first. Where the system gives
/// fewer threads, those do the work.
pub(super) fn with_workers<J: Send, R: Send, T>(
    threads: usize,
    run: impl Fn(J) -> R + Sync,
    body: impl FnOnce(&Workers<'_, J, R>) -> T,
) -> T {
    let state =
        State { queue: VecDeque::new(), waiting: 0, done: VecDeque::new(), running: 0, closed: false };
    let shared = Shared { state: Mutex::new(state), changed: Condvar::new() };
    std::thread::scope(|scope| {
        let close = Close(&shared);
        let others = RefCell::new(Vec::new());
        let start = || {
            let (shared, run) = (&shared, &run);
            let other = std::thread::Builder::new().spawn_scoped(scope, move || work(shared, run));
            other.map(|other| others.borrow_mut().push(other)).is_ok()
        };
        let more = Cell::new(threads.saturating_sub(1));
        let result = body(&Workers { shared: &shared, run: &run, start: &start, more });
        drop(close);
        // The scope's own waiting ends before what is local to a thread is dropped.
        for other in others.into_inner() {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
        result
    })
}

fn work<J, R>(shared: &Shared<J, R>, run: &(dyn Fn(J) -> R + Sync)) {
    let mut state = shared.lock();
    while !state.closed {
        let Some(job) = state.next() else {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        state.running += 1;
        let running = Running(shared);
        drop(state);
        let result = run(job);
        shared.lock().done.push_back(result);
        drop(running);
        state = shared.lock();
    }
}

impl<J, R> Workers<'_, J, R> {
    /// Queues a job that is thought to take so many nanoseconds.
    pub fn submit(&self, job: J, nanoseconds: u64) {
        let mut state = self.shared.lock();
        state.queue.push_back((job, nanoseconds));
        state.waiting = state.waiting.saturating_add(nanoseconds);
        let own = state.queue.front().map_or(0, |(_, nanoseconds)| *nanoseconds);
        let waiting = state.waiting.saturating_sub(own);
        drop(state);
        self.shared.changed.notify_all();
        let more = self.more.get();
        if more > 0 && waiting >= WORTH_A_THREAD {
            self.more.set(if (self.start)() { more - 1 } else { 0 });
        }
    }

    /// Jobs that no thread has begun.
    pub fn queued(&self) -> usize {
        self.shared.lock().queue.len()
    }

    /// A result that is there already.
    pub fn finished(&self) -> Option<R> {
        self.shared.lock().done.pop_front()
    }

    /// The next result; meanwhile this thread works too. `None` once every submitted job has given its own.
    pub fn wait(&self) -> Option<R> {
        let mut state = self.shared.lock();
        loop {
            if let Some(result) = state.done.pop_front() {
                return Some(result);
            }
            if let Some(job) = state.next() {
                drop(state);
                return Some((self.run)(job));
            }
            if state.running == 0 {
                return None;
            }
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn every_job_runs_once_whatever_the_number_of_threads() {
        for threads in [0, 1, 2, 7] {
            let runs = AtomicUsize::new(0);
            let square = |n: usize| {
                runs.fetch_add(1, Ordering::Relaxed);
                n * n
            };
            let mut results = with_workers(threads, square, |workers| {
                let mut results = Vec::new();
                for n in 0..100 {
                    workers.submit(n, n as u64 * 10_000);
                    results.extend(workers.finished());
                    if workers.queued() > 3 {
                        results.extend(workers.wait());
                    }
                }
                while let Some(result) = workers.wait() {
                    results.push(result);
                }
                assert_eq!((workers.queued(), workers.finished()), (0, None));
                results
            });
            results.sort_unstable();
            assert_eq!(results, (0..100).map(|n| n * n).collect::<Vec<_>>());
            assert_eq!(runs.into_inner(), 100);
        }
    }

    #[test]
    fn no_thread_is_started_for_one_job_or_for_little_work() {
        let here = std::thread::current().id();
        for jobs in [vec![100 * WORTH_A_THREAD], vec![WORTH_A_THREAD / 100; 50]] {
            let elsewhere = |()| std::thread::current().id() != here;
            let found = with_workers(4, elsewhere, |workers| {
                jobs.iter().for_each(|&nanoseconds| workers.submit((), nanoseconds));
                std::iter::from_fn(|| workers.wait()).collect::<Vec<_>>()
            });
            assert_eq!(found, vec![false; jobs.len()]);
        }
    }

    #[test]
    fn jobs_that_no_one_waits_for_are_dropped() {
        let runs = AtomicUsize::new(0);
        let count = |()| runs.fetch_add(1, Ordering::Relaxed);
        with_workers(1, count, |workers| (0..10).for_each(|_| workers.submit((), WORTH_A_THREAD)));
        assert_eq!(runs.into_inner(), 0);
    }

    /// Found by fuzzing: the leak check looked at a thread that had not quite ended.
    #[test]
    fn no_thread_outlives_the_work_not_even_its_locals() {
        struct Slow;
        impl Drop for Slow {
            fn drop(&mut self) {
                std::thread::sleep(Duration::from_millis(50));
                DROPPED.fetch_add(1, Ordering::Relaxed);
            }
        }
        static DROPPED: AtomicUsize = AtomicUsize::new(0);
        thread_local!(static LOCAL: Cell<Option<Slow>> = const { Cell::new(None) });
        let job = |()| LOCAL.set(Some(Slow));
        with_workers(2, job, |workers| {
            // One to be left to this thread, and one for which another is started. That does both, since this one does not
            // call `wait`.
            for _ in 0..2 {
                workers.submit((), WORTH_A_THREAD);
            }
            for _ in 0..2 {
                while workers.finished().is_none() {
                    std::thread::yield_now();
                }
            }
        });
        assert_eq!(DROPPED.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_panic_in_the_body_or_in_a_job_ends_and_does_not_hang() {
        let body = std::thread::spawn(|| with_workers(3, |n: usize| n, |_| panic!("in the body")));
        assert!(body.join().is_err());
        let job = |n: usize| assert_ne!(n, 5, "in a job");
        let worker = std::thread::spawn(move || {
            with_workers(3, job, |workers| {
                (0..10).for_each(|n| workers.submit(n, WORTH_A_THREAD));
                while workers.wait().is_some() {}
            });
        });
        assert!(worker.join().is_err());
    }
}
