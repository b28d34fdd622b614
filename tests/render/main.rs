//! Runs `fire-engine render` as a user does, and reproduces the reference pictures from the command line alone.

mod failures;
mod models;
mod outputs;
mod pictures;
mod program;
mod sequences;
#[path = "../support/mod.rs"]
mod support;

use libtest_mimic::{Failed, Trial};
use std::process::ExitCode;
use support::{Requirement, reference};

type Test = (&'static str, fn() -> Result<(), Failed>);

fn trials(tests: &[Test], needs: &Requirement) -> impl Iterator<Item = Trial> {
    tests.iter().map(|(name, test)| support::trial(*name, needs, *test)).collect::<Vec<_>>().into_iter()
}

fn main() -> ExitCode {
    let (nothing, driver, validated) = (Ok(()), support::driver(), support::validated_driver());
    let mut all: Vec<Trial> = trials(failures::WITHOUT_DRIVER, &nothing).collect();
    all.extend(trials(failures::WITH_DRIVER, &driver));
    all.extend(trials(outputs::WITHOUT_DRIVER, &nothing));
    all.extend(trials(outputs::WITH_DRIVER, &driver));
    all.extend(trials(pictures::TESTS, &validated));
    all.extend(trials(sequences::TESTS, &validated));
    all.extend(trials(models::TESTS, &validated));
    let Some(shared) = support::shared() else {
        all.push(support::skipped("reference_pictures", "../shared is absent"));
        return support::run(all).exit_code();
    };
    match reference::trials(&shared, &validated, "render_pictures", pictures::of_shot) {
        Ok(trials) => all.extend(trials),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    all.push(support::trial("every_sample_is_on_one_contact_sheet", &driver, models::every_sample));
    support::run(all).exit_code()
}
