//! The command line as a whole: subcommands, and without one what the program always did.

use super::arguments::Arguments;
use super::devices::{self, DevicesArguments};
use super::error::AppError;
use super::inspect::{self, InspectArguments};
use super::log::{self, LogLevel};
use super::output::{complaint, printable};
use super::render::{self, RenderArguments};
use super::run::{self, USAGE};
#[cfg(feature = "winit")]
use super::selection::check_clips;
#[cfg(feature = "winit")]
use super::view::{self, ViewArguments};
use clap::{CommandFactory as _, Parser, Subcommand};
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

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

/// Parses the arguments of the process and does what they ask for. 0 is success, 1 a failure and 2 a wrong command line, or
/// an output that cannot or must not be written.
pub fn main() -> ExitCode {
    let arguments = command_first(std::env::args_os().collect());
    if let Some(command) = misspelled(&arguments) {
        let word = printable(&arguments[1].to_string_lossy());
        complaint(format_args!("fire-engine: {word} is neither a file nor a command; is `{command}` meant?"));
        return ExitCode::from(USAGE);
    }
    let line = match CommandLine::try_parse_from(&arguments) {
        Ok(line) => line,
        Err(error) => return run::usage(&error),
    };
    done(line).unwrap_or_else(|error| {
        complaint(format_args!("fire-engine: {error}"));
        if error.is_usage() { ExitCode::from(USAGE) } else { ExitCode::FAILURE }
    })
}

/// The same command line with a `--log` before the command put behind it: the parser takes what stands before a command for
/// one without a command. `help` takes none, and has nothing to tell.
fn command_first(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let text = |at: usize| arguments.get(at).and_then(|argument| argument.to_str());
    let options = match text(1) {
        Some("--log") => 2,
        Some(log) if log.starts_with("--log=") => 1,
        _ => return arguments,
    };
    match text(1 + options) {
        Some("help") => _ = arguments.drain(1..1 + options),
        Some(word) if CommandLine::command().find_subcommand(word).is_some() => {
            arguments[1..2 + options].rotate_right(1);
        }
        _ => {}
    }
    arguments
}

/// The command that a command line seems to mean, which begins with a word that is no file.
fn misspelled(arguments: &[OsString]) -> Option<String> {
    let word = arguments.get(1)?;
    let text = word.to_str().filter(|word| !word.starts_with('-'))?;
    let command = CommandLine::command();
    if Path::new(word).exists() || text == "help" || command.find_subcommand(text).is_some() {
        return None;
    }
    // Of a short name not much may be wrong.
    let is_near = |name: &str| strsim::osa_distance(text, name) <= if name.len() > 4 { 2 } else { 1 };
    command.get_subcommands().map(clap::Command::get_name).find(|name| is_near(name)).map(str::to_owned)
}

fn done(line: CommandLine) -> Result<ExitCode, AppError> {
    if let Some(level) = line.log {
        log::start(level);
    }
    match line.command {
        None => bare(line.bare).map(|()| ExitCode::SUCCESS),
        #[cfg(feature = "winit")]
        Some(Command::View(arguments)) => {
            check_clips(&arguments.clip)?;
            view::run(&arguments).map(|()| ExitCode::SUCCESS)
        }
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
        for bad in [&["a.glb", "b.glb"][..], &["--unknown"], &["--samples", "3"]] {
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

    fn words(words: &[&str]) -> Vec<OsString> {
        [&["fire-engine"], words].concat().into_iter().map(OsString::from).collect()
    }

    #[test]
    fn what_is_told_may_be_said_before_the_command() {
        for (before, behind) in [
            (&["--log", "info", "inspect", "a.glb"][..], &["inspect", "--log", "info", "a.glb"][..]),
            (&["--log=debug", "devices"], &["devices", "--log=debug"]),
            (&["--log", "info", "help", "inspect"], &["help", "inspect"]),
            (&["--log=info", "help"], &["help"]),
            (&["--log", "info", "a.glb"], &["--log", "info", "a.glb"]),
            (&["--log", "devices"], &["--log", "devices"]),
            (&["--log"], &["--log"]),
            (&["--smoke", "devices"], &["--smoke", "devices"]),
            (&[], &[]),
        ] {
            assert_eq!(command_first(words(before)), words(behind), "{before:?}");
        }
        for help in [&["--log", "info", "help", "inspect"][..], &["--log=info", "help"]] {
            let shown = CommandLine::try_parse_from(command_first(words(help))).unwrap_err();
            assert_eq!(shown.kind(), clap::error::ErrorKind::DisplayHelp, "{help:?}: {shown}");
        }
        let line = CommandLine::try_parse_from(command_first(words(&["--log", "info", "devices"]))).unwrap();
        assert!(line.log == Some(LogLevel::Info) && matches!(line.command, Some(Command::Devices(_))));
    }

    #[test]
    fn a_misspelled_command_is_told_from_a_model() {
        for (word, command) in
            [("rendr", "render"), ("redner", "render"), ("inspct", "inspect"), ("device", "devices")]
        {
            assert_eq!(misspelled(&words(&[word, "Fox.glb"])).as_deref(), Some(command), "{word}");
        }
        #[cfg(feature = "winit")]
        assert_eq!(misspelled(&words(&["veiw"])).as_deref(), Some("view"));
        // Files of this repository, and words that are near nothing.
        for other in ["render", "help", "src", "fox.glb", "./rendr", "--rendr", "new", "reader.glb", ""] {
            assert_eq!(misspelled(&words(&[other])), None, "{other}");
        }
        assert_eq!(misspelled(&words(&[])), None);
    }

    #[test]
    #[cfg(feature = "winit")]
    fn without_a_command_a_model_is_looked_at_as_view_does_it() {
        for model in [&[][..], &["a.glb"]] {
            let Some(Command::View(view)) = parsed(&[&["view"], model].concat()).unwrap().command else {
                panic!("another command")
            };
            let bare = parsed(model).unwrap().bare;
            assert_eq!(ViewArguments::without_command(&bare), Some(*view));
            assert_eq!(bare.samples.unwrap_or(crate::app::arguments::SAMPLES), 4, "pictures too");
        }
    }
}
