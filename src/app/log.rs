//! What the library tells of its work, on standard error.

use clap::ValueEnum;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

/// How much is told; each tells what those before it do.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    /// What the validation layer calls an error.
    Error,
    /// What it warns of.
    Warn,
    /// Loads, and the device that is taken.
    Info,
    /// Phases of loads and rows of their reports, what is compiled, swapchains, devices that are not taken.
    Debug,
    /// Every frame.
    Trace,
}

/// Whether anything is told. Then nothing else, such as a progress bar, may keep a line of standard error for itself.
pub fn is_on() -> bool {
    LevelFilter::current() != LevelFilter::OFF
}

/// From now on tells what the library does, one line an event, with the seconds since the program began. Other crates stay
/// unheard.
pub fn start(level: LogLevel) {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    let lines = fmt::layer().with_writer(std::io::stderr).with_timer(fmt::time::uptime()).with_ansi(false);
    let lines = lines.with_filter(Targets::new().with_target("fire_engine", level));
    // It fails only where a subscriber is there already, and the program has no other.
    let _first = tracing_subscriber::registry().with(lines).try_init();
}
