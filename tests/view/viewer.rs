//! The program in a window, as one who sits before it sees and moves it.

use crate::drag_source::{Dropped, drop_files};
use crate::sight::{self, BACKGROUND, same, shape};
use crate::support::check;
use crate::support::desktop::Desktop;
use crate::support::process::{Ended, Running, poll};
use image::RgbaImage;
use libtest_mimic::Failed;
use std::cell::Cell;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Seconds that anything may take to be seen. The machine may be slow, and shared.
const PATIENCE: u64 = 40;

/// A busy machine may show input one frame after the other.
const STILL: Duration = Duration::from_millis(400);

/// Size of the window's inner part unless a test asks for another.
pub const SIZE: (u32, u32) = (640, 480);

/// `fire-engine view` on a screen of its own.
pub struct Viewer {
    pub desktop: Desktop,
    program: Running,
    window: String,
    shots: Cell<u32>,
}

/// `fire-engine view` under the validation layer, whose report becomes its exit code.
pub fn view(desktop: &Desktop, arguments: &[&str]) -> Command {
    let mut command = desktop.command(env!("CARGO_BIN_EXE_fire-engine"));
    command.args(["view", "--validate", "--background", BACKGROUND]).args(arguments);
    if !arguments.contains(&"--size") {
        command.arg("--size").arg(format!("{}x{}", SIZE.0, SIZE.1));
    }
    command
}

impl Viewer {
    /// Opens a model, and waits until the window is there and has its name. Screenshots stay in the folder `view.<name>`.
    pub fn open(name: &str, model: &Path, arguments: &[&str]) -> Result<Self, Failed> {
        let model_argument = model.to_string_lossy();
        let desktop = Desktop::new(&format!("view.{name}"))?;
        let viewer = Self::start(desktop, &[&[&*model_argument], arguments].concat())?;
        viewer.is_called(&title_of(model))?;
        Ok(viewer)
    }

    /// The same, on a screen that is there, with any arguments.
    pub fn start(desktop: Desktop, arguments: &[&str]) -> Result<Self, Failed> {
        let mut program = desktop.run(&mut view(&desktop, arguments));
        let window = desktop.window_named("fire-engine$", &mut program)?;
        desktop.xdotool(&["windowactivate", "--sync", &window])?;
        // Away from everything that changes its look under the pointer.
        desktop.xdotool(&["mousemove", "--window", &window, "500", "60"])?;
        Ok(Self { desktop, program, window, shots: Cell::new(0) })
    }

    /// What the program has said on standard error.
    pub fn complaints(&self) -> String {
        self.program.said("stderr")
    }

    /// Waits until it has complained about something whose text has that in it.
    pub fn has_complained(&self, about: &str) -> Result<(), Failed> {
        let said = poll(PATIENCE, || self.complaints().contains(about).then_some(()));
        said.ok_or_else(|| format!("nothing is said about {about}: {:?}", self.complaints()).into())
    }

    /// Waits until the window has that title.
    pub fn is_called(&self, title: &str) -> Result<(), Failed> {
        let mut last = String::new();
        let called = poll(PATIENCE, || {
            last = self.desktop.xdotool(&["getwindowname", &self.window]).unwrap_or_default();
            (last.trim_end() == title).then_some(())
        });
        called.ok_or_else(|| format!("the title is {last:?} and not {title:?}\n{}", self.complaints()).into())
    }

    /// The window's inner part as it is now. The screenshot is kept with a number before its name.
    pub fn look(&self, name: &str) -> Result<RgbaImage, Failed> {
        let number = self.shots.get();
        self.desktop.picture_of(&self.window, &format!("{number:02}_{name}"))
    }

    fn next_shot(&self) {
        self.shots.set(self.shots.get() + 1);
    }

    /// Waits until the picture is as wanted and has stood still for a while.
    pub fn shows(&self, name: &str, wanted: impl Fn(&RgbaImage) -> bool) -> Result<RgbaImage, Failed> {
        self.next_shot();
        let mut last: Option<(RgbaImage, Instant)> = None;
        let shown = poll(PATIENCE, || {
            let now = self.look(name).ok()?;
            match last.take().filter(|(picture, _)| *picture == now) {
                Some((picture, since)) if since.elapsed() > STILL && wanted(&picture) => {
                    return Some(picture);
                }
                Some(still) => last = Some(still),
                None => last = Some((now, Instant::now())),
            }
            None
        });
        let rest = || format!("{name} is not shown\n{}", self.complaints());
        shown.ok_or_else(|| rest().into())
    }

    /// Waits for the picture of a model that stands still, with some empty space around it.
    pub fn shows_a_model(&self, name: &str) -> Result<RgbaImage, Failed> {
        self.shows(name, |picture| shape(picture).is_some_and(|shape| shape.part > 0.04 && shape.part < 0.9))
    }

    /// Waits for a picture that differs from that one, and stands still.
    pub fn shows_another(&self, name: &str, than: &RgbaImage) -> Result<RgbaImage, Failed> {
        self.shows(name, |picture| sight::different(picture, than))
    }

    /// Waits until the picture is that one again.
    pub fn shows_again(&self, name: &str, picture: &RgbaImage) -> Result<(), Failed> {
        let again = self.shows(name, |now| same(now, picture));
        again.map(drop).map_err(|error| {
            let off = self.look(name).map_or(1.0, |now| sight::difference(&now, picture));
            let text = error.message().unwrap_or_default();
            format!("{:.2} % of the pixels differ: {text}", 100.0 * off).into()
        })
    }

    /// Waits until the picture is not that one any more, moving or not.
    pub fn moves_on(&self, name: &str, from: &RgbaImage) -> Result<RgbaImage, Failed> {
        self.next_shot();
        let moved = poll(PATIENCE, || self.look(name).ok().filter(|picture| sight::different(picture, from)));
        moved.ok_or_else(|| format!("{name}: the picture stays\n{}", self.complaints()).into())
    }

    /// Looks a few times for a while: the picture stays the same.
    pub fn stays(&self, name: &str, picture: &RgbaImage) -> Result<(), Failed> {
        self.next_shot();
        for _ in 0..4 {
            std::thread::sleep(Duration::from_millis(150));
            let now = self.look(name)?;
            let off = sight::difference(&now, picture);
            check(same(&now, picture), || format!("{name}: {:.2} % of the pixels changed", 100.0 * off))?;
        }
        Ok(())
    }

    /// Presses and releases keys, one after the other.
    pub fn press(&self, keys: &[&str]) -> Result<(), Failed> {
        self.desktop.xdotool(&[&["key", "--delay", "40"], keys].concat()).map(drop)
    }

    /// Holds a key for a while.
    pub fn hold(&self, key: &str, seconds: &str) -> Result<(), Failed> {
        self.desktop.xdotool(&["keydown", key, "sleep", seconds, "keyup", key]).map(drop)
    }

    /// Moves the pointer to a place in the window, in pixels.
    pub fn point(&self, (x, y): (i32, i32)) -> Result<(), Failed> {
        let (x, y) = (x.to_string(), y.to_string());
        self.desktop.xdotool(&["mousemove", "--window", &self.window, &x, &y, "sleep", "0.1"]).map(drop)
    }

    /// Turns the wheel that often, away from the user if positive.
    pub fn wheel(&self, steps: i32) -> Result<(), Failed> {
        let (count, button) = (steps.unsigned_abs().to_string(), if steps > 0 { "4" } else { "5" });
        self.desktop.xdotool(&["click", "--repeat", &count, "--delay", "30", button]).map(drop)
    }

    /// Drags with a mouse button from a place to another, in a few steps, as a hand does.
    pub fn drag(&self, button: &str, from: (i32, i32), to: (i32, i32)) -> Result<(), Failed> {
        const STEPS: i32 = 6;
        self.point(from)?;
        let mut line = vec!["mousedown".to_owned(), button.to_owned(), "sleep".to_owned(), "0.1".to_owned()];
        for step in 1..=STEPS {
            let at = |from: i32, to: i32| (from + (to - from) * step / STEPS).to_string();
            let move_to = ["mousemove", "--window", &self.window].map(str::to_owned);
            line.extend(move_to);
            line.extend([at(from.0, to.0), at(from.1, to.1), "sleep".to_owned(), "0.03".to_owned()]);
        }
        line.extend(["sleep", "0.1", "mouseup", button].map(str::to_owned));
        self.desktop.xdotool(&line.iter().map(String::as_str).collect::<Vec<_>>()).map(drop)
    }

    /// Drags files from another program onto the window.
    pub fn drop_on(&self, files: &[&Path]) -> Result<Dropped, Failed> {
        drop_files(self.desktop.display(), self.window.parse()?, files)
    }

    /// Lets the window manager do something with the window: a command of xdotool and its options, and what follows the
    /// window.
    pub fn manage(&self, command: &[&str], rest: &[&str]) -> Result<(), Failed> {
        self.desktop.xdotool(&[command, &[&self.window], rest].concat()).map(drop)
    }

    /// Whether keys go to the window.
    pub fn has_focus(&self) -> bool {
        self.desktop.xdotool(&["getwindowfocus"]).is_ok_and(|focus| focus.trim() == self.window)
    }

    /// Fails if the program has ended.
    pub fn goes_on(&mut self) -> Result<(), Failed> {
        match self.program.status() {
            None => Ok(()),
            Some(status) => Err(format!("it ended with {status}: {}", self.complaints()).into()),
        }
    }

    /// Waits for its end, with exit code 0 and nothing reported by the validation layer.
    pub fn ends_well(self) -> Result<Ended, Failed> {
        let ended = self.program.end(PATIENCE)?;
        check(ended.code == Some(0), || format!("{ended:?}"))?;
        check(ended.stdout.contains("Validation: 0 errors, 0 warnings."), || format!("{ended:?}"))?;
        Ok(ended)
    }

    /// Quits with Escape.
    pub fn quit(self) -> Result<Ended, Failed> {
        self.press(&["Escape"])?;
        self.ends_well()
    }
}

/// The title of a window that shows this model.
pub fn title_of(model: &Path) -> String {
    format!("{} - fire-engine", model.file_name().unwrap_or_default().to_string_lossy())
}
