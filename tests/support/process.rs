//! Programs under test: folders of their own, processes with a time limit.

use super::Requirement;
use libtest_mimic::Failed;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

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

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended.
    pub fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child's state")
    }

    /// Its memory that is in RAM, in KiB; `None` once it has ended. Linux only.
    pub fn resident_kib(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    }

    /// How long processors have worked for it; `None` once it has ended. Linux only.
    pub fn processor_time(&self) -> Option<Duration> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The second field, a name in parentheses, may hold spaces; user and system time are the 14th and 15th.
        let (_, fields) = stat.rsplit_once(") ")?;
        let ticks: Vec<u64> =
            fields.split(' ').skip(11).take(2).map_while(|text| text.parse().ok()).collect();
        // A tick is a hundredth of a second on every Linux there is.
        (ticks.len() == 2).then(|| Duration::from_millis(10 * ticks.iter().sum::<u64>()))
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
