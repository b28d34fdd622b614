//! What is left behind when the program is told to end.

use super::new_file;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::sync::mpsc;
use std::{fs, io, thread};

/// From now on, a signal that ends the program has files that are not whole deleted first. One that is ignored, as `nohup` has
/// it, stays ignored.
pub fn clean_up() {
    clean_up_by(|watch| thread::Builder::new().name("signals".to_owned()).spawn(watch).map(drop));
}

/// As [`clean_up`], with what runs something beside the program.
fn clean_up_by(spawn: impl FnOnce(Box<dyn FnOnce() + Send>) -> io::Result<()>) {
    let ignored = fs::read_to_string("/proc/self/status").ok().and_then(|status| signals(&status, "SigIgn:"));
    let watched = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(move |&signal| match ignored {
        Some(mask) => mask >> (signal - 1) & 1 == 0,
        // Where nobody can be asked, it is only hang-ups that are ignored often.
        None => signal != SIGHUP,
    });
    let (listens, does_listen) = mpsc::channel::<()>();
    let watch = move || {
        // Only here, where somebody listens: a signal that nobody does would be lost.
        let Ok(mut signals) = Signals::new(watched) else { return };
        drop(listens);
        for signal in &mut signals {
            let _nothing_new_begins = new_file::give_up();
            let _ends = emulate_default_handler(signal);
        }
    };
    // Without it the old files are whole all the same.
    let _thread = spawn(Box::new(watch));
    let _now = does_listen.recv();
}

/// The signals in a row of what Linux says of a process, such as those that it ignores, the first in the lowest bit.
fn signals(status: &str, row: &str) -> Option<u64> {
    let mask = status.lines().find_map(|line| line.strip_prefix(row))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No test of this program calls it otherwise.
    #[cfg(target_os = "linux")]
    #[test]
    fn without_a_thread_signals_end_the_program_as_ever() {
        let caught = || signals(&fs::read_to_string("/proc/self/status").unwrap(), "SigCgt:").unwrap();
        let before = caught();
        clean_up_by(|_| Err(io::ErrorKind::WouldBlock.into()));
        assert_eq!(caught(), before);
        assert_eq!(before >> (SIGTERM - 1) & 1, 0);
    }

    #[test]
    fn ignored_signals_are_read() {
        let status = "Name:\tx\nSigBlk:\t0000000000000002\nSigIgn:\t0000000000001001\nSigCgt:\t0\n";
        // 1 is SIGHUP and 13 SIGPIPE.
        assert_eq!(signals(status, "SigIgn:"), Some(1 << 12 | 1));
        assert_eq!(signals("Name:\tx\n", "SigIgn:"), None);
        assert_eq!(signals("SigIgn:\tx\n", "SigIgn:"), None);
    }
}
