//! An example with input of its own, used with keys and mouse.

use super::is_clean;
use crate::support::check;
use crate::support::desktop::Desktop;
use crate::support::example::built;
use crate::support::picture::colorful_part;
use crate::support::process::poll;
use image::RgbaImage;
use libtest_mimic::Failed;

/// Walks with W, looks round by dragging, zooms with the wheel, and rests in between.
pub fn walks_and_looks_round() -> Result<(), Failed> {
    let desktop = Desktop::new("window.walk")?;
    let program = built("custom_camera_input")?;
    let mut program = desktop.run(desktop.command(&program.to_string_lossy()).arg("--validate"));
    let window = desktop.window_named("^custom_camera_input$", &mut program)?;
    desktop.xdotool(&["windowmove", &window, "100", "100", "windowactivate", "--sync", &window])?;
    let rest = || -> Result<RgbaImage, Failed> {
        let mut last = desktop.screenshot("screen")?;
        let rest = poll(20, || {
            let now = desktop.screenshot("screen").ok()?;
            let is_still = now == last && colorful_part(&now) > 0.02;
            last = now;
            is_still.then(|| last.clone())
        });
        rest.ok_or_else(|| "it does not come to rest".into())
    };
    let mut before = rest()?;
    for (what, input) in [
        ("walking", &["keydown", "w", "sleep", "0.3", "keyup", "w"][..]),
        (
            "looking",
            &["mousemove", "500", "400", "mousedown", "1", "mousemove", "600", "430", "mouseup", "1"],
        ),
        ("zooming", &["click", "4"]),
    ] {
        desktop.xdotool(input)?;
        let after = rest()?;
        check(after != before, || format!("{what} changes nothing"))?;
        before = after;
    }
    // Without the button it only points.
    desktop.xdotool(&["mousemove", "300", "300", "mousemove", "500", "400"])?;
    check(rest()? == before, || "pointing looks round".to_owned())?;
    desktop.xdotool(&["key", "Escape"])?;
    let ended = program.end(30)?;
    check(ended.code == Some(0), || format!("{ended:?}"))?;
    is_clean(&ended)
}
