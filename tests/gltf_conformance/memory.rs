//! The process's size, as far as the system tells.

/// Forgets the largest size so far; `None` where the system can't.
pub fn forget_peak() -> Option<()> {
    // 5 is "the peak resident set size", in the kernel's documentation of /proc.
    std::fs::write("/proc/self/clear_refs", "5").ok()
}

/// The largest resident size, in KiB, since the start or since it was forgotten.
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
