//! What is left behind when the program is told to end.

use super::new_file;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::fs;

/// From now on, a signal that ends the program has files that are not whole deleted first. One that is ignored, as `nohup` has
/// it, stays ignored.
pub fn clean_up() {
    let ignored = fs::read_to_string("/proc/self/status").ok().and_then(|status| ignored(&status));
    let watched = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| match ignored {
        Some(mask) => mask >> (signal - 1) & 1 == 0,
        // Where nobody can be asked, it is only hang-ups that are ignored often.
        None => signal != SIGHUP,
    });
    let Ok(mut signals) = Signals::new(watched) else { return };
    let watch = move || {
        for signal in &mut signals {
            let _nothing_new_begins = new_file::give_up();
            let _ends = emulate_default_handler(signal);
        }
    };
    // Without it the old files are whole all the same.
    let _thread = std::thread::Builder::new().name("signals".to_owned()).spawn(watch);
}

/// The signals that a process ignores, the first in the lowest bit, by what Linux says of it.
fn ignored(status: &str) -> Option<u64> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn ignored_signals_are_read() {
        let status = "Name:\tx\nSigBlk:\t0000000000000002\nSigIgn:\t0000000000001001\nSigCgt:\t0\n";
        // 1 is SIGHUP and 13 SIGPIPE.
        assert_eq!(super::ignored(status), Some(1 << 12 | 1));
        assert_eq!((super::ignored("Name:\tx\n"), super::ignored("SigIgn:\tx\n")), (None, None));
    }
}
