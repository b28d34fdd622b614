//! The panel beside the picture, and the time line below it.

use crate::Test;
use crate::models::own;
use crate::sight::{difference, different, free, part, same, shape};
use crate::support::check;
use crate::support::picture::colorful_part;
use crate::viewer::Viewer;
use image::RgbaImage;
use libtest_mimic::Failed;

pub const TESTS: &[Test] = &[
    ("tab_hides_and_shows_the_panel", hides_and_shows),
    ("drags_in_the_panel_are_none_of_the_camera", drags_stay_in_the_panel),
    ("keys_are_the_panels_while_it_asks_for_something", keys_stay_in_the_panel),
    ("tab_ends_typing_and_leaves_the_panel_where_it_is", tab_ends_typing),
    ("keys_are_listed_by_a_key_and_escape_hides_the_list_first", lists_keys),
    ("time_is_dragged_on_the_time_line", scrubs),
];

/// Wide enough that the panel leaves some of the model free.
pub const WIDE: &[&str] = &["--size", "1000x600", "--paused", "--time", "0.5"];

const SIZE: (u32, u32) = (1000, 600);
/// At least so much is covered at the left, and at the bottom.
const PANEL: u32 = 330;
const TIME_LINE: u32 = 40;
const MIDDLE: (i32, i32) = (600, 300);

/// Waits until the model is there with the panel.
pub fn shows_with_panel(viewer: &Viewer, name: &str) -> Result<RgbaImage, Failed> {
    viewer.shows(name, |picture| colorful_part(&free(picture)) > 0.1)
}

/// The window with its panel and without.
fn both(viewer: &Viewer) -> Result<(RgbaImage, RgbaImage), Failed> {
    let with = shows_with_panel(viewer, "with")?;
    viewer.press(&["Tab"])?;
    let without = viewer.shows("without", |now| difference(now, &with) > 0.05)?;
    Ok((with, without))
}

/// Whether all around a place looks different.
fn is_covered(with: &RgbaImage, without: &RgbaImage, (x, y): (u32, u32), around: u32) -> bool {
    let place = (x.saturating_sub(around), y.saturating_sub(around));
    let size = (2 * around, 2 * around);
    let [with, without] = [with, without].map(|picture| part(picture, place, size));
    with.pixels().zip(without.pixels()).filter(|(a, b)| a != b).count() as f64
        > 0.9 * f64::from(size.0 * size.1)
}

/// A place within the panel at the side.
fn in_the_panel(with: &RgbaImage, without: &RgbaImage) -> Result<(i32, i32), Failed> {
    let y = SIZE.1 / 2;
    let place = (40..SIZE.0 - 40).step_by(5).find(|x| is_covered(with, without, (*x, y), 30));
    let x = place.ok_or("the panel is nowhere at the side")?;
    Ok((x as i32, y as i32))
}

fn hides_and_shows() -> Result<(), Failed> {
    let viewer = Viewer::open("tab", &own("LetterCube"), WIDE)?;
    let (with, hidden) = both(&viewer)?;
    // The model keeps its form, and stands in the middle of what is free.
    let beside = part(&with, (PANEL, 0), (SIZE.0 - PANEL, SIZE.1 - TIME_LINE));
    for (picture, middle) in [(&beside, (SIZE.0 - PANEL) / 2), (&hidden, SIZE.0 / 2)] {
        let model = shape(picture).ok_or("nothing is drawn")?;
        check((model.x - f64::from(middle)).abs() < 30.0, || format!("{model:?}, not at {middle}"))?;
    }
    viewer.press(&["Tab"])?;
    viewer.shows_again("shown_again", &with)?;
    viewer.press(&["Tab"])?;
    viewer.shows_again("hidden_again", &hidden)?;
    viewer.press(&["f"])?;
    let without = viewer.shows_a_model("framed")?;
    viewer.press(&["Tab"])?;
    let with = shows_with_panel(&viewer, "framed_with")?;
    viewer.quit()?;
    let viewer = Viewer::open("nopanel", &own("LetterCube"), &[&["--no-panel"], WIDE].concat())?;
    viewer.shows_again("from_the_start", &without)?;
    viewer.press(&["Tab"])?;
    viewer.shows_again("shown", &with)?;
    viewer.quit().map(drop)
}

fn drags_stay_in_the_panel() -> Result<(), Failed> {
    let viewer = Viewer::open("inside", &own("LetterCube"), WIDE)?;
    let (with, without) = both(&viewer)?;
    viewer.press(&["Tab"])?;
    viewer.shows_again("shown_again", &with)?;
    let inside = in_the_panel(&with, &without)?;
    for button in ["1", "2", "3"] {
        viewer.drag(button, inside, (inside.0 + 20, inside.1 + 60))?;
    }
    viewer.drag("1", inside, MIDDLE)?;
    viewer.point(inside)?;
    viewer.wheel(-3)?;
    let after = shows_with_panel(&viewer, "after")?;
    check(same(&free(&after), &free(&with)), || "the camera moved".to_owned())?;
    // A drag that began in the picture goes on over the panel, and ends there.
    viewer.drag("1", MIDDLE, inside)?;
    let turned = viewer.shows("turned", |now| different(&free(now), &free(&with)))?;
    viewer.point(MIDDLE)?;
    viewer.point((MIDDLE.0 + 50, MIDDLE.1))?;
    let after = shows_with_panel(&viewer, "let_go")?;
    check(same(&free(&after), &free(&turned)), || "the button is still down".to_owned())?;
    viewer.quit().map(drop)
}

/// Of the only clip of the letter cube: its speed, a number to type, and what it does at its end, a list to choose from.
const SPEED: (i32, i32) = (199, 225);
const AT_THE_END: (i32, i32) = (258, 225);

fn keys_stay_in_the_panel() -> Result<(), Failed> {
    let mut viewer = Viewer::open("typing", &own("LetterCube"), WIDE)?;
    shows_with_panel(&viewer, "model")?;
    for (place, what) in [(SPEED, "number"), (AT_THE_END, "list")] {
        viewer.point(place)?;
        let before = shows_with_panel(&viewer, "pointed")?;
        viewer.desktop.xdotool(&["click", "1"])?;
        let asking = viewer.shows(&format!("{what}_is_open"), |now| difference(now, &before) > 0.0002)?;
        if place == SPEED {
            // It would show the next mode, and the next camera.
            viewer.press(&["m", "c"])?;
        }
        viewer.press(&["Escape"])?;
        let after = viewer.shows(&format!("{what}_is_closed"), |now| difference(now, &asking) > 0.0002)?;
        viewer.goes_on()?;
        check(same(&free(&after), &free(&before)), || format!("{what}: the picture changed"))?;
    }
    viewer.point(MIDDLE)?;
    let before = shows_with_panel(&viewer, "nothing_is_open")?;
    viewer.press(&["m"])?;
    viewer.shows("next_mode", |now| different(&free(now), &free(&before)))?;
    viewer.quit().map(drop)
}

fn tab_ends_typing() -> Result<(), Failed> {
    let viewer = Viewer::open("typed", &own("LetterCube"), WIDE)?;
    shows_with_panel(&viewer, "model")?;
    viewer.point(SPEED)?;
    let before = shows_with_panel(&viewer, "pointed")?;
    viewer.desktop.xdotool(&["click", "1"])?;
    viewer.shows("number_is_open", |now| difference(now, &before) > 0.0002)?;
    // At once, as one types.
    viewer.desktop.xdotool(&["key", "--delay", "0", "2", "Tab"])?;
    let number = (SPEED.0 as u32 - 25, SPEED.1 as u32 - 9);
    let of = |picture: &RgbaImage| part(picture, number, (50, 18));
    let after = viewer.shows("number_is_closed", |now| {
        let is_other = difference(&of(now), &of(&before)) > 0.02;
        is_other && difference(now, &before) < 0.01 && same(&free(now), &free(&before))
    })?;
    // The keys are the window's again, and so is the next Tab.
    viewer.press(&["m"])?;
    let mode = viewer.shows("next_mode", |now| different(&free(now), &free(&after)))?;
    check(difference(&of(&mode), &of(&after)) < 0.02, || "the number changed".to_owned())?;
    viewer.press(&["Tab"])?;
    viewer.shows("hidden", |now| difference(now, &mode) > 0.05)?;
    viewer.quit().map(drop)
}

fn lists_keys() -> Result<(), Failed> {
    let mut viewer = Viewer::open("keys", &own("LetterCube"), &[&["--no-panel"], WIDE].concat())?;
    let without = viewer.shows_a_model("model")?;
    viewer.press(&["F1"])?;
    let with = viewer.shows("list", |now| difference(now, &without) > 0.1)?;
    viewer.press(&["Escape"])?;
    viewer.shows_again("hidden", &without)?;
    viewer.goes_on()?;
    viewer.press(&["question"])?;
    viewer.shows_again("list_again", &with)?;
    viewer.press(&["F1"])?;
    viewer.shows_again("hidden_again", &without)?;
    viewer.quit().map(drop)
}

fn scrubs() -> Result<(), Failed> {
    let viewer = Viewer::open("scrub", &own("LetterCube"), WIDE)?;
    let (with, without) = both(&viewer)?;
    viewer.press(&["Tab"])?;
    viewer.shows_again("shown_again", &with)?;
    let x = SIZE.0 / 2;
    let bottom = (SIZE.1 * 3 / 4..SIZE.1 - 8).rev().find(|y| is_covered(&with, &without, (x, *y), 4));
    let y = bottom.ok_or("no time line at the bottom")? as i32;
    let x = x as i32;
    viewer.drag("1", (x - 60, y), (x, y))?;
    let one = viewer.shows("one_time", |now| different(&free(now), &free(&with)))?;
    viewer.drag("1", (x, y), (x + 80, y))?;
    let other = viewer.shows("other_time", |now| different(&free(now), &free(&one)))?;
    viewer.drag("1", (x + 80, y), (x, y))?;
    viewer.shows("one_again", |now| same(&free(now), &free(&one)))?;
    check(different(&free(&other), &free(&with)), || "it is as at first".to_owned())?;
    viewer.quit().map(drop)
}
