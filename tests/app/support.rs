//! What the tests of the programs share: skips that are counted, folders, processes with a time limit.

// Each of the tests uses a part of it.
#![allow(dead_code)]

use fire_engine::vulkan::{Renderer, RendererOptions, Validation};
use image::RgbaImage;
use libtest_mimic::{Failed, Trial};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a test needs; `Err` says what is missing.
pub type Requirement = Result<(), String>;

/// A test that is skipped, with the reason beside its name, where something is missing. With `CI` set it fails instead.
pub fn trial(
    name: &str,
    needs: &Requirement,
    test: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    match needs {
        Ok(()) => Trial::test(name, test),
        Err(reason) if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) => {
            let reason = reason.clone();
            Trial::test(name, move || Err(format!("with CI set this must run: {reason}").into()))
        }
        Err(reason) => {
            Trial::test(name, test).with_kind(format!("skipped: {reason}")).with_ignored_flag(true)
        }
    }
}

/// A Vulkan driver that the renderer can use.
pub fn driver() -> Requirement {
    renderer(Validation::Off)
}

/// A driver and the validation layer.
pub fn validated_driver() -> Requirement {
    renderer(Validation::Required)
}

fn renderer(validation: Validation) -> Requirement {
    let options = RendererOptions { validation, ..RendererOptions::default() };
    Renderer::headless((16, 16), options).map(drop).map_err(|error| error.to_string())
}

/// A program on the search path.
pub fn installed(program: &str, package: &str) -> Requirement {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there = std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    if is_there { Ok(()) } else { Err(format!("{program} is missing: install the package {package}")) }
}

/// An empty folder of its own for each test, emptied at the next run.
pub fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _was_there = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// A running program whose output goes to files; killed when dropped.
pub struct Running {
    child: Child,
    folder: PathBuf,
}

/// What a program that ended has said.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Running {
    /// Starts a command; `logs` is the folder for its output.
    pub fn start(command: &mut Command, logs: &Path) -> Self {
        let file = |name| File::create(logs.join(name)).expect("a log");
        command.stdin(Stdio::null()).stdout(file("stdout")).stderr(file("stderr"));
        let child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
        Self { child, folder: logs.to_owned() }
    }

    /// Whether it has ended.
    pub fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child's state")
    }

    /// What it has said so far.
    pub fn said(&self, file: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.folder.join(file)).unwrap_or_default()).into_owned()
    }

    /// Waits for its end, at most `seconds`.
    pub fn end(mut self, seconds: u64) -> Result<Ended, Failed> {
        let status = poll(seconds, || self.status());
        let (stdout, stderr) = (self.said("stdout"), self.said("stderr"));
        match status {
            Some(status) => Ok(Ended { code: status.code(), stdout, stderr }),
            None => Err(format!("still running after {seconds} s\n{stdout}\n{stderr}").into()),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _has_ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// Asks until there is an answer, at most `seconds`.
pub fn poll<T>(seconds: u64, mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + Duration::from_secs(seconds);
    loop {
        if let Some(answer) = ask() {
            return Some(answer);
        }
        if Instant::now() > end {
            return None;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A picture file.
pub fn picture(path: &Path) -> Result<RgbaImage, Failed> {
    Ok(image::open(path).map_err(|error| format!("{}: {error}", path.display()))?.to_rgba8())
}

/// The part of all pixels whose color is strong, as that of the letter cube's faces is and the background's is not.
pub fn colorful_part(picture: &RgbaImage) -> f64 {
    let is_colorful = |rgb: &[u8]| {
        let (low, high) = (rgb.iter().min(), rgb.iter().max());
        low.zip(high).is_some_and(|(low, high)| high - low > 80)
    };
    let count = picture.pixels().filter(|pixel| is_colorful(&pixel.0[..3])).count();
    count as f64 / f64::from(picture.width() * picture.height()).max(1.0)
}

/// `Err` with the text unless it holds.
pub fn check(holds: bool, text: impl FnOnce() -> String) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(text().into()) }
}
