//! The camera, moved by the mouse and by keys.

use crate::models::{own, with_camera_and_variant};
use crate::sight::{self, Shape, different, shape};
use crate::support::check;
use crate::viewer::{SIZE, Viewer};
use crate::{Test, support::process::empty_folder};
use image::RgbaImage;
use libtest_mimic::Failed;
use std::process::Command;

pub const TESTS: &[Test] = &[
    ("a_model_is_shown_in_the_middle_with_its_name_in_the_title", is_shown),
    ("a_left_drag_orbits_and_the_opposite_one_returns", orbits),
    ("the_wheel_zooms_at_the_pointer_and_back", zooms),
    ("middle_and_shifted_drags_pan_and_f_frames_again", pans_and_frames),
    ("a_right_drag_looks_around", looks),
    ("keys_fly_while_they_are_held", flies),
    ("a_camera_and_a_variant_of_the_file_are_chosen_by_keys", file_camera_and_variant),
    ("the_window_shows_what_render_writes", same_as_render),
];

const STILL: &[&str] = &["--no-panel", "--paused", "--time", "0.5"];
const MIDDLE: (i32, i32) = (SIZE.0 as i32 / 2, SIZE.1 as i32 / 2);

fn of(picture: &RgbaImage) -> Result<Shape, Failed> {
    shape(picture).ok_or_else(|| "nothing is drawn".into())
}

fn is_shown() -> Result<(), Failed> {
    let viewer = Viewer::open("shown", &own("LetterCube"), STILL)?;
    let picture = viewer.shows_a_model("cube")?;
    check(picture.dimensions() == SIZE, || format!("{:?}", picture.dimensions()))?;
    let cube = of(&picture)?;
    let off = (cube.x - f64::from(MIDDLE.0)).hypot(cube.y - f64::from(MIDDLE.1));
    check(off < 20.0 && cube.part > 0.1, || format!("{cube:?}"))?;
    check(sight::has_clear_corners(&picture), || "it is cut off".to_owned())?;
    let colorful = crate::support::picture::colorful_part(&picture);
    check(colorful > 0.04, || format!("only {colorful} is as colorful as the cube"))?;
    viewer.quit().map(drop)
}

fn orbits() -> Result<(), Failed> {
    let viewer = Viewer::open("orbit", &own("Hierarchy"), STILL)?;
    let first = viewer.shows_a_model("first")?;
    let ways = [(MIDDLE, (MIDDLE.0 + 90, MIDDLE.1)), (MIDDLE, (MIDDLE.0 - 40, MIDDLE.1 + 60))];
    let mut seen = vec![first.clone()];
    for (from, to) in ways {
        viewer.drag("1", from, to)?;
        let turned = viewer.shows_another("turned", &first)?;
        check(seen.iter().all(|before| different(before, &turned)), || "drags do the same".to_owned())?;
        seen.push(turned);
        viewer.drag("1", to, from)?;
        viewer.shows_again("back", &first)?;
    }
    // Without a button, and with a click on one spot, nothing turns.
    viewer.point((100, 100))?;
    viewer.drag("1", MIDDLE, MIDDLE)?;
    viewer.stays("still", &first)?;
    viewer.quit().map(drop)
}

fn zooms() -> Result<(), Failed> {
    let viewer = Viewer::open("zoom", &own("LetterCube"), STILL)?;
    let first = viewer.shows_a_model("first")?;
    let size = of(&first)?.part;
    viewer.point(MIDDLE)?;
    viewer.wheel(-3)?;
    let farther = viewer.shows_another("farther", &first)?;
    let far = of(&farther)?;
    check(far.part < 0.7 * size, || format!("{size} became {far:?}"))?;
    viewer.wheel(3)?;
    viewer.shows_again("back", &first)?;
    // What is under the pointer at the model's depth stays there: away from a corner, the model comes nearer to it.
    viewer.point((40, 40))?;
    viewer.wheel(-3)?;
    let aside = of(&viewer.shows_another("aside", &first)?)?;
    check(aside.x < far.x - 40.0 && aside.y < far.y - 30.0, || format!("{aside:?} {far:?}"))?;
    viewer.wheel(3)?;
    viewer.shows_again("back_aside", &first)?;
    viewer.quit().map(drop)
}

fn pans_and_frames() -> Result<(), Failed> {
    let viewer = Viewer::open("pan", &own("LetterCube"), STILL)?;
    let first = viewer.shows_a_model("first")?;
    let before = of(&first)?;
    viewer.drag("2", MIDDLE, (MIDDLE.0 + 70, MIDDLE.1 - 40))?;
    let panned = viewer.shows_another("panned", &first)?;
    let after = of(&panned)?;
    let (x, y) = (after.x - before.x, after.y - before.y);
    // What lies in the model's middle follows exactly; its near parts go farther.
    check((x - 70.0).abs() < 25.0 && (y + 40.0).abs() < 20.0, || format!("it moved by {x}, {y}"))?;
    viewer.press(&["f"])?;
    viewer.shows_again("framed", &first)?;

    viewer.desktop.xdotool(&["keydown", "shift"])?;
    viewer.drag("1", MIDDLE, (MIDDLE.0 + 70, MIDDLE.1 - 40))?;
    viewer.desktop.xdotool(&["keyup", "shift"])?;
    viewer.shows_again("panned_with_shift", &panned)?;
    viewer.wheel(4)?;
    viewer.shows_another("nearer", &panned)?;
    viewer.press(&["f"])?;
    viewer.shows_again("framed_again", &first)?;
    viewer.quit().map(drop)
}

fn looks() -> Result<(), Failed> {
    let viewer = Viewer::open("look", &own("LetterCube"), STILL)?;
    let first = viewer.shows_a_model("first")?;
    let before = of(&first)?;
    let to = (MIDDLE.0 + 60, MIDDLE.1 + 30);
    viewer.drag("3", MIDDLE, to)?;
    let after = of(&viewer.shows_another("looked", &first)?)?;
    // Who looks to the right and down sees things go to the left and up.
    check(after.x < before.x - 20.0 && after.y < before.y - 10.0, || format!("{before:?} {after:?}"))?;
    viewer.drag("3", to, MIDDLE)?;
    viewer.shows_again("back", &first)?;
    viewer.quit().map(drop)
}

fn flies() -> Result<(), Failed> {
    let viewer = Viewer::open("fly", &own("LetterCube"), STILL)?;
    let first = viewer.shows_a_model("first")?;
    let before = of(&first)?;
    viewer.hold("s", "0.6")?;
    let away = viewer.shows_another("away", &first)?;
    check(of(&away)?.part < 0.97 * before.part, || "S does not lead away".to_owned())?;
    viewer.press(&["f"])?;
    viewer.shows_again("framed", &first)?;
    viewer.hold("d", "0.6")?;
    let right = of(&viewer.shows_another("right", &first)?)?;
    check(right.x < before.x - 10.0, || format!("D: {before:?} {right:?}"))?;
    viewer.press(&["f"])?;
    viewer.shows_again("framed_2", &first)?;
    viewer.hold("e", "0.6")?;
    let up = of(&viewer.shows_another("up", &first)?)?;
    check(up.y > before.y + 10.0, || format!("E: {before:?} {up:?}"))?;
    viewer.quit().map(drop)
}

fn file_camera_and_variant() -> Result<(), Failed> {
    let file = crate::models::copied("Hierarchy", &empty_folder("view.camera.model"))?;
    std::fs::write(&file, with_camera_and_variant()?)?;
    let viewer = Viewer::open("camera", &file, STILL)?;
    let first = viewer.shows_a_model("first")?;
    viewer.press(&["c"])?;
    let above = viewer.shows_another("from_above", &first)?;
    viewer.press(&["v"])?;
    let red = viewer.shows("red", |picture| sight::red_part(picture) > sight::red_part(&above) + 0.002)?;
    check(sight::worst(&sight::outline(&above), &sight::outline(&red)) == 0, || "a form changed".to_owned())?;
    viewer.press(&["v"])?;
    viewer.shows_again("not_red", &above)?;
    viewer.press(&["c"])?;
    viewer.shows_again("around_again", &first)?;
    // A drag takes over where the file's camera is.
    viewer.press(&["c"])?;
    viewer.shows_again("from_above_again", &above)?;
    viewer.drag("2", MIDDLE, (MIDDLE.0 + 50, MIDDLE.1))?;
    let panned = viewer.shows_another("panned", &above)?;
    let (before, after) = (of(&above)?, of(&panned)?);
    check((after.x - before.x - 50.0).abs() < 20.0, || format!("{before:?} {after:?}"))?;
    // Lines that stay parallel, and meet again.
    viewer.press(&["o"])?;
    let parallel = viewer.shows_another("parallel", &panned)?;
    // What is flown toward grows there too.
    viewer.hold("w", "0.4")?;
    let near = viewer.shows_another("nearer", &parallel)?;
    check(of(&near)?.part > of(&parallel)?.part, || "it is no larger".to_owned())?;
    viewer.quit().map(drop)
}

/// Through a camera of the file, the window shows the bytes that `render` writes.
fn same_as_render() -> Result<(), Failed> {
    let file = crate::models::copied("Hierarchy", &empty_folder("view.render.model"))?;
    std::fs::write(&file, with_camera_and_variant()?)?;
    let model = ["--camera", "Above", "--time", "0.75", "--variant", "Warning"];
    let chosen = [&model[..], &["--samples", "4", "--anisotropy", "4"]].concat();
    let viewer = Viewer::open("render", &file, &[&["--no-panel", "--paused"], &chosen[..]].concat())?;
    let shown = viewer.shows_a_model("window")?;
    let mut render = Command::new(env!("CARGO_BIN_EXE_fire-engine"));
    let size = format!("{}x{}", SIZE.0, SIZE.1);
    render.arg("render").arg(&file).args(["-o", "render.png", "--size", &size]).args(chosen);
    render.args(["--background", sight::BACKGROUND]).current_dir(viewer.desktop.folder());
    let ended = viewer.desktop.run(&mut render).end(120)?;
    check(ended.code == Some(0), || format!("{ended:?}"))?;
    let rendered = crate::support::picture::open(&viewer.desktop.folder().join("render.png"))?;
    let worst = sight::worst(&shown, &rendered);
    check(worst == 0, || format!("a channel differs by {worst}"))?;
    viewer.quit().map(drop)
}
