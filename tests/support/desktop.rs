//! A screen of its own for a program with a window: an X server with a small window manager, real input, screenshots.

use super::picture::open;
use super::process::{Running, empty_folder, installed, poll};
use super::{Requirement, check, validated_driver};
use image::RgbaImage;
use libtest_mimic::Failed;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// What a test of a window needs.
pub fn requirement() -> Requirement {
    if !cfg!(target_os = "linux") {
        return Err("these tests are for Linux with Xvfb".to_owned());
    }
    for (program, package) in [
        ("timeout", "coreutils"),
        ("Xvfb", "xvfb"),
        ("openbox", "openbox"),
        ("xdotool", "xdotool"),
        ("import", "imagemagick"),
    ] {
        installed(program, package)?;
    }
    validated_driver()
}

/// An X server with a window manager.
pub struct Desktop {
    display: String,
    folder: PathBuf,
    manager: Option<Running>,
    server: Child,
    /// Number of programs that were started.
    started: AtomicU32,
}

impl Desktop {
    /// Starts both. `name` is that of the folder where programs run and screenshots stay.
    pub fn new(name: &str) -> Result<Self, Failed> {
        // The server chooses a free number and tells it. Without `-noreset` it starts anew whenever its last client
        // leaves, as a short-lived xdotool does, and refuses whoever comes in that moment.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut number = String::new();
        if let Some(stdout) = server.stdout.take() {
            BufReader::new(stdout).read_line(&mut number)?;
        }
        let mut desktop = Self {
            display: format!(":{}", number.trim()),
            folder: empty_folder(name),
            manager: None,
            server,
            started: AtomicU32::new(0),
        };
        check(!number.trim().is_empty(), || "Xvfb did not start".to_owned())?;
        let logs = empty_folder(&format!("{name}.openbox"));
        let mut openbox = desktop.command("openbox");
        desktop.manager = Some(Running::start(openbox.args(["--sm-disable"]), &logs));
        let managed = poll(20, || desktop.xdotool(&["get_num_desktops"]).ok());
        check(managed.is_some(), || "openbox did not start".to_owned())?;
        Ok(desktop)
    }

    /// Where programs run and screenshots stay.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The X display's name.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// A command that runs here.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.display).env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        command.current_dir(&self.folder);
        command
    }

    /// A command that may wait for what never comes, such as a window that is gone; then it fails.
    fn limited(&self, program: &str) -> Command {
        let mut command = self.command("timeout");
        command.args(["60", program]);
        command
    }

    /// Starts a command whose output goes to a folder of its own.
    pub fn run(&self, command: &mut Command) -> Running {
        let name = self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        Running::start(command, &empty_folder(&format!("{name}.logs.{number}")))
    }

    /// Input, and what the window manager does; returns what it prints.
    pub fn xdotool(&self, arguments: &[&str]) -> Result<String, Failed> {
        let output = self.limited("xdotool").args(arguments).output()?;
        check(output.status.success(), || format!("xdotool {arguments:?}: {output:?}"))?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The program's window, once it is on the screen; `name` is a pattern for its title.
    pub fn window_named(&self, name: &str, program: &mut Running) -> Result<String, Failed> {
        let search = ["search", "--onlyvisible", "--name", name];
        let found = poll(60, || {
            if program.status().is_some() {
                return Some(None);
            }
            let ids = self.xdotool(&search).ok()?;
            ids.lines().next().map(|id| Some(id.to_owned()))
        });
        let ended = || format!("no window\n{}\n{}", program.said("stdout"), program.said("stderr"));
        found.flatten().ok_or_else(|| ended().into())
    }

    /// The whole screen, which stays in the folder under that name.
    pub fn screenshot(&self, name: &str) -> Result<RgbaImage, Failed> {
        self.picture_of("root", name)
    }

    /// What a window shows inside of its frame, as far as it is on the screen and nothing covers it.
    pub fn picture_of(&self, window: &str, name: &str) -> Result<RgbaImage, Failed> {
        let file = format!("{name}.png");
        let output = self.limited("import").args(["-window", window, &file]).output()?;
        check(output.status.success(), || format!("import: {output:?}"))?;
        open(&self.folder.join(file))
    }

    /// The X server goes away as if it had crashed.
    pub fn kill(&mut self) -> Result<(), Failed> {
        Ok(self.server.kill()?)
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        drop(self.manager.take());
        // Asked to go, it removes its socket and lock file.
        let asked = Command::new("kill").arg(self.server.id().to_string()).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _has_ended = self.server.kill();
        }
        let _reaped = self.server.wait();
    }
}
