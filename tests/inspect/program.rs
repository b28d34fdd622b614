//! Running the program.

use crate::support::check;
use crate::support::process::empty_folder;
use libtest_mimic::Failed;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What a run has said.
#[derive(Debug)]
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub error: String,
}

/// The program where Vulkan has no driver.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fire-engine"));
    command.args(arguments);
    for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        command.env(variable, "/nonexistent/driver.json");
    }
    command.env_remove("VK_ADD_DRIVER_FILES");
    command
}

/// The same where there is no Vulkan at all: a library that cannot be loaded is as one that is not installed. Linux only.
pub fn without_loader(name: &str, arguments: &[&str]) -> Command {
    let folder = empty_folder(name);
    for library in ["libvulkan.so.1", "libvulkan.so"] {
        std::fs::write(folder.join(library), "no library").expect("a file that is no library");
    }
    let mut command = command(arguments);
    command.env("LD_LIBRARY_PATH", folder);
    command
}

pub fn said(command: &mut Command) -> Result<Said, Failed> {
    let output = command.output()?;
    let text = |bytes| String::from_utf8(bytes).map_err(|_| "not UTF-8");
    Ok(Said { code: output.status.code(), out: text(output.stdout)?, error: text(output.stderr)? })
}

/// A run that has to succeed, and say nothing of errors.
pub fn succeeded(command: &mut Command) -> Result<String, Failed> {
    let said = said(command)?;
    check(said.code == Some(0) && said.error.is_empty(), || format!("{said:?}"))?;
    Ok(said.out)
}

/// The facts of a file.
pub fn facts(arguments: &[&str]) -> Result<Value, Failed> {
    let out = succeeded(&mut command(&[&["inspect", "--json"], arguments].concat()))?;
    serde_json::from_str(&out).map_err(|error| format!("{error}: {out}").into())
}

/// Whether a run was refused as it should be: code 1, one line of error, and the file in it.
pub fn check_refusal(said: &Said, file: &str) -> Result<(), Failed> {
    let is_one_line = said.error.lines().count() == 1 && said.error.ends_with('\n');
    check(said.code == Some(1) && is_one_line && said.error.contains(file), || format!("{said:?}"))?;
    check(said.error.trim_end().len() > "fire-engine: ".len() + file.len() + 10, || {
        format!("no reason: {}", said.error)
    })
}

/// Whether what was printed has something that a terminal takes for an order.
pub fn check_harmless(text: &str) -> Result<(), Failed> {
    let found =
        text.chars().find(|c| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c));
    check(found.is_none(), || format!("{found:?} in {text:?}"))
}

/// A file's name in a folder as a text.
pub fn name(folder: &Path, file: &str) -> String {
    folder.join(file).to_string_lossy().into_owned()
}
