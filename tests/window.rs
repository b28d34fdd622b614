//! Runs the program in a window: an X server of its own, a small window manager, real resizing, iconifying and closing,
//! under the validation layer until everything is dropped.

#[path = "window/example.rs"]
mod example;
mod support;
#[path = "window/waiting.rs"]
mod waiting;

use image::RgbaImage;
use libtest_mimic::Failed;
use std::process::{Command, ExitCode};
use std::time::Instant;
use support::desktop::{self, Desktop};
use support::picture::{colorful_part, open};
use support::process::{Ended, Running, empty_folder, installed, poll};
use support::{check, trial};

const WAYLAND: &str = "a_frame_without_a_picture_does_not_stop_a_wayland_window";

fn main() -> ExitCode {
    if let Some(code) = waiting::application() {
        return code;
    }
    let needs = desktop::requirement();
    let trials = vec![
        trial("a_window_draws_resizes_iconifies_and_closes", &needs, draws_resizes_iconifies_and_closes),
        trial("a_window_draws_the_same_picture_as_headless", &needs, draws_the_same_picture_as_headless),
        trial("memory_is_flat_while_the_swapchain_is_recreated", &needs, memory_is_flat_over_recreation),
        trial("each_swapchain_is_told_of", &needs, each_swapchain_is_told_of),
        trial("escape_ends_the_program_early", &needs, escape_ends_the_program_early),
        trial("a_panic_of_the_window_library_leads_to_pictures", &needs, a_panic_leads_to_pictures),
        trial("a_display_that_goes_away_ends_the_program", &needs, a_display_that_goes_away_ends_it),
        trial("a_stale_wayland_display_does_not_hide_x11", &needs, a_stale_wayland_display_does_not_hide_x11),
        trial("an_output_folder_has_no_effect_and_that_is_said", &needs, an_output_folder_has_no_effect),
        trial(
            "a_waiting_window_draws_only_when_something_happens",
            &needs,
            waiting::draws_only_when_something_happens,
        ),
        trial("a_window_can_cover_the_display", &needs, waiting::covers_the_display),
        trial("a_covered_window_is_drawn_rarely", &needs, waiting::draws_rarely_while_covered),
        trial(
            "an_example_walks_and_looks_round_by_input_of_its_own",
            &needs.clone().and_then(|()| support::example::built("custom_camera_input").map(drop)),
            example::walks_and_looks_round,
        ),
        match installed("weston", "weston") {
            Ok(()) => trial(WAYLAND, &needs, waiting::goes_on_after_a_frame_without_a_picture),
            // Not installed for the other tests, in CI neither.
            Err(reason) => support::skipped(WAYLAND, &reason),
        },
    ];
    // Side by side, with an X server and a software renderer each, their time limits would mean nothing.
    support::run(trials).exit_code()
}

/// The bare program on such a screen.
impl Desktop {
    fn start(&self, arguments: &[&str]) -> Running {
        self.start_with(arguments, |_| {})
    }

    fn start_with(&self, arguments: &[&str], change: impl FnOnce(&mut Command)) -> Running {
        let mut command = self.command(env!("CARGO_BIN_EXE_fire-engine"));
        change(command.args(arguments));
        self.run(&mut command)
    }

    fn window(&self, program: &mut Running) -> Result<String, Failed> {
        self.window_named("fire-engine$", program)
    }

    /// Waits until the whole window shows the cube on its background, and returns that part of the screen.
    fn shown(&self, size: (u32, u32), name: &str) -> Result<RgbaImage, Failed> {
        let mut last = String::new();
        let shown = poll(30, || match self.look(size, name) {
            Ok(picture) => Some(picture),
            Err(error) => {
                last = error.message().unwrap_or_default().to_owned();
                None
            }
        });
        shown.ok_or_else(|| format!("{name}: the cube is not shown at {size:?}: {last}").into())
    }

    fn look(&self, size: (u32, u32), name: &str) -> Result<RgbaImage, Failed> {
        let screen = self.screenshot(name)?;
        let (low, high) = background(&screen).ok_or("no window is on the screen")?;
        let found = (high.0 - low.0 + 1, high.1 - low.1 + 1);
        check(found == size, || format!("the drawn area is {found:?}"))?;
        let view = image::imageops::crop_imm(&screen, low.0, low.1, size.0, size.1).to_image();
        let part = colorful_part(&view);
        check(part > 0.04, || format!("only {part} of the window is as colorful as the cube"))?;
        Ok(view)
    }
}

/// The smallest rectangle, corners included, around everything that has the renderer's clear color. Nothing else on the
/// screen has it, so this is the window's inner part; a remnant of an older size would make it smaller.
fn background(screen: &RgbaImage) -> Option<((u32, u32), (u32, u32))> {
    // The default clear color, encoded as sRGB.
    let is_background =
        |pixel: &[u8; 4]| pixel.iter().zip([33, 39, 48]).all(|(channel, clear)| channel.abs_diff(clear) <= 2);
    let found = screen.enumerate_pixels().filter(|(_, _, pixel)| is_background(&pixel.0));
    found.fold(None, |bounds, (x, y, _)| {
        let (low, high) = bounds.unwrap_or(((x, y), (x, y)));
        Some(((low.0.min(x), low.1.min(y)), (high.0.max(x), high.1.max(y))))
    })
}

fn presented(ended: &Ended) -> Result<u64, Failed> {
    let line = ended.stdout.lines().find_map(|line| line.strip_prefix("Presented "));
    let number = line.and_then(|line| line.split(' ').next()).and_then(|number| number.parse().ok());
    number.ok_or_else(|| format!("{ended:?}").into())
}

fn is_clean(ended: &Ended) -> Result<(), Failed> {
    check(ended.stdout.contains("Validation: 0 errors, 0 warnings."), || format!("{ended:?}"))
}

/// T-VK-MIN, and T-VK-SEM and T-VK-SYNC by the validation layers, of which CI runs a newer one too.
fn draws_resizes_iconifies_and_closes() -> Result<(), Failed> {
    let desktop = Desktop::new("window.life")?;
    let mut program = desktop.start(&["--validate", "--frames", "1000000", "--size", "640x480"]);
    let window = desktop.window(&mut program)?;
    let first = desktop.shown((640, 480), "1_first")?;
    let turned = poll(20, || {
        let later = desktop.shown((640, 480), "2_turned").ok()?;
        (later != first).then_some(())
    });
    check(turned.is_some(), || "the cube does not turn".to_owned())?;

    for size in [(900, 500), (300, 600), (1000, 700), (500, 400)] {
        let (width, height) = (size.0.to_string(), size.1.to_string());
        desktop.xdotool(&["windowsize", &window, &width, &height])?;
        desktop.shown(size, &format!("3_resized_{width}x{height}"))?;
        check(program.status().is_none(), || format!("ended: {}", program.said("stderr")))?;
    }

    desktop.xdotool(&["windowminimize", &window])?;
    let gone = poll(20, || {
        let screen = desktop.screenshot("4_iconified").ok()?;
        (colorful_part(&screen) == 0.0).then_some(())
    });
    check(gone.is_some(), || "the window is still on the screen".to_owned())?;
    std::thread::sleep(std::time::Duration::from_millis(500));
    check(program.status().is_none(), || format!("ended: {}", program.said("stderr")))?;
    desktop.xdotool(&["windowmap", &window])?;
    desktop.shown((500, 400), "5_back")?;

    // The window manager closes it, as it does for a click on the cross.
    desktop.xdotool(&["windowactivate", "--sync", &window])?;
    desktop.xdotool(&["key", "alt+F4"])?;
    let ended = program.end(30)?;
    check(ended.code == Some(1), || format!("{ended:?}"))?;
    is_clean(&ended)?;
    let closed = ended.stderr.split_once(" of 1000000 frames: the window was closed");
    let frames = closed.and_then(|(before, _)| before.rsplit(' ').next()).and_then(|text| text.parse().ok());
    let frames: u64 = frames.ok_or_else(|| format!("{ended:?}"))?;
    check(frames > 20, || format!("only {frames} frames: {ended:?}"))?;
    check(ended.stdout.contains("Presentation: window, "), || format!("{ended:?}"))
}

fn draws_the_same_picture_as_headless() -> Result<(), Failed> {
    let desktop = Desktop::new("window.same")?;
    let common = ["--validate", "--frames", "4", "--smoke", "--size", "400x300", "--output"];
    for (arguments, file) in
        [(&["--recreate-every-frame"][..], "window.png"), (&["--headless"], "headless.png")]
    {
        let ended = desktop.start(&[&common[..], &[file], arguments].concat()).end(60)?;
        check(ended.code == Some(0) && presented(&ended)? == 4, || format!("{ended:?}"))?;
        check(ended.stderr.is_empty(), || format!("{ended:?}"))?;
        is_clean(&ended)?;
    }
    let read = |file: &str| open(&desktop.folder().join(file));
    let (window, headless) = (read("window.png")?, read("headless.png")?);
    check(window.dimensions() == (400, 300), || format!("{:?}", window.dimensions()))?;
    check(colorful_part(&window) > 0.15, || "no cube".to_owned())?;
    check(window == headless, || "window and headless pictures differ".to_owned())
}

/// Objects are counted elsewhere; this is what the process holds, the driver's part included.
/// T-VK-LEAK.
fn memory_is_flat_over_recreation() -> Result<(), Failed> {
    const FRAMES: u64 = 2400;
    // The driver warms up for half a second and more where other programs keep the processors busy.
    const SETTLED: u64 = 1000;
    let desktop = Desktop::new("window.memory")?;
    let nothing = empty_folder("window.memory.layers");
    let frames = FRAMES.to_string();
    let arguments = ["--frames", &frames, "--recreate-every-frame", "--size", "320x240"];
    let mut program = desktop.start_with(&arguments, |command| {
        // The validation layer remembers every swapchain, so it must not be found.
        command.env("VK_LAYER_PATH", &nothing);
    });
    desktop.window(&mut program)?;
    let start = Instant::now();
    let mut samples = Vec::new();
    let ended = poll(60, || {
        samples.extend(program.resident_kib().map(|kib| (start.elapsed(), kib)));
        program.status()
    });
    check(ended.is_some(), || format!("still running after 60 s: {samples:?}"))?;
    let ended = program.end(1)?;
    check(ended.code == Some(0) && presented(&ended)? == FRAMES, || format!("{ended:?}"))?;
    check(ended.stdout.contains("Validation: off"), || format!("validated: {ended:?}"))?;

    // Frames take about the same time each, so a part of the time is that part of them.
    let last = samples.last().ok_or("no sample")?.0;
    let settled = last.mul_f64(SETTLED as f64 / FRAMES as f64);
    let kib: Vec<u64> = samples.iter().filter(|(at, _)| *at >= settled).map(|(_, kib)| *kib).collect();
    check(kib.len() >= 8, || format!("too few samples: {samples:?}"))?;
    // The highest rather than the last, which may see the program give memory back as it ends.
    let growth = kib.iter().max().map_or(0, |highest| highest - kib[0]);
    println!("{growth} KiB from about frame {SETTLED} to frame {FRAMES}");
    check(growth <= 4096, || format!("{growth} KiB more after {FRAMES} frames: {samples:?}"))
}

fn escape_ends_the_program_early() -> Result<(), Failed> {
    let desktop = Desktop::new("window.escape")?;
    let mut program = desktop.start(&["--validate", "--frames", "1000000", "--size", "200x200"]);
    let window = desktop.window(&mut program)?;
    desktop.shown((200, 200), "1_shown")?;
    desktop.xdotool(&["windowactivate", "--sync", &window])?;
    desktop.xdotool(&["key", "Escape"])?;
    let ended = program.end(30)?;
    check(ended.code == Some(1), || format!("{ended:?}"))?;
    check(ended.stderr.contains("of 1000000 frames: the window was closed"), || format!("{ended:?}"))?;
    is_clean(&ended)
}

fn a_panic_leads_to_pictures() -> Result<(), Failed> {
    let desktop = Desktop::new("window.panic")?;
    // A library that cannot be loaded is to the window library as one that is not installed: it panics.
    let libraries = empty_folder("window.panic.libraries");
    for name in ["libxkbcommon-x11.so.0", "libxkbcommon-x11.so"] {
        std::fs::write(libraries.join(name), "not a library")?;
    }
    let arguments = ["--frames", "1", "--size", "64x48", "--output", "one.png"];
    let program = desktop.start_with(&arguments, |command| {
        command.env("LD_LIBRARY_PATH", &libraries);
    });
    let ended = program.end(60)?;
    check(ended.code == Some(0) && presented(&ended)? == 1, || format!("{ended:?}"))?;
    check(ended.stderr.contains("No window: ") && ended.stderr.contains("libxkbcommon-x11-0"), || {
        format!("it is not said: {ended:?}")
    })?;
    check(!ended.stderr.contains("panicked"), || format!("{ended:?}"))?;
    open(&desktop.folder().join("one.png")).map(drop)
}

fn a_display_that_goes_away_ends_it() -> Result<(), Failed> {
    let mut desktop = Desktop::new("window.gone")?;
    let mut program = desktop.start(&["--frames", "1000000", "--size", "200x200"]);
    desktop.window(&mut program)?;
    desktop.shown((200, 200), "1_shown")?;
    desktop.kill()?;
    let ended = program.end(60)?;
    check(ended.code == Some(1), || format!("{ended:?}"))
}

fn a_stale_wayland_display_does_not_hide_x11() -> Result<(), Failed> {
    let desktop = Desktop::new("window.stale")?;
    // A socket that nobody listens at any more stays as a file.
    drop(std::os::unix::net::UnixListener::bind(desktop.folder().join("wayland-left"))?);
    for display in ["wayland-left", "wayland-missing"] {
        let program = desktop.start_with(&["--frames", "1", "--size", "64x48"], |command| {
            command.env("WAYLAND_DISPLAY", display).env("XDG_RUNTIME_DIR", desktop.folder());
        });
        let ended = program.end(60)?;
        check(ended.code == Some(0) && presented(&ended)? == 1, || format!("{ended:?}"))?;
        check(ended.stdout.contains("Presentation: window, "), || format!("{display}: {ended:?}"))?;
        check(ended.stderr.is_empty(), || format!("{ended:?}"))?;
    }
    Ok(())
}

fn an_output_folder_has_no_effect() -> Result<(), Failed> {
    let desktop = Desktop::new("window.folder")?;
    let arguments = ["--frames", "1", "--size", "64x48", "--output-dir", "all"];
    let ended = desktop.start(&arguments).end(60)?;
    check(ended.code == Some(0) && presented(&ended)? == 1, || format!("{ended:?}"))?;
    check(ended.stderr.contains("--output-dir has no effect in a window"), || format!("{ended:?}"))?;
    check(!desktop.folder().join("all").exists(), || "there is a folder".to_owned())
}

/// One for the window, and one after each of 3 frames but perhaps the last.
fn each_swapchain_is_told_of() -> Result<(), Failed> {
    let desktop = Desktop::new("window.swapchains")?;
    let arguments =
        ["--smoke", "--frames", "3", "--recreate-every-frame", "--size", "320x240", "--log", "debug"];
    let ended = desktop.start(&arguments).end(60)?;
    check(ended.code == Some(0), || format!("{ended:?}"))?;
    let made: Vec<_> = ended.stderr.lines().filter(|line| line.contains("swapchain made images=")).collect();
    check(made.len() >= 3, || format!("{ended:?}"))?;
    let whole = |line: &&str| {
        [" width=320 height=240 ", " format=", " present_mode=FIFO", "DEBUG"]
            .iter()
            .all(|part| line.contains(part))
    };
    check(made.iter().all(whole) && !ended.stdout.contains("swapchain made"), || format!("{ended:?}"))
}
