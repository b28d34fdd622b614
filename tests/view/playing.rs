//! Time, by keys.

use crate::Test;
use crate::models::own;
use crate::sight::{different, shape};
use crate::support::check;
use crate::viewer::{SIZE, Viewer};
use libtest_mimic::Failed;
use std::time::Duration;

pub const TESTS: &[Test] = &[
    ("space_lets_time_stand_still_and_pass", space_stops_and_goes),
    ("time_steps_by_a_thirtieth_of_a_second", steps),
    ("modes_of_drawing_come_round_by_a_key", modes_come_round),
];

fn space_stops_and_goes() -> Result<(), Failed> {
    let mut viewer = Viewer::open("space", &own("LetterCube"), &["--no-panel"])?;
    let first = viewer.look("first")?;
    let second = viewer.moves_on("plays", &first)?;
    viewer.moves_on("plays_on", &second)?;
    viewer.press(&["space"])?;
    let still = viewer.shows_a_model("still")?;
    viewer.stays("stands", &still)?;
    // What did not move meanwhile is not caught up with: it goes on from where it was.
    std::thread::sleep(Duration::from_millis(500));
    viewer.press(&["space"])?;
    viewer.moves_on("goes_on", &still)?;
    // The camera moves while time passes.
    viewer.drag("2", (320, 240), (400, 240))?;
    viewer.press(&["space"])?;
    let half = f64::from(SIZE.0) / 2.0;
    viewer.shows("panned", |now| shape(now).is_some_and(|shape| (shape.x - half - 80.0).abs() < 30.0))?;
    viewer.goes_on()?;
    viewer.quit().map(drop)
}

fn steps() -> Result<(), Failed> {
    let viewer = Viewer::open("steps", &own("LetterCube"), &["--no-panel", "--paused", "--time", "0.5"])?;
    let half = viewer.shows_a_model("half_a_second")?;
    viewer.press(&["period"; 5])?;
    let later = viewer.shows_another("later", &half)?;
    viewer.press(&["comma"; 5])?;
    viewer.shows_again("back", &half)?;
    viewer.press(&["Home"])?;
    let start = viewer.shows_another("start", &half)?;
    check(different(&start, &later), || "the start is later".to_owned())?;
    // Fifteen thirtieths of a second after the start.
    viewer.press(&["period"; 15])?;
    viewer.shows_again("half_again", &half)?;
    viewer.quit().map(drop)
}

fn modes_come_round() -> Result<(), Failed> {
    let viewer = Viewer::open("modes", &own("Hierarchy"), &["--no-panel", "--paused"])?;
    let first = viewer.shows_a_model("first")?;
    let mut seen = vec![first.clone()];
    loop {
        viewer.press(&["m"])?;
        let before = seen.last().ok_or("none")?;
        let now = viewer.shows_another(&format!("mode_{}", seen.len()), before)?;
        if !different(&now, &first) {
            break;
        }
        check(seen.iter().all(|picture| different(picture, &now)), || "two modes look the same".to_owned())?;
        check(seen.len() < 10, || "they do not come round".to_owned())?;
        seen.push(now);
    }
    // Colors, normals and texture coordinates at least; lines where the device has them.
    check(seen.len() >= 3, || format!("only {} modes", seen.len()))?;
    viewer.quit().map(drop)
}
