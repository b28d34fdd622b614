//! The program without commands.

use super::arguments::Arguments;
use super::output::complaint;
use super::run;
use clap::Parser as _;
use std::process::ExitCode;

/// Parses the arguments of the process, shows the model and says what went wrong: 0 for success, 2 for a wrong command line
/// or an output that cannot or must not be written, else 1.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return run::usage(&error),
    };
    match run::run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complaint(format_args!("fire-engine: {error}"));
            if error.is_usage() { ExitCode::from(run::USAGE) } else { ExitCode::FAILURE }
        }
    }
}
