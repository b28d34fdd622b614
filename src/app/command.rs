//! The command line as a whole: subcommands, and without one what the program always did.

use super::arguments::Arguments;
use super::devices::{self, DevicesArguments};
use super::error::AppError;
use super::inspect::{self, InspectArguments};
use super::log::{self, LogLevel};
use super::output::complaint;
use super::render::{self, RenderArguments};
use super::run;
#[cfg(feature = "winit")]
use super::view::{self, ViewArguments};
use clap::{CommandFactory as _, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// What a wrong command line of a subcommand exits with. Without a subcommand it is 1.
const USAGE: u8 = 2;

/// Shows, renders and inspects glTF files with Vulkan.
///
/// Without a command: shows an animated glTF file in a window, or writes pictures of it.
#[derive(Parser, Debug)]
#[command(name = "fire-engine", version, args_conflicts_with_subcommands = true)]
#[command(after_help = "A model whose name is that of a command is written as a path: ./render")]
pub struct CommandLine {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Tell on standard error what is going on
    #[arg(long, value_name = "LEVEL", global = true)]
    pub log: Option<LogLevel>,
    /// Without a command.
    #[command(flatten)]
    pub bare: Arguments,
}

/// What the program can be asked for.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Show models in a window, to look at from all sides
    #[cfg(feature = "winit")]
    View(Box<ViewArguments>),
    /// Write pictures of models, without a window
    Render(Box<RenderArguments>),
    /// Say what is in a file; needs no Vulkan driver
    Inspect(InspectArguments),
    /// List Vulkan devices, and why each can be used or not
    Devices(DevicesArguments),
}

/// Parses the arguments of the process and does what they ask for. 0 is success and 1 a failure; a wrong command line
/// of a subcommand is 2.
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let line = match CommandLine::try_parse_from(&arguments) {
        Ok(line) => line,
        Err(error) => {
            let shown = run::usage(&error);
            return if error.use_stderr() && names_command(&arguments) {
                ExitCode::from(USAGE)
            } else {
                shown
            };
        }
    };
    done(line).unwrap_or_else(|error| {
        complaint(format_args!("fire-engine: {error}"));
        ExitCode::FAILURE
    })
}

fn done(line: CommandLine) -> Result<ExitCode, AppError> {
    if let Some(level) = line.log {
        log::start(level);
    }
    match line.command {
        None => bare(line.bare).map(|()| ExitCode::SUCCESS),
        #[cfg(feature = "winit")]
        Some(Command::View(arguments)) => view::run(&arguments).map(|()| ExitCode::SUCCESS),
        Some(Command::Render(arguments)) => render::run(&arguments),
        Some(Command::Inspect(arguments)) => inspect::run(&arguments),
        Some(Command::Devices(arguments)) => devices::run(&arguments),
    }
}

/// The program without a command: to look at a model, as `view` does, unless it is about certain frames or pictures.
fn bare(arguments: Arguments) -> Result<(), AppError> {
    #[cfg(feature = "winit")]
    if let Some(view) = ViewArguments::without_command(&arguments) {
        return match view::run(&view) {
            Err(AppError::NoWindow(reason)) => {
                complaint(format_args!("No window: {reason}. Drawing headless instead."));
                run::run(&Arguments { headless: true, ..arguments })
            }
            done => done,
        };
    }
    run::run(&arguments)
}

/// Whether a command line, the program's name first, names a command. One can only stand first.
fn names_command(arguments: &[OsString]) -> bool {
    let first = arguments.get(1).and_then(|first| first.to_str());
    first.is_some_and(|first| CommandLine::command().find_subcommand(first).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<CommandLine, clap::Error> {
        CommandLine::try_parse_from([&["fire-engine"], arguments].concat())
    }

    #[test]
    fn the_declaration_is_consistent() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn without_a_command_everything_is_as_it_was() {
        for arguments in [&[][..], &["model.glb", "--smoke"], &["--headless", "--frames", "3"]] {
            let line = parsed(arguments).unwrap();
            let alone = Arguments::try_parse_from([&["fire-engine"], arguments].concat()).unwrap();
            assert!(line.command.is_none());
            assert_eq!(line.bare, alone);
        }
        for bad in [&["a.glb", "b.glb"][..], &["--unknown"], &["--samples", "2"]] {
            assert!(parsed(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    #[cfg(feature = "winit")]
    fn view_takes_models_and_ways_to_look_at_them() {
        let Some(Command::View(view)) = parsed(&["view", "a.glb", "b.glb", "--paused"]).unwrap().command
        else {
            panic!("another command")
        };
        assert_eq!((view.models.len(), view.paused), (2, true));
    }

    #[test]
    fn every_command_can_tell_what_it_does() {
        for arguments in [
            &["--log", "info"][..],
            &["model.glb", "--log", "info"],
            &["view", "model.glb", "--log", "info"],
            &["render", "model.glb", "-o", "a.png", "--log", "info"],
            &["inspect", "--log=info", "model.glb"],
            &["devices", "--log", "info"],
        ] {
            assert_eq!(parsed(arguments).unwrap().log, Some(LogLevel::Info), "{arguments:?}");
        }
        for bad in [&["--log"][..], &["--log", "loud"], &["devices", "--log", ""], &["--log", "INFO"]] {
            assert!(parsed(bad).is_err(), "{bad:?}");
        }
        assert_eq!(parsed(&["devices"]).unwrap().log, None);
    }

    #[test]
    fn a_command_stands_first_and_alone() {
        assert!(parsed(&["--smoke", "view", "a.glb"]).is_err());
        assert!(parsed(&["view", "--no-such"]).is_err());
    }

    #[test]
    fn a_command_is_told_from_a_model() {
        let named = |arguments: &[&str]| {
            names_command(
                &[&["fire-engine"], arguments].concat().into_iter().map(OsString::from).collect::<Vec<_>>(),
            )
        };
        for command in ["render", "inspect", "devices"] {
            assert!(named(&[command, "--no-such"]), "{command}");
        }
        for other in [&[][..], &["model.glb"], &["./render"], &["--frames", "render"]] {
            assert!(!named(other), "{other:?}");
        }
    }
}
