//! The window: its size, its end, and why there is none.

use crate::Test;
use crate::models::{copied, own};
use crate::sight::{has_clear_corners, shape};
use crate::support::check;
use crate::support::desktop::Desktop;
use crate::support::process::{Ended, empty_folder, poll};
use crate::viewer::{SIZE, Viewer, view};
use image::RgbaImage;
use libtest_mimic::Failed;
use std::fs;

pub const TESTS: &[Test] = &[
    ("the_window_is_resized_minimized_and_closed", resizes_minimizes_and_closes),
    ("a_key_that_was_pressed_for_another_window_does_nothing", ignores_keys_of_others),
    ("f11_fills_the_screen_and_escape_leaves_it", fills_the_screen),
    ("it_ends_after_the_frames_that_were_asked_for", ends_after_frames),
    ("a_first_model_that_is_refused_ends_it_with_one_line", refuses),
    ("without_a_display_it_names_render", needs_a_display),
];

const STILL: &[&str] = &["--no-panel", "--paused", "--time", "0.5"];

/// Waits until the window has that size and shows the whole model in its middle.
fn shows_at(viewer: &Viewer, (width, height): (u32, u32), name: &str) -> Result<RgbaImage, Failed> {
    viewer.shows(name, |picture| {
        let is_in_the_middle = shape(picture).is_some_and(|shape| {
            (shape.x - f64::from(width) / 2.0).abs() < 25.0
                && (shape.y - f64::from(height) / 2.0).abs() < 25.0
        });
        picture.dimensions() == (width, height) && has_clear_corners(picture) && is_in_the_middle
    })
}

fn resizes_minimizes_and_closes() -> Result<(), Failed> {
    let mut viewer = Viewer::open("resize", &own("LetterCube"), STILL)?;
    let first = shows_at(&viewer, SIZE, "first")?;
    for size in [(900, 500), (300, 600), (1000, 700), SIZE] {
        viewer.manage(&["windowsize"], &[&size.0.to_string(), &size.1.to_string()])?;
        // The camera is left where it is, which shows less of the model in a narrow window, until it is asked for more.
        viewer.shows(&format!("{}x{}_as_before", size.0, size.1), |picture| picture.dimensions() == size)?;
        viewer.press(&["f"])?;
        shows_at(&viewer, size, &format!("{}x{}", size.0, size.1))?;
        viewer.goes_on()?;
    }
    viewer.shows_again("first_size", &first)?;

    viewer.manage(&["windowminimize"], &[])?;
    let gone = poll(20, || {
        let screen = viewer.desktop.screenshot("iconified").ok()?;
        (crate::support::picture::colorful_part(&screen) == 0.0).then_some(())
    });
    check(gone.is_some(), || "the window is still on the screen".to_owned())?;
    std::thread::sleep(std::time::Duration::from_millis(500));
    viewer.goes_on()?;
    viewer.manage(&["windowmap"], &[])?;
    viewer.shows_again("back", &first)?;

    // The window manager closes it, as it does for a click on the cross.
    viewer.manage(&["windowactivate"], &[])?;
    viewer.press(&["alt+F4"])?;
    viewer.ends_well().map(drop)
}

/// As when a dialog of another program is closed with Escape, and the focus comes back before the key is up.
fn ignores_keys_of_others() -> Result<(), Failed> {
    let mut viewer = Viewer::open("held", &own("LetterCube"), STILL)?;
    let first = viewer.shows_a_model("first")?;
    for key in ["Escape", "Tab", "m"] {
        viewer.manage(&["windowminimize"], &[])?;
        let is_away = poll(20, || (!viewer.has_focus()).then_some(()));
        check(is_away.is_some(), || "it keeps the focus".to_owned())?;
        viewer.desktop.xdotool(&["keydown", key])?;
        viewer.manage(&["windowactivate", "--sync"], &[])?;
        viewer.stays("back", &first)?;
        viewer.desktop.xdotool(&["keyup", key])?;
        viewer.stays("still", &first)?;
        viewer.goes_on()?;
    }
    viewer.quit().map(drop)
}

fn fills_the_screen() -> Result<(), Failed> {
    let viewer = Viewer::open("full", &own("LetterCube"), STILL)?;
    let first = shows_at(&viewer, SIZE, "first")?;
    for key in ["F11", "Escape"] {
        viewer.press(&["F11"])?;
        shows_at(&viewer, (1280, 800), "full")?;
        viewer.press(&[key])?;
        viewer.shows_again("back", &first)?;
    }
    viewer.quit()?;

    let viewer = Viewer::open("fullfirst", &own("LetterCube"), &[&["--full-screen"], STILL].concat())?;
    shows_at(&viewer, (1280, 800), "full")?;
    viewer.press(&["F11"])?;
    viewer.shows("small", |picture| picture.width() < 1280)?;
    viewer.quit().map(drop)
}

fn ended(name: &str, arguments: &[&str]) -> Result<Ended, Failed> {
    let desktop = Desktop::new(&format!("view.{name}"))?;
    desktop.run(&mut view(&desktop, arguments)).end(60)
}

fn ends_after_frames() -> Result<(), Failed> {
    let ended = ended("frames", &["--frames", "5"])?;
    check(ended.code == Some(0) && ended.stderr.is_empty(), || format!("{ended:?}"))?;
    check(ended.stdout.contains("Validation: 0 errors, 0 warnings."), || format!("{ended:?}"))
}

fn refuses() -> Result<(), Failed> {
    let folder = empty_folder("view.refused.model");
    let file = copied("Hierarchy", &folder)?;
    fs::write(&file, r#"{"asset": {"version": "3.0", "minVersion": "3.0"}}"#)?;
    let missing = folder.join("missing.glb");
    for (file, name) in [(&file, "Hierarchy.gltf"), (&missing, "missing.glb")] {
        let ended = ended("refused", &[&*file.to_string_lossy()])?;
        check(ended.code == Some(1), || format!("{ended:?}"))?;
        let is_one_line = ended.stderr.lines().count() == 1 && ended.stderr.contains(name);
        check(is_one_line, || format!("{ended:?}"))?;
    }
    // Of several one could be there, so it goes on until it is to end.
    let several = [&file, &missing].map(|file| file.to_string_lossy().into_owned());
    let all = ended("several", &["--frames", "2", &several[0], &several[1]])?;
    check(all.code == Some(1) && all.stderr.contains("Hierarchy.gltf"), || format!("{all:?}"))?;
    // What was asked for and is not there.
    let ended = ended("unknown", &[&*own("LetterCube").to_string_lossy(), "--clip", "Walk"])?;
    let is_said = ended.stderr.lines().count() == 1 && ended.stderr.contains("Walk");
    check(ended.code == Some(1) && is_said, || format!("{ended:?}"))
}

fn needs_a_display() -> Result<(), Failed> {
    let desktop = Desktop::new("view.nodisplay")?;
    let mut command = view(&desktop, &[]);
    let ended = desktop.run(command.env_remove("DISPLAY")).end(60)?;
    let is_said = ended.stderr.lines().count() == 1 && ended.stderr.contains("`fire-engine render`");
    check(ended.code == Some(1) && is_said, || format!("{ended:?}"))?;
    // One that is announced and not there.
    let ended = desktop.run(command.env("DISPLAY", ":65000")).end(60)?;
    check(ended.code == Some(1) && ended.stderr.contains("`fire-engine render`"), || format!("{ended:?}"))
}
