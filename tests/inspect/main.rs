//! `fire-engine inspect` and `fire-engine devices` as a user runs them: on small files, and on the conformance corpus, which
//! lies beside the project, not in it.

mod corpus;
mod devices;
mod files;
mod program;
#[path = "../support/mod.rs"]
mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let mut trials = files::trials();
    trials.extend(devices::trials());
    trials.extend(corpus::trials());
    libtest_mimic::run(&arguments, trials).exit_code()
}
