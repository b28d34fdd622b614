//! egui's interfaces in pictures, under core and synchronization validation.

#[allow(dead_code, reason = "its window is not opened here")]
#[path = "../examples/egui_overlay.rs"]
mod example;
mod support;

#[path = "egui/growth.rs"]
mod growth;
#[path = "egui/gui.rs"]
mod gui;
#[path = "egui/pictures.rs"]
mod pictures;

use libtest_mimic::Failed;
use std::process::ExitCode;

const EXAMPLE: gui::Test = ("the_example_shows_panel_and_cube", the_example_shows_panel_and_cube);

fn the_example_shows_panel_and_cube() -> Result<(), Failed> {
    let path = std::env::temp_dir().join(format!("fire-engine-egui-{}.png", std::process::id()));
    example::headless(path.to_str().ok_or("a path without letters")?).map_err(|error| error.to_string())?;
    let picture = image::open(&path)?.into_rgba8();
    std::fs::remove_file(&path)?;
    assert_eq!(picture.dimensions(), (800, 600));
    // The panel's fill, which the corner of the picture lacks; and the cube, which fills the middle.
    let panel =
        picture.enumerate_pixels().filter(|(x, y, pixel)| *x < 300 && *y < 200 && pixel.0[..3] == [27; 3]);
    assert!(panel.count() > 2000, "there is no panel");
    let corner = picture.get_pixel(799, 599);
    let cube = picture
        .enumerate_pixels()
        .filter(|(x, y, pixel)| (300..500).contains(x) && (200..400).contains(y) && *pixel != corner);
    assert!(cube.count() > 30_000, "there is no cube");
    Ok(())
}

fn main() -> ExitCode {
    let needs = support::validated_driver();
    let tests = pictures::TESTS.iter().chain(growth::TESTS).chain(&[EXAMPLE]);
    support::run(tests.map(|&(name, test)| support::trial(name, &needs, test)).collect()).exit_code()
}
